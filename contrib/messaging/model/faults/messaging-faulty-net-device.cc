/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-faulty-net-device.h"

#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(FaultyNetDevice);

TypeId
FaultyNetDevice::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::FaultyNetDevice")
                            .SetParent<PlainNetDevice>()
                            .SetGroupName("Messaging")
                            .AddConstructor<FaultyNetDevice>();
    return tid;
}

std::vector<Ptr<FaultyNetDevice>>
FaultyNetDevice::Install(const NetDeviceContainer& devices, Ptr<FaultPlan> faults)
{
    auto peers = std::make_shared<Peers>();
    std::vector<Ptr<FaultyNetDevice>> installed;
    faults->SetTickLength(NanoSeconds(1));
    for (uint32_t i = 0; i < devices.GetN(); ++i)
    {
        const auto device = devices.Get(i);
        auto faulty = CreateObject<FaultyNetDevice>();
        faulty->m_self = static_cast<Peer>(installed.size());
        faulty->m_faults = faults;
        faulty->m_peers = peers;
        (*peers)[device->GetAddress()] = faulty->m_self;
        device->GetNode()->AddDevice(faulty);
        const auto queues = CreateObject<NetDeviceQueueInterface>();
        faulty->AggregateObject(queues);
        faulty->m_ownQueue = queues->GetTxQueue(0);
        faulty->SetDevice(device);
        installed.push_back(faulty);
    }
    return installed;
}

void
FaultyNetDevice::SetDevice(Ptr<NetDevice> device)
{
    NetDeviceDecorator::SetDevice(device);
    device->SetReceiveCallback(MakeCallback(&FaultyNetDevice::Receive, this));
    if (const auto queues = device->GetObject<NetDeviceQueueInterface>())
    {
        m_underlying = queues->GetTxQueue(0);
        m_underlying->SetWakeCallback(MakeCallback(&FaultyNetDevice::Wake, this));
    }
}

void
FaultyNetDevice::DoDispose()
{
    if (m_underlying)
    {
        m_underlying->SetWakeCallback(MakeNullCallback<void>());
    }
    m_underlying = nullptr;
    m_ownQueue = nullptr;
    NetDeviceDecorator::DoDispose();
}

void
FaultyNetDevice::FollowQueue()
{
    if (m_underlying && m_ownQueue && m_underlying->IsStopped())
    {
        m_ownQueue->Stop();
    }
}

void
FaultyNetDevice::Wake()
{
    m_ownQueue->Wake();
}

bool
FaultyNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    ++m_packets;
    m_bytes += packet->GetSize();
    const bool sent = GetDevice()->Send(packet, dest, protocolNumber);
    FollowQueue();
    return sent;
}

bool
FaultyNetDevice::SendFrom(Ptr<Packet> packet,
                          const Address& source,
                          const Address& dest,
                          uint16_t protocolNumber)
{
    ++m_packets;
    m_bytes += packet->GetSize();
    const bool sent = GetDevice()->SendFrom(packet, source, dest, protocolNumber);
    FollowQueue();
    return sent;
}

bool
FaultyNetDevice::Receive([[maybe_unused]] Ptr<NetDevice> device,
                         Ptr<const Packet> packet,
                         uint16_t protocol,
                         const Address& from)
{
    const auto sender = m_peers->find(from);
    if (sender == m_peers->end())
    {
        HandUp(packet, protocol, from);
        return true;
    }
    Frame frame;
    frame.payload = packet->GetSize();
    const auto fate = m_faults->Decide(sender->second,
                                       m_self,
                                       frame,
                                       static_cast<Ticks>(Simulator::Now().GetNanoSeconds()),
                                       PeekPointer(packet));
    if (fate.IsLost())
    {
        return true;
    }
    Ptr<const Packet> arriving = packet;
    if (fate.IsChanged() && packet->GetSize() > 0)
    {
        std::vector<uint8_t> bytes(packet->GetSize());
        packet->CopyData(bytes.data(), packet->GetSize());
        bytes.back() ^= 1;
        arriving = Create<Packet>(bytes.data(), packet->GetSize());
    }
    const auto schedule = [&](Ticks delay) {
        if (delay == 0)
        {
            HandUp(arriving, protocol, from);
        }
        else
        {
            Simulator::Schedule(NanoSeconds(static_cast<int64_t>(delay)),
                                &FaultyNetDevice::HandUp,
                                Ptr<FaultyNetDevice>(this),
                                arriving,
                                protocol,
                                from);
        }
    };
    schedule(fate.GetDelay());
    if (fate.IsDuplicated())
    {
        schedule(fate.GetCopyDelay());
    }
    return true;
}

void
FaultyNetDevice::HandUp(Ptr<const Packet> packet, uint16_t protocol, const Address& from)
{
    if (!m_receive.IsNull())
    {
        m_receive(this, packet->Copy(), protocol, from);
    }
}

} // namespace messaging
} // namespace ns3
