/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_CONFIG_H
#define INFINIBAND_CONFIG_H

#include "ns3/infiniband-types.h"

#include <array>

/**
 * @file
 * @ingroup infiniband
 * Constants of links, switches and adapters.
 */

namespace ns3
{
namespace infiniband
{

/**
 * Signalling rates of a link. Paper 4 does not state the rate of its cluster. A lane carries, after
 * its coding of 8 bits by 10, 64 by 66, or with error correction:
 */
enum class LinkRate : uint8_t
{
    SDR,   ///< 2 Gb/s of data: 2.5, coded 8b/10b.
    DDR,   ///< 4 Gb/s of data: 5, coded 8b/10b.
    QDR,   ///< 8 Gb/s of data: 10, coded 8b/10b.
    FDR10, ///< 10 Gb/s of data: 10.3125, coded 64b/66b.
    FDR,   ///< 13.64 Gb/s of data: 14.0625, coded 64b/66b.
    EDR,   ///< 25 Gb/s of data: 25.78125, coded 64b/66b.
    HDR,   ///< 50 Gb/s of data.
    NDR,   ///< 100 Gb/s of data.
    XDR,   ///< 200 Gb/s of data.
};

/** Fractions of a byte in which the data rate of each lane is whole: SDR has 22 of them in 1 ns. */
inline constexpr uint32_t RATE_PARTS = 88;

/** Names of the rates, by LinkRate. */
inline constexpr std::array<const char*, 9>
    RATE_NAMES{"SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR", "NDR", "XDR"};

/** Data rates of a lane, by LinkRate [bytes / RATE_PARTS in 1 ns]. */
inline constexpr std::array<uint16_t, 9> LANE_RATES{22, 44, 88, 110, 150, 275, 550, 1100, 2200};

/** Signalling of a link: lanes and their rate. */
struct LinkSpeed
{
    uint8_t width{4};             ///< Lanes: 1, 2, 4, 8 or 12.
    LinkRate rate{LinkRate::SDR}; ///< Signalling rate of a lane.

    /** @return data rate [bytes / RATE_PARTS in 1 ns]. */
    constexpr uint32_t GetParts() const
    {
        return uint32_t{width} * LANE_RATES[static_cast<uint8_t>(rate)];
    }

    /** @return data rate [bytes/ns]. */
    constexpr double GetBytesPerNs() const
    {
        return static_cast<double>(GetParts()) / RATE_PARTS;
    }

    /** Equality. @return True if width and rate are equal. */
    constexpr bool operator==(const LinkSpeed&) const = default;
};

/** Bytes of the headers on the wire (InfiniBand architecture, volume 1, chapter 9). */
inline constexpr uint32_t LRH_BYTES = 8;            ///< Local route header.
inline constexpr uint32_t BTH_BYTES = 12;           ///< Base transport header.
inline constexpr uint32_t DETH_BYTES = 8;           ///< Datagram extended header.
inline constexpr uint32_t RETH_BYTES = 16;          ///< RDMA extended header, in the first packet.
inline constexpr uint32_t AETH_BYTES = 4;           ///< ACK extended header.
inline constexpr uint32_t ATOMIC_ETH_BYTES = 28;    ///< Atomic extended header, in requests.
inline constexpr uint32_t ATOMIC_ACK_ETH_BYTES = 8; ///< Atomic ACK extended header: the value.
inline constexpr uint32_t IMMEDIATE_BYTES = 4;      ///< Immediate data.
inline constexpr uint32_t ICRC_BYTES = 4;           ///< Invariant CRC, end to end.
inline constexpr uint32_t VCRC_BYTES = 2;           ///< Variant CRC, link by link.
inline constexpr uint32_t GRH_BYTES = 40;    ///< Space for the global route header in UD receives.
inline constexpr uint32_t CREDIT_BYTES = 64; ///< Block of flow control.

/** Possible MTUs [bytes]. */
inline constexpr std::array<uint32_t, 5> MTUS{256, 512, 1024, 2048, 4096};

/** Most virtual lanes of a link for data; the sixteenth is for subnet management. */
inline constexpr uint8_t MAX_LANES = 15;

/** Number of service levels; a field of four bits. */
inline constexpr uint8_t N_SERVICE_LEVELS = 16;

/** Constants of links and switches. */
struct LinkConfig
{
    LinkRate rate{LinkRate::SDR}; ///< Rate of links that no file states.
    uint32_t mtu{2048};          ///< Largest payload of a packet, one of MTUS [bytes; section 4.2].
    Ticks cableDelay{25};        ///< Propagation delay of a cable of 5 m [ns].
    Ticks switchDelay{200};      ///< Delay of a packet's head from input to output [ns; InfiniScale
                                 ///< III: 140 to 200].
    uint32_t bufferBytes{16384}; ///< Buffer of an input for each virtual lane [bytes].
    uint8_t lanes{1};            ///< Virtual lanes for data.
    Ticks creditDelay{50};       ///< Delay from free buffer space at an input to credits at the far
                                 ///< end: a cable, and a packet of flow control [ns].
    uint32_t sourceQueue{2};     ///< Packets that a host's output holds for each virtual lane,
                                 ///< including the one on the link.
};

/** Replacement policies of the context cache. */
enum class Replacement : uint8_t
{
    LRU,    ///< Evict the least recently used line.
    RANDOM, ///< Evict a random line.
};

/**
 * Sizes of structures in the memory of an MT25208 [bytes; the driver mthca, and what firmware
 * reports to it].
 */
inline constexpr uint32_t CONTEXT_BYTES = 256 + 32; ///< Queue pair context and its extended part.
inline constexpr uint32_t EXTENSION_BYTES = 128;    ///< Further line: four responder entries of 32.
inline constexpr uint32_t TRANSLATION_BYTES = 128;  ///< MPT entry and segment of the MTT.
inline constexpr uint32_t TRANSLATED_BYTES = 32768; ///< Memory of an MTT segment: 8 pages.
inline constexpr uint32_t WQE_BYTES = 64;           ///< Request or receive, without inline data.
inline constexpr uint32_t CQE_BYTES = 32;           ///< Completion.

/**
 * A host channel adapter: the MT25208 of section 8.1, MemFree, on PCI Express x8.
 *
 * The path of a message. The processor rings the doorbell (doorbell). The adapter reads the context
 * of the queue pair, the translation of its send queue and then the request (wqeFetch), prepares it
 * (sendProcessing), fetches the start of data that is not inline (wqeFetch again), and cuts it into
 * packets (packetProcessing each). Packets enter a host's link at least packetProcessing apart. The
 * receiving adapter takes each packet (packetProcessing), reads the context with the first packet
 * of a message and prepares for it (receiveProcessing), reads the translation of the receive queue,
 * the receive (wqeFetch; not for an RDMA write) and the translation of its buffer, writes the data
 * (dmaRate) and then the completion (completion). RC's ACK costs ackProcessing at each end.
 *
 * Contexts and translations are in the host's memory and are cached. A miss of a context takes
 * contextMiss. A miss of a translation takes two, since the first read returns the address of the
 * second; an evicted context is written back. RC may read contextLines more, each after the one
 * before it. An engine stalls only for the context of its current
 * job; other jobs overtake it. Control reads and writes use a share of dmaRate, but do not queue
 * behind data.
 *
 * Calibrated to the middle of the ranges stated for this generation of adapters, and to nothing
 * else: wqeFetch, doorbell and completion to the verbs' latency of RC (send 3.5 to 4.5 us, RDMA
 * write 2.8 to 3.5 us, both with 0.25 us of each processor), sendProcessing and receiveProcessing
 * to RC's message rate (0.8 to 1.5 million a second of one pair), packetProcessing to the bandwidth
 * over SDR (0.93 to 0.97 GB/s). An ACK costs the same as a packet, and each read over PCI Express
 * the same.
 */
struct HcaConfig
{
    Ticks doorbell{200};          ///< Delay of a write from the processor to the adapter [ns].
    Ticks wqeFetch{600};          ///< PCIe read: of a request, of the start of data that is not
                                  ///< inline, of a receive [ns; a round trip, 500 to 1000].
    Ticks sendProcessing{650};    ///< Engine time of a message to be sent [ns].
    Ticks packetProcessing{60};   ///< Engine time of each packet, sent or received [ns].
    Ticks receiveProcessing{650}; ///< Engine time of an incoming message [ns].
    Ticks ackProcessing{60};      ///< Engine time of an ACK, sent or received (RC) [ns].
    Ticks completion{300};        ///< Delay from the PCIe write of a completion until the processor
                                  ///< sees it [ns].
    Ticks contextMiss{600};       ///< PCIe read of a context, or half the read of a translation
                                  ///< [ns; that of a request].
    uint32_t contextEntries{128}; ///< Capacity of the cache [lines]; 0: no misses.
    uint32_t contextLines{0};     ///< Further lines of a context that each kind of RC's work reads.
    Replacement replacement{Replacement::LRU}; ///< Replacement policy of the cache.
    bool sharedEngine{false};                  ///< Requester and responder are one serial engine.
    uint32_t dmaRate{1500};       ///< Usable PCIe bandwidth in each direction [MB/s; 1400 to 1600].
    uint32_t inlineLimit{128};    ///< Largest inline data [bytes; MVAPICH].
    uint8_t retryCount{7};        ///< Retries of RC after a timeout.
    uint8_t rnrRetryCount{7};     ///< Retries of RC after an RNR NAK; 7: without limit.
    Ticks ackTimeout{67'108'864}; ///< Timeout of RC: 4.096 us 2^14 [ns].
    Ticks rnrTimeout{655'360};    ///< Delay of the retry of RC after an RNR NAK [ns].
    uint32_t ackCoalescing{1};    ///< Messages that one ACK of RC may acknowledge while it waits
                                  ///< for the engine; 1: each message has its own.
    uint32_t requestDepth{16};    ///< RC messages that may wait for their ACKs.
    uint32_t readDepth{4};        ///< RDMA reads and atomics that may be in flight.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_CONFIG_H
