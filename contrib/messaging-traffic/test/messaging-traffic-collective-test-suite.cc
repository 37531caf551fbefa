/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-traffic-collective.h"
#include "ns3/messaging-traffic-goal-builder.h"
#include "ns3/messaging-traffic-goal-expansion.h"
#include "ns3/test.h"

#include <deque>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Collective operations: what data their messages move; schedules that call them.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/**
 * Data of one block at a member: how often the contribution of each member is in it. In an
 * all-to-all a block has the contribution of its sender only.
 */
using Sum = std::vector<uint32_t>;

/** Runs the messages of all members, without time, until none can go on. */
class Machine
{
  public:
    /** Constructor. @param collective the operation @param held blocks of each member at first */
    Machine(const Collective& collective, std::vector<std::vector<Sum>> held)
        : m_members(collective.members),
          m_alltoall(collective.kind == CollectiveKind::ALLTOALL),
          m_held(std::move(held))
    {
        for (uint32_t self = 0; self < collective.members; ++self)
        {
            m_members[self].messages = MakeCollective(collective, self);
            m_members[self].received = m_held[self];
        }
    }

    /** @return empty, or a sentence on members that wait for ever or lengths that differ. */
    std::string Run()
    {
        bool moves = true;
        while (moves && m_error.empty())
        {
            moves = false;
            for (uint32_t self = 0; self < m_members.size(); ++self)
            {
                moves = Advance(self) || moves;
            }
        }
        for (const Member& member : m_members)
        {
            if (m_error.empty() && member.next < member.messages.size())
            {
                m_error = "a member waits for ever";
            }
        }
        return m_error;
    }

    /** @return the blocks that a member has at the end. @param self the member */
    const std::vector<Sum>& GetBlocks(uint32_t self) const
    {
        return m_alltoall ? m_members[self].received : m_held[self];
    }

  private:
    /** A member. */
    struct Member
    {
        std::vector<CollectiveMessage> messages; ///< Its messages.
        std::vector<Sum> received;               ///< Blocks received in an all-to-all.
        std::size_t next{0};                     ///< First message of the current step.
        bool sent{false};                        ///< The messages of the step are sent.
    };

    /** A message in flight. */
    struct Flying
    {
        std::vector<Sum> blocks; ///< Its data.
        uint64_t bytes{0};       ///< Its length [bytes].
    };

    /** Run the current step of a member, if it can end. @param self the member
     * @return whether anything was done */
    bool Advance(uint32_t self)
    {
        Member& member = m_members[self];
        if (member.next == member.messages.size())
        {
            return false;
        }
        std::size_t end = member.next;
        while (end < member.messages.size() &&
               member.messages[end].step == member.messages[member.next].step)
        {
            ++end;
        }
        const bool sends = !std::exchange(member.sent, true);
        bool complete = true;
        for (std::size_t i = member.next; i < end; ++i)
        {
            const CollectiveMessage& message = member.messages[i];
            if (message.sends && sends)
            {
                Send(self, message);
            }
            complete = complete && (message.sends || !m_flying[{message.member, self}].empty());
        }
        if (!complete)
        {
            return sends;
        }
        for (std::size_t i = member.next; i < end; ++i)
        {
            if (!member.messages[i].sends)
            {
                Receive(self, member.messages[i]);
            }
        }
        member.next = end;
        member.sent = false;
        return true;
    }

    /** Send a message. @param self its sender @param message the message */
    void Send(uint32_t self, const CollectiveMessage& message)
    {
        Flying flying{.blocks = {}, .bytes = message.bytes};
        const std::vector<Sum>& held = m_held[self];
        for (uint32_t i = 0; i < message.blocks; ++i)
        {
            flying.blocks.push_back(held[(message.block + i) % held.size()]);
        }
        m_flying[{self, message.member}].push_back(std::move(flying));
    }

    /** Receive a message. @param self its receiver @param message the message */
    void Receive(uint32_t self, const CollectiveMessage& message)
    {
        auto& queue = m_flying[{message.member, self}];
        const Flying flying = queue.front();
        queue.pop_front();
        if (flying.bytes != message.bytes || flying.blocks.size() != message.blocks)
        {
            m_error = "a send and its receive differ in length";
            return;
        }
        std::vector<Sum>& target = m_alltoall ? m_members[self].received : m_held[self];
        for (uint32_t i = 0; i < message.blocks; ++i)
        {
            Sum& block = target[(message.block + i) % target.size()];
            for (std::size_t j = 0; j < block.size(); ++j)
            {
                block[j] = flying.blocks[i][j] + (message.adds ? block[j] : 0);
            }
        }
    }

    std::vector<Member> m_members;        ///< All members.
    bool m_alltoall;                      ///< Blocks sent and received are different ones.
    std::vector<std::vector<Sum>> m_held; ///< Blocks of each member.
    /** Messages in flight by sender and receiver. */
    std::map<std::pair<uint32_t, uint32_t>, std::deque<Flying>> m_flying;
    std::string m_error; ///< First error.
};

/** The messages of a collective move its data as MPI defines it. */
class DataCase : public TestCase
{
  public:
    /** Constructor. @param kind the operation @param ring whether it uses rings */
    DataCase(CollectiveKind kind, bool ring)
        : TestCase(std::string(GetCollectiveWord(kind)) + (ring ? ", ring" : ", tree")),
          m_kind(kind),
          m_ring(ring)
    {
    }

  private:
    /** @return the contribution of one member. @param members their number @param from it */
    static Sum MakeOne(uint32_t members, uint32_t from)
    {
        Sum sum(members, 0);
        sum[from] = 1;
        return sum;
    }

    /** @return those of the first members. @param members their number @param count how many */
    static Sum MakeFirst(uint32_t members, uint32_t count)
    {
        Sum sum(members, 0);
        std::fill_n(sum.begin(), count, 1);
        return sum;
    }

    /**
     * @param collective the operation
     * @param self a member
     * @param block a block
     * @return what the block has to be at the end; empty if it does not matter
     */
    static Sum GetExpected(const Collective& collective, uint32_t self, uint32_t block)
    {
        const uint32_t members = collective.members;
        const bool root = self == collective.root;
        switch (collective.kind)
        {
        case CollectiveKind::BCAST:
            return MakeOne(members, collective.root);
        case CollectiveKind::REDUCE:
            return root ? MakeFirst(members, members) : Sum();
        case CollectiveKind::ALLREDUCE:
            return MakeFirst(members, members);
        case CollectiveKind::REDUCE_SCATTER:
            return block == self ? MakeFirst(members, members) : Sum();
        case CollectiveKind::ALLGATHER:
            return MakeOne(members, block);
        case CollectiveKind::GATHER:
            return root ? MakeOne(members, block) : Sum();
        case CollectiveKind::SCATTER:
            return block == self ? MakeOne(members, collective.root) : Sum();
        case CollectiveKind::ALLTOALL:
            return MakeOne(members, block);
        case CollectiveKind::SCAN:
            return MakeFirst(members, self + 1);
        case CollectiveKind::BARRIER:
            break;
        }
        return {};
    }

    void DoRun() override
    {
        constexpr uint64_t ODD_BYTES = 1003;
        for (uint32_t members = 1; members <= 17; ++members)
        {
            for (const uint32_t root : {0U, members / 2, members - 1})
            {
                const Collective collective{.kind = m_kind,
                                            .members = members,
                                            .root = root,
                                            .bytes = ODD_BYTES,
                                            .ring = m_ring};
                Check(collective);
            }
        }
    }

    /** Run an operation. @param collective the operation */
    void Check(const Collective& collective)
    {
        const uint32_t members = collective.members;
        std::vector<std::vector<Sum>> held(members);
        for (uint32_t self = 0; self < members; ++self)
        {
            held[self].assign(collective.GetNBlocks(), MakeOne(members, self));
        }
        Machine machine(collective, held);
        const std::string name =
            std::to_string(members) + " members, root " + std::to_string(collective.root);
        NS_TEST_ASSERT_MSG_EQ(machine.Run(), "", name);
        for (uint32_t self = 0; self < members; ++self)
        {
            for (uint32_t block = 0; block < collective.GetNBlocks(); ++block)
            {
                const Sum expected = GetExpected(collective, self, block);
                const Sum& found = machine.GetBlocks(self)[block];
                for (std::size_t from = 0; from < expected.size(); ++from)
                {
                    NS_TEST_EXPECT_MSG_EQ(found[from],
                                          expected[from],
                                          name << ": contribution of " << from << " to block "
                                               << block << " at " << self);
                }
            }
        }
    }

    CollectiveKind m_kind; ///< The operation.
    bool m_ring;           ///< It uses rings.
};

/** After a barrier, each member has heard of all others. */
class BarrierCase : public TestCase
{
  public:
    BarrierCase()
        : TestCase("no member leaves a barrier before all have begun it")
    {
    }

  private:
    void DoRun() override
    {
        for (uint32_t members = 1; members <= 17; ++members)
        {
            // Each message carries the members of which its sender has news.
            const Collective barrier{.kind = CollectiveKind::BARRIER, .members = members};
            std::vector<uint32_t> known(members);
            std::vector<std::vector<CollectiveMessage>> messages(members);
            for (uint32_t self = 0; self < members; ++self)
            {
                known[self] = uint32_t{1} << self;
                messages[self] = MakeCollective(barrier, self);
            }
            for (std::size_t i = 0; i < messages[0].size(); i += 2)
            {
                const std::vector<uint32_t> before = known;
                for (uint32_t self = 0; self < members; ++self)
                {
                    known[self] |= before[messages[self][i].member];
                }
            }
            for (uint32_t self = 0; self < members; ++self)
            {
                NS_TEST_EXPECT_MSG_EQ(known[self],
                                      (uint32_t{1} << members) - 1,
                                      "news at " << self << " of " << members);
            }
        }
    }
};

/** Lengths of blocks that differ by a byte add up. */
class LengthCase : public TestCase
{
  public:
    LengthCase()
        : TestCase("blocks have the length of the data together, the first ones a byte more")
    {
    }

  private:
    void DoRun() override
    {
        const Collective scatter{.kind = CollectiveKind::SCATTER, .members = 4, .bytes = 10};
        const auto messages = MakeCollective(scatter, 0);
        NS_TEST_ASSERT_MSG_EQ(messages.size(), 2, "members 2 and 1");
        NS_TEST_EXPECT_MSG_EQ(messages[0].member, 2, "the larger half first");
        NS_TEST_EXPECT_MSG_EQ(messages[0].bytes, 2 + 2, "blocks 2 and 3");
        NS_TEST_EXPECT_MSG_EQ(messages[1].bytes, 3, "block 1");
    }
};

/** The messages of MPI_Alltoallv. */
class AlltoallvCase : public TestCase
{
  public:
    AlltoallvCase()
        : TestCase("alltoallv: receives from all, then sends to all, in one step")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<uint64_t> sent{10, 11, 12};
        const std::vector<uint64_t> received{20, 21, 22};
        const auto messages = MakeAlltoallv(1, sent, received);
        NS_TEST_ASSERT_MSG_EQ(messages.size(), 4, "two others, both ways");
        const std::vector<uint32_t> members{2, 0, 2, 0};
        const std::vector<uint64_t> lengths{22, 20, 12, 10};
        for (std::size_t i = 0; i < messages.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(messages[i].step, 0, "one step");
            NS_TEST_EXPECT_MSG_EQ(messages[i].sends, (i >= 2), "receives first");
            NS_TEST_EXPECT_MSG_EQ(messages[i].member, members[i], "the successor first");
            NS_TEST_EXPECT_MSG_EQ(messages[i].bytes, lengths[i], "length");
        }
    }
};

/** A schedule that is built call by call. */
class BuilderCase : public TestCase
{
  public:
    BuilderCase()
        : TestCase("a builder writes what its calls mean, one after the other at each rank")
    {
    }

  private:
    void DoRun() override
    {
        GoalBuilder program(3);
        program.Exchange(0, 1, 8, 2, 9, 4);
        program.Compute(0, 50);
        program.Send(2, 0, 9, 4);
        program.Receive(1, GOAL_ANY_SOURCE, 8, GOAL_ANY_TAG);
        program.Allgather(100);
        program.SetGroup({0, 2});
        program.Broadcast(2, 7);
        const std::string expected = "num_ranks 3\n\n"
                                     "rank 0 {\n"
                                     "l1: recv 9b from 2 tag 4\n"
                                     "l2: send 8b to 1 tag 4\n"
                                     "l3: calc 50\n"
                                     "l4: coll allgather 300b 0 0 -1\n"
                                     "l5: coll bcast 7b 0 1 2\n"
                                     "l3 requires l1\nl3 requires l2\n"
                                     "l4 requires l3\nl5 requires l4\n}\n\n"
                                     "rank 1 {\n"
                                     "l1: recv 8b from -1 tag -1\n"
                                     "l2: coll allgather 300b 0 0 -1\n"
                                     "l2 requires l1\n}\n\n"
                                     "rank 2 {\n"
                                     "l1: send 9b to 0 tag 4\n"
                                     "l2: coll allgather 300b 0 0 -1\n"
                                     "l3: coll bcast 7b 0 1 2\n"
                                     "l2 requires l1\nl3 requires l2\n}\n";
        NS_TEST_EXPECT_MSG_EQ(FormatGoal(program.GetSchedule()), expected, "the text");
        const std::string path = CreateTempDirFilename("built.goal");
        NS_TEST_EXPECT_MSG_EQ(program.Write(path), "", "written");
        NS_TEST_EXPECT_MSG_EQ(FormatGoal(ReadGoalFile(path).schedule), expected, "and read");
        NS_TEST_EXPECT_MSG_EQ(program.Write("/nowhere/built.goal"),
                              "/nowhere/built.goal cannot be written.",
                              "no such folder");
    }
};

/** Every collective of a builder expands to messages. */
class BuiltCollectivesCase : public TestCase
{
  public:
    BuiltCollectivesCase()
        : TestCase("all collectives of a builder expand, with the lengths of MPI's calls")
    {
    }

  private:
    /** @return the bytes sent in a schedule. @param program the builder */
    uint64_t GetBytes(const GoalBuilder& program)
    {
        const GoalOrError all = ExpandGoal(program.GetSchedule());
        NS_TEST_EXPECT_MSG_EQ(all.error, "", "it expands");
        uint64_t bytes = 0;
        for (const GoalOperation& operation : all.schedule.operations)
        {
            bytes += operation.kind == GoalKind::SEND ? operation.amount : 0;
        }
        return bytes;
    }

    void DoRun() override
    {
        constexpr uint32_t RANKS = 4;
        const std::vector<std::vector<uint64_t>> lengths(RANKS, {1, 2, 3, 4});
        const std::vector<std::pair<std::string, void (*)(GoalBuilder&)>> calls{
            {"barrier", [](GoalBuilder& it) { it.Barrier(); }},
            {"broadcast", [](GoalBuilder& it) { it.Broadcast(1, 10); }},
            {"reduce", [](GoalBuilder& it) { it.Reduce(1, 10); }},
            {"allreduce", [](GoalBuilder& it) { it.Allreduce(10); }},
            {"reduce-scatter", [](GoalBuilder& it) { it.ReduceScatter(10); }},
            {"gather", [](GoalBuilder& it) { it.Gather(1, 10); }},
            {"scatter", [](GoalBuilder& it) { it.Scatter(1, 10); }},
            {"allgather", [](GoalBuilder& it) { it.Allgather(10); }},
            {"alltoall", [](GoalBuilder& it) { it.Alltoall(10); }},
            {"scan", [](GoalBuilder& it) { it.Scan(10); }}};
        const std::vector<uint64_t> expected{0, 30, 30, 80, 120, 40, 40, 120, 120, 50};
        for (std::size_t i = 0; i < calls.size(); ++i)
        {
            GoalBuilder program(RANKS);
            calls[i].second(program);
            NS_TEST_EXPECT_MSG_EQ(GetBytes(program), expected[i], calls[i].first);
        }
        GoalBuilder program(RANKS);
        program.Alltoallv(lengths);
        NS_TEST_EXPECT_MSG_EQ(GetBytes(program), 4 * 10 - 10, "all but the blocks to oneself");
    }
};

/** Ranks that do not exist. */
class BuilderErrorCase : public TestCase
{
  public:
    BuilderErrorCase()
        : TestCase("a rank that does not exist is out of range")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<void (*)(GoalBuilder&)> calls{
            [](GoalBuilder& it) { it.Compute(2, 1); },
            [](GoalBuilder& it) { it.Send(0, 2, 1); },
            [](GoalBuilder& it) { it.Receive(0, 2, 1); },
            [](GoalBuilder& it) { it.Exchange(0, 1, 1, 2, 1); },
            [](GoalBuilder& it) { it.SetGroup({0, 2}); },
            [](GoalBuilder& it) { it.Alltoallv({{1}, {1}}); }};
        for (std::size_t i = 0; i < calls.size(); ++i)
        {
            GoalBuilder program(2);
            bool thrown = false;
            try
            {
                calls[i](program);
            }
            catch (const std::out_of_range&)
            {
                thrown = true;
            }
            NS_TEST_EXPECT_MSG_EQ(thrown, true, "call " << i);
        }
    }
};

/** The suite. */
class CollectiveTestSuite : public TestSuite
{
  public:
    CollectiveTestSuite()
        : TestSuite("messaging-collective", Type::UNIT)
    {
        for (auto kind = CollectiveKind::BCAST; kind <= CollectiveKind::SCAN;
             kind = static_cast<CollectiveKind>(static_cast<uint8_t>(kind) + 1))
        {
            for (const bool ring : {false, true})
            {
                AddTestCase(new DataCase(kind, ring), TestCase::Duration::QUICK);
            }
        }
        AddTestCase(new BarrierCase, TestCase::Duration::QUICK);
        AddTestCase(new LengthCase, TestCase::Duration::QUICK);
        AddTestCase(new AlltoallvCase, TestCase::Duration::QUICK);
        AddTestCase(new BuilderCase, TestCase::Duration::QUICK);
        AddTestCase(new BuiltCollectivesCase, TestCase::Duration::QUICK);
        AddTestCase(new BuilderErrorCase, TestCase::Duration::QUICK);
    }
};

CollectiveTestSuite g_collectiveTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
