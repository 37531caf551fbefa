/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-p4.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace eqa
{

NS_LOG_COMPONENT_DEFINE("EqaP4");
NS_OBJECT_ENSURE_REGISTERED(P4Group);

using messaging::Acceptance;
using messaging::Completion;
using messaging::Delivery;
using messaging::Peer;
using messaging::Request;
using messaging::RequestId;
using messaging::Work;
using messaging::WorkKind;

namespace
{

/** Request of a p4 header, whose completion is ignored. */
constexpr RequestId HEADER_ID = ~RequestId{0};

} // namespace

TypeId
P4Group::GetTypeId()
{
    static TypeId tid = [] {
        TypeId type = TypeId("ns3::eqa::P4Group")
                          .SetParent<messaging::MessageGroup>()
                          .SetGroupName("Eqa")
                          .AddConstructor<P4Group>();
        messaging::Attributes<P4Group>(type)
            .AddAttribute("P4SendTime",
                          "CPU time of MPICH and p4 for a message that is sent, without system "
                          "calls and copies [s; calibrated with one-way latency of ch_p4, 125 us].",
                          &P4Group::m_sendTime,
                          NanoSeconds(28200),
                          Time(0))
            .AddAttribute("P4ReceiveTime",
                          "CPU time for a message that is received [s; calibrated with one-way "
                          "latency of ch_p4, 125 us].",
                          &P4Group::m_receiveTime,
                          NanoSeconds(28200),
                          Time(0));
        return type;
    }();
    return tid;
}

void
P4Group::DoDispose()
{
    if (m_streams)
    {
        m_streams->SetUser(nullptr);
    }
    m_streams = nullptr;
    m_hosts.clear();
    m_returned = nullptr;
    messaging::MessageGroup::DoDispose();
}

void
P4Group::Connect(Ptr<messaging::MessageGroup> streams, std::vector<Ptr<messaging::HostModel>> hosts)
{
    m_streams = streams;
    m_hosts = std::move(hosts);
    m_streams->SetUser(this);
}

Acceptance
P4Group::Post(Peer self, const Request& request)
{
    if (request.to >= GetNPeers() || request.to == self || (request.flags & HEADER))
    {
        return Acceptance::REFUSED;
    }
    std::vector<Work> steps;
    steps.push_back(
        Work{0, static_cast<uint64_t>(m_sendTime.GetNanoSeconds()), WorkKind::INSTRUCTIONS});
    steps.push_back(Work{0, request.bytes, WorkKind::COPY});
    steps.push_back(Work{0, 2, WorkKind::SYSTEM_CALL});
    // The work of a process runs in the context of its node, whatever the caller's.
    const auto write = [this, self, request] {
        if (m_streams)
        {
            Write(self, request);
        }
    };
    Simulator::ScheduleWithContext(
        m_hosts[self]->GetObject<Node>()->GetId(),
        Time(0),
        [host = m_hosts[self], self, steps, write] { host->Execute(self, steps, write); });
    return Acceptance::ACCEPTED;
}

void
P4Group::Write(Peer self, const Request& request)
{
    Request header;
    header.id = HEADER_ID;
    header.to = request.to;
    header.flags = HEADER;
    const bool written = m_streams->Post(self, header) == Acceptance::ACCEPTED &&
                         m_streams->Post(self, request) == Acceptance::ACCEPTED;
    if (!written && m_user)
    {
        m_user->OnComplete(self, request.id, Completion::FAILED);
    }
    if (m_returned)
    {
        m_returned(self);
    }
}

void
P4Group::OnDeliver(Peer self, const Delivery& delivery)
{
    if (delivery.flags & HEADER)
    {
        return;
    }
    // A select, and a read for each part.
    std::vector<Work> steps;
    steps.push_back(Work{0, 3, WorkKind::SYSTEM_CALL});
    steps.push_back(Work{0, delivery.bytes, WorkKind::COPY});
    steps.push_back(
        Work{0, static_cast<uint64_t>(m_receiveTime.GetNanoSeconds()), WorkKind::INSTRUCTIONS});
    m_hosts[self]->Execute(self, std::move(steps), [this, self, delivery] {
        if (m_user)
        {
            m_user->OnDeliver(self, delivery);
        }
    });
}

void
P4Group::OnComplete(Peer self, RequestId id, Completion completion)
{
    if (id == HEADER_ID || !m_user)
    {
        return;
    }
    // The other side's stack has acknowledged it; its process need not have read it yet.
    m_user->OnComplete(self,
                       id,
                       completion == Completion::DELIVERED ? Completion::SENT : completion);
}

void
P4Group::OnReady(Peer self)
{
    if (m_user)
    {
        m_user->OnReady(self);
    }
}

} // namespace eqa
} // namespace ns3
