/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_BROADCAST_EMULATION_H
#define MESSAGING_BROADCAST_EMULATION_H

#include "ns3/messaging-forwarding-port.h"

#include <vector>

/**
 * @file
 * @ingroup messaging
 * Broadcast by unicasts, for networks that cannot broadcast.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A port that sends a broadcast frame to each other peer in ascending order.
 *
 * The sender's port is busy until the last copy has left.
 */
class BroadcastEmulation : public ForwardingPort<AnyPort>
{
  public:
    /** @param port the port of the network; it has no other user */
    explicit BroadcastEmulation(Ptr<AnyPort> port);

    PortInfo GetInfo() const override;
    bool Send(Peer self, Peer to, const Frame& frame) override;

    bool IsBusy(Peer self) override
    {
        return m_copies[self].next == NO_PEER && ForwardingPort::IsBusy(self);
    }

  private:
    /** A broadcast in progress at its sender. */
    struct Copies
    {
        Frame frame;         ///< The frame.
        Peer next{NO_PEER};  ///< Destination of the next copy; NO_PEER for none.
        bool waiting{false}; ///< Send returned false; OnReady follows.
    };

    void OnReady(Peer self) override;

    /**
     * Send copies until the port is busy.
     * @param self the sender
     */
    void SendCopies(Peer self);

    std::vector<Copies> m_copies; ///< Broadcast of each sender.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_BROADCAST_EMULATION_H
