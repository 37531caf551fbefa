/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_QUEUE_H
#define EQA_QUEUE_H

#include "ns3/messaging-core.h"

#include <vector>

/**
 * @file
 * @ingroup eqa
 * The enhanced queue: one buffer that many consumers share (section 3.1 and Figure 2).
 */

namespace ns3
{
namespace eqa
{

/** No consumer. */
inline constexpr uint32_t NO_CONSUMER = 0xffffffff;

/**
 * @ingroup eqa
 * A ring of slots, whose entries are numbered as they are produced.
 * @tparam T the entry
 */
template <class T>
class Ring
{
  public:
    /** @param slots number of slots */
    explicit Ring(uint32_t slots)
        : m_slots(slots)
    {
    }

    /** @return the number of slots. */
    uint32_t GetNSlots() const
    {
        return static_cast<uint32_t>(m_slots.size());
    }

    /** @param number of an entry @return the entry */
    T& operator[](uint64_t number)
    {
        return m_slots[number % m_slots.size()];
    }

    /** @param number of an entry @return the entry */
    const T& operator[](uint64_t number) const
    {
        return m_slots[number % m_slots.size()];
    }

    /** Equality of every entry. @return True if all entries are equal. */
    bool operator==(const Ring&) const = default;

  private:
    std::vector<T> m_slots; ///< The slots.
};

/** An entry of a BUF: a packet that may have to be resent. */
struct StoredPacket
{
    uint64_t contents{0};   ///< Stands for the message's contents.
    uint32_t payload{0};    ///< Bytes of the message in this packet.
    uint32_t bytes{0};      ///< Size of the whole message [bytes].
    uint32_t tag{0};        ///< The application's mark.
    uint32_t references{0}; ///< Consumers that still need the entry.
    uint8_t flags{0};       ///< Flags of the packet.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const StoredPacket&) const = default;
};

/** HMS, the producer's side: keeps the BUF's integrity and heads the list of consumers. */
struct HomeStructure
{
    uint64_t head{0};            ///< Number of the next packet to be produced.
    uint64_t tail{0};            ///< Oldest packet that a consumer still needs.
    uint32_t first{NO_CONSUMER}; ///< First consumer of the list.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const HomeStructure&) const = default;
};

/** LMS, a consumer's side: its progress in the BUF. */
struct LocalStructure
{
    uint64_t next{0};               ///< First packet that it still needs.
    messaging::Peer to{0};          ///< Destination that it stands for.
    uint32_t follower{NO_CONSUMER}; ///< Next consumer of the list.
    bool linked{false};             ///< It is in the list.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const LocalStructure&) const = default;
};

/**
 * @ingroup eqa
 * EQA's queue: a BUF, its HMS, and an LMS for each consumer that is linked to it.
 *
 * @verbatim
      HMS  head ----------------------v          LMS 0 --follower--> LMS 1 --follower--> LMS 2
           tail --v                   |            |next               |next               |next
      BUF  | .. | r=1 | r=2 | r=3 | r=3 | .. |     v                   v                   v
   @endverbatim
 *
 * An entry is produced with as many references as there are consumers. A consumer that passes an
 * entry gives one back, and the update moves the tail past all entries without references: a slot
 * is free as soon as its last consumer has passed it, and not before.
 */
class EnhancedQueue
{
  public:
    /** @param slots packets that the BUF holds */
    explicit EnhancedQueue(uint32_t slots)
        : m_buffer(slots)
    {
    }

    /**
     * Link a consumer, which will need all packets produced from now on.
     * @param to the destination that it stands for
     * @return its index
     */
    uint32_t Link(messaging::Peer to);

    /**
     * Remove a consumer from the list and give back all its references.
     * @param consumer its index
     */
    void Unlink(uint32_t consumer);

    /** @return true if a slot is free. */
    bool HasRoom() const
    {
        return m_home.head - m_home.tail < m_buffer.GetNSlots();
    }

    /** @return the number of slots. */
    uint32_t GetNSlots() const
    {
        return m_buffer.GetNSlots();
    }

    /**
     * Store a packet, for which there is room.
     * @param packet the packet; its references are set here
     * @return its number
     */
    uint64_t Produce(StoredPacket packet);

    /**
     * Move a consumer past all packets before a number.
     * @param consumer its index
     * @param upTo the first packet that it still needs, head at most; no effect if it is past that
     */
    void Consume(uint32_t consumer, uint64_t upTo);

    /** @param number of a packet, from tail to head @return the packet */
    const StoredPacket& Get(uint64_t number) const
    {
        return m_buffer[number];
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

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const EnhancedQueue&) const = default;

  private:
    /** Move the tail past all packets without references. */
    void Update();

    Ring<StoredPacket> m_buffer;             ///< BUF.
    HomeStructure m_home;                    ///< HMS.
    std::vector<LocalStructure> m_consumers; ///< LMSs.
};

} // namespace eqa
} // namespace ns3

#endif // EQA_QUEUE_H
