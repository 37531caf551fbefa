/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SCENARIO_ACCOUNT_H
#define MESSAGING_SCENARIO_ACCOUNT_H

#include "ns3/messaging-audit.h"
#include "ns3/messaging-fault-plan.h"
#include "ns3/messaging-faulty-net-device.h"
#include "ns3/messaging-forwarding-port.h"
#include "ns3/messaging-network.h"
#include "ns3/messaging-table.h"
#include "ns3/messaging-timeline.h"
#include "ns3/messaging-traffic-session.h"
#include "ns3/net-device-container.h"
#include "ns3/nstime.h"

#include <map>
#include <unordered_map>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Connects a MessageTimeline to the trace sources of a run.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * The latency of the messages of a run, by parts.
 *
 * It only connects to trace sources. Frames are observed where they leave the protocol and where
 * they leave the host; packets of sockets at the devices, where the time of a packet on an idle
 * network is the shortest that any packet of its size has taken so far.
 */
class RunAccount
{
  public:
    RunAccount();

    ~RunAccount();

    RunAccount(const RunAccount&) = delete;
    RunAccount& operator=(const RunAccount&) = delete;

    /**
     * Observe the frames of a port behind the hosts.
     * @param port the port
     * @param tick length of its tick
     * @return the port to use instead
     */
    Ptr<AnyPort> ObserveWire(Ptr<AnyPort> port, Time tick);

    /**
     * Observe the frames of a group in front of the hosts.
     * @param group the group; a CoreEvents, or a group with the same trace sources Send and Arrive
     * @param port its port
     * @param tick length of a tick of the port
     */
    void ObserveCore(Ptr<MessageGroup> group, Ptr<const AnyPort> port, Time tick);

    /**
     * Observe the packets of devices.
     * @param devices devices behind the hosts, in the order of the peers
     * @param upper devices in front of the hosts, in the same order; empty without hosts
     * @param rate rate at which a device sends; 0 if unknown [bytes/s]
     */
    void ObserveDevices(const std::vector<Ptr<FaultyNetDevice>>& devices,
                        const NetDeviceContainer& upper,
                        double rate);

    /** Observe losses in a network. @param network the network */
    void ObserveNetwork(Ptr<Network> network);

    /** Observe losses by faults of a port. @param faults the fault plan */
    void ObserveFaults(Ptr<FaultPlan> faults);

    /**
     * Observe messages. This is called after all other methods that observe.
     * @param group the audited group
     * @param audit its audit
     * @param session the benchmark, which is notified of lost messages
     * @param hosts the hosts of all peers; none if frames cost nothing
     */
    void ObserveMessages(Ptr<MessageGroup> group,
                         Ptr<DeliveryAudit> audit,
                         Ptr<BenchmarkSession> session,
                         const std::vector<Ptr<HostModel>>& hosts);

    /** @return the timeline. */
    Ptr<const MessageTimeline> GetTimeline() const
    {
        return m_timeline;
    }

    /** @return the number of frames or packets with parts of messages that were sent again. */
    uint64_t GetNRepeated() const
    {
        return m_repeated;
    }

    /** @return mean and percentiles of each part of the latency, and of the whole [us]. */
    Ptr<Table> MakeTable() const;

    /** @param part a part @return its mean; NaN without messages [us]. */
    double GetMean(LatencyPart part) const;

  private:
    class WirePort; ///< A port that reports its frames to the timeline.

    using Place = MessageTimeline::Place;     ///< Place of an observation.
    using Carried = MessageTimeline::Carried; ///< Part of a message.

    /** Shortest times of packets by size; a larger packet takes as long or longer. */
    class ShortestTimes
    {
      public:
        /** Add a packet. @param size its size [bytes] @param time its time, in steps of Time */
        void Add(uint32_t size, int64_t time);

        /** @param size a size [bytes] @return the shortest time of packets as large or larger; 0 if
         * there are none, in steps of Time. */
        int64_t Get(uint32_t size) const;

      private:
        std::map<uint32_t, int64_t> m_times; ///< Times by size, ascending with it.
    };

    /**
     * Describe a frame that is sent.
     * @param port the port, which states the time of the frame on a channel
     * @param tick length of a tick of the port
     * @param to its destination
     * @param frame the frame
     * @return the part of a message in it
     */
    static Carried GetSent(const AnyPort& port, Time tick, Peer to, const Frame& frame);

    /**
     * Describe a frame that has arrived.
     * @param port the port, which states the time of the frame on an idle network
     * @param tick length of a tick of the port
     * @param self its receiver
     * @param from its sender
     * @param frame the frame
     * @return the part of a message in it
     */
    static Carried GetArrived(const AnyPort& port,
                              Time tick,
                              Peer self,
                              Peer from,
                              const Frame& frame);

    /** @param bytes size of a packet @return time for which it occupies the sender's channel, in
     * steps of Time. */
    int64_t GetWireTime(uint32_t bytes) const;

    /**
     * A packet leaves.
     * @param place where
     * @param self its sender
     * @param packet the packet
     * @param copies number of receivers
     */
    void OnPacketSent(Place place, Peer self, Ptr<const Packet> packet, uint32_t copies);

    /** A packet arrives. @param place where @param self its receiver @param packet the packet */
    void OnPacketArrived(Place place, Peer self, Ptr<const Packet> packet);

    /** A packet is lost. @param packet the packet */
    void OnPacketLost(Ptr<const Packet> packet);

    Ptr<MessageTimeline> m_timeline;                 ///< The timeline.
    std::unordered_map<uint64_t, Time> m_departures; ///< Departures of packets in flight, by key.
    ShortestTimes m_shortest;                        ///< Shortest times of packets.
    uint64_t m_repeated{0};                          ///< Frames sent again.
    bool m_observesPackets{false};                   ///< Packets of devices are observed.
    double m_rate{0};                                ///< Rate of a device; 0 if unknown [bytes/s].
    bool m_hasHosts{false};                          ///< Frames are observed above and below hosts.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SCENARIO_ACCOUNT_H
