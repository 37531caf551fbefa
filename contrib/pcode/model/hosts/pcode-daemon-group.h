/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_DAEMON_GROUP_H
#define PCODE_DAEMON_GROUP_H

#include "ns3/messaging-group.h"
#include "ns3/pcode-host-costs.h"
#include "ns3/pcode-workstation.h"

#include <vector>

/**
 * @file
 * @ingroup pcode
 * Transport layers that run as daemons.
 */

namespace ns3
{
namespace pcode
{

/**
 * @ingroup pcode
 * A group as its applications see it when the protocol runs as a daemon on each workstation
 * (section 6.1): each call crosses to the daemon and its return crosses back, over a local socket.
 *
 * A node has one call open at a time (Assumption 2).
 */
class DaemonGroup : public messaging::MessageGroup, private messaging::GroupUser
{
  public:
    /**
     * Set the protocol of the daemons, and the cost of reaching them.
     * @param group the protocol; this becomes its user
     * @param stations the workstation of each peer
     * @param ipcCost cost of the local transport for a message at either end, system calls and
     * copies not included
     */
    void Connect(Ptr<messaging::MessageGroup> group,
                 const std::vector<Ptr<Workstation>>& stations,
                 Time ipcCost);

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
        messaging::Delivery delivery; ///< The message that it returns.
        bool open{false};             ///< The protocol has not returned from it.
        bool delivered{false};        ///< The protocol has delivered a message for it.
    };

    void OnDeliver(messaging::Peer self, const messaging::Delivery& delivery) override;
    void OnComplete(messaging::Peer self,
                    messaging::RequestId id,
                    messaging::Completion completion) override;

    /** One call is open at a time (Assumption 2), so none is stalled. */
    void OnReady(messaging::Peer) override
    {
    }

    /**
     * A call has reached the daemon.
     * @param self the peer
     */
    void Serve(messaging::Peer self);

    /**
     * A return has reached the application.
     * @param self the peer
     * @param id the call
     * @param completion its outcome
     */
    void Return(messaging::Peer self, messaging::RequestId id, messaging::Completion completion);

    Ptr<messaging::MessageGroup> m_group;     ///< The protocol.
    std::vector<Ptr<Workstation>> m_stations; ///< The workstation of each peer.
    std::vector<Daemon> m_daemons;            ///< One a peer.
    Time m_ipcCost;                           ///< The local transport, at either end.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_DAEMON_GROUP_H
