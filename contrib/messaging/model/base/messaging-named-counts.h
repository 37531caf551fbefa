/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_NAMED_COUNTS_H
#define MESSAGING_NAMED_COUNTS_H

#include "ns3/messaging-text.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Counts with names.
 */

namespace ns3
{
namespace messaging
{

/**
 * List the counts of an enumeration's values by name.
 * @tparam E the enumeration, whose values print as names
 * @param begin the first value as a number
 * @param end the last value as a number, plus one
 * @param count returns the count of a value
 * @return name and count of each value
 */
template <class E, class Count>
std::vector<std::pair<std::string, uint64_t>>
NameCounts(std::size_t begin, std::size_t end, const Count& count)
{
    std::vector<std::pair<std::string, uint64_t>> counts;
    for (std::size_t i = begin; i < end; ++i)
    {
        counts.emplace_back(ToText(static_cast<E>(i)), count(static_cast<E>(i)));
    }
    return counts;
}

/**
 * Name the values of an enumeration.
 * @tparam E the enumeration, whose values print as names and begin with 0
 * @tparam N number of values
 * @param prefix text before each name
 * @return the names by value
 */
template <class E, std::size_t N>
std::array<std::string, N>
NameAll(const std::string& prefix)
{
    std::array<std::string, N> names;
    for (std::size_t i = 0; i < N; ++i)
    {
        names[i] = prefix + ToText(static_cast<E>(i));
    }
    return names;
}

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_NAMED_COUNTS_H
