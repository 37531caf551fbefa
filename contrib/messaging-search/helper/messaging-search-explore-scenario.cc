/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-search-explore-scenario.h"

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-row-table.h"
#include "ns3/messaging-search-idle-port.h"
#include "ns3/messaging-search-start.h"
#include "ns3/messaging-text-file.h"
#include "ns3/messaging-text.h"
#include "ns3/messaging-tick-clock.h"

#include <algorithm>
#include <ctime>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(ExploreScenario);

namespace
{

/** Longest frame of the network of a search [bytes]. */
constexpr uint32_t MTU = 4096;

/** Upper bound of a limit of faults, exclusive. */
constexpr uint32_t MOST_FAULTS = 1024;

/** Maximum number of messages of a search. */
constexpr uint32_t MOST_MESSAGES = 64;

/** Largest memory limit of a search [GiB]. */
constexpr uint32_t MOST_MEMORY = 1 << 20;

/** Maximum slip if frames may overtake each other [ticks]. */
constexpr Ticks SEARCH_SLIP = 1000;

/** Largest header of a frame of a message [bytes]. */
constexpr double LARGEST_HEADER = 24;

/** Rate of a peer, which sends at most all messages of a search within the slip [bytes a tick]. */
constexpr double SEARCH_RATE = MOST_MESSAGES * LARGEST_HEADER / SEARCH_SLIP;

/**
 * Split a comma-separated list.
 * @param text the list
 * @return its words
 */
std::vector<std::string>
Split(std::string text)
{
    std::replace(text.begin(), text.end(), ',', ' ');
    return SplitWords(text);
}

/**
 * Describe the network of a search.
 * @param options limits of the search
 * @return its properties
 */
PortInfo
Describe(const ExplorerOptions& options)
{
    const bool overtakes = options.reordering || options.paths > 1;
    return PortInfo{.mtu = MTU,
                    .broadcast = true,
                    .ordered = !overtakes,
                    .lossless = options.losses == 0,
                    .rdma = true,
                    .paths = static_cast<uint16_t>(std::max(options.paths, 1U)),
                    .maxSlip = overtakes ? SEARCH_SLIP : 0,
                    .rate = SEARCH_RATE};
}

} // namespace

TypeId
ExploreScenario::GetTypeId()
{
    using S = ExploreScenario;
    static TypeId tid =
        Attributes<S>(
            messaging::SetSummary(TypeId("ns3::messaging::ExploreScenario"),
                                  "All states of a few peers with any protocol under faults.")
                .SetParent<Scenario>()
                .SetGroupName("MessagingSearch")
                .AddConstructor<ExploreScenario>())
            .AddAttribute("Protocol",
                          "Protocol, by name [name; default].",
                          &S::m_protocolName,
                          "idempotent")
            .AddAttribute("Peers", "Number of peers [peers; default].", &S::m_peers, 2, 1, 64)
            .AddAttribute("Messages",
                          "Number of messages from peer 0 to peer 1, or a list such as "
                          "0>1,0>1,1>0, where * means all others [messages; default].",
                          &S::m_messages,
                          "2")
            .AddAttribute("Size", "Size of a message [bytes; default].", &S::m_size, 4, 0, 1U << 26)
            .AddAttribute(
                "Faults",
                "List of loss, duplicate, reorder, mark (frames may arrive with a mark of "
                "congestion), trim (frames may arrive without payload), paths=N (frames on "
                "different ones of N paths may overtake each other), timeout, collide (frames of "
                "different peers collide at a receiver), patient (timers fire only while nothing "
                "is in flight) and none; loss=1 allows at most one loss on a path; timers may fire "
                "at any time without timeout=N and patient [faults; default].",
                &S::m_faults,
                "loss")
            .AddAttribute("MemoryLimit",
                          "Maximum memory of the search; 0 for no limit [GiB; default].",
                          &S::m_memoryLimit,
                          8,
                          0,
                          MOST_MEMORY)
            .In(&S::m_options)
            .AddAttribute("Capacity",
                          "Maximum number of frames in flight from one peer to another; further "
                          "frames are lost, or the port is busy without losses [frames; default].",
                          &ExplorerOptions::capacity,
                          Range{1, 64})
            .AddAttribute("Fair",
                          "Also find cycles that never reach the end although every frame arrives "
                          "and every timer fires [bool; default].",
                          &ExplorerOptions::fair)
            .AddAttribute("States",
                          "Maximum number of states of the search [states; default].",
                          &ExplorerOptions::maxStates,
                          10'000'000,
                          1,
                          4'000'000'000)
            .AddAttribute("Symmetry",
                          "Merge states that differ by names of peers, messages and IDs [bool; "
                          "default].",
                          &ExplorerOptions::symmetry)
            .AddAttribute("Bits",
                          "Mark states in an array of bits, which may omit some [bool; default].",
                          &ExplorerOptions::bits)
            .AddAttribute("Threads",
                          "Number of threads, which does not change the result; 0 for one per "
                          "processor [threads; default].",
                          &ExplorerOptions::threads,
                          0,
                          0,
                          256)
            .AddResult("Outcome",
                       "Outcome: sound, safe (no step is a violation, and ends were not checked), "
                       "violated, stuck, livelock or gave up [-; result].",
                       &S::m_outcome)
            .AddResult("Asked", "Properties that were checked [-; result].", &S::m_asked)
            .AddResult("StatesSeen", "Distinct states [states; result].", &S::m_states)
            .AddResult("Steps", "Steps between them [steps; result].", &S::m_transitions)
            .AddResult("Depth",
                       "Steps from the start to the farthest state [steps; result].",
                       &S::m_depth)
            .AddResult("CoreStates",
                       "Distinct states of single cores [states; result].",
                       &S::m_cores)
            .AddResult("Memory",
                       "Memory of states and steps, without the threads' caches [bytes; result].",
                       &S::m_memory)
            .AddResult("SearchTime",
                       "Processor time of the search in all threads [s; result].",
                       &S::m_seconds)
            .AddResult("Omission",
                       "Probability that a state was omitted because another has the same "
                       "fingerprint or the same bits [probability; result].",
                       &S::m_omission)
            .AddResult("Reused",
                       "A sender has used the number of a message (Frame::id) again for another "
                       "one: the search has passed a wrap of numbers [bool; result].",
                       &S::m_reused);
    return tid;
}

std::vector<Scenario::Part>
ExploreScenario::GetParts() const
{
    return {{"protocol", "Protocol", Protocol::GetTypeId()}};
}

void
ExploreScenario::ReadFaults(Plan& plan) const
{
    auto& options = plan.options;
    options.losses = 0;
    const std::map<std::string, uint32_t*> counts{{"loss", &options.losses},
                                                  {"duplicate", &options.duplicates},
                                                  {"timeout", &options.timeouts},
                                                  {"paths", &options.paths}};
    const std::set<std::string> needNumbers{"timeout", "paths"};
    const std::map<std::string, bool*> flags{{"reorder", &options.reordering},
                                             {"mark", &options.marks},
                                             {"trim", &options.trims},
                                             {"collide", &options.sharedPort},
                                             {"patient", &options.patient}};
    std::set<std::string> seen;
    for (const auto& word : Split(m_faults))
    {
        const auto equals = word.find('=');
        if (!seen.insert(word.substr(0, equals)).second)
        {
            plan.wrong = "Faults has " + word.substr(0, equals) + " twice.";
            return;
        }
        const auto count = counts.find(word.substr(0, equals));
        const auto flag = flags.find(word);
        const bool limits = equals != std::string::npos;
        uint32_t most = UNLIMITED;
        if (flag != flags.end())
        {
            *flag->second = true;
        }
        else if (count != counts.end() &&
                 (limits ? ReadNumber(word.substr(equals + 1), 0, MOST_FAULTS - 1, most)
                         : !needNumbers.contains(word)))
        {
            *count->second = most;
        }
        else if (word != "none")
        {
            plan.wrong =
                "Faults has " + word +
                "; it is a list of loss, loss=N, duplicate, duplicate=N, reorder, mark, trim, "
                "paths=N, collide, patient, timeout=N and none, with N below " +
                std::to_string(MOST_FAULTS) + ".";
        }
    }
}

void
ExploreScenario::ReadMessages(Plan& plan) const
{
    const auto add = [&](Peer from, Peer to) {
        const auto id = static_cast<uint32_t>(plan.requests.size());
        plan.requests.emplace_back(
            from,
            Request{.id = id, .contents = 100 + id, .to = to, .bytes = m_size, .tag = id});
    };
    uint32_t number = 0;
    if (ReadNumber(m_messages, 0, UINT32_MAX, number))
    {
        for (uint32_t i = 0; i < std::min(number, MOST_MESSAGES + 1); ++i)
        {
            add(0, 1);
        }
    }
    else
    {
        for (const auto& word : Split(m_messages))
        {
            const auto arrow = word.find('>');
            const std::string to = arrow == std::string::npos ? "" : word.substr(arrow + 1);
            Peer from = 0;
            Peer receiver = NO_PEER;
            if (!ReadNumber(std::string_view(word).substr(0, arrow), 0, m_peers - 1, from) ||
                (to != "*" && !ReadNumber(to, 0, m_peers - 1, receiver)))
            {
                plan.wrong = "Messages has " + word + "; it is a number, or a list such as " +
                             "0>1,1>0,0>* of peers below " + std::to_string(m_peers) + ".";
                return;
            }
            add(from, receiver);
        }
    }
    if (plan.requests.empty() || plan.requests.size() > MOST_MESSAGES || m_peers < 2)
    {
        plan.wrong = "A search has 1 to " + std::to_string(MOST_MESSAGES) +
                     " messages, between 2 peers or more.";
    }
}

ExploreScenario::Plan
ExploreScenario::MakePlan() const
{
    Plan plan;
    plan.options = m_options;
    plan.options.memory = uint64_t{m_memoryLimit} << 30;
    ReadFaults(plan);
    if (plan.wrong.empty())
    {
        ReadMessages(plan);
    }
    const auto promise = GetPart<Protocol>("protocol")->GetPromise(Describe(plan.options));
    plan.options.ordered = promise.ordered;
    // Each step that reports a message as delivered is checked. So if deliveries are confirmed, a
    // message that is not delivered at the end has ended as failed, as was promised.
    plan.options.delivered = promise.complete || (promise.reported && !promise.confirms);
    return plan;
}

std::string
ExploreScenario::Check() const
{
    const auto protocol = GetPart<Protocol>("protocol");
    if (!protocol)
    {
        return "There is no protocol " + m_protocolName + "; `relnet protocols` lists them.";
    }
    if (protocol->UsesSockets())
    {
        return "The protocol " + m_protocolName + " runs over sockets and has no cores to search.";
    }
    const Plan plan = MakePlan();
    if (!plan.wrong.empty())
    {
        return plan.wrong;
    }
    if (m_options.fair && plan.options.timeouts != UNLIMITED)
    {
        return "Fair needs timers that may fire for ever; leave timeout out of Faults.";
    }
    if (m_options.fair && m_options.bits)
    {
        return "Fair needs all states; leave out Bits.";
    }
    return protocol->Check(Describe(plan.options), m_peers);
}

void
ExploreScenario::DoRun()
{
    Plan plan = MakePlan();
    const auto clock = CreateObject<TickClock>();
    const auto port = ns3::Create<IdlePort>(Describe(plan.options), m_peers);
    const auto protocol = GetPart<Protocol>("protocol");
    const auto group = protocol->Connect(Site{.clock = clock, .port = port});
    SearchStart start = FindSearchStart(*protocol, group);
    if (!start.cores)
    {
        SetVerdict(Verdict::ERROR,
                   "The protocol " + m_protocolName +
                       " provides no cores to search: its class does not derive from Searchable.");
        group->Dispose();
        return;
    }
    if (plan.options.trims && !start.cores->TakesTrimmed())
    {
        SetVerdict(Verdict::ERROR,
                   "The protocol " + m_protocolName +
                       " takes no trimmed frames: for it they are lost, so use loss in Faults.");
        group->Dispose();
        return;
    }
    uint64_t silent = ~uint64_t{0};
    for (const auto& [peer, request] : plan.requests)
    {
        silent &= ~(uint64_t{1} << peer);
    }
    for (auto& [peer, request] : start.starts)
    {
        request.contents = silent;
    }
    plan.options.describe = [group](const Frame& frame) { return group->DescribeFrame(frame); };
    const std::clock_t begin = std::clock();
    const ExplorerResult result = Explore(*start.cores, plan.requests, start.starts, plan.options);
    m_seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    const bool limited = plan.options.timeouts != UNLIMITED;
    const bool asksEnd = !limited && !plan.options.bits;
    if (limited)
    {
        m_asked = "each step; not an end, as timeouts are limited";
    }
    else if (plan.options.bits)
    {
        m_asked = "each step; not an end, as states are marked in bits";
    }
    else if (plan.options.fair)
    {
        m_asked = "each step, an end from each state, cycles without an end";
    }
    else
    {
        m_asked = "each step, an end from each state";
    }
    m_outcome =
        result.verdict == ExplorerVerdict::SOUND && !asksEnd ? "safe" : ToText(result.verdict);
    m_states = result.states;
    m_transitions = result.transitions;
    m_depth = result.depth;
    m_cores = result.cores;
    m_memory = result.memory;
    m_omission = result.omission;
    m_reused = result.reused;
    MakeTables(result);
    switch (result.verdict)
    {
    case ExplorerVerdict::VIOLATED:
        SetVerdict(Verdict::VIOLATED, result.sentence);
        break;
    case ExplorerVerdict::STUCK:
        SetVerdict(Verdict::DEADLOCK, result.sentence);
        break;
    case ExplorerVerdict::LIVELOCK:
        SetVerdict(Verdict::LIVELOCK, result.sentence);
        break;
    case ExplorerVerdict::GAVE_UP:
        SetVerdict(Verdict::UNDECIDED,
                   "The search reached its limit of states or memory after " +
                       std::to_string(m_states) + " states; none of them is a violation.");
        break;
    case ExplorerVerdict::SOUND:
        break;
    }
    group->Dispose();
}

void
ExploreScenario::MakeTables(const ExplorerResult& result)
{
    m_tables.clear();
    if (result.steps.empty())
    {
        return;
    }
    m_tables.emplace_back("Path",
                          RowTable(result.steps)
                              .Add("Event", "", &ExplorerStep::text)
                              .Add("Peer", "", &ExplorerStep::peer)
                              .Add("State", "", &ExplorerStep::state)
                              .Add("Repeats", "", &ExplorerStep::repeats)
                              .Get());
    const auto ended = [](const ExplorerArrow& arrow) {
        return arrow.ended == UNLIMITED ? int64_t{-1} : int64_t{arrow.ended};
    };
    m_tables.emplace_back("Frames",
                          RowTable(result.arrows)
                              .Add("Frame", "", &ExplorerArrow::label)
                              .Add("From", "", &ExplorerArrow::from)
                              .Add("To", "", &ExplorerArrow::to)
                              .Add("Sent", "step", &ExplorerArrow::sent)
                              .Add("Ended", "step", ended)
                              .Add("Arrived", "", &ExplorerArrow::arrived)
                              .Get());
}

} // namespace messaging
} // namespace ns3
