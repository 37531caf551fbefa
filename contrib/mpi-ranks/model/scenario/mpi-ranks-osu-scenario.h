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
 * Measurements of osu_latency and osu_bw: half of a round trip; bandwidth and message rate of
 * windows of sends, each ended by a short answer. In addition, it measures the time of a blocking
 * MPI_Send with a posted receive (C-14).
 *
 * The senders are ranks of the first node; their receivers are on other nodes. A sender distributes
 * its window among its receivers in turn.
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
        double latency{0};   ///< Half a round trip [us].
        double bandwidth{0}; ///< Bandwidth of all senders [MB/s].
        double rate{0};      ///< Message rate of all senders [M messages/s].
        double blocking{0};  ///< Time of a blocking send [us].
    };

    /** @return the message lengths; empty if the list is invalid. */
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
     * Measure round trips, as osu_latency does.
     * @param rank the sender
     * @param receiver its receiver
     * @param bytes the length [bytes]
     * @param point set to the latency
     * @return the program
     */
    RankTask<> MeasureLatency(Rank rank, Peer receiver, uint32_t bytes, Point& point);

    /**
     * Measure windows of messages, as osu_bw does.
     * @param rank the sender
     * @param first its first receiver
     * @param bytes the length [bytes]
     * @param point set to rate and bandwidth
     * @return the program
     */
    RankTask<> MeasureBandwidth(Rank rank, Peer first, uint32_t bytes, Point& point);

    /**
     * Measure blocking sends whose receives are posted.
     * @param rank the sender
     * @param receiver its receiver
     * @param bytes the length [bytes]
     * @param point set to the time of a send
     * @return the program
     */
    RankTask<> MeasureBlockingSend(Rank rank, Peer receiver, uint32_t bytes, Point& point);

    /**
     * Program of a receiver for one length.
     * @param rank the rank
     * @param sender its sender
     * @param bytes the length [bytes]
     * @return the program
     */
    RankTask<> ReceiveSize(Rank rank, Peer sender, uint32_t bytes);

    /**
     * Collect the results of a run.
     * @param system the system after the run
     */
    void TakePoints(const RankCluster::System& system);

    std::string m_sizes;           ///< Message lengths as text.
    std::vector<uint32_t> m_list;  ///< Message lengths [bytes].
    std::vector<Point> m_points;   ///< Results by length.
    uint32_t m_windows{0};         ///< Windows of each message length.
    uint32_t m_pairs{0};           ///< Senders.
    uint32_t m_peers{0};           ///< Receivers of each sender.
    double m_latency{0};           ///< Result Latency [us].
    double m_bandwidth{0};         ///< Result Bandwidth [MB/s].
    double m_rate{0};              ///< Result MessageRate [M messages/s].
    uint64_t m_retransmissions{0}; ///< Result Retransmissions [segments].
    uint64_t m_reordered{0};       ///< Result Reordered [frames].
    uint64_t m_earlyFins{0};       ///< Result EarlyFins [frames].
    uint64_t m_messages{0};        ///< Result Messages [messages].
    Ptr<messaging::Table> m_table; ///< Result Points.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_OSU_SCENARIO_H
