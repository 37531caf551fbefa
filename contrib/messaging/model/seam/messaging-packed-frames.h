/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_PACKED_FRAMES_H
#define MESSAGING_PACKED_FRAMES_H

#include "ns3/messaging-types.h"

#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Interface of protocols with several messages in a frame.
 */

namespace ns3
{
namespace messaging
{

/**
 * Interface of a Protocol that packs several messages into a frame, whose contents are then not
 * those of a message. A port that carries the bytes of messages needs it. Without it,
 * Frame::contents are those of the one message of a frame with a payload.
 */
class PackedFrames
{
  public:
    virtual ~PackedFrames() = default;

    /**
     * Get the messages of a frame.
     * @param frame the frame
     * @return contents of each
     */
    virtual std::vector<uint64_t> GetMessageContents(const Frame& frame) const = 0;
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_PACKED_FRAMES_H
