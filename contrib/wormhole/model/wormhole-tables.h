/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_TABLES_H
#define WORMHOLE_TABLES_H

#include "wormhole-network.h"

#include "ns3/messaging-scenario.h"

#include <vector>

/**
 * @file
 * @ingroup wormhole
 * What a network can tell of a run, as tables.
 */

namespace ns3
{
namespace wormhole
{

/**
 * Make the table of a network's links: where each begins and ends, and how much of the time its
 * channels have been in use. On a grid the positions of its ends make it a heat map.
 * @param network the network, observed
 * @param cycles length of the time observed [cycles]
 * @param before use of the links before that time; empty if it began with the network
 * @return a row a link; columns from, to, channels, utilization, and for a grid x, y, (z,) and
 * direction
 */
Ptr<messaging::Table> MakeLinkTable(const WormholeNetwork& network,
                                    Ticks cycles,
                                    const std::vector<uint64_t>& before = {});

/** Records what becomes of the packets of a network, for a table of one row a packet. */
class Timeline
{
  public:
    /**
     * Record a network.
     * @param network the network
     * @param limit packets to record
     */
    Timeline(Ptr<WormholeNetwork> network, std::size_t limit);
    ~Timeline();

    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    /**
     * Make the table.
     * @return a row a packet, in the order in which they ended; columns frame, from, to, flits,
     * sent, injected, ended, hops and fate, which is delivered or the reason for the drop
     */
    Ptr<messaging::Table> MakeTable() const;

  private:
    /** A packet that has ended. */
    struct Row
    {
        Packet packet;    ///< The packet.
        Ticks ended;      ///< When.
        std::string fate; ///< How.
    };

    /**
     * A packet has been delivered.
     * @param packet the packet
     * @param now the cycle
     */
    void OnDelivery(const Packet& packet, Ticks now);

    /**
     * A packet has been dropped.
     * @param packet the packet
     * @param reason why
     * @param router where
     * @param now the cycle
     */
    void OnDrop(const Packet& packet, DropReason reason, uint32_t router, Ticks now);

    Ptr<WormholeNetwork> m_network; ///< The network.
    std::size_t m_limit;            ///< Packets to record.
    std::vector<Row> m_rows;        ///< Packets recorded.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_TABLES_H
