/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-fault.h"
#include "ns3/messaging-registry.h"

/**
 * @file
 * @ingroup messaging
 * Fault that corrupts frames.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Corruption of one bit: of the contents if the frame has a payload, otherwise of its id. The
 * checksum of the network detects it, and the frame is dropped, or does not.
 */
class CorruptionFault : public Fault
{
  public:
    CorruptionFault()
        : Fault(FaultStage::DAMAGE, {"caught", "corrupted"})
    {
    }

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool IsActive() const override
    {
        return m_corruption > 0;
    }

    FaultHarm GetHarm() const override
    {
        return {.loses = true, .corrupts = m_uncaught > 0};
    }

    std::size_t Decide(const FrameArrival&, FrameFate& fate) override
    {
        if (!Toss(m_corruption))
        {
            return NO_EFFECT;
        }
        if (!Toss(m_uncaught))
        {
            fate.Lose();
            return CAUGHT;
        }
        fate.Corrupt(GetRandom().GetInteger(0, LAST_BIT));
        return CORRUPTED;
    }

  private:
    /** Effects, in the order of the constructor. */
    enum : std::size_t
    {
        CAUGHT,
        CORRUPTED
    };

    static constexpr uint32_t LAST_BIT = 63; ///< Last bit of a word.

    double m_corruption{0}; ///< Probability of a corruption.
    double m_uncaught{0};   ///< Share of undetected corruptions.
};

NS_OBJECT_ENSURE_REGISTERED(CorruptionFault);

TypeId
CorruptionFault::GetTypeId()
{
    static TypeId tid =
        Attributes<CorruptionFault>(
            SetSummary(TypeId("ns3::messaging::CorruptionFault"),
                       "Corruption of one bit, detected by the network's checksum or not.")
                .SetParent<Fault>()
                .SetGroupName("Messaging")
                .AddConstructor<CorruptionFault>())
            .AddAttribute("Corruption",
                          "Probability that a frame is corrupted in one bit [probability; fault].",
                          &CorruptionFault::m_corruption,
                          0,
                          0,
                          1)
            .AddAttribute("Uncaught",
                          "Share of the corrupted frames that pass the checksum; the others are "
                          "dropped [fraction; fault].",
                          &CorruptionFault::m_uncaught,
                          0,
                          0,
                          1);
    return tid;
}

} // namespace messaging
} // namespace ns3
