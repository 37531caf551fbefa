/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SEGMENTED_PROTOCOL_H
#define MESSAGING_SEGMENTED_PROTOCOL_H

#include "ns3/messaging-any-port.h"
#include "ns3/ptr.h"

#include <cstdint>

/**
 * @file
 * @ingroup messaging
 * Interface of the protocols whose long messages are divided by the segmenting layer.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A protocol in front of which the segmenting layer sends long messages, beside being a Protocol.
 */
class SegmentedProtocol
{
  public:
    virtual ~SegmentedProtocol() = default;

    /**
     * Get the largest message that is sent without segments, after Connect.
     * @param port the network; nullptr for a protocol over sockets
     * @return its size [bytes]; NO_LAYER if the protocol divides messages itself
     */
    virtual uint32_t GetLargestWhole(Ptr<AnyPort> port) const = 0;

    /** Size of the largest message without segments where there is no layer. */
    static constexpr uint32_t NO_LAYER = UINT32_MAX;
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SEGMENTED_PROTOCOL_H
