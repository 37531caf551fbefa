/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-group.h"

#include "ns3/trace-source-accessor.h"

namespace ns3
{
namespace idempotent
{

NS_OBJECT_ENSURE_REGISTERED(IdempotentGroup);

TypeId
IdempotentGroup::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::idempotent::IdempotentGroup")
            .SetParent<messaging::CoreEvents>()
            .SetGroupName("Idempotent")
            .AddTraceSource("Event",
                            "An event of the protocol on a node.",
                            MakeTraceSourceAccessor(&IdempotentGroup::m_eventTrace),
                            "ns3::idempotent::IdempotentGroup::EventTracedCallback");
    return tid;
}

} // namespace idempotent
} // namespace ns3
