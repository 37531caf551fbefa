/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-parameters.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-forwarded-attributes.h"

#include <algorithm>

namespace ns3
{
namespace pcode
{

NS_OBJECT_ENSURE_REGISTERED(PcodeParameters);

using messaging::Range;
using messaging::Ticks;

TypeId
PcodeParameters::GetTypeId()
{
    using P = PcodeParameters;
    using C = PcodeConfig;
    constexpr uint32_t ANY = ~0U;
    static TypeId tid =
        messaging::Attributes<P>(TypeId("ns3::pcode::PcodeParameters")
                                     .SetParent<Object>()
                                     .SetGroupName("Pcode")
                                     .AddConstructor<P>())
            .In(&P::m_config)
            .AddAttribute("GlobalCounter",
                          "Messages carry a GlobalCounter [bool; section 5.1].",
                          &C::globalCounter)
            .AddAttribute("FlowControl",
                          "FLOW_WINDOW stops multicasts; needs GlobalCounter [bool; section 5.2].",
                          &C::flowControl)
            .AddAttribute("ProgressOnDemand",
                          "A multicast that waits for FLOW_WINDOW requests PROGRESS, and nodes "
                          "volunteer it when counters lie far apart [bool; section 5.2].",
                          &C::progressOnDemand)
            .AddAttribute("PersonalGapNack",
                          "A gap in a source's PersonalCounts causes a NACK [bool; section 5.3].",
                          &C::personalGapNack)
            .AddAttribute("GlobalGapNack",
                          "A gap in the GlobalCounters causes a NACK; needs GlobalCounter [bool; "
                          "section 5.3].",
                          &C::globalGapNack)
            .AddAttribute("EarlyMessages",
                          "Messages that arrive too early are kept [bool; section 5.4].",
                          &C::earlyMessages)
            .AddAttribute("PeriodicStatus",
                          "STATUS is sent every STATUS_WINDOW counters; needs GlobalCounter [bool; "
                          "section 5.5].",
                          &C::periodicStatus)
            .AddAttribute("DirectMessages",
                          "Messages to one node are sent point to point [bool; section 5.6].",
                          &C::directMessages)
            .AddAttribute("DirectFlow",
                          "Messages to one node wait for room in its input buffer [bool; default, "
                          "section 5.6 has their recovery only].",
                          &C::directFlow)
            .AddAttribute("DirectNacks",
                          "NACKs of a known source are sent to it alone [bool; section 5.6].",
                          &C::directNacks)
            .AddAttribute("SendBuffer",
                          "Buffer of sent messages; a multicast waits while it is full [messages; "
                          "32 KB at 1 KB a message, half of a receive buffer, B-amb-4].",
                          &C::sendBuffer,
                          Range(1U, ANY - 1))
            .AddAttribute("Slots",
                          "Input buffer for each source [messages; section 3, at least one].",
                          &C::slots,
                          Range(1U, ANY))
            .AddAttribute("EarlyBuffer",
                          "Buffer of early messages, for all sources together [messages; as "
                          "SendBuffer, B-amb-4].",
                          &C::earlyBuffer)
            .AddAttribute("StatusWindow",
                          "STATUS_WINDOW: growth of the GlobalCounter after which STATUS is sent "
                          "[counters; half of SendBuffer, B-amb-4].",
                          &C::statusWindow,
                          Range(1U, ANY))
            .AddAttribute(
                "Dither",
                "Send half of the repeated frames twice, by a fixed sequence of each node. With "
                "the same frames in each period, a network that loses exactly every n-th frame may "
                "lose the same one each time [bool; default, not in the paper].",
                &C::dither)
            .AddAttribute("LiteralDiscard",
                          "Discard a sent message when its target set has acknowledged it, not all "
                          "nodes; a group can deadlock [bool; section 4].",
                          &C::literalDiscard)
            .AddAttribute("FlowWindow",
                          "FLOW_WINDOW: maximum difference between GlobalCounters; 0 for the sum "
                          "of STATUS_WINDOW and the number of nodes, by which the counter grows "
                          "when all send in turn [counters; B-amb-4].",
                          &C::flowWindow)
            .AddAttribute("FlowPatience",
                          "Waits of a multicast for FLOW_WINDOW, after which it is sent "
                          "nevertheless; 0 for no limit, with which a group can deadlock [waits; "
                          "default, section 5.2 has no limit].",
                          &C::flowPatience)
            .AddAttribute("RequestDelay",
                          "Delay from a request to its first NACK; 0 for none, as in P0 and P1 "
                          "[s; section 5.7, one step of a timer, B-amb-4].",
                          &P::m_requestDelay,
                          MilliSeconds(10),
                          Time(0))
            .AddAttribute("PersonalDelay",
                          "Delay from a gap in a source's PersonalCounts to its NACK [s; section "
                          "5.7, at once, since a LAN keeps the order of a source's messages].",
                          &P::m_personalDelay,
                          Time(0),
                          Time(0))
            .AddAttribute("GlobalDelay",
                          "Delay from a gap in the GlobalCounters to its NACK [s; section 5.7, one "
                          "step of a timer, since messages of different sources arrive out of "
                          "order, B-amb-4].",
                          &P::m_globalDelay,
                          MilliSeconds(10),
                          Time(0))
            .AddAttribute(
                "NackPeriod",
                "Interval between NACKs for the same message, polls of a waiting multicast, and "
                "retransmissions of a point-to-point message [s; section 5.7, HoldOff and one step "
                "of a timer, B-amb-4].",
                &P::m_nackPeriod,
                MilliSeconds(30),
                NanoSeconds(1))
            .AddAttribute("NackStagger",
                          "Difference between the NackPeriods of neighbours, and between the first "
                          "NACKs of one node to two others. Nodes with equal periods and without "
                          "jitter send their NACKs simultaneously, and lose them all on a network "
                          "with collisions [s; default].",
                          &P::m_nackStagger,
                          Time(0),
                          Time(0))
            .AddAttribute("HoldOff",
                          "Time after a transmission in which the message is not resent, to "
                          "prevent storms in response to NACKs [s; two steps of a timer, B-amb-4].",
                          &P::m_holdOff,
                          MilliSeconds(20),
                          Time(0));
    return tid;
}

Ptr<PcodeParameters>
PcodeParameters::AsP0() const
{
    auto plain = AsP1();
    plain->m_config.sendBuffer = PcodeConfig::UNBOUNDED;
    plain->m_config.slots = 1;
    plain->m_holdOff = Time(0);
    return plain;
}

Ptr<PcodeParameters>
PcodeParameters::AsP1() const
{
    auto plain = CreateObject<PcodeParameters>();
    messaging::CopyAttributes(this, plain);
    plain->m_config.RemoveAdditions();
    plain->m_requestDelay = Time(0);
    return plain;
}

std::string
PcodeParameters::Check() const
{
    const TargetGroups nobody(0);
    return MakeConfig(nobody, 0, NanoSeconds(1)).Check();
}

PcodeConfig
PcodeParameters::MakeConfig(const TargetGroups& groups, uint32_t maxMessage, Time tick) const
{
    const auto ticks = [tick](Time span) {
        return static_cast<Ticks>(span.GetTimeStep() / tick.GetTimeStep());
    };
    PcodeConfig config = m_config;
    config.groups = &groups;
    config.maxMessage = maxMessage;
    if (m_config.flowWindow == 0)
    {
        config.flowWindow = groups.GetNNodes() + m_config.statusWindow;
    }
    config.requestDelay = ticks(m_requestDelay);
    config.personalDelay = ticks(m_personalDelay);
    config.globalDelay = ticks(m_globalDelay);
    config.nackPeriod = std::max<Ticks>(ticks(m_nackPeriod), 1);
    config.nackStagger = ticks(m_nackStagger);
    config.holdOff = ticks(m_holdOff);
    return config;
}

} // namespace pcode
} // namespace ns3
