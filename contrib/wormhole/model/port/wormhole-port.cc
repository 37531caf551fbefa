/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-port.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-row-table.h"

#include <algorithm>

namespace ns3
{
namespace wormhole
{

NS_LOG_COMPONENT_DEFINE("WormholePort");

WormholePort::WormholePort(const WormholeConfig& config, Ptr<WormholeTraces> traces)
    : m_config(config),
      m_info(config.GetInfo()),
      m_traces(traces),
      m_flitDivisor(config.flitBits)
{
    std::string error;
    m_shape = config.MakeShape(0, error);
    NS_ABORT_MSG_UNLESS(m_shape, error);
}

void
WormholePort::SetClock(Ptr<messaging::TickClock> clock)
{
    m_clock = clock;
    clock->SetStepper(this);
}

Ptr<messaging::Table>
WormholePort::MakeLinkTable(Ticks cycles) const
{
    const Shape& shape = GetShape();
    const auto busy = GetLinkBusy();
    const auto sides = shape.GetSides();
    std::vector<Link> links;
    for (Link link = 0; link < busy.size(); ++link)
    {
        if (shape.GetOrigin(link) != messaging::NO_PEER)
        {
            links.push_back(link);
        }
    }
    messaging::RowTable table(links);
    table.Add("from", "", [&](Link link) { return shape.GetOrigin(link); });
    table.Add("to", "", [&](Link link) { return shape.GetTarget(link); });
    constexpr const char* AXES = "xyz";
    uint32_t stride = 1;
    for (std::size_t d = 0; d < sides.size(); ++d)
    {
        table.Add(std::string(1, AXES[d]), "nodes", [&](Link link) {
            return shape.GetOrigin(link) / stride % sides[d];
        });
        stride *= sides[d];
    }
    if (!sides.empty())
    {
        table.Add("direction", "", [&](Link link) {
            const std::size_t direction = link % (2 * sides.size());
            return std::string(direction % 2 ? "-" : "+") + AXES[direction / 2];
        });
    }
    table.Add("channels", "channels", [&](Link link) { return shape.GetChannels(link); });
    table.Add("utilization", "fraction", [&](Link link) {
        const double available = static_cast<double>(cycles) * shape.GetChannels(link);
        return available > 0 ? static_cast<double>(busy[link]) / available : 0;
    });
    return table.Get();
}

Ptr<messaging::Table>
WormholePort::MakeDropTable() const
{
    const auto reason = [](std::size_t i) { return static_cast<DropReason>(i); };
    return messaging::RowTable(N_DROP_REASONS)
        .Add("reason", "", reason)
        .Add("drops", "packets", [&](std::size_t i) { return GetCounters().GetDrops(reason(i)); })
        .Get();
}

void
WormholePort::MakeKernel() const
{
    KernelConfig config = m_config.kernel;
    if (m_config.router != RouterKind::HYBRID)
    {
        config.holdLimit = 0;
    }
    NS_LOG_LOGIC("Create the routers at the first use");
    m_full = m_config.observe || m_mayFail || config.freeOnDrop || !m_traces->hop.IsEmpty() ||
             config.misrouteLimit > 0 || config.timeToLive > 0 || config.corruption > 0 ||
             config.routing == Routing::RANDOM;
    m_kernel = GetShape().MakeKernel(m_config.router,
                                     m_full,
                                     config,
                                     {&m_traces->hop, &m_traces->drop, &m_traces->delivery});
    if (m_stream >= 0)
    {
        m_kernel->AssignStreams(m_stream);
    }
    m_kernel->SetUser(m_user);
}

bool
WormholePort::IsLinkUp(Link link) const
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

void
WormholePort::EnableFaults()
{
    NS_ABORT_MSG_IF(m_kernel && !m_full,
                    "EnableFaults must be called before the first use of the network.");
    m_mayFail = true;
}

void
WormholePort::PrepareFaults()
{
    EnableFaults();
    m_linkDown.resize(GetShape().GetNLinks());
    m_routerDown.resize(GetShape().GetNRouters());
    if (m_clock)
    {
        m_clock->WakeStepper();
    }
}

void
WormholePort::SetLinkUp(Link link, bool up)
{
    NS_LOG_INFO("Link " << link << (up ? " is repaired" : " fails"));
    PrepareFaults();
    m_linkDown[link] = !up;
    if (GetShape().GetTarget(link) != messaging::NO_PEER)
    {
        GetKernel().SetLinkUp(link, IsLinkUp(link), Now());
    }
}

void
WormholePort::SetRouterUp(uint32_t router, bool up)
{
    NS_LOG_INFO("Router " << router << (up ? " is repaired" : " fails"));
    PrepareFaults();
    m_routerDown[router] = !up;
    for (Link link = 0; link < GetShape().GetNLinks(); ++link)
    {
        if (GetShape().GetOrigin(link) == router || GetShape().GetTarget(link) == router)
        {
            GetKernel().SetLinkUp(link, IsLinkUp(link), Now());
        }
    }
    if (router < GetNPeers())
    {
        GetKernel().SetNodeUp(router, up, Now());
    }
}

bool
WormholePort::CanReach(Peer self, Peer to) const
{
    if (m_linkDown.empty())
    {
        return true;
    }
    // No link leads to or from a failed router, but each node reaches itself.
    if (m_routerDown[self])
    {
        return false;
    }
    std::vector<bool> down(GetShape().GetNLinks());
    for (Link link = 0; link < down.size(); ++link)
    {
        down[link] = !IsLinkUp(link);
    }
    const bool buffered = m_config.router == RouterKind::BUFFERED;
    const bool strict = buffered || m_config.kernel.routing == Routing::STRICT;
    return GetShape().CanReach(self,
                               to,
                               down,
                               strict,
                               buffered ? 0 : m_config.kernel.misrouteLimit);
}

Ticks
WormholePort::WireTicks(const Frame& frame) const
{
    // Sections 4.2 and 4.5: routers that drop packets need a checksum flit at the end of each
    // packet.
    const bool checksum = m_config.router != RouterKind::BUFFERED;
    const uint32_t bits = (frame.payload + frame.header) * 8;
    return std::max(1U, m_flitDivisor.Divide(bits + m_config.flitBits - 1) + (checksum ? 1 : 0));
}

bool
WormholePort::Send(Peer self, Peer to, const Frame& frame)
{
    Kernel& kernel = GetKernel();
    const auto flits = static_cast<uint32_t>(WireTicks(frame));
    NS_ABORT_MSG_IF(flits > MAX_FLITS,
                    "A frame of " << flits << " flits is longer than " << MAX_FLITS << ".");
    const bool taken = kernel.Send(self, to, frame, flits, Now());
    if (!taken)
    {
        NS_LOG_LOGIC("Node " << self << " is busy: " << flits << " flits to node " << to
                             << " are refused");
    }
    if (auto* const clock = PeekPointer(m_clock))
    {
        clock->WakeStepper();
    }
    return taken;
}

bool
WormholePort::IsBusy(Peer self)
{
    const bool busy = GetKernel().IsBusy(self, Now());
    if (auto* const clock = PeekPointer(m_clock); busy && clock)
    {
        clock->WakeStepper();
    }
    return busy;
}

void
WormholePort::SetUser(messaging::PortUser* user)
{
    m_user = user;
    if (m_kernel)
    {
        m_kernel->SetUser(user);
    }
}

bool
WormholePort::Step(Ticks now)
{
    return GetKernel().Step(now);
}

int64_t
WormholePort::AssignStreams(int64_t stream)
{
    m_stream = stream;
    return m_kernel ? m_kernel->AssignStreams(stream) : N_STREAMS;
}

} // namespace wormhole
} // namespace ns3
