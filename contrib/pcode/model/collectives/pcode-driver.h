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
 * Driver of a global program over a group.
 */

namespace ns3
{
namespace pcode
{

/**
 * @ingroup pcode
 * User-communication layers of all nodes. The driver issues the calls of a global program to a
 * group whose protocol accepts calls, and checks every delivery against the program.
 *
 * Each call has its own event, so that it is never issued from within a callback of the group.
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
     * @param ended the callback, called in its own event
     */
    void SetEnded(std::function<void()> ended)
    {
        m_ended = std::move(ended);
    }

    /** Issue the first call of each node. */
    void Start();

    /** @return true if all calls of all nodes have returned. */
    bool IsFinished() const
    {
        return m_running == 0;
    }

    /**
     * Get the end of a node's program.
     * @param p the node
     * @return the time at which its last call returned; negative if not reached
     */
    Time GetEnd(messaging::Peer p) const
    {
        return m_ends[p];
    }

    /**
     * Get the progress of a node.
     * @param p the node
     * @return its runner
     */
    const ProgramRunner& GetRunner(messaging::Peer p) const
    {
        return m_runners[p];
    }

    /** @return the first violation, in one sentence; empty if there is none. */
    const std::string& GetViolation() const
    {
        return m_violation;
    }

  private:
    void OnDeliver(messaging::Peer self, const messaging::Delivery& delivery) override;
    void OnComplete(messaging::Peer self,
                    messaging::RequestId id,
                    messaging::Completion completion) override;

    /** Unused: with one open call per node, none is stalled. */
    void OnReady(messaging::Peer) override
    {
    }

    /**
     * Issue a node's next call.
     * @param p the node
     */
    void Issue(messaging::Peer p);

    /**
     * Schedule the next call of a node, or record its end.
     * @param p the node
     */
    void Continue(messaging::Peer p);

    /**
     * Record a violation.
     * @param sentence its description; empty for none
     */
    void Report(const std::string& sentence);

    Ptr<messaging::MessageGroup> m_group; ///< The group.
    const GlobalProgram* m_program;       ///< The program.
    std::vector<ProgramRunner> m_runners; ///< Progress of each node.
    std::vector<Time> m_ends;             ///< End of each node's program.
    std::function<void()> m_ended;        ///< Called when all nodes have ended.
    std::string m_violation;              ///< The first violation.
    uint32_t m_running{0};                ///< Number of nodes that have not ended.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_DRIVER_H
