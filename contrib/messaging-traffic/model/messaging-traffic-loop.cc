/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-loop.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"

#include <algorithm>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingTrafficLoop");
NS_OBJECT_ENSURE_REGISTERED(LoopApplication);

TypeId
LoopApplication::GetTypeId()
{
    static TypeId tid =
        Attributes<LoopApplication>(TypeId("ns3::messaging::LoopApplication")
                                        .SetParent<BenchmarkApplication>()
                                        .SetGroupName("MessagingTraffic"))
            .AddAttribute("Window",
                          "Largest number of messages of a peer in flight [messages; default].",
                          &LoopApplication::m_window,
                          16,
                          1)
            .AddAttribute("Closed",
                          "Event after which a message no longer counts as in flight: its "
                          "delivery, its departure from the sender, or its completion by the "
                          "protocol [name; default].",
                          &LoopApplication::m_closed,
                          Closing::DELIVERY,
                          {{Closing::DELIVERY, "delivery"},
                           {Closing::SENT, "sent"},
                           {Closing::COMPLETION, "completion"}});
    return tid;
}

void
LoopApplication::BeginLoop()
{
    m_looping = true;
    if (m_closed == Closing::DELIVERY)
    {
        WatchDeliveries(GetSelf());
    }
    Fill();
}

uint64_t
LoopApplication::GetNInFlight() const
{
    switch (m_closed)
    {
    case Closing::DELIVERY:
        // A message that was taken for lost and arrives after all is settled twice.
        return m_sent - std::min<uint64_t>(m_sent, GetNSettled());
    case Closing::SENT:
        return m_sent - m_departed;
    case Closing::COMPLETION:
        break;
    }
    return GetNOutstanding();
}

void
LoopApplication::Fill()
{
    while (m_looping && m_sent < GetNRounds() && GetNInFlight() < m_window)
    {
        NS_LOG_LOGIC("Peer " << GetSelf() << " has " << GetNInFlight() << " of " << m_window
                             << " messages in flight; it sends message " << m_sent);
        SendMessage(m_sent++);
    }
}

void
LoopApplication::DoSettle()
{
    Fill();
}

void
LoopApplication::DoStage(RequestId id, Completion completion)
{
    if (m_closed != Closing::SENT)
    {
        return;
    }
    const bool left = m_away.erase(id) > 0;
    if (completion == Completion::SENT)
    {
        m_away.insert(id);
    }
    if (!left)
    {
        ++m_departed;
        Fill();
    }
}

void
LoopApplication::DoComplete()
{
    Fill();
}

} // namespace messaging
} // namespace ns3
