/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-segment.h"

#include "broadcast-ethernet-link.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace ethernet
{

NS_LOG_COMPONENT_DEFINE("BroadcastEthernetSegment");
NS_OBJECT_ENSURE_REGISTERED(EthernetSegment);

namespace
{

/** Speed of signals in the cable, 0.77 c (IEEE 802.3, 8.4.1.3) [m/s]. */
constexpr double PROPAGATION_SPEED = 2.31e8;
/** Slot time: unit of backoff, and length of the collision window (4.4.2) [bits]. */
constexpr uint32_t SLOT_BITS = 512;
/** First part of the gap, which is restarted by a carrier (4.2.3.2.1) [bits]. */
constexpr uint32_t GAP_FIRST_PART_BITS = 64;
/** Length of a jam (4.4.2) [bits]. */
constexpr uint32_t JAM_BITS = 32;
/** Number of attempts that double the range of backoffs (4.4.2). */
constexpr uint32_t BACKOFF_LIMIT = 10;

} // namespace

TypeId
EthernetSegment::GetTypeId()
{
    using S = EthernetSegment;
    static TypeId tid =
        messaging::Attributes<S>(TypeId("ns3::ethernet::EthernetSegment")
                                     .SetParent<EthernetMedium>()
                                     .SetGroupName("BroadcastEthernet")
                                     .AddConstructor<S>())
            .AddAttribute("DataRate",
                          "Rate of all stations [bit/s; IEEE 802.3].",
                          &S::m_rate,
                          DataRate("10Mbps"))
            .AddAttribute("Delay",
                          "Delay between any two stations, as of a hub with equal arms, in "
                          "addition to the cable between their positions [time; default].",
                          &S::m_delay,
                          MicroSeconds(1),
                          Time(0))
            .AddAttribute("Spacing",
                          "Length of the cable from each station to the next [m; default].",
                          &S::m_spacing,
                          0.0,
                          0.0,
                          1e6)
            .AddAttribute("AttemptLimit",
                          "Attempts after which a frame is given up [attempts; IEEE 802.3, 4.4.2].",
                          &S::m_attemptLimit,
                          16,
                          1,
                          1000000)
            .AddTraceSource("Attempt",
                            "End of an attempt to send a frame.",
                            MakeTraceSourceAccessor(&S::m_attempt),
                            "ns3::ethernet::EthernetSegment::AttemptTracedCallback");
    return tid;
}

EthernetSegment::EthernetSegment()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
EthernetSegment::DoDispose()
{
    m_wake = NEVER;
    m_stations.clear();
    EthernetMedium::DoDispose();
}

EthernetSegment::Steps
EthernetSegment::GetSteps(uint64_t bits) const
{
    // Exact for all rates that divide the clock's frequency, as 10 and 100 Mbit/s do.
    static const auto second = static_cast<uint64_t>(Seconds(1).GetTimeStep());
    return static_cast<Steps>(bits * second / m_rate.GetBitRate());
}

void
EthernetSegment::Derive()
{
    m_common = m_delay.GetTimeStep();
    m_slot = GetSteps(SLOT_BITS);
    m_gap = GetSteps(GAP_BITS);
    m_firstPart = GetSteps(GAP_FIRST_PART_BITS);
    const auto [nearest, farthest] = std::ranges::minmax_element(m_stations, {}, &Station::place);
    m_diameter = m_common + farthest->place - nearest->place;
}

std::string
EthernetSegment::Check() const
{
    if (m_rate.GetBitRate() == 0)
    {
        return "A shared Ethernet segment cannot run at a DataRate of 0; it is 10Mbps or 100Mbps "
               "in IEEE 802.3.";
    }
    return "";
}

uint32_t
EthernetSegment::Attach(MediumUser* user, Ptr<NetDevice> device)
{
    if (const std::string error = Check(); !error.empty())
    {
        NS_ABORT_MSG(error);
    }
    const auto station = static_cast<uint32_t>(m_stations.size());
    Station& added = m_stations.emplace_back();
    added.user = user;
    added.device = device;
    SetPosition(station, m_spacing * station);
    return station;
}

void
EthernetSegment::SetPosition(uint32_t station, double position)
{
    m_stations[station].place =
        std::llround(position / PROPAGATION_SPEED * static_cast<double>(Seconds(1).GetTimeStep()));
    Derive();
}

void
EthernetSegment::Transmit(uint32_t station, Ptr<const WireFrame> frame)
{
    const Steps now = Simulator::Now().GetTimeStep();
    Station& sender = m_stations[station];
    NS_ASSERT_MSG(sender.state == State::IDLE, "The segment has a frame of this station.");
    sender.frame = frame;
    sender.attempts = 0;
    sender.ready = now;
    sender.start = NEVER;
    sender.state = State::WAITING;
    if (m_advancing)
    {
        return;
    }
    sender.start = FindStart(station);
    if (sender.start > now)
    {
        Wake(sender.start, station, now);
        return;
    }
    m_advancing = true;
    Begin(station, now);
    m_advancing = false;
    Plan(now);
}

EthernetSegment::Steps
EthernetSegment::Sense(Carrier& carrier, const Signal& signal, uint32_t station, Steps ready) const
{
    auto& [quiet, own] = carrier;
    const Steps distance = GetDistance(station, signal.station);
    const Steps from = signal.begin + distance;
    const Steps until = signal.end + distance;
    if (from <= quiet)
    {
        quiet = std::max(quiet, until);
        own = own || signal.station == station;
        return NEVER;
    }
    // IEEE 802.3, 4.2.3.2.1 and the process Deference of 4.2.8: a carrier in the first part of the
    // gap restarts it, unless the station has just sent.
    if (!own && from < quiet + m_firstPart)
    {
        quiet = until;
        return NEVER;
    }
    const Steps free = quiet + m_gap;
    if (ready <= std::max(from, free))
    {
        return std::max(ready, free);
    }
    if (until > free)
    {
        quiet = until;
        own = signal.station == station;
    }
    return NEVER;
}

EthernetSegment::Steps
EthernetSegment::FindStart(uint32_t station) const
{
    const Station& waiting = m_stations[station];
    Carrier carrier = waiting.past;
    m_heard.clear();
    for (const Signal& signal : m_signals)
    {
        m_heard.emplace_back(signal.begin + GetDistance(station, signal.station), &signal);
    }
    // Signals that arrive together stay in the order of their begins.
    std::sort(m_heard.begin(), m_heard.end());
    for (const auto& [arrival, signal] : m_heard)
    {
        const Steps start = Sense(carrier, *signal, station, waiting.ready);
        if (start != NEVER)
        {
            return start;
        }
    }
    return std::max(waiting.ready, carrier.quiet + m_gap);
}

void
EthernetSegment::Collide(Signal& signal, Steps when) const
{
    if (when < signal.collision)
    {
        // The preamble is completed before the jam (IEEE 802.3, 4.2.3.2.4).
        signal.collision = when;
        signal.end = std::max(when, signal.begin + GetSteps(PREAMBLE_BITS)) + GetSteps(JAM_BITS);
    }
}

void
EthernetSegment::Begin(uint32_t station, Steps now)
{
    Station& sender = m_stations[station];
    sender.state = State::SENDING;
    ++sender.attempts;
    ++m_counters.attempts;
    Signal mine{.station = station,
                .begin = now,
                .end = now + GetSteps(sender.frame->GetWireBits())};
    for (Signal& other : m_signals)
    {
        if (other.station == station)
        {
            continue;
        }
        const Steps distance = GetDistance(station, other.station);
        const Steps heard = std::max(now, other.begin + distance);
        if (heard < other.end + distance && heard < mine.end)
        {
            Collide(mine, heard);
        }
        if (!other.over && now + distance < other.end)
        {
            Collide(other, now + distance);
        }
    }
    m_signals.push_back(mine);
    sender.user->OnTransmitBegin(sender.attempts);
}

void
EthernetSegment::End(const Signal& signal)
{
    Station& sender = m_stations[signal.station];
    const Attempt attempt{.station = signal.station,
                          .number = sender.attempts,
                          .begin = TimeStep(signal.begin),
                          .end = TimeStep(signal.end)};
    if (signal.collision != NEVER)
    {
        BackOff(signal, attempt);
        return;
    }
    const Ptr<const WireFrame> frame = sender.frame;
    sender.frame = nullptr;
    sender.state = State::IDLE;
    ++m_counters.sent;
    m_counters.sentBytes += frame->GetBytes();
    if (m_counters.sentAfter.size() <= sender.attempts)
    {
        m_counters.sentAfter.resize(sender.attempts + 1);
    }
    ++m_counters.sentAfter[sender.attempts];
    m_attempt(attempt);
    Deliver(signal, frame);
    sender.user->OnTransmitEnd(TxOutcome::SENT);
}

void
EthernetSegment::BackOff(const Signal& signal, Attempt attempt)
{
    Station& sender = m_stations[signal.station];
    const uint32_t number = attempt.number;
    const bool late = signal.collision - signal.begin > m_slot;
    ++m_counters.collided;
    m_counters.lateCollisions += late;
    const bool again = !late && number < m_attemptLimit;
    attempt.collision = TimeStep(signal.collision);
    if (again)
    {
        // Truncated binary exponential backoff (IEEE 802.3, 4.2.3.2.5).
        const uint32_t range = 1U << std::min(number, BACKOFF_LIMIT);
        sender.ready = signal.end + m_slot * m_random->GetInteger(0, range - 1);
        sender.start = NEVER;
        sender.state = State::WAITING;
        attempt.retry = TimeStep(sender.ready);
    }
    else
    {
        sender.frame = nullptr;
        sender.state = State::IDLE;
        m_counters.excessiveCollisions += !late;
    }
    NS_LOG_INFO("Station " << signal.station << " has collided in attempt " << number
                           << (again ? "" : ", and gives up"));
    m_attempt(attempt);
    sender.user->OnCollision(number);
    if (again)
    {
        return;
    }
    const auto outcome = late ? TxOutcome::LATE_COLLISION : TxOutcome::EXCESSIVE_COLLISIONS;
    const uint32_t context = GetContext(signal.station);
    if (context == Simulator::GetContext())
    {
        sender.user->OnTransmitEnd(outcome);
        return;
    }
    // Two collided stations can give up at the same time; only one of them is in its own context.
    Simulator::ScheduleWithContext(context, Time(0), [user = sender.user, outcome] {
        user->OnTransmitEnd(outcome);
    });
}

void
EthernetSegment::Deliver(const Signal& signal, Ptr<const WireFrame> frame)
{
    auto delivery = Create<Delivery>();
    delivery->readers.reserve(m_stations.size());
    for (uint32_t station = 0; station < m_stations.size(); ++station)
    {
        if (station != signal.station && m_stations[station].user->Wants(*frame))
        {
            delivery->readers.emplace_back(GetDistance(signal.station, station), station);
        }
    }
    if (delivery->readers.empty())
    {
        return;
    }
    if (m_diameter != m_common)
    {
        std::sort(delivery->readers.begin(), delivery->readers.end());
    }
    delivery->frame = frame;
    delivery->from = signal.station;
    delivery->begin = signal.begin;
    delivery->end = signal.end;
    ScheduleArrival(delivery);
}

void
EthernetSegment::ScheduleArrival(Ptr<Delivery> delivery)
{
    const auto [distance, station] = delivery->readers[delivery->next];
    Simulator::ScheduleWithContext(GetContext(station),
                                   TimeStep(delivery->end + distance) - Simulator::Now(),
                                   [this, delivery] { Arrive(delivery); });
}

void
EthernetSegment::Arrive(Ptr<Delivery> delivery)
{
    const auto [distance, first] = delivery->readers[delivery->next];
    // A node receives frames only in its own context; stations without nodes share an event.
    while (!m_stations.empty() && delivery->next < delivery->readers.size())
    {
        const auto [other, station] = delivery->readers[delivery->next];
        if (station != first && (other != distance || GetContext(station) != GetContext(first)))
        {
            ScheduleArrival(delivery);
            return;
        }
        ++delivery->next;
        const bool damaged = IsDamaged(*delivery, station);
        m_counters.damaged += damaged;
        m_stations[station].user->OnReceive(delivery->frame, damaged);
    }
}

bool
EthernetSegment::IsDamaged(const Delivery& delivery, uint32_t station) const
{
    const Steps distance = GetDistance(station, delivery.from);
    for (const Signal& signal : m_signals)
    {
        const Steps other = GetDistance(station, signal.station);
        if ((signal.station != delivery.from || signal.begin != delivery.begin) &&
            signal.begin + other < delivery.end + distance &&
            signal.end + other > delivery.begin + distance)
        {
            return true;
        }
    }
    return false;
}

void
EthernetSegment::Advance(Steps when)
{
    if (when != m_wake)
    {
        return;
    }
    m_wake = NEVER;
    m_advancing = true;
    for (std::size_t i = 0; i < m_signals.size(); ++i)
    {
        if (!m_signals[i].over && m_signals[i].end <= when)
        {
            m_signals[i].over = true;
            End(m_signals[i]);
        }
    }
    for (uint32_t station = 0; station < m_stations.size(); ++station)
    {
        if (m_stations[station].state == State::WAITING && m_stations[station].start <= when)
        {
            Begin(station, when);
        }
    }
    m_advancing = false;
    Plan(when);
}

void
EthernetSegment::Plan(Steps now)
{
    Forget(now);
    Steps when = NEVER;
    uint32_t whose = 0;
    for (const Signal& signal : m_signals)
    {
        if (!signal.over && signal.end < when)
        {
            when = signal.end;
            whose = signal.station;
        }
    }
    for (uint32_t station = 0; station < m_stations.size(); ++station)
    {
        Station& waiting = m_stations[station];
        if (waiting.state == State::WAITING)
        {
            // For a station that still backs off then, a newer plan sets the start.
            waiting.start = waiting.ready > when ? NEVER : FindStart(station);
            if (waiting.start < when)
            {
                when = waiting.start;
                whose = station;
            }
        }
    }
    if (when != NEVER)
    {
        Wake(when, whose, now);
    }
}

void
EthernetSegment::Wake(Steps when, uint32_t station, Steps now)
{
    if (when < m_wake)
    {
        m_wake = when;
        Simulator::ScheduleWithContext(GetContext(station), TimeStep(when - now), [this, when] {
            Advance(when);
        });
    }
}

void
EthernetSegment::Forget(Steps now)
{
    std::size_t count = 0;
    while (count < m_signals.size() && m_signals[count].end + m_diameter < now)
    {
        // A signal that overlaps a frame is kept until the frame has arrived everywhere.
        const Steps passed = m_signals[count].end + m_diameter;
        if (std::any_of(m_signals.begin(), m_signals.end(), [&](const Signal& other) {
                return other.collision == NEVER && other.begin < passed &&
                       other.end + m_diameter >= now;
            }))
        {
            break;
        }
        for (uint32_t station = 0; station < m_stations.size(); ++station)
        {
            Sense(m_stations[station].past, m_signals[count], station, NEVER);
        }
        ++count;
    }
    m_signals.erase(m_signals.begin(), m_signals.begin() + static_cast<std::ptrdiff_t>(count));
}

uint32_t
EthernetSegment::GetContext(uint32_t station)
{
    Station& asked = m_stations[station];
    if (asked.context == Simulator::NO_CONTEXT)
    {
        asked.context = GetContextOf(asked.device);
    }
    return asked.context;
}

int64_t
EthernetSegment::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace ethernet
} // namespace ns3
