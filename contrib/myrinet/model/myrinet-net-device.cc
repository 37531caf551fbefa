/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-net-device.h"

#include "ns3/data-rate.h"
#include "ns3/messaging-attributes.h"

#include <utility>

namespace ns3
{
namespace myrinet
{

NS_OBJECT_ENSURE_REGISTERED(MyrinetNetDevice);

TypeId
MyrinetNetDevice::GetTypeId()
{
    static TypeId tid =
        messaging::Attributes<MyrinetNetDevice>(TypeId("ns3::myrinet::MyrinetNetDevice")
                                                    .SetParent<messaging::UnicastNetDevice>()
                                                    .SetGroupName("Myrinet")
                                                    .AddConstructor<MyrinetNetDevice>())
            .AddAttribute(
                "PacketInstructions",
                "A LANai's cost of a packet, sent or received; 100 to 150 for lean firmware "
                "[instructions; general knowledge].",
                &MyrinetNetDevice::m_packetInstructions,
                100);
    return tid;
}

void
MyrinetNetDevice::DoDispose()
{
    m_lanai = nullptr;
    m_fetched.clear();
    UnicastNetDevice::DoDispose();
}

Ptr<MyrinetNetwork>
MyrinetNetDevice::GetNetwork() const
{
    const auto channel = DynamicCast<MyrinetChannel>(GetChannel());
    return channel ? channel->GetNetwork() : nullptr;
}

void
MyrinetNetDevice::SetLanai(Ptr<messaging::HostModel> host)
{
    m_lanai = CreateObject<messaging::HostModel>();
    // 120 to 130 MB/s over 32-bit PCI.
    m_lanai->SetAttribute("DmaRate", DataRateValue(DataRate("1Gb/s")));
    if (host)
    {
        m_lanai->ShareBus(*host);
    }
}

void
MyrinetNetDevice::Move(uint32_t bytes, std::function<void()> done)
{
    using messaging::WorkKind;
    if (!m_lanai)
    {
        done();
        return;
    }
    m_lanai->Execute(messaging::KERNEL,
                     {{0, GetInstructionTime(m_packetInstructions), WorkKind::INSTRUCTIONS},
                      {0, bytes, WorkKind::DMA}},
                     std::move(done));
}

void
MyrinetNetDevice::Transmit()
{
    if (m_lanai && IsLinkUp())
    {
        Fetch();
    }
    UnicastNetDevice::Transmit();
}

void
MyrinetNetDevice::Fetch()
{
    const uint32_t ring = GetNetwork()->GetSendBuffers();
    while (m_fetching + m_fetched.size() + (HasCurrent() ? 1 : 0) < ring)
    {
        const Ptr<ns3::Packet> packet = Dequeue();
        if (!packet)
        {
            return;
        }
        ++m_fetching;
        Move(packet->GetSize(), [device = Ptr<MyrinetNetDevice>(this), packet] {
            --device->m_fetching;
            device->m_fetched.push_back(packet);
            device->Transmit();
        });
    }
}

Ptr<ns3::Packet>
MyrinetNetDevice::TakeNext()
{
    if (!m_lanai)
    {
        return Dequeue();
    }
    Ptr<ns3::Packet> packet;
    if (!m_fetched.empty())
    {
        packet = m_fetched.front();
        m_fetched.pop_front();
    }
    return packet;
}

void
MyrinetNetDevice::Arrive(Ptr<ns3::Packet> packet)
{
    Move(packet->GetSize(), [device = Ptr<MyrinetNetDevice>(this), packet] {
        if (const auto network = device->GetNetwork())
        {
            network->Release(device->GetPeer());
            device->Receive(packet);
        }
    });
}

void
MyrinetNetDevice::Reject(Ptr<const ns3::Packet> packet)
{
    m_phyRxDrop(packet);
}

} // namespace myrinet
} // namespace ns3
