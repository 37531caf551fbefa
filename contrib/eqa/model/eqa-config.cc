/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-config.h"

#include "eqa-point.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace ns3
{
namespace eqa
{

std::string
EqaConfig::Check() const
{
    std::ostringstream wrong;
    constexpr uint32_t ENTRIES = 3 * sizeof(StoredPacket);
    if (window < 2 || window % 2 != 0)
    {
        wrong << "A window of " << window << " packets was given; it must be even, and 2 at least.";
    }
    else if (uint64_t{GetBtp()} + ENTRIES > pushedBuffer)
    {
        const uint32_t room = pushedBuffer - std::min(pushedBuffer, ENTRIES);
        wrong << "BTP, " << GetBtp() << " bytes, is larger than a pushed buffer of " << pushedBuffer
              << " bytes can hold with its entries; at most " << room << " bytes are allowed.";
    }
    else if (!insideNode && maxPayload + sizeof(StoredPacket) > pushedBuffer)
    {
        wrong << "A pushed buffer of " << pushedBuffer << " bytes cannot hold a packet of "
              << maxPayload << " bytes; " << maxPayload + sizeof(StoredPacket)
              << " bytes at least are needed.";
    }
    return wrong.str();
}

std::ostream&
operator<<(std::ostream& os, PacketKind kind)
{
    constexpr std::array NAMES{"?", "DATA", "ACK", "ASK", "PROBE"};
    return os << NAMES.at(static_cast<std::size_t>(kind));
}

std::ostream&
operator<<(std::ostream& os, Event event)
{
    constexpr std::array<const char*, EVENTS> NAMES{
        "broadcast", "unicast",     "resent",      "ack-sent",        "push-ack-sent",
        "pull-sent", "ask-sent",    "probe-sent",  "direct",          "buffered",
        "drained",   "gap",         "duplicate",   "buffer-overflow", "ring-overflow",
        "suspended", "resumed",     "window-full", "timeout",         "returned",
        "stale",     "other-group", "lock-held",   "illegal"};
    return os << NAMES.at(static_cast<std::size_t>(event));
}

} // namespace eqa
} // namespace ns3
