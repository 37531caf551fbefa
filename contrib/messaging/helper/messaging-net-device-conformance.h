/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_NET_DEVICE_CONFORMANCE_H
#define MESSAGING_NET_DEVICE_CONFORMANCE_H

#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/trace-helper.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Conformance checks of NetDevices.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Checks whether a NetDevice behaves as the IP stack, the helpers and users' programs expect:
 * attributes, addresses, callbacks, MTU, broadcast, promiscuous reception, SendFrom, changes of the
 * link, transmit queue, trace sources, error model, random streams, pcap and ascii traces,
 * disposal, and UDP, TCP and FlowMonitor over it.
 *
 * A test provides a builder for a small network of the device, hooks that call its helper, and the
 * checks that the device is known to fail:
 *
 * @code
 *   NetDeviceConformance conformance{[] {
 *       NetDeviceConformance::Network network;
 *       network.nodes.Create(3);
 *       network.devices = CsmaHelper().Install(network.nodes);
 *       return network;
 *   }};
 *   conformance.SetPcapHelper<CsmaHelper>();
 *   conformance.exceptions["mtu-enforced"] = "csma sends whatever it is given";
 *   for (const auto& finding : conformance.Run())
 *   {
 *       NS_TEST_EXPECT_MSG_EQ(finding.check + ": " + finding.sentence, "", "the device conforms");
 *   }
 * @endcode
 *
 * Every check builds its own network, runs its own simulation and calls Simulator::Destroy, so that
 * checks are independent. The log component MessagingNetDeviceConformance shows each result.
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

    /** Hook that calls a method of a helper with the prefix of files and the network. */
    using Enable = std::function<void(const std::string&, const Network&)>;

    /**
     * Run all checks.
     * @return the findings, empty if the device conforms
     */
    std::vector<Finding> Run() const;

    /** @return the names of all checks, in their order. */
    static std::vector<std::string> GetChecks();

    /**
     * Set the hook enablePcap, for all of a helper's devices on the nodes.
     * @tparam Helper helper of the devices
     */
    template <class Helper>
    void SetPcapHelper()
    {
        enablePcap = [](const std::string& prefix, const Network& network) {
            Helper().EnablePcap(prefix, network.nodes);
        };
    }

    /**
     * Set the hook enableAscii, for all of a helper's devices on the nodes.
     * @tparam Helper helper of the devices
     */
    template <class Helper>
    void SetAsciiHelper()
    {
        enableAscii = [](const std::string& prefix, const Network& network) {
            Helper().EnableAscii(prefix, network.nodes);
        };
    }

    /** Builds a new network; called at least once for each check. */
    std::function<Network()> build;

    /** Calls the helper's EnablePcap; without it, the check `pcap` fails. */
    Enable enablePcap{};

    /** Calls the helper's EnableAscii; without it, the check `ascii` is left out. EnableAscii of
     * ns-3's helpers requires that the program calls Packet::EnablePrinting before it makes its
     * first packet. */
    Enable enableAscii{};

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
