/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_FORWARDING_PORT_H
#define MESSAGING_FORWARDING_PORT_H

#include "ns3/messaging-any-port.h"

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
 * Base of ports in front of another: by default, everything passes unchanged. A derived port
 * overrides what it changes.
 *
 * @tparam P the other port; AnyPort where the network is chosen at run time
 */
template <DatagramPort P>
class ForwardingPort : public ErasedPort<P>, protected PortUser
{
  public:
    /** @param port the port behind; this becomes its only user */
    explicit ForwardingPort(Ptr<P> port)
        : ErasedPort<P>(port)
    {
        port->SetUser(this);
    }

    ~ForwardingPort() override
    {
        this->m_port->SetUser(nullptr);
    }

    ForwardingPort(const ForwardingPort&) = delete;
    ForwardingPort& operator=(const ForwardingPort&) = delete;

    void SetUser(PortUser* user) override
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

    bool TakesTrimmed() const override
    {
        return m_user && m_user->TakesTrimmed();
    }

    PortUser* m_user{nullptr}; ///< Receiver of frames, not owned.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_FORWARDING_PORT_H
