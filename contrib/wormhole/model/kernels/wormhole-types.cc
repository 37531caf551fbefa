/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-types.h"

#include <numeric>

namespace ns3
{
namespace wormhole
{

uint64_t
Counters::GetAllDrops() const
{
    return std::accumulate(drops.begin(), drops.end(), uint64_t{0});
}

std::ostream&
operator<<(std::ostream& os, DropReason reason)
{
    constexpr std::array<const char*, N_DROP_REASONS> NAMES{"source-port",
                                                            "source-channel",
                                                            "blocked",
                                                            "ejection",
                                                            "held-too-long",
                                                            "expired",
                                                            "lost",
                                                            "corrupted",
                                                            "cut",
                                                            "no-route"};
    return os << NAMES.at(static_cast<std::size_t>(reason));
}

} // namespace wormhole
} // namespace ns3
