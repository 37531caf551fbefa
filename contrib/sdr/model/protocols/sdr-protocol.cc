/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sdr-protocol.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-registry.h"
#include "ns3/messaging-word-bits.h"
#include "ns3/sdr-erasure-code.h"

#include <algorithm>
#include <array>

namespace ns3
{
namespace sdr
{

using messaging::AnyPort;
using messaging::PortInfo;

NS_OBJECT_ENSURE_REGISTERED(SdrProtocol);

namespace
{

/** Payloads of a packet that InfiniBand permits, the largest first [bytes; IBTA 9.2]. */
constexpr std::array<uint32_t, 5> PAYLOADS{4096, 2048, 1024, 512, 256};

/** Largest payload that can be configured [bytes]. */
constexpr uint32_t LARGEST_PAYLOAD = 9000;

/** Header of a data packet with the tag of its message [bytes]. */
constexpr uint32_t LARGEST_HEADER = DATA_HEADER + WORD_BYTES;

/** Most packets of a chunk: bits of a mask. */
constexpr uint32_t MOST_CHUNK_PACKETS = 64;

/** Least words of a bitmap: a bit for each chunk of the largest submessage. */
constexpr uint32_t LEAST_WORDS = ErasureCode::MOST_CHUNKS / messaging::WORD_BITS;

/** Most words of a bitmap. */
constexpr uint32_t MOST_WORDS = 256;

/** Idle round trips in the timeout of a chunk [SDR, "SR RTO"]. */
constexpr Ticks TIMEOUT_ROUND_TRIPS = 3;

/** Idle round trips in the fallback timeout beyond the injection. */
constexpr Ticks SLACK_ROUND_TRIPS = 1;

/** Flows of a peer whose packets may wait for each other. */
constexpr Ticks FLOWS = 8;

/** Most peers whose packets may wait for each other. */
constexpr uint32_t MOST_SENDERS = 16;

/** Bandwidth-delay products in a window: some paths are longer than that between neighbours. */
constexpr Ticks PRODUCTS = 2;

/** Least window [packets]. */
constexpr Ticks LEAST_WINDOW = 8;

/** Submessages in the least window: one is sent while the other is acknowledged. */
constexpr Ticks LEAST_SUBMESSAGES = 2;

/** Largest window [packets]. */
constexpr uint32_t LARGEST_WINDOW = 1 << 24;

/** Largest number of doublings of the timeout. */
constexpr uint32_t MOST_DOUBLINGS = 16;

/** Largest number of messages in flight. */
constexpr uint32_t MOST_REQUESTS = 1 << 16;

/** @param info a network @return payload for which its frames have room [bytes]; 0 for none. */
uint32_t
GetRoom(const PortInfo& info)
{
    return info.mtu > LARGEST_HEADER ? info.mtu - LARGEST_HEADER : 0;
}

/** @param time a time, not zero @param tick length of a tick @return it, at least one [ticks]. */
Ticks
Count(Time time, Time tick)
{
    return std::max<Ticks>(static_cast<Ticks>(time.ToDouble(Time::NS) / tick.ToDouble(Time::NS)),
                           1);
}

} // namespace

TypeId
SdrProtocol::GetTypeId()
{
    using Self = SdrProtocol;
    static TypeId tid =
        messaging::Attributes<Self>(
            messaging::SetSummary(TypeId("ns3::sdr::SdrProtocol"),
                                  "SDR: bitmaps of chunks, with selective repeat or an erasure "
                                  "code, for long links that lose packets.")
                .SetParent<messaging::Protocol>()
                .SetGroupName("Sdr")
                .AddConstructor<Self>())
            .AddAttribute("Scheme",
                          "Loss recovery: selective repeat of chunks, or parity by XOR or a code "
                          "that needs any k of k + m chunks (MDS) [-; SDR].",
                          &Self::m_scheme,
                          Scheme::MDS,
                          {{Scheme::SELECTIVE_REPEAT, "selective-repeat"},
                           {Scheme::XOR, "xor"},
                           {Scheme::MDS, "mds"}})
            .AddAttribute("Data",
                          "Data chunks of a submessage, k [chunks; SDR, best split].",
                          &Self::m_data,
                          32,
                          1,
                          ErasureCode::MOST_CHUNKS)
            .AddAttribute("Parity",
                          "Parity chunks of a submessage, m, at most Data [chunks; SDR, best "
                          "split].",
                          &Self::m_parity,
                          8,
                          1,
                          ErasureCode::MOST_CHUNKS)
            .AddAttribute("ChunkPackets",
                          "Packets of a chunk [packets; SDR, 1 to 64].",
                          &Self::m_chunkPackets,
                          1,
                          1,
                          MOST_CHUNK_PACKETS)
            .AddAttribute("Mtu",
                          "Payload of a packet; 0 for the largest of 256 to 4096 bytes that fits, "
                          "or what fits [bytes; IBTA 9.2].",
                          &Self::m_mtu,
                          0,
                          0,
                          LARGEST_PAYLOAD)
            .AddAttribute(
                "Rto",
                "Timeout of a chunk; 0 for 3 idle round trips and the time of 64 packets, or the "
                "least windows of up to 8 flows, of each of up to 16 peers [time; SDR, 3 round "
                "trips].",
                &Self::m_rto,
                Seconds(0))
            .AddAttribute("Doublings",
                          "Maximum number of doublings of Rto while timeouts follow each other and "
                          "no chunk has arrived that is new; 0 for a fixed one [doublings; SDR, "
                          "fixed].",
                          &Self::m_doublings,
                          0,
                          0,
                          MOST_DOUBLINGS)
            .AddAttribute("Gaps",
                          "On networks that keep the order, send a chunk again when a later one is "
                          "here [bool; SDR, SR NACK].",
                          &Self::m_gaps,
                          true)
            .AddAttribute("FallbackSlack",
                          "Fallback timeout beyond the injection of a message; 0 for an idle round "
                          "trip and the same packets as in Rto [time; default].",
                          &Self::m_slack,
                          Seconds(0))
            .AddAttribute("Fallback",
                          "Chunks of a failed submessage that are sent again: the whole, from "
                          "scratch, or the missing ones [-; SDR].",
                          &Self::m_fallback,
                          Fallback::WHOLE,
                          {{Fallback::WHOLE, "whole"}, {Fallback::MISSING, "missing"}})
            .AddAttribute("Window",
                          "Maximum number of packets of submessages that are not acknowledged; 0 "
                          "for twice the bandwidth-delay product of the network, at least 8 "
                          "packets and two submessages [packets; default].",
                          &Self::m_window,
                          0,
                          0,
                          LARGEST_WINDOW)
            .AddAttribute("Requests",
                          "Maximum number of messages in flight to a peer [messages; default].",
                          &Self::m_requests,
                          128,
                          1,
                          MOST_REQUESTS)
            .AddAttribute("Modulus",
                          "Count of different message numbers in frames: 10 bits of immediate "
                          "data, queue pair (generation) and memory key; small ones are for "
                          "searches [numbers; default].",
                          &Self::m_modulus,
                          1 << 24,
                          3,
                          1 << 24)
            .AddAttribute("AckWords",
                          "Words of 32 bits of the bitmap in an answer, as far as they fit [words; "
                          "default].",
                          &Self::m_ackWords,
                          8,
                          LEAST_WORDS,
                          MOST_WORDS)
            .AddAttribute("Spray",
                          "Choose a path for each packet, on networks with several, instead of one "
                          "for each flow [bool; default].",
                          &Self::m_spray,
                          false);
    return tid;
}

SdrProtocol::SdrProtocol() = default;

Config
SdrProtocol::GetConfig(const PortInfo& info) const
{
    const uint32_t room = GetRoom(info);
    const auto fitting =
        std::ranges::find_if(PAYLOADS, [room](uint32_t payload) { return payload <= room; });
    Config config{.modulus = m_modulus,
                  .requests = m_requests,
                  .window = m_window,
                  .mtu = fitting == PAYLOADS.end() ? room : *fitting,
                  .chunkPackets = m_chunkPackets,
                  .paths = info.paths,
                  .scheme = m_scheme,
                  .whole = m_fallback == Fallback::WHOLE,
                  .spray = m_spray,
                  .doublings = m_doublings};
    if (m_mtu > 0)
    {
        config.mtu = m_mtu;
    }
    if (m_scheme == Scheme::SELECTIVE_REPEAT)
    {
        config.gaps = m_gaps && info.ordered;
    }
    else
    {
        config.data = m_data;
        config.parity = m_parity;
    }
    const uint32_t fittingWords = (info.mtu - ANSWER_HEADER) / WORD_BYTES - 1;
    config.ackWords = std::max(std::min(m_ackWords, fittingWords), LEAST_WORDS);
    return config;
}

std::string
SdrProtocol::Check(const PortInfo& info, uint32_t) const
{
    if (GetRoom(info) == 0)
    {
        return "SDR needs frames longer than its header, which those of this network are not.";
    }
    if (m_mtu > GetRoom(info))
    {
        return "Mtu is at most " + std::to_string(GetRoom(info)) + " bytes on this network.";
    }
    if (2 * uint64_t{m_requests} >= m_modulus)
    {
        return "Requests is below half of Modulus.";
    }
    if (m_scheme != Scheme::SELECTIVE_REPEAT && m_parity > m_data)
    {
        return "Parity is at most Data.";
    }
    const uint32_t least = GetConfig(info).GetSubmessagePackets();
    if (m_window > 0 && m_window < least)
    {
        return "Window is at least a submessage, " + std::to_string(least) + " packets.";
    }
    return "";
}

messaging::Promise
SdrProtocol::GetPromise(const PortInfo& info) const
{
    // No message number repeats while an old frame with it may still arrive.
    const double late = info.rate * static_cast<double>(info.maxSlip) / DATA_HEADER;
    const bool isDistinct = info.rate > 0 && late < m_modulus / 2.0 - m_requests;
    const bool holds = info.ordered || isDistinct;
    return {.complete = holds,
            .once = holds,
            .ordered = false,
            .intact = holds,
            .accurate = holds,
            .repeatsWhenCalm = !info.lossless};
}

Config
SdrProtocol::Resolve(const AnyPort& port, Time tick) const
{
    Config config = GetConfig(port.GetInfo());
    const Frame packet{.payload = config.mtu, .header = DATA_HEADER};
    Frame answer{.header = ANSWER_HEADER + WORD_BYTES};
    answer.header += static_cast<uint16_t>(WORD_BYTES * config.ackWords);
    const Ticks roundTrip = port.GetRoundTrip(packet, answer);
    config.packetTime = std::max<Ticks>(port.WireTicks(packet), 1);
    const Ticks least =
        std::max<Ticks>(LEAST_SUBMESSAGES * config.GetSubmessagePackets(), LEAST_WINDOW);
    if (config.window == 0)
    {
        const Ticks product =
            PRODUCTS * port.GetNetworkRoundTrip(packet, answer) / config.packetTime;
        config.window = static_cast<uint32_t>(std::clamp<Ticks>(product, least, LARGEST_WINDOW));
    }
    const Ticks senders = std::min(port.GetNPeers(), MOST_SENDERS);
    const Ticks flows = std::min<Ticks>(std::max(port.GetNPeers(), 2U) - 1, FLOWS);
    const Ticks queued = std::max(flows * least, FLOWS * LEAST_WINDOW);
    const Ticks queueing = senders * queued * config.packetTime;
    config.timeout = TIMEOUT_ROUND_TRIPS * roundTrip + queueing;
    if (!m_rto.IsZero())
    {
        config.timeout = Count(m_rto, tick);
    }
    config.slack = SLACK_ROUND_TRIPS * roundTrip + queueing;
    if (!m_slack.IsZero())
    {
        config.slack = Count(m_slack, tick);
    }
    return config;
}

Ptr<messaging::MessageGroup>
SdrProtocol::DoConnect(const messaging::Site& site)
{
    m_config = std::make_shared<const Config>(Resolve(*site.port, site.clock->GetTickLength()));
    return CoreProtocol::DoConnect(site);
}

FlowCore
SdrProtocol::MakeCore(const AnyPort& port, Peer) const
{
    return FlowCore(Flow(m_config), port.GetNPeers());
}

std::vector<std::string>
SdrProtocol::GetReasons() const
{
    return {"repeat", "gap", "timeout", "fallback", "failed", "recovered", "probe", "duplicate"};
}

} // namespace sdr
} // namespace ns3
