/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-switch.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

/**
 * @file
 * @ingroup broadcast-ethernet
 * The attributes of a switch.
 */

namespace ns3
{
namespace ethernet
{

NS_OBJECT_ENSURE_REGISTERED(EthernetSwitch);

TypeId
EthernetSwitch::GetTypeId()
{
    using S = EthernetSwitch;
    static TypeId tid =
        TypeId("ns3::ethernet::EthernetSwitch")
            .SetParent<EthernetMedium>()
            .SetGroupName("BroadcastEthernet")
            .AddConstructor<EthernetSwitch>()
            .AddAttribute("DataRate",
                          "Rate of the ports made from now on: 10Mbps, 100Mbps or 1000Mbps [bit/s; "
                          "IEEE 802.3, EQA section 4].",
                          DataRateValue(DataRate("100Mbps")),
                          MakeDataRateAccessor(&S::m_rate),
                          MakeDataRateChecker())
            .AddAttribute("Delay",
                          "Delay of the cables of the ports made from now on, 5 ns a meter: 20 m "
                          "by default [time; default].",
                          TimeValue(NanoSeconds(100)),
                          MakeTimeAccessor(&S::m_delay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ForwardingLatency",
                          "From the last bit of a frame in to its first bit out at an idle port: 5 "
                          "to 15 us in switches of around 1999 [time; general knowledge, since EQA "
                          "does not name its switch].",
                          TimeValue(MicroSeconds(10)),
                          MakeTimeAccessor(&S::m_latency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("BufferSize",
                          "Size of the buffer of each output port, or of the pool if BufferSharing "
                          "is complete or dynamic [BufferUnit; default].",
                          UintegerValue(64),
                          MakeUintegerAccessor(&S::m_buffer),
                          MakeUintegerChecker<uint64_t>(1, 1ULL << 40))
            .AddAttribute("BufferUnit",
                          "What buffers count: frames, each of which takes a slot, or bytes [name; "
                          "default].",
                          EnumValue(BufferUnit::FRAMES),
                          MakeEnumAccessor<BufferUnit>(&S::m_unit),
                          MakeEnumChecker(BufferUnit::FRAMES, "frames", BufferUnit::BYTES, "bytes"))
            .AddAttribute("BufferSharing",
                          "Who may use the memory: each port its own buffer, all a pool first come "
                          "first served, or a queue up to Alpha times what is free of the pool "
                          "[name; default].",
                          EnumValue(BufferSharing::PRIVATE),
                          MakeEnumAccessor<BufferSharing>(&S::m_sharing),
                          MakeEnumChecker(BufferSharing::PRIVATE,
                                          "private",
                                          BufferSharing::COMPLETE,
                                          "complete",
                                          BufferSharing::DYNAMIC,
                                          "dynamic"))
            .AddAttribute("Alpha",
                          "Length of a queue over what is free of the pool, at most, if "
                          "BufferSharing is dynamic [ratio; Choudhury and Hahne 1998].",
                          DoubleValue(1),
                          MakeDoubleAccessor(&S::m_alpha),
                          MakeDoubleChecker<double>(1e-6, 1e6))
            .AddAttribute(
                "Replication",
                "Whether the copies of a frame reach its output ports at the same time, "
                "or one after the other over a bus that all frames share [name; default].",
                EnumValue(Replication::PARALLEL),
                MakeEnumAccessor<Replication>(&S::m_replication),
                MakeEnumChecker(Replication::PARALLEL, "parallel", Replication::SERIAL, "serial"))
            .AddAttribute("BusRate",
                          "Rate of that bus, if Replication is serial [bit/s; default].",
                          DataRateValue(DataRate("1000Mbps")),
                          MakeDataRateAccessor(&S::m_busRate),
                          MakeDataRateChecker())
            .AddAttribute("AddressTableSize",
                          "Addresses that can be learned [addresses; default].",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&S::m_addresses),
                          MakeUintegerChecker<uint32_t>(0, 1 << 24))
            .AddAttribute("Ageing",
                          "Time after which an address that is not seen is forgotten; 0 for never "
                          "[time; IEEE 802.1D, table 7-4].",
                          TimeValue(Seconds(300)),
                          MakeTimeAccessor(&S::m_ageing),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Loss",
                          "Probability that a copy of a frame is lost before it is queued, at each "
                          "output port by itself [probability; default].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&S::m_loss),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Pause",
                          "Whether the switch sends PAUSE frames to those who send to a congested "
                          "port; it obeys them always [flag; IEEE 802.3 annex 31B].",
                          BooleanValue(false),
                          MakeBooleanAccessor(&S::m_pause),
                          MakeBooleanChecker())
            .AddAttribute("PauseHigh",
                          "Share of the buffer, or of the pool, above which senders are paused "
                          "[fraction; default].",
                          DoubleValue(0.5),
                          MakeDoubleAccessor(&S::m_pauseHigh),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("PauseLow",
                          "Share down to which they stay paused [fraction; default].",
                          DoubleValue(0.25),
                          MakeDoubleAccessor(&S::m_pauseLow),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("PauseQuanta",
                          "Length of a pause, which is repeated at half time while it is needed "
                          "[512 bit times; IEEE 802.3 annex 31B].",
                          UintegerValue(65535),
                          MakeUintegerAccessor(&S::m_pauseQuanta),
                          MakeUintegerChecker<uint16_t>(2))
            .AddTraceSource("FrameIn",
                            "A frame has come in.",
                            MakeTraceSourceAccessor(&S::m_frameIn),
                            "ns3::ethernet::EthernetSwitch::FrameTracedCallback")
            .AddTraceSource("FrameOut",
                            "A copy of a frame has arrived at the other end of an output port's "
                            "link.",
                            MakeTraceSourceAccessor(&S::m_frameOut),
                            "ns3::ethernet::EthernetSwitch::FrameTracedCallback")
            .AddTraceSource("Drop",
                            "A copy of a frame is dropped; tells the output port and why.",
                            MakeTraceSourceAccessor(&S::m_drop),
                            "ns3::ethernet::EthernetSwitch::DropTracedCallback")
            .AddTraceSource("PauseSent",
                            "The switch sends a PAUSE frame.",
                            MakeTraceSourceAccessor(&S::m_pauseSent),
                            "ns3::ethernet::EthernetSwitch::PauseTracedCallback")
            .AddTraceSource("PauseReceived",
                            "The switch has received a PAUSE frame.",
                            MakeTraceSourceAccessor(&S::m_pauseReceived),
                            "ns3::ethernet::EthernetSwitch::PauseTracedCallback");
    return tid;
}

std::string
EthernetSwitch::Check() const
{
    if (const std::string error = CheckLinkRate(m_rate); !error.empty())
    {
        return error;
    }
    if (m_unit == BufferUnit::BYTES && m_buffer < MAX_FRAME_BYTES)
    {
        return "BufferSize has to be at least 1518 bytes, the longest frame.";
    }
    if (m_pauseLow > m_pauseHigh)
    {
        return "PauseLow has to be at most PauseHigh.";
    }
    if (m_busRate.GetBitRate() == 0)
    {
        return "BusRate has to be above 0.";
    }
    return "";
}

SwitchConfig
EthernetSwitch::MakeConfig() const
{
    return {.latency = m_latency.GetNanoSeconds(),
            .ageing = m_ageing.GetNanoSeconds(),
            .addresses = m_addresses,
            .buffer = m_buffer,
            .unit = m_unit,
            .sharing = m_sharing,
            .alpha = m_alpha,
            .replication = m_replication,
            .busRate = m_busRate.GetBitRate(),
            .pause = m_pause,
            .pauseHigh = m_pauseHigh,
            .pauseLow = m_pauseLow,
            .pauseQuanta = m_pauseQuanta};
}

} // namespace ethernet
} // namespace ns3
