/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROCE_PCAP_H
#define ROCE_PCAP_H

#include "ns3/messaging-group.h"
#include "ns3/messaging-types.h"
#include "ns3/pcap-file.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup roce
 * Capture of the frames of RoCE and IRN as packets of RoCEv2.
 */

namespace ns3
{
namespace roce
{

/**
 * @ingroup roce
 * Writes a pcap file with the frames that arrive at the peers of a group, as packets of RoCEv2:
 * Ethernet, IPv4, UDP to port 4791, base transport header (BTH), extended headers, payload and a
 * place for the checksum [IBTA 9.2, Annex A17; RFC 791, RFC 768].
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
 * The source address of peer p is 10.0.0.1 plus p, its Ethernet address 02:00:00:00:00:01 plus p;
 * the source port of UDP has the path, as RoCEv2's entropy has. A packet with a mark of congestion
 * has CE, any other one ECT(0). An answer that returns a mark has the bit BECN. Payloads are zero,
 * and so is the checksum. The additional header of IRN's packets is the begin of the payload, that
 * of its answers follows the AETH.
 */
class RocePcap : public SimpleRefCount<RocePcap>
{
  public:
    /**
     * Capture what arrives at the peers of a group, until it is disposed of.
     * @param group a group that runs cores of RoCE or IRN
     * @param path name of the file, which is overwritten
     */
    static void Capture(Ptr<messaging::MessageGroup> group, const std::string& path);

    /**
     * Make the bytes of a packet.
     * @param self its receiver
     * @param from its sender
     * @param frame the frame
     * @return the packet from its Ethernet header on
     */
    static std::vector<uint8_t> Serialize(messaging::Peer self,
                                          messaging::Peer from,
                                          const messaging::Frame& frame);

    /** @param path name of the file */
    explicit RocePcap(const std::string& path);

  private:
    /**
     * Write an arrival.
     * @param self the receiver
     * @param from the sender
     * @param frame the frame
     */
    void OnArrive(messaging::Peer self, messaging::Peer from, const messaging::Frame& frame);

    PcapFile m_file; ///< The file.
};

} // namespace roce
} // namespace ns3

#endif // ROCE_PCAP_H
