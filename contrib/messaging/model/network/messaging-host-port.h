/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_HOST_PORT_H
#define MESSAGING_HOST_PORT_H

#include "ns3/messaging-forwarding-port.h"
#include "ns3/messaging-host.h"

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
 * and a copy of its payload.
 *
 * Without hosts, frames pass at once.
 */
class HostPort : public ForwardingPort<AnyPort>
{
  public:
    /**
     * Construct.
     * @param port the port of the network; it has no other user
     * @param hosts host of each peer; none if frames cost nothing
     * @param frameTime processor time of a frame at either end
     */
    HostPort(Ptr<AnyPort> port, std::vector<Ptr<HostModel>> hosts, Time frameTime);

    bool Send(Peer self, Peer to, const Frame& frame) override;

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

  private:
    /** State of a peer's transmit path. */
    enum class Stage : uint8_t
    {
        IDLE,   ///< Nothing is being sent.
        HOST,   ///< The host handles a frame.
        BLOCKED ///< The port was busy when the frame was ready.
    };

    /** The transmit path of a peer. */
    struct Transmitter
    {
        Frame frame;              ///< The frame.
        Peer to{0};               ///< Its destination.
        Stage stage{Stage::IDLE}; ///< Its state.
        bool waiting{false};      ///< Send returned false; OnReady follows.
    };

    void OnFrame(Peer self, Peer from, const Frame& frame) override;
    void OnReady(Peer self) override;

    /**
     * Pass the frame of a peer on to the port.
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
     * Get the work of a frame at a host.
     * @param frame the frame
     * @return the steps of work
     */
    std::vector<Work> GetWork(const Frame& frame) const;

    std::vector<Ptr<HostModel>> m_hosts;     ///< Host of each peer, or none.
    Time m_frameTime;                        ///< Processor time of a frame.
    std::vector<Transmitter> m_transmitters; ///< Transmit path of each peer.
    uint64_t m_frames{0};                    ///< Frames sent.
    uint64_t m_copies{0};                    ///< Receivers of these.
    uint64_t m_arrived{0};                   ///< Frames that have arrived.
    uint64_t m_bytes{0};                     ///< Their headers and payloads [bytes].
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_HOST_PORT_H
