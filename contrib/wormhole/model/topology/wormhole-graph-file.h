/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_GRAPH_FILE_H
#define WORMHOLE_GRAPH_FILE_H

#include "ns3/messaging-text-file.h"

#include <istream>
#include <string>

/**
 * @file
 * @ingroup wormhole
 * Files of graphs of routers.
 */

namespace ns3
{
namespace wormhole
{

/** Kinds of vertices and links of a graph. */
enum GraphKind : uint32_t
{
    NODE,   ///< A router with a processor.
    ROUTER, ///< A router without.
    LINK,   ///< Channels in both directions.
    CHANNEL ///< Channels in one direction.
};

/**
 * Read a graph in the format of Graph::Read, or in that of BookSim's anynet. The first line decides
 * which of both it is.
 *
 * A line of anynet has a router or node, and the routers and nodes that it is connected to, each
 * with its latency in cycles (default 1):
 * @verbatim
   router 0 node 0 node 1 router 1 15
   router 1 node 2
   @endverbatim
 * Routers and nodes are numbered from 0. The latency to a node is that of both directions. The
 * latency to a router is that of one direction; the other one has a latency of 1, unless it is on a
 * line of its own. A latency of n cycles becomes n - 1 routers in a row, and a node becomes a
 router
 * of its own.
 *
 * @param in the text
 * @param name name of the text, for errors
 * @param most largest number of routers
 * @param error set to one sentence on failure
 * @return the graph
 */
messaging::GraphText ReadGraphFile(std::istream& in,
                                   const std::string& name,
                                   uint32_t most,
                                   std::string& error);

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_GRAPH_FILE_H
