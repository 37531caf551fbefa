/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_SCENARIO_H
#define EQA_SCENARIO_H

#include "ns3/eqa-cluster.h"
#include "ns3/eqa-session.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-scenario.h"

#include <array>

/**
 * @file
 * @ingroup eqa
 * The experiment of section 4.1 of paper 5.
 */

namespace ns3
{
namespace eqa
{

/** Communication systems of section 4.1, and MPICH's tree over push-pull messaging. */
enum class BroadcastSystem : uint8_t
{
    PPBCAST,        ///< Push-Pull Broadcast.
    SBCAST,         ///< Simple Broadcast.
    MPICH,          ///< MPICH's binomial tree over p4 and TCP.
    MPICH_PUSH_PULL ///< The same tree over push-pull messaging.
};

/**
 * @ingroup eqa
 * Measures a repeated broadcast, or a collective operation that ends in one, on a cluster.
 *
 * It forwards the attributes of the cluster (EqaCluster).
 */
class EqaScenario : public messaging::Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    EqaScenario();

    std::string Check() const override;

  protected:
    void DoRun() override;

  private:
    /** @return true if messages use TCP. */
    bool UsesTcp() const
    {
        return m_system == BroadcastSystem::MPICH;
    }

    /** @return true if the broadcast is one of the hardware. */
    bool IsHardware() const
    {
        return m_system == BroadcastSystem::PPBCAST || m_system == BroadcastSystem::SBCAST;
    }

    /**
     * Set the verdict.
     * @param session the session
     * @param audit the delivery audit
     * @param atLimit whether the time limit was reached
     */
    void Judge(const CollectiveSession& session, messaging::DeliveryAudit& audit, bool atLimit);

    /**
     * Collect the times.
     * @param session the session
     */
    void Collect(const CollectiveSession& session);

    /**
     * Collect the protocol's counts.
     * @param group the protocol
     */
    void CollectProtocol(const EqaGroup& group);

    /** @return the count of an event. */
    template <Event EVENT>
    uint64_t GetEvents() const
    {
        return m_events[static_cast<std::size_t>(EVENT)];
    }

    /** @return the mean of a time [us]. */
    template <double OperationTimes::* TIME>
    double GetTime() const
    {
        return m_means.*TIME;
    }

    Ptr<EqaCluster> m_cluster;  ///< Holds the cluster's parameters.
    BroadcastSystem m_system{}; ///< Broadcasting system.
    uint32_t m_nodes{0};        ///< Number of nodes.
    SessionOptions m_options;   ///< The repeated operation.

    OperationTimes m_means;                  ///< Result.
    uint64_t m_delivered{0};                 ///< Result [messages].
    uint64_t m_switchLosses{0};              ///< Result [frames].
    uint64_t m_memory{0};                    ///< Result [bytes].
    std::array<uint64_t, EVENTS> m_events{}; ///< Result.
    Ptr<messaging::Table> m_times;           ///< Result.
    Ptr<messaging::Table> m_ports;           ///< Result.
    Ptr<messaging::Table> m_counts;          ///< Result.
};

} // namespace eqa
} // namespace ns3

#endif // EQA_SCENARIO_H
