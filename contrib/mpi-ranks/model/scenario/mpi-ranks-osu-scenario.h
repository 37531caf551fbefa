/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_OSU_SCENARIO_H
#define MPI_RANKS_OSU_SCENARIO_H

#include "ns3/infiniband-adapter-scenario.h"
#include "ns3/mpi-ranks-cluster.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * The micro-benchmarks of paper 4, section 8.2.
 */

namespace ns3
{
namespace ranks
{

/**
 * @ingroup mpi-ranks
 * Measures what osu_latency and osu_bw measure: half of a round trip; bandwidth and message rate of
 * windows of sends, each of which ends with a short answer. Besides, how long a blocking MPI_Send
 * takes whose receive is posted (C-14), and what a receiver that computes costs (C-07).
 *
 * Each sender is a rank of the first node; its receivers are on other nodes, one if Peers is 1,
 * else its window goes to them in turn.
 */
class MpiOsuScenario : public infiniband::AdapterScenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    MpiOsuScenario();
    ~MpiOsuScenario() override;

    std::string Check() const override;

  protected:
    void DoRun() override;
    void DoDispose() override;

  private:
    /** What is measured for messages of one length. */
    struct Point
    {
        double latency{0};   ///< Half of a round trip [us].
        double bandwidth{0}; ///< Of all senders [MB/s].
        double rate{0};      ///< Of all senders [M messages/s].
        double blocking{0};  ///< A blocking send [us].
    };

    /** @return the lengths; empty if the list cannot be read. */
    std::vector<uint32_t> GetSizes() const;

    /** @return the number of receivers. */
    uint32_t GetReceivers() const
    {
        return m_pairs * m_peers;
    }

    /** @return nodes that are needed. */
    uint32_t GetNeededNodes() const;

    /**
     * What every rank does.
     * @param rank the rank
     * @return the program
     */
    RankTask<> Main(Rank rank);

    /**
     * What a sender does for one length.
     * @param rank the rank
     * @param bytes the length [bytes]
     * @param point set to what is measured
     * @return the program
     */
    RankTask<> SendSize(Rank rank, uint32_t bytes, Point& point);

    /**
     * What a receiver does for one length.
     * @param rank the rank
     * @param sender its sender
     * @param bytes the length [bytes]
     * @return the program
     */
    RankTask<> ReceiveSize(Rank rank, Peer sender, uint32_t bytes);

    /**
     * Take the results of a run.
     * @param system what has run
     */
    void TakeResults(const RankCluster::System& system);

    Ptr<RankCluster> m_cluster;    ///< Holds the cluster's parameters.
    std::string m_sizes;           ///< Lengths of messages.
    std::vector<uint32_t> m_list;  ///< The same.
    std::vector<Point> m_points;   ///< What is measured, by length.
    uint32_t m_iterations{0};      ///< Round trips of each length.
    uint32_t m_windows{0};         ///< Windows of each length.
    uint32_t m_window{0};          ///< Sends of a window.
    uint32_t m_pairs{0};           ///< Senders.
    uint32_t m_peers{0};           ///< Receivers of each sender.
    Ticks m_skew{0};               ///< How long receivers compute between windows [ns].
    double m_latency{0};           ///< Result [us].
    double m_bandwidth{0};         ///< Result [MB/s].
    double m_rate{0};              ///< Result [M messages/s].
    double m_misses{0};            ///< Result [1].
    uint64_t m_retransmissions{0}; ///< Result [segments].
    uint64_t m_duplicates{0};      ///< Result [segments].
    uint64_t m_reordered{0};       ///< Result [frames].
    uint64_t m_earlyFins{0};       ///< Result [frames].
    uint64_t m_acks{0};            ///< Result [frames].
    uint64_t m_messages{0};        ///< Result [messages].
    double m_events{0};            ///< Result [events].
    Ptr<messaging::Table> m_table; ///< Result.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_OSU_SCENARIO_H
