/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LIVE_DATAGRAM_H
#define MESSAGING_LIVE_DATAGRAM_H

#include "ns3/messaging-types.h"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Datagrams of groups whose peers are processes on real machines.
 */

namespace ns3
{
namespace messaging
{

/** Kinds of datagrams. */
enum class LiveKind : uint8_t
{
    HELLO, ///< Asks a peer for its epoch; carries the time of its sender.
    ECHO,  ///< Answers a HELLO: the same time, and the epoch of who asked.
    STATE, ///< State of a peer: the peers that it knows, and whether it has finished.
    FRAME  ///< A frame of the protocol.
};

/** Reasons for which a datagram is foreign. */
enum class LiveReject : uint8_t
{
    MAGIC,    ///< Too short, or without the magic number.
    VERSION,  ///< Of another version of this format.
    CHECKSUM, ///< Damaged, or not of the length that it states.
    GROUP,    ///< Of a group with another protocol, size or traffic.
    PEER,     ///< Of no other peer of this group, or not from its address.
    EPOCH     ///< Of a peer's earlier run, or of a peer that is not known yet.
};

/** Number of reasons. */
inline constexpr std::size_t LIVE_REJECTS = static_cast<std::size_t>(LiveReject::EPOCH) + 1;

/**
 * Print a reason by name.
 * @param os the stream
 * @param reject the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, LiveReject reject);

/**
 * @ingroup messaging
 * A datagram of a live group.
 *
 * @verbatim
     0      4        5     6   8       12     16      24         28
     | magic| version| kind| 0 | group | from | epoch | checksum | body

     HELLO  stamp 8
     ECHO   stamp 8, epoch of who asked 8
     STATE  peers known, a bit each 8, finished 1
     FRAME  id 8, contents 8, payload 4, aux 4, header 2, kind 1, flags 1,
            number of words 2, number of bytes 2, the words, the bytes, zeroes
   @endverbatim
 *
 * Integers are in network byte order. The checksum is the CRC-32 of the datagram with a checksum of
 * zero. A frame without bytes of a user has zeroes in place of its payload, so that the datagram is
 * as large as it would be with them.
 */
struct LiveDatagram
{
    static constexpr uint32_t MAGIC = 0x724e6574; ///< "rNet".
    static constexpr uint8_t VERSION = 1;         ///< Version of the format.
    static constexpr std::size_t HEAD = 28;       ///< Size without the body [bytes].
    static constexpr std::size_t FRAME_HEAD = 32; ///< Size of a frame's fields [bytes].

    uint64_t epoch{0};           ///< Taken by its sender at the start of its run.
    uint64_t stamp{0};           ///< HELLO and ECHO: time of who asked [ns].
    uint64_t asked{0};           ///< ECHO: epoch of who asked.
    uint64_t known{0};           ///< STATE: peers whose epoch the sender knows, a bit each.
    uint32_t group{0};           ///< Names protocol, size and traffic of the group.
    Peer from{0};                ///< Sender.
    LiveKind kind{};             ///< Kind.
    bool finished{false};        ///< STATE: nothing is left to do for the sender's messages.
    Frame frame;                 ///< FRAME: the frame.
    std::vector<uint32_t> words; ///< FRAME: what its contents stand for, where that is a list.
    std::vector<uint8_t> bytes;  ///< FRAME: the user's bytes, if there are any.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const LiveDatagram&) const = default;
};

/**
 * Write a datagram.
 * @param datagram the datagram
 * @return its bytes
 */
std::vector<uint8_t> WriteLiveDatagram(const LiveDatagram& datagram);

/**
 * Read a datagram. Any bytes at all may be given.
 * @param bytes the bytes
 * @param datagram set if they are one
 * @param reject set to MAGIC, VERSION or CHECKSUM if they are not
 * @return true if they are one
 */
bool ReadLiveDatagram(std::span<const uint8_t> bytes, LiveDatagram& datagram, LiveReject& reject);

/**
 * Compute the CRC-32 of IEEE 802.3.
 * @param bytes the bytes
 * @return the checksum
 */
uint32_t GetCrc32(std::span<const uint8_t> bytes);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LIVE_DATAGRAM_H
