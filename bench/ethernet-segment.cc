/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * The shared segment with CSMA/CD, compared with ns-3's csma channel, which has no collisions:
 * frames and receptions per second of processor time, and simulator events per frame.
 */

#include "bench-common.h"

#include "ns3/broadcast-ethernet-helper.h"
#include "ns3/broadcast-ethernet-net-device.h"
#include "ns3/csma-helper.h"
#include "ns3/node-container.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <vector>

using namespace ns3;
using namespace ns3::bench;

namespace
{

constexpr uint16_t PROTOCOL = 0x88b5; ///< EtherType, reserved for experiments.

/** Cost of a run. */
struct Cost
{
    double framesPerSecond{0};     ///< Frames sent per second of processor time.
    double receptionsPerSecond{0}; ///< Frames passed up per second of processor time.
    double eventsPerFrame{0};      ///< Simulator events for each frame.
};

/** Saturated devices of any type. */
class Saturated
{
  public:
    /**
     * Construct.
     * @param devices the devices
     * @param senders number of senders
     * @param bytes payload of a frame
     * @param broadcast whether frames are broadcast, or sent to the next device
     */
    Saturated(const NetDeviceContainer& devices, uint32_t senders, uint32_t bytes, bool broadcast)
        : m_bytes(bytes)
    {
        const uint32_t n = devices.GetN();
        for (uint32_t i = 0; i < n; ++i)
        {
            const Ptr<NetDevice> device = devices.Get(i);
            device->SetReceiveCallback(
                [this](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&) {
                    ++m_received;
                    return true;
                });
            if (i >= senders)
            {
                continue;
            }
            const Address to =
                broadcast ? device->GetBroadcast() : devices.Get((i + 1) % n)->GetAddress();
            const auto sendNext = [this, device = PeekPointer(device), to] {
                device->Send(Create<Packet>(m_bytes), to, PROTOCOL);
            };
            device->TraceConnectWithoutContext(
                "PhyTxEnd",
                Callback<void, Ptr<const Packet>>([this, sendNext](Ptr<const Packet>) {
                    ++m_sent;
                    sendNext();
                }));
            device->TraceConnectWithoutContext(
                "PhyTxDrop",
                Callback<void, Ptr<const Packet>>([sendNext](Ptr<const Packet>) { sendNext(); }));
            Simulator::ScheduleWithContext(device->GetNode()->GetId(),
                                           MicroSeconds(10 * i),
                                           [sendNext] {
                                               sendNext();
                                               sendNext();
                                           });
        }
    }

    /**
     * Run.
     * @param duration simulated time
     * @return the cost
     */
    Cost Run(Time duration)
    {
        Simulator::Stop(duration);
        const double begin = GetCpuTime();
        Simulator::Run();
        const double used = GetCpuTime() - begin;
        const auto sent = static_cast<double>(m_sent);
        const Cost cost{sent / used,
                        static_cast<double>(m_received) / used,
                        static_cast<double>(Simulator::GetEventCount()) / sent};
        Simulator::Destroy();
        return cost;
    }

  private:
    uint32_t m_bytes;       ///< Payload of a frame.
    uint64_t m_sent{0};     ///< Frames sent.
    uint64_t m_received{0}; ///< Frames passed up.
};

/**
 * Measure one kind of load on both kinds of network.
 * @param stations number of stations
 * @param senders number of senders
 * @param bytes payload of a frame
 * @param broadcast whether frames are broadcast
 * @param duration simulated time of a run
 */
void
Measure(uint32_t stations, uint32_t senders, uint32_t bytes, bool broadcast, Time duration)
{
    std::vector<double> ours;
    std::vector<double> theirs;
    const auto rate = [broadcast](const Cost& cost) {
        return broadcast ? cost.receptionsPerSecond : cost.framesPerSecond;
    };
    const auto ethernet = [&] {
        const auto devices = ethernet::EthernetHelper().Install(NodeContainer(stations));
        ethernet::EthernetHelper::AssignStreams(devices, 1);
        const Cost cost = Saturated(devices, senders, bytes, broadcast).Run(duration);
        ours.push_back(cost.eventsPerFrame);
        return rate(cost);
    };
    const auto csma = [&] {
        CsmaHelper helper;
        helper.SetChannelAttribute("DataRate", StringValue("10Mbps"));
        helper.SetChannelAttribute("Delay", StringValue("1us"));
        const auto devices = helper.Install(NodeContainer(stations));
        helper.AssignStreams(devices, 1);
        const Cost cost = Saturated(devices, senders, bytes, broadcast).Run(duration);
        theirs.push_back(cost.eventsPerFrame);
        return rate(cost);
    };
    const Pair pair(5, ethernet, csma);
    const std::string name = std::to_string(stations) + " stations, " + std::to_string(senders) +
                             (senders == 1 ? " sends, " : " send, ") + std::to_string(bytes) +
                             " B" + (broadcast ? " to all" : "");
    Report(name,
           pair.value / 1e3,
           broadcast ? "k receptions/s" : "k frames/s",
           "ns-3 csma",
           pair.beside / 1e3,
           pair.ratio);
    Report(name + ", events", GetMedian(ours), "events/frame", "ns-3 csma", GetMedian(theirs));
}

} // namespace

int
main()
{
    Measure(2, 2, 1000, false, Seconds(20));
    Measure(24, 24, 46, false, Seconds(4));
    Measure(24, 24, 1000, false, Seconds(20));
    Measure(100, 100, 1000, false, Seconds(10));
    Measure(100, 1, 1000, true, Seconds(5));
    return 0;
}
