/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LIVE_DATAGRAM_H
#define MESSAGING_LIVE_DATAGRAM_H

#include "ns3/messaging-types.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Datagrams of live groups, whose peers are processes on real machines.
 */

namespace ns3
{
namespace messaging
{

/** Kinds of datagrams. */
enum class LiveKind : uint8_t
{
    HELLO, ///< Request of a peer's epoch, with the time of the sender.
    ECHO,  ///< Answer to a HELLO, with its time and epoch.
    STATE, ///< State of a peer: its session, and its progress with the receiver of the STATE.
    FRAME  ///< Frame of the protocol.
};

/** Reasons to reject a datagram as foreign. */
enum class LiveReject : uint8_t
{
    MAGIC,    ///< Too short, or without the magic number.
    VERSION,  ///< Another version of this format.
    CHECKSUM, ///< Damaged, or of wrong length.
    GROUP,    ///< A group with another protocol, size or traffic.
    PEER,     ///< Not from the address of another peer of this group.
    EPOCH     ///< Another run of a peer or another session, or a peer not known yet.
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

/** User bytes of a message in a frame. */
struct LivePart
{
    uint64_t contents{0};       ///< Name of the message.
    std::vector<uint8_t> bytes; ///< The bytes.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const LivePart&) const = default;
};

/** Progress of a peer with another one: the receiver of a STATE. */
struct LiveProgress
{
    uint64_t posted{0};    ///< Messages posted to the other.
    uint64_t delivered{0}; ///< All messages of the other below this number are delivered.
    uint64_t taken{0};     ///< All of them below this number are taken by the program.
    bool finished{false};  ///< The peer has no more messages, and its own are complete.
    bool gaveUp{false};    ///< The protocol has given up a message to the other.
    bool damaged{false};   ///< A message of the other has arrived damaged.
    bool failed{false};    ///< The peer ends with an error.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const LiveProgress&) const = default;
};

/**
 * @ingroup messaging
 * Datagram of a live group.
 *
 * @verbatim
     0      4        5     6   8       12     16      24        32         36
     | magic| version| kind| 0 | group | from | epoch | session | checksum | body

     HELLO  stamp 8
     ECHO   stamp 8, epoch of the requester 8
     STATE  posted 8, delivered 8, taken 8, finished 1, gave up 1, damaged 1, failed 1
     FRAME  id 8, contents 8, payload 4, aux 4, header 2, path 2, kind 1, flags 1, class 1,
            number of words 2, the words, number of parts 1,
            contents 8, number of bytes 2 and the bytes of each part, zeroes
   @endverbatim
 *
 * Integers are in network byte order. The checksum is the CRC-32 of the datagram with a checksum of
 * zero. The session is a checksum of the epochs of all peers; 0 as long as the sender lacks one.
 *
 * The payload of a frame consists of the user bytes of its messages and of zeroes, so that the
 * datagram has the same size with and without them. The marks of a frame are the network's, and not
 * in the datagram.
 */
struct LiveDatagram
{
    static constexpr uint32_t MAGIC = 0x724e6574; ///< "rNet".
    static constexpr uint8_t VERSION = 3;         ///< Version of the format.
    static constexpr std::size_t HEAD = 36;       ///< Size without the body [bytes].

    uint64_t epoch{0};           ///< Epoch of the sender's run.
    uint64_t session{0};         ///< Session: checksum of the epochs of all peers.
    uint64_t stamp{0};           ///< HELLO and ECHO: time of the HELLO [ns].
    uint64_t requester{0};       ///< ECHO: epoch of the HELLO's sender.
    uint32_t group{0};           ///< Checksum of the group's protocol, peers and traffic.
    Peer from{0};                ///< Sender, which need not be the origin of a frame's messages.
    LiveKind kind{};             ///< Kind.
    LiveProgress progress;       ///< STATE: progress with the receiver.
    Frame frame;                 ///< FRAME: the frame.
    std::vector<LivePart> parts; ///< FRAME: user bytes of its messages, if any.

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
 * Read a datagram from arbitrary bytes.
 * @param bytes the bytes
 * @param datagram set if the bytes are valid
 * @return MAGIC, VERSION or CHECKSUM if they are not
 */
std::optional<LiveReject> ReadLiveDatagram(std::span<const uint8_t> bytes, LiveDatagram& datagram);

/**
 * Compute the CRC-32 of IEEE 802.3.
 * @param bytes the bytes
 * @return the checksum
 */
uint32_t GetCrc32(std::span<const uint8_t> bytes);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LIVE_DATAGRAM_H
