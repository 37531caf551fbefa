/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-notebook.h"

#include "ns3/messaging-loopback-port.h"
#include "ns3/parastation-protocol.h"
#include "ns3/parastation-protocols.h"
#include "ns3/parastation-rivals.h"
#include "ns3/parastation-states.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <array>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

/**
 * @file
 * @ingroup parastation
 * Figure 3 and table 1, row by row, and the rules of sections 3.1 to 3.4.
 */

namespace ns3
{
namespace parastation
{
namespace tests
{
namespace
{

using messaging::Acceptance;
using messaging::GetState;
using messaging::WorkKind;

/** @param config the configuration @return the first of two hosts */
Core
MakeCore(const Config& config = {})
{
    return Core(config, 0, 2);
}

/** @param core a core @param count number of slots @return the states of its first send slots */
std::string
GetStates(const Core& core, uint32_t count)
{
    std::ostringstream text;
    for (uint32_t i = 0; i < count; ++i)
    {
        text << (i ? " " : "") << core.GetSendSlot(i).state;
    }
    return text.str();
}

/** Figure 3 as a table: every state and event, including impossible ones. */
class Figure3Test : public TestCase
{
  public:
    Figure3Test()
        : TestCase("Figure 3: every state x every event (A-16, A-17)")
    {
    }

  private:
    void DoRun() override
    {
        // A row for each state; a column for each of store, send, ACK, NACK, timeout.
        const char* const send[N_SEND_STATES][N_SEND_EVENTS] = {
            {"READY", "-", "-", "-", "-"},
            {"-", "INTRANSIT", "-", "READY", "-"},
            {"-", "-", "IDLE", "RETRANSMIT", "RETRANSMIT"},
            {"-", "INTRANSIT", "IDLE", "RETRANSMIT", "-"}};
        for (unsigned state = 0; state < N_SEND_STATES; ++state)
        {
            for (unsigned event = 0; event < N_SEND_EVENTS; ++event)
            {
                Check(static_cast<SendState>(state),
                      static_cast<SendEvent>(event),
                      send[state][event]);
            }
        }
        // A column for each of arrive, accept, discard, take.
        const char* const receive[N_RECEIVE_STATES][N_RECEIVE_EVENTS] = {
            {"INTRANSIT", "-", "-", "-"},
            {"-", "READY", "IDLE", "-"},
            {"-", "-", "-", "IDLE"}};
        for (unsigned state = 0; state < N_RECEIVE_STATES; ++state)
        {
            for (unsigned event = 0; event < N_RECEIVE_EVENTS; ++event)
            {
                Check(static_cast<ReceiveState>(state),
                      static_cast<ReceiveEvent>(event),
                      receive[state][event]);
            }
        }
    }

    /**
     * Check one transition. @param state old state @param event event @param expected new state, or
     * "-"
     */
    template <class State, class SomeEvent>
    void Check(State state, SomeEvent event, const std::string& expected)
    {
        std::ostringstream text;
        const auto next = Next(state, event);
        if (next)
        {
            text << *next;
        }
        else
        {
            text << "-";
        }
        std::ostringstream name;
        name << state << " on " << event;
        NS_TEST_EXPECT_MSG_EQ(text.str(), expected, name.str());
    }
};

/** Table 1 row by row. */
class Table1Test : public TestCase
{
  public:
    Table1Test()
        : TestCase("Table 1: every row (A-18 to A-25)")
    {
    }

  private:
    void DoRun() override
    {
        Data();
        Acks();
        HighAcks();
        Nacks();
        Crc();
    }

    /** Rows DATA. */
    void Data()
    {
        auto core = MakeCore();
        Notebook out;
        core.OnFrame(1, MakeFrame(PacketKind::DATA, 0), out);
        NS_TEST_EXPECT_MSG_EQ(out.TakeSent(), "ACK 0", "A-19: the expected number is acknowledged");
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 1, "and the packet kept");
        core.OnFrame(1, MakeFrame(PacketKind::DATA, 0), out);
        NS_TEST_EXPECT_MSG_EQ(out.TakeSent(), "ACK 0", "A-18: lost ACK, resend ACK");
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 1, "but do not keep the packet");
        NS_TEST_EXPECT_MSG_EQ(out.Count(Event::LOST_ACK), 1, "as what it is");
        core.OnFrame(1, MakeFrame(PacketKind::DATA, 3), out);
        NS_TEST_EXPECT_MSG_EQ(out.TakeSent(), "NACK 1", "A-20: lost data, send NACK");
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 1, "and ignore the packet");
        NS_TEST_EXPECT_MSG_EQ(out.Count(Event::LOST_DATA), 1, "as what it is");
        core.OnFrame(1, MakeFrame(PacketKind::DATA, 1), out);
        NS_TEST_EXPECT_MSG_EQ(out.TakeSent(), "ACK 1", "the missing one comes");

        // A-19, the other outcome: the last free slot is not given away.
        Config config;
        config.receiveRing = 2;
        config.costs.bus = true;
        auto small = MakeCore(config);
        Notebook full;
        small.OnFrame(1, MakeFrame(PacketKind::DATA, 0), full);
        NS_TEST_EXPECT_MSG_EQ(full.TakeSent(), "ACK 0", "one of two slots");
        small.OnFrame(1, MakeFrame(PacketKind::DATA, 1), full);
        NS_TEST_EXPECT_MSG_EQ(full.sent.size(), 1, "answered");
        NS_TEST_EXPECT_MSG_EQ(+full.sent[0].frame.flags, +SHORTAGE, "as a shortage");
        NS_TEST_EXPECT_MSG_EQ(full.TakeSent(), "NACK 1", "A-10, A-17: rejected");
        NS_TEST_EXPECT_MSG_EQ(small.GetReceiveSlot(0).state, ReceiveState::READY, "kept");
        NS_TEST_EXPECT_MSG_EQ(small.GetReceiveSlot(1).state, ReceiveState::IDLE, "one is free");
    }

    /** Rows ACK below and equal. */
    void Acks()
    {
        auto core = MakeCore();
        Notebook out;
        PostMany(core, out, 3);
        NS_TEST_EXPECT_MSG_EQ(out.TakeSent(), "DATA 0, DATA 1, DATA 2", "sent");
        core.OnFrame(1, MakeFrame(PacketKind::ACK, 0), out);
        NS_TEST_EXPECT_MSG_EQ(GetStates(core, 3), "IDLE INTRANSIT INTRANSIT", "A-22: released");
        NS_TEST_EXPECT_MSG_EQ(out.completed.size(), 1, "and the host notified");
        const auto before = GetState(core);
        core.OnFrame(1, MakeFrame(PacketKind::ACK, 0), out);
        NS_TEST_EXPECT_MSG_EQ((GetState(core) == before),
                              true,
                              "A-21: a duplicate ACK changes nothing");
        NS_TEST_EXPECT_MSG_EQ(out.Count(Event::DUPLICATE_ACK), 1, "but is counted");
    }

    /** Row ACK above, in both readings: A-23 (A-amb-2). */
    void HighAcks()
    {
        Config config;
        config.highAck = HighAck::TABLE;
        auto table = MakeCore(config);
        Notebook out;
        PostMany(table, out, 3);
        out.sent.clear();
        const auto before = GetState(table);
        table.OnFrame(1, MakeFrame(PacketKind::ACK, 2), out);
        NS_TEST_EXPECT_MSG_EQ(out.sent.size(), 0, "A-23: nothing is sent again");
        NS_TEST_EXPECT_MSG_EQ((GetState(table) == before), true, "A-23: table 1 ignores it");
        NS_TEST_EXPECT_MSG_EQ(out.Count(Event::HIGH_ACK), 1, "but it is counted");

        auto prose = MakeCore();
        Notebook other;
        other.busy = false;
        PostMany(prose, other, 3);
        other.sent.clear();
        other.busy = true;
        prose.OnFrame(1, MakeFrame(PacketKind::ACK, 2), other);
        NS_TEST_EXPECT_MSG_EQ(GetStates(prose, 3),
                              "INTRANSIT INTRANSIT RETRANSMIT",
                              "A-23: section 3.4 marks its buffer");
        other.busy = false;
        prose.OnReady(other);
        NS_TEST_EXPECT_MSG_EQ(other.TakeSent(),
                              "DATA 2",
                              "to force the receiver to resend the ACK");
        NS_TEST_EXPECT_MSG_EQ(other.timers.size(), 3, "each with a timer of its own");
    }

    /** Row NACK. */
    void Nacks()
    {
        auto core = MakeCore();
        Notebook out;
        PostMany(core, out, 4);
        out.sent.clear();
        out.busy = true;
        core.OnFrame(1, MakeFrame(PacketKind::NACK, 1), out);
        NS_TEST_EXPECT_MSG_EQ(GetStates(core, 4),
                              "INTRANSIT RETRANSMIT RETRANSMIT RETRANSMIT",
                              "A-24 marks its buffer, A-09 all after it");
        NS_TEST_EXPECT_MSG_EQ(out.timers.size(), 1, "marked buffers need no timer");
        core.OnFrame(1, MakeFrame(PacketKind::NACK, 1), out);
        NS_TEST_EXPECT_MSG_EQ(out.Count(Event::LATE_NACK), 1, "A-24: ignored if marked already");
        core.OnRequest(MakeRequest(4), out);
        out.busy = false;
        core.OnReady(out);
        NS_TEST_EXPECT_MSG_EQ(out.TakeSent(),
                              "DATA 1, DATA 2, DATA 3, DATA 4",
                              "A-10: no new packet before those that were rejected");
        NS_TEST_EXPECT_MSG_EQ(out.Count(Event::RETRANSMITTED), 3, "three of them again");
        core.OnFrame(1, MakeFrame(PacketKind::NACK, 200), out);
        NS_TEST_EXPECT_MSG_EQ(out.Count(Event::LATE_NACK), 2, "a NACK of nothing is ignored");
    }

    /** Row CRC: A-25. */
    void Crc()
    {
        auto core = MakeCore();
        Notebook out;
        PostMany(core, out, 2);
        out.sent.clear();
        const auto idle = core.HasFreeSlot();
        core.OnFrame(1, MakeFrame(PacketKind::DAMAGED, 0), out);
        NS_TEST_EXPECT_MSG_EQ(out.sent.size(), 0, "A-25: ignored");
        NS_TEST_EXPECT_MSG_EQ(GetStates(core, 2), "INTRANSIT INTRANSIT", "no other action");
        NS_TEST_EXPECT_MSG_EQ(core.HasFreeSlot(), idle, "A-17: its slot is free at once");
        NS_TEST_EXPECT_MSG_EQ(core.GetReceiveSlot(0).state, ReceiveState::IDLE, "IDLE");
        NS_TEST_EXPECT_MSG_EQ(out.Count(Event::BAD_CRC), 1, "but is counted");
    }
};

/** Every kind of event in every state of a core; no illegal transition occurs. */
class CoreEventsTest : public TestCase
{
  public:
    CoreEventsTest()
        : TestCase("Every state of a slot in the core x every packet and timer")
    {
    }

  private:
    void DoRun() override
    {
        // State after the event of the slot that holds packet 0, a row for each state before it. A
        // marked packet is sent again at once, unless the network is busy, as it is here.
        struct Stimulus
        {
            const char* name;
            std::function<void(Core&, Notebook&)> apply;
        };

        const auto packet = [](PacketKind kind, uint8_t flags = 0) {
            return
                [=](Core& core, Notebook& out) { core.OnFrame(1, MakeFrame(kind, 0, flags), out); };
        };
        const auto timer = [](Core& core, Notebook& out) {
            core.OnTimer(Core::GetSlotTimer(0), out);
        };
        const std::array<Stimulus, 5> events{
            {{"ACK", packet(PacketKind::ACK)},
             {"NACK", packet(PacketKind::NACK)},
             {"NACK for shortage", packet(PacketKind::NACK, SHORTAGE)},
             {"timer", timer},
             {"CRC error", packet(PacketKind::DAMAGED)}}};
        const std::array states{SendState::READY, SendState::INTRANSIT, SendState::RETRANSMIT};
        using enum SendState;
        const SendState expected[states.size()][events.size()] = {
            {READY, READY, READY, READY, READY},
            {IDLE, RETRANSMIT, RETRANSMIT, RETRANSMIT, INTRANSIT},
            {IDLE, RETRANSMIT, RETRANSMIT, RETRANSMIT, RETRANSMIT}};
        for (std::size_t row = 0; row < states.size(); ++row)
        {
            for (std::size_t column = 0; column < events.size(); ++column)
            {
                auto core = MakeCore();
                Notebook out;
                out.busy = states[row] == READY;
                core.OnRequest(MakeRequest(0), out);
                out.busy = true;
                if (states[row] == RETRANSMIT)
                {
                    timer(core, out);
                }
                std::ostringstream name;
                name << states[row] << ", " << events[column].name;
                NS_TEST_EXPECT_MSG_EQ(core.GetSendSlot(0).state, states[row], name.str());
                events[column].apply(core, out);
                NS_TEST_EXPECT_MSG_EQ(core.GetSendSlot(0).state, expected[row][column], name.str());
                NS_TEST_EXPECT_MSG_EQ(out.Count(Event::ILLEGAL), 0, name.str());
            }
        }
    }
};

/** A rule of sections 3.1 to 3.3, on windows, rings, numbers and messages. */
class RulesTest : public TestCase
{
  public:
    /** Function that checks a rule. */
    using Check = void (RulesTest::*)();

    /**
     * Construct.
     * @param name the rule
     * @param check its check
     */
    RulesTest(const std::string& name, Check check)
        : TestCase(name),
          m_check(check)
    {
    }

    /**
     * Section 3.2: host and interface traverse the ring, each from the slot after its last one.
     */
    void Turns()
    {
        Core core(Config{}, 0, 3);
        Notebook out;
        PostMany(core, out, 3);
        core.OnFrame(1, MakeFrame(PacketKind::ACK, 0), out);
        core.OnFrame(1, MakeFrame(PacketKind::ACK, 1), out);
        core.OnRequest(MakeRequest(3), out);
        NS_TEST_EXPECT_MSG_EQ(GetStates(core, 4),
                              "IDLE IDLE INTRANSIT INTRANSIT",
                              "the host stores behind the last");
        // Of four slots, the first and the third are in use: the next free one after the last is
        // taken.
        Config config;
        config.sendRing = 4;
        Core four(config, 0, 3);
        Notebook held;
        for (uint32_t n = 0; n < 4; ++n)
        {
            four.OnRequest(MakeRequest(n, 1 + n % 2), held);
        }
        four.OnFrame(2, MakeFrame(PacketKind::ACK, 0), held);
        four.OnFrame(2, MakeFrame(PacketKind::ACK, 1), held);
        four.OnRequest(MakeRequest(4), held);
        NS_TEST_EXPECT_MSG_EQ(GetStates(four, 4), "INTRANSIT INTRANSIT INTRANSIT IDLE", "upwards");
        // Slot 4 has a packet for another host; it waits while slot 5 is next in turn.
        core.OnRequest(MakeRequest(4, 2), out);
        out.TakeSent();
        out.busy = true;
        core.OnRequest(MakeRequest(5), out);
        core.OnFrame(2, MakeFrame(PacketKind::NACK, 0), out);
        core.OnRequest(MakeRequest(6), out);
        out.busy = false;
        core.OnReady(out);
        NS_TEST_EXPECT_MSG_EQ(out.TakeSent(),
                              "DATA 4, DATA 5, DATA 0",
                              "the interface sends what is behind the last");
    }

    /** The transmission count of a packet saturates at the maximum of its byte. */
    void Attempts()
    {
        auto core = MakeCore();
        Notebook out;
        core.OnRequest(MakeRequest(0), out);
        for (uint32_t n = 1; n < 300; ++n)
        {
            NS_TEST_ASSERT_MSG_EQ(+core.GetSendSlot(0).attempts, std::min(n, 255U), "sent");
            core.OnTimer(Core::GetSlotTimer(0), out);
        }
    }

    /** The queue holds as many messages as its capacity, in addition to one in the ring. */
    void Queue()
    {
        Config config;
        config.queue = 2;
        config.sendRing = 1;
        auto core = MakeCore(config);
        Notebook out;
        for (uint32_t n = 0; n < 3; ++n)
        {
            NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(n), out), Acceptance::ACCEPTED, n);
        }
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(3), out), Acceptance::STALLED, "full");
        core.OnFrame(1, MakeFrame(PacketKind::ACK, 0), out);
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(3), out), Acceptance::ACCEPTED, "room");
    }

    /**
     * A step of the host takes its mean time plus or minus at most the jitter, including both
     * limits.
     */
    void Jitter()
    {
        for (const uint32_t jitter : {0, 2, 9})
        {
            Config config;
            config.costs.hostSend = 10;
            config.costs.jitter = jitter;
            auto core = MakeCore(config);
            Notebook out;
            std::set<uint64_t> times;
            for (uint32_t n = 0; n < 500; ++n)
            {
                out.random = n;
                core.OnRequest(MakeRequest(n), out);
                times.insert(out.work.back().amount);
                core.OnDone(out.work.back().id, out);
                core.OnFrame(1, MakeFrame(PacketKind::ACK, n), out);
            }
            NS_TEST_EXPECT_MSG_EQ(times.size(), 2 * jitter + 1, "each time");
            NS_TEST_EXPECT_MSG_EQ(*times.begin(), 10 - jitter, "the shortest");
            NS_TEST_EXPECT_MSG_EQ(*times.rbegin(), 10 + jitter, "the longest");
        }
    }

    /**
     * A packet with an index beyond its message, or of a message with too many packets, is noted
     * and ignored.
     */
    void Beyond()
    {
        for (const auto& [index, count] : {std::pair<uint8_t, uint8_t>{2, 2}, {0, 65}})
        {
            auto core = MakeCore();
            Notebook out;
            auto frame = MakeFrame(PacketKind::DATA, 0);
            auto id = PacketId::Unpack(frame.id);
            id.index = index;
            id.count = count;
            frame.id = id.Pack();
            core.OnFrame(1, frame, out);
            NS_TEST_EXPECT_MSG_EQ(out.Count(Event::ILLEGAL), 1, +index << " of " << +count);
            NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 0, "no message");
        }
    }

    /** eight in flight, regardless of the size of the ring. */
    void WindowAndRing()
    {
        auto core = MakeCore();
        Notebook out;
        PostMany(core, out, 16);
        NS_TEST_EXPECT_MSG_EQ(out.sent.size(), 8, "A-08: the window is 8 packets");
        NS_TEST_EXPECT_MSG_EQ(core.GetSendSlot(15).state, SendState::READY, "A-14: ring of 16");
        core.OnFrame(1, MakeFrame(PacketKind::ACK, 0), out);
        NS_TEST_EXPECT_MSG_EQ(out.sent.size(), 9, "an ACK lets the next one go");
        Config config;
        config.sendRing = 3;
        auto small = MakeCore(config);
        Notebook few;
        PostMany(small, few, 16);
        NS_TEST_EXPECT_MSG_EQ(few.sent.size(), 3, "A-14: a ring smaller than the window");
    }

    /** numbers of 8 bits, one space per pair, compared with wrap (A-amb-5). */
    void Wrap()
    {
        Core sender(Config{}, 0, 3);
        Core receiver(Config{}, 1, 3);
        Notebook out;
        Notebook in;
        for (uint32_t i = 0; i < 600; ++i)
        {
            sender.OnRequest(MakeRequest(i), out);
            const auto data = out.sent.back().frame;
            NS_TEST_ASSERT_MSG_EQ(+PacketId::Unpack(data.id).sequence, i % 256, "A-07: 8 bits");
            receiver.OnFrame(0, data, in);
            sender.OnFrame(1, in.sent.back().frame, out);
            // A late duplicate, up to a window of packets before.
            receiver.OnFrame(0, out.sent[i - std::min(i, 7U)].frame, in);
            sender.OnFrame(1, in.sent.back().frame, out);
        }
        NS_TEST_EXPECT_MSG_EQ(in.delivered.size(), 600, "each once");
        NS_TEST_EXPECT_MSG_EQ(out.completed.size(), 600, "each completed once");
        sender.OnRequest(MakeRequest(600, 2), out);
        NS_TEST_EXPECT_MSG_EQ(+PacketId::Unpack(out.sent.back().frame.id).sequence,
                              0,
                              "A-07: another pair, another space");
        NS_TEST_EXPECT_MSG_EQ(CompareSequence(1, 255, 8), 2, "1 is behind 255");
        NS_TEST_EXPECT_MSG_EQ(CompareSequence(255, 1, 8), -2, "255 is before 1");
        NS_TEST_EXPECT_MSG_EQ(CompareSequence(3, 0, 2), -1, "two bits");
    }

    /** the first unacknowledged packet and all later ones; a timer for each. */
    void GoBack()
    {
        auto core = MakeCore();
        Notebook out;
        PostMany(core, out, 5);
        NS_TEST_EXPECT_MSG_EQ(out.timers.size(), 5, "a timer a slot");
        out.sent.clear();
        core.OnTimer(Core::GetSlotTimer(0), out);
        NS_TEST_EXPECT_MSG_EQ(out.TakeSent(),
                              "DATA 0, DATA 1, DATA 2, DATA 3, DATA 4",
                              "A-09: go back N on a timeout");
        core.OnTimer(Core::GetSlotTimer(3), out);
        NS_TEST_EXPECT_MSG_EQ(out.TakeSent(), "DATA 3, DATA 4", "from the one that timed out");

        // A single timer that each send restarts never fires while high ACKs cause further sends.
        // With a timer for each slot, the first one's timer is independent of the others.
        for (int i = 0; i < 20; ++i)
        {
            core.OnFrame(1, MakeFrame(PacketKind::ACK, 2), out);
            NS_TEST_EXPECT_MSG_EQ(out.timers.count(Core::GetSlotTimer(0)),
                                  1,
                                  "the first packet's timer runs");
        }
        out.sent.clear();
        core.OnTimer(Core::GetSlotTimer(0), out);
        NS_TEST_EXPECT_MSG_EQ(out.sent.size(), 5, "and repeats all when it fires");
    }

    /** A rejected packet is not sent repeatedly while the receiver is full. */
    void Shortage()
    {
        auto core = MakeCore();
        Notebook out;
        PostMany(core, out, 3);
        out.sent.clear();
        core.OnFrame(1, MakeFrame(PacketKind::NACK, 0, SHORTAGE), out);
        core.OnRequest(MakeRequest(3), out);
        NS_TEST_EXPECT_MSG_EQ(out.sent.size(), 0, "A-10: a NACK stops transmission");
        NS_TEST_EXPECT_MSG_EQ(out.timers.size(), 1, "for a while");
        core.OnTimer(Core::GetPeerTimer(1), out);
        NS_TEST_EXPECT_MSG_EQ(out.TakeSent(),
                              "DATA 0, DATA 1, DATA 2, DATA 3",
                              "and then the rejected ones go first");
    }

    /** A-15, and refused requests. */
    void Limits()
    {
        Config config;
        NS_TEST_EXPECT_MSG_EQ(config.packetBytes, 4096, "A-15: a slot holds 4096 bytes");
        NS_TEST_EXPECT_MSG_EQ(config.Check(), "", "the default is allowed");
        config.window = 129;
        NS_TEST_EXPECT_MSG_NE(config.Check(), "", "129 > 256/2");
        config.window = 128;
        NS_TEST_EXPECT_MSG_EQ(config.Check(), "", "128 is allowed");
        config.packetBytes = 4097;
        NS_TEST_EXPECT_MSG_NE(config.Check(), "", "A-15");
        config = Config{};
        config.lowSequence = LowSequence::NACK;
        config.nackNumber = NackNumber::REJECTED;
        NS_TEST_EXPECT_MSG_NE(config.Check(), "", "no ACK would come");

        auto core = MakeCore();
        Notebook out;
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(0, 1, 10000), out),
                              Acceptance::ACCEPTED,
                              "three packets");
        NS_TEST_EXPECT_MSG_EQ(out.sent.size(), 3, "of a slot each at most");
        NS_TEST_EXPECT_MSG_EQ(out.sent[2].frame.payload, 10000 - 8192, "the rest");
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(1, 2), out),
                              Acceptance::REFUSED,
                              "nobody");
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(1, 1, 64 * 4096 + 1), out),
                              Acceptance::REFUSED,
                              "more packets than a message can have");

        // The largest message: 64 packets, all of which are accepted.
        auto sender = MakeCore();
        Core receiver(Config{}, 1, 2);
        Notebook way;
        Notebook back;
        sender.OnRequest(MakeRequest(0, 1, 64 * 4096), way);
        for (uint32_t i = 0; i < 64; ++i)
        {
            NS_TEST_ASSERT_MSG_GT(way.sent.size(), i, "sent as ACKs come");
            receiver.OnFrame(0, way.sent[i].frame, back);
            NS_TEST_ASSERT_MSG_EQ(back.sent.size(), i + 1, "answered");
            sender.OnFrame(1, back.sent[i].frame, way);
        }
        NS_TEST_EXPECT_MSG_EQ(back.delivered.size(), 1, "whole");
        NS_TEST_EXPECT_MSG_EQ(back.Count(Event::ILLEGAL), 0, "nothing of it is foreign");
    }

    /**
     * The other reading of A-amb-3: a NACK of a low number acknowledges all lower ones.
     */
    void LowSequence()
    {
        Config config;
        config.lowSequence = LowSequence::NACK;
        auto receiver = MakeCore(config);
        Notebook in;
        receiver.OnFrame(1, MakeFrame(PacketKind::DATA, 0), in);
        receiver.OnFrame(1, MakeFrame(PacketKind::DATA, 0), in);
        NS_TEST_EXPECT_MSG_EQ(in.TakeSent(), "ACK 0, NACK 1", "section 3.3");
        auto sender = MakeCore(config);
        Notebook out;
        PostMany(sender, out, 2);
        sender.OnFrame(1, MakeFrame(PacketKind::NACK, 1), out);
        NS_TEST_EXPECT_MSG_EQ(out.completed.size(), 1, "packet 0 has arrived");

        // A NACK of the first packet acknowledges none, although more packets wait than there are
        // numbers.
        config.sequenceBits = 2;
        config.window = 2;
        sender = MakeCore(config);
        Notebook first;
        PostMany(sender, first, 6);
        sender.OnFrame(1, MakeFrame(PacketKind::NACK, 0), first);
        NS_TEST_EXPECT_MSG_EQ(first.completed.size(), 0, "nothing has arrived");
    }

    /**
     * a packet that the firmware prepares when a NACK arrives does not precede the rejected
     * ones.
     */
    void Stop()
    {
        Config config;
        config.costs.firmwareSend = 3000;
        auto core = MakeCore(config);
        Notebook out;
        PostMany(core, out, 2);
        const auto finish = [&] {
            const auto work = out.work.front();
            out.work.erase(out.work.begin());
            core.OnDone(work.id, out);
        };
        finish();
        NS_TEST_EXPECT_MSG_EQ(out.TakeSent(), "DATA 0", "packet 1 is in the firmware's hands");
        core.OnFrame(1, MakeFrame(PacketKind::NACK, 0), out);
        finish();
        finish();
        NS_TEST_EXPECT_MSG_EQ(out.TakeSent(), "DATA 0", "and has to wait");
        finish();
        NS_TEST_EXPECT_MSG_EQ(out.TakeSent(), "DATA 1", "its turn");
    }

    /** a released packet has no timer; it would repeat the next packet in its slot. */
    void Release()
    {
        auto core = MakeCore();
        Notebook out;
        PostMany(core, out, 2);
        core.OnFrame(1, MakeFrame(PacketKind::ACK, 0), out);
        NS_TEST_EXPECT_MSG_EQ(out.timers.count(Core::GetSlotTimer(0)), 0, "of the released one");
        NS_TEST_EXPECT_MSG_EQ(out.timers.count(Core::GetSlotTimer(1)), 1, "of the other one");

        // Its ACK arrives while the firmware prepares a retransmission.
        Config config;
        config.costs.firmwareSend = 3000;
        core = MakeCore(config);
        Notebook again;
        core.OnRequest(MakeRequest(0), again);
        core.OnDone(again.work[0].id, again);
        core.OnTimer(Core::GetSlotTimer(0), again);
        NS_TEST_ASSERT_MSG_EQ(again.work.size(), 2, "prepared a second time");
        core.OnFrame(1, MakeFrame(PacketKind::ACK, 0), again);
        again.sent.clear();
        core.OnDone(again.work[1].id, again);
        NS_TEST_EXPECT_MSG_EQ(again.sent.size(), 0, "not sent again");
        NS_TEST_EXPECT_MSG_EQ(core.IsIdle(), true, "nothing is left");
    }

    /** Section 3.3: a message of several packets ends with its last one, at both ends. */
    void Messages()
    {
        auto sender = MakeCore();
        auto receiver = MakeCore();
        Notebook out;
        Notebook in;
        for (uint32_t i = 0; i < 2; ++i)
        {
            sender.OnRequest(MakeRequest(i, 1, 10000), out);
        }
        NS_TEST_ASSERT_MSG_EQ(out.sent.size(), 6, "three packets each");
        out.sent[4].frame.contents ^= 1;
        for (uint32_t i = 0; i < 6; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(in.delivered.size(), i / 3, "not before its last packet");
            NS_TEST_EXPECT_MSG_EQ(out.completed.size(), i / 3, "not before its last ACK");
            receiver.OnFrame(1, out.sent[i].frame, in);
            sender.OnFrame(1, in.sent.back().frame, out);
        }
        NS_TEST_ASSERT_MSG_EQ(in.delivered.size(), 2, "both");
        NS_TEST_EXPECT_MSG_EQ(out.completed.size(), 2, "both");
        NS_TEST_EXPECT_MSG_EQ(in.delivered[0].bytes, 10000, "whole");
        NS_TEST_EXPECT_MSG_EQ(in.delivered[0].contents, 100, "intact");
        NS_TEST_EXPECT_MSG_NE(in.delivered[1].contents, 101, "damaged in one of its packets");

        // Over a protocol that keeps order, the rest of an aborted message is not mixed with a
        // later one.
        receiver = MakeCore();
        Notebook rest;
        auto late = out.sent[0].frame;
        receiver.OnFrame(1, late, rest);
        for (uint32_t i = 3; i < 6; ++i)
        {
            auto frame = out.sent[i].frame;
            auto id = PacketId::Unpack(frame.id);
            id.sequence = static_cast<uint8_t>(i - 2);
            frame.id = id.Pack();
            receiver.OnFrame(1, frame, rest);
        }
        NS_TEST_EXPECT_MSG_EQ(rest.delivered.size(), 1, "the later message alone");
        NS_TEST_EXPECT_MSG_EQ(rest.delivered[0].id, 1, "and that is the second");
        NS_TEST_EXPECT_MSG_EQ(GetState(receiver).size(),
                              GetState(MakeCore()).size(),
                              "and nothing is kept of the other");
    }

    /** Section 3.3: a packet that finds no free slot is lost and not answered. */
    void Overrun()
    {
        Config config;
        config.receiveRing = 2;
        config.costs.firmwareReceive = 3000;
        auto core = MakeCore(config);
        Notebook out;
        for (uint8_t n = 0; n < 3; ++n)
        {
            core.OnFrame(1, MakeFrame(PacketKind::DATA, n), out);
        }
        NS_TEST_EXPECT_MSG_EQ(out.Count(Event::OVERRUN), 1, "the third");
        NS_TEST_EXPECT_MSG_EQ(out.Count(Event::RECEIVE), 2, "the others are in their slots");
    }

  private:
    void DoRun() override
    {
        (this->*m_check)();
    }

    Check m_check; ///< Check of the rule.
};

/**
 * The state compared by a search includes the next packet, even if all packets are acknowledged.
 */
class StateTest : public TestCase
{
  public:
    StateTest()
        : TestCase("The state shows the next message's number, and AM-II's bits of both directions")
    {
    }

  private:
    /**
     * Send a message, and return the answers.
     * @param from its sender @param to its receiver @param self number of the sender
     */
    template <class AnyCore>
    void Pass(AnyCore& from, AnyCore& to, messaging::Peer self)
    {
        Notebook out;
        Notebook in;
        from.OnRequest(MakeRequest(0, 1 - self), out);
        NS_TEST_ASSERT_MSG_EQ(out.sent.size(), 1, "a packet");
        to.OnFrame(self, out.sent[0].frame, in);
        for (const auto& answer : in.sent)
        {
            from.OnFrame(1 - self, answer.frame, out);
        }
        NS_TEST_EXPECT_MSG_EQ(in.delivered.size(), 1, "it arrives");
    }

    /**
     * @tparam AnyCore a core
     * @param senders senders of consecutive messages; host 0's state must show each
     */
    template <class AnyCore>
    void Check(const std::vector<messaging::Peer>& senders)
    {
        Config config;
        config.channels = 1;
        config.sendRing = 1;
        config.credits = 2;
        AnyCore one(config, 0, 2);
        AnyCore two(config, 1, 2);
        auto before = GetState(one);
        for (const messaging::Peer sender : senders)
        {
            if (sender == 0)
            {
                Pass(one, two, sender);
            }
            else
            {
                Pass(two, one, sender);
            }
            NS_TEST_EXPECT_MSG_EQ((GetState(one) != before), true, "a message of " << sender);
            before = GetState(one);
        }
    }

    /**
     * The state includes packets sent, waiting, or partly received: all of these states differ.
     */
    void Distinct()
    {
        std::set<std::vector<uint64_t>> states;
        const auto add = [&](const Config& config, auto&& act) {
            NicCore<NoProtocol> core(config, 0, 3);
            Notebook out;
            act(core, out);
            const bool added = states.insert(GetState(core)).second;
            NS_TEST_EXPECT_MSG_EQ(added, true, "the state of this one is its own");
        };
        Config busy;
        busy.sendRing = 1;
        busy.costs.hostSend = 1;
        const messaging::Request request = MakeRequest(1, 1, 8);
        for (const bool second : {false, true})
        {
            for (int change = 0; change < 5; ++change)
            {
                add(busy, [&](auto& core, auto& out) {
                    auto changed = request;
                    changed.id += change == 1 ? 1 : 0;
                    changed.contents += change == 2 ? 1 : 0;
                    changed.to += change == 3 ? 1 : 0;
                    changed.bytes += change == 4 ? 1 : 0;
                    if (second)
                    {
                        core.OnRequest(request, out);
                        // A waiting message is represented by its request.
                        changed.id += change > 1 ? 10 * change : 0;
                    }
                    core.OnRequest(changed, out);
                });
            }
        }
        // One of three packets, which is being examined, or assembled into its message.
        for (const bool examined : {true, false})
        {
            Config config;
            config.costs.firmwareReceive = examined ? 1 : 0;
            for (int change = 0; change < 5; ++change)
            {
                add(config, [&](auto& core, auto& out) {
                    auto frame = MakeFrame(PacketKind::DATA, 0);
                    auto id = PacketId::Unpack(frame.id);
                    id.count = 3;
                    id.bytes = 3 * config.packetBytes;
                    frame.payload = config.packetBytes;
                    id.index += change == 1 ? 1 : 0;
                    id.message += change == 2 ? 1 : 0;
                    frame.id = id.Pack();
                    frame.contents += change == 3 ? 1 : 0;
                    core.OnFrame(change == 4 ? 2 : 1, frame, out);
                });
            }
        }
    }

    /** An answer that waits for another one is part of the state. */
    void Answers()
    {
        std::set<std::vector<uint64_t>> states;
        for (const uint8_t second : {1, 2, 3})
        {
            Config config;
            config.costs.buildControl = 1;
            Core core = MakeCore(config);
            Notebook out;
            // Duplicates of packets before the first: they are acknowledged and change nothing.
            for (const uint8_t before : {uint8_t{1}, second})
            {
                const uint32_t number = (1U << config.sequenceBits) - before;
                core.OnFrame(1, MakeFrame(PacketKind::DATA, static_cast<uint8_t>(number)), out);
            }
            states.insert(GetState(core));
        }
        NS_TEST_EXPECT_MSG_EQ(states.size(), 3, "of three answers");
    }

    /** AM-II's channel has a bit for each direction; the state distinguishes them. */
    void Bits()
    {
        std::set<std::vector<uint64_t>> states;
        for (const bool sends : {false, true})
        {
            for (const bool receives : {false, true})
            {
                Config config;
                config.channels = 1;
                NicCore<StopAndWait> one(config, 0, 2);
                NicCore<StopAndWait> two(config, 1, 2);
                if (sends)
                {
                    Pass(one, two, 0);
                }
                if (receives)
                {
                    Pass(two, one, 1);
                }
                messaging::Encoder encoder;
                one.GetProtocol().Encode(encoder);
                states.insert(encoder.GetWords());
            }
        }
        NS_TEST_EXPECT_MSG_EQ(states.size(), 4, "of two bits");
    }

    void DoRun() override
    {
        Check<NicCore<StopAndWait>>({0, 1, 0});
        Check<NicCore<Credits>>({0, 0});
        Distinct();
        Answers();
        Bits();
    }
};

/** Promises of the protocols, and refused networks. */
class PromiseTest : public TestCase
{
  public:
    PromiseTest()
        : TestCase("Promises on a network that loses; a header needs room for a payload")
    {
    }

  private:
    void DoRun() override
    {
        const messaging::PortInfo lossy{.mtu = 1500, .ordered = true};
        const auto repairs = [&](const ParastationProtocol& protocol) {
            const auto promise = protocol.GetPromise(lossy);
            return promise.complete && promise.once;
        };
        NS_TEST_EXPECT_MSG_EQ(repairs(Parastation2Protocol()), true, "ACKs and NACKs");
        NS_TEST_EXPECT_MSG_EQ(repairs(Am2Protocol()), true, "stop and wait");
        NS_TEST_EXPECT_MSG_EQ(repairs(Vmmc2Protocol()), true, "ACKs and a timer");
        NS_TEST_EXPECT_MSG_EQ(repairs(CreditsProtocol()), false, "trusts the network");
        const uint32_t header = Config{}.header;
        // 256 numbers less two windows of 8, for a packet and its acknowledgement, that are late.
        const messaging::Ticks longest = (256 - 2 * 8) / 2 * header;
        for (const auto& [slip, rate, holds] : {std::tuple{longest - 1, 1.0, true},
                                                {longest, 1.0, false},
                                                {longest / 2, 2.0, false},
                                                {messaging::NEVER, 1.0, false},
                                                {longest - 1, 0.0, false}})
        {
            const messaging::PortInfo info{.mtu = 1500, .maxSlip = slip, .rate = rate};
            const std::string name = std::to_string(slip) + " ticks";
            NS_TEST_EXPECT_MSG_EQ(Parastation2Protocol().GetPromise(info).once, holds, name);
            NS_TEST_EXPECT_MSG_EQ(Vmmc2Protocol().GetPromise(info).complete, holds, name);
            NS_TEST_EXPECT_MSG_EQ(Vmmc2Protocol().GetPromise(info).ended, holds, name);
        }
        const Parastation2Protocol protocol;
        NS_TEST_EXPECT_MSG_NE(protocol.Check({.mtu = header}, 2), "", "no room");
        NS_TEST_EXPECT_MSG_EQ(protocol.Check({.mtu = header + 1}, 2), "", "room for a byte");
        // A slot of the receive ring for each peer is one credit each.
        const uint32_t ring = Config{}.receiveRing;
        // A message is divided into packets that fit into the network's frames.
        for (const auto& [mtu, packets] : {std::pair{header + 100, 11U}, {header + 1000, 2U}})
        {
            const auto clock = CreateObject<messaging::TickClock>();
            const auto port = Create<messaging::LoopbackPort>(
                clock,
                2,
                messaging::LoopbackOptions{.latency = 100, .mtu = mtu});
            messaging::Site site;
            site.clock = clock;
            site.port = messaging::MakeAnyPort(port);
            CreditsProtocol split;
            const auto group = split.Connect(site);
            uint32_t received = 0;
            group->TraceConnectWithoutContext(
                "Event",
                Callback<void, messaging::Peer, Event>([&received](messaging::Peer, Event event) {
                    received += event == Event::RECEIVE;
                }));
            group->Post(0, MakeRequest(0, 1, 1001));
            Simulator::Stop(MilliSeconds(1));
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(received, packets, "packets of " << mtu << " bytes");
            Simulator::Destroy();
        }
        const CreditsProtocol credits;
        NS_TEST_EXPECT_MSG_EQ(credits.Check(lossy, ring + 1), "", "one each");
        NS_TEST_EXPECT_MSG_NE(credits.Check(lossy, ring + 2), "", "too few");
        NS_TEST_EXPECT_MSG_EQ(protocol.Check(lossy, ring + 2), "", "without credits");
    }
};

/** The suite. */
class ParastationCoreTestSuite : public TestSuite
{
  public:
    ParastationCoreTestSuite()
        : TestSuite("parastation-core", Type::UNIT)
    {
        AddTestCase(new Figure3Test, Duration::QUICK);
        AddTestCase(new Table1Test, Duration::QUICK);
        AddTestCase(new CoreEventsTest, Duration::QUICK);
        const auto addRule = [this](const std::string& name, RulesTest::Check check) {
            AddTestCase(new RulesTest(name, check), Duration::QUICK);
        };
        addRule("A-07: numbers of 8 bits, one space for each pair, compared with wrap",
                &RulesTest::Wrap);
        addRule("A-08, A-14: eight packets in flight, whatever the size of the ring",
                &RulesTest::WindowAndRing);
        addRule("A-09: the first unacknowledged packet and all later ones are sent again",
                &RulesTest::GoBack);
        addRule("A-10: no prepared packet precedes a rejected one", &RulesTest::Stop);
        addRule("A-15: limits of parameters, and refused requests", &RulesTest::Limits);
        addRule("A-22: a released packet has no timer", &RulesTest::Release);
        addRule("A-24, as acknowledgement of all lower numbers", &RulesTest::LowSequence);
        addRule("Section 3.2: host and interface traverse the ring", &RulesTest::Turns);
        addRule("Section 3.3: a message ends with its last packet", &RulesTest::Messages);
        addRule("Section 3.3: a packet without a free slot is lost", &RulesTest::Overrun);
        addRule("A rejected packet is not sent repeatedly while the receiver is full",
                &RulesTest::Shortage);
        addRule("Packets that no message contains are noted and ignored", &RulesTest::Beyond);
        addRule("The transmission count of a packet saturates", &RulesTest::Attempts);
        addRule("The queue holds messages in addition to the one in the ring", &RulesTest::Queue);
        addRule("Jitter keeps the mean of a step of the host", &RulesTest::Jitter);
        AddTestCase(new StateTest, Duration::QUICK);
        AddTestCase(new PromiseTest, Duration::QUICK);
    }
};

ParastationCoreTestSuite g_parastationCoreTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace parastation
} // namespace ns3
