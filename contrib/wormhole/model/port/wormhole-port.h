/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_PORT_H
#define WORMHOLE_PORT_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-table.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/simple-ref-count.h"
#include "ns3/wormhole-config.h"
#include "ns3/wormhole-divisor.h"
#include "ns3/wormhole-kernel.h"
#include "ns3/wormhole-shape.h"
#include "ns3/wormhole-types.h"

#include <memory>
#include <vector>

/**
 * @file
 * @ingroup wormhole
 * A wormhole network as a datagram port.
 */

namespace ns3
{
namespace wormhole
{

/** Trace sources of a network, which its port fires. */
struct WormholeTraces : public SimpleRefCount<WormholeTraces>
{
    HopTrace hop;           ///< A head has taken a channel.
    DropTrace drop;         ///< A packet was dropped.
    DeliveryTrace delivery; ///< A packet has arrived.
};

/**
 * @ingroup wormhole
 * The routers of a network, used by all nodes as one datagram port (messaging::DatagramPort). Ticks
 * of the port are router cycles.
 *
 * WormholeNetwork makes it. The first use creates the routers, so failures have to be enabled, and
 * the trace source of hops connected, before.
 */
class WormholePort : public SimpleRefCount<WormholePort>, public messaging::TickStepper
{
  public:
    static constexpr int64_t N_STREAMS = 2; ///< Random streams that it uses.

    /**
     * Construct.
     * @param config parameters of the network, without errors
     * @param traces trace sources, which are fired
     */
    WormholePort(const WormholeConfig& config, Ptr<WormholeTraces> traces);

    /** @return the properties of the network. */
    messaging::PortInfo GetInfo() const
    {
        return m_info;
    }

    /**
     * Set the clock. Without a clock, the caller has to call Step.
     * @param clock the clock, which steps this port from now on
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
    const Shape& GetShape() const
    {
        return *m_shape;
    }

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
    int64_t AssignStreams(int64_t stream);

  private:
    /** Create the routers. */
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

    WormholeConfig m_config;                  ///< Parameters of the network.
    messaging::PortInfo m_info;               ///< Properties of the network.
    Ptr<WormholeTraces> m_traces;             ///< Trace sources.
    std::unique_ptr<Shape> m_shape;           ///< The shape.
    Divisor m_flitDivisor;                    ///< Divides by the width of a flit.
    bool m_mayFail{false};                    ///< Links and routers may fail.
    int64_t m_stream{-1};                     ///< First random stream; -1 if not assigned.
    mutable std::unique_ptr<Kernel> m_kernel; ///< Kernel.
    mutable bool m_full{false};               ///< The kernel supports failures.
    std::vector<bool> m_linkDown;             ///< Failed links.
    std::vector<bool> m_routerDown;           ///< Failed routers.
    Ptr<messaging::TickClock> m_clock;        ///< Clock of cycles, or null.
    messaging::PortUser* m_user{nullptr};     ///< Receiver of frames.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_PORT_H
