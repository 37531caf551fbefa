/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-host-port.h"

#include <utility>

namespace ns3
{
namespace messaging
{

HostPort::HostPort(Ptr<AnyPort> port, std::vector<Ptr<HostModel>> hosts, Time frameTime)
    : ForwardingPort(port),
      m_hosts(std::move(hosts)),
      m_frameTime(frameTime),
      m_transmitters(port->GetNPeers())
{
}

void
HostPort::Count(Peer to, const Frame& frame)
{
    ++m_frames;
    m_copies += to == NO_PEER ? GetNPeers() - 1 : 1;
    m_bytes += uint64_t{frame.header} + frame.payload;
}

std::vector<Work>
HostPort::GetWork(const Frame& frame) const
{
    const auto instructions = static_cast<uint64_t>(m_frameTime.GetNanoSeconds());
    return {Work{0, instructions, WorkKind::INSTRUCTIONS}, Work{0, frame.payload, WorkKind::COPY}};
}

bool
HostPort::Send(Peer self, Peer to, const Frame& frame)
{
    if (m_hosts.empty())
    {
        const bool sent = ForwardingPort::Send(self, to, frame);
        if (sent)
        {
            Count(to, frame);
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
    m_hosts[self]->Execute(KERNEL, GetWork(frame), [this, self] { Transmit(self); });
    return true;
}

void
HostPort::Transmit(Peer self)
{
    auto& transmitter = m_transmitters[self];
    if (!ForwardingPort::Send(self, transmitter.to, transmitter.frame))
    {
        transmitter.stage = Stage::BLOCKED;
        return;
    }
    Count(transmitter.to, transmitter.frame);
    transmitter.stage = Stage::IDLE;
    if (std::exchange(transmitter.waiting, false))
    {
        ForwardingPort::OnReady(self);
    }
}

void
HostPort::OnReady(Peer self)
{
    if (m_hosts.empty())
    {
        ForwardingPort::OnReady(self);
    }
    else if (m_transmitters[self].stage == Stage::BLOCKED)
    {
        Transmit(self);
    }
}

void
HostPort::OnFrame(Peer self, Peer from, const Frame& frame)
{
    ++m_arrived;
    if (m_hosts.empty())
    {
        ForwardingPort::OnFrame(self, from, frame);
        return;
    }
    m_hosts[self]->Execute(KERNEL, GetWork(frame), [this, self, from, frame] {
        ForwardingPort::OnFrame(self, from, frame);
    });
}

} // namespace messaging
} // namespace ns3
