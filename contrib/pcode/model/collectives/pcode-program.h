/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_PROGRAM_H
#define PCODE_PROGRAM_H

#include "ns3/messaging-types.h"
#include "ns3/pcode-target-groups.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * The global program of section 2.1: all calls that all nodes make to the transport layer.
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
    REQUEST    ///< request(q, T): receive what q multicasts to T.
};

/** A call of the user-communication layer. */
struct Call
{
    uint64_t contents{0}; ///< Stands for m; of a REQUEST, for the message to be delivered, 0 if no
                          ///< one sends it.
    messaging::Peer source{0}; ///< The sender: the caller itself, or the q of a REQUEST.
    uint32_t group{0};         ///< Number of T in the program's TargetGroups.
    uint32_t bytes{0};         ///< Size of m [bytes]; of a REQUEST, of the message to be delivered.
    CallKind kind{CallKind::SKIP}; ///< Which form.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const Call&) const = default;
};

/** The first fault of a program. */
struct ProgramFault
{
    uint64_t index{0};       ///< i, from one.
    messaging::Peer node{0}; ///< p.
    std::string sentence;    ///< Fault of Program(p, i), in one sentence.
};

/** Request::flags of a call that is a request(q, T). */
inline constexpr uint8_t REQUEST_CALL = 1;

/**
 * A global program: Program(p, i) for each node p and i = 1, 2, ...
 *
 * Calls are written once and may be repeated for a number of rounds. After its last call a
 * node skips forever.
 *
 * Calls at the seam to a protocol core (MakeRequest):
 *
 * | call            | Request                                                              |
 * |-----------------|----------------------------------------------------------------------|
 * | multicast(m, T) | contents and bytes of m; tag = number of T; to = the one member of T, |
 * |                 | or NO_PEER; flags = 0                                                |
 * | request(q, T)   | to = q; tag = number of T; flags = REQUEST_CALL; bytes = 0           |
 * | skip            | none; a driver does not issue it                                     |
 *
 * A core takes one call at a time and answers ACCEPTED; a call that is not yet over is answered
 * with STALLED, a faulty one with REFUSED. The call *returns* when the core says Complete: a
 * multicast with SENT (perhaps before OnRequest does), a request with DELIVERED right after it has
 * said Deliver. A Delivery's tag is the number of T, its flags are 0.
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
     * Let a node call multicast(m, T) next.
     * @param p the node
     * @param bytes size of m [bytes]
     * @param targets T; the call returns at once if it is empty
     */
    void Multicast(messaging::Peer p, uint32_t bytes, const TargetSet& targets);

    /**
     * Let a node call request(q, T) next.
     * @param p the node
     * @param q the sender
     * @param targets T
     */
    void Request(messaging::Peer p, messaging::Peer q, const TargetSet& targets);

    /**
     * Write one multicast and its matching calls (Assumption 1): every member of T requests it, and
     * all others skips.
     * @param p the sender
     * @param bytes size of the message [bytes]
     * @param targets T
     */
    void MatchedMulticast(messaging::Peer p, uint32_t bytes, const TargetSet& targets);

    /** Let all skip until all have written equally many calls. */
    void Align();

    /**
     * Repeat all calls written.
     * @param rounds the number of rounds
     */
    void SetRounds(uint64_t rounds);

    /** @return the number of rounds. */
    uint64_t GetRounds() const
    {
        return m_rounds;
    }

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

    /** @return i of the last call that is not known to be a skip. */
    uint64_t GetNCalls() const
    {
        return m_length * m_rounds;
    }

    /** @return the number of calls of one round. */
    uint64_t GetRoundLength() const
    {
        return m_length;
    }

    /**
     * Get a call.
     * @param p a node
     * @param i the call's index, from one
     * @return Program(p, i)
     */
    Call GetCall(messaging::Peer p, uint64_t i) const;

    /**
     * Find a call that can never be made: one of a node that does not exist, a target set
     * with the sender in it or the requester not in it, a message over the maximum.
     * @return the first such call, or nothing
     */
    std::optional<ProgramFault> CheckCalls() const;

    /**
     * Check whether the program is correct by Assumption 1 (Matched Calls).
     * @return the first call that is not matched, or nothing
     */
    std::optional<ProgramFault> CheckMatched() const;

    /**
     * Check whether the program can be run, correct or not: the k-th request of each node from
     * each other has the target set of that one's k-th multicast to it. A correct program is of
     * this kind; so is the second driver of section 6.2.
     * @return the first call that has no counterpart, or nothing
     */
    std::optional<ProgramFault> CheckPaired() const;

    /**
     * Write a call down.
     * @param p a node
     * @param i the call's index
     * @return for instance: multicast(20 bytes, {1,2})
     */
    std::string Describe(messaging::Peer p, uint64_t i) const;

  private:
    /**
     * Get the word that stands for a message.
     * @param p the sender it
     * @param i in which call
     * @return a word that no other message has, not zero
     */
    static uint64_t MakeContents(messaging::Peer p, uint64_t i)
    {
        return (uint64_t{p} + 1) << 40 | i;
    }

    /**
     * Get the place of a pair in m_sent.
     * @param p the sender
     * @param q the receiver
     * @return the place
     */
    std::size_t Pair(messaging::Peer p, messaging::Peer q) const
    {
        return std::size_t{p} * GetNNodes() + q;
    }

    /**
     * Describe a fault.
     * @param p its node
     * @param i its call
     * @param why what is wrong with it
     * @return the fault
     */
    ProgramFault MakeFault(messaging::Peer p, uint64_t i, const std::string& why) const;

    /**
     * Find the first call at fault.
     * @param check given a call, its node and its index, returns what is wrong or an empty text
     * @return the fault, or nothing
     */
    std::optional<ProgramFault> FindFirst(
        const std::function<std::string(const Call&, messaging::Peer, uint64_t)>& check) const;

    /**
     * Append a call.
     * @param p the node
     * @param call the call
     */
    void Append(messaging::Peer p, const Call& call);

    TargetGroups m_groups;                     ///< Target sets.
    std::vector<std::vector<Call>> m_calls;    ///< Calls of a round, by node; the contents of a
                                               ///< REQUEST is its number among those of its pair.
    std::vector<std::vector<uint32_t>> m_sent; ///< By Pair, indices of the multicasts.
    std::vector<std::vector<uint32_t>> m_requested; ///< By Pair, indices of the requests.
    uint64_t m_length{0};                           ///< Calls of the longest node.
    uint64_t m_rounds{1};                           ///< Number of rounds.
    uint32_t m_maxMessage;                          ///< Largest message [bytes].
};

/**
 * Make the post of a call (see GlobalProgram).
 * @param program the program
 * @param call the call, not a skip
 * @param id comes back when the call returns
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
