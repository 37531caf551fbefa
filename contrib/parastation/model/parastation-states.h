/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_STATES_H
#define PARASTATION_STATES_H

#include <cstdint>
#include <optional>
#include <ostream>

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

/**
 * Transition function of a send slot (figure 3, and table 1 for a late NACK).
 * @param state its state
 * @param event the event
 * @return its next state; nothing if the event is illegal in this state
 */
constexpr std::optional<SendState>
Next(SendState state, SendEvent event)
{
    switch (state)
    {
    case SendState::IDLE:
        return event == SendEvent::STORE ? std::optional(SendState::READY) : std::nullopt;
    case SendState::READY:
        if (event == SendEvent::SEND)
        {
            return SendState::INTRANSIT;
        }
        // Table 1: a NACK marks a buffer only in transit, and is ignored otherwise.
        return event == SendEvent::NACK ? std::optional(state) : std::nullopt;
    case SendState::INTRANSIT:
        if (event == SendEvent::ACK)
        {
            return SendState::IDLE;
        }
        return event == SendEvent::NACK || event == SendEvent::TIMEOUT
                   ? std::optional(SendState::RETRANSMIT)
                   : std::nullopt;
    case SendState::RETRANSMIT:
        if (event == SendEvent::SEND)
        {
            return SendState::INTRANSIT;
        }
        if (event == SendEvent::ACK)
        {
            return SendState::IDLE;
        }
        return event == SendEvent::NACK ? std::optional(state) : std::nullopt;
    }
    return std::nullopt;
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
    switch (state)
    {
    case ReceiveState::IDLE:
        return event == ReceiveEvent::ARRIVE ? std::optional(ReceiveState::INTRANSIT)
                                             : std::nullopt;
    case ReceiveState::INTRANSIT:
        if (event == ReceiveEvent::ACCEPT)
        {
            return ReceiveState::READY;
        }
        return event == ReceiveEvent::DISCARD ? std::optional(ReceiveState::IDLE) : std::nullopt;
    case ReceiveState::READY:
        return event == ReceiveEvent::TAKE ? std::optional(ReceiveState::IDLE) : std::nullopt;
    }
    return std::nullopt;
}

/**
 * Print a state by name.
 * @param os the stream
 * @param state the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, SendState state);

/**
 * Print an event by name.
 * @param os the stream
 * @param event the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, SendEvent event);

/**
 * Print a state by name.
 * @param os the stream
 * @param state the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, ReceiveState state);

/**
 * Print an event by name.
 * @param os the stream
 * @param event the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, ReceiveEvent event);

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_STATES_H
