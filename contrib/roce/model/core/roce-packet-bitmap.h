/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_PACKET_BITMAP_H
#define ROCE_PACKET_BITMAP_H

#include "ns3/messaging-encoder.h"

#include <array>
#include <bit>
#include <cstdint>

/**
 * @file
 * @ingroup roce
 * A bitmap of packets.
 */

namespace ns3
{
namespace roce
{

/**
 * @ingroup roce
 * 128 bits, one for each packet from the next one in order on: the size of IRN's bitmaps
 * [irn-vivado-hls, bitmapSize-128.hpp].
 */
class PacketBitmap
{
  public:
    static constexpr uint32_t BITS = 128; ///< Number of bits.

    /** Set a bit. @param bit its index, below BITS */
    void Set(uint64_t bit)
    {
        m_words[bit / WORD] |= uint64_t{1} << bit % WORD;
    }

    /** @param bit an index @return the bit; false beyond the bitmap. */
    bool Get(uint64_t bit) const
    {
        return bit < BITS && (m_words[bit / WORD] >> bit % WORD & 1) != 0;
    }

    /** @return true if no bit is set. */
    bool IsEmpty() const
    {
        return (m_words[0] | m_words[1]) == 0;
    }

    /** Remove the lowest bits. @param count their number @return this */
    PacketBitmap& Shift(uint64_t count)
    {
        if (count >= WORD)
        {
            m_words = {count < BITS ? m_words[1] >> (count - WORD) : 0, 0};
        }
        else if (count > 0)
        {
            m_words[0] = m_words[0] >> count | m_words[1] << (WORD - count);
            m_words[1] >>= count;
        }
        return *this;
    }

    /** @return number of bits that are set before the first one that is not. */
    uint32_t CountLeading() const
    {
        const auto low = static_cast<uint32_t>(std::countr_one(m_words[0]));
        return low < WORD ? low : WORD + static_cast<uint32_t>(std::countr_one(m_words[1]));
    }

    /** @param count a number of bits @return how many of the lowest `count` bits are set. */
    uint32_t CountBelow(uint32_t count) const
    {
        uint32_t bits = 0;
        for (uint32_t bit = 0; bit < count; ++bit)
        {
            bits += Get(bit) ? 1 : 0;
        }
        return bits;
    }

    /** @param other another bitmap @return the bits that are set in either. */
    PacketBitmap operator|(const PacketBitmap& other) const
    {
        PacketBitmap both;
        both.m_words = {m_words[0] | other.m_words[0], m_words[1] | other.m_words[1]};
        return both;
    }

    /** @param other another bitmap @return the bits that are set in both. */
    PacketBitmap operator&(const PacketBitmap& other) const
    {
        PacketBitmap both;
        both.m_words = {m_words[0] & other.m_words[0], m_words[1] & other.m_words[1]};
        return both;
    }

    /** Append the bits. @param encoder where @param name name of the bitmap */
    void Encode(messaging::Encoder& encoder, const char* name) const
    {
        encoder.Put(m_words[0], name);
        encoder.Put(m_words[1]);
    }

  private:
    static constexpr uint32_t WORD = 64; ///< Bits of a word.

    std::array<uint64_t, BITS / WORD> m_words{}; ///< The bits.
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PACKET_BITMAP_H
