/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_IDLE_ATTRIBUTES_H
#define MESSAGING_IDLE_ATTRIBUTES_H

#include "ns3/object.h"

#include <initializer_list>
#include <string>

/**
 * @file
 * @ingroup messaging
 * Finds parameters that are set although they have no effect.
 */

namespace ns3
{
namespace messaging
{

/**
 * Find an attribute that has no effect and yet not its initial value: the user who set it
 * means something that will not happen.
 * @param owner whose attributes
 * @param names the attributes that have no effect
 * @param where the case in which they have none, to follow "has no effect"
 * @return an empty text, or one sentence that names the first of them
 */
std::string FindIdleAttribute(const ObjectBase& owner,
                              std::initializer_list<const char*> names,
                              const std::string& where);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_IDLE_ATTRIBUTES_H
