/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_KERNEL_H
#define WORMHOLE_KERNEL_H

#include "ns3/messaging-core.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"
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
    uint32_t injectionPorts{1};                       ///< Of each node, 0 for any number.
    uint32_t ejectionPorts{1};                        ///< Of each node, 0 for any number.
    ServiceOrder serviceOrder{ServiceOrder::OLDEST};  ///< Of heads that contend.
    Arbitration arbitration{Arbitration::FIRST_COME}; ///< Of packets that wait.
    bool throughFirst{true};                          ///< Injection waits for through traffic.
    Routing routing{Routing::PRODUCTIVE};             ///< Channels that a head may take.
    SourceBusy sourceBusy{SourceBusy::WAIT};          ///< Treatment of a frame at a busy source.
    uint32_t queue{0};                                ///< Packets in a node's queue, 0 for any.
    Ticks creditDelay{1};                             ///< Until a freed buffer is known upstream.
    Ticks holdLimit{8};                               ///< Longest storage at a hybrid router.
    Ticks timeToLive{0};                              ///< Of a packet, 0 for ever.
    uint32_t misrouteLimit{0};                        ///< Unproductive hops of a packet.
    double loss{0};                                   ///< Probability of loss of a packet.
    double corruption{0};                             ///< Probability of corruption on a hop.
    bool freeOnDrop{false};                           ///< Channels are free in the next cycle.
};

/** A packet in the network. */
struct Packet
{
    Frame frame;          ///< What it carries.
    Ticks sent{0};        ///< When it was sent [cycles].
    Ticks injected{0};    ///< When its head left the source [cycles]; kept by observing kernels.
    Peer from{0};         ///< Source.
    Peer to{0};           ///< Destination.
    uint32_t flits{0};    ///< Length.
    uint16_t hops{0};     ///< Channels taken; kept by observing kernels.
    uint8_t misroutes{0}; ///< Unproductive ones of them.
    uint8_t fate{0};      ///< Why it will be dropped at its destination: 1 + DropReason, or 0.
};

/** Observer of packets. */
class KernelObserver
{
  public:
    virtual ~KernelObserver() = default;

    /**
     * A head has taken a channel; only observing kernels report it.
     * @param packet the packet
     * @param link the link
     * @param now the cycle
     */
    virtual void OnHop(const Packet& packet, Link link, Ticks now) = 0;

    /**
     * A packet has been dropped.
     * @param packet the packet
     * @param reason why
     * @param router where
     * @param now the cycle
     */
    virtual void OnDrop(const Packet& packet, DropReason reason, uint32_t router, Ticks now) = 0;

    /**
     * A packet's tail has arrived.
     * @param packet the packet
     * @param now the cycle
     */
    virtual void OnDelivery(const Packet& packet, Ticks now) = 0;
};

/**
 * The moving part of a network: one virtual call a cycle and one a packet, none a hop.
 *
 * A packet is sent in cycle t, takes its first channel in t if that is free, its n-th in t + n - 1
 * at the earliest, and an ejection port in t + distance; its tail has arrived, and it is delivered,
 * in t + distance + length. Replies that are sent on a delivery take their first channel in the
 * cycle of the delivery.
 */
class Kernel
{
  public:
    /**
     * Create a kernel.
     * @param config settings
     * @param nNodes number of nodes
     */
    Kernel(const KernelConfig& config, uint32_t nNodes);
    virtual ~Kernel();

    Kernel(const Kernel&) = delete;
    Kernel& operator=(const Kernel&) = delete;

    /**
     * Check whether a node's injection port is busy, without sending anything.
     * @param node the node
     * @param now the cycle
     * @return true if it is, and the user's OnReady follows; false if it is not, or unknown
     */
    virtual bool IsBusy(Peer node, Ticks now);

    /**
     * Send a packet.
     * @param from source
     * @param to destination
     * @param frame what it carries
     * @param flits its length, which is also the time for which it occupies a channel [cycles]
     * @param now the cycle
     * @return false if the source is busy; the user's OnReady follows
     */
    virtual bool Send(Peer from, Peer to, const Frame& frame, uint32_t flits, Ticks now) = 0;

    /**
     * Do the work of a cycle.
     * @param now the cycle, later than the one before
     * @return whether there is more to do in the next
     */
    virtual bool Step(Ticks now) = 0;

    /**
     * A link fails or is repaired. Packets with flits on a failing link are cut.
     * @param link the link
     * @param up whether it works from now on
     * @param now the cycle
     */
    virtual void SetLinkUp(Link link, bool up, Ticks now) = 0;

    /**
     * A node's ports fail or are repaired.
     * @param node the node
     * @param up whether they work from now on
     * @param now the cycle
     */
    virtual void SetNodeUp(uint32_t node, bool up, Ticks now) = 0;

    /** @return for how long each link has been busy [channel cycles]; empty if the kernel does not
     * observe. */
    virtual std::vector<uint64_t> GetLinkBusy() const;

    /**
     * Set the listeners.
     * @param user receiver of frames and of OnReady, or nullptr
     * @param observer observer of all packets, or nullptr
     */
    void SetListeners(messaging::PortUser* user, KernelObserver* observer);

    /** @return the counters so far. */
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /** @return the number of packets that have been taken and neither delivered nor dropped. */
    uint64_t GetNInFlight() const
    {
        return m_packets.size() - m_free.size();
    }

    /** @return the flits of all packets that have been injected and neither delivered nor dropped.
     */
    uint64_t GetFlitsInFlight() const;

    /** @return the cycle in which a packet sent now takes its first channel at the earliest. */
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
     * @param frame what it carries
     * @param flits its length
     * @param now the cycle
     * @return its number
     */
    uint32_t Store(Peer from, Peer to, const Frame& frame, uint32_t flits, Ticks now);

    /**
     * Drop a packet and forget it.
     * @param packet its number
     * @param reason why
     * @param router where
     * @param now the cycle
     * @param injected whether its head had left the source
     */
    void Drop(uint32_t packet, DropReason reason, uint32_t router, Ticks now, bool injected);

    /**
     * Drop a packet that has not been stored.
     * @param from source
     * @param to destination
     * @param frame what it carries
     * @param flits its length
     * @param reason why
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
     * @param when the cycle of its OnReady, later than now
     * @return false
     */
    bool Refuse(Peer from, Ticks now, Ticks when)
    {
        ++m_counters.refused;
        NotifyReady(from, now, when);
        return false;
    }

    /**
     * Deliver all packets whose tail arrives in a cycle, and notify nodes that wait to send.
     * @param now the cycle
     */
    void ServeDue(Ticks now);

    /**
     * Move a later OnReady of a router's node to the next cycle; only if FreeOnDrop.
     * @param router the router
     * @param now the cycle
     */
    void Hasten(uint32_t router, Ticks now);

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

    /** @return whether any delivery or OnReady is due at any time. */
    bool IsAnyDue() const
    {
        return !m_arrivals.IsEmpty() || !m_ready.IsEmpty();
    }

    KernelConfig m_config;               ///< Settings.
    uint32_t m_nNodes;                   ///< Number of nodes.
    std::vector<Packet> m_packets;       ///< Packets by number.
    std::vector<uint32_t> m_free;        ///< Numbers that are free.
    Calendar<uint32_t> m_arrivals;       ///< Packets by the arrival of their tail.
    Counters m_counters;                 ///< Counters.
    Ticks m_nextCycle{0};                ///< The cycle in which new packets move first.
    KernelObserver* m_observer{nullptr}; ///< Observer of all packets.
    Ptr<UniformRandomVariable> m_random; ///< For choices among packets and channels.

    /**
     * Draw how many trials pass until the first success.
     * @param probability of success of one, above 0
     * @return the number of that trial, from 1
     */
    uint64_t DrawGap(double probability);

  private:
    Calendar<Peer> m_ready;                  ///< Nodes by the cycle in which they may send.
    std::vector<uint8_t> m_waiting;          ///< Nodes with a scheduled OnReady.
    std::vector<Ticks> m_readyAt;            ///< Its cycle; if FreeOnDrop.
    messaging::PortUser* m_user{nullptr};    ///< Receiver of frames.
    Ptr<UniformRandomVariable> m_lossRandom; ///< For losses.
    uint64_t m_untilLoss{0};                 ///< Packets until the next loss, 0 for never.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_KERNEL_H
