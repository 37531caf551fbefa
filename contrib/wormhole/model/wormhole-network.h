/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_NETWORK_H
#define WORMHOLE_NETWORK_H

#include "wormhole-divisor.h"
#include "wormhole-kernel.h"
#include "wormhole-shape.h"
#include "wormhole-types.h"

#include "ns3/messaging-core.h"
#include "ns3/messaging-scenario.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

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

/**
 * @ingroup wormhole
 * A network of wormhole routers (paper 1, sections 4.2 and 4.5), used through a datagram port by
 * all nodes at once (messaging::DatagramPort). Ticks of the port are router cycles.
 *
 * All attributes are to be set before the first use of the network, which builds it.
 */
class WormholeNetwork : public Object, public messaging::TickStepper, private KernelObserver
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    WormholeNetwork();
    ~WormholeNetwork() override;

    /**
     * Look whether the attributes go together.
     * @return an empty text, or one sentence that names what is wrong and what is allowed
     */
    std::string Check() const;

    /**
     * Set what counts the cycles. Without a clock, Step has to be called by hand.
     * @param clock the clock, which steps this network from now on
     */
    void SetClock(Ptr<messaging::TickClock> clock);

    /** @return what the network promises. */
    messaging::PortInfo Info() const;

    /** @return the number of nodes. */
    uint32_t GetNPeers() const;

    /**
     * Get the length of the shortest way between two nodes.
     * @param self from
     * @param to to
     * @return the distance [hops], which is also the cycles that a head takes
     */
    Ticks Distance(Peer self, Peer to) const;

    /**
     * Get the length of a frame's packet, checksum flit included.
     * @param frame the frame
     * @return for how long it occupies a channel [cycles]
     */
    Ticks WireTicks(const Frame& frame) const;

    /**
     * Get the number of flits of a frame.
     * @param frame the frame
     * @return the flits, checksum flit included
     */
    uint32_t GetFlits(const Frame& frame) const;

    /**
     * Send a frame.
     * @param self the node that sends
     * @param to the node that is to receive
     * @param frame the frame
     * @return false if the source is busy; OnReady follows
     */
    bool Send(Peer self, Peer to, const Frame& frame);

    /**
     * Look whether Send would find a node's port busy, whatever the frame.
     * @param self the node
     * @return true if it would, and OnReady follows
     */
    bool IsBusy(Peer self);

    /**
     * Set who hears of arrivals.
     * @param user the user, not owned, or nullptr
     */
    void SetUser(messaging::PortUser* user);

    bool Step(Ticks now) override;

    /** @return what has happened so far. */
    const Counters& GetCounters() const;

    /** @return the number of packets that are neither delivered nor dropped yet. */
    uint64_t GetNInFlight() const;

    /** @return the flits of those packets that are neither delivered nor dropped yet. */
    uint64_t GetFlitsInFlight() const;

    /** @return the shape of the network. */
    const Shape& GetShape() const;

    /** @return the largest distance between two nodes [hops]. */
    uint32_t GetDiameter() const;

    /**
     * A link fails or is repaired. Needs attribute Faults.
     * @param link the link; a bundle of parallel channels fails as a whole
     * @param up whether it works from now on
     */
    void SetLinkUp(Link link, bool up);

    /**
     * A router fails or is repaired: all its links and, if it is a node, its ports. Needs attribute
     * Faults.
     * @param router the router
     * @param up whether it works from now on
     */
    void SetRouterUp(uint32_t router, bool up);

    /**
     * Look whether a link works.
     * @param link the link
     * @return whether it exists and works, and so do the routers at its ends
     */
    bool IsLinkUp(Link link) const;

    /**
     * Look whether a router works.
     * @param router the router
     * @return whether it works
     */
    bool IsRouterUp(uint32_t router) const;

    /**
     * Look whether packets can get from one node to another around all that has failed. If not, and
     * nothing is repaired, no retransmission helps.
     * @param self from
     * @param to to
     * @return whether they can
     */
    bool CanReach(Peer self, Peer to) const;

    /** @return for each link, how long its channels have been in use [channel cycles]; needs
     * attribute Observe. */
    std::vector<uint64_t> GetLinkBusy() const;

    /** @return the cycle that has begun last, or that is served next if there is no clock [cycles].
     */
    Ticks Now() const;

    /** @return the kind of the routers. */
    RouterKind GetRouter() const;

    /**
     * Assign random streams.
     * @param stream first stream
     * @return number of streams assigned
     */
    int64_t AssignStreams(int64_t stream);

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
     * @param reason why
     * @param router where
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

  private:
    void OnHop(const Packet& packet, Link link, Ticks now) override;
    void OnDrop(const Packet& packet, DropReason reason, uint32_t router, Ticks now) override;
    void OnDelivery(const Packet& packet, Ticks now) override;

    /** Build the kernel from the attributes. */
    void Build() const;

    /** @return the kernel, built now if it has not been. */
    Kernel& GetKernel() const
    {
        if (!m_kernel)
        {
            Build();
        }
        return *m_kernel;
    }

    /**
     * Have the kernel know whether a link works.
     * @param link the link
     */
    void UpdateLink(Link link);

    /** Make sure that things may fail. */
    void PrepareFaults();

    /** Tell the kernel who listens. */
    void UpdateListeners() const;

    /** @return what determines the shape, from the attributes. */
    ShapeConfig GetShapeConfig() const;

    /**
     * Set the width of a flit.
     * @param bits the width [bits]
     */
    void SetFlitBits(uint32_t bits);

    /** @return the width of a flit [bits]. */
    uint32_t GetFlitBits() const;

    /**
     * Get the length of a packet in time.
     * @param flits its length
     * @return for how long it occupies the narrowest channel [cycles]
     */
    uint32_t GetCycles(uint32_t flits) const;

    /** @return the kernel's settings, from the attributes. */
    KernelConfig GetKernelConfig() const;

    TopologyKind m_topology{};     ///< Kind of shape.
    uint32_t m_nodes{0};           ///< Number of nodes, or 0.
    std::string m_sides;           ///< Sides of a grid.
    bool m_torus{false};           ///< Ends of a grid's dimensions are joined.
    uint32_t m_arity{0};           ///< Of a fat tree.
    uint32_t m_growth{0};          ///< Of a fat tree.
    uint32_t m_channelsPerLeaf{0}; ///< Of a fat tree.
    LinkStyle m_linkStyle{};       ///< Of a fat tree.
    std::string m_file;            ///< Of a graph.

    RouterKind m_router{};         ///< Kind of the routers.
    uint32_t m_flitBits{0};        ///< Width of a flit [bits].
    Divisor m_flitDivisor;         ///< The same, to divide by.
    ChecksumFlit m_checksumFlit{}; ///< Whether packets end in a checksum flit.
    uint32_t m_mtu{0};             ///< Largest frame [bytes].
    uint32_t m_injectionPorts{0};  ///< Of each node, 0 for any number.
    uint32_t m_ejectionPorts{0};   ///< Of each node, 0 for any number.
    ServiceOrder m_serviceOrder{}; ///< Of heads that contend.
    Arbitration m_arbitration{};   ///< Of packets that wait.
    bool m_throughFirst{false};    ///< Injection waits for through traffic.
    Routing m_routing{};           ///< Which channels a head may take.
    SourceBusy m_sourceBusy{};     ///< What Send does at a busy source.
    uint32_t m_queue{0};           ///< Packets a node may queue, 0 for any number.
    uint32_t m_creditDelay{1};     ///< Until a freed buffer is known upstream [cycles].
    uint32_t m_holdLimit{0};       ///< How long a hybrid router stores a packet [cycles].
    uint32_t m_timeToLive{0};      ///< Of a packet, 0 for ever [cycles].
    uint32_t m_misrouteLimit{0};   ///< Unproductive hops of a packet.
    bool m_misrouteBlocked{false}; ///< Misroute around busy channels too.
    double m_loss{0};              ///< Probability of loss of a packet.
    double m_corruption{0};        ///< Probability of corruption of a packet on a hop.
    bool m_freeOnDrop{false};      ///< A dropped packet's channels are free in the next cycle.
    bool m_faults{false};          ///< Links and routers may fail.
    bool m_observe{false};         ///< Count link use although nobody traces hops.
    int64_t m_stream{-1};          ///< First random stream, or -1.

    mutable std::unique_ptr<Shape> m_shape;   ///< The shape.
    mutable std::unique_ptr<Kernel> m_kernel; ///< What moves.
    mutable uint32_t m_width{1};              ///< Of the narrowest channel [flits].
    std::vector<bool> m_linkDown;             ///< By link, whether it has failed.
    std::vector<bool> m_routerDown;           ///< By router, whether it has failed.
    Ptr<messaging::TickClock> m_clock;        ///< Counts cycles, if any.
    messaging::PortUser* m_user{nullptr};     ///< Hears of arrivals.

    TracedCallback<const Packet&, Link, Ticks> m_hopTrace; ///< A head has moved.
    TracedCallback<const Packet&, DropReason, uint32_t, Ticks>
        m_dropTrace;                                      ///< A packet was dropped.
    TracedCallback<const Packet&, Ticks> m_deliveryTrace; ///< A packet has arrived.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_NETWORK_H
