/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-live-scheduler.h"

#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <ctime>
#include <poll.h>
#include <vector>

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(LiveScheduler);

namespace
{

/** @return the events to poll for. @param readable for reading @param writable for writing */
short
GetPollEvents(bool readable, bool writable)
{
    short events = 0;
    if (readable)
    {
        events |= POLLIN;
    }
    if (writable)
    {
        events |= POLLOUT;
    }
    return events;
}

} // namespace

LiveScheduler* LiveScheduler::g_last = nullptr;

TypeId
LiveScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::LiveScheduler")
                            .SetParent<MapScheduler>()
                            .SetGroupName("MessagingLive")
                            .AddConstructor<LiveScheduler>();
    return tid;
}

LiveScheduler::LiveScheduler()
    : m_begin(std::chrono::steady_clock::now())
{
    g_last = this;
}

LiveScheduler::~LiveScheduler()
{
    if (g_last == this)
    {
        g_last = nullptr;
    }
}

LiveScheduler*
LiveScheduler::Install()
{
    ObjectFactory factory;
    factory.SetTypeId(GetTypeId());
    Simulator::SetScheduler(factory);
    return g_last;
}

void
LiveScheduler::Watch(int file, Handler onReadable, Handler onWritable)
{
    m_files[file] =
        Watched{.onReadable = std::move(onReadable), .onWritable = std::move(onWritable)};
}

void
LiveScheduler::SetInterest(int file, bool readable, bool writable)
{
    auto& watched = m_files.at(file);
    watched.readable = readable;
    watched.writable = writable;
}

void
LiveScheduler::Forget(int file)
{
    m_files.erase(file);
}

int64_t
LiveScheduler::GetElapsed() const
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                                m_begin)
        .count();
}

void
LiveScheduler::Call(int file, bool writing)
{
    --m_calls;
    const auto watched = m_files.find(file);
    if (watched == m_files.end())
    {
        return;
    }
    // The handler is copied, as it can forget its file.
    if (const Handler handler = writing ? watched->second.onWritable : watched->second.onReadable)
    {
        handler();
    }
}

void
LiveScheduler::Wait(int64_t until)
{
    constexpr int64_t SECOND = 1000000000;
    const int64_t left = std::clamp<int64_t>(until - GetElapsed(), 0, SECOND);
    const timespec limit{left / SECOND, left % SECOND};
    std::vector<pollfd> polled;
    for (const auto& [file, watched] : m_files)
    {
        const short events = GetPollEvents(watched.readable, watched.writable);
        // poll ignores a negative descriptor.
        polled.push_back(pollfd{events ? file : -1, events, 0});
    }
    if (ppoll(polled.data(), polled.size(), &limit, nullptr) <= 0)
    {
        return;
    }
    // The handlers run as events, so that they can change the files and the schedule; before the
    // next event of the schedule, unless it has waited for too many rounds.
    ++m_rounds;
    int64_t when = GetElapsed();
    if (m_rounds < MOST_ROUNDS)
    {
        when = std::min(when, until - 1);
    }
    const Time delay = NanoSeconds(when) - Simulator::Now();
    for (const auto& ready : polled)
    {
        for (const bool writing : {false, true})
        {
            const int events = writing ? POLLOUT : POLLIN | POLLHUP | POLLERR;
            if (ready.revents & events)
            {
                ++m_calls;
                Simulator::Schedule(std::max(delay, Time(0)),
                                    &LiveScheduler::Call,
                                    this,
                                    ready.fd,
                                    writing);
            }
        }
    }
}

Scheduler::Event
LiveScheduler::RemoveNext()
{
    // Without files, as when Simulator::Destroy removes the remaining events, there is no wait.
    if (m_files.empty())
    {
        return MapScheduler::RemoveNext();
    }
    // While a handler's event is pending, another poll would call it again for the same bytes.
    if (m_calls == 0)
    {
        Wait(static_cast<int64_t>(PeekNext().key.m_ts));
    }
    while (m_calls == 0 && static_cast<int64_t>(PeekNext().key.m_ts) > GetElapsed())
    {
        Wait(static_cast<int64_t>(PeekNext().key.m_ts));
    }
    if (m_calls == 0)
    {
        m_rounds = 0;
    }
    const auto next = MapScheduler::RemoveNext();
    const int64_t late = GetElapsed() - static_cast<int64_t>(next.key.m_ts);
    if (late > LATEST)
    {
        m_begin += std::chrono::nanoseconds(late);
    }
    return next;
}

} // namespace messaging
} // namespace ns3
