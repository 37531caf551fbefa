/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-protocols.h"

#include "roce-wire.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-datagram-capture.h"
#include "ns3/messaging-registry.h"

#include <algorithm>
#include <array>

namespace ns3
{
namespace roce
{

using messaging::AnyPort;
using messaging::PortInfo;
using messaging::Range;

NS_OBJECT_ENSURE_REGISTERED(RoceProtocol);
NS_OBJECT_ENSURE_REGISTERED(IrnProtocol);

namespace
{

/** Payloads of a packet that InfiniBand permits, the largest first [bytes; IBTA 9.2]. */
constexpr std::array<uint32_t, 5> MTUS{4096, 2048, 1024, 512, 256};

/** Unit of RoCE's timeout [ns; IBTA 9.7.6]. */
constexpr double TIMEOUT_UNIT = 4096;

/** Largest exponent of RoCE's timeout, a field of five bits. */
constexpr uint32_t MOST_EXPONENT = 31;

/** Idle round trips in a timeout that is not given. */
constexpr Ticks ROUND_TRIPS = 4;

/** Flows of a peer whose windows count in it: their packets may wait for each other. */
constexpr Ticks FLOWS = 8;

/** Most peers whose windows count in it. */
constexpr uint32_t MOST_SENDERS = 16;

/** Bandwidth-delay products in a window that is not given. Of most networks the round trip is known
 * between neighbours, while some paths are longer; and a window that congestion control has, such
 * as the 1.5 products of NSCC, needs room for what came after a gap. */
constexpr Ticks BDPS = 2;

/** Least window that is not given [packets]. */
constexpr Ticks LEAST_WINDOW = 8;

/** Ratio of IRN's timeouts in its paper, 320 us and 100 us. */
constexpr double HIGH_TO_LOW = 3.2;

/** Largest packet that can be configured [bytes]. */
constexpr uint32_t LARGEST_MTU = 9000;

/** Largest window of go-back-N: below half of all numbers. */
constexpr uint32_t LARGEST_WINDOW = (1 << 23) - 1;

/** Largest send queue [messages]. */
constexpr uint32_t LARGEST_QUEUE = 1 << 20;

/**
 * Get the payload for which frames of a network have room.
 * @param settings the parameters
 * @param info the network
 * @return the room [bytes]; 0 if there is none
 */
uint32_t
GetRoom(const QueuePairs::Settings& settings, const PortInfo& info)
{
    const uint32_t header = TRANSPORT_HEADER + IMMEDIATE_HEADER + settings.extension;
    return info.mtu > header ? info.mtu - header : 0;
}

/**
 * Get the payload of a packet.
 * @param settings the parameters
 * @param room payload for which frames have room [bytes]
 * @return the payload: as given, or the largest that InfiniBand permits, or what there is room for
 */
uint32_t
ChooseMtu(const QueuePairs::Settings& settings, uint32_t room)
{
    if (settings.mtu > 0)
    {
        return settings.mtu;
    }
    const auto mtu = std::ranges::find_if(MTUS, [&](uint32_t each) { return each <= room; });
    return mtu == MTUS.end() ? room : *mtu;
}

/**
 * Get the idle round trip of a full packet.
 * @param config the parameters
 * @param port the network
 * @return the time [ticks]
 */
Ticks
GetRoundTrip(const Config& config, const AnyPort& port)
{
    const Frame packet{.payload = config.mtu, .header = config.dataHeader};
    const Frame answer{.header = config.ackHeader};
    return port.GetRoundTrip(packet, answer);
}

/**
 * Get the part of the idle round trip of a full packet in the network.
 * @param config the parameters
 * @param port the network
 * @return the time [ticks]
 */
Ticks
GetNetworkRoundTrip(const Config& config, const AnyPort& port)
{
    const Frame packet{.payload = config.mtu, .header = config.dataHeader};
    const Frame answer{.header = config.ackHeader};
    return port.GetNetworkRoundTrip(packet, answer);
}

/**
 * Get the time for which a full packet occupies the sender's channel.
 * @param config the parameters
 * @param port the network
 * @return the time, at least one tick [ticks]
 */
Ticks
GetWireTime(const Config& config, const AnyPort& port)
{
    const Frame packet{.payload = config.mtu, .header = config.dataHeader};
    return std::max<Ticks>(port.WireTicks(packet), 1);
}

/**
 * Convert a time.
 * @param nanoseconds the time [ns]
 * @param tick length of a tick
 * @return the time, at least one tick [ticks]
 */
Ticks
CountTicks(double nanoseconds, Time tick)
{
    return std::max<Ticks>(static_cast<Ticks>(nanoseconds / tick.ToDouble(Time::NS)), 1);
}

/**
 * Get the timeout of RoCE.
 * @param exponent the exponent
 * @param tick length of a tick
 * @return 4.096 us x 2^exponent [ticks]
 */
Ticks
GetRoceTimeout(uint32_t exponent, Time tick)
{
    return CountTicks(TIMEOUT_UNIT * static_cast<double>(uint64_t{1} << exponent), tick);
}

/**
 * Add the attributes that RoCE and IRN share.
 * @param attributes those of the settings
 */
template <class Owner, class Find>
void
AddSharedAttributes(messaging::Attributes<Owner, QueuePairs::Settings, Find> attributes)
{
    using Settings = QueuePairs::Settings;
    attributes
        .AddAttribute("Modulus",
                      "Count of different packet numbers in frames; small ones are for searches "
                      "[numbers; IBTA 9.2, 24 bits].",
                      &Settings::modulus,
                      Range{3U, 1U << 24})
        .AddAttribute("Requests",
                      "Maximum number of messages of a send queue [messages; default].",
                      &Settings::requests,
                      Range{1U, LARGEST_QUEUE})
        .AddAttribute("Mtu",
                      "Payload of a packet; 0 for the largest of 256 to 4096 bytes that fits, or "
                      "what fits [bytes; IBTA 9.2].",
                      &Settings::mtu,
                      Range{0U, LARGEST_MTU})
        .AddAttribute("Spray",
                      "Choose a path for each packet, on networks with several, instead of one for "
                      "each flow [bool; default].",
                      &Settings::spray)
        .AddAttribute("Pcap",
                      "File with the packets that arrive at all peers, as those of RoCEv2 [path; "
                      "default].",
                      &Settings::pcap);
    AddCongestionAttributes(attributes.In(&Settings::control));
}

/**
 * Runs flows of another kind for IrnProtocol.
 * @tparam Kind the flow
 */
template <class Kind>
class ReducedIrn : public messaging::CoreProtocol<messaging::FlowCore<Kind>>
{
  public:
    /** @param config parameters over the network */
    explicit ReducedIrn(std::shared_ptr<const Config> config)
        : m_config(std::move(config))
    {
    }

    messaging::Promise GetPromise(const PortInfo&) const override
    {
        return {};
    }

  protected:
    messaging::FlowCore<Kind> MakeCore(const AnyPort& port, Peer) const override
    {
        return messaging::FlowCore(Kind(m_config), port.GetNPeers());
    }

    std::vector<std::string> GetReasons() const override
    {
        return QueuePairs::GetNames();
    }

  private:
    std::shared_ptr<const Config> m_config; ///< Parameters over the network.
};

/** @return whether packets may be sent again without a loss. @param info the network */
bool
RepeatsWhenCalm(const PortInfo& info)
{
    // Where packets may be lost, their wait has no bound: that of a shared channel, for instance.
    return !info.lossless;
}

} // namespace

std::string
QueuePairs::Check(const Settings& settings, const PortInfo& info)
{
    const uint32_t room = GetRoom(settings, info);
    if (room == 0)
    {
        return "Queue pairs need frames longer than their header, which those of this network are "
               "not.";
    }
    if (ChooseMtu(settings, room) > room)
    {
        return "Mtu is at most " + std::to_string(room) + " bytes on this network.";
    }
    if (2 * uint64_t{GetLargestWindow(settings)} >= settings.modulus)
    {
        return "Window is below half of Modulus.";
    }
    const std::string refusal = messaging::DatagramCapture::Check(settings.pcap);
    if (!refusal.empty())
    {
        return refusal;
    }
    return messaging::CheckCongestionControl(settings.control, info.rate, settings.grants);
}

uint32_t
QueuePairs::GetLargestWindow(const Settings& settings)
{
    return settings.window > 0 ? settings.window : BDP_CAP;
}

bool
QueuePairs::HasDistinctNumbers(const Settings& settings, const PortInfo& info)
{
    if (info.ordered)
    {
        return true;
    }
    const double late = info.rate * static_cast<double>(info.maxSlip) / TRANSPORT_HEADER;
    return info.rate > 0 && late < settings.modulus - 2 * GetLargestWindow(settings);
}

Config
QueuePairs::Resolve(const Settings& settings, const AnyPort& port, Time tick)
{
    const PortInfo info = port.GetInfo();
    Config config{.modulus = settings.modulus,
                  .window = settings.window,
                  .requests = settings.requests,
                  .mtu = ChooseMtu(settings, GetRoom(settings, info)),
                  .paths = info.paths,
                  .spray = settings.spray,
                  .rate = info.rate,
                  .control = settings.control};
    config.dataHeader = TRANSPORT_HEADER + settings.extension;
    config.ackHeader = TRANSPORT_HEADER + ACK_HEADER + settings.ackExtension;
    const Ticks roundTrip = GetNetworkRoundTrip(config, port);
    const Ticks whole = std::max(GetRoundTrip(config, port), roundTrip);
    if (config.window == 0)
    {
        const Ticks product = BDPS * roundTrip / GetWireTime(config, port);
        config.window = static_cast<uint32_t>(std::clamp<Ticks>(product, LEAST_WINDOW, BDP_CAP));
    }
    config.site = {.segment = config.GetFullFrame(),
                   .window = uint64_t{config.window} * config.GetFullFrame(),
                   .rate = info.rate,
                   .roundTrip = roundTrip,
                   .hosts = whole - roundTrip,
                   .tick = tick};
    return config;
}

Ticks
QueuePairs::GetPatience(const Config& config, const AnyPort& port)
{
    const Ticks window = config.window * GetWireTime(config, port);
    const Ticks senders = std::min(port.GetNPeers(), MOST_SENDERS);
    return ROUND_TRIPS * GetRoundTrip(config, port) + FLOWS * senders * window;
}

Ticks
QueuePairs::GetPacketPatience(const Config& config, const AnyPort& port)
{
    const Ticks least = GetPatience(config, port);
    if (!port.GetInfo().lossless)
    {
        return least;
    }
    const Ticks window = config.window * GetWireTime(config, port);
    return std::max(least, ROUND_TRIPS * GetRoundTrip(config, port) + port.GetNPeers() * window);
}

Ptr<messaging::MessageGroup>
QueuePairs::Capture(const Settings& settings, Ptr<messaging::MessageGroup> group)
{
    messaging::DatagramCapture::Capture(
        group,
        settings.pcap,
        ROCE_PORT,
        [](messaging::Peer, messaging::Peer from, const Frame& frame) {
            return MakeWireBytes(from, frame);
        });
    return group;
}

std::vector<std::string>
QueuePairs::GetNames()
{
    return {"repeat",
            "loss",
            "timeout",
            "extension",
            "early",
            "duplicate",
            "marked",
            "answer drop",
            "error"};
}

TypeId
RoceProtocol::GetTypeId()
{
    using Self = RoceProtocol;
    static TypeId tid = [] {
        TypeId type = messaging::SetSummary(TypeId("ns3::roce::RoceProtocol"),
                                            "RoCE: reliable connections with go-back-N.")
                          .SetParent<messaging::Protocol>()
                          .SetGroupName("Roce")
                          .AddConstructor<Self>();
        messaging::Attributes<Self> attributes(type);
        attributes
            .AddAttribute("Timeout",
                          "Exponent t of the timeout, 4.096 us x 2^t; 0 for the least above 4 idle "
                          "round trips and the windows of 8 flows of each peer, up to 16 peers "
                          "[exponent; IBTA 9.7.6].",
                          &Self::m_timeout,
                          0,
                          0,
                          MOST_EXPONENT)
            .AddAttribute("Retries",
                          "Timeouts and NAKs in a row, without progress, before the queue pair "
                          "fails [retries; IBTA 9.7.6, 3 bits].",
                          &Self::m_retries,
                          7,
                          0,
                          7)
            .In(&Self::m_settings)
            .AddAttribute(
                "Window",
                "Maximum number of packets without an acknowledgement, below half of Modulus; 0 "
                "for twice the bandwidth-delay product of the network, from 8 to 111 "
                "[packets; default].",
                &QueuePairs::Settings::window,
                Range{0U, LARGEST_WINDOW});
        AddSharedAttributes(attributes.In(&Self::m_settings));
        return type;
    }();
    return tid;
}

RoceProtocol::RoceProtocol() = default;

std::string
RoceProtocol::Check(const PortInfo& info, uint32_t) const
{
    return QueuePairs::Check(m_settings, info);
}

messaging::Promise
RoceProtocol::GetPromise(const PortInfo& info) const
{
    const bool holds = QueuePairs::HasDistinctNumbers(m_settings, info);
    // A timeout shorter than the answers' delay uses up the retries even without a loss.
    return {.complete = false,
            .once = holds,
            .ordered = holds,
            .intact = holds,
            .accurate = holds,
            .reported = holds,
            .repeatsWhenCalm = RepeatsWhenCalm(info)};
}

Ptr<messaging::MessageGroup>
RoceProtocol::DoConnect(const messaging::Site& site)
{
    const Time tick = site.clock->GetTickLength();
    Config config = QueuePairs::Resolve(m_settings, *site.port, tick);
    config.retries = m_retries;
    uint32_t exponent = m_timeout;
    if (exponent == 0)
    {
        const Ticks least = QueuePairs::GetPatience(config, *site.port);
        do
        {
            ++exponent;
        } while (exponent < MOST_EXPONENT && GetRoceTimeout(exponent, tick) <= least);
    }
    config.lowTimeout = GetRoceTimeout(exponent, tick);
    config.highTimeout = config.lowTimeout;
    m_config = std::make_shared<const Config>(config);
    return QueuePairs::Capture(m_settings, CoreProtocol::DoConnect(site));
}

messaging::FlowCore<RoceFlow>
RoceProtocol::MakeCore(const AnyPort& port, Peer) const
{
    return messaging::FlowCore(RoceFlow(m_config), port.GetNPeers());
}

std::vector<std::string>
RoceProtocol::GetReasons() const
{
    return QueuePairs::GetNames();
}

TypeId
IrnProtocol::GetTypeId()
{
    using Self = IrnProtocol;
    static TypeId tid = [] {
        TypeId type = messaging::SetSummary(TypeId("ns3::roce::IrnProtocol"),
                                            "IRN: RoCE with selective retransmission and a cap of "
                                            "packets in flight.")
                          .SetParent<messaging::Protocol>()
                          .SetGroupName("Roce")
                          .AddConstructor<Self>();
        messaging::Attributes<Self> attributes(type);
        attributes
            .AddAttribute("RtoLow",
                          "Short timeout, for few packets in flight; 0 for 4 idle round trips and "
                          "the windows of 8 flows of each peer, up to 16 peers [time; default].",
                          &Self::m_lowTimeout,
                          Seconds(0))
            .AddAttribute("RtoHigh",
                          "Long timeout; 0 for 3.2 RtoLow, the paper's ratio of 320 us to 100 us "
                          "[time; ConWeave's ns-3 tree].",
                          &Self::m_highTimeout,
                          Seconds(0))
            .AddAttribute(
                "BdpFlowControl",
                "Cap the packets in flight by Window; without, up to the 2048 of a longer "
                "bitmap are in flight [bool; default].",
                &Self::m_hasFlowControl,
                true)
            .AddAttribute(
                "Recovery",
                "Packets sent again after a loss: the lost ones, as IRN does, or all from "
                "a lost one on [name; default].",
                &Self::m_recovery,
                IrnRecovery::SELECTIVE,
                {{IrnRecovery::SELECTIVE, "selective"}, {IrnRecovery::GO_BACK_N, "go-back-n"}})
            .AddAttribute("QuickPackets",
                          "Packets in flight up to which the short timeout holds [packets; "
                          "irn-vivado-hls, timeout.cpp].",
                          &Self::m_quickPackets,
                          QUICK_PACKETS,
                          0,
                          PacketBitmap::BITS)
            .In(&Self::m_settings)
            .AddAttribute("Window",
                          "Cap of the packets in flight (BDP-FC), below half of Modulus; 0 for "
                          "twice the bandwidth-delay product of the network, from 8 to the 111 "
                          "of irn-vivado-hls [packets; default].",
                          &QueuePairs::Settings::window,
                          Range{0U, PacketBitmap::BITS});
        AddSharedAttributes(attributes.In(&Self::m_settings));
        return type;
    }();
    return tid;
}

IrnProtocol::IrnProtocol()
{
    m_settings.extension = PLACEMENT_HEADER;
    m_settings.ackExtension = SACK_HEADER;
}

QueuePairs::Settings
IrnProtocol::GetSettings() const
{
    QueuePairs::Settings settings = m_settings;
    if (!m_hasFlowControl)
    {
        settings.window = LongPacketBitmap::BITS;
    }
    return settings;
}

std::string
IrnProtocol::Check(const PortInfo& info, uint32_t) const
{
    return QueuePairs::Check(GetSettings(), info);
}

messaging::Promise
IrnProtocol::GetPromise(const PortInfo& info) const
{
    const bool holds = QueuePairs::HasDistinctNumbers(GetSettings(), info);
    return {.complete = holds,
            .once = holds,
            .ordered = holds,
            .intact = holds,
            .accurate = holds,
            .repeatsWhenCalm = RepeatsWhenCalm(info)};
}

Ptr<messaging::MessageGroup>
IrnProtocol::DoConnect(const messaging::Site& site)
{
    const Time tick = site.clock->GetTickLength();
    Config config = QueuePairs::Resolve(GetSettings(), *site.port, tick);
    config.quickPackets = m_quickPackets;
    // IRN's evaluation has the same timeouts with and without BDP-FC, so its cap counts here.
    const Config capped = QueuePairs::Resolve(m_settings, *site.port, tick);
    config.lowTimeout = QueuePairs::GetPatience(capped, *site.port);
    if (!m_lowTimeout.IsZero())
    {
        config.lowTimeout = CountTicks(m_lowTimeout.ToDouble(Time::NS), tick);
    }
    config.highTimeout = static_cast<Ticks>(HIGH_TO_LOW * static_cast<double>(config.lowTimeout));
    if (!m_highTimeout.IsZero())
    {
        config.highTimeout = CountTicks(m_highTimeout.ToDouble(Time::NS), tick);
    }
    m_config = std::make_shared<const Config>(config);
    if (m_recovery == IrnRecovery::GO_BACK_N)
    {
        m_reduced = CreateObject<ReducedIrn<RoceFlow>>(m_config);
        return QueuePairs::Capture(m_settings, m_reduced->Connect(site));
    }
    if (!m_hasFlowControl)
    {
        m_reduced = CreateObject<ReducedIrn<UncappedIrnFlow>>(m_config);
        return QueuePairs::Capture(m_settings, m_reduced->Connect(site));
    }
    return QueuePairs::Capture(m_settings, CoreProtocol::DoConnect(site));
}

std::vector<messaging::Protocol::NamedCount>
IrnProtocol::GetCounts() const
{
    return m_reduced ? m_reduced->GetCounts() : CoreProtocol::GetCounts();
}

messaging::SearchStart
IrnProtocol::GetSearchStart(Ptr<const messaging::MessageGroup> group) const
{
    if (m_reduced)
    {
        return messaging::FindSearchStart(*m_reduced, group);
    }
    return CoreProtocol::GetSearchStart(group);
}

void
IrnProtocol::DoDispose()
{
    if (m_reduced)
    {
        m_reduced->Dispose();
    }
    m_reduced = nullptr;
    CoreProtocol::DoDispose();
}

messaging::FlowCore<IrnFlow>
IrnProtocol::MakeCore(const AnyPort& port, Peer) const
{
    return messaging::FlowCore(IrnFlow(m_config), port.GetNPeers());
}

std::vector<std::string>
IrnProtocol::GetReasons() const
{
    return QueuePairs::GetNames();
}

} // namespace roce
} // namespace ns3
