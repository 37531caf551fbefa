/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup myrinet
 * ns-3's TCP across a Myrinet: every host sends a file to the second next one, while links corrupt
 * packets and receivers stall. Prints the throughput and the counters of the network.
 *
 *     ./myrinet-tcp --topology=clos --nodes=32 --corruption=1e-7 --stallrate=100
 */

#include "ns3/bulk-send-helper.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/myrinet-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <iomanip>
#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string topology = "clos";
    uint32_t nodes = 16;
    uint32_t bytes = 1000000;
    double corruption = 1e-7;
    double stallRate = 100;
    double overwrite = 0.5;

    CommandLine cmd(__FILE__);
    cmd.AddValue("topology", "switch, clos or ring", topology);
    cmd.AddValue("nodes", "number of nodes", nodes);
    cmd.AddValue("bytes", "size of each file [bytes]", bytes);
    cmd.AddValue("corruption", "probability that a link corrupts a character", corruption);
    cmd.AddValue("stallrate", "stalls of each receiver [1/s]", stallRate);
    cmd.AddValue("overwrite", "probability that a pending packet is overwritten", overwrite);
    cmd.Parse(argc, argv);
    if ((topology != "switch" && topology != "clos" && topology != "ring") || nodes < 3 ||
        !(corruption >= 0 && corruption < 1) || !(stallRate >= 0) ||
        !(overwrite >= 0 && overwrite <= 1))
    {
        std::cerr << "The arguments must be topology switch, clos or ring, at least 3 nodes, "
                     "probabilities from 0 to 1, and rates that are not negative."
                  << std::endl;
        return 2;
    }

    // Addresses are known at once; a cluster needs neither the jitter of ARP requests nor the
    // retransmission timers of a wide area network.
    Config::SetDefault("ns3::ArpL3Protocol::RequestJitter",
                       StringValue("ns3::ConstantRandomVariable[Constant=0]"));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(10)));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1460));

    NodeContainer hosts(nodes);
    myrinet::MyrinetHelper myrinet;
    myrinet.SetNetworkAttribute("Topology", StringValue(topology));
    myrinet.SetNetworkAttribute("Corruption", DoubleValue(corruption));
    myrinet.SetNetworkAttribute("StallRate", DoubleValue(stallRate));
    myrinet.SetNetworkAttribute("Overwrite", DoubleValue(overwrite));
    const NetDeviceContainer devices = myrinet.Install(hosts);
    myrinet::MyrinetHelper::AssignStreams(devices, 1);

    InternetStackHelper internet;
    internet.Install(hosts);
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.0.0");
    const Ipv4InterfaceContainer interfaces = addresses.Assign(devices);

    constexpr uint16_t PORT = 5001;
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), PORT));
    const ApplicationContainer sinks = sink.Install(hosts);
    Time last;
    for (uint32_t host = 0; host < nodes; ++host)
    {
        BulkSendHelper sender("ns3::TcpSocketFactory",
                              InetSocketAddress(interfaces.GetAddress((host + 2) % nodes), PORT));
        sender.SetAttribute("MaxBytes", UintegerValue(bytes));
        sender.Install(hosts.Get(host));
        sinks.Get(host)->TraceConnectWithoutContext(
            "Rx",
            Callback<void, Ptr<const Packet>, const Address&>(
                [&last](Ptr<const Packet>, const Address&) { last = Simulator::Now(); }));
    }
    Simulator::Stop(Seconds(20));
    Simulator::Run();

    uint64_t received = 0;
    for (uint32_t host = 0; host < nodes; ++host)
    {
        received += DynamicCast<PacketSink>(sinks.Get(host))->GetTotalRx();
    }
    std::cout << received << " of " << uint64_t{nodes} * bytes << " bytes in " << last.GetSeconds()
              << " s\n";
    const auto counters =
        myrinet::MyrinetHelper::GetNetwork(devices)->GetNativePort()->MakeCounterTable();
    const auto& names = std::get<std::vector<std::string>>(counters->GetColumns()[0].cells);
    const auto& counts = std::get<std::vector<int64_t>>(counters->GetColumns()[1].cells);
    for (std::size_t row = 0; row < names.size(); ++row)
    {
        std::cout << std::setw(34) << std::left << names[row] << counts[row] << "\n";
    }
    Simulator::Destroy();
    return received == uint64_t{nodes} * bytes ? 0 : 1;
}
