/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_SWITCH_CONFIG_H
#define BROADCAST_ETHERNET_SWITCH_CONFIG_H

#include "ns3/nstime.h"

#include <cstdint>
#include <ostream>

/**
 * @file
 * @ingroup broadcast-ethernet
 * Parameters of a switch, and its reasons to drop frames.
 */

namespace ns3
{
namespace ethernet
{

/** Unit of a switch's buffers. */
enum class BufferUnit : uint8_t
{
    FRAMES, ///< Frames, whatever their length: each takes a slot.
    BYTES   ///< Bytes of frames, checksum included.
};

/** Sharing of a switch's memory. */
enum class BufferSharing : uint8_t
{
    PRIVATE,  ///< Each output port has a buffer of its own.
    COMPLETE, ///< All output ports share a pool, first come, first served.
    DYNAMIC   ///< They share a pool; a queue may grow to a multiple of the free part.
};

/** Replication of a frame that leaves at several ports. */
enum class Replication : uint8_t
{
    PARALLEL, ///< All output ports read the frame at the same time.
    SERIAL    ///< One copy after the other crosses a bus that all frames share.
};

/** Reason for dropping a frame, or a copy of it. */
enum class SwitchDrop : uint8_t
{
    OVERFLOW,  ///< The output port's buffer is full.
    POOL,      ///< The shared pool is full.
    THRESHOLD, ///< The queue has reached its share of the pool.
    LOSS,      ///< A fault of the switch, by chance.
    LINK_DOWN, ///< The output port's link is down, or went down with the frame queued.
    N_REASONS  ///< Number of reasons.
};

/**
 * Print a reason by name.
 * @param os the stream
 * @param reason the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, SwitchDrop reason);

/** Parameters of a switch; sizes are in frames or bytes. */
struct SwitchConfig
{
    Time latency{MicroSeconds(10)};                 ///< From a frame's end to its earliest start.
    Time ageing{Seconds(300)};                      ///< Life of a learned address; 0: unlimited.
    uint32_t addresses{4096};                       ///< Addresses that can be learned.
    uint64_t buffer{64};                            ///< Size of each port's buffer, or of the pool.
    BufferUnit unit{BufferUnit::FRAMES};            ///< Its unit.
    BufferSharing sharing{BufferSharing::PRIVATE};  ///< Its sharing.
    double alpha{1};                                ///< Queue over free pool, at most, if DYNAMIC.
    Replication replication{Replication::PARALLEL}; ///< Copies of broadcasts.
    uint64_t busRate{1000000000};                   ///< Rate of the bus, if SERIAL [bit/s].
    bool pause{false};                              ///< PAUSE frames are sent.
    double pauseHigh{0.5};       ///< Share of the buffer above which senders are paused.
    double pauseLow{0.25};       ///< Share at which they may go on.
    uint16_t pauseQuanta{65535}; ///< Length of a pause [512 bit times].
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_SWITCH_CONFIG_H
