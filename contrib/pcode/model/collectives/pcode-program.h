/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_PROGRAM_H
#define PCODE_PROGRAM_H

#include "ns3/messaging-types.h"
#include "ns3/pcode-target-groups.h"

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * The global program of section 2.1: all calls of all nodes to the transport layer.
 */

namespace ns3
{
namespace pcode
{

/** The three forms of a call (section 2.1). */
enum class CallKind : uint8_t
{
    SKIP,      ///< The null operation.
    MULTICAST, ///< multicast(m, T): send m to all of T.
    REQUEST    ///< request(q, T): receive the message that q multicasts to T.
};

/** A call of the user-communication layer. */
struct Call
{
    uint64_t contents{0};          ///< Contents of m, or of the requested message; 0 if none.
    messaging::Peer source{0};     ///< The sender: the caller, or q of a REQUEST.
    uint32_t group{0};             ///< Number of T in the program's TargetGroups.
    uint32_t bytes{0};             ///< Size of m, or of the requested message [bytes].
    CallKind kind{CallKind::SKIP}; ///< Form of the call.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const Call&) const = default;
};

/** Request::flags of a call that is a request(q, T). */
inline constexpr uint8_t REQUEST_CALL = 1;

/**
 * A global program: Program(p, i) for each node p and i = 1, 2, ...
 *
 * Calls are written once and can be repeated for a number of rounds. After its last call a node
 * skips forever.
 *
 * Calls as requests to a protocol core (MakeRequest):
 *
 * | call            | Request                                                              |
 * |-----------------|----------------------------------------------------------------------|
 * | multicast(m, T) | contents and bytes of m; tag = number of T; to = the one member of T, |
 * |                 | or NO_PEER; flags = 0                                                |
 * | request(q, T)   | to = q; tag = number of T; flags = REQUEST_CALL; bytes = 0           |
 * | skip            | none; a driver does not issue it                                     |
 *
 * A core accepts one call at a time, with ACCEPTED. It answers another one meanwhile with STALLED,
 * and an invalid one with REFUSED. The call *returns* when the core calls Complete: a multicast
 * with SENT (possibly before OnRequest returns), a request with DELIVERED right after Deliver. A
 * Delivery's tag is the number of T, its flags are 0.
 */
class GlobalProgram
{
  public:
    /**
     * Constructor.
     * @param nNodes the number of nodes
     * @param maxMessage largest message (Assumption 3) [bytes]
     */
    explicit GlobalProgram(uint32_t nNodes, uint32_t maxMessage = 1024);

    /**
     * Append a multicast(m, T) of a node.
     * @param p the node
     * @param bytes size of m [bytes]
     * @param targets T; the call returns at once if it is empty
     */
    void Multicast(messaging::Peer p, uint32_t bytes, const TargetSet& targets);

    /**
     * Append a request(q, T) of a node.
     * @param p the node
     * @param q the sender
     * @param targets T
     */
    void Request(messaging::Peer p, messaging::Peer q, const TargetSet& targets);

    /**
     * Append a multicast and its matching calls (Assumption 1): every member of T requests it, and
     * all others skip.
     * @param p the sender
     * @param bytes size of the message [bytes]
     * @param targets T
     */
    void MatchedMulticast(messaging::Peer p, uint32_t bytes, const TargetSet& targets);

    /** Append skips until all nodes have the same number of calls. */
    void Align();

    /**
     * Set the number of repetitions of all calls.
     * @param rounds the number of rounds
     */
    void SetRounds(uint64_t rounds);

    /** @return the number of nodes. */
    uint32_t GetNNodes() const
    {
        return m_groups.GetNNodes();
    }

    /** @return the largest message [bytes]. */
    uint32_t GetMaxMessage() const
    {
        return m_maxMessage;
    }

    /** @return the target sets. */
    const TargetGroups& GetGroups() const
    {
        return m_groups;
    }

    /** @return the number of calls of a node in all rounds, including skips. */
    uint64_t GetNCalls() const
    {
        return m_length * m_rounds;
    }

    /**
     * Get a call.
     * @param p a node
     * @param i the call's index, from one
     * @return Program(p, i)
     */
    Call GetCall(messaging::Peer p, uint64_t i) const;

    /**
     * Find an invalid call: with an unknown node, with a target set that contains the sender or
     * lacks the requester, or with a message that exceeds the maximum.
     * @return an empty string, or an error message on the first such call
     */
    std::string CheckCalls() const;

    /**
     * Check whether the program is correct by Assumption 1 (Matched Calls).
     * @return an empty string, or an error message on the first unmatched call
     */
    std::string CheckMatched() const;

    /**
     * Describe a call.
     * @param p a node
     * @param i the call's index
     * @return a text such as multicast(20 bytes, {1,2})
     */
    std::string Describe(messaging::Peer p, uint64_t i) const;

  private:
    /**
     * Find the fault of a call by itself.
     * @param call the call
     * @param p its node
     * @return an empty string, or the fault, the rest of a sentence about the call
     */
    std::string FindFault(const Call& call, messaging::Peer p) const;

    /**
     * Check two calls with one index by Assumption 1.
     * @param call a multicast or request
     * @param p its node
     * @param other the call of another node, or the call itself
     * @param q its node
     * @return true if the other one is what the call needs
     */
    bool IsMatched(const Call& call, messaging::Peer p, const Call& other, messaging::Peer q) const;

    /**
     * Get the word for the contents of a message.
     * @param p the sender
     * @param i index of its call
     * @return a unique word, not zero
     */
    static uint64_t MakeContents(messaging::Peer p, uint64_t i)
    {
        return (uint64_t{p} + 1) << 40 | i;
    }

    /**
     * Get the index of a pair in m_sent and m_requested.
     * @param p the sender
     * @param q the receiver
     * @return the index
     */
    std::size_t Pair(messaging::Peer p, messaging::Peer q) const
    {
        return std::size_t{p} * GetNNodes() + q;
    }

    /**
     * Find the first faulty call.
     * @param check given a call, its node and its index, returns its error or an empty text
     * @return an empty string, or an error message on the call
     */
    std::string FindFirst(
        const std::function<std::string(const Call&, messaging::Peer, uint64_t)>& check) const;

    /**
     * Append a call.
     * @param p the node
     * @param call the call
     */
    void Append(messaging::Peer p, const Call& call);

    TargetGroups m_groups;                     ///< Target sets.
    std::vector<std::vector<Call>> m_calls;    ///< By node; contents of a REQUEST: its ordinal.
    std::vector<std::vector<uint32_t>> m_sent; ///< Indices of multicasts, by Pair.
    std::vector<uint32_t> m_requested;         ///< Number of requests, by Pair.
    uint64_t m_length{0};                      ///< Maximum number of calls of a node.
    uint64_t m_rounds{1};                      ///< Number of rounds.
    uint32_t m_maxMessage;                     ///< Largest message [bytes].
};

/**
 * Make the request of a call (see GlobalProgram).
 * @param program the program
 * @param call the call, not a skip
 * @param id identifier of the request
 * @return the request
 */
messaging::Request MakeRequest(const GlobalProgram& program,
                               const Call& call,
                               messaging::RequestId id);

/**
 * Print a kind of call by name.
 * @param os the stream
 * @param kind the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, CallKind kind);

} // namespace pcode
} // namespace ns3

#endif // PCODE_PROGRAM_H
