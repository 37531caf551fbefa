/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-protocol.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-named-counts.h"

#include <algorithm>
#include <array>

namespace ns3
{
namespace ranks
{

NS_LOG_COMPONENT_DEFINE("MpiRanksProtocol");
NS_OBJECT_ENSURE_REGISTERED(MpiProtocol);

using infiniband::Transport;
using messaging::PortInfo;

namespace
{

/** Largest datagram, header included (C-04) [bytes]. */
constexpr uint32_t DATAGRAM = 2048;

/** Frames of a rank between the protocol and the link, at most: the send queue of an adapter and
 * that of a host. */
constexpr uint32_t FRAMES_AHEAD = 48;

/** Sequence number of all frames that are too old to matter, in a search. */
constexpr uint16_t OLD_FRAME = 0xffff;

} // namespace

TypeId
MpiProtocol::GetTypeId()
{
    static TypeId tid = AddRankAttributes(
        messaging::Attributes<MpiProtocol>(
            messaging::SetSummary(TypeId("ns3::ranks::MpiProtocol"),
                                  "MPI's point-to-point protocol in one of paper 4's six designs.")
                .SetParent<Protocol>()
                .SetGroupName("MpiRanks")
                .AddConstructor<MpiProtocol>())
            .AddAttribute("Design",
                          "Transport, and reliability in software or not [name; section 8].",
                          &MpiProtocol::m_design,
                          Design::UD_RELIABLE,
                          {{Design::RC_NATIVE, "rc-native"},
                           {Design::RC_RELIABLE, "rc-reliable"},
                           {Design::UC_NATIVE, "uc-native"},
                           {Design::UC_RELIABLE, "uc-reliable"},
                           {Design::UD_NATIVE, "ud-native"},
                           {Design::UD_RELIABLE, "ud-reliable"}})
            .AddAttribute("Timeout",
                          "Retransmission timeout of an unacknowledged segment (t_timeout); 0 "
                          "for twice the round trip of a full window [ticks; section 6.2].",
                          &MpiProtocol::m_timeout,
                          0),
        &MpiProtocol::m_config);
    return tid;
}

Transport
MpiProtocol::GetService() const
{
    constexpr std::array TRANSPORTS{Transport::RC, Transport::UC, Transport::UD};
    return TRANSPORTS[static_cast<std::size_t>(m_design) / 2];
}

std::string
MpiProtocol::GetTransport() const
{
    constexpr std::array NAMES{"RC", "UC", "UD"};
    return NAMES[static_cast<std::size_t>(m_design) / 2];
}

bool
MpiProtocol::IsReliable() const
{
    return static_cast<std::size_t>(m_design) % 2 == 1;
}

RankConfig
MpiProtocol::MakeConfig(const PortInfo& info) const
{
    PortInfo traits = info;
    if (GetService() == Transport::UD)
    {
        traits.rdma = false;
        traits.mtu = std::min(info.mtu, DATAGRAM);
    }
    RankConfig config = m_config;
    config.Choose(GetService(), IsReliable(), traits);
    if (m_timeout != 0)
    {
        config.timeout = m_timeout;
    }
    return config;
}

std::string
MpiProtocol::Check(const PortInfo& info, uint32_t /* peers */) const
{
    if (GetService() != Transport::UD && !info.rdma)
    {
        return "Design on RC or UC writes large messages by RDMA, which this network does not "
               "have; Design ud-native or ud-reliable sends them as datagrams, and "
               "network=infiniband "
               "has all transports.";
    }
    if (m_design == Design::RC_NATIVE && !info.ordered)
    {
        return "Design rc-native relies on order by the transport, but this network reorders "
               "frames; Design rc-reliable has reliability in software.";
    }
    return MakeConfig(info).Check();
}

messaging::Promise
MpiProtocol::GetPromise(const PortInfo& info) const
{
    // Without reliability the sender does not notice a loss. The receiver then delivers a large
    // message in spite of a missing write or segment, or the sender waits for a lost answer. With
    // it, the sender gives up after a number of retries. RC's adapters give up, too, and report it.
    const bool isReported = IsReliable() || (GetService() == Transport::RC && info.reports);
    const bool sound = isReported || info.lossless;
    // Where packets may be lost, their wait has no bound: that of a busy host, for instance.
    const bool repeats = IsReliable() && !info.lossless;
    return {.complete = info.lossless,
            .once = true,
            .ordered = false,
            .intact = sound,
            .confirms = IsReliable(),
            .ended = sound,
            .reported = isReported,
            .repeatsWhenCalm = repeats};
}

void
MpiProtocol::SetTimeout(const messaging::AnyPort& port, RankConfig& config) const
{
    // A shorter time would repeat segments that only wait behind those of all windows.
    const uint32_t longest = config.eagerLimit + EAGER_HEADER;
    uint32_t bytes = longest;
    if (config.traits.mtu != 0)
    {
        bytes = std::min(longest, config.traits.mtu);
    }
    const messaging::Frame segment{.payload = bytes - EAGER_HEADER, .header = EAGER_HEADER};
    const messaging::Frame ack{.header = SEGMENT_HEADER};
    const Ticks trip = port.GetRoundTrip(segment, ack);
    if (!m_adapters)
    {
        config.timeout =
            2 * (trip + port.GetNPeers() * config.GetLimit() * port.WireTicks(segment));
        return;
    }
    // All other ranks may send to one: their windows and writes pass its link, and its processor
    // copies the windows.
    const uint32_t senders = std::max(port.GetNPeers(), 2U) - 1;
    const Ticks copies = trip - port.GetRoundTrip(ack, ack);
    const Ticks segmentTime = std::max(port.WireTicks(segment), copies);
    config.timeout = 2 * (trip + senders * config.GetLimit() * segmentTime);
    config.patience = senders * FRAMES_AHEAD / port.GetInfo().rate;
}

Ptr<messaging::MessageGroup>
MpiProtocol::DoConnect(const messaging::Site& site)
{
    NS_LOG_FUNCTION(this);
    NS_LOG_INFO(site.port->GetNPeers()
                << " ranks over " << GetService() << (IsReliable() ? ", with" : ", without")
                << " reliability in software"
                << (m_adapters ? ", by the adapters of the network" : ""));
    RankConfig config = MakeConfig(site.port->GetInfo());
    const messaging::TransportReceives receives{
        .bytes = std::min(std::max(config.eagerLimit + EAGER_HEADER, uint32_t{RTS_HEADER}),
                          site.port->GetInfo().mtu),
        .count = config.GetReceives()};
    if (m_timeout == 0)
    {
        SetTimeout(*site.port, config);
    }
    config.reportsSends = m_adapters != nullptr;
    m_group = CreateObject<RankCoreGroup<messaging::AnyPort>>();
    const std::string wrong = m_group->Connect(site.clock, site.port, config);
    NS_ABORT_MSG_UNLESS(wrong.empty(), wrong);
    if (m_adapters)
    {
        m_adapters->SetTransportUser(PeekPointer(m_group), receives);
    }
    return m_group;
}

std::vector<messaging::Protocol::NamedCount>
MpiProtocol::GetCounts() const
{
    return messaging::NameCounts<Event>(0, m_group ? N_EVENTS : 0, [this](Event event) {
        return m_group->GetEventCount(event);
    });
}

messaging::SearchStart
MpiProtocol::GetSearchStart(Ptr<const messaging::MessageGroup> group) const
{
    using Group = RankCoreGroup<messaging::AnyPort>;
    auto cores = messaging::MakeCores(*DynamicCast<const Group>(group));
    cores->renumbering = CountFromExpected;
    return {.cores = cores};
}

void
MpiProtocol::CountFromExpected(std::vector<RankCore>& cores,
                               std::vector<messaging::FlyingFrame>& frames)
{
    const auto n = static_cast<Peer>(cores.size());
    std::vector<std::vector<uint16_t>> base(n, std::vector<uint16_t>(n));
    for (Peer from = 0; from < n; ++from)
    {
        for (Peer to = 0; to < n; ++to)
        {
            base[from][to] = cores[to].GetExpected(from);
        }
    }
    for (Peer rank = 0; rank < n; ++rank)
    {
        for (Peer peer = 0; peer < n; ++peer)
        {
            cores[rank].Renumber(peer, base[rank][peer], base[peer][rank]);
        }
    }
    for (auto& [from, to, frame] : frames)
    {
        const auto kind = static_cast<FrameKind>(frame.kind);
        if (kind == FrameKind::RDMA_DATA)
        {
            continue;
        }
        // All numbers too old to matter map to one value.
        uint16_t ack = GetAck(frame) - base[to][from];
        const uint16_t known = cores[to].GetAcknowledged(from);
        if (GetLead(ack, known) < 0)
        {
            ack = known;
        }
        uint16_t sequence = 0;
        if (IsSequenced(kind))
        {
            sequence = GetSequence(frame) - base[from][to];
            if (GetLead(sequence, 0) < 0)
            {
                sequence = OLD_FRAME;
            }
        }
        frame.id = MakeFrameId(sequence, ack);
    }
}

std::optional<uint64_t>
MpiProtocol::GetMemory() const
{
    uint64_t memory = 0;
    for (Peer rank = 0; m_group && rank < m_group->GetNPeers(); ++rank)
    {
        memory = std::max(memory, m_group->GetRank(rank).GetMemory());
    }
    return memory;
}

} // namespace ranks
} // namespace ns3
