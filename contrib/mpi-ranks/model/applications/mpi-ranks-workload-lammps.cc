/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-workload-lammps.h"

#include "ns3/abort.h"
#include "ns3/mpi-ranks-collectives.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace ns3
{
namespace ranks
{

namespace
{

/** The decks in the order of DataSetName; sources of all numbers are in the documentation of the
 * module. */
constexpr std::array<LammpsDeck, 3> LAMMPS_DECKS{{
    {.box = {33.592, 33.592, 33.592},
     .replicas = 8,
     .cutoff = 1.52,
     .skin = 0.4,
     .delay = 1,
     .every = 4,
     .thermo = 100,
     .thermoSums = 5,
     .sums = 0,
     .border = 56,
     .leaving = 160,
     .density = 0,
     .shake = 0,
     .mesh = {0, 0, 0},
     .broadcasts = 105,
     .chunks = 95,
     .restart = 112,
     .bonds = {0.99, 0, 0},
     .atomTimes = {357, 0, 886}},
    {.box = {72.3, 72.3, 72.3},
     .replicas = 6,
     .cutoff = 5.95,
     .skin = 1,
     .delay = 5,
     .every = 7,
     .thermo = 50,
     .thermoSums = 5,
     .sums = 0,
     .border = 48,
     .leaving = 88,
     .density = 8,
     .shake = 0,
     .mesh = {0, 0, 0},
     .broadcasts = 66,
     .chunks = 0,
     .restart = 0,
     .bonds = {0, 0, 0},
     .atomTimes = {3246, 0, 2091}},
    {.box = {55, 77, 72.7261},
     .replicas = 3,
     .cutoff = 12,
     .skin = 2,
     .delay = 5,
     .every = 9,
     .thermo = 50,
     .thermoSums = 10,
     .sums = 5,
     .border = 64,
     .leaving = 336,
     .density = 0,
     .shake = 24,
     .mesh = {24, 32, 30},
     .broadcasts = 150,
     .chunks = 190,
     .restart = 264,
     .bonds = {0.866, 1.265, 1.776},
     .atomTimes = {16101, 1905, 20201}},
}};

constexpr unsigned DIMENSIONS = 3;         ///< Dimensions of the box.
constexpr unsigned SWAPS = 2 * DIMENSIONS; ///< Exchanges with neighbours, down and up in each.

constexpr double CELL = 32000;          ///< Atoms in the data file of a deck.
constexpr uint32_t SIDE = 8;            ///< Ranks along each side in the paper's runs.
constexpr uint32_t VECTOR = 24;         ///< Three numbers: a position or a force [bytes].
constexpr uint32_t COUNT = 4;           ///< A number of atoms, or a flag [bytes].
constexpr uint32_t SUM = 48;            ///< Operand of a reduction: six numbers [bytes].
constexpr uint32_t LINE = 24;           ///< A line of the input [bytes].
constexpr uint32_t CHUNK = 1024 * 48;   ///< 1024 lines of the data file [bytes].
constexpr uint32_t POINT = 8;           ///< A charge on the mesh [bytes].
constexpr uint32_t COMPLEX = 2 * POINT; ///< A complex number of the transform [bytes].
constexpr uint32_t FIELD = 3 * POINT;   ///< An electric field on the mesh [bytes].
constexpr int HALF_STENCIL = 2;         ///< Points of PPPM's stencil (order 5) on one side.
constexpr double INTEGER = 4;           ///< An integer [bytes].

/**
 * Largest displacement among 10^7 atoms as a multiple of the standard deviation along one axis. The
 * neighbour list is rebuilt when the largest displacement exceeds half the skin.
 */
constexpr double LARGEST_MOVE = 6;

/** Mean of the positive part of a normal variable with standard deviation 1. */
constexpr double POSITIVE_PART = 0.399;

/** Length of a bond; a bond through a face of the box has one end on another rank [angstrom]. */
constexpr double BOND = 1.2;

/** Integers in the three buffers of SHAKE for each bond end on another rank. */
constexpr std::array<double, 3> SHAKE_RINGS{6, 3, 9};

/** Transforms of a time step: a forward one of the charge, three backward ones of the field. */
constexpr unsigned TRANSFORMS = 4;

constexpr uint32_t SWAP_TAG = 0; ///< Tag of exchanges with neighbours.
constexpr uint32_t MESH_TAG = 1; ///< Tag of transpositions.
constexpr uint32_t RING_TAG = 2; ///< Tag of buffers that circulate among all ranks.

/** @return the deck of a data set. @param name one of LAMMPS's */
const LammpsDeck&
FindDeck(DataSetName name)
{
    return LAMMPS_DECKS.at(static_cast<std::size_t>(name) -
                           static_cast<std::size_t>(DataSetName::CHAIN));
}

/**
 * Split a cube among ranks with the smallest surface of each part.
 * @param ranks the number of ranks
 * @return ranks along each side
 */
std::array<uint32_t, 3>
MakeGrid(uint32_t ranks)
{
    std::array<uint32_t, 3> best{1, 1, ranks};
    // With a b c = ranks, the surface of a part of the unit cube is proportional to a + b + c.
    for (uint32_t x = 1; x <= ranks; ++x)
    {
        for (uint32_t y = 1; ranks % x == 0 && y <= ranks / x; ++y)
        {
            const uint32_t z = ranks / x / y;
            if (x * y * z == ranks && x + y + z < best[0] + best[1] + best[2])
            {
                best = {x, y, z};
            }
        }
    }
    return best;
}

/** @return whether all prime factors of a number are at most 5. @param n the number, not 0 */
bool
IsFactorable(uint32_t n)
{
    for (const uint32_t factor : {2U, 3U, 5U})
    {
        while (n % factor == 0)
        {
            n /= factor;
        }
    }
    return n == 1;
}

/** @return the next number whose prime factors are at most 5. @param n a number */
uint32_t
MakeFactorable(uint32_t n)
{
    while (!IsFactorable(n))
    {
        ++n;
    }
    return n;
}

/**
 * @return one of equal parts. @param points number of points @param parts parts @param i index of
 * the part
 */
LammpsWorkload::Range
Cut(uint32_t points, uint32_t parts, uint32_t i)
{
    return {i * points / parts, (i + 1) * points / parts};
}

/** @return points in both blocks. @param a a block @param b another */
uint32_t
CountCommon(const LammpsWorkload::Block& a, const LammpsWorkload::Block& b)
{
    uint32_t common = 1;
    for (unsigned d = 0; d < DIMENSIONS; ++d)
    {
        const uint32_t first = std::max(a[d].first, b[d].first);
        const uint32_t end = std::min(a[d].second, b[d].second);
        if (end <= first)
        {
            return 0;
        }
        common *= end - first;
    }
    return common;
}

/**
 * Split the pencils along x among ranks with the smallest surface of each part; ties go to the
 * first split with the most points.
 * @param ranks the number of ranks
 * @param y points along y
 * @param z points along z
 * @return parts along y
 */
uint32_t
SplitPencils(uint32_t ranks, uint32_t y, uint32_t z)
{
    std::pair<uint32_t, int64_t> best{y + z + 1, 0};
    uint32_t parts = 1;
    for (uint32_t i = 1; i <= ranks; ++i)
    {
        if (ranks % i == 0)
        {
            const uint32_t sideY = (y + i - 1) / i;
            const uint32_t sideZ = (z + ranks / i - 1) / (ranks / i);
            const std::pair<uint32_t, int64_t> surface{sideY + sideZ, -int64_t{sideY} * sideZ};
            if (surface < best)
            {
                best = surface;
                parts = i;
            }
        }
    }
    return parts;
}

/** @return the largest divisor of a number up to its square root. @param n the number */
uint32_t
FindDivisor(uint32_t n)
{
    auto divisor = static_cast<uint32_t>(std::sqrt(n));
    while (n % divisor != 0)
    {
        --divisor;
    }
    return divisor;
}

} // namespace

LammpsWorkload::LammpsWorkload(DataSetName name,
                               const WorkloadConfig& config,
                               Ptr<UniformRandomVariable> random)
    : RankWorkload(config, random),
      m_deck(FindDeck(name)),
      m_grid(MakeGrid(config.ranks))
{
    const auto product = [](const std::array<double, 3>& sides) {
        return std::accumulate(sides.begin(), sides.end(), 1.0, std::multiplies<>());
    };
    for (unsigned d = 0; d < DIMENSIONS; ++d)
    {
        m_sides[d] = m_deck.box[d] * m_deck.replicas / SIDE;
    }
    m_density = CELL / product(m_deck.box);
    m_atoms = m_density * product(m_sides);
    m_atomTime = m_deck.atomTimes[TIME_STEP] + m_deck.atomTimes[PPPM] +
                 m_deck.atomTimes[NEIGHBOUR_LIST] / m_deck.every;
    // The ghosts of a dimension include those of earlier dimensions.
    std::array<double, 3> sides = m_sides;
    for (unsigned d = 0; d < DIMENSIONS; ++d)
    {
        NS_ABORT_MSG_IF(m_deck.cutoff > m_sides[d], "Ghosts would extend beyond a neighbour");
        const double face = product(sides) / sides[d];
        m_ghosts[d] = static_cast<uint32_t>(std::lround(m_density * face * m_deck.cutoff));
        sides[d] += 2 * m_deck.cutoff;
        const double moved = POSITIVE_PART * m_deck.skin / 2 / LARGEST_MOVE;
        m_leaving[d] = static_cast<uint32_t>(std::lround(2 * m_atoms / m_sides[d] * moved));
    }
    if (m_deck.mesh[0] > 0)
    {
        PlanMesh();
    }
}

Ticks
LammpsWorkload::GetStepCompute() const
{
    return static_cast<Ticks>(std::llround(m_atoms * m_atomTime));
}

uint32_t
LammpsWorkload::GetPlace(Peer self, unsigned dimension) const
{
    uint32_t stride = 1;
    for (unsigned d = dimension + 1; d < m_grid.size(); ++d)
    {
        stride *= m_grid[d];
    }
    return self / stride % m_grid[dimension];
}

Peer
LammpsWorkload::GetNeighbour(Peer self, unsigned dimension, bool up) const
{
    std::array<uint32_t, 3> place{};
    for (unsigned d = 0; d < DIMENSIONS; ++d)
    {
        place[d] = GetPlace(self, d);
    }
    // The grid is periodic.
    if (up)
    {
        place[dimension] += 1;
    }
    else
    {
        place[dimension] += m_grid[dimension] - 1;
    }
    place[dimension] %= m_grid[dimension];
    return (place[0] * m_grid[1] + place[1]) * m_grid[2] + place[2];
}

LammpsWorkload::Remap
LammpsWorkload::Plan(const std::vector<Block>& from, const std::vector<Block>& to, uint32_t bytes)
{
    const auto ranks = static_cast<uint32_t>(from.size());
    Remap remap;
    remap.sends.resize(ranks);
    remap.receives.resize(ranks);
    for (Peer self = 0; self < ranks; ++self)
    {
        // From the next rank on, through all others.
        for (uint32_t i = 1; i < ranks; ++i)
        {
            const Peer other = (self + i) % ranks;
            if (const uint32_t points = CountCommon(from[self], to[other]); points > 0)
            {
                remap.sends[self].push_back({other, points * bytes});
            }
            if (CountCommon(from[other], to[self]) > 0)
            {
                remap.receives[self].push_back(other);
            }
        }
    }
    return remap;
}

void
LammpsWorkload::PlanMesh()
{
    for (unsigned d = 0; d < DIMENSIONS; ++d)
    {
        const uint32_t points = m_deck.mesh[d] * m_deck.replicas * m_grid[d];
        m_mesh[d] = MakeFactorable((points + SIDE - 1) / SIDE);
    }
    const uint32_t ranks = m_config.ranks;
    const uint32_t partsY = SplitPencils(ranks, m_mesh[1], m_mesh[2]);
    const uint32_t partsZ = ranks / partsY;
    const uint32_t columns = FindDivisor(ranks);
    const uint32_t rows = ranks / columns;
    std::vector<Block> bricks(ranks);
    std::vector<Block> alongX(ranks);
    std::vector<Block> alongY(ranks);
    std::vector<Block> alongZ(ranks);
    for (Peer self = 0; self < ranks; ++self)
    {
        for (unsigned d = 0; d < DIMENSIONS; ++d)
        {
            bricks[self][d] = GetOwnPoints(self, d);
        }
        alongX[self] = {Range{0, m_mesh[0]},
                        Cut(m_mesh[1], partsY, self % partsY),
                        Cut(m_mesh[2], partsZ, self / partsY)};
        const Range x = Cut(m_mesh[0], columns, self % columns);
        alongY[self] = {x, Range{0, m_mesh[1]}, Cut(m_mesh[2], rows, self / columns)};
        alongZ[self] = {x, Cut(m_mesh[1], rows, self / columns), Range{0, m_mesh[2]}};
    }
    m_remaps[BRICKS_TO_X] = Plan(bricks, alongX, POINT);
    m_remaps[X_TO_Y] = Plan(alongX, alongY, COMPLEX);
    m_remaps[Y_TO_Z] = Plan(alongY, alongZ, COMPLEX);
    m_remaps[Z_TO_X] = Plan(alongZ, alongX, COMPLEX);
    m_remaps[Z_TO_BRICKS] = Plan(alongZ, bricks, COMPLEX);
}

LammpsWorkload::Range
LammpsWorkload::GetOwnPoints(Peer self, unsigned dimension) const
{
    return Cut(m_mesh[dimension], m_grid[dimension], GetPlace(self, dimension));
}

uint32_t
LammpsWorkload::GetPlanes(unsigned dimension, uint32_t place, bool up) const
{
    const uint32_t points = m_mesh[dimension];
    const uint32_t parts = m_grid[dimension];
    // An atom may have moved by half the skin out of the box since the last rebuild of the lists.
    const double skin = m_deck.skin / 2 / m_sides[dimension] * points / parts;
    const auto [first, end] = Cut(points, parts, place);
    if (up)
    {
        const double face = 1.0 * points * (place + 1) / parts;
        const auto nearest = static_cast<int>(std::floor(face + skin + 0.5));
        return nearest + HALF_STENCIL + 1 - static_cast<int>(end);
    }
    const double face = 1.0 * points * place / parts;
    const auto nearest = static_cast<int>(std::floor(face - skin + 0.5));
    return static_cast<int>(first) - nearest + HALF_STENCIL;
}

uint32_t
LammpsWorkload::CountGhostCells(Peer self, unsigned dimension, uint32_t planes) const
{
    uint32_t cells = planes;
    for (unsigned d = 0; d < DIMENSIONS; ++d)
    {
        if (d == dimension)
        {
            continue;
        }
        const auto [first, end] = GetOwnPoints(self, d);
        uint32_t points = end - first;
        if (d > dimension)
        {
            const uint32_t place = GetPlace(self, d);
            points += GetPlanes(d, place, false) + GetPlanes(d, place, true);
        }
        cells *= points;
    }
    return cells;
}

RankTask<>
LammpsWorkload::Swap(Rank rank, unsigned dimension, bool up, uint32_t bytes)
{
    const Peer to = GetNeighbour(rank.GetIndex(), dimension, up);
    if (to != rank.GetIndex())
    {
        const Peer from = GetNeighbour(rank.GetIndex(), dimension, !up);
        const RankRequest receive = co_await rank.Irecv(from, SWAP_TAG);
        co_await rank.Send(to, bytes, SWAP_TAG);
        co_await rank.Wait(receive);
    }
}

RankTask<>
LammpsWorkload::Exchange(Rank rank, uint32_t bytes, bool reverse)
{
    for (unsigned i = 0; i < SWAPS; ++i)
    {
        unsigned swap = i;
        bool up = swap % 2 == 1;
        if (reverse)
        {
            // The last exchange goes back first.
            swap = SWAPS - 1 - i;
            up = swap % 2 == 0;
        }
        co_await Swap(rank, swap / 2, up, m_ghosts[swap / 2] * bytes);
    }
}

RankTask<>
LammpsWorkload::Migrate(Rank rank)
{
    for (unsigned d = 0; d < DIMENSIONS; ++d)
    {
        // With two ranks in a dimension both neighbours are the same rank, which gets all atoms
        // once.
        const bool isBothWays = m_grid[d] > 2;
        for (const uint32_t bytes : {COUNT, m_leaving[d] * m_deck.leaving})
        {
            co_await Swap(rank, d, false, bytes);
            if (isBothWays)
            {
                co_await Swap(rank, d, true, bytes);
            }
        }
    }
    for (unsigned swap = 0; swap < SWAPS; ++swap)
    {
        co_await Swap(rank, swap / 2, swap % 2 == 1, COUNT);
        co_await Swap(rank, swap / 2, swap % 2 == 1, m_ghosts[swap / 2] * m_deck.border);
    }
}

RankTask<>
LammpsWorkload::SwapCells(Rank rank, bool fill)
{
    const Peer self = rank.GetIndex();
    for (unsigned i = 0; i < SWAPS; ++i)
    {
        const bool up = i % 2 == 0;
        if (fill)
        {
            // The neighbour receives the fields that are its ghosts, from the last dimension on.
            const unsigned d = DIMENSIONS - 1 - i / 2;
            const Peer neighbour = GetNeighbour(self, d, up);
            const uint32_t planes = GetPlanes(d, GetPlace(neighbour, d), !up);
            co_await Swap(rank, d, up, CountGhostCells(self, d, planes) * FIELD);
        }
        else
        {
            // Charges in own ghost planes go to the rank that owns them.
            const unsigned d = i / 2;
            const uint32_t planes = GetPlanes(d, GetPlace(self, d), up);
            co_await Swap(rank, d, up, CountGhostCells(self, d, planes) * POINT);
        }
    }
}

RankTask<>
LammpsWorkload::Transpose(Rank rank, const Remap& remap)
{
    const Peer self = rank.GetIndex();
    for (const Peer from : remap.receives[self])
    {
        co_await rank.Irecv(from, MESH_TAG);
    }
    for (const auto& piece : remap.sends[self])
    {
        co_await rank.Send(piece.to, piece.bytes, MESH_TAG);
    }
    co_await rank.WaitAll();
}

RankTask<>
LammpsWorkload::Solve(Rank rank, uint32_t step)
{
    const Ticks half = GetPart(rank.GetIndex(), step, PPPM) / 2;
    co_await rank.Compute(half);
    co_await SwapCells(rank, false);
    co_await Transpose(rank, m_remaps[BRICKS_TO_X]);
    for (unsigned transform = 0; transform < TRANSFORMS; ++transform)
    {
        co_await Transpose(rank, m_remaps[X_TO_Y]);
        co_await Transpose(rank, m_remaps[Y_TO_Z]);
        const Transposition last = transform == 0 ? Z_TO_X : Z_TO_BRICKS;
        co_await Transpose(rank, m_remaps[last]);
    }
    co_await SwapCells(rank, true);
    co_await rank.Compute(half);
}

RankTask<>
LammpsWorkload::Ring(Rank rank, double bytes)
{
    const uint32_t size = rank.GetSize();
    const Peer self = rank.GetIndex();
    const auto length = static_cast<uint32_t>(std::lround(bytes));
    for (uint32_t i = 0; i < size; ++i)
    {
        const RankRequest receive = co_await rank.Irecv((self + size - 1) % size, RING_TAG);
        co_await rank.Send((self + 1) % size, length, RING_TAG);
        co_await rank.Wait(receive);
    }
}

RankTask<>
LammpsWorkload::FindBonded(Rank rank, double atoms)
{
    // Each bond, angle and dihedral is in the lists of two atoms: partners at one, two and three
    // bonds. The lengths are those of the buffers of LAMMPS's Special::build.
    const auto [bonds, angles, dihedrals] = m_deck.bonds;
    const double near = 2 * bonds;
    const double next = 2 * angles;
    const double far = 2 * dihedrals;
    co_await Ring(rank, INTEGER * atoms * bonds);
    co_await Ring(rank, INTEGER * atoms * near);
    if (angles > 0)
    {
        for (const double integers : {2 + near, 4 + near + next, 2 + next, 3 + next + far})
        {
            co_await Ring(rank, INTEGER * atoms * integers);
        }
    }
    co_await Allreduce(rank, COUNT, 0);
}

RankTask<>
LammpsWorkload::StartUp(Rank rank)
{
    for (uint32_t i = 0; i < m_deck.broadcasts; ++i)
    {
        // The length of a line, then the line.
        const uint32_t bytes = i % 2 == 0 ? COUNT : LINE;
        co_await Broadcast(rank, 0, bytes, 0);
    }
    if (m_deck.restart > 0)
    {
        for (uint32_t i = 0; i < m_deck.chunks; ++i)
        {
            co_await Broadcast(rank, 0, COUNT, 0);
            co_await Broadcast(rank, 0, CHUNK, 0);
        }
        const double inFile = CELL / m_config.ranks;
        co_await FindBonded(rank, inFile);
        for (Peer root = 0; root < m_config.ranks; ++root)
        {
            co_await Broadcast(rank, root, COUNT, 0);
            co_await Broadcast(rank, root, static_cast<uint32_t>(inFile * m_deck.restart), 0);
        }
        co_await FindBonded(rank, m_atoms);
    }
    if (m_deck.shake > 0)
    {
        const double faces = 1 / m_sides[0] + 1 / m_sides[1] + 1 / m_sides[2];
        const double ends = 2 * m_deck.bonds[0] * m_atoms * BOND * faces / 2;
        for (const double integers : SHAKE_RINGS)
        {
            co_await Ring(rank, INTEGER * ends * integers);
        }
    }
    co_await Migrate(rank);
}

RankTask<>
LammpsWorkload::Step(Rank rank, uint32_t step)
{
    const Peer self = rank.GetIndex();
    // Steps since the last rebuild of the neighbour lists.
    const uint32_t age = (step - 1) % m_deck.every + 1;
    if (age >= m_deck.delay)
    {
        // Has an atom moved too far on any rank?
        co_await Allreduce(rank, COUNT, 0);
    }
    if (age == m_deck.every)
    {
        co_await Migrate(rank);
        co_await rank.Compute(GetPart(self, step, NEIGHBOUR_LIST));
    }
    else
    {
        co_await Exchange(rank, VECTOR, false);
    }
    const Ticks pair = GetPart(self, step, TIME_STEP);
    co_await rank.Compute(pair / 2);
    if (m_deck.density > 0)
    {
        co_await Exchange(rank, m_deck.density, true);
        co_await Exchange(rank, m_deck.density, false);
    }
    co_await rank.Compute(pair - pair / 2);
    if (m_mesh[0] > 0)
    {
        co_await Solve(rank, step);
    }
    co_await Exchange(rank, VECTOR, true);
    if (m_deck.shake > 0)
    {
        co_await Exchange(rank, m_deck.shake, false);
    }
    uint32_t sums = m_deck.sums;
    if (step % m_deck.thermo == 0)
    {
        sums += m_deck.thermoSums;
    }
    for (uint32_t i = 0; i < sums; ++i)
    {
        co_await Allreduce(rank, SUM, 0);
    }
}

RankTask<>
LammpsWorkload::Main(Rank rank)
{
    if (m_config.startUp)
    {
        co_await StartUp(rank);
        NoteStart(rank);
    }
    // A barrier by pairs, without further peers: the paper counts 8 peers for eam.
    co_await Allreduce(rank, 0, 0);
    if (rank.GetIndex() == 0)
    {
        Begin(rank);
    }
    for (uint32_t step = 1; step <= m_config.steps; ++step)
    {
        co_await Step(rank, step);
    }
}

} // namespace ranks
} // namespace ns3
