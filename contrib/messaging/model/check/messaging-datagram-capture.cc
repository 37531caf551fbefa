/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-datagram-capture.h"

#include "ns3/abort.h"
#include "ns3/callback.h"
#include "ns3/ethernet-header.h"
#include "ns3/ipv4-address.h"
#include "ns3/ipv4-header.h"
#include "ns3/mac48-address.h"
#include "ns3/simulator.h"
#include "ns3/udp-header.h"

#include <array>
#include <filesystem>
#include <ios>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ns3
{
namespace messaging
{

namespace
{

constexpr uint32_t LINK_ETHERNET = 1;     ///< Link type of the file: Ethernet.
constexpr uint32_t MOST_BYTES = 10000;    ///< Longest packet in the file [bytes].
constexpr uint64_t NS_PER_S = 1000000000; ///< Nanoseconds of a second.

constexpr uint16_t ETHERTYPE_IPV4 = 0x0800;    ///< IPv4 [RFC 894].
constexpr uint8_t PROTOCOL_UDP = 17;           ///< UDP [RFC 790].
constexpr uint8_t TIME_TO_LIVE = 64;           ///< Hops left [RFC 1700].
constexpr uint32_t UDP_HEADER = 8;             ///< Header of UDP [bytes; RFC 768].
constexpr uint8_t ECT0 = 2;                    ///< ECN is understood [RFC 3168].
constexpr uint8_t CE = 3;                      ///< Congestion [RFC 3168].
constexpr unsigned DSCP_SHIFT = 2;             ///< Place of the DSCP above ECN [RFC 2474].
constexpr unsigned CLASS_SHIFT = 3;            ///< Place of a class selector [RFC 2474].
constexpr uint8_t MOST_CLASS = 7;              ///< Largest class selector [RFC 2474].
constexpr uint8_t DSCP_TRIMMED = 63;           ///< A trimmed packet.
constexpr uint8_t DSCP_TRIMMED_LASTHOP = 59;   ///< A packet trimmed at the last hop.
constexpr uint16_t FIRST_PORT = 0xc000;        ///< Source port of path 0, a dynamic one [RFC 6335].
constexpr uint16_t PATH_MASK = 0x3fff;         ///< Bits of the path in a source port.
constexpr uint32_t FIRST_ADDRESS = 0x0a000001; ///< Address of peer 0: 10.0.0.1.

/** @param peer a peer @return its Ethernet address. */
Mac48Address
GetMac(Peer peer)
{
    const uint32_t number = peer + 1;
    const std::array<uint8_t, 6> bytes{0x02,
                                       0x00,
                                       static_cast<uint8_t>(number >> 24),
                                       static_cast<uint8_t>(number >> 16),
                                       static_cast<uint8_t>(number >> 8),
                                       static_cast<uint8_t>(number)};
    Mac48Address address;
    address.CopyFrom(bytes.data());
    return address;
}

/** @param frame a frame @return its DSCP. */
uint8_t
GetDscp(const Frame& frame)
{
    if (frame.marks & MARK_TRIMMED)
    {
        return frame.marks & MARK_LAST_HOP ? DSCP_TRIMMED_LASTHOP : DSCP_TRIMMED;
    }
    return static_cast<uint8_t>((frame.trafficClass & MOST_CLASS) << CLASS_SHIFT);
}

} // namespace

DatagramCapture::DatagramCapture(const std::string& path, uint16_t port, Transport transport)
    : m_transport(std::move(transport)),
      m_path(path),
      m_port(port)
{
    m_file.Open(path, std::ios::out | std::ios::binary);
    m_file.Init(LINK_ETHERNET, MOST_BYTES, PcapFile::ZONE_DEFAULT, false, true);
    NS_ABORT_MSG_IF(m_file.Fail(), "Pcap " << path << " cannot be written.");
}

std::string
DatagramCapture::Check(const std::string& path)
{
    if (path.empty())
    {
        return "";
    }
    std::error_code error;
    const std::filesystem::path file = std::filesystem::absolute(path, error);
    const bool exists = std::filesystem::exists(file, error);
    // Neither a folder nor a pipe, which would wait for its reader.
    const bool isOther = exists && !std::filesystem::is_regular_file(file, error);
    // A new file needs a folder in which it can be made.
    const std::string changed = exists ? file.string() : file.parent_path().string();
    const bool canWrite = !isOther && access(changed.c_str(), W_OK) == 0;
    return canWrite ? "" : "Pcap cannot be written: " + path + ".";
}

void
DatagramCapture::Capture(Ptr<MessageGroup> group,
                         const std::string& path,
                         uint16_t port,
                         Transport transport)
{
    if (path.empty())
    {
        return;
    }
    const auto pcap = Create<DatagramCapture>(path, port, std::move(transport));
    group->TraceConnectWithoutContext("Arrive", MakeCallback(&DatagramCapture::OnArrive, pcap));
}

uint16_t
DatagramCapture::GetSourcePort(uint16_t path)
{
    return FIRST_PORT | (path & PATH_MASK);
}

Ptr<Packet>
DatagramCapture::MakePacket(Peer self,
                            Peer from,
                            const Frame& frame,
                            uint16_t port,
                            const std::vector<uint8_t>& transport)
{
    const auto length = static_cast<uint32_t>(transport.size());
    const auto packet = Create<Packet>(transport.data(), length);

    UdpHeader udp;
    udp.SetSourcePort(GetSourcePort(frame.path));
    udp.SetDestinationPort(port);
    packet->AddHeader(udp);

    const uint8_t ecn = frame.marks & MARK_CONGESTION ? CE : ECT0;
    Ipv4Header ip;
    ip.EnableChecksum();
    ip.SetSource(Ipv4Address(FIRST_ADDRESS + from));
    ip.SetDestination(Ipv4Address(FIRST_ADDRESS + self));
    ip.SetProtocol(PROTOCOL_UDP);
    ip.SetTtl(TIME_TO_LIVE);
    ip.SetDontFragment();
    ip.SetTos(static_cast<uint8_t>(GetDscp(frame) << DSCP_SHIFT | ecn));
    ip.SetPayloadSize(static_cast<uint16_t>(UDP_HEADER + length));
    packet->AddHeader(ip);

    EthernetHeader ethernet;
    ethernet.SetDestination(GetMac(self));
    ethernet.SetSource(GetMac(from));
    ethernet.SetLengthType(ETHERTYPE_IPV4);
    packet->AddHeader(ethernet);
    return packet;
}

void
DatagramCapture::OnArrive(Peer self, Peer from, const Frame& frame)
{
    NS_ABORT_MSG_IF(m_file.Fail(),
                    "Pcap " << m_path << " cannot be written any more; the disk may be full.");
    const auto packet = MakePacket(self, from, frame, m_port, m_transport(self, from, frame));
    const auto now = static_cast<uint64_t>(Simulator::Now().GetNanoSeconds());
    m_file.Write(static_cast<uint32_t>(now / NS_PER_S),
                 static_cast<uint32_t>(now % NS_PER_S),
                 packet);
}

} // namespace messaging
} // namespace ns3
