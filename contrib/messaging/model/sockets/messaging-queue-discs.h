/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_QUEUE_DISCS_H
#define MESSAGING_QUEUE_DISCS_H

#include "ns3/node-container.h"
#include "ns3/type-id.h"

#include <optional>
#include <string>

/**
 * @file
 * @ingroup messaging
 * Classes of ns-3's stack by the names of Linux, and the queue discs of nodes.
 */

namespace ns3
{
namespace messaging
{

/** Name of no queue disc: packets go to the device at once. */
inline constexpr const char* NO_QUEUE_DISC = "none";

/**
 * Find a class of ns-3 by its own name or by that of Linux: `ns3::TcpNewReno`, `TcpNewReno`,
 * `newreno`, `pfifo_fast`.
 * @param base its base class
 * @param name the name, whose case, underscores and hyphens do not matter
 * @return the class, if there is one
 */
std::optional<TypeId> FindClass(TypeId base, const std::string& name);

/**
 * List the short names of the classes with a base class.
 * @param base the base class
 * @return the names, in alphabetical order, separated by commas
 */
std::string ListClasses(TypeId base);

/**
 * Check the name of a queue disc.
 * @param name the name, or NO_QUEUE_DISC
 * @return empty if there is one, else one sentence
 */
std::string CheckQueueDisc(const std::string& name);

/**
 * Replace the queue discs that ns-3 has installed with the addresses of nodes.
 * @param nodes the nodes
 * @param name name of the queue disc, or NO_QUEUE_DISC
 */
void InstallQueueDisc(const NodeContainer& nodes, const std::string& name);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_QUEUE_DISCS_H
