/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_TREE_H
#define EQA_TREE_H

#include "ns3/messaging-types.h"

#include <vector>

/**
 * @file
 * @ingroup eqa
 * The binomial tree of MPICH's broadcast.
 */

namespace ns3
{
namespace eqa
{

/**
 * Find the parent of a node in MPICH's broadcast: the one whose rank relative to the root has the
 * lowest set bit cleared.
 * @param self the node
 * @param root the broadcaster
 * @param peers number of nodes
 * @return its parent; NO_PEER for the root
 */
messaging::Peer GetParent(messaging::Peer self, messaging::Peer root, uint32_t peers);

/**
 * Find the children of a node, in the order of MPICH: the largest subtree first.
 * @param self the node
 * @param root the broadcaster
 * @param peers number of nodes
 * @return its children
 */
std::vector<messaging::Peer> GetChildren(messaging::Peer self,
                                         messaging::Peer root,
                                         uint32_t peers);

/**
 * Count the nodes of a subtree.
 * @param self its topmost node
 * @param root the broadcaster
 * @param peers number of nodes
 * @return the number, the node included
 */
uint32_t GetSubtree(messaging::Peer self, messaging::Peer root, uint32_t peers);

} // namespace eqa
} // namespace ns3

#endif // EQA_TREE_H
