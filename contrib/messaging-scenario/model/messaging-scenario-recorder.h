/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SCENARIO_RECORDER_H
#define MESSAGING_SCENARIO_RECORDER_H

#include "ns3/messaging-audit.h"
#include "ns3/messaging-fault-plan.h"
#include "ns3/messaging-host.h"
#include "ns3/messaging-table.h"
#include "ns3/messaging-timeline.h"
#include "ns3/messaging-traced-port.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/output-stream-wrapper.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <functional>
#include <list>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * A recorder of messages, frames and work of a run, for sequence charts and timelines.
 */

namespace ns3
{
namespace messaging
{

class BenchmarkSession;

/** Options of a recorder. */
struct RecorderOptions
{
    uint64_t limit{10000}; ///< Maximum number of events, without the ends of what has begun.
    Time begin;            ///< Begin of the period that is kept.
    Time end{Time::Max()}; ///< End of this period.
    std::string pcap{};    ///< Prefix of a pcap file for each net device; empty for none.
    std::string ascii{};   ///< File of an ascii trace of all net devices; empty for none.
};

/**
 * @ingroup messaging
 * A recorder of one run: messages posted, delivered and ended, frames sent, arrived and lost, work
 * of hosts, and events of protocols.
 *
 * The recorder only connects to trace sources: a scenario passes its recorder what it builds, by
 * Observe, which does nothing unless Start was called before the run. Hosts of nodes are found in
 * the list of nodes. If no port is recorded, the trace sources of all net devices provide the
 * packets.
 *
 * An arrival is matched with an equal frame sent. On a lossless network, it is the first such
 * frame. Elsewhere, it is the last that can have arrived by then, since an earlier one is more
 * likely lost than late. A frame that is not in the table counts as lost after MOST_UNKEPT later
 * ones of its sender and destination, so that losses do not fill the memory.
 *
 * The whole run is observed, so that numbers and matches do not depend on the period that is kept.
 * What begins in it, and within the limit, is kept with its end: the arrival of a frame, the
 * delivery of a message.
 */
class Recorder
{
  public:
    /** Makes the label of a frame: one or two words. */
    using Describer = std::function<std::string(const Frame&)>;

    /** Number of an unrecorded event or frame. */
    static constexpr uint64_t NONE = ~uint64_t{0};

    /**
     * Record the next run. The recorder has to exist until that has ended.
     * @param options the options
     */
    void Start(const RecorderOptions& options);

    /** Departures between two peers, of frames that are not in the table, of which so many and
     * at most twice as many are remembered; those before them count as lost. */
    static constexpr uint32_t MOST_UNKEPT = 1024;

    /** @return the number of frames and packets that are remembered, as they may still arrive. */
    uint64_t GetNPending() const;

    /** @return whether a run is recorded. */
    bool IsRecording() const
    {
        return m_isRecording;
    }

    /** @return the events recorded so far, one for each row. */
    Ptr<Table> MakeTable() const;

    /** @return the parts of the latency of delivered messages, one delivery for each row. */
    Ptr<Table> MakePartsTable() const;

    /**
     * Record the frames of a port.
     * @param port the port; it has no other user
     * @return a port with trace sources in front of it; the port itself if nothing is recorded
     */
    Ptr<AnyPort> ObservePort(Ptr<AnyPort> port);

    /**
     * Record the frames of a port with trace sources.
     * @tparam P the port behind
     * @param port the port
     * @param tick length of a tick
     */
    template <class P>
    void ObservePort(Ptr<TracedPort<P>> port, Time tick)
    {
        if (m_isRecording)
        {
            ConnectPort(*port, port->GetSendTrace(), port->GetArriveTrace(), tick);
        }
    }

    /**
     * Record the frames of an object that is not a port.
     * @param source an object with the trace sources Send and Arrive, as those of TracedPort
     * @param describer makes the label of a frame
     */
    void ObserveFrames(ObjectBase& source, Describer describer);

    /**
     * Record the events of a group's protocol, and label its frames.
     * @param group the group
     */
    void ObserveGroup(Ptr<MessageGroup> group);

    /**
     * Record the messages of a group.
     * @param audit the audit of the group
     */
    void ObserveMessages(Ptr<DeliveryAudit> audit);

    /**
     * Record the parts of the latency of each message; after ObserveMessages.
     * @param session the benchmark, which counts the messages of the workload
     * @param timeline the timeline, which keeps the parts of a message before this is called
     */
    void ObserveParts(Ptr<BenchmarkSession> session, Ptr<const MessageTimeline> timeline);

    /**
     * Record the work of a host without a node. Hosts are numbered in the order of these calls.
     * @param host the host
     */
    void ObserveHost(Ptr<HostModel> host);

    /**
     * Record the faults of a fault plan whose frames come from recorded ports or devices.
     * @param faults the fault plan
     */
    void ObserveFaults(Ptr<FaultPlan> faults);

  private:
    /** Kinds of events. */
    enum class Kind : uint8_t
    {
        POST,     ///< A message is accepted.
        SEND,     ///< A frame or packet is sent.
        ARRIVE,   ///< It arrives.
        LOSE,     ///< It is lost.
        DELIVER,  ///< A message is delivered.
        COMPLETE, ///< A message has ended for its sender.
        NOTE,     ///< An event of a protocol.
        WORK,     ///< A step of work of a host.
        END       ///< The run ends.
    };

    /** An event. */
    struct Event
    {
        Kind kind;                    ///< Kind.
        Peer node{NO_PEER};           ///< Node of the event.
        Peer peer{NO_PEER};           ///< The other side, or NO_PEER.
        uint64_t number{NONE};        ///< Number of the message, frame or process.
        uint64_t bytes{0};            ///< Size of the message or frame [bytes], or amount of work.
        std::string label{};          ///< Name of the frame, event or kind of work.
        std::string detail{};         ///< Outcome, reason or fault.
        Time begin{Simulator::Now()}; ///< Time of the event.
        Time end{Simulator::Now()};   ///< End of work.
    };

    /** Parts of a message's latency. */
    struct Divided
    {
        uint64_t number{NONE}; ///< Number of the message.
        Peer node{NO_PEER};    ///< Its receiver.
        LatencyParts parts;    ///< The parts.
    };

    /** A sent frame that may still arrive. */
    struct Pending
    {
        Frame frame;              ///< The frame.
        Time sent;                ///< Time of sending.
        uint64_t number{NONE};    ///< Its number, or NONE if it is not kept.
        std::string label{};      ///< Its label.
        std::set<Peer> reached{}; ///< Peers at which a broadcast has arrived.
    };

    /** Sent frames of one sender to one destination that may still arrive, the oldest first. */
    struct Departures
    {
        std::list<Pending> frames; ///< The frames.
        uint32_t unkept{0};        ///< Number of those that are not in the table.
    };

    /** A sent packet. */
    struct Sending
    {
        uint64_t number{NONE}; ///< Its number, or NONE if it is not kept.
        Peer from{NO_PEER};    ///< Its sender.
        std::string label{};   ///< Its label.
    };

    /**
     * Connect the trace sources of a port.
     * @param port the port
     * @param send its trace source of frames sent
     * @param arrive its trace source of arrivals
     * @param tick length of a tick
     */
    void ConnectPort(const AnyPort& port, FrameTrace& send, FrameTrace& arrive, Time tick);

    /**
     * Record an event of a protocol.
     * @param node the node
     * @param name name of the event
     */
    void Noted(Peer node, const std::string& name);

    /**
     * Record the state of a path as an event of a protocol.
     * @param node the peer
     * @param to the peer to which the path leads
     * @param path its value
     * @param state name of its new state
     */
    void PathChanged(Peer node, Peer to, uint16_t path, const std::string& state);

    /**
     * Record a step of work.
     * @param host number of the host
     * @param process its process
     * @param work the step
     * @param begin its begin
     * @param end its end
     */
    void Worked(Peer host, ProcessId process, const Work& work, Time begin, Time end);

    /**
     * Mark the last arrival as lost or changed by a fault.
     * @param from its sender
     * @param to its receiver
     * @param frame the frame as sent
     * @param effect name of the effect
     * @param lost whether it is lost
     */
    void Faulted(Peer from, Peer to, const Frame& frame, const std::string& effect, bool lost);

    /**
     * Record that a frame is sent.
     * @param from its sender
     * @param to its destination, or NO_PEER
     * @param frame the frame
     */
    void Sent(Peer from, Peer to, const Frame& frame);

    /**
     * Forget the oldest frames that are not in the table, except for the last MOST_UNKEPT.
     * @param departures frames of one sender to one destination, changed
     */
    static void Forget(Departures& departures);

    /**
     * Record that a frame arrives.
     * @param self its receiver
     * @param from its sender
     * @param frame the frame
     * @param lossless whether the network is lossless
     * @param distance minimum latency from the sender
     */
    void Arrived(Peer self, Peer from, const Frame& frame, bool lossless, Time distance);

    /**
     * Record that a message is accepted.
     * @param self its sender
     * @param request the message
     */
    void Posted(Peer self, const Request& request);

    /**
     * Record that a message is not accepted.
     * @param self its sender
     * @param request the message
     * @param acceptance stalled or refused
     */
    void Declined(Peer self, const Request& request, Acceptance acceptance);

    /**
     * Record that a message is delivered.
     * @param self its receiver
     * @param delivery the message
     */
    void Delivered(Peer self, const Delivery& delivery);

    /**
     * Record that a message has ended.
     * @param self its sender
     * @param id the request
     * @param completion its outcome
     */
    void Ended(Peer self, RequestId id, Completion completion);

    /** @return true if events of the current time are kept. */
    bool IsOpen() const;

    /** @return true if nothing that begins from now on is kept. */
    bool IsOver() const;

    /** @param number number of a message @return true if its post is kept. */
    bool IsKept(uint64_t number) const
    {
        return number >= m_firstKept && number < m_endKept;
    }

    /**
     * Add an event.
     * @param event the event, of the current time unless it states another
     * @return its index
     */
    uint64_t Add(Event event);

    /** Record the end of the run. */
    void Finish();

    /**
     * Check whether a frame was sent before. The number of a frame without payload may have wrapped
     * around, so only the last few frames count for it.
     * @param from its sender
     * @param to its destination
     * @param contents fields that distinguish it from others
     * @param payload whether it has a payload
     * @return "repeated" if it was
     */
    std::string GetRepetition(Peer from, Peer to, const std::string& contents, bool payload);

    /** Connect the trace sources of the hosts and net devices of all nodes. */
    void AttachNodes();

    /**
     * Write the packets of a device to a pcap file.
     * @param device the device
     */
    void WritePcap(Ptr<NetDevice> device) const;

    /**
     * Write the packets of a device to an ascii trace: enqueued, dequeued, dropped and received.
     * @param device the device
     * @param stream the file
     */
    static void WriteAscii(Ptr<NetDevice> device, Ptr<OutputStreamWrapper> stream);

    /**
     * Record the packets of a device.
     * @param device the device
     */
    void AttachDevice(Ptr<NetDevice> device);

    /**
     * Label a packet by its innermost known header, and find its destination.
     * @param packet the packet
     * @param to set to the destination, if a header states it
     * @return its label
     */
    std::string Describe(Ptr<const Packet> packet, Peer& to) const;

    bool m_isRecording{false};            ///< A run is recorded.
    RecorderOptions m_options;            ///< Options.
    Ptr<OutputStreamWrapper> m_ascii;     ///< File of the ascii trace, or none.
    Describer m_describer{DescribeFrame}; ///< Makes the labels of frames.
    std::vector<Event> m_events;          ///< The events.
    std::vector<Divided> m_parts;         ///< Parts of the latency of delivered messages.
    Divided m_delivered;                  ///< Message and receiver of the last delivery.
    std::map<std::pair<Peer, Peer>, Departures>
        m_pending; ///< Frames in flight by sender and destination.
    std::unordered_map<uint64_t, Sending> m_packets; ///< Packets of devices by UID.
    std::map<std::tuple<Peer, Peer, std::string>, uint64_t>
        m_seen; ///< Position of the last equal frame among those of its pair.
    std::map<std::pair<Peer, Peer>, uint64_t> m_places;        ///< Number of frames of each pair.
    std::unordered_map<uint64_t, uint64_t> m_messages;         ///< Numbers of messages by contents.
    std::map<std::pair<Peer, RequestId>, uint64_t> m_requests; ///< Numbers by sender and request.
    std::map<Peer, uint64_t> m_lastArrival; ///< Index of the last arrival at each node.
    std::map<Address, Peer> m_addresses;    ///< Nodes by the addresses of their devices.
    uint64_t m_nextFrame{0};                ///< Number of the next frame.
    uint64_t m_nextMessage{0};              ///< Number of the next message.
    uint64_t m_firstKept{0};                ///< First message whose post is kept.
    uint64_t m_endKept{0};                  ///< Number after the last such message.
    uint32_t m_ports{0};                    ///< Recorded ports.
    uint32_t m_hosts{0};                    ///< Recorded hosts.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SCENARIO_RECORDER_H
