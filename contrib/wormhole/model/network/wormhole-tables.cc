/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-tables.h"

#include <sstream>

namespace ns3
{
namespace wormhole
{

Ptr<messaging::Table>
MakeLinkTable(const WormholeNetwork& network, Ticks cycles)
{
    const Shape& shape = network.GetShape();
    const auto busy = network.GetLinkBusy();
    const auto sides = shape.GetSides();
    std::vector<int64_t> from;
    std::vector<int64_t> to;
    std::vector<int64_t> channels;
    std::vector<double> utilization;
    std::vector<std::string> direction;
    std::vector<std::vector<int64_t>> position(sides.size());
    for (Link link = 0; link < busy.size(); ++link)
    {
        const uint32_t origin = shape.GetOrigin(link);
        if (origin == messaging::NO_PEER)
        {
            continue;
        }
        from.push_back(origin);
        to.push_back(shape.GetTarget(link));
        channels.push_back(shape.GetChannels(link));
        const double available = static_cast<double>(cycles) * shape.GetChannels(link);
        utilization.push_back(available > 0 ? static_cast<double>(busy[link]) / available : 0);
        uint32_t rest = origin;
        for (std::size_t d = 0; d < sides.size(); ++d)
        {
            position[d].push_back(rest % sides[d]);
            rest /= sides[d];
        }
        if (!sides.empty())
        {
            const std::size_t way = link % (2 * sides.size());
            direction.push_back(std::string(way % 2 ? "-" : "+") + "xyz"[way / 2]);
        }
    }
    const auto table = CreateObject<messaging::Table>();
    table->AddColumn("from", "", std::move(from));
    table->AddColumn("to", "", std::move(to));
    for (std::size_t d = 0; d < sides.size(); ++d)
    {
        table->AddColumn(std::string(1, "xyz"[d]), "nodes", std::move(position[d]));
    }
    if (!sides.empty())
    {
        table->AddColumn("direction", "", std::move(direction));
    }
    table->AddColumn("channels", "channels", std::move(channels));
    table->AddColumn("utilization", "fraction", std::move(utilization));
    return table;
}

Ptr<messaging::Table>
MakeDropTable(const Counters& counters, const std::vector<std::pair<std::string, int64_t>>& further)
{
    std::vector<std::string> reasons;
    std::vector<int64_t> drops;
    for (std::size_t n = 0; n < N_DROP_REASONS; ++n)
    {
        std::ostringstream reason;
        reason << static_cast<DropReason>(n);
        reasons.push_back(reason.str());
        drops.push_back(static_cast<int64_t>(counters.drops[n]));
    }
    for (const auto& [reason, count] : further)
    {
        reasons.push_back(reason);
        drops.push_back(count);
    }
    const auto table = CreateObject<messaging::Table>();
    table->AddColumn("reason", "", std::move(reasons));
    table->AddColumn("drops", "packets", std::move(drops));
    return table;
}

} // namespace wormhole
} // namespace ns3
