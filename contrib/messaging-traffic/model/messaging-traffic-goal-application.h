/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_GOAL_APPLICATION_H
#define MESSAGING_TRAFFIC_GOAL_APPLICATION_H

#include "messaging-traffic-application.h"
#include "messaging-traffic-goal.h"

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
 * operations have ended. A send ends with its first completion, SENT where the protocol reports it.
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
    std::string FindDeadlock() const override;

  protected:
    void DoBegin() override;
    void DoReceive(const Delivery& delivery) override;
    void DoStage(RequestId id, Completion completion) override;

  private:
    struct Plan;

    /** No receive or operation; larger than all others. */
    static constexpr uint32_t NONE = UINT32_MAX;

    /** In place of the operation of a message whose send has ended. */
    static constexpr uint32_t ENDED = NONE - 1;

    /** Posted receive. */
    struct Receive
    {
        uint32_t operation; ///< Index in the schedule, or NONE if nothing requires it.
        Peer from;          ///< Its source, or GOAL_ANY_SOURCE.
        uint32_t tag;       ///< Its tag, or GOAL_ANY_TAG.
        uint32_t next;      ///< Next receive of its list; after the last one, the first.
    };

    /** Receives without a message, in order of their posts. */
    struct List
    {
        uint32_t last{NONE}; ///< The last one, or NONE.
        /// Tag of the only one, if nothing requires it; else GOAL_ANY_TAG. In an exchange among all
        /// ranks, messages come in any order, and memory for more than this would be slow.
        uint32_t alone{GOAL_ANY_TAG};
    };

    /**
     * Read a schedule, once for all ranks.
     * @param file name of the file
     * @param ringBytes size from which a collective uses a ring [bytes]
     * @param error set to one sentence if it cannot be read
     * @return the schedule
     */
    static std::shared_ptr<const Plan> Load(const std::string& file,
                                            uint64_t ringBytes,
                                            std::string& error);

    /**
     * Begin an operation whose required operations have ended.
     * @param operation index in the schedule
     */
    void Start(uint32_t operation);

    /** Begin the operations that have become ready, one after the other. */
    void StartReady();

    /**
     * End an operation.
     * @param operation index in the schedule, or NONE if nothing requires it
     */
    void Finish(uint32_t operation);

    /**
     * End a computation.
     * @param operation index in the schedule, or NONE if nothing requires it
     */
    void FinishCalc(uint32_t operation);

    /**
     * Make the operations ready that waited only for the begin or the end of another one.
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
    static bool Takes(const Receive& receive, const Delivery& message)
    {
        return (receive.from == GOAL_ANY_SOURCE || receive.from == message.from) &&
               (receive.tag == GOAL_ANY_TAG || receive.tag == message.tag);
    }

    /**
     * Append a receive to its list.
     * @param receive the receive
     */
    void Append(Receive receive);

    /**
     * Find the first receive of a list that matches a message.
     * @param list the list
     * @param message the message
     * @return the receive and the one before it; NONE if there is none
     */
    std::pair<uint32_t, uint32_t> Find(const List& list, const Delivery& message) const;

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
    uint64_t m_ringBytes{0};                    ///< Size from which a collective uses a ring.
    mutable std::shared_ptr<const Plan> m_plan; ///< The schedule, shared by all that use the file.
    std::vector<uint32_t> m_required;           ///< Missing requirements, by index in the rank.
    std::vector<List> m_receiving;              ///< Receives by the low bits of their source.
    List m_anySource;                           ///< Receives from any source.
    std::vector<Receive> m_posted;              ///< Receives that have waited, in order.
    Fifo<uint32_t> m_ready;                     ///< Operations to begin.
    std::vector<uint32_t> m_sends;              ///< Operation of each message, by number.
    std::deque<Delivery> m_early;               ///< Messages without a receive, in order.
    uint32_t m_first{0};                        ///< First operation of the rank.
    uint32_t m_left{0};                         ///< Operations that have not ended.
    bool m_starting{false};                     ///< StartReady is running.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_GOAL_APPLICATION_H
