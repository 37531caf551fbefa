/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SEARCH_CORE_STORE_H
#define MESSAGING_SEARCH_CORE_STORE_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-search-symmetry.h"

#include <algorithm>
#include <concepts>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Distinct states of the protocol cores of a search, each stored once, and their steps.
 */

namespace ns3
{
namespace messaging
{

/** 128-bit hash that identifies a value. */
using Digest = std::pair<uint64_t, uint64_t>;

/**
 * Compute the digest of some words.
 * @param words the words
 * @return 128 bits, equal for equal words
 */
Digest MakeDigest(const std::vector<uint64_t>& words);

/** Kinds of the events of a search. */
enum class EventKind : uint8_t
{
    POST,      ///< A peer posts its next request.
    DONE,      ///< Work is done.
    READY,     ///< A busy port can accept frames again.
    TIMEOUT,   ///< A timer fires.
    DELIVER,   ///< A frame arrives.
    MARK,      ///< A frame arrives with MARK_CONGESTION.
    TRIM,      ///< A frame arrives with MARK_TRIMMED, without its payload.
    DUPLICATE, ///< A frame arrives and will arrive again.
    LOSE       ///< A frame is lost.
};

/** An event at one peer, without the network's part. */
struct CoreEvent
{
    EventKind kind{EventKind::POST}; ///< Kind; DUPLICATE, MARK and TRIM are handled as a DELIVER.
    uint64_t which{0};               ///< Timer or work.
    Peer from{0};                    ///< Sender of the frame.
    const Frame* frame{nullptr};     ///< The frame.
    const Request* request{nullptr}; ///< The request.
};

/** State of a peer outside of its core. */
struct HostState
{
    std::vector<TimerId> timers; ///< Armed timers, sorted.
    std::vector<WorkId> work;    ///< Pending work, sorted.
    uint64_t delivered{0};       ///< Requests delivered to this peer, a bit each.
    uint64_t ended{0};           ///< Own requests that have ended, a bit each.
    uint64_t left{0};            ///< Own requests reported as SENT before their end, a bit each.
    uint32_t posted{0};          ///< Own requests posted.
    bool waiting{false};         ///< The port was busy.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const HostState&) const = default;
};

class StepRecorder;

/**
 * @ingroup messaging
 * Distinct states of the cores of a search.
 *
 * A search meets the same state of a core many times, combined with different states of the other
 * cores. So each state is stored once under a number, and each of its steps runs once. The search
 * itself is compiled once for all protocols; only CoresOf depends on the type of core.
 */
class CoreStore
{
  public:
    /** Number of a core's state. */
    using CoreId = uint32_t;

    virtual ~CoreStore();

    /** @return the number of peers. */
    virtual uint32_t GetNPeers() const = 0;

    /**
     * Get the initial state of a peer's core.
     * @param peer the peer
     * @return the state
     */
    virtual CoreId GetInitial(Peer peer) = 0;

    /**
     * Run a step.
     * @param core the state before
     * @param event the event
     * @param recorder records the core's actions and the acceptance of a request
     * @return the state after
     */
    virtual CoreId Run(CoreId core, const CoreEvent& event, StepRecorder& recorder) = 0;

    /**
     * Get the digest of a state.
     * @param core the state
     * @return equal for equal canonical forms
     */
    virtual Digest GetDigest(CoreId core) const = 0;

    /**
     * Get the size of a state.
     * @param core the state
     * @return length of its canonical form [words]
     */
    virtual std::size_t GetNWords(CoreId core) const = 0;

    /**
     * Print a state.
     * @param core the state
     * @return the parts that the core declares, with their names
     */
    virtual std::string GetText(CoreId core) const = 0;

    /** @return whether SENT does not end a request, as another completion follows. */
    virtual bool ConfirmsDelivery() const = 0;

    /** @return whether the cores take trimmed frames. */
    virtual bool TakesTrimmed() const = 0;

    /** @return whether there is an invariant of all cores together. */
    virtual bool HasInvariant() const = 0;

    /**
     * Check all cores together.
     * @param cores the state of each peer's core
     * @return one sentence on the violation; empty if there is none
     */
    virtual std::string Check(const std::vector<CoreId>& cores) = 0;

    /** @return whether there is a renumbering of states. */
    virtual bool HasRenumbering() const = 0;

    /**
     * Renumber the cores and the frames in flight.
     * @param cores the state of each peer's core, changed
     * @param frames the frames, changed
     */
    virtual void Renumber(std::vector<CoreId>& cores, std::vector<FlyingFrame>& frames) = 0;

    /**
     * Check whether a timer outlasts the network's slip.
     * @param timer the timer
     * @return true if the core declares it
     */
    virtual bool OutlastsSlip(TimerId timer) const = 0;

    /** @return whether any timer may outlast the network's slip. */
    virtual bool HasSlipTimers() const = 0;

    /** @return the number of distinct states of cores. */
    virtual std::size_t GetNCores() const = 0;

    /**
     * Get the proof that the canonical form leaves out state, so that the search has merged
     * different states.
     * @return one sentence on two cores with equal forms that act differently; empty if none were
     * found among the first steps
     */
    virtual std::string GetConflict() const = 0;

    /**
     * Check whether peers, messages and IDs may be exchanged.
     * @return true if the cores declare it and no invariant may refer to their names
     */
    virtual bool IsSymmetric() const = 0;

    /**
     * Draw a peer. Only for symmetric cores, as is DrawFlight.
     * @param core the state of its core
     * @param host its timers and work
     * @param outline receives them
     */
    virtual void Draw(CoreId core, const HostState& host, Outline& outline) const = 0;

    /**
     * Draw a frame in flight.
     * @param flying the frame
     * @param timers timers of the receiver that wait for it
     * @param outline receives them
     */
    virtual void DrawFlight(const FlyingFrame& flying,
                            const std::vector<TimerId>& timers,
                            Outline& outline) const = 0;
};

/**
 * @ingroup messaging
 * Actions of a core in a search, which record one step.
 *
 * The room of a peer is the number of further frames that can be sent to it. Without room, a
 * lossless network refuses a frame; any other network loses it.
 */
class StepRecorder : public HostState
{
  public:
    /** Requests of a search, and properties of the network. */
    struct Setting
    {
        std::vector<std::pair<Peer, Request>> requests; ///< All requests, with their senders.
        bool lossless{false};                           ///< The port refuses frames, loses none.
        bool ordered{false};                            ///< Deliveries must be in order.
        std::function<std::string(const Frame&)> describe{DescribeFrame}; ///< Labels a frame.
        bool confirms{false}; ///< SENT does not end a request.
    };

    /** A sent frame; a broadcast is one frame to each other peer. */
    struct Sent
    {
        Frame frame; ///< The frame.
        Peer to;     ///< Receiver.

        /** Equality of both. @return True if they are equal. */
        bool operator==(const Sent&) const = default;
    };

    /**
     * Constructor.
     * @param setting requests and network, not owned
     * @param self the peer whose core acts
     * @param room room of each peer
     * @param before state of the peer before the step
     * @param text stream for a description of the core's actions, or nullptr
     */
    StepRecorder(const Setting& setting,
                 Peer self,
                 std::vector<uint32_t> room,
                 const HostState& before = {},
                 std::ostream* text = nullptr);

    /**
     * Send a frame. A broadcast becomes a frame to each other peer.
     * @param to the destination, or NO_PEER
     * @param frame the frame
     * @return false if the port is busy
     */
    bool Send(Peer to, const Frame& frame);

    /** @return the distance of any two peers [ticks]. */
    Ticks Distance(Peer) const
    {
        return 1;
    }

    /** @return the transmission time of any frame [ticks]. */
    Ticks WireTicks(const Frame&) const
    {
        return 1;
    }

    /** @return the time, which is constant in a search [ticks]. */
    Ticks Now() const
    {
        return 0;
    }

    /** @return zero, whatever the bound. */
    uint32_t Random(uint32_t) const
    {
        return 0;
    }

    /**
     * Arm a timer.
     * @param id the timer
     */
    void Arm(TimerId id, Ticks);

    /**
     * Cancel a timer.
     * @param id the timer
     */
    void Cancel(TimerId id);

    /**
     * Request work.
     * @param work the work
     */
    void Do(const Work& work);

    /**
     * Deliver a message.
     * @param delivery the message
     */
    void Deliver(const Delivery& delivery);

    /**
     * Complete a request.
     * @param id the request
     * @param completion its outcome
     */
    void Complete(RequestId id, Completion completion);

    /**
     * Count a reason.
     * @param reason the reason
     */
    void Note(Reason reason)
    {
        reasons.push_back(reason);
    }

    /**
     * Record a violation, if it is the first.
     * @param sentence description of the violation, without a full stop
     */
    void Violate(const std::string& sentence);

    /**
     * Set the description.
     * @param text stream for a description of the core's actions, or nullptr
     */
    void SetText(std::ostream* text)
    {
        m_text = text;
    }

    /**
     * Compare the actions of two steps. Reasons and the durations of timers do not count.
     * @param other the other step
     * @return true if they are equal
     */
    bool HasSameActions(const StepRecorder& other) const;

    /**
     * Describe an event.
     * @param event an event other than a loss
     * @return the event, such as "peer 1 receives data 0 from peer 0"
     */
    std::string Describe(const CoreEvent& event) const;

    std::vector<Sent> sent;                        ///< Frames sent.
    std::vector<std::pair<TimerId, bool>> touched; ///< Timers armed (true) or cancelled.
    uint64_t claimed{0};                           ///< Requests reported as delivered, a bit each.
    std::vector<Reason> reasons;                   ///< Reasons noted.
    std::string violation;                         ///< The first violation.
    Acceptance acceptance{Acceptance::ACCEPTED};   ///< Acceptance of the request.

  private:
    const Setting* m_setting;     ///< Requests and network.
    std::vector<uint32_t> m_room; ///< Room of each peer.
    std::ostream* m_text;         ///< Description, or nullptr.
    Peer m_self;                  ///< The peer whose core acts.
};

/**
 * @ingroup messaging
 * Distinct states of cores of one type.
 *
 * A core may declare `static bool OutlastsSlip(TimerId)`, true for timers that outlast the
 * network's maximum slip. Such a timer, armed on arrival of a frame, does not fire while a frame
 * that this one has overtaken is in flight. Every other timer may fire as soon as it is armed.
 *
 * A core that treats all peers and messages alike may draw itself (Outline).
 *
 * @tparam Core a protocol core
 */
template <class Core>
class CoresOf : public CoreStore
{
    static_assert(ProtocolCore<Core, StepRecorder>, "A search drives a protocol core.");

  public:
    /** Checks all cores; returns a sentence on the violation, or an empty string. */
    using Invariant = std::function<std::string(const std::vector<Core>& cores)>;

    /** Renumbers the cores and the frames in flight. States that differ only by the origin of a
     * count become equal, and behaviour does not change. */
    using Renumbering =
        std::function<void(std::vector<Core>& cores, std::vector<FlyingFrame>& frames)>;

    /**
     * Constructor.
     * @param cores the cores in their initial state, one for each peer
     */
    explicit CoresOf(std::vector<Core> cores)
        : m_first(std::move(cores)),
          m_ids(m_first.size())
    {
    }

    uint32_t GetNPeers() const override
    {
        return static_cast<uint32_t>(m_first.size());
    }

    CoreId GetInitial(Peer peer) override
    {
        return Keep(m_first[peer], peer).first;
    }

    CoreId Run(CoreId core, const CoreEvent& event, StepRecorder& recorder) override
    {
        const Peer peer = m_kept[core].peer;
        Core next = m_kept[core].core;
        if (m_runs >= RUN_TWICE)
        {
            Step(next, event, recorder);
            const auto [id, isNew] = Keep(next, peer);
            if (!isNew && m_repetitions < MOST_REPETITIONS)
            {
                Compare(id, next, GetHostAfter(event, recorder), 0);
            }
            return id;
        }
        ++m_runs;
        Core again = next;
        StepRecorder before = recorder;
        before.SetText(nullptr);
        StepRecorder twice = before;
        Step(next, event, recorder);
        Step(again, event, twice);
        if (Encode(again).GetWords() != Encode(next).GetWords())
        {
            recorder.Violate("A core has behaved differently when it was copied");
        }
        const auto [id, isNew] = Keep(next, peer);
        if (!isNew)
        {
            Compare(id, next, GetHostAfter(event, recorder), 0);
        }
        Record(core, Trial(event, before, twice, id));
        return id;
    }

    Digest GetDigest(CoreId core) const override
    {
        return m_kept[core].digest;
    }

    std::string GetText(CoreId core) const override
    {
        std::ostringstream text;
        text << StateOf{m_kept[core].core};
        return text.str();
    }

    std::size_t GetNWords(CoreId core) const override
    {
        return Encode(m_kept[core].core).GetWords().size();
    }

    bool ConfirmsDelivery() const override
    {
        return messaging::ConfirmsDelivery(m_first.front());
    }

    bool TakesTrimmed() const override
    {
        return messaging::TakesTrimmed<Core>();
    }

    bool HasInvariant() const override
    {
        return static_cast<bool>(invariant);
    }

    std::string Check(const std::vector<CoreId>& cores) override
    {
        Gather(cores);
        return invariant(m_gathered);
    }

    bool HasRenumbering() const override
    {
        return static_cast<bool>(renumbering);
    }

    void Renumber(std::vector<CoreId>& cores, std::vector<FlyingFrame>& frames) override
    {
        Gather(cores);
        renumbering(m_gathered, frames);
        for (Peer peer = 0; peer < cores.size(); ++peer)
        {
            cores[peer] = Keep(m_gathered[peer], peer).first;
        }
    }

    bool OutlastsSlip([[maybe_unused]] TimerId timer) const override
    {
        if constexpr (requires { Core::OutlastsSlip(timer); })
        {
            return Core::OutlastsSlip(timer);
        }
        return false;
    }

    bool HasSlipTimers() const override
    {
        return requires { Core::OutlastsSlip(TimerId{}); };
    }

    std::size_t GetNCores() const override
    {
        return m_kept.size();
    }

    std::string GetConflict() const override
    {
        return m_conflict;
    }

    bool IsSymmetric() const override
    {
        return IS_SYMMETRIC && !invariant && !renumbering;
    }

    void Draw(CoreId core, const HostState& host, Outline& outline) const override
    {
        if constexpr (IS_SYMMETRIC)
        {
            const Core& first = m_first[m_kept[core].peer];
            m_kept[core].core.Encode(outline);
            DrawTimers(first, host.timers, outline);
            outline.BeginSet();
            for (const auto work : host.work)
            {
                outline.BeginItem();
                if constexpr (requires { first.EncodeWork(work, outline); })
                {
                    first.EncodeWork(work, outline);
                }
                else
                {
                    outline.Put(work);
                }
            }
            outline.EndSet();
        }
    }

    void DrawFlight(const FlyingFrame& flying,
                    const std::vector<TimerId>& timers,
                    Outline& outline) const override
    {
        if constexpr (IS_SYMMETRIC)
        {
            m_first[0].EncodeFrame(flying.from, flying.to, flying.frame, outline);
            DrawTimers(m_first[flying.to], timers, outline);
        }
    }

    Invariant invariant;     ///< Checks all cores, if set.
    Renumbering renumbering; ///< Renumbers states, if set.

  private:
    /** Peers, messages and IDs may be exchanged. */
    static constexpr bool IS_SYMMETRIC = requires { requires Core::IS_SYMMETRIC; };

    /** Number of initial steps that run twice, on copies that must agree, and are repeated with
     * other cores of an equal canonical form. */
    static constexpr uint32_t RUN_TWICE = 1024;

    /** Maximum number of these repetitions. */
    static constexpr uint32_t MOST_REPETITIONS = 1 << 15;

    /** Maximum number of steps for which a difference between two cores is followed. */
    static constexpr uint32_t MOST_FOLLOWED = 4;

    /** Maximum number of cores that are kept beside one of an equal canonical form. */
    static constexpr std::size_t MOST_TWINS = 4;

    /** A state. */
    struct Kept
    {
        Core core;     ///< The core.
        Digest digest; ///< Digest of its canonical form.
        Peer peer;     ///< Peer of the core.
    };

    /** A step that has been run. */
    struct Trial
    {
        /**
         * Constructor.
         * @param happened the event
         * @param start the recorder before the step
         * @param end the recorder after it
         * @param core the state after it
         */
        Trial(const CoreEvent& happened,
              const StepRecorder& start,
              const StepRecorder& end,
              CoreId core)
            : event(happened),
              frame(happened.frame ? *happened.frame : Frame{}),
              request(happened.request ? *happened.request : Request{}),
              before(start),
              after(end),
              host(GetHostBefore(happened, start)),
              next(core)
        {
        }

        /** @return the event, with frame and request of this object. */
        CoreEvent GetEvent() const
        {
            CoreEvent own = event;
            own.frame = event.frame ? &frame : nullptr;
            own.request = event.request ? &request : nullptr;
            return own;
        }

        CoreEvent event;     ///< The event, whose frame and request may no longer exist.
        Frame frame;         ///< The frame.
        Request request;     ///< The request.
        StepRecorder before; ///< The recorder before the step.
        StepRecorder after;  ///< The recorder after it.
        HostState host;      ///< State of the peer before the event.
        CoreId next;         ///< The core's state after it.
    };

    /** A core that was merged with a stored one since their canonical forms are equal. */
    struct Twin
    {
        Core core;      ///< The core.
        HostState host; ///< State of its peer.
    };

    /** Such cores of a stored one, and its steps. */
    struct Merged
    {
        std::vector<Twin> twins;  ///< The first of the cores.
        std::deque<Trial> trials; ///< Steps of the stored core.
    };

    /**
     * Get the state of a peer before an event, which the search has taken off it.
     * @param event the event
     * @param recorder the recorder before the step
     * @return the state
     */
    static HostState GetHostBefore(const CoreEvent& event, const StepRecorder& recorder)
    {
        HostState host = recorder;
        const auto insert = [&](std::vector<uint64_t>& sorted) {
            sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), event.which), event.which);
        };
        if (event.kind == EventKind::TIMEOUT)
        {
            insert(host.timers);
        }
        else if (event.kind == EventKind::DONE)
        {
            insert(host.work);
        }
        host.waiting = host.waiting || event.kind == EventKind::READY;
        return host;
    }

    /**
     * Get the state of a peer after an event.
     * @param event the event
     * @param recorder the recorder after the step
     * @return the state, as the search will complete it
     */
    static HostState GetHostAfter(const CoreEvent& event, const StepRecorder& recorder)
    {
        HostState host = recorder;
        const bool posts = event.kind == EventKind::POST;
        host.posted += posts && recorder.acceptance == Acceptance::ACCEPTED ? 1 : 0;
        return host;
    }

    /**
     * Record a step, and repeat it with the other cores of an equal canonical form.
     * @param core the state before it
     * @param trial the step
     */
    void Record(CoreId core, Trial trial)
    {
        Merged& merged = m_merged[core];
        merged.trials.push_back(std::move(trial));
        for (std::size_t i = 0; i < merged.twins.size(); ++i)
        {
            Repeat(core, merged.twins[i], merged.trials.back(), 0);
        }
    }

    /**
     * Repeat the steps of a stored core with one of an equal canonical form.
     * @param id the stored core
     * @param core the other one
     * @param host state of its peer
     * @param followed steps since the cores were merged
     */
    void Compare(CoreId id, const Core& core, const HostState& host, uint32_t followed)
    {
        if (m_repetitions >= MOST_REPETITIONS || followed > MOST_FOLLOWED)
        {
            return;
        }
        Merged& merged = m_merged[id];
        const Twin twin{core, host};
        if constexpr (std::equality_comparable<Core>)
        {
            const auto isSame = [&](const Twin& known) {
                return known.core == core && known.host == host;
            };
            if (core == m_kept[id].core ||
                std::any_of(merged.twins.begin(), merged.twins.end(), isSame))
            {
                return;
            }
        }
        if (merged.twins.size() < MOST_TWINS)
        {
            merged.twins.push_back(twin);
        }
        for (std::size_t i = 0; i < merged.trials.size(); ++i)
        {
            Repeat(id, twin, merged.trials[i], followed);
        }
    }

    /**
     * Repeat a step of a stored core with another core of an equal canonical form, at a peer in the
     * same state.
     * @param id the stored core
     * @param twin the other one
     * @param trial the step
     * @param followed steps since the cores were merged
     */
    void Repeat(CoreId id, const Twin& twin, const Trial& trial, uint32_t followed)
    {
        if (m_repetitions >= MOST_REPETITIONS || !(twin.host == trial.host))
        {
            return;
        }
        ++m_repetitions;
        Core next = twin.core;
        StepRecorder recorder = trial.before;
        Step(next, trial.GetEvent(), recorder);
        if (MakeDigest(Encode(next).GetWords()) == m_kept[trial.next].digest &&
            recorder.HasSameActions(trial.after))
        {
            Compare(trial.next, next, GetHostAfter(trial.event, recorder), followed + 1);
            return;
        }
        const std::string one = GetActions(m_kept[id].core, trial);
        const std::string other = GetActions(twin.core, trial);
        const std::string difference = one == other
                                           ? "both: " + one + "; but their states then differ"
                                           : "one " + one + "; the other " + other;
        const std::string sentence =
            "Encode leaves out state, so the search is not valid: two cores with equal encodings "
            "act differently when " +
            trial.before.Describe(trial.GetEvent()) + ": " + difference + ".";
        if (m_conflict.empty() || sentence < m_conflict)
        {
            m_conflict = sentence;
        }
    }

    /**
     * Describe the actions of a core.
     * @param core the core
     * @param trial the step
     * @return its actions; "does nothing" for none
     */
    static std::string GetActions(Core core, const Trial& trial)
    {
        std::ostringstream text;
        StepRecorder recorder = trial.before;
        recorder.SetText(&text);
        Step(core, trial.GetEvent(), recorder);
        if (trial.event.kind == EventKind::POST)
        {
            text << ", and the request is " << recorder.acceptance;
        }
        constexpr std::size_t SEPARATOR = 2;
        return text.str().empty() ? "does nothing" : text.str().substr(SEPARATOR);
    }

    /** Draw a set of timers. @param core draws each @param timers the timers @param outline
     * receives them */
    static void DrawTimers(const Core& core, const std::vector<TimerId>& timers, Outline& outline)
    {
        outline.BeginSet();
        for (const auto timer : timers)
        {
            outline.BeginItem();
            core.EncodeTimer(timer, outline);
        }
        outline.EndSet();
    }

    /** @param core a core @return its canonical form */
    static Encoder Encode(const Core& core)
    {
        Encoder encoder;
        core.Encode(encoder);
        return encoder;
    }

    /**
     * Let a core handle an event.
     * @param core the core
     * @param event the event
     * @param recorder records its actions
     */
    static void Step(Core& core, const CoreEvent& event, StepRecorder& recorder)
    {
        switch (event.kind)
        {
        case EventKind::POST:
            recorder.acceptance = core.OnRequest(*event.request, recorder);
            return;
        case EventKind::DONE:
            core.OnDone(event.which, recorder);
            return;
        case EventKind::READY:
            core.OnReady(recorder);
            return;
        case EventKind::TIMEOUT:
            core.OnTimer(event.which, recorder);
            return;
        case EventKind::DELIVER:
        case EventKind::MARK:
        case EventKind::TRIM:
        case EventKind::DUPLICATE:
        case EventKind::LOSE:
            core.OnFrame(event.from, *event.frame, recorder);
            return;
        }
    }

    /**
     * Store a state.
     * @param core the state
     * @param peer peer of the core
     * @return its number, and whether it is new
     */
    std::pair<CoreId, bool> Keep(const Core& core, Peer peer)
    {
        const Digest digest = MakeDigest(Encode(core).GetWords());
        const auto [place, isNew] =
            m_ids[peer].try_emplace(digest, static_cast<CoreId>(m_kept.size()));
        if (isNew)
        {
            m_kept.push_back(Kept{core, digest, peer});
        }
        return {place->second, isNew};
    }

    /**
     * Copy the cores of a state into one vector.
     * @param cores the states
     */
    void Gather(const std::vector<CoreId>& cores)
    {
        m_gathered.clear();
        for (const auto core : cores)
        {
            m_gathered.push_back(m_kept[core].core);
        }
    }

    std::vector<Core> m_first;                   ///< Initial states.
    std::vector<std::map<Digest, CoreId>> m_ids; ///< Numbers of states, by peer.
    std::deque<Kept> m_kept;                     ///< All states.
    std::vector<Core> m_gathered;                ///< The cores of one state.
    uint32_t m_runs{0};                          ///< Steps run, up to RUN_TWICE.
    std::map<CoreId, Merged> m_merged;           ///< Cores with equal canonical forms.
    uint32_t m_repetitions{0};                   ///< Steps repeated with such cores.
    std::string m_conflict;                      ///< Two such cores act differently.
};

/**
 * Copy the cores of a group for a search.
 * @tparam Group a group that contains its peers' cores, such as a CoreGroup
 * @param group the group
 * @return copies of the cores
 */
template <class Group>
auto
MakeCores(const Group& group)
{
    using Core = std::decay_t<decltype(group.GetCore(Peer{}))>;
    std::vector<Core> cores;
    for (Peer peer = 0; peer < group.GetNPeers(); ++peer)
    {
        cores.push_back(group.GetCore(peer));
    }
    return std::make_shared<CoresOf<Core>>(std::move(cores));
}

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SEARCH_CORE_STORE_H
