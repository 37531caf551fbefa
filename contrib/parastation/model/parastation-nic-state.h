/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_NIC_STATE_H
#define PARASTATION_NIC_STATE_H

#include "parastation-nic.h"

#include <algorithm>

/**
 * @file
 * @ingroup parastation
 * Messages made of packets, and a host's state in canonical form. Included by parastation-nic.h.
 */

namespace ns3
{
namespace parastation
{

template <class Protocol>
template <class Out>
void
NicCore<Protocol>::Reassemble(const Outbound& packet, Out& out)
{
    const messaging::Frame& frame = packet.frame;
    const PacketId id = PacketId::Unpack(frame.id);
    messaging::Delivery delivery;
    delivery.id = id.message;
    delivery.contents = frame.contents;
    delivery.from = packet.peer;
    delivery.bytes = id.bytes;
    delivery.tag = frame.aux;
    delivery.flags = frame.flags;
    if (id.count > 1)
    {
        if constexpr (Protocol::KEEPS_ORDER)
        {
            // Of a message that was before this one and is not complete, the rest is lost.
            std::erase_if(m_partial, [&](const Partial& partial) {
                return partial.from == packet.peer && partial.message != id.message;
            });
        }
        auto partial = std::find_if(m_partial.begin(), m_partial.end(), [&](const Partial& each) {
            return each.from == packet.peer && each.message == id.message;
        });
        if (partial == m_partial.end())
        {
            partial =
                m_partial.insert(partial, Partial{0, frame.contents, packet.peer, id.message});
        }
        // What is damaged in any packet is damaged in the message.
        partial->contents =
            partial->contents == delivery.contents ? delivery.contents : ~delivery.contents;
        partial->arrived |= uint64_t{1} << (id.index % MAX_PACKETS);
        if (partial->arrived != ~uint64_t{0} >> (MAX_PACKETS - id.count))
        {
            return;
        }
        delivery.contents = partial->contents;
        m_partial.erase(partial);
    }
    out.Deliver(delivery);
}

template <class Protocol>
bool
NicCore<Protocol>::IsIdle() const
{
    return m_queue.IsEmpty() && m_storing == NONE && m_idle == m_receive.size() &&
           m_host.IsEmpty() && m_control.IsEmpty() && m_inHand == InHand::NOTHING &&
           std::none_of(m_send.begin(), m_send.end(), [](const SendSlot& slot) {
               return slot.held;
           });
}

template <class Protocol>
void
NicCore<Protocol>::Encode(messaging::Encoder& encoder) const
{
    const auto putFrame = [&encoder](const messaging::Frame& frame) {
        encoder.Put(frame.id);
        encoder.Put(frame.contents);
        encoder.Put(uint64_t{frame.payload} << 32 | uint64_t{frame.kind} << 8 | frame.flags);
    };
    const auto putPackets = [&](const Fifo<Outbound>& line) {
        encoder.Put(line.GetN());
        for (std::size_t i = 0; i < line.GetN(); ++i)
        {
            putFrame(line[i].frame);
            encoder.Put(line[i].peer);
        }
    };
    const auto putSlots = [&encoder](const Fifo<uint32_t>& line) {
        encoder.Put(line.GetN());
        for (std::size_t i = 0; i < line.GetN(); ++i)
        {
            encoder.Put(line[i]);
        }
    };
    for (const auto& slot : m_send)
    {
        encoder.Put(uint64_t{slot.next} << 32 | static_cast<uint64_t>(slot.state) << 2 |
                    (slot.held ? 2 : 0) | (slot.waits ? 1 : 0));
        if (slot.held)
        {
            putFrame(slot.frame);
            encoder.Put(uint64_t{slot.to} << 32 | slot.outgoing);
        }
    }
    for (const auto& slot : m_receive)
    {
        encoder.Put(static_cast<uint64_t>(slot.state));
        if (slot.state != ReceiveState::IDLE)
        {
            putFrame(slot.frame);
            encoder.Put(slot.from);
        }
    }
    for (const auto& link : m_links)
    {
        encoder.Put(uint64_t{link.head} << 32 | link.messages);
    }
    for (const auto& outgoing : m_outgoing)
    {
        encoder.Put(outgoing.left);
        encoder.Put(outgoing.left > 0 ? outgoing.id : 0);
    }
    for (const auto& partial : m_partial)
    {
        encoder.Put(partial.arrived);
        encoder.Put(partial.contents);
        encoder.Put(uint64_t{partial.from} << 32 | partial.message);
    }
    for (std::size_t i = 0; i < m_queue.GetN(); ++i)
    {
        encoder.Put(m_queue[i].request.id);
        encoder.Put(m_queue[i].stored);
    }
    putPackets(m_control);
    putPackets(m_host);
    putSlots(m_arrived);
    putSlots(m_ready);
    putFrame(m_outbound.frame);
    encoder.Put(uint64_t{m_outbound.peer} << 32 | m_storing);
    encoder.Put(uint64_t{m_sending} << 32 | m_receiving);
    encoder.Put(uint64_t{m_nextSlot} << 32 | m_nextSend);
    encoder.Put(static_cast<uint64_t>(m_inHand) << 8 | (m_prepared ? 8 : 0) | (m_blocked ? 4 : 0) |
                (m_transferring ? 2 : 0) | (m_polling ? 1 : 0));
    m_protocol.Encode(encoder);
}

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_NIC_STATE_H
