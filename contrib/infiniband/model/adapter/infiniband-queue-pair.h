/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_QUEUE_PAIR_H
#define INFINIBAND_QUEUE_PAIR_H

#include "infiniband-context-cache.h"
#include "infiniband-list-pool.h"
#include "infiniband-transport-header.h"

#include "ns3/infiniband-config.h"

/**
 * @file
 * @ingroup infiniband
 * State of queue pairs and messages at an adapter.
 */

namespace ns3
{
namespace infiniband
{

/** Bits of a packet sequence number. */
inline constexpr unsigned PSN_BITS = 24;

/** Mask of a packet sequence number. */
inline constexpr uint32_t PSN_MASK = (1U << PSN_BITS) - 1;

/**
 * Compare packet sequence numbers, which wrap.
 * @param a one
 * @param b another
 * @return how far a is ahead of b, negative if it is behind
 */
constexpr int32_t
GetPsnDistance(uint32_t a, uint32_t b)
{
    return static_cast<int32_t>((a - b) << (32 - PSN_BITS)) >> (32 - PSN_BITS);
}

/** @return whether an operation asks for data. @param opcode the operation */
constexpr bool
IsFetching(WrOpcode opcode)
{
    return opcode >= WrOpcode::RDMA_READ;
}

/** @return whether an operation consumes a receive. @param opcode the operation */
constexpr bool
TakesReceive(WrOpcode opcode)
{
    return opcode <= WrOpcode::SEND_WITH_IMM || opcode == WrOpcode::RDMA_WRITE_WITH_IMM;
}

/** A message that has not ended at both sides. */
struct Message
{
    SendWr wr;               ///< The work request.
    uint64_t atomic{0};      ///< Value before an atomic operation, once it has arrived.
    uint64_t kept{0};        ///< The same, as its responder keeps it.
    Ticks fetchedAt{NEVER};  ///< Since when the adapter has the request [ns].
    Qpn from{NO_QP};         ///< Whose send queue it is or was on.
    uint32_t next{NO_PLACE}; ///< The one behind it there, or in the list of free places.
    uint32_t firstPsn{0};    ///< PSN of its first packet.
    uint32_t packets{1};     ///< PSNs that it takes: of a read, those of its responses.
    uint32_t answered{0};    ///< Responses of it that have arrived.
    uint32_t uses{0};        ///< Send queue, packets, answers and events that know it.
    bool begun{false};       ///< Its first packet has been sent.
    bool queued{false};      ///< It is on its send queue.
    bool executed{false};    ///< The responder has done its atomic operation.
    bool askedAgain{false};  ///< Its responses have been asked for again since the last came.

    /** @return packets that its sender sends. */
    uint32_t GetNRequests() const
    {
        return IsFetching(wr.opcode) ? 1 : packets;
    }
};

/** Answer that a responder owes to a requester, in order. */
struct Answer
{
    Ticks ready{0};                   ///< Not before [ns].
    uint32_t message{NO_PLACE};       ///< For responses: of what request.
    uint32_t psn{0};                  ///< PSN of the next packet.
    uint32_t packets{1};              ///< Packets that are left.
    uint32_t messages{1};             ///< For ACKs: messages that it acknowledges.
    PacketKind kind{PacketKind::ACK}; ///< Kind of its packets.
    Syndrome syndrome{Syndrome::ACK}; ///< For ACKs.
    bool begun{false};                ///< Its first packet has been sent.
};

/** The transport's state of a queue pair at its adapter. */
struct alignas(64) QueuePair
{
    // Requester.
    Ticks deadline{NEVER};     ///< RC: when to repeat without an answer [ns].
    Ticks ended{0};            ///< RC: when the last completion is written; none overtakes [ns].
    uint32_t head{NO_PLACE};   ///< Oldest message of the send queue.
    uint32_t tail{NO_PLACE};   ///< Newest one.
    uint32_t cursor{NO_PLACE}; ///< The one to be sent from next.
    uint32_t packet{0};        ///< Its packet to be sent next.
    uint32_t postPsn{0};       ///< PSN of the next message to be posted.
    uint32_t ackPsn{0};        ///< RC: oldest PSN without an ACK.
    uint32_t sentPsn{0};       ///< RC: one more than the newest PSN sent.
    uint32_t inFlight{0};      ///< RC: messages begun and not acknowledged.

    // Responder.
    PooledList answers;       ///< Answer, in order.
    uint32_t expected{0};     ///< Expected PSN.
    uint32_t arrived{0};      ///< Data of the message that is arriving, so far [bytes].
    RecvWr receive;           ///< Receive that is being filled.
    uint32_t responsesOut{0}; ///< Responses that wait for the link.
    uint32_t place{0};        ///< Place of the next receive in the receive queue.

    ContextCache::Hints hints{};        ///< Its places in the cache of its adapter.
    uint32_t ending{0};                 ///< Requests whose ends are events in flight.
    Qpn remote{NO_QP};                  ///< Other end.
    HostId host{0};                     ///< Adapter.
    HostId remoteHost{0};               ///< Adapter of the other end.
    uint16_t epoch{0};                  ///< Grows with each RESET and error.
    uint8_t path{0};                    ///< Path.
    uint8_t reads{0};                   ///< Reads and atomics in flight.
    uint8_t retries{0};                 ///< Repetitions without progress.
    uint8_t rnrRetries{0};              ///< Repetitions for want of a receive.
    Transport transport{Transport::RC}; ///< Type.
    QpState state{QpState::RESET};      ///< State.
    bool resumed : 1 {false}; ///< The next packet is sent again, so its request is fetched again.
    bool begun : 1 {false};   ///< It has been in RTS.
    bool waiting : 1 {false}; ///< For a receive at the other side.
    bool failed : 1 {false};  ///< Its error completion is in flight.
    bool timerPlaced : 1 {false}; ///< An event for the deadline is placed.
    bool sending : 1 {false};     ///< In its adapter's list of those who send.
    bool answering : 1 {false};   ///< In its adapter's list of those who acknowledge.
    bool nakSent : 1 {false};     ///< A NAK was sent since the last expected packet.
    bool inMessage : 1 {false};   ///< A message is arriving.
    bool hasReceive : 1 {false};  ///< A receive was taken for it.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_QUEUE_PAIR_H
