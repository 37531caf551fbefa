/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_FRAME_WORDS_H
#define MESSAGING_FRAME_WORDS_H

#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>

/**
 * @file
 * @ingroup messaging
 * The list of words in a frame.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A short list of 32-bit words that a frame carries by value: a SACK bitmap, a vector of counters,
 * a list of numbers.
 *
 * Copies are deep, and lists with the same words are equal, so that a core that holds frames
 * remains a plain value. An empty list is a null pointer. The memory of a list comes from a pool of
 * its thread: in a steady state, no list is allocated from the heap.
 */
class FrameWords
{
  public:
    FrameWords() = default;

    /** @param words the words */
    FrameWords(std::initializer_list<uint32_t> words)
    {
        assign({words.begin(), words.size()});
    }

    /** @param words the words */
    explicit FrameWords(std::span<const uint32_t> words)
    {
        assign(words);
    }

    /** @param other the list to copy */
    FrameWords(const FrameWords& other)
    {
        if (other.m_block) [[unlikely]]
        {
            assign(other.Get());
        }
    }

    /** @param other the list to move; empty afterwards */
    FrameWords(FrameWords&& other) noexcept
        : m_block(std::exchange(other.m_block, nullptr))
    {
    }

    ~FrameWords()
    {
        clear();
    }

    /** Copy a list. @param other the list @return this */
    FrameWords& operator=(const FrameWords& other)
    {
        if (m_block || other.m_block) [[unlikely]]
        {
            assign(other.Get());
        }
        return *this;
    }

    /** Move a list. @param other the list; empty afterwards @return this */
    FrameWords& operator=(FrameWords&& other) noexcept
    {
        if (m_block || other.m_block) [[unlikely]]
        {
            std::swap(m_block, other.m_block);
            other.clear();
        }
        return *this;
    }

    /** @return the number of words. */
    uint32_t size() const
    {
        return m_block ? m_block->size : 0;
    }

    /** @return true if there are no words. */
    bool empty() const
    {
        return size() == 0;
    }

    /** @return the words, which are valid until the list changes. */
    std::span<const uint32_t> Get() const
    {
        return {begin(), size()};
    }

    /** @return the first word. */
    const uint32_t* begin() const
    {
        return m_block ? GetWords(m_block) : nullptr;
    }

    /** @return the end of the words. */
    const uint32_t* end() const
    {
        return begin() + size();
    }

    /** @param index below size() @return the word there. */
    uint32_t operator[](uint32_t index) const
    {
        return GetWords(m_block)[index];
    }

    /** @param index below size() @return the word there. */
    uint32_t& operator[](uint32_t index)
    {
        return GetWords(m_block)[index];
    }

    /** Replace all words. @param words the new words, not of this list */
    void assign(std::span<const uint32_t> words);

    /** Append a word. @param word the word */
    void push_back(uint32_t word);

    /** Remove all words. */
    void clear() noexcept
    {
        if (m_block) [[unlikely]]
        {
            Release(m_block);
            m_block = nullptr;
        }
    }

    /** Compare the words. @param other another list @return true if they are equal */
    bool operator==(const FrameWords& other) const;

    /**
     * Get the use of the heap.
     * @return the number of times that this thread took the memory of a list from the heap, which
     * stays constant in a steady state
     */
    static uint64_t GetHeapBlocks();

  private:
    /** Head of the memory of a list, whose words follow. */
    struct Block
    {
        uint32_t size;     ///< Number of words.
        uint32_t capacity; ///< Number of words for which there is memory, of its class.
    };

    /// Keeps free blocks.
    friend class FrameWordsPool;

    /** @param block a block @return its words. */
    static uint32_t* GetWords(Block* block)
    {
        return reinterpret_cast<uint32_t*>(block + 1);
    }

    /** Get memory. @param capacity least number of words @return a block without words */
    static Block* Allocate(uint32_t capacity);

    /** Return memory. @param block the block */
    static void Release(Block* block) noexcept;

    Block* m_block{nullptr}; ///< The words; nullptr for none.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_FRAME_WORDS_H
