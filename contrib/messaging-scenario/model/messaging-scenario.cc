/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-scenario.h"

#include "messaging-scenario-recorder.h"

#include "ns3/log.h"
#include "ns3/messaging-attribute-text.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-text.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <array>
#include <chrono>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingScenario");
NS_OBJECT_ENSURE_REGISTERED(Scenario);

namespace
{

/** Minimum interval of progress reports [ms]. */
constexpr int64_t REPORT_INTERVAL = 200;

} // namespace

std::ostream&
operator<<(std::ostream& os, Verdict verdict)
{
    constexpr std::array NAMES{"not-run",
                               "completed",
                               "livelock",
                               "deadlock",
                               "unreachable",
                               "violated",
                               "failed",
                               "undecided",
                               "error"};
    return os << NAMES[static_cast<std::size_t>(verdict)];
}

Scenario::Scenario()
    : m_recorder(std::make_unique<Recorder>())
{
}

Scenario::~Scenario() = default;

TypeId
Scenario::GetTypeId()
{
    static TypeId tid =
        Attributes<Scenario>(TypeId("ns3::messaging::Scenario")
                                 .SetParent<Object>()
                                 .SetGroupName("MessagingScenario"))
            .AddResult("Verdict",
                       "Verdict on the run: completed, livelock, deadlock, unreachable, violated, "
                       "failed (the protocol has given up a message) or undecided (a limit has "
                       "ended the run).",
                       &Scenario::GetVerdictName)
            .AddResult("VerdictReason",
                       "Reason for a verdict other than completed, in one sentence.",
                       &Scenario::GetFailure);
    return tid;
}

Ptr<Object>
Scenario::GetPart(const std::string& prefix) const
{
    for (const Part& part : GetParts())
    {
        if (part.prefix != prefix)
        {
            continue;
        }
        auto& [made, object] = m_parts[prefix];
        if (part.selector.empty())
        {
            if (!object)
            {
                object = ObjectFactory(part.kind.GetName()).Create();
            }
            return object;
        }
        StringValue name;
        GetAttribute(part.selector, name);
        if (!object || made != name.Get())
        {
            made = name.Get();
            object = CreateByName(part.kind, made);
        }
        return object;
    }
    return nullptr;
}

void
Scenario::Run()
{
    [[maybe_unused]] const LogComponent& g_log = GetLog(GetInstanceTypeId(), messaging::g_log);
    m_verdict = Verdict::NOT_RUN;
    m_failure = Check();
    if (!m_failure.empty())
    {
        NS_LOG_INFO("Run is refused: " << m_failure);
        m_verdict = Verdict::ERROR;
        return;
    }
    NS_LOG_INFO("Run begins");
    DoRun();
    if (m_verdict == Verdict::NOT_RUN)
    {
        m_verdict = Verdict::COMPLETED;
    }
    NS_LOG_INFO("Run is " << m_verdict << (m_failure.empty() ? "" : ": ") << m_failure);
    Simulator::Destroy();
}

std::string
Scenario::GetVerdictName() const
{
    return ToText(m_verdict);
}

void
Scenario::ReportProgress(double done, double total, const std::string& unit)
{
    if (!m_progress)
    {
        return;
    }
    const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
                         std::chrono::steady_clock::now().time_since_epoch())
                         .count();
    if (now - m_lastReport >= REPORT_INTERVAL)
    {
        m_lastReport = now;
        m_progress(done, total, unit);
    }
}

std::string
SetParameters(Scenario& scenario, const std::map<std::string, std::string>& parameters)
{
    for (const auto& [name, value] : parameters)
    {
        TypeId::AttributeInformation found;
        if (!scenario.GetInstanceTypeId().LookupAttributeByName(name, &found) ||
            (found.flags & TypeId::ATTR_SET) == 0)
        {
            return "There is no parameter " + name + ".";
        }
        if (!IsWellFormed(value, *found.checker) ||
            !scenario.SetAttributeFailSafe(name, StringValue(value)))
        {
            return name + " is \"" + value + "\"; allowed is " +
                   found.checker->GetUnderlyingTypeInformation() + ".";
        }
    }
    return scenario.Check();
}

} // namespace messaging
} // namespace ns3
