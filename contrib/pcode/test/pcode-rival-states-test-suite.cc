/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-rival-states.h"

#include "ns3/pcode-graph-core.h"
#include "ns3/pcode-window-core.h"

/**
 * @file
 * @ingroup pcode
 * Every state and every event of the acknowledgement graph and the packing window (paper 3, section
 * 6.4.2).
 */

namespace ns3
{
namespace pcode
{
namespace tests
{
namespace
{

/** The acknowledgement graph. */
class GraphStatesCase : public StatesCase<GraphCore>
{
  public:
    GraphStatesCase()
        : StatesCase("acknowledgement graph: every state and every event", GraphConfig{}.mtu)
    {
    }

  private:
    GraphCore MakeCore() override
    {
        GraphConfig config;
        config.nPeers = PEERS;
        config.window = 4;
        config.nackLimit = 2;
        return GraphCore(SELF, config);
    }

    Protocol MakeProtocol() const override
    {
        Protocol out;
        out.printFrame = [](const Frame& frame) {
            std::ostringstream os;
            const auto& words = frame.words;
            uint32_t place = PEERS;
            if (frame.kind == static_cast<uint8_t>(GraphKind::STATUS))
            {
                os << "status" << (frame.flags & GraphCore::WAITING ? " waiting" : "") << "["
                   << words[0] << " " << words[1] << " " << words[2];
            }
            else
            {
                os << "message" << GetNumber(frame) << " of " << GetSource(frame) << "[";
                for (place = 1; place < 1 + 2 * words[0]; place += 2)
                {
                    os << " ack " << words[place] << "/" << words[place + 1];
                }
            }
            for (; place < words.size(); place += 2)
            {
                os << " nack " << (words[place] & 0xffff) << "/" << words[place + 1] << "/"
                   << (words[place] >> 16);
            }
            os << "]";
            return os.str();
        };
        out.printReason = [](messaging::Reason reason) {
            std::ostringstream os;
            os << static_cast<RivalEvent>(reason);
            return os.str();
        };
        return out;
    }

    /** Acknowledgements: (source, number) of each; for a request, (source, number, attempt). */
    using Acks = std::vector<uint32_t>;

    /** Append requests to a frame. @param frame the frame @param nacks the requests */
    static void Append(Frame& frame, std::span<const uint32_t> nacks)
    {
        for (; !nacks.empty(); nacks = nacks.subspan(3))
        {
            frame.words.push_back(nacks[0] | nacks[2] << 16);
            frame.words.push_back(nacks[1]);
        }
    }

    /**
     * @param number its number
     * @param source its source
     * @param acks its acknowledgements
     * @param to its receiver
     * @param nacks its requests
     * @param from the node that has repeated it
     * @return the step of its arrival
     */
    static Step<GraphCore> Message(uint32_t number,
                                   Peer source,
                                   const Acks& acks = {},
                                   Peer to = NO_PEER,
                                   const Acks& nacks = {},
                                   Peer from = NO_PEER)
    {
        return [=](GraphCore& core, Protocol& out) {
            Frame frame;
            frame.kind = static_cast<uint8_t>(GraphKind::MESSAGE);
            frame.id = MakeMessageId(source, to, number);
            frame.contents = 1000 * source + number;
            frame.payload = 8;
            frame.words = {static_cast<uint32_t>(acks.size() / 2)};
            for (const uint32_t word : acks)
            {
                frame.words.push_back(word);
            }
            Append(frame, nacks);
            core.OnFrame(from == NO_PEER ? source : from, frame, out);
        };
    }

    /**
     * @param from its sender
     * @param numbers its messages, then its requests
     * @param waiting whether it waits for others
     * @return the step of its arrival
     */
    static Step<GraphCore> Status(Peer from, const Acks& numbers, bool waiting = false)
    {
        return [=](GraphCore& core, Protocol& out) {
            Frame frame;
            frame.kind = static_cast<uint8_t>(GraphKind::STATUS);
            const auto all = std::span<const uint32_t>(numbers);
            const auto has = std::min<std::size_t>(all.size(), PEERS);
            frame.words.assign(all.first(has));
            Append(frame, all.subspan(has));
            frame.flags = waiting ? GraphCore::WAITING : 0;
            core.OnFrame(from, frame, out);
        };
    }

    void DoRun() override
    {
        using G = GraphCore;
        const auto nack = Fire<G>(G::NACK_TIMER);
        const auto idle = Fire<G>(G::IDLE_TIMER);
        // The first message of this node has index 5 of the store, the second 6.
        const auto holdOff = Fire<G>(G::HOLD_OFF_TIMER + 5);
        const auto otherHoldOff = Fire<G>(G::HOLD_OFF_TIMER + 6);
        const Steps quiet{};
        const Steps received{Message(1, BEFORE)};
        const Steps gap{Message(2, BEFORE)};
        const Steps early{Message(1, AFTER, {BEFORE, 1})};
        const Steps requested{Message(2, BEFORE), nack};
        const Steps sent{Post<G>(1)};
        const Steps full{Post<G>(1), Post<G>(2), Post<G>(3), Post<G>(4)};
        const Steps repeated{Post<G>(1), Status(AFTER, {0, 0, 0, SELF, 1, 0})};
        const Steps both{Message(1, BEFORE), Message(1, AFTER, {BEFORE, 1})};

        CheckEvents(
            {{"quiet", quiet, Post<G>(1), " >all:message1 of 1[] data-sent +t1"},
             {"quiet", quiet, Message(1, BEFORE), " data-kept deliver(1) +t1"},
             {"quiet", quiet, Message(1, BEFORE, {}, AFTER), " data-kept +t1"},
             {"quiet", quiet, Message(2, BEFORE), " data-kept +t0 +t1"},
             {"quiet", quiet, Message(1, AFTER, {BEFORE, 1}), " data-kept +t0 +t1"},
             {"quiet", quiet, Status(AFTER, {0, 0, 0}), ""},
             {"quiet", quiet, Status(AFTER, {0, 0, 0}, true), " +t1"},
             {"quiet", quiet, Status(AFTER, {1, 0, 0}, true), " +t0 +t1"},
             {"quiet", quiet, Status(AFTER, {0, 0}), " data-unreadable"},
             {"quiet", quiet, nack, ""},
             {"quiet", quiet, idle, ""},
             {"quiet", quiet, holdOff, ""},
             {"received", received, Post<G>(1), " >all:message1 of 1[ ack 0/1] data-sent +t1"},
             {"received", received, Message(1, BEFORE), " data-duplicate"},
             {"received",
              received,
              Message(2, BEFORE),
              " data-kept deliver(2) status-sent >all:status waiting[2 0 0] +t1"},
             {"received", received, Message(1, AFTER, {BEFORE, 1}), " data-kept deliver(2001)"},
             {"received", received, Status(AFTER, {0, 0, 0, BEFORE, 1, 0}), ""},
             {"received",
              received,
              Status(AFTER, {0, 0, 0, BEFORE, 1, 1}),
              " >all:message1 of 0[] data-replaced +t3"},
             {"received", received, idle, " status-sent >all:status waiting[1 0 0] +t1"},
             {"received", received, nack, ""},
             {"received of both", both, Post<G>(1), " >all:message1 of 1[ ack 2/1] data-sent +t1"},
             {"received of both", both, Status(BEFORE, {1, 0, 1}), ""},
             {"received of both", both, idle, " status-sent >all:status waiting[1 0 1] +t1"},
             {"gap",
              gap,
              Message(1, BEFORE),
              " data-kept deliver(1) deliver(2) status-sent >all:status waiting[2 0 0] +t1"},
             {"gap",
              gap,
              Message(1, BEFORE, {}, NO_PEER, {}, AFTER),
              " data-kept deliver(1) deliver(2) status-sent >all:status waiting[2 0 0] +t1"},
             {"gap", gap, Message(2, BEFORE), " data-duplicate"},
             {"gap",
              gap,
              Post<G>(1),
              " >all:message1 of 1[ nack 0/1/0] data-sent nack-sent +t0 +t1"},
             {"gap",
              gap,
              nack,
              " status-sent >all:status waiting[0 0 0 nack 0/1/0] nack-sent +t0 +t1"}});
        // At most two at a time.
        CheckEvents(
            {{"wide gap",
              Steps{Message(4, BEFORE)},
              nack,
              " status-sent >all:status waiting[0 0 0 nack 0/1/0 nack 0/2/0] nack-sent nack-sent "
              "+t0 +t1"},
             {"gap", gap, Status(AFTER, {0, 0, 0, BEFORE, 1, 0}), " nack-spared +t0"}});
        // It contains as many requests as fit: an entry takes 8 of 1472 bytes.
        const Steps wide{Message(1, AFTER), Message(3, BEFORE)};
        CheckEvents(
            {{"wide gap",
              wide,
              Post<G>(1, AFTER, 1428),
              " >all:message1 of 1[ ack 2/1 nack 0/1/0 nack 0/2/0] data-sent nack-sent nack-sent "
              "+t0 +t1"},
             {"wide gap",
              wide,
              Post<G>(1, AFTER, 1436),
              " >all:message1 of 1[ ack 2/1 nack 0/1/0] data-sent nack-sent +t0 +t1"},
             {"received",
              received,
              Post<G>(1, AFTER, 1436),
              " >all:message1 of 1[ ack 0/1] data-sent +t1"},
             {"early", early, Message(1, BEFORE), " data-kept deliver(1) deliver(2001)"},
             {"early", early, Message(1, AFTER, {BEFORE, 1}), " data-duplicate"},
             {"early",
              early,
              Post<G>(1),
              " >all:message1 of 1[ nack 0/1/0] data-sent nack-sent +t0 +t1"},
             {"early",
              early,
              nack,
              " status-sent >all:status waiting[0 0 0 nack 0/1/0] nack-sent +t0 +t1"},
             {"early",
              early,
              idle,
              " status-sent >all:status waiting[0 0 0 nack 0/1/0] nack-sent +t0 +t1"},
             {"requested",
              requested,
              nack,
              " status-sent >all:status waiting[0 0 0 nack 0/1/1] nack-sent +t0 +t1"},
             {"requested",
              requested,
              Message(1, BEFORE),
              " data-kept deliver(1) deliver(2) status-sent >all:status waiting[2 0 0] +t1"},
             {"requested",
              requested,
              Post<G>(1),
              " >all:message1 of 1[ nack 0/1/1] data-sent nack-sent +t0 +t1"},
             {"sent", sent, Post<G>(2), " >all:message2 of 1[] data-sent +t1"},
             {"sent", sent, Status(BEFORE, {0, 1, 0}), ""},
             {"sent", sent, Message(1, BEFORE, {SELF, 1}), " data-kept deliver(1)"},
             {"sent",
              sent,
              Message(1, AFTER, {SELF, 1}, NO_PEER, {BEFORE, 1, 0}),
              " data-kept deliver(2001) +t0"},
             {"sent",
              sent,
              Status(AFTER, {0, 0, 0, SELF, 1, 0}),
              " >all:message1 of 1[] data-repeated +t7"},
             {"sent", sent, Status(AFTER, {0, 0, 0, SELF, 1, 1}), ""},
             {"sent", sent, idle, " status-sent >all:status waiting[0 1 0] +t1"},
             {"full", full, Post<G>(5), " stalled"},
             {"full", full, Status(BEFORE, {0, 2, 0}), ""},
             {"acknowledged by one",
              (Steps{Post<G>(1), Status(BEFORE, {0, 1, 0})}),
              Status(AFTER, {0, 1, 0}),
              " done(1)"},
             {"acknowledged by one",
              (Steps{Post<G>(1), Status(BEFORE, {0, 1, 0})}),
              Message(1, AFTER, {SELF, 1}),
              " data-kept deliver(2001) done(1)"},
             {"acknowledged by one",
              (Steps{Post<G>(1), Status(BEFORE, {0, 1, 0})}),
              Message(1, AFTER),
              " data-kept deliver(2001)"},
             {"repeated", repeated, Status(AFTER, {0, 0, 0, SELF, 1, 0}), " nack-held-off"},
             {"repeated", repeated, holdOff, ""}});
        // Each message has a hold-off of its own.
        CheckEvents({{"repeated, and another is no longer held off",
                      Steps{Post<G>(1), Status(AFTER, {0, 0, 0, SELF, 1, 0}), otherHoldOff},
                      Status(AFTER, {0, 0, 0, SELF, 1, 0}),
                      " nack-held-off"},
                     {"repeated, and no longer held off",
                      Steps{Post<G>(1), Post<G>(2), Status(AFTER, {0, 0, 0, SELF, 1, 0}), holdOff},
                      Status(AFTER, {0, 0, 0, SELF, 1, 0}),
                      " >all:message1 of 1[] data-repeated +t7"}});
        // The fifth message takes the place of the first.
        CheckEvents(
            {{"repeated, and stable since",
              Steps{Post<G>(1),
                    Status(AFTER, {0, 0, 0, SELF, 1, 0}),
                    Status(BEFORE, {0, 1, 0}),
                    Status(AFTER, {0, 1, 0}),
                    Post<G>(2),
                    Post<G>(3),
                    Post<G>(4)},
              Post<G>(5),
              " >all:message5 of 1[] data-sent -t7 +t1"},
             {"requested by one that waits",
              Steps{Status(AFTER, {0, 0, 0}, true)},
              idle,
              " status-sent >all:status[0 0 0] -t1"},
             {"any", quiet, Post<G>(1, SELF), " refused"},
             {"any", quiet, Post<G>(1, PEERS), " refused"},
             {"any", quiet, Post<G>(1, AFTER, 1436), " >all:message1 of 1[] data-sent +t1"},
             {"any", quiet, Post<G>(1, AFTER, 1437), " refused"},
             {"any", quiet, Message(1, SELF), " data-unreadable"},
             {"any", quiet, Message(1, PEERS), " data-unreadable"},
             {"any", quiet, Message(1, SELF, {}, NO_PEER, {}, AFTER), " data-unreadable"},
             {"any", quiet, Message(1, PEERS, {}, NO_PEER, {}, AFTER), " data-unreadable"}});
        // A known acknowledgement is no news; an unknown message in its past is requested.
        CheckEvents(
            {{"received of both",
              both,
              Message(2, AFTER, {BEFORE, 1, SELF, 0}),
              " data-kept deliver(2002) status-sent >all:status waiting[1 0 2] +t1"},
             {"quiet", quiet, Message(1, AFTER, {BEFORE, 1, SELF, 0}), " data-kept +t0 +t1"}});
    }
};

/** The packing window. */
class WindowStatesCase : public StatesCase<WindowCore>
{
    static constexpr uint32_t MTU = 100; ///< Largest datagram [bytes].

  public:
    WindowStatesCase()
        : StatesCase("packing window: every state and every event", MTU)
    {
    }

  private:
    WindowCore MakeCore() override
    {
        WindowConfig config;
        config.nPeers = PEERS;
        config.mtu = MTU;
        config.window = 2;
        config.queue = 3;
        config.statusEvery = 2;
        return WindowCore(SELF, config);
    }

    Protocol MakeProtocol() const override
    {
        Protocol out;
        out.printFrame = [](const Frame& frame) {
            std::ostringstream os;
            const auto& words = frame.words;
            uint32_t place = 0;
            switch (static_cast<WindowKind>(frame.kind))
            {
            case WindowKind::DATAGRAM:
                os << "datagram" << frame.id << "[";
                for (place = 1; place < 1 + 6 * words[0]; place += 6)
                {
                    os << " " << words[place];
                }
                break;
            case WindowKind::NACK:
                os << "nack[";
                for (; place < words.size(); ++place)
                {
                    os << " " << words[place];
                }
                break;
            case WindowKind::STATUS:
                os << "status" << (frame.flags & WindowCore::WAITING ? " waiting" : "") << "[";
                break;
            }
            for (; place < words.size(); ++place)
            {
                os << " has " << words[place];
            }
            os << "]";
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
     * @param number its number
     * @param source its source
     * @param messages number of its messages
     * @param numbers messages of its source
     * @param damage changed bits of its payload
     * @return the step of its arrival
     */
    static Step<WindowCore> Datagram(uint32_t number,
                                     Peer source,
                                     uint32_t messages = 1,
                                     const std::vector<uint32_t>& numbers = {},
                                     uint64_t damage = 0)
    {
        return [=](WindowCore& core, Protocol& out) {
            std::vector<uint32_t> words{messages};
            Frame frame;
            frame.kind = static_cast<uint8_t>(WindowKind::DATAGRAM);
            frame.id = number;
            frame.contents = damage;
            for (uint32_t i = 0; i < messages; ++i)
            {
                const uint32_t contents = 1000 * source + 10 * number + i;
                // The first message is for all, the second for another node, the third for SELF.
                constexpr std::array RECEIVERS{NO_PEER, AFTER, SELF};
                const Peer to = RECEIVERS.at(i);
                words.insert(words.end(), {contents, 0, to, 8, 0, 0});
                frame.contents ^= contents;
            }
            words.insert(words.end(), numbers.begin(), numbers.end());
            frame.words.assign(words);
            core.OnFrame(source, frame, out);
        };
    }

    /**
     * @param from its sender
     * @param numbers its messages
     * @param waiting whether it waits for others
     * @return the step of its arrival
     */
    static Step<WindowCore> Status(Peer from,
                                   const std::vector<uint32_t>& numbers,
                                   bool waiting = false)
    {
        return [=](WindowCore& core, Protocol& out) {
            Frame frame;
            frame.kind = static_cast<uint8_t>(WindowKind::STATUS);
            frame.words.assign(numbers);
            frame.flags = waiting ? WindowCore::WAITING : 0;
            core.OnFrame(from, frame, out);
        };
    }

    /** @param missing numbers of missing datagrams @return the step of its arrival */
    static Step<WindowCore> Nack(const std::vector<uint32_t>& missing)
    {
        return [=](WindowCore& core, Protocol& out) {
            Frame frame;
            frame.kind = static_cast<uint8_t>(WindowKind::NACK);
            frame.words.assign(missing);
            core.OnFrame(AFTER, frame, out);
        };
    }

    void DoRun() override
    {
        using W = WindowCore;
        const auto nack = Fire<W>(W::NACK_TIMER);
        const auto idle = Fire<W>(W::IDLE_TIMER);
        const auto unknown = Fire<W>(2);
        const Steps quiet{};
        const Steps received{Datagram(1, BEFORE)};
        const Steps gap{Datagram(2, BEFORE)};
        const Steps requested{Datagram(2, BEFORE), nack};
        const Steps sent{Post<W>(1)};
        const Steps closed{Post<W>(1), Post<W>(2), Post<W>(3)};
        const Steps full{Post<W>(1), Post<W>(2), Post<W>(3), Post<W>(4), Post<W>(5)};
        const Steps acked{Post<W>(1), Status(BEFORE, {0, 1, 0})};
        const Steps ackedClosed{Post<W>(1),
                                Post<W>(2),
                                Post<W>(3),
                                Post<W>(4),
                                Status(AFTER, {0, 2, 0})};

        CheckEvents(
            {{"quiet", quiet, Post<W>(1), " >all:datagram1[ 101] data-sent +t1"},
             {"quiet", quiet, Datagram(1, BEFORE), " data-kept deliver(10) +t1"},
             {"quiet", quiet, Datagram(1, BEFORE, 3), " data-kept deliver(10) deliver(12) +t1"},
             {"quiet", quiet, Datagram(2, BEFORE), " data-kept +t0 +t1"},
             {"quiet", quiet, Status(AFTER, {0, 0, 0}), ""},
             {"quiet", quiet, Status(AFTER, {0, 0, 0}, true), " +t1"},
             {"quiet", quiet, Status(AFTER, {1, 0, 0}), " +t0 +t1"},
             {"quiet", quiet, Status(AFTER, {1}), " data-unreadable"},
             {"quiet", quiet, Nack({1}), ""},
             {"quiet", quiet, Nack({1, 1, 1}), " data-unreadable"},
             {"quiet",
              quiet,
              Datagram(1, BEFORE, 3, {}, 64),
              " data-kept deliver(74) deliver(12) +t1"},
             {"quiet", quiet, nack, ""},
             {"quiet", quiet, idle, ""},
             {"quiet", quiet, unknown, ""},
             {"received", received, Datagram(1, BEFORE), " data-duplicate"},
             {"received",
              received,
              Datagram(2, BEFORE),
              " data-kept deliver(20) status-sent >all:status waiting[ has 2 has 0 has 0] +t1"},
             {"received", received, Datagram(1, AFTER, 1, {1, 0, 1}), " data-kept deliver(2010)"},
             {"received",
              received,
              Post<W>(1),
              " >all:datagram1[ 101 has 1 has 0 has 0] data-sent status-attached +t1"},
             {"received",
              received,
              idle,
              " status-sent >all:status waiting[ has 1 has 0 has 0] +t1"},
             {"gap",
              gap,
              Datagram(1, BEFORE),
              " data-kept deliver(10) deliver(20) status-sent >all:status waiting[ has 2 has 0 "
              "has 0] +t1"},
             {"gap", gap, Datagram(2, BEFORE), " data-duplicate"},
             {"gap", gap, nack, " nack-sent >0:nack[ 1] +t0"},
             {"gap", gap, Post<W>(1), " >all:datagram1[ 101] data-sent +t1"},
             {"requested", requested, nack, " nack-sent >0:nack[ 1] +t0"}});
        // With a window of two, at most two can be in flight.
        CheckEvents(
            {{"far ahead", Steps{Status(BEFORE, {9, 0, 0})}, nack, " nack-sent >0:nack[ 1 2] +t0"},
             {"quiet", quiet, Datagram(3, BEFORE), " data-unreadable"},
             {"received by all",
              Steps{Datagram(1, BEFORE), Status(BEFORE, {1, 0, 0}), Status(AFTER, {1, 0, 0})},
              Datagram(1, BEFORE),
              " data-duplicate"},
             {"requested",
              requested,
              Datagram(1, BEFORE),
              " data-kept deliver(10) deliver(20) status-sent >all:status waiting[ has 2 has 0 "
              "has 0] +t1"},
             {"sent", sent, Post<W>(2), " >all:datagram2[ 102] data-sent +t1"},
             {"sent", sent, Nack({1}), " >2:datagram1[ 101] data-repeated"},
             {"sent", sent, Nack({1, 2}), " >2:datagram1[ 101] data-repeated"},
             {"sent", sent, Status(BEFORE, {0, 1, 0}), ""},
             {"sent", sent, Status(BEFORE, {0, 0, 0}, true), ""},
             {"sent", sent, idle, " status-sent >all:status waiting[ has 0 has 1 has 0] +t1"},
             {"acknowledged by one", acked, Status(AFTER, {0, 1, 0}), " done(1)"},
             {"acknowledged by one",
              acked,
              Datagram(1, AFTER, 1, {0, 1, 1}),
              " data-kept deliver(2010) done(1)"},
             {"acknowledged by one", acked, Datagram(1, AFTER), " data-kept deliver(2010)"},
             {"closed", closed, Post<W>(4), ""},
             {"closed", closed, unknown, ""},
             {"closed, acknowledged by one",
              ackedClosed,
              Status(BEFORE, {0, 1, 0}),
              " done(1) >all:datagram3[ 103 104] data-sent message-packed +t1"},
             {"closed, acknowledged by one",
              ackedClosed,
              Status(BEFORE, {0, 2, 0}),
              " done(1) done(2) >all:datagram3[ 103 104] data-sent message-packed +t1"},
             {"full", full, Post<W>(6), " stalled"},
             {"requested by one that waits",
              Steps{Status(AFTER, {0, 0, 0}, true)},
              idle,
              " status-sent >all:status[ has 0 has 0 has 0] -t1"},
             {"any", quiet, Post<W>(1, SELF), " refused"},
             {"any", quiet, Post<W>(1, PEERS), " refused"},
             {"any", quiet, Post<W>(1, AFTER, 76), " >all:datagram1[ 101] data-sent +t1"},
             {"any", quiet, Post<W>(1, AFTER, 77), " refused"}});
    }
};

/** The suite. */
class RivalStatesTestSuite : public TestSuite
{
  public:
    RivalStatesTestSuite()
        : TestSuite("pcode-rival-states", Type::UNIT)
    {
        AddTestCase(new GraphStatesCase, TestCase::Duration::QUICK);
        AddTestCase(new WindowStatesCase, TestCase::Duration::QUICK);
    }
};

RivalStatesTestSuite g_rivalStatesTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace pcode
} // namespace ns3
