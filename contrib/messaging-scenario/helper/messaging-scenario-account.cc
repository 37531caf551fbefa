/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-scenario-account.h"

#include "ns3/messaging-contents-tag.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/messaging-scenario-packet-key.h"
#include "ns3/messaging-text.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>

namespace ns3
{
namespace messaging
{

namespace
{

/** Callback of the trace sources of frames. */
using FrameCallback = Callback<void, Peer, Peer, const Frame&>;

/** Microseconds in a second. */
constexpr double MICRO = 1e6;

/** Bytes of a message in a packet. */
struct MessageBytes
{
    uint64_t contents{0}; ///< Contents of the message.
    uint32_t begin{0};    ///< Offset of the first byte.
    uint32_t end{0};      ///< Offset after the last one.
};

/**
 * Visit the parts of messages in a packet.
 * @param packet the packet
 * @param visit called with contents and size of each part
 */
template <class Visit>
void
ForParts(Ptr<const Packet> packet, Visit visit)
{
    // A message's bytes in a packet are contiguous, but may have several tags.
    std::vector<MessageBytes> found;
    for (auto tags = packet->GetByteTagIterator(); tags.HasNext();)
    {
        const auto item = tags.Next();
        if (item.GetTypeId() != ContentsTag::GetTypeId())
        {
            continue;
        }
        ContentsTag tag;
        item.GetTag(tag);
        const MessageBytes whole{tag.GetContents(), item.GetStart(), item.GetEnd()};
        auto known = std::ranges::find(found, whole.contents, &MessageBytes::contents);
        if (known == found.end())
        {
            known = found.insert(known, whole);
        }
        known->begin = std::min(known->begin, whole.begin);
        known->end = std::max(known->end, whole.end);
    }
    for (const auto& bytes : found)
    {
        visit(bytes.contents, bytes.end - bytes.begin);
    }
}

/**
 * Get a percentile.
 * @param values values, at least one; they are reordered
 * @param percent the percentage
 * @return the value of this rank
 */
double
GetPercentile(std::vector<double>& values, std::size_t percent)
{
    const auto rank =
        values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * percent / 100);
    std::ranges::nth_element(values, rank);
    return *rank;
}

} // namespace

void
RunAccount::ShortestTimes::Add(uint32_t size, int64_t time)
{
    const auto place = m_times.lower_bound(size);
    if (place != m_times.end() && place->second <= time)
    {
        return; // A packet as large, or larger, was as fast.
    }
    auto smaller = m_times.insert_or_assign(size, time).first;
    while (smaller != m_times.begin() && std::prev(smaller)->second >= time)
    {
        m_times.erase(std::prev(smaller));
    }
}

int64_t
RunAccount::ShortestTimes::Get(uint32_t size) const
{
    const auto place = m_times.lower_bound(size);
    return place == m_times.end() ? 0 : place->second;
}

RunAccount::RunAccount()
    : m_timeline(CreateObject<MessageTimeline>())
{
}

RunAccount::~RunAccount()
{
    m_timeline->Dispose();
}

RunAccount::Carried
RunAccount::GetSent(const AnyPort& port, Time tick, Peer to, const Frame& frame)
{
    Carried carried{.contents = frame.contents, .copies = to == NO_PEER ? port.GetNPeers() - 1 : 1};
    carried.wire = static_cast<int64_t>(port.WireTicks(frame)) * tick.GetTimeStep();
    if (carried.contents != 0) // Otherwise it carries no part of a message.
    {
        carried.key = GetFrameKey(frame);
        carried.bytes = frame.payload;
    }
    return carried;
}

RunAccount::Carried
RunAccount::GetArrived(const AnyPort& port, Time tick, Peer self, Peer from, const Frame& frame)
{
    const auto ticks = static_cast<int64_t>(port.Distance(from, self) + port.WireTicks(frame));
    return Carried{.contents = frame.contents,
                   .key = GetFrameKey(frame),
                   .idle = ticks * tick.GetTimeStep(),
                   .bytes = frame.payload};
}

/**
 * A port in front of another that reports its frames to a timeline. It takes the place of a
 * TracedPort, whose callbacks cost more than the account of a frame.
 */
class RunAccount::WirePort final : public ForwardingPort<AnyPort>
{
  public:
    /** @param port the other port @param tick length of its ticks @param account the account */
    WirePort(Ptr<AnyPort> port, Time tick, RunAccount* account)
        : ForwardingPort<AnyPort>(port),
          m_tick(tick),
          m_account(account),
          m_timeline(account->m_timeline)
    {
    }

    bool Send(Peer self, Peer to, const Frame& frame) override
    {
        const bool sent = m_port->Send(self, to, frame);
        if (sent)
        {
            const Carried carried = GetSent(*m_port, m_tick, to, frame);
            if (carried.contents != 0)
            {
                m_account->m_repeated += m_timeline->OnSend(Place::WIRE, self, carried);
            }
            // A frame does not wait for its own time on the channel.
            m_timeline->Depart(self, carried.wire, carried.copies);
        }
        return sent;
    }

  private:
    void OnFrame(Peer self, Peer from, const Frame& frame) override
    {
        m_timeline->AddInFlight(-1);
        if (frame.contents != 0)
        {
            m_timeline->OnArrive(Place::WIRE, self, GetArrived(*m_port, m_tick, self, from, frame));
        }
        ForwardingPort<AnyPort>::OnFrame(self, from, frame);
    }

    Time m_tick;                     ///< Length of a tick.
    RunAccount* m_account;           ///< The account, which exists as long as frames are sent.
    Ptr<MessageTimeline> m_timeline; ///< The timeline.
};

Ptr<AnyPort>
RunAccount::ObserveWire(Ptr<AnyPort> port, Time tick)
{
    return Create<WirePort>(port, tick, this);
}

void
RunAccount::ObserveCore(Ptr<MessageGroup> group, Ptr<const AnyPort> port, Time tick)
{
    m_hasHosts = true;
    const auto timeline = m_timeline;
    group->TraceConnectWithoutContext(
        "Send",
        FrameCallback([=, this](Peer self, Peer to, const Frame& frame) {
            m_repeated += timeline->OnSend(Place::CORE, self, GetSent(*port, tick, to, frame));
        }));
    group->TraceConnectWithoutContext(
        "Arrive",
        FrameCallback([=](Peer self, Peer from, const Frame& frame) {
            timeline->OnArrive(Place::CORE, self, GetArrived(*port, tick, self, from, frame));
        }));
}

void
RunAccount::ObserveFaults(Ptr<FaultPlan> faults)
{
    const auto timeline = m_timeline;
    faults->TraceConnectWithoutContext(
        "Fault",
        Callback<void, Peer, Peer, const Frame&, const std::string&, bool>(
            [=](Peer, Peer, const Frame& frame, const std::string& effect, bool lost) {
                if (lost)
                {
                    timeline->AddInFlight(-1);
                    timeline->OnLoss(
                        Carried{.contents = frame.contents, .key = GetFrameKey(frame)});
                }
                else if (effect == "repeated")
                {
                    timeline->AddInFlight(1);
                }
            }));
}

void
RunAccount::ObserveNetwork(Ptr<Network> network)
{
    const auto timeline = m_timeline;
    network->TraceConnectWithoutContext(
        "Loss",
        Callback<void, const std::string&, uint64_t>(
            [=](const std::string&, uint64_t copies) { timeline->OnNetworkLoss(copies); }));
}

int64_t
RunAccount::GetWireTime(uint32_t bytes) const
{
    return m_rate > 0 ? Seconds(bytes / m_rate).GetTimeStep() : 0;
}

void
RunAccount::OnPacketSent(Place place, Peer self, Ptr<const Packet> packet, uint32_t copies)
{
    bool isRepeated = false;
    ForParts(packet, [&](uint64_t contents, uint32_t bytes) {
        isRepeated |= m_timeline->OnSend(place,
                                         self,
                                         Carried{.contents = contents,
                                                 .key = GetPacketKey(packet),
                                                 .wire = GetWireTime(packet->GetSize()),
                                                 .copies = copies,
                                                 .bytes = bytes});
    });
    m_repeated += isRepeated;
    if (place == Place::WIRE)
    {
        m_timeline->Depart(self, GetWireTime(packet->GetSize()), copies);
        m_departures[GetPacketKey(packet)] = Simulator::Now();
    }
}

void
RunAccount::OnPacketArrived(Place place, Peer self, Ptr<const Packet> packet)
{
    const uint64_t key = GetPacketKey(packet);
    if (place == Place::WIRE)
    {
        m_timeline->AddInFlight(-1);
        if (const auto flight = m_departures.find(key); flight != m_departures.end())
        {
            m_shortest.Add(packet->GetSize(), (Simulator::Now() - flight->second).GetTimeStep());
            m_departures.erase(flight);
        }
    }
    const int64_t idle = m_shortest.Get(packet->GetSize());
    ForParts(packet, [&](uint64_t contents, uint32_t) {
        m_timeline->OnArrive(place, self, Carried{.contents = contents, .key = key, .idle = idle});
    });
}

void
RunAccount::OnPacketLost(Ptr<const Packet> packet)
{
    m_timeline->AddInFlight(-1);
    const uint64_t key = GetPacketKey(packet);
    ForParts(packet, [&](uint64_t contents, uint32_t) {
        m_timeline->OnLoss(Carried{.contents = contents, .key = key});
    });
}

void
RunAccount::ObserveDevices(const std::vector<Ptr<FaultyNetDevice>>& devices,
                           const NetDeviceContainer& upper,
                           double rate)
{
    m_rate = rate;
    m_observesPackets = true;
    using PacketCallback = Callback<void, Ptr<const Packet>>;
    m_hasHosts = upper.GetN() > 0;
    for (Peer peer = 0; peer < devices.size(); ++peer)
    {
        const auto& device = devices[peer];
        device->TraceConnectWithoutContext(
            "Send",
            Callback<void, Ptr<const Packet>, uint32_t>(
                [this, peer](Ptr<const Packet> packet, uint32_t copies) {
                    OnPacketSent(Place::WIRE, peer, packet, copies);
                }));
        device->TraceConnectWithoutContext("Arrive",
                                           PacketCallback([this, peer](Ptr<const Packet> packet) {
                                               OnPacketArrived(Place::WIRE, peer, packet);
                                           }));
        device->TraceConnectWithoutContext("Lose", PacketCallback([this](Ptr<const Packet> packet) {
                                               OnPacketLost(packet);
                                           }));
        device->TraceConnectWithoutContext("Repeat", PacketCallback([this](Ptr<const Packet>) {
                                               m_timeline->AddInFlight(1);
                                           }));
    }
    for (Peer peer = 0; peer < upper.GetN(); ++peer)
    {
        const auto device = upper.Get(peer);
        device->TraceConnectWithoutContext("MacTx",
                                           PacketCallback([this, peer](Ptr<const Packet> packet) {
                                               OnPacketSent(Place::CORE, peer, packet, 1);
                                           }));
        device->TraceConnectWithoutContext("MacRx",
                                           PacketCallback([this, peer](Ptr<const Packet> packet) {
                                               OnPacketArrived(Place::CORE, peer, packet);
                                           }));
    }
}

void
RunAccount::ObserveMessages(Ptr<MessageGroup> group,
                            Ptr<DeliveryAudit> audit,
                            Ptr<BenchmarkSession> session,
                            const std::vector<Ptr<HostModel>>& hosts)
{
    const auto timeline = m_timeline;
    timeline->Begin(group->GetNPeers(),
                    group->ConfirmsDelivery(),
                    m_hasHosts ? hosts : std::vector<Ptr<HostModel>>());
    session->TraceConnectWithoutContext("Post", MakeCallback(&MessageTimeline::OnQueue, timeline));
    if (m_observesPackets && group->ConfirmsDelivery())
    {
        timeline->SetStreams(FrameHeader::SIZE);
    }
    timeline->SetLostCallback(MakeCallback(&BenchmarkSession::Settle, session));
    audit->TraceConnectWithoutContext("Post", MakeCallback(&MessageTimeline::OnPost, timeline));
    audit->TraceConnectWithoutContext("Decline",
                                      MakeCallback(&MessageTimeline::OnDecline, timeline));
    audit->TraceConnectWithoutContext("Complete",
                                      MakeCallback(&MessageTimeline::OnComplete, timeline));
    audit->TraceConnectWithoutContext("Deliver",
                                      MakeCallback(&MessageTimeline::OnDeliver, timeline));
    session->TraceConnectWithoutContext("Count", MakeCallback(&MessageTimeline::Keep, timeline));
}

double
RunAccount::GetMean(LatencyPart part) const
{
    const auto& all = m_timeline->GetParts();
    double sum = 0;
    for (const auto& parts : all)
    {
        sum += TimeStep(parts[part]).GetSeconds() * MICRO;
    }
    if (all.empty())
    {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return sum / static_cast<double>(all.size());
}

Ptr<Table>
RunAccount::MakeTable() const
{
    const auto& all = m_timeline->GetParts();
    std::vector<std::string> names;
    std::vector<double> means;
    std::vector<double> medians;
    std::vector<double> tails;
    std::vector<double> worsts;
    const auto add = [&](const std::string& name, auto get) {
        std::vector<double> values;
        values.reserve(all.size());
        double sum = 0;
        for (const auto& parts : all)
        {
            values.push_back(TimeStep(get(parts)).GetSeconds() * MICRO);
            sum += values.back();
        }
        names.push_back(name);
        means.push_back(sum / static_cast<double>(values.size()));
        medians.push_back(GetPercentile(values, 50));
        tails.push_back(GetPercentile(values, 99));
        worsts.push_back(*std::ranges::max_element(values));
    };
    if (!all.empty())
    {
        for (std::size_t i = 0; i < N_LATENCY_PARTS; ++i)
        {
            const auto part = static_cast<LatencyPart>(i);
            add(ToText(part), [part](const LatencyParts& parts) { return parts[part]; });
        }
        add("whole", [](const LatencyParts& parts) { return parts.GetSum(); });
    }
    const auto table = CreateObject<Table>();
    table->AddColumn("Part", "", names);
    table->AddColumn("Mean", "us", means);
    table->AddColumn("Median", "us", medians);
    table->AddColumn("Percentile99", "us", tails);
    table->AddColumn("Worst", "us", worsts);
    return table;
}

} // namespace messaging
} // namespace ns3
