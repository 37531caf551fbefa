/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-fault-plan.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-registry.h"
#include "ns3/object-factory.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingFaultPlan");
NS_OBJECT_ENSURE_REGISTERED(FaultPlan);

namespace
{

/** Last number of a bit of a word. */
constexpr uint32_t LAST_BIT = 63;

/**
 * Add two times.
 * @param a a time [ticks]
 * @param b another [ticks]
 * @return the sum; NEVER if it is too large
 */
Ticks
AddTicks(Ticks a, Ticks b)
{
    return a > NEVER - b ? NEVER : a + b;
}

/**
 * Get the name of a scripted fault's effect.
 * @param fault the fault
 * @return the name
 */
const char*
GetEffect(ScriptedFault fault)
{
    constexpr std::array NAMES{"lost", "corrupted", "repeated", "delayed"};
    return NAMES.at(static_cast<std::size_t>(fault));
}

} // namespace

/** Reads and writes an attribute of all faults whose class declares or inherits it. */
class FaultPlan::Accessor : public ForwardedAccessor
{
  public:
    /**
     * Constructor.
     * @param name name of the attribute
     * @param origin type that declares it
     */
    Accessor(const std::string& name, TypeId origin)
        : ForwardedAccessor(origin),
          m_name(name)
    {
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        auto& plan = *static_cast<FaultPlan*>(object);
        plan.m_stale = true;
        bool set = false;
        for (const auto& entry : plan.m_faults)
        {
            if (Concerns(entry))
            {
                set = entry.fault->SetAttributeFailSafe(m_name, value);
            }
        }
        return set;
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        const auto& faults = static_cast<const FaultPlan*>(object)->m_faults;
        const auto entry = std::find_if(faults.begin(), faults.end(), [this](const Entry& one) {
            return Concerns(one);
        });
        return entry != faults.end() && entry->fault->GetAttributeFailSafe(m_name, value);
    }

  private:
    /**
     * Check whether the attribute of the plan is that of a fault.
     * @param entry the fault
     * @return true if it is
     */
    bool Concerns(const Entry& entry) const
    {
        const TypeId type = entry.fault->GetInstanceTypeId();
        return !entry.added && (type == GetOrigin() || type.IsChildOf(GetOrigin()));
    }

    std::string m_name; ///< Name of the attribute.
};

TypeId
FaultPlan::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::FaultPlan")
                            .SetParent<Object>()
                            .SetGroupName("Messaging")
                            .AddConstructor<FaultPlan>()
                            .AddTraceSource("Fault",
                                            "Effect of a fault on a frame, with the frame as sent.",
                                            MakeTraceSourceAccessor(&FaultPlan::m_faultTrace),
                                            "ns3::messaging::FaultPlan::FaultTracedCallback");
    return tid;
}

FaultPlan::FaultPlan()
{
    for (const TypeId& type : GetFaultTypes())
    {
        Insert(ObjectFactory(type.GetName()).Create<Fault>(), false);
    }
}

const std::vector<TypeId>&
FaultPlan::GetFaultTypes()
{
    static std::vector<TypeId> types;
    static uint16_t registered = 0;
    if (TypeId::GetRegisteredN() == registered)
    {
        return types;
    }
    types = ListTypes(Fault::GetTypeId());
    TypeId plan = GetTypeId();
    for (const TypeId& type : types)
    {
        ForEachSettable(type,
                        [&plan](const TypeId::AttributeInformation& attribute, TypeId declaring) {
                            TypeId::AttributeInformation present;
                            if (plan.LookupAttributeByName(attribute.name, &present))
                            {
                                const TypeId origin = messaging::GetOrigin(present, plan);
                                NS_ABORT_MSG_UNLESS(
                                    origin == declaring,
                                    origin.GetName()
                                        << " and " << declaring.GetName()
                                        << " both declare the attribute " << attribute.name
                                        << "; parameters of faults need different names.");
                                return;
                            }
                            plan.AddAttribute(attribute.name,
                                              attribute.help,
                                              attribute.flags,
                                              *attribute.initialValue,
                                              Create<Accessor>(attribute.name, declaring),
                                              attribute.checker);
                        });
    }
    RenewForwards(plan);
    registered = TypeId::GetRegisteredN();
    return types;
}

std::size_t
FaultPlan::GetRow(const std::string& effect)
{
    const auto row = std::find_if(m_counts.begin(), m_counts.end(), [&effect](const auto& count) {
        return count.first == effect;
    });
    if (row == m_counts.end())
    {
        m_counts.emplace_back(effect, 0);
        return m_counts.size() - 1;
    }
    return static_cast<std::size_t>(row - m_counts.begin());
}

void
FaultPlan::Insert(Ptr<Fault> fault, bool added)
{
    fault->Setup(m_random, m_tick);
    std::vector<std::size_t> rows;
    for (const auto& effect : fault->GetEffects())
    {
        rows.push_back(GetRow(effect));
    }
    const auto place = [](const Fault& one) {
        return std::pair(one.GetStage(), GetName(one.GetInstanceTypeId(), Fault::GetTypeId()));
    };
    const auto next = std::find_if(m_faults.begin(), m_faults.end(), [&](const Entry& other) {
        return place(*fault) < place(*other.fault);
    });
    m_faults.insert(next, Entry{fault, std::move(rows), added});
    m_stale = true;
}

void
FaultPlan::Add(Ptr<Fault> fault)
{
    Insert(fault, true);
}

void
FaultPlan::Refresh()
{
    m_acting.clear();
    for (const auto& entry : m_faults)
    {
        if (entry.added || entry.fault->IsActive())
        {
            m_acting.push_back(&entry);
        }
    }
    m_stale = false;
}

void
FaultPlan::Script(ScriptedFault fault, uint8_t kind, uint64_t nth, Ticks delay, Peer from, Peer to)
{
    NS_ABORT_MSG_IF(nth == 0, "Scripted frames are counted from 1.");
    m_script.push_back(Line{fault, kind, nth, delay, from, to});
}

void
FaultPlan::SetTickLength(Time length)
{
    m_tick = length;
    for (const auto& entry : m_faults)
    {
        entry.fault->Setup(m_random, m_tick);
    }
}

bool
FaultPlan::ApplyScript(const FrameArrival& arrival, FrameFate& fate)
{
    bool applied = false;
    for (auto& line : m_script)
    {
        if (line.kind != arrival.frame.kind ||
            (line.from != NO_PEER && line.from != arrival.from) ||
            (line.to != NO_PEER && line.to != arrival.to) || --line.nth > 0)
        {
            continue;
        }
        applied = true;
        switch (line.fault)
        {
        case ScriptedFault::LOSE:
            fate.Lose();
            break;
        case ScriptedFault::CORRUPT:
            fate.Corrupt(m_random->GetInteger(0, LAST_BIT));
            break;
        case ScriptedFault::DUPLICATE:
            fate.Duplicate(line.delay);
            break;
        case ScriptedFault::DELAY:
            fate.Delay(line.delay);
            break;
        }
        Count(arrival, fate, GetRow(GetEffect(line.fault)), g_log);
    }
    std::erase_if(m_script, [](const Line& line) { return line.nth == 0; });
    return applied;
}

void
FaultPlan::Count(const FrameArrival& arrival,
                 const FrameFate& fate,
                 std::size_t row,
                 [[maybe_unused]] const LogComponent& g_log)
{
    auto& [effect, count] = m_counts[row];
    NS_LOG_INFO("Frame of kind " << +arrival.frame.kind << " from peer " << arrival.from
                                 << " to peer " << arrival.to << " is " << effect);
    ++count;
    m_faultTrace(arrival.from, arrival.to, arrival.frame, effect, fate.IsLost());
}

FrameFate
FaultPlan::Decide(Peer from, Peer to, const Frame& frame, Ticks now, const Packet* packet)
{
    const FrameArrival arrival{from, to, frame, now, packet};
    FrameFate fate(frame);
    if (m_stale)
    {
        Refresh();
    }
    const char* cause = "lost";
    const bool scripted = !m_script.empty() && ApplyScript(arrival, fate);
    for (const Entry* entry : m_acting)
    {
        Fault& fault = *PeekPointer(entry->fault);
        if (fate.IsLost())
        {
            break;
        }
        if (scripted && fault.GetStage() < FaultStage::RECEIVER)
        {
            continue;
        }
        const std::size_t effect = fault.Decide(arrival, fate);
        if (effect != Fault::NO_EFFECT)
        {
            Count(arrival, fate, entry->rows[effect], GetLog(fault.GetInstanceTypeId(), g_log));
            if (fate.IsLost())
            {
                cause = m_counts[entry->rows[effect]].first.c_str();
            }
        }
    }
    if (fate.IsLost())
    {
        m_losses.Add(std::string("fault: ") + cause, 1);
    }
    else if (fate.IsDuplicated())
    {
        ++m_duplicated;
    }
    return fate;
}

PortInfo
FaultPlan::Weaken(PortInfo info) const
{
    bool loses = false;
    Ticks delay = 0;
    Ticks slip = 0;
    for (const auto& entry : m_faults)
    {
        if (entry.fault->IsActive())
        {
            const FaultHarm harm = entry.fault->GetHarm();
            loses = loses || harm.loses;
            delay = AddTicks(delay, harm.delay);
            slip = std::max(slip, harm.copyDelay);
        }
    }
    slip = std::max(slip, delay);
    for (const auto& line : m_script)
    {
        const bool moves =
            line.fault == ScriptedFault::DELAY || line.fault == ScriptedFault::DUPLICATE;
        slip = moves ? std::max(slip, line.delay) : slip;
        loses = loses || !moves;
    }
    info.lossless = info.lossless && !loses;
    info.reports = info.reports && !loses;
    info.ordered = info.ordered && slip == 0;
    info.maxSlip = AddTicks(info.maxSlip, slip);
    return info;
}

bool
FaultPlan::IsActive() const
{
    return !m_script.empty() ||
           std::any_of(m_faults.begin(), m_faults.end(), [](const Entry& entry) {
               return entry.fault->IsActive();
           });
}

bool
FaultPlan::CorruptsUnnoticed() const
{
    return std::any_of(m_faults.begin(), m_faults.end(), [](const Entry& entry) {
        return entry.fault->IsActive() && entry.fault->GetHarm().corrupts;
    });
}

std::string
FaultPlan::Check(const PortInfo& network, uint32_t peers) const
{
    for (const auto& entry : m_faults)
    {
        std::string sentence = entry.fault->CheckPeers(peers);
        if (sentence.empty() && entry.fault->IsActive())
        {
            sentence = entry.fault->Check(network);
        }
        if (!sentence.empty())
        {
            return sentence;
        }
    }
    return "";
}

uint64_t
FaultPlan::GetCount(const std::string& effect) const
{
    for (const auto& [name, count] : m_counts)
    {
        if (name == effect)
        {
            return count;
        }
    }
    NS_ABORT_MSG("No fault has the effect \"" << effect << "\".");
}

uint64_t
FaultPlan::GetTotal() const
{
    uint64_t total = 0;
    for (const auto& count : m_counts)
    {
        total += count.second;
    }
    return total;
}

int64_t
FaultPlan::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    int64_t next = stream + 1;
    for (const auto& entry : m_faults)
    {
        next += entry.fault->AssignStreams(next);
    }
    return next - stream;
}

} // namespace messaging
} // namespace ns3
