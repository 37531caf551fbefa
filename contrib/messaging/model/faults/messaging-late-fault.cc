/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-late-fault.h"

#include "ns3/messaging-attributes.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(LateFault);

namespace
{

/** Largest bound of delays, to which times can still be added [ticks]. */
constexpr Ticks LARGEST_BOUND = Ticks{1} << 62;

} // namespace

TypeId
LateFault::GetTypeId()
{
    static TypeId tid =
        Attributes<LateFault>(
            TypeId("ns3::messaging::LateFault").SetParent<Fault>().SetGroupName("Messaging"))
            .AddAttribute("ReorderBound",
                          "Longest delay, which bounds a frame's slip behind a later one "
                          "[ticks; fault].",
                          &LateFault::m_bound,
                          0,
                          0,
                          LARGEST_BOUND);
    return tid;
}

LateFault::LateFault(std::vector<std::string> effects)
    : Fault(FaultStage::DELIVERY, std::move(effects))
{
}

Ticks
LateFault::DrawDelay()
{
    if (m_bound == 0)
    {
        return 0;
    }
    const auto drawn =
        static_cast<Ticks>(GetRandom().GetValue(0, 1) * static_cast<double>(m_bound));
    return std::min(1 + drawn, m_bound);
}

} // namespace messaging
} // namespace ns3
