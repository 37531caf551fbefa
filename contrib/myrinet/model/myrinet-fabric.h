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

#include <array>
#include <deque>
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
    ARRIVE_END, ///< The last one has reached it; datum: length of the run.
    ROUTE,      ///< The head of the first packet of a buffer requests its output.
    OUT_START,  ///< A run out of a buffer can begin; datum: its plan.
    OUT_END,    ///< A run out of a buffer has ended; datum: its plan.
    CROSS,      ///< The level of a buffer reaches a threshold; datum: its plan.
    STOP,       ///< A STOP character reaches the sender of a channel.
    GO,         ///< A GO character reaches the sender of a channel.
    FREE,       ///< A channel can be given to the next that waits for it.
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
        return when != other.when ? when > other.when : order > other.order;
    }
};

/**
 * How soon an event can have an effect outside the network. One without effect for a while may be
 * served late, together with others, as long as all events are served in their order.
 */
enum class Reach : uint8_t
{
    NOW,       ///< At once.
    CHARACTER, ///< After a character: the receiver takes one at a time.
    CABLE      ///< After a cable and a character.
};

/** Number of reaches. */
inline constexpr std::size_t N_REACHES = static_cast<std::size_t>(Reach::CABLE) + 1;

/** All events of a network, by reach. */
class EventQueue
{
  public:
    /**
     * Place an event.
     * @param reach how soon it has an effect outside
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
     * Get the time until which events may wait to be served.
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

    /** Remove the next event; there has to be one. @return the event */
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

    std::array<Heap, N_REACHES> m_events; ///< By reach.
    uint64_t m_order{0};                  ///< Order of the next event.
};

/** Picoseconds by which a cable delays a character, a metre [ps/m; general knowledge]. */
inline constexpr Instant CABLE_DELAY = 4900;

/** Parameters of a fabric; section 2 of paper 2 numbers the failures. */
struct FabricConfig
{
    DataRate linkRate{"1.28Gb/s"};      ///< Data rate of a link, each way.
    Time fallThrough{NanoSeconds(125)}; ///< From a head's arrival to its departure.
    uint32_t slack{80};                 ///< Size of a slack buffer [characters].
    uint32_t stop{56};                  ///< Level at which STOP is sent [characters].
    uint32_t go{40};                    ///< Level at which GO is sent [characters].
    Arbitration arbitration{Arbitration::ROUND_ROBIN}; ///< Who gets an output.
    uint32_t buffers{32};                              ///< Receive buffers of each host.
    ReceiveFull receiveFull{ReceiveFull::BLOCK};       ///< Policy of a full receiver (item 2).
    double corruption{0};                ///< Probability that a character is corrupted (item 1).
    double crcMiss{0};                   ///< Probability that the CRC misses it (item 1).
    Time timeout;                        ///< Longest wait of a packet (item 3); 0 for no limit.
    double overwrite{0};                 ///< Probability of loss behind a pending packet (item 4).
    double overwriteDamage{0};           ///< Share of those that are corrupted instead (item 4).
    double stallRate{0};                 ///< Stalls of each receiver [1/s].
    Time stallLength{MicroSeconds(100)}; ///< Length of a stall.

    /** @return time of a character on a link [ps]. */
    Instant GetCharacter() const
    {
        return static_cast<Instant>(8e12 / static_cast<double>(linkRate.GetBitRate()) + 0.5);
    }
};

/** Report of the fabric to its owner. */
struct Notice
{
    /** Kinds of notices. */
    enum class Kind : uint8_t
    {
        SENT,      ///< The last character of a packet has left its host.
        DELIVERED, ///< The last one is in the receiver's buffer.
        DROPPED,   ///< The packet was lost.
        CORRUPTED  ///< A link has corrupted the packet.
    };

    Kind kind{};                   ///< Kind.
    DropReason reason{};           ///< Reason of a loss.
    ChannelId channel{NO_CHANNEL}; ///< Channel at whose end it was; NO_CHANNEL at the source.
    Instant when{0};               ///< Time [ps].
    Packet packet;                 ///< The packet.
};

/**
 * Links with STOP/GO, cut-through switches, and the link side of network interfaces, at the
 * granularity of packets (worms).
 *
 * All links run at one rate, so the flow of characters through a buffer is a sequence of *runs*: a
 * run begins, goes on at one character each character time, and ends. Only the beginnings and ends
 * of runs are events; the levels of slack buffers between them, and when they reach a threshold,
 * follow in closed form. A run ends with the packet, when its buffer runs empty, or when STOP
 * arrives, after the character in transmission. A packet that moves freely costs four events a hop,
 * whatever its length.
 *
 * Each channel has a slack buffer at its end, which holds characters of one packet or of several
 * behind each other. The route of the first is read; it waits for the output, and is then connected
 * to it until its last character has left. All others wait. The send engine of a host is a buffer
 * too, which holds whole packets, numbered behind the channels'; a receiver is an output that takes
 * characters at link rate.
 *
 * Time passes only in Advance, which the caller calls up to a time before it does anything else at
 * that time.
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

    /** @return time up to which Advance may be delayed without a late notice, or NEVER [ps]. */
    Instant GetNextWake() const;

    /** @return the notices since this was called last; to be cleared by the caller. */
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
     * Make a receiver take packets from the network, or leave them there.
     * @param host the host
     * @param accepting whether it takes them
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
     * @param host a host
     * @return whether its NRES bit is set
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
     * Find channels that wait for one another in a ring, on which nothing moves but by a timeout.
     * @return the channels in the order in which each waits for the next; empty if there are none
     */
    std::vector<ChannelId> FindDeadlock() const;

    /**
     * Get the time at which the last character of a packet is received in an idle network.
     * @param from source
     * @param to destination
     * @param chars its length as injected [characters]
     * @return the time since it was injected [ps]
     */
    Instant GetIdleLatency(Peer from, Peer to, uint32_t chars) const;

    /** @return the counts so far. */
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /** @return the counts so far, to be changed by the owner of the fabric. */
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
    static constexpr ChannelId SINK = NONE - 1; ///< The output that a receiver is.

    /** State of the first packet of a buffer. */
    enum class Front : uint8_t
    {
        EMPTY,    ///< No packet.
        ROUTING,  ///< Its route byte is being read.
        WAITING,  ///< Waits for its output.
        CONNECTED ///< Has its output.
    };

    /** Packet in flight. */
    struct Worm
    {
        Packet packet;                   ///< The packet.
        const ChannelId* route{nullptr}; ///< Channels on its way.
        Instant doomedAt{0};             ///< Time of the decision to discard it [ps].
        DropReason doom{};               ///< Reason for it.
        bool doomed{false};              ///< Being discarded.
    };

    /** A packet in one buffer. */
    struct Piece
    {
        uint32_t worm; ///< The packet.
        uint32_t next; ///< The piece behind it, or NONE.
        int32_t left;  ///< Characters that have not left the buffer, those to come included.
        int32_t come;  ///< Characters that have not reached it.
        uint32_t hop;  ///< Index of the channel in the packet's route.
    };

    /** The buffer at the end of a channel, and the sender of that channel. */
    struct Buffer
    {
        Instant inStart{0};            ///< Begin of the run into it [ps].
        Instant outStart{0};           ///< Begin of the run out of it [ps].
        Instant freeAt{0};             ///< Earliest begin of a packet on the channel [ps].
        Instant blockedSince{0};       ///< Begin of its first packet's wait [ps].
        Instant routeAt{0};            ///< Time at which its first packet requests its output [ps].
        Instant delay{0};              ///< Of the channel [ps].
        uint32_t first{NONE};          ///< First piece.
        uint32_t last{NONE};           ///< Last piece.
        int32_t level{0};              ///< Characters in it, present runs not counted.
        int32_t planned{0};            ///< Length of the run out of it; 0 if not known yet.
        uint32_t outCount{0};          ///< Counts changes of plan of the run out.
        uint32_t crossCount{0};        ///< Counts changes of plan of the next crossing.
        uint32_t blockCount{0};        ///< Counts waits.
        ChannelId out{NO_CHANNEL};     ///< Output of its first packet, or SINK.
        ChannelId feeder{NO_CHANNEL};  ///< Buffer that the channel's sender is connected to.
        ChannelId waiting{NO_CHANNEL}; ///< First buffer that waits for this channel.
        ChannelId waitNext{NO_CHANNEL}; ///< Buffer behind this one in the queue of its output.
        ChannelId served{0};            ///< Buffer connected to this channel last.
        Peer host{messaging::NO_PEER};  ///< Host at the channel's end, if it is one.
        bool fromHost{false};           ///< The channel's sender is a host.
        Front front{};                  ///< State of its first packet.
        bool in{false};                 ///< There is a run into it.
        bool outgoing{false};           ///< There is a run out of it.
        bool stopSent{false};           ///< Last sent to the channel's sender: STOP.
        bool stopped{false};            ///< Last received by the channel's sender: STOP.
        bool freeing{false};            ///< A FREE event is placed.
    };

    /** Link side of a host's network interface. */
    struct Host
    {
        Instant stallBegin{0};      ///< Begin of its next or present stall [ps].
        Instant stallEnd{0};        ///< End of it [ps].
        uint32_t buffers{0};        ///< Free receive buffers.
        ChannelId up{NO_CHANNEL};   ///< The channel from it.
        ChannelId down{NO_CHANNEL}; ///< The channel to it.
        bool accepting{true};       ///< Takes packets.
        bool nres{false};           ///< NRES bit.
        bool waking{false};         ///< An AWAKE event is placed.
    };

    /** Wait that ends in a discard if it lasts. */
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
     * Place an event.
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
     * Get how soon an event has an effect outside: a packet leaves its host or reaches its
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
        return b.fromHost && (kind == EventKind::GO || kind == EventKind::FREE) ? Reach::CHARACTER
                                                                                : Reach::CABLE;
    }

    /** Serve an event. @param event the event */
    void Serve(const Event& event);

    /** A run begins to reach a buffer. @param c the buffer @param worm packet of the run */
    void OnArrive(ChannelId c, uint32_t worm);

    /**
     * The last character of a run has reached a buffer.
     * @param c the buffer
     * @param chars its length
     */
    void OnArriveEnd(ChannelId c, uint32_t chars);

    /** A run out of a buffer has ended. @param c the buffer */
    void OnOutEnd(ChannelId c);

    /** The sender of a channel receives STOP. @param c the channel */
    void OnStop(ChannelId c);

    /** The sender of a channel receives GO. @param c the channel */
    void OnGo(ChannelId c);

    /** A channel can be given to the next that waits for it. @param c the channel */
    void OnFree(ChannelId c);

    /** The route of the first packet of a buffer has been read. @param c the buffer */
    void OnRoute(ChannelId c);

    /** The stall of a receiver has ended. @param c the channel to it */
    void OnAwake(ChannelId c);

    /** A packet has come to the front of a buffer. @param c the buffer */
    void BecomeFront(ChannelId c);

    /**
     * The first packet of a buffer requests a channel.
     * @param c the buffer
     * @param out the channel
     */
    void Ask(ChannelId c, ChannelId out);

    /** The first packet of a buffer requests the receiver. @param c the buffer */
    void AskReceiver(ChannelId c);

    /** The first packet of a buffer has to wait. @param c the buffer */
    void Block(ChannelId c);

    /** Connect the first packet of a buffer. @param c the buffer @param out its output, or SINK */
    void Connect(ChannelId c, ChannelId out);

    /** Remove a buffer from the queue of its output. @param c the buffer */
    void LeaveLine(ChannelId c);

    /**
     * Begin a run out of a buffer, if there is something to send; PlanCrossing has to follow.
     * @param c the buffer
     */
    void TryStart(ChannelId c);

    /** Plan the end of the run out of a buffer, if it is known. @param c the buffer */
    void PlanOutEnd(ChannelId c);

    /** Send STOP or GO if due, and plan the next. @param c the buffer */
    void PlanCrossing(ChannelId c);

    /** The last character of the first packet of a buffer has left it. @param c the buffer */
    void EndPacket(ChannelId c);

    /** A packet was delivered or lost. @param c its last channel @param worm the packet */
    void EndWorm(ChannelId c, uint32_t worm);

    /**
     * Mark the first packet of a buffer as lost.
     * @param c the buffer
     * @param reason the reason
     */
    void Doom(ChannelId c, DropReason reason);

    /**
     * Discard the first packet of a buffer, which waits.
     * @param c the buffer
     * @param reason the reason
     */
    void Discard(ChannelId c, DropReason reason);

    /**
     * A packet has reached one that a receiver leaves pending (section 2, item 4).
     * @param c the channel to the receiver
     */
    void Follow(ChannelId c);

    /** A receiver leaves a packet pending: find its followers. @param c the channel to it */
    void FindFollowers(ChannelId c);

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
     * @param come number of them still to come
     * @param hop the channel's index in the route
     */
    void AddPiece(ChannelId c, uint32_t worm, uint32_t chars, uint32_t come, uint32_t hop);

    /** Remove the first piece of a buffer. @param b the buffer */
    void RemovePiece(Buffer& b);

    /**
     * Get the channel that blocks the first packet of a buffer.
     * @param c the buffer
     * @return the channel, or NO_CHANNEL if the packet can move or waits for a receiver
     */
    ChannelId GetObstacle(ChannelId c) const;

    const Routes& m_routes;  ///< Routes.
    FabricConfig m_config;   ///< Parameters.
    Instant m_character;     ///< Time of a character on a link [ps].
    Instant m_fallThrough;   ///< Delay of a head in a switch [ps].
    Instant m_timeout;       ///< Longest wait of a packet, or 0 [ps].
    uint32_t m_nChannels{0}; ///< Channels of links; the hosts' send engines are behind them.
    Instant m_now{0};        ///< The time [ps].
    EventQueue m_queue;      ///< Future events.
    std::array<Instant, N_REACHES> m_late{}; ///< Permitted delay of events by reach [ps].
    std::deque<Wait> m_waits;                ///< Waits in the order of their ends.
    std::vector<Buffer> m_buffers;           ///< By channel.
    std::vector<ChannelUse> m_use;           ///< By channel.
    std::vector<Host> m_hosts;               ///< By host.
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
