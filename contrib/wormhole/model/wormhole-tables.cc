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
MakeLinkTable(const WormholeNetwork& network, Ticks cycles, const std::vector<uint64_t>& before)
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
        const uint64_t used = busy[link] - (before.empty() ? 0 : before[link]);
        const double available = static_cast<double>(cycles) * shape.GetChannels(link);
        utilization.push_back(available > 0 ? static_cast<double>(used) / available : 0);
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

Timeline::Timeline(Ptr<WormholeNetwork> network, std::size_t limit)
    : m_network(network),
      m_limit(limit)
{
    network->TraceConnectWithoutContext("Delivery", MakeCallback(&Timeline::OnDelivery, this));
    network->TraceConnectWithoutContext("Drop", MakeCallback(&Timeline::OnDrop, this));
}

Timeline::~Timeline()
{
    m_network->TraceDisconnectWithoutContext("Delivery", MakeCallback(&Timeline::OnDelivery, this));
    m_network->TraceDisconnectWithoutContext("Drop", MakeCallback(&Timeline::OnDrop, this));
}

void
Timeline::OnDelivery(const Packet& packet, Ticks now)
{
    if (m_rows.size() < m_limit)
    {
        m_rows.push_back(Row{packet, now, "delivered"});
    }
}

void
Timeline::OnDrop(const Packet& packet, DropReason reason, uint32_t, Ticks now)
{
    if (m_rows.size() < m_limit)
    {
        std::ostringstream fate;
        fate << reason;
        m_rows.push_back(Row{packet, now, fate.str()});
    }
}

Ptr<messaging::Table>
Timeline::MakeTable() const
{
    const auto column = [this](auto value) {
        std::vector<int64_t> cells;
        cells.reserve(m_rows.size());
        for (const Row& row : m_rows)
        {
            cells.push_back(static_cast<int64_t>(value(row)));
        }
        return cells;
    };
    std::vector<std::string> fates;
    fates.reserve(m_rows.size());
    for (const Row& row : m_rows)
    {
        fates.push_back(row.fate);
    }
    const auto table = CreateObject<messaging::Table>();
    table->AddColumn("frame", "", column([](const Row& row) { return row.packet.frame.id; }));
    table->AddColumn("from", "", column([](const Row& row) { return row.packet.from; }));
    table->AddColumn("to", "", column([](const Row& row) { return row.packet.to; }));
    table->AddColumn("flits", "flits", column([](const Row& row) { return row.packet.flits; }));
    table->AddColumn("sent", "cycles", column([](const Row& row) { return row.packet.sent; }));
    table->AddColumn("injected", "cycles", column([](const Row& row) {
                         return row.packet.injected;
                     }));
    table->AddColumn("ended", "cycles", column([](const Row& row) { return row.ended; }));
    table->AddColumn("hops", "hops", column([](const Row& row) { return row.packet.hops; }));
    table->AddColumn("fate", "", std::move(fates));
    return table;
}

} // namespace wormhole
} // namespace ns3
