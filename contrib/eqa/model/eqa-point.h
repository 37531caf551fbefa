/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_POINT_H
#define EQA_POINT_H

#include "eqa-config.h"
#include "eqa-queue.h"

#include <vector>

/**
 * @file
 * @ingroup eqa
 * Directed points: what a process sends from and receives at (sections 2 and 3.1).
 */

namespace ns3
{
namespace eqa
{

/** An entry of a send queue: a message of which something is still to be sent or acknowledged. */
struct SendEntry
{
    messaging::RequestId id{0}; ///< The request.
    uint64_t contents{0};       ///< Stands for the message's contents.
    uint64_t last{0};           ///< Number of its last packet, once all have left.
    uint32_t bytes{0};          ///< Size of the message [bytes].
    uint32_t tag{0};            ///< The application's mark.
    uint32_t sent{0};           ///< How much has left [bytes].
    bool started{false};        ///< Its first packet has left.
    bool translated{false};     ///< Addresses of its pages are known to the handler.
    bool pulled{false};         ///< The receiver has asked for the rest.
    bool unused{false};         ///< Leaves no gap.
};

/** An entry of a receive queue: a posted receive. */
struct ReceiveEntry
{
    messaging::RequestId id{0}; ///< The request, or NO_ID.
};

/** An entry of a pushed buffer: a packet whose destination in memory is not known yet. */
struct PushedPacket
{
    uint64_t contents{0}; ///< Stands for the message's contents.
    uint32_t payload{0};  ///< Bytes of the message in this packet.
    uint32_t bytes{0};    ///< Size of the whole message [bytes].
    uint32_t tag{0};      ///< The application's mark.
    uint32_t unused{0};   ///< Leaves no gap.
};

/** Size of an entry of a send or receive queue [bytes]. */
inline constexpr uint32_t QUEUE_ENTRY = 64;

/**
 * @ingroup eqa
 * A light DP: one destination of a channel. It owns a send queue and no buffer; what it sends by
 * itself are pointers into the buffer of the DP that it is linked to (section 3.1).
 */
class LightPoint
{
  public:
    /**
     * Allocate.
     * @param queueBytes size of the send queue [bytes]
     * @param overhead what else it has [bytes]
     */
    LightPoint(uint32_t queueBytes, uint32_t overhead);

    /** @return true if no packet waits to be sent again. */
    bool IsIdle() const
    {
        return m_first == m_last;
    }

    /** @return pointer to the next packet to be sent again. */
    uint64_t Front() const
    {
        return m_pointers.Get(m_first);
    }

    /**
     * Append a pointer.
     * @param number of the packet
     */
    void Push(uint64_t number);

    /** Remove the first pointer. */
    void Pop()
    {
        ++m_first;
    }

    /** Remove all pointers. */
    void Clear()
    {
        m_first = m_last;
    }

    /** @return the memory allocated [bytes]. */
    uint64_t GetBytes() const
    {
        return m_pointers.GetBytes() + m_overhead.size();
    }

    /**
     * Put what matters of the state.
     * @param encoder collects it
     */
    void Encode(messaging::Encoder& encoder) const;

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const LightPoint&) const = default;

    bool recovering{false}; ///< Its receiver has asked and has not caught up.
    bool resending{false};  ///< A packet is being sent again.

  private:
    SlotRing<uint64_t> m_pointers;     ///< The send queue.
    std::vector<std::byte> m_overhead; ///< What else it has.
    uint64_t m_first{0};               ///< Pointers removed so far.
    uint64_t m_last{0};                ///< Pointers appended so far.
};

/**
 * @ingroup eqa
 * A send-only DP: the messages of one channel, to one peer or to all.
 */
class SendPoint
{
  public:
    /**
     * Allocate.
     * @param config the parameters
     * @param self the sender
     * @param to the receiver, or NO_PEER for all others
     * @param peers number of peers
     */
    SendPoint(const EqaConfig& config, messaging::Peer self, messaging::Peer to, uint32_t peers);

    /** @return whether it is a broadcast channel. */
    bool IsBroadcast() const
    {
        return to == messaging::NO_PEER;
    }

    /** @return messages in the send queue. */
    uint64_t GetNEntries() const
    {
        return last - first;
    }

    /** @return the memory allocated for the DP itself, without its light DPs [bytes]. */
    uint64_t GetBytes() const;

    /** @return the memory allocated for its light DPs [bytes]. */
    uint64_t GetLightBytes() const;

    /** @return what HMS, LMSs and the registers of this model need [bytes]. */
    uint64_t GetStructureBytes() const;

    /**
     * Put what matters of the state.
     * @param encoder collects it
     */
    void Encode(messaging::Encoder& encoder) const;

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const SendPoint&) const = default;

    SlotRing<SendEntry> entries;    ///< The send queue.
    EnhancedQueue queue;            ///< The retransmission buffer and who shares it.
    std::vector<LightPoint> lights; ///< A light DP for each consumer; of a DP to one peer, its own.
    std::vector<std::byte> pushed;  ///< The pushed buffer, which a send-only DP has and never uses.
    std::vector<std::byte> overhead; ///< What else it has.
    uint64_t first{0};               ///< Messages that have come to their end.
    uint64_t current{0};             ///< Messages of which all packets have left.
    uint64_t entered{0};             ///< Messages whose system call has been made.
    uint64_t last{0};                ///< Messages posted.
    messaging::Peer to{0};           ///< The receiver, or NO_PEER.
    uint32_t recovering{0};          ///< Receivers that have asked and not caught up.
    uint8_t silence{0};              ///< Timeouts in a row.
    bool emitting{false};            ///< A packet is being made.
    bool armed{false};               ///< The timer runs.
};

/**
 * @ingroup eqa
 * A receive-only DP: the messages of one channel from one peer.
 */
class ReceivePoint
{
  public:
    /**
     * Allocate.
     * @param config the parameters
     * @param from the sender
     * @param broadcast whether it receives from the sender's broadcast channel
     */
    ReceivePoint(const EqaConfig& config, messaging::Peer from, bool broadcast);

    /** @return the memory allocated [bytes]. */
    uint64_t GetBytes() const;

    /**
     * Put what matters of the state.
     * @param encoder collects it
     */
    void Encode(messaging::Encoder& encoder) const;

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const ReceivePoint&) const = default;

    SlotRing<ReceiveEntry> receives;       ///< The receive queue.
    ByteRing<PushedPacket> pushed;         ///< The pushed buffer.
    std::vector<std::byte> retransmission; ///< A retransmission buffer, never used by a receiver.
    std::vector<std::byte> overhead;       ///< What else it has.
    std::vector<messaging::Delivery> done; ///< Messages whose process has not gone on yet.
    uint64_t expected{0};                  ///< Number of the next packet.
    uint64_t arriving{0};                  ///< Messages of which all packets have been taken.
    uint64_t posted{0};                    ///< Receives whose system call has been made.
    uint64_t requested{0};                 ///< Receives posted.
    uint64_t placed{0};                    ///< Messages that are whole in their destination.
    uint64_t contents{0};                  ///< Contents of the message being placed.
    uint32_t arrivedBytes{0};              ///< Taken of the message that is arriving [bytes].
    uint32_t arrivingBytes{0};             ///< Its size [bytes].
    uint32_t placedBytes{0};               ///< Placed of the message being placed [bytes].
    messaging::Peer from{0};               ///< The sender.
    bool broadcast{false};                 ///< From the sender's broadcast channel.
    bool started{false};                   ///< The first packet of the arriving message was taken.
    bool placing{false};                   ///< The first packet of a message was placed.
    bool draining{false};                  ///< A packet is copied out of the pushed buffer.
    bool asked{false};                     ///< Has asked for the expected packet.
    bool dropped{false};                   ///< Has lost a packet and will ask when there is room.
    bool pulled{false};                    ///< Has asked for the rest of the arriving message.
    bool pullDue{false};                   ///< Will ask for it when the receive is posted.
};

} // namespace eqa
} // namespace ns3

#endif // EQA_POINT_H
