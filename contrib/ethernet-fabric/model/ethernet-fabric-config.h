/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_FABRIC_CONFIG_H
#define ETHERNET_FABRIC_CONFIG_H

#include "ethernet-fabric-types.h"

#include "ns3/data-rate.h"
#include "ns3/messaging-types.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup ethernet-fabric
 * Parameters of an Ethernet fabric.
 */

namespace ns3
{
namespace fabric
{

/** Parameters of a fabric; FabricNetwork has them as attributes, with their units. */
struct FabricConfig
{
    TopologyKind topology{TopologyKind::OF_PRESET}; ///< Shape.
    std::string topologyFile{};                     ///< File of the tiers.
    uint32_t hostsPerLeaf{0};                       ///< Hosts of a leaf; 0: see GetHostsPerLeaf.
    uint32_t spines{0};                             ///< Spines; 0: hosts of a leaf.
    uint32_t parallel{1};                           ///< Links between a switch and one above it.
    uint32_t planes{1};           ///< Copies of the topology, with a port of each host in each.
    uint32_t radix{0};            ///< Ports of a switch of a fat tree; 0: the least that suffices.
    uint32_t oversubscription{1}; ///< Hosts of a leaf for each link upwards, in a fat tree.
    DataRate hostRate{"400Gbps"}; ///< Rate of the hosts' links.
    DataRate trunkRate{"0bps"};   ///< Rate of links between switches; 0: hostRate.
    Time delay{NanoSeconds(500)}; ///< Delay of a link.
    uint32_t mtu{4096 + 64};      ///< Largest frame of a protocol [bytes].
    uint32_t overhead{46};        ///< Ethernet, IP and UDP around a protocol's frame [bytes].
    bool gaps{true};              ///< Preamble and gap take time.
    uint32_t sendQueue{2};        ///< Frames at a host's port.
    Switching switching{Switching::STORE_AND_FORWARD}; ///< Time of forwarding.
    uint32_t cutThrough{64};                           ///< Bytes before cut-through [bytes].
    Time latency{NanoSeconds(500)};                    ///< Latency of a switch.
    uint32_t classes{2};                               ///< Classes of traffic.
    std::string weights{};                ///< Weights of the classes; empty: strict priority.
    Sharing sharing{Sharing::FIXED};      ///< Limit of a queue.
    uint32_t buffer{1050000};             ///< Limit of a queue, or buffer of a switch [bytes].
    double alpha{1};                      ///< Largest ratio of queue to free buffer.
    Admission admission{Admission::DROP}; ///< Fate of a frame that finds a long queue.
    uint32_t trimThreshold{350000};       ///< Queue beyond which frames are trimmed [bytes].
    uint32_t trimSize{LEAST_FRAME};       ///< Length of a trimmed frame [bytes].
    uint32_t headerQueue{100000};         ///< Limit of a queue of trimmed frames [bytes].
    uint32_t pfcXoff{500000};             ///< Bytes of an input that pause its sender.
    double pfcAlpha{0};                   ///< The same as a ratio to the free buffer, or 0.
    uint32_t pfcResume{10000};            ///< Bytes below XOFF at which the sender resumes.
    uint32_t pfcHeadroom{0};              ///< Headroom of an input; 0: GetLeastHeadroom.
    Time pfcPause{0};    ///< Time for which a pause frame pauses; 0: until another ends it.
    Time pfcWatchdog{0}; ///< Longest pause before the queue is dropped; 0: no limit.
    uint32_t lossless{(1U << MAX_CLASSES) - 1}; ///< Bits of the classes with PFC.
    Ecn ecn{Ecn::OFF};                          ///< Congestion marks.
    uint32_t ecnLow{70000};                     ///< Lower threshold [bytes].
    uint32_t ecnHigh{280000};                   ///< Upper threshold [bytes].
    double ecnShare{1};                         ///< Probability at the upper threshold.
    EcnPoint ecnPoint{EcnPoint::ENQUEUE};       ///< Time of the measurement.
    bool ecnLastHop{true};                      ///< Ports to hosts mark, too.
    Routing routing{Routing::ECMP};             ///< Choice among ports.
    uint32_t paths{1};                          ///< Path values.
    double bitErrors{0};                        ///< Bit error rate of a link.
    std::string faults{};                       ///< Faults of links and switches, see ReadFaults.
    std::string faultsFile{};                   ///< File with further ones.
    Time convergence{MilliSeconds(10)};         ///< Time until routes avoid a link that is down.

    /** @param hosts number of hosts @return hosts of a leaf: in two tiers, the root of the number
     */
    uint32_t GetHostsPerLeaf(uint32_t hosts) const;

    /** @param hosts number of hosts @return number of spines of two tiers */
    uint32_t GetSpines(uint32_t hosts) const;

    /** @param hosts number of hosts @return ports of a switch of a fat tree, if each leaf had as
     * many links upwards as hosts */
    uint32_t GetRadix(uint32_t hosts) const;

    /** @param hosts number of hosts @return number of ends: hosts in all planes */
    uint32_t GetNEnds(uint32_t hosts) const
    {
        return hosts * planes;
    }

    /** @return number of path values that lead through a plane. */
    uint32_t GetPathsOfPlane() const
    {
        return std::max(1U, paths / planes);
    }

    /** @param path a path value @return its plane: each has the same number of values, plane 0 the
     * lowest ones */
    uint32_t GetPlane(uint16_t path) const
    {
        return path % paths / GetPathsOfPlane();
    }

    /** @return rate of the links between switches. */
    DataRate GetTrunkRate() const
    {
        return trunkRate.GetBitRate() > 0 ? trunkRate : hostRate;
    }

    /** @return length of a frame of the largest size on the wire, without preamble [bytes]. */
    uint32_t GetLargestFrame() const
    {
        return GetWireBytes(mtu);
    }

    /** @param bytes header and payload of a protocol's frame @return its length on the wire,
     * without preamble [bytes] */
    uint32_t GetWireBytes(uint32_t bytes) const
    {
        return bytes + overhead < LEAST_FRAME ? LEAST_FRAME : bytes + overhead;
    }

    /**
     * Get the headroom with which a lossless class loses nothing: what arrives at an input after
     * the frame that has crossed the threshold. See the module's documentation.
     * @return the headroom [bytes]
     */
    uint32_t GetLeastHeadroom() const;

    /** @return least time of a pause that a switch repeats in time: twice the time for which a
     * pause frame can wait for others. */
    Time GetLeastPause() const;

    /** @return the headroom of an input for each class [bytes]. */
    uint32_t GetHeadroom() const
    {
        return pfcHeadroom > 0 ? pfcHeadroom : GetLeastHeadroom();
    }

    /** @return the weight of each class, from class 0 on; none for strict priority, or if the text
     * is wrong. */
    std::vector<uint32_t> GetWeights() const;

    /** @return whether links or switches have faults. */
    bool HasFaults() const
    {
        return !faults.empty() || !faultsFile.empty();
    }

    /** @return whether a class has PFC. @param trafficClass the class */
    bool IsLossless(uint32_t trafficClass) const
    {
        return admission == Admission::PFC && (lossless >> trafficClass & 1);
    }

    /**
     * Check the parameters.
     * @param hosts number of hosts
     * @return empty, or one sentence with the error and the allowed values
     */
    std::string Check(uint32_t hosts) const;

    /** @return the properties of the network. @param hosts number of hosts, 0 if unknown */
    messaging::PortInfo GetInfo(uint32_t hosts) const;
};

} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_CONFIG_H
