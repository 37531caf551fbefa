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

/**
 * @ingroup infiniband
 * A fabric of links and switches with credits. It models every packet on every link.
 *
 * A packet waits in the input buffer of a switch, in one queue for each virtual lane, until its
 * output is free and the far end has granted credits for the whole packet. Its head may leave
 * before its tail has arrived (virtual cut-through). An output serves its virtual lanes in turn,
 * and the inputs of a lane in turn; the selected one waits for credits if necessary, and other
 * lanes pass it. No packet is dropped for lack of buffers.
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

    /**
     * Signature of trace sources Inject, Forward and Deliver.
     * @param when the time [ns]
     * @param packet the packet
     * @param port port of the host that injects or receives it, or that sends it
     */
    typedef void (*PacketTracedCallback)(Ticks when, const Packet& packet, PortId port);

    /**
     * Signature of trace source Blocked.
     * @param when the time [ns]
     * @param port the output
     * @param lane its virtual lane
     * @param blocks credits that the packet needs [blocks]
     */
    typedef void (*BlockedTracedCallback)(Ticks when, PortId port, uint8_t lane, uint32_t blocks);

    /**
     * Signature of trace source LinkState.
     * @param port one end of the link
     * @param up whether the link is up
     */
    typedef void (*LinkTracedCallback)(PortId port, bool up);

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
     * @param lane virtual lane of the packet
     * @return whether it has room
     */
    virtual bool HasRoom(HostId host, uint8_t lane = 0);

    /**
     * Send a packet from a host; HasRoom has to have returned true for its virtual lane.
     * @param host the host
     * @param index the packet, with destination, bytes and serviceLevel
     */
    virtual void Inject(HostId host, PacketIndex index);

    /**
     * Get the virtual lane of a service level, as the SLtoVLMappingTable of each port has it.
     * @param serviceLevel the service level
     * @return the virtual lane
     */
    uint8_t GetLane(uint8_t serviceLevel) const
    {
        return m_lanes == 1 ? 0 : static_cast<uint8_t>(serviceLevel % m_lanes);
    }

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

    /**
     * Get the current state of a virtual lane of a port.
     * @param port the port
     * @param lane the virtual lane
     * @return its state
     */
    LaneState GetLaneState(PortId port, uint8_t lane = 0);

    /** @return the number of packets that the fabric stores, those not yet injected included. */
    uint64_t GetNStored() const
    {
        return m_packets.GetN();
    }

    /**
     * Corrupt the next packet on the link into a port.
     * @param port the port
     */
    void CorruptNext(PortId port);

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
    /** Credits granted by a far end, valid from some time on. */
    struct Grant
    {
        Ticks when;      ///< Start of validity [ticks].
        uint32_t blocks; ///< Number of credits [blocks].
    };

    /** A virtual lane of an output. */
    struct Lane
    {
        PortSet waiting;     ///< Inputs whose first packet requests it.
        PooledList grants;   ///< Credits in flight, ordered by time.
        uint32_t credits{0}; ///< Available credits [blocks].
        uint8_t turn{0};     ///< Input served last.
        bool starved{false}; ///< It waits for credits not yet granted.
    };

    /** An output: the sending side of a port. What every packet reads comes first. */
    struct alignas(64) Output
    {
        Ticks busyUntil{0};          ///< End of the current packet on the link.
        Ticks blockedSince{NEVER};   ///< Time since which packets wait for credits.
        Lane first;                  ///< Virtual lane 0.
        uint64_t untilFault{NEVER};  ///< Packets until the link corrupts one.
        PortId base{0};              ///< Port 1 of its vertex.
        PortId peer{NO_PORT};        ///< The port at the other end.
        uint16_t parts{RATE_PARTS};  ///< Rate [bytes / RATE_PARTS in 1 ns].
        uint8_t lane{0};             ///< Virtual lane served last.
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

    /**
     * A queue of packets: of a virtual lane of a switch's input, or of a host. It has the size of a
     * cache line.
     */
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

    /** State of a virtual lane of a host's output. */
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

    /** @return a virtual lane of an output. @param port the output @param lane its number */
    Lane& GetOutputLane(PortId port, uint8_t lane)
    {
        return lane == 0 ? m_outputs[port].first : m_furtherLanes[GetFurtherIndex(port, lane)];
    }

    /** @return index of a virtual lane but the first. @param port the output @param lane number */
    std::size_t GetFurtherIndex(PortId port, uint8_t lane) const
    {
        return std::size_t{port} * (m_lanes - 1U) + lane - 1U;
    }

    /** @return number of the queue of an input or a host. @param port the port @param lane the
     * virtual lane */
    uint32_t GetQueue(PortId port, uint8_t lane) const
    {
        return port * m_lanes + lane;
    }

    /**
     * Request the output for the head of a queue.
     * @param number the queue
     * @param now the tick
     */
    void RequestOutput(uint32_t number, Ticks now);

    /**
     * Request all outputs for a multicast packet at the head of a switch's queue.
     * @param number the queue
     * @param now the tick
     */
    void RequestMulticast(uint32_t number, Ticks now);

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
     * @param number its virtual lane
     * @param input its input
     * @param now the tick
     */
    void Send(PortId port, uint8_t number, uint8_t input, Ticks now);

    /** @return whether a packet waits for an output. @param port the output */
    bool IsRequested(PortId port);

    /**
     * Count a host's packet as having left.
     * @param host the host
     * @param lane the virtual lane
     * @param end when its tail has left [ticks]
     */
    void LeaveSource(HostId host, uint8_t lane, Ticks end);

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
     * @param number its virtual lane
     * @param when start of their validity [ticks]
     * @param blocks their number
     */
    void GrantCredits(PortId port, uint8_t number, Ticks when, uint32_t blocks);

    /**
     * Take the arrived credits.
     * @param lane a virtual lane of an output, changed
     * @param now the tick
     */
    void TakeCredits(Lane& lane, Ticks now)
    {
        while (!lane.grants.IsEmpty() && m_grants[lane.grants.head].when <= now)
        {
            lane.credits += m_grants[lane.grants.head].blocks;
            m_grants.PopFront(lane.grants);
        }
    }

    /**
     * Find when a virtual lane will have enough of the granted credits.
     * @param lane the virtual lane
     * @param blocks required credits
     * @return the tick, or NEVER
     */
    Ticks FindCredits(const Lane& lane, uint32_t blocks) const;

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
     * @param lane the virtual lane
     */
    void NotifyReady(HostId host, uint8_t lane);

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

    /**
     * Cut the packets of a virtual lane that arrive by a link.
     * @param port the sending side
     * @param number the virtual lane
     * @param now the tick
     */
    void CutArrivals(PortId port, uint8_t number, Ticks now);

    /**
     * Let the packets of a virtual lane that wait for a link request an output again.
     * @param port the sending side
     * @param number the virtual lane
     * @param now the tick
     */
    void WithdrawRequests(PortId port, uint8_t number, Ticks now);

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
    messaging::TickClock* m_clock{nullptr}; ///< Clock, without a check at each use.
    Ptr<messaging::TickClock> m_ownedClock; ///< The same, which lasts until the disposal.
    FabricUser* m_user{nullptr};            ///< Receiver of packets.
    uint32_t m_clockUser{0};                ///< User number at the clock.
    uint32_t m_capacity{0};                 ///< Credits of an input on one virtual lane.
    uint8_t m_lanes{1};                     ///< Virtual lanes.
    bool m_logsHops{false}; ///< Whether to log each hop, so that a hop costs one branch without.
    Ticks m_sight{0};       ///< Least time from an event inside to its effect outside.
    Ticks m_wake{NEVER};    ///< When the clock calls back.
    uint64_t m_untilSwitchFault{NEVER};     ///< Packets until a switch corrupts one.
    const uint8_t* m_tables{nullptr};       ///< Forwarding tables.
    Lid m_span{0};                          ///< LIDs that they know.
    uint32_t m_firstOutput{0};              ///< Items of the wheel are queues, then outputs.
    FabricWheel m_wheel;                    ///< Events inside.
    messaging::SlotPool<Packet> m_packets;  ///< All packets.
    uint32_t m_serial{0};                   ///< Serial number of the newest packet.
    std::vector<Output> m_outputs;          ///< By port.
    std::vector<Lane> m_furtherLanes;       ///< By port, virtual lanes but the first.
    std::vector<Buffer> m_buffers;          ///< By port and virtual lane.
    std::vector<Source> m_sources;          ///< By port, of hosts and routers, and virtual lane.
    ListPool<Grant> m_grants;               ///< All credits to come.
    std::vector<PortId> m_touched;          ///< Outputs to be looked at in this tick.
    std::vector<PortCounters> m_portErrors; ///< By port: discards, symbol and receive errors.
    FabricCounters m_counters;              ///< Counters.

    /** A packet is lost: time, packet, port, reason. */
    TracedCallback<Ticks, const Packet&, PortId, DropReason> m_drop;
    /** A host injects a packet: time, packet, port. */
    TracedCallback<Ticks, const Packet&, PortId> m_inject;
    /** A port sends a packet: time, packet, port. */
    TracedCallback<Ticks, const Packet&, PortId> m_forward;
    /** A host receives a packet: time, packet, port. */
    TracedCallback<Ticks, const Packet&, PortId> m_deliver;
    /** A packet waits for credits: time, port, virtual lane, blocks. */
    TracedCallback<Ticks, PortId, uint8_t, uint32_t> m_blocked;
    /** A link fails or recovers: port, whether it is up. */
    TracedCallback<PortId, bool> m_linkState;
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_FABRIC_H
