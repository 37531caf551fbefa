/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/infiniband-context-cache.h"
#include "ns3/messaging-large-pages.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace ns3
{
namespace infiniband
{
namespace tests
{

/** The cache against a slow reference list. */
class ContextCacheOracleTestCase : public TestCase
{
  public:
    ContextCacheOracleTestCase()
        : TestCase("least recently used and write-back, beside a plain list; any line, by its hits")
    {
    }

  private:
    /** A line: queue pair, kind, part. */
    using Line = std::tuple<Qpn, ContextKind, uint32_t>;

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
            std::vector<Line> list;
            std::vector<ContextCache::Hints> hints(entries + 1);
            for (unsigned n = 0; n < 20000; ++n)
            {
                const auto chosen = static_cast<ContextKind>(random->GetInteger(0, 4));
                const Line line{random->GetInteger(0, entries),
                                chosen,
                                chosen >= ContextKind::BUFFER ? random->GetInteger(0, 1) : 0};
                const auto found = std::find(list.begin(), list.end(), line);
                const bool expected = found != list.end();
                uint32_t writeBack = 0;
                if (expected)
                {
                    list.erase(found);
                }
                else if (list.size() == entries)
                {
                    const ContextKind evicted = std::get<1>(list.back());
                    writeBack = IsTranslation(evicted) ? 0 : GetLineBytes(evicted);
                    list.pop_back();
                }
                list.insert(list.begin(), line);
                const auto& [qp, kind, part] = line;
                const auto access = cache.Touch(qp, kind, part, hints[qp]);
                NS_TEST_ASSERT_MSG_EQ(access.found,
                                      expected,
                                      "hit with " << entries << " entries, access " << n);
                NS_TEST_ASSERT_MSG_EQ(access.writeBack,
                                      writeBack,
                                      "write-back with " << entries << " entries, access " << n
                                                         << ", of contexts only");
            }
        }
        // A cyclic sweep over one line more than the capacity: LRU never hits, random replacement
        // mostly does.
        for (const Replacement replacement : {Replacement::LRU, Replacement::RANDOM})
        {
            HcaConfig config;
            config.contextEntries = 64;
            config.replacement = replacement;
            ContextCache cache;
            cache.Start(config, random.operator->());
            std::vector<ContextCache::Hints> hints(65);
            unsigned hits = 0;
            for (unsigned n = 0; n < 65 * 100; ++n)
            {
                hits += cache.Touch(n % 65, ContextKind::CONTEXT, 0, hints[n % 65]).found;
            }
            if (replacement == Replacement::LRU)
            {
                NS_TEST_EXPECT_MSG_EQ(hits, 0, "LRU misses always when accesses go round");
            }
            else
            {
                NS_TEST_EXPECT_MSG_GT(hits, 65 * 80, "random replacement hits");
            }
        }
    }
};

/** Arrays in large pages. */
class LargePagesCacheTestCase : public TestCase
{
  public:
    LargePagesCacheTestCase()
        : TestCase("an array as long as a large page begins with one")
    {
    }

  private:
    void DoRun() override
    {
        constexpr std::size_t PAGE = std::size_t{2} << 20;
        const messaging::LargeVector<uint8_t> bytes(PAGE);
        const messaging::LargeVector<uint64_t> words(PAGE / 4);
        NS_TEST_EXPECT_MSG_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % PAGE,
                              0,
                              "offset of an array of bytes in its page");
        NS_TEST_EXPECT_MSG_EQ(reinterpret_cast<std::uintptr_t>(words.data()) % PAGE,
                              0,
                              "offset of an array of words in its page");
    }
};

/** The cache of contexts and translations. */
class InfinibandContextCacheTestSuite : public TestSuite
{
  public:
    InfinibandContextCacheTestSuite()
        : TestSuite("infiniband-context-cache", Type::UNIT)
    {
        AddTestCase(new ContextCacheOracleTestCase, Duration::QUICK);
        AddTestCase(new LargePagesCacheTestCase, Duration::QUICK);
    }
};

static InfinibandContextCacheTestSuite g_infinibandContextCacheTestSuite; ///< The suite.

} // namespace tests
} // namespace infiniband
} // namespace ns3
