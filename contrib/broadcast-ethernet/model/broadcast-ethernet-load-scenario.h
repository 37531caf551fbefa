/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_LOAD_SCENARIO_H
#define BROADCAST_ETHERNET_LOAD_SCENARIO_H

#include "broadcast-ethernet-segment.h"

#include "ns3/messaging-scenario.h"
#include "ns3/nstime.h"

/**
 * @file
 * @ingroup broadcast-ethernet
 * Scenario ethernet-load.
 */

namespace ns3
{
namespace ethernet
{

/**
 * @ingroup broadcast-ethernet
 * What a shared segment does with an offered load: utilization, delays, collisions, losses, and how
 * evenly stations come to send.
 *
 * It has all parameters of EthernetSegment beside its own. Stations are plugged into the segment
 * without nodes and packets.
 */
class EthernetLoadScenario : public messaging::Scenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    EthernetLoadScenario();
    ~EthernetLoadScenario() override;

    std::string Check() const override;

  protected:
    void DoDispose() override;
    void DoRun() override;

  private:
    /** @return the bits of a frame on the wire, preamble and gap included; the mean of all. */
    double GetMeanWireBits() const;

    /** @return the bits of a frame, from header to FCS; the mean of all. */
    double GetMeanBits() const;

    Ptr<EthernetSegment> m_segment; ///< Holds the parameters of the segment.
    uint32_t m_stations{0};         ///< Number of stations.
    uint32_t m_bytes{0};            ///< Length of frames [bytes].
    double m_shortShare{0};         ///< Share of frames that are of the shortest length instead.
    double m_load{0};               ///< Offered load [fraction], 0 for saturated stations.
    uint32_t m_ring{0};             ///< Frames that wait at a station.
    Time m_hostGap;                 ///< Time from the end of a frame until the next is ready.
    Time m_warmUp;                  ///< Time before the measurement.
    Time m_duration;                ///< Time of the measurement.

    double m_utilization{0};            ///< Share of the data rate in frames sent.
    double m_occupancy{0};              ///< The same with preambles and gaps.
    double m_metcalfeBoggs{0};          ///< Occupancy by the formula of Metcalfe and Boggs.
    double m_frameRate{0};              ///< Frames sent [1/s].
    double m_meanDelay{0};              ///< From a frame's arrival at its station to its end [us].
    double m_meanAccess{0};             ///< From its turn at its station to its end [us].
    double m_accessDeviation{0};        ///< Standard deviation of that [us].
    double m_collisionsPerFrame{0};     ///< Attempts that collided, for each frame sent.
    double m_loss{0};                   ///< Share of frames given up after collisions.
    double m_ringLoss{0};               ///< Share of frames that found the ring full.
    double m_fairness{0};               ///< Jain's index of frames sent by station.
    double m_meanRun{0};                ///< Frames that a station sends in a row.
    uint64_t m_lateCollisions{0};       ///< Collisions past the collision window.
    uint64_t m_frames{0};               ///< Frames sent.
    double m_eventsPerFrame{0};         ///< Simulator events of the segment, for each frame.
    Ptr<messaging::Table> m_perStation; ///< A row a station.
    Ptr<messaging::Table> m_attempts;   ///< Frames by attempts.
    Ptr<messaging::Table> m_delays;     ///< Quantiles of delays.
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_LOAD_SCENARIO_H
