/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-group.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/nstime.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace eqa
{

NS_LOG_COMPONENT_DEFINE("EqaGroup");
NS_OBJECT_ENSURE_REGISTERED(EqaGroup);

using messaging::Acceptance;
using messaging::NO_PEER;
using messaging::Peer;

namespace
{

/** Largest part of a DP; all parts of all DPs are memory that is taken [bytes]. */
constexpr uint32_t LARGEST_BUFFER = 1 << 20;

} // namespace

TypeId
EqaGroup::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::eqa::EqaGroup")
            .SetParent<messaging::MessageGroup>()
            .SetGroupName("Eqa")
            .AddAttribute("Broadcast",
                          "How a message to all is broadcast [-; sections 3.2 and 3.3].",
                          EnumValue(BroadcastKind::PUSH_PULL),
                          MakeEnumAccessor<BroadcastKind>(&EqaGroup::Set<&EqaConfig::broadcast>,
                                                          &EqaGroup::Get<&EqaConfig::broadcast>),
                          MakeEnumChecker(BroadcastKind::SIMPLE,
                                          "simple",
                                          BroadcastKind::PUSH_PULL,
                                          "push-pull"))
            .AddAttribute("Btp1",
                          "BTP_1, what is pushed first [bytes; section 4.1].",
                          UintegerValue(80),
                          MakeUintegerAccessor(&EqaGroup::Set<&EqaConfig::btp1>,
                                               &EqaGroup::Get<&EqaConfig::btp1>),
                          MakeUintegerChecker<uint32_t>(0, 65536))
            .AddAttribute("Btp2",
                          "BTP_2, what is pushed after it [bytes; section 4.1].",
                          UintegerValue(780),
                          MakeUintegerAccessor(&EqaGroup::Set<&EqaConfig::btp2>,
                                               &EqaGroup::Get<&EqaConfig::btp2>),
                          MakeUintegerChecker<uint32_t>(0, 65536))
            .AddAttribute("Window",
                          "Packets of a channel that are not acknowledged by all; an even number "
                          "[packets; section 3.2].",
                          UintegerValue(16),
                          MakeUintegerAccessor(&EqaGroup::Set<&EqaConfig::window>,
                                               &EqaGroup::Get<&EqaConfig::window>),
                          MakeUintegerChecker<uint32_t>(2, 4096))
            .AddAttribute("MaxPayload",
                          "Largest payload of a packet; no more than the network and a slot of the "
                          "retransmission buffer take [bytes; 1500 less a frame's header].",
                          UintegerValue(1464),
                          MakeUintegerAccessor(&EqaGroup::Set<&EqaConfig::maxPayload>,
                                               &EqaGroup::Get<&EqaConfig::maxPayload>),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("MaxMessage",
                          "Largest message [bytes; default].",
                          UintegerValue(1 << 20),
                          MakeUintegerAccessor(&EqaGroup::Set<&EqaConfig::maxMessage>,
                                               &EqaGroup::Get<&EqaConfig::maxMessage>),
                          MakeUintegerChecker<uint32_t>(0))
            .AddAttribute("ReceiveRing",
                          "Descriptors of a card's receive ring; frames beyond are lost in the "
                          "card [frames; Linux 2.2 for the 21140].",
                          UintegerValue(32),
                          MakeUintegerAccessor(&EqaGroup::Set<&EqaConfig::receiveRing>,
                                               &EqaGroup::Get<&EqaConfig::receiveRing>),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Chosen",
                          "Which receiver acknowledges the push phase of a broadcast, counted from "
                          "the root [-; section 3.3 has one, not which].",
                          UintegerValue(0),
                          MakeUintegerAccessor(&EqaGroup::Set<&EqaConfig::chosen>,
                                               &EqaGroup::Get<&EqaConfig::chosen>),
                          MakeUintegerChecker<uint32_t>(0))
            .AddAttribute("RotateChosen",
                          "Whether the next receiver does with the next message [bool; default].",
                          BooleanValue(false),
                          MakeBooleanAccessor(&EqaGroup::Set<&EqaConfig::rotate>,
                                              &EqaGroup::Get<&EqaConfig::rotate>),
                          MakeBooleanChecker())
            .AddAttribute(
                "ConfirmAll",
                "Whether every receiver acknowledges a broadcast that was pushed whole; otherwise "
                "the chosen one does, and the others when asked [bool; section 3.3].",
                BooleanValue(false),
                MakeBooleanAccessor(&EqaGroup::Set<&EqaConfig::confirmAll>,
                                    &EqaGroup::Get<&EqaConfig::confirmAll>),
                MakeBooleanChecker())
            .AddAttribute(
                "Release",
                "When receivers of a push-pull broadcast acknowledge besides the chosen one: "
                "together, all at every packet that ends half a window, and at the end of a "
                "message with a pull phase; in-turn, each at one packet of half a window, and "
                "different ones at different packets [-; default, section 3.3 does not tell].",
                EnumValue(ReleaseRule::TOGETHER),
                MakeEnumAccessor<ReleaseRule>(&EqaGroup::Set<&EqaConfig::release>,
                                              &EqaGroup::Get<&EqaConfig::release>),
                MakeEnumChecker(ReleaseRule::TOGETHER, "together", ReleaseRule::IN_TURN, "in-turn"))
            .AddAttribute("SplitShort",
                          "Whether BTP_1 leaves in a packet of its own if the whole message is "
                          "pushed, too [bool; section 2].",
                          BooleanValue(true),
                          MakeBooleanAccessor(&EqaGroup::Set<&EqaConfig::splitShort>,
                                              &EqaGroup::Get<&EqaConfig::splitShort>),
                          MakeBooleanChecker())
            .AddAttribute("CrossSpaceZeroBuffer",
                          "Whether the handler copies a packet straight to its destination, and "
                          "not through a buffer of the kernel [bool; section 2].",
                          BooleanValue(true),
                          MakeBooleanAccessor(&EqaGroup::Set<&EqaConfig::zeroBuffer>,
                                              &EqaGroup::Get<&EqaConfig::zeroBuffer>),
                          MakeBooleanChecker())
            .AddAttribute(
                "MaskTranslation",
                "Whether addresses are translated while the push is on its way [bool; section 2].",
                BooleanValue(true),
                MakeBooleanAccessor(&EqaGroup::Set<&EqaConfig::maskTranslation>,
                                    &EqaGroup::Get<&EqaConfig::maskTranslation>),
                MakeBooleanChecker())
            .AddAttribute(
                "OverlapAcknowledge",
                "Whether the pull leaves after BTP_1, while BTP_2 is on its way [bool; section 2].",
                BooleanValue(true),
                MakeBooleanAccessor(&EqaGroup::Set<&EqaConfig::overlapAck>,
                                    &EqaGroup::Get<&EqaConfig::overlapAck>),
                MakeBooleanChecker())
            .AddAttribute(
                "SendCopy",
                "Whether packets are copied into the retransmission buffer [bool; section 3.2].",
                BooleanValue(true),
                MakeBooleanAccessor(&EqaGroup::Set<&EqaConfig::sendCopy>,
                                    &EqaGroup::Get<&EqaConfig::sendCopy>),
                MakeBooleanChecker())
            .AddAttribute(
                "Interrupts",
                "Whether the reception handler is started by an interrupt [bool; default].",
                BooleanValue(true),
                MakeBooleanAccessor(&EqaGroup::Set<&EqaConfig::interrupts>,
                                    &EqaGroup::Get<&EqaConfig::interrupts>),
                MakeBooleanChecker())
            .AddAttribute("Timeout",
                          "Silence after which a sender asks its receivers, or resends; doubled up "
                          "to 64 times [s; a tick of Linux 2.2].",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&EqaGroup::m_timeout),
                          MakeTimeChecker(MicroSeconds(10)))
            .AddAttribute("TransmitTime",
                          "CPU time to hand a frame to the card [s; calibrated with 30.1 us, "
                          "section 2].",
                          TimeValue(NanoSeconds(6000)),
                          MakeTimeAccessor(&EqaGroup::m_transmitTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("LightTime",
                          "CPU time for each light DP that a packet is broadcast through: its "
                          "queue, lock and reference [s; default, section 3.1 does not tell].",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&EqaGroup::m_lightTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "HandleTime",
                "CPU time of the reception handler for a frame [s; calibrated with 30.1 us, "
                "section 2].",
                TimeValue(NanoSeconds(5841)),
                MakeTimeAccessor(&EqaGroup::m_handleTime),
                MakeTimeChecker(Time(0)))
            .AddAttribute("WakeTime",
                          "CPU time until a process that waits for a message goes on [s; "
                          "calibrated with 30.1 us, "
                          "section 2].",
                          TimeValue(NanoSeconds(4000)),
                          MakeTimeAccessor(&EqaGroup::m_wakeTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("TranslateTime",
                          "CPU time to translate the addresses of a page [s; default].",
                          TimeValue(NanoSeconds(1000)),
                          MakeTimeAccessor(&EqaGroup::m_translateTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("SendQueue",
                          "Send queue of a send-only and of a light DP [bytes; section 4.2].",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&EqaGroup::SetSize<&PointSizes::sendQueue>,
                                               &EqaGroup::GetSize<&PointSizes::sendQueue>),
                          MakeUintegerChecker<uint32_t>(128, LARGEST_BUFFER))
            .AddAttribute("SendPushedBuffer",
                          "Pushed buffer of a send-only DP [bytes; section 4.2].",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&EqaGroup::SetSize<&PointSizes::sendPushed>,
                                               &EqaGroup::GetSize<&PointSizes::sendPushed>),
                          MakeUintegerChecker<uint32_t>(0, LARGEST_BUFFER))
            .AddAttribute("ReceiveQueue",
                          "Receive queue of a receive-only DP [bytes; section 4.2].",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&EqaGroup::SetSize<&PointSizes::receiveQueue>,
                                               &EqaGroup::GetSize<&PointSizes::receiveQueue>),
                          MakeUintegerChecker<uint32_t>(64, LARGEST_BUFFER))
            .AddAttribute("PushedBuffer",
                          "Pushed buffer of a receive-only DP [bytes; section 4.2].",
                          UintegerValue(12288),
                          MakeUintegerAccessor(&EqaGroup::SetSize<&PointSizes::receivePushed>,
                                               &EqaGroup::GetSize<&PointSizes::receivePushed>),
                          MakeUintegerChecker<uint32_t>(64, LARGEST_BUFFER))
            .AddAttribute("RetransmissionBuffer",
                          "Retransmission buffer of a DP [bytes; section 4.2].",
                          UintegerValue(24576),
                          MakeUintegerAccessor(&EqaGroup::SetSize<&PointSizes::retransmission>,
                                               &EqaGroup::GetSize<&PointSizes::retransmission>),
                          MakeUintegerChecker<uint32_t>(64, LARGEST_BUFFER))
            .AddAttribute("SendOverhead",
                          "What a send-only DP has besides; the paper's 1.8 Kbytes are not "
                          "explained [bytes; section 4.2].",
                          UintegerValue(1843),
                          MakeUintegerAccessor(&EqaGroup::SetSize<&PointSizes::sendOverhead>,
                                               &EqaGroup::GetSize<&PointSizes::sendOverhead>),
                          MakeUintegerChecker<uint32_t>(0, LARGEST_BUFFER))
            .AddAttribute("ReceiveOverhead",
                          "What a receive-only DP has besides; the paper's 1.4 Kbytes are not "
                          "explained [bytes; section 4.2].",
                          UintegerValue(1434),
                          MakeUintegerAccessor(&EqaGroup::SetSize<&PointSizes::receiveOverhead>,
                                               &EqaGroup::GetSize<&PointSizes::receiveOverhead>),
                          MakeUintegerChecker<uint32_t>(0, LARGEST_BUFFER))
            .AddAttribute("LightOverhead",
                          "What a light DP has besides; the paper's 0.4 Kbytes are not explained "
                          "[bytes; section 4.2].",
                          UintegerValue(410),
                          MakeUintegerAccessor(&EqaGroup::SetSize<&PointSizes::lightOverhead>,
                                               &EqaGroup::GetSize<&PointSizes::lightOverhead>),
                          MakeUintegerChecker<uint32_t>(0, LARGEST_BUFFER))
            .AddAttribute(
                "CpuRatio",
                "Time that a node's CPU needs for what takes a quad Pentium Pro server 1; "
                "the measurements of section 2 are of such servers, those of section 4 of "
                "Celerons [ratio; default, an upper bound].",
                DoubleValue(1),
                MakeDoubleAccessor(&EqaGroup::m_cpuRatio),
                MakeDoubleChecker<double>(0.01, 100))
            .AddTraceSource("Event",
                            "Something has happened at a node that the protocol counts.",
                            MakeTraceSourceAccessor(&EqaGroup::m_eventTrace),
                            "ns3::eqa::EqaGroup::EventTracedCallback");
    return tid;
}

EqaGroup::EqaGroup() = default;

EqaGroup::~EqaGroup() = default;

void
EqaGroup::DoDispose()
{
    m_returned = nullptr;
    messaging::MessageGroup::DoDispose();
}

EqaConfig
EqaGroup::MakeConfig(uint32_t mtu) const
{
    EqaConfig config = m_config;
    config.maxPayload = std::min(config.maxPayload, mtu);
    const auto scale = [this](Time time) {
        return static_cast<uint64_t>(std::llround(time.GetNanoSeconds() * m_cpuRatio));
    };
    config.transmitTime = scale(m_transmitTime);
    config.lightTime = scale(m_lightTime);
    config.handleTime = scale(m_handleTime);
    config.wakeTime = scale(m_wakeTime);
    config.translateTime = scale(m_translateTime);
    return config;
}

std::string
EqaGroup::Check(uint32_t mtu) const
{
    return MakeConfig(mtu).Check();
}

void
EqaGroup::Configure(uint32_t mtu, Time tick, bool hosts)
{
    const std::string wrong = Check(mtu);
    NS_ABORT_MSG_IF(!wrong.empty(), wrong);
    m_config = MakeConfig(mtu);
    m_config.timeout = std::max<uint64_t>(1, m_timeout.GetTimeStep() / tick.GetTimeStep());
    m_config.hostWork = hosts;
}

Acceptance
EqaGroup::PostReceive(Peer self, Peer from, bool broadcast)
{
    messaging::Request request;
    request.id = NO_ID;
    request.to = from;
    request.flags = RECEIVE | (broadcast ? BROADCAST_CHANNEL : 0);
    return Post(self, request);
}

void
EqaGroup::OpenBroadcast(Peer root)
{
    GetMutableNode(root).OpenSend(NO_PEER);
    for (Peer peer = 0; peer < GetNPeers(); ++peer)
    {
        GetMutableNode(peer).OpenReceive(root, true);
    }
}

void
EqaGroup::OpenPairs(Peer root)
{
    for (Peer peer = 0; peer < GetNPeers(); ++peer)
    {
        GetMutableNode(root).OpenSend(peer);
        GetMutableNode(peer).OpenReceive(root, false);
    }
}

PointMemory
EqaGroup::GetMemory() const
{
    PointMemory sum;
    for (Peer peer = 0; peer < GetNPeers(); ++peer)
    {
        const PointMemory memory = GetNode(peer).GetMemory();
        sum.sends += memory.sends;
        sum.lights += memory.lights;
        sum.receives += memory.receives;
        sum.sendBytes += memory.sendBytes;
        sum.lightBytes += memory.lightBytes;
        sum.receiveBytes += memory.receiveBytes;
        sum.structureBytes += memory.structureBytes;
    }
    return sum;
}

} // namespace eqa
} // namespace ns3
