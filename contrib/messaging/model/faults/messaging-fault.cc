/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-fault.h"

#include <utility>

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(Fault);

Fault::Fault(FaultStage stage, std::vector<std::string> effects)
    : m_effects(std::move(effects)),
      m_stage(stage)
{
}

TypeId
Fault::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::messaging::Fault").SetParent<Object>().SetGroupName("Messaging");
    return tid;
}

} // namespace messaging
} // namespace ns3
