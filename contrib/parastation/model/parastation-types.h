/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_TYPES_H
#define PARASTATION_TYPES_H

#include "ns3/messaging-core.h"

#include <ostream>
#include <string>

/**
 * @file
 * @ingroup parastation
 * Packets, steps, events and parameters of ParaStation2 and its rivals.
 */

namespace ns3
{
namespace parastation
{

/** Index of no slot, and end of a list. */
inline constexpr uint32_t NONE = 0xffffffff;

/** Largest number of packets of a message: the bits of the word that marks arrivals. */
inline constexpr uint32_t MAX_PACKETS = 64;

/** Kinds of packets (table 1). */
enum class PacketKind : uint8_t
{
    DATA,   ///< User data.
    ACK,    ///< Positive acknowledgement.
    NACK,   ///< Negative acknowledgement.
    CREDIT, ///< Returned credits; of the credit scheme only.
    DAMAGED ///< Packet with a wrong CRC; any field can be wrong.
};

/** Flag of a NACK: the packet was rejected for lack of buffer space. */
inline constexpr uint8_t SHORTAGE = 1;

/**
 * Steps and incidents in a network interface or its host, as noted by a core.
 *
 * The first eleven are the steps of figure 2, noted when they begin.
 */
enum class Event : messaging::Reason
{
    LOOKUP,         ///< Step 1: the host looks up a free send slot.
    STORE,          ///< Step 2: it copies the packet and its descriptor into the slot.
    SEND,           ///< Step 3: the network interface sends the packet.
    RECEIVE,        ///< Step 4: a data packet has arrived in a slot of the receive ring.
    ACKNOWLEDGE,    ///< Step 5: an ACK, a NACK or a credit is sent.
    HANDLE,         ///< Step 6: a control packet has arrived.
    STATUS,         ///< Step 7: the host's table marks a send slot as free.
    CHECK,          ///< Step A: a host buffer is found free.
    TRANSFER,       ///< Step B: the packet goes to host memory.
    POLL,           ///< Step C: the application finds it.
    COPY,           ///< Step D: it is copied to the application's memory.
    RETRANSMITTED,  ///< A packet was sent again.
    TIMED_OUT,      ///< No acknowledgement has arrived in time.
    LOST_ACK,       ///< Data with a low sequence number: its ACK was lost or is late (table 1).
    LOST_DATA,      ///< Data with a high sequence number: a packet before it was lost (table 1).
    SHORT_OF_SLOTS, ///< Data that would take the last free slot was rejected (section 3.3).
    DUPLICATE_ACK,  ///< An ACK with a low sequence number (table 1, footnote 3).
    HIGH_ACK,       ///< An ACK with a high sequence number: one before it was lost (table 1).
    LATE_NACK,      ///< A NACK whose buffer is not in transit (section 3.4).
    BAD_CRC,        ///< A damaged packet was ignored (table 1).
    OVERRUN,        ///< A packet arrived when no slot was free, and is lost.
    ILLEGAL         ///< An event that is impossible in the state of its slot.
};

/** Number of the steps of figure 2. */
inline constexpr unsigned N_STEPS = 11;
/** Number of events. */
inline constexpr unsigned N_EVENTS = static_cast<unsigned>(Event::ILLEGAL) + 1;

/** Part of a step on one resource of the host or its network interface. It is the upper half of a
 * WorkId; the lower half is the slot. */
enum class Part : uint8_t
{
    LOOKUP,      ///< Processor time of steps 1 and 2.
    FETCH,       ///< Firmware of step 2 with DMA by the network interface.
    STORE,       ///< Step 2's transfer.
    SEND,        ///< Firmware of step 3.
    ACKNOWLEDGE, ///< Firmware of step 5.
    RECEIVE,     ///< Firmware of steps 4 and A.
    HANDLE,      ///< Firmware of step 6.
    STATUS,      ///< Step 7's transfer.
    TRANSFER,    ///< Step B's transfer.
    POLL,        ///< Processor time of steps C and D.
    COPY         ///< Copies in the receiving host's memory.
};

/** Number of parts. */
inline constexpr unsigned N_PARTS = static_cast<unsigned>(Part::COPY) + 1;

/** Effect of an ACK with a high sequence number: table 1 and section 3.4 differ (A-amb-2). */
enum class HighAck : uint8_t
{
    PROSE, ///< Marks its buffer for retransmission (section 3.4).
    TABLE  ///< None (table 1).
};

/** The answer to data with a low sequence number: table 1 and section 3.3 differ (A-amb-3). */
enum class LowSequence : uint8_t
{
    ACK, ///< An ACK (table 1).
    NACK ///< A NACK, as for every invalid number (section 3.3); it acknowledges all before it.
};

/** Number in a NACK for lost data, which the paper does not give (A-amb-4). */
enum class NackNumber : uint8_t
{
    EXPECTED, ///< The number that the receiver expects.
    REJECTED  ///< The number of the rejected packet.
};

/** Order of a packet's ACK and its transfer: sections 3.3 and 3.2 allow two readings. */
enum class AckOrder : uint8_t
{
    FIRST, ///< ACK before step B: it is sent "and the buffer is marked READY" (section 3.3).
    BESIDE ///< ACK during step B: the transfer to the host is "decoupled" (section 3.2).
};

/** Cost of each step; a step without cost takes no time and is not queued. */
struct Costs
{
    uint32_t jitter{0};          ///< Host, steps 1 and C: largest deviation [ns].
    uint32_t hostSend{0};        ///< Host, steps 1 and 2 without the copy [ns].
    uint32_t hostReceive{0};     ///< Host, steps C and D without the copy [ns].
    uint32_t firmwareSend{0};    ///< Firmware, step 3 [ns].
    uint32_t firmwareReceive{0}; ///< Firmware, steps 4 and A [ns].
    uint32_t buildControl{0};    ///< Firmware, step 5 [ns].
    uint32_t handleControl{0};   ///< Firmware, step 6 [ns].
    uint32_t fetch{0};           ///< Firmware, step 2 by DMA: address translation and start [ns].
    uint32_t status{0};          ///< Size of step 7's write to host memory [bytes].
    uint32_t dmaThreshold{NONE}; ///< Smallest packet that step 2 transfers by DMA [bytes].
    uint16_t descriptor{0};      ///< Descriptor of a packet on the bus [bytes].
    uint16_t receiveCopies{0};   ///< Copies of step D [percent of one].
    bool bus{false};             ///< Transfers over the bus take time.
};

/** A share of one in percent is divided by this. */
inline constexpr uint32_t PERCENT = 100;

/** Size of a slot of the rings (section 3.3) [bytes]. */
inline constexpr uint32_t SLOT_BYTES = 4096;

/** Bits of a sequence number (section 3.1). */
inline constexpr uint8_t PAPER_SEQUENCE_BITS = 8;

/** Parameters common to all hosts of a group. */
struct Config
{
    uint32_t sendRing{16};             ///< Slots of the send ring.
    uint32_t receiveRing{16};          ///< Slots of the receive ring.
    uint32_t hostBuffers{32};          ///< Packet buffers of the receiving host.
    uint32_t queue{16};                ///< Largest number of messages queued in the host.
    uint32_t packetBytes{SLOT_BYTES};  ///< Largest packet, one slot (section 3.3).
    uint32_t window{8};                ///< Unacknowledged packets of a pair (section 3.1).
    uint32_t channels{8};              ///< Logical channels of a pair; AM-II only.
    uint32_t credits{0};               ///< Credits of a pair; FM and LFC only.
    bool hostCredits{false};           ///< A credit is for a host buffer instead of a slot.
    messaging::Ticks timeout{1000000}; ///< Retransmission timeout.
    messaging::Ticks pause{75000};     ///< Pause after a NACK for shortage, about a packet's time.
    messaging::Ticks backoff{50000};   ///< Mean of the first random backoff; AM-II only.
    uint16_t header{24};               ///< Header of every packet [bytes].
    uint8_t sequenceBits{PAPER_SEQUENCE_BITS};   ///< Bits of a sequence number.
    HighAck highAck{HighAck::PROSE};             ///< A-amb-2.
    LowSequence lowSequence{LowSequence::ACK};   ///< A-amb-3.
    NackNumber nackNumber{NackNumber::EXPECTED}; ///< A-amb-4.
    AckOrder ackOrder{AckOrder::FIRST};          ///< Order of ACK and transfer; ParaStation2 only.
    Costs costs;                                 ///< Cost of each step.

    /**
     * Check the parameters. With fewer sequence bits than the paper's, which are for searches, the
     * window can be too wide.
     * @param creditors number of peers that need a credit each
     * @return empty, or one sentence with the error and the allowed values
     */
    std::string Check(uint32_t creditors = 0) const;
};

/**
 * Compare sequence numbers across the wrap (A-amb-5).
 * @param number a number
 * @param with another
 * @param bits bits of both
 * @return their difference as a signed number of that size
 */
constexpr int32_t
CompareSequence(uint32_t number, uint32_t with, uint8_t bits)
{
    const auto shift = 32 - bits;
    return static_cast<int32_t>((number - with) << shift) >> shift;
}

/** Fields in the id of a data packet's frame. */
struct PacketId
{
    uint32_t bytes{0};   ///< Size of the message, 24 bits.
    uint16_t message{0}; ///< Number of the message, counted for each pair.
    uint8_t sequence{0}; ///< Sequence number.
    uint8_t index{0};    ///< Index of the packet in the message.
    uint8_t count{0};    ///< Packets of the message.

    /** @return the fields in one word. */
    constexpr uint64_t Pack() const
    {
        return uint64_t{bytes} << 40 | uint64_t{count} << 32 | uint64_t{index} << 24 |
               uint64_t{message} << 8 | sequence;
    }

    /** Unpack a word. @param id the word @return its fields */
    static constexpr PacketId Unpack(uint64_t id)
    {
        return PacketId{static_cast<uint32_t>(id >> 40),
                        static_cast<uint16_t>(id >> 8),
                        static_cast<uint8_t>(id),
                        static_cast<uint8_t>(id >> 24),
                        static_cast<uint8_t>(id >> 32)};
    }
};

/**
 * Print a packet's kind by name.
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

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_TYPES_H
