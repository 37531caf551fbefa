/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_GROUP_H
#define MPI_RANKS_GROUP_H

#include "ns3/messaging-scenario.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/mpi-ranks-core.h"
#include "ns3/mpi-ranks-link.h"
#include "ns3/mpi-ranks-program.h"
#include "ns3/mpi-ranks-shared-memory.h"
#include "ns3/traced-callback.h"

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * The ranks of an MPI job: programs, processors and protocol cores over a link.
 */

namespace ns3
{
namespace ranks
{

/**
 * Processor time of a rank in MPI, without copies. Times without a source are calibrated: an MPI
 * latency of 4.1 us and 0.8 to 1.5 million messages a second.
 */
struct RankCosts
{
    Ticks call{50};        ///< Entering MPI for a send or receive [ns].
    Ticks match{80};       ///< Matching a message or a receive, or queueing it [ns].
    Ticks header{100};     ///< Building or reading a frame's header [ns].
    Ticks post{150};       ///< A work request and its doorbell [ns].
    Ticks poll{150};       ///< Taking a completion and reposting its receive [ns].
    Ticks reliability{25}; ///< Each frame that needs an acknowledgement, at each end: time stamp,
                           ///< unacknowledged queue, duplicates [ns; default].
    Ticks sweep{5};        ///< Checking one peer when the timer is due [ns; default].
    Ticks emptyPoll{100};  ///< An empty poll [ns; default].
    Ticks interrupt{0};    ///< A timer interrupt during a computation; 0: none [ns].
};

/** Counters of all ranks of a group together. */
struct RankGroupCounts
{
    uint64_t messages{0};      ///< Messages sent to other nodes.
    uint64_t bytes{0};         ///< Length of these messages [bytes].
    uint64_t localMessages{0}; ///< Messages sent inside a node.
    uint64_t frames{0};        ///< Frames passed to the link.
    uint64_t refused{0};       ///< Frames refused by a full send queue.
    uint64_t failed{0};        ///< Failed requests.
    uint64_t events{0};        ///< Events of the group at the clock.
};

/** A send or receive of a rank, as its trace sources show it. */
struct RankOperation
{
    RankRequest request{0};        ///< Number of its request at the rank.
    Peer peer{messaging::NO_PEER}; ///< The other rank, or ANY_SOURCE.
    uint32_t tag{0};               ///< Its tag, or ANY_TAG.
    uint32_t bytes{0};             ///< Its length; 0 for a receive that has begun [bytes].
    Ticks time{0};                 ///< Local time of the rank [ns].
    bool receives{false};          ///< It is a receive.
};

/**
 * @ingroup mpi-ranks
 * The ranks of an MPI job.
 *
 * Each rank is a processor core that runs one program, and one protocol core. Its time is a counter
 * that calls advance. A frame leaves in a separate event when the processor reaches its work
 * request, so that the link sends frames in order of time. Arrivals wait until the rank is inside
 * MPI (section 6.1); a computing rank handles none. A waiting rank is notified of the next arrival.
 *
 * Ranks of one node exchange messages through its memory, not through the link.
 */
class RankGroup : public Object, public RankLinkUser, private messaging::TickUser
{
  public:
    /** Bins of the histogram of message lengths: bin n counts those below 2^n bytes. */
    static constexpr std::size_t BINS = 32;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Signature of the Send and Arrive trace sources.
     * @param self the rank that sends or receives
     * @param other the other rank
     * @param frame the frame
     */
    typedef void (*FrameTracedCallback)(Peer self, Peer other, const Frame& frame);

    /**
     * Signature of the trace sources of sends and receives.
     * @param self the rank
     * @param operation the send or receive
     */
    typedef void (*OperationTracedCallback)(Peer self, const RankOperation& operation);

    /**
     * Signature of the CollectiveBegin trace source.
     * @param self the rank
     * @param kind kind of the collective operation
     * @param bytes length of its data [bytes]
     */
    typedef void (*CollectiveBeginTracedCallback)(Peer self,
                                                  messaging::CollectiveKind kind,
                                                  uint64_t bytes);

    /**
     * Signature of the CollectiveEnd trace source.
     * @param self the rank
     * @param kind kind of the collective operation
     * @param time duration at the rank [ns]
     */
    typedef void (*CollectiveEndTracedCallback)(Peer self,
                                                messaging::CollectiveKind kind,
                                                Ticks time);

    /**
     * Signature of the trace sources of programs.
     * @param self the rank
     * @param time its local time [ns]
     */
    typedef void (*ProgramTracedCallback)(Peer self, Ticks time);

    /**
     * Create the ranks.
     * @param clock counts nanoseconds
     * @param link moves their frames
     * @param config parameters of the protocol
     */
    void Connect(Ptr<messaging::TickClock> clock, Ptr<RankLink> link, const RankConfig& config);

    /**
     * Start a program on every rank.
     * @param main the program
     */
    void Start(RankMain main);

    /** @return number of ranks. */
    uint32_t GetNRanks() const
    {
        return static_cast<uint32_t>(m_ranks.size());
    }

    /** @return ranks of a node. */
    uint32_t GetRanksPerNode() const
    {
        return m_memoryConfig.ranksPerNode;
    }

    /** @return number of ranks whose programs have ended. */
    uint32_t GetNDone() const
    {
        return m_done;
    }

    /** @return end of the last program [ns]. */
    Ticks GetEnd() const
    {
        return m_end;
    }

    /**
     * Get a protocol core.
     * @param self a rank
     * @return its core
     */
    const RankCore& GetCore(Peer self) const
    {
        return m_ranks[self].core;
    }

    /** @return the counters. */
    const RankGroupCounts& GetCounts() const
    {
        return m_counts;
    }

    /** @return number of messages between nodes by length. */
    const std::array<uint64_t, BINS>& GetHistogram() const
    {
        return m_histogram;
    }

    /**
     * Get the time that a rank has spent computing.
     * @param self a rank
     * @return the time, without timer interrupts [ns]
     */
    Ticks GetComputed(Peer self) const
    {
        return m_ranks[self].computed;
    }

    /**
     * Get the time of a rank.
     * @param self a rank
     * @return its local time, possibly ahead of the simulator's [ns]
     */
    Ticks GetTime(Peer self) const
    {
        return m_ranks[self].cpu;
    }

    /**
     * Audit a finished run: no request has failed, no receive is complete without its data, and all
     * programs have ended.
     * @return the verdict, and one sentence on the first violation; empty if it is COMPLETED
     */
    std::pair<messaging::Verdict, std::string> Audit() const;

    void OnArrival(Peer self) override;
    void OnWrite(Peer self, Peer from, const Frame& frame) override;
    void OnExpected(Peer self) override;
    void OnFrameExpected(Peer self, Peer from, uint32_t stage) override;

  protected:
    void DoDispose() override;

  private:
    friend class Rank;
    template <class T>
    friend class RankCall;

    /** Phase of a rank. */
    enum class Phase : uint8_t
    {
        RUNNING, ///< Its program is running in the current event.
        BUSY,    ///< Its processor is busy until its frames are posted or its time is reached.
        WAITING, ///< It is inside MPI and handles arrivals.
        DONE     ///< Its program has ended: MPI_Finalize, which still handles arrivals.
    };

    /** Events. */
    enum Moment : uint64_t
    {
        BEGIN,  ///< The program begins.
        POST,   ///< A frame is posted, or the processor is free to resume the program.
        WAKE,   ///< The rank polls.
        IDLE,   ///< The rank has polled for a while without an arrival.
        TIMEOUT ///< The protocol's timer is due.
    };

    /** A send or receive of the program. */
    struct Slot
    {
        RankStatus status;    ///< The message received.
        bool receives{false}; ///< It is a receive.
        bool ended{false};    ///< It has ended.
        bool freed{false};    ///< The program will not wait for it.
    };

    /** A frame for the link. */
    struct Posting
    {
        Ticks when;  ///< Time of its posting [ns].
        Frame frame; ///< The frame.
        Peer to;     ///< Destination.
    };

    /** A rank. */
    struct State
    {
        /** Constructor. @param core its protocol */
        explicit State(const RankCore& core)
            : core(core)
        {
        }

        RankCore core;                       ///< Its protocol.
        RankTask<> task;                     ///< Its program.
        std::coroutine_handle<> program;     ///< Suspended coroutine of the program.
        std::vector<Slot> slots;             ///< Its requests.
        std::vector<RankRequest> freeSlots;  ///< Free slots.
        std::deque<RankRequest> ended;       ///< Ended requests before their Wait.
        std::vector<Posting> postings;       ///< Frames to be posted, and already posted ones.
        std::size_t posted{0};               ///< Number of frames already posted.
        Ticks cpu{0};                        ///< Local time [ns].
        Ticks computed{0};                   ///< Time spent computing [ns].
        Ticks collectiveBegin{0};            ///< Begin of its collective operation [ns].
        Ticks timer{messaging::NEVER};       ///< Time at which the protocol's timer is due [ns].
        Ticks timerEvent{messaging::NEVER};  ///< Time of the event that checks it [ns].
        Ticks idleAt{messaging::NEVER};      ///< Time of the next check while polling [ns].
        RankRequest request{0};              ///< Request that the program waits for.
        uint32_t open{0};                    ///< Unfinished requests.
        Phase phase{Phase::BUSY};            ///< Its phase.
        RankUntil until{RankUntil::NOTHING}; ///< Condition that the program waits for.
        bool collects{false};                ///< Its program uses WaitAny, so that ended is kept.
        bool waking{false};                  ///< A poll is scheduled.
    };

    struct Out;

    void OnTick(Peer self, uint64_t datum) override;

    /**
     * MPI_Isend, before the program waits.
     * @param self the rank
     * @param to destination
     * @param bytes length [bytes]
     * @param tag tag
     * @param contents represents the data
     * @return the request
     */
    RankRequest Isend(Peer self, Peer to, uint32_t bytes, uint32_t tag, uint64_t contents);

    /**
     * MPI_Irecv, before the program waits.
     * @param self the rank
     * @param from source
     * @param tag tag
     * @return the request
     */
    RankRequest Irecv(Peer self, Peer from, uint32_t tag);

    /**
     * Get a request.
     * @param state the rank
     * @return its number
     */
    static RankRequest Allocate(State& state);

    /**
     * Set the condition that a program waits for.
     * @param self the rank
     * @param until the condition
     * @param request the request, for REQUEST
     * @return true if it need not wait
     */
    bool Prepare(Peer self, RankUntil until, RankRequest request = 0);

    /**
     * Suspend a program until the condition holds.
     * @param self the rank
     * @param program its coroutine
     */
    void Suspend(Peer self, std::coroutine_handle<> program);

    /**
     * Free an ended request.
     * @param state the rank
     * @param request the request
     * @return its message
     */
    static RankStatus Release(State& state, RankRequest request);

    /**
     * Free the request that has ended first.
     * @param self the rank
     * @return the request and its message
     */
    RankEnded ReleaseAny(Peer self);

    /**
     * Free all requests after WaitAll; do nothing after another call.
     * @param self the rank
     */
    void ReleaseAll(Peer self);

    /**
     * Free a request once it has ended.
     * @param self the rank
     * @param request the request
     */
    void Free(Peer self, RankRequest request);

    /** @return true if a request has ended. @param self the rank @param request the request */
    bool IsEnded(Peer self, RankRequest request) const
    {
        return m_ranks[self].slots[request].ended;
    }

    /**
     * End a request.
     * @param self the rank
     * @param request the request
     */
    void End(Peer self, RankRequest request);

    /**
     * Log and trace the begin of a send or receive.
     * @param self the rank
     * @param operation the send or receive
     */
    void TraceBegin(Peer self, const RankOperation& operation);

    /**
     * Log and trace the end of a send or receive.
     * @param self the rank
     * @param request its request
     */
    void TraceEnd(Peer self, RankRequest request);

    /**
     * Begin a collective operation.
     * @param self the rank
     * @param kind its kind
     * @param bytes length of its data [bytes]
     */
    void BeginCollective(Peer self, messaging::CollectiveKind kind, uint64_t bytes);

    /**
     * End a collective operation.
     * @param self the rank
     * @param kind its kind
     */
    void EndCollective(Peer self, messaging::CollectiveKind kind);

    /** Store the words of a message. @param words the words @return its contents */
    uint64_t Store(std::vector<uint64_t> words);

    /** Take the words of a message. @param contents its contents @return the words, or none */
    std::vector<uint64_t> Take(uint64_t contents);

    /**
     * Compute.
     * @param self the rank
     * @param time duration [ns]
     */
    void Compute(Peer self, Ticks time);

    /**
     * Resume a program.
     * @param self the rank
     */
    void Resume(Peer self);

    /**
     * Wait inside MPI.
     * @param self the rank
     */
    void Enter(Peer self);

    /**
     * Prefetch what the next frame of a rank needs, and a later message.
     * @param self the rank
     */
    void ExpectSends(Peer self) const;

    /**
     * Prefetch what the arrivals of a poll need.
     * @param core the protocol of their rank
     * @param n their number
     */
    void ExpectFrames(const RankCore& core, uint32_t n) const;

    /**
     * Handle all arrivals.
     * @param self the rank
     */
    void Progress(Peer self);

    /**
     * Handle one arrival from the link.
     * @param self the rank
     * @param arrival the arrival
     * @param out the actions
     */
    void Handle(Peer self, const RankArrival& arrival, Out& out);

    /**
     * Schedule a poll of a rank.
     * @param self the rank
     */
    void Wake(Peer self);

    /**
     * Handle the end of a while of polling without an arrival.
     * @param self the rank
     */
    void OnIdle(Peer self);

    /**
     * Poll, and resume the program if its condition holds.
     * @param self the rank
     */
    void OnWake(Peer self);

    /**
     * Post the frames that are due, and resume the program after the last one.
     * @param self the rank
     */
    void Post(Peer self);

    /** @return true if the condition of a rank holds. @param state the rank */
    static bool IsSatisfied(const State& state);

    static constexpr uint32_t BATCH = 16; ///< Maximum arrivals of a poll.

    std::vector<State> m_ranks;                              ///< All ranks.
    RankMain m_main;                                         ///< Program of every rank.
    RankConfig m_config;                                     ///< Parameters of the protocol.
    RankCosts m_costs;                                       ///< Costs of MPI.
    MemoryConfig m_memoryConfig;                             ///< Parameters of the nodes' memories.
    TracedCallback<Peer, Peer, const Frame&> m_sendTrace;    ///< Fired for each frame sent.
    TracedCallback<Peer, Peer, const Frame&> m_arriveTrace;  ///< Fired for each arrival.
    TracedCallback<Peer, const RankOperation&> m_beginTrace; ///< Fired for each operation begun.
    TracedCallback<Peer, const RankOperation&> m_endTrace;   ///< Fired for each operation ended.
    /// Fired for each collective operation begun.
    TracedCallback<Peer, messaging::CollectiveKind, uint64_t> m_collectiveBeginTrace;
    /// Fired for each collective operation ended.
    TracedCallback<Peer, messaging::CollectiveKind, Ticks> m_collectiveEndTrace;
    TracedCallback<Peer, Ticks> m_programBeginTrace;             ///< Fired for each program begun.
    TracedCallback<Peer, Ticks> m_programEndTrace;               ///< Fired for each program ended.
    std::unordered_map<uint64_t, std::vector<uint64_t>> m_words; ///< Words of messages in flight.
    uint64_t m_lastWords{0};                                     ///< Last number of stored words.
    RankGroupCounts m_counts;                                    ///< Counters.
    std::array<uint64_t, BINS> m_histogram{};                    ///< Histogram of message lengths.
    std::unique_ptr<SharedMemory> m_memory;                      ///< Memories of the nodes.
    Ptr<messaging::TickClock> m_clock;                           ///< Counts nanoseconds.
    Ptr<RankLink> m_link;                                        ///< Moves frames.
    std::array<RankArrival, BATCH> m_arrivals;                   ///< Arrivals being handled.
    Ticks m_end{0};                                              ///< End of the last program [ns].
    uint32_t m_done{0};                                          ///< Programs that have ended.
    uint32_t m_number{0};                                        ///< User number at the clock.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_GROUP_H
