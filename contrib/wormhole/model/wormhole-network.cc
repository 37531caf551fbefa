/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-network.h"

#include "ns3/abort.h"
#include "ns3/log.h"

#include <algorithm>

namespace ns3
{
namespace wormhole
{

NS_LOG_COMPONENT_DEFINE("WormholeNetwork");

WormholeNetwork::WormholeNetwork() = default;

WormholeNetwork::~WormholeNetwork() = default;

void
WormholeNetwork::DoDispose()
{
    m_user = nullptr;
    m_clock = nullptr;
    m_kernel.reset();
    Object::DoDispose();
}

bool
WormholeNetwork::IsLinkUp(Link link) const
{
    const uint32_t origin = GetShape().GetOrigin(link);
    const uint32_t target = GetShape().GetTarget(link);
    if (origin == messaging::NO_PEER || target == messaging::NO_PEER)
    {
        return false;
    }
    return m_linkDown.empty() ||
           !(m_linkDown[link] || m_routerDown[origin] || m_routerDown[target]);
}

bool
WormholeNetwork::IsRouterUp(uint32_t router) const
{
    return m_routerDown.empty() || !m_routerDown[router];
}

void
WormholeNetwork::UpdateLink(Link link)
{
    GetKernel().SetLinkUp(link, IsLinkUp(link), Now());
}

void
WormholeNetwork::PrepareFaults()
{
    NS_ABORT_MSG_UNLESS(m_faults, "Links and routers can fail only if attribute Faults is true.");
    m_linkDown.resize(GetShape().GetNLinks());
    m_routerDown.resize(GetShape().GetNRouters());
    if (m_clock)
    {
        m_clock->WakeStepper();
    }
}

void
WormholeNetwork::SetLinkUp(Link link, bool up)
{
    NS_LOG_FUNCTION(this << link << up);
    PrepareFaults();
    m_linkDown[link] = !up;
    if (GetShape().GetTarget(link) != messaging::NO_PEER)
    {
        UpdateLink(link);
    }
}

void
WormholeNetwork::SetRouterUp(uint32_t router, bool up)
{
    NS_LOG_FUNCTION(this << router << up);
    PrepareFaults();
    m_routerDown[router] = !up;
    for (Link link = 0; link < GetShape().GetNLinks(); ++link)
    {
        if (GetShape().GetOrigin(link) == router || GetShape().GetTarget(link) == router)
        {
            UpdateLink(link);
        }
    }
    if (router < GetNPeers())
    {
        GetKernel().SetNodeUp(router, up, Now());
    }
}

bool
WormholeNetwork::CanReach(Peer self, Peer to) const
{
    if (m_linkDown.empty())
    {
        return true;
    }
    if (m_routerDown[self] || m_routerDown[to])
    {
        return false;
    }
    std::vector<bool> down(GetShape().GetNLinks());
    for (Link link = 0; link < down.size(); ++link)
    {
        down[link] = !IsLinkUp(link);
    }
    const bool strict = m_router == RouterKind::BUFFERED || m_routing == Routing::STRICT;
    const uint32_t misroutes = m_router == RouterKind::BUFFERED ? 0 : m_misrouteLimit;
    return GetShape().CanReach(self, to, down, strict, misroutes);
}

void
WormholeNetwork::SetClock(Ptr<messaging::TickClock> clock)
{
    m_clock = clock;
    clock->SetStepper(this);
}

void
WormholeNetwork::Build() const
{
    const std::string error = Check();
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    const bool full = m_observe || m_faults || m_freeOnDrop || !m_hopTrace.IsEmpty() ||
                      m_misrouteLimit > 0 || m_timeToLive > 0 || m_corruption > 0 ||
                      m_routing == Routing::RANDOM;
    m_kernel = GetShape().MakeKernel(m_router, full, GetKernelConfig());
    if (m_stream >= 0)
    {
        m_kernel->AssignStreams(m_stream);
    }
    UpdateListeners();
}

void
WormholeNetwork::UpdateListeners() const
{
    const bool observed =
        m_observe || !m_hopTrace.IsEmpty() || !m_dropTrace.IsEmpty() || !m_deliveryTrace.IsEmpty();
    m_kernel->SetListeners(m_user, observed ? const_cast<WormholeNetwork*>(this) : nullptr);
}

messaging::PortInfo
WormholeNetwork::Info() const
{
    const bool lossless = m_router == RouterKind::BUFFERED && m_loss == 0 && m_corruption == 0;
    // Heads keep their order on ways of equal length where all of them move in every cycle, or wait
    // in line; tails keep it if a packet leaves and enters a node only after the one before.
    const bool inLine = m_injectionPorts == 1 && m_ejectionPorts == 1;
    messaging::PortInfo info;
    info.mtu = m_mtu;
    info.lossless = lossless;
    const Ticks longest = (static_cast<Ticks>(m_mtu) * 8 + m_flitBits - 1) / m_flitBits + 1;
    const Ticks apart = m_injectionPorts == 1 ? 0 : longest;
    const Ticks hops = GetShape().GetDiameter() + Ticks{2} * m_misrouteLimit;
    switch (m_router)
    {
    case RouterKind::LOSSY:
        info.ordered = m_injectionPorts == 1 && m_misrouteLimit == 0;
        info.maxSlip = info.ordered ? 0 : apart + Ticks{2} * m_misrouteLimit;
        break;
    case RouterKind::BUFFERED:
        info.ordered =
            inLine && (!GetShape().GetSides().empty() || m_arbitration == Arbitration::FIRST_COME);
        info.maxSlip = info.ordered ? 0 : messaging::NEVER;
        break;
    case RouterKind::HYBRID:
        info.maxSlip = apart + Ticks{2} * m_misrouteLimit + (hops + 1) * m_holdLimit;
        break;
    }
    if (m_router != RouterKind::BUFFERED && m_timeToLive && info.maxSlip > m_timeToLive + apart)
    {
        info.maxSlip = m_timeToLive + apart;
    }
    return info;
}

const Shape&
WormholeNetwork::GetShape() const
{
    if (!m_shape)
    {
        std::string error;
        m_shape = Shape::Make(GetShapeConfig(), error);
        NS_ABORT_MSG_UNLESS(m_shape, error);
        m_width = m_shape->GetWidth();
    }
    return *m_shape;
}

Ticks
WormholeNetwork::Now() const
{
    const auto* const clock = PeekPointer(m_clock);
    return clock ? clock->Now() : GetKernel().GetNextCycle();
}

std::vector<uint64_t>
WormholeNetwork::GetLinkBusy() const
{
    return GetKernel().GetLinkBusy();
}

uint32_t
WormholeNetwork::GetNPeers() const
{
    return GetShape().GetNNodes();
}

uint32_t
WormholeNetwork::GetDiameter() const
{
    return GetShape().GetDiameter();
}

RouterKind
WormholeNetwork::GetRouter() const
{
    return m_router;
}

Ticks
WormholeNetwork::Distance(Peer self, Peer to) const
{
    return GetShape().GetDistance(self, to);
}

void
WormholeNetwork::SetFlitBits(uint32_t bits)
{
    m_flitBits = bits;
    m_flitDivisor = Divisor(bits);
}

uint32_t
WormholeNetwork::GetFlitBits() const
{
    return m_flitBits;
}

uint32_t
WormholeNetwork::GetCycles(uint32_t flits) const
{
    return m_width == 1 ? flits : (flits + m_width - 1) / m_width;
}

uint32_t
WormholeNetwork::GetFlits(const Frame& frame) const
{
    const bool checksum =
        m_checksumFlit == ChecksumFlit::ON ||
        (m_checksumFlit == ChecksumFlit::AUTO && m_router != RouterKind::BUFFERED);
    const uint32_t bits = (frame.payload + frame.header) * 8;
    return std::max(1U, m_flitDivisor.Divide(bits + m_flitBits - 1) + (checksum ? 1 : 0));
}

Ticks
WormholeNetwork::WireTicks(const Frame& frame) const
{
    GetShape();
    return GetCycles(GetFlits(frame));
}

bool
WormholeNetwork::Send(Peer self, Peer to, const Frame& frame)
{
    Kernel& kernel = GetKernel();
    const uint32_t flits = GetFlits(frame);
    NS_ABORT_MSG_IF(flits > MAX_FLITS,
                    "A frame of " << flits << " flits is longer than " << MAX_FLITS << ".");
    const bool taken = kernel.Send(self, to, frame, flits, GetCycles(flits), Now());
    if (auto* const clock = PeekPointer(m_clock))
    {
        clock->WakeStepper();
    }
    return taken;
}

bool
WormholeNetwork::IsBusy(Peer self)
{
    const bool busy = GetKernel().IsBusy(self, Now());
    if (auto* const clock = PeekPointer(m_clock); busy && clock)
    {
        clock->WakeStepper();
    }
    return busy;
}

void
WormholeNetwork::SetUser(messaging::PortUser* user)
{
    m_user = user;
    if (m_kernel)
    {
        UpdateListeners();
    }
}

bool
WormholeNetwork::Step(Ticks now)
{
    return GetKernel().Step(now);
}

const Counters&
WormholeNetwork::GetCounters() const
{
    return GetKernel().GetCounters();
}

uint64_t
WormholeNetwork::GetNInFlight() const
{
    return GetKernel().GetNInFlight();
}

uint64_t
WormholeNetwork::GetFlitsInFlight() const
{
    return GetKernel().GetFlitsInFlight();
}

int64_t
WormholeNetwork::AssignStreams(int64_t stream)
{
    m_stream = stream;
    return m_kernel ? m_kernel->AssignStreams(stream) : 2;
}

void
WormholeNetwork::OnHop(const Packet& packet, Link link, Ticks now)
{
    m_hopTrace(packet, link, now);
}

void
WormholeNetwork::OnDrop(const Packet& packet, DropReason reason, uint32_t router, Ticks now)
{
    m_dropTrace(packet, reason, router, now);
}

void
WormholeNetwork::OnDelivery(const Packet& packet, Ticks now)
{
    m_deliveryTrace(packet, now);
}

} // namespace wormhole
} // namespace ns3
