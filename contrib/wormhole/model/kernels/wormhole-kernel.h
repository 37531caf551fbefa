/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_KERNEL_H
#define WORMHOLE_KERNEL_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"
#include "ns3/wormhole-calendar.h"
#include "ns3/wormhole-types.h"

#include <vector>

/**
 * @file
 * @ingroup wormhole
 * Base of the kernels of all routers.
 */

namespace ns3
{
namespace wormhole
{

/** Parameters of the routers; WormholeNetwork has them as attributes, with their units. */
struct KernelConfig
{
    uint32_t injectionPorts{1};                       ///< Of each node; 0: unlimited.
    uint32_t ejectionPorts{1};                        ///< Of each node; 0: unlimited.
    ServiceOrder serviceOrder{ServiceOrder::OLDEST};  ///< Service order of contending heads.
    Arbitration arbitration{Arbitration::FIRST_COME}; ///< Arbitration among waiting packets.
    bool throughFirst{true};                          ///< Injection waits for through traffic.
    Routing routing{Routing::PRODUCTIVE};             ///< Permitted productive channels.
    SourceBusy sourceBusy{SourceBusy::WAIT};          ///< Treatment of a frame at a busy source.
    uint32_t queue{0};                                ///< Queue of a node [packets]; 0: any.
    Ticks creditDelay{1};                             ///< Delay of credits [cycles].
    Ticks holdLimit{8};                               ///< Maximum storage time [cycles].
    Ticks timeToLive{0};                              ///< Lifetime [cycles]; 0: unlimited.
    uint32_t misrouteLimit{0};                        ///< Maximum unproductive hops of a packet.
    double loss{0};                                   ///< Loss probability of a packet.
    double corruption{0};                             ///< Corruption probability of a hop.
    bool freeOnDrop{false};                           ///< Channels of a dropped packet are free in
                                                      ///< the next cycle.
};

/** A packet in the network, which has a cache line of its own. */
struct alignas(64) Packet
{
    Frame frame;              ///< Content.
    Ticks sent{0};            ///< Cycle of Send.
    Peer from{0};             ///< Source.
    Peer to{0};               ///< Destination.
    uint32_t flits{0};        ///< Length [flits].
    uint16_t hops{0};         ///< Number of taken channels; set by observing kernels.
    uint8_t misroutes{0};     ///< Number of unproductive hops.
    DropReason fate{NO_DROP}; ///< Reason of its drop on arrival, or NO_DROP.
};

static_assert(sizeof(Packet) == 64, "a packet fits into a cache line");

/** Trace source of heads that have taken a channel, the first one in the cycle in which the head
 * leaves the source. Only observing kernels fire it. */
using HopTrace = TracedCallback<const Packet&, Link, Ticks>;

/** Trace source of dropped packets, with reason and router. */
using DropTrace = TracedCallback<const Packet&, DropReason, uint32_t, Ticks>;

/** Trace source of packets whose tail has arrived. */
using DeliveryTrace = TracedCallback<const Packet&, Ticks>;

/** Trace sources of a network. */
struct KernelTraces
{
    const HopTrace* hop{nullptr};           ///< A head has taken a channel.
    const DropTrace* drop{nullptr};         ///< A packet has been dropped.
    const DeliveryTrace* delivery{nullptr}; ///< A packet's tail has arrived.
};

/**
 * Dynamic part of a network: one virtual call per cycle and per packet, none per hop.
 *
 * A packet sent in cycle t takes its first channel in t at the earliest, its n-th in t + n - 1, and
 * an ejection port in t + distance. It is delivered in t + distance + length, when its tail has
 * arrived. Replies sent on a delivery take their first channel in the cycle of the delivery.
 */
class Kernel
{
  public:
    /**
     * Create a kernel.
     * @param config settings
     * @param traces trace sources, which have to outlive the kernel
     * @param nNodes number of nodes
     */
    Kernel(const KernelConfig& config, const KernelTraces& traces, uint32_t nNodes);
    virtual ~Kernel();

    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    /**
     * Check whether a node's injection port is busy, without sending.
     * @param node the node
     * @param now the cycle
     * @return true if busy, and the user's OnReady follows; false if idle or unknown
     */
    virtual bool IsBusy(Peer node, Ticks now);

    /**
     * Send a packet.
     * @param from source
     * @param to destination
     * @param frame its content
     * @param flits its length, equal to the time for which it occupies a channel [cycles]
     * @param now the cycle
     * @return false if the source is busy; the user's OnReady follows
     */
    virtual bool Send(Peer from, Peer to, const Frame& frame, uint32_t flits, Ticks now) = 0;

    /**
     * Execute a cycle.
     * @param now the cycle, later than the previous one
     * @return whether there is work in the next cycle
     */
    virtual bool Step(Ticks now) = 0;

    /**
     * Fail or repair a link of a kernel that supports failures. Packets with flits on a failing
     * link are cut.
     * @param link the link
     * @param up whether it is up from now on
     * @param now the cycle
     */
    virtual void SetLinkUp([[maybe_unused]] Link link,
                           [[maybe_unused]] bool up,
                           [[maybe_unused]] Ticks now)
    {
    }

    /**
     * Fail or repair the ports of a node of a kernel that supports failures.
     * @param node the node
     * @param up whether they are up from now on
     * @param now the cycle
     */
    virtual void SetNodeUp([[maybe_unused]] uint32_t node,
                           [[maybe_unused]] bool up,
                           [[maybe_unused]] Ticks now)
    {
    }

    /**
     * @return the busy time of each link [channel cycles]; empty if the kernel does not observe.
     */
    const std::vector<uint64_t>& GetLinkBusy() const
    {
        return m_linkBusy;
    }

    /**
     * Set the receiver of frames and of OnReady.
     * @param user the receiver, or nullptr
     */
    void SetUser(messaging::PortUser* user)
    {
        m_user = user;
    }

    /** @return the counters. */
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /** @return the number of accepted packets that are neither delivered nor dropped. */
    uint64_t GetNInFlight() const
    {
        return m_packets.GetN();
    }

    /** @return the first cycle in which a packet sent now can take a channel. */
    Ticks GetNextCycle() const
    {
        return m_nextCycle;
    }

    /**
     * Assign random streams.
     * @param stream first stream
     * @return number of streams assigned
     */
    int64_t AssignStreams(int64_t stream);

  protected:
    /**
     * Store a packet.
     * @param from source
     * @param to destination
     * @param frame its content
     * @param flits its length [flits]
     * @param now the cycle
     * @return its number
     */
    uint32_t Store(Peer from, Peer to, const Frame& frame, uint32_t flits, Ticks now);

    /**
     * Drop a packet and forget it.
     * @param packet its number
     * @param reason reason of the drop
     * @param router router that drops it
     * @param now the cycle
     * @param injected whether its head had left the source
     */
    void Drop(uint32_t packet, DropReason reason, uint32_t router, Ticks now, bool injected);

    /**
     * Drop a packet before Store.
     * @param from source
     * @param to destination
     * @param frame its content
     * @param flits its length [flits]
     * @param reason reason of the drop
     * @param now the cycle
     */
    void DropAtSource(Peer from,
                      Peer to,
                      const Frame& frame,
                      uint32_t flits,
                      DropReason reason,
                      Ticks now);

    /**
     * Refuse a frame at a busy source.
     * @param from the source
     * @param now the cycle
     * @param when cycle of the following OnReady, later than now
     * @return false
     */
    bool Refuse(Peer from, Ticks now, Ticks when)
    {
        ++m_counters.refused;
        NotifyReady(from, now, when);
        return false;
    }

    /**
     * Deliver all packets whose tail arrives in a cycle, and notify nodes that wait for their
     * source.
     * @param now the cycle
     */
    void ServeDue(Ticks now);

    /**
     * Advance a later OnReady of a router's node to the next cycle; only with FreeOnDrop.
     * @param router the router
     * @param now the cycle
     */
    void AdvanceReady(uint32_t router, Ticks now);

    /**
     * Schedule OnReady.
     * @param node the node
     * @param now the cycle
     * @param when the cycle of the call, later than now
     */
    void NotifyReady(Peer node, Ticks now, Ticks when)
    {
        if (!m_waiting[node])
        {
            m_waiting[node] = 1;
            m_ready.Put(now, when, node);
            if (!m_readyAt.empty()) [[unlikely]]
            {
                m_readyAt[node] = when;
            }
        }
    }

    /** @return whether any delivery or OnReady is pending. */
    bool IsAnyDue() const
    {
        return !m_arrivals.IsEmpty() || !m_ready.IsEmpty();
    }

    KernelConfig m_config;                 ///< Settings.
    KernelTraces m_traces;                 ///< Trace sources.
    messaging::SlotPool<Packet> m_packets; ///< Packets by number.
    Calendar<uint32_t> m_arrivals;         ///< Packets by the arrival cycle of their tail.
    Counters m_counters;                   ///< Counters.
    std::vector<uint64_t> m_linkBusy;      ///< Busy time of the channels by link, if observed.
    Ticks m_nextCycle{0};                  ///< First cycle in which new packets move.
    Ptr<UniformRandomVariable> m_random;   ///< For choices among packets and channels.

    /**
     * Draw the number of trials until the first success.
     * @param probability success probability of a trial, above 0
     * @return the index of the successful trial, from 1
     */
    uint64_t DrawGap(double probability);

  private:
    /**
     * Call OnReady of the nodes for which it is due, except those that AdvanceReady has called
     * before.
     * @param now the cycle
     */
    void ServeReady(Ticks now);

    Calendar<Peer> m_ready;                  ///< Nodes by the cycle of their OnReady.
    std::vector<uint8_t> m_waiting;          ///< Whether an OnReady of the node is pending.
    std::vector<Ticks> m_readyAt;            ///< Cycle of that OnReady; for FreeOnDrop.
    messaging::PortUser* m_user{nullptr};    ///< Receiver of frames.
    Ptr<UniformRandomVariable> m_lossRandom; ///< For losses.
    uint64_t m_untilLoss{0};                 ///< Packets until the next loss; 0: never.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_KERNEL_H
