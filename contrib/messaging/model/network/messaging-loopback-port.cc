/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-loopback-port.h"

#include "ns3/abort.h"
#include "ns3/log.h"

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingLoopbackPort");

LoopbackPort::LoopbackPort(Ptr<TickClock> clock, uint32_t nPeers, const LoopbackOptions& options)
    : m_options(options),
      m_clock(clock),
      m_inFlight(nPeers),
      m_waiting(nPeers),
      m_number(clock->Register(this))
{
}

bool
LoopbackPort::Send(Peer self, Peer to, const Frame& frame)
{
    NS_ABORT_MSG_IF(frame.header + uint64_t{frame.payload} > m_options.mtu,
                    "A frame of " << frame.header + uint64_t{frame.payload}
                                  << " bytes exceeds the MTU of " << m_options.mtu << ".");
    if (m_options.capacity > 0 && m_inFlight[self] >= m_options.capacity)
    {
        m_waiting[self] = 1;
        return false;
    }
    const Sent sent{m_clock->Now(), self, to, frame};
    NS_LOG_DEBUG(self << " sends kind " << +frame.kind << " id " << frame.id << " to " << to);
    if (m_options.keepLog)
    {
        m_log.push_back(sent);
    }
    ++m_inFlight[self];
    m_clock->At(m_clock->Now() + m_options.latency, m_number, to, m_flights.Put(sent));
    return true;
}

void
LoopbackPort::OnTick(Peer, uint64_t datum)
{
    const Sent sent = m_flights.Take(datum);
    --m_inFlight[sent.from];
    const Peer first = sent.to == NO_PEER ? 0 : sent.to;
    const Peer last = sent.to == NO_PEER ? GetNPeers() : sent.to + 1;
    for (Peer peer = first; peer < last && m_user; ++peer)
    {
        if (peer != sent.from || sent.to != NO_PEER)
        {
            m_user->OnFrame(peer, sent.from, sent.frame);
        }
    }
    if (m_waiting[sent.from] && m_user)
    {
        m_waiting[sent.from] = 0;
        m_user->OnReady(sent.from);
    }
}

} // namespace messaging
} // namespace ns3
