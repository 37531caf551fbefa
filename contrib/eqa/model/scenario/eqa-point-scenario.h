/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_POINT_SCENARIO_H
#define EQA_POINT_SCENARIO_H

#include "ns3/eqa-cluster.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-scenario.h"

/**
 * @file
 * @ingroup eqa
 * Messages between two processes (section 2 of paper 5).
 */

namespace ns3
{
namespace eqa
{

/** Location of the two processes. */
enum class Place : uint8_t
{
    INTER, ///< On two nodes.
    INTRA  ///< On one node.
};

/** Communication system. */
enum class PointSystem : uint8_t
{
    PUSH_PULL, ///< Push-pull messaging.
    MPICH,     ///< MPICH over p4 and TCP; between nodes only.
    TCP        ///< TCP; between nodes only.
};

/**
 * @ingroup eqa
 * Measures latency, as half of a round trip, and bandwidth of a stream of messages between two
 * processes. The hosts' costs are calibrated with it (D-02, D-03).
 *
 * It forwards the attributes of the cluster (EqaCluster).
 */
class EqaPointScenario : public messaging::Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    EqaPointScenario();

    std::string Check() const override;

  protected:
    void DoRun() override;

  private:
    /** @return the machines of the location. */
    Ptr<EqaCluster> BuildCluster() const;

    /** @return push-pull messaging between the processes. @param cluster the machines */
    Ptr<EqaGroup> ConnectPushPull(const EqaCluster& cluster);

    /**
     * Run the round trips and the stream.
     * @param audit carries the messages
     * @param eqa the group for posting receives, or null
     */
    void Measure(Ptr<messaging::DeliveryAudit> audit, Ptr<EqaGroup> eqa);

    Ptr<EqaCluster> m_cluster; ///< Holds the cluster's parameters.
    Place m_place{};           ///< Location of the processes.
    PointSystem m_system{};    ///< Communication system.
    uint32_t m_size{0};        ///< Size of a message [bytes].
    uint32_t m_rounds{0};      ///< Round trips, and messages of the stream.
    double m_latency{0};       ///< Result [us].
    double m_bandwidth{0};     ///< Result [MB/s].
    uint64_t m_delivered{0};   ///< Result [messages].
};

} // namespace eqa
} // namespace ns3

#endif // EQA_POINT_SCENARIO_H
