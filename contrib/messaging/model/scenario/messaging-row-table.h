/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_ROW_TABLE_H
#define MESSAGING_ROW_TABLE_H

#include "ns3/messaging-scenario.h"

#include <functional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Tables made from a collection of objects, one for each row.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Builder of a table with a row for each object of a collection.
 *
 * @tparam Rows a container of objects, or an integer type for a number of rows, whose objects are
 * the row indices
 */
template <class Rows>
class RowTable
{
  public:
    /** @param rows the objects, kept by the caller, or their number */
    explicit RowTable(const Rows& rows)
        : m_rows(rows)
    {
    }

    /**
     * Append a column of numbers; values of other types are printed as text.
     * @param name name of the column
     * @param unit unit of its cells
     * @param get returns the value of an object: a function or a member
     * @return this
     */
    template <class Get>
    RowTable& Add(const std::string& name, const std::string& unit, Get get)
    {
        if constexpr (std::is_integral_v<Rows>)
        {
            std::vector<Cell<std::invoke_result_t<Get, Rows>>> cells;
            for (Rows row = 0; row < m_rows; ++row)
            {
                Append(cells, get(row));
            }
            m_table->AddColumn(name, unit, std::move(cells));
        }
        else
        {
            std::vector<Cell<std::invoke_result_t<Get, decltype(*m_rows.begin())>>> cells;
            for (const auto& row : m_rows)
            {
                Append(cells, std::invoke(get, row));
            }
            m_table->AddColumn(name, unit, std::move(cells));
        }
        return *this;
    }

    /** @return the table. */
    Ptr<Table> Get() const
    {
        return m_table;
    }

  private:
    /** Type of the cells for values of a type. */
    template <class T>
    using Cell = std::conditional_t<
        std::is_floating_point_v<std::decay_t<T>>,
        double,
        std::conditional_t<std::is_integral_v<std::decay_t<T>>, int64_t, std::string>>;

    /**
     * Append a cell.
     * @param cells the cells of a column, changed
     * @param value the value
     */
    template <class T, class V>
    static void Append(std::vector<T>& cells, const V& value)
    {
        if constexpr (std::is_convertible_v<V, T>)
        {
            cells.push_back(static_cast<T>(value));
        }
        else
        {
            std::ostringstream text;
            text << value;
            cells.push_back(text.str());
        }
    }

    std::conditional_t<std::is_integral_v<Rows>, Rows, const Rows&> m_rows; ///< The objects.
    Ptr<Table> m_table{CreateObject<Table>()};                              ///< The table.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_ROW_TABLE_H
