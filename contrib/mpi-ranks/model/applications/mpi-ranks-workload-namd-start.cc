/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mpi-ranks-workload-namd-start.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace ranks
{

namespace
{

// Tags, which differ from the kinds of the messages of time steps, since a rank that has begun its
// time steps may send to one that has not.
constexpr uint32_t TREE_TAG = 1000;  ///< Messages of the trees and patches.
constexpr uint32_t PROXY_TAG = 1001; ///< Announcements of proxies.

// Records of the molecule [bytes].
constexpr uint64_t ATOM_RECORD = 24;     ///< An atom.
constexpr uint64_t BOND_RECORD = 12;     ///< A bond.
constexpr uint64_t ANGLE_RECORD = 16;    ///< An angle.
constexpr uint64_t DIHEDRAL_RECORD = 20; ///< A dihedral or an improper.

// Records of the maps [bytes].
constexpr uint32_t MAP = 120;           ///< Sizes and dimensions.
constexpr uint32_t MAP_RANK = 4;        ///< A rank.
constexpr uint32_t MAP_PATCH = 104;     ///< A patch.
constexpr uint32_t MAP_COMPUTE = 48;    ///< A compute.
constexpr uint32_t MAP_DEPENDENCE = 12; ///< A patch of a compute, and the compute of the patch.
constexpr uint32_t PATCH_ATOM = 88;     ///< An atom of a patch that moves to its home.
constexpr uint32_t SHORT_MESSAGE = 104; ///< A message with an envelope and hardly more.
constexpr uint32_t WAVE_MESSAGE = 32;   ///< A message of the detection of quiescence.
constexpr uint32_t PHASES = 9;          ///< Phases of the start-up.
constexpr uint32_t STREAM_PHASE = 1;    ///< The phase with the streams.
constexpr uint32_t MAP_PHASE = 3;       ///< The phase with the maps.
constexpr uint32_t PATCH_PHASE = 5;     ///< The phase with the patches.
constexpr uint32_t PROXY_PHASE = 6;     ///< The phase with the proxies.
constexpr uint32_t WAVES = 2;           ///< Waves that detect quiescence.
constexpr uint32_t MAP_CHILDREN = 2;    ///< Children in the tree of the maps.

/** Ranks that a rank sends to in a tree. */
struct Children
{
    Peer first; ///< The first one.
    Peer end;   ///< The one behind the last.
};

/**
 * @return the children of a rank in a tree.
 * @param rank the rank
 * @param each children of each rank
 */
Children
GetChildren(Rank rank, uint32_t each)
{
    const Peer first = each * rank.GetIndex() + 1;
    return {first, std::min(first + each, rank.GetSize())};
}

/** @return the parent of a rank, not 0. @param rank the rank @param each children of each rank */
Peer
GetParent(Rank rank, uint32_t each)
{
    return (rank.GetIndex() - 1) / each;
}

} // namespace

NamdStart::NamdStart(const NamdDeck& deck, const NamdPlan* plan)
    : m_plan(plan),
      m_molecule(ATOM_RECORD * deck.atoms + BOND_RECORD * deck.bonds + ANGLE_RECORD * deck.angles +
                 DIHEDRAL_RECORD * (uint64_t{deck.dihedrals} + deck.impropers))
{
}

uint32_t
NamdStart::GetMapBytes(uint32_t ranks) const
{
    std::size_t bytes = MAP + MAP_RANK * ranks + MAP_PATCH * m_plan->patches.size();
    for (const NamdCompute& compute : m_plan->computes)
    {
        bytes += compute.bonded ? 0 : MAP_COMPUTE + MAP_DEPENDENCE * compute.patches.size();
    }
    return static_cast<uint32_t>(bytes);
}

RankTask<>
NamdStart::Broadcast(Rank rank, uint32_t bytes, uint32_t times) const
{
    const auto [first, end] = GetChildren(rank, NamdPlan::CHILDREN);
    for (uint32_t i = 0; i < times; ++i)
    {
        if (rank.GetIndex() > 0)
        {
            co_await rank.Recv(GetParent(rank, NamdPlan::CHILDREN), TREE_TAG);
        }
        for (Peer child = first; child < end; ++child)
        {
            rank.Free(co_await rank.Isend(child, bytes, TREE_TAG));
        }
    }
}

RankTask<>
NamdStart::Report(Rank rank) const
{
    const auto [first, end] = GetChildren(rank, NamdPlan::CHILDREN);
    for (Peer child = first; child < end; ++child)
    {
        co_await rank.Recv(child, TREE_TAG);
    }
    if (rank.GetIndex() > 0)
    {
        const Peer parent = GetParent(rank, NamdPlan::CHILDREN);
        rank.Free(co_await rank.Isend(parent, WAVE_MESSAGE, TREE_TAG));
    }
}

RankTask<>
NamdStart::NextPhase(Rank rank) const
{
    for (uint32_t wave = 0; wave < WAVES; ++wave)
    {
        co_await Broadcast(rank, WAVE_MESSAGE);
        co_await Report(rank);
    }
    co_await Broadcast(rank, WAVE_MESSAGE);
    co_await Broadcast(rank, SHORT_MESSAGE);
}

RankTask<>
NamdStart::Stream(Rank rank, uint64_t bytes) const
{
    co_await Broadcast(rank, BUFFER + BUFFER_HEADER, static_cast<uint32_t>(bytes / BUFFER));
    if (const auto rest = static_cast<uint32_t>(bytes % BUFFER); rest > 0)
    {
        co_await Broadcast(rank, rest + BUFFER_HEADER);
    }
}

RankTask<>
NamdStart::SendMaps(Rank rank) const
{
    if (rank.GetIndex() > 0)
    {
        co_await rank.Recv(GetParent(rank, MAP_CHILDREN), TREE_TAG);
    }
    const uint32_t bytes = GetMapBytes(rank.GetSize());
    const auto [first, end] = GetChildren(rank, MAP_CHILDREN);
    for (Peer child = first; child < end; ++child)
    {
        rank.Free(co_await rank.Isend(child, bytes, TREE_TAG));
    }
}

RankTask<>
NamdStart::SendPatches(Rank rank) const
{
    const Peer self = rank.GetIndex();
    for (const NamdPatch& patch : m_plan->patches)
    {
        if (patch.home == 0)
        {
            continue;
        }
        if (self == 0)
        {
            const auto atoms = static_cast<uint32_t>(std::lround(patch.atoms));
            rank.Free(
                co_await rank.Isend(patch.home, SHORT_MESSAGE + PATCH_ATOM * atoms, TREE_TAG));
        }
        else if (patch.home == self)
        {
            co_await rank.Recv(0, TREE_TAG);
        }
    }
}

RankTask<>
NamdStart::RegisterProxies(Rank rank) const
{
    uint32_t known = 0;
    for (const NamdProxy& proxy : m_plan->proxies)
    {
        const Peer home = m_plan->patches[proxy.patch].home;
        known += home == rank.GetIndex();
        if (proxy.rank == rank.GetIndex())
        {
            rank.Free(co_await rank.Isend(home, SHORT_MESSAGE, PROXY_TAG));
        }
    }
    for (uint32_t i = 0; i < known; ++i)
    {
        co_await rank.Recv(ANY_SOURCE, PROXY_TAG);
    }
}

RankTask<>
NamdStart::Main(Rank rank) const
{
    co_await Broadcast(rank, SHORT_MESSAGE, GROUPS);
    for (uint32_t phase = 0; phase + 1 < PHASES; ++phase)
    {
        switch (phase)
        {
        case STREAM_PHASE:
            co_await Stream(rank, SETTINGS);
            co_await Stream(rank, FORCE_FIELD);
            co_await Stream(rank, m_molecule);
            break;
        case MAP_PHASE:
            co_await SendMaps(rank);
            break;
        case PATCH_PHASE:
            co_await SendPatches(rank);
            break;
        case PROXY_PHASE:
            co_await RegisterProxies(rank);
            break;
        default:
            break;
        }
        co_await NextPhase(rank);
    }
    co_await Broadcast(rank, SHORT_MESSAGE);
}

} // namespace ranks
} // namespace ns3
