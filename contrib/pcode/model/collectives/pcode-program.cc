/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-program.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace ns3
{
namespace pcode
{

using messaging::NO_PEER;
using messaging::Peer;

GlobalProgram::GlobalProgram(uint32_t nNodes, uint32_t maxMessage)
    : m_groups(nNodes),
      m_calls(nNodes),
      m_sent(std::size_t{nNodes} * nNodes),
      m_requested(std::size_t{nNodes} * nNodes),
      m_maxMessage(maxMessage)
{
}

void
GlobalProgram::Append(Peer p, const Call& call)
{
    m_calls[p].push_back(call);
    m_length = std::max<uint64_t>(m_length, m_calls[p].size());
}

void
GlobalProgram::Multicast(Peer p, uint32_t bytes, const TargetSet& targets)
{
    Append(p, Call{0, p, m_groups.Register(p, targets), bytes, CallKind::MULTICAST});
    for (const auto q : targets)
    {
        if (q < GetNNodes())
        {
            m_sent[Pair(p, q)].push_back(static_cast<uint32_t>(m_calls[p].size()));
        }
    }
}

void
GlobalProgram::Request(Peer p, Peer q, const TargetSet& targets)
{
    Call call{0, q, m_groups.Register(q, targets), 0, CallKind::REQUEST};
    if (q < GetNNodes())
    {
        call.contents = m_requested[Pair(q, p)]++;
    }
    Append(p, call);
}

void
GlobalProgram::MatchedMulticast(Peer p, uint32_t bytes, const TargetSet& targets)
{
    Align();
    Multicast(p, bytes, targets);
    for (const auto q : targets)
    {
        if (q != p && q < GetNNodes())
        {
            Request(q, p, targets);
        }
    }
    Align();
}

void
GlobalProgram::Align()
{
    for (auto& calls : m_calls)
    {
        calls.resize(m_length);
    }
}

void
GlobalProgram::SetRounds(uint64_t rounds)
{
    Align();
    m_rounds = rounds;
}

Call
GlobalProgram::GetCall(Peer p, uint64_t i) const
{
    if (i > GetNCalls() || m_length == 0)
    {
        return Call{};
    }
    const uint64_t place = (i - 1) % m_length;
    if (place >= m_calls[p].size())
    {
        return Call{};
    }
    Call call = m_calls[p][place];
    const uint64_t before = i - 1 - place;
    if (call.kind == CallKind::MULTICAST)
    {
        call.contents = MakeContents(p, i);
    }
    else if (call.kind == CallKind::REQUEST)
    {
        const auto ordinal = call.contents;
        call.contents = 0;
        if (call.source < GetNNodes() && ordinal < m_sent[Pair(call.source, p)].size())
        {
            const uint64_t partner = m_sent[Pair(call.source, p)][ordinal];
            call.contents = MakeContents(call.source, before + partner);
            call.bytes = m_calls[call.source][partner - 1].bytes;
        }
    }
    return call;
}

std::string
GlobalProgram::FindFirst(const std::function<std::string(const Call&, Peer, uint64_t)>& check) const
{
    for (uint64_t i = 1; i <= m_length; ++i)
    {
        for (Peer p = 0; p < GetNNodes(); ++p)
        {
            if (const auto why = check(GetCall(p, i), p, i); !why.empty())
            {
                std::ostringstream sentence;
                sentence << "Call " << i << " of node " << p << ", " << Describe(p, i) << ", "
                         << why << ".";
                return sentence.str();
            }
        }
    }
    return "";
}

std::string
GlobalProgram::FindFault(const Call& call, Peer p) const
{
    if (call.kind == CallKind::SKIP)
    {
        return "";
    }
    const TargetSet targets = m_groups.Get(call.group, call.source);
    if (call.source >= GetNNodes() || (!targets.empty() && *targets.rbegin() >= GetNNodes()))
    {
        return "names a node that does not exist; nodes are 0 to " +
               std::to_string(GetNNodes() - 1);
    }
    if (targets.contains(call.source))
    {
        return "has the sender " + std::to_string(call.source) +
               " in its target set; a target set contains others only";
    }
    if (call.kind == CallKind::REQUEST && call.source == p)
    {
        return "requests a message of its own; a request names another node";
    }
    if (call.kind == CallKind::REQUEST && !targets.contains(p))
    {
        return "is made by a node outside of its target set; a request's target set contains the "
               "requester";
    }
    if (call.kind == CallKind::MULTICAST && call.bytes > m_maxMessage)
    {
        return "exceeds the maximum message size of " + std::to_string(m_maxMessage) + " bytes";
    }
    return "";
}

std::string
GlobalProgram::CheckCalls() const
{
    return FindFirst([this](const Call& call, Peer p, uint64_t) { return FindFault(call, p); });
}

bool
GlobalProgram::IsMatched(const Call& call, Peer p, const Call& other, Peer q) const
{
    if (call.kind == CallKind::REQUEST)
    {
        return q != call.source || (other.kind == CallKind::MULTICAST && other.group == call.group);
    }
    if (m_groups.Contains(call.group, p, q))
    {
        return other.kind == CallKind::REQUEST && other.source == p && other.group == call.group;
    }
    return q == p || other.kind == CallKind::SKIP;
}

std::string
GlobalProgram::CheckMatched() const
{
    return FindFirst([this](const Call& call, Peer p, uint64_t i) -> std::string {
        for (Peer q = 0; q < GetNNodes() && call.kind != CallKind::SKIP; ++q)
        {
            if (!IsMatched(call, p, GetCall(q, i), q))
            {
                return "is not matched by call " + std::to_string(i) + " of node " +
                       std::to_string(q) + ", " + Describe(q, i) + " (Assumption 1)";
            }
        }
        return "";
    });
}

std::string
GlobalProgram::Describe(Peer p, uint64_t i) const
{
    const Call call = GetCall(p, i);
    std::ostringstream text;
    text << call.kind;
    if (call.kind == CallKind::MULTICAST)
    {
        text << "(" << call.bytes << " bytes, " << m_groups.Get(call.group, p) << ")";
    }
    else if (call.kind == CallKind::REQUEST)
    {
        text << "(" << call.source << ", " << m_groups.Get(call.group, call.source) << ")";
    }
    return text.str();
}

messaging::Request
MakeRequest(const GlobalProgram& program, const Call& call, messaging::RequestId id)
{
    if (call.kind == CallKind::REQUEST)
    {
        return {.id = id, .to = call.source, .tag = call.group, .flags = REQUEST_CALL};
    }
    return {.id = id,
            .contents = call.contents,
            .to = program.GetGroups().GetSingle(call.group),
            .bytes = call.bytes,
            .tag = call.group};
}

std::ostream&
operator<<(std::ostream& os, CallKind kind)
{
    constexpr std::array NAMES{"skip", "multicast", "request"};
    return os << NAMES[static_cast<std::size_t>(kind)];
}

} // namespace pcode
} // namespace ns3
