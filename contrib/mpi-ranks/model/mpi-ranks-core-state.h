/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_CORE_STATE_H
#define MPI_RANKS_CORE_STATE_H

#include "mpi-ranks-types.h"

#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * What a RankCore's state is made of.
 */

namespace ns3
{
namespace ranks
{

/** How the sender of an entry's message is told. */
enum class Report : uint8_t
{
    NOTHING, ///< Not by this entry.
    LEFT,    ///< SENT, when the last segment has left.
    ACKED    ///< DELIVERED, when the last segment is acknowledged.
};

/** What waits in a connection's backlog, its unacknowledged queue or its reorder window. */
struct QueueEntry
{
    Frame frame;                    ///< The frame; in the backlog, payload is what is left.
    RequestId request{0};           ///< Who is told.
    uint32_t next{NONE};            ///< Next in its queue, or next free place.
    uint32_t stamp{0};              ///< Period in which it was sent last, or came.
    uint32_t charge{0};             ///< Memory that it counts as [bytes].
    Report report{Report::NOTHING}; ///< When.
    uint8_t retries{0};             ///< Retransmissions.

    /** Equality of every field. @return True if all are equal. */
    bool operator==(const QueueEntry&) const = default;
};

/** Bits of Connection::flags. */
enum ConnectionFlags : uint8_t
{
    LISTED = 1,     ///< An ACK may be owed to it, and it is in the list of those.
    ASSEMBLING = 2, ///< The first segment of an eager message has come, the last not.
    LOST = 4        ///< Given up.
};

/** What there is for a peer; created with the first frame to it or from it. One line of a cache. */
struct alignas(64) Connection
{
    uint64_t contents{0};       ///< Of the message being assembled.
    Peer peer{0};               ///< The peer.
    uint32_t backlogHead{NONE}; ///< Oldest entry that waits to be sent.
    uint32_t backlogTail{NONE}; ///< Youngest.
    uint32_t unackedHead{NONE}; ///< Oldest segment that is not acknowledged.
    uint32_t unackedTail{NONE}; ///< Youngest.
    uint32_t held{NONE};        ///< Segments that came too early, in order.
    uint32_t delivered{0};      ///< Messages from it so far.
    uint32_t bytes{0};          ///< Of the message being assembled.
    uint32_t tag{0};            ///< Of the message being assembled.
    uint32_t backlog{0};        ///< Length of the backlog.
    uint16_t sendNext{0};       ///< Number of the next frame to it.
    uint16_t sendAcked{0};      ///< Frames that it has taken.
    uint16_t receiveNext{0};    ///< Number of the next frame from it.
    uint16_t receiveAcked{0};   ///< What it was told of that.
    uint8_t flags{0};           ///< ConnectionFlags.

    /** Equality of every field. @return True if all are equal. */
    bool operator==(const Connection&) const = default;
};

/** A large message at its sender, from the RTS on. */
struct Departure
{
    Request request;        ///< The message.
    uint32_t landing{NONE}; ///< The receiver's entry, once the CTS has come.
    uint32_t next{NONE};    ///< Next free place.
    uint16_t generation{0}; ///< How often the place was used before.
    bool used{false};       ///< Not free.

    /** @return the other side. */
    Peer GetPeer() const
    {
        return request.to;
    }

    /** Equality of every field. @return True if all are equal. */
    bool operator==(const Departure&) const = default;
};

/** A large message at its receiver, from the CTS on. */
struct Landing
{
    Delivery delivery;        ///< The message.
    RequestId request{0};     ///< The receive.
    uint64_t contents{0};     ///< What lies in memory.
    uint32_t departure{NONE}; ///< The sender's entry.
    uint32_t bytes{0};        ///< How much lies in memory.
    uint32_t stamp{0};        ///< Period in which FIN or the last NACK was.
    uint32_t next{NONE};      ///< Next free place.
    uint16_t generation{0};   ///< How often the place was used before.
    bool used{false};         ///< Not free.
    bool written{false};      ///< The data have come.
    bool finished{false};     ///< FIN has come.

    /** @return the other side. */
    Peer GetPeer() const
    {
        return delivery.from;
    }

    /** Equality of every field. @return True if all are equal. */
    bool operator==(const Landing&) const = default;
};

/**
 * @ingroup mpi-ranks
 * Departures or landings, which the other side knows by a number.
 *
 * A number is a place with the count of its uses, so that one which arrives late names nothing.
 *
 * @tparam T Departure or Landing
 */
template <class T>
class NumberedPool
{
  public:
    /** @return a new one's place. */
    uint32_t Allocate()
    {
        const uint32_t place = m_free;
        if (place == NONE)
        {
            m_all.emplace_back();
            m_all.back().used = true;
            return static_cast<uint32_t>(m_all.size() - 1);
        }
        m_free = m_all[place].next;
        m_all[place].next = NONE;
        m_all[place].used = true;
        return place;
    }

    /** Give one back. @param place its place */
    void Release(uint32_t place)
    {
        const auto generation = static_cast<uint16_t>(m_all[place].generation + 1);
        m_all[place] = T{};
        m_all[place].generation = generation & GENERATION_MASK;
        m_all[place].next = m_free;
        m_free = place;
    }

    /** @return its number. @param place a place */
    uint32_t GetNumber(uint32_t place) const
    {
        return place | uint32_t{m_all[place].generation} << PLACE_BITS;
    }

    /** @return the place of a number, or NONE if it is over. @param number the number */
    uint32_t Find(uint32_t number) const
    {
        const uint32_t place = number & ((1U << PLACE_BITS) - 1);
        const bool found = place < m_all.size() && m_all[place].used && GetNumber(place) == number;
        return found ? place : NONE;
    }

    /**
     * @param number the number
     * @param peer the peer that has named it
     * @return the same, or NONE if it is not with this peer.
     */
    uint32_t Find(uint32_t number, Peer peer) const
    {
        const uint32_t place = Find(number);
        return place != NONE && m_all[place].GetPeer() == peer ? place : NONE;
    }

    /** @return one. @param place its place */
    T& operator[](uint32_t place)
    {
        return m_all[place];
    }

    /** @return one. @param place its place */
    const T& operator[](uint32_t place) const
    {
        return m_all[place];
    }

    /** @return the number of places. */
    uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_all.size());
    }

    /** @return the first free place, or NONE. */
    uint32_t GetFree() const
    {
        return m_free;
    }

    /** @return memory in use [bytes]. */
    uint64_t GetMemory() const
    {
        return m_all.capacity() * sizeof(T);
    }

    /** Equality of the representation. @return True if all is equal. */
    bool operator==(const NumberedPool&) const = default;

  private:
    static constexpr uint32_t PLACE_BITS = 20;         ///< Bits of the place in a number.
    static constexpr uint16_t GENERATION_MASK = 0xfff; ///< The other bits.

    std::vector<T> m_all;  ///< All places.
    uint32_t m_free{NONE}; ///< First free one.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_CORE_STATE_H
