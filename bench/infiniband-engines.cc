/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * Messages a second and events a message of InfiniBand's message engine, beside the packet engine.
 */

#include "bench-common.h"

#include "ns3/infiniband-engine-traffic.h"
#include "ns3/infiniband-message-engine.h"
#include "ns3/infiniband-packet-engine.h"
#include "ns3/simulator.h"

#include <utility>

using namespace ns3;
using namespace ns3::bench;

namespace
{

constexpr infiniband::HostId HOSTS = 64; ///< 512 ranks, eight on each.

/** Events a message of each engine, as far as it counts them. */
struct Events
{
    double message{0}; ///< Of the message engine.
    double packet{0};  ///< Of the packet engine, without those inside its fabric.
};

/**
 * Send messages of jac2000's mean length to random hosts, in bursts, at its rate.
 * @tparam E the engine
 * @param transport over what
 * @param events set to how many a message took
 * @return messages a second
 */
template <class E>
double
Measure(infiniband::Transport transport, double& events)
{
    auto clock = CreateObject<messaging::TickClock>();
    auto engine = CreateObject<E>();
    infiniband::EngineLoad load;
    load.pattern = infiniband::EnginePattern::BURSTS;
    load.transport = transport;
    load.bytes = transport == infiniband::Transport::UD ? 2048 : 2280;
    load.load = 0.127;
    load.messages = 2000;
    load.ranks = 8;
    double rate;
    {
        infiniband::EngineTraffic traffic(clock, engine, HOSTS, load);
        traffic.AssignStreams(1);
        if (const std::string error = traffic.Start(); !error.empty())
        {
            std::fprintf(stderr, "%s\n", error.c_str());
            std::exit(1);
        }
        const double start = GetCpuTime();
        Simulator::Run();
        const auto done = static_cast<double>(traffic.GetLatencies().size());
        rate = done / (GetCpuTime() - start);
        events = static_cast<double>(engine->GetNEvents()) / done;
    }
    engine->Dispose();
    clock->Dispose();
    Simulator::Destroy();
    return rate;
}

} // namespace

int
main()
{
    using infiniband::Transport;
    const std::pair<Transport, const char*> transports[]{{Transport::RC, "RC"},
                                                         {Transport::UC, "UC"},
                                                         {Transport::UD, "UD"}};
    for (const auto& [transport, name] : transports)
    {
        Events events;
        const Transport over = transport;
        const Pair pair(
            3,
            [&] { return Measure<infiniband::MessageEngine>(over, events.message); },
            [&] { return Measure<infiniband::PacketEngine>(over, events.packet); });
        const std::string title = std::string("64 hosts, 8 ranks each, bursts, ") + name;
        Report(title, pair.value / 1e6, "M messages/s", "packets", pair.beside / 1e6, pair.ratio);
        Report(title + ", events", events.message, "events/message", "packets", events.packet);
    }
    return 0;
}
