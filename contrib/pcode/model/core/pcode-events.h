/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_EVENTS_H
#define PCODE_EVENTS_H

#include "ns3/messaging-core-events.h"
#include "ns3/messaging-core.h"
#include "ns3/messaging-text.h"

#include <string>

/**
 * @file
 * @ingroup pcode
 * Events of the protocols: NACKs, repairs, full buffers and so on.
 */

namespace ns3
{
namespace pcode
{

/** @return whether the log component PcodeEvents shows events. */
bool LogsEvents();

/** Log an event. @param peer the node @param event its name */
void LogEvent(messaging::Peer peer, const std::string& event);

/**
 * @ingroup pcode
 * Base of groups of cores: traces (Note) and logs (component `PcodeEvents`) the events of the
 * cores.
 *
 * @tparam Event printable enumeration of the events
 * @tparam Base the group's other base, a CoreEvents
 */
template <class Event, class Base>
class LoggedEvents : public Base
{
  public:
    /** Trace and log an event. @param peer the node @param reason the event */
    void OnNote(messaging::Peer peer, messaging::Reason reason)
    {
        const auto event = static_cast<Event>(reason);
        if (LogsEvents())
        {
            LogEvent(peer, messaging::ToText(event));
        }
        this->TraceNote(peer, event);
    }
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_EVENTS_H
