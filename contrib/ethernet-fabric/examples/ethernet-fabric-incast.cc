/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup ethernet-fabric
 * ns-3's TCP in an incast: all hosts send a file to the first one. Prints the time of the last
 * file, and what the switches have dropped, marked and paused.
 *
 *     ./ethernet-fabric-incast --admission=pfc --senders=20
 */

#include "ns3/bulk-send-helper.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/ethernet-fabric-helper.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string admission = "drop";
    uint32_t senders = 8;
    uint32_t bytes = 200000;

    CommandLine cmd(__FILE__);
    cmd.AddValue("admission", "drop or pfc", admission);
    cmd.AddValue("senders", "number of senders", senders);
    cmd.AddValue("bytes", "size of each file [bytes]", bytes);
    cmd.Parse(argc, argv);
    if ((admission != "drop" && admission != "pfc") || senders < 1 || bytes < 1)
    {
        std::cerr << "The arguments must be admission drop or pfc, senders and bytes of at least 1."
                  << std::endl;
        return 2;
    }

    // Addresses are known at once, without the jitter of ARP requests.
    Config::SetDefault("ns3::ArpL3Protocol::RequestJitter",
                       StringValue("ns3::ConstantRandomVariable[Constant=0]"));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(1)));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1460));

    NodeContainer hosts(senders + 1);
    fabric::FabricHelper helper;
    helper.SetNetworkAttribute("HostRate", StringValue("25Gbps"));
    helper.SetNetworkAttribute("Buffer", UintegerValue(50000));
    helper.SetNetworkAttribute("PfcXoff", UintegerValue(20000));
    helper.SetNetworkAttribute("Admission", StringValue(admission));
    const NetDeviceContainer devices = helper.Install(hosts);
    fabric::FabricHelper::AssignStreams(devices, 1);

    InternetStackHelper internet;
    internet.Install(hosts);
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.0.0");
    const Ipv4InterfaceContainer interfaces = addresses.Assign(devices);

    constexpr uint16_t PORT = 5001;
    PacketSinkHelper sinks("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), PORT));
    const auto sink = DynamicCast<PacketSink>(sinks.Install(hosts.Get(0)).Get(0));
    Time last;
    sink->TraceConnectWithoutContext(
        "Rx",
        Callback<void, Ptr<const Packet>, const Address&>(
            [&last](Ptr<const Packet>, const Address&) { last = Simulator::Now(); }));
    BulkSendHelper source("ns3::TcpSocketFactory",
                          InetSocketAddress(interfaces.GetAddress(0), PORT));
    source.SetAttribute("MaxBytes", UintegerValue(bytes));
    for (uint32_t sender = 1; sender <= senders; ++sender)
    {
        source.Install(hosts.Get(sender));
    }
    Simulator::Stop(Seconds(10));
    Simulator::Run();

    const auto network = fabric::FabricHelper::GetNetwork(devices);
    auto& engine = network->GetNativePort()->GetEngine();
    uint64_t pauses = 0;
    for (fabric::PortId port = 0; port < engine.GetTopology().GetNPorts(); ++port)
    {
        pauses += engine.GetPortCounters(port).pausesSent;
    }
    std::cout << sink->GetTotalRx() << " bytes after " << last.GetMicroSeconds() << " us; "
              << network->GetLosses().GetTotal() << " packets lost, " << pauses << " pauses\n";
    const bool complete = sink->GetTotalRx() == uint64_t{senders} * bytes;
    Simulator::Destroy();
    return complete ? 0 : 1;
}
