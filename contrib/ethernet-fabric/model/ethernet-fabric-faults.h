/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_FABRIC_FAULTS_H
#define ETHERNET_FABRIC_FAULTS_H

#include "ethernet-fabric-topology.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup ethernet-fabric
 * Faults of links at run time.
 */

namespace ns3
{
namespace fabric
{

/** A change of a link. */
struct LinkFault
{
    Instant when{0};   ///< Its time [ps].
    PortId port{NONE}; ///< One of the link's ends.
    bool up{true};     ///< The link is up from then on.
    uint64_t rate{0};  ///< Its rate from then on, or 0 for no change [bit/s].

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const LinkFault&) const = default;
};

/**
 * Read faults. They are separated by semicolons or lines; each is one of
 * @verbatim
   10us leaf0-spine1 down
   60us leaf0-spine1 up
   10us host3 rate 100Gbps
   10us leaf0-spine1 flap 100us 50us 4
   @endverbatim
 * The last one goes down four times, each 100 us, for 50 us.
 *
 * @param text the faults
 * @param topology the links
 * @param error set to one sentence if the text is wrong
 * @return the faults
 */
std::vector<LinkFault> ReadFaults(const std::string& text,
                                  const FabricTopology& topology,
                                  std::string& error);

} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_FAULTS_H
