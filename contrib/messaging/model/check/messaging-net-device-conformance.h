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
 *   NetDeviceConformance conformance([] {
 *       NetDeviceConformance::Network network;
 *       network.nodes.Create(3);
 *       network.devices = CsmaHelper().Install(network.nodes);
 *       return network;
 *   });
 *   conformance.Except("mtu-enforced", "csma sends whatever it is given");
 *   for (const auto& finding : conformance.Run())
 *   {
 *       NS_TEST_EXPECT_MSG_EQ(finding.check + ": " + finding.sentence, "", "the device conforms");
 *   }
 * @endcode
 *
 * Every check builds its own network, runs its own simulation and calls Simulator::Destroy, so that
 * checks are independent.
 */
class NetDeviceConformance
{
  public:
    /** A network under test: one device on each node. */
    struct Network
    {
        NodeContainer nodes;        ///< Two nodes or more, without an internet stack.
        NetDeviceContainer devices; ///< The device of each node, in the order of the nodes.
    };

    /** Builds a new network; called at least once for each check. */
    using Builder = std::function<Network()>;

    /** Enables packet capture, given the prefix of the files and the network. */
    using PcapHook = std::function<void(const std::string&, const Network&)>;

    /** Assigns random streams from the given first one, and returns their number. */
    using StreamsHook = std::function<int64_t(const Network&, int64_t)>;

    /** Sets the link of a device up (true) or down. */
    using LinkHook = std::function<void(Ptr<NetDevice>, bool)>;

    /** A failed check. */
    struct Finding
    {
        std::string check;    ///< Name of the check.
        std::string sentence; ///< The failure, in one sentence.
    };

    /**
     * Construct.
     * @param builder builds a network
     */
    explicit NetDeviceConformance(Builder builder);

    /**
     * Declare that the device is known to fail a check. The check still runs; if it passes, the
     * exception is a finding.
     * @param check name of the check
     * @param reason reason for the failure
     */
    void Except(const std::string& check, const std::string& reason)
    {
        m_exceptions[check] = reason;
    }

    /**
     * Set the hook that enables packet capture. Without it, the check `pcap` fails.
     * @param hook calls the helper's EnablePcap
     */
    void SetPcapHook(PcapHook hook)
    {
        m_pcapHook = std::move(hook);
    }

    /**
     * Set the hook that assigns random streams. Without it, the check `assign-streams` fails.
     * @param hook calls the helper's AssignStreams
     */
    void SetStreamsHook(StreamsHook hook)
    {
        m_streamsHook = std::move(hook);
    }

    /**
     * Set the hook that changes the state of a link. Without it, the check `link-change` only
     * registers a callback.
     * @param hook sets the link of a device up or down
     */
    void SetLinkHook(LinkHook hook)
    {
        m_linkHook = std::move(hook);
    }

    /**
     * Run all checks.
     * @return the findings, empty if the device conforms
     */
    std::vector<Finding> Run() const;

  private:
    friend class ConformanceChecks;

    Builder m_builder;                               ///< Builds a network.
    PcapHook m_pcapHook;                             ///< Enables packet capture.
    StreamsHook m_streamsHook;                       ///< Assigns random streams.
    LinkHook m_linkHook;                             ///< Sets links up and down.
    std::map<std::string, std::string> m_exceptions; ///< Checks known to fail, with the reason.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_NET_DEVICE_CONFORMANCE_H
