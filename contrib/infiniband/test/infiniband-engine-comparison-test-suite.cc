/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/double.h"
#include "ns3/infiniband-engine-comparison-scenario.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace infiniband
{
namespace tests
{

/** Both engines agree as well as the documentation says. */
class EngineComparisonTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param transport over what
     * @param bytes of each message
     * @param load largest load
     * @param mean largest deviation of a mean latency [%]
     * @param end largest deviation of the time of all messages [%]
     */
    EngineComparisonTestCase(const std::string& transport,
                             uint32_t bytes,
                             double load,
                             double mean,
                             double end)
        : TestCase(transport + ", " + std::to_string(bytes) + " bytes"),
          m_transport(transport),
          m_bytes(bytes),
          m_load(load),
          m_mean(mean),
          m_end(end)
    {
    }

  private:
    void DoRun() override
    {
        auto scenario = CreateObject<InfinibandEngineComparisonScenario>();
        scenario->SetAttribute("Transport", StringValue(m_transport));
        scenario->SetAttribute("Bytes", UintegerValue(m_bytes));
        scenario->SetAttribute("MaxLoad", DoubleValue(m_load));
        scenario->SetAttribute("Messages", UintegerValue(64));
        scenario->SetAttribute("Points", UintegerValue(2));
        scenario->Run();
        NS_TEST_ASSERT_MSG_EQ(scenario->GetVerdictName(),
                              "completed",
                              "all arrive: " << scenario->GetFailure());
        const auto get = [&scenario](const char* name) {
            DoubleValue value;
            scenario->GetAttribute(name, value);
            return value.Get();
        };
        NS_TEST_EXPECT_MSG_EQ(get("WorstLatency"), 0, "latency to the nanosecond");
        NS_TEST_EXPECT_MSG_LT(get("WorstBandwidth"), 1, "bandwidth");
        NS_TEST_EXPECT_MSG_LT(get("WorstMean"), m_mean, "mean latency under patterns");
        NS_TEST_EXPECT_MSG_LT(get("WorstEnd"), m_end, "time under patterns");
        NS_TEST_EXPECT_MSG_GT(get("WorstMean"), 0, "two engines, not one");
    }

    std::string m_transport; ///< Over what.
    uint32_t m_bytes;        ///< Of each message.
    double m_load;           ///< Largest load.
    double m_mean;           ///< Bound [%].
    double m_end;            ///< Bound [%].
};

/** Message engine against packet engine. */
class EngineComparisonTestSuite : public TestSuite
{
  public:
    EngineComparisonTestSuite()
        : TestSuite("infiniband-engine-comparison", Type::UNIT)
    {
        for (const auto* transport : {"RC", "UC", "UD"})
        {
            AddTestCase(new EngineComparisonTestCase(transport, 256, 0.1, 3, 3), Duration::QUICK);
            AddTestCase(new EngineComparisonTestCase(transport, 2048, 0.4, 3, 3), Duration::QUICK);
        }
    }
};

static EngineComparisonTestSuite g_engineComparisonTestSuite; ///< The suite.

} // namespace tests
} // namespace infiniband
} // namespace ns3
