/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_P4_H
#define EQA_P4_H

#include "ns3/messaging-group.h"
#include "ns3/messaging-host.h"
#include "ns3/nstime.h"

#include <functional>
#include <vector>

/**
 * @file
 * @ingroup eqa
 * MPICH's messages over p4 and TCP.
 */

namespace ns3
{
namespace eqa
{

/**
 * @ingroup eqa
 * The device ch_p4 of MPICH 1.x: blocking sends and receives over a stream group.
 *
 * A message is written in two parts, as p4 does without writev: p4's own header of 32 bytes, and
 * MPICH's packet of 28 to 40 bytes with the data behind it. Each part travels as a message of the
 * stream group below, whose header of 36 bytes stands for the part's header. The sender copies the
 * data into its packet (the short protocol), the receiver reads it into a buffer of p4 and copies
 * it to the user: one copy at each side more than the kernel's.
 */
class P4Group : public messaging::MessageGroup, private messaging::GroupUser
{
  public:
    /** Callback for a peer's send call that returns: the sockets have the message. */
    using Returned = std::function<void(messaging::Peer)>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Connect to the group that carries the parts.
     * @param streams the group below, ordered and lossless
     * @param hosts one a peer
     */
    void Connect(Ptr<messaging::MessageGroup> streams,
                 std::vector<Ptr<messaging::HostModel>> hosts);

    /** @param returned called when a send call returns */
    void SetReturned(Returned returned)
    {
        m_returned = std::move(returned);
    }

    uint32_t GetNPeers() const override
    {
        return m_streams->GetNPeers();
    }

    messaging::Acceptance Post(messaging::Peer self, const messaging::Request& request) override;

  protected:
    void DoDispose() override;

  private:
    void OnDeliver(messaging::Peer self, const messaging::Delivery& delivery) override;
    void OnComplete(messaging::Peer self,
                    messaging::RequestId id,
                    messaging::Completion completion) override;
    void OnReady(messaging::Peer self) override;

    /** Write a message's two parts. @param self the sender @param request the message */
    void Write(messaging::Peer self, const messaging::Request& request);

    /** Request::flags of a p4 header. */
    static constexpr uint8_t HEADER = 128;

    Ptr<messaging::MessageGroup> m_streams;         ///< The group below.
    std::vector<Ptr<messaging::HostModel>> m_hosts; ///< Hosts of the peers.
    Returned m_returned;                            ///< Called when send calls return.
    Time m_sendTime;                                ///< CPU time to send a message.
    Time m_receiveTime;                             ///< CPU time to receive a message.
};

} // namespace eqa
} // namespace ns3

#endif // EQA_P4_H
