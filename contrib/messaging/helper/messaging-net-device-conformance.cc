/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-net-device-conformance.h"

#include "ns3/abort.h"
#include "ns3/channel.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingNetDeviceConformance");

NetDeviceConformance::NetDeviceConformance(Builder builder)
    : m_builder(std::move(builder))
{
}

void
NetDeviceConformance::Except(const std::string& check, const std::string& reason)
{
    m_exceptions[check] = reason;
}

void
NetDeviceConformance::Skip(const std::string& check, const std::string& reason)
{
    m_skipped[check] = reason;
}

void
NetDeviceConformance::SetInternetHook(InternetHook hook)
{
    m_internetHook = std::move(hook);
}

void
NetDeviceConformance::SetPcapHook(PcapHook hook)
{
    m_pcapHook = std::move(hook);
}

void
NetDeviceConformance::SetStreamsHook(StreamsHook hook)
{
    m_streamsHook = std::move(hook);
}

void
NetDeviceConformance::SetLinkHook(LinkHook hook)
{
    m_linkHook = std::move(hook);
}

const std::vector<std::pair<std::string, NetDeviceConformance::Check>>&
NetDeviceConformance::Checks()
{
    using C = NetDeviceConformance;
    static const std::vector<std::pair<std::string, Check>> checks{
        {"addresses", &C::CheckAddresses},
        {"topology", &C::CheckTopology},
        {"addressing", &C::CheckAddressing},
        {"receive", &C::CheckReceive},
        {"broadcast", &C::CheckBroadcast},
        {"unknown-peer", &C::CheckUnknownPeer},
        {"send-from", &C::CheckSendFrom},
        {"promiscuous", &C::CheckPromiscuous},
        {"mtu", &C::CheckMtu},
        {"mtu-enforced", &C::CheckMtuEnforced},
        {"link-change", &C::CheckLinkChange},
        {"queue", &C::CheckQueue},
        {"queue-interface", &C::CheckQueueInterface},
        {"trace-sources", &C::CheckTraceSources},
        {"traces", &C::CheckTraces},
        {"error-model", &C::CheckErrorModel},
        {"repeatable", &C::CheckRepeatable},
        {"assign-streams", &C::CheckAssignStreams},
        {"pcap", &C::CheckPcap},
        {"dispose", &C::CheckDispose},
        {"udp-echo-ipv4", &C::CheckUdpEchoIpv4},
        {"udp-echo-ipv6", &C::CheckUdpEchoIpv6},
        {"tcp-ipv4", &C::CheckTcpIpv4},
        {"tcp-ipv6", &C::CheckTcpIpv6},
        {"flow-monitor", &C::CheckFlowMonitor},
    };
    return checks;
}

std::vector<std::string>
NetDeviceConformance::GetChecks()
{
    std::vector<std::string> names;
    for (const auto& [name, check] : Checks())
    {
        names.push_back(name);
    }
    return names;
}

std::string
NetDeviceConformance::RunCheck(const std::string& check) const
{
    NS_LOG_FUNCTION(this << check);
    const auto found = std::find_if(Checks().begin(), Checks().end(), [&check](const auto& entry) {
        return entry.first == check;
    });
    NS_ABORT_MSG_IF(found == Checks().end(), "There is no check " << check << ".");
    std::string sentence = (this->*found->second)();
    Simulator::Destroy();
    return sentence;
}

std::vector<NetDeviceConformance::Finding>
NetDeviceConformance::Run() const
{
    std::vector<Finding> findings;
    for (const auto& declared : {m_exceptions, m_skipped})
    {
        for (const auto& [name, reason] : declared)
        {
            const auto names = GetChecks();
            if (std::find(names.begin(), names.end(), name) == names.end())
            {
                findings.push_back({name, "An exception is declared, but there is no such check."});
            }
        }
    }
    for (const auto& [name, check] : Checks())
    {
        if (m_skipped.count(name))
        {
            continue;
        }
        const std::string sentence = RunCheck(name);
        const auto exception = m_exceptions.find(name);
        if (exception == m_exceptions.end())
        {
            if (!sentence.empty())
            {
                findings.push_back({name, sentence});
            }
        }
        else if (sentence.empty())
        {
            findings.push_back({name,
                                "The check passes, so the exception that is declared (" +
                                    exception->second + ") is needless."});
        }
    }
    return findings;
}

std::string
NetDeviceConformance::CheckAddresses() const
{
    const Network network = m_builder();
    std::set<Address> seen;
    for (uint32_t i = 0; i < network.devices.GetN(); ++i)
    {
        const Ptr<NetDevice> device = network.devices.Get(i);
        const Address original = device->GetAddress();
        std::ostringstream os;
        os << "Device " << i << " has the address " << original << ", ";
        if (!Mac48Address::IsMatchingType(original))
        {
            return os.str() + "which is not a Mac48Address.";
        }
        const Mac48Address mac = Mac48Address::ConvertFrom(original);
        if (mac.IsGroup() || mac == Mac48Address("00:00:00:00:00:00"))
        {
            return os.str() + "which cannot be the address of one device.";
        }
        if (!seen.insert(original).second)
        {
            return os.str() + "which another device has too.";
        }
        const Mac48Address other("02:00:00:00:be:ef");
        device->SetAddress(other);
        if (device->GetAddress() != Address(other))
        {
            return os.str() + "and SetAddress does not change it.";
        }
        device->SetAddress(original);
    }
    return "";
}

std::string
NetDeviceConformance::CheckTopology() const
{
    const Network network = m_builder();
    if (network.nodes.GetN() < 2 || network.nodes.GetN() != network.devices.GetN())
    {
        return "The builder has to give two nodes or more, and one device for each.";
    }
    for (uint32_t i = 0; i < network.devices.GetN(); ++i)
    {
        const Ptr<NetDevice> device = network.devices.Get(i);
        const Ptr<Node> node = network.nodes.Get(i);
        const std::string name = "Device " + std::to_string(i);
        if (device->GetNode() != node)
        {
            return name + " does not name its node.";
        }
        if (device->GetIfIndex() >= node->GetNDevices() ||
            node->GetDevice(device->GetIfIndex()) != device)
        {
            return name + " is not the node's device of its interface index.";
        }
        const Ptr<Channel> channel = device->GetChannel();
        if (!channel)
        {
            return name + " has no channel.";
        }
        if (channel->GetNDevices() < 2)
        {
            return name + " is on a channel that lists no other device.";
        }
        if (device->IsBridge())
        {
            return name + " says it is a bridge.";
        }
    }
    return "";
}

std::string
NetDeviceConformance::CheckAddressing() const
{
    const Network network = m_builder();
    const Ptr<NetDevice> device = network.devices.Get(0);
    if (device->IsPointToPoint() && device->NeedsArp())
    {
        return "The device is point-to-point and yet needs ARP.";
    }
    if (device->IsPointToPoint() && network.devices.GetN() > 2)
    {
        return "The device is point-to-point and yet the network has more than two devices.";
    }
    if (!device->IsPointToPoint() && !device->NeedsArp())
    {
        return "The device is not point-to-point and yet needs no ARP, so IP would send to the "
               "broadcast address.";
    }
    if (device->NeedsArp() && !device->IsBroadcast() && !m_internetHook)
    {
        return "The device needs ARP but has no broadcast, and no hook fills the neighbour caches.";
    }
    if (device->IsBroadcast() && device->GetBroadcast() != Address(Mac48Address::GetBroadcast()))
    {
        return "The device has broadcast, but its broadcast address is not ff:ff:ff:ff:ff:ff.";
    }
    if (device->IsMulticast())
    {
        const Address ipv4 = device->GetMulticast(Ipv4Address("224.1.2.3"));
        const Address ipv6 = device->GetMulticast(Ipv6Address("ff02::1"));
        if (!Mac48Address::ConvertFrom(ipv4).IsGroup() ||
            !Mac48Address::ConvertFrom(ipv6).IsGroup())
        {
            return "The device has multicast, but the address of a group is not a group address.";
        }
    }
    for (uint32_t i = 1; i < network.devices.GetN(); ++i)
    {
        const Ptr<NetDevice> other = network.devices.Get(i);
        if (other->IsBroadcast() != device->IsBroadcast() ||
            other->IsMulticast() != device->IsMulticast() ||
            other->NeedsArp() != device->NeedsArp() ||
            other->IsPointToPoint() != device->IsPointToPoint())
        {
            return "Devices of the same network differ in IsBroadcast, IsMulticast, NeedsArp or "
                   "IsPointToPoint.";
        }
    }
    return "";
}

} // namespace messaging
} // namespace ns3
