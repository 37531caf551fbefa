/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_ETHERNET_SWITCH_TRAFFIC_H
#define BROADCAST_ETHERNET_SWITCH_TRAFFIC_H

#include "broadcast-ethernet-switch.h"

#include "ns3/random-variable-stream.h"

#include <functional>
#include <unordered_map>
#include <vector>

/**
 * @file
 * @ingroup broadcast-ethernet
 * A station for experiments with switches, without node and packets.
 */

namespace ns3
{
namespace ethernet
{

/** What has been measured at all stations of an experiment together. */
struct SwitchMeasurement
{
    std::unordered_map<const WireFrame*, int64_t> begins; ///< When frames under way began [ns].
    std::vector<int64_t> latencies;                       ///< Of copies delivered [ns].
    int64_t first{-1};                                    ///< When the first frame began [ns].
    int64_t last{0};                                      ///< When the last copy arrived [ns].
    uint64_t sent{0};                                     ///< Frames sent.
    std::function<void(uint64_t)> progress;               ///< Told of their number now and then.
};

/** A station that sends frames, some at a time. */
class SwitchStation : public MediumUser
{
  public:
    /** What it sends. */
    struct Traffic
    {
        uint32_t bytes;     ///< Length of frames.
        uint32_t frames;    ///< How many.
        uint32_t burst;     ///< How many at the same time.
        uint32_t receivers; ///< Number of stations, if each frame goes to another; else 0.
        Mac48Address to;    ///< Where they go to, if all go there.
        Time interval; ///< Mean time between bursts, exponential; zero for one after the other.
    };

    /**
     * Plug the station in.
     * @param lan its switch
     * @param number its number
     * @param measurement of all stations
     */
    SwitchStation(Ptr<EthernetSwitch> lan, uint32_t number, SwitchMeasurement& measurement);

    SwitchStation(const SwitchStation&) = delete;
    SwitchStation& operator=(const SwitchStation&) = delete;

    /**
     * Assign random streams to the times between bursts and to the receivers.
     * @param stream the first stream
     * @return the number of streams assigned
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * @param number number of a station
     * @return its address
     */
    static Mac48Address GetAddress(uint32_t number);

    /** Tell switches where the station is. */
    void Announce();

    /**
     * Begin to send.
     * @param traffic what
     */
    void Start(const Traffic& traffic);

  private:
    /** Let the next burst come. */
    void ScheduleBurst();

    /** A burst has come. */
    void Burst();

    /** Send the next frame, if there is one and none is on its way out. */
    void TransmitNext();

    void OnTransmitBegin(uint32_t) override;

    void OnCollision(uint32_t) override;

    void OnTransmitEnd(TxOutcome) override;

    bool Wants(const WireFrame& frame) const override;

    void OnReceive(Ptr<const WireFrame> frame, bool) override;

    Ptr<EthernetSwitch> m_lan;             ///< Its switch.
    SwitchMeasurement& m_measurement;      ///< Of all stations.
    Mac48Address m_address;                ///< Its address.
    uint32_t m_number;                     ///< Its number.
    uint32_t m_port;                       ///< Its port at the switch.
    Ptr<ExponentialRandomVariable> m_gaps; ///< Times between bursts.
    Ptr<UniformRandomVariable> m_choice;   ///< Receivers.
    Traffic m_traffic{};                   ///< What it sends.
    Ptr<const WireFrame> m_current;        ///< The frame that is on its way out.
    uint32_t m_waiting{0};                 ///< Frames that have come and wait.
    uint32_t m_left{0};                    ///< Frames that are to come.
};

} // namespace ethernet
} // namespace ns3

#endif // BROADCAST_ETHERNET_SWITCH_TRAFFIC_H
