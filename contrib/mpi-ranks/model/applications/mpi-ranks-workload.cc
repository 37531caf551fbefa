/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-workload.h"

#include "ns3/log.h"
#include "ns3/mpi-ranks-group.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace ranks
{

NS_LOG_COMPONENT_DEFINE("MpiRanksWorkload");

namespace
{

/** Number of different computations, shared by all ranks and steps. */
constexpr std::size_t NOISE = 8192;

/** Multipliers of a rank and a step in the index of a computation (Knuth's hash, of 32 and 16
 * bits): neighbouring ranks and steps must not use the same computation. */
constexpr uint32_t RANK_FACTOR = 2654435761;
constexpr uint32_t STEP_FACTOR = 40503;

} // namespace

RankWorkload::RankWorkload(const WorkloadConfig& config, Ptr<UniformRandomVariable> random)
    : m_config(config),
      m_noise(NOISE)
{
    std::generate(m_noise.begin(), m_noise.end(), [&] {
        return static_cast<float>(random->GetValue(-1, 1));
    });
}

void
RankWorkload::Begin(Rank rank)
{
    const RankGroupCounts& counts = rank.GetGroup().GetCounts();
    NS_LOG_INFO("The time steps begin at " << rank.GetTime() << " ns, after " << counts.messages
                                           << " messages of the start-up");
    m_start = {rank.GetTime(), counts.messages, counts.bytes};
}

Ticks
RankWorkload::GetCompute(Peer self, uint32_t step, double share) const
{
    const float noise = m_noise[(self * RANK_FACTOR + step * STEP_FACTOR) % NOISE];
    const double factor = 1 + m_config.imbalance * noise;
    return static_cast<Ticks>(std::llround(share * factor * static_cast<double>(m_config.compute)));
}

} // namespace ranks
} // namespace ns3
