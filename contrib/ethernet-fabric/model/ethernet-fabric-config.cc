/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-fabric-config.h"

#include "ethernet-fabric-faults.h"
#include "ethernet-fabric-link-time.h"
#include "ethernet-fabric-tiers.h"
#include "ethernet-fabric-topology.h"

#include "ns3/messaging-text-file.h"
#include "ns3/messaging-text.h"
#include "ns3/messaging-tick-clock.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace fabric
{

using messaging::ToText;

namespace
{

/** Rates of links [bit/s]. */
constexpr uint64_t LEAST_RATE = 10'000'000;

/** Largest weight of a class. */
constexpr uint32_t MOST_WEIGHT = 1000;

/** Rates of links [bit/s]. */
constexpr uint64_t MOST_RATE = 10'000'000'000'000;

} // namespace

uint32_t
FabricConfig::GetHostsPerLeaf(uint32_t hosts) const
{
    if (hostsPerLeaf > 0)
    {
        return hostsPerLeaf;
    }
    return std::max(1U, static_cast<uint32_t>(std::ceil(std::sqrt(hosts))));
}

uint32_t
FabricConfig::GetSpines(uint32_t hosts) const
{
    return spines > 0 ? spines : GetHostsPerLeaf(hosts);
}

uint32_t
FabricConfig::GetRadix(uint32_t hosts) const
{
    if (radix > 0)
    {
        return radix;
    }
    uint32_t ports = 2;
    while (uint64_t{ports} * ports / 4 * ports * oversubscription < hosts)
    {
        ports += 2;
    }
    return ports;
}

std::vector<uint32_t>
FabricConfig::GetWeights() const
{
    return messaging::ReadNumbers(weights, 1U, MOST_WEIGHT);
}

uint32_t
FabricConfig::GetLeastHeadroom() const
{
    const uint32_t frame = GetLargestFrame();
    uint32_t headroom = 0;
    for (const FabricTier& tier : GetTiers(*this, 0).tiers)
    {
        const auto wait = static_cast<uint64_t>(tier.delay.GetPicoSeconds());
        const LinkTime time(tier.rate.GetBitRate());
        // The pause frame waits for a frame, and crosses the link; the sender ends the frame on the
        // link; its frames cross the link, too.
        const uint32_t edges = gaps ? PREAMBLE + GAP : 0;
        const Instant window = time.Get(frame + edges) + time.Get(LEAST_FRAME + edges) + 2 * wait;
        const uint64_t sent = time.GetBytes(window) + 2 * uint64_t{frame};
        headroom = std::max(headroom, static_cast<uint32_t>(std::min<uint64_t>(sent, NONE)));
    }
    return headroom;
}

Time
FabricConfig::GetLeastPause() const
{
    Instant longest = 0;
    for (const FabricTier& tier : GetTiers(*this, 0).tiers)
    {
        const LinkTime time(tier.rate.GetBitRate());
        const uint32_t edges = gaps ? PREAMBLE + GAP : 0;
        // A frame on the link, and pause frames of all classes.
        const Instant wait = time.Get(GetLargestFrame() + edges);
        longest = std::max(longest, wait + classes * time.Get(LEAST_FRAME + edges));
    }
    return NanoSeconds(static_cast<int64_t>((2 * longest + PS_PER_NS - 1) / PS_PER_NS));
}

std::string
FabricConfig::Check(uint32_t hosts) const
{
    if (topology != TopologyKind::FROM_FILE && !topologyFile.empty())
    {
        return "TopologyFile has no effect unless Topology is file.";
    }
    const FabricTiers shape = GetTiers(*this, hosts);
    if (!shape.error.empty())
    {
        return shape.error;
    }
    if (shape.hosts > 0 && hosts > shape.hosts)
    {
        return ToText("TopologyFile ",
                      topologyFile,
                      " has ",
                      shape.hosts,
                      " hosts, fewer than the ",
                      hosts,
                      " that are needed.");
    }
    uint32_t shortest = buffer;
    for (const FabricTier& tier : shape.tiers)
    {
        if (tier.rate.GetBitRate() < LEAST_RATE || tier.rate.GetBitRate() > MOST_RATE)
        {
            return topology == TopologyKind::FROM_FILE
                       ? "Rates of TopologyFile have to be up to 10000 Gb/s."
                       : "HostRate and TrunkRate have to be from 10Mbps to 10Tbps.";
        }
        shortest = std::min({shortest, tier.bufferUp, tier.bufferDown});
    }
    if (pfcPause.IsStrictlyPositive() && pfcPause < GetLeastPause())
    {
        return ToText("PfcPause has to be 0, or at least ",
                      GetLeastPause().GetNanoSeconds(),
                      " ns: a switch repeats a pause frame after half of it, and the frame may "
                      "wait for others.");
    }
    if (paths % planes != 0)
    {
        return ToText("Paths has to be a multiple of Planes, ",
                      planes,
                      ": the path value of a frame selects its plane.");
    }
    if (topology == TopologyKind::FAT_TREE)
    {
        if (radix % 2 != 0)
        {
            return "Radix has to be even.";
        }
        const uint64_t ports = GetRadix(hosts);
        const uint64_t most = ports * ports / 4 * ports * oversubscription;
        if (hosts > most)
        {
            return ToText("A fat tree of switches with ",
                          ports,
                          " ports has at most ",
                          most,
                          " hosts; Radix has to be larger.");
        }
    }
    if (admission == Admission::TRIM && classes < 2)
    {
        return "Admission trim needs Classes of at least 2: the highest carries trimmed frames.";
    }
    if (!weights.empty() && GetWeights().size() != classes)
    {
        return ToText("Weights has to be empty or ",
                      classes,
                      " numbers from 1 to ",
                      MOST_WEIGHT,
                      ", one for each class.");
    }
    if (trimSize > GetLargestFrame())
    {
        return "TrimSize has to be at most the length of the largest frame.";
    }
    if (sharing == Sharing::FIXED && shortest < GetLargestFrame() && admission != Admission::PFC)
    {
        return ToText("Buffer, and each queue of a TopologyFile, has to be at least ",
                      GetLargestFrame(),
                      ", the largest frame.");
    }
    if (ecn == Ecn::RED && ecnLow > ecnHigh)
    {
        return "EcnLow has to be at most EcnHigh.";
    }
    if (pfcAlpha > 0 && sharing != Sharing::DYNAMIC && admission == Admission::PFC)
    {
        return "PfcAlpha needs Sharing dynamic.";
    }
    if (admission == Admission::PFC && pfcAlpha == 0 && pfcResume > pfcXoff)
    {
        return "PfcResume has to be at most PfcXoff.";
    }
    if (!HasFaults())
    {
        return "";
    }
    std::string error;
    ReadFaults(*this, FabricTopology(*this, hosts), error);
    return error;
}

messaging::PortInfo
FabricConfig::GetInfo(uint32_t hosts) const
{
    uint32_t all = 0;
    for (uint32_t number = 0; number < classes; ++number)
    {
        all |= 1U << number;
    }
    const bool lossless = admission == Admission::PFC && (this->lossless & all) == all &&
                          bitErrors == 0 && !HasFaults() && pfcWatchdog.IsZero() &&
                          GetHeadroom() >= GetLeastHeadroom();
    const bool stable = routing == Routing::ECMP || routing == Routing::SOURCE;
    const bool ordered = stable && paths == 1 && !HasFaults() && admission != Admission::TRIM;
    const std::vector<FabricTier> tiers = GetTiers(*this, hosts).tiers;
    messaging::PortInfo info{.mtu = mtu,
                             .ordered = ordered,
                             .lossless = lossless,
                             .paths = static_cast<uint16_t>(paths),
                             .planes = static_cast<uint16_t>(planes)};
    if (!tiers.empty())
    {
        info.rate = planes * messaging::TickClock::GetBytesPerTick(tiers[0].rate.GetBitRate());
    }
    if (ordered)
    {
        return info;
    }
    info.maxSlip = NEVER;
    if (admission != Admission::PFC)
    {
        // A frame passes full queues while a later one passes empty ones.
        const uint32_t switches = hosts > 0 ? FabricTopology(*this, hosts).GetDiameter() : 5;
        double longest = 0;
        double headers = 0;
        Time slowest;
        for (const FabricTier& tier : tiers)
        {
            const double rate = messaging::TickClock::GetBytesPerTick(tier.rate.GetBitRate());
            longest = std::max(longest, std::max(tier.bufferUp, tier.bufferDown) / rate);
            headers = std::max(headers, headerQueue / rate);
            slowest = std::max(slowest, tier.delay);
        }
        // The highest class has frames of its own up to one limit, and trimmed ones up to another.
        const double highest = admission == Admission::TRIM ? std::max(longest, headers) : longest;
        const double all = (classes - 1) * longest + highest;
        info.maxSlip = static_cast<Ticks>(switches * all) + 1;
        if (HasFaults())
        {
            info.maxSlip += static_cast<Ticks>(switches * 2 * slowest.GetNanoSeconds());
        }
    }
    return info;
}

} // namespace fabric
} // namespace ns3
