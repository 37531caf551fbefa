/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-segment.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

/**
 * @file
 * @ingroup broadcast-ethernet
 * Attributes and trace sources of the shared segment.
 */

namespace ns3
{
namespace ethernet
{

NS_OBJECT_ENSURE_REGISTERED(EthernetSegment);

TypeId
EthernetSegment::GetTypeId()
{
    using S = EthernetSegment;
    static TypeId tid =
        TypeId("ns3::ethernet::EthernetSegment")
            .SetParent<EthernetMedium>()
            .SetGroupName("BroadcastEthernet")
            .AddConstructor<EthernetSegment>()
            .AddAttribute("DataRate",
                          "Rate of all stations [bit/s; IEEE 802.3].",
                          DataRateValue(DataRate("10Mbps")),
                          MakeDataRateAccessor(&S::m_rate),
                          MakeDataRateChecker())
            .AddAttribute("Delay",
                          "Delay between any two stations, as a hub with equal arms has it; what "
                          "lies between their places on a cable comes to it [time; default].",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&S::m_delay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Spacing",
                          "Length of the cable from each station to the next [m; default].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&S::m_spacing),
                          MakeDoubleChecker<double>(0, 1e6))
            .AddAttribute("PropagationSpeed",
                          "Speed of signals in the cable, 0.77 c [m/s; IEEE 802.3, 8.4.1.3].",
                          DoubleValue(2.31e8),
                          MakeDoubleAccessor(&S::m_speed),
                          MakeDoubleChecker<double>(1))
            .AddAttribute("SlotBits",
                          "Slot time: unit of backoff, and length of the collision window [bits; "
                          "IEEE 802.3, 4.4.2].",
                          UintegerValue(512),
                          MakeUintegerAccessor(&S::m_slotBits),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("GapBits",
                          "Interframe gap [bits; IEEE 802.3, 4.4.2].",
                          UintegerValue(GAP_BITS),
                          MakeUintegerAccessor(&S::m_gapBits),
                          MakeUintegerChecker<uint32_t>(0, 1000000))
            .AddAttribute("GapFirstPartBits",
                          "First part of the gap, which a carrier starts anew; in the rest it is "
                          "not heeded [bits; IEEE 802.3, 4.2.3.2.1].",
                          UintegerValue(64),
                          MakeUintegerAccessor(&S::m_firstPartBits),
                          MakeUintegerChecker<uint32_t>(0, 1000000))
            .AddAttribute("JamBits",
                          "Length of a jam [bits; IEEE 802.3, 4.4.2].",
                          UintegerValue(32),
                          MakeUintegerAccessor(&S::m_jamBits),
                          MakeUintegerChecker<uint32_t>(0, 1000000))
            .AddAttribute("AttemptLimit",
                          "Attempts after which a frame is given up [attempts; IEEE 802.3, 4.4.2].",
                          UintegerValue(16),
                          MakeUintegerAccessor(&S::m_attemptLimit),
                          MakeUintegerChecker<uint32_t>(1, 1000000))
            .AddAttribute("BackoffLimit",
                          "Attempts after which the range of backoffs is doubled no more "
                          "[attempts; IEEE 802.3, 4.4.2].",
                          UintegerValue(10),
                          MakeUintegerAccessor(&S::m_backoffLimit),
                          MakeUintegerChecker<uint32_t>(0, 20))
            .AddAttribute("RetryLate",
                          "Whether a frame is repeated after a collision past the collision "
                          "window; IEEE 802.3 leaves it open, the usual controllers give it up "
                          "[flag; default].",
                          BooleanValue(false),
                          MakeBooleanAccessor(&S::m_retryLate),
                          MakeBooleanChecker())
            .AddTraceSource("Attempt",
                            "An attempt to send a frame is over.",
                            MakeTraceSourceAccessor(&S::m_attempt),
                            "ns3::ethernet::EthernetSegment::AttemptTracedCallback");
    return tid;
}

} // namespace ethernet
} // namespace ns3
