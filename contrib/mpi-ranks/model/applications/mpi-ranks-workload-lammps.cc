/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-workload-lammps.h"

#include "ns3/mpi-ranks-collectives.h"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

namespace ns3
{
namespace ranks
{

namespace
{

/** Time steps between reductions. */
constexpr uint32_t REDUCE_EVERY = 10;

/** Length of a reduction's operand: six numbers of the thermodynamics [bytes]. */
constexpr uint32_t REDUCED = 48;

constexpr uint32_t NEIGHBOUR_TAG = 0; ///< Tag of the exchanges with neighbours.
constexpr uint32_t FURTHER_TAG = 1;   ///< Tag of messages to further peers.

/**
 * Split a number of ranks into three factors as equal as possible, the first a whole node if it
 * fits, so that x neighbours share a node.
 * @param ranks the number
 * @param perNode ranks of a node
 * @return the factors
 */
std::array<uint32_t, 3>
MakeGrid(uint32_t ranks, uint32_t perNode)
{
    std::array<uint32_t, 3> grid{ranks % perNode == 0 ? perNode : 1, 1, 1};
    const uint32_t rest = ranks / grid[0];
    for (uint32_t side = 1; side * side <= rest; ++side)
    {
        if (rest % side == 0)
        {
            grid[1] = side;
            grid[2] = rest / side;
        }
    }
    return grid;
}

} // namespace

LammpsWorkload::LammpsWorkload(const DataSet& set,
                               const WorkloadConfig& config,
                               Ptr<UniformRandomVariable> random)
    : RankWorkload(config, random),
      m_grid(MakeGrid(config.ranks, config.ranksPerNode)),
      m_phases(set.phases),
      m_furtherEvery(set.furtherEvery),
      m_furtherTimes(set.furtherTimes)
{
    for (unsigned dimension = 0; dimension < 3; ++dimension)
    {
        for (const bool up : {false, true})
        {
            const Offset offset = GetNeighbour(dimension, up);
            for (Peer self = 0; self < config.ranks; ++self)
            {
                const Peer peer = GetRank(self, offset);
                m_remote += peer / config.ranksPerNode != self / config.ranksPerNode;
            }
        }
    }
    m_remote /= config.ranks;
    ChooseFurther(set.peers);
    TurnFurther(config.oneWay);
    m_perRank = 6 * m_phases + GetNFurther() * m_furtherTimes;
    // The published mean and share include the short messages of reductions, so that the others are
    // longer.
    const double all = GetMessagesPerStep();
    const double reductions =
        (all - m_phases * m_remote - 1.0 * GetNFurther() * m_furtherTimes / m_furtherEvery) / all;
    const double mean = set.volume / set.rate * 1e6;
    const MessageSizes sizes((mean - reductions * REDUCED) / (1 - reductions),
                             set.large / (1 - reductions));
    m_sizes = sizes.Draw(std::size_t{config.ranks} * m_perRank, random);
}

double
LammpsWorkload::GetMessagesPerStep() const
{
    const uint32_t active = std::bit_floor(m_config.ranks);
    const uint32_t local = std::bit_floor(m_config.ranksPerNode);
    const int partners =
        std::max<int>(0, std::bit_width(active) - static_cast<int>(std::bit_width(local)));
    return m_phases * m_remote + 1.0 * GetNFurther() * m_furtherTimes / m_furtherEvery +
           1.0 * partners / REDUCE_EVERY;
}

Peer
LammpsWorkload::GetRank(Peer self, const Offset& offset) const
{
    const uint32_t x = (self % m_grid[0] + offset[0]) % m_grid[0];
    const uint32_t y = (self / m_grid[0] % m_grid[1] + offset[1]) % m_grid[1];
    const uint32_t z = (self / m_grid[0] / m_grid[1] + offset[2]) % m_grid[2];
    return x + m_grid[0] * (y + m_grid[1] * z);
}

LammpsWorkload::Offset
LammpsWorkload::Reverse(const Offset& offset) const
{
    Offset other{};
    for (unsigned i = 0; i < 3; ++i)
    {
        other[i] = (m_grid[i] - offset[i]) % m_grid[i];
    }
    return other;
}

LammpsWorkload::Offset
LammpsWorkload::GetNeighbour(unsigned dimension, bool up) const
{
    Offset offset{};
    offset[dimension] = (up ? 1 : m_grid[dimension] - 1) % m_grid[dimension];
    return offset;
}

void
LammpsWorkload::ChooseFurther(uint32_t wanted)
{
    // Box 0 has as many peers as any: neighbours and partners of reductions first.
    std::set<Peer> peers;
    for (unsigned dimension = 0; dimension < 3; ++dimension)
    {
        peers.insert(GetRank(0, GetNeighbour(dimension, true)));
        peers.insert(GetRank(0, GetNeighbour(dimension, false)));
    }
    for (uint32_t step = 1; step < m_config.ranks; step *= 2)
    {
        peers.insert(step);
    }
    std::erase_if(peers, [this](Peer peer) { return peer < m_config.ranksPerNode; });
    // Nearest first; equal distances in a fixed order.
    std::vector<std::tuple<uint32_t, Offset>> offsets;
    for (uint32_t z = 0; z < m_grid[2]; ++z)
    {
        for (uint32_t y = 0; y < m_grid[1]; ++y)
        {
            for (uint32_t x = 0; x < m_grid[0]; ++x)
            {
                const uint32_t near = std::min(x, m_grid[0] - x) + std::min(y, m_grid[1] - y) +
                                      std::min(z, m_grid[2] - z);
                offsets.emplace_back(near, Offset{x, y, z});
            }
        }
    }
    std::sort(offsets.begin(), offsets.end());
    for (const auto& [distance, offset] : offsets)
    {
        const Offset reverse = Reverse(offset);
        const Peer peer = GetRank(0, offset);
        const Peer back = GetRank(0, reverse);
        const uint32_t more = peer == back ? 1 : 2;
        if (peer < m_config.ranksPerNode || peers.contains(peer) || peers.contains(back) ||
            peers.size() + more > wanted)
        {
            continue;
        }
        peers.insert({peer, back});
        m_further.push_back(offset);
        if (more == 2)
        {
            m_further.push_back(reverse);
        }
    }
}

void
LammpsWorkload::TurnFurther(double share)
{
    uint32_t pairs = 0;
    for (std::size_t i = 0; i + 1 < m_further.size(); ++i)
    {
        if (m_further[i + 1] != Reverse(m_further[i]))
        {
            continue;
        }
        const bool oneWay =
            static_cast<uint32_t>((pairs + 1) * share) > static_cast<uint32_t>(pairs * share);
        ++pairs;
        ++i;
        if (oneWay)
        {
            m_further[i] = m_further[i - 1];
        }
    }
}

RankTask<>
LammpsWorkload::ExchangeNeighbours(Rank rank, uint32_t phase)
{
    const Peer self = rank.GetIndex();
    const bool forward = phase % 2 == 0;
    for (unsigned i = 0; i < 6; ++i)
    {
        const unsigned swap = forward ? i : 5 - i;
        const bool up = (swap % 2 == 0) == forward;
        const Peer to = GetRank(self, GetNeighbour(swap / 2, up));
        const Peer from = GetRank(self, GetNeighbour(swap / 2, !up));
        if (to == self)
        {
            continue;
        }
        const RankRequest receive = co_await rank.Irecv(from, NEIGHBOUR_TAG);
        co_await rank.Send(to, GetSize(self, 6 * phase + swap), NEIGHBOUR_TAG);
        co_await rank.Wait(receive);
    }
}

RankTask<>
LammpsWorkload::ExchangeFurther(Rank rank)
{
    const Peer self = rank.GetIndex();
    const uint32_t n = GetNFurther();
    for (uint32_t time = 0; time < m_furtherTimes; ++time)
    {
        for (uint32_t i = 0; i < n; ++i)
        {
            co_await rank.Irecv(GetRank(self, Reverse(m_further[i])), FURTHER_TAG);
        }
        for (uint32_t i = 0; i < n; ++i)
        {
            const uint32_t bytes = GetSize(self, 6 * m_phases + time * n + i);
            co_await rank.Isend(GetRank(self, m_further[i]), bytes, FURTHER_TAG);
        }
        co_await rank.WaitAll();
    }
}

RankTask<>
LammpsWorkload::Main(Rank rank)
{
    const Peer self = rank.GetIndex();
    const double share = 1.0 / m_phases;
    for (uint32_t step = 0; step < m_config.steps; ++step)
    {
        for (uint32_t phase = 0; phase < m_phases; ++phase)
        {
            co_await rank.Compute(GetCompute(self, step, share));
            co_await ExchangeNeighbours(rank, phase);
        }
        if (m_furtherTimes > 0 && step % m_furtherEvery == 0)
        {
            co_await ExchangeFurther(rank);
        }
        if (step % REDUCE_EVERY == 0)
        {
            co_await Allreduce(rank, REDUCED, self);
        }
    }
}

} // namespace ranks
} // namespace ns3
