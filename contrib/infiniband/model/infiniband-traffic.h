/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_TRAFFIC_H
#define INFINIBAND_TRAFFIC_H

#include "infiniband-fabric.h"

#include "ns3/random-variable-stream.h"

#include <deque>
#include <functional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup infiniband
 * Traffic of many hosts over a fabric, without adapters or transports.
 */

namespace ns3
{
namespace infiniband
{

/** Whom hosts send to. */
enum class Pattern : uint8_t
{
    UNIFORM,    ///< Any other host, at random.
    ALL_TO_ALL, ///< All other hosts in turn, each beginning with the one behind itself.
    INCAST,     ///< All to host 0, which sends nothing.
    PERMUTATION ///< One host each, at random, to which no other sends.
};

/** What the hosts do. */
struct TrafficConfig
{
    Pattern pattern{};    ///< Whom hosts send to.
    uint32_t payload{0};  ///< Payload of each packet [bytes].
    double load{0};       ///< Share of its link's rate that each host offers.
    Ticks duration{0};    ///< For how long [ticks].
    uint32_t services{1}; ///< Service levels, used in turn.
};

/**
 * @ingroup infiniband
 * Hosts that offer packets at random times for a while, over all paths and service levels in turn.
 * What a host's output does not take waits at the host.
 *
 * The books tell of each packet whether it has arrived once, was lost once or is still under way,
 * and whether packets of one pair, path and lane have kept their order.
 */
class Traffic : public FabricUser, private messaging::TickUser
{
  public:
    /** Told how far the traffic is: ticks done. */
    using Progress = std::function<void(Ticks)>;

    /**
     * Construct.
     * @param clock the clock
     * @param fabric the fabric, to be started with this as its user
     * @param hosts how many hosts the fabric will have
     * @param config what the hosts do
     */
    Traffic(Ptr<messaging::TickClock> clock,
            Ptr<Fabric> fabric,
            HostId hosts,
            const TrafficConfig& config);

    /**
     * Assign random streams.
     * @param stream first stream
     * @return number of streams assigned
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Place the first packets; then the simulator is to be run. The fabric has to have started.
     * @param progress told now and then how far it is; may be empty
     */
    void Start(Progress progress = nullptr);

    /** @return packets that were offered. */
    uint64_t GetNOffered() const
    {
        return m_fates.size();
    }

    /** @return packets that wait at their hosts. */
    uint64_t GetNWaiting() const;

    /** @return payload that has arrived while packets were being offered [bytes]. */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /** @return packets that have arrived behind a later one of their pair. */
    uint64_t GetNOvertaken() const
    {
        return m_overtaken;
    }

    /** @return latency of each packet that has arrived, from when it was offered [ticks]. */
    const std::vector<Ticks>& GetLatencies() const
    {
        return m_latencies;
    }

    /**
     * Audit: each packet has arrived once, was lost once, or is still under way.
     * @return an empty text, or one sentence that names the first packet of which that is not so
     */
    std::string Audit() const;

    Ticks OnPacket(HostId host, PacketIndex index) override;
    void OnReady(HostId host, uint8_t lane) override;
    void OnDrop(PacketIndex index, DropReason reason) override;

  private:
    /** A packet that waits at its host. */
    struct Waiting
    {
        uint64_t number; ///< Of all packets offered.
        HostId to;       ///< Destination.
        Ticks offered;   ///< When it was offered.
    };

    /** What has become of a packet. */
    enum class Fate : uint8_t
    {
        UNDER_WAY, ///< Nothing yet.
        ARRIVED,   ///< It has arrived.
        LOST,      ///< It was lost.
        TWICE      ///< It has ended more than once.
    };

    /** A host. */
    struct Host
    {
        std::deque<Waiting> waiting; ///< What its output has not taken.
        double next{0};              ///< When it offers its next packet [ticks].
        double gap{0};               ///< Mean time between packets [ticks].
        HostId partner{0};           ///< Destination in PERMUTATION, last one in ALL_TO_ALL.
        uint32_t sent{0};            ///< Packets sent, which choose path and service level.
    };

    void OnTick(messaging::Peer peer, uint64_t datum) override;

    /**
     * Have the next packet of a host offered.
     * @param host the host
     */
    void PlanNext(HostId host);

    /**
     * Choose to whom the next packet of a host goes.
     * @param host the host
     * @return the destination
     */
    HostId ChooseDestination(HostId host);

    /**
     * Hand what waits at a host to its output, as far as that takes it.
     * @param host the host
     */
    void Pump(HostId host);

    /**
     * Note how a packet has ended.
     * @param number the packet
     * @param fate how
     */
    void End(uint64_t number, Fate fate);

    Ptr<messaging::TickClock> m_clock;     ///< The clock.
    Ptr<Fabric> m_fabric;                  ///< The fabric.
    TrafficConfig m_config;                ///< What the hosts do.
    uint16_t m_wire;                       ///< Length of a packet on the wire [bytes].
    uint32_t m_number;                     ///< The clock's number for this.
    Ptr<ExponentialRandomVariable> m_gaps; ///< Times between packets.
    Ptr<UniformRandomVariable> m_choices;  ///< Destinations.
    std::vector<Host> m_hosts;             ///< By number.
    std::vector<Fate> m_fates;             ///< By packet.
    std::vector<uint32_t> m_newest;        ///< By pair: last packet that has arrived.
    std::vector<Ticks> m_latencies;        ///< Of packets that have arrived [ticks].
    Progress m_progress;                   ///< Told how far it is.
    uint64_t m_bytes{0};                   ///< Payload arrived in time.
    uint64_t m_overtaken{0};               ///< Packets overtaken.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_TRAFFIC_H
