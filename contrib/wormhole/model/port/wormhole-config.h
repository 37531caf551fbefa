/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_CONFIG_H
#define WORMHOLE_CONFIG_H

#include "ns3/messaging-types.h"
#include "ns3/wormhole-kernel.h"
#include "ns3/wormhole-shape.h"
#include "ns3/wormhole-types.h"

#include <memory>
#include <string>

/**
 * @file
 * @ingroup wormhole
 * Parameters of a wormhole network.
 */

namespace ns3
{
namespace wormhole
{

/** Parameters of a wormhole network; WormholeNetwork has them as attributes, with their units. */
struct WormholeConfig
{
    ShapeConfig shape{};                  ///< Parameters of the shape.
    KernelConfig kernel{};                ///< Parameters of the routers.
    RouterKind router{RouterKind::LOSSY}; ///< Kind of the routers.
    uint32_t flitBits{32};                ///< Width of a flit [bits].
    uint32_t mtu{4096};                   ///< Largest frame [bytes].
    bool observe{false};                  ///< Collect link utilisation without tracing hops.

    /**
     * Check the parameters.
     * @param peers number of peers; 0 for the number of nodes in the shape
     * @return an empty text, or one sentence with the error and the permitted values
     */
    std::string Check(uint32_t peers) const;

    /** @return the properties of the network. */
    messaging::PortInfo GetInfo() const;

    /**
     * Create the shape.
     * @param peers number of nodes if the shape has none
     * @param error set to one sentence on failure
     * @return the shape, or nullptr
     */
    std::unique_ptr<Shape> MakeShape(uint32_t peers, std::string& error) const;

    /** @return the length of the longest packet [flits]. */
    messaging::Ticks GetLongest() const;
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_CONFIG_H
