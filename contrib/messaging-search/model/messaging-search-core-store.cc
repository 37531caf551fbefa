/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-search-core-store.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace messaging
{

Digest
MakeDigest(const std::vector<uint64_t>& words)
{
    Digest digest{0x243f6a8885a308d3, 0x13198a2e03707344};
    for (const auto word : words)
    {
        digest.first = (digest.first ^ word) * 0x9e3779b97f4a7c15;
        digest.first ^= digest.first >> 32;
        digest.second = (digest.second + word) * 0xc2b2ae3d27d4eb4f;
        digest.second ^= digest.second >> 29;
    }
    return digest;
}

CoreStore::~CoreStore() = default;

StepRecorder::StepRecorder(const Setting& setting,
                           Peer self,
                           std::vector<uint32_t> room,
                           const HostState& before,
                           std::ostream* text)
    : HostState(before),
      m_setting(&setting),
      m_room(std::move(room)),
      m_text(text),
      m_self(self)
{
}

bool
StepRecorder::Send(Peer to, const Frame& frame)
{
    std::vector<Peer> receivers{to};
    if (to == NO_PEER)
    {
        receivers.resize(m_room.size());
        std::iota(receivers.begin(), receivers.end(), 0);
        std::erase(receivers, m_self);
    }
    const auto isFull = [this](Peer peer) { return m_room[peer] == 0; };
    if (m_setting->lossless && std::any_of(receivers.begin(), receivers.end(), isFull))
    {
        waiting = true;
        if (m_text)
        {
            *m_text << ", finds its port busy";
        }
        return false;
    }
    for (const Peer peer : receivers)
    {
        if (m_text)
        {
            *m_text << ", sends " << m_setting->describe(frame) << " to peer " << peer
                    << (isFull(peer) ? " (lost)" : "");
        }
        m_room[peer] -= isFull(peer) ? 0 : 1;
        sent.push_back(Sent{frame, peer});
    }
    return true;
}

void
StepRecorder::Arm(TimerId id, Ticks)
{
    std::erase(timers, id);
    timers.insert(std::upper_bound(timers.begin(), timers.end(), id), id);
    touched.emplace_back(id, true);
    if (m_text)
    {
        *m_text << ", arms timer " << id;
    }
}

void
StepRecorder::Cancel(TimerId id)
{
    std::erase(timers, id);
    touched.emplace_back(id, false);
}

void
StepRecorder::Do(const Work& wanted)
{
    work.insert(std::upper_bound(work.begin(), work.end(), wanted.id), wanted.id);
}

void
StepRecorder::Deliver(const Delivery& delivery)
{
    if (m_text)
    {
        *m_text << ", delivers message " << delivery.id << " of peer " << delivery.from;
    }
    const auto& requests = m_setting->requests;
    for (std::size_t i = 0; i < requests.size(); ++i)
    {
        const auto& [from, request] = requests[i];
        if (request.contents != delivery.contents)
        {
            continue;
        }
        const bool meant = request.to == NO_PEER ? from != m_self : request.to == m_self;
        if (!meant || from != delivery.from || request.bytes != delivery.bytes ||
            request.tag != delivery.tag)
        {
            Violate("A message was delivered to the wrong peer, or altered");
        }
        else if (delivered >> i & 1)
        {
            Violate("A message was delivered twice");
        }
        delivered |= uint64_t{1} << i;
        for (std::size_t later = i + 1; m_setting->ordered && later < requests.size(); ++later)
        {
            if (requests[later].first == from && (delivered >> later & 1))
            {
                Violate("A message was delivered after one that was posted later");
            }
        }
        return;
    }
    Violate("A message was delivered that nobody has posted");
}

void
StepRecorder::Complete(RequestId id, Completion completion)
{
    if (m_text)
    {
        *m_text << ", completes request " << id << " as " << completion;
    }
    const auto& requests = m_setting->requests;
    for (std::size_t i = 0; i < requests.size(); ++i)
    {
        const auto& [from, request] = requests[i];
        if (from != m_self || request.id != id || (ended >> i & 1))
        {
            continue;
        }
        if (completion == Completion::SENT && m_setting->confirms)
        {
            if (left >> i & 1)
            {
                Violate("A message was reported as sent twice");
            }
            left |= uint64_t{1} << i;
            return;
        }
        if (completion == Completion::DELIVERED)
        {
            if (request.to == m_self && !(delivered >> i & 1))
            {
                Violate("A message was reported as delivered before it was");
            }
            claimed |= uint64_t{1} << i;
        }
        ended |= uint64_t{1} << i;
        left &= ~ended;
        return;
    }
    Violate("A request was completed that is not pending");
}

bool
StepRecorder::HasSameActions(const StepRecorder& other) const
{
    return static_cast<const HostState&>(*this) == other && sent == other.sent &&
           claimed == other.claimed && violation == other.violation &&
           acceptance == other.acceptance;
}

std::string
StepRecorder::Describe(const CoreEvent& event) const
{
    std::ostringstream os;
    switch (event.kind)
    {
    case EventKind::POST:
        os << "peer " << m_self << " posts request " << event.request->id;
        break;
    case EventKind::DONE:
        os << "work " << event.which << " of peer " << m_self << " is done";
        break;
    case EventKind::READY:
        os << "peer " << m_self << " can send again";
        break;
    case EventKind::TIMEOUT:
        os << "timer " << event.which << " of peer " << m_self << " fires";
        break;
    default:
        os << "peer " << m_self << " receives " << m_setting->describe(*event.frame)
           << " from peer " << event.from;
        break;
    }
    return os.str();
}

void
StepRecorder::Violate(const std::string& sentence)
{
    if (violation.empty())
    {
        violation = sentence + ".";
    }
}

} // namespace messaging
} // namespace ns3
