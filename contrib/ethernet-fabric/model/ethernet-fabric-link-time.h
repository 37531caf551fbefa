/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_FABRIC_LINK_TIME_H
#define ETHERNET_FABRIC_LINK_TIME_H

#include "ethernet-fabric-types.h"

/**
 * @file
 * @ingroup ethernet-fabric
 * Time of bytes on a link.
 */

namespace ns3
{
namespace fabric
{

/** Time of bytes on a link of a rate, rounded to picoseconds. */
class LinkTime
{
  public:
    LinkTime() = default;

    /** @param rate the rate, at least 2 Mb/s [bit/s] */
    explicit LinkTime(uint64_t rate)
        : m_parts(static_cast<uint32_t>((BYTE_SECOND * PARTS + rate / 2) / rate))
    {
    }

    /** @param bytes a number of bytes @return their time [ps] */
    Instant Get(uint32_t bytes) const
    {
        return (uint64_t{bytes} * m_parts + PARTS / 2) / PARTS;
    }

    /** @param time a time [ps] @return bytes that pass in it, rounded up */
    uint64_t GetBytes(Instant time) const
    {
        return (time * PARTS + m_parts - 1) / m_parts;
    }

  private:
    static constexpr uint64_t BYTE_SECOND = 8'000'000'000'000; ///< 8 bits times a second [ps].
    static constexpr uint64_t PARTS = 1024;                    ///< Parts of a picosecond.

    uint32_t m_parts{0}; ///< Time of a byte [ps / PARTS].
};

} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_LINK_TIME_H
