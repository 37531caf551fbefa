/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-layer-port.h"

#include "ns3/log.h"

#include <bit>

namespace ns3
{
namespace parastation
{

NS_LOG_COMPONENT_DEFINE("ParastationLayerPort");

namespace
{

/** Largest number of frames of a process in flight: queued, in both rings or in host memory. */
constexpr uint32_t FLIGHTS = 256;

} // namespace

LayerPort::LayerPort(Ptr<messaging::TickClock> clock,
                     Ptr<messaging::MessageGroup> below,
                     uint32_t processes)
    : m_clock(clock),
      m_below(below),
      m_flights(std::bit_ceil(FLIGHTS * below->GetNPeers() * processes)),
      m_waiting(below->GetNPeers() * processes),
      m_nodes(below->GetNPeers()),
      m_processes(processes),
      m_number(clock->Register(this))
{
    m_below->SetUser(this);
}

LayerPort::~LayerPort()
{
    m_below->SetUser(nullptr);
}

bool
LayerPort::Send(messaging::Peer self, messaging::Peer to, const messaging::Frame& frame)
{
    const auto index = static_cast<uint32_t>(m_next % m_flights.size());
    m_flights[index] = Flight{frame, self, to};
    if (self % m_nodes == to % m_nodes)
    {
        m_clock->At(m_clock->Now(), m_number, to, index);
        ++m_next;
        return true;
    }
    const messaging::Request request{.id = m_next,
                                     .contents = frame.contents,
                                     .to = to % m_nodes,
                                     .bytes = frame.payload + frame.header,
                                     .tag = m_next};
    if (m_below->Post(self % m_nodes, request) == messaging::Acceptance::STALLED)
    {
        NS_LOG_LOGIC("Process " << self << " has to wait before it sends to " << to);
        m_waiting[self] = 1;
        return false;
    }
    NS_LOG_LOGIC("Process " << self << " sends a frame of " << request.bytes << " bytes to " << to);
    ++m_next;
    return true;
}

void
LayerPort::Arrive(const Flight& flight)
{
    NS_LOG_LOGIC("A frame of process " << flight.from << " arrives at " << flight.to);
    if (m_user)
    {
        m_user->OnFrame(flight.to, flight.from, flight.frame);
    }
}

void
LayerPort::OnDeliver(messaging::Peer, const messaging::Delivery& delivery)
{
    Flight flight = m_flights[delivery.tag % m_flights.size()];
    flight.frame.contents = delivery.contents;
    Arrive(flight);
}

void
LayerPort::OnComplete(messaging::Peer, messaging::RequestId, messaging::Completion)
{
}

void
LayerPort::OnReady(messaging::Peer self)
{
    for (messaging::Peer process = self; process < m_waiting.size(); process += m_nodes)
    {
        if (m_waiting[process] && m_user)
        {
            m_waiting[process] = 0;
            m_user->OnReady(process);
        }
    }
}

void
LayerPort::OnTick(messaging::Peer, uint64_t datum)
{
    Arrive(Flight{m_flights[datum]});
}

} // namespace parastation
} // namespace ns3
