/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UET_PACKET_H
#define UET_PACKET_H

#include "uet-frame-kind.h"
#include "uet-paths.h"

#include "ns3/messaging-types.h"
#include "ns3/roce-packet.h"

#include <cstdint>

/**
 * @file
 * @ingroup uet
 * Packets of Ultra Ethernet's packet delivery sublayer, and its parameters.
 */

namespace ns3
{
namespace uet
{

using messaging::Frame;
using messaging::Peer;
using messaging::Ticks;

/** Delivery modes. */
enum class Mode : uint8_t
{
    RUD,  ///< Reliable, unordered: exactly once.
    ROD,  ///< Reliable, ordered: exactly once, in the order sent.
    RUDI, ///< Reliable, unordered, for idempotent operations: at least once.
    UUD   ///< Unreliable, unordered: at most once for each copy of the network.
};

/** Header of a request of RUD or ROD [bytes; ue-ns3]. */
inline constexpr uint16_t REQUEST_HEADER = 12;

/** Header of a request of RUDI, and of its response [bytes; ue-ns3]. */
inline constexpr uint16_t RUDI_HEADER = 6;

/** Header of a request of UUD [bytes; ue-ns3]. */
inline constexpr uint16_t UUD_HEADER = 4;

/** Header of an acknowledgement without a bitmap [bytes; ue-ns3]. */
inline constexpr uint16_t ACK_HEADER = 12;

/** Header of an acknowledgement with a bitmap, ACK_CC [bytes; ue-ns3]. */
inline constexpr uint16_t ACK_CC_HEADER = 32;

/** Header of a negative acknowledgement [bytes; ue-ns3]. */
inline constexpr uint16_t NACK_HEADER = 16;

/** Header of a control packet [bytes; ue-ns3]. */
inline constexpr uint16_t CONTROL_HEADER = 16;

/** Demand for credit in the header of a request, with RCCC [bytes; ue-ns3]. */
inline constexpr uint16_t DEMAND_HEADER = 4;

/** Frames of a grant of credit [frames; htsim]. */
inline constexpr uint32_t GRANT_FRAMES = 4;

/** Header of the semantic sublayer in the first packet of a message [bytes; ue-ns3]. */
inline constexpr uint16_t FIRST_SEMANTIC_HEADER = 44;

/** Header of the semantic sublayer in the other packets of a message [bytes; ue-ns3]. */
inline constexpr uint16_t SEMANTIC_HEADER = 32;

/** Header of the semantic sublayer in an answer [bytes; ue-ns3]. */
inline constexpr uint16_t RESPONSE_HEADER = 12;

/** Class of traffic of answers; requests have class 0 [UET 1.0.3, 4.1]. */
inline constexpr uint8_t ANSWER_CLASS = 1;

/** Kinds of frames beyond those of requests, which are the positions roce::FIRST to roce::ONLY of a
 * packet in its message. */
enum FrameKind : uint8_t
{
    CLOSE = roce::ONLY + 1, ///< Control packet by which an initiator closes a PDC; has a PSN.
    ACK,                    ///< PSN is the next one in order, `aux` that of the packet answered.
    NACK,                   ///< PSN is that of the packet refused, `aux` a NackCode.
    RESPONSE,               ///< Answer to a packet of RUDI, by its number.
    CREDIT,                 ///< Control packet with all credit that the target has granted, `aux`.
    CREDIT_REQUEST          ///< Control packet by which an initiator demands credit, `aux`.
};

/** Codes of negative acknowledgements [ue-ns3, of specification 1.0.2]. */
enum NackCode : uint8_t
{
    NO_NACK = 0x00,          ///< None.
    TRIMMED = 0x01,          ///< The payload was cut off.
    TRIMMED_LASTHOP = 0x02,  ///< The payload was cut off by the last switch.
    NO_GTD_DEL = 0x08,       ///< No room for another response.
    NO_RESOURCE = 0x0a,      ///< No context is free for another PDC.
    PSN_OOR_WINDOW = 0x0b,   ///< The PSN is beyond the window.
    ROD_OUT_OF_ORDER = 0x0d, ///< ROD: an earlier packet is missing; `id` has the PSN expected.
    INVALID_DPDCID = 0x0e,   ///< There is no such PDC.
    CLOSING = 0x10           ///< The PDC has been closed.
};

/** The initiator does not know the target's PDC yet; the request has the offset of its PSN from the
 * first one instead. */
inline constexpr uint8_t SYN_FLAG = 0x10;

/** An ACK has the guaranteed response to the packet that it answers. */
inline constexpr uint8_t RESPONSE_FLAG = 0x10;

/** The packet was sent before. */
inline constexpr uint8_t RETX_FLAG = 0x20;

/** The initiator requests an acknowledgement at once (AR). */
inline constexpr uint8_t AR_FLAG = 0x40;

/** A packet since the last answer bore MARK_CONGESTION. */
inline constexpr uint8_t ECHO_FLAG = 0x80;

/** @param frame a frame @return true if it has a PSN of its own. */
inline bool
IsRequest(const Frame& frame)
{
    return GetKind(frame) <= CLOSE;
}

/** Number and PDCs of a frame, which Frame::id has. */
struct Address
{
    uint32_t psn{0};   ///< Packet sequence number.
    uint16_t own{0};   ///< PDC of the sender (SPDCID).
    uint16_t other{0}; ///< PDC of the receiver (DPDCID), or the offset of a SYN.

    /** @return the fields in one word. */
    constexpr uint64_t Pack() const
    {
        return uint64_t{other} << 48 | uint64_t{own} << 32 | psn;
    }

    /** Unpack a word. @param word the word @return its fields */
    static constexpr Address Unpack(uint64_t word)
    {
        return {static_cast<uint32_t>(word),
                static_cast<uint16_t>(word >> 32),
                static_cast<uint16_t>(word >> 48)};
    }
};

/** Events that are counted. */
enum Event : messaging::Reason
{
    REPEAT,      ///< A packet of a message is sent again.
    LOSS,        ///< An answer shows a loss.
    TIMEOUT,     ///< The timer of a packet expires.
    TRIM,        ///< A trimmed packet arrives.
    EARLY,       ///< A packet arrives after a gap.
    DUPLICATE,   ///< A packet of a message arrives again.
    BEYOND,      ///< A packet arrives beyond the window.
    MARKED,      ///< An answer returns a mark of congestion.
    OPENING_PDC, ///< An initiator opens a PDC.
    CLOSED_PDC,  ///< A target closes a PDC.
    EXHAUSTED,   ///< A target has no context for a PDC.
    STALE,       ///< A packet of an unknown PDC arrives, or a SYN of an earlier one.
    GRANTED,     ///< A target grants credit.
    ANSWER_DROP, ///< An answer that a busy port has kept from leaving is dropped for a newer one.
    ERROR        ///< The retries are used up, or the PDC is unknown to its target.
};

/** Parameters of an endpoint. */
struct Config
{
    /** What does not differ from a queue pair: window (MP_RANGE), messages of a queue, sizes, paths
     * and congestion control. Its modulus and timeouts are not used. */
    roce::Config pair{};
    PathSettings spraying{};             ///< Choice of paths.
    uint64_t modulus{uint64_t{1} << 32}; ///< Count of different PSNs in frames.
    uint32_t startDistance{1 << 16};     ///< Least distance of a first PSN from the last PSN used.
    uint32_t retries{5};                 ///< Timeouts of a packet before the PDC fails.
    uint32_t refusals{5};                ///< NO_RESOURCE in a row before the PDC fails.
    uint32_t contexts{1};                ///< PDCs that a target can have open.
    uint32_t pdcs{1};                    ///< Different PDC numbers of an initiator.
    uint32_t ackBytes{16384};            ///< Bytes after which an ACK is sent [bytes].
    uint32_t lossDistance{0}; ///< PSNs from a lost packet to the last one here; 0 for never.
    uint32_t responses{0};    ///< Guaranteed responses that a PDC can store; 0 for default ones.
    Mode mode{Mode::RUD};     ///< Delivery mode.
    bool checksStarts{true};  ///< A target refuses SYNs of earlier PDCs.
    Ticks timeout{1};         ///< Timeout of the first transmission [ticks].
    Ticks refusalDelay{1};    ///< Wait after the first NO_RESOURCE [ticks].
    Ticks idle{0};            ///< Idle time after which a PDC is closed; 0 for never.
    Ticks safety{1};          ///< Time for which a closed PDC is not reused [ticks].
    double grantInterval{1}; ///< Time that the frames of a grant take on the target's link [ticks].

    /** @return true if the mode has PDCs. */
    bool HasPdcs() const
    {
        return mode == Mode::RUD || mode == Mode::ROD;
    }

    /** @return true if targets grant credit. */
    bool IsGranted() const
    {
        return pair.control.kind == messaging::CongestionKind::RCCC && mode != Mode::UUD;
    }

    /** @return true if responses are stored until they are cleared. */
    bool IsGuaranteed() const
    {
        return HasPdcs() && responses > 0;
    }

    /** @return size of the header of the delivery sublayer in a request [bytes]. */
    uint16_t GetRequestHeader() const
    {
        if (HasPdcs())
        {
            return REQUEST_HEADER;
        }
        return mode == Mode::RUDI ? RUDI_HEADER : UUD_HEADER;
    }
};

} // namespace uet
} // namespace ns3

#endif // UET_PACKET_H
