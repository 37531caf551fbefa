/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-fault.h"
#include "ns3/messaging-registry.h"

#include <string>
#include <utility>

/**
 * @file
 * @ingroup messaging
 * Fault that loses single frames.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Losses of single frames, at random or of each last of a number of frames, among the frames of
 * some kinds, senders and receivers.
 */
class LossFault : public Fault
{
  public:
    LossFault()
        : Fault(FaultStage::LOSS, {"lost"})
    {
    }

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool IsActive() const override
    {
        return m_loss > 0 || m_period > 0;
    }

    std::string CheckPeers(uint32_t peers) const override
    {
        for (const auto& [name, peer] : {std::pair{"LossFrom", m_from}, std::pair{"LossTo", m_to}})
        {
            if (peer != NO_PEER && peer >= peers)
            {
                return std::string(name) + " is " + std::to_string(peer) + ", but there are " +
                       std::to_string(peers) + " peers, counted from 0; " +
                       std::to_string(NO_PEER) + " stands for all.";
            }
        }
        return "";
    }

    std::size_t Decide(const FrameArrival& arrival, FrameFate& fate) override
    {
        if (!IsExposed(arrival))
        {
            return NO_EFFECT;
        }
        const bool due = m_period > 0 && ++m_seen % m_period == 0;
        if (!due && !Toss(m_loss))
        {
            return NO_EFFECT;
        }
        fate.Lose();
        return 0;
    }

  private:
    /** Number of kinds that LossKinds tells apart. */
    static constexpr uint32_t KINDS = 64;

    /**
     * Check whether losses can hit a frame.
     * @param arrival the frame
     * @return true if its kind, sender and receiver match
     */
    bool IsExposed(const FrameArrival& arrival) const
    {
        return (m_kinds >> (arrival.frame.kind % KINDS) & 1) != 0 &&
               (m_from == NO_PEER || m_from == arrival.from) &&
               (m_to == NO_PEER || m_to == arrival.to);
    }

    double m_loss{0};               ///< Probability of a loss.
    uint64_t m_kinds{~uint64_t{0}}; ///< Kinds of frames subject to losses, as bits.
    Peer m_from{NO_PEER};           ///< Only sender with losses.
    Peer m_to{NO_PEER};             ///< Only receiver with losses.
    uint64_t m_period{0};           ///< Period of losses [frames]; 0 for none.
    uint64_t m_seen{0};             ///< Frames counted for the period.
};

NS_OBJECT_ENSURE_REGISTERED(LossFault);

TypeId
LossFault::GetTypeId()
{
    static TypeId tid =
        Attributes<LossFault>(SetSummary(TypeId("ns3::messaging::LossFault"),
                                         "Losses of single frames, at random or by period.")
                                  .SetParent<Fault>()
                                  .SetGroupName("Messaging")
                                  .AddConstructor<LossFault>())
            .AddAttribute("Loss",
                          "Probability that a frame is lost [probability; fault].",
                          &LossFault::m_loss,
                          0,
                          0,
                          1)
            .AddAttribute("LossKinds",
                          "Kinds of frames that Loss hits, a bit for each kind modulo 64 [bits; "
                          "fault].",
                          &LossFault::m_kinds,
                          ~uint64_t{0})
            .AddAttribute("LossFrom",
                          "Only sender whose frames Loss and LossPeriod hit; 4294967295 for all "
                          "[peer; fault].",
                          &LossFault::m_from,
                          NO_PEER)
            .AddAttribute("LossTo",
                          "Only receiver whose frames Loss and LossPeriod hit; 4294967295 for all "
                          "[peer; fault].",
                          &LossFault::m_to,
                          NO_PEER)
            .AddAttribute("LossPeriod",
                          "Losses hit the last of this many frames; 0 for none [frames; fault].",
                          &LossFault::m_period,
                          0);
    return tid;
}

} // namespace messaging
} // namespace ns3
