/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_IDLE_PORT_H
#define MESSAGING_IDLE_PORT_H

#include "ns3/messaging-core.h"
#include "ns3/simple-ref-count.h"

/**
 * @file
 * @ingroup messaging
 * A port that carries no frames.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A port that carries no frames, under a group whose cores are copied for a search or a fuzzer.
 */
class IdlePort : public SimpleRefCount<IdlePort>
{
  public:
    /** Distance of any two peers, large enough for the timers of any protocol [ticks]. */
    static constexpr Ticks DISTANCE = 1'000'000;

    /** @param info properties of the network @param peers number of peers */
    IdlePort(const PortInfo& info, uint32_t peers)
        : m_info(info),
          m_peers(peers)
    {
    }

    /** @return the properties of the network. */
    PortInfo Info() const
    {
        return m_info;
    }

    /** @return the number of peers. */
    uint32_t GetNPeers() const
    {
        return m_peers;
    }

    /** @return the distance of any two peers [ticks]. */
    Ticks Distance(Peer, Peer) const
    {
        return DISTANCE;
    }

    /** @return the transmission time of any frame [ticks]. */
    Ticks WireTicks(const Frame&) const
    {
        return DISTANCE;
    }

    /** Discard a frame. @return true */
    bool Send(Peer, Peer, const Frame&)
    {
        return true;
    }

    /** Ignore the user, since no frame arrives. */
    void SetUser(PortUser*)
    {
    }

  private:
    PortInfo m_info;  ///< Properties.
    uint32_t m_peers; ///< Number of peers.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_IDLE_PORT_H
