/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-shape.h"

#include "ns3/messaging-text-file.h"
#include "ns3/wormhole-adaptive-kernel.h"
#include "ns3/wormhole-buffered-kernel.h"
#include "ns3/wormhole-fat-tree.h"
#include "ns3/wormhole-graph.h"
#include "ns3/wormhole-grid.h"
#include "ns3/wormhole-lossy-kernel.h"

#include <algorithm>
#include <fstream>
#include <ranges>
#include <string_view>

namespace ns3
{
namespace wormhole
{

namespace
{

/** Number of nodes of a network if no attribute gives it (paper 1, section 4.1). */
constexpr uint32_t DEFAULT_NODES = 1024;

/** Maximum number of nodes of a network. */
constexpr uint64_t MAX_NODES = 1U << 24;

/** Maximum side of a grid; a head stores its offsets in 16 bits. */
constexpr uint32_t MAX_SIDE = 32767;

/**
 * Parse the sides of a grid.
 * @param text as in 8x8x16
 * @param dimensions required number of sides
 * @return the sides, or none if the text is malformed
 */
std::vector<uint32_t>
ParseSides(const std::string& text, unsigned dimensions)
{
    std::vector<uint32_t> sides;
    for (const auto part : std::views::split(text, 'x'))
    {
        const std::string_view side(part.begin(), part.end());
        if (!messaging::ReadNumber(side, 1, MAX_SIDE, sides.emplace_back()))
        {
            return {};
        }
    }
    return sides.size() == dimensions ? sides : std::vector<uint32_t>{};
}

/**
 * Shape of a given topology.
 * @tparam Topology a topology that the kernels support
 */
template <class Topology>
class ShapeOf : public Shape
{
  public:
    /**
     * Wrap a topology.
     * @param topology the topology
     * @param sides sides of a grid
     */
    explicit ShapeOf(const Topology& topology, std::vector<uint32_t> sides = {})
        : m_topology(topology),
          m_sides(std::move(sides))
    {
    }

    uint32_t GetNNodes() const override
    {
        return m_topology.GetNNodes();
    }

    uint32_t GetNRouters() const override
    {
        return m_topology.GetNRouters();
    }

    uint32_t GetNLinks() const override
    {
        return m_topology.GetNLinks();
    }

    uint32_t GetDiameter() const override
    {
        return m_topology.GetDiameter();
    }

    uint32_t GetDistance(Peer from, Peer to) const override
    {
        return m_topology.GetDistance(m_topology.MakeHead(from, to, 0, 0));
    }

    uint32_t GetOrigin(Link link) const override
    {
        const bool exists = m_topology.GetTarget(link) != messaging::NO_PEER;
        return exists ? m_topology.GetOrigin(link) : messaging::NO_PEER;
    }

    uint32_t GetTarget(Link link) const override
    {
        return m_topology.GetTarget(link);
    }

    uint32_t GetChannels(Link link) const override
    {
        return m_topology.GetChannels(link);
    }

    std::vector<uint32_t> GetSides() const override
    {
        return m_sides;
    }

    bool CanReach(Peer from,
                  Peer to,
                  const std::vector<bool>& down,
                  bool preferredOnly,
                  uint32_t misroutes) const override
    {
        // Breadth-first search over routers and misroutes so far.
        std::vector<std::pair<typename Topology::Head, uint32_t>> queue;
        std::vector<bool> seen(static_cast<std::size_t>(GetNRouters()) * (misroutes + 1));
        const auto visit = [&](typename Topology::Head head, Link link, uint32_t spent) {
            m_topology.Advance(head, link);
            const std::size_t state = static_cast<std::size_t>(head.node) * (misroutes + 1) + spent;
            if (!seen[state])
            {
                seen[state] = true;
                queue.emplace_back(head, spent);
            }
        };
        queue.emplace_back(m_topology.MakeHead(from, to, 0, 1), 0);
        for (std::size_t n = 0; n < queue.size(); ++n)
        {
            const auto [head, spent] = queue[n];
            if (Topology::HasArrived(head))
            {
                return true;
            }
            m_topology.ForProductive(head, [&, head = head, spent = spent](Link link) {
                if (!down[link])
                {
                    visit(head, link, spent);
                }
                return preferredOnly;
            });
            if (spent < misroutes)
            {
                m_topology.ForAll(head, [&, head = head, spent = spent](Link link) {
                    if (!down[link])
                    {
                        visit(head, link, spent + 1);
                    }
                    return false;
                });
            }
        }
        return false;
    }

    std::unique_ptr<Kernel> MakeKernel(RouterKind kind,
                                       bool full,
                                       const KernelConfig& config,
                                       const KernelTraces& traces) const override
    {
        if (kind == RouterKind::BUFFERED)
        {
            if (full)
            {
                return std::make_unique<BufferedKernel<Topology, true>>(m_topology, config, traces);
            }
            return std::make_unique<BufferedKernel<Topology, false>>(m_topology, config, traces);
        }
        if (full || kind == RouterKind::HYBRID)
        {
            return std::make_unique<AdaptiveKernel<Topology>>(m_topology, config, traces);
        }
        return std::make_unique<LossyKernel<Topology>>(m_topology, config, traces);
    }

  private:
    Topology m_topology;           ///< The topology.
    std::vector<uint32_t> m_sides; ///< Sides of a grid.
};

/**
 * Create a grid.
 * @param config its parameters
 * @param error set to one sentence on failure
 * @return the grid, or nullptr
 */
template <unsigned D>
std::unique_ptr<Shape>
MakeGrid(const ShapeConfig& config, std::string& error)
{
    std::vector<uint32_t> sides;
    if (config.sides.empty())
    {
        sides = Shape::Factor(config.nodes ? config.nodes : DEFAULT_NODES, D);
    }
    else
    {
        sides = ParseSides(config.sides, D);
    }
    if (sides.empty())
    {
        error = "Shape is \"" + config.sides + "\"; it has to be " + std::to_string(D) +
                " sides from 1 to " + std::to_string(MAX_SIDE) + " joined by x, as in " +
                (D == 2 ? "32x32." : "8x8x16.");
        return nullptr;
    }
    uint64_t product = 1;
    for (const uint32_t side : sides)
    {
        product *= side;
    }
    if (config.nodes && product != config.nodes)
    {
        error = "Shape " + config.sides + " has " + std::to_string(product) +
                " nodes, but Nodes is " + std::to_string(config.nodes) + "; they have to agree.";
        return nullptr;
    }
    if (product > MAX_NODES || *std::max_element(sides.begin(), sides.end()) > MAX_SIDE)
    {
        error = "The grid is too large; it may have up to " + std::to_string(MAX_NODES) +
                " nodes, and up to " + std::to_string(MAX_SIDE) + " along a side.";
        return nullptr;
    }
    std::array<uint32_t, D> array;
    std::copy(sides.begin(), sides.end(), array.begin());
    if (config.torus)
    {
        return std::make_unique<ShapeOf<Grid<D, true>>>(Grid<D, true>(array), std::move(sides));
    }
    return std::make_unique<ShapeOf<Grid<D, false>>>(Grid<D, false>(array), std::move(sides));
}

/**
 * Create a graph.
 * @param config its parameters
 * @param stored whether routers store packets
 * @param error set to one sentence on failure
 * @return the graph, or nullptr
 */
std::unique_ptr<Shape>
MakeGraph(const ShapeConfig& config, bool stored, std::string& error)
{
    if (config.file.empty())
    {
        error = "Topology graph needs a TopologyFile that describes it.";
        return nullptr;
    }
    std::ifstream in;
    error = messaging::OpenTextFile(config.file, in);
    if (!error.empty())
    {
        error = "TopologyFile " + error;
        return nullptr;
    }
    const auto graph = Graph::Read(in, config.file, stored, error);
    if (!graph)
    {
        return nullptr;
    }
    if (config.nodes && config.nodes != graph->GetNNodes())
    {
        error = "TopologyFile " + config.file + " has " + std::to_string(graph->GetNNodes()) +
                " nodes, but Nodes is " + std::to_string(config.nodes) + "; they have to agree.";
        return nullptr;
    }
    return std::make_unique<ShapeOf<Graph>>(*graph);
}

} // namespace

std::vector<uint32_t>
Shape::Factor(uint32_t nodes, unsigned dimensions)
{
    std::vector<uint32_t> best;
    uint64_t bestSum = std::numeric_limits<uint64_t>::max();
    for (uint32_t a = 1; static_cast<uint64_t>(a) * a <= nodes; ++a)
    {
        if (nodes % a)
        {
            continue;
        }
        auto rest =
            dimensions == 2 ? std::vector<uint32_t>{nodes / a} : Factor(nodes / a, dimensions - 1);
        uint64_t sum = a;
        for (const uint32_t side : rest)
        {
            sum += side;
        }
        if (sum < bestSum)
        {
            bestSum = sum;
            rest.push_back(a);
            best = rest;
        }
    }
    std::sort(best.begin(), best.end());
    if (best.size() == 3 && best[1] == best[2])
    {
        std::rotate(best.begin(), best.begin() + 1, best.end());
    }
    return best;
}

std::unique_ptr<Shape>
Shape::Make(const ShapeConfig& config, bool stored, std::string& error)
{
    if (config.kind != TopologyKind::GRAPH && !config.file.empty())
    {
        error = "TopologyFile has no effect where Topology is not graph.";
        return nullptr;
    }
    switch (config.kind)
    {
    case TopologyKind::GRID2D:
        return MakeGrid<2>(config, error);
    case TopologyKind::GRID3D:
        return MakeGrid<3>(config, error);
    case TopologyKind::FATTREE: {
        const uint32_t leaves = config.nodes ? config.nodes : DEFAULT_NODES;
        if (!config.sides.empty())
        {
            error = "Shape is \"" + config.sides +
                    "\", but a fat tree has no sides; set Nodes instead.";
            return nullptr;
        }
        return std::make_unique<ShapeOf<FatTree>>(
            FatTree(leaves, config.arity, config.channelsPerLeaf));
    }
    case TopologyKind::GRAPH:
        return MakeGraph(config, stored, error);
    }
    return nullptr;
}

} // namespace wormhole
} // namespace ns3
