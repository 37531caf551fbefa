/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-window-core.h"

#include <array>

namespace ns3
{
namespace pcode
{

std::ostream&
operator<<(std::ostream& os, WindowEvent event)
{
    constexpr std::array NAMES{"datagram-sent",
                               "datagram-repeated",
                               "datagram-kept",
                               "datagram-duplicate",
                               "datagram-unreadable",
                               "message-packed",
                               "nack-sent",
                               "status-sent",
                               "status-attached",
                               "post-stalled",
                               "post-refused"};
    return os << NAMES[static_cast<std::size_t>(event)];
}

} // namespace pcode
} // namespace ns3
