/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_PORT_DECORATOR_H
#define MESSAGING_PORT_DECORATOR_H

#include "messaging-any-port.h"

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
 * Base of ports in front of another one: by default, everything passes unchanged.
 */
class PortDecorator : public ErasedPort<AnyPort>, protected PortUser
{
  public:
    /** @param port the port behind; it has no other user */
    explicit PortDecorator(Ptr<AnyPort> port)
        : ErasedPort(port)
    {
        m_port->SetUser(this);
    }

    void SetUser(PortUser* user) override
    {
        m_user = user;
    }

  protected:
    void DoDispose() override
    {
        if (m_port)
        {
            m_port->SetUser(nullptr);
        }
        m_port = nullptr;
        m_user = nullptr;
        ErasedPort::DoDispose();
    }

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

    PortUser* m_user{nullptr}; ///< Receiver of frames, not owned.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_PORT_DECORATOR_H
