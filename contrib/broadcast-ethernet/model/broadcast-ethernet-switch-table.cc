/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-switch-table.h"

#include <array>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace ethernet
{

Ptr<messaging::Table>
MakePortTable(Ptr<const EthernetSwitch> lan)
{
    using Counters = SwitchPortCounters;
    constexpr std::array<std::tuple<const char*, const char*, uint64_t Counters::*>, 10> COLUMNS{
        {{"framesIn", "frames", &Counters::framesIn},
         {"bytesIn", "bytes", &Counters::bytesIn},
         {"filtered", "frames", &Counters::filtered},
         {"flooded", "frames", &Counters::flooded},
         {"offered", "frames", &Counters::offered},
         {"framesOut", "frames", &Counters::framesOut},
         {"bytesOut", "bytes", &Counters::bytesOut},
         {"pausesSent", "frames", &Counters::pausesSent},
         {"pausesReceived", "frames", &Counters::pausesReceived},
         {"peak", "buffer units", &Counters::peak}}};
    auto table = CreateObject<messaging::Table>();
    const auto add = [&](const std::string& name, const std::string& unit, auto&& get) {
        std::vector<int64_t> cells;
        for (uint32_t number = 0; number < lan->GetLan().size(); ++number)
        {
            for (uint32_t port = 0; port < lan->GetLan()[number]->GetNPorts(); ++port)
            {
                cells.push_back(static_cast<int64_t>(get(number, port)));
            }
        }
        table->AddColumn(name, unit, std::move(cells));
    };
    const auto member = [&](uint32_t number) { return lan->GetLan()[number]; };
    add("switch", "", [](uint32_t number, uint32_t) { return number; });
    add("port", "", [](uint32_t, uint32_t port) { return port; });
    add("rate", "Mbit/s", [&](uint32_t number, uint32_t port) {
        return member(number)->GetDataRate(port).GetBitRate() / 1000000;
    });
    for (const auto& [name, unit, count] : COLUMNS)
    {
        add(name, unit, [&, count = count](uint32_t number, uint32_t port) {
            return member(number)->GetCounters(port).*count;
        });
    }
    for (std::size_t reason = 0; reason < Counters().drops.size(); ++reason)
    {
        std::ostringstream name;
        name << "drop " << static_cast<SwitchDrop>(reason);
        add(name.str(), "frames", [&](uint32_t number, uint32_t port) {
            return member(number)->GetCounters(port).drops[reason];
        });
    }
    return table;
}

} // namespace ethernet
} // namespace ns3
