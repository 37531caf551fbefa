/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-group.h"

#include "ns3/trace-source-accessor.h"

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(MessageGroup);

TypeId
MessageGroup::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::MessageGroup")
                            .SetParent<Object>()
                            .SetGroupName("Messaging")
                            .AddTraceSource("Note",
                                            "An event of the protocol: peer and name of the event.",
                                            MakeTraceSourceAccessor(&MessageGroup::m_noteTrace),
                                            "ns3::messaging::MessageGroup::NoteTracedCallback");
    return tid;
}

std::string
MessageGroup::DescribeFrame(const Frame& frame) const
{
    return messaging::DescribeFrame(frame);
}

} // namespace messaging
} // namespace ns3
