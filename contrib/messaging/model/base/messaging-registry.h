/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_REGISTRY_H
#define MESSAGING_REGISTRY_H

#include "ns3/log.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/type-id.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Finds scenarios, networks, protocols and patterns by name.
 *
 * Registration needs only a TypeId with parent, constructor and summary. The name is the class name
 * in kebab-case, without the suffix of its kind: `ns3::wormhole::WormholeNetwork` is the network
 * `wormhole`.
 *
 * Such a class also has a log component, by which its base class logs what its objects do. Its name
 * is that of the class, with the namespace in front unless it begins with it:
 * `WormholeNetwork`, `RoceIrnProtocol`.
 */

namespace ns3
{
namespace messaging
{

/**
 * Set the summary of a class, which a TypeId cannot store, and make its log component.
 * @param type the class
 * @param summary one sentence on its purpose
 * @return the class
 */
TypeId SetSummary(TypeId type, const std::string& summary);

/**
 * Get the summary of a class.
 * @param type the class
 * @return one sentence; empty if none was set
 */
std::string GetSummary(TypeId type);

/**
 * Get the log component of a class.
 * @param type the class
 * @param other returned if the class has no summary, and so no component
 * @return the component
 */
const LogComponent& GetLog(TypeId type, const LogComponent& other);

/**
 * Get the user-visible name of a class.
 * @param type the class
 * @param kind base class of its kind, such as Network, whose last word is the suffix to drop
 * @return the name in kebab-case
 */
std::string GetName(TypeId type, TypeId kind);

/**
 * List the classes of a kind that can be created, in alphabetical order of their names.
 * @param kind the base class
 * @return the classes
 */
std::vector<TypeId> ListTypes(TypeId kind);

/**
 * Find a class by its name.
 * @param kind base class of its kind
 * @param name its name in kebab-case
 * @param type set to the class
 * @return false if the kind has none of this name
 */
bool FindByName(TypeId kind, const std::string& name, TypeId& type);

/**
 * Create an object by its name.
 * @param kind base class of its kind
 * @param name its name in kebab-case
 * @return the object; nullptr if the kind has none of this name
 */
Ptr<Object> CreateByName(TypeId kind, const std::string& name);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_REGISTRY_H
