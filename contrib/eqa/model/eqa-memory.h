/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_MEMORY_H
#define EQA_MEMORY_H

#include "eqa-point.h"

/**
 * @file
 * @ingroup eqa
 * Memory of DPs (section 4.2), as arithmetic over their parts.
 */

namespace ns3
{
namespace eqa
{

/** Memory of an entry of a send or receive queue: 4096 bytes for 64 (D-26) [bytes]. */
inline constexpr uint32_t QUEUE_ENTRY_BYTES = 4096 / 64;
/** Memory of a packet in a retransmission buffer: 24576 bytes for 16 (D-26) [bytes]. */
inline constexpr uint32_t SLOT_BYTES = 24576 / 16;
static_assert(sizeof(SendEntry) <= QUEUE_ENTRY_BYTES);
static_assert(sizeof(StoredPacket) + MAX_PAYLOAD <= SLOT_BYTES);

/** Pushed buffer of a send-only DP, never used (D-26) [bytes]. */
inline constexpr uint32_t SEND_PUSHED_BYTES = 4096;
/** Unexplained rest of a send-only DP: 1.8 Kbytes (D-26) [bytes]. */
inline constexpr uint32_t SEND_OVERHEAD = 1843;
/** Unexplained rest of a receive-only DP: 1.4 Kbytes (D-26) [bytes]. */
inline constexpr uint32_t RECEIVE_OVERHEAD = 1434;
/** Unexplained rest of a light DP: 0.4 Kbytes (D-26) [bytes]. */
inline constexpr uint32_t LIGHT_OVERHEAD = 410;
/** HMS, LMS and registers of this model, the explained part of a send-only DP's rest [bytes]. */
inline constexpr uint32_t SEND_STRUCTURES =
    sizeof(HomeStructure) + sizeof(LocalStructure) + 4 * sizeof(uint64_t) + 3 * sizeof(uint32_t);

/** Sizes of the three kinds of DPs, and the formulas of section 4.2. */
struct PointSizes
{
    double send{33.8};    ///< s_SDP, as published [Kbytes of 1024 bytes].
    double receive{41.4}; ///< s_RDP [Kbytes].
    double light{4.4};    ///< s_LDP [Kbytes].

    /** @param nodes number of nodes @return (s_SDP + s_RDP) n (D-24) [Kbytes] */
    double GetPairs(uint32_t nodes) const
    {
        return (send + receive) * nodes;
    }

    /** @param nodes number of nodes @return s_SDP + (n - 1) s_LDP + n s_RDP (D-25) [Kbytes] */
    double GetHardware(uint32_t nodes) const
    {
        return send + (nodes - 1) * light + nodes * receive;
    }

    /** @param nodes number of nodes @return M_save(n), the share of memory saved */
    double GetSaved(uint32_t nodes) const
    {
        return (GetPairs(nodes) - GetHardware(nodes)) / GetPairs(nodes);
    }
};

/** @param config parameters of a group @return the sizes of its DPs */
inline PointSizes
GetPointSizes(const EqaConfig& config)
{
    const double queue = config.queue * QUEUE_ENTRY_BYTES;
    const double buffer = config.window * SLOT_BYTES;
    return {.send = (queue + buffer + SEND_PUSHED_BYTES + SEND_OVERHEAD) / 1024,
            .receive = (queue + buffer + config.pushedBuffer + RECEIVE_OVERHEAD) / 1024,
            .light = (queue + LIGHT_OVERHEAD) / 1024};
}

} // namespace eqa
} // namespace ns3

#endif // EQA_MEMORY_H
