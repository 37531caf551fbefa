/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_HOST_TABLE_H
#define MESSAGING_HOST_TABLE_H

#include "ns3/messaging-host.h"
#include "ns3/messaging-table.h"

#include <vector>

/**
 * @file
 * @ingroup messaging
 * Use of the resources of hosts as a table.
 */

namespace ns3
{
namespace messaging
{

/**
 * Make a table of the use of hosts: a row for each resource that a job has requested.
 * @param hosts the hosts
 * @return the table: host, resource, jobs, busy time, sum of the waits, longest queue
 */
Ptr<Table> MakeHostTable(const std::vector<Ptr<HostModel>>& hosts);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_HOST_TABLE_H
