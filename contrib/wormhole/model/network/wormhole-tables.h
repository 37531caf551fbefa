/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_TABLES_H
#define WORMHOLE_TABLES_H

#include "ns3/messaging-scenario.h"
#include "ns3/wormhole-network.h"

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
 * Create the table of a network's links: ends and channel utilisation. On a grid the positions of
 * the ends yield a heat map.
 * @param network the network, observed
 * @param cycles observed time [cycles]
 * @return a row for each link; columns from, to, channels, utilization, and for a grid x, y, (z,)
 * and direction
 */
Ptr<messaging::Table> MakeLinkTable(const WormholeNetwork& network, Ticks cycles);

/**
 * Create the table of dropped packets.
 * @param counters counters of a network
 * @return a row for each reason; columns reason and drops
 */
Ptr<messaging::Table> MakeDropTable(const Counters& counters);

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_TABLES_H
