/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LINUX_TCP_SOCKET_H
#define MESSAGING_LINUX_TCP_SOCKET_H

#include "ns3/messaging-send-backlog.h"
#include "ns3/node.h"
#include "ns3/tcp-socket-base.h"

/**
 * @file
 * @ingroup messaging
 * TCP socket with two rules of Linux.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * TCP socket of ns-3 with two rules of Linux that ns-3 lacks, and a defect mended.
 *
 * Quick acknowledgements (tcp_cleanup_rbuf): when the application has read the end of a write on a
 * connection that carries data one way, the acknowledgement is sent at once. ns-3 waits for the
 * next segment or the timer.
 *
 * Small queues (tcp_small_queue_check): a connection stops sending while the queue disc of its own
 * node holds two of its segments and more than it sends in 1 ms at its rate, which is twice its
 * congestion window per round trip. ns-3 sends the whole window, and so overflows the queue. The
 * device's own queue does not count.
 *
 * And it repeats a short segment after a timeout although the Nagle algorithm is on.
 */
class LinuxTcpSocket : public TcpSocketBase
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    LinuxTcpSocket() = default;

    /**
     * Copy a listening socket, for an accepted connection.
     * @param socket the listening socket
     */
    LinuxTcpSocket(const LinuxTcpSocket& socket) = default;

    /**
     * Make a socket.
     * @param node the node, with an Internet stack and its queue discs
     * @param congestion congestion control, a TcpCongestionOps
     * @param recovery fast recovery, a TcpRecoveryOps
     * @return the socket
     */
    static Ptr<LinuxTcpSocket> Make(Ptr<Node> node, TypeId congestion, TypeId recovery);

    /**
     * Choose the rules; by default, both hold. They are no attributes, since each socket of TCP has
     * those of ns3::TcpSocketBase.
     * @param quickAcks acknowledge the end of a write as soon as it is read
     * @param smallQueues limit the connection's bytes in the queue disc of its node
     */
    void SetRules(bool quickAcks, bool smallQueues)
    {
        m_quickAcks = quickAcks;
        m_smallQueues = smallQueues;
    }

    /** The application has read all bytes of a write: acknowledge them at once. */
    void AcknowledgeRead();

  protected:
    Ptr<TcpSocketBase> Fork() override;
    void ReceivedData(Ptr<Packet> packet, const TcpHeader& header) override;
    void ReTxTimeout() override;
    uint32_t AvailableWindow() const override;

  private:
    /** Send the acknowledgement that waits for more data, if there is one. */
    void SendDelayedAck();

    Ptr<SendBacklog> m_backlog; ///< Packets in the queue discs of the node.
    bool m_quickAcks{true};     ///< Acknowledge the end of a write at once.
    bool m_smallQueues{true};   ///< Keep the node's queue short.
    bool m_receiving{false};    ///< A segment is being received.
    bool m_read{false};         ///< The application has read the end of a write meanwhile.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LINUX_TCP_SOCKET_H
