/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_POINT_H
#define EQA_POINT_H

#include "eqa-config.h"

#include "ns3/messaging-fifo.h"

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

/** No consumer. */
inline constexpr uint32_t NO_CONSUMER = 0xffffffff;

/** An entry of a BUF: a packet kept for retransmission. */
struct StoredPacket
{
    uint64_t contents{0};   ///< Contents of the message.
    uint32_t payload{0};    ///< Bytes of the message in this packet.
    uint32_t bytes{0};      ///< Size of the whole message [bytes].
    uint32_t tag{0};        ///< Tag of the application.
    uint32_t references{0}; ///< Consumers that still need the entry.
    uint8_t flags{0};       ///< Flags of the packet.
};

/** HMS: state of the producer, and head of the list of consumers. */
struct HomeStructure
{
    uint64_t head{0};            ///< Number of the next packet.
    uint64_t tail{0};            ///< Oldest packet that a consumer still needs.
    uint32_t first{NO_CONSUMER}; ///< First consumer of the list.
};

/** LMS: progress of a consumer in the BUF. */
struct LocalStructure
{
    uint64_t next{0};               ///< First packet that the consumer still needs.
    messaging::Peer to{0};          ///< Destination of the consumer.
    uint32_t follower{NO_CONSUMER}; ///< Next consumer of the list.
    bool linked{false};             ///< The consumer is in the list.
};

/**
 * @ingroup eqa
 * EQA's queue: a BUF, its HMS, and an LMS for each consumer.
 *
 * @verbatim
      HMS  head ----------------------v          LMS 0 --follower--> LMS 1 --follower--> LMS 2
           tail --v                   |            |next               |next               |next
      BUF  | .. | r=1 | r=2 | r=3 | r=3 | .. |     v                   v                   v
   @endverbatim
 *
 * An entry is produced with a reference for each consumer. A consumer that passes an entry releases
 * one, and the update moves the tail past all entries without references: a slot is free as soon as
 * its last consumer has passed it.
 */
class EnhancedQueue
{
  public:
    /** @param slots capacity of the BUF [packets] */
    explicit EnhancedQueue(uint32_t slots)
        : m_slots(slots)
    {
    }

    /**
     * Link a consumer, which needs all packets produced from now on.
     * @param to its destination
     * @return its index
     */
    uint32_t Link(messaging::Peer to);

    /**
     * Remove a consumer from the list and release all its references.
     * @param consumer its index
     */
    void Unlink(uint32_t consumer);

    /** @return true if a slot is free. */
    bool HasRoom() const
    {
        return m_buffer.GetN() < m_slots;
    }

    /** @return the number of slots. */
    uint32_t GetNSlots() const
    {
        return m_slots;
    }

    /**
     * Store a packet; a slot must be free.
     * @param packet the packet; its references are set here
     * @return its number
     */
    uint64_t Produce(StoredPacket packet);

    /**
     * Move a consumer past all packets before a number.
     * @param consumer its index
     * @param upTo the first packet that it still needs, at most the head; ignored if it is already
     * past it
     */
    void Consume(uint32_t consumer, uint64_t upTo);

    /** @param number number of a packet, from the tail on @return the packet */
    const StoredPacket& Get(uint64_t number) const
    {
        return m_buffer[number - m_home.tail];
    }

    /** @return the producer's structure. */
    const HomeStructure& GetHome() const
    {
        return m_home;
    }

    /** @return the consumers' structures, by index. */
    const std::vector<LocalStructure>& GetConsumers() const
    {
        return m_consumers;
    }

    /** @param encoder collects the canonical state */
    void Encode(messaging::Encoder& encoder) const;

  private:
    /** Move the tail past all packets without references. */
    void Update();

    messaging::Fifo<StoredPacket> m_buffer;  ///< Packets from tail to head (BUF).
    HomeStructure m_home;                    ///< Producer (HMS).
    std::vector<LocalStructure> m_consumers; ///< Consumers (LMSs).
    uint32_t m_slots;                        ///< Capacity of the BUF [packets].
};

/** An entry of a send queue: a message that is not yet completely acknowledged. */
struct SendEntry
{
    messaging::RequestId id{0}; ///< The request.
    uint64_t contents{0};       ///< Contents of the message.
    uint64_t last{0};           ///< Number of its last packet, once all are sent.
    uint64_t granted{0};        ///< First packet not yet pulled, if pulled in parts.
    uint32_t bytes{0};          ///< Size of the message [bytes].
    uint32_t tag{0};            ///< Tag of the application.
    uint32_t sent{0};           ///< Part that was sent [bytes].
    bool started{false};        ///< Its first packet was sent.
    bool translated{false};     ///< The handler knows the addresses of its pages.
    bool pulled{false};         ///< The receiver has requested the rest.
    bool entered{false};        ///< Its system call is done.
};

/** An entry of a pushed buffer: a packet without a known destination in memory. */
struct PushedPacket
{
    uint64_t contents{0}; ///< Contents of the message.
    uint32_t payload{0};  ///< Bytes of the message in this packet.
    uint32_t bytes{0};    ///< Size of the whole message [bytes].
    uint32_t tag{0};      ///< Tag of the application.
};

/**
 * @ingroup eqa
 * A pushed buffer: consecutive packets, each with its entry.
 */
class PushedBuffer : private messaging::Fifo<PushedPacket>
{
    /** The packets. */
    using Packets = messaging::Fifo<PushedPacket>;

  public:
    using Packets::Front;
    using Packets::IsEmpty;

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

    /** @param payload payload of a packet [bytes] @return true if the packet fits */
    bool Fits(uint32_t payload) const
    {
        return m_used + sizeof(PushedPacket) + payload <= m_bytes;
    }

    /** Append a packet. @param packet a packet that fits */
    void Push(const PushedPacket& packet)
    {
        Packets::Push(packet);
        m_used += sizeof(PushedPacket) + packet.payload;
    }

    /** Remove the first packet. @return the packet */
    PushedPacket Pop()
    {
        m_used -= sizeof(PushedPacket) + Front().payload;
        return Packets::Pop();
    }

  private:
    uint32_t m_bytes;   ///< Size of the buffer [bytes].
    uint32_t m_used{0}; ///< Memory in use [bytes].
};

/**
 * @ingroup eqa
 * A light DP: one destination of a channel. Its send queue holds no packets, but pointers into the
 * buffer of its DP (section 3.1). They point to the packets to resend, which are consecutive, since
 * a receiver that has lost a packet needs all later ones, too (go-back-N).
 */
struct LightPoint
{
    uint64_t first{0};      ///< First packet to resend.
    uint64_t end{0};        ///< Number after the last packet to resend.
    bool recovering{false}; ///< Its receiver has sent an ASK and not caught up.
    bool resending{false};  ///< The host prepares a packet to resend.

    /** @return true if there is no packet to resend. */
    bool IsIdle() const
    {
        return first == end;
    }
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
     * @param point its number among the DPs to this destination
     */
    SendPoint(const EqaConfig& config,
              messaging::Peer self,
              messaging::Peer destination,
              uint32_t peers,
              uint32_t point = 0);

    /** @return true if it is a broadcast channel. */
    bool IsBroadcast() const
    {
        return to == messaging::NO_PEER;
    }

    /** @param message number of a message in the send queue @return its entry */
    SendEntry& GetEntry(uint64_t message)
    {
        return entries[message - first];
    }

    /** @param encoder collects the canonical state */
    void Encode(messaging::Encoder& encoder) const;

    messaging::Fifo<SendEntry> entries; ///< The send queue.
    EnhancedQueue queue;                ///< The retransmission buffer and its consumers.
    std::vector<LightPoint> lights;     ///< A light DP for each consumer.
    uint64_t first{0};                  ///< Number of complete messages.
    uint64_t current{0};                ///< Number of completely sent messages.
    uint64_t entered{0};                ///< Number of messages after their system call.
    messaging::Peer to{0};              ///< The receiver, or NO_PEER.
    uint32_t number{0};                 ///< Number among the DPs to this destination.
    uint32_t recovering{0};             ///< Number of receivers that have not caught up.
    uint8_t silence{0};                 ///< Number of consecutive timeouts.
    bool emitting{false};               ///< The host prepares a packet.
    bool armed{false};                  ///< The timer runs.
    bool locked{false};                 ///< A line holds its lock.
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
     * @param point its number among the DPs for this channel
     */
    ReceivePoint(const EqaConfig& config,
                 messaging::Peer sender,
                 bool ofBroadcast,
                 uint32_t point = 0);

    /** @return true if a receive has been posted for the arriving message. */
    bool IsExpected() const
    {
        return posted > arriving;
    }

    /** @param encoder collects the canonical state */
    void Encode(messaging::Encoder& encoder) const;

    messaging::Fifo<messaging::RequestId> receives; ///< The receive queue: requests, or NO_ID.
    PushedBuffer pushed;                            ///< The pushed buffer.
    messaging::Fifo<messaging::Delivery> done; ///< Complete messages that wait for their process.
    uint64_t expected{0};                      ///< Number of the next packet.
    uint64_t arriving{0};                      ///< Number of completely accepted messages.
    uint64_t posted{0};                        ///< Number of receives after their system call.
    uint64_t requested{0};                     ///< Number of posted receives.
    uint64_t placed{0};        ///< Number of messages that are in their destination.
    uint64_t contents{0};      ///< Contents of the message being placed.
    uint32_t arrivedBytes{0};  ///< Accepted part of the arriving message [bytes].
    uint32_t arrivingBytes{0}; ///< Size of the arriving message [bytes].
    uint32_t placedBytes{0};   ///< Placed part of the message being placed [bytes].
    messaging::Peer from{0};   ///< The sender.
    uint32_t number{0};        ///< Number among the DPs for this channel.
    bool broadcast{false};     ///< It receives from the broadcast channel.
    bool started{false};       ///< Part of the arriving message was accepted.
    bool placing{false};       ///< Part of a message was placed.
    bool draining{false};      ///< A packet is copied out of the pushed buffer.
    bool asked{false};         ///< An ASK for the expected packet was sent.
    bool dropped{false};       ///< A packet was dropped; an ASK follows when there is room.
    bool pulled{false};        ///< The pull of the arriving message was sent.
    bool pullDue{false};       ///< The pull waits for the receive.
};

/** Memory of an entry of a send or receive queue: 4096 bytes for 64 (D-26) [bytes]. */
inline constexpr uint32_t QUEUE_ENTRY_BYTES = 4096 / 64;
/** Memory of a packet in a retransmission buffer: 24576 bytes for 16 (D-26) [bytes]. */
inline constexpr uint32_t SLOT_BYTES = 24576 / 16;
static_assert(sizeof(SendEntry) <= QUEUE_ENTRY_BYTES);
static_assert(sizeof(StoredPacket) + MAX_PAYLOAD <= SLOT_BYTES);

/** Pushed buffer of a send-only DP, never used (D-26) [bytes]. */
inline constexpr uint32_t SEND_PUSHED_BYTES = 4096;
/** HMS, LMS and registers of a send-only DP [bytes]. */
inline constexpr uint32_t SEND_STRUCTURES =
    sizeof(HomeStructure) + sizeof(LocalStructure) + 4 * sizeof(uint64_t) + 3 * sizeof(uint32_t);
/** Registers of a receive-only DP [bytes]. */
inline constexpr uint32_t RECEIVE_STRUCTURES = 6 * sizeof(uint64_t) + 5 * sizeof(uint32_t);
/** LMS and registers of a light DP [bytes]. */
inline constexpr uint32_t LIGHT_STRUCTURES = sizeof(LocalStructure) + sizeof(LightPoint);

/** Sizes of the three kinds of DPs [Kbytes of 1024 bytes]. */
struct PointSizes
{
    double send{0};    ///< s_SDP.
    double receive{0}; ///< s_RDP.
    double light{0};   ///< s_LDP.
};

/**
 * Compute the sizes of DPs. The sizes in the paper (D-27) are larger by 1.7, 1.3 and 0.4 Kbytes,
 * which it does not explain.
 * @param config parameters of a group
 * @return the sizes of its DPs
 */
inline PointSizes
GetPointSizes(const EqaConfig& config)
{
    const double queue = config.queue * QUEUE_ENTRY_BYTES;
    const double buffer = config.window * SLOT_BYTES;
    return {.send = (queue + buffer + SEND_PUSHED_BYTES + SEND_STRUCTURES) / 1024,
            .receive = (queue + buffer + config.pushedBuffer + RECEIVE_STRUCTURES) / 1024,
            .light = (queue + LIGHT_STRUCTURES) / 1024};
}

} // namespace eqa
} // namespace ns3

#endif // EQA_POINT_H
