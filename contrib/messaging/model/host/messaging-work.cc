/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-work.h"

#include <array>
#include <cstddef>

namespace ns3
{
namespace messaging
{

std::ostream&
operator<<(std::ostream& os, WorkKind kind)
{
    constexpr std::array NAMES{"instructions", "copy", "pio", "dma", "system-call", "interrupt"};
    return os << NAMES[static_cast<std::size_t>(kind)];
}

} // namespace messaging
} // namespace ns3
