/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/command-line.h"
#include "ns3/csma-helper.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/mobility-helper.h"
#include "ns3/pcode-collectives.h"
#include "ns3/pcode-core.h"
#include "ns3/pcode-driver.h"
#include "ns3/pcode-group.h"
#include "ns3/position-allocator.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/yans-wifi-helper.h"

#include <iostream>
#include <string>

/**
 * @file
 * @ingroup pcode
 * The protocols of paper 3 on other devices of ns-3: csma, and 802.11g without an access point,
 * whose broadcasts are neither acknowledged nor repeated. The stations are within 10 m of each
 * other. They exchange messages and execute barriers.
 */

using namespace ns3;
using namespace ns3::pcode;

namespace
{

/**
 * Connect stations by a csma channel.
 * @param nodes the stations
 * @return their devices
 */
NetDeviceContainer
InstallCsma(const NodeContainer& nodes)
{
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("10Mbps"));
    csma.SetChannelAttribute("Delay", StringValue("5us"));
    const NetDeviceContainer devices = csma.Install(nodes);
    csma.AssignStreams(devices, 1);
    return devices;
}

/**
 * Connect stations by an ad hoc network of 802.11g.
 * @param nodes the stations
 * @return their devices
 */
NetDeviceContainer
InstallWifi(const NodeContainer& nodes)
{
    YansWifiChannelHelper channel = YansWifiChannelHelper::Default();
    YansWifiPhyHelper phy;
    phy.SetChannel(channel.Create());
    WifiMacHelper mac;
    mac.SetType("ns3::AdhocWifiMac");
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211g);
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager",
                                 "DataMode",
                                 StringValue("ErpOfdmRate54Mbps"));
    const NetDeviceContainer devices = wifi.Install(phy, mac, nodes);
    WifiHelper::AssignStreams(devices, 1);
    MobilityHelper mobility;
    auto places = CreateObject<ListPositionAllocator>();
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        places->Add(Vector(10.0 * i / nodes.GetN(), 0, 0));
    }
    mobility.SetPositionAllocator(places);
    mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
    mobility.Install(nodes);
    return devices;
}

/** Outcome of a run. */
struct Outcome
{
    std::string violation; ///< First violation; empty without one.
    bool finished{false};  ///< All programs have ended.
    Time end;              ///< End of the last program.
    uint64_t nacks{0};     ///< NACKs sent.
    uint64_t resends{0};   ///< Retransmitted messages.
};

/**
 * Run a program.
 * @param devices the stations' devices
 * @param program the program
 * @param parameters parameters of the protocol
 * @param limit time at which the run is aborted
 * @return the outcome
 */
Outcome
Run(const NetDeviceContainer& devices,
    const GlobalProgram& program,
    Ptr<const PcodeParameters> parameters,
    Time limit)
{
    const auto clock = CreateObject<messaging::TickClock>();
    const auto port = CreateObject<messaging::NetDevicePort>();
    port->Connect(clock, devices);
    const auto group = CreateObject<PcodeGroup<PcodeCore, messaging::NetDevicePort>>();
    group->Connect(clock, port, program, parameters);
    ProgramDriver driver(group, program);
    driver.SetEnded([] { Simulator::Stop(); });
    Simulator::Schedule(Seconds(1), [&driver] { driver.Start(); });
    Simulator::Stop(limit);
    Simulator::Run();
    Outcome outcome{driver.GetViolation(),
                    driver.IsFinished(),
                    Simulator::Now(),
                    group->GetEventCount(pcode::Event::REQUEST_NACK) +
                        group->GetEventCount(pcode::Event::PERSONAL_NACK) +
                        group->GetEventCount(pcode::Event::GLOBAL_NACK_SENT),
                    group->GetEventCount(pcode::Event::REGULAR_RESENT)};
    group->Dispose();
    return outcome;
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string network = "wifi";
    std::string protocol = "pcode";
    uint32_t stations = 4;
    uint32_t rounds = 20;
    Time stagger = MicroSeconds(500);
    Time limit = Seconds(60);
    CommandLine command(__FILE__);
    command.AddValue("network", "csma or wifi", network);
    command.AddValue("protocol", "pcode, p1 or p0", protocol);
    command.AddValue("stations", "Number of stations, 2 to 100", stations);
    command.AddValue("rounds", "Number of repetitions of the program", rounds);
    command.AddValue("stagger", "Difference of the stations' NACK periods", stagger);
    command.AddValue("limit", "Simulated time after which a run is aborted", limit);
    command.Parse(argc, argv);
    const bool isWifi = network == "wifi";
    if ((!isWifi && network != "csma") || stations < 2 || stations > 100 || rounds == 0)
    {
        std::cerr << "The arguments must be network csma or wifi, 2 to 100 stations, and at "
                     "least one round."
                  << std::endl;
        return 2;
    }

    GlobalProgram program(stations);
    Collectives collectives(program);
    collectives.AllToAllInTurn(1024);
    collectives.Barrier();
    program.SetRounds(rounds);
    const NodeContainer nodes(stations);
    const NetDeviceContainer devices = isWifi ? InstallWifi(nodes) : InstallCsma(nodes);
    const auto parameters = CreateObject<PcodeParameters>();
    parameters->SetAttribute("NackStagger", TimeValue(stagger));
    Outcome outcome;
    if (protocol == "p0")
    {
        outcome = Run(devices, program, parameters->AsP0(), limit);
    }
    else if (protocol == "p1")
    {
        outcome = Run(devices, program, parameters->AsP1(), limit);
    }
    else if (protocol == "pcode")
    {
        outcome = Run(devices, program, parameters, limit);
    }
    else
    {
        std::cerr << "The protocol is pcode, p1 or p0." << std::endl;
        return 2;
    }
    std::string programs = outcome.violation;
    if (programs.empty())
    {
        programs = outcome.finished ? "ended as they should" : "not ended";
    }
    std::cout << protocol << " over " << network << "\n"
              << "programs    " << programs << "\n"
              << "time        " << (outcome.end - Seconds(1)).As(Time::MS) << "\n"
              << "NACKs       " << outcome.nacks << "\n"
              << "resends     " << outcome.resends << std::endl;
    Simulator::Destroy();
    return outcome.finished && outcome.violation.empty() ? 0 : 1;
}
