/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_WORKSTATION_H
#define PCODE_WORKSTATION_H

#include "ns3/messaging-host.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <array>
#include <deque>
#include <functional>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * The processes of a workstation.
 */

namespace ns3
{
namespace pcode
{

/** The processes that matter (section 6.1). */
enum class Process : uint8_t
{
    APPLICATION, ///< The user-communication layer.
    DAEMON       ///< The transport layer, where it is a process of its own.
};

/**
 * @ingroup pcode
 * The processes of a workstation with one CPU: each does one thing after the other and sleeps when
 * there is nothing to do.
 *
 * A process finishes what follows from an input before it takes the next one. A context switch
 * is charged when a process wakes up, and when another process has had the CPU since; so the host
 * model's own ContextSwitch, which knows nothing of sleep, has to be zero.
 */
class Workstation : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the type ID
     */
    static TypeId GetTypeId();

    /** Called when work is done. */
    using Done = std::function<void()>;

    /**
     * Set the host.
     * @param host the host model; if it is aggregated to a Node, work is done in that one's context
     * @param contextSwitch cost of a context switch
     */
    void Connect(Ptr<messaging::HostModel> host, Time contextSwitch);

    /**
     * Add work that follows from the last input of a process.
     * @param process the process
     * @param steps the work
     * @param done called at its end
     */
    void Continue(Process process, std::vector<messaging::Work> steps, Done done);

    /**
     * Give a process an input, which wakes it if it sleeps.
     * @param process the process
     * @param steps work of reading it
     * @param done called when it is read
     */
    void Wake(Process process, std::vector<messaging::Work> steps, Done done);

    /** @return the host model. */
    Ptr<messaging::HostModel> GetHost() const
    {
        return m_host;
    }

    /** @return the number of context switches. */
    uint64_t GetNContextSwitches() const
    {
        return m_contextSwitches;
    }

  protected:
    void DoDispose() override;

  private:
    /** Something that a process does. */
    struct Task
    {
        std::vector<messaging::Work> steps; ///< The work.
        Done done;                          ///< Called at its end.
    };

    /** A process. */
    struct State
    {
        std::deque<Task> work;   ///< Work that follows from its last input.
        std::deque<Task> inputs; ///< Further inputs.
        bool running{false};     ///< Its first task is running.
        Time idleSince{-1};      ///< When it ran out of tasks; later than that, it sleeps.
    };

    static constexpr std::size_t N_PROCESSES = 2; ///< Processes.

    /**
     * Start a process, now or in an event of its node's context: code that shares
     * timers with other nodes calls in any context.
     * @param process the process
     */
    void Start(std::size_t process);

    /**
     * Begin with the next task of a process.
     * @param process the process
     */
    void Run(std::size_t process);

    Ptr<messaging::HostModel> m_host;           ///< Does the work.
    std::array<State, N_PROCESSES> m_processes; ///< The processes.
    std::size_t m_last{N_PROCESSES};            ///< Process that requested the CPU last.
    Time m_contextSwitch;                       ///< Cost of a context switch.
    uint64_t m_contextSwitches{0};              ///< Context switches so far.
    uint32_t m_context{0};                      ///< The node's context.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_WORKSTATION_H
