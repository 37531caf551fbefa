/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-workload.h"

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

/**
 * Tables 2 and 3, and the shares of figure 6b that the text gives. MB are 10^6 bytes (C-amb-5).
 *
 * Additions for LAMMPS: two exchanges a step (positions out, forces back), four where a many-body
 * potential exchanges its densities too (eam); a message to each further peer in every tenth step,
 * as when atoms change places (chain), and two in each step, there and back, as in a distributed
 * Fourier transform (rhodo).
 */
constexpr std::array<DataSet, 7> DATA_SETS{{
    {"apoa1", Application::NAMD, 1579.14, 6.27, 504, 0, 0, 0, 0},
    {"er-gre", Application::NAMD, 1958.28, 13.43, 504, 0, 0, 0, 0},
    {"flatpase", Application::NAMD, 2338.16, 9.16, 504, 0, 0, 0, 0},
    {"jac2000", Application::NAMD, 6979.33, 15.89, 504, 0, 0, 0, 0},
    {"chain", Application::LAMMPS, 372.34, 9.33, 15, 0.4, 2, 10, 1},
    {"eam", Application::LAMMPS, 332.73, 7.14, 8, 0.8, 4, 10, 1},
    {"rhodo", Application::LAMMPS, 4849.74, 13.2, 90, 0, 2, 1, 2},
}};

/** Number of different computations, one for every rank and step. */
constexpr std::size_t NOISE = 8192;

/** Shortest message [bytes]. */
constexpr double SHORTEST = 8;

} // namespace

const DataSet&
GetDataSet(DataSetName name)
{
    return DATA_SETS[static_cast<std::size_t>(name)];
}

MessageSizes::MessageSizes(double mean, double large)
    : m_large(large)
{
    if (large <= 0)
    {
        m_scale = mean;
        m_large = std::exp(-BOUNDARY / mean);
        return;
    }
    double low = 1;
    double high = 1e9;
    while (high - low > 1e-3)
    {
        m_scale = (low + high) / 2;
        (GetMean(m_scale) < mean ? low : high) = m_scale;
    }
}

double
MessageSizes::GetMean(double scale) const
{
    const double cut = std::exp(-BOUNDARY / scale);
    const double below = scale - BOUNDARY * cut / (1 - cut);
    return (1 - m_large) * below + m_large * (BOUNDARY + scale);
}

double
MessageSizes::GetQuantile(double share) const
{
    const double below = 1 - m_large;
    if (share < below)
    {
        const double cut = std::exp(-BOUNDARY / m_scale);
        return -m_scale * std::log1p(-share / below * (1 - cut));
    }
    return BOUNDARY - m_scale * std::log1p(-std::min((share - below) / m_large, 1 - 1e-12));
}

std::vector<uint32_t>
MessageSizes::Draw(std::size_t n, Ptr<UniformRandomVariable> random, std::size_t longest) const
{
    std::vector<uint32_t> sizes(n, LONGEST);
    for (std::size_t i = 0; i < n - longest; ++i)
    {
        const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(n - longest);
        sizes[i] = static_cast<uint32_t>(std::max(SHORTEST, std::round(GetQuantile(share))));
    }
    for (std::size_t i = n; i > 1; --i)
    {
        std::swap(sizes[i - 1], sizes[random->GetInteger(0, static_cast<uint32_t>(i - 1))]);
    }
    return sizes;
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
RankWorkload::Make(const DataSet& set,
                   const WorkloadConfig& config,
                   Ptr<UniformRandomVariable> random)
{
    if (set.application == Application::NAMD)
    {
        return std::make_unique<NamdWorkload>(set, config, random);
    }
    return std::make_unique<LammpsWorkload>(set, config, random);
}

Ticks
RankWorkload::GetCompute(Peer self, uint32_t step, double share) const
{
    // Neighbouring ranks and steps shall not share a place in the table.
    const float noise = m_noise[(self * 2654435761U + step * 40503U) % NOISE];
    const double factor = 1 + m_config.imbalance * noise;
    return static_cast<Ticks>(std::llround(share * factor * static_cast<double>(m_config.compute)));
}

} // namespace ranks
} // namespace ns3
