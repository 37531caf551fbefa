/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-config.h"

#include <algorithm>

namespace ns3
{
namespace wormhole
{

std::string
WormholeConfig::Check(uint32_t peers) const
{
    std::string error;
    const auto made = MakeShape(peers, error);
    if (!made)
    {
        return error;
    }
    if (peers && made->GetNNodes() != peers)
    {
        return "The network has " + std::to_string(made->GetNNodes()) + " nodes; it needs " +
               std::to_string(peers) + ", one for each peer.";
    }
    if (router == RouterKind::BUFFERED && kernel.routing == Routing::RANDOM)
    {
        return "Router buffered has no Routing random; productive and strict are allowed and mean "
               "the same.";
    }
    if (router != RouterKind::LOSSY && kernel.freeOnDrop)
    {
        return "FreeOnDrop is allowed with Router lossy only; a hybrid router stores flits of "
               "dropped packets.";
    }
    if (router == RouterKind::BUFFERED && kernel.corruption > 0)
    {
        return "Corruption is allowed with Router lossy and hybrid only, whose packets have a "
               "checksum flit.";
    }
    if (const Ticks flits = GetLongest(); flits > MAX_FLITS)
    {
        return "Mtu " + std::to_string(mtu) + " makes packets of " + std::to_string(flits) +
               " flits; they may have up to " + std::to_string(MAX_FLITS) + ".";
    }
    return "";
}

std::unique_ptr<Shape>
WormholeConfig::MakeShape(uint32_t peers, std::string& error) const
{
    ShapeConfig config = shape;
    const bool given = config.nodes || !config.sides.empty() || !config.file.empty();
    if (!given)
    {
        config.nodes = peers;
    }
    return Shape::Make(config, router == RouterKind::BUFFERED, error);
}

messaging::Ticks
WormholeConfig::GetLongest() const
{
    const Ticks bits = static_cast<Ticks>(mtu) * 8;
    constexpr Ticks CHECKSUM_FLITS = 1;
    return (bits + flitBits - 1) / flitBits + CHECKSUM_FLITS;
}

messaging::PortInfo
WormholeConfig::GetInfo() const
{
    const KernelConfig& config = kernel;
    // Heads keep their order on routes of equal length if all of them move in every cycle, or queue
    // in order. Tails keep it if a node injects and ejects one packet at a time.
    const bool inLine = config.injectionPorts == 1 && config.ejectionPorts == 1;
    messaging::PortInfo info;
    info.mtu = mtu;
    info.cycle = 1;
    info.rate = flitBits / 8.0;
    info.lossless = router == RouterKind::BUFFERED && config.loss == 0 && config.corruption == 0;
    // A packet may overtake another one of its node that leaves through another port; each misroute
    // costs a hop away and a hop back.
    const Ticks overtaken = config.injectionPorts == 1 ? 0 : GetLongest();
    const Ticks detour = Ticks{2} * config.misrouteLimit;
    switch (router)
    {
    case RouterKind::LOSSY:
        info.ordered = config.injectionPorts == 1 && detour == 0;
        info.maxSlip = info.ordered ? 0 : overtaken + detour;
        break;
    case RouterKind::BUFFERED:
        info.ordered =
            inLine && (shape.kind == TopologyKind::GRID2D || shape.kind == TopologyKind::GRID3D ||
                       config.arbitration == Arbitration::FIRST_COME);
        info.maxSlip = info.ordered ? 0 : messaging::NEVER;
        break;
    case RouterKind::HYBRID: {
        std::string error;
        const auto made = MakeShape(0, error);
        const uint32_t diameter = made ? made->GetDiameter() : 0;
        info.maxSlip = overtaken + detour + (diameter + detour + 1) * config.holdLimit;
        break;
    }
    }
    if (router != RouterKind::BUFFERED && config.timeToLive)
    {
        info.maxSlip = std::min(info.maxSlip, config.timeToLive + overtaken);
    }
    return info;
}

} // namespace wormhole
} // namespace ns3
