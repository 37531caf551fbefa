/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LIVE_PORT_H
#define MESSAGING_LIVE_PORT_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-live-datagram.h"
#include "ns3/messaging-live-scheduler.h"
#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"

#include <algorithm>
#include <array>
#include <deque>
#include <netinet/in.h>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Port over a UDP socket of the machine.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Port of one peer of a group, over a UDP socket of the machine. The other peers are processes on
 * this or other machines.
 *
 * A protocol makes the cores of all peers. Those of the others are idle in this process: their
 * frames are dropped, and no frame arrives for them. A frame for all others is sent to each of
 * them.
 *
 * The port is open once all peers know each other by answers to HELLOs. It accepts frames of a peer
 * only from the peer's address and with its epoch; every other datagram is counted and dropped.
 */
class LivePort : public SimpleRefCount<LivePort>
{
  public:
    static constexpr uint32_t MTU = 1408;     ///< Largest header plus payload of a frame [bytes].
    static constexpr uint32_t MAX_PEERS = 64; ///< Bits for peers in a STATE.

    /** Knowledge about a peer. */
    struct Remote
    {
        sockaddr_in address{};   ///< Its address.
        std::string name;        ///< Its address as text.
        uint64_t epoch{0};       ///< Its epoch; 0 before its first answer.
        uint64_t known{0};       ///< Peers that it knows, as bits.
        bool finished{false};    ///< Its messages are complete.
        bool otherGroup{false};  ///< Its address has sent a datagram of another group.
        std::vector<Time> trips; ///< Measured round trips.
        Time heard;              ///< Time of its last accepted datagram.
    };

    /**
     * Constructor.
     * @param self the peer in this process
     * @param group checksum of the group's protocol, peers and traffic
     * @param epoch the epoch of this run, not zero
     */
    LivePort(Peer self, uint32_t group, uint64_t epoch);
    ~LivePort();

    LivePort(const LivePort&) = delete;
    LivePort& operator=(const LivePort&) = delete;

    /**
     * Read addresses.
     * @param text as `127.0.0.1:4000,127.0.0.1:4001`, in the order of the peers
     * @param peers set to the addresses
     * @return empty, or one sentence with the error
     */
    static std::string Parse(const std::string& text, std::vector<Remote>& peers);

    /**
     * Bind the socket.
     * @param peers all peers, including this one
     * @param scheduler the scheduler that waits for the socket
     * @return empty, or one sentence with the error
     */
    std::string Open(std::vector<Remote> peers, LiveScheduler* scheduler);

    /** Close the socket. */
    void Close();

    /** @return the properties; between machines, frames can overtake each other. */
    PortInfo GetInfo() const;

    /** @return the number of peers. */
    uint32_t GetNPeers() const
    {
        return static_cast<uint32_t>(m_peers.size());
    }

    /**
     * Get the distance of two peers.
     * @param self a peer
     * @param to another
     * @return a quarter of the median of the measured round trips [ticks of 1 ns]
     */
    Ticks Distance(Peer self, Peer to) const;

    /** @return the transmission time of any frame: the other half of the one-way time, as the work
     * of the machines takes longer than the wire [ticks of 1 ns]. */
    Ticks WireTicks(const Frame&) const
    {
        return std::max<Ticks>(GetRoundTrip().GetNanoSeconds() / 4, 1);
    }

    /**
     * Send a frame.
     * @param self the sender
     * @param to the receiver, or NO_PEER for all others
     * @param frame the frame
     * @return false if the socket is busy; OnReady follows
     */
    bool Send(Peer self, Peer to, const Frame& frame);

    /**
     * Set the frame observer.
     * @param user the observer, not owned
     */
    void SetUser(PortUser* user)
    {
        m_user = user;
    }

    /**
     * Attach user bytes to all frames of given contents.
     * @param contents the contents
     * @param bytes the bytes, at most LARGEST_BYTES
     */
    void AddBytes(uint64_t contents, std::vector<uint8_t> bytes);

    /**
     * Get received or attached user bytes.
     * @param contents the contents
     * @return the bytes, or nullptr
     */
    const std::vector<uint8_t>* FindBytes(uint64_t contents) const;

    static constexpr std::size_t LARGEST_BYTES = 1024; ///< Largest number of user bytes in a frame.

    /** Accept frames, including those already received from peers that began earlier. */
    void Start();

    /** Send a HELLO to each peer with too few measured round trips, and a STATE to all others.
     * @param finished whether this peer's messages are complete */
    void Greet(bool finished);

    /** @return whether every peer knows every other. */
    bool IsOpen() const;

    /** @return whether the messages of all other peers are complete. */
    bool HaveOthersFinished() const;

    /** @return the peers. */
    const std::vector<Remote>& GetPeers() const
    {
        return m_peers;
    }

    /** @return the median of all measured round trips. */
    Time GetRoundTrip() const;

    /** @return number of frames sent, counting each copy of one for all others. */
    uint64_t GetNFrames() const
    {
        return m_frames;
    }

    /**
     * Get the number of foreign datagrams.
     * @param reject the reason
     * @return the number
     */
    uint64_t GetNRejected(LiveReject reject) const
    {
        return m_rejected[static_cast<std::size_t>(reject)];
    }

  private:
    static constexpr std::size_t TRIPS = 20;         ///< Round trips to measure with each peer.
    static constexpr std::size_t KEPT_BYTES = 16384; ///< Limit of contents with user bytes.
    static constexpr std::size_t MOST_EARLY = 1024;  ///< Limit of frames before Start.

    /** Read the datagrams in the socket. */
    void OnReadable();

    /** Resume sending: the socket accepts datagrams again. */
    void OnWritable();

    /**
     * Accept a datagram, unless it is foreign.
     * @param datagram the datagram
     * @param source its sender's address
     * @return GROUP, PEER or EPOCH if it is foreign
     */
    std::optional<LiveReject> Accept(const LiveDatagram& datagram, const sockaddr_in& source);

    /**
     * Pass a frame to the user.
     * @param datagram the datagram of the frame
     */
    void TakeFrame(const LiveDatagram& datagram);

    /**
     * Send a datagram.
     * @param to the receiver
     * @param datagram the datagram
     * @return false if the socket is busy
     */
    bool Transmit(Peer to, LiveDatagram& datagram);

    std::vector<Remote> m_peers;                               ///< All peers.
    std::array<uint64_t, LIVE_REJECTS> m_rejected{};           ///< Foreign datagrams by reason.
    std::unordered_map<uint64_t, std::vector<uint8_t>> m_kept; ///< User bytes by contents.
    std::deque<uint64_t> m_order;        ///< Contents with bytes, the oldest first.
    std::vector<LiveDatagram> m_early;   ///< Frames received before Start.
    LiveScheduler* m_scheduler{nullptr}; ///< Scheduler, not owned.
    PortUser* m_user{nullptr};           ///< Frame observer, not owned.
    uint64_t m_epoch;                    ///< Epoch of this run.
    uint64_t m_frames{0};                ///< Frames sent.
    uint32_t m_group;                    ///< Checksum of the group.
    Peer m_self;                         ///< The peer in this process.
    int m_socket{-1};                    ///< Descriptor of the socket, or -1.
    bool m_started{false};               ///< Frames are accepted.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LIVE_PORT_H
