/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_PORT_FAULTS_H
#define MESSAGING_PORT_FAULTS_H

#include "ns3/messaging-core.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Faults of frames between a network and a protocol.
 */

namespace ns3
{
namespace messaging
{

/** Faults of a frame. */
enum class PortFault : uint8_t
{
    LOST,      ///< Lost at random, or once every LossPeriod frames.
    BURST,     ///< Lost in a bad phase of the sender's link.
    CAUGHT,    ///< Corrupted, and dropped by the checksum.
    CORRUPTED, ///< Corrupted, undetected by the checksum.
    REPEATED,  ///< Delivered a second time.
    DELAYED,   ///< Delivered late, so that others overtake it.
    OUTAGE,    ///< Lost while its link, its sender or its receiver was down.
    OVERFLOWED ///< Lost at a slow receiver whose queue was full.
};

/** Number of faults. */
inline constexpr std::size_t PORT_FAULTS = static_cast<std::size_t>(PortFault::OVERFLOWED) + 1;

/**
 * Print a fault by name.
 * @param os the stream
 * @param fault the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, PortFault fault);

/**
 * @ingroup messaging
 * Fault plan of a run, with a decision on each frame that has crossed a network.
 *
 * Faults are random, in bursts, periodic, due to outages of links and nodes or to slow receivers,
 * or scripted. Losses in bursts follow Gilbert and Elliott: the link of each sender is good or bad,
 * changes with a given probability at each frame, and loses frames while it is bad. Links and nodes
 * with outages alternate between up and down, for exponentially distributed times.
 */
class PortFaults : public Object
{
  public:
    /** Decision on one frame. */
    struct Fate
    {
        Frame frame;        ///< The frame as it arrives.
        bool drop{false};   ///< It does not arrive.
        Ticks delay{0};     ///< Delay by the fault [ticks].
        bool copy{false};   ///< It arrives a second time.
        Ticks copyDelay{0}; ///< Delay of the copy [ticks].
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Apply a fault to one frame, instead of a random decision.
     * @param fault the fault; BURST, CAUGHT, OUTAGE and OVERFLOWED act as LOST
     * @param kind kind of the frame
     * @param nth number of the frame among those that match, from 1
     * @param delay for DELAYED and REPEATED, delay of the frame or of its copy [ticks]
     * @param from only frames of this sender count; NO_PEER for any
     * @param to only frames for this receiver count; NO_PEER for any
     */
    void Script(PortFault fault,
                uint8_t kind,
                uint64_t nth,
                Ticks delay = 0,
                Peer from = NO_PEER,
                Peer to = NO_PEER);

    /**
     * Set the length of a tick, the unit of the plan's times.
     * @param length the length
     */
    void SetTickLength(Time length)
    {
        m_tick = length;
    }

    /**
     * Decide on a frame.
     * @param from its sender
     * @param to its receiver
     * @param frame the frame
     * @param now time of its arrival [ticks]
     * @return the decision
     */
    Fate Decide(Peer from, Peer to, const Frame& frame, Ticks now = 0);

    /**
     * Get the properties of a port with these faults.
     * @param info properties of the port alone
     * @return the properties that remain
     */
    PortInfo Weaken(PortInfo info) const;

    /** @return whether a fault can affect any frame. */
    bool IsActive() const
    {
        return CanLose() || m_plan.duplication > 0 || m_plan.reordering > 0 || !m_script.empty();
    }

    /** @return whether corrupted frames can pass the checksum. */
    bool CorruptsUnnoticed() const
    {
        return m_plan.corruption > 0 && m_plan.uncaught > 0;
    }

    /**
     * Get the count of a fault.
     * @param fault the fault
     * @return the number of affected frames
     */
    uint64_t GetCount(PortFault fault) const
    {
        return m_counts[static_cast<std::size_t>(fault)];
    }

    /** @return the number of affected frames by name of the fault. */
    std::vector<std::pair<std::string, uint64_t>> GetCounts() const;

    /**
     * Assign the random streams.
     * @param stream the first stream to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Signature of the Fault trace source.
     * @param from the frame's sender
     * @param to its receiver
     * @param frame the frame as it was sent
     * @param fault the fault
     */
    typedef void (*FaultTracedCallback)(Peer from, Peer to, const Frame& frame, PortFault fault);

  private:
    /** The attributes. */
    struct Plan
    {
        double loss{0};                   ///< Probability of a loss.
        uint64_t lossKinds{~uint64_t{0}}; ///< Kinds of frames subject to losses, as bits.
        Peer lossFrom{NO_PEER};           ///< Only sender with losses.
        Peer lossTo{NO_PEER};             ///< Only receiver with losses.
        uint64_t period{0};               ///< Period of losses [frames]; 0 for none.
        double corruption{0};             ///< Probability of a corruption.
        double uncaught{0};               ///< Share of undetected corruptions.
        double duplication{0};            ///< Probability of a second arrival.
        double reordering{0};             ///< Probability of a delay.
        Ticks bound{0};                   ///< Longest delay [ticks].
        double burstBegin{0};             ///< Probability that a link turns bad.
        double burstEnd{1};               ///< Probability that a link turns good.
        double burstLoss{1};              ///< Probability of a loss while bad.
        Time linkUp{0};                   ///< Mean time between outages of a link; 0 for none.
        Time linkDown{MicroSeconds(100)}; ///< Mean outage of a link.
        Time nodeUp{0};                   ///< Mean time between outages of a node; 0 for none.
        Time nodeDown{MicroSeconds(100)}; ///< Mean outage of a node.
        uint32_t slow{0};                 ///< Number of slow receivers.
        Time slowTime{MicroSeconds(100)}; ///< Time of a slow receiver for a frame.
        uint32_t slowQueue{16};           ///< Queue length of a slow receiver.
    };

    /** Scripted fault. */
    struct Line
    {
        PortFault fault; ///< The fault.
        uint8_t kind;    ///< Kind of the frame.
        uint64_t nth;    ///< Matching frames until the fault, its own included.
        Ticks delay;     ///< Delay [ticks].
        Peer from;       ///< Sender, or NO_PEER.
        Peer to;         ///< Receiver, or NO_PEER.
    };

    /** Alternation of a link or a node between up and down. */
    struct Outage
    {
        Ticks until{0};   ///< End of the current phase; 0 before the first one [ticks].
        bool down{false}; ///< The current phase is an outage.
    };

    /** @return whether a frame can be lost, other than by the script. */
    bool CanLose() const
    {
        return m_plan.loss > 0 || m_plan.period > 0 || m_plan.corruption > 0 ||
               m_plan.burstBegin > 0 || m_plan.linkUp.IsStrictlyPositive() ||
               m_plan.nodeUp.IsStrictlyPositive() || m_plan.slow > 0;
    }

    /**
     * Draw a random decision.
     * @param probability probability of true
     * @return the decision; draws nothing if the probability is zero
     */
    bool Toss(double probability);

    /**
     * Draw a delay.
     * @return from 1 to the bound, or 0 if that is zero [ticks]
     */
    Ticks DrawDelay();

    /**
     * Advance the state of an outage to a time, and check it.
     * @param outage the link's or node's
     * @param up mean time up
     * @param down mean time down
     * @param now the time [ticks]
     * @return true if it is down
     */
    bool IsDown(Outage& outage, Time up, Time down, Ticks now);

    /**
     * Check the outages of a frame's link, sender and receiver.
     * @param from its sender
     * @param to its receiver
     * @param now the time [ticks]
     * @return true if the frame is lost
     */
    bool IsLostInOutage(Peer from, Peer to, Ticks now);

    /**
     * Queue a frame at a slow receiver.
     * @param to the receiver
     * @param now the time [ticks]
     * @return time until the receiver has processed it [ticks]; NEVER if its queue is full
     */
    Ticks Queue(Peer to, Ticks now);

    /**
     * Advance the state of a link, and draw whether a burst loses a frame.
     * @param from the sender
     * @return true if the frame is lost
     */
    bool IsLostInBurst(Peer from);

    /**
     * Apply a fault. A corruption changes one bit: of the contents if the frame has a payload,
     * otherwise of its id.
     * @param fault the fault
     * @param fate the decision to update
     * @param delay for DELAYED and REPEATED [ticks]
     */
    void Inflict(PortFault fault, Fate& fate, Ticks delay);

    Plan m_plan;                                     ///< The attributes.
    std::vector<Line> m_script;                      ///< Pending scripted faults.
    std::map<Peer, bool> m_bad;                      ///< Senders whose link is bad.
    std::map<Peer, Outage> m_nodes;                  ///< Outages of nodes.
    std::map<std::pair<Peer, Peer>, Outage> m_links; ///< Outages of links.
    std::map<Peer, Ticks> m_busyUntil;               ///< Time at which each slow receiver is idle.
    std::array<uint64_t, PORT_FAULTS> m_counts{};    ///< Frames affected by each fault.
    Ptr<UniformRandomVariable> m_random{
        CreateObject<UniformRandomVariable>()}; ///< Random faults and phases.
    Time m_tick{NanoSeconds(1)};                ///< Length of a tick.
    uint64_t m_seen{0};                         ///< Frames counted for the period.
    TracedCallback<Peer, Peer, const Frame&, PortFault> m_faultTrace; ///< Fired for each fault.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_PORT_FAULTS_H
