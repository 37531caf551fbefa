/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-types.h"

#include <sstream>

namespace ns3
{
namespace ranks
{

namespace
{

/** Names of the kinds, in their order. */
constexpr std::array
    KIND_NAMES{"EAGER", "RTS", "CTS", "DATA", "FIN", "DONE", "NACK", "RDMA_DATA", "ACK", "CREDIT"};
static_assert(KIND_NAMES.size() == N_FRAME_KINDS);

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

std::string
Describe(const Frame& frame)
{
    const auto kind = static_cast<FrameKind>(frame.kind);
    std::ostringstream os;
    os << kind;
    if (kind < FrameKind::RDMA_DATA)
    {
        os << " " << (frame.id & 0xffff);
    }
    if (kind != FrameKind::RDMA_DATA)
    {
        os << " ack " << (frame.id >> 16 & 0xffff);
    }
    return os.str();
}

std::ostream&
operator<<(std::ostream& os, FrameKind kind)
{
    const auto index = static_cast<std::size_t>(kind);
    return os << (index < KIND_NAMES.size() ? KIND_NAMES[index] : "unknown");
}

std::ostream&
operator<<(std::ostream& os, Event event)
{
    const auto index = static_cast<std::size_t>(event);
    return os << (index < EVENT_NAMES.size() ? EVENT_NAMES[index] : "unknown");
}

} // namespace ranks
} // namespace ns3
