/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_CORE_H
#define MPI_RANKS_CORE_H

#include "ns3/mpi-ranks-config.h"
#include "ns3/mpi-ranks-matching.h"
#include "ns3/mpi-ranks-types.h"

#include <algorithm>
#include <limits>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * Point-to-point MPI of one rank, with reliability in software or without (paper 4, section 6).
 *
 * @verbatim
   small message            lost segment                any rank, half a timeout after a frame
   (section 6.2)            (C-09)                      to which it has not answered (C-10)

   S --- EAGER 7 ---> R     S --- EAGER 7 ---X          S <-- ACK "8 taken" --- R
   S <-- any frame -- R     S --- EAGER 8 ---> R held
         "8 taken"                    t_timeout
                            S --- EAGER 7 ---> R
                            S --- EAGER 8 ---> R duplicate

   figure 2, RC             figure 3 (a), UC reliable   figure 3 (b)

   S --- RTS ---> R         S --- RTS ------> R         S --- RTS ------> R
   S <-- CTS ---- R         S <-- CTS ------- R         S <-- CTS ------- R
   S === data ==> R         S === data+imm => R         S === data+imm  X
   S --- FIN ---> R         S --- FIN ------> R         S --- FIN ------> R   timeout
   done at FIN's            S <-- DONE ------ R         S <-- NACK ------ R
   local completion         done at DONE                S === data+imm => R
                                                        S <-- DONE ------ R
   @endverbatim
 *
 * A large message is complete when both its data and FIN have arrived, in either order. Without
 * RDMA the data are numbered segments, and the last segment replaces FIN.
 */

namespace ns3
{
namespace ranks
{

/**
 * Join the two words of an RTS (length, number of the sender's entry) or CTS (numbers of the
 * sender's and the receiver's entry), which the field of the contents holds.
 * @param low the first
 * @param high the second
 * @return both
 */
constexpr uint64_t
JoinWords(uint32_t low, uint32_t high)
{
    return low | uint64_t{high} << 32;
}

/** @return the first word of an RTS or CTS. @param contents its contents */
constexpr uint32_t
GetLowWord(uint64_t contents)
{
    return static_cast<uint32_t>(contents);
}

/** @return the second word of an RTS or CTS. @param contents its contents */
constexpr uint32_t
GetHighWord(uint64_t contents)
{
    return static_cast<uint32_t>(contents >> 32);
}

/** Completion that an entry reports to the sender of its message. */
enum class Report : uint8_t
{
    NOTHING, ///< No completion.
    LEFT,    ///< SENT, when the last segment has left.
    ACKED    ///< DELIVERED, when the last segment is acknowledged.
};

/**
 * Entry of a connection's backlog, its unacknowledged queue or its reorder window. One cache line.
 */
struct alignas(64) QueueEntry
{
    Frame frame;                    ///< Frame; in the backlog, payload is the remaining length.
    RequestId request{0};           ///< Request that the report belongs to.
    uint32_t next{NONE};            ///< Next entry of its queue, or next free entry.
    uint32_t stamp{0};              ///< Period of its last transmission or of its arrival.
    uint32_t charge{0};             ///< Memory charged [bytes].
    Report report{Report::NOTHING}; ///< Report due.
    uint8_t retries{0};             ///< Retransmissions; not counted if unlimited.
    bool left{true};                ///< Its last transmission has left, so that its age counts.
};

/** Bits of Connection::flags. */
enum ConnectionFlags : uint8_t
{
    LISTED = 1,     ///< In the list of connections that may owe an ACK.
    ASSEMBLING = 2, ///< Between the first and the last segment of an eager message.
    LOST = 4        ///< Peer declared lost.
};

/** State of a peer, created with the first frame to or from it. One cache line. */
struct alignas(64) Connection
{
    uint64_t contents{0};       ///< Contents of the message being assembled.
    Peer peer{0};               ///< The peer.
    uint32_t backlogHead{NONE}; ///< Oldest entry that waits to be sent.
    uint32_t backlogTail{NONE}; ///< Youngest entry that waits to be sent.
    uint32_t unackedHead{NONE}; ///< Oldest unacknowledged segment.
    uint32_t unackedTail{NONE}; ///< Youngest unacknowledged segment.
    uint32_t held{NONE};        ///< Segments that arrived too early, in order.
    uint32_t delivered{0};      ///< Messages delivered from the peer.
    uint32_t bytes{0};          ///< Length of the message being assembled [bytes].
    uint32_t tag{0};            ///< Tag of the message being assembled.
    uint32_t backlog{0};        ///< Length of the backlog.
    uint16_t sendNext{0};       ///< Sequence number of the next frame to the peer.
    uint16_t sendAcked{0};      ///< Frames acknowledged by the peer.
    uint16_t receiveNext{0};    ///< Sequence number of the next frame from the peer.
    uint16_t receiveAcked{0};   ///< Last receiveNext sent to the peer.
    uint16_t owed{0}; ///< Frames from the peer since the last one-frame message or explicit ACK to
                      ///< it [MVAPICH].
    uint8_t flags{0}; ///< Mask of ConnectionFlags.
    Peer after{NO_PEER}; ///< Destination of the message that followed the last one to the peer.
};

static_assert(sizeof(Connection) == 64);

/** A large message at its sender, from RTS on. */
struct Departure
{
    Request request;        ///< The message.
    uint32_t landing{NONE}; ///< Number of the receiver's entry, known after the CTS.
    uint32_t next{NONE};    ///< Next free entry.
    uint16_t generation{0}; ///< Number of earlier uses of the entry.
    bool used{false};       ///< In use.
    bool writing{false};    ///< Its write has not ended yet; known if sends are reported.
    uint8_t rewrites{0};    ///< Repetitions of its write; not counted if unlimited.

    /** @return the peer. */
    Peer GetPeer() const
    {
        return request.to;
    }
};

/** A large message at its receiver, from CTS on. */
struct Landing
{
    Delivery delivery;        ///< The message.
    RequestId request{0};     ///< The receive.
    uint64_t contents{0};     ///< Contents written to memory.
    uint32_t departure{NONE}; ///< Number of the sender's entry.
    uint32_t bytes{0};        ///< Bytes written to memory.
    uint32_t stamp{0};        ///< Period of FIN or of the last NACK.
    uint32_t next{NONE};      ///< Next free entry.
    uint16_t generation{0};   ///< Number of earlier uses of the entry.
    bool used{false};         ///< In use.
    bool written{false};      ///< The data have arrived.
    bool finished{false};     ///< FIN has arrived.

    /** @return the peer. */
    Peer GetPeer() const
    {
        return delivery.from;
    }
};

/**
 * @ingroup mpi-ranks
 * Pool of departures or landings. The remote side refers to entries by number.
 *
 * A number consists of an index and a use count, so a stale number refers to nothing.
 *
 * @tparam T Departure or Landing
 */
template <class T>
class NumberedPool
{
  public:
    /** @return index of a new entry. */
    uint32_t Allocate()
    {
        const uint32_t place = m_free;
        if (place == NONE)
        {
            m_all.emplace_back();
            m_all.back().used = true;
            return static_cast<uint32_t>(m_all.size() - 1);
        }
        m_free = m_all[place].next;
        m_all[place].next = NONE;
        m_all[place].used = true;
        return place;
    }

    /** Free an entry. @param place its index */
    void Release(uint32_t place)
    {
        const auto generation = static_cast<uint16_t>(m_all[place].generation + 1);
        m_all[place] = T{};
        m_all[place].generation = generation & GENERATION_MASK;
        m_all[place].next = m_free;
        m_free = place;
    }

    /** @return number of an entry. @param place its index */
    uint32_t GetNumber(uint32_t place) const
    {
        return place | uint32_t{m_all[place].generation} << PLACE_BITS;
    }

    /** @return index of an entry, or NONE if it is free. @param number its number */
    uint32_t Find(uint32_t number) const
    {
        const uint32_t place = number & ((1U << PLACE_BITS) - 1);
        if (place < m_all.size() && m_all[place].used && GetNumber(place) == number)
        {
            return place;
        }
        return NONE;
    }

    /**
     * Get the index of an entry.
     * @param number its number
     * @param peer the peer
     * @return its index, or NONE if it is free or belongs to another peer
     */
    uint32_t Find(uint32_t number, Peer peer) const
    {
        const uint32_t place = Find(number);
        if (place != NONE && m_all[place].GetPeer() == peer)
        {
            return place;
        }
        return NONE;
    }

    /** @return an entry. @param place its index */
    T& operator[](uint32_t place)
    {
        return m_all[place];
    }

    /** @return an entry. @param place its index */
    const T& operator[](uint32_t place) const
    {
        return m_all[place];
    }

    /** @return the number of entries, including free ones. */
    uint32_t GetSize() const
    {
        return static_cast<uint32_t>(m_all.size());
    }

    /** @return index of the first free entry, or NONE. */
    uint32_t GetFree() const
    {
        return m_free;
    }

    /** @return memory in use [bytes]. */
    uint64_t GetMemory() const
    {
        return m_all.capacity() * sizeof(T);
    }

  private:
    static constexpr uint32_t PLACE_BITS = 20;         ///< Bits of the index in a number.
    static constexpr uint16_t GENERATION_MASK = 0xfff; ///< Mask of the use count.

    std::vector<T> m_all;  ///< All entries.
    uint32_t m_free{NONE}; ///< First free entry.
};

/**
 * @ingroup mpi-ranks
 * Protocol of one rank with all its peers.
 *
 * One code path serves {RC, UC, UD} x {Native, Reliable} (C-15, C-17): RankConfig::traits and
 * RankConfig::reliability distinguish them.
 *
 * Every frame but RDMA_DATA and explicit ACKs has a sequence number of 16 bits and uses one of the
 * peer's credits; every frame but RDMA_DATA carries the number of such frames that its sender has
 * taken from the peer. This number returns credits in all modes, and acknowledges segments with
 * reliability (C-10, C-11). It is a total, not an increment, so a loss does no harm.
 *
 * Rules for the group that runs it:
 * - OnFrame is called for the completion of a receive and OnTimer when the one timer is due, both
 *   only while the rank is inside an MPI call (C-07); OnProgressEnd at the end of each progress
 *   call, OnIdlePolls after every RankConfig::pollsPerCheck empty polls of a call that waits.
 * - EAGER, RTS, CTS, DATA, FIN, DONE, NACK, ACK, CREDIT are sends. RDMA_DATA is an RDMA write, with
 *   immediate data (its aux) if it is flagged IMMEDIATE. OnFrame with RDMA_DATA means that the data
 *   are in memory; without IMMEDIATE it takes no processor time, and happens outside MPI.
 * - OnSent is called for the local completion of a frame that is flagged SIGNALED.
 * - With RankConfig::reportsSends, OnLeft is called for the local completion of every frame.
 * - OnDisconnected is called when the transport, or the rank at the other end, gives a peer up.
 * - OnMessage is called for a message from a rank of the same node, which bypasses the network.
 * - With matching, Deliver is followed at once by the Complete of its receive.
 */
class RankCore
{
  public:
    /** A timer may expire without pending work. */
    static constexpr bool IGNORES_STALE_TIMERS = true;

    /**
     * Constructor.
     * @param config the parameters, not owned; they have to outlive the core and its copies
     * @param nPeers number of ranks
     */
    RankCore(const RankConfig* config, uint32_t nPeers);

    /** @return whether a message ends with its acknowledgement; an MPI_Isend ends when its buffer
     * is free. */
    bool ConfirmsDelivery() const
    {
        return m_config->reliability && !m_config->matching;
    }

    /**
     * MPI_Isend, or MPI_Irecv if the request is flagged RECEIVE.
     * @param request the message, or source and tag of a receive
     * @param out its actions
     * @return REFUSED for a nonexistent or lost rank, a message with ANY_TAG or a too long one;
     * STALLED beyond maxBacklog
     */
    template <class S>
    Acceptance OnRequest(const Request& request, S& out)
    {
        if (request.flags & RECEIVE)
        {
            return PostReceive(request, out);
        }
        return PostSend(request, out);
    }

    /**
     * Handle an arriving frame.
     * @param from its sender
     * @param frame the frame
     * @param out its actions
     */
    template <class S>
    void OnFrame(Peer from, const Frame& frame, S& out)
    {
        if (from >= m_slots.size() || frame.kind >= N_FRAME_KINDS)
        {
            return;
        }
        const auto kind = static_cast<FrameKind>(frame.kind);
        if (kind == FrameKind::RDMA_DATA)
        {
            TakeWrite(from, frame, out);
            return;
        }
        const uint32_t slot = Open(from);
        if (m_connections[slot].flags & LOST)
        {
            return;
        }
        if (m_config->sweepCount == SweepCount::RUNNING)
        {
            ++m_sinceSweep;
        }
        TakeAck(slot, GetAck(frame), out);
        if (IsSequenced(kind))
        {
            const bool due = ++m_connections[slot].owed > m_config->creditThreshold;
            Arrange(slot, frame, out);
            if (due)
            {
                SendAck(slot, FrameKind::CREDIT, out);
            }
        }
        Pump(slot, out);
    }

    /**
     * Handle the local completion of a frame flagged SIGNALED (C-12).
     * @param to its receiver
     * @param frame the frame
     * @param out its actions
     */
    template <class S>
    void OnSent(Peer to, const Frame& frame, S& out)
    {
        if (static_cast<FrameKind>(frame.kind) != FrameKind::FIN || m_config->reliability)
        {
            return;
        }
        const uint32_t place = FindDeparture(to, frame.aux);
        if (place == NONE)
        {
            return;
        }
        const RequestId request = m_departures[place].request.id;
        m_departures.Release(place);
        out.Complete(request, Completion::SENT);
    }

    /**
     * Handle the local completion of any frame, with RankConfig::reportsSends.
     * @param to its receiver
     * @param frame the frame
     * @param out its actions
     */
    template <class S>
    void OnLeft(Peer to, const Frame& frame, S& out)
    {
        const auto kind = static_cast<FrameKind>(frame.kind);
        if (to >= m_slots.size() || m_slots[to] == NONE || kind > FrameKind::RDMA_DATA)
        {
            return;
        }
        const uint32_t slot = m_slots[to];
        if (kind == FrameKind::RDMA_DATA)
        {
            const uint32_t place = FindDeparture(to, frame.aux);
            if (place != NONE)
            {
                m_departures[place].writing = false;
            }
        }
        else if (m_config->reliability)
        {
            StartAge(slot, GetSequence(frame));
        }
        else
        {
            PopSent(slot, static_cast<uint16_t>(GetSequence(frame) + 1), out);
            if (frame.flags & SIGNALED)
            {
                OnSent(to, frame, out);
            }
        }
    }

    /**
     * Handle the failure of the connection to a peer: the transport or the peer has given it up.
     * @param peer the peer
     * @param out its actions
     */
    template <class S>
    void OnDisconnected(Peer peer, S& out)
    {
        const uint32_t slot = Open(peer);
        if (!(m_connections[slot].flags & LOST))
        {
            LosePeer(slot, out);
        }
    }

    /**
     * Match a message that has arrived through the node's memory.
     * @param message the message
     * @param out its actions
     */
    template <class S>
    void OnMessage(const Delivery& message, S& out)
    {
        Match({.delivery = message}, out);
    }

    /**
     * Handle the end of a timer period (RankConfig::GetPeriod).
     * @param out its actions
     */
    template <class S>
    void OnTimer(TimerId /* timer */, S& out)
    {
        if (!m_armed)
        {
            return;
        }
        m_armed = false;
        ++m_period;
        Sweep(out);
        bool holds = false;
        for (uint32_t slot = 0; slot < m_connections.size(); ++slot)
        {
            if (m_config->reliability)
            {
                Retransmit(slot, out);
            }
            else
            {
                SkipOldHole(slot, out);
                holds |= m_connections[slot].held != NONE;
            }
        }
        AgeLandings(out);
        const bool awaitsAck = m_config->reliability && m_unacknowledged > 0;
        if (awaitsAck || holds || !m_owed.empty() || m_waiting > 0)
        {
            ArmTimer(out);
        }
    }

    /**
     * End a progress call: after more than sweepMessages, send all owed ACKs.
     * @param out its actions
     */
    template <class S>
    void OnProgressEnd(S& out)
    {
        uint32_t count = m_sinceSweep;
        if (m_config->sweepCount == SweepCount::CALL)
        {
            m_sinceSweep += m_inCall;
            count = m_inCall;
        }
        m_inCall = 0;
        if (count > m_config->sweepMessages)
        {
            Sweep(out);
        }
    }

    /**
     * Handle pollsPerCheck empty polls of a waiting call: send all owed ACKs if more than
     * sweepPolled messages have arrived since the last sweep.
     * @param out its actions
     */
    template <class S>
    void OnIdlePolls(S& out)
    {
        if (m_sinceSweep > m_config->sweepPolled)
        {
            Sweep(out);
        }
    }

    /**
     * Continue sending, since the port accepts frames again, and send the explicit ACKs that it
     * refused.
     * @param out its actions
     */
    template <class S>
    void OnReady(S& out)
    {
        for (uint32_t slot = 0; slot < m_connections.size(); ++slot)
        {
            Pump(slot, out);
            if (m_connections[slot].owed > m_config->creditThreshold)
            {
                SendAck(slot, FrameKind::CREDIT, out);
            }
        }
    }

    /**
     * Never called, since the core requests no work.
     */
    template <class S>
    void OnDone(WorkId /* work */, S& /* out */)
    {
    }

    /** @return the longest message [bytes]. */
    uint32_t GetLargestMessage() const
    {
        if (m_config->traits.rdma && !m_config->matching)
        {
            return LONGEST_WRITE;
        }
        return std::numeric_limits<uint32_t>::max();
    }

    /** @return false if OnRequest would return STALLED. */
    bool CanAccept() const
    {
        return m_config->maxBacklog == 0 || m_backlog < m_config->maxBacklog;
    }

    /** @return true if OnIdlePolls would send ACKs. */
    bool WantsIdlePolls() const
    {
        return m_sinceSweep > m_config->sweepPolled && !m_owed.empty();
    }

    /** Prefetch the members that every call uses. */
    void Expect() const
    {
        constexpr std::size_t LINE = 64;
        const auto* begin = reinterpret_cast<const char*>(this);
        const auto* end = reinterpret_cast<const char*>(&m_posted);
        for (const char* line = begin; line < end; line += LINE)
        {
            __builtin_prefetch(line, 1);
        }
    }

    /** Prefetch the number of the connection of a peer. @param peer the peer */
    void ExpectPeer(Peer peer) const
    {
        __builtin_prefetch(m_slots.data() + peer);
    }

    /** Prefetch the connection of a peer, after ExpectPeer. @param peer the peer */
    void ExpectConnection(Peer peer) const
    {
        if (const uint32_t slot = FindSlot(peer); slot != NONE)
        {
            __builtin_prefetch(&m_connections[slot], 1);
        }
    }

    /**
     * Prefetch what an acknowledgement by a peer needs, after ExpectConnection.
     * @param peer the peer
     */
    void ExpectAcknowledged(Peer peer) const
    {
        const uint32_t slot = FindSlot(peer);
        if (slot != NONE && m_connections[slot].unackedHead != NONE)
        {
            __builtin_prefetch(&m_entries[m_connections[slot].unackedHead], 1);
        }
    }

    /** Prefetch an entry for the next frame. */
    void ExpectEntry() const
    {
        if (m_freeEntry != NONE)
        {
            __builtin_prefetch(&m_entries[m_freeEntry], 1);
        }
    }

    /** @return the guessed destination of the message after the next one, or NO_PEER. */
    Peer GetLaterPeer() const
    {
        return m_laterPeer;
    }

    /** @return the counters. */
    const RankCounters& GetCounters() const
    {
        return m_counters;
    }

    /** @return number of peers with which frames were exchanged. */
    uint32_t GetNConnections() const
    {
        return static_cast<uint32_t>(m_connections.size());
    }

    /** @return messages that wait for credits, for the window or for the port. */
    uint32_t GetBacklog() const
    {
        return m_backlog;
    }

    /** @return segments in the unacknowledged queue. */
    uint32_t GetNUnacknowledged() const
    {
        return m_unacknowledged;
    }

    /** @return messages without a receive. */
    uint32_t GetNUnexpected() const
    {
        return m_unexpected.GetSize();
    }

    /** @return memory in use, this object included [bytes]. */
    uint64_t GetMemory() const;

    /**
     * Encode the state; equal states behave equally.
     * @param encoder collects the state
     */
    void Encode(messaging::Encoder& encoder) const;

    /**
     * Change the origin of the sequence numbers of one peer, for exhaustive searches. The behaviour
     * is unchanged if the peer's numbers and the frames in flight change in the same way.
     * @param peer the peer
     * @param sent subtracted from the numbers of frames to it
     * @param received subtracted from the numbers of frames from it
     */
    void Renumber(Peer peer, uint16_t sent, uint16_t received);

    /** @return number of the next frame from a peer. @param peer the peer */
    uint16_t GetExpected(Peer peer) const;

    /** @return frames that a peer has acknowledged. @param peer the peer */
    uint16_t GetAcknowledged(Peer peer) const;

    /** @return whether a peer was declared lost. @param peer the peer */
    bool IsLost(Peer peer) const;

    /** @return whether there is a connection with a peer that is not lost. @param peer the peer */
    bool IsConnected(Peer peer) const;

  private:
    // Requests, credits and window, acknowledgements and retransmission.

    /** Post a send. @param request the message @param out its actions @return the answer */
    template <class S>
    Acceptance PostSend(const Request& request, S& out)
    {
        if (request.to >= m_slots.size() || (m_config->matching && request.tag == ANY_TAG) ||
            request.bytes > GetLargestMessage())
        {
            return Acceptance::REFUSED;
        }
        if (!CanAccept())
        {
            return Acceptance::STALLED;
        }
        const uint32_t slot = Open(request.to);
        if (m_connections[slot].flags & LOST)
        {
            if (!m_config->reportsSends)
            {
                return Acceptance::REFUSED;
            }
            out.Complete(request.id, Completion::FAILED);
            return Acceptance::ACCEPTED;
        }
        NoteOrder(slot);
        ++m_counters.sent;
        const bool isEager = request.bytes < m_config->eagerLimit;
        if (isEager)
        {
            QueueEager(slot, request);
        }
        else
        {
            QueueRts(slot, request);
        }
        Pump(slot, out);
        const Connection& connection = m_connections[slot];
        if (connection.backlogHead != NONE && !HasCredit(connection))
        {
            Note(Event::OUT_OF_CREDITS, out);
        }
        if (connection.backlog > m_config->backlogThreshold &&
            connection.receiveNext != connection.receiveAcked)
        {
            SendAck(slot, FrameKind::CREDIT, out);
        }
        if (isEager && (m_config->matching || m_config->reliability))
        {
            // The message was copied to a buffer of the library.
            out.Complete(request.id, Completion::SENT);
        }
        return Acceptance::ACCEPTED;
    }

    /**
     * Note the order of the messages, and guess a later one, which can be prefetched: programs
     * repeat themselves, so each destination probably follows the same one as before.
     * @param slot connection of the message
     */
    void NoteOrder(uint32_t slot)
    {
        if (m_lastSlot != NONE)
        {
            m_connections[m_lastSlot].after = m_connections[slot].peer;
        }
        m_lastSlot = slot;
        m_laterPeer = NO_PEER;
        if (const Peer next = m_connections[slot].after; next != NO_PEER)
        {
            m_laterPeer = m_connections[m_slots[next]].after;
        }
    }

    /** Queue a small message. @param slot the connection @param request the message */
    void QueueEager(uint32_t slot, const Request& request);

    /** Queue the RTS of a large message. @param slot the connection @param request the message */
    void QueueRts(uint32_t slot, const Request& request);

    /** Post a receive. @param request the receive @param out its actions @return the answer */
    template <class S>
    Acceptance PostReceive(const Request& request, S& out)
    {
        if (!m_config->matching || (request.to != ANY_SOURCE && request.to >= m_slots.size()))
        {
            return Acceptance::REFUSED;
        }
        Envelope envelope;
        if (m_unexpected.Take(request.to, request.tag, envelope))
        {
            CompleteReceive(envelope, request.id, out);
        }
        else
        {
            m_posted.Add({.delivery = {.id = request.id, .from = request.to, .tag = request.tag}});
        }
        return Acceptance::ACCEPTED;
    }

    /**
     * Append a frame to a backlog.
     * @param slot the connection
     * @param kind its kind
     * @param frame its other fields, except its source and FIRST
     * @return its entry, valid until the next one
     */
    QueueEntry& Queue(uint32_t slot, FrameKind kind, const Frame& frame);

    /**
     * Send from the backlog, as far as credits, window and port permit.
     * @param slot the connection
     * @param out its actions
     */
    template <class S>
    void Pump(uint32_t slot, S& out)
    {
        while (m_connections[slot].backlogHead != NONE)
        {
            const uint32_t place = m_connections[slot].backlogHead;
            if (static_cast<FrameKind>(m_entries[place].frame.kind) == FrameKind::RDMA_DATA)
            {
                if (!out.Send(m_connections[slot].peer, m_entries[place].frame))
                {
                    return;
                }
                Release(PopBacklog(slot));
            }
            else if (!HasCredit(m_connections[slot]) || !SendSegment(slot, out))
            {
                return;
            }
        }
    }

    /**
     * Send the next segment of the oldest entry of the backlog.
     * @param slot the connection
     * @param out its actions
     * @return false if the port is busy
     */
    template <class S>
    bool SendSegment(uint32_t slot, S& out)
    {
        Connection& connection = m_connections[slot];
        const uint32_t place = connection.backlogHead;
        Frame frame = m_entries[place].frame;
        frame.id = GetHeader(connection, connection.sendNext);
        if (m_config->traits.mtu != 0)
        {
            frame.payload = std::min(frame.payload, m_config->traits.mtu - frame.header);
        }
        const uint32_t left = m_entries[place].frame.payload - frame.payload;
        if (left == 0)
        {
            frame.flags |= LAST;
        }
        if (!out.Send(connection.peer, frame))
        {
            return false;
        }
        ++connection.sendNext;
        connection.receiveAcked = connection.receiveNext;
        if (frame.flags & FIRST && left == 0)
        {
            connection.owed = 0;
        }
        const Report report = m_entries[place].report;
        const RequestId request = m_entries[place].request;
        if (left == 0)
        {
            PopBacklog(slot);
        }
        else
        {
            CutFirstSegment(m_entries[place].frame, left);
        }
        if (m_config->reliability)
        {
            KeepSegment(slot, place, frame, left);
            ArmTimer(out);
        }
        else if (left == 0 && m_config->reportsSends && report != Report::NOTHING)
        {
            // OnLeft reports its completion.
            m_entries[place].frame = frame;
            AppendUnacked(slot, place);
            return true;
        }
        else if (left == 0)
        {
            Release(place);
        }
        if (left == 0 && report == Report::LEFT)
        {
            out.Complete(request, Completion::SENT);
        }
        if (frame.flags & SIGNALED && !m_config->localCompletions)
        {
            OnSent(m_connections[slot].peer, frame, out);
        }
        return true;
    }

    /**
     * Remove the first segment from an entry of the backlog.
     * @param rest the entry's frame
     * @param left remaining length [bytes]
     */
    static void CutFirstSegment(Frame& rest, uint32_t left);

    /**
     * Keep a segment until it is acknowledged.
     * @param slot the connection
     * @param place its entry, which is removed from the backlog with its last segment
     * @param segment the segment
     * @param left remaining length of its message [bytes]
     */
    void KeepSegment(uint32_t slot, uint32_t place, const Frame& segment, uint32_t left);

    /**
     * Send an explicit ACK.
     * @param slot the connection
     * @param kind ACK or CREDIT
     * @param out its actions
     * @return false if the port is busy
     */
    template <class S>
    bool SendAck(uint32_t slot, FrameKind kind, S& out)
    {
        Connection& connection = m_connections[slot];
        const Frame frame{.id = GetHeader(connection, 0),
                          .header = SEGMENT_HEADER,
                          .kind = static_cast<uint8_t>(kind)};
        if (!out.Send(connection.peer, frame))
        {
            return false;
        }
        connection.receiveAcked = connection.receiveNext;
        connection.owed = 0;
        if (kind == FrameKind::ACK)
        {
            Note(Event::RELIABILITY_ACK, out);
        }
        else
        {
            Note(Event::FLOW_ACK, out);
        }
        return true;
    }

    /** Send all owed ACKs. @param out its actions */
    template <class S>
    void Sweep(S& out)
    {
        m_sinceSweep = 0;
        std::size_t kept = 0;
        for (const uint32_t slot : m_owed)
        {
            Connection& connection = m_connections[slot];
            if (connection.receiveNext != connection.receiveAcked &&
                !SendAck(slot, FrameKind::ACK, out))
            {
                m_owed[kept++] = slot;
                continue;
            }
            connection.flags &= static_cast<uint8_t>(~LISTED);
        }
        m_owed.resize(kept);
    }

    /**
     * Handle the acknowledgement in a frame.
     * @param slot the connection
     * @param ack frames that its sender has taken
     * @param out its actions
     */
    template <class S>
    void TakeAck(uint32_t slot, uint16_t ack, S& out)
    {
        Connection& connection = m_connections[slot];
        const auto news = static_cast<uint16_t>(ack - connection.sendAcked);
        const auto inFlight = static_cast<uint16_t>(connection.sendNext - connection.sendAcked);
        if (news == 0 || news > inFlight)
        {
            return;
        }
        connection.sendAcked = ack;
        PopSent(slot, ack, out);
    }

    /**
     * Remove segments from the unacknowledged queue, and report their messages.
     * @param slot the connection
     * @param end number after that of the last one
     * @param out its actions
     */
    template <class S>
    void PopSent(uint32_t slot, uint16_t end, S& out)
    {
        // A completion may post the next request, which modifies all pools.
        for (uint32_t place = m_connections[slot].unackedHead; place != NONE;
             place = m_connections[slot].unackedHead)
        {
            if (GetLead(GetSequence(m_entries[place].frame), end) >= 0)
            {
                break;
            }
            PopUnacked(slot);
            const QueueEntry entry = m_entries[place];
            Release(place);
            if (entry.report == Report::ACKED)
            {
                out.Complete(entry.request, Completion::DELIVERED);
            }
            else if (entry.report == Report::LEFT && !m_config->reliability)
            {
                out.Complete(entry.request, Completion::SENT);
            }
        }
    }

    /**
     * Retransmit the segments older than the timeout.
     * @param slot the connection
     * @param out its actions
     */
    template <class S>
    void Retransmit(uint32_t slot, S& out)
    {
        for (uint32_t place = m_connections[slot].unackedHead; place != NONE;
             place = m_entries[place].next)
        {
            QueueEntry& entry = m_entries[place];
            if (!entry.left || !IsOld(entry.stamp))
            {
                continue;
            }
            if (m_config->maxRetries != 0 && entry.retries == m_config->maxRetries)
            {
                LosePeer(slot, out);
                return;
            }
            Connection& connection = m_connections[slot];
            Frame frame = entry.frame;
            frame.id = GetHeader(connection, GetSequence(frame));
            frame.flags = static_cast<uint8_t>((frame.flags & ~SIGNALED) | RESENT);
            if (!out.Send(connection.peer, frame))
            {
                return;
            }
            connection.receiveAcked = connection.receiveNext;
            entry.stamp = m_period;
            entry.left = !m_config->reportsSends;
            if (m_config->maxRetries != 0)
            {
                ++entry.retries;
            }
            Note(Event::RETRANSMITTED, out);
        }
    }

    /**
     * Declare a peer lost, and fail all requests that need it.
     * @param slot the connection
     * @param out its actions
     */
    template <class S>
    void LosePeer(uint32_t slot, S& out)
    {
        m_connections[slot].flags |= LOST;
        Note(Event::PEER_LOST, out);
        // A completion may post the next request, so all state of the peer is released before.
        std::vector<RequestId> failed;
        ReleaseQueues(slot, failed);
        ReleaseLargeMessages(m_connections[slot].peer, failed);
        for (const RequestId request : failed)
        {
            out.Complete(request, Completion::FAILED);
        }
    }

    /**
     * Release the queues of a lost peer.
     * @param slot the connection
     * @param failed collects the requests that fail
     */
    void ReleaseQueues(uint32_t slot, std::vector<RequestId>& failed);

    /**
     * Release the large messages to and from a lost peer.
     * @param peer the peer
     * @param failed collects the requests that fail
     */
    void ReleaseLargeMessages(Peer peer, std::vector<RequestId>& failed);

    /** Arm the timer if it is not armed. @param out its actions */
    template <class S>
    void ArmTimer(S& out)
    {
        if (!m_armed)
        {
            m_armed = true;
            out.Arm(0, m_config->GetPeriod());
        }
    }

    /** Count an event. @param event the event @param out its actions */
    template <class S>
    void Note(Event event, S& out)
    {
        ++m_counters.events[static_cast<std::size_t>(event)];
        out.Note(static_cast<messaging::Reason>(event));
    }

    // Arriving frames, their order, and matching.

    /**
     * Order a frame with a sequence number.
     * @param slot the connection
     * @param frame the frame
     * @param out its actions
     */
    template <class S>
    void Arrange(uint32_t slot, const Frame& frame, S& out)
    {
        const uint16_t sequence = GetSequence(frame);
        const int16_t ahead = GetLead(sequence, m_connections[slot].receiveNext);
        if (ahead == 0)
        {
            Take(slot, frame, out);
            Drain(slot, out);
        }
        else if (ahead > 0 && !m_config->Reorders())
        {
            SkipTo(slot, sequence, out);
            Take(slot, frame, out);
        }
        else if (ahead > 0 && static_cast<uint32_t>(ahead) >= m_config->reorderWindow)
        {
            Note(Event::OVERRUN, out);
        }
        else if (ahead < 0 || !Hold(slot, frame, out))
        {
            Note(Event::DUPLICATE, out);
            if (m_config->reliability)
            {
                SendAck(slot, FrameKind::ACK, out);
            }
        }
    }

    /**
     * Hold a frame that arrived early.
     * @param slot the connection
     * @param frame the frame
     * @param out its actions
     * @return false if it is held already
     */
    template <class S>
    bool Hold(uint32_t slot, const Frame& frame, S& out)
    {
        const uint16_t sequence = GetSequence(frame);
        uint32_t before = NONE;
        uint32_t after = m_connections[slot].held;
        while (after != NONE && GetLead(sequence, GetSequence(m_entries[after].frame)) > 0)
        {
            before = after;
            after = m_entries[after].next;
        }
        if (after != NONE && GetSequence(m_entries[after].frame) == sequence)
        {
            return false;
        }
        const uint32_t place = Allocate();
        m_entries[place].frame = frame;
        m_entries[place].stamp = m_period;
        m_entries[place].next = after;
        if (before == NONE)
        {
            m_connections[slot].held = place;
        }
        else
        {
            m_entries[before].next = place;
        }
        Note(Event::HELD, out);
        if (!m_config->reliability)
        {
            ArmTimer(out);
        }
        return true;
    }

    /**
     * Take held frames that are now next in order.
     * @param slot the connection
     * @param out its actions
     */
    template <class S>
    void Drain(uint32_t slot, S& out)
    {
        for (uint32_t place = m_connections[slot].held;
             place != NONE &&
             GetSequence(m_entries[place].frame) == m_connections[slot].receiveNext;
             place = m_connections[slot].held)
        {
            const Frame frame = m_entries[place].frame;
            m_connections[slot].held = m_entries[place].next;
            Release(place);
            Take(slot, frame, out);
        }
    }

    /**
     * Give up the frames missing before held ones that have waited for the timeout.
     * @param slot the connection
     * @param out its actions
     */
    template <class S>
    void SkipOldHole(uint32_t slot, S& out)
    {
        const uint32_t held = m_connections[slot].held;
        if (held != NONE && IsOld(m_entries[held].stamp))
        {
            SkipTo(slot, GetSequence(m_entries[held].frame), out);
            Drain(slot, out);
        }
    }

    /**
     * Give up the frames missing before a frame.
     * @param slot the connection
     * @param sequence the frame's number
     * @param out its actions
     */
    template <class S>
    void SkipTo(uint32_t slot, uint16_t sequence, S& out)
    {
        Connection& connection = m_connections[slot];
        connection.receiveNext = sequence;
        Note(Event::HOLE, out);
        if (connection.flags & ASSEMBLING)
        {
            connection.flags &= static_cast<uint8_t>(~ASSEMBLING);
            Note(Event::BROKEN, out);
        }
    }

    /**
     * Take the next frame.
     * @param slot the connection
     * @param frame the frame
     * @param out its actions
     */
    template <class S>
    void Take(uint32_t slot, const Frame& frame, S& out)
    {
        Connection& connection = m_connections[slot];
        ++connection.receiveNext;
        if (m_config->reliability && !(connection.flags & LISTED))
        {
            connection.flags |= LISTED;
            m_owed.push_back(slot);
        }
        if (m_config->reliability)
        {
            ArmTimer(out);
        }
        if (frame.flags & LAST)
        {
            ++m_inCall;
        }
        switch (static_cast<FrameKind>(frame.kind))
        {
        case FrameKind::EAGER:
            TakeEager(slot, frame, out);
            break;
        case FrameKind::RTS:
            NoteLength(GetLowWord(frame.contents));
            Match({.delivery = {.id = connection.delivered++,
                                .from = connection.peer,
                                .bytes = GetLowWord(frame.contents),
                                .tag = frame.aux},
                   .departure = GetHighWord(frame.contents)},
                  out);
            break;
        case FrameKind::CTS:
            TakeCts(slot, frame, out);
            break;
        case FrameKind::DATA:
            TakeData(slot, frame, out);
            break;
        case FrameKind::FIN:
            TakeFin(slot, frame, out);
            break;
        case FrameKind::DONE:
        case FrameKind::NACK:
            TakeAnswer(slot, frame, out);
            break;
        case FrameKind::RDMA_DATA:
        case FrameKind::ACK:
        case FrameKind::CREDIT:
            break;
        }
    }

    /**
     * Handle a segment of an eager message.
     * @param slot the connection
     * @param frame the frame
     * @param out its actions
     */
    template <class S>
    void TakeEager(uint32_t slot, const Frame& frame, S& out)
    {
        Connection& connection = m_connections[slot];
        if (frame.flags & FIRST)
        {
            connection.flags |= ASSEMBLING;
            connection.contents = frame.contents;
            connection.bytes = 0;
            connection.tag = frame.aux;
        }
        else if (!(connection.flags & ASSEMBLING))
        {
            return;
        }
        else if (connection.contents != frame.contents)
        {
            // A damaged segment damages the message.
            connection.contents += frame.contents | 1;
        }
        connection.bytes += frame.payload;
        if (frame.flags & LAST)
        {
            connection.flags &= static_cast<uint8_t>(~ASSEMBLING);
            Match({.delivery = {.id = connection.delivered++,
                                .contents = connection.contents,
                                .from = connection.peer,
                                .bytes = connection.bytes,
                                .tag = connection.tag}},
                  out);
        }
    }

    /** Find the receive for a message. @param envelope the message @param out its actions */
    template <class S>
    void Match(const Envelope& envelope, S& out)
    {
        Envelope receive;
        if (!m_config->matching)
        {
            CompleteReceive(envelope, 0, out);
        }
        else if (m_posted.Take(envelope.delivery.from, envelope.delivery.tag, receive))
        {
            CompleteReceive(envelope, receive.delivery.id, out);
        }
        else
        {
            m_unexpected.Add(envelope);
            Note(Event::UNEXPECTED, out);
        }
    }

    /**
     * Complete a receive with its message.
     * @param envelope the message
     * @param receive the receive
     * @param out its actions
     */
    template <class S>
    void CompleteReceive(const Envelope& envelope, RequestId receive, S& out)
    {
        if (envelope.departure != NONE)
        {
            SendCts(envelope, receive, out);
            return;
        }
        ++m_counters.received;
        out.Deliver(envelope.delivery);
        if (m_config->matching)
        {
            out.Complete(receive, Completion::DELIVERED);
        }
    }

    // Large messages (section 6.3).

    /**
     * Answer an RTS with a CTS.
     * @param envelope the message
     * @param receive its receive
     * @param out its actions
     */
    template <class S>
    void SendCts(const Envelope& envelope, RequestId receive, S& out)
    {
        const uint32_t place = m_landings.Allocate();
        Landing& landing = m_landings[place];
        landing.delivery = envelope.delivery;
        landing.request = receive;
        landing.departure = envelope.departure;
        const uint32_t slot = Open(envelope.delivery.from);
        Queue(slot,
              FrameKind::CTS,
              {.contents = JoinWords(envelope.departure, m_landings.GetNumber(place)),
               .header = CTS_HEADER});
        Pump(slot, out);
    }

    /** Handle a CTS. @param slot the connection @param frame the frame @param out its actions */
    template <class S>
    void TakeCts(uint32_t slot, const Frame& frame, S& out)
    {
        const uint32_t place =
            m_departures.Find(GetLowWord(frame.contents), m_connections[slot].peer);
        if (place == NONE || m_departures[place].landing != NONE)
        {
            Note(Event::LATE_CONTROL, out);
            return;
        }
        Departure& departure = m_departures[place];
        departure.landing = GetHighWord(frame.contents);
        if (m_config->traits.rdma)
        {
            QueueWrite(departure);
            QueueFin(slot, departure);
        }
        else
        {
            QueueData(slot, departure.request, departure.landing);
            m_departures.Release(place);
        }
        Pump(slot, out);
    }

    /**
     * Handle a segment of a large message.
     * @param slot the connection
     * @param frame the frame
     * @param out its actions
     */
    template <class S>
    void TakeData(uint32_t slot, const Frame& frame, S& out)
    {
        const uint32_t place = m_landings.Find(frame.aux, m_connections[slot].peer);
        if (place == NONE)
        {
            Note(Event::LATE_CONTROL, out);
            return;
        }
        Landing& landing = m_landings[place];
        if (frame.flags & FIRST)
        {
            landing.contents = frame.contents;
        }
        else if (landing.contents != frame.contents)
        {
            landing.contents += frame.contents | 1;
        }
        landing.bytes += frame.payload;
        if (frame.flags & LAST)
        {
            DeliverLarge(place, out);
        }
    }

    /** Handle a FIN. @param slot the connection @param frame the frame @param out its actions */
    template <class S>
    void TakeFin(uint32_t slot, const Frame& frame, S& out)
    {
        const uint32_t place = m_landings.Find(frame.aux, m_connections[slot].peer);
        if (place == NONE || m_landings[place].finished)
        {
            Note(Event::LATE_CONTROL, out);
            return;
        }
        Landing& landing = m_landings[place];
        landing.finished = true;
        if (landing.written || !m_config->Reorders())
        {
            DeliverLarge(place, out);
            return;
        }
        Note(Event::EARLY_FIN, out);
        landing.stamp = m_period;
        ++m_waiting;
        ArmTimer(out);
    }

    /**
     * Handle DONE or NACK.
     * @param slot the connection
     * @param frame the frame
     * @param out its actions
     */
    template <class S>
    void TakeAnswer(uint32_t slot, const Frame& frame, S& out)
    {
        const uint32_t place = m_departures.Find(frame.aux, m_connections[slot].peer);
        if (place == NONE || m_departures[place].landing == NONE)
        {
            Note(Event::LATE_CONTROL, out);
            return;
        }
        if (static_cast<FrameKind>(frame.kind) == FrameKind::NACK)
        {
            WriteAgain(slot, place, out);
            return;
        }
        const RequestId request = m_departures[place].request.id;
        m_departures.Release(place);
        out.Complete(request, Completion::DELIVERED);
    }

    /**
     * Write a message again, or give its receiver up after maxRetries.
     * @param slot the connection
     * @param place its departure
     * @param out its actions
     */
    template <class S>
    void WriteAgain(uint32_t slot, uint32_t place, S& out)
    {
        Departure& departure = m_departures[place];
        if (departure.writing || IsQueued(slot, FrameKind::RDMA_DATA, departure.landing))
        {
            return;
        }
        if (m_config->maxRetries != 0 && departure.rewrites == m_config->maxRetries)
        {
            LosePeer(slot, out);
            return;
        }
        if (m_config->maxRetries != 0)
        {
            ++departure.rewrites;
        }
        QueueWrite(departure);
        Note(Event::DATA_RESENT, out);
    }

    /**
     * Handle an RDMA write.
     * @param from its sender
     * @param frame the frame
     * @param out its actions
     */
    template <class S>
    void TakeWrite(Peer from, const Frame& frame, S& out)
    {
        const uint32_t place = m_landings.Find(frame.aux, from);
        if (place == NONE)
        {
            Note(Event::LATE_WRITE, out);
            return;
        }
        Landing& landing = m_landings[place];
        landing.contents = frame.contents;
        landing.bytes = frame.payload;
        landing.written = true;
        if (landing.finished)
        {
            --m_waiting;
            DeliverLarge(place, out);
        }
    }

    /** Deliver a complete large message. @param place its landing @param out its actions */
    template <class S>
    void DeliverLarge(uint32_t place, S& out)
    {
        const Landing landing = m_landings[place];
        const uint32_t slot = Open(landing.delivery.from);
        if (m_config->reliability && m_config->traits.rdma)
        {
            Queue(slot, FrameKind::DONE, {.aux = landing.departure, .header = FIN_HEADER});
            Note(Event::RELIABILITY_ACK, out);
        }
        if (m_config->traits.rdma && !landing.written)
        {
            Note(Event::UNWRITTEN, out);
        }
        m_landings.Release(place);
        ++m_counters.received;
        Delivery delivery = landing.delivery;
        delivery.contents = landing.contents;
        delivery.bytes = landing.bytes;
        out.Deliver(delivery);
        if (m_config->matching)
        {
            out.Complete(landing.request, Completion::DELIVERED);
        }
        Pump(slot, out);
    }

    /** Handle landings that wait for data after FIN. @param out its actions */
    template <class S>
    void AgeLandings(S& out)
    {
        for (uint32_t place = 0; m_waiting > 0 && place < m_landings.GetSize(); ++place)
        {
            Landing& landing = m_landings[place];
            if (!landing.used || !landing.finished || !IsOld(landing.stamp))
            {
                continue;
            }
            if (!m_config->reliability)
            {
                Note(Event::HOLE, out);
                --m_waiting;
                DeliverLarge(place, out);
                continue;
            }
            const uint32_t slot = Open(landing.delivery.from);
            if (IsQueued(slot, FrameKind::NACK, landing.departure))
            {
                continue;
            }
            landing.stamp = m_period;
            Queue(slot, FrameKind::NACK, {.aux = landing.departure, .header = FIN_HEADER});
            Note(Event::DATA_NACK, out);
            Pump(slot, out);
        }
    }

    /** Queue the RDMA write of a message. @param departure the message */
    void QueueWrite(Departure& departure);

    /** Queue the FIN of a message. @param slot the connection @param departure the message */
    void QueueFin(uint32_t slot, const Departure& departure);

    /**
     * Queue the segments of a large message, without RDMA.
     * @param slot the connection
     * @param request the message
     * @param landing number of the receiver's entry
     */
    void QueueData(uint32_t slot, const Request& request, uint32_t landing);

    /**
     * Find a large message.
     * @param peer its receiver
     * @param landing number of the receiver's entry
     * @return its departure, or NONE
     */
    uint32_t FindDeparture(Peer peer, uint32_t landing) const;

    /**
     * Note the length of a large message: writes as long may be ahead of a frame and of its
     * acknowledgement (RankConfig::patience).
     * @param bytes the length [bytes]
     */
    void NoteLength(uint32_t bytes)
    {
        const auto ticks = static_cast<Ticks>(m_config->patience * bytes);
        const auto periods = static_cast<uint32_t>(ticks / m_config->GetPeriod());
        m_patience = std::max(m_patience, periods);
    }

    /**
     * A segment has left: its timeout begins.
     * @param slot the connection
     * @param sequence its number
     */
    void StartAge(uint32_t slot, uint16_t sequence);

    // Queues and pools.

    /** @return the connection of a peer, or NONE. @param peer the peer, which need not exist */
    uint32_t FindSlot(Peer peer) const
    {
        return peer < m_slots.size() ? m_slots[peer] : NONE;
    }

    /** @return the connection of a peer, created if there is none. @param peer the peer */
    uint32_t Open(Peer peer);

    /** @return a new entry. */
    uint32_t Allocate();

    /** Free an entry. @param place its index */
    void Release(uint32_t place);

    /** Remove the oldest entry of a backlog. @param slot the connection @return the entry */
    uint32_t PopBacklog(uint32_t slot);

    /**
     * Append an entry to the unacknowledged queue.
     * @param slot the connection
     * @param place index of the entry
     */
    void AppendUnacked(uint32_t slot, uint32_t place);

    /**
     * Remove the oldest entry of the unacknowledged queue.
     * @param slot the connection
     * @return the entry
     */
    uint32_t PopUnacked(uint32_t slot);

    /**
     * Find a frame in the backlog or the unacknowledged queue.
     * @param slot the connection
     * @param kind its kind
     * @param number its aux
     * @return true if there is one
     */
    bool IsQueued(uint32_t slot, FrameKind kind, uint32_t number) const;

    /** @return true if a stamp is older than the timeout. @param stamp a period */
    bool IsOld(uint32_t stamp) const
    {
        return m_period - stamp > m_config->periods + m_patience;
    }

    /**
     * Get the common part of all headers.
     * @param connection connection of the frame
     * @param sequence its sequence number
     * @return sequence number and acknowledgement
     */
    static uint64_t GetHeader(const Connection& connection, uint16_t sequence)
    {
        return MakeFrameId(sequence, connection.receiveNext);
    }

    /** @return true if a frame may be sent to a peer. @param connection connection of the peer */
    bool HasCredit(const Connection& connection) const
    {
        return static_cast<uint16_t>(connection.sendNext - connection.sendAcked) <
               m_config->GetLimit();
    }

    // Members used by every message come first: with hundreds of ranks none of them is cached.
    const RankConfig* m_config;            ///< The parameters, not owned.
    std::vector<uint32_t> m_slots;         ///< Connection of each peer, or NONE.
    std::vector<Connection> m_connections; ///< Connections in the order of their first frame.
    uint32_t m_freeEntry{NONE};            ///< First free entry.
    uint32_t m_lastSlot{NONE};             ///< Connection of the last message, for guesses.
    std::vector<QueueEntry> m_entries;     ///< Pool of all queues.
    std::vector<uint32_t> m_owed;          ///< Connections that may be owed an ACK.
    uint32_t m_period{0};                  ///< Current period, the coarse time stamp.
    uint32_t m_backlog{0};                 ///< Entries in all backlogs.
    uint32_t m_unacknowledged{0};          ///< Entries in all unacknowledged queues.
    uint32_t m_waiting{0};                 ///< Landings that wait for data after FIN.
    uint32_t m_inCall{0};                  ///< Messages in this progress call.
    uint32_t m_sinceSweep{0};              ///< Frames or messages since the last ACK sweep.
    bool m_armed{false};                   ///< The timer is armed.
    Peer m_laterPeer{NO_PEER};             ///< Guessed destination of the message after the next.
    RankCounters m_counters;               ///< Counters.
    MatchQueue m_posted;                   ///< Receives without a message.
    MatchQueue m_unexpected;               ///< Messages without a receive.
    NumberedPool<Departure> m_departures;  ///< Pool of large messages to be sent.
    NumberedPool<Landing> m_landings;      ///< Pool of large messages to be received.
    uint32_t m_patience{0}; ///< Part of the timeout because of large messages [periods].
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_CORE_H
