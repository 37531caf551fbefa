/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "idempotent-core-notebook.h"

#include "ns3/idempotent-cam.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <numeric>
#include <random>

/**
 * @file
 * @ingroup idempotent
 * The protocol core on its own: the rules of paper 1, sections 2 and 4.3.
 */

namespace ns3
{
namespace idempotent
{
namespace tests
{
namespace
{

/** The three packets and their fields (E-01, E-04, E-06). */
class PacketsTestCase : public TestCase
{
  public:
    PacketsTestCase()
        : TestCase("MSG, ACK, CONF and their fields (E-01, E-04, E-06)")
    {
    }

  private:
    void DoRun() override
    {
        IdempotentConfig config;
        IdempotentCore sender(config, SELF);
        IdempotentCore receiver(config, OTHER);
        Notebook out;
        sender.OnRequest(MakeRequest(42), out);
        NS_TEST_ASSERT_MSG_EQ(out.sent.size(), 1, "E-01: one MSG");
        const Frame msg = out.sent[0].frame;
        NS_TEST_EXPECT_MSG_EQ(msg.kind, static_cast<uint8_t>(PacketKind::MSG), "E-01: a MSG");
        receiver.OnFrame(SELF, msg, out);
        NS_TEST_ASSERT_MSG_EQ(out.sent.size(), 2, "E-01: one ACK");
        const Frame ack = out.sent[1].frame;
        NS_TEST_EXPECT_MSG_EQ(ack.kind, static_cast<uint8_t>(PacketKind::ACK), "E-01: an ACK");
        NS_TEST_EXPECT_MSG_EQ(out.sent[1].to, SELF, "E-04: to the source that the port states");
        NS_TEST_EXPECT_MSG_EQ(ack.id, msg.id, "E-06: the ACK carries the message ID");
        NS_TEST_EXPECT_MSG_EQ(ack.header + ack.payload, 12, "E-08: an ACK has 96 bits");
        NS_TEST_EXPECT_MSG_EQ(out.WireTicks(ack), 4, "E-22: an ACK has four flits");
        for (const char* which : {"first", "second"})
        {
            sender.OnFrame(OTHER, ack, out);
            const auto& [to, conf] = out.sent.back();
            NS_TEST_EXPECT_MSG_EQ(conf.kind,
                                  static_cast<uint8_t>(PacketKind::CONF),
                                  "E-04: the " << which << " ACK is answered by a CONF");
            NS_TEST_EXPECT_MSG_EQ(to, OTHER, "E-04: to the ACK's source");
            NS_TEST_EXPECT_MSG_EQ(conf.id, msg.id, "E-06: the CONF carries the message ID");
            NS_TEST_EXPECT_MSG_EQ(out.WireTicks(conf), 4, "E-22: a CONF has four flits");
        }
        NS_TEST_EXPECT_MSG_EQ(out.completed.size(), 1, "E-02: the sender forgets the message once");
        // The receiver's key is source and ID together.
        receiver.OnFrame(5, MakeFrame(PacketKind::MSG, msg.id), out);
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 2, "E-06: same ID, other source");
        receiver.OnFrame(6, MakeFrame(PacketKind::CONF, msg.id), out);
        NS_TEST_EXPECT_MSG_EQ(receiver.GetNRecords(), 2, "E-06: a CONF of a third source");
        receiver.OnFrame(5, MakeFrame(PacketKind::CONF, msg.id), out);
        NS_TEST_EXPECT_MSG_EQ(receiver.GetNRecords(), 1, "E-06: one of the two is forgotten");
        receiver.OnFrame(SELF, msg, out);
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 2, "E-03: the other one is remembered");
        // IDs that differ in bits that a timer does not contain.
        const uint64_t far = msg.id + (uint64_t{1} << 50);
        receiver.OnFrame(SELF, MakeFrame(PacketKind::MSG, far), out);
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 3, "E-06: all 54 bits of an ID count");
    }
};

/** Times of repetitions (E-02, E-03, E-23, E-24). */
class RetransmissionTestCase : public TestCase
{
  public:
    RetransmissionTestCase()
        : TestCase("Times of retransmission (E-02, E-03, E-23, E-24)")
    {
    }

  private:
    void DoRun() override
    {
        // With attempts counted from 0, the same table is shifted by one entry.
        for (const uint32_t first : {0U, 1U})
        {
            IdempotentConfig config;
            config.backoff = Backoff().MakeTable();
            if (first == 0)
            {
                config.backoff.calm.insert(config.backoff.calm.begin(), 0);
            }
            IdempotentCore sender(config, SELF);
            IdempotentCore receiver(config, OTHER);
            Notebook out;
            sender.OnRequest(MakeRequest(1), out);
            // A copy, since the receiver's frames are recorded after it.
            const auto message = out.sent[0].frame;
            receiver.OnFrame(SELF, message, out);
            // size + 2 distance + ACK_SIZE; a message of 20 bytes has 6 flits.
            const Ticks msgWait = 6 + 2 * DISTANCE + 4;
            const Ticks ackWait = 4 + 2 * DISTANCE + 4;
            for (Ticks n = first; n < first + 5; ++n)
            {
                const auto [msgTimer, msgDelay] = out.armed[out.armed.size() - 2];
                const auto [ackTimer, ackDelay] = out.armed[out.armed.size() - 1];
                NS_TEST_EXPECT_MSG_EQ(msgDelay, msgWait + 3 * n * n, "E-23: MSG, n = " << n);
                NS_TEST_EXPECT_MSG_EQ(ackDelay, ackWait + 3 * n * n, "E-23: ACK, n = " << n);
                sender.OnTimer(msgTimer, out);
                receiver.OnTimer(ackTimer, out);
            }
            NS_TEST_EXPECT_MSG_EQ(out.sent.size(), 12, "E-02, E-03: each packet six times");
        }
        Expect({BackoffKind::CONSTANT}, {3, 3, 3, 3, 3}, "C");
        Expect({BackoffKind::LINEAR}, {0, 3, 6, 9, 12}, "C n");
        Expect({BackoffKind::QUADRATIC}, {0, 3, 12, 27, 48}, "C n^2");
        Expect({BackoffKind::EXPONENTIAL}, {3, 6, 12, 24, 48}, "C 2^n");
        Backoff table{BackoffKind::TABLE};
        table.table = "5, 4 1";
        Expect(table, {5, 4, 1, 1, 1}, "a table");
        NS_TEST_EXPECT_MSG_EQ(table.MakeTable(100).Get(1, 0), 400, "In cycles of 100 ticks");
        NS_TEST_EXPECT_MSG_EQ(Backoff().MakeTable(100).Get(2, 0), 1200, "In cycles of 100 ticks");
        for (const char* wrong : {"", "1 x", "-3", "1.5"})
        {
            table.table = wrong;
            NS_TEST_EXPECT_MSG_EQ(table.Check().empty(), false, "No table: " << wrong);
        }
        const auto quadratic = Backoff().MakeTable();
        NS_TEST_EXPECT_MSG_GT(quadratic.Get(1000, 0), quadratic.Get(999, 0), "Past the table");
        NS_TEST_EXPECT_MSG_EQ(quadratic.Get(512, 0) - quadratic.Get(511, 0),
                              quadratic.Get(511, 0) - quadratic.Get(510, 0),
                              "from 512 attempts on in a line");
        const BackoffTable shortOne{.calm = {1, 2}, .congested = {}, .slope = 5};
        NS_TEST_EXPECT_MSG_EQ(shortOne.Get(2, 0), 7, "The first attempt past the table");
        IdempotentSettings settings;
        settings.config.variant = Variant::SHORT_IDS;
        settings.config.idBits = 16;
        NS_TEST_EXPECT_MSG_EQ(settings.Check(), "", "16 bits are short");
        settings.config.idBits = 17;
        NS_TEST_EXPECT_MSG_NE(settings.Check(), "", "17 bits are not");
        const auto exponential = Backoff{BackoffKind::EXPONENTIAL}.MakeTable();
        NS_TEST_EXPECT_MSG_EQ(exponential.Get(60000, 0), Backoff::LONGEST, "E-24: it saturates");
        const auto congestion = Backoff{BackoffKind::CONGESTION}.MakeTable();
        NS_TEST_EXPECT_MSG_EQ(congestion.Get(2, 0), 6, "A calm node waits C n");
        NS_TEST_EXPECT_MSG_EQ(congestion.Get(2, 65535), 95, "A congested one nearly 16 C n");
    }

    /**
     * Compare a strategy with expected values.
     * @param backoff the strategy
     * @param values backoff after 0, 1, ... attempts
     * @param name name of the strategy
     */
    void Expect(const Backoff& backoff, const std::vector<Ticks>& values, const char* name)
    {
        const BackoffTable table = backoff.MakeTable();
        for (uint32_t n = 0; n < values.size(); ++n)
        {
            NS_TEST_EXPECT_MSG_EQ(table.Get(n, 0), values[n], "E-24: " << name << ", n = " << n);
        }
    }
};

/** Tables of limited size, options and estimates (E-12). */
class TablesTestCase : public TestCase
{
  public:
    TablesTestCase()
        : TestCase("Full tables, options, estimate of congestion (E-12)")
    {
    }

  private:
    void DoRun() override
    {
        IdempotentConfig config;
        config.sendTable = 3;
        config.receiveTable = 2;
        config.mtu = 64;
        config.backoff = Backoff{BackoffKind::CONGESTION}.MakeTable();
        IdempotentCore core(config, SELF);
        Notebook out;
        for (uint64_t i = 0; i < 3; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(i), out),
                                  Acceptance::ACCEPTED,
                                  "E-12");
        }
        NS_TEST_EXPECT_MSG_EQ(core.CanAccept(), false, "E-12: the send table is full");
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(3), out), Acceptance::STALLED, "E-12");
        core.OnFrame(OTHER, MakeFrame(PacketKind::ACK, 1), out);
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(3), out), Acceptance::ACCEPTED, "E-12");
        for (uint64_t i = 0; i < 3; ++i)
        {
            core.OnFrame(OTHER, MakeFrame(PacketKind::MSG, 100 + i), out);
        }
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 2, "E-12: the third new message is dropped");
        const auto sent = out.sent.size();
        const auto armed = out.armed.size();
        core.OnFrame(OTHER, MakeFrame(PacketKind::MSG, 100), out);
        NS_TEST_EXPECT_MSG_EQ(out.sent.size(), sent, "E-03: a duplicate is ignored");
        NS_TEST_EXPECT_MSG_EQ(out.armed.size(), armed, "and leaves the ACK's timer alone");
        core.OnTimer(IdempotentCore::AckTimer(OTHER, 101), out);
        NS_TEST_EXPECT_MSG_EQ(out.sent.size(), sent + 1, "A full table goes on acknowledging");
        NS_TEST_EXPECT_MSG_GT(core.GetCongestion(OTHER), 0, "A time-out is a sign of congestion");
        Request large = MakeRequest(9);
        large.bytes = 53;
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(large, out),
                              Acceptance::REFUSED,
                              "Longer than the MTU");
        large = MakeRequest(9);
        large.to = config.nodes;
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(large, out), Acceptance::REFUSED, "No such node");
        large.to = SELF;
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(large, out), Acceptance::ACCEPTED, "To itself");
        NS_TEST_EXPECT_MSG_EQ(out.delivered.size(), 3, "is delivered at once");
    }
};

/** Backoffs by congestion near the destination, and in the network (section 6). */
class CongestionTestCase : public TestCase
{
  public:
    CongestionTestCase()
        : TestCase("Estimates of congestion by region, and those that a CONF carries")
    {
    }

  private:
    void DoRun() override
    {
        IdempotentConfig config;
        config.nodes = 64;
        config.backoff = Backoff{BackoffKind::DESTINATION}.MakeTable();
        config.strategy = BackoffKind::DESTINATION;
        Notebook out;
        // Nodes 0 to 7 are in the first of regions of 64 nodes, the others in another.
        IdempotentCore core(config, SELF);
        core.OnRequest(MakeRequest(0), out);
        core.OnTimer(IdempotentCore::MessageTimer(0), out);
        NS_TEST_EXPECT_MSG_GT(core.GetCongestion(OTHER), 0, "A message to it was not answered");
        NS_TEST_EXPECT_MSG_EQ(core.GetCongestion(0), core.GetCongestion(OTHER), "Its region");
        NS_TEST_EXPECT_MSG_EQ(core.GetCongestion(8), 0, "Not the next region");
        NS_TEST_EXPECT_MSG_EQ(core.GetCongestion(63), 0, "Not the last one");

        config.strategy = BackoffKind::NETWORK;
        IdempotentCore troubled(config, SELF);
        IdempotentCore calm(config, OTHER);
        troubled.OnRequest(MakeRequest(1), out);
        const Frame msg = out.sent.back().frame;
        for (int n = 0; n < 20; ++n)
        {
            troubled.OnTimer(IdempotentCore::MessageTimer(msg.id), out);
        }
        calm.OnFrame(SELF, msg, out);
        troubled.OnFrame(OTHER, out.sent.back().frame, out);
        NS_TEST_EXPECT_MSG_EQ(calm.GetCongestion(SELF), 0, "All is well here");
        calm.OnFrame(SELF, out.sent.back().frame, out);
        NS_TEST_EXPECT_MSG_EQ(calm.GetNRecords(), 0, "A CONF has come");
        NS_TEST_EXPECT_MSG_GT(calm.GetCongestion(SELF), 0, "and brought its sender's estimate");
        NS_TEST_EXPECT_MSG_LT(calm.GetCongestion(SELF), troubled.GetCongestion(OTHER), "in part");
    }
};

/** The dither of backoffs. */
class DitherTestCase : public TestCase
{
  public:
    DitherTestCase()
        : TestCase("Dither: as the host draws, between its bounds")
    {
    }

  private:
    /**
     * Send a message.
     * @param random the number drawn, or the largest below the bound
     * @return the time until its repetition, without the time of the exchange itself [ticks]
     */
    Ticks Backoff(uint32_t random) const
    {
        IdempotentCore core(m_config, SELF);
        Notebook out;
        out.random = random;
        core.OnRequest(MakeRequest(0), out);
        // size + 2 distance + ACK_SIZE; a message of 20 bytes has 6 flits.
        return out.armed.back().second - (6 + 2 * DISTANCE + 4);
    }

    void DoRun() override
    {
        constexpr uint32_t MOST = UINT32_MAX;
        idempotent::Backoff backoff{BackoffKind::CONSTANT};
        backoff.c = 1000;
        m_config.backoff = backoff.MakeTable();
        for (const uint32_t random : {0U, 1U, MOST})
        {
            NS_TEST_EXPECT_MSG_EQ(Backoff(random), 1000, "none by default, whatever is drawn");
        }
        for (const double dither : {0.5, 1.0})
        {
            m_config.dither = dither;
            const auto part = static_cast<Ticks>(1000 * dither);
            NS_TEST_EXPECT_MSG_EQ(Backoff(0), 1000 - part, "(1 - Dither) b at least");
            NS_TEST_EXPECT_MSG_EQ(Backoff(MOST), 1000 + part, "(1 + Dither) b at most");
            NS_TEST_EXPECT_MSG_EQ(Backoff(1U << 19), 1000, "b for a number in the middle");
        }
    }

    IdempotentConfig m_config; ///< Parameters.
};

/** Order of departure of packets that have waited for the port. */
class OrderTestCase : public TestCase
{
  public:
    OrderTestCase()
        : TestCase("AnswersFirst: ACK and CONF leave before MSG that wait too")
    {
    }

  private:
    void DoRun() override
    {
        for (const bool first : {false, true})
        {
            IdempotentConfig config;
            config.answersFirst = first;
            IdempotentCore core(config, SELF);
            Notebook out;
            core.OnRequest(MakeRequest(0), out);
            out.sent.clear();
            out.busy = true;
            core.OnRequest(MakeRequest(1), out);
            core.OnFrame(OTHER, MakeFrame(PacketKind::MSG, 100), out);
            core.OnRequest(MakeRequest(2), out);
            core.OnFrame(OTHER, MakeFrame(PacketKind::ACK, 0), out);
            core.OnFrame(OTHER, MakeFrame(PacketKind::MSG, 101), out);
            NS_TEST_EXPECT_MSG_EQ(out.sent.size(), 0, "All wait for the port");
            out.busy = false;
            core.OnReady(out);
            std::ostringstream order;
            for (const auto& [to, frame] : out.sent)
            {
                order << static_cast<PacketKind>(frame.kind) << frame.id << " ";
            }
            NS_TEST_EXPECT_MSG_EQ(
                order.str(),
                (first ? "ACK100 CONF0 ACK101 MSG1 MSG2 " : "MSG1 ACK100 MSG2 CONF0 ACK101 "),
                "In their order, answers apart if they are first");
        }
    }
};

/** A core is a value: copies are equal and behave alike; IDs are exhausted and renewed. */
class ValueTestCase : public TestCase
{
  public:
    ValueTestCase()
        : TestCase("Copies, canonical form, exhausted IDs (E-08)")
    {
    }

  private:
    void DoRun() override
    {
        IdempotentConfig config;
        config.idBits = 2;
        IdempotentCore core(config, SELF);
        Notebook out;
        for (uint64_t i = 0; i < 4; ++i)
        {
            core.OnRequest(MakeRequest(i), out);
        }
        IdempotentCore copy = core;
        NS_TEST_EXPECT_MSG_EQ((messaging::GetState(copy) == messaging::GetState(core)),
                              true,
                              "A copy is equal");
        NS_TEST_EXPECT_MSG_EQ(core.NeedsDrain(), true, "E-08: all IDs are used");
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(4), out), Acceptance::STALLED, "E-08");
        for (const uint64_t id : {0, 2, 1, 3})
        {
            core.OnFrame(OTHER, MakeFrame(PacketKind::ACK, id), out);
        }
        NS_TEST_EXPECT_MSG_EQ((messaging::GetState(copy) == messaging::GetState(core)),
                              false,
                              "The copy is its own");
        NS_TEST_EXPECT_MSG_EQ(core.IsIdle(), true, "E-08: drained");
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(4), out), Acceptance::STALLED, "E-08");
        core.Renew();
        NS_TEST_EXPECT_MSG_EQ(core.OnRequest(MakeRequest(4), out), Acceptance::ACCEPTED, "E-08");
        NS_TEST_EXPECT_MSG_EQ(out.sent.back().frame.id, 0, "E-08: IDs begin anew");
        // The same entries in another order are the same state.
        for (const uint64_t id : {1, 3})
        {
            copy.OnFrame(OTHER, MakeFrame(PacketKind::ACK, id), out);
        }
        IdempotentCore other(config, SELF);
        for (uint64_t i = 0; i < 4; ++i)
        {
            other.OnRequest(MakeRequest(i), out);
        }
        for (const uint64_t id : {3, 1})
        {
            other.OnFrame(OTHER, MakeFrame(PacketKind::ACK, id), out);
        }
        NS_TEST_EXPECT_MSG_EQ((messaging::GetState(copy) == messaging::GetState(other)),
                              true,
                              "The canonical form");
    }
};

/** What a network adds to the parameters. */
class SettingsTestCase : public TestCase
{
  public:
    SettingsTestCase()
        : TestCase("Parameters on a network: retention, tables")
    {
    }

  private:
    void DoRun() override
    {
        messaging::PortInfo info;
        info.mtu = 100;
        info.maxSlip = 50;
        IdempotentSettings settings;
        settings.config.sendTable = 3;
        settings.config.receiveTable = 0;
        IdempotentConfig complete = settings.Complete(info, 2, 10);
        NS_TEST_EXPECT_MSG_EQ(complete.retention, 50, "As long as a packet may be late");
        NS_TEST_EXPECT_MSG_EQ(complete.receiveTable, 6, "Twice the send table");
        NS_TEST_EXPECT_MSG_EQ(complete.mtu, 100, "Of the network");
        settings.retention = "7";
        complete = settings.Complete(info, 2, 10);
        NS_TEST_EXPECT_MSG_EQ(complete.retention, 70, "Cycles in ticks");
        info.ordered = true;
        settings.retention = "auto";
        NS_TEST_EXPECT_MSG_EQ(settings.Complete(info, 2, 10).retention, 0, "None if in order");
        info.ordered = false;
        info.maxSlip = messaging::NEVER;
        NS_TEST_EXPECT_MSG_EQ(settings.Check(info, 2).empty(), false, "No bound, no retention");
        const uint32_t most = 1U << NODE_BITS;
        info.maxSlip = 0;
        NS_TEST_EXPECT_MSG_EQ(settings.Check(info, most), "", "As many nodes as an ACK can name");
        NS_TEST_EXPECT_MSG_EQ(settings.Check(info, most + 1).empty(), false, "No more");
        settings.config.variant = Variant::SHORT_IDS;
        settings.config.idBits = 16;
        NS_TEST_EXPECT_MSG_EQ(settings.Check(), "", "16 bits are short");
        settings.config.idBits = 17;
        NS_TEST_EXPECT_MSG_EQ(settings.Check().empty(), false, "17 are not");
    }
};

/** Tables of all sizes, and queues, against the standard library's containers. */
class ContainersTestCase : public TestCase
{
  public:
    ContainersTestCase()
        : TestCase("tables and queues do what maps and deques do, small and large")
    {
    }

  private:
    void DoRun() override
    {
        std::mt19937 random(1);
        for (const uint32_t most : {4U, 8U, 9U, 40U, 1000U})
        {
            Cam<uint32_t> cam;
            std::map<uint64_t, uint32_t> map;
            messaging::Fifo<uint32_t> fifo;
            std::deque<uint32_t> deque;
            for (uint32_t i = 0; i < 20000; ++i)
            {
                // Keys as made by the core: few sources, and increasing IDs.
                const uint64_t key = (uint64_t{random() % 16} << 42) | (i / 64 + random() % most);
                const uint32_t at = cam.Find(key);
                const auto found = map.find(key);
                NS_TEST_ASSERT_MSG_EQ((at == Cam<uint32_t>::NONE), (found == map.end()), "Found");
                if (found != map.end())
                {
                    NS_TEST_ASSERT_MSG_EQ(cam[at], found->second, "The entry");
                    const auto sought = [&](uint32_t entry) { return entry == found->second; };
                    NS_TEST_ASSERT_MSG_EQ(cam.FindFirst(sought), at, "The entry without its key");
                    cam.Erase(at);
                    map.erase(found);
                }
                else if (cam.GetSize() < most)
                {
                    cam.Insert(key, i);
                    map[key] = i;
                }
                NS_TEST_ASSERT_MSG_EQ(cam.GetSize(), map.size(), "The size");
                if (random() % 2 == 0 && deque.size() < most)
                {
                    fifo.Push(i);
                    deque.push_back(i);
                }
                else if (random() % 8 == 0 && deque.size() < most)
                {
                    const auto isOdd = [](uint32_t other) { return other % 2 == 1; };
                    fifo.Insert(i, isOdd);
                    deque.insert(std::find_if(deque.begin(), deque.end(), isOdd), i);
                }
                else if (!deque.empty())
                {
                    NS_TEST_ASSERT_MSG_EQ(fifo.Front(), deque.front(), "The queue's order");
                    fifo.Pop();
                    deque.pop_front();
                }
                NS_TEST_ASSERT_MSG_EQ(fifo.IsEmpty(), deque.empty(), "The queue's end");
            }
            for (const auto& [key, value] : map)
            {
                NS_TEST_EXPECT_MSG_EQ(cam[cam.Find(key)], value, "All that were left");
            }
        }
    }
};

/** Entries with the same key. */
class SameKeyTestCase : public TestCase
{
  public:
    SameKeyTestCase()
        : TestCase(
              "entries with the same key are distinguished, in a small table and in a large one")
    {
    }

  private:
    void DoRun() override
    {
        for (const uint32_t others : {0U, 500U})
        {
            Cam<uint32_t> cam;
            for (uint32_t i = 0; i < others; ++i)
            {
                cam.Insert(1000 + i, 0);
            }
            cam.Insert(7, 1);
            cam.Insert(7, 2);
            const auto find = [&cam](uint32_t value) {
                return cam.Find(7, [value](uint32_t entry) { return entry == value; });
            };
            NS_TEST_EXPECT_MSG_EQ(cam[find(2)], 2, "The second");
            cam.Erase(find(1));
            NS_TEST_EXPECT_MSG_EQ(find(1), Cam<uint32_t>::NONE, "The first is gone");
            NS_TEST_EXPECT_MSG_EQ(cam[find(2)], 2, "The second is not");
        }
    }
};

/** The core on its own. */
class CoreTestSuite : public TestSuite
{
  public:
    CoreTestSuite()
        : TestSuite("idempotent-core", Type::UNIT)
    {
        AddTestCase(new PacketsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new RetransmissionTestCase, TestCase::Duration::QUICK);
        AddTestCase(new TablesTestCase, TestCase::Duration::QUICK);
        AddTestCase(new CongestionTestCase, TestCase::Duration::QUICK);
        AddTestCase(new DitherTestCase, TestCase::Duration::QUICK);
        AddTestCase(new OrderTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ValueTestCase, TestCase::Duration::QUICK);
        AddTestCase(new SettingsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ContainersTestCase, TestCase::Duration::QUICK);
        AddTestCase(new SameKeyTestCase, TestCase::Duration::QUICK);
    }
};

CoreTestSuite g_coreTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace idempotent
} // namespace ns3
