/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-host-costs.h"

namespace ns3
{
namespace pcode
{

using messaging::Work;
using messaging::WorkKind;

namespace
{

// lmbench on IRIX, IP22.
/** A system call: 10 to 11 us. */
const Time SYSTEM_CALL = NanoSeconds(10500);
/** A change of the CPU to another process, or its return from idling: 38 to 40 us. */
const Time CONTEXT_SWITCH = MicroSeconds(39);
/** Bandwidth of a copy between user and kernel: bcopy, 32 MB/s [bit/s]. */
constexpr double COPY_RATE = 256e6;
/** Round trip of a tiny message over UDP and 10 Mbit/s Ethernet. */
const Time UDP_ROUND_TRIP = MicroSeconds(602);
/** The same over TCP. */
const Time TCP_ROUND_TRIP = MicroSeconds(543);
/** Round trip of a tiny message over TCP between two processes of a host. */
const Time LOCAL_TCP_ROUND_TRIP = MicroSeconds(278);
/** The same over UDP: 261 to 313 us. */
const Time LOCAL_UDP_ROUND_TRIP = MicroSeconds(287);

/** Wire time of the tiny packet of a round trip: a frame of 64 bytes, with preamble and gap. */
const Time TINY_PACKET = NanoSeconds(67200);

/** @param roundTrip of a tiny message, without its time on the wire @return the share of the stack
 * at one end of a message */
Time
GetStackCost(Time roundTrip)
{
    return (roundTrip / 2 - 2 * SYSTEM_CALL - CONTEXT_SWITCH) / 2;
}

} // namespace

Time
HostCosts::GetSystemCall() const
{
    return SYSTEM_CALL * scale;
}

Time
HostCosts::GetContextSwitch() const
{
    return CONTEXT_SWITCH * scale;
}

DataRate
HostCosts::GetCopyRate() const
{
    // A rate of zero stands for copies that cost nothing.
    return DataRate(scale > 0 ? static_cast<uint64_t>(COPY_RATE / scale) : 0);
}

Time
HostCosts::GetPacketCost(bool tcp) const
{
    const Time roundTrip = tcp ? TCP_ROUND_TRIP : UDP_ROUND_TRIP;
    return GetStackCost(roundTrip - 2 * TINY_PACKET) * scale;
}

Time
HostCosts::GetIpcCost() const
{
    return GetStackCost(LOCAL_TCP_ROUND_TRIP) * scale;
}

std::optional<Time>
HostCosts::GetOwnCost() const
{
    return hearsOwn ? std::optional(GetStackCost(LOCAL_UDP_ROUND_TRIP) * scale) : std::nullopt;
}

void
HostCosts::Apply(messaging::HostHelper& helper, bool tcp) const
{
    // Context switches are charged by the Workstation, which knows when a process sleeps.
    helper.SetHostAttribute("SystemCall", TimeValue(GetSystemCall()));
    helper.SetHostAttribute("CopyRate", DataRateValue(GetCopyRate()));
    helper.SetHostAttribute("Interrupt", TimeValue(GetPacketCost(tcp)));
    helper.SetDeviceAttribute("SendInstructions", TimeValue(GetPacketCost(tcp)));
    helper.SetDeviceAttribute("ReceiveInterrupts", UintegerValue(1));
}

std::vector<Work>
MakeCallWork(uint32_t calls, uint64_t bytes, Time instructions)
{
    std::vector<Work> steps;
    steps.reserve(4);
    if (calls > 0)
    {
        steps.push_back(Work{0, calls, WorkKind::SYSTEM_CALL});
    }
    if (instructions.IsStrictlyPositive())
    {
        steps.push_back(
            Work{0, static_cast<uint64_t>(instructions.GetNanoSeconds()), WorkKind::INSTRUCTIONS});
    }
    if (bytes > 0)
    {
        steps.push_back(Work{0, bytes, WorkKind::COPY});
    }
    return steps;
}

} // namespace pcode
} // namespace ns3
