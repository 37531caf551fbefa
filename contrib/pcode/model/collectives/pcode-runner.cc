/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-runner.h"

#include <array>
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
        Report(Breach::NOT_REQUESTED);
    }
    else if (m_delivered)
    {
        Report(Breach::DELIVERED_TWICE);
    }
    else if (delivery.from != call.source || delivery.contents != call.contents ||
             delivery.bytes != call.bytes || delivery.tag != call.group)
    {
        Report(Breach::WRONG_MESSAGE);
    }
    m_delivered = true;
}

void
ProgramRunner::OnReturn(messaging::RequestId id)
{
    if (!m_open || id != m_index)
    {
        Report(Breach::NOT_OPEN);
        return;
    }
    if (GetCall().kind == CallKind::REQUEST && !m_delivered)
    {
        Report(Breach::RETURNED_EMPTY);
    }
    m_open = false;
    ++m_index;
    PassSkips();
}

std::string
ProgramRunner::GetViolation() const
{
    if (m_breach == Breach::NONE)
    {
        return "";
    }
    std::ostringstream sentence;
    sentence << "Node " << m_self << ", which is at its call " << m_index << ", "
             << m_program->Describe(m_self, m_index) << ": " << m_breach << ".";
    return sentence.str();
}

std::ostream&
operator<<(std::ostream& os, Breach breach)
{
    constexpr std::array NAMES{"none",
                               "a message was delivered while no request was open",
                               "a request was given a second message",
                               "a request was given another message than its own",
                               "a request returned without a message",
                               "a call returned that was not open"};
    return os << NAMES[static_cast<std::size_t>(breach)];
}

} // namespace pcode
} // namespace ns3
