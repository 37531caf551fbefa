/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_PARAMETERS_H
#define PCODE_PARAMETERS_H

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/pcode-config.h"

#include <string>

/**
 * @file
 * @ingroup pcode
 * Attributes of P0, P1 and PCODE.
 */

namespace ns3
{
namespace pcode
{

/**
 * @ingroup pcode
 * Tunable parameters and additions of section 5 (PcodeConfig).
 *
 * Timers of 1995 have steps of 10 ms, longer than a round trip.
 */
class PcodeParameters : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Make the parameters of a group's cores.
     * @param groups the program's target sets, which must outlive the cores
     * @param maxMessage largest message [bytes]
     * @param tick length of a tick
     * @return the parameters
     */
    PcodeConfig MakeConfig(const TargetGroups& groups, uint32_t maxMessage, Time tick) const;

    /** @return the parameters of P0: those of P1, with an unbounded send buffer and one slot. */
    Ptr<PcodeParameters> AsP0() const;

    /** @return the parameters of P1: all additions of section 5 are off. */
    Ptr<PcodeParameters> AsP1() const;

    /** @return an empty string if the attributes are consistent, else an error message. */
    std::string Check() const;

  private:
    PcodeConfig m_config; ///< Parameters except the timers.
    Time m_requestDelay;  ///< Delay from a request to its first NACK.
    Time m_personalDelay; ///< Delay from a gap in PersonalCounts to its NACK.
    Time m_globalDelay;   ///< Delay from a gap in GlobalCounters to its NACK.
    Time m_nackPeriod;    ///< Interval of NACKs, POLLs and resent point-to-point messages.
    Time m_nackStagger;   ///< Difference between the NACK periods of neighbours.
    Time m_holdOff;       ///< Time after a transmission without a resend.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_PARAMETERS_H
