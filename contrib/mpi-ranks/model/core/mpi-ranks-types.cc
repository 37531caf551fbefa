/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-types.h"

namespace ns3
{
namespace ranks
{

namespace
{

/** Names of the events, in their order. */
constexpr std::array EVENT_NAMES{"flow-ack",
                                 "reliability-ack",
                                 "retransmitted",
                                 "duplicate",
                                 "held",
                                 "overrun",
                                 "hole",
                                 "broken",
                                 "unwritten",
                                 "out-of-credits",
                                 "unexpected",
                                 "early-fin",
                                 "data-nack",
                                 "data-resent",
                                 "late-write",
                                 "late-control",
                                 "peer-lost"};
static_assert(EVENT_NAMES.size() == N_EVENTS);

} // namespace

std::ostream&
operator<<(std::ostream& os, FrameKind kind)
{
    constexpr std::array
        NAMES{"EAGER", "RTS", "CTS", "DATA", "FIN", "DONE", "NACK", "RDMA_DATA", "ACK", "CREDIT"};
    static_assert(NAMES.size() == N_FRAME_KINDS);
    return os << NAMES[static_cast<std::size_t>(kind)];
}

std::ostream&
operator<<(std::ostream& os, Event event)
{
    const auto index = static_cast<std::size_t>(event);
    return os << (index < EVENT_NAMES.size() ? EVENT_NAMES[index] : "unknown");
}

} // namespace ranks
} // namespace ns3
