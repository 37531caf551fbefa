/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-system.h"

#include "ns3/messaging-core-group.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-recorder.h"
#include "ns3/messaging-udp-port.h"
#include "ns3/pcode-call-core.h"
#include "ns3/pcode-core.h"
#include "ns3/pcode-daemon-group.h"
#include "ns3/pcode-graph-core.h"
#include "ns3/pcode-list-store.h"
#include "ns3/pcode-process-core.h"
#include "ns3/pcode-process-port.h"
#include "ns3/pcode-ring-core.h"
#include "ns3/pcode-window-core.h"

#include <array>
#include <memory>
#include <sstream>

namespace ns3
{
namespace pcode
{

using messaging::CoreGroup;
using messaging::Peer;
using messaging::TickClock;
using messaging::UdpPort;

namespace
{

constexpr uint16_t PORT = 5000; ///< Port number of every peer.

using Port = ProcessPort<UdpPort>; ///< Carries the frames of protocol cores.

/** State that the cores of P0, P1 or PCODE share. */
struct PcodeState
{
    ListStore lists;    ///< Counter vectors of STATUS.
    PcodeConfig config; ///< Parameters.
};

/** Sets a system up. */
class Builder
{
  public:
    /**
     * Constructor.
     * @param lan the workstations
     * @param program the program to run
     * @param options the setup
     */
    Builder(Lan& lan, const GlobalProgram& program, const SystemOptions& options)
        : m_lan(lan),
          m_program(program),
          m_options(options)
    {
    }

    /** @return the rival over TCP. */
    System MakeTcp() const
    {
        auto group = CreateObject<StreamGroup>();
        messaging::CopyAttributes(m_options.tcp, group);
        group->Connect(m_lan.GetNodes(),
                       m_lan.GetAddresses(PORT),
                       m_lan.GetStations(),
                       m_program.GetGroups());
        return System{nullptr,
                      group,
                      {},
                      [](auto) { return 0; },
                      [] { return RecoveryCounts{}; },
                      [](auto) { return 0; }};
    }

    /**
     * Set up P0, P1 or PCODE.
     * @param parameters parameters of the protocol
     * @return the system
     */
    System MakePcode(Ptr<const PcodeParameters> parameters) const
    {
        const auto [clock, port] = MakePort();
        messaging::Recorder::SetKinds<FrameKind>(0xffffffff);
        const auto state = std::make_shared<PcodeState>();
        state->config = parameters->MakeConfig(m_program.GetGroups(),
                                               state->lists,
                                               m_program.GetMaxMessage(),
                                               clock->GetTickLength());
        const auto group = MakeGroup<PcodeCore>(clock, port, [&](Peer self) {
            return PcodeCore(state->config, self);
        });
        System system =
            Finish<Event>(group,
                          port,
                          EVENTS,
                          {Event::REQUEST_NACK, Event::PERSONAL_NACK, Event::GLOBAL_NACK_SENT},
                          {Event::REGULAR_RESENT, Event::DIRECT_RESENT},
                          {Event::STATUS_ANSWERED, Event::STATUS_PERIODIC, Event::STATUS_SPREAD});
        system.shared = state;
        return system;
    }

    /**
     * Set up a rival that broadcasts.
     * @tparam Core the rival
     * @tparam Config its parameters
     * @return the system
     */
    template <class Core, class Config>
    System MakeBroadcaster() const
    {
        const auto [clock, port] = MakePort();
        Config config;
        config.nPeers = m_program.GetNNodes();
        config.mtu = port->Info().mtu;
        const auto lists = std::make_shared<ListStore>();
        const auto group = MakeGroup<CallCore<Core>>(clock, port, [&](Peer self) {
            return CallCore<Core>(Core(self, config, lists.get()), m_program.GetGroups(), self);
        });
        System system = Finish<RivalEvent>(group,
                                           port,
                                           RIVAL_EVENTS,
                                           {RivalEvent::NACK_SENT},
                                           {RivalEvent::DATA_REPEATED, RivalEvent::DATA_REPLACED},
                                           {RivalEvent::STATUS_SENT, RivalEvent::STATUS_ATTACHED});
        system.shared = lists;
        return system;
    }

  private:
    /**
     * Make a group whose cores run in processes of the workstations.
     * @tparam Core the protocol
     * @param clock the clock
     * @param port the port
     * @param make given a peer, returns its core
     * @return the group
     */
    template <class Core, class Make>
    Ptr<CoreGroup<ProcessCore<Core>, Port>> MakeGroup(Ptr<TickClock> clock,
                                                      Ptr<Port> port,
                                                      Make&& make) const
    {
        const auto group = CreateObject<CoreGroup<ProcessCore<Core>, Port>>();
        group->Connect(clock, port, [&](Peer self) {
            return ProcessCore<Core>(make(self), self, m_lan.GetStations()[self]);
        });
        return group;
    }

    /** @return a clock, and a port of broadcast datagrams that counts by it. */
    std::pair<Ptr<TickClock>, Ptr<Port>> MakePort() const
    {
        const auto clock = CreateObject<TickClock>();
        const auto sockets = CreateObject<UdpPort>();
        sockets->Connect(clock,
                         m_lan.GetNodes(),
                         m_lan.GetAddresses(PORT),
                         m_lan.GetBroadcast(PORT));
        const auto process =
            m_options.ipc == IpcKind::LINKED ? Process::APPLICATION : Process::DAEMON;
        return {clock,
                Create<Port>(sockets, m_lan.GetStations(), process, m_options.receiveBuffer)};
    }

    /**
     * Make the system of a group, behind a daemon if there is one.
     * @tparam Reason reasons of its cores
     * @param group the group
     * @param port its port
     * @param reasons number of reasons
     * @param nacks reasons of RecoveryCounts::nacks
     * @param resends reasons of RecoveryCounts::resends
     * @param statuses reasons of RecoveryCounts::statuses
     * @return the system
     */
    template <class Reason, class Group>
    System Finish(Ptr<Group> group,
                  Ptr<Port> port,
                  std::size_t reasons,
                  const std::vector<Reason>& nacks,
                  const std::vector<Reason>& resends,
                  const std::vector<Reason>& statuses) const
    {
        const auto sum = [group](const std::vector<Reason>& some) {
            uint64_t total = 0;
            for (const Reason reason : some)
            {
                total += group->GetCount(static_cast<messaging::Reason>(reason));
            }
            return total;
        };
        System system{nullptr,
                      group,
                      {},
                      [group](messaging::Reason reason) { return group->GetCount(reason); },
                      [=] { return RecoveryCounts{sum(nacks), sum(resends), sum(statuses)}; },
                      [port](Peer peer) { return port->GetNOverflows(peer); }};
        for (std::size_t i = 0; i < reasons; ++i)
        {
            std::ostringstream name;
            name << static_cast<Reason>(i);
            system.reasons.push_back(name.str());
        }
        if (m_options.ipc != IpcKind::LINKED)
        {
            const auto daemons = CreateObject<DaemonGroup>();
            daemons->Connect(group, m_lan.GetStations());
            system.group = daemons;
        }
        return system;
    }

    Lan& m_lan;                     ///< The workstations.
    const GlobalProgram& m_program; ///< The program to run.
    const SystemOptions& m_options; ///< The setup.
};

} // namespace

std::ostream&
operator<<(std::ostream& os, SystemKind kind)
{
    static constexpr std::array NAMES{"pcode", "p0", "p1", "tcp", "ring", "lansis", "horus"};
    return os << NAMES[static_cast<std::size_t>(kind)];
}

System
MakeSystem(Lan& lan, const GlobalProgram& program, const SystemOptions& options)
{
    const Builder builder(lan, program, options);
    switch (options.kind)
    {
    case SystemKind::PCODE:
        return builder.MakePcode(options.pcode);
    case SystemKind::P0:
        return builder.MakePcode(options.pcode->AsP0());
    case SystemKind::P1:
        return builder.MakePcode(options.pcode->AsP1());
    case SystemKind::TCP:
        return builder.MakeTcp();
    case SystemKind::RING:
        return builder.MakeBroadcaster<RingCore, RingConfig>();
    case SystemKind::LANSIS:
        return builder.MakeBroadcaster<GraphCore, GraphConfig>();
    case SystemKind::HORUS:
        return builder.MakeBroadcaster<WindowCore, WindowConfig>();
    }
    return {};
}

} // namespace pcode
} // namespace ns3
