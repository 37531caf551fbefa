/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-fault.h"
#include "ns3/messaging-registry.h"

/**
 * @file
 * Example of a fault in a library outside the tree; ARCHITECTURE.md lists the steps.
 *
 * A source of interference, such as a microwave oven, is on for a part of each period. Frames that
 * arrive meanwhile are lost.
 */

namespace ns3
{

/** The fault; its attributes become parameters: `relnet run reliability interferenceperiod=1ms`. */
class InterferenceFault : public messaging::Fault
{
  public:
    InterferenceFault()
        : Fault(messaging::FaultStage::LINK, {"lost by interference"})
    {
    }

    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid =
            messaging::Attributes<InterferenceFault>(
                messaging::SetSummary(TypeId("ns3::InterferenceFault"),
                                      "Losses while a source of interference is on.")
                    .SetParent<messaging::Fault>()
                    .AddConstructor<InterferenceFault>())
                .AddAttribute("InterferencePeriod",
                              "Time from one beginning of the interference to the next; 0 for no "
                              "interference [s; fault].",
                              &InterferenceFault::m_period,
                              Time(0))
                .AddAttribute("InterferenceTime",
                              "Length of the interference in each period [s; fault].",
                              &InterferenceFault::m_length,
                              MicroSeconds(100));
        return tid;
    }

    bool IsActive() const override
    {
        return m_period.IsStrictlyPositive();
    }

    std::string Check(const messaging::PortInfo& network) const override
    {
        return network.broadcast ? "" : "Interference needs a medium that all nodes share.";
    }

    std::size_t Decide(const messaging::FrameArrival& arrival, messaging::FrameFate& fate) override
    {
        const Time now = GetTickLength() * static_cast<int64_t>(arrival.now);
        if (Rem(now, m_period) >= m_length)
        {
            return NO_EFFECT;
        }
        fate.Lose();
        return 0;
    }

  private:
    Time m_period; ///< Time between two beginnings; 0 for no interference.
    Time m_length; ///< Length of the interference.
};

NS_OBJECT_ENSURE_REGISTERED(InterferenceFault);

} // namespace ns3
