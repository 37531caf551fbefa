/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-switch-station.h"

#include "ns3/boolean.h"
#include "ns3/broadcast-ethernet-helper.h"
#include "ns3/broadcast-ethernet-net-device.h"
#include "ns3/broadcast-ethernet-networks.h"
#include "ns3/double.h"
#include "ns3/messaging-list-text.h"
#include "ns3/messaging-net-device-conformance.h"
#include "ns3/node.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <deque>
#include <list>
#include <map>
#include <numeric>
#include <tuple>

namespace ns3
{
namespace ethernet
{
namespace tests
{

using messaging::tests::ListText;

/** The latency of a frame over one, two and three switches in a row. */
class SwitchLatencyTestCase : public TestCase
{
  public:
    SwitchLatencyTestCase()
        : TestCase("latency over one, two and three switches")
    {
    }

  private:
    void DoRun() override
    {
        {
            SwitchedStations lan(CreateObject<EthernetSwitch>(), 2);
            lan[0].SendAt(Seconds(0), AddressOf(1), 1518, 2);
            lan[1].SendAt(Seconds(0), AddressOf(0), 64);
            Simulator::Run();
            const auto expected = [](uint32_t bytes) {
                return 2 * (Wire(bytes) + DELAY) + LATENCY;
            };
            NS_TEST_ASSERT_MSG_EQ(lan[1].GetArrivals().size(), 2, "frames that arrive");
            NS_TEST_EXPECT_MSG_EQ(lan[1].GetArrivals()[0],
                                  expected(1518),
                                  "arrival of the first frame, after two serialisations");
            NS_TEST_EXPECT_MSG_EQ(lan[1].GetArrivals()[1],
                                  expected(1518) + Wire(1518) + 960,
                                  "arrival of the second frame, after a gap");
            NS_TEST_EXPECT_MSG_EQ(lan[0].GetArrivals()[0],
                                  expected(64),
                                  "arrival in the other direction, at the same time");
            Simulator::Destroy();
        }
        for (uint32_t hops = 1; hops <= 3; ++hops)
        {
            std::vector<Ptr<EthernetSwitch>> chain{CreateObject<EthernetSwitch>()};
            while (chain.size() < hops)
            {
                chain.push_back(CreateObject<EthernetSwitch>());
                chain[chain.size() - 2]->Connect(chain.back());
            }
            Station a(chain.front(), 0);
            Station b(chain.back(), 1);
            a.SendAt(Seconds(0), AddressOf(1), 1000);
            b.SendAt(MilliSeconds(1), AddressOf(0), 1000);
            Simulator::Run();
            const int64_t expected =
                (hops + 1) * (Wire(1000) + DELAY) + static_cast<int64_t>(hops) * LATENCY;
            NS_TEST_ASSERT_MSG_EQ(b.GetArrivals().size(), 1, "frames that arrive");
            NS_TEST_EXPECT_MSG_EQ(b.GetArrivals()[0],
                                  expected,
                                  "a serialisation for each link, a latency for each switch");
            NS_TEST_EXPECT_MSG_EQ(a.GetArrivals()[0] - 1000000, expected, "arrival of the answer");
            for (const auto& member : chain)
            {
                const uint64_t learned =
                    member->GetCounters(0).flooded + member->GetCounters(1).flooded;
                NS_TEST_EXPECT_MSG_EQ(learned,
                                      1,
                                      "switches that flood: all have learned from the first frame");
            }
            Simulator::Destroy();
        }
    }
};

/** Trees of switches: broadcasts and groups reach each station once; a loop is refused. */
class SwitchTreeTestCase : public TestCase
{
  public:
    SwitchTreeTestCase()
        : TestCase("a tree of three switches; a loop is refused")
    {
    }

  private:
    void DoRun() override
    {
        auto root = CreateObject<EthernetSwitch>();
        std::list<SwitchedStations> leaves;
        for (uint32_t i = 0; i < 2; ++i)
        {
            auto leaf = CreateObject<EthernetSwitch>();
            root->SetAttribute("DataRate", StringValue("1000Mbps"));
            root->Connect(leaf);
            leaves.emplace_back(leaf, 3, 3 * i);
        }
        auto& left = leaves.front();
        auto& right = leaves.back();
        const std::string refusal = left.lan->Connect(right.lan);
        NS_TEST_EXPECT_MSG_EQ((refusal.find("would close a loop") != std::string::npos),
                              true,
                              "a link between two leaves is refused");
        NS_TEST_EXPECT_MSG_EQ(root->Connect(root).empty(), false, "a link to itself is refused");
        NS_TEST_EXPECT_MSG_EQ(root->GetLan().size(), 3, "switches of the LAN");

        left[0].SendAt(Seconds(0), Mac48Address::GetBroadcast(), 64);
        right[0].SendAt(MilliSeconds(1), Mac48Address("01:00:5e:00:00:01"), 64);
        Simulator::Run();
        const int64_t near = LATENCY + 2 * (Wire(64) + DELAY);
        const int64_t far = 3 * LATENCY + 2 * (Wire(64) + DELAY) + 2 * (Wire(64, 1) + DELAY);
        NS_TEST_EXPECT_MSG_EQ(left[0].GetArrivals().size(),
                              1,
                              "arrivals at the sender: only the answer");
        NS_TEST_EXPECT_MSG_EQ(left[1].GetArrivals()[0], near, "arrival on the same switch");
        NS_TEST_EXPECT_MSG_EQ(right[2].GetArrivals()[0],
                              far,
                              "arrival on another switch, over links of 1 Gbit/s");
        NS_TEST_EXPECT_MSG_EQ(left[1].GetArrivals().size(), 2, "arrivals with a frame to a group");
        NS_TEST_EXPECT_MSG_EQ(right[0].GetArrivals().size(),
                              1,
                              "arrivals at the sender of the frame to a group");
        const auto table = MakePortTable(root);
        NS_TEST_EXPECT_MSG_EQ(table->GetNRows(), 2 + 4 + 4, "rows of the table: one for each port");
        Simulator::Destroy();
    }
};

/** A congested receiver loses frames, but none with PAUSE, which stations and switches obey. */
class SwitchFlowControlTestCase : public TestCase
{
  public:
    SwitchFlowControlTestCase()
        : TestCase("PAUSE keeps a congested receiver lossless")
    {
    }

  private:
    /**
     * Let stations send to a slower one.
     * @param pause whether PAUSE is used
     * @param sharing sharing of the buffer
     * @param cascade whether senders are on another switch
     * @return frames that arrived, frames dropped, PAUSE frames sent
     */
    static std::tuple<std::size_t, uint64_t, uint64_t> Incast(bool pause,
                                                              const std::string& sharing,
                                                              bool cascade)
    {
        const uint32_t senders = 8;
        const auto make = [&] {
            auto lan = CreateObject<EthernetSwitch>();
            lan->SetAttribute("Pause", BooleanValue(pause));
            lan->SetAttribute("BufferSharing", StringValue(sharing));
            return lan;
        };
        SwitchedStations receivers(make(), 0);
        receivers.lan->SetAttribute("DataRate", StringValue("10Mbps"));
        Station receiver(receivers.lan, 100);
        receivers.lan->SetAttribute("DataRate", StringValue("100Mbps"));
        auto other = receivers.lan;
        if (cascade)
        {
            other = make();
            receivers.lan->Connect(other);
        }
        SwitchedStations sending(other, senders);
        receiver.SendAt(Seconds(0), Mac48Address::GetBroadcast(), 64);
        for (uint32_t i = 0; i < senders; ++i)
        {
            sending[i].SendAt(MilliSeconds(1), AddressOf(100), 1518, 50);
        }
        Simulator::Run();
        uint64_t drops = 0;
        uint64_t pauses = 0;
        for (EthernetSwitch* member : other->GetLan())
        {
            for (uint32_t port = 0; port < member->GetNPorts(); ++port)
            {
                const auto& reasons = member->GetCounters(port).drops;
                drops += std::accumulate(reasons.begin(), reasons.end(), uint64_t{0});
                pauses += member->GetCounters(port).pausesSent;
            }
        }
        const auto arrived = receiver.GetArrivals().size();
        Simulator::Destroy();
        return {arrived, drops, pauses};
    }

    void DoRun() override
    {
        for (const bool cascade : {false, true})
        {
            for (const std::string sharing : {"private", "complete"})
            {
                const auto [lost, drops, none] = Incast(false, sharing, cascade);
                NS_TEST_EXPECT_MSG_EQ(lost + drops,
                                      400,
                                      "without PAUSE, each frame arrives or is dropped");
                NS_TEST_EXPECT_MSG_GT(drops, 200, "frames dropped without PAUSE");
                NS_TEST_EXPECT_MSG_EQ(none, 0, "PAUSE frames where they are disabled");
                const auto [all, noDrops, pauses] = Incast(true, sharing, cascade);
                NS_TEST_EXPECT_MSG_EQ(all,
                                      400,
                                      "arrivals with PAUSE, sharing " << sharing << ", cascade "
                                                                      << cascade);
                NS_TEST_EXPECT_MSG_EQ(noDrops, 0, "frames dropped with PAUSE");
                NS_TEST_EXPECT_MSG_GT(pauses, (cascade ? 1 : 15), "PAUSE frames");
            }
        }
        Resume();
    }

    /**
     * A pause ends with the departure that leaves two of eight entries in use, here that of one
     * copy of a broadcast, whose other copy still waits.
     */
    void Resume()
    {
        const auto lan = CreateObject<EthernetSwitch>();
        lan->SetAttribute("Pause", BooleanValue(true));
        lan->SetAttribute("BufferSize", StringValue("8"));
        lan->SetAttribute("DataRate", StringValue("10Mbps"));
        Station slow(lan, 100);
        Station other(lan, 101);
        lan->SetAttribute("DataRate", StringValue("100Mbps"));
        Station sender(lan, 102);
        Station second(lan, 103);
        slow.SendAt(Seconds(0), Mac48Address::GetBroadcast(), 64);
        other.SendAt(Seconds(0), Mac48Address::GetBroadcast(), 64);
        second.SendAt(MilliSeconds(1), AddressOf(101), 1518, 3);
        // The fifth exceeds the limit; the sixth is already being sent; the fourth is the
        // broadcast.
        sender.SendAt(MilliSeconds(2), AddressOf(100), 500, 3);
        sender.SendAt(MilliSeconds(2), Mac48Address::GetBroadcast(), 500);
        sender.SendAt(MilliSeconds(2), AddressOf(100), 500, 4);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(sender.GetBegins().size(), 8, "frames sent");
        NS_TEST_EXPECT_MSG_EQ(sender.GetBegins()[6],
                              slow.GetArrivals()[4] + Wire(64) + DELAY,
                              "begin of the seventh frame, after the end of the pause");
        Simulator::Destroy();
    }
};

/** The trace sources of a congested switch with PAUSE fire as often as its counters count. */
class SwitchTraceTestCase : public TestCase
{
  public:
    SwitchTraceTestCase()
        : TestCase("each frame and each PAUSE frame of a port is traced")
    {
    }

  private:
    /** @param port the port that a frame enters by */
    void OnFrameIn(Ptr<const WireFrame>, uint32_t port)
    {
        ++m_traced[port].framesIn;
    }

    /** @param port the port that a copy leaves by */
    void OnFrameOut(Ptr<const WireFrame>, uint32_t port)
    {
        ++m_traced[port].framesOut;
    }

    /** @param port the port that a PAUSE frame leaves by */
    void OnPauseSent(uint32_t port, uint16_t)
    {
        ++m_traced[port].pausesSent;
    }

    /** @param port the port that a PAUSE frame enters by */
    void OnPauseReceived(uint32_t port, uint16_t)
    {
        ++m_traced[port].pausesReceived;
    }

    void DoRun() override
    {
        const auto lan = CreateObject<EthernetSwitch>();
        lan->SetAttribute("Pause", BooleanValue(true));
        lan->SetAttribute("DataRate", StringValue("10Mbps"));
        Station receiver(lan, 100);
        lan->SetAttribute("DataRate", StringValue("100Mbps"));
        const auto leaf = CreateObject<EthernetSwitch>();
        leaf->SetAttribute("Pause", BooleanValue(true));
        lan->Connect(leaf);
        SwitchedStations senders(leaf, 2);
        lan->TraceConnectWithoutContext("FrameIn",
                                        MakeCallback(&SwitchTraceTestCase::OnFrameIn, this));
        lan->TraceConnectWithoutContext("FrameOut",
                                        MakeCallback(&SwitchTraceTestCase::OnFrameOut, this));
        lan->TraceConnectWithoutContext("PauseSent",
                                        MakeCallback(&SwitchTraceTestCase::OnPauseSent, this));
        lan->TraceConnectWithoutContext("PauseReceived",
                                        MakeCallback(&SwitchTraceTestCase::OnPauseReceived, this));
        receiver.SendAt(Seconds(0), Mac48Address::GetBroadcast(), 64);
        for (uint32_t i = 0; i < 2; ++i)
        {
            senders[i].SendAt(MilliSeconds(1), AddressOf(100), 1518, 50);
        }
        Simulator::Run();
        uint64_t pauses = 0;
        for (uint32_t port = 0; port < lan->GetNPorts(); ++port)
        {
            const SwitchPortCounters& counted = lan->GetCounters(port);
            const SwitchPortCounters& traced = m_traced[port];
            NS_TEST_EXPECT_MSG_EQ(traced.framesIn, counted.framesIn, "frames in, port " << port);
            NS_TEST_EXPECT_MSG_EQ(traced.framesOut, counted.framesOut, "frames out, port " << port);
            NS_TEST_EXPECT_MSG_EQ(traced.pausesSent, counted.pausesSent, "sent, port " << port);
            NS_TEST_EXPECT_MSG_EQ(traced.pausesReceived,
                                  counted.pausesReceived,
                                  "received, port " << port);
            pauses += traced.pausesSent;
        }
        NS_TEST_EXPECT_MSG_GT(pauses, 0, "PAUSE frames of the switch");
        Simulator::Destroy();
    }

    std::map<uint32_t, SwitchPortCounters> m_traced; ///< Events traced by port.
};

/** Random loss at the switch. */
class SwitchFaultTestCase : public TestCase
{
  public:
    SwitchFaultTestCase()
        : TestCase("random loss; the same streams give the same losses")
    {
    }

  private:
    /**
     * Send broadcasts through a switch that loses copies.
     * @param stream the random stream
     * @return arrivals by station, as text; their number; and drops
     */
    static std::tuple<std::string, std::size_t, uint64_t> Lose(int64_t stream)
    {
        auto lan = CreateObject<EthernetSwitch>();
        lan->SetAttribute("Loss", DoubleValue(0.1));
        lan->AssignStreams(stream);
        SwitchedStations lossy(lan, 11);
        lossy[0].SendAt(Seconds(0), Mac48Address::GetBroadcast(), 64, 1000);
        Simulator::Run();
        std::string arrivals;
        std::size_t arrived = 0;
        for (const auto& station : lossy.stations)
        {
            arrivals += ListText(station.GetArrivals()) + "\n";
            arrived += station.GetArrivals().size();
        }
        Simulator::Destroy();
        return {arrivals, arrived, lossy.CountDrops(SwitchDrop::LOSS)};
    }

    void DoRun() override
    {
        const auto [arrivals, arrived, lost] = Lose(1);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(lost), 1000, 150, "10 % of 10000 copies");
        NS_TEST_EXPECT_MSG_EQ(arrived + lost, 10000, "each copy arrives or is lost");
        const bool isEqual = std::get<0>(Lose(1)) == arrivals; // Too long to be printed.
        NS_TEST_EXPECT_MSG_EQ(isEqual, true, "the same stream, the same losses");
        const bool isOther = std::get<0>(Lose(2)) != arrivals;
        NS_TEST_EXPECT_MSG_EQ(isOther, true, "another stream, other losses");
    }
};

/** Cables that are cut and repaired. */
class SwitchCutTestCase : public TestCase
{
  public:
    SwitchCutTestCase()
        : TestCase("cut cables lose frames at either end, which are counted and traced")
    {
    }

  private:
    /** Count a lost frame of a station. */
    void OnCableLoss(Ptr<const WireFrame>, uint32_t)
    {
        ++m_cableLosses;
    }

    /** @param up whether a link is repaired */
    void OnLinkChange(uint32_t, bool up)
    {
        m_changes.push_back(up);
    }

    void DoRun() override
    {
        auto left = CreateObject<EthernetSwitch>();
        auto right = CreateObject<EthernetSwitch>();
        left->Connect(right);
        Station a(left, 0);
        Station b(right, 1);
        left->TraceConnectWithoutContext("CableLoss",
                                         MakeCallback(&SwitchCutTestCase::OnCableLoss, this));
        left->TraceConnectWithoutContext("LinkChange",
                                         MakeCallback(&SwitchCutTestCase::OnLinkChange, this));
        const uint32_t trunk = left->FindTrunk(right);
        NS_TEST_EXPECT_MSG_EQ(trunk, 0, "the port to the other switch");
        NS_TEST_EXPECT_MSG_EQ(right->FindTrunk(right), NO_PORT, "no port to itself");
        // The trunk is cut while a frame approaches it, and repaired at the other end.
        a.SendAt(MilliSeconds(1), AddressOf(1), 1518);
        Simulator::Schedule(MicroSeconds(1200), &EthernetSwitch::SetLinkUp, left, trunk, false);
        a.SendAt(MilliSeconds(2), AddressOf(1), 1518);
        Simulator::Schedule(MicroSeconds(3000), &EthernetSwitch::SetLinkUp, right, 0, true);
        a.SendAt(MilliSeconds(4), AddressOf(1), 1518);
        // The station's own cable is cut while its frame is on the wire.
        a.SendAt(MilliSeconds(5), AddressOf(1), 1518);
        Simulator::Schedule(MicroSeconds(5050),
                            &EthernetSwitch::SetLinkUp,
                            left,
                            a.GetPort(),
                            false);
        // It sends into the cable that is still cut.
        a.SendAt(MilliSeconds(6), AddressOf(1), 1518);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(b.GetArrivals().size(), 1, "frames that arrive, of five");
        NS_TEST_EXPECT_MSG_EQ(
            left->GetCounters(0).drops[static_cast<std::size_t>(SwitchDrop::LINK_DOWN)],
            2,
            "losses of the trunk: a frame on it, and one to it while it is cut");
        NS_TEST_EXPECT_MSG_EQ(left->GetNCableLosses(a.GetPort()),
                              2,
                              "losses of the station's cable");
        NS_TEST_EXPECT_MSG_EQ(m_cableLosses, 2, "traced losses of cables");
        NS_TEST_EXPECT_MSG_EQ(right->IsLinkUp(0), true, "the trunk is repaired at both ends");
        const std::vector<bool> changes{false, true, false};
        NS_TEST_EXPECT_MSG_EQ(ListText(m_changes),
                              ListText(changes),
                              "traced changes: whether the link is up");
        Simulator::Destroy();
    }

    uint32_t m_cableLosses{0};   ///< Traced losses of stations' frames.
    std::vector<bool> m_changes; ///< Traced changes of links.
};

/** The network's attribute Failures. */
class SwitchFailuresTestCase : public TestCase
{
  public:
    SwitchFailuresTestCase()
        : TestCase("Failures cuts cables of nodes and between switches at its times")
    {
    }

  private:
    /**
     * Make a network of four nodes at two switches.
     * @param failures its attribute Failures
     * @return the network
     */
    static Ptr<SwitchNetwork> Make(const std::string& failures)
    {
        const auto network = CreateObject<SwitchNetwork>();
        network->SetAttribute("Switches", UintegerValue(2));
        network->SetAttribute("Failures", StringValue(failures));
        return network;
    }

    void DoRun() override
    {
        for (const std::string wrong : {"1ms",
                                        "1ms down",
                                        "later down 1",
                                        "-1ms down 1",
                                        "1ms cut 1",
                                        "1ms down 4",
                                        "1ms down switch 2",
                                        "1ms down trunk 1",
                                        "1ms down 1 2"})
        {
            NS_TEST_EXPECT_MSG_NE(Make(wrong)->Check(4), "", "rejected: " << wrong);
        }
        const auto network = Make("1ms down 1; 3ms up 1; 2ms down switch 0;");
        NS_TEST_ASSERT_MSG_EQ(network->Check(4), "", "valid failures have no error");
        network->BuildDevices(4);
        const NetDeviceContainer& devices = network->GetDevices();
        uint32_t arrived = 0;
        devices.Get(0)->SetReceiveCallback([&arrived](auto, auto, auto, const auto&) {
            ++arrived;
            return true;
        });
        // From the other switch: at 0.5 ms, with the node's cable cut, the trunk cut, both
        // repaired.
        for (const int64_t at : {500, 1500, 2500, 3500})
        {
            Simulator::ScheduleWithContext(1, MicroSeconds(at), [&devices] {
                devices.Get(1)->Send(Create<Packet>(100), devices.Get(0)->GetAddress(), 0x0800);
            });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(arrived, 1, "frames that arrive, as the trunk stays cut");
        NS_TEST_EXPECT_MSG_EQ(network->GetLosses().GetTotal(), 3, "losses of the network");
        network->Dispose();
        Simulator::Destroy();
    }
};

/** Conformance checks of a NetDevice, over switches. */
class SwitchConformanceTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param kind medium of the devices
     */
    explicit SwitchConformanceTestCase(const std::string& kind)
        : TestCase("the device conforms on " + kind),
          m_kind(kind)
    {
    }

  private:
    void DoRun() override
    {
        const std::string kind = m_kind;
        messaging::NetDeviceConformance conformance{[kind] {
            messaging::NetDeviceConformance::Network network;
            network.nodes.Create(4);
            const EthernetHelper helper;
            const auto left = CreateObject<EthernetSwitch>();
            if (kind == "a switch")
            {
                network.devices = helper.Install(network.nodes, left);
            }
            else
            {
                const auto right = CreateObject<EthernetSwitch>();
                right->SetAttribute("Pause", BooleanValue(true));
                right->SetAttribute("DataRate", StringValue("10Mbps"));
                left->Connect(right);
                for (uint32_t i = 0; i < 4; ++i)
                {
                    network.devices.Add(
                        helper.Install(NodeContainer(network.nodes.Get(i)), i < 2 ? left : right));
                }
            }
            return network;
        }};
        conformance.SetPcapHelper<EthernetHelper>();
        conformance.assignStreams = [](const auto& network, int64_t stream) {
            return EthernetHelper::AssignStreams(network.devices, stream);
        };
        conformance.setLink = [](Ptr<NetDevice> device, bool up) {
            const auto lan = DynamicCast<EthernetSwitch>(device->GetChannel());
            for (EthernetSwitch* member : lan->GetLan())
            {
                if (const uint32_t port = member->FindPort(device); port != NO_PORT)
                {
                    member->SetLinkUp(port, up);
                }
            }
        };
        for (const auto& finding : conformance.Run())
        {
            NS_TEST_EXPECT_MSG_EQ(finding.check + ": " + finding.sentence,
                                  "",
                                  "the device conforms on " << kind);
        }
    }

    std::string m_kind; ///< Medium of the devices.
};

/** Suite of links and switches. */
class SwitchTestSuite : public TestSuite
{
  public:
    SwitchTestSuite()
        : TestSuite("broadcast-ethernet-switch", Type::SYSTEM)
    {
        AddTestCase(new SwitchLatencyTestCase, Duration::QUICK);
        AddTestCase(new SwitchTreeTestCase, Duration::QUICK);
        AddTestCase(new SwitchFlowControlTestCase, Duration::QUICK);
        AddTestCase(new SwitchTraceTestCase, Duration::QUICK);
        AddTestCase(new SwitchCutTestCase, Duration::QUICK);
        AddTestCase(new SwitchFailuresTestCase, Duration::QUICK);
        AddTestCase(new SwitchFaultTestCase, Duration::QUICK);
        for (const std::string kind : {"a switch", "two switches"})
        {
            AddTestCase(new SwitchConformanceTestCase(kind), Duration::QUICK);
        }
    }
};

static SwitchTestSuite g_switchTestSuite; ///< Registers the suite.

} // namespace tests
} // namespace ethernet
} // namespace ns3
