/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-protocol.h"

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

Protocol::Protocol() = default;

Protocol::~Protocol() = default;

Protocol::Carrier
Protocol::GetCarrier() const
{
    return Carrier::FRAMES;
}

std::string
Protocol::Check([[maybe_unused]] const PortInfo& info, [[maybe_unused]] uint32_t peers) const
{
    return "";
}

std::vector<Protocol::NamedCount>
Protocol::GetCounts() const
{
    return {};
}

uint64_t
Protocol::GetMemory() const
{
    return 0;
}

} // namespace messaging
} // namespace ns3
