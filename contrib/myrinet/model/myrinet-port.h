/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_PORT_H
#define MYRINET_PORT_H

#include "myrinet-fabric.h"

#include "ns3/data-rate.h"
#include "ns3/messaging-core.h"
#include "ns3/messaging-scenario.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup myrinet
 * A Myrinet as a datagram port.
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
 * A Myrinet, used through a datagram port by the network interfaces of all hosts at once
 * (messaging::DatagramPort). Ticks of the port are those of its clock, 1 ns by default.
 *
 * Send is a transmission out of the interface's SRAM by its send DMA engine; while the engine has
 * as many packets as attribute SendQueue says, Send answers false and OnReady follows. A packet
 * that arrives goes by the receive DMA engine into one of the host's ReceiveBuffers, and OnFrame is
 * called when its last character and a good CRC are there. The buffer is free again when OnFrame
 * returns, unless SetRetain(true) was called: then the protocol calls Release, once for each
 * OnFrame, when it has done with the buffer. A packet that finds no free buffer stays in the
 * network and blocks it, or is dropped, as attribute ReceiveFull says.
 *
 * All attributes are to be set before the first use of the network, which builds it.
 */
class MyrinetPort : public Object, private messaging::TickUser
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MyrinetPort();
    ~MyrinetPort() override;

    /**
     * Look whether the attributes go together.
     * @return an empty text, or one sentence that names what is wrong and what is allowed
     */
    std::string Check() const;

    /**
     * Set what counts the ticks; once, before anything is sent.
     * @param clock the clock
     */
    void SetClock(Ptr<messaging::TickClock> clock);

    /** @return what the network promises. */
    messaging::PortInfo Info() const;

    /** @return the number of hosts. */
    uint32_t GetNPeers() const;

    /**
     * Get the latency of a head on an idle network.
     * @param self from
     * @param to to
     * @return the time from Send until the first character is received [ticks]
     */
    Ticks Distance(Peer self, Peer to) const;

    /**
     * Get the length of a frame's packet.
     * @param frame the frame
     * @return for how long it occupies a link at least, without its route [ticks]
     */
    Ticks WireTicks(const Frame& frame) const;

    /**
     * Get the number of characters of a frame's packet on its first link.
     * @param self the sender
     * @param to the receiver
     * @param frame the frame
     * @return the characters: route, type, header, payload, padding and CRC
     */
    uint32_t GetChars(Peer self, Peer to, const Frame& frame) const;

    /**
     * Send a frame.
     * @param self the host that sends
     * @param to the host that is to receive
     * @param frame the frame
     * @return false if the send engine is busy; OnReady follows
     */
    bool Send(Peer self, Peer to, const Frame& frame);

    /**
     * Look whether Send would answer false.
     * @param self the host
     * @return true if it would, and OnReady follows
     */
    bool IsBusy(Peer self);

    /**
     * Set who hears of arrivals.
     * @param user the user, not owned, or nullptr
     */
    void SetUser(messaging::PortUser* user);

    /**
     * Have frames keep their receive buffers until Release.
     * @param retain whether they do
     */
    void SetRetain(bool retain);

    /**
     * Free a receive buffer that a frame has kept.
     * @param self the host
     */
    void Release(Peer self);

    /**
     * Get the number of receive buffers that hold nothing and are not being filled.
     * @param self the host
     * @return the number
     */
    uint32_t GetFreeBuffers(Peer self) const;

    /**
     * Have a host's interface take packets from the network, or leave them there.
     * @param self the host
     * @param accepting whether it takes them
     */
    void SetAccepting(Peer self, bool accepting);

    /**
     * Read the NRES bit of an interface's status register: a packet was discarded after the timeout
     * (section 2, item 3).
     * @param self the host
     * @return the bit
     */
    bool GetNres(Peer self) const;

    /**
     * Clear the NRES bit, as firmware does.
     * @param self the host
     */
    void ClearNres(Peer self);

    /** @return what has happened so far. */
    const Counters& GetCounters() const;

    /** @return the number of packets that are neither delivered nor lost yet. */
    uint64_t GetNInFlight() const;

    /** @return the events that the network has served. */
    uint64_t GetNEvents() const;

    /** @return the hosts, switches and links. */
    const Topology& GetTopology() const;

    /** @return the routes. */
    const Routes& GetRoutes() const;

    /**
     * Get the latency of a packet on an idle network.
     * @param self from
     * @param to to
     * @param frame what it carries
     * @return the time from Send to OnFrame [ticks]
     */
    Ticks GetIdleLatency(Peer self, Peer to, const Frame& frame) const;

    /**
     * Look for links that wait for one another in a ring.
     * @return an empty text, or the links in the order in which each waits for the next
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
    int64_t AssignStreams(int64_t stream);

    /**
     * Signature of the trace sources Sent and Delivery.
     * @param packet the packet
     */
    typedef void (*PacketTracedCallback)(const Packet& packet);

    /**
     * Signature of the trace source Drop.
     * @param packet the packet
     * @param reason why it was lost
     * @param channel at the end of which channel
     * @param when when it was decided [ps]
     */
    typedef void (*DropTracedCallback)(const Packet& packet,
                                       DropReason reason,
                                       ChannelId channel,
                                       Instant when);

    /**
     * Signature of the trace source Corruption.
     * @param packet the packet
     * @param channel the channel
     */
    typedef void (*CorruptionTracedCallback)(const Packet& packet, ChannelId channel);

  protected:
    void DoDispose() override;

  private:
    void OnTick(Peer peer, uint64_t datum) override;

    /** Build the network from the attributes. */
    void Build() const;

    /** @return the network, built now if it has not been. */
    Fabric& GetFabric() const
    {
        if (!m_fabric)
        {
            Build();
        }
        return *m_fabric;
    }

    /** @return the settings of the fabric, from the attributes. */
    FabricConfig GetFabricConfig() const;

    /** @return what determines the topology, from the attributes. */
    TopologyConfig GetTopologyConfig() const;

    /**
     * Let time pass in the network until now.
     * @return the time [ps]
     */
    Instant CatchUp();

    /** Have the clock call back when something may happen. */
    void ScheduleWake();

    /** Tell the user what has happened. */
    void Notify();

    /** What to do with one notice. @param notice the notice */
    void OnNotice(const Notice& notice);

    TopologyKind m_topologyKind{}; ///< Shape.
    uint32_t m_hosts{0};           ///< Number of hosts.
    uint32_t m_switchPorts{0};     ///< Ports of each switch.
    uint32_t m_switches{0};        ///< Switches of a ring.
    std::string m_file;            ///< File of a graph.
    RouteKind m_routeKind{};       ///< Which routes the mapper makes.
    Arbitration m_arbitration{};   ///< Who gets an output.
    DataRate m_linkRate;           ///< Rate of a link, one way.
    double m_cable{0};             ///< Length of cables [m].
    double m_cableDelay{0};        ///< Delay of a cable [ns/m].
    Time m_fallThrough;            ///< Delay of a head in a switch.
    uint32_t m_slack{0};           ///< Size of a slack buffer [characters].
    uint32_t m_stop{0};            ///< Level at which STOP is sent [characters].
    uint32_t m_go{0};              ///< Level at which GO is sent [characters].
    uint32_t m_mtu{0};             ///< Largest frame [bytes].
    uint32_t m_alignment{0};       ///< What is sent is a multiple of this [bytes].
    uint32_t m_sendQueue{0};       ///< Packets that a send engine takes.
    uint32_t m_sendBuffers{0};     ///< Buffers of the send ring.
    uint32_t m_receiveBuffers{0};  ///< Buffers of the receive ring.
    uint32_t m_sram{0};            ///< SRAM of an interface [bytes].
    uint32_t m_firmware{0};        ///< What the firmware occupies of it [bytes].
    ReceiveFull m_receiveFull{};   ///< What becomes of a packet without buffer.
    double m_corruption{0};        ///< Probability that a link corrupts a character.
    double m_crcMiss{0};           ///< Probability that the CRC does not notice.
    Time m_timeout;                ///< NRES timeout, or 0.
    double m_overwrite{0};         ///< Probability of loss behind a pending packet.
    double m_overwriteDamage{0};   ///< Share of those that are corrupted instead.
    double m_stallRate{0};         ///< Stalls of each receiver [1/s].
    Time m_stallLength;            ///< Length of each.
    int64_t m_stream{-1};          ///< First random stream, or -1.

    mutable std::unique_ptr<Topology> m_topology; ///< The topology.
    mutable std::unique_ptr<Routes> m_routes;     ///< The routes.
    mutable std::unique_ptr<Fabric> m_fabric;     ///< What moves.
    mutable std::vector<uint32_t> m_queued;       ///< By host, packets at its send engine.
    mutable std::vector<uint8_t> m_waiting;       ///< By host, whether it waits for OnReady.
    Ptr<messaging::TickClock> m_clock;            ///< Counts ticks.
    Instant m_perTick{PS_PER_NS};                 ///< Length of a tick [ps].
    Ticks m_wakeAt{messaging::NEVER};             ///< When the clock calls back.
    uint32_t m_number{0};                         ///< The clock's number for this.
    messaging::PortUser* m_user{nullptr};         ///< Hears of arrivals.
    std::vector<Notice> m_notices;                ///< Being passed on.
    bool m_notifying{false};                      ///< Notices are being passed on.
    bool m_retain{false};                         ///< Frames keep their buffers.

    TracedCallback<const Packet&> m_sentTrace;     ///< A packet has left its host.
    TracedCallback<const Packet&> m_deliveryTrace; ///< A packet has arrived.
    TracedCallback<const Packet&, DropReason, ChannelId, Instant> m_dropTrace; ///< One was lost.
    TracedCallback<const Packet&, ChannelId> m_corruptionTrace; ///< A link has corrupted one.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_PORT_H
