/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_LARGE_PAGES_H
#define INFINIBAND_LARGE_PAGES_H

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

/**
 * @file
 * @ingroup infiniband
 * Memory for arrays that are looked into at random.
 */

namespace ns3
{
namespace infiniband
{

/**
 * @ingroup infiniband
 * Allocates long arrays in pages of 2 MiB where the system has them.
 *
 * Half a million queue pairs lie in tens of MB, and each message looks for two of them. In pages of
 * 4 KiB the processor has to find the page first nearly every time.
 * @tparam T what is allocated
 */
template <class T>
class LargePageAllocator
{
  public:
    using value_type = T; ///< Element type, named as the standard requires.

    LargePageAllocator() = default;

    /** Allocators of all types are alike. */
    template <class Other>
    LargePageAllocator(const LargePageAllocator<Other>& /* other */)
    {
    }

    /** @return memory. @param n for how many */
    T* allocate(std::size_t n)
    {
        const std::size_t bytes = n * sizeof(T);
        void* memory = ::operator new(bytes, GetAlignment(bytes));
#ifdef MADV_HUGEPAGE
        if (bytes >= PAGE)
        {
            // Advice: without it all is the same, only slower.
            madvise(memory, bytes / PAGE * PAGE, MADV_HUGEPAGE);
        }
#endif
        return static_cast<T*>(memory);
    }

    /** Give memory back. @param memory what allocate gave @param n for how many */
    void deallocate(T* memory, std::size_t n)
    {
        ::operator delete(memory, GetAlignment(n * sizeof(T)));
    }

    /** Any can give back what another has allocated. @return true */
    bool operator==(const LargePageAllocator&) const = default;

  private:
    static constexpr std::size_t PAGE = std::size_t{2} << 20; ///< A large page [bytes].

    /** @return the alignment of an array. @param bytes its length */
    static std::align_val_t GetAlignment(std::size_t bytes)
    {
        return std::align_val_t{bytes >= PAGE ? PAGE
                                              : std::max(alignof(T), alignof(std::max_align_t))};
    }
};

/** An array that may be long and is looked into at random. */
template <class T>
using LargeVector = std::vector<T, LargePageAllocator<T>>;

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_LARGE_PAGES_H
