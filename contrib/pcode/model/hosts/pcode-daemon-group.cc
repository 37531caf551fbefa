/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-daemon-group.h"

#include "ns3/log.h"
#include "ns3/pcode-program.h"

#include <utility>

namespace ns3
{
namespace pcode
{

NS_LOG_COMPONENT_DEFINE("PcodeDaemonGroup");

using messaging::Acceptance;
using messaging::Completion;
using messaging::CoreEvents;
using messaging::Delivery;
using messaging::MessageGroup;
using messaging::Peer;
using messaging::Request;
using messaging::RequestId;

namespace
{

/** @return a process's name, for a log line. @param process the process */
const char*
NameProcess(Process process)
{
    if (process == Process::APPLICATION)
    {
        return "application";
    }
    return "daemon";
}

} // namespace

void
DaemonGroup::DoDispose()
{
    if (m_group)
    {
        m_group->SetUser(nullptr);
    }
    m_group = nullptr;
    CoreEvents::DoDispose();
}

void
DaemonGroup::Connect(Ptr<MessageGroup> group, const std::vector<Ptr<Workstation>>& stations)
{
    m_group = group;
    m_stations = stations;
    m_daemons.assign(stations.size(), Daemon{});
    m_group->SetUser(this);
}

void
DaemonGroup::Cross(Peer self, Process writer, uint32_t bytes, Workstation::Done done)
{
    const Time stack = m_stations[self]->GetIpcCost();
    // The daemon selects among its inputs; the application blocks in its call.
    Process reader = Process::DAEMON;
    Source source = Source::LOCAL;
    if (writer == Process::DAEMON)
    {
        reader = Process::APPLICATION;
        source = Source::BLOCKING;
    }
    NS_LOG_INFO("The " << NameProcess(writer) << " of node " << self << " writes " << bytes
                       << " bytes to the " << NameProcess(reader));
    m_stations[self]->Continue(
        writer,
        m_stations[self]->MakeMessageWork(HEADER + bytes, stack),
        [this, self, reader, source, bytes, stack, done = std::move(done)] {
            const auto readMessage = [this, self, reader, bytes, done] {
                if (bytes == 0)
                {
                    done();
                    return;
                }
                m_stations[self]->Continue(reader, m_stations[self]->MakeMessageWork(bytes), done);
            };
            m_stations[self]->Wake(reader, MakeCallWork(1, HEADER, stack), readMessage, source);
        });
}

Acceptance
DaemonGroup::Post(Peer self, const Request& request)
{
    TracePost(self, request);
    Daemon& daemon = m_daemons[self];
    daemon.request = request;
    daemon.open = true;
    daemon.delivered = false;
    uint32_t bytes = 0;
    if (request.flags != REQUEST_CALL)
    {
        bytes = request.bytes;
    }
    Cross(self, Process::APPLICATION, bytes, [this, self] { Serve(self); });
    return Acceptance::ACCEPTED;
}

void
DaemonGroup::Serve(Peer self)
{
    Daemon& daemon = m_daemons[self];
    // A call may return before Post does.
    const Request request = daemon.request;
    NS_LOG_LOGIC("The daemon of node " << self << " serves call " << request.id);
    if (m_group->Post(self, request) != Acceptance::ACCEPTED)
    {
        OnComplete(self, request.id, Completion::FAILED);
    }
}

void
DaemonGroup::OnDeliver(Peer self, const Delivery& delivery)
{
    Daemon& daemon = m_daemons[self];
    if ((!daemon.open || daemon.delivered) && m_user)
    {
        // No open call returns it: deliver it at once, so that the application's check detects it.
        TraceDeliver(self, delivery);
        m_user->OnDeliver(self, delivery);
        return;
    }
    daemon.delivery = delivery;
    daemon.delivered = true;
}

void
DaemonGroup::OnComplete(Peer self, RequestId id, Completion completion)
{
    Daemon& daemon = m_daemons[self];
    daemon.open = false;
    uint32_t bytes = 0;
    if (daemon.delivered)
    {
        bytes = daemon.delivery.bytes;
    }
    Cross(self, Process::DAEMON, bytes, [this, self, id, completion] {
        Return(self, id, completion);
    });
}

void
DaemonGroup::Return(Peer self, RequestId id, Completion completion)
{
    if (!m_user)
    {
        return;
    }
    if (m_daemons[self].delivered)
    {
        TraceDeliver(self, m_daemons[self].delivery);
        m_user->OnDeliver(self, m_daemons[self].delivery);
    }
    TraceComplete(self, id, completion);
    m_user->OnComplete(self, id, completion);
}

} // namespace pcode
} // namespace ns3
