/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-network.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/trace-source-accessor.h"

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
        TypeId("ns3::messaging::Network")
            .SetParent<Object>()
            .SetGroupName("Messaging")
            .AddTraceSource("Loss",
                            "Frames or packets were lost, at a place and a number of receivers.",
                            MakeTraceSourceAccessor(&Network::m_lossTrace),
                            "ns3::messaging::Network::LossTracedCallback");
    return tid;
}

Network::Network()
    : m_log(&g_log)
{
}

Network::~Network()
{
    if (m_observer)
    {
        m_observer->Stop();
    }
}

void
Network::DoDispose()
{
    if (m_observer)
    {
        m_observer->Stop();
    }
    m_observer = nullptr;
    m_port = nullptr;
    m_clock = nullptr;
    m_nodes = NodeContainer();
    m_devices = NetDeviceContainer();
    Object::DoDispose();
}

NetDeviceContainer
Network::DoInstall(const NodeContainer&)
{
    NS_ABORT_MSG(GetInstanceTypeId().GetName()
                 << " has no net devices: it must override DoInstall, or DoBuild and HasDevices.");
}

void
Network::Lose(const std::string& place, uint64_t copies)
{
    if (m_logsLosses) [[unlikely]]
    {
        [[maybe_unused]] const LogComponent& g_log = *m_log;
        NS_LOG_INFO("Lost at \"" << place << "\": " << copies);
    }
    m_losses.Add(place, copies);
    m_lossTrace(place, copies);
}

void
Network::ChooseLog()
{
    m_log = &GetLog(GetInstanceTypeId(), messaging::g_log);
    m_logsLosses = m_log->IsEnabled(LOG_INFO);
}

void
Network::Build(uint32_t peers)
{
    ChooseLog();
    [[maybe_unused]] const LogComponent& g_log = *m_log;
    NS_LOG_INFO("Builds a port of " << peers << " peers");
    DoBuild(peers);
    NS_ABORT_MSG_UNLESS(m_clock && m_port,
                        GetInstanceTypeId().GetName() << " has no port: its DoBuild must call "
                                                         "SetPort.");
}

void
Network::BuildDevices(uint32_t peers)
{
    ChooseLog();
    [[maybe_unused]] const LogComponent& g_log = *m_log;
    NS_LOG_INFO("Builds " << peers << " net devices");
    m_nodes.Create(peers);
    m_devices = DoInstall(m_nodes);
    ObserveDevices();
}

void
Network::ObserveDevices()
{
    m_observer =
        ns3::Create<DeviceLosses>(m_devices, [this](const std::string& place, uint64_t copies) {
            Lose(place, copies);
        });
    m_observer->Start();
}

void
Network::ObserveFrames(Ptr<PacketPort> port)
{
    port->TraceConnectWithoutContext("Loss", MakeCallback(&Network::Lose, this));
}

void
Network::DoBuild(uint32_t peers)
{
    BuildDevices(peers);
    auto clock = CreateObject<TickClock>();
    auto port = CreateObject<NetDevicePort>();
    port->Connect(clock, m_devices);
    ObserveFrames(port);
    SetPort(clock, MakeAnyPort(port));
}

} // namespace messaging
} // namespace ns3
