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
 * The parameters that section 5 calls tunable, and its additions (PcodeConfig).
 *
 * Timers of 1995 run in steps of 10 ms; a round trip is below one.
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
     * @param lists the store of counter vectors, which must outlive the cores
     * @param maxMessage largest message [bytes]
     * @param tick length of a tick
     * @return the parameters
     */
    PcodeConfig MakeConfig(const TargetGroups& groups,
                           ListStore& lists,
                           uint32_t maxMessage,
                           Time tick) const;

    /** @return the parameters of P0: those of P1, and all that was sent is kept, in one slot. */
    Ptr<PcodeParameters> AsP0() const;

    /** @return the parameters of P1: all additions of section 5 are off. */
    Ptr<PcodeParameters> AsP1() const;

    /** @return empty if the attributes can be used together, else one sentence. */
    std::string Check() const;

  private:
    PcodeConfig m_config; ///< All but the timers.
    Time m_requestDelay;  ///< From a request to its first NACK.
    Time m_nackPeriod;    ///< Between NACKs, POLLs and sendings of a point-to-point message.
    Time m_nackStagger;   ///< Difference between the NACK periods of neighbours.
    Time m_holdOff;       ///< Time in which a message that was sent is not resent.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_PARAMETERS_H
