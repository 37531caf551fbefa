/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_WORKSTATION_H
#define PCODE_WORKSTATION_H

#include "ns3/messaging-host.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/pcode-host-costs.h"
#include "ns3/random-variable-stream.h"

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

/** What an input of a process comes by. */
enum class Source : uint8_t
{
    BLOCKING, ///< A read that it blocks in; the others are waited for together, by select().
    NETWORK,  ///< Its socket to the network.
    LOCAL,    ///< Its socket to the other process.
    TIMERS    ///< Its timers, as the time-out of select().
};

/**
 * @ingroup pcode
 * The processes of a workstation with one CPU: each does one thing after the other and sleeps when
 * there is nothing to do.
 *
 * A process finishes what follows from an input before it takes the next one:
 * @verbatim
   do forever {
     select (sockets, time until the next timer); gettimeofday ();       two system calls a pass
     for each socket that has something: read one message, and do what follows from it;
     if a timer expired, and all that had come before that has been read: do what follows from it; }
   @endverbatim
 * A context switch is charged when a process wakes up, and when another process has had the CPU
 * since; so the host model's own ContextSwitch, which knows nothing of sleep, has to be zero.
 *
 * Timers expire at the ticks of the machine's clock, which come at their own time on each machine.
 * Other programs may take a share of the CPU (HostCosts::load), in bursts of random length.
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

    /** Called when a system call has begun, with what to call when it returns. */
    using Begin = std::function<void(Done)>;

    /**
     * Set the host.
     * @param host the host model; if it is aggregated to a Node, work is done in that one's context
     * @param costs the machine
     */
    void Connect(Ptr<messaging::HostModel> host, const HostCosts& costs);

    /**
     * Draw when the machine's clock ticks, and begin with the load.
     * @param stream number of the first random stream
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Find the first tick of the machine's clock from a time on.
     * @param from the time
     * @return the tick
     */
    Time GetTick(Time from) const;

    /**
     * Add work that follows from the last input of a process.
     * @param process the process
     * @param steps the work
     * @param done called at its end
     */
    void Continue(Process process, std::vector<messaging::Work> steps, Done done);

    /**
     * Add a system call that the process blocks in while the kernel works for it, and does not
     * sleep.
     * @param process the process
     * @param steps the work at its beginning
     * @param begin begins with the kernel's part
     * @param done called when the call has returned
     */
    void Call(Process process, std::vector<messaging::Work> steps, Begin begin, Done done);

    /**
     * Give a process an input, which wakes it if it sleeps.
     * @param process the process
     * @param steps work of reading it
     * @param done called when it is read
     * @param source what it comes by
     */
    void Wake(Process process,
              std::vector<messaging::Work> steps,
              Done done,
              Source source = Source::BLOCKING);

    /** @return the machine. */
    const HostCosts& GetCosts() const
    {
        return m_costs;
    }

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
        Begin begin{};                      ///< The kernel's part of a system call, if any.
        Source source{Source::BLOCKING};    ///< What it comes by, if it is an input.
    };

    /** A process. */
    struct State
    {
        std::deque<Task> work;   ///< Work that follows from its last input.
        std::deque<Task> inputs; ///< Further inputs.
        bool running{false};     ///< Its first task is running.
        Time idleSince{-1};      ///< When it ran out of tasks; later than that, it sleeps.
        uint32_t reported{0}; ///< Sources that select() has reported, not read since; a bit each.
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

    /**
     * Take the input of a process that is next, and add a select() if none has reported it.
     * @param state the process, which has inputs
     * @return the input
     */
    static Task TakeInput(State& state);

    /** Do a burst of the other programs' work, and plan the next one. */
    void RunLoad();

    Ptr<messaging::HostModel> m_host;           ///< Does the work.
    std::array<State, N_PROCESSES> m_processes; ///< The processes.
    std::size_t m_last{N_PROCESSES};            ///< Process that requested the CPU last.
    HostCosts m_costs;                          ///< The machine.
    Time m_phase;                               ///< First tick of its clock.
    Ptr<ExponentialRandomVariable> m_random;    ///< Draws bursts of load, and gaps.
    uint64_t m_contextSwitches{0};              ///< Context switches so far.
    uint32_t m_context{0};                      ///< The node's context.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_WORKSTATION_H
