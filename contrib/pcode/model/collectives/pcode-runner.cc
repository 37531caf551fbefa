/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-runner.h"

#include <sstream>

namespace ns3
{
namespace pcode
{

void
ProgramRunner::OnDeliver(const messaging::Delivery& delivery)
{
    const Call call = GetCall();
    if (!m_open || call.kind != CallKind::REQUEST)
    {
        Report("a message was delivered while no request was open"); // Property 1
    }
    else if (m_delivered)
    {
        Report("a request was given a second message"); // Property 1
    }
    else if (delivery.from != call.source || delivery.contents != call.contents ||
             delivery.bytes != call.bytes || delivery.tag != call.group)
    {
        Report("a request was given another message than its own"); // Property 2
    }
    m_delivered = true;
}

void
ProgramRunner::OnReturn(messaging::RequestId id)
{
    if (!m_open || id != m_index)
    {
        Report("a call returned that was not open");
        return;
    }
    if (GetCall().kind == CallKind::REQUEST && !m_delivered)
    {
        Report("a request returned without a message"); // Proposition 2
    }
    m_open = false;
    ++m_index;
    PassSkips();
}

std::string
ProgramRunner::GetViolation() const
{
    if (!m_breach)
    {
        return "";
    }
    std::ostringstream sentence;
    sentence << "Node " << m_self << ", which is at its call " << m_index << ", "
             << m_program->Describe(m_self, m_index) << ": " << m_breach << ".";
    return sentence.str();
}

} // namespace pcode
} // namespace ns3
