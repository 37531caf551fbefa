/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_GROUP_CLUSTER_H
#define MPI_RANKS_GROUP_CLUSTER_H

#include "ns3/infiniband-engine.h"
#include "ns3/infiniband-subnet.h"
#include "ns3/mpi-ranks-group-verbs.h"
#include "ns3/mpi-ranks-group.h"

#include <string>

/**
 * @file
 * @ingroup mpi-ranks
 * A cluster with ranks on it, made from attributes.
 */

namespace ns3
{
namespace ranks
{

/** Which of the paper's two modes. */
enum class Reliability : uint8_t
{
    NATIVE,  ///< Only what the transport has.
    RELIABLE ///< Reliability in software.
};

/**
 * @ingroup mpi-ranks
 * A cluster of nodes with an adapter each, on which ranks run: what a scenario's parameters
 * describe.
 *
 * One of the six configurations of section 8 is chosen by Transport and Reliability. The
 * attributes of engine, subnet and ranks are attributes of the cluster too. Build makes a new
 * system of them each time, so that a scenario can run several.
 */
class RankCluster : public Object
{
  public:
    /** What Build makes. Whoever has it disposes of group. */
    struct System
    {
        Ptr<messaging::TickClock> clock; ///< Counts nanoseconds.
        Ptr<infiniband::Engine> engine;  ///< Moves messages.
        Ptr<VerbsRankLink> link;         ///< Queue pairs.
        Ptr<RankGroup> group;            ///< Ranks.
        std::string error;               ///< Empty, or why there is nothing of this.
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RankCluster();
    ~RankCluster() override;

    /** @return an empty text, or one sentence on what does not go together. */
    std::string Check() const;

    /**
     * Make clock, engine, verbs and ranks.
     * @param ranks how many, on the first nodes
     * @return all of it
     */
    System Build(uint32_t ranks) const;

    /** @return the protocol's parameters. */
    RankConfig MakeConfig() const;

    /** @return ranks that fit on a node. */
    uint32_t GetRanksPerNode() const;

    /** @return the number of nodes. */
    uint32_t GetNodes() const
    {
        return m_nodes;
    }

    /** @return the transport service. */
    infiniband::Transport GetTransport() const
    {
        return m_transport;
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

  protected:
    void DoDispose() override;

  private:
    /** @return an empty text, or one sentence on paths that hosts do not have. */
    std::string CheckPaths() const;

    /** @return a subnet with the attributes of the cluster, not built. */
    Ptr<infiniband::Subnet> MakeSubnet() const;

    infiniband::Transport m_transport{}; ///< Transport service.
    Reliability m_reliability{};         ///< Mode.
    MemoryCharge m_memoryCharge{};       ///< What an unacknowledged segment is charged.
    QueueUnit m_queueUnit{};             ///< What the queue's length counts.
    uint32_t m_nodes{0};                 ///< Nodes.
    uint32_t m_paths{1};                 ///< Paths that frames take in turn.
    uint32_t m_eagerLimit{0};            ///< Length from which on messages go by rendezvous.
    uint32_t m_credits{0};               ///< Buffers of a connection.
    uint32_t m_creditThreshold{0};       ///< Unreturned credits before an explicit ACK.
    uint32_t m_datagramThreshold{0};     ///< The same over UD.
    uint32_t m_backlogThreshold{0};      ///< Waiting messages before an explicit ACK.
    uint32_t m_window{0};                ///< Unacknowledged segments.
    SweepCount m_sweepCount{};           ///< What the next one counts.
    uint32_t m_sweepMessages{0};         ///< Messages before an ACK sweep.
    uint32_t m_sweepPolled{0};           ///< Messages of a wait before an ACK sweep.
    Ticks m_timeout{0};                  ///< t_timeout [ns].
    Ptr<infiniband::Engine> m_engine;    ///< Holds the attributes of adapters and links.
    Ptr<infiniband::Subnet> m_subnet;    ///< Holds the subnet's attributes.
    Ptr<RankGroup> m_group;              ///< Holds the ranks' attributes.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_GROUP_CLUSTER_H
