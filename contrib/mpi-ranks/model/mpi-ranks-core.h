/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_CORE_H
#define MPI_RANKS_CORE_H

#include "mpi-ranks-config.h"
#include "mpi-ranks-core-state.h"
#include "mpi-ranks-matching.h"

#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * Point-to-point MPI of one rank, with reliability in software or without (paper 4, section 6).
 */

namespace ns3
{
namespace ranks
{

/**
 * @ingroup mpi-ranks
 * One rank's protocol with all its peers.
 *
 * One code path for {RC, UC, UD} x {Native, Reliable} (C-15, C-17): what differs is asked of
 * RankConfig::traits and RankConfig::reliability.
 *
 * Every frame but RDMA_DATA and explicit ACKs has a sequence number of 16 bits and uses one of the
 * peer's credits; every frame but RDMA_DATA tells how many such frames its sender has taken from
 * the peer. That one number returns credits in all modes, and acknowledges segments where there is
 * reliability (C-10, C-11). It is a total and no increment, so losing it costs nothing.
 *
 * How RankGroup runs it:
 * - OnFrame with whatever a receive has completed with, OnTimer when the one timer is due, both
 * only while the rank is inside an MPI call (C-07); OnProgressEnd at the end of each progress call,
 *   OnIdlePolls after every RankConfig::pollsPerCheck empty polls of a call that waits.
 * - EAGER, RTS, CTS, DATA, FIN, DONE, NACK, ACK, CREDIT are sends. RDMA_DATA is an RDMA write,
 *   with immediate data (its aux) if it is flagged IMMEDIATE. OnFrame with RDMA_DATA says that the
 *   data lie in memory: without IMMEDIATE that costs no processor time, and happens outside MPI.
 * - OnSent for the local completion of a frame that is flagged SIGNALED.
 * - OnMessage for a message from a rank of the same node, which did not use the network.
 * - With matching, Deliver is followed at once by the Complete of the receive that it is for.
 */
class RankCore
{
  public:
    /** The timer may fire although nothing waits for it. */
    static constexpr bool BEARS_STALE_TIMERS = true;

    /**
     * Constructor.
     * @param config the constants, not owned, for as long as the core or a copy lives
     * @param self this rank
     * @param nPeers number of ranks
     */
    RankCore(const RankConfig* config, Peer self, uint32_t nPeers);

    /**
     * MPI_Isend, or MPI_Irecv if the request is flagged RECEIVE.
     * @param request the message, or the receive: source, tag, and nothing else
     * @param out what to do
     * @return REFUSED for a rank that does not exist or is lost, and for a message with ANY_TAG;
     * STALLED beyond maxBacklog
     */
    template <class S>
    Acceptance OnRequest(const Request& request, S& out);

    /**
     * A frame has arrived.
     * @param from its sender
     * @param frame the frame
     * @param out what to do
     */
    template <class S>
    void OnFrame(Peer from, const Frame& frame, S& out);

    /**
     * A frame that was flagged SIGNALED has completed locally (C-12).
     * @param frame the frame
     * @param out what to do
     */
    template <class S>
    void OnSent(const Frame& frame, S& out);

    /**
     * A message has arrived by another way than the network, to be matched like any other.
     * @param message the message
     * @param out what to do
     */
    template <class S>
    void OnMessage(const Delivery& message, S& out);

    /**
     * Half a timeout has passed (RankConfig::GetPeriod).
     * @param timer the one timer
     * @param out what to do
     */
    template <class S>
    void OnTimer(TimerId timer, S& out);

    /**
     * A progress call ends: after more than sweepMessages all owed ACKs are sent.
     * @param out what to do
     */
    template <class S>
    void OnProgressEnd(S& out);

    /**
     * A waiting call has polled pollsPerCheck times and found nothing: if more than sweepPolled
     * messages came since the last sweep, all owed ACKs are sent.
     * @param out what to do
     */
    template <class S>
    void OnIdlePolls(S& out);

    /**
     * The port can take frames again.
     * @param out what to do
     */
    template <class S>
    void OnReady(S& out);

    /**
     * Nothing is asked for that could be done.
     * @param work not used
     * @param out not used
     */
    template <class S>
    void OnDone([[maybe_unused]] WorkId work, [[maybe_unused]] S& out)
    {
    }

    /** @return false if OnRequest would answer STALLED. */
    bool CanAccept() const
    {
        return m_config->maxBacklog == 0 || m_backlog < m_config->maxBacklog;
    }

    /**
     * MPI_Iprobe: look for a message that no receive has been posted for.
     * @param source its source, or ANY_SOURCE
     * @param tag its tag, or ANY_TAG
     * @return its envelope, or nullptr; valid until the next call
     */
    const Envelope* Probe(Peer source, uint32_t tag)
    {
        return m_unexpected.Find(source, tag);
    }

    /** @return true if OnIdlePolls would send something. */
    bool WantsIdlePolls() const
    {
        return m_sinceSweep > m_config->sweepPolled && !m_owed.empty();
    }

    /** The rank will be called: fetch what every call touches into the processor's caches. */
    void Expect() const
    {
        constexpr std::size_t LINE = 64;
        const auto* begin = reinterpret_cast<const char*>(this);
        const auto* end = reinterpret_cast<const char*>(&m_posted);
        for (const char* line = begin; line < end; line += LINE)
        {
            __builtin_prefetch(line, 1);
        }
        m_posted.Expect();
        m_unexpected.Expect();
    }

    /**
     * A frame of a peer will be handed over: fetch its place into the processor's caches.
     * @param peer the peer
     */
    void Expect(Peer peer) const
    {
        if (peer < m_slots.size())
        {
            __builtin_prefetch(&m_slots[peer]);
        }
    }

    /** The same, of its connection, after Expect. @param peer the peer */
    void ExpectConnection(Peer peer) const
    {
        if (peer < m_slots.size() && m_slots[peer] != NONE)
        {
            __builtin_prefetch(&m_connections[m_slots[peer]], 1);
        }
    }

    /** @return what was counted. */
    RankCounters GetCounters() const;

    /** @return the number of peers with which frames were exchanged. */
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

    /** @return receives that are posted and have not matched. */
    uint32_t GetNPosted() const
    {
        return m_posted.GetSize();
    }

    /** @return messages that no receive has been posted for. */
    uint32_t GetNUnexpected() const
    {
        return m_unexpected.GetSize();
    }

    /** @return the constants. */
    const RankConfig& GetConfig() const
    {
        return *m_config;
    }

    /** @return memory in use, this object included [bytes]. */
    uint64_t GetMemory() const;

    /**
     * Write down the state: equal for equal behaviour.
     * @param encoder where to
     */
    void Encode(messaging::Encoder& encoder) const;

    /**
     * Change from where the sequence numbers of one peer are counted; nothing behaves differently
     * if the peer's numbers and the frames under way are changed alike. For exhaustive searches.
     * @param peer the peer
     * @param sent subtracted from the numbers of frames to it
     * @param received subtracted from the numbers of frames from it
     */
    void Renumber(Peer peer, uint16_t sent, uint16_t received);

    /** @return the number of the next frame from a peer. @param peer the peer */
    uint16_t GetExpected(Peer peer) const;

    /** @return how many frames a peer has told to have taken. @param peer the peer */
    uint16_t GetAcknowledged(Peer peer) const;

    /** Equality of the representation. @return True if all is equal. */
    bool operator==(const RankCore&) const = default;

  private:
    // mpi-ranks-core-send.h

    /** Post a send. @param request the message @param out what to do @return the answer */
    template <class S>
    Acceptance PostSend(const Request& request, S& out);

    /** Post a receive. @param request the receive @param out what to do @return the answer */
    template <class S>
    Acceptance PostReceive(const Request& request, S& out);

    /**
     * Put a control frame at the end of a backlog.
     * @param slot the connection
     * @param frame the frame
     */
    void Queue(uint32_t slot, const Frame& frame);

    /**
     * Send what waits, as far as credits, window and port allow.
     * @param slot the connection
     * @param out what to do
     */
    template <class S>
    void Pump(uint32_t slot, S& out);

    /**
     * Send the next segment of the oldest entry that waits.
     * @param slot the connection
     * @param out what to do
     * @return false if the port is busy
     */
    template <class S>
    bool SendSegment(uint32_t slot, S& out);

    /**
     * Send an explicit ACK.
     * @param slot the connection
     * @param kind ACK or CREDIT
     * @param out what to do
     * @return false if the port is busy
     */
    template <class S>
    bool SendAck(uint32_t slot, FrameKind kind, S& out);

    /**
     * Send an explicit ACK if more credits are unreturned than the threshold.
     * @param slot the connection
     * @param out what to do
     */
    template <class S>
    void ReturnCredits(uint32_t slot, S& out);

    /** Send all owed ACKs. @param out what to do */
    template <class S>
    void Sweep(S& out);

    /**
     * Use what a frame says of the frames that its sender has taken.
     * @param slot the connection
     * @param ack the number
     * @param out what to do
     */
    template <class S>
    void TakeAck(uint32_t slot, uint16_t ack, S& out);

    /**
     * Send again what has aged past the timeout.
     * @param slot the connection
     * @param out what to do
     */
    template <class S>
    void Retransmit(uint32_t slot, S& out);

    /**
     * Give a peer up, and fail whatever was under way with it.
     * @param slot the connection
     * @param out what to do
     */
    template <class S>
    void LosePeer(uint32_t slot, S& out);

    /** Arm the timer, unless it is. @param out what to do */
    template <class S>
    void ArmTimer(S& out);

    /** Count an event. @param event the event @param out what to do */
    template <class S>
    void Note(Event event, S& out);

    // mpi-ranks-core-receive.h

    /**
     * Bring a frame with a sequence number into its order.
     * @param slot the connection
     * @param frame the frame
     * @param out what to do
     */
    template <class S>
    void Arrange(uint32_t slot, const Frame& frame, S& out);

    /**
     * Keep a frame that came too early.
     * @param slot the connection
     * @param frame the frame
     * @param out what to do
     */
    template <class S>
    void Hold(uint32_t slot, const Frame& frame, S& out);

    /**
     * Take frames that had come too early and are the next now.
     * @param slot the connection
     * @param out what to do
     */
    template <class S>
    void Drain(uint32_t slot, S& out);

    /**
     * Take what is missing before a frame for lost.
     * @param slot the connection
     * @param sequence the frame's number
     * @param out what to do
     */
    template <class S>
    void SkipTo(uint32_t slot, uint16_t sequence, S& out);

    /**
     * Take the next frame.
     * @param slot the connection
     * @param frame the frame
     * @param out what to do
     */
    template <class S>
    void Take(uint32_t slot, const Frame& frame, S& out);

    /**
     * Take a segment of an eager message.
     * @param slot the connection
     * @param frame the frame
     * @param out what to do
     */
    template <class S>
    void TakeEager(uint32_t slot, const Frame& frame, S& out);

    /** Find the receive for a message. @param envelope the message @param out what to do */
    template <class S>
    void Match(const Envelope& envelope, S& out);

    /**
     * A message and its receive have met.
     * @param envelope the message
     * @param receive the receive
     * @param out what to do
     */
    template <class S>
    void Meet(const Envelope& envelope, RequestId receive, S& out);

    // mpi-ranks-core-rendezvous.h

    /**
     * Answer an RTS with CTS.
     * @param envelope the message
     * @param receive its receive
     * @param out what to do
     */
    template <class S>
    void Clear(const Envelope& envelope, RequestId receive, S& out);

    /** CTS has come. @param slot the connection @param frame the frame @param out what to do */
    template <class S>
    void TakeCts(uint32_t slot, const Frame& frame, S& out);

    /**
     * A segment has come.
     * @param slot the connection
     * @param frame the frame
     * @param out what to do
     */
    template <class S>
    void TakeData(uint32_t slot, const Frame& frame, S& out);

    /** FIN has come. @param slot the connection @param frame the frame @param out what to do */
    template <class S>
    void TakeFin(uint32_t slot, const Frame& frame, S& out);

    /**
     * DONE or NACK has come.
     * @param slot the connection
     * @param frame the frame
     * @param out what to do
     */
    template <class S>
    void TakeAnswer(uint32_t slot, const Frame& frame, S& out);

    /**
     * An RDMA write has come.
     * @param from its sender
     * @param frame the frame
     * @param out what to do
     */
    template <class S>
    void TakeWrite(Peer from, const Frame& frame, S& out);

    /** A large message is complete. @param place its landing @param out what to do */
    template <class S>
    void Land(uint32_t place, S& out);

    /** Look after landings that wait for data after FIN. @param out what to do */
    template <class S>
    void AgeLandings(S& out);

    /** Queue the RDMA write of a message. @param departure the message */
    void QueueWrite(const Departure& departure);

    // mpi-ranks-core.cc

    /** @return the connection of a peer, created if there is none. @param peer the peer */
    uint32_t Open(Peer peer);

    /** @return a free entry. */
    uint32_t Allocate();

    /** Free an entry. @param place the entry */
    void Release(uint32_t place);

    /** Put an entry at the end of a backlog. @param slot the connection @param place the entry */
    void Append(uint32_t slot, uint32_t place);

    /** Take the oldest entry out of a backlog. @param slot the connection @return the entry */
    uint32_t PopBacklog(uint32_t slot);

    /**
     * Tell what an entry of the unacknowledged queue counts (C-amb-6).
     * @param flags of its frame
     * @param queued whether it comes, or goes
     * @return by how much the length changes
     */
    int32_t CountEntry(uint8_t flags, bool queued) const;

    /**
     * Put an entry into the unacknowledged queue.
     * @param slot the connection
     * @param place the entry
     */
    void AppendUnacked(uint32_t slot, uint32_t place);

    /**
     * Take the oldest out of the unacknowledged queue.
     * @param slot the connection
     * @return the entry
     */
    uint32_t PopUnacked(uint32_t slot);

    /**
     * Look for a frame that waits to be sent, or to be acknowledged.
     * @param slot the connection
     * @param kind its kind
     * @param number its aux
     * @return true if there is one, and a second would tell nothing new
     */
    bool IsQueued(uint32_t slot, FrameKind kind, uint32_t number) const;

    /** @return true if a stamp is older than the timeout. @param stamp a period */
    bool IsOld(uint32_t stamp) const
    {
        return m_period - stamp > m_config->periods;
    }

    /**
     * @param connection of the frame
     * @param sequence its number
     * @return the fields of a header that all frames have.
     */
    static uint64_t GetHeader(const Connection& connection, uint16_t sequence)
    {
        return sequence | uint64_t{connection.receiveNext} << 16;
    }

    /** @return true if a frame may be sent to a peer. @param connection the peer's */
    bool HasCredit(const Connection& connection) const
    {
        return static_cast<uint16_t>(connection.sendNext - connection.sendAcked) <
               m_config->GetLimit();
    }

    /** @return true if senders learn of their RDMA writes from the receiver (C-13). */
    bool WaitsForDone() const
    {
        return m_config->reliability;
    }

    // What every message touches comes first: with hundreds of ranks none of it is in a cache.
    const RankConfig* m_config;            ///< The constants.
    std::vector<uint32_t> m_slots;         ///< Connection of each peer, or NONE.
    std::vector<Connection> m_connections; ///< Peers in the order of the first frame.
    Peer m_self;                           ///< This rank.
    uint32_t m_freeEntry{NONE};            ///< First free entry.
    std::vector<QueueEntry> m_entries;     ///< Pool of all queues.
    std::vector<uint32_t> m_owed;          ///< Connections to which an ACK may be owed.
    uint32_t m_period{0};                  ///< Periods counted; the coarse time stamp.
    uint32_t m_backlog{0};                 ///< Entries in all backlogs.
    uint32_t m_unacknowledged{0};          ///< Entries in all unacknowledged queues.
    uint32_t m_held{0};                    ///< Entries in all reorder windows.
    uint32_t m_waiting{0};                 ///< Landings that wait for data after FIN.
    uint32_t m_inCall{0};                  ///< Messages in this progress call.
    uint32_t m_sinceSweep{0};              ///< Frames or messages since the last ACK sweep.
    bool m_armed{false};                   ///< The timer is armed.
    RankCounters m_counters;               ///< What was counted.
    MatchQueue m_posted;                   ///< Receives without a message.
    MatchQueue m_unexpected;               ///< Messages without a receive.
    NumberedPool<Departure> m_departures;  ///< Pool of large messages to be sent.
    NumberedPool<Landing> m_landings;      ///< Pool of large messages to be received.
};

} // namespace ranks
} // namespace ns3

#include "mpi-ranks-core-receive.h"
#include "mpi-ranks-core-rendezvous.h"
#include "mpi-ranks-core-send.h"

#endif // MPI_RANKS_CORE_H
