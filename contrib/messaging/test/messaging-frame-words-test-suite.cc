/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-list-text.h"

#include "ns3/messaging-types.h"
#include "ns3/test.h"

#include <algorithm>
#include <concepts>
#include <deque>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Tests of the list of words in a frame.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

static_assert(std::regular<FrameWords> && std::is_nothrow_move_constructible_v<FrameWords>);
static_assert(sizeof(FrameWords) == sizeof(void*), "an empty list costs a frame one pointer");
static_assert(sizeof(Frame) == 40);
static_assert(std::is_nothrow_move_constructible_v<Frame>, "vectors move frames");

/**
 * Make a list.
 * @param size number of words
 * @param first the first word; the others follow it
 * @return the list
 */
FrameWords
MakeWords(uint32_t size, uint32_t first = 0)
{
    FrameWords words;
    for (uint32_t i = 0; i < size; ++i)
    {
        words.push_back(first + i);
    }
    return words;
}

/** Copies, moves and comparisons. */
class WordsValueCase : public TestCase
{
  public:
    WordsValueCase()
        : TestCase("a list of words is a value: deep copies, equality by contents")
    {
    }

  private:
    void DoRun() override
    {
        const FrameWords none;
        NS_TEST_EXPECT_MSG_EQ(none.empty(), true, "a list is empty by default");
        NS_TEST_EXPECT_MSG_EQ(none.Get().size(), 0, "an empty list has no words");
        NS_TEST_EXPECT_MSG_EQ(ListText(FrameWords(std::vector<uint32_t>{})),
                              "",
                              "a list of an empty vector is empty");
        const std::vector<uint32_t> source{3, 1, 2};
        const FrameWords given(source);
        NS_TEST_EXPECT_MSG_EQ(ListText(given),
                              ListText(FrameWords{3, 1, 2}),
                              "a list from a span equals one from an initializer list");
        for (const FrameWords& other :
             {FrameWords{3, 1}, FrameWords{3, 1, 2, 0}, FrameWords{3, 1, 0}, none})
        {
            NS_TEST_EXPECT_MSG_EQ((given == other),
                                  false,
                                  "a list of three words differs from one of " << other.size()
                                                                               << " words");
        }

        FrameWords copy = given;
        copy[1] = 9;
        NS_TEST_EXPECT_MSG_EQ(given[1], 1, "the original keeps its word");
        NS_TEST_EXPECT_MSG_EQ(ListText(copy), "3, 9, 2", "the copy has the changed word");
        for (const uint32_t size : {0U, 1U, 3U, 100U, 1000U})
        {
            FrameWords target = copy;
            target = MakeWords(size);
            NS_TEST_EXPECT_MSG_EQ(ListText(target),
                                  ListText(MakeWords(size)),
                                  "moved over three words");
            const FrameWords longer = MakeWords(size);
            target = given;
            target = longer;
            NS_TEST_EXPECT_MSG_EQ(ListText(target), ListText(longer), "copied over three words");
            const FrameWords& self = target;
            target = self;
            NS_TEST_EXPECT_MSG_EQ(ListText(target), ListText(longer), "copied over itself");
        }

        FrameWords moved = std::move(copy);
        NS_TEST_EXPECT_MSG_EQ(ListText(moved), "3, 9, 2", "words of the list that was moved to");
        copy = {5};
        NS_TEST_EXPECT_MSG_EQ(copy.size(), 1, "a list can be used again after its words moved");
        moved.clear();
        NS_TEST_EXPECT_MSG_EQ(ListText(moved), "", "a list is empty after clear");

        Frame frame{.id = 1, .words = {1, 2}};
        Frame other = frame;
        NS_TEST_EXPECT_MSG_EQ((frame == other), true, "frames with the same words are equal");
        other.words.push_back(3);
        NS_TEST_EXPECT_MSG_EQ((frame == other), false, "frames with different words are not equal");
    }
};

/** Lists of any length. */
class WordsGrowthCase : public TestCase
{
  public:
    WordsGrowthCase()
        : TestCase("a list of words does what std::vector does, at any length")
    {
    }

  private:
    void DoRun() override
    {
        FrameWords words;
        std::vector<uint32_t> model;
        const auto same = [&] {
            return words.size() == model.size() &&
                   std::equal(words.begin(), words.end(), model.begin(), model.end());
        };
        for (uint32_t i = 0; i < 3000; ++i)
        {
            words.push_back(i * i);
            model.push_back(i * i);
            NS_TEST_ASSERT_MSG_EQ(same(), true, "after " << i << " words");
        }
        uint32_t state = 1;
        for (uint32_t step = 0; step < 3000; ++step)
        {
            state = state * 1664525 + 1013904223;
            const uint32_t choice = state >> 29;
            if (choice == 0)
            {
                words.clear();
                model.clear();
            }
            else if (choice < 4)
            {
                model.assign(state >> 8 & 0x1ff, step);
                words.assign(model);
            }
            else
            {
                words.push_back(step);
                model.push_back(step);
                words[words.size() / 2] = state;
                model[model.size() / 2] = state;
            }
            NS_TEST_ASSERT_MSG_EQ(same(), true, "after step " << step);
        }
    }
};

/** Memory of frames that come and go. */
class WordsMemoryCase : public TestCase
{
  public:
    WordsMemoryCase()
        : TestCase("frames in a steady state take no memory from the heap for their words")
    {
    }

  private:
    static constexpr uint32_t IN_FLIGHT = 100; ///< Frames at a time.
    static constexpr uint32_t LONGEST = 100;   ///< Longest list [words].

    void DoRun() override
    {
        std::deque<Frame> flights;
        const auto exchange = [&flights](uint32_t rounds) {
            for (uint32_t round = 0; round < rounds; ++round)
            {
                Frame frame{.id = round, .words = MakeWords(round % LONGEST, round)};
                frame.words = Frame(frame).words;
                flights.push_back(std::move(frame));
                if (flights.size() > IN_FLIGHT)
                {
                    flights.pop_front();
                }
            }
        };
        exchange(2 * IN_FLIGHT);
        const uint64_t before = FrameWords::GetHeapBlocks();
        exchange(100 * IN_FLIGHT);
        NS_TEST_EXPECT_MSG_EQ(FrameWords::GetHeapBlocks(),
                              before,
                              "blocks of the heap taken in a steady state");
        NS_TEST_EXPECT_MSG_GT(before, 0, "blocks of the heap taken at the start");
        const FrameWords unusual = MakeWords(10000);
        NS_TEST_EXPECT_MSG_GT(FrameWords::GetHeapBlocks(),
                              before,
                              "an unusually long list takes a block of the heap");
    }
};

/** Frames of several threads. */
class WordsThreadsCase : public TestCase
{
  public:
    WordsThreadsCase()
        : TestCase("frames outlive the thread that made them, and threads copy the same frame")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t THREADS = 4;
        constexpr uint32_t FRAMES = 1000;
        const Frame common{.words = MakeWords(50)};
        std::vector<std::vector<Frame>> made(THREADS);
        std::vector<uint32_t> different(THREADS, 0);
        std::vector<std::thread> threads;
        for (uint32_t n = 0; n < THREADS; ++n)
        {
            threads.emplace_back([&, n] {
                for (uint32_t i = 0; i < FRAMES; ++i)
                {
                    const Frame copy = common;
                    different[n] += copy == common ? 0 : 1;
                    made[n].push_back(Frame{.id = i, .words = MakeWords(i % 20, i)});
                }
            });
        }
        for (auto& thread : threads)
        {
            thread.join();
        }
        for (uint32_t n = 0; n < THREADS; ++n)
        {
            NS_TEST_EXPECT_MSG_EQ(different[n], 0, "copies of a frame of another thread");
            for (uint32_t i = 0; i < FRAMES; ++i)
            {
                NS_TEST_ASSERT_MSG_EQ(ListText(made[n][i].words),
                                      ListText(MakeWords(i % 20, i)),
                                      "words of frame " << i << " of a thread that has ended");
            }
        }
    }
};

/** The suite. */
class FrameWordsTestSuite : public TestSuite
{
  public:
    FrameWordsTestSuite()
        : TestSuite("messaging-frame-words", Type::UNIT)
    {
        AddTestCase(new WordsValueCase, TestCase::Duration::QUICK);
        AddTestCase(new WordsGrowthCase, TestCase::Duration::QUICK);
        AddTestCase(new WordsMemoryCase, TestCase::Duration::QUICK);
        AddTestCase(new WordsThreadsCase, TestCase::Duration::QUICK);
    }
};

FrameWordsTestSuite g_frameWordsTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
