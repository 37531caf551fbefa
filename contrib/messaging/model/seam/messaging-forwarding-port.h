/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_FORWARDING_PORT_H
#define MESSAGING_FORWARDING_PORT_H

#include "ns3/messaging-core.h"
#include "ns3/ptr.h"

/**
 * @file
 * @ingroup messaging
 * A port in front of another.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Base of ports in front of another: by default, everything passes unchanged. A derived port hides
 * the functions that it changes.
 *
 * @tparam P the other port; AnyPort where the network is chosen at run time
 */
template <DatagramPort P>
class ForwardingPort : protected PortUser
{
  public:
    /** @param port the port behind; this becomes its only user */
    explicit ForwardingPort(Ptr<P> port)
        : m_port(port)
    {
        m_port->SetUser(this);
    }

    ~ForwardingPort() override
    {
        m_port->SetUser(nullptr);
    }

    ForwardingPort(const ForwardingPort&) = delete;
    ForwardingPort& operator=(const ForwardingPort&) = delete;

    /** @return the port's properties. */
    PortInfo Info() const
    {
        return m_port->Info();
    }

    /** @return the number of peers. */
    uint32_t GetNPeers() const
    {
        return m_port->GetNPeers();
    }

    /**
     * Get a distance.
     * @param self a peer
     * @param to another
     * @return its distance [ticks]
     */
    Ticks Distance(Peer self, Peer to) const
    {
        return m_port->Distance(self, to);
    }

    /**
     * Get the length of a frame.
     * @param frame the frame
     * @return its transmission time [ticks]
     */
    Ticks WireTicks(const Frame& frame) const
    {
        return m_port->WireTicks(frame);
    }

    /**
     * Send a frame.
     * @param self the sender
     * @param to the receiver
     * @param frame the frame
     * @return false if the port is busy
     */
    bool Send(Peer self, Peer to, const Frame& frame)
    {
        return m_port->Send(self, to, frame);
    }

    /**
     * Let a peer accept frames, or leave them in the network, if the port supports it.
     * @param self the peer
     * @param accepting true to accept frames
     */
    void SetAccepting(Peer self, bool accepting)
        requires requires(P& port) { port.SetAccepting(self, accepting); }
    {
        m_port->SetAccepting(self, accepting);
    }

    /**
     * Set the receiver of frames.
     * @param user the user, not owned
     */
    void SetUser(PortUser* user)
    {
        m_user = user;
    }

  protected:
    void OnFrame(Peer self, Peer from, const Frame& frame) override
    {
        if (m_user)
        {
            m_user->OnFrame(self, from, frame);
        }
    }

    void OnReady(Peer self) override
    {
        if (m_user)
        {
            m_user->OnReady(self);
        }
    }

    Ptr<P> m_port;             ///< The port behind.
    PortUser* m_user{nullptr}; ///< Receiver of frames, not owned.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_FORWARDING_PORT_H
