/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-network.h"

#include "infiniband-helper.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-log-component.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3
{
namespace infiniband
{

[[maybe_unused]] static const LogComponent& g_log =
    messaging::GetLogComponent("InfinibandNetwork", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(InfinibandNetwork);

namespace
{

/** Transports by the names that protocols use. */
constexpr std::array<std::pair<const char*, Transport>, 3> NAMES{
    {{"RC", Transport::RC}, {"UC", Transport::UC}, {"UD", Transport::UD}}};

} // namespace

TypeId
InfinibandNetwork::GetTypeId()
{
    using N = InfinibandNetwork;
    static TypeId tid =
        messaging::Attributes<N>(
            messaging::SetSummary(
                TypeId("ns3::infiniband::InfinibandNetwork"),
                "InfiniBand: switches with credits, adapters, and queue pairs of RC, UC or UD.")
                .SetParent<Network>()
                .SetGroupName("Infiniband")
                .AddConstructor<InfinibandNetwork>())
            .AddAttribute("Transport",
                          "Transport service of the queue pairs; auto for the one that the "
                          "protocol needs, such as a design of MPI, and UD for all others. RC is "
                          "reliable, UD has multicast [name; section 4.2].",
                          &N::m_choice,
                          Choice::AUTO,
                          {{Choice::AUTO, "auto"},
                           {Choice::RC, "RC"},
                           {Choice::UC, "UC"},
                           {Choice::UD, "UD"}})
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

Transport
InfinibandNetwork::GetTransport() const
{
    switch (m_choice)
    {
    case Choice::RC:
        return Transport::RC;
    case Choice::UC:
        return Transport::UC;
    case Choice::UD:
        return Transport::UD;
    case Choice::AUTO:
        break;
    }
    return m_needed;
}

std::string
InfinibandNetwork::UseTransport(const std::string& name)
{
    m_needed = Transport::UD;
    if (name.empty())
    {
        return "";
    }
    const auto known = std::find_if(NAMES.begin(), NAMES.end(), [&](const auto& row) {
        return row.first == name;
    });
    if (known == NAMES.end())
    {
        return "The protocol is made for the transport " + name +
               "; the transports of InfiniBand are RC, UC and UD.";
    }
    m_needed = known->second;
    if (GetTransport() != m_needed)
    {
        return "The protocol is made for the transport " + name +
               ", and network.Transport selects another; leave it at auto.";
    }
    return "";
}

void
InfinibandNetwork::SetTransportUser(messaging::TransportUser* user,
                                    const messaging::TransportReceives& receives)
{
    m_port->SetTransportUser(user, receives);
}

messaging::PortInfo
InfinibandNetwork::GetInfo() const
{
    const LinkConfig& link = m_engine->GetLinkConfig();
    return VerbsPort::MakeInfo(GetTransport(),
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
    NS_LOG_INFO("Frames of " << peers << " peers are sends over queue pairs of " << GetTransport());
    const auto clock = CreateObject<messaging::TickClock>();
    const auto verbs = CreateObject<Verbs>();
    const std::string error = verbs->Open(clock, m_engine, peers);
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    CountLosses();
    m_port = Create<VerbsPort>(clock, verbs, GetTransport(), GetInfo());
    m_port->SetRefused([this] {
        static const std::string REFUSAL = "queue pair of an adapter";
        Lose(REFUSAL, 1);
    });
    SetPort(clock, messaging::MakeAnyPort(m_port));
}

NetDeviceContainer
InfinibandNetwork::DoInstall(const NodeContainer& nodes)
{
    NS_LOG_INFO("IP of " << nodes.GetN() << " nodes runs over IPoIB devices");
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
    NS_LOG_LOGIC("A frame is lost for " << copies << " receivers: " << place);
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
