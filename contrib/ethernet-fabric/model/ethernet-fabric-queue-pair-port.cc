/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-fabric-queue-pair-port.h"

#include <algorithm>

namespace ns3
{
namespace fabric
{

QueuePairPort::QueuePairPort(Ptr<messaging::AnyPort> port,
                             Ptr<messaging::AnyPort> network,
                             uint32_t pairs)
    : ForwardingPort(port),
      m_network(network),
      m_pairs(pairs),
      m_isWaiting(std::size_t{port->GetNPeers()} * pairs),
      m_turn(port->GetNPeers()),
      m_isBusy(port->GetNPeers())
{
}

messaging::PortInfo
QueuePairPort::GetInfoOfPair(messaging::PortInfo network, uint32_t pairs)
{
    network.paths = static_cast<uint16_t>(std::max(1U, network.paths / pairs));
    return network;
}

messaging::PortInfo
QueuePairPort::GetInfo() const
{
    return GetInfoOfPair(ForwardingPort::GetInfo(), m_pairs);
}

uint32_t
QueuePairPort::GetNPeers() const
{
    return static_cast<uint32_t>(m_isWaiting.size());
}

Ticks
QueuePairPort::Distance(Peer self, Peer to) const
{
    return ForwardingPort::Distance(self / m_pairs, to / m_pairs);
}

Ticks
QueuePairPort::GetRoundTrip(const Frame& request, const Frame& answer) const
{
    return m_network->GetRoundTrip(request, answer);
}

bool
QueuePairPort::Send(Peer self, Peer to, const Frame& frame)
{
    const Peer host = self / m_pairs;
    Frame sent = frame;
    sent.path = static_cast<uint16_t>(self % m_pairs + m_pairs * frame.path);
    // While one waits, no other passes it.
    const bool isServed = m_isBusy[host] == 0;
    if (!isServed || !ForwardingPort::Send(host, to / m_pairs, sent))
    {
        m_isWaiting[self] = 1;
        m_isBusy[host] = 1;
        return false;
    }
    if (frame.payload > 0)
    {
        ++m_packets;
        m_largestPayload = std::max(m_largestPayload, frame.payload);
        m_leastHeader = std::min<uint32_t>(m_leastHeader, frame.header);
    }
    else
    {
        ++m_answers;
    }
    return true;
}

bool
QueuePairPort::IsBusy(Peer self)
{
    const bool isBusy = m_isBusy[self / m_pairs] != 0;
    if (isBusy)
    {
        m_isWaiting[self] = 1;
    }
    return isBusy;
}

void
QueuePairPort::OnFrame(Peer self, Peer from, const Frame& frame)
{
    const uint32_t pair = frame.path % m_pairs;
    Frame arrived = frame;
    arrived.path = static_cast<uint16_t>(frame.path / m_pairs);
    ForwardingPort::OnFrame(self * m_pairs + pair, from * m_pairs + pair, arrived);
}

void
QueuePairPort::OnReady(Peer self)
{
    m_isBusy[self] = 0;
    const uint32_t begin = m_turn[self];
    for (uint32_t step = 0; step < m_pairs && m_isBusy[self] == 0; ++step)
    {
        const uint32_t pair = (begin + step) % m_pairs;
        const Peer peer = self * m_pairs + pair;
        if (m_isWaiting[peer] == 0)
        {
            continue;
        }
        m_isWaiting[peer] = 0;
        m_turn[self] = (pair + 1) % m_pairs;
        ForwardingPort::OnReady(peer);
    }
}

} // namespace fabric
} // namespace ns3
