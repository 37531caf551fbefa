/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SEARCH_FINGERPRINT_SET_H
#define MESSAGING_SEARCH_FINGERPRINT_SET_H

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

/**
 * @file
 * @ingroup messaging
 * Tables of a search, shared by several threads.
 */

namespace ns3
{
namespace messaging
{

/**
 * Mix a word into a hash.
 * @param hash the hash
 * @param word the word
 * @return the new hash
 */
inline uint64_t
Mix(uint64_t hash, uint64_t word)
{
    __extension__ using Product = unsigned __int128;
    const auto product =
        static_cast<Product>(hash ^ word ^ 0x9e3779b97f4a7c15) * (word ^ 0xc2b2ae3d27d4eb4f);
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

/**
 * @ingroup messaging
 * An array that grows in pieces, so that its elements never move.
 *
 * Threads may use different elements at the same time, even of pieces that do not exist yet.
 *
 * @tparam T type of the elements; a piece's elements are value-initialised
 * @tparam BITS binary logarithm of the elements of a piece
 * @tparam PIECES maximum number of pieces
 */
template <class T, unsigned BITS, std::size_t PIECES>
class PiecewiseArray
{
  public:
    PiecewiseArray()
        : m_pieces(static_cast<T**>(std::calloc(PIECES, sizeof(T*))), std::free)
    {
        if (!m_pieces)
        {
            throw std::bad_alloc();
        }
    }

    PiecewiseArray(const PiecewiseArray&) = delete;
    PiecewiseArray& operator=(const PiecewiseArray&) = delete;

    ~PiecewiseArray()
    {
        for (std::size_t i = 0; i < m_end; ++i)
        {
            delete[] m_pieces[i];
        }
    }

    /**
     * Get an element of a piece that exists.
     * @param index its index
     * @return the element
     */
    T& operator[](std::size_t index)
    {
        return Piece(index).load(std::memory_order_acquire)[index & MASK];
    }

    /** @copydoc operator[] */
    const T& operator[](std::size_t index) const
    {
        return Piece(index).load(std::memory_order_acquire)[index & MASK];
    }

    /**
     * Get an element, and make its piece if needed.
     * @param index its index
     * @return the element
     */
    T& Make(std::size_t index)
    {
        const auto piece = Piece(index);
        if (!piece.load(std::memory_order_acquire)) [[unlikely]]
        {
            const std::lock_guard lock(m_mutex);
            if (!piece.load(std::memory_order_relaxed))
            {
                piece.store(new T[std::size_t{1} << BITS](), std::memory_order_release);
                m_end = std::max(m_end, (index >> BITS) + 1);
            }
        }
        return (*this)[index];
    }

    /** @return memory of all pieces up to the last, while no thread makes one [bytes]. */
    std::size_t GetMemory() const
    {
        return (m_end << BITS) * sizeof(T);
    }

  private:
    static constexpr std::size_t MASK = (std::size_t{1} << BITS) - 1; ///< Index in a piece.

    /** @return the piece of an element. @param index the element's index */
    std::atomic_ref<T*> Piece(std::size_t index) const
    {
        return std::atomic_ref<T*>(m_pieces[index >> BITS]);
    }

    /** The pieces; nullptr if not made. Untouched zero pages cost nothing in a small search. */
    std::unique_ptr<T*[], void (*)(void*)> m_pieces;
    std::size_t m_end{0}; ///< All pieces made lie before it.
    std::mutex m_mutex;   ///< Held while a piece is made.
};

/**
 * @ingroup messaging
 * A lock-free set of fingerprints of 64 bits that numbers them in the order of insertion.
 *
 * It is a hash table with linear probing. The caller must provide evenly distributed fingerprints
 * other than zero. The table does not grow by itself: Grow doubles it while no thread inserts.
 */
class FingerprintSet
{
  public:
    /** Number of no fingerprint. */
    static constexpr uint32_t NONE = UINT32_MAX;

    FingerprintSet()
    {
        Allocate(FIRST_BITS);
    }

    /**
     * Insert a fingerprint. Any number of threads may do so at the same time.
     * @param fingerprint the fingerprint
     * @return its number, and whether it is new
     */
    std::pair<uint32_t, bool> Insert(uint64_t fingerprint)
    {
        for (std::size_t at = fingerprint >> m_shift;; at = (at + 1) & m_mask)
        {
            uint64_t found = m_prints[at].load(std::memory_order_relaxed);
            if (found == 0 &&
                m_prints[at].compare_exchange_strong(found, fingerprint, std::memory_order_relaxed))
            {
                const uint32_t number = m_size.fetch_add(1, std::memory_order_relaxed);
                m_numbers[at].store(number + 1, std::memory_order_release);
                return {number, true};
            }
            if (found == fingerprint)
            {
                return {GetNumber(at), false};
            }
        }
    }

    /**
     * Find a fingerprint.
     * @param fingerprint the fingerprint
     * @return its number, or NONE
     */
    uint32_t Find(uint64_t fingerprint) const
    {
        for (std::size_t at = fingerprint >> m_shift;; at = (at + 1) & m_mask)
        {
            const uint64_t found = m_prints[at].load(std::memory_order_relaxed);
            if (found == fingerprint)
            {
                return GetNumber(at);
            }
            if (found == 0)
            {
                return NONE;
            }
        }
    }

    /** @return the number of fingerprints. */
    uint32_t GetSize() const
    {
        return m_size.load(std::memory_order_relaxed);
    }

    /** @return whether the table should grow: it is more than 5/8 full. */
    bool IsCrowded() const
    {
        return GetSize() > (m_mask >> 1) + (m_mask >> 3);
    }

    /** Double the table. No other thread may use it meanwhile. */
    void Grow()
    {
        const auto prints = std::move(m_prints);
        const auto numbers = std::move(m_numbers);
        const std::size_t size = m_mask + 1;
        Allocate(64 - m_shift + 1);
        for (std::size_t i = 0; i < size; ++i)
        {
            const uint64_t print = prints[i].load(std::memory_order_relaxed);
            if (print == 0)
            {
                continue;
            }
            std::size_t at = print >> m_shift;
            while (m_prints[at].load(std::memory_order_relaxed) != 0)
            {
                at = (at + 1) & m_mask;
            }
            m_prints[at].store(print, std::memory_order_relaxed);
            m_numbers[at].store(numbers[i].load(std::memory_order_relaxed),
                                std::memory_order_relaxed);
        }
    }

    /**
     * Visit all fingerprints.
     * @param visit called with each fingerprint and its number
     */
    template <class Visit>
    void ForEach(Visit&& visit) const
    {
        for (std::size_t at = 0; at <= m_mask; ++at)
        {
            if (const uint64_t print = m_prints[at].load(std::memory_order_relaxed); print != 0)
            {
                visit(print, GetNumber(at));
            }
        }
    }

    /** @return memory of the table [bytes]. */
    std::size_t GetMemory() const
    {
        return (m_mask + 1) * (sizeof(uint64_t) + sizeof(uint32_t));
    }

  private:
    static constexpr unsigned FIRST_BITS = 14; ///< Binary logarithm of the first table's size.

    /**
     * Get the number in a table entry; waits if another thread is about to write it.
     * @param at index of the entry
     * @return the number
     */
    uint32_t GetNumber(std::size_t at) const
    {
        uint32_t number = m_numbers[at].load(std::memory_order_acquire);
        while (number == 0)
        {
            number = m_numbers[at].load(std::memory_order_acquire);
        }
        return number - 1;
    }

    /**
     * Make an empty table.
     * @param bits binary logarithm of its size
     */
    void Allocate(unsigned bits)
    {
        m_shift = 64 - bits;
        m_mask = (std::size_t{1} << bits) - 1;
        m_prints = std::make_unique<std::atomic<uint64_t>[]>(m_mask + 1);
        m_numbers = std::make_unique<std::atomic<uint32_t>[]>(m_mask + 1);
    }

    std::unique_ptr<std::atomic<uint64_t>[]> m_prints;  ///< Fingerprints; zero where there is none.
    std::unique_ptr<std::atomic<uint32_t>[]> m_numbers; ///< Their numbers plus one.
    std::size_t m_mask{0};                              ///< Size of the table less one.
    unsigned m_shift{0};             ///< Bits of a fingerprint below its index in the table.
    std::atomic<uint32_t> m_size{0}; ///< Number of fingerprints.
};

/**
 * @ingroup messaging
 * A lock-free set of fingerprints as marks in an array of bits, with false positives: some new
 * fingerprints count as known (G. J. Holzmann's bitstate hashing).
 */
class BitArray
{
  public:
    static constexpr unsigned HASHES = 3; ///< Number of marks of a fingerprint.

    /** @param bytes maximum memory; the array uses the largest power of two within it */
    explicit BitArray(uint64_t bytes);

    /**
     * Insert a fingerprint.
     * @param fingerprint the fingerprint
     * @return whether it is new
     */
    bool Insert(uint64_t fingerprint)
    {
        bool isNew = false;
        uint64_t marks = 0;
        for (unsigned i = 0; i < HASHES; ++i)
        {
            const uint64_t place = Mix(fingerprint, i + 1) & m_mask;
            const uint64_t bit = uint64_t{1} << (place % 64);
            auto& word = m_words[place / 64];
            if (!(word.load(std::memory_order_relaxed) & bit))
            {
                const bool isMine = !(word.fetch_or(bit, std::memory_order_relaxed) & bit);
                marks += isMine ? 1 : 0;
                isNew |= isMine;
            }
        }
        m_marked.fetch_add(marks, std::memory_order_relaxed);
        return isNew;
    }

    /** @return the fraction of the bits that are marked. */
    double GetFilling() const
    {
        return static_cast<double>(m_marked.load(std::memory_order_relaxed)) /
               static_cast<double>(m_mask + 1);
    }

    /** @return its memory [bytes]. */
    uint64_t GetMemory() const
    {
        return (m_mask + 1) / 8;
    }

  private:
    uint64_t m_mask;                                  ///< Number of bits less one.
    std::unique_ptr<std::atomic<uint64_t>[]> m_words; ///< The bits.
    std::atomic<uint64_t> m_marked{0};                ///< Marked bits.
};

/**
 * @ingroup messaging
 * An array of numbers in a temporary file, which the system caches in free memory and removes with
 * this object.
 */
class DiskArray
{
  public:
    DiskArray();
    DiskArray(const DiskArray&) = delete;
    DiskArray& operator=(const DiskArray&) = delete;
    ~DiskArray();

    /**
     * Threads may use different numbers at the same time.
     * @param index an index, below 2^32
     * @return the number there
     */
    uint64_t& operator[](uint32_t index) const
    {
        return m_values[index];
    }

  private:
    uint64_t* m_values{nullptr}; ///< Memory map of the file.
};

/** @return private resident memory of this process [bytes]; 0 if unknown. */
uint64_t GetResidentMemory();

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SEARCH_FINGERPRINT_SET_H
