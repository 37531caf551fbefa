/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LIVE_PORT_H
#define MESSAGING_LIVE_PORT_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-live-datagram.h"
#include "ns3/messaging-live-scheduler.h"
#include "ns3/simple-ref-count.h"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <netinet/in.h>
#include <string>
#include <unordered_map>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Frames over a UDP socket of the machine.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A port for one peer of a group, over a UDP socket of the machine; the other peers are other
 * processes, here or elsewhere.
 *
 * A protocol makes the cores of all peers. Those of the others are idle here: what they send is
 * dropped, and nothing arrives for them. A frame for all others is sent to each of them.
 *
 * The port is open once each peer has answered a HELLO. From then on it takes the frames of a peer
 * only with the epoch that the peer has taken at its start, and from its address; every other
 * datagram is counted and dropped.
 */
class LivePort : public SimpleRefCount<LivePort>
{
  public:
    static constexpr uint32_t MTU = 1408;     ///< Largest header plus payload of a frame [bytes].
    static constexpr uint32_t MAX_PEERS = 64; ///< Peers that a STATE has bits for.

    /** Gets the list for which the contents of a frame stand, or gives a list a word. */
    struct Lists
    {
        std::function<std::vector<uint32_t>(const Frame&)> get;    ///< List of a frame.
        std::function<uint64_t(const std::vector<uint32_t>&)> put; ///< Word of a list.
    };

    /** A peer as it is known here. */
    struct Remote
    {
        sockaddr_in address{};   ///< Its address.
        std::string name;        ///< The same as text.
        uint64_t epoch{0};       ///< Its epoch; 0 before it has answered.
        uint64_t known{0};       ///< Peers that it knows.
        bool finished{false};    ///< It has nothing left to do.
        bool otherGroup{false};  ///< A datagram of another group has come from its address.
        std::vector<Time> trips; ///< Round trips measured.
        Time heard;              ///< When a datagram of it was taken last.
    };

    /**
     * Constructor.
     * @param self the peer in this process
     * @param group names protocol, size and traffic of the group
     * @param epoch taken for this run, not zero
     */
    LivePort(Peer self, uint32_t group, uint64_t epoch);
    ~LivePort();

    LivePort(const LivePort&) = delete;
    LivePort& operator=(const LivePort&) = delete;

    /**
     * Read addresses.
     * @param text as `127.0.0.1:4000,127.0.0.1:4001`, in the order of the peers
     * @param peers set
     * @return empty, or one sentence on what is wrong
     */
    static std::string Parse(const std::string& text, std::vector<Remote>& peers);

    /**
     * Bind the socket.
     * @param peers all peers, this one included
     * @param scheduler waits for the socket
     * @return empty, or one sentence on what is wrong
     */
    std::string Open(std::vector<Remote> peers, LiveScheduler* scheduler);

    /** Close the socket. */
    void Close();

    /** @return the properties; machines other than this one may let frames overtake each other. */
    PortInfo Info() const;

    /** @return the number of peers. */
    uint32_t GetNPeers() const
    {
        return static_cast<uint32_t>(m_peers.size());
    }

    /**
     * Get a distance.
     * @param self a peer
     * @param to another
     * @return a quarter of the median of the round trips measured [ticks of 1 ns]
     */
    Ticks Distance(Peer self, Peer to) const;

    /** @return the transmission time of any frame: the other half of the way, since the work of the
     * machines takes more time than the wire [ticks of 1 ns]. */
    Ticks WireTicks(const Frame&) const
    {
        return std::max<Ticks>(GetRoundTrip().GetNanoSeconds() / 4, 1);
    }

    /**
     * Send a frame.
     * @param self the sender
     * @param to the receiver, or NO_PEER for all others
     * @param frame the frame
     * @return false if the socket takes nothing at present
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
     * Set how lists become words of a frame's contents.
     * @param lists for both ways
     */
    void SetLists(Lists lists)
    {
        m_lists = std::move(lists);
    }

    /**
     * Let all frames of some contents carry bytes of a user.
     * @param contents the contents
     * @param bytes the bytes, at most LARGEST_BYTES
     */
    void AddBytes(uint64_t contents, std::vector<uint8_t> bytes);

    /**
     * Get bytes of a user that have arrived or were added.
     * @param contents the contents
     * @return the bytes, or nullptr
     */
    const std::vector<uint8_t>* FindBytes(uint64_t contents) const;

    static constexpr std::size_t LARGEST_BYTES = 1024; ///< Bytes of a user in a frame.

    /** Take frames from now on, those included that have come before: others may begin earlier. */
    void Start();

    /** Send a HELLO to each peer that has not answered often enough, and a STATE to all others.
     * @param finished whether nothing is left to do here */
    void Greet(bool finished);

    /** @return whether every peer knows every other one. */
    bool IsOpen() const;

    /** @return whether every other peer has nothing left to do. */
    bool HaveOthersFinished() const;

    /** @return the peers. */
    const std::vector<Remote>& GetPeers() const
    {
        return m_peers;
    }

    /** @return median of all round trips measured. */
    Time GetRoundTrip() const;

    /** @return frames sent, one for all others counted for each. */
    uint64_t GetNFrames() const
    {
        return m_frames;
    }

    /** @return headers and payload of these frames [bytes]. */
    uint64_t GetNBytes() const
    {
        return m_bytes;
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
    static constexpr std::size_t TRIPS = 20;         ///< Round trips measured with each peer.
    static constexpr std::size_t KEPT_BYTES = 16384; ///< Contents whose bytes are kept.
    static constexpr std::size_t MOST_EARLY = 1024;  ///< Frames that are kept before Start.

    /** Take all datagrams that wait at the socket. */
    void OnReadable();

    /** The socket takes frames again. */
    void OnWritable();

    /**
     * Take a datagram.
     * @param bytes the datagram
     * @param source its sender's address
     */
    void Take(std::span<const uint8_t> bytes, const sockaddr_in& source);

    /**
     * Take a datagram of a peer of this group.
     * @param datagram the datagram
     * @return false if it is of another run
     */
    bool Accept(const LiveDatagram& datagram);

    /**
     * Take a frame.
     * @param datagram has it
     */
    void TakeFrame(const LiveDatagram& datagram);

    /**
     * Send a datagram.
     * @param to the receiver
     * @param datagram the datagram
     * @return false if the socket takes nothing at present
     */
    bool Transmit(Peer to, LiveDatagram& datagram);

    /**
     * Get the key of a frame's bytes.
     * @param frame the frame
     * @param words its list
     * @return the contents that the user has posted
     */
    static uint64_t GetKey(const Frame& frame, const std::vector<uint32_t>& words);

    std::vector<Remote> m_peers;                               ///< All peers.
    std::array<uint64_t, LIVE_REJECTS> m_rejected{};           ///< Foreign datagrams by reason.
    std::unordered_map<uint64_t, std::vector<uint8_t>> m_kept; ///< Bytes by contents.
    std::deque<uint64_t> m_order;                              ///< Contents, the oldest first.
    std::vector<LiveDatagram> m_early;                         ///< Frames before Start.
    Lists m_lists;                                             ///< Lists and words.
    LiveScheduler* m_scheduler{nullptr};                       ///< Waits for the socket.
    PortUser* m_user{nullptr};                                 ///< Frame observer, not owned.
    uint64_t m_epoch;                                          ///< Of this run.
    uint64_t m_frames{0};                                      ///< Frames sent.
    uint64_t m_bytes{0};                                       ///< Bytes of them.
    uint32_t m_group;                                          ///< Names the group.
    Peer m_self;                                               ///< The peer in this process.
    int m_socket{-1};                                          ///< Descriptor.
    bool m_started{false};                                     ///< Frames are taken.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LIVE_PORT_H
