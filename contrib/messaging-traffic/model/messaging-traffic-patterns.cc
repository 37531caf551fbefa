/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-patterns.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-registry.h"
#include "ns3/simulator.h"

#include <cmath>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingTrafficPatterns");
NS_OBJECT_ENSURE_REGISTERED(TrafficApplication);
NS_OBJECT_ENSURE_REGISTERED(UniformApplication);
NS_OBJECT_ENSURE_REGISTERED(HotSpotApplication);
NS_OBJECT_ENSURE_REGISTERED(PermutationApplication);
NS_OBJECT_ENSURE_REGISTERED(BurstyApplication);

TypeId
TrafficApplication::GetTypeId()
{
    static TypeId tid =
        Attributes<TrafficApplication>(TypeId("ns3::messaging::TrafficApplication")
                                           .SetParent<LoopApplication>()
                                           .SetGroupName("MessagingTraffic"))
            .AddAttribute("Interval",
                          "Mean time between messages of a peer, exponentially distributed; 0 to "
                          "send as fast as Window allows [s; default].",
                          &TrafficApplication::m_interval,
                          Time(0));
    return tid;
}

int64_t
TrafficApplication::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

void
TrafficApplication::DoBegin()
{
    m_session->Begin();
    if (m_interval.IsZero())
    {
        BeginLoop();
    }
    else
    {
        Simulator::Schedule(PickGap(m_interval), &TrafficApplication::SendNext, this);
    }
}

void
TrafficApplication::SendNext()
{
    SendMessage(m_sent++);
    if (m_sent < GetNRounds())
    {
        Simulator::Schedule(PickGap(m_interval), &TrafficApplication::SendNext, this);
    }
}

void
TrafficApplication::SendMessage(uint32_t number)
{
    const Peer to = PickDestination();
    NS_LOG_LOGIC("Peer " << GetSelf() << " picks peer " << to << " for message " << number);
    Post(to, m_size, number + 1);
}

void
TrafficApplication::DoReceive(const Delivery& delivery)
{
    m_session->Count(delivery.bytes);
}

void
TrafficApplication::DoComplete()
{
    if (++m_ended == GetNRounds())
    {
        End();
    }
    LoopApplication::DoComplete();
}

Time
TrafficApplication::PickGap(Time mean)
{
    return Seconds(-mean.GetSeconds() * std::log1p(-m_random->GetValue(0, 1)));
}

Peer
TrafficApplication::PickOther()
{
    const auto other = static_cast<Peer>(m_random->GetInteger(0, GetNPeers() - 2));
    return other < GetSelf() ? other : other + 1;
}

TypeId
UniformApplication::GetTypeId()
{
    static TypeId tid = SetSummary(TypeId("ns3::messaging::UniformApplication"),
                                   "Every peer sends each message to a random other one.")
                            .SetParent<TrafficApplication>()
                            .SetGroupName("MessagingTraffic")
                            .AddConstructor<UniformApplication>();
    return tid;
}

TypeId
HotSpotApplication::GetTypeId()
{
    static TypeId tid =
        Attributes<HotSpotApplication>(SetSummary(TypeId("ns3::messaging::HotSpotApplication"),
                                                  "A share of all messages goes to peer 0.")
                                           .SetParent<TrafficApplication>()
                                           .SetGroupName("MessagingTraffic")
                                           .AddConstructor<HotSpotApplication>())
            .AddAttribute("Share",
                          "Share of the messages for peer 0; the others go to random peers "
                          "[fraction; default].",
                          &HotSpotApplication::m_share,
                          1,
                          0,
                          1);
    return tid;
}

Peer
HotSpotApplication::PickDestination()
{
    const bool hot = GetSelf() != 0 && (m_share == 1 || m_random->GetValue(0, 1) < m_share);
    return hot ? 0 : PickOther();
}

TypeId
PermutationApplication::GetTypeId()
{
    static TypeId tid =
        Attributes<PermutationApplication>(
            SetSummary(TypeId("ns3::messaging::PermutationApplication"),
                       "Every peer sends to one other and receives from one.")
                .SetParent<TrafficApplication>()
                .SetGroupName("MessagingTraffic")
                .AddConstructor<PermutationApplication>())
            .AddAttribute(
                "Order",
                "The permutation: peer i of N sends to N - 1 - i, or to i + N / 2 [name; default].",
                &PermutationApplication::m_order,
                COMPLEMENT,
                {{COMPLEMENT, "complement"}, {SHIFT, "shift"}});
    return tid;
}

bool
PermutationApplication::TakesPart(Peer self, uint32_t peers) const
{
    // With an odd number of peers, the middle one would send to itself.
    return m_order != COMPLEMENT || 2 * self + 1 != peers;
}

Peer
PermutationApplication::PickDestination()
{
    const uint32_t peers = GetNPeers();
    return m_order == COMPLEMENT ? peers - 1 - GetSelf() : (GetSelf() + peers / 2) % peers;
}

TypeId
BurstyApplication::GetTypeId()
{
    static TypeId tid = Attributes<BurstyApplication>(
                            SetSummary(TypeId("ns3::messaging::BurstyApplication"),
                                       "Every peer sends bursts of messages to random peers.")
                                .SetParent<TrafficApplication>()
                                .SetGroupName("MessagingTraffic")
                                .AddConstructor<BurstyApplication>())
                            .AddAttribute("BurstLength",
                                          "Messages of a burst [messages; default].",
                                          &BurstyApplication::m_length,
                                          8,
                                          1);
    return tid;
}

Peer
BurstyApplication::PickDestination()
{
    if (m_left == 0)
    {
        m_left = m_length;
        m_destination = PickOther();
    }
    --m_left;
    return m_destination;
}

Time
BurstyApplication::PickGap(Time mean)
{
    // The mean over a burst is Interval, as in the other patterns.
    const bool first = m_gap++ % m_length == 0;
    return first ? TrafficApplication::PickGap(mean * m_length) : Time(0);
}

} // namespace messaging
} // namespace ns3
