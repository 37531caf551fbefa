/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup messaging
 * The journey of one message through all layers, as their trace sources show it: application,
 * audit, core, host, port, fault plan and device. Its frames cross a csma segment that loses the
 * first. With `NS_LOG=MessagingCores=logic` (or info, for messages alone), the same events of the
 * core are log lines.
 */

#include "messaging-example-core.h"

#include "ns3/csma-helper.h"
#include "ns3/data-rate.h"
#include "ns3/messaging-any-port.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-core-group.h"
#include "ns3/messaging-endpoint.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-host-port.h"
#include "ns3/messaging-host-profile.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/messaging-traced-port.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::messaging;
using ns3::messaging::examples::RepeatCore;

namespace
{

/** Width of the column of places [characters]. */
constexpr int PLACE_WIDTH = 18;

/** @param place where something happens @return the output, after the time and the place */
std::ostream&
Print(const std::string& place)
{
    return std::cout << std::setw(8) << Simulator::Now().As(Time::US) << "  " << std::left
                     << std::setw(PLACE_WIDTH) << place << std::right;
}

/** @param context the place @param request the message @param acceptance accepted or not */
void
EndpointPost(std::string context, const Request& request, Acceptance acceptance)
{
    Print(context) << "message " << request.id << " is " << acceptance << "\n";
}

/** @param context the place @param delivery the message */
void
EndpointDeliver(std::string context, const Delivery& delivery)
{
    Print(context) << "a message of " << delivery.bytes << " bytes from peer " << delivery.from
                   << "\n";
}

/** @param context the place @param id the message @param completion its stage */
void
EndpointComplete(std::string context, RequestId id, Completion completion)
{
    Print(context) << "message " << id << " is " << completion << "\n";
}

/** @param context the place @param self the peer @param request the message */
void
GroupPost(std::string context, Peer self, const Request& request)
{
    Print(context) << "peer " << self << " posts message " << request.id << "\n";
}

/** @param context the place @param self the peer @param delivery the message */
void
GroupDeliver(std::string context, Peer self, const Delivery& delivery)
{
    Print(context) << "peer " << self << " delivers message " << delivery.id << "\n";
}

/** @param context the place @param self the peer @param id the message @param completion it */
void
GroupComplete(std::string context, Peer self, RequestId id, Completion completion)
{
    Print(context) << "message " << id << " of peer " << self << " is " << completion << "\n";
}

/** @param context the place @param self the sender @param to the receiver @param frame the frame */
void
FrameSend(std::string context, Peer self, Peer to, const Frame& frame)
{
    Print(context) << "peer " << self << " sends " << DescribeFrame(frame) << " to peer " << to
                   << "\n";
}

/** @param context the place @param self the receiver @param from the sender @param frame it */
void
FrameArrive(std::string context, Peer self, Peer from, const Frame& frame)
{
    Print(context) << "peer " << self << " gets " << DescribeFrame(frame) << " from peer " << from
                   << "\n";
}

/** @param context the place @param self the peer @param timer the timer @param delay it [ticks] */
void
CoreTimerSet(std::string context, Peer self, TimerId timer, Ticks delay)
{
    Print(context) << "peer " << self << " sets timer " << timer << " to fire in " << delay
                   << " ticks\n";
}

/** @param context the place @param self the peer @param timer the timer */
void
CoreTimerFire(std::string context, Peer self, TimerId timer)
{
    Print(context) << "timer " << timer << " of peer " << self << " fires\n";
}

/** @param context the place @param work the step @param begin its begin */
void
HostWork(std::string context, ProcessId, const Work& work, Time begin, Time)
{
    Print(context) << work.kind << " since " << begin.As(Time::US) << "\n";
}

/** @param context the port @param place place of the loss @param copies number of lost frames */
void
PortLoss(std::string context, const std::string& place, uint64_t copies)
{
    Print(context) << copies << " frames are lost: " << place << "\n";
}

/** @param context the place @param packet a packet that leaves or reaches a device */
void
DevicePacket(std::string context, Ptr<const Packet> packet)
{
    Print(context) << "a packet of " << packet->GetSize() << " bytes\n";
}

/** @param context the place @param from the sender @param to the receiver @param frame the frame
 *  @param effect the fault @param lost whether it is lost */
void
PlanFault(std::string context,
          Peer from,
          Peer to,
          const Frame& frame,
          const std::string& effect,
          bool lost)
{
    Print(context) << DescribeFrame(frame) << " from peer " << from << " to peer " << to << ": "
                   << effect << (lost ? ", and does not arrive" : "") << "\n";
}

} // namespace

int
main()
{
    constexpr uint32_t PEERS = 2;
    NodeContainer nodes;
    nodes.Create(PEERS);
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", DataRateValue(DataRate("1Gbps")));
    csma.SetChannelAttribute("Delay", TimeValue(MicroSeconds(1)));
    const NetDeviceContainer devices = csma.Install(nodes);
    auto clock = CreateObject<TickClock>();
    auto network = CreateObject<NetDevicePort>();
    network->Connect(clock, devices);

    auto faults = CreateObject<FaultPlan>();
    faults->Script(ScriptedFault::LOSE, RepeatCore::DATA, 1);
    std::vector<Ptr<HostModel>> hosts{CreateObject<HostModel>(), CreateObject<HostModel>()};
    for (const auto& host : hosts)
    {
        host->SetAttribute("CopyRate", DataRateValue(DataRate("8Gbps")));
    }
    const auto faulty = Create<FaultyPort<AnyPort>>(clock, MakeAnyPort(network), faults);
    const auto wire = Create<TracedPort<AnyPort>>(faulty);
    const FrameCosts costs{.send = MicroSeconds(2), .receive = MicroSeconds(3)};
    auto group = CreateObject<CoreGroup<RepeatCore, AnyPort>>();
    group->Connect(clock, Create<HostPort>(clock, wire, hosts, costs), [](Peer) {
        return RepeatCore(PEERS);
    });
    auto audit = CreateObject<DeliveryAudit>();
    audit->SetGroup(group);
    auto endpoints = CreateObject<GroupEndpoints>();
    endpoints->Connect(audit);
    endpoints->Aggregate(nodes);

    for (uint32_t peer = 0; peer < PEERS; ++peer)
    {
        const std::string number = std::to_string(peer);
        const auto endpoint = nodes.Get(peer)->GetObject<MessageEndpoint>();
        endpoint->TraceConnect("Post", "application " + number, MakeCallback(&EndpointPost));
        endpoint->TraceConnect("Deliver", "application " + number, MakeCallback(&EndpointDeliver));
        endpoint->TraceConnect("Complete",
                               "application " + number,
                               MakeCallback(&EndpointComplete));
        hosts[peer]->TraceConnect("Work", "host " + number, MakeCallback(&HostWork));
        devices.Get(peer)->TraceConnect("PhyTxBegin",
                                        "device " + number + " out",
                                        MakeCallback(&DevicePacket));
        devices.Get(peer)->TraceConnect("PhyRxEnd",
                                        "device " + number + " in",
                                        MakeCallback(&DevicePacket));
    }
    audit->TraceConnect("Post", "audit", MakeCallback(&GroupPost));
    audit->TraceConnect("Deliver", "audit", MakeCallback(&GroupDeliver));
    audit->TraceConnect("Complete", "audit", MakeCallback(&GroupComplete));
    group->TraceConnect("Post", "core", MakeCallback(&GroupPost));
    group->TraceConnect("Send", "core", MakeCallback(&FrameSend));
    group->TraceConnect("Arrive", "core", MakeCallback(&FrameArrive));
    group->TraceConnect("TimerSet", "core", MakeCallback(&CoreTimerSet));
    group->TraceConnect("TimerFire", "core", MakeCallback(&CoreTimerFire));
    group->TraceConnect("Deliver", "core", MakeCallback(&GroupDeliver));
    group->TraceConnect("Complete", "core", MakeCallback(&GroupComplete));
    wire->GetSendTrace().Connect(MakeCallback(&FrameSend), "port");
    wire->GetArriveTrace().Connect(MakeCallback(&FrameArrive), "port");
    network->TraceConnect("Loss", "port", MakeCallback(&PortLoss));
    faults->TraceConnect("Fault", "fault plan", MakeCallback(&PlanFault));

    nodes.Get(0)->GetObject<MessageEndpoint>()->Post(Request{.to = 1, .bytes = 1000});
    Simulator::Run();
    const bool clean = audit->Finish();

    endpoints->Dispose();
    audit->Dispose();
    group->Dispose();
    network->Dispose();
    clock->Dispose();
    Simulator::Destroy();
    return clean ? 0 : 1;
}
