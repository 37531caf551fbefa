/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-protocol.h"

#include "ns3/messaging-core-store.h"

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(Protocol);

TypeId
Protocol::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::messaging::Protocol").SetParent<Object>().SetGroupName("Messaging");
    return tid;
}

SearchStart
Protocol::GetSearchStart(Ptr<const MessageGroup>) const
{
    return {};
}

} // namespace messaging
} // namespace ns3
