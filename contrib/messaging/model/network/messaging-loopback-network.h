/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LOOPBACK_NETWORK_H
#define MESSAGING_LOOPBACK_NETWORK_H

#include "ns3/messaging-network.h"
#include "ns3/nstime.h"

/**
 * @file
 * @ingroup messaging
 * A network of fixed latency.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A network with the same latency for all frames: the simulated counterpart of processes on one
 * machine that communicate over UDP.
 */
class LoopbackNetwork : public Network
{
  public:
    /** Largest header plus payload of a frame [bytes]: a UDP datagram in an Ethernet frame. */
    static constexpr uint32_t MTU = 1408;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    PortInfo GetInfo() const override;

    /** @return no host: the latency includes its work. */
    HostKind GetHostKind() const override
    {
        return HostKind::FREE;
    }

    bool HasDevices() const override
    {
        return false;
    }

  protected:
    void DoBuild(uint32_t peers) override;

  private:
    Time m_latency; ///< Latency of a frame.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LOOPBACK_NETWORK_H
