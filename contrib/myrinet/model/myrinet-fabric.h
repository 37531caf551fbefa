/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_FABRIC_H
#define MYRINET_FABRIC_H

#include "myrinet-mapper.h"
#include "myrinet-topology.h"

#include "ns3/data-rate.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <queue>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup myrinet
 * Movement of packets through links and switches.
 */

namespace ns3
{
namespace myrinet
{

/** Kinds of events inside the network. */
enum class EventKind : uint8_t
{
    ARRIVE,     ///< The first character of a run reaches the end of a channel; datum: its packet.
    ARRIVE_END, ///< The last character has reached it; datum: length of the run.
    ROUTE,      ///< The head of the first packet of a buffer requests its output.
    OUT_START,  ///< A run out of a buffer can begin; datum: its plan.
    OUT_END,    ///< A run out of a buffer has ended; datum: its plan.
    CROSS,      ///< The level of a buffer reaches a threshold; datum: its plan.
    STOP,       ///< A STOP character reaches the sender of a channel.
    GO,         ///< A GO character reaches the sender of a channel.
    FREE,       ///< A channel can be assigned to the next waiting packet.
    AWAKE       ///< The stall of a receiver has ended.
};

/** Event inside the network. */
struct Event
{
    Instant when;   ///< Due time [ps].
    uint64_t order; ///< Order of placement among events of one time; the lowest bits are the kind.
    ChannelId channel; ///< Channel.
    uint32_t datum;    ///< Argument of the kind.

    static constexpr unsigned KIND_BITS = 4; ///< Bits of the kind.

    /** @return the kind. */
    EventKind GetKind() const
    {
        return static_cast<EventKind>(order & ((uint64_t{1} << KIND_BITS) - 1));
    }

    /** @param other another event @return whether this one is due later */
    bool operator>(const Event& other) const
    {
        if (when != other.when)
        {
            return when > other.when;
        }
        return order > other.order;
    }
};

/**
 * Delay from an event to its earliest effect outside the network. An event with a delayed effect
 * can be served late, together with others, if all events are served in order.
 */
enum class Reach : uint8_t
{
    NOW,       ///< Without delay.
    CHARACTER, ///< After a character, the unit that a receiver takes.
    CABLE      ///< After a cable delay and a character.
};

/** Number of reaches. */
inline constexpr std::size_t N_REACHES = static_cast<std::size_t>(Reach::CABLE) + 1;

/** All events of a network, by reach. */
class EventQueue
{
  public:
    /**
     * Schedule an event.
     * @param reach delay to its effect outside
     * @param when due time [ps]
     * @param kind kind
     * @param channel channel
     * @param datum argument of the kind
     */
    void Push(Reach reach, Instant when, EventKind kind, ChannelId channel, uint32_t datum)
    {
        const uint64_t order = m_order++ << Event::KIND_BITS | static_cast<uint64_t>(kind);
        m_events[static_cast<std::size_t>(reach)].push(Event{when, order, channel, datum});
    }

    /** @return due time of the next event, or NEVER [ps]. */
    Instant GetNext() const
    {
        return GetDeadline({});
    }

    /**
     * Get the time until which all events can be delayed.
     * @param delays permitted delay of the events of each reach [ps]
     * @return the time, or NEVER [ps]
     */
    Instant GetDeadline(const std::array<Instant, N_REACHES>& delays) const
    {
        Instant deadline = NEVER;
        for (std::size_t n = 0; n < N_REACHES; ++n)
        {
            if (!m_events[n].empty())
            {
                deadline = std::min(deadline, m_events[n].top().when + delays[n]);
            }
        }
        return deadline;
    }

    /** Remove the next event of a queue that is not empty. @return the event */
    Event Pop()
    {
        Heap* first = nullptr;
        for (Heap& heap : m_events)
        {
            if (!heap.empty() && (!first || first->top() > heap.top()))
            {
                first = &heap;
            }
        }
        const Event event = first->top();
        first->pop();
        return event;
    }

  private:
    /** Events of one reach. */
    using Heap = std::priority_queue<Event, std::vector<Event>, std::greater<Event>>;

    std::array<Heap, N_REACHES> m_events; ///< Events by reach.
    uint64_t m_order{0};                  ///< Order of the next event.
};

/** Propagation delay of a cable [ps/m; general knowledge]. */
inline constexpr Instant CABLE_DELAY = 4900;

/** Parameters of a fabric; section 2 of paper 2 numbers the failures. */
struct FabricConfig
{
    DataRate linkRate{"1.28Gb/s"};      ///< Data rate of each direction of a link.
    Time fallThrough{NanoSeconds(125)}; ///< Delay of a head in a switch.
    uint32_t slack{80};                 ///< Size of a slack buffer [characters].
    uint32_t stop{56};                  ///< Level at which STOP is sent [characters].
    uint32_t go{40};                    ///< Level at which GO is sent [characters].
    Arbitration arbitration{Arbitration::ROUND_ROBIN}; ///< Arbitration of outputs.
    uint32_t buffers{32};                              ///< Receive buffers of each host.
    ReceiveFull receiveFull{ReceiveFull::BLOCK};       ///< Policy of a full receiver (item 2).
    double corruption{0};                ///< Probability that a character is corrupted (item 1).
    double crcMiss{0};                   ///< Probability that the CRC misses it (item 1).
    Time timeout;                        ///< Longest wait of a packet (item 3); 0 for no limit.
    double overwrite{0};                 ///< Probability that a pending packet is lost (item 4).
    double overwriteDamage{0};           ///< Share of these that are corrupted instead (item 4).
    bool stopWhilePending{true};         ///< A host sends STOP for pending packets (item 4).
    double stallRate{0};                 ///< Stalls of each receiver [1/s].
    Time stallLength{MicroSeconds(100)}; ///< Length of a stall.

    /** @return time of a character on a link [ps]. */
    Instant GetCharacter() const
    {
        constexpr double BITS = 8;
        const auto rate = static_cast<double>(linkRate.GetBitRate());
        return static_cast<Instant>(BITS * PS_PER_S / rate + 0.5);
    }
};

/** Report of the fabric to its owner. */
struct Notice
{
    /** Kinds of notices. */
    enum class Kind : uint8_t
    {
        SENT,      ///< The last character of a packet has left its host.
        DELIVERED, ///< The last character is in the receiver's buffer.
        DROPPED    ///< The packet was lost.
    };

    Kind kind{};                   ///< Kind.
    DropReason reason{};           ///< Reason of a loss.
    ChannelId channel{NO_CHANNEL}; ///< Channel of the event; NO_CHANNEL at the source.
    Instant when{0};               ///< Time [ps].
    Packet packet;                 ///< The packet.
};

/**
 * Links with STOP/GO, cut-through switches, and the link side of network interfaces, at the
 * granularity of packets (worms).
 *
 * All links run at one rate, so the flow of characters through a buffer is a sequence of *runs*: a
 * run begins, continues at one character in each character time, and ends. Only the beginnings and
 * ends of runs are events; the levels of slack buffers between them, and the times at which they
 * reach a threshold, follow in closed form. A run ends with the packet, when its buffer runs empty,
 * or when STOP arrives, after the character in transmission. A packet of any length that is not
 * blocked costs four events per hop.
 *
 * Each channel has a slack buffer at its end, which holds characters of one or several packets in
 * sequence. The route of the first packet is read; the packet waits for its output, and is then
 * connected to it until its last character has left. All others wait. The send engine of a host is
 * also a buffer, which holds whole packets; its index follows those of the channels. A receiver is
 * an output that takes characters at link rate.
 *
 * Time passes only in Advance. The caller calls Advance up to a time before any other call at that
 * time.
 */
class Fabric
{
  public:
    /**
     * Construct.
     * @param topology the network
     * @param routes its routes
     * @param config its parameters
     */
    Fabric(const Topology& topology, const Routes& routes, const FabricConfig& config);

    /**
     * Check that slack buffers can hold the characters in flight when STOP is sent.
     * @param config the parameters
     * @param cable length of the longest cable [m]
     * @return empty, or one sentence with the error and the allowed values
     */
    static std::string Check(const FabricConfig& config, double cable);

    /**
     * Append a packet to the queue of its source's send engine.
     * @param packet the packet; chars is set
     * @param now the time, up to which Advance was called [ps]
     */
    void Inject(const Packet& packet, Instant now);

    /**
     * Serve all events up to a time.
     * @param until the time, inclusive [ps]
     */
    void Advance(Instant until);

    /** @return time to which Advance can be delayed without a late notice, or NEVER [ps]. */
    Instant GetNextWake() const;

    /** @return the new notices, which the caller clears. */
    std::vector<Notice>& GetNotices()
    {
        return m_notices;
    }

    /**
     * Free a receive buffer.
     * @param host the host
     * @param now the time [ps]
     */
    void Release(Peer host, Instant now);

    /**
     * Make a receiver accept packets, or block them in the network.
     * @param host the host
     * @param accepting whether it accepts packets
     * @param now the time [ps]
     */
    void SetAccepting(Peer host, bool accepting, Instant now);

    /**
     * @param host a host
     * @return number of free receive buffers
     */
    uint32_t GetFreeBuffers(Peer host) const
    {
        return m_hosts[host].buffers;
    }

    /**
     * Read the NRES bit of an interface's status register. It is set when a packet is discarded
     * after the timeout (section 2, item 3).
     * @param host a host
     * @return the bit
     */
    bool GetNres(Peer host) const
    {
        return m_hosts[host].nres;
    }

    /**
     * Clear an NRES bit, as firmware does.
     * @param host the host
     */
    void ClearNres(Peer host)
    {
        m_hosts[host].nres = false;
    }

    /**
     * Find a deadlock: a ring of channels that wait for one another, which only a timeout can
     * break.
     * @return the channels, each followed by the one it waits for; empty if there is no deadlock
     */
    std::vector<ChannelId> FindDeadlock() const;

    /**
     * Get the latency of a packet's last character on an idle network.
     * @param from source
     * @param to destination
     * @param chars its length as injected [characters]
     * @return the time since its injection [ps]
     */
    Instant GetIdleLatency(Peer from, Peer to, uint32_t chars) const;

    /** @return the counts so far. */
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /** @return the counts so far, for updates by the owner of the fabric. */
    Counters& GetCounters()
    {
        return m_counters;
    }

    /** @return the number of packets that are neither delivered nor lost. */
    uint64_t GetNInFlight() const
    {
        return m_worms.GetN();
    }

    /**
     * @param channel a channel
     * @return its use
     */
    const ChannelUse& GetUse(ChannelId channel) const
    {
        return m_use[channel];
    }

    /**
     * Assign random streams.
     * @param stream first stream
     * @return number of streams assigned
     */
    int64_t AssignStreams(int64_t stream);

  private:
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max(); ///< No index.
    static constexpr ChannelId SINK = NONE - 1; ///< Output to the receiver.

    /** State of the first packet of a buffer. */
    enum class Front : uint8_t
    {
        EMPTY,    ///< No packet.
        ROUTING,  ///< Its route byte is being read.
        WAITING,  ///< It waits for its output.
        CONNECTED ///< It is connected to its output.
    };

    /** Packet in flight. */
    struct Worm
    {
        Packet packet;                   ///< The packet.
        const ChannelId* route{nullptr}; ///< Channels of its route.
        Instant lostAt{0};               ///< Time of the decision to discard it [ps].
        DropReason reason{};             ///< Reason for it.
        bool lost{false};                ///< Being discarded.
        bool shortened{false};           ///< Others have overwritten some of its characters.
    };

    /** A packet in one buffer. */
    struct Piece
    {
        uint32_t worm;   ///< The packet.
        uint32_t next;   ///< The piece behind it, or NONE.
        int32_t left;    ///< Characters that have not left the buffer, arrived or not.
        int32_t missing; ///< Characters that have not reached the buffer.
        uint32_t hop;    ///< Index of the channel in the packet's route.
    };

    /** The buffer at the end of a channel, and the sender of that channel. */
    struct Buffer
    {
        Instant inStart{0};            ///< Begin of the run into it [ps].
        Instant outStart{0};           ///< Begin of the run out of it [ps].
        Instant freeAt{0};             ///< Earliest begin of a packet on the channel [ps].
        Instant blockedSince{0};       ///< Begin of its first packet's wait [ps].
        Instant routeAt{0};            ///< Time at which its first packet requests its output [ps].
        Instant delay{0};              ///< Delay of the channel [ps].
        uint32_t first{NONE};          ///< First piece.
        uint32_t last{NONE};           ///< Last piece.
        int32_t level{0};              ///< Characters in it without the current runs.
        int32_t planned{0};            ///< Length of the run out of it; 0 if unknown.
        uint32_t outCount{0};          ///< Version of the plan of the run out.
        uint32_t crossCount{0};        ///< Version of the plan of the next crossing.
        uint32_t blockCount{0};        ///< Number of waits.
        ChannelId out{NO_CHANNEL};     ///< Output of its first packet, or SINK.
        ChannelId feeder{NO_CHANNEL};  ///< Buffer that the channel's sender is connected to.
        ChannelId waiting{NO_CHANNEL}; ///< First buffer that waits for this channel.
        ChannelId waitNext{NO_CHANNEL}; ///< Buffer behind this one in the queue of its output.
        ChannelId served{0};            ///< Buffer connected to this channel last.
        Peer host{messaging::NO_PEER};  ///< Host at the channel's end, or NO_PEER.
        bool fromHost{false};           ///< The channel's sender is a host.
        Front front{};                  ///< State of its first packet.
        bool in{false};                 ///< A run into it is in progress.
        bool outgoing{false};           ///< A run out of it is in progress.
        bool stopSent{false};           ///< The last character sent to the sender was STOP.
        bool stopped{false};            ///< The last character at the sender was STOP.
        bool freeing{false};            ///< A FREE event is scheduled.
    };

    /** Link side of a host's network interface. */
    struct Host
    {
        Instant stallBegin{0};      ///< Begin of its next or current stall [ps].
        Instant stallEnd{0};        ///< End of that stall [ps].
        uint32_t buffers{0};        ///< Free receive buffers.
        ChannelId down{NO_CHANNEL}; ///< The channel to it.
        bool accepting{true};       ///< It accepts packets.
        bool nres{false};           ///< NRES bit.
        bool waking{false};         ///< An AWAKE event is scheduled.
    };

    /** Wait that ends in a discard after the timeout. */
    struct Wait
    {
        Instant end;      ///< Time of the discard [ps].
        ChannelId buffer; ///< Buffer of the packet.
        uint32_t count;   ///< The buffer's blockCount.
    };

    /** @param c a buffer @return whether it is a host's send engine */
    bool IsSource(ChannelId c) const
    {
        return c >= m_nChannels;
    }

    /** @param b a buffer that is not empty @return the packet of its first piece */
    Worm& GetFirst(const Buffer& b)
    {
        return m_worms[m_pieces[b.first].worm];
    }

    /**
     * Schedule an event.
     * @param when due time [ps]
     * @param kind kind
     * @param c channel
     * @param datum argument of the kind
     */
    void Place(Instant when, EventKind kind, ChannelId c, uint32_t datum)
    {
        m_queue.Push(GetReach(kind, c), when, kind, c, datum);
    }

    /**
     * Get the delay from an event to its effect outside: a packet leaves its host or reaches its
     * receiver.
     * @param kind kind
     * @param c channel
     * @return its reach
     */
    Reach GetReach(EventKind kind, ChannelId c) const
    {
        if (IsSource(c))
        {
            return Reach::NOW;
        }
        const Buffer& b = m_buffers[c];
        if (b.host != messaging::NO_PEER)
        {
            return kind == EventKind::OUT_END ? Reach::NOW : Reach::CHARACTER;
        }
        const bool startsHost = b.fromHost && (kind == EventKind::GO || kind == EventKind::FREE);
        return startsHost ? Reach::CHARACTER : Reach::CABLE;
    }

    /** Serve an event. @param event the event */
    void Serve(const Event& event);

    /** Begin a run into a buffer. @param c the buffer @param worm packet of the run */
    void OnArrive(ChannelId c, uint32_t worm);

    /**
     * End a run into a buffer.
     * @param c the buffer
     * @param chars length of the run
     */
    void OnArriveEnd(ChannelId c, uint32_t chars);

    /** End a run out of a buffer. @param c the buffer */
    void OnOutEnd(ChannelId c);

    /** Receive STOP at the sender of a channel. @param c the channel */
    void OnStop(ChannelId c);

    /** Receive GO at the sender of a channel. @param c the channel */
    void OnGo(ChannelId c);

    /** Assign a free channel to the next waiting packet. @param c the channel */
    void OnFree(ChannelId c);

    /** Request the output of a buffer's first packet. @param c the buffer */
    void OnRoute(ChannelId c);

    /** End the stall of a receiver. @param c the channel to it */
    void OnAwake(ChannelId c);

    /** Begin to route the new first packet of a buffer. @param c the buffer */
    void BecomeFront(ChannelId c);

    /**
     * Request a channel for the first packet of a buffer.
     * @param c the buffer
     * @param out the channel
     */
    void Request(ChannelId c, ChannelId out);

    /** Request the receiver for the first packet of a buffer. @param c the buffer */
    void RequestReceiver(ChannelId c);

    /** Make the first packet of a buffer wait. @param c the buffer */
    void Block(ChannelId c);

    /** Connect the first packet of a buffer. @param c the buffer @param out its output, or SINK */
    void Connect(ChannelId c, ChannelId out);

    /** Remove a buffer from the queue of its output. @param c the buffer */
    void LeaveQueue(ChannelId c);

    /**
     * Begin a run out of a buffer if characters can be sent. The caller calls PlanCrossing next.
     * @param c the buffer
     */
    void TryStart(ChannelId c);

    /** Schedule the end of the run out of a buffer, if it is known. @param c the buffer */
    void PlanOutEnd(ChannelId c);

    /** Send STOP or GO if due, and schedule the next. @param c the buffer */
    void PlanCrossing(ChannelId c);

    /** @param b a buffer @return characters of the current run that have arrived */
    int32_t CountArrived(const Buffer& b) const;

    /** @param b a buffer @return characters of the current run that have left or begun to leave */
    int32_t CountDeparted(const Buffer& b) const;

    /**
     * Send STOP or GO if the level of a slack buffer has crossed its threshold.
     * @param c its channel
     * @param level its level [characters]
     */
    void SendFlowControl(ChannelId c, int32_t level);

    /**
     * Find the time at which a slack buffer will send STOP, if nothing else changes its level.
     * @param b the buffer
     * @param level its level [characters]
     * @return the time, or NEVER
     */
    Instant FindStop(const Buffer& b, int32_t level) const;

    /**
     * Find the time at which a slack buffer will send GO, if nothing else changes its level.
     * @param b the buffer
     * @param level its level [characters]
     * @return the time, or NEVER
     */
    Instant FindGo(const Buffer& b, int32_t level) const;

    /** Remove the first packet of a buffer, all of which has left. @param c the buffer */
    void EndPacket(ChannelId c);

    /** Report a delivered or lost packet. @param c its last channel @param worm the packet */
    void EndWorm(ChannelId c, uint32_t worm);

    /**
     * Mark a packet in a buffer as lost.
     * @param c the buffer
     * @param worm the packet
     * @param reason the reason
     */
    void MarkLost(ChannelId c, Worm& worm, DropReason reason);

    /**
     * Discard the first packet of a buffer while it waits.
     * @param c the buffer
     * @param reason the reason
     */
    void Discard(ChannelId c, DropReason reason);

    /**
     * Handle a packet that reaches one left pending by a receiver (section 2, item 4).
     * @param c the channel to the receiver
     */
    void OnFollower(ChannelId c);

    /** Find the packets behind one that a receiver leaves pending. @param c its channel */
    void FindFollowers(ChannelId c);

    /**
     * Check whether flow control fails at a slack buffer (section 2, item 4): it is a receiver's,
     * which sends STOP only for a packet that it receives, and does not receive its first packet.
     * @param b the buffer
     * @return whether it sends no STOP
     */
    bool WithholdsStop(const Buffer& b) const
    {
        return !m_config.stopWhilePending && b.host != messaging::NO_PEER &&
               (b.front != Front::CONNECTED || m_worms[m_pieces[b.first].worm].lost);
    }

    /**
     * Let the characters that a receiver's slack buffer cannot hold overwrite the oldest ones in
     * it, which belong to pending packets. A packet without a character left is lost without a
     * sign; one that has lost some is damaged. If the first packet is lost, the receiver skips it.
     * @param c the channel to the receiver
     */
    void OverwriteOldest(ChannelId c);

    /**
     * @param b a buffer
     * @param piece a piece in it
     * @return its characters in the buffer
     */
    int32_t CountPresent(const Buffer& b, const Piece& piece) const;

    /** @param host a host @return whether its receiver stalls now */
    bool IsStalled(Peer host);

    /**
     * Decide whether a link corrupts a packet.
     * @param c the channel
     * @param worm the packet
     * @param chars number of its characters on the channel
     */
    void Corrupt(ChannelId c, Worm& worm, uint32_t chars);

    /**
     * Add a piece to a buffer.
     * @param c the buffer
     * @param worm the packet
     * @param chars its characters
     * @param missing number of them that have not arrived
     * @param hop the channel's index in the route
     */
    void AddPiece(ChannelId c, uint32_t worm, uint32_t chars, uint32_t missing, uint32_t hop);

    /** Remove the first piece of a buffer. @param b the buffer */
    void RemovePiece(Buffer& b);

    /**
     * Get the channel that blocks the first packet of a buffer.
     * @param c the buffer
     * @return the channel, or NO_CHANNEL if the packet can move or waits for a receiver
     */
    ChannelId GetObstacle(ChannelId c) const;

    const Routes& m_routes;                  ///< Routes.
    FabricConfig m_config;                   ///< Parameters.
    Instant m_character;                     ///< Time of a character on a link [ps].
    Instant m_fallThrough;                   ///< Delay of a head in a switch [ps].
    Instant m_timeout;                       ///< Longest wait of a packet, or 0 [ps].
    uint32_t m_nChannels{0};                 ///< Channels of links; send engines follow them.
    Instant m_now{0};                        ///< The time [ps].
    EventQueue m_queue;                      ///< Future events.
    std::array<Instant, N_REACHES> m_late{}; ///< Permitted delay of events by reach [ps].
    std::deque<Wait> m_waits;                ///< Waits ordered by end.
    std::vector<Buffer> m_buffers;           ///< Buffers by channel.
    std::vector<ChannelUse> m_use;           ///< Use by channel.
    std::vector<Host> m_hosts;               ///< Interfaces by host.
    messaging::SlotPool<Worm> m_worms;       ///< Packets in flight.
    messaging::SlotPool<Piece> m_pieces;     ///< Pieces of packets in buffers.
    std::vector<Notice> m_notices;           ///< New notices.
    Counters m_counters;                     ///< Counts.
    double m_untilError{-1};                 ///< Characters until the next corrupted one.
    Ptr<ExponentialRandomVariable> m_errors; ///< Characters between errors.
    Ptr<UniformRandomVariable> m_crc;        ///< Detection by the CRC.
    Ptr<UniformRandomVariable> m_overwrites; ///< Fate of pending packets.
    Ptr<ExponentialRandomVariable> m_stalls; ///< Times between stalls.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_FABRIC_H
