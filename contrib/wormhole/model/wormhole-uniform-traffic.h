/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_UNIFORM_TRAFFIC_H
#define WORMHOLE_UNIFORM_TRAFFIC_H

#include "wormhole-faults.h"
#include "wormhole-network.h"

#include "ns3/random-variable-stream.h"

/**
 * @file
 * @ingroup wormhole
 * Packets between random nodes at a given rate.
 */

namespace ns3
{
namespace wormhole
{

/**
 * Drives a network with uniform random traffic: in each cycle each node sends a packet with a given
 * probability, to any node with equal probability, itself included.
 */
class UniformTraffic : public messaging::PortUser
{
  public:
    /** What was measured. */
    struct Result
    {
        double accepted{0};  ///< Flits delivered [flits a node and cycle].
        double latency{0};   ///< Mean time from the sending of a packet to its arrival [cycles].
        Ticks worst{0};      ///< The longest such time [cycles].
        double dropped{0};   ///< Packets dropped or refused, as a fraction of those offered.
        uint64_t packets{0}; ///< Packets whose latency was measured.
        uint64_t hops{0};    ///< Channels taken by heads, from the start.
        std::array<uint64_t, N_DROP_REASONS> drops{}; ///< Dropped packets by reason.
    };

    /**
     * Construct.
     * @param network the network, without a clock and at rest
     * @param flits length of each packet, checksum flit included
     */
    UniformTraffic(Ptr<WormholeNetwork> network, uint32_t flits);
    ~UniformTraffic() override;

    /**
     * Set what fails meanwhile.
     * @param faults the faults, which have been started on the network without a clock
     */
    void SetFaults(Ptr<WormholeFaults> faults);

    /**
     * Send for a number of cycles.
     * @param load offered load, 0 or more [flits a node and cycle]
     * @param cycles the number
     */
    void Run(double load, Ticks cycles);

    /** Begin to measure. Packets sent before do not count. */
    void BeginMeasurement();

    /**
     * End the measurement.
     * @return what was measured
     */
    Result EndMeasurement() const;

    /**
     * Assign random streams.
     * @param stream first stream
     * @return number of streams assigned
     */
    int64_t AssignStreams(int64_t stream);

    /** @return the cycle that is served next. */
    Ticks GetNow() const;

    void OnFrame(Peer self, Peer from, const Frame& frame) override;
    void OnReady(Peer self) override;

  private:
    Ptr<WormholeNetwork> m_network;      ///< The network.
    Ptr<WormholeFaults> m_faults;        ///< What fails, or null.
    Ptr<UniformRandomVariable> m_random; ///< For times and destinations.
    uint32_t m_flits;                    ///< Length of each packet.
    Frame m_frame;                       ///< What each packet carries.
    Ticks m_now{0};                      ///< The cycle that is served next.
    Ticks m_begin{0};                    ///< When the measurement began.
    double m_untilNext{-1}; ///< Node cycles until the next packet; negative if not drawn yet.
    uint64_t m_latency{0};  ///< Sum of the latencies measured.
    Ticks m_worst{0};       ///< Largest of them.
    uint64_t m_packets{0};  ///< Number of them.
    Counters m_before;      ///< Counters when the measurement began.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_UNIFORM_TRAFFIC_H
