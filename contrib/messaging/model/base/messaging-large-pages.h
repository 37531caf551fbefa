/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LARGE_PAGES_H
#define MESSAGING_LARGE_PAGES_H

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

/**
 * @file
 * @ingroup messaging
 * Memory for arrays with random access.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Allocates long arrays in pages of 2 MiB where the system has them.
 *
 * The queue pairs of a large InfiniBand subnet and the frames in flight of a large fabric take tens
 * of MB, of which each event accesses a few places. With pages of 4 KiB nearly every access misses
 * the TLB.
 * @tparam T element type
 */
template <class T>
class LargePageAllocator
{
  public:
    using value_type = T; ///< Element type, named as the standard requires.

    LargePageAllocator() = default;

    /** Construct from an allocator of another type; allocators have no state. */
    template <class Other>
    LargePageAllocator(const LargePageAllocator<Other>& /* other */)
    {
    }

    /** @return memory for elements. @param n number of elements */
    T* allocate(std::size_t n)
    {
        const std::size_t bytes = n * sizeof(T);
        void* memory = ::operator new(bytes, GetAlignment(bytes));
#ifdef MADV_HUGEPAGE
        if (bytes >= PAGE)
        {
            // Only advice: a failure costs time, nothing else.
            madvise(memory, bytes / PAGE * PAGE, MADV_HUGEPAGE);
        }
#endif
        return static_cast<T*>(memory);
    }

    /** Free memory. @param memory returned by allocate @param n number of elements */
    void deallocate(T* memory, std::size_t n)
    {
        ::operator delete(memory, GetAlignment(n * sizeof(T)));
    }

    /** All allocators are interchangeable. @return true */
    bool operator==(const LargePageAllocator&) const = default;

  private:
    static constexpr std::size_t PAGE = std::size_t{2} << 20; ///< A large page [bytes].

    /** @return the alignment of an array. @param bytes length of the array */
    static std::align_val_t GetAlignment(std::size_t bytes)
    {
        return std::align_val_t{bytes >= PAGE ? PAGE
                                              : std::max(alignof(T), alignof(std::max_align_t))};
    }
};

/** A long array with random access. */
template <class T>
using LargeVector = std::vector<T, LargePageAllocator<T>>;

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LARGE_PAGES_H
