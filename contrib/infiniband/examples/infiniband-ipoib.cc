/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup infiniband
 * ns-3's TCP over InfiniBand: every host sends a file to a host on another leaf of a fat tree, and
 * a cable to a spine is pulled. Packets that need it are lost until the subnet manager has swept.
 * Prints the throughput, losses by reason, and the routes before and after.
 *
 *     ./infiniband-ipoib --hosts=70 --rate=DDR --sweep=500us
 */

#include "ns3/bulk-send-helper.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/infiniband-helper.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <iostream>

using namespace ns3;

namespace
{

/**
 * Print the route between two hosts.
 * @param fabric the fabric
 * @param from a host
 * @param to another host
 */
void
PrintWay(Ptr<infiniband::Fabric> fabric, uint32_t from, uint32_t to)
{
    const auto& subnet = *fabric->GetSubnet();
    for (const auto port : subnet.GetManager().GetRoute(from, subnet.GetManager().GetLid(to)))
    {
        std::cout << subnet.GetTopology().GetPortName(port) << " ";
    }
    std::cout << "\n";
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t hosts = 70;
    uint32_t bytes = 1000000;
    std::string rate = "SDR";
    Time sweep = MilliSeconds(1);
    Time pull = MicroSeconds(300);

    CommandLine cmd(__FILE__);
    cmd.AddValue("hosts", "number of hosts", hosts);
    cmd.AddValue("bytes", "size of each file [bytes]", bytes);
    cmd.AddValue("rate", "SDR or DDR", rate);
    cmd.AddValue("sweep", "delay from the failure to new forwarding tables", sweep);
    cmd.AddValue("pull", "time at which the cable is pulled", pull);
    cmd.Parse(argc, argv);
    if (hosts < 2 || (rate != "SDR" && rate != "DDR"))
    {
        std::cerr << "The arguments must be at least 2 hosts, and rate SDR or DDR." << std::endl;
        return 2;
    }

    // A cluster needs neither the jitter of ARP requests nor the timers of a wide area network.
    Config::SetDefault("ns3::ArpL3Protocol::RequestJitter",
                       StringValue("ns3::ConstantRandomVariable[Constant=0]"));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(5)));
    Config::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(MilliSeconds(1)));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1992));

    NodeContainer nodes(hosts);
    infiniband::InfinibandHelper infiniband;
    infiniband.SetAttribute("LinkRate", StringValue(rate));
    infiniband.SetAttribute("SweepDelay", TimeValue(sweep));
    const NetDeviceContainer devices = infiniband.Install(nodes);
    infiniband::InfinibandHelper::AssignStreams(devices, 1);

    InternetStackHelper internet;
    internet.Install(nodes);
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.0.0");
    const Ipv4InterfaceContainer interfaces = addresses.Assign(devices);

    constexpr uint16_t PORT = 5001;
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), PORT));
    const ApplicationContainer sinks = sink.Install(nodes);
    Time last;
    for (uint32_t host = 0; host < hosts; ++host)
    {
        const uint32_t to = (host + hosts / 2) % hosts;
        BulkSendHelper sender("ns3::TcpSocketFactory",
                              InetSocketAddress(interfaces.GetAddress(to), PORT));
        sender.SetAttribute("MaxBytes", UintegerValue(bytes));
        sender.SetAttribute("SendSize", UintegerValue(1992));
        sender.Install(nodes.Get(host));
        sinks.Get(host)->TraceConnectWithoutContext(
            "Rx",
            Callback<void, Ptr<const Packet>, const Address&>(
                [&last](Ptr<const Packet>, const Address&) { last = Simulator::Now(); }));
    }

    const auto fabric = infiniband::InfinibandHelper::GetFabric(devices);
    const auto& manager = fabric->GetSubnet()->GetManager();
    const auto way = manager.GetRoute(0, manager.GetLid(hosts / 2));
    PrintWay(fabric, 0, hosts / 2);
    if (way.size() > 2)
    {
        fabric->PlanLink(way[1], false, static_cast<uint64_t>(pull.GetNanoSeconds()));
    }
    Simulator::Stop(Seconds(20));
    Simulator::Run();
    PrintWay(fabric, 0, hosts / 2);

    uint64_t received = 0;
    for (uint32_t host = 0; host < hosts; ++host)
    {
        received += DynamicCast<PacketSink>(sinks.Get(host))->GetTotalRx();
    }
    std::cout << received << " of " << uint64_t{hosts} * bytes << " bytes in " << last.GetSeconds()
              << " s\n";
    const auto& counters = fabric->GetCounters();
    for (std::size_t reason = 1; reason < infiniband::N_DROP_REASONS; ++reason)
    {
        std::cout << "lost, " << static_cast<infiniband::DropReason>(reason) << ": "
                  << counters.drops[reason] << "\n";
    }
    Simulator::Destroy();
    return received == uint64_t{hosts} * bytes ? 0 : 1;
}
