/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/infiniband-context-cache.h"
#include "ns3/test.h"

#include <algorithm>
#include <vector>

namespace ns3
{
namespace infiniband
{
namespace tests
{

/** The cache beside a list that does the same slowly. */
class ContextCacheOracleTestCase : public TestCase
{
  public:
    ContextCacheOracleTestCase()
        : TestCase("least recently used, beside a plain list; any line, by its rate of hits")
    {
    }

  private:
    void DoRun() override
    {
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        for (const uint32_t entries : {1U, 2U, 7U, 64U})
        {
            HcaConfig config;
            config.contextEntries = entries;
            ContextCache cache;
            cache.Start(config, random.operator->());
            std::vector<uint64_t> list;
            for (unsigned n = 0; n < 20000; ++n)
            {
                const uint64_t key = random->GetInteger(0, 2 * entries) * 1024;
                const auto found = std::find(list.begin(), list.end(), key);
                const bool expected = found != list.end();
                if (expected)
                {
                    list.erase(found);
                }
                else if (list.size() == entries)
                {
                    list.pop_back();
                }
                list.insert(list.begin(), key);
                NS_TEST_ASSERT_MSG_EQ(cache.TouchLine(key), expected, entries << " " << n);
            }
        }
        // A cyclic sweep over one line more than there is room for: never a hit for the least
        // recently used, mostly hits for any.
        for (const Replacement replacement : {Replacement::LRU, Replacement::RANDOM})
        {
            HcaConfig config;
            config.contextEntries = 64;
            config.replacement = replacement;
            ContextCache cache;
            cache.Start(config, random.operator->());
            unsigned hits = 0;
            for (unsigned n = 0; n < 65 * 100; ++n)
            {
                hits += cache.TouchLine(n % 65);
            }
            if (replacement == Replacement::LRU)
            {
                NS_TEST_EXPECT_MSG_EQ(hits, 0, "LRU");
            }
            else
            {
                NS_TEST_EXPECT_MSG_GT(hits, 65 * 80, "random");
            }
        }
    }
};

/** Lines that the transports touch. */
class ContextCacheTouchTestCase : public TestCase
{
  public:
    ContextCacheTouchTestCase()
        : TestCase("lines of a message: RC four touches, UC two, UD always one queue pair")
    {
    }

  private:
    void DoRun() override
    {
        HcaConfig config;
        config.contextEntries = 1000;
        uint64_t touches = 0;
        const auto count = [&](uint32_t lines, Transport transport, uint32_t peers) {
            config.contextLines = lines;
            ContextCache sender;
            ContextCache receiver;
            sender.Start(config, nullptr);
            receiver.Start(config, nullptr);
            touches = 0;
            uint32_t misses = 0;
            for (uint32_t peer = 0; peer < peers; ++peer)
            {
                const Qpn qp = transport == Transport::UD ? 0 : peer;
                misses += sender.Touch(qp, transport, ContextRole::SEND, touches);
                misses += receiver.Touch(qp, transport, ContextRole::RECEIVE, touches);
                if (transport == Transport::RC)
                {
                    misses += receiver.Touch(qp, transport, ContextRole::ACK_OUT, touches);
                    misses += sender.Touch(qp, transport, ContextRole::ACK_IN, touches);
                }
            }
            return misses;
        };
        NS_TEST_EXPECT_MSG_EQ(count(0, Transport::RC, 100), 200, "the ACK finds what it needs");
        NS_TEST_EXPECT_MSG_EQ(touches, 400, "four touches");
        NS_TEST_EXPECT_MSG_EQ(count(1, Transport::RC, 100), 600, "a line more for each role");
        NS_TEST_EXPECT_MSG_EQ(touches, 800, "of two lines");
        NS_TEST_EXPECT_MSG_EQ(count(1, Transport::UC, 100), 200, "two touches of one line");
        NS_TEST_EXPECT_MSG_EQ(touches, 200, "of one line");
        NS_TEST_EXPECT_MSG_EQ(count(1, Transport::UD, 100), 2, "one queue pair at either end");
        config.contextEntries = 0;
        NS_TEST_EXPECT_MSG_EQ(count(1, Transport::RC, 100), 0, "no cache: nothing misses");
    }
};

/** The cache of contexts. */
class InfinibandContextCacheTestSuite : public TestSuite
{
  public:
    InfinibandContextCacheTestSuite()
        : TestSuite("infiniband-context-cache", Type::UNIT)
    {
        AddTestCase(new ContextCacheOracleTestCase, Duration::QUICK);
        AddTestCase(new ContextCacheTouchTestCase, Duration::QUICK);
    }
};

static InfinibandContextCacheTestSuite g_infinibandContextCacheTestSuite; ///< The suite.

} // namespace tests
} // namespace infiniband
} // namespace ns3
