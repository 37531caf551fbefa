/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-faulty-net-device.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingFaultyNetDevice");
NS_OBJECT_ENSURE_REGISTERED(FaultyNetDevice);

TypeId
FaultyNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::messaging::FaultyNetDevice")
            .SetParent<PlainNetDevice>()
            .SetGroupName("Messaging")
            .AddConstructor<FaultyNetDevice>()
            .AddTraceSource("Send",
                            "A packet is passed to the device behind; the packet "
                            "and the number of devices that it is sent to.",
                            MakeTraceSourceAccessor(&FaultyNetDevice::m_sendTrace),
                            "ns3::messaging::FaultyNetDevice::SendTracedCallback")
            .AddTraceSource("Arrive",
                            "An intact packet of a peer is passed to the node.",
                            MakeTraceSourceAccessor(&FaultyNetDevice::m_arriveTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Lose",
                            "A fault loses or damages a packet.",
                            MakeTraceSourceAccessor(&FaultyNetDevice::m_loseTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Repeat",
                            "A fault duplicates a packet.",
                            MakeTraceSourceAccessor(&FaultyNetDevice::m_repeatTrace),
                            "ns3::Packet::TracedCallback");
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

void
FaultyNetDevice::Count(Ptr<const Packet> packet, const Address& destination)
{
    ++m_packets;
    m_bytes += packet->GetSize();
    const bool group = Mac48Address::IsMatchingType(destination) &&
                       Mac48Address::ConvertFrom(destination).IsGroup();
    const std::size_t copies = group ? m_peers->size() - 1 : 1;
    m_copies += copies;
    m_sendTrace(packet, static_cast<uint32_t>(copies));
}

bool
FaultyNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    Count(packet, dest);
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
    Count(packet, dest);
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
        HandUp(packet, protocol, from, false);
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
        NS_LOG_INFO("Packet from peer " << sender->second << " to peer " << m_self << " is lost");
        m_loseTrace(packet);
        return true;
    }
    Ptr<const Packet> arriving = packet;
    const bool damaged = fate.IsChanged() && packet->GetSize() > 0;
    if (damaged)
    {
        NS_LOG_INFO("Packet from peer " << sender->second << " to peer " << m_self
                                        << " is damaged");
        m_loseTrace(packet);
        std::vector<uint8_t> bytes(packet->GetSize());
        packet->CopyData(bytes.data(), packet->GetSize());
        bytes.back() ^= 1;
        arriving = Create<Packet>(bytes.data(), packet->GetSize());
    }
    const auto schedule = [&](Ticks delay) {
        NS_LOG_LOGIC("Packet from peer " << sender->second << " to peer " << m_self
                                         << " arrives after " << delay << " ns more");
        if (delay == 0)
        {
            HandUp(arriving, protocol, from, damaged);
        }
        else
        {
            Simulator::Schedule(NanoSeconds(static_cast<int64_t>(delay)),
                                &FaultyNetDevice::HandUp,
                                Ptr<FaultyNetDevice>(this),
                                arriving,
                                protocol,
                                from,
                                damaged);
        }
    };
    schedule(fate.GetDelay());
    if (fate.IsDuplicated())
    {
        if (!damaged)
        {
            m_repeatTrace(packet);
        }
        schedule(fate.GetCopyDelay());
    }
    return true;
}

void
FaultyNetDevice::HandUp(Ptr<const Packet> packet,
                        uint16_t protocol,
                        const Address& from,
                        bool damaged)
{
    if (!damaged && m_peers->contains(from))
    {
        m_arriveTrace(packet);
    }
    ++m_arrived;
    if (!m_receive.IsNull())
    {
        m_receive(this, packet->Copy(), protocol, from);
    }
}

} // namespace messaging
} // namespace ns3
