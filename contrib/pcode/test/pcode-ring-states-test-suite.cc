/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-rival-states.h"

#include "ns3/pcode-ring-core.h"

/**
 * @file
 * @ingroup pcode
 * Every state and every event of the token ring (paper 3, section 6.4.2).
 */

namespace ns3
{
namespace pcode
{
namespace tests
{
namespace
{

/** The token ring. */
class RingStatesCase : public StatesCase<RingCore>
{
  public:
    RingStatesCase()
        : StatesCase("token ring: every state and every event", RivalConfig{}.mtu)
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
        out.printFrame = [](const Frame& frame) {
            std::ostringstream os;
            switch (static_cast<RingKind>(frame.kind))
            {
            case RingKind::MESSAGE:
                os << "message" << static_cast<uint32_t>(frame.id);
                break;
            case RingKind::TOKEN: {
                const auto token = RingCore::Unpack(frame).value();
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
        out.printReason = [](messaging::Reason reason) {
            std::ostringstream os;
            os << static_cast<RivalEvent>(reason);
            return os.str();
        };
        return out;
    }

    /**
     * @param seq its number
     * @param source its source
     * @param to its receiver
     * @return the step of its arrival
     */
    static Step<RingCore> Message(uint32_t seq, Peer source = BEFORE, Peer to = NO_PEER)
    {
        return [=](RingCore& core, Protocol& out) {
            Frame frame;
            frame.kind = static_cast<uint8_t>(RingKind::MESSAGE);
            frame.id = MakeMessageId(source, to, seq);
            frame.contents = 200 + seq;
            frame.payload = 8;
            core.OnFrame(source == SELF ? AFTER : source, frame, out);
        };
    }

    /** @param token the token @return the step of its arrival */
    static Step<RingCore> Token(const RingCore::Token& token)
    {
        return [=](RingCore& core, Protocol& out) {
            core.OnFrame(BEFORE, RingCore::Pack(token), out);
        };
    }

    /** @param kind HELD or WANT @param id its number @return the step of its arrival */
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
        const auto wantTimer = Fire<R>(R::WANT_TIMER);
        // Tokens: initial, after message 1 of the previous node, and without message 1.
        const RingCore::Token fresh{0, 1, 0, 0, R::MAX_PEERS, 0, 0};
        const RingCore::Token one{0, 1, 1, 1, R::MAX_PEERS, 1, 0};
        const RingCore::Token asksForOne{1, 4, 1, 0, AFTER, 1, 0};
        const RingCore::Token later{0, 4, 1, 1, R::MAX_PEERS, 0, 0};

        const Steps away{};
        const Steps requesting{Post<R>(1)};
        const Steps passed{Token(one), Message(1)};
        const Steps confirmed{Token(one), Message(1), held(2)};
        const Steps parked{Token({0, 1, 0, 0, R::MAX_PEERS, 0, 2})};
        const Steps waiting{Token(fresh), held(2), Post<R>(1), Post<R>(2), Post<R>(3)};
        const Steps sent{Post<R>(1), Token(fresh)};

        for (const auto& [way, idle] : {std::pair{&away, true},
                                        {&requesting, false},
                                        {&passed, false},
                                        {&confirmed, true},
                                        {&sent, false}})
        {
            // Not while a posted message is not everywhere, or a token is not confirmed.
            RingCore core = MakeCore();
            Protocol out = MakeProtocol();
            for (const auto& step : *way)
            {
                step(core, out);
            }
            NS_TEST_EXPECT_MSG_EQ(core.IsIdle(), idle, out.log);
        }
        CheckEvents({{"away", away, Post<R>(1), " token-wanted >all:want +t1"},
                     {"away", away, Message(1), " data-kept deliver(201)"},
                     {"away", away, Message(2), " data-kept"}});
        // A message more than the span of 4 ahead of the arrived ones does not belong to this ring.
        CheckEvents({{"away", away, Message(4), " data-kept"},
                     {"away", away, Message(5), " data-unreadable"}});
        // The farthest message takes the slot of a delivered one, which is still a duplicate.
        CheckEvents(
            {{"far ahead", Steps{Message(1), Message(5)}, Message(1), " data-duplicate"},
             {"away", away, Token({0, 1, 5, 0, R::MAX_PEERS, 0, 0}), ""},
             {"confirmed", confirmed, Token({0, 4, 0, 0, R::MAX_PEERS, 0, 0}), ""},
             {"away", away, Message(1, BEFORE, AFTER), " data-kept"},
             {"away",
              away,
              Token(fresh),
              " token-taken -t0 token-passed >2:token2[seq 0 aru 0 by 64 wanted 0 recent 0 idle 1] "
              "+t0"},
             {"away",
              away,
              Token(one),
              " token-taken -t0 token-passed >2:token2[seq 1 aru 0 by 1 wanted 1 recent 1 idle 0] "
              "+t0"},
             {"away", away, held(0), " -t0"},
             {"away", away, want, ""},
             {"away", away, token, ""},
             {"away", away, wantTimer, ""},
             {"requesting", requesting, Post<R>(2), ""},
             {"requesting",
              requesting,
              Token(fresh),
              " token-taken -t0 -t1 >all:message1 data-sent token-passed >2:token2[seq 1 aru 1 "
              "by 64 wanted 0 recent 1 idle 0] +t0"},
             {"requesting", requesting, want, ""},
             {"requesting", requesting, wantTimer, " token-wanted >all:want +t1"},
             {"requesting", requesting, token, ""},
             {"passed", passed, Post<R>(1), ""},
             {"passed", passed, Message(1), " data-duplicate"},
             {"passed", passed, Message(2), " -t0 data-kept deliver(202)"},
             {"passed", passed, Token(one), " token-duplicate >0:held2"},
             {"passed",
              passed,
              Token(asksForOne),
              " token-taken -t0 >all:message1 data-repeated token-passed >2:token5[seq 1 aru 0 "
              "by 2 wanted 0 recent 1 idle 0] +t0"},
             {"passed",
              passed,
              Token(later),
              " token-taken -t0 token-passed >2:token5[seq 1 aru 1 by 64 wanted 0 recent 0 idle 0] "
              "+t0"},
             {"passed", passed, held(1), ""},
             {"passed", passed, held(2), " -t0"},
             {"passed", passed, want, ""},
             {"passed",
              passed,
              token,
              " token-repeated >2:token2[seq 1 aru 0 by 1 wanted 1 recent 1 idle 0] +t0"},
             {"passed", passed, wantTimer, ""},
             {"confirmed", confirmed, token, ""},
             {"confirmed",
              confirmed,
              Token(asksForOne),
              " token-taken -t0 >all:message1 data-repeated token-passed >2:token5[seq 1 aru 0 "
              "by 2 wanted 0 recent 1 idle 0] +t0"},
             {"confirmed", confirmed, Message(3), " data-kept"},
             {"confirmed", confirmed, held(2), " -t0"},
             {"parked",
              parked,
              Post<R>(1),
              " >all:message1 data-sent token-passed >2:token2[seq 1 aru 1 by 64 wanted 0 recent "
              "1 idle 0] +t0"},
             {"parked", parked, Token(fresh), " token-duplicate >0:held1"},
             {"parked",
              parked,
              Token(later),
              " token-taken -t0 token-passed >2:token5[seq 1 aru 0 by 1 wanted 1 recent 0 idle 0] "
              "+t0"},
             {"parked",
              parked,
              want,
              " token-passed >2:token2[seq 0 aru 0 by 64 wanted 0 recent 0 idle 0] +t0"},
             {"parked", parked, token, ""},
             {"parked", parked, wantTimer, ""},
             {"parked", parked, held(9), " -t0"},
             {"parked", parked, Message(1), " data-kept deliver(201)"},
             {"waiting", waiting, Post<R>(4), " stalled"},
             {"waiting",
              waiting,
              Token(later),
              " token-taken -t0 -t1 >all:message2 data-sent >all:message3 data-sent "
              "token-passed >2:token5[seq 3 aru 0 by 1 wanted 4 recent 2 idle 0] +t0"},
             {"waiting",
              waiting,
              Token({0, 4, 0, 0, R::MAX_PEERS, 49, 0}),
              " token-taken -t0 -t1 >all:message1 data-sent token-passed >2:token5[seq 1 aru 1 "
              "by 64 wanted 0 recent 50 idle 0] +t0"},
             {"sent",
              sent,
              Token({0, 4, 1, 1, R::MAX_PEERS, 1, 0}),
              " token-taken -t0 done(1) token-passed >2:token5[seq 1 aru 1 by 64 wanted 0 recent 0 "
              "idle 1] +t0"},
             {"sent",
              sent,
              Token({0, 4, 1, 0, AFTER, 1, 0}),
              " token-taken -t0 token-passed >2:token5[seq 1 aru 0 by 2 wanted 0 recent 0 idle 0] "
              "+t0"},
             {"sent",
              sent,
              Token(asksForOne),
              " token-taken -t0 >all:message1 data-repeated token-passed >2:token5[seq 1 aru 0 "
              "by 2 wanted 0 recent 0 idle 0] +t0"},
             {"sent", sent, Message(2, AFTER), " -t0 data-kept deliver(202)"},
             {"sent", sent, Message(1, SELF), " data-duplicate"},
             {"wanted",
              Steps{want},
              Token(fresh),
              " token-taken -t0 token-passed >2:token2[seq 0 aru 0 by 64 wanted 0 recent 0 idle 0] "
              "+t0"},
             {"last of the idle",
              away,
              Token({0, 1, 0, 0, R::MAX_PEERS, 0, 2}),
              " token-taken -t0 token-parked >all:held1"},
             {"any", away, Post<R>(1, SELF), " refused"},
             {"any", away, Post<R>(1, PEERS), " refused"},
             {"any", away, Post<R>(1, AFTER, 1452), " token-wanted >all:want +t1"},
             {"any", away, Post<R>(1, AFTER, 1453), " refused"}});
    }
};

/** The suite. */
class RingStatesTestSuite : public TestSuite
{
  public:
    RingStatesTestSuite()
        : TestSuite("pcode-ring-states", Type::UNIT)
    {
        AddTestCase(new RingStatesCase, TestCase::Duration::QUICK);
    }
};

RingStatesTestSuite g_ringStatesTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace pcode
} // namespace ns3
