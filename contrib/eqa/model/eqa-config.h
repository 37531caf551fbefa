/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_CONFIG_H
#define EQA_CONFIG_H

#include "ns3/messaging-core.h"

#include <cstdint>
#include <ostream>
#include <string>

/**
 * @file
 * @ingroup eqa
 * What all nodes of a DP-SMP group have in common.
 */

namespace ns3
{
namespace eqa
{

/** Packets between DPs; the values of Frame::kind. */
enum class PacketKind : uint8_t
{
    DATA = 1, ///< A part of a message.
    ACK = 2,  ///< All packets before a number have been taken; may ask for the rest of a message.
    ASK = 3,  ///< Packets were lost: send them again, from a number on (go-back-N).
    PROBE = 4 ///< The sender has heard nothing for a while and asks how far the receiver is.
};

/** Flags of packets; the values of Frame::flags. */
enum PacketFlag : uint8_t
{
    OF_BROADCAST = 1, ///< Belongs to the sender's broadcast channel.
    FIRST = 2,        ///< First packet of a message.
    PUSH_END = 4,     ///< Last packet of the push phase.
    ACK_ME = 8,       ///< Each receiver answers with an ACK.
    PULL = 16,        ///< In an ACK: send the rest of the message (section 2).
    NO_ROOM = 32      ///< In an ACK: the pushed buffer is full; the receiver will ask.
};

/** Request::flags: the request is a receive from peer `to`. */
inline constexpr uint8_t RECEIVE = 1;
/** Request::flags, with RECEIVE: from that peer's broadcast channel. */
inline constexpr uint8_t BROADCAST_CHANNEL = 2;
/** Request::id of a receive of whose end nobody wants to be told but by the delivery. */
inline constexpr messaging::RequestId NO_ID = ~messaging::RequestId{0};

/** How a message is broadcast (section 3). */
enum class BroadcastKind : uint8_t
{
    SIMPLE,   ///< All packets at once (section 3.2).
    PUSH_PULL ///< A push phase, and the rest after one receiver's acknowledgement (section 3.3).
};

/**
 * When the receivers of a Push-Pull Broadcast acknowledge, so that its buffer is freed; besides the
 * chosen one at the end of a push, which is all that section 3.3 tells.
 */
enum class ReleaseRule : uint8_t
{
    TOGETHER, ///< All at every packet that ends half a window, and at the end of a long message.
    IN_TURN   ///< Each at one packet of half a window: those next to each other at different ones.
};

/** What the protocol counts; the values of its notes. */
enum class Event : uint8_t
{
    BROADCAST,       ///< A packet was sent to all by one hardware broadcast.
    UNICAST,         ///< A packet was sent for the first time, to one peer.
    RESENT,          ///< A packet was sent again, to one peer.
    ACK_SENT,        ///< An acknowledgement was sent.
    PUSH_ACK_SENT,   ///< One of those, for the push phase of a broadcast, by the chosen receiver.
    PULL_SENT,       ///< An acknowledgement that asks for the rest of a message was sent.
    ASK_SENT,        ///< A receiver has asked for lost packets.
    PROBE_SENT,      ///< A sender has asked how far its receivers are.
    DIRECT,          ///< A packet was copied straight to its destination.
    BUFFERED,        ///< A packet was put into the pushed buffer.
    DRAINED,         ///< A packet was copied from the pushed buffer to its destination.
    GAP,             ///< A packet was dropped, since one before it is missing.
    DUPLICATE,       ///< A packet was dropped, since it had been taken before.
    BUFFER_OVERFLOW, ///< A packet was lost in the host: pushed buffer full.
    RING_OVERFLOW,   ///< A frame was lost in the card: descriptor ring full.
    SUSPENDED,       ///< A channel was suspended until a receiver has caught up.
    RESUMED,         ///< It was resumed.
    WINDOW_FULL,     ///< A packet had to wait for a free slot of the retransmission buffer.
    TIMEOUT,         ///< A sender has heard nothing for a while.
    RETURNED,        ///< All packets of a message have left: the call returns.
    STALE,           ///< An acknowledgement was ignored, since a later one came before.
    ILLEGAL          ///< A frame or timer that no node of this protocol sends or sets.
};

/** Number of events that are counted. */
inline constexpr std::size_t EVENTS = static_cast<std::size_t>(Event::ILLEGAL) + 1;

/** What a DP allocates (section 4.2, D-26) [bytes]. */
struct PointSizes
{
    uint32_t sendQueue{4096};       ///< Send queue of a send-only DP and of a light DP.
    uint32_t sendPushed{4096};      ///< Pushed buffer of a send-only DP.
    uint32_t receiveQueue{4096};    ///< Receive queue of a receive-only DP.
    uint32_t receivePushed{12288};  ///< Pushed buffer of a receive-only DP.
    uint32_t retransmission{24576}; ///< Retransmission buffer of each DP.
    uint32_t sendOverhead{1843};    ///< What a send-only DP has besides: 1.8 Kbytes, unexplained.
    uint32_t receiveOverhead{1434}; ///< The same of a receive-only DP: 1.4 Kbytes.
    uint32_t lightOverhead{410};    ///< The same of a light DP: 0.4 Kbytes.
};

/** Parameters of the protocol, and what its steps cost the host. */
struct EqaConfig
{
    PointSizes sizes;                   ///< Sizes of queues and buffers.
    uint32_t window{16};                ///< Packets of a retransmission buffer (section 3.2).
    uint32_t maxPayload{1464};          ///< Largest payload of a packet [bytes].
    uint32_t maxMessage{1U << 20};      ///< Largest message [bytes].
    uint32_t btp1{80};                  ///< BTP_1 (section 4.1) [bytes].
    uint32_t btp2{780};                 ///< BTP_2 [bytes].
    uint32_t receiveRing{32};           ///< Descriptors of a card's receive ring [frames].
    uint32_t chosen{0};                 ///< Which receiver acknowledges the push, from the root.
    messaging::Ticks timeout{10000000}; ///< Silence after which a sender acts [ticks].
    BroadcastKind broadcast{BroadcastKind::PUSH_PULL}; ///< How messages are broadcast.
    ReleaseRule release{ReleaseRule::TOGETHER};        ///< When receivers acknowledge besides.
    bool rotate{false};         ///< The chosen receiver changes with each message.
    bool splitShort{true};      ///< BTP_1 leaves by itself if all of a message is pushed, too.
    bool confirmAll{false};     ///< All receivers acknowledge short broadcasts too.
    bool zeroBuffer{true};      ///< Cross-Space Zero Buffer: one copy, not two.
    bool maskTranslation{true}; ///< Address Translation Overhead Masking.
    bool overlapAck{true};      ///< Push-and-Acknowledge Overlapping.
    bool hostWork{false};       ///< Steps ask for the host's work.
    bool sendCopy{true};        ///< Packets are copied into the retransmission buffer.
    bool interrupts{true};      ///< The reception handler is started by an interrupt.
    uint64_t transmitTime{0};   ///< CPU time to hand a frame to the card [ns].
    uint64_t lightTime{0};      ///< CPU time for each light DP that a packet is sent to [ns].
    uint64_t handleTime{0};     ///< CPU time of the handler for a frame [ns].
    uint64_t wakeTime{0};       ///< CPU time until a waiting process goes on [ns].
    uint64_t translateTime{0};  ///< CPU time to translate the address of a page [ns].

    /** @return BTP = BTP_1 + BTP_2 [bytes]. */
    uint32_t GetBtp() const
    {
        return btp1 + btp2;
    }

    /** @return size of a slot of the retransmission buffer [bytes]. */
    uint32_t GetSlot() const
    {
        return sizes.retransmission / window;
    }

    /** @return empty if the parameters go together, else one sentence. */
    std::string Check() const;
};

/** Size of a page, for address translation [bytes]. */
inline constexpr uint32_t PAGE = 4096;

/**
 * Print a packet kind by name.
 * @param os the stream
 * @param kind the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, PacketKind kind);

/**
 * Print a kind of broadcast by name.
 * @param os the stream
 * @param kind the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, BroadcastKind kind);

/**
 * Print a rule by name.
 * @param os the stream
 * @param rule the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, ReleaseRule rule);

/**
 * Print an event by name.
 * @param os the stream
 * @param event the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, Event event);

} // namespace eqa
} // namespace ns3

#endif // EQA_CONFIG_H
