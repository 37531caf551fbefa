/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-session.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <string>
#include <utility>

namespace ns3
{
namespace eqa
{

NS_LOG_COMPONENT_DEFINE("EqaSession");

using messaging::Acceptance;
using messaging::Completion;
using messaging::Delivery;
using messaging::NO_PEER;
using messaging::Peer;
using messaging::RequestId;

namespace
{

/** Idle time before each operation. */
const Time GAP = MicroSeconds(200);

/** Values at either end of the order that a mean of the middle 80 % leaves out: a tenth each. */
constexpr std::size_t OUTER_SHARE = 10;

/**
 * Get the bit above which a node has no child: its lowest set bit, or for the root a power of two
 * that exceeds all nodes.
 * @param self the node
 * @param peers number of nodes
 * @return the bit
 */
uint32_t
GetOwnBit(Peer self, uint32_t peers)
{
    if (self == ROOT)
    {
        return std::bit_ceil(peers);
    }
    return uint32_t{1} << std::countr_zero(self);
}

} // namespace

Peer
GetParent(Peer self)
{
    if (self == ROOT)
    {
        return NO_PEER;
    }
    // Without its lowest set bit.
    return self & (self - 1);
}

std::vector<Peer>
GetChildren(Peer self, uint32_t peers)
{
    std::vector<Peer> children;
    for (uint32_t bit = GetOwnBit(self, peers) >> 1; bit > 0; bit >>= 1)
    {
        if (self + bit < peers)
        {
            children.push_back(self + bit);
        }
    }
    return children;
}

uint32_t
GetSubtree(Peer self, uint32_t peers)
{
    return std::min(GetOwnBit(self, peers), peers - self);
}

double
GetMiddleMean(std::vector<double> values)
{
    if (values.empty())
    {
        return 0;
    }
    std::sort(values.begin(), values.end());
    const std::size_t cut = values.size() / OUTER_SHARE;
    const std::span<const double> middle(values.begin() + static_cast<std::ptrdiff_t>(cut),
                                         values.size() - 2 * cut);
    const double sum = std::accumulate(middle.begin(), middle.end(), 0.0);
    return sum / static_cast<double>(middle.size());
}

CollectiveSession::CollectiveSession(Ptr<messaging::MessageGroup> group,
                                     Ptr<EqaGroup> eqa,
                                     const SessionOptions& options)
    : m_group(group),
      m_eqa(eqa),
      m_options(options),
      m_random(CreateObject<ExponentialRandomVariable>()),
      m_processes(group->GetNPeers()),
      m_peers(group->GetNPeers()),
      m_members(m_peers)
{
    m_group->SetUser(this);
    if (m_options.members > 0)
    {
        m_members = m_options.members;
    }
    for (Process& process : m_processes)
    {
        process.callers.resize(1);
    }
    m_processes[ROOT].callers.resize(m_options.senders);
    if (m_members > 1 && m_options.hardware)
    {
        m_lastChild = m_members - 1;
    }
    else if (m_members > 1)
    {
        m_lastChild = GetChildren(ROOT, m_peers).back();
    }
}

CollectiveSession::~CollectiveSession()
{
    m_group->SetUser(nullptr);
}

int64_t
CollectiveSession::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

void
CollectiveSession::NotifyIfEnded()
{
    if (IsFinished() && m_missing == 0 && m_ended)
    {
        m_ended();
    }
}

void
CollectiveSession::Start()
{
    if (!IsFinished())
    {
        Simulator::ScheduleNow(&CollectiveSession::Prepare, this);
    }
}

uint32_t
CollectiveSession::GetBytes(uint32_t nodes) const
{
    switch (m_options.operation)
    {
    case Operation::BARRIER:
        return 0;
    case Operation::ALLGATHER:
        return nodes * m_options.bytes;
    default:
        return m_options.bytes;
    }
}

void
CollectiveSession::Prepare()
{
    NS_LOG_INFO("Repetition " << m_round << " begins in " << GAP.As(Time::US));
    m_times.emplace_back();
    m_starts.push_back(Simulator::Now() + GAP);
    uint32_t downs = m_peers - 1;
    if (m_options.hardware)
    {
        // One broadcast.
        downs = 1;
    }
    m_unacknowledged.push_back(m_options.burst * m_options.senders * downs);
    m_running = true;
    m_leaves = 0;
    m_sum = 0;
    for (Peer peer = 0; peer < m_members; ++peer)
    {
        Process& process = m_processes[peer];
        process.got = 0;
        process.gathered = 0;
        if (m_eqa && m_options.operation != Operation::BROADCAST)
        {
            for (const Peer child : GetChildren(peer, m_peers))
            {
                m_eqa->PostReceive(peer, child, false);
            }
        }
        if (peer == ROOT)
        {
            continue;
        }
        process.late = !m_options.late.IsZero();
        if (process.late)
        {
            m_random->SetAttribute("Mean", DoubleValue(m_options.late.GetSeconds()));
            Simulator::Schedule(GAP + Seconds(m_random->GetValue()),
                                &CollectiveSession::Receive,
                                this,
                                peer);
        }
        else
        {
            Receive(peer);
        }
    }
    if (m_eqa && m_lastChild != NO_PEER)
    {
        m_eqa->PostReceive(ROOT, m_lastChild, false);
    }
    Simulator::Schedule(GAP, &CollectiveSession::Enter, this);
}

void
CollectiveSession::Receive(Peer peer)
{
    Process& process = m_processes[peer];
    process.late = false;
    for (uint32_t i = 0; m_eqa && i < m_options.burst * m_options.senders; ++i)
    {
        Peer from = ROOT;
        if (!m_options.hardware)
        {
            from = GetParent(peer);
        }
        // A tag of each sender, which selects its DP if it has one of its own.
        m_eqa->PostReceive(peer, from, m_options.hardware, i % m_options.senders);
    }
    for (const auto& delivery : std::exchange(process.unread, {}))
    {
        Act(peer, delivery);
    }
}

void
CollectiveSession::Enter()
{
    if (m_options.operation == Operation::BROADCAST || m_members == 1)
    {
        PassUp(ROOT);
        if (m_members == 1 && !m_options.hardware)
        {
            m_times.back().rootReturn = GetElapsed();
        }
        EndIfDone();
        return;
    }
    for (Peer peer = 0; peer < m_peers; ++peer)
    {
        if (GetChildren(peer, m_peers).empty())
        {
            PassUp(peer);
        }
    }
}

void
CollectiveSession::PassUp(Peer peer)
{
    if (peer == ROOT)
    {
        for (uint32_t i = 0; i < m_options.burst * m_options.senders; ++i)
        {
            PassDown(peer, i % m_options.senders);
        }
        return;
    }
    const uint32_t bytes = GetBytes(GetSubtree(peer, m_peers));
    Send(peer, Sending{GetParent(peer), bytes, UP});
}

void
CollectiveSession::PassDown(Peer peer, uint32_t caller)
{
    if (!m_options.hardware)
    {
        for (const Peer child : GetChildren(peer, m_peers))
        {
            Send(peer, Sending{child, GetBytes(m_peers), DOWN});
        }
    }
    else if (peer == ROOT)
    {
        Send(peer, Sending{NO_PEER, GetBytes(m_peers), DOWN}, caller);
    }
}

void
CollectiveSession::Send(Peer peer, const Sending& sending, uint32_t caller)
{
    m_processes[peer].callers[caller].sends.push_back(sending);
    Call(peer, caller);
}

void
CollectiveSession::Call(Peer peer, uint32_t caller)
{
    Caller& process = m_processes[peer].callers[caller];
    if (process.calling || process.sends.empty())
    {
        return;
    }
    process.calling = true;
    const Sending sending = process.sends.front();
    NS_LOG_INFO("Process " << peer << " sends " << sending.bytes << " bytes to "
                           << (sending.to == NO_PEER ? "all" : std::to_string(sending.to)));
    const uint32_t tag = (m_round * PURPOSES + sending.purpose) * m_options.senders + caller;
    // The message may complete before Post returns.
    ++m_missing;
    const Acceptance acceptance =
        m_group->Post(peer, {.id = tag, .to = sending.to, .bytes = sending.bytes, .tag = tag});
    if (acceptance != Acceptance::ACCEPTED)
    {
        --m_missing;
        process.calling = false;
        m_refused = m_refused || acceptance == Acceptance::REFUSED;
    }
}

void
CollectiveSession::OnReturned(Peer peer, uint32_t tag)
{
    const auto callers = static_cast<uint32_t>(m_processes[peer].callers.size());
    const uint32_t caller = tag % callers;
    Caller& process = m_processes[peer].callers[caller];
    process.sends.pop_front();
    process.calling = false;
    if (peer == ROOT && HasSentAll())
    {
        m_times.back().rootReturn = GetElapsed();
        EndIfDone();
    }
    // The call returns within an event of the group; the next call starts after it.
    Simulator::ScheduleNow(&CollectiveSession::Call, this, peer, caller);
}

void
CollectiveSession::OnReady(Peer self)
{
    for (uint32_t caller = 0; caller < m_processes[self].callers.size(); ++caller)
    {
        Call(self, caller);
    }
}

bool
CollectiveSession::HasSentAll() const
{
    const auto& callers = m_processes[ROOT].callers;
    return std::all_of(callers.begin(), callers.end(), [](const Caller& caller) {
        return caller.sends.empty();
    });
}

void
CollectiveSession::OnComplete(Peer, RequestId id, Completion completion)
{
    if (!m_group->IsFinal(completion))
    {
        return;
    }
    --m_missing;
    const std::size_t number = id / m_options.senders;
    const std::size_t round = number / PURPOSES;
    if (number % PURPOSES == DOWN && --m_unacknowledged[round] == 0)
    {
        m_times[round].acknowledged = (Simulator::Now() - m_starts[round]).GetNanoSeconds() / 1e3;
    }
    NotifyIfEnded();
}

void
CollectiveSession::OnDeliver(Peer self, const Delivery& delivery)
{
    if (m_processes[self].late)
    {
        NS_LOG_INFO("Process " << self << " is late; a message waits for it");
        m_processes[self].unread.push_back(delivery);
        return;
    }
    Act(self, delivery);
}

void
CollectiveSession::Act(Peer self, const Delivery& delivery)
{
    NS_LOG_INFO("Process " << self << " gets " << delivery.bytes << " bytes of process "
                           << delivery.from);
    Process& process = m_processes[self];
    switch (delivery.tag / m_options.senders % PURPOSES)
    {
    case DOWN:
        Count(self, delivery);
        break;
    case UP:
        if (++process.gathered == GetChildren(self, m_peers).size())
        {
            PassUp(self);
        }
        break;
    default:
        m_times.back().reply = GetElapsed();
        break;
    }
    EndIfDone();
}

void
CollectiveSession::Count(Peer self, const Delivery& delivery)
{
    Process& process = m_processes[self];
    const uint32_t all = m_options.burst * m_options.senders;
    if (m_options.members > 0)
    {
        // A delivery audit knows no groups.
        const bool current = delivery.tag / m_options.senders / PURPOSES == m_round;
        if (!current || self >= m_members || process.got >= all ||
            delivery.bytes != m_options.bytes)
        {
            m_wrong = true;
            return;
        }
    }
    ++m_received;
    PassDown(self);
    if (++process.got != all)
    {
        return;
    }
    ++m_leaves;
    m_sum += GetElapsed();
    m_times.back().lastLeaf = GetElapsed();
    m_times.back().meanLeaf = m_sum / m_leaves;
    if (self == m_lastChild)
    {
        uint32_t bytes = 0;
        if (m_options.echo)
        {
            bytes = GetBytes(m_peers);
        }
        Send(self, Sending{ROOT, bytes, REPLY});
    }
}

void
CollectiveSession::EndIfDone()
{
    const OperationTimes& times = m_times.back();
    if (!m_running || m_leaves + 1 < m_members || times.rootReturn < 0 ||
        (m_members > 1 && times.reply < 0))
    {
        return;
    }
    NS_LOG_INFO("Repetition " << m_round << " ends: the last leaf had the message after "
                              << times.lastLeaf << " us");
    m_running = false;
    ++m_round;
    if (m_progress)
    {
        m_progress(m_round);
    }
    if (!IsFinished())
    {
        Simulator::ScheduleNow(&CollectiveSession::Prepare, this);
    }
    NotifyIfEnded();
}

double
CollectiveSession::GetElapsed() const
{
    const Time elapsed = Simulator::Now() - m_starts.back();
    const int64_t unit = m_options.resolution.GetNanoSeconds();
    return elapsed.GetNanoSeconds() / unit * unit / 1e3;
}

double
CollectiveSession::GetMean(double OperationTimes::* member) const
{
    std::vector<double> values;
    for (const auto& times : m_times)
    {
        if (times.*member >= 0)
        {
            values.push_back(times.*member);
        }
    }
    return GetMiddleMean(std::move(values));
}

} // namespace eqa
} // namespace ns3
