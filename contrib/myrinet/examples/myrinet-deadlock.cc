/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup myrinet
 * Back-blocking on a ring of switches: with shortest routes, packets over two switches hold the
 * links that others wait for. Without a timeout the network stays deadlocked; with one, packets are
 * discarded and NRES is set, although every component works.
 *
 *     ./myrinet-deadlock --routes=updown
 *     ./myrinet-deadlock --timeout=62.5ms
 */

#include "ns3/command-line.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/myrinet-network.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string routes = "shortest";
    std::string timeout = "0s";
    CommandLine cmd(__FILE__);
    cmd.AddValue("routes", "updown or shortest", routes);
    cmd.AddValue("timeout", "NRES timeout, 62.5ms to 4s, or 0s for none", timeout);
    cmd.Parse(argc, argv);
    if (routes != "updown" && routes != "shortest")
    {
        std::cerr << "Routes are updown or shortest." << std::endl;
        return 2;
    }

    constexpr uint32_t HOSTS = 5;
    auto clock = CreateObject<messaging::TickClock>();
    auto network = CreateObject<myrinet::MyrinetNetwork>();
    network->SetAttribute("Topology", StringValue("ring"));
    network->SetAttribute("Switches", UintegerValue(HOSTS));
    network->SetNodes(HOSTS);
    network->SetAttribute("Routes", StringValue(routes));
    network->SetAttribute("Timeout", StringValue(timeout));
    if (const std::string error = network->Check(); !error.empty())
    {
        std::cerr << error << std::endl;
        return 2;
    }
    network->SetClock(clock);
    const auto port = network->GetNativePort();
    messaging::Frame frame;
    frame.payload = 4096;
    for (messaging::Peer host = 0; host < HOSTS; ++host)
    {
        port->Send(host, (host + 2) % HOSTS, frame);
    }
    Simulator::Run();
    const auto& counters = port->GetCounters();
    std::cout << "delivered " << counters.delivered << " of " << counters.offered << ", discarded "
              << counters.GetDrops(myrinet::DropReason::NRES) << ", NRES bits " << counters.nresBits
              << ", at " << Simulator::Now().GetMicroSeconds() << " us\n";
    const std::string ring = port->FindDeadlock();
    std::cout << (ring.empty() ? "no deadlock" : "deadlock: each waits for the next of " + ring)
              << "\n";
    Simulator::Destroy();
    return 0;
}
