/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_BROADCAST_EMULATION_H
#define MESSAGING_BROADCAST_EMULATION_H

#include "messaging-any-port.h"

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
 * A port that sends a frame for all others to each of them, in ascending order.
 *
 * A sender's further frames wait until its copies have left.
 */
class BroadcastEmulation : public AnyPort, private PortUser
{
  public:
    /** @param port the port of the network; it has no other user */
    explicit BroadcastEmulation(Ptr<AnyPort> port);
    ~BroadcastEmulation() override;

    PortInfo Info() const override;
    uint32_t GetNPeers() const override;
    Ticks Distance(Peer self, Peer to) const override;
    Ticks WireTicks(const Frame& frame) const override;
    bool Send(Peer self, Peer to, const Frame& frame) override;
    void SetUser(PortUser* user) override;
    void SetAccepting(Peer self, bool accepting) override;

  protected:
    void DoDispose() override;

  private:
    /** A broadcast in progress at its sender. */
    struct Copies
    {
        Frame frame;         ///< The frame.
        Peer next{NO_PEER};  ///< Destination of the next copy; NO_PEER for none.
        bool waiting{false}; ///< Send returned false, and OnReady is owed.
    };

    void OnFrame(Peer self, Peer from, const Frame& frame) override;
    void OnReady(Peer self) override;

    /**
     * Send the copies that the port takes.
     * @param self the sender
     */
    void SendCopies(Peer self);

    Ptr<AnyPort> m_port;          ///< The port of the network.
    std::vector<Copies> m_copies; ///< Broadcast of each sender.
    PortUser* m_user{nullptr};    ///< Receiver of frames, not owned.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_BROADCAST_EMULATION_H
