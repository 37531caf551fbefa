/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_ENGINE_TRAFFIC_H
#define INFINIBAND_ENGINE_TRAFFIC_H

#include "infiniband-verbs.h"

#include "ns3/random-variable-stream.h"

#include <functional>
#include <vector>

/**
 * @file
 * @ingroup infiniband
 * Messages at stated times, the same for every engine.
 */

namespace ns3
{
namespace infiniband
{

/** Who sends to whom, and when. */
enum class EnginePattern : uint8_t
{
    PING,        ///< One message after the other has arrived, from host 0 to the last.
    STREAM,      ///< The same two hosts, all messages at once.
    UNIFORM,     ///< To any other host, at random times.
    PERMUTATION, ///< To the host half of all hosts further on, at random times.
    INCAST,      ///< All to host 0, which is offered the load, at random times.
    ALL_TO_ALL,  ///< To each other host in turn, all hosts at once, as often as there are messages.
    BURSTS       ///< To any other host, BURST messages at once.
};

/** What the hosts send. */
struct EngineLoad
{
    EnginePattern pattern{EnginePattern::UNIFORM}; ///< Who sends to whom, and when.
    Transport transport{Transport::RC};            ///< Over what.
    uint32_t bytes{2280};                          ///< Of each message.
    double load{0.5};        ///< Share of the links' data rate that the messages' bytes are.
    uint32_t messages{1000}; ///< That each host sends; of ALL_TO_ALL, to each other host.
    uint32_t burst{20};      ///< Messages of a host that are posted at once, for BURSTS.
    uint32_t ranks{1};       ///< Queue pairs that each host has to each other (RC and UC), or has.
};

/**
 * @ingroup infiniband
 * Posts messages of a stated pattern, at times that depend on nothing but the random stream, and
 * measures when they arrive.
 */
class EngineTraffic : private CqUser, private messaging::TickUser
{
  public:
    /**
     * Construct.
     * @param clock counts nanoseconds
     * @param engine what moves the messages, ready to be started
     * @param hosts how many adapters there are
     * @param load what they send
     */
    EngineTraffic(Ptr<messaging::TickClock> clock,
                  Ptr<Engine> engine,
                  HostId hosts,
                  const EngineLoad& load);

    ~EngineTraffic() override;

    EngineTraffic(const EngineTraffic&) = delete;
    EngineTraffic& operator=(const EngineTraffic&) = delete;

    /**
     * Assign random streams.
     * @param stream first stream
     * @return number of streams assigned
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Plan all messages; then the simulator is to be run.
     * @return an empty text, or one sentence that tells why it is impossible
     */
    std::string Start();

    /** @return messages that were posted. */
    uint64_t GetNPosted() const
    {
        return m_plan.size();
    }

    /** @return latency of each message that has arrived, from when it was posted [ns]. */
    const std::vector<Ticks>& GetLatencies() const
    {
        return m_latencies;
    }

    /** @return when the last message arrived [ns]. */
    Ticks GetEnd() const
    {
        return m_end;
    }

    /** @return messages that arrived more than once or behind a later one of their queue pair. */
    uint64_t GetNDisordered() const
    {
        return m_disordered;
    }

  private:
    /** A message. */
    struct Planned
    {
        Ticks when;     ///< When it is posted [ns].
        HostId from;    ///< Sender.
        HostId to;      ///< Receiver.
        uint32_t order; ///< Its number among all of its time.
        uint32_t rank;  ///< Which of the host's queue pairs.
    };

    void OnCompletion(CqNumber cq, uint64_t cookie) override;
    void OnTick(messaging::Peer peer, uint64_t datum) override;

    /** Decide on all messages. */
    void Plan();

    /**
     * Get the queue pair between two hosts, connected and with receives.
     * @param from a host
     * @param to another
     * @param rank which of them
     * @return its number
     */
    Qpn GetQp(HostId from, HostId to, uint32_t rank);

    /** Have the next planned messages posted when it is time. */
    void PlanNext();

    Ptr<messaging::TickClock> m_clock;     ///< Counts nanoseconds.
    Ptr<Engine> m_engine;                  ///< Moves messages.
    Ptr<Verbs> m_verbs;                    ///< Over it.
    HostId m_hosts;                        ///< How many.
    EngineLoad m_load;                     ///< What they send.
    Ptr<ExponentialRandomVariable> m_gaps; ///< Times between messages.
    Ptr<UniformRandomVariable> m_choices;  ///< Destinations.
    std::vector<Planned> m_plan;           ///< All messages, by time.
    std::size_t m_next{0};                 ///< The first that has not been posted.
    std::vector<CqNumber> m_cqs;           ///< By host.
    std::vector<MemoryKey> m_keys;         ///< By host.
    std::vector<Qpn> m_qps;                ///< By host, peer and rank.
    std::vector<uint64_t> m_newest;        ///< By queue pair of the receiver: newest that has come.
    std::vector<Ticks> m_latencies;        ///< Of messages that have arrived [ns].
    Ticks m_end{0};                        ///< When the last one arrived [ns].
    uint64_t m_disordered{0};              ///< Out of order.
    uint32_t m_user{0};                    ///< Our number at the clock.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_ENGINE_TRAFFIC_H
