/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IDEMPOTENT_SCENARIO_H
#define IDEMPOTENT_SCENARIO_H

#include "idempotent-datagram-core.h"
#include "idempotent-group.h"
#include "idempotent-replay-scenario.h"
#include "idempotent-replayer.h"

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

/** Strategies of retransmission by name (sections 4.3 and 6). */
enum class BackoffKind : uint8_t
{
    CONSTANT,    ///< ConstantBackoff.
    LINEAR,      ///< LinearBackoff.
    QUADRATIC,   ///< QuadraticBackoff.
    EXPONENTIAL, ///< ExponentialBackoff.
    TABLE,       ///< TableBackoff.
    CONGESTION   ///< CongestionBackoff.
};

/** What carries the messages. */
enum class ProtocolKind : uint8_t
{
    AUTO,       ///< The idempotent protocol, or none where no packet is ever dropped.
    IDEMPOTENT, ///< The idempotent protocol.
    NONE        ///< Each message is one packet.
};

/**
 * @ingroup idempotent
 * Replays a block-structured trace on a wormhole network, with the idempotent messaging protocol
 * or, on the perfect network of section 4.5, without any.
 *
 * Its parameters are those of the trace and the machine (TraceScenario), of the network
 * (wormhole::WormholeNetwork, wormhole::WormholeFaults), of the protocol (IdempotentGroup), of the
 * replay (TraceReplayer), and its own. Its results are those of ReplayScenario.
 */
class IdempotentScenario : public ReplayScenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    IdempotentScenario();
    ~IdempotentScenario() override;

    std::string Check() const override;

  protected:
    void DoRun() override;
    void DoDispose() override;

  private:
    /** The protocol on a wormhole network. */
    using ProtocolGroup = IdempotentPortGroup<wormhole::WormholeNetwork>;
    /** No protocol on a wormhole network. */
    using DatagramGroup = messaging::CoreGroup<DatagramCore, wormhole::WormholeNetwork>;

    /**
     * Create the network.
     * @param nodes number of nodes
     * @return the network, without a clock
     */
    Ptr<wormhole::WormholeNetwork> MakeNetwork(uint32_t nodes) const;

    /** @return the backoff policy. */
    Ptr<BackoffPolicy> MakeBackoff() const;

    /**
     * Create the protocol.
     * @param network the network that it will be on
     * @return the group, not connected yet
     */
    Ptr<ProtocolGroup> MakeProtocol(const wormhole::WormholeNetwork& network) const;

    /** @return whether the idempotent protocol is used. */
    bool UsesProtocol() const;

    /**
     * A packet has arrived; heard only if the network is observed.
     * @param packet the packet
     * @param now the cycle
     */
    void OnArrival(const wormhole::Packet& packet, messaging::Ticks now);

    /**
     * Stop the simulation, now or when all is quiet.
     * @param clock the clock
     * @param faults what fails; at random nothing does any more
     */
    void OnEnded(const messaging::TickClock& clock, wormhole::WormholeFaults& faults) const;

    /**
     * Look for a message whose way is broken: one that has not arrived, or whose sender cannot be
     * told that it has.
     * @param audit knows the messages under way
     * @param protocol knows whose exchanges are not over; null if there is no protocol
     * @param network knows what has failed
     * @return a clause that names the message or its nodes, or an empty text
     */
    static std::string FindCutOff(const messaging::DeliveryAudit& audit,
                                  Ptr<const ProtocolGroup> protocol,
                                  const wormhole::WormholeNetwork& network);

    /**
     * Set how the run has ended.
     * @param quiet nothing is pending
     * @param audit the delivery audit, finished
     * @param protocol the protocol; null if there is none
     * @param network the network
     */
    void Judge(bool quiet,
               const messaging::DeliveryAudit& audit,
               Ptr<const ProtocolGroup> protocol,
               const wormhole::WormholeNetwork& network);

    /**
     * Collect what the protocol has counted.
     * @param group the protocol
     */
    void CollectProtocol(const ProtocolGroup& group);

    Ptr<wormhole::WormholeNetwork> m_network; ///< Holds the network's parameters.
    Ptr<wormhole::WormholeFaults> m_faults;   ///< Holds the parameters of what fails.
    Ptr<ProtocolGroup> m_protocol;            ///< Holds the protocol's parameters.
    Ptr<TraceReplayer> m_replay;              ///< Holds the replay's parameters.
    Ptr<TraceReplayer> m_replayer;            ///< Replays, during a run.

    messaging::Ticks m_lastArrival{0}; ///< Of a packet, if the network is observed [cycles].
    BackoffKind m_backoff{};           ///< Strategy of retransmission.
    ProtocolKind m_protocolKind{};     ///< What carries the messages.
    double m_c{0};                     ///< The constant C [cycles].
    std::string m_backoffTable;        ///< Values of BackoffKind::TABLE.
    double m_gain{0};                  ///< Of BackoffKind::CONGESTION.
    uint32_t m_sendTable{0};           ///< Entries of a send table.
    uint32_t m_receiveTable{0};        ///< Entries of a receive table, 0 for twice the send table.
    double m_clockRatio{1};            ///< Cycles of the network in a cycle of the slower clock.
    bool m_drain{true};                ///< Go on until all is quiet.
    bool m_timelineWanted{false};      ///< Record the times of each message.
};

} // namespace idempotent
} // namespace ns3

#endif // IDEMPOTENT_SCENARIO_H
