/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-frame-words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <new>

namespace ns3
{
namespace messaging
{

namespace
{

/** Least capacity of a list [words]; a block of this size with its head is half a cache line. */
constexpr uint32_t LEAST_CAPACITY = 6;

/** Classes of capacity in the pool: LEAST_CAPACITY times one to LEAST_CAPACITY times 2^5. */
constexpr uint32_t CLASSES = 6;

/** Free blocks that are kept of each class. */
constexpr uint32_t KEPT = 256;

/**
 * Get the class of a capacity.
 * @param capacity a number of words
 * @return the least class that holds them; CLASSES or more for none
 */
uint32_t
GetClass(uint32_t capacity)
{
    const uint32_t units = (std::max(capacity, 1U) + LEAST_CAPACITY - 1) / LEAST_CAPACITY;
    return std::bit_width(units - 1);
}

} // namespace

/** Free blocks of a thread, each of which holds a pointer to the next. */
class FrameWordsPool
{
  public:
    FrameWordsPool() = default;

    ~FrameWordsPool()
    {
        m_ended = true;
        for (FreeList& list : m_lists)
        {
            while (void* const block = list.Take())
            {
                std::free(block);
            }
        }
    }

    FrameWordsPool(const FrameWordsPool&) = delete;
    FrameWordsPool& operator=(const FrameWordsPool&) = delete;

    /**
     * Take a free block.
     * @param kind its class
     * @return the block, or nullptr if there is none
     */
    static void* Take(uint32_t kind)
    {
        return m_ended || kind >= CLASSES ? nullptr : m_pool.m_lists[kind].Take();
    }

    /**
     * Keep a free block.
     * @param kind its class
     * @param block the block
     */
    static void Keep(uint32_t kind, void* block) noexcept
    {
        if (m_ended || kind >= CLASSES || m_pool.m_lists[kind].kept >= KEPT)
        {
            std::free(block);
            return;
        }
        m_pool.m_lists[kind].Put(block);
    }

    static thread_local uint64_t m_heapBlocks; ///< Blocks that this thread took from the heap.

  private:
    /** A free block. */
    struct FreeBlock
    {
        FreeBlock* next; ///< The next one; nullptr for none.
    };

    /** Free blocks of one class. */
    struct FreeList
    {
        FreeBlock* first{nullptr}; ///< The first one; nullptr for none.
        uint32_t kept{0};          ///< Their number.

        /** @return a block, which is removed, or nullptr. */
        void* Take()
        {
            FreeBlock* const block = first;
            if (block)
            {
                first = block->next;
                --kept;
            }
            return block;
        }

        /** Add a block. @param block the block */
        void Put(void* block)
        {
            first = new (block) FreeBlock{first};
            ++kept;
        }
    };

    static thread_local FrameWordsPool m_pool; ///< The pool of this thread.
    static thread_local bool m_ended;          ///< It is destroyed; frames may live longer.

    std::array<FreeList, CLASSES> m_lists; ///< Free blocks by class.
};

thread_local uint64_t FrameWordsPool::m_heapBlocks{0};
thread_local FrameWordsPool FrameWordsPool::m_pool;
thread_local bool FrameWordsPool::m_ended{false};

uint64_t
FrameWords::GetHeapBlocks()
{
    return FrameWordsPool::m_heapBlocks;
}

FrameWords::Block*
FrameWords::Allocate(uint32_t capacity)
{
    const uint32_t kind = GetClass(capacity);
    const uint32_t words = LEAST_CAPACITY << kind;
    void* memory = FrameWordsPool::Take(kind);
    if (!memory)
    {
        memory = std::malloc(sizeof(Block) + std::size_t{words} * sizeof(uint32_t));
        if (!memory)
        {
            throw std::bad_alloc();
        }
        ++FrameWordsPool::m_heapBlocks;
    }
    return new (memory) Block{0, words};
}

void
FrameWords::Release(Block* block) noexcept
{
    FrameWordsPool::Keep(GetClass(block->capacity), block);
}

void
FrameWords::assign(std::span<const uint32_t> words)
{
    const auto size = static_cast<uint32_t>(words.size());
    if (size == 0)
    {
        clear();
        return;
    }
    if (!m_block || m_block->capacity < size)
    {
        clear();
        m_block = Allocate(size);
    }
    std::copy(words.begin(), words.end(), GetWords(m_block));
    m_block->size = size;
}

void
FrameWords::push_back(uint32_t word)
{
    if (!m_block)
    {
        m_block = Allocate(1);
    }
    else if (m_block->size == m_block->capacity)
    {
        Block* const larger = Allocate(2 * m_block->capacity);
        std::copy(begin(), end(), GetWords(larger));
        larger->size = m_block->size;
        Release(m_block);
        m_block = larger;
    }
    GetWords(m_block)[m_block->size++] = word;
}

bool
FrameWords::operator==(const FrameWords& other) const
{
    return std::equal(begin(), end(), other.begin(), other.end());
}

} // namespace messaging
} // namespace ns3
