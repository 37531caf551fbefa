/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EQA_CONFIG_H
#define EQA_CONFIG_H

#include "ns3/messaging-core.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup eqa
 * Packets, events and parameters of DP-SMP.
 */

namespace ns3
{
namespace eqa
{

/** Packets between DPs; the values of Frame::kind. */
enum class PacketKind : uint8_t
{
    DATA = 1, ///< A part of a message.
    ACK = 2,  ///< Acknowledges all packets before a number; may pull the rest of a message.
    ASK = 3,  ///< Requests all packets from a number on, after a loss (go-back-N).
    PROBE = 4 ///< Requests an ACK or an ASK, after a timeout of the sender.
};

/** Flags of packets; the values of Frame::flags. */
enum PacketFlag : uint8_t
{
    OF_BROADCAST = 1, ///< Belongs to the sender's broadcast channel.
    FIRST = 2,        ///< First packet of a message.
    PUSH_END = 4,     ///< Last packet of the push phase.
    ACK_ME = 8,       ///< Each receiver answers with an ACK.
    PULL = 16,        ///< In an ACK: send the rest of the message (section 2).
    NO_ROOM = 32      ///< In an ACK: the pushed buffer is full; an ASK will follow.
};

/** Request::flags: the request is a receive from peer `to`. */
inline constexpr uint8_t RECEIVE = 1;
/** Request::flags, with RECEIVE: from that peer's broadcast channel. */
inline constexpr uint8_t BROADCAST_CHANNEL = 2;
/** Request::id of a receive without a completion after its delivery. */
inline constexpr messaging::RequestId NO_ID = ~messaging::RequestId{0};

/** Kind of broadcast (section 3). */
enum class BroadcastKind : uint8_t
{
    SIMPLE,   ///< All packets at once (section 3.2).
    PUSH_PULL ///< A push phase, and the rest after one receiver's acknowledgement (section 3.3).
};

/**
 * Acknowledgements of a Push-Pull Broadcast that free its buffer, in addition to that of the chosen
 * receiver at the end of a push. Section 3.3 leaves them open.
 */
enum class ReleaseRule : uint8_t
{
    TOGETHER, ///< All at every packet that ends half a window, and at the end of a long message.
    IN_TURN   ///< Each at one packet of half a window, neighbours at different packets.
};

/** Events that the protocol counts; the values of its notes. */
enum class Event : uint8_t
{
    BROADCAST,       ///< A packet was sent to all peers by hardware broadcast.
    UNICAST,         ///< A packet was sent for the first time, to one peer.
    RESENT,          ///< A packet was resent, to one peer.
    ACK_SENT,        ///< An acknowledgement was sent.
    PUSH_ACK_SENT,   ///< The chosen receiver acknowledged a broadcast's push phase.
    PULL_SENT,       ///< An acknowledgement that pulls the rest of a message was sent.
    ASK_SENT,        ///< An ASK was sent.
    PROBE_SENT,      ///< A probe was sent.
    DIRECT,          ///< A packet was copied directly to its destination.
    BUFFERED,        ///< A packet was put into the pushed buffer.
    DRAINED,         ///< A packet was copied from the pushed buffer to its destination.
    GAP,             ///< A packet was dropped: an earlier one is missing.
    DUPLICATE,       ///< A packet was dropped: it had been accepted before.
    BUFFER_OVERFLOW, ///< A packet was lost in the host: pushed buffer full.
    RING_OVERFLOW,   ///< A frame was lost in the card: descriptor ring full.
    SUSPENDED,       ///< A channel was suspended until a receiver has caught up.
    RESUMED,         ///< A channel was resumed.
    WINDOW_FULL,     ///< A packet waits for a free slot of the retransmission buffer.
    TIMEOUT,         ///< The retransmission timer of a channel expired.
    RETURNED,        ///< All packets of a message were sent: the call returns.
    STALE,           ///< An acknowledgement was ignored: a later one came first.
    OTHER_GROUP,     ///< A packet was dropped: this node is no member of the broadcast's group.
    LOCK_HELD,       ///< An attempt to get a DP's lock failed: another line held it.
    ILLEGAL          ///< A frame or timer that no node of this protocol sends or sets.
};

/** Number of values of Event. */
inline constexpr std::size_t EVENTS = static_cast<std::size_t>(Event::ILLEGAL) + 1;

/** Header of a packet: number of packet and message, size, DP, kind and flags [bytes]. The peak
 * bandwidth of DP-SMP (section 2), between 12.05 and 12.15 MB/s, implies 5 to 17 bytes.
 */
inline constexpr uint16_t HEADER = 12;
/** Largest packet with its header: Ethernet's, since DP-SMP's driver sends raw Ethernet frames
 * (section 2) [bytes]. */
inline constexpr uint32_t MAX_PACKET = 1500;
/** Largest payload of a packet [bytes]. */
inline constexpr uint32_t MAX_PAYLOAD = MAX_PACKET - HEADER;
/** Largest message [bytes]. */
inline constexpr uint32_t MAX_MESSAGE = 1 << 26;

/** Parameters of the protocol, and the costs of its steps on the host. */
struct EqaConfig
{
    uint32_t btp1{80};            ///< BTP_1 (section 4.1) [bytes].
    uint32_t btp2{780};           ///< BTP_2 [bytes].
    uint32_t window{16};          ///< Packets of a retransmission buffer (section 3.2).
    uint32_t queue{64};           ///< Entries of a send or receive queue: 4096 bytes of 64 each.
    uint32_t pushedBuffer{12288}; ///< Pushed buffer of a receive-only DP (section 4.2) [bytes].
    uint32_t receiveRing{32};     ///< Descriptors of a card's receive ring [frames].
    uint32_t pullPackets{0};      ///< Packets that a pull of a broadcast requests; 0 for all.
    uint32_t processes{1};        ///< Processes of a node that take broadcasts (section 3.1).
    uint32_t senders{1};          ///< Processes of a node that send; the tag selects one (3.1).
    uint32_t points{1};           ///< DPs to each peer, and to all; the tag selects one.
    uint32_t maxPayload{MAX_PAYLOAD};                  ///< Largest payload of a packet [bytes].
    BroadcastKind broadcast{BroadcastKind::PUSH_PULL}; ///< Kind of broadcast.
    ReleaseRule release{ReleaseRule::TOGETHER};        ///< Additional acknowledgements.
    bool confirmAll{false};                  ///< All receivers acknowledge short broadcasts, too.
    bool zeroBuffer{true};                   ///< Cross-Space Zero Buffer: one copy, not two.
    bool maskTranslation{true};              ///< Address Translation Overhead Masking.
    bool overlapAck{true};                   ///< Push-and-Acknowledge Overlapping.
    bool hostWork{false};                    ///< Steps take time on the host.
    bool insideNode{false};                  ///< One node: no copies at senders, no interrupts.
    bool standing{false};                    ///< Receives are posted in advance for all messages.
    bool locks{false};                       ///< Lines wait for the lock of a shared DP (3.1).
    Time timeout{MilliSeconds(10)};          ///< Silence after which a sender probes or resends.
    Time transmitTime{NanoSeconds(6000)};    ///< CPU time to hand a frame to the card.
    Time lightTime{NanoSeconds(400)};        ///< CPU time for each light DP of a list.
    Time mpiTime{NanoSeconds(3150)};         ///< CPU time of the MPI library for a message.
    Time handleTime{NanoSeconds(5841)};      ///< CPU time of the handler for a frame.
    Time wakeTime{NanoSeconds(4000)};        ///< CPU time until a waiting process resumes.
    Time translateTime{NanoSeconds(1000)};   ///< CPU time to translate the address of a page.
    Time lockTime{NanoSeconds(110)};         ///< CPU time of an attempt to get a held lock.
    messaging::Ticks timeoutTicks{10000000}; ///< Timeout of the group's clock [ticks].

    /** Members of the group of each broadcast DP, by its number; all nodes for a number without. */
    std::vector<std::vector<messaging::Peer>> members;

    /**
     * Check whether a node is a member of a broadcast group.
     * @param number number of the group's DP
     * @param peer the node
     * @return true if so
     */
    bool IsMember(uint32_t number, messaging::Peer peer) const
    {
        if (number >= members.size() || members[number].empty())
        {
            return true;
        }
        const auto& group = members[number];
        return std::find(group.begin(), group.end(), peer) != group.end();
    }

    /** @return BTP = BTP_1 + BTP_2 [bytes]. */
    uint32_t GetBtp() const
    {
        return btp1 + btp2;
    }

    /** @return an empty string if the parameters are consistent, else an error message. */
    std::string Check() const;
};

/** Size of a page for address translation [bytes]. */
inline constexpr uint32_t PAGE = 4096;

/**
 * Print a packet kind by name.
 * @param os the stream
 * @param kind the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, PacketKind kind);

/**
 * Print an event by name.
 * @param os the stream
 * @param event the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, Event event);

} // namespace eqa
} // namespace ns3

#endif // EQA_CONFIG_H
