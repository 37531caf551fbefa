/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/command-line.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/node-container.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/udp-echo-helper.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-helper.h"

#include <iostream>

/**
 * @file
 * @ingroup wormhole
 * UDP of ns-3 across a wormhole network: each node of a 4 x 4 grid has its opposite echo datagrams.
 */

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string router = "lossy";
    std::string topology = "grid2d";
    bool pcap = false;
    CommandLine cmd(__FILE__);
    cmd.AddValue("router", "Kind of the routers: lossy, buffered or hybrid", router);
    cmd.AddValue("topology", "Shape of the network: grid2d, grid3d or fattree", topology);
    cmd.AddValue("pcap", "Whether to capture what the first node sends and receives", pcap);
    cmd.Parse(argc, argv);

    NodeContainer nodes;
    nodes.Create(16);
    wormhole::WormholeHelper helper;
    helper.SetNetworkAttribute("Router", StringValue(router));
    helper.SetNetworkAttribute("Topology", StringValue(topology));
    helper.SetCycle(NanoSeconds(2));
    const NetDeviceContainer devices = helper.Install(nodes);
    if (pcap)
    {
        helper.EnablePcap("wormhole-udp", devices.Get(0));
    }

    InternetStackHelper().Install(nodes);
    const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);

    constexpr uint16_t PORT = 9;
    UdpEchoServerHelper server(PORT);
    server.Install(nodes).Start(Seconds(0));
    uint32_t answers = 0;
    for (uint32_t n = 0; n < nodes.GetN(); ++n)
    {
        UdpEchoClientHelper client(interfaces.GetAddress(15 - n), PORT);
        client.SetAttribute("MaxPackets", UintegerValue(10));
        client.SetAttribute("Interval", TimeValue(MicroSeconds(10)));
        client.SetAttribute("PacketSize", UintegerValue(200));
        const ApplicationContainer application = client.Install(nodes.Get(n));
        application.Start(MicroSeconds(n));
        application.Get(0)->TraceConnectWithoutContext(
            "Rx",
            Callback<void, Ptr<const Packet>>([&answers](Ptr<const Packet>) { ++answers; }));
    }
    // ns-3 delays the first request for an address by up to 10 ms.
    Simulator::Stop(MilliSeconds(100));
    Simulator::Run();
    const auto counters = wormhole::WormholeHelper::GetNetwork(devices)->GetCounters();
    std::cout << "sent 160 datagrams, received " << answers << " answers\n"
              << "packets delivered " << counters.delivered << ", dropped "
              << counters.GetAllDrops() << ", hops " << counters.hops << "\n";
    Simulator::Destroy();
    return 0;
}
