/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/mpi-ranks-workload-namd.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>

/**
 * @file
 * @ingroup mpi-ranks
 * Tests of NAMD's decomposition (C-25) and of what its ranks send, without a network.
 */

namespace ns3
{
namespace ranks
{
namespace tests
{
namespace
{

/** A data set on some ranks. */
class NamdTestCase : public TestCase
{
  public:
    /** Constructor. @param name the data set @param ranks ranks */
    NamdTestCase(DataSetName name, uint32_t ranks)
        : TestCase(std::string("C-25: ") + NAMES.at(static_cast<std::size_t>(name)) + " on " +
                   std::to_string(ranks) + " ranks"),
          m_deck(GetNamdDeck(name)),
          m_ranks(ranks)
    {
    }

  private:
    static constexpr std::array NAMES{"apoa1", "er-gre", "flatpase", "jac2000"}; ///< Data sets.

    /** Patches, by the closed form. */
    void CheckPatches()
    {
        std::array<uint32_t, 3> expected{};
        // A sphere of water, without a tenth of the atoms at either end, extended by an eighth.
        const double radius = std::cbrt(0.75 * m_deck.atoms / M_PI / 0.1);
        for (int axis = 0; axis < 3; ++axis)
        {
            expected[axis] = m_deck.box[0] > 0
                                 ? static_cast<uint32_t>(m_deck.box[axis] / m_deck.patch)
                                 : static_cast<uint32_t>(std::ceil(1.521 * radius / m_deck.patch));
            NS_TEST_EXPECT_MSG_EQ(m_plan->grid[axis], expected[axis], "patches of an axis");
        }
        const auto& patches = m_plan->patches;
        const uint32_t n = expected[0] * expected[1] * expected[2];
        NS_TEST_EXPECT_MSG_EQ(patches.size(), n, "patches");
        double atoms = 0;
        std::map<Peer, uint32_t> homes;
        for (const NamdPatch& patch : patches)
        {
            atoms += patch.atoms;
            ++homes[patch.home];
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(atoms, m_deck.atoms, 1e-6 * atoms, "each atom has a patch");
        NS_TEST_EXPECT_MSG_EQ(homes.size(), std::min(n, m_ranks), "spread over the ranks");
        const auto most = std::max_element(homes.begin(), homes.end(), [](auto& a, auto& b) {
            return a.second < b.second;
        });
        NS_TEST_EXPECT_MSG_EQ((most->second <= 2 * ((n + m_ranks - 1) / m_ranks)), true, "evenly");
    }

    /** Computes: one or more for each patch and for each pair of neighbours, and their proxies. */
    void CheckComputes()
    {
        const auto& patches = m_plan->patches;
        std::set<std::pair<uint32_t, uint32_t>> pairs;
        std::set<std::pair<uint32_t, Peer>> needed;
        std::vector<double> load(m_ranks);
        double pairWork = 0;
        for (const NamdCompute& compute : m_plan->computes)
        {
            load[compute.rank] += compute.work;
            if (!compute.bonded)
            {
                const auto [low, high] =
                    std::minmax(compute.patches.front(), compute.patches.back());
                pairs.insert({low, high});
                pairWork += compute.work;
            }
            for (const uint32_t patch : compute.patches)
            {
                if (patches[patch].home != compute.rank)
                {
                    needed.insert({patch, compute.rank});
                }
            }
        }
        std::size_t expected = patches.size();
        for (std::size_t a = 0; a < patches.size(); ++a)
        {
            for (std::size_t b = a + 1; b < patches.size(); ++b)
            {
                bool touch = true;
                for (int axis = 0; axis < 3; ++axis)
                {
                    const uint32_t n = m_plan->grid[axis];
                    const uint32_t apart = (patches[a].at[axis] + n - patches[b].at[axis]) % n;
                    const bool ring = m_deck.box[0] > 0;
                    const auto line = std::abs(static_cast<int>(patches[a].at[axis]) -
                                               static_cast<int>(patches[b].at[axis]));
                    touch = touch && (ring ? apart <= 1 || apart == n - 1 : line <= 1);
                }
                expected += touch;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(pairs.size(), expected, "each pair of neighbours has a compute");
        // For each atom, half of the atoms in a ball; 15 ns per pair.
        if (m_deck.box[0] > 0)
        {
            const double volume = m_deck.box[0] * m_deck.box[1] * m_deck.box[2];
            const double ball = 4 * M_PI / 3 * std::pow(m_deck.cutoff, 3);
            const double all = 15 * 0.5 * m_deck.atoms * m_deck.atoms * ball / volume;
            NS_TEST_EXPECT_MSG_EQ_TOL(pairWork, all, 0.05 * all, "all pairs within the cutoff");
        }
        std::set<std::pair<uint32_t, Peer>> proxies;
        for (const NamdProxy& proxy : m_plan->proxies)
        {
            proxies.insert({proxy.patch, proxy.rank});
        }
        NS_TEST_EXPECT_MSG_EQ(proxies.size(), m_plan->proxies.size(), "no proxy twice");
        NS_TEST_EXPECT_MSG_EQ(proxies.size(), needed.size(), "as many proxies as needed");
        for (const auto& [patch, rank] : needed)
        {
            const bool found = proxies.contains({patch, rank});
            NS_TEST_EXPECT_MSG_EQ(found, true, "proxy of patch " << patch << " at " << rank);
        }
    }

    /** A run of two cycles: senders and receivers of messages. */
    void CheckRun()
    {
        constexpr uint32_t STEPS = 2 * NamdPlan::CYCLE;
        std::vector<NamdRank> states;
        std::vector<uint32_t> children(m_ranks);
        for (Peer self = 0; self < m_ranks; ++self)
        {
            states.emplace_back(&*m_plan, self);
        }
        for (Peer self = m_ranks - 1; self > 0; --self)
        {
            states[self].SetChildren(children[self]);
            children[(self - 1) / 4] += states[self].TakesPart();
        }
        states[0].SetChildren(children[0]);
        std::array<uint64_t, NamdRank::N_KINDS> sent{};
        std::vector<uint64_t> received(m_ranks);
        double work = 0;
        for (NamdRank& state : states)
        {
            state.Begin(STEPS);
        }
        for (bool moved = true; moved;)
        {
            moved = false;
            for (Peer self = 0; self < m_ranks; ++self)
            {
                auto& posts = states[self].GetPosts();
                while (!posts.empty() || states[self].HasWork())
                {
                    moved = true;
                    if (posts.empty())
                    {
                        work += states[self].Work();
                        continue;
                    }
                    const NamdRank::Post post = posts.front();
                    posts.pop_front();
                    ++sent[post.kind];
                    received[post.to] += post.to != self;
                    states[post.to].Handle(post.kind, post.item);
                }
            }
        }
        const uint64_t full = m_deck.fullEvery > 0 ? (STEPS - 1) / m_deck.fullEvery + 1 : 0;
        const uint64_t proxies = m_plan->proxies.size();
        NS_TEST_EXPECT_MSG_EQ(sent[NamdRank::POSITIONS],
                              STEPS * proxies,
                              "positions: a proxy each");
        NS_TEST_EXPECT_MSG_EQ(sent[NamdRank::FORCES], STEPS * proxies, "forces: as positions");
        const uint64_t charges = full * m_plan->charges.size();
        NS_TEST_EXPECT_MSG_EQ(sent[NamdRank::CHARGES], charges, "every slab has all its sources");
        NS_TEST_EXPECT_MSG_EQ(sent[NamdRank::POTENTIALS], charges, "and they get it back");
        const uint64_t blocks = full * m_plan->slabs.size() * m_plan->columns.size();
        NS_TEST_EXPECT_MSG_EQ(sent[NamdRank::PLANES], blocks, "each slab to all columns");
        NS_TEST_EXPECT_MSG_EQ(sent[NamdRank::COLUMNS], blocks, "and back");
        uint64_t touching = 0;
        uint64_t parts = 0;
        for (Peer self = 0; self < m_ranks; ++self)
        {
            touching += m_plan->neighbours[self].size();
            parts += self > 0 && states[self].TakesPart();
            NS_TEST_EXPECT_MSG_EQ(received[self],
                                  states[self].GetExpected(),
                                  "each has its receive");
        }
        NS_TEST_EXPECT_MSG_EQ(sent[NamdRank::ATOMS], touching, "a cycle has ended before the run");
        NS_TEST_EXPECT_MSG_EQ(sent[NamdRank::SUMS], STEPS * parts, "a sum a step up the tree");
        const double all = STEPS * m_plan->GetWork();
        NS_TEST_EXPECT_MSG_EQ_TOL(work, all, 1e-6 * all, "all work is done");
    }

    /** Slabs have as many points as the grid, which determines the lengths. */
    void CheckPme()
    {
        const auto& grid = m_deck.grid;
        for (const auto& [axis, slabs] :
             {std::pair(0, m_plan->slabs), std::pair(1, m_plan->columns)})
        {
            const uint32_t thick = (grid[axis] + m_ranks - 1) / m_ranks;
            const uint32_t expected = thick > 0 ? (grid[axis] + thick - 1) / thick : 0;
            NS_TEST_EXPECT_MSG_EQ(slabs.size(), expected, "none is empty");
            NS_TEST_EXPECT_MSG_EQ(std::set<Peer>(slabs.begin(), slabs.end()).size(),
                                  slabs.size(),
                                  "no rank has two");
        }
        if (grid[0] > 0 && m_ranks >= grid[0])
        {
            const uint32_t bytes = 296 + 4 * 2 * (grid[2] / 2 + 1);
            NS_TEST_EXPECT_MSG_EQ(m_plan->GetTransposeBytes(),
                                  bytes,
                                  "one column of complex numbers");
        }
    }

    void DoRun() override
    {
        m_plan.emplace(m_deck, m_ranks);
        CheckPatches();
        CheckComputes();
        CheckPme();
        CheckRun();
    }

    NamdDeck m_deck;                ///< The input.
    std::optional<NamdPlan> m_plan; ///< The decomposition.
    uint32_t m_ranks;               ///< Ranks.
};

/** NAMD's decomposition. */
class NamdTestSuite : public TestSuite
{
  public:
    NamdTestSuite()
        : TestSuite("mpi-ranks-namd", Type::UNIT)
    {
        using Duration = TestCase::Duration;
        for (const auto name : {DataSetName::APOA1, DataSetName::ER_GRE, DataSetName::JAC2000})
        {
            AddTestCase(new NamdTestCase(name, 512), Duration::QUICK);
            AddTestCase(new NamdTestCase(name, 12), Duration::QUICK);
        }
        AddTestCase(new NamdTestCase(DataSetName::FLATPASE, 512), Duration::EXTENSIVE);
    }
};

/** Registers the suite. */
NamdTestSuite g_namdTestSuite;

} // namespace
} // namespace tests
} // namespace ranks
} // namespace ns3
