/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-config.h"

#include "ns3/messaging-tick-clock.h"

#include <algorithm>

namespace ns3
{
namespace myrinet
{

namespace
{

constexpr uint32_t FIRMWARE = 48 * 1024; ///< Firmware and its data in the SRAM [bytes].

} // namespace

std::string
MyrinetConfig::Check(uint32_t nodes) const
{
    const uint32_t received = fabric.buffers;
    const uint64_t rings = (uint64_t{sendBuffers} + received) * mtu;
    if (rings + FIRMWARE > sram)
    {
        return "The send ring and the receive ring, " + std::to_string(sendBuffers) + " and " +
               std::to_string(received) + " buffers of " + std::to_string(mtu) +
               " bytes, and the firmware, " + std::to_string(FIRMWARE) +
               " bytes, do not fit into an SRAM of " + std::to_string(sram) + " bytes.";
    }
    if (lanai && busRate.GetBitRate() == 0)
    {
        return "BusRate has to be above 0.";
    }
    std::string error;
    TopologyConfig config = topology;
    config.nodes = nodes;
    const auto made = Topology::Make(config, error);
    if (error.empty() && nodes > 0 && made.GetNHosts() != nodes)
    {
        error = config.file + " has " + std::to_string(made.GetNHosts()) + " hosts, not " +
                std::to_string(nodes) + ".";
    }
    return error.empty() ? Fabric::Check(fabric, made.GetLongestCable()) : error;
}

messaging::PortInfo
MyrinetConfig::GetInfo() const
{
    const uint64_t link = fabric.linkRate.GetBitRate();
    const uint64_t slowest = lanai ? std::min(link, busRate.GetBitRate()) : link;
    return {.mtu = mtu,
            .ordered = true,
            .lossless = fabric.receiveFull == ReceiveFull::BLOCK && fabric.corruption == 0 &&
                        fabric.timeout.IsZero() && fabric.overwrite == 0 && fabric.stopWhilePending,
            .rate = messaging::TickClock::GetBytesPerTick(slowest)};
}

} // namespace myrinet
} // namespace ns3
