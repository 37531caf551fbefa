/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SDR_ERASURE_CODE_H
#define SDR_ERASURE_CODE_H

#include "sdr-galois.h"

#include "ns3/messaging-spread-bits.h"

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup sdr
 * Parity over the words of packets, and their recovery.
 */

namespace ns3
{
namespace sdr
{

/** Loss recovery of a message. */
enum class Scheme : uint8_t
{
    SELECTIVE_REPEAT, ///< Lost chunks are sent again.
    XOR,              ///< Each parity chunk is the sum of every m-th chunk.
    MDS               ///< Any k of k + m chunks suffice: a Cauchy Reed-Solomon code.
};

/**
 * Get the word of a packet, which stands for its bytes. Packets of a message have different words.
 * @param contents contents of the message
 * @param packet index of the packet
 * @return the word
 */
constexpr uint64_t
GetWord(uint64_t contents, uint32_t packet)
{
    return messaging::SpreadBits(contents + packet);
}

/**
 * Get the contents of a message from the word of a packet: the inverse of GetWord.
 * @param word the word
 * @param packet index of the packet
 * @return the contents
 */
constexpr uint64_t
GetContents(uint64_t word, uint32_t packet)
{
    return messaging::GatherBits(word) - packet;
}

/**
 * @ingroup sdr
 * An erasure code of k data and m parity chunks. Each byte of a parity word is a linear combination
 * of the same bytes of the data words:
 *
 * @verbatim
      XOR    p_r = sum of d_j for all j with j mod m = r
      MDS    p_r = sum of d_j / (x_r + j) for all j, x_r = 128 + r     (a Cauchy matrix)
   @endverbatim
 *
 * One data chunk has copies as parity, by either scheme.
 */
class ErasureCode
{
  public:
    static constexpr uint32_t MOST_CHUNKS = 64; ///< Largest k, and largest m: bits of a mask.

    /** @param scheme XOR or MDS @param data k @param parity m, at most k */
    ErasureCode(Scheme scheme, uint32_t data, uint32_t parity)
        : m_scheme(scheme),
          m_data(data),
          m_parity(parity)
    {
    }

    /**
     * Get the factor of a data word in a parity word.
     * @param row index of the parity chunk
     * @param column index of the data chunk
     * @return the factor
     */
    uint8_t GetFactor(uint32_t row, uint32_t column) const
    {
        if (m_data == 1)
        {
            return 1;
        }
        if (m_scheme == Scheme::XOR)
        {
            return column % m_parity == row ? 1 : 0;
        }
        return Galois::Invert(static_cast<uint8_t>((FIRST_ROW + row) ^ column));
    }

    /**
     * Check whether all data can be recovered.
     * @param data mask of the data chunks that are here
     * @param parity mask of the parity chunks that are here
     * @return true if it can
     */
    bool IsRecoverable(uint64_t data, uint64_t parity) const
    {
        const auto present = static_cast<uint32_t>(std::popcount(data));
        if (m_scheme == Scheme::MDS || m_data == 1)
        {
            return present + static_cast<uint32_t>(std::popcount(parity)) >= m_data;
        }
        uint64_t used = 0;
        for (uint32_t column = 0; column < m_data; ++column)
        {
            if (Has(data, column))
            {
                continue;
            }
            const uint32_t row = column % m_parity;
            if (!Has(parity, row) || Has(used, row))
            {
                return false;
            }
            used |= uint64_t{1} << row;
        }
        return true;
    }

    /**
     * Recover data words, by Gaussian elimination.
     * @param data mask of the data chunks that are here
     * @param parity mask of the parity chunks that are here, with which the data is recoverable
     * @param words data words, then parity words; those of missing data chunks are set
     */
    void Recover(uint64_t data, uint64_t parity, std::vector<uint64_t>& words) const
    {
        std::vector<uint32_t> missing;
        for (uint32_t column = 0; column < m_data; ++column)
        {
            if (!Has(data, column))
            {
                missing.push_back(column);
            }
        }
        std::vector<Equation> equations = MakeEquations(data, parity, missing, words);
        for (std::size_t i = 0; i < missing.size(); ++i)
        {
            Eliminate(equations, i);
        }
        for (std::size_t i = 0; i < missing.size(); ++i)
        {
            words[missing[i]] = equations[i].sum;
        }
    }

  private:
    /** Element of the first parity chunk; those of data chunks are below. */
    static constexpr uint32_t FIRST_ROW = 128;

    /** A linear equation of the missing words. */
    struct Equation
    {
        std::vector<uint8_t> factors{}; ///< Factors of the missing words.
        uint64_t sum{0};                ///< Their sum.
    };

    /** @param mask a mask @param bit an index @return its bit. */
    static bool Has(uint64_t mask, uint32_t bit)
    {
        return (mask >> bit & 1) != 0;
    }

    /**
     * Make an equation of each parity chunk that is here.
     * @param data mask of the data chunks that are here
     * @param parity mask of the parity chunks that are here
     * @param missing the other data chunks
     * @param words the words
     * @return the equations
     */
    std::vector<Equation> MakeEquations(uint64_t data,
                                        uint64_t parity,
                                        const std::vector<uint32_t>& missing,
                                        const std::vector<uint64_t>& words) const
    {
        std::vector<Equation> equations;
        for (uint32_t row = 0; row < m_parity; ++row)
        {
            if (!Has(parity, row))
            {
                continue;
            }
            Equation equation{.sum = words[m_data + row]};
            for (uint32_t column = 0; column < m_data; ++column)
            {
                if (Has(data, column))
                {
                    equation.sum ^= Galois::MultiplyWord(GetFactor(row, column), words[column]);
                }
            }
            for (const uint32_t column : missing)
            {
                equation.factors.push_back(GetFactor(row, column));
            }
            equations.push_back(std::move(equation));
        }
        return equations;
    }

    /**
     * Solve for a missing word, and remove it from all other equations.
     * @param equations the equations; that at the index of the word is solved for it
     * @param index index of the word
     */
    static void Eliminate(std::vector<Equation>& equations, std::size_t index)
    {
        std::size_t pivot = index;
        while (equations[pivot].factors[index] == 0)
        {
            ++pivot;
        }
        std::swap(equations[index], equations[pivot]);
        Equation& solved = equations[index];
        Scale(solved, Galois::Invert(solved.factors[index]));
        for (std::size_t i = 0; i < equations.size(); ++i)
        {
            const uint8_t factor = equations[i].factors[index];
            if (i == index || factor == 0)
            {
                continue;
            }
            Equation scaled = solved;
            Scale(scaled, factor);
            for (std::size_t column = 0; column < scaled.factors.size(); ++column)
            {
                equations[i].factors[column] ^= scaled.factors[column];
            }
            equations[i].sum ^= scaled.sum;
        }
    }

    /** Multiply an equation. @param equation the equation @param factor the factor */
    static void Scale(Equation& equation, uint8_t factor)
    {
        for (uint8_t& each : equation.factors)
        {
            each = Galois::Multiply(factor, each);
        }
        equation.sum = Galois::MultiplyWord(factor, equation.sum);
    }

    Scheme m_scheme;   ///< XOR or MDS.
    uint32_t m_data;   ///< Data chunks, k.
    uint32_t m_parity; ///< Parity chunks, m.
};

} // namespace sdr
} // namespace ns3

#endif // SDR_ERASURE_CODE_H
