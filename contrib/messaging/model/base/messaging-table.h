/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TABLE_H
#define MESSAGING_TABLE_H

#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Tables of results.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A named table of a scenario's results: columns of equal length, each of one type and with a unit.
 */
class Table : public Object
{
  public:
    /** The cells of one column. */
    using Cells = std::variant<std::vector<int64_t>, std::vector<double>, std::vector<std::string>>;

    /** A column. */
    struct Column
    {
        std::string name; ///< Name of the cells.
        std::string unit; ///< Their unit; empty for names and pure numbers.
        Cells cells;      ///< One cell for each row.
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Append a column.
     * @param name name of the cells, unique in the table
     * @param unit their unit
     * @param cells one cell for each row; as many as in the existing columns
     */
    void AddColumn(const std::string& name, const std::string& unit, Cells cells);

    /** @return all columns in the order added. */
    const std::vector<Column>& GetColumns() const
    {
        return m_columns;
    }

    /** @return the number of rows. */
    std::size_t GetNRows() const;

  private:
    std::vector<Column> m_columns; ///< All columns.
};

/** A table and its name. */
using NamedTable = std::pair<std::string, Ptr<Table>>;

/**
 * Make a table of counts, with the columns Event and Count.
 * @param counts the counts with their names
 * @return the table
 */
Ptr<Table> MakeCountTable(const std::vector<std::pair<std::string, uint64_t>>& counts);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TABLE_H
