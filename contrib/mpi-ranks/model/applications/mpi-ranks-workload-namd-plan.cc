/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-workload-namd-plan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

namespace ns3
{
namespace ranks
{

namespace
{

/** Inputs in the order of DataSetName; see "NAMD's data sets" in the documentation. */
constexpr std::array<NamdDeck, 4> NAMD_DECKS{{
    {.atoms = 92'224,
     .box = {108.8612, 108.8612, 77.758},
     .cutoff = 12,
     .patch = 16,
     .grid = {108, 108, 80},
     .fullEvery = 4,
     .bonds = 70'660,
     .angles = 74'136,
     .dihedrals = 74'130,
     .impropers = 1402,
     .rate = 1579.14,
     .steps = 1200},
    {.atoms = 36'573,
     .box = {0, 0, 0},
     .cutoff = 12,
     .patch = 16,
     .grid = {0, 0, 0},
     .fullEvery = 0,
     .bonds = 25'700,
     .angles = 18'000,
     .dihedrals = 10'500,
     .impropers = 660,
     .rate = 1958.28,
     .steps = 1800},
    {.atoms = 327'506,
     .box = {178.3, 131.54, 132.36},
     .cutoff = 12,
     .patch = 16,
     .grid = {192, 144, 144},
     .fullEvery = 4,
     .bonds = 328'200,
     .angles = 184'500,
     .dihedrals = 136'900,
     .impropers = 8600,
     .rate = 2338.16,
     .steps = 1550},
    {.atoms = 23'558,
     .box = {62.23, 62.23, 62.23},
     .cutoff = 9,
     .patch = 13,
     .grid = {64, 64, 64},
     .fullEvery = 1,
     .bonds = 23'592,
     .angles = 11'584,
     .dihedrals = 6701,
     .impropers = 418,
     .rate = 6979.33,
     .steps = 1850},
}};

/** Atoms per cubic Angstrom of water. */
constexpr double DENSITY = 0.1;

/**
 * Extent of the grid of patches as a multiple of the radius of a sphere: NAMD cuts a tenth of the
 * atoms off at either end of an axis, and adds an eighth of the rest.
 */
constexpr double SPHERE_EXTENT = 1.25 * 1.2168;

/** Points along each axis of a patch at which it is sampled. */
constexpr int SAMPLES = 6;

/**
 * Product of the atom counts of a compute: of one patch, of two that share a face, and of two
 * others.
 */
constexpr std::array<double, 3> PART_SIZE{2.0 * 125 * 125, 200.0 * 200, 400.0 * 400};

/** Maximum parts of a compute of one patch, and of two. */
constexpr std::array<int, 2> MOST_PARTS{50, 20};

/** Load relative to the mean above which a rank gets no compute that another can take. */
constexpr double OVERLOAD = 1.2;

/** Order of PME's splines [points]. */
constexpr int ORDER = 4;

// Parts of messages [bytes].
constexpr uint32_t ENVELOPE = 96;    ///< Envelope of Charm++.
constexpr uint32_t FLAGS = 200;      ///< Flags and cell of a time step.
constexpr uint32_t ATOM_BYTES = 32;  ///< An atom's position, charge and bits.
constexpr uint32_t FORCE_BYTES = 24; ///< A force.

// Work per item; only the ratios matter [ns].
constexpr double PAIR_WORK = 15;      ///< A pair of atoms.
constexpr double BONDED_WORK = 300;   ///< Bonded terms of an atom.
constexpr double ATOM_WORK = 150;     ///< Integration of an atom.
constexpr double CHARGE_WORK = 500;   ///< An atom's charge on the grid, or the force from it.
constexpr double TRANSFORM_WORK = 30; ///< A point of the grid, in one direction of a transform
                                      ///< through a slab.

/** Share of the atoms of a patch with bonded forces from terms of a neighbour. */
constexpr double BONDED_REACH = 0.02;

/**
 * @return the first ranks by reversed bits. @param ranks number of all @param n number of ranks to
 * return
 */
std::vector<Peer>
ReverseBits(uint32_t ranks, uint32_t n)
{
    std::vector<Peer> found;
    const auto bits = static_cast<uint32_t>(std::bit_width(ranks - 1));
    for (uint32_t i = 0; found.size() < n; ++i)
    {
        uint32_t rank = 0;
        for (uint32_t bit = 0; bit < bits; ++bit)
        {
            rank |= (i >> bit & 1) << (bits - 1 - bit);
        }
        if (rank < ranks)
        {
            found.push_back(rank);
        }
    }
    return found;
}

} // namespace

const NamdDeck&
GetNamdDeck(DataSetName name)
{
    return NAMD_DECKS[static_cast<std::size_t>(name)];
}

NamdPlan::NamdPlan(const NamdDeck& deck, uint32_t ranks)
    : neighbours(ranks),
      m_deck(deck),
      m_ranks(ranks)
{
    MakePatches();
    AssignPatches();
    MakeComputes();
    MakePme();
    Balance();
    MakeProxies();
}

void
NamdPlan::MakePatches()
{
    m_radius = std::cbrt(3 * m_deck.atoms / (4 * M_PI * DENSITY));
    std::array<double, 3> origin{};
    std::array<double, 3> width{};
    for (int axis = 0; axis < 3; ++axis)
    {
        const double extent = IsPeriodic() ? m_deck.box[axis] : SPHERE_EXTENT * m_radius;
        const double along = extent / m_deck.patch;
        grid[axis] = static_cast<uint32_t>(IsPeriodic() ? std::floor(along) : std::ceil(along));
        grid[axis] = std::max(1U, grid[axis]);
        width[axis] = IsPeriodic() ? extent / grid[axis] : m_deck.patch;
        origin[axis] = IsPeriodic() ? 0 : -0.5 * width[axis] * grid[axis];
    }
    for (uint32_t i = 0; i < grid[0] * grid[1] * grid[2]; ++i)
    {
        NamdPatch patch;
        patch.at = {i % grid[0], i / grid[0] % grid[1], i / grid[0] / grid[1]};
        double volume = 1;
        for (int axis = 0; axis < 3; ++axis)
        {
            const uint32_t at = patch.at[axis];
            patch.low[axis] = origin[axis] + width[axis] * at;
            patch.high[axis] = patch.low[axis] + width[axis];
            if (!IsPeriodic())
            {
                // Patches at the rim include all atoms beyond it.
                if (at == 0)
                {
                    patch.low[axis] = -m_radius;
                }
                if (at + 1 == grid[axis])
                {
                    patch.high[axis] = m_radius;
                }
            }
            volume *= patch.high[axis] - patch.low[axis];
        }
        const auto inside = static_cast<int>(Sample(patch).size());
        patch.atoms = volume * inside / (SAMPLES * SAMPLES * SAMPLES);
        patches.push_back(patch);
    }
    double sum = 0;
    for (const NamdPatch& patch : patches)
    {
        sum += patch.atoms;
    }
    for (NamdPatch& patch : patches)
    {
        patch.atoms *= m_deck.atoms / sum;
    }
}

void
NamdPlan::Bisect(std::vector<uint32_t> chosen, Peer first, uint32_t ranks)
{
    if (ranks == 1 || chosen.size() <= 1)
    {
        for (const uint32_t patch : chosen)
        {
            patches[patch].home = first;
        }
        return;
    }
    const auto load = [this](uint32_t patch) { return 1 + 0.015 * patches[patch].atoms; };
    double total = 0;
    for (const uint32_t patch : chosen)
    {
        total += load(patch);
    }
    const double wanted = total * ((ranks + 1) / 2) / ranks;
    double best = total;
    int axis = 0;
    uint32_t cut = 0;
    double below = 0;
    for (int each = 0; each < 3; ++each)
    {
        std::vector<double> layers(grid[each]);
        for (const uint32_t patch : chosen)
        {
            layers[patches[patch].at[each]] += load(patch);
        }
        double sum = 0;
        for (uint32_t layer = 0; layer < layers.size(); ++layer)
        {
            sum += layers[layer];
            if (sum > 0 && sum < total && std::abs(sum - wanted) < best)
            {
                best = std::abs(sum - wanted);
                axis = each;
                cut = layer;
                below = sum;
            }
        }
    }
    std::vector<uint32_t> others;
    std::erase_if(chosen, [&](uint32_t patch) {
        const bool above = patches[patch].at[axis] > cut;
        if (above)
        {
            others.push_back(patch);
        }
        return above;
    });
    const auto share = static_cast<uint32_t>(std::lround(ranks * below / total));
    const uint32_t split = std::clamp(share, 1U, ranks - 1);
    Bisect(std::move(chosen), first, split);
    Bisect(std::move(others), first + split, ranks - split);
}

void
NamdPlan::AssignPatches()
{
    const auto n = static_cast<uint32_t>(patches.size());
    std::vector<uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    if (m_ranks > n)
    {
        // The sequence begins with rank 0, which is skipped.
        std::vector<Peer> used = ReverseBits(m_ranks, n + 1);
        used.erase(used.begin());
        std::sort(used.begin(), used.end());
        std::ranges::sort(order, {}, [this](uint32_t i) { return patches[i].at; });
        for (uint32_t i = 0; i < n; ++i)
        {
            patches[order[(i + n / 2) % n]].home = used[i];
        }
    }
    else
    {
        Bisect(order, 0, m_ranks);
    }
    for (NamdPatch& patch : patches)
    {
        patch.base = m_ranks > 2 * n + 1 ? (patch.home + m_ranks - 1) % m_ranks : patch.home;
    }
}

uint32_t
NamdPlan::GetNeighbour(uint32_t patch, const std::array<int, 3>& offset) const
{
    std::array<uint32_t, 3> at{};
    for (int axis = 0; axis < 3; ++axis)
    {
        const auto n = static_cast<int>(grid[axis]);
        const int place = static_cast<int>(patches[patch].at[axis]) + offset[axis];
        if (!IsPeriodic() && (place < 0 || place >= n))
        {
            return NONE;
        }
        at[axis] = static_cast<uint32_t>((place + n) % n);
    }
    return at[0] + grid[0] * (at[1] + grid[1] * at[2]);
}

std::vector<NamdPlan::Point>
NamdPlan::Sample(const NamdPatch& patch) const
{
    std::vector<Point> points;
    for (int k = 0; k < SAMPLES * SAMPLES * SAMPLES; ++k)
    {
        Point point{k % SAMPLES + 0.5, k / SAMPLES % SAMPLES + 0.5, k / SAMPLES / SAMPLES + 0.5};
        double square = 0;
        for (int axis = 0; axis < 3; ++axis)
        {
            const double width = patch.high[axis] - patch.low[axis];
            point[axis] = patch.low[axis] + width * point[axis] / SAMPLES;
            square += point[axis] * point[axis];
        }
        if (IsPeriodic() || square < m_radius * m_radius)
        {
            points.push_back(point);
        }
    }
    return points;
}

NamdPlan::Overlap
NamdPlan::Measure(const std::array<uint32_t, 2>& both, const std::array<int, 3>& offset) const
{
    const NamdPatch& one = patches[both[0]];
    const NamdPatch& other = patches[both[1]];
    std::array<std::vector<Point>, 2> points{Sample(one), Sample(other)};
    for (int axis = 0; axis < 3 && IsPeriodic(); ++axis)
    {
        const double width = other.high[axis] - other.low[axis];
        for (Point& point : points[1])
        {
            point[axis] += one.low[axis] + offset[axis] * width - other.low[axis];
        }
    }
    Overlap overlap;
    std::vector<char> seen(points[1].size());
    double pairs = 0;
    for (const Point& a : points[0])
    {
        bool reaches = false;
        for (std::size_t i = 0; i < points[1].size(); ++i)
        {
            const Point& b = points[1][i];
            const double square = (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                                  (a[2] - b[2]) * (a[2] - b[2]);
            if (square < m_deck.cutoff * m_deck.cutoff)
            {
                ++pairs;
                reaches = true;
                seen[i] = 1;
            }
        }
        overlap.reached[0] += reaches;
    }
    if (!points[0].empty() && !points[1].empty())
    {
        const auto n = std::array{static_cast<double>(points[0].size()),
                                  static_cast<double>(points[1].size())};
        overlap.pairs = pairs / (n[0] * n[1]) * one.atoms * other.atoms;
        overlap.reached[0] /= n[0];
        overlap.reached[1] = static_cast<double>(std::count(seen.begin(), seen.end(), 1)) / n[1];
    }
    return overlap;
}

void
NamdPlan::MakeComputes()
{
    const auto n = static_cast<uint32_t>(patches.size());
    std::map<std::array<int, 3>, Overlap> known;
    // Half of the neighbours, those after (0, 0, 0) in order, since a compute serves both sides.
    for (int place = 0; place < 14; ++place)
    {
        const int all = place + 13;
        const std::array<int, 3> offset{all % 3 - 1, all / 3 % 3 - 1, all / 9 - 1};
        const int apart = std::abs(offset[0]) + std::abs(offset[1]) + std::abs(offset[2]);
        for (uint32_t i = 0; i < n; ++i)
        {
            const uint32_t other = GetNeighbour(i, offset);
            if (other == NONE || (apart > 0 && other == i))
            {
                continue;
            }
            if (!IsPeriodic() || i == 0)
            {
                known[offset] = Measure({i, other}, offset);
            }
            const Overlap& overlap = known[offset];
            const double product = patches[i].atoms * patches[other].atoms;
            const auto rounded = static_cast<int>(0.5 + product / PART_SIZE[std::min(apart, 2)]);
            const int parts = std::clamp(rounded, 1, MOST_PARTS[apart > 0]);
            NamdCompute compute{.patches = {i},
                                .reached = {overlap.reached[0]},
                                .work = PAIR_WORK * overlap.pairs / (apart > 0 ? 1 : 2) / parts,
                                .rank = patches[i].home};
            if (apart > 0)
            {
                compute.patches.push_back(other);
                compute.reached.push_back(overlap.reached[1]);
            }
            computes.insert(computes.end(), parts, compute);
        }
    }
    for (uint32_t i = 0; i < n; ++i)
    {
        NamdCompute compute;
        compute.work = BONDED_WORK * patches[i].atoms;
        compute.rank = patches[i].base;
        compute.bonded = true;
        for (int corner = 0; corner < 8; ++corner)
        {
            const uint32_t other = GetNeighbour(i, {corner % 2, corner / 2 % 2, corner / 4});
            const auto& corners = compute.patches;
            if (other != NONE && std::find(corners.begin(), corners.end(), other) == corners.end())
            {
                compute.patches.push_back(other);
                compute.reached.push_back(corner == 0 ? 1 : BONDED_REACH);
            }
        }
        computes.push_back(compute);
        for (int place = 0; place < 27; ++place)
        {
            const uint32_t other =
                GetNeighbour(i, {place % 3 - 1, place / 3 % 3 - 1, place / 9 - 1});
            const Peer home = patches[i].home;
            if (other != NONE && patches[other].home != home)
            {
                neighbours[home].push_back(patches[other].home);
            }
        }
    }
    for (auto& ranks : neighbours)
    {
        std::sort(ranks.begin(), ranks.end());
        ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    }
}

void
NamdPlan::AddFixedWork(Assignment& state) const
{
    const double often = GetFullShare();
    for (uint32_t i = 0; i < patches.size(); ++i)
    {
        state.load[patches[i].home] += GetIntegration(i) + 2 * often * GetSpreading(i);
    }
    for (const Peer rank : slabs)
    {
        // The transform before the transposition, and the one after it on the way back.
        state.load[rank] += often * GetTransform(false) * 2;
    }
    for (const Peer rank : columns)
    {
        state.load[rank] += often * GetTransform(true);
    }
    double total = 0;
    for (const NamdCompute& compute : computes)
    {
        total += compute.work;
        if (compute.bonded)
        {
            state.load[compute.rank] += compute.work;
            for (const uint32_t patch : compute.patches)
            {
                state.holders[patch].insert(compute.rank);
            }
        }
    }
    // A background below the mean counts as the mean, as in NAMD.
    double background = 0;
    for (const double each : state.load)
    {
        background += each / m_ranks;
    }
    for (double& each : state.load)
    {
        each = std::max(each, background);
        total += each;
    }
    for (const NamdCompute& compute : computes)
    {
        if (compute.bonded)
        {
            total -= compute.work;
        }
    }
    state.limit = OVERLOAD * total / m_ranks;
}

void
NamdPlan::AddIdleHolders(Assignment& state) const
{
    const auto count = static_cast<uint32_t>(patches.size());
    const uint32_t empty = m_ranks > count ? m_ranks - count : 0;
    if (empty <= count)
    {
        return;
    }
    std::vector<char> hasPatch(m_ranks);
    for (const NamdPatch& patch : patches)
    {
        hasPatch[patch.home] = 1;
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        std::set<Peer>& holders = state.holders[i];
        const std::size_t most = holders.size() + 1 + (empty - 1) / count;
        // Upwards from the home, and downwards.
        for (const uint32_t way : {1U, m_ranks - 1})
        {
            for (Peer rank = (patches[i].home + way) % m_ranks;
                 holders.size() < most && !hasPatch[rank];
                 rank = (rank + way) % m_ranks)
            {
                holders.insert(rank);
            }
        }
    }
}

std::vector<uint32_t>
NamdPlan::GetNonbonded() const
{
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < computes.size(); ++i)
    {
        if (!computes[i].bonded)
        {
            order.push_back(i);
        }
    }
    std::stable_sort(order.begin(), order.end(), [this](uint32_t a, uint32_t b) {
        const NamdCompute& one = computes[a];
        const NamdCompute& other = computes[b];
        return std::pair(one.patches.size(), one.work) >
               std::pair(other.patches.size(), other.work);
    });
    return order;
}

NamdPlan::Preference
NamdPlan::GetPreference(const Assignment& state, const NamdCompute& compute, Peer rank) const
{
    int homes = 0;
    int proxies = 0;
    for (const uint32_t patch : compute.patches)
    {
        // A compute of one patch with itself needs it twice.
        const int times = compute.patches.size() == 1 ? 2 : 1;
        if (patches[patch].home == rank)
        {
            homes += times;
        }
        else if (state.holders[patch].contains(rank))
        {
            proxies += times;
        }
    }
    constexpr std::array<std::array<Preference, 3>, 3> BY_HOMES_AND_PROXIES{
        {{NO_PATCH, ONE_PROXY, TWO_PROXIES},
         {ONE_HOME, HOME_AND_PROXY, IMPOSSIBLE},
         {TWO_HOMES, IMPOSSIBLE, IMPOSSIBLE}}};
    return BY_HOMES_AND_PROXIES[homes][proxies];
}

void
NamdPlan::Offer(const Assignment& state,
                const NamdCompute& compute,
                Peer rank,
                Candidate& best) const
{
    const Candidate offered{.preference = GetPreference(state, compute, rank),
                            .load = state.load[rank],
                            .fits = state.load[rank] + compute.work < state.limit,
                            .rank = rank};
    if (offered.fits != best.fits)
    {
        if (offered.fits)
        {
            best = offered;
        }
        return;
    }
    if (std::pair(offered.preference, offered.load) < std::pair(best.preference, best.load))
    {
        best = offered;
    }
}

void
NamdPlan::Assign(Assignment& state, NamdCompute& compute) const
{
    std::set<Peer> known;
    for (const uint32_t patch : compute.patches)
    {
        known.insert(patches[patch].home);
        known.insert(state.holders[patch].begin(), state.holders[patch].end());
    }
    Candidate best;
    for (const Peer rank : known)
    {
        Offer(state, compute, rank, best);
    }
    if (!best.fits)
    {
        best = {};
        for (Peer rank = 0; !best.fits && rank < m_ranks; ++rank)
        {
            Offer(state, compute, rank, best);
        }
    }
    compute.rank = best.rank;
    state.load[best.rank] += compute.work;
    for (const uint32_t patch : compute.patches)
    {
        if (patches[patch].home != best.rank)
        {
            state.holders[patch].insert(best.rank);
        }
    }
}

void
NamdPlan::Balance()
{
    Assignment state{.load = std::vector<double>(m_ranks),
                     .holders = std::vector<std::set<Peer>>(patches.size())};
    AddFixedWork(state);
    AddIdleHolders(state);
    for (const uint32_t index : GetNonbonded())
    {
        Assign(state, computes[index]);
    }
}

void
NamdPlan::MakeProxies()
{
    /** Share of a proxy's atoms without forces, nonbonded and bonded. */
    std::map<std::pair<uint32_t, Peer>, std::array<double, 2>> untouched;
    for (const NamdCompute& compute : computes)
    {
        for (std::size_t i = 0; i < compute.patches.size(); ++i)
        {
            const uint32_t patch = compute.patches[i];
            if (patches[patch].home != compute.rank)
            {
                const auto [at, isNew] =
                    untouched.try_emplace({patch, compute.rank}, std::array{1.0, 1.0});
                at->second[compute.bonded] *= 1 - compute.reached[i];
            }
        }
    }
    for (const auto& [key, share] : untouched)
    {
        proxies.push_back({.patch = key.first,
                           .rank = key.second,
                           .bonded = 1 - share[1],
                           .nonbonded = 1 - share[0]});
    }
}

void
NamdPlan::MakePme()
{
    if (m_deck.fullEvery == 0)
    {
        return;
    }
    std::array<uint32_t, 2> thick{};
    std::array<uint32_t, 2> number{};
    for (int axis = 0; axis < 2; ++axis)
    {
        const uint32_t points = m_deck.grid[axis];
        thick[axis] = GetThickness(axis);
        number[axis] = (points + thick[axis] - 1) / thick[axis];
    }
    // The end of the sequence, since patches use its beginning. The shorter list is a prefix of the
    // longer one.
    std::vector<Peer> ranks = ReverseBits(m_ranks, m_ranks);
    ranks.erase(ranks.begin(), ranks.end() - std::max(number[0], number[1]));
    std::sort(ranks.begin(), ranks.end());
    slabs.assign(ranks.begin(), ranks.begin() + number[0]);
    columns.assign(ranks.begin(), ranks.begin() + number[1]);
    for (Peer source = 0; source < m_ranks; ++source)
    {
        MakeCharges(source, thick[0]);
    }
}

int
NamdPlan::GetLine(double position, int axis) const
{
    return static_cast<int>(std::floor(position / m_deck.box[axis] * m_deck.grid[axis]));
}

uint32_t
NamdPlan::Wrap(int line, int axis) const
{
    const auto lines = static_cast<int>(m_deck.grid[axis]);
    return static_cast<uint32_t>((line % lines + lines) % lines);
}

uint32_t
NamdPlan::GetThickness(int axis) const
{
    return (m_deck.grid[axis] + m_ranks - 1) / m_ranks;
}

void
NamdPlan::MakeCharges(Peer source, uint32_t thickness)
{
    std::set<uint32_t> touched;
    std::set<std::pair<uint32_t, uint32_t>> rows;
    std::set<uint32_t> depths;
    for (const NamdPatch& patch : patches)
    {
        if (patch.home != source)
        {
            continue;
        }
        // Atoms may move by half the difference of patch width and cutoff.
        const double margin = 0.5 * (m_deck.patch - m_deck.cutoff);
        for (int x = GetLine(patch.low[0] - margin, 0) - ORDER + 1;
             x <= GetLine(patch.high[0] + margin, 0);
             ++x)
        {
            touched.insert(Wrap(x, 0) / thickness);
        }
        for (int z = GetLine(patch.low[2], 2) - ORDER + 1; z <= GetLine(patch.high[2], 2); ++z)
        {
            depths.insert(Wrap(z, 2));
        }
        for (int x = GetLine(patch.low[0], 0) - ORDER + 1; x <= GetLine(patch.high[0], 0); ++x)
        {
            for (int y = GetLine(patch.low[1], 1) - ORDER + 1; y <= GetLine(patch.high[1], 1); ++y)
            {
                rows.insert({Wrap(x, 0), Wrap(y, 1)});
            }
        }
    }
    for (const uint32_t slab : touched)
    {
        const auto n = std::distance(rows.lower_bound({slab * thickness, 0}),
                                     rows.lower_bound({(slab + 1) * thickness, 0}));
        const auto values = static_cast<uint32_t>(n * static_cast<int64_t>(depths.size()));
        const auto index = static_cast<uint32_t>(4 * depths.size()) + thickness * m_deck.grid[1];
        charges.push_back({source, slab, ENVELOPE + FLAGS + 4 * values + index});
    }
}

uint32_t
NamdPlan::GetPositionBytes(uint32_t patch) const
{
    const auto atoms = static_cast<uint32_t>(std::lround(patches[patch].atoms));
    return ENVELOPE + FLAGS + ATOM_BYTES * atoms;
}

uint32_t
NamdPlan::GetForceBytes(const NamdProxy& proxy, bool full) const
{
    // Lists of bonded, nonbonded and slow forces: a byte per atom, and the nonzero forces. The slow
    // forces include the nonbonded ones if PME is evaluated in every step.
    const double atoms = patches[proxy.patch].atoms;
    const bool apart = full && m_deck.fullEvery > 1;
    const double forces = proxy.bonded + proxy.nonbonded * (apart ? 2 : 1);
    return ENVELOPE +
           static_cast<uint32_t>(std::lround(atoms * ((full ? 3 : 2) + FORCE_BYTES * forces)));
}

uint32_t
NamdPlan::GetTransposeBytes() const
{
    const uint32_t depth = 2 * (m_deck.grid[2] / 2 + 1);
    return ENVELOPE + FLAGS + 4 * GetThickness(0) * GetThickness(1) * depth;
}

double
NamdPlan::GetIntegration(uint32_t patch) const
{
    return ATOM_WORK * patches[patch].atoms;
}

double
NamdPlan::GetSpreading(uint32_t patch) const
{
    return CHARGE_WORK * patches[patch].atoms;
}

double
NamdPlan::GetTransform(bool after) const
{
    const double points = 1.0 * m_deck.grid[0] * m_deck.grid[1] * m_deck.grid[2];
    return TRANSFORM_WORK * points / static_cast<double>((after ? columns : slabs).size());
}

double
NamdPlan::GetWork() const
{
    double work = 0;
    for (const NamdCompute& compute : computes)
    {
        work += compute.work;
    }
    const double often = GetFullShare();
    for (uint32_t i = 0; i < patches.size(); ++i)
    {
        work += GetIntegration(i) + 2 * often * GetSpreading(i);
    }
    if (often > 0)
    {
        work += often * (2 * GetTransform(false) * static_cast<double>(slabs.size()) +
                         GetTransform(true) * static_cast<double>(columns.size()));
    }
    return work;
}

} // namespace ranks
} // namespace ns3
