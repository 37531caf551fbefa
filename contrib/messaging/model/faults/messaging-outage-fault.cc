/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-fault.h"
#include "ns3/messaging-registry.h"
#include "ns3/messaging-rounding.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

/**
 * @file
 * @ingroup messaging
 * Fault that loses frames while a link or a node is down.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Outages of links and nodes, which alternate between up and down for exponentially distributed
 * times. A link leads from one peer to another; a node that is down neither sends nor receives.
 */
class OutageFault : public Fault
{
  public:
    OutageFault()
        : Fault(FaultStage::OUTAGE, {"lost in an outage"})
    {
    }

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool IsActive() const override
    {
        return m_linkUp.IsStrictlyPositive() || m_nodeUp.IsStrictlyPositive();
    }

    std::size_t Decide(const FrameArrival& arrival, FrameFate& fate) override
    {
        bool lost = false;
        if (m_nodeUp.IsStrictlyPositive())
        {
            lost = IsDown(m_nodes[arrival.from], m_nodeUp, m_nodeDown, arrival.now);
            lost = IsDown(m_nodes[arrival.to], m_nodeUp, m_nodeDown, arrival.now) || lost;
        }
        if (m_linkUp.IsStrictlyPositive())
        {
            Alternation& link = m_links[{arrival.from, arrival.to}];
            lost = IsDown(link, m_linkUp, m_linkDown, arrival.now) || lost;
        }
        if (!lost)
        {
            return NO_EFFECT;
        }
        fate.Lose();
        return 0;
    }

  private:
    /** Alternation of a link or a node between up and down. */
    struct Alternation
    {
        Ticks until{0};   ///< End of the current phase; 0 before the first one [ticks].
        bool down{false}; ///< The current phase is an outage.
    };

    /**
     * Draw the length of a phase.
     * @param mean its mean
     * @return the length, at least one tick [ticks]
     */
    Ticks DrawPhase(Time mean)
    {
        const double ticks = mean.GetSeconds() / GetTickLength().GetSeconds();
        const double drawn = -ticks * std::log1p(-GetRandom().GetValue(0, 1));
        return std::max<Ticks>(RoundTicks(drawn), 1);
    }

    /**
     * Advance an alternation to a time, and check it.
     * @param part the link's or node's
     * @param up mean time up
     * @param down mean time down
     * @param now the time [ticks]
     * @return true if it is down
     */
    bool IsDown(Alternation& part, Time up, Time down, Ticks now)
    {
        if (part.until == 0)
        {
            part.until = DrawPhase(up);
        }
        while (part.until <= now)
        {
            part.down = !part.down;
            part.until += DrawPhase(part.down ? down : up);
        }
        return part.down;
    }

    Time m_linkUp;                                        ///< Mean time between outages of a link.
    Time m_linkDown;                                      ///< Mean outage of a link.
    Time m_nodeUp;                                        ///< Mean time between outages of a node.
    Time m_nodeDown;                                      ///< Mean outage of a node.
    std::map<Peer, Alternation> m_nodes;                  ///< Nodes.
    std::map<std::pair<Peer, Peer>, Alternation> m_links; ///< Links, by sender and receiver.
};

NS_OBJECT_ENSURE_REGISTERED(OutageFault);

TypeId
OutageFault::GetTypeId()
{
    static TypeId tid =
        Attributes<OutageFault>(
            SetSummary(TypeId("ns3::messaging::OutageFault"), "Outages of links and nodes.")
                .SetParent<Fault>()
                .SetGroupName("Messaging")
                .AddConstructor<OutageFault>())
            .AddAttribute("LinkUpTime",
                          "Mean time between two outages of the link from one peer to another; 0 "
                          "for no outage [s; fault].",
                          &OutageFault::m_linkUp,
                          Time(0))
            .AddAttribute("LinkDownTime",
                          "Mean length of an outage of a link [s; fault].",
                          &OutageFault::m_linkDown,
                          MicroSeconds(100))
            .AddAttribute("NodeUpTime",
                          "Mean time between two outages of a node, in which it neither sends nor "
                          "receives; 0 for no outage [s; fault].",
                          &OutageFault::m_nodeUp,
                          Time(0))
            .AddAttribute("NodeDownTime",
                          "Mean length of an outage of a node [s; fault].",
                          &OutageFault::m_nodeDown,
                          MicroSeconds(100));
    return tid;
}

} // namespace messaging
} // namespace ns3
