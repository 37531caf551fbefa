/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_TRAFFIC_LOOP_H
#define MESSAGING_TRAFFIC_LOOP_H

#include "ns3/messaging-traffic-application.h"

#include <unordered_set>

/**
 * @file
 * @ingroup messaging
 * Base of the benchmarks that send as fast as a window allows.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Base of closed loops: the next message follows when one of those in flight no longer counts.
 *
 * By default the loop closes at the delivery, as the benchmark itself sees it. So no protocol is
 * measured by how late its sender knows, and protocols without acknowledgements have the same
 * load as the others. A message that is lost for ever counts until the benchmark knows.
 */
class LoopApplication : public BenchmarkApplication
{
  public:
    /** Event after which a message no longer counts as in flight. */
    enum class Closing : uint8_t
    {
        DELIVERY,  ///< Its delivery, whether or not the sender's protocol knows of it.
        SENT,      ///< Its departure, after which the buffer is free.
        COMPLETION ///< Its completion by the protocol, usually after an acknowledgement.
    };

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  protected:
    /** Begin to send while the window allows, until all rounds are sent. */
    void BeginLoop();

    /**
     * Post the next message.
     * @param number its number, from zero
     */
    virtual void SendMessage(uint32_t number) = 0;

    void DoSettle() override;
    void DoStage(RequestId id, Completion completion) override;
    void DoComplete() override;

  private:
    /** @return the messages in flight. */
    uint64_t GetNInFlight() const;

    /** Send messages while the window allows. */
    void Fill();

    uint32_t m_window{1};                 ///< Largest number of messages in flight.
    uint32_t m_sent{0};                   ///< Messages sent.
    Closing m_closed{Closing::DELIVERY};  ///< What closes the loop.
    std::unordered_set<RequestId> m_away; ///< Messages that have left and not ended.
    uint64_t m_departed{0};               ///< Messages that have left.
    bool m_looping{false};                ///< BeginLoop was called.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_TRAFFIC_LOOP_H
