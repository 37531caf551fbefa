/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_CORE_GROUP_H
#define MESSAGING_CORE_GROUP_H

#include "ns3/abort.h"
#include "ns3/messaging-core-events.h"
#include "ns3/messaging-core.h"
#include "ns3/messaging-host.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Runs the protocol cores of a whole group over one port.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * A group whose peers each run a protocol core, over one port and one clock.
 *
 * Core and port are template arguments: between the arrival of a frame and the departure of the
 * answer, the only call through a pointer is the port's upcall. The cores lie in one vector.
 *
 * Every core accepts a timer that was cancelled or restarted. If it declares
 * `IGNORES_STALE_TIMERS`, such timers always fire, and cancelling costs nothing. For any other
 * core, a map of pending timers suppresses them, unless SetFiresStaleTimers lets them fire. A core
 * may declare `bool CanAccept() const`; OnReady then notifies a stalled peer as soon as it returns
 * true, and otherwise after each completion. A core that reports DELIVERED after SENT declares
 * `bool ConfirmsDelivery() const`, the same for all peers; without it, SENT ends a message. A core
 * that refuses larger messages declares `uint32_t GetLargestMessage() const`. One that takes
 * trimmed frames declares `TAKES_TRIMMED` (TakesTrimmed). A base may declare
 * `void OnNote(Peer, Reason)`, which is called with each reason, and override DescribeReason.
 *
 * Work that a core requests takes no time unless SetHosts assigns a host.
 *
 * @tparam Core the protocol, a ProtocolCore
 * @tparam Port the network, a DatagramPort
 * @tparam Base the group's base, for groups with attributes and trace sources of their own: a
 * CoreEvents
 */
template <class Core, DatagramPort Port, class Base = CoreEvents>
class CoreGroup : public Base, private PortUser, private TickUser
{
  public:
    /**
     * Create the cores and connect them.
     * @param clock the clock that the port's ticks are counted by
     * @param port the network
     * @param make given a Peer, returns its Core
     */
    template <class Make>
    void Connect(Ptr<TickClock> clock, Ptr<Port> port, Make&& make)
    {
        m_clock = clock;
        m_port = port;
        m_timers = m_clock->Register(this);
        m_doneUser.group = this;
        m_works = m_clock->Register(&m_doneUser);
        const uint32_t peers = m_port->GetNPeers();
        m_cores.reserve(peers);
        for (Peer peer = 0; peer < peers; ++peer)
        {
            m_cores.push_back(make(peer));
        }
        m_stalled.assign(peers, 0);
        m_port->SetUser(this);
    }

    /**
     * Set the hosts that do the cores' work; several peers may share a host.
     * @param hosts host of each peer; the work runs in its process of the peer's number
     * @param unit the unit of the work that they execute; work of a unit without hosts takes no
     * time
     */
    void SetHosts(std::vector<Ptr<HostModel>> hosts, WorkUnit unit = WorkUnit::HOST)
    {
        NS_ABORT_MSG_IF(hosts.size() != m_cores.size(),
                        "A group of " << m_cores.size() << " peers was given " << hosts.size()
                                      << " hosts; it needs one for each peer.");
        m_hosts[static_cast<std::size_t>(unit)] = std::move(hosts);
    }

    uint32_t GetNPeers() const override
    {
        return static_cast<uint32_t>(m_cores.size());
    }

    bool ConfirmsDelivery() const override
    {
        return !m_cores.empty() && messaging::ConfirmsDelivery(m_cores.front());
    }

    int64_t AssignStreams(int64_t stream) override
    {
        GetRandom().SetStream(stream);
        return 1;
    }

    void SetFiresStaleTimers(bool fire) override
    {
        m_firesStale = fire;
    }

    Acceptance Post(Peer self, const Request& request) override
    {
        Base::TracePost(self, request);
        Out out{*this, self};
        const Acceptance acceptance = m_cores[self].OnRequest(request, out);
        if (acceptance != Acceptance::ACCEPTED)
        {
            Base::TraceDecline(self, request, acceptance);
        }
        if (acceptance == Acceptance::STALLED)
        {
            m_stalled[self] = 1;
        }
        else if (m_stalled[self]) [[unlikely]]
        {
            // The user has posted another message within this post, which was stalled.
            Wake(self, out.completed);
        }
        return acceptance;
    }

    uint32_t GetLargestMessage() const override
    {
        if constexpr (requires(const Core& core) { core.GetLargestMessage(); })
        {
            return m_cores.front().GetLargestMessage();
        }
        return Base::GetLargestMessage();
    }

    /**
     * @param peer a peer
     * @return its core
     */
    const Core& GetCore(Peer peer) const
    {
        return m_cores[peer];
    }

    /**
     * @param reason a reason
     * @return its count over all cores
     */
    uint64_t GetCount(Reason reason) const
    {
        return m_counts[reason];
    }

    /** @return the network. */
    Ptr<Port> GetPort() const
    {
        return m_port;
    }

    /** @return the clock. */
    Ptr<TickClock> GetClock() const
    {
        return m_clock;
    }

  protected:
    void DoDispose() override
    {
        if (m_port)
        {
            m_port->SetUser(nullptr);
        }
        if (m_clock)
        {
            m_clock->Unregister(m_timers);
            m_clock->Unregister(m_works);
        }
        m_port = nullptr;
        m_clock = nullptr;
        m_cores.clear();
        m_hosts = {};
        Base::DoDispose();
    }

    /**
     * @param peer a peer
     * @return its core, mutable
     */
    Core& GetCore(Peer peer)
    {
        return m_cores[peer];
    }

    /**
     * Mark a peer as stalled, so that OnReady notifies it when its core accepts again.
     * @param peer the peer
     */
    void MarkStalled(Peer peer)
    {
        m_stalled[peer] = 1;
    }

    /**
     * Run an event on a core, then notify its user if it may post again.
     * @param peer the core's peer
     * @param event calls the core
     */
    template <class Event>
    void Dispatch(Peer peer, Event&& event)
    {
        Out out{*this, peer};
        event(m_cores[peer], out);
        if (m_stalled[peer]) [[unlikely]]
        {
            Wake(peer, out.completed);
        }
    }

    /** Let all cores continue, and notify all stalled peers whose cores accept again. */
    void WakeAll()
    {
        for (Peer peer = 0; peer < m_stalled.size(); ++peer)
        {
            OnReady(peer);
            Wake(peer, true);
        }
    }

    /**
     * Check whether stalled peers may be notified.
     * @return true, unless overridden
     */
    virtual bool MayWake() const
    {
        return true;
    }

  private:
    /** Cancelled timers may fire. */
    static constexpr bool LAZY = requires { requires Core::IGNORES_STALE_TIMERS; };

    /** Actions of one core. */
    struct Out
    {
        CoreGroup& group;      ///< The group.
        Peer self;             ///< The core's peer.
        bool completed{false}; ///< A posted message has ended.

        /** Send a frame. @param to destination @param frame the frame @return false if busy */
        bool Send(Peer to, const Frame& frame)
        {
            const bool sent = PeekPointer(group.m_port)->Send(self, to, frame);
            if (sent)
            {
                group.TraceSend(self, to, frame);
            }
            return sent;
        }

        /** @return true if Send would return false; OnReady follows. */
        bool IsBusy()
            requires requires(Port& port, Peer peer) { port.IsBusy(peer); }
        {
            return PeekPointer(group.m_port)->IsBusy(self);
        }

        /** Let the port accept frames for this peer, or leave them in the network. @param accepting
         * true to accept them */
        void SetAccepting(bool accepting)
            requires requires(Port& port, Peer peer) { port.SetAccepting(peer, true); }
        {
            group.m_port->SetAccepting(self, accepting);
        }

        /** @param to a peer @return its distance [ticks] */
        Ticks Distance(Peer to) const
        {
            return group.m_port->Distance(self, to);
        }

        /** @param frame a frame @return its transmission time [ticks] */
        Ticks WireTicks(const Frame& frame) const
        {
            return group.m_port->WireTicks(frame);
        }

        /** @return the time of the port's clock [ticks]. */
        Ticks Now() const
        {
            return PeekPointer(group.m_clock)->Now();
        }

        /** @param bound exclusive, above 0 @return a random number below it, of the group's stream
         */
        uint32_t Random(uint32_t bound)
        {
            return group.GetRandom().GetInteger(0, bound - 1);
        }

        /** Arm a timer. @param timer the timer @param delay from now [ticks] */
        void Arm(TimerId timer, Ticks delay)
        {
            TickClock* const clock = PeekPointer(group.m_clock);
            const Ticks when = clock->Now() + delay;
            if constexpr (!LAZY)
            {
                group.m_pending[{self, timer}] = when;
            }
            clock->At(when, group.m_timers, self, timer);
            group.TraceTimerSet(self, timer, delay);
        }

        /** Cancel a timer. @param timer the timer */
        void Cancel(TimerId timer)
        {
            if constexpr (!LAZY)
            {
                group.m_pending.erase({self, timer});
            }
            group.TraceTimerCancel(self, timer);
        }

        /** Do work, which takes no time without a host. @param work the work */
        void Do(const Work& work)
        {
            group.TraceWorkBegin(self, work);
            const auto& hosts = group.m_hosts[static_cast<std::size_t>(work.unit)];
            if (hosts.empty())
            {
                group.m_clock->At(group.m_clock->Now(), group.m_works, self, work.id);
                return;
            }
            const auto done = [&owner = group, peer = self, id = work.id] {
                if (owner.m_port)
                {
                    owner.m_doneUser.OnTick(peer, id);
                }
            };
            hosts[self]->Execute(self, {work}, done);
        }

        /** Deliver a message. @param delivery the message */
        void Deliver(const Delivery& delivery)
        {
            group.TraceDeliver(self, delivery);
            if (group.m_user)
            {
                group.m_user->OnDeliver(self, delivery);
            }
        }

        /** Complete a request. @param id the request @param completion its outcome */
        void Complete(RequestId id, Completion completion)
        {
            completed = true;
            group.TraceComplete(self, id, completion);
            if (group.m_user)
            {
                group.m_user->OnComplete(self, id, completion);
            }
        }

        /** Trace the state of a path. @param to the peer @param path the path @param state its name
         */
        void TracePath(Peer to, uint16_t path, const char* state)
        {
            group.TracePath(self, to, path, state);
        }

        /** Count and trace a reason, and call the base's OnNote if it has one. @param reason the
         * reason */
        void Note(Reason reason)
        {
            ++group.m_counts[reason];
            if constexpr (requires(Base& base) { base.OnNote(self, reason); })
            {
                group.OnNote(self, reason);
            }
            group.TraceNote(self, reason);
        }
    };

    static_assert(Actions<Out>);
    static_assert(ProtocolCore<Core, Out>);

    /** Passes the end of work to the core. */
    struct DoneUser : TickUser
    {
        void OnTick(Peer peer, uint64_t datum) override
        {
            group->TraceWorkEnd(peer, datum);
            group->Dispatch(peer, [&](Core& core, Out& out) { core.OnDone(datum, out); });
        }

        CoreGroup* group{nullptr}; ///< The group.
    };

    /** @return the random numbers of all cores. */
    UniformRandomVariable& GetRandom()
    {
        if (!m_random)
        {
            m_random = CreateObject<UniformRandomVariable>();
        }
        return *m_random;
    }

    /**
     * Notify a stalled peer if it may post again.
     * @param peer the peer
     * @param completed whether one of its messages has ended
     */
    void Wake(Peer peer, bool completed)
    {
        bool ready = completed;
        if constexpr (requires(const Core& core) { core.CanAccept(); })
        {
            ready = m_cores[peer].CanAccept();
        }
        if (m_stalled[peer] && ready && MayWake())
        {
            m_stalled[peer] = 0;
            if (this->m_user)
            {
                this->m_user->OnReady(peer);
            }
        }
    }

    void OnFrame(Peer self, Peer from, const Frame& frame) override
    {
        Base::TraceArrive(self, from, frame);
        Dispatch(self, [&](Core& core, Out& out) { core.OnFrame(from, frame, out); });
    }

    bool TakesTrimmed() const override
    {
        return messaging::TakesTrimmed<Core>();
    }

    void OnReady(Peer self) override
    {
        Dispatch(self, [](Core& core, Out& out) { core.OnReady(out); });
    }

    void OnTick(Peer peer, uint64_t datum) override
    {
        if constexpr (!LAZY)
        {
            const auto timer = m_pending.find({peer, datum});
            const bool pending = timer != m_pending.end() && timer->second == m_clock->Now();
            if (pending)
            {
                m_pending.erase(timer);
            }
            else if (!m_firesStale)
            {
                return;
            }
        }
        Base::TraceTimerFire(peer, datum);
        Dispatch(peer, [&](Core& core, Out& out) { core.OnTimer(datum, out); });
    }

    std::vector<Core> m_cores; ///< Core of each peer.
    std::array<std::vector<Ptr<HostModel>>, N_WORK_UNITS>
        m_hosts;                                         ///< Hosts by unit and peer, or none.
    std::vector<uint8_t> m_stalled;                      ///< Peers whose Post was stalled.
    std::array<uint64_t, 256> m_counts{};                ///< Counts by reason.
    std::map<std::pair<Peer, TimerId>, Ticks> m_pending; ///< Timers of cores that are not LAZY.
    Ptr<TickClock> m_clock;                              ///< The clock.
    Ptr<Port> m_port;                                    ///< The network.
    Ptr<UniformRandomVariable> m_random;                 ///< Random numbers; null until needed.
    DoneUser m_doneUser;                                 ///< Handler of the end of work.
    uint32_t m_timers{0};                                ///< The clock's number for timers.
    uint32_t m_works{0};                                 ///< The clock's number for work.
    bool m_firesStale{false};                            ///< Stale timers fire.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_CORE_GROUP_H
