/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_OSU_SCENARIO_H
#define MPI_RANKS_OSU_SCENARIO_H

#include "ns3/mpi-ranks-scenario.h"

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
 * Measures like osu_latency and osu_bw: half of a round trip; bandwidth and message rate of windows
 * of sends, each of which ends with a short answer. In addition the time of a blocking MPI_Send
 * whose receive is posted (C-14).
 *
 * The senders are ranks of the first node; their receivers are on other nodes. A sender with
 * several receivers gives its window to them in turn.
 */
class MpiOsuScenario : public RankScenario
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string Check() const override;

  protected:
    void DoRun() override;

  private:
    /** Results for messages of one length. */
    struct Point
    {
        double latency{0};   ///< Half of a round trip [us].
        double bandwidth{0}; ///< Of all senders [MB/s].
        double rate{0};      ///< Of all senders [M messages/s].
        double blocking{0};  ///< A blocking send [us].
    };

    /** @return the lengths; empty if the list cannot be read. */
    std::vector<uint32_t> GetSizes() const;

    /** @return number of receivers. */
    uint32_t GetReceivers() const
    {
        return m_pairs * m_peers;
    }

    /** @return number of nodes. */
    uint32_t GetNeededNodes() const;

    /**
     * Program of every rank.
     * @param rank the rank
     * @return the program
     */
    RankTask<> Main(Rank rank);

    /**
     * Program of a sender for one length.
     * @param rank the rank
     * @param bytes the length [bytes]
     * @param point set to the results
     * @return the program
     */
    RankTask<> SendSize(Rank rank, uint32_t bytes, Point& point);

    /**
     * Program of a receiver for one length.
     * @param rank the rank
     * @param sender its sender
     * @param bytes the length [bytes]
     * @return the program
     */
    RankTask<> ReceiveSize(Rank rank, Peer sender, uint32_t bytes);

    /**
     * Take the results of a run.
     * @param system a system that has run
     */
    void TakePoints(const RankCluster::System& system);

    std::string m_sizes;           ///< Lengths of messages.
    std::vector<uint32_t> m_list;  ///< The same.
    std::vector<Point> m_points;   ///< Results by length.
    uint32_t m_windows{0};         ///< Windows of each length.
    uint32_t m_pairs{0};           ///< Senders.
    uint32_t m_peers{0};           ///< Receivers of each sender.
    double m_latency{0};           ///< Result [us].
    double m_bandwidth{0};         ///< Result [MB/s].
    double m_rate{0};              ///< Result [M messages/s].
    uint64_t m_retransmissions{0}; ///< Result [segments].
    uint64_t m_reordered{0};       ///< Result [frames].
    uint64_t m_earlyFins{0};       ///< Result [frames].
    uint64_t m_messages{0};        ///< Result [messages].
    Ptr<messaging::Table> m_table; ///< Result.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_OSU_SCENARIO_H
