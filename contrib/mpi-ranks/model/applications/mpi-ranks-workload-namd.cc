/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-workload-namd.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{
namespace ranks
{

namespace
{

/** @return true if a time step is the last of a cycle. @param step the time step */
bool
EndsCycle(uint32_t step)
{
    return (step + 1) % NamdPlan::CYCLE == 0;
}

/** @return parent of a rank in the tree of reductions. @param rank the rank, not 0 */
Peer
GetParent(Peer rank)
{
    return (rank - 1) / NamdPlan::CHILDREN;
}

} // namespace

NamdRank::NamdRank(const NamdPlan* plan, Peer self)
    : m_plan(plan),
      m_self(self)
{
    std::map<uint32_t, Place> places;
    const auto& patches = plan->patches;
    for (uint32_t i = 0; i < patches.size(); ++i)
    {
        if (patches[i].home == self)
        {
            m_homes.push_back(i);
            m_spreading += plan->GetSpreading(i);
            places[i];
        }
    }
    const auto& proxies = plan->proxies;
    for (uint32_t i = 0; i < proxies.size(); ++i)
    {
        if (proxies[i].rank == self)
        {
            places[proxies[i].patch].proxy = &proxies[i];
        }
        if (patches[proxies[i].patch].home == self)
        {
            places[proxies[i].patch].proxies.push_back(i);
        }
    }
    const auto& computes = plan->computes;
    for (uint32_t i = 0; i < computes.size(); ++i)
    {
        if (computes[i].rank == self)
        {
            const auto& needed = computes[i].patches;
            for (const uint32_t patch : needed)
            {
                places[patch].computes.push_back(static_cast<uint32_t>(m_computes.size()));
            }
            const auto n = static_cast<uint32_t>(needed.size());
            m_computes.push_back({.first = static_cast<uint32_t>(m_needed.size()),
                                  .patches = n,
                                  .missing = n,
                                  .work = computes[i].work});
            m_needed.insert(m_needed.end(), needed.begin(), needed.end());
        }
    }
    for (auto& [patch, place] : places)
    {
        place.patch = patch;
        m_places.push_back(std::move(place));
    }
    LinkComputes();
    for (const NamdCharges& charges : plan->charges)
    {
        if (charges.source == self)
        {
            m_sent.push_back(&charges);
        }
        if (plan->slabs[charges.slab] == self)
        {
            m_taken.push_back(&charges);
        }
    }
    m_slabs = std::ranges::count(plan->slabs, self) > 0;
    m_columns = std::ranges::count(plan->columns, self) > 0;
    m_perStep = static_cast<uint32_t>(m_homes.size() + m_computes.size());
}

void
NamdRank::LinkComputes()
{
    for (uint32_t& needed : m_needed)
    {
        needed = static_cast<uint32_t>(&GetPlace(needed) - m_places.data());
    }
    for (Compute& compute : m_computes)
    {
        for (uint32_t i = compute.first; i < compute.first + compute.patches; ++i)
        {
            compute.away |= m_places[m_needed[i]].proxy != nullptr;
        }
    }
}

uint32_t
NamdRank::CountExpected(uint32_t step) const
{
    uint32_t n = m_children;
    for (const Place& place : m_places)
    {
        n += place.proxy ? 1 : static_cast<uint32_t>(place.proxies.size());
    }
    if (m_plan->IsFull(step))
    {
        for (const NamdCharges* charges : m_taken)
        {
            n += charges->source != m_self;
        }
        for (const NamdCharges* charges : m_sent)
        {
            n += m_plan->slabs[charges->slab] != m_self;
        }
        n += m_columns * (static_cast<uint32_t>(m_plan->slabs.size()) - m_slabs);
        n += m_slabs * (static_cast<uint32_t>(m_plan->columns.size()) - m_columns);
    }
    if (EndsCycle(step) && step + 1 < m_steps)
    {
        n += static_cast<uint32_t>(m_plan->neighbours[m_self].size());
    }
    return n;
}

void
NamdRank::Begin(uint32_t steps)
{
    m_steps = steps;
    m_expected = 0;
    m_summed = 0;
    m_step = 0;
    for (uint32_t step = 0; step < steps; ++step)
    {
        m_expected += CountExpected(step);
    }
    for (Place& place : m_places)
    {
        place.step = 0;
        place.left = static_cast<uint32_t>(place.computes.size());
    }
    Publish(m_homes);
}

void
NamdRank::Publish(const std::vector<uint32_t>& patches)
{
    for (const uint32_t patch : patches)
    {
        Place& place = GetPlace(patch);
        const bool full = m_plan->IsFull(place.step);
        place.left = static_cast<uint32_t>(place.computes.size() + place.proxies.size()) + full;
        for (const uint32_t proxy : place.proxies)
        {
            m_posts.push_back(
                {m_plan->proxies[proxy].rank, m_plan->GetPositionBytes(patch), POSITIONS, patch});
        }
        TakePositions(place);
        if (full && ++m_published == m_homes.size())
        {
            m_published = 0;
            Add(SPREAD);
        }
    }
}

void
NamdRank::TakePositions(const Place& place)
{
    for (const uint32_t i : place.computes)
    {
        Compute& compute = m_computes[i];
        if (--compute.missing == 0)
        {
            compute.missing = compute.patches;
            Add(compute.away ? COMPUTE_PROXY : COMPUTE_HOME, i);
        }
    }
}

void
NamdRank::TakeForce(Place& place)
{
    if (--place.left > 0)
    {
        return;
    }
    const uint32_t patch = place.patch;
    if (!place.proxy)
    {
        Add(INTEGRATE, patch);
        return;
    }
    m_posts.push_back({m_plan->patches[patch].home,
                       m_plan->GetForceBytes(*place.proxy, m_plan->IsFull(place.step)),
                       FORCES,
                       patch});
    place.left = static_cast<uint32_t>(place.computes.size());
    ++place.step;
}

void
NamdRank::EndCycle()
{
    if (m_integrated == m_homes.size() && m_count[ATOMS] == m_plan->neighbours[m_self].size())
    {
        m_integrated = 0;
        m_count[ATOMS] = 0;
        Publish(m_homes);
    }
}

void
NamdRank::Finish(uint32_t step)
{
    m_step = step;
    AddSum(step);
}

void
NamdRank::AddSum(uint32_t step)
{
    m_sums.resize(std::max<std::size_t>(m_sums.size(), step - m_summed + 1));
    ++m_sums[step - m_summed];
    while (!m_sums.empty() && m_sums.front() == m_perStep + m_children)
    {
        m_sums.pop_front();
        if (m_self != 0)
        {
            m_posts.push_back({GetParent(m_self), NamdPlan::SUM_BYTES, SUMS, m_summed});
        }
        ++m_summed;
    }
}

void
NamdRank::Handle(Kind kind, uint32_t item)
{
    const auto all = [&](std::size_t expected, Task task) {
        if (++m_count[kind] == expected)
        {
            m_count[kind] = 0;
            Add(task);
        }
    };
    switch (kind)
    {
    case POSITIONS:
        TakePositions(GetPlace(item));
        break;
    case FORCES:
        TakeForce(GetPlace(item));
        break;
    case CHARGES:
        all(m_taken.size(), TRANSFORM);
        break;
    case PLANES:
        all(m_plan->slabs.size(), TRANSFORM_COLUMNS);
        break;
    case COLUMNS:
        all(m_plan->columns.size(), TRANSFORM_BACK);
        break;
    case POTENTIALS:
        all(m_sent.size(), GATHER);
        break;
    case ATOMS:
        ++m_count[ATOMS];
        EndCycle();
        break;
    case SUMS:
        AddSum(item);
        break;
    case N_KINDS:
        break;
    }
}

double
NamdRank::Work()
{
    const auto queue = std::ranges::find_if_not(m_tasks, &std::deque<uint32_t>::empty);
    const uint32_t item = queue->front();
    queue->pop_front();
    --m_waiting;
    const auto task = static_cast<Task>(queue - m_tasks.begin());
    switch (task)
    {
    case TRANSFORM:
    case TRANSFORM_COLUMNS:
        Transpose(task == TRANSFORM ? m_plan->columns : m_plan->slabs,
                  task == TRANSFORM ? PLANES : COLUMNS);
        return m_plan->GetTransform(task == TRANSFORM_COLUMNS);
    case TRANSFORM_BACK:
        for (const NamdCharges* charges : m_taken)
        {
            m_posts.push_back({charges->source, charges->bytes, POTENTIALS, 0});
        }
        return m_plan->GetTransform(false);
    case SPREAD:
        for (const NamdCharges* charges : m_sent)
        {
            const Peer slab = m_plan->slabs[charges->slab];
            m_posts.push_back({slab, charges->bytes, CHARGES, 0});
        }
        return m_spreading;
    case GATHER:
        for (const uint32_t patch : m_homes)
        {
            TakeForce(GetPlace(patch));
        }
        return m_spreading;
    case INTEGRATE:
        Integrate(item);
        return m_plan->GetIntegration(item);
    case COMPUTE_PROXY:
    case COMPUTE_HOME:
    case N_TASKS:
        break;
    }
    const Compute& compute = m_computes[item];
    Finish(m_places[m_needed[compute.first]].step);
    for (uint32_t i = compute.first; i < compute.first + compute.patches; ++i)
    {
        TakeForce(m_places[m_needed[i]]);
    }
    return compute.work;
}

void
NamdRank::Transpose(const std::vector<Peer>& to, Kind kind)
{
    // Each rank begins with another destination, so that the first does not get all messages at
    // once.
    for (std::size_t i = 0; i < to.size(); ++i)
    {
        const Peer peer = to[(i + m_self) % to.size()];
        m_posts.push_back({peer, m_plan->GetTransposeBytes(), kind, 0});
    }
}

void
NamdRank::Integrate(uint32_t patch)
{
    const uint32_t step = GetPlace(patch).step++;
    Finish(step);
    if (step + 1 == m_steps)
    {
        return;
    }
    if (!EndsCycle(step))
    {
        Publish({patch});
        return;
    }
    if (++m_integrated == m_homes.size())
    {
        for (const Peer neighbour : m_plan->neighbours[m_self])
        {
            m_posts.push_back({neighbour, NamdPlan::ATOMS_BYTES, ATOMS, 0});
        }
    }
    EndCycle();
}

NamdWorkload::NamdWorkload(DataSetName name,
                           const WorkloadConfig& config,
                           Ptr<UniformRandomVariable> random)
    : RankWorkload(config, random),
      m_plan(GetNamdDeck(name), config.ranks),
      m_startUp(GetNamdDeck(name), &m_plan)
{
    for (Peer self = 0; self < config.ranks; ++self)
    {
        m_states.emplace_back(&m_plan, self);
    }
    std::vector<uint32_t> children(config.ranks);
    for (Peer self = config.ranks - 1; self > 0; --self)
    {
        m_states[self].SetChildren(children[self]);
        children[GetParent(self)] += m_states[self].TakesPart();
    }
    m_states[0].SetChildren(children[0]);
}

double
NamdWorkload::GetMessagesPerStep() const
{
    double messages = 0;
    const auto add = [&](Peer from, Peer to, double times) {
        messages += from / m_config.ranksPerNode != to / m_config.ranksPerNode ? times : 0;
    };
    for (const NamdProxy& proxy : m_plan.proxies)
    {
        add(m_plan.patches[proxy.patch].home, proxy.rank, 2);
    }
    const double often = m_plan.GetFullShare();
    for (const NamdCharges& charges : m_plan.charges)
    {
        add(charges.source, m_plan.slabs[charges.slab], 2 * often);
    }
    for (const Peer slab : m_plan.slabs)
    {
        for (const Peer columns : m_plan.columns)
        {
            add(slab, columns, 2 * often);
        }
    }
    for (Peer self = 0; self < m_config.ranks; ++self)
    {
        for (const Peer neighbour : m_plan.neighbours[self])
        {
            add(self, neighbour, 1.0 / NamdPlan::CYCLE);
        }
        if (self > 0 && m_states[self].TakesPart())
        {
            add(self, GetParent(self), 1);
        }
    }
    return messages / m_config.ranks;
}

RankTask<>
NamdWorkload::Main(Rank rank)
{
    const Peer self = rank.GetIndex();
    if (m_config.startUp)
    {
        co_await m_startUp.Main(rank);
        NoteStart(rank);
        if (self == 0)
        {
            Begin(rank);
        }
    }
    NamdRank& state = m_states[self];
    const double mean = m_plan.GetWork() / m_config.ranks;
    state.Begin(m_config.steps);
    uint64_t left = state.GetExpected();
    RankRequest receive = 0;
    bool half = false;
    if (left > 0)
    {
        receive = co_await rank.Irecv(ANY_SOURCE, ANY_TAG);
    }
    while (true)
    {
        while (!state.GetPosts().empty())
        {
            const NamdRank::Post post = state.GetPosts().front();
            state.GetPosts().pop_front();
            if (post.to == self)
            {
                state.Handle(post.kind, post.item);
                continue;
            }
            const uint64_t contents = uint64_t{post.kind} << 32 | post.item;
            rank.Free(co_await rank.Isend(post.to, post.bytes, post.kind, contents));
        }
        const bool busy = state.HasWork();
        if (!busy && left == 0)
        {
            break;
        }
        bool arrived = !busy;
        if (busy && left > 0)
        {
            arrived = co_await rank.Test(receive);
        }
        if (arrived)
        {
            const RankStatus message = co_await rank.Wait(receive);
            state.Handle(static_cast<NamdRank::Kind>(message.tag),
                         static_cast<uint32_t>(message.contents));
            if (--left > 0)
            {
                receive = co_await rank.Irecv(ANY_SOURCE, ANY_TAG);
            }
            continue;
        }
        const double work = state.Work();
        if (!half && state.GetStep() >= m_config.steps / 2)
        {
            half = true;
            NoteHalf(rank);
        }
        co_await rank.Compute(GetCompute(self, state.GetStep(), work / mean));
    }
}

} // namespace ranks
} // namespace ns3
