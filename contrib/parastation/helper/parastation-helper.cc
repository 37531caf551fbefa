/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-helper.h"

namespace ns3
{
namespace parastation
{

ParastationHelper::ParastationHelper(ProtocolKind protocol, Ptr<const ParastationMachine> machine)
    : m_protocol(protocol),
      m_machine(machine)
{
}

void
ParastationHelper::MakeMachines(Ptr<ParastationGroup> group)
{
    m_hosts.clear();
    m_interfaces.clear();
    if (!m_machine)
    {
        return;
    }
    for (uint32_t i = 0; i < group->GetNPeers(); ++i)
    {
        m_hosts.push_back(m_machine->MakeHost());
        m_interfaces.push_back(m_machine->MakeInterface(m_hosts.back()));
    }
    group->SetMachines(m_hosts, m_interfaces);
}

const std::vector<Ptr<messaging::HostModel>>&
ParastationHelper::GetHosts() const
{
    return m_hosts;
}

const std::vector<Ptr<messaging::HostModel>>&
ParastationHelper::GetInterfaces() const
{
    return m_interfaces;
}

} // namespace parastation
} // namespace ns3
