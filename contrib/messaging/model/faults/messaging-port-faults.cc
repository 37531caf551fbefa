/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-port-faults.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-named-counts.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingPortFaults");
NS_OBJECT_ENSURE_REGISTERED(PortFaults);

std::ostream&
operator<<(std::ostream& os, PortFault fault)
{
    constexpr std::array NAMES{"lost",
                               "lost in a burst",
                               "caught",
                               "corrupted",
                               "repeated",
                               "delayed",
                               "lost in an outage",
                               "lost at a slow receiver"};
    static_assert(NAMES.size() == PORT_FAULTS, "Each fault has a name, and PORT_FAULTS counts it.");
    return os << NAMES[static_cast<std::size_t>(fault)];
}

TypeId
PortFaults::GetTypeId()
{
    static TypeId tid =
        Attributes<PortFaults>(
            TypeId("ns3::messaging::PortFaults")
                .SetParent<Object>()
                .SetGroupName("Messaging")
                .AddConstructor<PortFaults>()
                .AddTraceSource("Fault",
                                "Fault of a frame, with the frame as sent.",
                                MakeTraceSourceAccessor(&PortFaults::m_faultTrace),
                                "ns3::messaging::PortFaults::FaultTracedCallback"))
            .In(&PortFaults::m_plan)
            .AddAttribute("Loss",
                          "Probability that a frame is lost [probability; fault].",
                          &Plan::loss,
                          Range{0, 1})
            .AddAttribute("LossKinds",
                          "Kinds of frames that Loss hits, a bit for each kind modulo 64 [bits; "
                          "fault].",
                          &Plan::lossKinds)
            .AddAttribute("LossFrom",
                          "Only sender whose frames Loss and LossPeriod hit; 4294967295 for all "
                          "[peer; fault].",
                          &Plan::lossFrom)
            .AddAttribute("LossTo",
                          "Only receiver whose frames Loss and LossPeriod hit; 4294967295 for all "
                          "[peer; fault].",
                          &Plan::lossTo)
            .AddAttribute("LossPeriod",
                          "Losses hit the last of this many frames; 0 for none [frames; fault].",
                          &Plan::period)
            .AddAttribute("Corruption",
                          "Probability that a frame is corrupted in one bit [probability; fault].",
                          &Plan::corruption,
                          Range{0, 1})
            .AddAttribute("Uncaught",
                          "Share of the corrupted frames that pass the checksum; the others are "
                          "dropped [fraction; fault].",
                          &Plan::uncaught,
                          Range{0, 1})
            .AddAttribute("Duplication",
                          "Probability that a frame arrives a second time, up to ReorderBound "
                          "later [probability; fault].",
                          &Plan::duplication,
                          Range{0, 1})
            .AddAttribute("Reordering",
                          "Probability that a frame is delayed, by 1 to ReorderBound "
                          "[probability; fault].",
                          &Plan::reordering,
                          Range{0, 1})
            .AddAttribute("ReorderBound",
                          "Longest delay, which bounds a frame's slip behind a later one "
                          "[ticks; fault].",
                          &Plan::bound,
                          Range{Ticks{0}, Ticks{1} << 62})
            .AddAttribute("BurstBegin",
                          "Probability at each frame that the link of its sender turns bad "
                          "[probability; fault].",
                          &Plan::burstBegin,
                          Range{0, 1})
            .AddAttribute("BurstEnd",
                          "Probability at each frame that the bad link of its sender turns good "
                          "[probability; fault].",
                          &Plan::burstEnd,
                          Range{0, 1})
            .AddAttribute("BurstLoss",
                          "Probability that a frame is lost while the link of its sender is bad "
                          "[probability; fault].",
                          &Plan::burstLoss,
                          Range{0, 1})
            .AddAttribute("LinkUpTime",
                          "Mean time between two outages of the link from one peer to another; 0 "
                          "for no outage [s; fault].",
                          &Plan::linkUp)
            .AddAttribute("LinkDownTime",
                          "Mean length of an outage of a link [s; fault].",
                          &Plan::linkDown)
            .AddAttribute("NodeUpTime",
                          "Mean time between two outages of a node, in which it neither sends nor "
                          "receives; 0 for no outage [s; fault].",
                          &Plan::nodeUp)
            .AddAttribute("NodeDownTime",
                          "Mean length of an outage of a node [s; fault].",
                          &Plan::nodeDown)
            .AddAttribute("SlowReceivers",
                          "Number of slow receivers, the first peers [peers; fault].",
                          &Plan::slow)
            .AddAttribute("SlowTime",
                          "Time that a slow receiver needs for each frame [s; fault].",
                          &Plan::slowTime)
            .AddAttribute("SlowQueue",
                          "Queue length of a slow receiver; further frames are lost [frames; "
                          "fault].",
                          &Plan::slowQueue);
    return tid;
}

void
PortFaults::Script(PortFault fault, uint8_t kind, uint64_t nth, Ticks delay, Peer from, Peer to)
{
    NS_ABORT_MSG_IF(nth == 0, "Scripted frames are counted from 1.");
    m_script.push_back(Line{fault, kind, nth, delay, from, to});
}

bool
PortFaults::Toss(double probability)
{
    return probability > 0 && m_random->GetValue(0, 1) < probability;
}

Ticks
PortFaults::DrawDelay()
{
    if (m_plan.bound == 0)
    {
        return 0;
    }
    const auto drawn =
        static_cast<Ticks>(m_random->GetValue(0, 1) * static_cast<double>(m_plan.bound));
    return std::min(1 + drawn, m_plan.bound);
}

bool
PortFaults::IsDown(Outage& outage, Time up, Time down, Ticks now)
{
    const auto draw = [this](Time mean) {
        const double ticks = mean.GetSeconds() / m_tick.GetSeconds();
        return std::max<Ticks>(static_cast<Ticks>(-ticks * std::log1p(-m_random->GetValue(0, 1))),
                               1);
    };
    if (outage.until == 0)
    {
        outage.until = draw(up);
    }
    while (outage.until <= now)
    {
        outage.down = !outage.down;
        outage.until += draw(outage.down ? down : up);
    }
    return outage.down;
}

bool
PortFaults::IsLostInOutage(Peer from, Peer to, Ticks now)
{
    bool lost = false;
    if (m_plan.nodeUp.IsStrictlyPositive())
    {
        lost = IsDown(m_nodes[from], m_plan.nodeUp, m_plan.nodeDown, now);
        lost = IsDown(m_nodes[to], m_plan.nodeUp, m_plan.nodeDown, now) || lost;
    }
    if (m_plan.linkUp.IsStrictlyPositive())
    {
        lost = IsDown(m_links[{from, to}], m_plan.linkUp, m_plan.linkDown, now) || lost;
    }
    return lost;
}

Ticks
PortFaults::Queue(Peer to, Ticks now)
{
    const auto service = static_cast<Ticks>(m_plan.slowTime.GetTimeStep() / m_tick.GetTimeStep());
    Ticks& busyUntil = m_busyUntil[to];
    const Ticks begin = std::max(busyUntil, now);
    if (begin - now > service * m_plan.slowQueue)
    {
        return NEVER;
    }
    busyUntil = begin + service;
    return busyUntil - now;
}

bool
PortFaults::IsLostInBurst(Peer from)
{
    if (m_plan.burstBegin == 0)
    {
        return false;
    }
    auto& bad = m_bad[from];
    bad = bad ? !Toss(m_plan.burstEnd) : Toss(m_plan.burstBegin);
    return bad && Toss(m_plan.burstLoss);
}

void
PortFaults::Inflict(PortFault fault, Fate& fate, Ticks delay)
{
    switch (fault)
    {
    case PortFault::CORRUPTED:
        (fate.frame.payload > 0 ? fate.frame.contents : fate.frame.id) ^=
            uint64_t{1} << m_random->GetInteger(0, 63);
        break;
    case PortFault::REPEATED:
        fate.copy = true;
        fate.copyDelay = delay;
        break;
    case PortFault::DELAYED:
        fate.delay = delay;
        break;
    default:
        fate.drop = true;
        break;
    }
}

PortFaults::Fate
PortFaults::Decide(Peer from, Peer to, const Frame& frame, Ticks now)
{
    Fate fate{frame};
    const auto inflict = [&](PortFault fault, Ticks delay) {
        NS_LOG_DEBUG("frame of kind " << +frame.kind << " from " << from << " to " << to << ": "
                                      << fault);
        Inflict(fault, fate, delay);
        ++m_counts.at(static_cast<std::size_t>(fault));
        m_faultTrace(from, to, frame, fault);
    };
    bool scripted = false;
    for (auto& line : m_script)
    {
        if (line.kind == frame.kind && (line.from == NO_PEER || line.from == from) &&
            (line.to == NO_PEER || line.to == to) && --line.nth == 0)
        {
            scripted = true;
            inflict(line.fault, line.delay);
        }
    }
    std::erase_if(m_script, [](const Line& line) { return line.nth == 0; });
    const auto draw = [&] {
        if (IsLostInOutage(from, to, now))
        {
            inflict(PortFault::OUTAGE, 0);
            return;
        }
        if (IsLostInBurst(from))
        {
            inflict(PortFault::BURST, 0);
            return;
        }
        const bool exposed = (m_plan.lossKinds >> (frame.kind % 64) & 1) &&
                             (m_plan.lossFrom == NO_PEER || m_plan.lossFrom == from) &&
                             (m_plan.lossTo == NO_PEER || m_plan.lossTo == to);
        if (exposed && ((m_plan.period > 0 && ++m_seen % m_plan.period == 0) || Toss(m_plan.loss)))
        {
            inflict(PortFault::LOST, 0);
            return;
        }
        if (Toss(m_plan.corruption))
        {
            const bool caught = !Toss(m_plan.uncaught);
            inflict(caught ? PortFault::CAUGHT : PortFault::CORRUPTED, 0);
            if (caught)
            {
                return;
            }
        }
        if (Toss(m_plan.duplication))
        {
            inflict(PortFault::REPEATED, DrawDelay());
        }
        if (Toss(m_plan.reordering))
        {
            inflict(PortFault::DELAYED, DrawDelay());
        }
    };
    if (!scripted)
    {
        draw();
    }
    if (fate.drop)
    {
        return fate;
    }
    if (to < m_plan.slow)
    {
        const Ticks wait = Queue(to, now);
        if (wait == NEVER)
        {
            inflict(PortFault::OVERFLOWED, 0);
            return fate;
        }
        fate.delay += wait;
        fate.copyDelay += wait;
    }
    return fate;
}

PortInfo
PortFaults::Weaken(PortInfo info) const
{
    Ticks slip = m_plan.reordering > 0 || m_plan.duplication > 0 ? m_plan.bound : 0;
    bool loses = CanLose();
    for (const auto& line : m_script)
    {
        const bool moves = line.fault == PortFault::DELAYED || line.fault == PortFault::REPEATED;
        slip = moves ? std::max(slip, line.delay) : slip;
        loses = loses || !moves;
    }
    info.lossless = info.lossless && !loses;
    info.ordered = info.ordered && slip == 0;
    info.maxSlip = info.maxSlip > NEVER - slip ? NEVER : info.maxSlip + slip;
    return info;
}

std::vector<std::pair<std::string, uint64_t>>
PortFaults::GetCounts() const
{
    return NameCounts<PortFault>(0, PORT_FAULTS, [this](PortFault fault) {
        return GetCount(fault);
    });
}

int64_t
PortFaults::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace messaging
} // namespace ns3
