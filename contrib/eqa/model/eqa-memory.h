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
/** HMS, LMS and registers of a send-only DP [bytes]. */
inline constexpr uint32_t SEND_STRUCTURES =
    sizeof(HomeStructure) + sizeof(LocalStructure) + 4 * sizeof(uint64_t) + 3 * sizeof(uint32_t);
/** Registers of a receive-only DP [bytes]. */
inline constexpr uint32_t RECEIVE_STRUCTURES = 6 * sizeof(uint64_t) + 5 * sizeof(uint32_t);
/** LMS and registers of a light DP [bytes]. */
inline constexpr uint32_t LIGHT_STRUCTURES = sizeof(LocalStructure) + sizeof(LightPoint);

/** Sizes of the three kinds of DPs [Kbytes of 1024 bytes]. */
struct PointSizes
{
    double send{0};    ///< s_SDP.
    double receive{0}; ///< s_RDP.
    double light{0};   ///< s_LDP.
};

/**
 * Add up the parts of DPs. Those that the paper prints (D-27) are larger by 1.7, 1.3 and 0.4
 * Kbytes, which it does not explain.
 * @param config parameters of a group
 * @return the sizes of its DPs
 */
inline PointSizes
GetPointSizes(const EqaConfig& config)
{
    const double queue = config.queue * QUEUE_ENTRY_BYTES;
    const double buffer = config.window * SLOT_BYTES;
    return {.send = (queue + buffer + SEND_PUSHED_BYTES + SEND_STRUCTURES) / 1024,
            .receive = (queue + buffer + config.pushedBuffer + RECEIVE_STRUCTURES) / 1024,
            .light = (queue + LIGHT_STRUCTURES) / 1024};
}

} // namespace eqa
} // namespace ns3

#endif // EQA_MEMORY_H
