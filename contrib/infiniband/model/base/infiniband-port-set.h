/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_PORT_SET_H
#define INFINIBAND_PORT_SET_H

#include <array>
#include <bit>
#include <cstdint>

/**
 * @file
 * @ingroup infiniband
 * Ports of a switch.
 */

namespace ns3
{
namespace infiniband
{

/**
 * @ingroup infiniband
 * A set of ports of a switch, which count from 0 here.
 */
class PortSet
{
  public:
    /** Number of ports that a switch can have. */
    static constexpr uint32_t SIZE = 192;

    /** @param port a port to add */
    void Add(uint32_t port)
    {
        m_words[port / WORD] |= uint64_t{1} << port % WORD;
    }

    /** @param port a port to remove */
    void Remove(uint32_t port)
    {
        m_words[port / WORD] &= ~(uint64_t{1} << port % WORD);
    }

    /** @return whether a port belongs to the set. @param port the port */
    bool Contains(uint32_t port) const
    {
        return (m_words[port / WORD] >> port % WORD & 1) != 0;
    }

    /** @return whether there is no port. */
    bool IsEmpty() const
    {
        return (m_words[0] | m_words[1] | m_words[2]) == 0;
    }

    /**
     * Find a port.
     * @param first where the search begins
     * @return the first port of the set from there on, or SIZE if there is none
     */
    uint32_t Find(uint32_t first) const
    {
        if (first >= SIZE)
        {
            return SIZE;
        }
        uint32_t word = first / WORD;
        uint64_t left = m_words[word] >> first % WORD << first % WORD;
        while (left == 0 && ++word < WORDS)
        {
            left = m_words[word];
        }
        return left == 0 ? SIZE : word * WORD + static_cast<uint32_t>(std::countr_zero(left));
    }

  private:
    static constexpr uint32_t WORD = 64;           ///< Ports of a word.
    static constexpr uint32_t WORDS = SIZE / WORD; ///< Number of words.
    static_assert(WORDS == 3, "IsEmpty reads all words");

    std::array<uint64_t, WORDS> m_words{}; ///< A bit for each port.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_PORT_SET_H
