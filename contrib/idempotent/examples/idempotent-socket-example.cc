/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/csma-module.h"
#include "ns3/idempotent-module.h"
#include "ns3/messaging-module.h"
#include "ns3/network-module.h"

#include <iostream>
#include <string>

/**
 * @file
 * @ingroup idempotent
 * Applications of ns-3 over sockets of idempotent messaging, unchanged: UdpEchoClient and OnOff
 * send to their servers on a csma channel that loses packets, and nothing is lost. With
 * --protocol=none each packet is one frame, and the losses show.
 */

using namespace ns3;
using namespace ns3::messaging;

namespace
{

constexpr uint16_t ECHO_PORT = 9;    ///< Port of the echo server.
constexpr uint16_t SINK_PORT = 5000; ///< Port of the sink.
constexpr uint32_t ECHOES = 100;     ///< Packets of the echo client.
constexpr uint64_t BULK = 500000;    ///< Bytes of the OnOff application.
const Time END = Seconds(10);        ///< End of the simulation.

/**
 * Install an error model on each device.
 * @param devices the devices
 * @param loss probability that a device loses a packet that it receives
 */
void
LosePackets(const NetDeviceContainer& devices, double loss)
{
    for (auto device = devices.Begin(); device != devices.End(); ++device)
    {
        auto errors = CreateObject<RateErrorModel>();
        errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        errors->SetRate(loss);
        (*device)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
    }
}

/**
 * Count a packet, as a sink of a trace source.
 * @param count the count, changed
 * @param packet the packet
 */
void
CountPacket(uint32_t* count, [[maybe_unused]] Ptr<const Packet> packet)
{
    ++*count;
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string name = "idempotent";
    double loss = 0.1;
    CommandLine cmd(__FILE__);
    cmd.AddValue("protocol", "Protocol under the sockets: idempotent or none", name);
    cmd.AddValue("loss", "Probability that a packet is lost", loss);
    cmd.Parse(argc, argv);
    Ptr<Protocol> protocol;
    if (name == "idempotent")
    {
        protocol = CreateObject<idempotent::IdempotentProtocol>();
    }
    else if (name == "none")
    {
        protocol = CreateObject<NoneProtocol>();
    }
    if (!protocol || !(loss >= 0 && loss < 1))
    {
        std::cerr
            << "The arguments must be protocol idempotent or none, and a loss from 0 to below "
               "1."
            << std::endl;
        return 2;
    }

    NodeContainer nodes(3);
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", DataRateValue(DataRate("100Mbps")));
    csma.SetChannelAttribute("Delay", TimeValue(MicroSeconds(1)));
    const NetDeviceContainer devices = csma.Install(nodes);
    LosePackets(devices, loss);
    uint32_t lost = 0;
    Config::ConnectWithoutContext("/NodeList/*/DeviceList/*/$ns3::CsmaNetDevice/PhyRxDrop",
                                  MakeBoundCallback(&CountPacket, &lost));

    MessageSocketHelper sockets(protocol);
    sockets.SetBase("10.1.1.0", "255.255.255.0");
    sockets.EnableAudit();
    const MessageInterfaceContainer interfaces = sockets.Install(devices);

    // From here on, a program over UDP would read the same.
    UdpEchoServerHelper echoServer(ECHO_PORT);
    ApplicationContainer applications = echoServer.Install(nodes.Get(0));
    UdpEchoClientHelper echoClient(interfaces.GetAddress(0), ECHO_PORT);
    echoClient.SetAttribute("MaxPackets", UintegerValue(ECHOES));
    echoClient.SetAttribute("Interval", TimeValue(MilliSeconds(10)));
    const ApplicationContainer echoClients = echoClient.Install(nodes.Get(1));
    applications.Add(echoClients);

    const InetSocketAddress sinkAddress(interfaces.GetAddress(0), SINK_PORT);
    const std::string factory = "ns3::messaging::MessageSocketFactory";
    const ApplicationContainer sinks = PacketSinkHelper(factory, sinkAddress).Install(nodes.Get(0));
    applications.Add(sinks);
    OnOffHelper source(factory, sinkAddress);
    source.SetConstantRate(DataRate("4Mbps"), 500);
    source.SetAttribute("MaxBytes", UintegerValue(BULK));
    applications.Add(source.Install(nodes.Get(2)));
    applications.Start(MilliSeconds(1));
    applications.Stop(END);

    uint32_t echoes = 0;
    echoClients.Get(0)->TraceConnectWithoutContext("Rx", MakeBoundCallback(&CountPacket, &echoes));
    Simulator::Stop(END);
    Simulator::Run();
    const uint64_t bytes = DynamicCast<PacketSink>(sinks.Get(0))->GetTotalRx();
    const bool clean = interfaces.GetAudit()->Finish();
    Simulator::Destroy();

    std::cout << name << " over csma with " << loss * 100 << " % loss: " << echoes << " of "
              << ECHOES << " echoes and " << bytes << " of " << BULK
              << " bytes of OnOff have arrived; the devices lost " << lost << " packets; "
              << (clean ? "no delivery was wrong" : interfaces.GetAudit()->GetFirstViolation())
              << std::endl;
    return clean && echoes == ECHOES && bytes == BULK ? 0 : 1;
}
