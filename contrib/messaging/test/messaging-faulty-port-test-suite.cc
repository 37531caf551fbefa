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

        /** Write an arrival. @param os a stream @param arrival the arrival @return the stream */
        friend std::ostream& operator<<(std::ostream& os, const Arrival& arrival)
        {
            return os << "frame " << arrival.frame.id << " at " << arrival.self << " in tick "
                      << arrival.when;
        }
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
constexpr int64_t STREAM = 5;      ///< First random stream of the faults.

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
        m_faults->AssignStreams(STREAM);
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
        : FaultCase("without faults, a faulty port delivers as the port does")
    {
    }

  private:
    void DoRun() override
    {
        Send({});
        NS_TEST_ASSERT_MSG_EQ(m_receiver.m_arrivals.size(), FRAMES, "all frames arrive");
        for (uint64_t i = 0; i < FRAMES; ++i)
        {
            const auto& arrival = m_receiver.m_arrivals[i];
            NS_TEST_ASSERT_MSG_EQ(arrival.frame.id, i, "in the order of their ids");
            NS_TEST_ASSERT_MSG_EQ(arrival.frame.contents, 77 * i, "contents of frame " << i);
            NS_TEST_ASSERT_MSG_EQ(arrival.when, GAP * i + PORT_LATENCY, "arrival of frame " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(m_info.ordered, true, "the port keeps the order");
        NS_TEST_EXPECT_MSG_EQ(m_info.lossless, true, "the port is lossless");
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
            NS_TEST_EXPECT_MSG_EQ(m_receiver.m_arrivals.size(),
                                  FRAMES,
                                  part << ": all frames arrive");
        }
    }
};

/** Outages that are too rare for a run. */
class RareOutageCase : public TestCase
{
  public:
    RareOutageCase()
        : TestCase("no node or link fails at once because its outages are rarer than any time")
    {
    }

  private:
    void DoRun() override
    {
        constexpr Peer PEERS = 200;
        for (const std::string part : {"Node", "Link"})
        {
            const auto faults = CreateObject<FaultPlan>();
            faults->SetAttribute(part + "UpTime", TimeValue(Time::Max()));
            faults->SetAttribute(part + "DownTime", TimeValue(Seconds(1)));
            faults->AssignStreams(STREAM);
            const Frame frame{.payload = 100};
            uint64_t lost = 0;
            for (Peer peer = 0; peer < PEERS; ++peer)
            {
                lost += faults->Decide(peer, (peer + 1) % PEERS, frame, 1000).IsLost() ? 1 : 0;
            }
            NS_TEST_EXPECT_MSG_EQ(lost, 0, part << ": frames lost in the first microsecond");
        }
    }
};

/** Losses, alone and in bursts. */
class LossCase : public FaultCase
{
  public:
    LossCase()
        : FaultCase("frames are lost at the given rates, alone and in bursts")
    {
    }

  private:
    void DoRun() override
    {
        Send({{"Loss", "0.3"}});
        const auto lost = FRAMES - m_receiver.m_arrivals.size();
        ExpectShare(lost, 0.3, FRAMES, "losses");
        ExpectIndependentLosses(0.3);
        NS_TEST_EXPECT_MSG_EQ(m_faults->GetCount("lost"), lost, "counted losses");
        NS_TEST_EXPECT_MSG_EQ(m_info.lossless, false, "the port is not lossless");
        NS_TEST_EXPECT_MSG_EQ(m_info.ordered, true, "the port keeps the order");

        Send({{"BurstBegin", "0.01"}, {"BurstEnd", "0.2"}});
        uint64_t bursts = 0;
        uint64_t expected = 0;
        for (const auto& arrival : m_receiver.m_arrivals)
        {
            if (arrival.frame.id != expected)
            {
                ++bursts;
            }
            expected = arrival.frame.id + 1;
        }
        const auto burstLost = m_faults->GetCount("lost in a burst");
        NS_TEST_EXPECT_MSG_EQ(burstLost, FRAMES - m_receiver.m_arrivals.size(), "counted losses");
        const double share = static_cast<double>(burstLost) / FRAMES;
        NS_TEST_EXPECT_MSG_EQ_TOL(share, 0.01 / 0.21, 0.015, "share of time in the bad state");
        const double length = static_cast<double>(burstLost) / static_cast<double>(bursts);
        NS_TEST_EXPECT_MSG_EQ_TOL(length, 5, 1.2, "mean length of a burst [frames]");
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
            NS_TEST_ASSERT_MSG_LT_OR_EQ(std::popcount(difference), 1, "changed bits");
            if (difference != 0)
            {
                ++changed;
            }
        }
        ExpectShare(changed, 0.05, FRAMES, "corruptions that the checksum misses");
        ExpectShare(FRAMES - m_receiver.m_arrivals.size(),
                    0.15,
                    FRAMES,
                    "corruptions that it detects");
        NS_TEST_EXPECT_MSG_EQ(m_faults->GetCount("corrupted"), changed, "counted corruptions");
    }
};

/** Duplicated and reordered frames. */
class FaultOrderCase : public FaultCase
{
  public:
    FaultOrderCase()
        : FaultCase("duplicated and delayed frames arrive within the bound")
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
        NS_TEST_EXPECT_MSG_EQ(m_info.ordered, false, "the port does not keep the order");
        NS_TEST_EXPECT_MSG_EQ(m_info.lossless, true, "the port is lossless");
        NS_TEST_EXPECT_MSG_EQ(m_info.maxSlip, BOUND, "bound of reordering that the port states");
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
                              "all frames have arrived");
        NS_TEST_EXPECT_MSG_GT(slip, 0, "frames have overtaken others");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(slip, BOUND, "by no more than the bound");
        const auto first = m_receiver.m_arrivals;
        Send({{"Duplication", "0.1"},
              {"Reordering", "0.2"},
              {"ReorderBound", std::to_string(BOUND)}});
        NS_TEST_EXPECT_MSG_EQ(FirstDifference(m_receiver.m_arrivals, first),
                              "",
                              "the same streams, the same arrivals");
    }
};

/** Frames that are corrupted and duplicated. */
class CorruptDuplicateCase : public FaultCase
{
  public:
    CorruptDuplicateCase()
        : FaultCase("both copies of a corrupted frame are equal, and only the second is late")
    {
    }

  private:
    void DoRun() override
    {
        Send(
            {{"Corruption", "1"}, {"Uncaught", "1"}, {"Duplication", "1"}, {"ReorderBound", "50"}});
        std::vector<uint64_t> difference(FRAMES);
        uint64_t prompt = 0;
        for (const auto& arrival : m_receiver.m_arrivals)
        {
            difference[arrival.frame.id] ^= arrival.frame.contents;
            if (arrival.when == GAP * arrival.frame.id + PORT_LATENCY)
            {
                ++prompt;
            }
        }
        NS_TEST_EXPECT_MSG_EQ(std::count(difference.begin(), difference.end(), 0),
                              FRAMES,
                              "frames with equal copies");
        NS_TEST_EXPECT_MSG_EQ(prompt, FRAMES, "copies that are not late");
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

/** Name of the effect of an error model. */
constexpr auto MODEL_EFFECT = "lost by the error model";

/** An error model with a list of packets, by their numbers. */
class ErrorModelListCase : public FaultCase
{
  public:
    ErrorModelListCase()
        : FaultCase("a list error model loses the frames of its list, and no others")
    {
    }

  private:
    void DoRun() override
    {
        const std::list<uint32_t> numbers{0, 3, 4, FRAMES - 1};
        const auto list = CreateObject<ReceiveListErrorModel>();
        list->SetList(numbers);
        Send({}, list);
        const auto losses = GetLosses();
        for (uint32_t i = 0; i < FRAMES; ++i)
        {
            const bool listed = std::find(numbers.begin(), numbers.end(), i) != numbers.end();
            NS_TEST_ASSERT_MSG_EQ(losses[i], listed, "loss of frame " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(m_faults->GetCount(MODEL_EFFECT), numbers.size(), "counted losses");
        NS_TEST_EXPECT_MSG_EQ(m_info.lossless, false, "the port is not lossless");
        NS_TEST_EXPECT_MSG_EQ(m_info.ordered, true, "the port keeps the order");
    }
};

/** An error model with a rate, of packets or of bytes. */
class ErrorModelRateCase : public FaultCase
{
  public:
    ErrorModelRateCase()
        : FaultCase("a rate error model loses frames, or the frames of bytes, at its rate")
    {
    }

  private:
    void DoRun() override
    {
        Send({{"ErrorModel", "ns3::RateErrorModel[ErrorRate=0.3|ErrorUnit=ERROR_UNIT_PACKET]"}});
        ExpectShare(m_faults->GetCount(MODEL_EFFECT), 0.3, FRAMES, "lost packets");
        ExpectIndependentLosses(0.3);
        const std::string first = ListText(GetLosses());
        Send({{"ErrorModel", "ns3::RateErrorModel[ErrorRate=0.3|ErrorUnit=ERROR_UNIT_PACKET]"}});
        const bool isEqual = ListText(GetLosses()) == first; // Too long to be printed.
        NS_TEST_EXPECT_MSG_EQ(isEqual, true, "the same streams, the same losses");

        Send({{"ErrorModel", "ns3::RateErrorModel[ErrorRate=0.001|ErrorUnit=ERROR_UNIT_BYTE]"}});
        const double intact = std::pow(1 - 0.001, 8 + 100);
        ExpectShare(m_faults->GetCount(MODEL_EFFECT),
                    1 - intact,
                    FRAMES,
                    "frames of 8 + 100 bytes");
    }
};

/** An error model with bursts, beside a second one with the same streams. */
class ErrorModelBurstCase : public FaultCase
{
  public:
    ErrorModelBurstCase()
        : FaultCase("the streams of an error model follow that of the plan")
    {
    }

  private:
    /** @return a model with bursts. */
    static Ptr<BurstErrorModel> MakeModel()
    {
        const auto model = CreateObject<BurstErrorModel>();
        model->SetBurstRate(0.05);
        return model;
    }

    void DoRun() override
    {
        // BurstErrorModel::AssignStreams gives both random variables the same stream.
        const auto twin = MakeModel();
        int64_t stream = STREAM + 1;
        for (const std::string name : {"BurstStart", "BurstSize"})
        {
            PointerValue random;
            twin->GetAttribute(name, random);
            random.Get<RandomVariableStream>()->SetStream(stream++);
        }
        Send({}, MakeModel());
        const auto losses = GetLosses();
        for (uint64_t i = 0; i < FRAMES; ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(losses[i],
                                  twin->IsCorrupt(Create<Packet>(108)),
                                  "loss of frame " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(m_faults->AssignStreams(STREAM),
                              3,
                              "streams of the plan and of two random variables of the model");
    }
};

/** An error model of the user's, together with another fault. */
class OwnErrorModelCase : public FaultCase
{
  public:
    OwnErrorModelCase()
        : FaultCase("an error model decides on all frames, before periodic losses")
    {
    }

  private:
    void DoRun() override
    {
        const auto model = CreateObject<SizeErrorModel>(108);
        Send({{"LossPeriod", "4"}}, model);
        NS_TEST_EXPECT_MSG_EQ(m_receiver.m_arrivals.size(), 0, "all frames have 8 + 100 bytes");
        NS_TEST_EXPECT_MSG_EQ(model->m_sizes.size(),
                              FRAMES,
                              "frames that the model has decided on");
        NS_TEST_EXPECT_MSG_EQ(m_faults->GetCount("lost"), 0, "frames left for periodic losses");
        NS_TEST_EXPECT_MSG_EQ(m_faults->AssignStreams(STREAM), 1, "streams: only the plan's own");
    }
};

/** Texts of error models. */
class ErrorModelTextCase : public TestCase
{
  public:
    ErrorModelTextCase()
        : TestCase("ErrorModel accepts the text of an error model, and refuses any other")
    {
    }

  private:
    void DoRun() override
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
            NS_TEST_EXPECT_MSG_EQ(plan->IsActive(), false, text << " sets no model");
        }
        for (const std::string text : {"ns3::RateErrorModel",
                                       "ns3::RateErrorModel[]",
                                       "ns3::RateErrorModel[RanVar=ns3::UniformRandomVariable]"})
        {
            plan->SetAttribute("ErrorModel", StringValue(text));
            NS_TEST_EXPECT_MSG_EQ(plan->IsActive(), true, text << " sets a model");
            StringValue model;
            plan->GetAttribute("ErrorModel", model);
            NS_TEST_EXPECT_MSG_EQ(model.Get(), "ns3::RateErrorModel", "class of the model");
            plan->SetAttribute("ErrorModel", StringValue(""));
            NS_TEST_EXPECT_MSG_EQ(plan->IsActive(), false, "an empty text removes the model");
        }
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
        fate.Change().aux = MARK;
        fate.Delay(DELAY);
        return 0;
    }

    static constexpr uint32_t MARK = 7; ///< Value that it writes into aux.
    static constexpr Ticks DELAY = 3;   ///< Delay that it adds.

    FaultHarm m_harm;            ///< Its effects on guarantees.
    std::vector<uint64_t> m_ids; ///< Identifiers of all frames.
};

/** Base of cases with a plan that loses every second frame, to which a program adds two faults. */
class AddedFaultsCase : public TestCase
{
  public:
    /** @param name name of the case */
    explicit AddedFaultsCase(const std::string& name)
        : TestCase(name)
    {
    }

  protected:
    void DoSetup() override
    {
        m_plan = CreateObject<FaultPlan>();
        m_plan->AssignStreams(STREAM);
        m_plan->SetAttribute("LossPeriod", UintegerValue(2));
        m_links = CreateObject<RecordingFault>(FaultStage::LINK, "early");
        // Its effect has the name of the plan's periodic losses.
        m_receivers = CreateObject<RecordingFault>(FaultStage::RECEIVER, "lost");
        m_plan->Add(m_receivers);
        m_plan->Add(m_links);
    }

    Ptr<FaultPlan> m_plan;           ///< The plan.
    Ptr<RecordingFault> m_links;     ///< Fault of links.
    Ptr<RecordingFault> m_receivers; ///< Fault of receivers.
};

/** Stages of faults. */
class FaultStagesCase : public AddedFaultsCase
{
  public:
    FaultStagesCase()
        : AddedFaultsCase("faults added to a plan act at their stage, beside those of attributes")
    {
    }

  private:
    void DoRun() override
    {
        std::vector<std::string> effects;
        m_plan->TraceConnectWithoutContext(
            "Fault",
            Callback<void, Peer, Peer, const Frame&, const std::string&, bool>(
                [&effects](Peer, Peer, const Frame&, const std::string& effect, bool lost) {
                    effects.push_back(effect + (lost ? "!" : ""));
                }));
        const Frame frame{.id = 0};
        const auto passed = m_plan->Decide(0, 1, frame);
        NS_TEST_EXPECT_MSG_EQ(passed.IsLost(), false, "the first frame passes");
        NS_TEST_EXPECT_MSG_EQ(passed.GetDelay(), 2 * RecordingFault::DELAY, "delays add up");
        NS_TEST_EXPECT_MSG_EQ(passed.GetFrame().aux, RecordingFault::MARK, "a fault may change it");
        NS_TEST_EXPECT_MSG_EQ(frame.aux, 0, "the sender's frame is unchanged");
        const auto lost = m_plan->Decide(0, 1, Frame{.id = 1});
        NS_TEST_EXPECT_MSG_EQ(lost.IsLost(), true, "the second frame is lost by its period");
        NS_TEST_EXPECT_MSG_EQ(lost.GetDelay(),
                              RecordingFault::DELAY,
                              "after the fault of links, before that of receivers");
        NS_TEST_EXPECT_MSG_EQ(ListText(effects),
                              "early, lost, early, lost!",
                              "effects in the order of the stages");
        NS_TEST_EXPECT_MSG_EQ(ListText(m_links->m_ids), "0, 1", "frames on links");
        NS_TEST_EXPECT_MSG_EQ(ListText(m_receivers->m_ids), "0", "frames at receivers");
        NS_TEST_EXPECT_MSG_EQ(m_plan->GetCount("lost"),
                              2,
                              "faults may share the name of an effect");
        NS_TEST_EXPECT_MSG_EQ(m_plan->GetTotal(), 4, "all effects");
    }
};

/** A scripted fault among others. */
class ScriptStageCase : public AddedFaultsCase
{
  public:
    ScriptStageCase()
        : AddedFaultsCase("a scripted fault replaces all but faults of receivers")
    {
    }

  private:
    void DoRun() override
    {
        m_plan->Script(ScriptedFault::DELAY, 0, 1, 10);
        NS_TEST_EXPECT_MSG_EQ(m_plan->Decide(0, 1, Frame{}).GetDelay(),
                              10 + RecordingFault::DELAY,
                              "the delay of the script, and that of the receiver");
        NS_TEST_EXPECT_MSG_EQ(m_links->m_ids.size(), 0, "frames that links decide on");
    }
};

/** Guarantees that added faults weaken. */
class FaultHarmCase : public AddedFaultsCase
{
  public:
    FaultHarmCase()
        : AddedFaultsCase("the harm of all faults of a plan adds up")
    {
    }

  private:
    void DoRun() override
    {
        m_links->m_harm = {.corrupts = true, .delay = 20, .copyDelay = 30};
        m_receivers->m_harm = {.delay = 20};
        const auto left = m_plan->Weaken(PortInfo{.ordered = true, .lossless = true, .maxSlip = 1});
        NS_TEST_EXPECT_MSG_EQ(left.lossless, false, "LossPeriod loses frames");
        NS_TEST_EXPECT_MSG_EQ(left.maxSlip, 1 + 20 + 20, "slip of the port and both delays");
        NS_TEST_EXPECT_MSG_EQ(m_plan->CorruptsUnnoticed(), true, "the fault of links corrupts");
        m_receivers->m_harm.delay = NEVER;
        NS_TEST_EXPECT_MSG_EQ(m_plan->Weaken(PortInfo{}).maxSlip, NEVER, "no bound of one fault");
    }
};

/** @return a plan. @param attributes names and values of attributes */
Ptr<FaultPlan>
MakePlan(const std::vector<std::pair<std::string, std::string>>& attributes = {})
{
    auto plan = CreateObject<FaultPlan>();
    plan->AssignStreams(STREAM);
    for (const auto& [name, value] : attributes)
    {
        plan->SetAttribute(name, StringValue(value));
    }
    return plan;
}

/** A frame with contents. */
const Frame FULL{.id = 7, .contents = 77, .payload = 100, .header = 8, .kind = 1};

/** The delay bound that duplicates and delayed frames share. */
class ReorderBoundCase : public TestCase
{
  public:
    ReorderBoundCase()
        : TestCase("duplicates and delayed frames are late by 1 to ReorderBound ticks")
    {
    }

  private:
    void DoRun() override
    {
        const auto plan = MakePlan({{"ReorderBound", "9"}, {"Duplication", "1"}});
        NS_TEST_EXPECT_MSG_EQ(plan->Weaken(PortInfo{}).maxSlip, 9, "bound of duplicates");
        plan->SetAttribute("Duplication", DoubleValue(0));
        plan->SetAttribute("Reordering", DoubleValue(1));
        NS_TEST_EXPECT_MSG_EQ(plan->Weaken(PortInfo{}).maxSlip, 9, "bound of delayed frames");
        NS_TEST_EXPECT_MSG_GT(plan->Decide(0, 1, FULL).GetDelay(),
                              0,
                              "an attribute may change during a run");

        const auto narrow = MakePlan({{"Reordering", "1"}, {"ReorderBound", "2"}});
        std::array<uint32_t, 3> counts{};
        for (uint32_t i = 0; i < 100; ++i)
        {
            ++counts.at(narrow->Decide(0, 1, FULL).GetDelay());
        }
        NS_TEST_EXPECT_MSG_EQ(counts[0], 0, "delays of 0 ticks");
        NS_TEST_EXPECT_MSG_EQ_TOL(counts[2], 50, 25, "delays of 2 ticks");
    }
};

/** Scripts for the frames of one sender or receiver. */
class ScriptTargetsCase : public TestCase
{
  public:
    ScriptTargetsCase()
        : TestCase("a script applies to the frames of its sender or receiver only")
    {
    }

  private:
    void DoRun() override
    {
        const auto plan = MakePlan();
        plan->Script(ScriptedFault::LOSE, 1, 1, 0, 2, NO_PEER);
        plan->Script(ScriptedFault::DELAY, 1, 1, 9, NO_PEER, 3);
        const auto other = plan->Decide(0, 1, FULL);
        NS_TEST_EXPECT_MSG_EQ(other.IsLost(), false, "from 0 to 1: loss");
        NS_TEST_EXPECT_MSG_EQ(other.GetDelay(), 0, "from 0 to 1: delay");
        NS_TEST_EXPECT_MSG_EQ(plan->Decide(2, 1, FULL).IsLost(), true, "from 2: loss");
        NS_TEST_EXPECT_MSG_EQ(plan->Decide(0, 3, FULL).GetDelay(), 9, "to 3: delay");
    }
};

/** Losses of one kind of frames. */
class LossKindsCase : public TestCase
{
  public:
    LossKindsCase()
        : TestCase("LossKinds has a bit for each kind of frames, the lowest for kind 0")
    {
    }

  private:
    void DoRun() override
    {
        const auto plan = MakePlan({{"Loss", "1"}, {"LossKinds", "2"}});
        NS_TEST_EXPECT_MSG_EQ(plan->Decide(0, 1, Frame{.kind = 1}).IsLost(), true, "kind 1");
        NS_TEST_EXPECT_MSG_EQ(plan->Decide(0, 1, Frame{.kind = 0}).IsLost(), false, "kind 0");
    }
};

/** States of links with bursts. */
class BurstLinksCase : public TestCase
{
  public:
    BurstLinksCase()
        : TestCase("each link has bursts of its own, in which BurstLoss of the frames is lost")
    {
    }

  private:
    void DoRun() override
    {
        const auto links = MakePlan({{"BurstBegin", "0.5"}, {"BurstEnd", "0"}});
        const auto bad = MakePlan({{"BurstBegin", "1"}, {"BurstEnd", "0"}, {"BurstLoss", "0.5"}});
        uint32_t lostLinks = 0;
        uint32_t lostFrames = 0;
        for (Peer i = 0; i < 100; ++i)
        {
            if (links->Decide(i, 200, FULL).IsLost())
            {
                ++lostLinks;
            }
            if (bad->Decide(0, 1, FULL).IsLost())
            {
                ++lostFrames;
            }
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(lostLinks, 50, 25, "first frames of 100 senders");
        NS_TEST_EXPECT_MSG_EQ_TOL(lostFrames, 50, 25, "100 frames of a link in its bad state");
    }
};

/** The bit that an undetected corruption changes. */
class ChangedBitCase : public TestCase
{
  public:
    ChangedBitCase()
        : TestCase("corruption changes one bit, of the contents or, without contents, of the id")
    {
    }

  private:
    /** @return the number of bits in which two words differ. @param a a word @param b another */
    static int CountChanges(uint64_t a, uint64_t b)
    {
        return std::popcount(a ^ b);
    }

    void DoRun() override
    {
        const auto plan = MakePlan({{"Corruption", "1"}, {"Uncaught", "1"}, {"Duplication", "1"}});
        const auto full = plan->Decide(0, 1, FULL);
        NS_TEST_EXPECT_MSG_EQ(CountChanges(full.GetFrame().contents, FULL.contents), 1, "contents");
        NS_TEST_EXPECT_MSG_EQ(full.GetFrame().id, FULL.id, "its id is unchanged");
        NS_TEST_EXPECT_MSG_EQ(full.IsDuplicated(), true, "a corrupted frame may arrive twice");

        Frame empty = FULL;
        empty.payload = 0;
        const auto fate = plan->Decide(0, 1, empty);
        NS_TEST_EXPECT_MSG_EQ(CountChanges(fate.GetFrame().id, empty.id), 1, "id without payload");
        NS_TEST_EXPECT_MSG_EQ(fate.GetFrame().contents, empty.contents, "contents are unchanged");

        Frame trimmed = FULL;
        trimmed.contents = 0;
        trimmed.marks = MARK_TRIMMED;
        const auto left = plan->Decide(0, 1, trimmed);
        NS_TEST_EXPECT_MSG_EQ(left.GetFrame().contents, 0, "a trimmed frame has no contents");
        NS_TEST_EXPECT_MSG_EQ(CountChanges(left.GetFrame().id, FULL.id),
                              1,
                              "id of a trimmed frame");
    }
};

/** Queues of slow receivers. */
class SlowReceiverCase : public TestCase
{
  public:
    SlowReceiverCase()
        : TestCase(
              "a slow receiver takes SlowTime for each frame, and loses those beyond SlowQueue")
    {
    }

  private:
    void DoRun() override
    {
        const auto plan =
            MakePlan({{"SlowReceivers", "1"}, {"SlowTime", "10ns"}, {"SlowQueue", "2"}});
        for (const Ticks delay : {10, 20, 30})
        {
            const auto fate = plan->Decide(1, 0, FULL, 5);
            NS_TEST_EXPECT_MSG_EQ(fate.IsLost(), false, "one in service and two that wait");
            NS_TEST_EXPECT_MSG_EQ(fate.GetDelay(), delay, "one after the other");
        }
        NS_TEST_EXPECT_MSG_EQ(plan->Decide(1, 0, FULL, 5).IsLost(), true, "the queue is full");
        NS_TEST_EXPECT_MSG_EQ(plan->Decide(0, 1, FULL, 5).GetDelay(), 0, "peer 1 is not slow");
        plan->Script(ScriptedFault::DELAY, FULL.kind, 1, 9);
        NS_TEST_EXPECT_MSG_EQ(plan->Decide(1, 0, FULL, 100).GetDelay(),
                              9 + 10,
                              "a frame with a scripted delay queues, too");
        NS_TEST_EXPECT_MSG_EQ(plan->Decide(1, 0, FULL, 100).GetDelay(),
                              10 + 10,
                              "the next frame queues behind it");
        CheckTicks();
    }

    /** A coarser clock has fewer ticks in SlowTime. */
    void CheckTicks()
    {
        const auto clock = CreateObject<TickClock>();
        clock->SetAttribute("TickLength", TimeValue(NanoSeconds(5)));
        const auto plan = MakePlan({{"SlowReceivers", "1"}, {"SlowTime", "10ns"}});
        const auto port = Create<Port>(clock, Create<LoopbackPort>(clock, 2), plan);
        NS_TEST_EXPECT_MSG_EQ(plan->Decide(1, 0, FULL, 5).GetDelay(), 2, "ticks of 5 ns");
        clock->Dispose();
    }
};

/** Attributes that make a plan active. */
class ActivityCase : public TestCase
{
  public:
    ActivityCase()
        : TestCase("any fault makes a plan active")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(MakePlan()->IsActive(), false, "no fault");
        NS_TEST_EXPECT_MSG_EQ(MakePlan({{"ReorderBound", "9"}})->IsActive(), false, "only a bound");
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
            NS_TEST_EXPECT_MSG_EQ(MakePlan({{name, value}})->IsActive(), true, name);
        }
        const auto scripted = MakePlan();
        scripted->Script(ScriptedFault::LOSE, 1, 1);
        NS_TEST_EXPECT_MSG_EQ(scripted->IsActive(), true, "a script");
    }
};

/** Guarantees that faults leave. */
class GuaranteesCase : public TestCase
{
  public:
    GuaranteesCase()
        : TestCase("each fault weakens the guarantees of a port that it can break")
    {
    }

  private:
    void DoRun() override
    {
        const PortInfo good{.mtu = 100, .ordered = true, .lossless = true, .maxSlip = 5};
        for (const auto* name : {"Loss", "Corruption", "BurstBegin"})
        {
            const auto left = MakePlan({{name, "0.1"}, {"ReorderBound", "50"}})->Weaken(good);
            NS_TEST_EXPECT_MSG_EQ(left.lossless, false, name << " loses frames");
            NS_TEST_EXPECT_MSG_EQ(left.ordered, true, name << " keeps the order");
            NS_TEST_EXPECT_MSG_EQ(left.maxSlip, 5, name << " delays no frame");
        }
        for (const auto* name : {"Duplication", "Reordering"})
        {
            const auto left = MakePlan({{name, "0.1"}, {"ReorderBound", "50"}})->Weaken(good);
            NS_TEST_EXPECT_MSG_EQ(left.lossless, true, name << " loses no frame");
            NS_TEST_EXPECT_MSG_EQ(left.ordered, false, name << " reorders frames");
            NS_TEST_EXPECT_MSG_EQ(left.maxSlip, 5 + 50, name << " adds its bound");
        }
        const auto scripted = MakePlan();
        scripted->Script(ScriptedFault::DELAY, 1, 1, 9);
        NS_TEST_EXPECT_MSG_EQ(scripted->Weaken(good).maxSlip, 5 + 9, "a scripted delay adds up");
        NS_TEST_EXPECT_MSG_EQ(scripted->Weaken(good).lossless, true, "it loses no frame");
        const PortInfo unbounded{.maxSlip = NEVER};
        NS_TEST_EXPECT_MSG_EQ(scripted->Weaken(unbounded).maxSlip,
                              NEVER,
                              "no bound stays no bound");
    }
};

/** Peers of attributes that do not exist. */
class PeersCase : public TestCase
{
  public:
    PeersCase()
        : TestCase("attributes name peers that exist")
    {
    }

  private:
    void DoRun() override
    {
        constexpr uint32_t PEERS = 4;
        const PortInfo info{.mtu = 100};
        for (const auto* name : {"LossFrom", "LossTo"})
        {
            NS_TEST_EXPECT_MSG_EQ(MakePlan({{name, "3"}})->Check(info, PEERS), "", name);
            NS_TEST_EXPECT_MSG_EQ(
                MakePlan({{name, "4"}})->Check(info, PEERS),
                std::string(name) +
                    " is 4, but there are 4 peers, counted from 0; 4294967295 stands for all.",
                "also without losses");
        }
        NS_TEST_EXPECT_MSG_EQ(MakePlan({{"SlowReceivers", "4"}})->Check(info, PEERS), "", "all");
        NS_TEST_EXPECT_MSG_EQ(MakePlan({{"SlowReceivers", "5"}})->Check(info, PEERS),
                              "SlowReceivers is 5, but there are 4 peers.",
                              "more than all");
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
        std::vector<Address> senders;
        faulty[1]->SetReceiveCallback(NetDevice::ReceiveCallback(
            [&](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address& from) {
                senders.push_back(from);
                return true;
            }));
        for (const auto& sender : {Ptr<NetDevice>(faulty[0]), devices.Get(2)})
        {
            sender->Send(Create<Packet>(10), faulty[1]->GetAddress(), 0x88b5);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(senders.size(), 1, "packets that arrive");
        NS_TEST_EXPECT_MSG_EQ(ListText(senders),
                              ToText(devices.Get(2)->GetAddress()),
                              "the packet of peer 0 is lost, that of a device outside is not");

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
                              "an error model decides on the packets themselves");
        NS_TEST_EXPECT_MSG_EQ(senders.size(), 3, "all but the packet of 20 bytes arrive");
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
        NS_TEST_EXPECT_MSG_EQ(port->GetInfo().lossless,
                              false,
                              "a port with a script is not lossless");
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
        NS_TEST_EXPECT_MSG_EQ(sound->GetCounts().delivered, 2000, "delivered messages");
        const auto flawed = RunOnce(Flaw::IGNORES_BIT);
        NS_TEST_EXPECT_MSG_EQ(flawed->IsClean(), false, "the audit finds a violation");
        NS_TEST_EXPECT_MSG_GT(flawed->GetCounts().duplicates, 100, "messages delivered twice");
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
        AddTestCase(new RareOutageCase, TestCase::Duration::QUICK);
        AddTestCase(new LossCase, TestCase::Duration::QUICK);
        AddTestCase(new CorruptionCase, TestCase::Duration::QUICK);
        AddTestCase(new FaultOrderCase, TestCase::Duration::QUICK);
        AddTestCase(new CorruptDuplicateCase, TestCase::Duration::QUICK);
        AddTestCase(new ErrorModelListCase, TestCase::Duration::QUICK);
        AddTestCase(new ErrorModelRateCase, TestCase::Duration::QUICK);
        AddTestCase(new ErrorModelBurstCase, TestCase::Duration::QUICK);
        AddTestCase(new OwnErrorModelCase, TestCase::Duration::QUICK);
        AddTestCase(new ErrorModelTextCase, TestCase::Duration::QUICK);
        AddTestCase(new FaultStagesCase, TestCase::Duration::QUICK);
        AddTestCase(new ScriptStageCase, TestCase::Duration::QUICK);
        AddTestCase(new FaultHarmCase, TestCase::Duration::QUICK);
        AddTestCase(new ReorderBoundCase, TestCase::Duration::QUICK);
        AddTestCase(new ScriptTargetsCase, TestCase::Duration::QUICK);
        AddTestCase(new LossKindsCase, TestCase::Duration::QUICK);
        AddTestCase(new BurstLinksCase, TestCase::Duration::QUICK);
        AddTestCase(new ChangedBitCase, TestCase::Duration::QUICK);
        AddTestCase(new SlowReceiverCase, TestCase::Duration::QUICK);
        AddTestCase(new ActivityCase, TestCase::Duration::QUICK);
        AddTestCase(new GuaranteesCase, TestCase::Duration::QUICK);
        AddTestCase(new PeersCase, TestCase::Duration::QUICK);
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
