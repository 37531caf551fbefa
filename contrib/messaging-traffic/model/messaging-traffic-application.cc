/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-traffic-application.h"

#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-registry.h"
#include "ns3/messaging-text.h"
#include "ns3/simulator.h"

#include <limits>
#include <string>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingTrafficApplication");
NS_OBJECT_ENSURE_REGISTERED(BenchmarkApplication);

namespace
{

/** Most rounds, each of which has a number of its own. */
constexpr uint64_t MOST_ROUNDS = std::numeric_limits<uint32_t>::max();

/** @return the destination of a message, for a log line. @param to a peer, or NO_PEER */
std::string
DescribeTarget(Peer to)
{
    return to == NO_PEER ? "all peers" : ToText("peer ", to);
}

} // namespace

TypeId
BenchmarkApplication::GetTypeId()
{
    static TypeId tid =
        Attributes<BenchmarkApplication>(TypeId("ns3::messaging::BenchmarkApplication")
                                             .SetParent<Application>()
                                             .SetGroupName("MessagingTraffic"))
            .AddAttribute("Size",
                          "Size of a message [bytes; default].",
                          &BenchmarkApplication::m_size,
                          8,
                          0)
            .AddAttribute("Rounds",
                          "Measured rounds, or messages of a stream [rounds; default].",
                          &BenchmarkApplication::m_rounds,
                          100,
                          1)
            .AddAttribute("Warmup",
                          "Unmeasured rounds before the measured ones [rounds; default].",
                          &BenchmarkApplication::m_warmup,
                          0);
    return tid;
}

std::string
BenchmarkApplication::Check(uint32_t peers) const
{
    if (peers < 2)
    {
        return "The pattern sends messages from one node to others; it needs at least 2 nodes.";
    }
    if (uint64_t{m_warmup} + m_rounds > MOST_ROUNDS)
    {
        return ToText("Rounds and Warmup are ",
                      m_rounds,
                      " and ",
                      m_warmup,
                      "; together they have to be at most ",
                      MOST_ROUNDS,
                      ".");
    }
    return CheckTimes();
}

std::string
BenchmarkApplication::CheckTimes() const
{
    TimeValue start;
    GetAttribute("StartTime", start);
    TimeValue stop;
    GetAttribute("StopTime", stop);
    if (start.Get().IsStrictlyNegative())
    {
        return ToText("StartTime is ", start.Get().GetSeconds(), " s; it has to be 0 or later.");
    }
    if (!stop.Get().IsZero() && stop.Get() <= start.Get())
    {
        return ToText("StopTime is ",
                      stop.Get().GetSeconds(),
                      " s; it has to be later than StartTime, or 0 for no stop.");
    }
    return "";
}

void
BenchmarkApplication::DoDispose()
{
    m_session = nullptr;
    m_endpoint = nullptr;
    m_waiting = {};
    Application::DoDispose();
}

void
BenchmarkApplication::Join(Ptr<BenchmarkSession> session, Ptr<MessageEndpoint> endpoint)
{
    m_session = session;
    m_session->Join();
    m_endpoint = endpoint;
    m_confirms = endpoint->GetGroup()->ConfirmsDelivery();
    m_endpoint->SetDeliverCallback(MakeCallback(&BenchmarkApplication::HandleDelivery, this));
    m_endpoint->SetCompleteCallback(MakeCallback(&BenchmarkApplication::HandleCompletion, this));
    m_endpoint->SetReadyCallback(MakeCallback(&BenchmarkApplication::PostWaiting, this));
}

void
BenchmarkApplication::StartApplication()
{
    [[maybe_unused]] const LogComponent& g_log = GetLog(GetInstanceTypeId(), messaging::g_log);
    NS_LOG_INFO("Peer " << GetSelf() << " begins " << GetNRounds() << " rounds, " << m_warmup
                        << " of them to warm up");
    m_running = true;
    DoBegin();
}

void
BenchmarkApplication::StopApplication()
{
    [[maybe_unused]] const LogComponent& g_log = GetLog(GetInstanceTypeId(), messaging::g_log);
    NS_LOG_INFO("Peer " << GetSelf() << " stops");
    m_running = false;
    m_waiting = {};
    // What it has posted may still arrive, but it waits for nothing.
    MarkEnded();
}

void
BenchmarkApplication::Post(Peer to, uint32_t bytes, uint32_t tag)
{
    if (!m_running)
    {
        return;
    }
    Request request;
    request.id = m_nextId++;
    request.contents = static_cast<uint64_t>(Simulator::Now().GetTimeStep());
    request.to = to;
    request.bytes = bytes;
    request.tag = tag;
    NS_LOG_INFO("Peer " << GetSelf() << " has message " << request.id << " of " << bytes
                        << " bytes for " << DescribeTarget(to) << ", tag " << tag);
    ++m_outstanding;
    m_session->Post(GetSelf());
    m_waiting.Push(request);
    PostWaiting();
}

void
BenchmarkApplication::PostWaiting()
{
    // A protocol can deliver, complete or become ready before Post returns.
    if (m_posting)
    {
        return;
    }
    m_posting = true;
    while (!m_waiting.IsEmpty())
    {
        const Request request = m_waiting.Front();
        const Acceptance acceptance = m_endpoint->Post(request);
        if (acceptance == Acceptance::STALLED)
        {
            NS_LOG_LOGIC("Message " << request.id << " of peer " << GetSelf()
                                    << " waits until the protocol is ready");
            break;
        }
        if (acceptance == Acceptance::REFUSED)
        {
            m_waiting = {};
            m_session->Fail(m_endpoint->GetGroup()->DescribeRefusal(GetSelf(), request));
            break;
        }
        m_waiting.Pop();
    }
    m_posting = false;
}

void
BenchmarkApplication::HandleDelivery(const Delivery& delivery)
{
    NS_LOG_INFO("Peer " << GetSelf() << " gets " << delivery.bytes << " bytes from peer "
                        << delivery.from << ", tag " << delivery.tag);
    m_session->SetDelay(Simulator::Now() - TimeStep(delivery.contents));
    DoReceive(delivery);
    m_session->Settle(delivery.from, 1);
}

void
BenchmarkApplication::HandleCompletion(RequestId id, Completion completion)
{
    if (!m_waiting.IsEmpty())
    {
        // It arrives from memory until the protocol is ready for it.
        __builtin_prefetch(&m_waiting.Front());
    }
    if (completion == Completion::UNREACHABLE || completion == Completion::FAILED)
    {
        --m_outstanding;
        m_session->Fail(ToText("A message of peer ", GetSelf(), " ended as ", completion, "."));
        return;
    }
    DoStage(id, completion);
    if (m_confirms && completion == Completion::SENT)
    {
        return;
    }
    --m_outstanding;
    DoComplete();
}

void
BenchmarkApplication::WatchDeliveries(Peer sender)
{
    m_session->Watch(sender, MakeCallback(&BenchmarkApplication::HandleSettled, this));
}

void
BenchmarkApplication::HandleSettled(uint32_t count)
{
    m_settled += count;
    DoSettle();
}

void
BenchmarkApplication::End()
{
    if (!m_ended)
    {
        NS_LOG_INFO("Peer " << GetSelf() << " has received all its messages");
        MarkEnded();
    }
}

void
BenchmarkApplication::MarkEnded()
{
    if (!m_ended)
    {
        m_ended = true;
        m_session->EndApplication();
    }
}

} // namespace messaging
} // namespace ns3
