/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-table.h"

#include "messaging-row-table.h"

#include "ns3/abort.h"

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(Table);

namespace
{

/**
 * Count the cells of a column.
 * @param cells the column's cells
 * @return their number
 */
std::size_t
CountCells(const Table::Cells& cells)
{
    return std::visit([](const auto& column) { return column.size(); }, cells);
}

} // namespace

TypeId
Table::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::Table")
                            .SetParent<Object>()
                            .SetGroupName("Messaging")
                            .AddConstructor<Table>();
    return tid;
}

void
Table::AddColumn(const std::string& name, const std::string& unit, Cells cells)
{
    NS_ABORT_MSG_IF(!m_columns.empty() && CountCells(cells) != GetNRows(),
                    "Column " << name << " has " << CountCells(cells)
                              << " rows where the table has " << GetNRows() << ".");
    m_columns.push_back(Column{name, unit, std::move(cells)});
}

Ptr<Table>
MakeCountTable(const std::vector<std::pair<std::string, uint64_t>>& counts)
{
    using Count = std::pair<std::string, uint64_t>;
    return RowTable(counts).Add("Event", "", &Count::first).Add("Count", "", &Count::second).Get();
}

std::size_t
Table::GetNRows() const
{
    return m_columns.empty() ? 0 : CountCells(m_columns.front().cells);
}

} // namespace messaging
} // namespace ns3
