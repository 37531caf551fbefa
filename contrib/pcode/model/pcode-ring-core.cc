/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-ring-core.h"

#include <array>

namespace ns3
{
namespace pcode
{

std::ostream&
operator<<(std::ostream& os, RingEvent event)
{
    constexpr std::array NAMES{"message-sent",
                               "message-repeated",
                               "message-kept",
                               "message-duplicate",
                               "token-taken",
                               "token-duplicate",
                               "token-passed",
                               "token-repeated",
                               "token-parked",
                               "token-wanted",
                               "post-stalled",
                               "post-refused"};
    return os << NAMES[static_cast<std::size_t>(event)];
}

} // namespace pcode
} // namespace ns3
