/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-types.h"

#include <array>

namespace ns3
{
namespace parastation
{

std::ostream&
operator<<(std::ostream& os, PacketKind kind)
{
    static constexpr std::array NAMES{"DATA", "ACK", "NACK", "CREDIT", "DAMAGED"};
    // A frame of another protocol may have any kind.
    const auto number = static_cast<std::size_t>(kind);
    if (number < NAMES.size())
    {
        return os << NAMES[number];
    }
    return os << "unknown kind " << number;
}

std::ostream&
operator<<(std::ostream& os, Event event)
{
    static constexpr std::array NAMES{
        "lookup",    "store",    "send",      "receive",        "acknowledge",   "handle",
        "status",    "check",    "transfer",  "poll",           "copy",          "retransmitted",
        "timed-out", "lost-ack", "lost-data", "short-of-slots", "duplicate-ack", "high-ack",
        "late-nack", "bad-crc",  "overrun",   "illegal"};
    return os << NAMES.at(static_cast<std::size_t>(event));
}

std::string
Config::Check(uint32_t creditors) const
{
    const uint32_t half = uint32_t{1} << (sequenceBits - 1);
    if (window > half && sequenceBits == PAPER_SEQUENCE_BITS)
    {
        return "Window is " + std::to_string(window) + " packets, but sequence numbers of " +
               std::to_string(sequenceBits) + " bits distinguish at most half of their " +
               std::to_string(2 * half) + " values: 1 to " + std::to_string(half) + ".";
    }
    if (packetBytes > SLOT_BYTES)
    {
        return "PacketSize is " + std::to_string(packetBytes) +
               " bytes, but a slot of the rings holds " + std::to_string(SLOT_BYTES) +
               " at most (section 3.3).";
    }
    if (lowSequence == LowSequence::NACK && nackNumber == NackNumber::REJECTED)
    {
        return "LowSequence is nack, which needs NackNumber to be expected: a packet whose ACK was "
               "lost would never be acknowledged.";
    }
    if (creditors > 0 && credits == 0)
    {
        std::string sentence = "ReceiveRing is " + std::to_string(receiveRing);
        if (hostCredits)
        {
            sentence = "HostBuffers is " + std::to_string(hostBuffers);
        }
        return sentence + ", but " + std::to_string(creditors) +
               " peers need a credit each at least.";
    }
    return "";
}

} // namespace parastation
} // namespace ns3
