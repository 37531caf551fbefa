/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_WIRE_H
#define ROCE_WIRE_H

#include "ns3/messaging-types.h"

#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup roce
 * Frames of RoCE and IRN as packets of RoCEv2.
 */

namespace ns3
{
namespace roce
{

inline constexpr uint16_t ROCE_PORT = 4791;       ///< UDP port of RoCEv2 [IBTA Annex A17].
inline constexpr uint32_t CHECKSUM = 4;           ///< Invariant checksum (ICRC) [bytes; IBTA 7.8].
inline constexpr uint32_t PAD_UNIT = 4;           ///< Unit of payloads [bytes; IBTA 9.2].
inline constexpr unsigned PAD_SHIFT = 4;          ///< Place of the pad count [IBTA 9.2].
inline constexpr uint16_t DEFAULT_KEY = 0xffff;   ///< Default partition [IBTA 10.9].
inline constexpr uint32_t NUMBER_MASK = 0xffffff; ///< 24 bits: packet numbers, queue pairs.
inline constexpr uint32_t FIRST_QUEUE_PAIR = 16;  ///< Queue pair of peer 0: few are reserved.

/**
 * Make what follows the UDP header of a packet: base transport header (BTH), extended headers,
 * payload and a place for the checksum [IBTA 9.2, Annex A17].
 *
 * @verbatim
    kind          opcode                     after the BTH
    FIRST         0x00 RC SEND First         payload
    MIDDLE        0x01 RC SEND Middle        payload
    LAST          0x03 RC SEND Last, Imm.    immediate data: the tag of the message; payload
    ONLY          0x05 RC SEND Only, Imm.    immediate data; payload
    ACK           0x11 RC Acknowledge        AETH with syndrome 0x1f: ACK
    NAK           0x11 RC Acknowledge        AETH with syndrome 0x60: NAK, PSN sequence error
   @endverbatim
 *
 * An answer that returns a mark has the bit BECN. Payloads are zero, and so is the checksum. The
 * additional header of IRN's packets is the begin of the payload, that of its answers follows the
 * AETH.
 * @param from its sender
 * @param frame the frame
 * @return the bytes
 */
std::vector<uint8_t> MakeWireBytes(messaging::Peer from, const messaging::Frame& frame);

} // namespace roce
} // namespace ns3

#endif // ROCE_WIRE_H
