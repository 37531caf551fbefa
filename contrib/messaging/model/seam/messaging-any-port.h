/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_ANY_PORT_H
#define MESSAGING_ANY_PORT_H

#include "ns3/messaging-core.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup messaging
 * A port whose network is chosen at run time.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A DatagramPort behind virtual calls: one call a frame, none a hop.
 *
 * A protocol that is instantiated for AnyPort runs on every network.
 */
class AnyPort : public SimpleRefCount<AnyPort>
{
  public:
    virtual ~AnyPort() = default;

    /** @return the properties of the network. */
    virtual PortInfo GetInfo() const = 0;

    /** @return the number of peers. */
    virtual uint32_t GetNPeers() const = 0;

    /**
     * Get a distance.
     * @param self a peer
     * @param to another
     * @return latency of a frame's head on an idle network [ticks]
     */
    virtual Ticks Distance(Peer self, Peer to) const = 0;

    /**
     * Get the length of a frame.
     * @param frame the frame
     * @return time for which it occupies a channel [ticks]
     */
    virtual Ticks WireTicks(const Frame& frame) const = 0;

    /**
     * Send a frame.
     * @param self the sender
     * @param to the receiver, or NO_PEER for all others where the port can broadcast
     * @param frame the frame
     * @return false if the port is busy; OnReady follows
     */
    virtual bool Send(Peer self, Peer to, const Frame& frame) = 0;

    /**
     * Check whether the port is busy, without sending.
     * @param self the sender
     * @return true if Send would return false, and OnReady follows; false if idle or unknown
     */
    virtual bool IsBusy([[maybe_unused]] Peer self)
    {
        return false;
    }

    /**
     * Set the receiver of frames.
     * @param user the user, not owned, or nullptr
     */
    virtual void SetUser(PortUser* user) = 0;

    /**
     * Let a peer accept frames, or leave them in a network with back-pressure; no effect on other
     * networks.
     * @param self the peer
     * @param accepting true to accept frames
     */
    virtual void SetAccepting([[maybe_unused]] Peer self, [[maybe_unused]] bool accepting)
    {
    }

    /**
     * Get the time of an exchange between a peer and the next one on an idle network.
     * @param request the frame sent
     * @param answer the frame that comes back
     * @return the time, at least one tick [ticks]
     */
    virtual Ticks GetRoundTrip(const Frame& request, const Frame& answer) const
    {
        const Peer next = GetNPeers() > 1 ? 1 : 0;
        const Ticks there = Distance(0, next) + WireTicks(request);
        return std::max<Ticks>(there + Distance(next, 0) + WireTicks(answer), 1);
    }

    /**
     * Get the part of an exchange in the network, without the work of hosts. Windows and credits,
     * which fill the network, are products of it; timeouts and measured round trips contain the
     * work, too.
     * @param request the frame sent
     * @param answer the frame that comes back
     * @return the time, at least one tick [ticks]
     */
    virtual Ticks GetNetworkRoundTrip(const Frame& request, const Frame& answer) const
    {
        return GetRoundTrip(request, answer);
    }
};

/**
 * @ingroup messaging
 * AnyPort over a concrete port.
 *
 * @tparam P the concrete port, a DatagramPort
 */
template <DatagramPort P>
class ErasedPort : public AnyPort
{
  public:
    /** @param port the concrete port */
    explicit ErasedPort(Ptr<P> port)
        : m_port(std::move(port))
    {
    }

    PortInfo GetInfo() const override
    {
        return PeekPointer(m_port)->GetInfo();
    }

    uint32_t GetNPeers() const override
    {
        return PeekPointer(m_port)->GetNPeers();
    }

    Ticks Distance(Peer self, Peer to) const override
    {
        return PeekPointer(m_port)->Distance(self, to);
    }

    Ticks WireTicks(const Frame& frame) const override
    {
        return PeekPointer(m_port)->WireTicks(frame);
    }

    bool Send(Peer self, Peer to, const Frame& frame) override
    {
        return PeekPointer(m_port)->Send(self, to, frame);
    }

    bool IsBusy([[maybe_unused]] Peer self) override
    {
        if constexpr (requires(P& port) { port.IsBusy(self); })
        {
            return PeekPointer(m_port)->IsBusy(self);
        }
        return false;
    }

    void SetUser(PortUser* user) override
    {
        PeekPointer(m_port)->SetUser(user);
    }

    void SetAccepting([[maybe_unused]] Peer self, [[maybe_unused]] bool accepting) override
    {
        if constexpr (requires(P& port) { port.SetAccepting(self, accepting); })
        {
            PeekPointer(m_port)->SetAccepting(self, accepting);
        }
    }

    Ticks GetRoundTrip(const Frame& request, const Frame& answer) const override
    {
        if constexpr (requires(const P& port) { port.GetRoundTrip(request, answer); })
        {
            return PeekPointer(m_port)->GetRoundTrip(request, answer);
        }
        return AnyPort::GetRoundTrip(request, answer);
    }

    Ticks GetNetworkRoundTrip(const Frame& request, const Frame& answer) const override
    {
        if constexpr (requires(const P& port) { port.GetNetworkRoundTrip(request, answer); })
        {
            return PeekPointer(m_port)->GetNetworkRoundTrip(request, answer);
        }
        return AnyPort::GetNetworkRoundTrip(request, answer);
    }

  protected:
    Ptr<P> m_port; ///< The concrete port.
};

/**
 * Put a port behind virtual calls.
 * @tparam P the concrete port, a DatagramPort
 * @param port the port
 * @return the same port as AnyPort
 */
template <DatagramPort P>
Ptr<AnyPort>
MakeAnyPort(Ptr<P> port)
{
    return Ptr<AnyPort>(new ErasedPort<P>(std::move(port)), false);
}

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_ANY_PORT_H
