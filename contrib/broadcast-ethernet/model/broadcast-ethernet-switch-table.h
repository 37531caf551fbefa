/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_SWITCH_TABLE_H
#define BROADCAST_ETHERNET_SWITCH_TABLE_H

#include "broadcast-ethernet-switch.h"

#include "ns3/messaging-scenario.h"

/**
 * @file
 * @ingroup broadcast-ethernet
 * Counts of the ports of a LAN, as a table.
 */

namespace ns3
{
namespace ethernet
{

/**
 * Make a table of the counts of a LAN's ports.
 * @param lan any switch of the LAN
 * @return a row a port, the switches in the order in which they were joined
 */
Ptr<messaging::Table> MakePortTable(Ptr<const EthernetSwitch> lan);

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_SWITCH_TABLE_H
