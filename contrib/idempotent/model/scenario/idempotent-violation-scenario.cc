/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-violation-scenario.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-row-table.h"
#include "ns3/messaging-scenario-results.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace idempotent
{

NS_OBJECT_ENSURE_REGISTERED(ViolationScenario);

using messaging::Verdict;

/** Fate of a packet. */
using Fate = ScriptedNetwork::Fate;
/** A packet that was sent. */
using Packet = ScriptedNetwork::Packet;

namespace
{

constexpr Fate LOST{0, 0, false};       ///< A packet that does not arrive.
constexpr uint32_t NODES = 3;           ///< Nodes of every story.
constexpr uint32_t MESSAGE_BYTES = 8;   ///< Payload of every message [bytes].
constexpr messaging::Ticks END = 20000; ///< When a run is cut off [cycles].

/**
 * Check the type and the ends of a packet.
 * @param packet the packet
 * @param kind a type
 * @param from a sender
 * @param to a receiver
 * @return whether they are those
 */
bool
Is(const Packet& packet, PacketKind kind, messaging::Peer from, messaging::Peer to)
{
    return packet.frame.kind == static_cast<uint8_t>(kind) && packet.from == from &&
           packet.to == to;
}

/** Posts messages at given times. */
class Poster : public messaging::TickUser
{
  public:
    /** @param group where to @param to by index, the receiver of each message */
    Poster(Ptr<messaging::MessageGroup> group, std::vector<messaging::Peer> to)
        : m_group(group),
          m_to(std::move(to))
    {
    }

    void OnTick(messaging::Peer peer, uint64_t datum) override
    {
        messaging::Request request;
        request.id = datum;
        request.contents = datum;
        request.to = m_to[datum];
        request.bytes = MESSAGE_BYTES;
        m_group->Post(peer, request);
    }

  private:
    Ptr<messaging::MessageGroup> m_group; ///< Where to.
    std::vector<messaging::Peer> m_to;    ///< By index, the receiver of each message.
};

} // namespace

TypeId
ViolationScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = ViolationScenario;
        TypeId type =
            messaging::SetSummary(
                TypeId("ns3::idempotent::ViolationScenario"),
                "A figure's exchange, packet by packet, with a broken variant or the sound "
                "protocol.")
                .SetParent<messaging::Scenario>()
                .SetGroupName("Idempotent")
                .AddConstructor<ViolationScenario>();
        messaging::Attributes<S>(type)
            .AddAttribute("Figure",
                          "Figure whose exchange is played [name; sections 2.1 to 2.3].",
                          &S::m_figure,
                          FigureKind::FIGURE3,
                          {{FigureKind::FIGURE3, "figure3"},
                           {FigureKind::FIGURE1, "figure1"},
                           {FigureKind::FIGURE4, "figure4"},
                           {FigureKind::FIGURE5, "figure5"}})
            .AddAttribute("Sound",
                          "Play the sound protocol instead of the shortcut that the figure shows "
                          "to be wrong [bool; sections 2.1 to 2.3].",
                          &S::m_sound,
                          false);
        messaging::ScenarioResults results(type);
        results.AddCount("Messages", "Messages posted [messages].", &S::m_messages);
        results.AddCount("Delivered",
                         "Messages acted upon [messages; section 1].",
                         &S::m_delivered);
        results.AddCount("Duplicates",
                         "Repeated actions on a message [messages; section 1: idempotence].",
                         &S::m_duplicates);
        results.AddCount("Forgotten",
                         "Messages never acted upon [messages; section 1: delivery].",
                         &S::m_forgotten);
        results.AddTable("Exchange", "All packets in the order sent.", &S::m_exchange);
        return type;
    }();
    return tid;
}

ViolationScenario::Story
ViolationScenario::Tell(FigureKind figure)
{
    Story story{{}, nullptr, Variant::SOUND, 0};
    switch (figure)
    {
    case FigureKind::FIGURE1:
        // The first of each kind of packet is lost.
        story.posts = {{0, 0, 1}};
        story.script = [](const Packet& packet) { return packet.nth == 0 ? LOST : Fate{}; };
        break;
    case FigureKind::FIGURE3:
        // All CONFs are lost for a time. With IDs of one bit the third message has the ID of the
        // first one, which the receiver still remembers.
        story.variant = Variant::SHORT_IDS;
        story.posts = {{0, 0, 1}, {100, 0, 1}, {200, 0, 1}};
        story.script = [](const Packet& packet) {
            return Is(packet, PacketKind::CONF, 0, 1) && packet.sent < 400 ? LOST : Fate{};
        };
        break;
    case FigureKind::FIGURE4:
        // The second CONF for node 0's message comes when its secondary ID is that of node 2's,
        // and node 2 has not received its ACK.
        story.variant = Variant::SECONDARY_IDS;
        story.posts = {{0, 0, 1}, {60, 2, 1}};
        story.script = [](const Packet& packet) {
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
        break;
    case FigureKind::FIGURE5:
        // The first copy of the message is delayed until the second one is confirmed.
        story.variant = Variant::NO_RETENTION;
        story.posts = {{0, 0, 1}};
        story.maxSlip = 300;
        story.script = [](const Packet& packet) {
            const bool first = Is(packet, PacketKind::MSG, 0, 1) && packet.nth == 0;
            return Fate{1, first ? 150U : 0U, false};
        };
        break;
    }
    return story;
}

void
ViolationScenario::DoRun()
{
    const Story story = Tell(m_figure);
    const Variant variant = m_sound ? Variant::SOUND : story.variant;
    const auto clock = CreateObject<messaging::TickClock>();
    const auto network = Create<ScriptedNetwork>();
    network->Setup(clock, NODES, story.script, story.maxSlip);
    IdempotentSettings settings;
    settings.config.variant = variant;
    settings.config.idBits = variant == Variant::SHORT_IDS ? 1 : MESSAGE_ID_BITS;
    const auto group = CreateObject<IdempotentPortGroup<ScriptedNetwork>>();
    group->Connect(clock, network, settings);
    const auto audit = CreateObject<messaging::DeliveryAudit>();
    audit->SetGroup(group);

    std::vector<messaging::Peer> receivers;
    receivers.reserve(story.posts.size());
    for (const auto& post : story.posts)
    {
        receivers.push_back(post.to);
    }
    Poster poster(audit, std::move(receivers));
    const uint32_t number = clock->Register(&poster);
    for (std::size_t i = 0; i < story.posts.size(); ++i)
    {
        clock->At(story.posts[i].when, number, story.posts[i].from, i);
    }
    Simulator::Stop(clock->GetTickLength() * static_cast<int64_t>(END));
    Simulator::Run();

    audit->Finish(clock->GetNPending() == 0);
    m_messages = story.posts.size();
    m_delivered = audit->GetCounts().delivered;
    m_duplicates = audit->GetCounts().duplicates;
    m_forgotten = m_messages - m_delivered;
    MakeTable(network->GetPackets());
    if (!audit->IsClean())
    {
        SetVerdict(Verdict::VIOLATED, audit->GetFirstViolation());
    }
    else if (clock->GetNPending() > 0)
    {
        SetVerdict(Verdict::LIVELOCK, "The exchange has not ended in 20000 cycles.");
    }
}

void
ViolationScenario::MakeTable(const std::vector<Packet>& packets)
{
    const auto kind = [](const Packet& p) { return static_cast<PacketKind>(p.frame.kind); };
    const auto arrives = [](const Packet& p) {
        return p.arrives == messaging::NEVER ? -1 : static_cast<int64_t>(p.arrives);
    };
    m_exchange = messaging::RowTable(packets)
                     .Add("sent", "cycles", &Packet::sent)
                     .Add("packet", "", kind)
                     .Add("from", "node", &Packet::from)
                     .Add("to", "node", &Packet::to)
                     .Add("message ID", "", [](const Packet& p) { return p.frame.id; })
                     .Add("arrives", "cycles, -1 if lost", arrives)
                     .Get();
}

} // namespace idempotent
} // namespace ns3
