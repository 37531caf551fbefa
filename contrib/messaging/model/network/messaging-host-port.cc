/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-host-port.h"

#include "ns3/log.h"
#include "ns3/messaging-rounding.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingHostPort");

namespace
{

/** Frames of a peer that wait for its host, from which on the port is busy. */
constexpr std::size_t MOST_FRAMES = 32;

/**
 * Add processor time to the steps of work, unless it is zero.
 * @param time the time
 * @param steps the steps, extended
 */
void
AddInstructions(Time time, std::vector<Work>& steps)
{
    if (time.IsStrictlyPositive())
    {
        const auto amount = static_cast<uint64_t>(time.GetNanoSeconds());
        steps.push_back(Work{0, amount, WorkKind::INSTRUCTIONS});
    }
}

/** Least size of a frame, a protocol's header [bytes]. */
constexpr uint32_t LEAST_FRAME = 16;

/** Arrivals for each frame that a faulty network may repeat. */
constexpr uint32_t COPIES = 2;

/**
 * Add the copy of a payload to the steps of work, unless it is empty or written by the adapter.
 * @param frame the frame
 * @param steps the steps, extended
 */
void
AddCopy(const Frame& frame, std::vector<Work>& steps)
{
    if (frame.payload > 0 && !(frame.marks & MARK_WRITE))
    {
        steps.push_back(Work{0, frame.payload, WorkKind::COPY});
    }
}

} // namespace

HostPort::HostPort(Ptr<TickClock> clock,
                   Ptr<AnyPort> port,
                   std::vector<Ptr<HostModel>> hosts,
                   const FrameCosts& costs)
    : ForwardingPort(port),
      m_hosts(std::move(hosts)),
      m_costs(costs),
      m_clock(clock),
      m_transmitters(m_hosts.size())
{
}

void
HostPort::Count(Peer to, const Frame& frame)
{
    ++m_frames;
    m_copies += to == NO_PEER ? GetNPeers() - 1 : 1;
    m_bytes += uint64_t{frame.header} + frame.payload;
    m_largestPayload = std::max(m_largestPayload, frame.payload);
}

std::vector<Work>
HostPort::GetSendWork(const Frame& frame) const
{
    std::vector<Work> steps;
    if (m_costs.systemCalls > 0)
    {
        steps.push_back(Work{0, m_costs.systemCalls, WorkKind::SYSTEM_CALL});
    }
    AddInstructions(m_costs.send, steps);
    AddCopy(frame, steps);
    return steps;
}

std::vector<Work>
HostPort::GetReceiveWork(Peer self, const Frame& frame) const
{
    std::vector<Work> steps;
    if (m_costs.interrupts > 0)
    {
        steps.push_back(Work{0, m_costs.interrupts, WorkKind::INTERRUPT});
    }
    AddInstructions(m_costs.receive, steps);
    if (m_costs.systemCalls > 0)
    {
        const auto reading = m_hosts[self]->GetReadWork();
        steps.insert(steps.end(), reading.begin(), reading.end());
    }
    AddCopy(frame, steps);
    return steps;
}

PortInfo
HostPort::GetInfo() const
{
    PortInfo info = ForwardingPort::GetInfo();
    if (m_hosts.empty() || info.maxSlip == 0 || info.maxSlip == NEVER)
    {
        return info;
    }
    // A late frame may wait for the host behind all that have arrived in the meantime.
    const double frames = info.rate * static_cast<double>(info.maxSlip) / LEAST_FRAME + 1;
    const Frame full{.payload = info.mtu};
    const Time work = m_hosts[0]->GetIdleDuration(GetReceiveWork(0, full));
    const double ticks = static_cast<double>(work.GetTimeStep()) /
                         static_cast<double>(m_clock->GetTickLength().GetTimeStep());
    const Ticks behind = RoundTicks(COPIES * frames * ticks);
    const bool isBounded = behind < LONGEST_DRAWN && info.maxSlip < NEVER - behind;
    info.maxSlip = isBounded ? info.maxSlip + behind : NEVER;
    return info;
}

Ticks
HostPort::GetRoundTrip(const Frame& request, const Frame& answer) const
{
    const Ticks network = ForwardingPort::GetRoundTrip(request, answer);
    if (m_hosts.empty())
    {
        return network;
    }
    Time work;
    for (const Frame& frame : {request, answer})
    {
        work += m_hosts[0]->GetIdleDuration(GetSendWork(frame));
        work += m_hosts[0]->GetIdleDuration(GetReceiveWork(0, frame));
    }
    const int64_t ticks = work.GetTimeStep() / m_clock->GetTickLength().GetTimeStep();
    return network + static_cast<Ticks>(ticks);
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
    if (transmitter.frames.size() >= MOST_FRAMES)
    {
        NS_LOG_LOGIC("Peer " << self << " is busy with " << MOST_FRAMES << " frames");
        transmitter.waiting = true;
        return false;
    }
    transmitter.frames.push_back(Outgoing{frame, to});
    if (transmitter.stage == Stage::IDLE)
    {
        Begin(self);
    }
    return true;
}

void
HostPort::Begin(Peer self)
{
    NS_LOG_LOGIC("Host of peer " << self << " begins to send a frame");
    m_transmitters[self].stage = Stage::HOST;
    const Frame& frame = m_transmitters[self].frames.front().frame;
    m_hosts[self]->Execute(KERNEL, GetSendWork(frame), [this, self] { Transmit(self); });
}

void
HostPort::Transmit(Peer self)
{
    auto& transmitter = m_transmitters[self];
    transmitter.stage = Stage::HOST;
    const Outgoing& first = transmitter.frames.front();
    if (!ForwardingPort::Send(self, first.to, first.frame))
    {
        NS_LOG_LOGIC("Network is busy for peer " << self);
        transmitter.stage = Stage::BLOCKED;
        return;
    }
    Count(first.to, first.frame);
    transmitter.frames.pop_front();
    transmitter.stage = Stage::IDLE;
    if (!transmitter.frames.empty())
    {
        Begin(self);
    }
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
    const bool unnoticed = (frame.marks & MARK_WRITE) && !(frame.marks & MARK_NOTIFY);
    if (m_hosts.empty() || unnoticed)
    {
        ForwardingPort::OnFrame(self, from, frame);
        return;
    }
    NS_LOG_LOGIC("Host of peer " << self << " begins to receive a frame of peer " << from);
    m_hosts[self]->Execute(KERNEL, GetReceiveWork(self, frame), [this, self, from, frame] {
        ForwardingPort::OnFrame(self, from, frame);
    });
}

} // namespace messaging
} // namespace ns3
