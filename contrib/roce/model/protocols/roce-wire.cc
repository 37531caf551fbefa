/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-wire.h"

#include "ns3/messaging-wire-bytes.h"
#include "ns3/roce-packet.h"

#include <algorithm>
#include <array>

namespace ns3
{
namespace roce
{

using messaging::Frame;
using messaging::Peer;

namespace
{

constexpr uint32_t BECN = 1U << 30;        ///< Backward congestion notification [IBTA Annex A17].
constexpr uint32_t ACK_REQUEST = 1U << 31; ///< An answer is requested [IBTA 9.2].
constexpr uint8_t SYNDROME_ACK = 0x1f;     ///< ACK without credits [IBTA 9.3].
constexpr uint8_t SYNDROME_NAK = 0x60;     ///< NAK, PSN sequence error [IBTA 9.3].
constexpr unsigned SYNDROME_SHIFT = 24;    ///< Place of the syndrome in the AETH.

/** Opcodes of reliable connections by kind of frame [IBTA 9.2]. */
constexpr std::array<uint8_t, 6> OPCODES{0x00, 0x01, 0x03, 0x05, 0x11, 0x11};

} // namespace

std::vector<uint8_t>
MakeWireBytes(Peer from, const Frame& frame)
{
    const bool isAnswer = frame.kind >= ACK;
    const bool hasImmediate = frame.kind == LAST || frame.kind == ONLY;
    uint32_t extension = frame.header - TRANSPORT_HEADER;
    extension -= isAnswer ? ACK_HEADER : 0;
    extension -= hasImmediate ? IMMEDIATE_HEADER : 0;
    const uint32_t pad = (PAD_UNIT - frame.payload % PAD_UNIT) % PAD_UNIT;
    messaging::WireBytes bytes;
    bytes.Put(OPCODES.at(std::min<std::size_t>(frame.kind, NAK)), 1);
    bytes.Put(pad << PAD_SHIFT, 1);
    bytes.Put(DEFAULT_KEY, 2);
    const uint32_t congestion = isAnswer && (frame.flags & ECHO_FLAG) ? BECN : 0;
    bytes.Put(congestion | ((FIRST_QUEUE_PAIR + from) & NUMBER_MASK), 4);
    // An ACK has the number of the last packet in order, a NAK that of the expected one.
    const uint64_t number = frame.kind == ACK ? frame.id - 1 : frame.id;
    bytes.Put((isAnswer ? 0 : ACK_REQUEST) | (number & NUMBER_MASK), 4);
    if (isAnswer)
    {
        const uint32_t syndrome = frame.kind == ACK ? SYNDROME_ACK : SYNDROME_NAK;
        bytes.Put(syndrome << SYNDROME_SHIFT, 4);
        // IRN: the packet that is selected.
        bytes.Put(frame.aux, extension);
    }
    else
    {
        if (hasImmediate)
        {
            bytes.Put(frame.aux, 4);
        }
        bytes.PutZeros(extension + frame.payload + pad);
    }
    bytes.PutZeros(CHECKSUM);
    return bytes.Take();
}

} // namespace roce
} // namespace ns3
