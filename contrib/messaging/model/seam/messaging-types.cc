/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-types.h"

#include <array>

namespace ns3
{
namespace messaging
{

std::ostream&
operator<<(std::ostream& os, Acceptance a)
{
    constexpr std::array NAMES{"accepted", "stalled", "refused"};
    return os << NAMES[static_cast<std::size_t>(a)];
}

std::ostream&
operator<<(std::ostream& os, Completion c)
{
    constexpr std::array NAMES{"delivered", "sent", "unreachable", "failed"};
    return os << NAMES[static_cast<std::size_t>(c)];
}

std::string
DescribeFrame(const Frame& frame)
{
    return (frame.payload > 0 ? "data " : "control ") + std::to_string(frame.id);
}

} // namespace messaging
} // namespace ns3
