/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-workload-namd.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{
namespace ranks
{

NamdWorkload::NamdWorkload(const DataSet& set,
                           const WorkloadConfig& config,
                           Ptr<UniformRandomVariable> random)
    : RankWorkload(config, random),
      m_slots(std::max(1U, config.burst / 2)),
      m_partners((m_slots + config.bunch - 1) / config.bunch),
      m_fixed(static_cast<uint32_t>(m_partners * config.persistent)),
      m_nodes(config.ranks / config.ranksPerNode),
      m_patches(config.ranks)
{
    for (auto& shifts : m_shifts)
    {
        for (uint32_t node = 1; node < m_nodes; ++node)
        {
            for (uint32_t core = 0; core < config.ranksPerNode; ++core)
            {
                shifts.push_back({node, core});
            }
        }
        for (std::size_t i = shifts.size(); i > 1; --i)
        {
            std::swap(shifts[i - 1], shifts[random->GetInteger(0, static_cast<uint32_t>(i - 1))]);
        }
    }
    const double mean = set.volume / set.rate * 1e6;
    const double others =
        (mean - config.longShare * MessageSizes::LONGEST) / (1 - config.longShare);
    const std::size_t n = std::size_t{config.ranks} * m_slots * 2;
    m_sizes = MessageSizes(others).Draw(n,
                                        random,
                                        std::llround(config.longShare * static_cast<double>(n)));
}

double
NamdWorkload::GetMessagesPerStep() const
{
    return 2.0 * m_slots;
}

Peer
NamdWorkload::GetPartner(Peer self, uint32_t step, uint32_t slot, Kind kind) const
{
    const auto& shifts = m_shifts[kind];
    const uint32_t partner = slot / m_config.bunch;
    const uint64_t rotating = m_partners - m_fixed;
    const uint64_t index =
        partner < m_fixed ? partner : m_fixed + step * rotating + (partner - m_fixed);
    const Shift& shift = shifts[index % shifts.size()];
    const uint32_t perNode = m_config.ranksPerNode;
    const uint32_t node = (self / perNode + shift.node) % m_nodes;
    return node * perNode + (self % perNode + shift.core) % perNode;
}

RankTask<>
NamdWorkload::Main(Rank rank)
{
    const Peer self = rank.GetIndex();
    Patch& patch = m_patches[self];
    const uint32_t total = 2 * m_slots * m_config.steps;
    const double piece = (1 - m_config.overlap) / m_slots;
    patch.received = 0;
    RankRequest receive = co_await rank.Irecv(ANY_SOURCE, ANY_TAG);
    // With forces from other patches alone, all may have come before the last step has begun.
    for (uint32_t step = 0; step < m_config.steps || patch.received < total; ++step)
    {
        const bool last = step >= m_config.steps;
        for (uint32_t slot = 0; !last && slot < m_slots; ++slot)
        {
            const Peer to = GetPartner(self, step, slot, COORDINATES);
            const uint64_t contents = uint64_t{step} << 32 | slot;
            rank.Free(co_await rank.Isend(to, GetSize(self, slot), COORDINATES, contents));
        }
        if (!last && m_config.overlap > 0)
        {
            co_await rank.Compute(GetCompute(self, step, m_config.overlap));
        }
        // After its last step a rank still computes for those that are behind.
        uint32_t& forces = patch.steps[step % AHEAD].forces;
        while (last ? patch.received < total : forces < m_slots)
        {
            const RankStatus message = co_await rank.Wait(receive);
            if (++patch.received < total)
            {
                receive = co_await rank.Irecv(ANY_SOURCE, ANY_TAG);
            }
            const auto of = static_cast<uint32_t>(message.contents >> 32);
            Step& its = patch.steps[of % AHEAD];
            if (message.tag == FORCES)
            {
                ++its.forces;
                continue;
            }
            std::vector<RankStatus>& waiting = its.waiting;
            waiting.push_back(message);
            its.coordinates = (its.coordinates + 1) % m_slots;
            if (its.coordinates % m_config.together != 0)
            {
                continue;
            }
            co_await rank.Compute(
                GetCompute(self, of, piece * static_cast<double>(waiting.size())));
            for (const RankStatus& each : waiting)
            {
                const auto slot = static_cast<uint32_t>(each.contents);
                const Peer to = IsOneSided(slot) ? GetPartner(self, of, slot, FORCES) : each.source;
                const uint32_t bytes = GetSize(self, m_slots + slot);
                rank.Free(co_await rank.Isend(to, bytes, FORCES, each.contents));
            }
            waiting.clear();
        }
        forces = 0;
    }
}

} // namespace ranks
} // namespace ns3
