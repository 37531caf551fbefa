/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TICK_CLOCK_H
#define MESSAGING_TICK_CLOCK_H

#include "messaging-types.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <array>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * A clock that counts ticks and costs the simulator one event for each tick in which something
 * happens.
 */

namespace ns3
{
namespace messaging
{

/** Hears the events that it has placed on a TickClock. */
class TickUser
{
  public:
    virtual ~TickUser() = default;

    /**
     * An event is due.
     * @param peer the peer given when it was placed
     * @param datum the value given when it was placed
     */
    virtual void OnTick(Peer peer, uint64_t datum) = 0;
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
 * Timers of millions of peers and the cycles of a network, at one simulator event a busy tick.
 *
 * Events lie in a hierarchical timing wheel: 1024 slots of one tick, and above them nine levels of
 * 64 slots, each slot as wide as the whole level below. In a tick, events are served in the order
 * in which they were placed, then the stepper is stepped, then events that either has placed on
 * this very tick are served. Ticks in which nothing is due are skipped.
 */
class TickClock : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TickClock();
    ~TickClock() override;

    /**
     * Make a user known.
     * @param user the user, not owned; it must outlive its last event
     * @return the number to place events with
     */
    uint32_t Register(TickUser* user);

    /**
     * Make the network known that is stepped in every busy tick; one a clock.
     * @param stepper the network, not owned
     */
    void SetStepper(TickStepper* stepper);

    /** Have the stepper stepped in this tick if it has not been yet, and otherwise in the next. */
    void WakeStepper()
    {
        m_stepperBusy = true;
        if (!m_inTick)
        {
            ScheduleNext();
        }
    }

    /**
     * Place an event.
     * @param when the tick at which it is due; one that has passed counts as now [ticks]
     * @param user the number of the user that hears it
     * @param peer passed on to the user
     * @param datum passed on to the user
     */
    void At(Ticks when, uint32_t user, Peer peer, uint64_t datum);

    /** @return the tick that has begun last [ticks]. */
    Ticks Now() const
    {
        return m_inTick ? m_position : NowOutside();
    }

    /** @return the length of a tick. */
    Time GetTickLength() const;

    /** @return the number of events that wait. */
    uint64_t GetNPending() const
    {
        return m_pending;
    }

    /** @return the number of ticks in which anything was done. */
    uint64_t GetNBusyTicks() const
    {
        return m_busyTicks;
    }

  protected:
    void DoDispose() override;

  private:
    /** An event that waits. */
    struct Event
    {
        Ticks when;     ///< When it is due.
        uint64_t datum; ///< For the user.
        uint32_t user;  ///< Number of the user.
        Peer peer;      ///< For the user.
    };

    static constexpr unsigned FINE_BITS = 10;               ///< log2 of the slots of one tick.
    static constexpr unsigned FINE_SLOTS = 1U << FINE_BITS; ///< Slots of one tick.
    static constexpr unsigned COARSE_BITS = 6; ///< log2 of the slots of each level above.
    static constexpr unsigned COARSE_SLOTS = 1U << COARSE_BITS; ///< Slots of each level above.
    static constexpr unsigned LEVELS = 9;            ///< Levels above; they reach any 64-bit tick.
    static constexpr std::size_t KEPT_EVENTS = 4096; ///< Room that an empty slot may keep.

    /** @return the tick that has begun last, between ticks [ticks]. */
    Ticks NowOutside() const;

    /** A simulator event is due: do the work of one tick. */
    void Tick();

    /**
     * Put an event in the slot where it belongs.
     * @param event the event
     */
    void Place(const Event& event);

    /**
     * Move the wheel's position and spread the slots that it enters over the levels below.
     * @param now the new position, with nothing due before it
     */
    void AdvanceTo(Ticks now);

    /**
     * Empty a slot; what it holds in reserve is kept only if it is little.
     * @param slot the slot
     */
    static void Empty(std::vector<Event>& slot);

    /**
     * Serve the events that are due in this tick, those included that are placed meanwhile.
     * @return true if there was any
     */
    bool ServeDue();

    /** @return a tick not later than the next event, and not before the wheel's position; NEVER if
     * none. */
    Ticks NextDue() const;

    /** Have the simulator call back at the next tick in which something may be due. */
    void ScheduleNext();

    /**
     * Set the length of a tick.
     * @param length the length, at least one time step of the simulator
     */
    void SetTickLength(Time length);

    std::array<std::vector<Event>, FINE_SLOTS> m_fine;  ///< Slots of one tick.
    std::array<uint64_t, FINE_SLOTS / 64> m_fineUsed{}; ///< Which of them hold events.
    std::array<std::array<std::vector<Event>, COARSE_SLOTS>, LEVELS>
        m_coarse;                                ///< The levels above.
    std::array<uint64_t, LEVELS> m_coarseUsed{}; ///< Which of those slots hold events.
    std::vector<Event> m_spread;                 ///< Slot being spread.
    std::vector<TickUser*> m_users;              ///< Users by number.
    TickStepper* m_stepper{nullptr};             ///< The network, if any.
    EventId m_event;                             ///< The one simulator event.
    Ticks m_position{0};                         ///< Tick of the wheel's position.
    Ticks m_scheduled{NEVER};                    ///< Tick of the simulator event.
    Ticks m_lastStep{NEVER};                     ///< Tick of the last step.
    Ticks m_lastBusy{NEVER};                     ///< Last tick with work.
    int64_t m_stepsPerTick{1};                   ///< Simulator time steps a tick.
    uint64_t m_pending{0};                       ///< Events that wait.
    uint64_t m_busyTicks{0};                     ///< Ticks with work.
    bool m_stepperBusy{false};                   ///< The stepper wants a step.
    bool m_inTick{false};                        ///< A tick's work is going on.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TICK_CLOCK_H
