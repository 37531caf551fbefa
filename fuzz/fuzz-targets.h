/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FUZZ_TARGETS_H
#define FUZZ_TARGETS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>

/**
 * @file
 * Fuzz targets. Each accepts arbitrary bytes, and ends the process on an error of the code.
 */

namespace fuzz
{

/** Input bytes of a run, taken one after the other, followed by zeroes. */
class Input
{
  public:
    /** @param bytes the bytes, not owned */
    explicit Input(std::span<const uint8_t> bytes)
        : m_bytes(bytes)
    {
    }

    /** @return true if no byte is left. */
    bool IsEmpty() const
    {
        return m_bytes.empty();
    }

    /** @return the next byte. */
    uint8_t Take()
    {
        if (m_bytes.empty())
        {
            return 0;
        }
        const uint8_t byte = m_bytes.front();
        m_bytes = m_bytes.subspan(1);
        return byte;
    }

    /**
     * Take a number. Short inputs yield numbers close to zero or, equally often, close to the
     * maximum.
     * @param most the maximum
     * @return a number up to it
     */
    uint64_t TakeNumber(uint64_t most)
    {
        const uint8_t head = Take();
        uint64_t number = head & 31;
        for (int more = head >> 5 & 3; more > 0; --more)
        {
            number = number << 8 | Take();
        }
        if (head >> 7)
        {
            number = most - number;
        }
        return number <= most ? number : number % (most + 1);
    }

    /** @return the remaining bytes. */
    std::span<const uint8_t> Rest() const
    {
        return m_bytes;
    }

  private:
    std::span<const uint8_t> m_bytes; ///< Remaining bytes.
};

/** Runs an input. */
using Target = std::function<void(Input)>;

/**
 * End the process if a condition is false.
 * @param isSo the condition
 * @param sentence the error
 */
void Require(bool isSo, const std::string& sentence);

/** @return the readers of texts, packets and datagrams, by name. */
std::map<std::string, Target> GetParsers();

/** @return the cores of all protocols, as `core-` and the protocol's name. */
std::map<std::string, Target> GetCores();

/** @return all targets, by name. */
inline std::map<std::string, Target>
GetTargets()
{
    auto targets = GetParsers();
    targets.merge(GetCores());
    return targets;
}

} // namespace fuzz

#endif // FUZZ_TARGETS_H
