/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-pairs.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-registry.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingTrafficPairs");
NS_OBJECT_ENSURE_REGISTERED(PingPongApplication);
NS_OBJECT_ENSURE_REGISTERED(StreamApplication);
NS_OBJECT_ENSURE_REGISTERED(ExchangeApplication);
NS_OBJECT_ENSURE_REGISTERED(BisectionApplication);

TypeId
PingPongApplication::GetTypeId()
{
    static TypeId tid = SetSummary(TypeId("ns3::messaging::PingPongApplication"),
                                   "Pairs of peers send one message back and forth.")
                            .SetParent<BenchmarkApplication>()
                            .SetGroupName("MessagingTraffic")
                            .AddConstructor<PingPongApplication>();
    return tid;
}

void
PingPongApplication::DoBegin()
{
    if (IsLeader())
    {
        Ping();
    }
}

void
PingPongApplication::Ping()
{
    if (IsMeasured(m_round))
    {
        m_session->Begin();
    }
    NS_LOG_INFO("Peer " << GetSelf() << " begins round " << m_round << " with peer "
                        << GetPartner());
    m_sent = Simulator::Now();
    Post(GetPartner(), m_size, m_round);
}

void
PingPongApplication::DoReceive(const Delivery& delivery)
{
    const bool measured = IsMeasured(delivery.tag);
    if (measured)
    {
        m_session->Count(delivery.bytes);
    }
    const bool last = delivery.tag + 1 == GetNRounds();
    if (!IsLeader())
    {
        Post(GetPartner(), m_size, delivery.tag);
    }
    else
    {
        if (measured)
        {
            m_session->AddLatency((Simulator::Now() - m_sent) / 2);
        }
        ++m_round;
        if (!last)
        {
            Ping();
        }
    }
    if (last)
    {
        End();
    }
}

TypeId
StreamApplication::GetTypeId()
{
    static TypeId tid = SetSummary(TypeId("ns3::messaging::StreamApplication"),
                                   "One peer of each pair streams messages to the other.")
                            .SetParent<LoopApplication>()
                            .SetGroupName("MessagingTraffic")
                            .AddConstructor<StreamApplication>();
    return tid;
}

void
StreamApplication::DoBegin()
{
    if (!IsLeader())
    {
        return;
    }
    if (IsMeasured(0))
    {
        m_session->Begin();
    }
    BeginLoop();
    // The leader expects no messages.
    End();
}

void
StreamApplication::SendMessage(uint32_t number)
{
    Post(GetPartner(), m_size, number);
}

void
StreamApplication::DoReceive(const Delivery& delivery)
{
    if (IsMeasured(m_received))
    {
        m_session->Count(delivery.bytes);
    }
    ++m_received;
    if (IsMeasured(m_received))
    {
        // The measurement begins with the last message of the warm-up.
        m_session->Begin();
    }
    if (m_received == GetNRounds())
    {
        End();
    }
}

TypeId
ExchangeApplication::GetTypeId()
{
    static TypeId tid =
        Attributes<ExchangeApplication>(
            SetSummary(TypeId("ns3::messaging::ExchangeApplication"),
                       "The peers of each pair send to each other at the same time.")
                .SetParent<BenchmarkApplication>()
                .SetGroupName("MessagingTraffic")
                .AddConstructor<ExchangeApplication>())
            .AddAttribute("Window",
                          "Largest lead of sent over received rounds: with 1, each round waits for "
                          "the partner's message [messages; default].",
                          &ExchangeApplication::m_window,
                          1,
                          1);
    return tid;
}

void
ExchangeApplication::DoBegin()
{
    if (IsMeasured(0))
    {
        m_session->Begin();
    }
    m_roundBegin = Simulator::Now();
    for (uint32_t round = 0; round < std::min(m_window, GetNRounds()); ++round)
    {
        Post(GetPartner(), m_size, round);
    }
}

void
ExchangeApplication::DoReceive(const Delivery& delivery)
{
    if (IsMeasured(m_round))
    {
        m_session->Count(delivery.bytes);
        if (IsLeader())
        {
            m_session->AddLatency(Simulator::Now() - m_roundBegin);
        }
    }
    NS_LOG_INFO("Peer " << GetSelf() << " ends round " << m_round << " with peer " << GetPartner());
    ++m_round;
    m_roundBegin = Simulator::Now();
    if (m_round == GetNRounds())
    {
        End();
        return;
    }
    if (IsMeasured(m_round))
    {
        m_session->Begin();
    }
    if (const uint32_t next = m_round + m_window - 1; next < GetNRounds())
    {
        Post(GetPartner(), m_size, next);
    }
}

TypeId
BisectionApplication::GetTypeId()
{
    static TypeId tid =
        SetSummary(TypeId("ns3::messaging::BisectionApplication"),
                   "Each peer of the first half exchanges messages with one of the second half.")
            .SetParent<ExchangeApplication>()
            .SetGroupName("MessagingTraffic")
            .AddConstructor<BisectionApplication>();
    return tid;
}

Peer
BisectionApplication::GetPartner() const
{
    const Peer self = GetSelf();
    const uint32_t half = GetNPeers() / 2;
    return self < half ? self + half : self - half;
}

} // namespace messaging
} // namespace ns3
