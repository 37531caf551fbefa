/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_ENGINE_H
#define INFINIBAND_ENGINE_H

#include "infiniband-context-cache.h"
#include "infiniband-hca-counters.h"

#include "ns3/infiniband-config.h"
#include "ns3/infiniband-topology.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <string>

/**
 * @file
 * @ingroup infiniband
 * Adapters and fabric below the verbs.
 */

namespace ns3
{
namespace infiniband
{

class Subnet;
class Verbs;

/**
 * @ingroup infiniband
 * Adapters and fabric below the verbs.
 *
 * The verbs hand an engine work requests that have passed all local checks, in the order posted for
 * each queue pair. The engine decides when they end, and calls
 * Verbs::CompleteSend, Verbs::TakeReceive and Verbs::CompleteReceive. There is one virtual call a
 * message, none a packet or hop.
 */
class Engine : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Signature of trace source Work.
     * @param host the adapter
     * @param part which of its engines: SEND, RECEIVE or ACKNOWLEDGE
     * @param begin since when it works [ns]
     * @param end until when [ns]
     */
    typedef void (*WorkTracedCallback)(HostId host, HcaCounters::Part part, Ticks begin, Ticks end);

    /**
     * Signature of trace source ContextMiss.
     * @param host the adapter
     * @param qp the queue pair whose context it has looked into
     * @param role what for
     * @param lines how many it has to fetch
     */
    typedef void (*ContextMissTracedCallback)(HostId host,
                                              Qpn qp,
                                              ContextRole role,
                                              uint32_t lines);

    Engine();
    ~Engine() override;

    /**
     * Check the constants against each other; each alone has passed its checker.
     * @return an empty text, or one sentence that names what is wrong and what is allowed
     */
    std::string Check() const;

    /** @return true if packets are lost at random or links fail. */
    bool HasFaults() const
    {
        return m_packetLoss > 0 || m_failedLinks > 0;
    }

    /** @return how many links between switches are to fail. */
    uint32_t GetNFailedLinks() const
    {
        return m_failedLinks;
    }

    /**
     * Check that there are as many links as are to fail.
     * @param subnet topology, built
     * @return an empty text, or one sentence with the reason
     */
    std::string CheckFailures(const Subnet& subnet) const;

    /**
     * Begin to serve.
     * @param verbs the verbs, not owned
     * @param clock counts nanoseconds
     * @param nHosts the number of adapters
     * @return an empty text, or one sentence with the reason
     */
    virtual std::string Start(Verbs* verbs, Ptr<messaging::TickClock> clock, HostId nHosts) = 0;

    /**
     * A work request was posted on a queue pair in RTS.
     * @param qp the queue pair
     * @param wr the request, to be copied
     */
    virtual void Post(Qpn qp, const SendWr& wr) = 0;

    /**
     * A work request will be posted: bring what is known of its queue pair into the processor's
     * caches. Nothing has to be done.
     * @param qp the queue pair
     */
    virtual void Expect([[maybe_unused]] Qpn qp)
    {
    }

    /**
     * A queue pair has changed its state: forget what a transition to RESET or ERR ends.
     * @param qp the queue pair
     * @param state its new state
     */
    virtual void OnState(Qpn qp, QpState state) = 0;

    /**
     * Get the latency between two hosts on an idle network.
     * @param from a host
     * @param to another
     * @param bytes length of a message [bytes]
     * @return from the doorbell to the receiver's completion [ns]
     */
    virtual Ticks GetIdleLatency(HostId from, HostId to, uint32_t bytes) const = 0;

    /**
     * Take a link down or up now. Packets over a link that is down are lost, until the
     * subnet manager leads it around (SweepDelay).
     * @param port one of its ends
     * @param up whether it is up
     */
    virtual void SetLinkUp(PortId port, bool up) = 0;

    /**
     * Take a link down or up at some time.
     * @param port one of its ends
     * @param up whether it is up
     * @param when the time [ns]
     */
    virtual void PlanLink(PortId port, bool up, Ticks when) = 0;

    /** @return the number of adapters. */
    virtual HostId GetNHosts() const = 0;

    /** @return what an adapter has counted. @param host the adapter */
    virtual const HcaCounters& GetHcaCounters(HostId host) const = 0;

    /**
     * @param host an adapter
     * @return how long its engine has worked; if there are several, the busiest of them [ns]
     */
    Ticks GetEngineTime(HostId host) const;

    /** @return the links' constants. */
    const LinkConfig& GetLinkConfig() const
    {
        return m_link;
    }

    /** @return the adapters' constants. */
    const HcaConfig& GetHcaConfig() const
    {
        return m_hca;
    }

    /**
     * Set the adapters' constants, before Start: those that are no attributes too.
     * @param hca the constants
     */
    void SetHcaConfig(const HcaConfig& hca)
    {
        m_hca = hca;
    }

    /** @return how many lines of contexts were looked for in the caches. */
    uint64_t GetNContextTouches() const;

    /** @return how many of them had to be fetched over PCI Express. */
    uint64_t GetNContextMisses() const;

    /** @return packets lost by the faults. */
    uint64_t GetNLost() const
    {
        return m_lost;
    }

    /** @return events that the engine has served. */
    uint64_t GetNEvents() const
    {
        return m_events;
    }

  protected:
    /**
     * Plan the failures that attributes ask for.
     * @param subnet topology, built
     */
    void PlanFailures(const Subnet& subnet);

    LinkConfig m_link;         ///< Links and switches; attributes.
    HcaConfig m_hca;           ///< Adapters; attributes.
    double m_packetLoss{0};    ///< Probability that a packet is lost between two hosts.
    uint32_t m_failedLinks{0}; ///< Links between switches that fail.
    Time m_failureTime;        ///< When they do.
    Time m_repairTime;         ///< Duration of the failure, or negative.
    Time m_sweepDelay;         ///< From a change of a link to new tables, or negative.
    uint64_t m_lost{0};        ///< Packets lost by the faults.
    uint64_t m_events{0};      ///< Events served.
    /** An engine of an adapter works: adapter, which, begin, end. */
    TracedCallback<HostId, HcaCounters::Part, Ticks, Ticks> m_work;
    /** Lines of a context are not in the cache: adapter, queue pair, what for, how many. */
    TracedCallback<HostId, Qpn, ContextRole, uint32_t> m_contextMiss;
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_ENGINE_H
