/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_WORKLOAD_NAMD_H
#define MPI_RANKS_WORKLOAD_NAMD_H

#include "ns3/mpi-ranks-workload-namd-plan.h"
#include "ns3/mpi-ranks-workload-namd-start.h"
#include "ns3/mpi-ranks-workload.h"

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * NAMD on ranks: patches, computes and PME, driven by messages.
 */

namespace ns3
{
namespace ranks
{

/**
 * @ingroup mpi-ranks
 * One rank of NAMD: the state of its objects between messages.
 *
 * @verbatim
   home of a patch      rank with a compute        slab               columns

   positions ---------> proxy
                        all patches here:
                        work
   all forces <-------- forces
   charges --------------------------------------> all sources:
                                                   transform -------> all slabs:
                                                                      transform
                                                   all columns: <---- columns
                                                   transform
   all slabs  <----------------------------------- potentials
   all here: integrate, next step
   @endverbatim
 *
 * These messages need no step number: a patch proceeds only when all forces of the step have
 * arrived, so an object never gets messages of its next step before its current step is complete.
 * The tree of reductions is asynchronous, so its messages have a step number.
 */
class NamdRank
{
  public:
    /** Kinds of messages. */
    enum Kind : uint32_t
    {
        POSITIONS,  ///< From a patch to a proxy.
        FORCES,     ///< From a proxy to its patch.
        CHARGES,    ///< From a rank's patches to a slab.
        PLANES,     ///< From a slab to columns.
        COLUMNS,    ///< From columns to a slab.
        POTENTIALS, ///< From a slab to a rank's patches.
        ATOMS,      ///< Atoms that change patches, at the end of a cycle.
        SUMS,       ///< Energies of a time step, up the tree.
        N_KINDS     ///< Number of kinds.
    };

    /** A message. */
    struct Post
    {
        Peer to{0};        ///< Receiver, possibly the rank itself.
        uint32_t bytes{0}; ///< Its length [bytes].
        Kind kind{};       ///< Its kind.
        uint32_t item{0};  ///< Patch of positions and forces, time step of sums.
    };

    /**
     * Constructor.
     * @param plan the decomposition, not owned
     * @param self the rank
     */
    NamdRank(const NamdPlan* plan, Peer self);

    /** Begin a run. @param steps number of time steps */
    void Begin(uint32_t steps);

    /** Handle a message. @param kind its kind @param item its item */
    void Handle(Kind kind, uint32_t item);

    /** @return true if there is pending work. */
    bool HasWork() const
    {
        return m_waiting > 0;
    }

    /** Execute the most urgent work. @return its amount, in the unit of NamdPlan::GetWork */
    double Work();

    /** @return messages to be sent; the caller removes them. */
    std::deque<Post>& GetPosts()
    {
        return m_posts;
    }

    /** @return the time step of the last work. */
    uint32_t GetStep() const
    {
        return m_step;
    }

    /** @return messages of a run from other ranks, as counted by Begin. */
    uint64_t GetExpected() const
    {
        return m_expected;
    }

    /**
     * Count the messages of a time step from other ranks.
     * @param step the time step
     * @return their number
     */
    uint32_t CountExpected(uint32_t step) const;

    /**
     * Set the number of participating children in the tree of reductions. @param children their
     * number
     */
    void SetChildren(uint32_t children)
    {
        m_children = children;
    }

    /** @return true if it takes part in reductions. */
    bool TakesPart() const
    {
        return m_children > 0 || m_perStep > 0;
    }

  private:
    /** Kinds of work, the most urgent first. */
    enum Task : uint32_t
    {
        TRANSFORM,         ///< Transform of a slab's planes.
        TRANSFORM_COLUMNS, ///< Transform of columns.
        TRANSFORM_BACK,    ///< Transform back of a slab's planes.
        SPREAD,            ///< Spreading of the charges of the rank's patches.
        GATHER,            ///< Gathering of the forces on them.
        INTEGRATE,         ///< Integration of a patch.
        COMPUTE_PROXY,     ///< A compute with a proxy.
        COMPUTE_HOME,      ///< A compute without a proxy.
        N_TASKS            ///< Number of kinds.
    };

    /** A patch on the rank, as home or proxy. */
    struct Place
    {
        uint32_t patch{0};               ///< Its number.
        std::vector<uint32_t> computes;  ///< Computes of the rank that need it, by index.
        std::vector<uint32_t> proxies;   ///< Proxies of a home.
        const NamdProxy* proxy{nullptr}; ///< The proxy, if this is one.
        uint32_t step{0};                ///< Its time step.
        uint32_t left{0};                ///< Missing forces.
    };

    /** A compute on the rank. */
    struct Compute
    {
        uint32_t first{0};   ///< Index of its first patch in m_needed.
        uint32_t patches{0}; ///< Number of its patches.
        uint32_t missing{0}; ///< Patches without positions.
        bool away{false};    ///< One of the patches is a proxy.
        double work{0};      ///< Work, in the unit of NamdPlan::GetWork.
    };

    /** @return a patch on the rank. @param patch its number */
    Place& GetPlace(uint32_t patch)
    {
        return *std::ranges::lower_bound(m_places, patch, {}, &Place::patch);
    }

    /** Handle the positions of a patch. @param place the patch */
    void TakePositions(const Place& place);

    /** Handle a force on a patch. @param place the patch */
    void TakeForce(Place& place);

    /** Find the patches of the computes. */
    void LinkComputes();

    /** Publish the positions of patches. @param patches the patches */
    void Publish(const std::vector<uint32_t>& patches);

    /** Continue after the end of a cycle, once all atoms that change patches have arrived. */
    void EndCycle();

    /** Integrate a patch. @param patch the patch */
    void Integrate(uint32_t patch);

    /** Send the blocks of a transpose. @param to their receivers @param kind their kind */
    void Transpose(const std::vector<Peer>& to, Kind kind);

    /** Finish a piece of a time step. @param step the step */
    void Finish(uint32_t step);

    /** Add a piece or a child to a sum, and send complete sums. @param step its step */
    void AddSum(uint32_t step);

    /** Add work. @param task its kind @param item a patch or a compute */
    void Add(Task task, uint32_t item = 0)
    {
        m_tasks[task].push_back(item);
        ++m_waiting;
    }

    const NamdPlan* m_plan;                            ///< The decomposition, not owned.
    Peer m_self;                                       ///< The rank.
    std::vector<Place> m_places;                       ///< Patches on the rank, by number.
    std::vector<uint32_t> m_homes;                     ///< Patches with this rank as home.
    double m_spreading{0};                             ///< Work of spreading or gathering charges.
    std::vector<Compute> m_computes;                   ///< Computes on the rank.
    std::vector<uint32_t> m_needed;                    ///< Patches of all computes: places.
    std::vector<const NamdCharges*> m_sent;            ///< Charges that it sends.
    std::vector<const NamdCharges*> m_taken;           ///< Charges that it receives.
    uint32_t m_slabs{0};                               ///< 1 if it has a slab.
    uint32_t m_columns{0};                             ///< 1 if it has columns.
    uint32_t m_children{0};                            ///< Children in the tree of reductions.
    uint32_t m_perStep{0};                             ///< Pieces of work in each time step.
    std::array<uint32_t, N_KINDS> m_count{};           ///< Received messages, by kind.
    std::array<std::deque<uint32_t>, N_TASKS> m_tasks; ///< Pending work, by kind.
    uint32_t m_waiting{0};                             ///< Number of pending items.
    std::deque<uint32_t> m_sums; ///< Pieces and children of steps, the oldest first.
    uint32_t m_summed{0};        ///< Time step of the oldest.
    uint32_t m_integrated{0};    ///< Patches integrated at the end of a cycle.
    uint32_t m_published{0};     ///< Patches published for PME.
    std::deque<Post> m_posts;    ///< Messages to be sent.
    uint32_t m_step{0};          ///< Time step of the last work.
    uint32_t m_steps{0};         ///< Time steps of the run.
    uint64_t m_expected{0};      ///< Messages of the run.
};

/**
 * @ingroup mpi-ranks
 * NAMD on all ranks. A rank handles all arrivals, then executes the most urgent work with complete
 * input, and waits only without such work, as in Charm++'s scheduler.
 */
class NamdWorkload : public RankWorkload
{
  public:
    /**
     * Constructor.
     * @param name the data set
     * @param config parameters of the generator
     * @param random a uniform variable
     */
    NamdWorkload(DataSetName name, const WorkloadConfig& config, Ptr<UniformRandomVariable> random);

    RankTask<> Main(Rank rank) override;
    double GetMessagesPerStep() const override;

  private:
    NamdPlan m_plan;                ///< The decomposition.
    NamdStart m_startUp;            ///< The start-up.
    std::vector<NamdRank> m_states; ///< All ranks.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_WORKLOAD_NAMD_H
