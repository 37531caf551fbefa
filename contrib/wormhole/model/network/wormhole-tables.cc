/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-tables.h"

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
MakeDropTable(const Counters& counters)
{
    const auto reason = [](std::size_t i) { return static_cast<DropReason>(i); };
    return messaging::RowTable(N_DROP_REASONS)
        .Add("reason", "", reason)
        .Add("drops", "packets", [&](std::size_t i) { return counters.GetDrops(reason(i)); })
        .Get();
}

} // namespace wormhole
} // namespace ns3
