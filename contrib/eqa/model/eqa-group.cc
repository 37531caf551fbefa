/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-group.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-named-counts.h"
#include "ns3/trace-source-accessor.h"

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
using messaging::Range;

namespace
{

/**
 * Describe an event, for a log line.
 * @param event the event
 * @return a clause about its node
 */
const char*
DescribeEvent(Event event)
{
    switch (event)
    {
    case Event::BROADCAST:
        return "sends a packet to all";
    case Event::UNICAST:
        return "sends a packet to one node";
    case Event::RESENT:
        return "sends a packet again";
    case Event::ACK_SENT:
        return "sends an ACK";
    case Event::PUSH_ACK_SENT:
        return "ends a push phase of a broadcast, as the chosen receiver";
    case Event::PULL_SENT:
        return "pulls the rest of a message";
    case Event::ASK_SENT:
        return "asks for packets that it lacks";
    case Event::PROBE_SENT:
        return "probes a receiver";
    case Event::DIRECT:
        return "copies a packet to its destination";
    case Event::BUFFERED:
        return "copies a packet into the pushed buffer, since no receive is posted";
    case Event::DRAINED:
        return "takes a packet from the pushed buffer";
    case Event::GAP:
        return "gets a packet behind a lost one";
    case Event::DUPLICATE:
        return "gets a packet again";
    case Event::BUFFER_OVERFLOW:
        return "loses a packet, since the pushed buffer is full";
    case Event::RING_OVERFLOW:
        return "loses a packet, since the card's receive ring is full";
    case Event::SUSPENDED:
        return "suspends its broadcasts until all receivers have caught up";
    case Event::RESUMED:
        return "resumes its broadcasts";
    case Event::WINDOW_FULL:
        return "waits, since its window is full";
    case Event::TIMEOUT:
        return "has waited too long for an answer";
    case Event::RETURNED:
        return "has sent a message";
    case Event::STALE:
        return "gets an old acknowledgement";
    case Event::OTHER_GROUP:
        return "drops a broadcast of a group of which it is no member";
    case Event::LOCK_HELD:
        return "waits for the lock of a DP";
    case Event::ILLEGAL:
        return "gets what no node sends";
    }
    return "";
}

} // namespace

TypeId
EqaGroup::GetTypeId()
{
    using C = EqaConfig;
    const Range<Time> anyTime{Time(0), Time::Max()};
    static TypeId tid =
        messaging::Attributes<EqaGroup>(TypeId("ns3::eqa::EqaGroup")
                                            .SetParent<messaging::CoreEvents>()
                                            .SetGroupName("Eqa")
                                            .AddConstructor<EqaGroup>())
            .AddAttribute("CpuRatio",
                          "CPU time of a node over that of a quad Pentium Pro server; the "
                          "measurements of section 2 are of such servers, those of section 4 of "
                          "Celerons [ratio; default, an upper bound].",
                          &EqaGroup::m_cpuRatio,
                          1.0,
                          0.01,
                          100.0)
            .In(&EqaGroup::m_config)
            .AddAttribute(
                "Broadcast",
                "Kind of broadcast [-; sections 3.2 and 3.3].",
                &C::broadcast,
                {{BroadcastKind::SIMPLE, "simple"}, {BroadcastKind::PUSH_PULL, "push-pull"}})
            .AddAttribute("Btp1",
                          "BTP_1, the first pushed part of a message [bytes; section 4.1].",
                          &C::btp1,
                          Range(0, 65536))
            .AddAttribute("Btp2",
                          "BTP_2, the second pushed part of a message [bytes; section 4.1].",
                          &C::btp2,
                          Range(0, 65536))
            .AddAttribute("Window",
                          "Maximum number of unacknowledged packets of a channel, an even number "
                          "[packets; section 3.2].",
                          &C::window,
                          Range(2, 4096))
            .AddAttribute("ReceiveRing",
                          "Descriptors of a card's receive ring; frames are lost in the card when "
                          "it is full [frames; Linux 2.2 for the 21140].",
                          &C::receiveRing,
                          Range(1U, UINT32_MAX))
            .AddAttribute("PushedBuffer",
                          "Pushed buffer of a receive-only DP [bytes; section 4.2].",
                          &C::pushedBuffer,
                          Range(64, 1 << 20))
            .AddAttribute("ConfirmAll",
                          "Every receiver acknowledges a completely pushed broadcast; otherwise "
                          "only the chosen one does, and the others when probed [bool; "
                          "section 3.3].",
                          &C::confirmAll)
            .AddAttribute("Release",
                          "Acknowledgements of a push-pull broadcast in addition to that of the "
                          "chosen receiver: together, all at every packet that ends half a window, "
                          "and at the end of a message with a pull phase; in-turn, each at one "
                          "packet of half a window, neighbours at different packets [-; default, "
                          "section 3.3 leaves it open].",
                          &C::release,
                          {{ReleaseRule::TOGETHER, "together"}, {ReleaseRule::IN_TURN, "in-turn"}})
            .AddAttribute("PullPackets",
                          "Packets of a broadcast that one pull requests; 0 for all [packets; "
                          "section 3.3, and all as in section 2].",
                          &C::pullPackets,
                          Range(0, 4096))
            .AddAttribute(
                "Processes",
                "Receiving processes of a broadcast on each node, each with its own receive-only "
                "DP behind one handler; the root has a light DP for each [processes; section 3.1].",
                &C::processes,
                Range(1, 64))
            .AddAttribute("Senders",
                          "Processes of a node that send at the same time; the tag of a message, "
                          "modulo this number, selects its process [processes; section 3.1].",
                          &C::senders,
                          Range(1, 64))
            .AddAttribute("Points",
                          "DPs from a node to each other one, and to all; the tag of a message, "
                          "modulo this number, selects its DP, and messages of different DPs may "
                          "overtake each other [DPs; default, section 3.1].",
                          &C::points,
                          Range(1, 64))
            .AddAttribute("Locks",
                          "A process or handler that enters a message, walks the light DPs or "
                          "updates them holds the lock of the broadcast's DP, and others spin; "
                          "LightTime contains the cost of a free lock [bool; section 3.1].",
                          &C::locks)
            .AddAttribute("LockTime",
                          "CPU time of an attempt to get a lock that is held [s; 22 cycles of a P6 "
                          "at 200 MHz, a locked instruction].",
                          &C::lockTime,
                          Range<Time>{NanoSeconds(1), Time::Max()})
            .AddAttribute("CrossSpaceZeroBuffer",
                          "The handler copies a packet directly to its destination, not through a "
                          "buffer of the kernel [bool; section 2].",
                          &C::zeroBuffer)
            .AddAttribute("MaskTranslation",
                          "Addresses are translated while the push is in flight [bool; section 2].",
                          &C::maskTranslation)
            .AddAttribute("OverlapAcknowledge",
                          "The pull is sent after BTP_1, while BTP_2 is in flight [bool; section "
                          "2].",
                          &C::overlapAck)
            .AddAttribute("Timeout",
                          "Silence after which a sender probes its receivers, or resends; doubled "
                          "up to 64 times [s; a tick of Linux 2.2].",
                          &C::timeout,
                          Range<Time>{MicroSeconds(10), Time::Max()})
            .AddAttribute("TransmitTime",
                          "CPU time to hand a frame to the card [s; calibrated with 30.1 us, "
                          "section 2].",
                          &C::transmitTime,
                          anyTime)
            .AddAttribute("LightTime",
                          "CPU time for each light DP in a scan of their list, for a broadcast "
                          "packet and for an acknowledgement: its lock, its entry and the next one "
                          "[s; 80 cycles of a P6 at 200 MHz, section 3.1].",
                          &C::lightTime,
                          anyTime)
            .AddAttribute("MpiTime",
                          "CPU time of the MPI library for a message at either end; only Simple "
                          "Broadcast uses it [s; section 4.1, half of what MPI takes above "
                          "Ports on a Pentium II in Table 3 of paper 2].",
                          &C::mpiTime,
                          anyTime)
            .AddAttribute("HandleTime",
                          "CPU time of the reception handler for a frame [s; calibrated with "
                          "30.1 us, section 2].",
                          &C::handleTime,
                          anyTime)
            .AddAttribute("WakeTime",
                          "CPU time to resume a process that waits for a message [s; "
                          "calibrated with 30.1 us, section 2].",
                          &C::wakeTime,
                          anyTime)
            .AddTraceSource("Event",
                            "Event of the protocol: node, event.",
                            MakeTraceSourceAccessor(&EqaGroup::m_eventTrace),
                            "ns3::eqa::EqaGroup::EventTracedCallback");
    return tid;
}

void
EqaEvents::OnNote(Peer peer, messaging::Reason reason)
{
    const auto event = static_cast<Event>(reason);
    NS_LOG_INFO("Node " << peer << ": " << DescribeEvent(event));
    if (event == Event::RETURNED && m_returned)
    {
        m_returned(peer);
    }
    m_eventTrace(peer, event);
}

void
EqaGroup::Connect(Ptr<messaging::TickClock> clock,
                  Ptr<messaging::AnyPort> port,
                  std::vector<Ptr<messaging::HostModel>> hosts,
                  uint32_t mtu)
{
    if (mtu == 0)
    {
        mtu = port->GetInfo().mtu;
    }
    m_effect = MakeConfig(mtu);
    const std::string wrong = m_effect.Check();
    NS_ABORT_MSG_IF(!wrong.empty(), wrong);
    m_effect.timeoutTicks =
        std::max<uint64_t>(1,
                           m_effect.timeout.GetTimeStep() / clock->GetTickLength().GetTimeStep());
    m_effect.hostWork = !hosts.empty();
    const uint32_t peers = port->GetNPeers();
    NS_LOG_INFO(peers << " nodes push " << m_effect.btp1 << " and " << m_effect.btp2
                      << " bytes of a message; a pull requests the rest");
    Parent::Connect(clock, port, [this, peers](Peer peer) {
        return EqaCore(peer, peers, &m_effect);
    });
    if (!hosts.empty())
    {
        SetHosts(std::move(hosts));
    }
}

Acceptance
EqaGroup::PostReceive(Peer self, Peer from, bool broadcast, uint32_t tag)
{
    uint8_t flags = RECEIVE;
    if (broadcast)
    {
        flags |= BROADCAST_CHANNEL;
        NS_LOG_INFO("Node " << self << " posts a receive of a broadcast of node " << from);
    }
    else
    {
        NS_LOG_INFO("Node " << self << " posts a receive from node " << from);
    }
    return Post(self, {.id = NO_ID, .to = from, .tag = tag, .flags = flags});
}

void
EqaGroup::SetMembers(uint32_t number, std::vector<Peer> members)
{
    m_config.members.resize(std::max<std::size_t>(m_config.members.size(), number + 1));
    m_config.members[number] = std::move(members);
}

EqaConfig
EqaGroup::MakeConfig(uint32_t mtu) const
{
    EqaConfig config = m_config;
    config.maxPayload = std::min(config.maxPayload, mtu - std::min<uint32_t>(mtu, HEADER));
    for (Time* time : {&config.transmitTime,
                       &config.lightTime,
                       &config.handleTime,
                       &config.wakeTime,
                       &config.translateTime,
                       &config.lockTime})
    {
        const auto nanoseconds = static_cast<double>(time->GetNanoSeconds());
        *time = NanoSeconds(std::llround(nanoseconds * m_cpuRatio));
    }
    // An attempt that takes no time would be repeated for ever.
    config.lockTime = std::max(config.lockTime, NanoSeconds(1));
    return config;
}

std::vector<std::pair<std::string, uint64_t>>
EqaGroup::GetCounts() const
{
    return messaging::NameCounts<Event>(0, EVENTS, [this](Event event) {
        return GetEventCount(event);
    });
}

uint64_t
EqaGroup::GetMemory(Peer peer) const
{
    const PointSizes sizes = GetPointSizes(m_effect);
    const EqaCore& node = GetCore(peer);
    double memory = 0;
    for (const auto& point : node.GetReceivePoints())
    {
        uint32_t owners = 1;
        if (point.broadcast)
        {
            owners = m_effect.processes;
        }
        memory += owners * sizes.receive;
    }
    for (const auto& point : node.GetSendPoints())
    {
        double size = sizes.send;
        if (point.IsBroadcast())
        {
            const auto lights = static_cast<double>(point.lights.size()) * m_effect.processes;
            size += lights * sizes.light;
        }
        memory += size;
    }
    return static_cast<uint64_t>(1024 * memory);
}

} // namespace eqa
} // namespace ns3
