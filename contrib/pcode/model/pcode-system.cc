/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-system.h"

#include "pcode-call-core.h"
#include "pcode-core-impl.h"
#include "pcode-daemon-group.h"
#include "pcode-graph-core.h"
#include "pcode-group.h"
#include "pcode-p0-core.h"
#include "pcode-process-port.h"
#include "pcode-ring-core.h"
#include "pcode-window-core.h"

#include "ns3/messaging-core-group.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-udp-port.h"

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

/** Sets a system up. */
class Builder
{
  public:
    /**
     * Constructor.
     * @param lan the workstations
     * @param program what is to run
     * @param options how
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
                      [] { return System::Counts(); },
                      [] { return RecoveryCounts(); },
                      [](Peer) { return 0; }};
    }

    /**
     * Set up P0, P1 or PCODE.
     * @tparam Core the protocol
     * @param parameters its parameters
     * @return the system
     */
    template <class Core>
    System MakePcode(Ptr<const PcodeParameters> parameters) const
    {
        const auto [clock, port] = MakePort();
        const auto group = CreateObject<PcodeGroup<Core, Port>>();
        group->Connect(clock, port, m_program, parameters);
        return Finish<Event>(
            group,
            port,
            EVENTS,
            {{Event::REQUEST_NACK, Event::PERSONAL_NACK, Event::GLOBAL_NACK_SENT},
             {Event::REGULAR_RESENT, Event::DIRECT_RESENT},
             {Event::STATUS_ANSWERED, Event::STATUS_PERIODIC, Event::STATUS_SPREAD}});
    }

    /** @return the token ring. */
    System MakeRing() const
    {
        return MakeBroadcaster<RingCore, RingEvent>(
            &RivalParameters::MakeRing,
            [](Peer self, const RingConfig& common, ListStore*) { return RingCore(self, common); },
            static_cast<std::size_t>(RingEvent::POST_REFUSED) + 1,
            {{}, {RingEvent::MESSAGE_REPEATED}, {}});
    }

    /** @return the acknowledgement graph. */
    System MakeGraph() const
    {
        return MakeBroadcaster<GraphCore, GraphEvent>(
            &RivalParameters::MakeGraph,
            [](Peer self, const GraphConfig& common, ListStore* lists) {
                return GraphCore(self, common, lists);
            },
            static_cast<std::size_t>(GraphEvent::POST_REFUSED) + 1,
            {{GraphEvent::NACK_SENT},
             {GraphEvent::MESSAGE_REPEATED, GraphEvent::MESSAGE_REPLACED},
             {GraphEvent::STATUS_SENT}});
    }

    /** @return the packing window. */
    System MakeWindow() const
    {
        return MakeBroadcaster<WindowCore, WindowEvent>(
            &RivalParameters::MakeWindow,
            [](Peer self, const WindowConfig& common, ListStore* lists) {
                return WindowCore(self, common, lists);
            },
            static_cast<std::size_t>(WindowEvent::POST_REFUSED) + 1,
            {{WindowEvent::NACK_SENT},
             {WindowEvent::DATAGRAM_REPEATED},
             {WindowEvent::STATUS_SENT, WindowEvent::STATUS_ATTACHED}});
    }

  private:
    /** What carries the frames of protocol cores. */
    using Port = ProcessPort<UdpPort>;

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
                Create<Port>(sockets,
                             m_lan.GetStations(),
                             process,
                             m_options.receiveBuffer,
                             m_options.costs->GetOwnCost())};
    }

    /** The reasons that stand for recovery. */
    template <class ReasonOf>
    struct Recovery
    {
        std::vector<ReasonOf> nacks;    ///< For RecoveryCounts::nacks.
        std::vector<ReasonOf> resends;  ///< For RecoveryCounts::resends.
        std::vector<ReasonOf> statuses; ///< For RecoveryCounts::statuses.
    };

    /**
     * Set up a broadcast layer that knows of no calls.
     * @tparam Core the layer
     * @tparam ReasonOf the type by which it numbers its reasons
     * @param configure makes its parameters, as a method of RivalParameters
     * @param make given a Peer, the parameters and a store of lists, returns its Core
     * @param reasons how many reasons there are
     * @param recovery which of them stand for recovery
     * @return the system
     */
    template <class Core, class ReasonOf, class Configure, class Make>
    System MakeBroadcaster(Configure configure,
                           Make&& make,
                           std::size_t reasons,
                           const Recovery<ReasonOf>& recovery) const
    {
        const auto [clock, port] = MakePort();
        const auto config = ((*m_options.rivals).*configure)(m_program.GetNProcessors(),
                                                             port->Info().mtu,
                                                             clock->GetTickLength());
        const auto lists = std::make_shared<ListStore>();
        const auto group = CreateObject<CoreGroup<CallCore<Core>, Port>>();
        group->Connect(clock, port, [&](Peer self) {
            return CallCore<Core>(make(self, config, lists.get()), m_program.GetGroups(), self);
        });
        System system = Finish<ReasonOf>(group, port, reasons, recovery);
        system.lists = lists;
        return system;
    }

    /**
     * Make a system of a group of protocol cores.
     * @tparam ReasonOf the type by which they number their reasons, which can be printed
     * @param group the group
     * @param port its port
     * @param reasons how many reasons there are
     * @param recovery which of them stand for recovery
     * @return the system
     */
    template <class ReasonOf, class Group>
    System Finish(Ptr<Group> group,
                  Ptr<Port> port,
                  std::size_t reasons,
                  const Recovery<ReasonOf>& recovery) const
    {
        const auto count = [group, reasons] {
            System::Counts counts;
            for (std::size_t i = 0; i < reasons; ++i)
            {
                std::ostringstream name;
                name << static_cast<ReasonOf>(i);
                counts.emplace_back(name.str(), group->GetCount(static_cast<uint8_t>(i)));
            }
            return counts;
        };
        const auto sum = [group](const std::vector<ReasonOf>& some) {
            uint64_t total = 0;
            for (const ReasonOf reason : some)
            {
                total += group->GetCount(static_cast<uint8_t>(reason));
            }
            return total;
        };
        const auto recover = [sum, recovery] {
            return RecoveryCounts{sum(recovery.nacks),
                                  sum(recovery.resends),
                                  sum(recovery.statuses)};
        };
        const auto overflows = [port](Peer peer) { return port->GetNOverflows(peer); };
        return System{nullptr, Reach(group), count, recover, overflows};
    }

    /**
     * Put what lies between application and transport layer in front of it.
     * @param group the transport layer
     * @return what applications post to
     */
    Ptr<messaging::MessageGroup> Reach(Ptr<messaging::MessageGroup> group) const
    {
        if (m_options.ipc == IpcKind::LINKED)
        {
            return group;
        }
        auto daemons = CreateObject<DaemonGroup>();
        daemons->Connect(group, m_lan.GetStations(), m_options.costs->GetIpcCost(m_options.ipc));
        return daemons;
    }

    Lan& m_lan;                     ///< The workstations.
    const GlobalProgram& m_program; ///< What is to run.
    const SystemOptions& m_options; ///< How.
};

} // namespace

std::ostream&
operator<<(std::ostream& os, SystemKind kind)
{
    switch (kind)
    {
    case SystemKind::PCODE:
        return os << "pcode";
    case SystemKind::P0:
        return os << "p0";
    case SystemKind::P1:
        return os << "p1";
    case SystemKind::TCP:
        return os << "tcp";
    case SystemKind::RING:
        return os << "ring";
    case SystemKind::LANSIS:
        return os << "lansis";
    case SystemKind::HORUS:
        return os << "horus";
    }
    return os << "unknown system";
}

bool
IsBroadcaster(SystemKind kind)
{
    return kind == SystemKind::RING || kind == SystemKind::LANSIS || kind == SystemKind::HORUS;
}

IpcKind
GetUsualIpc(SystemKind kind)
{
    return kind == SystemKind::TCP || kind == SystemKind::HORUS ? IpcKind::LINKED
                                                                : IpcKind::LOCAL_TCP;
}

uint32_t
GetUsualDriver(SystemKind kind)
{
    return kind == SystemKind::TCP ? 1 : 2;
}

System
MakeSystem(Lan& lan, const GlobalProgram& program, const SystemOptions& options)
{
    const Builder builder(lan, program, options);
    switch (options.kind)
    {
    case SystemKind::PCODE:
        return builder.MakePcode<PcodeCore>(options.pcode);
    case SystemKind::P0:
        return builder.MakePcode<P0Core>(options.pcode);
    case SystemKind::P1:
        return builder.MakePcode<PcodeCore>(options.pcode->WithoutAdditions());
    case SystemKind::TCP:
        return builder.MakeTcp();
    case SystemKind::RING:
        return builder.MakeRing();
    case SystemKind::LANSIS:
        return builder.MakeGraph();
    case SystemKind::HORUS:
        return builder.MakeWindow();
    }
    return {};
}

} // namespace pcode
} // namespace ns3
