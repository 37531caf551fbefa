/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "myrinet-port.h"

#include "ns3/abort.h"
#include "ns3/data-rate.h"
#include "ns3/log.h"
#include "ns3/messaging-host-table.h"
#include "ns3/messaging-row-table.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace myrinet
{

NS_LOG_COMPONENT_DEFINE("MyrinetPort");

namespace
{

constexpr uint32_t TYPE_CHARS = 2; ///< Characters of the packet type, after the route.
constexpr uint32_t CRC_CHARS = 1;  ///< Characters of the CRC, at the end.
constexpr uint32_t ALIGNMENT = 8;  ///< Unit of the send engine [bytes; LANai 4].

/** Latest time of a frame, after which an Instant has 13 days left for the events that follow it
 * [ps]. */
constexpr Instant LONGEST_TIME = NEVER / 16 * 15;

/** @param frame a frame @return characters of its packet without the route */
uint32_t
GetBodyChars(const Frame& frame)
{
    const uint32_t data = TYPE_CHARS + frame.header + frame.payload;
    return (data + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + CRC_CHARS;
}

} // namespace

MyrinetPort::MyrinetPort(const MyrinetConfig& config, Ptr<MyrinetTraces> traces)
    : m_config(config),
      m_traces(traces)
{
    std::string error;
    m_topology = std::make_unique<Topology>(Topology::Make(config.topology, error));
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    m_routes = std::make_unique<Routes>(*m_topology, config.routes);
    m_fabric = std::make_unique<Fabric>(*m_topology, *m_routes, config.fabric);
    m_queued.assign(m_topology->GetNHosts(), 0);
    m_waiting.assign(m_topology->GetNHosts(), 0);
    if (config.lanai)
    {
        m_adapters.resize(m_topology->GetNHosts());
        for (Adapter& adapter : m_adapters)
        {
            adapter.lanai = CreateObject<messaging::HostModel>();
            adapter.lanai->SetAttribute("DmaRate", DataRateValue(config.busRate));
        }
    }
}

void
MyrinetPort::SetClock(Ptr<messaging::TickClock> clock)
{
    m_clock = clock;
    m_perTick = static_cast<Instant>(clock->GetTickLength().GetPicoSeconds());
    m_number = clock->Register(this);
}

uint32_t
MyrinetPort::GetRouteChars(Peer self, Peer to) const
{
    return static_cast<uint32_t>(m_routes->Get(self, to).size()) - 1;
}

Ticks
MyrinetPort::Distance(Peer self, Peer to) const
{
    const Ticks network = ToTicks(GetFabric().GetIdleLatency(self, to, GetRouteChars(self, to)));
    return network + 2 * GetLanaiTicks(Frame());
}

Ticks
MyrinetPort::GetLanaiTicks(const Frame& frame) const
{
    if (m_adapters.empty())
    {
        return 0;
    }
    const Time time = m_adapters.front().lanai->GetIdleDuration(GetLanaiWork(frame));
    return ToTicks(static_cast<Instant>(time.GetPicoSeconds()));
}

Ticks
MyrinetPort::GetRoundTrip(const Frame& request, const Frame& answer) const
{
    const Peer next = GetNPeers() > 1 ? 1 : 0;
    // The first character crosses each bus with the whole frame.
    const Ticks firmware = GetLanaiTicks(Frame());
    Ticks trip = Distance(0, next) + Distance(next, 0);
    for (const Frame* frame : {&request, &answer})
    {
        trip += WireTicks(*frame) + 2 * (GetLanaiTicks(*frame) - firmware);
    }
    return std::max<Ticks>(trip, 1);
}

std::vector<messaging::Work>
MyrinetPort::GetLanaiWork(const Frame& frame) const
{
    using messaging::WorkKind;
    const uint64_t bytes = uint64_t{frame.header} + frame.payload;
    return {{.amount = GetInstructionTime(m_config.instructions), .kind = WorkKind::INSTRUCTIONS},
            {.amount = bytes, .kind = WorkKind::DMA}};
}

Ticks
MyrinetPort::WireTicks(const Frame& frame) const
{
    return ToTicks(GetBodyChars(frame) * m_config.fabric.GetCharacter());
}

Instant
MyrinetPort::CatchUp()
{
    const Ticks ticks = m_clock->Now();
    NS_ABORT_MSG_IF(ticks > LONGEST_TIME / m_perTick,
                    "A Myrinet counts picoseconds, and cannot carry frames after "
                        << LONGEST_TIME / PS_PER_NS / 1'000'000'000
                        << " s (200 days) of simulated time.");
    const Instant now = ticks * m_perTick;
    GetFabric().Advance(now);
    return now;
}

bool
MyrinetPort::IsFull(Peer self) const
{
    if (m_adapters.empty())
    {
        return m_queued[self] >= m_config.sendQueue;
    }
    return m_adapters[self].buffers >= m_config.sendBuffers;
}

bool
MyrinetPort::Send(Peer self, Peer to, const Frame& frame)
{
    NS_ABORT_MSG_IF(frame.header + frame.payload > m_config.mtu,
                    "A frame of " << frame.header + frame.payload << " bytes is longer than "
                                  << m_config.mtu << ".");
    CatchUp();
    if (IsFull(self))
    {
        NS_LOG_LOGIC("Host " << self << " is busy: a frame to " << to << " is refused");
        m_waiting[self] = 1;
        ++m_fabric->GetCounters().refused;
        ScheduleWake();
        return false;
    }
    NS_LOG_INFO("Host " << self << " sends " << frame.payload << " bytes to " << to);
    if (m_adapters.empty())
    {
        Inject(self, {to, frame});
        return true;
    }
    Adapter& adapter = m_adapters[self];
    ++adapter.buffers;
    adapter.lanai->Execute(messaging::KERNEL,
                           GetLanaiWork(frame),
                           [port = Ptr<MyrinetPort>(this), self, to, frame] {
                               if (!port->m_adapters.empty())
                               {
                                   port->m_adapters[self].fetched.push_back({to, frame});
                                   port->InjectFetched(self);
                               }
                           });
    return true;
}

void
MyrinetPort::Inject(Peer self, const Outgoing& outgoing)
{
    const Instant now = CatchUp();
    ++m_queued[self];
    ++m_fabric->GetCounters().offered;
    const Packet packet{.frame = outgoing.frame,
                        .from = self,
                        .to = outgoing.to,
                        .chars = GetRouteChars(self, outgoing.to) + GetBodyChars(outgoing.frame),
                        .sent = now};
    m_fabric->Inject(packet, now);
    ScheduleWake();
}

void
MyrinetPort::InjectFetched(Peer self)
{
    std::deque<Outgoing>& fetched = m_adapters[self].fetched;
    while (!fetched.empty() && m_queued[self] < m_config.sendQueue)
    {
        NS_LOG_LOGIC("Host " << self << ": a frame is in the SRAM, and goes to the send engine");
        const Outgoing next = fetched.front();
        fetched.pop_front();
        Inject(self, next);
    }
}

void
MyrinetPort::Stop()
{
    for (const Adapter& adapter : m_adapters)
    {
        adapter.lanai->Dispose();
    }
    m_adapters.clear();
}

void
MyrinetPort::Release(Peer self)
{
    m_fabric->Release(self, CatchUp());
    ScheduleWake();
}

void
MyrinetPort::SetAccepting(Peer self, bool accepting)
{
    const Instant now = CatchUp();
    m_fabric->SetAccepting(self, accepting, now);
    ScheduleWake();
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
        next = ToTicks(wake);
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
        NS_LOG_LOGIC("A packet has left host " << self << " for " << notice.packet.to);
        m_traces->sent(notice.packet);
        --m_queued[self];
        if (!m_adapters.empty())
        {
            --m_adapters[self].buffers;
            InjectFetched(self);
        }
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
        NS_LOG_INFO("A packet of host " << notice.packet.from << " has arrived at "
                                        << notice.packet.to);
        m_traces->delivery(notice.packet);
        if (m_adapters.empty())
        {
            Deliver(notice.packet);
            break;
        }
        m_adapters[notice.packet.to].lanai->Execute(
            messaging::KERNEL,
            GetLanaiWork(notice.packet.frame),
            [port = Ptr<MyrinetPort>(this), packet = notice.packet] {
                if (!port->m_adapters.empty())
                {
                    port->Deliver(packet);
                }
            });
        break;
    }
    case Notice::Kind::DROPPED:
        NS_LOG_INFO("A packet of host "
                    << notice.packet.from << " to " << notice.packet.to << " is lost on "
                    << m_topology->GetChannelName(notice.channel) << ": " << notice.reason);
        m_traces->drop(notice.packet, notice.reason, notice.channel, notice.when);
        break;
    }
}

void
MyrinetPort::Deliver(const Packet& packet)
{
    if (m_user)
    {
        Frame frame = packet.frame;
        if (packet.corrupt)
        {
            // A corrupted packet that passed the CRC has wrong contents or, without contents, a
            // wrong header.
            uint64_t& wrong = frame.payload > 0 ? frame.contents : frame.id;
            wrong = ~wrong;
        }
        m_user->OnFrame(packet.to, packet.from, frame);
    }
    if (!m_retain || !m_user)
    {
        Release(packet.to);
    }
}

std::string
MyrinetPort::FindDeadlock() const
{
    std::string text;
    for (const ChannelId channel : GetFabric().FindDeadlock())
    {
        if (!text.empty())
        {
            text += ", ";
        }
        text += m_topology->GetChannelName(channel);
    }
    return text;
}

Ptr<messaging::Table>
MyrinetPort::MakeLinkTable() const
{
    const Fabric& fabric = GetFabric();
    const Instant now = m_clock ? m_clock->Now() * m_perTick : 0;
    const auto character = static_cast<double>(m_config.fabric.GetCharacter());
    messaging::RowTable table(static_cast<ChannelId>(m_topology->GetChannels().size()));
    const auto count = [&](const char* name, const char* unit, auto ChannelUse::* member) {
        table.Add(name, unit, [&](ChannelId channel) { return fabric.GetUse(channel).*member; });
    };
    table.Add("link", "", [this](ChannelId channel) {
        return m_topology->GetChannelName(channel);
    });
    count("packets", "", &ChannelUse::packets);
    count("characters", "", &ChannelUse::chars);
    table.Add("utilization", "fraction", [&](ChannelId channel) {
        const auto chars = static_cast<double>(fabric.GetUse(channel).chars);
        return now ? chars * character / static_cast<double>(now) : 0.0;
    });
    count("stops", "", &ChannelUse::stops);
    count("errors", "", &ChannelUse::errors);
    count("lost", "packets", &ChannelUse::drops);
    table.Add("blocked", "us", [&](ChannelId channel) {
        return static_cast<double>(fabric.GetUse(channel).blocked) / 1e6;
    });
    count("fullest", "characters", &ChannelUse::fullest);
    return table.Get();
}

Ptr<messaging::Table>
MyrinetPort::MakeLanaiTable() const
{
    std::vector<Ptr<messaging::HostModel>> lanais;
    for (const Adapter& adapter : m_adapters)
    {
        lanais.push_back(adapter.lanai);
    }
    return messaging::MakeHostTable(lanais);
}

Ptr<messaging::Table>
MyrinetPort::MakeCounterTable() const
{
    const Counters& c = GetCounters();
    using Row = std::pair<std::string, uint64_t>;
    const std::vector<Row> rows{{"offered", c.offered},
                                {"refused", c.refused},
                                {"delivered", c.delivered},
                                {"in flight", GetFabric().GetNInFlight()},
                                {"corrupted on a link", c.corrupted},
                                {"corrupted and not detected", c.undetected},
                                {"NRES bits", c.nresBits},
                                {"reached a pending packet", c.pending},
                                {"pending packets damaged", c.damaged},
                                {"hops", c.hops},
                                {"blocks", c.blocks},
                                {"STOPs", c.stops},
                                {"GOs", c.gos}};
    return messaging::RowTable(rows)
        .Add("counter", "", &Row::first)
        .Add("count", "", &Row::second)
        .Get();
}

void
MyrinetPort::AssignStreams(int64_t stream)
{
    m_fabric->AssignStreams(stream);
}

} // namespace myrinet
} // namespace ns3
