/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-port-faults.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>

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
                               "delayed"};
    return os << NAMES[static_cast<std::size_t>(fault)];
}

TypeId
PortFaults::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::messaging::PortFaults")
            .SetParent<Object>()
            .SetGroupName("Messaging")
            .AddConstructor<PortFaults>()
            .AddAttribute("Loss",
                          "Probability that a frame is lost [probability; default].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&PortFaults::m_loss),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("LossKinds",
                          "Which kinds of frames Loss hits: a bit each, the lowest for kind 0 "
                          "[-; default].",
                          UintegerValue(~uint64_t{0}),
                          MakeUintegerAccessor(&PortFaults::m_lossKinds),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Corruption",
                          "Probability that a frame is corrupted [probability; default].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&PortFaults::m_corruption),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Uncaught",
                          "Share of the corrupted frames that pass the checksum; the others are "
                          "dropped [fraction; default].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&PortFaults::m_uncaught),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Duplication",
                          "Probability that a frame arrives a second time, up to ReorderBound "
                          "later [probability; default].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&PortFaults::m_duplication),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute(
                "Reordering",
                "Probability that a frame is delayed, by 1 to ReorderBound [probability; default].",
                DoubleValue(0),
                MakeDoubleAccessor(&PortFaults::m_reordering),
                MakeDoubleChecker<double>(0, 1))
            .AddAttribute("ReorderBound",
                          "Longest delay, and so how long a frame can arrive after a later one "
                          "[ticks; default].",
                          UintegerValue(0),
                          MakeUintegerAccessor(&PortFaults::m_bound),
                          MakeUintegerChecker<uint64_t>(0, uint64_t{1} << 62))
            .AddAttribute("BurstBegin",
                          "Probability at each frame that the link of its sender turns bad "
                          "[probability; default].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&PortFaults::m_burstBegin),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("BurstEnd",
                          "Probability at each frame that the bad link of its sender turns good "
                          "[probability; default].",
                          DoubleValue(1),
                          MakeDoubleAccessor(&PortFaults::m_burstEnd),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("BurstLoss",
                          "Probability that a frame is lost while the link of its sender is bad "
                          "[probability; default].",
                          DoubleValue(1),
                          MakeDoubleAccessor(&PortFaults::m_burstLoss),
                          MakeDoubleChecker<double>(0, 1))
            .AddTraceSource("Fault",
                            "Something happens to a frame; a frame as sent, and what.",
                            MakeTraceSourceAccessor(&PortFaults::m_faultTrace),
                            "ns3::messaging::PortFaults::FaultTracedCallback");
    return tid;
}

PortFaults::PortFaults()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

PortFaults::~PortFaults() = default;

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
    if (m_bound == 0)
    {
        return 0;
    }
    const auto drawn = static_cast<Ticks>(m_random->GetValue(0, 1) * static_cast<double>(m_bound));
    return std::min(1 + drawn, m_bound);
}

void
PortFaults::Corrupt(Frame& frame)
{
    auto& word = frame.payload > 0 ? frame.contents : frame.id;
    word ^= uint64_t{1} << m_random->GetInteger(0, 63);
}

bool
PortFaults::IsLostInBurst(Peer from)
{
    if (m_burstBegin == 0)
    {
        return false;
    }
    if (m_bad.size() <= from)
    {
        m_bad.resize(from + 1);
    }
    auto& bad = m_bad[from];
    bad = bad ? !Toss(m_burstEnd) : Toss(m_burstBegin);
    return bad && Toss(m_burstLoss);
}

void
PortFaults::Inflict(PortFault fault, Fate& fate, Ticks delay)
{
    switch (fault)
    {
    case PortFault::LOST:
    case PortFault::BURST:
    case PortFault::CAUGHT:
        fate.drop = true;
        break;
    case PortFault::CORRUPTED:
        Corrupt(fate.frame);
        break;
    case PortFault::REPEATED:
        fate.copy = true;
        fate.copyDelay = delay;
        break;
    case PortFault::DELAYED:
        fate.delay = delay;
        break;
    }
}

PortFaults::Fate
PortFaults::Decide(Peer from, Peer to, const Frame& frame)
{
    Fate fate{frame};
    const auto inflict = [&](PortFault fault, Ticks delay) {
        NS_LOG_DEBUG("frame of kind " << +frame.kind << " from " << from << " to " << to << ": "
                                      << fault);
        Inflict(fault, fate, delay);
        ++m_counts[static_cast<std::size_t>(fault)];
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
    if (scripted)
    {
        return fate;
    }
    if (IsLostInBurst(from))
    {
        inflict(PortFault::BURST, 0);
        return fate;
    }
    if ((m_lossKinds >> (frame.kind % 64) & 1) && Toss(m_loss))
    {
        inflict(PortFault::LOST, 0);
        return fate;
    }
    if (Toss(m_corruption))
    {
        const bool caught = !Toss(m_uncaught);
        inflict(caught ? PortFault::CAUGHT : PortFault::CORRUPTED, 0);
        if (caught)
        {
            return fate;
        }
    }
    if (Toss(m_duplication))
    {
        inflict(PortFault::REPEATED, DrawDelay());
    }
    if (Toss(m_reordering))
    {
        inflict(PortFault::DELAYED, DrawDelay());
    }
    return fate;
}

PortInfo
PortFaults::Weaken(PortInfo info) const
{
    Ticks slip = m_reordering > 0 || m_duplication > 0 ? m_bound : 0;
    bool loses = m_loss > 0 || m_corruption > 0 || m_burstBegin > 0;
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

uint64_t
PortFaults::GetCount(PortFault fault) const
{
    return m_counts[static_cast<std::size_t>(fault)];
}

int64_t
PortFaults::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace messaging
} // namespace ns3
