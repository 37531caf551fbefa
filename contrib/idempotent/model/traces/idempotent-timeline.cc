/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-timeline.h"

#include <array>

namespace ns3
{
namespace idempotent
{

Timeline::Timeline(const Trace& trace,
                   Ptr<TraceReplayer> replayer,
                   Ptr<const messaging::TickClock> clock)
    : m_trace(trace),
      m_clock(clock),
      m_posted(trace.GetMessages(), -1),
      m_delivered(trace.GetMessages(), -1),
      m_completed(trace.GetMessages(), -1)
{
    const Ptr<Timeline> self(this);
    replayer->TraceConnectWithoutContext("Posted", MakeCallback(&Timeline::OnPosted, self));
    replayer->TraceConnectWithoutContext("Delivered", MakeCallback(&Timeline::OnDelivered, self));
    replayer->TraceConnectWithoutContext("Completed", MakeCallback(&Timeline::OnCompleted, self));
}

void
Timeline::OnPosted(uint32_t message)
{
    m_posted[message] = static_cast<int64_t>(m_clock->Now());
}

void
Timeline::OnDelivered(uint32_t message)
{
    m_delivered[message] = static_cast<int64_t>(m_clock->Now());
}

void
Timeline::OnCompleted(uint32_t message)
{
    m_completed[message] = static_cast<int64_t>(m_clock->Now());
}

Ptr<messaging::Table>
Timeline::MakeTable() const
{
    std::array<std::vector<int64_t>, 7> columns;
    std::vector<std::string> kinds;
    for (uint32_t block = 0; block < m_trace.GetBlocks(); ++block)
    {
        for (uint32_t i = m_trace.GetFirst(block); i < m_trace.GetEnd(block); ++i)
        {
            if (m_trace.GetDestination(i) == m_trace.GetNode(block))
            {
                continue;
            }
            columns[0].push_back(i);
            columns[1].push_back(m_trace.GetNode(block));
            columns[2].push_back(m_trace.GetDestination(i));
            columns[3].push_back(m_trace.GetBytes(i));
            columns[4].push_back(m_posted[i]);
            columns[5].push_back(m_delivered[i]);
            columns[6].push_back(m_completed[i]);
            kinds.emplace_back(MessageKindName(m_trace.GetKind(i)));
        }
    }
    auto table = CreateObject<messaging::Table>();
    table->AddColumn("message", "", std::move(columns[0]));
    table->AddColumn("kind", "", std::move(kinds));
    table->AddColumn("source", "node", std::move(columns[1]));
    table->AddColumn("destination", "node", std::move(columns[2]));
    table->AddColumn("length", "bytes", std::move(columns[3]));
    table->AddColumn("posted", "cycles", std::move(columns[4]));
    table->AddColumn("delivered", "cycles", std::move(columns[5]));
    table->AddColumn("acknowledged", "cycles", std::move(columns[6]));
    return table;
}

} // namespace idempotent
} // namespace ns3
