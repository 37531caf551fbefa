/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_WIRE_BYTES_H
#define MESSAGING_WIRE_BYTES_H

#include <cstdint>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Bytes of a packet in network order.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Bytes of a packet in network order, to which fields are appended.
 */
class WireBytes
{
  public:
    /** Append a number. @param value the number @param count its bytes, at most 8 */
    void Put(uint64_t value, unsigned count)
    {
        for (unsigned shift = 8 * count; shift > 0; shift -= 8)
        {
            m_bytes.push_back(static_cast<uint8_t>(value >> (shift - 8)));
        }
    }

    /** Append zeros. @param count their number */
    void PutZeros(uint32_t count)
    {
        m_bytes.resize(m_bytes.size() + count);
    }

    /** @return the bytes, which leave. */
    std::vector<uint8_t> Take()
    {
        return std::move(m_bytes);
    }

  private:
    std::vector<uint8_t> m_bytes; ///< The bytes.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_WIRE_BYTES_H
