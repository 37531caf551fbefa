/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_NIC_H
#define PARASTATION_NIC_H

#include "parastation-fifo.h"
#include "parastation-states.h"
#include "parastation-types.h"

#include "ns3/messaging-core.h"

#include <vector>

/**
 * @file
 * @ingroup parastation
 * A host and its network interface: figure 2 of paper 2 as five stages that run side by side.
 *
 *     sending host        sending NI              receiving NI            receiving host
 *     1 lookup            3 send  ---- DATA --->  4 receive
 *     2 store (PIO) --->                          A check
 *                         6 handle <-- ACK  ----  5 acknowledge
 *     7 status   <---                             B transfer (DMA) --->   C poll
 *                                                                         D copy
 *
 * Stages 1-2, 3 (with 5), 4 (with 6), A-B and C-D each have one packet in hand, so consecutive
 * packets overlap (section 3.2), and each asks its host for the work that its steps cost.
 */

namespace ns3
{
namespace parastation
{

/** A slot of the send ring, and what the host's table says of it. */
struct SendSlot
{
    messaging::Frame frame;           ///< The packet.
    messaging::Peer to{0};            ///< Its destination.
    uint32_t outgoing{NONE};          ///< The message it is part of.
    uint32_t next{NONE};              ///< Next slot with a packet for the same destination.
    SendState state{SendState::IDLE}; ///< State (figure 3).
    bool held{false};                 ///< The host's table says that it is not free.
    bool waits{false};                ///< It is not to be sent before its timer fires.
    uint8_t attempts{0};              ///< How often it was sent.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const SendSlot&) const = default;
};

/** A slot of the receive ring. */
struct ReceiveSlot
{
    messaging::Frame frame;                 ///< The packet.
    messaging::Peer from{0};                ///< Its sender.
    ReceiveState state{ReceiveState::IDLE}; ///< State (figure 3).

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const ReceiveSlot&) const = default;
};

/**
 * @ingroup parastation
 * One host with its network interface, running a reliability protocol: a messaging::ProtocolCore.
 *
 * What is the same for ParaStation2 and its rivals is here: the rings, the host's table of send
 * slots and its receive buffers, the steps and what they cost, packets made of messages and
 * messages made of packets. What the network interfaces say to each other is the Protocol's:
 *
 * | member                              | is called                                             |
 * |-------------------------------------|-------------------------------------------------------|
 * | MaySend(nic, slot)                  | to look whether a READY or RETRANSMIT slot can go now |
 * | OnStore(nic, slot)                  | when the host has stored a packet                     |
 * | OnSent(nic, slot, out)              | when a packet has been handed to the network          |
 * | OnSlotTimer(nic, slot, out)         | when a timer that it has armed for a slot fires       |
 * | OnPeerTimer(nic, peer, out)         | when a timer that it has armed for a peer fires       |
 * | OnControl(nic, from, frame, out)    | when a control packet has arrived                     |
 * | OnData(nic, from, frame, out)       | when a data packet has arrived: true to keep it       |
 * | OnTaken(nic, from, out)             | when a receive slot is free again                     |
 *
 * A message's sender is told SENT when the last slot is released: the packet is then in the
 * receiver's network interface, and no more is known (section 3.2, step 7).
 *
 * @tparam Protocol what the network interfaces say to each other
 */
template <class Protocol>
class NicCore
{
  public:
    /**
     * Construct.
     * @param config what is the same for all hosts
     * @param self the peer
     * @param peers how many there are
     * @param seed where the random numbers begin: the host's jitter, the protocol's backoff
     */
    NicCore(const Config& config, messaging::Peer self, uint32_t peers, uint64_t seed = 1);

    /**
     * The application has a message to send.
     * @param request the message
     * @param out what is to be done
     * @return stalled if too many messages wait, refused if it is too large or for nobody
     */
    template <messaging::Actions Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out);

    /**
     * A packet has arrived.
     * @param from its sender
     * @param frame the packet
     * @param out what is to be done
     */
    template <messaging::Actions Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out);

    /**
     * A timer has fired.
     * @param timer which
     * @param out what is to be done
     */
    template <messaging::Actions Out>
    void OnTimer(messaging::TimerId timer, Out& out);

    /**
     * Work is done.
     * @param work which
     * @param out what is to be done
     */
    template <messaging::Actions Out>
    void OnDone(messaging::WorkId work, Out& out);

    /**
     * The network takes packets again.
     * @param out what is to be done
     */
    template <messaging::Actions Out>
    void OnReady(Out& out);

    /** @return whether a message can be posted. */
    bool CanAccept() const
    {
        return m_queue.GetN() < m_config.queue;
    }

    /**
     * Append the state.
     * @param encoder where
     */
    void Encode(messaging::Encoder& encoder) const;

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const NicCore&) const = default;

    /** @return what is the same for all hosts. */
    const Config& GetConfig() const
    {
        return m_config;
    }

    /** @return the peer. */
    messaging::Peer GetSelf() const
    {
        return m_self;
    }

    /** @param slot index of a slot of the send ring @return the slot */
    const SendSlot& GetSendSlot(uint32_t slot) const
    {
        return m_send[slot];
    }

    /** @param slot index of a slot of the send ring @return the slot, to be changed */
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
        return m_links[peer].head;
    }

    /** @return whether a slot of the receive ring is free. */
    bool HasFreeSlot() const
    {
        return m_idle > 0;
    }

    /** @return whether nothing is left to do. */
    bool IsIdle() const;

    /**
     * Have a control packet sent.
     * @param to to whom
     * @param kind what it is
     * @param number its number
     * @param flags its flags
     */
    void Control(messaging::Peer to, PacketKind kind, uint32_t number, uint8_t flags = 0)
    {
        messaging::Frame frame;
        frame.id = number;
        frame.source = m_self;
        frame.header = m_config.header;
        frame.kind = static_cast<uint8_t>(kind);
        frame.flags = flags;
        m_control.Push(Outbound{frame, to});
    }

    /**
     * Have something happen to a slot of the send ring.
     * @param slot which
     * @param event what
     * @param out told if it cannot happen
     * @return whether it could
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
     * Release a slot of the send ring, and tell the host (step 7).
     * @param slot which
     * @param out what is to be done
     */
    template <class Out>
    void Release(uint32_t slot, Out& out);

    /** Note an event. @param event what @param out told */
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
    /** Marks the timers of peers. */
    static constexpr messaging::TimerId PEER_TIMER = uint64_t{1} << 32;

    /** A message that waits to be stored. */
    struct Posted
    {
        messaging::Request request; ///< The message.
        uint32_t outgoing{NONE};    ///< Its entry in m_outgoing.
        uint16_t number{0};         ///< Its number.
        uint8_t stored{0};          ///< How many of its packets have been stored.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Posted&) const = default;
    };

    /** A message whose packets have not all been released. */
    struct Outgoing
    {
        messaging::RequestId id{0}; ///< The request.
        uint32_t left{0};           ///< Packets not released; zero for a free entry.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Outgoing&) const = default;
    };

    /** A packet and the peer that it is for, or from. */
    struct Outbound
    {
        messaging::Frame frame;  ///< The packet.
        messaging::Peer peer{0}; ///< The peer.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Outbound&) const = default;
    };

    /** A message of which some packets have arrived. */
    struct Partial
    {
        uint64_t arrived{0};     ///< A bit for each packet.
        uint64_t contents{0};    ///< What the packets stand for, damage included.
        messaging::Peer from{0}; ///< Sender.
        uint16_t message{0};     ///< Number.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Partial&) const = default;
    };

    /** What is known of a peer. */
    struct Link
    {
        uint32_t head{NONE};  ///< First slot with a packet for it.
        uint32_t tail{NONE};  ///< Last such slot.
        uint16_t messages{0}; ///< Messages sent to it.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Link&) const = default;
    };

    /** What the sending stage has in hand. */
    enum class InHand : uint8_t
    {
        NOTHING, ///< Nothing.
        CONTROL, ///< A control packet.
        DATA     ///< A packet of the send ring.
    };

    /** @param request a message @return how many packets it takes */
    uint32_t CountPackets(const messaging::Request& request) const
    {
        return request.bytes == 0 ? 1 : (request.bytes - 1) / m_config.packetBytes + 1;
    }

    /**
     * Handle an event, and go on with all stages until none can.
     * @param out what is to be done
     * @param action what the event does
     */
    template <class Out, class Action>
    void Handle(Out& out, Action&& action);

    /** Steps 1 and 2. @param out what is to be done @return whether anything was done */
    template <class Out>
    bool StartStore(Out& out);

    /** Steps 3 and 5. @param out what is to be done @return whether anything was done */
    template <class Out>
    bool StartSend(Out& out);

    /** Steps 4 and 6. @param out what is to be done @return whether anything was done */
    template <class Out>
    bool StartReceive(Out& out);

    /** Steps A and B. @param out what is to be done @return whether anything was done */
    template <class Out>
    bool StartTransfer(Out& out);

    /** Steps C and D. @param out what is to be done @return whether anything was done */
    template <class Out>
    bool StartPoll(Out& out);

    /**
     * Hand what is in hand to the network.
     * @param out what is to be done
     * @return whether it went
     */
    template <class Out>
    bool Transmit(Out& out);

    /**
     * Ask for work, or go on at once if it costs nothing.
     * @param part what it is part of
     * @param index of the slot, if it has one
     * @param kind what kind of work
     * @param amount how much
     * @param out what is to be done
     */
    template <class Out>
    void Begin(Part part, uint32_t index, messaging::WorkKind kind, uint64_t amount, Out& out);

    /**
     * Some work is done.
     * @param part what it was part of
     * @param index of the slot, if it has one
     * @param out what is to be done
     */
    template <class Out>
    void Finish(Part part, uint32_t index, Out& out);

    /** A packet is in the send ring. @param slot its slot @param out what is to be done */
    template <class Out>
    void EndStore(uint32_t slot, Out& out);

    /** Look at a packet that has arrived. @param slot its slot @param out what is to be done */
    template <class Out>
    void EndReceive(uint32_t slot, Out& out);

    /** The application has a packet. @param packet the packet @param out what is to be done */
    template <class Out>
    void Reassemble(const Outbound& packet, Out& out);

    /** The host knows that a slot is free. @param slot which @param out what is to be done */
    template <class Out>
    void EndStatus(uint32_t slot, Out& out);

    /**
     * Have something happen to a receive slot.
     * @param slot which
     * @param event what
     * @param out told
     */
    template <class Out>
    void Change(uint32_t slot, ReceiveEvent event, Out& out);

    /** @return whether the firmware has an answer to build before a packet goes to the host. It
     * does not wait for a network that takes nothing: two hosts could wait for each other. */
    bool AnswersFirst() const;

    /** @param time what the host takes on average [ns] @return what it takes this time [ns] */
    uint32_t DrawHostTime(uint32_t time);

    /** @return a slot that can be sent now, in the order of the ring, or NONE. */
    uint32_t FindSendable() const;

    /**
     * Have the network hold what it has for this host while no slot is free, if it can.
     * @param out what is to be done
     */
    template <class Out>
    void HoldNetwork(Out& out);

    Config m_config;                    ///< What is the same for all hosts.
    Protocol m_protocol;                ///< What the network interfaces say.
    std::vector<SendSlot> m_send;       ///< The send ring.
    std::vector<ReceiveSlot> m_receive; ///< The receive ring.
    std::vector<Link> m_links;          ///< What is known of each peer.
    std::vector<Outgoing> m_outgoing;   ///< Messages whose packets have not all been released.
    std::vector<Partial> m_partial;     ///< Messages of which some packets have arrived.
    Fifo<Posted> m_queue;               ///< Messages that wait to be stored.
    Fifo<Outbound> m_control;           ///< Control packets to be sent.
    Fifo<uint32_t> m_arrived;           ///< Slots of packets that were not looked at.
    Fifo<uint32_t> m_ready;             ///< READY slots of the receive ring.
    Fifo<Outbound> m_host;              ///< Packets in host memory.
    Outbound m_outbound;                ///< The control packet in hand.
    messaging::Peer m_self;             ///< The peer.
    uint64_t m_random;                  ///< State of the generator of the host's jitter.
    uint32_t m_storing{NONE};           ///< Slot that the host stores into.
    uint32_t m_sending{NONE};           ///< Slot in hand; NONE if it was released meanwhile.
    uint32_t m_receiving{NONE};         ///< Slot that is looked at.
    uint32_t m_nextSlot{0};             ///< Where the host looks for a free slot first.
    uint32_t m_nextSend{0};             ///< Where the network interface looks for a packet first.
    uint32_t m_idle;                    ///< Free slots of the receive ring.
    uint32_t m_buffers;                 ///< Free host buffers.
    InHand m_inHand{InHand::NOTHING};   ///< What the sending stage has in hand.
    bool m_prepared{false};             ///< The firmware has done its part of it.
    bool m_blocked{false};              ///< The network takes nothing.
    bool m_transferring{false};         ///< A DMA transfer to host memory is under way.
    bool m_polling{false};              ///< The application has a packet in hand.
    bool m_handling{false};             ///< An event is being handled.
    bool m_holds{false};                ///< The network was told to keep its packets.
};

} // namespace parastation
} // namespace ns3

#include "parastation-nic-impl.h"
#include "parastation-nic-state.h"

#endif // PARASTATION_NIC_H
