/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-types.h"

namespace ns3
{
namespace myrinet
{

std::ostream&
operator<<(std::ostream& os, TopologyKind kind)
{
    static constexpr std::array<const char*, 4> NAMES{"switch", "clos", "ring", "graph"};
    return os << NAMES.at(static_cast<std::size_t>(kind));
}

std::ostream&
operator<<(std::ostream& os, DropReason reason)
{
    static constexpr std::array<const char*, N_DROP_REASONS> NAMES{"crc",
                                                                   "buffer",
                                                                   "nres",
                                                                   "overwrite"};
    return os << NAMES.at(static_cast<std::size_t>(reason));
}

} // namespace myrinet
} // namespace ns3
