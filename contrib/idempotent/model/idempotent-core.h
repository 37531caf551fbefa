/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_CORE_H
#define IDEMPOTENT_CORE_H

#include "idempotent-cam.h"
#include "idempotent-config.h"
#include "idempotent-fifo.h"

#include "ns3/messaging-core.h"

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
 * - 2.1: a MSG is repeated until an ACK comes; an ACK is repeated until a CONF comes; every ACK is
 *   answered by a CONF, even for a message that is forgotten; a message is acted upon once.
 * - 2.2: the sender finds a message by its ID, the receiver by (source, ID). IDs count up and are
 *   not reused before the network has been drained.
 * - 2.3: on a network that reorders a record is kept for T ticks after the CONF.
 * - 2.4: a full send table stalls the processor, a full receive table drops a new MSG.
 * - 4.3: a MSG or ACK is repeated after size + 2 distance + ACK_SIZE + backoff(n).
 *
 * Where the paper is silent: a CONF is sent only in answer to an ACK; a record in a full receive
 * table goes on repeating its ACK; a duplicate MSG is ignored unless IdempotentConfig::immediateAck
 * is set, and then the ACK's timer is left alone; a message to oneself is delivered at once.
 *
 * A timer names the packet to be repeated, never the place in a table, and one that fires late is
 * ignored; so nothing need be cancelled.
 */
class IdempotentCore
{
  public:
    /** Stale timers are ignored: whatever runs this core need not cancel them. */
    static constexpr bool BEARS_STALE_TIMERS = true;

    /**
     * @param config parameters, which must outlive the core
     * @param self the node's own ID
     */
    IdempotentCore(const IdempotentConfig& config, messaging::Peer self)
        : m_config(&config),
          m_self(self)
    {
    }

    /**
     * The processor has a message to send.
     * @param request the message
     * @param out what is to be done
     * @return accepted, stalled if the send table is full or IDs have run out, or refused
     */
    template <class Out>
    messaging::Acceptance OnRequest(const messaging::Request& request, Out& out);

    /**
     * A packet has arrived.
     * @param from the node it comes from
     * @param frame the packet
     * @param out what is to be done
     */
    template <class Out>
    void OnFrame(messaging::Peer from, const messaging::Frame& frame, Out& out);

    /**
     * A timer has fired.
     * @param timer the timer
     * @param out what is to be done
     */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out);

    /**
     * The port may have room again.
     * @param out what is to be done
     */
    template <class Out>
    void OnReady(Out& out);

    /** This protocol asks for no work. @param out what is to be done */
    template <class Out>
    void OnDone(messaging::WorkId, Out& out)
    {
        Note(Event::ILLEGAL, out);
    }

    /** @return whether a message would be accepted now. */
    bool CanAccept() const
    {
        return m_sent.GetSize() < m_config->sendTable && !NeedsDrain();
    }

    /** @return whether the message IDs have run out, so that the network has to be drained. */
    bool NeedsDrain() const
    {
        return m_config->variant != Variant::SHORT_IDS && (m_nextId >> m_config->idBits) != 0;
    }

    /** @return whether both tables are empty and nothing waits for the port. */
    bool IsIdle() const
    {
        return m_sent.GetSize() == 0 && m_records.GetSize() == 0 && m_outbox.IsEmpty();
    }

    /** Begin anew with the first message ID; the whole network must have been drained. */
    void Renew()
    {
        m_nextId = 0;
    }

    /**
     * Put the canonical form of the state. Attempts are left out: they change when a packet is
     * repeated, not what is done.
     * @param e where to
     */
    void Encode(messaging::Encoder& e) const;

    /** Equality of all that decides on behaviour, attempts included. @param other another core
     * @return True if equal. */
    bool operator==(const IdempotentCore& other) const
    {
        return m_config == other.m_config && m_self == other.m_self && m_nextId == other.m_nextId &&
               m_congestion == other.m_congestion && m_sent == other.m_sent &&
               m_records == other.m_records && m_outbox == other.m_outbox &&
               m_replies == other.m_replies;
    }

    /** @return entries of the send table in use. */
    uint32_t GetNSent() const
    {
        return m_sent.GetSize();
    }

    /** @return entries of the receive table in use. */
    uint32_t GetNRecords() const
    {
        return m_records.GetSize();
    }

    /**
     * Visit the other node of each exchange that is not over: of messages that await their ACK, and
     * of those whose CONF has not come.
     * @tparam Visit takes a Peer
     * @param visit what to do with each
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

    /** @return most entries of the send table ever in use. */
    uint32_t GetPeakSent() const
    {
        return m_peakSent;
    }

    /** @return most entries of the receive table ever in use. */
    uint32_t GetPeakRecords() const
    {
        return m_peakRecords;
    }

    /** @return the estimate of congestion around this node, 0 for none to 65535 for full. */
    uint16_t GetCongestion() const
    {
        return m_congestion;
    }

    /** @return memory that the node's protocol state takes [bytes]. */
    std::size_t GetMemory() const
    {
        return sizeof(*this) + m_sent.GetMemory() + m_records.GetMemory() + m_outbox.GetMemory() +
               m_replies.capacity() * sizeof(Reply);
    }

    /**
     * Name the timer of a MSG.
     * @param id message ID
     * @return the timer
     */
    static constexpr messaging::TimerId MessageTimer(uint64_t id)
    {
        return (uint64_t{MESSAGE_TIMER} << TIMER_SHIFT) | id;
    }

    /**
     * Name the timer of an ACK.
     * @param source node that sent the message
     * @param id message ID
     * @return the timer
     */
    static constexpr messaging::TimerId AckTimer(messaging::Peer source, uint64_t id)
    {
        return (uint64_t{ACK_TIMER} << TIMER_SHIFT) | RecordKey(source, id);
    }

    /**
     * Name the timer that ends a record's retention.
     * @param source node that sent the message
     * @param id message ID
     * @return the timer
     */
    static constexpr messaging::TimerId RetentionTimer(messaging::Peer source, uint64_t id)
    {
        return (uint64_t{RETENTION_TIMER} << TIMER_SHIFT) | RecordKey(source, id);
    }

  private:
    /** Line of the send table: {message ID, message index} and the message that it locates. */
    struct SendEntry
    {
        uint64_t contents{0};            ///< Stands for the payload.
        messaging::RequestId request{0}; ///< The processor's name for the message.
        messaging::Peer to{0};           ///< Destination.
        uint32_t bytes{0};               ///< Size of the payload [bytes].
        uint32_t tag{0};                 ///< The application's mark.
        uint32_t wait{0};                ///< size + 2 distance + ACK_SIZE [ticks].
        uint16_t attempts{0};            ///< Transmissions so far.
        uint8_t flags{0};                ///< Options.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const SendEntry&) const = default;
    };

    /** What a record of the receive table waits for. */
    enum class RecordState : uint8_t
    {
        ACKNOWLEDGING, ///< A CONF; the ACK is repeated.
        RETAINED,      ///< The end of its retention (section 2.3).
        AWAITING       ///< The reply that is to ride in its ACK (section 6).
    };

    /** Line of the receive table: {source, message ID}. */
    struct Record
    {
        uint64_t id{0};                                ///< Message ID.
        messaging::Peer source{0};                     ///< Node that sent the message.
        uint32_t wait{0};                              ///< size + 2 distance + ACK_SIZE [ticks].
        uint16_t attempts{0};                          ///< Transmissions of the ACK so far.
        uint16_t secondary{0};                         ///< Secondary ID (Figure 4).
        RecordState state{RecordState::ACKNOWLEDGING}; ///< What it waits for.
        bool hasReply{false};                          ///< A reply rides in its ACK.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Record&) const = default;
    };

    /** A packet that waits for the port. */
    struct Pending
    {
        uint64_t id{0};          ///< Message ID.
        messaging::Peer peer{0}; ///< Source of the message for an ACK, destination for a CONF.
        uint32_t aux{0};         ///< Secondary ID of a CONF.
        PacketKind kind{PacketKind::CONF}; ///< Which packet.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Pending&) const = default;
    };

    /** A reply that rides in an ACK until the CONF comes (section 6). */
    struct Reply
    {
        uint64_t id{0};                  ///< ID of the message that is answered.
        uint64_t contents{0};            ///< Stands for the payload.
        messaging::RequestId request{0}; ///< The processor's name for the reply.
        messaging::Peer source{0};       ///< Node that is answered.
        uint32_t bytes{0};               ///< Size of the payload [bytes].
        uint32_t tag{0};                 ///< The application's mark.
        uint8_t flags{0};                ///< Options.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Reply&) const = default;
    };

    static constexpr unsigned TIMER_SHIFT = 62;                      ///< Place of a timer's kind.
    static constexpr uint8_t MESSAGE_TIMER = 0;                      ///< Repeats a MSG.
    static constexpr uint8_t ACK_TIMER = 1;                          ///< Repeats an ACK.
    static constexpr uint8_t RETENTION_TIMER = 2;                    ///< Ends a retention.
    static constexpr unsigned KEY_ID_BITS = TIMER_SHIFT - NODE_BITS; ///< Bits of the ID in a key.
    static constexpr uint8_t HAS_REPLY = 0x80;          ///< Frame::flags of an ACK with a reply.
    static constexpr unsigned CONGESTION_SHIFT = 4;     ///< The estimate's memory: 16 outcomes.
    static constexpr uint32_t NONE = Cam<Record>::NONE; ///< No entry.

    /**
     * Key of a record: the source and the low bits of the ID. Only a record whose whole ID is equal
     * too is the message's; a timer carries the key alone, since a needless ACK does no harm.
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

    /** Tell of an event. @param event the event @param out who is told */
    template <class Out>
    static void Note(Event event, Out& out)
    {
        out.Note(static_cast<messaging::Reason>(event));
    }

    /**
     * Backoff of a packet that has just been sent.
     * @param attempts transmissions, this one included
     * @return the backoff [ticks]
     */
    messaging::Ticks Backoff(uint16_t attempts) const
    {
        return m_config->backoff.Get(attempts - 1U + m_config->firstAttempt, m_congestion);
    }

    /** Take a packet's outcome into the estimate of congestion. @param failed it was not answered
     */
    void Estimate(bool failed)
    {
        if (!m_config->backoff.congested.empty())
        {
            const int target = failed ? std::numeric_limits<uint16_t>::max() : 0;
            m_congestion = static_cast<uint16_t>(m_congestion +
                                                 (target - m_congestion) / (1 << CONGESTION_SHIFT));
        }
    }

    /**
     * Choose the ID of a new message.
     * @return the ID; with short IDs, the next one that the sender has not in use
     */
    uint64_t TakeId();

    /** @return the smallest secondary ID that no record has (Figure 4). */
    uint16_t TakeSecondaryId() const;

    /**
     * Count a transmission.
     * @param attempts the counter, which stops at its largest value
     */
    static void CountAttempt(uint16_t& attempts)
    {
        attempts += attempts != std::numeric_limits<uint16_t>::max();
    }

    /**
     * Have a packet sent when the port is free.
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

    /** Whether packets wait, so that a new one has to queue up. @return True if so. */
    bool MustQueue() const
    {
        return !m_outbox.IsEmpty();
    }

    /**
     * Send the MSG of an entry, or have it wait for the port.
     * @param at index of the entry
     * @param out what is to be done
     */
    template <class Out>
    void TransmitMessage(uint32_t at, Out& out);

    /**
     * Send the ACK of a record, or have it wait for the port.
     * @param at index of the record
     * @param out what is to be done
     */
    template <class Out>
    void TransmitAck(uint32_t at, Out& out);

    /**
     * Send a MSG and set its timer.
     * @param at index of the entry
     * @param out what is to be done
     * @return false if the port was busy and is waited for
     */
    template <class Out>
    bool SendMessage(uint32_t at, Out& out);

    /**
     * Send an ACK and set its timer.
     * @param at index of the record
     * @param out what is to be done
     * @return false if the port was busy and is waited for
     */
    template <class Out>
    bool SendAck(uint32_t at, Out& out);

    /**
     * Send a CONF.
     * @param to destination
     * @param id message ID
     * @param secondary secondary ID (Figure 4)
     * @param out what is to be done
     * @return false if the port was busy and is waited for
     */
    template <class Out>
    bool SendConf(messaging::Peer to, uint64_t id, uint32_t secondary, Out& out);

    /**
     * The ACK of a record as a frame.
     * @param record the record
     * @return the frame
     */
    messaging::Frame MakeAck(const Record& record) const;

    /**
     * A MSG has arrived.
     * @param frame the packet
     * @param out what is to be done
     */
    template <class Out>
    void OnMessage(const messaging::Frame& frame, Out& out);

    /**
     * An ACK has arrived.
     * @param frame the packet
     * @param out what is to be done
     */
    template <class Out>
    void OnAck(const messaging::Frame& frame, Out& out);

    /**
     * A CONF has arrived.
     * @param frame the packet
     * @param out what is to be done
     */
    template <class Out>
    void OnConf(const messaging::Frame& frame, Out& out);

    /**
     * Let a reply ride in the ACK of a message that awaits one.
     * @param request the reply
     * @param out what is to be done
     * @return false if no message of that node awaits a reply
     */
    template <class Out>
    bool AttachReply(const messaging::Request& request, Out& out);

    /**
     * @param record a record with a reply
     * @return index of its reply
     */
    std::size_t FindReply(const Record& record) const;

    const IdempotentConfig* m_config; ///< Shared by all nodes.
    Cam<SendEntry> m_sent;            ///< Send table, by message ID.
    Cam<Record> m_records;            ///< Receive table, by RecordKey.
    Fifo<Pending> m_outbox;           ///< Packets that wait for the port, in the order of leaving.
    std::vector<Reply> m_replies;     ///< Replies that ride in ACKs.
    uint64_t m_nextId{0};             ///< ID of the next message.
    messaging::Peer m_self;           ///< The node's own ID.
    uint16_t m_congestion{0};         ///< Estimate of congestion.
    uint16_t m_peakSent{0};           ///< Most entries of the send table in use.
    uint16_t m_peakRecords{0};        ///< Most entries of the receive table in use.
};

} // namespace idempotent
} // namespace ns3

#include "idempotent-core-impl.h"

#endif // IDEMPOTENT_CORE_H
