/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SCENARIO_STALL_DETECTOR_H
#define MESSAGING_SCENARIO_STALL_DETECTOR_H

#include "ns3/messaging-audit.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>

/**
 * @file
 * @ingroup messaging
 * Detects a run whose frames bring nothing, and says when a run is watched.
 */

namespace ns3
{
namespace messaging
{

/** Value of StallFrames unless a user sets another [frames]. */
constexpr uint64_t STALL_FRAMES = 100'000;

/** Help of the attribute StallFrames. */
constexpr const char* STALL_FRAMES_HELP =
    "Frames sent since a message was posted, delivered or ended, beyond 100 for each frame of the "
    "messages in flight, after which the run ends as undecided; 0 to go on until TimeLimit "
    "[frames; default].";

/**
 * Get the time until a run is watched again.
 * @param now the simulated time
 * @param limit simulated time after which the run ends
 * @return a sixteenth of the time, or a share of the limit if that is less
 */
Time GetWatchStep(Time now, Time limit);

/**
 * Get the frames of a message.
 * @param bytes its size [bytes]
 * @param payload largest payload of a frame [bytes]
 * @return their number, one more if the last one is full
 */
constexpr uint64_t
GetFramesOfMessage(uint64_t bytes, uint32_t payload)
{
    return bytes / (payload > 0 ? payload : 1) + 1;
}

/**
 * @ingroup messaging
 * Counts the frames sent since a run has last made a step: since a message was posted, delivered or
 * ended.
 */
class StallDetector
{
  public:
    /** Payload of a packet of a stream over IP and Ethernet [bytes]. */
    static constexpr uint32_t PACKET_PAYLOAD = 1460;

    /**
     * Observe how far the run is.
     * @param counts counts of the delivery audit
     * @param frames frames or packets sent so far
     */
    void Observe(const AuditCounts& counts, uint64_t frames);

    /**
     * Check whether so many frames have brought nothing that the run is not expected to end.
     * @param limit value of StallFrames
     * @param inFlight frames of the messages in flight, each sent once
     * @return whether that is so; never if the limit is 0
     */
    bool IsStalled(uint64_t limit, uint64_t inFlight) const;

    /** @return why the run has ended: the begin of a sentence. */
    std::string Describe() const;

  private:
    uint64_t m_steps{0};      ///< Messages posted, delivered and ended.
    uint64_t m_stepFrames{0}; ///< Frames sent when that number was new.
    uint64_t m_frames{0};     ///< Frames sent since then.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SCENARIO_STALL_DETECTOR_H
