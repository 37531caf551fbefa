/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_GROUP_H
#define PARASTATION_GROUP_H

#include "parastation-nic.h"

#include "ns3/messaging-core-group.h"
#include "ns3/messaging-search-core-store.h"
#include "ns3/messaging-segmenting-core.h"
#include "ns3/traced-callback.h"

#include <type_traits>
#include <utility>

/**
 * @file
 * @ingroup parastation
 * A group of hosts whose network interfaces run ParaStation2 or a rival.
 */

namespace ns3
{
namespace parastation
{

/**
 * @ingroup parastation
 * Base of groups of hosts whose network interfaces run ParaStation2 or a rival. It has the counters
 * and the trace source; NicGroup adds the protocol and the network.
 */
class ParastationGroup
    : public messaging::NamedEvents<Event, messaging::LabelledGroup<PacketKind, 0xff>>
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /** @param event an event @return its count on all hosts */
    virtual uint64_t GetEventCount(Event event) const = 0;

    /** @param peer a host @return whether no work is pending on it */
    virtual bool IsIdle(messaging::Peer peer) const = 0;

    /** @return the largest message that needs no segmenting layer [bytes]. */
    virtual uint32_t GetLargestWhole() const = 0;

    /** @return the largest protocol state of a host [bytes]. */
    virtual uint64_t GetMemory() const = 0;

    /** @return copies of the cores of all hosts, for a search. */
    virtual std::shared_ptr<messaging::CoreStore> CopyCores() const = 0;

    /**
     * Pass an event to the trace source Event.
     * @param peer the host
     * @param reason the event
     */
    void OnNote(messaging::Peer peer, messaging::Reason reason)
    {
        if (!m_eventTrace.IsEmpty())
        {
            m_eventTrace(peer, static_cast<Event>(reason));
        }
    }

    /**
     * Signature of the Event trace source.
     * @param peer the host
     * @param event the event: the begin of a step of figure 2, or an incident
     */
    typedef void (*EventTracedCallback)(messaging::Peer peer, Event event);

  private:
    TracedCallback<messaging::Peer, Event> m_eventTrace; ///< Fired for each event.
};

/**
 * @ingroup parastation
 * ParaStation2 or a rival on a network.
 *
 * @tparam Core a NicCore, or a messaging::SegmentingCore of one
 * @tparam Port the network, a messaging::DatagramPort
 */
template <class Core, messaging::DatagramPort Port>
class NicGroup : public messaging::CoreGroup<Core, Port, ParastationGroup>
{
    /** The core of a host, without a layer. */
    using HostCore =
        std::remove_reference_t<decltype(messaging::GetInnerCore(std::declval<Core&>()))>;

  public:
    /**
     * Connect to a network.
     * @param clock the clock of the network's ticks
     * @param port the network
     * @param config parameters common to all hosts
     */
    void Connect(Ptr<messaging::TickClock> clock, Ptr<Port> port, const Config& config)
    {
        const uint32_t peers = port->GetNPeers();
        messaging::CoreGroup<Core, Port, ParastationGroup>::Connect(
            clock,
            port,
            [&config, peers](messaging::Peer peer) {
                return messaging::MakeLayered<Core>(HostCore(config, peer, peers));
            });
    }

    uint64_t GetEventCount(Event event) const override
    {
        return this->GetCount(static_cast<messaging::Reason>(event));
    }

    bool IsIdle(messaging::Peer peer) const override
    {
        return this->GetCore(peer).IsIdle();
    }

    uint32_t GetLargestWhole() const override
    {
        return messaging::GetInnerCore(this->GetCore(0)).GetLargestMessage();
    }

    uint64_t GetMemory() const override
    {
        uint64_t largest = 0;
        for (messaging::Peer peer = 0; peer < this->GetNPeers(); ++peer)
        {
            largest = std::max<uint64_t>(largest, this->GetCore(peer).GetMemory());
        }
        return largest;
    }

    std::shared_ptr<messaging::CoreStore> CopyCores() const override
    {
        return messaging::MakeCores(*this);
    }
};

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_GROUP_H
