/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_TARGET_GROUPS_H
#define PCODE_TARGET_GROUPS_H

#include "ns3/messaging-types.h"

#include <cstdint>
#include <map>
#include <ostream>
#include <set>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * The target sets of a program, and the short numbers by which calls and messages name them.
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
 * The target sets that a group of nodes uses, by number, so that a call and a message carry a
 * number instead of a set that grows with the group. All cores of a group share one table.
 *
 * Number 0 is every node but the sender; 1 to n are the sets of one node each; the others
 * are registered, equal sets under one number.
 */
class TargetGroups
{
  public:
    /** The number of the set of all nodes but the sender. */
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
     * Get a set's number, a new one if the set is new.
     * @param sender its sender
     * @param set the set
     * @return its number
     */
    uint32_t Register(messaging::Peer sender, const TargetSet& set);

    /**
     * Check whether a number names a set.
     * @param group the number
     * @return true if it does
     */
    bool IsKnown(uint32_t group) const
    {
        return group <= m_nNodes + m_sets.size();
    }

    /**
     * Check whether a number names the set of one node.
     * @param group the number
     * @return the node, or NO_PEER
     */
    messaging::Peer GetSingle(uint32_t group) const
    {
        return group != EVERYBODY && group <= m_nNodes ? group - 1 : messaging::NO_PEER;
    }

    /**
     * Find a node in a set.
     * @param group the set's number
     * @param sender its sender
     * @param peer the node
     * @return true if it is a member
     */
    bool Contains(uint32_t group, messaging::Peer sender, messaging::Peer peer) const
    {
        if (group == EVERYBODY)
        {
            return peer != sender;
        }
        return group <= m_nNodes ? peer == group - 1 : m_sets[group - m_nNodes - 1].contains(peer);
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
    uint32_t m_nNodes;                      ///< Number of nodes.
    std::vector<TargetSet> m_sets;          ///< Registered sets.
    std::map<TargetSet, uint32_t> m_number; ///< Their numbers.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_TARGET_GROUPS_H
