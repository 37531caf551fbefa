/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_BENCH_APPLICATION_H
#define MESSAGING_BENCH_APPLICATION_H

#include "ns3/application.h"
#include "ns3/messaging-bench-session.h"

#include <deque>

/**
 * @file
 * @ingroup messaging
 * Base of the benchmark applications.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * One peer of a benchmark, over any protocol and network.
 *
 * A message that the protocol stalls waits here. Each round is measured but the first
 * Warmup ones. The endpoint traces posts, deliveries and completions.
 */
class BenchmarkApplication : public Application
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Take part in a benchmark.
     * @param session the benchmark
     * @param endpoint sends and receives its messages
     */
    void Join(Ptr<BenchmarkSession> session, Ptr<MessageEndpoint> endpoint);

    /** @return the peer. */
    Peer GetSelf() const
    {
        return m_endpoint->GetPeer();
    }

    /**
     * Check whether a peer of a group has a part in the benchmark.
     * @param self the peer
     * @param peers number of peers
     * @return true unless a derived class leaves peers out
     */
    virtual bool TakesPart([[maybe_unused]] Peer self, [[maybe_unused]] uint32_t peers) const
    {
        return true;
    }

    /**
     * Check the attributes.
     * @param peers number of peers
     * @return empty if the benchmark can begin, else one sentence on what is wrong
     */
    virtual std::string Check([[maybe_unused]] uint32_t peers) const
    {
        return "";
    }

    /**
     * Assign random streams.
     * @param stream first stream
     * @return number of streams assigned
     */
    int64_t AssignStreams([[maybe_unused]] int64_t stream) override
    {
        return 0;
    }

  protected:
    void DoDispose() override;

    /** Begin: called at the application's start time. */
    virtual void DoBegin() = 0;

    /**
     * A message has arrived.
     * @param delivery the message
     */
    virtual void DoReceive(const Delivery& delivery) = 0;

    /** A posted message has ended; nothing by default. */
    virtual void DoComplete()
    {
    }

    /**
     * Post a message, now or as soon as the protocol accepts it.
     * @param to destination
     * @param bytes size [bytes]
     * @param tag the application's mark
     */
    void Post(Peer to, uint32_t bytes, uint32_t tag);

    /** Report to the session, once, that this application has received all that it expects. */
    void End();

    /**
     * Check whether a round is measured.
     * @param round its number
     * @return True unless it is one of the warm-up
     */
    bool IsMeasured(uint32_t round) const
    {
        return round >= m_warmup;
    }

    /** @return the number of all rounds, those of the warm-up included. */
    uint32_t GetNRounds() const
    {
        return m_warmup + m_rounds;
    }

    /** @return the number of peers in the group. */
    uint32_t GetNPeers() const
    {
        return m_endpoint->GetGroup()->GetNPeers();
    }

    /** @return the number of messages posted or waiting that have not ended. */
    uint64_t GetNOutstanding() const
    {
        return m_outstanding;
    }

    Ptr<BenchmarkSession> m_session; ///< The benchmark.
    uint32_t m_size{0};              ///< Size of a message [bytes].

  private:
    void StartApplication() override;
    void StopApplication() override;

    /**
     * A message has arrived.
     * @param delivery the message
     */
    void HandleDelivery(const Delivery& delivery);

    /**
     * A posted message has ended.
     * @param id the request
     * @param completion its outcome
     */
    void HandleCompletion(RequestId id, Completion completion);

    /** Post waiting messages until the protocol stalls. */
    void PostWaiting();

    Ptr<MessageEndpoint> m_endpoint; ///< Sends and receives.
    std::deque<Request> m_waiting;   ///< Messages that wait for the protocol.
    RequestId m_nextId{0};           ///< Name of the next message.
    uint64_t m_outstanding{0};       ///< Messages that have not ended.
    uint32_t m_rounds{0};            ///< Measured rounds.
    uint32_t m_warmup{0};            ///< Rounds before them.
    bool m_posting{false};           ///< PostWaiting is running.
    bool m_running{false};           ///< Started and not stopped.
    bool m_ended{false};             ///< End was called.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_BENCH_APPLICATION_H
