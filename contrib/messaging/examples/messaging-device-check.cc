/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup messaging
 * Conformance checks of a net device: csma, SimpleNetDevice, or csma behind a HostNetDevice.
 * Replace the builder by one for your own device. The program prints each check with its result,
 * and fails if the device does not behave as expected.
 */

#include "ns3/command-line.h"
#include "ns3/csma-helper.h"
#include "ns3/data-rate.h"
#include "ns3/messaging-host-helper.h"
#include "ns3/messaging-host-net-device.h"
#include "ns3/messaging-net-device-conformance.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/simple-net-device-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <iomanip>
#include <iostream>
#include <map>
#include <string>

using namespace ns3;
using namespace ns3::messaging;

namespace
{

/** Nodes of a network under test. */
constexpr uint32_t NODES = 3;

/**
 * Make nodes with csma devices.
 * @return the network
 */
NetDeviceConformance::Network
BuildCsma()
{
    NetDeviceConformance::Network network;
    network.nodes.Create(NODES);
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("100Mbps"));
    csma.SetChannelAttribute("Delay", TimeValue(MicroSeconds(1)));
    network.devices = csma.Install(network.nodes);
    return network;
}

/** @return the checks of csma, with its known deviation. */
NetDeviceConformance
CheckCsma()
{
    NetDeviceConformance checks{BuildCsma};
    checks.SetPcapHelper<CsmaHelper>();
    checks.SetAsciiHelper<CsmaHelper>();
    checks.assignStreams = [](const auto& network, int64_t stream) {
        return CsmaHelper().AssignStreams(network.devices, stream);
    };
    checks.exceptions["mtu-enforced"] = "csma sends whatever it is given";
    return checks;
}

/** @return the checks of SimpleNetDevice, which has fewer features. */
NetDeviceConformance
CheckSimple()
{
    NetDeviceConformance checks{[] {
        NetDeviceConformance::Network network;
        network.nodes.Create(NODES);
        SimpleNetDeviceHelper helper;
        helper.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
        network.devices = helper.Install(network.nodes);
        return network;
    }};
    checks.exceptions = {{"queue", "it refuses frames without a trace"},
                         {"traces", "it has none but PhyRxDrop"},
                         {"assign-streams", "it draws no random numbers"},
                         {"pcap", "it has no packet capture"}};
    return checks;
}

/** @return the checks of csma behind a device that charges a host with costs. */
NetDeviceConformance
CheckHost()
{
    NetDeviceConformance checks{[] {
        NetDeviceConformance::Network network = BuildCsma();
        HostHelper host;
        host.SetHostAttribute("Interrupt", TimeValue(MicroSeconds(3)));
        host.SetHostAttribute("DmaRate", DataRateValue(DataRate("1Gbps")));
        host.SetDeviceAttribute("SendTransfer", StringValue("dma"));
        host.SetDeviceAttribute("ReceiveTransfer", StringValue("dma"));
        host.SetDeviceAttribute("ReceiveInterrupts", UintegerValue(1));
        network.devices = host.Install(network.devices);
        return network;
    }};
    // The helper of the device behind writes the files.
    checks.SetPcapHelper<CsmaHelper>();
    checks.SetAsciiHelper<CsmaHelper>();
    checks.assignStreams = [](const auto& network, int64_t stream) {
        NetDeviceContainer behind;
        for (uint32_t i = 0; i < network.devices.GetN(); ++i)
        {
            behind.Add(DynamicCast<HostNetDevice>(network.devices.Get(i))->GetDevice());
        }
        return CsmaHelper().AssignStreams(behind, stream);
    };
    return checks;
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string device = "csma";
    CommandLine cmd(__FILE__);
    cmd.AddValue("device", "csma, simple or host", device);
    cmd.Parse(argc, argv);
    NetDeviceConformance checks;
    if (device == "csma")
    {
        checks = CheckCsma();
    }
    else if (device == "simple")
    {
        checks = CheckSimple();
    }
    else if (device == "host")
    {
        checks = CheckHost();
    }
    else
    {
        std::cerr << "The device must be csma, simple or host." << std::endl;
        return 2;
    }

    // For ascii traces, before the first packet.
    Packet::EnablePrinting();
    std::map<std::string, std::string> failures;
    for (const auto& finding : checks.Run())
    {
        failures[finding.check] = finding.sentence;
    }
    for (const std::string& check : NetDeviceConformance::GetChecks())
    {
        std::string result = "passes";
        if (const auto failure = failures.find(check); failure != failures.end())
        {
            result = "FAILS: " + failure->second;
        }
        else if (const auto known = checks.exceptions.find(check); known != checks.exceptions.end())
        {
            result = "fails as declared: " + known->second;
        }
        std::cout << std::left << std::setw(16) << check << result << std::endl;
    }
    return failures.empty() ? 0 : 1;
}
