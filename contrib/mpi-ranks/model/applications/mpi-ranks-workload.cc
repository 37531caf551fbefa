/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-workload.h"

#include "ns3/mpi-ranks-group.h"
#include "ns3/mpi-ranks-workload-lammps.h"
#include "ns3/mpi-ranks-workload-namd.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ns3
{
namespace ranks
{

namespace
{

/** Tables 2 and 3. MB are 10^6 bytes (C-amb-5). */
constexpr std::array<DataSet, 7> DATA_SETS{{
    {"apoa1", Application::NAMD, 1579.14, 6.27, 504},
    {"er-gre", Application::NAMD, 1958.28, 13.43, 504},
    {"flatpase", Application::NAMD, 2338.16, 9.16, 504},
    {"jac2000", Application::NAMD, 6979.33, 15.89, 504},
    {"chain", Application::LAMMPS, 372.34, 9.33, 15},
    {"eam", Application::LAMMPS, 332.73, 7.14, 8},
    {"rhodo", Application::LAMMPS, 4849.74, 13.2, 90},
}};

/** Number of different computations, shared by all ranks and steps. */
constexpr std::size_t NOISE = 8192;

} // namespace

const DataSet&
GetDataSet(DataSetName name)
{
    return DATA_SETS[static_cast<std::size_t>(name)];
}

RankWorkload::RankWorkload(const WorkloadConfig& config, Ptr<UniformRandomVariable> random)
    : m_config(config),
      m_noise(NOISE)
{
    std::generate(m_noise.begin(), m_noise.end(), [&] {
        return static_cast<float>(random->GetValue(-1, 1));
    });
}

std::unique_ptr<RankWorkload>
RankWorkload::Make(DataSetName name,
                   const WorkloadConfig& config,
                   Ptr<UniformRandomVariable> random)
{
    const DataSet& set = GetDataSet(name);
    if (set.application == Application::NAMD)
    {
        return std::make_unique<NamdWorkload>(name, config, random);
    }
    return std::make_unique<LammpsWorkload>(set, config, random);
}

void
RankWorkload::Begin(Rank rank)
{
    const RankGroupCounts& counts = rank.GetGroup().GetCounts();
    m_start = {rank.GetTime(), counts.messages, counts.bytes};
}

Ticks
RankWorkload::GetCompute(Peer self, uint32_t step, double share) const
{
    // Neighbouring ranks and steps must not use the same entry of the table.
    const float noise = m_noise[(self * 2654435761U + step * 40503U) % NOISE];
    const double factor = 1 + m_config.imbalance * noise;
    return static_cast<Ticks>(std::llround(share * factor * static_cast<double>(m_config.compute)));
}

} // namespace ranks
} // namespace ns3
