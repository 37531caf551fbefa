/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_AUDIT_H
#define MESSAGING_AUDIT_H

#include "ns3/messaging-group.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/traced-callback.h"

#include <array>
#include <string>
#include <unordered_map>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Delivery audit: checks that each message is delivered once, intact, to its destination.
 */

namespace ns3
{
namespace messaging
{

/** Counts of a delivery audit, in messages; a broadcast counts once for each receiver. */
struct AuditCounts
{
    uint64_t posted{0};     ///< Messages that the protocol has accepted.
    uint64_t refused{0};    ///< Posts that the protocol has refused; they are not sent.
    uint64_t stalled{0};    ///< Posts that were stalled; they are not sent unless posted again.
    uint64_t delivered{0};  ///< Posted messages that have arrived, each counted once.
    uint64_t completed{0};  ///< Posted messages whose completion was reported.
    uint64_t failed{0};     ///< Completions as UNREACHABLE or FAILED.
    uint64_t abandoned{0};  ///< Messages that never arrived and were not guaranteed to.
    uint64_t duplicates{0}; ///< Repeated deliveries of a message. A violation.
    uint64_t corrupted{0};  ///< Deliveries that match no posted message. A violation.
    uint64_t misordered{0}; ///< Deliveries after a later message of the same pair. A violation.
    uint64_t missing{0}; ///< Guaranteed messages that have not arrived; set by Finish. A violation.
    uint64_t stuck{0};   ///< Missing messages without a completion.
    uint64_t falsehoods{0}; ///< False, repeated or late completions. A violation.
    uint64_t uncompleted{
        0}; ///< Delivered messages without a completion; set by Finish. A violation.
};

/** Kind of a violation. */
enum class AuditViolation : uint8_t
{
    DUPLICATE,  ///< A message was delivered twice.
    CORRUPTED,  ///< A delivery matches no posted message.
    MISORDERED, ///< A message was delivered after a later one of the same pair.
    MISSING,    ///< A guaranteed message has not arrived.
    FALSEHOOD,  ///< A completion was false, repeated or late.
    UNCOMPLETED ///< A delivered message was never completed.
};

/** Number of kinds of a violation. */
inline constexpr std::size_t AUDIT_VIOLATIONS = 6;

/**
 * @ingroup messaging
 * A group around another that checks a protocol's guarantees: each message is delivered to its
 * destination exactly once, with its contents, size, tag and flags unchanged, and in order where
 * the protocol guarantees it; and it is completed once, after at most one SENT if the protocol
 * confirms deliveries.
 *
 * The audit replaces id and contents of every message by values that identify it, and restores the
 * user's values on delivery and completion. So it needs no help from the protocol and detects a
 * change of any bit. It costs some tens of nanoseconds for each message, and 48 bytes for each
 * message in flight. The lower 38 bits of its ids are a count from zero.
 *
 * A delivery that is a violation is counted and not passed on. The audit keeps a sentence on the
 * first violation, and on the first of each kind. A message completed as SENT, UNREACHABLE or
 * FAILED may or may not arrive, but not twice.
 */
class DeliveryAudit : public MessageGroup, private GroupUser
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Set the audited group, and become its user.
     * @param group the group, before its first post
     */
    void SetGroup(Ptr<MessageGroup> group);

    uint32_t GetNPeers() const override
    {
        return m_group->GetNPeers();
    }

    uint32_t GetLargestMessage() const override
    {
        return m_group->GetLargestMessage();
    }

    Acceptance Post(Peer self, const Request& request) override;

    bool ConfirmsDelivery() const override
    {
        return m_group->ConfirmsDelivery();
    }

    int64_t AssignStreams(int64_t stream) override
    {
        return m_group->AssignStreams(stream);
    }

    void SetFiresStaleTimers(bool fire) override
    {
        m_group->SetFiresStaleTimers(fire);
    }

    /**
     * End the audit: find the messages that never arrived.
     * @param ended true if the run is complete; false if it was cut off, so that messages in
     * flight are no violation
     * @return true if there was no violation
     */
    bool Finish(bool ended = true);

    /** @return the current counts; those that Finish sets are zero before it. */
    const AuditCounts& GetCounts() const
    {
        return m_counts;
    }

    /** @return true if there was no violation so far; a post that is not accepted is none. */
    bool IsClean() const
    {
        return m_violation.empty();
    }

    /** @return one sentence on the first violation; empty if there was none. */
    const std::string& GetFirstViolation() const
    {
        return m_violation;
    }

    /** @return one sentence on the first violation of a kind; empty if there was none. @param kind
     * the kind */
    const std::string& GetFirstViolation(AuditViolation kind) const
    {
        return m_violations[static_cast<std::size_t>(kind)];
    }

    /** @return the number of posted messages without a final completion. */
    uint64_t CountUncompleted() const;

    /** @return the number of messages that are posted and have not ended. */
    uint64_t GetNInFlight() const
    {
        return m_records.GetN();
    }

    /**
     * Visit each posted message that has not been delivered to all its destinations.
     * @tparam Visit called with sender, destination and the user's id
     * @param visit the visitor
     */
    template <class Visit>
    void ForUndelivered(Visit visit) const
    {
        for (uint64_t slot = 0; slot < m_records.GetNSlots(); ++slot)
        {
            const Record& record = m_records[slot];
            if ((record.state & IN_USE) && record.missing > 0)
            {
                visit(record.from, record.to, record.id);
            }
        }
    }

    /**
     * Get the message that has some contents.
     * @param contents contents of a message that the audit has passed to the group
     * @return its id in the trace sources
     */
    static RequestId GetMessage(uint64_t contents);

    /** @param id id of a message in the trace sources @return its place, which other messages use
     * before and after it. */
    static uint32_t GetSlot(RequestId id)
    {
        return static_cast<uint32_t>(id >> SERIAL_BITS);
    }

    /** @param id id of a message in the trace sources @return the number of messages posted before
     * it. */
    static RequestId GetSerial(RequestId id)
    {
        return id & SERIAL_MASK;
    }

    std::string DescribeFrame(const Frame& frame) const override
    {
        return m_group->DescribeFrame(frame);
    }

    /**
     * Signature of the Post trace source.
     * @param self the sender
     * @param request the message
     */
    typedef void (*PostTracedCallback)(Peer self, const Request& request);

    /**
     * Signature of the Decline trace source.
     * @param self the sender
     * @param request the message
     * @param acceptance stalled or refused
     */
    typedef void (*DeclineTracedCallback)(Peer self, const Request& request, Acceptance acceptance);

    /**
     * Signature of the Deliver trace source.
     * @param self the receiver
     * @param delivery the message
     */
    typedef void (*DeliverTracedCallback)(Peer self, const Delivery& delivery);

    /**
     * Signature of the Complete trace source.
     * @param self the sender
     * @param id the request
     * @param completion its outcome
     */
    typedef void (*CompleteTracedCallback)(Peer self, RequestId id, Completion completion);

    /**
     * Signature of the Violation trace source.
     * @param kind kind of the violation
     * @param sentence description of the violation
     */
    typedef void (*ViolationTracedCallback)(AuditViolation kind, const std::string& sentence);

  protected:
    void DoDispose() override;

  private:
    /** A message in flight. */
    struct Record
    {
        uint64_t serial{0};   ///< Number of the message; in a free slot, of the previous one.
        uint64_t id{0};       ///< The user's id.
        uint64_t contents{0}; ///< The user's contents.
        Peer from{0};         ///< Sender.
        Peer to{0};           ///< Destination.
        uint32_t bytes{0};    ///< Size [bytes].
        uint32_t tag{0};      ///< The user's tag.
        uint32_t missing{0};  ///< Number of peers to which it has not been delivered.
        uint8_t flags{0};     ///< Options.
        uint8_t state{0};     ///< Bits of State.
    };

    /** State of a message. */
    enum State : uint8_t
    {
        IN_USE = 1,    ///< The slot is in use.
        COMPLETED = 2, ///< It is completed.
        RELEASED = 4,  ///< Its delivery is not guaranteed.
        LEFT = 8       ///< It is SENT, and the end is still to come.
    };

    static constexpr unsigned SERIAL_BITS = 38; ///< Bits of a message's number.
    static constexpr uint64_t SERIAL_MASK =
        (uint64_t{1} << SERIAL_BITS) - 1; ///< Mask of the number.

    void OnDeliver(Peer self, const Delivery& delivery) override;
    void OnComplete(Peer self, RequestId id, Completion completion) override;
    void OnReady(Peer self) override;

    /**
     * Free the slot of a message.
     * @param slot its slot
     */
    void Release(uint32_t slot);

    /**
     * Log a violation, and keep the first of its kind.
     * @param kind its kind
     * @param sentence description of the violation
     */
    void Report(AuditViolation kind, const std::string& sentence);

    /**
     * Describe a message.
     * @param record the message
     * @return a noun phrase
     */
    static std::string Describe(const Record& record);

    Ptr<MessageGroup> m_group;  ///< The audited group.
    SlotPool<Record> m_records; ///< Messages in flight.
    std::unordered_map<uint32_t, std::vector<bool>>
        m_reached; ///< By record of a broadcast and by peer, whether it has been delivered.
    /// Last delivered number plus one, by sender and receiver. Eight receivers share an entry: in
    /// an exchange among all peers, a sender's messages go to them one after another.
    std::unordered_map<uint64_t, std::array<uint64_t, 8>> m_nextOfPair;
    TracedCallback<Peer, const Request&> m_postTrace; ///< Fired before a message is posted.
    TracedCallback<Peer, const Request&, Acceptance>
        m_declineTrace;                                          ///< Fired if it is not accepted.
    TracedCallback<Peer, const Delivery&> m_deliverTrace;        ///< Fired for each delivery.
    TracedCallback<Peer, RequestId, Completion> m_completeTrace; ///< Fired for each completion.
    TracedCallback<AuditViolation, const std::string&> m_violationTrace; ///< For each violation.
    AuditCounts m_counts;                                                ///< The counts.
    std::string m_violation;                                             ///< The first violation.
    std::array<std::string, AUDIT_VIOLATIONS> m_violations; ///< The first one of each kind.
    uint64_t m_nextSerial{0};                               ///< Number of the next message.
    bool m_ordered{false};                                  ///< Order is guaranteed.
    bool m_reliable{false}; ///< Messages completed as SENT must arrive.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_AUDIT_H
