/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-csma-receivers.h"

#include "ns3/ethernet-header.h"

namespace ns3
{
namespace messaging
{

void
CsmaReceivers::Start()
{
    const Ptr<CsmaReceivers> self(this);
    const auto channel = GetChannel();
    for (uint32_t number = 0; number < m_devices.GetN(); ++number)
    {
        const auto device = DynamicCast<CsmaNetDevice>(m_devices.Get(number));
        m_places[Mac48Address::ConvertFrom(device->GetAddress())] = number;
        m_ids.push_back(static_cast<uint32_t>(channel->GetDeviceNum(device)));
        device->TraceConnectWithoutContext("PhyTxBegin",
                                           MakeCallback(&CsmaReceivers::OnBegin, self, number));
        device->TraceConnectWithoutContext("PhyTxEnd",
                                           MakeCallback(&CsmaReceivers::OnEnd, self, number));
    }
    for (const uint32_t id : m_ids)
    {
        channel->Detach(id);
    }
}

void
CsmaReceivers::Stop()
{
    m_onUnknown = nullptr;
    m_devices = NetDeviceContainer();
}

Ptr<CsmaChannel>
CsmaReceivers::GetChannel() const
{
    return DynamicCast<CsmaChannel>(m_devices.Get(0)->GetChannel());
}

void
CsmaReceivers::Attach(uint32_t number)
{
    // By the device, since ns-3's Reattach by number does nothing.
    GetChannel()->Reattach(DynamicCast<CsmaNetDevice>(m_devices.Get(number)));
    m_attached.push_back(number);
}

void
CsmaReceivers::OnBegin(uint32_t sender, Ptr<const Packet> frame)
{
    if (m_devices.GetN() == 0)
    {
        return;
    }
    EthernetHeader header(false);
    frame->PeekHeader(header);
    const Mac48Address to = header.GetDestination();
    Attach(sender);
    if (to.IsGroup())
    {
        for (uint32_t number = 0; number < m_devices.GetN(); ++number)
        {
            if (number != sender)
            {
                Attach(number);
            }
        }
        return;
    }
    const auto place = m_places.find(to);
    m_unknown = place == m_places.end() || place->second == sender;
    if (!m_unknown)
    {
        Attach(place->second);
    }
}

void
CsmaReceivers::OnEnd(uint32_t, Ptr<const Packet>)
{
    if (m_devices.GetN() == 0)
    {
        return;
    }
    for (const uint32_t number : m_attached)
    {
        GetChannel()->Detach(m_ids[number]);
    }
    m_attached.clear();
    if (std::exchange(m_unknown, false) && m_onUnknown)
    {
        m_onUnknown();
    }
}

} // namespace messaging
} // namespace ns3
