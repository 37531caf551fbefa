/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-broadcast-emulation.h"

#include <utility>

namespace ns3
{
namespace messaging
{

BroadcastEmulation::BroadcastEmulation(Ptr<AnyPort> port)
    : ForwardingPort(port),
      m_copies(port->GetNPeers())
{
}

PortInfo
BroadcastEmulation::GetInfo() const
{
    PortInfo info = m_port->GetInfo();
    info.broadcast = true;
    return info;
}

bool
BroadcastEmulation::Send(Peer self, Peer to, const Frame& frame)
{
    auto& copies = m_copies[self];
    if (copies.next != NO_PEER)
    {
        copies.waiting = true;
        return false;
    }
    if (to != NO_PEER)
    {
        return m_port->Send(self, to, frame);
    }
    copies.frame = frame;
    copies.next = 0;
    SendCopies(self);
    return true;
}

void
BroadcastEmulation::SendCopies(Peer self)
{
    auto& copies = m_copies[self];
    for (; copies.next < GetNPeers(); ++copies.next)
    {
        if (copies.next != self && !m_port->Send(self, copies.next, copies.frame))
        {
            return;
        }
    }
    copies.next = NO_PEER;
}

void
BroadcastEmulation::OnReady(Peer self)
{
    auto& copies = m_copies[self];
    const bool copying = copies.next != NO_PEER;
    if (copying)
    {
        SendCopies(self);
        if (copies.next != NO_PEER)
        {
            return;
        }
    }
    if (std::exchange(copies.waiting, false) || !copying)
    {
        ForwardingPort::OnReady(self);
    }
}

} // namespace messaging
} // namespace ns3
