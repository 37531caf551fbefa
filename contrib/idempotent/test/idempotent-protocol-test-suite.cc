/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-header.h"
#include "idempotent-scripted-network.h"

#include "ns3/boolean.h"
#include "ns3/idempotent-protocol.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-scenario-recorder.h"
#include "ns3/messaging-search-explorer.h"
#include "ns3/messaging-segmenting-core.h"
#include "ns3/messaging-text.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <deque>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

/**
 * @file
 * @ingroup idempotent
 * The protocol among several nodes: under faults, in the paper's figures, and in all states.
 */

namespace ns3
{
namespace idempotent
{
namespace tests
{
namespace
{

using messaging::Acceptance;
using messaging::DeliveryAudit;
using messaging::Explorer;
using messaging::ExplorerOptions;
using messaging::ExplorerVerdict;
using messaging::Peer;
using messaging::TickClock;
using messaging::Ticks;

/**
 * Each node sends messages to the others in turn, as fast as possible; some of them are answered.
 */
class Crowd : public messaging::GroupUser
{
  public:
    /**
     * @param group the group
     * @param messages messages of each node
     * @param answers whether every third message is answered
     */
    Crowd(Ptr<messaging::MessageGroup> group, uint32_t messages, bool answers)
        : m_group(group),
          m_next(group->GetNPeers(), 0),
          m_messages(messages),
          m_answers(answers)
    {
        group->SetUser(this);
    }

    ~Crowd() override
    {
        m_group->SetUser(nullptr);
    }

    /** Start all nodes. */
    void Begin()
    {
        for (Peer peer = 0; peer < m_group->GetNPeers(); ++peer)
        {
            OnReady(peer);
        }
    }

    /** @return messages delivered. */
    uint64_t GetNDelivered() const
    {
        return m_delivered;
    }

    void OnReady(Peer self) override
    {
        while (m_next[self] < m_messages)
        {
            const uint32_t i = m_next[self];
            const uint8_t flags = m_answers && i % 3 == 0 ? AWAITS_REPLY : 0;
            const Peer to = (self + 1 + i % (m_group->GetNPeers() - 1)) % m_group->GetNPeers();
            if (Post(self, to, flags) == Acceptance::STALLED)
            {
                return;
            }
            ++m_next[self];
        }
    }

    void OnDeliver(Peer self, const messaging::Delivery& delivery) override
    {
        ++m_delivered;
        if (delivery.flags & AWAITS_REPLY)
        {
            Post(self, delivery.from, IS_REPLY);
        }
    }

    void OnComplete(Peer, messaging::RequestId, messaging::Completion) override
    {
    }

  private:
    /**
     * Post a message. @param self sender @param to receiver @param flags flags @return acceptance
     */
    Acceptance Post(Peer self, Peer to, uint8_t flags)
    {
        messaging::Request request;
        request.id = m_posted++;
        request.contents = request.id;
        request.to = to;
        request.bytes = 4 + 4 * (m_posted % 5);
        request.flags = flags;
        return m_group->Post(self, request);
    }

    Ptr<messaging::MessageGroup> m_group; ///< The group.
    std::vector<uint32_t> m_next;         ///< Next message by node.
    uint64_t m_posted{0};                 ///< Requests so far.
    uint64_t m_delivered{0};              ///< Deliveries so far.
    uint32_t m_messages;                  ///< Messages of each node.
    bool m_answers;                       ///< Every third message is answered.
};

/** Faults of a network, and options of the protocol. */
struct Weather
{
    std::string name;  ///< Name.
    double loss{0};    ///< Probability of loss.
    double copy{0};    ///< Probability of a second copy.
    uint32_t delay{0}; ///< Maximum additional delay [ticks]; the network reorders.
    double busy{0};    ///< Probability that the port is busy.
    std::vector<std::pair<std::string, std::string>> attributes{}; ///< Attributes of the protocol.
};

/** Delivery and idempotence under random faults (E-05), and an idle end state. */
class FaultsTestCase : public TestCase
{
  public:
    /** @param weather the faults */
    explicit FaultsTestCase(const Weather& weather)
        : TestCase("Delivery and idempotence (E-05, E-11): " + weather.name),
          m_weather(weather)
    {
    }

  private:
    static constexpr uint32_t NODES = 6;     ///< Nodes.
    static constexpr uint32_t MESSAGES = 60; ///< Messages of each node.

    void DoRun() override
    {
        for (int64_t stream = 0; stream < 5; ++stream)
        {
            Play(stream);
        }
    }

    /** Run once. @param stream the random stream */
    void Play(int64_t stream)
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(stream);
        const auto clock = CreateObject<TickClock>();
        const auto network = Create<ScriptedNetwork>();
        const auto script = [&](const ScriptedNetwork::Packet& packet) {
            ScriptedNetwork::Fate fate;
            if (random->GetValue() < m_weather.busy)
            {
                fate.busy = true;
                Simulator::Schedule(clock->GetTickLength() * int64_t{3},
                                    &ScriptedNetwork::WakePort,
                                    network,
                                    packet.from);
                return fate;
            }
            fate.copies = random->GetValue() < m_weather.loss ? 0 : 1;
            fate.copies += fate.copies && random->GetValue() < m_weather.copy ? 1 : 0;
            fate.delay = m_weather.delay ? random->GetInteger(0, m_weather.delay) : 0;
            return fate;
        };
        network->Setup(clock, NODES, script, m_weather.delay ? m_weather.delay + 20 : 0);
        const auto protocol = CreateObject<IdempotentProtocol>();
        protocol->SetAttribute("SendTable", UintegerValue(4));
        protocol->SetAttribute("ReceiveTable", UintegerValue(6));
        bool answers = false;
        for (const auto& [name, value] : m_weather.attributes)
        {
            protocol->SetAttribute(name, StringValue(value));
            answers |= name == "PiggybackReply";
        }
        const auto group = protocol->ConnectPort(clock, network);
        const auto audit = CreateObject<DeliveryAudit>();
        audit->SetGroup(group);
        Crowd crowd(audit, MESSAGES, answers);
        crowd.Begin();
        Simulator::Run();

        NS_TEST_EXPECT_MSG_EQ(audit->Finish(), true, audit->GetFirstViolation());
        const uint32_t replies = answers ? (MESSAGES + 2) / 3 : 0;
        NS_TEST_EXPECT_MSG_EQ(crowd.GetNDelivered(), NODES * (MESSAGES + replies), "All arrive");
        const auto count = [&group](Event event) { return group->GetEventCount(event); };
        NS_TEST_EXPECT_MSG_EQ(count(Event::ILLEGAL), 0, "Nothing illegal");
        NS_TEST_EXPECT_MSG_EQ(count(Event::MSG_ACCEPTED), count(Event::ACK_TAKEN), "Conservation");
        NS_TEST_EXPECT_MSG_EQ(count(Event::MSG_ACCEPTED), count(Event::CONF_TAKEN), "Conservation");
        NS_TEST_EXPECT_MSG_EQ(count(Event::ACK_TAKEN) + count(Event::ACK_FORGOTTEN),
                              count(Event::CONF_SENT),
                              "E-04: a CONF for every ACK");
        for (Peer peer = 0; peer < NODES; ++peer)
        {
            NS_TEST_EXPECT_MSG_EQ(group->GetNode(peer).IsIdle(), true, "All tables are empty");
        }
        Simulator::Destroy();
    }

    Weather m_weather; ///< Faults.
};

/** Fate of a packet. */
using Fate = ScriptedNetwork::Fate;
/** A sent packet. */
using Sent = ScriptedNetwork::Packet;

/** A message of a figure. */
struct FigurePost
{
    Ticks when; ///< Time of the post [cycles].
    Peer from;  ///< Sender.
    Peer to;    ///< Receiver.
};

/** A figure of sections 2.1 to 2.3: a script, and its effect on the shortcut. */
struct Figure
{
    std::string name;               ///< Its name.
    std::vector<FigurePost> posts;  ///< Messages.
    ScriptedNetwork::Script script; ///< Fate of the packets.
    Variant variant;                ///< Shortcut proved wrong by the figure.
    Ticks maxSlip;                  ///< Slip of the network [cycles].
    uint64_t duplicates;            ///< Repeated deliveries with the shortcut.
    uint64_t forgotten;             ///< Messages never delivered with the shortcut.
};

constexpr Fate LOST{0, 0, false}; ///< Fate of a lost packet.

/**
 * Check type, sender and receiver of a packet.
 * @param packet the packet
 * @param kind a type
 * @param from a sender
 * @param to a receiver
 * @return whether they match
 */
bool
Is(const Sent& packet, PacketKind kind, Peer from, Peer to)
{
    return packet.frame.kind == static_cast<uint8_t>(kind) && packet.from == from &&
           packet.to == to;
}

/** @return the figures. */
std::vector<Figure>
MakeFigures()
{
    // The first packet of each kind is lost.
    const auto first = [](const Sent& packet) { return packet.nth == 0 ? LOST : Fate{}; };
    // All CONFs are lost for some time. With IDs of one bit the third message has the ID of the
    // first one, whose record the receiver still has.
    const auto confirmations = [](const Sent& packet) {
        return Is(packet, PacketKind::CONF, 0, 1) && packet.sent < 400 ? LOST : Fate{};
    };
    // The second CONF of node 0's message arrives when its secondary ID belongs to node 2's
    // message, and node 2 has not received its ACK.
    const auto late = [](const Sent& packet) {
        if (Is(packet, PacketKind::ACK, 1, 2) && packet.sent < 200)
        {
            return LOST;
        }
        if (Is(packet, PacketKind::CONF, 0, 1))
        {
            return Fate{1, packet.nth == 0 ? 10U : 100U, false};
        }
        return Fate{};
    };
    // The first copy of the message is delayed until the second one is confirmed.
    const auto slow = [](const Sent& packet) {
        const bool delayed = Is(packet, PacketKind::MSG, 0, 1) && packet.nth == 0;
        return Fate{1, delayed ? 150U : 0U, false};
    };
    const std::vector<FigurePost> one{{0, 0, 1}};
    return {{"Figure 1", one, first, Variant::SOUND, 0, 0, 0},
            {"Figure 3",
             {{0, 0, 1}, {100, 0, 1}, {200, 0, 1}},
             confirmations,
             Variant::SHORT_IDS,
             0,
             0,
             1},
            {"Figure 4", {{0, 0, 1}, {60, 2, 1}}, late, Variant::SECONDARY_IDS, 0, 1, 0},
            {"Figure 5", one, slow, Variant::NO_RETENTION, 300, 1, 0}};
}

/** Figures 1, 3, 4 and 5: the audit detects the wrong variants; the sound protocol is correct. */
class FiguresTestCase : public TestCase, private messaging::TickUser
{
  public:
    FiguresTestCase()
        : TestCase("Figures 1, 3, 4 and 5 (E-05, E-07, E-09, E-10, E-11)")
    {
    }

  private:
    void DoRun() override
    {
        for (const Figure& figure : MakeFigures())
        {
            Play(figure, Variant::SOUND);
            if (figure.variant != Variant::SOUND)
            {
                Play(figure, figure.variant);
            }
        }
    }

    /** Run a figure. @param figure the figure @param variant variant of the protocol */
    void Play(const Figure& figure, Variant variant)
    {
        const auto clock = CreateObject<TickClock>();
        const auto network = Create<ScriptedNetwork>();
        network->Setup(clock, 3, figure.script, figure.maxSlip);
        IdempotentSettings settings;
        settings.config.variant = variant;
        settings.config.idBits = variant == Variant::SHORT_IDS ? 1 : MESSAGE_ID_BITS;
        const auto group = CreateObject<IdempotentPortGroup<ScriptedNetwork>>();
        group->Connect(clock, network, settings);
        m_audit = CreateObject<DeliveryAudit>();
        m_audit->SetGroup(group);
        m_posts = figure.posts;
        const uint32_t number = clock->Register(this);
        for (std::size_t i = 0; i < m_posts.size(); ++i)
        {
            clock->At(m_posts[i].when, number, m_posts[i].from, i);
        }
        Simulator::Stop(clock->GetTickLength() * 20000);
        Simulator::Run();

        const bool sound = variant == Variant::SOUND;
        const uint64_t duplicates = sound ? 0 : figure.duplicates;
        const uint64_t forgotten = sound ? 0 : figure.forgotten;
        m_audit->Finish(clock->GetNPending() == 0);
        const auto& counts = m_audit->GetCounts();
        NS_TEST_EXPECT_MSG_EQ(m_audit->IsClean(), sound, figure.name << ": verdict");
        NS_TEST_EXPECT_MSG_EQ((!sound || clock->GetNPending() == 0), true, figure.name << ": end");
        NS_TEST_EXPECT_MSG_EQ(counts.duplicates, duplicates, figure.name << ": duplicates");
        NS_TEST_EXPECT_MSG_EQ(m_posts.size() - counts.delivered,
                              forgotten,
                              figure.name << ": forgotten");
        m_audit->Dispose();
        m_audit = nullptr;
        group->Dispose();
        Simulator::Destroy();
    }

    void OnTick(Peer peer, uint64_t datum) override
    {
        m_audit->Post(peer,
                      messaging::Request{.id = datum,
                                         .contents = datum,
                                         .to = m_posts[datum].to,
                                         .bytes = 8});
    }

    Ptr<DeliveryAudit> m_audit;      ///< Observes the messages.
    std::vector<FigurePost> m_posts; ///< Messages of the figure.
};

/** All states of small groups. */
class SearchTestCase : public TestCase
{
  public:
    SearchTestCase()
        : TestCase("Exhaustive search (E-05, E-07, E-09, E-10, E-11)")
    {
    }

  private:
    void DoRun() override
    {
        IdempotentConfig config;
        config.sendTable = 2;
        config.receiveTable = 1;
        ExplorerOptions ordered;
        ordered.capacity = 2;
        Look("ordered, any loss", config, ordered, 2, ExplorerVerdict::SOUND);
        config.receiveTable = 2;
        Look("ordered, room for two", config, ordered, 2, ExplorerVerdict::SOUND);

        ExplorerOptions copying = ordered;
        copying.losses = 1;
        copying.timeouts = 4;
        Look("copies", config, copying, 2, ExplorerVerdict::SOUND);

        ExplorerOptions reordering;
        reordering.reordering = true;
        reordering.duplicates = 1;
        reordering.capacity = 3;
        IdempotentConfig retaining = config;
        retaining.retention = 1;
        Look("reordering, records kept", retaining, reordering, 1, ExplorerVerdict::SOUND);
        retaining.variant = Variant::NO_RETENTION;
        Look("E-10: not kept", retaining, reordering, 1, ExplorerVerdict::VIOLATED);

        IdempotentConfig shortIds = config;
        shortIds.variant = Variant::SHORT_IDS;
        shortIds.idBits = 1;
        Look("E-07: short IDs", shortIds, ordered, 3, ExplorerVerdict::VIOLATED);
        IdempotentConfig secondary = config;
        secondary.variant = Variant::SECONDARY_IDS;
        Look("E-09: secondary IDs", secondary, ordered, 2, ExplorerVerdict::VIOLATED);
    }

    /**
     * Search.
     * @param name name of the search
     * @param config parameters of the cores
     * @param options options of the network
     * @param messages number of messages from node 0 to node 1
     * @param expected expected verdict
     */
    void Look(const std::string& name,
              const IdempotentConfig& config,
              const ExplorerOptions& options,
              uint32_t messages,
              ExplorerVerdict expected)
    {
        Explorer<IdempotentCore> explorer({IdempotentCore(config, 0), IdempotentCore(config, 1)},
                                          options);
        for (uint32_t i = 0; i < messages; ++i)
        {
            messaging::Request request;
            request.id = i;
            request.contents = 100 + i;
            request.to = 1;
            request.bytes = 4;
            explorer.AddRequest(0, request);
        }
        const auto result = explorer.Run();
        NS_TEST_EXPECT_MSG_EQ(result.verdict,
                              expected,
                              name << ": " << result.sentence << " " << result.states << " states");
    }
};

/**
 * Phase locking: two senders, a receive table of one entry, and frames that collide at the
 * receiver's port.
 */
class LivelockTestCase : public TestCase
{
  public:
    LivelockTestCase()
        : TestCase("MSG and CONF lock in phase where the receive table has one entry")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t entries : {1U, 2U})
        {
            IdempotentConfig config;
            config.receiveTable = entries;
            ExplorerOptions options;
            options.capacity = 1;
            options.sharedPort = true;
            options.fair = true;
            options.describe = [](const messaging::Frame& frame) {
                return messaging::ToText(static_cast<PacketKind>(frame.kind), ' ', frame.id);
            };
            Explorer<IdempotentCore> explorer(
                {IdempotentCore(config, 0), IdempotentCore(config, 1), IdempotentCore(config, 2)},
                options);
            for (const Peer from : {1U, 2U})
            {
                messaging::Request request;
                request.contents = from;
                request.bytes = 4;
                explorer.AddRequest(from, request);
            }
            const auto result = explorer.Run();
            NS_TEST_EXPECT_MSG_EQ(
                result.verdict,
                (entries == 1 ? ExplorerVerdict::LIVELOCK : ExplorerVerdict::SOUND),
                entries << " entries: " << result.sentence);
            bool confIsLost = false;
            for (const auto& step : result.steps)
            {
                confIsLost |= step.repeats &&
                              step.text.find("sends CONF 0 to peer 0 (lost)") != std::string::npos;
            }
            NS_TEST_EXPECT_MSG_EQ(confIsLost,
                                  (entries == 1),
                                  "the CONF that would free the entry meets the other's MSG");
        }
    }
};

/** Exhausted IDs cause a drain of the network, after which all nodes start anew (E-08). */
class DrainTestCase : public TestCase
{
  public:
    DrainTestCase()
        : TestCase("Drain before IDs are used again (E-08)")
    {
    }

  private:
    void DoRun() override
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(9);
        const auto clock = CreateObject<TickClock>();
        const auto network = Create<ScriptedNetwork>();
        network->Setup(clock, 3, [&](const ScriptedNetwork::Packet&) {
            return ScriptedNetwork::Fate{random->GetValue() < 0.3 ? 0U : 1U, 0, false};
        });
        const auto protocol = CreateObject<IdempotentProtocol>();
        protocol->SetAttribute("IdBits", UintegerValue(4));
        protocol->SetAttribute("DrainTime", UintegerValue(100));
        const auto group = protocol->ConnectPort(clock, network);
        const auto audit = CreateObject<DeliveryAudit>();
        audit->SetGroup(group);
        Crowd crowd(audit, 100, false);
        crowd.Begin();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(audit->Finish(), true, audit->GetFirstViolation());
        NS_TEST_EXPECT_MSG_EQ(crowd.GetNDelivered(), 300, "All arrive");
        NS_TEST_EXPECT_MSG_EQ(group->GetNDrains(), 6, "100 messages need 7 times 16 IDs");
        Simulator::Destroy();
        Quiet();
    }

    /**
     * The network is quiet for the drain time, plus at most a quarter of it until the next check.
     */
    void Quiet()
    {
        const auto clock = CreateObject<TickClock>();
        const auto network = Create<ScriptedNetwork>();
        network->Setup(clock, 2);
        const auto protocol = CreateObject<IdempotentProtocol>();
        protocol->SetAttribute("IdBits", UintegerValue(4));
        protocol->SetAttribute("DrainTime", UintegerValue(1000));
        const auto group = protocol->ConnectPort(clock, network);
        Crowd crowd(group, 17, false);
        crowd.Begin();
        Simulator::Run();
        Ticks last = 0;
        Ticks longest = 0;
        for (const auto& packet : network->GetPackets())
        {
            longest = packet.sent > last ? std::max(longest, packet.sent - last) : longest;
            last = std::max(last, packet.arrives);
        }
        NS_TEST_EXPECT_MSG_EQ(group->GetNDrains(), 1, "once");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(longest, 1000, "the drain time");
        NS_TEST_EXPECT_MSG_LT(longest, 1250, "not longer");
        Simulator::Destroy();
    }
};

/** A user that posts given messages, replies to those that await it, and repeats stalled posts. */
class Correspondence : public messaging::GroupUser
{
  public:
    /** @param group the group */
    explicit Correspondence(Ptr<messaging::MessageGroup> group)
        : m_group(group),
          m_waiting(group->GetNPeers())
    {
        group->SetUser(this);
    }

    ~Correspondence() override
    {
        m_group->SetUser(nullptr);
    }

    /**
     * Post a message, or let it wait until the node is ready.
     * @param self sender
     * @param to receiver
     * @param bytes its size [bytes]
     * @param flags its flags
     */
    void Post(Peer self, Peer to, uint32_t bytes, uint8_t flags = 0)
    {
        messaging::Request request;
        request.id = m_posted++;
        request.contents = request.id;
        request.to = to;
        request.bytes = bytes;
        request.flags = flags;
        m_waiting[self].push_back(request);
        OnReady(self);
    }

    /** @return messages delivered. */
    uint64_t GetNDelivered() const
    {
        return m_delivered;
    }

    void OnReady(Peer self) override
    {
        auto& waiting = m_waiting[self];
        while (!waiting.empty() && m_group->Post(self, waiting.front()) != Acceptance::STALLED)
        {
            waiting.pop_front();
        }
    }

    void OnDeliver(Peer self, const messaging::Delivery& delivery) override
    {
        ++m_delivered;
        if (delivery.flags & AWAITS_REPLY)
        {
            Post(self, delivery.from, delivery.bytes, IS_REPLY);
        }
    }

    void OnComplete(Peer, messaging::RequestId, messaging::Completion) override
    {
    }

  private:
    Ptr<messaging::MessageGroup> m_group;                  ///< The group.
    std::vector<std::deque<messaging::Request>> m_waiting; ///< Messages to be posted, by node.
    uint64_t m_posted{0};                                  ///< Messages so far.
    uint64_t m_delivered{0};                               ///< Deliveries so far.
};

/** What crosses a drain: late packets, awaited replies, messages in segments (E-08). */
class AcrossDrainTestCase : public TestCase
{
  public:
    AcrossDrainTestCase()
        : TestCase("Packets, replies and segments across a drain (E-08)")
    {
    }

  private:
    static constexpr Ticks DRAIN = 100;         ///< Quiet time of a drain [cycles].
    static constexpr int64_t LONGEST = 1000000; ///< Limit of a run that does not end [cycles].

    void DoRun() override
    {
        LatePacket();
        AwaitedReplies();
        Segments();
    }

    /**
     * The CONF that answers a late ACK of message 0 arrives after the tables have been empty for
     * the drain time, but not for T more. It must not end the record of the next message 0, of
     * which all ACKs are lost until then: after T, that message would be delivered again.
     */
    void LatePacket()
    {
        constexpr Ticks SLIP = 1000;
        const auto clock = CreateObject<TickClock>();
        const auto network = Create<ScriptedNetwork>();
        const auto script = [](const Sent& packet) {
            if (Is(packet, PacketKind::ACK, 1, 0) && packet.nth == 0)
            {
                return Fate{1, 900, false};
            }
            if (Is(packet, PacketKind::CONF, 0, 1) && packet.sent > 800 && packet.sent < 1000)
            {
                return Fate{1, 950, false};
            }
            if (Is(packet, PacketKind::ACK, 1, 0) && packet.sent > 1150 && packet.sent < 2950)
            {
                return LOST;
            }
            return Fate{};
        };
        network->Setup(clock, 2, script, SLIP);
        const auto protocol = CreateObject<IdempotentProtocol>();
        protocol->SetAttribute("IdBits", UintegerValue(1));
        protocol->SetAttribute("DrainTime", UintegerValue(DRAIN));
        const auto group = protocol->ConnectPort(clock, network);
        const auto audit = CreateObject<DeliveryAudit>();
        audit->SetGroup(group);
        Correspondence user(audit);
        for (uint32_t message = 0; message < 3; ++message)
        {
            user.Post(0, 1, 4);
        }
        Simulator::Stop(clock->GetTickLength() * LONGEST);
        Simulator::Run();
        const auto late = std::ranges::count_if(network->GetPackets(), [](const Sent& packet) {
            return Is(packet, PacketKind::CONF, 0, 1) && packet.arrives > packet.sent + 900;
        });
        NS_TEST_EXPECT_MSG_EQ(late, 1, "one CONF is late");
        NS_TEST_EXPECT_MSG_EQ(group->GetNDrains(), 1, "two IDs for three messages");
        NS_TEST_EXPECT_MSG_EQ(audit->Finish(), true, audit->GetFirstViolation());
        NS_TEST_EXPECT_MSG_EQ(user.GetNDelivered(), 3, "each message once");
        Simulator::Destroy();
    }

    /**
     * Requests exhaust the IDs while their replies, which should use their ACKs, cannot be posted:
     * the drain does not wait for them.
     */
    void AwaitedReplies()
    {
        const auto clock = CreateObject<TickClock>();
        const auto network = Create<ScriptedNetwork>();
        network->Setup(clock, 2);
        const auto protocol = CreateObject<IdempotentProtocol>();
        protocol->SetAttribute("IdBits", UintegerValue(1));
        protocol->SetAttribute("DrainTime", UintegerValue(DRAIN));
        protocol->SetAttribute("PiggybackReply", BooleanValue(true));
        const auto group = protocol->ConnectPort(clock, network);
        const auto audit = CreateObject<DeliveryAudit>();
        audit->SetGroup(group);
        Correspondence user(audit);
        for (uint32_t message = 0; message < 5; ++message)
        {
            user.Post(0, 1, 4, AWAITS_REPLY);
        }
        Simulator::Stop(clock->GetTickLength() * LONGEST);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(audit->Finish(), true, audit->GetFirstViolation());
        NS_TEST_EXPECT_MSG_EQ(user.GetNDelivered(), 10, "five requests, five replies");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(group->GetNDrains(), 2, "two IDs for five requests");
        Simulator::Destroy();
    }

    /** A message of six segments needs two IDs three times. */
    void Segments()
    {
        using Core = messaging::SegmentingCore<IdempotentCore>;
        const auto clock = CreateObject<TickClock>();
        const auto network = Create<ScriptedNetwork>();
        network->Setup(clock, 2);
        IdempotentSettings settings;
        settings.config.idBits = 1;
        settings.drainTime = DRAIN;
        const auto group = CreateObject<IdempotentPortGroup<ScriptedNetwork, Core>>();
        group->Connect(clock, network, settings);
        const auto audit = CreateObject<DeliveryAudit>();
        audit->SetGroup(group);
        Correspondence user(audit);
        user.Post(0, 1, 5 * network->GetInfo().mtu);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(audit->Finish(), true, audit->GetFirstViolation());
        NS_TEST_EXPECT_MSG_EQ(user.GetNDelivered(), 1, "the message is delivered, once");
        NS_TEST_EXPECT_MSG_EQ(group->GetNDrains(), 2, "two IDs for six segments");
        Simulator::Destroy();
    }
};

/** Content of a record of the protocol. */
class RecordTestCase : public TestCase
{
  public:
    RecordTestCase()
        : TestCase("A recorder keeps the protocol's events, in order")
    {
    }

  private:
    void DoRun() override
    {
        messaging::Recorder recorder;
        recorder.Start({});
        const auto clock = CreateObject<TickClock>();
        const auto network = Create<ScriptedNetwork>();
        network->Setup(clock, 2);
        const auto group = CreateObject<IdempotentProtocol>()->ConnectPort(clock, network);
        recorder.ObserveGroup(group);
        group->Post(0, messaging::Request{.id = 1, .to = 1, .bytes = 8});
        Simulator::Run();
        const auto table = recorder.MakeTable();
        std::ostringstream expected;
        for (const Event event : {Event::MSG_FIRST,
                                  Event::MSG_ACCEPTED,
                                  Event::ACK_FIRST,
                                  Event::CONF_SENT,
                                  Event::ACK_TAKEN,
                                  Event::CONF_TAKEN})
        {
            expected << event << ";";
        }
        std::string events;
        for (const auto& event : std::get<std::vector<std::string>>(table->GetColumns()[6].cells))
        {
            events += event + ";";
        }
        NS_TEST_EXPECT_MSG_EQ(events, expected.str(), "the exchange of a message");
        Simulator::Destroy();
    }
};

/** The bits of Figure 2 (E-06, E-08). */
class HeaderTestCase : public TestCase
{
  public:
    HeaderTestCase()
        : TestCase("Figure 2: 96 bits (E-06, E-08)")
    {
    }

  private:
    void DoRun() override
    {
        const uint64_t lastId = (uint64_t{1} << MESSAGE_ID_BITS) - 1;
        for (const auto kind : {PacketKind::MSG, PacketKind::ACK, PacketKind::CONF})
        {
            for (const uint64_t id : {uint64_t{0}, uint64_t{0x2aaaa55555aaaa}, lastId})
            {
                for (const Peer node : {0U, 0x5a5a5U, (1U << NODE_BITS) - 1})
                {
                    const IdempotentHeader header(kind, node, node ^ 1, id);
                    const auto packet = Create<Packet>();
                    packet->AddHeader(header);
                    NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 12, "E-08: 96 bits");
                    IdempotentHeader read;
                    packet->RemoveHeader(read);
                    NS_TEST_EXPECT_MSG_EQ(read.GetKind(), kind, "Packet type");
                    NS_TEST_EXPECT_MSG_EQ(read.GetSource(), node, "Source");
                    NS_TEST_EXPECT_MSG_EQ(read.GetDestination(), (node ^ 1), "Destination");
                    NS_TEST_EXPECT_MSG_EQ(read.GetMessageId(), id, "E-06: message ID");
                    NS_TEST_EXPECT_MSG_EQ(read.IsValid(), true, "A packet");
                }
            }
        }
        // Type in the first two bits, destination in the next twenty, then source, then ID.
        const auto packet = Create<Packet>();
        packet->AddHeader(IdempotentHeader(PacketKind::CONF, 1, 0, 2));
        std::vector<uint8_t> bytes(12);
        packet->CopyData(bytes.data(), 12);
        const std::vector<uint8_t> expected{0xc0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 2};
        NS_TEST_EXPECT_MSG_EQ((bytes == expected), true, "Figure 2's order of fields");
        const auto blank = Create<Packet>(12);
        IdempotentHeader corrupted;
        blank->RemoveHeader(corrupted);
        NS_TEST_EXPECT_MSG_EQ(corrupted.IsValid(), false, "No packet has type 0");
    }
};

/** The protocol among several nodes. */
class ProtocolTestSuite : public TestSuite
{
  public:
    ProtocolTestSuite()
        : TestSuite("idempotent-protocol", Type::UNIT)
    {
        const std::vector<Weather> weathers{
            {"nothing goes wrong"},
            {"loss of 1 in 2", 0.5},
            {"loss of 9 in 10", 0.9},
            {"copies", 0.2, 0.5},
            {"reordering and copies", 0.2, 0.3, 200},
            {"a busy port", 0.2, 0, 0, 0.3},
            {"answers leave a busy port first", 0.2, 0.2, 0, 0.3, {{"AnswersFirst", "true"}}},
            {"tables of one entry", 0.3, 0, 0, 0, {{"SendTable", "1"}, {"ReceiveTable", "1"}}},
            {"replies ride in ACKs", 0.3, 0.2, 0, 0.2, {{"PiggybackReply", "true"}}},
            {"replies ride in ACKs, reordering", 0.3, 0.2, 100, 0, {{"PiggybackReply", "true"}}},
        };
        for (const auto& weather : weathers)
        {
            AddTestCase(new FaultsTestCase(weather), TestCase::Duration::QUICK);
        }
        AddTestCase(new FiguresTestCase, TestCase::Duration::QUICK);
        AddTestCase(new SearchTestCase, TestCase::Duration::QUICK);
        AddTestCase(new LivelockTestCase, TestCase::Duration::QUICK);
        AddTestCase(new DrainTestCase, TestCase::Duration::QUICK);
        AddTestCase(new AcrossDrainTestCase, TestCase::Duration::QUICK);
        AddTestCase(new RecordTestCase, TestCase::Duration::QUICK);
        AddTestCase(new HeaderTestCase, TestCase::Duration::QUICK);
    }
};

ProtocolTestSuite g_protocolTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace idempotent
} // namespace ns3
