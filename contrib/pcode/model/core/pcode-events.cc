/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-events.h"

#include "ns3/log.h"

namespace ns3
{
namespace pcode
{

NS_LOG_COMPONENT_DEFINE("PcodeEvents");

bool
LogsEvents()
{
    return g_log.IsEnabled(LOG_INFO);
}

void
LogEvent(messaging::Peer peer, const std::string& event)
{
    NS_LOG_INFO("Node " << peer << ": " << event);
}

} // namespace pcode
} // namespace ns3
