/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UET_MRC_WIRE_H
#define UET_MRC_WIRE_H

#include "ns3/uet-mrc-packet.h"

#include <cstdint>
#include <vector>

/**
 * @file
 * @ingroup uet
 * Packets of MRC as bytes.
 */

namespace ns3
{
namespace uet
{
namespace mrc
{

/** UDP port of MRC, that of RoCEv2 [IBTA Annex A17]. */
inline constexpr uint16_t MRC_PORT = 4791;

/**
 * Make the bytes of a packet, by the layout of MRC 1.0 as an emulator and the test bench of a
 * hardware design have it ([4], [5] of mrc.rst): base transport header (BTH), extended headers, a
 * payload of zeros, padded to four bytes, and a place for the checksum.
 *
 * @verbatim
    BTH            opcode 8 | pad count | partition 16 | 8 zeros | queue pair 24 |
                   AR, 0, rtx, 0 and 4 zeros | PSN 24
    kind    opcode after the BTH
    FIRST   0xc6   METH: RQMSN 16 | MSN 16; RETH: address 64 | key 32 | length 32
    MIDDLE  0xc7   the same
    LAST    0xc9   the same, and immediate data 32
    ONLY    0xcb   the same, and immediate data 32
    SACK    0xdc   SETH: 9 zeros, M 2, 3 zeros, probe 1, 0 | ACK_PSN - CACK_PSN 16 | EV 32 |
                   queue pairs of sender 16 and receiver 16 | 8 zeros | CACK_PSN 24 | 8 zeros |
                   MPR 8 | SACK base - CACK_PSN 16 | bits 64 | 64 zeros (CC_STATE)
    NACK    0xdd   NETH: 16 zeros | code 8 | 8 zeros | EV 32 | queue pairs 32 | 8 zeros | PSN 24 |
                   CC type 4 | 28 zeros
    PROBE   0xde   PETH: 64 zeros | queue pairs 32 | 32 zeros
    EV_PROBE   0xd8   to queue pair 2; ERTH: 14 zeros | operation 2, 1 | 112 zeros
    EV_ANSWER  0xd9   to queue pair 2; EETH: 12 zeros | operation 2, 1 | 274 zeros
   @endverbatim
 *
 * The address is the offset in the message. MPR counts 128 packets. The length of a message, and
 * its immediate data, are zero where a frame does not have them: in all but the last packet, and in
 * LAST. The PSN of an EV probe, and of its answer, is its number, the path.
 *
 * @param config parameters of the queue pairs
 * @param self the receiver
 * @param from the sender
 * @param frame the frame
 * @return what follows the UDP header; without a payload if the frame was trimmed
 */
std::vector<uint8_t> MakeWireBytes(const Config& config, Peer self, Peer from, const Frame& frame);

} // namespace mrc
} // namespace uet
} // namespace ns3

#endif // UET_MRC_WIRE_H
