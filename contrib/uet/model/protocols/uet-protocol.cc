/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "uet-protocol.h"

#include "uet-wire.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-datagram-capture.h"
#include "ns3/messaging-registry.h"
#include "ns3/roce-packet-bitmap.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace uet
{

using messaging::AnyPort;
using messaging::PortInfo;
using messaging::Range;

NS_OBJECT_ENSURE_REGISTERED(UetProtocol);

namespace
{

/** Largest packet that can be configured [bytes]. */
constexpr uint32_t LARGEST_MTU = 9000;

/** Largest queue [messages]. */
constexpr uint32_t LARGEST_QUEUE = 1 << 20;

/** Most PDC numbers, a field of 16 bits without the value for none. */
constexpr uint32_t MOST_PDCS = 65535;

/** Least distance of a first PSN from the last PSN used [ue-ns3]. */
constexpr uint64_t START_DISTANCE = 1 << 16;

/** Timeouts in the idle time of a PDC that is not given. */
constexpr Ticks IDLE_TIMEOUTS = 4;

/** Largest wait after a NO_RESOURCE, by doublings. */
constexpr uint32_t MOST_REFUSALS = 30;

/** Most responses that are stored. */
constexpr uint32_t MOST_RESPONSES = 1 << 16;

/** Largest distance of a lost packet from the last one that has arrived. */
constexpr uint32_t LARGEST_DISTANCE = roce::PacketBitmap::BITS;

/**
 * Convert a time.
 * @param time the time
 * @param tick length of a tick
 * @param derived the time if it is not given [ticks]
 * @return the time, at least one tick [ticks]
 */
Ticks
CountTicks(Time time, Time tick, Ticks derived)
{
    if (time.IsZero())
    {
        return derived;
    }
    const double ticks = time.ToDouble(Time::NS) / tick.ToDouble(Time::NS);
    return std::max<Ticks>(static_cast<Ticks>(ticks), 1);
}

} // namespace

TypeId
UetProtocol::GetTypeId()
{
    using Self = UetProtocol;
    static TypeId tid = [] {
        TypeId type =
            messaging::SetSummary(TypeId("ns3::uet::UetProtocol"),
                                  "Ultra Ethernet's packet delivery: RUD, ROD, RUDI and UUD.")
                .SetParent<messaging::Protocol>()
                .SetGroupName("Uet")
                .AddConstructor<Self>();
        messaging::Attributes<Self> attributes(type);
        auto settings = attributes.In(&Self::m_settings);
        settings
            .AddAttribute(
                "Mode",
                "Delivery mode: exactly once without order (rud) or in order (rod), at "
                "least once (rudi), or without acknowledgements (uud) [name; UET 1.0.3, "
                "3.5].",
                &Settings::mode,
                {{Mode::RUD, "rud"}, {Mode::ROD, "rod"}, {Mode::RUDI, "rudi"}, {Mode::UUD, "uud"}})
            .AddAttribute("Modulus",
                          "Count of different PSNs in frames; small ones are for searches "
                          "[numbers; UET 1.0.3, 32 bits].",
                          &Settings::modulus,
                          Range{3, uint64_t{1} << 32})
            .AddAttribute("Spraying",
                          "Choice of a path for each packet, on networks with several: one path, "
                          "all in turn (oblivious), without those that had marks and losses "
                          "(bitmap), or those that had none (reps); rod has one path [name; UET "
                          "1.0.3, 3.6].",
                          &Settings::spraying,
                          {{PathKind::SINGLE, "single"},
                           {PathKind::OBLIVIOUS, "oblivious"},
                           {PathKind::BITMAP, "bitmap"},
                           {PathKind::REPS, "reps"}})
            .AddAttribute("FreezeTime",
                          "Time after a timeout for which reps uses known paths only [time; "
                          "default].",
                          &Settings::freezeTime,
                          Range{Seconds(0), Seconds(1)})
            .AddAttribute("Rto",
                          "Timeout of a packet, doubled each time (RTO_INIT_TIME); 0 for 4 idle "
                          "round trips and the windows of 8 flows of each peer, up to 16 peers, or "
                          "those of all peers if nothing is lost [time; default].",
                          &Settings::timeout,
                          Range{Seconds(0), Seconds(8)})
            .AddAttribute("Retries",
                          "Timeouts of a packet before its messages fail [timeouts; XDP2].",
                          &Settings::retries,
                          Range{0, PacketTimers::MOST_TIMEOUTS - 1})
            .AddAttribute("RefusalDelay",
                          "Wait after a NACK NO_RESOURCE, doubled each time (NACK_RETX_TIME) "
                          "[time; XDP2].",
                          &Settings::refusalDelay,
                          Range{NanoSeconds(1), Seconds(8)})
            .AddAttribute("Refusals",
                          "NACKs NO_RESOURCE in a row before messages fail [NACKs; XDP2].",
                          &Settings::refusals,
                          Range{0U, MOST_REFUSALS})
            .AddAttribute("Idle",
                          "Idle time after which a PDC is closed; 0 for four timeouts [time; "
                          "default].",
                          &Settings::idle,
                          Range{Seconds(0), Seconds(1000)})
            .AddAttribute("SafeReuse",
                          "Time for which a closed PDC is not reused (Syn_Retx_Safety_Time); 0 for "
                          "the longest delay by which a frame can be late, and a timeout [time; "
                          "UET 1.0.3].",
                          &Settings::safety,
                          Range{Seconds(0), Seconds(1000)})
            .AddAttribute("CheckStart",
                          "A target refuses a SYN whose first PSN is not beyond those of earlier "
                          "PDCs of the initiator; otherwise only SafeReuse protects from a late "
                          "one, as in the specification [bool; default].",
                          &Settings::checksStarts)
            .AddAttribute("Contexts",
                          "PDCs that a target can have open; further ones are refused "
                          "[PDCs; default].",
                          &Settings::contexts,
                          Range{1U, MOST_PDCS})
            .AddAttribute("PdcNumbers",
                          "PDC numbers that an initiator has for a target [numbers; UET 1.0.3, 16 "
                          "bits].",
                          &Settings::pdcs,
                          Range{1U, MOST_PDCS})
            .AddAttribute("Responses",
                          "Guaranteed responses that a target stores for a PDC until CLEAR_PSN "
                          "passes them, one for each packet, as to fetching atomics; windows are "
                          "not longer (Mpr); 0 for default responses, which are not stored "
                          "[packets; UET 1.0.3].",
                          &Settings::responses,
                          Range{0U, MOST_RESPONSES})
            .AddAttribute("AckBytes",
                          "Bytes, at least 1 KiB a packet, after which an ACK is sent that the "
                          "initiator has not requested (ACK_GEN_TRIGGER) [bytes; XDP2].",
                          &Settings::ackBytes,
                          Range{1U, 1U << 30})
            .AddAttribute(
                "LossDistance",
                "Distance in PSNs from a missing packet to the last one that has arrived, from "
                "which it is lost; 0 for never: a cleared bit of a SACK says nothing [packets; UET "
                "1.0.3, 3.5].",
                &Settings::lossDistance,
                Range{0U, LARGEST_DISTANCE});
        using Pair = roce::QueuePairs::Settings;
        auto pair = settings.In(&Settings::pair);
        pair.AddAttribute("Mpr",
                          "Maximum number of packets without a cumulative ACK (MP_RANGE); 0 for "
                          "twice the bandwidth-delay product of the network, from 8 to 111 "
                          "[packets; default].",
                          &Pair::window,
                          Range{0U, roce::PacketBitmap::BITS})
            .AddAttribute("Requests",
                          "Maximum number of messages to a peer [messages; default].",
                          &Pair::requests,
                          Range{1U, LARGEST_QUEUE})
            .AddAttribute("Mtu",
                          "Payload of a packet; 0 for the largest of 256 to 4096 bytes that fits, "
                          "or what fits [bytes; default].",
                          &Pair::mtu,
                          Range{0U, LARGEST_MTU})
            .AddAttribute("Pcap",
                          "File with the packets that arrive at all peers, as those of Ultra "
                          "Ethernet over UDP [path; default].",
                          &Pair::pcap);
        AddCongestionAttributes(pair.In(&Pair::control));
        return type;
    }();
    return tid;
}

UetProtocol::UetProtocol() = default;

roce::QueuePairs::Settings
UetProtocol::GetPair() const
{
    roce::QueuePairs::Settings pair = m_settings.pair;
    pair.modulus = static_cast<uint32_t>(
        std::min<uint64_t>(m_settings.modulus, std::numeric_limits<uint32_t>::max()));
    pair.grants = m_settings.mode != Mode::UUD;
    pair.extension = Config{.mode = m_settings.mode}.GetRequestHeader() + FIRST_SEMANTIC_HEADER -
                     roce::TRANSPORT_HEADER;
    if (pair.control.kind == messaging::CongestionKind::RCCC)
    {
        pair.extension += DEMAND_HEADER;
    }
    pair.ackExtension = ACK_HEADER + RESPONSE_HEADER - roce::TRANSPORT_HEADER - roce::ACK_HEADER;
    return pair;
}

std::string
UetProtocol::Check(const PortInfo& info, uint32_t) const
{
    const roce::QueuePairs::Settings pair = GetPair();
    if (2 * uint64_t{roce::QueuePairs::GetLargestWindow(pair)} >= m_settings.modulus)
    {
        return "Mpr is below half of Modulus.";
    }
    return roce::QueuePairs::Check(pair, info);
}

bool
UetProtocol::IsSafe(const PortInfo& info) const
{
    if (info.ordered)
    {
        return true;
    }
    const bool isReuseSafe = m_settings.checksStarts || m_settings.safety.IsZero();
    return isReuseSafe && info.maxSlip != messaging::NEVER &&
           roce::QueuePairs::HasDistinctNumbers(GetPair(), info);
}

messaging::Promise
UetProtocol::GetPromise(const PortInfo& info) const
{
    messaging::Promise promise{.complete = false, .repeatsWhenCalm = !info.lossless};
    const bool isSafe = IsSafe(info);
    promise.reported = isSafe;
    promise.once = isSafe;
    promise.ordered = isSafe;
    promise.accurate = isSafe;
    promise.intact = isSafe;
    switch (m_settings.mode)
    {
    case Mode::ROD:
        break;
    case Mode::RUD:
        promise.ordered = false;
        break;
    case Mode::RUDI:
        promise.ordered = false;
        promise.once = false;
        promise.intact = true;
        break;
    case Mode::UUD:
        promise = {.complete = false, .once = false, .ordered = false, .confirms = false};
        break;
    }
    return promise;
}

Ptr<messaging::MessageGroup>
UetProtocol::DoConnect(const messaging::Site& site)
{
    const Time tick = site.clock->GetTickLength();
    const PortInfo info = site.port->GetInfo();
    Config config{.pair = roce::QueuePairs::Resolve(GetPair(), *site.port, tick),
                  .modulus = m_settings.modulus,
                  .retries = m_settings.retries,
                  .refusals = m_settings.refusals,
                  .contexts = m_settings.contexts,
                  .pdcs = m_settings.pdcs,
                  .ackBytes = m_settings.ackBytes,
                  .lossDistance = m_settings.lossDistance,
                  .responses = m_settings.responses,
                  .mode = m_settings.mode,
                  .checksStarts = m_settings.checksStarts};
    config.startDistance =
        static_cast<uint32_t>(std::clamp<uint64_t>(config.modulus / 4, 1, START_DISTANCE));
    config.spraying = {.kind =
                           m_settings.mode == Mode::ROD ? PathKind::SINGLE : m_settings.spraying,
                       .paths = info.paths,
                       .freezeTime = CountTicks(m_settings.freezeTime, tick, 1)};
    if (config.IsGuaranteed() && config.responses < config.pair.window)
    {
        // Responses that wait for those before them fill the room otherwise, and none is cleared.
        config.pair.window = config.responses;
        config.pair.site.window = uint64_t{config.responses} * config.pair.GetFullFrame();
    }
    const Ticks patience = roce::QueuePairs::GetPacketPatience(config.pair, *site.port);
    config.timeout = CountTicks(m_settings.timeout, tick, patience);
    config.refusalDelay = CountTicks(m_settings.refusalDelay, tick, 1);
    config.idle = CountTicks(m_settings.idle, tick, IDLE_TIMEOUTS * config.timeout);
    const Ticks late = info.maxSlip == messaging::NEVER ? 0 : info.maxSlip;
    config.safety = CountTicks(m_settings.safety, tick, late + config.timeout);
    const Frame full{.payload = config.pair.mtu, .header = config.pair.dataHeader};
    config.grantInterval =
        static_cast<double>(GRANT_FRAMES * site.port->WireTicks(full)) / info.planes;
    m_config = std::make_shared<const Config>(config);
    const auto group = CoreProtocol::DoConnect(site);
    messaging::DatagramCapture::Capture(group,
                                        m_settings.pair.pcap,
                                        UET_PORT,
                                        [config = m_config](Peer, Peer from, const Frame& frame) {
                                            return MakeWireBytes(*config, from, frame);
                                        });
    return group;
}

Endpoint
UetProtocol::MakeCore(const AnyPort& port, Peer) const
{
    return Endpoint(m_config, port.GetNPeers());
}

std::vector<std::string>
UetProtocol::GetReasons() const
{
    return {"repeat",
            "loss",
            "timeout",
            "trimmed",
            "early",
            "duplicate",
            "beyond",
            "marked",
            "open",
            "close",
            "exhausted",
            "stale",
            "granted",
            "answer drop",
            "error"};
}

} // namespace uet
} // namespace ns3
