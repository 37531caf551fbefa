/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_CONFIG_H
#define IDEMPOTENT_CONFIG_H

#include "ns3/idempotent-backoff.h"
#include "ns3/messaging-types.h"

#include <cstdint>
#include <ostream>
#include <string>

/**
 * @file
 * @ingroup idempotent
 * Packets, events and parameters of the idempotent messaging protocol.
 */

namespace ns3
{
namespace idempotent
{

/** The three packets of section 2.1; the values of Frame::kind. */
enum class PacketKind : uint8_t
{
    MSG = 1,  ///< The message, repeated until an ACK arrives.
    ACK = 2,  ///< Acknowledgement, repeated until a CONF arrives.
    CONF = 3, ///< Confirmation that the message will not be repeated; the answer to every ACK.
};

/** The published protocol, or one of the shortcuts that the paper proves wrong. */
enum class Variant : uint8_t
{
    SOUND,         ///< Protocol of sections 2.1 to 2.3.
    SHORT_IDS,     ///< Message IDs of few bits, reused after the ACK (Figure 3).
    SECONDARY_IDS, ///< A CONF contains the receiver's short number of the message (Figure 4).
    NO_RETENTION,  ///< No retention of records although the network reorders (Figure 5).
};

/** Counted events; the reasons of the protocol's notes. */
enum class Event : uint8_t
{
    MSG_FIRST,      ///< A MSG was sent for the first time.
    MSG_REPEATED,   ///< A MSG was sent again.
    ACK_FIRST,      ///< An ACK was sent for the first time.
    ACK_REPEATED,   ///< An ACK was sent again.
    CONF_SENT,      ///< A CONF was sent.
    MSG_BUSY,       ///< A MSG was delayed by a busy port.
    ACK_BUSY,       ///< An ACK was delayed by a busy port.
    CONF_BUSY,      ///< A CONF was delayed by a busy port.
    MSG_ACCEPTED,   ///< A MSG was accepted and delivered.
    MSG_DUPLICATE,  ///< A MSG was ignored as a duplicate: its record exists.
    MSG_TABLE_FULL, ///< A MSG was dropped: the receive table is full (section 2.4).
    ACK_TAKEN,      ///< An ACK freed its entry of the send table.
    ACK_FORGOTTEN,  ///< An ACK arrived for a forgotten message.
    CONF_TAKEN,     ///< A CONF ended a record.
    CONF_FORGOTTEN, ///< A CONF arrived without a record.
    RECORD_EXPIRED, ///< A record expired after its retention (section 2.3).
    POST_STALLED,   ///< The processor was stalled: send table full, or draining (section 2.2).
    REPLY_ATTACHED, ///< A reply rides in the ACK of its request (section 6).
    ILLEGAL,        ///< An invalid frame or timer.
};

/** Number of counted events. */
inline constexpr std::size_t EVENTS = static_cast<std::size_t>(Event::ILLEGAL) + 1;

/** Request::flags: the message requests a reply, which may use its ACK (section 6). */
inline constexpr uint8_t AWAITS_REPLY = 1;
/** Request::flags: the message replies to one with AWAITS_REPLY. */
inline constexpr uint8_t IS_REPLY = 2;

/** Bits of a node's ID in an ACK or a CONF (section 2.2: up to one million nodes). */
inline constexpr unsigned NODE_BITS = 20;
/** Bits of a message ID in an ACK or a CONF (section 2.2). */
inline constexpr unsigned MESSAGE_ID_BITS = 54;
/** Length of an ACK or a CONF without checksum: 96 bits (section 2.2) [bytes]. */
inline constexpr uint16_t ACK_BYTES = 12;
/** Length of a CONF with only a secondary ID: one flit of 32 bits (Figure 4) [bytes]. */
inline constexpr uint16_t SECONDARY_CONF_BYTES = 4;

static_assert(2 + 2 * NODE_BITS + MESSAGE_ID_BITS == 8 * ACK_BYTES,
              "Figure 2: packet type, two node IDs and a message ID fill an ACK.");

/** Effective parameters of the protocol, shared by all nodes of a group. */
struct IdempotentConfig
{
    BackoffTable backoff{{0}, {}, 0};  ///< Backoff by number of attempts (section 4.3).
    messaging::Ticks retention{0};     ///< Retention T of section 2.3; 0: none [ticks].
    messaging::Ticks queueing{0};      ///< Least estimate of queueing; 0: none, as published.
    messaging::Ticks firstQueueing{0}; ///< Estimate of queueing before the first sample [ticks].
    double dither{0};                  ///< Maximum random fraction of a backoff; 0 as published.
    uint32_t sendTable{16};            ///< Entries of a send table (section 2.4).
    uint32_t receiveTable{32};         ///< Entries of a receive table (section 2.4).
    uint32_t nodes{1U << NODE_BITS};   ///< Number of nodes.
    uint32_t mtu{0};                   ///< Longest frame; 0: no limit [bytes].
    uint16_t messageHeader{ACK_BYTES}; ///< Header of a MSG, not in Request::bytes [bytes].
    uint8_t idBits{MESSAGE_ID_BITS};   ///< Bits of a message ID (section 2.2).
    BackoffKind strategy{};            ///< Strategy of the congestion estimate, if any.
    Variant variant{Variant::SOUND};   ///< Published protocol, or a wrong shortcut.
    bool answersFirst{false};          ///< ACK and CONF precede MSG that wait for the port.
    bool piggybackReply{false};        ///< Replies use ACKs (section 6).
};

/** Parameters of a group before it is connected to a network; the attributes of
 * IdempotentProtocol. */
struct IdempotentSettings
{
    IdempotentConfig config;           ///< Parameters independent of the network.
    Backoff backoff;                   ///< Strategy of retransmission.
    std::string retention{"auto"};     ///< Retention T of section 2.3, or auto [cycles].
    messaging::Ticks drainTime{10000}; ///< Quiet time that ends a drain [cycles].

    /**
     * Check the parameters.
     * @return empty if they are consistent, else one sentence
     */
    std::string Check() const;

    /**
     * Check the parameters on a network.
     * @param info properties of the network
     * @param peers number of nodes
     * @return empty if they are valid there, else one sentence
     */
    std::string Check(const messaging::PortInfo& info, uint32_t peers) const;

    /**
     * Complete the parameters on a network.
     * @param info properties of the network
     * @param peers number of nodes
     * @param cycle length of a cycle [ticks]
     * @return the effective parameters
     */
    IdempotentConfig Complete(const messaging::PortInfo& info,
                              uint32_t peers,
                              messaging::Ticks cycle) const;
};

/**
 * Print a packet kind by name.
 * @param os the stream
 * @param kind the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, PacketKind kind);

/**
 * Print an event by name.
 * @param os the stream
 * @param event the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, Event event);

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_CONFIG_H
