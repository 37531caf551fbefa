/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-parameter-group.h"

namespace ns3
{
namespace eqa
{

uint32_t
ParameterGroup::GetNPeers() const
{
    return 0;
}

messaging::Acceptance
ParameterGroup::Post(messaging::Peer, const messaging::Request&)
{
    return messaging::Acceptance::REFUSED;
}

const EqaCore&
ParameterGroup::GetNode(messaging::Peer) const
{
    return m_core;
}

uint64_t
ParameterGroup::GetEventCount(Event) const
{
    return 0;
}

EqaCore&
ParameterGroup::GetMutableNode(messaging::Peer)
{
    return m_core;
}

void
ParameterGroup::CopyTo(Ptr<EqaGroup> group) const
{
    const TypeId type = EqaGroup::GetTypeId();
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        const auto attribute = type.GetAttribute(i);
        Ptr<AttributeValue> value = attribute.checker->Create();
        GetAttribute(attribute.name, *value);
        group->SetAttribute(attribute.name, *value);
    }
}

} // namespace eqa
} // namespace ns3
