/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-network.h"

#include "infiniband-helper.h"

#include "ns3/abort.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace infiniband
{

NS_OBJECT_ENSURE_REGISTERED(InfinibandNetwork);

using messaging::CopyAttributes;
using messaging::ForwardAttributes;

TypeId
InfinibandNetwork::GetTypeId()
{
    static TypeId tid = [] {
        using N = InfinibandNetwork;
        TypeId type =
            messaging::SetSummary(TypeId("ns3::infiniband::InfinibandNetwork"),
                                  "InfiniBand: switches with credits, adapters, and queue pairs of "
                                  "RC, UC or UD.")
                .SetParent<Network>()
                .SetGroupName("Infiniband")
                .AddConstructor<InfinibandNetwork>();
        messaging::Attributes<N>(type).AddAttribute(
            "Transport",
            "Transport service below the protocol; UD has multicast, RC is reliable [name; section "
            "4.2].",
            &N::m_transport,
            Transport::UD,
            {{Transport::RC, "RC"}, {Transport::UC, "UC"}, {Transport::UD, "UD"}});
        ForwardAttributes(type, PacketEngine::GetTypeId(), [](const ObjectBase* o) -> Ptr<Object> {
            return static_cast<const N*>(o)->m_engine;
        });
        ForwardAttributes(type, Fabric::GetTypeId(), [](const ObjectBase* o) -> Ptr<Object> {
            return static_cast<const N*>(o)->m_attributes;
        });
        ForwardAttributes(
            type,
            Subnet::GetTypeId(),
            [](const ObjectBase* o) -> Ptr<Object> { return static_cast<const N*>(o)->m_subnet; },
            {"Nodes", "Lmc"});
        return type;
    }();
    return tid;
}

InfinibandNetwork::InfinibandNetwork()
    : m_engine(CreateObject<PacketEngine>()),
      m_attributes(CreateObject<Fabric>()),
      m_subnet(CreateObject<Subnet>())
{
}

InfinibandNetwork::~InfinibandNetwork() = default;

void
InfinibandNetwork::DoDispose()
{
    m_engine = nullptr;
    m_attributes = nullptr;
    m_subnet = nullptr;
    m_running = nullptr;
    m_fabric = nullptr;
    if (m_port)
    {
        m_port->Dispose();
        GetClock()->Dispose();
    }
    m_port = nullptr;
    Network::DoDispose();
}

messaging::PortInfo
InfinibandNetwork::Describe() const
{
    return VerbsPort::Describe(m_transport,
                               m_engine->GetLinkConfig(),
                               !m_engine->HasFaults() && !m_attributes->HasFaults());
}

std::string
InfinibandNetwork::Check(uint32_t peers) const
{
    std::string error = m_engine->Check();
    error = error.empty() ? m_attributes->Check() : error;
    if (!error.empty())
    {
        return error;
    }
    const auto subnet = CreateObject<Subnet>();
    CopyAttributes(m_subnet, subnet);
    if (!subnet->IsFromFile())
    {
        subnet->SetAttribute("Nodes", UintegerValue(peers));
    }
    error = subnet->Build(m_engine->GetLinkConfig().rate);
    if (error.empty() && subnet->GetNHosts() < peers)
    {
        error = "The topology has " + std::to_string(subnet->GetNHosts()) + " hosts, but " +
                std::to_string(peers) + " are needed.";
    }
    return error.empty() ? m_engine->CheckFailures(*subnet) : error;
}

Ptr<Fabric>
InfinibandNetwork::MakeFabric() const
{
    const auto fabric = CreateObject<Fabric>();
    CopyAttributes(m_attributes, fabric);
    TimeValue sweep;
    m_engine->GetAttribute("SweepDelay", sweep);
    fabric->SetAttribute("SweepDelay", sweep);
    fabric->SetLinkConfig(m_engine->GetLinkConfig());
    return fabric;
}

void
InfinibandNetwork::DoBuild(uint32_t peers)
{
    const auto subnet = CreateObject<Subnet>();
    CopyAttributes(m_subnet, subnet);
    if (!subnet->IsFromFile())
    {
        subnet->SetAttribute("Nodes", UintegerValue(peers));
    }
    std::string error = subnet->Build(m_engine->GetLinkConfig().rate);
    m_fabric = MakeFabric();
    m_running = CreateObject<PacketEngine>();
    CopyAttributes(m_engine, m_running);
    m_running->SetSubnet(subnet);
    m_running->SetFabric(m_fabric);
    const auto clock = CreateObject<messaging::TickClock>();
    const auto verbs = CreateObject<Verbs>();
    error = error.empty() ? verbs->Open(clock, m_running, peers) : error;
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    m_port = CreateObject<VerbsPort>();
    m_port->Connect(verbs, m_transport, Describe());
    SetPort(clock, messaging::MakeAnyPort(m_port));
}

NetDeviceContainer
InfinibandNetwork::DoInstall(const NodeContainer& nodes)
{
    InfinibandHelper helper;
    helper.CopyAttributes(m_subnet, MakeFabric());
    const NetDeviceContainer devices = helper.Install(nodes);
    m_fabric = InfinibandHelper::GetFabric(devices);
    return devices;
}

Ptr<Fabric>
InfinibandNetwork::GetFabric() const
{
    return m_fabric;
}

std::vector<messaging::Network::NamedTable>
InfinibandNetwork::GetTables() const
{
    return {{"Ports", m_fabric->MakePortTable()}, {"Drops", m_fabric->MakeDropTable()}};
}

int64_t
InfinibandNetwork::AssignStreams(int64_t stream)
{
    return m_running ? m_running->AssignStreams(stream) : m_fabric->AssignStreams(stream);
}

} // namespace infiniband
} // namespace ns3
