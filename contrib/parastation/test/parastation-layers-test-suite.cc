/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-scripted-host.h"
#include "ns3/messaging-search-explorer.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/parastation-layer-port.h"
#include "ns3/parastation-layer.h"
#include "ns3/parastation-platform.h"
#include "ns3/parastation-scenario.h"
#include "ns3/pointer.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <array>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <tuple>

/**
 * @file
 * @ingroup parastation
 * The software layers above the HAL (table 3).
 */

namespace ns3
{
namespace parastation
{
namespace tests
{
namespace
{

using messaging::Verdict;
using messaging::WorkKind;
using Kind = LayerCore::Kind;

/** Record of the requests of a layer. */
struct LayerNotebook : messaging::ScriptedHost
{
    /** @return the frames sent since the last call, as in "DATA 100, OK". */
    std::string TakeSent()
    {
        return ScriptedHost::TakeSent([](std::ostream& os, const Sent& each) {
            constexpr std::array NAMES{"DATA", "ENVELOPE", "REQUEST", "OK"};
            os << NAMES.at(each.frame.kind);
            if (static_cast<Kind>(each.frame.kind) == Kind::DATA)
            {
                os << " " << each.frame.payload;
            }
        });
    }

    /** @return the work requested since the last call, as in "run 5, copy 100". */
    std::string TakeWork()
    {
        std::ostringstream text;
        for (const auto& each : work)
        {
            text << (text.str().empty() ? "" : ", ")
                 << (each.kind == WorkKind::COPY ? "copy " : "run ") << each.amount;
        }
        work.clear();
        return text.str();
    }
};

/** @param bytes size of a message @return the message */
messaging::Request
MakeMessage(uint32_t bytes)
{
    return messaging::Request{7, 107, 1, bytes, 3, 0};
}

/** Frames of a message for the layer below, and its costs. */
class FramesTest : public TestCase
{
  public:
    FramesTest()
        : TestCase("A-37: fragments, envelopes, the handshake of long messages, copies")
    {
    }

  private:
    /** Finish all work, in order. @param core the core @param out its notebook @return the work */
    static std::string FinishAll(LayerCore& core, LayerNotebook& out)
    {
        std::string text;
        while (!out.work.empty())
        {
            const auto first = out.work.front();
            text += text.empty() ? "" : ", ";
            text += out.TakeWork();
            core.OnDone(first.id, out);
        }
        return text;
    }

    /** The largest short and eager messages, and the fullest queue. */
    void Limits()
    {
        const LayerConfig config{.shortBytes = 10, .eagerBytes = 100, .unpackCopies = 100};
        for (const auto& [bytes, frames, copies] :
             {std::tuple{10U, "DATA 10", "copy 10"}, {11U, "ENVELOPE, DATA 11", ""}})
        {
            LayerCore sender(config, 0, 2);
            LayerCore receiver(config, 1, 2);
            LayerNotebook out;
            LayerNotebook in;
            sender.OnRequest(MakeMessage(bytes), out);
            for (const auto& each : out.sent)
            {
                receiver.OnFrame(0, each.frame, in);
            }
            NS_TEST_EXPECT_MSG_EQ(out.TakeSent(), frames, bytes);
            NS_TEST_EXPECT_MSG_EQ(FinishAll(receiver, in), copies, "short ones are buffered");
            NS_TEST_EXPECT_MSG_EQ(in.delivered.size(), 1, "it arrives");
        }
        LayerCore rank(config, 0, 2);
        LayerNotebook out;
        rank.OnRequest(MakeMessage(100), out);
        NS_TEST_EXPECT_MSG_EQ(out.TakeSent(), "ENVELOPE, DATA 100", "the largest eager one");
        for (uint32_t n = 0; n < config.queue; ++n)
        {
            NS_TEST_EXPECT_MSG_EQ(rank.OnRequest(MakeMessage(101), out),
                                  messaging::Acceptance::ACCEPTED,
                                  "waits for an OK, or for one that does");
        }
        NS_TEST_EXPECT_MSG_EQ(rank.OnRequest(MakeMessage(101), out),
                              messaging::Acceptance::STALLED,
                              "the queue is full");
    }

    void DoRun() override
    {
        // Ports: a frame for each packet, each with a lock and a copy.
        LayerConfig ports{.fragment = 100, .sendFrame = 5, .receiveFrame = 6, .header = 16};
        ports.bufferCopies = 50;
        LayerCore sender(ports, 0, 2);
        LayerCore receiver(ports, 1, 2);
        LayerNotebook out;
        LayerNotebook in;
        sender.OnRequest(MakeMessage(250), out);
        NS_TEST_EXPECT_MSG_EQ(FinishAll(sender, out), "run 5, run 5, run 5", "a lock each");
        NS_TEST_EXPECT_MSG_EQ(out.completed.size(), 1, "passed on");
        for (const auto& each : out.sent)
        {
            NS_TEST_EXPECT_MSG_EQ(in.delivered.size(), 0, "not whole");
            NS_TEST_EXPECT_MSG_EQ(each.frame.header, 16, "a header");
            receiver.OnFrame(0, each.frame, in);
            FinishAll(receiver, in);
        }
        NS_TEST_EXPECT_MSG_EQ(out.TakeSent(), "DATA 100, DATA 100, DATA 50", "three fragments");
        NS_TEST_EXPECT_MSG_EQ(in.delivered.size(), 1, "whole");
        NS_TEST_EXPECT_MSG_EQ(in.delivered[0].contents, 107, "intact");
        NS_TEST_EXPECT_MSG_EQ(in.delivered[0].tag, 3, "with its tag");
        messaging::Frame damaged;
        damaged.id = 16;
        damaged.payload = 8;
        damaged.contents = 1;
        receiver.OnFrame(0, damaged, in);
        NS_TEST_EXPECT_MSG_EQ(FinishAll(receiver, in), "run 6, copy 4", "half a copy of 8 bytes");
        damaged.contents = 2;
        receiver.OnFrame(0, damaged, in);
        FinishAll(receiver, in);
        NS_TEST_EXPECT_MSG_NE(in.delivered.at(1).contents, 2, "damage in any frame is damage");

        // MPI: data with the envelope, after it, or after the receiver's OK.
        const LayerConfig mpi{.shortBytes = 10, .eagerBytes = 100, .sendCall = 9, .header = 32};
        LayerCore rank(mpi, 0, 2);
        LayerNotebook calls;
        rank.OnRequest(MakeMessage(10), calls);
        rank.OnRequest(MakeMessage(11), calls);
        NS_TEST_EXPECT_MSG_EQ(FinishAll(rank, calls), "run 9, run 9", "a call each");
        NS_TEST_EXPECT_MSG_EQ(calls.TakeSent(), "DATA 10, ENVELOPE, DATA 11", "short and eager");
        rank.OnRequest(MakeMessage(101), calls);
        rank.OnRequest(MakeMessage(4), calls);
        FinishAll(rank, calls);
        NS_TEST_EXPECT_MSG_EQ(calls.TakeSent(), "REQUEST", "a long one asks, the next waits");
        NS_TEST_EXPECT_MSG_EQ(calls.completed.size(), 2, "its call has not returned");
        messaging::Frame request;
        request.id = 500;
        request.kind = static_cast<uint8_t>(Kind::REQUEST);
        rank.OnFrame(1, request, calls);
        NS_TEST_EXPECT_MSG_EQ(calls.TakeSent(), "OK", "it answers meanwhile");
        messaging::Frame ok;
        ok.kind = static_cast<uint8_t>(Kind::OK);
        calls.busy = true;
        rank.OnFrame(1, ok, calls);
        NS_TEST_EXPECT_MSG_EQ(calls.TakeSent(), "", "no room below");
        calls.busy = false;
        rank.OnReady(calls);
        FinishAll(rank, calls);
        NS_TEST_EXPECT_MSG_EQ(calls.TakeSent(), "DATA 101, DATA 4", "agreed");
        NS_TEST_EXPECT_MSG_EQ(rank.IsIdle(), true, "nothing is left");

        // PVM: packs the whole message, and unpacks it.
        const LayerConfig pvm{.fragment = 60,
                              .readHeader = 8,
                              .header = 16,
                              .messageHeader = 32,
                              .packCopies = 100,
                              .unpackCopies = 50};
        LayerCore task(pvm, 0, 2);
        LayerNotebook packs;
        task.OnRequest(MakeMessage(100), packs);
        NS_TEST_EXPECT_MSG_EQ(packs.sent.size(), 0, "packs first");
        NS_TEST_EXPECT_MSG_EQ(FinishAll(task, packs), "copy 100", "all of it");
        NS_TEST_EXPECT_MSG_EQ(packs.sent.at(0).frame.header, 48, "the message's header");
        NS_TEST_EXPECT_MSG_EQ(packs.sent.at(1).frame.header, 16, "once");
        for (const auto& each : packs.sent)
        {
            task.OnFrame(1, each.frame, packs);
        }
        NS_TEST_EXPECT_MSG_EQ(FinishAll(task, packs),
                              "run 8, run 8, copy 50",
                              "reads each header, and unpacks what is whole");
        NS_TEST_EXPECT_MSG_EQ(packs.delivered.size(), 1, "then it is there");

        NS_TEST_EXPECT_MSG_EQ(task.OnRequest(messaging::Request{}, packs),
                              messaging::Acceptance::REFUSED,
                              "to itself");
        auto nobody = MakeMessage(1);
        nobody.to = 2;
        NS_TEST_EXPECT_MSG_EQ(task.OnRequest(nobody, packs),
                              messaging::Acceptance::REFUSED,
                              "the first process that is not there");
        Limits();
    }
};

/** Finish all work of a core, in order. @param core the core @param out its notebook @return the
 * number of calls, locks and reads, without copies */
uint32_t
CountRuns(LayerCore& core, LayerNotebook& out)
{
    uint32_t runs = 0;
    while (!out.work.empty())
    {
        const auto first = out.work.front();
        out.work.erase(out.work.begin());
        if (first.kind == WorkKind::INSTRUCTIONS)
        {
            ++runs;
        }
        core.OnDone(first.id, out);
    }
    return runs;
}

/** Fragments of PVM and operations of its port. */
class PvmTest : public TestCase
{
  public:
    PvmTest()
        : TestCase("PVM 3.4: fragments of 4080 bytes, headers, one write and two reads of each")
    {
    }

  private:
    /** A message and its fragments. */
    struct Row
    {
        uint32_t bytes;        ///< Size of the message [bytes].
        uint32_t writes;       ///< Writes of the port: one for each fragment (mxfer, src/lpvm.c).
        uint32_t reads;        ///< Reads of it: header and rest of each (mxinput, src/lpvm.c).
        uint32_t headers;      ///< Headers of all fragments [bytes].
        uint32_t lastFragment; ///< The last one with its headers [bytes].
    };

    /** Send and receive a message. @param row what is expected of it */
    void Check(const Row& row)
    {
        auto machine = CreateObject<ParastationMachine>();
        machine->SetAttribute("Layer", StringValue("pvm"));
        const auto layers = machine->GetLayers(4096);
        LayerCore task(layers[1], 0, 2);
        LayerNotebook fragments;
        task.OnRequest(MakeMessage(row.bytes), fragments);
        NS_TEST_EXPECT_MSG_EQ(fragments.sent.size(), 0, "pvm_send follows pvm_pk");
        NS_TEST_EXPECT_MSG_EQ(CountRuns(task, fragments), 1, "one call for all fragments");

        LayerCore port(layers[0], 0, 2);
        LayerNotebook packets;
        uint32_t headers = 0;
        for (const auto& fragment : fragments.sent)
        {
            headers += fragment.frame.header;
            port.OnRequest(MakeMessage(fragment.frame.payload + fragment.frame.header), packets);
        }
        NS_TEST_EXPECT_MSG_EQ(headers, row.headers, row.bytes);
        const auto& last = fragments.sent.back().frame;
        NS_TEST_EXPECT_MSG_EQ(last.header + last.payload, row.lastFragment, row.bytes);
        NS_TEST_EXPECT_MSG_EQ(CountRuns(port, packets), row.writes, row.bytes);
        NS_TEST_EXPECT_MSG_EQ(packets.sent.size(), row.writes, "each fragment fits into a packet");

        LayerCore otherPort(layers[0], 1, 2);
        LayerCore otherTask(layers[1], 1, 2);
        LayerNotebook arrived;
        LayerNotebook received;
        uint32_t reads = 0;
        for (std::size_t i = 0; i < packets.sent.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(received.delivered.size(), 0, "pvm_recv waits for the last one");
            otherPort.OnFrame(0, packets.sent[i].frame, arrived);
            reads += CountRuns(otherPort, arrived);
            otherTask.OnFrame(0, fragments.sent[i].frame, received);
            reads += CountRuns(otherTask, received);
        }
        NS_TEST_EXPECT_MSG_EQ(received.delivered.size(), 1, "then it returns");
        NS_TEST_EXPECT_MSG_EQ(reads - 1, row.reads, row.bytes << " bytes, without pvm_recv's call");
    }

    void DoRun() override
    {
        // UDPMAXLEN and MSGHDRLEN in src/global.h, TDFRAGHDR and MAXHDR in include/pvmproto.h.
        for (const Row& row : {Row{0, 1, 2, 48, 48},
                               Row{4, 1, 2, 48, 52},
                               Row{4032, 1, 2, 48, 4080},
                               Row{4033, 2, 4, 64, 17},
                               Row{8064, 2, 4, 64, 4048},
                               Row{32768, 9, 18, 176, 528}})
        {
            Check(row);
        }
        const auto bad = [](const std::string& bytes) {
            return !CreateObject<ParastationMachine>()->SetAttributeFailSafe("PvmFragment",
                                                                             StringValue(bytes));
        };
        NS_TEST_EXPECT_MSG_EQ(bad("51"), true, "pvm_setopt wants room for 4 bytes of data");
        NS_TEST_EXPECT_MSG_EQ(bad("52"), false, "and no more");
        NS_TEST_EXPECT_MSG_EQ(bad("1048576"), false, "pvm_setopt's largest");
        NS_TEST_EXPECT_MSG_EQ(bad("1048577"), true, "and no more");
    }
};

/** All possible runs of two processes over a lossless layer. */
class LayerSearchTest : public TestCase
{
  public:
    LayerSearchTest()
        : TestCase("Both sides ask at once, whatever the order of events")
    {
    }

  private:
    void DoRun() override
    {
        const LayerConfig config{.fragment = 6, .shortBytes = 2, .eagerBytes = 4};
        messaging::ExplorerOptions options;
        options.losses = 0;
        options.capacity = 3;
        options.delivered = true;
        options.ordered = true;
        options.fair = true;
        messaging::Explorer<LayerCore> explorer({LayerCore(config, 0, 2), LayerCore(config, 1, 2)},
                                                options);
        for (const uint32_t bytes : {2, 4, 12})
        {
            for (const messaging::Peer peer : {0, 1})
            {
                const uint64_t contents = 100 * (peer + 1) + bytes;
                explorer.AddRequest(peer,
                                    messaging::Request{bytes, contents, 1 - peer, bytes, 0, 0});
            }
        }
        const auto result = explorer.Run();
        NS_TEST_EXPECT_MSG_EQ(result.verdict, messaging::ExplorerVerdict::SOUND, result.sentence);
        NS_TEST_EXPECT_MSG_GT(result.states, 100, "and there was something to search");
    }
};

/** Layers, copies and headers of each platform. */
class StackTest : public TestCase
{
  public:
    StackTest()
        : TestCase("Table 3: which layer lies on which, and what it costs on which host")
    {
    }

  private:
    void DoRun() override
    {
        auto machine = CreateObject<ParastationMachine>();
        const auto get = [&machine](const std::string& layer) {
            machine->SetAttribute("Layer", StringValue(layer));
            return machine->GetLayers(4096);
        };
        NS_TEST_EXPECT_MSG_EQ(get("hal").size(), 0, "nothing");
        NS_TEST_EXPECT_MSG_EQ(get("ports").size(), 1, "on the HAL");
        NS_TEST_EXPECT_MSG_EQ(get("tcp").size(), 1, "on the HAL");
        const auto mpi = get("mpi");
        NS_TEST_EXPECT_MSG_EQ(mpi.size(), 2, "on ports");
        NS_TEST_EXPECT_MSG_EQ((mpi[0] == get("ports")[0]), true, "on the same ports");
        NS_TEST_EXPECT_MSG_EQ(mpi[0].fragment + mpi[0].header, 4096, "a frame fits into a slot");
        const auto pvm = get("pvm");
        NS_TEST_EXPECT_MSG_EQ(pvm.size(), 2, "on ports");
        NS_TEST_EXPECT_MSG_EQ((pvm[0] == mpi[0]), true, "on the same ports");
        NS_TEST_EXPECT_MSG_EQ(pvm[1].packCopies, 50, "a copy into fragments, from the cache");
        NS_TEST_EXPECT_MSG_EQ(pvm[1].unpackCopies, 50, "and one out of them");
        NS_TEST_EXPECT_MSG_EQ(machine->GetLayers(1024)[1].fragment,
                              4032,
                              "fragments do not depend on packets");
        machine->SetAttribute("PvmFragment", StringValue("1000"));
        NS_TEST_EXPECT_MSG_EQ(get("pvm")[1].fragment, 952, "space for both headers in each");
        const uint32_t reference = mpi[1].sendCall;
        const std::map<std::string, double> scales{{"specint", 13.5 / 15.4},
                                                   {"clock", 0.7},
                                                   {"none", 1}};
        machine->SetAttribute("Platform", StringValue("alpha-500"));
        for (const auto& [scale, factor] : scales)
        {
            machine->SetAttribute("LayerScale", StringValue(scale));
            NS_TEST_EXPECT_MSG_EQ_TOL(get("mpi")[1].sendCall, factor * reference, 1, scale);
        }
        Costs();
    }

    /** Section 4: copies at the receiver, and fetches of pages by DMA, from 128 bytes on. */
    void Costs()
    {
        auto machine = CreateObject<ParastationMachine>();
        for (const auto& [protocol, copies, fetches] :
             {std::tuple{ProtocolKind::PARASTATION2, true, false},
              {ProtocolKind::BACKBLOCKING, true, false},
              {ProtocolKind::AM2, true, true},
              {ProtocolKind::VMMC2, false, true},
              {ProtocolKind::FM, false, false},
              {ProtocolKind::LFC, false, false},
              {ProtocolKind::NONE, false, true}})
        {
            const auto costs = machine->GetCosts(protocol);
            NS_TEST_EXPECT_MSG_EQ(costs.receiveCopies, (copies ? 100 : 0), "copies");
            NS_TEST_EXPECT_MSG_EQ(costs.dmaThreshold, (fetches ? 128 : NONE), "threshold");
            NS_TEST_EXPECT_MSG_EQ((costs.fetch > 0),
                                  (protocol == ProtocolKind::VMMC2),
                                  "VMMC-2's firmware translates addresses");
            machine->SetAttribute("DmaThreshold", StringValue("1"));
            machine->SetAttribute("ReceiveCopies", StringValue("0"));
            NS_TEST_EXPECT_MSG_EQ(machine->GetCosts(protocol).dmaThreshold, 1, "as given");
            NS_TEST_EXPECT_MSG_EQ(machine->GetCosts(protocol).receiveCopies, 0, "as given");
            machine->SetAttribute("DmaThreshold", StringValue("0"));
            machine->SetAttribute("ReceiveCopies", StringValue("-1"));
        }
    }
};

/** Processes that wait for the layer below. */
class PortReadyTest : public TestCase
{
  public:
    PortReadyTest()
        : TestCase("A process is notified once, if it waits for the layer below")
    {
    }

  private:
    /** A layer below that has no room. */
    class FullGroup : public messaging::MessageGroup
    {
      public:
        uint32_t GetNPeers() const override
        {
            return 2;
        }

        messaging::Acceptance Post(messaging::Peer, const messaging::Request&) override
        {
            return messaging::Acceptance::STALLED;
        }

        /** Notify the layer above of room. @param self the node */
        void NotifyReady(messaging::Peer self)
        {
            m_user->OnReady(self);
        }
    };

    /** Records notifications. */
    struct Processes : messaging::PortUser
    {
        void OnFrame(messaging::Peer, messaging::Peer, const messaging::Frame&) override
        {
        }

        void OnReady(messaging::Peer self) override
        {
            ready.push_back(self);
        }

        std::vector<messaging::Peer> ready; ///< Notified processes.
    };

    void DoRun() override
    {
        const auto clock = CreateObject<messaging::TickClock>();
        const auto group = CreateObject<FullGroup>();
        {
            const auto port = Create<LayerPort>(clock, group, 3);
            Processes processes;
            port->SetUser(&processes);
            // Processes 0, 2 and 4 are on node 0.
            NS_TEST_EXPECT_MSG_EQ(port->Send(2, 1, {}), false, "no room");
            group->NotifyReady(1);
            NS_TEST_EXPECT_MSG_EQ(processes.ready.size(), 0, "on the other node");
            group->NotifyReady(0);
            group->NotifyReady(0);
            NS_TEST_EXPECT_MSG_EQ((processes.ready == std::vector<messaging::Peer>{2}),
                                  true,
                                  "the one that waits");
        }
        clock->Dispose();
    }
};

/** Runs of the scenario. */
class LayersRunTest : public TestCase
{
  public:
    LayersRunTest()
        : TestCase("A-37: layers on Myrinet, their latencies, and several processes on a node")
    {
    }

  private:
    using Values = std::map<std::string, std::string>; ///< Parameters by name.

    /** @param values parameters @return the scenario after its run */
    Ptr<Parastation2Scenario> RunSound(const Values& values)
    {
        auto scenario = CreateObject<Parastation2Scenario>();
        for (const auto& [name, value] : values)
        {
            scenario->SetAttribute(name, StringValue(value));
        }
        scenario->Run();
        StringValue outcome;
        scenario->GetAttribute("Outcome", outcome);
        NS_TEST_EXPECT_MSG_EQ(scenario->GetVerdict(), Verdict::COMPLETED, scenario->GetFailure());
        NS_TEST_EXPECT_MSG_EQ(outcome.Get(), "sound", "every message once and intact");
        return scenario;
    }

    /** @param scenario a run @param name name of a result @return its value */
    static double Get(Ptr<Parastation2Scenario> scenario, const std::string& name)
    {
        StringValue value;
        scenario->GetAttribute(name, value);
        return std::stod(value.Get());
    }

    /** @param scenario a run @return the sum of the steps of a message [us] */
    static double GetWay(Ptr<Parastation2Scenario> scenario)
    {
        PointerValue pointer;
        scenario->GetAttribute("Pipeline", pointer);
        const auto columns = pointer.Get<messaging::Table>()->GetColumns();
        const auto& way = std::get<std::vector<double>>(columns.back().cells);
        return std::accumulate(way.begin(), way.end(), 0.0);
    }

    void DoRun() override
    {
        const std::map<std::string, double> published{{"ports", 18.7},
                                                      {"tcp", 20.2},
                                                      {"mpi", 25},
                                                      {"pvm", 30}};
        for (const auto& [layer, latency] : published)
        {
            const auto run = RunSound({{"Layer", layer}, {"HostJitter", "0"}});
            NS_TEST_EXPECT_MSG_EQ_TOL(Get(run, "Latency"), latency, 0.03, "calibrated: " << layer);
            NS_TEST_EXPECT_MSG_EQ_TOL(GetWay(run),
                                      Get(run, "Latency"),
                                      0.01,
                                      layer << ": the steps add up to the latency");
            RunSound({{"Layer", layer},
                      {"Pattern", "alltoall"},
                      {"Nodes", "4"},
                      {"Size", "20000"},
                      {"Rounds", "5"},
                      {"Loss", "0.1"}});
        }
        for (const std::string layer : {"ports", "pvm"})
        {
            const auto run = RunSound({{"Layer", layer}, {"HostJitter", "0"}, {"Size", "2000"}});
            NS_TEST_EXPECT_MSG_EQ_TOL(GetWay(run), Get(run, "Latency"), 0.01, layer << ": copies");
        }
        const Values mpi{{"Layer", "mpi"}, {"Size", "8000"}};
        Values asks = mpi;
        asks["EagerLimit"] = "1024";
        const double more = Get(RunSound(asks), "Latency") - Get(RunSound(mpi), "Latency");
        NS_TEST_EXPECT_MSG_GT(more, 18.7, "a long message waits for an OK");
        NS_TEST_EXPECT_MSG_LT(more, 3 * 18.7, "for a round trip of the ports at most");

        const auto shared = RunSound({{"Layer", "ports"},
                                      {"Processes", "3"},
                                      {"Pattern", "alltoall"},
                                      {"Size", "6000"},
                                      {"Rounds", "10"}});
        // Two nodes have six processes, of which each sends to five.
        NS_TEST_EXPECT_MSG_EQ(Get(shared, "Posted"), 6 * 5 * 10, "all processes take part");
        const auto rate = [this](const std::string& processes) {
            return Get(RunSound({{"Layer", "ports"},
                                 {"Processes", processes},
                                 {"Pattern", "exchange"},
                                 {"Size", "32768"},
                                 {"Rounds", "20"}}),
                       "Throughput");
        };
        const double alone = rate("1");
        NS_TEST_EXPECT_MSG_LT(rate("4"), 1.3 * alone, "processes share one interface and one bus");
        NS_TEST_EXPECT_MSG_GT(rate("4"), 0.8 * alone, "and lose little by it");
    }
};

/** The suite. */
class ParastationLayersTestSuite : public TestSuite
{
  public:
    ParastationLayersTestSuite()
        : TestSuite("parastation-layers", Type::SYSTEM)
    {
        AddTestCase(new FramesTest, Duration::QUICK);
        AddTestCase(new PvmTest, Duration::QUICK);
        AddTestCase(new LayerSearchTest, Duration::QUICK);
        AddTestCase(new StackTest, Duration::QUICK);
        AddTestCase(new PortReadyTest, Duration::QUICK);
        AddTestCase(new LayersRunTest, Duration::QUICK);
    }
};

ParastationLayersTestSuite g_parastationLayersTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace parastation
} // namespace ns3
