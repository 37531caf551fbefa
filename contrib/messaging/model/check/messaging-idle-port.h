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
 * A port that carries nothing.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A port that carries nothing: a protocol's group is made for it, and its cores are taken, to be
 * driven by something else.
 */
class IdlePort : public SimpleRefCount<IdlePort>
{
  public:
    /** A distance that any protocol can make timers of, since no time matters [ticks]. */
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

    /** @return the distance of any two peers, from which timers are set [ticks]. */
    Ticks Distance(Peer, Peer) const
    {
        return DISTANCE;
    }

    /** @return the length of any frame [ticks]. */
    Ticks WireTicks(const Frame&) const
    {
        return DISTANCE;
    }

    /** @return true: the frame is taken, and forgotten. */
    bool Send(Peer, Peer, const Frame&)
    {
        return true;
    }

    /** Nobody is called with frames. */
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
