/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_REPLAY_SCENARIO_H
#define IDEMPOTENT_REPLAY_SCENARIO_H

#include "idempotent-config.h"
#include "idempotent-trace-scenario.h"

#include "ns3/messaging-audit.h"
#include "ns3/wormhole-types.h"

#include <array>

/**
 * @file
 * @ingroup idempotent
 * The named results of a replay.
 */

namespace ns3
{
namespace idempotent
{

/** What one replay has come to. */
struct ReplayResults
{
    uint64_t cycles{0};                    ///< Last delivery or block end [cycles].
    double clockRatio{1};                  ///< Cycles in a cycle of the slower clock.
    uint64_t nodes{0};                     ///< Nodes of the trace.
    uint64_t messages{0};                  ///< Messages that were to enter the network.
    uint64_t delivered{0};                 ///< Messages delivered.
    uint64_t blocks{0};                    ///< Blocks of the trace.
    uint64_t stalls{0};                    ///< Messages that had to wait for a send table.
    uint64_t drains{0};                    ///< Drains for want of message IDs.
    std::array<uint64_t, EVENTS> events{}; ///< What the protocol has counted.
    uint64_t failures{0};                  ///< Failures of links and routers.
    wormhole::Counters network;            ///< What the network has counted.
    messaging::AuditCounts audit;          ///< What the delivery audit has counted.
    uint64_t peakSendTable{0};             ///< Most entries of a send table in use.
    uint64_t peakReceiveTable{0};          ///< Most entries of a receive table in use.
    uint64_t sendTable{0};                 ///< Entries of a send table.
    uint64_t receiveTable{0};              ///< Entries of a receive table.
    uint64_t protocolMemory{0};            ///< Protocol state of all nodes [bytes].
    uint64_t traceMemory{0};               ///< Trace and replay [bytes].
    bool verified{false};                  ///< The benchmark computed the right result.

    /**
     * @param event an event
     * @return how often it has happened
     */
    uint64_t Get(Event event) const
    {
        return events[static_cast<std::size_t>(event)];
    }
};

/**
 * @ingroup idempotent
 * Base of the experiments that replay a trace on a wormhole network: their named results.
 */
class ReplayScenario : public TraceScenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ReplayScenario();
    ~ReplayScenario() override;

  protected:
    ReplayResults m_results;           ///< Numbers.
    Ptr<messaging::Table> m_drops;     ///< Dropped packets by reason.
    Ptr<messaging::Table> m_events;    ///< Protocol events.
    Ptr<messaging::Table> m_occupancy; ///< Nodes by most entries in use.
    Ptr<messaging::Table> m_heatMap;   ///< Use of each channel.
    Ptr<messaging::Table> m_timeline;  ///< Each message.

    /** Fill the tables that need nothing but m_results. */
    void MakeTables();

  private:
    /** @name Results
     * Getters of the attributes of the same names; their help texts tell what they are.
     * @{ */
    uint64_t GetCycles() const;                ///< @return Cycles.
    double GetSlowCycles() const;              ///< @return SlowCycles.
    uint64_t GetNodesOfTrace() const;          ///< @return NetworkNodes.
    uint64_t GetBlocks() const;                ///< @return Blocks.
    uint64_t GetMessages() const;              ///< @return Messages.
    uint64_t GetDelivered() const;             ///< @return Delivered.
    uint64_t GetStalls() const;                ///< @return Stalls.
    uint64_t GetPackets() const;               ///< @return Packets.
    double GetPacketsPerMessage() const;       ///< @return PacketsPerMessage.
    double GetTransmissionsPerMessage() const; ///< @return TransmissionsPerMessage.
    double GetAcksPerMessage() const;          ///< @return AcksPerMessage.
    uint64_t GetConfs() const;                 ///< @return Confirmations.
    uint64_t GetInjected() const;              ///< @return Injected.
    uint64_t GetHops() const;                  ///< @return Hops.
    double GetHopsPerMessage() const;          ///< @return HopsPerMessage.
    uint64_t GetSourceFailures() const;        ///< @return SourceFailures.
    uint64_t GetNetworkDrops() const;          ///< @return NetworkDrops.
    uint64_t GetCutDrops() const;              ///< @return CutDrops.
    uint64_t GetNoRouteDrops() const;          ///< @return NoRouteDrops.
    uint64_t GetFailed() const;                ///< @return Failed.
    uint64_t GetMisroutes() const;             ///< @return Misroutes.
    uint64_t GetTableDrops() const;            ///< @return TableDrops.
    uint64_t GetDuplicates() const;            ///< @return Duplicates.
    uint64_t GetPeakSendTable() const;         ///< @return PeakSendTable.
    uint64_t GetPeakReceiveTable() const;      ///< @return PeakReceiveTable.
    uint64_t GetDrains() const;                ///< @return Drains.
    double GetTableBytesPerNode() const;       ///< @return TableBytesPerNode.
    double GetSequenceBytesPerNode() const;    ///< @return SequenceBytesPerNode.
    double GetSimulationBytesPerNode() const;  ///< @return SimulationBytesPerNode.
    uint64_t GetAuditViolations() const;       ///< @return AuditViolations.
    bool GetVerified() const;                  ///< @return Verified.
    /** @} */
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_REPLAY_SCENARIO_H
