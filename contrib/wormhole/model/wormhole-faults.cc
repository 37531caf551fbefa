/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-faults.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <charconv>
#include <sstream>

namespace ns3
{
namespace wormhole
{

NS_LOG_COMPONENT_DEFINE("WormholeFaults");
NS_OBJECT_ENSURE_REGISTERED(WormholeFaults);

namespace
{

/** Data of the events on the clock. */
enum Event : uint64_t
{
    SCHEDULED,     ///< A change of the schedule; peer is its number.
    LINK_FAILS,    ///< A random link fails.
    ROUTER_FAILS,  ///< A random router fails.
    LINK_REPAIR,   ///< A link is repaired; peer is its number.
    ROUTER_REPAIR, ///< A router is repaired; peer is its number.
};

/**
 * Read a number that is all of a text.
 * @param text the text
 * @param value the number
 * @return whether the text is a number
 */
template <class T>
bool
ParseNumber(const std::string& text, T& value)
{
    const char* const end = text.data() + text.size();
    const auto [at, problem] = std::from_chars(text.data(), end, value);
    return problem == std::errc() && at == end;
}

} // namespace

TypeId
WormholeFaults::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::wormhole::WormholeFaults")
            .SetParent<Object>()
            .SetGroupName("Wormhole")
            .AddConstructor<WormholeFaults>()
            .AddAttribute("Schedule",
                          "Changes at given times, as in \"1000 down 5-6; 2000 up 5-6; 3000 down "
                          "9\" [cycles; "
                          "default].",
                          StringValue(""),
                          MakeStringAccessor(&WormholeFaults::m_schedule),
                          MakeStringChecker())
            .AddAttribute("LinkMtbf",
                          "Mean time between failures of each link, 0 for never [cycles; default].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&WormholeFaults::m_linkMtbf),
                          MakeDoubleChecker<double>(0))
            .AddAttribute(
                "RouterMtbf",
                "Mean time between failures of each router, 0 for never [cycles; default].",
                DoubleValue(0),
                MakeDoubleAccessor(&WormholeFaults::m_routerMtbf),
                MakeDoubleChecker<double>(0))
            .AddAttribute(
                "Mttr",
                "Mean time to repair after a random failure, 0 for never [cycles; default].",
                DoubleValue(0),
                MakeDoubleAccessor(&WormholeFaults::m_mttr),
                MakeDoubleChecker<double>(0))
            .AddAttribute(
                "Until",
                "From when on there are no more random failures, 0 for no end [cycles; default].",
                UintegerValue(0),
                MakeUintegerAccessor(&WormholeFaults::m_until),
                MakeUintegerChecker<uint64_t>())
            .AddTraceSource("Change",
                            "A link or router has failed or been repaired.",
                            MakeTraceSourceAccessor(&WormholeFaults::m_changeTrace),
                            "ns3::wormhole::WormholeFaults::ChangeTracedCallback");
    return tid;
}

WormholeFaults::WormholeFaults()
    : m_time(CreateObject<ExponentialRandomVariable>()),
      m_choice(CreateObject<UniformRandomVariable>())
{
}

WormholeFaults::~WormholeFaults() = default;

void
WormholeFaults::DoDispose()
{
    m_network = nullptr;
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

uint64_t
WormholeFaults::GetNChanges() const
{
    return m_nChanges;
}

std::string
WormholeFaults::Parse(std::vector<Change>& changes) const
{
    std::istringstream in(m_schedule);
    for (std::string entry; std::getline(in, entry, ';');)
    {
        std::istringstream words(entry);
        std::string when;
        std::string verb;
        std::string what;
        std::string more;
        if (!(words >> when))
        {
            continue;
        }
        words >> verb >> what >> more;
        const auto dash = what.find('-');
        Change change;
        change.up = verb == "up";
        change.isRouter = dash == std::string::npos;
        const bool good = ParseNumber(when, change.when) && (change.up || verb == "down") &&
                          more.empty() &&
                          (change.isRouter ? ParseNumber(what, change.from)
                                           : ParseNumber(what.substr(0, dash), change.from) &&
                                                 ParseNumber(what.substr(dash + 1), change.to));
        if (!good)
        {
            return "Schedule has \"" + entry +
                   "\"; each change has to be CYCLE up or down, and a ROUTER or FROM-TO.";
        }
        changes.push_back(change);
    }
    return "";
}

std::vector<Link>
WormholeFaults::FindLinks(const WormholeNetwork& network, uint32_t from, uint32_t to)
{
    const Shape& shape = network.GetShape();
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
WormholeFaults::Check(Ptr<const WormholeNetwork> network) const
{
    std::vector<Change> changes;
    if (const std::string error = Parse(changes); !error.empty())
    {
        return error;
    }
    const uint32_t nRouters = network->GetShape().GetNRouters();
    for (const Change& change : changes)
    {
        if (change.isRouter && change.from >= nRouters)
        {
            return "Schedule names router " + std::to_string(change.from) +
                   "; the network has routers 0 to " + std::to_string(nRouters - 1) + ".";
        }
        if (!change.isRouter && FindLinks(*network, change.from, change.to).empty())
        {
            return "Schedule names a link between routers " + std::to_string(change.from) +
                   " and " + std::to_string(change.to) + "; they have to be neighbours.";
        }
    }
    return "";
}

void
WormholeFaults::Start(Ptr<WormholeNetwork> network, Ptr<messaging::TickClock> clock)
{
    const std::string error = Check(network);
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    m_network = network;
    m_clock = clock;
    m_user = clock->Register(this);
    Parse(m_changes);
    for (uint32_t n = 0; n < m_changes.size(); ++n)
    {
        clock->At(m_changes[n].when, m_user, n, SCHEDULED);
    }
    ScheduleFailure(false);
    ScheduleFailure(true);
}

void
WormholeFaults::ScheduleFailure(bool isRouter)
{
    const double mtbf = isRouter ? m_routerMtbf : m_linkMtbf;
    const Shape& shape = m_network->GetShape();
    if (mtbf == 0)
    {
        return;
    }
    const double mean = mtbf / (isRouter ? shape.GetNRouters() : shape.GetNLinks());
    const Ticks when = m_clock->Now() + 1 + static_cast<Ticks>(m_time->GetValue(mean, 0));
    if (m_until == 0 || when < m_until)
    {
        m_clock->At(when, m_user, 0, isRouter ? ROUTER_FAILS : LINK_FAILS);
    }
}

void
WormholeFaults::Apply(bool isRouter, uint32_t number, bool up)
{
    NS_LOG_INFO((isRouter ? "router " : "link ") << number << (up ? " is repaired" : " fails"));
    ++m_nChanges;
    if (isRouter)
    {
        m_network->SetRouterUp(number, up);
    }
    else
    {
        m_network->SetLinkUp(number, up);
    }
    m_changeTrace(isRouter, number, up);
}

void
WormholeFaults::OnTick(messaging::Peer peer, uint64_t datum)
{
    switch (datum)
    {
    case SCHEDULED: {
        const Change& change = m_changes[peer];
        if (change.isRouter)
        {
            Apply(true, change.from, change.up);
            return;
        }
        for (const Link link : FindLinks(*m_network, change.from, change.to))
        {
            Apply(false, link, change.up);
        }
        return;
    }
    case LINK_REPAIR:
    case ROUTER_REPAIR:
        Apply(datum == ROUTER_REPAIR, peer, true);
        return;
    default:
        break;
    }
    const bool isRouter = datum == ROUTER_FAILS;
    const Shape& shape = m_network->GetShape();
    const uint32_t number =
        m_choice->GetInteger(0, (isRouter ? shape.GetNRouters() : shape.GetNLinks()) - 1);
    const bool works = isRouter ? m_network->IsRouterUp(number) : m_network->IsLinkUp(number);
    if (works)
    {
        Apply(isRouter, number, false);
        if (m_mttr > 0)
        {
            m_clock->At(m_clock->Now() + 1 + static_cast<Ticks>(m_time->GetValue(m_mttr, 0)),
                        m_user,
                        number,
                        isRouter ? ROUTER_REPAIR : LINK_REPAIR);
        }
    }
    ScheduleFailure(isRouter);
}

} // namespace wormhole
} // namespace ns3
