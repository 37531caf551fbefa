/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_TARGET_GROUPS_H
#define PCODE_TARGET_GROUPS_H

#include "ns3/messaging-types.h"

#include <cstdint>
#include <ostream>
#include <set>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Target sets of a program, and their numbers in calls and messages.
 */

namespace ns3
{
namespace pcode
{

/** A set of nodes (the T of section 2.1). */
using TargetSet = std::set<messaging::Peer>;

/**
 * Print a set as {1,2,5}.
 * @param os the stream
 * @param set the set
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, const TargetSet& set);

/**
 * Target sets of a group of nodes, by number. A call and a message carry the number, not the set,
 * which grows with the group. All cores of a group share one table.
 *
 * Number 0 is the set of all nodes except the sender; 1 to n are the sets of one node each. Other
 * sets are registered, equal ones under the same number.
 */
class TargetGroups
{
  public:
    /** Number of the set of all nodes except the sender. */
    static constexpr uint32_t EVERYBODY = 0;

    /**
     * Constructor.
     * @param nNodes the number of nodes
     */
    explicit TargetGroups(uint32_t nNodes)
        : m_nNodes(nNodes)
    {
    }

    /** @return the number of nodes. */
    uint32_t GetNNodes() const
    {
        return m_nNodes;
    }

    /**
     * Get the number of the set of one node.
     * @param peer the node
     * @return the number
     */
    static constexpr uint32_t Single(messaging::Peer peer)
    {
        return peer + 1;
    }

    /**
     * Get the number of a set, and register it if it is new.
     * @param sender its sender
     * @param set the set
     * @return its number
     */
    uint32_t Register(messaging::Peer sender, const TargetSet& set);

    /**
     * Check whether a number is that of a set.
     * @param group the number
     * @return true if so
     */
    bool IsKnown(uint32_t group) const
    {
        return group <= m_nNodes + m_sets.size();
    }

    /**
     * Get the node of a set of one.
     * @param group the number
     * @return the node; NO_PEER for other sets
     */
    messaging::Peer GetSingle(uint32_t group) const
    {
        if (group == EVERYBODY || group > m_nNodes)
        {
            return messaging::NO_PEER;
        }
        return group - 1;
    }

    /**
     * Check whether a node is a member of a set.
     * @param group the set's number
     * @param sender its sender
     * @param peer the node
     * @return true if so
     */
    bool Contains(uint32_t group, messaging::Peer sender, messaging::Peer peer) const
    {
        if (group == EVERYBODY)
        {
            return peer != sender;
        }
        if (group <= m_nNodes)
        {
            return peer == group - 1;
        }
        return GetRegistered(group).contains(peer);
    }

    /**
     * Get a set.
     * @param group its number
     * @param sender its sender
     * @return the set
     */
    TargetSet Get(uint32_t group, messaging::Peer sender) const;

    /**
     * Get the size of a set.
     * @param group its number
     * @return the number of its members
     */
    uint32_t GetSize(uint32_t group) const;

  private:
    /** @return a registered set. @param group its number, above those of the nodes */
    const TargetSet& GetRegistered(uint32_t group) const
    {
        return m_sets[group - m_nNodes - 1];
    }

    uint32_t m_nNodes;             ///< Number of nodes.
    std::vector<TargetSet> m_sets; ///< Registered sets.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_TARGET_GROUPS_H
