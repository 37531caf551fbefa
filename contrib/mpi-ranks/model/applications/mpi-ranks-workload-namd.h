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
 * The pattern of NAMD: patches and computes.
 */

namespace ns3
{
namespace ranks
{

/**
 * @ingroup mpi-ranks
 * The pattern of NAMD, driven by messages.
 *
 * Each rank is home of a patch of atoms. In a time step it sends the coordinates of the patch to
 * half of Burst ranks, whose computes need them. A rank with Together such messages of a step
 * computes and sends forces: back to their senders or, for the share OneSided, to the homes of
 * other patches. A rank has finished a step when all forces for its patch have arrived, and goes on
 * to the next; it handles messages in the order of arrival, of whatever step. Partners are ranks of
 * other nodes: the share Persistent stays the same, the others are all ranks in turn, so that in
 * the end every rank has exchanged messages with all 504. A partner gets Bunch consecutive messages
 * of a step. Every rank sends and receives the same number of messages.
 */
class NamdWorkload : public RankWorkload
{
  public:
    /**
     * Constructor.
     * @param set the data set
     * @param config parameters of the generator
     * @param random a uniform variable
     */
    NamdWorkload(const DataSet& set,
                 const WorkloadConfig& config,
                 Ptr<UniformRandomVariable> random);

    RankTask<> Main(Rank rank) override;
    double GetMessagesPerStep() const override;

  private:
    /** Largest lead of a rank over another [steps]. */
    static constexpr uint32_t AHEAD = 64;

    /** From a rank to its partner: distance in nodes and in cores. */
    struct Shift
    {
        uint32_t node{0}; ///< Nodes, never zero.
        uint32_t core{0}; ///< Cores.
    };

    /** Kinds of messages. */
    enum Kind : uint32_t
    {
        COORDINATES, ///< From a patch to a compute.
        FORCES       ///< From a compute to a patch.
    };

    /** Arrivals of a time step. */
    struct Step
    {
        uint32_t forces{0};              ///< Messages with forces.
        uint32_t coordinates{0};         ///< Messages with coordinates.
        std::vector<RankStatus> waiting; ///< Coordinates whose computation has not begun.
    };

    /** State of a patch. */
    struct Patch
    {
        std::array<Step, AHEAD> steps; ///< By step modulo AHEAD.
        uint32_t received{0};          ///< Messages of both kinds.
    };

    /**
     * Get a partner.
     * @param self the rank
     * @param step the time step
     * @param slot number of the message
     * @param kind its kind
     * @return the partner
     */
    Peer GetPartner(Peer self, uint32_t step, uint32_t slot, Kind kind) const;

    /** @return length of a message [bytes]. @param self its sender @param index its number */
    uint32_t GetSize(Peer self, uint32_t index) const
    {
        return m_sizes[(self * m_slots * 2 + index) % m_sizes.size()];
    }

    /** @return true if the forces of a slot go to another patch. @param slot the slot */
    bool IsOneSided(uint32_t slot) const
    {
        const uint32_t bunch = slot / m_config.bunch;
        return static_cast<uint32_t>((bunch + 1) * m_config.oneSided) >
               static_cast<uint32_t>(bunch * m_config.oneSided);
    }

    uint32_t m_slots;                           ///< Messages with coordinates in a step.
    uint32_t m_partners;                        ///< Ranks that receive them.
    uint32_t m_fixed;                           ///< Those that stay the same.
    uint32_t m_nodes;                           ///< Nodes.
    std::array<std::vector<Shift>, 2> m_shifts; ///< All, in random order, for each kind.
    std::vector<uint32_t> m_sizes;              ///< Lengths of all messages of a step [bytes].
    std::vector<Patch> m_patches;               ///< One a rank.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_WORKLOAD_NAMD_H
