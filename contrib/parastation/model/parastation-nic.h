/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_NIC_H
#define PARASTATION_NIC_H

#include "parastation-states.h"
#include "parastation-types.h"

#include "ns3/messaging-core.h"
#include "ns3/messaging-fifo.h"

#include <algorithm>
#include <vector>

/**
 * @file
 * @ingroup parastation
 * A host and its network interface: figure 2 of paper 2 as five stages that run in parallel.
 *
 *     sending host        sending NI              receiving NI            receiving host
 *     1 lookup            3 send  ---- DATA --->  4 receive
 *     2 store (PIO) --->                          A check
 *                         6 handle <-- ACK  ----  5 acknowledge
 *     7 status   <---                             B transfer (DMA) --->   C poll
 *                                                                         D copy
 *
 * Stages 1-2, 3 (with 5), 4 (with 6), A-B and C-D each process one packet at a time, so that
 * consecutive packets overlap (section 3.2). Each stage requests the work that its steps cost.
 */

namespace ns3
{
namespace parastation
{

/** Largest number of transmissions that is counted. */
inline constexpr uint8_t MOST_ATTEMPTS = 255;

/** Slot of the send ring, and its entry in the host's table. */
struct SendSlot
{
    messaging::Frame frame;           ///< The packet.
    messaging::Peer to{0};            ///< Its destination.
    uint32_t outgoing{NONE};          ///< Index of its message.
    uint32_t next{NONE};              ///< Next slot with a packet for the same destination.
    SendState state{SendState::IDLE}; ///< State (figure 3).
    bool held{false};                 ///< The host's table marks the slot as in use.
    bool waits{false};                ///< It backs off until its timer fires.
    uint8_t attempts{0};              ///< Number of transmissions, at most MOST_ATTEMPTS.
};

/** Slot of the receive ring. */
struct ReceiveSlot
{
    messaging::Frame frame;                 ///< The packet.
    messaging::Peer from{0};                ///< Its sender.
    ReceiveState state{ReceiveState::IDLE}; ///< State (figure 3).
};

/**
 * @ingroup parastation
 * Base class with default members for a protocol between network interfaces. NicCore calls the
 * members below; a protocol also has Encode.
 *
 * | member                              | called                                                |
 * |-------------------------------------|-------------------------------------------------------|
 * | MaySend(nic, slot)                  | to check whether a READY or RETRANSMIT slot can go    |
 * | OnStore(nic, slot)                  | when the host has stored a packet                     |
 * | OnPick(nic, slot)                   | before a packet is handed to the network              |
 * | OnSent(nic, slot, out)              | when a packet has been handed to the network          |
 * | OnSlotTimer(nic, slot, out)         | when a timer armed for a slot fires                   |
 * | OnPeerTimer(nic, peer, out)         | when a timer armed for a peer fires                   |
 * | OnControl(nic, from, frame, out)    | when a control packet has arrived                     |
 * | OnData(nic, from, frame, out)       | when a data packet has arrived: true to keep it       |
 * | OnTaken(nic, from, host)            | when a receive slot, or a host buffer, is free again  |
 */
class NicProtocol
{
  public:
    static constexpr bool HOLDS_NETWORK = true;  ///< A host without a free slot blocks the network.
    static constexpr bool KEEPS_ORDER = true;    ///< The packets of a pair are accepted in order.
    static constexpr bool ANSWERS_FIRST = false; ///< An ACK precedes its packet's DMA (AckOrder).

    /** Nothing to do. */
    template <class Nic>
    void OnStore(Nic&, uint32_t)
    {
    }

    /** Nothing to do. */
    template <class Nic>
    void OnPick(Nic&, uint32_t)
    {
    }

    /** Arm the packet's timer. @param nic the interface @param slot its slot @param out actions */
    template <class Nic, class Out>
    void OnSent(Nic& nic, uint32_t slot, Out& out)
    {
        out.Arm(Nic::GetSlotTimer(slot), nic.GetConfig().timeout);
    }

    /** No timer of a slot is armed. */
    template <class Nic, class Out>
    void OnSlotTimer(Nic&, uint32_t, Out&)
    {
    }

    /** No timer of a peer is armed. */
    template <class Nic, class Out>
    void OnPeerTimer(Nic&, messaging::Peer, Out&)
    {
    }

    /** There are no control packets. */
    template <class Nic, class Out>
    void OnControl(Nic&, messaging::Peer, const messaging::Frame&, Out&)
    {
    }

    /** Nothing to do. */
    template <class Nic>
    void OnTaken(Nic&, messaging::Peer, bool)
    {
    }

    /** There is no state. */
    void Encode(messaging::Encoder&) const
    {
    }
};

/**
 * @ingroup parastation
 * One host with its network interface, running a reliability protocol: a messaging::ProtocolCore.
 *
 * NicCore implements the parts common to ParaStation2 and its rivals: the rings, the host's table
 * of send slots and its receive buffers, the steps and their costs, fragmentation and reassembly.
 * The Protocol, a NicProtocol, defines the packets exchanged between network interfaces.
 *
 * A message completes with SENT when its last slot is released. The packet is then in the
 * receiver's network interface; the sender has no information beyond that (section 3.2, step 7).
 *
 * @tparam Protocol the protocol between network interfaces, derived from NicProtocol
 */
template <class Protocol>
class NicCore
{
  public:
    /**
     * Construct.
     * @param config parameters common to all hosts
     * @param self the peer
     * @param peers number of peers
     */
    NicCore(const Config& config, messaging::Peer self, uint32_t peers)
        : m_config(config),
          m_protocol(config, peers),
          m_send(config.sendRing),
          m_receive(config.receiveRing),
          m_connections(peers),
          m_self(self),
          m_idle(config.receiveRing),
          m_buffers(config.hostBuffers)
    {
    }

    /**
     * Accept a message from the application.
     * @param request the message
     * @param out actions
     * @return stalled if the queue is full, refused if the message is too large or has no receiver
     */
    template <messaging::Actions Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out)
    {
        const uint32_t packets = CountPackets(request.bytes);
        if (request.to >= m_connections.size() || request.to == m_self ||
            request.bytes > GetLargestMessage())
        {
            return messaging::Acceptance::REFUSED;
        }
        if (!CanAccept())
        {
            return messaging::Acceptance::STALLED;
        }
        auto entry = std::ranges::find(m_outgoing, 0U, &Outgoing::left);
        if (entry == m_outgoing.end())
        {
            entry = m_outgoing.insert(entry, Outgoing{});
        }
        *entry = Outgoing{request.id, packets};
        const auto outgoing = static_cast<uint32_t>(entry - m_outgoing.begin());
        m_queue.Push(Posted{request, outgoing, m_connections[request.to].messages++});
        Handle(out, [] {});
        return messaging::Acceptance::ACCEPTED;
    }

    /**
     * Receive a packet. A data packet that is not a valid fragment of a message is rejected; the
     * protocol rejects control packets whose number is not in flight. A packet in sequence is
     * trusted.
     * @param from its sender
     * @param frame the packet
     * @param out actions
     */
    template <messaging::Actions Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        if (!IsValid(from, frame))
        {
            Note(Event::ILLEGAL, out);
            return;
        }
        const auto free = std::ranges::find(m_receive, ReceiveState::IDLE, &ReceiveSlot::state);
        if (free == m_receive.end())
        {
            Note(Event::OVERRUN, out);
            return;
        }
        free->frame = frame;
        free->from = from;
        const auto slot = static_cast<uint32_t>(free - m_receive.begin());
        Change(slot, ReceiveEvent::ARRIVE, out);
        m_arrived.Push(slot);
        if (frame.kind == static_cast<uint8_t>(PacketKind::DATA))
        {
            Note(Event::RECEIVE, out);
        }
        else
        {
            Note(Event::HANDLE, out);
        }
        Handle(out, [] {});
    }

    /**
     * Handle the expiry of a timer.
     * @param timer the timer
     * @param out actions
     */
    template <messaging::Actions Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        Handle(out, [&] {
            if (timer & PEER_TIMER)
            {
                m_protocol.OnPeerTimer(*this,
                                       static_cast<messaging::Peer>(timer & ~PEER_TIMER),
                                       out);
            }
            else
            {
                m_protocol.OnSlotTimer(*this, static_cast<uint32_t>(timer), out);
            }
        });
    }

    /**
     * Handle the completion of work.
     * @param work the work
     * @param out actions
     */
    template <messaging::Actions Out>
    void OnDone(messaging::WorkId work, Out& out)
    {
        Handle(out,
               [&] { Finish(static_cast<Part>(work >> 32), static_cast<uint32_t>(work), out); });
    }

    /**
     * Resume sending: the network accepts packets again.
     * @param out actions
     */
    template <messaging::Actions Out>
    void OnReady(Out& out)
    {
        Handle(out, [this] { m_blocked = false; });
    }

    /** @return the size of the largest message [bytes]. */
    uint32_t GetLargestMessage() const
    {
        return MAX_PACKETS * m_config.packetBytes;
    }

    /** @return whether a message can be posted. */
    bool CanAccept() const
    {
        return m_queue.GetN() < m_config.queue;
    }

    /**
     * Append the state.
     * @param encoder collects it
     */
    void Encode(messaging::Encoder& encoder) const
    {
        const auto putFrame = [&encoder](const messaging::Frame& frame) {
            encoder.Put(frame.id);
            encoder.Put(frame.contents);
            encoder.Put(uint64_t{frame.payload} << 32 | uint64_t{frame.kind} << 8 | frame.flags);
        };
        const auto putPackets = [&](const messaging::Fifo<Outbound>& line) {
            encoder.Put(line.GetN());
            for (const auto& [frame, peer] : line)
            {
                putFrame(frame);
                encoder.Put(peer);
            }
        };
        const auto putSlots = [&encoder](const messaging::Fifo<uint32_t>& line) {
            encoder.Put(line.GetN());
            for (const uint32_t slot : line)
            {
                encoder.Put(slot);
            }
        };
        for (const auto& slot : m_send)
        {
            encoder.Put(uint64_t{slot.next} << 32 | static_cast<uint64_t>(slot.state) << 2 |
                        uint64_t{slot.held} << 1 | uint64_t{slot.waits});
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
        for (const auto& connection : m_connections)
        {
            encoder.Put(uint64_t{connection.head} << 32 | connection.messages);
        }
        for (const auto& outgoing : m_outgoing)
        {
            encoder.Put(outgoing.left);
            if (outgoing.left > 0)
            {
                encoder.Put(outgoing.id);
            }
            else
            {
                encoder.Put(0);
            }
        }
        for (const auto& partial : m_partial)
        {
            encoder.Put(partial.arrived);
            encoder.Put(partial.contents);
            encoder.Put(uint64_t{partial.from} << 32 | partial.message);
        }
        for (const Posted& posted : m_queue)
        {
            encoder.Put(posted.request.id);
            encoder.Put(posted.stored);
        }
        putPackets(m_control);
        putPackets(m_host);
        putSlots(m_arrived);
        putSlots(m_ready);
        putFrame(m_outbound.frame);
        encoder.Put(uint64_t{m_outbound.peer} << 32 | m_storing);
        encoder.Put(uint64_t{m_sending} << 32 | m_receiving);
        encoder.Put(uint64_t{m_nextSlot} << 32 | m_nextSend);
        encoder.Put(static_cast<uint64_t>(m_inHand) << 8 | uint64_t{m_prepared} << 3 |
                    uint64_t{m_blocked} << 2 | uint64_t{m_transferring} << 1 | uint64_t{m_polling});
        m_protocol.Encode(encoder);
    }

    /** @return the parameters common to all hosts. */
    const Config& GetConfig() const
    {
        return m_config;
    }

    /** @param slot index of a slot of the send ring @return the slot */
    const SendSlot& GetSendSlot(uint32_t slot) const
    {
        return m_send[slot];
    }

    /** @param slot index of a slot of the send ring @return the slot, mutable */
    SendSlot& GetSendSlot(uint32_t slot)
    {
        return m_send[slot];
    }

    /** @param slot index of a slot of the receive ring @return the slot */
    const ReceiveSlot& GetReceiveSlot(uint32_t slot) const
    {
        return m_receive[slot];
    }

    /** @return the protocol's state. */
    const Protocol& GetProtocol() const
    {
        return m_protocol;
    }

    /** @param peer a peer @return the first slot with a packet for it, or NONE */
    uint32_t GetHead(messaging::Peer peer) const
    {
        return m_connections[peer].head;
    }

    /** @return whether a slot of the receive ring is free. */
    bool HasFreeSlot() const
    {
        return m_idle > 0;
    }

    /** @return the size of the state, heap included [bytes]. */
    std::size_t GetMemory() const
    {
        const auto bytes = [](const auto& items) { return items.capacity() * sizeof(items[0]); };
        return sizeof(*this) + bytes(m_send) + bytes(m_receive) + bytes(m_connections) +
               bytes(m_outgoing) + bytes(m_partial) + m_queue.GetMemory() + m_control.GetMemory() +
               m_arrived.GetMemory() + m_ready.GetMemory() + m_host.GetMemory();
    }

    /** @return whether no work is pending. */
    bool IsIdle() const
    {
        // Queued messages need no check: they wait only while a slot is held.
        return m_idle == m_receive.size() && m_host.IsEmpty() && m_control.IsEmpty() &&
               m_inHand == InHand::NOTHING && std::ranges::none_of(m_send, &SendSlot::held);
    }

    /**
     * Queue a control packet.
     * @param to receiver
     * @param kind its kind
     * @param number its number
     * @param flags its flags
     */
    void QueueControl(messaging::Peer to, PacketKind kind, uint32_t number, uint8_t flags = 0)
    {
        m_control.Push(Outbound{{.id = number,
                                 .header = m_config.header,
                                 .kind = static_cast<uint8_t>(kind),
                                 .flags = flags},
                                to});
    }

    /**
     * Apply an event to a slot of the send ring, or note that it is illegal.
     * @param slot the slot
     * @param event the event
     * @param out actions
     * @return whether it was legal
     */
    template <class Out>
    bool Change(uint32_t slot, SendEvent event, Out& out)
    {
        const auto next = Next(m_send[slot].state, event);
        if (!next)
        {
            Note(Event::ILLEGAL, out);
            return false;
        }
        m_send[slot].state = *next;
        return true;
    }

    /**
     * Release a slot of the send ring, and notify the host (step 7).
     * @param slot the slot
     * @param out actions
     */
    template <class Out>
    void Release(uint32_t slot, Out& out)
    {
        if (!Change(slot, SendEvent::ACK, out))
        {
            return;
        }
        Unlink(slot);
        if (m_sending == slot)
        {
            m_sending = NONE;
        }
        out.Cancel(GetSlotTimer(slot));
        Note(Event::STATUS, out);
        uint64_t bytes = 0;
        if (m_config.costs.bus)
        {
            bytes = m_config.costs.status;
        }
        Begin(Part::STATUS, slot, messaging::WorkKind::DMA, bytes, out);
    }

    /** Note an event. @param event the event @param out actions */
    template <class Out>
    static void Note(Event event, Out& out)
    {
        out.Note(static_cast<messaging::Reason>(event));
    }

    /** @param slot a slot of the send ring @return its timer */
    static constexpr messaging::TimerId GetSlotTimer(uint32_t slot)
    {
        return slot;
    }

    /** @param peer a peer @return its timer */
    static constexpr messaging::TimerId GetPeerTimer(messaging::Peer peer)
    {
        return PEER_TIMER | peer;
    }

  private:
    /** Flag of the timers of peers. */
    static constexpr messaging::TimerId PEER_TIMER = uint64_t{1} << 32;

    /** Queued message. */
    struct Posted
    {
        messaging::Request request; ///< The message.
        uint32_t outgoing{NONE};    ///< Its entry in m_outgoing.
        uint16_t number{0};         ///< Its number.
        uint8_t stored{0};          ///< Number of its packets stored.
    };

    /** Message whose packets have not all been released. */
    struct Outgoing
    {
        messaging::RequestId id{0}; ///< The request.
        uint32_t left{0};           ///< Packets not released; zero for a free entry.
    };

    /** Packet with its receiver or sender. */
    struct Outbound
    {
        messaging::Frame frame;  ///< The packet.
        messaging::Peer peer{0}; ///< The peer.
    };

    /** Partially received message. */
    struct Partial
    {
        uint64_t arrived{0};     ///< A bit for each packet.
        uint64_t contents{0};    ///< Its contents, damage included.
        messaging::Peer from{0}; ///< Sender.
        uint16_t message{0};     ///< Number.
    };

    /** State of a peer. */
    struct Connection
    {
        uint32_t head{NONE};  ///< First slot with a packet for it.
        uint32_t tail{NONE};  ///< Last such slot.
        uint16_t messages{0}; ///< Messages sent to it.
    };

    /** Packet in the sending stage. */
    enum class InHand : uint8_t
    {
        NOTHING, ///< Nothing.
        CONTROL, ///< A control packet.
        DATA     ///< A packet of the send ring.
    };

    /** @param bytes size of a message [bytes] @return number of its packets */
    uint32_t CountPackets(uint32_t bytes) const
    {
        if (bytes == 0)
        {
            return 1;
        }
        return (bytes - 1) / m_config.packetBytes + 1;
    }

    /** Append a slot to the packets of its destination. @param slot the slot */
    void Link(uint32_t slot)
    {
        Connection& connection = m_connections[m_send[slot].to];
        if (connection.tail == NONE)
        {
            connection.head = slot;
        }
        else
        {
            m_send[connection.tail].next = slot;
        }
        connection.tail = slot;
    }

    /** Remove a slot from the packets of its destination. @param slot the slot */
    void Unlink(uint32_t slot)
    {
        SendSlot& place = m_send[slot];
        Connection& connection = m_connections[place.to];
        uint32_t before = NONE;
        for (uint32_t each = connection.head; each != slot; each = m_send[each].next)
        {
            before = each;
        }
        if (before == NONE)
        {
            connection.head = place.next;
        }
        else
        {
            m_send[before].next = place.next;
        }
        if (connection.tail == slot)
        {
            connection.tail = before;
        }
        place.next = NONE;
    }

    /**
     * Validate the sender and the header of a packet.
     * @param from the sender
     * @param frame the packet
     * @return whether the packet is valid
     */
    bool IsValid(messaging::Peer from, const messaging::Frame& frame) const
    {
        const auto kind = static_cast<PacketKind>(frame.kind);
        if (from >= m_connections.size() || from == m_self || kind > PacketKind::DAMAGED)
        {
            return false;
        }
        if (kind != PacketKind::DATA)
        {
            return true;
        }
        const PacketId id = PacketId::Unpack(frame.id);
        const uint64_t offset = uint64_t{id.index} * m_config.packetBytes;
        return id.index < id.count && id.count <= MAX_PACKETS &&
               id.count == CountPackets(id.bytes) &&
               frame.payload == std::min<uint64_t>(id.bytes - offset, m_config.packetBytes);
    }

    /** @param frame a packet @return its bytes on the bus; 0 if the bus costs nothing */
    uint64_t GetBusBytes(const messaging::Frame& frame) const
    {
        const Costs& costs = m_config.costs;
        if (!costs.bus)
        {
            return 0;
        }
        return uint64_t{frame.payload} + frame.header + costs.descriptor;
    }

    /**
     * Handle an event, then advance the stages until none can proceed.
     * @param out actions
     * @param action effect of the event
     */
    template <class Out, class Action>
    void Handle(Out& out, Action&& action)
    {
        // A user can post before Deliver or Complete returns.
        if (m_handling)
        {
            action();
            return;
        }
        m_handling = true;
        action();
        bool again = true;
        while (again)
        {
            again = StartStore(out);
            again |= StartSend(out);
            again |= StartReceive(out);
            again |= StartTransfer(out);
            again |= StartPoll(out);
        }
        m_handling = false;
        HoldNetwork(out);
    }

    /** Start steps 1 and 2. @param out actions @return whether they were started */
    template <class Out>
    bool StartStore(Out& out)
    {
        if (m_storing != NONE || m_queue.IsEmpty())
        {
            return false;
        }
        uint32_t slot = m_nextSlot;
        for (uint32_t i = 0; i < m_send.size() && m_send[slot].held; ++i)
        {
            slot = (slot + 1) % m_send.size();
        }
        if (m_send[slot].held)
        {
            return false;
        }
        m_nextSlot = (slot + 1) % m_send.size();
        m_storing = slot;
        Posted& posted = m_queue[0];
        const uint32_t offset = uint32_t{posted.stored} * m_config.packetBytes;
        const messaging::Request& request = posted.request;
        const PacketId id{.bytes = request.bytes,
                          .message = posted.number,
                          .index = posted.stored,
                          .count = static_cast<uint8_t>(CountPackets(request.bytes))};
        m_send[slot] =
            SendSlot{.frame = {.id = id.Pack(),
                               .contents = request.contents,
                               .payload = std::min(request.bytes - offset, m_config.packetBytes),
                               .aux = request.tag,
                               .header = m_config.header,
                               .kind = static_cast<uint8_t>(PacketKind::DATA),
                               .flags = request.flags},
                     .to = request.to,
                     .outgoing = posted.outgoing,
                     .held = true};
        if (++posted.stored == id.count)
        {
            m_queue.Pop();
        }
        Note(Event::LOOKUP, out);
        Begin(Part::LOOKUP,
              slot,
              messaging::WorkKind::INSTRUCTIONS,
              DrawHostTime(m_config.costs.hostSend, out),
              out);
        return true;
    }

    /** Start steps 3 and 5. @param out actions @return whether either made progress */
    template <class Out>
    bool StartSend(Out& out)
    {
        if (m_inHand != InHand::NOTHING)
        {
            return m_prepared && !m_blocked && Transmit(out);
        }
        const Costs& costs = m_config.costs;
        if (!m_control.IsEmpty())
        {
            m_outbound = m_control.Pop();
            m_inHand = InHand::CONTROL;
            Note(Event::ACKNOWLEDGE, out);
            Begin(Part::ACKNOWLEDGE, 0, messaging::WorkKind::INSTRUCTIONS, costs.buildControl, out);
            return true;
        }
        const uint32_t slot = FindSendable();
        if (slot == NONE)
        {
            return false;
        }
        m_nextSend = (slot + 1) % m_send.size();
        m_sending = slot;
        m_inHand = InHand::DATA;
        Note(Event::SEND, out);
        Begin(Part::SEND, slot, messaging::WorkKind::INSTRUCTIONS, costs.firmwareSend, out);
        return true;
    }

    /** Start steps 4 and 6. @param out actions @return whether either was started */
    template <class Out>
    bool StartReceive(Out& out)
    {
        if (m_receiving != NONE || m_arrived.IsEmpty())
        {
            return false;
        }
        m_receiving = m_arrived.Pop();
        Part part = Part::HANDLE;
        uint32_t time = m_config.costs.handleControl;
        if (m_receive[m_receiving].frame.kind == static_cast<uint8_t>(PacketKind::DATA))
        {
            part = Part::RECEIVE;
            time = m_config.costs.firmwareReceive;
        }
        Begin(part, m_receiving, messaging::WorkKind::INSTRUCTIONS, time, out);
        return true;
    }

    /** Start steps A and B. @param out actions @return whether they were started */
    template <class Out>
    bool StartTransfer(Out& out)
    {
        if (m_transferring || m_ready.IsEmpty() || m_buffers == 0 || AnswersFirst())
        {
            return false;
        }
        m_transferring = true;
        --m_buffers;
        const uint32_t slot = m_ready.Pop();
        Note(Event::CHECK, out);
        Note(Event::TRANSFER, out);
        Begin(Part::TRANSFER,
              slot,
              messaging::WorkKind::DMA,
              GetBusBytes(m_receive[slot].frame),
              out);
        return true;
    }

    /** Start steps C and D. @param out actions @return whether they were started */
    template <class Out>
    bool StartPoll(Out& out)
    {
        if (m_polling || m_host.IsEmpty())
        {
            return false;
        }
        m_polling = true;
        Note(Event::POLL, out);
        Begin(Part::POLL,
              0,
              messaging::WorkKind::INSTRUCTIONS,
              DrawHostTime(m_config.costs.hostReceive, out),
              out);
        return true;
    }

    /**
     * Hand the packet of the sending stage to the network.
     * @param out actions
     * @return whether the stage is free again
     */
    template <class Out>
    bool Transmit(Out& out)
    {
        if (m_inHand == InHand::CONTROL)
        {
            m_blocked = !out.Send(m_outbound.peer, m_outbound.frame);
        }
        else if (m_sending != NONE && m_protocol.MaySend(*this, m_sending))
        {
            m_protocol.OnPick(*this, m_sending);
            SendSlot& slot = m_send[m_sending];
            m_blocked = !out.Send(slot.to, slot.frame);
            if (!m_blocked)
            {
                if (slot.state == SendState::RETRANSMIT)
                {
                    Note(Event::RETRANSMITTED, out);
                }
                if (slot.attempts < MOST_ATTEMPTS)
                {
                    ++slot.attempts;
                }
                Change(m_sending, SendEvent::SEND, out);
                m_protocol.OnSent(*this, m_sending, out);
            }
        }
        if (m_blocked)
        {
            return false;
        }
        m_inHand = InHand::NOTHING;
        m_sending = NONE;
        m_prepared = false;
        m_outbound = Outbound{};
        return true;
    }

    /**
     * Request work, or continue at once if it costs nothing.
     * @param part its part
     * @param index of the slot, if it has one
     * @param kind kind of work
     * @param amount its amount [ns, or bytes of a transfer or copy]
     * @param out actions
     */
    template <class Out>
    void Begin(Part part, uint32_t index, messaging::WorkKind kind, uint64_t amount, Out& out)
    {
        if (amount == 0)
        {
            Finish(part, index, out);
            return;
        }
        // Firmware, and DMA over the bus.
        auto unit = messaging::WorkUnit::INTERFACE;
        if (part == Part::LOOKUP || kind == messaging::WorkKind::PIO || part == Part::POLL ||
            part == Part::COPY)
        {
            unit = messaging::WorkUnit::HOST;
        }
        out.Do(messaging::Work{static_cast<uint64_t>(part) << 32 | index, amount, kind, unit});
    }

    /**
     * Continue after the completion of work.
     * @param part its part
     * @param index of the slot, if it has one
     * @param out actions
     */
    template <class Out>
    void Finish(Part part, uint32_t index, Out& out)
    {
        using messaging::WorkKind;
        const Costs& costs = m_config.costs;
        switch (part)
        {
        case Part::LOOKUP:
            Note(Event::STORE, out);
            if (m_send[index].frame.payload >= costs.dmaThreshold)
            {
                Begin(Part::FETCH, index, WorkKind::INSTRUCTIONS, costs.fetch, out);
                return;
            }
            Begin(Part::STORE, index, WorkKind::PIO, GetBusBytes(m_send[index].frame), out);
            return;
        case Part::FETCH:
            Begin(Part::STORE, index, WorkKind::DMA, GetBusBytes(m_send[index].frame), out);
            return;
        case Part::STORE:
            EndStore(index, out);
            return;
        case Part::SEND:
        case Part::ACKNOWLEDGE:
            m_prepared = true;
            return;
        case Part::RECEIVE:
        case Part::HANDLE:
            EndReceive(index, out);
            return;
        case Part::STATUS:
            EndStatus(index, out);
            return;
        case Part::TRANSFER:
            m_host.Push(Outbound{m_receive[index].frame, m_receive[index].from});
            m_transferring = false;
            Change(index, ReceiveEvent::TAKE, out);
            m_protocol.OnTaken(*this, m_receive[index].from, false);
            return;
        case Part::POLL:
            Note(Event::COPY, out);
            Begin(Part::COPY,
                  0,
                  WorkKind::COPY,
                  uint64_t{costs.receiveCopies} * m_host[0].frame.payload / PERCENT,
                  out);
            return;
        case Part::COPY: {
            m_polling = false;
            ++m_buffers;
            const Outbound packet = m_host.Pop();
            m_protocol.OnTaken(*this, packet.peer, true);
            Reassemble(packet, out);
            return;
        }
        }
    }

    /** Finish storing a packet in the send ring. @param slot its slot @param out actions */
    template <class Out>
    void EndStore(uint32_t slot, Out& out)
    {
        Change(slot, SendEvent::STORE, out);
        m_storing = NONE;
        Link(slot);
        m_protocol.OnStore(*this, slot);
    }

    /** Accept or discard an examined packet. @param slot its slot @param out actions */
    template <class Out>
    void EndReceive(uint32_t slot, Out& out)
    {
        m_receiving = NONE;
        const ReceiveSlot& place = m_receive[slot];
        const messaging::Peer from = place.from;
        const auto kind = static_cast<PacketKind>(place.frame.kind);
        if (kind == PacketKind::DATA && m_protocol.OnData(*this, from, place.frame, out))
        {
            Change(slot, ReceiveEvent::ACCEPT, out);
            m_ready.Push(slot);
            return;
        }
        if (kind == PacketKind::DAMAGED)
        {
            Note(Event::BAD_CRC, out);
        }
        else if (kind != PacketKind::DATA)
        {
            m_protocol.OnControl(*this, from, place.frame, out);
        }
        Change(slot, ReceiveEvent::DISCARD, out);
    }

    /** Reassemble a packet's message and deliver it. @param packet the packet @param out actions */
    template <class Out>
    void Reassemble(const Outbound& packet, Out& out)
    {
        const messaging::Frame& frame = packet.frame;
        const PacketId id = PacketId::Unpack(frame.id);
        messaging::Delivery delivery{id.message,
                                     frame.contents,
                                     packet.peer,
                                     id.bytes,
                                     frame.aux,
                                     frame.flags};
        if (id.count > 1)
        {
            if constexpr (Protocol::KEEPS_ORDER)
            {
                // An earlier message that is still incomplete has lost packets.
                std::erase_if(m_partial, [&](const Partial& partial) {
                    return partial.from == packet.peer && partial.message != id.message;
                });
            }
            auto partial = std::ranges::find_if(m_partial, [&](const Partial& each) {
                return each.from == packet.peer && each.message == id.message;
            });
            if (partial == m_partial.end())
            {
                partial =
                    m_partial.insert(partial, Partial{0, frame.contents, packet.peer, id.message});
            }
            if (partial->contents != delivery.contents)
            {
                // A damaged packet damages the message.
                partial->contents = ~delivery.contents;
            }
            partial->arrived |= uint64_t{1} << id.index;
            if (partial->arrived != ~uint64_t{0} >> (MAX_PACKETS - id.count))
            {
                return;
            }
            delivery.contents = partial->contents;
            m_partial.erase(partial);
        }
        out.Deliver(delivery);
    }

    /** Mark a slot as free in the host's table. @param slot the slot @param out actions */
    template <class Out>
    void EndStatus(uint32_t slot, Out& out)
    {
        m_send[slot].held = false;
        Outgoing& outgoing = m_outgoing[m_send[slot].outgoing];
        if (--outgoing.left == 0)
        {
            out.Complete(outgoing.id, messaging::Completion::SENT);
        }
    }

    /**
     * Apply an event to a receive slot.
     * @param slot the slot
     * @param event the event
     * @param out actions
     */
    template <class Out>
    void Change(uint32_t slot, ReceiveEvent event, Out& out)
    {
        ReceiveState& state = m_receive[slot].state;
        const auto next = Next(state, event);
        if (!next)
        {
            Note(Event::ILLEGAL, out);
            return;
        }
        if (*next == ReceiveState::IDLE)
        {
            ++m_idle;
        }
        if (state == ReceiveState::IDLE)
        {
            --m_idle;
        }
        state = *next;
    }

    /** @return whether the firmware has to build an answer before it transfers a packet to the
     * host. It does not wait for a blocked network, as two hosts could wait for each other. */
    bool AnswersFirst() const
    {
        if constexpr (Protocol::ANSWERS_FIRST)
        {
            const bool builds = m_inHand == InHand::CONTROL && !m_prepared;
            return m_config.ackOrder == AckOrder::FIRST && !m_blocked &&
                   (builds || !m_control.IsEmpty());
        }
        return false;
    }

    /** @param time mean time of the host [ns] @param out actions @return time with jitter [ns] */
    template <class Out>
    uint32_t DrawHostTime(uint32_t time, Out& out) const
    {
        const uint32_t jitter = std::min(m_config.costs.jitter, time);
        if (jitter == 0)
        {
            return time;
        }
        return time - jitter + out.Random(2 * jitter + 1);
    }

    /** @return a slot that can be sent now, in the order of the ring, or NONE. */
    uint32_t FindSendable() const
    {
        for (uint32_t i = 0; i < m_send.size(); ++i)
        {
            const uint32_t slot = (m_nextSend + i) % m_send.size();
            const SendState state = m_send[slot].state;
            if ((state == SendState::READY || state == SendState::RETRANSMIT) &&
                m_protocol.MaySend(*this, slot))
            {
                return slot;
            }
        }
        return NONE;
    }

    /**
     * Make the network, if it can, hold the packets for this host while no slot is free.
     * @param out actions
     */
    template <class Out>
    void HoldNetwork(Out& out)
    {
        if constexpr (Protocol::HOLDS_NETWORK && requires { out.SetAccepting(true); })
        {
            const bool holds = m_idle == 0;
            if (holds != m_holds)
            {
                m_holds = holds;
                out.SetAccepting(!holds);
            }
        }
    }

    Config m_config;                       ///< Parameters common to all hosts.
    Protocol m_protocol;                   ///< Protocol between network interfaces.
    std::vector<SendSlot> m_send;          ///< The send ring.
    std::vector<ReceiveSlot> m_receive;    ///< The receive ring.
    std::vector<Connection> m_connections; ///< State of each peer.
    std::vector<Outgoing> m_outgoing;      ///< Messages whose packets have not all been released.
    std::vector<Partial> m_partial;        ///< Partially received messages.
    messaging::Fifo<Posted> m_queue;       ///< Queued messages.
    messaging::Fifo<Outbound> m_control;   ///< Queued control packets.
    messaging::Fifo<uint32_t> m_arrived;   ///< Slots of packets to be examined.
    messaging::Fifo<uint32_t> m_ready;     ///< READY slots of the receive ring.
    messaging::Fifo<Outbound> m_host;      ///< Packets in host memory.
    Outbound m_outbound;                   ///< Control packet in the sending stage.
    messaging::Peer m_self;                ///< The peer.
    uint32_t m_storing{NONE};              ///< Slot that the host stores into, or NONE.
    uint32_t m_sending{NONE};              ///< Slot in the sending stage; NONE once released.
    uint32_t m_receiving{NONE};            ///< Slot being examined, or NONE.
    uint32_t m_nextSlot{0};                ///< First slot that the host checks.
    uint32_t m_nextSend{0};                ///< First slot that the interface checks.
    uint32_t m_idle;                       ///< Free slots of the receive ring.
    uint32_t m_buffers;                    ///< Free host buffers.
    InHand m_inHand{InHand::NOTHING};      ///< Packet in the sending stage.
    bool m_prepared{false};                ///< The firmware has processed it.
    bool m_blocked{false};                 ///< The network refuses packets.
    bool m_transferring{false};            ///< A DMA transfer to host memory is in progress.
    bool m_polling{false};                 ///< The application processes a packet.
    bool m_handling{false};                ///< An event is being handled.
    bool m_holds{false};                   ///< The network holds the packets for this host.
};

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_NIC_H
