/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-system.h"

#include "pcode-daemon-group.h"
#include "pcode-process-port.h"

#include "ns3/messaging-core-group.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-udp-port.h"

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
        return System{Reach(group), [] { return System::Counts(); }, [](Peer) { return 0; }};
    }

    /**
     * Set up a system of protocol cores over broadcast datagrams.
     * @tparam Core the protocol
     * @tparam ReasonOf the type by which it numbers its reasons, which can be printed
     * @param make given a Peer, returns its Core
     * @param reasons how many reasons there are
     * @return the system
     */
    template <class Core, class ReasonOf, class Make>
    System MakeCores(Make&& make, std::size_t reasons) const
    {
        using Port = ProcessPort<UdpPort>;
        const auto clock = CreateObject<TickClock>();
        const auto sockets = CreateObject<UdpPort>();
        sockets->Connect(clock,
                         m_lan.GetNodes(),
                         m_lan.GetAddresses(PORT),
                         m_lan.GetBroadcast(PORT));
        const auto port =
            Create<Port>(sockets,
                         m_lan.GetStations(),
                         m_options.ipc == IpcKind::LINKED ? Process::APPLICATION : Process::DAEMON,
                         m_options.receiveBuffer);
        const auto group = CreateObject<CoreGroup<Core, Port>>();
        group->Connect(clock, port, std::forward<Make>(make));
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
        return System{Reach(group), count, [port](Peer peer) { return port->GetNOverflows(peer); }};
    }

  private:
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
    case SystemKind::TCP:
        return os << "tcp";
    }
    return os << "unknown system";
}

IpcKind
GetUsualIpc(SystemKind kind)
{
    return kind == SystemKind::TCP ? IpcKind::LINKED : IpcKind::LOCAL_TCP;
}

System
MakeSystem(Lan& lan, const GlobalProgram& program, const SystemOptions& options)
{
    const Builder builder(lan, program, options);
    switch (options.kind)
    {
    case SystemKind::TCP:
        return builder.MakeTcp();
    }
    return {};
}

} // namespace pcode
} // namespace ns3
