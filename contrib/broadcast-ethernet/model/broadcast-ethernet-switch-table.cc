/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-switch-table.h"

#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace ethernet
{

Ptr<messaging::Table>
MakePortTable(Ptr<const EthernetSwitch> lan)
{
    std::map<std::string, std::vector<int64_t>> columns;
    const std::vector<std::pair<std::string, std::string>> names{{"switch", ""},
                                                                 {"port", ""},
                                                                 {"rate", "Mbit/s"},
                                                                 {"framesIn", "frames"},
                                                                 {"bytesIn", "bytes"},
                                                                 {"filtered", "frames"},
                                                                 {"flooded", "frames"},
                                                                 {"offered", "frames"},
                                                                 {"framesOut", "frames"},
                                                                 {"bytesOut", "bytes"},
                                                                 {"pausesSent", "frames"},
                                                                 {"pausesReceived", "frames"},
                                                                 {"peak", "buffer units"}};
    const auto add = [&](const std::string& name, uint64_t value) {
        columns[name].push_back(static_cast<int64_t>(value));
    };
    const auto& switches = lan->GetLan();
    const auto reasons = static_cast<uint8_t>(SwitchDrop::N_REASONS);
    const auto reasonName = [](uint8_t reason) {
        std::ostringstream os;
        os << static_cast<SwitchDrop>(reason);
        return "drop " + os.str();
    };
    for (uint32_t number = 0; number < switches.size(); ++number)
    {
        for (uint32_t port = 0; port < switches[number]->GetNPorts(); ++port)
        {
            const SwitchPortCounters& counters = switches[number]->GetCounters(port);
            add("switch", number);
            add("port", port);
            add("rate", switches[number]->GetDataRate(port).GetBitRate() / 1000000);
            add("framesIn", counters.framesIn);
            add("bytesIn", counters.bytesIn);
            add("filtered", counters.filtered);
            add("flooded", counters.flooded);
            add("offered", counters.offered);
            add("framesOut", counters.framesOut);
            add("bytesOut", counters.bytesOut);
            add("pausesSent", counters.pausesSent);
            add("pausesReceived", counters.pausesReceived);
            add("peak", counters.peak);
            for (uint8_t reason = 0; reason < reasons; ++reason)
            {
                add(reasonName(reason), counters.drops[reason]);
            }
        }
    }
    auto table = CreateObject<messaging::Table>();
    for (const auto& [name, unit] : names)
    {
        table->AddColumn(name, unit, std::move(columns[name]));
    }
    for (uint8_t reason = 0; reason < reasons; ++reason)
    {
        table->AddColumn(reasonName(reason), "frames", std::move(columns[reasonName(reason)]));
    }
    return table;
}

} // namespace ethernet
} // namespace ns3
