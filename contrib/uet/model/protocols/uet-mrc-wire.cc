/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "uet-mrc-wire.h"

#include "ns3/messaging-datagram-capture.h"
#include "ns3/messaging-sequence-space.h"
#include "ns3/messaging-wire-bytes.h"
#include "ns3/roce-wire.h"

#include <algorithm>
#include <array>

namespace ns3
{
namespace uet
{
namespace mrc
{

using roce::CHECKSUM;
using roce::DEFAULT_KEY;
using roce::FIRST_QUEUE_PAIR;
using roce::NUMBER_MASK;
using roce::PAD_SHIFT;
using roce::PAD_UNIT;

namespace
{

constexpr uint32_t AR_BIT = 1U << 31;        ///< A SACK is requested.
constexpr uint32_t RTX_BIT = 1U << 29;       ///< The packet was sent before.
constexpr uint32_t ENDPOINT_QUEUE_PAIR = 2;  ///< Queue pair of EV probes, of no connection.
constexpr uint16_t EV_PROBE_REQUEST = 1;     ///< Operation of an EV probe.
constexpr uint16_t EV_PROBE_ANSWER = 1 << 2; ///< Operation of its answer, at another place.
constexpr unsigned NEWS_SHIFT = 5;           ///< Place of M in a SACK.
constexpr uint16_t PROBE_BIT = 1U << 1;      ///< A SACK answers a probe.
constexpr uint32_t MPR_UNIT = 128;           ///< Unit of MPR in a SACK [packets].
constexpr uint8_t NACK_CONTROL = 0x20;       ///< Type of congestion control in a NACK.

/** Opcodes by kind of frame. */
constexpr std::array<uint8_t, 9> OPCODES{0xc6, 0xc7, 0xc9, 0xcb, 0xdc, 0xdd, 0xde, 0xd8, 0xd9};

/** A packet that is made. */
class Maker
{
  public:
    /** @param config parameters @param self the receiver @param from the sender @param frame the
     * frame */
    Maker(const Config& config, Peer self, Peer from, const Frame& frame)
        : m_config(config),
          m_frame(frame),
          m_self(self),
          m_from(from)
    {
    }

    /** @return the bytes. */
    std::vector<uint8_t> Make()
    {
        const bool isTrimmed = (m_frame.marks & messaging::MARK_TRIMMED) != 0;
        const uint32_t payload = isTrimmed ? 0 : m_frame.payload;
        const uint32_t pad = (PAD_UNIT - payload % PAD_UNIT) % PAD_UNIT;
        const uint8_t kind = GetKind(m_frame);
        if (kind >= OPCODES.size())
        {
            // No queue pair sends another kind; a fault may have damaged it.
            m_bytes.PutZeros(m_frame.header + payload);
            return m_bytes.Take();
        }
        PutTransport(OPCODES[kind], pad);
        switch (kind)
        {
        case SACK:
            PutSack();
            break;
        case NACK:
            PutNack();
            break;
        case PROBE:
            m_bytes.PutZeros(8);
            PutQueuePairs();
            m_bytes.PutZeros(4);
            break;
        case EV_PROBE:
            m_bytes.Put(EV_PROBE_REQUEST, 2);
            m_bytes.PutZeros(EV_PROBE_HEADER - 2);
            break;
        case EV_ANSWER:
            m_bytes.Put(EV_PROBE_ANSWER, 2);
            m_bytes.PutZeros(EV_ANSWER_HEADER - 2);
            break;
        default:
            PutWrite();
            break;
        }
        m_bytes.PutZeros(payload + pad + CHECKSUM);
        return m_bytes.Take();
    }

  private:
    /** @return the last packet in order: a SACK's frame has the next one. */
    uint32_t GetCumulative() const
    {
        const uint64_t modulus = m_config.pair.modulus;
        const messaging::SequenceSpace numbers(modulus);
        return static_cast<uint32_t>(numbers.Wrap(GetLowNumber(m_frame) + modulus - 1));
    }

    /** Append a BTH. @param opcode its opcode @param pad bytes that pad the payload */
    void PutTransport(uint8_t opcode, uint32_t pad)
    {
        const uint32_t number = opcode == OPCODES[SACK] ? GetCumulative() : GetLowNumber(m_frame);
        const bool isOfPair = GetKind(m_frame) < EV_PROBE;
        const uint32_t pair = isOfPair ? FIRST_QUEUE_PAIR + m_from : ENDPOINT_QUEUE_PAIR;
        uint32_t flags = HasFlag(m_frame, RTX_FLAG) ? RTX_BIT : 0;
        flags |= HasFlag(m_frame, AR_FLAG) ? AR_BIT : 0;
        m_bytes.Put(opcode, 1);
        m_bytes.Put(pad << PAD_SHIFT, 1);
        m_bytes.Put(DEFAULT_KEY, 2);
        m_bytes.Put(pair & NUMBER_MASK, 4);
        m_bytes.Put(flags | (number & NUMBER_MASK), 4);
    }

    /** Append the headers of a write. */
    void PutWrite()
    {
        const uint8_t kind = GetKind(m_frame);
        const bool isFirst = kind == roce::FIRST || kind == roce::ONLY;
        const bool isLast = kind == roce::LAST || kind == roce::ONLY;
        const uint32_t offset = isFirst ? 0 : m_frame.aux * m_config.pair.mtu;
        const uint32_t message = GetHighNumber(m_frame);
        // Each message is a write with immediate data, so both numbers are equal.
        m_bytes.Put(message, 2);
        m_bytes.Put(message, 2);
        m_bytes.Put(offset, 8);
        m_bytes.PutZeros(4);
        m_bytes.Put(isLast ? offset + m_frame.payload : 0, 4);
        if (isLast)
        {
            m_bytes.Put(isFirst ? m_frame.aux : 0, 4);
        }
    }

    /** Append the queue pairs of sender and receiver. */
    void PutQueuePairs()
    {
        m_bytes.Put(FIRST_QUEUE_PAIR + m_self, 2);
        m_bytes.Put(FIRST_QUEUE_PAIR + m_from, 2);
    }

    /** Append the entropy value of the packet that is answered: its flow label, which is zero, and
     * its source port. */
    void PutEntropy()
    {
        m_bytes.Put(messaging::DatagramCapture::GetSourcePort(static_cast<uint16_t>(m_frame.aux)),
                    4);
    }

    /** Append the header of a SACK. */
    void PutSack()
    {
        const bool isProbe = HasFlag(m_frame, PROBE_FLAG);
        const messaging::FrameWords& words = m_frame.words;
        m_bytes.Put(uint32_t{m_frame.flags} << NEWS_SHIFT | (isProbe ? PROBE_BIT : 0), 2);
        m_bytes.Put(isProbe ? 0 : GetHighNumber(m_frame) - GetCumulative(), 2);
        PutEntropy();
        PutQueuePairs();
        m_bytes.Put(GetCumulative() & NUMBER_MASK, 4);
        m_bytes.PutZeros(1);
        m_bytes.Put((m_config.pair.window + MPR_UNIT - 1) / MPR_UNIT, 1);
        // The offset in a frame counts from the PSN after CACK_PSN.
        m_bytes.Put(words.size() > 0 ? words[0] + 1 : 0, 2);
        m_bytes.Put(words.size() > 2 ? words[2] : 0, 4);
        m_bytes.Put(words.size() > 1 ? words[1] : 0, 4);
        m_bytes.PutZeros(8);
    }

    /** Append the header of a NACK. */
    void PutNack()
    {
        m_bytes.PutZeros(2);
        m_bytes.Put(m_frame.flags, 1);
        m_bytes.PutZeros(1);
        PutEntropy();
        PutQueuePairs();
        m_bytes.Put(GetLowNumber(m_frame) & NUMBER_MASK, 4);
        m_bytes.Put(NACK_CONTROL, 1);
        m_bytes.PutZeros(3);
    }

    const Config& m_config;       ///< Parameters.
    const Frame& m_frame;         ///< The frame.
    Peer m_self;                  ///< Its receiver.
    Peer m_from;                  ///< Its sender.
    messaging::WireBytes m_bytes; ///< The packet.
};

} // namespace

std::vector<uint8_t>
MakeWireBytes(const Config& config, Peer self, Peer from, const Frame& frame)
{
    return Maker(config, self, from, frame).Make();
}

} // namespace mrc
} // namespace uet
} // namespace ns3
