/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-group.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-text.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace ns3
{
namespace ranks
{

NS_LOG_COMPONENT_DEFINE("MpiRanksGroup");
NS_OBJECT_ENSURE_REGISTERED(RankGroup);

namespace
{

/** Retry interval at a full send queue [ns]. */
constexpr Ticks RETRY = 500;

/** Period of timer interrupts, as in Linux 2.6 by default [ns]. */
constexpr Ticks INTERRUPT_PERIOD = 1'000'000;

/** Offset between the interrupts of consecutive ranks [ns]. */
constexpr Ticks INTERRUPT_OFFSET = 618'034;

/** @return a peer or wildcard, for a log line. @param peer the peer */
std::string
NameSource(Peer peer)
{
    if (peer == ANY_SOURCE)
    {
        return "any rank";
    }
    return messaging::ToText("rank ", peer);
}

/** @return a tag or wildcard, for a log line. @param tag the tag */
std::string
NameTag(uint32_t tag)
{
    if (tag == ANY_TAG)
    {
        return "any tag";
    }
    return messaging::ToText("tag ", tag);
}

/** @return a frame of MPI, for a log line. @param frame the frame */
std::string
NameFrame(const Frame& frame)
{
    std::string name =
        messaging::ToText(static_cast<FrameKind>(frame.kind), ' ', GetSequence(frame));
    if (frame.payload > 0)
    {
        name += messaging::ToText(" of ", frame.payload, " bytes");
    }
    if (frame.flags & RESENT)
    {
        name += ", again,";
    }
    return name;
}

/** @return an event of the protocol, for a log line about its rank. @param event the event */
const char*
DescribeEvent(Event event)
{
    switch (event)
    {
    case Event::FLOW_ACK:
        return "returns credits by an explicit ACK";
    case Event::RELIABILITY_ACK:
        return "acknowledges explicitly";
    case Event::RETRANSMITTED:
        return "sends a segment again";
    case Event::DUPLICATE:
        return "drops a duplicate";
    case Event::HELD:
        return "holds a segment until those before it arrive";
    case Event::OVERRUN:
        return "drops a segment beyond its reorder window";
    case Event::HOLE:
        return "gives up lost segments";
    case Event::BROKEN:
        return "drops a message that lacks a segment";
    case Event::UNWRITTEN:
        return "ends a receive without its data: their write was lost";
    case Event::OUT_OF_CREDITS:
        return "waits for credits or its window";
    case Event::UNEXPECTED:
        return "queues an unexpected message, for which no receive is posted";
    case Event::EARLY_FIN:
        return "has the FIN of a message before its data";
    case Event::DATA_NACK:
        return "sends a NACK for missing data";
    case Event::DATA_RESENT:
        return "writes data again";
    case Event::LATE_WRITE:
        return "rejects data whose receive has ended";
    case Event::LATE_CONTROL:
        return "ignores an obsolete frame of a rendezvous";
    case Event::PEER_LOST:
        return "gives up a rank";
    }
    return "";
}

} // namespace

TypeId
RankGroup::GetTypeId()
{
    constexpr Ticks LONGEST = 3'600'000'000'000;
    static TypeId tid =
        messaging::Attributes<RankGroup>(TypeId("ns3::ranks::RankGroup")
                                             .SetParent<Object>()
                                             .SetGroupName("MpiRanks")
                                             .AddConstructor<RankGroup>())
            .In(&RankGroup::m_costs)
            .AddAttribute("PollTime",
                          "Processor time to take a completion and repost its receive [ns; "
                          "calibrated: MPI latency of 4.1 us and 0.8 to 1.5 M messages/s].",
                          &RankCosts::poll,
                          messaging::Range<Ticks>{0, LONGEST})
            .AddAttribute("ReliabilityTime",
                          "Processor time of each frame that needs an acknowledgement, at each "
                          "end: time stamp, unacknowledged queue, duplicates [ns; default].",
                          &RankCosts::reliability,
                          messaging::Range<Ticks>{0, LONGEST})
            .AddAttribute("TimerInterrupt",
                          "Processor time of a timer interrupt during a computation, 1000 times "
                          "a second; 0 for none [ns; 5000 to 15000 on Linux: Tsafrir 2007].",
                          &RankCosts::interrupt,
                          messaging::Range<Ticks>{0, INTERRUPT_PERIOD})
            .In(&RankGroup::m_memoryConfig)
            .AddAttribute("CopyRate",
                          "Copy rate of one core [MB/s; default].",
                          &MemoryConfig::copyRate,
                          messaging::Range<uint32_t>{1, 1'000'000})
            .AddAttribute("MemoryRate",
                          "Copy rate of all cores of a node together; 0 for no limit [MB/s; "
                          "default, an assumption: STREAM on two Xeon E5345, 5.9 GB/s both ways].",
                          &MemoryConfig::memoryRate)
            .AddAttribute("RanksPerNode",
                          "Ranks of a node, each on its own core [ranks; section 8.1].",
                          &MemoryConfig::ranksPerNode,
                          messaging::Range<uint32_t>{1, 1024})
            .AddTraceSource("ProgramBegin",
                            "The program of a rank begins: the rank, its local time.",
                            MakeTraceSourceAccessor(&RankGroup::m_programBeginTrace),
                            "ns3::ranks::RankGroup::ProgramTracedCallback")
            .AddTraceSource("ProgramEnd",
                            "The program of a rank has ended: the rank, its local time.",
                            MakeTraceSourceAccessor(&RankGroup::m_programEndTrace),
                            "ns3::ranks::RankGroup::ProgramTracedCallback")
            .AddTraceSource("OperationBegin",
                            "A rank begins a send or receive: the rank, the operation.",
                            MakeTraceSourceAccessor(&RankGroup::m_beginTrace),
                            "ns3::ranks::RankGroup::OperationTracedCallback")
            .AddTraceSource("OperationEnd",
                            "A send or receive has ended: its rank, the operation, with the "
                            "message that a receive has found.",
                            MakeTraceSourceAccessor(&RankGroup::m_endTrace),
                            "ns3::ranks::RankGroup::OperationTracedCallback")
            .AddTraceSource("CollectiveBegin",
                            "A rank begins a collective operation: the rank, the kind, the length "
                            "of the data.",
                            MakeTraceSourceAccessor(&RankGroup::m_collectiveBeginTrace),
                            "ns3::ranks::RankGroup::CollectiveBeginTracedCallback")
            .AddTraceSource("CollectiveEnd",
                            "The part of a rank in a collective operation has ended: the rank, "
                            "the kind, its duration at the rank.",
                            MakeTraceSourceAccessor(&RankGroup::m_collectiveEndTrace),
                            "ns3::ranks::RankGroup::CollectiveEndTracedCallback")
            .AddTraceSource("Send",
                            "A frame is passed to the link: its rank, the destination, the frame.",
                            MakeTraceSourceAccessor(&RankGroup::m_sendTrace),
                            "ns3::ranks::RankGroup::FrameTracedCallback")
            .AddTraceSource("Arrive",
                            "A frame is taken from the link: its rank, the sender, the frame.",
                            MakeTraceSourceAccessor(&RankGroup::m_arriveTrace),
                            "ns3::ranks::RankGroup::FrameTracedCallback");
    return tid;
}

/** Actions that a rank's core takes. */
struct RankGroup::Out
{
    RankGroup& group;      ///< The group.
    Peer self;             ///< The rank.
    State& state;          ///< The rank.
    Ticks base;            ///< Origin of timers [ns].
    RankStatus received{}; ///< Last delivered message.
    bool delivered{false}; ///< Its receive completes next.

    /** Send a frame. @param to destination @param frame the frame @return true */
    bool Send(Peer to, const Frame& frame)
    {
        const RankCosts& costs = group.m_costs;
        const auto kind = static_cast<FrameKind>(frame.kind);
        state.cpu += costs.post;
        if (kind != FrameKind::RDMA_DATA)
        {
            state.cpu += costs.header;
            if (frame.payload > 0 && !(frame.flags & RESENT))
            {
                state.cpu = group.m_memory->Copy(self, state.cpu, frame.payload);
            }
            if (group.m_config.reliability && IsSequenced(kind))
            {
                state.cpu += costs.reliability;
            }
        }
        if (state.posted == state.postings.size())
        {
            PeekPointer(group.m_clock)->At(state.cpu, group.m_number, self, POST);
        }
        state.postings.push_back({state.cpu, frame, to});
        PeekPointer(group.m_link)->Expect(self, to, false);
        return true;
    }

    /** Arm the only timer. @param delay from now [ns] */
    void Arm(TimerId /* timer */, Ticks delay)
    {
        state.timer = base + delay;
    }

    /** A message has found its receive. @param delivery the message */
    void Deliver(const Delivery& delivery)
    {
        const bool local = group.m_memory->IsLocal(self, delivery.from);
        if (local || delivery.bytes < group.m_config.eagerLimit)
        {
            state.cpu = group.m_memory->Copy(self, state.cpu, delivery.bytes);
        }
        NS_LOG_LOGIC("Rank " << self << " matches a message of " << delivery.bytes
                             << " bytes from rank " << delivery.from << ", "
                             << NameTag(delivery.tag));
        received = {.contents = delivery.contents,
                    .source = delivery.from,
                    .tag = delivery.tag,
                    .bytes = delivery.bytes};
        delivered = true;
    }

    /** End a request. @param id the request @param completion its completion */
    void Complete(RequestId id, Completion completion)
    {
        Slot& slot = state.slots[id];
        if (std::exchange(delivered, false))
        {
            slot.status = received;
        }
        if (completion > Completion::SENT)
        {
            ++group.m_counts.failed;
            NS_LOG_WARN("Request " << id << " of rank " << self << " fails: " << completion);
        }
        group.End(self, static_cast<RankRequest>(id));
    }

    /** Log an event of the protocol, which counts it itself. @param reason the event */
    void Note(messaging::Reason reason)
    {
        NS_LOG_LOGIC("Rank " << self << ' ' << DescribeEvent(static_cast<Event>(reason)));
    }
};

void
RankGroup::DoDispose()
{
    if (m_link)
    {
        m_link->SetUser(nullptr);
        m_link->Dispose();
    }
    m_link = nullptr;
    m_ranks.clear();
    m_memory.reset();
    m_main = nullptr;
    if (m_clock)
    {
        m_clock->Unregister(m_number);
    }
    m_clock = nullptr;
    Object::DoDispose();
}

void
RankGroup::Connect(Ptr<messaging::TickClock> clock, Ptr<RankLink> link, const RankConfig& config)
{
    NS_LOG_FUNCTION(this << link->GetNRanks());
    NS_LOG_INFO("A job of " << link->GetNRanks() << " ranks, " << m_memoryConfig.ranksPerNode
                            << " a node; messages from " << config.eagerLimit
                            << " bytes use rendezvous");
    m_clock = clock;
    m_link = link;
    m_config = config;
    m_number = clock->Register(this);
    const uint32_t ranks = link->GetNRanks();
    m_memory = std::make_unique<SharedMemory>(&m_memoryConfig, clock, ranks, this);
    m_ranks.reserve(ranks);
    for (Peer self = 0; self < ranks; ++self)
    {
        m_ranks.emplace_back(RankCore(&m_config, ranks));
    }
    link->SetUser(this);
}

std::pair<messaging::Verdict, std::string>
RankGroup::Audit() const
{
    using messaging::Verdict;
    if (const std::string failure = m_link->GetFailure(); !failure.empty())
    {
        return {Verdict::FAILED, failure};
    }
    if (m_counts.failed > 0)
    {
        return {Verdict::FAILED,
                "Messages have failed: " + std::to_string(m_counts.failed) +
                    "; a segment was sent again " + std::to_string(m_config.maxRetries) +
                    " times, which happens if Timeout is shorter than the transmission time of the "
                    "frames ahead of it."};
    }
    uint64_t unwritten = 0;
    Peer first = 0;
    for (Peer self = GetNRanks(); self-- > 0;)
    {
        const uint64_t own = m_ranks[self].core.GetCounters().Get(Event::UNWRITTEN);
        unwritten += own;
        if (own > 0)
        {
            first = self;
        }
    }
    if (unwritten > 0)
    {
        return {Verdict::VIOLATED,
                std::to_string(unwritten) +
                    " messages were delivered with other contents, to rank " +
                    std::to_string(first) +
                    " first: FIN announces the data, which UC without reliability may lose."};
    }
    if (GetNDone() < GetNRanks())
    {
        return {Verdict::DEADLOCK,
                "No event is left, and " + std::to_string(GetNRanks() - GetNDone()) +
                    " programs have not ended."};
    }
    return {Verdict::COMPLETED, ""};
}

void
RankGroup::Start(RankMain main)
{
    m_main = std::move(main);
    for (Peer self = 0; self < m_ranks.size(); ++self)
    {
        m_clock->At(m_clock->Now(), m_number, self, BEGIN);
    }
}

RankRequest
RankGroup::Allocate(State& state)
{
    ++state.open;
    if (state.freeSlots.empty())
    {
        state.slots.emplace_back();
        return static_cast<RankRequest>(state.slots.size() - 1);
    }
    const RankRequest request = state.freeSlots.back();
    state.freeSlots.pop_back();
    return request;
}

void
RankGroup::End(Peer self, RankRequest request)
{
    State& state = m_ranks[self];
    TraceEnd(self, request);
    state.slots[request].ended = true;
    --state.open;
    if (state.slots[request].freed)
    {
        Release(state, request);
    }
    else if (state.collects)
    {
        state.ended.push_back(request);
    }
}

void
RankGroup::TraceBegin(Peer self, const RankOperation& operation)
{
    if (operation.receives)
    {
        NS_LOG_INFO("Rank " << self << " posts receive " << operation.request << " from "
                            << NameSource(operation.peer) << ", " << NameTag(operation.tag));
    }
    else
    {
        NS_LOG_INFO("Rank " << self << " begins send " << operation.request << " of "
                            << operation.bytes << " bytes to rank " << operation.peer << ", "
                            << NameTag(operation.tag)
                            << (m_memory->IsLocal(self, operation.peer) ? ", in its node" : ""));
    }
    m_beginTrace(self, operation);
}

void
RankGroup::TraceEnd(Peer self, RankRequest request)
{
    const State& state = m_ranks[self];
    const Slot& slot = state.slots[request];
    if (slot.receives)
    {
        NS_LOG_INFO("Receive " << request << " of rank " << self << " ends with "
                               << slot.status.bytes << " bytes from rank " << slot.status.source);
    }
    else
    {
        NS_LOG_INFO("Send " << request << " of rank " << self << " ends");
    }
    m_endTrace(self,
               {.request = request,
                .peer = slot.status.source,
                .tag = slot.status.tag,
                .bytes = slot.status.bytes,
                .time = state.cpu,
                .receives = slot.receives});
}

void
RankGroup::BeginCollective(Peer self, messaging::CollectiveKind kind, uint64_t bytes)
{
    NS_LOG_INFO("Rank " << self << " begins " << messaging::GetCollectiveWord(kind) << " of "
                        << bytes << " bytes");
    m_ranks[self].collectiveBegin = m_ranks[self].cpu;
    m_collectiveBeginTrace(self, kind, bytes);
}

void
RankGroup::EndCollective(Peer self, messaging::CollectiveKind kind)
{
    const Ticks time = m_ranks[self].cpu - m_ranks[self].collectiveBegin;
    NS_LOG_INFO("Rank " << self << " ends " << messaging::GetCollectiveWord(kind) << " after "
                        << time << " ns");
    m_collectiveEndTrace(self, kind, time);
}

uint64_t
RankGroup::Store(std::vector<uint64_t> words)
{
    m_words.emplace(++m_lastWords, std::move(words));
    return m_lastWords;
}

std::vector<uint64_t>
RankGroup::Take(uint64_t contents)
{
    auto found = m_words.extract(contents);
    if (found.empty())
    {
        return {};
    }
    return std::move(found.mapped());
}

RankStatus
RankGroup::Release(State& state, RankRequest request)
{
    state.freeSlots.push_back(request);
    return std::exchange(state.slots[request], Slot()).status;
}

RankEnded
RankGroup::ReleaseAny(Peer self)
{
    State& state = m_ranks[self];
    const RankRequest request = state.ended.front();
    state.ended.pop_front();
    return {request, Release(state, request)};
}

void
RankGroup::ReleaseAll(Peer self)
{
    State& state = m_ranks[self];
    if (state.until == RankUntil::ALL)
    {
        state.slots.clear();
        state.freeSlots.clear();
    }
}

void
RankGroup::Free(Peer self, RankRequest request)
{
    State& state = m_ranks[self];
    state.slots[request].freed = true;
    if (state.slots[request].ended)
    {
        Release(state, request);
    }
}

bool
RankGroup::IsSatisfied(const State& state)
{
    switch (state.until)
    {
    case RankUntil::REQUEST:
        return state.slots[state.request].ended;
    case RankUntil::ALL:
        return state.open == 0;
    case RankUntil::ANY:
        return !state.ended.empty();
    case RankUntil::NOTHING:
    case RankUntil::ONCE:
        break;
    }
    return true;
}

bool
RankGroup::Prepare(Peer self, RankUntil until, RankRequest request)
{
    State& state = m_ranks[self];
    state.until = until;
    state.request = request;
    if (until == RankUntil::ANY && !state.collects)
    {
        state.collects = true;
        for (RankRequest it = 0; it < state.slots.size(); ++it)
        {
            if (state.slots[it].ended)
            {
                state.ended.push_back(it);
            }
        }
    }
    return until != RankUntil::ONCE && state.posted == state.postings.size() && IsSatisfied(state);
}

RankRequest
RankGroup::Isend(Peer self, Peer to, uint32_t bytes, uint32_t tag, uint64_t contents)
{
    State& state = m_ranks[self];
    const RankRequest request = Allocate(state);
    state.slots[request].status = {.contents = contents, .source = to, .tag = tag, .bytes = bytes};
    TraceBegin(self,
               {.request = request, .peer = to, .tag = tag, .bytes = bytes, .time = state.cpu});
    state.cpu += m_costs.call;
    if (m_memory->IsLocal(self, to))
    {
        ++m_counts.localMessages;
        state.cpu = m_memory->Copy(self, state.cpu + m_costs.header, bytes);
        m_memory->Send(to,
                       Delivery{.contents = contents, .from = self, .bytes = bytes, .tag = tag},
                       state.cpu);
        End(self, request);
        return request;
    }
    ++m_counts.messages;
    m_counts.bytes += bytes;
    ++m_histogram[std::bit_width(bytes)];
    Out out{*this, self, state, state.cpu};
    state.core.OnRequest(
        Request{.id = request, .contents = contents, .to = to, .bytes = bytes, .tag = tag},
        out);
    if (const Peer later = state.core.GetLaterPeer(); later != messaging::NO_PEER)
    {
        state.core.ExpectPeer(later);
        PeekPointer(m_link)->Expect(self, later, false);
    }
    return request;
}

RankRequest
RankGroup::Irecv(Peer self, Peer from, uint32_t tag)
{
    State& state = m_ranks[self];
    const RankRequest request = Allocate(state);
    state.slots[request].receives = true;
    TraceBegin(self,
               {.request = request, .peer = from, .tag = tag, .time = state.cpu, .receives = true});
    state.cpu += m_costs.call + m_costs.match;
    Out out{*this, self, state, state.cpu};
    state.core.OnRequest(Request{.id = request, .to = from, .tag = tag, .flags = RECEIVE}, out);
    return request;
}

void
RankGroup::Suspend(Peer self, std::coroutine_handle<> program)
{
    State& state = m_ranks[self];
    state.program = program;
    if (state.until == RankUntil::ONCE || !IsSatisfied(state))
    {
        state.phase = Phase::WAITING;
        Enter(self);
        return;
    }
    state.phase = Phase::BUSY;
    if (state.posted == state.postings.size())
    {
        PeekPointer(m_clock)->At(state.cpu, m_number, self, POST);
    }
}

void
RankGroup::Enter(Peer self)
{
    State& state = m_ranks[self];
    if (state.until == RankUntil::ONCE ||
        state.timer <= std::max(state.cpu, PeekPointer(m_clock)->Now()) ||
        !m_memory->GetInbox(self).IsEmpty())
    {
        Wake(self);
        return;
    }
    if (state.timer != messaging::NEVER && state.timer < state.timerEvent)
    {
        state.timerEvent = state.timer;
        PeekPointer(m_clock)->At(state.timer, m_number, self, TIMEOUT);
    }
    if (state.core.WantsIdlePolls() && state.idleAt == messaging::NEVER)
    {
        state.idleAt = std::max(state.cpu, PeekPointer(m_clock)->Now()) +
                       m_costs.emptyPoll * m_config.pollsPerCheck;
        PeekPointer(m_clock)->At(state.idleAt, m_number, self, IDLE);
    }
    PeekPointer(m_link)->Notify(self);
}

void
RankGroup::Wake(Peer self)
{
    State& state = m_ranks[self];
    if (!state.waking)
    {
        state.waking = true;
        PeekPointer(m_clock)->At(std::max(PeekPointer(m_clock)->Now(), state.cpu),
                                 m_number,
                                 self,
                                 WAKE);
    }
}

void
RankGroup::OnArrival(Peer self)
{
    if (m_ranks[self].phase >= Phase::WAITING)
    {
        Wake(self);
    }
}

void
RankGroup::Compute(Peer self, Ticks time)
{
    State& state = m_ranks[self];
    if (m_costs.interrupt > 0)
    {
        const Ticks begin = state.cpu + self * INTERRUPT_OFFSET;
        const Ticks interrupts = (begin + time) / INTERRUPT_PERIOD - begin / INTERRUPT_PERIOD;
        state.cpu += interrupts * m_costs.interrupt;
    }
    NS_LOG_INFO("Rank " << self << " computes for " << time << " ns");
    state.cpu += time;
    state.computed += time;
    state.until = RankUntil::NOTHING;
}

void
RankGroup::Resume(Peer self)
{
    State& state = m_ranks[self];
    state.phase = Phase::RUNNING;
    state.program.resume();
    if (state.phase == Phase::RUNNING)
    {
        state.phase = Phase::DONE;
        state.until = RankUntil::NOTHING;
        m_end = std::max(m_end, state.cpu);
        ++m_done;
        NS_LOG_INFO("The program of rank " << self << " ends at " << state.cpu << " ns");
        m_programEndTrace(self, state.cpu);
        Enter(self);
    }
}

void
RankGroup::Post(Peer self)
{
    State& state = m_ranks[self];
    const Ticks now = PeekPointer(m_clock)->Now();
    ExpectSends(self);
    while (state.posted < state.postings.size() && state.postings[state.posted].when <= now)
    {
        const Posting& posting = state.postings[state.posted];
        if (!PeekPointer(m_link)->Send(self, posting.to, posting.frame))
        {
            NS_LOG_LOGIC("The send queue of rank " << self << " is full; it retries in " << RETRY
                                                   << " ns");
            // The processor retries until there is room, which delays all later frames.
            ++m_counts.refused;
            state.cpu += RETRY;
            for (std::size_t i = state.posted; i < state.postings.size(); ++i)
            {
                state.postings[i].when += RETRY;
            }
            // The rank is inside MPI. Two ranks with full queues that handled no arrivals would
            // deadlock, each waiting for the other's receives.
            Progress(self);
            if (state.phase >= Phase::WAITING)
            {
                Wake(self);
            }
            break;
        }
        NS_LOG_LOGIC("Rank " << self << " sends " << NameFrame(posting.frame) << " to rank "
                             << posting.to);
        m_sendTrace(self, posting.to, posting.frame);
        // OnFrameExpected reads it.
        __builtin_prefetch(&m_ranks[posting.to].core);
        ++m_counts.frames;
        ++state.posted;
    }
    if (state.posted < state.postings.size())
    {
        PeekPointer(m_clock)->At(state.postings[state.posted].when, m_number, self, POST);
        return;
    }
    state.postings.clear();
    state.posted = 0;
    if (state.phase == Phase::BUSY)
    {
        Resume(self);
    }
}

void
RankGroup::Progress(Peer self)
{
    State& state = m_ranks[self];
    state.cpu = std::max(state.cpu, PeekPointer(m_clock)->Now());
    Out out{*this, self, state, state.cpu};
    auto& arrivals = m_arrivals;
    for (uint32_t n = BATCH; n > 0;)
    {
        n = PeekPointer(m_link)->Poll(self, arrivals.data(), BATCH);
        ExpectFrames(state.core, n);
        for (uint32_t i = 0; i < n; ++i)
        {
            if (!arrivals[i].sent)
            {
                NS_LOG_LOGIC("Rank " << self << " takes " << NameFrame(arrivals[i].frame)
                                     << " from rank " << arrivals[i].peer);
                m_arriveTrace(self, arrivals[i].peer, arrivals[i].frame);
            }
            Handle(self, arrivals[i], out);
        }
    }
    for (auto& inbox = m_memory->GetInbox(self); !inbox.IsEmpty();)
    {
        state.cpu += m_costs.poll + m_costs.match;
        out.base = state.cpu;
        state.core.OnMessage(inbox.Pop(), out);
    }
    // After a computation, a rank handles all elapsed periods.
    while (state.timer <= state.cpu)
    {
        out.base = std::exchange(state.timer, messaging::NEVER);
        NS_LOG_LOGIC("The timer of rank " << self << " fires");
        state.cpu += m_costs.sweep * state.core.GetNConnections();
        state.core.OnTimer(0, out);
    }
    out.base = state.cpu;
    state.core.OnProgressEnd(out);
}

void
RankGroup::Handle(Peer self, const RankArrival& arrival, Out& out)
{
    State& state = m_ranks[self];
    const Frame& frame = arrival.frame;
    const auto kind = static_cast<FrameKind>(frame.kind);
    if (kind != FrameKind::RDMA_DATA || arrival.sent || (frame.flags & IMMEDIATE))
    {
        state.cpu += m_costs.poll;
    }
    if (arrival.sent)
    {
        out.base = state.cpu;
        state.core.OnSent(arrival.peer, frame, out);
        return;
    }
    if (kind != FrameKind::RDMA_DATA)
    {
        state.cpu += m_costs.header;
    }
    if (m_config.reliability && IsSequenced(kind))
    {
        state.cpu += m_costs.reliability;
    }
    if (kind == FrameKind::RTS || (kind == FrameKind::EAGER && (frame.flags & FIRST)))
    {
        state.cpu += m_costs.match;
    }
    if (kind == FrameKind::DATA)
    {
        state.cpu = m_memory->Copy(self, state.cpu, frame.payload);
    }
    out.base = state.cpu;
    state.core.OnFrame(arrival.peer, frame, out);
}

void
RankGroup::OnWrite(Peer self, Peer from, const Frame& frame)
{
    NS_LOG_LOGIC("A write of " << frame.payload << " bytes from rank " << from
                               << " is in the memory of rank " << self);
    m_arriveTrace(self, from, frame);
    State& state = m_ranks[self];
    Out out{*this, self, state, state.cpu};
    state.core.OnFrame(from, frame, out);
}

void
RankGroup::OnExpected(Peer self)
{
    // Other ranks have evicted its cache lines; parallel fetches take as long as one.
    const State& state = m_ranks[self];
    constexpr std::size_t LINE = 64;
    constexpr std::size_t FRAME = 4 * LINE;
    state.core.Expect();
    const auto* end = reinterpret_cast<const char*>(&state + 1);
    for (const auto* line = reinterpret_cast<const char*>(&state.task); line < end; line += LINE)
    {
        __builtin_prefetch(line, 1);
    }
    const auto* frame = static_cast<const char*>(state.program.address());
    for (std::size_t at = 0; frame && at < FRAME; at += LINE)
    {
        __builtin_prefetch(frame + at, 1);
    }
}

void
RankGroup::ExpectSends(Peer self) const
{
    const State& state = m_ranks[self];
    if (state.posted + 1 < state.postings.size())
    {
        PeekPointer(m_link)->Expect(self, state.postings[state.posted + 1].to, true);
    }
    if (const Peer later = state.core.GetLaterPeer(); later != messaging::NO_PEER)
    {
        state.core.ExpectConnection(later);
        state.core.ExpectEntry();
        PeekPointer(m_link)->Expect(self, later, true);
    }
}

void
RankGroup::ExpectFrames(const RankCore& core, uint32_t n) const
{
    if (n < 2)
    {
        return;
    }
    // Each step reads what the one before has prefetched; the accesses of a step are parallel.
    for (uint32_t i = 0; i < n; ++i)
    {
        core.ExpectPeer(m_arrivals[i].peer);
    }
    for (uint32_t i = 0; i < n; ++i)
    {
        core.ExpectConnection(m_arrivals[i].peer);
    }
    for (uint32_t i = 0; i < n; ++i)
    {
        core.ExpectAcknowledged(m_arrivals[i].peer);
    }
}

void
RankGroup::OnFrameExpected(Peer self, Peer from, uint32_t stage)
{
    const RankCore& core = m_ranks[self].core;
    switch (stage)
    {
    case 0:
        core.ExpectPeer(from);
        break;
    case 1:
        core.ExpectConnection(from);
        break;
    default:
        core.ExpectAcknowledged(from);
        break;
    }
}

void
RankGroup::OnIdle(Peer self)
{
    State& state = m_ranks[self];
    const Ticks now = PeekPointer(m_clock)->Now();
    if (state.idleAt != now || state.phase < Phase::WAITING || state.waking)
    {
        return;
    }
    state.idleAt = messaging::NEVER;
    state.cpu = std::max(state.cpu, now);
    Out out{*this, self, state, state.cpu};
    state.core.OnIdlePolls(out);
}

void
RankGroup::OnWake(Peer self)
{
    State& state = m_ranks[self];
    state.waking = false;
    if (state.phase < Phase::WAITING)
    {
        return;
    }
    if (state.cpu > PeekPointer(m_clock)->Now())
    {
        Wake(self);
        return;
    }
    Progress(self);
    state.idleAt = messaging::NEVER;
    if (state.phase == Phase::DONE || !IsSatisfied(state))
    {
        Enter(self);
    }
    else if (state.posted == state.postings.size())
    {
        Resume(self);
    }
    else
    {
        state.phase = Phase::BUSY;
    }
}

void
RankGroup::OnTick(Peer self, uint64_t datum)
{
    ++m_counts.events;
    State& state = m_ranks[self];
    switch (datum)
    {
    case BEGIN:
        NS_LOG_INFO("The program of rank " << self << " begins");
        m_programBeginTrace(self, state.cpu);
        state.task = m_main(Rank(this, self));
        state.program = state.task.GetHandle();
        Resume(self);
        break;
    case POST:
        Post(self);
        break;
    case TIMEOUT:
        state.timerEvent = messaging::NEVER;
        if (state.phase >= Phase::WAITING && state.timer != messaging::NEVER)
        {
            Enter(self);
        }
        break;
    case IDLE:
        OnIdle(self);
        break;
    case WAKE:
        OnWake(self);
        break;
    default:
        break;
    }
}

} // namespace ranks
} // namespace ns3
