/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-network.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-net-device-port.h"

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingNetwork");
NS_OBJECT_ENSURE_REGISTERED(Network);

TypeId
Network::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::messaging::Network").SetParent<Object>().SetGroupName("Messaging");
    return tid;
}

Network::Network() = default;

Network::~Network() = default;

void
Network::DoDispose()
{
    m_port = nullptr;
    m_clock = nullptr;
    m_nodes = NodeContainer();
    m_devices = NetDeviceContainer();
    Object::DoDispose();
}

bool
Network::HasDevices() const
{
    return true;
}

NetDeviceContainer
Network::DoInstall(const NodeContainer&)
{
    NS_ABORT_MSG(GetInstanceTypeId().GetName() << " has no net devices.");
}

std::string
Network::Check([[maybe_unused]] uint32_t peers) const
{
    return "";
}

void
Network::Build(uint32_t peers)
{
    NS_LOG_FUNCTION(this << peers);
    DoBuild(peers);
    NS_ABORT_MSG_UNLESS(m_clock && m_port,
                        GetInstanceTypeId().GetName() << " has no port: its DoBuild has to end in "
                                                         "SetPort.");
}

void
Network::BuildDevices(uint32_t peers)
{
    NS_LOG_FUNCTION(this << peers);
    m_nodes.Create(peers);
    m_devices = DoInstall(m_nodes);
}

void
Network::DoBuild(uint32_t peers)
{
    BuildDevices(peers);
    auto clock = CreateObject<TickClock>();
    auto port = CreateObject<NetDevicePort>();
    port->Connect(clock, m_devices);
    SetPort(clock, MakeAnyPort(port));
}

void
Network::SetPort(Ptr<TickClock> clock, Ptr<AnyPort> port)
{
    m_clock = clock;
    m_port = port;
}

Ptr<TickClock>
Network::GetClock() const
{
    return m_clock;
}

Ptr<AnyPort>
Network::GetPort() const
{
    return m_port;
}

const NodeContainer&
Network::GetNodes() const
{
    return m_nodes;
}

const NetDeviceContainer&
Network::GetDevices() const
{
    return m_devices;
}

std::vector<Network::NamedTable>
Network::GetTables() const
{
    return {};
}

int64_t
Network::AssignStreams([[maybe_unused]] int64_t stream)
{
    return 0;
}

} // namespace messaging
} // namespace ns3
