/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-driver.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <sstream>

namespace ns3
{
namespace pcode
{

NS_LOG_COMPONENT_DEFINE("PcodeDriver");
using messaging::Acceptance;
using messaging::Peer;

ProgramDriver::ProgramDriver(Ptr<messaging::MessageGroup> group, const GlobalProgram& program)
    : m_group(group),
      m_program(&program),
      m_running(program.GetNNodes())
{
    m_group->SetUser(this);
    for (Peer p = 0; p < program.GetNNodes(); ++p)
    {
        m_runners.emplace_back(program, p);
    }
    m_ends.assign(m_runners.size(), Time(-1));
}

ProgramDriver::~ProgramDriver()
{
    m_group->SetUser(nullptr);
}

void
ProgramDriver::Start()
{
    for (Peer p = 0; p < m_runners.size(); ++p)
    {
        Continue(p);
    }
}

void
ProgramDriver::Continue(Peer p)
{
    if (m_runners[p].CanIssue())
    {
        Simulator::ScheduleNow(&ProgramDriver::Issue, this, p);
    }
    else if (m_runners[p].IsFinished() && m_ends[p].IsNegative())
    {
        m_ends[p] = Simulator::Now();
        NS_LOG_INFO("The program of node " << p << " ends");
        if (--m_running == 0 && m_ended)
        {
            Simulator::ScheduleNow(m_ended);
        }
    }
}

void
ProgramDriver::Issue(Peer p)
{
    const auto index = m_runners[p].GetIndex();
    NS_LOG_INFO("Node " << p << " issues call " << index << ", " << m_program->Describe(p, index));
    const messaging::Request request = m_runners[p].GetRequest();
    m_runners[p].OnIssue();
    const Acceptance acceptance = m_group->Post(p, request);
    if (acceptance != Acceptance::ACCEPTED)
    {
        std::ostringstream sentence;
        sentence << "Call " << index << " of node " << p << ", " << m_program->Describe(p, index)
                 << ", was " << acceptance << ".";
        Report(sentence.str());
    }
}

void
ProgramDriver::OnDeliver(Peer self, const messaging::Delivery& delivery)
{
    NS_LOG_INFO("Node " << self << " gets " << delivery.bytes << " bytes of node "
                        << delivery.from);
    m_runners[self].OnDeliver(delivery);
    Report(m_runners[self].GetViolation());
}

void
ProgramDriver::OnComplete(Peer self, messaging::RequestId id, messaging::Completion)
{
    NS_LOG_INFO("Call " << id << " of node " << self << " returns");
    m_runners[self].OnReturn(id);
    Report(m_runners[self].GetViolation());
    Continue(self);
}

void
ProgramDriver::Report(const std::string& sentence)
{
    if (m_violation.empty() && !sentence.empty())
    {
        m_violation = sentence;
        NS_LOG_WARN(sentence);
    }
}

} // namespace pcode
} // namespace ns3
