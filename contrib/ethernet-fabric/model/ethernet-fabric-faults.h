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
    double errors{-1}; ///< Its bit error rate from then on, or negative for no change.

    /** @return whether the link goes up or down. */
    bool ChangesRoutes() const
    {
        return rate == 0 && errors < 0;
    }

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const LinkFault&) const = default;
};

/**
 * Read the faults of a fabric. They are separated by semicolons or lines; each is one of
 * @verbatim
   10us leaf0-spine1 down
   60us leaf0-spine1 up
   10us spine1 down
   10us host3 rate 100Gbps
   10us leaf0-spine1 errors 1e-6
   10us leaf0-spine1 flap 100us 50us 4
 * @endverbatim
 * A switch stands for all of its links. The last line goes down four times, each 100 us, for 50 us.
 *
 * @param config the parameters, with a text and perhaps a file of faults
 * @param topology the links
 * @param error set to one sentence if a fault is wrong, or the file cannot be read
 * @return the faults
 */
std::vector<LinkFault> ReadFaults(const FabricConfig& config,
                                  const FabricTopology& topology,
                                  std::string& error);

} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_FAULTS_H
