/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_WORKSTATION_H
#define PCODE_WORKSTATION_H

#include "ns3/data-rate.h"
#include "ns3/messaging-host-helper.h"
#include "ns3/messaging-host.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * A workstation of 1995: its costs, from benchmarks of that time, and its processes.
 */

namespace ns3
{
namespace pcode
{

/** Where the transport layer of an application is (section 6.1). */
enum class IpcKind : uint8_t
{
    AUTO,   ///< As the system's authors did.
    LINKED, ///< Linked into one process with it.
    DAEMON  ///< A process of its own, reached over a local TCP socket.
};

/**
 * @ingroup pcode
 * A workstation: costs of a message on its CPU, derived from measured round trips, and what else
 * takes that.
 *
 * In one direction of a round trip of a tiny message, one process sends (a system call), two
 * protocol stacks work, and another wakes up (a context switch) and reads (a system call):
 *
 * @verbatim
   over Ethernet   round trip / 2 = wire + 2 system calls + switch + 2 (stack, driver, interrupt)
   inside a host   round trip / 2 =        2 system calls + switch + 2 (stack)
   @endverbatim
 *
 * The terms in brackets follow, and sender and receiver are taken to share it equally. Copies
 * between user and kernel come on top. All of it is then multiplied by scale.
 */
struct HostCosts
{
    /** Slowness of the workstations relative to the measured ones: geometric middle of the 1.3 to 2
     * of an Indigo R4000. */
    double scale{1.6};
    /** Whether a broadcast comes back to its sender, as with BSD's stacks (Figure 3). */
    bool hearsOwn{true};
    /** Share of the CPU that other programs request (section 6.4: "the load was not high"). */
    double load{0};

    /** @return a system call. */
    Time GetSystemCall() const;

    /** @return a change from one process to another, or from an idle CPU to a process. */
    Time GetContextSwitch() const;

    /** @return the bandwidth of a copy. */
    DataRate GetCopyRate() const;

    /**
     * Get the cost of stack, driver and interrupt for a packet at either end.
     * @param tcp whether it is a segment of TCP and not a datagram of UDP
     * @return the time, system calls and copies not included
     */
    Time GetPacketCost(bool tcp) const;

    /**
     * Get the cost of a local TCP socket for a message between two processes at either end.
     * @return the time, system calls and copies not included
     */
    Time GetIpcCost() const;

    /**
     * Get the cost of the stack to hand a broadcast back to its sender.
     * @return the time, system calls and copies not included; nothing if broadcasts do not come
     * back
     */
    std::optional<Time> GetOwnCost() const;

    /**
     * Set the costs of hosts and devices.
     * @param helper makes them, changed
     * @param tcp whether the devices carry TCP and not UDP
     */
    void Apply(messaging::HostHelper& helper, bool tcp) const;
};

/**
 * Make the steps of a system call that moves bytes between user and kernel.
 * @param calls number of calls
 * @param bytes number of bytes
 * @param instructions further CPU time
 * @return the steps that take any time
 */
std::vector<messaging::Work> MakeCallWork(uint32_t calls,
                                          uint64_t bytes,
                                          Time instructions = Time());

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
    /** Called when work is done. */
    using Done = std::function<void()>;

    /** Called when a system call has begun, with what to call when it returns. */
    using Begin = std::function<void(Done)>;

    /**
     * Constructor.
     * @param host the host model; if it is aggregated to a Node, work is done in that one's context
     * @param costs the machine
     */
    Workstation(Ptr<messaging::HostModel> host, const HostCosts& costs);

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
    uint32_t m_context;                         ///< The node's context.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_WORKSTATION_H
