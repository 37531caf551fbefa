/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-switch-network.h"

#include "broadcast-ethernet-helper.h"

#include "ns3/abort.h"
#include "ns3/broadcast-ethernet-switch-table.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-frame-header.h"

namespace ns3
{
namespace ethernet
{

NS_OBJECT_ENSURE_REGISTERED(SwitchNetwork);

TypeId
SwitchNetwork::GetTypeId()
{
    static TypeId tid = [] {
        using N = SwitchNetwork;
        TypeId type = messaging::SetSummary(TypeId("ns3::ethernet::SwitchNetwork")
                                                .SetParent<Network>()
                                                .SetGroupName("BroadcastEthernet")
                                                .AddConstructor<N>(),
                                            "Store-and-forward Ethernet switch with hardware "
                                            "broadcast and finite port buffers.");
        messaging::Attributes<N>(type)
            .AddAttribute("Switches",
                          "Switches that nodes are plugged into in turn; more than one are the "
                          "leaves of a tree under one more [switches; default].",
                          &N::m_switches,
                          1,
                          1,
                          256)
            .AddAttribute("TrunkRate",
                          "Rate of the links between switches: 10Mbps, 100Mbps or 1000Mbps [bit/s; "
                          "default].",
                          &N::m_trunkRate,
                          DataRate("1000Mbps"));
        messaging::ForwardAttributes(type,
                                     EthernetSwitch::GetTypeId(),
                                     [](const ObjectBase* owner) -> Ptr<Object> {
                                         return static_cast<const N*>(owner)->m_parameters;
                                     });
        return type;
    }();
    return tid;
}

SwitchNetwork::SwitchNetwork()
    : m_parameters(CreateObject<EthernetSwitch>())
{
}

messaging::PortInfo
SwitchNetwork::Describe() const
{
    constexpr uint32_t PACKET = MAX_FRAME_BYTES - HEADER_BYTES - FCS_BYTES;
    return {.mtu = PACKET - messaging::FrameHeader::SIZE, .broadcast = true, .ordered = true};
}

std::string
SwitchNetwork::Check(uint32_t peers) const
{
    if (const std::string error = m_parameters->Check(); !error.empty())
    {
        return error;
    }
    if (m_switches > peers)
    {
        return "Switches has to be at most the number of nodes.";
    }
    return CheckLinkRate(m_trunkRate);
}

NetDeviceContainer
SwitchNetwork::DoInstall(const NodeContainer& nodes)
{
    const auto make = [this] {
        m_built.push_back(CreateObject<EthernetSwitch>());
        messaging::CopyAttributes(m_parameters, m_built.back());
        return m_built.back();
    };
    while (m_built.size() < m_switches)
    {
        make();
    }
    if (m_switches > 1)
    {
        const auto root = make();
        root->SetAttribute("DataRate", DataRateValue(m_trunkRate));
        for (uint32_t leaf = 0; leaf < m_switches; ++leaf)
        {
            const std::string error = root->Connect(m_built[leaf]);
            NS_ABORT_MSG_UNLESS(error.empty(), error);
        }
    }
    NetDeviceContainer devices;
    for (uint32_t n = 0; n < nodes.GetN(); ++n)
    {
        devices.Add(EthernetHelper().Install(nodes.Get(n), m_built[n % m_switches]));
    }
    return devices;
}

int64_t
SwitchNetwork::AssignStreams(int64_t stream)
{
    return EthernetHelper::AssignStreams(GetDevices(), stream);
}

std::vector<messaging::Network::NamedTable>
SwitchNetwork::GetTables() const
{
    return {{"Ports", MakePortTable(m_built.front())}};
}

} // namespace ethernet
} // namespace ns3
