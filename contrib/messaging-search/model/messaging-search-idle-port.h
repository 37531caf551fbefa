/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SEARCH_IDLE_PORT_H
#define MESSAGING_SEARCH_IDLE_PORT_H

#include "ns3/messaging-forwarding-port.h"
#include "ns3/messaging-loopback-port.h"

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
class IdlePort final : public ForwardingPort<LoopbackPort>
{
  public:
    /** @param info properties of the network @param peers number of peers */
    IdlePort(const PortInfo& info, uint32_t peers)
        : ForwardingPort(ns3::Create<LoopbackPort>(CreateObject<TickClock>(), peers, SLOW)),
          m_info(info)
    {
    }

    PortInfo GetInfo() const override
    {
        return m_info;
    }

    /** Discard a frame. @return true */
    bool Send(Peer, Peer, const Frame&) override
    {
        return true;
    }

  private:
    /** Distances and transmission times that are large enough for the timers of any protocol. */
    static constexpr LoopbackOptions SLOW{.latency = 2'000'000, .halved = true};

    PortInfo m_info; ///< Properties.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SEARCH_IDLE_PORT_H
