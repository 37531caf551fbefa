/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_TYPES_H
#define MPI_RANKS_TYPES_H

#include "ns3/messaging-core.h"

#include <array>
#include <ostream>

/**
 * @file
 * @ingroup mpi-ranks
 * Frames, events and counters of point-to-point MPI.
 */

namespace ns3
{
namespace ranks
{

using messaging::Acceptance;
using messaging::Completion;
using messaging::Delivery;
using messaging::Frame;
using messaging::NO_PEER;
using messaging::Peer;
using messaging::Request;
using messaging::RequestId;
using messaging::Ticks;
using messaging::TimerId;
using messaging::WorkId;

/** Wildcard of Request::to: a receive from any rank. */
inline constexpr Peer ANY_SOURCE = NO_PEER;
/** Wildcard of Request::tag: a receive with any tag. */
inline constexpr uint32_t ANY_TAG = 0xffffffff;
/** No entry of a pool. */
inline constexpr uint32_t NONE = 0xffffffff;

/** Flags of a request. */
enum RequestFlags : uint8_t
{
    RECEIVE = 1 ///< MPI_Irecv from Request::to; otherwise MPI_Isend.
};

/** Kinds of frames. All but the last three carry a sequence number. */
enum class FrameKind : uint8_t
{
    EAGER,     ///< A small message, or one of its segments if it exceeds the MTU.
    RTS,       ///< Request to send: the envelope of a large message (figure 2).
    CTS,       ///< Clear to send: address of the posted receive.
    DATA,      ///< Segment of a large message, without RDMA.
    FIN,       ///< Follows the RDMA write of a message.
    DONE,      ///< ACK of figure 3 (a): the data are in the receiver's memory.
    NACK,      ///< Figure 3 (b): the data are missing; write them again.
    RDMA_DATA, ///< RDMA write of a large message into memory.
    ACK,       ///< Explicit acknowledgement of the reliability layer.
    CREDIT     ///< Explicit acknowledgement of the flow control; same format (C-11).
};

/** Number of kinds of frames. */
inline constexpr unsigned N_FRAME_KINDS = static_cast<unsigned>(FrameKind::CREDIT) + 1;

/** @return true if a frame has a sequence number and uses a credit. @param kind its kind */
constexpr bool
IsSequenced(FrameKind kind)
{
    return kind < FrameKind::RDMA_DATA;
}

/** Place of the acknowledgement in the id of a frame: beyond the bits that number the packets of a
 * message, since a repeat carries a newer one. */
inline constexpr unsigned ACK_SHIFT = 48;

/**
 * Make the id of a frame, the common part of all headers.
 * @param sequence its sequence number
 * @param ack frames that its sender has taken from its receiver
 * @return the id
 */
constexpr uint64_t
MakeFrameId(uint16_t sequence, uint16_t ack)
{
    return sequence | uint64_t{ack} << ACK_SHIFT;
}

/** @return the sequence number of a frame. @param frame the frame */
constexpr uint16_t
GetSequence(const Frame& frame)
{
    return static_cast<uint16_t>(frame.id);
}

/** @return frames that the sender of a frame has taken from its receiver. @param frame the frame */
constexpr uint16_t
GetAck(const Frame& frame)
{
    return static_cast<uint16_t>(frame.id >> ACK_SHIFT);
}

/**
 * Compare two sequence numbers, which wrap.
 * @param number a number
 * @param origin another, at most half of all numbers away
 * @return the lead of the first over the second; negative if it is behind
 */
constexpr int16_t
GetLead(uint16_t number, uint16_t origin)
{
    return static_cast<int16_t>(number - origin);
}

/** Flags of a frame. */
enum FrameFlags : uint8_t
{
    FIRST = 1,     ///< First segment of a message; every unsegmented frame is first and last.
    LAST = 2,      ///< Last segment of a message.
    SIGNALED = 4,  ///< The local completion of the send is reported to OnSent.
    IMMEDIATE = 8, ///< RDMA_DATA with immediate data, which notifies the receiver.
    RESENT = 16    ///< A retransmission; not on the wire.
};

/** Events counted by a core; also the reasons of Note. */
enum class Event : messaging::Reason
{
    FLOW_ACK,        ///< Explicit ACK because of unreturned credits (tables 2 and 3).
    RELIABILITY_ACK, ///< Explicit ACK of the reliability layer (tables 2 and 3).
    RETRANSMITTED,   ///< Segment retransmitted after the timeout.
    DUPLICATE,       ///< Segment discarded as a duplicate.
    HELD,            ///< Segment that waits for one with a lower number.
    OVERRUN,         ///< Segment discarded beyond the reorder window.
    HOLE,            ///< Segments given up as lost (native modes).
    BROKEN,          ///< Message dropped because a segment of it was lost (native modes).
    UNWRITTEN,       ///< Receive completed although its RDMA write was lost (native UC).
    OUT_OF_CREDITS,  ///< Message that waits for credits or for the window.
    UNEXPECTED,      ///< Message that arrived before its receive.
    EARLY_FIN,       ///< FIN that arrived before the data of its write (section 6.3).
    DATA_NACK,       ///< NACK sent for a missing RDMA write.
    DATA_RESENT,     ///< RDMA write repeated after a NACK.
    LATE_WRITE,      ///< RDMA write that arrived after its receive had completed.
    LATE_CONTROL,    ///< Obsolete frame of a rendezvous.
    PEER_LOST        ///< Peer declared lost after the last retransmission of a segment.
};

/** Number of events. */
inline constexpr unsigned N_EVENTS = static_cast<unsigned>(Event::PEER_LOST) + 1;

/** Unit of the threshold of the ACK sweep at the end of a progress call. */
enum class SweepCount : uint8_t
{
    RUNNING, ///< Frames since the last sweep, explicit ACKs included [MVAPICH's source].
    CALL     ///< Messages in this progress call only.
};

/** Counters of a rank, including those of tables 2 and 3. */
struct RankCounters
{
    uint64_t sent{0};          ///< Posted messages.
    uint64_t received{0};      ///< Complete messages received.
    uint64_t queueBytes{0};    ///< Memory of the unacknowledged queue [bytes].
    uint64_t queueBytesMax{0}; ///< High-water mark of queueBytes over all peers together [bytes].
    /**
     * Length of the unacknowledged queue as MVAPICH counts it (C-amb-6): it adds a message's
     * segments before it has counted them, and subtracts them on acknowledgement, so a message of
     * several segments adds none, and lowers the length permanently.
     */
    int32_t queueEntries{0};
    int32_t queueEntriesMax{0}; ///< High-water mark of queueEntries over all peers together.
    std::array<uint64_t, N_EVENTS> events{}; ///< Number of each event.

    /** @return number of an event. @param event the event */
    uint64_t Get(Event event) const
    {
        return events[static_cast<std::size_t>(event)];
    }
};

/**
 * Print a kind of frame by name.
 * @param os the stream
 * @param kind the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, FrameKind kind);

/**
 * Print an event by name.
 * @param os the stream
 * @param event the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, Event event);

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_TYPES_H
