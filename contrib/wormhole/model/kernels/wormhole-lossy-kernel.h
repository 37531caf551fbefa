/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_LOSSY_KERNEL_H
#define WORMHOLE_LOSSY_KERNEL_H

#include "ns3/wormhole-channels.h"
#include "ns3/wormhole-kernel.h"
#include "ns3/wormhole-ports.h"
#include "ns3/wormhole-service-list.h"

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
 * A lossy network without faults, misrouting or hop trace.
 *
 * Heads are in a dense array, which each cycle reads once and rewrites. A head takes a channel by
 * advancing the channel's busy-until time. A head without a free channel is dropped; the channels
 * behind it stay busy for its full length, while its flits drain.
 */
template <class Topology>
class LossyKernel final : public Kernel
{
  public:
    /**
     * Create an empty network.
     * @param topology the shape
     * @param config settings
     * @param traces trace sources
     */
    LossyKernel(const Topology& topology, const KernelConfig& config, const KernelTraces& traces)
        : Kernel(config, traces, topology.GetNNodes()),
          m_topology(topology),
          m_channels(topology),
          m_injection(topology.GetNNodes(), config.injectionPorts),
          m_ejection(topology.GetNNodes(), config.ejectionPorts),
          m_prefetch(topology.GetNLinks() > PREFETCH_FROM)
    {
    }

    bool Send(Peer from, Peer to, const Frame& frame, uint32_t flits, Ticks now) override
    {
        now = std::max(now, m_nextCycle);
        const Cycle t = Window(now);
        const Cycle portAt = m_injection.FreeAt(from);
        const bool portBusy = portAt > t;
        if (portBusy && m_config.sourceBusy == SourceBusy::WAIT)
        {
            return Refuse(from, now, now + (portAt - t));
        }
        Head head = m_topology.MakeHead(from, to, 0, flits);
        const Cycle freeAt = portBusy || from == to ? portAt : ChannelFreeAt(head, t);
        if (freeAt > t)
        {
            if (m_config.sourceBusy == SourceBusy::WAIT)
            {
                return Refuse(from, now, now + (freeAt - t));
            }
            const auto reason = portBusy ? DropReason::SOURCE_PORT : DropReason::SOURCE_CHANNEL;
            DropAtSource(from, to, frame, flits, reason, now);
            return true;
        }
        m_injection.Take(from, t, flits);
        head.packet = Store(from, to, frame, flits, now);
        m_heads.Add(head);
        return true;
    }

    bool IsBusy(Peer node, Ticks now) override
    {
        now = std::max(now, m_nextCycle);
        const Cycle t = Window(now);
        const Cycle portAt = m_injection.FreeAt(node);
        if (portAt <= t || m_config.sourceBusy != SourceBusy::WAIT)
        {
            return false;
        }
        NotifyReady(node, now, now + (portAt - t));
        return true;
    }

    bool Step(Ticks now) override
    {
        m_nextCycle = now;
        const Cycle t = Window(now);
        ServeDue(now);
        m_nextCycle = now + 1;
        if (m_prefetch)
        {
            MoveHeads<true>(t, now);
        }
        else
        {
            MoveHeads<false>(t, now);
        }
        return !m_heads.IsEmpty() || IsAnyDue();
    }

  private:
    /** Head of a packet, as defined by the topology. */
    using Head = typename Topology::Head;

    static constexpr uint32_t PREFETCH_FROM = 1U << 16; ///< Links from which to prefetch.
    static constexpr Cycle WINDOW = 0xc0000000U;        ///< Time of the window's shift.
    static constexpr Cycle SHIFT = 0x80000000U;         ///< Shift of the window.

    /**
     * Convert a time to the kernel's window, and move the window if necessary.
     * @param now the time
     * @return the same time within the window
     */
    Cycle Window(Ticks now)
    {
        if (now - m_base >= WINDOW) [[unlikely]]
        {
            MoveWindow(now);
        }
        return static_cast<Cycle>(now - m_base);
    }

    /**
     * Move the window of time. It is out of line, since it runs once in billions of cycles and
     * would occupy registers of a call made for every packet.
     * @param now the time that it has to contain
     */
    [[gnu::noinline]] void MoveWindow(Ticks now)
    {
        while (now - m_base >= WINDOW)
        {
            m_channels.Rebase(SHIFT);
            m_injection.Rebase(SHIFT);
            m_ejection.Rebase(SHIFT);
            m_base += SHIFT;
        }
    }

    /**
     * Get the first cycle in which a head can leave its source.
     * @param head the head
     * @param t the cycle within the window
     * @return the cycle, at most t if it can leave now
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
     * @tparam PREFETCH whether channels are prefetched some heads ahead
     * @param t the cycle within the window
     * @param now the cycle
     */
    template <bool PREFETCH>
    void MoveHeads(Cycle t, Ticks now)
    {
        const bool strict = m_config.routing == Routing::STRICT;
        m_counters.hops +=
            m_heads.Serve(now,
                          m_config.serviceOrder,
                          *m_random,
                          [this, t, now, strict](const Head* head, std::ptrdiff_t step, Head& out) {
                              if constexpr (PREFETCH)
                              {
                                  m_channels.Prefetch(m_topology.GetPreferred(
                                      head[ServiceList<Head>::AHEAD * step]));
                              }
                              out = *head;
                              if (Topology::HasArrived(out)) [[unlikely]]
                              {
                                  Eject(out, t, now);
                                  return false;
                              }
                              if (m_topology.TryAdvance(out, m_channels, t, strict)) [[likely]]
                              {
                                  return true;
                              }
                              DropHead(out, t, now);
                              return false;
                          });
    }

    /**
     * Eject a packet at its destination.
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
    Ports<Cycle> m_injection;               ///< Injection ports.
    Ports<Cycle> m_ejection;                ///< Ejection ports.
    ServiceList<Head> m_heads;              ///< Heads in flight.
    Ticks m_base{0};                        ///< Origin of the window of time.
    bool m_prefetch;                        ///< The channels exceed the fastest caches.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_LOSSY_KERNEL_H
