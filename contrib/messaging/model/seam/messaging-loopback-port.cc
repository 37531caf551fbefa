/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-loopback-port.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingLoopbackPort");
NS_OBJECT_ENSURE_REGISTERED(LoopbackPort);

TypeId
LoopbackPort::GetTypeId()
{
    static TypeId tid = [] {
        TypeId type = TypeId("ns3::messaging::LoopbackPort")
                          .SetParent<Object>()
                          .SetGroupName("Messaging")
                          .AddConstructor<LoopbackPort>();
        Attributes<LoopbackPort>(type)
            .AddAttribute("Latency",
                          "Latency of a frame [ticks; default].",
                          &LoopbackPort::m_latency,
                          10,
                          1)
            .AddAttribute("Mtu",
                          "Largest header plus payload of a frame [bytes; default].",
                          &LoopbackPort::m_mtu,
                          65536,
                          1)
            .AddAttribute("Capacity",
                          "Most frames of one sender in flight, 0 for any number; beyond it, Send "
                          "returns false [frames; default].",
                          &LoopbackPort::m_capacity,
                          0)
            .AddAttribute("KeepLog",
                          "Record all frames sent [bool; default].",
                          &LoopbackPort::m_keepLog,
                          true);
        return type;
    }();
    return tid;
}

LoopbackPort::LoopbackPort() = default;

LoopbackPort::~LoopbackPort() = default;

void
LoopbackPort::DoDispose()
{
    m_user = nullptr;
    m_clock = nullptr;
    Object::DoDispose();
}

void
LoopbackPort::Connect(Ptr<TickClock> clock, uint32_t nPeers)
{
    m_clock = clock;
    m_number = clock->Register(this);
    m_inFlight.assign(nPeers, 0);
    m_waiting.assign(nPeers, 0);
}

PortInfo
LoopbackPort::Info() const
{
    return PortInfo{m_mtu, true, true, true, false, 0};
}

Ticks
LoopbackPort::Distance(Peer, Peer) const
{
    return m_latency;
}

Ticks
LoopbackPort::WireTicks(const Frame&) const
{
    return 0;
}

bool
LoopbackPort::Send(Peer self, Peer to, const Frame& frame)
{
    NS_ABORT_MSG_IF(frame.header + uint64_t{frame.payload} > m_mtu,
                    "A frame of " << frame.header + uint64_t{frame.payload}
                                  << " bytes exceeds the MTU of " << m_mtu << ".");
    if (m_capacity > 0 && m_inFlight[self] >= m_capacity)
    {
        m_waiting[self] = 1;
        return false;
    }
    const Sent sent{m_clock->Now(), self, to, frame};
    NS_LOG_DEBUG(self << " sends kind " << +frame.kind << " id " << frame.id << " to " << to);
    if (m_keepLog)
    {
        m_log.push_back(sent);
    }
    ++m_inFlight[self];
    m_clock->At(m_clock->Now() + m_latency, m_number, to, m_flights.Put(sent));
    return true;
}

const std::vector<LoopbackPort::Sent>&
LoopbackPort::GetLog() const
{
    return m_log;
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
