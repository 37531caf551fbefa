/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_LOSSY_KERNEL_H
#define WORMHOLE_LOSSY_KERNEL_H

#include "wormhole-kernel.h"

#include "ns3/abort.h"

#include <algorithm>

/**
 * @file
 * @ingroup wormhole
 * Lossy wormhole routing at full speed (paper 1, section 4.2).
 */

namespace ns3
{
namespace wormhole
{

/**
 * Spread consecutive cycles over all numbers.
 * @param cycle the cycle
 * @return a number that looks random
 */
inline uint32_t
SpreadCycle(uint64_t cycle)
{
    cycle = (cycle ^ (cycle >> 31)) * 0x9e3779b97f4a7c15ULL;
    cycle = (cycle ^ (cycle >> 29)) * 0xbf58476d1ce4e5b9ULL;
    return static_cast<uint32_t>(cycle >> 32);
}

/** Busy-until times of the ports of all nodes. */
class Ports
{
  public:
    /**
     * Make all ports free.
     * @param nNodes number of nodes
     * @param nPorts ports of each, 0 for any number
     */
    Ports(uint32_t nNodes, uint32_t nPorts)
        : m_nPorts(nPorts),
          m_busy(static_cast<std::size_t>(nNodes) * nPorts, 0)
    {
    }

    /**
     * Take a port if one is free.
     * @param node the node
     * @param now the cycle
     * @param cycles for how long [cycles]
     * @return whether one was free
     */
    bool Take(uint32_t node, Cycle now, uint32_t cycles)
    {
        if (m_nPorts == 0)
        {
            return true;
        }
        Cycle* port = &m_busy[static_cast<std::size_t>(node) * m_nPorts];
        Cycle* const end = port + m_nPorts;
        while (*port > now)
        {
            if (++port == end)
            {
                return false;
            }
        }
        *port = now + cycles;
        return true;
    }

    /**
     * Give back a port that was taken in this cycle or will be free at a known time.
     * @param node the node
     * @param until the time until which it was taken
     * @param now the cycle from which on it is free
     */
    void Release(uint32_t node, Cycle until, Cycle now)
    {
        const auto first =
            m_busy.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(node) * m_nPorts);
        const auto found = std::find(first, first + m_nPorts, until);
        if (found != first + m_nPorts)
        {
            *found = now;
        }
    }

    /**
     * Get the cycle from which on a port is free.
     * @param node the node
     * @return the cycle
     */
    Cycle FreeAt(uint32_t node) const
    {
        if (m_nPorts == 0)
        {
            return 0;
        }
        const auto first =
            m_busy.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(node) * m_nPorts);
        return *std::min_element(first, first + m_nPorts);
    }

    /**
     * Set all ports of a node.
     * @param node the node
     * @param until when they are free again
     */
    void SetAll(uint32_t node, Cycle until)
    {
        const auto first =
            m_busy.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(node) * m_nPorts);
        std::fill(first, first + m_nPorts, until);
    }

    /**
     * Move the origin of time.
     * @param by how far [cycles]
     */
    void Rebase(Cycle by)
    {
        for (Cycle& busy : m_busy)
        {
            busy = busy == FOREVER ? FOREVER : busy - std::min(busy, by);
        }
    }

  private:
    uint32_t m_nPorts;         ///< Ports of each node, 0 for any number.
    std::vector<Cycle> m_busy; ///< By node and port, the first cycle in which it is free.
};

/**
 * A lossy network without faults, misrouting or hop trace.
 *
 * Heads lie in a dense array that is read once a cycle, and written behind as it is read. A head
 * takes a channel by moving the channel's busy-until time; whoever finds no channel free is
 * dropped, and the channels behind it stay busy for its full length, since its flits drain.
 */
template <class Topology>
class LossyKernel final : public Kernel
{
  public:
    /**
     * Create a network at rest.
     * @param topology its shape
     * @param config settings
     */
    LossyKernel(const Topology& topology, const KernelConfig& config)
        : Kernel(config, topology.GetNNodes()),
          m_topology(topology),
          m_channels(topology),
          m_injection(topology.GetNNodes(), config.injectionPorts),
          m_ejection(topology.GetNNodes(), config.ejectionPorts),
          m_prefetch(topology.GetNLinks() > PREFETCH_FROM)
    {
    }

    bool Send(Peer from, Peer to, const Frame& frame, uint32_t flits, uint32_t cycles, Ticks now)
        override
    {
        now = std::max(now, m_nextCycle);
        const Cycle t = Window(now);
        Head head = m_topology.MakeHead(from, to, 0, cycles);
        const Cycle portAt = m_injection.FreeAt(from);
        const bool portBusy = portAt > t;
        const Cycle freeAt = portBusy || from == to ? portAt : ChannelFreeAt(head, t);
        if (freeAt > t)
        {
            if (m_config.sourceBusy == SourceBusy::WAIT)
            {
                ++m_counters.refused;
                NotifyReady(from, now, now + (freeAt - t));
                return false;
            }
            DropAtSource(Packet{frame, now, now, from, to, flits, 0, 0, 0},
                         portBusy ? DropReason::SOURCE_PORT : DropReason::SOURCE_CHANNEL,
                         now);
            return true;
        }
        m_injection.Take(from, t, cycles);
        head.packet = Store(from, to, frame, flits, now);
        m_new.push_back(head);
        return true;
    }

    bool Step(Ticks now) override
    {
        m_nextCycle = now;
        const Cycle t = Window(now);
        ServeDue(now);
        m_nextCycle = now + 1;
        MoveHeads(t, now);
        return m_count > 0 || !m_new.empty() || IsAnyDue();
    }

    void SetLinkUp(Link, bool, Ticks) override
    {
        NS_ABORT_MSG("This kernel has no faults.");
    }

    void SetNodeUp(uint32_t, bool, Ticks) override
    {
        NS_ABORT_MSG("This kernel has no faults.");
    }

  private:
    using Head = typename Topology::Head;

    static constexpr std::ptrdiff_t AHEAD = 24;         ///< Heads between a prefetch and its use.
    static constexpr uint32_t PREFETCH_FROM = 1U << 16; ///< Links from which on a prefetch pays.
    static constexpr Cycle WINDOW = 0xc0000000U;        ///< Where the window of time is moved.
    static constexpr Cycle SHIFT = 0x80000000U;         ///< How far it is moved.

    /**
     * Express a time within the kernel's window, and move that if need be.
     * @param now the time
     * @return the same time within the window
     */
    Cycle Window(Ticks now)
    {
        while (now - m_base >= WINDOW)
        {
            m_channels.Rebase(SHIFT);
            m_injection.Rebase(SHIFT);
            m_ejection.Rebase(SHIFT);
            m_base += SHIFT;
        }
        return static_cast<Cycle>(now - m_base);
    }

    /**
     * Get the cycle from which on a head can leave its source.
     * @param head the head
     * @param t the cycle within the window
     * @return the cycle, or any up to t if it can leave now
     */
    Cycle ChannelFreeAt(const Head& head, Cycle t) const
    {
        Cycle freeAt = FOREVER;
        m_topology.ForProductive(head, [&](Link link) {
            freeAt = std::min(freeAt, m_channels.FreeAt(link));
            return freeAt <= t || m_config.routing == Routing::STRICT;
        });
        return freeAt;
    }

    /**
     * Move all heads by one hop, or out of the network.
     * @param t the cycle within the window
     * @param now the cycle
     */
    void MoveHeads(Cycle t, Ticks now)
    {
        const std::size_t n = m_count + m_new.size();
        if (n == 0)
        {
            return;
        }
        // Both arrays have room for a prefetch that runs past either end.
        if (m_heads.size() < n + 2 * AHEAD)
        {
            m_heads.resize(2 * n + 2 * AHEAD);
            m_next.resize(m_heads.size());
        }
        std::copy(m_new.begin(), m_new.end(), m_heads.begin() + AHEAD + m_count);
        m_new.clear();

        std::size_t start = 0;
        bool backwards = false;
        switch (m_config.serviceOrder)
        {
        case ServiceOrder::ROTATING: {
            const uint32_t spread = SpreadCycle(now);
            start = static_cast<std::size_t>((static_cast<uint64_t>(spread >> 1) * n) >> 31);
            backwards = spread & 1;
            break;
        }
        case ServiceOrder::RANDOM:
            for (std::size_t i = n - 1; i > 0; --i)
            {
                std::swap(m_heads[AHEAD + i],
                          m_heads[AHEAD + m_random->GetInteger(0, static_cast<uint32_t>(i))]);
            }
            break;
        case ServiceOrder::OLDEST:
            break;
        case ServiceOrder::YOUNGEST:
            // Served from the end, they are turned round, and turned back below.
            backwards = true;
            break;
        }
        const Head* const begin = m_heads.data() + AHEAD;
        const Head* const split = begin + start;
        const Head* const end = begin + n;
        Head* out = m_next.data() + AHEAD;
        if (backwards)
        {
            out = Serve(split - 1, begin - 1, -1, out, t, now);
            out = Serve(end - 1, split - 1, -1, out, t, now);
        }
        else
        {
            out = Serve(split, end, 1, out, t, now);
            out = Serve(begin, split, 1, out, t, now);
        }
        m_count = static_cast<std::size_t>(out - m_next.data() - AHEAD);
        if (m_config.serviceOrder == ServiceOrder::YOUNGEST)
        {
            std::reverse(m_next.data() + AHEAD, out);
        }
        m_counters.hops += m_count;
        std::swap(m_heads, m_next);
    }

    /**
     * Serve some of the heads.
     * @param head the first
     * @param end behind the last
     * @param step 1 or -1
     * @param out where those go that have moved
     * @param t the cycle within the window
     * @param now the cycle
     * @return behind those that have moved
     */
    Head* Serve(const Head* head,
                const Head* end,
                std::ptrdiff_t step,
                Head* out,
                Cycle t,
                Ticks now)
    {
        return m_prefetch ? Serve<true>(head, end, step, out, t, now)
                          : Serve<false>(head, end, step, out, t, now);
    }

    /** @copydoc Serve */
    template <bool PREFETCH>
    Head* Serve(const Head* head,
                const Head* end,
                std::ptrdiff_t step,
                Head* out,
                Cycle t,
                Ticks now)
    {
        const bool strict = m_config.routing == Routing::STRICT;
        for (; head != end; head += step)
        {
            if constexpr (PREFETCH)
            {
                m_channels.Prefetch(m_topology.GetPreferred(head[AHEAD * step]));
            }
            *out = *head;
            if (Topology::HasArrived(*head)) [[unlikely]]
            {
                Eject(*head, t, now);
            }
            else if (m_topology.TryAdvance(*out, m_channels, t, strict)) [[likely]]
            {
                ++out;
            }
            else
            {
                DropHead(*head, t, now);
            }
        }
        return out;
    }

    /**
     * Take a packet out at its destination.
     * @param head its head
     * @param t the cycle within the window
     * @param now the cycle
     */
    void Eject(const Head& head, Cycle t, Ticks now)
    {
        const Packet& packet = m_packets[head.packet];
        if (m_ejection.Take(packet.to, t, head.cycles))
        {
            m_arrivals.Put(now, now + head.cycles, head.packet);
        }
        else
        {
            Kernel::Drop(head.packet, DropReason::EJECTION, packet.to, now, true);
        }
    }

    /**
     * Drop a packet that cannot advance.
     * @param head its head
     * @param t the cycle within the window
     * @param now the cycle
     */
    void DropHead(const Head& head, Cycle t, Ticks now)
    {
        const Packet& packet = m_packets[head.packet];
        const bool atSource = head.node == packet.from;
        if (atSource)
        {
            m_injection.Release(packet.from, t + head.cycles, t);
        }
        Kernel::Drop(head.packet,
                     atSource ? DropReason::SOURCE_CHANNEL : DropReason::BLOCKED,
                     head.node,
                     now,
                     !atSource);
    }

    Topology m_topology;                    ///< Shape.
    typename Topology::Channels m_channels; ///< Channels.
    Ports m_injection;                      ///< Injection ports.
    Ports m_ejection;                       ///< Ejection ports.
    std::vector<Head> m_heads;              ///< Heads in flight, AHEAD places from the begin.
    std::vector<Head> m_next;               ///< The same of the next cycle, while it is made.
    std::vector<Head> m_new;                ///< Heads that have just been sent.
    std::size_t m_count{0};                 ///< Number of heads in flight.
    Ticks m_base{0};                        ///< Origin of the window of time.
    bool m_prefetch;                        ///< The channels do not fit the fastest caches.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_LOSSY_KERNEL_H
