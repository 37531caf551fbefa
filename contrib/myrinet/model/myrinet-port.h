/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_PORT_H
#define MYRINET_PORT_H

#include "ns3/messaging-any-port.h"
#include "ns3/messaging-core.h"
#include "ns3/messaging-host.h"
#include "ns3/messaging-table.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/myrinet-config.h"
#include "ns3/myrinet-fabric.h"
#include "ns3/simple-ref-count.h"
#include "ns3/traced-callback.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup myrinet
 * A Myrinet as a datagram port.
 */

namespace ns3
{
namespace myrinet
{

/** Trace sources of a network, which its port fires. */
struct MyrinetTraces : public SimpleRefCount<MyrinetTraces>
{
    TracedCallback<const Packet&> sent;     ///< A packet has left its host.
    TracedCallback<const Packet&> delivery; ///< A packet has arrived.
    TracedCallback<const Packet&, DropReason, ChannelId, Instant> drop; ///< A packet was lost.
};

/**
 * @ingroup myrinet
 * The datagram port (messaging::DatagramPort) of all network interfaces of a Myrinet. Its ticks are
 * those of its clock, 1 ns by default.
 *
 * Send is a transmission from the interface's SRAM by its send DMA engine. While the engine has
 * SendQueue packets, Send returns false, and OnReady follows. The receive DMA engine moves an
 * arriving packet into one of the host's ReceiveBuffers; OnFrame is called after the last character
 * and a good CRC. The buffer is free again when OnFrame returns or, after SetRetain(true), when the
 * protocol calls Release, once for each OnFrame. A packet without a free buffer blocks the network
 * or is dropped, depending on attribute ReceiveFull.
 *
 * MyrinetNetwork makes it.
 */
class MyrinetPort : public SimpleRefCount<MyrinetPort>, private messaging::TickUser
{
  public:
    static constexpr int64_t N_STREAMS = 4; ///< Random streams that it uses.

    /**
     * Construct.
     * @param config parameters of the network, without errors
     * @param traces trace sources, which are fired
     */
    MyrinetPort(const MyrinetConfig& config, Ptr<MyrinetTraces> traces);

    /** @return the properties of the network. */
    messaging::PortInfo GetInfo() const
    {
        return m_config.GetInfo();
    }

    /**
     * Set the clock of the ticks, once and before the first Send.
     * @param clock the clock
     */
    void SetClock(Ptr<messaging::TickClock> clock);

    /** @return the number of hosts. */
    uint32_t GetNPeers() const
    {
        return GetTopology().GetNHosts();
    }

    /**
     * Get the latency of a head on an idle network.
     * @param self the sender
     * @param to the receiver
     * @return the time from Send until the first character is received [ticks]
     */
    Ticks Distance(Peer self, Peer to) const;

    /**
     * Get the length of a frame's packet.
     * @param frame the frame
     * @return shortest time on a link, without the route [ticks]
     */
    Ticks WireTicks(const Frame& frame) const;

    /**
     * Send a frame.
     * @param self the sending host
     * @param to the receiving host
     * @param frame the frame
     * @return false if the send engine is busy; OnReady follows
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

    /**
     * Set whether frames retain their receive buffers until Release.
     * @param retain true to retain them
     */
    void SetRetain(bool retain)
    {
        m_retain = retain;
    }

    /**
     * Free a receive buffer kept by a frame.
     * @param self the host
     */
    void Release(Peer self);

    /**
     * Make a host's interface accept packets, or block them in the network.
     * @param self the host
     * @param accepting whether it accepts packets
     */
    void SetAccepting(Peer self, bool accepting);

    /**
     * Get the time of an exchange between a host and the next one on an idle network.
     * @param request the frame sent
     * @param answer the frame that comes back
     * @return the time, with the host sides of the interfaces [ticks]
     */
    Ticks GetRoundTrip(const Frame& request, const Frame& answer) const;

    /**
     * Get the host side of an interface.
     * @param self the host
     * @return its LANai, host DMA engine and bus; null without the attribute Lanai
     */
    Ptr<messaging::HostModel> GetLanai(Peer self) const
    {
        return m_adapters.empty() ? nullptr : m_adapters[self].lanai;
    }

    /** Drop all frames in the host sides of the interfaces. */
    void Stop();

    /** @return the counts so far. */
    const Counters& GetCounters() const
    {
        return GetFabric().GetCounters();
    }

    /** @return the links, switches and interfaces. */
    Fabric& GetFabric() const
    {
        return *m_fabric;
    }

    /** @return the hosts, switches and links. */
    const Topology& GetTopology() const
    {
        return *m_topology;
    }

    /**
     * Find a deadlock: a ring of links that wait for one another.
     * @return empty, or the links, each followed by the one it waits for
     */
    std::string FindDeadlock() const;

    /** @return a row for each channel: packets, characters, use, STOPs, errors, losses, blocking.
     */
    Ptr<messaging::Table> MakeLinkTable() const;

    /** @return use of LANais, host DMA engines and buses; without rows if there are none. */
    Ptr<messaging::Table> MakeLanaiTable() const;

    /** @return a row for each counter. */
    Ptr<messaging::Table> MakeCounterTable() const;

    /**
     * Assign random streams.
     * @param stream first stream
     */
    void AssignStreams(int64_t stream);

  private:
    /** Frame on its way from a host to its send engine. */
    struct Outgoing
    {
        Peer to;     ///< The receiver.
        Frame frame; ///< The frame.
    };

    /** Host side of an interface. */
    struct Adapter
    {
        Ptr<messaging::HostModel> lanai; ///< Processor, host DMA engine and bus.
        std::deque<Outgoing> fetched;    ///< Frames in the SRAM that wait for the send engine.
        uint32_t buffers{0};             ///< Buffers of the send ring in use.
    };

    void OnTick(Peer peer, uint64_t datum) override;

    /**
     * Check whether a host can send no frame now.
     * @param self the host
     * @return whether the send engine or, with a LANai, the send ring is full
     */
    bool IsFull(Peer self) const;

    /**
     * Pass a frame in the SRAM to the send engine.
     * @param self the sending host
     * @param outgoing the frame
     */
    void Inject(Peer self, const Outgoing& outgoing);

    /** Pass frames in the SRAM to the send engine while it takes them. @param self the host */
    void InjectFetched(Peer self);

    /**
     * Get the work of a LANai and its host DMA engine for a frame.
     * @param frame the frame
     * @return the steps
     */
    std::vector<messaging::Work> GetLanaiWork(const Frame& frame) const;

    /** @param frame a frame @return time of its LANaiWork on an idle interface [ticks] */
    Ticks GetLanaiTicks(const Frame& frame) const;

    /**
     * Pass an arrived packet to the user, and free its buffer unless frames retain it.
     * @param packet the packet
     */
    void Deliver(const Packet& packet);

    /** @param time a time in the fabric [ps] @return the time, rounded up [ticks] */
    Ticks ToTicks(Instant time) const
    {
        return (time + m_perTick - 1) / m_perTick;
    }

    /** @param self the sender @param to the receiver @return route bytes of a packet */
    uint32_t GetRouteChars(Peer self, Peer to) const;

    /** Advance the fabric until now. @return the time [ps] */
    Instant CatchUp();

    /** Schedule the next call of OnTick. */
    void ScheduleWake();

    /** Pass all notices to the user and the trace sources. */
    void Notify();

    /** Pass on one notice. @param notice the notice */
    void OnNotice(const Notice& notice);

    MyrinetConfig m_config;               ///< Parameters of the network.
    Ptr<MyrinetTraces> m_traces;          ///< Trace sources.
    std::unique_ptr<Topology> m_topology; ///< The topology.
    std::unique_ptr<Routes> m_routes;     ///< The routes.
    std::unique_ptr<Fabric> m_fabric;     ///< Packets in links and switches.
    std::vector<Adapter> m_adapters;      ///< Host sides by host; empty without Lanai.
    std::vector<uint32_t> m_queued;       ///< Packets at the send engine by host.
    std::vector<uint8_t> m_waiting;       ///< Hosts that wait for OnReady.
    Ptr<messaging::TickClock> m_clock;    ///< Clock.
    Instant m_perTick{PS_PER_NS};         ///< Length of a tick [ps].
    Ticks m_wakeAt{messaging::NEVER};     ///< Time of the next OnTick.
    uint32_t m_number{0};                 ///< The clock's number of this user.
    messaging::PortUser* m_user{nullptr}; ///< Receiver of frames, not owned.
    std::vector<Notice> m_notices;        ///< Notices being passed on.
    bool m_notifying{false};              ///< Notify is running.
    bool m_retain{false};                 ///< Frames keep their buffers.
};

/**
 * @ingroup myrinet
 * A MyrinetPort behind virtual calls, with its own round trip.
 */
class MyrinetAnyPort : public messaging::ErasedPort<MyrinetPort>
{
  public:
    using ErasedPort::ErasedPort;

    Ticks GetRoundTrip(const Frame& request, const Frame& answer) const override
    {
        return m_port->GetRoundTrip(request, answer);
    }
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_PORT_H
