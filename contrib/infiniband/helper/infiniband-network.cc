/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-network.h"

#include "infiniband-helper.h"

#include "ns3/abort.h"
#include "ns3/infiniband-transport-attribute.h"
#include "ns3/messaging-attributes.h"

namespace ns3
{
namespace infiniband
{

NS_OBJECT_ENSURE_REGISTERED(InfinibandNetwork);

TypeId
InfinibandNetwork::GetTypeId()
{
    using N = InfinibandNetwork;
    static TypeId tid =
        messaging::Attributes<N>(
            AddTransportAttribute(
                messaging::SetSummary(
                    TypeId("ns3::infiniband::InfinibandNetwork"),
                    "InfiniBand: switches with credits, adapters, and queue pairs of RC, UC or UD.")
                    .SetParent<Network>()
                    .SetGroupName("Infiniband")
                    .AddConstructor<InfinibandNetwork>(),
                &N::m_transport,
                Transport::UD))
            .Forward<&N::m_engine>({"Nodes", "Lmc"});
    return tid;
}

InfinibandNetwork::InfinibandNetwork()
    : m_engine(CreateObject<Engine>())
{
}

void
InfinibandNetwork::DoDispose()
{
    if (m_engine)
    {
        m_engine->TraceDisconnectWithoutContext("Loss",
                                                MakeCallback(&InfinibandNetwork::OnLoss, this));
    }
    m_engine = nullptr;
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
InfinibandNetwork::GetInfo() const
{
    const LinkConfig& link = m_engine->GetLinkConfig();
    return VerbsPort::MakeInfo(m_transport,
                               link,
                               m_engine->GetSubnet()->GetSlowest({.rate = link.rate}),
                               !m_engine->HasFaults());
}

std::string
InfinibandNetwork::Check(uint32_t peers) const
{
    std::string error;
    m_engine->MakeSubnet(peers, error);
    return error;
}

void
InfinibandNetwork::DoBuild(uint32_t peers)
{
    const auto clock = CreateObject<messaging::TickClock>();
    const auto verbs = CreateObject<Verbs>();
    const std::string error = verbs->Open(clock, m_engine, peers);
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    CountLosses();
    m_port = Create<VerbsPort>(clock, verbs, m_transport, GetInfo());
    m_port->SetRefused([this] {
        static const std::string REFUSAL = "queue pair of an adapter";
        Lose(REFUSAL, 1);
    });
    SetPort(clock, messaging::MakeAnyPort(m_port));
}

NetDeviceContainer
InfinibandNetwork::DoInstall(const NodeContainer& nodes)
{
    const NetDeviceContainer devices = InfinibandHelper().Install(nodes, m_engine);
    CountLosses();
    return devices;
}

void
InfinibandNetwork::CountLosses()
{
    m_fabric = m_engine->GetFabric();
    m_engine->TraceConnectWithoutContext("Loss", MakeCallback(&InfinibandNetwork::OnLoss, this));
}

void
InfinibandNetwork::OnLoss(const SendWr&, const std::string& place, uint64_t copies)
{
    Lose(place, copies);
}

std::vector<messaging::NamedTable>
InfinibandNetwork::GetTables() const
{
    return {{"Ports", m_fabric->MakePortTable()}, {"Drops", m_fabric->MakeDropTable()}};
}

int64_t
InfinibandNetwork::AssignStreams(int64_t stream)
{
    return m_engine->AssignStreams(stream);
}

} // namespace infiniband
} // namespace ns3
