/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_TYPES_H
#define MPI_RANKS_TYPES_H

#include "ns3/messaging-core.h"

#include <array>
#include <ostream>
#include <string>

/**
 * @file
 * @ingroup mpi-ranks
 * Frames, requests and events of point-to-point MPI, and what can be chosen.
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

/** As Request::to of a receive: from any rank. */
inline constexpr Peer ANY_SOURCE = NO_PEER;
/** As Request::tag of a receive: with any tag. */
inline constexpr uint32_t ANY_TAG = 0xffffffff;
/** No entry of a pool. */
inline constexpr uint32_t NONE = 0xffffffff;

/** Flags of a request. */
enum RequestFlags : uint8_t
{
    RECEIVE = 1 ///< MPI_Irecv from Request::to, and not MPI_Isend.
};

/** What a frame is. All but the last three carry a sequence number. */
enum class FrameKind : uint8_t
{
    EAGER,     ///< A small message or, beyond the first MTU, a segment of one.
    RTS,       ///< Request to send: the envelope of a large message (figure 2).
    CTS,       ///< Clear to send: the receive is posted, and where its memory is.
    DATA,      ///< Segment of a large message, where there is no RDMA.
    FIN,       ///< The RDMA write was issued before this.
    DONE,      ///< Figure 3 (a)'s ACK: the data are in the receiver's memory.
    NACK,      ///< Figure 3 (b): the data are missing; write them again.
    RDMA_DATA, ///< The RDMA write of a large message, into memory.
    ACK,       ///< Explicit acknowledgement by the reliability layer.
    CREDIT     ///< Explicit acknowledgement by the flow control; means the same (C-11).
};

/** Number of kinds of frames. */
inline constexpr unsigned N_FRAME_KINDS = static_cast<unsigned>(FrameKind::CREDIT) + 1;

/** Flags of a frame. */
enum FrameFlags : uint8_t
{
    FIRST = 1,     ///< First segment of a message; every unsegmented frame is first and last.
    LAST = 2,      ///< Last segment of a message.
    SIGNALED = 4,  ///< The core wants OnSent when the send has completed locally.
    IMMEDIATE = 8, ///< Of RDMA_DATA: with immediate data, so that the receiver hears of it.
    RESENT = 16    ///< A retransmission. Not on the wire; for traces.
};

/** What a core does or notices: the reasons that it gives. */
enum class Event : messaging::Reason
{
    FLOW_ACK,        ///< Explicit ACK because of unreturned credits (tables 2 and 3).
    RELIABILITY_ACK, ///< Explicit ACK of the reliability layer (tables 2 and 3).
    RETRANSMITTED,   ///< A segment has aged past the timeout and is sent again.
    DUPLICATE,       ///< A segment that had arrived before is discarded.
    HELD,            ///< A segment has arrived before one with a lower number and waits for it.
    OVERRUN,         ///< A segment beyond the reorder window is discarded.
    HOLE,            ///< Segments are taken for lost without hope (native modes).
    BROKEN,          ///< A message is dropped because a segment of it was lost (native modes).
    UNWRITTEN,       ///< A receive is complete whose RDMA write was lost (native UC).
    OUT_OF_CREDITS,  ///< A message waits for credits or for the window.
    UNEXPECTED,      ///< A message has arrived before its receive was posted.
    EARLY_FIN,       ///< A FIN has arrived before the data of its write (section 6.3).
    DATA_NACK,       ///< An RDMA write is missing, and a NACK is sent.
    DATA_RESENT,     ///< A NACK has arrived, and the RDMA write is issued again.
    LATE_WRITE,      ///< An RDMA write has arrived whose receive is complete.
    LATE_CONTROL,    ///< A frame of the rendezvous has arrived for which there is no use.
    PEER_LOST        ///< A segment was sent as often as is allowed; the peer is given up.
};

/** Number of events. */
inline constexpr unsigned N_EVENTS = static_cast<unsigned>(Event::PEER_LOST) + 1;

/** What an entry of the unacknowledged queue counts as memory (C-amb-6). */
enum class MemoryCharge : uint8_t
{
    CAPACITY, ///< The capacity of the buffer that holds it, by size class.
    BYTES,    ///< Its own bytes.
    MVAPICH   ///< The same by MVAPICH's classes: 2048, 4096 and 8192 bytes [MVAPICH].
};

/** What the threshold of the ACK sweep at the end of a progress call counts. */
enum class SweepCount : uint8_t
{
    RUNNING, ///< Frames since the last sweep, explicit ACKs included [MVAPICH, as its source has
             ///< it].
    CALL     ///< Messages in this progress call alone.
};

/** What the length of the unacknowledged queue counts (C-amb-6). */
enum class QueueUnit : uint8_t
{
    SEGMENTS, ///< Segments that are not acknowledged.
    MESSAGES, ///< Messages of which a segment is not acknowledged.
    MVAPICH   ///< Segments, but those of a message of several only when they leave the queue, which
              ///< can make it negative: what MVAPICH's profile counts [MVAPICH].
};

/** What a rank has counted; a row of tables 2 and 3 for each that they have. */
struct RankCounters
{
    uint64_t sent{0};           ///< Messages that were posted to be sent.
    uint64_t received{0};       ///< Messages that have arrived whole.
    uint64_t searched{0};       ///< Entries of matching queues that were looked at.
    uint64_t queueBytes{0};     ///< Memory of the unacknowledged queue now [bytes].
    uint64_t queueBytesMax{0};  ///< Its high-watermark over all peers together [bytes].
    int32_t queueEntries{0};    ///< Length of the unacknowledged queue now.
    int32_t queueEntriesMax{0}; ///< Its high-watermark over all peers together.
    uint32_t unexpectedMax{0};  ///< High-watermark of the unexpected queue [messages].
    uint32_t backlogMax{0};     ///< High-watermark of what waits to be sent [messages].
    std::array<uint64_t, N_EVENTS> events{}; ///< How often each event has been.

    /** @return how often an event has been. @param event the event */
    uint64_t Get(Event event) const
    {
        return events[static_cast<std::size_t>(event)];
    }

    /** Equality of every counter. @return True if all are equal. */
    bool operator==(const RankCounters&) const = default;
};

/**
 * Write a frame for a person.
 * @param frame the frame
 * @return text, such as "EAGER 3 ack 2"
 */
std::string Describe(const Frame& frame);

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
