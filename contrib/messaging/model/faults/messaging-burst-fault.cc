/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-fault.h"
#include "ns3/messaging-registry.h"

#include <map>

/**
 * @file
 * @ingroup messaging
 * Fault that loses frames in bursts.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Losses in bursts, after Gilbert and Elliott: the link of each sender is good or bad, changes with
 * a given probability at each frame, and loses frames while it is bad.
 */
class BurstFault : public Fault
{
  public:
    BurstFault()
        : Fault(FaultStage::LINK, {"lost in a burst"})
    {
    }

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool IsActive() const override
    {
        return m_begin > 0;
    }

    std::size_t Decide(const FrameArrival& arrival, FrameFate& fate) override
    {
        bool& bad = m_bad[arrival.from];
        bad = bad ? !Toss(m_end) : Toss(m_begin);
        if (!bad || !Toss(m_loss))
        {
            return NO_EFFECT;
        }
        fate.Lose();
        return 0;
    }

  private:
    double m_begin{0};          ///< Probability that a link turns bad.
    double m_end{1};            ///< Probability that a link turns good.
    double m_loss{1};           ///< Probability of a loss while bad.
    std::map<Peer, bool> m_bad; ///< Senders whose link is bad.
};

NS_OBJECT_ENSURE_REGISTERED(BurstFault);

TypeId
BurstFault::GetTypeId()
{
    static TypeId tid =
        Attributes<BurstFault>(SetSummary(TypeId("ns3::messaging::BurstFault"),
                                          "Losses in bursts, while the link of a sender is bad.")
                                   .SetParent<Fault>()
                                   .SetGroupName("Messaging")
                                   .AddConstructor<BurstFault>())
            .AddAttribute("BurstBegin",
                          "Probability at each frame that the link of its sender turns bad "
                          "[probability; fault].",
                          &BurstFault::m_begin,
                          0,
                          0,
                          1)
            .AddAttribute("BurstEnd",
                          "Probability at each frame that the bad link of its sender turns good "
                          "[probability; fault].",
                          &BurstFault::m_end,
                          1,
                          0,
                          1)
            .AddAttribute("BurstLoss",
                          "Probability that a frame is lost while the link of its sender is bad "
                          "[probability; fault].",
                          &BurstFault::m_loss,
                          1,
                          0,
                          1);
    return tid;
}

} // namespace messaging
} // namespace ns3
