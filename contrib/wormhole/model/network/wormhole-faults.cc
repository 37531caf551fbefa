/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-faults.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-rounding.h"
#include "ns3/messaging-text-file.h"

#include <algorithm>
#include <limits>
#include <set>
#include <sstream>
#include <tuple>

namespace ns3
{
namespace wormhole
{

NS_LOG_COMPONENT_DEFINE("WormholeFaults");
NS_OBJECT_ENSURE_REGISTERED(WormholeFaults);

namespace
{

/** Characters between the words of a plan. */
constexpr const char* SPACES = " \t\n\v\f\r";

/** @return true if a text is a number. @param text the text @param value set to it */
template <class T>
bool
ParseNumber(const std::string& text, T& value)
{
    return messaging::ReadNumber(text, 0, std::numeric_limits<T>::max(), value);
}

/**
 * Name the subject of a change.
 * @param isRouter whether it is a router
 * @param from the router, or the router at one end of a link
 * @param to the router at the other end
 * @return a phrase
 */
std::string
NameOf(bool isRouter, uint32_t from, uint32_t to)
{
    if (isRouter)
    {
        return "router " + std::to_string(from);
    }
    return "the link " + std::to_string(from) + "-" + std::to_string(to);
}

} // namespace

TypeId
WormholeFaults::GetTypeId()
{
    static TypeId tid =
        messaging::Attributes<WormholeFaults>(
            TypeId("ns3::wormhole::WormholeFaults")
                .SetParent<Object>()
                .SetGroupName("Wormhole")
                .AddConstructor<WormholeFaults>()
                .AddTraceSource("Change",
                                "A link or router has failed or been repaired.",
                                MakeTraceSourceAccessor(&WormholeFaults::m_changeTrace),
                                "ns3::wormhole::WormholeFaults::ChangeTracedCallback"))
            .AddAttribute("Failures",
                          "Failures and repairs at given times, of a router or of the links "
                          "between two, as in \"1000 down 5-6; 2000 up 5-6; 3000 down 9\" [cycles; "
                          "fault].",
                          &WormholeFaults::m_plan,
                          "")
            .AddAttribute("LinkFailureRate",
                          "Failures of each link, at random times [1/cycle; fault].",
                          &WormholeFaults::m_linkRate,
                          0,
                          0,
                          1)
            .AddAttribute("RouterFailureRate",
                          "Failures of each router, at random times [1/cycle; fault].",
                          &WormholeFaults::m_routerRate,
                          0,
                          0,
                          1)
            .AddAttribute("RepairTime",
                          "Mean time of a random failure until its repair, 0 for no repair "
                          "[cycles; fault].",
                          &WormholeFaults::m_repairTime,
                          1000,
                          0,
                          1e15);
    return tid;
}

WormholeFaults::WormholeFaults()
    : m_time(CreateObject<ExponentialRandomVariable>()),
      m_choice(CreateObject<UniformRandomVariable>())
{
}

void
WormholeFaults::DoDispose()
{
    if (m_clock)
    {
        m_clock->Unregister(m_user);
    }
    m_port = nullptr;
    m_clock = nullptr;
    Object::DoDispose();
}

int64_t
WormholeFaults::AssignStreams(int64_t stream)
{
    m_time->SetStream(stream);
    m_choice->SetStream(stream + 1);
    return 2;
}

bool
WormholeFaults::IsAny() const
{
    return m_plan.find_first_not_of(std::string(";") + SPACES) != std::string::npos ||
           m_linkRate > 0 || m_routerRate > 0;
}

bool
WormholeFaults::ParseChange(const std::string& entry, Change& change)
{
    std::istringstream words(entry);
    std::string when;
    std::string verb;
    std::string what;
    std::string more;
    words >> when >> verb >> what >> more;
    change.up = verb == "up";
    if (!ParseNumber(when, change.when) || !(change.up || verb == "down") || !more.empty())
    {
        return false;
    }
    const auto dash = what.find('-');
    change.isRouter = dash == std::string::npos;
    if (change.isRouter)
    {
        return ParseNumber(what, change.from);
    }
    return ParseNumber(what.substr(0, dash), change.from) &&
           ParseNumber(what.substr(dash + 1), change.to);
}

std::string
WormholeFaults::Parse(std::vector<Change>& changes) const
{
    std::istringstream in(m_plan);
    for (std::string entry; std::getline(in, entry, ';');)
    {
        if (entry.find_first_not_of(SPACES) == std::string::npos)
        {
            continue;
        }
        Change change;
        if (!ParseChange(entry, change))
        {
            return "Failures has \"" + entry +
                   "\"; each change has to be CYCLE up or down, and a ROUTER or FROM-TO.";
        }
        changes.push_back(change);
    }
    std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
        return a.when < b.when;
    });
    return "";
}

std::vector<Link>
WormholeFaults::FindLinks(const Shape& shape, uint32_t from, uint32_t to)
{
    std::vector<Link> links;
    for (Link link = 0; link < shape.GetNLinks(); ++link)
    {
        const uint32_t origin = shape.GetOrigin(link);
        const uint32_t target = shape.GetTarget(link);
        if ((origin == from && target == to) || (origin == to && target == from))
        {
            links.push_back(link);
        }
    }
    return links;
}

std::string
WormholeFaults::CheckPlan(const Shape& shape, const std::vector<Change>& changes)
{
    const uint32_t nRouters = shape.GetNRouters();
    std::set<std::tuple<bool, uint32_t, uint32_t>> down;
    for (const Change& change : changes)
    {
        const auto [low, high] = std::minmax(change.from, change.to);
        const auto part = std::make_tuple(change.isRouter, low, high);
        const std::string name = NameOf(change.isRouter, change.from, change.to);
        if (change.isRouter && change.from >= nRouters)
        {
            return "Failures names " + name + "; the network has routers 0 to " +
                   std::to_string(nRouters - 1) + ".";
        }
        if (!change.isRouter && FindLinks(shape, change.from, change.to).empty())
        {
            return "Failures names " + name + "; a link has to join two neighbouring routers.";
        }
        const std::string cycle = " in cycle " + std::to_string(change.when);
        if (change.up && down.erase(part) == 0)
        {
            return "Failures has " + name + " repaired" + cycle + ", when it works.";
        }
        if (!change.up && !down.insert(part).second)
        {
            return "Failures has " + name + " fail" + cycle + ", when it is down already.";
        }
    }
    return "";
}

std::string
WormholeFaults::Check(const Shape& shape) const
{
    std::vector<Change> changes;
    std::string error = Parse(changes);
    if (error.empty())
    {
        error = CheckPlan(shape, changes);
    }
    if (error.empty() && m_linkRate == 0 && m_routerRate == 0)
    {
        error =
            messaging::FindIdleAttribute(*this,
                                         {"RepairTime"},
                                         "where LinkFailureRate and RouterFailureRate are both 0");
    }
    return error;
}

void
WormholeFaults::Start(Ptr<WormholePort> port, Ptr<messaging::TickClock> clock)
{
    const std::string error = Check(port->GetShape());
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    m_port = port;
    m_clock = clock;
    m_user = clock->Register(this);
    std::vector<Change> changes;
    Parse(changes);
    for (const Change& change : changes)
    {
        std::vector<uint32_t> numbers{change.from};
        if (!change.isRouter)
        {
            numbers = FindLinks(port->GetShape(), change.from, change.to);
        }
        for (const uint32_t number : numbers)
        {
            Schedule(change.when, change.up ? Event::UP : Event::DOWN, change.isRouter, number);
        }
    }
    port->EnableFaults();
    // The run draws random failures, since streams may still be assigned after this.
    Schedule(clock->Now(), Event::BEGIN);
}

void
WormholeFaults::EndRandomFailures()
{
    m_linkRate = 0;
    m_routerRate = 0;
}

void
WormholeFaults::Schedule(Ticks when, Event event, bool isRouter, uint32_t number)
{
    ++m_nPending;
    // OnTick unpacks the datum.
    m_clock->At(when, m_user, number, static_cast<uint64_t>(event) << 1 | uint64_t{isRouter});
}

double
WormholeFaults::GetRate(bool isRouter) const
{
    return isRouter ? m_routerRate : m_linkRate;
}

uint32_t
WormholeFaults::GetNumber(bool isRouter) const
{
    const Shape& shape = m_port->GetShape();
    return isRouter ? shape.GetNRouters() : shape.GetNLinks();
}

void
WormholeFaults::ScheduleFailure(bool isRouter)
{
    const double rate = GetRate(isRouter);
    if (rate == 0)
    {
        return;
    }
    const double mean = 1 / rate / GetNumber(isRouter);
    Schedule(m_clock->Now() + 1 + messaging::RoundTicks(m_time->GetValue(mean, 0)),
             Event::FAILURE,
             isRouter);
}

void
WormholeFaults::FailAny(bool isRouter)
{
    if (GetRate(isRouter) == 0)
    {
        return;
    }
    const uint32_t number = m_choice->GetInteger(0, GetNumber(isRouter) - 1);
    const bool works = isRouter ? m_port->IsRouterUp(number) : m_port->IsLinkUp(number);
    if (works)
    {
        Apply(isRouter, number, false);
        if (m_repairTime > 0)
        {
            Schedule(m_clock->Now() + 1 + messaging::RoundTicks(m_time->GetValue(m_repairTime, 0)),
                     Event::UP,
                     isRouter,
                     number);
        }
    }
    ScheduleFailure(isRouter);
}

void
WormholeFaults::Apply(bool isRouter, uint32_t number, bool up)
{
    NS_LOG_INFO((isRouter ? "Router " : "Link ") << number << (up ? " is repaired" : " fails"));
    if (!up)
    {
        ++m_nFailures;
    }
    if (isRouter)
    {
        m_port->SetRouterUp(number, up);
    }
    else
    {
        m_port->SetLinkUp(number, up);
    }
    m_changeTrace(isRouter, number, up);
}

void
WormholeFaults::OnTick(messaging::Peer number, uint64_t datum)
{
    --m_nPending;
    const bool isRouter = datum & 1;
    switch (static_cast<Event>(datum >> 1))
    {
    case Event::BEGIN:
        ScheduleFailure(false);
        ScheduleFailure(true);
        break;
    case Event::FAILURE:
        FailAny(isRouter);
        break;
    case Event::DOWN:
        Apply(isRouter, number, false);
        break;
    case Event::UP:
        Apply(isRouter, number, true);
        break;
    }
}

} // namespace wormhole
} // namespace ns3
