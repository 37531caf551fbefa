/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_STATES_H
#define PARASTATION_STATES_H

#include <array>
#include <cstdint>
#include <optional>

/**
 * @file
 * @ingroup parastation
 * States of the slots of the send ring and the receive ring (paper 2, figure 3).
 *
 * Send buffer handling:
 *
 *            store packet (host)          send
 *     IDLE ----------------------> READY ------> INTRANSIT
 *      ^                                          |  ^  |
 *      |              receive ACK                 |  |  | receive NACK / timeout
 *      +------------------------------------------+  |  v
 *      |                                        send | RETRANSMIT
 *      |              receive ACK                    +-- |
 *      +-------------------------------------------------+
 *
 * Receive buffer handling:
 *
 *            packet arrives              another slot is free; send ACK
 *     IDLE ------------------> INTRANSIT ------------------------------> READY
 *      ^                           |                                       |
 *      |  no other slot is free, send NACK; out of sequence;               |
 *      |  ACK or NACK; CRC error   |                                       |
 *      +---------------------------+                                       |
 *      |  in host memory                                                   |
 *      +-------------------------------------------------------------------+
 *
 * The figure has no arrow for an ACK whose buffer is in RETRANSMIT. The buffer is released, as
 * table 1 releases the buffer of every expected ACK.
 */

namespace ns3
{
namespace parastation
{

/** State of a slot of the send ring in the network interface (section 3.3). */
enum class SendState : uint8_t
{
    IDLE,      ///< Empty.
    READY,     ///< Ready to be sent.
    INTRANSIT, ///< Sent, and not acknowledged.
    RETRANSMIT ///< Marked for retransmission.
};

/** Events of a slot of the send ring. */
enum class SendEvent : uint8_t
{
    STORE,  ///< The host has stored a packet and its descriptor.
    SEND,   ///< The packet is sent.
    ACK,    ///< Its acknowledgement arrives.
    NACK,   ///< Its negative acknowledgement arrives.
    TIMEOUT ///< No acknowledgement has arrived in time.
};

/** State of a slot of the receive ring in the network interface (section 3.3). */
enum class ReceiveState : uint8_t
{
    IDLE,      ///< Empty.
    INTRANSIT, ///< A packet arrives, or has arrived and is to be examined.
    READY      ///< Ready to go to host memory.
};

/** Events of a slot of the receive ring. */
enum class ReceiveEvent : uint8_t
{
    ARRIVE,  ///< A packet begins to arrive.
    ACCEPT,  ///< It is acknowledged.
    DISCARD, ///< It is rejected, out of sequence, damaged, or was a control packet.
    TAKE     ///< It is in host memory.
};

/** Number of send states. */
inline constexpr unsigned N_SEND_STATES = 4;
/** Number of send events. */
inline constexpr unsigned N_SEND_EVENTS = 5;
/** Number of receive states. */
inline constexpr unsigned N_RECEIVE_STATES = 3;
/** Number of receive events. */
inline constexpr unsigned N_RECEIVE_EVENTS = 4;

/** Next states of a send slot by state and event, empty for an illegal event. By table 1 a NACK
 * marks a buffer only in transit, and is ignored otherwise. */
inline constexpr std::array<std::array<std::optional<SendState>, N_SEND_EVENTS>, N_SEND_STATES>
    SEND_STATES{{// STORE, SEND, ACK, NACK, TIMEOUT
                 {{SendState::READY, {}, {}, {}, {}}},
                 {{{}, SendState::INTRANSIT, {}, SendState::READY, {}}},
                 {{{}, {}, SendState::IDLE, SendState::RETRANSMIT, SendState::RETRANSMIT}},
                 {{{}, SendState::INTRANSIT, SendState::IDLE, SendState::RETRANSMIT, {}}}}};

/** Next states of a receive slot by state and event, empty for an illegal event. */
inline constexpr std::array<std::array<std::optional<ReceiveState>, N_RECEIVE_EVENTS>,
                            N_RECEIVE_STATES>
    RECEIVE_STATES{{// ARRIVE, ACCEPT, DISCARD, TAKE
                    {{ReceiveState::INTRANSIT, {}, {}, {}}},
                    {{{}, ReceiveState::READY, ReceiveState::IDLE, {}}},
                    {{{}, {}, {}, ReceiveState::IDLE}}}};

/**
 * Transition function of a send slot (figure 3, and table 1 for a late NACK).
 * @param state its state
 * @param event the event
 * @return its next state; nothing if the event is illegal in this state
 */
constexpr std::optional<SendState>
Next(SendState state, SendEvent event)
{
    return SEND_STATES[static_cast<std::size_t>(state)][static_cast<std::size_t>(event)];
}

/**
 * Transition function of a receive slot (figure 3).
 * @param state its state
 * @param event the event
 * @return its next state; nothing if the event is illegal in this state
 */
constexpr std::optional<ReceiveState>
Next(ReceiveState state, ReceiveEvent event)
{
    return RECEIVE_STATES[static_cast<std::size_t>(state)][static_cast<std::size_t>(event)];
}

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_STATES_H
