/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-packet-port.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingPacketPort");

TypeId
PacketPort::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::messaging::PacketPort")
            .SetParent<Object>()
            .SetGroupName("Messaging")
            .AddTraceSource("Loss",
                            "The port has lost frames, such as one that has arrived damaged: "
                            "place, number.",
                            MakeTraceSourceAccessor(&PacketPort::m_lossTrace),
                            "ns3::messaging::PacketPort::LossTracedCallback")
            .AddTraceSource("Refuse",
                            "The layer below has refused a frame, which is lost: sender, "
                            "receiver, packet. A net device also reports it at MacTxDrop.",
                            MakeTraceSourceAccessor(&PacketPort::m_refuseTrace),
                            "ns3::messaging::PacketPort::RefuseTracedCallback");
    return tid;
}

void
PacketPort::DoDispose()
{
    m_user = nullptr;
    if (m_clock)
    {
        m_clock->Unregister(m_number);
    }
    m_clock = nullptr;
    Object::DoDispose();
}

void
PacketPort::Begin(Ptr<TickClock> clock, uint32_t nPeers, uint32_t mtu, bool broadcast)
{
    NS_ABORT_MSG_IF(m_clock, "A port can connect only one group.");
    NS_ABORT_MSG_IF(mtu <= FrameHeader::SIZE,
                    "Packets of " << mtu << " bytes are too small for a frame's header of "
                                  << FrameHeader::SIZE << " bytes.");
    m_clock = clock;
    m_number = clock->Register(this);
    m_mtu = mtu - FrameHeader::SIZE;
    m_broadcast = broadcast;
    m_waiting.assign(nPeers, 0);
}

Ticks
PacketPort::Distance(Peer self, Peer to) const
{
    return self == to ? 1
                      : static_cast<Ticks>(m_latency.GetTimeStep() /
                                           m_clock->GetTickLength().GetTimeStep());
}

Ticks
PacketPort::WireTicks(const Frame& frame) const
{
    if (m_rate.GetBitRate() == 0)
    {
        return 0;
    }
    const auto bytes = GetHeaderBytes(frame) + frame.payload;
    const int64_t tick = m_clock->GetTickLength().GetTimeStep();
    return static_cast<Ticks>((m_rate.CalculateBytesTxTime(bytes).GetTimeStep() + tick - 1) / tick);
}

bool
PacketPort::Send(Peer self, Peer to, const Frame& frame)
{
    // A protocol that states its header size may also use the bytes of the port's header.
    const uint64_t bytes = GetHeaderBytes(frame) + uint64_t{frame.payload};
    NS_ABORT_MSG_IF(bytes > m_mtu + FrameHeader::SIZE,
                    "A frame of " << bytes << " bytes exceeds the MTU of "
                                  << m_mtu + FrameHeader::SIZE << " bytes.");
    if (self == to)
    {
        m_clock->At(m_clock->Now() + 1, m_number, self, m_own.Put(frame));
        return true;
    }
    if (!IsReady(self))
    {
        m_waiting[self] = std::max<uint8_t>(m_waiting[self], 1);
        return false;
    }
    NS_LOG_DEBUG(self << " sends kind " << +frame.kind << " id " << frame.id << " to " << to);
    Transmit(self, to, MakePacket(frame));
    return true;
}

void
PacketPort::NotifyRefusal(Peer self, Peer to, Ptr<const Packet> packet)
{
    NS_LOG_INFO(self << " loses a frame to " << to << ", which its device or socket has refused");
    ++m_refused;
    m_refuseTrace(self, to, packet);
}

void
PacketPort::Retry(Peer self)
{
    if (m_waiting[self] == 1 && m_clock)
    {
        // Deferred by an event, since the layer below has not finished its own.
        m_waiting[self] = 2;
        m_clock->At(m_clock->Now(), m_number, self, READY);
    }
}

void
PacketPort::Arrive(Peer self, const Address& from, Ptr<const Packet> packet)
{
    const auto sender = m_peers.find(from);
    if (sender == m_peers.end())
    {
        return;
    }
    const auto read = ReadPacket(packet);
    if (!read || !read->intact)
    {
        static const std::string CHECKSUM = "checksum of a frame";
        NotifyLoss(CHECKSUM, 1);
        return;
    }
    NS_LOG_DEBUG(self << " receives kind " << +read->frame.kind << " id " << read->frame.id
                      << " from " << sender->second);
    if (m_user)
    {
        m_user->OnFrame(self, sender->second, read->frame);
    }
}

void
PacketPort::OnTick(Peer peer, uint64_t datum)
{
    if (datum != READY)
    {
        const Frame frame = m_own.Take(datum);
        if (m_user)
        {
            m_user->OnFrame(peer, peer, frame);
        }
        return;
    }
    m_waiting[peer] = 0;
    if (!IsReady(peer))
    {
        m_waiting[peer] = 1;
    }
    else if (m_user)
    {
        m_user->OnReady(peer);
    }
}

} // namespace messaging
} // namespace ns3
