/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_AUDIT_H
#define MESSAGING_AUDIT_H

#include "ns3/messaging-group.h"
#include "ns3/traced-callback.h"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * The delivery audit: each message delivered once, intact, to its destination.
 */

namespace ns3
{
namespace messaging
{

/** Counts of a delivery audit, in messages; one to all others counts once for each. */
struct AuditCounts
{
    uint64_t posted{0};    ///< Messages that the protocol has accepted.
    uint64_t refused{0};   ///< Posts that the protocol has refused; they are not sent.
    uint64_t stalled{0};   ///< Posts that were stalled; they are not sent unless posted again.
    uint64_t delivered{0}; ///< Messages of those that have arrived, each counted once.
    uint64_t completed{0}; ///< Messages of those whose completion was reported.
    uint64_t abandoned{0}; ///< Messages that never arrived, without a promise to the sender.
    uint64_t duplicates{
        0};                ///< Deliveries of a message that had been delivered before. A violation.
    uint64_t corrupted{0}; ///< Deliveries that match no message as it was posted. A violation.
    uint64_t misordered{0}; ///< Deliveries after a later message of the same pair. A violation.
    uint64_t missing{
        0}; ///< Messages that should have arrived and have not; set by Finish. A violation.
    uint64_t stuck{0};      ///< Messages of those without a completion.
    uint64_t falsehoods{0}; ///< Completions that are false or repeated. A violation.
    uint64_t uncompleted{
        0}; ///< Delivered messages without a completion; set by Finish. A violation.
};

/**
 * Join the words that apply, as the observed outcome of a run or a promise.
 * @param words the words, each with whether it applies
 * @return those that apply, with commas
 */
std::string JoinWords(const std::vector<std::pair<bool, std::string>>& words);

/**
 * @ingroup messaging
 * A group around another that checks the promises of protocols: each message is delivered exactly
 * once, with the contents, size and marks with which it was posted, to its destination, in order
 * where that is promised; and it is completed once.
 *
 * It posts every message under an id and a contents of its own, both of which name the message, and
 * restores the user's own on delivery and completion. So it needs no help from the protocol and
 * detects a change of any bit, for some tens of nanoseconds a message and 48 bytes for each message
 * in flight. The ids it posts with are a count from
 * zero in their lower 38 bits.
 *
 * A delivery that is a violation is counted and not passed on. The first violation is kept as a
 * sentence. A message completed as SENT, UNREACHABLE or FAILED may arrive or not, but not twice.
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
     * @param group the group; no message may have been posted to it
     */
    void SetGroup(Ptr<MessageGroup> group);

    uint32_t GetNPeers() const override
    {
        return m_group->GetNPeers();
    }

    Acceptance Post(Peer self, const Request& request) override;

    /**
     * End the audit: find the messages that have never arrived.
     * @param ended true if the run is complete; false if it was cut off, so that messages in
     * flight are no violation
     * @return true if there was no violation
     */
    bool Finish(bool ended = true);

    /** @return the counts so far; those that Finish sets are zero before. */
    const AuditCounts& GetCounts() const
    {
        return m_counts;
    }

    /** @return true if there was no violation so far; posts that were not accepted are none. */
    bool IsClean() const
    {
        return m_violation.empty();
    }

    /** @return one sentence on the first violation; empty if there was none. */
    const std::string& GetFirstViolation() const
    {
        return m_violation;
    }

    /** @return the number of messages posted and not ended. */
    uint64_t GetNInFlight() const
    {
        return m_inFlight;
    }

    /**
     * Visit each message that has been posted and not delivered, or not to all.
     * @tparam Visit called with sender, destination and the user's id
     * @param visit the visitor
     */
    template <class Visit>
    void ForUndelivered(Visit visit) const
    {
        for (const Record& record : m_records)
        {
            if ((record.state & IN_USE) && !(record.state & DELIVERED))
            {
                visit(record.from, record.to, record.id);
            }
        }
    }

    /**
     * Signature of the Violation trace source.
     * @param sentence names the violation
     */
    typedef void (*ViolationTracedCallback)(const std::string& sentence);

  protected:
    void DoDispose() override;

  private:
    /** A message in flight. */
    struct Record
    {
        uint64_t serial{0};   ///< Number of the message, or of the last one that was kept here.
        uint64_t id{0};       ///< The user's own id.
        uint64_t contents{0}; ///< The user's own contents.
        Peer from{0};         ///< Sender; in a free record, the next free one.
        Peer to{0};           ///< Destination.
        uint32_t bytes{0};    ///< Size [bytes].
        uint32_t tag{0};      ///< The user's mark.
        uint8_t flags{0};     ///< Options.
        uint8_t state{0};     ///< Bits of State.
    };

    /** State of a message to all others, beside its record. */
    struct Broadcast
    {
        std::vector<bool> reached; ///< Peers that it has been delivered to.
        uint32_t missing{0};       ///< Number of the others.
    };

    /** State of a message. */
    enum State : uint8_t
    {
        IN_USE = 1,    ///< The record holds a message.
        DELIVERED = 2, ///< It has arrived.
        COMPLETED = 4, ///< It is completed.
        RELEASED = 8   ///< It may be lost.
    };

    static constexpr unsigned SERIAL_BITS = 38; ///< Bits of a message's number.
    static constexpr uint64_t SERIAL_MASK =
        (uint64_t{1} << SERIAL_BITS) - 1;        ///< Selects the number.
    static constexpr uint32_t NONE = 0xffffffff; ///< No record.

    void OnDeliver(Peer self, const Delivery& delivery) override;
    void OnComplete(Peer self, RequestId id, Completion completion) override;
    void OnReady(Peer self) override;

    /** @return the index of a free record. */
    uint32_t Allocate();

    /**
     * Forget a message.
     * @param slot its record
     */
    void Release(uint32_t slot);

    /**
     * Check whether a message arrives before all that were posted after it for the same peer.
     * @param self the peer
     * @param record the message
     * @return true if it does
     */
    bool IsInOrder(Peer self, const Record& record);

    /**
     * Record the delivery of a message to a peer.
     * @param slot its record
     * @param self the peer
     */
    void SetDelivered(uint32_t slot, Peer self);

    /**
     * Check whether a message in flight has been delivered to a peer.
     * @param slot its record
     * @param self the peer
     * @return true if it has
     */
    bool IsDelivered(uint32_t slot, Peer self) const;

    /**
     * Count the peers to which a message has not been delivered.
     * @param slot its record
     * @return the number
     */
    uint64_t GetNMissing(uint32_t slot) const;

    /**
     * Keep and trace a violation.
     * @param sentence names it
     */
    void Report(const std::string& sentence);

    /**
     * Name a message.
     * @param record the message
     * @return a phrase
     */
    static std::string Describe(const Record& record);

    Ptr<MessageGroup> m_group;     ///< The audited group.
    std::vector<Record> m_records; ///< Messages in flight, and free records.
    std::unordered_map<uint32_t, Broadcast>
        m_broadcasts; ///< More on messages to all others, by record.
    std::unordered_map<uint64_t, uint64_t>
        m_lastOfPair;        ///< Last number delivered, by sender and receiver.
    AuditCounts m_counts;    ///< The counts.
    std::string m_violation; ///< The first violation.
    TracedCallback<const std::string&> m_violationTrace; ///< Fired for each violation.
    uint64_t m_nextSerial{0};                            ///< Number of the next message.
    uint64_t m_inFlight{0};                              ///< Messages that have not ended.
    uint32_t m_free{NONE};                               ///< First free record.
    bool m_ordered{false};                               ///< Order is promised.
    bool m_reliable{false}; ///< Messages completed as SENT have to arrive.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_AUDIT_H
