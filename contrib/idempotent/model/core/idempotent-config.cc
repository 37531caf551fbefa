/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-config.h"

#include "ns3/abort.h"
#include "ns3/messaging-text-file.h"

#include <array>
#include <limits>

namespace ns3
{
namespace idempotent
{

namespace
{

/**
 * Parse a retention.
 * @param text "auto" or a number of cycles
 * @param cycles set to the number, if it is one
 * @return whether the text is valid
 */
bool
ReadRetention(const std::string& text, messaging::Ticks& cycles)
{
    constexpr auto MOST = std::numeric_limits<messaging::Ticks>::max();
    return text == "auto" || messaging::ReadNumber(text, 0, MOST, cycles);
}

} // namespace

std::string
IdempotentSettings::Check() const
{
    messaging::Ticks cycles = 0;
    if (!ReadRetention(retention, cycles))
    {
        return "Retention is \"" + retention + "\"; it has to be auto or a whole number of cycles.";
    }
    if (config.variant == Variant::SHORT_IDS && config.idBits > 16)
    {
        return "IdBits is " + std::to_string(config.idBits) +
               " with short IDs; short IDs have 1 to 16 bits.";
    }
    return backoff.Check();
}

std::string
IdempotentSettings::Check(const messaging::PortInfo& info, uint32_t peers) const
{
    if (peers > (1U << NODE_BITS))
    {
        return "An ACK can name up to " + std::to_string(1U << NODE_BITS) + " nodes; there are " +
               std::to_string(peers) + ".";
    }
    if (retention == "auto" && !info.ordered && info.maxSlip == messaging::NEVER)
    {
        return "Retention is auto, but the network reorders without a bound; give a number of "
               "cycles.";
    }
    return Check();
}

IdempotentConfig
IdempotentSettings::Complete(const messaging::PortInfo& info,
                             uint32_t peers,
                             messaging::Ticks cycle) const
{
    const std::string wrong = Check(info, peers);
    NS_ABORT_MSG_IF(!wrong.empty(), wrong);
    IdempotentConfig complete = config;
    complete.backoff = backoff.MakeTable(cycle);
    complete.strategy = backoff.kind;
    if (config.receiveTable == 0)
    {
        complete.receiveTable = 2 * config.sendTable;
    }
    complete.retention = 0;
    if (!info.ordered)
    {
        complete.retention = info.maxSlip;
    }
    if (retention != "auto")
    {
        ReadRetention(retention, complete.retention);
        complete.retention *= cycle;
    }
    complete.nodes = peers;
    complete.mtu = info.mtu;
    return complete;
}

std::ostream&
operator<<(std::ostream& os, PacketKind kind)
{
    static constexpr std::array NAMES{"MSG", "ACK", "CONF"};
    const auto index = static_cast<std::size_t>(kind) - 1;
    return os << (index < NAMES.size() ? NAMES[index] : "unknown packet");
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
