/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_FABRIC_PRESETS_H
#define ETHERNET_FABRIC_PRESETS_H

#include "ethernet-fabric-config.h"

/**
 * @file
 * @ingroup ethernet-fabric
 * Parameters of published simulations and specifications.
 */

namespace ns3
{
namespace fabric
{

/** A published configuration; the module's documentation has the sources. */
enum class Preset : uint8_t
{
    NONE,     ///< The defaults of this module.
    IRN2018,  ///< IRN, SIGCOMM 2018.
    HPCC,     ///< Simulator of HPCC, SIGCOMM 2019.
    CONWEAVE, ///< Simulator of ConWeave, SIGCOMM 2023.
    HTSIM,    ///< htsim of the Ultra Ethernet Consortium.
    UET       ///< Recommendations of the Ultra Ethernet specification.
};

/** @return the parameters of a preset. @param preset the preset */
FabricConfig GetPreset(Preset preset);

/**
 * Apply a preset.
 * @param preset the preset
 * @param set parameters that the user has set; those that differ from their default have precedence
 * @return the parameters
 */
FabricConfig ApplyPreset(Preset preset, const FabricConfig& set);

} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_PRESETS_H
