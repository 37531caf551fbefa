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
 * A process finishes what follows from an input before it looks at the next one. A context switch
 * is charged when a process wakes up, and when another process has had the CPU since; so the host
 * model's own ContextSwitch, which knows nothing of sleep, has to be zero.
 */
class Workstation : public Object
{
  public:
    /** Called when work is done. */
    using Done = std::function<void()>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Workstation();
    ~Workstation() override;

    /**
     * Set what does the work.
     * @param host the host model; if it is aggregated to a Node, work is done in that one's context
     * @param contextSwitch what a context switch takes
     */
    void Connect(Ptr<messaging::HostModel> host, Time contextSwitch);

    /**
     * Let a process go on with what follows from its last input.
     * @param process the process
     * @param steps the work
     * @param done called at its end
     */
    void Continue(Process process, std::vector<messaging::Work> steps, Done done);

    /**
     * Give a process an input, which wakes it if it sleeps.
     * @param process the process
     * @param steps what reading it takes
     * @param done called when it is read
     */
    void Wake(Process process, std::vector<messaging::Work> steps, Done done);

    /** @return the host model. */
    Ptr<messaging::HostModel> GetHost() const;

    /** @return the number of context switches. */
    uint64_t GetNContextSwitches() const;

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
        std::deque<Task> work;   ///< What follows from its last input.
        std::deque<Task> inputs; ///< Further inputs.
        bool running{false};     ///< Its first task is under way.
        Time idleSince{-1};      ///< When it ran out of tasks; later than that, it sleeps.
    };

    static constexpr std::size_t N_PROCESSES = 2; ///< Processes.

    /**
     * Have a process begin, now or in the event that its node's context asks for: what shares
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
    std::size_t m_last{N_PROCESSES};            ///< Which has asked for the CPU last.
    Time m_contextSwitch;                       ///< What a context switch takes.
    uint64_t m_contextSwitches{0};              ///< How many there were.
    uint32_t m_context{0};                      ///< The node's context.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_WORKSTATION_H
