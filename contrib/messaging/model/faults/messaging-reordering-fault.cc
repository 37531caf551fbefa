/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-late-fault.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-registry.h"

/**
 * @file
 * @ingroup messaging
 * Fault that reorders frames.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Delays of frames up to a bound, so that others overtake them.
 */
class ReorderingFault : public LateFault
{
  public:
    ReorderingFault()
        : LateFault({"delayed"})
    {
    }

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool IsActive() const override
    {
        return m_reordering > 0;
    }

    FaultHarm GetHarm() const override
    {
        return {.delay = GetBound()};
    }

    std::size_t Decide(const FrameArrival&, FrameFate& fate) override
    {
        if (!Toss(m_reordering))
        {
            return NO_EFFECT;
        }
        fate.Delay(DrawDelay());
        return DELAYED;
    }

  private:
    /** Effects of the fault, in the order of their names. */
    enum : std::size_t
    {
        DELAYED
    };

    double m_reordering{0}; ///< Probability of a delay.
};

NS_OBJECT_ENSURE_REGISTERED(ReorderingFault);

TypeId
ReorderingFault::GetTypeId()
{
    static TypeId tid =
        Attributes<ReorderingFault>(
            SetSummary(TypeId("ns3::messaging::ReorderingFault"),
                       "Delays of frames up to a bound, so that others overtake them.")
                .SetParent<LateFault>()
                .SetGroupName("Messaging")
                .AddConstructor<ReorderingFault>())
            .AddAttribute("Reordering",
                          "Probability that a frame is delayed, by 1 to ReorderBound ticks "
                          "[probability; fault].",
                          &ReorderingFault::m_reordering,
                          0,
                          0,
                          1);
    return tid;
}

} // namespace messaging
} // namespace ns3
