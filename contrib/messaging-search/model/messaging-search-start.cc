/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-search-start.h"

#include "ns3/messaging-core-group.h"
#include "ns3/messaging-datagram-core.h"
#include "ns3/messaging-segmenting-core.h"

namespace ns3
{
namespace messaging
{

SearchStart
FindSearchStart(const Protocol& protocol, Ptr<const MessageGroup> group)
{
    if (const auto searchable = dynamic_cast<const Searchable*>(&protocol))
    {
        return searchable->GetSearchStart(group);
    }
    using NoneGroup = CoreGroup<SegmentingCore<DatagramCore>, AnyPort>;
    if (const auto none = DynamicCast<const NoneGroup>(group))
    {
        return {.cores = MakeCores(*none)};
    }
    return {};
}

} // namespace messaging
} // namespace ns3
