/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_ROW_TABLE_H
#define MESSAGING_ROW_TABLE_H

#include "ns3/messaging-table.h"
#include "ns3/messaging-text.h"

#include <functional>
#include <ranges>
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
        : m_rows(View(rows))
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
        std::vector<Cell<std::invoke_result_t<Get, decltype(*m_rows.begin())>>> cells;
        for (const auto& row : m_rows)
        {
            Append(cells, std::invoke(get, row));
        }
        m_table->AddColumn(name, unit, std::move(cells));
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
     * Get the objects.
     * @param rows the objects or their number
     * @return a view of the objects, or of the row indices
     */
    static auto View(const Rows& rows)
    {
        if constexpr (std::is_integral_v<Rows>)
        {
            return std::views::iota(Rows{0}, rows);
        }
        else
        {
            return std::views::all(rows);
        }
    }

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
            cells.push_back(ToText(value));
        }
    }

    decltype(View(std::declval<const Rows&>())) m_rows; ///< The objects.
    Ptr<Table> m_table{CreateObject<Table>()};          ///< The table.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_ROW_TABLE_H
