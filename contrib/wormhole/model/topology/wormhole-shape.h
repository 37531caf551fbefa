/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_SHAPE_H
#define WORMHOLE_SHAPE_H

#include "ns3/wormhole-kernel.h"
#include "ns3/wormhole-types.h"

#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup wormhole
 * Shape of a network, without its state.
 */

namespace ns3
{
namespace wormhole
{

/** Parameters of a shape; WormholeNetwork has them as attributes, with their units. */
struct ShapeConfig
{
    TopologyKind kind{TopologyKind::GRID2D}; ///< Kind of shape.
    uint32_t nodes{0};                       ///< Number of nodes; 0 for that of sides or file.
    std::string sides;                       ///< Sides of a grid; if empty, the most equal ones.
    bool torus{false};                       ///< The ends of each dimension are connected.
    uint32_t arity{4};                       ///< Children of each router of a fat tree.
    uint32_t channelsPerLeaf{8};             ///< Bandwidth of a leaf of a fat tree.
    std::string file;                        ///< Topology file of a graph.
};

/** A shape: distances, links, and the kernels for it. */
class Shape
{
  public:
    virtual ~Shape() = default;

    /** @return the number of nodes that send and receive. */
    virtual uint32_t GetNNodes() const = 0;

    /** @return the number of routers; the nodes come first. */
    virtual uint32_t GetNRouters() const = 0;

    /** @return the number of links. */
    virtual uint32_t GetNLinks() const = 0;

    /** @return the diameter [hops]. */
    virtual uint32_t GetDiameter() const = 0;

    /**
     * Get the distance between two nodes.
     * @param from a node
     * @param to another node
     * @return the distance [hops]
     */
    virtual uint32_t GetDistance(Peer from, Peer to) const = 0;

    /**
     * Get the router from which a link leads.
     * @param link the link
     * @return the router, or NO_PEER if the link does not exist
     */
    virtual uint32_t GetOrigin(Link link) const = 0;

    /**
     * Get the router to which a link leads.
     * @param link the link
     * @return the router, or NO_PEER if the link does not exist
     */
    virtual uint32_t GetTarget(Link link) const = 0;

    /**
     * Get the number of parallel channels of a link.
     * @param link the link
     * @return the number
     */
    virtual uint32_t GetChannels(Link link) const = 0;

    /**
     * Check whether a head can reach a node in an otherwise empty network.
     * @param from the source
     * @param to the destination
     * @param down whether each link has failed
     * @param preferredOnly whether only the preferred link may be taken
     * @param misroutes permitted unproductive hops
     * @return whether there is a route
     */
    virtual bool CanReach(Peer from,
                          Peer to,
                          const std::vector<bool>& down,
                          bool preferredOnly,
                          uint32_t misroutes) const = 0;

    /** @return the sides of a grid; empty for other shapes. */
    virtual std::vector<uint32_t> GetSides() const = 0;

    /**
     * Create a network of this shape.
     * @param kind kind of the routers
     * @param full whether to trace hops, collect link utilisation, or support failures
     * @param config settings
     * @param traces trace sources, which have to outlive the kernel
     * @return the kernel
     */
    virtual std::unique_ptr<Kernel> MakeKernel(RouterKind kind,
                                               bool full,
                                               const KernelConfig& config,
                                               const KernelTraces& traces) const = 0;

    /**
     * Create a shape.
     * @param config its parameters
     * @param stored whether routers store packets: routes through a graph must then not form a ring
     * @param error set to one sentence on failure, otherwise unchanged
     * @return the shape, or nullptr
     */
    static std::unique_ptr<Shape> Make(const ShapeConfig& config, bool stored, std::string& error);

    /**
     * Factor a number of nodes into the most equal sides.
     *
     * It uses the factorization with the least sum. Two equal sides come first, otherwise the
     * smaller ones: 64x64, 32x32, 16x16 and 16x16x16, 8x8x16, 8x8x4 for 4096, 1024 and 256 nodes.
     *
     * @param nodes number of nodes
     * @param dimensions 2 or 3
     * @return the sides
     */
    static std::vector<uint32_t> Factor(uint32_t nodes, unsigned dimensions);
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_SHAPE_H
