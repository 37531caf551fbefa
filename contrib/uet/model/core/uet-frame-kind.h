/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UET_FRAME_KIND_H
#define UET_FRAME_KIND_H

#include "ns3/messaging-types.h"

#include <cstdint>

/**
 * @file
 * @ingroup uet
 * Kind and flags of a frame of UET or MRC.
 */

namespace ns3
{
namespace uet
{

/** Bits of Frame::kind that are a kind; the others are flags. Frame::flags are those of the
 * message. */
inline constexpr uint8_t KIND_MASK = 0x0f;

/** @param frame a frame @return its kind, without flags. */
inline uint8_t
GetKind(const messaging::Frame& frame)
{
    return frame.kind & KIND_MASK;
}

/** @param frame a frame @param flag a flag @return true if it is set. */
inline bool
HasFlag(const messaging::Frame& frame, uint8_t flag)
{
    return (frame.kind & flag) != 0;
}

} // namespace uet
} // namespace ns3

#endif // UET_FRAME_KIND_H
