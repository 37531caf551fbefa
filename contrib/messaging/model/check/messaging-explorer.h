/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_EXPLORER_H
#define MESSAGING_EXPLORER_H

#include "ns3/messaging-core-store.h"

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Exhaustive search through the states of a group of protocol cores and an unreliable network.
 */

namespace ns3
{
namespace messaging
{

/** No limit for a count of events on a path of a search. */
inline constexpr uint32_t UNLIMITED = 0xffffffff;

/** Limits of a search: faults of the network, timers, and what is checked. */
struct ExplorerOptions
{
    uint32_t losses{UNLIMITED};   ///< Most losses on a path, or UNLIMITED.
    uint32_t duplicates{0};       ///< Most duplicates on a path, or UNLIMITED.
    uint32_t timeouts{UNLIMITED}; ///< Most timer expiries on a path, or UNLIMITED.
    uint32_t capacity{2}; ///< Most frames in flight from one peer to another; beyond it, frames are
                          ///< lost, or the port is busy.
    bool sharedPort{false}; ///< The capacity holds for all frames in flight to a peer: those that
                            ///< meet at its port collide.
    bool reordering{false}; ///< Frames between two peers may pass each other.
    bool patient{false};    ///< Timers fire only while no frame is in flight, no work is to be done
                            ///< and no port is waited for, as long timeouts do.
    bool stuck{true};       ///< Find states from which the end cannot be reached.
    bool fair{false};       ///< Find cycles that never reach the end, although each frame in flight
                            ///< arrives, each armed timer fires and faults cease.
    bool delivered{false};  ///< At the end, all messages have to be delivered.
    bool ordered{false};    ///< Messages from one peer to another have to be delivered in order.
    bool symmetry{true}; ///< States that differ only by names are one (Symmetry); not in a search
                         ///< for fair cycles.
    bool order{true};    ///< Of events at peers that do not affect each other, one order is enough;
                         ///< not in a search for fair cycles.
    uint64_t maxStates{1000000}; ///< States after which the search gives up.
    uint64_t memory{0}; ///< Most memory of the search, at which it gives up [bytes]; 0 for any.
    bool bits{false};   ///< States are marked in a bit array of half of this memory, and paths kept
                        ///< in a temporary file: neither the way to the end nor cycles are looked
                        ///< at then, and states may be omitted.
    uint32_t threads{1}; ///< Threads; 0 for one a processor.
    /**
     * Names the timers that outlast the network's maximum slip: armed on arrival of a frame, such a
     * timer does not fire while a frame that this one has passed is in flight. Empty for those that
     * the core names. Every other timer may fire as soon as it is armed.
     */
    std::function<bool(TimerId)> outlastsSlip;
    /** Writes a frame for a counterexample; empty for the core's way. */
    std::function<std::string(const Frame&)> describe;
};

/** How a search has ended. */
enum class ExplorerVerdict : uint8_t
{
    SOUND,    ///< All states within the limits were visited, without a violation.
    VIOLATED, ///< A path leads to a violation.
    STUCK,    ///< A path leads to a state from which the requests cannot be completed.
    LIVELOCK, ///< A path leads to a cycle that is fair and never completes the requests.
    GAVE_UP   ///< There are more states than allowed, in number or memory; none of those visited
              ///< has a violation, or is stuck whatever the others may be.
};

/**
 * Print a verdict by name.
 * @param os the stream
 * @param verdict the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, ExplorerVerdict verdict);

/** A frame on the path to a violation: an arrow of its chart. */
struct ExplorerArrow
{
    std::string label;   ///< The frame.
    Peer from{0};        ///< Sender.
    Peer to{0};          ///< Receiver.
    uint32_t sent{0};    ///< Step in which it was sent, from 0.
    uint32_t ended{0};   ///< Step in which it arrived or was lost; UNLIMITED if it is in flight.
    bool arrived{false}; ///< It has arrived.
};

/** A step on the path to a violation. */
struct ExplorerStep
{
    std::string text;                ///< One line.
    EventKind kind{EventKind::POST}; ///< Kind of the event.
    Peer peer{0};                    ///< The peer that acts, or that a lost frame was for.
    bool repeats{false};             ///< It belongs to the cycle that is repeated for ever.
};

/** Result of a search. */
struct ExplorerResult
{
    ExplorerVerdict verdict{ExplorerVerdict::SOUND}; ///< Verdict.
    std::string sentence;              ///< The violation, in one sentence; empty if there is none.
    std::vector<std::string> path;     ///< A shortest path to it, one line a step.
    std::vector<ExplorerStep> steps;   ///< The same path.
    std::vector<ExplorerArrow> arrows; ///< Frames on the path, in the order sent.
    uint64_t states{0};                ///< Different states visited.
    uint64_t transitions{0};           ///< Steps taken between them.
    uint64_t depth{0};                 ///< Steps to the farthest state.
    uint64_t cores{0};                 ///< Different states of cores.
    uint64_t memory{0};                ///< Largest memory of states, steps and frontier [bytes].
    double omission{0};                ///< Probability that a state was taken for another.
    std::array<uint64_t, 256> reasons{}; ///< Counts of the reasons noted in different steps.
};

/**
 * Search all reachable states of a group of cores, shortest paths first.
 *
 * Verdict and path are the same for any number of threads, unless the search gives up.
 *
 * @param cores the cores
 * @param requests messages with their senders, posted in this order at each peer; 64 at most
 * @param starts requests that are accepted before the search begins, and that have no end
 * @param options limits of the search
 * @return the outcome
 */
ExplorerResult Explore(CoreStore& cores,
                       const std::vector<std::pair<Peer, Request>>& requests,
                       const std::vector<std::pair<Peer, Request>>& starts,
                       const ExplorerOptions& options);

/**
 * @ingroup messaging
 * Searches all reachable states of a group of cores, shortest paths first.
 *
 * Each state is followed by all possible events: a peer posts its next request, a frame arrives,
 * arrives and stays to arrive again, or is lost, an armed timer fires, requested work is done.
 * There is no time, so the results hold for all latencies and timeouts. Violations are messages
 * delivered twice, altered or to the wrong peer, false or repeated completions, a core that behaves
 * differently when copied, states from which the requests cannot all be completed, and, if asked
 * for, fair cycles in which they never are.
 *
 * A state is a few numbers: for each peer that of its local state, which is kept once with its core
 * (Core::Encode), timers, work and requests, and one for each frame in flight. States are
 * distinguished by a fingerprint of 64 bits.
 *
 * @tparam Core a protocol core
 */
template <class Core>
class Explorer
{
  public:
    /** Checks a state; returns a sentence on what is wrong, or an empty text. */
    using Invariant = typename CoresOf<Core>::Invariant;

    /** Checks a core; returns a sentence on what is wrong, or an empty text. */
    using CoreInvariant = typename CoresOf<Core>::CoreInvariant;

    /** Renumbers a state, without a change of behaviour. */
    using Renumbering = typename CoresOf<Core>::Renumbering;

    /**
     * Constructor.
     * @param cores the cores in their first state, one a peer; 64 at most
     * @param options limits of the search
     */
    Explorer(std::vector<Core> cores, ExplorerOptions options)
        : m_options(std::move(options)),
          m_cores(std::move(cores))
    {
    }

    /**
     * Add a message that a peer posts at any time, after those added for it before.
     * @param from the peer
     * @param request the message, to one peer or to all others; its contents has to be unique,
     * since it names the message
     */
    void AddRequest(Peer from, const Request& request)
    {
        m_requests.emplace_back(from, request);
    }

    /**
     * Set a further invariant of all cores together.
     * @param invariant checks a state
     */
    void SetInvariant(Invariant invariant)
    {
        m_cores.invariant = std::move(invariant);
    }

    /**
     * Set a further invariant of each core.
     * @param invariant checks a core
     */
    void SetCoreInvariant(CoreInvariant invariant)
    {
        m_cores.coreInvariant = std::move(invariant);
    }

    /**
     * Set the renumbering of states, for protocols with counts without bound.
     * @param renumbering changes cores and frames without a change of behaviour
     */
    void SetRenumbering(Renumbering renumbering)
    {
        m_cores.renumbering = std::move(renumbering);
    }

    /** @return the outcome of the search. */
    ExplorerResult Run()
    {
        return Explore(m_cores, m_requests, {}, m_options);
    }

  private:
    ExplorerOptions m_options;                        ///< The limits.
    CoresOf<Core> m_cores;                            ///< The cores.
    std::vector<std::pair<Peer, Request>> m_requests; ///< All requests, with their senders.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_EXPLORER_H
