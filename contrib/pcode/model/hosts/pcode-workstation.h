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

/** Placement of the transport layer of an application (section 6.1). */
enum class IpcKind : uint8_t
{
    AUTO,   ///< As in the authors' system.
    LINKED, ///< Linked into the application's process.
    DAEMON, ///< A separate process, behind a local TCP socket.
    RPC     ///< A separate process, at the cost of a remote procedure call over local TCP.
};

/**
 * @ingroup pcode
 * Costs of a workstation: CPU time of a message, derived from measured round trips, and load by
 * other programs.
 *
 * In one direction of a round trip of a tiny message, one process sends (a system call), two
 * protocol stacks work, and another process wakes up (a context switch) and reads (a system call):
 *
 * @verbatim
   over Ethernet   round trip / 2 = wire + 2 system calls + switch + 2 (stack, driver, interrupt)
   inside a host   round trip / 2 =        2 system calls + switch + 2 (stack)
   @endverbatim
 * A remote procedure call inside a host has the same terms; its "stack" is that of TCP and of the
 * library.
 *
 * The terms in brackets follow, half of them for sender and receiver each. Copies between user and
 * kernel are additional. All costs are multiplied by scale.
 */
struct HostCosts
{
    /** Slowness of the workstations relative to the measured ones: geometric middle of 1.3 to 2 for
     * an Indigo R4000. */
    double scale{1.6};
    /** A broadcast is delivered to its sender, too, as with BSD's stacks (Figure 3). */
    bool hearsOwn{true};
    /** Messages between processes cost as much as a remote procedure call, not as a socket. */
    bool rpc{false};
    /** CPU time of a network buffer, at each end of a message: mbuf or page, see GetBufferTime. */
    Time mbuf;
    /** Share of the CPU that other programs request (section 6.4: "the load was not high"). */
    double load{0};

    /** @return the cost of a system call. */
    Time GetSystemCall() const;

    /** @return the cost of a context switch between processes, or from an idle CPU. */
    Time GetContextSwitch() const;

    /** @return the bandwidth of a copy. */
    DataRate GetCopyRate() const;

    /**
     * Get the cost of stack, driver and interrupt for a packet at either end.
     * @param tcp whether it is a segment of TCP, not a datagram of UDP
     * @return the time, without system calls and copies
     */
    Time GetPacketCost(bool tcp) const;

    /**
     * Get the cost of a local TCP socket, or of a remote procedure call over one, for a message
     * between two processes at either end.
     * @return the time, without system calls and copies
     */
    Time GetIpcCost() const;

    /**
     * Get the cost of the network buffers of a message at one end. BSD puts up to 118 bytes into an
     * mbuf, and from 512 bytes on up to 1024 into a page, so the cost falls there.
     * @param bytes size of the message [bytes]
     * @return the time
     */
    Time GetBufferTime(uint64_t bytes) const;

    /**
     * Get the cost of the stack to deliver a broadcast to its sender.
     * @return the time, without system calls and copies
     */
    Time GetOwnCost() const;

    /**
     * Set the costs of hosts and devices.
     * @param helper the helper of hosts and devices, changed
     * @param tcp whether the devices carry TCP, not UDP
     */
    void Apply(messaging::HostHelper& helper, bool tcp) const;
};

/**
 * Make the steps of a system call that moves bytes between user and kernel.
 * @param calls number of calls
 * @param bytes number of bytes
 * @param instructions further CPU time
 * @return the steps that take time
 */
std::vector<messaging::Work> MakeCallWork(uint32_t calls,
                                          uint64_t bytes,
                                          Time instructions = Time());

/** Processes of a workstation (section 6.1). */
enum class Process : uint8_t
{
    APPLICATION, ///< The user-communication layer.
    DAEMON       ///< The transport layer, if it is a separate process.
};

/** Source of an input of a process. */
enum class Source : uint8_t
{
    BLOCKING, ///< A blocking read; select() waits for the other sources together.
    NETWORK,  ///< The network socket.
    LOCAL,    ///< The local socket to the other process.
    TIMERS    ///< The timers, as the timeout of select().
};

/**
 * @ingroup pcode
 * Processes of a workstation with one CPU. Each process executes one task at a time and sleeps when
 * there is none.
 *
 * A process completes the work that follows from an input before it takes the next one:
 * @verbatim
   do forever {
     select (sockets, time until the next timer); gettimeofday ();       two system calls a pass
     for each socket with data: read one message, and do the work that follows from it;
     if a timer expired, and all earlier input has been read: do the work that follows from it; }
   @endverbatim
 * A context switch is charged when a process wakes up, and when another process has used the CPU
 * since. So the ContextSwitch of the host model, which does not model sleep, must be zero.
 *
 * Timers expire at the ticks of the machine's clock, whose phase differs between machines. Other
 * programs may use a share of the CPU (HostCosts::load), in bursts of random length.
 */
class Workstation : public Object
{
  public:
    /** @return the object TypeId. */
    static TypeId GetTypeId();

    /** Callback for the end of work. */
    using Done = std::function<void()>;

    /** Callback for the start of a system call; its argument ends the call. */
    using Begin = std::function<void(Done)>;

    /**
     * Constructor.
     * @param host the host model; if it is aggregated to a Node, work is executed in the Node's
     * context
     * @param costs costs of the machine
     */
    Workstation(Ptr<messaging::HostModel> host, const HostCosts& costs);

    /**
     * Draw the phase of the machine's clock, and start the load.
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
     * Add a system call that blocks the process, without sleep, while the kernel works for it.
     * @param process the process
     * @param steps the work at its start
     * @param begin starts the kernel's part
     * @param done called when the call returns
     */
    void Call(Process process, std::vector<messaging::Work> steps, Begin begin, Done done);

    /**
     * Add an input of a process, and wake the process if it sleeps.
     * @param process the process
     * @param steps the work to read it
     * @param done called when the process has read it
     * @param source its source
     */
    void Wake(Process process,
              std::vector<messaging::Work> steps,
              Done done,
              Source source = Source::BLOCKING);

    /**
     * Make the steps of a system call that moves a message between a process and the network's
     * buffers, in addition to MakeCallWork with their cost.
     * @param bytes its size
     * @param instructions further CPU time
     * @return the steps that take time
     */
    std::vector<messaging::Work> MakeMessageWork(uint64_t bytes, Time instructions = Time()) const
    {
        return MakeCallWork(1, bytes, instructions + m_costs.GetBufferTime(bytes));
    }

    /** @return the costs of the machine. */
    const HostCosts& GetCosts() const
    {
        return m_costs;
    }

    /** @return HostCosts::GetIpcCost, computed once: a Time times a real takes long. */
    Time GetIpcCost() const
    {
        return m_ipcCost;
    }

    /** @return HostCosts::GetOwnCost, computed once. */
    Time GetOwnCost() const
    {
        return m_ownCost;
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
    /** A task of a process. */
    struct Task
    {
        std::vector<messaging::Work> steps; ///< The work.
        Done done;                          ///< Called at the end.
        Begin begin{};                      ///< The kernel's part of a system call, if any.
        Source source{Source::BLOCKING};    ///< Source, if it is an input.
    };

    /** A process. */
    struct State
    {
        std::deque<Task> work;   ///< Work that follows from its last input.
        std::deque<Task> inputs; ///< Further inputs.
        bool running{false};     ///< A task is running.
        Time idleSince{-1};      ///< End of the last task; after it, the process sleeps.
        uint32_t reported{0};    ///< Bitmap of reported sources not yet read.
    };

    static constexpr std::size_t N_PROCESSES = 2; ///< Number of processes.

    /**
     * Start a process, now or in an event in its node's context: with timers shared between nodes,
     * callers run in any context.
     * @param process the process
     */
    void Start(std::size_t process);

    /**
     * Start the next task of a process.
     * @param process the process
     */
    void Run(std::size_t process);

    /** @return its bit in State::reported. @param source a source of inputs */
    static uint32_t GetBit(Source source);

    /**
     * Check whether select() reports an input: a timer waits for all inputs that arrived before it
     * expired.
     * @param state the process
     * @param task one of its inputs
     * @return true if so
     */
    static bool IsReady(const State& state, const Task& task);

    /**
     * Take the next input of a process, and add a select() if none has reported it.
     * @param state the process, which has inputs
     * @return the input
     */
    static Task TakeInput(State& state);

    /** Execute a burst of the other programs, and schedule the next one. */
    void RunLoad();

    Ptr<messaging::HostModel> m_host;           ///< Executes the work.
    std::array<State, N_PROCESSES> m_processes; ///< The processes.
    std::size_t m_last{N_PROCESSES};            ///< Last process that requested the CPU.
    HostCosts m_costs;                          ///< Costs of the machine.
    Time m_contextSwitch;                       ///< Cost of a context switch.
    Time m_ipcCost;                             ///< HostCosts::GetIpcCost.
    Time m_ownCost;                             ///< HostCosts::GetOwnCost.
    Time m_phase;                               ///< First tick of the machine's clock.
    Ptr<ExponentialRandomVariable> m_random;    ///< Bursts of load, and gaps.
    uint64_t m_contextSwitches{0};              ///< Number of context switches.
    uint32_t m_context;                         ///< The node's context.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_WORKSTATION_H
