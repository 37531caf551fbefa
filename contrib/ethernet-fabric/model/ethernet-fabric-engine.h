/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_FABRIC_ENGINE_H
#define ETHERNET_FABRIC_ENGINE_H

#include "ethernet-fabric-config.h"
#include "ethernet-fabric-faults.h"
#include "ethernet-fabric-link-time.h"
#include "ethernet-fabric-topology.h"
#include "ethernet-fabric-wheel.h"

#include "ns3/messaging-large-pages.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/ptr.h"

#include <array>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup ethernet-fabric
 * Frames in the links and switches of a fabric.
 */

namespace ns3
{
namespace fabric
{

/** Index of a frame in flight, or of another event. */
using FlightId = uint32_t;

/** A pause of a class of a link: sent, or ended. */
struct PauseEvent
{
    Instant when;         ///< Its time [ps].
    PortId port;          ///< Port of the switch that sends it.
    uint8_t trafficClass; ///< The class.
    bool on;              ///< It begins.
};

/** A lost frame. */
struct LossEvent
{
    Instant when;      ///< Its time [ps].
    PortId port;       ///< Port at which it is lost.
    LossReason reason; ///< The reason.
    Peer from;         ///< Sender.
    Peer to;           ///< Receiver.
};

/** A frame that has crossed a link. */
struct HopEvent
{
    Instant left;         ///< Its last byte has left the first port [ps].
    Instant arrived;      ///< Its last byte has arrived at the other one [ps].
    PortId from;          ///< Port that it has left.
    PortId to;            ///< Port at which it has arrived, of a switch or of its host.
    uint32_t bytes;       ///< Its length on the wire, without preamble [bytes].
    Peer sender;          ///< Sender.
    Peer receiver;        ///< Receiver.
    uint16_t path;        ///< Path value.
    uint8_t trafficClass; ///< Class.
    uint8_t marks;        ///< Marks of the network so far.
};

/** User of a fabric: called once a frame, and once a hop only on request. */
class FabricUser
{
  public:
    virtual ~FabricUser() = default;

    /**
     * A frame has arrived at its host.
     * @param to the host
     * @param from its sender
     * @param frame the frame, with the network's marks
     */
    virtual void OnArrival(Peer to, Peer from, const Frame& frame) = 0;

    /**
     * A host to which HasRoom returned false has room.
     * @param host the host
     */
    virtual void OnRoom(Peer host) = 0;

    /**
     * A frame is lost.
     * @param loss the loss
     * @param frame the frame
     */
    virtual void OnLoss(const LossEvent& loss, const Frame& frame) = 0;

    /**
     * A switch sends a pause frame.
     * @param pause the pause
     */
    virtual void OnPause(const PauseEvent& pause) = 0;

    /**
     * A frame has crossed a link; called after FollowHops only. Events inside the fabric are served
     * together, so the clock may be later than the hop.
     * @param hop the hop
     * @param frame the frame, without the network's marks
     */
    virtual void OnHop(const HopEvent& hop, const Frame& frame)
    {
        (void)hop;
        (void)frame;
    }

    /** @return whether hosts take trimmed frames; otherwise they lose them. */
    virtual bool TakesTrimmed() const
    {
        return false;
    }
};

/** Counts of a port. */
struct PortCounters
{
    uint64_t frames{0};         ///< Frames that have left.
    uint64_t bytes{0};          ///< Their bytes, without preambles.
    uint64_t drops{0};          ///< Frames lost in front of this port.
    uint64_t marks{0};          ///< Frames marked.
    uint64_t trims{0};          ///< Frames trimmed.
    uint32_t peak{0};           ///< Longest queue, with the frame on the wire [bytes].
    uint64_t pausesSent{0};     ///< Pauses of the sender at the other end.
    uint64_t pausesReceived{0}; ///< Pauses by the other end.
    uint64_t pausesLost{0};     ///< Pause frames of the other end lost by bit errors.
    uint32_t inputPeak{0};      ///< Most bytes of one class received here and still in the switch.
};

/** Counts of a node. */
struct NodeCounters
{
    uint64_t received{0}; ///< Frames received from links; for a host, those it has sent.
    uint64_t sent{0};     ///< Frames sent to links.
    uint64_t lost{0};     ///< Frames lost.
    uint64_t resident{0}; ///< Frames inside.
    uint64_t used{0};     ///< Bytes inside.
};

/**
 * @ingroup ethernet-fabric
 * Links and switches with output queues: one event a hop.
 *
 * Peers are the ends of the topology: host h in plane p is end p times the number of hosts, plus h.
 * Planes have no link to each other, so a frame goes from an end to one of the same plane.
 *
 * The time at which a frame leaves a port is computed when it arrives there, as a first-in
 * first-out queue in front of a link determines it, and only its arrival at the next node is an
 * event. A frame takes buffer from its arrival to the departure of its last byte; the buffer of a
 * port is released when the port is used next. A queue whose frames do not leave in the order of
 * arrival, because a frame of a higher class has arrived or the port is paused, gives up the
 * computed times, and has an event for each departure until it is empty.
 *
 * An event inside has no effect on hosts sooner than the shortest frame takes on a link, so that
 * the events of that time are served together. Frames, places in queues and events are in arrays
 * whose slots are reused.
 */
class FabricEngine : private messaging::TickUser
{
  public:
    /**
     * Construct.
     * @param config the parameters, which have been checked
     * @param hosts number of hosts
     */
    FabricEngine(const FabricConfig& config, uint32_t hosts);

    FabricEngine(const FabricEngine&) = delete;
    FabricEngine& operator=(const FabricEngine&) = delete;

    /**
     * Start.
     * @param clock counts nanoseconds, or longer ticks
     * @param user notified of frames, not owned
     */
    void Start(Ptr<messaging::TickClock> clock, FabricUser* user);

    /** Set the seed of ties, hashes, marks and bit errors. @param seed the seed, not zero */
    void SetSeed(uint64_t seed);

    /** @return the nodes and links. */
    const FabricTopology& GetTopology() const
    {
        return m_topology;
    }

    /** @return the parameters. */
    const FabricConfig& GetConfig() const
    {
        return m_config;
    }

    /**
     * Check whether a host's port can take a frame. If not, OnRoom follows.
     * @param host the host
     * @return whether it has room
     */
    bool HasRoom(Peer host);

    /**
     * Send a frame from an end; HasRoom has to have returned true.
     * @param from the end
     * @param to the receiver, an end of the same plane
     * @param frame the frame
     * @param bytes its length on the wire, without preamble [bytes]
     */
    void Send(Peer from, Peer to, const Frame& frame, uint32_t bytes);

    /**
     * Get the latency on an idle fabric.
     * @param from a host
     * @param to another
     * @param bytes length on the wire, without preamble [bytes]
     * @return from Send to OnArrival [ps]
     */
    Instant GetIdleLatency(Peer from, Peer to, uint32_t bytes) const
    {
        return GetIdleTime(from, to, {.bytes = bytes});
    }

    /** Frames that a host sends back to back. */
    struct Train
    {
        uint64_t count{0}; ///< Number of frames before the last one.
        uint32_t whole{0}; ///< Length of each of them on the wire, without preamble [bytes].
        uint32_t bytes{0}; ///< Length of the last one [bytes].
    };

    /**
     * Get the time of several frames on an idle fabric.
     * @param from a host
     * @param to another
     * @param train the frames
     * @return from Send of the first to OnArrival of the last [ps]
     */
    Instant GetIdleTime(Peer from, Peer to, const Train& train) const;

    /** @return time for which a frame occupies a host's link [ps]. @param bytes its length, without
     * preamble [bytes] */
    Instant GetWireTime(uint32_t bytes) const
    {
        return m_links[0].time.Get(bytes + m_lead + m_gap);
    }

    /** @return the counts of a port. @param port the port */
    PortCounters GetPortCounters(PortId port);

    /** @return the length of the queues of a port, with the frame on the wire [bytes]. @param port
     * the port */
    uint32_t GetQueueLength(PortId port);

    /** @return the counts of a node. @param node the node */
    NodeCounters GetNodeCounters(NodeId node);

    /** Report each hop to the user, at some cost, or end that. @param follows whether to report */
    void FollowHops(bool follows)
    {
        m_followsHops = follows;
    }

    /** @return the number of frames that are neither delivered nor lost. */
    uint64_t GetNInFlight() const
    {
        return m_inFlight;
    }

    /** @return the number of hops: frames sent by hosts and switches. */
    uint64_t GetNHops() const
    {
        return m_hops;
    }

    /**
     * Check that each frame is somewhere: at each node, frames received are sent, lost or inside.
     * @return empty, or one sentence
     */
    std::string CheckConservation();

    /**
     * Find a deadlock of pauses: queues of paused ports, each full of frames for the next, in a
     * circle.
     * @return the ports of the circle in order; none if there is no deadlock
     */
    std::vector<PortId> FindDeadlock() const;

    /** @return memory for ports, links and nodes, without frames [bytes]. */
    std::size_t GetMemory() const;

  private:
    /** What an event is. */
    enum class Kind : uint8_t
    {
        FRAME,   ///< A frame arrives at a switch.
        TIMER,   ///< A port has something to do.
        PAUSE,   ///< A pause frame arrives.
        REFRESH, ///< A pause frame may have to be repeated.
        EXPIRE,  ///< The time of a pause may be over.
        FAULT,   ///< A link changes.
        WATCH,   ///< A pause may have lasted too long.
        ROUTES   ///< Switches learn of a change of a link.
    };

    /** Events on the clock. */
    enum class Call : uint8_t
    {
        WAKE,   ///< Serve events inside.
        ARRIVE, ///< A frame arrives at its host.
        ROOM    ///< A host's port has room.
    };

    /** A direction of the links below a tier of switches. */
    struct Direction
    {
        LinkTime time;      ///< Time of a byte.
        Instant delay{0};   ///< Delay [ps].
        uint32_t buffer{0}; ///< Limit of a queue in front of it [bytes].
    };

    /** A frame on a link or in a queue, or another event. */
    struct alignas(64) Flight
    {
        Instant when{NEVER};     ///< Time of its event [ps].
        Instant tail{0};         ///< Arrival of its last byte at the next node [ps].
        uint32_t next{NONE};     ///< Next item of the wheel's slot.
        uint32_t previous{NONE}; ///< Previous item of the wheel's slot.
        uint32_t bytes{0};       ///< Length on the wire, without preamble [bytes].
        uint32_t hash{0};        ///< Hash of sender, receiver, path; number of another event.
        PortId output{NONE};     ///< Port at which it leaves the next node, if known.
        Peer from{0};            ///< Sender.
        Peer to{0};              ///< Receiver.
        PortId port{NONE};       ///< Port at which it arrives.
        NodeId node{NONE};       ///< Node at which it arrives.
        uint32_t serial{0};      ///< Changes when its event on the clock becomes invalid.
        uint16_t path{0};        ///< Path value.
        Kind kind{Kind::FRAME};  ///< What it is.
        uint8_t trafficClass{0}; ///< Class.
        uint8_t marks{0};        ///< Marks of the network.
        bool damaged{false};     ///< It has a bit error.
        bool on{false};          ///< A pause begins; a link goes up.
    };

    /** A frame in the buffer of a node. */
    struct Place
    {
        Instant ready{0};        ///< Earliest time of its departure [ps].
        Instant start{0};        ///< Begin of its departure, once it is known [ps].
        Instant end{0};          ///< End of its departure [ps].
        FlightId flight{NONE};   ///< The frame.
        uint32_t next{NONE};     ///< Next place of the queue.
        uint32_t bytes{0};       ///< Its length [bytes].
        PortId input{NONE};      ///< Port at which it has arrived.
        uint8_t trafficClass{0}; ///< Its class.
        bool measured{false};    ///< The queue was measured at its departure.
    };

    /** A list of places. */
    struct List
    {
        uint32_t first{NONE}; ///< First place.
        uint32_t last{NONE};  ///< Last place.
    };

    /** The sending side of a port: what every frame reads, in a cache line. */
    struct alignas(64) Port
    {
        Instant busyUntil{0};  ///< End of the link's use by frames whose departure is known.
        List known;            ///< Frames whose departure is known.
        uint64_t bytes{0};     ///< Bytes that have left.
        uint64_t frames{0};    ///< Frames that have left.
        LinkTime time;         ///< Time of a byte.
        PortId peer{NONE};     ///< Port at the other end.
        NodeId peerNode{NONE}; ///< Node at the other end.
        NodeId node{NONE};     ///< Node that it belongs to.
        FlightId timer{NONE};  ///< Its timer.
        uint32_t peak{0};      ///< Longest queue [bytes].
        uint32_t drops{0};     ///< Frames lost in front of it.
        uint8_t lowest{0};     ///< Lowest class of the known departures.
        uint8_t waiting{0};    ///< Bits of classes with frames whose departure is not known.
        uint8_t paused{0};     ///< Bits of paused classes.
        uint8_t link : 7 {0};  ///< Index of its Direction.
        bool down : 1 {false}; ///< Its link is down.
    };

    /** State and counts of a port that change rarely. */
    struct PortCounts
    {
        Instant controlUntil{0};    ///< End of the last pause frame [ps].
        Instant lastDown{NEVER};    ///< Time at which the link went down last [ps].
        uint32_t marks{0};          ///< Frames marked.
        uint32_t trims{0};          ///< Frames trimmed.
        uint32_t pausesSent{0};     ///< Pauses sent.
        uint32_t pausesReceived{0}; ///< Pauses received.
        uint32_t pausesLost{0};     ///< Pause frames for this port lost by bit errors.
    };

    /** Bytes received at a port and still in its switch, of one class. */
    struct Input
    {
        uint32_t bytes{0};  ///< Their number.
        uint32_t peak{0};   ///< Largest number.
        uint32_t pauses{0}; ///< Pauses of their sender so far.
        bool paused{false}; ///< Their sender is paused.
    };

    /** State of the weighted round of a port: deficit round robin. */
    struct Round
    {
        std::array<uint32_t, MAX_CLASSES> credit{}; ///< Bytes that a class may send now.
        uint8_t turn{0};                            ///< Class in turn.
    };

    /** A host or switch. */
    struct Node
    {
        NodeShape shape;            ///< Its ports.
        uint32_t salt{0};           ///< Differs from switch to switch.
        uint32_t pausing{0};        ///< Inputs whose senders are paused.
        uint64_t used{0};           ///< Bytes inside.
        Instant nextRelease{NEVER}; ///< Time before which no buffer is released [ps].
        uint64_t received{0};       ///< Frames received.
        uint64_t lost{0};           ///< Frames lost.
        uint32_t resident{0};       ///< Frames inside.
        bool asked{false};          ///< A host waits for room.
        bool called{false};         ///< The event of OnRoom is on the clock.
    };

    void OnTick(Peer peer, uint64_t datum) override;

    /** @return a random number. */
    uint64_t Draw();

    /** @return a random number below a limit. @param limit the limit */
    uint32_t DrawBelow(uint32_t limit)
    {
        return static_cast<uint32_t>((Draw() >> 32) * limit >> 32);
    }

    /** @return a random number of [0, 1). */
    double DrawShare()
    {
        return static_cast<double>(Draw() >> 11) * 0x1p-53;
    }

    /** @return the bytes of a class in front of a port. @param output the port @param trafficClass
     * the class */
    uint32_t& GetQueued(PortId output, uint8_t trafficClass)
    {
        return m_queued[std::size_t{output} * m_config.classes + trafficClass];
    }

    /** @param time a time [ps] @return the first tick that does not precede it */
    Ticks ToTick(Instant time) const
    {
        return (time + m_perTick - 1) / m_perTick;
    }

    /** @return the time of the clock [ps]. */
    Instant GetNow() const
    {
        return m_clock->Now() * m_perTick;
    }

    /** @param event an event inside the fabric @param when its time [ps] */
    void PlaceEvent(FlightId event, Instant when)
    {
        m_wheel.Place(m_flights, event, when);
    }

    /** @param flight a frame or event, which ends */
    void Free(FlightId flight);

    /** @return a slot for a frame or event. */
    FlightId Make();

    /** Serve all events inside up to a time. @param end the time, inclusive [ps] */
    void Advance(Instant end);

    /** Have the clock call before an event inside can have an effect on a host. */
    void PlanWake();

    /** Load what the next events need into the processor's caches. */
    void LookAhead();

    /** Load the node of an event. @param id the event, or NONE */
    void LoadNode(FlightId id) const;

    /** Find the output of a frame that will arrive, and load it. @param id the event, or NONE */
    void LoadOutput(FlightId id);

    /** A frame arrives at a switch. @param flight the frame @param now the time [ps] */
    void Arrive(FlightId flight, Instant now);

    /** Report that a frame has crossed a link. @param flight the frame */
    void ReportHop(FlightId flight);

    /** A frame arrives at its host. @param flight the frame */
    void Deliver(FlightId flight);

    /**
     * Select an output.
     * @param node a switch
     * @param flight the frame, whose path value may change
     * @param now the time [ps]
     * @return the port, or NONE
     */
    PortId Route(const Node& node, Flight& flight, Instant now);

    /**
     * Find the ports towards a host, without links that are known to be down.
     * @param node number of a switch
     * @param host the host
     * @param range set to the ports, if no link is down
     * @return ports if links are known to be down, else empty
     */
    const std::vector<PortId>* FindPorts(NodeId node, NodeId host, PortRange& range) const;

    /**
     * Queue a frame at a switch, mark it or trim it.
     * @param flight the frame
     * @param output the port
     * @param now the time [ps]
     * @return the reason to drop it, or N_REASONS
     */
    LossReason Admit(FlightId flight, PortId output, Instant now);

    /**
     * Account a frame of a lossless class, and pause its sender if its input is full.
     * @param port the port at which it has arrived
     * @param trafficClass its class
     * @param bytes its length [bytes]
     * @param now the time [ps]
     * @return false if there is no room
     */
    bool AdmitInput(PortId port, uint8_t trafficClass, uint32_t bytes, Instant now);

    /**
     * Move a frame to the highest class, and cut off what exceeds the length of a trimmed frame.
     * One that is no longer than that loses nothing, and is not marked.
     * @param flight the frame, changed
     * @param output its port
     */
    void Trim(Flight& flight, PortId output);

    /** @return whether the link of a frame has gone down while it was there. @param flight the
     * frame
     */
    bool IsCut(const Flight& flight) const;

    /**
     * Draw the bit errors of a frame that has crossed a link.
     * @param port the port at which it arrives
     * @param bytes its length [bytes]
     * @return whether it has one
     */
    bool HasBitError(PortId port, uint32_t bytes);

    /**
     * Check whether a frame exceeds the limit of its queue.
     * @param port the port
     * @param queue length of the queue [bytes]
     * @param bytes length of the frame [bytes]
     * @param now the time [ps]
     * @return whether it does
     */
    bool IsTooLong(const Port& port, uint32_t queue, uint32_t bytes, Instant now);

    /** @return bytes of an input that pause its sender. @param node the switch */
    uint32_t GetXoff(const Node& node) const;

    /** @return the limit of a queue [bytes]. @param port its port */
    uint32_t GetLimit(const Port& port) const;

    /** @return whether a frame is marked. @param queue length of its queue [bytes] */
    bool IsMarked(uint32_t queue);

    /**
     * Mark a frame, as the length of its queue demands.
     * @param flight the frame
     * @param output its port
     */
    void Mark(FlightId flight, PortId output);

    /** Append a place to a list. @param list the list, changed @param place the place */
    void Append(List& list, uint32_t place);

    /**
     * Put a frame in the buffer of a node.
     * @param flight the frame
     * @param output the port
     * @param ready earliest time of its departure [ps]
     * @param now the time [ps]
     */
    void Enqueue(FlightId flight, PortId output, Instant ready, Instant now);

    /**
     * Begin or plan the departure of a frame.
     * @param output the port
     * @param place the place of the frame, appended to the known departures
     * @param start its begin [ps]
     */
    void Depart(PortId output, uint32_t place, Instant start);

    /**
     * Give up the departures of a port that have not begun.
     * @param output the port
     * @param now the time [ps]
     */
    void Forget(PortId output, Instant now);

    /**
     * Begin the next departure of a port whose frames wait, if it can.
     * @param output the port
     * @param now the time [ps]
     */
    void Serve(PortId output, Instant now);

    /**
     * Select the class whose first frame leaves next.
     * @param output the port
     * @param ready bits of classes whose first frame can leave; at least one
     * @return the class
     */
    unsigned SelectClass(PortId output, unsigned ready);

    /**
     * Place the timer of a port.
     * @param output the port
     * @param now the time [ps]
     */
    void PlanTimer(PortId output, Instant now);

    /**
     * Release the buffers of frames that have left a port.
     * @param output the port
     * @param now the time [ps]
     */
    void Settle(PortId output, Instant now);

    /**
     * Settle all ports of a switch.
     * @param node the switch
     * @param now the time [ps]
     */
    void SettleNode(Node& node, Instant now);

    /**
     * Release the buffer of a frame.
     * @param output port that it has left
     * @param place its place, free after the call
     * @param now the time [ps]
     */
    void Release(PortId output, uint32_t place, Instant now);

    /**
     * Send a pause frame.
     * @param port port of the switch
     * @param trafficClass the class
     * @param on it begins
     * @param now the time [ps]
     */
    void SendPause(PortId port, uint8_t trafficClass, bool on, Instant now);

    /**
     * Obey a pause frame.
     * @param pause the pause
     * @param now the time [ps]
     */
    void OnPause(const Flight& pause, Instant now);

    /**
     * Plan the repetition of a pause frame, if pauses have an end.
     * @param port the port that sends it
     * @param trafficClass its class
     * @param now the time [ps]
     */
    void PlanRefresh(PortId port, uint8_t trafficClass, Instant now);

    /** Repeat a pause frame if its pause goes on. @param refresh its event @param now the time [ps]
     */
    void OnRefresh(const Flight& refresh, Instant now);

    /** End a pause that was not repeated in time. @param end its event @param now the time [ps] */
    void OnExpire(const Flight& end, Instant now);

    /** Drop the queue of a port if a pause has lasted too long. @param watch its event @param now
     * the time [ps] */
    void OnWatch(const Flight& watch, Instant now);

    /**
     * Lose all frames of a class that wait at a port.
     * @param number the port
     * @param trafficClass the class
     * @param reason the reason
     * @param now the time [ps]
     */
    void DropQueue(PortId number, uint32_t trafficClass, LossReason reason, Instant now);

    /**
     * Find the paused ports at the next switch for which the frames of a paused port wait.
     * @param output the port
     * @param trafficClass the class
     * @return ports that hold frames that have come from it
     */
    std::vector<PortId> FindBlockers(PortId output, uint32_t trafficClass) const;

    /** @return whether frames of a class wait at a port because it is paused. @param output the
     * port @param trafficClass the class */
    bool IsBlocked(PortId output, uint32_t trafficClass) const
    {
        const Port& port = m_ports[output];
        return port.waiting & port.paused & (1U << trafficClass);
    }

    /**
     * Change a link.
     * @param fault the change
     * @param now the time [ps]
     */
    void ApplyFault(const LinkFault& fault, Instant now);

    /**
     * Take down one direction of a link, and lose the frames in front of it.
     * @param port the port
     * @param now the time [ps]
     */
    void CutPort(PortId port, Instant now);

    /**
     * Let the switches learn of a change of a link, after the time of convergence.
     * @param fault the change
     * @param now the time [ps]
     */
    void PlanRoutes(const LinkFault& fault, Instant now);

    /** The switches learn of a change of a link, unless a later one has followed. @param change its
     * event */
    void OnRoutes(const Flight& change);

    /** Find routes that avoid the links that are known to be down. */
    void FindRoutes();

    /**
     * Lose a frame.
     * @param flight the frame, which ends
     * @param node the node
     * @param port the port
     * @param reason the reason
     * @param now the time [ps]
     */
    void Lose(FlightId flight, NodeId node, PortId port, LossReason reason, Instant now);

    /** A host may send again. @param host the host */
    void CallRoom(Peer host);

    /**
     * Get the begin of a frame's next departure, on an idle fabric.
     * @param port port that it leaves
     * @param next port of the switch there that it leaves next
     * @param bytes its length, without preamble [bytes]
     * @param start begin of the first departure [ps]
     * @return begin of the next one [ps]
     */
    Instant GetRelayStart(const Port& port, const Port& next, uint32_t bytes, Instant start) const;

    FabricConfig m_config;                    ///< Parameters.
    FabricTopology m_topology;                ///< Nodes and links.
    Ptr<messaging::TickClock> m_clock;        ///< Clock.
    FabricUser* m_user{nullptr};              ///< Notified of frames.
    uint32_t m_number{0};                     ///< The clock's number of this user.
    Instant m_perTick{PS_PER_NS};             ///< Length of a tick [ps].
    Ticks m_longest{NEVER};                   ///< Latest time of a frame [ticks].
    Instant m_sight{0};                       ///< Least time from an event to its effect [ps].
    Ticks m_wake{NEVER};                      ///< Time of the next call of the clock.
    bool m_exact{false};                      ///< Hosts are affected by events inside.
    bool m_measures{false};                   ///< Marks are set at departures.
    bool m_foresees{false};                   ///< Outputs are known before an arrival.
    bool m_followsHops{false};                ///< The user is notified of each hop.
    uint32_t m_lead{0};                       ///< Bytes before a frame.
    uint32_t m_gap{0};                        ///< Bytes after a frame.
    uint32_t m_headroom{0};                   ///< Headroom of an input [bytes].
    std::vector<Direction> m_links;           ///< Links by tier, each upwards and downwards.
    std::array<Instant, N_TIERS> m_latency{}; ///< Latency of a node by tier [ps].
    uint64_t m_random{1};                     ///< State of the random numbers.
    double m_untilError{0};                   ///< Expected bit errors until the next one.
    std::vector<double> m_errors;             ///< Bit error rate by receiving port; none if all 0.
    FabricWheel<Flight> m_wheel;              ///< Events inside.
    messaging::LargeVector<Flight> m_flights; ///< Frames and events.
    messaging::LargeVector<Frame> m_frames;   ///< Frames of protocols by flight.
    std::vector<FlightId> m_free;             ///< Free flights.
    messaging::SlotPool<Place> m_places;      ///< Frames in buffers.
    messaging::LargeVector<Port> m_ports;     ///< Ports.
    messaging::LargeVector<PortCounts> m_counts; ///< Counts by port.
    messaging::LargeVector<Node> m_nodes;        ///< Hosts and switches.
    messaging::LargeVector<uint32_t> m_queued;   ///< Bytes in the node by port and class.
    messaging::LargeVector<List> m_queues;       ///< Frames that wait, by port and class.
    std::vector<Input> m_inputs;                 ///< By port and class, if any class has PFC.
    Instant m_pauseTime{0};                      ///< Time of a pause, or 0 [ps].
    std::vector<Instant> m_pauseEnds;            ///< End of pauses by port and class, if they end.
    std::vector<Instant> m_pausedSince;          ///< Begin of pauses by port and class, if watched.
    std::vector<uint32_t> m_quanta;              ///< Bytes of a class in a round, if weighted.
    std::vector<Round> m_rounds;                 ///< By port, if weighted.
    std::vector<LinkFault> m_faults;             ///< Faults to come.
    std::vector<bool> m_avoided;                 ///< By port: routes avoid it; none without faults.
    std::vector<uint32_t> m_changes;             ///< Changes so far by the link's lower port.
    std::vector<std::vector<PortId>> m_routes;   ///< By switch and leaf, once links are down.
    std::vector<NodeId> m_leaves;                ///< Leaf by host.
    uint64_t m_inFlight{0};                      ///< Frames neither delivered nor lost.
    uint64_t m_hops{0};                          ///< Frames sent by nodes.
};

} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_ENGINE_H
