/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup wormhole
 * ns-3's UDP echo across 64 wormhole routers that drop blocked packets. Each node sends to the
 * opposite one; lost packets are not repeated.
 */

#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/udp-echo-helper.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-helper.h"

#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

using namespace ns3;
using namespace ns3::wormhole;

namespace
{

constexpr uint16_t PORT = 7; ///< UDP port of the echo servers.

/**
 * Print a number and its share of another.
 * @param what its name
 * @param part the number
 * @param all the total
 */
void
PrintShare(const std::string& what, uint64_t part, uint64_t all)
{
    const double share = all ? 100.0 * static_cast<double>(part) / static_cast<double>(all) : 0;
    std::cout << std::left << std::setw(28) << what << std::right << std::setw(8) << part
              << std::setw(8) << std::fixed << std::setprecision(1) << share << " %\n";
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t nNodes = 64;
    std::string topology = "grid2d";
    std::string router = "lossy";
    uint32_t packets = 100;
    uint32_t size = 256;
    Time interval = MicroSeconds(4);
    Time cycle = NanoSeconds(1);
    bool pcap = false;
    CommandLine command(__FILE__);
    command.AddValue("nodes", "Number of nodes", nNodes);
    command.AddValue("topology", "Shape of the network: grid2d, grid3d or fattree", topology);
    command.AddValue("router", "Kind of the routers: lossy, buffered or hybrid", router);
    command.AddValue("packets", "Requests of each node", packets);
    command.AddValue("size", "UDP payload of a request [bytes]", size);
    command.AddValue("interval", "Mean time between two requests of a node", interval);
    command.AddValue("cycle", "Length of a router cycle", cycle);
    command.AddValue("pcap", "Write the packets of node 0 to wormhole-udp-*.pcap", pcap);
    command.Parse(argc, argv);
    if ((topology != "grid2d" && topology != "grid3d" && topology != "fattree") ||
        (router != "lossy" && router != "buffered" && router != "hybrid") || nNodes < 2 ||
        packets == 0)
    {
        std::cerr << "The arguments must be topology grid2d, grid3d or fattree, router lossy, "
                     "buffered or hybrid, at least 2 nodes, and at least one packet."
                  << std::endl;
        return 2;
    }

    // ARP requests never leave a device of this module, and the jitter of 10 ms is longer than the
    // whole run.
    Config::SetDefault("ns3::ArpL3Protocol::RequestJitter",
                       StringValue("ns3::ConstantRandomVariable[Constant=0]"));

    NodeContainer nodes(nNodes);
    WormholeHelper wormhole;
    wormhole.SetNetworkAttribute("Cycle", TimeValue(cycle));
    wormhole.SetNetworkAttribute("Topology", StringValue(topology));
    wormhole.SetNetworkAttribute("Router", StringValue(router));
    const NetDeviceContainer devices = wormhole.Install(nodes);
    WormholeHelper::AssignStreams(devices, 1);

    InternetStackHelper().Install(nodes);
    const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.0.0").Assign(devices);

    uint64_t sent = 0;
    uint64_t received = 0;
    uint64_t echoed = 0;
    // The sources with addresses have the same signature in all releases of ns-3; "Rx" of a sink
    // changed in 3.47.
    const auto counting = [](uint64_t& counter) {
        return Callback<void, Ptr<const ns3::Packet>, const Address&, const Address&>(
            [&counter](Ptr<const ns3::Packet>, const Address&, const Address&) { ++counter; });
    };
    const auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(10);
    for (uint32_t n = 0; n < nodes.GetN(); ++n)
    {
        const auto server = UdpEchoServerHelper(PORT).Install(nodes.Get(n)).Get(0);
        server->TraceConnectWithoutContext("RxWithAddresses", counting(received));

        UdpEchoClientHelper helper(Address(interfaces.GetAddress(nodes.GetN() - 1 - n)), PORT);
        helper.SetAttribute("MaxPackets", UintegerValue(packets));
        // With equal intervals, the same requests would collide again and again.
        helper.SetAttribute("Interval", TimeValue(interval * random->GetValue(0.9, 1.1)));
        helper.SetAttribute("PacketSize", UintegerValue(size));
        const auto client = helper.Install(nodes.Get(n)).Get(0);
        client->SetStartTime(random->GetValue() * interval);
        client->TraceConnectWithoutContext("TxWithAddresses", counting(sent));
        client->TraceConnectWithoutContext("RxWithAddresses", counting(echoed));
    }
    if (pcap)
    {
        wormhole.EnablePcap("wormhole-udp", devices.Get(0));
    }
    Simulator::Run();

    const auto network = WormholeHelper::GetNetwork(devices);
    const Counters& counters = network->GetNativePort()->GetCounters();
    std::cout << nNodes << " " << router << " routers, " << topology << "\n";
    PrintShare("requests sent", sent, sent);
    PrintShare("requests delivered", received, sent);
    PrintShare("echoes delivered", echoed, sent);
    PrintShare("lost on either way", sent - echoed, sent);
    PrintShare("packets in the network", counters.injected, counters.injected);
    PrintShare("  delivered", counters.delivered, counters.injected);
    for (std::size_t n = 0; n < N_DROP_REASONS; ++n)
    {
        if (counters.drops[n] > 0)
        {
            std::ostringstream name;
            name << "  dropped: " << static_cast<DropReason>(n);
            PrintShare(name.str(), counters.drops[n], counters.injected);
        }
    }
    Simulator::Destroy();
    return 0;
}
