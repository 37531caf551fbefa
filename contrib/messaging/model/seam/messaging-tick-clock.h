/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TICK_CLOCK_H
#define MESSAGING_TICK_CLOCK_H

#include "ns3/event-id.h"
#include "ns3/messaging-large-pages.h"
#include "ns3/messaging-types.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <array>
#include <limits>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * A clock that counts ticks and takes one simulator event for each busy tick.
 */

namespace ns3
{
namespace messaging
{

class TickClock;

/**
 * User of a TickClock, called with the events that it has scheduled.
 *
 * A user may end before its clock, and the clock before its user. A copy of a user is no user of
 * the clock.
 */
class TickUser
{
  public:
    TickUser() = default;

    /** The copy is not registered. */
    TickUser(const TickUser&)
    {
    }

    /**
     * Keep the registration of this user.
     * @return this
     */
    TickUser& operator=(const TickUser&)
    {
        return *this;
    }

    /** What is pending for the user is not served. */
    virtual ~TickUser();

    /**
     * An event is due.
     * @param peer the peer passed to At
     * @param datum the value passed to At
     */
    virtual void OnTick(Peer peer, uint64_t datum) = 0;

  private:
    friend class TickClock;

    TickClock* m_registered{nullptr}; ///< The clock at which it is registered, not owned.
};

/** A network that is stepped once in every tick in which it is busy. */
class TickStepper
{
  public:
    virtual ~TickStepper() = default;

    /**
     * Do the work of one tick.
     * @param now the tick
     * @return true to be stepped in the next tick too; false until TickClock::WakeStepper
     */
    virtual bool Step(Ticks now) = 0;
};

/**
 * @ingroup messaging
 * Timers of millions of peers and the cycles of a network, with one simulator event for each busy
 * tick.
 *
 * A hierarchical timing wheel holds the events. Its lowest part has slots of one tick for the
 * current and the next block of 4096 ticks. Above are nine levels of 64 slots: a slot of the lowest
 * level spans a block, and a slot of any other level spans the whole level below. In a tick, events
 * are served in the order in which they were scheduled, then the stepper runs, then events that
 * either of these has scheduled in the same tick are served. Ticks without work are skipped.
 *
 * If all events of a simulation are on one clock, SetAhead lets it serve several ticks in one event
 * of the simulator. The order stays the same, and Now is exact; only Simulator::Now lags behind.
 */
class TickClock : public Object
{
  public:
    TickClock() = default;
    ~TickClock() override;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Register a user.
     * @param user the user, not owned; it has no other clock
     * @return its number, for At; a user may have several
     */
    uint32_t Register(TickUser* user);

    /**
     * Remove a user that is disposed of before its end. What is pending for it is not served.
     * @param user its number, which is not used again
     */
    void Unregister(uint32_t user);

    /**
     * Set the network that is stepped in every busy tick; at most one for each clock.
     * @param stepper the network, not owned
     */
    void SetStepper(TickStepper* stepper);

    /** Step the network in this tick if it has not been stepped yet, otherwise in the next. */
    void WakeStepper()
    {
        m_stepperBusy = true;
        if (!m_inTick)
        {
            ScheduleNext();
        }
    }

    /**
     * Schedule an event.
     * @param when the tick at which it is due; a past tick counts as now [ticks]
     * @param user number of the user
     * @param peer passed on to the user
     * @param datum passed on to the user
     */
    void At(Ticks when, uint32_t user, Peer peer, uint64_t datum);

    /** @return the current tick [ticks]. */
    Ticks Now() const
    {
        return m_inTick ? m_position : NowOutside();
    }

    /** @return the length of a tick. */
    Time GetTickLength() const;

    /**
     * Convert a rate.
     * @param bitRate the rate [bit/s]
     * @param tick length of a tick
     * @return the rate in ticks, as PortInfo has it [bytes a tick]
     */
    static double GetBytesPerTick(uint64_t bitRate, Time tick = Time::FromInteger(1, Time::NS))
    {
        return static_cast<double>(bitRate) / 8 * tick.GetSeconds();
    }

    /**
     * Let the clock run ahead of the simulator.
     * @param ticks maximum lead, by which other events of the simulator may affect the clock too
     * late [ticks]
     */
    void SetAhead(Ticks ticks)
    {
        m_ahead = ticks;
    }

    /** @return the number of pending events. */
    uint64_t GetNPending() const
    {
        return m_pending;
    }

  protected:
    void DoDispose() override;

  private:
    friend class TickUser;

    /**
     * Remove a user that ends.
     * @param user the user
     */
    void Remove(const TickUser* user);

    /** Forget all users. */
    void Release();

    /** Index of an event. */
    using EventIndex = uint32_t;

    static constexpr EventIndex FIRST_EVENTS = 64; ///< Initial number of event entries.

    static constexpr EventIndex NONE = std::numeric_limits<EventIndex>::max(); ///< No event.

    /** A pending event, or a free entry. */
    struct Event
    {
        Ticks when;      ///< When it is due.
        uint64_t datum;  ///< For the user.
        uint32_t user;   ///< Number of the user.
        Peer peer;       ///< For the user.
        EventIndex next; ///< The next event of its slot, or the next free entry.
    };

    /** Events in the order of scheduling; valid while the slot's bit is set. */
    struct Slot
    {
        EventIndex first; ///< First event.
        EventIndex last;  ///< Last event.
    };

    static constexpr unsigned FINE_BITS = 12;                   ///< log2 of a block's ticks.
    static constexpr Ticks FINE_TICKS = Ticks{1} << FINE_BITS;  ///< Ticks of a block.
    static constexpr unsigned FINE_SLOTS = 2U << FINE_BITS;     ///< Slots of one tick.
    static constexpr unsigned FINE_WORDS = FINE_SLOTS / 64;     ///< Words with a bit for each.
    static constexpr unsigned COARSE_BITS = 6;                  ///< log2 of a level's slots.
    static constexpr unsigned COARSE_SLOTS = 1U << COARSE_BITS; ///< Slots of a level.
    static constexpr unsigned LEVELS = 9;                       ///< Levels; cover 64-bit ticks.

    /** @return the current tick, while no tick is being served [ticks]. */
    Ticks NowOutside() const;

    /** Serve the tick of a simulator event, and those that may be served ahead. */
    void Tick();

    /**
     * Do the work of one tick.
     * @param now the tick
     */
    void ServeTick(Ticks now);

    /**
     * Put an event in the slot of its tick.
     * @param index the event
     * @param when the tick at which it is due [ticks]
     */
    void Place(EventIndex index, Ticks when);

    /**
     * Put an event in a slot of a level above those of one tick.
     * @param index the event
     * @param when the tick at which it is due [ticks]
     */
    void PlaceAbove(EventIndex index, Ticks when);

    /**
     * Schedule an event between ticks, or without a free entry.
     * @param when the tick at which it is due [ticks]
     * @param user number of the user
     * @param peer passed on to the user
     * @param datum passed on to the user
     */
    void AtOutside(Ticks when, uint32_t user, Peer peer, uint64_t datum);

    /**
     * Store an event in a free entry, which must exist.
     * @param when the tick at which it is due [ticks]
     * @param user number of the user
     * @param peer passed on to the user
     * @param datum passed on to the user
     * @return its index
     */
    EventIndex Take(Ticks when, uint32_t user, Peer peer, uint64_t datum);

    /** Allocate free entries. */
    void Grow();

    /**
     * Append an event to a slot.
     * @param slot the slot, changed
     * @param used a bit for each slot that holds events, changed
     * @param bit index of this slot's bit
     * @param index the event
     */
    void Append(Slot& slot, uint64_t& used, Ticks bit, EventIndex index)
    {
        // The bits are cached by the processor; an empty slot may not be.
        if (used >> bit & 1)
        {
            m_events[slot.last].next = index;
            slot.last = index;
            return;
        }
        slot = {index, index};
        used |= uint64_t{1} << bit;
    }

    /**
     * Spread the slots of the levels above that the wheel's position has entered.
     * @param before the previous position, in another block
     * @param now the new position; no event is due before it
     */
    void EnterBlock(Ticks before, Ticks now);

    /**
     * Move the events of a slot to the slots for their ticks, given the wheel's position.
     * @param level level of the slot
     * @param when a tick that the slot covers
     */
    void Spread(unsigned level, Ticks when);

    /** Serve the events due in this tick, including those scheduled meanwhile. */
    void ServeDue();

    /** @return a lower bound of the next event's tick, at or after the wheel's position; NEVER if
     * none. */
    Ticks NextDue() const;

    /**
     * Continue NextDue after the word of the wheel's position, which has no event.
     * @param word index of the next word of 64 ticks
     * @return the tick
     */
    Ticks NextBeyond(Ticks word) const;

    /** @return a lower bound of the tick of the next event or step; NEVER if none. */
    Ticks NextBusy() const;

    /** Schedule the simulator event of the next tick that may have work. */
    void ScheduleNext();

    /**
     * Set the length of a tick.
     * @param length the length, at least one time step of the simulator
     */
    void SetTickLength(Time length);

    std::array<Slot, FINE_SLOTS> m_fine{};         ///< Slots of one tick.
    std::array<uint64_t, FINE_WORDS> m_fineUsed{}; ///< A bit for each that holds events.
    std::array<std::array<Slot, COARSE_SLOTS>, LEVELS> m_coarse{}; ///< The levels above.
    std::array<uint64_t, LEVELS>
        m_coarseUsed{};              ///< A bit for each of those slots that holds events.
    LargeVector<Event> m_events;     ///< All events, and free entries.
    EventIndex m_free{NONE};         ///< First free entry.
    std::vector<TickUser*> m_users;  ///< Users by number.
    TickStepper* m_stepper{nullptr}; ///< The network, if any.
    EventId m_event;                 ///< The one simulator event.
    Ticks m_position{0};             ///< Tick of the wheel's position.
    Ticks m_scheduled{NEVER};        ///< Tick of the simulator event.
    Ticks m_lastStep{NEVER};         ///< Tick of the last step.
    Ticks m_ahead{0};                ///< Maximum lead over the simulator [ticks].
    int64_t m_stepsPerTick{1};       ///< Simulator time steps in a tick.
    uint64_t m_pending{0};           ///< Pending events.
    bool m_stepperBusy{false};       ///< A step is due.
    bool m_inTick{false};            ///< A tick is being served.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TICK_CLOCK_H
