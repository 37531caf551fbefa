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
 * What every NetDevice owes to the rest of ns-3, as checks that any module's tests can run.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Checks whether a NetDevice does what the IP stack, the helpers and other people's programs
 * expect.
 *
 * A test says how to build a small network of the device and what the device does not claim:
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
 * Every check builds its own network, runs its own simulation and calls Simulator::Destroy, so none
 * can disturb the next.
 */
class NetDeviceConformance
{
  public:
    /** A network to be checked: one device of the kind in question on each node. */
    struct Network
    {
        NodeContainer nodes;        ///< Two nodes or more, without an internet stack.
        NetDeviceContainer devices; ///< The device of each node, in the order of the nodes.
    };

    /** Builds a fresh network; called once or more a check. */
    using Builder = std::function<Network()>;

    /** Is handed the network after its addresses have been assigned. */
    using InternetHook = std::function<void(const Network&)>;

    /** Turns packet capture on: prefix of the files, and the network. */
    using PcapHook = std::function<void(const std::string&, const Network&)>;

    /** Assigns random streams from the given one, and returns how many were used. */
    using StreamsHook = std::function<int64_t(const Network&, int64_t)>;

    /** Takes the link of a device down or up. */
    using LinkHook = std::function<void(Ptr<NetDevice>, bool)>;

    /** What was found wrong. */
    struct Finding
    {
        std::string check;    ///< Name of the check.
        std::string sentence; ///< What is wrong.
    };

    /**
     * Construct.
     * @param builder builds a network
     */
    explicit NetDeviceConformance(Builder builder);

    /**
     * Declare that the device is known to fail a check.
     *
     * The check runs nevertheless: an exception that has become needless is a finding.
     *
     * @param check the name of the check
     * @param reason why
     */
    void Except(const std::string& check, const std::string& reason);

    /**
     * Declare that a check would have no meaning for the device, or would abort; it is not run.
     * @param check the name of the check
     * @param reason why
     */
    void Skip(const std::string& check, const std::string& reason);

    /**
     * Set what has to be done to the nodes before IP can be used, such as filling neighbour caches
     * where there is no broadcast.
     * @param hook called after addresses have been assigned
     */
    void SetInternetHook(InternetHook hook);

    /**
     * Set how packet capture is turned on; without it the check `pcap` reports that there is no way
     * to.
     * @param hook calls the helper's EnablePcap
     */
    void SetPcapHook(PcapHook hook);

    /**
     * Set how random streams are assigned; without it the check `assign-streams` reports that there
     * is no way to.
     * @param hook calls the helper's AssignStreams
     */
    void SetStreamsHook(StreamsHook hook);

    /**
     * Set how a link is taken down; without it the check `link-change` only registers a callback.
     * @param hook takes the link of a device down or up
     */
    void SetLinkHook(LinkHook hook);

    /**
     * Run all checks.
     * @return what was found, empty if the device conforms
     */
    std::vector<Finding> Run() const;

    /**
     * Run one check, whatever has been declared of it.
     * @param check the name of the check
     * @return an empty text if it passes, else one sentence on what is wrong
     */
    std::string RunCheck(const std::string& check) const;

    /** @return the names of all checks, in the order in which they are run. */
    static std::vector<std::string> GetChecks();

    /** @return the names of the trace sources that every device has, those of csma. */
    static std::vector<std::string> GetTraceSources();

  private:
    /** A check: an empty text if it passes. */
    using Check = std::string (NetDeviceConformance::*)() const;

    /** @return all checks by name, in the order in which they are run. */
    static const std::vector<std::pair<std::string, Check>>& Checks();

    std::string CheckAddresses() const;   ///< Addresses. @return what is wrong
    std::string CheckTopology() const;    ///< Node, index and channel. @return what is wrong
    std::string CheckAddressing() const;  ///< Broadcast, multicast and ARP. @return what is wrong
    std::string CheckReceive() const;     ///< Receive callback. @return what is wrong
    std::string CheckBroadcast() const;   ///< Delivery of a broadcast. @return what is wrong
    std::string CheckUnknownPeer() const; ///< A frame to nobody. @return what is wrong
    std::string CheckSendFrom() const;    ///< A frame in another's name. @return what is wrong
    std::string CheckPromiscuous() const; ///< Promiscuous callback. @return what is wrong
    std::string CheckMtu() const;         ///< Frames up to the MTU. @return what is wrong
    std::string CheckMtuEnforced() const; ///< Frames above the MTU. @return what is wrong
    std::string CheckLinkChange() const;  ///< Link state. @return what is wrong
    std::string CheckQueue() const;       ///< Transmit queue. @return what is wrong
    std::string CheckQueueInterface() const; ///< Stopping and waking. @return what is wrong
    std::string CheckTraceSources() const;   ///< Names of trace sources. @return what is wrong
    std::string CheckTraces() const;         ///< Trace sources that fire. @return what is wrong
    std::string CheckErrorModel() const;     ///< ReceiveErrorModel. @return what is wrong
    std::string CheckRepeatable() const;     ///< The same run twice. @return what is wrong
    std::string CheckAssignStreams() const;  ///< Random streams. @return what is wrong
    std::string CheckPcap() const;           ///< Packet capture. @return what is wrong
    std::string CheckDispose() const;     ///< Disposal with frames under way. @return what is wrong
    std::string CheckUdpEchoIpv4() const; ///< UDP over IPv4. @return what is wrong
    std::string CheckUdpEchoIpv6() const; ///< UDP over IPv6. @return what is wrong
    std::string CheckTcpIpv4() const;     ///< TCP over IPv4. @return what is wrong
    std::string CheckTcpIpv6() const;     ///< TCP over IPv6. @return what is wrong
    std::string CheckFlowMonitor() const; ///< FlowMonitor's counts. @return what is wrong

    /**
     * Build a network with an internet stack and addresses.
     * @return the network
     */
    Network BuildInternet() const;

    /**
     * Echo datagrams between the first and the last node.
     * @param ipv6 over IPv6 rather than IPv4
     * @return what is wrong
     */
    std::string CheckUdpEcho(bool ipv6) const;

    /**
     * Send a stream of bytes from the first to the last node.
     * @param ipv6 over IPv6 rather than IPv4
     * @return what is wrong
     */
    std::string CheckTcp(bool ipv6) const;

    Builder m_builder;                               ///< Builds a network.
    InternetHook m_internetHook;                     ///< Prepares nodes for IP.
    PcapHook m_pcapHook;                             ///< Turns packet capture on.
    StreamsHook m_streamsHook;                       ///< Assigns random streams.
    LinkHook m_linkHook;                             ///< Takes links down and up.
    std::map<std::string, std::string> m_exceptions; ///< Checks known to fail, with the reason.
    std::map<std::string, std::string> m_skipped;    ///< Checks not run, with the reason.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_NET_DEVICE_CONFORMANCE_H
