/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_FABRIC_H
#define INFINIBAND_FABRIC_H

#include "infiniband-fabric-user.h"
#include "infiniband-fabric-wheel.h"

#include "ns3/infiniband-list-pool.h"
#include "ns3/infiniband-subnet.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/messaging-table.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup infiniband
 * Links and switches with credits, packet by packet.
 */

namespace ns3
{
namespace infiniband
{

namespace tests
{
class FabricAudit;
}

/**
 * @ingroup infiniband
 * A fabric of links and switches with credits. It models every packet on every link.
 *
 * A packet waits in the queue of a switch's input until its output
 * is free and the far end has granted credits for the whole packet. Its head may leave before its
 * tail has arrived (virtual cut-through). An output serves its inputs round-robin; the selected one
 * waits for credits if necessary. No packet is dropped for lack of buffers.
 *
 * Inside, a hop is one event in a wheel of the fabric's own, and a second one where it had to wait.
 * An event inside has no effect outside sooner than the shortest packet takes on a link, so the
 * events of as many nanoseconds are served together. The result does not depend on the order in
 * which events of one tick are served: requests are gathered before any is granted.
 */
class Fabric : public Object, private messaging::TickUser
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Signature of trace source Drop.
     * @param when time of the loss [ns]
     * @param packet the packet
     * @param port port of the loss
     * @param reason reason of the loss
     */
    typedef void (*DropTracedCallback)(Ticks when,
                                       const Packet& packet,
                                       PortId port,
                                       DropReason reason);

    Fabric();

    /**
     * Set the constants of links and switches, including those that are not attributes.
     * @param link the constants
     */
    void SetLinkConfig(const LinkConfig& link)
    {
        m_link = link;
    }

    /** @return the constants of links and switches. */
    const LinkConfig& GetLinkConfig() const
    {
        return m_link;
    }

    /** @return an empty text, or one sentence with the invalid constant. */
    std::string Check() const;

    /**
     * Check the constants, build a subnet, and check that it has enough links to fail.
     * @param subnet the subnet, changed
     * @param hosts number of hosts, as of Subnet::Build
     * @return an empty text, or one sentence with the reason
     */
    std::string Build(Subnet& subnet, HostId hosts) const;

    /**
     * Start an empty fabric.
     * @param subnet topology and tables, which have been built
     * @param clock counts nanoseconds
     * @param user receiver of packets, not owned
     */
    virtual void Start(Ptr<Subnet> subnet, Ptr<messaging::TickClock> clock, FabricUser* user);

    /** @return the subnet. */
    Ptr<Subnet> GetSubnet() const
    {
        return m_subnet;
    }

    /** @return a packet to be filled in, then injected. */
    PacketIndex New()
    {
        return m_packets.Put({.serial = ++m_serial});
    }

    /**
     * @param index a packet
     * @return the packet, until the next call of New
     */
    Packet& Get(PacketIndex index)
    {
        return m_packets[index];
    }

    /**
     * Check whether a host's output can take a packet. If not, OnReady follows.
     * @param host the host
     * @return whether it has room
     */
    virtual bool HasRoom(HostId host);

    /**
     * Send a packet from a host; HasRoom has to have returned true.
     * @param host the host
     * @param index the packet, with destination and bytes
     */
    virtual void Inject(HostId host, PacketIndex index);

    /**
     * Get the time of a packet's bytes on a host's link.
     * @param host the host
     * @param bytes length on the wire [bytes]
     * @return the time [ticks]
     */
    virtual Ticks GetWireTime(HostId host, uint32_t bytes) const
    {
        return GetTime(m_outputs[host].parts, bytes);
    }

    /**
     * Get the latency of a packet on an idle fabric.
     * @param from a host
     * @param lid destination
     * @param bytes length on the wire [bytes]
     * @return from Inject to OnPacket, or NEVER if there is no route [ticks]
     */
    virtual Ticks GetIdleLatency(HostId from, Lid lid, uint32_t bytes) const;

    /**
     * Take a link down or up now.
     * @param port one of its ends
     * @param up whether it is up
     */
    void SetLinkUp(PortId port, bool up);

    /**
     * Schedule a link to go down or up.
     * @param port one of its ends
     * @param up whether it is up
     * @param when the time [ticks]
     */
    void PlanLink(PortId port, bool up, Ticks when);

    /**
     * Get the current counters.
     * @return the counters
     */
    const FabricCounters& GetCounters();

    /**
     * Get the current counters of a port.
     * @param port the port
     * @return its counters
     */
    PortCounters GetPortCounters(PortId port);

    /** @return a row for each port with a cable: its counters, with InfiniBand's names. */
    Ptr<messaging::Table> MakePortTable();

    /** @return a row for each reason: packets lost. */
    Ptr<messaging::Table> MakeDropTable();

    /** @return true if links or switches corrupt packets, or links fail. */
    bool HasFaults() const
    {
        return m_corruption > 0 || m_switchCorruption > 0 || m_failedLinks > 0;
    }

    /**
     * Assign random streams.
     * @param stream first stream
     * @return number of streams assigned
     */
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

  private:
    friend class tests::FabricAudit;

    /** Credits granted by a far end, valid from some time on. */
    struct Grant
    {
        Ticks when;      ///< Start of validity [ticks].
        uint32_t blocks; ///< Number of credits [blocks].
    };

    /** An output: the sending side of a port. What every packet reads comes first. */
    struct alignas(64) Output
    {
        Ticks busyUntil{0};          ///< End of the current packet on the link.
        Ticks blockedSince{NEVER};   ///< Time since which packets wait for credits.
        PortSet waiting;             ///< Inputs whose first packet requests it.
        uint64_t untilFault{NEVER};  ///< Packets until the link corrupts one.
        PooledList grants;           ///< Credits in flight, ordered by time.
        uint32_t credits{0};         ///< Available credits [blocks].
        PortId base{0};              ///< Port 1 of its vertex.
        PortId peer{NO_PORT};        ///< The port at the other end.
        uint16_t parts{RATE_PARTS};  ///< Rate [bytes / RATE_PARTS in 1 ns].
        uint8_t turn{0};             ///< Input served last.
        bool starved{false};         ///< It waits for credits not yet granted.
        bool host{false};            ///< It belongs to a host or router.
        bool toHost{false};          ///< Its link leads to a host or router.
        bool up{false};              ///< The link is up.
        bool touched{false};         ///< It is arbitrated in this tick.
        PacketIndex last{NO_PACKET}; ///< Packet sent last.
        uint32_t lastSerial{0};      ///< Its serial number.
        uint64_t bytes{0};           ///< Data sent [bytes].
        uint64_t sent{0};            ///< Packets sent.
        Ticks lastDown{NEVER};       ///< When the link went down last.
        Ticks wait{0};               ///< See PortCounters::xmitWait.
    };

    /** A queue of packets: of a switch's input, or of a host. It has the size of a cache line. */
    struct alignas(64) Buffer
    {
        PacketIndex first{NO_PACKET}; ///< First packet.
        PacketIndex last{NO_PACKET};  ///< Last packet.
        Ticks readUntil{0};           ///< End of the read-out of a packet.
        PortSet fanout;               ///< Outputs that a multicast at its head still has to reach.
        std::size_t table{0};         ///< Offset of the forwarding table of its switch.
        PortId base{0};               ///< Port 1 of its vertex.
        PortId upstream{NO_PORT};     ///< Output that feeds it, for a switch.
        uint8_t input{0};             ///< Number of its port, from zero.
    };

    /** State of a host's output. */
    struct Source
    {
        Ticks sendingUntil{0};   ///< Time until which the last departed packet is on the link.
        uint32_t queued{0};      ///< Packets not departed yet.
        bool wantsReady{false};  ///< OnReady is due once the next packet leaves.
        bool readyPlaced{false}; ///< The event of OnReady is scheduled.
    };

    /** Kinds of events on the clock. */
    enum class Kind : uint8_t
    {
        WAKE,   ///< Serve internal events.
        ARRIVE, ///< A packet has arrived at its host.
        READY,  ///< A packet has left a host.
        LINK,   ///< A link fails or recovers.
        SWEEP   ///< The subnet manager sweeps.
    };

    static constexpr unsigned KIND_BITS = 3; ///< Bits of a Kind in a datum.

    void OnTick(messaging::Peer peer, uint64_t datum) override;

    /**
     * Schedule an event on the clock.
     * @param when the tick [ticks]
     * @param kind kind of the event
     * @param peer host or port
     * @param datum datum of that kind
     */
    void PlaceOnClock(Ticks when, Kind kind, uint32_t peer, uint64_t datum)
    {
        m_clock->At(when, m_clockUser, peer, datum << KIND_BITS | static_cast<uint64_t>(kind));
    }

    /**
     * Get the time of a packet's bytes on a link.
     * @param parts its rate [bytes / RATE_PARTS in 1 ns]
     * @param bytes length on the wire [bytes]
     * @return the time, rounded up [ticks]
     */
    static Ticks GetTime(uint32_t parts, uint32_t bytes)
    {
        return parts == RATE_PARTS ? bytes : (bytes * RATE_PARTS + parts - 1) / parts;
    }

    /** Plan the failures that attributes request. */
    void PlanFailures();

    /**
     * Serve all internal events before a tick.
     * @param end the tick
     * @return the first tick for which something waits, or NEVER
     */
    Ticks AdvanceTo(Ticks end);

    /**
     * Place the next wake-up, before anything inside can have an effect outside.
     * @param next the first tick for which something waits, or NEVER
     */
    void PlanWake(Ticks next);

    /**
     * Bring the wheel's position as near to the present as what waits allows.
     * @param now the tick
     */
    void CatchUp(Ticks now);

    /**
     * Serve one tick.
     * @param now the tick
     */
    void Serve(Ticks now);

    /**
     * Request the output for the head of a queue.
     * @param number the queue
     * @param now the tick
     */
    void Ask(uint32_t number, Ticks now);

    /**
     * Arbitrate an output in this tick.
     * @param port the output
     */
    void Touch(PortId port)
    {
        if (!m_outputs[port].touched)
        {
            m_outputs[port].touched = true;
            m_touched.push_back(port);
        }
    }

    /**
     * Grant an output to the next input in turn, if there is one with credits.
     * @param port the output
     * @param now the tick
     */
    void Arbitrate(PortId port, Ticks now);

    /**
     * Send the head of a queue.
     * @param port the output
     * @param input its input
     * @param now the tick
     */
    void Send(PortId port, uint8_t input, Ticks now);

    /**
     * Count a host's packet as having left.
     * @param host the host
     * @param end when its tail has left [ticks]
     */
    void LeaveSource(HostId host, Ticks end);

    /**
     * Remove the head of a queue; the next packet requests its output.
     * @param number the queue
     * @param next earliest request of the next packet [ticks]
     */
    void Pop(uint32_t number, Ticks next);

    /**
     * Put a packet at the end of a queue.
     * @param number the queue
     * @param index the packet
     */
    void Append(uint32_t number, PacketIndex index);

    /**
     * Drop the head of a queue.
     * @param number the queue
     * @param port port that counts it
     * @param reason reason of the drop
     * @param now the tick
     */
    void DropHead(uint32_t number, PortId port, DropReason reason, Ticks now);

    /**
     * Count a lost packet and release it.
     * @param index the packet
     * @param port port of the loss
     * @param reason reason of the loss
     * @param now the tick
     */
    void Lose(PacketIndex index, PortId port, DropReason reason, Ticks now);

    /**
     * Grant credits.
     * @param port an output
     * @param when start of their validity [ticks]
     * @param blocks their number
     */
    void GiveCredits(PortId port, Ticks when, uint32_t blocks);

    /**
     * Take the arrived credits.
     * @param output the output, changed
     * @param now the tick
     */
    void TakeCredits(Output& output, Ticks now)
    {
        while (!output.grants.IsEmpty() && m_grants[output.grants.head].when <= now)
        {
            output.credits += m_grants[output.grants.head].blocks;
            m_grants.PopFront(output.grants);
        }
    }

    /**
     * Find when an output will have enough of the granted credits.
     * @param output the output
     * @param blocks required credits
     * @return the tick, or NEVER
     */
    Ticks FindCredits(const Output& output, uint32_t blocks) const;

    /**
     * Schedule the arbitration of an output.
     * @param port the output
     * @param when the time, unless an earlier one is scheduled [ticks]
     */
    void PlanOutput(PortId port, Ticks when);

    /**
     * Handle the arrival of a packet at its host.
     * @param host the host
     * @param index the packet
     * @param now the tick
     */
    void Arrive(HostId host, PacketIndex index, Ticks now);

    /**
     * Notify a host that its output may have room again.
     * @param host the host
     */
    void NotifyReady(HostId host);

    /**
     * Apply corruption to a packet that enters a link or a switch.
     * @param packet the packet
     * @param port the sending port
     */
    void Corrupt(Packet& packet, PortId port);

    /**
     * Draw the number of packets until the next corrupted one.
     * @param probability for each packet
     * @return the number, including that one; NEVER for none
     */
    uint64_t DrawFault(double probability);

    /**
     * Cut the packet on a link; packets that wait for the link request an output again.
     * @param port the sending side
     * @param now the tick
     */
    void CutLink(PortId port, Ticks now);

    LinkConfig m_link;                      ///< Constants of links and switches.
    double m_corruption{0};                 ///< Corruption probability of links.
    double m_switchCorruption{0};           ///< Corruption probability of switches.
    uint32_t m_failedLinks{0};              ///< Failing links between switches.
    Time m_failureTime;                     ///< Time of their failure.
    Time m_repairTime;                      ///< Duration of the failure, or negative.
    Time m_sweepDelay;                      ///< Delay from a change of a link to the sweep, or
                                            ///< negative.
    Ptr<UniformRandomVariable> m_random;    ///< Draws faults.
    Ptr<Subnet> m_subnet;                   ///< Topology and tables.
    messaging::TickClock* m_clock{nullptr}; ///< Clock, not owned.
    FabricUser* m_user{nullptr};            ///< Receiver of packets.
    uint32_t m_clockUser{0};                ///< User number at the clock.
    uint32_t m_capacity{0};                 ///< Credits of an input.
    Ticks m_sight{0};                   ///< Least time from an event inside to its effect outside.
    Ticks m_wake{NEVER};                ///< When the clock calls back.
    uint64_t m_untilSwitchFault{NEVER}; ///< Packets until a switch corrupts one.
    const uint8_t* m_tables{nullptr};   ///< Forwarding tables.
    Lid m_span{0};                      ///< LIDs that they know.
    uint32_t m_firstOutput{0};          ///< Items of the wheel are queues, then outputs.
    FabricWheel m_wheel;                ///< Events inside.
    messaging::SlotPool<Packet> m_packets;  ///< All packets.
    uint32_t m_serial{0};                   ///< Serial number of the newest packet.
    std::vector<Output> m_outputs;          ///< By port.
    std::vector<Buffer> m_buffers;          ///< By port.
    std::vector<Source> m_sources;          ///< By port, of hosts and routers.
    ListPool<Grant> m_grants;               ///< All credits to come.
    std::vector<PortId> m_touched;          ///< Outputs to be looked at in this tick.
    std::vector<PortCounters> m_portErrors; ///< By port: discards, symbol and receive errors.
    FabricCounters m_counters;              ///< Counters.

    /** A packet is lost. */
    TracedCallback<Ticks, const Packet&, PortId, DropReason> m_drop;
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_FABRIC_H
