/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_NETWORK_H
#define WORMHOLE_NETWORK_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-network.h"
#include "ns3/messaging-table.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/wormhole-divisor.h"
#include "ns3/wormhole-kernel.h"
#include "ns3/wormhole-shape.h"
#include "ns3/wormhole-types.h"

#include <memory>
#include <string>

/**
 * @file
 * @ingroup wormhole
 * A wormhole network as a datagram port.
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
 * A network of wormhole routers (paper 1, sections 4.2 and 4.5), used by all nodes through one
 * datagram port (messaging::DatagramPort). Ticks of the port are router cycles.
 *
 * The first use builds the network, so all attributes have to be set before.
 */
class WormholeNetwork : public messaging::Network, public messaging::TickStepper
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
        m_shapeConfig.nodes = nodes;
    }

    /** @return a clock for the network, whose ticks have the length of attribute Cycle. */
    Ptr<messaging::TickClock> MakeClock() const;

    /**
     * Set the clock, and start the faults of the attributes. Without a clock, the caller has to
     * call Step.
     * @param clock the clock, which steps this network from now on
     */
    void SetClock(Ptr<messaging::TickClock> clock);

    /** @return the number of nodes. */
    uint32_t GetNPeers() const
    {
        return GetShape().GetNNodes();
    }

    /**
     * Get the length of the shortest route between two nodes.
     * @param self the source
     * @param to the destination
     * @return the distance [hops], equal to the time of a head [cycles]
     */
    Ticks Distance(Peer self, Peer to) const
    {
        return GetShape().GetDistance(self, to);
    }

    /**
     * Get the length of a frame's packet, checksum flit included.
     * @param frame the frame
     * @return its flits, equal to the cycles for which it occupies a channel
     */
    Ticks WireTicks(const Frame& frame) const;

    /**
     * Send a frame.
     * @param self the sender
     * @param to the receiver
     * @param frame the frame
     * @return false if the source is busy; OnReady follows
     */
    bool Send(Peer self, Peer to, const Frame& frame);

    /**
     * Check whether a node's port is busy, for any frame.
     * @param self the node
     * @return true if busy, and OnReady follows
     */
    bool IsBusy(Peer self);

    /**
     * Set the receiver of frames.
     * @param user the user, not owned, or nullptr
     */
    void SetUser(messaging::PortUser* user);

    bool Step(Ticks now) override;

    /** @return the counters of packets, flits and hops. */
    const Counters& GetCounters() const
    {
        return GetKernel().GetCounters();
    }

    /** @return the number of packets that are neither delivered nor dropped. */
    uint64_t GetNInFlight() const
    {
        return GetKernel().GetNInFlight();
    }

    /** @return the shape of the network. */
    const Shape& GetShape() const;

    /** @return the faults of the attributes. */
    Ptr<WormholeFaults> GetFaults() const;

    /** Prepare for failures of links and routers, before the first use of the network. */
    void EnableFaults();

    /**
     * Fail or repair a link. Requires EnableFaults.
     * @param link the link; a bundle of parallel channels fails as a whole
     * @param up whether it is up from now on
     */
    void SetLinkUp(Link link, bool up);

    /**
     * Fail or repair a router: all its links and, if it is a node, its ports. Requires
     * EnableFaults.
     * @param router the router
     * @param up whether it is up from now on
     */
    void SetRouterUp(uint32_t router, bool up);

    /**
     * Check a link.
     * @param link the link
     * @return whether it exists and is up, including the routers at its ends
     */
    bool IsLinkUp(Link link) const;

    /**
     * Check a router.
     * @param router the router
     * @return whether it is up
     */
    bool IsRouterUp(uint32_t router) const
    {
        return m_routerDown.empty() || !m_routerDown[router];
    }

    /**
     * Check whether packets can reach a node in spite of current failures. If not, retransmission
     * cannot succeed before a repair.
     * @param self the source
     * @param to the destination
     * @return whether they can
     */
    bool CanReach(Peer self, Peer to) const;

    /** @return busy time of each link's channels [channel cycles]; requires attribute Observe. */
    std::vector<uint64_t> GetLinkBusy() const
    {
        return GetKernel().GetLinkBusy();
    }

    /**
     * Create the table of links: ends and channel utilisation. On a grid the positions of the ends
     * yield a heat map. Requires attribute Observe.
     * @param cycles observed time [cycles]
     * @return a row for each link; columns from, to, channels, utilization, and for a grid x, y,
     * (z,) and direction
     */
    Ptr<messaging::Table> MakeLinkTable(Ticks cycles) const;

    /** @return dropped packets: a row for each reason; columns reason and drops. */
    Ptr<messaging::Table> MakeDropTable() const;

    /**
     * @return the current cycle, or the next one without a clock.
     */
    Ticks Now() const
    {
        const auto* const clock = PeekPointer(m_clock);
        return clock ? clock->Now() : GetKernel().GetNextCycle();
    }

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
    /** Create the kernel from the attributes. */
    void MakeKernel() const;

    /** @return the kernel, built on the first call. */
    Kernel& GetKernel() const
    {
        if (!m_kernel)
        {
            MakeKernel();
        }
        return *m_kernel;
    }

    /** Allocate the state of links and routers. */
    void PrepareFaults();

    /**
     * Create the shape from the attributes.
     * @param peers number of nodes if attribute Nodes is 0
     * @param error set to one sentence on failure
     * @return the shape, or nullptr
     */
    std::unique_ptr<Shape> MakeShape(uint32_t peers, std::string& error) const;

    /** @return the length of the longest packet [flits]. */
    Ticks GetLongest() const;

    ShapeConfig m_shapeConfig;    ///< Parameters of the shape.
    KernelConfig m_kernelConfig;  ///< Parameters of the routers.
    RouterKind m_router{};        ///< Kind of the routers.
    uint32_t m_flitBits{0};       ///< Width of a flit [bits].
    uint32_t m_mtu{0};            ///< Largest frame [bytes].
    Time m_cycle;                 ///< Length of a cycle.
    bool m_observe{false};        ///< Collect link utilisation without tracing hops.
    bool m_mayFail{false};        ///< Links and routers may fail.
    int64_t m_stream{-1};         ///< First random stream; -1 if not assigned.
    Ptr<WormholeFaults> m_faults; ///< Failures of links and routers.

    mutable std::unique_ptr<Shape> m_shape;   ///< The shape.
    mutable Divisor m_flitDivisor;            ///< Divides by the width of a flit.
    mutable std::unique_ptr<Kernel> m_kernel; ///< Kernel.
    mutable bool m_full{false};               ///< The kernel supports failures.
    std::vector<bool> m_linkDown;             ///< Failed links.
    std::vector<bool> m_routerDown;           ///< Failed routers.
    Ptr<messaging::TickClock> m_clock;        ///< Clock of cycles, or null.
    messaging::PortUser* m_user{nullptr};     ///< Receiver of frames.

    HopTrace m_hopTrace;           ///< A head has moved.
    DropTrace m_dropTrace;         ///< A packet was dropped.
    DeliveryTrace m_deliveryTrace; ///< A packet has arrived.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_NETWORK_H
