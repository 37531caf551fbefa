/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-any-port.h"

#include <algorithm>

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(AnyPort);

TypeId
AnyPort::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::messaging::AnyPort").SetParent<Object>().SetGroupName("Messaging");
    return tid;
}

Ticks
AnyPort::GetRoundTrip(const Frame& request, const Frame& answer) const
{
    const Peer next = GetNPeers() > 1 ? 1 : 0;
    return std::max<Ticks>(Distance(0, next) + WireTicks(request) + Distance(next, 0) +
                               WireTicks(answer),
                           1);
}

} // namespace messaging
} // namespace ns3
