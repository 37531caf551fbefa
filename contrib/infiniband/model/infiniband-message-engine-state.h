/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_MESSAGE_ENGINE_STATE_H
#define INFINIBAND_MESSAGE_ENGINE_STATE_H

#include "infiniband-context-cache.h"
#include "infiniband-engine.h"

#include <array>
#include <limits>

/**
 * @file
 * @ingroup infiniband
 * What the engine of messages keeps of messages, trains, queue pairs, adapters and links.
 */

namespace ns3
{
namespace infiniband
{

/**
 * @ingroup infiniband
 * The records of MessageEngine.
 */
struct MessageEngineState
{
    /** Bytes of a packet of RC or UC beside its payload. */
    static constexpr uint32_t PACKET_BYTES = LRH_BYTES + BTH_BYTES + ICRC_BYTES + VCRC_BYTES;

    /** An index of nothing. */
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();

    /** What an event is about. */
    enum class Event : uint8_t
    {
        FETCHED,  ///< An adapter has a request; queue pair.
        STEP,     ///< An adapter's engine turns to what is to be sent; host.
        ANSWER,   ///< An adapter's engine turns to what is to be acknowledged; host.
        HOP,      ///< The first train in a buffer asks for its next link; port into the buffer.
        BEGIN,    ///< The first packet of a message of several is at its host; train.
        ARRIVE,   ///< The last byte of a train is at its host; train.
        DELIVER,  ///< The receiver may see a message; message.
        COMPLETE, ///< The sender may see the end of requests; queue pair.
        RESTART,  ///< RC begins again after an RNR NAK; queue pair.
        TIMEOUT,  ///< RC looks whether an answer is overdue; queue pair.
        LINK,     ///< A link goes down or comes up; port, whether up.
        SWEEP     ///< The subnet manager has new ways.
    };

    /** What a train carries. */
    enum class Cargo : uint8_t
    {
        DATA,     ///< Packets of a message; for reads and atomics the request.
        RESPONSE, ///< What a read or an atomic operation asked for.
        ACK,      ///< Acknowledges all messages before a number.
        NAK,      ///< The same, and packets of the message of that number are missing.
        RNR_NAK,  ///< The same, and no receive was posted for that message.
        ERROR_NAK ///< The same, and that message cannot be carried out.
    };

    /**
     * @param wr a request
     * @return whether its answer carries data
     */
    static bool IsRead(const SendWr& wr)
    {
        return wr.opcode >= WrOpcode::RDMA_READ;
    }

    /** A work request that has not ended everywhere. */
    struct Message
    {
        SendWr wr;         ///< What was asked for.
        RecvWr receive;    ///< The receive that it fills.
        uint64_t atomic;   ///< Value before an atomic operation.
        Ticks ready;       ///< When the adapter has the request [ns].
        Qpn from;          ///< Whose send queue it is on.
        Qpn to;            ///< Where it goes.
        uint32_t next;     ///< The one behind it on its send queue, or in the list of free places.
        uint32_t sequence; ///< Its number on its queue pair.
        uint32_t packets;  ///< How many packets it is.
        uint32_t sent;     ///< How many of them have been sent.
        uint32_t uses;     ///< Send queue, trains and events that know it.
        uint16_t generation; ///< Of its queue pair when it was posted.
        WcStatus status;     ///< How it ends.
        bool begun;          ///< It has been sent, if only in part.
        bool answered;       ///< Nothing more is awaited than an acknowledgement.
        bool hasReceive;     ///< A receive was taken.
        bool broken;         ///< Packets of it were lost for good (UC, UD).
        bool resumed;        ///< It is sent again, so its request is fetched again.
    };

    /** Packets that follow each other. */
    struct Train
    {
        Ticks head;          ///< When the first byte can leave at the next link [ns].
        Ticks tail;          ///< When the last byte can have left there [ns].
        uint32_t message;    ///< What it is about, or NONE.
        uint32_t next;       ///< The one behind it in a buffer, or in the list of free places.
        uint32_t route;      ///< Where its links lie.
        uint32_t bytes;      ///< On the wire.
        uint32_t firstBytes; ///< The same, of its first packet.
        uint32_t lastBytes;  ///< The same, of its last packet.
        uint32_t payload;    ///< Without headers [bytes].
        uint32_t first;      ///< Number of its first packet in its message.
        uint32_t packets;    ///< How many.
        uint32_t sequence;   ///< Number of the message.
        Qpn from;            ///< Queue pair that it comes from.
        Qpn to;              ///< Queue pair that it goes to.
        uint16_t generation; ///< Of the queue pair that has made the request.
        uint8_t hop;         ///< Links that it has taken.
        bool lost;           ///< It came to a link that is down, or has no way.
        Cargo cargo;         ///< What it is.
        WcStatus status;     ///< For ERROR_NAK: why.
    };

    /** What the engine knows of a queue pair: two lines of a cache. */
    struct alignas(64) Pair
    {
        Ticks ready{0};          ///< When the newest request was fetched [ns].
        Ticks progress{0};       ///< When the last answer came [ns].
        uint32_t first{NONE};    ///< Oldest message on its send queue.
        uint32_t last{NONE};     ///< Newest.
        uint32_t oldest{NONE};   ///< Oldest that has not been answered, or has not left.
        uint32_t unsent{NONE};   ///< Oldest that has not been sent to its end.
        uint32_t posted{0};      ///< Number of the next message.
        uint32_t acked{0};       ///< Number of the oldest, or of the next.
        uint32_t told{0};        ///< Before this number, all that do not read have been answered.
        uint32_t expected{0};    ///< As the receiver: number of the message awaited.
        uint32_t packet{0};      ///< The same: number of the packet awaited.
        Qpn remote{NO_QP};       ///< Other end.
        uint32_t route{NONE};    ///< Where the links to it lie; not on UD.
        HostId host{0};          ///< Adapter.
        uint32_t behind{NONE};   ///< Queue pair whose turn to send is next.
        uint32_t owed{NONE};     ///< As the receiver: newest answer that waits for the engine.
        uint32_t merged{0};      ///< Messages that it answers, if it is an ACK.
        uint32_t outstanding{0}; ///< Messages begun and not answered (RC).
        uint16_t completing{0};  ///< COMPLETE events on their way.
        uint16_t generation{0};  ///< Counts resets.
        uint8_t reads{0};        ///< Reads and atomics begun and not answered.
        uint8_t retries{0};      ///< Since the last progress.
        uint8_t rnrRetries{0};   ///< The same, for RNR NAKs.
        uint8_t path{0};         ///< Path through the subnet.
        Transport transport{};   ///< Type.
        QpState state{};         ///< State.
        bool sending{false};     ///< It waits for its turn, or for a FETCHED.
        bool waiting{false};     ///< Nothing may be sent until a RESTART, or a reset.
        bool timing{false};      ///< A TIMEOUT is on its way.
        bool nakSent{false};     ///< As the receiver: what is awaited has been asked for.
    };

    /** Packets with data that an adapter prepares ahead of its link; see PacketEngine. */
    static constexpr uint32_t DATA_AHEAD = 4;

    /** An adapter: when what is free next, and who wants to send. */
    struct Host
    {
        std::array<Ticks, HcaCounters::N_ENGINES> engine{}; ///< Engines [ns].
        std::array<Ticks, DATA_AHEAD> left{}; ///< When the last packets begin to leave [ns].
        std::array<Ticks, DATA_AHEAD> gone{}; ///< When the link is free behind each of them [ns].
        Ticks read{0};                        ///< DMA out of memory [ns].
        Ticks write{0};                       ///< DMA into memory [ns].
        uint32_t prepared{0};                 ///< Packets prepared so far.
        uint32_t first{NONE};                 ///< Queue pair whose turn it is to send, or NONE.
        uint32_t last{NONE};                  ///< The last in turn.
        uint32_t firstAnswer{NONE};           ///< Oldest answer that waits for the engine.
        uint32_t lastAnswer{NONE};            ///< Newest one.
        bool stepping{false};                 ///< A STEP is on its way.
        ContextCache contexts;                ///< Contexts on the chip.
        HcaCounters counters;                 ///< What the parts have done.
    };

    /** A direction of a link. */
    struct Link
    {
        Ticks free{0};        ///< When it is free next [ns].
        Ticks emptied{0};     ///< When the buffer at its end has sent on what it was given [ns].
        uint32_t first{NONE}; ///< First train that waits in the buffer at its end, or NONE.
        uint32_t last{NONE};  ///< Last one.
        uint32_t quarters{4}; ///< Rate [bytes in 4 ns].
        bool up{true};        ///< It is not down.

        /**
         * @param bytes on the wire
         * @return how long they take [ns]
         */
        Ticks GetTime(uint32_t bytes) const
        {
            return (uint64_t{bytes} * 4 + quarters - 1) / quarters;
        }
    };
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_MESSAGE_ENGINE_STATE_H
