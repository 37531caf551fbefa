/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_EVENT_HEAP_H
#define MYRINET_EVENT_HEAP_H

#include "myrinet-types.h"

#include <array>
#include <vector>

/**
 * @file
 * @ingroup myrinet
 * The events of a network, in the order of their times.
 */

namespace ns3
{
namespace myrinet
{

/** Kinds of events inside the network. */
enum class EventKind : uint8_t
{
    ARRIVE,     ///< The first character of a run reaches the end of a channel; datum: its packet.
    ARRIVE_END, ///< The last one has reached it; datum: how many they were.
    ROUTE,      ///< The head of the first packet of a buffer asks for its output.
    OUT_START,  ///< A run out of a buffer can begin; datum: the plan that it belongs to.
    OUT_END,    ///< A run out of a buffer has ended; datum: the plan that it belongs to.
    CROSS,      ///< The level of a buffer reaches a threshold; datum: the plan.
    STOP,       ///< A STOP character reaches the sender of a channel.
    GO,         ///< A GO character reaches the sender of a channel.
    FREE,       ///< A channel can be given to the next that waits for it.
    AWAKE       ///< A host's receiver stalls no longer.
};

/** An event inside the network. */
struct Event
{
    Instant when;   ///< When it is due [ps].
    uint64_t order; ///< Events of one time are served in the order in which they were placed; the
                    ///< lowest bits are the kind.
    ChannelId channel; ///< Where.
    uint32_t datum;    ///< What the kind says.

    /** @return what it is. */
    EventKind GetKind() const
    {
        return static_cast<EventKind>(order & KIND_MASK);
    }

    static constexpr unsigned KIND_BITS = 4;                              ///< Bits of the kind.
    static constexpr uint64_t KIND_MASK = (uint64_t{1} << KIND_BITS) - 1; ///< These bits.
};

/** Events of one reach by time; those of one time in the order in which they were placed. */
class EventHeap
{
  public:
    /** @return when the next event is due, or NEVER [ps]. */
    Instant GetNext() const
    {
        return m_events.empty() ? NEVER : m_events.front().when;
    }

    /**
     * Place an event.
     * @param event the event
     */
    void Push(const Event& event)
    {
        std::size_t at = m_events.size();
        m_events.push_back(event);
        while (at > 0)
        {
            const std::size_t above = (at - 1) / ARITY;
            if (!IsBefore(event, m_events[above]))
            {
                break;
            }
            m_events[at] = m_events[above];
            at = above;
        }
        m_events[at] = event;
    }

    /** @return the next event; there has to be one. */
    const Event& GetFirst() const
    {
        return m_events.front();
    }

    /** @return the next event, which is taken out; there has to be one. */
    Event Pop()
    {
        const Event first = m_events.front();
        const Event last = m_events.back();
        m_events.pop_back();
        const std::size_t size = m_events.size();
        if (size == 0)
        {
            return first;
        }
        std::size_t at = 0;
        for (std::size_t child = 1; child < size; child = ARITY * at + 1)
        {
            const std::size_t end = child + ARITY < size ? child + ARITY : size;
            std::size_t least = child;
            for (std::size_t other = child + 1; other < end; ++other)
            {
                if (IsBefore(m_events[other], m_events[least]))
                {
                    least = other;
                }
            }
            if (!IsBefore(m_events[least], last))
            {
                break;
            }
            m_events[at] = m_events[least];
            at = least;
        }
        m_events[at] = last;
        return first;
    }

    /**
     * @param a an event
     * @param b another
     * @return whether a comes first
     */
    static bool IsBefore(const Event& a, const Event& b)
    {
        return a.when != b.when ? a.when < b.when : a.order < b.order;
    }

  private:
    static constexpr std::size_t ARITY = 4; ///< Children of each place.

    std::vector<Event> m_events; ///< The heap.
};

/**
 * How soon an event can lead to something that is noticed outside of the network. What cannot for a
 * while may be served late, together with others, as long as all events are served in their order.
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
     * @param reach how soon it can be noticed
     * @param when when it is due [ps]
     * @param kind what
     * @param channel where
     * @param datum what the kind says
     */
    void Push(Reach reach, Instant when, EventKind kind, ChannelId channel, uint32_t datum)
    {
        const uint64_t order = m_order++ << Event::KIND_BITS | static_cast<uint64_t>(kind);
        m_heaps[static_cast<std::size_t>(reach)].Push(Event{when, order, channel, datum});
    }

    /** @return when the next event is due, or NEVER [ps]. */
    Instant GetNext() const
    {
        Instant next = NEVER;
        for (const EventHeap& heap : m_heaps)
        {
            next = heap.GetNext() < next ? heap.GetNext() : next;
        }
        return next;
    }

    /**
     * Get until when events may wait to be served.
     * @param delays how long those of each reach may wait [ps]
     * @return the time, or NEVER [ps]
     */
    Instant GetDeadline(const std::array<Instant, N_REACHES>& delays) const
    {
        Instant deadline = NEVER;
        for (std::size_t n = 0; n < N_REACHES; ++n)
        {
            const Instant next = m_heaps[n].GetNext();
            if (next != NEVER && next + delays[n] < deadline)
            {
                deadline = next + delays[n];
            }
        }
        return deadline;
    }

    /** @return the next event, which is taken out; there has to be one. */
    Event Pop()
    {
        EventHeap* least = nullptr;
        for (EventHeap& heap : m_heaps)
        {
            if (heap.GetNext() != NEVER &&
                (!least || EventHeap::IsBefore(heap.GetFirst(), least->GetFirst())))
            {
                least = &heap;
            }
        }
        return least->Pop();
    }

  private:
    std::array<EventHeap, N_REACHES> m_heaps; ///< By reach.
    uint64_t m_order{0};                      ///< Of the next event.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_EVENT_HEAP_H
