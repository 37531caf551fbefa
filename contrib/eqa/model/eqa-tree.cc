/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-tree.h"

#include <algorithm>
#include <bit>

namespace ns3
{
namespace eqa
{

using messaging::NO_PEER;
using messaging::Peer;

namespace
{

/**
 * Get the bit above which a node has no child: its lowest set bit, for the root one beyond all.
 * @param rank of the node relative to the root
 * @param peers number of nodes
 * @return the bit
 */
uint32_t
GetOwnBit(uint32_t rank, uint32_t peers)
{
    return rank == 0 ? std::bit_ceil(peers) : rank & -rank;
}

} // namespace

Peer
GetParent(Peer self, Peer root, uint32_t peers)
{
    const uint32_t rank = (self + peers - root) % peers;
    return rank == 0 ? NO_PEER : (rank - GetOwnBit(rank, peers) + root) % peers;
}

std::vector<Peer>
GetChildren(Peer self, Peer root, uint32_t peers)
{
    const uint32_t rank = (self + peers - root) % peers;
    std::vector<Peer> children;
    for (uint32_t bit = GetOwnBit(rank, peers) >> 1; bit > 0; bit >>= 1)
    {
        if (rank + bit < peers)
        {
            children.push_back((rank + bit + root) % peers);
        }
    }
    return children;
}

uint32_t
GetSubtree(Peer self, Peer root, uint32_t peers)
{
    const uint32_t rank = (self + peers - root) % peers;
    return std::min(GetOwnBit(rank, peers), peers - rank);
}

} // namespace eqa
} // namespace ns3
