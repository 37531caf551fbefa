/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_P4_H
#define EQA_P4_H

#include "ns3/messaging-core-events.h"
#include "ns3/messaging-host-net-device.h"
#include "ns3/messaging-host.h"
#include "ns3/messaging-socket-group.h"
#include "ns3/net-device-container.h"
#include "ns3/nstime.h"

#include <deque>
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
 * MPICH's packet of 28 to 40 bytes with the data behind it. Each part is a message of the stream
 * group below, whose header of 36 bytes represents the part's header. The sender copies the data
 * into its packet (the short protocol), the receiver reads it into a buffer of p4 and copies it to
 * the user: one copy at each end more than the kernel's.
 *
 * Calls block, and a process makes one at a time. A write() returns when all of its bytes are in
 * the socket's buffer and the stack has sent the first segments, at the expense of the caller; the
 * interrupt of an acknowledgement sends the others. A message that arrives during a send is read
 * after it.
 */
class P4Group : public messaging::CoreEvents, private messaging::GroupUser
{
  public:
    /** Callback for the return of a peer's send call: the message is in the socket's buffer. */
    using Returned = std::function<void(messaging::Peer)>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Connect to the stream group.
     * @param streams the group below
     * @param hosts a host for each peer
     * @param devices the devices of the peers, HostNetDevices
     */
    void Connect(Ptr<messaging::SocketGroup> streams,
                 std::vector<Ptr<messaging::HostModel>> hosts,
                 const NetDeviceContainer& devices);

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

    /** Unused: a process has one open call, so that the streams decline no post. */
    void OnReady(messaging::Peer) override
    {
    }

    /** Steps of a process. */
    enum class State : uint8_t
    {
        IDLE,    ///< The process waits for a message, or computes.
        SENDING, ///< The process is in a send.
        WRITING, ///< The process is in a write() that waits for room.
        READING  ///< The process reads a message.
    };

    /** A process of MPI. */
    struct Process
    {
        std::deque<messaging::Delivery> unread; ///< Messages not yet read.
        messaging::Request sending;             ///< The open send.
        State state{State::IDLE};               ///< State.
        bool header{false};                     ///< The current write() is that of the header.
        bool stalled{false};                    ///< A post was stalled.
    };

    /**
     * Execute work of a process, in the context of its node.
     * @param self the process
     * @param steps the work
     * @param done called at its end
     */
    void Execute(messaging::Peer self,
                 std::vector<messaging::Work> steps,
                 std::function<void()> done);

    /** Write the next part of the open send. @param self the sender */
    void Write(messaging::Peer self);

    /** Handle a part that is in the socket's buffer. @param self the sender @param to the receiver
     */
    void OnSegmentSent(messaging::Peer self, messaging::Peer to);

    /** Write the next part, or return from the open send. @param self the sender */
    void AfterWrite(messaging::Peer self);

    /** Return from the open send. @param self the sender */
    void Return(messaging::Peer self);

    /** Read the next message, or let the process post again. @param self the process */
    void Continue(messaging::Peer self);

    /** Request::flags of a p4 header. */
    static constexpr uint8_t HEADER = 128;

    Ptr<messaging::SocketGroup> m_streams;          ///< The group below.
    std::vector<Ptr<messaging::HostModel>> m_hosts; ///< Hosts of the peers.
    NetDeviceContainer m_devices;                   ///< Devices of the peers.
    std::vector<Process> m_processes;               ///< Processes of the peers.
    Returned m_returned;                            ///< Called when send calls return.
    Time m_sendTime;                                ///< CPU time to send a message.
    Time m_receiveTime;                             ///< CPU time to receive a message.
};

} // namespace eqa
} // namespace ns3

#endif // EQA_P4_H
