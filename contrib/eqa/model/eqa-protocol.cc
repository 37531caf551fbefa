/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-protocol.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-forwarded-attributes.h"

#include <algorithm>

namespace ns3
{
namespace eqa
{

NS_LOG_COMPONENT_DEFINE("EqaProtocol");
NS_OBJECT_ENSURE_REGISTERED(EqaProtocol);
NS_OBJECT_ENSURE_REGISTERED(SbcastProtocol);
NS_OBJECT_ENSURE_REGISTERED(PpbcastProtocol);

using messaging::Frame;
using messaging::PortInfo;

namespace
{

/**
 * Default timeout [exchanges of a full packet and its acknowledgement]. On the paper's switch,
 * where an exchange takes 0.3 ms, it is a tick of Linux 2.2, 10 ms.
 */
constexpr uint32_t TIMEOUT_ROUND_TRIPS = 32;

/** Least Timeout of a group. On fast networks, 32 round trips are shorter. */
const Time LEAST_TIMEOUT = MicroSeconds(10);

} // namespace

TypeId
EqaProtocol::GetTypeId()
{
    using P = EqaProtocol;
    static TypeId tid =
        messaging::Attributes<P>(
            TypeId("ns3::eqa::EqaProtocol").SetParent<Protocol>().SetGroupName("Eqa"))
            .AddAttribute(
                "Timeout",
                "Silence after which a sender probes its receivers, or resends; doubled up to 64 "
                "times; 0 for 32 round trips of a full packet, and at least 10 us [s; a tick of "
                "Linux "
                "2.2, relative to Fast Ethernet].",
                &P::m_timeout,
                Time(0),
                Time(0))
            // The host's costs of frames take the place of those of DP-SMP's steps.
            .Forward<&P::m_parameters>({"Broadcast",
                                        "CpuRatio",
                                        "MaskTranslation",
                                        "TransmitTime",
                                        "LightTime",
                                        "MpiTime",
                                        "HandleTime",
                                        "WakeTime",
                                        "Senders",
                                        "Points",
                                        "Locks",
                                        "LockTime"});
    return tid;
}

TypeId
EqaProtocol::MakeTypeId(BroadcastKind kind)
{
    std::string name = "ns3::eqa::PpbcastProtocol";
    std::string summary = "EQA's Push-Pull Broadcast: a push, and the rest after the "
                          "acknowledgement of one receiver; push-pull messaging to one peer.";
    if (kind == BroadcastKind::SIMPLE)
    {
        name = "ns3::eqa::SbcastProtocol";
        summary = "EQA's Simple Broadcast: all packets at once, an acknowledgement of each "
                  "receiver; go-back-N to one peer.";
    }
    return messaging::SetSummary(TypeId(name), summary)
        .SetParent<EqaProtocol>()
        .SetGroupName("Eqa");
}

EqaProtocol::EqaProtocol(BroadcastKind kind)
    : m_parameters(CreateObject<EqaGroup>()),
      m_kind(kind)
{
}

std::string
EqaProtocol::Check(const PortInfo& info, uint32_t) const
{
    if (!info.broadcast)
    {
        return "EQA's broadcasts need a network that broadcasts in hardware, as a segment or a "
               "switch does.";
    }
    return m_parameters->Check(info.mtu);
}

Ptr<messaging::MessageGroup>
EqaProtocol::DoConnect(const messaging::Site& site)
{
    m_group = CreateObject<EqaGroup>();
    messaging::CopyAttributes(m_parameters, m_group);
    m_group->SetAttribute("Broadcast", EnumValue(m_kind));
    m_group->SetStandingReceives(true);
    Time timeout = m_timeout;
    if (timeout.IsZero())
    {
        const Frame packet{.payload = std::min(MAX_PAYLOAD, site.port->GetInfo().mtu)};
        const auto exchange = static_cast<int64_t>(site.port->GetRoundTrip(packet, Frame()));
        timeout = TIMEOUT_ROUND_TRIPS * exchange * site.clock->GetTickLength();
    }
    NS_LOG_INFO("Senders wait " << std::max(timeout, LEAST_TIMEOUT).As(Time::US)
                                << " for an acknowledgement");
    m_group->SetAttribute("Timeout", TimeValue(std::max(timeout, LEAST_TIMEOUT)));
    m_group->Connect(site.clock, site.port, {});
    return m_group;
}

std::vector<messaging::Protocol::NamedCount>
EqaProtocol::GetCounts() const
{
    return m_group->GetCounts();
}

std::vector<messaging::Protocol::NamedCount>
EqaProtocol::GetLosses() const
{
    return {{"pushed buffer of EQA", m_group->GetEventCount(Event::BUFFER_OVERFLOW)},
            {"descriptor ring of EQA", m_group->GetEventCount(Event::RING_OVERFLOW)}};
}

std::optional<uint64_t>
EqaProtocol::GetMemory() const
{
    uint64_t largest = 0;
    for (messaging::Peer peer = 0; peer < m_group->GetNPeers(); ++peer)
    {
        largest = std::max(largest, m_group->GetMemory(peer));
    }
    return largest;
}

messaging::SearchStart
EqaProtocol::GetSearchStart(Ptr<const messaging::MessageGroup> group) const
{
    return {.cores = messaging::MakeCores(*DynamicCast<const EqaGroup>(group))};
}

} // namespace eqa
} // namespace ns3
