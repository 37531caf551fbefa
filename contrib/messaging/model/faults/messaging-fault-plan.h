/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_FAULT_PLAN_H
#define MESSAGING_FAULT_PLAN_H

#include "ns3/log.h"
#include "ns3/messaging-fault.h"
#include "ns3/messaging-loss-counts.h"
#include "ns3/traced-callback.h"

#include <list>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Faults of a run.
 */

namespace ns3
{
namespace messaging
{

/** Scripted fault of a single frame. */
enum class ScriptedFault : uint8_t
{
    LOSE,      ///< The frame is lost.
    CORRUPT,   ///< One bit changes, undetected by the checksum.
    DUPLICATE, ///< The frame arrives a second time.
    DELAY      ///< The frame arrives late.
};

/**
 * @ingroup messaging
 * Fault plan of a run, with a decision on each frame that has crossed a network.
 *
 * A plan has one fault of each class that is registered (Fault), with all attributes of these
 * classes. An attribute of a base class of several faults is one attribute of the plan. Faults
 * without effect cost nothing. Faults added by Add, and faults of single frames (Script), join
 * them.
 *
 * Attributes may change during a run; those of faults added by Add directly, all others through the
 * plan.
 */
class FaultPlan : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FaultPlan();

    /**
     * Add a fault, such as a second one of a class. It acts after the others of its class.
     * @param fault the fault
     */
    void Add(Ptr<Fault> fault);

    /**
     * Apply a fault to one frame, instead of random decisions.
     * @param fault the fault
     * @param kind kind of the frame
     * @param nth number of the frame among those that match, from 1
     * @param delay for DELAY and DUPLICATE, delay of the frame or of its copy [ticks]
     * @param from only frames of this sender count; NO_PEER for any
     * @param to only frames for this receiver count; NO_PEER for any
     */
    void Script(ScriptedFault fault,
                uint8_t kind,
                uint64_t nth,
                Ticks delay = 0,
                Peer from = NO_PEER,
                Peer to = NO_PEER);

    /**
     * Set the length of a tick, the unit of the plan's times.
     * @param length the length
     */
    void SetTickLength(Time length);

    /**
     * Decide on a frame.
     * @param from its sender
     * @param to its receiver
     * @param frame the frame, which has to exist as long as the result
     * @param now time of its arrival [ticks]
     * @param packet the packet at a net device; nullptr at a port
     * @return the decision
     */
    FrameFate Decide(Peer from,
                     Peer to,
                     const Frame& frame,
                     Ticks now = 0,
                     const Packet* packet = nullptr);

    /**
     * Get the properties of a port with these faults.
     * @param info properties of the port alone
     * @return the properties that remain
     */
    PortInfo Weaken(PortInfo info) const;

    /** @return whether a fault can affect any frame. */
    bool IsActive() const;

    /** @return whether corrupted frames can pass the checksum. */
    bool CorruptsUnnoticed() const;

    /**
     * Check whether the active faults have a meaning on a network, and whether the peers that
     * attributes name exist.
     * @param network properties of the network
     * @param peers number of peers
     * @return an empty string, or one sentence with the reason why not
     */
    std::string Check(const PortInfo& network, uint32_t peers) const;

    /**
     * Get the count of an effect.
     * @param effect name of the effect
     * @return the number of affected frames
     */
    uint64_t GetCount(const std::string& effect) const;

    /** @return the number of effects on frames, of all kinds. */
    uint64_t GetTotal() const;

    /** @return the lost frames by effect, each with the prefix "fault: ". */
    const LossCounts& GetLosses() const
    {
        return m_losses;
    }

    /** @return the number of frames that arrive a second time. */
    uint64_t GetNDuplicated() const
    {
        return m_duplicated;
    }

    /** @return the number of affected frames by name of the effect. */
    const std::vector<std::pair<std::string, uint64_t>>& GetCounts() const
    {
        return m_counts;
    }

    /**
     * Assign the random streams: one that all faults share, and those of the faults' own.
     * @param stream the first stream to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Signature of the Fault trace source.
     * @param from the frame's sender
     * @param to its receiver
     * @param frame the frame as it was sent
     * @param effect name of the effect
     * @param lost whether the frame is lost
     */
    typedef void (*FaultTracedCallback)(Peer from,
                                        Peer to,
                                        const Frame& frame,
                                        const std::string& effect,
                                        bool lost);

  private:
    /** Reads and writes the attributes of the faults. */
    class Accessor;

    /** A fault of the plan. */
    struct Entry
    {
        Ptr<Fault> fault;              ///< The fault.
        std::vector<std::size_t> rows; ///< Rows in the counts of its effects.
        bool added;                    ///< Added by Add.
    };

    /** Scripted fault. */
    struct Line
    {
        ScriptedFault fault; ///< The fault.
        uint8_t kind;        ///< Kind of the frame.
        uint64_t nth;        ///< Matching frames until the fault, its own included.
        Ticks delay;         ///< Delay [ticks].
        Peer from;           ///< Sender, or NO_PEER.
        Peer to;             ///< Receiver, or NO_PEER.
    };

    /**
     * List the classes of faults, and add the attributes of new ones to the plan and to all classes
     * that forward its attributes.
     * @return the classes, in the order of their decisions
     */
    static const std::vector<TypeId>& GetFaultTypes();

    /**
     * Get the row of an effect.
     * @param effect its name
     * @return its index in the counts, which may be new
     */
    std::size_t GetRow(const std::string& effect);

    /**
     * Insert a fault at its place.
     * @param fault the fault
     * @param added whether Add adds it
     */
    void Insert(Ptr<Fault> fault, bool added);

    /** Find the faults that act. */
    void Refresh();

    /**
     * Apply the script to a frame.
     * @param arrival the frame
     * @param fate its fate, to be changed
     * @return whether the script has a fault for it
     */
    bool ApplyScript(const FrameArrival& arrival, FrameFate& fate);

    /**
     * Count an effect.
     * @param arrival the frame
     * @param fate its fate
     * @param row the effect's row in the counts
     * @param g_log log component of the fault, by the name that ns-3's macros read
     */
    void Count(const FrameArrival& arrival,
               const FrameFate& fate,
               std::size_t row,
               const LogComponent& g_log);

    std::list<Entry> m_faults;                              ///< All faults, in their order.
    std::vector<const Entry*> m_acting;                     ///< Those that act.
    std::vector<Line> m_script;                             ///< Pending scripted faults.
    std::vector<std::pair<std::string, uint64_t>> m_counts; ///< Frames affected, by effect.
    Ptr<UniformRandomVariable> m_random{
        CreateObject<UniformRandomVariable>()}; ///< Random decisions of all faults.
    LossCounts m_losses;                        ///< Lost frames by effect.
    uint64_t m_duplicated{0};                   ///< Frames that arrive a second time.
    Time m_tick{NanoSeconds(1)};                ///< Length of a tick.
    bool m_stale{true};                         ///< The acting faults may have changed.
    TracedCallback<Peer, Peer, const Frame&, const std::string&, bool>
        m_faultTrace; ///< Fired for each effect.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_FAULT_PLAN_H
