/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_TRAFFIC_H
#define MYRINET_TRAFFIC_H

#include "myrinet-network.h"

#include "ns3/random-variable-stream.h"

#include <deque>
#include <functional>
#include <vector>

/**
 * @file
 * @ingroup myrinet
 * Traffic of many hosts over a Myrinet, without any protocol.
 */

namespace ns3
{
namespace myrinet
{

/** Whom hosts send to. */
enum class Pattern : uint8_t
{
    UNIFORM,    ///< Any other host, at random.
    ALL_TO_ALL, ///< All other hosts in turn, each beginning with the one behind itself.
    SHIFT,      ///< The host that is a given number further on.
    HOT_SPOT    ///< Host 0 with a given probability, or any other host.
};

/** What the hosts do. */
struct TrafficConfig
{
    Pattern pattern{};  ///< Whom hosts send to.
    uint32_t bytes{0};  ///< Payload of each packet.
    double load{0};     ///< Share of a link's rate that each host offers.
    Ticks duration{0};  ///< For how long [ticks].
    uint32_t shift{1};  ///< How much further on, for SHIFT.
    double hotShare{0}; ///< Probability, for HOT_SPOT.
};

/**
 * @ingroup myrinet
 * Hosts that offer packets at random times for a while. What a send engine does not take waits at
 * its host.
 */
class Traffic : private messaging::PortUser, private messaging::TickUser
{
  public:
    /** Told how far the traffic is: ticks done. */
    using Progress = std::function<void(Ticks)>;

    /**
     * Construct.
     * @param clock the clock
     * @param port the network
     * @param config what the hosts do
     */
    Traffic(Ptr<messaging::TickClock> clock, Ptr<MyrinetNetwork> port, const TrafficConfig& config);

    ~Traffic() override;

    Traffic(const Traffic&) = delete;
    Traffic& operator=(const Traffic&) = delete;

    /**
     * Assign random streams.
     * @param stream first stream
     * @return number of streams assigned
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Place the first packets; then the simulator is to be run.
     * @param progress told now and then how far it is; may be empty
     */
    void Start(Progress progress = nullptr);

    /** @return packets that were offered. */
    uint64_t GetNOffered() const
    {
        return m_offered;
    }

    /** @return packets that wait at their hosts. */
    uint64_t GetNWaiting() const;

    /** @return payload that has arrived while packets were being offered [bytes]. */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /** @return latency of each packet that has arrived, from when it was offered [ticks]. */
    const std::vector<Ticks>& GetLatencies() const
    {
        return m_latencies;
    }

  private:
    /** A packet that waits at its host. */
    struct Waiting
    {
        Peer to;       ///< Destination.
        Ticks offered; ///< When it was offered.
    };

    void OnFrame(Peer self, Peer from, const Frame& frame) override;
    void OnReady(Peer self) override;
    void OnTick(Peer peer, uint64_t datum) override;

    /**
     * Have the next packet of a host offered.
     * @param host the host
     */
    void PlanNext(Peer host);

    /**
     * Choose to whom the next packet of a host goes.
     * @param host the host
     * @return the destination
     */
    Peer ChooseDestination(Peer host);

    Ptr<messaging::TickClock> m_clock;          ///< The clock.
    Ptr<MyrinetNetwork> m_port;                 ///< The network.
    TrafficConfig m_config;                     ///< What the hosts do.
    uint32_t m_number;                          ///< The clock's number for this.
    double m_meanGap{0};                        ///< Mean time between packets of a host [ticks].
    Ptr<ExponentialRandomVariable> m_gaps;      ///< Times between packets.
    Ptr<UniformRandomVariable> m_choices;       ///< Destinations.
    std::vector<std::deque<Waiting>> m_waiting; ///< By host.
    std::vector<double> m_next;     ///< By host, when it offers its next packet [ticks].
    std::vector<uint32_t> m_turn;   ///< By host, its turn in ALL_TO_ALL.
    std::vector<Ticks> m_latencies; ///< Of packets that have arrived [ticks].
    Progress m_progress;            ///< Told how far it is.
    uint64_t m_offered{0};          ///< Packets offered.
    uint64_t m_bytes{0};            ///< Payload arrived in time.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_TRAFFIC_H
