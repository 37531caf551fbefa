/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-port.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace myrinet
{

NS_OBJECT_ENSURE_REGISTERED(MyrinetPort);

TypeId
MyrinetPort::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::myrinet::MyrinetPort")
            .SetParent<Object>()
            .SetGroupName("Myrinet")
            .AddConstructor<MyrinetPort>()
            .AddAttribute("Topology",
                          "Shape of the network [name; default].",
                          EnumValue(TopologyKind::SWITCH),
                          MakeEnumAccessor<TopologyKind>(&MyrinetPort::m_topologyKind),
                          MakeEnumChecker(TopologyKind::SWITCH,
                                          "switch",
                                          TopologyKind::CLOS,
                                          "clos",
                                          TopologyKind::RING,
                                          "ring",
                                          TopologyKind::GRAPH,
                                          "graph"))
            .AddAttribute("Hosts",
                          "Number of hosts; a graph has those of its file [hosts; default].",
                          UintegerValue(8),
                          MakeUintegerAccessor(&MyrinetPort::m_hosts),
                          MakeUintegerChecker<uint32_t>(1, Topology::MAX_HOSTS))
            .AddAttribute("SwitchPorts",
                          "Ports of each switch [ports; M2F-SW8].",
                          UintegerValue(8),
                          MakeUintegerAccessor(&MyrinetPort::m_switchPorts),
                          MakeUintegerChecker<uint32_t>(2, 128))
            .AddAttribute("Switches",
                          "Switches of topology ring [switches; default].",
                          UintegerValue(6),
                          MakeUintegerAccessor(&MyrinetPort::m_switches),
                          MakeUintegerChecker<uint32_t>(3, Topology::MAX_HOSTS))
            .AddAttribute("TopologyFile",
                          "File of a graph; see the module's documentation for its format "
                          "[file; default].",
                          StringValue(""),
                          MakeStringAccessor(&MyrinetPort::m_file),
                          MakeStringChecker())
            .AddAttribute(
                "Routes",
                "Which routes the mapper computes: up and then down, or the shortest, "
                "which can deadlock [name; default].",
                EnumValue(RouteKind::UPDOWN),
                MakeEnumAccessor<RouteKind>(&MyrinetPort::m_routeKind),
                MakeEnumChecker(RouteKind::UPDOWN, "updown", RouteKind::SHORTEST, "shortest"))
            .AddAttribute("Arbitration",
                          "Which of the packets that wait for an output of a switch gets it "
                          "[name; default].",
                          EnumValue(Arbitration::ROUND_ROBIN),
                          MakeEnumAccessor<Arbitration>(&MyrinetPort::m_arbitration),
                          MakeEnumChecker(Arbitration::FIRST_COME,
                                          "first-come",
                                          Arbitration::ROUND_ROBIN,
                                          "round-robin"))
            .AddAttribute("LinkRate",
                          "Data rate of a link, each way [DataRate; first generation].",
                          DataRateValue(DataRate("1.28Gb/s")),
                          MakeDataRateAccessor(&MyrinetPort::m_linkRate),
                          MakeDataRateChecker())
            .AddAttribute("Cable",
                          "Length of each cable whose length no file gives [m; SAN].",
                          DoubleValue(3),
                          MakeDoubleAccessor(&MyrinetPort::m_cable),
                          MakeDoubleChecker<double>(0, 10000))
            .AddAttribute("CableDelay",
                          "Delay of a cable [ns/m; general knowledge].",
                          DoubleValue(4.9),
                          MakeDoubleAccessor(&MyrinetPort::m_cableDelay),
                          MakeDoubleChecker<double>(0, 1000))
            .AddAttribute("FallThrough",
                          "From a head's arrival at a switch to its departure, if the output is "
                          "free; 100 to 150 ns [Time; general knowledge].",
                          TimeValue(NanoSeconds(125)),
                          MakeTimeAccessor(&MyrinetPort::m_fallThrough),
                          MakeTimeChecker(NanoSeconds(1), Seconds(1)))
            .AddAttribute("SlackBuffer",
                          "Size of the slack buffer at the end of each link [characters; published "
                          "simulations].",
                          UintegerValue(80),
                          MakeUintegerAccessor(&MyrinetPort::m_slack),
                          MakeUintegerChecker<uint32_t>(1, 1U << 20))
            .AddAttribute("StopLevel",
                          "Level of a slack buffer at which it sends STOP [characters; published "
                          "simulations].",
                          UintegerValue(56),
                          MakeUintegerAccessor(&MyrinetPort::m_stop),
                          MakeUintegerChecker<uint32_t>(2, 1U << 20))
            .AddAttribute("GoLevel",
                          "Level of a slack buffer at which it sends GO after STOP [characters; "
                          "published simulations].",
                          UintegerValue(40),
                          MakeUintegerAccessor(&MyrinetPort::m_go),
                          MakeUintegerChecker<uint32_t>(0, 1U << 20))
            .AddAttribute("Mtu",
                          "Largest frame, its protocol header included: a buffer of 4096 bytes and "
                          "room for a header [bytes; section 3.3].",
                          UintegerValue(4096 + 64),
                          MakeUintegerAccessor(&MyrinetPort::m_mtu),
                          MakeUintegerChecker<uint32_t>(8, 1U << 20))
            .AddAttribute("SendAlignment",
                          "What the send engine transmits is padded to a multiple of this [bytes; "
                          "LANai 4].",
                          UintegerValue(8),
                          MakeUintegerAccessor(&MyrinetPort::m_alignment),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("SendQueue",
                          "Packets that a send engine takes, the one under way included [packets; "
                          "LANai 4].",
                          UintegerValue(1),
                          MakeUintegerAccessor(&MyrinetPort::m_sendQueue),
                          MakeUintegerChecker<uint32_t>(1, 1U << 20))
            .AddAttribute("SendBuffers",
                          "Buffers of an interface's send ring, of Mtu bytes each [buffers; "
                          "default].",
                          UintegerValue(16),
                          MakeUintegerAccessor(&MyrinetPort::m_sendBuffers),
                          MakeUintegerChecker<uint32_t>(1, 1U << 20))
            .AddAttribute("ReceiveBuffers",
                          "Buffers of an interface's receive ring, of Mtu bytes each [buffers; "
                          "default].",
                          UintegerValue(32),
                          MakeUintegerAccessor(&MyrinetPort::m_receiveBuffers),
                          MakeUintegerChecker<uint32_t>(1, 1U << 20))
            .AddAttribute("Sram",
                          "SRAM of an interface; boards have 256 KiB to 1 MiB [bytes; LANai 4].",
                          UintegerValue(256 * 1024),
                          MakeUintegerAccessor(&MyrinetPort::m_sram),
                          MakeUintegerChecker<uint32_t>(1, 1U << 30))
            .AddAttribute("Firmware",
                          "What the firmware and its data occupy of the SRAM [bytes; default].",
                          UintegerValue(48 * 1024),
                          MakeUintegerAccessor(&MyrinetPort::m_firmware),
                          MakeUintegerChecker<uint32_t>(0, 1U << 30))
            .AddAttribute(
                "ReceiveFull",
                "What becomes of a packet for which there is no receive buffer: it blocks "
                "the network, or is dropped [name; section 2, item 2].",
                EnumValue(ReceiveFull::BLOCK),
                MakeEnumAccessor<ReceiveFull>(&MyrinetPort::m_receiveFull),
                MakeEnumChecker(ReceiveFull::BLOCK, "block", ReceiveFull::DROP, "drop"))
            .AddAttribute("Corruption",
                          "Probability that a link corrupts a character [probability; section 2, "
                          "item 1].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&MyrinetPort::m_corruption),
                          MakeDoubleChecker<double>(0, 0.1))
            .AddAttribute("CrcMiss",
                          "Probability that the CRC-8 lets a corrupted packet pass; 1/256 for "
                          "random errors of many bits, none for a single burst of up to 8 bits "
                          "[probability; section 2, item 1].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&MyrinetPort::m_crcMiss),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Timeout",
                          "How long a packet may wait to be consumed before it is discarded and "
                          "NRES is set: 62.5 ms to 4 s, or 0 for ever [Time; section 2, item 3].",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&MyrinetPort::m_timeout),
                          MakeTimeChecker(Time(0), Seconds(4)))
            .AddAttribute("Overwrite",
                          "Probability that a packet which a receiver leaves pending is lost when "
                          "another comes up behind it [probability; section 2, item 4].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&MyrinetPort::m_overwrite),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("OverwriteDamage",
                          "Share of such packets that are corrupted rather than lost "
                          "[fraction; section 2, item 4].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&MyrinetPort::m_overwriteDamage),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("StallRate",
                          "How often each receiver stalls, at random times [1/s; section 2, item "
                          "4].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&MyrinetPort::m_stallRate),
                          MakeDoubleChecker<double>(0, 1e9))
            .AddAttribute("StallLength",
                          "For how long a receiver stalls each time [Time; default].",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&MyrinetPort::m_stallLength),
                          MakeTimeChecker(NanoSeconds(1), Seconds(100)))
            .AddTraceSource("Sent",
                            "The last character of a packet has left its host.",
                            MakeTraceSourceAccessor(&MyrinetPort::m_sentTrace),
                            "ns3::myrinet::MyrinetPort::PacketTracedCallback")
            .AddTraceSource("Delivery",
                            "A packet is in its receiver's buffer and its CRC is good.",
                            MakeTraceSourceAccessor(&MyrinetPort::m_deliveryTrace),
                            "ns3::myrinet::MyrinetPort::PacketTracedCallback")
            .AddTraceSource("Drop",
                            "A packet was lost, for one of the reasons of section 2.",
                            MakeTraceSourceAccessor(&MyrinetPort::m_dropTrace),
                            "ns3::myrinet::MyrinetPort::DropTracedCallback")
            .AddTraceSource("Corruption",
                            "A link has corrupted a packet.",
                            MakeTraceSourceAccessor(&MyrinetPort::m_corruptionTrace),
                            "ns3::myrinet::MyrinetPort::CorruptionTracedCallback");
    return tid;
}

TopologyConfig
MyrinetPort::GetTopologyConfig() const
{
    return TopologyConfig{m_topologyKind, m_hosts, m_switchPorts, m_switches, m_cable, m_file};
}

FabricConfig
MyrinetPort::GetFabricConfig() const
{
    const auto picoseconds = [](Time time) { return static_cast<Instant>(time.GetPicoSeconds()); };
    FabricConfig config;
    config.character =
        static_cast<Instant>(8e12 / static_cast<double>(m_linkRate.GetBitRate()) + 0.5);
    config.perMetre = static_cast<Instant>(m_cableDelay * PS_PER_NS + 0.5);
    config.fallThrough = picoseconds(m_fallThrough);
    config.slack = m_slack;
    config.stop = m_stop;
    config.go = m_go;
    config.arbitration = m_arbitration;
    config.buffers = m_receiveBuffers;
    config.receiveFull = m_receiveFull;
    config.corruption = m_corruption;
    config.crcMiss = m_crcMiss;
    config.timeout = m_timeout.IsZero() ? NEVER : picoseconds(m_timeout);
    config.overwrite = m_overwrite;
    config.overwriteDamage = m_overwriteDamage;
    config.stallRate = m_stallRate;
    config.stallLength = picoseconds(m_stallLength);
    return config;
}

} // namespace myrinet
} // namespace ns3
