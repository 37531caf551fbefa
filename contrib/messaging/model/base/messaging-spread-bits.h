/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SPREAD_BITS_H
#define MESSAGING_SPREAD_BITS_H

#include <cstdint>

/**
 * @file
 * @ingroup messaging
 * A bijection of words that mixes their bits, and its inverse.
 */

namespace ns3
{
namespace messaging
{

/**
 * Mix the bits of a word by a bijection.
 * @param word the word
 * @return the mixed word
 */
constexpr uint64_t
SpreadBits(uint64_t word)
{
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
}

/**
 * Invert SpreadBits. The factors are the inverses modulo 2^64 of those there.
 * @param word the mixed word
 * @return the word
 */
constexpr uint64_t
GatherBits(uint64_t word)
{
    word = (word ^ (word >> 31) ^ (word >> 62)) * 0x319642b2d24d8ec3;
    word = (word ^ (word >> 27) ^ (word >> 54)) * 0x96de1b173f119089;
    return word ^ (word >> 30) ^ (word >> 60);
}

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SPREAD_BITS_H
