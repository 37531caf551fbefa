/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-tick-clock.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingTickClock");
NS_OBJECT_ENSURE_REGISTERED(TickClock);

TypeId
TickClock::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::messaging::TickClock")
            .SetParent<Object>()
            .SetGroupName("Messaging")
            .AddConstructor<TickClock>()
            .AddAttribute(
                "TickLength",
                "Simulated time of one tick; a router cycle on a wormhole network [Time; default].",
                TimeValue(NanoSeconds(1)),
                MakeTimeAccessor(&TickClock::SetTickLength, &TickClock::GetTickLength),
                MakeTimeChecker(TimeStep(1)));
    return tid;
}

TickClock::TickClock() = default;

TickClock::~TickClock() = default;

void
TickClock::DoDispose()
{
    m_event.Cancel();
    m_users.clear();
    m_stepper = nullptr;
    m_stepperBusy = false;
    Object::DoDispose();
}

uint32_t
TickClock::Register(TickUser* user)
{
    m_users.push_back(user);
    return static_cast<uint32_t>(m_users.size() - 1);
}

void
TickClock::SetStepper(TickStepper* stepper)
{
    NS_ABORT_MSG_IF(m_stepper && stepper,
                    "A TickClock steps one network; this one has its network already.");
    m_stepper = stepper;
}

void
TickClock::SetTickLength(Time length)
{
    NS_ABORT_MSG_IF(m_busyTicks > 0 || m_pending > 0 || m_stepperBusy,
                    "The length of a tick is fixed once anything waits for the clock.");
    m_stepsPerTick = length.GetTimeStep();
}

Time
TickClock::GetTickLength() const
{
    return TimeStep(static_cast<uint64_t>(m_stepsPerTick));
}

Ticks
TickClock::NowOutside() const
{
    return static_cast<Ticks>(Simulator::Now().GetTimeStep() / m_stepsPerTick);
}

void
TickClock::At(Ticks when, uint32_t user, Peer peer, uint64_t datum)
{
    ++m_pending;
    Place(Event{std::max(when, Now()), datum, user, peer});
    if (!m_inTick && (when < m_scheduled || !m_event.IsPending()))
    {
        ScheduleNext();
    }
}

void
TickClock::Place(const Event& event)
{
    const Ticks apart = event.when ^ m_position;
    if (apart < FINE_SLOTS)
    {
        const auto slot = event.when & (FINE_SLOTS - 1);
        m_fine[slot].push_back(event);
        m_fineUsed[slot / 64] |= uint64_t{1} << (slot % 64);
        return;
    }
    const unsigned level = (std::bit_width(apart) - 1 - FINE_BITS) / COARSE_BITS;
    const auto slot = (event.when >> (FINE_BITS + level * COARSE_BITS)) & (COARSE_SLOTS - 1);
    m_coarse[level][slot].push_back(event);
    m_coarseUsed[level] |= uint64_t{1} << slot;
}

void
TickClock::AdvanceTo(Ticks now)
{
    const Ticks before = m_position;
    m_position = now;
    if ((before ^ now) < FINE_SLOTS)
    {
        return;
    }
    // What is spread goes straight to where it belongs as seen from the new position, so the order
    // is free.
    for (unsigned level = 0; level < LEVELS; ++level)
    {
        const unsigned shift = FINE_BITS + level * COARSE_BITS;
        const auto slot = (now >> shift) & (COARSE_SLOTS - 1);
        const uint64_t bit = uint64_t{1} << slot;
        if ((before >> shift) == (now >> shift) || !(m_coarseUsed[level] & bit))
        {
            continue;
        }
        m_coarseUsed[level] &= ~bit;
        m_spread.swap(m_coarse[level][slot]);
        for (const auto& event : m_spread)
        {
            Place(event);
        }
        Empty(m_spread);
        m_spread.swap(m_coarse[level][slot]);
    }
}

void
TickClock::Empty(std::vector<Event>& slot)
{
    slot.clear();
    if (slot.capacity() > KEPT_EVENTS)
    {
        slot.shrink_to_fit();
    }
}

bool
TickClock::ServeDue()
{
    const auto index = m_position & (FINE_SLOTS - 1);
    auto& slot = m_fine[index];
    if (slot.empty())
    {
        return false;
    }
    // By index, since the users may place more events on this tick.
    for (std::size_t i = 0; i < slot.size(); ++i)
    {
        const Event event = slot[i];
        --m_pending;
        m_users[event.user]->OnTick(event.peer, event.datum);
    }
    Empty(slot);
    m_fineUsed[index / 64] &= ~(uint64_t{1} << (index % 64));
    return true;
}

void
TickClock::Tick()
{
    const auto now = static_cast<Ticks>(Simulator::Now().GetTimeStep() / m_stepsPerTick);
    m_scheduled = NEVER;
    m_inTick = true;
    AdvanceTo(now);
    bool busy = ServeDue();
    if (m_stepperBusy && m_lastStep != now)
    {
        m_lastStep = now;
        m_stepperBusy = false;
        m_stepperBusy |= m_stepper->Step(now);
        ServeDue();
        busy = true;
    }
    if (busy && m_lastBusy != now)
    {
        m_lastBusy = now;
        ++m_busyTicks;
    }
    m_inTick = false;
    ScheduleNext();
}

Ticks
TickClock::NextDue() const
{
    if (m_pending == 0)
    {
        return NEVER;
    }
    const auto index = m_position & (FINE_SLOTS - 1);
    for (auto word = index / 64; word < m_fineUsed.size(); ++word)
    {
        uint64_t used = m_fineUsed[word];
        if (word == index / 64)
        {
            used &= ~uint64_t{0} << (index % 64);
        }
        if (used)
        {
            return (m_position & ~Ticks{FINE_SLOTS - 1}) | (word * 64 + std::countr_zero(used));
        }
    }
    for (unsigned level = 0; level < LEVELS; ++level)
    {
        const unsigned shift = FINE_BITS + level * COARSE_BITS;
        const auto current = (m_position >> shift) & (COARSE_SLOTS - 1);
        const uint64_t later =
            current + 1 < COARSE_SLOTS ? m_coarseUsed[level] & (~uint64_t{0} << (current + 1)) : 0;
        if (later)
        {
            const unsigned above = shift + COARSE_BITS;
            const Ticks high = above < 64 ? (m_position >> above) << above : 0;
            return high | (static_cast<Ticks>(std::countr_zero(later)) << shift);
        }
    }
    return NEVER;
}

void
TickClock::ScheduleNext()
{
    const int64_t step = Simulator::Now().GetTimeStep();
    const auto now = static_cast<Ticks>(step / m_stepsPerTick);
    Ticks next;
    if (m_stepperBusy && m_position == now && m_lastStep == now &&
        m_fine[now & (FINE_SLOTS - 1)].empty())
    {
        // The usual case in a busy network; nothing can be due earlier.
        next = now + 1;
    }
    else
    {
        next = NextDue();
        if (m_stepperBusy)
        {
            next = std::min(next, m_lastStep == now ? now + 1 : now);
        }
    }
    // What lies beyond the simulator's last time step never comes, NEVER included.
    const auto end = static_cast<Ticks>(std::numeric_limits<int64_t>::max() / m_stepsPerTick);
    if (next > end || (m_scheduled <= next && m_event.IsPending()))
    {
        return;
    }
    if (m_scheduled != NEVER)
    {
        m_event.Cancel();
    }
    // While the simulator comes to the next tick, its events come into the processor's caches.
    __builtin_prefetch(m_fine[next & (FINE_SLOTS - 1)].data());
    m_scheduled = next;
    const int64_t delay = static_cast<int64_t>(next) * m_stepsPerTick - step;
    // The event that has been served serves again, unless it was cancelled: none is allocated.
    Ptr<EventImpl> event = m_event.PeekEventImpl();
    if (!event || event->IsCancelled())
    {
        event = Ptr<EventImpl>(MakeEvent(&TickClock::Tick, this), false);
    }
    m_event =
        Simulator::Schedule(TimeStep(static_cast<uint64_t>(std::max<int64_t>(delay, 0))), event);
}

} // namespace messaging
} // namespace ns3
