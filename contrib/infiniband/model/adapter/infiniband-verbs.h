/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_VERBS_H
#define INFINIBAND_VERBS_H

#include "ns3/infiniband-engine.h"
#include "ns3/infiniband-list-pool.h"
#include "ns3/messaging-fifo.h"
#include "ns3/messaging-large-pages.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup infiniband
 * Queue pairs, completion queues and memory regions.
 */

namespace ns3
{
namespace infiniband
{

/**
 * How near the completion of an arriving message is, for prefetching by stages: what one has
 * prefetched leads to the addresses of the next.
 */
enum class Nearness : uint8_t
{
    LINK,     ///< The message has entered the link to its host.
    MEMORY,   ///< Its data are being written to the memory of the host.
    COMPLETED ///< Its completion has been written.
};

/** Receiver of completion events requested by ReqNotifyCq. */
class CqUser
{
  public:
    virtual ~CqUser() = default;

    /**
     * A completion has been written.
     * @param cq the queue
     * @param cookie cookie passed to CreateCq
     */
    virtual void OnCompletion(CqNumber cq, uint64_t cookie) = 0;

    /**
     * An arriving message will probably complete soon. A user may prefetch what it needs then.
     * @param cookie cookie passed to CreateCq
     * @param qp the receiving queue pair
     * @param nearness how near the completion is
     * @param source of UD: the sender's queue pair, or NO_QP if it is not known yet
     */
    virtual void OnExpected([[maybe_unused]] uint64_t cookie,
                            [[maybe_unused]] Qpn qp,
                            [[maybe_unused]] Nearness nearness,
                            [[maybe_unused]] Qpn source)
    {
    }
};

/**
 * @ingroup infiniband
 * The verbs of all adapters of a subnet.
 *
 * One object serves all hosts, since half a million queue pairs would not fit as objects. Names and
 * meanings are those of libibverbs: CreateQp, ModifyQp from RESET to RTS, PostSend, PollCq. A call
 * that hardware refuses with an error code returns false or a sentence. A work request that its
 * queue pair's type does not support ends in a completion with the verbs' status. Calls take no
 * time; GetRegistrationTime returns the processor time of a registration, which the caller has to
 * charge.
 *
 * Numbers and keys are not used again. What is destroyed or deregistered exists no longer: calls
 * that name it are refused, as those that name what never existed.
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
     * @param before old state
     * @param after new state
     */
    typedef void (*QpStateTracedCallback)(Qpn qp, QpState before, QpState after);

    /**
     * Signature of trace source RdmaWrite.
     * @param qp the receiving queue pair
     * @param wr the request
     */
    typedef void (*RdmaWriteTracedCallback)(Qpn qp, const SendWr& wr);

    /**
     * Signature of trace source Post.
     * @param qp the queue pair
     * @param wr the request
     */
    typedef void (*PostTracedCallback)(Qpn qp, const SendWr& wr);

    /**
     * Signature of trace source PostRecv.
     * @param qp the queue pair, or NO_QP
     * @param srq the shared receive queue, or NO_SRQ
     * @param wr one of the receives
     * @param count number of equal receives
     */
    typedef void (*PostRecvTracedCallback)(Qpn qp, SrqNumber srq, const RecvWr& wr, uint32_t count);

    /**
     * Signature of trace source Completion.
     * @param cq the completion queue
     * @param wc the completion
     */
    typedef void (*CompletionTracedCallback)(CqNumber cq, const WorkCompletion& wc);

    /**
     * Set up all adapters.
     * @param clock counts nanoseconds
     * @param engine moves messages
     * @param nHosts the number of adapters; 0: as in the engine's attributes
     * @return an empty text, or one sentence with the reason
     */
    std::string Open(Ptr<messaging::TickClock> clock, Ptr<Engine> engine, HostId nHosts = 0);

    /**
     * Create a completion queue.
     * @param host its adapter
     * @param user receiver of completion events, not owned; null if the queue is only polled
     * @param cookie passed to the user's calls
     * @return its number
     */
    CqNumber CreateCq(HostId host, CqUser* user = nullptr, uint64_t cookie = 0);

    /**
     * Take completions off a queue.
     * @param cq the queue
     * @param max maximum number
     * @param wc array of completions, changed
     * @return number of completions taken
     */
    uint32_t PollCq(CqNumber cq, uint32_t max, WorkCompletion* wc);

    /**
     * Request an event at the next completion, or in this tick if one is in the queue.
     * @param cq the queue
     * @param solicitedOnly only at the next one of a message whose sender has set SOLICITED, or of
     * an error; completions in the queue have to be polled after the call, as on hardware
     */
    void ReqNotifyCq(CqNumber cq, bool solicitedOnly = false);

    /**
     * Destroy a completion queue with its completions.
     * @param cq the queue
     * @return false if a queue pair still uses it, or it does not exist
     */
    bool DestroyCq(CqNumber cq);

    /**
     * Create a shared receive queue.
     * @param host its adapter
     * @param maxWr its capacity [receives]
     * @return its number; NO_SRQ without such a host
     */
    SrqNumber CreateSrq(HostId host, uint32_t maxWr);

    /**
     * Destroy a shared receive queue. Its receives end without completions.
     * @param srq the queue
     * @return false if a queue pair still uses it, or it does not exist
     */
    bool DestroySrq(SrqNumber srq);

    /**
     * Create a queue pair in RESET.
     * @param host its adapter
     * @param attr its attributes
     * @return its number; NO_QP without such a host, if one of the queues is not its own, or if UC
     * is to use a shared receive queue
     */
    Qpn CreateQp(HostId host, const QpInitAttr& attr);

    /**
     * Destroy a queue pair in any state. Outstanding work ends without completions, and arrivals
     * are dropped, so the other end of a reliable connection times out. Completions already written
     * stay.
     * @param qp the queue pair
     * @return false if it is in the multicast group, or does not exist
     */
    bool DestroyQp(Qpn qp);

    /**
     * Change the state of a queue pair.
     * @param qp the queue pair
     * @param attr attributes to set
     * @return false, without any change, if there is no such transition
     */
    bool ModifyQp(Qpn qp, const QpAttr& attr);

    /**
     * Connect two queue pairs of one type, and take them from RESET to RTS.
     * @param one a queue pair
     * @param other another queue pair
     * @param path number of the path, one of 2^LMC
     * @param serviceLevel service level of both directions
     * @return false if one of the transitions is impossible
     */
    bool ConnectQps(Qpn one, Qpn other, uint8_t path = 0, uint8_t serviceLevel = 0);

    /**
     * Add a datagram queue pair to the multicast group of the subnet.
     * @param qp the queue pair
     * @return false if it is not of type UD, or does not exist
     */
    bool AttachMcast(Qpn qp);

    /**
     * Remove a queue pair from the multicast group.
     * @param qp the queue pair
     * @return false if it is not in the group
     */
    bool DetachMcast(Qpn qp);

    /**
     * Post a work request on a send queue. Its entry is freed when it ends. Hardware, in contrast,
     * frees entries of unsignalled requests only with the next completion.
     * @param qp the queue pair
     * @param wr the request
     * @return false if the queue is full, the state forbids posting, or the data is too long to be
     * inline
     */
    bool PostSend(Qpn qp, const SendWr& wr);

    /**
     * Post identical work requests on a receive queue.
     * @param qp the queue pair, without a shared receive queue
     * @param wr the request
     * @param count number of requests
     * @return false if the queue has not enough room, or the state forbids posting
     */
    bool PostRecv(Qpn qp, const RecvWr& wr, uint32_t count = 1);

    /**
     * Post identical work requests on a shared receive queue.
     * @param srq the queue
     * @param wr the request
     * @param count number of requests
     * @return false if the queue has not enough room, or does not exist
     */
    bool PostSrqRecv(SrqNumber srq, const RecvWr& wr, uint32_t count = 1);

    /**
     * Register memory.
     * @param host its adapter
     * @param bytes length [bytes]
     * @param access remote access rights
     * @return its key. Requests check their local region when posted, and the remote one on
     * arrival; receives check theirs when taken.
     */
    MemoryKey RegMr(HostId host, uint64_t bytes, uint8_t access);

    /**
     * Deregister a region. Requests and receives that use it later end in an error.
     * @param key the region
     * @return false if there is no such region
     */
    bool DeregMr(MemoryKey key);

    /**
     * Get the processor time of a registration, from the attributes RegisterBase and RegisterPage.
     * @param bytes length [bytes]
     * @return the time [ns]
     */
    Ticks GetRegistrationTime(uint64_t bytes) const;

    /**
     * Read a word of memory that atomic operations or SetWord have written. Other memory has no
     * contents.
     * @param key its region
     * @param address its offset in the region [bytes]
     * @return its value, at first 0
     */
    uint64_t GetWord(MemoryKey key, uint64_t address) const;

    /**
     * Write a word of memory for atomic operations, as the processor of its host does.
     * @param key its region
     * @param address its offset in the region [bytes]
     * @param value its value
     * @return false if there is no such region
     */
    bool SetWord(MemoryKey key, uint64_t address, uint64_t value);

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

    /** @return the context of a queue pair, of its attributes. @param qp the queue pair */
    uint32_t GetContext(Qpn qp) const
    {
        return m_qps[qp].context;
    }

    /** @return the shared receive queue of a queue pair, or NO_SRQ. @param qp the queue pair */
    SrqNumber GetSrq(Qpn qp) const
    {
        return m_qps[qp].srq;
    }

    /** @return the number of receives posted for a queue pair. @param qp the queue pair */
    uint32_t GetNPostedReceives(Qpn qp) const
    {
        return GetReceives(qp).length;
    }

    /**
     * @return the number of outstanding work requests on the send queue. @param qp the queue pair
     */
    uint32_t GetNPostedSends(Qpn qp) const
    {
        return m_qps[qp].nSends;
    }

    /** @return the queue pairs of the multicast group, each with its adapter. */
    const std::set<std::pair<HostId, Qpn>>& GetMulticastGroup() const
    {
        return m_multicast;
    }

    /** @return memory of queue pairs and their queues [bytes]. */
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

    /** @return the engine. */
    Ptr<Engine> GetEngine() const
    {
        return m_engine;
    }

    /**
     * For engines: prefetch a queue pair, since one of its requests will end.
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
     * For engines: prefetch a queue pair's next receive and what its user needs, since a message
     * arrives. Call it after ExpectEnd.
     * @param qp the queue pair, which need not exist
     * @param nearness how near the completion is
     * @param source the sender's queue pair, or NO_QP if it is not known yet
     */
    void ExpectReceive(Qpn qp, Nearness nearness, Qpn source) const
    {
        if (qp >= m_qps.size())
        {
            return;
        }
        if (m_qps[qp].srq == NO_SRQ)
        {
            m_receives.Expect(m_qps[qp].receives.runs);
        }
        const auto& queue = m_cqs[m_qps[qp].recvCq];
        if (queue.notify != Notify::NONE && queue.user)
        {
            queue.user->OnExpected(queue.cookie, qp, nearness, source);
        }
    }

    /**
     * Prefetch the oldest request of a send queue, after ExpectEnd.
     * @param qp the queue pair, which need not exist
     */
    void ExpectOldest(Qpn qp) const
    {
        if (qp < m_qps.size())
        {
            m_sends.Expect(m_qps[qp].sends);
        }
    }

    /**
     * Prefetch the receives of a queue pair, after ExpectEnd.
     * @param qp the queue pair
     */
    void ExpectPostRecv(Qpn qp) const
    {
        m_receives.Expect(GetReceives(qp).runs);
    }

    /**
     * Prefetch what a post of a request needs.
     * @param qp the queue pair, which need not exist
     */
    void ExpectPost(Qpn qp) const
    {
        ExpectEnd(qp);
        PeekPointer(m_engine)->Expect(qp);
    }

    /**
     * For engines: the oldest work request of a send queue has ended. An error takes the queue pair
     * to its error state and flushes the rest.
     * @param qp the queue pair
     * @param status its status
     * @param original original value, of an atomic operation
     */
    void CompleteSend(Qpn qp, WcStatus status, uint64_t original = 0);

    /**
     * For engines: the oldest work request of a send queue has no completion, and will end soon.
     * Nothing depends on the exact time, unless its entry of the send queue is needed before.
     * @param qp the queue pair
     * @return true if it has ended with this call; false if CompleteSend has to be called in time,
     * since few entries are left, or a later request of the queue waits to fail
     */
    bool EndUnnoticed(Qpn qp);

    /**
     * For engines: take the receive for a message.
     * @param qp the receiving queue pair
     * @param wr the receive, changed
     * @return false if none is posted
     */
    bool TakeReceive(Qpn qp, RecvWr& wr);

    /** @return the capacity of a queue pair's receive queue. @param qp the queue pair */
    uint32_t GetMaxReceives(Qpn qp) const
    {
        return GetReceives(qp).capacity;
    }

    /**
     * For engines: check the memory of a taken receive.
     * @param qp the queue pair
     * @param wr the receive
     * @return whether it is registered; if not, the receive ends in LOC_PROT_ERR and the sender's
     * request in REM_OP_ERR
     */
    bool CheckReceive(Qpn qp, const RecvWr& wr) const
    {
        return wr.localKey == NO_KEY || Holds(wr.localKey, m_qps[qp].host, wr.bytes);
    }

    /**
     * For engines: a receive has ended.
     * @param qp the queue pair
     * @param wr the receive
     * @param sent the request of the sender
     * @param source the sender's queue pair
     * @param status its status
     */
    void CompleteReceive(Qpn qp, const RecvWr& wr, const SendWr& sent, Qpn source, WcStatus status);

    /**
     * For engines: all data of an RDMA write has arrived.
     * @param qp the receiving queue pair
     * @param wr the request
     */
    void NoteWrite(Qpn qp, const SendWr& wr)
    {
        m_writeTrace(qp, wr);
    }

    /**
     * For engines: check whether a remote operation is allowed.
     * @param qp the receiving queue pair
     * @param wr the request
     * @return SUCCESS, or the status of the error
     */
    WcStatus CheckAccess(Qpn qp, const SendWr& wr) const;

    /**
     * For engines: execute an atomic operation, after CheckAccess.
     * @param wr the request
     * @return the original value
     */
    uint64_t DoAtomic(const SendWr& wr);

  protected:
    void DoDispose() override;

  private:
    /** Increments a counter for the duration of a call from outside. */
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

    /** Consecutive identical receives. */
    struct RecvRun
    {
        RecvWr wr;      ///< One of these receives.
        uint32_t count; ///< Number of receives.
    };

    /** Posted receives of a queue pair or a shared receive queue. */
    struct ReceiveQueue
    {
        PooledList runs;      ///< RecvRun, oldest first.
        uint32_t capacity{0}; ///< Capacity [receives].
        uint32_t length{0};   ///< Posted receives.
    };

    /** The part of a posted work request that its completion needs. */
    struct PostedSend
    {
        uint64_t wrId; ///< User cookie, returned in the completion.
        uint8_t flags; ///< SendFlags.
        /** Status at the head of the queue; SUCCESS if the engine decides. */
        WcStatus fate;
    };

    /** A queue pair. One cache line of a processor. */
    struct alignas(64) QueuePair
    {
        HostId host;                   ///< Adapter.
        Qpn remote{NO_QP};             ///< Remote queue pair.
        CqNumber sendCq;               ///< Completion queue of sends.
        CqNumber recvCq;               ///< Completion queue of receives.
        uint32_t maxSends;             ///< Capacity of the send queue.
        uint32_t nSends{0};            ///< Outstanding sends.
        PooledList sends;              ///< PostedSend, oldest first.
        ReceiveQueue receives;         ///< Receives, without a shared receive queue.
        SrqNumber srq;                 ///< Shared receive queue, or NO_SRQ.
        uint32_t context{0};           ///< For its user.
        uint8_t access{ALL_ACCESS};    ///< Remote access rights.
        Transport transport;           ///< Type.
        QpState state{QpState::RESET}; ///< State.
        bool doomed{false};            ///< A queued send will fail and flush those after it.
        bool destroyed{false};         ///< It exists no longer.
    };

    static_assert(sizeof(QueuePair) == 64);

    /** Completions that call the user. */
    enum class Notify : uint8_t
    {
        NONE,      ///< None.
        SOLICITED, ///< The next solicited one, or the next error.
        NEXT       ///< The next one.
    };

    /** A completion queue. */
    struct CompletionQueue
    {
        messaging::Fifo<WorkCompletion> completions; ///< Completions.
        CqUser* user;                                ///< Receiver of events, or null.
        uint64_t cookie;                             ///< Cookie for the user.
        HostId host;                                 ///< Adapter.
        uint32_t users{0};                           ///< Queue pairs that use it, once or twice.
        Notify notify{Notify::NONE};                 ///< Completions that call the user.
        bool destroyed{false};                       ///< It exists no longer.
    };

    /** A shared receive queue. */
    struct SharedReceiveQueue
    {
        ReceiveQueue receives; ///< Receives.
        HostId host{0};        ///< Adapter.
        uint32_t users{0};     ///< Queue pairs that use it.
        bool destroyed{false}; ///< It exists no longer.
    };

    /** A memory region. */
    struct Region
    {
        uint64_t bytes{0}; ///< Length [bytes].
        HostId host{0};    ///< Adapter.
        uint8_t access{0}; ///< Remote access rights.
        bool valid{true};  ///< It is registered.
    };

    void OnTick(messaging::Peer peer, uint64_t datum) override;

    /** @return whether a queue pair exists. @param qp its number */
    bool Exists(Qpn qp) const
    {
        return qp < m_qps.size() && !m_qps[qp].destroyed;
    }

    /**
     * @param cq a completion queue
     * @param host an adapter
     * @return whether the queue exists and belongs to the adapter
     */
    bool IsCqOf(CqNumber cq, HostId host) const
    {
        return cq < m_cqs.size() && !m_cqs[cq].destroyed && m_cqs[cq].host == host;
    }

    /**
     * @param srq a shared receive queue
     * @param host an adapter
     * @return whether the queue exists and belongs to the adapter
     */
    bool IsSrqOf(SrqNumber srq, HostId host) const
    {
        return srq < m_srqs.size() && !m_srqs[srq].destroyed && m_srqs[srq].host == host;
    }

    /** @return the receive queue of a queue pair, its own or a shared one. @param qp its number */
    const ReceiveQueue& GetReceives(Qpn qp) const
    {
        const QueuePair& pair = m_qps[qp];
        return pair.srq == NO_SRQ ? pair.receives : m_srqs[pair.srq].receives;
    }

    /** @copydoc GetReceives(Qpn) const */
    ReceiveQueue& GetReceives(Qpn qp)
    {
        QueuePair& pair = m_qps[qp];
        return pair.srq == NO_SRQ ? pair.receives : m_srqs[pair.srq].receives;
    }

    /**
     * Append receives to a queue.
     * @param queue the queue, changed
     * @param wr one of them
     * @param count their number
     * @return false if the queue has not enough room
     */
    bool AppendReceives(ReceiveQueue& queue, const RecvWr& wr, uint32_t count);

    /**
     * Find a region.
     * @param key a key
     * @param host an adapter
     * @return the region, or null if there is none with this key at the adapter
     */
    const Region* FindRegion(MemoryKey key, HostId host) const;

    /**
     * @param key a key
     * @param host an adapter
     * @param bytes length [bytes]
     * @return whether it is the key of a region of the adapter with at least that length
     */
    bool Holds(MemoryKey key, HostId host, uint64_t bytes) const;

    /**
     * Check a request at its sender.
     * @param pair its queue pair
     * @param wr the request
     * @return SUCCESS, or the status of its completion
     */
    WcStatus CheckLocally(const QueuePair& pair, const SendWr& wr) const;

    /**
     * Change a state and notify the engine.
     * @param qp the queue pair
     * @param attr its new state, and attributes for the engine
     */
    void SetState(Qpn qp, const QpAttr& attr);

    /**
     * End the oldest work request of a send queue. An error takes the queue pair to its error state
     * and flushes the rest.
     * @param qp the queue pair
     * @param status its status
     * @param original original value, of an atomic operation
     */
    void EndSend(Qpn qp, WcStatus status, uint64_t original = 0);

    /**
     * End the doomed work requests at the head of a send queue.
     * @param qp the queue pair
     */
    void EndDoomed(Qpn qp);

    /**
     * Enter an error state, and flush the queues that it stops.
     * @param qp the queue pair
     * @param state SQE or ERR
     */
    void Fail(Qpn qp, QpState state);

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
     * @param solicited whether the sender of the message has set SOLICITED
     */
    void Complete(CqNumber cq, const WorkCompletion& wc, bool solicited = false);

    /** A queue pair has changed its state: number, old state, new state. */
    TracedCallback<Qpn, QpState, QpState> m_stateTrace;
    /** All data of an RDMA write has arrived: queue pair, request. */
    TracedCallback<Qpn, const SendWr&> m_writeTrace;
    /** A request is posted: queue pair, request. */
    TracedCallback<Qpn, const SendWr&> m_postTrace;
    /** Receives are posted: queue pair, shared receive queue, receive, number. */
    TracedCallback<Qpn, SrqNumber, const RecvWr&, uint32_t> m_postRecvTrace;
    /** A completion is written: completion queue, completion. */
    TracedCallback<CqNumber, const WorkCompletion&> m_completionTrace;
    Ticks m_registerBase{0};                 ///< Registration time, fixed part [ns].
    Ticks m_registerPage{0};                 ///< Registration time of a page [ns].
    Ptr<messaging::TickClock> m_clock;       ///< Clock of nanoseconds.
    Ptr<Engine> m_engine;                    ///< Moves messages.
    messaging::LargeVector<QueuePair> m_qps; ///< Queue pairs by number.
    std::vector<CompletionQueue> m_cqs;      ///< Completion queues by number.
    std::vector<SharedReceiveQueue> m_srqs;  ///< Shared receive queues by number.
    std::vector<Region> m_regions;           ///< Regions by key, from 1.
    std::map<std::pair<MemoryKey, uint64_t>, uint64_t> m_words; ///< Words of regions by offset.
    ListPool<RecvRun> m_receives;                               ///< All posted receives.
    ListPool<PostedSend> m_sends;                               ///< All outstanding sends.
    std::set<std::pair<HostId, Qpn>> m_multicast;               ///< The multicast group.
    uint32_t m_user{0};                                         ///< User number at the clock.
    uint32_t m_depth{0}; ///< Depth of nested calls from outside.
    HostId m_hosts{0};   ///< Number of adapters.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_VERBS_H
