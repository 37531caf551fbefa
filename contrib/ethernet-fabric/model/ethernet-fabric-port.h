/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_FABRIC_PORT_H
#define ETHERNET_FABRIC_PORT_H

#include "ethernet-fabric-engine.h"

#include "ns3/messaging-any-port.h"
#include "ns3/messaging-core.h"
#include "ns3/messaging-table.h"
#include "ns3/simple-ref-count.h"
#include "ns3/traced-callback.h"

#include <algorithm>

/**
 * @file
 * @ingroup ethernet-fabric
 * A fabric as a datagram port.
 */

namespace ns3
{
namespace fabric
{

/** Trace sources of a network, which its port fires. */
struct FabricTraces : public SimpleRefCount<FabricTraces>
{
    TracedCallback<const LossEvent&, const Frame&> drop; ///< A frame is lost.
    TracedCallback<const PauseEvent&> pause;             ///< A switch pauses a sender.
    TracedCallback<const HopEvent&, const Frame&> hop;   ///< A frame has crossed a link.
};

/**
 * @ingroup ethernet-fabric
 * The datagram port (messaging::DatagramPort) of all hosts of a fabric.
 *
 * A host has a port in each plane, which the path value of a frame selects. A port holds SendQueue
 * frames; while it is full, Send returns false, and OnReady follows. A frame of a host to itself
 * arrives after a tick. FabricNetwork makes it.
 */
class FabricPort : public SimpleRefCount<FabricPort>, private FabricUser
{
  public:
    /**
     * Construct.
     * @param config the parameters, which have been checked
     * @param hosts number of hosts
     * @param traces trace sources, which are fired
     */
    FabricPort(const FabricConfig& config, uint32_t hosts, Ptr<FabricTraces> traces);

    /** @return the properties of the network. */
    messaging::PortInfo GetInfo() const
    {
        return m_info;
    }

    /**
     * Set the clock of the ticks, once and before the first Send.
     * @param clock the clock
     */
    void SetClock(Ptr<messaging::TickClock> clock);

    /** @return the number of hosts. */
    uint32_t GetNPeers() const
    {
        return m_engine.GetTopology().GetNHosts();
    }

    /**
     * Get the latency of a head on an idle network.
     * @param self the sender
     * @param to the receiver
     * @return the latency of the shortest frame, less its length [ticks]
     */
    Ticks Distance(Peer self, Peer to) const;

    /**
     * Get the length of a frame.
     * @param frame the frame
     * @return time for which it occupies a host's link, with preamble and gap [ticks]
     */
    Ticks WireTicks(const Frame& frame) const;

    /**
     * Send a frame.
     * @param self the sending host
     * @param to the receiving host
     * @param frame the frame
     * @return false if the host's port is full; OnReady follows
     */
    bool Send(Peer self, Peer to, const Frame& frame);

    /**
     * Set the receiver of frames.
     * @param user the user, not owned, or nullptr
     */
    void SetUser(messaging::PortUser* user)
    {
        m_user = user;
    }

    /** Carry packets, which have headers of their own: a frame is a packet and its checksum. */
    void CarryPackets();

    /**
     * Get the time of an exchange between the most distant hosts of an idle network.
     * @param request the frame sent
     * @param answer the frame that comes back
     * @return the time [ticks]
     */
    Ticks GetRoundTrip(const Frame& request, const Frame& answer) const;

    /** @return links and switches. */
    FabricEngine& GetEngine()
    {
        return m_engine;
    }

    /** @return a row for each port: frames, drops, marks, pauses and the longest queue. */
    Ptr<messaging::Table> MakePortTable();

  private:
    void OnArrival(Peer to, Peer from, const Frame& frame) override;
    void OnRoom(Peer host) override;
    void OnLoss(const LossEvent& loss, const Frame& frame) override;
    void OnPause(const PauseEvent& pause) override;
    void OnHop(const HopEvent& hop, const Frame& frame) override;

    bool TakesTrimmed() const override
    {
        return m_user && m_user->TakesTrimmed();
    }

    /** @return length of a frame on the wire, without preamble [bytes]. @param frame the frame */
    uint32_t GetBytes(const Frame& frame) const
    {
        return std::max(frame.header + frame.payload + m_overhead, LEAST_FRAME);
    }

    /** @param host a host @param frame a frame @return the end of the host in the frame's plane */
    Peer GetEnd(Peer host, const Frame& frame) const
    {
        return m_engine.GetConfig().GetPlane(frame.path) * GetNPeers() + host;
    }

    /** @param time a time in the fabric [ps] @return the time, rounded up [ticks] */
    Ticks ToTicks(Instant time) const
    {
        return (time + m_perTick - 1) / m_perTick;
    }

    FabricEngine m_engine;                ///< Links and switches.
    Ptr<FabricTraces> m_traces;           ///< Trace sources.
    messaging::PortInfo m_info;           ///< Properties.
    messaging::PortUser* m_user{nullptr}; ///< Receiver of frames, not owned.
    Instant m_perTick{PS_PER_NS};         ///< Length of a tick [ps].
    uint32_t m_overhead;                  ///< Bytes around a frame.
};

/**
 * @ingroup ethernet-fabric
 * A FabricPort behind virtual calls, whose round trip is that of the most distant hosts.
 */
class AnyFabricPort : public messaging::ErasedPort<FabricPort>
{
  public:
    using ErasedPort::ErasedPort;

    Ticks GetRoundTrip(const Frame& request, const Frame& answer) const override
    {
        return m_port->GetRoundTrip(request, answer);
    }
};

} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_PORT_H
