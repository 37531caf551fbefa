/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-channel.h"

#include "infiniband-net-device.h"

#include "ns3/abort.h"
#include "ns3/ethernet-header.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace infiniband
{

NS_LOG_COMPONENT_DEFINE("InfinibandChannel");
NS_OBJECT_ENSURE_REGISTERED(InfinibandChannel);

TypeId
InfinibandChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::infiniband::InfinibandChannel")
                            .SetParent<Channel>()
                            .SetGroupName("Infiniband")
                            .AddConstructor<InfinibandChannel>();
    return tid;
}

InfinibandChannel::InfinibandChannel() = default;

InfinibandChannel::~InfinibandChannel() = default;

void
InfinibandChannel::DoDispose()
{
    if (m_port)
    {
        m_port->Dispose();
        m_clock->Dispose();
    }
    m_port = nullptr;
    m_engine = nullptr;
    m_clock = nullptr;
    m_devices.clear();
    m_sending.clear();
    m_carried = {};
    Channel::DoDispose();
}

void
InfinibandChannel::Open(Ptr<Engine> engine, HostId hosts)
{
    m_clock = CreateObject<messaging::TickClock>();
    m_engine = engine;
    const auto verbs = CreateObject<Verbs>();
    const std::string error = verbs->Open(m_clock, engine, hosts);
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    const LinkConfig& link = engine->GetLinkConfig();
    const LinkSpeed speed = engine->GetSubnet()->GetSlowest({.rate = link.rate});
    const auto info = VerbsPort::MakeInfo(Transport::UD, link, speed, true);
    m_port = ns3::Create<VerbsPort>(m_clock, verbs, Transport::UD, info);
    m_port->SetUser(this);
    m_port->SetSent([this](messaging::Peer self) { OnSent(self); });
    engine->TraceConnectWithoutContext("Loss", MakeCallback(&InfinibandChannel::OnLoss, this));
    m_sending.resize(m_port->GetNPeers());
}

HostId
InfinibandChannel::Attach(Ptr<InfinibandNetDevice> device)
{
    const auto host = static_cast<HostId>(m_devices.size());
    NS_ABORT_MSG_IF(host >= m_port->GetNPeers(),
                    "The subnet has " << m_port->GetNPeers()
                                      << " hosts, each with a device already.");
    m_devices.push_back(device);
    return host;
}

void
InfinibandChannel::UpdateAddress(HostId host, Mac48Address address)
{
    std::erase_if(m_hosts, [host](const auto& entry) { return entry.second == host; });
    m_hosts[address] = host;
}

HostId
InfinibandChannel::Find(Mac48Address address) const
{
    const auto found = m_hosts.find(address);
    return found == m_hosts.end() ? NO_HOST : found->second;
}

void
InfinibandChannel::Send(HostId from, HostId to, Ptr<const ns3::Packet> packet)
{
    NS_LOG_INFO("Host " << from << " sends an IP packet of " << packet->GetSize() << " bytes to "
                        << (to == NO_HOST ? "the group" : "host " + std::to_string(to)));
    const EthernetHeader header(false);
    const bool group = to == NO_HOST;
    Frame frame;
    frame.contents = m_carried.Put({packet, group ? m_port->GetNPeers() - 1 : 1});
    frame.header = ENCAPSULATION_BYTES;
    frame.payload = packet->GetSize() - header.GetSerializedSize();
    m_sending[from].push_back(packet);
    m_port->Send(from, group ? messaging::NO_PEER : to, frame);
}

void
InfinibandChannel::Forget(uint64_t number, uint64_t copies)
{
    Carried& carried = m_carried[number];
    carried.copies -= copies;
    if (carried.copies == 0)
    {
        carried.packet = nullptr;
        m_carried.Free(number);
    }
}

void
InfinibandChannel::OnFrame(messaging::Peer self, messaging::Peer, const Frame& frame)
{
    if (self < m_devices.size())
    {
        NS_LOG_INFO("An IP packet arrives at host " << self);
        const Ptr<InfinibandNetDevice> device = m_devices[self];
        Simulator::ScheduleWithContext(device->GetNode()->GetId(),
                                       Time(0),
                                       &InfinibandNetDevice::Arrive,
                                       device,
                                       m_carried[frame.contents].packet->Copy());
    }
    Forget(frame.contents, 1);
}

void
InfinibandChannel::OnReady(messaging::Peer self)
{
    const Ptr<InfinibandNetDevice> device = m_devices[self];
    Simulator::ScheduleWithContext(device->GetNode()->GetId(),
                                   Time(0),
                                   &InfinibandNetDevice::Transmit,
                                   device);
}

void
InfinibandChannel::OnSent(messaging::Peer self)
{
    const Ptr<InfinibandNetDevice> device = m_devices[self];
    Simulator::ScheduleWithContext(device->GetNode()->GetId(),
                                   Time(0),
                                   &InfinibandNetDevice::EndSend,
                                   device,
                                   m_sending[self].front());
    m_sending[self].pop_front();
}

void
InfinibandChannel::OnLoss(const SendWr& wr, const std::string& place, uint64_t copies)
{
    NS_LOG_INFO("An IP packet is lost for " << copies << " receivers: " << place);
    Forget(wr.data.contents, copies);
}

Ptr<NetDevice>
InfinibandChannel::GetDevice(std::size_t i) const
{
    return m_devices.at(i);
}

} // namespace infiniband
} // namespace ns3
