/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-system.h"

#include "ns3/log.h"
#include "ns3/messaging-core-group.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-udp-port.h"
#include "ns3/pcode-call-core.h"
#include "ns3/pcode-core.h"
#include "ns3/pcode-daemon-group.h"
#include "ns3/pcode-graph-core.h"
#include "ns3/pcode-ring-core.h"
#include "ns3/pcode-window-core.h"

#include <algorithm>
#include <memory>

namespace ns3
{
namespace pcode
{

NS_LOG_COMPONENT_DEFINE("PcodeSystem");

using messaging::CoreGroup;
using messaging::Peer;
using messaging::TickClock;
using messaging::UdpPort;

namespace
{

constexpr uint16_t PORT = 5000; ///< Port number of every peer.

/**
 * Set up a system with a core in a process of each workstation: a daemon, or the application if it
 * is linked.
 * @tparam Base base of the group, which labels its frames
 * @tparam Core the protocol
 * @tparam Reason enumeration of the reasons of its cores
 * @param lan the workstations
 * @param options the setup
 * @param reasons number of reasons
 * @param shared state shared by the cores
 * @param make makes a core, given its peer and the MTU of the network
 * @return the system
 */
template <class Base, class Core, class Reason, class Make>
System
MakeCores(Lan& lan,
          const SystemOptions& options,
          std::size_t reasons,
          std::shared_ptr<const void> shared,
          Make&& make)
{
    const auto clock = CreateObject<TickClock>();
    const auto sockets = CreateObject<UdpPort>();
    sockets->Connect(clock, lan.GetNodes(), lan.GetAddresses(PORT), lan.GetBroadcast(PORT));
    const bool linked = options.ipc == IpcKind::LINKED;
    Process process = Process::DAEMON;
    if (linked)
    {
        process = Process::APPLICATION;
        NS_LOG_INFO("The protocol is linked into each application");
    }
    else
    {
        NS_LOG_INFO("The protocol is a daemon beside each application");
    }
    const auto port =
        Create<ProcessPort>(sockets, lan.GetStations(), process, options.receiveBuffer);
    const auto group = CreateObject<CoreGroup<ProcessCore<Core>, ProcessPort, Base>>();
    group->Connect(clock, port, [&](Peer self) {
        return ProcessCore<Core>(make(self, port->GetInfo().mtu), self, lan.GetStations()[self]);
    });
    System system{.shared = shared,
                  .cores = group,
                  .group = group,
                  .port = port,
                  .count = [group, reasons] { return CountReasons<Reason>(*group, reasons); }};
    if (!linked)
    {
        const auto daemons = CreateObject<DaemonGroup>();
        daemons->Connect(group, lan.GetStations());
        system.group = daemons;
    }
    return system;
}

/**
 * Set up P0, P1 or PCODE.
 * @param lan the workstations
 * @param program the program to run
 * @param options the setup
 * @param parameters parameters of the protocol
 * @return the system
 */
System
MakePcode(Lan& lan,
          const GlobalProgram& program,
          const SystemOptions& options,
          Ptr<const PcodeParameters> parameters)
{
    const auto config = std::make_shared<PcodeConfig>(
        parameters->MakeConfig(program.GetGroups(), program.GetMaxMessage(), NanoSeconds(1)));
    using Base = messaging::NamedEvents<Event, messaging::LabelledGroup<FrameKind, 0xffffffff>>;
    return MakeCores<Base, PcodeCore, Event>(
        lan,
        options,
        EVENTS,
        config,
        [&](Peer self, uint32_t) { return PcodeCore(*config, self); });
}

/**
 * Set up a rival with broadcasts.
 * @tparam Core the rival
 * @tparam Config its parameters
 * @param lan the workstations
 * @param program the program to run
 * @param options the setup
 * @return the system
 */
template <class Core, class Config>
System
MakeBroadcaster(Lan& lan, const GlobalProgram& program, const SystemOptions& options)
{
    return MakeCores<messaging::NamedEvents<RivalEvent>, CallCore<Core>, RivalEvent>(
        lan,
        options,
        RIVAL_EVENTS,
        nullptr,
        [&](Peer self, uint32_t mtu) {
            Config config;
            config.nPeers = program.GetNNodes();
            config.mtu = mtu;
            return CallCore<Core>(Core(self, config), program.GetGroups(), self);
        });
}

/**
 * Set up the rival over TCP.
 * @param lan the workstations
 * @param program the program to run
 * @param options the setup
 * @return the system
 */
System
MakeTcp(Lan& lan, const GlobalProgram& program, const SystemOptions& options)
{
    auto group = CreateObject<StreamGroup>();
    messaging::CopyAttributes(options.tcp, group);
    group->Connect(lan.GetDevices(),
                   lan.GetAddresses(PORT),
                   lan.GetStations(),
                   program.GetGroups());
    return System{.shared = nullptr, .cores = group, .group = group, .port = nullptr, .count = [] {
                      return Reasons{};
                  }};
}

} // namespace

uint64_t
Sum(const Reasons& reasons, std::initializer_list<std::string_view> names)
{
    uint64_t sum = 0;
    for (const auto& [name, count] : reasons)
    {
        if (std::ranges::find(names, name) != names.end())
        {
            sum += count;
        }
    }
    return sum;
}

System
MakeSystem(Lan& lan, const GlobalProgram& program, const SystemOptions& options)
{
    switch (options.kind)
    {
    case SystemKind::PCODE:
        return MakePcode(lan, program, options, options.pcode);
    case SystemKind::P0:
        return MakePcode(lan, program, options, options.pcode->AsP0());
    case SystemKind::P1:
        return MakePcode(lan, program, options, options.pcode->AsP1());
    case SystemKind::TCP:
        return MakeTcp(lan, program, options);
    case SystemKind::RING:
        return MakeBroadcaster<RingCore, RingConfig>(lan, program, options);
    case SystemKind::LANSIS:
        return MakeBroadcaster<GraphCore, GraphConfig>(lan, program, options);
    case SystemKind::HORUS:
        return MakeBroadcaster<WindowCore, WindowConfig>(lan, program, options);
    }
    return {};
}

} // namespace pcode
} // namespace ns3
