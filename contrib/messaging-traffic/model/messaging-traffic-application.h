/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_APPLICATION_H
#define MESSAGING_TRAFFIC_APPLICATION_H

#include "ns3/application.h"
#include "ns3/messaging-fifo.h"
#include "ns3/messaging-traffic-session.h"

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
 * Application of one peer of a benchmark, over any protocol and network.
 *
 * The application queues messages that the protocol stalls. Every round after the first Warmup
 * rounds is measured. The endpoint traces posts, deliveries and completions.
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
     * Join a benchmark.
     * @param session the benchmark
     * @param endpoint the endpoint of the peer's messages
     */
    void Join(Ptr<BenchmarkSession> session, Ptr<MessageEndpoint> endpoint);

    /** @return the peer. */
    Peer GetSelf() const
    {
        return m_endpoint->GetPeer();
    }

    /**
     * Check whether a peer of a group participates in the benchmark.
     * @param self the peer
     * @param peers number of peers
     * @return true, unless a derived class excludes the peer
     */
    virtual bool TakesPart([[maybe_unused]] Peer self, [[maybe_unused]] uint32_t peers) const
    {
        return true;
    }

    /**
     * Check the attributes.
     * @param peers number of peers
     * @return empty if the benchmark can begin, or one sentence with the error
     */
    virtual std::string Check(uint32_t peers) const;

    /**
     * Find the reason why the benchmark can never end, whatever network and protocol do.
     * @return empty, or one sentence
     */
    virtual std::string FindDeadlock() const
    {
        return "";
    }

  protected:
    void DoDispose() override;

    /**
     * Check the times at which the application starts and stops; ns-3 accepts any.
     * @return empty if it can run, or one sentence with the error
     */
    std::string CheckTimes() const;

    /** Begin the benchmark, at the application's start time. */
    virtual void DoBegin() = 0;

    /**
     * Receive a message.
     * @param delivery the message
     */
    virtual void DoReceive(const Delivery& delivery) = 0;

    /** Handle the end of a posted message; does nothing by default. */
    virtual void DoComplete()
    {
    }

    /** Handle the delivery of a message that WatchDeliveries counts, or its loss for ever; does
     * nothing by default. */
    virtual void DoSettle()
    {
    }

    /**
     * Count the deliveries of a peer's messages.
     * @param sender the peer, whose only watcher this becomes
     */
    void WatchDeliveries(Peer sender);

    /**
     * Handle a completion of a posted message, before DoComplete if it is the last one; does
     * nothing by default.
     * @param id number of the message in the order of Post, from 0
     * @param completion SENT or DELIVERED
     */
    virtual void DoStage([[maybe_unused]] RequestId id, [[maybe_unused]] Completion completion)
    {
    }

    /**
     * Post a message as soon as the protocol accepts it.
     * @param to destination
     * @param bytes size [bytes]
     * @param tag the application's tag
     */
    void Post(Peer to, uint32_t bytes, uint32_t tag);

    /** Report to the session, once, that this application has received all expected messages. */
    void End();

    /**
     * Check whether a round is measured.
     * @param round its number
     * @return true unless it belongs to the warm-up
     */
    bool IsMeasured(uint32_t round) const
    {
        return round >= m_warmup;
    }

    /** @return the number of all rounds, including the warm-up. */
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

    /** @return the number of deliveries that WatchDeliveries counts, with those of messages that
     * are lost for ever. */
    uint64_t GetNSettled() const
    {
        return m_settled;
    }

    Ptr<BenchmarkSession> m_session; ///< The benchmark.
    uint32_t m_size{0};              ///< Size of a message [bytes].

  private:
    void StartApplication() override;
    void StopApplication() override;

    /**
     * Pass the delay of a message to the session, and receive the message.
     * @param delivery the message
     */
    void HandleDelivery(const Delivery& delivery);

    /**
     * Handle the end of a posted message, or nothing yet if the end is still to come.
     * @param id the request
     * @param completion its stage
     */
    void HandleCompletion(RequestId id, Completion completion);

    /**
     * Count messages that have been delivered, or are lost for ever.
     * @param count their number
     */
    void HandleSettled(uint32_t count);

    /** Report to the session, once, that this application has ended: it has received all expected
     * messages, or its StopTime has come. */
    void MarkEnded();

    /** Post waiting messages until the protocol stalls. */
    void PostWaiting();

    Ptr<MessageEndpoint> m_endpoint; ///< Endpoint of the peer's messages.
    Fifo<Request> m_waiting;         ///< Messages that wait for the protocol.
    RequestId m_nextId{0};           ///< Identifier of the next message.
    uint64_t m_outstanding{0};       ///< Messages that have not ended.
    uint64_t m_settled{0};           ///< Deliveries that WatchDeliveries counts.
    uint32_t m_rounds{0};            ///< Measured rounds.
    uint32_t m_warmup{0};            ///< Rounds before the measured ones.
    bool m_confirms{false};          ///< SENT does not end a message.
    bool m_posting{false};           ///< PostWaiting is running.
    bool m_running{false};           ///< The application is started and not stopped.
    bool m_ended{false};             ///< The session knows that it has ended.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_APPLICATION_H
