/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_BENCH_GOAL_H
#define MESSAGING_BENCH_GOAL_H

#include "messaging-bench-application.h"
#include "messaging-goal.h"

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * GOAL schedule as a traffic pattern.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Executes a GOAL schedule: each peer is a rank, and begins an operation as soon as the required
 * operations have ended.
 */
class GoalApplication : public BenchmarkApplication
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string Check(uint32_t peers) const override;

  protected:
    void DoBegin() override;
    void DoReceive(const Delivery& delivery) override;
    void DoComplete() override;

  private:
    struct Plan;

    /** Message without a matching receive yet. */
    struct Unexpected
    {
        Peer from;    ///< Its sender.
        uint32_t tag; ///< Its tag.
    };

    /** No receive or operation; larger than all others. */
    static constexpr uint32_t NONE = UINT32_MAX;

    /** Posted receive; small, since messages of an exchange among all ranks arrive in any order. */
    struct Receive
    {
        uint32_t operation; ///< Index in the schedule, or NONE if nothing requires it.
        Peer from;          ///< Its source, or GOAL_ANY_SOURCE.
        uint32_t tag;       ///< Its tag, or GOAL_ANY_TAG.
        uint32_t next;      ///< Next receive of its list, or NONE.
    };

    /** Receives without a message, in order of their posts. */
    struct List
    {
        uint32_t first{NONE}; ///< The first one.
        uint32_t last{NONE};  ///< The last one, unless the list is empty.
    };

    /**
     * Read a schedule, once for all ranks.
     * @param file name of the file
     * @param error set to one sentence if it cannot be read
     * @return the schedule
     */
    static std::shared_ptr<const Plan> Load(const std::string& file, std::string& error);

    /**
     * Begin an operation whose required operations have ended.
     * @param operation index in the schedule
     */
    void Start(uint32_t operation);

    /**
     * End an operation.
     * @param operation index in the schedule, or NONE if nothing requires it
     */
    void Finish(uint32_t operation);

    /**
     * Start the operations that waited for the begin or the end of another one of this rank.
     * @param operation the required operation
     * @param start true for its begin, false for its end
     */
    void Release(uint32_t operation, bool start);

    /**
     * Check whether a receive matches a message.
     * @param receive the receive
     * @param message the message
     * @return true if it matches
     */
    static bool Takes(const Receive& receive, const Unexpected& message)
    {
        return (receive.from == GOAL_ANY_SOURCE || receive.from == message.from) &&
               (receive.tag == GOAL_ANY_TAG || receive.tag == message.tag);
    }

    /**
     * Find the first receive of a list that matches a message.
     * @param list the list
     * @param message the message
     * @return the receive and the one before it in the list, or NONE
     */
    std::pair<uint32_t, uint32_t> Find(const List& list, const Unexpected& message) const;

    /**
     * Get the list of receives of a source.
     * @param source the source
     * @return the list, which may contain receives of other sources too
     */
    List& GetList(Peer source)
    {
        return m_receiving[source & (m_receiving.size() - 1)];
    }

    std::string m_file;                         ///< File of the schedule.
    mutable std::shared_ptr<const Plan> m_plan; ///< The schedule, shared by all that use the file.
    std::vector<uint32_t> m_required;           ///< Missing requirements, by index in the rank.
    std::vector<List> m_receiving;              ///< Receives by the low bits of their source.
    List m_anySource;                           ///< Receives from any source.
    std::vector<Receive> m_posted;              ///< Receives that have waited, in order.
    Fifo<uint32_t> m_sending;                   ///< Sends that have not ended, in order.
    std::deque<Unexpected> m_early;             ///< Messages without a receive, in order.
    uint32_t m_first{0};                        ///< First operation of the rank.
    uint32_t m_left{0};                         ///< Operations that have not ended.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_BENCH_GOAL_H
