/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UET_MRC_PACKET_H
#define UET_MRC_PACKET_H

#include "uet-frame-kind.h"
#include "uet-mrc-paths.h"

#include "ns3/messaging-types.h"
#include "ns3/roce-packet.h"

#include <cstdint>

/**
 * @file
 * @ingroup uet
 * Packets of MRC, and its parameters.
 */

namespace ns3
{
namespace uet
{
namespace mrc
{

using messaging::Frame;
using messaging::Peer;
using messaging::Ticks;

/** Headers of a packet beside the base transport header: the numbers of messages (METH), and that
 * of an RDMA write (RETH), by which any packet can be placed [bytes; MRC 1.0, 6; IBTA 9.3]. */
inline constexpr uint16_t WRITE_HEADER = 4 + 16;

/** Header of a SACK beside the base transport header (SETH), with bitmap and state of congestion
 * [bytes; MRC 1.0, 7]. */
inline constexpr uint16_t SACK_HEADER = 36;

/** Header of a NACK beside the base transport header (NETH) [bytes; MRC 1.0, 7]. */
inline constexpr uint16_t NACK_HEADER = 20;

/** Header of a probe beside the base transport header (PETH) [bytes; MRC 1.0, 7]. */
inline constexpr uint16_t PROBE_HEADER = 16;

/** Header of an EV probe beside the base transport header (ERTH) [bytes; MRC 1.0, 7]. */
inline constexpr uint16_t EV_PROBE_HEADER = 16;

/** Header of the answer to an EV probe beside the base transport header (EETH) [bytes; MRC 1.0, 7].
 */
inline constexpr uint16_t EV_ANSWER_HEADER = 36;

/** Largest range of PSNs (MPR): 8 units of the field in a SACK, of the 32 that MRC permits
 * [packets; MRC 1.0, 7]. */
inline constexpr uint32_t MOST_RANGE = 8 * 128;

/** Class of traffic of answers and probes; packets have class 0. */
inline constexpr uint8_t CONTROL_CLASS = 1;

/** Kinds of frames beyond those of packets, which are the positions roce::FIRST to roce::ONLY of a
 * packet in its message. */
enum FrameKind : uint8_t
{
    SACK = roce::ONLY + 1, ///< Selective acknowledgement.
    NACK,                  ///< Negative acknowledgement; `flags` are a NackCode.
    PROBE,                 ///< Reliability probe: has no PSN, and is answered by a SACK.
    EV_PROBE,              ///< Probe of a path without a connection; `id` is its number.
    EV_ANSWER              ///< Answer to an EV probe, with its number.
};

/** Codes of negative acknowledgements [MRC 1.0, 7]. */
enum NackCode : uint8_t
{
    NO_NACK = 0x00,         ///< None.
    TRIMMED = 0x01,         ///< The payload was cut off.
    TRIMMED_LASTHOP = 0x02, ///< The payload was cut off by the last switch.
    PSN_OOR_WINDOW = 0x0b,  ///< The PSN is beyond the range of the responder (MPR).
    UNEXP_EVENT = 0x19      ///< A packet of a message beyond those that may be in flight.
};

/** @param code a code @return its name; empty for an unknown one. */
constexpr const char*
GetName(NackCode code)
{
    switch (code)
    {
    case TRIMMED:
        return "TRIMMED";
    case TRIMMED_LASTHOP:
        return "TRIMMED_LASTHOP";
    case PSN_OOR_WINDOW:
        return "PSN_OOR_WINDOW";
    case UNEXP_EVENT:
        return "UNEXP_EVENT";
    default:
        return "";
    }
}

/** A SACK answers a probe. */
inline constexpr uint8_t PROBE_FLAG = 0x10;

/** The packet was sent before. */
inline constexpr uint8_t RTX_FLAG = 0x20;

/** The requester asks for a SACK at once. */
inline constexpr uint8_t AR_FLAG = 0x40;

/** @param frame a frame @return true if it is a packet of a message. */
inline bool
IsPacket(const Frame& frame)
{
    return GetKind(frame) <= roce::ONLY;
}

/** Pack two numbers into Frame::id. @param low PSN; of a SACK, the next one in order @param high
 * MSN; of a SACK, the PSN that is answered @return the word */
constexpr uint64_t
PackNumbers(uint64_t low, uint64_t high)
{
    return high << 32 | low;
}

/** @param frame a frame @return the first number of its id, see PackNumbers. */
inline uint32_t
GetLowNumber(const Frame& frame)
{
    return static_cast<uint32_t>(frame.id);
}

/** @param frame a frame @return the second number of its id. */
inline uint32_t
GetHighNumber(const Frame& frame)
{
    return static_cast<uint32_t>(frame.id >> 32);
}

/** Events that are counted. */
enum Event : messaging::Reason
{
    REPEAT,      ///< A packet is sent again.
    LOSS,        ///< An answer shows a loss.
    TIMEOUT,     ///< The timer of a packet expires.
    TRIM,        ///< A trimmed packet arrives.
    EARLY,       ///< A packet arrives after a gap.
    DUPLICATE,   ///< A packet arrives again.
    BEYOND,      ///< A packet arrives beyond the window.
    MARKED,      ///< A SACK returns a mark of congestion.
    PROBED,      ///< A probe is sent.
    EV_PROBED,   ///< An EV probe is sent.
    ANSWER_DROP, ///< An answer that a busy port has kept from leaving is dropped for a newer one.
    ERROR        ///< The retries are used up: the queue pair fails.
};

/** Parameters of a queue pair. */
struct Config
{
    /** What does not differ from a queue pair of RoCE: PSNs, window (MPR), messages of a queue,
     * sizes, retries and congestion control. Its timeouts are not used. */
    roce::Config pair{};
    ProfileSettings profile{}; ///< Paths.
    uint32_t immediates{1};    ///< Most messages in flight (max_wimm_inflight).
    uint32_t ackBytes{16384};  ///< Bytes after which a SACK is sent [bytes].
    Ticks timeout{1};          ///< Timeout of the first transmission [ticks].
    Ticks probeInterval{1};    ///< Time between two probes of a path [ticks].
    Ticks reverseInterval{0};  ///< Time between EV probes of paths of answers; 0 for none [ticks].
    uint8_t repeatClass{0};    ///< Class of traffic of repeats.
};

} // namespace mrc
} // namespace uet
} // namespace ns3

#endif // UET_MRC_PACKET_H
