/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_STREAM_GROUP_H
#define PCODE_STREAM_GROUP_H

#include "ns3/messaging-core-events.h"
#include "ns3/messaging-host-net-device.h"
#include "ns3/net-device-container.h"
#include "ns3/packet.h"
#include "ns3/pcode-program.h"
#include "ns3/pcode-workstation.h"
#include "ns3/socket.h"

#include <vector>

/**
 * @file
 * @ingroup pcode
 * The rival of section 6.3: calls of a global program over TCP connections.
 */

namespace ns3
{
namespace pcode
{

/** Order in which a multicast sends to its targets; not specified in the paper. */
enum class SendOrder : uint8_t
{
    NEXT_FIRST, ///< From the sender's successor round to its predecessor.
    ASCENDING   ///< From the lowest number to the highest.
};

/**
 * @ingroup pcode
 * Calls of a global program over one TCP connection for each pair of nodes, linked into the
 * application (section 6.3).
 *
 * A multicast is a sequence of blocking sends to its targets. A send is a write(): a system call
 * and a copy on the CPU of the Workstation. It returns when the bytes are in the socket's buffer
 * and the stack has sent the first segments, which the HostNetDevice charges to the caller. A
 * request reads from its source's connection, by a system call and a copy, until it has a whole
 * message.
 */
class StreamGroup : public messaging::CoreEvents
{
  public:
    /** Header of each message: its size and the word of its contents [bytes]. */
    static constexpr uint32_t HEADER = 12;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Open a connection for each pair.
     * @param devices the device of each node, a HostNetDevice
     * @param addresses address at which each peer listens (InetSocketAddress)
     * @param stations the workstation of each peer
     * @param groups the target sets of the calls, which must outlive the group
     */
    void Connect(const NetDeviceContainer& devices,
                 const std::vector<Address>& addresses,
                 const std::vector<Ptr<Workstation>>& stations,
                 const TargetGroups& groups);

    uint32_t GetNPeers() const override
    {
        return static_cast<uint32_t>(m_endpoints.size());
    }

    messaging::Acceptance Post(messaging::Peer self, const messaging::Request& request) override;

  protected:
    void DoDispose() override;

  private:
    /** One end of a connection. */
    struct Stream
    {
        Ptr<Socket> socket;         ///< The socket; null until it exists.
        std::vector<uint8_t> bytes; ///< Bytes read and not yet delivered.
        bool connected{false};      ///< The connection is established.
    };

    /** A process and its connections. */
    struct Endpoint
    {
        Ptr<Socket> listener;                 ///< Accepts connections of higher peers.
        std::vector<Stream> streams;          ///< Connections, by the other peer.
        std::vector<messaging::Peer> targets; ///< Targets of the open multicast, in order.
        std::size_t next{0};                  ///< Index of the next target.
        messaging::Request request;           ///< The open call.
        bool open{false};                     ///< A call is open.
        bool blocked{false};                  ///< The call waits for room or for bytes.
    };

    /**
     * Make a socket with the attributes of the group.
     * @param node the node
     * @return the socket
     */
    Ptr<Socket> MakeSocket(Ptr<Node> node) const;

    /**
     * Add an established connection.
     * @param self the peer
     * @param other the peer at the other end
     * @param socket the socket
     */
    void Adopt(messaging::Peer self, messaging::Peer other, Ptr<Socket> socket);

    /**
     * Handle a connection from another peer.
     * @param self the peer
     * @param socket the socket
     * @param from the other peer's address
     */
    void OnAccepted(messaging::Peer self, Ptr<Socket> socket, const Address& from);

    /**
     * Handle room or data of a socket: continue the call that waits for it.
     * @param self the peer
     * @param other the peer at the other end
     */
    void OnEvent(messaging::Peer self, messaging::Peer other);

    /** Send to the next target of the open multicast, or return from it. @param self the peer */
    void SendNext(messaging::Peer self);

    /** Deliver the message of the open request, or read more bytes. @param self the peer */
    void Read(messaging::Peer self);

    /** Write the message of the open multicast to its next target. @param self the peer */
    void Write(messaging::Peer self);

    /**
     * Return from the open call.
     * @param self the peer
     * @param completion its outcome
     */
    void Return(messaging::Peer self, messaging::Completion completion);

    std::vector<Endpoint> m_endpoints;                    ///< Process of each peer.
    std::vector<Ptr<Workstation>> m_stations;             ///< The workstation of each peer.
    std::vector<Ptr<messaging::HostNetDevice>> m_devices; ///< The device of each peer.
    std::vector<Address> m_addresses;                     ///< The address of each peer.
    const TargetGroups* m_groups{nullptr};                ///< The target sets, not owned.
    SendOrder m_order{};                                  ///< Order of the targets.
    bool m_nagle{false}; ///< Small segments wait for acknowledgements.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_STREAM_GROUP_H
