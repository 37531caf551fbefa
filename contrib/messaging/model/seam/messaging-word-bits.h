/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_WORD_BITS_H
#define MESSAGING_WORD_BITS_H

#include "ns3/messaging-frame-words.h"

#include <cstdint>

/**
 * @file
 * @ingroup messaging
 * A bitmap in the words of a frame, such as that of selective acknowledgements (SACK).
 */

namespace ns3
{
namespace messaging
{

/** Bits of a word. */
inline constexpr uint32_t WORD_BITS = 32;

/**
 * Set a bit, and append the words that it needs.
 * @param words the bitmap
 * @param bit index of the bit
 */
inline void
SetWordBit(FrameWords& words, uint32_t bit)
{
    while (words.size() <= bit / WORD_BITS)
    {
        words.push_back(0);
    }
    words[bit / WORD_BITS] |= uint32_t{1} << bit % WORD_BITS;
}

/**
 * Get a bit.
 * @param words the bitmap
 * @param bit index of the bit
 * @return the bit; false beyond the words
 */
inline bool
GetWordBit(const FrameWords& words, uint64_t bit)
{
    const uint64_t index = bit / WORD_BITS;
    return index < words.size() &&
           (words[static_cast<uint32_t>(index)] >> bit % WORD_BITS & 1) != 0;
}

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_WORD_BITS_H
