/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SEQUENCE_SPACE_H
#define MESSAGING_SEQUENCE_SPACE_H

#include <cstdint>

/**
 * @file
 * @ingroup messaging
 * Numbers that repeat in frames.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Numbers modulo any modulus. A core counts in 64 bits; its frames carry the number modulo the
 * modulus.
 *
 * ns-3's SequenceNumber has the moduli of its types only, 2^8 to 2^32. A search needs small ones.
 */
class SequenceSpace
{
  public:
    /** @param modulus count of different numbers in frames, above 0 */
    explicit SequenceSpace(uint64_t modulus)
        : m_modulus(modulus)
    {
    }

    /** @param number a number @return the number in a frame */
    uint64_t Wrap(uint64_t number) const
    {
        return number % m_modulus;
    }

    /**
     * Recover a number.
     * @param wrapped the number in a frame
     * @param least lower bound of the number
     * @return the first number from the bound on that is the same in a frame
     */
    uint64_t Unwrap(uint64_t wrapped, uint64_t least) const
    {
        return least + (m_modulus + Wrap(wrapped) - Wrap(least)) % m_modulus;
    }

  private:
    uint64_t m_modulus; ///< Count of different numbers in frames.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SEQUENCE_SPACE_H
