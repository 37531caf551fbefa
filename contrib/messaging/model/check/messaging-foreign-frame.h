/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_FOREIGN_FRAME_H
#define MESSAGING_FOREIGN_FRAME_H

#include "ns3/messaging-scripted-host.h"

/**
 * @file
 * @ingroup messaging
 * Frames that no peer of a group has sent.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Check whether a core refuses a frame: it keeps its canonical state, and requests nothing.
 * @tparam Core a ProtocolCore
 * @tparam Host its Actions, a ScriptedHost
 * @param core the core
 * @param from the sender
 * @param frame the frame
 * @return whether it does
 */
template <class Host = ScriptedHost, class Core>
bool
Refuses(Core core, Peer from, const Frame& frame)
{
    Encoder before;
    core.Encode(before);
    Host out;
    core.OnFrame(from, frame, out);
    Encoder after;
    core.Encode(after);
    return before.GetWords() == after.GetWords() && out.sent.empty() && out.delivered.empty() &&
           out.completed.empty() && out.armed.empty() && out.work.empty();
}

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_FOREIGN_FRAME_H
