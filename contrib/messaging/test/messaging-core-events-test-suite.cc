/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/log.h"
#include "ns3/messaging-core-group.h"
#include "ns3/messaging-datagram-protocol.h"
#include "ns3/messaging-flow-core.h"
#include "ns3/messaging-forwarding-port.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/messaging-registry.h"
#include "ns3/messaging-segmenting-core.h"
#include "ns3/messaging-text.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Tests of the trace sources and log lines that every group with protocol cores has.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** A core that does each action once for a message of one byte or more, and refuses empty ones. */
class EveryActionCore
{
  public:
    /** Timer that is left to fire. */
    static constexpr TimerId KEPT = 1;
    /** Timer that is cancelled. */
    static constexpr TimerId CANCELLED = 2;
    /** Work that is requested. */
    static constexpr WorkId WORK = 3;
    /** Event that is noted. */
    static constexpr Reason EVENT = 4;
    /** Delay of both timers [ticks]. */
    static constexpr Ticks DELAY = 50;

    /**
     * Send a message in a frame. @param request the message @param out actions @return refused if
     * it is empty
     */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        if (request.bytes == 0)
        {
            return Acceptance::REFUSED;
        }
        out.Send(request.to, Frame{.id = request.id, .payload = request.bytes, .header = 8});
        out.Arm(KEPT, DELAY);
        out.Arm(CANCELLED, DELAY);
        out.Cancel(CANCELLED);
        out.Do(Work{.id = WORK, .amount = 1});
        out.Complete(request.id, Completion::SENT);
        out.Note(EVENT);
        messaging::TracePath(out, request.to, 9, "good");
        return Acceptance::ACCEPTED;
    }

    /** Deliver a frame. @param from its sender @param frame the frame @param out actions */
    template <class Out>
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        out.Deliver(Delivery{.id = frame.id, .from = from, .bytes = frame.payload});
    }

    /** Timers only fire. */
    template <class Out>
    void OnTimer(TimerId, Out&)
    {
    }

    /** Work only ends. */
    template <class Out>
    void OnDone(WorkId, Out&)
    {
    }

    /** No frame is refused. */
    template <class Out>
    void OnReady(Out&)
    {
    }

    /** The core has no state. */
    template <class E>
    void Encode(E&) const
    {
    }
};

/** The same core, if it took trimmed frames. */
class TrimmedFramesCore : public EveryActionCore
{
  public:
    static constexpr bool TAKES_TRIMMED = true; ///< It takes them.
};

static_assert(!TakesTrimmed<SegmentingCore<EveryActionCore>>());
static_assert(TakesTrimmed<SegmentingCore<TrimmedFramesCore>>());
static_assert(TakesTrimmed<FlowCore<TrimmedFramesCore>>());

/** A port whose user can be asked. */
class AskingPort : public ErasedPort<LoopbackPort>
{
  public:
    using ErasedPort::ErasedPort;

    void SetUser(PortUser* user) override
    {
        m_user = user;
        ErasedPort::SetUser(user);
    }

    /** @return whether the user takes trimmed frames. */
    bool IsTakenTrimmed() const
    {
        return m_user && m_user->TakesTrimmed();
    }

  private:
    PortUser* m_user{nullptr}; ///< The user.
};

/** Collects the events of a group as texts. */
class Listener
{
  public:
    /** @param group the group, all of whose trace sources are connected */
    void Connect(MessageGroup& group)
    {
        group.TraceConnectWithoutContext("Post", MakeCallback(&Listener::OnPost, this));
        group.TraceConnectWithoutContext("Decline", MakeCallback(&Listener::OnDecline, this));
        group.TraceConnectWithoutContext("Send", MakeCallback(&Listener::OnSend, this));
        group.TraceConnectWithoutContext("Arrive", MakeCallback(&Listener::OnArrive, this));
        group.TraceConnectWithoutContext("TimerSet", MakeCallback(&Listener::OnTimerSet, this));
        group.TraceConnectWithoutContext("TimerCancel",
                                         MakeCallback(&Listener::OnTimerCancel, this));
        group.TraceConnectWithoutContext("TimerFire", MakeCallback(&Listener::OnTimerFire, this));
        group.TraceConnectWithoutContext("WorkBegin", MakeCallback(&Listener::OnWorkBegin, this));
        group.TraceConnectWithoutContext("WorkEnd", MakeCallback(&Listener::OnWorkEnd, this));
        group.TraceConnectWithoutContext("Deliver", MakeCallback(&Listener::OnDeliver, this));
        group.TraceConnectWithoutContext("Complete", MakeCallback(&Listener::OnComplete, this));
        group.TraceConnectWithoutContext("Note", MakeCallback(&Listener::OnNote, this));
        group.TraceConnectWithoutContext("Path", MakeCallback(&Listener::OnPath, this));
    }

    /** @return the events in their order. */
    const std::vector<std::string>& GetEvents() const
    {
        return m_events;
    }

  private:
    /** @param self the peer @param request the message */
    void OnPost(Peer self, const Request& request)
    {
        m_events.push_back(ToText(self, " posts ", request.id));
    }

    /** @param self the peer @param request the message @param acceptance why not */
    void OnDecline(Peer self, const Request& request, Acceptance acceptance)
    {
        m_events.push_back(ToText(request.id, " of ", self, " is ", acceptance));
    }

    /** @param self the sender @param to the receiver @param frame the frame */
    void OnSend(Peer self, Peer to, const Frame& frame)
    {
        m_events.push_back(ToText(self, " sends ", frame.id, " to ", to));
    }

    /** @param self the receiver @param from the sender @param frame the frame */
    void OnArrive(Peer self, Peer from, const Frame& frame)
    {
        m_events.push_back(ToText(self, " gets ", frame.id, " from ", from));
    }

    /** @param self the peer @param timer the timer @param delay its delay [ticks] */
    void OnTimerSet(Peer self, TimerId timer, Ticks delay)
    {
        m_events.push_back(ToText(self, " sets timer ", timer, " to ", delay));
    }

    /** @param self the peer @param timer the timer */
    void OnTimerCancel(Peer self, TimerId timer)
    {
        m_events.push_back(ToText(self, " cancels timer ", timer));
    }

    /** @param self the peer @param timer the timer */
    void OnTimerFire(Peer self, TimerId timer)
    {
        m_events.push_back(ToText("timer ", timer, " of ", self));
    }

    /** @param self the peer @param work the work */
    void OnWorkBegin(Peer self, const Work& work)
    {
        m_events.push_back(ToText(self, " begins work ", work.id));
    }

    /** @param self the peer @param id the work */
    void OnWorkEnd(Peer self, WorkId id)
    {
        m_events.push_back(ToText("work ", id, " of ", self));
    }

    /** @param self the receiver @param delivery the message */
    void OnDeliver(Peer self, const Delivery& delivery)
    {
        m_events.push_back(ToText(self, " delivers ", delivery.id, " from ", delivery.from));
    }

    /** @param self the sender @param id the message @param completion its stage */
    void OnComplete(Peer self, RequestId id, Completion completion)
    {
        m_events.push_back(ToText(id, " of ", self, " is ", completion));
    }

    /** @param self the peer @param event name of the event */
    void OnNote(Peer self, const std::string& event)
    {
        m_events.push_back(ToText(self, " notes ", event));
    }

    /** @param self the peer @param to the other end @param path the path @param state its state */
    void OnPath(Peer self, Peer to, uint16_t path, const std::string& state)
    {
        m_events.push_back(ToText("path ", path, " of ", self, " to ", to, " is ", state));
    }

    std::vector<std::string> m_events; ///< The events.
};

/** One message that is sent and one that is refused, seen through the trace sources. */
class EveryEventCase : public TestCase
{
  public:
    EveryEventCase()
        : TestCase("every event of a core has a trace source, in the order of the events")
    {
    }

  private:
    void DoRun() override
    {
        const auto clock = CreateObject<TickClock>();
        using Group = CoreGroup<EveryActionCore, LoopbackPort>;
        const auto group = CreateObject<Group>();
        group->Connect(clock, Create<LoopbackPort>(clock, 2), [](Peer) {
            return EveryActionCore();
        });
        Listener listener;
        listener.Connect(*group);

        group->Post(0, Request{.id = 7, .to = 1, .bytes = 4});
        group->Post(1, Request{.id = 8, .to = 0});
        Simulator::Run();

        const std::vector<std::string> expected{"0 posts 7",
                                                "0 sends 7 to 1",
                                                "0 sets timer 1 to 50",
                                                "0 sets timer 2 to 50",
                                                "0 cancels timer 2",
                                                "0 begins work 3",
                                                "7 of 0 is sent",
                                                "0 notes event 4",
                                                "path 9 of 0 to 1 is good",
                                                "1 posts 8",
                                                "8 of 1 is refused",
                                                "work 3 of 0",
                                                "1 gets 7 from 0",
                                                "1 delivers 7 from 0",
                                                "timer 1 of 0"};
        const std::vector<std::string>& events = listener.GetEvents();
        NS_TEST_ASSERT_MSG_EQ(events.size(), expected.size(), "number of events");
        for (std::size_t i = 0; i < events.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(events[i], expected[i], "event " << i);
        }
        group->Dispose();
        clock->Dispose();
        Simulator::Destroy();
    }
};

/** What a port learns of the cores behind it. */
class TrimmedFramesCase : public TestCase
{
  public:
    TrimmedFramesCase()
        : TestCase("a port takes trimmed frames for cores that declare it, through ports in front")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(IsTakenTrimmed<EveryActionCore>(), false, "no declaration");
        NS_TEST_EXPECT_MSG_EQ(IsTakenTrimmed<TrimmedFramesCore>(), true, "a declaration");
    }

    /** @tparam Core type of the cores of a group @return whether the network sees that it takes
     * trimmed frames. */
    template <class Core>
    static bool IsTakenTrimmed()
    {
        const auto clock = CreateObject<TickClock>();
        const Ptr<AskingPort> network(new AskingPort(Create<LoopbackPort>(clock, 2)), false);
        const Ptr<AnyPort> port = Create<ForwardingPort<AnyPort>>(Ptr<AnyPort>(network));
        const auto group = CreateObject<CoreGroup<Core, AnyPort>>();
        group->Connect(clock, port, [](Peer) { return Core(); });
        const bool isTaken = network->IsTakenTrimmed();
        group->Dispose();
        clock->Dispose();
        return isTaken;
    }
};

/** Names of the log components of classes. */
class LogNameCase : public TestCase
{
  public:
    LogNameCase()
        : TestCase("a class with a summary has a log component of its name and module")
    {
    }

  private:
    void DoRun() override
    {
        const LogComponent& none = GetLog(NoneProtocol::GetTypeId(), GetOther());
        // Some releases of ns-3 return a pointer.
        const std::string name = none.Name();
        NS_TEST_EXPECT_MSG_EQ(name, "MessagingNoneProtocol", "the namespace in front");
        NS_TEST_EXPECT_MSG_EQ(GetLog(MessageGroup::GetTypeId(), GetOther()).Name(),
                              GetOther().Name(),
                              "a class without a summary");
        const std::vector<std::pair<std::string, std::string>> rows{
            {"ns3::LogCaseLoneClass", "LogCaseLoneClass"},
            {"ns3::logcase::LogcaseProtocol", "LogcaseProtocol"},
            {"ns3::logcase::PlainProtocol", "LogcasePlainProtocol"},
            {"ns3::outer::logcase::InnerProtocol", "LogcaseInnerProtocol"},
            {"LogCaseOfNoNamespace", "LogCaseOfNoNamespace"},
            {"logcase::AlienProtocol", "LogcaseAlienProtocol"}};
        for (const auto& [type, component] : rows)
        {
            const TypeId id = SetSummary(TypeId(type), "A class of a test.");
            NS_TEST_EXPECT_MSG_EQ(GetLog(id, GetOther()).Name(),
                                  component,
                                  "log component of " << type);
        }
    }

    /** @return another component. */
    static const LogComponent& GetOther()
    {
        return GetLogComponent("MessagingCores");
    }
};

#ifdef NS3_LOG_ENABLE

/** Log lines of a protocol. */
class LogLinesCase : public TestCase
{
  public:
    LogLinesCase()
        : TestCase("a group that a protocol has made logs by the component of the protocol")
    {
    }

  private:
    void DoRun() override
    {
        std::ostringstream lines;
        std::streambuf* const screen = std::clog.rdbuf(lines.rdbuf());
        LogComponentEnable("MessagingNoneProtocol", LOG_LEVEL_INFO);
        const auto clock = CreateObject<TickClock>();
        const auto port = MakeAnyPort(Create<LoopbackPort>(clock, 2));
        const auto group = CreateObject<NoneProtocol>()->Connect({.clock = clock, .port = port});
        group->Post(0, Request{.id = 7, .to = 1, .bytes = 4});
        Simulator::Run();
        LogComponentDisable("MessagingNoneProtocol", LOG_LEVEL_INFO);
        group->Post(0, Request{.id = 8, .to = 1, .bytes = 4});
        std::clog.rdbuf(screen);
        NS_TEST_EXPECT_MSG_EQ(lines.str(),
                              "Peer 0 posts message 7 of 4 bytes to peer 1\n"
                              "Message 7 of peer 0 is sent\n"
                              "Peer 1 delivers message 0 of 4 bytes from peer 0\n",
                              "the journey of a message, and nothing after it");
        group->Dispose();
        clock->Dispose();
        Simulator::Destroy();
    }
};

#endif // NS3_LOG_ENABLE

/** Suite of the trace sources of groups with cores. */
class CoreEventsTestSuite : public TestSuite
{
  public:
    CoreEventsTestSuite()
        : TestSuite("messaging-core-events", Type::UNIT)
    {
        AddTestCase(new EveryEventCase, TestCase::Duration::QUICK);
        AddTestCase(new TrimmedFramesCase, TestCase::Duration::QUICK);
        AddTestCase(new LogNameCase, TestCase::Duration::QUICK);
#ifdef NS3_LOG_ENABLE
        AddTestCase(new LogLinesCase, TestCase::Duration::QUICK);
#endif
    }
};

CoreEventsTestSuite g_coreEventsTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
