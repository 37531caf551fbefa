/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_CONFIG_H
#define MYRINET_CONFIG_H

#include "ns3/data-rate.h"
#include "ns3/messaging-types.h"
#include "ns3/myrinet-fabric.h"
#include "ns3/myrinet-mapper.h"
#include "ns3/myrinet-topology.h"

#include <string>

/**
 * @file
 * @ingroup myrinet
 * Parameters of a Myrinet.
 */

namespace ns3
{
namespace myrinet
{

/** Parameters of a Myrinet; MyrinetNetwork has them as attributes, with their units. */
struct MyrinetConfig
{
    TopologyConfig topology{};           ///< Shape.
    FabricConfig fabric{};               ///< Links, switches, receivers and failures.
    RouteKind routes{RouteKind::UPDOWN}; ///< Routes of the mapper.
    uint32_t mtu{4096 + 64};             ///< Largest frame [bytes].
    uint32_t sendQueue{1};               ///< Capacity of a send engine [packets].
    uint32_t sendBuffers{16};            ///< Buffers of the send ring.
    uint32_t sram{256 * 1024};           ///< SRAM of an interface [bytes].
    bool lanai{false};                   ///< Frames pass the host side of the interfaces.
    DataRate busRate{1000000000};        ///< Rate of the host DMA engine.
    uint32_t instructions{100};          ///< Firmware's cost of a frame at each end [instructions].

    /**
     * Check the parameters.
     * @param nodes number of nodes; 0 for those of the file of a graph
     * @return empty, or one sentence with the error and the allowed values
     */
    std::string Check(uint32_t nodes) const;

    /** @return the properties of the network. */
    messaging::PortInfo GetInfo() const;
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_CONFIG_H
