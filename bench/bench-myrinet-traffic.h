/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BENCH_MYRINET_TRAFFIC_H
#define BENCH_MYRINET_TRAFFIC_H

#include "ns3/double.h"
#include "ns3/myrinet-port.h"
#include "ns3/random-variable-stream.h"

#include <deque>
#include <vector>

/**
 * @file
 * All-to-all traffic on a Myrinet.
 */

namespace ns3
{
namespace bench
{

/**
 * Nodes that offer packets at random times, to all others in turn. A packet waits at its node while
 * the send engine is busy.
 */
class MyrinetTraffic : private messaging::PortUser, private messaging::TickUser
{
  public:
    /**
     * Schedule the first packets.
     * @param clock the clock
     * @param port the network
     * @param bytes payload of each packet
     * @param load offered load of each node, as a share of a link's rate
     * @param duration duration of the load [ticks]
     */
    MyrinetTraffic(Ptr<messaging::TickClock> clock,
                   Ptr<myrinet::MyrinetPort> port,
                   uint32_t bytes,
                   double load,
                   messaging::Ticks duration)
        : m_clock(clock),
          m_port(port),
          m_duration(duration),
          m_number(clock->Register(this)),
          m_gaps(CreateObject<ExponentialRandomVariable>()),
          m_waiting(port->GetNPeers()),
          m_next(port->GetNPeers(), 0),
          m_turn(port->GetNPeers(), 0)
    {
        m_frame.payload = bytes;
        m_gaps->SetAttribute("Mean",
                             DoubleValue(static_cast<double>(port->WireTicks(m_frame)) / load));
        m_gaps->SetStream(10);
        m_port->SetUser(this);
        for (messaging::Peer node = 0; node < m_waiting.size(); ++node)
        {
            PlanNext(node);
        }
    }

    ~MyrinetTraffic() override
    {
        m_port->SetUser(nullptr);
    }

    MyrinetTraffic(const MyrinetTraffic&) = delete;
    MyrinetTraffic& operator=(const MyrinetTraffic&) = delete;

  private:
    void OnFrame(messaging::Peer, messaging::Peer, const messaging::Frame&) override
    {
    }

    void OnReady(messaging::Peer self) override
    {
        auto& queue = m_waiting[self];
        while (!queue.empty() && m_port->Send(self, queue.front(), m_frame))
        {
            queue.pop_front();
        }
    }

    void OnTick(messaging::Peer peer, uint64_t) override
    {
        const auto nodes = static_cast<messaging::Peer>(m_waiting.size());
        m_turn[peer] = m_turn[peer] % (nodes - 1) + 1;
        m_waiting[peer].push_back((peer + m_turn[peer]) % nodes);
        if (m_waiting[peer].size() == 1)
        {
            OnReady(peer);
        }
        PlanNext(peer);
    }

    /** Schedule the next packet of a node. @param node the node */
    void PlanNext(messaging::Peer node)
    {
        m_next[node] += m_gaps->GetValue();
        const auto when = static_cast<messaging::Ticks>(m_next[node]);
        if (when < m_duration)
        {
            m_clock->At(when, m_number, node, 0);
        }
    }

    Ptr<messaging::TickClock> m_clock;                  ///< The clock.
    Ptr<myrinet::MyrinetPort> m_port;                   ///< The network.
    messaging::Ticks m_duration;                        ///< Duration of the load [ticks].
    uint32_t m_number;                                  ///< User number at the clock.
    messaging::Frame m_frame;                           ///< Frame of each packet.
    Ptr<ExponentialRandomVariable> m_gaps;              ///< Draws times between packets.
    std::vector<std::deque<messaging::Peer>> m_waiting; ///< Waiting destinations by node.
    std::vector<double> m_next;                         ///< Next packet by node [ticks].
    std::vector<uint32_t> m_turn;                       ///< Index of the next destination by node.
};

} // namespace bench
} // namespace ns3

#endif // BENCH_MYRINET_TRAFFIC_H
