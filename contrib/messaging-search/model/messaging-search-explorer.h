/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SEARCH_EXPLORER_H
#define MESSAGING_SEARCH_EXPLORER_H

#include "ns3/messaging-search-core-store.h"

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Exhaustive search of the states of a group of protocol cores and an unreliable network.
 */

namespace ns3
{
namespace messaging
{

/** No limit for a count of events on a path of a search. */
inline constexpr uint32_t UNLIMITED = 0xffffffff;

/** Options of a search: limits of faults and timers, checks, and resources. */
struct ExplorerOptions
{
    uint32_t losses{UNLIMITED};   ///< Maximum losses on a path, or UNLIMITED.
    uint32_t duplicates{0};       ///< Maximum duplicates on a path, or UNLIMITED.
    uint32_t timeouts{UNLIMITED}; ///< Maximum timer expiries on a path, or UNLIMITED.
    /** Maximum frames in flight from one peer to another; beyond it, frames are lost or the port is
     * busy. */
    uint32_t capacity{2};
    bool sharedPort{false}; ///< Apply the capacity to all frames in flight to a peer together.
    bool reordering{false}; ///< Frames between two peers may overtake each other.
    bool marks{false};      ///< Frames may arrive with MARK_CONGESTION.
    bool trims{false};      ///< Frames with payload may arrive trimmed, at cores that take them.
    uint32_t paths{1};      ///< Paths between two peers; frames on different ones may overtake.
    /** Timers are long: they fire only when no frame is in flight, no work is pending and no peer
     * waits for a busy port. */
    bool patient{false};
    bool stuck{true}; ///< Find states from which the end cannot be reached.
    /** Find cycles that never reach the end, although each frame in flight arrives, each armed
     * timer fires and faults cease. */
    bool fair{false};
    bool delivered{false}; ///< At the end, all messages must be delivered.
    bool ordered{false};   ///< Messages from one peer to another must be delivered in order.
    bool symmetry{true};   ///< Merge states that differ only by names (Symmetry), unless `fair`.
    uint64_t maxStates{1000000}; ///< Maximum number of states.
    uint64_t memory{0};          ///< Maximum memory of the search [bytes]; 0 for no limit.
    /** Mark states in a bit array of half of this memory, and keep paths in a temporary file. The
     * search then checks neither whether the end can be reached nor cycles, and may omit states. */
    bool bits{false};
    uint32_t threads{1}; ///< Number of threads; 0 for one per processor.
    std::function<std::string(const Frame&)> describe{DescribeFrame}; ///< Labels a frame.
};

/** Verdict of a search. */
enum class ExplorerVerdict : uint8_t
{
    SOUND,    ///< All states within the limits were visited; there is no violation.
    VIOLATED, ///< A path leads to a violation.
    STUCK,    ///< A path leads to a state from which the requests cannot be completed.
    LIVELOCK, ///< A path leads to a cycle that is fair and never completes the requests.
    GAVE_UP   ///< The states exceed the limit of number or memory; no violation was found.
};

/**
 * Print a verdict by name.
 * @param os the stream
 * @param verdict the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, ExplorerVerdict verdict);

/** A frame on the path to a violation, as an arrow of a sequence chart. */
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
    std::string text;                ///< Description in one line.
    std::string state;               ///< State of the acting peer's core after it.
    EventKind kind{EventKind::POST}; ///< Kind of the event.
    Peer peer{0};                    ///< The acting peer, or the destination of a lost frame.
    bool repeats{false};             ///< It belongs to the cycle.
};

/** Result of a search. */
struct ExplorerResult
{
    ExplorerVerdict verdict{ExplorerVerdict::SOUND}; ///< Verdict.
    std::string sentence;              ///< The violation, in one sentence; empty if there is none.
    std::vector<ExplorerStep> steps;   ///< A shortest path to it.
    std::vector<ExplorerArrow> arrows; ///< Frames on the path, in the order sent.
    uint64_t states{0};                ///< Distinct states visited.
    uint64_t transitions{0};           ///< Steps taken between them.
    uint64_t depth{0};                 ///< Steps to the farthest state.
    uint64_t cores{0};                 ///< Distinct states of cores.
    uint64_t memory{0};                ///< Peak memory of states, steps and frontier [bytes].
    double omission{0};                ///< Probability that a state was taken for another.
    bool reused{false}; ///< A Frame::id was used again for another message: numbers have wrapped.
    std::array<uint64_t, 256> reasons{}; ///< Counts of the reasons noted in distinct steps.
};

/**
 * Search all reachable states of a group of cores, shortest paths first.
 *
 * Verdict and path are the same for any number of threads, unless the search gives up.
 *
 * @param cores the cores
 * @param requests messages with their senders, at most 64, posted in this order at each peer
 * @param starts requests that are accepted before the search begins and have no end
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
 * From each state, the search takes all possible events: a peer posts its next request; a frame
 * arrives, arrives and remains in flight, or is lost; an armed timer fires; requested work is done.
 * There is no time, so the results hold for all latencies and timeouts. Violations are messages
 * delivered twice, altered or to the wrong peer; false or repeated completions; a core that behaves
 * differently when copied; two cores that Core::Encode does not distinguish, but that act
 * differently; states from which the requests cannot all be completed; and, if
 * requested, fair cycles that never complete them.
 *
 * A state consists of a number for each peer's local state and one for each frame in flight. A
 * local state, with core (Core::Encode), timers, work and requests, is stored once. Fingerprints of
 * 64 bits distinguish the states.
 *
 * @tparam Core a protocol core
 */
template <class Core>
class Explorer
{
  public:
    /**
     * Constructor.
     * @param cores the cores in their initial state, one for each peer; at most 64
     * @param options limits of the search
     */
    Explorer(std::vector<Core> cores, ExplorerOptions options)
        : m_options(std::move(options)),
          m_cores(std::move(cores))
    {
    }

    /**
     * Add a message that a peer posts at any time after those added for it before.
     * @param from the peer
     * @param request the message, to one peer or to all others; its contents must be unique, since
     * they identify the message
     */
    void AddRequest(Peer from, const Request& request)
    {
        m_requests.emplace_back(from, request);
    }

    /**
     * Set an additional invariant of all cores together.
     * @param invariant checks a state; returns a sentence on the violation, or an empty string
     */
    void SetInvariant(typename CoresOf<Core>::Invariant invariant)
    {
        m_cores.invariant = std::move(invariant);
    }

    /**
     * Set the renumbering of states, for protocols with unbounded counts.
     * @param renumbering renumbers cores and frames without a change of behaviour
     */
    void SetRenumbering(typename CoresOf<Core>::Renumbering renumbering)
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

#endif // MESSAGING_SEARCH_EXPLORER_H
