/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_QUEUE_PAIR_H
#define INFINIBAND_QUEUE_PAIR_H

#include "infiniband-context-cache.h"
#include "infiniband-transport-header.h"

#include "ns3/infiniband-config.h"
#include "ns3/infiniband-list-pool.h"

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
 * @return distance from b to a, negative if a is behind
 */
constexpr int32_t
GetPsnDistance(uint32_t a, uint32_t b)
{
    return static_cast<int32_t>((a - b) << (32 - PSN_BITS)) >> (32 - PSN_BITS);
}

/** @return whether an operation fetches remote data. @param opcode the operation */
constexpr bool
IsFetching(WrOpcode opcode)
{
    return opcode >= WrOpcode::RDMA_READ;
}

/** @return whether an operation is atomic. @param opcode the operation */
constexpr bool
IsAtomic(WrOpcode opcode)
{
    return opcode >= WrOpcode::ATOMIC_CMP_AND_SWP;
}

/** @return whether an operation is a send. @param opcode the operation */
constexpr bool
IsSend(WrOpcode opcode)
{
    return opcode <= WrOpcode::SEND_WITH_IMM;
}

/** @return whether an operation has immediate data. @param opcode the operation */
constexpr bool
HasImmediate(WrOpcode opcode)
{
    return opcode == WrOpcode::SEND_WITH_IMM || opcode == WrOpcode::RDMA_WRITE_WITH_IMM;
}

/** @return whether an operation consumes a receive. @param opcode the operation */
constexpr bool
TakesReceive(WrOpcode opcode)
{
    return IsSend(opcode) || HasImmediate(opcode);
}

/**
 * Check whether a message takes its receive with a packet: a send with the first, others with the
 * last.
 * @param opcode its operation
 * @param flags flags of the packet
 * @return true if it does
 */
constexpr bool
TakesReceiveWith(WrOpcode opcode, uint8_t flags)
{
    return TakesReceive(opcode) &&
           (flags & (IsSend(opcode) ? TransportHeader::FIRST : TransportHeader::LAST));
}

/** A message that is not completed at both ends. */
struct alignas(64) Message
{
    SendWr wr;                  ///< The work request.
    Ticks fetchedAt{NEVER};     ///< Time at which the adapter has fetched the request [ns].
    Qpn from{NO_QP};            ///< Queue pair of the sender.
    uint32_t next{NO_PLACE};    ///< Next message of the send queue, or next slot of the free list.
    uint32_t firstPsn{0};       ///< PSN of its first packet.
    uint32_t packets{1};        ///< Number of its PSNs; when it fetches, those of its responses.
    uint32_t answered{0};       ///< Responses that have arrived.
    uint32_t uses{0};           ///< Reference count: send queue, packets, answers and events.
    bool begun{false};          ///< Its first packet has been sent.
    bool queued{false};         ///< The message is on its send queue.
    bool requestedAgain{false}; ///< Its responses were requested again since the last arrival.
    uint8_t cause{0};           ///< Cause of the last loss of a packet of it.
    uint32_t owed{0};           ///< Receivers that have not got its data.

    /** A receiver has got the data, or lost the message. */
    void Settle()
    {
        if (owed > 0)
        {
            --owed;
        }
    }

    /** @return the number of request packets. */
    uint32_t GetNRequests() const
    {
        return IsFetching(wr.opcode) ? 1 : packets;
    }
};

/** Answer that a responder owes to its requester; answers are sent in order. */
struct Answer
{
    Ticks ready{0};                   ///< Earliest time to send it [ns].
    uint32_t message{NO_PLACE};       ///< For responses: message that they answer.
    uint32_t psn{0};                  ///< PSN of the next packet.
    uint32_t packets{1};              ///< Remaining packets.
    PacketKind kind{PacketKind::ACK}; ///< Kind of its packets.
    Syndrome syndrome{Syndrome::ACK}; ///< For ACKs: syndrome.
    uint16_t messages{1};             ///< For ACKs: messages that it acknowledges.
};

/** Transport state of a queue pair at its adapter. */
struct alignas(64) QueuePair
{
    // Requester.
    Ticks deadline{NEVER};     ///< RC: retransmission deadline [ns].
    Ticks ended{0};            ///< RC: time of the last completion [ns].
    uint32_t head{NO_PLACE};   ///< Oldest message of the send queue.
    uint32_t tail{NO_PLACE};   ///< Newest message of the send queue.
    uint32_t cursor{NO_PLACE}; ///< Message to send from next.
    uint32_t packet{0};        ///< Next packet of that message.
    uint32_t postPsn{0};       ///< PSN of the next message to be posted.
    uint32_t ackPsn{0};        ///< RC: oldest PSN without an ACK.
    uint32_t sentPsn{0};       ///< RC: one more than the newest PSN sent.
    uint32_t inFlight{0};      ///< RC: messages that were begun and are not acknowledged.

    // Responder.
    PooledList answers;       ///< Answers owed, in order.
    uint32_t expected{0};     ///< Expected PSN.
    uint32_t arrived{0};      ///< Data of the incoming message so far [bytes].
    RecvWr receive;           ///< Receive that is being filled.
    uint32_t responsesOut{0}; ///< Responses that wait for the link.
    uint32_t place{0};        ///< Index of the next receive in the receive queue.

    ContextCache::Hints hints{};        ///< Hints for the context cache.
    uint32_t ending{0};                 ///< Requests whose completion event is pending.
    Qpn remote{NO_QP};                  ///< Remote queue pair.
    HostId host{0};                     ///< Adapter.
    HostId remoteHost{0};               ///< Remote adapter.
    uint16_t epoch{0};                  ///< Incremented at each RESET and error.
    uint8_t path{0};                    ///< Path.
    uint8_t reads{0};                   ///< RDMA reads and atomics in flight.
    uint8_t retries{0};                 ///< Retries without progress.
    uint8_t rnrRetries{0};              ///< RNR retries without progress, if they are limited.
    uint8_t serviceLevel{0};            ///< Service level, of RC and UC.
    Transport transport{Transport::RC}; ///< Transport service.
    QpState state{QpState::RESET};      ///< State.
    bool resumed : 1 {false};           ///< The next packet is a retransmission.
    bool begun : 1 {false};             ///< It was in RTS.
    bool waiting : 1 {false};           ///< It waits for a receive at the other end (RNR).
    bool failed : 1 {false};            ///< Its error completion is pending.
    bool timerPlaced : 1 {false};       ///< The timer event is scheduled.
    bool sending : 1 {false};           ///< It is in its adapter's list of senders.
    bool answering : 1 {false};  ///< It is in its adapter's list of queue pairs that owe answers.
    bool nakSent : 1 {false};    ///< A NAK was sent since the last expected packet.
    bool inMessage : 1 {false};  ///< A message is arriving.
    bool hasReceive : 1 {false}; ///< A receive was taken for the incoming message.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_QUEUE_PAIR_H
