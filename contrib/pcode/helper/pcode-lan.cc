/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-lan.h"

#include "ns3/broadcast-ethernet-helper.h"
#include "ns3/csma-helper.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/error-model.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-neighbours.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

#include <string>

namespace ns3
{
namespace pcode
{

NS_LOG_COMPONENT_DEFINE("PcodeLan");
NS_OBJECT_ENSURE_REGISTERED(Lan);

namespace
{

constexpr const char* NETWORK = "10.0.0.0"; ///< Address of the segment.
constexpr const char* MASK = "255.255.0.0"; ///< Network mask of the segment.
constexpr uint32_t RECEIVE_RING = 64;       ///< Receive ring of an interface [packets].
constexpr uint32_t SEND_QUEUE = 50;         ///< Send queue [packets; BSD, ifqueue].

/** @return a sink that counts packets. @param number the count, increased */
Callback<void, Ptr<const Packet>>
MakeCounter(uint64_t& number)
{
    return Callback<void, Ptr<const Packet>>([&number](Ptr<const Packet>) { ++number; });
}

} // namespace

TypeId
Lan::GetTypeId()
{
    static TypeId tid =
        messaging::Attributes<Lan>(TypeId("ns3::pcode::Lan")
                                       .SetParent<Object>()
                                       .SetGroupName("Pcode")
                                       .AddConstructor<Lan>())
            .AddAttribute("Network",
                          "Network of the workstations: a segment with CSMA/CD, or ns-3's csma, "
                          "without collisions [-; section 6.1].",
                          &Lan::m_kind,
                          LanKind::SEGMENT,
                          {{LanKind::SEGMENT, "segment"}, {LanKind::CSMA, "csma"}})
            .AddAttribute("Loss",
                          "Probability that an interface loses a packet that arrives, in addition "
                          "to losses at full buffers [probability; default].",
                          &Lan::m_loss,
                          0,
                          0,
                          1)
            .AddTraceSource("PacketLoss",
                            "An interface loses a packet by Loss: workstation, packet.",
                            MakeTraceSourceAccessor(&Lan::m_lossTrace),
                            "ns3::pcode::Lan::LossTracedCallback");
    return tid;
}

void
Lan::DoDispose()
{
    for (auto& station : m_stations)
    {
        station->Dispose();
    }
    Object::DoDispose();
}

NetDeviceContainer
Lan::InstallDevices() const
{
    const QueueSizeValue room(QueueSize(QueueSizeUnit::PACKETS, SEND_QUEUE));
    if (m_kind == LanKind::SEGMENT)
    {
        ethernet::EthernetHelper segment;
        segment.SetQueue("ns3::DropTailQueue", "MaxSize", room);
        return segment.Install(m_nodes);
    }
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("10Mbps"));
    csma.SetQueue("ns3::DropTailQueue", "MaxSize", room);
    return csma.Install(m_nodes);
}

void
Lan::Build(const std::vector<HostCosts>& machines, bool tcp)
{
    const auto workstations = static_cast<uint32_t>(machines.size());
    if (m_kind == LanKind::SEGMENT)
    {
        NS_LOG_INFO(workstations << " workstations on a segment with CSMA/CD");
    }
    else
    {
        NS_LOG_INFO(workstations << " workstations on ns-3's csma");
    }
    m_nodes.Create(workstations);
    m_medium = InstallDevices();
    for (uint32_t i = 0; i < workstations; ++i)
    {
        messaging::HostHelper host;
        machines[i].Apply(host, tcp);
        host.SetDeviceAttribute("ReceiveRing", UintegerValue(RECEIVE_RING));
        m_devices.Add(host.Install(NetDeviceContainer(m_medium.Get(i))));
    }
    InternetStackHelper internet;
    internet.SetIpv6StackInstall(false);
    internet.Install(m_nodes);
    m_interfaces = Ipv4AddressHelper(NETWORK, MASK).Assign(m_devices);
    // A stack of 1995 has no queueing discipline.
    TrafficControlHelper().Uninstall(m_devices);
    messaging::FillNeighbourCaches(m_interfaces);
    m_counts.resize(workstations);
    for (uint32_t i = 0; i < workstations; ++i)
    {
        m_stations.push_back(
            CreateObject<Workstation>(m_nodes.Get(i)->GetObject<messaging::HostModel>(),
                                      machines[i]));
        InterfaceCounts& counts = m_counts[i];
        const auto device = m_devices.Get(i);
        device->TraceConnectWithoutContext("MacTx", MakeCounter(counts.sent));
        device->TraceConnectWithoutContext("MacRx", MakeCounter(counts.received));
        device->TraceConnectWithoutContext("MacTxDrop", MakeCounter(counts.dropped));
        device->TraceConnectWithoutContext("MacRxDrop", MakeCounter(counts.dropped));
        if (m_loss > 0)
        {
            const auto errors = CreateObjectWithAttributes<RateErrorModel>(
                "ErrorUnit",
                EnumValue(RateErrorModel::ERROR_UNIT_PACKET),
                "ErrorRate",
                DoubleValue(m_loss));
            m_medium.Get(i)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
            // A segment's interface does not look at packets for others.
            const std::string source = m_kind == LanKind::SEGMENT ? "RxLoss" : "PhyRxDrop";
            m_medium.Get(i)->TraceConnectWithoutContext(
                source,
                Callback<void, Ptr<const Packet>>(
                    [this, i](Ptr<const Packet> packet) { m_lossTrace(i, packet); }));
        }
    }
}

std::vector<Address>
Lan::GetAddresses(uint16_t port) const
{
    std::vector<Address> addresses;
    for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
    {
        addresses.emplace_back(InetSocketAddress(m_interfaces.GetAddress(i), port));
    }
    return addresses;
}

Address
Lan::GetBroadcast(uint16_t port) const
{
    return InetSocketAddress(Ipv4Address(NETWORK).GetSubnetDirectedBroadcast(Ipv4Mask(MASK)), port);
}

uint64_t
Lan::GetNCollisions() const
{
    const auto segment = ethernet::EthernetHelper::GetSegment(m_medium);
    if (!segment)
    {
        return 0;
    }
    return segment->GetCounters().collided;
}

int64_t
Lan::AssignStreams(int64_t stream)
{
    const int64_t first = stream;
    if (m_kind == LanKind::SEGMENT)
    {
        stream += ethernet::EthernetHelper::AssignStreams(m_medium, stream);
    }
    else
    {
        stream += CsmaHelper().AssignStreams(m_medium, stream);
    }
    for (uint32_t i = 0; i < m_medium.GetN() && m_loss > 0; ++i)
    {
        PointerValue errors;
        m_medium.Get(i)->GetAttribute("ReceiveErrorModel", errors);
        stream += errors.Get<RateErrorModel>()->AssignStreams(stream);
    }
    stream += InternetStackHelper().AssignStreams(m_nodes, stream);
    for (const auto& station : m_stations)
    {
        stream += station->AssignStreams(stream);
    }
    return stream - first;
}

} // namespace pcode
} // namespace ns3
