/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-toy-cores.h"

#include "ns3/double.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-core-group.h"
#include "ns3/messaging-faulty-net-device.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/simple-net-device-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Tests of faults around a port, and of the port that is nothing but a delay.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

using Port = FaultyPort<LoopbackPort>; ///< The port under test.

/** Records arrivals. */
class FaultyReceiver : public PortUser
{
  public:
    /** An arrived frame. */
    struct Arrival
    {
        Ticks when;  ///< Time.
        Peer self;   ///< Receiver.
        Frame frame; ///< The frame.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Arrival&) const = default;
    };

    void OnFrame(Peer self, Peer, const Frame& frame) override
    {
        m_arrivals.push_back(Arrival{m_clock->Now(), self, frame});
    }

    void OnReady(Peer self) override
    {
        m_ready.push_back(self);
    }

    Ptr<TickClock> m_clock;          ///< Source of the time.
    std::vector<Arrival> m_arrivals; ///< All arrivals.
    std::vector<Peer> m_ready;       ///< All upcalls of OnReady.
};

constexpr uint64_t FRAMES = 20000; ///< Frames of a statistical test.
constexpr Ticks GAP = 3;           ///< Interval between two frames [ticks].
constexpr Ticks PORT_LATENCY = 10; ///< Latency of the port [ticks].

/** Base of the statistical cases: many frames from peer 0 to peer 1 through the faults given by
 * attributes. */
class FaultCase : public TestCase
{
  public:
    /**
     * Constructor.
     * @param name name of the case
     */
    explicit FaultCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /**
     * Send all frames.
     * @param attributes names and values of attributes of the faults
     */
    void Send(const std::vector<std::pair<std::string, std::string>>& attributes)
    {
        m_receiver = FaultyReceiver{};
        m_clock = CreateObject<TickClock>();
        m_receiver.m_clock = m_clock;
        m_faults = CreateObject<PortFaults>();
        m_faults->AssignStreams(5);
        for (const auto& [name, value] : attributes)
        {
            m_faults->SetAttribute(name, StringValue(value));
        }
        auto loopback = Create<LoopbackPort>(m_clock, 2);
        auto port = Create<Port>(m_clock, loopback, m_faults);
        port->SetUser(&m_receiver);
        m_info = port->GetInfo();
        for (uint64_t i = 0; i < FRAMES; ++i)
        {
            Simulator::Schedule(NanoSeconds(GAP * i), [port, i]() {
                port->Send(0,
                           1,
                           Frame{.id = i,
                                 .contents = 77 * i,
                                 .payload = 100,
                                 .header = 8,
                                 .kind = static_cast<uint8_t>(i % 3)});
            });
        }
        Simulator::Run();
        Simulator::Destroy();
        m_clock->Dispose();
    }

    /**
     * Check a number of random events, within five standard deviations.
     * @param count the number
     * @param probability the probability
     * @param trials number of trials
     * @param what name of the events
     */
    void ExpectShare(uint64_t count, double probability, uint64_t trials, const std::string& what)
    {
        const double mean = probability * static_cast<double>(trials);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(count),
                                  mean,
                                  5 * std::sqrt(mean * (1 - probability)),
                                  what);
    }

    FaultyReceiver m_receiver; ///< Receiver of frames.
    Ptr<TickClock> m_clock;    ///< The clock.
    Ptr<PortFaults> m_faults;  ///< The faults.
    PortInfo m_info;           ///< Promise of the port.
};

/** Without faults the port is unchanged. */
class NothingCase : public FaultCase
{
  public:
    NothingCase()
        : FaultCase("without faults a faulty port is the port")
    {
    }

  private:
    void DoRun() override
    {
        Send({});
        NS_TEST_ASSERT_MSG_EQ(m_receiver.m_arrivals.size(), FRAMES, "all arrive");
        for (uint64_t i = 0; i < FRAMES; ++i)
        {
            const auto& arrival = m_receiver.m_arrivals[i];
            NS_TEST_ASSERT_MSG_EQ(arrival.frame.id, i, "in order");
            NS_TEST_ASSERT_MSG_EQ(arrival.frame.contents, 77 * i, "intact");
            NS_TEST_ASSERT_MSG_EQ(arrival.when, GAP * i + PORT_LATENCY, "in time");
        }
        NS_TEST_EXPECT_MSG_EQ(m_info.ordered, true, "and so it is promised");
        NS_TEST_EXPECT_MSG_EQ(m_info.lossless, true, "and so it is promised");
    }
};

/** Outages begin after a time without one. */
class UpFirstCase : public FaultCase
{
  public:
    UpFirstCase()
        : FaultCase("a node or link works before its first outage")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string part : {"Node", "Link"})
        {
            Send({{part + "UpTime", "1000000s"}, {part + "DownTime", "1s"}});
            NS_TEST_EXPECT_MSG_EQ(m_receiver.m_arrivals.size(), FRAMES, part);
        }
    }
};

/** Losses, alone and in bursts. */
class LossCase : public FaultCase
{
  public:
    LossCase()
        : FaultCase("frames are lost as often as asked, alone and in bursts")
    {
    }

  private:
    void DoRun() override
    {
        Send({{"Loss", "0.3"}});
        const auto lost = FRAMES - m_receiver.m_arrivals.size();
        ExpectShare(lost, 0.3, FRAMES, "losses");
        NS_TEST_EXPECT_MSG_EQ(m_faults->GetCount(PortFault::LOST), lost, "all are counted");
        NS_TEST_EXPECT_MSG_EQ(m_info.lossless, false, "nothing is promised");
        NS_TEST_EXPECT_MSG_EQ(m_info.ordered, true, "order is kept");

        Send({{"BurstBegin", "0.01"}, {"BurstEnd", "0.2"}});
        uint64_t bursts = 0;
        uint64_t expected = 0;
        for (const auto& arrival : m_receiver.m_arrivals)
        {
            bursts += arrival.frame.id != expected ? 1 : 0;
            expected = arrival.frame.id + 1;
        }
        const auto burstLost = m_faults->GetCount(PortFault::BURST);
        NS_TEST_EXPECT_MSG_EQ(burstLost, FRAMES - m_receiver.m_arrivals.size(), "all are counted");
        const double share = static_cast<double>(burstLost) / FRAMES;
        NS_TEST_EXPECT_MSG_EQ_TOL(share, 0.01 / 0.21, 0.015, "share of time in the bad state");
        const double length = static_cast<double>(burstLost) / static_cast<double>(bursts);
        NS_TEST_EXPECT_MSG_EQ_TOL(length, 5, 1.2, "a burst lasts as long as the bad state");
    }
};

/** Corruption that the checksum detects, or does not. */
class CorruptionCase : public FaultCase
{
  public:
    CorruptionCase()
        : FaultCase("corrupted frames are dropped, or arrive with one bit changed")
    {
    }

  private:
    void DoRun() override
    {
        Send({{"Corruption", "0.2"}, {"Uncaught", "0.25"}});
        uint64_t changed = 0;
        for (const auto& arrival : m_receiver.m_arrivals)
        {
            const uint64_t difference = arrival.frame.contents ^ (77 * arrival.frame.id);
            NS_TEST_ASSERT_MSG_LT_OR_EQ(std::popcount(difference), 1, "one bit at most");
            changed += difference != 0 ? 1 : 0;
        }
        ExpectShare(changed, 0.05, FRAMES, "not caught");
        ExpectShare(FRAMES - m_receiver.m_arrivals.size(), 0.15, FRAMES, "caught");
        NS_TEST_EXPECT_MSG_EQ(m_faults->GetCount(PortFault::CORRUPTED), changed, "all are counted");
    }
};

/** Duplicated and reordered frames. */
class FaultOrderCase : public FaultCase
{
  public:
    FaultOrderCase()
        : FaultCase("frames arrive twice and pass each other, within the bound")
    {
    }

  private:
    void DoRun() override
    {
        constexpr Ticks BOUND = 50;
        Send({{"Duplication", "0.1"},
              {"Reordering", "0.2"},
              {"ReorderBound", std::to_string(BOUND)}});
        ExpectShare(m_receiver.m_arrivals.size() - FRAMES, 0.1, FRAMES, "second arrivals");
        NS_TEST_EXPECT_MSG_EQ(m_info.ordered, false, "no order is promised");
        NS_TEST_EXPECT_MSG_EQ(m_info.lossless, true, "nothing is lost");
        NS_TEST_EXPECT_MSG_EQ(m_info.maxSlip, BOUND, "but a bound is promised");
        Ticks slip = 0;
        uint64_t highest = 0;
        Ticks highestAt = 0;
        std::vector<bool> seen(FRAMES);
        for (const auto& arrival : m_receiver.m_arrivals)
        {
            seen[arrival.frame.id] = true;
            if (arrival.frame.id < highest)
            {
                slip = std::max(slip, arrival.when - highestAt);
            }
            else if (arrival.frame.id > highest)
            {
                highest = arrival.frame.id;
                highestAt = arrival.when;
            }
            NS_TEST_ASSERT_MSG_LT_OR_EQ(arrival.when,
                                        GAP * arrival.frame.id + PORT_LATENCY + BOUND,
                                        "within the bound");
        }
        NS_TEST_EXPECT_MSG_EQ(std::count(seen.begin(), seen.end(), true),
                              FRAMES,
                              "all have arrived");
        NS_TEST_EXPECT_MSG_GT(slip, 0, "frames have passed each other");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(slip, BOUND, "by no more than the bound");
        const auto first = m_receiver.m_arrivals;
        Send({{"Duplication", "0.1"},
              {"Reordering", "0.2"},
              {"ReorderBound", std::to_string(BOUND)}});
        NS_TEST_EXPECT_MSG_EQ((first == m_receiver.m_arrivals),
                              true,
                              "the same streams give the same run");

        Send(
            {{"Corruption", "1"}, {"Uncaught", "1"}, {"Duplication", "1"}, {"ReorderBound", "50"}});
        std::vector<uint64_t> difference(FRAMES);
        uint64_t prompt = 0;
        for (const auto& arrival : m_receiver.m_arrivals)
        {
            difference[arrival.frame.id] ^= arrival.frame.contents;
            prompt += arrival.when == GAP * arrival.frame.id + PORT_LATENCY ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(std::count(difference.begin(), difference.end(), 0),
                              FRAMES,
                              "what arrives twice is corrupted once");
        NS_TEST_EXPECT_MSG_EQ(prompt, FRAMES, "and late the second time only");
    }
};

/** Decisions on single frames, and the remaining promise. */
class DecisionCase : public TestCase
{
  public:
    DecisionCase()
        : TestCase("a decision keeps to what attributes and script name; the promises follow them")
    {
    }

  private:
    /**
     * Make faults.
     * @param attributes names and values of attributes
     * @return the faults
     */
    static Ptr<PortFaults> Make(
        const std::vector<std::pair<std::string, std::string>>& attributes = {})
    {
        auto faults = CreateObject<PortFaults>();
        faults->AssignStreams(5);
        for (const auto& [name, value] : attributes)
        {
            faults->SetAttribute(name, StringValue(value));
        }
        return faults;
    }

    /** Frames hit by a script, by kinds of loss and by a burst. */
    void LookAtVictims()
    {
        const Frame frame{.id = 7, .contents = 77, .payload = 100, .header = 8, .kind = 1};
        auto faults = Make();
        faults->Script(PortFault::LOST, 1, 1, 0, 2, NO_PEER);
        faults->Script(PortFault::DELAYED, 1, 1, 9, NO_PEER, 3);
        const auto other = faults->Decide(0, 1, frame);
        NS_TEST_EXPECT_MSG_EQ(other.drop, false, "another sender");
        NS_TEST_EXPECT_MSG_EQ(other.delay, 0, "another receiver");
        NS_TEST_EXPECT_MSG_EQ(faults->Decide(2, 1, frame).drop, true, "this sender");
        NS_TEST_EXPECT_MSG_EQ(faults->Decide(0, 3, frame).delay, 9, "this receiver");

        faults = Make({{"Loss", "1"}, {"LossKinds", "2"}});
        NS_TEST_EXPECT_MSG_EQ(faults->Decide(0, 1, frame).drop, true, "kind 1 is the second bit");
        NS_TEST_EXPECT_MSG_EQ(faults->Decide(0, 1, Frame{}).drop, false, "kind 0 the first");

        faults = Make({{"BurstBegin", "0.5"}, {"BurstEnd", "0"}});
        uint32_t lost = 0;
        for (Peer sender = 0; sender < 100; ++sender)
        {
            lost += faults->Decide(sender, 200, frame).drop ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(lost, 50, 25, "the link of one sender is not that of another");
        faults = Make({{"BurstBegin", "1"}, {"BurstEnd", "0"}, {"BurstLoss", "0.5"}});
        lost = 0;
        for (uint32_t i = 0; i < 100; ++i)
        {
            lost += faults->Decide(0, 1, frame).drop ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(lost, 50, 25, "a bad link loses as often as asked");
    }

    /** The changed bit, and other effects on the frame. */
    void LookAtFates()
    {
        const Frame full{.id = 7, .contents = 77, .payload = 100, .header = 8, .kind = 1};
        Frame empty = full;
        empty.payload = 0;
        auto faults = Make({{"Corruption", "1"},
                            {"Uncaught", "1"},
                            {"Duplication", "1"},
                            {"Reordering", "1"},
                            {"ReorderBound", "2"}});
        auto fate = faults->Decide(0, 1, full);
        NS_TEST_EXPECT_MSG_EQ(std::popcount(fate.frame.contents ^ full.contents), 1, "a bit");
        NS_TEST_EXPECT_MSG_EQ(fate.frame.id, full.id, "of the contents only");
        NS_TEST_EXPECT_MSG_EQ(fate.copy, true, "a corrupted frame may come twice");
        fate = faults->Decide(0, 1, empty);
        NS_TEST_EXPECT_MSG_EQ(std::popcount(fate.frame.id ^ empty.id), 1, "without any, the id's");
        NS_TEST_EXPECT_MSG_EQ(fate.frame.contents, empty.contents, "only");
        const auto slow = Make({{"SlowReceivers", "1"}, {"SlowTime", "10ns"}, {"SlowQueue", "2"}});
        for (const Ticks delay : {10, 20, 30})
        {
            fate = slow->Decide(1, 0, full, 5);
            NS_TEST_EXPECT_MSG_EQ(fate.drop, false, "one in service and two that wait");
            NS_TEST_EXPECT_MSG_EQ(fate.delay, delay, "one after the other");
        }
        NS_TEST_EXPECT_MSG_EQ(slow->Decide(1, 0, full, 5).drop, true, "the queue is full");
        NS_TEST_EXPECT_MSG_EQ(slow->Decide(0, 1, full, 5).delay, 0, "this receiver is not slow");
        slow->Script(PortFault::DELAYED, full.kind, 1, 9);
        NS_TEST_EXPECT_MSG_EQ(slow->Decide(1, 0, full, 100).delay,
                              19,
                              "a script's frame queues too");
        NS_TEST_EXPECT_MSG_EQ(slow->Decide(1, 0, full, 100).delay, 20, "and others behind it");
        const auto clock = CreateObject<TickClock>();
        clock->SetAttribute("TickLength", TimeValue(NanoSeconds(5)));
        const auto coarse = Make({{"SlowReceivers", "1"}, {"SlowTime", "10ns"}});
        const auto port = Create<Port>(clock, Create<LoopbackPort>(clock, 2), coarse);
        NS_TEST_EXPECT_MSG_EQ(coarse->Decide(1, 0, full, 5).delay, 2, "in ticks of the clock");
        clock->Dispose();
        std::array<uint32_t, 3> delays{};
        for (uint32_t i = 0; i < 100; ++i)
        {
            ++delays.at(faults->Decide(0, 1, full).delay);
        }
        NS_TEST_EXPECT_MSG_EQ(delays[0], 0, "a delayed frame is late by a tick at least");
        NS_TEST_EXPECT_MSG_EQ_TOL(delays[2], 50, 25, "and by no more than the bound");
    }

    /** A plan without any fault is not active, and every fault makes it so. */
    void LookAtActivity()
    {
        NS_TEST_EXPECT_MSG_EQ(Make()->IsActive(), false, "no fault");
        NS_TEST_EXPECT_MSG_EQ(Make({{"ReorderBound", "9"}})->IsActive(), false, "only its delay");
        using Attribute = std::pair<std::string, std::string>;
        for (const auto& [name, value] : {Attribute{"Loss", "0.1"},
                                          {"LossPeriod", "9"},
                                          {"Corruption", "0.1"},
                                          {"Duplication", "0.1"},
                                          {"Reordering", "0.1"},
                                          {"BurstBegin", "0.1"},
                                          {"LinkUpTime", "1s"},
                                          {"NodeUpTime", "1s"},
                                          {"SlowReceivers", "1"}})
        {
            NS_TEST_EXPECT_MSG_EQ(Make({{name, value}})->IsActive(), true, name);
        }
        const auto faults = Make();
        faults->Script(PortFault::LOST, 1, 1);
        NS_TEST_EXPECT_MSG_EQ(faults->IsActive(), true, "a script");
    }

    void DoRun() override
    {
        LookAtVictims();
        LookAtFates();
        LookAtActivity();
        const PortInfo good{.mtu = 100, .ordered = true, .lossless = true, .maxSlip = 5};
        for (const auto* name : {"Loss", "Corruption", "BurstBegin"})
        {
            const auto left = Make({{name, "0.1"}, {"ReorderBound", "50"}})->Weaken(good);
            NS_TEST_EXPECT_MSG_EQ(left.lossless, false, name << " loses");
            NS_TEST_EXPECT_MSG_EQ(left.ordered, true, name << " keeps the order");
            NS_TEST_EXPECT_MSG_EQ(left.maxSlip, 5, name << " delays nothing");
        }
        for (const auto* name : {"Duplication", "Reordering"})
        {
            const auto left = Make({{name, "0.1"}, {"ReorderBound", "50"}})->Weaken(good);
            NS_TEST_EXPECT_MSG_EQ(left.lossless, true, name << " loses nothing");
            NS_TEST_EXPECT_MSG_EQ(left.ordered, false, name << " lets frames pass each other");
            NS_TEST_EXPECT_MSG_EQ(left.maxSlip, 55, name << " adds its bound");
        }
        auto faults = Make();
        faults->Script(PortFault::DELAYED, 1, 1, 9);
        NS_TEST_EXPECT_MSG_EQ(faults->Weaken(good).maxSlip, 14, "a script delays as well");
        NS_TEST_EXPECT_MSG_EQ(faults->Weaken(good).lossless, true, "and loses nothing by that");
        const PortInfo unbounded{.maxSlip = NEVER};
        NS_TEST_EXPECT_MSG_EQ(faults->Weaken(unbounded).maxSlip, NEVER, "later than never");
    }
};

/** Net devices with faults, and one outside. */
class DeviceCase : public TestCase
{
  public:
    DeviceCase()
        : TestCase("faulty net devices lose packets of their group only")
    {
    }

  private:
    void DoRun() override
    {
        NodeContainer nodes(3);
        const auto devices = SimpleNetDeviceHelper().Install(nodes);
        auto faults = CreateObject<PortFaults>();
        faults->SetAttribute("Loss", DoubleValue(1));
        faults->SetAttribute("LossFrom", UintegerValue(0));
        const auto faulty =
            FaultyNetDevice::Install(NetDeviceContainer(devices.Get(0), devices.Get(1)), faults);
        std::vector<Address> heard;
        faulty[1]->SetReceiveCallback(NetDevice::ReceiveCallback(
            [&](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address& from) {
                heard.push_back(from);
                return true;
            }));
        for (const auto& sender : {Ptr<NetDevice>(faulty[0]), devices.Get(2)})
        {
            sender->Send(Create<Packet>(10), faulty[1]->GetAddress(), 0x88b5);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(heard.size(), 1, "the packet of peer 0 is lost");
        NS_TEST_EXPECT_MSG_EQ((heard == std::vector{devices.Get(2)->GetAddress()}),
                              true,
                              "that of a device outside is not peer 0's");
        Simulator::Destroy();
    }
};

/** A script against a protocol, which reads like a figure. */
class ScriptCase : public TestCase
{
  public:
    ScriptCase()
        : TestCase("a script loses, repeats and delays the frames that it names")
    {
    }

  private:
    void DoRun() override
    {
        auto clock = CreateObject<TickClock>();
        auto loopback = Create<LoopbackPort>(clock, 2, LoopbackOptions{.keepLog = true});
        auto faults = CreateObject<PortFaults>();
        auto port = Create<Port>(clock, loopback, faults);
        auto group = CreateObject<CoreGroup<AlternatingBit, Port>>();
        group->Connect(clock, port, [](Peer peer) {
            return AlternatingBit(peer, 2, Flaw::NONE, 25);
        });
        auto audit = CreateObject<DeliveryAudit>();
        audit->SetGroup(group);

        faults->Script(PortFault::LOST, AlternatingBit::DATA, 1);
        faults->Script(PortFault::LOST, AlternatingBit::ACK, 1);
        faults->Script(PortFault::REPEATED, AlternatingBit::DATA, 4, 0, 0, 1);
        NS_TEST_EXPECT_MSG_EQ(port->GetInfo().lossless, false, "a script takes promises back too");
        audit->Post(0, Request{0, 1, 1, 8, 0, 0});
        NS_TEST_EXPECT_MSG_EQ(audit->Post(0, Request{1, 2, 1, 8, 0, 0}),
                              Acceptance::STALLED,
                              "one at a time");
        Simulator::Schedule(NanoSeconds(100), [&]() { audit->Post(0, Request{1, 2, 1, 8, 0, 0}); });
        Simulator::Run();

        std::ostringstream log;
        for (const auto& sent : loopback->GetLog())
        {
            log << sent.when << (sent.frame.kind == AlternatingBit::DATA ? " DATA" : " ACK")
                << +sent.frame.flags << "; ";
        }
        NS_TEST_EXPECT_MSG_EQ(
            log.str(),
            "0 DATA0; 25 DATA0; 35 ACK0; 50 DATA0; 60 ACK0; 100 DATA1; 110 ACK1; 110 ACK1; ",
            "the first DATA and the first ACK are lost, the fourth DATA arrives twice");
        NS_TEST_EXPECT_MSG_EQ(audit->Finish(), true, audit->GetFirstViolation());
        NS_TEST_EXPECT_MSG_EQ(audit->GetCounts().delivered, 2, "both messages have arrived");
        NS_TEST_EXPECT_MSG_EQ(port->GetInfo().lossless, true, "the script is over");
        audit->Dispose();
        group->Dispose();
        clock->Dispose();
        Simulator::Destroy();
    }
};

/**
 * Protocol, audit and faults together: the sound protocol passes, the audit detects the flawed one.
 */
class AuditCase : public TestCase
{
  public:
    AuditCase()
        : TestCase("the audit passes a sound protocol and catches a flawed one over a bad network")
    {
    }

  private:
    /** Posts all messages of all peers, one after the other. */
    class Source : public GroupUser
    {
      public:
        void OnDeliver(Peer, const Delivery&) override
        {
        }

        void OnComplete(Peer self, RequestId, Completion) override
        {
            OnReady(self);
        }

        void OnReady(Peer self) override
        {
            while (m_next[self] < m_messages)
            {
                const auto to = static_cast<Peer>((self + 1 + m_next[self] % 3) % 4);
                const Request request{m_next[self], m_next[self] * 4 + self, to, 64, self, 0};
                if (m_group->Post(self, request) != Acceptance::ACCEPTED)
                {
                    return;
                }
                ++m_next[self];
            }
        }

        Ptr<MessageGroup> m_group;                ///< The group.
        std::vector<uint64_t> m_next{0, 0, 0, 0}; ///< Messages posted by each peer.
        uint64_t m_messages{500};                 ///< Messages of each peer.
    };

    /**
     * Run 2000 messages among four peers.
     * @param flaw of the protocol
     * @return the audit
     */
    Ptr<DeliveryAudit> RunOnce(Flaw flaw)
    {
        auto clock = CreateObject<TickClock>();
        auto loopback = Create<LoopbackPort>(clock, 4, LoopbackOptions{.capacity = 3});
        auto faults = CreateObject<PortFaults>();
        faults->AssignStreams(1);
        faults->SetAttribute("Loss", DoubleValue(0.2));
        faults->SetAttribute("Duplication", DoubleValue(0.2));
        faults->SetAttribute("Corruption", DoubleValue(0.1));
        auto port = Create<Port>(clock, loopback, faults);
        auto group = CreateObject<CoreGroup<AlternatingBit, Port>>();
        group->Connect(clock, port, [flaw](Peer peer) {
            return AlternatingBit(peer, 4, flaw, 25);
        });
        auto audit = CreateObject<DeliveryAudit>();
        audit->SetAttribute("Ordered", StringValue("true"));
        audit->SetGroup(group);
        Source source;
        source.m_group = audit;
        audit->SetUser(&source);
        for (Peer peer = 0; peer < 4; ++peer)
        {
            source.OnReady(peer);
        }
        Simulator::Run();
        audit->Finish();
        source.m_group = nullptr;
        audit->Dispose();
        group->Dispose();
        clock->Dispose();
        Simulator::Destroy();
        return audit;
    }

    void DoRun() override
    {
        const auto sound = RunOnce(Flaw::NONE);
        NS_TEST_EXPECT_MSG_EQ(sound->IsClean(), true, sound->GetFirstViolation());
        NS_TEST_EXPECT_MSG_EQ(sound->GetCounts().delivered, 2000, "all have arrived");
        const auto flawed = RunOnce(Flaw::IGNORES_BIT);
        NS_TEST_EXPECT_MSG_EQ(flawed->IsClean(), false, "messages arrive twice");
        NS_TEST_EXPECT_MSG_GT(flawed->GetCounts().duplicates, 100, "often");
    }
};

/** The suite. */
class FaultyPortTestSuite : public TestSuite
{
  public:
    FaultyPortTestSuite()
        : TestSuite("messaging-faulty-port", Type::UNIT)
    {
        AddTestCase(new NothingCase, TestCase::Duration::QUICK);
        AddTestCase(new UpFirstCase, TestCase::Duration::QUICK);
        AddTestCase(new LossCase, TestCase::Duration::QUICK);
        AddTestCase(new CorruptionCase, TestCase::Duration::QUICK);
        AddTestCase(new FaultOrderCase, TestCase::Duration::QUICK);
        AddTestCase(new DecisionCase, TestCase::Duration::QUICK);
        AddTestCase(new DeviceCase, TestCase::Duration::QUICK);
        AddTestCase(new ScriptCase, TestCase::Duration::QUICK);
        AddTestCase(new AuditCase, TestCase::Duration::QUICK);
    }
};

FaultyPortTestSuite g_faultyPortTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
