/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/messaging-udp-port.h"
#include "ns3/pcode-collectives.h"
#include "ns3/pcode-daemon-group.h"
#include "ns3/pcode-driver.h"
#include "ns3/pcode-lan.h"
#include "ns3/pcode-process-port.h"
#include "ns3/pcode-stream-group.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Tests of what runs programs: processes and their costs, sockets, the daemon, the rival over TCP.
 */

namespace ns3
{
namespace pcode
{
namespace tests
{
namespace
{

using messaging::Acceptance;
using messaging::Completion;
using messaging::Delivery;
using messaging::Frame;
using messaging::HostModel;
using messaging::MessageGroup;
using messaging::NO_PEER;
using messaging::Peer;
using messaging::PortUser;
using messaging::Request;
using messaging::TickClock;
using messaging::UdpPort;
using messaging::Work;
using messaging::WorkKind;

/** @return costs of the very machines that were measured. */
HostCosts
MakeCosts()
{
    return HostCosts{.scale = 1};
}

/**
 * Make a workstation of its own.
 * @param costs what it costs
 * @return the workstation
 */
Ptr<Workstation>
MakeStation(const HostCosts& costs)
{
    auto host = CreateObject<HostModel>();
    host->SetAttribute("SystemCall", TimeValue(costs.GetSystemCall()));
    host->SetAttribute("CopyRate", DataRateValue(costs.GetCopyRate()));
    auto station = CreateObject<Workstation>();
    station->Connect(host, costs.GetContextSwitch());
    return station;
}

/** A process sleeps when it has nothing to do, finishes what follows from an input, and pays for
 * switches. */
class WorkstationCase : public TestCase
{
  public:
    WorkstationCase()
        : TestCase("a process does one thing after the other and pays to wake up")
    {
    }

  private:
    void DoRun() override
    {
        auto host = CreateObject<HostModel>();
        auto station = CreateObject<Workstation>();
        station->Connect(host, MicroSeconds(39));
        std::string order;
        std::vector<int64_t> times;
        const auto note = [&](char what) {
            return [&order, &times, what] {
                order += what;
                times.push_back(Simulator::Now().GetMicroSeconds());
            };
        };
        const auto work = [](uint64_t us) { return MakeCallWork(0, 0, MicroSeconds(us)); };
        Simulator::Schedule(MicroSeconds(100), [&] {
            station->Wake(Process::DAEMON, work(10), [&] {
                note('a')();
                // An input is there already, but this follows from the one before it.
                station->Continue(Process::DAEMON, work(5), note('b'));
            });
            station->Wake(Process::DAEMON, work(20), note('c'));
        });
        // The other process runs in between, so both pay for the change.
        Simulator::Schedule(MicroSeconds(120),
                            [&] { station->Wake(Process::APPLICATION, work(1), note('d')); });
        // What a callback asks for at the same instant finds the process awake.
        Simulator::Schedule(MicroSeconds(1000), [&] {
            station->Wake(Process::APPLICATION, work(1), [&] {
                note('e')();
                Simulator::ScheduleNow(
                    [&] { station->Continue(Process::APPLICATION, work(2), note('f')); });
            });
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(order, "adbcef", "order of tasks");
        // 100 + 39 + 10; then d has asked for the CPU: + 39 + 1; b + 39 + 5; c + 20.
        const std::vector<int64_t> expected{149, 189, 233, 253, 1040, 1042};
        NS_TEST_EXPECT_MSG_EQ((times == expected), true, "times of tasks");
        NS_TEST_EXPECT_MSG_EQ(station->GetNContextSwitches(), 4, "switches");
        Simulator::Destroy();
    }
};

/** Answers each frame, and notes when answers come back. */
class Echo : public PortUser
{
  public:
    void OnFrame(Peer self, Peer, const Frame& frame) override
    {
        if (self == 1)
        {
            send(frame);
        }
        else
        {
            back = Simulator::Now();
        }
    }

    void OnReady(Peer) override
    {
    }

    std::function<void(const Frame&)> send; ///< Sends the answer.
    Time back;                              ///< When the last answer came.
};

/** On idle machines, the measured round trips come back (lmbench, IRIX on IP22). */
class RoundTripCase : public TestCase
{
  public:
    RoundTripCase()
        : TestCase("round trips of idle machines are those that were measured")
    {
    }

  private:
    void DoRun() override
    {
        auto costs = MakeCosts();
        // (602 / 2 - 67.2 - 21 - 39) / 2, and likewise.
        NS_TEST_EXPECT_MSG_EQ(costs.GetPacketCost(false), NanoSeconds(86900), "a datagram");
        NS_TEST_EXPECT_MSG_EQ(costs.GetPacketCost(true), NanoSeconds(72150), "a segment");
        NS_TEST_EXPECT_MSG_EQ(costs.GetIpcCost(IpcKind::LOCAL_TCP), NanoSeconds(39500), "local");
        NS_TEST_EXPECT_MSG_EQ(costs.GetIpcCost(IpcKind::LOCAL_RPC), NanoSeconds(122500), "RPC");
        NS_TEST_EXPECT_MSG_EQ(costs.GetIpcCost(IpcKind::LINKED), Time(0), "linked");
        NS_TEST_EXPECT_MSG_EQ(costs.GetOwnCost().has_value(), false, "not heard by default");
        costs.hearsOwn = true;
        NS_TEST_EXPECT_MSG_EQ(costs.GetOwnCost().value(), NanoSeconds(41750), "its own");
        costs.scale = 2;
        NS_TEST_EXPECT_MSG_EQ(costs.GetPacketCost(false), NanoSeconds(173800), "twice as slow");
        RunUdp();
        RunDaemon();
    }

    /** A ping-pong over UDP. */
    void RunUdp()
    {
        const auto costs = MakeCosts();
        auto lan = CreateObjectWithAttributes<Lan>("Network", EnumValue(LanKind::CSMA));
        lan->Build(2, costs, false);
        auto clock = CreateObject<TickClock>();
        auto sockets = CreateObject<UdpPort>();
        sockets->Connect(clock, lan->GetNodes(), lan->GetAddresses(9), lan->GetBroadcast(9));
        Echo echo;
        {
            ProcessPort<UdpPort> port(sockets, lan->GetStations(), Process::APPLICATION, 61440);
            port.SetUser(&echo);
            echo.send = [&](const Frame&) { port.Send(1, 0, Frame{.source = 1, .header = 36}); };
            Simulator::Schedule(Seconds(1),
                                [&] { port.Send(0, NO_PEER, Frame{.source = 0, .header = 36}); });
            Simulator::Run();
        }
        // The first process sleeps before it begins to send, which a running ping-pong does not;
        // the processes wait for the socket by a call of its own; 36 bytes are copied four times;
        // csma sends 82 bytes, and neither preamble nor gap.
        const Time copies = costs.GetCopyRate().CalculateBytesTxTime(36) * 4;
        const Time wire = NanoSeconds(2 * (82 * 800 - 67200));
        const Time expected = MicroSeconds(602) + costs.GetContextSwitch() +
                              2 * costs.GetSystemCall() + copies + wire;
        NS_TEST_EXPECT_MSG_EQ_TOL(echo.back - Seconds(1),
                                  expected,
                                  MicroSeconds(1),
                                  "round trip over UDP");
        lan->Dispose();
        Simulator::Destroy();
    }

    /** A call of a daemon that answers at once. */
    void RunDaemon()
    {
        /** Returns from everything at once. */
        class AtOnce : public MessageGroup
        {
          public:
            uint32_t GetNPeers() const override
            {
                return 1;
            }

            Acceptance Post(Peer self, const Request& request) override
            {
                m_user->OnComplete(self, request.id, Completion::SENT);
                return Acceptance::ACCEPTED;
            }
        };

        /** Notes when a call returns. */
        class Caller : public messaging::GroupUser
        {
          public:
            void OnDeliver(Peer, const Delivery&) override
            {
            }

            void OnComplete(Peer, messaging::RequestId, Completion) override
            {
                back = Simulator::Now();
            }

            void OnReady(Peer) override
            {
            }

            Time back; ///< When the last call returned.
        };

        const auto costs = MakeCosts();
        for (const auto& [ipc, roundTrip] : {std::pair(IpcKind::LOCAL_TCP, MicroSeconds(278)),
                                             std::pair(IpcKind::LOCAL_RPC, MicroSeconds(610))})
        {
            auto daemons = CreateObject<DaemonGroup>();
            daemons->Connect(CreateObject<AtOnce>(), {MakeStation(costs)}, costs.GetIpcCost(ipc));
            Caller caller;
            daemons->SetUser(&caller);
            Simulator::Schedule(Seconds(1),
                                [&] { daemons->Post(0, Request{.id = 1, .to = NO_PEER}); });
            Simulator::Run();
            // As above: the application sleeps before its first call, and the daemon waits for its
            // sockets by a call of its own.
            const Time expected = roundTrip + costs.GetContextSwitch() + costs.GetSystemCall();
            NS_TEST_EXPECT_MSG_EQ(caller.back - Seconds(1), expected, "a call to the daemon");
            Simulator::Destroy();
        }
    }
};

/** Counts frames. */
class Count : public PortUser
{
  public:
    void OnFrame(Peer self, Peer, const Frame&) override
    {
        ++heard[self];
    }

    void OnReady(Peer) override
    {
    }

    uint64_t heard[3]{}; ///< Frames by receiver.
};

/** A broadcast that comes back to its sender is read and dropped, which takes time and room. */
class OwnBroadcastCase : public TestCase
{
  public:
    OwnBroadcastCase()
        : TestCase("a process reads its own broadcasts and drops them (Figure 3)")
    {
    }

  private:
    void DoRun() override
    {
        auto costs = MakeCosts();
        costs.hearsOwn = true;
        auto lan = CreateObjectWithAttributes<Lan>("Network", EnumValue(LanKind::CSMA));
        lan->Build(2, costs, false);
        auto clock = CreateObject<TickClock>();
        auto sockets = CreateObject<UdpPort>();
        sockets->Connect(clock, lan->GetNodes(), lan->GetAddresses(9), lan->GetBroadcast(9));
        Time next;
        {
            Count user;
            ProcessPort<UdpPort> port(sockets,
                                      lan->GetStations(),
                                      Process::APPLICATION,
                                      61440,
                                      costs.GetOwnCost());
            port.SetUser(&user);
            Simulator::Schedule(Seconds(1),
                                [&] { port.Send(0, NO_PEER, Frame{.source = 0, .header = 36}); });
            // While it reads that, it is given something else to do.
            Simulator::Schedule(Seconds(1) + MicroSeconds(150), [&] {
                lan->GetStations()[0]->Wake(Process::APPLICATION,
                                            MakeCallWork(0, 0, MicroSeconds(1)),
                                            [&] { next = Simulator::Now(); });
            });
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(user.heard[0], 0, "its sender does not hear it");
            NS_TEST_EXPECT_MSG_EQ(user.heard[1], 1, "the other peer does");
            NS_TEST_EXPECT_MSG_EQ(port.GetFullest(), 36, "it takes room");
        }
        // Wake up, write, send; then the stack, and waiting, reading and copying its own.
        const Time copies = costs.GetCopyRate().CalculateBytesTxTime(36) * 2;
        const Time expected = costs.GetContextSwitch() + 3 * costs.GetSystemCall() +
                              costs.GetPacketCost(false) + costs.GetOwnCost().value() + copies +
                              MicroSeconds(1);
        NS_TEST_EXPECT_MSG_EQ_TOL(next - Seconds(1), expected, MicroSeconds(1), "what it takes");
        lan->Dispose();
        Simulator::Destroy();
    }
};

/** A receive buffer takes what it has room for, and loses the rest. */
class OverflowCase : public TestCase
{
  public:
    OverflowCase()
        : TestCase("a full receive buffer loses datagrams")
    {
    }

  private:
    void DoRun() override
    {
        const auto costs = MakeCosts();
        for (const uint32_t room : {4096U, 61440U})
        {
            auto lan = CreateObjectWithAttributes<Lan>("Network", EnumValue(LanKind::CSMA));
            lan->Build(3, costs, false);
            auto clock = CreateObject<TickClock>();
            auto sockets = CreateObject<UdpPort>();
            sockets->Connect(clock, lan->GetNodes(), lan->GetAddresses(9), lan->GetBroadcast(9));
            Count user;
            ProcessPort<UdpPort> port(sockets, lan->GetStations(), Process::DAEMON, room);
            port.SetUser(&user);
            // Peer 1 computes while ten datagrams of 1000 bytes arrive; peer 2 does not.
            Simulator::Schedule(Seconds(1), [&] {
                lan->GetStations()[1]->Continue(Process::DAEMON,
                                                MakeCallWork(0, 0, MilliSeconds(50)),
                                                [] {});
                for (int i = 0; i < 10; ++i)
                {
                    port.Send(0, NO_PEER, Frame{.source = 0, .payload = 964, .header = 36});
                }
            });
            Simulator::Run();
            const uint64_t lost = room == 4096 ? 6 : 0;
            NS_TEST_EXPECT_MSG_EQ(port.GetNOverflows(1), lost, "lost by the busy peer");
            NS_TEST_EXPECT_MSG_EQ(user.heard[1], 10 - lost, "heard by the busy peer");
            NS_TEST_EXPECT_MSG_EQ(port.GetNOverflows(2), 0, "lost by the idle peer");
            NS_TEST_EXPECT_MSG_EQ(user.heard[2], 10, "heard by the idle peer");
            NS_TEST_EXPECT_MSG_EQ(user.heard[0], 0, "the sender does not hear itself");
            lan->Dispose();
            Simulator::Destroy();
        }
    }
};

/**
 * Run a program over TCP.
 * @param program the program
 * @param order in which order targets are sent to
 * @param nagle whether Nagle's algorithm is on
 * @param loss probability that an interface loses a packet
 * @param violation set to the first violation
 * @return when each node ended, after the start; nothing if not all did
 */
std::vector<Time>
RunEachTcp(const GlobalProgram& program,
           SendOrder order,
           bool nagle,
           double loss,
           std::string& violation)
{
    const auto costs = MakeCosts();
    auto lan = CreateObjectWithAttributes<Lan>("Network",
                                               EnumValue(LanKind::CSMA),
                                               "Loss",
                                               DoubleValue(loss));
    const uint32_t peers = program.GetNNodes();
    lan->Build(peers, costs, true);
    lan->AssignStreams(1);
    auto group = CreateObject<StreamGroup>();
    group->SetAttribute("SendOrder", EnumValue(order));
    group->SetAttribute("Nagle", BooleanValue(nagle));
    group->Connect(lan->GetNodes(), lan->GetAddresses(9), lan->GetStations(), program.GetGroups());
    auto driver = CreateObject<ProgramDriver>();
    driver->Connect(group, program);
    Simulator::Schedule(Seconds(20), [&] { driver->Start(); });
    Simulator::Stop(Seconds(1000));
    Simulator::Run();
    std::vector<Time> ends;
    for (Peer p = 0; p < peers && driver->IsFinished(); ++p)
    {
        ends.push_back(driver->GetEnd(p) - Seconds(20));
    }
    violation = driver->GetViolation();
    if (group->GetNConnected() != peers * (peers - 1) / 2)
    {
        violation = "Not all connections stand.";
    }
    driver->Dispose();
    group->Dispose();
    lan->Dispose();
    Simulator::Destroy();
    return ends;
}

/**
 * The same, for all nodes together.
 * @param program the program
 * @param order order of the sends of a multicast
 * @param nagle whether Nagle's algorithm is on
 * @param loss probability of a loss
 * @param violation set to the first violation
 * @return when the last node ended, after the start; negative if not all did
 */
Time
RunTcp(const GlobalProgram& program,
       SendOrder order,
       bool nagle,
       double loss,
       std::string& violation)
{
    Time end(-1);
    for (const Time& each : RunEachTcp(program, order, nagle, loss, violation))
    {
        end = std::max(end, each);
    }
    return end;
}

/** B-20: a multicast over TCP is a send to each target, one after the other; all collectives run on
 * it, with losses too. */
class TcpCase : public TestCase
{
  public:
    TcpCase()
        : TestCase("collectives over TCP connections (B-20)")
    {
    }

  private:
    void DoRun() override
    {
        std::string violation;
        {
            // Two nodes in turn: a ping-pong, at the measured round trip.
            GlobalProgram program(2);
            Collectives(program).AllToAllInTurn(20);
            program.SetRounds(100);
            const Time end = RunTcp(program, SendOrder::NEXT_FIRST, false, 0, violation);
            NS_TEST_EXPECT_MSG_EQ(violation, "", "a ping-pong is sound");
            // 32 bytes are copied four times; csma sends 90 bytes, and neither preamble nor gap.
            const Time copies = DataRate("256Mbps").CalculateBytesTxTime(32) * 4;
            const Time wire = NanoSeconds(2 * (90 * 800 - 67200));
            NS_TEST_EXPECT_MSG_EQ_TOL(end / 100,
                                      MicroSeconds(543) + copies + wire,
                                      MicroSeconds(2),
                                      "round trip over TCP");
        }
        for (const auto order : {SendOrder::NEXT_FIRST, SendOrder::ASCENDING})
        {
            // One of four sends to the others: each receives it a send later than the one before.
            GlobalProgram program(4);
            Collectives(program).OneToAll(1, 20);
            const auto ends = RunEachTcp(program, order, false, 0, violation);
            NS_TEST_EXPECT_MSG_EQ(violation, "", "a multicast is sound");
            NS_TEST_ASSERT_MSG_EQ(ends.size(), 4, "all end");
            const auto costs = MakeCosts();
            const Time write = costs.GetSystemCall() + costs.GetCopyRate().CalculateBytesTxTime(32);
            const std::vector<Peer> targets = order == SendOrder::ASCENDING
                                                  ? std::vector<Peer>{0, 2, 3}
                                                  : std::vector<Peer>{2, 3, 0};
            for (std::size_t i = 0; i < 2; ++i)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(ends[targets[i + 1]] - ends[targets[i]],
                                          write + costs.GetPacketCost(true),
                                          MicroSeconds(3),
                                          "B-20: a send after the other");
            }
            // It writes thrice, and the stack has come between with the first segment.
            NS_TEST_EXPECT_MSG_EQ_TOL(ends[1],
                                      costs.GetContextSwitch() + 3 * write +
                                          costs.GetPacketCost(true),
                                      MicroSeconds(1),
                                      "B-20: it returns after the last send");
        }
        for (const auto order : {SendOrder::NEXT_FIRST, SendOrder::ASCENDING})
        {
            for (const bool nagle : {false, true})
            {
                for (const double loss : {0.0, 0.02})
                {
                    GlobalProgram program(5);
                    Collectives collectives(program);
                    collectives.AllToAllInTurn(700);
                    collectives.AllToAllAtOnce(20);
                    collectives.OneToAll(3, 1024);
                    collectives.Gather(1, 300);
                    collectives.Scatter(2, 300);
                    collectives.Combine(4, 8);
                    collectives.Barrier();
                    program.SetRounds(3);
                    const Time end = RunTcp(program, order, nagle, loss, violation);
                    NS_TEST_EXPECT_MSG_EQ(violation, "", "collectives are sound");
                    NS_TEST_EXPECT_MSG_EQ(end.IsStrictlyPositive(), true, "collectives end");
                }
            }
        }
        {
            // Nobody reads for long, so that buffers fill and a multicast blocks.
            GlobalProgram program(2);
            const TargetSet one({1});
            for (int i = 0; i < 300; ++i)
            {
                program.Multicast(0, 1024, one);
            }
            for (int i = 0; i < 300; ++i)
            {
                program.Request(1, 0, one);
            }
            const Time end = RunTcp(program, SendOrder::ASCENDING, false, 0, violation);
            NS_TEST_EXPECT_MSG_EQ(violation, "", "a blocked multicast is sound");
            NS_TEST_EXPECT_MSG_EQ(end.IsStrictlyPositive(), true, "a blocked multicast returns");
        }
    }
};

/** The suite. */
class PcodeRuntimeTestSuite : public TestSuite
{
  public:
    PcodeRuntimeTestSuite()
        : TestSuite("pcode-runtime", Type::UNIT)
    {
        AddTestCase(new WorkstationCase, TestCase::Duration::QUICK);
        AddTestCase(new RoundTripCase, TestCase::Duration::QUICK);
        AddTestCase(new OwnBroadcastCase, TestCase::Duration::QUICK);
        AddTestCase(new OverflowCase, TestCase::Duration::QUICK);
        AddTestCase(new TcpCase, TestCase::Duration::QUICK);
    }
};

PcodeRuntimeTestSuite g_pcodeRuntimeTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace pcode
} // namespace ns3
