/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-contents-tag.h"

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(ContentsTag);

TypeId
ContentsTag::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::ContentsTag")
                            .SetParent<Tag>()
                            .SetGroupName("Messaging")
                            .AddConstructor<ContentsTag>();
    return tid;
}

TypeId
ContentsTag::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
ContentsTag::GetSerializedSize() const
{
    return sizeof(m_contents);
}

void
ContentsTag::Serialize(TagBuffer buffer) const
{
    buffer.WriteU64(m_contents);
}

void
ContentsTag::Deserialize(TagBuffer buffer)
{
    m_contents = buffer.ReadU64();
}

void
ContentsTag::Print(std::ostream& os) const
{
    os << "contents " << m_contents;
}

} // namespace messaging
} // namespace ns3
