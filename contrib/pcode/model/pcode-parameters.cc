/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-parameters.h"

#include "ns3/boolean.h"
#include "ns3/enum.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace pcode
{

NS_OBJECT_ENSURE_REGISTERED(PcodeParameters);

TypeId
PcodeParameters::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::pcode::PcodeParameters")
            .SetParent<Object>()
            .SetGroupName("Pcode")
            .AddConstructor<PcodeParameters>()
            .AddAttribute("GlobalCounter",
                          "Whether messages carry a GlobalCounter [bool; section 5.1].",
                          BooleanValue(true),
                          MakeBooleanAccessor(&PcodeParameters::m_globalCounter),
                          MakeBooleanChecker())
            .AddAttribute(
                "FlowControl",
                "Whether FLOW_WINDOW stops multicasts; needs GlobalCounter [bool; section 5.2].",
                BooleanValue(true),
                MakeBooleanAccessor(&PcodeParameters::m_flowControl),
                MakeBooleanChecker())
            .AddAttribute(
                "Progress",
                "Whether PROGRESS is asked for by a multicast that waits for FLOW_WINDOW, and "
                "volunteered when counters lie far apart [bool; section 5.2].",
                BooleanValue(true),
                MakeBooleanAccessor(&PcodeParameters::m_progressOnDemand),
                MakeBooleanChecker())
            .AddAttribute(
                "PersonalGapNack",
                "Whether a gap in a source's PersonalCounts causes a NACK [bool; section 5.3].",
                BooleanValue(true),
                MakeBooleanAccessor(&PcodeParameters::m_personalGapNack),
                MakeBooleanChecker())
            .AddAttribute("GlobalGapNack",
                          "Whether a gap in the GlobalCounters causes a NACK; needs GlobalCounter "
                          "[bool; section 5.3].",
                          BooleanValue(true),
                          MakeBooleanAccessor(&PcodeParameters::m_globalGapNack),
                          MakeBooleanChecker())
            .AddAttribute("EarlyMessages",
                          "Whether messages that come too early are kept [bool; section 5.4].",
                          BooleanValue(true),
                          MakeBooleanAccessor(&PcodeParameters::m_earlyMessages),
                          MakeBooleanChecker())
            .AddAttribute("PeriodicStatus",
                          "Whether STATUS is sent every STATUS_WINDOW counters; needs "
                          "GlobalCounter [bool; section 5.5].",
                          BooleanValue(true),
                          MakeBooleanAccessor(&PcodeParameters::m_periodicStatus),
                          MakeBooleanChecker())
            .AddAttribute(
                "DirectMessages",
                "Whether messages to one processor are sent point to point [bool; section 5.6].",
                BooleanValue(true),
                MakeBooleanAccessor(&PcodeParameters::m_directMessages),
                MakeBooleanChecker())
            .AddAttribute("DirectFlow",
                          "Whether messages to one processor wait for room in its input buffer "
                          "[bool; default, section 5.6 tells of their recovery only].",
                          BooleanValue(true),
                          MakeBooleanAccessor(&PcodeParameters::m_directFlow),
                          MakeBooleanChecker())
            .AddAttribute(
                "DirectNacks",
                "Whether NACKs of a known source are sent to it alone [bool; section 5.6].",
                BooleanValue(true),
                MakeBooleanAccessor(&PcodeParameters::m_directNacks),
                MakeBooleanChecker())
            .AddAttribute("SendBuffer",
                          "Messages that a sender keeps, a full one makes a multicast wait "
                          "[messages; 32 KB at 1 KB a message, half of a receive buffer, B-amb-4].",
                          UintegerValue(32),
                          MakeUintegerAccessor(&PcodeParameters::m_sendBuffer),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Slots",
                          "Input buffer for each source [messages; section 3, at least one].",
                          UintegerValue(1),
                          MakeUintegerAccessor(&PcodeParameters::m_slots),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("EarlyBuffer",
                          "Buffer of messages that came too early, for all sources together "
                          "[messages; as SendBuffer, B-amb-4].",
                          UintegerValue(32),
                          MakeUintegerAccessor(&PcodeParameters::m_earlyBuffer),
                          MakeUintegerChecker<uint32_t>(0))
            .AddAttribute("StatusWindow",
                          "STATUS_WINDOW: growth of the GlobalCounter after which STATUS is sent "
                          "[counters; half of SendBuffer, B-amb-4].",
                          UintegerValue(16),
                          MakeUintegerAccessor(&PcodeParameters::m_statusWindow),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("FlowPatience",
                          "Waits of PollPeriod after which a multicast goes though FLOW_WINDOW "
                          "forbids it; 0 for never, as in section 5.2, which can deadlock [waits; "
                          "default].",
                          UintegerValue(3),
                          MakeUintegerAccessor(&PcodeParameters::m_flowPatience),
                          MakeUintegerChecker<uint32_t>(0))
            .AddAttribute(
                "Header",
                "Header of every frame: type, sender, target set, two counters [bytes; B-amb-4].",
                UintegerValue(16),
                MakeUintegerAccessor(&PcodeParameters::m_header),
                MakeUintegerChecker<uint16_t>(0, 256))
            .AddAttribute("CounterBytes",
                          "Length of a counter in a STATUS [bytes; B-amb-4].",
                          UintegerValue(4),
                          MakeUintegerAccessor(&PcodeParameters::m_counterBytes),
                          MakeUintegerChecker<uint16_t>(1))
            .AddAttribute("FlowWindow",
                          "FLOW_WINDOW: largest difference between the GlobalCounters seen; 0 for "
                          "the number of processors, by which the counter grows when all send in "
                          "turn, and STATUS_WINDOW [counters; B-amb-4].",
                          UintegerValue(0),
                          MakeUintegerAccessor(&PcodeParameters::m_flowWindow),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("RequestDelay",
                          "From a request to its first NACK; 0 for at once, as in P0 and P1 [Time; "
                          "section 5.7, one step of a timer, B-amb-4].",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&PcodeParameters::m_requestDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PersonalDelay",
                          "From a gap in PersonalCounts to its NACK [Time; section 5.7, at once, "
                          "since a LAN keeps the order of a source's messages].",
                          TimeValue(MilliSeconds(0)),
                          MakeTimeAccessor(&PcodeParameters::m_personalDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("GlobalDelay",
                          "From a gap in GlobalCounters to its NACK [Time; section 5.7, one step "
                          "of a timer, since sources overtake each other, B-amb-4].",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&PcodeParameters::m_globalDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("NackPeriod",
                          "Between NACKs for the same message [Time; section 5.7, HoldOff and one "
                          "step of a timer, B-amb-4].",
                          TimeValue(MilliSeconds(30)),
                          MakeTimeAccessor(&PcodeParameters::m_nackPeriod),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("NackStagger",
                          "By how much each processor's NackPeriod is longer than that of the one "
                          "before. Processors without any jitter whose periods are equal send "
                          "their NACKs in step for ever, and lose them all on a network where "
                          "frames that begin at once collide [Time; default].",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&PcodeParameters::m_nackStagger),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PollPeriod",
                          "Between polls for STATUS by a multicast that waits [Time; as "
                          "NackPeriod, B-amb-4].",
                          TimeValue(MilliSeconds(30)),
                          MakeTimeAccessor(&PcodeParameters::m_pollPeriod),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("DirectPeriod",
                          "Between sendings of a point-to-point message that is not answered "
                          "[Time; section 5.6, as NackPeriod, B-amb-4].",
                          TimeValue(MilliSeconds(30)),
                          MakeTimeAccessor(&PcodeParameters::m_directPeriod),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("HoldOff",
                          "For how long a message that was sent is not sent again, so that NACKs "
                          "do not add up to a storm [Time; two steps of a timer, B-amb-4].",
                          TimeValue(MilliSeconds(20)),
                          MakeTimeAccessor(&PcodeParameters::m_holdOff),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Linger",
                          "Whether a transport layer that is told of its program's end goes on "
                          "until all programs have ended; otherwise it is gone at once, which "
                          "deadlocks [bool; default].",
                          BooleanValue(true),
                          MakeBooleanAccessor(&PcodeParameters::m_linger),
                          MakeBooleanChecker())
            .AddAttribute(
                "Discard",
                "When a sent message is discarded: all, when every processor has it; target-set, "
                "when its targets have it, which deadlocks; fresh-mark, the same, and every "
                "message tells what is kept; stale-mark, the same, but resent exactly as first "
                "sent, which deadlocks. The marks need GlobalCounter to be off [-; section 4].",
                EnumValue(DiscardRule::ALL),
                MakeEnumAccessor<DiscardRule>(&PcodeParameters::m_discard),
                MakeEnumChecker(DiscardRule::ALL,
                                "all",
                                DiscardRule::TARGET_SET,
                                "target-set",
                                DiscardRule::FRESH_MARK,
                                "fresh-mark",
                                DiscardRule::STALE_MARK,
                                "stale-mark"));
    return tid;
}

PcodeParameters::PcodeParameters() = default;

PcodeParameters::~PcodeParameters() = default;

Ptr<PcodeParameters>
PcodeParameters::WithoutAdditions() const
{
    auto plain = CreateObject<PcodeParameters>();
    messaging::CopyAttributes(Ptr<const PcodeParameters>(this), plain);
    for (const std::string addition : {"GlobalCounter",
                                       "FlowControl",
                                       "Progress",
                                       "PersonalGapNack",
                                       "GlobalGapNack",
                                       "EarlyMessages",
                                       "PeriodicStatus",
                                       "DirectMessages",
                                       "DirectNacks"})
    {
        plain->SetAttribute(addition, BooleanValue(false));
    }
    plain->SetAttribute("RequestDelay", TimeValue(Time(0)));
    return plain;
}

std::string
PcodeParameters::Check() const
{
    const TargetGroups nobody(0);
    ListStore lists;
    return MakeConfig(nobody, lists, 0, NanoSeconds(1)).Check();
}

PcodeConfig
PcodeParameters::MakeConfig(const TargetGroups& groups,
                            ListStore& lists,
                            uint32_t maxMessage,
                            Time tick) const
{
    const auto ticks = [tick](Time span) {
        return static_cast<messaging::Ticks>(span.GetTimeStep() / tick.GetTimeStep());
    };
    PcodeConfig config;
    config.groups = &groups;
    config.lists = &lists;
    config.maxMessage = maxMessage;
    config.globalCounter = m_globalCounter;
    config.flowControl = m_flowControl;
    config.progressOnDemand = m_progressOnDemand;
    config.personalGapNack = m_personalGapNack;
    config.globalGapNack = m_globalGapNack;
    config.earlyMessages = m_earlyMessages;
    config.periodicStatus = m_periodicStatus;
    config.directMessages = m_directMessages;
    config.directFlow = m_directFlow;
    config.directNacks = m_directNacks;
    config.sendBuffer = m_sendBuffer;
    config.slots = m_slots;
    config.earlyBuffer = m_earlyBuffer;
    config.statusWindow = m_statusWindow;
    config.flowPatience = m_flowPatience;
    config.header = m_header;
    config.counterBytes = m_counterBytes;
    config.flowWindow = m_flowWindow == 0 ? groups.GetNProcessors() + m_statusWindow : m_flowWindow;
    config.requestDelay = ticks(m_requestDelay);
    config.personalDelay = ticks(m_personalDelay);
    config.globalDelay = ticks(m_globalDelay);
    config.nackPeriod = std::max<messaging::Ticks>(ticks(m_nackPeriod), 1);
    config.nackStagger = ticks(m_nackStagger);
    config.pollPeriod = std::max<messaging::Ticks>(ticks(m_pollPeriod), 1);
    config.directPeriod = std::max<messaging::Ticks>(ticks(m_directPeriod), 1);
    config.holdOff = ticks(m_holdOff);
    config.linger = m_linger;
    config.discard = m_discard;
    return config;
}

} // namespace pcode
} // namespace ns3
