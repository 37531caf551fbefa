/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-transport-header.h"

#include <array>

namespace ns3
{
namespace infiniband
{

std::ostream&
operator<<(std::ostream& os, PacketKind kind)
{
    static constexpr std::array NAMES{"REQUEST", "READ_RESPONSE", "ATOMIC_RESPONSE", "ACK"};
    return os << NAMES.at(static_cast<std::size_t>(kind));
}

std::ostream&
operator<<(std::ostream& os, Syndrome syndrome)
{
    static constexpr std::array NAMES{"ACK",
                                      "RNR_NAK",
                                      "NAK_SEQUENCE",
                                      "NAK_INVALID",
                                      "NAK_ACCESS",
                                      "NAK_OPERATION"};
    return os << NAMES.at(static_cast<std::size_t>(syndrome));
}

std::ostream&
operator<<(std::ostream& os, const TransportHeader& header)
{
    if (header.kind == PacketKind::ACK)
    {
        os << header.syndrome;
    }
    else
    {
        os << header.kind;
    }
    os << " with PSN " << header.psn;
    if (header.kind == PacketKind::REQUEST)
    {
        os << (header.flags & TransportHeader::FIRST ? ", first" : "")
           << (header.flags & TransportHeader::LAST ? ", last" : "");
    }
    if (header.to == NO_QP)
    {
        return os << " to the multicast group";
    }
    return os << " to queue pair " << header.to;
}

} // namespace infiniband
} // namespace ns3
