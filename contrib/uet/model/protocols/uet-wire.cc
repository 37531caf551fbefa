/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "uet-wire.h"

#include "ns3/messaging-sequence-space.h"
#include "ns3/messaging-wire-bytes.h"

#include <algorithm>

namespace ns3
{
namespace uet
{

namespace
{

/** Types of packets, pds.type. */
enum class PdsType : uint8_t
{
    RUD_REQ = 2,
    ROD_REQ = 3,
    RUDI_REQ = 4,
    RUDI_RESP = 5,
    UUD_REQ = 6,
    ACK = 7,
    ACK_CC = 8,
    NACK = 10,
    CONTROL = 11,
    RUD_CC_REQ = 13,
    ROD_CC_REQ = 14
};

/** Headers that follow one of the PDS, pds.next_hdr. */
enum class NextHeader : uint8_t
{
    NONE = 0,
    REQUEST_STD = 3,
    RESPONSE = 4
};

/** Types of control packets, in the place of the next header. */
enum class ControlType : uint8_t
{
    CLOSE = 4,
    CREDIT = 7,
    CREDIT_REQUEST = 8
};

constexpr unsigned TYPE_SHIFT = 11; ///< Place of the type in the prologue.
constexpr unsigned NEXT_SHIFT = 7;  ///< Place of the next header in the prologue.

constexpr uint8_t PDS_SYN = 0x04;       ///< Request: the PDC is opened.
constexpr uint8_t PDS_AR = 0x08;        ///< Request: an ACK is requested.
constexpr uint8_t PDS_RETX = 0x10;      ///< Request: sent before.
constexpr uint8_t PDS_MARKED = 0x20;    ///< ACK, response of RUDI: a mark of congestion.
constexpr uint8_t PDS_NACK_RUDI = 0x08; ///< NACK: of a packet of RUDI.

constexpr uint16_t PSN_OFFSET_MASK = 0x0fff;     ///< Bits of the PSN's offset with SYN.
constexpr uint32_t CREDIT_MASK = 0xffffff;       ///< Bits of a count of credits.
constexpr uint32_t PAYLOAD_LENGTH_MASK = 0x3fff; ///< Bits of the length of a payload.
constexpr uint32_t MOST_MPR = 255;               ///< Largest MPR in an ACK.

constexpr uint8_t SES_SEND = 5;             ///< Operation of a message.
constexpr uint8_t SES_DATAGRAM_SEND = 7;    ///< Operation of a message of UUD.
constexpr uint8_t SES_START = 0x01;         ///< First packet of a message (SOM).
constexpr uint8_t SES_END = 0x02;           ///< Last packet of a message (EOM).
constexpr uint8_t SES_HEADER_DATA = 0x04;   ///< Header data are present (HD).
constexpr uint8_t SES_DEFAULT_RESPONSE = 0; ///< Response that is not stored.
constexpr uint8_t SES_RESPONSE = 1;         ///< Response that is stored until it is cleared.
constexpr uint8_t SES_OK = 1;               ///< Return code: success (RC_OK).

/** A packet that is made. */
class Maker
{
  public:
    /** @param config parameters @param from the sender @param frame the frame */
    Maker(const Config& config, Peer from, const Frame& frame)
        : m_config(config),
          m_frame(frame),
          m_address(Address::Unpack(frame.id)),
          m_from(from)
    {
    }

    /** @return the bytes. */
    std::vector<uint8_t> Make()
    {
        switch (GetKind(m_frame))
        {
        case roce::FIRST:
        case roce::MIDDLE:
        case roce::LAST:
        case roce::ONLY:
            PutRequest();
            break;
        case CLOSE:
            PutControl(ControlType::CLOSE, 0);
            break;
        case ACK:
            PutAck();
            break;
        case NACK:
            PutNack();
            break;
        case RESPONSE:
            PutPrologue(PdsType::RUDI_RESP, NextHeader::RESPONSE, GetMark());
            m_bytes.Put(m_address.psn, 4);
            PutResponse(SES_DEFAULT_RESPONSE);
            break;
        case CREDIT:
            PutControl(ControlType::CREDIT, m_frame.aux & CREDIT_MASK);
            break;
        case CREDIT_REQUEST:
            PutControl(ControlType::CREDIT_REQUEST, m_frame.aux & CREDIT_MASK);
            break;
        default:
            // No endpoint sends another kind; a fault may have damaged it.
            m_bytes.PutZeros(m_frame.header);
            break;
        }
        if (!(m_frame.marks & messaging::MARK_TRIMMED))
        {
            m_bytes.PutZeros(m_frame.payload);
        }
        return m_bytes.Take();
    }

  private:
    /** Append a prologue. @param type the type @param next the next header, or type of a control
     * packet @param flags the flags */
    template <class Next>
    void PutPrologue(PdsType type, Next next, uint8_t flags)
    {
        const uint32_t word = static_cast<uint32_t>(type) << TYPE_SHIFT |
                              static_cast<uint32_t>(next) << NEXT_SHIFT | flags;
        m_bytes.Put(word, 2);
    }

    /** @return the flags of a request. */
    uint8_t GetRequestFlags() const
    {
        uint8_t flags = HasFlag(m_frame, RETX_FLAG) ? PDS_RETX : 0;
        flags |= HasFlag(m_frame, AR_FLAG) ? PDS_AR : 0;
        flags |= HasFlag(m_frame, SYN_FLAG) ? PDS_SYN : 0;
        return flags;
    }

    /** @return the flag of an answer that returns a mark. */
    uint8_t GetMark() const
    {
        return HasFlag(m_frame, ECHO_FLAG) ? PDS_MARKED : 0;
    }

    /** Append the numbers of both PDCs, or with SYN the own one and the offset of the PSN. */
    void PutPdcs()
    {
        const bool isSyn = IsRequest(m_frame) && HasFlag(m_frame, SYN_FLAG);
        m_bytes.Put(m_address.own, 2);
        m_bytes.Put(isSyn ? m_address.other & PSN_OFFSET_MASK : m_address.other, 2);
    }

    /** Append a packet of a message. */
    void PutRequest()
    {
        const bool isGranted = m_config.IsGranted() && !m_frame.words.empty();
        switch (m_config.mode)
        {
        case Mode::RUD:
            PutPdcRequest(isGranted ? PdsType::RUD_CC_REQ : PdsType::RUD_REQ);
            break;
        case Mode::ROD:
            PutPdcRequest(isGranted ? PdsType::ROD_CC_REQ : PdsType::ROD_REQ);
            break;
        case Mode::RUDI:
            PutPrologue(PdsType::RUDI_REQ, NextHeader::REQUEST_STD, GetRequestFlags());
            m_bytes.Put(m_address.psn, 4);
            break;
        case Mode::UUD:
            PutPrologue(PdsType::UUD_REQ, NextHeader::REQUEST_STD, 0);
            m_bytes.PutZeros(2);
            break;
        }
        if (isGranted)
        {
            m_bytes.Put(m_frame.words[m_frame.words.size() - 1] & CREDIT_MASK, 4);
        }
        PutSemanticRequest();
    }

    /** Append the header of a request of a PDC, without credit. @param type its type */
    void PutPdcRequest(PdsType type)
    {
        PutPrologue(type, NextHeader::REQUEST_STD, GetRequestFlags());
        uint32_t clear = 0;
        if (m_config.IsGuaranteed() && !m_frame.words.empty())
        {
            // The frame has the first PSN that is not cleared, the packet the last one that is.
            clear = m_frame.words[0] - 1 - m_address.psn;
        }
        m_bytes.Put(clear, 2);
        m_bytes.Put(m_address.psn, 4);
        PutPdcs();
    }

    /** Append the header of the semantic sublayer in a request. */
    void PutSemanticRequest()
    {
        const uint8_t kind = GetKind(m_frame);
        const bool isFirst = kind == roce::FIRST || kind == roce::ONLY;
        const bool isLast = kind == roce::LAST || kind == roce::ONLY;
        const bool isDatagram = m_config.mode == Mode::UUD;
        const uint32_t index = isFirst ? 0 : m_frame.aux;
        const uint32_t offset = index * m_config.pair.mtu;
        uint8_t flags = isFirst ? SES_START | SES_HEADER_DATA : 0;
        flags |= isLast ? SES_END : 0;
        m_bytes.Put(isDatagram ? SES_DATAGRAM_SEND : SES_SEND, 1);
        m_bytes.Put(flags, 1);
        m_bytes.Put(isDatagram ? 0 : m_address.psn - index, 2);
        // Generation and job, process, resource index, offset of the buffer.
        m_bytes.PutZeros(4 + 2 + 2 + 8);
        if (isFirst)
        {
            m_bytes.Put(m_from, 4);
            // Match bits.
            m_bytes.PutZeros(8);
            m_bytes.Put(m_frame.aux, 8);
        }
        else
        {
            m_bytes.Put(m_frame.payload & PAYLOAD_LENGTH_MASK, 4);
            m_bytes.Put(offset, 4);
        }
        m_bytes.Put(isLast ? offset + m_frame.payload : 0, 4);
    }

    /** Append the header of the semantic sublayer in an answer. @param operation its operation */
    void PutResponse(uint8_t operation)
    {
        m_bytes.Put(operation, 1);
        m_bytes.Put(SES_OK, 1);
        // Message, generation and job, length.
        m_bytes.PutZeros(2 + 4 + 4);
    }

    /** Append an ACK. A frame has the first PSN that has not arrived, the packet the last one in
     * order (CACK_PSN). */
    void PutAck()
    {
        const messaging::SequenceSpace numbers(m_config.modulus);
        const auto cumulative =
            static_cast<uint32_t>(numbers.Wrap(m_address.psn + m_config.modulus - 1));
        const bool hasBitmap = !m_frame.words.empty();
        PutPrologue(hasBitmap ? PdsType::ACK_CC : PdsType::ACK, NextHeader::RESPONSE, GetMark());
        m_bytes.Put(m_frame.aux - cumulative, 2);
        m_bytes.Put(cumulative, 4);
        PutPdcs();
        if (hasBitmap)
        {
            PutBitmap();
        }
        PutResponse(HasFlag(m_frame, RESPONSE_FLAG) ? SES_RESPONSE : SES_DEFAULT_RESPONSE);
    }

    /** Append what an ACK_CC has beyond an ACK. The offset in a frame counts from the PSN after
     * CACK_PSN. */
    void PutBitmap()
    {
        m_bytes.PutZeros(1);
        m_bytes.Put(std::min(m_config.pair.window, MOST_MPR), 1);
        m_bytes.Put(m_frame.words[0] + 1, 2);
        const uint32_t low = m_frame.words.size() > 1 ? m_frame.words[1] : 0;
        const uint32_t high = m_frame.words.size() > 2 ? m_frame.words[2] : 0;
        m_bytes.Put(high, 4);
        m_bytes.Put(low, 4);
        m_bytes.PutZeros(8);
    }

    /** Append a NACK. */
    void PutNack()
    {
        const uint8_t type = m_config.mode == Mode::RUDI ? PDS_NACK_RUDI : 0;
        PutPrologue(PdsType::NACK, NextHeader::NONE, type);
        m_bytes.Put(m_frame.aux, 1);
        m_bytes.PutZeros(1);
        m_bytes.Put(m_address.psn, 4);
        PutPdcs();
        m_bytes.PutZeros(4);
    }

    /** Append a control packet. @param type its type @param payload its payload */
    void PutControl(ControlType type, uint32_t payload)
    {
        PutPrologue(PdsType::CONTROL, type, IsRequest(m_frame) ? GetRequestFlags() : 0);
        // Of a probe only.
        m_bytes.PutZeros(2);
        m_bytes.Put(m_address.psn, 4);
        PutPdcs();
        m_bytes.Put(payload, 4);
    }

    const Config& m_config;       ///< Parameters.
    const Frame& m_frame;         ///< The frame.
    Address m_address;            ///< Its PSN and PDCs.
    Peer m_from;                  ///< Its sender.
    messaging::WireBytes m_bytes; ///< The packet.
};

} // namespace

std::vector<uint8_t>
MakeWireBytes(const Config& config, Peer from, const Frame& frame)
{
    return Maker(config, from, frame).Make();
}

} // namespace uet
} // namespace ns3
