/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-config.h"

#include <array>

namespace ns3
{
namespace idempotent
{

std::ostream&
operator<<(std::ostream& os, PacketKind kind)
{
    switch (kind)
    {
    case PacketKind::MSG:
        return os << "MSG";
    case PacketKind::ACK:
        return os << "ACK";
    case PacketKind::CONF:
        return os << "CONF";
    }
    return os << "unknown packet";
}

std::ostream&
operator<<(std::ostream& os, Variant variant)
{
    switch (variant)
    {
    case Variant::SOUND:
        return os << "sound";
    case Variant::SHORT_IDS:
        return os << "short-ids";
    case Variant::SECONDARY_IDS:
        return os << "secondary-ids";
    case Variant::NO_RETENTION:
        return os << "no-retention";
    }
    return os << "unknown variant";
}

std::ostream&
operator<<(std::ostream& os, Event event)
{
    static constexpr std::array<const char*, EVENTS> NAMES{
        "msg-first",      "msg-repeated", "ack-first",      "ack-repeated", "conf-sent",
        "msg-busy",       "ack-busy",     "conf-busy",      "msg-accepted", "msg-duplicate",
        "msg-table-full", "ack-taken",    "ack-forgotten",  "conf-taken",   "conf-forgotten",
        "record-expired", "post-stalled", "reply-attached", "illegal",
    };
    const auto index = static_cast<std::size_t>(event);
    return os << (index < NAMES.size() ? NAMES[index] : "unknown event");
}

} // namespace idempotent
} // namespace ns3
