/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LOG_COMPONENT_H
#define MESSAGING_LOG_COMPONENT_H

#include "ns3/log.h"

#include <string>

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Get the log component of a name, made at the first call.
 *
 * A class with a summary has a log component of its own (SetSummary). Where a source file logs by
 * the same one, either of the two can come first: objects of one library are initialized in the
 * order of the link, and ns-3 can be one library. NS_LOG_COMPONENT_DEFINE ends the program if the
 * component exists, so such a file has instead, for the class LinkNetwork,
 * @code
 * [[maybe_unused]] static const LogComponent& g_log =
 *     messaging::GetLogComponent("LinkNetwork", __FILE__);
 * @endcode
 *
 * @param name name of the component, as in NS_LOG
 * @param file the source file, which LogComponent::File returns if this call makes the component
 * @return the component, which lives until the end of the program
 */
const LogComponent& GetLogComponent(const std::string& name, const std::string& file);

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LOG_COMPONENT_H
