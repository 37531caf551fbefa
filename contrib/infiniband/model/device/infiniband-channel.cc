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
    if (m_fabric)
    {
        m_fabric->Dispose();
        m_clock->Dispose();
    }
    m_fabric = nullptr;
    m_clock = nullptr;
    m_devices.clear();
    m_carried = {};
    Channel::DoDispose();
}

void
InfinibandChannel::SetFabric(Ptr<Fabric> fabric, Ptr<Subnet> subnet)
{
    m_fabric = fabric;
    m_clock = CreateObject<messaging::TickClock>();
    m_fabric->Start(subnet, m_clock, this);
}

HostId
InfinibandChannel::Attach(Ptr<InfinibandNetDevice> device)
{
    const auto host = static_cast<HostId>(m_devices.size());
    const HostId hosts = m_fabric->GetSubnet()->GetNHosts();
    NS_ABORT_MSG_IF(host >= hosts,
                    "The subnet has " << hosts << " hosts, each with a device already.");
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
    const uint32_t number = m_carried.Put({packet, 1});
    const PacketIndex index = m_fabric->New();
    infiniband::Packet& carrier = m_fabric->Get(index);
    const EthernetHeader header(false);
    const bool group = to == NO_HOST;
    carrier.user[0] = number;
    carrier.destination = group ? MULTICAST_LID : m_fabric->GetSubnet()->GetManager().GetLid(to);
    carrier.bytes = static_cast<uint16_t>(packet->GetSize() - header.GetSerializedSize() +
                                          UNICAST_BYTES + (group ? GRH_BYTES : 0));
    m_fabric->Inject(from, index);
}

void
InfinibandChannel::Forget(uint64_t number)
{
    if (--m_carried[number].copies == 0)
    {
        m_carried[number].packet = nullptr;
        m_carried.Free(number);
    }
}

Ticks
InfinibandChannel::OnPacket(HostId host, PacketIndex index)
{
    const uint64_t number = m_fabric->Get(index).user[0];
    if (host < m_devices.size())
    {
        const Ptr<InfinibandNetDevice> device = m_devices[host];
        Simulator::ScheduleWithContext(device->GetNode()->GetId(),
                                       Time(0),
                                       &InfinibandNetDevice::Arrive,
                                       device,
                                       m_carried[number].packet->Copy());
    }
    Forget(number);
    return m_clock->Now();
}

void
InfinibandChannel::OnReady(HostId host)
{
    const Ptr<InfinibandNetDevice> device = m_devices[host];
    Simulator::ScheduleWithContext(device->GetNode()->GetId(),
                                   Time(0),
                                   &InfinibandNetDevice::Transmit,
                                   device);
}

void
InfinibandChannel::OnLeaving(PacketIndex index, Ticks end)
{
    const infiniband::Packet& carrier = m_fabric->Get(index);
    const Ptr<InfinibandNetDevice> device = m_devices[carrier.from];
    Simulator::ScheduleWithContext(device->GetNode()->GetId(),
                                   NanoSeconds(end - m_clock->Now()),
                                   &InfinibandNetDevice::EndSend,
                                   device,
                                   m_carried[carrier.user[0]].packet);
}

void
InfinibandChannel::OnDrop(PacketIndex index, DropReason reason)
{
    NS_LOG_LOGIC("packet " << m_fabric->Get(index).user[0] << " lost: " << reason);
    Forget(m_fabric->Get(index).user[0]);
}

void
InfinibandChannel::OnCopy(PacketIndex index)
{
    ++m_carried[m_fabric->Get(index).user[0]].copies;
}

Ptr<NetDevice>
InfinibandChannel::GetDevice(std::size_t i) const
{
    return m_devices.at(i);
}

} // namespace infiniband
} // namespace ns3
