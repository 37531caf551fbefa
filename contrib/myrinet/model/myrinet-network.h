/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_NETWORK_H
#define MYRINET_NETWORK_H

#include "myrinet-fabric.h"

#include "ns3/messaging-core.h"
#include "ns3/messaging-network.h"
#include "ns3/messaging-table.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup myrinet
 * Myrinet as a datagram network.
 */

/**
 * @defgroup myrinet Myrinet
 * Links with STOP/GO flow control, source-routed switches, network interfaces, and the four sources
 * of unreliability.
 */

namespace ns3
{
namespace myrinet
{

/**
 * @ingroup myrinet
 * Myrinet: the datagram port (messaging::DatagramPort) of all its network interfaces. The ticks of
 * the port are those of its clock, 1 ns by default.
 *
 * Send is a transmission from the interface's SRAM by its send DMA engine. While the engine has
 * SendQueue packets, Send returns false, and OnReady follows. The receive DMA engine moves an
 * arriving packet into one of the host's ReceiveBuffers; OnFrame is called after the last character
 * and a good CRC. The buffer is free again when OnFrame returns or, after SetRetain(true), when the
 * protocol calls Release, once for each OnFrame. A packet without a free buffer blocks the network
 * or is dropped, depending on attribute ReceiveFull.
 *
 * Set all attributes before the first use of the network, which builds it.
 */
class MyrinetNetwork : public messaging::Network, private messaging::TickUser
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Check the attributes, for the number of nodes that SetNodes has set.
     * @return empty, or one sentence with the error and the allowed values
     */
    std::string Check() const;

    std::string Check(uint32_t nodes) const override;
    messaging::PortInfo GetInfo() const override;
    std::vector<messaging::NamedTable> GetTables() const override;

    /** @return the host of paper 2. */
    messaging::HostKind GetHostKind() const override
    {
        return messaging::HostKind::PENTIUM2_1999;
    }

    bool BypassesKernel() const override
    {
        return true;
    }

    /**
     * Set the number of nodes, 8 by default; the file of a graph determines its own number.
     * @param nodes the number
     */
    void SetNodes(uint32_t nodes)
    {
        m_topologyConfig.nodes = nodes;
    }

    /** @return a clock for the network, of 1 ns ticks. */
    static Ptr<messaging::TickClock> MakeClock()
    {
        return CreateObject<messaging::TickClock>();
    }

    /**
     * Set the clock of the ticks, once and before the first Send.
     * @param clock the clock
     */
    void SetClock(Ptr<messaging::TickClock> clock);

    /** @return the number of hosts. */
    uint32_t GetNPeers() const
    {
        return GetTopology().GetNHosts();
    }

    /**
     * Get the latency of a head on an idle network.
     * @param self the sender
     * @param to the receiver
     * @return the time from Send until the first character is received [ticks]
     */
    Ticks Distance(Peer self, Peer to) const;

    /**
     * Get the length of a frame's packet.
     * @param frame the frame
     * @return shortest time on a link, without the route [ticks]
     */
    Ticks WireTicks(const Frame& frame) const;

    /**
     * Send a frame.
     * @param self the sending host
     * @param to the receiving host
     * @param frame the frame
     * @return false if the send engine is busy; OnReady follows
     */
    bool Send(Peer self, Peer to, const Frame& frame);

    /**
     * Set the receiver of frames.
     * @param user the user, not owned, or nullptr
     */
    void SetUser(messaging::PortUser* user)
    {
        m_user = user;
    }

    /**
     * Set whether frames retain their receive buffers until Release.
     * @param retain true to retain them
     */
    void SetRetain(bool retain)
    {
        m_retain = retain;
    }

    /**
     * Free a receive buffer kept by a frame.
     * @param self the host
     */
    void Release(Peer self);

    /**
     * Make a host's interface accept packets, or block them in the network.
     * @param self the host
     * @param accepting whether it accepts packets
     */
    void SetAccepting(Peer self, bool accepting);

    /** @return the counts so far. */
    const Counters& GetCounters() const
    {
        return GetFabric().GetCounters();
    }

    /** @return the links, switches and interfaces, built on the first call. */
    Fabric& GetFabric() const
    {
        if (!m_fabric)
        {
            MakeFabric();
        }
        return *m_fabric;
    }

    /** @return the hosts, switches and links. */
    const Topology& GetTopology() const;

    /**
     * Find a deadlock: a ring of links that wait for one another.
     * @return empty, or the links, each followed by the one it waits for
     */
    std::string FindDeadlock() const;

    /** @return a row for each channel: packets, characters, use, STOPs, errors, losses, blocking.
     */
    Ptr<messaging::Table> MakeLinkTable() const;

    /** @return a row for each counter. */
    Ptr<messaging::Table> MakeCounterTable() const;

    /**
     * Assign random streams.
     * @param stream first stream
     * @return number of streams assigned
     */
    int64_t AssignStreams(int64_t stream) override;

    /**
     * Signature of the trace sources Sent and Delivery.
     * @param packet the packet
     */
    typedef void (*PacketTracedCallback)(const Packet& packet);

    /**
     * Signature of the trace source Drop.
     * @param packet the packet
     * @param reason the reason
     * @param channel the channel at whose end it was lost
     * @param when time of the decision [ps]
     */
    typedef void (*DropTracedCallback)(const Packet& packet,
                                       DropReason reason,
                                       ChannelId channel,
                                       Instant when);

  protected:
    void DoDispose() override;
    void DoBuild(uint32_t peers) override;
    NetDeviceContainer DoInstall(const NodeContainer& nodes) override;

  private:
    void OnTick(Peer peer, uint64_t datum) override;

    /** Make topology, routes and fabric from the attributes. */
    void MakeFabric() const;

    /** @param time a time in the fabric [ps] @return the time, rounded up [ticks] */
    Ticks ToTicks(Instant time) const
    {
        return (time + m_perTick - 1) / m_perTick;
    }

    /** @param self the sender @param to the receiver @return route bytes of a packet */
    uint32_t GetRouteChars(Peer self, Peer to) const;

    /** Advance the fabric until now. @return the time [ps] */
    Instant CatchUp();

    /** Schedule the next call of OnTick. */
    void ScheduleWake();

    /** Pass all notices to the user and the trace sources. */
    void Notify();

    /** Pass on one notice. @param notice the notice */
    void OnNotice(const Notice& notice);

    TopologyConfig m_topologyConfig;          ///< Shape.
    FabricConfig m_fabricConfig;              ///< Links, switches, receivers and failures.
    RouteKind m_routeKind{RouteKind::UPDOWN}; ///< Routes of the mapper.
    uint32_t m_mtu{0};                        ///< Largest frame [bytes].
    uint32_t m_sendQueue{0};                  ///< Capacity of a send engine [packets].
    uint32_t m_sendBuffers{0};                ///< Buffers of the send ring.
    uint32_t m_sram{0};                       ///< SRAM of an interface [bytes].
    int64_t m_stream{-1};                     ///< First random stream, or -1.

    mutable std::unique_ptr<Topology> m_topology; ///< The topology.
    mutable std::unique_ptr<Routes> m_routes;     ///< The routes.
    mutable std::unique_ptr<Fabric> m_fabric;     ///< Packets in links and switches.
    mutable std::vector<uint32_t> m_queued;       ///< Packets at the send engine by host.
    mutable std::vector<uint8_t> m_waiting;       ///< Hosts that wait for OnReady.
    Ptr<messaging::TickClock> m_clock;            ///< Clock.
    Instant m_perTick{PS_PER_NS};                 ///< Length of a tick [ps].
    Ticks m_wakeAt{messaging::NEVER};             ///< Time of the next OnTick.
    uint32_t m_number{0};                         ///< The clock's number of this user.
    messaging::PortUser* m_user{nullptr};         ///< Receiver of frames, not owned.
    std::vector<Notice> m_notices;                ///< Notices being passed on.
    bool m_notifying{false};                      ///< Notify is running.
    bool m_retain{false};                         ///< Frames keep their buffers.

    TracedCallback<const Packet&> m_sentTrace;     ///< Fired when a packet has left its host.
    TracedCallback<const Packet&> m_deliveryTrace; ///< Fired when a packet has arrived.
    TracedCallback<const Packet&, DropReason, ChannelId, Instant> m_dropTrace; ///< Packet lost.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_NETWORK_H
