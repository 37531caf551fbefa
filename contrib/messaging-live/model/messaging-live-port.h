/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LIVE_PORT_H
#define MESSAGING_LIVE_PORT_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-live-bytes.h"
#include "ns3/messaging-live-datagram.h"
#include "ns3/messaging-live-scheduler.h"
#include "ns3/messaging-packed-frames.h"
#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"

#include <algorithm>
#include <array>
#include <functional>
#include <netinet/in.h>
#include <optional>
#include <string>
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
 * Each run of a peer has an epoch, later than those of its earlier runs. The epochs of all peers
 * are the session. The port is open once all peers are known to be in the same session. It accepts
 * frames only of this session and from the address of their sender; every other datagram is counted
 * and dropped. A peer that has restarted is in no session with the others, which learn its new
 * epoch from its HELLO.
 *
 * The sender of a frame need not be the origin of its messages, as with protocols whose peers
 * repeat the messages of others. The port states the sender; the origin of user bytes is in their
 * name.
 */
class LivePort : public SimpleRefCount<LivePort>
{
  public:
    static constexpr uint32_t MTU = 1408;     ///< Largest header plus payload of a frame [bytes].
    static constexpr uint32_t MAX_PEERS = 64; ///< Largest number of peers.

    /** Knowledge about a peer. */
    struct Remote
    {
        sockaddr_in address{};   ///< Its address.
        std::string name;        ///< Its address as text.
        uint64_t epoch{0};       ///< Its epoch; 0 before its first answer.
        uint64_t session{0};     ///< Its session; 0 if it lacks an epoch.
        LiveProgress progress;   ///< Its progress with this peer.
        LiveProgress own;        ///< Progress of this peer with it.
        bool otherGroup{false};  ///< Its address has sent a datagram of another group.
        bool restarted{false};   ///< It has begun another run.
        std::vector<Time> trips; ///< Measured round trips.
        Time received;           ///< Time of its last accepted datagram.
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
     * @return a quarter of the round trip for timers [ticks of 1 ns]
     */
    Ticks Distance(Peer self, Peer to) const;

    /** @return the transmission time of any frame: the other half of the one-way time, as the work
     * of the machines takes longer than the wire [ticks of 1 ns]. */
    Ticks WireTicks(const Frame&) const
    {
        return GetTimerTrip(GetRoundTrip()) / 4;
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
     * Set the protocol's knowledge of the messages in a frame.
     * @param packed the protocol, not owned; nullptr if a frame has one message
     */
    void SetPacked(const PackedFrames* packed)
    {
        m_packed = packed;
    }

    /**
     * Set the callback for the progress of a peer.
     * @param callback called with the peer after a STATE of it
     */
    void SetProgressCallback(std::function<void(Peer)> callback)
    {
        m_onProgress = std::move(callback);
    }

    /** @return user bytes of messages, which frames carry. */
    LiveBytes& GetBytes()
    {
        return m_bytes;
    }

    /**
     * Change the progress of this peer with another one.
     * @param peer the other peer
     * @return the progress, sent with the next STATE
     */
    LiveProgress& GetProgress(Peer peer)
    {
        return m_peers[peer].own;
    }

    /** Send a STATE. @param peer the receiver */
    void SendState(Peer peer);

    static constexpr std::size_t LARGEST_BYTES = 1024; ///< Largest number of user bytes in a frame.

    /** Accept frames, including those already received from peers that began earlier. */
    void Start();

    /** Send a HELLO to each peer with too few measured round trips, and a STATE to all others. */
    void SendHellos();

    /** @return whether every peer knows every other. */
    bool IsOpen() const
    {
        return m_open;
    }

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
    static constexpr std::size_t TRIPS = 20;        ///< Round trips to measure with each peer.
    static constexpr std::size_t MOST_EARLY = 1024; ///< Limit of frames before Start.

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
     * Accept a HELLO or an ECHO.
     * @param datagram the datagram
     * @return EPOCH if it is foreign
     */
    std::optional<LiveReject> AcceptGreeting(const LiveDatagram& datagram);

    /**
     * Compare the epoch of a peer with that of its HELLO or ECHO. A later one begins another run.
     * @param remote the peer
     * @param epoch the epoch
     * @return whether the datagram belongs to the current run of the peer
     */
    bool IsCurrentRun(Remote& remote, uint64_t epoch);

    /** @return the checksum of the epochs of all peers; 0 if too little is known of one. */
    uint64_t GetSession() const;

    /** Open the port if all peers are in the session of this one. */
    void TryOpen();

    /** @return the round trip from which timers are derived [ticks]. @param trip a measured one */
    static Ticks GetTimerTrip(Time trip);

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

    std::vector<Remote> m_peers;                     ///< All peers.
    std::array<uint64_t, LIVE_REJECTS> m_rejected{}; ///< Foreign datagrams by reason.
    LiveBytes m_bytes;                               ///< User bytes of messages.
    std::function<void(Peer)> m_onProgress;          ///< Called after a STATE of a peer.
    std::vector<LiveDatagram> m_early;               ///< Frames received before Start.
    LiveScheduler* m_scheduler{nullptr};             ///< Scheduler, not owned.
    PortUser* m_user{nullptr};                       ///< Frame observer, not owned.
    uint64_t m_epoch;                                ///< Epoch of this run.
    uint64_t m_session{0};                 ///< Session; 0 until this peer knows all others.
    const PackedFrames* m_packed{nullptr}; ///< Messages of frames, not owned.
    uint64_t m_frames{0};                  ///< Frames sent.
    uint32_t m_group;                      ///< Checksum of the group.
    Peer m_self;                           ///< The peer in this process.
    int m_socket{-1};                      ///< Descriptor of the socket, or -1.
    bool m_open{false};                    ///< All peers are in the session.
    bool m_started{false};                 ///< Frames are accepted.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LIVE_PORT_H
