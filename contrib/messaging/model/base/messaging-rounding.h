/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_ROUNDING_H
#define MESSAGING_ROUNDING_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>

/**
 * @file
 * @ingroup messaging
 * Times whose computation would exceed the range of an integer.
 */

namespace ns3
{
namespace messaging
{

/** Longest time that RoundTicks returns, to which others can be added [ticks]. */
inline constexpr uint64_t LONGEST_DRAWN = uint64_t{1} << 62;

/**
 * Round down a time, such as one that was drawn at random. A conversion of a number that no integer
 * holds is undefined, and can be zero.
 * @param time the time, not negative, but it may be infinite [ticks]
 * @return the whole number, at most LONGEST_DRAWN [ticks]
 */
constexpr uint64_t
RoundTicks(double time)
{
    return time < static_cast<double>(LONGEST_DRAWN) ? static_cast<uint64_t>(time) : LONGEST_DRAWN;
}

/**
 * Get the time of a transfer. DataRate::CalculateBytesTxTime counts bits in 32 bits, so that it
 * wraps from 512 MiB on.
 * @param rate the rate
 * @param bytes size [bytes]
 * @return the time; zero if the rate is zero
 */
inline Time
GetTransferTime(const DataRate& rate, uint64_t bytes)
{
    // Most transfers begin at their first byte, and a division of int64x64_t is slow.
    if (bytes == 0 || rate.GetBitRate() == 0)
    {
        return Time();
    }
    constexpr uint64_t BYTE = 8; // Bits of a byte.
    return Seconds(int64x64_t(bytes * BYTE) / rate.GetBitRate());
}

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_ROUNDING_H
