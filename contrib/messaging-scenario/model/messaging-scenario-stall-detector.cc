/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-scenario-stall-detector.h"

#include "ns3/messaging-text.h"

#include <algorithm>

namespace ns3
{
namespace messaging
{

namespace
{

/** Times that a run is watched until the simulated time has doubled, about. */
constexpr int64_t WATCHES = 16;

/** Least number of times that a run is watched until its limit. */
constexpr int64_t LIMIT_WATCHES = 256;

/** Transmissions of each frame in flight that may bring nothing, beside StallFrames. */
constexpr uint64_t STALL_REPEATS = 100;

} // namespace

Time
GetWatchStep(Time now, Time limit)
{
    return std::min(now / WATCHES, limit / LIMIT_WATCHES) + MicroSeconds(1);
}

void
StallDetector::Observe(const AuditCounts& counts, uint64_t frames)
{
    const uint64_t steps = counts.posted + counts.delivered + counts.completed;
    if (steps != m_steps)
    {
        m_steps = steps;
        m_stepFrames = frames;
    }
    m_frames = frames - m_stepFrames;
}

bool
StallDetector::IsStalled(uint64_t limit, uint64_t inFlight) const
{
    return limit > 0 && m_frames >= limit + STALL_REPEATS * inFlight;
}

std::string
StallDetector::Describe() const
{
    return ToText("The run was ended after ",
                  m_frames,
                  " frames (StallFrames) by which no message was posted, delivered or ended, "
                  "when ");
}

} // namespace messaging
} // namespace ns3
