/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-broadcast.h"

#include "messaging-traffic-collective.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-registry.h"

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingTrafficBroadcast");
NS_OBJECT_ENSURE_REGISTERED(RootedBroadcastApplication);
NS_OBJECT_ENSURE_REGISTERED(BroadcastApplication);
NS_OBJECT_ENSURE_REGISTERED(BinomialBroadcastApplication);

namespace
{

/** Tag of an answer to a broadcast; the other tags are numbers of rounds. */
constexpr uint32_t ANSWER = 0xffffffff;

/** Length of an answer [bytes]. */
constexpr uint32_t ANSWER_BYTES = 1;

} // namespace

TypeId
RootedBroadcastApplication::GetTypeId()
{
    static TypeId tid =
        Attributes<RootedBroadcastApplication>(TypeId("ns3::messaging::RootedBroadcastApplication")
                                                   .SetParent<BenchmarkApplication>()
                                                   .SetGroupName("MessagingTraffic"))
            .AddAttribute("Answers",
                          "Receivers answer with a byte, and the next round follows the last "
                          "answer; otherwise, it follows the last delivery [bool; default].",
                          &RootedBroadcastApplication::m_answering,
                          false);
    return tid;
}

void
RootedBroadcastApplication::DoBegin()
{
    if (GetSelf() != 0)
    {
        return;
    }
    if (!m_answering)
    {
        for (Peer sender = 0; sender < GetNPeers(); ++sender)
        {
            WatchDeliveries(sender);
        }
    }
    BeginRound();
}

void
RootedBroadcastApplication::EndRound()
{
    NS_LOG_INFO("Round " << m_round << " ends");
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
RootedBroadcastApplication::DoSettle()
{
    const uint64_t rounds = uint64_t{m_round} + 1;
    if (m_round < GetNRounds() && GetNSettled() >= rounds * (GetNPeers() - 1))
    {
        EndRound();
    }
}

void
RootedBroadcastApplication::BeginRound()
{
    if (IsMeasured(m_round))
    {
        m_session->Begin();
    }
    NS_LOG_INFO("Round " << m_round << " begins");
    m_session->BeginRound();
    m_answers = 0;
    SendRound(m_round);
}

void
RootedBroadcastApplication::DoReceive(const Delivery& delivery)
{
    if (delivery.tag == ANSWER)
    {
        ++m_answers;
        if (m_answers == GetNPeers() - 1)
        {
            EndRound();
        }
        return;
    }
    ReceiveMessage(delivery);
}

void
RootedBroadcastApplication::ReceiveMessage(const Delivery& delivery)
{
    NS_LOG_LOGIC("Peer " << GetSelf() << " has the message of round " << delivery.tag);
    m_round = delivery.tag;
    if (IsMeasured(m_round))
    {
        m_session->Count(delivery.bytes);
        m_session->ReachPeer();
    }
    SendRound(m_round);
    if (m_answering)
    {
        Post(0, ANSWER_BYTES, ANSWER);
    }
    if (m_round + 1 == GetNRounds())
    {
        End();
    }
}

TypeId
BroadcastApplication::GetTypeId()
{
    static TypeId tid =
        Attributes<BroadcastApplication>(SetSummary(TypeId("ns3::messaging::BroadcastApplication"),
                                                    "Peer 0 sends each message to all others.")
                                             .SetParent<RootedBroadcastApplication>()
                                             .SetGroupName("MessagingTraffic")
                                             .AddConstructor<BroadcastApplication>())
            .AddAttribute("Hardware",
                          "Post a message once, to all, where the protocol supports this; "
                          "otherwise, to one peer after the other [bool; default].",
                          &BroadcastApplication::m_hardware,
                          false);
    return tid;
}

void
BroadcastApplication::SendRound(uint32_t round)
{
    if (GetSelf() != 0)
    {
        return;
    }
    if (m_hardware)
    {
        Post(NO_PEER, m_size, round);
        return;
    }
    for (Peer peer = 1; peer < GetNPeers(); ++peer)
    {
        Post(peer, m_size, round);
    }
}

TypeId
BinomialBroadcastApplication::GetTypeId()
{
    static TypeId tid = SetSummary(TypeId("ns3::messaging::BinomialBroadcastApplication"),
                                   "Peers forward each message of peer 0 down a binomial tree.")
                            .SetParent<RootedBroadcastApplication>()
                            .SetGroupName("MessagingTraffic")
                            .AddConstructor<BinomialBroadcastApplication>();
    return tid;
}

std::vector<Peer>
BinomialBroadcastApplication::GetChildren(Peer self, uint32_t peers)
{
    std::vector<Peer> children;
    const Collective broadcast{.kind = CollectiveKind::BCAST, .members = peers};
    for (const CollectiveMessage& message : MakeCollective(broadcast, self))
    {
        if (message.sends)
        {
            children.push_back(message.member);
        }
    }
    return children;
}

void
BinomialBroadcastApplication::DoBegin()
{
    m_children = GetChildren(GetSelf(), GetNPeers());
    RootedBroadcastApplication::DoBegin();
}

void
BinomialBroadcastApplication::SendRound(uint32_t round)
{
    for (const Peer child : m_children)
    {
        Post(child, m_size, round);
    }
}

} // namespace messaging
} // namespace ns3
