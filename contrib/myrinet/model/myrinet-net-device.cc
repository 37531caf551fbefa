/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-net-device.h"

namespace ns3
{
namespace myrinet
{

NS_OBJECT_ENSURE_REGISTERED(MyrinetNetDevice);

TypeId
MyrinetNetDevice::GetTypeId()
{
    static TypeId tid = TypeId("ns3::myrinet::MyrinetNetDevice")
                            .SetParent<messaging::UnicastNetDevice>()
                            .SetGroupName("Myrinet")
                            .AddConstructor<MyrinetNetDevice>();
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
        m_lanai->Move(packet->GetSize(), [device = Ptr<MyrinetNetDevice>(this), packet] {
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
    if (!m_lanai)
    {
        GetNetwork()->Release(GetPeer());
        Receive(packet);
        return;
    }
    m_lanai->Move(packet->GetSize(), [device = Ptr<MyrinetNetDevice>(this), packet] {
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
