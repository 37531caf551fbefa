/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-fabric.h"

#include "ns3/abort.h"

#include <algorithm>
#include <bit>

namespace ns3
{
namespace infiniband
{

void
Fabric::OnTick(messaging::Peer peer, uint64_t datum)
{
    const Ticks now = m_clock->Now();
    const uint64_t rest = datum >> KIND_BITS;
    switch (static_cast<Kind>(datum & ((1U << KIND_BITS) - 1)))
    {
    case Kind::WAKE:
        if (m_wake <= now)
        {
            m_wake = NEVER;
        }
        AdvanceTo(now);
        PlanWake();
        break;
    case Kind::ARRIVE:
        Arrive(peer, static_cast<PacketIndex>(rest), now);
        break;
    case Kind::READY:
        TellReady(peer, static_cast<uint8_t>(rest));
        break;
    case Kind::LINK:
        SetLinkUp(peer, rest != 0);
        break;
    case Kind::SWEEP:
        AdvanceTo(now);
        // A subnet that its engine cannot route any more keeps its tables.
        m_subnet->Sweep();
        m_tables = m_subnet->GetManager().GetTables().data();
        m_span = m_subnet->GetManager().GetSpan();
        break;
    }
}

void
Fabric::PlanWake()
{
    const Ticks next = m_wheel.GetNext();
    if (next != NEVER && next + m_sight < m_wake)
    {
        m_wake = next + m_sight;
        PlaceOnClock(m_wake, Kind::WAKE, 0, 0);
    }
}

void
Fabric::AdvanceTo(Ticks end)
{
    for (Ticks next = m_wheel.GetNext(); next < end; next = m_wheel.GetNext())
    {
        m_wheel.SetPosition(next);
        Serve(next);
    }
    m_wheel.SetPosition(std::max(end, m_wheel.GetPosition()));
}

void
Fabric::CatchUp(Ticks now)
{
    m_wheel.SetPosition(std::min(now, m_wheel.GetNext()));
}

void
Fabric::Serve(Ticks now)
{
    for (uint32_t item = m_wheel.Take(now); item != FabricWheel::NONE;)
    {
        const uint32_t next = m_wheel.Pass(item);
        ++m_counters.events;
        if (item < m_firstOutput)
        {
            Ask(item, now);
        }
        else
        {
            Touch(item - m_firstOutput);
        }
        item = next;
    }
    for (const PortId port : m_touched)
    {
        m_outputs[port].touched = false;
        Arbitrate(port, now);
    }
    m_touched.clear();
}

void
Fabric::Ask(uint32_t number, Ticks now)
{
    Buffer& buffer = m_buffers[number];
    const Packet& packet = m_packets[buffer.first];
    const PortId here = buffer.base + buffer.input;
    if (packet.bad != DropReason::NONE && packet.bad != DropReason::ICRC && packet.whole <= now)
    {
        DropHead(number, here, packet.bad, now);
        return;
    }
    PortId out = buffer.base;
    // Onto a faster link, the head leaves so late that the tail does not fall behind.
    if (buffer.upstream != NO_ITEM)
    {
        if (packet.destination >= MULTICAST_LID)
        {
            const uint32_t vertex = m_subnet->GetTopology().GetPorts()[here].vertex;
            const uint64_t all =
                m_subnet->GetManager().GetMulticastPorts(vertex) & ~(uint64_t{1} << buffer.input);
            Ticks start = now;
            for (uint64_t set = all; set != 0; set &= set - 1)
            {
                const Output& one = m_outputs[buffer.base + std::countr_zero(set)];
                const Ticks time = GetTime(one, packet.bytes);
                if (one.up && packet.whole > start + time)
                {
                    start = packet.whole - time;
                }
            }
            if (start > now)
            {
                m_wheel.Place(number, start);
                return;
            }
            buffer.fanout = 0;
            for (uint64_t set = all; set != 0; set &= set - 1)
            {
                const PortId one = buffer.base + static_cast<PortId>(std::countr_zero(set));
                if (m_outputs[one].up)
                {
                    buffer.fanout |= set & (~set + 1);
                    m_outputLanes[one * m_lanes + packet.lane].waiting |= uint64_t{1}
                                                                          << buffer.input;
                    Touch(one);
                }
            }
            if (buffer.fanout == 0)
            {
                DropHead(number,
                         here,
                         all == 0 ? DropReason::NO_ROUTE : DropReason::PORT_DOWN,
                         now);
            }
            return;
        }
        const uint8_t way = packet.destination < m_span
                                ? m_tables[buffer.table + packet.destination]
                                : SubnetManager::NO_WAY;
        if (way == SubnetManager::NO_WAY)
        {
            DropHead(number, here, DropReason::NO_ROUTE, now);
            return;
        }
        out = buffer.base + way - 1;
    }
    const Output& output = m_outputs[out];
    if (!output.up)
    {
        DropHead(number, out, DropReason::PORT_DOWN, now);
        return;
    }
    if (const Ticks time = GetTime(output, packet.bytes); packet.whole > now + time)
    {
        m_wheel.Place(number, packet.whole - time);
        return;
    }
    m_outputLanes[out * m_lanes + packet.lane].waiting |= uint64_t{1} << buffer.input;
    Touch(out);
}

Ticks
Fabric::FindCredits(const Lane& lane, uint32_t blocks) const
{
    uint32_t credits = lane.credits;
    for (uint32_t grant = lane.firstGrant; grant != NO_ITEM; grant = m_grants[grant].next)
    {
        credits += m_grants[grant].blocks;
        if (credits >= blocks)
        {
            return m_grants[grant].when;
        }
    }
    return NEVER;
}

void
Fabric::PlanOutput(PortId port, Ticks when)
{
    const uint32_t item = m_firstOutput + port;
    // What lies beyond the wheel's reach is looked at too early, in vain, and again.
    const Ticks soon = std::min(when, m_wheel.GetPosition() + m_wheel.GetReach());
    const Ticks planned = m_wheel.GetWhen(item);
    if (planned <= soon)
    {
        return;
    }
    if (planned != NEVER)
    {
        m_wheel.Remove(item);
    }
    m_wheel.Place(item, soon);
}

void
Fabric::GiveCredits(uint32_t laneNumber, Ticks when, uint32_t blocks)
{
    uint32_t grant = m_freeGrant;
    if (grant == NO_ITEM)
    {
        grant = static_cast<uint32_t>(m_grants.size());
        m_grants.emplace_back();
    }
    else
    {
        m_freeGrant = m_grants[grant].next;
    }
    m_grants[grant] = Grant{when, blocks, NO_ITEM};
    Lane& lane = m_outputLanes[laneNumber];
    if (lane.firstGrant == NO_ITEM)
    {
        lane.firstGrant = grant;
    }
    else
    {
        // In the order of their times, even if CreditDelay has been made shorter meanwhile.
        m_grants[grant].when = std::max(when, m_grants[lane.lastGrant].when);
        m_grants[lane.lastGrant].next = grant;
    }
    lane.lastGrant = grant;
    if (lane.starved)
    {
        lane.starved = false;
        PlanOutput(laneNumber / m_lanes, when);
    }
}

void
Fabric::Arbitrate(PortId port, Ticks now)
{
    Output& output = m_outputs[port];
    Ticks retry = NEVER;
    bool wanted = false;
    uint8_t number = output.lane;
    for (uint8_t n = 1; n <= m_lanes; ++n)
    {
        number = number + 1 < m_lanes ? number + 1 : 0;
        Lane& lane = m_outputLanes[port * m_lanes + number];
        if (lane.waiting == 0)
        {
            continue;
        }
        wanted = true;
        if (output.busyUntil > now)
        {
            retry = output.busyUntil;
            break;
        }
        while (lane.firstGrant != NO_ITEM && m_grants[lane.firstGrant].when <= now)
        {
            const uint32_t grant = lane.firstGrant;
            lane.credits += m_grants[grant].blocks;
            lane.firstGrant = m_grants[grant].next;
            m_grants[grant].next = m_freeGrant;
            m_freeGrant = grant;
        }
        // The next input behind the one served last.
        const uint64_t behind = lane.turn == 63 ? 0 : lane.waiting >> (lane.turn + 1);
        const auto input =
            static_cast<uint8_t>(behind != 0 ? lane.turn + 1 + std::countr_zero(behind)
                                             : std::countr_zero(lane.waiting));
        const Buffer& buffer = m_buffers[(output.base + input) * m_lanes + number];
        const uint16_t blocks = m_packets[buffer.first].blocks;
        if (lane.credits >= blocks)
        {
            Send(port, number, input, now);
            return;
        }
        const Ticks when = FindCredits(lane, blocks);
        lane.starved = when == NEVER;
        retry = std::min(retry, when);
    }
    if (!wanted)
    {
        return;
    }
    if (output.busyUntil <= now && output.blockedSince == NEVER)
    {
        output.blockedSince = now;
    }
    if (retry != NEVER)
    {
        PlanOutput(port, retry);
    }
}

void
Fabric::Send(PortId port, uint8_t laneNumber, uint8_t input, Ticks now)
{
    Output& output = m_outputs[port];
    Lane& lane = m_outputLanes[port * m_lanes + laneNumber];
    const uint32_t number = (output.base + input) * m_lanes + laneNumber;
    Buffer& buffer = m_buffers[number];
    PacketIndex index = buffer.first;
    const Ticks end = now + GetTime(output, m_packets[index].bytes);
    lane.waiting &= ~(uint64_t{1} << input);
    lane.turn = input;
    output.lane = laneNumber;
    buffer.readUntil = std::max(buffer.readUntil, end);
    if (m_packets[index].destination >= MULTICAST_LID && buffer.upstream != NO_ITEM)
    {
        buffer.fanout &= ~(uint64_t{1} << (port - output.base));
        if (buffer.fanout != 0)
        {
            // Others of its outputs are still to be served: what leaves here is a copy.
            const PacketIndex copy = m_packets.New();
            const uint32_t serial = m_packets[copy].serial;
            m_packets[copy] = m_packets[index];
            m_packets[copy].serial = serial;
            ++m_counters.copies;
            m_user->OnCopy(index, copy);
            index = copy;
        }
    }
    Packet& packet = m_packets[index];
    if (index == buffer.first)
    {
        if (buffer.upstream != NO_ITEM)
        {
            GiveCredits(buffer.upstream, buffer.readUntil + m_creditDelay, packet.blocks);
        }
        else
        {
            LeaveSource(port, laneNumber, end);
            m_user->OnLeaving(index, end);
        }
        Pop(number, buffer.readUntil);
    }
    lane.credits -= packet.blocks;
    output.busyUntil = end;
    output.last = index;
    output.lastSerial = packet.serial;
    output.bytes += packet.bytes;
    ++output.sent;
    ++m_counters.hops;
    if (output.blockedSince != NEVER)
    {
        output.wait += now - output.blockedSince;
        output.blockedSince = NEVER;
    }
    if (--output.untilFault == 0 || m_untilSwitchFault != NEVER)
    {
        Corrupt(packet, port);
    }
    if (output.toHost)
    {
        PlaceOnClock(end + m_link.cableDelay, Kind::ARRIVE, output.peer, index);
        m_user->OnLastLink(output.peer, index);
    }
    else
    {
        packet.ready = now + m_link.cableDelay + m_link.switchDelay;
        packet.whole = end + m_link.cableDelay;
        Append(output.peer * m_lanes + laneNumber, index);
    }
    for (uint8_t n = 0; n < m_lanes; ++n)
    {
        if (m_outputLanes[port * m_lanes + n].waiting != 0)
        {
            PlanOutput(port, end);
            return;
        }
    }
}

void
Fabric::Append(uint32_t number, PacketIndex index)
{
    Buffer& buffer = m_buffers[number];
    Packet& packet = m_packets[index];
    packet.next = NO_PACKET;
    if (buffer.first == NO_PACKET)
    {
        buffer.first = index;
        m_wheel.Place(number, std::max(packet.ready, buffer.readUntil));
    }
    else
    {
        m_packets[buffer.last].next = index;
    }
    buffer.last = index;
}

void
Fabric::Pop(uint32_t number, Ticks next)
{
    Buffer& buffer = m_buffers[number];
    buffer.first = m_packets[buffer.first].next;
    if (buffer.first != NO_PACKET)
    {
        m_wheel.Place(number, std::max(m_packets[buffer.first].ready, next));
    }
}

void
Fabric::DropHead(uint32_t number, PortId port, DropReason reason, Ticks now)
{
    const Buffer& buffer = m_buffers[number];
    const PacketIndex index = buffer.first;
    const Ticks whole = std::max(now, m_packets[index].whole);
    if (buffer.upstream != NO_ITEM)
    {
        GiveCredits(buffer.upstream, whole + m_creditDelay, m_packets[index].blocks);
    }
    else
    {
        LeaveSource(buffer.base, m_packets[index].lane, now + 1);
    }
    Pop(number, now + 1);
    Lose(index, port, reason, now);
}

bool
Fabric::HasRoom(HostId host, uint8_t lane)
{
    Source& source = m_sources[host * m_lanes + lane];
    const bool room =
        source.queued + (source.sendingUntil > m_clock->Now() ? 1U : 0U) < m_sourceQueue;
    if (!room && !source.readyPlaced && !source.wantsReady)
    {
        if (source.sendingUntil > m_clock->Now())
        {
            source.readyPlaced = true;
            PlaceOnClock(source.sendingUntil, Kind::READY, host, lane);
        }
        else
        {
            source.wantsReady = true;
        }
    }
    return room;
}

void
Fabric::Inject(HostId host, PacketIndex index)
{
    Packet& packet = m_packets[index];
    NS_ABORT_MSG_IF(packet.bytes < MIN_PACKET_BYTES || packet.bytes > MAX_PACKET_BYTES,
                    "A packet has " << MIN_PACKET_BYTES << " to " << MAX_PACKET_BYTES
                                    << " bytes on the wire, not " << packet.bytes << ".");
    const Ticks now = m_clock->Now();
    packet.lane = GetLane(packet.serviceLevel);
    packet.blocks = static_cast<uint16_t>((packet.bytes + CREDIT_BYTES - 1) / CREDIT_BYTES);
    packet.from = host;
    packet.ready = now;
    packet.whole = now;
    ++m_counters.injected;
    ++m_sources[host * m_lanes + packet.lane].queued;
    CatchUp(now);
    Append(host * m_lanes + packet.lane, index);
    PlanWake();
}

void
Fabric::LeaveSource(HostId host, uint8_t lane, Ticks end)
{
    Source& source = m_sources[host * m_lanes + lane];
    --source.queued;
    source.sendingUntil = end;
    if (source.wantsReady)
    {
        source.wantsReady = false;
        source.readyPlaced = true;
        PlaceOnClock(end, Kind::READY, host, lane);
    }
}

void
Fabric::TellReady(HostId host, uint8_t lane)
{
    m_sources[host * m_lanes + lane].readyPlaced = false;
    // If it has none, it has been filled again meanwhile, and asking owes the user another call.
    if (HasRoom(host, lane))
    {
        m_user->OnReady(host, lane);
    }
}

void
Fabric::Arrive(HostId host, PacketIndex index, Ticks now)
{
    const Packet& packet = m_packets[index];
    const PortId sender = m_outputs[host].peer;
    const Output& output = m_outputs[sender];
    const uint8_t lane = packet.lane;
    const uint16_t blocks = packet.blocks;
    const Ticks begun = now - m_link.cableDelay - GetTime(output, packet.bytes);
    const bool cut = output.lastDown < now && output.lastDown >= begun;
    const bool router = host >= m_subnet->GetNHosts();
    const DropReason bad = cut ? DropReason::LINK_DOWN : router ? DropReason::NO_ROUTE : packet.bad;
    Source& source = m_sources[host * m_lanes + lane];
    Ticks free = now;
    if (bad != DropReason::NONE)
    {
        Lose(index, host, bad, now);
    }
    else
    {
        ++m_counters.delivered;
        free = m_user->OnPacket(host, index);
        m_packets.Free(index);
    }
    if (free != NEVER)
    {
        source.freeAt = std::max({source.freeAt, free, now});
        CatchUp(now);
        GiveCredits(sender * m_lanes + lane, source.freeAt + m_creditDelay, blocks);
        PlanWake();
    }
}

void
Fabric::Release(HostId host, uint8_t lane, uint32_t bytes)
{
    Source& source = m_sources[host * m_lanes + lane];
    source.freeAt = std::max(source.freeAt, m_clock->Now());
    CatchUp(m_clock->Now());
    GiveCredits(m_outputs[host].peer * m_lanes + lane,
                source.freeAt + m_creditDelay,
                (bytes + CREDIT_BYTES - 1) / CREDIT_BYTES);
    PlanWake();
}

} // namespace infiniband
} // namespace ns3
