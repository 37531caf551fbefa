/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SCENARIO_SIZES_H
#define MESSAGING_SCENARIO_SIZES_H

#include <cstdint>

/**
 * @file
 * @ingroup messaging
 * Sizes of messages that the parameters of a scenario allow.
 */

namespace ns3
{
namespace messaging
{

/** Sizes of the messages of a protocol over a network. */
struct MessageSizes
{
    uint32_t mtu{0};     ///< Largest frame, or IP packet for a protocol over sockets [bytes].
    uint32_t whole{0};   ///< Largest message without the segmenting layer [bytes].
    uint32_t largest{0}; ///< Largest message [bytes].
    bool layered{false}; ///< The segmenting layer sends longer messages than `whole`.
};

/**
 * @ingroup messaging
 * A scenario that can find the sizes of messages that its parameters allow, beside being a
 * Scenario.
 */
class SizedScenario
{
  public:
    virtual ~SizedScenario() = default;

    /**
     * Find the sizes for the current parameters, which are valid. This builds a network, and
     * destroys the simulation: no run may follow in this process.
     * @return the sizes
     */
    virtual MessageSizes FindSizes() = 0;
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SCENARIO_SIZES_H
