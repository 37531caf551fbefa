/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-helper.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace wormhole
{

WormholeHelper::WormholeHelper()
{
    // A device has its own queue, so the network need not drop or queue at the source.
    m_networkFactory.Set("SourceBusy", StringValue("wait"), "QueueLimit", UintegerValue(1));
}

} // namespace wormhole
} // namespace ns3
