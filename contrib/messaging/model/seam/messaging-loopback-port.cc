/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-loopback-port.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingLoopbackPort");
NS_OBJECT_ENSURE_REGISTERED(LoopbackPort);

TypeId
LoopbackPort::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::messaging::LoopbackPort")
            .SetParent<Object>()
            .SetGroupName("Messaging")
            .AddConstructor<LoopbackPort>()
            .AddAttribute("Latency",
                          "How long a frame is under way [ticks; default].",
                          UintegerValue(10),
                          MakeUintegerAccessor(&LoopbackPort::m_latency),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("Mtu",
                          "Largest header plus payload of a frame [bytes; default].",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&LoopbackPort::m_mtu),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Capacity",
                          "Most frames of one sender under way, 0 for any number; beyond it, Send "
                          "is answered with "
                          "false [frames; default].",
                          UintegerValue(0),
                          MakeUintegerAccessor(&LoopbackPort::m_capacity),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("KeepLog",
                          "Whether to keep all that is sent [bool; default].",
                          BooleanValue(true),
                          MakeBooleanAccessor(&LoopbackPort::m_keepLog),
                          MakeBooleanChecker());
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
    m_underWay.assign(nPeers, 0);
    m_waiting.assign(nPeers, 0);
}

PortInfo
LoopbackPort::Info() const
{
    return PortInfo{m_mtu, true, true, true, false, 0};
}

uint32_t
LoopbackPort::GetNPeers() const
{
    return static_cast<uint32_t>(m_underWay.size());
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
    if (m_capacity > 0 && m_underWay[self] >= m_capacity)
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
    if (m_free.empty())
    {
        m_free.push_back(m_flights.size());
        m_flights.emplace_back();
    }
    const auto place = m_free.back();
    m_free.pop_back();
    m_flights[place] = sent;
    ++m_underWay[self];
    m_clock->At(m_clock->Now() + m_latency, m_number, to, place);
    return true;
}

void
LoopbackPort::SetUser(PortUser* user)
{
    m_user = user;
}

const std::vector<LoopbackPort::Sent>&
LoopbackPort::GetLog() const
{
    return m_log;
}

void
LoopbackPort::OnTick(Peer, uint64_t datum)
{
    const Sent sent = m_flights[datum];
    m_free.push_back(datum);
    --m_underWay[sent.from];
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
