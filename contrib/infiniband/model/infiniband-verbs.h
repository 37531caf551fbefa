/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_VERBS_H
#define INFINIBAND_VERBS_H

#include "infiniband-engine.h"

#include "ns3/messaging-tick-clock.h"
#include "ns3/object.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup infiniband
 * Queue pairs, completion queues and memory regions, as programs see them.
 */

namespace ns3
{
namespace infiniband
{

/** Hears that a completion queue for which ReqNotifyCq was called has a completion. */
class CqUser
{
  public:
    virtual ~CqUser() = default;

    /**
     * A completion has been written.
     * @param cq the queue
     * @param cookie what was given when the queue was created
     */
    virtual void OnCompletion(CqNumber cq, uint64_t cookie) = 0;
};

/** What a queue pair is created with. */
struct QpInitAttr
{
    CqNumber sendCq{0};                 ///< Completions of sends.
    CqNumber recvCq{0};                 ///< Completions of receives.
    SrqNumber srq{NO_SRQ};              ///< Shared receive queue (RC only).
    uint32_t maxSendWr{128};            ///< Work requests on the send queue.
    uint32_t maxRecvWr{128};            ///< Work requests on the receive queue.
    Transport transport{Transport::RC}; ///< Type.
};

/** What ModifyQp sets with the state. */
struct QpAttr
{
    QpState state{QpState::RESET}; ///< New state.
    Qpn remote{NO_QP};             ///< The other end, from INIT to RTR on RC and UC.
    uint8_t path{0};               ///< Which of the 2^LMC paths.
};

/** Rights of the other side on a memory region. */
enum Access : uint8_t
{
    REMOTE_WRITE = 1, ///< RDMA write.
    REMOTE_READ = 2,  ///< RDMA read.
    REMOTE_ATOMIC = 4 ///< Atomic operations.
};

/**
 * @ingroup infiniband
 * The verbs of all adapters of a subnet.
 *
 * One object serves all hosts, since half a million queue pairs would not fit as objects. Names and
 * meanings are those of libibverbs: CreateQp, ModifyQp from RESET over INIT and RTR to RTS,
 * PostSend, PostRecv, PollCq, ReqNotifyCq. A call that hardware refuses with an error code answers
 * false or a sentence; a work request that the type of the queue pair forbids ends in a completion
 * with the verbs' status. What a call costs its processor is for the caller to account for.
 */
class Verbs : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Verbs();
    ~Verbs() override;

    /**
     * Set up all adapters.
     * @param clock counts nanoseconds
     * @param engine what moves messages
     * @param nHosts the number of adapters
     * @return an empty text, or one sentence that tells why it is impossible
     */
    std::string Open(Ptr<messaging::TickClock> clock, Ptr<Engine> engine, HostId nHosts);

    /**
     * Create a completion queue.
     * @param host its adapter
     * @param user hears of completions, not owned; null if the queue is only polled
     * @param cookie comes back in the call
     * @return its number
     */
    CqNumber CreateCq(HostId host, CqUser* user = nullptr, uint64_t cookie = 0);

    /**
     * Take completions off a queue.
     * @param cq the queue
     * @param max how many at most
     * @param wc where to, changed
     * @return how many
     */
    uint32_t PollCq(CqNumber cq, uint32_t max, WorkCompletion* wc);

    /**
     * Have the user of a queue called at the next completion, or in this tick if one is waiting.
     * @param cq the queue
     * @param solicitedOnly only at one that the sender has marked SOLICITED, or at an error
     */
    void ReqNotifyCq(CqNumber cq, bool solicitedOnly = false);

    /**
     * Create a shared receive queue.
     * @param host its adapter
     * @param maxWr its length
     * @return its number
     */
    SrqNumber CreateSrq(HostId host, uint32_t maxWr);

    /**
     * Create a queue pair in RESET.
     * @param host its adapter
     * @param attr what it is to be
     * @return its number; NO_QP if the attributes contradict each other (an SRQ on UC or UD)
     */
    Qpn CreateQp(HostId host, const QpInitAttr& attr);

    /**
     * Change the state of a queue pair.
     * @param qp the queue pair
     * @param attr what to set
     * @return false if there is no such transition, and nothing has changed
     */
    bool ModifyQp(Qpn qp, const QpAttr& attr);

    /**
     * Take two queue pairs of one type from RESET to RTS, connected to each other.
     * @param one the one
     * @param other the other
     * @param path which of the 2^LMC paths
     * @return false if one of the transitions is impossible
     */
    bool ConnectQps(Qpn one, Qpn other, uint8_t path = 0);

    /**
     * Post a work request on a send queue.
     * @param qp the queue pair
     * @param wr the request
     * @return false if the queue is full or the state forbids posting
     */
    bool PostSend(Qpn qp, const SendWr& wr);

    /**
     * Post equal work requests on a receive queue.
     * @param qp the queue pair, without a shared receive queue
     * @param wr the request
     * @param count how many
     * @return false if the queue has less room or the state forbids posting
     */
    bool PostRecv(Qpn qp, const RecvWr& wr, uint32_t count = 1);

    /**
     * Post equal work requests on a shared receive queue.
     * @param srq the queue
     * @param wr the request
     * @param count how many
     * @return false if the queue has less room
     */
    bool PostSrqRecv(SrqNumber srq, const RecvWr& wr, uint32_t count = 1);

    /**
     * Register memory.
     * @param host its adapter
     * @param bytes length [bytes]
     * @param access rights of the other side
     * @return its key; the registration's time is GetRegistrationTime
     */
    MemoryKey RegisterMemory(HostId host, uint64_t bytes, uint8_t access);

    /**
     * Give a region back.
     * @param key the region
     */
    void DeregisterMemory(MemoryKey key);

    /**
     * Tell what a registration costs the processor.
     * @param bytes length [bytes]
     * @return the time [ns]
     */
    Ticks GetRegistrationTime(uint64_t bytes) const;

    /** @return the state of a queue pair. @param qp the queue pair */
    QpState GetState(Qpn qp) const;

    /** @return the type of a queue pair. @param qp the queue pair */
    Transport GetTransport(Qpn qp) const;

    /** @return the adapter of a queue pair. @param qp the queue pair */
    HostId GetHost(Qpn qp) const;

    /** @return the other end of a connected queue pair, or NO_QP. @param qp the queue pair */
    Qpn GetRemote(Qpn qp) const;

    /** @return the path that a queue pair uses. @param qp the queue pair */
    uint8_t GetPath(Qpn qp) const;

    /** @return receives that are posted. @param qp the queue pair */
    uint32_t GetNPostedReceives(Qpn qp) const;

    /** @return the number of queue pairs. */
    uint32_t GetNQps() const;

    /** @return the clock. */
    Ptr<messaging::TickClock> GetClock() const;

    /** @return the engine. */
    Ptr<Engine> GetEngine() const;

    /** @return arrivals for which no receive was posted: dropped on UC and UD, RNR NAK on RC. */
    uint64_t GetNReceiverNotReady() const;

    /**
     * For engines: a work request has ended. An error takes the queue pair to its error state and
     * flushes the rest.
     * @param qp the queue pair
     * @param wr the request
     * @param status how
     * @param atomic the value before an atomic operation
     */
    void CompleteSend(Qpn qp, const SendWr& wr, WcStatus status, uint64_t atomic = 0);

    /**
     * For engines: take the receive that a message will fill.
     * @param qp the queue pair at which it arrives
     * @param wr the receive, changed
     * @return false if none is posted
     */
    bool TakeReceive(Qpn qp, RecvWr& wr);

    /**
     * For engines: a receive has ended.
     * @param qp the queue pair
     * @param wr the receive
     * @param sent the request that has filled it
     * @param source the sender's queue pair
     * @param status how
     */
    void CompleteReceive(Qpn qp, const RecvWr& wr, const SendWr& sent, Qpn source, WcStatus status);

    /**
     * For engines: look whether a remote operation is allowed.
     * @param qp the queue pair at which it arrives
     * @param wr the request
     * @return SUCCESS, or why not
     */
    WcStatus CheckAccess(Qpn qp, const SendWr& wr) const;

    /**
     * For engines: do an atomic operation on a region's 8 bytes.
     * @param wr the request
     * @return the value before
     */
    uint64_t DoAtomic(const SendWr& wr);

  protected:
    void DoDispose() override;
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_VERBS_H
