/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * The cores of paper 3's broadcast protocols: frames per second without a network, and broadcasts
 * per second over a port with a constant delay.
 */

#include "bench-common.h"

#include "ns3/boolean.h"
#include "ns3/messaging-core-group.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/pcode-call-core.h"
#include "ns3/pcode-collectives.h"
#include "ns3/pcode-core.h"
#include "ns3/pcode-driver.h"
#include "ns3/pcode-graph-core.h"
#include "ns3/pcode-group.h"
#include "ns3/pcode-ring-core.h"
#include "ns3/pcode-window-core.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <deque>

using namespace ns3;
using namespace ns3::bench;
using namespace ns3::pcode;
using messaging::Frame;
using messaging::LoopbackPort;
using messaging::NO_PEER;
using messaging::Peer;
using messaging::TickClock;

namespace
{

constexpr uint32_t PEERS = 16;       ///< Number of processors.
constexpr uint32_t BYTES = 20;       ///< Size of a message [bytes].
constexpr uint64_t MESSAGES = 20000; ///< Messages of each processor without a network.
constexpr uint64_t ROUNDS = 1000;    ///< All-to-all broadcasts over a port.

/** Actions that only store frames in flight, in the order sent. */
struct Wire
{
    /** A frame in flight. */
    struct Flight
    {
        Frame frame; ///< The frame.
        Peer from;   ///< Its sender.
        Peer to;     ///< Its receiver, or NO_PEER.
    };

    std::deque<Flight> flights; ///< Frames in flight.
    uint64_t delivered{0};      ///< Delivered messages.
    Peer self{0};               ///< The processor whose core acts.

    /** @param to receiver @param frame frame @return true */
    bool Send(Peer to, const Frame& frame)
    {
        flights.push_back(Flight{frame, self, to});
        return true;
    }

    /** @return the distance of any two processors. */
    messaging::Ticks Distance(Peer) const
    {
        return 1;
    }

    /** @return the length of any frame. */
    messaging::Ticks WireTicks(const Frame&) const
    {
        return 1;
    }

    /** @return the time, which these cores do not read. */
    messaging::Ticks Now() const
    {
        return 0;
    }

    /** @return zero: these cores do not draw. */
    uint32_t Random(uint32_t) const
    {
        return 0;
    }

    /** Ignored: without losses no timer is needed. */
    void Arm(messaging::TimerId, messaging::Ticks)
    {
    }

    /** Ignored, as Arm is. */
    void Cancel(messaging::TimerId)
    {
    }

    /** Never called: the cores request no work. */
    void Do(const messaging::Work&)
    {
    }

    /** Count a message. */
    void Deliver(const messaging::Delivery&)
    {
        ++delivered;
    }

    /** Ignored. */
    void Complete(messaging::RequestId, messaging::Completion)
    {
    }

    /** Ignored. */
    void Note(messaging::Reason)
    {
    }
};

/**
 * Measure frames received by cores per second, with every processor posting as fast as possible.
 * @param name name of the protocol
 * @param make makes the core of a processor
 */
template <class Make>
void
MeasureCores(const std::string& name, Make&& make)
{
    std::vector<double> rates;
    for (int repetition = 0; repetition < 3; ++repetition)
    {
        using Core = decltype(make(Peer{}));
        std::vector<Core> cores;
        for (Peer peer = 0; peer < PEERS; ++peer)
        {
            cores.push_back(make(peer));
        }
        Wire wire;
        std::vector<uint64_t> posted(PEERS);
        uint64_t received = 0;
        const auto post = [&](Peer peer) {
            wire.self = peer;
            while (posted[peer] < MESSAGES && cores[peer].CanAccept())
            {
                const messaging::Request request{posted[peer], posted[peer], NO_PEER, BYTES, 0, 0};
                posted[peer] +=
                    cores[peer].OnRequest(request, wire) == messaging::Acceptance::ACCEPTED ? 1 : 0;
            }
        };
        const double begin = GetCpuTime();
        for (Peer peer = 0; peer < PEERS; ++peer)
        {
            post(peer);
        }
        while (!wire.flights.empty() && wire.delivered < PEERS * (PEERS - 1) * MESSAGES)
        {
            const auto flight = wire.flights.front();
            wire.flights.pop_front();
            const Peer first = flight.to == NO_PEER ? 0 : flight.to;
            const Peer last = flight.to == NO_PEER ? PEERS : flight.to + 1;
            for (Peer peer = first; peer < last; ++peer)
            {
                if (peer != flight.from)
                {
                    wire.self = peer;
                    cores[peer].OnFrame(flight.from, flight.frame, wire);
                    ++received;
                    post(peer);
                }
            }
        }
        if (wire.delivered != PEERS * (PEERS - 1) * MESSAGES)
        {
            std::fprintf(stderr, "%s: not all messages were delivered\n", name.c_str());
            std::exit(1);
        }
        rates.push_back(static_cast<double>(received) / (GetCpuTime() - begin));
    }
    Report(name + ", cores alone", GetMedian(rates), "receptions/s");
}

/**
 * Measure receptions of broadcasts per second, in a program of all-to-all broadcasts over a port.
 * @param name name of the protocol
 * @param connect makes the group from a clock, a port and a program
 */
template <class Connect>
void
MeasureGroup(const std::string& name, Connect&& connect)
{
    std::vector<double> rates;
    for (int repetition = 0; repetition < 3; ++repetition)
    {
        GlobalProgram program(PEERS);
        Collectives(program).AllToAllAtOnce(BYTES);
        program.SetRounds(ROUNDS);
        const auto clock = CreateObject<TickClock>();
        const auto port =
            Create<LoopbackPort>(clock,
                                 PEERS,
                                 messaging::LoopbackOptions{.latency = 300000, .mtu = 1436});
        const Ptr<messaging::MessageGroup> group = connect(clock, port, program);
        ProgramDriver driver(group, program);
        driver.Start();
        const double begin = GetCpuTime();
        Simulator::Stop(Seconds(600));
        Simulator::Run();
        rates.push_back(PEERS * (PEERS - 1) * ROUNDS / (GetCpuTime() - begin));
        if (!driver.IsFinished())
        {
            std::fprintf(stderr, "%s: the program has not ended\n", name.c_str());
            std::exit(1);
        }
        group->Dispose();
        Simulator::Destroy();
    }
    Report(name + ", programs over a delay", GetMedian(rates), "receptions/s");
}

/**
 * Measure a broadcast layer with and without a network.
 * @param name name of the protocol
 * @param make makes the core of a processor, with a store of lists
 */
template <class Make>
void
Measure(const std::string& name, Make&& make)
{
    {
        ListStore lists;
        MeasureCores(name, [&](Peer self) { return make(self, &lists); });
    }
    ListStore lists;
    MeasureGroup(name,
                 [&](Ptr<TickClock> clock, Ptr<LoopbackPort> port, const GlobalProgram& program) {
                     using Core = CallCore<decltype(make(Peer{}, &lists))>;
                     const auto group = CreateObject<messaging::CoreGroup<Core, LoopbackPort>>();
                     group->Connect(clock, port, [&](Peer self) {
                         return Core(make(self, &lists), program.GetGroups(), self);
                     });
                     return group;
                 });
}

} // namespace

int
main()
{
    RingConfig ring;
    ring.nPeers = PEERS;
    Measure("token ring", [&](Peer self, ListStore*) { return RingCore(self, ring); });
    GraphConfig graph;
    graph.nPeers = PEERS;
    Measure("acknowledgement graph",
            [&](Peer self, ListStore* lists) { return GraphCore(self, graph, lists); });
    WindowConfig window;
    window.nPeers = PEERS;
    Measure("packing window",
            [&](Peer self, ListStore* lists) { return WindowCore(self, window, lists); });
    MeasureGroup("PCODE",
                 [](Ptr<TickClock> clock, Ptr<LoopbackPort> port, const GlobalProgram& program) {
                     const auto group = CreateObject<PcodeGroup<PcodeCore, LoopbackPort>>();
                     group->Connect(clock, port, program, CreateObject<PcodeParameters>());
                     return group;
                 });
    return 0;
}
