/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-program.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <tuple>

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
        auto& requested = m_requested[Pair(q, p)];
        call.contents = requested.size();
        requested.push_back(static_cast<uint32_t>(m_calls[p].size() + 1));
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
    const uint64_t place = m_length == 0 ? 0 : (i - 1) % m_length;
    if (i > GetNCalls() || place >= m_calls[p].size())
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

std::optional<ProgramFault>
GlobalProgram::CheckCalls() const
{
    for (uint64_t i = 1; i <= m_length; ++i)
    {
        for (Peer p = 0; p < GetNNodes(); ++p)
        {
            const Call call = GetCall(p, i);
            if (call.kind == CallKind::SKIP)
            {
                continue;
            }
            std::ostringstream why;
            const TargetSet targets = m_groups.Get(call.group, call.source);
            if (call.source >= GetNNodes() ||
                (!targets.empty() && *targets.rbegin() >= GetNNodes()))
            {
                why << "names a node that does not exist; nodes are 0 to " << GetNNodes() - 1;
            }
            else if (targets.contains(call.source))
            {
                why << "has the sender " << call.source
                    << " in its target set; a target set contains others only";
            }
            else if (call.kind == CallKind::REQUEST && call.source == p)
            {
                why << "requests a message of its own; a request names another node";
            }
            else if (call.kind == CallKind::REQUEST && !targets.contains(p))
            {
                why << "is made by a node outside of its target set; a request's target set "
                       "contains the requester";
            }
            else if (call.kind == CallKind::MULTICAST && call.bytes > m_maxMessage)
            {
                why << "exceeds the maximum message size of " << m_maxMessage << " bytes";
            }
            if (!why.str().empty())
            {
                std::ostringstream sentence;
                sentence << "Call " << i << " of node " << p << ", " << Describe(p, i) << ", "
                         << why.str() << ".";
                return ProgramFault{i, p, sentence.str()};
            }
        }
    }
    return std::nullopt;
}

std::optional<ProgramFault>
GlobalProgram::CheckMatched() const
{
    const auto report = [this](uint64_t i, Peer p, Peer other) {
        std::ostringstream sentence;
        sentence << "Call " << i << " of node " << p << ", " << Describe(p, i)
                 << ", is not matched by call " << i << " of node " << other << ", "
                 << Describe(other, i) << " (Assumption 1).";
        return ProgramFault{i, p, sentence.str()};
    };
    for (uint64_t i = 1; i <= m_length; ++i)
    {
        for (Peer p = 0; p < GetNNodes(); ++p)
        {
            const Call call = GetCall(p, i);
            if (call.kind == CallKind::MULTICAST)
            {
                for (Peer q = 0; q < GetNNodes(); ++q)
                {
                    const Call other = GetCall(q, i);
                    const bool matched = m_groups.Contains(call.group, p, q)
                                             ? other.kind == CallKind::REQUEST &&
                                                   other.source == p && other.group == call.group
                                             : other.kind == CallKind::SKIP;
                    if (q != p && !matched)
                    {
                        return report(i, p, q);
                    }
                }
            }
            else if (call.kind == CallKind::REQUEST)
            {
                const Call other = GetCall(call.source, i);
                if (other.kind != CallKind::MULTICAST || other.group != call.group)
                {
                    return report(i, p, call.source);
                }
            }
        }
    }
    return std::nullopt;
}

std::optional<ProgramFault>
GlobalProgram::CheckPaired() const
{
    std::optional<ProgramFault> first;
    const auto report = [&](Peer p, uint64_t i, Peer other, const char* what) {
        if (first && std::tie(first->index, first->node) <= std::tie(i, p))
        {
            return;
        }
        std::ostringstream sentence;
        sentence << "Call " << i << " of node " << p << ", " << Describe(p, i) << ", " << what
                 << " node " << other << ".";
        first = ProgramFault{i, p, sentence.str()};
    };
    for (Peer p = 0; p < GetNNodes(); ++p)
    {
        for (Peer q = 0; q < GetNNodes(); ++q)
        {
            const auto& sent = m_sent[Pair(p, q)];
            const auto& requested = m_requested[Pair(p, q)];
            for (std::size_t k = 0; k < std::max(sent.size(), requested.size()); ++k)
            {
                if (k >= requested.size())
                {
                    report(p, sent[k], q, "is never requested by");
                    break;
                }
                const Call& request = m_calls[q][requested[k] - 1];
                if (k >= sent.size() || m_calls[p][sent[k] - 1].group != request.group)
                {
                    report(q,
                           requested[k],
                           p,
                           "has no multicast to that set as its counterpart at");
                    break;
                }
            }
        }
    }
    return first;
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
    messaging::Request request;
    request.id = id;
    request.tag = call.group;
    if (call.kind == CallKind::REQUEST)
    {
        request.to = call.source;
        request.flags = REQUEST_CALL;
        return request;
    }
    request.contents = call.contents;
    request.bytes = call.bytes;
    request.to = program.GetGroups().GetSingle(call.group);
    return request;
}

std::ostream&
operator<<(std::ostream& os, CallKind kind)
{
    constexpr std::array NAMES{"skip", "multicast", "request"};
    return os << NAMES[static_cast<std::size_t>(kind)];
}

} // namespace pcode
} // namespace ns3
