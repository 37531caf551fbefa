/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_SCENARIO_H
#define PCODE_SCENARIO_H

#include "ns3/event-id.h"
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
    GATHER,     ///< To node 0.
    SCATTER,    ///< From node 0.
    COMBINE,    ///< At node 0, and the result to all.
    BARRIER     ///< Nobody leaves before all have entered.
};

/**
 * @ingroup pcode
 * Rounds of a collective operation on workstations on an Ethernet, over one of the systems that
 * Figures 6 to 11 compare.
 *
 * Its parameters are its own, those of the LAN, of the workstations' costs, of TCP, and of the
 * protocols. A round's time divided by the number of nodes is the paper's time per call.
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
    /** @return how applications reach the system. */
    IpcKind GetIpc() const;

    /** @return which of the two implementations of section 6.2 is run. */
    uint32_t GetDriver() const
    {
        return m_driverKind > 0 ? m_driverKind : m_system == SystemKind::TCP ? 1 : 2;
    }

    /** @return the program. */
    GlobalProgram MakeProgram() const;

    /** Check progress, and end the run when there is none. */
    void Watch();

    /** @return calls of all nodes that have returned. */
    uint64_t GetNReturned() const;

    /** @return packets that all interfaces have sent. */
    uint64_t GetNSent() const;

    /**
     * Compute the results.
     * @param system the system
     * @param begun when the program was started
     * @param busy busy time of each CPU by then
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
    EventId m_watch;                         ///< The next check of progress.
    Time m_quiet;                            ///< Time without the return of a call.
    uint64_t m_total{0};                     ///< Calls of the program.
    uint64_t m_lastReturned{0}; ///< Calls that had returned when progress was seen last.
    uint64_t m_lastSent{0};     ///< Packets that had been sent then.
    bool m_stuck{false};        ///< The run was given up.

    SystemKind m_system{};         ///< The system.
    CollectiveKind m_collective{}; ///< The collective operation.
    uint32_t m_nodes{0};           ///< Workstations.
    uint32_t m_size{0};            ///< Size of a message [bytes].
    uint32_t m_driverKind{0};      ///< Implementation; 0 for the system's own.
    uint32_t m_rounds{0};          ///< Repetitions.
    IpcKind m_ipc{};               ///< How applications reach the system.
    uint32_t m_receiveBuffer{0};   ///< Receive buffer of a UDP socket [bytes].

    double m_timePerCall{0};          ///< Mean over the nodes [ms].
    uint64_t m_packets{0};            ///< Packets sent.
    uint64_t m_nacks{0};              ///< NACKs sent.
    uint64_t m_resends{0};            ///< Messages sent again.
    uint64_t m_collisions{0};         ///< Attempts to send that ended in a collision.
    uint64_t m_overflows{0};          ///< Datagrams lost to full receive buffers.
    uint64_t m_returned{0};           ///< Calls that have returned.
    Ptr<messaging::Table> m_machines; ///< A row a node.
    Ptr<messaging::Table> m_reasons;  ///< A row a reason.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_SCENARIO_H
