/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-fabric-presets.h"

#include <tuple>

namespace ns3
{
namespace fabric
{

namespace
{

/** All parameters. */
constexpr auto FIELDS = std::make_tuple(&FabricConfig::topology,
                                        &FabricConfig::topologyFile,
                                        &FabricConfig::hostsPerLeaf,
                                        &FabricConfig::spines,
                                        &FabricConfig::parallel,
                                        &FabricConfig::planes,
                                        &FabricConfig::radix,
                                        &FabricConfig::oversubscription,
                                        &FabricConfig::hostRate,
                                        &FabricConfig::trunkRate,
                                        &FabricConfig::delay,
                                        &FabricConfig::mtu,
                                        &FabricConfig::overhead,
                                        &FabricConfig::gaps,
                                        &FabricConfig::sendQueue,
                                        &FabricConfig::switching,
                                        &FabricConfig::cutThrough,
                                        &FabricConfig::latency,
                                        &FabricConfig::classes,
                                        &FabricConfig::weights,
                                        &FabricConfig::sharing,
                                        &FabricConfig::buffer,
                                        &FabricConfig::alpha,
                                        &FabricConfig::admission,
                                        &FabricConfig::trimThreshold,
                                        &FabricConfig::trimSize,
                                        &FabricConfig::headerQueue,
                                        &FabricConfig::pfcXoff,
                                        &FabricConfig::pfcAlpha,
                                        &FabricConfig::pfcResume,
                                        &FabricConfig::pfcHeadroom,
                                        &FabricConfig::pfcWatchdog,
                                        &FabricConfig::lossless,
                                        &FabricConfig::ecn,
                                        &FabricConfig::ecnLow,
                                        &FabricConfig::ecnHigh,
                                        &FabricConfig::ecnShare,
                                        &FabricConfig::ecnPoint,
                                        &FabricConfig::ecnLastHop,
                                        &FabricConfig::routing,
                                        &FabricConfig::paths,
                                        &FabricConfig::bitErrors,
                                        &FabricConfig::faults,
                                        &FabricConfig::faultsFile,
                                        &FabricConfig::convergence);

/** @return the setting of IRN's evaluation: general knowledge, see the documentation. */
FabricConfig
MakeIrn()
{
    FabricConfig config;
    config.topology = TopologyKind::FAT_TREE;
    config.radix = 6;
    config.hostRate = DataRate("40Gbps");
    config.delay = MicroSeconds(2);
    config.latency = Time(0);
    config.mtu = 1000 + 24;
    config.overhead = 24;
    config.gaps = false;
    config.buffer = 240000;
    config.pfcXoff = 220000;
    // The bytes on a link, 20 kB, would lose frames: see GetLeastHeadroom.
    config.pfcHeadroom = 0;
    return config;
}

/** @return the setting of HPCC's simulator. */
FabricConfig
MakeHpcc()
{
    FabricConfig config;
    config.topology = TopologyKind::FAT_TREE;
    config.hostRate = DataRate("100Gbps");
    config.trunkRate = DataRate("400Gbps");
    config.delay = MicroSeconds(1);
    config.latency = Time(0);
    config.mtu = 1000 + 48;
    config.overhead = 0;
    config.gaps = false;
    config.sharing = Sharing::DYNAMIC;
    config.buffer = 32 * 1024 * 1024;
    config.admission = Admission::PFC;
    config.pfcAlpha = 0.125;
    config.pfcResume = 3 * 1024;
    // Three times rate and delay of the fastest link.
    config.pfcHeadroom = 3 * 50000;
    config.ecn = Ecn::RED;
    config.ecnLow = 400000;
    config.ecnHigh = 1600000;
    config.ecnShare = 0.2;
    config.ecnPoint = EcnPoint::DEQUEUE;
    return config;
}

/** @return the setting of ConWeave's simulator. */
FabricConfig
MakeConweave()
{
    FabricConfig config;
    config.hostsPerLeaf = 16;
    config.spines = 8;
    config.hostRate = DataRate("100Gbps");
    config.delay = MicroSeconds(1);
    config.latency = Time(0);
    config.mtu = 1000 + 48;
    config.overhead = 0;
    config.gaps = false;
    config.sharing = Sharing::DYNAMIC;
    config.buffer = 9'000'000;
    config.admission = Admission::PFC;
    config.pfcAlpha = 0.0625;
    // Twice rate and delay, and two frames, would leave no room for a frame in the pause's way.
    config.pfcHeadroom = 0;
    config.ecn = Ecn::RED;
    config.ecnLow = 100000;
    config.ecnHigh = 400000;
    config.ecnShare = 0.2;
    config.ecnPoint = EcnPoint::DEQUEUE;
    return config;
}

/** @return the setting of htsim's validation. */
FabricConfig
MakeHtsim()
{
    constexpr uint32_t PACKET = 4096 + 64;
    constexpr uint32_t QUEUE = 100;
    FabricConfig config;
    config.topology = TopologyKind::FAT_TREE;
    config.hostRate = DataRate("100Gbps");
    config.delay = MicroSeconds(1);
    config.latency = Time(0);
    config.mtu = PACKET;
    config.overhead = 0;
    config.gaps = false;
    config.admission = Admission::TRIM;
    config.buffer = QUEUE * PACKET;
    config.trimThreshold = QUEUE * PACKET;
    config.headerQueue = 2 * QUEUE * PACKET;
    config.ecn = Ecn::RED;
    config.ecnLow = QUEUE / 4 * PACKET;
    config.ecnHigh = QUEUE * 3 / 4 * PACKET;
    config.ecnPoint = EcnPoint::DEQUEUE;
    config.paths = 128;
    return config;
}

/** @return the recommendations of the Ultra Ethernet specification. */
FabricConfig
MakeUet()
{
    // Bytes in flight at 400 Gb/s and a round trip of 7 us, that of two tiers here.
    constexpr uint32_t FLIGHT = 350000;
    FabricConfig config;
    config.admission = Admission::TRIM;
    config.buffer = 3 * FLIGHT;
    config.trimThreshold = FLIGHT;
    config.ecn = Ecn::RED;
    config.ecnLow = FLIGHT / 5;
    config.ecnHigh = FLIGHT / 5 * 4;
    config.paths = 128;
    return config;
}

} // namespace

FabricConfig
GetPreset(Preset preset)
{
    switch (preset)
    {
    case Preset::NONE:
        break;
    case Preset::IRN2018:
        return MakeIrn();
    case Preset::HPCC:
        return MakeHpcc();
    case Preset::CONWEAVE:
        return MakeConweave();
    case Preset::HTSIM:
        return MakeHtsim();
    case Preset::UET:
        return MakeUet();
    }
    return {};
}

FabricConfig
ApplyPreset(Preset preset, const FabricConfig& set)
{
    const FabricConfig plain;
    const FabricConfig published = GetPreset(preset);
    FabricConfig result = set;
    const auto choose = [&](auto field) {
        if (set.*field == plain.*field)
        {
            result.*field = published.*field;
        }
    };
    std::apply([&](auto... fields) { (choose(fields), ...); }, FIELDS);
    return result;
}

} // namespace fabric
} // namespace ns3
