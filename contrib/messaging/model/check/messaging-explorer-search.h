/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_EXPLORER_SEARCH_H
#define MESSAGING_EXPLORER_SEARCH_H

#include "ns3/messaging-explorer-host.h"
#include "ns3/messaging-explorer.h"

/**
 * @file
 * @ingroup messaging
 * The steps of an exhaustive search, and the search. Included by messaging-explorer.h.
 */

namespace ns3
{
namespace messaging
{

template <class Core>
std::vector<typename Explorer<Core>::Event>
Explorer<Core>::ListEvents(const State& state) const
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
            const bool blocked =
                std::any_of(state.flights.begin(), state.flights.end(), [&](const Flight& flight) {
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

template <class Core>
void
Explorer<Core>::Apply(State& state, const Event& event, std::ostream* out)
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
        say("Peer ", flight.to, " receives ", Describe(flight.frame), " from peer ", flight.from);
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
            say(" (a copy stays under way)");
        }
        Host host(*this, state, flight.to, std::move(passed), out);
        state.cores[flight.to].OnFrame(flight.from, flight.frame, host);
        break;
    }
    case Kind::LOSE: {
        const auto& flight = state.flights[event.which];
        say(Describe(flight.frame), " from peer ", flight.from, " to peer ", flight.to, " is lost");
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

template <class Core>
bool
Explorer<Core>::IsDelivered(const State& state, std::size_t index) const
{
    const auto& [from, request] = m_requests[index];
    const uint64_t all = ~uint64_t{0} >> (64 - state.cores.size());
    const uint64_t meant =
        request.to == NO_PEER ? all & ~(uint64_t{1} << from) : uint64_t{1} << request.to;
    return (state.fates[index].delivered & meant) == meant;
}

template <class Core>
bool
Explorer<Core>::IsFinished(const State& state) const
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

template <class Core>
typename Explorer<Core>::Key
Explorer<Core>::GetKey(const State& state) const
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
    // What has been sent first matters only while frames keep their order, or a timer waits for the
    // passed ones.
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

template <class Core>
std::string
Explorer<Core>::Describe(const Frame& frame) const
{
    if (m_options.describe)
    {
        return m_options.describe(frame);
    }
    std::ostringstream os;
    os << "frame of kind " << static_cast<unsigned>(frame.kind) << " with id " << frame.id;
    return os.str();
}

template <class Core>
std::vector<std::string>
Explorer<Core>::Replay(uint32_t node)
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

template <class Core>
uint32_t
Explorer<Core>::FindStuck(std::vector<bool> wanted) const
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
    return static_cast<uint32_t>(std::find(wanted.begin(), wanted.end(), false) - wanted.begin());
}

template <class Core>
ExplorerResult
Explorer<Core>::Run()
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

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_EXPLORER_SEARCH_H
