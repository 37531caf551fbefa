/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_VERBS_H
#define INFINIBAND_VERBS_H

#include "ns3/infiniband-engine.h"
#include "ns3/infiniband-list-pool.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <map>
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

/** Receiver of the events of completion queues for which ReqNotifyCq was called. */
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

    /**
     * A message arrives that will be written as a completion soon, if nothing happens to it: bring
     * what OnCompletion needs into the processor's caches. Nothing has to be done.
     * @param cookie what was given when the queue was created
     */
    virtual void OnExpected([[maybe_unused]] uint64_t cookie)
    {
    }
};

/**
 * @ingroup infiniband
 * The verbs of all adapters of a subnet.
 *
 * One object serves all hosts, since half a million queue pairs would not fit as objects. Names and
 * meanings are those of libibverbs: CreateQp, ModifyQp from RESET to RTS, PostSend, PollCq. A call
 * that hardware refuses with an error code answers false or a sentence; a work request that its
 * queue pair's type forbids ends in a completion with the verbs' status. Calls take no time.
 */
class Verbs : public Object, private messaging::TickUser
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Signature of trace source QpState.
     * @param qp the queue pair
     * @param before its state before
     * @param after its state now
     */
    typedef void (*QpStateTracedCallback)(Qpn qp, QpState before, QpState after);

    /**
     * Signature of trace source RdmaWrite.
     * @param qp the queue pair at which it has arrived
     * @param wr the request
     */
    typedef void (*RdmaWriteTracedCallback)(Qpn qp, const SendWr& wr);

    /**
     * Set up all adapters.
     * @param clock counts nanoseconds
     * @param engine what moves messages
     * @param nHosts the number of adapters; 0: as the engine's attributes say
     * @return an empty text, or one sentence with the reason
     */
    std::string Open(Ptr<messaging::TickClock> clock, Ptr<Engine> engine, HostId nHosts = 0);

    /**
     * Create a completion queue.
     * @param host its adapter
     * @param user receiver of completion events, not owned; null if the queue is only polled
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
     * Request an event at the next completion, or in this tick if one is waiting.
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
     * Destroy a completion queue, with what it holds.
     * @param cq the queue
     * @return false if a queue pair still completes there, or it is gone already
     */
    bool DestroyCq(CqNumber cq);

    /**
     * Destroy a shared receive queue; its receives end without completions.
     * @param srq the queue
     * @return false if a queue pair still takes its receives there, or it is gone already
     */
    bool DestroySrq(SrqNumber srq);

    /**
     * Create a queue pair in RESET.
     * @param host its adapter
     * @param attr what it is to be
     * @return its number; NO_QP if the attributes contradict each other (an SRQ on UC or UD)
     */
    Qpn CreateQp(HostId host, const QpInitAttr& attr);

    /**
     * Destroy a queue pair, in whatever state. Work that has not ended ends without completions,
     * and what arrives for it is dropped, so that a reliable connection fails at its other end for
     * want of an answer. Completions that are written stay; the number is not used again.
     * @param qp the queue pair
     * @return false if it is in the multicast group, or gone already
     */
    bool DestroyQp(Qpn qp);

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
     * Add a datagram queue pair to the multicast group of the subnet.
     * @param qp the queue pair
     * @return false if it is not of type UD, or gone
     */
    bool AttachMcast(Qpn qp);

    /**
     * Take a queue pair out of the multicast group.
     * @param qp the queue pair
     * @return false if it is not in it
     */
    bool DetachMcast(Qpn qp);

    /**
     * Post a work request on a send queue. Its place is free again when it has ended; unlike
     * hardware, which frees the places of unsignalled requests with the next completion only.
     * @param qp the queue pair
     * @param wr the request
     * @return false if the queue is full, the state forbids posting, or the data is too long to be
     * inline
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
    MemoryKey RegMr(HostId host, uint64_t bytes, uint8_t access);

    /**
     * Give a region back. Requests look at their own data when they are posted, and at the other
     * side's when they arrive; receives are looked at when they are taken.
     * @param key the region
     * @return false if there is none
     */
    bool DeregMr(MemoryKey key);

    /**
     * Get the processor time of a registration.
     * @param bytes length [bytes]
     * @return the time [ns]
     */
    Ticks GetRegistrationTime(uint64_t bytes) const;

    /** @return the state of a queue pair. @param qp the queue pair */
    QpState GetState(Qpn qp) const
    {
        return m_qps[qp].state;
    }

    /** @return the type of a queue pair. @param qp the queue pair */
    Transport GetTransport(Qpn qp) const
    {
        return m_qps[qp].transport;
    }

    /** @return the adapter of a queue pair. @param qp the queue pair */
    HostId GetHost(Qpn qp) const
    {
        return m_qps[qp].host;
    }

    /** @return the other end of a connected queue pair, or NO_QP. @param qp the queue pair */
    Qpn GetRemote(Qpn qp) const
    {
        return m_qps[qp].remote;
    }

    /** @return the path that a queue pair uses. @param qp the queue pair */
    uint8_t GetPath(Qpn qp) const
    {
        return m_qps[qp].path;
    }

    /** @return the first PSN that a queue pair expects. @param qp the queue pair */
    uint32_t GetRqPsn(Qpn qp) const
    {
        return m_qps[qp].rqPsn;
    }

    /** @return the first PSN that a queue pair sends. @param qp the queue pair */
    uint32_t GetSqPsn(Qpn qp) const
    {
        return m_qps[qp].sqPsn;
    }

    /** @return receives that are posted. @param qp the queue pair */
    uint32_t GetNPostedReceives(Qpn qp) const;

    /** @return work requests on the send queue that have not ended. @param qp the queue pair */
    uint32_t GetNPostedSends(Qpn qp) const
    {
        return m_qps[qp].nSends;
    }

    /** @return the queue pairs of the multicast group. */
    const std::vector<Qpn>& GetMulticastGroup() const
    {
        return m_multicast;
    }

    /** @return how often that group has changed. */
    uint32_t GetNMulticastChanges() const
    {
        return m_multicastChanges;
    }

    /** @return bytes that queue pairs and their queues take. */
    uint64_t GetMemory() const;

    /** @return the number of adapters. */
    HostId GetNHosts() const
    {
        return m_hosts;
    }

    /** @return the number of queue pairs. */
    uint32_t GetNQps() const
    {
        return static_cast<uint32_t>(m_qps.size());
    }

    /** @return the clock. */
    Ptr<messaging::TickClock> GetClock() const
    {
        return m_clock;
    }

    /** @return the engine. */
    Ptr<Engine> GetEngine() const
    {
        return m_engine;
    }

    /** @return arrivals for which no receive was posted: dropped on UC and UD, RNR NAK on RC. */
    uint64_t GetNReceiverNotReady() const
    {
        return m_receiverNotReady;
    }

    /**
     * Bring what is known of a queue pair into the processor's caches: something will be posted on
     * it.
     * @param qp the queue pair
     */
    void Expect(Qpn qp) const
    {
        ExpectEnd(qp);
        PeekPointer(m_engine)->Expect(qp);
    }

    /**
     * For engines: bring a queue pair into the processor's caches, since one of its requests will
     * end.
     * @param qp the queue pair, which need not exist
     */
    void ExpectEnd(Qpn qp) const
    {
        if (qp < m_qps.size())
        {
            __builtin_prefetch(&m_qps[qp], 1);
        }
    }

    /**
     * For engines: the same of a queue pair's next receive and of its completion, since a message
     * arrives; after ExpectEnd.
     * @param qp the queue pair, which need not exist
     */
    void ExpectReceive(Qpn qp) const
    {
        if (qp >= m_qps.size())
        {
            return;
        }
        if (m_qps[qp].srq == NO_SRQ)
        {
            m_receives.Expect(m_qps[qp].receives);
        }
        const auto& queue = m_cqs[m_qps[qp].recvCq];
        __builtin_prefetch(&queue.ring[queue.end & (queue.ring.size() - 1)], 1);
        if (queue.armed && queue.user)
        {
            queue.user->OnExpected(queue.cookie);
        }
    }

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
     * For engines: the oldest work request of a send queue asks for no completion, and will end
     * soon. Nobody notices when, unless its place on the send queue is needed before.
     * @param qp the queue pair
     * @return true if it has ended with this call; false if CompleteSend has to be called in time,
     * since few places are left or one behind it waits for its turn to fail
     */
    bool EndUnnoticed(Qpn qp);

    /**
     * For engines: take the receive that a message will fill.
     * @param qp the queue pair at which it arrives
     * @param wr the receive, changed
     * @return false if none is posted
     */
    bool TakeReceive(Qpn qp, RecvWr& wr);

    /** @return the length of a queue pair's receive queue. @param qp the queue pair */
    uint32_t GetMaxReceives(Qpn qp) const
    {
        const auto& pair = m_qps[qp];
        return pair.srq == NO_SRQ ? pair.maxReceives : m_srqs[pair.srq].maxReceives;
    }

    /**
     * For engines: check the memory of a receive that was taken.
     * @param qp the queue pair
     * @param wr the receive
     * @return SUCCESS, or LOC_PROT_ERR; then the sender's request ends in REM_OP_ERR
     */
    WcStatus CheckReceive(Qpn qp, const RecvWr& wr) const
    {
        return wr.localKey == NO_KEY || HoldsReceive(m_qps[qp].host, wr) ? WcStatus::SUCCESS
                                                                         : WcStatus::LOC_PROT_ERR;
    }

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
     * For engines: all data of an RDMA write has arrived.
     * @param qp the queue pair at which it has
     * @param wr the request
     */
    void NoteWrite(Qpn qp, const SendWr& wr)
    {
        m_writeTrace(qp, wr);
    }

    /**
     * For engines: check whether a remote operation is allowed.
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

  private:
    /** Counts a call from outside for as long as it lasts. */
    class CallScope
    {
      public:
        /** @param depth the counter, changed */
        explicit CallScope(uint32_t& depth)
            : m_depth(depth)
        {
            ++m_depth;
        }

        ~CallScope()
        {
            --m_depth;
        }

        CallScope(const CallScope&) = delete;
        CallScope& operator=(const CallScope&) = delete;

      private:
        uint32_t& m_depth; ///< The counter.
    };

    /** Equal receives in a row. */
    struct RecvRun
    {
        RecvWr wr;      ///< Each of them.
        uint32_t count; ///< Number of receives.
    };

    /** A work request on a send queue, as much of it as its completion needs. */
    struct PostedSend
    {
        uint64_t wrId;   ///< Comes back in the completion.
        WcOpcode opcode; ///< Of what the completion will be.
        uint8_t flags;   ///< SendFlags.
        /** Status when its turn comes; SUCCESS if the engine decides. */
        WcStatus fate;
    };

    /** A queue pair. One cache line of a processor. */
    struct alignas(64) QueuePair
    {
        HostId host;                      ///< Adapter.
        Qpn remote{NO_QP};                ///< Other end.
        CqNumber sendCq;                  ///< Completions of sends.
        CqNumber recvCq;                  ///< Completions of receives.
        SrqNumber srq;                    ///< Shared receive queue, or NO_SRQ.
        uint32_t maxSends;                ///< Work requests on the send queue.
        uint32_t maxReceives;             ///< Work requests on the receive queue.
        uint32_t nSends{0};               ///< Sends that have not ended.
        uint32_t nReceives{0};            ///< Receives that wait.
        PooledList sends;                 ///< PostedSend, oldest first.
        PooledList receives;              ///< RecvRun, oldest first.
        uint32_t rqPsn : 24 {0};          ///< First PSN to be expected.
        uint32_t path : 8 {0};            ///< Path through the subnet.
        uint32_t sqPsn : 24 {0};          ///< First PSN to be sent.
        uint32_t access : 8 {ALL_ACCESS}; ///< Access that the other side may ask for.
        Transport transport;              ///< Type.
        QpState state{QpState::RESET};    ///< State.
        bool doomed{false};    ///< A send that waits will fail, so those behind it will be flushed.
        bool destroyed{false}; ///< Gone; the number is not used again.
    };

    /** A completion queue: a ring. */
    struct CompletionQueue
    {
        std::vector<WorkCompletion> ring; ///< A power of two of places.
        CqUser* user;                     ///< Receiver of events, or null.
        uint64_t cookie;                  ///< For the user.
        HostId host;                      ///< Adapter.
        uint32_t users{0};                ///< Queue pairs that complete here, twice if with both.
        uint32_t first{0};                ///< Number of the oldest completion.
        uint32_t end{0};                  ///< Number of the next completion.
        bool armed{false};                ///< The user is to be called.
        bool solicitedOnly{false};        ///< Only for a solicited completion or an error.
        bool destroyed{false};            ///< Gone; the number is not used again.
    };

    /** A shared receive queue. */
    struct SharedReceiveQueue
    {
        PooledList receives;   ///< RecvRun, oldest first.
        HostId host;           ///< Adapter.
        uint32_t maxReceives;  ///< Its length.
        uint32_t nReceives{0}; ///< Receives that wait.
        uint32_t users{0};     ///< Queue pairs that take receives here.
        bool destroyed{false}; ///< Gone; the number is not used again.
    };

    /** A memory region. */
    struct Region
    {
        uint64_t bytes{0};     ///< Length [bytes].
        HostId host{0};        ///< Adapter.
        uint8_t access{0};     ///< Access.
        uint8_t generation{0}; ///< Low byte of the key, so that an old key fits no new region.
        bool valid{false};     ///< Registered.
    };

    void OnTick(messaging::Peer peer, uint64_t datum) override;

    /**
     * Find a region.
     * @param key its key
     * @param host the adapter that must own it
     * @return the region, or null
     */
    const Region* FindRegion(MemoryKey key, HostId host) const;

    /**
     * @param host an adapter
     * @param wr a receive with a key
     * @return whether a region of the adapter has room for it
     */
    bool HoldsReceive(HostId host, const RecvWr& wr) const;

    /**
     * Check a request at its sender.
     * @param pair its queue pair
     * @param wr the request
     * @return SUCCESS, or the status of its completion
     */
    WcStatus CheckLocally(const QueuePair& pair, const SendWr& wr) const;

    /**
     * Append receives to a queue.
     * @param list the queue, changed
     * @param wr each of them
     * @param count how many
     */
    void AppendReceives(PooledList& list, const RecvWr& wr, uint32_t count);

    /**
     * Change a state and notify the engine.
     * @param qp the queue pair
     * @param state its new state
     */
    void SetState(Qpn qp, QpState state);

    /**
     * End the oldest work request of a send queue, without looking at those behind it.
     * @param qp the queue pair
     * @param status how
     * @param bytes length of what it has read [bytes]
     * @param atomic the value before an atomic operation
     */
    void EndSend(Qpn qp, WcStatus status, uint32_t bytes = 0, uint64_t atomic = 0);

    /**
     * End the work requests at the front of a send queue that will fail.
     * @param qp the queue pair
     */
    void EndDoomed(Qpn qp);

    /**
     * A send has failed: go to the error state and flush.
     * @param qp the queue pair
     */
    void FailSends(Qpn qp);

    /**
     * Flush a send queue.
     * @param qp the queue pair
     */
    void FlushSends(Qpn qp);

    /**
     * Flush a receive queue.
     * @param qp the queue pair
     */
    void FlushReceives(Qpn qp);

    /**
     * Write a completion.
     * @param cq the queue
     * @param wc the completion
     * @param solicited it wakes those who wait for solicited completions
     */
    void Complete(CqNumber cq, const WorkCompletion& wc, bool solicited);

    /** A queue pair has changed its state: its number, state before, state after. */
    TracedCallback<Qpn, QpState, QpState> m_stateTrace;
    /** All data of an RDMA write has arrived: queue pair, request. */
    TracedCallback<Qpn, const SendWr&> m_writeTrace;
    Ptr<messaging::TickClock> m_clock;      ///< Counts nanoseconds.
    Ptr<Engine> m_engine;                   ///< Moves messages.
    LargeVector<QueuePair> m_qps;           ///< By number.
    std::vector<CompletionQueue> m_cqs;     ///< By number.
    std::vector<SharedReceiveQueue> m_srqs; ///< By number.
    std::vector<Region> m_regions;          ///< By the upper bits of their key, from one.
    std::vector<uint32_t> m_freeRegions;    ///< Given back.
    std::vector<Qpn> m_multicast;           ///< The multicast group.
    ListPool<RecvRun> m_receives;           ///< All receives that wait.
    ListPool<PostedSend> m_sends;           ///< All sends that have not ended.
    std::multimap<Qpn, SendWr> m_held;      ///< Posted in SQD, in order.
    std::map<std::pair<MemoryKey, uint64_t>, uint64_t>
        m_words;                    ///< Words that atomics have written.
    uint64_t m_receiverNotReady{0}; ///< Arrivals without a receive.
    uint32_t m_multicastChanges{0}; ///< Of the multicast group.
    uint32_t m_user{0};             ///< Our number at the clock.
    uint32_t m_depth{0};            ///< Depth of calls from outside.
    HostId m_hosts{0};              ///< Number of adapters.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_VERBS_H
