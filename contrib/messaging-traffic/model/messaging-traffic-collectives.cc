/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-collectives.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-registry.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(AllToAllApplication);
NS_OBJECT_ENSURE_REGISTERED(BroadcastApplication);

namespace
{

/** Tag of an answer to a broadcast; the other tags are numbers of rounds. */
constexpr uint32_t ANSWER = 0xffffffff;

} // namespace

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

TypeId
BroadcastApplication::GetTypeId()
{
    static TypeId tid =
        Attributes<BroadcastApplication>(SetSummary(TypeId("ns3::messaging::BroadcastApplication"),
                                                    "Peer 0 sends each message to all others.")
                                             .SetParent<BenchmarkApplication>()
                                             .SetGroupName("MessagingTraffic")
                                             .AddConstructor<BroadcastApplication>())
            .AddAttribute("Hardware",
                          "Post a message once, to all, where the protocol supports this; "
                          "otherwise, to one peer after the other [bool; default].",
                          &BroadcastApplication::m_hardware,
                          false)
            .AddAttribute("Answers",
                          "Receivers answer with a byte, and the next round follows the last "
                          "answer; otherwise, it follows the last delivery [bool; default].",
                          &BroadcastApplication::m_answering,
                          false);
    return tid;
}

void
BroadcastApplication::DoBegin()
{
    if (GetSelf() != 0)
    {
        return;
    }
    if (!m_answering)
    {
        WatchDeliveries();
    }
    BeginRound();
}

void
BroadcastApplication::EndRound()
{
    ++m_round;
    if (m_round < GetNRounds())
    {
        BeginRound();
    }
    else
    {
        End();
    }
}

void
BroadcastApplication::DoSettle()
{
    const uint64_t round = uint64_t{m_round} + 1;
    if (m_round < GetNRounds() && GetNSettled() >= round * (GetNPeers() - 1))
    {
        EndRound();
    }
}

void
BroadcastApplication::BeginRound()
{
    if (IsMeasured(m_round))
    {
        m_session->Begin();
    }
    m_session->BeginRound();
    m_answers = 0;
    if (m_hardware)
    {
        Post(NO_PEER, m_size, m_round);
        return;
    }
    for (Peer peer = 1; peer < GetNPeers(); ++peer)
    {
        Post(peer, m_size, m_round);
    }
}

void
BroadcastApplication::DoReceive(const Delivery& delivery)
{
    if (delivery.tag == ANSWER)
    {
        if (++m_answers + 1 == GetNPeers())
        {
            EndRound();
        }
        return;
    }
    m_round = delivery.tag;
    if (IsMeasured(m_round))
    {
        m_session->Count(delivery.bytes);
        m_session->ReachPeer();
    }
    if (m_answering)
    {
        Post(0, 1, ANSWER);
    }
    if (m_round + 1 == GetNRounds())
    {
        End();
    }
}

} // namespace messaging
} // namespace ns3
