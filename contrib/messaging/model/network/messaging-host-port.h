/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_HOST_PORT_H
#define MESSAGING_HOST_PORT_H

#include "ns3/messaging-forwarding-port.h"
#include "ns3/messaging-host-profile.h"
#include "ns3/messaging-host.h"
#include "ns3/messaging-tick-clock.h"

#include <deque>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * A port whose frames cost the hosts processor time.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A port that counts frames and charges the hosts of sender and receiver for each: processor time,
 * system calls, interrupts, and a copy of its payload. A write into the receiver's memory is not
 * copied, and takes none of the receiver's time unless it notifies it.
 *
 * Frames that a peer sends while its host handles one wait, as the calls of a process follow each
 * other; the port is busy while 32 of them wait. Without hosts, frames pass at once.
 */
class HostPort : public ForwardingPort<AnyPort>
{
  public:
    /**
     * Construct.
     * @param clock counts the ticks of the port
     * @param port the port of the network; it has no other user
     * @param hosts host of each peer; none if frames cost nothing
     * @param costs costs of a frame
     */
    HostPort(Ptr<TickClock> clock,
             Ptr<AnyPort> port,
             std::vector<Ptr<HostModel>> hosts,
             const FrameCosts& costs);

    /** @return the properties of the network; the slip with the waits of frames for their host. */
    PortInfo GetInfo() const override;

    bool Send(Peer self, Peer to, const Frame& frame) override;

    /**
     * Get the time of an exchange on idle hosts and an idle network.
     * @param request the frame sent
     * @param answer the frame that comes back
     * @return the time, with the work at both hosts [ticks]
     */
    Ticks GetRoundTrip(const Frame& request, const Frame& answer) const override;

    bool IsBusy(Peer self) override
    {
        return m_hosts.empty() && ForwardingPort::IsBusy(self);
    }

    /** @return frames sent; one to all others counts once. */
    uint64_t GetNFrames() const
    {
        return m_frames;
    }

    /** @return receivers of the frames sent. */
    uint64_t GetNCopies() const
    {
        return m_copies;
    }

    /** @return frames that have arrived. */
    uint64_t GetNArrived() const
    {
        return m_arrived;
    }

    /** @return protocol headers and payloads of those frames [bytes]. */
    uint64_t GetNBytes() const
    {
        return m_bytes;
    }

    /** @return the largest payload of those frames [bytes]. */
    uint32_t GetLargestPayload() const
    {
        return m_largestPayload;
    }

  private:
    /** State of a peer's transmit path. */
    enum class Stage : uint8_t
    {
        IDLE,   ///< Nothing is being sent.
        HOST,   ///< The host handles a frame.
        BLOCKED ///< The port was busy when the frame was ready.
    };

    /** A frame to send. */
    struct Outgoing
    {
        Frame frame; ///< The frame.
        Peer to{0};  ///< Its destination.
    };

    /** The transmit path of a peer. */
    struct Transmitter
    {
        std::deque<Outgoing> frames; ///< Frames to send; the first is being sent.
        Stage stage{Stage::IDLE};    ///< State of the first.
        bool waiting{false};         ///< Send returned false; OnReady follows.
    };

    void OnFrame(Peer self, Peer from, const Frame& frame) override;
    void OnReady(Peer self) override;

    /**
     * Let the host of a peer handle its first frame.
     * @param self the peer
     */
    void Begin(Peer self);

    /**
     * Pass the first frame of a peer on to the port.
     * @param self the peer
     */
    void Transmit(Peer self);

    /**
     * Count a frame.
     * @param to its destination
     * @param frame the frame
     */
    void Count(Peer to, const Frame& frame);

    /**
     * Get the work of a frame at its sender.
     * @param frame the frame
     * @return the steps of work
     */
    std::vector<Work> GetSendWork(const Frame& frame) const;

    /**
     * Get the work of a frame at its receiver.
     * @param self the receiver
     * @param frame the frame
     * @return the steps of work
     */
    std::vector<Work> GetReceiveWork(Peer self, const Frame& frame) const;

    std::vector<Ptr<HostModel>> m_hosts;     ///< Host of each peer, or none.
    FrameCosts m_costs;                      ///< Costs of a frame.
    Ptr<TickClock> m_clock;                  ///< Counts the ticks of the port.
    std::vector<Transmitter> m_transmitters; ///< Transmit path of each peer.
    uint64_t m_frames{0};                    ///< Frames sent.
    uint64_t m_copies{0};                    ///< Receivers of these.
    uint64_t m_arrived{0};                   ///< Frames that have arrived.
    uint64_t m_bytes{0};                     ///< Their headers and payloads [bytes].
    uint32_t m_largestPayload{0};            ///< Their largest payload [bytes].
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_HOST_PORT_H
