/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_PARAMETERS_H
#define PCODE_PARAMETERS_H

#include "pcode-config.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

#include <string>

/**
 * @file
 * @ingroup pcode
 * The parameters of P1 and PCODE as attributes.
 */

namespace ns3
{
namespace pcode
{

/**
 * @ingroup pcode
 * What section 5 calls tunable, and which of its additions are in use.
 *
 * The values that the authors used are in a report that is not at hand (B-amb-4). The defaults
 * follow from this:
 * - timers of the time run in steps of 10 ms; a round trip is below one;
 * - a socket's receive buffer holds about 60 messages of 1 KB; a window of half of that leaves
 * room;
 * - a window is of use only if STATUS comes twice in it.
 */
class PcodeParameters : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    PcodeParameters();
    ~PcodeParameters() override;

    /**
     * Make the parameters of a group's cores.
     * @param groups the program's target sets, which must outlive the cores
     * @param lists the store of counter vectors, which must outlive the cores
     * @param maxMessage largest message [bytes]
     * @param tick length of a tick
     * @return the parameters
     */
    PcodeConfig MakeConfig(const TargetGroups& groups,
                           ListStore& lists,
                           uint32_t maxMessage,
                           Time tick) const;

    /** @return those of P1: all additions of section 5 are off, section 5.7's delay included. */
    Ptr<PcodeParameters> WithoutAdditions() const;

    /** @return empty if the attributes can be used together, else one sentence. */
    std::string Check() const;

  private:
    bool m_globalCounter{true};    ///< See the attribute GlobalCounter.
    bool m_flowControl{true};      ///< See the attribute FlowControl.
    bool m_progressOnDemand{true}; ///< See the attribute Progress.
    bool m_personalGapNack{true};  ///< See the attribute PersonalGapNack.
    bool m_globalGapNack{true};    ///< See the attribute GlobalGapNack.
    bool m_earlyMessages{true};    ///< See the attribute EarlyMessages.
    bool m_periodicStatus{true};   ///< See the attribute PeriodicStatus.
    bool m_directMessages{true};   ///< See the attribute DirectMessages.
    bool m_directFlow{true};       ///< See the attribute DirectFlow.
    bool m_directNacks{true};      ///< See the attribute DirectNacks.
    uint32_t m_sendBuffer{0};      ///< See the attribute SendBuffer.
    uint32_t m_slots{0};           ///< See the attribute Slots.
    uint32_t m_earlyBuffer{0};     ///< See the attribute EarlyBuffer.
    uint32_t m_statusWindow{0};    ///< See the attribute StatusWindow.
    uint32_t m_flowPatience{0};    ///< See the attribute FlowPatience.
    uint16_t m_header{0};          ///< See the attribute Header.
    uint16_t m_counterBytes{0};    ///< See the attribute CounterBytes.
    bool m_linger{true};           ///< See the attribute Linger.
    DiscardRule m_discard{};       ///< When a sent message is discarded.
    uint32_t m_flowWindow{0};      ///< FLOW_WINDOW, or 0.
    Time m_requestDelay;           ///< From a request to its first NACK.
    Time m_personalDelay;          ///< From a gap in PersonalCounts to its NACK.
    Time m_globalDelay;            ///< From a gap in GlobalCounters to its NACK.
    Time m_nackPeriod;             ///< Between NACKs.
    Time m_nackStagger;            ///< By how much the processors' periods differ.
    Time m_pollPeriod;             ///< Between POLLs.
    Time m_directPeriod;           ///< Between sendings of a point-to-point message.
    Time m_holdOff;                ///< For how long a message is not resent.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_PARAMETERS_H
