/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-cluster.h"

#include "ns3/broadcast-ethernet-helper.h"
#include "ns3/broadcast-ethernet-networks.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-neighbours.h"
#include "ns3/uinteger.h"

#include <numeric>

namespace ns3
{
namespace eqa
{

NS_LOG_COMPONENT_DEFINE("EqaCluster");
NS_OBJECT_ENSURE_REGISTERED(EqaCluster);

namespace
{

/** Segment size of TCP: Ethernet's [bytes]. */
constexpr uint32_t SEGMENT_BYTES = 1460;

/** Send and receive buffers of p4's sockets: p4's SOCK_BUFF_SIZE [bytes]. */
constexpr uint32_t SOCKET_BUFFER = 16384;

/** Port number on which every node listens. */
constexpr uint16_t PORT = 4000;

/** Minimum retransmission timeout of TCP in Linux 2.2, whose tick is 10 ms. */
const Time TCP_MIN_RTO = MilliSeconds(200);

/** First random stream of devices. */
constexpr int64_t FIRST_DEVICE_STREAM = 1000;

/** First random stream of stacks. */
constexpr int64_t FIRST_STACK_STREAM = 3000;

} // namespace

TypeId
EqaCluster::GetTypeId()
{
    static TypeId tid =
        messaging::Attributes<EqaCluster>(TypeId("ns3::eqa::EqaCluster")
                                              .SetParent<Object>()
                                              .SetGroupName("Eqa")
                                              .AddConstructor<EqaCluster>())
            .AddAttribute("Network",
                          "Network of the machines: a switch, or a shared segment [-; section 4].",
                          &EqaCluster::m_network,
                          SWITCH,
                          {{SWITCH, "switch"}, {HUB, "hub"}})
            .AddAttribute("Cpus",
                          "CPUs of a machine [CPUs; section 4].",
                          &EqaCluster::m_cpus,
                          2,
                          1,
                          64)
            .AddAttribute("SystemCallTime",
                          "CPU time to enter and leave the kernel [s; default].",
                          &EqaCluster::m_systemCall,
                          NanoSeconds(1000),
                          Time(0))
            .AddAttribute("InterruptTime",
                          "CPU time from an interrupt to its handler [s; 3 to 8 us are usual].",
                          &EqaCluster::m_interrupt,
                          NanoSeconds(5500),
                          Time(0))
            .AddAttribute("CopyRate",
                          "Bandwidth of a copy in memory [bit/s; 130 to 180 MB/s are usual].",
                          &EqaCluster::m_copyRate,
                          DataRate("1240Mbps"))
            .AddAttribute("TcpSendTime",
                          "CPU time of TCP/IP for a packet sent [s; calibrated with one-way "
                          "latency of TCP, 65 us, the middle of 55 to 75].",
                          &EqaCluster::m_tcpSend,
                          NanoSeconds(19200),
                          Time(0))
            .AddAttribute("TcpReceiveTime",
                          "CPU time of TCP/IP for a packet received [s; calibrated with one-way "
                          "latency of TCP, 65 us, the middle of 55 to 75].",
                          &EqaCluster::m_tcpReceive,
                          NanoSeconds(23320),
                          Time(0))
            .Forward<&EqaCluster::m_switch>()
            .Forward<&EqaCluster::m_protocol>({"Broadcast", "Senders", "Points"})
            .Forward<&EqaCluster::m_p4>();
    return tid;
}

EqaCluster::EqaCluster()
    : m_switch(CreateObject<ethernet::EthernetSwitch>()),
      m_protocol(CreateObject<EqaGroup>()),
      m_p4(CreateObject<P4Group>())
{
}

std::string
EqaCluster::Check() const
{
    std::string wrong = m_switch->Check();
    if (wrong.empty() && m_network == HUB)
    {
        wrong = messaging::FindIdleAttribute(*m_switch,
                                             {"Loss",
                                              "ForwardingLatency",
                                              "BufferSize",
                                              "BufferUnit",
                                              "BufferSharing",
                                              "Replication",
                                              "Pause"},
                                             "where Network is hub");
    }
    if (!wrong.empty())
    {
        return wrong;
    }
    return m_protocol->Check(MAX_PACKET);
}

uint64_t
EqaCluster::GetNOverflows() const
{
    uint64_t overflows = 0;
    const auto lan = DynamicCast<ethernet::EthernetSwitch>(m_devices.Get(0)->GetChannel());
    for (uint32_t port = 0; lan && port < lan->GetNPorts(); ++port)
    {
        // The first reasons are those of full buffers.
        const auto drops = lan->GetCounters(port).drops.begin();
        const auto loss = static_cast<std::ptrdiff_t>(ethernet::SwitchDrop::LOSS);
        overflows += std::accumulate(drops, drops + loss, uint64_t{0});
    }
    return overflows;
}

Ptr<messaging::Table>
EqaCluster::GetPorts() const
{
    const auto lan = DynamicCast<ethernet::EthernetSwitch>(m_devices.Get(0)->GetChannel());
    if (!lan)
    {
        return nullptr;
    }
    return ethernet::MakePortTable(lan);
}

std::vector<Ptr<messaging::HostModel>>
EqaCluster::GetHosts() const
{
    std::vector<Ptr<messaging::HostModel>> hosts;
    for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
    {
        hosts.push_back(m_nodes.Get(i)->GetObject<messaging::HostModel>());
    }
    return hosts;
}

void
EqaCluster::Build(uint32_t count, bool scaled)
{
    double cpuRatio = 1;
    if (scaled)
    {
        cpuRatio = m_protocol->GetCpuRatio();
    }
    m_nodes.Create(count);
    messaging::HostHelper host;
    host.SetCpus(m_cpus);
    host.SetHostAttribute("SystemCall", TimeValue(m_systemCall * cpuRatio));
    host.SetHostAttribute("Interrupt", TimeValue(m_interrupt * cpuRatio));
    host.SetHostAttribute("CopyRate", DataRateValue(m_copyRate));
    for (uint32_t i = 0; i < count; ++i)
    {
        host.InstallHost(m_nodes.Get(i));
    }
    if (m_network == HUB)
    {
        NS_LOG_INFO(count << " machines of " << m_cpus << " CPUs at a hub");
        DataRateValue rate;
        m_switch->GetAttribute("DataRate", rate);
        ethernet::EthernetHelper segment;
        segment.SetSegmentAttribute("DataRate", rate);
        m_devices = segment.Install(m_nodes);
    }
    else
    {
        NS_LOG_INFO(count << " machines of " << m_cpus << " CPUs at a switch");
        const auto lan = CreateObject<ethernet::EthernetSwitch>();
        messaging::CopyAttributes(m_switch, lan);
        m_devices = ethernet::EthernetHelper().Install(m_nodes, lan);
    }
    ethernet::EthernetHelper::AssignStreams(m_devices, FIRST_DEVICE_STREAM);
}

Ptr<EqaGroup>
EqaCluster::MakeGroup() const
{
    auto group = CreateObject<EqaGroup>();
    messaging::CopyAttributes(m_protocol, group);
    return group;
}

Ptr<P4Group>
EqaCluster::InstallP4()
{
    auto group = CreateObject<P4Group>();
    messaging::CopyAttributes(m_p4, group);
    const auto streams = InstallSockets();
    group->Connect(streams, GetHosts(), m_charged);
    return group;
}

Ptr<messaging::SocketGroup>
EqaCluster::InstallSockets()
{
    NS_LOG_INFO("The machines communicate by TCP");
    m_defaults.Set("ns3::TcpSocket", "SegmentSize", UintegerValue(SEGMENT_BYTES));
    m_defaults.Set("ns3::TcpSocket", "SndBufSize", UintegerValue(SOCKET_BUFFER));
    m_defaults.Set("ns3::TcpSocket", "RcvBufSize", UintegerValue(SOCKET_BUFFER));
    m_defaults.Set("ns3::TcpSocketBase", "MinRto", TimeValue(TCP_MIN_RTO));
    messaging::HostHelper host;
    host.SetDeviceAttribute("SendInstructions", TimeValue(m_tcpSend));
    host.SetDeviceAttribute("SendCopies", UintegerValue(1));
    host.SetDeviceAttribute("ReceiveInterrupts", UintegerValue(1));
    host.SetDeviceAttribute("ReceiveInstructions", TimeValue(m_tcpReceive));
    host.SetDeviceAttribute("ReceiveCopies", UintegerValue(1));
    m_charged = host.Install(m_devices);
    InternetStackHelper internet;
    internet.SetIpv6StackInstall(false);
    internet.Install(m_nodes);
    internet.AssignStreams(m_nodes, FIRST_STACK_STREAM);
    const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.0.0").Assign(m_charged);
    messaging::FillNeighbourCaches(interfaces);
    std::vector<Address> addresses;
    for (uint32_t i = 0; i < m_nodes.GetN(); ++i)
    {
        addresses.emplace_back(InetSocketAddress(interfaces.GetAddress(i), PORT));
    }
    auto group = CreateObject<messaging::SocketGroup>();
    group->Connect(m_nodes, addresses);
    return group;
}

} // namespace eqa
} // namespace ns3
