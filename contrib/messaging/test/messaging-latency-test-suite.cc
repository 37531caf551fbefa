/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-latency-conformance.h"

#include "ns3/messaging-link-network.h"
#include "ns3/messaging-loopback-network.h"
#include "ns3/test.h"

/**
 * @file
 * @ingroup messaging-tests
 * Calm latencies of the networks of this module.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

constexpr double BYTE_NS = 80;        ///< Time of a byte at 100 Mbit/s [ns].
constexpr double DELAY_NS = 500;      ///< Delay of the channel [ns].
constexpr uint32_t ETHERNET = 14 + 4; ///< Header and checksum of a frame of csma [bytes].
constexpr uint32_t PPP = 2;           ///< Header of PPP in ns-3 [bytes].

/** The test suite. */
class LatencyTestSuite : public TestSuite
{
  public:
    LatencyTestSuite()
        : TestSuite("messaging-latency", Type::UNIT)
    {
        AddTestCase(
            new CalmLatencyTestCase<LoopbackNetwork>(
                {{.name = "any length", .attributes = {{"Latency", "30us"}}, .frame = 3e4}}),
            TestCase::Duration::QUICK);
        std::vector<CalmLatency> csma;
        std::vector<CalmLatency> link;
        for (const uint32_t bytes : {64, 1000, 1400})
        {
            const double ethernet = (bytes + ETHERNET) * BYTE_NS + DELAY_NS;
            csma.push_back({.name = "csma",
                            .bytes = bytes,
                            .frame = ethernet,
                            .packet = ethernet,
                            .tolerance = 1,
                            .header = 16});
            const double ppp = (bytes + PPP) * BYTE_NS + DELAY_NS;
            link.push_back({.name = "point-to-point",
                            .bytes = bytes,
                            .frame = ppp,
                            .packet = ppp,
                            .tolerance = 1,
                            .header = 16,
                            .peers = 2});
        }
        AddTestCase(new CalmLatencyTestCase<CsmaNetwork>(csma), TestCase::Duration::QUICK);
        AddTestCase(new CalmLatencyTestCase<PointToPointNetwork>(link), TestCase::Duration::QUICK);
    }
};

static LatencyTestSuite g_latencyTestSuite; ///< The test suite.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
