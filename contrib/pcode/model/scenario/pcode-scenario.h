/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_SCENARIO_H
#define PCODE_SCENARIO_H

#include "ns3/messaging-scenario.h"
#include "ns3/pcode-driver.h"
#include "ns3/pcode-lan.h"
#include "ns3/pcode-system.h"

#include <memory>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * The measurements of section 6.
 */

namespace ns3
{
namespace pcode
{

/** Collective operations by name. */
enum class CollectiveKind : uint8_t
{
    ALL_TO_ALL, ///< All-to-all broadcast, which section 6 measures.
    ONE_TO_ALL, ///< Broadcast by node 0.
    GATHER,     ///< Gather at node 0.
    SCATTER,    ///< Scatter from node 0.
    COMBINE,    ///< Combine at node 0, and broadcast of the result.
    BARRIER     ///< No node leaves before all have entered.
};

/**
 * @ingroup pcode
 * Rounds of a collective operation on workstations on an Ethernet, over one of the systems that
 * Figures 6 to 11 compare.
 *
 * It forwards the attributes of the LAN, the workstations' costs, TCP and the protocols. The
 * paper's time per call is the time of a round divided by the number of nodes.
 */
class PcodeScenario : public messaging::Scenario
{
  public:
    /** Largest message (Assumption 3; section 6.4) [bytes]. */
    static constexpr uint32_t LARGEST_MESSAGE = 1024;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    PcodeScenario();

    std::string Check() const override;

  protected:
    void DoRun() override;

  private:
    /** @return the placement of the system. */
    IpcKind GetIpc() const;

    /** @return the implementation of section 6.2, 1 or 2. */
    uint32_t GetDriver() const
    {
        if (m_driverKind > 0)
        {
            return m_driverKind;
        }
        return m_system == SystemKind::TCP ? 1 : 2;
    }

    /** @return the program of the collective. */
    GlobalProgram MakeProgram() const;

    /** Check progress, and stop a run without progress. */
    void Watch();

    /** @return the number of returned calls of all nodes. */
    uint64_t GetNReturned() const;

    /** @return the number of packets sent by all interfaces. */
    uint64_t GetNSent() const;

    /**
     * Compute the results.
     * @param system the system
     * @param begun start of the program
     * @param busy busy time of each CPU at that time
     */
    void Collect(const System& system, Time begun, const std::vector<Time>& busy);

    /** Set the verdict. */
    void Judge();

    Ptr<Lan> m_parts;                        ///< Holds the LAN's parameters.
    HostCosts m_costs;                       ///< Costs of the workstations.
    Ptr<PcodeParameters> m_pcode;            ///< Holds the parameters of P0, P1 and PCODE.
    Ptr<StreamGroup> m_tcp;                  ///< Holds TCP's parameters.
    double m_slowFactor{1};                  ///< Slowness of the first workstation.
    Ptr<Lan> m_lan;                          ///< The LAN, during a run.
    std::unique_ptr<ProgramDriver> m_driver; ///< Runs the program, during a run.
    Time m_quiet;                            ///< Time since a call has returned.
    uint64_t m_total{0};                     ///< Number of calls of the program.
    uint64_t m_lastReturned{0};              ///< Returned calls at the last progress.
    uint64_t m_lastSent{0};                  ///< Packets sent at the last progress.
    bool m_stuck{false};                     ///< The run was stopped for lack of progress.

    SystemKind m_system{};         ///< The system.
    CollectiveKind m_collective{}; ///< The collective operation.
    uint32_t m_nodes{0};           ///< Number of workstations.
    uint32_t m_size{0};            ///< Size of a message [bytes].
    uint32_t m_driverKind{0};      ///< Implementation; 0 for the default of the system.
    uint32_t m_rounds{0};          ///< Number of repetitions.
    IpcKind m_ipc{};               ///< Placement of the system.
    uint32_t m_receiveBuffer{0};   ///< Receive buffer of a UDP socket [bytes].

    double m_timePerCall{0};          ///< Result, mean over the nodes [ms].
    uint64_t m_packets{0};            ///< Result: packets sent.
    uint64_t m_nacks{0};              ///< Result: NACKs sent.
    uint64_t m_resends{0};            ///< Result: resent messages.
    uint64_t m_collisions{0};         ///< Result: collided transmission attempts.
    uint64_t m_repairs{0};            ///< Result: messages delivered after a loss.
    double m_repairTime{0};           ///< Result, mean from the loss to the delivery [ms].
    uint64_t m_overflows{0};          ///< Result: datagrams lost at full receive buffers.
    uint64_t m_returned{0};           ///< Result: returned calls.
    Ptr<messaging::Table> m_machines; ///< Result: a row for each node.
    Ptr<messaging::Table> m_reasons;  ///< Result: a row for each reason.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_SCENARIO_H
