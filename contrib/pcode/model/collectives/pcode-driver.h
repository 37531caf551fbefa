/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_DRIVER_H
#define PCODE_DRIVER_H

#include "ns3/messaging-group.h"
#include "ns3/nstime.h"
#include "ns3/pcode-runner.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Runs a global program over a group.
 */

namespace ns3
{
namespace pcode
{

/**
 * @ingroup pcode
 * The user-communication layers of all nodes: issues the calls of a global program to any
 * group whose protocol takes calls, and checks every delivery against the program.
 *
 * A call is issued in an event of its own, never from inside a callback of the group.
 */
class ProgramDriver : private messaging::GroupUser
{
  public:
    /**
     * Constructor.
     * @param group the group; this becomes its user
     * @param program the program, which must outlive the driver
     */
    ProgramDriver(Ptr<messaging::MessageGroup> group, const GlobalProgram& program);

    ~ProgramDriver() override;

    ProgramDriver(const ProgramDriver&) = delete;
    ProgramDriver& operator=(const ProgramDriver&) = delete;

    /**
     * Set the callback for the end of all nodes.
     * @param ended called then, in an event of its own
     */
    void SetEnded(std::function<void()> ended)
    {
        m_ended = std::move(ended);
    }

    /** Let all nodes issue their first call. */
    void Start();

    /** @return true if all calls of all nodes have returned. */
    bool IsFinished() const
    {
        return m_running == 0;
    }

    /**
     * Get when a node has ended.
     * @param p the node
     * @return when its last call returned; negative if it has not
     */
    Time GetEnd(messaging::Peer p) const
    {
        return m_ends[p];
    }

    /**
     * Get a node's place in the program.
     * @param p the node
     * @return its runner
     */
    const ProgramRunner& GetRunner(messaging::Peer p) const
    {
        return m_runners[p];
    }

    /** @return the first thing that went wrong, in one sentence; empty if nothing did. */
    const std::string& GetViolation() const
    {
        return m_violation;
    }

  private:
    void OnDeliver(messaging::Peer self, const messaging::Delivery& delivery) override;
    void OnComplete(messaging::Peer self,
                    messaging::RequestId id,
                    messaging::Completion completion) override;

    /** A node has one call open, and no call is stalled. */
    void OnReady(messaging::Peer) override
    {
    }

    /**
     * Issue a node's next call.
     * @param p the node
     */
    void Issue(messaging::Peer p);

    /**
     * See to it that a node goes on, or has ended.
     * @param p the node
     */
    void Continue(messaging::Peer p);

    /**
     * Keep a violation.
     * @param sentence names it; empty for none
     */
    void Report(const std::string& sentence);

    Ptr<messaging::MessageGroup> m_group; ///< The group.
    const GlobalProgram* m_program;       ///< The program.
    std::vector<ProgramRunner> m_runners; ///< One a node.
    std::vector<Time> m_ends;             ///< When each node has ended.
    std::function<void()> m_ended;        ///< Called when all nodes have ended.
    std::string m_violation;              ///< The first violation.
    uint32_t m_running{0};                ///< Nodes that have not ended.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_DRIVER_H
