/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_NOTEBOOK_H
#define MPI_RANKS_NOTEBOOK_H

#include "ns3/mpi-ranks-core.h"
#include "ns3/test.h"

#include <deque>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * Ranks that are driven step by step, for tests.
 */

namespace ns3
{
namespace ranks
{
namespace tests
{

/** What one core has asked for, and the answer to its sends. */
struct Notebook
{
    /** A frame that was sent. */
    struct Sent
    {
        Peer to;     ///< To whom.
        Frame frame; ///< What.
    };

    std::deque<Sent> sent;           ///< Frames that have not been taken, in order.
    std::vector<Delivery> delivered; ///< Messages delivered.
    std::string ended;               ///< Requests that have ended, as in "3 SENT ".
    bool armed{false};               ///< The timer runs.
    bool busy{false};                ///< Send is answered with false.

    /** Write down a frame. @param to to whom @param frame what @return false if busy */
    bool Send(Peer to, const Frame& frame)
    {
        if (!busy)
        {
            sent.push_back(Sent{to, frame});
        }
        return !busy;
    }

    /** @return 1. */
    Ticks Distance(Peer) const
    {
        return 1;
    }

    /** @return 1. */
    Ticks WireTicks(const Frame&) const
    {
        return 1;
    }

    /** Write down the timer. */
    void Arm(TimerId, Ticks)
    {
        armed = true;
    }

    /** Forget the timer. */
    void Cancel(TimerId)
    {
        armed = false;
    }

    /** Nothing is done. */
    void Do(const messaging::Work&)
    {
    }

    /** Write down a message. @param delivery which */
    void Deliver(const Delivery& delivery)
    {
        delivered.push_back(delivery);
    }

    /** Write down the end of a request. @param id which @param completion how */
    void Complete(RequestId id, Completion completion)
    {
        constexpr std::array NAMES{"DELIVERED", "SENT", "UNREACHABLE", "FAILED"};
        ended += std::to_string(id) + " " + NAMES[static_cast<std::size_t>(completion)] + " ";
    }

    /** The core counts by itself. */
    void Note(messaging::Reason)
    {
    }
};

/** A test that compares and goes on. */
class ExpectTest : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /**
     * Compare.
     * @param actual what is
     * @param expected what should be
     * @param what of what
     */
    template <class A, class B>
    void Expect(const A& actual, const B& expected, const std::string& what)
    {
        bool equal = false;
        if constexpr (std::is_integral_v<A> && !std::is_same_v<A, bool>)
        {
            equal = std::cmp_equal(actual, expected);
        }
        else
        {
            equal = actual == expected;
        }
        NS_TEST_EXPECT_MSG_EQ(equal, true, what << ": " << actual << ", not " << expected);
    }
};

/** Ranks and the frames between them. */
class Play
{
  public:
    /**
     * Constructor.
     * @param config the constants
     * @param ranks number of ranks
     */
    explicit Play(const RankConfig& config, uint32_t ranks = 2)
        : m_config(config),
          books(ranks)
    {
        for (Peer rank = 0; rank < ranks; ++rank)
        {
            cores.emplace_back(&m_config, rank, ranks);
        }
    }

    /**
     * Post a send; its contents are its id plus 1000.
     * @param from sender
     * @param to receiver
     * @param id of the request
     * @param bytes length [bytes]
     * @param tag tag
     * @return the answer
     */
    Acceptance Send(Peer from, Peer to, RequestId id, uint32_t bytes = 8, uint32_t tag = 0)
    {
        return cores[from].OnRequest(
            {.id = id, .contents = id + 1000, .to = to, .bytes = bytes, .tag = tag},
            books[from]);
    }

    /**
     * Post a receive.
     * @param rank the receiver
     * @param source source, or ANY_SOURCE
     * @param id of the request
     * @param tag tag, or ANY_TAG
     * @return the answer
     */
    Acceptance Receive(Peer rank, Peer source, RequestId id, uint32_t tag = ANY_TAG)
    {
        return cores[rank].OnRequest({.id = id, .to = source, .tag = tag, .flags = RECEIVE},
                                     books[rank]);
    }

    /**
     * Take a frame off the network.
     * @param from its sender
     * @param index which of those that it has sent
     * @return the frame
     */
    Notebook::Sent Pull(Peer from, std::size_t index = 0)
    {
        const auto sent = books[from].sent[index];
        books[from].sent.erase(books[from].sent.begin() + static_cast<int64_t>(index));
        return sent;
    }

    /**
     * Have a frame arrive.
     * @param from its sender
     * @param sent the frame
     */
    void Arrive(Peer from, const Notebook::Sent& sent)
    {
        cores[sent.to].OnFrame(from, sent.frame, books[sent.to]);
    }

    /**
     * Have a sender's frame arrive.
     * @param from the sender
     * @param index which of those that it has sent
     */
    void Step(Peer from, std::size_t index = 0)
    {
        Arrive(from, Pull(from, index));
    }

    /** Have frames arrive until none is under way; frames that are SIGNALED complete. */
    void Run()
    {
        for (bool any = true; any;)
        {
            any = false;
            for (Peer rank = 0; rank < cores.size(); ++rank)
            {
                while (!books[rank].sent.empty())
                {
                    any = true;
                    const auto sent = Pull(rank);
                    Arrive(rank, sent);
                    if (sent.frame.flags & SIGNALED)
                    {
                        cores[rank].OnSent(sent.frame, books[rank]);
                    }
                }
            }
        }
    }

    /**
     * Have the timer of a rank fire, if it runs.
     * @param rank the rank
     * @param times how often
     */
    void Tick(Peer rank, uint32_t times = 1)
    {
        for (; times > 0 && books[rank].armed; --times)
        {
            books[rank].armed = false;
            cores[rank].OnTimer(0, books[rank]);
        }
    }

    /** @return what a rank has sent and nobody has taken, as text. @param rank the rank */
    std::string Under(Peer rank) const
    {
        std::string text;
        for (const auto& sent : books[rank].sent)
        {
            text += (text.empty() ? "" : ", ") + Describe(sent.frame);
        }
        return text;
    }

    /**
     * @param rank the rank
     * @param event the event
     * @return how often a rank has counted an event.
     */
    uint64_t Count(Peer rank, Event event) const
    {
        return cores[rank].GetCounters().Get(event);
    }

  private:
    RankConfig m_config; ///< The constants.

  public:
    std::vector<RankCore> cores; ///< The ranks.
    std::vector<Notebook> books; ///< What they want.
};

} // namespace tests
} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_NOTEBOOK_H
