/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_EVENT_QUEUE_H
#define MYRINET_EVENT_QUEUE_H

#include "myrinet-types.h"

#include <array>
#include <queue>
#include <vector>

/**
 * @file
 * @ingroup myrinet
 * Events inside a network, in the order of their times.
 */

namespace ns3
{
namespace myrinet
{

/** Kinds of events inside the network. */
enum class EventKind : uint8_t
{
    ARRIVE,     ///< The first character of a run reaches the end of a channel; datum: its packet.
    ARRIVE_END, ///< The last one has reached it; datum: length of the run.
    ROUTE,      ///< The head of the first packet of a buffer requests its output.
    OUT_START,  ///< A run out of a buffer can begin; datum: its plan.
    OUT_END,    ///< A run out of a buffer has ended; datum: its plan.
    CROSS,      ///< The level of a buffer reaches a threshold; datum: its plan.
    STOP,       ///< A STOP character reaches the sender of a channel.
    GO,         ///< A GO character reaches the sender of a channel.
    FREE,       ///< A channel can be given to the next that waits for it.
    AWAKE       ///< The stall of a receiver has ended.
};

/** Event inside the network. */
struct Event
{
    Instant when;   ///< Due time [ps].
    uint64_t order; ///< Order of placement among events of one time; the lowest bits are the kind.
    ChannelId channel; ///< Channel.
    uint32_t datum;    ///< Argument of the kind.

    static constexpr unsigned KIND_BITS = 4; ///< Bits of the kind.

    /** @return the kind. */
    EventKind GetKind() const
    {
        return static_cast<EventKind>(order & ((uint64_t{1} << KIND_BITS) - 1));
    }

    /** @param other another event @return whether this one is due later */
    bool operator>(const Event& other) const
    {
        return when != other.when ? when > other.when : order > other.order;
    }
};

/**
 * How soon an event can have an effect outside the network. One without effect for a while may be
 * served late, together with others, as long as all events are served in their order.
 */
enum class Reach : uint8_t
{
    NOW,       ///< At once.
    CHARACTER, ///< After a character: the receiver takes one at a time.
    CABLE      ///< After a cable and a character.
};

/** Number of reaches. */
inline constexpr std::size_t N_REACHES = static_cast<std::size_t>(Reach::CABLE) + 1;

/** All events of a network, by reach. */
class EventQueue
{
  public:
    /**
     * Place an event.
     * @param reach how soon it has an effect outside
     * @param when due time [ps]
     * @param kind kind
     * @param channel channel
     * @param datum argument of the kind
     */
    void Push(Reach reach, Instant when, EventKind kind, ChannelId channel, uint32_t datum)
    {
        const uint64_t order = m_order++ << Event::KIND_BITS | static_cast<uint64_t>(kind);
        m_events[static_cast<std::size_t>(reach)].push(Event{when, order, channel, datum});
    }

    /** @return due time of the next event, or NEVER [ps]. */
    Instant GetNext() const
    {
        return GetDeadline({});
    }

    /**
     * Get the time until which events may wait to be served.
     * @param delays permitted delay of the events of each reach [ps]
     * @return the time, or NEVER [ps]
     */
    Instant GetDeadline(const std::array<Instant, N_REACHES>& delays) const
    {
        Instant deadline = NEVER;
        for (std::size_t n = 0; n < N_REACHES; ++n)
        {
            if (!m_events[n].empty())
            {
                deadline = std::min(deadline, m_events[n].top().when + delays[n]);
            }
        }
        return deadline;
    }

    /** Remove the next event; there has to be one. @return the event */
    Event Pop()
    {
        Heap* first = nullptr;
        for (Heap& heap : m_events)
        {
            if (!heap.empty() && (!first || first->top() > heap.top()))
            {
                first = &heap;
            }
        }
        const Event event = first->top();
        first->pop();
        return event;
    }

  private:
    /** Events of one reach. */
    using Heap = std::priority_queue<Event, std::vector<Event>, std::greater<Event>>;

    std::array<Heap, N_REACHES> m_events; ///< By reach.
    uint64_t m_order{0};                  ///< Order of the next event.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_EVENT_QUEUE_H
