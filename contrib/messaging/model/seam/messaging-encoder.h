/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_ENCODER_H
#define MESSAGING_ENCODER_H

#include "ns3/messaging-types.h"

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * The declaration of a core's state, for comparison, search and printing.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * The state of a core as words, some of which are names of peers, messages or IDs.
 *
 * A core declares its state once, in `Encode`: it puts each part that its behaviour depends on,
 * without pointers, and members of collections without an order as a set. Equal words mean equal
 * behaviour. The same declaration prints the state, with the names of the parts.
 *
 * A core that treats all peers and messages alike declares Encode for any encoder,
 * `template <class E> void Encode(E& e) const`, and puts names by the verbs for them: the search
 * then also uses an Outline, which exchanges names (messaging-search-symmetry.h).
 */
class Encoder
{
  public:
    /** Kinds of parts that a name can precede. */
    enum class Mark : uint8_t
    {
        WORD,  ///< A word.
        BEGIN, ///< Begin of a set.
        ITEM,  ///< Begin of a member.
        END    ///< End of a set.
    };

    /**
     * Put a word.
     * @param word the value
     * @param name its name when the state is printed; nullptr for none
     */
    void Put(uint64_t word, const char* name = nullptr)
    {
        Note(Mark::WORD, name, word);
        m_words.push_back(word);
    }

    /** Put a peer. @param peer the peer, or NO_PEER @param name its name */
    void PutPeer(Peer peer, const char* name = "peer")
    {
        Put(peer, name);
    }

    /** Put the contents of a message. @param contents the contents */
    void PutContents(uint64_t contents)
    {
        Put(contents, "contents");
    }

    /** Put the contents of a message, or a word that is derived from one message. @param word the
     * word */
    void PutContents(uint64_t word, uint64_t (*)(const Request&))
    {
        Put(word, "contents");
    }

    /** Put a request. @param id its ID; the peer that has posted it comes first */
    void PutRequest(Peer, RequestId id)
    {
        Put(id, "request");
    }

    /** Put a message's tag. @param tag the tag, after the message's contents */
    void PutTag(uint64_t, uint32_t tag)
    {
        Put(tag, "tag");
    }

    /** Put an ID that a core has chosen and will not choose again. @param id the ID, after its peer
     */
    void PutId(Peer, uint64_t id)
    {
        Put(id, "id");
    }

    /**
     * Put the next ID of a core that chooses IDs in order.
     * @param next the next ID
     */
    void PutNextId(uint64_t next, uint64_t)
    {
        Put(next, "next id");
    }

    /** Begin a set, whose members have no order. Sets contain no sets. @param name its name */
    void BeginSet(const char* name = nullptr)
    {
        Note(Mark::BEGIN, name, 0);
        m_items.clear();
    }

    /** Begin a member of the set. */
    void BeginItem()
    {
        Note(Mark::ITEM, nullptr, 0);
        m_items.push_back(m_words.size());
    }

    /** End the set. */
    void EndSet();

    /** @return all words put so far. */
    const std::vector<uint64_t>& GetWords() const
    {
        return m_words;
    }

    /** Keep names, so that the state can be printed. */
    void KeepNames()
    {
        m_keepsNames = true;
    }

    /** Print the state, after KeepNames. @param os the stream */
    void Print(std::ostream& os) const;

  private:
    /** A part of the state, for printing. */
    struct Part
    {
        const char* name; ///< Its name, or nullptr.
        uint64_t word;    ///< Its value.
        Mark mark;        ///< Its kind.
    };

    /** Keep a part for printing. @param mark its kind @param name its name @param word its value */
    void Note(Mark mark, const char* name, uint64_t word)
    {
        if (m_keepsNames) [[unlikely]]
        {
            m_parts.push_back({name, word, mark});
        }
    }

    std::vector<uint64_t> m_words;    ///< The state so far.
    std::vector<std::size_t> m_items; ///< Places of the members of the last set.
    std::vector<Part> m_parts;        ///< Parts with names, if kept.
    bool m_keepsNames{false};         ///< Keep the parts.
};

/**
 * @ingroup messaging
 * The state of a core, for printing: `os << StateOf{core}`.
 * @tparam Core a core, with Encode
 */
template <class Core>
struct StateOf
{
    const Core& core; ///< The core.
};

/** @tparam Core a core @param core the core @return its state for a stream */
template <class Core>
StateOf(const Core& core) -> StateOf<Core>;

/**
 * Print the state of a core.
 * @param os the stream
 * @param state the core
 * @return the stream
 */
template <class Core>
std::ostream&
operator<<(std::ostream& os, const StateOf<Core>& state)
{
    Encoder encoder;
    encoder.KeepNames();
    state.core.Encode(encoder);
    encoder.Print(os);
    return os;
}

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_ENCODER_H
