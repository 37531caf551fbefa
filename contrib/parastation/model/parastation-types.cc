/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-types.h"

#include <array>
#include <sstream>

namespace ns3
{
namespace parastation
{

std::ostream&
operator<<(std::ostream& os, PacketKind kind)
{
    static constexpr std::array NAMES{"DATA", "ACK", "NACK", "CREDIT", "DAMAGED"};
    return os << NAMES.at(static_cast<std::size_t>(kind));
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
    std::ostringstream sentence;
    const uint32_t half = uint32_t{1} << (sequenceBits - 1);
    if (window > half && sequenceBits == PAPER_SEQUENCE_BITS)
    {
        sentence << "Window is " << window << " packets, but sequence numbers of "
                 << static_cast<unsigned>(sequenceBits)
                 << " bits distinguish at most half of their " << 2 * half << " values: 1 to "
                 << half << ".";
    }
    else if (packetBytes > 4096)
    {
        sentence << "PacketSize is " << packetBytes
                 << " bytes, but a slot of the rings holds 4096 at most (section 3.3).";
    }
    else if (lowSequence == LowSequence::NACK && nackNumber == NackNumber::REJECTED)
    {
        sentence << "LowSequence is nack, which needs NackNumber to be expected: a packet whose "
                    "ACK was lost would never be acknowledged.";
    }
    else if (creditors > 0 && credits == 0)
    {
        sentence << (hostCredits ? "HostBuffers is " : "ReceiveRing is ")
                 << (hostCredits ? hostBuffers : receiveRing) << ", but " << creditors
                 << " peers need a credit each at least.";
    }
    return sentence.str();
}

} // namespace parastation
} // namespace ns3
