/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-graph-core.h"

#include <array>

namespace ns3
{
namespace pcode
{

std::ostream&
operator<<(std::ostream& os, GraphEvent event)
{
    constexpr std::array NAMES{"message-sent",
                               "message-repeated",
                               "message-replaced",
                               "message-kept",
                               "message-duplicate",
                               "message-unreadable",
                               "nack-sent",
                               "nack-spared",
                               "nack-held-off",
                               "status-sent",
                               "post-stalled",
                               "post-refused"};
    return os << NAMES[static_cast<std::size_t>(event)];
}

} // namespace pcode
} // namespace ns3
