/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BENCH_CHAIN_H
#define BENCH_CHAIN_H

#include "bench-common.h"

#include "ns3/mac48-address.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <functional>
#include <map>

/**
 * @file
 * Measurement of ns-3's point-to-point chain, the baseline of packet-hops.
 */

namespace ns3
{
namespace bench
{

/**
 * Send packets along a chain of ns-3's point-to-point devices, which forward them without IP.
 * @param rate rate of the links
 * @return packet-hops per second
 */
inline double
MeasureChain(const char* rate)
{
    constexpr uint32_t LINKS = 6;
    constexpr uint32_t PACKETS = 20000;
    NodeContainer nodes(LINKS + 1);
    PointToPointHelper helper;
    helper.SetDeviceAttribute("DataRate", StringValue(rate));
    helper.SetChannelAttribute("Delay", StringValue("15ns"));
    helper.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("100000p"));
    const Address everyone = Mac48Address::GetBroadcast();
    uint64_t hops = 0;
    std::map<Ptr<NetDevice>, Ptr<NetDevice>> next;
    Ptr<NetDevice> first;
    Ptr<NetDevice> last;
    for (uint32_t link = 0; link < LINKS; ++link)
    {
        const auto ends = helper.Install(nodes.Get(link), nodes.Get(link + 1));
        first = first ? first : ends.Get(0);
        if (last)
        {
            next[last] = ends.Get(0);
        }
        last = ends.Get(1);
        last->SetReceiveCallback([&hops, &next, &everyone](Ptr<NetDevice> at,
                                                           Ptr<const Packet> packet,
                                                           uint16_t,
                                                           const Address&) {
            ++hops;
            if (const auto onward = next.find(at); onward != next.end())
            {
                onward->second->Send(packet->Copy(), everyone, 0x800);
            }
            return true;
        });
    }
    uint32_t sent = 0;
    const std::function<void()> send = [&] {
        first->Send(Create<Packet>(1024), everyone, 0x800);
        if (++sent < PACKETS)
        {
            Simulator::Schedule(MicroSeconds(7), send);
        }
    };
    Simulator::ScheduleNow(send);
    const double start = GetCpuTime();
    Simulator::Run();
    const double hopRate = static_cast<double>(hops) / (GetCpuTime() - start);
    Simulator::Destroy();
    return hopRate;
}

} // namespace bench
} // namespace ns3

#endif // BENCH_CHAIN_H
