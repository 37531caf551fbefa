/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-late-fault.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-registry.h"

/**
 * @file
 * @ingroup messaging
 * Fault that duplicates frames.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Second arrivals of frames.
 */
class DuplicationFault : public LateFault
{
  public:
    DuplicationFault()
        : LateFault({"repeated"})
    {
    }

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool IsActive() const override
    {
        return m_duplication > 0;
    }

    FaultHarm GetHarm() const override
    {
        return {.copyDelay = GetBound()};
    }

    std::size_t Decide(const FrameArrival&, FrameFate& fate) override
    {
        if (!Toss(m_duplication))
        {
            return NO_EFFECT;
        }
        fate.Duplicate(DrawDelay());
        return 0;
    }

  private:
    double m_duplication{0}; ///< Probability of a second arrival.
};

NS_OBJECT_ENSURE_REGISTERED(DuplicationFault);

TypeId
DuplicationFault::GetTypeId()
{
    static TypeId tid =
        Attributes<DuplicationFault>(
            SetSummary(TypeId("ns3::messaging::DuplicationFault"), "Second arrivals of frames.")
                .SetParent<LateFault>()
                .SetGroupName("Messaging")
                .AddConstructor<DuplicationFault>())
            .AddAttribute("Duplication",
                          "Probability that a frame arrives a second time, up to ReorderBound "
                          "later [probability; fault].",
                          &DuplicationFault::m_duplication,
                          0,
                          0,
                          1);
    return tid;
}

} // namespace messaging
} // namespace ns3
