/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_TYPES_H
#define INFINIBAND_TYPES_H

#include "ns3/messaging-types.h"

#include <cstdint>
#include <limits>
#include <ostream>

/**
 * @file
 * @ingroup infiniband
 * Types shared by the parts of an InfiniBand subnet, with the names of the verbs.
 */

namespace ns3
{
namespace infiniband
{

using messaging::Frame;
using messaging::NEVER;
using messaging::Ticks;

/** Index of a host channel adapter in its subnet, from zero. */
using HostId = uint32_t;

/** Local identifier of a port, or of one of its 2^LMC paths. */
using Lid = uint32_t;

/**
 * Number of a queue pair, unique in the subnet. On hardware it is unique only within its adapter;
 * here one array holds all queue pairs.
 */
using Qpn = uint32_t;

/** No queue pair. */
inline constexpr Qpn NO_QP = std::numeric_limits<Qpn>::max();

/** Number of a completion queue, unique in the subnet. */
using CqNumber = uint32_t;

/** Number of a shared receive queue, unique in the subnet. */
using SrqNumber = uint32_t;

/** No shared receive queue. */
inline constexpr SrqNumber NO_SRQ = std::numeric_limits<SrqNumber>::max();

/**
 * Key of a registered memory region; lkey and rkey of the verbs are the same number here.
 */
using MemoryKey = uint32_t;

/** No memory region. */
inline constexpr MemoryKey NO_KEY = 0;

/** Transport services (paper 4, section 4.2). */
enum class Transport : uint8_t
{
    RC, ///< Reliable connection.
    UC, ///< Unreliable connection.
    UD, ///< Unreliable datagram.
};

/** States of a queue pair. */
enum class QpState : uint8_t
{
    RESET, ///< Created; nothing can be posted.
    INIT,  ///< Receives can be posted; nothing is processed.
    RTR,   ///< Ready to receive.
    RTS,   ///< Ready to send.
    SQD,   ///< The send queue drains: requests in flight end, no other begins.
    SQE,   ///< A send of UC or UD has failed; receives go on.
    ERR,   ///< Everything is flushed.
};

/** Operations of a work request on the send queue. */
enum class WrOpcode : uint8_t
{
    SEND,                 ///< To a receive posted by the remote side.
    SEND_WITH_IMM,        ///< SEND with 32 bits for the completion.
    RDMA_WRITE,           ///< Into remote memory, without a completion there.
    RDMA_WRITE_WITH_IMM,  ///< RDMA_WRITE that completes a receive with 32 bits.
    RDMA_READ,            ///< From remote memory (RC only).
    ATOMIC_CMP_AND_SWP,   ///< Compare and swap of 8 bytes of remote memory (RC only).
    ATOMIC_FETCH_AND_ADD, ///< Fetch and add of 8 bytes of remote memory (RC only).
};

/** Status of a work request that has ended, by the verbs' names. */
enum class WcStatus : uint8_t
{
    SUCCESS,           ///< Executed; for UC and UD: sent.
    LOC_LEN_ERR,       ///< Message longer than the receive, or than the MTU on UD.
    LOC_QP_OP_ERR,     ///< Operation not permitted for the queue pair's type.
    LOC_PROT_ERR,      ///< Local memory not registered for the operation.
    WR_FLUSH_ERR,      ///< The queue pair entered ERR before the request ended.
    REM_INV_REQ_ERR,   ///< The remote queue pair cannot accept the request.
    REM_ACCESS_ERR,    ///< Wrong key, range or access of remote memory.
    REM_OP_ERR,        ///< The remote side could not complete the request.
    RETRY_EXC_ERR,     ///< No acknowledgement after all retries (RC).
    RNR_RETRY_EXC_ERR, ///< No receive at the receiver after all RNR retries (RC).
};

/** Flags of a work request. */
enum SendFlags : uint8_t
{
    SIGNALED = 1, ///< A success generates a completion; an error always does.
    INLINE = 2,   ///< The processor writes the data with the request, without DMA.
    SOLICITED = 4 ///< Its arrival is an event for receivers that wait for solicited ones only.
};

/** Remote access rights of a memory region or a queue pair. */
enum Access : uint8_t
{
    REMOTE_WRITE = 1,                                       ///< RDMA write.
    REMOTE_READ = 2,                                        ///< RDMA read.
    REMOTE_ATOMIC = 4,                                      ///< Atomic operations.
    ALL_ACCESS = REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC ///< All of them.
};

/** Attributes of a queue pair at its creation. */
struct QpInitAttr
{
    CqNumber sendCq{0};                 ///< Completion queue of sends.
    CqNumber recvCq{0};                 ///< Completion queue of receives.
    uint32_t maxSendWr{128};            ///< Capacity of the send queue.
    uint32_t maxRecvWr{128};            ///< Capacity of the receive queue.
    Transport transport{Transport::RC}; ///< Type.
    SrqNumber srq{NO_SRQ}; ///< Shared receive queue, of RC and UD; maxRecvWr is unused.
    uint32_t context{0};   ///< A number for the user, which Verbs::GetContext returns.
};

/** Attributes that ModifyQp sets with the state. */
struct QpAttr
{
    QpState state{QpState::RESET}; ///< New state.
    Qpn remote{NO_QP};             ///< Remote queue pair, from INIT to RTR on RC and UC.
    uint8_t path{0};               ///< Number of the path, one of 2^LMC.
    uint32_t rqPsn{0};             ///< First expected PSN, from INIT to RTR on RC and UC.
    uint32_t sqPsn{0};             ///< First PSN to send, from RTR to RTS.
    uint8_t access{ALL_ACCESS};    ///< Remote access rights, to INIT.
    uint8_t serviceLevel{0};       ///< Service level, 0 to 15, from INIT to RTR on RC and UC.
};

/**
 * Destination of a datagram: the content of an address handle and the rest of a UD work request.
 */
struct Address
{
    HostId host{0};          ///< Adapter.
    Qpn qp{NO_QP};           ///< Queue pair; NO_QP for the multicast group of the subnet.
    uint8_t path{0};         ///< Number of the path, one of 2^LMC.
    uint8_t serviceLevel{0}; ///< Service level, 0 to 15.
};

/** Operands of an atomic operation. */
struct AtomicOperands
{
    uint64_t compareAdd{0}; ///< Value to compare with, or to add.
    uint64_t swap{0};       ///< For compare and swap: the new value.
};

/** A work request on a send queue. */
struct SendWr
{
    uint64_t wrId{0};                ///< User cookie, returned in the completion.
    Frame data;                      ///< Content; it arrives in the receiver's completion.
    uint64_t remoteAddress{0};       ///< For RDMA and atomics: offset in the remote region [bytes].
    uint32_t bytes{0};               ///< Length [bytes].
    uint32_t immediate{0};           ///< Immediate data.
    MemoryKey localKey{NO_KEY};      ///< Region of the data; unused with INLINE.
    MemoryKey remoteKey{NO_KEY};     ///< Remote region, for RDMA and atomics.
    Address to;                      ///< Destination, for UD.
    WrOpcode opcode{WrOpcode::SEND}; ///< Operation.
    uint8_t flags{0};                ///< SendFlags.

    /**
     * Make the request an atomic operation. Its operands are its content.
     * @param operation ATOMIC_CMP_AND_SWP or ATOMIC_FETCH_AND_ADD
     * @param operands the operands
     */
    void SetAtomic(WrOpcode operation, const AtomicOperands& operands)
    {
        opcode = operation;
        bytes = ATOMIC_BYTES;
        data.contents = operands.compareAdd;
        data.id = operands.swap;
    }

    /** @return the operands of an atomic operation. */
    AtomicOperands GetOperands() const
    {
        return {data.contents, data.id};
    }

    static constexpr uint32_t ATOMIC_BYTES = 8; ///< Length of an atomic operation [bytes].
};

/** A work request on a receive queue. */
struct RecvWr
{
    uint64_t wrId{0};  ///< User cookie, returned in the completion.
    uint32_t bytes{0}; ///< Size of the buffer; on UD with GRH_BYTES for the header [bytes].
    MemoryKey localKey{
        NO_KEY}; ///< Region of the room; NO_KEY for memory that is always registered.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const RecvWr&) const = default;
};

/** A completion. */
struct WorkCompletion
{
    uint64_t wrId{0};                   ///< Cookie of the work request.
    Frame data;                         ///< For receives: content. For atomics: the original value,
                                        ///< as its contents.
    uint32_t bytes{0};                  ///< For receives: length [bytes].
    uint32_t immediate{0};              ///< Immediate data, for operations that have it.
    Qpn qp{NO_QP};                      ///< Queue pair.
    Qpn source{NO_QP};                  ///< For receives on UD: the sender's queue pair.
    WcStatus status{WcStatus::SUCCESS}; ///< Status.
    bool received{false};               ///< It ends a receive, not a request of the send queue.
};

/**
 * Print a transport service by name.
 * @param os the stream
 * @param transport the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, Transport transport);

/**
 * Print a state by name.
 * @param os the stream
 * @param state the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, QpState state);

/**
 * Print a status by name, as the verbs write it.
 * @param os the stream
 * @param status the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, WcStatus status);

/**
 * Print an operation by name.
 * @param os the stream
 * @param opcode the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, WrOpcode opcode);

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_TYPES_H
