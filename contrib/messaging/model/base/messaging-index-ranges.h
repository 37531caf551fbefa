/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_INDEX_RANGES_H
#define MESSAGING_INDEX_RANGES_H

#include <algorithm>
#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * A set of indices as sorted ranges.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A set of indices, kept as sorted ranges that neither overlap nor touch. Indices that are added
 * nearly in order need one range and one more for each gap.
 */
class IndexRanges
{
  public:
    /** A range of indices. */
    struct Range
    {
        uint32_t first{0}; ///< First index.
        uint32_t end{0};   ///< Index behind the last one.

        /** Equality of both ends. @return True if they are equal. */
        bool operator==(const Range&) const = default;
    };

    /**
     * Add an index.
     * @param index below the largest value of its type
     * @return false if the set has it already
     */
    bool Add(uint32_t index)
    {
        const auto at =
            std::partition_point(m_ranges.begin(), m_ranges.end(), [index](const Range& range) {
                return range.end < index;
            });
        if (at == m_ranges.end() || index + 1 < at->first)
        {
            m_ranges.insert(at, Range{index, index + 1});
            return true;
        }
        if (index + 1 == at->first)
        {
            at->first = index;
            return true;
        }
        if (index < at->end)
        {
            return false;
        }
        ++at->end;
        if (const auto next = at + 1; next != m_ranges.end() && next->first == at->end)
        {
            at->end = next->end;
            m_ranges.erase(next);
        }
        return true;
    }

    /** @return true if the set has exactly the indices below a number. @param count the number */
    bool IsWhole(uint32_t count) const
    {
        return m_ranges.size() == 1 && m_ranges.front() == Range{0, count};
    }

    /** @return the ranges, sorted. */
    const std::vector<Range>& Get() const
    {
        return m_ranges;
    }

  private:
    std::vector<Range> m_ranges; ///< The ranges, sorted.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_INDEX_RANGES_H
