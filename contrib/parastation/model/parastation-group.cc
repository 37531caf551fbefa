/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-group.h"

#include "ns3/trace-source-accessor.h"

namespace ns3
{
namespace parastation
{

NS_OBJECT_ENSURE_REGISTERED(ParastationGroup);

TypeId
ParastationGroup::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::parastation::ParastationGroup")
            .SetParent<messaging::CoreEvents>()
            .SetGroupName("Parastation")
            .AddTraceSource("Event",
                            "The begin of a step of figure 2, or an incident.",
                            MakeTraceSourceAccessor(&ParastationGroup::m_eventTrace),
                            "ns3::parastation::ParastationGroup::EventTracedCallback");
    return tid;
}

} // namespace parastation
} // namespace ns3
