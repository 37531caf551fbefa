/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-rival-core.h"

#include <array>

namespace ns3
{
namespace pcode
{

std::ostream&
operator<<(std::ostream& os, RivalEvent event)
{
    static constexpr std::array<const char*, RIVAL_EVENTS> NAMES{
        "data-sent",       "data-repeated",   "data-replaced", "data-kept",       "data-duplicate",
        "data-unreadable", "message-packed",  "nack-sent",     "nack-spared",     "nack-held-off",
        "status-sent",     "status-attached", "token-taken",   "token-duplicate", "token-passed",
        "token-repeated",  "token-parked",    "token-wanted",  "post-stalled",    "post-refused",
    };
    return os << NAMES[static_cast<std::size_t>(event)];
}

} // namespace pcode
} // namespace ns3
