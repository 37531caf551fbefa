/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_NETWORK_H
#define WORMHOLE_NETWORK_H

#include "ns3/messaging-network.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/wormhole-config.h"
#include "ns3/wormhole-port.h"
#include "ns3/wormhole-types.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup wormhole
 * A wormhole network and its parameters.
 */

/**
 * @defgroup wormhole Wormhole networks
 * Grids, fat trees and graphs of lossy, buffered and hybrid wormhole routers.
 */

namespace ns3
{
namespace wormhole
{

class WormholeFaults;

/**
 * @ingroup wormhole
 * A network of wormhole routers (paper 1, sections 4.2 and 4.5), with its parameters. WormholePort
 * carries the frames. GetNativePort makes it at the first call, so all attributes have to be set
 * before.
 */
class WormholeNetwork : public messaging::Network
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    WormholeNetwork();
    ~WormholeNetwork() override;

    messaging::PortInfo GetInfo() const override;

    /**
     * Check the attributes.
     * @param peers number of peers; 0 for the number of nodes in the attributes
     * @return an empty text, or one sentence with the error and the permitted values
     */
    std::string Check(uint32_t peers = 0) const override;

    /** @return drops by reason, and link utilisation if attribute Observe is set. */
    std::vector<messaging::NamedTable> GetTables() const override;

    /** @return the host of paper 1, whose nodes' hardware runs the protocol. */
    messaging::HostKind GetHostKind() const override
    {
        return messaging::HostKind::FREE;
    }

    bool BypassesKernel() const override
    {
        return true;
    }

    /** @param nodes value of attribute Nodes */
    void SetNodes(uint32_t nodes)
    {
        m_config.shape.nodes = nodes;
    }

    /** @return a clock for the network, whose ticks have the length of attribute Cycle. */
    Ptr<messaging::TickClock> MakeClock() const;

    /**
     * Make the port over a given clock, and start the faults of the attributes.
     * @param clock the clock, which steps the port from now on
     */
    void SetClock(Ptr<messaging::TickClock> clock);

    /** @return the port, made on the first call; without SetClock or Build, its user has to step
     * it. */
    Ptr<WormholePort> GetNativePort() const;

    /** @return the faults of the attributes. */
    Ptr<WormholeFaults> GetFaults() const;

    /**
     * Assign random streams.
     * @param stream first stream
     * @return number of streams assigned
     */
    int64_t AssignStreams(int64_t stream) override;

    /**
     * A head has taken a channel.
     * @param packet the packet
     * @param link the link
     * @param now the cycle
     */
    typedef void (*HopTracedCallback)(const Packet& packet, Link link, Ticks now);

    /**
     * A packet has been dropped.
     * @param packet the packet
     * @param reason reason of the drop
     * @param router router that dropped it
     * @param now the cycle
     */
    typedef void (*DropTracedCallback)(const Packet& packet,
                                       DropReason reason,
                                       uint32_t router,
                                       Ticks now);

    /**
     * A packet has been delivered.
     * @param packet the packet
     * @param now the cycle
     */
    typedef void (*DeliveryTracedCallback)(const Packet& packet, Ticks now);

  protected:
    void DoDispose() override;
    void DoBuild(uint32_t peers) override;
    NetDeviceContainer DoInstall(const NodeContainer& nodes) override;

  private:
    /**
     * Count a dropped packet as a loss.
     * @param packet the packet
     * @param reason reason of the drop
     * @param router router that dropped it
     * @param now the cycle
     */
    void CountDrop(const Packet& packet, DropReason reason, uint32_t router, Ticks now);

    WormholeConfig m_config;                ///< Parameters of shape and routers.
    Time m_cycle;                           ///< Length of a cycle.
    int64_t m_stream{-1};                   ///< First random stream; -1 if not assigned.
    Ptr<WormholeFaults> m_faults;           ///< Failures of links and routers.
    Ptr<WormholeTraces> m_traces;           ///< Trace sources, which the port fires.
    mutable Ptr<WormholePort> m_nativePort; ///< The port, or null.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_NETWORK_H
