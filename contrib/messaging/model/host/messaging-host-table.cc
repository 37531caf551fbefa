/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-host-table.h"

#include "ns3/messaging-row-table.h"

#include <string>

namespace ns3
{
namespace messaging
{

namespace
{

/** Row of the table: a resource of a host. */
struct ResourceRow
{
    uint32_t host;              ///< Number of the host.
    std::string name;           ///< Name of the resource.
    Ptr<HostResource> resource; ///< The resource.
};

} // namespace

Ptr<Table>
MakeHostTable(const std::vector<Ptr<HostModel>>& hosts)
{
    std::vector<ResourceRow> rows;
    for (uint32_t number = 0; number < hosts.size(); ++number)
    {
        const HostModel& host = *hosts[number];
        const std::vector<ResourceRow> resources{{number, "cpus", host.GetCpus()},
                                                 {number, "dma engines", host.GetDmaEngines()},
                                                 {number, "bus", host.GetBus()},
                                                 {number, "memory", host.GetMemory()}};
        for (const ResourceRow& row : resources)
        {
            if (row.resource->GetNJobs() > 0)
            {
                rows.push_back(row);
            }
        }
    }
    const auto microseconds = [](Time time) { return time.GetSeconds() * 1e6; };
    return RowTable(rows)
        .Add("host", "", &ResourceRow::host)
        .Add("resource", "", &ResourceRow::name)
        .Add("jobs", "", [](const ResourceRow& row) { return row.resource->GetNJobs(); })
        .Add("busy",
             "us",
             [&](const ResourceRow& row) { return microseconds(row.resource->GetBusyTime()); })
        .Add("waited",
             "us",
             [&](const ResourceRow& row) { return microseconds(row.resource->GetWaitTime()); })
        .Add("longest queue",
             "jobs",
             [](const ResourceRow& row) { return row.resource->GetLongestQueue(); })
        .Get();
}

} // namespace messaging
} // namespace ns3
