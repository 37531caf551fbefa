/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_FABRIC_AUDIT_H
#define INFINIBAND_FABRIC_AUDIT_H

#include "ns3/infiniband-fabric.h"

#include <string>

/**
 * @file
 * @ingroup infiniband-tests
 * Conservation of packets and credits in a fabric.
 */

namespace ns3
{
namespace infiniband
{
namespace tests
{

/**
 * Count packets and credits.
 * @param fabric the fabric
 * @return an empty text, or one sentence that names the sum that is wrong
 */
inline std::string
CheckConservation(Fabric& fabric)
{
    const FabricCounters counters = fabric.GetCounters();
    if (counters.injected + counters.copies < counters.delivered + counters.GetAllDrops())
    {
        return "More packets have arrived or are lost than were sent or copied.";
    }
    const Topology& topology = fabric.GetSubnet()->GetTopology();
    const LinkConfig& link = fabric.GetLinkConfig();
    const uint32_t capacity = link.bufferBytes / CREDIT_BYTES;
    uint64_t queued = 0;
    for (PortId port = 0; port < topology.GetPorts().size(); ++port)
    {
        const PortId peer = topology.GetPorts()[port].peer;
        for (uint8_t lane = 0; lane < link.lanes; ++lane)
        {
            const LaneState state = fabric.GetLaneState(port, lane);
            queued += state.queuedPackets;
            if (peer == NO_PORT)
            {
                continue;
            }
            // Credits at this end, those in flight, and packets stored at the far end.
            const uint32_t far = topology.GetPorts()[peer].vertex;
            const bool toHost = topology.GetVertices()[far].kind != Topology::Kind::SWITCH;
            uint32_t blocks = state.credits + state.granted;
            if (!toHost)
            {
                blocks += fabric.GetLaneState(peer, lane).queuedBlocks;
            }
            if (blocks > capacity || (!toHost && blocks != capacity))
            {
                return "The credits of " + topology.GetPortName(port) +
                       " and what is stored at its far end make " + std::to_string(blocks) +
                       " blocks, not " + std::to_string(capacity) + ".";
            }
        }
    }
    if (queued > counters.GetNInFlight() || counters.GetNInFlight() > fabric.GetNStored())
    {
        return std::to_string(queued) + " packets are queued and " +
               std::to_string(fabric.GetNStored()) + " kept, but " +
               std::to_string(counters.GetNInFlight()) + " are in flight.";
    }
    return "";
}

} // namespace tests
} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_FABRIC_AUDIT_H
