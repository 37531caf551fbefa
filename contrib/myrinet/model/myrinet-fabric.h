/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_FABRIC_H
#define MYRINET_FABRIC_H

#include "myrinet-event-heap.h"
#include "myrinet-mapper.h"
#include "myrinet-topology.h"

#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <deque>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup myrinet
 * Packets on their way through links and switches.
 */

namespace ns3
{
namespace myrinet
{

/** What determines how a fabric behaves. */
struct FabricConfig
{
    Instant character{6250};     ///< Time of a character on a link [ps].
    Instant perMetre{4900};      ///< Delay of a cable [ps/m].
    Instant fallThrough{125000}; ///< From a head's arrival at a switch to its departure [ps].
    uint32_t slack{80};          ///< Size of a slack buffer [characters].
    uint32_t stop{56};           ///< Level at which STOP is sent [characters].
    uint32_t go{40};             ///< Level at which GO is sent [characters].
    Arbitration arbitration{};   ///< Who gets an output.
    uint32_t buffers{32};        ///< Receive buffers of each host.
    ReceiveFull receiveFull{};   ///< What a receiver without buffer does (item 2).
    double corruption{0};        ///< Probability that a link corrupts a character (item 1).
    double crcMiss{0};         ///< Probability that the CRC lets a corrupted packet pass (item 1).
    Instant timeout{NEVER};    ///< Until what is not consumed is discarded (item 3) [ps].
    double overwrite{0};       ///< Probability of loss behind a pending packet (item 4).
    double overwriteDamage{0}; ///< Share of those that are corrupted instead (item 4).
    double stallRate{0};       ///< Stalls of each receiver [1/s].
    Instant stallLength{0};    ///< Length of each [ps].
};

/** What the fabric tells whoever runs it. */
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

    Kind kind{};                   ///< What has happened.
    DropReason reason{};           ///< Why, if it was lost.
    ChannelId channel{NO_CHANNEL}; ///< Where: at the end of this channel; NO_CHANNEL at the source.
    Instant when{0};               ///< When [ps].
    Packet packet;                 ///< To which packet.
};

/**
 * Links with STOP/GO, cut-through switches, and the link side of network interfaces, at the
 * granularity of packets (worms).
 *
 * All links run at one rate, so the flow of characters through a buffer is a sequence of *runs*: a
 * run begins, goes on at one character each character time, and ends. Only the beginnings and ends
 * of runs are events; the levels of slack buffers between them, and when they reach a threshold,
 * follow in closed form. A run ends with the packet, when its buffer runs empty, or when STOP
 * arrives, after the character under way. A packet that moves freely costs four events a hop,
 * whatever its length.
 *
 * Each channel has a slack buffer at its end, which holds characters of one packet or of several
 * behind each other. The first of them is asked for its route, waits for the output, and is then
 * connected to it until its last character has left. What follows waits. The send engine of a host
 * is a buffer too, which holds whole packets, behind all channels' in number; a receiver is an
 * output that takes characters at link rate.
 *
 * Time passes only in Advance, which the caller calls up to any time before it does anything else
 * at that time.
 */
class Fabric
{
  public:
    /**
     * Construct.
     * @param topology the network
     * @param routes its routes
     * @param config its settings
     */
    Fabric(const Topology& topology, const Routes& routes, const FabricConfig& config);

    /**
     * Look whether slack buffers can hold what is under way when STOP is sent.
     * @param config the settings
     * @param cable length of the longest cable [m]
     * @return an empty text, or one sentence that names what is wrong and what is allowed
     */
    static std::string Check(const FabricConfig& config, double cable);

    /**
     * Give a packet to its source's send engine, behind those that it has already.
     * @param packet the packet; chars is set
     * @param now the time, up to which Advance was called [ps]
     */
    void Inject(const Packet& packet, Instant now);

    /**
     * Let time pass.
     * @param until up to this time, inclusive [ps]
     */
    void Advance(Instant until);

    /** @return until when Advance has to be called so that nothing is noticed late, or NEVER [ps].
     */
    Instant GetNextWake() const;

    /** @return what has happened since this was called last; to be cleared by the caller. */
    std::vector<Notice>& GetNotices()
    {
        return m_notices;
    }

    /**
     * Free a receive buffer.
     * @param host whose
     * @param now the time [ps]
     */
    void Release(Peer host, Instant now);

    /**
     * Have a receiver take packets from the network, or not.
     * @param host whose
     * @param accepting whether it does
     * @param now the time [ps]
     */
    void SetAccepting(Peer host, bool accepting, Instant now);

    /**
     * @param host a host
     * @return how many receive buffers are free
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
     * @param host whose
     */
    void ClearNres(Peer host)
    {
        m_hosts[host].nres = false;
    }

    /**
     * Look for channels that wait for one another in a ring, so that nothing on them will ever move
     * but by a timeout.
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

    /** @return what has happened so far. */
    const Counters& GetCounters() const
    {
        return m_counters;
    }

    /** @return what has happened so far, to be changed by whoever runs the fabric. */
    Counters& GetCounters()
    {
        return m_counters;
    }

    /** @return the number of packets that are neither delivered nor lost. */
    uint64_t GetNInFlight() const
    {
        return m_worms.size() - m_freeWorms.size();
    }

    /**
     * @param channel a channel
     * @return what it has carried
     */
    const ChannelUse& GetUse(ChannelId channel) const
    {
        return m_use[channel];
    }

    /** @return events served so far. */
    uint64_t GetNEvents() const
    {
        return m_events;
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

    /** What the first packet of a buffer does. */
    enum class Front : uint8_t
    {
        EMPTY,    ///< There is none.
        ROUTING,  ///< Its route byte is being read.
        WAITING,  ///< It waits for its output.
        CONNECTED ///< It has its output.
    };

    /** A packet under way. */
    struct Worm
    {
        Packet packet;                   ///< The packet.
        const ChannelId* route{nullptr}; ///< Channels on its way.
        Instant doomedAt{0};             ///< When it was decided to discard it [ps].
        DropReason doom{};               ///< Why it is discarded.
        bool doomed{false};              ///< It is being discarded.
    };

    /** A packet in one buffer. */
    struct Piece
    {
        uint32_t worm; ///< The packet.
        uint32_t next; ///< The piece behind it, or NONE.
        int32_t left;  ///< Characters that have not left the buffer; those to come included.
        int32_t come;  ///< Characters that have not reached it.
        uint32_t hop;  ///< Index of the channel in the packet's route.
    };

    /** The buffer at the end of a channel, and the sender of that channel. */
    struct Buffer
    {
        Instant inStart{0};             ///< When the run into it began [ps].
        Instant outStart{0};            ///< When the run out of it began [ps].
        Instant freeAt{0};              ///< When the channel's sender may begin a packet [ps].
        Instant blockedSince{0};        ///< Since when its first packet waits [ps].
        Instant routeAt{0};             ///< When its first packet asks for its output [ps].
        Instant delay{0};               ///< Of the channel [ps].
        uint32_t first{NONE};           ///< First piece.
        uint32_t last{NONE};            ///< Last piece.
        int32_t level{0};               ///< Characters in it, runs under way not counted.
        int32_t planned{0};             ///< Length of the run out of it, or 0 if not known yet.
        uint32_t outCount{0};           ///< Counts changes of plan of the run out.
        uint32_t crossCount{0};         ///< Counts changes of plan of the next crossing.
        uint32_t blockCount{0};         ///< Counts waits.
        ChannelId out{NO_CHANNEL};      ///< The output that its first packet wants or has, or SINK.
        ChannelId feeder{NO_CHANNEL};   ///< The buffer that the channel's sender is connected to.
        ChannelId waiting{NO_CHANNEL};  ///< First buffer that waits for this channel.
        ChannelId waitNext{NO_CHANNEL}; ///< The buffer behind this one in the line of its output.
        ChannelId served{0};            ///< The buffer that was connected to this channel last.
        Peer host{messaging::NO_PEER};  ///< The host at the channel's end, if it is one.
        bool fromHost{false};           ///< The channel's sender is a host.
        Front front{};                  ///< What its first packet does.
        bool in{false};                 ///< A run into it is under way.
        bool outgoing{false};           ///< A run out of it is under way.
        bool stopSent{false};           ///< Its last word to the channel's sender was STOP.
        bool stopped{false};            ///< The last that the channel's sender has heard was STOP.
        bool freeing{false};            ///< A FREE event is under way.
    };

    /** A host's network interface, as the link sees it. */
    struct Host
    {
        Instant stallBegin{0};      ///< Its next or present stall [ps].
        Instant stallEnd{0};        ///< The end of it [ps].
        uint32_t buffers{0};        ///< Free receive buffers.
        ChannelId up{NO_CHANNEL};   ///< The channel from it.
        ChannelId down{NO_CHANNEL}; ///< The channel to it.
        bool accepting{true};       ///< It takes packets.
        bool nres{false};           ///< Its NRES bit.
        bool waking{false};         ///< An AWAKE event is under way.
    };

    /** A wait that ends in a discard if it lasts. */
    struct Wait
    {
        Instant end;      ///< When [ps].
        ChannelId buffer; ///< Where the packet waits.
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
     * @param when when it is due [ps]
     * @param kind what
     * @param c where
     * @param datum what the kind says
     */
    void Place(Instant when, EventKind kind, ChannelId c, uint32_t datum)
    {
        m_queue.Push(GetReach(kind, c), when, kind, c, datum);
    }

    /**
     * Get how soon an event can be noticed outside: a packet that has left its host or has reached
     * its receiver.
     * @param kind what
     * @param c where
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

    /** @param event what is due */
    void Serve(const Event& event);

    /** A run begins to reach a buffer. @param c the buffer @param worm whose characters it has */
    void OnArrive(ChannelId c, uint32_t worm);

    /**
     * The last character of a run has reached a buffer.
     * @param c the buffer
     * @param chars its length
     */
    void OnArriveEnd(ChannelId c, uint32_t chars);

    /** A run out of a buffer has ended. @param c the buffer */
    void OnOutEnd(ChannelId c);

    /** The sender of a channel hears STOP. @param c the channel */
    void OnStop(ChannelId c);

    /** The sender of a channel hears GO. @param c the channel */
    void OnGo(ChannelId c);

    /** A channel can be given to the next that waits for it. @param c the channel */
    void OnFree(ChannelId c);

    /** The route of the first packet of a buffer has been read. @param c the buffer */
    void OnRoute(ChannelId c);

    /** A host's receiver stalls no longer. @param c the channel to it */
    void OnAwake(ChannelId c);

    /** A packet has come to the front of a buffer. @param c the buffer */
    void BecomeFront(ChannelId c);

    /**
     * The first packet of a buffer asks for a channel.
     * @param c the buffer
     * @param out the channel
     */
    void Ask(ChannelId c, ChannelId out);

    /** The first packet of a buffer asks for the receiver. @param c the buffer */
    void AskReceiver(ChannelId c);

    /** The first packet of a buffer has to wait. @param c the buffer */
    void Block(ChannelId c);

    /** Connect the first packet of a buffer. @param c the buffer @param out its output, or SINK */
    void Connect(ChannelId c, ChannelId out);

    /** Take a buffer out of the line of its output. @param c the buffer */
    void LeaveLine(ChannelId c);

    /**
     * Begin a run out of a buffer, if there is something to send; PlanCrossing is to follow.
     * @param c the buffer
     */
    void TryStart(ChannelId c);

    /** Find out when the run out of a buffer ends, if it is known. @param c the buffer */
    void PlanOutEnd(ChannelId c);

    /** Send STOP or GO if it is time, and find out when it will be. @param c the buffer */
    void PlanCrossing(ChannelId c);

    /** The last character of the first packet of a buffer has left it. @param c the buffer */
    void EndPacket(ChannelId c);

    /** A packet has come to its end. @param c where @param worm the packet */
    void EndWorm(ChannelId c, uint32_t worm);

    /** Discard the first packet of a buffer, which waits. @param c the buffer @param reason why */
    void Discard(ChannelId c, DropReason reason);

    /**
     * A packet has come up behind one that a receiver leaves pending (section 2, item 4).
     * @param c the channel to the receiver
     */
    void Follow(ChannelId c);

    /** A receiver leaves a packet pending: look for what follows it. @param c the channel to it */
    void FindFollowers(ChannelId c);

    /** @param host a host @return whether its receiver stalls now */
    bool IsStalled(Peer host);

    /**
     * Decide whether a link corrupts a packet.
     * @param c the channel
     * @param worm the packet
     * @param chars how many of its characters it carries
     */
    void Corrupt(ChannelId c, Worm& worm, uint32_t chars);

    /**
     * Add a piece to a buffer.
     * @param c the buffer
     * @param worm the packet
     * @param chars its characters
     * @param come how many of them are to come
     * @param hop the channel's index
     */
    void AddPiece(ChannelId c, uint32_t worm, uint32_t chars, uint32_t come, uint32_t hop);

    /** Take the first piece from a buffer. @param b the buffer */
    void RemovePiece(Buffer& b);

    /**
     * Get the channel that has to move before the first packet of a buffer can.
     * @param c the buffer
     * @return the channel, or NO_CHANNEL if the packet can move or waits for a receiver
     */
    ChannelId GetObstacle(ChannelId c) const;

    const Routes& m_routes;  ///< Routes.
    FabricConfig m_config;   ///< Settings.
    uint32_t m_nChannels{0}; ///< Channels of links; the hosts' send engines are behind them.
    Instant m_now{0};        ///< The time [ps].
    EventQueue m_queue;      ///< What is to come.
    std::array<Instant, N_REACHES> m_late{}; ///< How late events of each reach may be served [ps].
    std::deque<Wait> m_waits;                ///< Waits in the order of their ends.
    std::vector<Buffer> m_buffers;           ///< By channel.
    std::vector<ChannelUse> m_use;           ///< By channel.
    std::vector<Host> m_hosts;               ///< By host.
    std::vector<Worm> m_worms;               ///< Packets under way, and free places.
    std::vector<uint32_t> m_freeWorms;       ///< Free places.
    std::vector<Piece> m_pieces;             ///< Pieces, and free places.
    std::vector<uint32_t> m_freePieces;      ///< Free places.
    std::vector<Notice> m_notices;           ///< What has happened.
    Counters m_counters;                     ///< What has happened so far.
    double m_untilError{-1};                 ///< Characters until a link corrupts the next one.
    uint64_t m_events{0};                    ///< Events served.
    Ptr<ExponentialRandomVariable> m_errors; ///< Characters between errors.
    Ptr<UniformRandomVariable> m_crc;        ///< For what the CRC lets pass.
    Ptr<UniformRandomVariable> m_overwrites; ///< For pending packets.
    Ptr<ExponentialRandomVariable> m_stalls; ///< Times between stalls.
};

} // namespace myrinet
} // namespace ns3

#endif // MYRINET_FABRIC_H
