/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_BUFFERED_KERNEL_H
#define WORMHOLE_BUFFERED_KERNEL_H

#include "ns3/wormhole-calendar.h"
#include "ns3/wormhole-channels.h"
#include "ns3/wormhole-kernel.h"
#include "ns3/wormhole-ring-use.h"

#include <algorithm>
#include <map>

/**
 * @file
 * @ingroup wormhole
 * Buffered wormhole routing that never drops (paper 1, section 4.5).
 */

namespace ns3
{
namespace wormhole
{

/**
 * A network with storage for one packet at the end of each channel.
 *
 * A head without a free channel waits at the end of its last one, where its flits collect (virtual
 * cut-through). A channel and its buffer are busy from the departure of a head over the channel
 * until the packet's tail has left the buffer. Each link has a list of waiting heads, which is
 * served only when one of its channels becomes free. The cost of a cycle thus depends on the heads
 * that move in it.
 *
 * All requests of a cycle are collected before any is granted.
 *
 * Packets that follow each other round a ring of a torus could deadlock. Therefore a packet enters
 * a ring only if the ring then has fewer packets than channels (bubble flow control).
 *
 * Packets on a failing link are cut, and packets that need a failed link are dropped, since they
 * would block all packets behind them; otherwise nothing is dropped.
 *
 * @tparam FULL whether hops are traced, the use of links is counted, and links can fail
 */
template <class Topology, bool FULL>
class BufferedKernel final : public Kernel
{
  public:
    /**
     * Create an empty network.
     * @param topology the shape
     * @param config settings
     * @param traces trace sources
     */
    BufferedKernel(const Topology& topology, const KernelConfig& config, const KernelTraces& traces)
        : Kernel(config, traces, topology.GetNNodes()),
          m_topology(topology),
          m_rings(m_topology),
          m_ejectionBase(topology.GetNLinks()),
          m_links(topology.GetNLinks() + topology.GetNNodes()),
          m_sources(topology.GetNNodes())
    {
        for (Link link = 0; link < m_ejectionBase; ++link)
        {
            m_links[link].free = topology.GetChannels(link);
        }
        for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
        {
            m_links[m_ejectionBase + node].free =
                config.ejectionPorts ? config.ejectionPorts : NONE;
            m_sources[node].ports = config.injectionPorts ? config.injectionPorts : NONE;
        }
        if constexpr (FULL)
        {
            m_linkBusy.resize(topology.GetNLinks());
        }
    }

    bool Send(Peer from, Peer to, const Frame& frame, uint32_t flits, Ticks now) override
    {
        now = std::max(now, m_nextCycle);
        Source& source = m_sources[from];
        if (m_config.queue && source.length >= m_config.queue)
        {
            ++m_counters.refused;
            source.refused = true;
            return false;
        }
        const uint32_t number = Store(from, to, frame, flits, now);
        if (number >= m_flights.size())
        {
            m_flights.resize(number + 1);
        }
        m_flights[number] = Flight{m_topology.MakeHead(from, to, number, flits), NO_LINK, NONE};
        if constexpr (FULL)
        {
            m_occupied.resize(m_flights.size());
            m_occupied[number].clear();
        }
        Append(source.waiting, number);
        ++source.length;
        if (source.ports > 0)
        {
            AssignPort(from);
        }
        return true;
    }

    bool Step(Ticks now) override
    {
        m_nextCycle = now;
        ServeDue(now);
        m_nextCycle = now + 1;
        ServeReleases(now);
        if constexpr (FULL)
        {
            for (const uint32_t number : m_affected)
            {
                Remove(number, now);
            }
            m_affected.clear();
        }
        QueueHeads(now);
        for (const Link link : m_contended)
        {
            Grant(link, now);
        }
        m_contended.clear();
        return !m_moved.empty() || !m_releases.IsEmpty() || !m_retried.empty() ||
               !m_atPort.empty() || IsAnyDue();
    }

    void SetLinkUp(Link link, bool up, Ticks now) override
    {
        if constexpr (FULL)
        {
            m_links[link].down = !up;
            if (up)
            {
                return;
            }
            for (const auto& [order, number] : FindOn(link, std::max(now, m_nextCycle)))
            {
                m_packets[number].fate = DropReason::CUT;
                m_affected.push_back(number);
            }
            for (const WaitingList& list : {m_links[link].through, m_links[link].injection})
            {
                for (uint32_t at = list.first; at != NONE; at = m_flights[at].next)
                {
                    m_affected.push_back(at);
                }
            }
        }
    }

    void SetNodeUp(uint32_t node, bool up, Ticks now) override
    {
        SetLinkUp(m_ejectionBase + node, up, now);
    }

  private:
    /** Head of a packet, as defined by the topology. */
    using Head = typename Topology::Head;

    static constexpr uint32_t NONE =
        std::numeric_limits<uint32_t>::max();      ///< No packet, or no limit.
    static constexpr Link INJECTION = 0x80000000U; ///< Marks a node's injection port among links.

    /** A packet in flight. */
    struct Flight
    {
        Head head;          ///< Its head.
        Link held{NO_LINK}; ///< Channel whose buffer holds it; NO_LINK at the source.
        uint32_t next{0};   ///< Next packet of the list.
    };

    /** A list of waiting packets. */
    struct WaitingList
    {
        uint32_t first{NONE}; ///< First packet, or NONE.
        uint32_t last{NONE};  ///< Last packet, if there is a first.
    };

    /** State of a link, or of a node's ejection ports. */
    struct LinkState
    {
        uint32_t free{1};      ///< Channels with a free buffer.
        WaitingList through;   ///< Packets of this router that wait for the link.
        WaitingList injection; ///< Packets of this node that wait for the link.
        Link served{NO_LINK};  ///< Input served last.
        bool contended{false}; ///< It is in the list of links to be granted.
        bool down{false};      ///< The link has failed.
    };

    /** The injection side of a node. */
    struct Source
    {
        uint32_t ports{1};   ///< Free injection ports.
        uint32_t length{0};  ///< Number of packets that wait for a port.
        WaitingList waiting; ///< These packets.
        bool refused{false}; ///< A packet has been refused.
    };

    /** The time of a packet on a link. */
    struct Occupancy
    {
        Link link;      ///< The link.
        uint64_t order; ///< Order of entry among all packets.
        Ticks since;    ///< Cycle in which its head entered.
        Ticks until;    ///< Cycle in which its tail has left; NEVER while unknown.
    };

    /**
     * Free the channels and injection ports that are released in a cycle, and let waiting packets
     * request them.
     * @param now the cycle
     */
    void ServeReleases(Ticks now)
    {
        for (const Link link : m_releases.Take(now))
        {
            if (link >= INJECTION)
            {
                const uint32_t node = link - INJECTION;
                ++m_sources[node].ports;
                if (m_sources[node].length > 0)
                {
                    AssignPort(node);
                }
            }
            else
            {
                ++m_links[link].free;
                Contend(link);
            }
        }
        for (const Link link : m_retried)
        {
            Contend(link);
        }
        m_retried.clear();
    }

    /**
     * Queue the heads that have reached a router, and the packets that have got an injection port,
     * for their next links.
     * @param now the cycle
     */
    void QueueHeads(Ticks now)
    {
        m_arriving.swap(m_moved);
        for (const uint32_t number : m_arriving)
        {
            const Link link = NextLink(m_flights[number].head);
            Enqueue(number, link, m_links[link].through, now);
        }
        m_arriving.clear();
        for (const uint32_t number : m_atPort)
        {
            const Link link = NextLink(m_flights[number].head);
            LinkState& state = m_links[link];
            Enqueue(number, link, m_config.throughFirst ? state.injection : state.through, now);
        }
        m_atPort.clear();
    }

    /**
     * Get the link that a head needs next.
     * @param head the head
     * @return a link, or the ejection ports of the head's node
     */
    Link NextLink(const Head& head) const
    {
        if (Topology::HasArrived(head))
        {
            return m_ejectionBase + head.node;
        }
        return m_topology.GetPreferred(head);
    }

    /**
     * Assign an injection port to the first packet of a node's queue.
     * @param node the node, with a packet and a free port
     */
    void AssignPort(uint32_t node)
    {
        Source& source = m_sources[node];
        const uint32_t number = source.waiting.first;
        Unlink(source.waiting, NONE, number);
        --source.ports;
        if (--source.length > 0)
        {
            // The next packet, which the processor has not cached since it was sent.
            __builtin_prefetch(&m_flights[source.waiting.first], 1);
            __builtin_prefetch(&m_packets[source.waiting.first]);
        }
        m_atPort.push_back(number);
        if (source.refused)
        {
            source.refused = false;
            NotifyReady(node, m_nextCycle - 1, m_nextCycle);
        }
    }

    /**
     * Queue a packet for its next link, or drop it if it was cut or the link has failed.
     * @param number the packet
     * @param link the link
     * @param list the waiting list of the link
     * @param now the cycle
     */
    void Enqueue(uint32_t number, Link link, WaitingList& list, Ticks now)
    {
        if constexpr (FULL)
        {
            if (m_packets[number].fate == DropReason::CUT || m_links[link].down)
            {
                Abandon(number, now);
                return;
            }
        }
        Append(list, number);
        Contend(link);
    }

    /**
     * Append a packet to a list.
     * @param list the list
     * @param number the packet
     */
    void Append(WaitingList& list, uint32_t number)
    {
        m_flights[number].next = NONE;
        if (list.first == NONE)
        {
            list.first = number;
        }
        else
        {
            m_flights[list.last].next = number;
        }
        list.last = number;
    }

    /**
     * Add a link to those to be granted in this cycle, if it has a free channel and a waiting
     * packet.
     * @param link the link
     */
    void Contend(Link link)
    {
        LinkState& state = m_links[link];
        if (!state.contended && state.free > 0 &&
            (state.through.first != NONE || state.injection.first != NONE))
        {
            state.contended = true;
            m_contended.push_back(link);
        }
    }

    /**
     * Grant the free channels of a link to waiting packets.
     * @param link the link
     * @param now the cycle
     */
    void Grant(Link link, Ticks now)
    {
        LinkState& state = m_links[link];
        state.contended = false;
        while (state.free > 0)
        {
            uint32_t number = Pick(state.through, state.served, link);
            if (number == NONE)
            {
                number = Pick(state.injection, state.served, link);
            }
            if (number == NONE)
            {
                return;
            }
            --state.free;
            Flight& flight = m_flights[number];
            const uint32_t cycles = flight.head.cycles;
            state.served = flight.held;
            if (flight.held == NO_LINK)
            {
                m_releases.Put(now, now + cycles, INJECTION | flight.head.node);
            }
            else
            {
                const Ticks until = now + cycles - 1 + m_config.creditDelay;
                m_releases.Put(now, std::max(until, now + 1), flight.held);
                if constexpr (FULL)
                {
                    m_occupied[number].back().until = now + cycles;
                }
            }
            const bool ejected = link >= m_ejectionBase;
            if constexpr (Topology::HAS_RINGS)
            {
                m_rings.Move(flight.held, ejected ? NO_LINK : link, m_retried);
            }
            if constexpr (FULL)
            {
                m_occupied[number].push_back(
                    Occupancy{link, m_entries++, now, ejected ? now + cycles : messaging::NEVER});
            }
            if (ejected)
            {
                m_arrivals.Put(now, now + cycles, number);
                m_releases.Put(now, now + cycles, link);
                continue;
            }
            m_topology.Advance(flight.head, link);
            flight.held = link;
            m_moved.push_back(number);
            ++m_counters.hops;
            if constexpr (FULL)
            {
                ++m_packets[number].hops;
                m_linkBusy[link] += cycles;
                (*m_traces.hop)(m_packets[number], link, now);
            }
        }
    }

    /**
     * Check whether a packet may enter a link. Only a torus ever denies this.
     * @param number the packet
     * @param link the link, with a free channel
     * @return whether it may
     */
    bool MayTake(uint32_t number, Link link) const
    {
        if constexpr (Topology::HAS_RINGS)
        {
            return link >= m_ejectionBase || m_rings.MayEnter(m_flights[number].held, link);
        }
        return true;
    }

    /**
     * Find the packets with flits on a link.
     * @param link the link
     * @param now the cycle
     * @return the packets by the order in which they entered it
     */
    std::map<uint64_t, uint32_t> FindOn(Link link, Ticks now) const
    {
        std::map<uint64_t, uint32_t> found;
        for (uint32_t number = 0; number < m_occupied.size(); ++number)
        {
            for (const Occupancy& occupancy : m_occupied[number])
            {
                if (occupancy.link == link && occupancy.until > now)
                {
                    found.emplace(occupancy.order, number);
                }
            }
        }
        return found;
    }

    /**
     * Drop a packet that waits for a failed link, or whose flits were cut. One that is moving will
     * be dropped on arrival.
     * @param number the packet
     * @param now the cycle
     */
    void Remove(uint32_t number, Ticks now)
    {
        const Link link = NextLink(m_flights[number].head);
        for (WaitingList* list : {&m_links[link].through, &m_links[link].injection})
        {
            uint32_t before = NONE;
            for (uint32_t at = list->first; at != NONE; before = at, at = m_flights[at].next)
            {
                if (at == number)
                {
                    Unlink(*list, before, at);
                    Abandon(number, now);
                    return;
                }
            }
        }
    }

    /**
     * Drop a packet that is not in a list: it was cut, or needs a failed link.
     * @param number the packet
     * @param now the cycle
     */
    void Abandon(uint32_t number, Ticks now)
    {
        const Flight& flight = m_flights[number];
        if (flight.held == NO_LINK)
        {
            m_releases.Put(now, now + 1, INJECTION | flight.head.node);
        }
        else
        {
            // Flits that have not arrived yet still drain.
            const Ticks drained = m_occupied[number].back().since + flight.head.cycles;
            m_releases.Put(now, std::max(now + 1, drained), flight.held);
            if constexpr (Topology::HAS_RINGS)
            {
                m_rings.Move(flight.held, NO_LINK, m_retried);
            }
        }
        m_occupied[number].clear();
        const bool cut = m_packets[number].fate == DropReason::CUT;
        Drop(number,
             cut ? DropReason::CUT : DropReason::NO_ROUTE,
             flight.head.node,
             now,
             flight.held != NO_LINK);
    }

    /**
     * Choose the packet to be served next, and remove it from its list.
     * @param list a list
     * @param served the input served last
     * @param link the link that they wait for
     * @return the packet, or NONE if none may take the link
     */
    uint32_t Pick(WaitingList& list, Link served, Link link)
    {
        uint32_t chosen = NONE;
        uint32_t beforeChosen = NONE;
        uint64_t best = std::numeric_limits<uint64_t>::max();
        uint32_t before = NONE;
        for (uint32_t at = list.first; at != NONE; before = at, at = m_flights[at].next)
        {
            if (!MayTake(at, link))
            {
                continue;
            }
            const bool first = m_config.arbitration == Arbitration::FIRST_COME;
            const uint64_t rank = first ? 0 : Rank(at, served);
            if (rank < best)
            {
                best = rank;
                chosen = at;
                beforeChosen = before;
            }
            if (first)
            {
                break;
            }
        }
        if (chosen != NONE)
        {
            Unlink(list, beforeChosen, chosen);
        }
        return chosen;
    }

    /**
     * Remove a packet from a list.
     * @param list the list
     * @param before its predecessor, or NONE
     * @param number the packet
     */
    void Unlink(WaitingList& list, uint32_t before, uint32_t number)
    {
        const uint32_t next = m_flights[number].next;
        if (before == NONE)
        {
            list.first = next;
        }
        else
        {
            m_flights[before].next = next;
        }
        if (next == NONE)
        {
            list.last = before;
        }
    }

    /**
     * Rank a packet.
     * @param number the packet
     * @param served the input served last
     * @return its rank; the lowest is served first
     */
    uint64_t Rank(uint32_t number, Link served)
    {
        switch (m_config.arbitration)
        {
        case Arbitration::ROUND_ROBIN:
            return static_cast<uint32_t>(m_flights[number].held - served - 1);
        case Arbitration::OLDEST:
            return m_packets[number].sent;
        case Arbitration::RANDOM:
            return m_random->GetInteger(0, NONE - 1);
        default:
            return m_flights[number].held;
        }
    }

    Topology m_topology;              ///< Shape.
    RingUse<Topology> m_rings;        ///< Packets in each ring; only on a torus.
    Link m_ejectionBase;              ///< Link number of the first node's ejection ports.
    std::vector<LinkState> m_links;   ///< Links, followed by the ejection ports of all nodes.
    std::vector<Source> m_sources;    ///< Injection sides by node.
    std::vector<Flight> m_flights;    ///< Packets in flight by index.
    std::vector<uint32_t> m_arriving; ///< Packets whose head reaches a router in this cycle.
    std::vector<uint32_t> m_moved;    ///< Packets whose head reaches a router in the next cycle.
    std::vector<uint32_t> m_atPort;   ///< Packets that have just got an injection port.
    std::vector<Link> m_contended;    ///< Links to be granted in this cycle.
    Calendar<Link> m_releases;        ///< Channels by the cycle in which they become free.
    std::vector<Link> m_retried;      ///< Links to be granted in the next cycle.
    std::vector<uint32_t> m_affected; ///< Packets hit by a failure; only if links can fail.
    std::vector<std::vector<Occupancy>>
        m_occupied;        ///< Links that each packet has entered; only if links can fail.
    uint64_t m_entries{0}; ///< Number of entries into links.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_BUFFERED_KERNEL_H
