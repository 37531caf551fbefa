/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-packet.h"

namespace ns3
{
namespace infiniband
{

std::ostream&
operator<<(std::ostream& os, DropReason reason)
{
    static constexpr std::array NAMES{"none", "VCRC", "ICRC", "link down", "port down", "no route"};
    return os << NAMES.at(static_cast<std::size_t>(reason));
}

} // namespace infiniband
} // namespace ns3
