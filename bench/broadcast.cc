/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * Broadcast receptions per second on a switch with 100 ports, compared with ns-3's csma and bridge.
 */

#include "bench-common.h"

#include "ns3/bridge-helper.h"
#include "ns3/broadcast-ethernet-helper.h"
#include "ns3/broadcast-ethernet-switch.h"
#include "ns3/csma-helper.h"
#include "ns3/node-container.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <functional>
#include <iostream>

using namespace ns3;
using namespace ns3::bench;

namespace
{

constexpr uint32_t STATIONS = 100;       ///< Stations of each LAN.
constexpr uint32_t PAYLOAD = 1000;       ///< Bytes in each frame.
constexpr uint16_t PROTOCOL = 0x88b5;    ///< EtherType for experiments (IEEE 802).
const Time INTERVAL = MicroSeconds(250); ///< Interval that empties all queues.
constexpr uint32_t BROADCASTS = 10000;   ///< Broadcasts in one measurement.

/** Stations that broadcast in turn and count receptions. */
class Stations
{
  public:
    /**
     * Construct.
     * @param install puts a device on each of 100 nodes
     */
    explicit Stations(const std::function<NetDeviceContainer(const NodeContainer&)>& install)
    {
        NodeContainer nodes(STATIONS);
        m_devices = install(nodes);
        for (uint32_t i = 0; i < STATIONS; ++i)
        {
            m_devices.Get(i)->SetReceiveCallback(MakeCallback(&Stations::Receive, this));
        }
    }

    /**
     * Run the broadcasts.
     * @return receptions per second of processor time
     */
    double Measure()
    {
        m_received = 0;
        m_left = BROADCASTS;
        Simulator::Schedule(INTERVAL, &Stations::Send, this);
        const double begin = GetCpuTime();
        Simulator::Run();
        const double rate = static_cast<double>(m_received) / (GetCpuTime() - begin);
        if (m_received != static_cast<uint64_t>(BROADCASTS) * (STATIONS - 1))
        {
            std::cerr << "received " << m_received << " copies of " << BROADCASTS << " broadcasts"
                      << std::endl;
            std::exit(1);
        }
        return rate;
    }

  private:
    /** Broadcast from the next station. */
    void Send()
    {
        const Ptr<NetDevice> device = m_devices.Get(m_left % STATIONS);
        device->Send(Create<Packet>(PAYLOAD), device->GetBroadcast(), PROTOCOL);
        if (--m_left > 0)
        {
            Simulator::Schedule(INTERVAL, &Stations::Send, this);
        }
    }

    /**
     * Count a received frame.
     * @return true: the frame is accepted
     */
    bool Receive(Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&)
    {
        ++m_received;
        return true;
    }

    NetDeviceContainer m_devices; ///< The stations' devices.
    uint64_t m_received{0};       ///< Receptions.
    uint32_t m_left{0};           ///< Remaining broadcasts.
};

/**
 * Put a csma device on each node, on one channel.
 * @param nodes the nodes
 * @return their devices
 */
NetDeviceContainer
InstallCsma(const NodeContainer& nodes)
{
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("100Mbps"));
    csma.SetChannelAttribute("Delay", StringValue("100ns"));
    return csma.Install(nodes);
}

/**
 * Connect nodes by ns-3's bridge, each over a separate csma channel.
 * @param nodes the nodes
 * @return their devices
 */
NetDeviceContainer
InstallBridge(const NodeContainer& nodes)
{
    NodeContainer center(1);
    NetDeviceContainer ports;
    NetDeviceContainer devices;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        const auto link = InstallCsma(NodeContainer(nodes.Get(i), center.Get(0)));
        devices.Add(link.Get(0));
        ports.Add(link.Get(1));
    }
    BridgeHelper().Install(center.Get(0), ports);
    return devices;
}

} // namespace

int
main()
{
    Stations ours([](const NodeContainer& nodes) {
        return ethernet::EthernetHelper().Install(nodes, CreateObject<ethernet::EthernetSwitch>());
    });
    Stations csma(InstallCsma);
    Stations bridge(InstallBridge);
    ours.Measure();
    const auto report = [&](const char* name, Stations& baseline) {
        const Pair pair(5, [&] { return ours.Measure(); }, [&] { return baseline.Measure(); });
        Report(std::string("broadcast receptions, 100 ports, beside ") + name,
               pair.value / 1e6,
               "M receptions/s",
               name,
               pair.beside / 1e6,
               pair.ratio);
    };
    report("csma", csma);
    report("bridge", bridge);
    Simulator::Destroy();
    return 0;
}
