/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SEARCH_START_H
#define MESSAGING_SEARCH_START_H

#include "ns3/messaging-protocol.h"
#include "ns3/messaging-search-core-store.h"

#include <memory>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Cores of a protocol in their initial state, for an exhaustive search.
 */

namespace ns3
{
namespace messaging
{

/** Start of an exhaustive search of a protocol. */
struct SearchStart
{
    std::shared_ptr<CoreStore> cores{}; ///< Cores in their initial state; nullptr for none.
    /** Requests posted before the search, which have no end. Their contents are the peers that post
     * nothing, a bit each. */
    std::vector<std::pair<Peer, Request>> starts{};
};

/**
 * @ingroup messaging
 * Base of a protocol that can be searched, beside Protocol.
 */
class Searchable
{
  public:
    virtual ~Searchable() = default;

    /**
     * Get the cores of a group in their initial state; MakeCores copies them.
     * @param group the group that Connect has made, before the first post
     * @return the cores
     */
    virtual SearchStart GetSearchStart(Ptr<const MessageGroup> group) const = 0;
};

/**
 * Get the cores of a group of any protocol. The protocol `none`, which lies below the search, is
 * found by its cores, any other one by its base Searchable.
 * @param protocol the protocol
 * @param group the group that it has made, before the first post
 * @return the cores; none if the protocol cannot be searched
 */
SearchStart FindSearchStart(const Protocol& protocol, Ptr<const MessageGroup> group);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SEARCH_START_H
