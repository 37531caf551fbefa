/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_WORKLOAD_NAMD_H
#define MPI_RANKS_WORKLOAD_NAMD_H

#include "ns3/mpi-ranks-workload.h"

#include <array>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * Patches and computes: NAMD's pattern.
 */

namespace ns3
{
namespace ranks
{

/**
 * @ingroup mpi-ranks
 * NAMD's pattern, driven by messages.
 *
 * Each rank is home of a patch of atoms. In a time step it sends the patch's coordinates to half of
 * Burst ranks, whose computes need them; whoever has got Together such messages of a step computes
 * and sends forces: back to their senders or, of the share OneSided, to the homes of other patches.
 * A rank has finished a step when all forces for its patch have come, and goes on to the next; it
 * handles messages in the order in which they arrive, whatever step they belong to. Partners are
 * ranks of other nodes: of the share Persistent always the same ones, otherwise all in turn, so
 * that in the end every rank has talked to all 504. A partner gets Bunch messages of a step, one
 * after the other. Every rank sends and gets the same number of messages.
 */
class NamdWorkload : public RankWorkload
{
  public:
    /**
     * Constructor.
     * @param set what is known
     * @param config what else is asked for
     * @param random a uniform variable
     */
    NamdWorkload(const DataSet& set,
                 const WorkloadConfig& config,
                 Ptr<UniformRandomVariable> random);

    RankTask<> Main(Rank rank) override;
    double GetMessagesPerStep() const override;

  private:
    /** Steps that a rank can be ahead of another one. */
    static constexpr uint32_t AHEAD = 64;

    /** From a rank to its partner: so many nodes and so many cores further on. */
    struct Shift
    {
        uint32_t node{0}; ///< Nodes, never zero.
        uint32_t core{0}; ///< Cores.
    };

    /** What a message is. */
    enum Kind : uint32_t
    {
        COORDINATES, ///< From a patch to a compute.
        FORCES       ///< From a compute to a patch.
    };

    /** What has come for a time step. */
    struct Step
    {
        uint32_t forces{0};              ///< Messages with forces.
        uint32_t coordinates{0};         ///< Messages with coordinates.
        std::vector<RankStatus> waiting; ///< Coordinates whose computation has not begun.
    };

    /** Where a patch is. */
    struct Patch
    {
        std::array<Step, AHEAD> steps; ///< By step modulo AHEAD.
        uint32_t received{0};          ///< Messages of both kinds.
    };

    /**
     * Get a partner.
     * @param self the rank
     * @param step the time step
     * @param slot which of its messages
     * @param kind of what
     * @return the partner
     */
    Peer GetPartner(Peer self, uint32_t step, uint32_t slot, Kind kind) const;

    /** @return the length of a message [bytes]. @param self the sender @param index which one */
    uint32_t GetSize(Peer self, uint32_t index) const
    {
        return m_sizes[(self * m_slots * 2 + index) % m_sizes.size()];
    }

    /** @return whether the forces of a slot go to another patch. @param slot the slot */
    bool IsOneSided(uint32_t slot) const
    {
        const uint32_t bunch = slot / m_config.bunch;
        return static_cast<uint32_t>((bunch + 1) * m_config.oneSided) >
               static_cast<uint32_t>(bunch * m_config.oneSided);
    }

    uint32_t m_slots;                           ///< Messages with coordinates in a step.
    uint32_t m_partners;                        ///< Ranks that get them.
    uint32_t m_fixed;                           ///< Those that stay the same.
    uint32_t m_nodes;                           ///< Nodes.
    std::array<std::vector<Shift>, 2> m_shifts; ///< All, in random order, for each kind.
    std::vector<uint32_t> m_sizes;              ///< Lengths of all messages of a step [bytes].
    std::vector<Patch> m_patches;               ///< One a rank.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_WORKLOAD_NAMD_H
