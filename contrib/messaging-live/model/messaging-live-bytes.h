/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LIVE_BYTES_H
#define MESSAGING_LIVE_BYTES_H

#include "ns3/messaging-spread-bits.h"
#include "ns3/messaging-types.h"

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Names, numbers and bytes of the messages of live groups.
 */

namespace ns3
{
namespace messaging
{

/**
 * Maximum number of messages of a channel, from one peer to another, that the receiving program has
 * not taken. A sender of a reliable protocol posts message n only when all up to n - LIVE_WINDOW
 * are taken; so no peer needs the bytes of those.
 */
inline constexpr uint64_t LIVE_WINDOW = 256;

/**
 * Name of a message with user bytes; the contents of its frames and delivery.
 *
 * The origin is in the name, as a frame may be sent by a third peer that repeats it. The bits are
 * spread: contents that a fault has changed are no name of a message.
 *
 * @verbatim
     63  56   48       0
     | from | to | number |
   @endverbatim
 */
struct LiveName
{
    static constexpr uint32_t NUMBER_BITS = 48; ///< Bits of a number.
    static constexpr uint32_t PEER_BITS = 8;    ///< Bits of a peer.

    Peer from{0};       ///< Origin.
    Peer to{0};         ///< Destination.
    uint64_t number{0}; ///< Number in its channel, from 0.

    /** @return the contents. */
    constexpr uint64_t Pack() const
    {
        return SpreadBits(uint64_t{from} << (NUMBER_BITS + PEER_BITS) |
                          uint64_t{to} << NUMBER_BITS | number);
    }

    /** Unpack contents. @param contents the contents @return the name */
    static constexpr LiveName Unpack(uint64_t contents)
    {
        const uint64_t word = GatherBits(contents);
        return LiveName{.from = static_cast<Peer>(word >> (NUMBER_BITS + PEER_BITS)),
                        .to = static_cast<Peer>(word >> NUMBER_BITS & ((1U << PEER_BITS) - 1)),
                        .number = word & ((uint64_t{1} << NUMBER_BITS) - 1)};
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const LiveName&) const = default;
};

/**
 * @ingroup messaging
 * Numbers of a channel that have been reached, nearly in order: all below the first gap, and fewer
 * than LIVE_WINDOW above it. If there are more above it, the gap is closed: its messages are lost.
 */
class LiveNumbers
{
  public:
    /**
     * Add a number.
     * @param number the number
     * @return false if it was there already, or is in a closed gap
     */
    bool Add(uint64_t number);

    /** @return the first number that is missing. */
    uint64_t GetNext() const
    {
        return m_next;
    }

  private:
    std::set<uint64_t> m_above; ///< Numbers above the first gap.
    uint64_t m_next{0};         ///< Begin of the first gap.
};

/**
 * @ingroup messaging
 * User bytes of messages, by name: those of this peer, those that arrive, and those of other peers'
 * messages, which this peer may repeat. Keeps the last LIVE_WINDOW messages of each channel.
 */
class LiveBytes
{
  public:
    /**
     * Keep the bytes of a message, and drop those of earlier ones of its channel.
     * @param contents the name
     * @param bytes the bytes
     */
    void Keep(uint64_t contents, std::vector<uint8_t> bytes);

    /**
     * Find the bytes of a message.
     * @param contents the name
     * @return the bytes, or nullptr
     */
    const std::vector<uint8_t>* Find(uint64_t contents) const;

    /**
     * Drop the bytes of a message.
     * @param contents the name
     */
    void Drop(uint64_t contents);

    /** @return the number of messages whose bytes are kept. */
    std::size_t GetN() const;

  private:
    /** Bytes of a channel's messages, by number. */
    using Channel = std::map<uint64_t, std::vector<uint8_t>>;

    std::map<std::pair<Peer, Peer>, Channel> m_channels; ///< Channels, by origin and destination.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LIVE_BYTES_H
