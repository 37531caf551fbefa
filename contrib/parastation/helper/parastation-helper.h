/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARASTATION_HELPER_H
#define PARASTATION_HELPER_H

#include "ns3/messaging-core.h"
#include "ns3/messaging-host.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/parastation-group.h"
#include "ns3/parastation-platform.h"
#include "ns3/parastation-protocol.h"
#include "ns3/parastation-rivals.h"
#include "ns3/parastation-trusting.h"

#include <vector>

/**
 * @file
 * @ingroup parastation
 * Puts ParaStation2 or a rival on a network.
 */

namespace ns3
{
namespace parastation
{

/**
 * @ingroup parastation
 * Puts ParaStation2 or one of the rivals of Table 2 on a network, a host and its network interface
 * for each peer:
 *
 * @code
 *   ParastationHelper helper(ProtocolKind::PARASTATION2, machine);
 *   Ptr<ParastationGroup> group = helper.Install(clock, port, config, 1);
 * @endcode
 */
class ParastationHelper
{
  public:
    /**
     * Construct.
     * @param protocol what the network interfaces say to each other
     * @param machine makes hosts and interfaces; nullptr for such that cost nothing
     */
    ParastationHelper(ProtocolKind protocol, Ptr<const ParastationMachine> machine = nullptr);

    /**
     * Make a group of all peers of a network.
     * @tparam Port the network, a messaging::DatagramPort
     * @param clock the clock that the network's ticks are counted by
     * @param port the network
     * @param config what is the same for all hosts
     * @param seed where the hosts' random numbers begin
     * @return the group
     */
    template <messaging::DatagramPort Port>
    Ptr<ParastationGroup> Install(Ptr<messaging::TickClock> clock,
                                  Ptr<Port> port,
                                  const Config& config,
                                  uint64_t seed)
    {
        const auto make = [&]<class P>(P*) -> Ptr<ParastationGroup> {
            auto group = CreateObject<NicGroup<NicCore<P>, Port>>();
            group->Connect(clock, port, config, seed);
            return group;
        };
        Ptr<ParastationGroup> group;
        switch (m_protocol)
        {
        case ProtocolKind::PARASTATION2:
            group = make(static_cast<Protocol*>(nullptr));
            break;
        case ProtocolKind::AM2:
            group = make(static_cast<StopAndWait*>(nullptr));
            break;
        case ProtocolKind::VMMC2:
            group = make(static_cast<CumulativeAck*>(nullptr));
            break;
        case ProtocolKind::BACKBLOCKING:
            group = make(static_cast<BackBlocking*>(nullptr));
            break;
        case ProtocolKind::CREDIT:
            group = make(static_cast<Credits*>(nullptr));
            break;
        case ProtocolKind::NONE:
            group = make(static_cast<NoProtocol*>(nullptr));
            break;
        }
        MakeMachines(group);
        return group;
    }

    /** @return the hosts of the last Install, one a peer; none without a machine. */
    const std::vector<Ptr<messaging::HostModel>>& GetHosts() const;

    /** @return the network interfaces of the last Install, one a peer; none without a machine. */
    const std::vector<Ptr<messaging::HostModel>>& GetInterfaces() const;

  private:
    /**
     * Give a group its hosts and network interfaces.
     * @param group the group
     */
    void MakeMachines(Ptr<ParastationGroup> group);

    ProtocolKind m_protocol;                             ///< The protocol.
    Ptr<const ParastationMachine> m_machine;             ///< Makes hosts and interfaces.
    std::vector<Ptr<messaging::HostModel>> m_hosts;      ///< The hosts.
    std::vector<Ptr<messaging::HostModel>> m_interfaces; ///< The network interfaces.
};

} // namespace parastation
} // namespace ns3

#endif // PARASTATION_HELPER_H
