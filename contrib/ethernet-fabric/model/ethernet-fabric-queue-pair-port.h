/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_FABRIC_QUEUE_PAIR_PORT_H
#define ETHERNET_FABRIC_QUEUE_PAIR_PORT_H

#include "ethernet-fabric-types.h"

#include "ns3/messaging-forwarding-port.h"

#include <vector>

/**
 * @file
 * @ingroup ethernet-fabric
 * A port whose hosts have several queue pairs to each other.
 */

namespace ns3
{
namespace fabric
{

/**
 * @ingroup ethernet-fabric
 * Splits each host of a port into several peers, so that flows between two hosts do not wait for
 * each other. Peer h k + s is the queue pair s of host h, and exchanges frames with the queue pairs
 * s of other hosts. The queue pairs of a host that wait for its port take turns.
 *
 * The queue pair is part of Frame::path: value s + k p on the way, where p is the path that the
 * protocol has chosen. So with k or more paths of the network, queue pairs take different routes.
 */
class QueuePairPort final : public messaging::ForwardingPort<messaging::AnyPort>
{
  public:
    /**
     * Construct.
     * @param port the port of the hosts; this becomes its only user
     * @param network the port of the network, whose round trip holds
     * @param pairs number of queue pairs of a host
     */
    QueuePairPort(Ptr<messaging::AnyPort> port, Ptr<messaging::AnyPort> network, uint32_t pairs);

    /**
     * Get what a queue pair has of a network.
     * @param network the properties of the network
     * @param pairs number of queue pairs of a host
     * @return the same, with the paths of a queue pair
     */
    static messaging::PortInfo GetInfoOfPair(messaging::PortInfo network, uint32_t pairs);

    /** @return the properties of the network, with the paths of a queue pair. */
    messaging::PortInfo GetInfo() const override;

    /** @return the number of queue pairs of all hosts. */
    uint32_t GetNPeers() const override;

    Ticks Distance(Peer self, Peer to) const override;
    Ticks GetRoundTrip(const Frame& request, const Frame& answer) const override;
    bool Send(Peer self, Peer to, const Frame& frame) override;
    bool IsBusy(Peer self) override;

    /** @return the number of queue pairs of a host. */
    uint32_t GetNPairs() const
    {
        return m_pairs;
    }

    /** @return frames with payload that the port has accepted. */
    uint64_t GetNPackets() const
    {
        return m_packets;
    }

    /** @return frames without payload that the port has accepted, such as acknowledgements. */
    uint64_t GetNAnswers() const
    {
        return m_answers;
    }

    /** @return the largest payload of a frame [bytes]. */
    uint32_t GetLargestPayload() const
    {
        return m_largestPayload;
    }

    /** @return the smallest header of a frame with payload [bytes]. */
    uint32_t GetLeastHeader() const
    {
        return m_leastHeader;
    }

  private:
    void OnFrame(Peer self, Peer from, const Frame& frame) override;
    void OnReady(Peer self) override;

    Ptr<messaging::AnyPort> m_network;  ///< Port of the network.
    uint32_t m_pairs;                   ///< Queue pairs of a host.
    std::vector<uint8_t> m_isWaiting;   ///< By peer: Send returned false, and OnReady follows.
    std::vector<uint32_t> m_turn;       ///< By host: queue pair that is served next.
    std::vector<uint8_t> m_isBusy;      ///< By host: the port has refused a frame.
    uint64_t m_packets{0};              ///< Frames with payload.
    uint64_t m_answers{0};              ///< Frames without payload.
    uint32_t m_largestPayload{0};       ///< Largest payload of a frame [bytes].
    uint32_t m_leastHeader{0xffffffff}; ///< Smallest header of a frame with payload [bytes].
};

} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_QUEUE_PAIR_PORT_H
