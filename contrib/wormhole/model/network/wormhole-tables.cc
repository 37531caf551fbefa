/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-tables.h"

#include "ns3/messaging-named-counts.h"
#include "ns3/messaging-row-table.h"

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
    std::vector<Link> links;
    for (Link link = 0; link < busy.size(); ++link)
    {
        if (shape.GetOrigin(link) != messaging::NO_PEER)
        {
            links.push_back(link);
        }
    }
    messaging::RowTable table(links);
    table.Add("from", "", [&](Link link) { return shape.GetOrigin(link); });
    table.Add("to", "", [&](Link link) { return shape.GetTarget(link); });
    uint32_t stride = 1;
    for (std::size_t d = 0; d < sides.size(); stride *= sides[d++])
    {
        table.Add(std::string(1, "xyz"[d]), "nodes", [&](Link link) {
            return shape.GetOrigin(link) / stride % sides[d];
        });
    }
    if (!sides.empty())
    {
        table.Add("direction", "", [&](Link link) {
            const std::size_t way = link % (2 * sides.size());
            return std::string(way % 2 ? "-" : "+") + "xyz"[way / 2];
        });
    }
    table.Add("channels", "channels", [&](Link link) { return shape.GetChannels(link); });
    table.Add("utilization", "fraction", [&](Link link) {
        const double available = static_cast<double>(cycles) * shape.GetChannels(link);
        return available > 0 ? static_cast<double>(busy[link]) / available : 0;
    });
    return table.Get();
}

Ptr<messaging::Table>
MakeDropTable(const Counters& counters, const std::vector<std::pair<std::string, int64_t>>& further)
{
    using Count = std::pair<std::string, uint64_t>;
    auto counts = messaging::NameCounts<DropReason>(0, N_DROP_REASONS, [&](DropReason reason) {
        return counters.GetDrops(reason);
    });
    counts.insert(counts.end(), further.begin(), further.end());
    return messaging::RowTable(counts)
        .Add("reason", "", &Count::first)
        .Add("drops", "packets", &Count::second)
        .Get();
}

} // namespace wormhole
} // namespace ns3
