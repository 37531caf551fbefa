/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-audit.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-spread-bits.h"
#include "ns3/messaging-text.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingAudit");
NS_OBJECT_ENSURE_REGISTERED(DeliveryAudit);

namespace
{

/** Added to an ID, so that zero is mixed, too. */
constexpr uint64_t MIX_OFFSET = 0x9e3779b97f4a7c15;

/**
 * Map the ID of a message to contents by a bijection that mixes all bits, so that contents with any
 * bit changed match no existing message.
 * @param word the ID
 * @return the contents
 */
uint64_t
MixWord(uint64_t word)
{
    return SpreadBits(word + MIX_OFFSET);
}

} // namespace

TypeId
DeliveryAudit::GetTypeId()
{
    using A = DeliveryAudit;
    static TypeId tid =
        Attributes<A>(TypeId("ns3::messaging::DeliveryAudit")
                          .SetParent<MessageGroup>()
                          .SetGroupName("Messaging")
                          .AddConstructor<DeliveryAudit>())
            .AddAttribute("Ordered",
                          "Messages between two peers must arrive in the order posted [bool; "
                          "the protocol's promise].",
                          &A::m_ordered,
                          false)
            .AddAttribute("Reliable",
                          "Messages completed as SENT must arrive [bool; the protocol's promise].",
                          &A::m_reliable,
                          false)
            .AddTraceSource("Post",
                            "A message is passed to the audited group: peer and message, with the "
                            "id and contents of the audit.",
                            MakeTraceSourceAccessor(&A::m_postTrace),
                            "ns3::messaging::DeliveryAudit::PostTracedCallback")
            .AddTraceSource("Decline",
                            "The audited group has not accepted the message: peer, message and "
                            "acceptance.",
                            MakeTraceSourceAccessor(&A::m_declineTrace),
                            "ns3::messaging::DeliveryAudit::DeclineTracedCallback")
            .AddTraceSource("Deliver",
                            "The audited group delivers a message, sound or not: peer and message.",
                            MakeTraceSourceAccessor(&A::m_deliverTrace),
                            "ns3::messaging::DeliveryAudit::DeliverTracedCallback")
            .AddTraceSource("Complete",
                            "The audited group completes a message: peer, id and completion.",
                            MakeTraceSourceAccessor(&A::m_completeTrace),
                            "ns3::messaging::DeliveryAudit::CompleteTracedCallback")
            .AddTraceSource("Violation",
                            "The audited group has broken a promise: kind, one sentence.",
                            MakeTraceSourceAccessor(&A::m_violationTrace),
                            "ns3::messaging::DeliveryAudit::ViolationTracedCallback");
    return tid;
}

void
DeliveryAudit::DoDispose()
{
    if (m_group)
    {
        m_group->SetUser(nullptr);
        m_group = nullptr;
    }
    m_user = nullptr;
    MessageGroup::DoDispose();
}

RequestId
DeliveryAudit::GetMessage(uint64_t contents)
{
    return GatherBits(contents) - MIX_OFFSET; // The inverse of MixWord.
}

void
DeliveryAudit::SetGroup(Ptr<MessageGroup> group)
{
    m_group = group;
    m_group->SetUser(this);
}

void
DeliveryAudit::Release(uint32_t slot)
{
    if (m_records[slot].to == NO_PEER)
    {
        m_reached.erase(slot);
    }
    m_records[slot].state = 0;
    m_records.Free(slot);
}

Acceptance
DeliveryAudit::Post(Peer self, const Request& request)
{
    NS_ABORT_MSG_IF(m_records.GetN() > (~uint64_t{0} >> SERIAL_BITS),
                    "More messages are in flight than the delivery audit supports.");
    // Make the record first, since the group may deliver before Post returns.
    const uint64_t serial = m_nextSerial++ & SERIAL_MASK;
    const uint32_t receivers = request.to == NO_PEER ? GetNPeers() - 1 : 1;
    const uint32_t slot = m_records.Put(Record{.serial = serial,
                                               .id = request.id,
                                               .contents = request.contents,
                                               .from = self,
                                               .to = request.to,
                                               .bytes = request.bytes,
                                               .tag = request.tag,
                                               .missing = receivers,
                                               .flags = request.flags,
                                               .state = IN_USE});
    if (request.to == NO_PEER)
    {
        m_reached[slot].resize(GetNPeers());
    }
    Request stamped = request;
    stamped.id = (static_cast<uint64_t>(slot) << SERIAL_BITS) | serial;
    stamped.contents = MixWord(stamped.id);
    m_postTrace(self, stamped); // First, since the group may deliver before Post returns.
    const Acceptance acceptance = m_group->Post(self, stamped);
    if (acceptance == Acceptance::ACCEPTED)
    {
        m_counts.posted += receivers;
        return acceptance;
    }
    m_declineTrace(self, stamped, acceptance);
    if (acceptance == Acceptance::REFUSED)
    {
        ++m_counts.refused;
    }
    else
    {
        ++m_counts.stalled;
    }
    // The group may have posted another message within this post, which then has the last number.
    if (m_nextSerial == serial + 1)
    {
        m_nextSerial = serial;
    }
    Release(slot);
    return acceptance;
}

void
DeliveryAudit::OnDeliver(Peer self, const Delivery& delivery)
{
    m_deliverTrace(self, delivery);
    const uint64_t name = GetMessage(delivery.contents);
    const uint64_t serial = name & SERIAL_MASK;
    const auto slot = static_cast<uint32_t>(name >> SERIAL_BITS);
    if (slot >= m_records.GetNSlots() || serial > m_records[slot].serial || serial >= m_nextSerial)
    {
        ++m_counts.corrupted;
        Report(AuditViolation::CORRUPTED,
               "Peer " + std::to_string(self) +
                   " was delivered contents that no peer has posted, under message ID " +
                   std::to_string(delivery.id) + " of peer " + std::to_string(delivery.from) + ".");
        return;
    }
    Record& record = m_records[slot];
    const bool isBroadcast = record.to == NO_PEER;
    if (serial < record.serial || !(record.state & IN_USE) || record.missing == 0 ||
        (isBroadcast && m_reached.at(slot).at(self)))
    {
        ++m_counts.duplicates;
        Report(AuditViolation::DUPLICATE,
               "Message " + std::to_string(serial) + " from peer " + std::to_string(delivery.from) +
                   " was delivered to peer " + std::to_string(self) +
                   " a second time, under message ID " + std::to_string(delivery.id) + ".");
        return;
    }
    const bool misdirected = isBroadcast ? record.from == self : record.to != self;
    if (misdirected || record.from != delivery.from || record.bytes != delivery.bytes ||
        record.tag != delivery.tag || record.flags != delivery.flags)
    {
        ++m_counts.corrupted;
        Report(AuditViolation::CORRUPTED,
               Describe(record) + " was delivered to peer " + std::to_string(self) + " as one of " +
                   std::to_string(delivery.bytes) + " bytes from peer " +
                   std::to_string(delivery.from) + " with tag " + std::to_string(delivery.tag) +
                   " and flags " + std::to_string(delivery.flags) + ".");
        return;
    }
    if (m_ordered)
    {
        auto& receivers = m_nextOfPair[(uint64_t{delivery.from} << 32) | (self / 8)];
        uint64_t& next = receivers[self % 8];
        if (serial < next)
        {
            ++m_counts.misordered;
            Report(AuditViolation::MISORDERED,
                   Describe(record) + " was delivered after a message that was posted later.");
        }
        next = std::max(next, serial + 1);
    }
    if (isBroadcast)
    {
        m_reached.at(slot)[self] = true;
    }
    --record.missing;
    ++m_counts.delivered;
    Delivery restored = delivery;
    restored.contents = record.contents;
    if (record.missing == 0 && (record.state & COMPLETED))
    {
        Release(slot);
    }
    if (m_user)
    {
        m_user->OnDeliver(self, restored);
    }
}

void
DeliveryAudit::OnComplete(Peer self, RequestId id, Completion completion)
{
    m_completeTrace(self, id, completion);
    const uint64_t serial = id & SERIAL_MASK;
    const auto slot = static_cast<uint32_t>(id >> SERIAL_BITS);
    if (slot >= m_records.GetNSlots() || serial != m_records[slot].serial ||
        !(m_records[slot].state & IN_USE) || (m_records[slot].state & COMPLETED) ||
        m_records[slot].from != self)
    {
        ++m_counts.falsehoods;
        Report(AuditViolation::FALSEHOOD,
               "Peer " + std::to_string(self) + " received the completion (" + ToText(completion) +
                   ") of message " + std::to_string(serial) +
                   ", which is not its own or was completed before.");
        return;
    }
    Record& record = m_records[slot];
    const RequestId own = record.id;
    if (!IsFinal(completion))
    {
        if (record.state & LEFT)
        {
            ++m_counts.falsehoods;
            Report(AuditViolation::FALSEHOOD, Describe(record) + " was reported as sent twice.");
            return;
        }
        record.state |= LEFT;
        if (m_user)
        {
            m_user->OnComplete(self, own, completion);
        }
        return;
    }
    record.state |= COMPLETED;
    ++m_counts.completed;
    if (completion == Completion::UNREACHABLE || completion == Completion::FAILED)
    {
        ++m_counts.failed;
    }
    if (record.missing == 0)
    {
        Release(slot);
    }
    else if (completion == Completion::DELIVERED)
    {
        ++m_counts.falsehoods;
        Report(AuditViolation::FALSEHOOD,
               Describe(record) + " was reported as delivered before it was.");
    }
    else if (completion != Completion::SENT || !m_reliable)
    {
        record.state |= RELEASED;
    }
    if (m_user)
    {
        m_user->OnComplete(self, own, completion);
    }
}

void
DeliveryAudit::OnReady(Peer self)
{
    if (m_user)
    {
        m_user->OnReady(self);
    }
}

bool
DeliveryAudit::Finish(bool ended)
{
    m_counts.abandoned = 0;
    m_counts.missing = 0;
    m_counts.stuck = 0;
    m_counts.uncompleted = 0;
    for (uint32_t slot = 0; slot < m_records.GetNSlots(); ++slot)
    {
        const Record& record = m_records[slot];
        if (!(record.state & IN_USE))
        {
            continue;
        }
        if (record.state & RELEASED)
        {
            m_counts.abandoned += record.missing;
        }
        else if (!ended)
        {
            continue;
        }
        else if (record.missing == 0)
        {
            ++m_counts.uncompleted;
            Report(AuditViolation::UNCOMPLETED,
                   Describe(record) + " was delivered, but never completed.");
        }
        else
        {
            m_counts.missing += record.missing;
            if (!(record.state & COMPLETED))
            {
                m_counts.stuck += record.missing;
            }
            Report(AuditViolation::MISSING,
                   Describe(record) + " was never delivered" +
                       (record.to == NO_PEER ? " to all." : "."));
        }
    }
    return IsClean();
}

void
DeliveryAudit::Report(AuditViolation kind, const std::string& sentence)
{
    NS_LOG_INFO(sentence);
    m_violationTrace(kind, sentence);
    std::string& first = m_violations[static_cast<std::size_t>(kind)];
    if (!first.empty())
    {
        return;
    }
    first = sentence.substr(0, sentence.size() - 1) + ", at " +
            std::to_string(Simulator::Now().GetNanoSeconds()) + " ns.";
    if (m_violation.empty())
    {
        m_violation = first;
    }
}

uint64_t
DeliveryAudit::CountUncompleted() const
{
    uint64_t count = 0;
    for (uint64_t slot = 0; slot < m_records.GetNSlots(); ++slot)
    {
        const uint8_t state = m_records[slot].state;
        if ((state & IN_USE) && !(state & COMPLETED))
        {
            ++count;
        }
    }
    return count;
}

std::string
DeliveryAudit::Describe(const Record& record)
{
    return "Message " + std::to_string(record.serial) + " (request " + std::to_string(record.id) +
           ", " + std::to_string(record.bytes) + " bytes) from peer " +
           std::to_string(record.from) + " to " +
           (record.to == NO_PEER ? "all others" : "peer " + std::to_string(record.to));
}

} // namespace messaging
} // namespace ns3
