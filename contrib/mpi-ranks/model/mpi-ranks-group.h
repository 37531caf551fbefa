/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_GROUP_H
#define MPI_RANKS_GROUP_H

#include "mpi-ranks-core.h"
#include "mpi-ranks-group-link.h"
#include "mpi-ranks-program.h"
#include "mpi-ranks-shared-memory.h"

#include "ns3/messaging-scenario.h"
#include "ns3/messaging-tick-clock.h"

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * The ranks of an MPI job: programs, processors, protocol cores and what moves their frames.
 */

namespace ns3
{
namespace ranks
{

/** What MPI costs the processor of a rank; the copies are the memory's. */
struct RankCosts
{
    Ticks call{50};        ///< Entering MPI to begin a message [ns].
    Ticks match{80};       ///< Matching a message with a receive, or queueing it [ns].
    Ticks header{100};     ///< Building or reading a frame's header [ns].
    Ticks post{150};       ///< A work request and its doorbell [ns].
    Ticks poll{150};       ///< Taking a completion, and posting its receive again [ns].
    Ticks reliability{25}; ///< Of each frame that needs an acknowledgement, at either end: time
                           ///< stamp, unacknowledged queue, duplicates [ns].
    Ticks sweep{5};        ///< A look at one peer when the timer is due [ns].
    Ticks emptyPoll{100};  ///< A poll that finds nothing [ns].
    Ticks registration{0}; ///< Registering a buffer of a message by rendezvous [ns].
};

/** What the ranks of a group have done, all together. */
struct RankGroupCounts
{
    uint64_t messages{0};      ///< Messages that programs have sent to other nodes.
    uint64_t bytes{0};         ///< Their length [bytes].
    uint64_t localMessages{0}; ///< Messages that programs have sent inside a node.
    uint64_t frames{0};        ///< Frames handed to the link.
    uint64_t refused{0};       ///< Times that a send queue was full.
    uint64_t failed{0};        ///< Requests that have failed.
    uint64_t events{0};        ///< Events of the group.
};

/**
 * @ingroup mpi-ranks
 * The ranks of an MPI job.
 *
 * Each rank is a core of a processor that runs one program, and one protocol core. Its time is a
 * plain number which calls advance. A frame leaves when the processor has come to its work request,
 * in an event of its own, so that what lies below is asked in order of time. What arrives waits
 * until the rank is inside MPI (section 6.1): while it computes it answers nothing. A rank that
 * waits is called at the next arrival.
 *
 * Ranks of one node exchange messages through its memory and not through the link.
 */
class RankGroup : public Object, public RankLinkUser, private messaging::TickUser
{
  public:
    /** Bins of the histogram of message lengths: bin n counts those of less than 2^n bytes. */
    static constexpr std::size_t BINS = 32;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RankGroup();
    ~RankGroup() override;

    /**
     * Create the ranks.
     * @param clock counts nanoseconds
     * @param link moves their frames
     * @param config the protocol's parameters
     */
    void Connect(Ptr<messaging::TickClock> clock, Ptr<RankLink> link, const RankConfig& config);

    /**
     * Have every rank run a program, from now.
     * @param main the program
     */
    void Start(RankMain main);

    /** @return the number of ranks. */
    uint32_t GetNRanks() const
    {
        return static_cast<uint32_t>(m_ranks.size());
    }

    /** @return ranks of a node. */
    uint32_t GetRanksPerNode() const
    {
        return m_memoryConfig.ranksPerNode;
    }

    /** @return the number of ranks whose programs have ended. */
    uint32_t GetNDone() const
    {
        return m_done;
    }

    /** @return when the last program has ended [ns]. */
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

    /** @return what the ranks have done. */
    const RankGroupCounts& GetCounts() const
    {
        return m_counts;
    }

    /** @return how many messages between nodes were of each length. */
    const std::array<uint64_t, BINS>& GetHistogram() const
    {
        return m_histogram;
    }

    /**
     * Get the time that a rank has spent computing.
     * @param self a rank
     * @return the time [ns]
     */
    Ticks GetComputed(Peer self) const
    {
        return m_ranks[self].computed;
    }

    /**
     * Get the time of a rank.
     * @param self a rank
     * @return its own time, which may be ahead of the simulator's [ns]
     */
    Ticks GetTime(Peer self) const
    {
        return m_ranks[self].cpu;
    }

    /** @return what MPI costs. */
    const RankCosts& GetCosts() const
    {
        return m_costs;
    }

    /** @return one sentence if the link or a core has failed, else an empty text. */
    std::string GetFailure() const;

    /**
     * Audit a run that has ended: nothing has failed, no receive is complete without its data, and
     * all programs have come to their end.
     * @return the verdict, and one sentence on what was found first; empty if it is COMPLETED
     */
    std::pair<messaging::Verdict, std::string> Audit() const;

    void OnArrival(Peer self) override;
    void OnExpected(Peer self) override;

  protected:
    void DoDispose() override;

  private:
    friend class Rank;
    friend class Rank::AllCall;
    friend class Rank::AnyCall;
    friend class Rank::Call;
    friend class Rank::EndCall;
    friend class Rank::TestCall;

    /** What a rank is doing. */
    enum class Phase : uint8_t
    {
        RUNNING, ///< Its program is running, at this moment of the simulation.
        BUSY,    ///< Its processor is busy until its frames are posted or its time has come.
        WAITING, ///< It is inside MPI and handles what arrives.
        DONE     ///< Its program has ended: MPI_Finalize, which handles what arrives.
    };

    /** Events. */
    enum Moment : uint64_t
    {
        BEGIN,  ///< The program begins.
        POST,   ///< A frame is to be posted.
        GO_ON,  ///< The processor has done what the program asked for.
        WAKE,   ///< The rank polls.
        IDLE,   ///< The rank has polled in vain for a while.
        TIMEOUT ///< The protocol's timer is due.
    };

    /** A send or receive that has begun. */
    struct Slot
    {
        RankStatus status; ///< What was received.
        bool ended{false}; ///< It has come to its end.
        bool freed{false}; ///< Nobody will wait for it.
    };

    /** A frame that will be posted. */
    struct Posting
    {
        Ticks when;  ///< At what time [ns].
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
        std::coroutine_handle<> program;     ///< Where its program waits.
        std::vector<Slot> slots;             ///< Its requests.
        std::vector<RankRequest> freeSlots;  ///< Those not in use.
        std::deque<RankRequest> ended;       ///< Those that have ended and not been waited for.
        std::vector<Posting> postings;       ///< Frames that will be posted.
        std::size_t posted{0};               ///< How many of them were.
        Ticks cpu{0};                        ///< Its own time [ns].
        Ticks computed{0};                   ///< Time spent computing [ns].
        Ticks timer{messaging::NEVER};       ///< When the protocol's timer is due [ns].
        Ticks timerEvent{messaging::NEVER};  ///< When it is looked at next [ns].
        Ticks idleAt{messaging::NEVER};      ///< When it will have polled in vain [ns].
        messaging::TimerId timerId{0};       ///< What the protocol calls it.
        RankRequest request{0};              ///< What it waits for.
        uint32_t open{0};                    ///< Requests that have not come to their end.
        Phase phase{Phase::BUSY};            ///< What it is doing.
        RankUntil until{RankUntil::NOTHING}; ///< What it waits for.
        bool collects{false}; ///< Its program waits for any request, so that ended is kept.
        bool waking{false};   ///< It will poll.
    };

    struct Out;

    /** Set a cost. @param value the value */
    template <auto Field>
    void SetCost(Ticks value)
    {
        m_costs.*Field = value;
    }

    /** @return a cost. */
    template <auto Field>
    Ticks GetCost() const
    {
        return m_costs.*Field;
    }

    /** Set a constant of the memory. @param value the value */
    template <auto Field>
    void SetMemory(uint64_t value)
    {
        m_memoryConfig.*Field = static_cast<std::decay_t<decltype(m_memoryConfig.*Field)>>(value);
    }

    /** @return a constant of the memory. */
    template <auto Field>
    uint64_t GetMemory() const
    {
        return m_memoryConfig.*Field;
    }

    void OnTick(Peer self, uint64_t datum) override;
    void OnTickAhead(Peer self, uint64_t datum) override;

    /**
     * MPI_Isend, before the program waits.
     * @param self the rank
     * @param to destination
     * @param bytes length [bytes]
     * @param tag tag
     * @param contents stands for the data
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
     * Say what a program will wait for.
     * @param self the rank
     * @param until what
     * @param request which request
     * @return whether it need not wait
     */
    bool Prepare(Peer self, RankUntil until, RankRequest request = 0);

    /**
     * Have a program wait for what was said.
     * @param self the rank
     * @param program where to go on
     */
    void Suspend(Peer self, std::coroutine_handle<> program);

    /**
     * Forget a request that was waited for.
     * @param self the rank
     * @param request the request
     * @return what was received
     */
    RankStatus Release(Peer self, RankRequest request);

    /**
     * Forget the request that has come to its end first.
     * @param self the rank
     * @return it, and what was received
     */
    RankEnded ReleaseAny(Peer self);

    /**
     * Forget all requests, which have come to their end.
     * @param self the rank
     */
    void ReleaseAll(Peer self);

    /**
     * Forget a request as soon as it has come to its end.
     * @param self the rank
     * @param request the request
     */
    void Free(Peer self, RankRequest request);

    /** @return whether a request has come to its end. @param self the rank @param request it */
    bool IsEnded(Peer self, RankRequest request) const
    {
        return m_ranks[self].slots[request].ended;
    }

    /**
     * A request has come to its end.
     * @param state the rank
     * @param request the request
     */
    static void End(State& state, RankRequest request);

    /**
     * Compute.
     * @param self the rank
     * @param time for how long [ns]
     */
    void Compute(Peer self, Ticks time);

    /**
     * Let a program go on.
     * @param self the rank
     */
    void Resume(Peer self);

    /**
     * Wait inside MPI.
     * @param self the rank
     */
    void Enter(Peer self);

    /**
     * Handle all that has arrived.
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
     * Bring a rank into the processor's caches.
     * @param state the rank
     */
    static void Expect(const State& state);

    /**
     * Have a rank poll.
     * @param self the rank
     */
    void Wake(Peer self);

    /**
     * Post the frames that are due.
     * @param self the rank
     */
    void Post(Peer self);

    /** @return whether what a rank waits for has come to its end. @param state the rank */
    static bool IsSatisfied(const State& state);

    std::vector<State> m_ranks;               ///< All ranks.
    RankMain m_main;                          ///< Their program.
    RankConfig m_config;                      ///< The protocol's parameters.
    RankCosts m_costs;                        ///< What MPI costs; attributes.
    MemoryConfig m_memoryConfig;              ///< What memory costs; attributes.
    RankGroupCounts m_counts;                 ///< What was done.
    std::array<uint64_t, BINS> m_histogram{}; ///< Messages by length.
    std::unique_ptr<SharedMemory> m_memory;   ///< Memories of the nodes.
    Ptr<messaging::TickClock> m_clock;        ///< Counts nanoseconds.
    Ptr<RankLink> m_link;                     ///< Moves frames.
    Ticks m_end{0};                           ///< When the last program has ended [ns].
    uint32_t m_done{0};                       ///< Programs that have ended.
    uint32_t m_number{0};                     ///< The clock's number for this.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_GROUP_H
