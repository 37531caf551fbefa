/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_DAEMON_GROUP_H
#define PCODE_DAEMON_GROUP_H

#include "ns3/messaging-core-events.h"
#include "ns3/pcode-workstation.h"

#include <vector>

/**
 * @file
 * @ingroup pcode
 * Transport layers as daemons.
 */

namespace ns3
{
namespace pcode
{

/**
 * @ingroup pcode
 * Group whose protocol runs as a daemon on each workstation (section 6.1). A local stream socket
 * carries each call to the daemon and its return to the application.
 *
 * In both directions a header delimits the message in the stream: one write() of both, one read()
 * of the header, and another read() of the message, if any. The daemon waits with select() for this
 * socket, its network socket and its timers (Workstation); the application blocks in its read(). A
 * node has one open call at a time (Assumption 2), so the socket's buffers never fill.
 */
class DaemonGroup : public messaging::CoreEvents, private messaging::GroupUser
{
  public:
    /** Header of a call or return: its kind, target set or source, and size [bytes]. */
    static constexpr uint32_t HEADER = 12;

    /**
     * Set the protocol of the daemons.
     * @param group the protocol; this becomes its user
     * @param stations the workstation of each peer
     */
    void Connect(Ptr<messaging::MessageGroup> group, const std::vector<Ptr<Workstation>>& stations);

    uint32_t GetNPeers() const override
    {
        return static_cast<uint32_t>(m_daemons.size());
    }

    messaging::Acceptance Post(messaging::Peer self, const messaging::Request& request) override;

  protected:
    void DoDispose() override;

  private:
    /** The open call of a daemon. */
    struct Daemon
    {
        messaging::Request request;   ///< The open call.
        messaging::Delivery delivery; ///< The message that the call returns.
        bool open{false};             ///< The protocol has not completed the call.
        bool delivered{false};        ///< The protocol has delivered a message for the call.
    };

    void OnDeliver(messaging::Peer self, const messaging::Delivery& delivery) override;
    void OnComplete(messaging::Peer self,
                    messaging::RequestId id,
                    messaging::Completion completion) override;

    /** Unused: with one open call at a time (Assumption 2), none is stalled. */
    void OnReady(messaging::Peer) override
    {
    }

    /**
     * Write a call or a return to the local socket, and read it at the other end.
     * @param self the peer
     * @param writer the process that writes
     * @param bytes size of the message after the header [bytes]
     * @param done called when the other process has read it
     */
    void Cross(messaging::Peer self, Process writer, uint32_t bytes, Workstation::Done done);

    /**
     * Post a call that has arrived at the daemon.
     * @param self the peer
     */
    void Serve(messaging::Peer self);

    /**
     * Return a call to the application.
     * @param self the peer
     * @param id the call
     * @param completion its outcome
     */
    void Return(messaging::Peer self, messaging::RequestId id, messaging::Completion completion);

    Ptr<messaging::MessageGroup> m_group;     ///< The protocol.
    std::vector<Ptr<Workstation>> m_stations; ///< The workstation of each peer.
    std::vector<Daemon> m_daemons;            ///< Open call of each peer.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_DAEMON_GROUP_H
