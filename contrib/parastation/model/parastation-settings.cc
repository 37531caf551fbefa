/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-settings.h"

#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace parastation
{

NS_LOG_COMPONENT_DEFINE("ParastationSettings");
NS_OBJECT_ENSURE_REGISTERED(ParastationSettings);

TypeId
ParastationSettings::GetTypeId()
{
    using S = ParastationSettings;
    static TypeId tid =
        TypeId("ns3::parastation::ParastationSettings")
            .SetParent<Object>()
            .SetGroupName("Parastation")
            .AddConstructor<S>()
            .AddAttribute("SendRing",
                          "Slots of the send ring in the network interface [slots; default].",
                          UintegerValue(16),
                          MakeUintegerAccessor(&S::m_sendRing),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("ReceiveRing",
                          "Slots of the receive ring in the network interface, one of which is "
                          "always kept free [slots; default].",
                          UintegerValue(16),
                          MakeUintegerAccessor(&S::m_receiveRing),
                          MakeUintegerChecker<uint32_t>(2, 65536))
            .AddAttribute("HostBuffers",
                          "Packets that the receiving host's memory holds before they are polled "
                          "[packets; default].",
                          UintegerValue(32),
                          MakeUintegerAccessor(&S::m_hostBuffers),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("PostQueue",
                          "Messages that wait in the host for a send slot; another one is stalled "
                          "[messages; default].",
                          UintegerValue(16),
                          MakeUintegerAccessor(&S::m_queue),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("PacketSize",
                          "Largest packet; messages are cut into such pieces, and a slot holds "
                          "4096 bytes [bytes; section 3.3].",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&S::m_packetSize),
                          MakeUintegerChecker<uint32_t>(1, 1 << 20))
            .AddAttribute("Window",
                          "Packets of a pair that may lack their ACK [packets; section 3.1].",
                          UintegerValue(8),
                          MakeUintegerAccessor(&S::m_window),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("SequenceBits",
                          "Bits of a sequence number [bits; section 3.1].",
                          UintegerValue(8),
                          MakeUintegerAccessor(&S::m_sequenceBits),
                          MakeUintegerChecker<uint8_t>(1, 8))
            .AddAttribute("HeaderSize",
                          "Header of every packet, data and control, which the paper does not "
                          "give [bytes; default].",
                          UintegerValue(24),
                          MakeUintegerAccessor(&S::m_header),
                          MakeUintegerChecker<uint16_t>(1, 64))
            .AddAttribute("RetransmitTimeout",
                          "After it a packet without ACK is sent again; the paper gives no value, "
                          "and 1 ms is far above a full window's round trip [s; default].",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&S::m_timeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("ShortagePause",
                          "How long a packet waits that was rejected for want of a receive slot: "
                          "about what a host takes for a packet of 4096 bytes [s; default].",
                          TimeValue(MicroSeconds(75)),
                          MakeTimeAccessor(&S::m_pause),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("HighAck",
                          "What an ACK with a high number does: marks its buffer for "
                          "retransmission (prose), or nothing (table) [-; A-amb-2: section 3.4, "
                          "table 1].",
                          EnumValue(HighAck::PROSE),
                          MakeEnumAccessor<HighAck>(&S::m_highAck),
                          MakeEnumChecker(HighAck::PROSE, "prose", HighAck::TABLE, "table"))
            .AddAttribute("LowSequence",
                          "The answer to data with a low number: an ACK (table 1), or a NACK "
                          "(section 3.3) [-; A-amb-3].",
                          EnumValue(LowSequence::ACK),
                          MakeEnumAccessor<LowSequence>(&S::m_lowSequence),
                          MakeEnumChecker(LowSequence::ACK, "ack", LowSequence::NACK, "nack"))
            .AddAttribute(
                "NackNumber",
                "What a NACK for lost data names: the number expected, or that of the "
                "packet rejected [-; A-amb-4].",
                EnumValue(NackNumber::EXPECTED),
                MakeEnumAccessor<NackNumber>(&S::m_nackNumber),
                MakeEnumChecker(NackNumber::EXPECTED, "expected", NackNumber::REJECTED, "rejected"))
            .AddAttribute("AckOrder",
                          "When the firmware builds an ACK: before the packet goes to the host "
                          "(first), or in the meantime (beside); protocol parastation2 [-; "
                          "sections 3.3, 3.2].",
                          EnumValue(AckOrder::FIRST),
                          MakeEnumAccessor<AckOrder>(&S::m_ackOrder),
                          MakeEnumChecker(AckOrder::FIRST, "first", AckOrder::BESIDE, "beside"))
            .AddAttribute("Channels",
                          "Logical channels of a pair, protocol am2 [channels; general knowledge].",
                          UintegerValue(8),
                          MakeUintegerAccessor(&S::m_channels),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("Backoff",
                          "Mean of the first random backoff after a NACK, doubled with each "
                          "further one, protocol am2 [s; general knowledge].",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&S::m_backoff),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Credits",
                          "Credits of a pair, protocol credit; 0 to share the receive ring among "
                          "all peers [packets; general knowledge].",
                          UintegerValue(0),
                          MakeUintegerAccessor(&S::m_credits),
                          MakeUintegerChecker<uint32_t>(0, 65535));
    return tid;
}

ParastationSettings::ParastationSettings() = default;

ParastationSettings::~ParastationSettings() = default;

Config
ParastationSettings::GetConfig(Time tick) const
{
    const auto ticks = [tick](Time time) {
        return std::max<messaging::Ticks>(1, (time / tick).GetHigh());
    };
    Config config;
    config.sendRing = m_sendRing;
    config.receiveRing = m_receiveRing;
    config.hostBuffers = m_hostBuffers;
    config.queue = m_queue;
    config.packetBytes = m_packetSize;
    config.window = m_window;
    config.channels = m_channels;
    config.credits = m_credits;
    config.timeout = ticks(m_timeout);
    config.pause = ticks(m_pause);
    config.backoff = ticks(m_backoff);
    config.header = m_header;
    config.sequenceBits = m_sequenceBits;
    config.highAck = m_highAck;
    config.lowSequence = m_lowSequence;
    config.nackNumber = m_nackNumber;
    config.ackOrder = m_ackOrder;
    return config;
}

} // namespace parastation
} // namespace ns3
