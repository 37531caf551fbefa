/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_LIST_STORE_H
#define PCODE_LIST_STORE_H

#include <cstdint>
#include <map>
#include <span>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Lists that frames carry.
 */

namespace ns3
{
namespace pcode
{

/**
 * The lists of numbers that the frames of a group carry as payload: a vector of counters, the
 * messages that a token asks for, the parts of a packed message.
 *
 * A frame has one word that stands for the contents of its payload; here is what it stands for.
 * Equal lists have equal words, so that cores and frames can be compared by them. The store only
 * grows; all cores of a group share one, which outlives them. The frame's payload has to tell the
 * list's size in bytes.
 */
class ListStore
{
  public:
    /**
     * Get the word of a list.
     * @param list the list
     * @return the word, not zero
     */
    uint64_t Put(const std::vector<uint32_t>& list)
    {
        const auto [place, isNew] = m_words.try_emplace(list, m_lists.size() + 1);
        if (isNew)
        {
            m_lists.push_back(&place->first);
        }
        return place->second;
    }

    /**
     * Get the list of a word.
     * @param word the word
     * @return the list; empty if no list has this word, as in a frame that was damaged
     */
    std::span<const uint32_t> Get(uint64_t word) const
    {
        return word == 0 || word > m_lists.size() ? std::span<const uint32_t>()
                                                  : std::span<const uint32_t>(*m_lists[word - 1]);
    }

  private:
    std::map<std::vector<uint32_t>, uint64_t> m_words; ///< Words by list.
    std::vector<const std::vector<uint32_t>*> m_lists; ///< Lists by word, less one.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_LIST_STORE_H
