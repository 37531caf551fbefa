/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-protocols.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-named-counts.h"
#include "ns3/parastation-helper.h"

#include <algorithm>
#include <array>
#include <set>

namespace ns3
{
namespace parastation
{

NS_LOG_COMPONENT_DEFINE("ParastationProtocols");
NS_OBJECT_ENSURE_REGISTERED(ParastationProtocol);
NS_OBJECT_ENSURE_REGISTERED(Parastation2Protocol);
NS_OBJECT_ENSURE_REGISTERED(Am2Protocol);
NS_OBJECT_ENSURE_REGISTERED(Vmmc2Protocol);
NS_OBJECT_ENSURE_REGISTERED(CreditsProtocol);

namespace
{

/** Number of peers of a pair. */
constexpr uint32_t PAIR = 2;

/** Number of late frames that together make a number old: a packet, and its acknowledgement. */
constexpr double LATE_FRAMES = 2;

/** Retransmission timeout without queues, the 1 ms of paper 2's runs on a Myrinet [round trips]. */
constexpr double IDLE_TIMEOUT = 38;

/** Most nodes whose full send rings a packet may have to wait for on a network that loses packets,
 * where a longer timeout would delay the repair. */
constexpr uint32_t BUSY_PEERS = 8;

} // namespace

TypeId
ParastationProtocol::GetTypeId()
{
    static TypeId tid =
        messaging::Attributes<ParastationProtocol>(TypeId("ns3::parastation::ParastationProtocol")
                                                       .SetParent<messaging::Protocol>()
                                                       .SetGroupName("Parastation"))
            .AddAttribute("Timeout",
                          "Retransmission timeout; 0 for 38, the 1 ms of paper 2's runs with 4096 "
                          "bytes on a Myrinet, and at least two for each packet in the send rings "
                          "of all nodes, or of 8 if the network may lose packets [round trips; "
                          "default].",
                          &ParastationProtocol::m_timeout,
                          0,
                          0,
                          1e6);
    return tid;
}

ParastationProtocol::ParastationProtocol(ProtocolKind kind)
    : m_kind(kind),
      m_settings(CreateObject<ParastationSettings>())
{
}

TypeId
ParastationProtocol::MakeTypeId(ProtocolKind kind)
{
    /** Description of a protocol for users. */
    struct Entry
    {
        ProtocolKind kind;             ///< The protocol.
        const char* name;              ///< Name of its class.
        const char* summary;           ///< One sentence.
        std::set<std::string> without; ///< Attributes of ParastationSettings to leave out.
    };

    static const std::array<Entry, 4> ENTRIES{
        {{ProtocolKind::PARASTATION2,
          "Parastation2Protocol",
          "ParaStation2: ACK and NACK between network interfaces.",
          {"Channels"}},
         {ProtocolKind::AM2,
          "Am2Protocol",
          "Active Messages II: channels with stop and wait, and backoff.",
          {"Window", "SequenceBits", "HighAck", "LowSequence", "NackNumber"}},
         {ProtocolKind::VMMC2,
          "Vmmc2Protocol",
          "VMMC-2: cumulative ACKs and a timer, without NACK.",
          {"HighAck", "LowSequence", "NackNumber", "Channels"}},
         {ProtocolKind::LFC,
          "CreditsProtocol",
          "Credits alone, as LFC: trust in the network.",
          {"Window", "SequenceBits", "HighAck", "LowSequence", "NackNumber", "Channels"}}}};
    Entry entry = *std::ranges::find(ENTRIES, kind, &Entry::kind);
    // Timeout replaces RetransmitTimeout. AckOrder has no effect, as only the network takes time.
    entry.without.insert({"RetransmitTimeout", "AckOrder"});
    return messaging::Attributes<ParastationProtocol>(
               messaging::SetSummary(TypeId(std::string("ns3::parastation::") + entry.name),
                                     entry.summary)
                   .SetParent<ParastationProtocol>()
                   .SetGroupName("Parastation"))
        .Forward<&ParastationProtocol::m_settings>(entry.without);
}

std::string
ParastationProtocol::Check(const messaging::PortInfo& info, uint32_t peers) const
{
    const Config config = m_settings->GetConfig(peers);
    uint32_t creditors = 0;
    if (m_kind == ProtocolKind::LFC)
    {
        creditors = peers - 1;
    }
    if (std::string wrong = config.Check(creditors); !wrong.empty())
    {
        return wrong;
    }
    if (info.mtu <= config.header)
    {
        return "A packet has a header of " + std::to_string(config.header) +
               " bytes, but the MTU of the network is " + std::to_string(info.mtu) + " bytes.";
    }
    return "";
}

bool
ParastationProtocol::DoNumbersLast(const messaging::PortInfo& info) const
{
    const Config config = m_settings->GetConfig(PAIR);
    const double frames =
        LATE_FRAMES * info.rate * static_cast<double>(info.maxSlip) / config.header;
    const double spare = (1U << config.sequenceBits) - 2.0 * config.window;
    return info.rate > 0 && frames < spare;
}

messaging::Promise
ParastationProtocol::GetPromise(const messaging::PortInfo& info) const
{
    if (m_kind == ProtocolKind::LFC)
    {
        // A protocol that trusts the network delivers each frame as often as the network does, and
        // waits for ever for a lost credit. It takes packets between the first and the last one of
        // a message for its parts, so that it loses or mixes messages that overtake each other.
        return {.complete = info.lossless && info.ordered,
                .once = false,
                .ordered = info.ordered,
                .intact = info.ordered,
                .confirms = false,
                .ended = info.lossless};
    }
    // Where packets may be lost, their wait has no bound: that of a shared channel, for instance.
    const bool repeats = !info.lossless;
    if (m_kind == ProtocolKind::AM2)
    {
        // A channel has one bit: a frame that arrives after a later one counts as the next.
        return {.complete = info.ordered,
                .once = info.ordered,
                .ordered = false,
                .intact = info.ordered,
                .confirms = false,
                .ended = info.ordered,
                .repeatsWhenCalm = repeats};
    }
    const bool holds = info.ordered || DoNumbersLast(info);
    return {.complete = holds,
            .once = holds,
            .ordered = holds,
            .intact = holds,
            .confirms = false,
            .ended = holds,
            .repeatsWhenCalm = repeats};
}

Ptr<messaging::MessageGroup>
ParastationProtocol::DoConnect(const messaging::Site& site)
{
    Config config = m_settings->GetConfig(site.port->GetNPeers());
    config.packetBytes = std::min(config.packetBytes, site.port->GetInfo().mtu - config.header);
    const messaging::Frame data{.payload = config.packetBytes, .header = config.header};
    const messaging::Frame answer{.header = config.header};
    const messaging::Ticks exchange = site.port->GetRoundTrip(data, answer);
    // Pause and backoff keep their ratios to the timeout on a Myrinet.
    double trips = IDLE_TIMEOUT;
    if (m_timeout > 0)
    {
        trips = m_timeout;
    }
    const double scale =
        trips * static_cast<double>(exchange) / static_cast<double>(config.timeout);
    for (messaging::Ticks* time : {&config.timeout, &config.pause, &config.backoff})
    {
        *time = std::max<messaging::Ticks>(
            1,
            static_cast<messaging::Ticks>(static_cast<double>(*time) * scale));
    }
    if (m_timeout == 0)
    {
        // A packet may wait behind all others, on a shared channel or before one receiver, and its
        // acknowledgement, too.
        uint32_t peers = site.port->GetNPeers();
        if (!site.port->GetInfo().lossless)
        {
            peers = std::min(peers, BUSY_PEERS);
        }
        const messaging::Ticks packets = 2 * peers * messaging::Ticks{config.sendRing};
        config.timeout = std::max(config.timeout, packets * exchange);
    }
    NS_LOG_INFO("Connects " << site.port->GetNPeers() << " peers: packets of " << config.packetBytes
                            << " bytes, a window of " << config.window << ", a timeout of "
                            << config.timeout << " ticks");
    m_group = ParastationHelper(m_kind).Install(site.clock, site.port, config, true);
    return m_group;
}

std::vector<messaging::Protocol::NamedCount>
ParastationProtocol::GetCounts() const
{
    return messaging::NameCounts<Event>(N_STEPS, m_group ? N_EVENTS : 0, [this](Event event) {
        return m_group->GetEventCount(event);
    });
}

std::vector<messaging::Protocol::NamedCount>
ParastationProtocol::GetLosses() const
{
    uint64_t rejected = 0;
    if (m_group)
    {
        rejected = m_group->GetEventCount(Event::SHORT_OF_SLOTS);
    }
    return {{"full receive ring", rejected}};
}

messaging::SearchStart
ParastationProtocol::GetSearchStart(Ptr<const messaging::MessageGroup> group) const
{
    return {.cores = DynamicCast<const ParastationGroup>(group)->CopyCores()};
}

uint32_t
ParastationProtocol::GetLargestWhole(Ptr<messaging::AnyPort>) const
{
    return m_group->GetLargestWhole();
}

std::optional<uint64_t>
ParastationProtocol::GetMemory() const
{
    if (!m_group)
    {
        return 0;
    }
    return m_group->GetMemory();
}

} // namespace parastation
} // namespace ns3
