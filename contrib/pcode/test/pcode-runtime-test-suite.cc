/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/messaging-core-group.h"
#include "ns3/messaging-udp-port.h"
#include "ns3/pcode-collectives.h"
#include "ns3/pcode-config.h"
#include "ns3/pcode-daemon-group.h"
#include "ns3/pcode-driver.h"
#include "ns3/pcode-lan.h"
#include "ns3/pcode-process.h"
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

/** @return costs of the measured machines, without their own broadcasts. */
HostCosts
MakeCosts()
{
    return HostCosts{.scale = 1, .hearsOwn = false, .mbuf = Time()};
}

/**
 * Make a separate workstation.
 * @param costs its costs
 * @return the workstation
 */
Ptr<Workstation>
MakeStation(const HostCosts& costs)
{
    auto host = CreateObject<HostModel>();
    host->SetAttribute("SystemCall", TimeValue(costs.GetSystemCall()));
    host->SetAttribute("CopyRate", DataRateValue(costs.GetCopyRate()));
    return CreateObject<Workstation>(host, costs);
}

/**
 * A process sleeps when idle, finishes the consequences of an input first, and pays for context
 * switches.
 */
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
        auto station = CreateObject<Workstation>(host, MakeCosts());
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
                // An input is already waiting, but this work continues the previous one.
                station->Continue(Process::DAEMON, work(5), note('b'));
            });
            station->Wake(Process::DAEMON, work(20), note('c'));
        });
        // The other process runs in between, so both pay for a switch.
        Simulator::Schedule(MicroSeconds(120),
                            [&] { station->Wake(Process::APPLICATION, work(1), note('d')); });
        // Work added by a callback at the same instant finds the process awake.
        Simulator::Schedule(MicroSeconds(1000), [&] {
            station->Wake(Process::APPLICATION, work(1), [&] {
                note('e')();
                Simulator::ScheduleNow(
                    [&] { station->Continue(Process::APPLICATION, work(2), note('f')); });
            });
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(order, "adbcef", "order of tasks");
        // 100 + 39 + 10; then d has requested the CPU: + 39 + 1; b + 39 + 5; c + 20.
        const std::vector<int64_t> expected{149, 189, 233, 253, 1040, 1042};
        NS_TEST_ASSERT_MSG_EQ(times.size(), expected.size(), "number of tasks");
        for (std::size_t i = 0; i < times.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(times[i], expected[i], "time of task " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(station->GetNContextSwitches(), 4, "switches");
        Simulator::Destroy();
    }
};

/** One select() reports all sockets; a timer waits for earlier inputs. */
class SelectCase : public TestCase
{
  public:
    SelectCase()
        : TestCase("a select() reports each socket once, and timers come after earlier messages")
    {
    }

  private:
    void DoRun() override
    {
        const auto costs = MakeCosts();
        auto station = MakeStation(costs);
        std::string order;
        std::vector<Time> times;
        const auto wake = [&](char what, Source source) {
            station->Wake(
                Process::DAEMON,
                MakeCallWork(0, 0, MicroSeconds(100)),
                [&order, &times, what] {
                    order += what;
                    times.push_back(Simulator::Now());
                },
                source);
        };
        Simulator::Schedule(Seconds(1), [&] {
            // The process sleeps; the others arrive while it reads the first datagram.
            wake('a', Source::NETWORK);
        });
        Simulator::Schedule(Seconds(1) + MicroSeconds(80), [&] {
            wake('b', Source::NETWORK);
            wake('c', Source::NETWORK);
            wake('t', Source::TIMERS);
            wake('d', Source::LOCAL);
            wake('e', Source::NETWORK);
        });
        Simulator::Run();
        // Passes: a; b and d; c; the timer and e.
        NS_TEST_EXPECT_MSG_EQ(order, "abdcte", "order");
        const Time select = 2 * costs.GetSystemCall();
        const Time begin = Seconds(1) + costs.GetContextSwitch();
        const std::vector<int> passes{1, 2, 2, 3, 4, 4};
        for (std::size_t i = 0; i < passes.size() && i < times.size(); ++i)
        {
            const Time expected =
                begin + passes[i] * select + static_cast<int64_t>(i + 1) * MicroSeconds(100);
            NS_TEST_EXPECT_MSG_EQ(times[i], expected, "a select() for each pass, " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(station->GetNContextSwitches(), 1, "it sleeps once");
        Simulator::Destroy();
    }
};

/** Arms a timer at a request, cancels another at a frame, and records expiries. */
struct TimedCore : PassiveCore
{
    /** Arm both timers. @param request the request @param out actions @return accepted */
    template <class Out>
    Acceptance OnRequest(const Request&, Out& out)
    {
        out.Arm(1, 25000000);
        out.Arm(2, 25000000);
        return Acceptance::ACCEPTED;
    }

    /** Cancel the second timer. @param out actions */
    template <class Out>
    void OnFrame(Peer, const Frame&, Out& out)
    {
        out.Cancel(2);
    }

    /** Deliver a timer's number. @param timer the timer @param out actions */
    template <class Out>
    void OnTimer(messaging::TimerId timer, Out& out)
    {
        out.Deliver(Delivery{.id = timer});
    }

    /** No state to encode. */
    void Encode(messaging::Encoder&) const
    {
    }

    /** @return true */
    bool CanAccept() const
    {
        return true;
    }
};

/**
 * Timers expire at ticks of a machine's clock; a process handles them after earlier inputs.
 */
class TimersCase : public TestCase
{
  public:
    TimersCase()
        : TestCase("timers expire at ticks, after the messages that wait in the socket's buffer")
    {
    }

  private:
    void DoRun() override
    {
        /** Records deliveries. */
        class Listener : public messaging::GroupUser
        {
          public:
            void OnDeliver(Peer, const Delivery& delivery) override
            {
                expired.emplace_back(delivery.id, Simulator::Now());
            }

            void OnComplete(Peer, messaging::RequestId, Completion) override
            {
            }

            void OnReady(Peer) override
            {
            }

            std::vector<std::pair<uint64_t, Time>> expired; ///< Expired timers and their times.
        };

        auto lan = CreateObjectWithAttributes<Lan>("Network", EnumValue(LanKind::CSMA));
        lan->Build(std::vector(2, MakeCosts()), false);
        lan->AssignStreams(1);
        auto clock = CreateObject<TickClock>();
        auto sockets = CreateObject<UdpPort>();
        sockets->Connect(clock, lan->GetNodes(), lan->GetAddresses(9), lan->GetBroadcast(9));
        const auto& stations = lan->GetStations();
        const auto port = Create<ProcessPort>(sockets, stations, Process::DAEMON, 61440);
        const auto group =
            CreateObject<messaging::CoreGroup<ProcessCore<TimedCore>, ProcessPort>>();
        group->Connect(clock, port, [&](Peer self) {
            return ProcessCore<TimedCore>(TimedCore{}, self, stations[self]);
        });
        Listener listener;
        group->SetUser(&listener);
        const Time tick = stations[0]->GetTick(Seconds(1) + MilliSeconds(25));
        NS_TEST_EXPECT_MSG_GT_OR_EQ(tick,
                                    Seconds(1) + MilliSeconds(25),
                                    "the timer does not fire before its delay");
        NS_TEST_EXPECT_MSG_LT(tick,
                              Seconds(1) + MilliSeconds(35),
                              "the timer fires within a tick of its delay");
        NS_TEST_EXPECT_MSG_EQ(stations[0]->GetTick(tick), tick, "a tick is its own");
        NS_TEST_EXPECT_MSG_EQ(stations[0]->GetTick(tick + NanoSeconds(1)),
                              tick + MilliSeconds(10),
                              "100 ticks a second");
        NS_TEST_EXPECT_MSG_NE(stations[1]->GetTick(tick), tick, "each machine has its own");
        Simulator::Schedule(Seconds(1), [&] {
            group->Post(0, Request{.id = 1});
            // The process is computing when both timers expire, and a datagram has arrived before.
            for (int step = 0; step < 40; ++step)
            {
                stations[0]->Continue(Process::DAEMON, MakeCallWork(0, 0, MilliSeconds(1)), [] {});
            }
            port->Send(1, 0, Frame{.header = 16});
        });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(listener.expired.size(), 1, "the datagram has cancelled the second");
        NS_TEST_EXPECT_MSG_EQ(listener.expired[0].first, 1, "the first timer");
        NS_TEST_EXPECT_MSG_GT(listener.expired[0].second,
                              Seconds(1) + MilliSeconds(40),
                              "when the process gets to it");
        group->Dispose();
        lan->Dispose();
        Simulator::Destroy();
    }
};

/** Sizes of frames on the wire. */
class WireCase : public TestCase
{
  public:
    WireCase()
        : TestCase("a multicast of 20 bytes has 82 on the wire, with all headers and the FCS")
    {
    }

  private:
    void DoRun() override
    {
        auto lan = CreateObjectWithAttributes<Lan>("Network", EnumValue(LanKind::CSMA));
        lan->Build(std::vector(2, MakeCosts()), false);
        auto clock = CreateObject<TickClock>();
        auto sockets = CreateObject<UdpPort>();
        sockets->Connect(clock, lan->GetNodes(), lan->GetAddresses(9), lan->GetBroadcast(9));
        uint32_t bytes = 0;
        // The device below the one that charges the CPU.
        lan->GetNodes().Get(0)->GetDevice(0)->TraceConnectWithoutContext(
            "PhyTxEnd",
            Callback<void, Ptr<const Packet>>(
                [&bytes](Ptr<const Packet> packet) { bytes = packet->GetSize(); }));
        Frame frame = MakeFrame(FrameKind::REGULAR);
        frame.payload = 20;
        sockets->Send(0, NO_PEER, frame);
        Simulator::Run();
        // PCODE's header has 16 bytes; UDP's 8, IP's 20, Ethernet's 14, and 4 of FCS.
        NS_TEST_EXPECT_MSG_EQ(bytes, 20 + 16 + 8 + 20 + 18, "bytes of the frame");
        lan->Dispose();
        Simulator::Destroy();
    }
};

/** Load and speed are separate for each machine. */
class MachinesCase : public TestCase
{
  public:
    MachinesCase()
        : TestCase("other programs take their share of a machine's CPU, and one may be slower")
    {
    }

  private:
    void DoRun() override
    {
        auto lan = CreateObjectWithAttributes<Lan>("Network", EnumValue(LanKind::CSMA));
        std::vector machines(3, MakeCosts());
        machines[1].load = 0.2;
        machines[2].scale = 3;
        lan->Build(machines, false);
        lan->AssignStreams(1);
        std::vector<Time> ends(3);
        Simulator::Schedule(Seconds(1), [&] {
            for (Peer p = 0; p < 3; ++p)
            {
                lan->GetStations()[p]->Continue(Process::DAEMON, MakeCallWork(10000, 0), [&, p] {
                    ends[p] = Simulator::Now() - Seconds(1);
                });
            }
        });
        Simulator::Stop(Seconds(100));
        Simulator::Run();
        const auto share = [&](Peer p) {
            return lan->GetStations()[p]->GetHost()->GetCpus()->GetBusyTime().GetSeconds() / 100;
        };
        NS_TEST_EXPECT_MSG_EQ(ends[0],
                              10000 * MakeCosts().GetSystemCall() + MicroSeconds(39),
                              "as measured");
        NS_TEST_EXPECT_MSG_EQ(ends[2], 3 * ends[0], "three times as slow");
        NS_TEST_EXPECT_MSG_EQ_TOL(share(1) - share(0), 0.2, 0.02, "a fifth for other programs");
        lan->Dispose();
        Simulator::Destroy();
    }
};

/** Answers each frame, and records the return of answers. */
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

    std::function<void(const Frame&)> send; ///< Sends an answer.
    Time back;                              ///< Return of the last answer.
};

/** On idle machines, the model reproduces the measured round trips (lmbench, IRIX on IP22). */
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
        NS_TEST_EXPECT_MSG_EQ(costs.GetIpcCost(), NanoSeconds(39500), "a local message");
        NS_TEST_EXPECT_MSG_EQ(costs.GetBufferTime(1000), Time(), "no buffers by default");
        costs.mbuf = MicroSeconds(10);
        for (const auto& [bytes, buffers] : {std::pair{0, 0},
                                             {1, 1},
                                             {118, 1},
                                             {119, 2},
                                             {511, 5},
                                             {512, 1},
                                             {1024, 1},
                                             {1100, 2}})
        {
            NS_TEST_EXPECT_MSG_EQ(costs.GetBufferTime(bytes),
                                  MicroSeconds(10 * buffers),
                                  "mbufs, or a page from half of its size on: " << bytes);
        }
        costs.mbuf = Time();
        // (610 / 2 - 21 - 39) / 2.
        costs.rpc = true;
        NS_TEST_EXPECT_MSG_EQ(costs.GetIpcCost(), NanoSeconds(122500), "a message of an RPC");
        costs.rpc = false;
        NS_TEST_EXPECT_MSG_EQ(costs.GetOwnCost(), NanoSeconds(41750), "one's own broadcast");
        costs.scale = 2;
        NS_TEST_EXPECT_MSG_EQ(costs.GetPacketCost(false), NanoSeconds(173800), "twice as slow");
        RunUdp();
        RunDaemon(false);
        RunDaemon(true);
    }

    /** A ping-pong over UDP. */
    void RunUdp()
    {
        const auto costs = MakeCosts();
        auto lan = CreateObjectWithAttributes<Lan>("Network", EnumValue(LanKind::CSMA));
        lan->Build(std::vector(2, costs), false);
        auto clock = CreateObject<TickClock>();
        auto sockets = CreateObject<UdpPort>();
        sockets->Connect(clock, lan->GetNodes(), lan->GetAddresses(9), lan->GetBroadcast(9));
        Echo echo;
        {
            ProcessPort port(sockets, lan->GetStations(), Process::APPLICATION, 61440);
            port.SetUser(&echo);
            echo.send = [&](const Frame&) { port.Send(1, 0, Frame{.header = 36}); };
            Simulator::Schedule(Seconds(1), [&] { port.Send(0, NO_PEER, Frame{.header = 36}); });
            Simulator::Run();
        }
        // The first process sleeps before it begins to send, unlike in a running ping-pong; the
        // processes wait for the socket by select() and get the time; 36 bytes are copied four
        // times; csma sends 82 bytes, and neither preamble nor gap.
        const Time copies = costs.GetCopyRate().CalculateBytesTxTime(36) * 4;
        const Time wire = NanoSeconds(2 * (82 * 800 - 67200));
        const Time expected = MicroSeconds(602) + costs.GetContextSwitch() +
                              4 * costs.GetSystemCall() + copies + wire;
        NS_TEST_EXPECT_MSG_EQ_TOL(echo.back - Seconds(1),
                                  expected,
                                  MicroSeconds(1),
                                  "round trip over UDP");
        lan->Dispose();
        Simulator::Destroy();
    }

    /**
     * A call of a daemon that answers immediately.
     * @param rpc whether messages cost as much as a remote procedure call
     */
    void RunDaemon(bool rpc)
    {
        /** Returns from all calls immediately. */
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

        /** Records the return of calls. */
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

            Time back; ///< Return of the last call.
        };

        auto costs = MakeCosts();
        costs.rpc = rpc;
        const Time measured = MicroSeconds(rpc ? 610 : 278);
        auto daemons = CreateObject<DaemonGroup>();
        daemons->Connect(CreateObject<AtOnce>(), {MakeStation(costs)});
        Caller caller;
        daemons->SetUser(&caller);
        const auto copy = [&costs](uint32_t bytes) {
            return costs.GetCopyRate().CalculateBytesTxTime(bytes);
        };
        for (const uint32_t bytes : {0, 1000})
        {
            Time begin;
            Simulator::Schedule(Seconds(1), [&] {
                begin = Simulator::Now();
                daemons->Post(0, Request{.id = 1, .to = NO_PEER, .bytes = bytes});
            });
            Simulator::Run();
            // As above: the application sleeps before its first call, the daemon waits for its
            // sockets by select() and gets the time, and a header is copied four times. The message
            // is copied twice, and read by a separate call.
            const Time expected = measured + costs.GetContextSwitch() + 2 * costs.GetSystemCall() +
                                  copy(DaemonGroup::HEADER) * 4 +
                                  (bytes > 0 ? costs.GetSystemCall() : Time()) + copy(bytes) * 2;
            NS_TEST_EXPECT_MSG_EQ_TOL(caller.back - begin,
                                      expected,
                                      NanoSeconds(10),
                                      "a call to the daemon");
        }
        Simulator::Destroy();
    }
};

/** Counts frames. */
class Count : public PortUser
{
  public:
    void OnFrame(Peer self, Peer, const Frame&) override
    {
        ++received[self];
    }

    void OnReady(Peer) override
    {
    }

    uint64_t received[3]{}; ///< Frames by receiver.
};

/**
 * A broadcast that returns to its sender is read and dropped, which takes time and buffer space.
 */
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
        lan->Build(std::vector(2, costs), false);
        auto clock = CreateObject<TickClock>();
        auto sockets = CreateObject<UdpPort>();
        sockets->Connect(clock, lan->GetNodes(), lan->GetAddresses(9), lan->GetBroadcast(9));
        Time next;
        {
            Count user;
            ProcessPort port(sockets, lan->GetStations(), Process::APPLICATION, 61440);
            port.SetUser(&user);
            Simulator::Schedule(Seconds(1), [&] { port.Send(0, NO_PEER, Frame{.header = 36}); });
            // It gets other work while it reads that.
            Simulator::Schedule(Seconds(1) + MicroSeconds(150), [&] {
                lan->GetStations()[0]->Wake(Process::APPLICATION,
                                            MakeCallWork(0, 0, MicroSeconds(1)),
                                            [&] { next = Simulator::Now(); });
            });
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(user.received[0], 0, "its sender gets none");
            NS_TEST_EXPECT_MSG_EQ(user.received[1], 1, "the other peer gets one");
        }
        // Wake up, write, send; then the stack, select(), the time, and reading and copying its own
        // broadcast.
        const Time copies = costs.GetCopyRate().CalculateBytesTxTime(36) * 2;
        const Time expected = costs.GetContextSwitch() + 4 * costs.GetSystemCall() +
                              costs.GetPacketCost(false) + costs.GetOwnCost() + copies +
                              MicroSeconds(1);
        NS_TEST_EXPECT_MSG_EQ_TOL(next - Seconds(1), expected, MicroSeconds(1), "what it takes");
        lan->Dispose();
        Simulator::Destroy();
    }
};

/** A full receive buffer loses datagrams. */
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
            lan->Build(std::vector(3, costs), false);
            auto clock = CreateObject<TickClock>();
            auto sockets = CreateObject<UdpPort>();
            sockets->Connect(clock, lan->GetNodes(), lan->GetAddresses(9), lan->GetBroadcast(9));
            Count user;
            ProcessPort port(sockets, lan->GetStations(), Process::DAEMON, room);
            port.SetUser(&user);
            // Peer 1 is computing while ten datagrams of 1000 bytes arrive; peer 2 is not.
            Simulator::Schedule(Seconds(1), [&] {
                lan->GetStations()[1]->Continue(Process::DAEMON,
                                                MakeCallWork(0, 0, MilliSeconds(50)),
                                                [] {});
                for (int i = 0; i < 10; ++i)
                {
                    port.Send(0, NO_PEER, Frame{.payload = 964, .header = 36});
                }
            });
            Simulator::Run();
            const uint64_t lost = room == 4096 ? 6 : 0;
            NS_TEST_EXPECT_MSG_EQ(port.GetNOverflows(1), lost, "lost by the busy peer");
            NS_TEST_EXPECT_MSG_EQ(user.received[1], 10 - lost, "received by the busy peer");
            NS_TEST_EXPECT_MSG_EQ(port.GetNOverflows(2), 0, "lost by the idle peer");
            NS_TEST_EXPECT_MSG_EQ(user.received[2], 10, "received by the idle peer");
            NS_TEST_EXPECT_MSG_EQ(user.received[0], 0, "the sender gets none");
            lan->Dispose();
            Simulator::Destroy();
        }
    }
};

/**
 * Run a program over TCP.
 * @param program the program
 * @param order order of the targets
 * @param nagle whether Nagle's algorithm is enabled
 * @param loss loss probability of a packet at an interface
 * @param violation set to the first violation
 * @return end time of each node, after the start; empty if not all ended
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
    lan->Build(std::vector(peers, costs), true);
    lan->AssignStreams(1);
    auto group = CreateObject<StreamGroup>();
    group->SetAttribute("SendOrder", EnumValue(order));
    group->SetAttribute("Nagle", BooleanValue(nagle));
    group->Connect(lan->GetDevices(),
                   lan->GetAddresses(9),
                   lan->GetStations(),
                   program.GetGroups());
    ProgramDriver driver(group, program);
    Simulator::Schedule(Seconds(20), [&] { driver.Start(); });
    Simulator::Stop(Seconds(1000));
    Simulator::Run();
    std::vector<Time> ends;
    for (Peer p = 0; p < peers && driver.IsFinished(); ++p)
    {
        ends.push_back(driver.GetEnd(p) - Seconds(20));
    }
    violation = driver.GetViolation();
    group->Dispose();
    lan->Dispose();
    Simulator::Destroy();
    return ends;
}

/**
 * Run a program over TCP, and return the end of all nodes.
 * @param program the program
 * @param order order of the sends of a multicast
 * @param nagle whether Nagle's algorithm is enabled
 * @param loss probability of a loss
 * @param violation set to the first violation
 * @return end time of the last node, after the start; negative if not all ended
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

/**
 * B-20: a multicast over TCP is a send to each target, one after the other; all collectives work on
 * it, also with losses.
 */
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
            // A call has to name another node.
            GlobalProgram program(2);
            auto lan = CreateObject<Lan>();
            lan->Build(std::vector(2, MakeCosts()), true);
            auto group = CreateObject<StreamGroup>();
            group->Connect(lan->GetDevices(),
                           lan->GetAddresses(9),
                           lan->GetStations(),
                           program.GetGroups());
            for (const Peer source : {0, 2, 3})
            {
                NS_TEST_EXPECT_MSG_EQ(group->Post(0, Request{1, 1, source, 0, 0, REQUEST_CALL}),
                                      messaging::Acceptance::REFUSED,
                                      "a message of " << source);
            }
            group->Dispose();
            lan->Dispose();
            Simulator::Destroy();
        }
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
            // One of four nodes sends to the others: each receives it one send later than the
            // previous one.
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
            // Each of its writes also takes the time of the stack.
            NS_TEST_EXPECT_MSG_EQ_TOL(ends[1],
                                      costs.GetContextSwitch() +
                                          3 * (write + costs.GetPacketCost(true)),
                                      MicroSeconds(1),
                                      "B-20: it returns when the last write has");
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
            // The receiver does not read for a long time, so that buffers fill up and a multicast
            // blocks.
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
        AddTestCase(new SelectCase, TestCase::Duration::QUICK);
        AddTestCase(new TimersCase, TestCase::Duration::QUICK);
        AddTestCase(new WireCase, TestCase::Duration::QUICK);
        AddTestCase(new MachinesCase, TestCase::Duration::QUICK);
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
