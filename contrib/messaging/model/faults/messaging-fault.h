/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_FAULT_H
#define MESSAGING_FAULT_H

#include "ns3/messaging-core.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <optional>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Base of the faults of frames between a network and a protocol.
 */

namespace ns3
{

class Packet;

namespace messaging
{

/** Stage on the way of a frame to its receiver: faults of an earlier stage decide first, those of
 * one stage in alphabetical order. */
enum class FaultStage : uint8_t
{
    OUTAGE,   ///< Links and nodes that are down.
    LINK,     ///< Links in a bad state.
    LOSS,     ///< Losses of single frames.
    DAMAGE,   ///< Changes of frames.
    DELIVERY, ///< Copies and delays.
    RECEIVER  ///< Receivers; only these faults also meet frames with a scripted fault.
};

/**
 * Get the size of the payload that a frame carries.
 * @param frame the frame
 * @return the size; 0 for a trimmed frame [bytes]
 */
inline uint32_t
GetCarriedBytes(const Frame& frame)
{
    return (frame.marks & MARK_TRIMMED) != 0 ? 0 : frame.payload;
}

/** A frame that has crossed the network. */
struct FrameArrival
{
    Peer from;            ///< Its sender.
    Peer to;              ///< Its receiver.
    const Frame& frame;   ///< The frame as sent; for a packet, only the payload is set.
    Ticks now;            ///< Time of the arrival [ticks].
    const Packet* packet; ///< The packet at a net device; nullptr at a port.
};

/**
 * @ingroup messaging
 * Fate of a frame: lost, changed, duplicated, delayed, or none of these.
 */
class FrameFate
{
  public:
    /** @param frame the frame as sent, which has to exist as long as this object */
    explicit FrameFate(const Frame& frame)
        : m_sent(&frame)
    {
    }

    /** Lose the frame. */
    void Lose()
    {
        m_lost = true;
    }

    /** @return the frame as it arrives, to be changed. */
    Frame& Change()
    {
        if (!m_changed)
        {
            m_changed = *m_sent;
        }
        return *m_changed;
    }

    /**
     * Flip a bit of the contents if the frame carries a payload, otherwise of its id.
     * @param bit number of the bit, from 0 to 63
     */
    void Corrupt(uint32_t bit)
    {
        Frame& frame = Change();
        (GetCarriedBytes(frame) > 0 ? frame.contents : frame.id) ^= uint64_t{1} << bit;
    }

    /**
     * Deliver the frame a second time. A frame has one copy at most.
     * @param delay delay of the copy [ticks]
     */
    void Duplicate(Ticks delay)
    {
        m_duplicated = true;
        m_copyDelay = delay;
    }

    /**
     * Delay the frame, but not its copy.
     * @param delay additional delay [ticks]
     */
    void Delay(Ticks delay)
    {
        m_delay += delay;
    }

    /**
     * Delay the frame and its copy.
     * @param delay additional delay [ticks]
     */
    void DelayAll(Ticks delay)
    {
        m_delay += delay;
        m_copyDelay += delay;
    }

    /** @return whether the frame does not arrive. */
    bool IsLost() const
    {
        return m_lost;
    }

    /** @return whether the frame arrives changed. */
    bool IsChanged() const
    {
        return m_changed.has_value();
    }

    /** @return the frame as it arrives. */
    const Frame& GetFrame() const
    {
        return m_changed ? *m_changed : *m_sent;
    }

    /** @return delay by faults [ticks]. */
    Ticks GetDelay() const
    {
        return m_delay;
    }

    /** @return whether the frame arrives a second time. */
    bool IsDuplicated() const
    {
        return m_duplicated;
    }

    /** @return delay of the copy [ticks]. */
    Ticks GetCopyDelay() const
    {
        return m_copyDelay;
    }

  private:
    const Frame* m_sent;            ///< The frame as sent.
    std::optional<Frame> m_changed; ///< The frame as it arrives, if it differs.
    Ticks m_delay{0};               ///< Delay [ticks].
    Ticks m_copyDelay{0};           ///< Delay of the copy [ticks].
    bool m_lost{false};             ///< It does not arrive.
    bool m_duplicated{false};       ///< It arrives a second time.
};

/** Effects by which an active fault weakens the guarantees of a port. */
struct FaultHarm
{
    bool loses{false};    ///< Frames can be lost.
    bool corrupts{false}; ///< Corrupted frames can arrive.
    Ticks delay{0};       ///< Bound of the delay of a frame; NEVER if unbounded [ticks].
    Ticks copyDelay{0};   ///< Bound of the delay of a copy; NEVER if unbounded [ticks].
};

/**
 * @ingroup messaging
 * Fault of frames, found by its TypeId, as ns-3's ErrorModel is.
 *
 * A fault plan (FaultPlan) has one object of each class, and its attributes. Each attribute thus
 * becomes a parameter of all scenarios with a fault plan. The first sentence of a class is its
 * summary (SetSummary).
 */
class Fault : public Object
{
  public:
    /** Result of Decide if there is nothing to count. */
    static constexpr std::size_t NO_EFFECT = static_cast<std::size_t>(-1);

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /** @return the stage at which the fault acts. */
    FaultStage GetStage() const
    {
        return m_stage;
    }

    /** @return names of the effects that are counted. */
    const std::vector<std::string>& GetEffects() const
    {
        return m_effects;
    }

    /**
     * Set what a fault plan shares among its faults.
     * @param random stream of all random decisions
     * @param tick length of a tick
     */
    void Setup(Ptr<UniformRandomVariable> random, Time tick)
    {
        m_random = random;
        m_tick = tick;
    }

    /** @return whether the fault can affect any frame with its present attributes. */
    virtual bool IsActive() const = 0;

    /** @return the effects on the guarantees of a port while active; by default, losses. */
    virtual FaultHarm GetHarm() const
    {
        return {.loses = true};
    }

    /**
     * Check whether the active fault has a meaning on a network.
     * @param network properties of the network
     * @return an empty string, or one sentence with the reason why not
     */
    virtual std::string Check([[maybe_unused]] const PortInfo& network) const
    {
        return "";
    }

    /**
     * Check whether the peers that the attributes name exist, also while the fault is not active.
     * @param peers number of peers
     * @return an empty string, or one sentence with the first that does not exist
     */
    virtual std::string CheckPeers([[maybe_unused]] uint32_t peers) const
    {
        return "";
    }

    /**
     * Decide on a frame. Called for active faults only, and not for frames lost at an earlier
     * stage.
     * @param arrival the frame
     * @param fate its fate, to be changed
     * @return index in GetEffects of the effect to count, or NO_EFFECT
     */
    virtual std::size_t Decide(const FrameArrival& arrival, FrameFate& fate) = 0;

    /**
     * Assign streams of the fault's own, besides that of the plan.
     * @param stream the first stream to use
     * @return the number of streams used
     */
    virtual int64_t AssignStreams([[maybe_unused]] int64_t stream)
    {
        return 0;
    }

  protected:
    /**
     * Constructor.
     * @param stage the stage at which the fault acts
     * @param effects names of the effects to count, which faults may share
     */
    Fault(FaultStage stage, std::vector<std::string> effects);

    /**
     * Draw a random decision.
     * @param probability probability of true
     * @return the decision; draws nothing if the probability is zero
     */
    bool Toss(double probability)
    {
        return probability > 0 && m_random->GetValue(0, 1) < probability;
    }

    /** @return the stream of random decisions. */
    UniformRandomVariable& GetRandom()
    {
        return *m_random;
    }

    /** @return the length of a tick. */
    Time GetTickLength() const
    {
        return m_tick;
    }

  private:
    Ptr<UniformRandomVariable> m_random; ///< Random decisions.
    Time m_tick{NanoSeconds(1)};         ///< Length of a tick.
    std::vector<std::string> m_effects;  ///< Names of the effects.
    FaultStage m_stage;                  ///< Stage of the fault.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_FAULT_H
