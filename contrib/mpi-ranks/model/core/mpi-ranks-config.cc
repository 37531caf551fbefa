/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-config.h"

#include <algorithm>
#include <span>

namespace ns3
{
namespace ranks
{

using infiniband::Transport;

namespace
{

/** Capacities of registered buffers, by size class [bytes]; the paper gives none. */
constexpr std::array<uint32_t, 4> BUFFER_CLASSES{256, 1024, 2048, 8192 + EAGER_HEADER};

/** The same as MVAPICH 1.2rc1 allocates them where connections have receives of their own [bytes].
 */
constexpr std::array<uint32_t, 3> MVAPICH_CLASSES{2048, 4096, 8192 + EAGER_HEADER};

/** Largest window of 16-bit sequence numbers. */
constexpr uint32_t MAX_WINDOW = 32767;

} // namespace

messaging::PortInfo
GetTraits(Transport transport, uint32_t mtu, uint32_t paths)
{
    const bool reliable = transport == Transport::RC;
    const bool datagram = transport == Transport::UD;
    return {.mtu = datagram ? mtu : 0,
            .ordered = reliable || paths == 1,
            .lossless = reliable,
            .rdma = !datagram};
}

RankConfig
RankConfig::Make(Transport transport, bool reliability, uint32_t mtu, uint32_t paths)
{
    RankConfig config;
    config.Choose(transport, reliability, GetTraits(transport, mtu, paths));
    return config;
}

void
RankConfig::Choose(Transport transport, bool software, const messaging::PortInfo& properties)
{
    traits = properties;
    reliability = software;
    if (transport == Transport::UD)
    {
        // 8192 receives are shared by all peers, so that the window alone limits a peer.
        credits = window;
        creditThreshold = 50;
    }
}

std::string
RankConfig::Check() const
{
    if (traits.mtu != 0 && traits.mtu <= CTS_HEADER)
    {
        return "An MTU of " + std::to_string(traits.mtu) +
               " bytes has no room for data; it has to be above " + std::to_string(CTS_HEADER) +
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
               " unreturned credits never comes with a window of " + std::to_string(window) +
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
    const uint32_t acks = reliability ? limit : limit / (creditThreshold + 1) + 1;
    return limit + acks + (traits.rdma && Reorders() ? limit : 0);
}

uint32_t
RankConfig::GetCharge(uint32_t bytes) const
{
    const bool mvapich = queueReading == QueueReading::MVAPICH;
    const std::span<const uint32_t> classes =
        mvapich ? std::span<const uint32_t>(MVAPICH_CLASSES) : BUFFER_CLASSES;
    const auto fits = std::find_if(classes.begin(), classes.end(), [&](uint32_t capacity) {
        return bytes <= capacity;
    });
    return fits == classes.end() ? bytes : *fits;
}

} // namespace ranks
} // namespace ns3
