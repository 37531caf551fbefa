/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_NETWORK_CHANNEL_H
#define MESSAGING_NETWORK_CHANNEL_H

#include "ns3/messaging-network.h"
#include "ns3/messaging-unicast-channel.h"

/**
 * @file
 * @ingroup messaging
 * Network of relnet as an ns-3 channel.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Network that carries ns-3 packets between devices, one for each node of the network.
 *
 * @tparam P class of the network's port, a DatagramPort
 */
template <DatagramPort P>
class NetworkChannel : public UnicastChannel
{
  public:
    /**
     * Set the network, once and before the first device is attached.
     * @param network the network, which has been built
     * @param port its port
     */
    virtual void SetNetwork(Ptr<Network> network, Ptr<P> port)
    {
        m_network = network;
        m_clock = network->GetClock();
        m_port = port;
        port->SetUser(this);
    }

    /** @return the network. */
    Ptr<Network> GetNetwork() const
    {
        return m_network;
    }

    uint32_t GetNPeers() const override
    {
        return m_port->GetNPeers();
    }

    bool Send(Peer from, Peer to, Ptr<const Packet> packet) override
    {
        Frame frame = Keep(packet);
        frame.path = SelectPath(packet);
        if (!m_port->Send(from, to, frame))
        {
            Take(frame.aux);
            return false;
        }
        OnSend(from, frame);
        return true;
    }

  protected:
    void DoDispose() override
    {
        if (m_network)
        {
            m_network->Dispose();
            m_clock->Dispose();
        }
        m_network = nullptr;
        m_clock = nullptr;
        m_port = nullptr;
        UnicastChannel::DoDispose();
    }

    /**
     * Hook that selects the path of a packet.
     * @param packet the packet with its Ethernet header
     * @return the path value of its frame, 0 by default
     */
    virtual uint16_t SelectPath([[maybe_unused]] Ptr<const Packet> packet) const
    {
        return 0;
    }

    /**
     * Hook for an accepted frame of a packet.
     * @param from the sender
     * @param frame the frame
     */
    virtual void OnSend([[maybe_unused]] Peer from, [[maybe_unused]] const Frame& frame)
    {
    }

    Ptr<P> m_port; ///< The network's port.

  private:
    Ptr<Network> m_network; ///< The network.
    Ptr<TickClock> m_clock; ///< Its clock, which it forgets when it is disposed of.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_NETWORK_CHANNEL_H
