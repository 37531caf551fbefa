/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-group.h"

#include "ns3/messaging-text.h"

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

std::string
MessageGroup::DescribeFrame(const Frame& frame) const
{
    return messaging::DescribeFrame(frame);
}

std::string
MessageGroup::DescribeRefusal(Peer self, const Request& request) const
{
    const std::string to = request.to == NO_PEER ? "all others" : ToText("peer ", request.to);
    if (request.bytes > GetLargestMessage())
    {
        return ToText("The protocol refuses a message of ",
                      request.bytes,
                      " bytes from peer ",
                      self,
                      " to ",
                      to,
                      "; its largest message has ",
                      GetLargestMessage(),
                      " bytes.");
    }
    return ToText("The protocol refuses messages from peer ", self, " to ", to, ".");
}

} // namespace messaging
} // namespace ns3
