/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_PORT_FAULTS_H
#define MESSAGING_PORT_FAULTS_H

#include "ns3/messaging-core.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <array>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * What goes wrong with frames between a network and a protocol.
 */

namespace ns3
{
namespace messaging
{

/** What can happen to a frame. */
enum class PortFault : uint8_t
{
    LOST,      ///< It does not arrive.
    BURST,     ///< It does not arrive, in a bad phase of its sender's link.
    CAUGHT,    ///< It was corrupted, the checksum tells, and it is dropped.
    CORRUPTED, ///< It was corrupted, and the checksum does not tell.
    REPEATED,  ///< It arrives a second time.
    DELAYED    ///< It arrives late, and others pass it.
};

/**
 * Print a fault by name.
 * @param os the stream
 * @param fault the value
 * @return the stream
 */
std::ostream& operator<<(std::ostream& os, PortFault fault);

/**
 * @ingroup messaging
 * Decides what goes wrong with each frame that has crossed a network: at random, in bursts, or by a
 * script.
 *
 * Losses in bursts follow Gilbert and Elliott: the link of each sender is good or bad, changes with
 * a given probability at each frame, and loses frames while it is bad.
 */
class PortFaults : public Object
{
  public:
    /** What happens to one frame. */
    struct Fate
    {
        Frame frame;        ///< The frame as it arrives.
        bool drop{false};   ///< It does not arrive.
        Ticks delay{0};     ///< How much later than by itself [ticks].
        bool copy{false};   ///< It arrives a second time.
        Ticks copyDelay{0}; ///< How much later than by itself the copy arrives [ticks].
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    PortFaults();
    ~PortFaults() override;

    /**
     * Have something happen to one frame, whatever chance would have had happen to it.
     * @param fault what; BURST and CAUGHT act as LOST
     * @param kind the frame's kind
     * @param nth which one of those that match, the first being 1
     * @param delay for DELAYED and REPEATED, how late it or its copy arrives [ticks]
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
     * Decide on a frame.
     * @param from its sender
     * @param to its receiver
     * @param frame the frame
     * @return what happens to it
     */
    Fate Decide(Peer from, Peer to, const Frame& frame);

    /**
     * Tell what a port promises when these faults act on it.
     * @param info what it promises by itself
     * @return what is left of it
     */
    PortInfo Weaken(PortInfo info) const;

    /**
     * Get how often a fault has happened.
     * @param fault which
     * @return the number of frames
     */
    uint64_t GetCount(PortFault fault) const;

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
     * @param fault what happens to it
     */
    typedef void (*FaultTracedCallback)(Peer from, Peer to, const Frame& frame, PortFault fault);

  private:
    /** One line of the script. */
    struct Line
    {
        PortFault fault; ///< What happens.
        uint8_t kind;    ///< To frames of this kind.
        uint64_t nth;    ///< How many matching frames are still to come, this one included.
        Ticks delay;     ///< How late [ticks].
        Peer from;       ///< Sender, or NO_PEER.
        Peer to;         ///< Receiver, or NO_PEER.
    };

    /**
     * Throw a coin.
     * @param probability of true
     * @return the outcome; draws nothing if the probability is zero
     */
    bool Toss(double probability);

    /**
     * Draw a delay.
     * @return from 1 to the bound, or 0 if that is zero [ticks]
     */
    Ticks DrawDelay();

    /**
     * Corrupt a frame in one bit: of its contents if it has a payload, otherwise of its id.
     * @param frame the frame
     */
    void Corrupt(Frame& frame);

    /**
     * Look whether a burst loses a frame, and move the link's state on.
     * @param from the sender
     * @return true if the frame is lost
     */
    bool IsLostInBurst(Peer from);

    /**
     * Have a fault happen.
     * @param fault what
     * @param fate changed
     * @param delay how late, for those that are [ticks]
     */
    void Inflict(PortFault fault, Fate& fate, Ticks delay);

    std::vector<Line> m_script;          ///< What is still to happen.
    std::vector<uint8_t> m_bad;          ///< Senders whose link is bad.
    std::array<uint64_t, 6> m_counts{};  ///< How often each fault has happened.
    Ptr<UniformRandomVariable> m_random; ///< Chance.
    TracedCallback<Peer, Peer, const Frame&, PortFault> m_faultTrace; ///< Fired for each fault.
    double m_loss{0};                                                 ///< Probability of a loss.
    double m_corruption{0};             ///< Probability of a corruption.
    double m_uncaught{0};               ///< Share of it that is not caught.
    double m_duplication{0};            ///< Probability of a second arrival.
    double m_reordering{0};             ///< Probability of a delay.
    double m_burstBegin{0};             ///< Probability that a link turns bad.
    double m_burstEnd{1};               ///< Probability that it turns good.
    double m_burstLoss{1};              ///< Probability of a loss while bad.
    uint64_t m_lossKinds{~uint64_t{0}}; ///< Kinds of frames that a loss can hit, a bit each.
    Ticks m_bound{0};                   ///< Longest delay [ticks].
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_PORT_FAULTS_H
