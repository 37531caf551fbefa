/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UET_WIRE_H
#define UET_WIRE_H

#include "ns3/uet-packet.h"

#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup uet
 * Packets of Ultra Ethernet as bytes.
 */

namespace ns3
{
namespace uet
{

/** UDP port of Ultra Ethernet [IANA, service names and port numbers]. */
inline constexpr uint16_t UET_PORT = 4793;

/**
 * Make the bytes of a packet: the header of the packet delivery sublayer (PDS) and of the semantic
 * sublayer (SES) by the layout of UET 1.0, as a dissector and the header file proposed for Linux
 * have it ([9], [5] of uet.rst), and a payload of zeros.
 *
 * @verbatim
    PDS prologue  type 5 bits | next header, or control type 4 | flags 7
    kind               type            after the prologue
    FIRST to ONLY      RUD 2, ROD 3    CLEAR_PSN - PSN 16 | PSN 32 | SPDCID 16 | DPDCID 16; SES 44
                                       or 32; with SYN, the last 12 bits are PSN - first PSN
     with RCCC         RUD 13, ROD 14  the same, and 8 zeros | credit target 24
     of RUDI; UUD      4; 6            packet number 32; zeros 16; both SES 44
    ACK                7               ACK_PSN - CACK_PSN 16 | CACK_PSN 32 | SPDCID | DPDCID; SES 12
     with a bitmap     8, ACK_CC       the same, and 8 zeros | MPR 8 | SACK base - CACK_PSN 16 |
                                       bits 64 | 64 zeros for the state of congestion control
    NACK               10              code 8 | 8 zeros | PSN 32 | SPDCID | DPDCID | 32 zeros
    RESPONSE           5               packet number 32; SES 12
    CLOSE, CREDIT,     11, with 4, 7,  16 zeros | PSN 32 | SPDCID | DPDCID | payload 32: credits
     CREDIT_REQUEST    8
   @endverbatim
 *
 * CLEAR_PSN - PSN is zero unless responses are guaranteed; MPR counts packets, at most 255. A
 * message is a SEND, one of UUD a DATAGRAM_SEND; its header data are the tag, its number the low
 * bits of its first PSN, and its length is in the last packet alone. What a frame does not have is
 * zero.
 *
 * @param config parameters of the endpoints
 * @param from the sender
 * @param frame the frame
 * @return what follows the UDP header; without a payload if the frame was trimmed
 */
std::vector<uint8_t> MakeWireBytes(const Config& config, Peer from, const Frame& frame);

} // namespace uet
} // namespace ns3

#endif // UET_WIRE_H
