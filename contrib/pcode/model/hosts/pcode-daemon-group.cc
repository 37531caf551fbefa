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
using messaging::Delivery;
using messaging::MessageGroup;
using messaging::Peer;
using messaging::Request;
using messaging::RequestId;

void
DaemonGroup::DoDispose()
{
    if (m_group)
    {
        m_group->SetUser(nullptr);
    }
    m_group = nullptr;
    MessageGroup::DoDispose();
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
    const Time stack = m_stations[self]->GetCosts().GetIpcCost();
    const bool calls = writer == Process::APPLICATION;
    NS_LOG_INFO("The " << (calls ? "application" : "daemon") << " of node " << self << " writes "
                       << bytes << " bytes to the " << (calls ? "daemon" : "application"));
    m_stations[self]->Continue(
        writer,
        MakeCallWork(1, HEADER + bytes, stack),
        [this, self, calls, bytes, stack, done = std::move(done)] {
            const Process reader = calls ? Process::DAEMON : Process::APPLICATION;
            const auto readMessage = [this, self, reader, bytes, done] {
                if (bytes == 0)
                {
                    done();
                    return;
                }
                m_stations[self]->Continue(reader, MakeCallWork(1, bytes), done);
            };
            m_stations[self]->Wake(reader,
                                   MakeCallWork(1, HEADER, stack),
                                   readMessage,
                                   calls ? Source::LOCAL : Source::BLOCKING);
        });
}

Acceptance
DaemonGroup::Post(Peer self, const Request& request)
{
    Daemon& daemon = m_daemons[self];
    daemon.request = request;
    daemon.open = true;
    daemon.delivered = false;
    Cross(self,
          Process::APPLICATION,
          request.flags == REQUEST_CALL ? 0 : request.bytes,
          [this, self] { Serve(self); });
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
    Cross(self,
          Process::DAEMON,
          daemon.delivered ? daemon.delivery.bytes : 0,
          [this, self, id, completion] { Return(self, id, completion); });
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
        m_user->OnDeliver(self, m_daemons[self].delivery);
    }
    m_user->OnComplete(self, id, completion);
}

} // namespace pcode
} // namespace ns3
