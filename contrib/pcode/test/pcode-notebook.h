/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_NOTEBOOK_H
#define PCODE_NOTEBOOK_H

#include "ns3/messaging-scripted-host.h"
#include "ns3/pcode-core.h"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Common parts of the tests of the cores: a host, parameters, calls and frames.
 */

namespace ns3
{
namespace pcode
{
namespace tests
{

using messaging::Frame;
using messaging::NO_PEER;
using messaging::Peer;
using messaging::Request;
using messaging::Ticks;
using messaging::TimerId;

/** Records what a core requests. */
struct Notebook : messaging::ScriptedHost
{
    /** @return events since the last call, and answers of the test. */
    std::string TakeEvents()
    {
        std::string events;
        for (const auto reason : std::exchange(notes, {}))
        {
            std::ostringstream event;
            event << ' ' << static_cast<Event>(reason);
            events += event.str();
        }
        return events + std::exchange(log, "");
    }

    /** @return kinds of the frames sent since the last call, and their receivers if not all. */
    std::string TakeSent()
    {
        std::string text;
        for (const auto& [to, frame] : std::exchange(sent, {}))
        {
            std::ostringstream one;
            one << " " << static_cast<FrameKind>(frame.kind);
            if (to != NO_PEER)
            {
                one << ">" << to;
            }
            text += one.str();
        }
        return text;
    }
};

static_assert(messaging::ProtocolCore<PcodeCore, Notebook>);

/** @return P1 with the minimum buffer. */
inline PcodeConfig
MakeP1()
{
    PcodeConfig config;
    config.RemoveAdditions();
    config.dither = false;
    config.sendBuffer = 1;
    config.flowWindow = 32;
    return config;
}

/** @return P0. */
inline PcodeConfig
MakeP0()
{
    PcodeConfig config = MakeP1();
    config.sendBuffer = PcodeConfig::UNBOUNDED;
    return config;
}

/** Enable all additions of section 5. @param config parameters, changed */
inline void
AddAll(PcodeConfig& config)
{
    config.globalCounter = config.flowControl = config.progressOnDemand = config.personalGapNack =
        config.globalGapNack = config.earlyMessages = config.periodicStatus =
            config.directMessages = config.directFlow = config.directNacks = true;
}

/** State shared by the cores of a test. */
struct Shared
{
    /**
     * Constructor.
     * @param nodes number of nodes
     * @param base parameters, to be changed
     */
    explicit Shared(uint32_t nodes, const PcodeConfig& base = MakeP1())
        : groups(nodes),
          config(base)
    {
        config.groups = &groups;
    }

    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;

    TargetGroups groups; ///< Target sets.
    PcodeConfig config;  ///< Parameters.
};

/**
 * Make a multicast to all others or to one of them.
 * @param id ID of the call, and the contents
 * @param group number of the target set
 * @return the call
 */
inline Request
Multicast(uint64_t id, uint32_t group = TargetGroups::EVERYBODY)
{
    Request call;
    call.id = id;
    call.contents = id;
    call.to = group == TargetGroups::EVERYBODY ? NO_PEER : group - 1;
    call.bytes = 8;
    call.tag = group;
    return call;
}

/**
 * Make a request.
 * @param id ID of the call
 * @param source the requested source
 * @param group number of the target set
 * @return the call
 */
inline Request
Ask(uint64_t id, Peer source, uint32_t group = TargetGroups::EVERYBODY)
{
    Request call;
    call.id = id;
    call.to = source;
    call.tag = group;
    call.flags = REQUEST_CALL;
    return call;
}

/**
 * Make a REGULAR or DIRECT frame of 8 bytes.
 * @param personal PersonalCount, and the contents
 * @param global GlobalCounter
 * @param group number of the target set
 * @param kind type
 * @return the frame
 */
inline Frame
Regular(uint32_t personal,
        uint32_t global = 0,
        uint32_t group = TargetGroups::EVERYBODY,
        FrameKind kind = FrameKind::REGULAR)
{
    Frame frame;
    frame.kind = static_cast<uint8_t>(kind);
    frame.id = uint64_t{group} << 32 | personal;
    frame.contents = personal;
    frame.aux = global;
    frame.payload = 8;
    return frame;
}

/**
 * Make a NACK.
 * @param source the requested source
 * @param last LastRcvd
 * @param upTo last requested message, 0 for all
 * @return the frame
 */
inline Frame
Nack(Peer source, uint64_t last, uint32_t upTo = 0)
{
    Frame frame;
    frame.kind = static_cast<uint8_t>(FrameKind::NACK);
    frame.aux = source;
    frame.id = last;
    if (upTo > 0)
    {
        frame.words = {upTo};
    }
    return frame;
}

/**
 * Make a STATUS or a POLL.
 * @param kind STATUS or POLL
 * @param global GlobalCounter
 * @param vector the pcv
 * @param flags SOLICITED or none
 * @return the frame
 */
inline Frame
Status(FrameKind kind,
       uint32_t global,
       const messaging::FrameWords& vector = {},
       uint8_t flags = STATUS_SOLICITED)
{
    Frame frame;
    frame.kind = static_cast<uint8_t>(kind);
    frame.aux = global;
    frame.words = vector;
    frame.flags = flags;
    return frame;
}

} // namespace tests
} // namespace pcode
} // namespace ns3

#endif // PCODE_NOTEBOOK_H
