/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_FLOWS_H
#define MESSAGING_TRAFFIC_FLOWS_H

#include "messaging-traffic-flow-sizes.h"

#include "ns3/messaging-types.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Workloads of flows, each with its start.
 */

namespace ns3
{
namespace messaging
{

/** A flow: a message of any size. Its start does not depend on other flows (open loop). */
struct TrafficFlow
{
    Time start;        ///< Its time.
    Peer from{0};      ///< Sender.
    Peer to{0};        ///< Receiver.
    uint32_t bytes{0}; ///< Size [bytes].

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const TrafficFlow&) const = default;
};

/** Rate of a Poisson process of flows. */
struct FlowLoad
{
    double load{0}; ///< Payload of a host's flows as a share of its link.
    double rate{0}; ///< Rate of a host's link [bytes/s].
};

/**
 * Make flows whose starts are a Poisson process, between random pairs of hosts.
 * @param random draws times, pairs and sizes
 * @param hosts number of hosts, at least 2
 * @param count number of flows
 * @param sizes their sizes
 * @param load their rate
 * @return the flows in the order of their starts
 */
std::vector<TrafficFlow> MakePoissonFlows(Ptr<UniformRandomVariable> random,
                                          uint32_t hosts,
                                          uint32_t count,
                                          const FlowSizes& sizes,
                                          const FlowLoad& load);

/**
 * Make an incast: random hosts send equal parts of a request to a random host at the same time.
 * @param random draws the hosts
 * @param hosts number of hosts
 * @param senders number of senders, below that of hosts
 * @param bytes size of all parts together [bytes]
 * @return the flows
 */
std::vector<TrafficFlow> MakeIncast(Ptr<UniformRandomVariable> random,
                                    uint32_t hosts,
                                    uint32_t senders,
                                    uint64_t bytes);

/**
 * Make a permutation: at time 0 each host sends to one other, and receives from one.
 * @param random draws the permutation, which is one cycle
 * @param hosts number of hosts, at least 2
 * @param bytes size of a flow [bytes]
 * @return the flows
 */
std::vector<TrafficFlow> MakePermutation(Ptr<UniformRandomVariable> random,
                                         uint32_t hosts,
                                         uint32_t bytes);

/**
 * Make an exchange among all: at time 0 each host sends to each other one, beginning with the
 * next.
 * @param hosts number of hosts
 * @param bytes size of a flow [bytes]
 * @return the flows
 */
std::vector<TrafficFlow> MakeAllToAll(uint32_t hosts, uint32_t bytes);

/**
 * Read flows from a file.
 *
 * The file is a flow file of HPCC's simulator, which begins with the number of flows, with lines of
 * source, destination, class, port, size in bytes and start in seconds; or a connection matrix of
 * htsim (.cm), with starts in microseconds and without triggers.
 *
 * @param path path of the file
 * @param hosts number of hosts
 * @param flows set to the flows in the order of their starts
 * @return empty, or one sentence with the error
 */
std::string ReadFlows(const std::string& path, uint32_t hosts, std::vector<TrafficFlow>& flows);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_FLOWS_H
