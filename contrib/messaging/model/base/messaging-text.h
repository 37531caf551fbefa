/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TEXT_H
#define MESSAGING_TEXT_H

#include <sstream>
#include <string>

/**
 * @file
 * @ingroup messaging
 * Values as text.
 */

namespace ns3
{
namespace messaging
{

/**
 * Print values one after another.
 * @param values the values, each of a type that can be printed
 * @return the text
 */
template <class... Values>
std::string
ToText(const Values&... values)
{
    std::ostringstream text;
    (text << ... << values);
    return text.str();
}

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TEXT_H
