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
    : m_port(port),
      m_copies(port->GetNPeers())
{
    m_port->SetUser(this);
}

BroadcastEmulation::~BroadcastEmulation() = default;

void
BroadcastEmulation::DoDispose()
{
    if (m_port)
    {
        m_port->SetUser(nullptr);
    }
    m_port = nullptr;
    m_user = nullptr;
    AnyPort::DoDispose();
}

PortInfo
BroadcastEmulation::Info() const
{
    PortInfo info = m_port->Info();
    info.broadcast = true;
    return info;
}

uint32_t
BroadcastEmulation::GetNPeers() const
{
    return m_port->GetNPeers();
}

Ticks
BroadcastEmulation::Distance(Peer self, Peer to) const
{
    return m_port->Distance(self, to);
}

Ticks
BroadcastEmulation::WireTicks(const Frame& frame) const
{
    return m_port->WireTicks(frame);
}

void
BroadcastEmulation::SetAccepting(Peer self, bool accepting)
{
    m_port->SetAccepting(self, accepting);
}

void
BroadcastEmulation::SetUser(PortUser* user)
{
    m_user = user;
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
BroadcastEmulation::OnFrame(Peer self, Peer from, const Frame& frame)
{
    if (m_user)
    {
        m_user->OnFrame(self, from, frame);
    }
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
    if ((std::exchange(copies.waiting, false) || !copying) && m_user)
    {
        m_user->OnReady(self);
    }
}

} // namespace messaging
} // namespace ns3
