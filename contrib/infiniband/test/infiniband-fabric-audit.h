/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_FABRIC_AUDIT_H
#define INFINIBAND_FABRIC_AUDIT_H

#include "ns3/infiniband-fabric.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup infiniband-tests
 * Conservation of packets and credits in a fabric, and single faults.
 */

namespace ns3
{
namespace infiniband
{
namespace tests
{

/** Reads the queues and credits of a fabric, and corrupts single packets. */
class FabricAudit
{
  public:
    /**
     * @param fabric a fabric
     * @return injected packets that are neither delivered nor lost at the last served tick
     */
    static uint64_t CountInFlight(const Fabric& fabric)
    {
        const FabricCounters& counters = fabric.m_counters;
        return counters.injected + counters.copies - counters.delivered - counters.GetAllDrops();
    }

    /**
     * Corrupt the next packet on the link into a port.
     * @param fabric the fabric
     * @param port the port
     */
    static void CorruptNext(Fabric& fabric, PortId port)
    {
        fabric.AdvanceTo(fabric.m_clock->Now());
        fabric.m_outputs[fabric.m_outputs[port].peer].untilFault = 1;
    }

    /**
     * Count packets and credits.
     * @param fabric the fabric
     * @return an empty text, or one sentence that names the sum that is wrong
     */
    static std::string CheckConservation(Fabric& fabric)
    {
        fabric.AdvanceTo(fabric.m_clock->Now());
        if (fabric.m_counters.injected + fabric.m_counters.copies <
            fabric.m_counters.delivered + fabric.m_counters.GetAllDrops())
        {
            return "More packets have arrived or are lost than were sent or copied.";
        }
        uint64_t queued = 0;
        std::vector<uint64_t> stored(fabric.m_buffers.size(), 0);
        for (PortId port = 0; port < fabric.m_buffers.size(); ++port)
        {
            for (PacketIndex at = fabric.m_buffers[port].first; at != NO_PACKET;
                 at = fabric.m_packets[at].next)
            {
                ++queued;
                stored[port] += fabric.m_packets[at].blocks;
            }
        }
        for (PortId port = 0; port < fabric.m_outputs.size(); ++port)
        {
            const auto& output = fabric.m_outputs[port];
            if (output.peer == NO_PORT)
            {
                continue;
            }
            // Credits at this end, those in flight, and packets stored at the far end.
            uint64_t blocks = output.credits + (output.toHost ? 0 : stored[output.peer]);
            for (uint32_t grant = output.grants.head; grant != NO_PLACE;
                 grant = fabric.m_grants.GetNext(grant))
            {
                blocks += fabric.m_grants[grant].blocks;
            }
            if (blocks > fabric.m_capacity || (!output.toHost && blocks != fabric.m_capacity))
            {
                return "The credits of " + fabric.m_subnet->GetTopology().GetPortName(port) +
                       " and what is stored at its far end make " + std::to_string(blocks) +
                       " blocks, not " + std::to_string(fabric.m_capacity) + ".";
            }
        }
        if (queued > CountInFlight(fabric) || CountInFlight(fabric) > fabric.m_packets.GetN())
        {
            return std::to_string(queued) + " packets are queued and " +
                   std::to_string(fabric.m_packets.GetN()) + " kept, but " +
                   std::to_string(CountInFlight(fabric)) + " are in flight.";
        }
        return "";
    }
};

} // namespace tests
} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_FABRIC_AUDIT_H
