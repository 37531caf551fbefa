/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SDR_PACKET_H
#define SDR_PACKET_H

#include "sdr-erasure-code.h"

#include "ns3/messaging-core.h"
#include "ns3/messaging-types.h"

#include <algorithm>
#include <cstdint>
#include <limits>

/**
 * @file
 * @ingroup sdr
 * Packets of SDR, and the parameters of the protocol.
 */

namespace ns3
{
namespace sdr
{

using messaging::Frame;
using messaging::Peer;
using messaging::Ticks;

/** Header of an unreliable write with immediate: 12 + 4 of transport, 16 of address, key and
 * length, 4 of immediate data [bytes; IBTA 9]. */
inline constexpr uint16_t DATA_HEADER = 36;

/** Header of an answer without its words: transport, message, base and first open message [bytes;
 * default]. */
inline constexpr uint16_t ANSWER_HEADER = 28;

/** Size of a word in a header [bytes]. */
inline constexpr uint16_t WORD_BYTES = 4;

/** Bits of a packet's index [bits; SDR, immediate data]. */
inline constexpr uint32_t INDEX_BITS = 18;

/** Packets that a message can have. */
inline constexpr uint32_t MOST_PACKETS = 1U << INDEX_BITS;

/** Kinds of frames. */
enum Kind : uint8_t
{
    DATA,   ///< A data packet, for the first time.
    PARITY, ///< A parity packet.
    PROBE,  ///< Request for an answer: the index is the number of packets sent so far.
    ACK,    ///< Chunks that are here: all below the first word, and the bits of the others.
    NACK,   ///< Chunks that are not here: below the first word, those without a bit.
    /** A data packet, sent again: DATA with a mark in the upper half, so that both have one number
     * in an account of packets. */
    REPEAT = 0x10 | DATA
};

/** @param kind kind of a frame @return true if it is a packet of a message, or a probe. */
constexpr bool
IsOfSender(uint8_t kind)
{
    return kind < ACK || kind == REPEAT;
}

/** Events that are counted. */
enum Event : messaging::Reason
{
    REPEATED,  ///< A packet is sent again.
    GAP,       ///< An acknowledgement shows the loss of a chunk.
    TIMEOUT,   ///< The timeout of a chunk expires.
    FALLBACK,  ///< The fallback timeout of a message expires at the receiver.
    FAILED,    ///< A submessage has failed: it is sent by selective repeat.
    RECOVERED, ///< A chunk is recovered from parity.
    PROBED,    ///< The sender has had no answer, and requests one.
    DUPLICATE  ///< A packet of a chunk that is here arrives.
};

/** Parameters of a flow. */
struct Config
{
    uint64_t modulus{1 << 24};               ///< Count of different message numbers in frames.
    uint32_t requests{128};                  ///< Messages in flight.
    uint32_t window{0};                      ///< Packets without an acknowledgement.
    uint32_t mtu{0};                         ///< Payload of a packet [bytes].
    uint32_t chunkPackets{1};                ///< Packets of a chunk.
    uint32_t data{1};                        ///< Data chunks of a submessage, k.
    uint32_t parity{0};                      ///< Parity chunks of a submessage, m; 0 for none.
    uint32_t ackWords{8};                    ///< Words of a bitmap in an answer.
    uint16_t paths{1};                       ///< Paths of the network.
    Scheme scheme{Scheme::SELECTIVE_REPEAT}; ///< Loss recovery.
    bool gaps{false};                        ///< A gap in acknowledgements is a loss.
    bool whole{true};                        ///< Failed submessages are sent from scratch.
    bool spray{false};                       ///< Choose a path for each packet.
    uint32_t doublings{0};                   ///< Most doublings of the timeout.
    Ticks timeout{1};                        ///< Timeout of a chunk (RTO) [ticks].
    Ticks slack{1};      ///< Time of the fallback timeout beyond the injection [ticks].
    Ticks packetTime{1}; ///< Time to inject a packet [ticks].

    /** @return packets of a full submessage with its parity. */
    uint32_t GetSubmessagePackets() const
    {
        return (data + parity) * chunkPackets;
    }

    /** @return how far before the expected number another one may be, when it is recovered. */
    uint64_t GetPast() const
    {
        return (modulus - 1) / 2;
    }

    /** @return the largest message: all of its indices, padded to submessages, have 18 bits
     * [bytes].
     */
    uint32_t GetLargestMessage() const
    {
        const uint32_t unit = data * chunkPackets;
        const uint64_t bytes = uint64_t{MOST_PACKETS / unit * unit} * mtu;
        return static_cast<uint32_t>(
            std::min<uint64_t>(bytes, std::numeric_limits<uint32_t>::max()));
    }
};

/**
 * Number of a message, and an index in it: `id` of each frame.
 */
struct Address
{
    uint64_t number{0}; ///< Number of the message in frames.
    uint32_t index{0};  ///< Index of a packet, or of a chunk in an answer.

    /** @return both in one word. */
    constexpr uint64_t Pack() const
    {
        return number << INDEX_BITS | index;
    }

    /** @param id the id of a frame @return its fields. */
    static constexpr Address Unpack(uint64_t id)
    {
        return {id >> INDEX_BITS, static_cast<uint32_t>(id) & (MOST_PACKETS - 1)};
    }
};

} // namespace sdr
} // namespace ns3

#endif // SDR_PACKET_H
