/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_DATAGRAM_CAPTURE_H
#define MESSAGING_DATAGRAM_CAPTURE_H

#include "ns3/messaging-group.h"
#include "ns3/messaging-types.h"
#include "ns3/packet.h"
#include "ns3/pcap-file.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Capture of frames as UDP datagrams.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Writes a pcap file with the frames that arrive at the peers of a group, as UDP datagrams over
 * IPv4 and Ethernet. The protocol makes what follows the UDP header.
 *
 * @verbatim
    Ethernet   02:00:00:00:00:01 plus the peer
    IPv4       10.0.0.1 plus the peer; CE with a mark of congestion, else ECT(0);
               DSCP 8c of traffic class c, 63 of a trimmed packet, 59 of one trimmed at the last hop
    UDP        from 49152 plus the path to the port of the protocol; the checksum is zero
   @endverbatim
 *
 * The code points of trimmed packets are a choice of the operator [UET 1.0.3, 4.1]; 59 and 63 are
 * of the pool for local use [RFC 2474]. A trimmed packet has no payload, and the lengths of IPv4
 * and UDP are those of what is left.
 */
class DatagramCapture : public SimpleRefCount<DatagramCapture>
{
  public:
    /** Makes what follows the UDP header, of a receiver, a sender and a frame. */
    using Transport = std::function<std::vector<uint8_t>(Peer self, Peer from, const Frame& frame)>;

    /**
     * Check the name of a file, before a run.
     * @param path the name, empty for no capture
     * @return a sentence on what is wrong, or an empty string
     */
    static std::string Check(const std::string& path);

    /**
     * Capture what arrives at the peers of a group, until it is disposed of.
     * @param group the group
     * @param path name of the file, which is overwritten; nothing is captured if it is empty
     * @param port UDP port of the protocol
     * @param transport makes what follows the UDP header
     */
    static void Capture(Ptr<MessageGroup> group,
                        const std::string& path,
                        uint16_t port,
                        Transport transport);

    /**
     * Make the source port of a path, its entropy value.
     * @param path the path
     * @return the port
     */
    static uint16_t GetSourcePort(uint16_t path);

    /**
     * Make a packet.
     * @param self its receiver
     * @param from its sender
     * @param frame the frame
     * @param port UDP port of the protocol
     * @param transport what follows the UDP header
     * @return the packet from its Ethernet header on
     */
    static Ptr<Packet> MakePacket(Peer self,
                                  Peer from,
                                  const Frame& frame,
                                  uint16_t port,
                                  const std::vector<uint8_t>& transport);

    /**
     * Construct.
     * @param path name of the file
     * @param port UDP port of the protocol
     * @param transport makes what follows the UDP header
     */
    DatagramCapture(const std::string& path, uint16_t port, Transport transport);

  private:
    /**
     * Write an arrival.
     * @param self the receiver
     * @param from the sender
     * @param frame the frame
     */
    void OnArrive(Peer self, Peer from, const Frame& frame);

    PcapFile m_file;       ///< The file.
    Transport m_transport; ///< Makes what follows the UDP header.
    std::string m_path;    ///< Name of the file.
    uint16_t m_port;       ///< UDP port of the protocol.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_DATAGRAM_CAPTURE_H
