/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-port.h"

#include "ns3/abort.h"
#include "ns3/log.h"

#include <utility>

namespace ns3
{
namespace myrinet
{

NS_LOG_COMPONENT_DEFINE("MyrinetPort");

namespace
{

constexpr uint32_t TYPE_CHARS = 2; ///< Characters of the packet type, behind the route.
constexpr uint32_t CRC_CHARS = 1;  ///< Characters of the CRC, at the end.

/** Fastest link: the fabric counts picoseconds, 8 of which a character then takes [bit/s]. */
constexpr uint64_t FASTEST_LINK = 1'000'000'000'000;

/** Shortest NRES timeout of the hardware, code 0 of its register (footnote 1) [ps]. */
constexpr Instant LEAST_TIMEOUT = 62'500'000'000;

} // namespace

MyrinetPort::MyrinetPort() = default;

MyrinetPort::~MyrinetPort() = default;

void
MyrinetPort::DoDispose()
{
    m_user = nullptr;
    m_clock = nullptr;
    m_fabric.reset();
    Object::DoDispose();
}

std::string
MyrinetPort::Check() const
{
    if (m_linkRate.GetBitRate() == 0 || m_linkRate.GetBitRate() > FASTEST_LINK)
    {
        return "LinkRate has to be larger than zero, and 1 Tb/s at most.";
    }
    const FabricConfig config = GetFabricConfig();
    if (config.timeout < LEAST_TIMEOUT)
    {
        return "Timeout is 0, for none, or 62.5 ms to 4 s.";
    }
    const uint64_t rings = (uint64_t{m_sendBuffers} + m_receiveBuffers) * m_mtu;
    if (rings + m_firmware > m_sram)
    {
        return "The send ring and the receive ring, " + std::to_string(m_sendBuffers) + " and " +
               std::to_string(m_receiveBuffers) + " buffers of " + std::to_string(m_mtu) +
               " bytes, and the firmware, " + std::to_string(m_firmware) +
               " bytes, do not fit into an SRAM of " + std::to_string(m_sram) + " bytes.";
    }
    std::string error;
    const auto topology = Topology::Make(GetTopologyConfig(), error);
    if (!error.empty())
    {
        return error;
    }
    return Fabric::Check(config, topology.GetLongestCable());
}

void
MyrinetPort::Build() const
{
    const std::string wrong = Check();
    NS_ABORT_MSG_UNLESS(wrong.empty(), wrong);
    std::string error;
    m_topology = std::make_unique<Topology>(Topology::Make(GetTopologyConfig(), error));
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    m_routes = std::make_unique<Routes>(*m_topology, m_routeKind, error);
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    m_fabric = std::make_unique<Fabric>(*m_topology, *m_routes, GetFabricConfig());
    m_queued.assign(m_topology->GetNHosts(), 0);
    m_waiting.assign(m_topology->GetNHosts(), 0);
    if (m_stream >= 0)
    {
        m_fabric->AssignStreams(m_stream);
    }
}

void
MyrinetPort::SetClock(Ptr<messaging::TickClock> clock)
{
    m_clock = clock;
    m_perTick = static_cast<Instant>(clock->GetTickLength().GetPicoSeconds());
    m_number = clock->Register(this);
}

messaging::PortInfo
MyrinetPort::Info() const
{
    messaging::PortInfo info;
    info.mtu = m_mtu;
    info.ordered = true;
    info.lossless = m_receiveFull == ReceiveFull::BLOCK && m_corruption == 0 &&
                    m_timeout.IsZero() && m_overwrite == 0;
    return info;
}

uint32_t
MyrinetPort::GetNPeers() const
{
    return GetTopology().GetNHosts();
}

const Topology&
MyrinetPort::GetTopology() const
{
    GetFabric();
    return *m_topology;
}

const Routes&
MyrinetPort::GetRoutes() const
{
    GetFabric();
    return *m_routes;
}

uint32_t
MyrinetPort::GetChars(Peer self, Peer to, const Frame& frame) const
{
    const auto route = static_cast<uint32_t>(GetRoutes().Get(self, to).size()) - 1;
    const uint32_t data = TYPE_CHARS + frame.header + frame.payload;
    return route + (data + m_alignment - 1) / m_alignment * m_alignment + CRC_CHARS;
}

Ticks
MyrinetPort::Distance(Peer self, Peer to) const
{
    const auto route = static_cast<uint32_t>(GetRoutes().Get(self, to).size()) - 1;
    return (GetFabric().GetIdleLatency(self, to, route) + m_perTick - 1) / m_perTick;
}

Ticks
MyrinetPort::WireTicks(const Frame& frame) const
{
    const uint32_t data = TYPE_CHARS + frame.header + frame.payload;
    const uint32_t chars = (data + m_alignment - 1) / m_alignment * m_alignment + CRC_CHARS;
    return (chars * GetFabricConfig().character + m_perTick - 1) / m_perTick;
}

Ticks
MyrinetPort::GetIdleLatency(Peer self, Peer to, const Frame& frame) const
{
    const Instant latency = GetFabric().GetIdleLatency(self, to, GetChars(self, to, frame));
    return (latency + m_perTick - 1) / m_perTick;
}

Instant
MyrinetPort::CatchUp()
{
    const Instant now = m_clock->Now() * m_perTick;
    GetFabric().Advance(now);
    return now;
}

bool
MyrinetPort::Send(Peer self, Peer to, const Frame& frame)
{
    NS_ABORT_MSG_IF(frame.header + frame.payload > m_mtu,
                    "A frame of " << frame.header + frame.payload << " bytes is longer than "
                                  << m_mtu << ".");
    const Instant now = CatchUp();
    if (m_queued[self] >= m_sendQueue)
    {
        m_waiting[self] = 1;
        ++m_fabric->GetCounters().refused;
        ScheduleWake();
        return false;
    }
    NS_LOG_LOGIC("host " << self << " sends " << frame.payload << " bytes to " << to);
    ++m_queued[self];
    ++m_fabric->GetCounters().offered;
    m_fabric->GetCounters().charsOffered += frame.header + frame.payload;
    Packet packet;
    packet.frame = frame;
    packet.from = self;
    packet.to = to;
    packet.chars = GetChars(self, to, frame);
    packet.sent = now;
    m_fabric->Inject(packet, now);
    ScheduleWake();
    return true;
}

bool
MyrinetPort::IsBusy(Peer self)
{
    GetFabric();
    m_waiting[self] |= m_queued[self] >= m_sendQueue;
    return m_queued[self] >= m_sendQueue;
}

void
MyrinetPort::SetUser(messaging::PortUser* user)
{
    m_user = user;
}

void
MyrinetPort::SetRetain(bool retain)
{
    m_retain = retain;
}

void
MyrinetPort::Release(Peer self)
{
    m_fabric->Release(self, CatchUp());
    ScheduleWake();
}

uint32_t
MyrinetPort::GetFreeBuffers(Peer self) const
{
    return GetFabric().GetFreeBuffers(self);
}

void
MyrinetPort::SetAccepting(Peer self, bool accepting)
{
    const Instant now = CatchUp();
    m_fabric->SetAccepting(self, accepting, now);
    ScheduleWake();
}

bool
MyrinetPort::GetNres(Peer self) const
{
    return GetFabric().GetNres(self);
}

void
MyrinetPort::ClearNres(Peer self)
{
    GetFabric().ClearNres(self);
}

void
MyrinetPort::ScheduleWake()
{
    if (m_notifying)
    {
        return;
    }
    Ticks next = messaging::NEVER;
    if (!m_fabric->GetNotices().empty())
    {
        next = m_clock->Now();
    }
    else if (const Instant wake = m_fabric->GetNextWake(); wake != NEVER)
    {
        next = (wake + m_perTick - 1) / m_perTick;
    }
    if (next < m_wakeAt)
    {
        m_wakeAt = next;
        m_clock->At(next, m_number, 0, 0);
    }
}

void
MyrinetPort::OnTick(Peer, uint64_t)
{
    if (m_clock->Now() >= m_wakeAt)
    {
        m_wakeAt = messaging::NEVER;
    }
    CatchUp();
    Notify();
    ScheduleWake();
}

void
MyrinetPort::Notify()
{
    m_notifying = true;
    while (!m_fabric->GetNotices().empty())
    {
        m_notices.clear();
        std::swap(m_notices, m_fabric->GetNotices());
        for (const Notice& notice : m_notices)
        {
            OnNotice(notice);
        }
    }
    m_notifying = false;
}

void
MyrinetPort::OnNotice(const Notice& notice)
{
    switch (notice.kind)
    {
    case Notice::Kind::SENT: {
        const Peer self = notice.packet.from;
        m_sentTrace(notice.packet);
        --m_queued[self];
        if (m_waiting[self])
        {
            m_waiting[self] = 0;
            if (m_user)
            {
                m_user->OnReady(self);
            }
        }
        break;
    }
    case Notice::Kind::DELIVERED: {
        const Peer self = notice.packet.to;
        m_deliveryTrace(notice.packet);
        if (m_user)
        {
            Frame frame = notice.packet.frame;
            // What the CRC has let pass is noticed by whoever looks at the contents.
            frame.contents ^= notice.packet.corrupt ? ~uint64_t{0} : 0;
            m_user->OnFrame(self, notice.packet.from, frame);
        }
        if (!m_retain || !m_user)
        {
            m_fabric->Release(self, CatchUp());
        }
        break;
    }
    case Notice::Kind::DROPPED:
        NS_LOG_LOGIC("a packet of host " << notice.packet.from << " to " << notice.packet.to
                                         << " was lost: " << notice.reason);
        m_dropTrace(notice.packet, notice.reason, notice.channel, notice.when);
        break;
    case Notice::Kind::CORRUPTED:
        m_corruptionTrace(notice.packet, notice.channel);
        break;
    }
}

const Counters&
MyrinetPort::GetCounters() const
{
    return GetFabric().GetCounters();
}

uint64_t
MyrinetPort::GetNInFlight() const
{
    return GetFabric().GetNInFlight();
}

uint64_t
MyrinetPort::GetNEvents() const
{
    return GetFabric().GetNEvents();
}

std::string
MyrinetPort::FindDeadlock() const
{
    std::string text;
    for (const ChannelId channel : GetFabric().FindDeadlock())
    {
        text += (text.empty() ? "" : ", ") + m_topology->GetChannelName(channel);
    }
    return text;
}

int64_t
MyrinetPort::AssignStreams(int64_t stream)
{
    m_stream = stream;
    return m_fabric ? m_fabric->AssignStreams(stream) : 4;
}

Ptr<messaging::Table>
MyrinetPort::MakeLinkTable() const
{
    const Fabric& fabric = GetFabric();
    const auto nChannels = static_cast<ChannelId>(m_topology->GetChannels().size());
    const Instant now = m_clock ? m_clock->Now() * m_perTick : 0;
    const Instant character = GetFabricConfig().character;
    std::vector<std::string> names;
    std::vector<int64_t> packets;
    std::vector<int64_t> chars;
    std::vector<double> use;
    std::vector<int64_t> stops;
    std::vector<int64_t> errors;
    std::vector<int64_t> drops;
    std::vector<double> blocked;
    std::vector<int64_t> fullest;
    for (ChannelId channel = 0; channel < nChannels; ++channel)
    {
        const ChannelUse& one = fabric.GetUse(channel);
        names.push_back(m_topology->GetChannelName(channel));
        packets.push_back(static_cast<int64_t>(one.packets));
        chars.push_back(static_cast<int64_t>(one.chars));
        use.push_back(now ? static_cast<double>(one.chars) * static_cast<double>(character) /
                                static_cast<double>(now)
                          : 0);
        stops.push_back(static_cast<int64_t>(one.stops));
        errors.push_back(static_cast<int64_t>(one.errors));
        drops.push_back(static_cast<int64_t>(one.drops));
        blocked.push_back(static_cast<double>(one.blocked) / 1e6);
        fullest.push_back(one.fullest);
    }
    auto table = CreateObject<messaging::Table>();
    table->AddColumn("link", "", std::move(names));
    table->AddColumn("packets", "", std::move(packets));
    table->AddColumn("characters", "", std::move(chars));
    table->AddColumn("utilization", "fraction", std::move(use));
    table->AddColumn("stops", "", std::move(stops));
    table->AddColumn("errors", "", std::move(errors));
    table->AddColumn("lost", "packets", std::move(drops));
    table->AddColumn("blocked", "us", std::move(blocked));
    table->AddColumn("fullest", "characters", std::move(fullest));
    return table;
}

Ptr<messaging::Table>
MyrinetPort::MakeCounterTable() const
{
    const Counters& c = GetCounters();
    const std::vector<std::pair<std::string, uint64_t>> rows{
        {"offered", c.offered},
        {"refused", c.refused},
        {"delivered", c.delivered},
        {"in flight", GetNInFlight()},
        {"lost: crc", c.GetDrops(DropReason::CRC)},
        {"lost: buffer", c.GetDrops(DropReason::BUFFER)},
        {"lost: nres", c.GetDrops(DropReason::NRES)},
        {"lost: overwrite", c.GetDrops(DropReason::OVERWRITE)},
        {"corrupted on a link", c.corrupted},
        {"corrupted and not noticed", c.undetected},
        {"NRES bits", c.nresBits},
        {"came up behind a pending packet", c.pending},
        {"pending packets damaged", c.damaged},
        {"hops", c.hops},
        {"blocks", c.blocks},
        {"STOPs", c.stops},
        {"GOs", c.gos}};
    std::vector<std::string> names;
    std::vector<int64_t> counts;
    for (const auto& [name, count] : rows)
    {
        names.push_back(name);
        counts.push_back(static_cast<int64_t>(count));
    }
    auto table = CreateObject<messaging::Table>();
    table->AddColumn("counter", "", std::move(names));
    table->AddColumn("count", "", std::move(counts));
    return table;
}

} // namespace myrinet
} // namespace ns3
