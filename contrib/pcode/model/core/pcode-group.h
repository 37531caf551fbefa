/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_GROUP_H
#define PCODE_GROUP_H

#include "ns3/messaging-core-group.h"
#include "ns3/pcode-parameters.h"
#include "ns3/pcode-program.h"

/**
 * @file
 * @ingroup pcode
 * Groups of nodes that run P0, P1 or PCODE.
 */

namespace ns3
{
namespace pcode
{

/**
 * @ingroup pcode
 * A group of nodes that run one of the protocols of paper 3 over a port.
 *
 * @tparam Core the protocol, PcodeCore or a variant of it
 * @tparam Port the network, a DatagramPort that broadcasts
 */
template <class Core, messaging::DatagramPort Port>
class PcodeGroup : public messaging::CoreGroup<Core, Port, messaging::NamedEvents<Event>>
{
    /** The generic part. */
    using Parent = messaging::CoreGroup<Core, Port, messaging::NamedEvents<Event>>;

  public:
    /**
     * Create the cores and connect them.
     * @param clock the clock of the port's ticks
     * @param port the network
     * @param program the program of the group, which must outlive it
     * @param parameters parameters of the protocol, copied
     */
    void Connect(Ptr<messaging::TickClock> clock,
                 Ptr<Port> port,
                 const GlobalProgram& program,
                 Ptr<const PcodeParameters> parameters)
    {
        m_config = parameters->MakeConfig(program.GetGroups(),
                                          program.GetMaxMessage(),
                                          clock->GetTickLength());
        Parent::Connect(clock, port, [this](messaging::Peer peer) { return Core(m_config, peer); });
    }

    /**
     * Get the count of an event.
     * @param event the event
     * @return its count on all nodes
     */
    uint64_t GetEventCount(Event event) const
    {
        return this->GetCount(static_cast<messaging::Reason>(event));
    }

  private:
    PcodeConfig m_config; ///< Shared by all nodes.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_GROUP_H
