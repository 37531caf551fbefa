/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-tick-clock.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(TickClock);

namespace
{

/** Takes the place of a user that has been removed. */
class RemovedUser : public TickUser
{
  public:
    void OnTick(Peer, uint64_t) override
    {
    }
};

} // namespace

TypeId
TickClock::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::messaging::TickClock")
            .SetParent<Object>()
            .SetGroupName("Messaging")
            .AddConstructor<TickClock>()
            .AddAttribute("TickLength",
                          "Simulated time of a tick, such as a router cycle [s; default].",
                          TimeValue(NanoSeconds(1)),
                          MakeTimeAccessor(&TickClock::SetTickLength, &TickClock::GetTickLength),
                          MakeTimeChecker(TimeStep(1)));
    return tid;
}

TickUser::~TickUser()
{
    if (m_registered)
    {
        m_registered->Remove(this);
    }
}

TickClock::~TickClock()
{
    Release();
}

void
TickClock::Release()
{
    for (TickUser* const user : m_users)
    {
        user->m_registered = nullptr;
    }
    m_users.clear();
}

void
TickClock::Remove(const TickUser* user)
{
    for (uint32_t number = 0; number < m_users.size(); ++number)
    {
        if (m_users[number] == user)
        {
            Unregister(number);
        }
    }
}

void
TickClock::DoDispose()
{
    m_event.Cancel();
    Release();
    m_stepper = nullptr;
    m_stepperBusy = false;
    Object::DoDispose();
}

uint32_t
TickClock::Register(TickUser* user)
{
    NS_ABORT_MSG_IF(user->m_registered && user->m_registered != this,
                    "A user of a TickClock has no other clock.");
    user->m_registered = this;
    m_users.push_back(user);
    return static_cast<uint32_t>(m_users.size() - 1);
}

void
TickClock::Unregister(uint32_t user)
{
    static RemovedUser removed;
    // A clock that is disposed of has no users any more.
    if (user >= m_users.size())
    {
        return;
    }
    TickUser* const former = std::exchange(m_users[user], &removed);
    if (std::ranges::find(m_users, former) == m_users.end())
    {
        former->m_registered = nullptr;
    }
}

void
TickClock::SetStepper(TickStepper* stepper)
{
    NS_ABORT_MSG_IF(m_stepper && stepper, "A TickClock can step only one network.");
    m_stepper = stepper;
}

void
TickClock::SetTickLength(Time length)
{
    NS_ABORT_MSG_IF(!m_events.empty() || m_lastStep != NEVER || m_stepperBusy,
                    "The length of a tick is fixed once an event is pending.");
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
    return std::max(static_cast<Ticks>(Simulator::Now().GetTimeStep() / m_stepsPerTick),
                    m_position);
}

inline TickClock::EventIndex
TickClock::Take(Ticks when, uint32_t user, Peer peer, uint64_t datum)
{
    const EventIndex index = m_free;
    Event& event = m_events[index];
    m_free = event.next;
    event.when = when;
    event.datum = datum;
    event.user = user;
    event.peer = peer;
    ++m_pending;
    return index;
}

void
TickClock::At(Ticks when, uint32_t user, Peer peer, uint64_t datum)
{
    // The usual case needs no call: the rare one is a separate function, so that this one saves no
    // registers.
    if (m_inTick && m_free != NONE)
    {
        when = std::max(when, m_position);
        Place(Take(when, user, peer, datum), when);
    }
    else
    {
        AtOutside(when, user, peer, datum);
    }
}

[[gnu::noinline]] void
TickClock::AtOutside(Ticks when, uint32_t user, Peer peer, uint64_t datum)
{
    if (m_free == NONE)
    {
        Grow();
    }
    when = std::max(when, Now());
    Place(Take(when, user, peer, datum), when);
    if (!m_inTick && (when < m_scheduled || !m_event.IsPending()))
    {
        ScheduleNext();
    }
}

void
TickClock::Grow()
{
    const auto size = static_cast<EventIndex>(m_events.size());
    m_events.resize(std::max<EventIndex>(2 * size, FIRST_EVENTS));
    for (auto index = static_cast<EventIndex>(m_events.size()); index-- > size;)
    {
        m_events[index].next = std::exchange(m_free, index);
    }
}

inline void
TickClock::Place(EventIndex index, Ticks when)
{
    if ((when >> FINE_BITS) - (m_position >> FINE_BITS) <= 1)
    {
        const auto slot = when & (FINE_SLOTS - 1);
        Append(m_fine[slot], m_fineUsed[slot / 64], slot % 64, index);
    }
    else
    {
        PlaceAbove(index, when);
    }
}

[[gnu::noinline]] void
TickClock::PlaceAbove(EventIndex index, Ticks when)
{
    const Ticks apart = when ^ m_position;
    const unsigned level = (std::bit_width(apart) - 1 - FINE_BITS) / COARSE_BITS;
    const auto slot = (when >> (FINE_BITS + level * COARSE_BITS)) & (COARSE_SLOTS - 1);
    Append(m_coarse[level][slot], m_coarseUsed[level], slot, index);
}

void
TickClock::Spread(unsigned level, Ticks when)
{
    const auto slot = (when >> (FINE_BITS + level * COARSE_BITS)) & (COARSE_SLOTS - 1);
    const uint64_t bit = uint64_t{1} << slot;
    if (!(m_coarseUsed[level] & bit))
    {
        return;
    }
    m_coarseUsed[level] &= ~bit;
    const Slot spread = m_coarse[level][slot];
    for (EventIndex index = spread.first, next;; index = next)
    {
        next = m_events[index].next;
        Place(index, m_events[index].when);
        if (index == spread.last)
        {
            return;
        }
    }
}

[[gnu::noinline]] void
TickClock::EnterBlock(Ticks before, Ticks now)
{
    // Slots that the position or the next block has entered. Their events move directly to the
    // slots for the new position, so any order of levels will do.
    const Ticks next = (now | (FINE_TICKS - 1)) + 1;
    for (unsigned level = 0; level < LEVELS; ++level)
    {
        const unsigned shift = FINE_BITS + level * COARSE_BITS;
        if ((before >> shift) != (now >> shift))
        {
            Spread(level, now);
        }
        if ((now >> shift) != (next >> shift))
        {
            Spread(level, next);
        }
    }
}

inline void
TickClock::ServeDue()
{
    const auto slot = m_position & (FINE_SLOTS - 1);
    uint64_t& used = m_fineUsed[slot / 64];
    const uint64_t bit = uint64_t{1} << (slot % 64);
    if (!(used & bit))
    {
        return;
    }
    // The users may schedule more events in this tick.
    do
    {
        used &= ~bit;
        const Slot due = m_fine[slot];
        for (EventIndex index = due.first, next;; index = next)
        {
            Event& served = m_events[index];
            const Peer peer = served.peer;
            const uint64_t datum = served.datum;
            TickUser* const user = m_users[served.user];
            next = served.next;
            if (index != due.last)
            {
                // It arrives from memory while the user works.
                __builtin_prefetch(&m_events[next], 1);
            }
            // The user's next event reuses this entry, which the processor has cached.
            served.next = m_free;
            m_free = index;
            --m_pending;
            user->OnTick(peer, datum);
            if (index == due.last)
            {
                break;
            }
        }
    } while (used & bit);
}

inline void
TickClock::ServeTick(Ticks now)
{
    const Ticks before = std::exchange(m_position, now);
    if ((before ^ now) >= FINE_TICKS)
    {
        EnterBlock(before, now);
    }
    ServeDue();
    if (m_stepperBusy && m_lastStep != now)
    {
        m_lastStep = now;
        m_stepperBusy = false;
        m_stepperBusy |= m_stepper->Step(now);
        ServeDue();
    }
}

void
TickClock::Tick()
{
    Ticks now = NowOutside();
    const Ticks end = now + m_ahead;
    m_scheduled = NEVER;
    m_inTick = true;
    ServeTick(now);
    while (m_ahead > 0 && (now = NextBusy()) <= end)
    {
        ServeTick(now);
    }
    m_inTick = false;
    ScheduleNext();
}

inline Ticks
TickClock::NextDue() const
{
    const Ticks word = m_position / 64;
    const uint64_t used = m_fineUsed[word % FINE_WORDS] & ~uint64_t{0} << (m_position % 64);
    return used ? word * 64 + std::countr_zero(used) : NextBeyond(word + 1);
}

[[gnu::noinline]] Ticks
TickClock::NextBeyond(Ticks word) const
{
    if (m_pending == 0)
    {
        return NEVER;
    }
    const Ticks end = (m_position >> FINE_BITS << FINE_BITS) + FINE_SLOTS;
    for (; word < end / 64; ++word)
    {
        if (const uint64_t used = m_fineUsed[word % FINE_WORDS])
        {
            return word * 64 + std::countr_zero(used);
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

inline Ticks
TickClock::NextBusy() const
{
    if (!m_stepperBusy)
    {
        return NextDue();
    }
    const Ticks now = Now();
    const auto slot = now & (FINE_SLOTS - 1);
    if (m_position == now && m_lastStep == now && !(m_fineUsed[slot / 64] >> (slot % 64) & 1))
    {
        // The usual case in a busy network; no event can be due earlier.
        return now + 1;
    }
    return std::min(NextDue(), m_lastStep == now ? now + 1 : now);
}

void
TickClock::ScheduleNext()
{
    const Ticks next = NextBusy();
    // Ticks beyond the simulator's last time step, NEVER included, are not scheduled.
    const auto end = static_cast<Ticks>(std::numeric_limits<int64_t>::max() / m_stepsPerTick);
    if (next > end || (m_scheduled <= next && m_event.IsPending()))
    {
        return;
    }
    if (m_scheduled != NEVER)
    {
        m_event.Cancel();
    }
    // It arrives from memory while the simulator gets to the next tick.
    __builtin_prefetch(m_events.data() + m_fine[next & (FINE_SLOTS - 1)].first);
    m_scheduled = next;
    const int64_t delay =
        static_cast<int64_t>(next) * m_stepsPerTick - Simulator::Now().GetTimeStep();
    // Reuse the event that has just run, unless it was cancelled; this allocates nothing.
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
