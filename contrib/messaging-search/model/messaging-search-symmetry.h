/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SEARCH_SYMMETRY_H
#define MESSAGING_SEARCH_SYMMETRY_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-search-fingerprint-set.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Symmetry of a search: states that differ only by the names of peers and messages.
 */

namespace ns3
{
namespace messaging
{

class Symmetry;

/**
 * @ingroup messaging
 * A core, a timer or a frame as a sequence of words, some of which are names.
 *
 * A core that treats all peers and all messages alike declares `static constexpr bool IS_SYMMETRIC
 * = true` and, with E any class that has the verbs of Encoder,
 *
 * - `void Encode(E& e) const`, its whole state,
 * - `void EncodeTimer(TimerId timer, E& e) const`, one of its timers,
 * - `void EncodeFrame(Peer from, Peer to, const Frame& frame, E& e) const`, any frame,
 * - `void EncodeWork(WorkId work, E& e) const`, its work, if it requests any.
 *
 * It must put every name of a peer, a message or an ID as such, and unordered collections as sets.
 * It guarantees that it behaves the same under other names: it compares names only for equality;
 * its behaviour does not depend on an order of peers; and the IDs that it chooses are new.
 */
class Outline
{
  public:
    /** Kinds of atoms. */
    enum class Kind : uint8_t
    {
        WORD,    ///< Words without a name.
        PEER,    ///< A peer.
        MESSAGE, ///< A message of the search.
        ID,      ///< An ID that a core has chosen.
        SET,     ///< Begin of a set.
        ITEM,    ///< Begin of a member of the set.
        END      ///< End of the set.
    };

    /** A name and the words before it, or a boundary of a set. */
    struct Atom
    {
        uint64_t word{0};      ///< Hash of the words before it.
        uint32_t name{0};      ///< The name.
        Kind kind{Kind::WORD}; ///< Kind.
    };

    /** @param symmetry finds the messages, and numbers the IDs */
    explicit Outline(Symmetry& symmetry)
        : m_symmetry(symmetry)
    {
    }

    /** Put a word that is not a name. @param word the value; its name is for printing */
    void Put(uint64_t word, const char* = nullptr);

    /** Put a peer. @param peer the peer, or NO_PEER; its name is for printing */
    void PutPeer(Peer peer, const char* = nullptr);

    /** Put the contents of a message. @param contents the contents */
    void PutContents(uint64_t contents);

    /**
     * Put the contents of a message, or a word that is derived from one message alone.
     * @param word the contents or the word
     * @param derive computes the word of a message
     */
    void PutContents(uint64_t word, uint64_t (*derive)(const Request& message));

    /** Put a request. @param from the peer that has posted it @param id its ID */
    void PutRequest(Peer from, RequestId id);

    /** Put a message's tag. @param contents the message's contents @param tag the tag */
    void PutTag(uint64_t contents, uint32_t tag);

    /** Put an ID that a core has chosen and will not choose again. @param from its peer @param id
     * the ID */
    void PutId(Peer from, uint64_t id);

    /**
     * Put the next ID of a core that chooses IDs in order. IDs are exchanged, so that only the
     * number that is left distinguishes states, and not above FEW_IDS.
     * @param left number of IDs that are left
     */
    void PutNextId(uint64_t, uint64_t left)
    {
        Put(std::min(left, FEW_IDS));
    }

    /** Begin a set. Sets contain no sets; its name is for printing. */
    void BeginSet(const char* = nullptr)
    {
        Add(Kind::SET, 0);
    }

    /** Begin a member of the set. */
    void BeginItem()
    {
        Add(Kind::ITEM, 0);
    }

    /** End the set. */
    void EndSet()
    {
        Add(Kind::END, 0);
    }

    /** @return the atoms put so far, which are removed. */
    std::vector<Atom> Take();

  private:
    /** More IDs than any search uses. */
    static constexpr uint64_t FEW_IDS = 1000;

    /** Add an atom. @param kind kind @param name the name */
    void Add(Kind kind, uint32_t name);

    /**
     * Put a message.
     * @param matches given sender and request, returns whether it is the message
     * @param way word that distinguishes the ways in which messages are found
     * @param value put if there is no such message
     */
    template <class Matches>
    void PutMessage(Matches matches, uint64_t way, uint64_t value);

    Symmetry& m_symmetry;      ///< Messages and IDs.
    std::vector<Atom> m_atoms; ///< The atoms put so far.
    uint64_t m_word{0};        ///< Hash of the words since the last atom.
    bool m_hasWord{false};     ///< There are such words.
};

/**
 * @ingroup messaging
 * Renamings that map states of a search to others with the same future.
 *
 * An exchange of peers must map the requests of the search to themselves, in the order of each
 * peer, and the initial state to itself. Messages of one peer to another are exchanged once both
 * are posted; messages not yet posted keep their names, so that the rest of the script stays the
 * same. IDs are exchanged freely. Each renaming maps the steps of a state to those of the other. It
 * preserves whether messages are delivered twice, altered or lost, and whether the requests end. It
 * may change the order of messages; if order is checked, messages keep their names.
 *
 * The canonical fingerprint is the minimum over the exchanges of peers. For each exchange, messages
 * and IDs are distinguished by the places that mention them, and numbered accordingly.
 * Indistinguishable names keep their order, so that a state may have more than one form. In any
 * case the fingerprint is that of a renamed state, so that only states with the same future share
 * it.
 */
class Symmetry
{
  public:
    /** A part of a state: the local state of a peer, or a frame in flight. */
    struct Part
    {
        const std::vector<Outline::Atom>* atoms; ///< The atoms, with all names.
        uint64_t salt;                           ///< The remainder, without names.
        Peer from;                               ///< The peer, or the sender.
        Peer to;                                 ///< The peer, or the receiver.
    };

    /** A state. */
    struct State
    {
        uint64_t salt{0};                ///< The part without names.
        uint64_t posted{0};              ///< Requests that were posted, a bit each.
        uint64_t ended{0};               ///< Requests that have ended, a bit each.
        uint64_t left{0};                ///< Requests that are SENT but not ended, a bit each.
        std::vector<uint64_t> delivered; ///< By peer, messages delivered to it, a bit each.
        std::vector<Part> parts;         ///< Peers and frames.
    };

    /** Working memory of a thread. */
    struct Scratch
    {
        State state; ///< The state.

        /** A name that occurs in the state. */
        struct Present
        {
            uint64_t colour{0}; ///< Hash that distinguishes it so far.
            uint64_t first{0};  ///< Initial value of this hash.
            uint64_t sum{0};    ///< Sum of the hashes of its mentions.
            uint32_t name{0};   ///< The name.
            uint64_t order{0};  ///< Tie-breaker among equal colours.
        };

        std::vector<Present> present; ///< Names that occur.
        std::vector<uint32_t> place;  ///< By name, its index among these plus one; 0 for none.
        std::vector<uint64_t> value;  ///< By index, its value in a fingerprint.
        std::vector<std::pair<uint32_t, uint64_t>> marks; ///< Mentions of names, with positions.
        std::vector<uint32_t> sorted;                     ///< Indices in the order of colours.
    };

    /**
     * Constructor.
     * @param requests messages with their senders
     * @param peers number of peers
     * @param exchangesMessages whether messages may be exchanged
     */
    Symmetry(const std::vector<std::pair<Peer, Request>>& requests,
             uint32_t peers,
             bool exchangesMessages);

    /**
     * Remove the exchanges of peers that do not map the initial state to itself.
     * @param scratch memory that contains the state
     */
    void Restrict(Scratch& scratch);

    /**
     * Compute the canonical fingerprint of a state.
     * @param scratch memory that contains the state
     * @return its fingerprint
     */
    uint64_t GetPrint(Scratch& scratch) const;

    /** @return messages with their senders; the name of a message is its index. */
    const std::vector<std::pair<Peer, Request>>& GetRequests() const
    {
        return m_requests;
    }

    /**
     * Number an ID. Not thread-safe.
     * @param from its peer
     * @param id the ID
     * @return its number, from 0
     */
    uint32_t NumberId(Peer from, uint64_t id);

  private:
    /** An exchange of peers. */
    struct Exchange
    {
        std::vector<Peer> peers;        ///< By peer, its new name.
        std::vector<uint32_t> messages; ///< By message, the one that it replaces.
    };

    /** Peer and value of an ID. */
    struct Id
    {
        Peer from{0};      ///< The peer.
        uint64_t value{0}; ///< The ID.
    };

    /** List the names that occur. @param scratch memory that contains the state */
    void ListNames(Scratch& scratch) const;

    /**
     * Compute the fingerprint under an exchange of peers.
     * @param scratch memory that contains the state and its names
     * @param exchange the exchange
     * @return its fingerprint
     */
    uint64_t GetPrint(Scratch& scratch, const Exchange& exchange) const;

    /**
     * Compute the hash of a part.
     * @param part the part
     * @param scratch memory that contains the values of names; its marks are changed
     * @param exchange the exchange
     * @param collects whether to add the hash of each mention to its name's sum
     * @return the hash
     */
    uint64_t Scan(const Part& part,
                  Scratch& scratch,
                  const Exchange& exchange,
                  bool collects) const;

    /**
     * Compute the initial colour of a message, without its mentions.
     * @param state the state
     * @param message the message
     * @param exchange the exchange
     * @return a hash
     */
    uint64_t GetColour(const State& state, uint32_t message, const Exchange& exchange) const;

    std::vector<std::pair<Peer, Request>> m_requests;        ///< Messages with their senders.
    std::vector<uint32_t> m_classes;                         ///< By message, the first alike.
    std::vector<Exchange> m_exchanges;                       ///< Exchanges of peers.
    std::map<std::pair<Peer, uint64_t>, uint32_t> m_idNames; ///< Numbers of IDs.
    PiecewiseArray<Id, 10, 1 << 20> m_ids;                   ///< By number, the ID.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SEARCH_SYMMETRY_H
