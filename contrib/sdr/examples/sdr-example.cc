/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup sdr
 * SDR over a long link of ns-3 that loses packets: messages from one site to another by selective
 * repeat or an erasure code, beside the closed form of their time.
 */

#include "ns3/command-line.h"
#include "ns3/double.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/messaging-traffic-helper.h"
#include "ns3/node-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/sdr-closed-forms.h"
#include "ns3/sdr-protocol.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <iostream>
#include <map>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string name = "mds";
    uint32_t size = 1 << 20;
    uint32_t messages = 20;
    double loss = 0.001;
    CommandLine cmd(__FILE__);
    cmd.AddValue("scheme", "selective-repeat, xor or mds", name);
    cmd.AddValue("size", "Size of a message, above 0", size);
    cmd.AddValue("messages", "Messages from site 0 to site 1", messages);
    cmd.AddValue("loss", "Probability that a packet is lost", loss);
    cmd.Parse(argc, argv);
    const std::map<std::string, sdr::Scheme> schemes{
        {"selective-repeat", sdr::Scheme::SELECTIVE_REPEAT},
        {"xor", sdr::Scheme::XOR},
        {"mds", sdr::Scheme::MDS}};
    if (messages == 0 || size == 0 || !(loss >= 0 && loss < 1) || !schemes.contains(name))
    {
        std::cerr << "The arguments must be selective-repeat, xor or mds, a size and a number of "
                     "messages above 0, and a loss from 0 to below 1."
                  << std::endl;
        return 2;
    }

    NodeContainer nodes;
    nodes.Create(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("100Gbps"));
    link.SetChannelAttribute("Delay", StringValue("5ms"));
    auto clock = CreateObject<messaging::TickClock>();
    auto devices = CreateObject<messaging::NetDevicePort>();
    devices->Connect(clock, link.Install(nodes));
    auto faults = CreateObject<messaging::FaultPlan>();
    faults->SetAttribute("Loss", DoubleValue(loss));
    faults->SetAttribute("LossFrom", UintegerValue(0));
    using Port = messaging::FaultyPort<messaging::NetDevicePort>;
    const auto faulty = Create<Port>(clock, devices, faults);
    const auto port = messaging::MakeAnyPort(faulty);

    const auto protocol = CreateObject<sdr::SdrProtocol>();
    protocol->SetAttribute("Scheme", StringValue(name));
    protocol->SetAttribute("Gaps", StringValue("false"));
    const auto group = protocol->Connect(messaging::Site{.clock = clock, .port = port});

    auto audit = CreateObject<messaging::DeliveryAudit>();
    audit->SetGroup(group);
    messaging::BenchmarkHelper helper("stream");
    helper.SetAttribute("Size", UintegerValue(size));
    helper.SetAttribute("Rounds", UintegerValue(messages));
    helper.SetAttribute("Window", UintegerValue(1));
    helper.SetAttribute("Closed", StringValue("completion"));
    auto session = helper.Install(audit);
    Simulator::Run();

    const bool sound = audit->Finish();
    const double perMessage = size / session->GetBandwidth() * 1e3;
    const sdr::Config config = protocol->Resolve(*port, clock->GetTickLength());
    const auto milliseconds = [&](messaging::Ticks ticks) {
        return clock->GetTickLength().ToDouble(Time::MS) * static_cast<double>(ticks);
    };
    const sdr::LinkModel model{.chunkTime = milliseconds(config.packetTime),
                               .roundTrip = 10,
                               .timeout = milliseconds(config.timeout),
                               .slack = milliseconds(config.slack),
                               .loss = loss,
                               .scheme = schemes.at(name)};
    const uint32_t chunks = (size + config.mtu - 1) / config.mtu;
    std::cout << audit->GetCounts().delivered << " of " << messages << " messages of " << size
              << " bytes, " << perMessage << " ms each; closed form "
              << sdr::GetCompletionTime(model, chunks).mean << " ms";
    for (const auto& [event, count] : protocol->GetCounts())
    {
        std::cout << ", " << event << " " << count;
    }
    std::cout << std::endl;
    if (!sound)
    {
        std::cerr << audit->GetFirstViolation() << std::endl;
    }
    Simulator::Destroy();
    return sound ? 0 : 1;
}
