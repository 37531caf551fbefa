/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-pcap.h"

#include "ns3/abort.h"
#include "ns3/callback.h"
#include "ns3/roce-packet.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <ios>
#include <utility>

namespace ns3
{
namespace roce
{

using messaging::Frame;
using messaging::Peer;

namespace
{

constexpr uint32_t LINK_ETHERNET = 1;     ///< Link type of the file: Ethernet.
constexpr uint32_t MOST_BYTES = 10000;    ///< Longest packet in the file [bytes].
constexpr uint64_t NS_PER_S = 1000000000; ///< Nanoseconds of a second.

constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;    ///< IPv4 [RFC 894].
constexpr uint32_t IPV4_HEADER = 20;           ///< Header of IPv4 [bytes; RFC 791].
constexpr uint32_t UDP_HEADER = 8;             ///< Header of UDP [bytes; RFC 768].
constexpr uint8_t PROTOCOL_UDP = 17;           ///< UDP [RFC 790].
constexpr uint8_t TIME_TO_LIVE = 64;           ///< Hops left [RFC 1700].
constexpr uint16_t DO_NOT_FRAGMENT = 0x4000;   ///< Flag of IPv4.
constexpr uint8_t ECT0 = 2;                    ///< ECN is understood [RFC 3168].
constexpr uint8_t CE = 3;                      ///< Congestion [RFC 3168].
constexpr uint16_t ROCE_PORT = 4791;           ///< UDP port of RoCEv2 [IBTA Annex A17].
constexpr uint16_t FIRST_PORT = 0xc000;        ///< Source port of path 0 [IBTA Annex A17].
constexpr uint16_t PATH_MASK = 0x3fff;         ///< Bits of the path in a source port.
constexpr uint32_t FIRST_ADDRESS = 0x0a000001; ///< Address of peer 0: 10.0.0.1.
constexpr uint32_t FIRST_QUEUE_PAIR = 16; ///< Queue pair of peer 0: small numbers are reserved.

constexpr uint32_t CHECKSUM = 4;           ///< Invariant checksum (ICRC) [bytes; IBTA 7.8].
constexpr uint32_t PAD_UNIT = 4;           ///< Payloads are multiples of this [bytes; IBTA 9.2].
constexpr unsigned PAD_SHIFT = 4;          ///< Place of the pad count [IBTA 9.2].
constexpr uint16_t DEFAULT_KEY = 0xffff;   ///< Default partition [IBTA 10.9].
constexpr uint32_t BECN = 1U << 30;        ///< Backward congestion notification [IBTA Annex A17].
constexpr uint32_t ACK_REQUEST = 1U << 31; ///< An answer is requested [IBTA 9.2].
constexpr uint32_t NUMBER_MASK = 0xffffff; ///< 24 bits: packet numbers, queue pairs.
constexpr uint8_t SYNDROME_ACK = 0x1f;     ///< ACK without credits [IBTA 9.3].
constexpr uint8_t SYNDROME_NAK = 0x60;     ///< NAK, PSN sequence error [IBTA 9.3].
constexpr unsigned SYNDROME_SHIFT = 24;    ///< Place of the syndrome in the AETH.

/** Opcodes of reliable connections by kind of frame [IBTA 9.2]. */
constexpr std::array<uint8_t, 6> OPCODES{0x00, 0x01, 0x03, 0x05, 0x11, 0x11};

/** Bytes in network order. */
class Bytes
{
  public:
    /** Append a number. @param value the number @param count its bytes */
    void Put(uint64_t value, unsigned count)
    {
        for (unsigned shift = 8 * count; shift > 0; shift -= 8)
        {
            m_bytes.push_back(static_cast<uint8_t>(value >> (shift - 8)));
        }
    }

    /** Append zeros. @param count their number */
    void PutZeros(uint32_t count)
    {
        m_bytes.resize(m_bytes.size() + count);
    }

    /**
     * Set the checksum of an IPv4 header [RFC 1071].
     * @param begin its first byte
     */
    void SetChecksum(std::size_t begin)
    {
        constexpr std::size_t PLACE = 10;
        uint32_t sum = 0;
        for (std::size_t i = begin; i < begin + IPV4_HEADER; i += 2)
        {
            sum += uint32_t{m_bytes[i]} << 8 | m_bytes[i + 1];
        }
        sum = (sum & 0xffff) + (sum >> 16);
        sum = ~(sum + (sum >> 16));
        m_bytes[begin + PLACE] = static_cast<uint8_t>(sum >> 8);
        m_bytes[begin + PLACE + 1] = static_cast<uint8_t>(sum);
    }

    /** @return number of bytes. */
    std::size_t GetSize() const
    {
        return m_bytes.size();
    }

    /** @return the bytes. */
    std::vector<uint8_t> Get()
    {
        return std::move(m_bytes);
    }

  private:
    std::vector<uint8_t> m_bytes; ///< The bytes.
};

/**
 * Append Ethernet, IPv4 and UDP.
 * @param bytes where
 * @param self the receiver
 * @param from the sender
 * @param frame the frame
 * @param length bytes after the UDP header
 */
void
PutNetwork(Bytes& bytes, Peer self, Peer from, const Frame& frame, uint32_t length)
{
    constexpr uint64_t FIRST_MAC = 0x020000000001;
    bytes.Put(FIRST_MAC + self, 6);
    bytes.Put(FIRST_MAC + from, 6);
    bytes.Put(ETHERTYPE_IPV4, 2);
    const std::size_t begin = bytes.GetSize();
    constexpr uint8_t VERSION_AND_LENGTH = 0x45;
    bytes.Put(VERSION_AND_LENGTH, 1);
    bytes.Put(frame.marks & messaging::MARK_CONGESTION ? CE : ECT0, 1);
    bytes.Put(IPV4_HEADER + UDP_HEADER + length, 2);
    bytes.Put(0, 2);
    bytes.Put(DO_NOT_FRAGMENT, 2);
    bytes.Put(TIME_TO_LIVE, 1);
    bytes.Put(PROTOCOL_UDP, 1);
    bytes.Put(0, 2);
    bytes.Put(FIRST_ADDRESS + from, 4);
    bytes.Put(FIRST_ADDRESS + self, 4);
    bytes.SetChecksum(begin);
    bytes.Put(FIRST_PORT | (frame.path & PATH_MASK), 2);
    bytes.Put(ROCE_PORT, 2);
    bytes.Put(UDP_HEADER + length, 2);
    bytes.Put(0, 2);
}

} // namespace

RocePcap::RocePcap(const std::string& path)
{
    m_file.Open(path, std::ios::out | std::ios::binary);
    m_file.Init(LINK_ETHERNET, MOST_BYTES, PcapFile::ZONE_DEFAULT, false, true);
    NS_ABORT_MSG_IF(m_file.Fail(), "Pcap " << path << " cannot be written.");
}

void
RocePcap::Capture(Ptr<messaging::MessageGroup> group, const std::string& path)
{
    const auto pcap = Create<RocePcap>(path);
    group->TraceConnectWithoutContext("Arrive", MakeCallback(&RocePcap::OnArrive, pcap));
}

std::vector<uint8_t>
RocePcap::Serialize(Peer self, Peer from, const Frame& frame)
{
    const bool isAnswer = frame.kind >= ACK;
    const bool hasImmediate = frame.kind == LAST || frame.kind == ONLY;
    uint32_t extension = frame.header - TRANSPORT_HEADER;
    extension -= isAnswer ? ACK_HEADER : 0;
    extension -= hasImmediate ? IMMEDIATE_HEADER : 0;
    const uint32_t pad = (PAD_UNIT - frame.payload % PAD_UNIT) % PAD_UNIT;
    Bytes bytes;
    PutNetwork(bytes, self, from, frame, frame.header + frame.payload + pad);

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
    return bytes.Get();
}

void
RocePcap::OnArrive(Peer self, Peer from, const Frame& frame)
{
    std::vector<uint8_t> bytes = Serialize(self, from, frame);
    const auto length = static_cast<uint32_t>(bytes.size());
    const auto now = static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
    m_file.Write(static_cast<uint32_t>(now / NS_PER_S),
                 static_cast<uint32_t>(now % NS_PER_S),
                 bytes.data(),
                 length);
}

} // namespace roce
} // namespace ns3
