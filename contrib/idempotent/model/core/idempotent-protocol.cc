/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-protocol.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-log-component.h"
#include "ns3/messaging-named-counts.h"

#include <algorithm>

namespace ns3
{
namespace idempotent
{

[[maybe_unused]] static const LogComponent& g_log =
    messaging::GetLogComponent("IdempotentProtocol", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(IdempotentProtocol);

namespace
{

/** Most nodes whose full send tables a packet may have to wait for, before that is measured. */
constexpr uint32_t BUSY_PEERS = 8;

/** The group on any network, with messages of any size. */
using SegmentingGroup =
    IdempotentPortGroup<messaging::AnyPort, messaging::SegmentingCore<IdempotentCore>>;

} // namespace

TypeId
IdempotentProtocol::GetTypeId()
{
    static TypeId tid = [] {
        using messaging::Range;
        using Settings = IdempotentSettings;
        using Config = IdempotentConfig;
        TypeId type =
            messaging::SetSummary(TypeId("ns3::idempotent::IdempotentProtocol")
                                      .SetParent<messaging::Protocol>()
                                      .SetGroupName("Idempotent")
                                      .AddConstructor<IdempotentProtocol>(),
                                  "Idempotent messaging: MSG, ACK and CONF with tables of a few "
                                  "entries per node (paper 1).");
        messaging::Attributes<IdempotentProtocol> attributes(type);
        attributes.AddAttribute(
            "Adaptive",
            "Add the measured queueing of packets to the wait before a repetition, on all networks "
            "but lossy routers, in which packets never queue [bool; default].",
            &IdempotentProtocol::m_adaptive,
            true);
        auto settings = attributes.In(&IdempotentProtocol::m_settings);
        settings.In(&Settings::backoff)
            .AddAttribute("Backoff",
                          "Strategy of retransmission [name; section 4.3].",
                          &Backoff::kind,
                          {{BackoffKind::QUADRATIC, "quadratic"},
                           {BackoffKind::CONSTANT, "constant"},
                           {BackoffKind::LINEAR, "linear"},
                           {BackoffKind::EXPONENTIAL, "exponential"},
                           {BackoffKind::TABLE, "table"},
                           {BackoffKind::CONGESTION, "congestion"},
                           {BackoffKind::DESTINATION, "destination"},
                           {BackoffKind::NETWORK, "network"}})
            .AddAttribute("C",
                          "The constant C of the backoff [cycles, or times of the longest frame "
                          "where the network has no cycle; section 4.3].",
                          &Backoff::c,
                          Range(0.0, 1e9))
            .AddAttribute("BackoffTable",
                          "Backoffs of strategy table after 0, 1, 2, ... attempts, separated by "
                          "blanks; the last value applies to all further attempts [cycles; "
                          "section 6].",
                          &Backoff::table);
        settings.In(&Settings::config)
            .AddAttribute("SendTable",
                          "Entries of each node's send table; a full one stalls the processor "
                          "[entries; section 4.5].",
                          &Config::sendTable,
                          Range(1, 16384))
            .AddAttribute("ReceiveTable",
                          "Entries of each node's receive table; a full one drops new messages; "
                          "0 for twice the send table [entries; section 4.4].",
                          &Config::receiveTable,
                          0,
                          0,
                          32768)
            .AddAttribute("IdBits",
                          "Bits of a message ID; exhausted IDs cause a drain of the network "
                          "[bits; section 2.2].",
                          &Config::idBits,
                          Range(1, int{MESSAGE_ID_BITS}))
            .AddAttribute("Variant",
                          "The published protocol, or one of the shortcuts that the paper proves "
                          "wrong: short-ids (Figure 3), secondary-ids (Figure 4) and "
                          "no-retention (Figure 5) [name; sections 2.1 to 2.3].",
                          &Config::variant,
                          {{Variant::SOUND, "sound"},
                           {Variant::SHORT_IDS, "short-ids"},
                           {Variant::SECONDARY_IDS, "secondary-ids"},
                           {Variant::NO_RETENTION, "no-retention"}})
            .AddAttribute("AnswersFirst",
                          "ACK and CONF precede MSG that wait for the port [bool; default].",
                          &Config::answersFirst)
            .AddAttribute("PiggybackReply",
                          "Send replies in the ACK of their request [bool; section 6].",
                          &Config::piggybackReply)
            .AddAttribute("Dither",
                          "Random fraction of a backoff b, which then is between (1 - Dither) b "
                          "and (1 + Dither) b; prevents phase locks [fraction; default].",
                          &Config::dither,
                          Range(0, 1));
        settings
            .AddAttribute("Retention",
                          "Retention of a record after its CONF: a number, or auto for the "
                          "largest slip of the network, which is 0 if it keeps order [cycles; "
                          "section 2.3].",
                          &Settings::retention)
            .AddAttribute("DrainTime",
                          "Time for which all tables have to be empty before IDs are reused, plus "
                          "Retention; longer than the lifetime of any packet on a network that "
                          "keeps order [cycles; default].",
                          &Settings::drainTime,
                          Range(messaging::Ticks{1}, messaging::NEVER >> 1));
        return type;
    }();
    return tid;
}

std::string
IdempotentProtocol::Check(const messaging::PortInfo& info, uint32_t peers) const
{
    return m_settings.Check(info, peers);
}

messaging::Promise
IdempotentProtocol::GetPromise(const messaging::PortInfo&) const
{
    // An estimate of the queueing has no bound.
    return {.complete = true,
            .once = true,
            .ordered = false,
            .intact = true,
            .repeatsWhenCalm = true};
}

Ptr<messaging::MessageGroup>
IdempotentProtocol::DoConnect(const messaging::Site& site)
{
    IdempotentSettings settings = m_settings;
    const messaging::PortInfo info = site.port->GetInfo();
    // Routers with cycles that lose packets have no queues.
    if (m_adaptive && (info.lossless || info.cycle == 0))
    {
        const messaging::Frame longest{.payload = info.mtu};
        const messaging::Frame answer{.header = ACK_BYTES};
        settings.config.queueing = std::max<messaging::Ticks>(site.port->WireTicks(longest), 1);
        const messaging::Ticks packets =
            std::min(site.port->GetNPeers(), BUSY_PEERS) * settings.config.sendTable;
        settings.config.firstQueueing = packets * site.port->GetRoundTrip(longest, answer);
    }
    NS_LOG_INFO("Connects " << site.port->GetNPeers() << " peers: send tables of "
                            << settings.config.sendTable << ", receive tables of "
                            << settings.config.receiveTable << " messages");
    const auto group = CreateObject<SegmentingGroup>();
    group->Connect(site.clock, site.port, settings);
    m_group = group;
    return m_group;
}

std::vector<messaging::Protocol::NamedCount>
IdempotentProtocol::GetCounts() const
{
    return messaging::NameCounts<Event>(0, m_group ? EVENTS : 0, [this](Event event) {
        return m_group->GetEventCount(event);
    });
}

std::vector<messaging::Protocol::NamedCount>
IdempotentProtocol::GetLosses() const
{
    uint64_t rejected = 0;
    if (m_group)
    {
        rejected = m_group->GetEventCount(Event::MSG_TABLE_FULL);
    }
    return {{"full receive table", rejected}};
}

std::optional<uint64_t>
IdempotentProtocol::GetMemory() const
{
    uint64_t largest = 0;
    for (messaging::Peer peer = 0; m_group && peer < m_group->GetNPeers(); ++peer)
    {
        largest = std::max<uint64_t>(largest, m_group->GetMemory(peer));
    }
    return largest;
}

uint32_t
IdempotentProtocol::GetLargestWhole(Ptr<messaging::AnyPort>) const
{
    const Ptr<const SegmentingGroup> group = DynamicCast<const SegmentingGroup>(m_group);
    return group->GetCore(0).GetCore().GetLargestMessage();
}

messaging::SearchStart
IdempotentProtocol::GetSearchStart(Ptr<const messaging::MessageGroup> group) const
{
    return {.cores = messaging::MakeCores(*DynamicCast<const SegmentingGroup>(group))};
}

} // namespace idempotent
} // namespace ns3
