/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-group.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <charconv>

namespace ns3
{
namespace idempotent
{

NS_LOG_COMPONENT_DEFINE("IdempotentGroup");
NS_OBJECT_ENSURE_REGISTERED(IdempotentGroup);

namespace
{

/**
 * Read a retention.
 * @param text "auto" or a number of ticks
 * @param ticks the number, if it is one
 * @return whether the text is one of the two
 */
bool
ReadRetention(const std::string& text, messaging::Ticks& ticks)
{
    if (text == "auto")
    {
        return true;
    }
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, ticks);
    return error == std::errc() && rest == end;
}

} // namespace

TypeId
IdempotentGroup::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::idempotent::IdempotentGroup")
            .SetParent<messaging::MessageGroup>()
            .SetGroupName("Idempotent")
            .AddAttribute("SendTableSize",
                          "Entries of each node's send table; a full one stalls the processor "
                          "[entries; section 4.5].",
                          UintegerValue(16),
                          MakeUintegerAccessor(&IdempotentGroup::m_sendTable),
                          MakeUintegerChecker<uint32_t>(1, 32768))
            .AddAttribute("ReceiveTableSize",
                          "Entries of each node's receive table; a full one drops new messages "
                          "[entries; section 4.5].",
                          UintegerValue(32),
                          MakeUintegerAccessor(&IdempotentGroup::m_receiveTable),
                          MakeUintegerChecker<uint32_t>(1, 32768))
            .AddAttribute("Backoff",
                          "Backoff policy; C n^2 with C = 3 if none is given [-; section 4.3].",
                          PointerValue(),
                          MakePointerAccessor(&IdempotentGroup::m_backoff),
                          MakePointerChecker<BackoffPolicy>())
            .AddAttribute("FirstAttempt",
                          "Value of n in the backoff of a packet's first transmission "
                          "[-; section 4.3 counts attempts, the first one being the first].",
                          UintegerValue(1),
                          MakeUintegerAccessor(&IdempotentGroup::m_firstAttempt),
                          MakeUintegerChecker<uint32_t>(0, 1))
            .AddAttribute("Retention",
                          "How long a record is kept after its CONF: a number, or auto for what "
                          "the network states as its largest slip, which is none if it keeps "
                          "order [cycles; section 2.3].",
                          StringValue("auto"),
                          MakeStringAccessor(&IdempotentGroup::m_retention),
                          MakeStringChecker())
            .AddAttribute("IdBits",
                          "Bits of a message ID; when they are used up the network is drained "
                          "[bits; section 2.2].",
                          UintegerValue(MESSAGE_ID_BITS),
                          MakeUintegerAccessor(&IdempotentGroup::m_idBits),
                          MakeUintegerChecker<uint8_t>(1, MESSAGE_ID_BITS))
            .AddAttribute("DrainTime",
                          "How long all tables have to be empty before IDs are used again; longer "
                          "than any packet stays in the network [cycles; default].",
                          UintegerValue(10000),
                          MakeUintegerAccessor(&IdempotentGroup::m_drainTime),
                          MakeUintegerChecker<uint64_t>(1))
            .AddAttribute("Variant",
                          "The protocol as published, or one of the shortcuts of Figures 3 to 5 "
                          "[-; sections 2.2 and 2.3].",
                          EnumValue(Variant::SOUND),
                          MakeEnumAccessor<Variant>(&IdempotentGroup::m_variant),
                          MakeEnumChecker(Variant::SOUND,
                                          "sound",
                                          Variant::SHORT_IDS,
                                          "short-ids",
                                          Variant::SECONDARY_IDS,
                                          "secondary-ids",
                                          Variant::NO_RETENTION,
                                          "no-retention"))
            .AddAttribute("SourceBusy",
                          "What a busy port means: a failed attempt, which waits for its "
                          "retransmission, or a wait for the port [-; default].",
                          EnumValue(SourceBusy::WAIT),
                          MakeEnumAccessor<SourceBusy>(&IdempotentGroup::m_sourceBusy),
                          MakeEnumChecker(SourceBusy::FAILED_ATTEMPT,
                                          "failed-attempt",
                                          SourceBusy::WAIT,
                                          "wait"))
            .AddAttribute("ImmediateAck",
                          "Answer a duplicate message by an ACK at once; section 2.1 ignores it "
                          "[bool; default].",
                          BooleanValue(false),
                          MakeBooleanAccessor(&IdempotentGroup::m_immediateAck),
                          MakeBooleanChecker())
            .AddAttribute("AnswersFirst",
                          "Let ACK and CONF leave a node before its MSG that wait for the port "
                          "too, rather than in the order in which they have come up "
                          "[bool; default].",
                          BooleanValue(false),
                          MakeBooleanAccessor(&IdempotentGroup::m_answersFirst),
                          MakeBooleanChecker())
            .AddAttribute("PiggybackReply",
                          "Let the reply to a remote reference ride in the ACK of its request "
                          "[bool; section 6].",
                          BooleanValue(false),
                          MakeBooleanAccessor(&IdempotentGroup::m_piggybackReply),
                          MakeBooleanChecker())
            .AddAttribute("MessageHeader",
                          "Header of a message that its posted size omits; 0 if that includes it "
                          "[bytes; Figure 2].",
                          UintegerValue(ACK_BYTES),
                          MakeUintegerAccessor(&IdempotentGroup::m_messageHeader),
                          MakeUintegerChecker<uint16_t>(0, 1024))
            .AddTraceSource("Event",
                            "Something has happened on a node.",
                            MakeTraceSourceAccessor(&IdempotentGroup::m_eventTrace),
                            "ns3::idempotent::IdempotentGroup::EventTracedCallback");
    return tid;
}

IdempotentGroup::IdempotentGroup() = default;

IdempotentGroup::~IdempotentGroup() = default;

std::string
IdempotentGroup::Check() const
{
    messaging::Ticks ticks = 0;
    if (!ReadRetention(m_retention, ticks))
    {
        return "Retention is \"" + m_retention + "\"; auto or a whole number of cycles is allowed.";
    }
    if (m_variant == Variant::SHORT_IDS && m_idBits > 16)
    {
        return "IdBits is " + std::to_string(m_idBits) + " with short IDs; 1 to 16 bits are short.";
    }
    return m_backoff ? m_backoff->Check() : "";
}

std::string
IdempotentGroup::Check(const messaging::PortInfo& info, uint32_t peers) const
{
    if (peers > (1U << NODE_BITS))
    {
        return "An ACK names up to " + std::to_string(1U << NODE_BITS) + " nodes; there are " +
               std::to_string(peers) + ".";
    }
    if (m_retention == "auto" && !info.ordered && info.maxSlip == messaging::NEVER)
    {
        return "Retention is auto, but the network reorders without a bound; a number of cycles is "
               "allowed.";
    }
    return Check();
}

void
IdempotentGroup::Configure(const messaging::PortInfo& info, uint32_t peers)
{
    const std::string wrong = Check(info, peers);
    NS_ABORT_MSG_IF(!wrong.empty(), wrong);
    messaging::Ticks retention = 0;
    if (m_retention != "auto")
    {
        ReadRetention(m_retention, retention);
    }
    else if (!info.ordered)
    {
        retention = info.maxSlip;
    }
    m_config.backoff =
        (m_backoff ? m_backoff : Ptr<BackoffPolicy>(CreateObject<QuadraticBackoff>()))->MakeTable();
    m_config.retention = retention;
    m_config.sendTable = m_sendTable;
    m_config.receiveTable = m_receiveTable;
    m_config.firstAttempt = m_firstAttempt;
    m_config.nodes = peers;
    m_config.mtu = info.mtu;
    m_config.messageHeader = m_messageHeader;
    m_config.idBits = m_idBits;
    m_config.variant = m_variant;
    m_config.sourceBusy = m_sourceBusy;
    m_config.immediateAck = m_immediateAck;
    m_config.answersFirst = m_answersFirst;
    m_config.piggybackReply = m_piggybackReply;
}

} // namespace idempotent
} // namespace ns3
