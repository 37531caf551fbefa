/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_SWITCH_CONFIG_H
#define BROADCAST_ETHERNET_SWITCH_CONFIG_H

#include <cstdint>
#include <ostream>

/**
 * @file
 * @ingroup broadcast-ethernet
 * What a switch is made of, and why it drops frames.
 */

namespace ns3
{
namespace ethernet
{

/** What the buffers of a switch count. */
enum class BufferUnit : uint8_t
{
    FRAMES, ///< Frames, whatever their length: each takes a slot.
    BYTES   ///< Bytes of frames, checksum included.
};

/** Who may use the memory of a switch. */
enum class BufferSharing : uint8_t
{
    PRIVATE,  ///< Each output port has a buffer of its own.
    COMPLETE, ///< All output ports share a pool, first come, first served.
    DYNAMIC   ///< They share a pool; a queue may grow to a multiple of what is free.
};

/** How a switch copies a frame that leaves at several ports. */
enum class Replication : uint8_t
{
    PARALLEL, ///< All output ports read the frame at the same time.
    SERIAL    ///< One copy after the other crosses a bus that all frames share.
};

/** Why a switch does not forward a frame, or a copy of it. */
enum class SwitchDrop : uint8_t
{
    OVERFLOW,  ///< The output port's buffer is full.
    POOL,      ///< The shared pool is full.
    THRESHOLD, ///< The queue has reached its share of the pool.
    LOSS,      ///< A fault of the switch, by chance.
    LINK_DOWN, ///< The output port's link is down, or has gone down with the frame queued.
    N_REASONS  ///< Number of reasons.
};

/**
 * Print a reason by name.
 * @param os the stream
 * @param reason the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, SwitchDrop reason);

/** What a switch is made of; times are in nanoseconds, sizes in frames or bytes. */
struct SwitchConfig
{
    int64_t latency{10000};                         ///< From a frame's end to where it can leave.
    int64_t ageing{300000000000};                   ///< Life of a learned address; 0: for good.
    uint32_t addresses{4096};                       ///< Addresses that can be learned.
    uint64_t buffer{64};                            ///< Size of each port's buffer, or of the pool.
    BufferUnit unit{BufferUnit::FRAMES};            ///< What it counts.
    BufferSharing sharing{BufferSharing::PRIVATE};  ///< Who may use it.
    double alpha{1};                                ///< Queue over free pool, at most, if DYNAMIC.
    Replication replication{Replication::PARALLEL}; ///< How broadcasts are copied.
    uint64_t busRate{1000000000};                   ///< Rate of the bus, if SERIAL [bit/s].
    bool pause{false};                              ///< Whether PAUSE frames are sent.
    double pauseHigh{0.5};       ///< Share of the buffer above which senders are paused.
    double pauseLow{0.25};       ///< Share at which they may go on.
    uint16_t pauseQuanta{65535}; ///< Length of a pause [512 bit times].
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_SWITCH_CONFIG_H
