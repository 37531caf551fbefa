/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parastation-notebook.h"

#include "ns3/parastation-protocol.h"
#include "ns3/parastation-rivals.h"
#include "ns3/test.h"

#include <string>

/**
 * @file
 * @ingroup parastation
 * Figure 2's steps, and the differences of the rivals.
 */

namespace ns3
{
namespace parastation
{
namespace tests
{
namespace
{

using messaging::WorkKind;

/** Figure 2: the eleven steps, with their order and costs. */
class Figure2Test : public TestCase
{
  public:
    Figure2Test()
        : TestCase("Figure 2: steps 1 to 7 and A to D (A-11 to A-14)")
    {
    }

  private:
    /** @param work a work @return its description, as in "pio 132" */
    static std::string Name(const messaging::Work& work)
    {
        std::ostringstream text;
        text << (work.kind == WorkKind::INSTRUCTIONS ? "run"
                 : work.kind == WorkKind::COPY       ? "copy"
                 : work.kind == WorkKind::PIO        ? "pio"
                                                     : "dma")
             << " " << work.amount;
        return text.str();
    }

    /**
     * Finish the oldest work. @param core the core @param out its notebook @return its description
     */
    static std::string Finish(Core& core, Notebook& out)
    {
        const auto work = out.work.front();
        out.work.erase(out.work.begin());
        core.OnDone(work.id, out);
        return Name(work);
    }

    /**
     * @param out a notebook @return the names of the noted steps, in order, which are then cleared
     */
    static std::string TakeSteps(Notebook& out)
    {
        std::string text;
        for (const auto note : out.notes)
        {
            text += note < N_STEPS ? "1234567ABCD"[note] : '?';
        }
        out.notes.clear();
        return text;
    }

    void DoRun() override
    {
        Config config;
        config.costs = Costs{0, 3600, 3601, 3000, 3001, 1000, 1001, 0, 8, NONE, 8, 100, true};
        Core sender(config, 0, 2);
        Core receiver(config, 1, 2);
        Notebook out;
        Notebook in;
        sender.OnRequest(MakeRequest(0, 1, 100), out);
        NS_TEST_EXPECT_MSG_EQ(Finish(sender, out), "run 3600", "A-11 step 1: lookup");
        NS_TEST_EXPECT_MSG_EQ(sender.GetSendSlot(0).state, SendState::IDLE, "not stored so far");
        NS_TEST_EXPECT_MSG_EQ(Finish(sender, out), "pio 132", "A-11 step 2: PIO and descriptor");
        NS_TEST_EXPECT_MSG_EQ(sender.GetSendSlot(0).state, SendState::READY, "stored");
        NS_TEST_EXPECT_MSG_EQ(Finish(sender, out), "run 3000", "A-11 step 3: the NI sends");
        NS_TEST_EXPECT_MSG_EQ(sender.GetSendSlot(0).state, SendState::INTRANSIT, "sent");

        receiver.OnFrame(0, out.sent.back().frame, in);
        NS_TEST_EXPECT_MSG_EQ(receiver.GetReceiveSlot(0).state,
                              ReceiveState::INTRANSIT,
                              "A-12 step 4: in a slot of the receive ring");
        NS_TEST_EXPECT_MSG_EQ(receiver.IsIdle(), false, "a slot that is not free is work");
        NS_TEST_EXPECT_MSG_EQ(Finish(receiver, in), "run 3001", "looked at");
        NS_TEST_EXPECT_MSG_EQ(receiver.GetReceiveSlot(0).state, ReceiveState::READY, "accepted");
        NS_TEST_EXPECT_MSG_EQ(in.work.size(), 1, "AckOrder first: the packet waits for its ACK");
        NS_TEST_EXPECT_MSG_EQ(Finish(receiver, in), "run 1000", "A-12 step 5: ACK");
        NS_TEST_EXPECT_MSG_EQ(in.TakeSent(), "ACK 0", "sent before the host has the packet");
        NS_TEST_EXPECT_MSG_EQ(Finish(receiver, in), "dma 132", "A-13 steps A and B");
        NS_TEST_EXPECT_MSG_EQ(receiver.GetReceiveSlot(0).state, ReceiveState::IDLE, "free");
        NS_TEST_EXPECT_MSG_EQ(Finish(receiver, in), "run 3601", "A-13 step C: the host polls");
        NS_TEST_EXPECT_MSG_EQ(in.delivered.size(), 0, "not delivered so far");
        NS_TEST_EXPECT_MSG_EQ(Finish(receiver, in), "copy 100", "A-13 step D: copy");
        NS_TEST_EXPECT_MSG_EQ(in.delivered.size(), 1, "delivered");

        sender.OnFrame(1, MakeFrame(PacketKind::ACK, 0), out);
        NS_TEST_EXPECT_MSG_EQ(Finish(sender, out), "run 1001", "A-12 step 6: the ACK is handled");
        NS_TEST_EXPECT_MSG_EQ(sender.GetSendSlot(0).state, SendState::IDLE, "A-16: released");
        NS_TEST_EXPECT_MSG_EQ(out.completed.size(), 0, "but the host's table does not know");
        NS_TEST_EXPECT_MSG_EQ(Finish(sender, out), "dma 8", "A-12 step 7: the table is updated");
        NS_TEST_EXPECT_MSG_EQ(out.completed.size(), 1, "and the message ended");
        NS_TEST_EXPECT_MSG_EQ(TakeSteps(out), "12367", "the sender's steps");
        NS_TEST_EXPECT_MSG_EQ(TakeSteps(in), "45ABCD", "the receiver's steps");
        NS_TEST_EXPECT_MSG_EQ(sender.IsIdle() && receiver.IsIdle(), true, "nothing is left");

        // without a host buffer the packet stays in the network interface.
        config.hostBuffers = 1;
        Core slow(config, 1, 2);
        Notebook late;
        slow.OnFrame(0, MakeFrame(PacketKind::DATA, 0), late);
        Finish(slow, late);
        slow.OnFrame(0, MakeFrame(PacketKind::DATA, 1), late);
        for (const char* work : {"run 1000", "run 3001", "dma 40", "run 1000", "run 3601"})
        {
            NS_TEST_EXPECT_MSG_EQ(Finish(slow, late), work, "A-14: side by side");
        }
        NS_TEST_EXPECT_MSG_EQ(slow.GetReceiveSlot(1).state, ReceiveState::READY, "A-13: it waits");
        NS_TEST_EXPECT_MSG_EQ(Finish(slow, late), "copy 8", "until a buffer is free");
        NS_TEST_EXPECT_MSG_EQ(Name(late.work.front()), "dma 40", "and then it goes");

        // A packet does not wait for a blocked network: two hosts could wait for each other.
        config.hostBuffers = 2;
        Core blocked(config, 1, 2);
        Notebook stuck;
        stuck.busy = true;
        for (const uint64_t number : {0, 1})
        {
            blocked.OnFrame(0, MakeFrame(PacketKind::DATA, number), stuck);
            Finish(blocked, stuck);
        }
        NS_TEST_EXPECT_MSG_EQ(stuck.sent.size(), 0, "the first ACK waits for the network");
        NS_TEST_EXPECT_MSG_EQ(Finish(blocked, stuck), "run 3001", "the second packet");
        NS_TEST_EXPECT_MSG_EQ(Finish(blocked, stuck), "dma 40", "the first is in the host");
        NS_TEST_EXPECT_MSG_EQ(Name(stuck.work.front()), "dma 40", "and the second in progress");

        // Section 3.2, "decoupled": the packet goes to the host while its ACK is built.
        config.ackOrder = AckOrder::BESIDE;
        Core beside(config, 1, 2);
        Notebook both;
        beside.OnFrame(0, MakeFrame(PacketKind::DATA, 0), both);
        Finish(beside, both);
        NS_TEST_EXPECT_MSG_EQ(both.work.size(), 2, "AckOrder beside: ACK and transfer");

        // consecutive packets overlap: the host stores one while the other is being sent.
        Core overlap(config, 0, 2);
        Notebook two;
        PostMany(overlap, two, 2);
        Finish(overlap, two);
        Finish(overlap, two);
        NS_TEST_EXPECT_MSG_EQ(two.work.size(), 2, "A-14: step 3 of one, step 1 of the next");
    }
};

/** Differences of the rivals. */
class RivalsTest : public TestCase
{
  public:
    RivalsTest()
        : TestCase("Rivals: channels, cumulative ACKs, credits, none")
    {
    }

  private:
    void DoRun() override
    {
        Config config;
        config.channels = 2;
        NicCore<StopAndWait> am(config, 0, 2);
        Notebook out;
        PostMany(am, out, 3);
        NS_TEST_EXPECT_MSG_EQ(out.TakeSent(), "DATA 0, DATA 2", "a packet a channel");
        am.OnFrame(1, MakeFrame(PacketKind::ACK, 2), out);
        NS_TEST_EXPECT_MSG_EQ(out.TakeSent(), "DATA 3", "channel 1 goes on with its other bit");
        am.OnFrame(1, MakeFrame(PacketKind::ACK, 2), out);
        NS_TEST_EXPECT_MSG_EQ(out.Count(Event::DUPLICATE_ACK), 1, "the old bit");
        am.OnFrame(1, MakeFrame(PacketKind::NACK, 0, SHORTAGE), out);
        NS_TEST_EXPECT_MSG_EQ(out.sent.size(), 0, "a NACK makes it back off");
        NS_TEST_EXPECT_MSG_EQ(out.timers.at(0), 1, "at least a tick");
        am.OnFrame(1, MakeFrame(PacketKind::NACK, 0, SHORTAGE), out);
        NS_TEST_EXPECT_MSG_EQ(out.Count(Event::ILLEGAL), 0, "a second one changes nothing");
        am.OnTimer(Core::GetSlotTimer(0), out);
        NS_TEST_EXPECT_MSG_EQ(out.TakeSent(), "DATA 0", "for a while");
        NS_TEST_EXPECT_MSG_EQ(out.Count(Event::TIMED_OUT), 0, "which is no loss");
        NicCore<StopAndWait> apart(config, 0, 3);
        Notebook pairs;
        PostMany(apart, pairs, 3);
        NS_TEST_EXPECT_MSG_EQ(pairs.sent.size(), 2, "the channels of another pair are not lent");

        NicCore<CumulativeAck> vmmc(Config{}, 0, 2);
        Notebook cumulative;
        PostMany(vmmc, cumulative, 4);
        cumulative.sent.clear();
        NS_TEST_EXPECT_MSG_EQ(cumulative.timers.size(), 1, "one timer");
        vmmc.OnFrame(1, MakeFrame(PacketKind::ACK, 3), cumulative);
        NS_TEST_EXPECT_MSG_EQ(cumulative.completed.size(), 3, "three with one ACK");
        NS_TEST_EXPECT_MSG_EQ(cumulative.timers.size(), 1, "it runs on for what is in transit");
        vmmc.OnTimer(Core::GetPeerTimer(1), cumulative);
        NS_TEST_EXPECT_MSG_EQ(cumulative.TakeSent(), "DATA 3", "the rest again");
        vmmc.OnFrame(1, MakeFrame(PacketKind::ACK, 3), cumulative);
        NS_TEST_EXPECT_MSG_EQ(cumulative.Count(Event::DUPLICATE_ACK), 1, "it frees nothing");
        vmmc.OnFrame(1, MakeFrame(PacketKind::ACK, 4), cumulative);
        NS_TEST_EXPECT_MSG_EQ(cumulative.timers.size(), 0, "nothing is in transit");
        vmmc.OnFrame(1, MakeFrame(PacketKind::DATA, 2), cumulative);
        NS_TEST_EXPECT_MSG_EQ(cumulative.TakeSent(), "", "out of sequence: no NACK");

        config.credits = 2;
        NicCore<Credits> fm(config, 0, 2);
        Notebook credit;
        PostMany(fm, credit, 4);
        NS_TEST_EXPECT_MSG_EQ(credit.sent.size(), 2, "as many as there are credits");
        fm.OnFrame(1, MakeFrame(PacketKind::CREDIT, 1), credit);
        NS_TEST_EXPECT_MSG_EQ(credit.sent.size(), 3, "one more");
        fm.OnFrame(1, MakeFrame(PacketKind::DATA, 0), credit);
        NS_TEST_EXPECT_MSG_EQ(credit.sent.size(), 4, "a credit returned");
        NS_TEST_EXPECT_MSG_EQ(+credit.sent[3].frame.kind,
                              +static_cast<uint8_t>(PacketKind::CREDIT),
                              "for half of two slots");

        config.hostCredits = true;
        config.costs.hostReceive = 10;
        NicCore<Credits> host(config, 0, 2);
        Notebook buffers;
        host.OnFrame(1, MakeFrame(PacketKind::DATA, 0), buffers);
        NS_TEST_EXPECT_MSG_EQ(buffers.sent.size(), 0, "FM: a slot is free, a host buffer is not");
        host.OnDone(buffers.work.front().id, buffers);
        NS_TEST_EXPECT_MSG_EQ(buffers.sent.size(), 1, "a credit when the host has the packet");

        // VMMC-2 translates the address of a page before it fetches it.
        config = Config{};
        config.costs.dmaThreshold = 128;
        config.costs.fetch = 30;
        config.costs.bus = true;
        for (const uint32_t bytes : {127, 128})
        {
            NicCore<CumulativeAck> page(config, 0, 2);
            Notebook way;
            page.OnRequest(MakeRequest(0, 1, bytes), way);
            NS_TEST_EXPECT_MSG_EQ((way.work.back().kind == WorkKind::PIO),
                                  (bytes < 128),
                                  "below the threshold by PIO: " << bytes);
        }
        NicCore<CumulativeAck> pages(config, 0, 2);
        Notebook fetch;
        pages.OnRequest(MakeRequest(0, 1, 4096), fetch);
        NS_TEST_EXPECT_MSG_EQ(fetch.work.back().amount, 30, "translation");
        NS_TEST_EXPECT_MSG_EQ(+fetch.work.back().unit, 1, "by the firmware");
        pages.OnDone(fetch.work.back().id, fetch);
        NS_TEST_EXPECT_MSG_EQ((fetch.work.back().kind == WorkKind::DMA), true, "then the DMA");

        config.costs = Costs{};
        config.receiveRing = 1;
        config.costs.bus = true;
        NicCore<NoProtocol> bip(config, 0, 2);
        Notebook none;
        bip.OnFrame(1, MakeFrame(PacketKind::DATA, 0), none);
        bip.OnFrame(1, MakeFrame(PacketKind::DATA, 0), none);
        NS_TEST_EXPECT_MSG_EQ(none.Count(Event::OVERRUN), 1, "no slot: lost");
        NS_TEST_EXPECT_MSG_EQ(none.sent.size(), 0, "and no notice");
    }
};

/** The suite. */
class ParastationRivalsTestSuite : public TestSuite
{
  public:
    ParastationRivalsTestSuite()
        : TestSuite("parastation-rivals", Type::UNIT)
    {
        AddTestCase(new Figure2Test, Duration::QUICK);
        AddTestCase(new RivalsTest, Duration::QUICK);
    }
};

ParastationRivalsTestSuite g_parastationRivalsTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace parastation
} // namespace ns3
