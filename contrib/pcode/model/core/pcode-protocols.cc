/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-protocols.h"

#include "ns3/boolean.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-core-group.h"
#include "ns3/messaging-segmenting-core.h"
#include "ns3/pcode-core.h"
#include "ns3/pcode-lane-core.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3
{
namespace pcode
{

NS_OBJECT_ENSURE_REGISTERED(LaneProtocol);
NS_OBJECT_ENSURE_REGISTERED(P0Protocol);
NS_OBJECT_ENSURE_REGISTERED(P1Protocol);
NS_OBJECT_ENSURE_REGISTERED(PcodeProtocol);

using messaging::AnyPort;
using messaging::MessageGroup;
using messaging::Peer;
using messaging::Ticks;

/** Bits of a frame's id that its label shows: the number of the message. */
constexpr uint64_t NUMBER_MASK = 0xffffffff;

/** A node with the layer for messages longer than a frame. */
using LaneLayer = messaging::SegmentingCore<LaneCore>;

/** Base of the group: names of its frames and events. */
using LaneEvents = messaging::NamedEvents<Event, messaging::LabelledGroup<FrameKind, NUMBER_MASK>>;

/** Group with the state that its cores share. */
class LaneGroup : public messaging::CoreGroup<LaneLayer, AnyPort, LaneEvents>
{
  public:
    /** @param peers number of nodes */
    explicit LaneGroup(uint32_t peers)
        : groups(peers)
    {
    }

    TargetGroups groups; ///< Target sets.
    PcodeConfig config;  ///< Parameters of the cores.
    Ticks silence{0};    ///< Timeout without a message, before NACKs [ticks].
};

TypeId
LaneProtocol::GetTypeId()
{
    static TypeId tid =
        messaging::Attributes<LaneProtocol>(
            TypeId("ns3::pcode::LaneProtocol").SetParent<Protocol>().SetGroupName("Pcode"))
            .Forward<&LaneProtocol::m_parameters>({"DirectMessages", "DirectFlow"});
    return tid;
}

TypeId
LaneProtocol::MakeTypeId(LaneVariant variant)
{
    static constexpr std::array<std::pair<const char*, const char*>, 3> TEXTS{
        {{"P0", "P0 of paper 3: broadcast, NACKs, unbounded buffer."},
         {"P1", "P1 of paper 3: P0 with a bounded buffer, STATUS."},
         {"Pcode",
          "PCODE of paper 3: P1 with GlobalCounter, flow control, early loss detection."}}};
    const auto& [name, summary] = TEXTS[static_cast<std::size_t>(variant)];
    return messaging::SetSummary(TypeId(std::string("ns3::pcode::") + name + "Protocol"), summary)
        .SetParent<LaneProtocol>()
        .SetGroupName("Pcode");
}

LaneProtocol::LaneProtocol(LaneVariant variant)
    : m_variant(variant),
      m_parameters(CreateObject<PcodeParameters>())
{
}

LaneProtocol::~LaneProtocol() = default;

std::string
LaneProtocol::Check(const messaging::PortInfo& info, uint32_t peers) const
{
    const std::string wrong =
        CheckNetwork(info, peers, PcodeConfig::HEADER + PcodeConfig::COUNTER_BYTES * peers);
    if (!wrong.empty())
    {
        return wrong;
    }
    return m_parameters->Check();
}

messaging::Promise
LaneProtocol::GetPromise(const messaging::PortInfo&) const
{
    // Section 2 assumes that the content of a received message is correct.
    BooleanValue literal;
    m_parameters->GetAttribute("LiteralDiscard", literal);
    const bool holds = !literal.Get();
    // Only the timers of receivers request NACKs, and only NACKs and STATUS free the send buffer.
    return messaging::Promise{.complete = holds,
                              .intact = false,
                              .ended = holds,
                              .waitsWhenCalm = true,
                              .repeatsWhenCalm = true};
}

std::vector<LaneProtocol::NamedCount>
LaneProtocol::GetCounts() const
{
    return CountReasons<Event>(*m_group, EVENTS);
}

messaging::SearchStart
LaneProtocol::GetSearchStart(Ptr<const MessageGroup> group) const
{
    const auto lanes = DynamicCast<const LaneGroup>(group);
    std::vector<LaneLayer> cores;
    messaging::SearchStart start;
    for (Peer peer = 0; peer < lanes->GetNPeers(); ++peer)
    {
        cores.push_back(
            messaging::MakeLayered<LaneLayer>(LaneCore(lanes->config, peer, lanes->silence)));
        start.starts.emplace_back(peer, messaging::Request{});
    }
    start.cores = std::make_shared<messaging::CoresOf<LaneLayer>>(cores);
    return start;
}

uint32_t
LaneProtocol::GetLargestWhole(Ptr<AnyPort>) const
{
    const Ptr<const LaneGroup> group = m_group;
    return group->GetCore(0).GetCore().GetLargestMessage();
}

std::optional<uint64_t>
LaneProtocol::GetMemory() const
{
    std::size_t most = 0;
    const Ptr<const LaneGroup> group = m_group;
    const uint32_t peers = group->GetNPeers();
    for (Peer peer = 0; peer < peers; ++peer)
    {
        most = std::max(most, group->GetCore(peer).GetCore().GetNBuffered());
    }
    const std::size_t lane = sizeof(PcodeCore) + sizeof(uint32_t) * peers;
    return most * group->config.maxMessage + peers * lane;
}

Ptr<MessageGroup>
LaneProtocol::DoConnect(const messaging::Site& site)
{
    Ptr<const PcodeParameters> parameters = m_parameters;
    if (m_variant == LaneVariant::P0)
    {
        parameters = m_parameters->AsP0();
    }
    else if (m_variant == LaneVariant::P1)
    {
        parameters = m_parameters->AsP1();
    }
    const uint32_t peers = site.port->GetNPeers();
    const uint32_t largest = site.port->GetInfo().mtu - PcodeConfig::HEADER;
    m_group = CreateObject<LaneGroup>(peers);
    PcodeConfig& config = m_group->config;
    config = parameters->MakeConfig(m_group->groups, largest, NanoSeconds(1));
    config.directMessages = false;
    const messaging::Frame frame{.payload = largest, .header = PcodeConfig::HEADER};
    const Ticks step = STEP_TRIPS * site.port->GetRoundTrip(frame, frame);
    const auto scale = [step](Ticks time, Ticks times) { return time * times * step / STEP_NS; };
    const Ticks lanes = std::max<Ticks>(peers, 2) - 1;
    const Ticks silence = scale(STEP_NS, lanes);
    m_group->silence = silence;
    config.requestDelay = 0;
    config.personalDelay = scale(config.personalDelay, 1);
    config.globalDelay = scale(config.globalDelay, 1);
    config.nackPeriod = std::max<Ticks>(scale(config.nackPeriod, lanes), 1);
    config.nackStagger = scale(config.nackStagger, 1);
    config.holdOff = scale(config.holdOff, 1);
    m_group->Connect(site.clock, site.port, [&config, silence](Peer self) {
        return messaging::MakeLayered<LaneLayer>(LaneCore(config, self, silence));
    });
    for (Peer peer = 0; peer < peers; ++peer)
    {
        m_group->Post(peer, messaging::Request{});
    }
    return m_group;
}

} // namespace pcode
} // namespace ns3
