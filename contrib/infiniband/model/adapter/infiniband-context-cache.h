/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_CONTEXT_CACHE_H
#define INFINIBAND_CONTEXT_CACHE_H

#include "ns3/infiniband-config.h"
#include "ns3/random-variable-stream.h"

#include <array>
#include <bit>
#include <limits>
#include <vector>

/**
 * @file
 * @ingroup infiniband
 * On-chip cache of contexts and translations, for an adapter without memory of its own.
 */

namespace ns3
{
namespace infiniband
{

/** Entries that an adapter keeps in its host's memory. */
enum class ContextKind : uint8_t
{
    CONTEXT,       ///< Context of a queue pair; each message changes it.
    SEND_QUEUE,    ///< Translation of the send queue.
    RECEIVE_QUEUE, ///< Translation of the receive queue.
    BUFFER,        ///< Translation of one part of the receive buffers.
    EXTENSION,     ///< Further line of a context, which each message changes, too.
};

/** @return the length of a line [bytes]. @param kind its kind */
constexpr uint32_t
GetLineBytes(ContextKind kind)
{
    switch (kind)
    {
    case ContextKind::CONTEXT:
        return CONTEXT_BYTES;
    case ContextKind::EXTENSION:
        return EXTENSION_BYTES;
    case ContextKind::SEND_QUEUE:
    case ContextKind::RECEIVE_QUEUE:
    case ContextKind::BUFFER:
        break;
    }
    return TRANSLATION_BYTES;
}

/** @return whether a line is a translation. @param kind its kind */
constexpr bool
IsTranslation(ContextKind kind)
{
    return kind != ContextKind::CONTEXT && kind != ContextKind::EXTENSION;
}

/**
 * @ingroup infiniband
 * Cache of one adapter. A line holds a context or a translation.
 *
 * The lines are in an array of fixed size, linked from the most to the least recently used. A hash
 * table of chains, with at least twice as many slots, finds the lines that a queue pair can have
 * more than once: of buffers and extensions.
 */
class ContextCache
{
  public:
    /** Outcome of a lookup. */
    struct Lookup
    {
        bool found{true};      ///< The line was cached.
        uint32_t writeBack{0}; ///< Part of a context that was evicted and is written back [bytes].
    };

    /**
     * Begin with an empty cache.
     * @param config size and replacement
     * @param random chooses the line to evict under RANDOM; not owned
     */
    void Start(const HcaConfig& config, UniformRandomVariable* random)
    {
        m_capacity = config.contextEntries;
        m_random = config.replacement == Replacement::RANDOM ? random : nullptr;
        m_lines.clear();
        m_lines.reserve(m_capacity);
        m_places.assign(m_capacity ? std::bit_ceil(std::size_t{2} * m_capacity) : 0, NONE);
        m_first = m_last = NONE;
    }

    /** Last known index of each line that a queue pair has once, by ContextKind. */
    using Hints = std::array<uint32_t, static_cast<std::size_t>(ContextKind::BUFFER)>;

    /**
     * Look up a line, and fetch it if it is not cached.
     * @param qp the queue pair
     * @param kind kind of the line
     * @param part number of the part, of a BUFFER or an EXTENSION
     * @param hints hints of the queue pair, changed; they live as long as its number
     * @return the outcome
     */
    Lookup Touch(Qpn qp, ContextKind kind, uint32_t part, Hints& hints)
    {
        if (m_capacity == 0)
        {
            return {};
        }
        const uint64_t key = GetKey(qp, kind, part);
        const uint32_t index = IsHashed(kind) ? FindPlace(key) : hints[ToIndex(kind)];
        if (index < m_lines.size() && m_lines[index].key == key)
        {
            Use(index);
            return {};
        }
        Lookup lookup{.found = false};
        const uint32_t fetched = Fetch(key, lookup.writeBack);
        if (IsHashed(kind))
        {
            FindPlace(key) = fetched;
        }
        else
        {
            hints[ToIndex(kind)] = fetched;
        }
        return lookup;
    }

    /**
     * Prefetch what a following call of Touch reads.
     * @param hints hints of the queue pair
     * @param kind kind of the line
     */
    void Expect(const Hints& hints, ContextKind kind) const
    {
        __builtin_prefetch(m_lines.data() + hints[ToIndex(kind)], 1);
        if (m_last != NONE)
        {
            __builtin_prefetch(&m_lines[m_last], 1);
        }
    }

  private:
    /** A line. */
    struct Line
    {
        uint64_t key{0};  ///< Key: queue pair, kind and part.
        uint32_t more{0}; ///< Index of the next more recently used line, or NONE.
        uint32_t less{0}; ///< Index of the next less recently used line, or NONE.
        uint32_t next{0}; ///< Index of the next hashed line in the same slot, or NONE.
    };

    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max(); ///< No line.
    static constexpr unsigned PART_BITS = 24;                              ///< Bits of the part.
    static constexpr unsigned KIND_BITS = 8;                               ///< Bits of the kind.
    static constexpr uint64_t HASH = 0x9e3779b97f4a7c15; ///< Factor of Fibonacci hashing: 2^64
                                                         ///< divided by the golden ratio.

    /** @return the index of a kind. @param kind the kind */
    static constexpr std::size_t ToIndex(ContextKind kind)
    {
        return static_cast<std::size_t>(kind);
    }

    /** @return whether lines of a kind are found by hash, not by a hint. @param kind the kind */
    static constexpr bool IsHashed(ContextKind kind)
    {
        return kind >= ContextKind::BUFFER;
    }

    /** @return the key of a line. @param qp the queue pair @param kind the kind @param part the
     * part */
    static uint64_t GetKey(Qpn qp, ContextKind kind, uint32_t part)
    {
        return uint64_t{qp} << (PART_BITS + KIND_BITS) |
               uint64_t{static_cast<uint8_t>(kind)} << PART_BITS | (part & ((1U << PART_BITS) - 1));
    }

    /**
     * Fetch a line; evict another if the cache is full.
     * @param key key of the line
     * @param writeBack set to the length of the evicted part of a context [bytes]
     * @return the line
     */
    uint32_t Fetch(uint64_t key, uint32_t& writeBack)
    {
        auto index = static_cast<uint32_t>(m_lines.size());
        if (index < m_capacity)
        {
            m_lines.push_back({.key = key, .next = NONE});
            Chain(index);
            return index;
        }
        index = m_random ? m_random->GetInteger(0, m_capacity - 1) : m_last;
        const auto kind = static_cast<ContextKind>(m_lines[index].key >> PART_BITS);
        writeBack = IsTranslation(kind) ? 0 : GetLineBytes(kind);
        if (IsHashed(kind))
        {
            FindPlace(m_lines[index].key) = m_lines[index].next;
        }
        m_lines[index].key = key;
        m_lines[index].next = NONE;
        Use(index);
        return index;
    }

    /** @return the link to a hashed line, or the end of its slot. @param key key of the line */
    uint32_t& FindPlace(uint64_t key)
    {
        uint32_t* place = &m_places[(key * HASH >> 32) & (m_places.size() - 1)];
        while (*place != NONE && m_lines[*place].key != key)
        {
            place = &m_lines[*place].next;
        }
        return *place;
    }

    /**
     * Make a line the most recently used.
     * @param index index of the line
     */
    void Use(uint32_t index)
    {
        if (m_first != index)
        {
            Unchain(index);
            Chain(index);
        }
    }

    /**
     * Unlink a line from the chain.
     * @param index index of the line
     */
    void Unchain(uint32_t index)
    {
        const Line& line = m_lines[index];
        uint32_t& before = line.more == NONE ? m_first : m_lines[line.more].less;
        uint32_t& behind = line.less == NONE ? m_last : m_lines[line.less].more;
        before = line.less;
        behind = line.more;
    }

    /**
     * Link a line at the front of the chain.
     * @param index index of the line
     */
    void Chain(uint32_t index)
    {
        m_lines[index].more = NONE;
        m_lines[index].less = m_first;
        uint32_t& behind = m_first == NONE ? m_last : m_lines[m_first].more;
        behind = index;
        m_first = index;
    }

    std::vector<Line> m_lines;                ///< All lines.
    std::vector<uint32_t> m_places;           ///< First line by hash, of buffers and extensions.
    UniformRandomVariable* m_random{nullptr}; ///< Chooses the line to evict; null for LRU.
    uint32_t m_capacity{0};                   ///< Capacity [lines].
    uint32_t m_first{NONE};                   ///< Most recently used line.
    uint32_t m_last{NONE};                    ///< Least recently used line.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_CONTEXT_CACHE_H
