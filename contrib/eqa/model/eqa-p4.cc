/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-p4.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <utility>

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

/** Time of MPICH and p4 for a message at each end; with it, a short one takes 125 us [ns]. */
constexpr uint64_t SOFTWARE_TIME = 18840;

} // namespace

TypeId
P4Group::GetTypeId()
{
    static TypeId tid =
        messaging::Attributes<P4Group>(TypeId("ns3::eqa::P4Group")
                                           .SetParent<messaging::CoreEvents>()
                                           .SetGroupName("Eqa")
                                           .AddConstructor<P4Group>())
            .AddAttribute("P4SendTime",
                          "CPU time of MPICH and p4 to send a message, without system calls and "
                          "copies [s; calibrated with one-way latency of ch_p4, 125 us].",
                          &P4Group::m_sendTime,
                          NanoSeconds(SOFTWARE_TIME),
                          Time(0))
            .AddAttribute(
                "P4ReceiveTime",
                "CPU time of MPICH and p4 to receive a message [s; calibrated with one-way "
                "latency of ch_p4, 125 us].",
                &P4Group::m_receiveTime,
                NanoSeconds(SOFTWARE_TIME),
                Time(0));
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
    messaging::CoreEvents::DoDispose();
}

void
P4Group::Connect(Ptr<messaging::SocketGroup> streams,
                 std::vector<Ptr<messaging::HostModel>> hosts,
                 const NetDeviceContainer& devices)
{
    m_streams = streams;
    m_hosts = std::move(hosts);
    m_devices = devices;
    m_processes.resize(m_hosts.size());
    m_streams->SetUser(this);
    m_streams->SetTaken([this](Peer self, Peer to) { OnSegmentSent(self, to); });
}

void
P4Group::Execute(Peer self, std::vector<Work> steps, std::function<void()> done)
{
    Simulator::ScheduleWithContext(
        m_hosts[self]->GetObject<Node>()->GetId(),
        Time(0),
        [host = m_hosts[self], self, steps = std::move(steps), this, done = std::move(done)] {
            host->Execute(self, steps, [this, done] {
                if (m_streams)
                {
                    done();
                }
            });
        });
}

Acceptance
P4Group::Post(Peer self, const Request& request)
{
    if (request.to >= GetNPeers() || request.to == self || (request.flags & HEADER))
    {
        TraceDecline(self, request, Acceptance::REFUSED);
        return Acceptance::REFUSED;
    }
    Process& process = m_processes[self];
    if (process.state != State::IDLE)
    {
        NS_LOG_LOGIC("Process " << self << " has an open call: the post has to wait");
        process.stalled = true;
        TraceDecline(self, request, Acceptance::STALLED);
        return Acceptance::STALLED;
    }
    NS_LOG_INFO("Process " << self << " sends " << request.bytes << " bytes to process "
                           << request.to);
    TracePost(self, request);
    process.state = State::SENDING;
    process.sending = request;
    process.header = true;
    const auto time = static_cast<uint64_t>(m_sendTime.GetNanoSeconds());
    Execute(self,
            {Work{.amount = time, .kind = WorkKind::INSTRUCTIONS},
             Work{.amount = request.bytes, .kind = WorkKind::COPY}},
            [this, self] { Write(self); });
    return Acceptance::ACCEPTED;
}

void
P4Group::Write(Peer self)
{
    Execute(self, {Work{.amount = 1, .kind = WorkKind::SYSTEM_CALL}}, [this, self] {
        Process& process = m_processes[self];
        Request part = process.sending;
        if (process.header)
        {
            NS_LOG_LOGIC("Process " << self << " writes a header to its socket");
            part.id = HEADER_ID;
            part.bytes = 0;
            part.flags = HEADER;
        }
        else
        {
            NS_LOG_LOGIC("Process " << self << " writes the data to its socket");
        }
        process.state = State::WRITING;
        if (m_streams->Post(self, part) != Acceptance::ACCEPTED)
        {
            OnComplete(self, part.id, Completion::FAILED);
        }
    });
}

void
P4Group::OnSegmentSent(Peer self, Peer to)
{
    Process& process = m_processes[self];
    if (process.state == State::WRITING && process.sending.to == to)
    {
        process.state = State::SENDING;
        DynamicCast<messaging::HostNetDevice>(m_devices.Get(self))->AfterSending([this, self] {
            if (m_streams)
            {
                AfterWrite(self);
            }
        });
    }
}

void
P4Group::AfterWrite(Peer self)
{
    // The data follow the header.
    if (std::exchange(m_processes[self].header, false))
    {
        Write(self);
    }
    else
    {
        Return(self);
    }
}

void
P4Group::Return(Peer self)
{
    NS_LOG_INFO("The send of process " << self << " returns");
    m_processes[self].state = State::IDLE;
    if (m_returned)
    {
        m_returned(self);
    }
    Continue(self);
}

void
P4Group::Continue(Peer self)
{
    Process& process = m_processes[self];
    if (process.state != State::IDLE)
    {
        return;
    }
    if (process.unread.empty())
    {
        if (std::exchange(process.stalled, false) && m_user)
        {
            m_user->OnReady(self);
        }
        return;
    }
    process.state = State::READING;
    const Delivery delivery = process.unread.front();
    NS_LOG_INFO("Process " << self << " reads " << delivery.bytes << " bytes of process "
                           << delivery.from);
    process.unread.pop_front();
    // A select, and a read for each part, header and data.
    constexpr uint64_t CALLS = 3;
    const auto time = static_cast<uint64_t>(m_receiveTime.GetNanoSeconds());
    Execute(self,
            {Work{.amount = CALLS, .kind = WorkKind::SYSTEM_CALL},
             Work{.amount = delivery.bytes, .kind = WorkKind::COPY},
             Work{.amount = time, .kind = WorkKind::INSTRUCTIONS}},
            [this, self, delivery] {
                m_processes[self].state = State::IDLE;
                TraceDeliver(self, delivery);
                if (m_user)
                {
                    m_user->OnDeliver(self, delivery);
                }
                Continue(self);
            });
}

void
P4Group::OnDeliver(Peer self, const Delivery& delivery)
{
    if (!(delivery.flags & HEADER))
    {
        m_processes[self].unread.push_back(delivery);
        Continue(self);
    }
}

void
P4Group::OnComplete(Peer self, RequestId id, Completion completion)
{
    if (!m_streams->IsFinal(completion))
    {
        return;
    }
    const bool lost = completion != Completion::DELIVERED;
    if (lost && m_processes[self].state == State::WRITING)
    {
        Return(self);
    }
    if (id == HEADER_ID)
    {
        return;
    }
    // The receiver's stack has acknowledged it; its process may not have read it yet.
    if (!lost)
    {
        completion = Completion::SENT;
    }
    TraceComplete(self, id, completion);
    if (m_user)
    {
        m_user->OnComplete(self, id, completion);
    }
}

} // namespace eqa
} // namespace ns3
