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
    /** Constructor. @param name name of the check @param check the check */
    Figure2Test(const std::string& name, void (Figure2Test::*check)())
        : TestCase("Figure 2: " + name),
          m_check(check),
          m_config(MakeConfig())
    {
    }

    /** Steps 1 to 7 and A to D of one packet. */
    void CheckSteps();

    /** Without a host buffer, a packet stays in the network interface. */
    void CheckHostBuffers();

    /** A packet does not wait for a blocked network. */
    void CheckBlockedNetwork();

    /** Two readings of the order of ACK and transfer. */
    void CheckAckOrder();

    /** Consecutive packets overlap. */
    void CheckOverlap();

  private:
    /** @return parameters in which all steps have different costs. */
    static Config MakeConfig()
    {
        Config config;
        config.costs = {.hostSend = 3600,
                        .hostReceive = 3601,
                        .firmwareSend = 3000,
                        .firmwareReceive = 3001,
                        .buildControl = 1000,
                        .handleControl = 1001,
                        .status = 8,
                        .descriptor = 8,
                        .receiveCopies = 100,
                        .bus = true};
        return config;
    }

    /** @param work a work @return its description, as in "pio 132" */
    static std::string Name(const messaging::Work& work)
    {
        const auto amount = " " + std::to_string(work.amount);
        switch (work.kind)
        {
        case WorkKind::INSTRUCTIONS:
            return "run" + amount;
        case WorkKind::COPY:
            return "copy" + amount;
        case WorkKind::PIO:
            return "pio" + amount;
        default:
            return "dma" + amount;
        }
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
        (this->*m_check)();
    }

    void (Figure2Test::*m_check)(); ///< The check.
    Config m_config;                ///< Parameters of all hosts.
};

void
Figure2Test::CheckSteps()
{
    Core sender(m_config, 0, 2);
    Core receiver(m_config, 1, 2);
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
    NS_TEST_EXPECT_MSG_EQ(Finish(receiver, in),
                          "run 3001",
                          "step 4: the firmware examines the packet");
    NS_TEST_EXPECT_MSG_EQ(receiver.GetReceiveSlot(0).state, ReceiveState::READY, "accepted");
    NS_TEST_EXPECT_MSG_EQ(in.work.size(), 1, "AckOrder first: the packet waits for its ACK");
    NS_TEST_EXPECT_MSG_EQ(Finish(receiver, in), "run 1000", "A-12 step 5: ACK");
    NS_TEST_EXPECT_MSG_EQ(in.TakeSent(), "ACK 0", "sent before the host has the packet");
    NS_TEST_EXPECT_MSG_EQ(Finish(receiver, in), "dma 132", "A-13 steps A and B");
    NS_TEST_EXPECT_MSG_EQ(receiver.GetReceiveSlot(0).state,
                          ReceiveState::IDLE,
                          "step B frees the slot");
    NS_TEST_EXPECT_MSG_EQ(Finish(receiver, in), "run 3601", "A-13 step C: the host polls");
    NS_TEST_EXPECT_MSG_EQ(in.delivered.size(), 0, "not delivered so far");
    NS_TEST_EXPECT_MSG_EQ(Finish(receiver, in), "copy 100", "A-13 step D: copy");
    NS_TEST_EXPECT_MSG_EQ(in.delivered.size(), 1, "delivered");

    sender.OnFrame(1, MakeFrame(PacketKind::ACK, 0), out);
    NS_TEST_EXPECT_MSG_EQ(Finish(sender, out), "run 1001", "A-12 step 6: the ACK is handled");
    NS_TEST_EXPECT_MSG_EQ(sender.GetSendSlot(0).state, SendState::IDLE, "A-16: released");
    NS_TEST_EXPECT_MSG_EQ(out.completed.size(), 0, "the host's table still marks the slot as used");
    NS_TEST_EXPECT_MSG_EQ(Finish(sender, out), "dma 8", "A-12 step 7: the table is updated");
    NS_TEST_EXPECT_MSG_EQ(out.completed.size(), 1, "the message ends with step 7");
    NS_TEST_EXPECT_MSG_EQ(TakeSteps(out), "12367", "the sender's steps");
    NS_TEST_EXPECT_MSG_EQ(TakeSteps(in), "45ABCD", "the receiver's steps");
    NS_TEST_EXPECT_MSG_EQ(sender.IsIdle(), true, "no work of the sender is left");
    NS_TEST_EXPECT_MSG_EQ(receiver.IsIdle(), true, "no work of the receiver is left");
}

void
Figure2Test::CheckHostBuffers()
{
    m_config.hostBuffers = 1;
    Core slow(m_config, 1, 2);
    Notebook late;
    slow.OnFrame(0, MakeFrame(PacketKind::DATA, 0), late);
    Finish(slow, late);
    slow.OnFrame(0, MakeFrame(PacketKind::DATA, 1), late);
    for (const char* work : {"run 1000", "run 3001", "dma 40", "run 1000", "run 3601"})
    {
        NS_TEST_EXPECT_MSG_EQ(Finish(slow, late), work, "A-14: stages work in parallel");
    }
    NS_TEST_EXPECT_MSG_EQ(slow.GetReceiveSlot(1).state, ReceiveState::READY, "A-13: it waits");
    NS_TEST_EXPECT_MSG_EQ(Finish(slow, late), "copy 8", "step D frees the buffer");
    NS_TEST_EXPECT_MSG_EQ(Name(late.work.front()), "dma 40", "step B of the second packet");
}

void
Figure2Test::CheckBlockedNetwork()
{
    // Two hosts that wait for the network could wait for each other.
    m_config.hostBuffers = 2;
    Core blocked(m_config, 1, 2);
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
}

void
Figure2Test::CheckAckOrder()
{
    // Section 3.2, "decoupled": the packet goes to the host while its ACK is built.
    m_config.ackOrder = AckOrder::BESIDE;
    Core beside(m_config, 1, 2);
    Notebook both;
    beside.OnFrame(0, MakeFrame(PacketKind::DATA, 0), both);
    Finish(beside, both);
    NS_TEST_EXPECT_MSG_EQ(both.work.size(), 2, "AckOrder beside: ACK and transfer");
}

void
Figure2Test::CheckOverlap()
{
    // The host stores one packet while the other is being sent.
    Core overlap(m_config, 0, 2);
    Notebook two;
    PostMany(overlap, two, 2);
    Finish(overlap, two);
    Finish(overlap, two);
    NS_TEST_EXPECT_MSG_EQ(two.work.size(), 2, "A-14: step 3 of one, step 1 of the next");
}

/** Differences of the rivals. */
class RivalsTest : public TestCase
{
  public:
    /** Constructor. @param name name of the check @param check the check */
    RivalsTest(const std::string& name, void (RivalsTest::*check)())
        : TestCase(name),
          m_check(check)
    {
    }

    /** AM-II: stop and wait on each channel. */
    void CheckChannels();

    /** AM-II: each pair has its own channels. */
    void CheckPairs();

    /** VMMC-2: cumulative ACKs, and one timer of a pair. */
    void CheckCumulativeAcks();

    /** LFC: credits for slots of the receive ring. */
    void CheckCredits();

    /** FM: credits for buffers of the host. */
    void CheckHostCredits();

    /** VMMC-2: fetches packets from the threshold on by DMA. */
    void CheckFetch();

    /** BIP: a packet without a slot is lost. */
    void CheckNoProtocol();

  private:
    void DoRun() override
    {
        (this->*m_check)();
    }

    void (RivalsTest::*m_check)(); ///< The check.
};

void
RivalsTest::CheckChannels()
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
    NS_TEST_EXPECT_MSG_EQ(out.Count(Event::DUPLICATE_ACK),
                          1,
                          "an ACK with the old bit is a duplicate");
    am.OnFrame(1, MakeFrame(PacketKind::NACK, 0, SHORTAGE), out);
    NS_TEST_EXPECT_MSG_EQ(out.sent.size(), 0, "a NACK starts a backoff");
    NS_TEST_EXPECT_MSG_EQ(out.timers.at(0), 1, "the backoff is at least a tick");
    am.OnFrame(1, MakeFrame(PacketKind::NACK, 0, SHORTAGE), out);
    NS_TEST_EXPECT_MSG_EQ(out.Count(Event::ILLEGAL), 0, "a second NACK changes nothing");
    am.OnTimer(Core::GetSlotTimer(0), out);
    NS_TEST_EXPECT_MSG_EQ(out.TakeSent(), "DATA 0", "the packet is sent again after the backoff");
    NS_TEST_EXPECT_MSG_EQ(out.Count(Event::TIMED_OUT), 0, "the end of a backoff is no loss");
}

void
RivalsTest::CheckPairs()
{
    Config config;
    config.channels = 2;
    NicCore<StopAndWait> apart(config, 0, 3);
    Notebook pairs;
    PostMany(apart, pairs, 3);
    NS_TEST_EXPECT_MSG_EQ(pairs.sent.size(), 2, "the channels of another pair are not used");
}

void
RivalsTest::CheckCumulativeAcks()
{
    NicCore<CumulativeAck> vmmc(Config{}, 0, 2);
    Notebook cumulative;
    PostMany(vmmc, cumulative, 4);
    cumulative.sent.clear();
    NS_TEST_EXPECT_MSG_EQ(cumulative.timers.size(), 1, "one timer for all packets of a pair");
    vmmc.OnFrame(1, MakeFrame(PacketKind::ACK, 3), cumulative);
    NS_TEST_EXPECT_MSG_EQ(cumulative.completed.size(), 3, "one ACK ends three messages");
    NS_TEST_EXPECT_MSG_EQ(cumulative.timers.size(),
                          1,
                          "the timer runs on for the packet in transit");
    vmmc.OnTimer(Core::GetPeerTimer(1), cumulative);
    NS_TEST_EXPECT_MSG_EQ(cumulative.TakeSent(),
                          "DATA 3",
                          "the timer repeats the packet in transit");
    vmmc.OnFrame(1, MakeFrame(PacketKind::ACK, 3), cumulative);
    NS_TEST_EXPECT_MSG_EQ(cumulative.Count(Event::DUPLICATE_ACK),
                          1,
                          "the same ACK again is a duplicate");
    vmmc.OnFrame(1, MakeFrame(PacketKind::ACK, 4), cumulative);
    NS_TEST_EXPECT_MSG_EQ(cumulative.timers.size(), 0, "no timer without a packet in transit");
    vmmc.OnFrame(1, MakeFrame(PacketKind::DATA, 2), cumulative);
    NS_TEST_EXPECT_MSG_EQ(cumulative.TakeSent(), "", "out of sequence: no NACK");
}

void
RivalsTest::CheckCredits()
{
    Config config;
    config.credits = 2;
    NicCore<Credits> fm(config, 0, 2);
    Notebook credit;
    PostMany(fm, credit, 4);
    NS_TEST_EXPECT_MSG_EQ(credit.sent.size(), 2, "as many as there are credits");
    fm.OnFrame(1, MakeFrame(PacketKind::CREDIT, 1), credit);
    NS_TEST_EXPECT_MSG_EQ(credit.sent.size(), 3, "a returned credit sends one more");
    fm.OnFrame(1, MakeFrame(PacketKind::DATA, 0), credit);
    NS_TEST_EXPECT_MSG_EQ(credit.sent.size(),
                          4,
                          "half of the slots are free again: a credit is returned");
    NS_TEST_EXPECT_MSG_EQ(+credit.sent[3].frame.kind,
                          +static_cast<uint8_t>(PacketKind::CREDIT),
                          "the packet returns credits");
}

void
RivalsTest::CheckHostCredits()
{
    Config config;
    config.credits = 2;
    config.hostCredits = true;
    config.costs.hostReceive = 10;
    NicCore<Credits> host(config, 0, 2);
    Notebook buffers;
    host.OnFrame(1, MakeFrame(PacketKind::DATA, 0), buffers);
    NS_TEST_EXPECT_MSG_EQ(buffers.sent.size(), 0, "FM: a slot is free, a host buffer is not");
    host.OnDone(buffers.work.front().id, buffers);
    NS_TEST_EXPECT_MSG_EQ(buffers.sent.size(), 1, "a credit when the host has the packet");
}

void
RivalsTest::CheckFetch()
{
    // The firmware translates the address of a page before it fetches it.
    Config config;
    config.costs.dmaThreshold = 128;
    config.costs.fetch = 30;
    config.costs.bus = true;
    for (const auto& [bytes, kind] :
         {std::pair{127U, WorkKind::PIO}, {128U, WorkKind::INSTRUCTIONS}})
    {
        NicCore<CumulativeAck> page(config, 0, 2);
        Notebook store;
        page.OnRequest(MakeRequest(0, 1, bytes), store);
        NS_TEST_EXPECT_MSG_EQ(+static_cast<uint8_t>(store.work.back().kind),
                              +static_cast<uint8_t>(kind),
                              "PIO below the threshold, translation from it on: " << bytes);
    }
    NicCore<CumulativeAck> pages(config, 0, 2);
    Notebook fetch;
    pages.OnRequest(MakeRequest(0, 1, 4096), fetch);
    NS_TEST_EXPECT_MSG_EQ(fetch.work.back().amount, 30, "the translation comes first");
    NS_TEST_EXPECT_MSG_EQ((fetch.work.back().unit == messaging::WorkUnit::INTERFACE),
                          true,
                          "the firmware translates");
    pages.OnDone(fetch.work.back().id, fetch);
    NS_TEST_EXPECT_MSG_EQ(+static_cast<uint8_t>(fetch.work.back().kind),
                          +static_cast<uint8_t>(WorkKind::DMA),
                          "the DMA follows the translation");
}

void
RivalsTest::CheckNoProtocol()
{
    Config config;
    config.receiveRing = 1;
    config.costs.bus = true;
    NicCore<NoProtocol> bip(config, 0, 2);
    Notebook none;
    bip.OnFrame(1, MakeFrame(PacketKind::DATA, 0), none);
    bip.OnFrame(1, MakeFrame(PacketKind::DATA, 0), none);
    NS_TEST_EXPECT_MSG_EQ(none.Count(Event::OVERRUN), 1, "a packet without a slot is lost");
    NS_TEST_EXPECT_MSG_EQ(none.sent.size(), 0, "no NACK");
}

/** The suite. */
class ParastationRivalsTestSuite : public TestSuite
{
  public:
    ParastationRivalsTestSuite()
        : TestSuite("parastation-rivals", Type::UNIT)
    {
        const auto addStep = [this](const std::string& name, void (Figure2Test::*check)()) {
            AddTestCase(new Figure2Test(name, check), Duration::QUICK);
        };
        addStep("steps 1 to 7 and A to D (A-11 to A-13)", &Figure2Test::CheckSteps);
        addStep("without a host buffer (A-13)", &Figure2Test::CheckHostBuffers);
        addStep("a blocked network", &Figure2Test::CheckBlockedNetwork);
        addStep("ACK beside the transfer", &Figure2Test::CheckAckOrder);
        addStep("consecutive packets overlap (A-14)", &Figure2Test::CheckOverlap);
        const auto addRival = [this](const std::string& name, void (RivalsTest::*check)()) {
            AddTestCase(new RivalsTest(name, check), Duration::QUICK);
        };
        addRival("AM-II: stop and wait on each channel", &RivalsTest::CheckChannels);
        addRival("AM-II: channels of each pair", &RivalsTest::CheckPairs);
        addRival("VMMC-2: cumulative ACKs", &RivalsTest::CheckCumulativeAcks);
        addRival("LFC: credits for slots", &RivalsTest::CheckCredits);
        addRival("FM: credits for host buffers", &RivalsTest::CheckHostCredits);
        addRival("VMMC-2: DMA from a threshold on", &RivalsTest::CheckFetch);
        addRival("BIP: no protocol", &RivalsTest::CheckNoProtocol);
    }
};

ParastationRivalsTestSuite g_parastationRivalsTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace parastation
} // namespace ns3
