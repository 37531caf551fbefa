/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_ADDRESSES_H
#define MESSAGING_ADDRESSES_H

#include "ns3/ipv4-address.h"
#include "ns3/messaging-types.h"

#include <cstdint>
#include <optional>

/**
 * @file
 * @ingroup messaging
 * IPv4 addresses of the peers of a group.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * The IPv4 addresses by which sockets name the peers of a group: those of a network, from its first
 * host on, in the order of the peers.
 */
class MessageAddresses
{
  public:
    MessageAddresses() = default;

    /**
     * Constructor.
     * @param network the network
     * @param mask its mask
     * @param peers the number of peers
     */
    MessageAddresses(Ipv4Address network, Ipv4Mask mask, uint32_t peers)
        : m_network(network.CombineMask(mask)),
          m_mask(mask),
          m_peers(peers)
    {
    }

    /**
     * Get an address.
     * @param peer a peer, or NO_PEER for all others
     * @return its address
     */
    Ipv4Address Get(Peer peer) const
    {
        return peer == NO_PEER ? m_network.GetSubnetDirectedBroadcast(m_mask)
                               : Ipv4Address(m_network.Get() + 1 + peer);
    }

    /**
     * Find a peer.
     * @param address its address
     * @return the peer, or NO_PEER for a broadcast address; nothing if no peer has this address
     */
    std::optional<Peer> Find(Ipv4Address address) const
    {
        if (address.IsBroadcast() || address == Get(NO_PEER))
        {
            return NO_PEER;
        }
        const uint32_t host = address.Get() - m_network.Get();
        if (host == 0 || host > m_peers)
        {
            return {};
        }
        return host - 1;
    }

  private:
    Ipv4Address m_network; ///< The network.
    Ipv4Mask m_mask;       ///< Its mask.
    uint32_t m_peers{0};   ///< Number of peers.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_ADDRESSES_H
