/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_SETTINGS_H
#define PARASTATION_SETTINGS_H

#include "parastation-types.h"

#include "ns3/nstime.h"
#include "ns3/object.h"

/**
 * @file
 * @ingroup parastation
 * Parameters of ParaStation2 and its rivals as attributes.
 */

namespace ns3
{
namespace parastation
{

/**
 * @ingroup parastation
 * The parameters of the protocols and their rings as attributes.
 */
class ParastationSettings : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Get the parameters, without costs.
     * @param peers number of peers that share the credits
     * @param hostCredits whether a credit is for a host buffer instead of a slot of the ring
     * @return the parameters, for ticks of 1 ns
     */
    Config GetConfig(uint32_t peers = 2, bool hostCredits = false) const;

  private:
    Config m_config; ///< The parameters.
    Time m_timeout;  ///< Retransmission timeout.
};

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_SETTINGS_H
