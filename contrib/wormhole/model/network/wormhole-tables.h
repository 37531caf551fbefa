/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_TABLES_H
#define WORMHOLE_TABLES_H

#include "ns3/messaging-scenario.h"
#include "ns3/wormhole-network.h"

#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup wormhole
 * Tables of a wormhole network.
 */

namespace ns3
{
namespace wormhole
{

/**
 * Make the table of a network's links: their ends, and the use of their channels. On a grid the
 * positions of its ends make it a heat map.
 * @param network the network, observed
 * @param cycles length of the time observed [cycles]
 * @return a row a link; columns from, to, channels, utilization, and for a grid x, y, (z,) and
 * direction
 */
Ptr<messaging::Table> MakeLinkTable(const WormholeNetwork& network, Ticks cycles);

/**
 * Make the table of dropped packets.
 * @param counters counters of a network
 * @param further reasons that the network does not count, and their drops
 * @return a row a reason; columns reason and drops
 */
Ptr<messaging::Table> MakeDropTable(
    const Counters& counters,
    const std::vector<std::pair<std::string, int64_t>>& further = {});

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_TABLES_H
