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
 * Directed points (DPs): the ends of channels (sections 2 and 3.1).
 */

namespace ns3
{
namespace eqa
{

/** An entry of a send queue: a message that is not yet sent and acknowledged as a whole. */
struct SendEntry
{
    messaging::RequestId id{0}; ///< The request.
    uint64_t contents{0};       ///< Stands for the message's contents.
    uint64_t last{0};           ///< Number of its last packet, once all have left.
    uint64_t granted{0};        ///< First packet that no pull has requested, if pulled in parts.
    uint32_t bytes{0};          ///< Size of the message [bytes].
    uint32_t tag{0};            ///< The application's mark.
    uint32_t sent{0};           ///< Part that has left [bytes].
    bool started{false};        ///< Its first packet has left.
    bool translated{false};     ///< The handler knows the addresses of its pages.
    bool pulled{false};         ///< The receiver has requested the rest.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const SendEntry&) const = default;
};

/** An entry of a pushed buffer: a packet without a known destination in memory. */
struct PushedPacket
{
    uint64_t contents{0}; ///< Stands for the message's contents.
    uint32_t payload{0};  ///< Bytes of the message in this packet.
    uint32_t bytes{0};    ///< Size of the whole message [bytes].
    uint32_t tag{0};      ///< The application's mark.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const PushedPacket&) const = default;
};

/**
 * @ingroup eqa
 * A pushed buffer: packets that lie one behind the other, each with its entry.
 */
class PushedBuffer
{
  public:
    /** @param bytes its size [bytes] */
    explicit PushedBuffer(uint32_t bytes)
        : m_bytes(bytes)
    {
    }

    /** @return the memory in use [bytes]. */
    uint32_t GetUsed() const
    {
        return m_used;
    }

    /** @return true if there is no packet. */
    bool IsEmpty() const
    {
        return m_packets.empty();
    }

    /** @param payload of a packet [bytes] @return true if the packet fits */
    bool Fits(uint32_t payload) const
    {
        return m_used + sizeof(PushedPacket) + payload <= m_bytes;
    }

    /** @param packet a packet that fits, appended */
    void Push(const PushedPacket& packet)
    {
        m_packets.push_back(packet);
        m_used += sizeof(PushedPacket) + packet.payload;
    }

    /** @return the first packet. */
    const PushedPacket& Front() const
    {
        return m_packets.front();
    }

    /** Remove the first packet. */
    void Pop()
    {
        m_used -= sizeof(PushedPacket) + Front().payload;
        m_packets.erase(m_packets.begin());
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const PushedBuffer&) const = default;

  private:
    std::vector<PushedPacket> m_packets; ///< The packets.
    uint32_t m_bytes;                    ///< Size of the buffer [bytes].
    uint32_t m_used{0};                  ///< Memory in use [bytes].
};

/**
 * @ingroup eqa
 * A light DP: one destination of a channel. Its send queue holds no packets, but pointers into the
 * buffer of the DP that it is linked to (section 3.1). The pointers are to be resent, and they are
 * consecutive, since a receiver that has lost a packet needs all that follow it (go-back-N).
 */
struct LightPoint
{
    uint64_t first{0};      ///< First packet to be resent.
    uint64_t end{0};        ///< Behind the last packet to be resent.
    bool recovering{false}; ///< Its receiver has asked and has not caught up.
    bool resending{false};  ///< The host prepares a packet to be resent.

    /** @return true if no packet waits to be resent. */
    bool IsIdle() const
    {
        return first == end;
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const LightPoint&) const = default;
};

/**
 * @ingroup eqa
 * A send-only DP: the messages of one channel, to one peer or to all.
 */
struct SendPoint
{
    /**
     * Constructor.
     * @param config the parameters
     * @param self the sender
     * @param destination the receiver, or NO_PEER for all others
     * @param peers number of peers
     */
    SendPoint(const EqaConfig& config,
              messaging::Peer self,
              messaging::Peer destination,
              uint32_t peers);

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

    /** @param encoder collects the canonical state */
    void Encode(messaging::Encoder& encoder) const;

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const SendPoint&) const = default;

    Ring<SendEntry> entries;        ///< The send queue.
    EnhancedQueue queue;            ///< The retransmission buffer and its consumers.
    std::vector<LightPoint> lights; ///< A light DP for each consumer; of a DP to one peer, its own.
    uint64_t first{0};              ///< Messages that are complete.
    uint64_t current{0};            ///< Messages of which all packets have left.
    uint64_t entered{0};            ///< Messages whose system call has been made.
    uint64_t last{0};               ///< Messages posted.
    messaging::Peer to{0};          ///< The receiver, or NO_PEER.
    uint32_t recovering{0};         ///< Receivers that have asked and not caught up.
    uint8_t silence{0};             ///< Timeouts in a row.
    bool emitting{false};           ///< The host prepares a packet.
    bool armed{false};              ///< The timer runs.
};

/**
 * @ingroup eqa
 * A receive-only DP: the messages of one channel from one peer.
 */
struct ReceivePoint
{
    /**
     * Constructor.
     * @param config the parameters
     * @param sender the sender
     * @param ofBroadcast whether it receives from the sender's broadcast channel
     */
    ReceivePoint(const EqaConfig& config, messaging::Peer sender, bool ofBroadcast);

    /** @return true if a receive has been posted for the arriving message. */
    bool IsExpected() const
    {
        return posted > arriving;
    }

    /** @param encoder collects the canonical state */
    void Encode(messaging::Encoder& encoder) const;

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const ReceivePoint&) const = default;

    Ring<messaging::RequestId> receives;   ///< The receive queue: requests, or NO_ID.
    PushedBuffer pushed;                   ///< The pushed buffer.
    std::vector<messaging::Delivery> done; ///< Messages whose process still waits.
    uint64_t expected{0};                  ///< Number of the next packet.
    uint64_t arriving{0};                  ///< Messages of which all packets have been taken.
    uint64_t posted{0};                    ///< Receives whose system call has been made.
    uint64_t requested{0};                 ///< Receives posted.
    uint64_t placed{0};                    ///< Messages that are whole in their destination.
    uint64_t contents{0};                  ///< Contents of the message being placed.
    uint32_t arrivedBytes{0};              ///< Taken of the arriving message [bytes].
    uint32_t arrivingBytes{0};             ///< Its size [bytes].
    uint32_t placedBytes{0};               ///< Placed of the message being placed [bytes].
    messaging::Peer from{0};               ///< The sender.
    bool broadcast{false};                 ///< From the sender's broadcast channel.
    bool started{false};                   ///< The first packet of the arriving message was taken.
    bool placing{false};                   ///< The first packet of a message was placed.
    bool draining{false};                  ///< A packet is copied out of the pushed buffer.
    bool asked{false};                     ///< An ASK for the expected packet was sent.
    bool dropped{false};                   ///< A packet was lost; ASK once there is room.
    bool pulled{false};                    ///< The rest of the arriving message was requested.
    bool pullDue{false};                   ///< To be requested when the receive is posted.
};

} // namespace eqa
} // namespace ns3

#endif // EQA_POINT_H
