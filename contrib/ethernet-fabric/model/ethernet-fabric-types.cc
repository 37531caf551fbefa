/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-fabric-types.h"

#include <array>

namespace ns3
{
namespace fabric
{

std::ostream&
operator<<(std::ostream& os, Tier tier)
{
    constexpr std::array<const char*, N_TIERS> NAMES{"host", "leaf", "spine", "core"};
    return os << NAMES[static_cast<std::size_t>(tier)];
}

std::ostream&
operator<<(std::ostream& os, LossReason reason)
{
    constexpr std::array<const char*, N_LOSS_REASONS> NAMES{"full queue",
                                                            "full queue of headers",
                                                            "headroom exceeded",
                                                            "bit error",
                                                            "link down",
                                                            "no route",
                                                            "trimmed frame",
                                                            "watchdog"};
    return os << NAMES[static_cast<std::size_t>(reason)];
}

} // namespace fabric
} // namespace ns3
