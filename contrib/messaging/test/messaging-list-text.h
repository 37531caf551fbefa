/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LIST_TEXT_H
#define MESSAGING_LIST_TEXT_H

#include "ns3/messaging-text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>

/**
 * @file
 * @ingroup messaging-tests
 * Lists as texts, so that a failed comparison prints both.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{

/** @param value an element @return it as text; a byte as a number. */
template <class T>
std::string
ElementText(const T& value)
{
    if constexpr (std::is_same_v<T, uint8_t>)
    {
        return ToText(+value);
    }
    else
    {
        return ToText(value);
    }
}

/** @param pair a pair of elements @return both as text. */
template <class A, class B>
std::string
ElementText(const std::pair<A, B>& pair)
{
    return ElementText(pair.first) + ":" + ElementText(pair.second);
}

/**
 * Write a list.
 * @param list the list
 * @return its elements, separated by commas
 */
template <std::ranges::input_range List>
std::string
ListText(const List& list)
{
    std::string text;
    std::string separator;
    for (const auto& element : list)
    {
        text += separator + ElementText(element);
        separator = ", ";
    }
    return text;
}

/**
 * Compare two long lists, of which a failed check should not print every element.
 * @param actual a list
 * @param expected the list that it should equal
 * @return an empty text if they are equal, or else a phrase on the first difference
 */
template <std::ranges::random_access_range List>
std::string
FirstDifference(const List& actual, const List& expected)
{
    const std::size_t common = std::min(actual.size(), expected.size());
    for (std::size_t n = 0; n < common; ++n)
    {
        if (!(actual[n] == expected[n]))
        {
            return "element " + ToText(n) + " is " + ElementText(actual[n]) + " instead of " +
                   ElementText(expected[n]);
        }
    }
    if (actual.size() != expected.size())
    {
        return ToText(actual.size()) + " elements instead of " + ToText(expected.size());
    }
    return "";
}

} // namespace tests
} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LIST_TEXT_H
