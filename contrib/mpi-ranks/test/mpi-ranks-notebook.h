/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_NOTEBOOK_H
#define MPI_RANKS_NOTEBOOK_H

#include "ns3/messaging-scripted-host.h"
#include "ns3/mpi-ranks-core.h"
#include "ns3/test.h"

#include <array>
#include <sstream>
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

/** All transports. */
inline constexpr std::array TRANSPORTS{infiniband::Transport::RC,
                                       infiniband::Transport::UC,
                                       infiniband::Transport::UD};

/**
 * Get the constants of one of the six configurations over InfiniBand.
 * @param transport the transport service
 * @param reliability reliability in software
 * @param mtu the MTU, which limits UD [bytes]
 * @param paths paths from a rank to another
 * @return the constants
 */
inline RankConfig
MakeConfig(infiniband::Transport transport,
           bool reliability,
           uint32_t mtu = 2048,
           uint32_t paths = 1)
{
    RankConfig config;
    config.Choose(transport, reliability, GetTraits(transport, mtu, paths));
    return config;
}

/** @return a frame as text, such as "EAGER 3 ack 2". @param frame the frame */
inline std::string
Describe(const Frame& frame)
{
    const auto kind = static_cast<FrameKind>(frame.kind);
    std::ostringstream os;
    os << kind;
    if (IsSequenced(kind))
    {
        os << " " << GetSequence(frame);
    }
    if (kind != FrameKind::RDMA_DATA)
    {
        os << " ack " << GetAck(frame);
    }
    return os.str();
}

/** Records the requests of a core, with completions as text and the state of its one timer. */
struct Notebook : messaging::ScriptedHost
{
    std::string ended; ///< Ended requests, as in "3 SENT ".
    bool armed{false}; ///< The timer is armed.

    /** Record the timer. */
    void Arm(TimerId, Ticks)
    {
        armed = true;
    }

    /** Record a completion. @param id the request @param completion its outcome */
    void Complete(RequestId id, Completion completion)
    {
        constexpr std::array NAMES{"DELIVERED", "SENT", "UNREACHABLE", "FAILED"};
        ended += std::to_string(id) + " " + NAMES[static_cast<std::size_t>(completion)] + " ";
    }
};

/** A test that compares values and continues after a difference. */
class ExpectTest : public TestCase
{
  public:
    using TestCase::TestCase;

  protected:
    /**
     * Compare.
     * @param actual actual value
     * @param expected expected value
     * @param what name of the value
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
            cores.emplace_back(&m_config, ranks);
        }
    }

    /**
     * Post a send; its contents are its id plus 1000.
     * @param from sender
     * @param to receiver
     * @param id ID of the request
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
     * @param id ID of the request
     * @param tag tag, or ANY_TAG
     * @return the answer
     */
    Acceptance Receive(Peer rank, Peer source, RequestId id, uint32_t tag = ANY_TAG)
    {
        return cores[rank].OnRequest({.id = id, .to = source, .tag = tag, .flags = RECEIVE},
                                     books[rank]);
    }

    /**
     * Remove a frame from the network.
     * @param from its sender
     * @param index its index among the sender's frames
     * @return the frame
     */
    Notebook::Sent Pull(Peer from, std::size_t index = 0)
    {
        const auto sent = books[from].sent[index];
        books[from].sent.erase(books[from].sent.begin() + static_cast<int64_t>(index));
        return sent;
    }

    /**
     * Deliver a frame.
     * @param from its sender
     * @param sent the frame
     */
    void Arrive(Peer from, const Notebook::Sent& sent)
    {
        cores[sent.to].OnFrame(from, sent.frame, books[sent.to]);
    }

    /**
     * Deliver a sender's frame.
     * @param from the sender
     * @param index its index among the sender's frames
     */
    void Step(Peer from, std::size_t index = 0)
    {
        Arrive(from, Pull(from, index));
    }

    /** Deliver frames until none is in flight; frames that are SIGNALED complete. */
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
                        cores[rank].OnSent(sent.to, sent.frame, books[rank]);
                    }
                }
            }
        }
    }

    /**
     * Fire the timer of a rank, if armed.
     * @param rank the rank
     * @param times number of times
     */
    void Tick(Peer rank, uint32_t times = 1)
    {
        for (; times > 0 && books[rank].armed; --times)
        {
            books[rank].armed = false;
            cores[rank].OnTimer(0, books[rank]);
        }
    }

    /** @return frames of a rank in flight, as text. @param rank the rank */
    std::string ListInFlight(Peer rank) const
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
     * @return its number on the rank.
     */
    uint64_t Count(Peer rank, Event event) const
    {
        return cores[rank].GetCounters().Get(event);
    }

  private:
    RankConfig m_config; ///< The constants.

  public:
    std::vector<RankCore> cores; ///< The ranks.
    std::vector<Notebook> books; ///< Their requests.
};

} // namespace tests
} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_NOTEBOOK_H
