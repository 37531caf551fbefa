/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-fabric.h"

#include <algorithm>
#include <bit>
#include <cmath>

/**
 * @file
 * @ingroup infiniband
 * Faults of a fabric, and its books.
 */

namespace ns3
{
namespace infiniband
{

namespace
{

/** Places in the errors of a port. */
enum PortError : uint8_t
{
    DISCARD, ///< Not sent.
    SYMBOL,  ///< Corrupted on the link that ends here.
    RECEIVE  ///< Dropped here.
};

} // namespace

uint64_t
Fabric::DrawFault(double probability)
{
    if (probability <= 0)
    {
        return NEVER;
    }
    if (probability >= 1)
    {
        return 1;
    }
    const double packets =
        1 + std::floor(std::log1p(-m_random->GetValue(0, 1)) / std::log1p(-probability));
    return packets < 1e18 ? static_cast<uint64_t>(packets) : NEVER;
}

void
Fabric::SetCorruption(PortId port, double probability)
{
    AdvanceTo(m_clock->Now());
    m_linkCorruption[port] = probability;
    m_outputs[m_outputs[port].peer].untilFault = DrawFault(probability);
}

void
Fabric::Corrupt(Packet& packet, PortId port)
{
    Output& output = m_outputs[port];
    if (output.untilFault == 0)
    {
        // In a burst, the next packet is corrupted too.
        const bool again = m_burst > 1 && m_random->GetValue(0, 1) < 1 - 1 / m_burst;
        output.untilFault = again ? 1 : DrawFault(m_linkCorruption[output.peer]);
        ++m_portErrors[output.peer][SYMBOL];
        packet.bad = packet.bad == DropReason::LINK_DOWN ? packet.bad : DropReason::VCRC;
    }
    if (!output.host && m_untilSwitchFault != NEVER && --m_untilSwitchFault == 0)
    {
        m_untilSwitchFault = DrawFault(m_switchCorruption);
        packet.bad = packet.bad == DropReason::NONE ? DropReason::ICRC : packet.bad;
    }
}

void
Fabric::Lose(PacketIndex index, PortId port, DropReason reason, Ticks now)
{
    ++m_counters.drops[static_cast<std::size_t>(reason)];
    const bool sending = reason == DropReason::PORT_DOWN || reason == DropReason::NO_ROUTE;
    ++m_portErrors[port][sending ? DISCARD : RECEIVE];
    m_drop(now, m_packets[index], port, reason);
    m_user->OnDrop(index, reason);
    m_packets.Free(index);
}

void
Fabric::SetLinkUp(PortId port, bool up)
{
    const PortId peer = m_outputs[port].peer;
    if (peer == NO_PORT || m_outputs[port].up == up)
    {
        return;
    }
    const Ticks now = m_clock->Now();
    AdvanceTo(now);
    m_outputs[port].up = up;
    m_outputs[peer].up = up;
    if (!up)
    {
        CutLink(port, now);
        CutLink(peer, now);
    }
    m_subnet->GetManager().SetLinkUp(port, up);
    if (!m_sweepDelay.IsStrictlyNegative())
    {
        PlaceOnClock(now + static_cast<Ticks>(m_sweepDelay.GetNanoSeconds()), Kind::SWEEP, 0, 0);
    }
    PlanWake();
}

void
Fabric::CutLink(PortId port, Ticks now)
{
    Output& output = m_outputs[port];
    output.lastDown = now;
    const auto cut = [](Packet& packet) {
        packet.bad = packet.bad == DropReason::NONE || packet.bad == DropReason::ICRC
                         ? DropReason::LINK_DOWN
                         : packet.bad;
    };
    // The one sent last, which may have been cut through the next switch already; hosts look
    // themselves whether the link has gone down under a packet.
    if (output.last != NO_PACKET && !output.toHost && output.busyUntil + m_link.cableDelay > now &&
        m_packets[output.last].serial == output.lastSerial)
    {
        cut(m_packets[output.last]);
    }
    for (uint8_t lane = 0; lane < m_lanes; ++lane)
    {
        if (!output.toHost)
        {
            for (PacketIndex at = m_buffers[output.peer * m_lanes + lane].first; at != NO_PACKET;
                 at = m_packets[at].next)
            {
                if (m_packets[at].whole > now)
                {
                    cut(m_packets[at]);
                }
            }
        }
        uint64_t& waiting = m_outputLanes[port * m_lanes + lane].waiting;
        for (; waiting != 0; waiting &= waiting - 1)
        {
            const uint32_t number =
                (output.base + static_cast<uint32_t>(std::countr_zero(waiting))) * m_lanes + lane;
            Buffer& buffer = m_buffers[number];
            if (m_packets[buffer.first].destination < MULTICAST_LID || output.host)
            {
                m_wheel.Place(number, now);
                continue;
            }
            buffer.fanout &= ~(uint64_t{1} << (port - output.base));
            if (buffer.fanout == 0)
            {
                DropHead(number, port, DropReason::PORT_DOWN, now);
            }
        }
    }
    output.blockedSince = NEVER;
}

void
Fabric::PlanLink(PortId port, bool up, Ticks when)
{
    PlaceOnClock(when, Kind::LINK, port, up);
}

void
Fabric::PlanFailures(double rate, Ticks repair, Ticks until)
{
    // A link is named by its smaller end, and fails again only after its repair.
    for (PortId port = 0; port < m_outputs.size(); ++port)
    {
        const PortId peer = m_outputs[port].peer;
        if (peer == NO_PORT || peer < port || m_outputs[port].host || m_outputs[peer].host)
        {
            continue;
        }
        auto when = static_cast<double>(m_clock->Now());
        while (rate > 0)
        {
            when -= std::log1p(-m_random->GetValue(0, 1)) / rate * 1e9;
            if (!(when < static_cast<double>(until)))
            {
                break;
            }
            PlanLink(port, false, static_cast<Ticks>(when));
            when += static_cast<double>(repair);
            PlanLink(port, true, static_cast<Ticks>(when));
        }
    }
}

Ticks
Fabric::GetIdleLatency(HostId from, Lid lid, uint32_t bytes) const
{
    // The head leaves at once, or so late that the tail does not fall behind on a faster link.
    Ticks head = 0;
    Ticks whole = 0;
    for (const PortId port : m_subnet->GetManager().GetRoute(from, lid))
    {
        const Ticks time = GetTime(m_outputs[port], bytes);
        head += m_outputs[port].host ? 0 : m_link.switchDelay;
        head = std::max(head + time, whole) - time;
        whole = head + time + m_link.cableDelay;
        head += m_link.cableDelay;
    }
    return whole == 0 ? NEVER : whole;
}

const FabricCounters&
Fabric::GetCounters()
{
    AdvanceTo(m_clock->Now());
    return m_counters;
}

PortCounters
Fabric::GetPortCounters(PortId port)
{
    AdvanceTo(m_clock->Now());
    const Output& output = m_outputs[port];
    const auto& errors = m_portErrors[port];
    return PortCounters{output.bytes,
                        output.sent,
                        output.wait,
                        errors[DISCARD],
                        errors[SYMBOL],
                        errors[RECEIVE]};
}

std::string
Fabric::CheckConservation()
{
    AdvanceTo(m_clock->Now());
    if (m_counters.injected + m_counters.copies < m_counters.delivered + m_counters.GetAllDrops())
    {
        return "More packets have arrived or are lost than were sent or copied.";
    }
    uint64_t queued = 0;
    for (PortId port = 0; port < m_outputs.size(); ++port)
    {
        for (uint8_t n = 0; n < m_lanes; ++n)
        {
            for (PacketIndex at = m_buffers[port * m_lanes + n].first; at != NO_PACKET;
                 at = m_packets[at].next)
            {
                ++queued;
            }
            const PortId peer = m_outputs[port].peer;
            if (peer == NO_PORT)
            {
                continue;
            }
            // Credits at this end, those on their way, and what lies at the far end.
            const Lane& lane = m_outputLanes[port * m_lanes + n];
            uint64_t blocks = lane.credits;
            for (uint32_t grant = lane.firstGrant; grant != NO_ITEM; grant = m_grants[grant].next)
            {
                blocks += m_grants[grant].blocks;
            }
            const bool toHost = m_outputs[peer].host;
            for (PacketIndex at = toHost ? NO_PACKET : m_buffers[peer * m_lanes + n].first;
                 at != NO_PACKET;
                 at = m_packets[at].next)
            {
                blocks += m_packets[at].blocks;
            }
            if (blocks > m_capacity || (!toHost && blocks != m_capacity))
            {
                return "The credits of " + m_subnet->GetTopology().GetPortName(port) +
                       " and what is stored at its far end make " + std::to_string(blocks) +
                       " blocks, not " + std::to_string(m_capacity) + ".";
            }
        }
    }
    if (queued > GetNInFlight() || GetNInFlight() > m_packets.GetNUsed())
    {
        return std::to_string(queued) + " packets are queued and " +
               std::to_string(m_packets.GetNUsed()) + " kept, but " +
               std::to_string(GetNInFlight()) + " are under way.";
    }
    return "";
}

} // namespace infiniband
} // namespace ns3
