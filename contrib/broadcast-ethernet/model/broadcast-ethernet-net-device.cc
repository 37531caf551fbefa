/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-net-device.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace ethernet
{

NS_LOG_COMPONENT_DEFINE("BroadcastEthernetNetDevice");
NS_OBJECT_ENSURE_REGISTERED(EthernetNetDevice);

namespace
{

/** Largest packet without its Ethernet header (3.2.7) [bytes]. */
constexpr uint16_t MAX_MTU = MAX_FRAME_BYTES - HEADER_BYTES - FCS_BYTES;

} // namespace

TypeId
EthernetNetDevice::GetTypeId()
{
    using D = EthernetNetDevice;
    static TypeId tid =
        messaging::Attributes<D>(
            TypeId("ns3::ethernet::EthernetNetDevice")
                .SetParent<messaging::PlainNetDevice>()
                .SetGroupName("BroadcastEthernet")
                .AddConstructor<D>()
                .AddAttribute(
                    "Mtu",
                    "Largest packet without its Ethernet header [bytes; IEEE 802.3, 3.2.7].",
                    UintegerValue(MAX_MTU),
                    MakeUintegerAccessor(&PlainNetDevice::SetMtu, &PlainNetDevice::GetMtu),
                    MakeUintegerChecker<uint16_t>(68, MAX_MTU)))
            .AddTraceSource("Collision",
                            "End of an attempt in a collision.",
                            MakeTraceSourceAccessor(&D::m_collisionTrace),
                            "ns3::ethernet::EthernetNetDevice::CollisionTracedCallback");
    return tid;
}

void
EthernetNetDevice::DoDispose()
{
    m_medium = nullptr;
    m_current = nullptr;
    PlainNetDevice::DoDispose();
}

void
EthernetNetDevice::Attach(Ptr<EthernetMedium> medium)
{
    m_medium = medium;
    m_station = medium->Attach(this, this);
    SetLinkUp(true);
}

bool
EthernetNetDevice::SendFrom(Ptr<Packet> packet,
                            const Address& source,
                            const Address& dest,
                            uint16_t protocol)
{
    const Mac48Address from = Mac48Address::ConvertFrom(source);
    const Mac48Address to = Mac48Address::ConvertFrom(dest);
    if (!IsLinkUp() || packet->GetSize() > GetMtu())
    {
        return Refuse(packet, from, to, protocol);
    }
    constexpr uint32_t shortest = MIN_FRAME_BYTES - HEADER_BYTES - FCS_BYTES;
    if (packet->GetSize() < shortest)
    {
        // AddPaddingAtEnd leaves the padding out of the packet's metadata, and removing it aborts.
        packet->AddAtEnd(Create<Packet>(shortest - packet->GetSize()));
    }
    if (!Enqueue(packet, from, to, protocol))
    {
        ++m_counters.txRingDrops;
        return false;
    }
    Transmit();
    return true;
}

void
EthernetNetDevice::Transmit()
{
    if (m_current || !IsLinkUp())
    {
        return;
    }
    if (const Ptr<Packet> packet = Dequeue())
    {
        m_current = Create<WireFrame>(packet);
        m_medium->Transmit(m_station, m_current);
    }
}

void
EthernetNetDevice::OnTransmitBegin(uint32_t attempt)
{
    if (!m_current)
    {
        return;
    }
    const Ptr<const Packet> packet = m_current->GetPacket();
    NS_LOG_LOGIC("Card " << m_address << " begins attempt " << attempt << " to send a frame to "
                         << m_current->GetTo());
    if (attempt == 1)
    {
        m_sniffer(packet);
        m_promiscSniffer(packet);
    }
    m_phyTxBegin(packet);
}

void
EthernetNetDevice::OnCollision(uint32_t attempt)
{
    if (!m_current)
    {
        return;
    }
    ++m_counters.collisions;
    m_collisionTrace(m_current->GetPacket(), attempt);
}

void
EthernetNetDevice::OnTransmitEnd(TxOutcome outcome)
{
    if (!m_current)
    {
        return;
    }
    const Ptr<const WireFrame> frame = m_current;
    m_current = nullptr;
    m_counters.sent += outcome == TxOutcome::SENT;
    m_counters.excessiveCollisions += outcome == TxOutcome::EXCESSIVE_COLLISIONS;
    m_counters.lateCollisions += outcome == TxOutcome::LATE_COLLISION;
    if (outcome == TxOutcome::SENT)
    {
        NS_LOG_LOGIC("Card " << m_address << " has sent a frame to " << frame->GetTo());
        m_phyTxEnd(frame->GetPacket());
    }
    else
    {
        NS_LOG_INFO("Card " << m_address << " drops a frame to " << frame->GetTo()
                            << " after a collision");
        m_phyTxDrop(frame->GetPacket());
    }
    Transmit();
}

bool
EthernetNetDevice::Wants(const WireFrame& frame) const
{
    return IsForMe(frame) || !m_promiscReceive.IsNull() || !m_promiscSniffer.IsEmpty() ||
           !m_macPromiscRx.IsEmpty() || !m_phyRxEnd.IsEmpty() || !m_phyRxDrop.IsEmpty();
}

void
EthernetNetDevice::Fire(const FrameTrace& source, const WireFrame& frame)
{
    if (!source.IsEmpty())
    {
        source(frame.GetPacket());
    }
}

void
EthernetNetDevice::FireLoss(bool mine, const WireFrame& frame)
{
    if (mine)
    {
        Fire(m_rxLoss, frame);
    }
}

void
EthernetNetDevice::OnReceive(Ptr<const WireFrame> frame, bool damaged)
{
    if (!GetNode())
    {
        return;
    }
    const bool mine = IsForMe(*frame);
    if (!IsLinkUp())
    {
        NS_LOG_INFO("Card " << m_address << " loses a frame: its link is down");
        FireLoss(mine, *frame);
        return;
    }
    if (damaged || (m_errorModel && m_errorModel->IsCorrupt(frame->GetPacket()->Copy())))
    {
        NS_LOG_INFO("Card " << m_address << " drops a damaged frame from " << frame->GetFrom());
        ++m_counters.damaged;
        Fire(m_phyRxDrop, *frame);
        FireLoss(mine, *frame);
        return;
    }
    Fire(m_phyRxEnd, *frame);
    m_counters.received += mine;
    Fire(m_promiscSniffer, *frame);
    Fire(m_macPromiscRx, *frame);
    if (!m_promiscReceive.IsNull())
    {
        m_promiscReceive(this,
                         frame->GetPayload(),
                         frame->GetType(),
                         frame->GetFrom(),
                         frame->GetTo(),
                         Classify(frame->GetTo()));
    }
    if (!mine)
    {
        return;
    }
    NS_LOG_LOGIC("Card " << m_address << " receives a frame of " << frame->GetBytes()
                         << " bytes from " << frame->GetFrom());
    Fire(m_sniffer, *frame);
    Fire(m_macRx, *frame);
    if (m_receive.IsNull() ||
        !m_receive(this, frame->GetPayload(), frame->GetType(), frame->GetFrom()))
    {
        Fire(m_macRxDrop, *frame);
    }
}

bool
EthernetNetDevice::SetMtu(const uint16_t mtu)
{
    if (mtu < 68 || mtu > MAX_MTU)
    {
        return false;
    }
    return PlainNetDevice::SetMtu(mtu);
}

} // namespace ethernet
} // namespace ns3
