/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_HOST_PROFILE_H
#define MESSAGING_HOST_PROFILE_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup messaging
 * Costs of named hosts.
 */

namespace ns3
{
namespace messaging
{

/** Hosts whose costs are known. */
enum class HostKind : uint8_t
{
    FREE,          ///< Work takes no time.
    SPARC10_1995,  ///< SPARCstation 10 with Solaris 2.4.
    PENTIUM2_1999, ///< Pentium II with Linux 2.2.
    XEON_2008,     ///< Xeon 5345 (Clovertown) with Linux 2.6.
    SERVER_2025    ///< Server of today with Linux 6.
};

/**
 * @ingroup messaging
 * Processor time of the steps by which a host sends and receives.
 *
 * A frame takes one of two paths. The kernel's: a system call, stack, driver and a copy to send it;
 * an interrupt, driver, stack, a system call and a copy to receive it, and a context switch if the
 * receiving process sleeps. The direct one, through an adapter that is mapped into the process: no
 * kernel, and the process polls.
 */
struct HostProfile
{
    Time send{};             ///< Stack and driver, for a frame sent by the kernel.
    Time receive{};          ///< Driver and stack, for a frame received by the kernel.
    Time interrupt{};        ///< Interrupt.
    Time systemCall{};       ///< Entering and leaving the kernel.
    Time contextSwitch{};    ///< Change to another process, also from idle.
    Time directSend{};       ///< Posting a frame to a mapped adapter.
    Time directReceive{};    ///< Polling and taking a frame from a mapped adapter.
    DataRate copyRate{};     ///< Copy in memory; 0 costs nothing.
    DataRate checksumRate{}; ///< Checksum of IP packets; 0 if the adapter or the copy computes it.
};

/** Processor time of a frame at a host, and how it is split. */
struct FrameCosts
{
    Time send{};             ///< Processor time to send a frame.
    Time receive{};          ///< Processor time to receive one.
    uint32_t systemCalls{0}; ///< System calls at either end.
    uint32_t interrupts{0};  ///< Interrupts at the receiver.
};

/**
 * Get the costs of a host.
 * @param kind the host
 * @return its costs
 */
const HostProfile& GetHostProfile(HostKind kind);

/**
 * Get the costs of a frame.
 * @param profile the host
 * @param direct whether frames take the direct path
 * @return the costs
 */
FrameCosts GetFrameCosts(const HostProfile& profile, bool direct);

/**
 * Get the name of a host.
 * @param kind the host
 * @return the name in lower case, with its year
 */
std::string GetHostName(HostKind kind);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_HOST_PROFILE_H
