/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-settings.h"

#include "ns3/messaging-attributes.h"

#include <algorithm>

namespace ns3
{
namespace parastation
{

NS_OBJECT_ENSURE_REGISTERED(ParastationSettings);

namespace
{

constexpr uint32_t MOST_SLOTS = 65536; ///< Largest ring [slots] and window [packets].

} // namespace

TypeId
ParastationSettings::GetTypeId()
{
    using messaging::Range;
    using S = ParastationSettings;
    static TypeId tid =
        messaging::Attributes<S>(TypeId("ns3::parastation::ParastationSettings")
                                     .SetParent<Object>()
                                     .SetGroupName("Parastation")
                                     .AddConstructor<S>())
            .AddAttribute("RetransmitTimeout",
                          "Time without ACK after which a packet is sent again; the paper gives no "
                          "value, and 1 ms is far above a full window's round trip [s; default].",
                          &S::m_timeout,
                          MilliSeconds(1),
                          NanoSeconds(1))
            .In(&S::m_config)
            .AddAttribute("SendRing",
                          "Slots of the send ring in the network interface [slots; default].",
                          &Config::sendRing,
                          Range{1U, MOST_SLOTS})
            .AddAttribute("ReceiveRing",
                          "Slots of the receive ring in the network interface, one of which is "
                          "always kept free [slots; default].",
                          &Config::receiveRing,
                          Range{2U, MOST_SLOTS})
            .AddAttribute("HostBuffers",
                          "Packets that the receiving host's memory holds before they are polled "
                          "[packets; default].",
                          &Config::hostBuffers,
                          Range{1U, MOST_SLOTS})
            .AddAttribute("PacketSize",
                          "Largest packet, into which messages are fragmented; a slot holds "
                          "4096 bytes [bytes; section 3.3].",
                          &Config::packetBytes,
                          Range{1, 1 << 20})
            .AddAttribute("Window",
                          "Limit of unacknowledged packets of a pair [packets; section 3.1].",
                          &Config::window,
                          Range{1U, MOST_SLOTS})
            .AddAttribute("SequenceBits",
                          "Bits of a sequence number; fewer than 8 permit a Window that is too "
                          "wide, for searches for failures [bits; section 3.1].",
                          &Config::sequenceBits,
                          Range{1, 8})
            .AddAttribute("HighAck",
                          "Effect of an ACK with a high number: it marks its buffer for "
                          "retransmission (prose), or none (table) [-; A-amb-2: section 3.4, "
                          "table 1].",
                          &Config::highAck,
                          {{HighAck::PROSE, "prose"}, {HighAck::TABLE, "table"}})
            .AddAttribute("LowSequence",
                          "Answer to data with a low number: an ACK (table 1), or a NACK "
                          "(section 3.3) [-; A-amb-3].",
                          &Config::lowSequence,
                          {{LowSequence::ACK, "ack"}, {LowSequence::NACK, "nack"}})
            .AddAttribute("NackNumber",
                          "Number in a NACK for lost data: the one expected, or that of the "
                          "rejected packet [-; A-amb-4].",
                          &Config::nackNumber,
                          {{NackNumber::EXPECTED, "expected"}, {NackNumber::REJECTED, "rejected"}})
            .AddAttribute("AckOrder",
                          "Order of an ACK and its packet's transfer to the host: the ACK first, "
                          "or both in parallel (beside); protocol parastation2 [-; sections 3.3, "
                          "3.2].",
                          &Config::ackOrder,
                          {{AckOrder::FIRST, "first"}, {AckOrder::BESIDE, "beside"}})
            .AddAttribute("Channels",
                          "Logical channels of a pair, protocol am2 [channels; general knowledge].",
                          &Config::channels,
                          Range{1, 64});
    return tid;
}

Config
ParastationSettings::GetConfig(uint32_t peers, bool hostCredits) const
{
    Config config = m_config;
    config.timeout = static_cast<messaging::Ticks>(m_timeout.GetNanoSeconds());
    config.hostCredits = hostCredits;
    uint32_t buffers = config.receiveRing;
    if (hostCredits)
    {
        buffers = config.hostBuffers;
    }
    config.credits = buffers / std::max(1U, peers - 1);
    return config;
}

} // namespace parastation
} // namespace ns3
