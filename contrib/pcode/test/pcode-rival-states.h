/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_RIVAL_STATES_H
#define PCODE_RIVAL_STATES_H

#include "ns3/messaging-scripted-host.h"
#include "ns3/test.h"

#include <array>
#include <functional>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Brings a core into a state, applies an event, and compares the actions, for tests.
 */

namespace ns3
{
namespace pcode
{
namespace tests
{

using messaging::Acceptance;
using messaging::Frame;
using messaging::NO_PEER;
using messaging::Peer;
using messaging::Request;
using messaging::TimerId;

inline constexpr Peer SELF = 1;      ///< The node under test.
inline constexpr Peer BEFORE = 0;    ///< The one before it.
inline constexpr Peer AFTER = 2;     ///< The one after it.
inline constexpr uint32_t PEERS = 3; ///< Nodes.

using Protocol = messaging::ScriptedHost; ///< Records the requests of a core as text.

/** Applies events to a core. */
template <class Core>
using Step = std::function<void(Core&, Protocol&)>;

/**
 * @param id its number
 * @param to its receiver
 * @param bytes its size
 * @return the step that posts a message
 */
template <class Core>
Step<Core>
Post(uint64_t id, Peer to = NO_PEER, uint32_t bytes = 8)
{
    return [=](Core& core, Protocol& out) {
        const auto acceptance = core.OnRequest(Request{id, 100 + id, to, bytes, 0, 0}, out);
        if (acceptance != Acceptance::ACCEPTED)
        {
            std::ostringstream answer;
            answer << " " << acceptance;
            out.log += answer.str();
        }
    };
}

/** @param timer a timer @return the step in which it fires */
template <class Core>
Step<Core>
Fire(TimerId timer)
{
    return [=](Core& core, Protocol& out) { core.OnTimer(timer, out); };
}

/** A case that brings a core into a state, applies an event, and compares the actions. */
template <class Core>
class StatesCase : public TestCase
{
  public:
    /** Constructor. @param name name of the case @param mtu maximum length of a frame [bytes] */
    StatesCase(const std::string& name, uint32_t mtu)
        : TestCase(name),
          m_mtu(mtu)
    {
    }

  protected:
    /** Steps. */
    using Steps = std::vector<Step<Core>>;

    /** @return the core in its initial state. */
    virtual Core MakeCore() = 0;

    /** @return the host of the core. */
    virtual Protocol MakeProtocol() const = 0;

    /**
     * Check one state and one event.
     * @param state name of the state
     * @param way steps to the state
     * @param event the event
     * @param expected the expected actions
     */
    void CheckEvent(const std::string& state,
                    const Steps& way,
                    const Step<Core>& event,
                    const std::string& expected)
    {
        Core core = MakeCore();
        Protocol out = MakeProtocol();
        for (const auto& step : way)
        {
            step(core, out);
        }
        out.log.clear();
        event(core, out);
        NS_TEST_EXPECT_MSG_EQ(out.log, expected, state);
        for (const auto& each : out.sent)
        {
            const uint32_t bytes = uint32_t{each.frame.header} + each.frame.payload;
            NS_TEST_EXPECT_MSG_LT(bytes, m_mtu + 1, state << ": no frame exceeds the MTU");
        }
        const Core copy = core;
        const bool equal = messaging::GetState(copy) == messaging::GetState(core);
        NS_TEST_EXPECT_MSG_EQ(equal, true, state << ": a copy is equal");
    }

    /** A state, an event in it, and the expected actions. */
    struct Row
    {
        std::string state;    ///< Name of the state.
        Steps way;            ///< Steps to it.
        Step<Core> event;     ///< The event.
        std::string expected; ///< The actions.
    };

    /** Check the rows of a table. @param rows the rows */
    void CheckEvents(const std::vector<Row>& rows)
    {
        for (const Row& row : rows)
        {
            CheckEvent(row.state, row.way, row.event, row.expected);
        }
    }

  private:
    uint32_t m_mtu; ///< Maximum length of a frame [bytes].
};

} // namespace tests
} // namespace pcode
} // namespace ns3

#endif // PCODE_RIVAL_STATES_H
