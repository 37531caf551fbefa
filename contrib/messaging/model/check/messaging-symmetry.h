/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SYMMETRY_H
#define MESSAGING_SYMMETRY_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-fingerprint-set.h"

#include <map>
#include <span>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * States of a search that differ only by the names of peers and messages.
 */

namespace ns3
{
namespace messaging
{

class Symmetry;

/**
 * @ingroup messaging
 * A core, a timer or a frame as words, some of which are names.
 *
 * A core that treats all peers and all messages alike says so by drawing itself here:
 *
 * - `void Draw(O& outline) const` draws its whole state,
 * - `void DrawTimer(TimerId timer, O& outline) const` a timer of its own,
 * - `void DrawFrame(Peer to, const Frame& frame, O& outline) const` any frame, for any peer,
 * - `void DrawWork(WorkId work, O& outline) const` its work, if it requests any,
 *
 * with O a template parameter. Whatever names a peer, a message or an ID has to be put as such, and
 * what has no order as a set. It promises that with other names it would do the same under those
 * names: it does not compare names, but for equality; it treats peers in no order of their own,
 * where that matters; and the IDs that it chooses are new.
 */
class Outline
{
  public:
    /** Kinds of atoms. */
    enum class Kind : uint8_t
    {
        WORD,    ///< No name.
        PEER,    ///< A peer.
        MESSAGE, ///< A message of the search.
        ID,      ///< An ID that a core has chosen.
        SET,     ///< Begin of a set.
        ITEM,    ///< Begin of a member of the set.
        END      ///< End of the set.
    };

    /** A name and the words before it, or the border of a set. */
    struct Atom
    {
        uint64_t word{0};      ///< Hash of the words before it.
        uint32_t name{0};      ///< The name.
        Kind kind{Kind::WORD}; ///< Kind.
    };

    /** @param symmetry knows the messages, and numbers the IDs */
    explicit Outline(Symmetry& symmetry)
        : m_symmetry(symmetry)
    {
    }

    /** Put what is no name. @param word the value */
    void Put(uint64_t word);

    /** Put a peer. @param peer the peer, or NO_PEER */
    void PutPeer(Peer peer);

    /** Put what represents a message's payload. @param contents the payload */
    void PutContents(uint64_t contents);

    /** Put a request's name. @param from the peer that has posted it @param id its name */
    void PutRequest(Peer from, RequestId id);

    /** Put a message's tag. @param contents the message's payload @param tag the tag */
    void PutTag(uint64_t contents, uint32_t tag);

    /** Put an ID that a core has chosen and will not choose again. @param from its peer @param id
     * the ID */
    void PutId(Peer from, uint64_t id);

    /** Begin a set. Sets contain no sets. */
    void BeginSet()
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

    /** @return all that was put. */
    std::vector<Atom> Take();

  private:
    /** Add an atom. @param kind kind @param name the name */
    void Add(Kind kind, uint32_t name);

    Symmetry& m_symmetry;      ///< Messages and IDs.
    std::vector<Atom> m_atoms; ///< What was put.
    uint64_t m_word{0};        ///< Hash of the words since the last atom.
    bool m_hasWord{false};     ///< There are such words.
};

/**
 * @ingroup messaging
 * The renamings that lead from states of a search to others with the same future.
 *
 * Peers are exchanged where that maps the requests of the search onto themselves, each peer's in
 * their order, and the first state onto itself. Messages of one peer to another are exchanged once
 * both are posted; those that are yet to be posted keep their names, so that the rest of the script
 * stays the same. IDs are exchanged freely. Each renaming maps the steps of a state onto those of
 * the other and leaves open whether messages are delivered twice, altered or lost and whether the
 * requests end. It may change their order, so that messages keep their names where order is asked
 * for.
 *
 * The canonical fingerprint is the smallest over the exchanges of peers. For each of these,
 * messages and IDs are distinguished by their mentions, and numbered in that order; all orders of
 * those that are still alike are tried, up to a limit, beyond which a state may keep more than one
 * form. In any case the fingerprint is that of a renamed state, so that only states of the same
 * future share it.
 */
class Symmetry
{
  public:
    /** A part of a state: what a peer knows, or a frame in flight. */
    struct Part
    {
        const std::vector<Outline::Atom>* atoms; ///< What names occur in.
        uint64_t salt;                           ///< All else.
        Peer from;                               ///< The peer, or the sender.
        Peer to;                                 ///< The peer, or the receiver.
    };

    /** A state. */
    struct State
    {
        uint64_t salt{0};                ///< What has no names.
        uint64_t posted{0};              ///< Requests that were posted, a bit each.
        uint64_t ended{0};               ///< Requests that have ended, a bit each.
        std::vector<uint64_t> delivered; ///< By peer, messages delivered to it, a bit each.
        std::vector<Part> parts;         ///< Peers and frames.
    };

    /** Memory of a thread. */
    struct Scratch
    {
        State state; ///< The state.

        /** A name that occurs in the state. */
        struct Present
        {
            uint64_t colour{0}; ///< What is known of it.
            uint64_t first{0};  ///< What was known at the beginning.
            uint64_t sum{0};    ///< Of what mentions it.
            uint32_t name{0};   ///< The name.
            uint64_t order{0};  ///< Decides between equals.
            bool isId{false};   ///< Of an ID.
        };

        std::vector<Present> present; ///< Names that occur.
        std::vector<uint32_t> place;  ///< By name, its place among these, plus one.
        std::vector<uint64_t> value;  ///< By place, its value in a fingerprint.
        std::vector<std::pair<uint32_t, uint64_t>> marks; ///< Names in the part, and where.
        std::vector<uint32_t> sorted;                     ///< Places in the order of what is known.
    };

    /**
     * Constructor.
     * @param requests messages with their senders
     * @param peers number of peers
     * @param exchangesMessages whether messages may change their names
     */
    Symmetry(const std::vector<std::pair<Peer, Request>>& requests,
             uint32_t peers,
             bool exchangesMessages);

    /**
     * Leave out the exchanges of peers that do not map the first state onto itself.
     * @param scratch has the state
     */
    void Restrict(Scratch& scratch);

    /** @return number of exchanges of peers, the one that changes nothing included. */
    std::size_t GetNExchanges() const
    {
        return m_exchanges.size();
    }

    /**
     * Compute the canonical fingerprint of a state.
     * @param scratch has the state
     * @return its fingerprint
     */
    uint64_t GetPrint(Scratch& scratch) const;

    /**
     * Find a message.
     * @param contents its payload
     * @return its index, or the number of messages
     */
    uint32_t FindContents(uint64_t contents) const;

    /**
     * Find a request.
     * @param from the peer that has posted it
     * @param id its name
     * @return its index, or the number of messages
     */
    uint32_t FindRequest(Peer from, RequestId id) const;

    /** @return a request. @param index its index */
    const Request& GetRequest(uint32_t index) const
    {
        return m_requests[index].second;
    }

    /** @return the number of messages. */
    uint32_t GetNMessages() const
    {
        return static_cast<uint32_t>(m_requests.size());
    }

    /**
     * Number an ID. One thread at a time may do so.
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
        std::vector<uint32_t> messages; ///< By message, the one in whose place it comes.
    };

    /** Peer and value of an ID. */
    struct Id
    {
        Peer from{0};      ///< The peer.
        uint64_t value{0}; ///< The ID.
    };

    /** List the names that occur. @param scratch has the state */
    void ListNames(Scratch& scratch) const;

    /**
     * Compute the fingerprint under an exchange of peers.
     * @param scratch has the state and its names
     * @param exchange the exchange
     * @return the smallest
     */
    uint64_t GetPrint(Scratch& scratch, const Exchange& exchange) const;

    /**
     * Compute the fingerprint with given values of names.
     * @param scratch has the state and the values
     * @param exchange the exchange
     * @return the fingerprint
     */
    uint64_t Sum(Scratch& scratch, const Exchange& exchange) const;

    /**
     * Compute the hash of a part.
     * @param part the part
     * @param scratch has the values of names; marks are added
     * @param exchange the exchange
     * @param collects whether each name's sum takes what mentions it
     * @return the hash
     */
    uint64_t Scan(const Part& part,
                  Scratch& scratch,
                  const Exchange& exchange,
                  bool collects) const;

    /**
     * Compute what is known of a message without those that mention it.
     * @param state the state
     * @param message the message
     * @param exchange the exchange
     * @return a hash
     */
    uint64_t GetColour(const State& state, uint32_t message, const Exchange& exchange) const;

    std::vector<std::pair<Peer, Request>> m_requests;        ///< Messages with their senders.
    std::vector<uint32_t> m_classes;                         ///< By message, the first like it.
    std::vector<Exchange> m_exchanges;                       ///< Exchanges of peers.
    std::map<std::pair<Peer, uint64_t>, uint32_t> m_idNames; ///< Numbers of IDs.
    PiecewiseArray<Id, 10, 1 << 20> m_ids;                   ///< By number, the ID.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SYMMETRY_H
