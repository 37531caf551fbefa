/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-all-to-all.h"

#include "ns3/log.h"
#include "ns3/messaging-registry.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingTrafficAllToAll");
NS_OBJECT_ENSURE_REGISTERED(AllToAllApplication);

TypeId
AllToAllApplication::GetTypeId()
{
    static TypeId tid = SetSummary(TypeId("ns3::messaging::AllToAllApplication"),
                                   "Every peer sends to every other, round by round.")
                            .SetParent<BenchmarkApplication>()
                            .SetGroupName("MessagingTraffic")
                            .AddConstructor<AllToAllApplication>();
    return tid;
}

void
AllToAllApplication::DoBegin()
{
    m_begun = true;
    BeginRound();
}

void
AllToAllApplication::BeginRound()
{
    if (IsMeasured(m_round))
    {
        m_session->Begin();
    }
    NS_LOG_INFO("Peer " << GetSelf() << " begins round " << m_round);
    m_roundBegin = Simulator::Now();
    const uint32_t peers = GetNPeers();
    const uint32_t round = m_round;
    for (uint32_t i = 1; i < peers; ++i)
    {
        Post((GetSelf() + i) % peers, m_size, round);
    }
}

void
AllToAllApplication::DoReceive(const Delivery& delivery)
{
    m_received.resize(GetNRounds(), 0);
    ++m_received.at(delivery.tag);
    if (IsMeasured(delivery.tag))
    {
        m_session->Count(delivery.bytes);
    }
    while (m_begun && m_round < GetNRounds() && m_received[m_round] + 1 == GetNPeers())
    {
        if (GetSelf() == 0 && IsMeasured(m_round))
        {
            m_session->AddLatency(Simulator::Now() - m_roundBegin);
        }
        ++m_round;
        if (m_round == GetNRounds())
        {
            End();
            return;
        }
        BeginRound();
    }
}

} // namespace messaging
} // namespace ns3
