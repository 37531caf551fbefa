/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_FABRIC_CARRIER_H
#define INFINIBAND_FABRIC_CARRIER_H

#include "infiniband-carrier.h"

#include "ns3/infiniband-fabric.h"

/**
 * @file
 * @ingroup infiniband
 * The fabric between adapters.
 */

namespace ns3
{
namespace infiniband
{

/** Carries the packets of adapters over a Fabric. */
class FabricCarrier : public Carrier, private FabricUser
{
  public:
    /**
     * Begin.
     * @param fabric links and switches, with their constants
     * @param subnet topology and routes, built
     * @param clock counts nanoseconds
     * @param user the adapters, not owned
     */
    FabricCarrier(Ptr<Fabric> fabric,
                  Ptr<Subnet> subnet,
                  Ptr<messaging::TickClock> clock,
                  CarrierUser* user);

    bool Send(HostId from,
              HostId to,
              uint8_t path,
              uint32_t bytes,
              const TransportHeader& header) override;
    Ticks GetWireTime(HostId host, uint32_t bytes) const override;
    Ticks GetIdleLatency(HostId from, HostId to, uint32_t bytes) const override;

  private:
    Ticks OnPacket(HostId host, PacketIndex index) override;
    void OnReady(HostId host, uint8_t lane) override;
    void OnLastLink(HostId host, PacketIndex index) override;
    void OnDrop(PacketIndex index, DropReason reason) override;
    void OnCopy(PacketIndex from, PacketIndex to) override;

    Ptr<Fabric> m_fabric; ///< Links and switches.
    Ptr<Subnet> m_subnet; ///< Topology and routes.
    CarrierUser* m_user;  ///< The adapters.
};

} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_FABRIC_CARRIER_H
