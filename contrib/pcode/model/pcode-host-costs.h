/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_HOST_COSTS_H
#define PCODE_HOST_COSTS_H

#include "ns3/data-rate.h"
#include "ns3/messaging-core.h"
#include "ns3/messaging-host-helper.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <optional>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * What a workstation of 1995 takes for messages, as far as benchmarks of that time tell.
 */

namespace ns3
{
namespace pcode
{

/** How an application reaches the transport layer (section 6.1). */
enum class IpcKind : uint8_t
{
    LINKED,    ///< Linked into one process with it.
    LOCAL_TCP, ///< A daemon, reached over a local TCP socket.
    LOCAL_RPC  ///< A daemon, reached by a remote procedure call over local TCP.
};

/**
 * @ingroup pcode
 * What a message costs the processor of a workstation, derived from round trips that were measured.
 *
 * In one direction of a round trip of a tiny message, somebody sends (a system call), two protocol
 * stacks work, and somebody else wakes up (a context switch) and reads (a system call):
 *
 * @verbatim
   over Ethernet   round trip / 2 = wire + 2 system calls + switch + 2 (stack, driver, interrupt)
   inside a host   round trip / 2 =        2 system calls + switch + 2 (stack)
   @endverbatim
 *
 * What stands in brackets follows, and sender and receiver are taken to share it equally. Copies
 * between user and kernel come on top. All of it is then multiplied by Scale.
 */
class HostCosts : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    HostCosts();
    ~HostCosts() override;

    /** @return a system call. */
    Time GetSystemCall() const;

    /** @return a change from one process to another, or from an idle processor to a process. */
    Time GetContextSwitch() const;

    /** @return the bandwidth of a copy. */
    DataRate GetCopyRate() const;

    /**
     * Get what stack, driver and interrupt take for a packet at either end.
     * @param tcp whether it is a segment of TCP and not a datagram of UDP
     * @return the time, system calls and copies not included; negative if the round trip leaves
     * none
     */
    Time GetPacketCost(bool tcp) const;

    /**
     * Get what the local transport takes for a message between two processes at either end.
     * @param ipc how they talk
     * @return the time, system calls and copies not included; negative if the round trip leaves
     * none
     */
    Time GetIpcCost(IpcKind ipc) const;

    /**
     * Get what the stack takes to hand a broadcast back to its sender.
     * @return the time, system calls and copies not included; negative if the round trip leaves
     * none; nothing if broadcasts do not come back
     */
    std::optional<Time> GetOwnCost() const;

    /**
     * Have hosts and devices cost this.
     * @param helper makes them, changed
     * @param tcp whether the devices carry TCP and not UDP
     */
    void Apply(messaging::HostHelper& helper, bool tcp) const;

    /**
     * Look whether the round trips leave something for the stacks.
     * @return an empty text, or one sentence that names what is wrong
     */
    std::string Check() const;

  private:
    Time m_systemCall;     ///< A system call.
    Time m_contextSwitch;  ///< A context switch.
    Time m_udpRoundTrip;   ///< Over UDP and Ethernet.
    Time m_tcpRoundTrip;   ///< Over TCP and Ethernet.
    Time m_localTcp;       ///< Round trip over TCP inside the host.
    Time m_localRpc;       ///< Round trip of a call over TCP inside the host.
    Time m_localUdp;       ///< Round trip over UDP inside the host.
    bool m_hearsOwn{};     ///< Whether broadcasts come back to their senders.
    DataRate m_copyRate{}; ///< Bandwidth of a copy.
    double m_scale{1};     ///< How much slower the modelled host is.
};

/**
 * Make the steps of a system call that moves bytes between user and kernel.
 * @param calls how many calls
 * @param bytes how many bytes
 * @param instructions further processor time
 * @return the steps that take any time
 */
std::vector<messaging::Work> MakeCallWork(uint32_t calls,
                                          uint64_t bytes,
                                          Time instructions = Time());

} // namespace pcode
} // namespace ns3

#endif // PCODE_HOST_COSTS_H
