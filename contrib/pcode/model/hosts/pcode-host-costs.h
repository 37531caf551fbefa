/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_HOST_COSTS_H
#define PCODE_HOST_COSTS_H

#include "ns3/data-rate.h"
#include "ns3/messaging-core.h"
#include "ns3/messaging-host-helper.h"
#include "ns3/nstime.h"

#include <optional>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Costs of messages on a workstation of 1995, from benchmarks of that time.
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

} // namespace pcode
} // namespace ns3

#endif // PCODE_HOST_COSTS_H
