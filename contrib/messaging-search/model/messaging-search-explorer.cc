/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-search-explorer.h"

#include "messaging-search-fingerprint-set.h"

#include "ns3/abort.h"
#include "ns3/log.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <thread>
#include <tuple>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingSearchExplorer");

std::ostream&
operator<<(std::ostream& os, ExplorerVerdict verdict)
{
    constexpr std::array NAMES{"sound", "violated", "stuck", "livelock", "gave up"};
    return os << NAMES[static_cast<std::size_t>(verdict)];
}

namespace
{

/** Words of a state before its local states: number, counts of faults, number of frames. */
constexpr std::size_t HEAD = 3;

/** Counts of events on a path that may be limited. */
enum Limited : std::size_t
{
    LOSS_COUNT,
    COPY_COUNT,
    TIMEOUT_COUNT
};

/** Bits of these counts in the word of counts, and the lowest bit of each. */
constexpr std::array<unsigned, 3> COUNT_BITS{10, 10, 12};
constexpr std::array<unsigned, 3> COUNT_SHIFTS{0, 10, 20};

/** Maximum number of classes of events for the check of fairness. */
constexpr uint32_t MAX_CLASSES = 64;

/** Class of faults, which no fair cycle contains. */
constexpr uint8_t FAULT_CLASS = 255;

/** Mark of a goal state; 1 marks states from which a goal can be reached. */
constexpr uint8_t WANTED = 2;

/** Canonical fingerprints in a thread's cache, a power of two. */
constexpr std::size_t KNOWN_PRINTS = std::size_t{1} << 16;

/** Size of the bit array if memory is unlimited [bytes]. */
constexpr uint64_t STANDARD_ARRAY = uint64_t{1} << 28;

/** Reasons to give up. */
constexpr const char* TOO_MANY_STATES = "There are more states than were allowed.";
constexpr const char* TOO_MUCH_MEMORY = "The search needs more memory than was allowed.";

/** Class of events if fairness is not checked. */
constexpr uint8_t ANY_CLASS = 254;

/** An event that the local state of a peer enables. */
struct LocalEvent
{
    EventKind kind{EventKind::POST}; ///< Kind.
    uint8_t fairness{ANY_CLASS};     ///< Class.
    uint64_t which{0};               ///< Timer or work.
    const Request* request{nullptr}; ///< Request.
};

/** Local state of a peer: its core, timers, work and requests. */
struct Local : HostState
{
    bool finished{false};               ///< Its requests have ended, and required messages arrived.
    uint32_t early{0};                  ///< Number of events other than timers, which come first.
    CoreStore::CoreId core{0};          ///< Its core.
    Peer peer{0};                       ///< The peer.
    uint64_t hash{0};                   ///< Hash of the local state.
    uint64_t enabled{0};                ///< Classes of its events, a bit each.
    uint64_t requests{0};               ///< Requests that it has posted, a bit each.
    std::vector<LocalEvent> events;     ///< Its events.
    std::vector<Outline::Atom> outline; ///< Core, timers and work, if names are exchanged.
};

/** A frame in flight; equal frames share one record. */
struct Flight
{
    uint64_t hash{0};            ///< Hash of the frame in flight.
    uint32_t frame{0};           ///< Number of the frame.
    uint32_t marked{0};          ///< Number of the frame with MARK_CONGESTION, if it can be marked.
    uint32_t trimmed{0};         ///< Number of the frame with MARK_TRIMMED, if it can be trimmed.
    bool isTrimmable{false};     ///< It can be trimmed.
    uint32_t channel{0};         ///< Channel from sender to receiver.
    Peer from{0};                ///< Sender.
    Peer to{0};                  ///< Receiver.
    uint8_t fairness{ANY_CLASS}; ///< Class of its arrival.
    std::vector<TimerId> blocks; ///< Timers of the receiver that cannot fire before it arrives.
    std::vector<Outline::Atom> outline; ///< Frame and timers, if names are exchanged.
};

/** A step of a peer: an event in a local state, which runs once. */
struct Step
{
    uint32_t next{0};                              ///< Local state after it.
    uint64_t claimed{0};                           ///< Requests reported as delivered, a bit each.
    std::vector<uint32_t> sent;                    ///< Frames sent.
    std::vector<std::pair<TimerId, bool>> touched; ///< Slip timers armed (true) or cancelled.
    std::string violation;                         ///< Its violation; empty for none.
};

/** Key of a step. */
struct StepKey
{
    uint64_t event{0}; ///< Local state and event.
    uint64_t room{0};  ///< Hash of the room in the channels, in a lossless network.

    /** Equality. @return True if equal. */
    bool operator==(const StepKey&) const = default;
};

/** An event of a whole state. */
struct Event
{
    EventKind kind{EventKind::POST}; ///< Kind.
    uint8_t fairness{ANY_CLASS};     ///< Class.
    Peer peer{0};                    ///< Its peer.
    uint32_t which{0};               ///< Index of the local event, or of the frame in flight.
};

/** View of the words in which a state is stored. */
struct View
{
    /**
     * Constructor.
     * @param begin its first word
     * @param peers number of peers
     */
    View(const uint32_t* begin, uint32_t peers)
        : number(begin[0]),
          counts(begin[1]),
          words(begin, HEAD + peers + begin[2]),
          locals(words.subspan(HEAD, peers)),
          flights(words.subspan(HEAD + peers))
    {
    }

    uint32_t number;                   ///< Number of the state.
    uint32_t counts;                   ///< Losses, duplicates and timeouts so far.
    std::span<const uint32_t> words;   ///< All words.
    std::span<const uint32_t> locals;  ///< Local states.
    std::span<const uint32_t> flights; ///< Frames in flight, by channel.
};

/** A hash table of steps: all, or a thread's cache. */
class StepTable
{
  public:
    StepTable()
        : m_entries(std::size_t{1} << 10)
    {
    }

    /** @return the step of a key, or nullptr. @param key the key */
    const Step* Find(const StepKey& key) const
    {
        return m_entries[Locate(key)].step;
    }

    /** Insert a step. @param key its key @param step the step */
    void Insert(const StepKey& key, const Step* step)
    {
        if (++m_size * 2 > m_entries.size())
        {
            std::vector<Entry> old(2 * m_entries.size());
            old.swap(m_entries);
            for (const auto& entry : old)
            {
                if (entry.step)
                {
                    m_entries[Locate(entry.key)] = entry;
                }
            }
        }
        m_entries[Locate(key)] = Entry{key, step};
    }

  private:
    /** A step and its key. */
    struct Entry
    {
        StepKey key;               ///< The key.
        const Step* step{nullptr}; ///< The step.
    };

    /** @return the index of a key, or of the free entry for it. @param key the key */
    std::size_t Locate(const StepKey& key) const
    {
        for (std::size_t hash = Mix(key.event, key.room);; ++hash)
        {
            const std::size_t at = hash & (m_entries.size() - 1);
            if (!m_entries[at].step || m_entries[at].key == key)
            {
                return at;
            }
        }
    }

    std::vector<Entry> m_entries; ///< The table.
    std::size_t m_size{0};        ///< Entries in use.
};

/** Size of a page; only a single longer entry exceeds it [words]. */
constexpr std::size_t PAGE = 4096;

/** States or edges in the order written. */
using Page = std::vector<uint32_t>;

/** Pages, which never move. */
using Pages = std::deque<Page>;

/**
 * Get a page to append to.
 * @param pages the pages
 * @param words number of words to append
 * @return the last page if there is room, or a new one
 */
Page&
OpenPage(Pages& pages, std::size_t words)
{
    if (pages.empty() || pages.back().size() + words > PAGE)
    {
        pages.emplace_back().reserve(std::max(PAGE, words));
    }
    return pages.back();
}

/** A violation found on a level; the search reports the smallest. */
struct Finding
{
    bool isState{false};  ///< The violation is in the state, not in a step from it.
    uint64_t print{0};    ///< Fingerprint of the state.
    uint32_t number{0};   ///< Number of the state.
    uint32_t ordinal{0};  ///< Index of the step among those of the state.
    std::string sentence; ///< The violation, in one sentence.

    /** Order. @param other another @return true if this one comes first */
    bool operator<(const Finding& other) const
    {
        return std::tie(isState, print, ordinal) <
               std::tie(other.isState, other.print, other.ordinal);
    }
};

/** A thread of the search, and the data that only it writes. */
struct Worker
{
    StepTable cache;                ///< Steps that it has used.
    Pages found;                    ///< New states.
    Pages edges;                    ///< Steps between states.
    Page page;                      ///< Current page of states.
    std::size_t at{0};              ///< Position in the page [words].
    std::vector<uint32_t> words;    ///< Successors of a state.
    std::vector<Event> events;      ///< Events of a state.
    std::optional<Finding> finding; ///< First violation found.
    uint64_t transitions{0};        ///< Steps taken.

    /** A successor. */
    struct Next
    {
        std::size_t begin{0}; ///< Index of its first word.
        uint64_t print{0};    ///< Fingerprint; 0 if it equals the state itself.
        uint32_t number{0};   ///< Number.
        uint32_t ordinal{0};  ///< Index of its event.
        uint8_t fairness{0};  ///< Class of its event.
    };

    std::vector<Next> nexts; ///< Successors of a state.

    /** Cache of plain fingerprints with their canonical ones. */
    std::vector<std::pair<uint64_t, uint64_t>> prints;

    Symmetry::Scratch scratch; ///< Working memory for these.

    double omitted{0}; ///< Expected number of states omitted by the bit array.
};

/** A step on a path: the state that it leads to, and its class, or ANY_CLASS. */
struct Hop
{
    uint32_t state;   ///< Number of the state.
    uint8_t fairness; ///< Class of the event.
};

/**
 * Graph of the states other than goals, the steps between them other than faults, and the classes
 * of events that are enabled in them.
 *
 * A cycle is fair if each class that is enabled in all its states is also taken. So a fair cycle
 * exists if and only if, in some strongly connected component, each class is taken by a step of the
 * component or disabled in one of its states.
 */
class FairGraph
{
  public:
    /** @param states number of all states */
    explicit FairGraph(std::size_t states)
        : m_nodes(states),
          m_components(states, 0)
    {
    }

    /**
     * Add a state.
     * @param state its number
     * @param nexts its successors
     * @param extra classes of these steps, and the enabled classes, a bit each
     */
    void Add(uint32_t state, std::span<const uint32_t> nexts, std::span<const uint32_t> extra)
    {
        m_nodes[state] =
            Node{nexts, extra.data(), extra[extra.size() - 2] | uint64_t{extra.back()} << 32};
    }

    /** @return by state, whether it belongs to a component with a fair cycle. */
    std::vector<bool> FindFair()
    {
        FindComponents();
        std::vector<uint64_t> never(m_nComponents + 1, ~uint64_t{0});
        std::vector<uint64_t> taken(m_nComponents + 1, 0);
        for (uint32_t state = 0; state < m_nodes.size(); ++state)
        {
            const uint32_t component = m_components[state];
            never[component] &= m_nodes[state].enabled;
            ForSteps(state, [&](uint32_t, uint8_t fairness) {
                taken[component] |= uint64_t{1} << fairness;
                return false;
            });
        }
        std::vector<bool> fair(m_nodes.size(), false);
        for (uint32_t state = 0; state < m_nodes.size(); ++state)
        {
            const uint32_t component = m_components[state];
            fair[state] = !m_nodes[state].nexts.empty() && taken[component] != 0 &&
                          (never[component] & ~taken[component]) == 0;
        }
        return fair;
    }

    /**
     * Make a fair cycle.
     * @param start a state of a component with a fair cycle
     * @return the steps from the state back to itself
     */
    std::vector<Hop> MakeCycle(uint32_t start) const
    {
        std::vector<Hop> cycle;
        uint32_t at = start;
        uint64_t owed = m_nodes[start].enabled;
        while (owed != 0)
        {
            Walk(at, cycle, [&](uint32_t next, uint8_t fairness) {
                return (owed >> fairness & 1) || (owed & ~m_nodes[next].enabled);
            });
            at = cycle.back().state;
            owed &= m_nodes[at].enabled & ~(uint64_t{1} << cycle.back().fairness);
        }
        if (at != start || cycle.empty())
        {
            Walk(at, cycle, [&](uint32_t next, uint8_t) { return next == start; });
        }
        return cycle;
    }

  private:
    /** A state. */
    struct Node
    {
        std::span<const uint32_t> nexts;  ///< Successors; none for a goal.
        const uint32_t* classes{nullptr}; ///< Classes of the steps.
        uint64_t enabled{0};              ///< Enabled classes, a bit each.
    };

    /**
     * Visit the steps within a component.
     * @param state the state
     * @param visit called with the next state and the class; returns true to stop
     */
    template <class Visit>
    void ForSteps(uint32_t state, Visit&& visit) const
    {
        const Node& node = m_nodes[state];
        for (std::size_t i = 0; i < node.nexts.size(); ++i)
        {
            const auto fairness = static_cast<uint8_t>(node.classes[i]);
            if (fairness != FAULT_CLASS && !m_nodes[node.nexts[i]].nexts.empty() &&
                m_components[node.nexts[i]] == m_components[state] &&
                visit(node.nexts[i], fairness))
            {
                return;
            }
        }
    }

    /**
     * Append a shortest path within a component.
     * @param from the first state
     * @param path receives the steps
     * @param isLast given a step, returns whether it ends the path
     */
    template <class IsLast>
    void Walk(uint32_t from, std::vector<Hop>& path, IsLast&& isLast) const
    {
        std::map<uint32_t, std::pair<uint32_t, uint8_t>> before;
        std::deque<uint32_t> pending{from};
        const auto write = [&](uint32_t state, Hop last) {
            std::vector<Hop> steps{last};
            for (; state != from; state = before[state].first)
            {
                steps.push_back(Hop{state, before[state].second});
            }
            path.insert(path.end(), steps.rbegin(), steps.rend());
        };
        for (bool found = false; !found && !pending.empty(); pending.pop_front())
        {
            const uint32_t state = pending.front();
            ForSteps(state, [&](uint32_t next, uint8_t fairness) {
                found = isLast(next, fairness);
                if (found)
                {
                    write(state, Hop{next, fairness});
                }
                else if (next != from && before.try_emplace(next, state, fairness).second)
                {
                    pending.push_back(next);
                }
                return found;
            });
        }
    }

    /** Find the strongly connected components (Tarjan), each with a number from 1. */
    void FindComponents()
    {
        /** A state on the path from the root. */
        struct Frame
        {
            uint32_t state; ///< The state.
            uint32_t next;  ///< Index of its next step.
        };

        std::vector<uint32_t> order(m_nodes.size(), 0); // By state, its rank of discovery.
        std::vector<uint32_t> lowest(m_nodes.size(), 0);
        std::vector<uint32_t> stack;
        std::vector<Frame> way;
        uint32_t count = 0;
        for (uint32_t root = 0; root < m_nodes.size(); ++root)
        {
            if (m_nodes[root].nexts.empty() || lowest[root] != 0)
            {
                continue;
            }
            way.push_back(Frame{root, 0});
            while (!way.empty())
            {
                const uint32_t state = way.back().state;
                const Node& node = m_nodes[state];
                if (way.back().next == 0)
                {
                    order[state] = lowest[state] = ++count;
                    stack.push_back(state);
                }
                if (way.back().next < node.nexts.size())
                {
                    const uint32_t i = way.back().next++;
                    const uint32_t next = node.nexts[i];
                    if (node.classes[i] == FAULT_CLASS || m_nodes[next].nexts.empty())
                    {
                        continue;
                    }
                    if (lowest[next] == 0)
                    {
                        way.push_back(Frame{next, 0});
                    }
                    else if (m_components[next] == 0)
                    {
                        lowest[state] = std::min(lowest[state], order[next]);
                    }
                    continue;
                }
                way.pop_back();
                if (!way.empty())
                {
                    auto& above = lowest[way.back().state];
                    above = std::min(above, lowest[state]);
                }
                if (lowest[state] == order[state])
                {
                    ++m_nComponents;
                    uint32_t member = 0;
                    do
                    {
                        member = stack.back();
                        stack.pop_back();
                        m_components[member] = m_nComponents;
                    } while (member != state);
                }
            }
        }
    }

    std::vector<Node> m_nodes;          ///< The states.
    std::vector<uint32_t> m_components; ///< By state, its component.
    uint32_t m_nComponents{0};          ///< Number of components.
};

/** A search. */
class Search
{
  public:
    /**
     * Constructor.
     * @param cores the cores
     * @param requests messages with their senders
     * @param options limits
     */
    Search(CoreStore& cores,
           const std::vector<std::pair<Peer, Request>>& requests,
           const ExplorerOptions& options)
        : m_options(options),
          m_store(cores),
          m_peers(cores.GetNPeers()),
          m_limits{options.losses, options.duplicates, options.timeouts},
          m_script(m_peers),
          m_symmetry(requests, m_peers, !options.ordered)
    {
        NS_ABORT_MSG_IF(m_peers == 0 || m_peers > 64, "A search has 1 to 64 peers.");
        NS_ABORT_MSG_IF(requests.size() > 64, "A search has 64 requests at most.");
        m_setting.requests = requests;
        m_setting.lossless = options.losses == 0;
        m_setting.ordered = options.ordered;
        m_setting.describe = options.describe;
        m_setting.confirms = cores.ConfirmsDelivery();
        for (std::size_t i = 0; i < m_limits.size(); ++i)
        {
            NS_ABORT_MSG_IF(m_limits[i] != UNLIMITED && m_limits[i] >> COUNT_BITS[i] != 0,
                            "A limit of a search is below " << (1U << COUNT_BITS[i])
                                                            << ", or UNLIMITED.");
        }
        for (uint32_t i = 0; i < requests.size(); ++i)
        {
            m_script[requests[i].first].push_back(i);
        }
        m_symmetric = options.symmetry && !options.fair && m_store.IsSymmetric();
        m_slip = m_options.reordering && m_store.HasSlipTimers();
        m_sorted = m_options.reordering && !m_slip;
        const uint32_t threads = options.threads > 0
                                     ? options.threads
                                     : std::max(1U, std::thread::hardware_concurrency());
        m_workers = std::vector<Worker>(threads);
        m_residentBefore = m_options.memory != 0 ? GetResidentMemory() : 0;
        if (m_options.bits)
        {
            // The other half of the memory is for the frontier.
            m_bits = std::make_unique<BitArray>(m_options.memory != 0 ? m_options.memory / 2
                                                                      : STANDARD_ARRAY);
            m_trail = std::make_unique<DiskArray>();
            m_options.stuck = m_options.fair = false;
        }
    }

    /**
     * Search.
     * @param starts requests accepted before the search
     * @return the outcome
     */
    ExplorerResult Run(const std::vector<std::pair<Peer, Request>>& starts)
    {
        MakeInitial(starts);
        Visit();
        ExplorerResult result;
        std::vector<Hop> path;
        bool breaks = false;
        std::size_t loop = std::numeric_limits<std::size_t>::max();
        std::optional<Finding> finding;
        for (const auto& worker : m_workers)
        {
            result.transitions += worker.transitions;
            if (worker.finding && (!finding || *worker.finding < *finding))
            {
                finding = worker.finding;
            }
        }
        if (const std::string conflict = m_store.GetConflict(); !conflict.empty())
        {
            result.verdict = ExplorerVerdict::VIOLATED;
            result.sentence = conflict;
        }
        else if (finding)
        {
            result.verdict = ExplorerVerdict::VIOLATED;
            result.sentence = finding->sentence;
            path = m_bits ? GetTrail(finding->number) : GetPath(finding->print);
            breaks = !finding->isState;
        }
        else if (const auto stuck = m_options.stuck ? FindStuck() : 0; stuck != 0)
        {
            result.verdict = ExplorerVerdict::STUCK;
            result.sentence = "From here, the requests can no longer all be completed.";
            path = GetPath(stuck);
        }
        else if (const char* exceeded = m_gaveUp)
        {
            result.verdict = ExplorerVerdict::GAVE_UP;
            result.sentence = exceeded;
        }
        else if (m_options.fair && m_classes.size() > MAX_CLASSES)
        {
            result.verdict = ExplorerVerdict::GAVE_UP;
            result.sentence = "There are too many timers and channels for a check of fairness.";
        }
        else if (m_options.fair)
        {
            path = FindCycle(loop);
            if (!path.empty())
            {
                result.verdict = ExplorerVerdict::LIVELOCK;
                result.sentence = "The next steps may repeat for ever, although every frame in "
                                  "flight arrives and every armed timer fires.";
            }
        }
        if (!path.empty() || breaks)
        {
            Replay(path, breaks, loop, result);
        }
        result.states = GetNStates();
        result.depth = m_levels.size() - 2;
        result.cores = m_store.GetNCores();
        result.memory = m_memory;
        const auto n = static_cast<double>(result.states);
        double omitted = n * n / std::ldexp(1.0, 65);
        for (const auto& worker : m_workers)
        {
            omitted += worker.omitted;
        }
        result.omission = -std::expm1(-omitted);
        result.reasons = m_reasons;
        result.reused = HasReusedNumbers();
        return result;
    }

  private:
    /** @return whether two different messages of a channel had the same Frame::id. */
    bool HasReusedNumbers() const
    {
        std::set<uint64_t> posted;
        for (const auto& [peer, request] : m_setting.requests)
        {
            posted.insert(request.contents);
        }
        std::map<std::tuple<uint64_t, uint8_t, uint64_t>, uint64_t> messages;
        for (const auto& [words, number] : m_frameIds)
        {
            const Frame& frame = m_frames[number];
            if (posted.contains(frame.contents))
            {
                const auto key = std::make_tuple(words.front(), frame.kind, frame.id);
                const auto [place, isNew] = messages.try_emplace(key, frame.contents);
                if (!isNew && place->second != frame.contents)
                {
                    return true;
                }
            }
        }
        return false;
    }

    /** @return a view of a state. @param words its words */
    View Look(const uint32_t* words) const
    {
        return View(words, m_peers);
    }

    /**
     * Get the class of a kind of events, if fairness is checked. Needs the lock.
     * @param kind the kind
     * @param peer its peer
     * @param which timer, work or frame
     * @return the class, or ANY_CLASS
     */
    uint8_t GetClass(EventKind kind, Peer peer, uint64_t which)
    {
        if (!m_options.fair)
        {
            return ANY_CLASS;
        }
        const auto next =
            static_cast<uint8_t>(std::min<std::size_t>(m_classes.size(), MAX_CLASSES));
        return m_classes.try_emplace({kind, peer, which}, next).first->second;
    }

    /**
     * Store a local state. Needs the lock.
     * @param peer the peer
     * @param core its core
     * @param host timers, work and requests
     * @return its number
     */
    uint32_t KeepLocal(Peer peer, CoreStore::CoreId core, const HostState& host)
    {
        const uint32_t posted = host.posted;
        const Digest digest = m_store.GetDigest(core);
        std::vector<uint64_t> words{digest.first, digest.second};
        words.push_back(host.timers.size());
        words.insert(words.end(), host.timers.begin(), host.timers.end());
        words.push_back(host.work.size());
        words.insert(words.end(), host.work.begin(), host.work.end());
        words.insert(words.end(),
                     {posted, host.waiting ? 1U : 0U, host.delivered, host.ended, host.left});
        const Digest key = MakeDigest(words);
        const auto [place, isNew] =
            m_localIds.try_emplace({peer, key}, static_cast<uint32_t>(m_localIds.size()));
        if (!isNew)
        {
            return place->second;
        }
        Local& local = m_locals.Make(place->second);
        static_cast<HostState&>(local) = host;
        local.hash = Mix(key.first, key.second);
        local.core = core;
        local.peer = peer;
        for (uint32_t i = 0; i < posted; ++i)
        {
            local.requests |= uint64_t{1} << m_script[peer][i];
        }
        if (m_symmetric)
        {
            Outline outline(m_symmetry);
            m_store.Draw(core, host, outline);
            local.outline = outline.Take();
        }
        const auto add = [&](EventKind kind, uint64_t which, const Request* request = nullptr) {
            local.events.push_back(LocalEvent{kind, GetClass(kind, peer, which), which, request});
            if (kind != EventKind::TIMEOUT)
            {
                ++local.early;
                local.enabled |= uint64_t{1} << (local.events.back().fairness % MAX_CLASSES);
            }
        };
        if (posted < m_script[peer].size())
        {
            add(EventKind::POST, 0, &m_setting.requests[m_script[peer][posted]].second);
        }
        for (const auto work : local.work)
        {
            add(EventKind::DONE, work);
        }
        if (local.waiting)
        {
            add(EventKind::READY, 0);
        }
        for (const auto timer : local.timers)
        {
            add(EventKind::TIMEOUT, timer);
        }
        local.finished = posted == m_script[peer].size();
        for (uint32_t i = 0; i < m_setting.requests.size(); ++i)
        {
            const auto& [from, request] = m_setting.requests[i];
            const bool isMine = from == peer;
            const bool isForMe = request.to == NO_PEER ? !isMine : request.to == peer;
            local.finished &= !isMine || (local.ended >> i & 1);
            local.finished &= !isForMe || !m_options.delivered || (local.delivered >> i & 1);
        }
        return place->second;
    }

    /**
     * Get a frame and its channel as words.
     * @param frame the frame
     * @param from sender
     * @param to receiver
     * @return the words
     */
    static std::vector<uint64_t> GetFrameWords(const Frame& frame, Peer from, Peer to)
    {
        std::vector<uint64_t> words{(uint64_t{from} << 32) | to,
                                    frame.id,
                                    frame.contents,
                                    (uint64_t{frame.path} << 48) | (uint64_t{frame.marks} << 40) |
                                        (uint64_t{frame.trafficClass} << 32) | frame.payload,
                                    (uint64_t{frame.aux} << 32) | (uint64_t{frame.header} << 16) |
                                        (uint64_t{frame.kind} << 8) | frame.flags,
                                    frame.words.size()};
        words.insert(words.end(), frame.words.begin(), frame.words.end());
        return words;
    }

    /**
     * Store a frame. Needs the lock.
     * @param words the frame and its channel as words
     * @param frame the frame
     * @return its number
     */
    uint32_t KeepFrame(const std::vector<uint64_t>& words, const Frame& frame)
    {
        const auto known = m_frameIds.try_emplace(words, static_cast<uint32_t>(m_frames.size()));
        if (known.second)
        {
            m_frames.push_back(frame);
        }
        return known.first->second;
    }

    /**
     * Get the frame that arrives in an event.
     * @param flight the frame in flight
     * @param kind kind of the event
     * @return the number of the frame
     */
    static uint32_t GetArrival(const Flight& flight, EventKind kind)
    {
        if (kind == EventKind::TRIM)
        {
            return flight.trimmed;
        }
        return kind == EventKind::MARK ? flight.marked : flight.frame;
    }

    /**
     * Check whether a frame arrives in an event, and no copy of it stays in flight.
     * @param kind kind of the event
     * @return true if it does
     */
    static bool Arrives(EventKind kind)
    {
        return kind == EventKind::DELIVER || kind == EventKind::MARK || kind == EventKind::TRIM;
    }

    /**
     * Check whether an event takes its frame out of the network.
     * @param kind kind of the event
     * @return true if it does
     */
    static bool TakesFrame(EventKind kind)
    {
        return Arrives(kind) || kind == EventKind::LOSE;
    }

    /**
     * Store a frame in flight. Needs the lock.
     * @param frame the frame
     * @param from sender
     * @param to receiver
     * @param blocks timers that wait for it, sorted
     * @return its number
     */
    uint32_t KeepFlight(const Frame& frame, Peer from, Peer to, const std::vector<TimerId>& blocks)
    {
        std::vector<uint64_t> words = GetFrameWords(frame, from, to);
        const uint32_t known = KeepFrame(words, frame);
        words.insert(words.end(), blocks.begin(), blocks.end());
        const auto [place, isNew] =
            m_flightIds.try_emplace(words, static_cast<uint32_t>(m_flightIds.size()));
        if (isNew)
        {
            Flight& flight = m_flights.Make(place->second);
            const Digest digest = MakeDigest(words);
            flight.hash = Mix(digest.first, digest.second);
            flight.frame = known;
            if (m_options.marks)
            {
                Frame marked = frame;
                marked.marks |= MARK_CONGESTION;
                flight.marked = KeepFrame(GetFrameWords(marked, from, to), marked);
            }
            if (m_options.trims && m_store.TakesTrimmed() && frame.payload > 0)
            {
                Frame trimmed = frame;
                trimmed.marks |= MARK_TRIMMED;
                trimmed.contents = 0;
                flight.trimmed = KeepFrame(GetFrameWords(trimmed, from, to), trimmed);
                flight.isTrimmable = true;
            }
            flight.channel = from * m_peers + to;
            flight.from = from;
            flight.to = to;
            flight.blocks = blocks;
            if (m_symmetric)
            {
                Outline outline(m_symmetry);
                m_store.DrawFlight({from, to, frame}, blocks, outline);
                flight.outline = outline.Take();
            }
            flight.fairness = GetClass(EventKind::DELIVER, flight.channel, GetOrderClass(flight));
        }
        return place->second;
    }

    /**
     * Get what keeps its order within a channel, for fairness.
     * @param flight a frame in flight
     * @return a number that is equal for frames that do not overtake each other
     */
    uint32_t GetOrderClass(const Flight& flight) const
    {
        if (m_options.reordering)
        {
            return flight.frame + 1;
        }
        return m_options.paths > 1 ? m_frames[flight.frame].path + 1 : 0;
    }

    /**
     * Check whether a frame cannot arrive before another one of the same channel.
     * @param later the frame
     * @param earlier the other one, sent before it
     * @return true if it cannot, or if both are equal
     */
    bool WaitsFor(uint32_t later, uint32_t earlier) const
    {
        if (m_options.reordering)
        {
            return later == earlier;
        }
        return m_options.paths <= 1 ||
               m_frames[m_flights[later].frame].path == m_frames[m_flights[earlier].frame].path;
    }

    /**
     * Count the frames that a peer can still send during an event.
     * @param flights frames in flight before it
     * @param event the event of the peer; an arriving frame is no longer in flight
     * @return the room of each receiver
     */
    std::vector<uint32_t> GetRoom(std::span<const uint32_t> flights, const Event& event) const
    {
        std::vector<uint32_t> room(m_peers, m_options.capacity);
        for (uint32_t i = 0; i < flights.size(); ++i)
        {
            const Flight& flight = m_flights[flights[i]];
            const bool leaves = Arrives(event.kind) && i == event.which;
            if ((m_options.sharedPort || flight.from == event.peer) && !leaves &&
                room[flight.to] > 0)
            {
                --room[flight.to];
            }
        }
        return room;
    }

    /**
     * Run a step of a core. Needs the lock.
     * @param local the local state before
     * @param event the event
     * @param recorder records the core's actions
     * @return the local state after
     */
    uint32_t RunCore(const Local& local, const CoreEvent& event, StepRecorder& recorder)
    {
        if (event.kind == EventKind::TIMEOUT)
        {
            recorder.Cancel(event.which);
        }
        else if (event.kind == EventKind::DONE)
        {
            std::erase(recorder.work, event.which);
        }
        else if (event.kind == EventKind::READY)
        {
            recorder.waiting = false;
        }
        const auto core = m_store.Run(local.core, event, recorder);
        if (event.kind == EventKind::POST && recorder.acceptance != Acceptance::STALLED &&
            local.posted < m_script[local.peer].size())
        {
            const uint32_t request = m_script[local.peer][local.posted];
            if (event.request == &m_setting.requests[request].second)
            {
                ++recorder.posted;
                recorder.ended |= recorder.acceptance == Acceptance::REFUSED
                                      ? uint64_t{1} << request
                                      : uint64_t{0};
            }
        }
        return KeepLocal(local.peer, core, recorder);
    }

    /**
     * Convert an event to that of its core.
     * @param local its local state
     * @param event the event
     * @param flights frames in flight
     * @return the event for the core
     */
    CoreEvent MakeCoreEvent(const Local& local,
                            const Event& event,
                            std::span<const uint32_t> flights) const
    {
        if (event.kind < EventKind::DELIVER)
        {
            const LocalEvent& own = local.events[event.which];
            return CoreEvent{.kind = own.kind, .which = own.which, .request = own.request};
        }
        const Flight& flight = m_flights[flights[event.which]];
        return CoreEvent{.kind = event.kind,
                         .from = flight.from,
                         .frame = &m_frames[GetArrival(flight, event.kind)]};
    }

    /**
     * Get a step.
     * @param state the state before
     * @param event the event
     * @param worker the thread
     * @return the step
     */
    const Step& GetStep(const View& state, const Event& event, Worker& worker)
    {
        const uint32_t id = state.locals[event.peer];
        const bool isFrame = event.kind >= EventKind::DELIVER;
        const uint32_t which =
            isFrame ? GetArrival(m_flights[state.flights[event.which]], event.kind) | 1U << 31
                    : event.which;
        StepKey key{uint64_t{id} << 32 | which, 0};
        std::vector<uint32_t> room;
        if (m_setting.lossless)
        {
            room = GetRoom(state.flights, event);
            // A hash of 64 bits, like the fingerprints of states, holds any number of peers.
            for (const auto frames : room)
            {
                key.room = Mix(key.room, frames);
            }
        }
        if (const Step* known = worker.cache.Find(key))
        {
            return *known;
        }
        const std::lock_guard lock(m_mutex);
        const Step* known = m_stepTable.Find(key);
        if (!known)
        {
            Step& step = m_steps.emplace_back();
            known = &step;
            m_stepTable.Insert(key, known);
            const Local& local = m_locals[id];
            if (room.empty())
            {
                room.assign(m_peers, UNLIMITED);
            }
            StepRecorder recorder(m_setting, local.peer, std::move(room), local);
            step.next = RunCore(local, MakeCoreEvent(local, event, state.flights), recorder);
            for (const auto& sent : recorder.sent)
            {
                step.sent.push_back(KeepFlight(sent.frame, local.peer, sent.to, {}));
            }
            for (const auto& touched : recorder.touched)
            {
                if (m_slip && m_store.OutlastsSlip(touched.first))
                {
                    step.touched.push_back(touched);
                }
            }
            step.claimed = recorder.claimed;
            step.violation = recorder.violation;
            for (const auto reason : recorder.reasons)
            {
                ++m_reasons[reason];
            }
        }
        worker.cache.Insert(key, known);
        return *known;
    }

    /**
     * List the possible events of a state in a fixed order.
     * @param state the state
     * @param events set to the events
     * @return classes of the events other than faults, a bit each
     */
    uint64_t ListEvents(const View& state, std::vector<Event>& events) const
    {
        events.clear();
        uint64_t enabled = 0;
        const auto flights = state.flights;
        for (Peer peer = 0; peer < m_peers; ++peer)
        {
            const Local& local = m_locals[state.locals[peer]];
            enabled |= local.enabled;
            for (uint32_t i = 0; i < local.early; ++i)
            {
                const auto& event = local.events[i];
                events.push_back(Event{event.kind, event.fairness, peer, i});
            }
        }
        const bool mayCopy = CanCount(state, COPY_COUNT);
        const bool mayLose = CanCount(state, LOSS_COUNT);
        for (uint32_t i = 0; i < flights.size(); ++i)
        {
            const Flight& flight = m_flights[flights[i]];
            // The first of equal frames, or of a channel or path that keeps order, represents all.
            bool isFirst = true;
            for (uint32_t k = i; k-- > 0 && isFirst;)
            {
                if (m_flights[flights[k]].channel != flight.channel)
                {
                    break;
                }
                isFirst = !WaitsFor(flights[i], flights[k]);
            }
            if (!isFirst)
            {
                continue;
            }
            enabled |= uint64_t{1} << (flight.fairness % MAX_CLASSES);
            events.push_back(Event{EventKind::DELIVER, flight.fairness, flight.to, i});
            if (m_options.marks && !(m_frames[flight.frame].marks & MARK_CONGESTION))
            {
                events.push_back(Event{EventKind::MARK, FAULT_CLASS, flight.to, i});
            }
            if (flight.isTrimmable)
            {
                events.push_back(Event{EventKind::TRIM, FAULT_CLASS, flight.to, i});
            }
            if (mayCopy)
            {
                events.push_back(Event{EventKind::DUPLICATE, FAULT_CLASS, flight.to, i});
            }
            if (mayLose)
            {
                events.push_back(Event{EventKind::LOSE, FAULT_CLASS, flight.to, i});
            }
        }
        const bool waits =
            m_options.patient && std::any_of(events.begin(), events.end(), [](auto& e) {
                return e.kind != EventKind::POST;
            });
        for (Peer peer = 0; peer < m_peers && CanCount(state, TIMEOUT_COUNT); ++peer)
        {
            const Local& local = m_locals[state.locals[peer]];
            for (uint32_t i = local.early; i < local.events.size(); ++i)
            {
                const auto& event = local.events[i];
                const auto blocks = [&](uint32_t id) {
                    const Flight& flight = m_flights[id];
                    return flight.to == peer &&
                           std::count(flight.blocks.begin(), flight.blocks.end(), event.which) > 0;
                };
                const bool may =
                    !waits && (!m_slip || std::none_of(flights.begin(), flights.end(), blocks));
                // A patient timer waits for events that end, so it counts as enabled.
                if (may || m_options.patient)
                {
                    enabled |= uint64_t{1} << (event.fairness % MAX_CLASSES);
                }
                if (may)
                {
                    events.push_back(Event{EventKind::TIMEOUT, event.fairness, peer, i});
                }
            }
        }
        return enabled;
    }

    /**
     * Check whether a count is below its limit.
     * @param state the state
     * @param which the count
     * @return true if it is
     */
    bool CanCount(const View& state, Limited which) const
    {
        const uint32_t count =
            state.counts >> COUNT_SHIFTS[which] & ((1U << COUNT_BITS[which]) - 1);
        return m_limits[which] == UNLIMITED || count < m_limits[which];
    }

    /** @return increment of the word of counts. @param which the count */
    uint32_t GetIncrement(Limited which) const
    {
        return m_limits[which] == UNLIMITED ? 0 : 1U << COUNT_SHIFTS[which];
    }

    /** @return increment of the word of counts by an event. @param kind its kind */
    uint32_t GetIncrement(EventKind kind) const
    {
        switch (kind)
        {
        case EventKind::LOSE:
            return GetIncrement(LOSS_COUNT);
        case EventKind::DUPLICATE:
            return GetIncrement(COPY_COUNT);
        case EventKind::TIMEOUT:
            return GetIncrement(TIMEOUT_COUNT);
        default:
            return 0;
        }
    }

    /**
     * Add a frame to a state, unless its channel is full.
     * @param out the state's words
     * @param begin index of its first word
     * @param id the frame
     */
    void AddFlight(std::vector<uint32_t>& out, std::size_t begin, uint32_t id) const
    {
        const Flight& flight = m_flights[id];
        const std::size_t first = begin + HEAD + m_peers;
        std::size_t at = out.size();
        std::size_t inFlight = 0;
        for (std::size_t i = first; i < out.size(); ++i)
        {
            const Flight& other = m_flights[out[i]];
            inFlight +=
                m_options.sharedPort ? other.to == flight.to : other.channel == flight.channel;
        }
        if (inFlight >= m_options.capacity)
        {
            return;
        }
        const auto isBehind = [&](uint32_t other) {
            const Flight& present = m_flights[other];
            return present.channel > flight.channel ||
                   (m_sorted && present.channel == flight.channel && present.hash > flight.hash);
        };
        while (at > first && isBehind(out[at - 1]))
        {
            --at;
        }
        out.insert(out.begin() + static_cast<int64_t>(at), id);
        ++out[begin + 2];
    }

    /**
     * Update the timers that wait for frames in flight.
     * @param out the state's words
     * @param begin index of its first word
     * @param peer the peer whose timers were armed or cancelled
     * @param touched the timers
     * @param passed index below which the frames of the channel were overtaken
     * @param channel the channel
     */
    void Block(std::vector<uint32_t>& out,
               std::size_t begin,
               Peer peer,
               const std::vector<std::pair<TimerId, bool>>& touched,
               std::size_t passed,
               uint32_t channel)
    {
        const std::lock_guard lock(m_mutex);
        for (std::size_t i = begin + HEAD + m_peers; i < out.size(); ++i)
        {
            const Flight& flight = m_flights[out[i]];
            if (flight.to != peer)
            {
                continue;
            }
            auto blocks = flight.blocks;
            for (const auto& [timer, armed] : touched)
            {
                std::erase(blocks, timer);
                if (armed && flight.channel == channel && i < passed)
                {
                    blocks.insert(std::upper_bound(blocks.begin(), blocks.end(), timer), timer);
                }
            }
            if (blocks != flight.blocks)
            {
                out[i] = KeepFlight(m_frames[flight.frame], flight.from, flight.to, blocks);
            }
        }
    }

    /**
     * Apply an event.
     * @param state the state before
     * @param event the event
     * @param worker the thread
     * @param out receives the state after, appended
     * @return the violation of the step, or nullptr
     */
    const std::string* Apply(const View& state,
                             const Event& event,
                             Worker& worker,
                             std::vector<uint32_t>& out)
    {
        const std::size_t begin = out.size();
        const bool takes = TakesFrame(event.kind);
        const auto flights = state.flights;
        const std::string* violation = nullptr;
        const uint32_t counts = state.counts + GetIncrement(event.kind);
        out.insert(
            out.end(),
            {state.number, counts, static_cast<uint32_t>(flights.size()) - (takes ? 1U : 0U)});
        const auto locals = state.locals;
        out.insert(out.end(), locals.begin(), locals.end());
        for (uint32_t i = 0; i < flights.size(); ++i)
        {
            if (!takes || i != event.which)
            {
                out.push_back(flights[i]);
            }
        }
        if (event.kind != EventKind::LOSE)
        {
            const Step& step = GetStep(state, event, worker);
            out[begin + HEAD + event.peer] = step.next;
            if (!step.touched.empty())
            {
                const bool isFrame = event.kind >= EventKind::DELIVER;
                const std::size_t passed = begin + HEAD + m_peers + event.which +
                                           (event.kind == EventKind::DUPLICATE ? 1 : 0);
                Block(out,
                      begin,
                      event.peer,
                      step.touched,
                      isFrame ? passed : 0,
                      isFrame ? m_flights[flights[event.which]].channel : 0);
            }
            for (const auto id : step.sent)
            {
                AddFlight(out, begin, id);
            }
            violation = step.violation.empty() ? CheckClaims(locals, event.peer, step.claimed)
                                               : &step.violation;
        }
        return violation;
    }

    /**
     * Check whether messages have arrived at all their other destinations.
     * @param locals local states before
     * @param self the peer that reports it
     * @param claimed the requests, a bit each
     * @return the violation, or nullptr
     */
    const std::string* CheckClaims(std::span<const uint32_t> locals,
                                   Peer self,
                                   uint64_t claimed) const
    {
        static const std::string EARLY = "A message was reported as delivered before it was.";
        for (; claimed != 0; claimed &= claimed - 1)
        {
            const auto i = static_cast<uint32_t>(std::countr_zero(claimed));
            const auto& request = m_setting.requests[i].second;
            for (Peer peer = 0; peer < m_peers; ++peer)
            {
                const bool meant = peer != self && (request.to == NO_PEER || request.to == peer);
                if (meant && !(m_locals[locals[peer]].delivered >> i & 1))
                {
                    return &EARLY;
                }
            }
        }
        return nullptr;
    }

    /**
     * Renumber a state.
     * @param words words that end with the state
     * @param begin index of its first word
     */
    void Renumber(std::vector<uint32_t>& words, std::size_t begin)
    {
        const std::lock_guard lock(m_mutex);
        std::vector<CoreStore::CoreId> cores;
        std::vector<FlyingFrame> frames;
        for (Peer peer = 0; peer < m_peers; ++peer)
        {
            cores.push_back(m_locals[words[begin + HEAD + peer]].core);
        }
        for (std::size_t i = begin + HEAD + m_peers; i < words.size(); ++i)
        {
            const Flight& flight = m_flights[words[i]];
            frames.push_back({flight.from, flight.to, m_frames[flight.frame]});
        }
        const auto before = cores;
        m_store.Renumber(cores, frames);
        for (Peer peer = 0; peer < m_peers; ++peer)
        {
            if (cores[peer] != before[peer])
            {
                const Local& local = m_locals[words[begin + HEAD + peer]];
                words[begin + HEAD + peer] = KeepLocal(peer, cores[peer], local);
            }
        }
        for (std::size_t i = 0; i < frames.size(); ++i)
        {
            const Flight& flight = m_flights[words[begin + HEAD + m_peers + i]];
            words[begin + HEAD + m_peers + i] =
                KeepFlight(frames[i].frame, flight.from, flight.to, flight.blocks);
        }
        if (m_sorted)
        {
            std::sort(words.begin() + static_cast<int64_t>(begin + HEAD + m_peers),
                      words.end(),
                      [this](uint32_t a, uint32_t b) {
                          const Flight& first = m_flights[a];
                          const Flight& second = m_flights[b];
                          return std::tie(first.channel, first.hash) <
                                 std::tie(second.channel, second.hash);
                      });
        }
    }

    /**
     * Compute the plain fingerprint of a state, without renaming.
     * @param state the state
     * @return its fingerprint, not zero
     */
    uint64_t GetPlainPrint(const View& state) const
    {
        uint64_t hash = Mix(state.counts, state.flights.size());
        for (const auto id : state.locals)
        {
            hash = Mix(hash, m_locals[id].hash);
        }
        for (const auto id : state.flights)
        {
            hash = Mix(hash, m_flights[id].hash);
        }
        return hash == 0 ? 1 : hash;
    }

    /**
     * Convert a state for the symmetry.
     * @param state the state
     * @param out set to the state
     */
    void Describe(const View& state, Symmetry::State& out) const
    {
        out.salt = Mix(state.counts, state.flights.size());
        out.posted = 0;
        out.ended = 0;
        out.left = 0;
        out.delivered.clear();
        out.parts.clear();
        for (const auto id : state.locals)
        {
            const Local& local = m_locals[id];
            out.posted |= local.requests;
            out.ended |= local.ended;
            out.left |= local.left;
            out.delivered.push_back(local.delivered);
            out.parts.push_back(
                Symmetry::Part{&local.outline,
                               uint64_t{local.posted} << 2 | (local.waiting ? 2 : 0),
                               local.peer,
                               local.peer});
        }
        uint32_t channel = 0;
        uint64_t place = 0;
        for (const auto id : state.flights)
        {
            const Flight& flight = m_flights[id];
            place = flight.channel == channel && !m_sorted ? place + 1 : 0;
            channel = flight.channel;
            out.parts.push_back(
                Symmetry::Part{&flight.outline, place << 2 | 1, flight.from, flight.to});
        }
    }

    /**
     * Compute the fingerprint of a state, or of its canonical form if names are exchanged.
     * @param words the state
     * @param worker the thread
     * @return its fingerprint, not zero
     */
    uint64_t GetPrint(const uint32_t* words, Worker& worker) const
    {
        const View state = Look(words);
        const uint64_t plain = GetPlainPrint(state);
        if (!m_symmetric)
        {
            return plain;
        }
        auto& known = worker.prints[plain % worker.prints.size()];
        if (known.first != plain)
        {
            Describe(state, worker.scratch.state);
            const uint64_t print = m_symmetry.GetPrint(worker.scratch);
            known = {plain, print == 0 ? 1 : print};
        }
        return known.second;
    }

    /**
     * Check whether a state is a goal.
     * @param state the state
     * @return true if all requests have ended or no timer may fire any more
     */
    bool IsWanted(const View& state) const
    {
        const auto locals = state.locals;
        return !CanCount(state, TIMEOUT_COUNT) ||
               std::all_of(locals.begin(), locals.end(), [this](uint32_t id) {
                   return m_locals[id].finished;
               });
    }

    /** @return whether the search stores the steps between states. */
    bool KeepsEdges() const
    {
        return m_options.stuck || m_options.fair;
    }

    /**
     * Make the initial state.
     * @param starts requests accepted before the search
     */
    void MakeInitial(const std::vector<std::pair<Peer, Request>>& starts)
    {
        m_first.assign(HEAD, 0);
        for (Peer peer = 0; peer < m_peers; ++peer)
        {
            m_first.push_back(KeepLocal(peer, m_store.GetInitial(peer), {}));
        }
        for (const auto& [peer, request] : starts)
        {
            const Local& local = m_locals[m_first[HEAD + peer]];
            auto room = GetRoom(Look(m_first.data()).flights, Event{.peer = peer});
            StepRecorder recorder(m_setting, peer, std::move(room), local);
            m_first[HEAD + peer] = RunCore(local, CoreEvent{.request = &request}, recorder);
            for (const auto& sent : recorder.sent)
            {
                AddFlight(m_first, 0, KeepFlight(sent.frame, peer, sent.to, {}));
            }
        }
        if (m_store.HasRenumbering())
        {
            Renumber(m_first, 0);
        }
        if (m_symmetric)
        {
            auto& scratch = m_workers[0].scratch;
            Describe(Look(m_first.data()), scratch.state);
            m_symmetry.Restrict(scratch);
            for (auto& worker : m_workers)
            {
                worker.prints.resize(KNOWN_PRINTS);
            }
        }
    }

    /**
     * Insert a state, and update its parent.
     * @param words the state
     * @param print its fingerprint
     * @param parent fingerprint of the state before
     * @return its number, and whether it is new
     */
    std::pair<uint32_t, bool> Number(const uint32_t* words, uint64_t print, uint64_t parent)
    {
        const auto [number, isNew] = m_seen.Insert(print);
        if (isNew || number >= m_levels.back())
        {
            // Of all predecessors on a shortest path, the parent is the smallest.
            auto& smallest = m_parents.Make(number);
            uint64_t known = smallest.load(std::memory_order_relaxed);
            while ((known == 0 || parent < known) &&
                   !smallest.compare_exchange_weak(known, parent, std::memory_order_relaxed))
            {
            }
        }
        if (isNew && KeepsEdges())
        {
            m_good.Make(number).store(IsWanted(Look(words)) ? WANTED : 0,
                                      std::memory_order_relaxed);
        }
        return {number, isNew};
    }

    /**
     * Mark a state in the bit array, and number it if it is new.
     * @param parent number of the state before
     * @param next the step to it
     * @param worker the thread
     * @return its number, and whether it is new
     */
    std::pair<uint32_t, bool> NumberInBits(uint32_t parent,
                                           const Worker::Next& next,
                                           Worker& worker)
    {
        const double full = m_bits->GetFilling();
        if (!m_bits->Insert(next.print))
        {
            return {0, false};
        }
        worker.omitted += std::pow(full, BitArray::HASHES);
        const uint32_t number = m_nInBits.fetch_add(1, std::memory_order_relaxed);
        (*m_trail)[number] = uint64_t{parent} << 32 | next.ordinal;
        return {number, true};
    }

    /** @return the number of states. */
    uint32_t GetNStates() const
    {
        return m_bits ? m_nInBits.load(std::memory_order_relaxed) : m_seen.GetSize();
    }

    /** @return whether memory exceeds the limit. @param more memory to be allocated [bytes] */
    bool NeedsTooMuch(uint64_t more) const
    {
        return m_options.memory != 0 &&
               GetResidentMemory() + more > m_residentBefore + m_options.memory;
    }

    /** Visit all states, level by level. */
    void Visit()
    {
        const uint64_t print = GetPrint(m_first.data(), m_workers[0]);
        if (m_bits)
        {
            m_bits->Insert(print);
            m_nInBits = 1;
        }
        else
        {
            m_first[0] = Number(m_first.data(), print, print).first;
        }
        auto& page = OpenPage(m_workers[0].found, m_first.size());
        page.insert(page.end(), m_first.begin(), m_first.end());
        while (true)
        {
            m_level.clear();
            m_levelWords = 0;
            for (auto& worker : m_workers)
            {
                for (auto& page : worker.found)
                {
                    m_levelWords += page.size();
                    m_level.push_back(std::move(page));
                }
                worker.found.clear();
            }
            if (m_level.empty() || IsOver())
            {
                return;
            }
            m_levels.push_back(GetNStates());
            m_nextPage = 0;
            do
            {
                if (m_seen.IsCrowded())
                {
                    if (NeedsTooMuch(2 * m_seen.GetMemory()))
                    {
                        m_gaveUp = TOO_MUCH_MEMORY;
                        return;
                    }
                    m_seen.Grow();
                }
                LetWork(m_level.size() > 1, [this](Worker& worker) { Work(worker); });
            } while (!IsOver() && m_seen.IsCrowded());
            Account();
        }
    }

    /** @return whether the search ends after this level. */
    bool IsOver() const
    {
        return m_gaveUp.load(std::memory_order_relaxed) || !m_store.GetConflict().empty() ||
               std::any_of(m_workers.begin(), m_workers.end(), [](const Worker& worker) {
                   return worker.finding.has_value();
               });
    }

    /**
     * Run a task on all workers, in threads or one after the other.
     * @param inThreads whether to use threads
     * @param task called with each worker
     */
    void LetWork(bool inThreads, const std::function<void(Worker&)>& task)
    {
        std::vector<std::thread> threads;
        for (std::size_t i = 1; i < m_workers.size() && inThreads; ++i)
        {
            threads.emplace_back([&, i] { task(m_workers[i]); });
        }
        task(m_workers[0]);
        for (std::size_t i = threads.size() + 1; i < m_workers.size(); ++i)
        {
            task(m_workers[i]);
        }
        for (auto& thread : threads)
        {
            thread.join();
        }
    }

    /**
     * Expand states of the level, page by page.
     * @param worker the thread
     */
    void Work(Worker& worker)
    {
        while (true)
        {
            while (worker.at < worker.page.size())
            {
                if (m_seen.IsCrowded() || m_gaveUp.load(std::memory_order_relaxed))
                {
                    return;
                }
                const View state = Look(worker.page.data() + worker.at);
                Expand(state, worker);
                worker.at += state.words.size();
                if (GetNStates() > m_options.maxStates)
                {
                    m_gaveUp.store(TOO_MANY_STATES, std::memory_order_relaxed);
                }
            }
            if (NeedsTooMuch(0))
            {
                m_gaveUp.store(TOO_MUCH_MEMORY, std::memory_order_relaxed);
            }
            const std::size_t next = m_nextPage.fetch_add(1, std::memory_order_relaxed);
            if (next >= m_level.size())
            {
                return;
            }
            worker.page = std::move(m_level[next]);
            worker.at = 0;
        }
    }

    /**
     * Report a violation.
     * @param worker the thread
     * @param finding the violation
     */
    static void Report(Worker& worker, const Finding& finding)
    {
        if (!worker.finding || finding < *worker.finding)
        {
            worker.finding = finding;
        }
    }

    /**
     * Apply an event, and renumber the state after it.
     * @param state the state
     * @param event the event
     * @param worker the thread, whose words receive the state after
     * @return the violation of the step, or nullptr
     */
    const std::string* MakeNext(const View& state, const Event& event, Worker& worker)
    {
        const std::size_t begin = worker.words.size();
        const auto* violation = Apply(state, event, worker, worker.words);
        if (!violation && m_store.HasRenumbering())
        {
            Renumber(worker.words, begin);
        }
        return violation;
    }

    /**
     * Take all steps from a state.
     * @param state the state
     * @param worker the thread
     */
    void Expand(const View& state, Worker& worker)
    {
        worker.words.clear();
        worker.nexts.clear();
        const uint64_t enabled = ListEvents(state, worker.events);
        for (uint32_t i = 0; i < worker.events.size(); ++i)
        {
            const Event& event = worker.events[i];
            ++worker.transitions;
            const std::size_t at = worker.words.size();
            if (const auto* violation = MakeNext(state, event, worker))
            {
                Report(worker,
                       Finding{false,
                               GetPrint(state.words.data(), worker),
                               state.number,
                               i,
                               *violation});
                worker.words.resize(at);
                continue;
            }
            const uint32_t* words = worker.words.data() + at;
            const bool isSame = std::equal(words + 1,
                                           words + (worker.words.size() - at),
                                           state.words.begin() + 1,
                                           state.words.end());
            const uint64_t print = isSame ? 0 : GetPrint(words, worker);
            worker.nexts.push_back(Worker::Next{at, print, state.number, i, event.fairness});
        }
        const uint64_t parent = worker.nexts.empty() ? 0 : GetPrint(state.words.data(), worker);
        for (auto& next : worker.nexts)
        {
            if (next.print == 0)
            {
                continue;
            }
            uint32_t* words = worker.words.data() + next.begin;
            bool isNew = false;
            std::tie(next.number, isNew) = m_bits ? NumberInBits(state.number, next, worker)
                                                  : Number(words, next.print, parent);
            if (isNew)
            {
                words[0] = next.number;
                Keep(words, next.print, worker);
            }
        }
        if (KeepsEdges() && !worker.nexts.empty())
        {
            KeepEdges(state, enabled, worker);
        }
    }

    /**
     * Store the steps from a state.
     * @param state the state
     * @param enabled classes of its events, a bit each
     * @param worker the thread, with the states after the steps
     */
    void KeepEdges(const View& state, uint64_t enabled, Worker& worker) const
    {
        const std::size_t count = worker.nexts.size();
        auto& edges = OpenPage(worker.edges, m_options.fair ? 2 * count + 4 : count + 2);
        for (const auto& next : worker.nexts)
        {
            edges.push_back(next.number);
        }
        if (m_options.fair)
        {
            for (const auto& next : worker.nexts)
            {
                edges.push_back(next.fairness);
            }
            edges.push_back(static_cast<uint32_t>(enabled));
            edges.push_back(static_cast<uint32_t>(enabled >> 32));
        }
        edges.push_back(state.number);
        edges.push_back(static_cast<uint32_t>(count));
    }

    /**
     * Store a new state for the next level.
     * @param words the state
     * @param print its fingerprint
     * @param worker the thread
     */
    void Keep(const uint32_t* words, uint64_t print, Worker& worker)
    {
        const View state = Look(words);
        if (m_store.HasInvariant())
        {
            const std::lock_guard lock(m_mutex);
            std::vector<CoreStore::CoreId> cores;
            for (const auto id : state.locals)
            {
                cores.push_back(m_locals[id].core);
            }
            if (const std::string wrong = m_store.Check(cores); !wrong.empty())
            {
                Report(worker, Finding{true, print, words[0], 0, wrong});
            }
        }
        auto& page = OpenPage(worker.found, state.words.size());
        page.insert(page.end(), state.words.begin(), state.words.end());
    }

    /** Update the peak memory, without the threads' caches, so that it is reproducible. */
    void Account()
    {
        std::size_t words = m_levelWords;
        uint64_t transitions = 0;
        for (const auto& worker : m_workers)
        {
            transitions += worker.transitions;
        }
        if (KeepsEdges())
        {
            words += transitions + 2 * m_levels.back();
        }
        m_memory = std::max<uint64_t>(m_memory,
                                      (m_bits ? m_bits->GetMemory() : m_seen.GetMemory()) +
                                          m_parents.GetMemory() + m_good.GetMemory() +
                                          m_localIds.size() * sizeof(Local) +
                                          m_flightIds.size() * sizeof(Flight) +
                                          m_steps.size() * sizeof(Step) + words * sizeof(uint32_t));
    }

    /**
     * Visit the steps that a thread has stored, from the last state to the first.
     * @param pages the steps
     * @param fair whether the classes of events are stored, too
     * @param visit called with number of the state, its successors, and the words of classes
     */
    template <class Visit>
    static void ForEdges(const Pages& pages, bool fair, Visit&& visit)
    {
        for (auto page = pages.rbegin(); page != pages.rend(); ++page)
        {
            for (std::size_t end = page->size(); end > 0;)
            {
                const uint32_t count = (*page)[end - 1];
                const uint32_t state = (*page)[end - 2];
                const std::size_t extra = fair ? count + 2 : 0;
                const std::size_t begin = end - 2 - extra - count;
                visit(state,
                      std::span(*page).subspan(begin, count),
                      std::span(*page).subspan(begin + count, extra));
                end = begin;
            }
        }
    }

    /**
     * Find a state from which no goal can be reached. If the search gave up, the states of the last
     * levels count as goals, since their successors are unknown.
     * @return fingerprint of the first such state, or 0 if there is none
     */
    uint64_t FindStuck()
    {
        const uint32_t lastLevel = m_levels[m_levels.size() - 2];
        for (uint32_t state = lastLevel; m_gaveUp && state < m_seen.GetSize(); ++state)
        {
            m_good.Make(state).store(WANTED, std::memory_order_relaxed);
        }
        // Most steps lead away from the start, so a few passes from the end suffice.
        std::atomic<bool> changed{true};
        while (changed.exchange(false))
        {
            const auto pass = [&](Worker& worker) {
                bool mine = false;
                ForEdges(worker.edges, m_options.fair, [&](uint32_t state, auto nexts, auto) {
                    auto& good = m_good[state];
                    if (good.load(std::memory_order_relaxed) != 0)
                    {
                        return;
                    }
                    for (const auto next : nexts)
                    {
                        if (m_good[next].load(std::memory_order_relaxed) != 0)
                        {
                            good.store(1, std::memory_order_relaxed);
                            mine = true;
                            return;
                        }
                    }
                });
                if (mine)
                {
                    changed.store(true);
                }
            };
            LetWork(m_seen.GetSize() > PAGE, pass);
        }
        const uint32_t states = m_seen.GetSize();
        uint32_t first = 0;
        while (first < states && m_good[first].load(std::memory_order_relaxed) != 0)
        {
            ++first;
        }
        return first == states ? 0 : FindSmallest(first, [this](uint32_t state) {
            return m_good[state].load(std::memory_order_relaxed) == 0;
        });
    }

    /**
     * Find the state of the smallest fingerprint on a level.
     * @param number a state of the level
     * @param matches given a state, returns whether to consider it
     * @return its fingerprint
     */
    template <class Matches>
    uint64_t FindSmallest(uint32_t number, Matches&& matches) const
    {
        const auto next = std::upper_bound(m_levels.begin(), m_levels.end(), number);
        const uint32_t begin = *std::prev(next);
        const uint32_t end = next == m_levels.end() ? m_seen.GetSize() : *next;
        uint64_t smallest = 0;
        m_seen.ForEach([&](uint64_t print, uint32_t state) {
            if (state >= begin && state < end && (smallest == 0 || print < smallest) &&
                matches(state))
            {
                smallest = print;
            }
        });
        return smallest;
    }

    /**
     * Find a fair cycle that reaches no goal.
     * @param loop set to the index in the path at which the cycle begins
     * @return a path that ends with the cycle; empty if there is none
     */
    std::vector<Hop> FindCycle(std::size_t& loop)
    {
        FairGraph graph(m_seen.GetSize());
        for (const auto& worker : m_workers)
        {
            ForEdges(worker.edges, true, [&](uint32_t state, auto nexts, auto extra) {
                if (m_good[state].load(std::memory_order_relaxed) != WANTED)
                {
                    graph.Add(state, nexts, extra);
                }
            });
        }
        const auto fair = graph.FindFair();
        const auto first = std::find(fair.begin(), fair.end(), true);
        if (first == fair.end())
        {
            return {};
        }
        const uint64_t print = FindSmallest(static_cast<uint32_t>(first - fair.begin()),
                                            [&](uint32_t state) { return fair[state]; });
        auto path = GetPath(print);
        loop = path.size();
        const auto cycle = graph.MakeCycle(m_seen.Find(print));
        path.insert(path.end(), cycle.begin(), cycle.end());
        return path;
    }

    /**
     * Get the path to a state.
     * @param print its fingerprint
     * @return the states after the first one
     */
    std::vector<Hop> GetPath(uint64_t print) const
    {
        std::vector<Hop> path;
        for (uint32_t number = m_seen.Find(print); number != 0;)
        {
            path.push_back(Hop{number, ANY_CLASS});
            print = m_parents[number].load(std::memory_order_relaxed);
            number = m_seen.Find(print);
        }
        std::reverse(path.begin(), path.end());
        return path;
    }

    /**
     * Get the path to a state from the records on disk.
     * @param number its number
     * @return the events, each by its index among those of its state
     */
    std::vector<Hop> GetTrail(uint32_t number) const
    {
        std::vector<Hop> path;
        while (number != 0)
        {
            const uint64_t step = (*m_trail)[number];
            path.push_back(Hop{static_cast<uint32_t>(step), ANY_CLASS});
            number = static_cast<uint32_t>(step >> 32);
        }
        std::reverse(path.begin(), path.end());
        return path;
    }

    /**
     * Replay a path from the start, and describe it.
     * @param path the states on it
     * @param breaks whether the path ends with a step that is a violation
     * @param loop index at which a cycle begins
     * @param result receives the description
     */
    void Replay(const std::vector<Hop>& path, bool breaks, std::size_t loop, ExplorerResult& result)
    {
        Worker& worker = m_workers[0];
        std::vector<uint32_t> words = m_first;
        std::vector<uint32_t> arrows;
        const std::size_t steps = path.size() + (breaks ? 1 : 0);
        for (std::size_t i = 0; i < steps; ++i)
        {
            const View state = Look(words.data());
            std::vector<Event> events;
            ListEvents(state, events);
            // If names are exchanged, this state may differ from that of the search by names. So
            // find a step to a state with the next fingerprint, or one that is a violation.
            const auto isIt = [&](const Event& event) {
                worker.words.clear();
                if (i == path.size())
                {
                    const auto* violation = Apply(state, event, worker, worker.words);
                    result.sentence = violation ? *violation : result.sentence;
                    return violation != nullptr;
                }
                const Hop& hop = path[i];
                if (m_bits)
                {
                    return &event == &events[hop.state] && !MakeNext(state, event, worker);
                }
                return (hop.fairness == ANY_CLASS || hop.fairness == event.fairness) &&
                       !MakeNext(state, event, worker) &&
                       m_seen.Find(GetPrint(worker.words.data(), worker)) == hop.state;
            };
            const auto found = std::find_if(events.begin(), events.end(), isIt);
            NS_ABORT_MSG_IF(found == events.end(), "A path of a search cannot be replayed.");
            ExplorerStep step = Describe(state, *found);
            step.repeats = i >= loop;
            Track(state, *found, Look(worker.words.data()), arrows, result);
            result.steps.push_back(step);
            words = worker.words;
        }
    }

    /**
     * Describe a step.
     * @param state the state before
     * @param event the event
     * @return the step
     */
    ExplorerStep Describe(const View& state, const Event& event)
    {
        std::ostringstream os;
        const Local& local = m_locals[state.locals[event.peer]];
        CoreStore::CoreId after = local.core;
        const CoreEvent wanted = MakeCoreEvent(local, event, state.flights);
        switch (event.kind)
        {
        case EventKind::POST:
            os << "Peer " << event.peer << " posts request " << wanted.request->id << " to ";
            if (wanted.request->to == NO_PEER)
            {
                os << "all others";
            }
            else
            {
                os << "peer " << wanted.request->to;
            }
            break;
        case EventKind::DONE:
            os << "Work " << wanted.which << " of peer " << event.peer << " is done";
            break;
        case EventKind::READY:
            os << "Peer " << event.peer << " can send again";
            break;
        case EventKind::TIMEOUT:
            os << "Timer " << wanted.which << " of peer " << event.peer << " fires";
            break;
        case EventKind::DELIVER:
        case EventKind::MARK:
        case EventKind::TRIM:
        case EventKind::DUPLICATE:
            os << "Peer " << event.peer << " receives " << m_setting.describe(*wanted.frame)
               << " from peer " << wanted.from
               << (event.kind == EventKind::DUPLICATE ? " (a copy stays in flight)" : "")
               << (event.kind == EventKind::MARK ? " (marked)" : "")
               << (event.kind == EventKind::TRIM ? " (trimmed)" : "");
            break;
        case EventKind::LOSE:
            os << m_setting.describe(*wanted.frame) << " from peer " << wanted.from << " to peer "
               << event.peer << " is lost";
            break;
        }
        if (event.kind != EventKind::LOSE)
        {
            const std::lock_guard lock(m_mutex);
            auto room = GetRoom(state.flights, event);
            StepRecorder recorder(m_setting, local.peer, std::move(room), local, &os);
            after = m_locals[RunCore(local, wanted, recorder)].core;
            if (event.kind == EventKind::POST)
            {
                os << ", which is " << recorder.acceptance;
            }
        }
        os << ".";
        return ExplorerStep{os.str(), m_store.GetText(after), event.kind, event.peer, false};
    }

    /**
     * Update the arrows of frames in flight for a step.
     * @param before the state before
     * @param event the event
     * @param after the state after
     * @param arrows by frame in flight, index of its arrow; changed to those after the step
     * @param result receives the arrows
     */
    void Track(const View& before,
               const Event& event,
               const View& after,
               std::vector<uint32_t>& arrows,
               ExplorerResult& result) const
    {
        const auto step = static_cast<uint32_t>(result.steps.size());
        // Frames from before that remain in flight, with their arrows, ordered by channel.
        std::vector<std::pair<uint32_t, uint32_t>> left;
        for (uint32_t i = 0; i < before.flights.size(); ++i)
        {
            const bool isIt = event.kind >= EventKind::DELIVER && i == event.which;
            if (isIt && event.kind != EventKind::DUPLICATE)
            {
                auto& arrow = result.arrows[arrows[i]];
                arrow.ended = step;
                arrow.arrived = event.kind != EventKind::LOSE;
                continue;
            }
            if (isIt)
            {
                // The arrived copy gets a separate arrow; the other copy stays in flight.
                ExplorerArrow copy = result.arrows[arrows[i]];
                copy.ended = step;
                copy.arrived = true;
                result.arrows.push_back(copy);
            }
            left.emplace_back(before.flights[i], arrows[i]);
        }
        arrows.assign(after.flights.size(), UNLIMITED);
        const auto match = [&](auto&& isSame) {
            for (std::size_t i = 0; i < arrows.size(); ++i)
            {
                const auto found = std::find_if(left.begin(), left.end(), [&](const auto& pair) {
                    return arrows[i] == UNLIMITED && isSame(pair.first, after.flights[i]);
                });
                if (found != left.end())
                {
                    arrows[i] = found->second;
                    left.erase(found);
                }
            }
        };
        match([this](uint32_t a, uint32_t b) { return m_flights[a].frame == m_flights[b].frame; });
        match([this](uint32_t a, uint32_t b) {
            return m_flights[a].channel == m_flights[b].channel;
        });
        for (std::size_t i = 0; i < arrows.size(); ++i)
        {
            if (arrows[i] == UNLIMITED)
            {
                const Flight& flight = m_flights[after.flights[i]];
                arrows[i] = static_cast<uint32_t>(result.arrows.size());
                result.arrows.push_back(ExplorerArrow{m_setting.describe(m_frames[flight.frame]),
                                                      flight.from,
                                                      flight.to,
                                                      step,
                                                      UNLIMITED,
                                                      false});
            }
        }
    }

    ExplorerOptions m_options;                   ///< The limits.
    CoreStore& m_store;                          ///< The cores.
    uint32_t m_peers;                            ///< Number of peers.
    std::array<uint32_t, 3> m_limits;            ///< Limits of counts.
    StepRecorder::Setting m_setting;             ///< Requests and network.
    std::vector<std::vector<uint32_t>> m_script; ///< Requests of each peer, in order.
    bool m_slip{false};                          ///< Some timers wait for overtaken frames.
    bool m_sorted{false}; ///< The order of the frames of a channel does not matter.

    bool m_symmetric{false}; ///< Names are exchanged.

    std::mutex m_mutex;                                     ///< Held while shared tables change.
    Symmetry m_symmetry;                                    ///< The names.
    std::map<std::pair<Peer, Digest>, uint32_t> m_localIds; ///< Numbers of local states.
    PiecewiseArray<Local, 10, 1 << 20> m_locals;            ///< All local states.
    std::deque<Frame> m_frames;                             ///< All frames.
    std::map<std::vector<uint64_t>, uint32_t> m_frameIds;   ///< Their numbers, by fields.
    PiecewiseArray<Flight, 10, 1 << 20> m_flights;          ///< All frames in flight.
    std::map<std::vector<uint64_t>, uint32_t> m_flightIds;  ///< Their numbers, by fields.

    std::deque<Step> m_steps;                                           ///< All steps.
    StepTable m_stepTable;                                              ///< The same, by key.
    std::map<std::tuple<EventKind, Peer, uint64_t>, uint8_t> m_classes; ///< Classes of events.
    std::array<uint64_t, 256> m_reasons{};                              ///< Reasons noted.

    FingerprintSet m_seen;              ///< States visited.
    std::unique_ptr<BitArray> m_bits;   ///< States visited, if `bits` is set.
    std::unique_ptr<DiskArray> m_trail; ///< By state, its parent and event, if `bits` is set.
    std::atomic<uint32_t> m_nInBits{0}; ///< Number of states, if `bits` is set.
    PiecewiseArray<std::atomic<uint64_t>, 16, 1 << 16> m_parents; ///< Fingerprints of parents.
    PiecewiseArray<std::atomic<uint8_t>, 16, 1 << 16> m_good;     ///< Marks: WANTED, 1 or 0.
    std::vector<uint32_t> m_levels{0};          ///< By level, the next included, its first state.
    std::vector<Page> m_level;                  ///< States of this level.
    std::size_t m_levelWords{0};                ///< Their length [words].
    std::atomic<std::size_t> m_nextPage{0};     ///< Next page to expand.
    std::atomic<const char*> m_gaveUp{nullptr}; ///< A limit is exceeded, in one sentence.
    uint64_t m_residentBefore{0};               ///< Resident memory at the start [bytes].
    std::vector<Worker> m_workers;              ///< The threads.
    std::vector<uint32_t> m_first;              ///< The initial state.
    uint64_t m_memory{0};                       ///< Peak memory [bytes].
};

} // namespace

ExplorerResult
Explore(CoreStore& cores,
        const std::vector<std::pair<Peer, Request>>& requests,
        const std::vector<std::pair<Peer, Request>>& starts,
        const ExplorerOptions& options)
{
    NS_LOG_INFO("Search of " << requests.size() << " messages begins");
    const ExplorerResult result = Search(cores, requests, options).Run(starts);
    NS_LOG_INFO("Search ends: " << result.verdict << ", " << result.states << " states");
    return result;
}

} // namespace messaging
} // namespace ns3
