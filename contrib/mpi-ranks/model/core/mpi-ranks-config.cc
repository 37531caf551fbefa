/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-config.h"

#include <algorithm>
#include <array>

namespace ns3
{
namespace ranks
{

using infiniband::Transport;

namespace
{

/** Buffer sizes of the library if each connection has its own receives [bytes; MVAPICH]. */
constexpr std::array<uint32_t, 3> BUFFERS{2048, 4096, 8192};

/** Global routing header, for which each buffer of UD has room [bytes; MVAPICH]. */
constexpr uint32_t ROUTING_HEADER = 40;

/** Credit threshold of a peer over UD, whose receives are shared [frames; MVAPICH]. */
constexpr uint32_t DATAGRAM_CREDIT_THRESHOLD = 50;

/** Largest window of 16-bit sequence numbers. */
constexpr uint32_t MAX_WINDOW = 32767;

} // namespace

messaging::PortInfo
GetTraits(Transport transport, uint32_t mtu, uint32_t paths)
{
    const bool reliable = transport == Transport::RC;
    messaging::PortInfo traits{.ordered = reliable || paths == 1,
                               .lossless = reliable,
                               .rdma = true};
    if (transport == Transport::UD)
    {
        traits.mtu = mtu - ROUTING_HEADER;
        traits.rdma = false;
    }
    return traits;
}

void
RankConfig::Choose(Transport transport, bool software, const messaging::PortInfo& properties)
{
    traits = properties;
    reliability = software;
    if (transport == Transport::UD)
    {
        // All peers share 8192 receives, so that the window alone limits a peer.
        credits = window;
        creditThreshold = DATAGRAM_CREDIT_THRESHOLD;
    }
}

std::string
RankConfig::Check() const
{
    if (traits.mtu != 0 && traits.mtu <= CTS_HEADER)
    {
        return "An MTU of " + std::to_string(traits.mtu) +
               " bytes leaves no room for data; it has to be above " + std::to_string(CTS_HEADER) +
               ".";
    }
    if (credits == 0 || credits > MAX_WINDOW || window == 0 || window > MAX_WINDOW ||
        reorderWindow > MAX_WINDOW)
    {
        return "Credits and windows have to be from 1 to 32767, since sequence numbers have 16 "
               "bits.";
    }
    if (creditThreshold >= credits)
    {
        return "An explicit ACK after more than " + std::to_string(creditThreshold) +
               " unreturned credits is never sent with " + std::to_string(credits) +
               " credits; the threshold has to be lower.";
    }
    if (reliability && creditThreshold >= window)
    {
        return "An explicit ACK after more than " + std::to_string(creditThreshold) +
               " unreturned credits is never sent with a window of " + std::to_string(window) +
               "; the threshold has to be lower.";
    }
    if (periods == 0 || timeout < periods)
    {
        return "The timeout has to be at least one tick for each of its periods.";
    }
    return "";
}

uint32_t
RankConfig::GetReceives() const
{
    const uint32_t limit = GetLimit();
    // With reliability each segment may cause an explicit ACK, without only every threshold.
    uint32_t acks = limit / (creditThreshold + 1) + 1;
    if (reliability)
    {
        acks = limit;
    }
    // A write with immediate data uses a receive, too.
    uint32_t writes = 0;
    if (traits.rdma && Reorders())
    {
        writes = limit;
    }
    return limit + acks + writes;
}

uint32_t
RankConfig::GetCharge(const Frame& segment, uint32_t left) const
{
    if (static_cast<FrameKind>(segment.kind) == FrameKind::DATA)
    {
        return BUFFERS.back() / ((BUFFERS.back() + traits.mtu - 1) / traits.mtu);
    }
    if (!(segment.flags & FIRST))
    {
        return 0;
    }
    const uint32_t bytes = segment.header + segment.payload + left;
    const auto* fits = std::find_if(BUFFERS.begin(), BUFFERS.end() - 1, [&](uint32_t size) {
        return bytes <= size;
    });
    return *fits;
}

} // namespace ranks
} // namespace ns3
