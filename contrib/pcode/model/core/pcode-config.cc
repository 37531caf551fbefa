/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-config.h"

#include <array>
#include <sstream>

namespace ns3
{
namespace pcode
{

std::string
PcodeConfig::Check() const
{
    if (!globalCounter && (flowControl || globalGapNack || periodicStatus))
    {
        return "Flow control, NACKs of gaps in GlobalCounters and periodic STATUS need the "
               "GlobalCounter.";
    }
    if (periodicStatus && flowControl && flowWindow < statusWindow)
    {
        return "FLOW_WINDOW is smaller than STATUS_WINDOW: a node that does not send would stop "
               "all others between two STATUS messages.";
    }
    return "";
}

std::string
CheckNetwork(const messaging::PortInfo& info, uint32_t peers, uint32_t header)
{
    // The names of nodes in bitmaps and in the flags of frames.
    constexpr uint32_t MAX_PEERS = 64;
    std::ostringstream wrong;
    if (!info.broadcast)
    {
        wrong << "The protocols of paper 3 need a network that broadcasts.";
    }
    else if (peers < 2)
    {
        wrong << "The protocols of paper 3 send to other nodes; they need at least 2.";
    }
    else if (peers > MAX_PEERS)
    {
        wrong << "The protocols of paper 3 run on " << MAX_PEERS << " nodes at most.";
    }
    else if (info.mtu < header)
    {
        wrong << "The headers of " << peers << " nodes need an MTU of " << header << " bytes.";
    }
    return wrong.str();
}

std::ostream&
operator<<(std::ostream& os, FrameKind kind)
{
    static constexpr std::array
        NAMES{"REGULAR", "NACK", "GLOBAL_NACK", "POLL", "STATUS", "DIRECT", "DIRECT_ACK"};
    const auto index = static_cast<std::size_t>(kind) - 1;
    return os << (index < NAMES.size() ? NAMES[index] : "unknown frame");
}

std::ostream&
operator<<(std::ostream& os, Event event)
{
    static constexpr std::array<const char*, EVENTS> NAMES{
        "regular-first",   "regular-resent",   "direct-first",
        "direct-resent",   "direct-ack",       "request-nack",
        "personal-nack",   "global-nack",      "poll",
        "status-answered", "status-periodic",  "status-spread",
        "accepted",        "passed-over",      "delivered",
        "drop-late",       "drop-early",       "drop-slot",
        "drop-early-full", "kept-early",       "taken-early",
        "nack-of-others",  "nack-ahead",       "nack-forgotten",
        "held-back",       "discarded",        "wait-buffer",
        "wait-flow",       "flow-overstepped", "counter-held",
        "port-busy",       "illegal",
    };
    const auto index = static_cast<std::size_t>(event);
    return os << (index < NAMES.size() ? NAMES[index] : "unknown event");
}

} // namespace pcode
} // namespace ns3
