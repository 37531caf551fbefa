/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-traffic.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace infiniband
{

namespace
{

/** Packets between two tellings of progress. */
constexpr uint64_t PROGRESS_STEP = 4096;

} // namespace

Traffic::Traffic(Ptr<messaging::TickClock> clock,
                 Ptr<Fabric> fabric,
                 HostId hosts,
                 const TrafficConfig& config)
    : m_clock(clock),
      m_fabric(fabric),
      m_config(config),
      m_wire(static_cast<uint16_t>(config.payload + MIN_PACKET_BYTES)),
      m_number(clock->Register(this)),
      m_gaps(CreateObject<ExponentialRandomVariable>()),
      m_choices(CreateObject<UniformRandomVariable>()),
      m_hosts(hosts),
      m_newest(std::size_t{hosts} * hosts, 0)
{
}

int64_t
Traffic::AssignStreams(int64_t stream)
{
    m_gaps->SetStream(stream);
    m_choices->SetStream(stream + 1);
    return 2;
}

void
Traffic::Start(Progress progress)
{
    m_progress = std::move(progress);
    const auto nHosts = static_cast<HostId>(m_hosts.size());
    for (HostId host = 0; host < nHosts; ++host)
    {
        m_hosts[host].partner = host;
    }
    if (m_config.pattern == Pattern::PERMUTATION)
    {
        // Sattolo's shuffle: one ring through all hosts, so nobody is its own partner.
        for (HostId host = nHosts - 1; host > 0; --host)
        {
            std::swap(m_hosts[host].partner, m_hosts[m_choices->GetInteger(0, host - 1)].partner);
        }
    }
    for (HostId host = 0; host < nHosts; ++host)
    {
        const bool silent = nHosts == 1 || (m_config.pattern == Pattern::INCAST && host == 0);
        if (!silent)
        {
            m_hosts[host].gap =
                static_cast<double>(m_fabric->GetWireTime(host, m_wire)) / m_config.load;
            m_hosts[host].next = static_cast<double>(m_clock->Now());
            PlanNext(host);
        }
    }
}

void
Traffic::PlanNext(HostId host)
{
    Host& source = m_hosts[host];
    source.next += m_gaps->GetValue(source.gap, 0);
    const auto when = static_cast<Ticks>(source.next);
    if (when < m_config.duration)
    {
        m_clock->At(when, m_number, host, 0);
    }
}

HostId
Traffic::ChooseDestination(HostId host)
{
    const auto hosts = static_cast<HostId>(m_hosts.size());
    HostId& partner = m_hosts[host].partner;
    switch (m_config.pattern)
    {
    case Pattern::ALL_TO_ALL:
        partner = (partner + 1) % hosts;
        partner = partner == host ? (partner + 1) % hosts : partner;
        return partner;
    case Pattern::INCAST:
        return 0;
    case Pattern::PERMUTATION:
        return partner;
    case Pattern::UNIFORM:
        break;
    }
    return (host + m_choices->GetInteger(1, hosts - 1)) % hosts;
}

void
Traffic::OnTick(messaging::Peer peer, uint64_t)
{
    m_hosts[peer].waiting.push_back(
        Waiting{m_fates.size(), ChooseDestination(peer), m_clock->Now()});
    m_fates.push_back(Fate::UNDER_WAY);
    if (m_hosts[peer].waiting.size() == 1)
    {
        Pump(peer);
    }
    PlanNext(peer);
    if (m_progress && m_fates.size() % PROGRESS_STEP == 0)
    {
        m_progress(m_clock->Now());
    }
}

void
Traffic::Pump(HostId host)
{
    Host& source = m_hosts[host];
    const SubnetManager& manager = m_fabric->GetSubnet()->GetManager();
    while (!source.waiting.empty())
    {
        const auto service = static_cast<uint8_t>(source.sent % m_config.services);
        if (!m_fabric->HasRoom(host, m_fabric->GetLane(service)))
        {
            return;
        }
        const Waiting& first = source.waiting.front();
        const auto path =
            static_cast<uint8_t>(source.sent / m_config.services % manager.GetNPaths());
        const PacketIndex index = m_fabric->New();
        Packet& packet = m_fabric->Get(index);
        packet.user = {first.number, first.offered};
        packet.destination = manager.GetLid(first.to, path);
        packet.bytes = m_wire;
        packet.serviceLevel = service;
        ++source.sent;
        source.waiting.pop_front();
        m_fabric->Inject(host, index);
    }
}

Ticks
Traffic::OnPacket(HostId host, PacketIndex index)
{
    const Packet& packet = m_fabric->Get(index);
    const Ticks now = m_clock->Now();
    End(packet.user[0], Fate::ARRIVED);
    m_latencies.push_back(now - packet.user[1]);
    if (now <= m_config.duration)
    {
        m_bytes += m_config.payload;
    }
    uint32_t& newest = m_newest[packet.from * m_hosts.size() + host];
    const auto number = static_cast<uint32_t>(packet.user[0]);
    m_overtaken += number < newest;
    newest = std::max(newest, number);
    return now;
}

void
Traffic::OnReady(HostId host, uint8_t)
{
    Pump(host);
}

void
Traffic::OnDrop(PacketIndex index, DropReason)
{
    End(m_fabric->Get(index).user[0], Fate::LOST);
}

void
Traffic::End(uint64_t number, Fate fate)
{
    m_fates[number] = m_fates[number] == Fate::UNDER_WAY ? fate : Fate::TWICE;
}

uint64_t
Traffic::GetNWaiting() const
{
    uint64_t waiting = 0;
    for (const Host& host : m_hosts)
    {
        waiting += host.waiting.size();
    }
    return waiting;
}

std::string
Traffic::Audit() const
{
    const auto twice = std::find(m_fates.begin(), m_fates.end(), Fate::TWICE);
    if (twice != m_fates.end())
    {
        return "Packet " + std::to_string(twice - m_fates.begin()) + " has ended more than once.";
    }
    const auto open =
        static_cast<uint64_t>(std::count(m_fates.begin(), m_fates.end(), Fate::UNDER_WAY));
    if (const uint64_t known = GetNWaiting() + m_fabric->GetNInFlight(); open != known)
    {
        return std::to_string(open) + " packets have neither arrived nor were lost, but " +
               std::to_string(known) + " are under way.";
    }
    return "";
}

} // namespace infiniband
} // namespace ns3
