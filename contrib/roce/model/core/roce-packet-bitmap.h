/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_PACKET_BITMAP_H
#define ROCE_PACKET_BITMAP_H

#include "ns3/messaging-encoder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>

/**
 * @file
 * @ingroup roce
 * Bitmaps of packets.
 */

namespace ns3
{
namespace roce
{

/**
 * @ingroup roce
 * Bits, one for each packet from the next one in order on.
 *
 * @tparam SIZE number of bits, a multiple of 64
 */
template <uint32_t SIZE>
class BasicPacketBitmap
{
  public:
    static constexpr uint32_t BITS = SIZE; ///< Number of bits.

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
        return std::ranges::all_of(m_words, [](uint64_t word) { return word == 0; });
    }

    /** Remove the lowest bits. @param count their number @return this */
    BasicPacketBitmap& Shift(uint64_t count)
    {
        const uint64_t words = std::min<uint64_t>(count / WORD, WORDS);
        const uint64_t bits = count % WORD;
        for (uint64_t word = 0; word < WORDS && count > 0; ++word)
        {
            const uint64_t from = word + words;
            const uint64_t low = from < WORDS ? m_words[from] : 0;
            const uint64_t high = from + 1 < WORDS ? m_words[from + 1] : 0;
            m_words[word] = low >> bits;
            if (bits > 0)
            {
                m_words[word] |= high << (WORD - bits);
            }
        }
        return *this;
    }

    /** @return number of bits that are set before the first one that is not. */
    uint32_t CountLeading() const
    {
        uint32_t count = 0;
        for (const uint64_t word : m_words)
        {
            const auto ones = static_cast<uint32_t>(std::countr_one(word));
            count += ones;
            if (ones < WORD)
            {
                break;
            }
        }
        return count;
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
    BasicPacketBitmap operator|(const BasicPacketBitmap& other) const
    {
        BasicPacketBitmap both;
        std::ranges::transform(m_words, other.m_words, both.m_words.begin(), std::bit_or<>());
        return both;
    }

    /** @param other another bitmap @return the bits that are set in both. */
    BasicPacketBitmap operator&(const BasicPacketBitmap& other) const
    {
        BasicPacketBitmap both;
        std::ranges::transform(m_words, other.m_words, both.m_words.begin(), std::bit_and<>());
        return both;
    }

    /** Append the bits. @param encoder where @param name name of the bitmap */
    void Encode(messaging::Encoder& encoder, const char* name) const
    {
        encoder.Put(m_words[0], name);
        for (uint64_t word = 1; word < WORDS; ++word)
        {
            encoder.Put(m_words[word]);
        }
    }

  private:
    static constexpr uint32_t WORD = 64;           ///< Bits of a word.
    static constexpr uint64_t WORDS = BITS / WORD; ///< Number of words.

    std::array<uint64_t, WORDS> m_words{}; ///< The bits.
};

/** The size of IRN's bitmaps [irn-vivado-hls, bitmapSize-128.hpp]. */
using PacketBitmap = BasicPacketBitmap<128>;

/** Bitmap of a sender without a cap: longer than the flows of common workloads in packets of
 * 1000 bytes. */
using LongPacketBitmap = BasicPacketBitmap<2048>;

} // namespace roce
} // namespace ns3

#endif // ROCE_PACKET_BITMAP_H
