/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-list-text.h"

#include "ns3/messaging-fifo.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <deque>
#include <string>

/**
 * @file
 * @ingroup messaging
 * Tests of the queue and the slot pool that cores and ports share.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** A queue against std::deque. */
class FifoCase : public TestCase
{
  public:
    FifoCase()
        : TestCase("a queue does what std::deque does, in memory that does not grow with use")
    {
    }

  private:
    void DoRun() override
    {
        Fifo<uint32_t> fifo;
        std::deque<uint32_t> model;
        const auto same = [&] {
            return fifo.GetN() == model.size() &&
                   std::equal(fifo.begin(), fifo.end(), model.begin(), model.end());
        };
        uint32_t state = 1;
        for (uint32_t step = 0; step < 20000; ++step)
        {
            state = state * 1664525 + 1013904223;
            const uint32_t choice = state >> 29;
            if (choice < 3 || model.empty())
            {
                fifo.Push(step);
                model.push_back(step);
            }
            else if (choice == 3)
            {
                const uint32_t bound = step - (state >> 16 & 63);
                const auto isBehind = [bound](uint32_t item) { return item > bound; };
                fifo.Insert(step, isBehind);
                model.insert(std::find_if(model.begin(), model.end(), isBehind), step);
            }
            else
            {
                NS_TEST_ASSERT_MSG_EQ(fifo.Front(), model.front(), "the oldest");
                NS_TEST_ASSERT_MSG_EQ(fifo[model.size() - 1], model.back(), "the youngest");
                NS_TEST_ASSERT_MSG_EQ(fifo.Pop(), model.front(), "the oldest leaves");
                model.pop_front();
            }
            NS_TEST_ASSERT_MSG_EQ(same(), true, "the same items after step " << step);
        }
        Fifo<uint32_t> steady;
        for (uint32_t step = 0; step < 1000; ++step)
        {
            steady.Push(step);
            if (step >= 3)
            {
                steady.Pop();
            }
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(steady.GetMemory(), 8 * sizeof(uint32_t), "three items");
        Fifo<uint32_t> fresh;
        for (const auto item : steady)
        {
            fresh.Push(item);
        }
        NS_TEST_EXPECT_MSG_EQ(std::ranges::equal(fresh, steady), true, "the same items");
    }
};

/** Slots are reused. */
class SlotPoolCase : public TestCase
{
  public:
    SlotPoolCase()
        : TestCase("slots are reused, the last freed first")
    {
    }

  private:
    void DoRun() override
    {
        SlotPool<std::string> pool;
        const auto a = pool.Put("a");
        const auto b = pool.Put("b");
        const auto c = pool.Put("c");
        NS_TEST_EXPECT_MSG_EQ(ListText(std::array{a, b, c}),
                              "0, 1, 2",
                              "slots of a fresh pool are numbered from 0");
        NS_TEST_EXPECT_MSG_EQ(pool.Take(b), "b", "value taken out of slot b");
        pool.Free(a);
        NS_TEST_EXPECT_MSG_EQ(pool.GetN(), 1, "one value is left");
        NS_TEST_EXPECT_MSG_EQ(pool.Put("d"), a, "the slot that was freed last is used first");
        NS_TEST_EXPECT_MSG_EQ(pool.Put(), b, "then the slot that was freed before");
        NS_TEST_EXPECT_MSG_EQ(pool[a] + pool[b] + pool[c], "dc", "values of all slots");
        NS_TEST_EXPECT_MSG_EQ(pool.GetNSlots(), 3, "no slot was added while others were free");
        NS_TEST_EXPECT_MSG_EQ(pool.Put("e"), 3, "a slot is added when all are in use");
    }
};

/** The suite. */
class ContainersTestSuite : public TestSuite
{
  public:
    ContainersTestSuite()
        : TestSuite("messaging-containers", Type::UNIT)
    {
        AddTestCase(new FifoCase, TestCase::Duration::QUICK);
        AddTestCase(new SlotPoolCase, TestCase::Duration::QUICK);
    }
};

ContainersTestSuite g_containersTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
