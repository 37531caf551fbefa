/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-loss-conformance.h"

#include "ns3/messaging-link-network.h"
#include "ns3/messaging-loopback-network.h"
#include "ns3/test.h"

/**
 * @file
 * @ingroup messaging-tests
 * Losses of the networks of this module by place.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** The test suite. */
class LossesTestSuite : public TestSuite
{
  public:
    LossesTestSuite()
        : TestSuite("messaging-losses", Type::UNIT)
    {
        AddTestCase(new LossTestCase<LoopbackNetwork>({{.name = "idle", .broadcast = true}}),
                    TestCase::Duration::QUICK);
        AddTestCase(
            new LossTestCase<CsmaNetwork>(
                {{.name = "long queues", .attributes = {{"QueueLength", "1000"}}},
                 {.name = "overload", .attributes = {{"QueueLength", "3"}}},
                 {.name = "broadcast", .attributes = {{"QueueLength", "3"}}, .broadcast = true},
                 {.name = "slow", .attributes = {{"DataRate", "1Mbps"}}}}),
            TestCase::Duration::QUICK);
        AddTestCase(new LossTestCase<PointToPointNetwork>(
                        {{.name = "overload", .attributes = {{"QueueLength", "3"}}, .peers = 2},
                         {.name = "broadcast",
                          .attributes = {{"QueueLength", "3"}},
                          .peers = 2,
                          .broadcast = true}}),
                    TestCase::Duration::QUICK);
    }
};

static LossesTestSuite g_lossesTestSuite; ///< The test suite.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
