/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_CLUSTER_H
#define MPI_RANKS_CLUSTER_H

#include "ns3/infiniband-engine.h"
#include "ns3/mpi-ranks-group.h"
#include "ns3/mpi-ranks-verbs-link.h"

#include <string>

/**
 * @file
 * @ingroup mpi-ranks
 * A cluster of nodes with ranks, built from attributes.
 */

namespace ns3
{
namespace ranks
{

/** The paper's two modes. */
enum class Reliability : uint8_t
{
    NATIVE,  ///< Reliability of the transport only.
    RELIABLE ///< Reliability in software.
};

/**
 * @ingroup mpi-ranks
 * A cluster of nodes, each with an adapter and ranks.
 *
 * Transport and Reliability choose one of the six configurations of section 8. The cluster also has
 * the attributes of network and ranks. Each Build creates a new system, so that a scenario can run
 * several.
 */
class RankCluster : public Object
{
  public:
    /** A system created by Build. Its user disposes of group. */
    struct System
    {
        Ptr<messaging::TickClock> clock; ///< Counts nanoseconds.
        Ptr<infiniband::Engine> engine;  ///< Moves messages.
        Ptr<VerbsRankLink> link;         ///< Queue pairs.
        Ptr<RankGroup> group;            ///< Ranks.
        std::string error;               ///< Error sentence; empty on success.
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RankCluster();

    /** @return an empty text, or one sentence on parameters that contradict each other. */
    std::string Check() const;

    /**
     * Create clock, engine, verbs and ranks.
     * @param ranks number of ranks, on the first nodes
     * @param isRecorded whether the run is recorded
     * @return the system
     */
    System Build(uint32_t ranks, bool isRecorded = false) const;

    /** @return parameters of the protocol. */
    RankConfig MakeConfig() const;

    /** @return ranks of a node. */
    uint32_t GetRanksPerNode() const;

    /** @return number of nodes. */
    uint32_t GetNodes() const
    {
        return m_nodes;
    }

    /**
     * Choose one of the six configurations.
     * @param transport the service
     * @param reliability the mode
     */
    void Choose(infiniband::Transport transport, Reliability reliability)
    {
        m_transport = transport;
        m_reliability = reliability;
    }

    /** Set the number of nodes. @param nodes the number */
    void SetNodes(uint32_t nodes)
    {
        m_nodes = nodes;
    }

  private:
    /** @return the number of adapters; 0 if a topology file sets it. */
    uint32_t GetHosts() const
    {
        return m_engine->GetSubnet()->IsFromFile() ? 0 : m_nodes;
    }

    infiniband::Transport m_transport{}; ///< Transport service.
    Reliability m_reliability{};         ///< Mode.
    RankConfig m_config;                 ///< Parameters of the protocol.
    uint32_t m_nodes{64};                ///< Nodes.
    uint32_t m_paths{1};                 ///< Number of paths, used in turn.
    Ptr<infiniband::Engine> m_engine;    ///< Holds the attributes of the network.
    Ptr<RankGroup> m_group;              ///< Holds the ranks' attributes.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_CLUSTER_H
