/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-host-port.h"

#include <utility>

namespace ns3
{
namespace messaging
{

HostPort::HostPort(Ptr<AnyPort> port, std::vector<Ptr<HostModel>> hosts, const FrameCosts& costs)
    : m_port(port),
      m_hosts(std::move(hosts)),
      m_costs(costs),
      m_transmitters(port->GetNPeers())
{
    m_port->SetUser(this);
}

HostPort::~HostPort() = default;

void
HostPort::DoDispose()
{
    if (m_port)
    {
        m_port->SetUser(nullptr);
    }
    m_port = nullptr;
    m_user = nullptr;
    m_hosts.clear();
    AnyPort::DoDispose();
}

PortInfo
HostPort::Info() const
{
    return m_port->Info();
}

uint32_t
HostPort::GetNPeers() const
{
    return m_port->GetNPeers();
}

Ticks
HostPort::Distance(Peer self, Peer to) const
{
    return m_port->Distance(self, to);
}

Ticks
HostPort::WireTicks(const Frame& frame) const
{
    return m_port->WireTicks(frame);
}

void
HostPort::SetAccepting(Peer self, bool accepting)
{
    m_port->SetAccepting(self, accepting);
}

void
HostPort::SetUser(PortUser* user)
{
    m_user = user;
}

uint64_t
HostPort::GetNFrames() const
{
    return m_frames;
}

uint64_t
HostPort::GetNBytes() const
{
    return m_bytes;
}

void
HostPort::Count(const Frame& frame)
{
    ++m_frames;
    m_bytes += uint64_t{frame.header} + frame.payload;
}

std::vector<Work>
HostPort::GetWork(Time time, const Frame& frame) const
{
    std::vector<Work> work{
        Work{0, static_cast<uint64_t>(time.GetNanoSeconds()), WorkKind::INSTRUCTIONS}};
    if (m_costs.copies)
    {
        work.push_back(Work{0, frame.payload, WorkKind::COPY});
    }
    return work;
}

bool
HostPort::Send(Peer self, Peer to, const Frame& frame)
{
    if (m_hosts.empty())
    {
        const bool sent = m_port->Send(self, to, frame);
        if (sent)
        {
            Count(frame);
        }
        return sent;
    }
    auto& transmitter = m_transmitters[self];
    if (transmitter.stage != Stage::IDLE)
    {
        transmitter.waiting = true;
        return false;
    }
    transmitter.frame = frame;
    transmitter.to = to;
    transmitter.stage = Stage::HOST;
    m_hosts[self]->Execute(KERNEL, GetWork(m_costs.send, frame), [this, self] {
        if (m_port)
        {
            Transmit(self);
        }
    });
    return true;
}

void
HostPort::Transmit(Peer self)
{
    auto& transmitter = m_transmitters[self];
    if (!m_port->Send(self, transmitter.to, transmitter.frame))
    {
        transmitter.stage = Stage::BLOCKED;
        return;
    }
    Count(transmitter.frame);
    transmitter.stage = Stage::IDLE;
    if (std::exchange(transmitter.waiting, false) && m_user)
    {
        m_user->OnReady(self);
    }
}

void
HostPort::OnReady(Peer self)
{
    if (m_hosts.empty())
    {
        if (m_user)
        {
            m_user->OnReady(self);
        }
    }
    else if (m_transmitters[self].stage == Stage::BLOCKED)
    {
        Transmit(self);
    }
}

void
HostPort::OnFrame(Peer self, Peer from, const Frame& frame)
{
    if (m_hosts.empty())
    {
        if (m_user)
        {
            m_user->OnFrame(self, from, frame);
        }
        return;
    }
    m_hosts[self]->Execute(KERNEL, GetWork(m_costs.receive, frame), [this, self, from, frame] {
        if (m_user)
        {
            m_user->OnFrame(self, from, frame);
        }
    });
}

} // namespace messaging
} // namespace ns3
