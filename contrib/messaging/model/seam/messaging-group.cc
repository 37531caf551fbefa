/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-group.h"

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(MessageGroup);

TypeId
MessageGroup::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::messaging::MessageGroup").SetParent<Object>().SetGroupName("Messaging");
    return tid;
}

} // namespace messaging
} // namespace ns3
