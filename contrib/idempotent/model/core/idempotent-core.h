/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_CORE_H
#define IDEMPOTENT_CORE_H

#include "ns3/idempotent-cam.h"
#include "ns3/idempotent-config.h"
#include "ns3/messaging-core.h"
#include "ns3/messaging-fifo.h"
#include "ns3/messaging-round-trip.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * The idempotent messaging protocol (paper 1, section 2) as a plain state machine.
 */

namespace ns3
{
namespace idempotent
{

/**
 * One node of the idempotent messaging protocol.
 *
 * Figure 1, with arbitrary packets lost:
 * @verbatim
   sender                                receiver
   enters in send table  -- MSG --> x
   time-out              -- MSG -->      enters in receive table, acts
                         x <-- ACK --
   time-out              -- MSG -->      ignores: entered
                           <-- ACK --    time-out
   forgets               -- CONF --> x
                           <-- ACK --    time-out
   nothing to forget     -- CONF -->     forgets, or keeps the record for T more cycles
   @endverbatim
 *
 * The rules, by section of the paper:
 * - 2.1: a MSG is repeated until an ACK arrives; an ACK is repeated until a CONF arrives; a CONF
 *   answers every ACK, even for a forgotten message; a message is delivered once.
 * - 2.2: the sender finds a message by its ID, the receiver by (source, ID). IDs increase and are
 *   not reused before a drain of the network.
 * - 2.3: on a network that reorders, a record is retained for T ticks after the CONF.
 * - 2.4: a full send table stalls the processor, a full receive table drops a new MSG.
 * - 4.3: a MSG or ACK is repeated after size + 2 distance + ACK_SIZE + backoff(n), where n counts
 *   its transmissions; a packet at a busy port waits, and its timer starts when it has left.
 *   Where packets may queue (IdempotentConfig::queueing), the wait is longer by an estimate of the
 *   queueing, which is measured by packets that were sent once.
 *
 * Rules that the paper does not state: a CONF is sent only as an answer to an ACK; a record in a
 * full receive table still repeats its ACK; a duplicate MSG is ignored; a message to the node
 * itself is delivered at once; in a drain, no ACK waits for a reply.
 *
 * A timer identifies a packet, not an index in a table, and a stale timer is ignored; so no timer
 * has to be cancelled.
 */
class IdempotentCore
{
  public:
    /** Stale timers are ignored: the host need not cancel them. */
    static constexpr bool IGNORES_STALE_TIMERS = true;

    /** Peers, messages and IDs may be exchanged in a search. */
    static constexpr bool IS_SYMMETRIC = true;

    /**
     * @param config parameters, which have to outlive the core
     * @param self the node's own ID
     */
    IdempotentCore(const IdempotentConfig& config, messaging::Peer self)
        : m_config(&config),
          m_queueing(config.queueing, config.firstQueueing),
          m_self(self)
    {
    }

    /** @return true: an ACK confirms the delivery. */
    static bool ConfirmsDelivery()
    {
        return true;
    }

    /**
     * Post a message.
     * @param request the message
     * @param out host of the core
     * @return accepted; stalled if the send table is full or IDs are exhausted; or refused
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out)
    {
        const auto& config = *m_config;
        if (request.to >= config.nodes ||
            (config.mtu > 0 && uint64_t{request.bytes} + config.messageHeader > config.mtu))
        {
            return messaging::Acceptance::REFUSED;
        }
        if (request.to == m_self)
        {
            out.Deliver(messaging::Delivery{m_nextId,
                                            request.contents,
                                            m_self,
                                            request.bytes,
                                            request.tag,
                                            request.flags});
            out.Complete(request.id, messaging::Completion::DELIVERED);
            return messaging::Acceptance::ACCEPTED;
        }
        if (config.piggybackReply && (request.flags & IS_REPLY) && AttachReply(request, out))
        {
            return messaging::Acceptance::ACCEPTED;
        }
        const bool noFreeId = config.variant == Variant::SHORT_IDS &&
                              (uint64_t{m_sent.GetSize()} >> config.idBits) != 0;
        if (!CanAccept() || noFreeId)
        {
            Note(Event::POST_STALLED, out);
            return messaging::Acceptance::STALLED;
        }
        SendEntry entry;
        entry.contents = request.contents;
        entry.request = request.id;
        entry.to = request.to;
        entry.bytes = request.bytes;
        entry.tag = request.tag;
        entry.flags = request.flags;
        const uint32_t at = m_sent.Insert(TakeId(), entry);
        m_peakSent = std::max<uint16_t>(m_peakSent, static_cast<uint16_t>(m_sent.GetSize()));
        TransmitMessage(at, out);
        return messaging::Acceptance::ACCEPTED;
    }

    /**
     * Handle an arriving packet. Packets that no node can have sent are refused: those of a
     * nonexistent node, an ID of too many bits, a length beyond the MTU, an ACK from a node
     * other than the destination, and a reply to a message that awaits none. Any other MSG is
     * accepted, since only its source knows the IDs in use.
     * @param from the sender
     * @param frame the packet
     * @param out host of the core
     */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        if (from >= m_config->nodes || from == m_self || frame.id >> m_config->idBits != 0 ||
            (m_config->mtu > 0 && uint64_t{frame.payload} + frame.header > m_config->mtu))
        {
            Note(Event::ILLEGAL, out);
            return;
        }
        switch (static_cast<PacketKind>(frame.kind))
        {
        case PacketKind::MSG:
            OnMessage(from, frame, out);
            return;
        case PacketKind::ACK:
            OnAck(from, frame, out);
            return;
        case PacketKind::CONF:
            OnConf(from, frame, out);
            return;
        }
        Note(Event::ILLEGAL, out);
    }

    /**
     * Handle a timer.
     * @param timer the timer
     * @param out host of the core
     */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        const uint64_t key = timer & ((uint64_t{1} << TIMER_SHIFT) - 1);
        const auto kind = static_cast<uint8_t>(timer >> TIMER_SHIFT);
        if (kind == MESSAGE_TIMER)
        {
            const uint32_t at = m_sent.Find(key);
            if (at != NONE)
            {
                Estimate(m_sent[at].to, FULL);
                BackOff(m_sent[at]);
                TransmitMessage(at, out);
            }
            return;
        }
        const uint32_t at = m_records.Find(key);
        if (at == NONE)
        {
            return;
        }
        if (kind == ACK_TIMER && m_records[at].state == RecordState::ACKNOWLEDGING)
        {
            Estimate(m_records[at].source, FULL);
            BackOff(m_records[at]);
            TransmitAck(at, out);
        }
        else if (kind == RETENTION_TIMER && m_records[at].state == RecordState::RETAINED)
        {
            m_records.Erase(at);
            Note(Event::RECORD_EXPIRED, out);
        }
        else if (kind != ACK_TIMER)
        {
            Note(Event::ILLEGAL, out);
        }
    }

    /**
     * Send waiting packets, since the port may have room again.
     * @param out host of the core
     */
    template <class Out>
    void OnReady(Out& out)
    {
        bool sentOne = false;
        for (; !m_outbox.IsEmpty(); m_outbox.Pop())
        {
            const Pending pending = m_outbox.Front();
            uint32_t at = NONE;
            if (pending.kind == PacketKind::MSG)
            {
                at = m_sent.Find(pending.id);
            }
            else if (pending.kind == PacketKind::ACK)
            {
                at = FindRecord(pending.peer, pending.id);
                if (at != NONE && m_records[at].state != RecordState::ACKNOWLEDGING)
                {
                    at = NONE;
                }
            }
            if (at == NONE && pending.kind != PacketKind::CONF)
            {
                continue;
            }
            if constexpr (requires { out.IsBusy(); })
            {
                // Cheaper than a refused Send.
                if (sentOne && out.IsBusy())
                {
                    return;
                }
            }
            if (pending.kind == PacketKind::MSG)
            {
                sentOne = SendMessage(at, out);
            }
            else if (pending.kind == PacketKind::ACK)
            {
                sentOne = SendAck(at, out);
            }
            else
            {
                sentOne = SendConf(pending.peer, pending.id, pending.aux, out);
            }
            if (!sentOne)
            {
                return;
            }
        }
    }

    /** This protocol requests no work. @param out host of the core */
    template <class Out>
    void OnDone(messaging::WorkId, Out& out)
    {
        Note(Event::ILLEGAL, out);
    }

    /** @return the size of the largest message [bytes]. */
    uint32_t GetLargestMessage() const
    {
        if (m_config->mtu == 0)
        {
            return std::numeric_limits<uint32_t>::max();
        }
        return m_config->mtu - std::min<uint32_t>(m_config->mtu, m_config->messageHeader);
    }

    /** @return whether a message would be accepted now. */
    bool CanAccept() const
    {
        return m_sent.GetSize() < m_config->sendTable && !NeedsDrain();
    }

    /** @return whether the message IDs are exhausted, so that the network has to be drained. */
    bool NeedsDrain() const
    {
        return m_config->variant != Variant::SHORT_IDS && (m_nextId >> m_config->idBits) != 0;
    }

    /** @return whether both tables are empty and no packet waits for the port. */
    bool IsIdle() const
    {
        return m_sent.GetSize() == 0 && m_records.GetSize() == 0 && m_outbox.IsEmpty();
    }

    /**
     * Acknowledge the messages whose reply is awaited without it, since a drain waits for them: the
     * processor cannot post a reply before the drain ends. It is a message of its own then.
     * @param out host of the core
     */
    template <class Out>
    void StopAwaitingReplies(Out& out)
    {
        for (uint32_t at = 0; at < m_records.GetSize(); ++at)
        {
            if (m_records[at].state == RecordState::AWAITING)
            {
                m_records[at].state = RecordState::ACKNOWLEDGING;
                TransmitAck(at, out);
            }
        }
    }

    /** Restart with the first message ID, after a drain of the whole network. */
    void Renew()
    {
        m_nextId = 0;
    }

    /**
     * Declare the state. It excludes attempts, estimates and times, which affect only the time of a
     * repetition. Peers, messages and IDs have no order, unless IDs are short.
     * @param e the encoder
     */
    template <class E>
    void Encode(E& e) const
    {
        if (m_config->variant == Variant::SHORT_IDS)
        {
            e.Put(m_nextId, "next id");
        }
        else
        {
            e.PutNextId(m_nextId, (uint64_t{1} << m_config->idBits) - m_nextId);
        }
        e.BeginSet("send table");
        for (uint32_t i = 0; i < m_sent.GetSize(); ++i)
        {
            const auto& entry = m_sent[i];
            e.BeginItem();
            EncodeId(m_self, m_sent.GetKey(i), e);
            e.Put(entry.bytes, "bytes");
            e.Put(entry.flags, "flags");
            e.PutPeer(entry.to, "to");
            e.PutContents(entry.contents);
            e.PutTag(entry.contents, entry.tag);
            e.PutRequest(m_self, entry.request);
        }
        e.EndSet();
        e.BeginSet("receive table");
        for (uint32_t i = 0; i < m_records.GetSize(); ++i)
        {
            const auto& record = m_records[i];
            e.BeginItem();
            e.PutPeer(record.source, "source");
            EncodeId(record.source, record.id, e);
            e.Put(record.secondary, "secondary id");
            e.Put(static_cast<uint64_t>(record.state), "state");
            e.Put(uint64_t{record.hasReply}, "has reply");
        }
        e.EndSet();
        e.BeginSet("replies");
        for (const auto& reply : m_replies)
        {
            e.BeginItem();
            e.PutPeer(reply.source, "source");
            EncodeId(reply.source, reply.id, e);
            e.Put(reply.bytes, "bytes");
            e.Put(reply.flags, "flags");
            e.PutContents(reply.contents);
            e.PutTag(reply.contents, reply.tag);
            e.PutRequest(m_self, reply.request);
        }
        e.EndSet();
        for (const auto& pending : m_outbox)
        {
            e.Put(static_cast<uint64_t>(pending.kind), "waiting kind");
            e.Put(pending.aux, "aux");
            e.PutPeer(pending.peer, "to");
            // An ACK names a message of its destination, the other packets one of this node.
            const messaging::Peer source = pending.kind == PacketKind::ACK ? pending.peer : m_self;
            EncodeId(source, pending.id, e);
        }
    }

    /**
     * Declare a timer.
     * @param timer the timer
     * @param e the encoder
     */
    template <class E>
    void EncodeTimer(messaging::TimerId timer, E& e) const
    {
        const uint64_t key = timer & ((uint64_t{1} << TIMER_SHIFT) - 1);
        const uint64_t kind = timer >> TIMER_SHIFT;
        e.Put(kind);
        if (kind == MESSAGE_TIMER)
        {
            EncodeId(m_self, key, e);
            return;
        }
        const auto source = static_cast<messaging::Peer>(key >> KEY_ID_BITS);
        e.PutPeer(source);
        EncodeId(source, key & ((uint64_t{1} << KEY_ID_BITS) - 1), e);
    }

    /**
     * Declare a frame in flight.
     * @param from its sender
     * @param to its receiver
     * @param frame the frame
     * @param e the encoder
     */
    template <class E>
    void EncodeFrame(messaging::Peer from,
                     messaging::Peer to,
                     const messaging::Frame& frame,
                     E& e) const
    {
        const auto kind = static_cast<PacketKind>(frame.kind);
        e.Put((uint64_t{frame.payload} << 32) | (uint64_t{frame.header} << 16) |
              (uint64_t{frame.kind} << 8) | frame.flags);
        e.PutPeer(from);
        if (kind == PacketKind::CONF && m_config->variant == Variant::SECONDARY_IDS)
        {
            e.Put(frame.aux);
            return;
        }
        const messaging::Peer source = kind == PacketKind::ACK ? to : from;
        EncodeId(source, frame.id, e);
        if (kind == PacketKind::MSG || (frame.flags & HAS_REPLY))
        {
            e.PutContents(frame.contents);
            e.PutTag(frame.contents, frame.aux);
        }
        else
        {
            e.Put(frame.aux);
        }
    }

    /** @return number of entries in the send table. */
    uint32_t GetNSent() const
    {
        return m_sent.GetSize();
    }

    /** @return number of entries in the receive table. */
    uint32_t GetNRecords() const
    {
        return m_records.GetSize();
    }

    /**
     * Visit the peer of each open exchange: of messages that await their ACK, and of records that
     * await their CONF.
     * @tparam Visit takes a Peer
     * @param visit called with each peer
     */
    template <class Visit>
    void ForOpenExchanges(Visit&& visit) const
    {
        for (uint32_t i = 0; i < m_sent.GetSize(); ++i)
        {
            visit(m_sent[i].to);
        }
        for (uint32_t i = 0; i < m_records.GetSize(); ++i)
        {
            if (m_records[i].state != RecordState::RETAINED)
            {
                visit(m_records[i].source);
            }
        }
    }

    /** @return maximum number of entries in the send table so far. */
    uint32_t GetPeakSent() const
    {
        return m_peakSent;
    }

    /** @return maximum number of entries in the receive table so far. */
    uint32_t GetPeakRecords() const
    {
        return m_peakRecords;
    }

    /**
     * @param to a destination
     * @return the estimated congestion on the route to it, from 0 (none) to 65535 (full)
     */
    uint16_t GetCongestion(messaging::Peer to) const
    {
        return m_congestion[GetRegion(to)];
    }

    /** @return memory of the node's protocol state [bytes]. */
    std::size_t GetMemory() const
    {
        return sizeof(*this) + m_sent.GetMemory() + m_records.GetMemory() + m_outbox.GetMemory() +
               m_replies.capacity() * sizeof(Reply);
    }

    /** @return whether a timer outlasts the network's slip. @param timer the timer */
    static constexpr bool OutlastsSlip(messaging::TimerId timer)
    {
        return timer >> TIMER_SHIFT == RETENTION_TIMER;
    }

    /**
     * Get the timer of a MSG.
     * @param id message ID
     * @return the timer
     */
    static constexpr messaging::TimerId MessageTimer(uint64_t id)
    {
        return (uint64_t{MESSAGE_TIMER} << TIMER_SHIFT) | id;
    }

    /**
     * Get the timer of an ACK.
     * @param source node that sent the message
     * @param id message ID
     * @return the timer
     */
    static constexpr messaging::TimerId AckTimer(messaging::Peer source, uint64_t id)
    {
        return (uint64_t{ACK_TIMER} << TIMER_SHIFT) | RecordKey(source, id);
    }

    /**
     * Get the timer that ends a record's retention.
     * @param source node that sent the message
     * @param id message ID
     * @return the timer
     */
    static constexpr messaging::TimerId RetentionTimer(messaging::Peer source, uint64_t id)
    {
        return (uint64_t{RETENTION_TIMER} << TIMER_SHIFT) | RecordKey(source, id);
    }

  private:
    /** Line of the send table: {message ID, message index}, and the message itself. */
    struct SendEntry
    {
        uint64_t contents{0};            ///< Represents the payload.
        messaging::RequestId request{0}; ///< Request ID of the processor.
        messaging::Peer to{0};           ///< Destination.
        uint32_t bytes{0};               ///< Size of the payload [bytes].
        uint32_t tag{0};                 ///< Tag of the application.
        uint32_t wait{0};                ///< size + 2 distance + ACK_SIZE [ticks].
        uint32_t sent{0};                ///< Time of the last transmission, low bits [ticks].
        uint16_t attempts{0};            ///< Number of transmissions.
        uint8_t flags{0};                ///< Flags of the request.
    };

    /** State of a record: the event that it waits for. */
    enum class RecordState : uint8_t
    {
        ACKNOWLEDGING, ///< Waits for a CONF; the ACK is repeated.
        RETAINED,      ///< Waits for the end of its retention (section 2.3).
        AWAITING       ///< Waits for the reply to be sent in its ACK (section 6).
    };

    /** Line of the receive table: {source, message ID}. */
    struct Record
    {
        uint64_t id{0};                                ///< Message ID.
        messaging::Peer source{0};                     ///< Node that sent the message.
        uint32_t wait{0};                              ///< size + 2 distance + ACK_SIZE [ticks].
        uint32_t sent{0};                              ///< Time of the last ACK, low bits [ticks].
        uint16_t attempts{0};                          ///< Number of transmissions of the ACK.
        uint16_t secondary{0};                         ///< Secondary ID (Figure 4).
        RecordState state{RecordState::ACKNOWLEDGING}; ///< State.
        bool hasReply{false};                          ///< Its ACK contains a reply.
    };

    /** A packet that waits for the port. */
    struct Pending
    {
        uint64_t id{0};          ///< Message ID.
        messaging::Peer peer{0}; ///< Source of the message for an ACK, destination for a CONF.
        uint32_t aux{0};         ///< Secondary ID of a CONF.
        PacketKind kind{PacketKind::CONF}; ///< Kind of the packet.
    };

    /** A reply that is sent in an ACK until the CONF arrives (section 6). */
    struct Reply
    {
        uint64_t id{0};                  ///< ID of the message that it answers.
        uint64_t contents{0};            ///< Represents the payload.
        messaging::RequestId request{0}; ///< Request ID of the processor.
        messaging::Peer source{0};       ///< Node that it answers.
        uint32_t bytes{0};               ///< Size of the payload [bytes].
        uint32_t tag{0};                 ///< Tag of the application.
        uint8_t flags{0};                ///< Flags of the request.
    };

    static constexpr unsigned TIMER_SHIFT = 62;                      ///< Bit of a timer's kind.
    static constexpr uint8_t MESSAGE_TIMER = 0;                      ///< Repeats a MSG.
    static constexpr uint8_t ACK_TIMER = 1;                          ///< Repeats an ACK.
    static constexpr uint8_t RETENTION_TIMER = 2;                    ///< Ends a retention.
    static constexpr unsigned KEY_ID_BITS = TIMER_SHIFT - NODE_BITS; ///< Bits of the ID in a key.
    static constexpr uint8_t HAS_REPLY = 0x80;          ///< Frame::flags of an ACK with a reply.
    static constexpr uint32_t DITHERS = (1U << 20) + 1; ///< Number of different dithers.
    static constexpr int FULL = 65535;                  ///< Full congestion: no packet is answered.
    static constexpr int AVERAGED_OUTCOMES = 16;        ///< Length of the average of outcomes.
    static constexpr uint32_t MOST_DOUBLINGS = 4;       ///< Most doublings of the queueing.
    static constexpr std::size_t REGIONS = 8;           ///< Estimates of DESTINATION.
    static constexpr uint32_t NONE = Cam<Record>::NONE; ///< No entry.

    /**
     * Get the key of a record: the source and the low bits of the ID. A lookup also compares the
     * whole ID. A timer contains the key only, since an unnecessary ACK does no harm.
     * @param source node that sent the message
     * @param id message ID
     * @return the key, below 2^62
     */
    static constexpr uint64_t RecordKey(messaging::Peer source, uint64_t id)
    {
        return (uint64_t{source} << KEY_ID_BITS) | (id & ((uint64_t{1} << KEY_ID_BITS) - 1));
    }

    /**
     * Find a message's record.
     * @param source node that sent it
     * @param id message ID
     * @return index of the record, or NONE
     */
    uint32_t FindRecord(messaging::Peer source, uint64_t id) const
    {
        return m_records.Find(RecordKey(source, id),
                              [id](const Record& record) { return record.id == id; });
    }

    /**
     * Describe a message ID for a search.
     * @param source node that sent the message
     * @param id the ID
     * @param e the encoder
     */
    template <class E>
    void EncodeId(messaging::Peer source, uint64_t id, E& e) const
    {
        if (m_config->variant == Variant::SHORT_IDS)
        {
            e.Put(id, "id");
            return;
        }
        e.PutId(source, id);
    }

    /** Count an event. @param event the event @param out host of the core */
    template <class Out>
    static void Note(Event event, Out& out)
    {
        out.Note(static_cast<messaging::Reason>(event));
    }

    /**
     * Get the region of a destination. Each region has its own estimate of congestion.
     * @param to the destination
     * @return the region, 0 if the strategy has only one
     */
    std::size_t GetRegion(messaging::Peer to) const
    {
        if (m_config->strategy != BackoffKind::DESTINATION)
        {
            return 0;
        }
        return uint64_t{to} * REGIONS / m_config->nodes;
    }

    /**
     * Compute the backoff of a sent packet.
     * @param to its destination
     * @param attempts number of transmissions, including this one
     * @param out host of the core
     * @return the backoff [ticks]
     */
    template <class Out>
    messaging::Ticks Backoff(messaging::Peer to, uint16_t attempts, Out& out) const
    {
        const messaging::Ticks backoff = m_config->backoff.Get(attempts, GetCongestion(to));
        if (m_config->dither == 0) [[likely]]
        {
            return backoff;
        }
        const double part = m_config->dither * (2.0 * out.Random(DITHERS) / (DITHERS - 1) - 1);
        return static_cast<messaging::Ticks>(static_cast<double>(backoff) * (1 + part) + 0.5);
    }

    /**
     * Update the estimate of congestion by a packet's outcome: a moving average over
     * AVERAGED_OUTCOMES.
     * @param to its destination
     * @param outcome 0 if it was answered, FULL if not, or the estimate of another node
     */
    void Estimate(messaging::Peer to, int outcome)
    {
        if (!m_config->backoff.congested.empty())
        {
            auto& congestion = m_congestion[GetRegion(to)];
            congestion =
                static_cast<uint16_t>(congestion + (outcome - congestion) / AVERAGED_OUTCOMES);
        }
    }

    /**
     * Choose the ID of a new message.
     * @return the ID; with short IDs, the next one not in use by the sender
     */
    uint64_t TakeId()
    {
        if (m_config->variant != Variant::SHORT_IDS)
        {
            return m_nextId++;
        }
        const uint64_t mask = (uint64_t{1} << m_config->idBits) - 1;
        uint64_t id = m_nextId & mask;
        while (m_sent.Find(id) != NONE)
        {
            id = (id + 1) & mask;
        }
        m_nextId = (id + 1) & mask;
        return id;
    }

    /** @return index of a record, or NONE. @param secondary its secondary ID (Figure 4) */
    uint32_t FindSecondary(uint32_t secondary) const
    {
        return m_records.FindFirst(
            [secondary](const Record& record) { return record.secondary == secondary; });
    }

    /** @return the smallest secondary ID without a record (Figure 4). */
    uint16_t TakeSecondaryId() const
    {
        uint16_t candidate = 0;
        while (FindSecondary(candidate) != NONE)
        {
            ++candidate;
        }
        return candidate;
    }

    /**
     * Queue a packet until the port is free.
     * @param pending the packet
     */
    void Queue(const Pending& pending)
    {
        if (m_config->answersFirst && pending.kind != PacketKind::MSG)
        {
            m_outbox.Insert(pending,
                            [](const Pending& other) { return other.kind == PacketKind::MSG; });
            return;
        }
        m_outbox.Push(pending);
    }

    /**
     * Send or queue the MSG of an entry.
     * @param at index of the entry
     * @param out host of the core
     */
    template <class Out>
    void TransmitMessage(uint32_t at, Out& out)
    {
        if (!m_outbox.IsEmpty() || !SendMessage(at, out))
        {
            Queue(Pending{m_sent.GetKey(at), m_sent[at].to, 0, PacketKind::MSG});
        }
    }

    /**
     * Send or queue the ACK of a record.
     * @param at index of the record
     * @param out host of the core
     */
    template <class Out>
    void TransmitAck(uint32_t at, Out& out)
    {
        if (!m_outbox.IsEmpty() || !SendAck(at, out))
        {
            Queue(Pending{m_records[at].id, m_records[at].source, 0, PacketKind::ACK});
        }
    }

    /**
     * Send a MSG and arm its timer.
     * @param at index of the entry
     * @param out host of the core
     * @return false if the port was busy; OnReady follows
     */
    template <class Out>
    bool SendMessage(uint32_t at, Out& out)
    {
        auto& entry = m_sent[at];
        const uint64_t id = m_sent.GetKey(at);
        messaging::Frame frame;
        frame.id = id;
        frame.contents = entry.contents;
        frame.payload = entry.bytes;
        frame.aux = entry.tag;
        frame.header = m_config->messageHeader;
        frame.kind = static_cast<uint8_t>(PacketKind::MSG);
        frame.flags = entry.flags;
        if (!out.Send(entry.to, frame))
        {
            Note(Event::MSG_BUSY, out);
            return false;
        }
        Note(entry.attempts == 0 ? Event::MSG_FIRST : Event::MSG_REPEATED, out);
        AwaitAnswer(entry, entry.to, frame, MessageTimer(id), out);
        return true;
    }

    /**
     * Send an ACK and arm its timer.
     * @param at index of the record
     * @param out host of the core
     * @return false if the port was busy; OnReady follows
     */
    template <class Out>
    bool SendAck(uint32_t at, Out& out)
    {
        auto& record = m_records[at];
        const messaging::Frame frame = MakeAck(record);
        if (!out.Send(record.source, frame))
        {
            Note(Event::ACK_BUSY, out);
            return false;
        }
        Note(record.attempts == 0 ? Event::ACK_FIRST : Event::ACK_REPEATED, out);
        AwaitAnswer(record, record.source, frame, AckTimer(record.source, record.id), out);
        return true;
    }

    /**
     * Arm the timer of a transmitted packet's answer (section 4.3).
     * @param line the packet's line in a table
     * @param to its destination
     * @param frame the packet
     * @param timer its timer
     * @param out host of the core
     */
    template <class Line, class Out>
    void AwaitAnswer(Line& line,
                     messaging::Peer to,
                     const messaging::Frame& frame,
                     messaging::TimerId timer,
                     Out& out)
    {
        if (line.attempts == 0)
        {
            messaging::Frame answer;
            answer.header = ACK_BYTES;
            line.wait = static_cast<uint32_t>(out.WireTicks(frame) + 2 * out.Distance(to) +
                                              out.WireTicks(answer));
        }
        if (line.attempts < std::numeric_limits<uint16_t>::max())
        {
            ++line.attempts;
        }
        messaging::Ticks wait = line.wait + Backoff(to, line.attempts, out);
        if (m_config->queueing > 0)
        {
            line.sent = static_cast<uint32_t>(out.Now());
            wait += m_queueing.GetTimeout();
        }
        out.Arm(timer, wait);
    }

    /**
     * Double a measured estimate of queueing after a timeout, once for each of a few attempts.
     * @param line the line in a table of the packet that was not answered
     */
    template <class Line>
    void BackOff(const Line& line)
    {
        const uint32_t most = std::min<uint32_t>(line.attempts, MOST_DOUBLINGS);
        if (m_queueing.GetRoundTrip() > 0 && m_queueing.GetNDoublings() < most)
        {
            m_queueing.BackOff();
        }
    }

    /**
     * Measure the queueing by an answer. A packet that was sent several times gives no sample
     * [RFC 6298, section 3].
     * @param line the packet's line in a table
     * @param out host of the core
     */
    template <class Line, class Out>
    void MeasureQueueing(const Line& line, Out& out)
    {
        if (m_config->queueing > 0 && line.attempts == 1)
        {
            const uint32_t elapsed = static_cast<uint32_t>(out.Now()) - line.sent;
            m_queueing.Measure(std::max(elapsed, line.wait + 1) - line.wait);
        }
    }

    /**
     * Send a CONF.
     * @param to destination
     * @param id message ID
     * @param secondary secondary ID (Figure 4)
     * @param out host of the core
     * @return false if the port was busy; OnReady follows
     */
    template <class Out>
    bool SendConf(messaging::Peer to, uint64_t id, uint32_t secondary, Out& out)
    {
        messaging::Frame frame;
        frame.kind = static_cast<uint8_t>(PacketKind::CONF);
        if (m_config->variant == Variant::SECONDARY_IDS)
        {
            frame.header = SECONDARY_CONF_BYTES;
            frame.aux = secondary;
        }
        else
        {
            frame.header = ACK_BYTES;
            frame.id = id;
            if (m_config->strategy == BackoffKind::NETWORK)
            {
                frame.aux = m_congestion[0];
            }
        }
        if (!out.Send(to, frame))
        {
            Note(Event::CONF_BUSY, out);
            return false;
        }
        Note(Event::CONF_SENT, out);
        return true;
    }

    /**
     * Make the ACK of a record.
     * @param record the record
     * @return the frame
     */
    messaging::Frame MakeAck(const Record& record) const
    {
        messaging::Frame frame;
        frame.id = record.id;
        frame.header = ACK_BYTES;
        frame.kind = static_cast<uint8_t>(PacketKind::ACK);
        frame.aux = record.secondary;
        if (record.hasReply)
        {
            const auto& reply = m_replies[FindReply(record)];
            frame.contents = reply.contents;
            frame.payload = reply.bytes;
            frame.aux = reply.tag;
            frame.flags = static_cast<uint8_t>(HAS_REPLY | reply.flags);
        }
        return frame;
    }

    /**
     * Handle a MSG.
     * @param from the sender
     * @param frame the packet
     * @param out host of the core
     */
    template <class Out>
    void OnMessage(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        uint32_t at = FindRecord(from, frame.id);
        if (at != NONE)
        {
            Note(Event::MSG_DUPLICATE, out);
            return;
        }
        if (m_records.GetSize() >= m_config->receiveTable)
        {
            Note(Event::MSG_TABLE_FULL, out);
            return;
        }
        Record record;
        record.id = frame.id;
        record.source = from;
        if (m_config->variant == Variant::SECONDARY_IDS)
        {
            record.secondary = TakeSecondaryId();
        }
        const bool awaits = m_config->piggybackReply && (frame.flags & AWAITS_REPLY);
        record.state = awaits ? RecordState::AWAITING : RecordState::ACKNOWLEDGING;
        at = m_records.Insert(RecordKey(record.source, record.id), record);
        m_peakRecords =
            std::max<uint16_t>(m_peakRecords, static_cast<uint16_t>(m_records.GetSize()));
        Note(Event::MSG_ACCEPTED, out);
        if (!awaits)
        {
            TransmitAck(at, out);
        }
        out.Deliver(messaging::Delivery{frame.id,
                                        frame.contents,
                                        from,
                                        frame.payload,
                                        frame.aux,
                                        frame.flags});
    }

    /**
     * Handle an ACK.
     * @param from the sender
     * @param frame the packet
     * @param out host of the core
     */
    template <class Out>
    void OnAck(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        const uint32_t at = m_sent.Find(frame.id);
        const bool hasReply = frame.flags & HAS_REPLY;
        if (at != NONE &&
            (m_sent[at].to != from || (hasReply && !(m_sent[at].flags & AWAITS_REPLY))))
        {
            Note(Event::ILLEGAL, out);
            return;
        }
        if (!m_outbox.IsEmpty() || !SendConf(from, frame.id, frame.aux, out))
        {
            Queue(Pending{frame.id, from, frame.aux, PacketKind::CONF});
        }
        if (at == NONE)
        {
            Note(Event::ACK_FORGOTTEN, out);
            return;
        }
        const messaging::RequestId request = m_sent[at].request;
        Estimate(from, 0);
        MeasureQueueing(m_sent[at], out);
        m_sent.Erase(at);
        Note(Event::ACK_TAKEN, out);
        out.Cancel(MessageTimer(frame.id));
        out.Complete(request, messaging::Completion::DELIVERED);
        if (hasReply)
        {
            out.Deliver(messaging::Delivery{frame.id,
                                            frame.contents,
                                            from,
                                            frame.payload,
                                            frame.aux,
                                            static_cast<uint8_t>(frame.flags & ~HAS_REPLY)});
        }
    }

    /**
     * Handle a CONF.
     * @param from the sender
     * @param frame the packet
     * @param out host of the core
     */
    template <class Out>
    void OnConf(messaging::Peer from, const messaging::Frame& frame, Out& out)
    {
        uint32_t at = NONE;
        if (m_config->variant == Variant::SECONDARY_IDS)
        {
            at = FindSecondary(frame.aux);
        }
        else
        {
            at = FindRecord(from, frame.id);
        }
        if (at == NONE || m_records[at].state == RecordState::RETAINED)
        {
            Note(Event::CONF_FORGOTTEN, out);
            return;
        }
        if (m_records[at].state == RecordState::AWAITING)
        {
            Note(Event::ILLEGAL, out);
            return;
        }
        const Record record = m_records[at];
        Estimate(record.source, 0);
        MeasureQueueing(record, out);
        if (m_config->strategy == BackoffKind::NETWORK)
        {
            Estimate(record.source, static_cast<int>(frame.aux));
        }
        Note(Event::CONF_TAKEN, out);
        out.Cancel(AckTimer(record.source, record.id));
        if (m_config->retention > 0 && m_config->variant != Variant::NO_RETENTION)
        {
            m_records[at].state = RecordState::RETAINED;
            m_records[at].hasReply = false;
            out.Arm(RetentionTimer(record.source, record.id), m_config->retention);
        }
        else
        {
            m_records.Erase(at);
        }
        if (record.hasReply)
        {
            const std::size_t reply = FindReply(record);
            const messaging::RequestId request = m_replies[reply].request;
            m_replies[reply] = m_replies.back();
            m_replies.pop_back();
            out.Complete(request, messaging::Completion::DELIVERED);
        }
    }

    /**
     * Attach a reply to the ACK of a message that awaits one.
     * @param request the reply
     * @param out host of the core
     * @return false if no message of that node awaits a reply
     */
    template <class Out>
    bool AttachReply(const messaging::Request& request, Out& out)
    {
        const uint32_t at = m_records.FindFirst([&request](const Record& record) {
            return record.state == RecordState::AWAITING && record.source == request.to;
        });
        if (at == NONE)
        {
            return false;
        }
        auto& record = m_records[at];
        record.state = RecordState::ACKNOWLEDGING;
        record.hasReply = true;
        m_replies.push_back(Reply{record.id,
                                  request.contents,
                                  request.id,
                                  record.source,
                                  request.bytes,
                                  request.tag,
                                  request.flags});
        Note(Event::REPLY_ATTACHED, out);
        TransmitAck(at, out);
        return true;
    }

    /**
     * @param record a record with a reply
     * @return index of its reply
     */
    std::size_t FindReply(const Record& record) const
    {
        std::size_t at = 0;
        while (m_replies[at].source != record.source || m_replies[at].id != record.id)
        {
            ++at;
        }
        return at;
    }

    const IdempotentConfig* m_config;  ///< Parameters, shared by all nodes.
    Cam<SendEntry> m_sent;             ///< Send table, by message ID.
    Cam<Record> m_records;             ///< Receive table, by RecordKey.
    messaging::Fifo<Pending> m_outbox; ///< Packets that wait for the port, in order of departure.
    std::vector<Reply> m_replies;      ///< Replies to be sent in ACKs.
    messaging::RoundTripEstimator m_queueing;     ///< Estimate of queueing.
    uint64_t m_nextId{0};                         ///< ID of the next message.
    messaging::Peer m_self;                       ///< The node's own ID.
    std::array<uint16_t, REGIONS> m_congestion{}; ///< Estimated congestion by region.
    uint16_t m_peakSent{0};                       ///< Maximum entries in the send table.
    uint16_t m_peakRecords{0};                    ///< Maximum entries in the receive table.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_CORE_H
