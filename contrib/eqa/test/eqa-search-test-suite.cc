/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-exchange.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/eqa-group.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/messaging-search-explorer.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

/**
 * @file
 * @ingroup eqa
 * Properties of the protocol under losses, duplicates and reordering: by exhaustive search in small
 * systems, by chance in large ones.
 */

namespace ns3
{
namespace eqa
{
namespace tests
{
namespace
{

using messaging::Explorer;
using messaging::ExplorerOptions;
using messaging::ExplorerVerdict;

/** All possible runs of a message of two or three packets. */
class SearchTestCase : public TestCase
{
  public:
    /**
     * Constructor.
     * @param name name of the search
     * @param peers number of nodes
     * @param kind kind of broadcast; to one peer if there are two
     * @param bytes its size [bytes]
     * @param messages number of messages
     * @param options options of the search
     * @param pull packets requested by a pull, 0 for all
     */
    SearchTestCase(const std::string& name,
                   uint32_t peers,
                   BroadcastKind kind,
                   uint32_t bytes,
                   uint32_t messages,
                   const ExplorerOptions& options,
                   uint32_t pull = 0)
        : TestCase("D-09, D-10, exhaustive search: " + name),
          m_options(options),
          m_pull(pull),
          m_kind(kind),
          m_peers(peers),
          m_bytes(bytes),
          m_messages(messages)
    {
    }

  private:
    void DoRun() override
    {
        EqaConfig config = SmallConfig();
        config.window = 2;
        config.btp1 = 0;
        config.btp2 = 2;
        config.pushedBuffer = sizeof(PushedPacket) + 4;
        config.broadcast = m_kind;
        config.pullPackets = m_pull;
        std::vector<EqaCore> cores;
        for (Peer peer = 0; peer < m_peers; ++peer)
        {
            cores.emplace_back(peer, m_peers, &config);
        }
        Explorer<EqaCore> explorer(cores, m_options);
        for (uint32_t i = 0; i < m_messages; ++i)
        {
            Request message;
            message.id = i;
            message.contents = 10 + i;
            message.bytes = m_bytes;
            message.to = m_peers > 2 ? NO_PEER : 1;
            explorer.AddRequest(0, message);
            for (Peer peer = 1; peer < m_peers; ++peer)
            {
                Request receive;
                receive.id = i;
                receive.contents = 1000 * peer + i;
                receive.to = 0;
                receive.flags = RECEIVE | (m_peers > 2 ? BROADCAST_CHANNEL : 0);
                explorer.AddRequest(peer, receive);
            }
        }
        explorer.SetInvariant(FindBrokenReference);
        const auto result = explorer.Run();
        std::string path;
        for (const auto& step : result.steps)
        {
            path += step.text + "\n";
        }
        NS_TEST_EXPECT_MSG_EQ(result.verdict,
                              ExplorerVerdict::SOUND,
                              result.states << " states; " << result.sentence << "\n"
                                            << path);
        NS_TEST_EXPECT_MSG_GT(result.states, 1000U, "a search worth the name");
        NS_TEST_EXPECT_MSG_EQ(result.reasons[static_cast<std::size_t>(Event::ILLEGAL)],
                              0,
                              "nothing illegal");
    }

    ExplorerOptions m_options; ///< Options of the search.
    uint32_t m_pull;           ///< Packets requested by a pull, 0 for all.
    BroadcastKind m_kind;      ///< Kind of broadcast.
    uint32_t m_peers;          ///< Number of nodes.
    uint32_t m_bytes;          ///< Size of a message [bytes].
    uint32_t m_messages;       ///< Number of messages.
};

/** A large group on a bad network: references, buffers and deliveries (D-06, D-10). */
class ChaosTestCase : public TestCase
{
  public:
    /**
     * Constructor.
     * @param kind kind of broadcast
     * @param release when receivers acknowledge
     * @param loss probability that a receiver loses a frame
     * @param pull packets requested by a pull, 0 for all
     */
    ChaosTestCase(BroadcastKind kind, ReleaseRule release, double loss, uint32_t pull = 0)
        : TestCase("D-06, D-10: nothing leaks and nothing is freed early, " +
                   std::string(kind == BroadcastKind::SIMPLE ? "simple" : "push-pull") +
                   " broadcast, " + (release == ReleaseRule::IN_TURN ? "in turn, " : "") +
                   (pull > 0 ? "pulled in parts, " : "") + "losses of " + std::to_string(loss)),
          m_kind(kind),
          m_release(release),
          m_loss(loss),
          m_pull(pull)
    {
    }

  private:
    using Port = messaging::FaultyPort<messaging::LoopbackPort>; ///< The network.

    void DoRun() override
    {
        constexpr uint32_t NODES = 9;
        constexpr uint32_t MESSAGES = 30;
        const auto clock = CreateObject<messaging::TickClock>();
        const auto loopback = Create<messaging::LoopbackPort>(
            clock,
            NODES,
            messaging::LoopbackOptions{.latency = 20000, .mtu = 1464});
        const auto faults = CreateObject<messaging::FaultPlan>();
        faults->SetAttribute("Loss", DoubleValue(m_loss));
        faults->SetAttribute("Duplication", DoubleValue(m_loss));
        faults->SetAttribute("Reordering", DoubleValue(m_loss));
        faults->SetAttribute("ReorderBound", UintegerValue(100000));
        faults->AssignStreams(3);
        const auto group = CreateObject<EqaGroup>();
        group->SetAttribute("Broadcast", EnumValue(m_kind));
        group->SetAttribute("Release", EnumValue(m_release));
        group->SetAttribute("PullPackets", UintegerValue(m_pull));
        group->Connect(clock, messaging::MakeAnyPort(Create<Port>(clock, loopback, faults)));
        const auto audit = CreateObject<messaging::DeliveryAudit>();
        audit->SetAttribute("Ordered", BooleanValue(true));
        audit->SetGroup(group);
        std::string broken;
        uint64_t events = 0;
        std::string hasty;
        group->TraceConnectWithoutContext(
            "Event",
            Callback<void, Peer, Event>([&](Peer self, Event event) {
                std::vector<EqaCore> cores;
                if (++events % 64 == 0 && broken.empty())
                {
                    for (Peer peer = 0; peer < NODES; ++peer)
                    {
                        cores.push_back(std::as_const(*group).GetCore(peer));
                    }
                    broken = FindBrokenReference(cores);
                }
                if (event == Event::BROADCAST && m_kind == BroadcastKind::PUSH_PULL)
                {
                    hasty = hasty.empty() ? FindHaste(std::as_const(*group).GetCore(self)) : hasty;
                }
            }));
        for (uint32_t i = 0; i < MESSAGES; ++i)
        {
            for (Peer leaf = 1; leaf < NODES; ++leaf)
            {
                // Some receives are early, some so late that pushed buffers overflow.
                Simulator::Schedule(MilliSeconds(8 * (i * leaf % 7) + i),
                                    [group, leaf] { group->PostReceive(leaf, 0, true); });
            }
            Simulator::Schedule(MilliSeconds(i), [audit, i] {
                Request request;
                request.id = i;
                request.to = NO_PEER;
                request.bytes = i * 397 % 9000;
                audit->Post(0, request);
            });
        }
        Simulator::Stop(Seconds(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(broken, "", "references");
        NS_TEST_EXPECT_MSG_EQ(hasty, "", "all that have lost packets have caught up (D-10)");
        NS_TEST_EXPECT_MSG_EQ(audit->Finish(), true, audit->GetFirstViolation());
        NS_TEST_EXPECT_MSG_EQ(audit->GetCounts().delivered, MESSAGES * (NODES - 1), "all arrived");
        NS_TEST_EXPECT_MSG_EQ(audit->GetCounts().completed, MESSAGES, "all were acknowledged");
        NS_TEST_EXPECT_MSG_EQ(clock->GetNPending(), 0, "no timer is left");
        const auto& queue = std::as_const(*group).GetCore(0).GetSendPoints().at(0).queue;
        NS_TEST_EXPECT_MSG_EQ(queue.GetHome().tail, queue.GetHome().head, "nothing leaks");
        if (m_loss == 0)
        {
            NS_TEST_EXPECT_MSG_GT(group->GetEventCount(Event::BUFFER_OVERFLOW), 0U, "hosts lose");
        }
        NS_TEST_EXPECT_MSG_EQ(group->GetEventCount(Event::DIRECT) +
                                  group->GetEventCount(Event::BUFFERED),
                              (NODES - 1) * group->GetEventCount(Event::BROADCAST),
                              "every packet is taken once at every leaf");
        audit->Dispose();
        group->Dispose();
        Simulator::Destroy();
    }

    /**
     * Check a root that has just broadcast a packet.
     * @param root the root
     * @return empty, or one sentence
     */
    static std::string FindHaste(const EqaCore& root)
    {
        for (const auto& point : root.GetSendPoints())
        {
            for (std::size_t i = 0; i < point.lights.size() && point.IsBroadcast(); ++i)
            {
                if (point.lights[i].recovering)
                {
                    return "A packet was broadcast before peer " +
                           std::to_string(point.queue.GetConsumers()[i].to) + " has caught up.";
                }
            }
        }
        return "";
    }

    BroadcastKind m_kind;  ///< Kind of broadcast.
    ReleaseRule m_release; ///< Time of acknowledgements.
    double m_loss;         ///< Probability of a loss.
    uint32_t m_pull;       ///< Packets requested by a pull, 0 for all.
};

/** Searches and large groups. */
class EqaSearchTestSuite : public TestSuite
{
  public:
    EqaSearchTestSuite()
        : TestSuite("eqa-search", Type::UNIT)
    {
        const auto add = [this](const std::string& name,
                                uint32_t peers,
                                BroadcastKind kind,
                                uint32_t bytes,
                                uint32_t messages,
                                const ExplorerOptions& options,
                                Duration duration) {
            AddTestCase(new SearchTestCase(name, peers, kind, bytes, messages, options), duration);
        };
        constexpr auto PUSH_PULL = BroadcastKind::PUSH_PULL;
        constexpr auto SIMPLE = BroadcastKind::SIMPLE;
        ExplorerOptions losses;
        losses.losses = 1;
        losses.timeouts = 2;
        losses.maxStates = 1500000;
        ExplorerOptions bad = losses;
        bad.duplicates = 1;
        bad.reordering = true;
        ExplorerOptions worse = bad;
        worse.losses = 2;
        worse.timeouts = 3;
        add("two nodes, all faults", 2, PUSH_PULL, 7, 1, bad, Duration::QUICK);
        add("two nodes, two messages", 2, PUSH_PULL, 5, 2, losses, Duration::QUICK);
        add("two leaves, push-pull", 3, PUSH_PULL, 4, 1, losses, Duration::QUICK);
        ExplorerOptions once = losses;
        once.timeouts = 1;
        add("two leaves, simple", 3, SIMPLE, 8, 1, once, Duration::QUICK);
        add("two nodes, more faults", 2, PUSH_PULL, 7, 1, worse, Duration::QUICK);
        ExplorerOptions reordering = once;
        reordering.reordering = true;
        add("two leaves, push-pull, reordering", 3, PUSH_PULL, 4, 1, reordering, Duration::QUICK);
        ExplorerOptions all = reordering;
        all.duplicates = 1;
        add("two leaves, simple, all faults", 3, SIMPLE, 4, 1, all, Duration::QUICK);
        AddTestCase(
            new SearchTestCase("two leaves, a pull for each packet", 3, PUSH_PULL, 7, 1, once, 1),
            Duration::QUICK);
        for (const double loss : {0.0, 0.02, 0.2})
        {
            AddTestCase(new ChaosTestCase(PUSH_PULL, ReleaseRule::TOGETHER, loss), Duration::QUICK);
            AddTestCase(new ChaosTestCase(PUSH_PULL, ReleaseRule::IN_TURN, loss), Duration::QUICK);
            AddTestCase(new ChaosTestCase(SIMPLE, ReleaseRule::TOGETHER, loss), Duration::QUICK);
            AddTestCase(new ChaosTestCase(PUSH_PULL, ReleaseRule::TOGETHER, loss, 1),
                        Duration::QUICK);
        }
    }

  private:
    using Duration = TestCase::Duration; ///< Duration of a case.
};

EqaSearchTestSuite g_eqaSearchTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace eqa
} // namespace ns3
