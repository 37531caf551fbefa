/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SCENARIO_PARAMETERS_H
#define MESSAGING_SCENARIO_PARAMETERS_H

#include <map>
#include <string>

/**
 * @file
 * @ingroup messaging
 * Parameters of a scenario from texts that a user has typed.
 */

namespace ns3
{
namespace messaging
{

class Scenario;

/**
 * Set parameters of a scenario, and check whether they are consistent.
 *
 * ns-3's own parsers abort the program on malformed text; this refuses it.
 *
 * @param scenario the scenario, changed up to the first parameter that is refused
 * @param parameters name and value of each
 * @return an empty text, or one sentence that names what is wrong and what is allowed
 */
std::string SetParameters(Scenario& scenario, const std::map<std::string, std::string>& parameters);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SCENARIO_PARAMETERS_H
