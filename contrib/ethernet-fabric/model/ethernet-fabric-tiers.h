/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_FABRIC_TIERS_H
#define ETHERNET_FABRIC_TIERS_H

#include "ethernet-fabric-config.h"

#include <istream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup ethernet-fabric
 * Tiers of switches: ports, and the links below them.
 */

namespace ns3
{
namespace fabric
{

/** The switches of a tier, and the links from them down to hosts or switches. */
struct FabricTier
{
    DataRate rate;       ///< Rate of the links below.
    Time delay;          ///< Delay of the links below.
    Time latency;        ///< Latency of the switches.
    uint32_t down{0};    ///< Ports downwards of a switch.
    uint32_t up{0};      ///< Ports upwards of a switch; 0 in the top tier.
    uint32_t bundle{1};  ///< Parallel links to each switch below.
    uint32_t bufferUp;   ///< Limit of a queue of the ports upwards [bytes].
    uint32_t bufferDown; ///< Limit of a queue of the ports downwards [bytes].
};

/** The tiers of a fabric, from the leaves on. */
struct FabricTiers
{
    std::vector<FabricTier> tiers; ///< One to three.
    uint32_t hosts{0};             ///< Hosts that a file has; 0 for any number.
    std::string error{};           ///< Empty, or one sentence with the error.
};

/**
 * Get the tiers of a fabric.
 * @param config the parameters; its file is read if its topology is one
 * @param hosts number of hosts; 0 if unknown, for which a file has its own
 * @return the tiers
 */
FabricTiers GetTiers(const FabricConfig& config, uint32_t hosts);

/**
 * Read a topology of htsim (the files .topo in its folder datacenter/topologies).
 *
 * A head gives the number of hosts, of tiers (two or three) and of the hosts of a pod. A section
 for each tier
 * follows, of the leaves first:
 * @verbatim
   Nodes 128
   Tiers 2
   Podsize 128
   Tier 0
   Downlink_speed_Gbps 100     # rate of the links below
   Radix_Down 8                # ports downwards
   Radix_Up 2                  # ports upwards, not in the top tier
   Oversubscribed 4            # checked against the rates
   Downlink_Latency_ns 1000    # delay of the links below
   Switch_Latency_ns 0
   Queue_Down 500000           # limit of a queue [bytes]
   Queue_Up 500000
   Tier 1
   Downlink_speed_Gbps 100
   Radix_Down 16
   Bundle 1                    # parallel links to each switch below
   @endverbatim
 * What a section leaves out is taken from the parameters: delay, latency and limits of queues.
 *
 * @param in the text
 * @param name name of the file, for errors
 * @param config the parameters
 * @return the tiers
 */
FabricTiers ReadTiers(std::istream& in, const std::string& name, const FabricConfig& config);

} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_TIERS_H
