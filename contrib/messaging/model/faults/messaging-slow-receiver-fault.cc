/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-fault.h"
#include "ns3/messaging-registry.h"

#include <algorithm>
#include <map>
#include <string>

/**
 * @file
 * @ingroup messaging
 * Fault of receivers that are slow.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Slow receivers, which need a time for each frame and lose frames when their queue is full.
 */
class SlowReceiverFault : public Fault
{
  public:
    SlowReceiverFault()
        : Fault(FaultStage::RECEIVER, {"lost at a slow receiver"})
    {
    }

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool IsActive() const override
    {
        return m_receivers > 0;
    }

    std::string CheckPeers(uint32_t peers) const override
    {
        if (m_receivers <= peers)
        {
            return "";
        }
        return "SlowReceivers is " + std::to_string(m_receivers) + ", but there are " +
               std::to_string(peers) + " peers.";
    }

    std::size_t Decide(const FrameArrival& arrival, FrameFate& fate) override
    {
        if (arrival.to >= m_receivers)
        {
            return NO_EFFECT;
        }
        const auto service =
            static_cast<Ticks>(m_time.GetTimeStep() / GetTickLength().GetTimeStep());
        Ticks& busyUntil = m_busyUntil[arrival.to];
        const Ticks begin = std::max(busyUntil, arrival.now);
        if (begin - arrival.now > service * m_queue)
        {
            fate.Lose();
            return 0;
        }
        busyUntil = begin + service;
        fate.DelayAll(busyUntil - arrival.now);
        return NO_EFFECT;
    }

  private:
    uint32_t m_receivers{0};           ///< Number of slow receivers.
    Time m_time;                       ///< Time for a frame.
    uint32_t m_queue{0};               ///< Length of a queue [frames].
    std::map<Peer, Ticks> m_busyUntil; ///< Time at which each receiver is idle [ticks].
};

NS_OBJECT_ENSURE_REGISTERED(SlowReceiverFault);

TypeId
SlowReceiverFault::GetTypeId()
{
    static TypeId tid =
        Attributes<SlowReceiverFault>(
            SetSummary(TypeId("ns3::messaging::SlowReceiverFault"),
                       "Receivers that need a time for each frame and queue a few.")
                .SetParent<Fault>()
                .SetGroupName("Messaging")
                .AddConstructor<SlowReceiverFault>())
            .AddAttribute("SlowReceivers",
                          "Number of slow receivers, the first peers [peers; fault].",
                          &SlowReceiverFault::m_receivers,
                          0)
            .AddAttribute("SlowTime",
                          "Time that a slow receiver needs for each frame [s; fault].",
                          &SlowReceiverFault::m_time,
                          MicroSeconds(100))
            .AddAttribute("SlowQueue",
                          "Queue length of a slow receiver; further frames are lost [frames; "
                          "fault].",
                          &SlowReceiverFault::m_queue,
                          16);
    return tid;
}

} // namespace messaging
} // namespace ns3
