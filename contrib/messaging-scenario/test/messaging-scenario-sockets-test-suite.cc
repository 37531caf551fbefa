/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-scenario-runs.h"

#include "ns3/messaging-host-profile.h"
#include "ns3/test.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging-tests
 * Parameters of TCP and UDP, and the costs of named hosts.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{

/** Parameters that contradict each other are refused in one sentence. */
class ContradictionsTestCase : public ReliabilityTestCase
{
  public:
    ContradictionsTestCase()
        : ReliabilityTestCase("parameters of sockets that contradict each other")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<std::pair<Parameters, std::string>> cases{
            {{{"Protocol", "tcp"}, {"protocol.Congestion", "no-such"}},
             "There is no congestion control no-such; there are "},
            {{{"Protocol", "tcp"}, {"protocol.QueueDisc", "no-such"}},
             "There is no queue disc no-such; there are none, "},
            {{{"Protocol", "udp"}, {"protocol.QueueDisc", "no-such"}},
             "There is no queue disc no-such; there are none, "},
            {{{"Protocol", "tcp"},
              {"protocol.DelayedAckCount", "1"},
              {"protocol.DelayedAck", "10ms"}},
             "DelayedAck has no effect"},
            {{{"Protocol", "tcp"}, {"protocol.DelayedAckCount", "1"}, {"protocol.QuickAcks", "on"}},
             "QuickAcks has no effect"},
            {{{"Protocol", "tcp"}, {"protocol.MinRto", "10ms"}}, "MinRto is 10 ms, and "},
            {{{"Protocol", "tcp"}, {"protocol.SmallQueues", "on"}, {"protocol.QueueDisc", "none"}},
             "SmallQueues limits the bytes in the queue disc"},
            {{{"Protocol", "tcp"},
              {"protocol.Stack", "1995"},
              {"protocol.ReceiveBuffer", "1000000"}},
             "ReceiveBuffer is 1000000 bytes, but without window scaling"},
            {{{"Protocol", "tcp"}, {"protocol.SendBuffer", "100"}},
             "SendBuffer needs room for a segment"},
            {{{"Protocol", "tcp"},
              {"protocol.SegmentSize", "1000"},
              {"protocol.ReceiveBuffer", "1999"}},
             "ReceiveBuffer needs room for two segments of 1000 bytes"},
            {{{"Protocol", "udp"}, {"protocol.SendBuffer", "100"}, {"protocol.QueueDisc", "none"}},
             "SendBuffer limits the packets in the queue disc"}};
        for (const auto& [parameters, sentence] : cases)
        {
            const std::string found = Make(parameters)->Check();
            NS_TEST_EXPECT_MSG_EQ(found.substr(0, sentence.size()), sentence, "refused");
        }
    }
};

/** No message waits for a timer of TCP with the settings of Linux; with those of 1995, it does. */
class CalmTcpTestCase : public ReliabilityTestCase
{
  public:
    CalmTcpTestCase()
        : ReliabilityTestCase("TCP waits for no timer in a calm run, and fills the link")
    {
    }

  private:
    void DoRun() override
    {
        const Parameters stream{{"Network", "csma"},
                                {"Protocol", "tcp"},
                                {"Pattern", "stream"},
                                {"Nodes", "2"},
                                {"Messages", "5"},
                                {"Host", "free"}};
        for (const std::string size : {"8", "1000", "65536"})
        {
            Parameters parameters = stream;
            parameters["Size"] = size;
            const auto linux = Run(parameters);
            NS_TEST_EXPECT_MSG_LT(Number(linux, "Time"), 200e3, size << " bytes, Linux");
        }
        Parameters parameters{{"Network", "point-to-point"},
                              {"Protocol", "tcp"},
                              {"Pattern", "ping-pong"},
                              {"Nodes", "2"},
                              {"Messages", "20"},
                              {"Size", "8"},
                              {"Host", "free"}};
        // A connection each: SYN, its answer and the last of the handshake.
        constexpr double HANDSHAKES = 2 * 3 / 40.0;
        NS_TEST_EXPECT_MSG_EQ_TOL(Number(Run(parameters), "FramesPerMessage"),
                                  2 + HANDSHAKES,
                                  0.001,
                                  "frames of a message, each with an acknowledgement");
        parameters["protocol.Stack"] = "1995";
        NS_TEST_EXPECT_MSG_LT(Number(Run(parameters), "FramesPerMessage"),
                              1.6 + HANDSHAKES,
                              "frames of a message, every second one with an acknowledgement");
        for (const std::string congestion : {"cubic", "newreno", "dctcp", "ns3::TcpHtcp"})
        {
            parameters = stream;
            parameters["Size"] = "1048576";
            parameters["protocol.Congestion"] = congestion;
            const auto run = Run(parameters);
            // 100 Mbit/s less 90 of 1538 bytes, with a start.
            NS_TEST_EXPECT_MSG_GT(Number(run, "Goodput"),
                                  0.9 * 12.5 * 1448 / 1538,
                                  congestion << " uses nine tenths of the link");
        }
        for (const std::string disc : {"none", "pfifo_fast", "fq_codel", "ns3::FifoQueueDisc"})
        {
            parameters = stream;
            parameters["protocol.QueueDisc"] = disc;
            NS_TEST_EXPECT_MSG_EQ(Text(Run(parameters), "Outcome"), "exact", disc);
            parameters["Protocol"] = "udp";
            NS_TEST_EXPECT_MSG_EQ(Text(Run(parameters), "Outcome"), "exact", disc);
        }
    }
};

/** The latency of a message on an idle link is the sum of its bytes and of its work. */
class IdleLatencyTestCase : public ReliabilityTestCase
{
  public:
    IdleLatencyTestCase()
        : ReliabilityTestCase("the latency on an idle link has a closed form")
    {
    }

  private:
    void DoRun() override
    {
        constexpr double BYTE = 0.08; // [us] at 100 Mbit/s
        constexpr double DELAY = 0.5; // [us]
        constexpr double PPP = 2;
        constexpr double IP = 20;
        constexpr double UDP = 8;
        constexpr double TCP = 20 + 12;
        constexpr double MESSAGE = 36 + 8; // with its header
        const std::map<std::string, double> wires{
            {"none", (PPP + MESSAGE) * BYTE + DELAY},
            {"udp", (PPP + IP + UDP + MESSAGE) * BYTE + DELAY},
            // The acknowledgement of the message before leaves first.
            {"tcp", (2 * (PPP + IP + TCP) + MESSAGE) * BYTE + DELAY}};
        for (const auto& [protocol, wire] : wires)
        {
            Parameters parameters{{"Network", "point-to-point"},
                                  {"Protocol", protocol},
                                  {"Pattern", "ping-pong"},
                                  {"Nodes", "2"},
                                  {"Messages", "5"},
                                  {"Size", "8"},
                                  {"Host", "free"}};
            NS_TEST_EXPECT_MSG_EQ_TOL(Number(Run(parameters), "LatencyMedian"),
                                      wire,
                                      0.005,
                                      protocol << " over free hosts");
            if (protocol != "tcp")
            {
                parameters["Host"] = "pentium2-1999";
                const auto run = Run(parameters);
                NS_TEST_EXPECT_MSG_EQ_TOL(Number(run, "LatencyMedian"),
                                          wire + Number(run, "CpuPerMessage"),
                                          0.005,
                                          protocol << " over hosts of 1999");
            }
        }
    }
};

/** Each network has its host, whose costs of a message are the sum of its steps. */
class HostsTestCase : public ReliabilityTestCase
{
  public:
    HostsTestCase()
        : ReliabilityTestCase("the costs of a message are those of the host")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<HostKind> kinds{HostKind::FREE,
                                          HostKind::SPARC10_1995,
                                          HostKind::PENTIUM2_1999,
                                          HostKind::XEON_2008,
                                          HostKind::SERVER_2025};
        constexpr uint32_t SIZE = 1000;
        const Parameters common{{"Network", "csma"},
                                {"Nodes", "2"},
                                {"Pattern", "ping-pong"},
                                {"Messages", "4"},
                                {"Size", std::to_string(SIZE)}};
        for (const HostKind kind : kinds)
        {
            Parameters parameters = common;
            parameters["Host"] = GetHostName(kind);
            const auto run = Run(parameters);
            NS_TEST_EXPECT_MSG_EQ(Text(run, "HostUsed"), GetHostName(kind), "the host in use");
            const HostProfile& profile = GetHostProfile(kind);
            Time work = profile.send + profile.receive + profile.interrupt +
                        2 * profile.systemCall + profile.contextSwitch;
            if (profile.copyRate.GetBitRate() > 0)
            {
                work += 2 * profile.copyRate.CalculateBytesTxTime(SIZE);
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(Number(run, "CpuPerMessage"),
                                      work.GetSeconds() * 1e6,
                                      0.01,
                                      "a frame of " << GetHostName(kind));
        }
        const auto standard = Run(common);
        NS_TEST_EXPECT_MSG_EQ(Text(standard, "HostUsed"),
                              "pentium2-1999",
                              "the default host of csma");
        Parameters own = common;
        own["FrameTime"] = "3us";
        own["CopyRate"] = "1Gbps";
        const auto given = Run(own);
        NS_TEST_EXPECT_MSG_EQ_TOL(Number(given, "CpuPerMessage"),
                                  2 * 3 + 2 * 8,
                                  0.01,
                                  "FrameTime and CopyRate take the place of the host's");
    }
};

/** The suite. */
class SocketParametersTestSuite : public TestSuite
{
  public:
    SocketParametersTestSuite()
        : TestSuite("messaging-scenario-sockets", Type::UNIT)
    {
        AddTestCase(new ContradictionsTestCase, Duration::QUICK);
        AddTestCase(new CalmTcpTestCase, Duration::QUICK);
        AddTestCase(new IdleLatencyTestCase, Duration::QUICK);
        AddTestCase(new HostsTestCase, Duration::QUICK);
    }
};

/** The one instance. */
static SocketParametersTestSuite g_socketParametersTestSuite;

} // namespace tests
} // namespace messaging
} // namespace ns3
