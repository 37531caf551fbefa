/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/pcode-graph-core.h"
#include "ns3/pcode-ring-core.h"
#include "ns3/pcode-window-core.h"
#include "ns3/test.h"

#include <functional>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Every state and every event of the rival protocols' cores (paper 3, section 6.4.2).
 */

namespace ns3
{
namespace pcode
{
namespace tests
{
namespace
{

using messaging::Acceptance;
using messaging::Frame;
using messaging::NO_PEER;
using messaging::Peer;
using messaging::Request;
using messaging::TimerId;

constexpr Peer SELF = 1;      ///< The processor under test.
constexpr Peer BEFORE = 0;    ///< The one before it.
constexpr Peer AFTER = 2;     ///< The one after it.
constexpr uint32_t PEERS = 3; ///< Processors.

/** Writes down, as text, what a core wants done; an Actions. */
struct Protocol
{
    std::ostringstream log; ///< What is wanted, and what it is counted as.
    bool busy{false};       ///< The port is busy.

    /** Prints a frame of the protocol under test. */
    std::function<std::string(const Frame&)> print;
    /** Prints a reason of the protocol under test. */
    std::function<std::string(messaging::Reason)> name;

    /** @param to receiver @param frame frame @return false if busy */
    bool Send(Peer to, const Frame& frame)
    {
        log << (busy ? " busy>" : " >");
        to == NO_PEER ? log << "all:" : log << to << ":";
        log << print(frame);
        return !busy;
    }

    /** @return the distance of any two processors. */
    messaging::Ticks Distance(Peer) const
    {
        return 1;
    }

    /** @return the length of any frame. */
    messaging::Ticks WireTicks(const Frame&) const
    {
        return 1;
    }

    /** @param timer which */
    void Arm(TimerId timer, messaging::Ticks)
    {
        log << " +t" << timer;
    }

    /** @param timer which */
    void Cancel(TimerId timer)
    {
        log << " -t" << timer;
    }

    /** No work is asked for. */
    void Do(const messaging::Work&)
    {
    }

    /** @param delivery the message */
    void Deliver(const messaging::Delivery& delivery)
    {
        log << " deliver(" << delivery.contents << ")";
    }

    /** @param id the request */
    void Complete(messaging::RequestId id, messaging::Completion)
    {
        log << " done(" << id << ")";
    }

    /** @param reason the event */
    void Note(messaging::Reason reason)
    {
        log << " " << name(reason);
    }
};

/** Has a core go through something. */
template <class Core>
using Step = std::function<void(Core&, Protocol&)>;

/** @param core a core @param id of the message @param to its receiver @param bytes its size
 * @return the step that posts it */
template <class Core>
Step<Core>
Post(uint64_t id, Peer to = NO_PEER, uint32_t bytes = 8)
{
    return [=](Core& core, Protocol& out) {
        const auto acceptance = core.OnRequest(Request{id, 100 + id, to, bytes, 0, 0}, out);
        if (acceptance != Acceptance::ACCEPTED)
        {
            out.log << " " << acceptance;
        }
    };
}

/** @param timer a timer @return the step in which it fires */
template <class Core>
Step<Core>
Fire(TimerId timer)
{
    return [=](Core& core, Protocol& out) { core.OnTimer(timer, out); };
}

/** @param busy whether the port is busy from now on @return the step; tells the core if not */
template <class Core>
Step<Core>
Busy(bool busy)
{
    return [=](Core& core, Protocol& out) {
        out.busy = busy;
        if (!busy)
        {
            core.OnReady(out);
        }
    };
}

/** A case that puts a core into a state, has something happen, and compares what it does. */
template <class Core>
class StatesCase : public TestCase
{
  public:
    /** Constructor. @param name what is tested */
    explicit StatesCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /** Steps. */
    using Steps = std::vector<Step<Core>>;

    /** @return the core in its first state. */
    virtual Core MakeCore() = 0;

    /** @return what the core acts upon. */
    virtual Protocol MakeProtocol() const = 0;

    /**
     * Look at one state and one event.
     * @param state name of the state
     * @param way how to get there
     * @param event what happens there
     * @param expected what the core then does
     */
    void Look(const std::string& state,
              const Steps& way,
              const Step<Core>& event,
              const std::string& expected)
    {
        Core core = MakeCore();
        Protocol out = MakeProtocol();
        for (const auto& step : way)
        {
            step(core, out);
        }
        out.log.str("");
        event(core, out);
        NS_TEST_EXPECT_MSG_EQ(out.log.str(), expected, state);
        const Core copy = core;
        messaging::Encoder first;
        messaging::Encoder second;
        core.Encode(first);
        copy.Encode(second);
        NS_TEST_EXPECT_MSG_EQ((copy == core && first.GetWords() == second.GetWords()),
                              true,
                              state << ": a copy is equal");
    }
};

/** The token ring. */
class RingStatesCase : public StatesCase<RingCore>
{
  public:
    RingStatesCase()
        : StatesCase("token ring: every state and every event")
    {
    }

  private:
    RingCore MakeCore() override
    {
        RingConfig config;
        config.nPeers = PEERS;
        config.span = 4;
        config.perVisit = 2;
        config.queue = 3;
        config.idleRotations = 1;
        return RingCore(SELF, config);
    }

    Protocol MakeProtocol() const override
    {
        Protocol out;
        out.print = [](const Frame& frame) {
            std::ostringstream os;
            switch (static_cast<RingKind>(frame.kind))
            {
            case RingKind::MESSAGE:
                os << "message" << static_cast<uint32_t>(frame.id);
                break;
            case RingKind::TOKEN: {
                const auto token = RingCore::Unpack(frame);
                os << "token" << token.number << "[seq " << token.seq << " aru " << token.aru
                   << " by " << token.aruPeer << " wanted " << token.wanted << " recent "
                   << token.recent << " idle " << token.idle << "]";
                break;
            }
            case RingKind::HELD:
                os << "held" << frame.id;
                break;
            case RingKind::WANT:
                os << "want";
                break;
            }
            return os.str();
        };
        out.name = [](messaging::Reason reason) {
            std::ostringstream os;
            os << static_cast<RingEvent>(reason);
            return os.str();
        };
        return out;
    }

    /** @param seq its number @param source who has sent it @param to whom it is for
     * @return the step in which it arrives */
    static Step<RingCore> Message(uint32_t seq, Peer source = BEFORE, Peer to = NO_PEER)
    {
        return [=](RingCore& core, Protocol& out) {
            Frame frame;
            frame.kind = static_cast<uint8_t>(RingKind::MESSAGE);
            frame.id = (uint64_t{to} << 32) | seq;
            frame.contents = 200 + seq;
            frame.source = source;
            frame.payload = 8;
            core.OnFrame(source, frame, out);
        };
    }

    /** @param token the token @return the step in which it arrives */
    static Step<RingCore> Token(const RingCore::Token& token)
    {
        return [=](RingCore& core, Protocol& out) {
            core.OnFrame(BEFORE, RingCore::Pack(token, BEFORE), out);
        };
    }

    /** @param kind HELD or WANT @param id its number @return the step in which it arrives */
    static Step<RingCore> Control(RingKind kind, uint64_t id = 0)
    {
        return [=](RingCore& core, Protocol& out) {
            Frame frame;
            frame.kind = static_cast<uint8_t>(kind);
            frame.id = id;
            core.OnFrame(AFTER, frame, out);
        };
    }

    void DoRun() override
    {
        using R = RingCore;
        const auto want = Control(RingKind::WANT);
        const auto held = [](uint64_t id) { return Control(RingKind::HELD, id); };
        const auto token = Fire<R>(R::TOKEN_TIMER);
        const auto asks = Fire<R>(R::WANT_TIMER);
        // As it sets out, when message 1 was sent by the one before, and when it lacks message 1.
        const RingCore::Token fresh{0, 1, 0, 0, R::MAX_PEERS, 0, 0};
        const RingCore::Token one{0, 1, 1, 1, R::MAX_PEERS, 1, 0};
        const RingCore::Token asksForOne{1, 4, 1, 0, AFTER, 1, 0};
        const RingCore::Token later{0, 4, 1, 1, R::MAX_PEERS, 0, 0};

        const Steps away{};
        const Steps asking{Post<R>(1)};
        const Steps passed{Token(one), Message(1)};
        const Steps confirmed{Token(one), Message(1), held(2)};
        const Steps parked{Token({0, 1, 0, 0, R::MAX_PEERS, 0, 2})};
        const Steps serving{Post<R>(1), Busy<R>(true), Token(fresh)};
        const Steps unsent{Busy<R>(true), Token(fresh)};
        const Steps waiting{Token(fresh), held(2), Post<R>(1), Post<R>(2), Post<R>(3)};
        const Steps sent{Post<R>(1), Token(fresh)};

        Look("away", away, Post<R>(1), " token-wanted >all:want +t1");
        Look("away", away, Message(1), " message-kept deliver(201)");
        Look("away", away, Message(2), " message-kept");
        Look("away", away, Message(1, BEFORE, AFTER), " message-kept");
        Look("away",
             away,
             Token(fresh),
             " token-taken -t0 token-passed >2:token2[seq 0 aru 0 by 64 wanted 0 recent 0 idle 1] "
             "+t0");
        Look("away",
             away,
             Token(one),
             " token-taken -t0 token-passed >2:token2[seq 1 aru 0 by 1 wanted 1 recent 1 idle 0] "
             "+t0");
        Look("away", away, held(0), " -t0");
        Look("away", away, want, "");
        Look("away", away, token, "");
        Look("away", away, asks, "");
        Look("away", away, Busy<R>(false), "");
        Look("asking", asking, Post<R>(2), "");
        Look("asking",
             asking,
             Token(fresh),
             " token-taken -t0 -t1 >all:message1 message-sent token-passed >2:token2[seq 1 aru 1 "
             "by 64 wanted 0 recent 1 idle 0] +t0");
        Look("asking", asking, want, "");
        Look("asking", asking, asks, " token-wanted >all:want +t1");
        Look("asking", asking, token, "");
        Look("passed", passed, Post<R>(1), "");
        Look("passed", passed, Message(1), " message-duplicate");
        Look("passed", passed, Message(2), " -t0 message-kept deliver(202)");
        Look("passed", passed, Token(one), " token-duplicate >0:held2");
        Look("passed",
             passed,
             Token(asksForOne),
             " token-taken -t0 >all:message1 message-repeated token-passed >2:token5[seq 1 aru 0 "
             "by 2 wanted 0 recent 1 idle 0] +t0");
        Look("passed",
             passed,
             Token(later),
             " token-taken -t0 token-passed >2:token5[seq 1 aru 1 by 64 wanted 0 recent 0 idle 0] "
             "+t0");
        Look("passed", passed, held(1), "");
        Look("passed", passed, held(2), " -t0");
        Look("passed", passed, want, "");
        Look("passed",
             passed,
             token,
             " token-repeated >2:token2[seq 1 aru 0 by 1 wanted 1 recent 1 idle 0] +t0");
        Look("passed", passed, asks, "");
        Look("passed", passed, Busy<R>(false), "");
        Look("confirmed", confirmed, token, "");
        Look("confirmed",
             confirmed,
             Token(asksForOne),
             " token-taken -t0 >all:message1 message-repeated token-passed >2:token5[seq 1 aru 0 "
             "by 2 wanted 0 recent 1 idle 0] +t0");
        Look("confirmed", confirmed, Message(3), " message-kept");
        Look("confirmed", confirmed, held(2), " -t0");
        Look("parked",
             parked,
             Post<R>(1),
             " >all:message1 message-sent token-passed >2:token2[seq 1 aru 1 by 64 wanted 0 recent "
             "1 idle 0] +t0");
        Look("parked", parked, Token(fresh), " token-duplicate >0:held1");
        Look("parked",
             parked,
             Token(later),
             " token-taken -t0 token-passed >2:token5[seq 1 aru 0 by 1 wanted 1 recent 0 idle 0] "
             "+t0");
        Look("parked",
             parked,
             want,
             " token-passed >2:token2[seq 0 aru 0 by 64 wanted 0 recent 0 idle 0] +t0");
        Look("parked", parked, token, "");
        Look("parked", parked, asks, "");
        Look("parked", parked, held(9), " -t0");
        Look("parked", parked, Busy<R>(false), "");
        Look("parked", parked, Message(1), " message-kept deliver(201)");
        Look("serving", serving, Post<R>(2), "");
        Look("serving",
             serving,
             Busy<R>(false),
             " >all:message1 message-sent token-passed >2:token2[seq 1 aru 1 by 64 wanted 0 recent "
             "1 idle 0] +t0");
        Look("serving", serving, Token(fresh), " token-duplicate busy>0:held1");
        Look("serving", serving, Message(1), " message-kept deliver(201)");
        Look("serving", serving, want, "");
        Look("serving", serving, token, "");
        Look("serving", serving, held(9), " -t0");
        Look("unsent",
             unsent,
             Busy<R>(false),
             " >2:token2[seq 0 aru 0 by 64 wanted 0 recent 0 idle 1] +t0");
        Look("unsent",
             unsent,
             token,
             " token-repeated busy>2:token2[seq 0 aru 0 by 64 wanted 0 recent 0 idle 1] +t0");
        Look("unsent", unsent, held(2), " -t0");
        Look("unsent", unsent, Post<R>(1), " token-wanted busy>all:want +t1");
        Look("waiting", waiting, Post<R>(4), " post-stalled stalled");
        Look("waiting",
             waiting,
             Token(later),
             " token-taken -t0 -t1 >all:message2 message-sent >all:message3 message-sent "
             "token-passed >2:token5[seq 3 aru 0 by 1 wanted 4 recent 2 idle 0] +t0");
        Look("waiting",
             waiting,
             Token({0, 4, 0, 0, R::MAX_PEERS, 49, 0}),
             " token-taken -t0 -t1 >all:message1 message-sent token-passed >2:token5[seq 1 aru 1 "
             "by 64 wanted 0 recent 50 idle 0] +t0");
        Look("sent",
             sent,
             Token({0, 4, 1, 1, R::MAX_PEERS, 1, 0}),
             " token-taken -t0 done(1) token-passed >2:token5[seq 1 aru 1 by 64 wanted 0 recent 0 "
             "idle 1] +t0");
        Look("sent",
             sent,
             Token({0, 4, 1, 0, AFTER, 1, 0}),
             " token-taken -t0 token-passed >2:token5[seq 1 aru 0 by 2 wanted 0 recent 0 idle 0] "
             "+t0");
        Look("sent",
             sent,
             Token(asksForOne),
             " token-taken -t0 >all:message1 message-repeated token-passed >2:token5[seq 1 aru 0 "
             "by 2 wanted 0 recent 0 idle 0] +t0");
        Look("sent", sent, Message(2, AFTER), " -t0 message-kept deliver(202)");
        Look("sent", sent, Message(1, SELF), " message-duplicate");
        Look("wanted",
             Steps{want},
             Token(fresh),
             " token-taken -t0 token-passed >2:token2[seq 0 aru 0 by 64 wanted 0 recent 0 idle 0] "
             "+t0");
        Look("last of the idle",
             away,
             Token({0, 1, 0, 0, R::MAX_PEERS, 0, 2}),
             " token-taken -t0 token-parked >all:held1");
        Look("any", away, Post<R>(1, SELF), " post-refused refused");
        Look("any", away, Post<R>(1, PEERS), " post-refused refused");
        Look("any", away, Post<R>(1, AFTER, 1452), " token-wanted >all:want +t1");
        Look("any", away, Post<R>(1, AFTER, 1453), " post-refused refused");
    }
};

/** The acknowledgement graph. */
class GraphStatesCase : public StatesCase<GraphCore>
{
  public:
    GraphStatesCase()
        : StatesCase("acknowledgement graph: every state and every event")
    {
    }

  private:
    GraphCore MakeCore() override
    {
        GraphConfig config;
        config.nPeers = PEERS;
        config.window = 4;
        config.nackLimit = 2;
        return GraphCore(SELF, config, &m_lists);
    }

    Protocol MakeProtocol() const override
    {
        Protocol out;
        out.print = [this](const Frame& frame) {
            std::ostringstream os;
            const auto list = m_lists.Get(frame.contents);
            std::size_t place = PEERS;
            if (frame.kind == static_cast<uint8_t>(GraphKind::STATUS))
            {
                os << "status" << (frame.flags & GraphCore::WAITING ? " waiting" : "") << "["
                   << list[0] << " " << list[1] << " " << list[2];
            }
            else
            {
                os << "message" << static_cast<uint32_t>(frame.id) << " of " << frame.source << "[";
                for (place = 3; place < 3 + 2 * list[2]; place += 2)
                {
                    os << " ack " << list[place] << "/" << list[place + 1];
                }
            }
            for (; place < list.size(); place += 3)
            {
                os << " nack " << list[place] << "/" << list[place + 1] << "/" << list[place + 2];
            }
            os << "]";
            return os.str();
        };
        out.name = [](messaging::Reason reason) {
            std::ostringstream os;
            os << static_cast<GraphEvent>(reason);
            return os.str();
        };
        return out;
    }

    /** Acknowledgements: (source, number) of each. */
    using Acks = std::vector<uint32_t>;

    /** @param number its number @param source its source @param acks what it acknowledges
     * @param to whom it is for @param nacks what it asks for @param from who has repeated it
     * @return the step in which it arrives */
    Step<GraphCore> Message(uint32_t number,
                            Peer source,
                            const Acks& acks = {},
                            Peer to = NO_PEER,
                            const Acks& nacks = {},
                            Peer from = NO_PEER)
    {
        return [=, this](GraphCore& core, Protocol& out) {
            std::vector<uint32_t> list{1000 * source + number,
                                       0,
                                       static_cast<uint32_t>(acks.size() / 2)};
            list.insert(list.end(), acks.begin(), acks.end());
            list.insert(list.end(), nacks.begin(), nacks.end());
            Frame frame;
            frame.kind = static_cast<uint8_t>(GraphKind::MESSAGE);
            frame.id = (uint64_t{to} << 32) | number;
            frame.contents = m_lists.Put(list);
            frame.source = source;
            frame.payload = 8;
            core.OnFrame(from == NO_PEER ? source : from, frame, out);
        };
    }

    /** @param from who sends it @param numbers what it has, then what it asks for
     * @param waiting whether it waits for others @return the step in which it arrives */
    Step<GraphCore> Status(Peer from, const Acks& numbers, bool waiting = false)
    {
        return [=, this](GraphCore& core, Protocol& out) {
            Frame frame;
            frame.kind = static_cast<uint8_t>(GraphKind::STATUS);
            frame.contents = m_lists.Put(numbers);
            frame.source = from;
            frame.flags = waiting ? GraphCore::WAITING : 0;
            core.OnFrame(from, frame, out);
        };
    }

    void DoRun() override
    {
        using G = GraphCore;
        const auto nack = Fire<G>(G::NACK_TIMER);
        const auto idle = Fire<G>(G::IDLE_TIMER);
        const auto holdOff = Fire<G>(G::HOLD_OFF_TIMER);
        const Steps quiet{};
        const Steps heard{Message(1, BEFORE)};
        const Steps gap{Message(2, BEFORE)};
        const Steps early{Message(1, AFTER, {BEFORE, 1})};
        const Steps asked{Message(2, BEFORE), nack};
        const Steps sent{Post<G>(1)};
        const Steps full{Post<G>(1), Post<G>(2), Post<G>(3), Post<G>(4)};
        const Steps blocked{Busy<G>(true), Post<G>(1)};
        const Steps repeated{Post<G>(1), Status(AFTER, {0, 0, 0, SELF, 1, 0})};
        const Steps both{Message(1, BEFORE), Message(1, AFTER, {BEFORE, 1})};

        Look("quiet", quiet, Post<G>(1), " >all:message1 of 1[] message-sent +t1");
        Look("quiet", quiet, Message(1, BEFORE), " message-kept deliver(1) +t1");
        Look("quiet", quiet, Message(1, BEFORE, {}, AFTER), " message-kept +t1");
        Look("quiet", quiet, Message(2, BEFORE), " message-kept +t0 +t1");
        Look("quiet", quiet, Message(1, AFTER, {BEFORE, 1}), " message-kept +t0 +t1");
        Look("quiet", quiet, Status(AFTER, {0, 0, 0}), "");
        Look("quiet", quiet, Status(AFTER, {0, 0, 0}, true), " +t1");
        Look("quiet", quiet, Status(AFTER, {1, 0, 0}, true), " +t0 +t1");
        Look("quiet", quiet, Status(AFTER, {0, 0}), "");
        Look("quiet", quiet, nack, "");
        Look("quiet", quiet, idle, "");
        Look("quiet", quiet, holdOff, "");
        Look("quiet", quiet, Busy<G>(false), "");
        Look("heard", heard, Post<G>(1), " >all:message1 of 1[ ack 0/1] message-sent +t1");
        Look("heard", heard, Message(1, BEFORE), " message-duplicate");
        Look("heard",
             heard,
             Message(2, BEFORE),
             " message-kept deliver(2) status-sent >all:status waiting[2 0 0] +t1");
        Look("heard", heard, Message(1, AFTER, {BEFORE, 1}), " message-kept deliver(2001)");
        Look("heard", heard, Status(AFTER, {0, 0, 0, BEFORE, 1, 0}), "");
        Look("heard",
             heard,
             Status(AFTER, {0, 0, 0, BEFORE, 1, 1}),
             " >all:message1 of 0[] message-replaced +t2");
        Look("heard", heard, idle, " status-sent >all:status waiting[1 0 0] +t1");
        Look("heard", heard, nack, "");
        Look("heard of both", both, Post<G>(1), " >all:message1 of 1[ ack 2/1] message-sent +t1");
        Look("heard of both", both, Status(BEFORE, {1, 0, 1}), "");
        Look("heard of both", both, idle, " status-sent >all:status waiting[1 0 1] +t1");
        Look("gap",
             gap,
             Message(1, BEFORE),
             " message-kept deliver(1) deliver(2) status-sent >all:status waiting[2 0 0] +t1");
        Look("gap",
             gap,
             Message(1, BEFORE, {}, NO_PEER, {}, AFTER),
             " message-kept deliver(1) deliver(2) status-sent >all:status waiting[2 0 0] +t1");
        Look("gap", gap, Message(2, BEFORE), " message-duplicate");
        Look("gap",
             gap,
             Post<G>(1),
             " >all:message1 of 1[ nack 0/1/0] message-sent nack-sent +t0 +t1");
        Look("gap",
             gap,
             nack,
             " status-sent >all:status waiting[0 0 0 nack 0/1/0] nack-sent +t0 +t1");
        Look("gap", gap, Status(AFTER, {0, 0, 0, BEFORE, 1, 0}), " nack-spared +t0");
        Look("early", early, Message(1, BEFORE), " message-kept deliver(1) deliver(2001)");
        Look("early", early, Message(1, AFTER, {BEFORE, 1}), " message-duplicate");
        Look("early",
             early,
             Post<G>(1),
             " >all:message1 of 1[ nack 0/1/0] message-sent nack-sent +t0 +t1");
        Look("early",
             early,
             nack,
             " status-sent >all:status waiting[0 0 0 nack 0/1/0] nack-sent +t0 +t1");
        Look("early",
             early,
             idle,
             " status-sent >all:status waiting[0 0 0 nack 0/1/0] nack-sent +t0 +t1");
        Look("asked",
             asked,
             nack,
             " status-sent >all:status waiting[0 0 0 nack 0/1/1] nack-sent +t0 +t1");
        Look("asked",
             asked,
             Message(1, BEFORE),
             " message-kept deliver(1) deliver(2) status-sent >all:status waiting[2 0 0] +t1");
        Look("asked",
             asked,
             Post<G>(1),
             " >all:message1 of 1[ nack 0/1/1] message-sent nack-sent +t0 +t1");
        Look("sent", sent, Post<G>(2), " >all:message2 of 1[] message-sent +t1");
        Look("sent", sent, Status(BEFORE, {0, 1, 0}), "");
        Look("sent", sent, Message(1, BEFORE, {SELF, 1}), " message-kept deliver(1)");
        Look("sent",
             sent,
             Message(1, AFTER, {SELF, 1}, NO_PEER, {BEFORE, 1, 0}),
             " message-kept deliver(2001) +t0");
        Look("sent",
             sent,
             Status(AFTER, {0, 0, 0, SELF, 1, 0}),
             " >all:message1 of 1[] message-repeated +t2");
        Look("sent", sent, Status(AFTER, {0, 0, 0, SELF, 1, 1}), "");
        Look("sent", sent, idle, " status-sent >all:status waiting[0 1 0] +t1");
        Look("full", full, Post<G>(5), " post-stalled stalled");
        Look("full", full, Status(BEFORE, {0, 2, 0}), "");
        Look("told by one",
             (Steps{Post<G>(1), Status(BEFORE, {0, 1, 0})}),
             Status(AFTER, {0, 1, 0}),
             " done(1)");
        Look("told by one",
             (Steps{Post<G>(1), Status(BEFORE, {0, 1, 0})}),
             Message(1, AFTER, {SELF, 1}),
             " message-kept deliver(2001) done(1)");
        Look("told by one",
             (Steps{Post<G>(1), Status(BEFORE, {0, 1, 0})}),
             Message(1, AFTER),
             " message-kept deliver(2001)");
        Look("blocked", blocked, Post<G>(1), " post-stalled stalled");
        Look("blocked", blocked, Busy<G>(false), "");
        Look("blocked", blocked, idle, "");
        Look("repeated", repeated, Status(AFTER, {0, 0, 0, SELF, 1, 0}), " nack-held-off");
        Look("repeated", repeated, holdOff, "");
        Look("asked by one that waits",
             Steps{Status(AFTER, {0, 0, 0}, true)},
             idle,
             " status-sent >all:status[0 0 0] -t1");
        Look("any", quiet, Post<G>(1, SELF), " post-refused refused");
        Look("any", quiet, Post<G>(1, PEERS), " post-refused refused");
        Look("any", quiet, Post<G>(1, AFTER, 1436), " >all:message1 of 1[] message-sent +t1");
        Look("any", quiet, Post<G>(1, AFTER, 1437), " post-refused refused");
        Look("any", quiet, Message(1, SELF), " message-unreadable");
        Look("any", quiet, Message(1, PEERS), " message-unreadable");
    }

    ListStore m_lists; ///< What frames carry.
};

/** The packing window. */
class WindowStatesCase : public StatesCase<WindowCore>
{
  public:
    /** Constructor. @param packs whether messages wait for others even while the window is open */
    explicit WindowStatesCase(bool packs)
        : StatesCase(std::string("packing window: every state and every event") +
                     (packs ? ", waiting" : "")),
          m_packs(packs)
    {
    }

  private:
    WindowCore MakeCore() override
    {
        WindowConfig config;
        config.nPeers = PEERS;
        config.mtu = 100;
        config.window = 2;
        config.queue = 3;
        config.statusEvery = 2;
        config.packDelay = m_packs ? 5 : 0;
        return WindowCore(SELF, config, &m_lists);
    }

    Protocol MakeProtocol() const override
    {
        Protocol out;
        out.print = [this](const Frame& frame) {
            std::ostringstream os;
            const auto list = m_lists.Get(frame.contents);
            std::size_t place = 0;
            switch (static_cast<WindowKind>(frame.kind))
            {
            case WindowKind::DATAGRAM:
                os << "datagram" << frame.id << "[";
                for (place = 1; place < 1 + 6 * list[0]; place += 6)
                {
                    os << " " << list[place];
                }
                break;
            case WindowKind::NACK:
                os << "nack" << frame.id << "[" << frame.contents;
                place = list.size();
                break;
            case WindowKind::STATUS:
                os << "status" << (frame.flags & WindowCore::WAITING ? " waiting" : "") << "[";
                break;
            }
            for (; place < list.size(); ++place)
            {
                os << " has " << list[place];
            }
            os << "]";
            return os.str();
        };
        out.name = [](messaging::Reason reason) {
            std::ostringstream os;
            os << static_cast<WindowEvent>(reason);
            return os.str();
        };
        return out;
    }

    /** @param number its number @param source its source @param messages how many are in it
     * @param numbers what its source has @return the step in which it arrives */
    Step<WindowCore> Datagram(uint32_t number,
                              Peer source,
                              uint32_t messages = 1,
                              const std::vector<uint32_t>& numbers = {})
    {
        return [=, this](WindowCore& core, Protocol& out) {
            std::vector<uint32_t> list{messages};
            for (uint32_t i = 0; i < messages; ++i)
            {
                const Peer to = i == 1 ? AFTER : i == 2 ? SELF : NO_PEER;
                list.insert(list.end(), {1000 * source + 10 * number + i, 0, to, 8, 0, 0});
            }
            list.insert(list.end(), numbers.begin(), numbers.end());
            Frame frame;
            frame.kind = static_cast<uint8_t>(WindowKind::DATAGRAM);
            frame.id = number;
            frame.contents = m_lists.Put(list);
            frame.source = source;
            core.OnFrame(source, frame, out);
        };
    }

    /** @param from who sends it @param numbers what it has @param waiting whether it waits for
     * others @return the step in which it arrives */
    Step<WindowCore> Status(Peer from, const std::vector<uint32_t>& numbers, bool waiting = false)
    {
        return [=, this](WindowCore& core, Protocol& out) {
            Frame frame;
            frame.kind = static_cast<uint8_t>(WindowKind::STATUS);
            frame.contents = m_lists.Put(numbers);
            frame.source = from;
            frame.flags = waiting ? WindowCore::WAITING : 0;
            core.OnFrame(from, frame, out);
        };
    }

    /** @param first a number @param missing bit i: first + i @return the step in which it arrives
     */
    static Step<WindowCore> Nack(uint32_t first, uint64_t missing)
    {
        return [=](WindowCore& core, Protocol& out) {
            Frame frame;
            frame.kind = static_cast<uint8_t>(WindowKind::NACK);
            frame.id = first;
            frame.contents = missing;
            core.OnFrame(AFTER, frame, out);
        };
    }

    void DoRun() override
    {
        m_packs ? LookWhilePacking() : LookAtAll();
    }

    /** Messages wait for others even while the window is open. */
    void LookWhilePacking()
    {
        using W = WindowCore;
        const auto pack = Fire<W>(W::PACK_TIMER);
        const Steps empty{};
        const Steps gathering{Post<W>(1)};
        const Steps fuller{Post<W>(1, NO_PEER, 30)};
        Look("empty", empty, Post<W>(1), " +t2");
        Look("empty", empty, pack, "");
        Look("gathering", gathering, Post<W>(2), "");
        Look("gathering", gathering, pack, " >all:datagram1[ 101] datagram-sent +t1");
        Look("gathering", gathering, Busy<W>(false), "");
        Look("fuller", fuller, Post<W>(2, AFTER, 34), "");
        Look("fuller",
             fuller,
             Post<W>(2, AFTER, 35),
             " >all:datagram1[ 101] datagram-sent +t1 >all:datagram2[ 102] datagram-sent +t1");
    }

    /** Messages wait only for the window and the port. */
    void LookAtAll()
    {
        using W = WindowCore;
        const auto nack = Fire<W>(W::NACK_TIMER);
        const auto idle = Fire<W>(W::IDLE_TIMER);
        const auto pack = Fire<W>(W::PACK_TIMER);
        const Steps quiet{};
        const Steps heard{Datagram(1, BEFORE)};
        const Steps gap{Datagram(2, BEFORE)};
        const Steps asked{Datagram(2, BEFORE), nack};
        const Steps sent{Post<W>(1)};
        const Steps closed{Post<W>(1), Post<W>(2), Post<W>(3)};
        const Steps full{Post<W>(1), Post<W>(2), Post<W>(3), Post<W>(4), Post<W>(5)};
        const Steps blocked{Busy<W>(true), Post<W>(1), Post<W>(2)};
        const Steps told{Post<W>(1), Status(BEFORE, {0, 1, 0})};
        const Steps toldClosed{Post<W>(1),
                               Post<W>(2),
                               Post<W>(3),
                               Post<W>(4),
                               Status(AFTER, {0, 2, 0})};

        Look("quiet", quiet, Post<W>(1), " >all:datagram1[ 101] datagram-sent +t1");
        Look("quiet", quiet, Datagram(1, BEFORE), " datagram-kept deliver(10) +t1");
        Look("quiet", quiet, Datagram(1, BEFORE, 3), " datagram-kept deliver(10) deliver(12) +t1");
        Look("quiet", quiet, Datagram(2, BEFORE), " datagram-kept +t0 +t1");
        Look("quiet", quiet, Status(AFTER, {0, 0, 0}), "");
        Look("quiet", quiet, Status(AFTER, {0, 0, 0}, true), " +t1");
        Look("quiet", quiet, Status(AFTER, {1, 0, 0}), " +t0 +t1");
        Look("quiet", quiet, Status(AFTER, {1}), "");
        Look("quiet", quiet, Nack(1, 1), "");
        Look("quiet", quiet, nack, "");
        Look("quiet", quiet, idle, "");
        Look("quiet", quiet, pack, "");
        Look("quiet", quiet, Busy<W>(false), "");
        Look("heard", heard, Datagram(1, BEFORE), " datagram-duplicate");
        Look("heard",
             heard,
             Datagram(2, BEFORE),
             " datagram-kept deliver(20) status-sent >all:status waiting[ has 2 has 0 has 0] +t1");
        Look("heard", heard, Datagram(1, AFTER, 1, {1, 0, 1}), " datagram-kept deliver(2010)");
        Look("heard",
             heard,
             Post<W>(1),
             " >all:datagram1[ 101 has 1 has 0 has 0] datagram-sent status-attached +t1");
        Look("heard", heard, idle, " status-sent >all:status waiting[ has 1 has 0 has 0] +t1");
        Look("gap",
             gap,
             Datagram(1, BEFORE),
             " datagram-kept deliver(10) deliver(20) status-sent >all:status waiting[ has 2 has 0 "
             "has 0] +t1");
        Look("gap", gap, Datagram(2, BEFORE), " datagram-duplicate");
        Look("gap", gap, nack, " nack-sent >0:nack1[1] +t0");
        Look("gap", gap, Post<W>(1), " >all:datagram1[ 101] datagram-sent +t1");
        Look("asked", asked, nack, " nack-sent >0:nack1[1] +t0");
        Look("asked",
             asked,
             Datagram(1, BEFORE),
             " datagram-kept deliver(10) deliver(20) status-sent >all:status waiting[ has 2 has 0 "
             "has 0] +t1");
        Look("sent", sent, Post<W>(2), " >all:datagram2[ 102] datagram-sent +t1");
        Look("sent", sent, Nack(1, 1), " >2:datagram1[ 101] datagram-repeated");
        Look("sent", sent, Nack(1, 3), " >2:datagram1[ 101] datagram-repeated");
        Look("sent", sent, Status(BEFORE, {0, 1, 0}), "");
        Look("sent", sent, Status(BEFORE, {0, 0, 0}, true), "");
        Look("sent", sent, idle, " status-sent >all:status waiting[ has 0 has 1 has 0] +t1");
        Look("told by one", told, Status(AFTER, {0, 1, 0}), " done(1)");
        Look("told by one",
             told,
             Datagram(1, AFTER, 1, {0, 1, 1}),
             " datagram-kept deliver(2010) done(1)");
        Look("told by one", told, Datagram(1, AFTER), " datagram-kept deliver(2010)");
        Look("closed", closed, Post<W>(4), "");
        Look("closed", closed, pack, "");
        Look("closed", closed, Busy<W>(false), "");
        Look("closed, told by one",
             toldClosed,
             Status(BEFORE, {0, 1, 0}),
             " done(1) >all:datagram3[ 103 104] datagram-sent message-packed +t1");
        Look("closed, told by one",
             toldClosed,
             Status(BEFORE, {0, 2, 0}),
             " done(1) done(2) >all:datagram3[ 103 104] datagram-sent message-packed +t1");
        Look("full", full, Post<W>(6), " post-stalled stalled");
        Look("blocked", blocked, Post<W>(3), " busy>all:datagram1[ 101 102 103]");
        Look("blocked",
             blocked,
             Busy<W>(false),
             " >all:datagram1[ 101 102] datagram-sent message-packed +t1");
        Look("asked by one that waits",
             Steps{Status(AFTER, {0, 0, 0}, true)},
             idle,
             " status-sent >all:status[ has 0 has 0 has 0] -t1");
        Look("any", quiet, Post<W>(1, SELF), " post-refused refused");
        Look("any", quiet, Post<W>(1, PEERS), " post-refused refused");
        Look("any", quiet, Post<W>(1, AFTER, 76), " >all:datagram1[ 101] datagram-sent +t1");
        Look("any", quiet, Post<W>(1, AFTER, 77), " post-refused refused");
    }

    ListStore m_lists; ///< What frames carry.
    bool m_packs;      ///< Messages wait for others.
};

/** The suite. */
class RivalStatesTestSuite : public TestSuite
{
  public:
    RivalStatesTestSuite()
        : TestSuite("pcode-rival-states", Type::UNIT)
    {
        AddTestCase(new RingStatesCase, TestCase::Duration::QUICK);
        AddTestCase(new GraphStatesCase, TestCase::Duration::QUICK);
        AddTestCase(new WindowStatesCase(false), TestCase::Duration::QUICK);
        AddTestCase(new WindowStatesCase(true), TestCase::Duration::QUICK);
    }
};

RivalStatesTestSuite g_rivalStatesTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace pcode
} // namespace ns3
