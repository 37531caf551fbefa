/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_SCENARIO_H
#define IDEMPOTENT_SCENARIO_H

#include "ns3/idempotent-benchmark.h"
#include "ns3/idempotent-protocol.h"
#include "ns3/idempotent-replayer.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-scenario.h"
#include "ns3/wormhole-faults.h"
#include "ns3/wormhole-network.h"

/**
 * @file
 * @ingroup idempotent
 * The experiment of section 4 of paper 1.
 */

namespace ns3
{
namespace idempotent
{

/** Carrier of the messages. */
enum class ProtocolKind : uint8_t
{
    AUTO,       ///< The idempotent protocol, or none if the network drops no packet.
    IDEMPOTENT, ///< The idempotent protocol.
    NONE        ///< Each message is one packet.
};

/** Results of a replay; IdempotentScenario has them as results, with their units. */
struct ReplayResults
{
    uint64_t cycles{0};                ///< Last delivery or block end.
    double slowCycles{0};              ///< Execution time in cycles of the slower clock.
    uint64_t messages{0};              ///< Messages of the trace that use the network.
    uint64_t delivered{0};             ///< Messages delivered.
    uint64_t packets{0};               ///< MSG, ACK and CONF sent.
    double packetsPerMessage{0};       ///< Packets for each message.
    double transmissionsPerMessage{0}; ///< MSG sent for each message.
    uint64_t injected{0};              ///< Packets that entered the network.
    uint64_t hops{0};                  ///< Channels taken.
    uint64_t failed{0};                ///< Failures of links and routers.
    uint64_t misroutes{0};             ///< Hops away from the destination.
    uint64_t peakSendTable{0};         ///< Peak number of entries in any send table.
    uint64_t peakReceiveTable{0};      ///< Peak number of entries in any receive table.
    double tableBytesPerNode{0};       ///< Memory of the tables in a machine.
    double sequenceBytesPerNode{0};    ///< Memory of the alternative with sequence numbers.
    double simulationBytesPerNode{0};  ///< Memory of the simulation.
    Ptr<messaging::Table> drops;       ///< Dropped packets by reason.
    Ptr<messaging::Table> events;      ///< Protocol events.
    Ptr<messaging::Table> heatMap;     ///< Utilisation of each channel.
};

/**
 * @ingroup idempotent
 * Replays a block-structured trace on a wormhole network, with the idempotent messaging protocol
 * or, on the perfect network of section 4.5, without a protocol.
 *
 * Its parameters are those of the trace (BenchmarkParameters), of the network
 * (wormhole::WormholeNetwork), of the protocol (IdempotentProtocol), of the replay (TraceReplayer),
 * and its own.
 */
class IdempotentScenario : public messaging::Scenario, public ReplayResults
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    IdempotentScenario();

    std::string Check() const override;

  protected:
    void DoRun() override;

  private:
    /**
     * Read the trace file once.
     * @return its trace, or the error
     */
    const TraceOrError& ReadFile() const;

    /**
     * Create the network.
     * @param nodes number of nodes
     * @return the network, without a clock
     */
    Ptr<wormhole::WormholeNetwork> MakeNetwork(uint32_t nodes) const;

    /** @return the parameters of the protocol. */
    IdempotentSettings MakeSettings() const;

    /** @return whether the idempotent protocol is used. */
    bool UsesProtocol() const;

    /**
     * Record the arrival of a packet; traced only if the network is observed.
     * @param packet the packet
     * @param now the cycle
     */
    void OnArrival(const wormhole::Packet& packet, messaging::Ticks now);

    /**
     * Stop the simulation, now or when no packet is left.
     * @param clock the clock
     * @param faults faults of the network; ends random failures
     */
    void OnEnded(const messaging::TickClock& clock, wormhole::WormholeFaults& faults) const;

    /**
     * Find a message without a route: one that has not arrived, or whose ACK or CONF cannot.
     * @param audit lists the messages in flight
     * @param protocol lists the open exchanges; null without a protocol
     * @param port finds the routes around failures
     * @return a clause that names the message or its nodes, or an empty text
     */
    static std::string FindCutOff(const messaging::DeliveryAudit& audit,
                                  Ptr<const IdempotentGroup> protocol,
                                  const wormhole::WormholePort& port);

    /**
     * Set the verdict.
     * @param quiet whether no event is pending
     * @param audit the delivery audit, finished
     * @param protocol the protocol; null without one
     * @param port port of the network
     */
    void Judge(bool quiet,
               const messaging::DeliveryAudit& audit,
               Ptr<const IdempotentGroup> protocol,
               const wormhole::WormholePort& port);

    /**
     * Collect the results of the network.
     * @param port port of the network
     */
    void CollectNetwork(const wormhole::WormholePort& port);

    /**
     * Collect the results of the protocol.
     * @param group the protocol; null without one
     */
    void CollectProtocol(Ptr<const IdempotentGroup> group);

    BenchmarkParameters m_benchmark;          ///< Source of the trace.
    std::string m_traceFile;                  ///< Path of the trace file.
    mutable TraceOrError m_file;              ///< Result of the last read.
    mutable std::string m_fileRead;           ///< Path of the last read.
    Ptr<wormhole::WormholeNetwork> m_network; ///< Holds the network's parameters.
    Ptr<IdempotentProtocol> m_protocol;       ///< Holds the protocol's parameters.
    Ptr<TraceReplayer> m_replay;              ///< Holds the replay's parameters.
    Ptr<TraceReplayer> m_replayer;            ///< Replayer of the current run.

    messaging::Ticks m_lastArrival{0}; ///< Last arrival, if observed [cycles].
    ProtocolKind m_protocolKind{};     ///< Carrier of the messages.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_SCENARIO_H
