/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_WORKLOAD_LAMMPS_H
#define MPI_RANKS_WORKLOAD_LAMMPS_H

#include "ns3/mpi-ranks-workload.h"

#include <array>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * Messages of LAMMPS by spatial decomposition, from its decks and source code.
 */

namespace ns3
{
namespace ranks
{

/** Facts of a deck, of its log and of LAMMPS's records; the documentation has their sources. */
struct LammpsDeck
{
    std::array<double, 3> box;       ///< Sides of the box of 32000 atoms [unit of length].
    uint32_t replicas;               ///< Boxes along each side on 512 ranks.
    double cutoff;                   ///< Cutoff of the ghost atoms, skin included [unit of length].
    double skin;                     ///< Skin of the neighbour lists [unit of length].
    uint32_t delay;                  ///< Time steps until a neighbour list is checked.
    uint32_t every;                  ///< Time steps until a neighbour list is rebuilt.
    uint32_t thermo;                 ///< Time steps between outputs.
    uint32_t thermoSums;             ///< Reductions per output.
    uint32_t sums;                   ///< Reductions per time step.
    uint32_t border;                 ///< Record of a new ghost atom [bytes].
    uint32_t leaving;                ///< Record of an atom that changes its rank [bytes].
    uint32_t density;                ///< Data of the pair potential, in both directions [bytes].
    uint32_t shake;                  ///< Data sent for constraints [bytes].
    std::array<uint32_t, 3> mesh;    ///< PPPM's mesh for 32000 atoms [points]; 0 without PPPM.
    uint32_t broadcasts;             ///< Short broadcasts of the input's lines.
    uint32_t chunks;                 ///< Pieces of 1024 lines of the data file.
    uint32_t restart;                ///< Record of a replicated atom [bytes]; 0 without a file.
    std::array<double, 3> bonds;     ///< Bonds, angles and dihedrals per atom.
    std::array<double, 3> atomTimes; ///< Times of an atom, by LammpsPart [ns].
};

/** Parts of a computation. */
enum LammpsPart : unsigned
{
    TIME_STEP,     ///< Pair forces and integration, in each time step.
    PPPM,          ///< Charges and fields of the mesh, in each time step.
    NEIGHBOUR_LIST ///< Rebuild of the neighbour lists.
};

/**
 * @ingroup mpi-ranks
 * LAMMPS: each rank has a box of a periodic grid, 8 x 8 x 8 on 512 ranks, z fastest. With fewer
 * ranks there are fewer boxes of the same size.
 *
 * The lengths of the messages follow from the geometry. Ghost atoms are those within the cutoff of
 * a box. They are exchanged dimension by dimension; each exchange includes ghosts of earlier
 * dimensions. PPPM sums the ghost cells of its mesh, and transposes the mesh between bricks and
 * three sets of pencils. The program begins with the traffic of the input, of the topology and of
 * the set-up, which MPI's counters include.
 */
class LammpsWorkload : public RankWorkload
{
  public:
    /** First index and end of a range of mesh points. */
    using Range = std::pair<uint32_t, uint32_t>;
    /** Mesh points of a rank. */
    using Block = std::array<Range, 3>;

    /** Transpositions of PPPM's mesh, between bricks and pencils along x, y and z. */
    enum Transposition : unsigned
    {
        BRICKS_TO_X, ///< Charges, before all transforms.
        X_TO_Y,      ///< In each transform.
        Y_TO_Z,      ///< In each transform.
        Z_TO_X,      ///< After the forward transform.
        Z_TO_BRICKS  ///< Fields, after each backward transform.
    };

    /** Messages that move the mesh from one layout to another. */
    struct Remap
    {
        /** Message to a rank. */
        struct Piece
        {
            Peer to;        ///< Receiver.
            uint32_t bytes; ///< Length [bytes].
        };

        std::vector<std::vector<Piece>> sends;   ///< Messages of each rank, in order.
        std::vector<std::vector<Peer>> receives; ///< Sources of each rank.
    };

    /**
     * Constructor.
     * @param name the data set, one of LAMMPS's
     * @param config parameters of the generator
     * @param random a uniform variable
     */
    LammpsWorkload(DataSetName name,
                   const WorkloadConfig& config,
                   Ptr<UniformRandomVariable> random);

    RankTask<> Main(Rank rank) override;
    Ticks GetStepCompute() const override;

    /**
     * Plan a transposition.
     * @param from points of each rank before it
     * @param to points of each rank after it
     * @param bytes length of a point [bytes]
     * @return the messages
     */
    static Remap Plan(const std::vector<Block>& from, const std::vector<Block>& to, uint32_t bytes);

    /**
     * Get the ghost planes of PPPM's mesh.
     * @param dimension the dimension
     * @param place place of a rank in it
     * @param up beyond its upper face
     * @return their number
     */
    uint32_t GetPlanes(unsigned dimension, uint32_t place, bool up) const;

  private:
    /** @return place of a rank. @param self the rank @param dimension the dimension */
    uint32_t GetPlace(Peer self, unsigned dimension) const;

    /** @return a neighbour. @param self a rank @param dimension the dimension @param up direction
     */
    Peer GetNeighbour(Peer self, unsigned dimension, bool up) const;

    /** Plan the transpositions of PPPM's mesh. */
    void PlanMesh();

    /**
     * Get the mesh points of a rank in a dimension.
     * @param self the rank
     * @param dimension the dimension
     * @return first and end
     */
    Range GetOwnPoints(Peer self, unsigned dimension) const;

    /**
     * Count the cells of a layer of ghost planes.
     * @param self the rank that sends or receives them
     * @param dimension dimension of the layer
     * @param planes planes of the layer
     * @return the cells, which include ghosts of the dimensions after it
     */
    uint32_t CountGhostCells(Peer self, unsigned dimension, uint32_t planes) const;

    /**
     * Send to one neighbour and receive from the opposite one.
     * @param rank the rank
     * @param dimension the dimension
     * @param up direction
     * @param bytes length [bytes]
     * @return the program
     */
    RankTask<> Swap(Rank rank, unsigned dimension, bool up, uint32_t bytes);

    /**
     * Send data of ghost atoms to their ranks, or back.
     * @param rank the rank
     * @param bytes record of an atom [bytes]
     * @param reverse back
     * @return the program
     */
    RankTask<> Exchange(Rank rank, uint32_t bytes, bool reverse);

    /**
     * Move atoms to other ranks, and find the ghosts again. @param rank the rank @return program
     */
    RankTask<> Migrate(Rank rank);

    /**
     * Sum the ghost cells of the mesh, or fill them.
     * @param rank the rank
     * @param fill whether to fill them
     * @return the program
     */
    RankTask<> SwapCells(Rank rank, bool fill);

    /** Transpose the mesh. @param rank the rank @param remap the messages @return the program */
    RankTask<> Transpose(Rank rank, const Remap& remap);

    /** PPPM's part of a time step. @param rank the rank @param step its number @return program */
    RankTask<> Solve(Rank rank, uint32_t step);

    /**
     * Circulate a buffer among all ranks.
     * @param rank the rank
     * @param bytes its length [bytes]
     * @return the program
     */
    RankTask<> Ring(Rank rank, double bytes);

    /**
     * Find the bonded partners of atoms.
     * @param rank the rank
     * @param atoms atoms of a rank
     * @return the program
     */
    RankTask<> FindBonded(Rank rank, double atoms);

    /** Input, topology and set-up. @param rank the rank @return the program */
    RankTask<> StartUp(Rank rank);

    /** One time step. @param rank the rank @param step its number @return the program */
    RankTask<> Step(Rank rank, uint32_t step);

    /**
     * @return a part of a step's computation. @param self rank @param step step @param part part
     */
    Ticks GetPart(Peer self, uint32_t step, LammpsPart part) const
    {
        return GetCompute(self, step, m_deck.atomTimes[part] / m_atomTime);
    }

  protected:
    const LammpsDeck& m_deck;            ///< The deck.
    std::array<uint32_t, 3> m_grid{};    ///< Ranks along each side.
    std::array<double, 3> m_sides{};     ///< Sides of a rank's box [unit of length].
    double m_density{0};                 ///< Atoms in a unit of volume.
    double m_atoms{0};                   ///< Atoms of a rank.
    double m_atomTime{0};                ///< Computation of an atom in a mean time step [ns].
    std::array<uint32_t, 3> m_ghosts{};  ///< Ghost atoms of one side.
    std::array<uint32_t, 3> m_leaving{}; ///< Atoms that leave through both sides.
    std::array<uint32_t, 3> m_mesh{};    ///< PPPM's mesh [points].
    std::array<Remap, 5> m_remaps;       ///< PPPM's transpositions, by Transposition.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_WORKLOAD_LAMMPS_H
