/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LOSS_COUNTS_H
#define MESSAGING_LOSS_COUNTS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Lost frames or packets by place.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Counts of lost frames or packets by place, such as the transmit queue of a device.
 */
class LossCounts
{
  public:
    /** A place and its count. */
    using Row = std::pair<std::string, uint64_t>;

    /**
     * Count losses.
     * @param place name of the place
     * @param copies number of losses
     */
    void Add(const std::string& place, uint64_t copies)
    {
        m_total += copies;
        // Most losses are at the place of the last one, which saves the search.
        if (m_last < m_rows.size() && m_rows[m_last].first == place)
        {
            m_rows[m_last].second += copies;
            return;
        }
        const auto [entry, added] = m_rowOf.try_emplace(place, m_rows.size());
        if (added)
        {
            m_rows.emplace_back(place, 0);
        }
        m_last = entry->second;
        m_rows[m_last].second += copies;
    }

    /**
     * Get the count of a place.
     * @param place name of the place
     * @return its losses
     */
    uint64_t Get(const std::string& place) const
    {
        const auto entry = m_rowOf.find(place);
        return entry == m_rowOf.end() ? 0 : m_rows[entry->second].second;
    }

    /** @return the losses of all places. */
    uint64_t GetTotal() const
    {
        return m_total;
    }

    /** @return places and counts, in the order of the first losses. */
    const std::vector<Row>& GetRows() const
    {
        return m_rows;
    }

  private:
    std::vector<Row> m_rows;                              ///< Places and counts.
    std::unordered_map<std::string, std::size_t> m_rowOf; ///< Row of each place.
    std::size_t m_last{0};                                ///< Row of the last losses.
    uint64_t m_total{0};                                  ///< Losses of all places.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LOSS_COUNTS_H
