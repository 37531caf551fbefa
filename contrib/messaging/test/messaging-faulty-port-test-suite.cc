/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-list-text.h"
#include "messaging-toy-cores.h"

#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-core-group.h"
#include "ns3/messaging-faulty-net-device.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"
#include "ns3/simple-net-device-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <list>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Tests of faults around a port, and of the port that is nothing but a delay.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

using Port = FaultyPort<LoopbackPort>; ///< The port under test.

/** Records arrivals. */
class FaultyReceiver : public PortUser
{
  public:
    /** An arrived frame. */
    struct Arrival
    {
        Ticks when;  ///< Time.
        Peer self;   ///< Receiver.
        Frame frame; ///< The frame.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Arrival&) const = default;
    };

    void OnFrame(Peer self, Peer, const Frame& frame) override
    {
        m_arrivals.push_back(Arrival{m_clock->Now(), self, frame});
    }

    void OnReady(Peer self) override
    {
        m_ready.push_back(self);
    }

    Ptr<TickClock> m_clock;          ///< Source of the time.
    std::vector<Arrival> m_arrivals; ///< All arrivals.
    std::vector<Peer> m_ready;       ///< All upcalls of OnReady.
};

constexpr uint64_t FRAMES = 20000; ///< Frames of a statistical test.
constexpr Ticks GAP = 3;           ///< Interval between two frames [ticks].
constexpr Ticks PORT_LATENCY = 10; ///< Latency of the port [ticks].

/** Base of the statistical cases: many frames from peer 0 to peer 1 through the faults given by
 * attributes. */
class FaultCase : public TestCase
{
  public:
    /**
     * Constructor.
     * @param name name of the case
     */
    explicit FaultCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    /**
     * Send all frames.
     * @param attributes names and values of attributes of the faults
     * @param model error model, or nullptr
     */
    void Send(const std::vector<std::pair<std::string, std::string>>& attributes,
              Ptr<ErrorModel> model = nullptr)
    {
        m_receiver = FaultyReceiver{};
        m_clock = CreateObject<TickClock>();
        m_receiver.m_clock = m_clock;
        m_faults = CreateObject<FaultPlan>();
        for (const auto& [name, value] : attributes)
        {
            m_faults->SetAttribute(name, StringValue(value));
        }
        if (model)
        {
            m_faults->SetAttribute("ErrorModel", PointerValue(model));
        }
        m_faults->AssignStreams(5);
        auto loopback = Create<LoopbackPort>(m_clock, 2);
        auto port = Create<Port>(m_clock, loopback, m_faults);
        port->SetUser(&m_receiver);
        m_info = port->GetInfo();
        for (uint64_t i = 0; i < FRAMES; ++i)
        {
            Simulator::Schedule(NanoSeconds(GAP * i), [port, i]() {
                port->Send(0,
                           1,
                           Frame{.id = i,
                                 .contents = 77 * i,
                                 .payload = 100,
                                 .header = 8,
                                 .kind = static_cast<uint8_t>(i % 3)});
            });
        }
        Simulator::Run();
        Simulator::Destroy();
        m_clock->Dispose();
    }

    /**
     * Check a number of random events, within five standard deviations.
     * @param count the number
     * @param probability the probability
     * @param trials number of trials
     * @param what name of the events
     */
    void ExpectShare(uint64_t count, double probability, uint64_t trials, const std::string& what)
    {
        const double mean = probability * static_cast<double>(trials);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(count),
                                  mean,
                                  5 * std::sqrt(mean * (1 - probability)),
                                  what);
    }

    /** @return for each frame, whether it was lost. */
    std::vector<bool> GetLosses() const
    {
        std::vector<bool> lost(FRAMES, true);
        for (const auto& arrival : m_receiver.m_arrivals)
        {
            lost[arrival.frame.id] = false;
        }
        return lost;
    }

    /**
     * Check that losses are independent: the number in each block of frames is binomial.
     * @param probability the probability of a loss
     */
    void ExpectIndependentLosses(double probability)
    {
        const auto losses = GetLosses();
        std::array<double, BLOCK + 1> counts{};
        for (auto block = losses.begin(); block != losses.end(); block += BLOCK)
        {
            ++counts.at(std::count(block, block + BLOCK, true));
        }
        double term = std::pow(1 - probability, BLOCK);
        double chiSquare = 0;
        for (std::size_t i = 0; i <= BLOCK; ++i)
        {
            const double expected = term * FRAMES / BLOCK;
            chiSquare += (counts[i] - expected) * (counts[i] - expected) / expected;
            term *= probability / (1 - probability) * static_cast<double>(BLOCK - i) /
                    static_cast<double>(i + 1);
        }
        NS_TEST_EXPECT_MSG_LT(chiSquare, CHI_SQUARE, "losses in blocks of frames");
    }

    FaultyReceiver m_receiver; ///< Receiver of frames.
    Ptr<TickClock> m_clock;    ///< The clock.
    Ptr<FaultPlan> m_faults;   ///< The faults.
    PortInfo m_info;           ///< Promise of the port.

  private:
    /** Frames of a block, whose losses the test of independence counts. */
    static constexpr std::ptrdiff_t BLOCK = 5;

    /** Chi-square that one of 1000 samples with BLOCK degrees of freedom exceeds. */
    static constexpr double CHI_SQUARE = 20.5;
};

/** Without faults the port is unchanged. */
class NothingCase : public FaultCase
{
  public:
    NothingCase()
        : FaultCase("without faults a faulty port is the port")
    {
    }

  private:
    void DoRun() override
    {
        Send({});
        NS_TEST_ASSERT_MSG_EQ(m_receiver.m_arrivals.size(), FRAMES, "all arrive");
        for (uint64_t i = 0; i < FRAMES; ++i)
        {
            const auto& arrival = m_receiver.m_arrivals[i];
            NS_TEST_ASSERT_MSG_EQ(arrival.frame.id, i, "in order");
            NS_TEST_ASSERT_MSG_EQ(arrival.frame.contents, 77 * i, "intact");
            NS_TEST_ASSERT_MSG_EQ(arrival.when, GAP * i + PORT_LATENCY, "in time");
        }
        NS_TEST_EXPECT_MSG_EQ(m_info.ordered, true, "and so it is promised");
        NS_TEST_EXPECT_MSG_EQ(m_info.lossless, true, "and so it is promised");
    }
};

/** Outages begin after a time without one. */
class UpFirstCase : public FaultCase
{
  public:
    UpFirstCase()
        : FaultCase("a node or link works before its first outage")
    {
    }

  private:
    void DoRun() override
    {
        for (const std::string part : {"Node", "Link"})
        {
            Send({{part + "UpTime", "1000000s"}, {part + "DownTime", "1s"}});
            NS_TEST_EXPECT_MSG_EQ(m_receiver.m_arrivals.size(), FRAMES, part);
        }
    }
};

/** Losses, alone and in bursts. */
class LossCase : public FaultCase
{
  public:
    LossCase()
        : FaultCase("frames are lost as often as asked, alone and in bursts")
    {
    }

  private:
    void DoRun() override
    {
        Send({{"Loss", "0.3"}});
        const auto lost = FRAMES - m_receiver.m_arrivals.size();
        ExpectShare(lost, 0.3, FRAMES, "losses");
        ExpectIndependentLosses(0.3);
        NS_TEST_EXPECT_MSG_EQ(m_faults->GetCount("lost"), lost, "all are counted");
        NS_TEST_EXPECT_MSG_EQ(m_info.lossless, false, "nothing is promised");
        NS_TEST_EXPECT_MSG_EQ(m_info.ordered, true, "order is kept");

        Send({{"BurstBegin", "0.01"}, {"BurstEnd", "0.2"}});
        uint64_t bursts = 0;
        uint64_t expected = 0;
        for (const auto& arrival : m_receiver.m_arrivals)
        {
            bursts += arrival.frame.id != expected ? 1 : 0;
            expected = arrival.frame.id + 1;
        }
        const auto burstLost = m_faults->GetCount("lost in a burst");
        NS_TEST_EXPECT_MSG_EQ(burstLost, FRAMES - m_receiver.m_arrivals.size(), "all are counted");
        const double share = static_cast<double>(burstLost) / FRAMES;
        NS_TEST_EXPECT_MSG_EQ_TOL(share, 0.01 / 0.21, 0.015, "share of time in the bad state");
        const double length = static_cast<double>(burstLost) / static_cast<double>(bursts);
        NS_TEST_EXPECT_MSG_EQ_TOL(length, 5, 1.2, "a burst lasts as long as the bad state");
    }
};

/** Corruption that the checksum detects, or does not. */
class CorruptionCase : public FaultCase
{
  public:
    CorruptionCase()
        : FaultCase("corrupted frames are dropped, or arrive with one bit changed")
    {
    }

  private:
    void DoRun() override
    {
        Send({{"Corruption", "0.2"}, {"Uncaught", "0.25"}});
        uint64_t changed = 0;
        for (const auto& arrival : m_receiver.m_arrivals)
        {
            const uint64_t difference = arrival.frame.contents ^ (77 * arrival.frame.id);
            NS_TEST_ASSERT_MSG_LT_OR_EQ(std::popcount(difference), 1, "one bit at most");
            changed += difference != 0 ? 1 : 0;
        }
        ExpectShare(changed, 0.05, FRAMES, "not caught");
        ExpectShare(FRAMES - m_receiver.m_arrivals.size(), 0.15, FRAMES, "caught");
        NS_TEST_EXPECT_MSG_EQ(m_faults->GetCount("corrupted"), changed, "all are counted");
    }
};

/** Duplicated and reordered frames. */
class FaultOrderCase : public FaultCase
{
  public:
    FaultOrderCase()
        : FaultCase("frames arrive twice and pass each other, within the bound")
    {
    }

  private:
    void DoRun() override
    {
        constexpr Ticks BOUND = 50;
        Send({{"Duplication", "0.1"},
              {"Reordering", "0.2"},
              {"ReorderBound", std::to_string(BOUND)}});
        ExpectShare(m_receiver.m_arrivals.size() - FRAMES, 0.1, FRAMES, "second arrivals");
        NS_TEST_EXPECT_MSG_EQ(m_info.ordered, false, "no order is promised");
        NS_TEST_EXPECT_MSG_EQ(m_info.lossless, true, "nothing is lost");
        NS_TEST_EXPECT_MSG_EQ(m_info.maxSlip, BOUND, "but a bound is promised");
        Ticks slip = 0;
        uint64_t highest = 0;
        Ticks highestAt = 0;
        std::vector<bool> seen(FRAMES);
        for (const auto& arrival : m_receiver.m_arrivals)
        {
            seen[arrival.frame.id] = true;
            if (arrival.frame.id < highest)
            {
                slip = std::max(slip, arrival.when - highestAt);
            }
            else if (arrival.frame.id > highest)
            {
                highest = arrival.frame.id;
                highestAt = arrival.when;
            }
            NS_TEST_ASSERT_MSG_LT_OR_EQ(arrival.when,
                                        GAP * arrival.frame.id + PORT_LATENCY + BOUND,
                                        "within the bound");
        }
        NS_TEST_EXPECT_MSG_EQ(std::count(seen.begin(), seen.end(), true),
                              FRAMES,
                              "all have arrived");
        NS_TEST_EXPECT_MSG_GT(slip, 0, "frames have passed each other");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(slip, BOUND, "by no more than the bound");
        const auto first = m_receiver.m_arrivals;
        Send({{"Duplication", "0.1"},
              {"Reordering", "0.2"},
              {"ReorderBound", std::to_string(BOUND)}});
        NS_TEST_EXPECT_MSG_EQ((first == m_receiver.m_arrivals),
                              true,
                              "the same streams give the same run");

        Send(
            {{"Corruption", "1"}, {"Uncaught", "1"}, {"Duplication", "1"}, {"ReorderBound", "50"}});
        std::vector<uint64_t> difference(FRAMES);
        uint64_t prompt = 0;
        for (const auto& arrival : m_receiver.m_arrivals)
        {
            difference[arrival.frame.id] ^= arrival.frame.contents;
            prompt += arrival.when == GAP * arrival.frame.id + PORT_LATENCY ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(std::count(difference.begin(), difference.end(), 0),
                              FRAMES,
                              "what arrives twice is corrupted once");
        NS_TEST_EXPECT_MSG_EQ(prompt, FRAMES, "and late the second time only");
    }
};

/** Error model of the test's own: loses the packets of one size, and records all sizes. */
class SizeErrorModel : public ErrorModel
{
  public:
    /** @param size size of the packets to lose [bytes] */
    explicit SizeErrorModel(uint32_t size)
        : m_size(size)
    {
    }

    std::vector<uint32_t> m_sizes; ///< Sizes of all packets [bytes].

  private:
    bool DoCorrupt(Ptr<Packet> packet) override
    {
        m_sizes.push_back(packet->GetSize());
        return packet->GetSize() == m_size;
    }

    void DoReset() override
    {
    }

    uint32_t m_size; ///< Size of the packets to lose [bytes].
};

/** ns-3's error models as a fault of a port. */
class ErrorModelCase : public FaultCase
{
  public:
    ErrorModelCase()
        : FaultCase("an error model loses the frames that it names, and no others")
    {
    }

  private:
    /** Name of the effect. */
    static constexpr auto EFFECT = "lost by the error model";

    /** A list of packets, by their numbers. */
    void LookAtList()
    {
        const std::list<uint32_t> numbers{0, 3, 4, FRAMES - 1};
        const auto list = CreateObject<ReceiveListErrorModel>();
        list->SetList(numbers);
        Send({}, list);
        const auto losses = GetLosses();
        for (uint32_t i = 0; i < FRAMES; ++i)
        {
            const bool named = std::find(numbers.begin(), numbers.end(), i) != numbers.end();
            NS_TEST_ASSERT_MSG_EQ(losses[i], named, "frame " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(m_faults->GetCount(EFFECT), numbers.size(), "all are counted");
        NS_TEST_EXPECT_MSG_EQ(m_info.lossless, false, "no frame is sure to arrive");
        NS_TEST_EXPECT_MSG_EQ(m_info.ordered, true, "order is kept");
    }

    /** A rate, of packets or of bytes. */
    void LookAtRate()
    {
        Send({{"ErrorModel", "ns3::RateErrorModel[ErrorRate=0.3|ErrorUnit=ERROR_UNIT_PACKET]"}});
        ExpectShare(m_faults->GetCount(EFFECT), 0.3, FRAMES, "packets");
        ExpectIndependentLosses(0.3);
        const auto first = GetLosses();
        Send({{"ErrorModel", "ns3::RateErrorModel[ErrorRate=0.3|ErrorUnit=ERROR_UNIT_PACKET]"}});
        NS_TEST_EXPECT_MSG_EQ((first == GetLosses()), true, "the same streams, the same losses");

        Send({{"ErrorModel", "ns3::RateErrorModel[ErrorRate=0.001|ErrorUnit=ERROR_UNIT_BYTE]"}});
        const double whole = std::pow(1 - 0.001, 108);
        ExpectShare(m_faults->GetCount(EFFECT), 1 - whole, FRAMES, "8 + 100 bytes a frame");
    }

    /** Bursts, as a second model with the same streams has them. */
    void LookAtBursts()
    {
        const auto make = [] {
            const auto model = CreateObject<BurstErrorModel>();
            model->SetBurstRate(0.05);
            return model;
        };
        // BurstErrorModel::AssignStreams gives both random variables the same stream.
        const auto twin = make();
        int64_t stream = 6;
        for (const std::string name : {"BurstStart", "BurstSize"})
        {
            PointerValue random;
            twin->GetAttribute(name, random);
            random.Get<RandomVariableStream>()->SetStream(stream++);
        }
        Send({}, make());
        const auto losses = GetLosses();
        uint64_t differences = 0;
        for (uint64_t i = 0; i < FRAMES; ++i)
        {
            differences += twin->IsCorrupt(Create<Packet>(108)) != losses[i];
        }
        NS_TEST_EXPECT_MSG_EQ(differences, 0, "the plan's own stream is 5");
        NS_TEST_EXPECT_MSG_EQ(m_faults->AssignStreams(5), 3, "two random variables of the model");
    }

    /** A model of the user's, together with other faults. */
    void LookAtOwn()
    {
        const auto model = CreateObject<SizeErrorModel>(108);
        Send({{"LossPeriod", "4"}}, model);
        NS_TEST_EXPECT_MSG_EQ(m_receiver.m_arrivals.size(), 0, "all have this size");
        NS_TEST_EXPECT_MSG_EQ(model->m_sizes.size(), FRAMES, "the model decides first");
        NS_TEST_EXPECT_MSG_EQ(m_faults->GetCount("lost"), 0, "and nothing is left");
        NS_TEST_EXPECT_MSG_EQ(m_faults->AssignStreams(5), 1, "only the plan's own stream");
    }

    /** Texts of objects. */
    void LookAtTexts()
    {
        const auto plan = CreateObject<FaultPlan>();
        for (const std::string text : {"ns3::NoSuchModel",
                                       "ns3::ErrorModel",
                                       "ns3::UniformRandomVariable",
                                       "ns3::RateErrorModel[ErrorRate=0.1",
                                       "ns3::RateErrorModel[ErrorRate=0.1]x",
                                       "ns3::RateErrorModel[ErrorRate=much]",
                                       "ns3::RateErrorModel[ErrorUnit=FRAME]",
                                       "ns3::RateErrorModel[Speed=1]",
                                       "ns3::RateErrorModel[ErrorRate]",
                                       "ns3::RateErrorModel [ErrorRate=0.1]",
                                       "ns3::RateErrorModel[RanVar=ns3::Queue[x=1]]"})
        {
            NS_TEST_EXPECT_MSG_EQ(plan->SetAttributeFailSafe("ErrorModel", StringValue(text)),
                                  false,
                                  text << " is refused");
            NS_TEST_EXPECT_MSG_EQ(plan->IsActive(), false, "and sets nothing");
        }
        for (const std::string text : {"ns3::RateErrorModel",
                                       "ns3::RateErrorModel[]",
                                       "ns3::RateErrorModel[RanVar=ns3::UniformRandomVariable]"})
        {
            plan->SetAttribute("ErrorModel", StringValue(text));
            NS_TEST_EXPECT_MSG_EQ(plan->IsActive(), true, text);
            StringValue told;
            plan->GetAttribute("ErrorModel", told);
            NS_TEST_EXPECT_MSG_EQ(told.Get(), "ns3::RateErrorModel", "its class");
            plan->SetAttribute("ErrorModel", StringValue(""));
            NS_TEST_EXPECT_MSG_EQ(plan->IsActive(), false, "an empty text is no model");
        }
    }

    void DoRun() override
    {
        LookAtList();
        LookAtRate();
        LookAtBursts();
        LookAtOwn();
        LookAtTexts();
    }
};

/** Fault of the test's own, which records what it decides on. */
class RecordingFault : public Fault
{
  public:
    /** @param stage the stage @param effect name of its effect */
    RecordingFault(FaultStage stage, const std::string& effect)
        : Fault(stage, {effect})
    {
    }

    bool IsActive() const override
    {
        return true;
    }

    FaultHarm GetHarm() const override
    {
        return m_harm;
    }

    std::size_t Decide(const FrameArrival& arrival, FrameFate& fate) override
    {
        m_ids.push_back(arrival.frame.id);
        fate.Change().aux = 7;
        fate.Delay(3);
        return 0;
    }

    FaultHarm m_harm;            ///< Its effects on guarantees.
    std::vector<uint64_t> m_ids; ///< Identifiers of all frames.
};

/** Faults that a program adds to a plan. */
class AddedFaultsCase : public TestCase
{
  public:
    AddedFaultsCase()
        : TestCase("faults added to a plan act at their stage, beside those of its attributes")
    {
    }

  private:
    void DoRun() override
    {
        const auto plan = CreateObject<FaultPlan>();
        plan->AssignStreams(5);
        plan->SetAttribute("LossPeriod", UintegerValue(2));
        const auto early = CreateObject<RecordingFault>(FaultStage::LINK, "early");
        const auto late = CreateObject<RecordingFault>(FaultStage::RECEIVER, "lost");
        plan->Add(late);
        plan->Add(early);
        std::vector<std::string> effects;
        plan->TraceConnectWithoutContext(
            "Fault",
            Callback<void, Peer, Peer, const Frame&, const std::string&, bool>(
                [&effects](Peer, Peer, const Frame&, const std::string& effect, bool lost) {
                    effects.push_back(effect + (lost ? "!" : ""));
                }));
        for (uint64_t i = 0; i < 2; ++i)
        {
            const Frame frame{.id = i};
            const auto fate = plan->Decide(0, 1, frame);
            const bool second = i == 1;
            const Ticks delay = second ? 3 : 6;
            NS_TEST_EXPECT_MSG_EQ(fate.IsLost(), second, "the second is lost");
            NS_TEST_EXPECT_MSG_EQ(fate.GetFrame().aux, 7, "a fault may change the frame");
            NS_TEST_EXPECT_MSG_EQ(frame.aux, 0, "but not that of the sender");
            NS_TEST_EXPECT_MSG_EQ(fate.GetDelay(), delay, "delays add up");
        }
        NS_TEST_EXPECT_MSG_EQ(ListText(effects),
                              "early, lost, early, lost!",
                              "in the order of the stages");
        NS_TEST_EXPECT_MSG_EQ(early->m_ids.size(), 2, "links come before losses");
        NS_TEST_EXPECT_MSG_EQ(late->m_ids.size(), 1, "receivers see no lost frame");
        NS_TEST_EXPECT_MSG_EQ(plan->GetCount("lost"), 2, "faults may share the name of an effect");
        NS_TEST_EXPECT_MSG_EQ(plan->GetTotal(), 4, "all effects");

        plan->Script(ScriptedFault::DELAY, 0, 1, 10);
        const Frame frame{.id = 2};
        NS_TEST_EXPECT_MSG_EQ(plan->Decide(0, 1, frame).GetDelay(), 13, "the receiver adds 3");
        NS_TEST_EXPECT_MSG_EQ(early->m_ids.size(), 2, "a script replaces the other faults");

        early->m_harm = {.corrupts = true, .delay = 20, .copyDelay = 30};
        late->m_harm = {.delay = 20};
        const auto left = plan->Weaken(PortInfo{.ordered = true, .lossless = true, .maxSlip = 1});
        NS_TEST_EXPECT_MSG_EQ(left.lossless, false, "the period loses");
        NS_TEST_EXPECT_MSG_EQ(left.maxSlip, 41, "delays add up");
        NS_TEST_EXPECT_MSG_EQ(plan->CorruptsUnnoticed(), true, "by one of the faults");
        late->m_harm.delay = NEVER;
        NS_TEST_EXPECT_MSG_EQ(plan->Weaken(PortInfo{}).maxSlip, NEVER, "and may have no bound");

        const auto shared = CreateObject<FaultPlan>();
        shared->SetAttribute("ReorderBound", UintegerValue(9));
        shared->SetAttribute("Duplication", DoubleValue(1));
        NS_TEST_EXPECT_MSG_EQ(shared->Weaken(PortInfo{}).maxSlip, 9, "one bound for duplicates");
        shared->SetAttribute("Duplication", DoubleValue(0));
        shared->SetAttribute("Reordering", DoubleValue(1));
        NS_TEST_EXPECT_MSG_EQ(shared->Weaken(PortInfo{}).maxSlip, 9, "and for delays");
        NS_TEST_EXPECT_MSG_GT(shared->Decide(0, 1, frame).GetDelay(), 0, "changed in time");
    }
};

/** Decisions on single frames, and the remaining promise. */
class DecisionCase : public TestCase
{
  public:
    DecisionCase()
        : TestCase("a decision keeps to what attributes and script name; the promises follow them")
    {
    }

  private:
    /**
     * Make faults.
     * @param attributes names and values of attributes
     * @return the faults
     */
    static Ptr<FaultPlan> Make(
        const std::vector<std::pair<std::string, std::string>>& attributes = {})
    {
        auto faults = CreateObject<FaultPlan>();
        faults->AssignStreams(5);
        for (const auto& [name, value] : attributes)
        {
            faults->SetAttribute(name, StringValue(value));
        }
        return faults;
    }

    /** Frames hit by a script, by kinds of loss and by a burst. */
    void LookAtVictims()
    {
        const Frame frame{.id = 7, .contents = 77, .payload = 100, .header = 8, .kind = 1};
        auto faults = Make();
        faults->Script(ScriptedFault::LOSE, 1, 1, 0, 2, NO_PEER);
        faults->Script(ScriptedFault::DELAY, 1, 1, 9, NO_PEER, 3);
        const auto other = faults->Decide(0, 1, frame);
        NS_TEST_EXPECT_MSG_EQ(other.IsLost(), false, "another sender");
        NS_TEST_EXPECT_MSG_EQ(other.GetDelay(), 0, "another receiver");
        NS_TEST_EXPECT_MSG_EQ(faults->Decide(2, 1, frame).IsLost(), true, "this sender");
        NS_TEST_EXPECT_MSG_EQ(faults->Decide(0, 3, frame).GetDelay(), 9, "this receiver");

        faults = Make({{"Loss", "1"}, {"LossKinds", "2"}});
        NS_TEST_EXPECT_MSG_EQ(faults->Decide(0, 1, frame).IsLost(),
                              true,
                              "kind 1 is the second bit");
        NS_TEST_EXPECT_MSG_EQ(faults->Decide(0, 1, Frame{}).IsLost(), false, "kind 0 the first");

        faults = Make({{"BurstBegin", "0.5"}, {"BurstEnd", "0"}});
        uint32_t lost = 0;
        for (Peer sender = 0; sender < 100; ++sender)
        {
            lost += faults->Decide(sender, 200, frame).IsLost() ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(lost, 50, 25, "the link of one sender is not that of another");
        faults = Make({{"BurstBegin", "1"}, {"BurstEnd", "0"}, {"BurstLoss", "0.5"}});
        lost = 0;
        for (uint32_t i = 0; i < 100; ++i)
        {
            lost += faults->Decide(0, 1, frame).IsLost() ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(lost, 50, 25, "a bad link loses as often as asked");
    }

    /** The changed bit, and other effects on the frame. */
    void LookAtFates()
    {
        const Frame full{.id = 7, .contents = 77, .payload = 100, .header = 8, .kind = 1};
        Frame empty = full;
        empty.payload = 0;
        auto faults = Make({{"Corruption", "1"},
                            {"Uncaught", "1"},
                            {"Duplication", "1"},
                            {"Reordering", "1"},
                            {"ReorderBound", "2"}});
        auto fate = faults->Decide(0, 1, full);
        NS_TEST_EXPECT_MSG_EQ(std::popcount(fate.GetFrame().contents ^ full.contents), 1, "a bit");
        NS_TEST_EXPECT_MSG_EQ(fate.GetFrame().id, full.id, "of the contents only");
        NS_TEST_EXPECT_MSG_EQ(fate.IsDuplicated(), true, "a corrupted frame may come twice");
        fate = faults->Decide(0, 1, empty);
        NS_TEST_EXPECT_MSG_EQ(std::popcount(fate.GetFrame().id ^ empty.id),
                              1,
                              "without any, the id's");
        NS_TEST_EXPECT_MSG_EQ(fate.GetFrame().contents, empty.contents, "only");
        Frame trimmed = full;
        trimmed.contents = 0;
        trimmed.marks = MARK_TRIMMED;
        fate = faults->Decide(0, 1, trimmed);
        NS_TEST_EXPECT_MSG_EQ(fate.GetFrame().contents, 0, "a trimmed frame has no contents");
        NS_TEST_EXPECT_MSG_EQ(std::popcount(fate.GetFrame().id ^ full.id), 1, "its id changes");
        const auto slow = Make({{"SlowReceivers", "1"}, {"SlowTime", "10ns"}, {"SlowQueue", "2"}});
        for (const Ticks delay : {10, 20, 30})
        {
            fate = slow->Decide(1, 0, full, 5);
            NS_TEST_EXPECT_MSG_EQ(fate.IsLost(), false, "one in service and two that wait");
            NS_TEST_EXPECT_MSG_EQ(fate.GetDelay(), delay, "one after the other");
        }
        NS_TEST_EXPECT_MSG_EQ(slow->Decide(1, 0, full, 5).IsLost(), true, "the queue is full");
        NS_TEST_EXPECT_MSG_EQ(slow->Decide(0, 1, full, 5).GetDelay(),
                              0,
                              "this receiver is not slow");
        slow->Script(ScriptedFault::DELAY, full.kind, 1, 9);
        NS_TEST_EXPECT_MSG_EQ(slow->Decide(1, 0, full, 100).GetDelay(),
                              19,
                              "a script's frame queues too");
        NS_TEST_EXPECT_MSG_EQ(slow->Decide(1, 0, full, 100).GetDelay(), 20, "and others behind it");
        const auto clock = CreateObject<TickClock>();
        clock->SetAttribute("TickLength", TimeValue(NanoSeconds(5)));
        const auto coarse = Make({{"SlowReceivers", "1"}, {"SlowTime", "10ns"}});
        const auto port = Create<Port>(clock, Create<LoopbackPort>(clock, 2), coarse);
        NS_TEST_EXPECT_MSG_EQ(coarse->Decide(1, 0, full, 5).GetDelay(), 2, "in ticks of the clock");
        clock->Dispose();
        std::array<uint32_t, 3> delays{};
        for (uint32_t i = 0; i < 100; ++i)
        {
            ++delays.at(faults->Decide(0, 1, full).GetDelay());
        }
        NS_TEST_EXPECT_MSG_EQ(delays[0], 0, "a delayed frame is late by a tick at least");
        NS_TEST_EXPECT_MSG_EQ_TOL(delays[2], 50, 25, "and by no more than the bound");
    }

    /** A plan without any fault is not active, and every fault makes it so. */
    void LookAtActivity()
    {
        NS_TEST_EXPECT_MSG_EQ(Make()->IsActive(), false, "no fault");
        NS_TEST_EXPECT_MSG_EQ(Make({{"ReorderBound", "9"}})->IsActive(), false, "only its delay");
        using Attribute = std::pair<std::string, std::string>;
        for (const auto& [name, value] : {Attribute{"Loss", "0.1"},
                                          {"LossPeriod", "9"},
                                          {"Corruption", "0.1"},
                                          {"Duplication", "0.1"},
                                          {"Reordering", "0.1"},
                                          {"BurstBegin", "0.1"},
                                          {"LinkUpTime", "1s"},
                                          {"NodeUpTime", "1s"},
                                          {"SlowReceivers", "1"},
                                          {"ErrorModel", "ns3::RateErrorModel"}})
        {
            NS_TEST_EXPECT_MSG_EQ(Make({{name, value}})->IsActive(), true, name);
        }
        const auto faults = Make();
        faults->Script(ScriptedFault::LOSE, 1, 1);
        NS_TEST_EXPECT_MSG_EQ(faults->IsActive(), true, "a script");
    }

    void DoRun() override
    {
        LookAtVictims();
        LookAtFates();
        LookAtActivity();
        const PortInfo good{.mtu = 100, .ordered = true, .lossless = true, .maxSlip = 5};
        for (const auto* name : {"Loss", "Corruption", "BurstBegin"})
        {
            const auto left = Make({{name, "0.1"}, {"ReorderBound", "50"}})->Weaken(good);
            NS_TEST_EXPECT_MSG_EQ(left.lossless, false, name << " loses");
            NS_TEST_EXPECT_MSG_EQ(left.ordered, true, name << " keeps the order");
            NS_TEST_EXPECT_MSG_EQ(left.maxSlip, 5, name << " delays nothing");
        }
        for (const auto* name : {"Duplication", "Reordering"})
        {
            const auto left = Make({{name, "0.1"}, {"ReorderBound", "50"}})->Weaken(good);
            NS_TEST_EXPECT_MSG_EQ(left.lossless, true, name << " loses nothing");
            NS_TEST_EXPECT_MSG_EQ(left.ordered, false, name << " lets frames pass each other");
            NS_TEST_EXPECT_MSG_EQ(left.maxSlip, 55, name << " adds its bound");
        }
        auto faults = Make();
        faults->Script(ScriptedFault::DELAY, 1, 1, 9);
        NS_TEST_EXPECT_MSG_EQ(faults->Weaken(good).maxSlip, 14, "a script delays as well");
        NS_TEST_EXPECT_MSG_EQ(faults->Weaken(good).lossless, true, "and loses nothing by that");
        const PortInfo unbounded{.maxSlip = NEVER};
        NS_TEST_EXPECT_MSG_EQ(faults->Weaken(unbounded).maxSlip, NEVER, "later than never");
    }
};

/** Net devices with faults, and one outside. */
class DeviceCase : public TestCase
{
  public:
    DeviceCase()
        : TestCase("faulty net devices lose packets of their group only")
    {
    }

  private:
    void DoRun() override
    {
        NodeContainer nodes(3);
        const auto devices = SimpleNetDeviceHelper().Install(nodes);
        auto faults = CreateObject<FaultPlan>();
        faults->SetAttribute("Loss", DoubleValue(1));
        faults->SetAttribute("LossFrom", UintegerValue(0));
        const auto faulty =
            FaultyNetDevice::Install(NetDeviceContainer(devices.Get(0), devices.Get(1)), faults);
        std::vector<Address> heard;
        faulty[1]->SetReceiveCallback(NetDevice::ReceiveCallback(
            [&](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address& from) {
                heard.push_back(from);
                return true;
            }));
        for (const auto& sender : {Ptr<NetDevice>(faulty[0]), devices.Get(2)})
        {
            sender->Send(Create<Packet>(10), faulty[1]->GetAddress(), 0x88b5);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(heard.size(), 1, "the packet of peer 0 is lost");
        NS_TEST_EXPECT_MSG_EQ(ListText(heard),
                              ToText(devices.Get(2)->GetAddress()),
                              "that of a device outside is not peer 0's");

        faults->SetAttribute("Loss", DoubleValue(0));
        const auto model = CreateObject<SizeErrorModel>(20);
        faults->SetAttribute("ErrorModel", PointerValue(model));
        for (const uint32_t size : {10, 20, 30})
        {
            faulty[0]->Send(Create<Packet>(size), faulty[1]->GetAddress(), 0x88b5);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(ListText(model->m_sizes),
                              "10, 20, 30",
                              "an error model sees the packets themselves");
        NS_TEST_EXPECT_MSG_EQ(heard.size(), 3, "and loses that of 20 bytes");
        Simulator::Destroy();
    }
};

/** A script against a protocol, which reads like a figure. */
class ScriptCase : public TestCase
{
  public:
    ScriptCase()
        : TestCase("a script loses, repeats and delays the frames that it names")
    {
    }

  private:
    void DoRun() override
    {
        auto clock = CreateObject<TickClock>();
        auto loopback = Create<LoopbackPort>(clock, 2, LoopbackOptions{.keepLog = true});
        auto faults = CreateObject<FaultPlan>();
        auto port = Create<Port>(clock, loopback, faults);
        auto group = CreateObject<CoreGroup<AlternatingBit, Port>>();
        group->Connect(clock, port, [](Peer peer) {
            return AlternatingBit(peer, 2, Flaw::NONE, 25);
        });
        auto audit = CreateObject<DeliveryAudit>();
        audit->SetGroup(group);

        faults->Script(ScriptedFault::LOSE, AlternatingBit::DATA, 1);
        faults->Script(ScriptedFault::LOSE, AlternatingBit::ACK, 1);
        faults->Script(ScriptedFault::DUPLICATE, AlternatingBit::DATA, 4, 0, 0, 1);
        NS_TEST_EXPECT_MSG_EQ(port->GetInfo().lossless, false, "a script takes promises back too");
        audit->Post(0, Request{0, 1, 1, 8, 0, 0});
        NS_TEST_EXPECT_MSG_EQ(audit->Post(0, Request{1, 2, 1, 8, 0, 0}),
                              Acceptance::STALLED,
                              "one at a time");
        Simulator::Schedule(NanoSeconds(100), [&]() { audit->Post(0, Request{1, 2, 1, 8, 0, 0}); });
        Simulator::Run();

        std::ostringstream log;
        for (const auto& sent : loopback->GetLog())
        {
            log << sent.when << (sent.frame.kind == AlternatingBit::DATA ? " DATA" : " ACK")
                << +sent.frame.flags << "; ";
        }
        NS_TEST_EXPECT_MSG_EQ(
            log.str(),
            "0 DATA0; 25 DATA0; 35 ACK0; 50 DATA0; 60 ACK0; 100 DATA1; 110 ACK1; 110 ACK1; ",
            "the first DATA and the first ACK are lost, the fourth DATA arrives twice");
        NS_TEST_EXPECT_MSG_EQ(audit->Finish(), true, audit->GetFirstViolation());
        NS_TEST_EXPECT_MSG_EQ(audit->GetCounts().delivered, 2, "both messages have arrived");
        NS_TEST_EXPECT_MSG_EQ(port->GetInfo().lossless, true, "the script is over");
        audit->Dispose();
        group->Dispose();
        clock->Dispose();
        Simulator::Destroy();
    }
};

/**
 * Protocol, audit and faults together: the sound protocol passes, the audit detects the flawed one.
 */
class AuditCase : public TestCase
{
  public:
    AuditCase()
        : TestCase("the audit passes a sound protocol and catches a flawed one over a bad network")
    {
    }

  private:
    /** Posts all messages of all peers, one after the other. */
    class Source : public GroupUser
    {
      public:
        void OnDeliver(Peer, const Delivery&) override
        {
        }

        void OnComplete(Peer self, RequestId, Completion) override
        {
            OnReady(self);
        }

        void OnReady(Peer self) override
        {
            while (m_next[self] < m_messages)
            {
                const auto to = static_cast<Peer>((self + 1 + m_next[self] % 3) % 4);
                const Request request{m_next[self], m_next[self] * 4 + self, to, 64, self, 0};
                if (m_group->Post(self, request) != Acceptance::ACCEPTED)
                {
                    return;
                }
                ++m_next[self];
            }
        }

        Ptr<MessageGroup> m_group;                ///< The group.
        std::vector<uint64_t> m_next{0, 0, 0, 0}; ///< Messages posted by each peer.
        uint64_t m_messages{500};                 ///< Messages of each peer.
    };

    /**
     * Run 2000 messages among four peers.
     * @param flaw of the protocol
     * @return the audit
     */
    Ptr<DeliveryAudit> RunOnce(Flaw flaw)
    {
        auto clock = CreateObject<TickClock>();
        auto loopback = Create<LoopbackPort>(clock, 4, LoopbackOptions{.capacity = 3});
        auto faults = CreateObject<FaultPlan>();
        faults->AssignStreams(1);
        faults->SetAttribute("Loss", DoubleValue(0.2));
        faults->SetAttribute("Duplication", DoubleValue(0.2));
        faults->SetAttribute("Corruption", DoubleValue(0.1));
        auto port = Create<Port>(clock, loopback, faults);
        auto group = CreateObject<CoreGroup<AlternatingBit, Port>>();
        group->Connect(clock, port, [flaw](Peer peer) {
            return AlternatingBit(peer, 4, flaw, 25);
        });
        auto audit = CreateObject<DeliveryAudit>();
        audit->SetAttribute("Ordered", StringValue("true"));
        audit->SetGroup(group);
        Source source;
        source.m_group = audit;
        audit->SetUser(&source);
        for (Peer peer = 0; peer < 4; ++peer)
        {
            source.OnReady(peer);
        }
        Simulator::Run();
        audit->Finish();
        source.m_group = nullptr;
        audit->Dispose();
        group->Dispose();
        clock->Dispose();
        Simulator::Destroy();
        return audit;
    }

    void DoRun() override
    {
        const auto sound = RunOnce(Flaw::NONE);
        NS_TEST_EXPECT_MSG_EQ(sound->IsClean(), true, sound->GetFirstViolation());
        NS_TEST_EXPECT_MSG_EQ(sound->GetCounts().delivered, 2000, "all have arrived");
        const auto flawed = RunOnce(Flaw::IGNORES_BIT);
        NS_TEST_EXPECT_MSG_EQ(flawed->IsClean(), false, "messages arrive twice");
        NS_TEST_EXPECT_MSG_GT(flawed->GetCounts().duplicates, 100, "often");
    }
};

/** The suite. */
class FaultyPortTestSuite : public TestSuite
{
  public:
    FaultyPortTestSuite()
        : TestSuite("messaging-faulty-port", Type::UNIT)
    {
        AddTestCase(new NothingCase, TestCase::Duration::QUICK);
        AddTestCase(new UpFirstCase, TestCase::Duration::QUICK);
        AddTestCase(new LossCase, TestCase::Duration::QUICK);
        AddTestCase(new CorruptionCase, TestCase::Duration::QUICK);
        AddTestCase(new FaultOrderCase, TestCase::Duration::QUICK);
        AddTestCase(new ErrorModelCase, TestCase::Duration::QUICK);
        AddTestCase(new AddedFaultsCase, TestCase::Duration::QUICK);
        AddTestCase(new DecisionCase, TestCase::Duration::QUICK);
        AddTestCase(new DeviceCase, TestCase::Duration::QUICK);
        AddTestCase(new ScriptCase, TestCase::Duration::QUICK);
        AddTestCase(new AuditCase, TestCase::Duration::QUICK);
    }
};

FaultyPortTestSuite g_faultyPortTestSuite; ///< Registers itself.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
