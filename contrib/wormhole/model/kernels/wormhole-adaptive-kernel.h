/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_ADAPTIVE_KERNEL_H
#define WORMHOLE_ADAPTIVE_KERNEL_H

#include "ns3/wormhole-channels.h"
#include "ns3/wormhole-kernel.h"
#include "ns3/wormhole-ports.h"
#include "ns3/wormhole-service-list.h"

#include <algorithm>

/**
 * @file
 * @ingroup wormhole
 * Lossy and hybrid wormhole routing with faults, misrouting and traces.
 */

namespace ns3
{
namespace wormhole
{

/**
 * A lossy or hybrid network with faults, misrouting, corruption, time to live and hop trace (paper
 * 1, sections 2.3, 4.2 and 6).
 *
 * Without any of them it behaves as LossyKernel. A hybrid router has storage for one packet at the
 * end of each channel: a head that cannot advance waits there, its flits collect behind it, and the
 * channel stays busy until the tail has left. After HoldLimit cycles at one router the packet is
 * dropped.
 */
template <class Topology>
class AdaptiveKernel final : public Kernel
{
  public:
    /**
     * Create an empty network.
     * @param topology the shape
     * @param config settings; a hold limit of 0 makes the routers lossy
     * @param traces trace sources
     */
    AdaptiveKernel(const Topology& topology, const KernelConfig& config, const KernelTraces& traces)
        : Kernel(config, traces, topology.GetNNodes()),
          m_topology(topology),
          m_injection(topology.GetNNodes(), config.injectionPorts),
          m_ejection(topology.GetNNodes(), config.ejectionPorts),
          m_nodeDown(topology.GetNNodes())
    {
        m_linkBusy.resize(topology.GetNLinks());
        m_links.reserve(topology.GetNLinks());
        for (Link link = 0; link < topology.GetNLinks(); ++link)
        {
            const uint32_t channels = topology.GetChannels(link);
            const bool exists = topology.GetTarget(link) != messaging::NO_PEER;
            const auto first = static_cast<uint32_t>(m_channels.size());
            m_links.push_back(LinkState{first, channels, 0, !exists});
            m_channels.resize(first + channels, Channel{0, 0, 0, link});
        }
    }

    bool Send(Peer from, Peer to, const Frame& frame, uint32_t flits, Ticks now) override
    {
        now = std::max(now, m_nextCycle);
        Head head = m_topology.MakeHead(from, to, 0, flits);
        if (m_nodeDown[from])
        {
            DropAtSource(from, to, frame, flits, DropReason::NO_ROUTE, now);
            return true;
        }
        const Ticks portAt = m_injection.FreeAt(from);
        const bool portBusy = portAt > now;
        Ticks freeAt = portAt;
        if (!portBusy && from != to && m_config.holdLimit == 0 && m_config.misrouteLimit == 0)
        {
            freeAt = ChannelFreeAt(head, now);
        }
        if (freeAt > now && freeAt != messaging::NEVER)
        {
            if (m_config.sourceBusy == SourceBusy::WAIT)
            {
                return Refuse(from, now, freeAt);
            }
            const auto reason = portBusy ? DropReason::SOURCE_PORT : DropReason::SOURCE_CHANNEL;
            DropAtSource(from, to, frame, flits, reason, now);
            return true;
        }
        m_injection.Take(from, now, flits);
        head.packet = Store(from, to, frame, flits, now);
        if (head.packet >= m_flights.size())
        {
            m_flights.resize(head.packet + 1);
        }
        m_flights[head.packet] = Flight{++m_serial, NONE, 0};
        if (m_config.freeOnDrop)
        {
            m_taken.resize(m_flights.size());
            m_taken[head.packet].clear();
        }
        m_heads.Add(head);
        return true;
    }

    bool Step(Ticks now) override
    {
        m_nextCycle = now;
        ServeDue(now);
        m_nextCycle = now + 1;
        m_heads.Serve(now,
                      m_config.serviceOrder,
                      *m_random,
                      [this, now](const Head* head, std::ptrdiff_t, Head& out) {
                          out = *head;
                          return Visit(out, now);
                      });
        return !m_heads.IsEmpty() || IsAnyDue();
    }

    void SetLinkUp(Link link, bool up, Ticks now) override
    {
        LinkState& state = m_links[link];
        if (state.down == !up || m_topology.GetTarget(link) == messaging::NO_PEER)
        {
            return;
        }
        state.down = !up;
        for (uint32_t channel = state.first; channel < state.first + state.channels; ++channel)
        {
            const Channel& busy = m_channels[channel];
            if (!up && busy.until > std::max(now, m_nextCycle) && busy.packet < m_flights.size() &&
                m_flights[busy.packet].serial == busy.serial)
            {
                m_packets[busy.packet].fate = DropReason::CUT;
            }
        }
    }

    void SetNodeUp(uint32_t node, bool up, Ticks) override
    {
        m_nodeDown[node] = !up;
    }

  private:
    /** Head of a packet, as defined by the topology. */
    using Head = typename Topology::Head;

    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max(); ///< No channel.

    /** Least busy time of a channel whose head may wait at its end: the channel must still be busy
     * when the head is served next [cycles]. */
    static constexpr uint32_t MIN_HOLDING_CYCLES = 2;

    /** A link. */
    struct LinkState
    {
        uint32_t first;    ///< First channel.
        uint32_t channels; ///< Number of channels.
        uint32_t cursor;   ///< Offset of the channel where the search for a free one begins.
        bool down;         ///< Failed or nonexistent.
    };

    /** A channel. */
    struct Channel
    {
        Ticks until;     ///< First cycle in which it is free.
        uint64_t serial; ///< Serial number of the packet that took it last.
        uint32_t packet; ///< Index of that packet.
        Link link;       ///< Its link.
    };

    /** State of a packet in flight, in addition to its head. */
    struct Flight
    {
        uint64_t serial{0};     ///< Serial number; 0 if the packet no longer exists.
        uint32_t channel{NONE}; ///< Channel whose buffer holds its head; NONE at the source.
        uint32_t waited{0};     ///< Waiting time of its head there [cycles].
    };

    /**
     * Get the first cycle in which a head can leave its source.
     * @param head the head
     * @param now the cycle
     * @return the cycle, at most now if it can leave now; NEVER if all channels have failed
     */
    Ticks ChannelFreeAt(const Head& head, Ticks now) const
    {
        Ticks freeAt = messaging::NEVER;
        m_topology.ForProductive(head, [&](Link link) {
            const LinkState& state = m_links[link];
            for (uint32_t n = 0; n < state.channels && !state.down; ++n)
            {
                freeAt = std::min(freeAt, m_channels[state.first + n].until);
            }
            return freeAt <= now || m_config.routing == Routing::STRICT;
        });
        return freeAt;
    }

    /**
     * Find a free channel of a link.
     * @param link the link
     * @param now the cycle
     * @return a channel, or NONE
     */
    uint32_t FindFree(Link link, Ticks now) const
    {
        const LinkState& state = m_links[link];
        uint32_t channel = state.first + state.cursor;
        for (uint32_t n = 0; n < state.channels && !state.down; ++n)
        {
            if (m_channels[channel].until <= now)
            {
                return channel;
            }
            if (++channel == state.first + state.channels)
            {
                channel = state.first;
            }
        }
        return NONE;
    }

    /**
     * Serve a head: move, eject, store or drop it.
     * @param head the head
     * @param now the cycle
     * @return whether it is still in the network
     */
    bool Visit(Head& head, Ticks now)
    {
        Packet& packet = m_packets[head.packet];
        if (packet.fate == DropReason::CUT)
        {
            return Discard(head, DropReason::CUT, now);
        }
        if (m_config.timeToLive && now - packet.sent > m_config.timeToLive)
        {
            return Discard(head, DropReason::EXPIRED, now);
        }
        if (Topology::HasArrived(head))
        {
            if (m_nodeDown[packet.to])
            {
                return Discard(head, DropReason::NO_ROUTE, now);
            }
            if (m_ejection.Take(packet.to, now, head.cycles))
            {
                m_arrivals.Put(now, now + head.cycles, head.packet);
                return false;
            }
            return WaitOrDiscard(head, DropReason::EJECTION, now);
        }
        bool anyUp = false;
        if (const Link link = ChooseProductive(head, now, anyUp); link != NO_LINK)
        {
            return Move(head, link, now);
        }
        bool anyAround = false;
        if (packet.misroutes < m_config.misrouteLimit && !anyUp)
        {
            if (const Link link = ChooseAround(head, now, anyAround); link != NO_LINK)
            {
                ++packet.misroutes;
                ++m_counters.misroutes;
                return Move(head, link, now);
            }
        }
        if (!anyUp && !anyAround)
        {
            return Discard(head, DropReason::NO_ROUTE, now);
        }
        const bool atSource = head.node == packet.from && packet.hops == 0;
        return WaitOrDiscard(head,
                             atSource ? DropReason::SOURCE_CHANNEL : DropReason::BLOCKED,
                             now);
    }

    /**
     * Choose a link with a free channel in place of the previous choice, so that all of them are
     * equally likely.
     * @param link the link
     * @param now the cycle
     * @param candidates number of links with a free channel so far
     * @param chosen the choice
     */
    void Offer(Link link, Ticks now, uint32_t& candidates, Link& chosen)
    {
        if (FindFree(link, now) != NONE &&
            (++candidates == 1 || m_random->GetInteger(1, candidates) == 1))
        {
            chosen = link;
        }
    }

    /**
     * Choose a productive link of a head with a free channel.
     * @param head the head
     * @param now the cycle
     * @param anyUp set if any productive link is up
     * @return the link, or NO_LINK
     */
    Link ChooseProductive(const Head& head, Ticks now, bool& anyUp)
    {
        Link chosen = NO_LINK;
        uint32_t candidates = 0;
        m_topology.ForProductive(head, [&](Link link) {
            anyUp |= !m_links[link].down;
            Offer(link, now, candidates, chosen);
            return m_config.routing == Routing::STRICT ||
                   (m_config.routing == Routing::PRODUCTIVE && chosen != NO_LINK);
        });
        return chosen;
    }

    /**
     * Choose a link for misrouting, which leads neither towards the destination nor back.
     * @param head the head
     * @param now the cycle
     * @param anyUp set if any such link is up
     * @return the link, or NO_LINK
     */
    Link ChooseAround(const Head& head, Ticks now, bool& anyUp)
    {
        uint32_t previous = messaging::NO_PEER;
        if (const uint32_t last = m_flights[head.packet].channel; last != NONE)
        {
            previous = m_topology.GetOrigin(m_channels[last].link);
        }
        Link chosen = NO_LINK;
        uint32_t candidates = 0;
        m_topology.ForAll(head, [&](Link link) {
            if (m_links[link].down || m_topology.GetTarget(link) == previous)
            {
                return false;
            }
            anyUp = true;
            Offer(link, now, candidates, chosen);
            return false;
        });
        return chosen;
    }

    /**
     * Move a head over a link with a free channel.
     * @param head the head
     * @param link the link
     * @param now the cycle
     * @return true
     */
    bool Move(Head& head, Link link, Ticks now)
    {
        LinkState& state = m_links[link];
        const uint32_t channel = FindFree(link, now);
        state.cursor = channel + 1 - state.first;
        if (state.cursor == state.channels)
        {
            state.cursor = 0;
        }
        uint32_t cycles = head.cycles;
        if (m_config.holdLimit > 0)
        {
            cycles = std::max(cycles, MIN_HOLDING_CYCLES);
        }
        Packet& packet = m_packets[head.packet];
        Flight& flight = m_flights[head.packet];
        m_channels[channel] = Channel{now + cycles, flight.serial, head.packet, link};
        flight.channel = channel;
        flight.waited = 0;
        m_linkBusy[link] += cycles;
        if (m_config.freeOnDrop)
        {
            m_taken[head.packet].push_back(channel);
        }
        ++packet.hops;
        ++m_counters.hops;
        if (m_config.corruption > 0)
        {
            Corrupt(packet);
        }
        m_topology.Advance(head, link);
        (*m_traces.hop)(packet, link, now);
        return true;
    }

    /**
     * Corrupt a packet on a hop with the configured probability.
     * @param packet the packet
     */
    void Corrupt(Packet& packet)
    {
        if (m_untilCorruption == 0)
        {
            m_untilCorruption = DrawGap(m_config.corruption);
        }
        if (--m_untilCorruption == 0 && packet.fate == NO_DROP)
        {
            packet.fate = DropReason::CORRUPTED;
        }
    }

    /**
     * Store a head for another cycle if the router permits it, or drop it.
     * @param head the head
     * @param reason reason of the drop if routers do not store packets
     * @param now the cycle
     * @return whether it is still in the network
     */
    bool WaitOrDiscard(const Head& head, DropReason reason, Ticks now)
    {
        Flight& flight = m_flights[head.packet];
        if (flight.waited >= m_config.holdLimit)
        {
            return Discard(head, m_config.holdLimit ? DropReason::HELD_TOO_LONG : reason, now);
        }
        ++flight.waited;
        if (flight.channel != NONE)
        {
            ++m_channels[flight.channel].until;
        }
        else
        {
            const Ticks until = now + head.cycles;
            m_injection.Release(m_packets[head.packet].from, until, until + 1);
        }
        return true;
    }

    /**
     * Drop a packet. Its flits in a buffer vanish at once; those in flight still drain.
     * @param head its head
     * @param reason reason of the drop
     * @param now the cycle
     * @return false
     */
    bool Discard(const Head& head, DropReason reason, Ticks now)
    {
        Flight& flight = m_flights[head.packet];
        const Packet& packet = m_packets[head.packet];
        if (flight.channel != NONE)
        {
            m_channels[flight.channel].until -= flight.waited;
            if (m_config.freeOnDrop)
            {
                FreeChannels(head, now);
            }
        }
        else
        {
            m_injection.Release(packet.from, now + head.cycles, now);
        }
        flight.serial = 0;
        Kernel::Drop(head.packet,
                     reason,
                     head.node,
                     now,
                     flight.channel != NONE || packet.from == packet.to);
        return false;
    }

    /**
     * Free the channels and the port of a dropped packet in the next cycle, and wake nodes that may
     * wait for them.
     * @param head its head
     * @param now the cycle
     */
    void FreeChannels(const Head& head, Ticks now)
    {
        const Packet& packet = m_packets[head.packet];
        const Ticks until = packet.sent + head.cycles;
        if (until > now + 1)
        {
            m_injection.Release(packet.from, until, now + 1);
            AdvanceReady(packet.from, now);
        }
        for (const uint32_t number : m_taken[head.packet])
        {
            Channel& channel = m_channels[number];
            if (channel.serial == m_flights[head.packet].serial && channel.until > now + 1)
            {
                m_linkBusy[channel.link] -= channel.until - (now + 1);
                channel.until = now + 1;
                AdvanceReady(m_topology.GetOrigin(channel.link), now);
            }
        }
    }

    Topology m_topology;                        ///< Shape.
    std::vector<LinkState> m_links;             ///< Links by number.
    std::vector<Channel> m_channels;            ///< Channels by number.
    Ports<Ticks> m_injection;                   ///< Injection ports.
    Ports<Ticks> m_ejection;                    ///< Ejection ports.
    ServiceList<Head> m_heads;                  ///< Heads in flight.
    std::vector<Flight> m_flights;              ///< Packets in flight by index.
    std::vector<std::vector<uint32_t>> m_taken; ///< Taken channels by packet; only with FreeOnDrop.
    std::vector<bool> m_nodeDown;               ///< Failed nodes.
    uint64_t m_serial{0};                       ///< Last serial number.
    uint64_t m_untilCorruption{0}; ///< Hops until the next corruption; 0 if not drawn yet.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_ADAPTIVE_KERNEL_H
