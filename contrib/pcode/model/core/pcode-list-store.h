/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_LIST_STORE_H
#define PCODE_LIST_STORE_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Store of the lists that frames carry.
 */

namespace ns3
{
namespace pcode
{

/**
 * Store of the lists of numbers in the frames of a group: a vector of counters, the messages that a
 * token requests, the parts of a packed message.
 *
 * A frame has one word for the contents of its payload, which identifies a list in this store.
 * Equal lists have equal words, so that cores and frames can be compared by them. All cores of a
 * group share one store, which outlives them. The payload of a frame must have the list's size in
 * bytes.
 *
 * To bound its memory in a long run, the store has two generations. When the young one is full, it
 * replaces the old one, whose lists are forgotten. Putting a list again moves it to the young
 * generation. A list is therefore kept until at least a generation of other lists was put after it:
 * far more than the windows of a group and its network can use.
 */
class ListStore
{
  public:
    /** Capacity of a generation [lists]. */
    static constexpr std::size_t GENERATION = 1 << 16;

    ListStore() = default;
    ListStore(const ListStore&) = delete;
    ListStore& operator=(const ListStore&) = delete;

    /**
     * Put a list, and get its word.
     * @param list the list
     * @return the word, not zero
     */
    uint64_t Put(const std::vector<uint32_t>& list)
    {
        if (const auto place = m_young.find(list); place != m_young.end())
        {
            return place->second;
        }
        auto again = m_old.extract(list);
        if (m_young.size() >= GENERATION)
        {
            for (const auto& [forgotten, word] : m_old)
            {
                m_lists.erase(word);
            }
            m_old = std::move(m_young);
            m_young.clear();
        }
        if (again)
        {
            return m_young.insert(std::move(again)).position->second;
        }
        const auto place = m_young.emplace(list, ++m_last).first;
        m_lists.emplace(m_last, &place->first);
        return m_last;
    }

    /**
     * Get the list of a word.
     * @param word the word
     * @return the list; empty if no list has this word, as in a damaged frame
     */
    std::span<const uint32_t> Get(uint64_t word) const
    {
        const auto place = m_lists.find(word);
        return place == m_lists.end() ? std::span<const uint32_t>()
                                      : std::span<const uint32_t>(*place->second);
    }

  private:
    /** Words by list. */
    using Words = std::map<std::vector<uint32_t>, uint64_t>;

    Words m_young; ///< Words of the young generation.
    Words m_old;   ///< Words of the old generation.
    std::unordered_map<uint64_t, const std::vector<uint32_t>*> m_lists; ///< Lists by word.
    uint64_t m_last{0};                                                 ///< Last new word.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_LIST_STORE_H
