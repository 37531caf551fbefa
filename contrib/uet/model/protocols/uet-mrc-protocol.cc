/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "uet-mrc-protocol.h"

#include "uet-mrc-wire.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-datagram-capture.h"
#include "ns3/messaging-registry.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace uet
{

using messaging::AnyPort;
using messaging::Frame;
using messaging::Peer;
using messaging::PortInfo;
using messaging::Range;
using messaging::Ticks;

NS_OBJECT_ENSURE_REGISTERED(MrcProtocol);

namespace
{

/** Most paths in use, and most backups. */
constexpr uint32_t MOST_EVS = mrc::ProfileSettings::MOST_PATHS / 2;

/** Largest packet that can be configured [bytes]. */
constexpr uint32_t LARGEST_PACKET = 9000;

/** Most messages of a queue. */
constexpr uint32_t MOST_REQUESTS = 1 << 20;

/** Planes that can be excluded. */
constexpr uint32_t MOST_PLANES = 32;

} // namespace

TypeId
MrcProtocol::GetTypeId()
{
    using Self = MrcProtocol;
    static TypeId tid = [] {
        TypeId type =
            messaging::SetSummary(TypeId("ns3::uet::MrcProtocol"),
                                  "MRC: reliable connections of RoCE over many paths and planes.")
                .SetParent<messaging::Protocol>()
                .SetGroupName("Uet")
                .AddConstructor<Self>();
        messaging::Attributes<Self> attributes(type);
        auto settings = attributes.In(&Self::m_settings);
        settings
            .AddAttribute("Paths",
                          "Most paths (entropy values) in use, evenly spread over the planes of "
                          "the network [paths; MRC 1.0, 128 to 256].",
                          &MrcSettings::paths,
                          Range{1U, MOST_EVS})
            .AddAttribute("Backups",
                          "Most further paths, which replace those of the same plane that are "
                          "assumed bad; at most a quarter of all paths [paths; default].",
                          &MrcSettings::backups,
                          Range{0U, MOST_EVS})
            .AddAttribute("DeniedPlanes",
                          "Planes that the administrator has excluded: a bit for each [bits; MRC "
                          "1.0].",
                          &MrcSettings::deniedPlanes,
                          Range{0U, 0xffffffffU})
            .AddAttribute("ProbeInterval",
                          "Time between two probes of a path that is assumed bad, while packets "
                          "are in flight; 0 for the timeout [time; default].",
                          &MrcSettings::probeInterval,
                          Range{Seconds(0), Seconds(8)})
            .AddAttribute("ReverseProbe",
                          "Time after which an end that receives packets and sends none probes a "
                          "random path (EV probe); an answer makes it the path of SACKs in its "
                          "plane; 0 for never [time; MRC 1.0 has a round trip].",
                          &MrcSettings::reverseInterval,
                          Range{Seconds(0), Seconds(8)})
            .AddAttribute("MaxWimmInFlight",
                          "Maximum number of messages, each a write with immediate data, that are "
                          "in flight to a peer [messages; default].",
                          &MrcSettings::immediates,
                          Range{1U, MOST_REQUESTS})
            .AddAttribute("Rto",
                          "Timeout of a packet, doubled each time; 0 for 4 idle round trips and "
                          "the windows of 8 flows of each peer, up to 16 peers, or those of all "
                          "peers if nothing is lost [time; default].",
                          &MrcSettings::timeout,
                          Range{Seconds(0), Seconds(8)})
            .AddAttribute("Retries",
                          "Timeouts of a packet before the queue pair fails [timeouts; IBTA 9.7.5, "
                          "for RoCE].",
                          &MrcSettings::retries,
                          Range{0U, PacketTimers::MOST_TIMEOUTS - 1})
            .AddAttribute("AckBytes",
                          "Bytes, at least 1 KiB a packet, after which a SACK is sent that the "
                          "requester has not asked for [bytes; XDP2, for UET].",
                          &MrcSettings::ackBytes,
                          Range{1U, 1U << 30})
            .AddAttribute("RepeatClass",
                          "Class of traffic of packets that are sent again, which have a code "
                          "point of their own [class; default].",
                          &MrcSettings::repeatClass,
                          Range{0U, 7U});
        using Pair = roce::QueuePairs::Settings;
        auto pair = settings.In(&MrcSettings::pair);
        pair.AddAttribute("Modulus",
                          "Count of different PSNs and of message numbers in frames; small ones "
                          "are for searches [numbers; MRC 1.0, 24 bits].",
                          &Pair::modulus,
                          Range{3U, 1U << 24})
            .AddAttribute("Mpr",
                          "Maximum number of packets without a cumulative acknowledgement (MPR); 0 "
                          "for twice the bandwidth-delay product of the network, from 8 to 111 "
                          "[packets; default].",
                          &Pair::window,
                          Range{0U, mrc::MOST_RANGE})
            .AddAttribute("Requests",
                          "Maximum number of messages of a send queue [messages; default].",
                          &Pair::requests,
                          Range{1U, MOST_REQUESTS})
            .AddAttribute("Mtu",
                          "Payload of a packet; 0 for the largest of 256 to 4096 bytes that fits, "
                          "or what fits [bytes; IBTA 9.2].",
                          &Pair::mtu,
                          Range{0U, LARGEST_PACKET})
            .AddAttribute("Pcap",
                          "File with the packets that arrive at all peers, as those of MRC over "
                          "UDP [path; default].",
                          &Pair::pcap);
        AddCongestionAttributes(pair.In(&Pair::control));
        return type;
    }();
    return tid;
}

MrcProtocol::MrcProtocol() = default;

roce::QueuePairs::Settings
MrcProtocol::GetPair() const
{
    roce::QueuePairs::Settings pair = m_settings.pair;
    pair.extension = mrc::WRITE_HEADER;
    pair.ackExtension = mrc::SACK_HEADER - roce::ACK_HEADER;
    return pair;
}

std::string
MrcProtocol::Check(const PortInfo& info, uint32_t) const
{
    const uint32_t planes = std::clamp<uint32_t>(info.planes, 1, MOST_PLANES);
    const uint64_t all = (uint64_t{1} << planes) - 1;
    if ((m_settings.deniedPlanes & all) == all)
    {
        return "DeniedPlanes leaves no plane of this network.";
    }
    if ((m_settings.deniedPlanes & all) != 0 && info.paths % planes != 0)
    {
        return "DeniedPlanes needs as many path values of each plane, but a queue pair has " +
               std::to_string(info.paths) + " of " + std::to_string(planes) + " planes.";
    }
    return roce::QueuePairs::Check(GetPair(), info);
}

messaging::Promise
MrcProtocol::GetPromise(const PortInfo& info) const
{
    // Where packets may be lost, their wait has no bound; where a path does not keep their order,
    // one that is late counts as lost.
    messaging::Promise promise{.complete = false,
                               .repeatsWhenCalm = !info.lossless || !info.ordered};
    const bool isSafe = info.ordered || (info.maxSlip != messaging::NEVER &&
                                         roce::QueuePairs::HasDistinctNumbers(GetPair(), info));
    promise.reported = isSafe;
    promise.once = isSafe;
    promise.ordered = isSafe;
    promise.accurate = isSafe;
    promise.intact = isSafe;
    return promise;
}

Ptr<messaging::MessageGroup>
MrcProtocol::DoConnect(const messaging::Site& site)
{
    const Time tick = site.clock->GetTickLength();
    const PortInfo info = site.port->GetInfo();
    const auto count = [&](Time time, Ticks derived) {
        const double ticks = time.ToDouble(Time::NS) / tick.ToDouble(Time::NS);
        return time.IsZero() ? derived : std::max<Ticks>(static_cast<Ticks>(ticks), 1);
    };
    mrc::Config config{.pair = roce::QueuePairs::Resolve(GetPair(), *site.port, tick),
                       .immediates = m_settings.immediates,
                       .ackBytes = m_settings.ackBytes,
                       .repeatClass = static_cast<uint8_t>(m_settings.repeatClass)};
    config.pair.retries = m_settings.retries;
    config.profile = {.paths = info.paths,
                      .planes = std::min(info.planes, info.paths),
                      .active = static_cast<uint16_t>(m_settings.paths),
                      .backups = static_cast<uint16_t>(m_settings.backups),
                      .deniedPlanes = m_settings.deniedPlanes};
    config.timeout =
        count(m_settings.timeout, roce::QueuePairs::GetPacketPatience(config.pair, *site.port));
    config.probeInterval = count(m_settings.probeInterval, config.timeout);
    config.reverseInterval = count(m_settings.reverseInterval, 0);
    m_config = std::make_shared<const mrc::Config>(config);
    const auto group = CoreProtocol::DoConnect(site);
    messaging::DatagramCapture::Capture(
        group,
        m_settings.pair.pcap,
        mrc::MRC_PORT,
        [config = m_config](Peer self, Peer from, const Frame& frame) {
            return mrc::MakeWireBytes(*config, self, from, frame);
        });
    return group;
}

messaging::FlowCore<mrc::Flow>
MrcProtocol::MakeCore(const AnyPort& port, Peer) const
{
    return messaging::FlowCore(mrc::Flow(m_config), port.GetNPeers());
}

std::vector<std::string>
MrcProtocol::GetReasons() const
{
    return {"repeat",
            "loss",
            "timeout",
            "trimmed",
            "early",
            "duplicate",
            "beyond",
            "marked",
            "probe",
            "EV probe",
            "answer drop",
            "error"};
}

} // namespace uet
} // namespace ns3
