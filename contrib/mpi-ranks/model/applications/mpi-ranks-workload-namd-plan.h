/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_WORKLOAD_NAMD_PLAN_H
#define MPI_RANKS_WORKLOAD_NAMD_PLAN_H

#include "ns3/mpi-ranks-workload.h"

#include <array>
#include <set>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * The decomposition of NAMD 2.6: patches, computes, PME slabs, and their ranks.
 */

namespace ns3
{
namespace ranks
{

/** Facts of a data set's input; the documentation has their sources. */
struct NamdDeck
{
    uint32_t atoms;               ///< Atoms.
    std::array<double, 3> box;    ///< Periodic cell; zeros for a sphere [Angstrom].
    double cutoff;                ///< Cutoff of the nonbonded forces [Angstrom].
    double patch;                 ///< Minimum width of a patch [Angstrom].
    std::array<uint32_t, 3> grid; ///< PME's grid; zeros without PME [points].
    uint32_t fullEvery;           ///< Time steps between evaluations of PME.
    uint32_t bonds;               ///< Bonds.
    uint32_t angles;              ///< Angles.
    uint32_t dihedrals;           ///< Dihedrals.
    uint32_t impropers;           ///< Impropers.
    double rate;                  ///< MPI message rate [messages/s/process; table 2].
    double steps;                 ///< Time steps of the published run, about [steps; its ACKs].
};

/**
 * Get the input of a data set.
 * @param name one of NAMD's
 * @return its facts
 */
const NamdDeck& GetNamdDeck(DataSetName name);

/** A patch: the atoms of a box in space. */
struct NamdPatch
{
    std::array<uint32_t, 3> at; ///< Position in the grid of patches.
    std::array<double, 3> low;  ///< Lower corner [Angstrom].
    std::array<double, 3> high; ///< Upper corner [Angstrom].
    double atoms{0};            ///< Mean number of atoms.
    Peer home{0};               ///< Rank that integrates them.
    Peer base{0};               ///< Rank of the bonded terms that begin in it.
};

/** A compute: forces between the atoms of one or more patches. */
struct NamdCompute
{
    std::vector<uint32_t> patches; ///< The patches.
    std::vector<double> reached;   ///< Share of the atoms of each patch that it exerts a force on.
    double work{0};                ///< Work, in the unit of NamdPlan::GetWork.
    Peer rank{0};                  ///< Rank that executes it.
    bool bonded{false};            ///< Bonded terms, which stay at the base of the patch.
};

/** A patch on a rank other than its home. */
struct NamdProxy
{
    uint32_t patch{0};   ///< The patch.
    Peer rank{0};        ///< The rank.
    double bonded{0};    ///< Share of its atoms with bonded forces from this rank.
    double nonbonded{0}; ///< Share of its atoms with nonbonded forces from this rank.
};

/** Charges of a rank's patches on the planes of one slab. */
struct NamdCharges
{
    Peer source{0};    ///< Rank of the patches.
    uint32_t slab{0};  ///< The slab.
    uint32_t bytes{0}; ///< Length of the message, the same in both directions [bytes].
};

/**
 * @ingroup mpi-ranks
 * The objects of a NAMD run and their ranks, after the first load balancing.
 *
 * Patches are boxes at least as wide as the reach of the pair list. Each has a compute for itself
 * and one with each neighbour; computes of many atoms are divided. Patches are spread over the
 * ranks by bit reversal, or by bisection if there are more patches than ranks. Computes go, the
 * heaviest first, to the least loaded rank that already has their patches or proxies of them; a
 * rank that has a compute and is not the home of its patch has a proxy of it. PME has slabs of
 * planes before its transpose and of columns after it, one slab per rank. Reductions go up a tree
 * with four children per node.
 */
struct NamdPlan
{
    static constexpr uint32_t CYCLE = 20;        ///< Time steps of a cycle; migration ends it.
    static constexpr uint32_t CHILDREN = 4;      ///< Children of a rank in the tree of reductions.
    static constexpr uint32_t SUM_BYTES = 992;   ///< Message up the tree, of 112 sums [bytes].
    static constexpr uint32_t ATOMS_BYTES = 512; ///< Message with migrating atoms [bytes].

    /**
     * Constructor.
     * @param deck the input, not owned
     * @param ranks number of ranks
     */
    NamdPlan(const NamdDeck& deck, uint32_t ranks);

    std::array<uint32_t, 3> grid{};            ///< Patches along each axis.
    std::vector<NamdPatch> patches;            ///< Patches.
    std::vector<NamdCompute> computes;         ///< Computes.
    std::vector<NamdProxy> proxies;            ///< Proxies, ordered by patch and rank.
    std::vector<NamdCharges> charges;          ///< PME's messages from patches to slabs.
    std::vector<Peer> slabs;                   ///< Ranks of the slabs before the transpose.
    std::vector<Peer> columns;                 ///< Ranks of the slabs after the transpose.
    std::vector<std::vector<Peer>> neighbours; ///< Ranks with touching patches, by rank.

    /** @return true if PME is evaluated. @param step the time step */
    bool IsFull(uint32_t step) const
    {
        return m_deck.fullEvery > 0 && step % m_deck.fullEvery == 0;
    }

    /** @return evaluations of PME in a time step. */
    double GetFullShare() const
    {
        return m_deck.fullEvery > 0 ? 1.0 / m_deck.fullEvery : 0;
    }

    /** @return length of a message with positions [bytes]. @param patch the patch */
    uint32_t GetPositionBytes(uint32_t patch) const;

    /** @return length of a message with forces [bytes]. @param proxy sender @param full with PME */
    uint32_t GetForceBytes(const NamdProxy& proxy, bool full) const;

    /** @return length of a message of the transpose [bytes]. */
    uint32_t GetTransposeBytes() const;

    /** @return work of integrating a patch. @param patch the patch */
    double GetIntegration(uint32_t patch) const;

    /** @return work of spreading or gathering a patch's charges. @param patch the patch */
    double GetSpreading(uint32_t patch) const;

    /**
     * @return work of the transform of a slab, in one direction. @param after after the transpose
     */
    double GetTransform(bool after) const;

    /** @return work of all ranks in a time step, mean. */
    double GetWork() const;

  private:
    /** A point in space [Angstrom]. */
    using Point = std::array<double, 3>;

    /** Two patches that interact. */
    struct Overlap
    {
        double pairs{0};                  ///< Pairs of atoms within the cutoff.
        std::array<double, 2> reached{0}; ///< Share of each patch within the cutoff of the other.
    };

    /** Create the patches. */
    void MakePatches();

    /** Spread the patches over the ranks. */
    void AssignPatches();

    /**
     * Divide patches among ranks by bisection.
     * @param chosen the patches
     * @param first first of the ranks
     * @param ranks number of ranks
     */
    void Bisect(std::vector<uint32_t> chosen, Peer first, uint32_t ranks);

    /** Create the computes, on the base ranks of their patches. */
    void MakeComputes();

    /** Ranks by the patches of a compute that they have, the best first. */
    enum Preference : uint8_t
    {
        TWO_PROXIES,    ///< Proxies of both patches.
        HOME_AND_PROXY, ///< One patch and a proxy of the other.
        TWO_HOMES,      ///< Both patches.
        ONE_PROXY,      ///< A proxy of one patch.
        ONE_HOME,       ///< One patch.
        NO_PATCH,       ///< Neither.
        IMPOSSIBLE,     ///< More than two.
        NO_RANK         ///< No rank so far.
    };

    /** Loads and proxies while ranks are assigned to the nonbonded computes. */
    struct Assignment
    {
        std::vector<double> load;            ///< Work of each rank.
        std::vector<std::set<Peer>> holders; ///< Ranks with a proxy, by patch.
        double limit{0};                     ///< Work beyond which a rank is overloaded.
    };

    /** A rank for a compute. */
    struct Candidate
    {
        Preference preference{NO_RANK}; ///< What it has of the compute's patches.
        double load{0};                 ///< Its work.
        bool fits{false};               ///< It stays below the limit.
        Peer rank{0};                   ///< The rank.
    };

    /** Assign ranks to the nonbonded computes. */
    void Balance();

    /** Add all work but that of nonbonded computes, and find the limit. @param state extended */
    void AddFixedWork(Assignment& state) const;

    /** Give ranks without a patch, next to a home, proxies of it. @param state extended */
    void AddIdleHolders(Assignment& state) const;

    /** @return the nonbonded computes: those of two patches first, the heaviest in front. */
    std::vector<uint32_t> GetNonbonded() const;

    /**
     * Assign a rank to a compute.
     * @param state extended by its work and its proxies
     * @param compute the compute
     */
    void Assign(Assignment& state, NamdCompute& compute) const;

    /**
     * Take a rank for a compute if it is better than the best so far.
     * @param state the assignment so far
     * @param compute the compute
     * @param rank the rank
     * @param best the best so far
     */
    void Offer(const Assignment& state,
               const NamdCompute& compute,
               Peer rank,
               Candidate& best) const;

    /**
     * Get the preference of a rank for a compute.
     * @param state the assignment so far
     * @param compute the compute
     * @param rank the rank
     * @return the preference
     */
    Preference GetPreference(const Assignment& state, const NamdCompute& compute, Peer rank) const;

    /** @return the line of the mesh below a position. @param position it @param axis its axis */
    int GetLine(double position, int axis) const;

    /** @return a line inside of the mesh. @param line a line @param axis its axis */
    uint32_t Wrap(int line, int axis) const;

    /** @return the lines of the mesh for each rank. @param axis their axis */
    uint32_t GetThickness(int axis) const;

    /** Create the messages of a rank to PME's slabs. @param source it @param thickness of a slab */
    void MakeCharges(Peer source, uint32_t thickness);

    /** Create the proxies that the computes need. */
    void MakeProxies();

    /** Create PME's slabs and the messages of patches to them. */
    void MakePme();

    /**
     * Get a neighbour of a patch.
     * @param patch the patch
     * @param offset patches along each axis, from -1 to 1
     * @return the neighbour, or NONE beyond a sphere's grid
     */
    uint32_t GetNeighbour(uint32_t patch, const std::array<int, 3>& offset) const;

    /** @return points spread evenly over a patch, in a sphere only those inside. @param patch it */
    std::vector<Point> Sample(const NamdPatch& patch) const;

    /**
     * Measure the interaction of two patches.
     * @param both the patches
     * @param offset from the first to the second, in patches
     * @return the overlap
     */
    Overlap Measure(const std::array<uint32_t, 2>& both, const std::array<int, 3>& offset) const;

    /** @return true if space is periodic. */
    bool IsPeriodic() const
    {
        return m_deck.box[0] > 0;
    }

    NamdDeck m_deck;    ///< The input.
    uint32_t m_ranks;   ///< Ranks.
    double m_radius{0}; ///< Radius of a sphere [Angstrom].
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_WORKLOAD_NAMD_PLAN_H
