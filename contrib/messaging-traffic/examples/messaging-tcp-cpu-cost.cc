/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/command-line.h"
#include "ns3/csma-helper.h"
#include "ns3/data-rate.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/messaging-host-helper.h"
#include "ns3/messaging-socket-group.h"
#include "ns3/messaging-traffic-helper.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <string>

/**
 * @file
 * @ingroup messaging
 * Effect of TCP's processor time on a stream of messages: the same two nodes on a csma channel,
 * with hosts without costs, as elsewhere in ns-3, and with hosts whose CPUs execute the work.
 */

using namespace ns3;
using namespace ns3::messaging;

namespace
{

/** Results of a run. */
struct Result
{
    double bandwidth; ///< Bandwidth [MB/s].
    double cpuShare;  ///< CPU share of the busier host.
};

/**
 * Stream messages over TCP from one node to another.
 * @param rate rate of the channel
 * @param size size of a message [bytes]
 * @param host puts hosts in front of the devices
 * @return the results
 */
Result
RunStream(DataRate rate, uint32_t size, const HostHelper& host)
{
    NodeContainer nodes(2);
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", DataRateValue(rate));
    NetDeviceContainer devices = host.Install(csma.Install(nodes));
    InternetStackHelper().Install(nodes);
    const auto interfaces = Ipv4AddressHelper("10.0.0.0", "255.255.255.0").Assign(devices);

    auto group = CreateObject<SocketGroup>();
    group->Connect(nodes,
                   {InetSocketAddress(interfaces.GetAddress(0), 4000),
                    InetSocketAddress(interfaces.GetAddress(1), 4000)});
    BenchmarkHelper benchmark("stream");
    benchmark.SetAttribute("Size", UintegerValue(size));
    benchmark.SetAttribute("Rounds", UintegerValue(200));
    benchmark.SetAttribute("Warmup", UintegerValue(20));
    const auto session = benchmark.Install(group, nodes);
    session->TraceConnectWithoutContext("Finished", Callback<void>([] { Simulator::Stop(); }));
    Simulator::Run();

    const Result result{session->GetBandwidth() / 1e6,
                        std::max(nodes.Get(0)->GetObject<HostModel>()->GetCpuShare(),
                                 nodes.Get(1)->GetObject<HostModel>()->GetCpuShare())};
    Simulator::Destroy();
    return result;
}

} // namespace

int
main(int argc, char* argv[])
{
    DataRate rate("100Mbps");
    Time instructions = MicroSeconds(50);
    DataRate copyRate("256Mbps");
    CommandLine command(__FILE__);
    command.AddValue("rate", "Rate of the csma channel", rate);
    command.AddValue("instructions", "CPU time for each sent or received packet", instructions);
    command.AddValue("copyRate", "Bandwidth of the copy of each packet", copyRate);
    command.Parse(argc, argv);

    const HostHelper free;
    HostHelper costly;
    costly.SetHostAttribute("CopyRate", DataRateValue(copyRate));
    for (const std::string path : {"Send", "Receive"})
    {
        costly.SetDeviceAttribute(path + "Instructions", TimeValue(instructions));
        costly.SetDeviceAttribute(path + "Copies", UintegerValue(1));
    }

    std::cout << "A stream over TCP on a csma channel of " << rate.GetBitRate() / 1e6
              << " Mbit/s\n\n"
              << "   bytes    free hosts     costly hosts     busiest CPU\n"
              << std::fixed << std::setprecision(2);
    for (const uint32_t size : {100, 1000, 10000, 100000})
    {
        const Result without = RunStream(rate, size, free);
        const Result with = RunStream(rate, size, costly);
        std::cout << std::setw(8) << size << std::setw(9) << without.bandwidth << " MB/s"
                  << std::setw(12) << with.bandwidth << " MB/s" << std::setw(14)
                  << 100 * with.cpuShare << " %\n";
    }
    return 0;
}
