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
    uint32_t losses{UNLIMITED};   ///< Most losses on a path.
    uint32_t duplicates{0};       ///< Most duplicates on a path.
    uint32_t timeouts{UNLIMITED}; ///< Most timer expiries on a path.
    uint32_t capacity{2}; ///< Most frames in flight from one peer to another; beyond it, frames are
                          ///< lost, or the port is busy.
    bool reordering{false}; ///< Frames between two peers may pass each other.
    bool stuck{true};       ///< Find states from which the end cannot be reached.
    bool delivered{false};  ///< At the end, all messages have to be delivered.
    bool ordered{false};    ///< Messages from one peer to another have to be delivered in order.
    uint64_t maxStates{1000000}; ///< States after which the search gives up.
    /**
     * Names the timers that outlast the network's maximum slip: armed on arrival of a frame, such a
     * timer does not fire while a frame that this one has passed is in flight. Empty for none.
     * Every other timer may fire as soon as it is armed.
     */
    std::function<bool(TimerId)> outlastsSlip;
    /** Writes a frame for a counterexample; empty for its fields. */
    std::function<std::string(const Frame&)> describe;
};

/** How a search has ended. */
enum class ExplorerVerdict : uint8_t
{
    SOUND,    ///< All states within the limits were visited, without a violation.
    VIOLATED, ///< A path leads to a violation.
    STUCK,    ///< A path leads to a state from which the requests cannot be completed.
    GAVE_UP   ///< There are more states than allowed; none of those visited has a violation.
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

/** Result of a search. */
struct ExplorerResult
{
    ExplorerVerdict verdict{ExplorerVerdict::SOUND}; ///< Verdict.
    std::string sentence;          ///< The violation, in one sentence; empty if there is none.
    std::vector<std::string> path; ///< A shortest path to it, one line a step.
    uint64_t states{0};            ///< Different states visited.
    uint64_t transitions{0};       ///< Steps taken between them.
    std::array<uint64_t, 256> reasons{}; ///< Counts of the reasons noted by the cores.
};

/**
 * @ingroup messaging
 * Searches all reachable states of a group of cores, shortest paths first.
 *
 * Each state is followed by all possible events: a peer posts its next request, a frame arrives,
 * arrives and stays to arrive again, or is lost, an armed timer fires, requested work is done.
 * There is no time, so the results hold for all latencies and timeouts. Violations are messages
 * delivered twice, altered or to the wrong peer, false or repeated completions, a core that behaves
 * differently when copied, and states from which the requests cannot all be completed.
 *
 * States are distinguished by 128 bits of their canonical form (Core::Encode, the frames in flight,
 * timers and work).
 *
 * @tparam Core a protocol core
 */
template <class Core>
class Explorer
{
  public:
    /** Checks a state; returns a sentence on what is wrong, or an empty text. */
    using Invariant = std::function<std::string(const std::vector<Core>& cores)>;

    /** Renumbers a state, so that states that differ only by the origin of a count become equal;
     * changes copies of the cores, and of the frames in flight with their receivers. */
    using Renumbering =
        std::function<void(std::vector<Core>& cores, std::vector<std::pair<Peer, Frame>>& frames)>;

    /**
     * Constructor.
     * @param cores the cores in their first state, one a peer; 64 at most
     * @param options limits of the search
     */
    Explorer(std::vector<Core> cores, ExplorerOptions options)
        : m_options(std::move(options)),
          m_script(cores.size())
    {
        m_initial.cores = std::move(cores);
    }

    /**
     * Add a message that a peer posts at any time, after those added for it before.
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
     * Set a further invariant.
     * @param invariant checks a state
     */
    void SetInvariant(Invariant invariant)
    {
        m_invariant = std::move(invariant);
    }

    /**
     * Set the renumbering of states, for protocols with counts without bound.
     * @param renumbering changes copies without a change of behaviour
     */
    void SetRenumbering(Renumbering renumbering)
    {
        m_renumbering = std::move(renumbering);
    }

    /** @return the outcome of the search. */
    ExplorerResult Run()
    {
        static_assert(ProtocolCore<Core, Host>, "An Explorer drives a protocol core.");
        const auto nPeers = m_initial.cores.size();
        m_initial.timers.assign(nPeers, {});
        m_initial.work.assign(nPeers, {});
        m_initial.posted.assign(nPeers, 0);
        m_initial.waiting.assign(nPeers, false);
        m_initial.fates.assign(m_requests.size(), Fate{});
        m_nodes.assign(1, Node{0, Event{}});
        m_steps.clear();
        m_reasons.fill(0);

        ExplorerResult result;
        std::unordered_map<Key, uint32_t, KeyHash> known{{GetKey(m_initial), 0}};
        std::vector<bool> wanted{IsFinished(m_initial)};
        std::deque<State> frontier{m_initial};
        uint32_t bad = UNLIMITED;
        bool complete = true;
        for (uint32_t current = 0; !frontier.empty() && bad == UNLIMITED; ++current)
        {
            const State state = std::move(frontier.front());
            frontier.pop_front();
            for (const auto& event : ListEvents(state))
            {
                State next = state;
                Apply(next, event, nullptr);
                ++result.transitions;
                if (current < COPY_CHECKED && next.violation.empty())
                {
                    State again = state;
                    Apply(again, event, nullptr);
                    if (!(again.cores == next.cores))
                    {
                        next.violation = "A core has behaved differently when it was copied.";
                    }
                }
                if (m_invariant && next.violation.empty())
                {
                    next.violation = m_invariant(next.cores);
                }
                const auto index = static_cast<uint32_t>(m_nodes.size());
                const auto [place, isNew] = known.try_emplace(GetKey(next), index);
                if (m_options.stuck && (isNew || next.violation.empty()))
                {
                    m_steps.emplace_back(current, place->second);
                }
                if (isNew || !next.violation.empty())
                {
                    m_nodes.push_back(Node{current, event});
                    wanted.push_back(IsFinished(next) || next.timeouts >= m_options.timeouts);
                }
                if (!next.violation.empty())
                {
                    bad = index;
                    result.verdict = ExplorerVerdict::VIOLATED;
                    result.sentence = next.violation;
                    break;
                }
                if (isNew && m_nodes.size() > m_options.maxStates)
                {
                    complete = false;
                    frontier.clear();
                    break;
                }
                if (isNew)
                {
                    frontier.push_back(std::move(next));
                }
            }
        }
        if (bad == UNLIMITED && !complete)
        {
            result.verdict = ExplorerVerdict::GAVE_UP;
            result.sentence = "There are more states than were allowed.";
        }
        else if (bad == UNLIMITED && m_options.stuck)
        {
            const auto stuck = FindStuck(wanted);
            if (stuck < m_nodes.size())
            {
                bad = stuck;
                result.verdict = ExplorerVerdict::STUCK;
                result.sentence = "From here the requests cannot all be completed any more.";
            }
        }
        result.states = m_nodes.size();
        result.reasons = m_reasons;
        if (bad != UNLIMITED)
        {
            result.path = Replay(bad);
        }
        return result;
    }

  private:
    /** A frame in flight. */
    struct Flight
    {
        Frame frame;                 ///< The frame.
        Peer from{0};                ///< Sender.
        Peer to{0};                  ///< Receiver.
        std::vector<TimerId> blocks; ///< Timers of the receiver that cannot fire before it arrives.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Flight&) const = default;
    };

    /** State of a request. */
    struct Fate
    {
        uint64_t delivered{0}; ///< Peers at which it has arrived, a bit each.
        bool ended{false};     ///< It is completed, or was refused.
    };

    /** A state of the search. */
    struct State
    {
        std::vector<Core> cores;                  ///< The cores.
        std::vector<Flight> flights;              ///< Frames in flight, in the order sent.
        std::vector<std::vector<TimerId>> timers; ///< Armed timers of each peer, sorted.
        std::vector<std::vector<WorkId>> work;    ///< Work of each peer that is not done, sorted.
        std::vector<uint32_t> posted;             ///< Requests that each peer has posted.
        std::vector<Fate> fates;                  ///< State of each request.
        std::vector<bool> waiting;                ///< Peers whose port was busy.
        uint32_t losses{0};                       ///< Losses so far.
        uint32_t duplicates{0};                   ///< Duplicates so far.
        uint32_t timeouts{0};                     ///< Timers fired so far.
        std::string violation;                    ///< Violation on the path to it.
    };

    /** Kinds of events. */
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

    /** An event. */
    struct Event
    {
        Kind kind{Kind::POST}; ///< Kind.
        Peer peer{0};          ///< Its peer, except for frames.
        uint64_t which{0};     ///< Index of the frame, or number of the timer or the work.
    };

    /** Actions of the cores of a search. */
    class Host
    {
      public:
        /**
         * Constructor.
         * @param explorer the search
         * @param state the state, changed by the core's actions
         * @param self the peer whose core acts
         * @param passed frames that the frame being handled has passed
         * @param out description of the core's actions, or nullptr
         */
        Host(Explorer& explorer,
             State& state,
             Peer self,
             std::vector<std::size_t> passed,
             std::ostream* out)
            : m_explorer(explorer),
              m_state(state),
              m_self(self),
              m_passed(std::move(passed)),
              m_out(out)
        {
        }

        /**
         * Send a frame. A broadcast becomes a frame to each other peer.
         * @param to the peer it is for, or NO_PEER
         * @param frame the frame
         * @return false if the port is busy
         */
        bool Send(Peer to, const Frame& frame)
        {
            std::vector<Peer> receivers{to};
            if (to == NO_PEER)
            {
                receivers.resize(m_state.cores.size());
                std::iota(receivers.begin(), receivers.end(), 0);
                std::erase(receivers, m_self);
            }
            if (m_explorer.m_options.losses == 0 &&
                std::any_of(receivers.begin(), receivers.end(), [this](Peer p) {
                    return IsFull(p);
                }))
            {
                m_state.waiting[m_self] = true;
                Write([&](auto& os) { os << ", finds its port busy"; });
                return false;
            }
            for (const Peer peer : receivers)
            {
                const bool full = IsFull(peer);
                if (!full)
                {
                    m_state.flights.push_back(Flight{frame, m_self, peer, {}});
                }
                Write([&](auto& os) {
                    os << ", sends " << m_explorer.Describe(frame) << " to peer " << peer
                       << (full ? " (lost)" : "");
                });
            }
            return true;
        }

        /** @return the distance of any two peers [ticks]. */
        Ticks Distance(Peer) const
        {
            return 1;
        }

        /** @return the length of any frame [ticks]. */
        Ticks WireTicks(const Frame&) const
        {
            return 1;
        }

        /**
         * Arm a timer.
         * @param id which
         */
        void Arm(TimerId id, Ticks)
        {
            Cancel(id);
            auto& timers = m_state.timers[m_self];
            timers.insert(std::upper_bound(timers.begin(), timers.end(), id), id);
            if (m_explorer.m_options.outlastsSlip && m_explorer.m_options.outlastsSlip(id))
            {
                for (const auto index : m_passed)
                {
                    m_state.flights[index].blocks.push_back(id);
                }
            }
            Write([&](auto& os) { os << ", arms timer " << id; });
        }

        /**
         * Disarm a timer.
         * @param id which
         */
        void Cancel(TimerId id)
        {
            std::erase(m_state.timers[m_self], id);
            for (auto& flight : m_state.flights)
            {
                if (flight.to == m_self)
                {
                    std::erase(flight.blocks, id);
                }
            }
        }

        /**
         * Request work.
         * @param work the work
         */
        void Do(const Work& work)
        {
            auto& pending = m_state.work[m_self];
            pending.insert(std::upper_bound(pending.begin(), pending.end(), work.id), work.id);
        }

        /**
         * Deliver a message.
         * @param delivery the message
         */
        void Deliver(const Delivery& delivery)
        {
            Write([&](auto& os) {
                os << ", delivers message " << delivery.id << " of peer " << delivery.from;
            });
            for (std::size_t i = 0; i < m_explorer.m_requests.size(); ++i)
            {
                const auto& [from, request] = m_explorer.m_requests[i];
                if (request.contents != delivery.contents)
                {
                    continue;
                }
                const bool meant = request.to == NO_PEER ? from != m_self : request.to == m_self;
                if (!meant || from != delivery.from || request.bytes != delivery.bytes ||
                    request.tag != delivery.tag)
                {
                    Violate("A message was delivered to the wrong peer, or altered");
                }
                else if (m_state.fates[i].delivered >> m_self & 1)
                {
                    Violate("A message was delivered twice");
                }
                m_state.fates[i].delivered |= uint64_t{1} << m_self;
                for (std::size_t later = i + 1; later < m_explorer.m_requests.size(); ++later)
                {
                    if (m_explorer.m_options.ordered &&
                        m_explorer.m_requests[later].first == from &&
                        (m_state.fates[later].delivered >> m_self & 1))
                    {
                        Violate("A message was delivered after one that was posted later");
                    }
                }
                return;
            }
            Violate("A message was delivered that nobody has posted");
        }

        /**
         * End a request.
         * @param id which
         * @param completion how
         */
        void Complete(RequestId id, Completion completion)
        {
            Write([&](auto& os) { os << ", completes request " << id << " as " << completion; });
            for (std::size_t i = 0; i < m_explorer.m_requests.size(); ++i)
            {
                const auto& [from, request] = m_explorer.m_requests[i];
                if (from != m_self || request.id != id || m_state.fates[i].ended)
                {
                    continue;
                }
                if (completion == Completion::DELIVERED && !m_explorer.IsDelivered(m_state, i))
                {
                    Violate("A message was reported as delivered before it was");
                }
                m_state.fates[i].ended = true;
                return;
            }
            Violate("A request was completed that is not pending");
        }

        /**
         * Count a reason.
         * @param reason the reason
         */
        void Note(Reason reason)
        {
            ++m_explorer.m_reasons[reason];
        }

      private:
        /**
         * Check whether the channel to a peer is full.
         * @param to the peer
         * @return true if it does not
         */
        bool IsFull(Peer to) const
        {
            const auto inFlight = std::count_if(
                m_state.flights.begin(),
                m_state.flights.end(),
                [&](const Flight& flight) { return flight.from == m_self && flight.to == to; });
            return inFlight >= static_cast<int64_t>(m_explorer.m_options.capacity);
        }

        /**
         * Describe an action, if a description is wanted.
         * @param write writes to a stream
         */
        template <class F>
        void Write(F write)
        {
            if (m_out)
            {
                write(*m_out);
            }
        }

        /**
         * Keep a violation.
         * @param sentence names it, without a full stop
         */
        void Violate(const std::string& sentence)
        {
            if (m_state.violation.empty())
            {
                m_state.violation = sentence + ".";
            }
        }

        Explorer& m_explorer;              ///< The search.
        State& m_state;                    ///< The state.
        Peer m_self;                       ///< The peer whose core acts.
        std::vector<std::size_t> m_passed; ///< Frames that the frame being handled has passed.
        std::ostream* m_out;               ///< Description of the core's actions, or nullptr.
    };

    /** A visited state, and how it was first reached. */
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
     * List the possible events.
     * @param state in this state
     * @return the events, in a fixed order
     */
    std::vector<Event> ListEvents(const State& state) const
    {
        std::vector<Event> events;
        const auto nPeers = static_cast<Peer>(state.cores.size());
        for (Peer peer = 0; peer < nPeers; ++peer)
        {
            if (state.posted[peer] < m_script[peer].size())
            {
                events.push_back(Event{Kind::POST, peer, 0});
            }
            for (const auto work : state.work[peer])
            {
                events.push_back(Event{Kind::DONE, peer, work});
            }
            if (state.waiting[peer])
            {
                events.push_back(Event{Kind::READY, peer, 0});
            }
        }
        for (std::size_t i = 0; i < state.flights.size(); ++i)
        {
            const auto& flight = state.flights[i];
            const auto end = state.flights.begin() + static_cast<int64_t>(i);
            // Among equal frames, and in a channel that keeps order, the first stands for all.
            if (std::any_of(state.flights.begin(), end, [&](const Flight& earlier) {
                    return m_options.reordering
                               ? earlier == flight
                               : earlier.from == flight.from && earlier.to == flight.to;
                }))
            {
                continue;
            }
            events.push_back(Event{Kind::DELIVER, 0, i});
            if (state.duplicates < m_options.duplicates)
            {
                events.push_back(Event{Kind::DUPLICATE, 0, i});
            }
            if (state.losses < m_options.losses)
            {
                events.push_back(Event{Kind::LOSE, 0, i});
            }
        }
        for (Peer peer = 0; peer < nPeers && state.timeouts < m_options.timeouts; ++peer)
        {
            for (const auto timer : state.timers[peer])
            {
                const bool blocked = std::any_of(
                    state.flights.begin(),
                    state.flights.end(),
                    [&](const Flight& flight) {
                        return flight.to == peer &&
                               std::count(flight.blocks.begin(), flight.blocks.end(), timer) > 0;
                    });
                if (!blocked)
                {
                    events.push_back(Event{Kind::TIMEOUT, peer, timer});
                }
            }
        }
        return events;
    }

    /**
     * Apply an event.
     * @param state the state, changed
     * @param event the event
     * @param out description of the event, or nullptr
     */
    void Apply(State& state, const Event& event, std::ostream* out)
    {
        const auto count = [](uint32_t& counter, uint32_t limit) {
            counter += limit == UNLIMITED ? 0 : 1;
        };
        const auto say = [out](const auto&... parts) {
            if (out)
            {
                (*out << ... << parts);
            }
        };
        switch (event.kind)
        {
        case Kind::POST: {
            const auto index = m_script[event.peer][state.posted[event.peer]];
            const auto& request = m_requests[index].second;
            say("Peer ", event.peer, " posts request ", request.id, " to ");
            request.to == NO_PEER ? say("all others") : say("peer ", request.to);
            Host host(*this, state, event.peer, {}, out);
            const Acceptance acceptance = state.cores[event.peer].OnRequest(request, host);
            state.posted[event.peer] += acceptance == Acceptance::STALLED ? 0 : 1;
            state.fates[index].ended |= acceptance == Acceptance::REFUSED;
            say(", which is ", acceptance, ".");
            return;
        }
        case Kind::DELIVER:
        case Kind::DUPLICATE: {
            const Flight flight = state.flights[event.which];
            say("Peer ",
                flight.to,
                " receives ",
                Describe(flight.frame),
                " from peer ",
                flight.from);
            std::vector<std::size_t> passed;
            for (std::size_t i = 0; i < event.which; ++i)
            {
                if (state.flights[i].from == flight.from && state.flights[i].to == flight.to)
                {
                    passed.push_back(i);
                }
            }
            if (event.kind == Kind::DELIVER)
            {
                state.flights.erase(state.flights.begin() + static_cast<int64_t>(event.which));
            }
            else
            {
                count(state.duplicates, m_options.duplicates);
                passed.push_back(event.which);
                say(" (a copy stays in flight)");
            }
            Host host(*this, state, flight.to, std::move(passed), out);
            state.cores[flight.to].OnFrame(flight.from, flight.frame, host);
            break;
        }
        case Kind::LOSE: {
            const auto& flight = state.flights[event.which];
            say(Describe(flight.frame),
                " from peer ",
                flight.from,
                " to peer ",
                flight.to,
                " is lost");
            count(state.losses, m_options.losses);
            state.flights.erase(state.flights.begin() + static_cast<int64_t>(event.which));
            break;
        }
        case Kind::TIMEOUT: {
            say("Timer ", event.which, " of peer ", event.peer, " fires");
            count(state.timeouts, m_options.timeouts);
            Host host(*this, state, event.peer, {}, out);
            host.Cancel(event.which);
            state.cores[event.peer].OnTimer(event.which, host);
            break;
        }
        case Kind::DONE: {
            say("Work ", event.which, " of peer ", event.peer, " is done");
            std::erase(state.work[event.peer], event.which);
            Host host(*this, state, event.peer, {}, out);
            state.cores[event.peer].OnDone(event.which, host);
            break;
        }
        case Kind::READY: {
            say("Peer ", event.peer, " can send again");
            state.waiting[event.peer] = false;
            Host host(*this, state, event.peer, {}, out);
            state.cores[event.peer].OnReady(host);
            break;
        }
        }
        say(".");
    }

    /**
     * Check whether a message has arrived at all its destinations.
     * @param state the state
     * @param index of the request
     * @return true if it has
     */
    bool IsDelivered(const State& state, std::size_t index) const
    {
        const auto& [from, request] = m_requests[index];
        const uint64_t all = ~uint64_t{0} >> (64 - state.cores.size());
        const uint64_t meant =
            request.to == NO_PEER ? all & ~(uint64_t{1} << from) : uint64_t{1} << request.to;
        return (state.fates[index].delivered & meant) == meant;
    }

    /**
     * Check whether all requests have ended.
     * @param state the state
     * @return true if they have
     */
    bool IsFinished(const State& state) const
    {
        for (Peer peer = 0; peer < m_script.size(); ++peer)
        {
            if (state.posted[peer] < m_script[peer].size())
            {
                return false;
            }
        }
        for (std::size_t i = 0; i < state.fates.size(); ++i)
        {
            if (!state.fates[i].ended || (m_options.delivered && !IsDelivered(state, i)))
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Compute the key of a state.
     * @param state the state
     * @return its key, equal for equal canonical forms
     */
    Key GetKey(const State& state) const
    {
        std::vector<Core> renumbered;
        std::vector<std::pair<Peer, Frame>> frames;
        frames.reserve(state.flights.size());
        for (const auto& flight : state.flights)
        {
            frames.emplace_back(flight.to, flight.frame);
        }
        if (m_renumbering)
        {
            renumbered = state.cores;
            m_renumbering(renumbered, frames);
        }
        const auto& cores = m_renumbering ? renumbered : state.cores;
        Encoder encoder;
        const auto putAll = [&encoder](const auto& values) {
            encoder.Put(values.size());
            for (const auto value : values)
            {
                encoder.Put(static_cast<uint64_t>(value));
            }
        };
        for (std::size_t peer = 0; peer < cores.size(); ++peer)
        {
            const auto before = encoder.GetWords().size();
            cores[peer].Encode(encoder);
            encoder.Put(encoder.GetWords().size() - before);
            putAll(state.timers[peer]);
            putAll(state.work[peer]);
            encoder.Put(state.posted[peer] * uint64_t{2} + (state.waiting[peer] ? 1 : 0));
        }
        for (const auto& fate : state.fates)
        {
            encoder.Put(fate.delivered);
            encoder.Put(fate.ended ? 1 : 0);
        }
        encoder.Put(state.losses);
        encoder.Put(state.duplicates);
        encoder.Put(state.timeouts);

        std::vector<std::size_t> flights(state.flights.size());
        std::iota(flights.begin(), flights.end(), 0);
        const auto pack = [&](std::size_t i) {
            const auto& f = frames[i].second;
            return std::make_tuple(state.flights[i].from,
                                   state.flights[i].to,
                                   f.id,
                                   f.contents,
                                   f.source,
                                   f.payload,
                                   f.aux,
                                   f.header,
                                   f.kind,
                                   f.flags);
        };
        // What has been sent first matters only while frames keep their order, or a timer waits for
        // the passed ones.
        const bool keepsOrder = !m_options.reordering || m_options.outlastsSlip;
        std::stable_sort(flights.begin(), flights.end(), [&](std::size_t a, std::size_t b) {
            const Flight& first = state.flights[a];
            const Flight& second = state.flights[b];
            return keepsOrder ? std::tie(first.from, first.to) < std::tie(second.from, second.to)
                              : pack(a) < pack(b);
        });
        for (const auto i : flights)
        {
            std::apply([&encoder](auto... fields) { (encoder.Put(fields), ...); }, pack(i));
            putAll(state.flights[i].blocks);
        }

        Key key{0x243f6a8885a308d3, 0x13198a2e03707344};
        for (const auto word : encoder.GetWords())
        {
            key.first = (key.first ^ word) * 0x9e3779b97f4a7c15;
            key.first ^= key.first >> 32;
            key.second = (key.second + word) * 0xc2b2ae3d27d4eb4f;
            key.second ^= key.second >> 29;
        }
        return key;
    }

    /**
     * Write a frame.
     * @param frame the frame
     * @return text
     */
    std::string Describe(const Frame& frame) const
    {
        if (m_options.describe)
        {
            return m_options.describe(frame);
        }
        std::ostringstream os;
        os << "frame of kind " << static_cast<unsigned>(frame.kind) << " with id " << frame.id;
        return os.str();
    }

    /**
     * Repeat a path from the start.
     * @param node where it ends
     * @return its steps, a line each
     */
    std::vector<std::string> Replay(uint32_t node)
    {
        std::vector<Event> events;
        for (; node != 0; node = m_nodes[node].parent)
        {
            events.push_back(m_nodes[node].event);
        }
        std::reverse(events.begin(), events.end());
        State state = m_initial;
        std::vector<std::string> lines;
        for (const auto& event : events)
        {
            std::ostringstream line;
            Apply(state, event, &line);
            lines.push_back(line.str());
        }
        return lines;
    }

    /**
     * Find a state from which none of the wanted states can be reached.
     * @param wanted by state, true if it is wanted
     * @return the first such state, or the number of states if there is none
     */
    uint32_t FindStuck(std::vector<bool> wanted) const
    {
        std::vector<uint32_t> begin(m_nodes.size() + 1);
        for (const auto& step : m_steps)
        {
            ++begin[step.second];
        }
        uint32_t sum = 0;
        for (auto& entry : begin)
        {
            sum += entry;
            entry = sum;
        }
        std::vector<uint32_t> before(m_steps.size());
        for (const auto& step : m_steps)
        {
            before[--begin[step.second]] = step.first;
        }
        std::vector<uint32_t> pending;
        for (uint32_t node = 0; node < m_nodes.size(); ++node)
        {
            if (wanted[node])
            {
                pending.push_back(node);
            }
        }
        while (!pending.empty())
        {
            const auto node = pending.back();
            pending.pop_back();
            for (auto i = begin[node]; i < begin[node + 1]; ++i)
            {
                if (!wanted[before[i]])
                {
                    wanted[before[i]] = true;
                    pending.push_back(before[i]);
                }
            }
        }
        return static_cast<uint32_t>(std::find(wanted.begin(), wanted.end(), false) -
                                     wanted.begin());
    }

    /** Number of first states whose events are applied twice, to copies that have to agree. */
    static constexpr uint32_t COPY_CHECKED = 256;

    ExplorerOptions m_options;                          ///< The limits.
    State m_initial;                                    ///< The first state.
    std::vector<std::pair<Peer, Request>> m_requests;   ///< All requests, with their senders.
    std::vector<std::vector<uint32_t>> m_script;        ///< Requests of each peer, in order.
    Invariant m_invariant;                              ///< Further invariant.
    Renumbering m_renumbering;                          ///< Renumbers states.
    std::vector<Node> m_nodes;                          ///< All visited states.
    std::vector<std::pair<uint32_t, uint32_t>> m_steps; ///< All steps, as pairs of states.
    std::array<uint64_t, 256> m_reasons{};              ///< Reasons noted.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_EXPLORER_H
