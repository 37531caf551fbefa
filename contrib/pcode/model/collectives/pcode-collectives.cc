/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-collectives.h"

namespace ns3
{
namespace pcode
{

using messaging::Peer;

Collectives::Collectives(GlobalProgram& program)
    : Collectives(program, program.GetGroups().Get(TargetGroups::EVERYBODY, messaging::NO_PEER))
{
}

Collectives::Collectives(GlobalProgram& program, const TargetSet& members)
    : m_program(program),
      m_members(members)
{
}

TargetSet
Collectives::Others(Peer peer) const
{
    TargetSet others = m_members;
    others.erase(peer);
    return others;
}

void
Collectives::AllToAllInTurn(uint32_t bytes)
{
    for (const auto peer : m_members)
    {
        OneToAll(peer, bytes);
    }
}

void
Collectives::AllToAllAtOnce(uint32_t bytes)
{
    m_program.Align();
    const std::vector<Peer> members(m_members.begin(), m_members.end());
    for (std::size_t i = 0; i < members.size(); ++i)
    {
        m_program.Multicast(members[i], bytes, Others(members[i]));
        for (std::size_t k = 1; k < members.size(); ++k)
        {
            const Peer source = members[(i + k) % members.size()];
            m_program.Request(members[i], source, Others(source));
        }
    }
    m_program.Align();
}

void
Collectives::Gather(Peer root, uint32_t bytes)
{
    for (const auto peer : Others(root))
    {
        m_program.MatchedMulticast(peer, bytes, TargetSet({root}));
    }
}

void
Collectives::Scatter(Peer root, uint32_t bytes)
{
    for (const auto peer : Others(root))
    {
        m_program.MatchedMulticast(root, bytes, TargetSet({peer}));
    }
}

void
Collectives::Combine(Peer root, uint32_t bytes)
{
    Gather(root, bytes);
    OneToAll(root, bytes);
}

void
Collectives::Barrier()
{
    if (!m_members.empty())
    {
        Combine(*m_members.begin(), 0);
    }
}

} // namespace pcode
} // namespace ns3
