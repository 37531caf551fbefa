/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/command-line.h"
#include "ns3/csma-helper.h"
#include "ns3/enum.h"
#include "ns3/eqa-group.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-host-helper.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/mobility-helper.h"
#include "ns3/position-allocator.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/yans-wifi-helper.h"

#include <iostream>
#include <string>

/**
 * @file
 * @ingroup eqa
 * Both broadcasts of paper 5 on other devices of ns-3: csma, and 802.11g without an access point,
 * whose broadcasts are neither acknowledged nor repeated. Node 0 broadcasts messages one after the
 * other to stations within 10 m.
 */

using namespace ns3;
using namespace ns3::eqa;

namespace
{

/**
 * Connect stations by a csma channel.
 * @param nodes the stations
 * @return their devices
 */
NetDeviceContainer
InstallCsma(const NodeContainer& nodes)
{
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("100Mbps"));
    csma.SetChannelAttribute("Delay", StringValue("1us"));
    const NetDeviceContainer devices = csma.Install(nodes);
    csma.AssignStreams(devices, 1);
    return devices;
}

/**
 * Connect stations by an ad hoc network of 802.11g.
 * @param nodes the stations
 * @return their devices
 */
NetDeviceContainer
InstallWifi(const NodeContainer& nodes)
{
    YansWifiChannelHelper channel = YansWifiChannelHelper::Default();
    YansWifiPhyHelper phy;
    phy.SetChannel(channel.Create());
    WifiMacHelper mac;
    mac.SetType("ns3::AdhocWifiMac");
    WifiHelper wifi;
    wifi.SetStandard(WIFI_STANDARD_80211g);
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager",
                                 "DataMode",
                                 StringValue("ErpOfdmRate54Mbps"));
    const NetDeviceContainer devices = wifi.Install(phy, mac, nodes);
    WifiHelper::AssignStreams(devices, 1);
    MobilityHelper mobility;
    auto places = CreateObject<ListPositionAllocator>();
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        places->Add(Vector(10.0 * i / nodes.GetN(), 0, 0));
    }
    mobility.SetPositionAllocator(places);
    mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
    mobility.Install(nodes);
    return devices;
}

/** Posts the next message when all nodes have the previous one, and receives at the leaves. */
class Broadcaster : public messaging::GroupUser
{
  public:
    /**
     * Constructor.
     * @param group the group
     * @param audit accepts the messages
     * @param messages number of messages
     * @param bytes size of each message [bytes]
     */
    Broadcaster(Ptr<EqaGroup> group,
                Ptr<messaging::DeliveryAudit> audit,
                uint32_t messages,
                uint32_t bytes)
        : m_group(group),
          m_audit(audit),
          m_messages(messages)
    {
        m_request.to = messaging::NO_PEER;
        m_request.bytes = bytes;
    }

    /** Begin. */
    void Start()
    {
        for (messaging::Peer leaf = 1; leaf < m_group->GetNPeers(); ++leaf)
        {
            m_group->PostReceive(leaf, 0, true);
        }
        Post();
    }

    void OnDeliver(messaging::Peer self, const messaging::Delivery&) override
    {
        Simulator::ScheduleNow([this, self] { m_group->PostReceive(self, 0, true); });
    }

    void OnComplete(messaging::Peer, messaging::RequestId, messaging::Completion) override
    {
        Simulator::ScheduleNow(&Broadcaster::Post, this);
    }

    void OnReady(messaging::Peer) override
    {
    }

  private:
    /** Post the next message. */
    void Post()
    {
        if (m_request.id < m_messages)
        {
            m_request.contents = ++m_request.id;
            m_audit->Post(0, m_request);
        }
    }

    Ptr<EqaGroup> m_group;                 ///< The group.
    Ptr<messaging::DeliveryAudit> m_audit; ///< Accepts the messages.
    uint32_t m_messages;                   ///< Number of messages.
    messaging::Request m_request;          ///< Current message.
};

} // namespace

int
main(int argc, char* argv[])
{
    std::string network = "wifi";
    bool simple = false;
    uint32_t count = 4;
    uint32_t messages = 20;
    uint32_t bytes = 8192;
    Time limit = Seconds(60);
    CommandLine command(__FILE__);
    command.AddValue("network", "csma or wifi", network);
    command.AddValue("simple", "Use Simple Broadcast instead of Push-Pull Broadcast", simple);
    command.AddValue("stations", "Number of stations, 2 to 100", count);
    command.AddValue("messages", "Number of broadcast messages", messages);
    command.AddValue("bytes", "Size of a message, at most 65536", bytes);
    command.AddValue("limit", "Simulated time after which a run is aborted", limit);
    command.Parse(argc, argv);
    const bool isWifi = network == "wifi";
    if ((!isWifi && network != "csma") || count < 2 || count > 100 || bytes > 65536)
    {
        std::cerr << "The arguments must be network csma or wifi, 2 to 100 stations, and at most "
                     "65536 bytes."
                  << std::endl;
        return 2;
    }

    const NodeContainer nodes(count);
    const NetDeviceContainer devices = isWifi ? InstallWifi(nodes) : InstallCsma(nodes);
    messaging::HostHelper host;
    host.SetCpus(2);
    std::vector<Ptr<messaging::HostModel>> hosts;
    for (uint32_t i = 0; i < count; ++i)
    {
        hosts.push_back(host.InstallHost(nodes.Get(i)));
    }
    const auto clock = CreateObject<messaging::TickClock>();
    const auto port = CreateObject<messaging::NetDevicePort>();
    port->Connect(clock, devices);
    const auto group = CreateObject<EqaGroup>();
    group->SetAttribute("Broadcast",
                        EnumValue(simple ? BroadcastKind::SIMPLE : BroadcastKind::PUSH_PULL));
    group->Connect(clock, messaging::MakeAnyPort(port), hosts);
    const auto audit = CreateObject<messaging::DeliveryAudit>();
    audit->SetGroup(group);
    Broadcaster broadcaster(group, audit, messages, bytes);
    audit->SetUser(&broadcaster);

    Simulator::Schedule(Seconds(1), &Broadcaster::Start, &broadcaster);
    Simulator::Stop(limit);
    Simulator::Run();
    const bool sound = audit->Finish() && audit->GetCounts().delivered == messages * (count - 1.0);
    std::string outcome = "missing";
    if (sound)
    {
        outcome = "at every station once";
    }
    else if (!audit->GetFirstViolation().empty())
    {
        outcome = audit->GetFirstViolation();
    }
    std::cout << (simple ? "Simple" : "Push-Pull") << " Broadcast over " << network << "\n"
              << "messages  " << outcome << "\n"
              << "resends   " << group->GetEventCount(eqa::Event::RESENT) << std::endl;
    audit->Dispose();
    group->Dispose();
    Simulator::Destroy();
    return sound ? 0 : 1;
}
