/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_NET_DEVICE_CONFORMANCE_H
#define MESSAGING_NET_DEVICE_CONFORMANCE_H

#include "ns3/net-device-container.h"
#include "ns3/node-container.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Conformance checks of NetDevices, for the tests of any module.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Checks whether a NetDevice behaves as the IP stack, the helpers and users' programs expect.
 *
 * A test provides a builder for a small network of the device, and the checks that the device is
 * known to fail:
 *
 * @code
 *   NetDeviceConformance conformance{[] {
 *       NetDeviceConformance::Network network;
 *       network.nodes.Create(3);
 *       network.devices = CsmaHelper().Install(network.nodes);
 *       return network;
 *   }};
 *   conformance.exceptions["mtu-enforced"] = "csma sends whatever it is given";
 *   for (const auto& finding : conformance.Run())
 *   {
 *       NS_TEST_EXPECT_MSG_EQ(finding.check + ": " + finding.sentence, "", "the device conforms");
 *   }
 * @endcode
 *
 * Every check builds its own network, runs its own simulation and calls Simulator::Destroy, so that
 * checks are independent.
 */
struct NetDeviceConformance
{
    /** A network under test: one device on each node. */
    struct Network
    {
        NodeContainer nodes;        ///< Two nodes or more, without an internet stack.
        NetDeviceContainer devices; ///< The device of each node, in the order of the nodes.
    };

    /** A failed check. */
    struct Finding
    {
        std::string check;    ///< Name of the check.
        std::string sentence; ///< The failure, in one sentence.
    };

    /**
     * Run all checks.
     * @return the findings, empty if the device conforms
     */
    std::vector<Finding> Run() const;

    /** Builds a new network; called at least once for each check. */
    std::function<Network()> build;

    /** Calls the helper's EnablePcap with the prefix of the files; without it, the check `pcap`
     * fails. */
    std::function<void(const std::string&, const Network&)> enablePcap{};

    /** Calls the helper's AssignStreams with the first stream, and returns the number of streams;
     * without it, the check `assign-streams` fails. */
    std::function<int64_t(const Network&, int64_t)> assignStreams{};

    /** Sets the link of a device up (true) or down; without it, the check `link-change` only
     * registers a callback. */
    std::function<void(Ptr<NetDevice>, bool)> setLink{};

    /** Checks that the device is known to fail, with the reason. They still run, and an exception
     * for a check that passes is a finding. */
    std::map<std::string, std::string> exceptions{};
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_NET_DEVICE_CONFORMANCE_H
