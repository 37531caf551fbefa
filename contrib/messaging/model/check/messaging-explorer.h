/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_EXPLORER_H
#define MESSAGING_EXPLORER_H

#include "ns3/messaging-core.h"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <numeric>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Exhaustive search through everything that a group of protocol cores and a bad network can do.
 */

namespace ns3
{
namespace messaging
{

/** No limit on how often something happens on a path of a search. */
inline constexpr uint32_t UNLIMITED = 0xffffffff;

/** What an Explorer lets the network and the timers do. */
struct ExplorerOptions
{
    uint32_t losses{UNLIMITED};   ///< How many frames may be lost on a path.
    uint32_t duplicates{0};       ///< How many frames may arrive a further time on a path.
    uint32_t timeouts{UNLIMITED}; ///< How often timers may fire on a path.
    uint32_t capacity{
        2}; ///< Frames under way from one peer to another; what is sent beyond is lost, or busy.
    bool reordering{false}; ///< Frames between two peers may pass each other.
    bool stuck{true};       ///< Look for states from which the end cannot be reached.
    bool delivered{
        false};          ///< At the end, all messages have to be delivered, whatever was promised.
    bool ordered{false}; ///< Messages from one peer to another have to be delivered in order.
    uint64_t maxStates{1000000}; ///< States after which the search gives up.
    /**
     * Names the timers that outlast the network's maximum slip: armed on arrival of a frame, such a
     * timer does not fire while a frame that this one has passed is under way. Empty for none.
     * Every other timer may fire as soon as it is armed.
     */
    std::function<bool(TimerId)> outlastsSlip;
    /** Writes a frame for a counterexample; empty for its fields. */
    std::function<std::string(const Frame&)> describe;
};

/** How a search has ended. */
enum class ExplorerVerdict : uint8_t
{
    SOUND,    ///< All states within the limits were seen, and none was bad.
    VIOLATED, ///< A path leads to a violation.
    STUCK,    ///< A path leads to where the requests cannot be completed any more.
    GAVE_UP   ///< There are more states than were allowed; none of those seen was bad.
};

/**
 * Print a verdict by name.
 * @param os the stream
 * @param verdict the value
 * @return the stream
 */
inline std::ostream&
operator<<(std::ostream& os, ExplorerVerdict verdict)
{
    constexpr std::array NAMES{"sound", "violated", "stuck", "gave up"};
    return os << NAMES[static_cast<std::size_t>(verdict)];
}

/** What a search has found. */
struct ExplorerResult
{
    ExplorerVerdict verdict{ExplorerVerdict::SOUND}; ///< How it ended.
    std::string sentence;                ///< What is wrong, in one sentence; empty if nothing is.
    std::vector<std::string> path;       ///< A shortest way to it, one line a step.
    uint64_t states{0};                  ///< Different states seen.
    uint64_t transitions{0};             ///< Steps taken between them.
    std::array<uint64_t, 256> reasons{}; ///< How often the cores have noted each reason.
};

/**
 * @ingroup messaging
 * Searches all states that a group of cores can get into, shortest paths first.
 *
 * In each state anything that can happen next does: a peer posts its next request, a frame arrives,
 * arrives and stays to arrive again, or is lost, an armed timer fires, work that was asked for is
 * done. There is no time, so what holds here holds for all latencies and timeouts. By itself the
 * search looks for messages delivered twice, altered or to the wrong peer, completions that are
 * false or come twice, a core that behaves differently when copied, and states from which the
 * requests cannot all be completed.
 *
 * States are told apart by 128 bits of their canonical form (Core::Encode and what is around the
 * cores).
 *
 * @tparam Core a protocol core
 */
template <class Core>
class Explorer
{
  public:
    /** Looks at a state; answers with a sentence on what is wrong, or an empty text. */
    using Invariant = std::function<std::string(const std::vector<Core>& cores)>;

    /** Brings states that differ only in where something is counted from to one form; gets copies
     * of the cores, and of the frames under way with their receivers, to be changed. */
    using Renumbering =
        std::function<void(std::vector<Core>& cores, std::vector<std::pair<Peer, Frame>>& frames)>;

    /**
     * Constructor.
     * @param cores the cores in their first state, one a peer; 64 at most
     * @param options what may happen
     */
    Explorer(std::vector<Core> cores, ExplorerOptions options)
        : m_options(std::move(options)),
          m_script(cores.size())
    {
        m_initial.cores = std::move(cores);
    }

    /**
     * Have a peer post a message at some time, after those that were added for it before.
     * @param from the peer
     * @param request the message, to one peer or to all others; its contents has to be unique,
     * since it names the message
     */
    void AddRequest(Peer from, const Request& request)
    {
        m_script[from].push_back(static_cast<uint32_t>(m_requests.size()));
        m_requests.emplace_back(from, request);
    }

    /**
     * Set what else has to hold in every state.
     * @param invariant looks at a state
     */
    void SetInvariant(Invariant invariant)
    {
        m_invariant = std::move(invariant);
    }

    /**
     * Set how states are brought to one form before they are told apart, for protocols in which
     * something counts without bound.
     * @param renumbering changes copies such that nothing can behave differently
     */
    void SetRenumbering(Renumbering renumbering)
    {
        m_renumbering = std::move(renumbering);
    }

    /** @return the outcome of the search. */
    ExplorerResult Run();

  private:
    /** A frame under way. */
    struct Flight
    {
        Frame frame;                 ///< The frame.
        Peer from{0};                ///< Sender.
        Peer to{0};                  ///< Receiver.
        std::vector<TimerId> blocks; ///< Timers of the receiver that cannot fire before it is gone.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Flight&) const = default;
    };

    /** What has become of a request. */
    struct Fate
    {
        uint64_t delivered{0}; ///< Peers at which it has arrived, a bit each.
        bool ended{false};     ///< Its sender was told, or it was refused.
    };

    /** All there is at one moment. */
    struct State
    {
        std::vector<Core> cores;                  ///< The cores.
        std::vector<Flight> flights;              ///< Frames under way, in the order sent.
        std::vector<std::vector<TimerId>> timers; ///< Armed timers of each peer, sorted.
        std::vector<std::vector<WorkId>> work;    ///< Work of each peer that is not done, sorted.
        std::vector<uint32_t> posted;             ///< How many requests each peer has got rid of.
        std::vector<Fate> fates;                  ///< What has become of each request.
        std::vector<bool> waiting;                ///< Peers whose port was busy.
        uint32_t losses{0};                       ///< Losses so far.
        uint32_t duplicates{0};                   ///< Duplicates so far.
        uint32_t timeouts{0};                     ///< Timers fired so far.
        std::string violation;                    ///< What went wrong on the way here.
    };

    /** What can happen next. */
    enum class Kind : uint8_t
    {
        POST,      ///< A peer posts its next request.
        DELIVER,   ///< A frame arrives.
        DUPLICATE, ///< A frame arrives and will arrive again.
        LOSE,      ///< A frame is lost.
        TIMEOUT,   ///< A timer fires.
        DONE,      ///< Work is done.
        READY      ///< A port that was busy can take frames again.
    };

    /** Something that happens. */
    struct Event
    {
        Kind kind{Kind::POST}; ///< What.
        Peer peer{0};          ///< Where, except for frames.
        uint64_t which{0};     ///< Index of the frame, or number of the timer or the work.
    };

    class Host;

    /** A state that was seen, and how it was first reached. */
    struct Node
    {
        uint32_t parent; ///< The state before.
        Event event;     ///< The step.
    };

    /** 128 bits that stand for a canonical form. */
    using Key = std::pair<uint64_t, uint64_t>;

    /** Hash of a Key, which is a hash already. */
    struct KeyHash
    {
        /**
         * Get the hash.
         * @param key the key
         * @return its hash
         */
        std::size_t operator()(const Key& key) const
        {
            return key.first;
        }
    };

    /**
     * List what can happen.
     * @param state in this state
     * @return all of it, in a fixed order
     */
    std::vector<Event> ListEvents(const State& state) const;

    /**
     * Have something happen.
     * @param state the state, changed
     * @param event what happens
     * @param out where to write it down, or nullptr
     */
    void Apply(State& state, const Event& event, std::ostream* out);

    /**
     * Look whether a message has arrived wherever it was meant to.
     * @param state the state
     * @param index of the request
     * @return true if it has
     */
    bool IsDelivered(const State& state, std::size_t index) const;

    /**
     * Look whether all requests have come to their end.
     * @param state the state
     * @return true if they have
     */
    bool IsFinished(const State& state) const;

    /**
     * Reduce a state to what matters.
     * @param state the state
     * @return the same for states that cannot be told apart
     */
    Key GetKey(const State& state) const;

    /**
     * Write a frame.
     * @param frame the frame
     * @return text
     */
    std::string Describe(const Frame& frame) const;

    /**
     * Repeat a path from the start.
     * @param node where it ends
     * @return its steps, a line each
     */
    std::vector<std::string> Replay(uint32_t node);

    /**
     * Find a state from which none of the wanted states can be reached.
     * @param wanted which states are wanted, by number
     * @return the first such state, or the number of states if there is none
     */
    uint32_t FindStuck(std::vector<bool> wanted) const;

    /** States whose every step is taken twice, from copies that have to agree. */
    static constexpr uint32_t COPY_CHECKED = 256;

    ExplorerOptions m_options;                          ///< What may happen.
    State m_initial;                                    ///< The first state.
    std::vector<std::pair<Peer, Request>> m_requests;   ///< All requests, with their senders.
    std::vector<std::vector<uint32_t>> m_script;        ///< Requests of each peer, in order.
    Invariant m_invariant;                              ///< What else has to hold.
    Renumbering m_renumbering;                          ///< Brings states to one form.
    std::vector<Node> m_nodes;                          ///< All states seen.
    std::vector<std::pair<uint32_t, uint32_t>> m_steps; ///< All steps, as pairs of states.
    std::array<uint64_t, 256> m_reasons{};              ///< Reasons noted.
};

} // namespace messaging
} // namespace ns3

#include "ns3/messaging-explorer-host.h"
#include "ns3/messaging-explorer-search.h"

#endif // MESSAGING_EXPLORER_H
