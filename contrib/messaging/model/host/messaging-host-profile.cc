/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-host-profile.h"

#include <array>

namespace ns3
{
namespace messaging
{

namespace
{

/** A host: its name and its costs. */
struct Row
{
    const char* name;    ///< Name.
    HostProfile profile; ///< Costs.
};

/** Number of values of HostKind. */
constexpr std::size_t N_HOSTS = static_cast<std::size_t>(HostKind::SERVER_2025) + 1;

/** @return the hosts in the order of HostKind. */
const std::array<Row, N_HOSTS>&
GetRows()
{
    static const std::array<Row, N_HOSTS> ROWS{{
        {"free", {}},
        // lmbench's tables of 1996, the middle one of three SunOS 5.4 sun4m machines: null system
        // call 9 us, switch between two processes 54 us, round trip over local UDP 590 us (so a
        // pass through the stack is (590 / 2 - 2 * 9 - 54) / 2 us), libc's bcopy 23 MB/s, memory
        // read 59 MB/s. Driver and interrupt, 30 us each: a third of the difference between remote
        // and local UDP of IRIX IP22, (602 - 134 - 287) / 2 us one way. Direct: estimate, stack
        // and driver without the kernel, a quarter of send and receive.
        {"sparc10-1995",
         {.send = NanoSeconds(141500),
          .receive = NanoSeconds(141500),
          .interrupt = MicroSeconds(30),
          .systemCall = MicroSeconds(9),
          .contextSwitch = MicroSeconds(54),
          .directSend = MicroSeconds(35),
          .directReceive = MicroSeconds(35),
          .copyRate = DataRate("184Mbps"),
          .checksumRate = DataRate("472Mbps")}},
        // Send and receive: calibrated against the one-way latency of TCP in paper 5, 65 us.
        // Interrupt: 3 to 8 us are usual. System call and wake-up: as the model of paper 5. Copy:
        // 130 to 180 MB/s are usual. Direct: half of the fixed cost that was calibrated against
        // the latency of the HAL of paper 2 (Table 3). Linux sums while it copies.
        {"pentium2-1999",
         {.send = NanoSeconds(19200),
          .receive = NanoSeconds(23320),
          .interrupt = NanoSeconds(5500),
          .systemCall = MicroSeconds(1),
          .contextSwitch = MicroSeconds(4),
          .directSend = NanoSeconds(3200),
          .directReceive = NanoSeconds(3200),
          .copyRate = DataRate("1240Mbps"),
          .checksumRate = DataRate(0)}},
        // Direct: call, header and work request; completion, header and match, as the model of
        // paper 4, calibrated against MPI's latency of 4.1 us and 0.8 to 1.5 M messages/s. Copy: as
        // there, 1500 MB/s. The kernel's path is an estimate between 1999 and 2025; the adapter
        // computes checksums.
        {"xeon-2008",
         {.send = NanoSeconds(2000),
          .receive = NanoSeconds(2500),
          .interrupt = NanoSeconds(2000),
          .systemCall = NanoSeconds(300),
          .contextSwitch = NanoSeconds(3000),
          .directSend = NanoSeconds(300),
          .directReceive = NanoSeconds(330),
          .copyRate = DataRate("12Gbps"),
          .checksumRate = DataRate(0)}},
        // Estimates. The kernel's path has the order of the breakdown by Peter et al. (Arrakis,
        // OSDI 2014): about 1 us for each direction of the stack, 2 us to wake a process, 0.1 us to
        // enter the kernel. Copy: 10 GB/s by a core. The adapter computes checksums.
        {"server-2025",
         {.send = NanoSeconds(1000),
          .receive = NanoSeconds(1200),
          .interrupt = NanoSeconds(1000),
          .systemCall = NanoSeconds(150),
          .contextSwitch = NanoSeconds(2000),
          .directSend = NanoSeconds(100),
          .directReceive = NanoSeconds(100),
          .copyRate = DataRate("80Gbps"),
          .checksumRate = DataRate(0)}},
    }};
    return ROWS;
}

/** @param kind a host @return its row */
const Row&
GetRow(HostKind kind)
{
    return GetRows().at(static_cast<std::size_t>(kind));
}

} // namespace

const HostProfile&
GetHostProfile(HostKind kind)
{
    return GetRow(kind).profile;
}

std::string
GetHostName(HostKind kind)
{
    return GetRow(kind).name;
}

FrameCosts
GetFrameCosts(const HostProfile& profile, bool direct)
{
    if (direct)
    {
        return FrameCosts{.send = profile.directSend, .receive = profile.directReceive};
    }
    return FrameCosts{.send = profile.send,
                      .receive = profile.receive,
                      .systemCalls = 1,
                      .interrupts = 1};
}

} // namespace messaging
} // namespace ns3
