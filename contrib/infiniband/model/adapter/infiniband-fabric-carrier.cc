/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-fabric-carrier.h"

#include <bit>

namespace ns3
{
namespace infiniband
{

FabricCarrier::FabricCarrier(Ptr<Fabric> fabric,
                             Ptr<Subnet> subnet,
                             Ptr<messaging::TickClock> clock,
                             CarrierUser* user)
    : m_fabric(fabric),
      m_subnet(subnet),
      m_user(user)
{
    m_fabric->Start(subnet, clock, this);
}

bool
FabricCarrier::Send(HostId from,
                    HostId to,
                    uint8_t path,
                    uint32_t bytes,
                    const TransportHeader& header)
{
    if (!m_fabric->HasRoom(from))
    {
        return false;
    }
    const PacketIndex index = m_fabric->New();
    Packet& packet = m_fabric->Get(index);
    const auto& manager = m_subnet->GetManager();
    packet.user = std::bit_cast<std::array<uint64_t, 2>>(header);
    packet.destination =
        to == ALL_HOSTS ? MULTICAST_LID : manager.GetLid(to, path % manager.GetNPaths());
    packet.bytes = static_cast<uint16_t>(bytes);
    m_fabric->Inject(from, index);
    return true;
}

Ticks
FabricCarrier::GetWireTime(HostId host, uint32_t bytes) const
{
    return m_fabric->GetWireTime(host, bytes);
}

Ticks
FabricCarrier::GetIdleLatency(HostId from, HostId to, uint32_t bytes) const
{
    return m_fabric->GetIdleLatency(from, m_subnet->GetManager().GetLid(to), bytes);
}

Ticks
FabricCarrier::OnPacket(HostId host, PacketIndex index)
{
    const auto header = std::bit_cast<TransportHeader>(m_fabric->Get(index).user);
    return m_user->OnArrival(host, header);
}

void
FabricCarrier::OnReady(HostId host, uint8_t /* lane */)
{
    m_user->OnRoom(host);
}

void
FabricCarrier::OnLastLink(HostId host, PacketIndex index)
{
    m_user->OnLastLink(host, std::bit_cast<TransportHeader>(m_fabric->Get(index).user));
}

void
FabricCarrier::OnDrop(PacketIndex index, DropReason /* reason */)
{
    m_user->OnLost(std::bit_cast<TransportHeader>(m_fabric->Get(index).user));
}

void
FabricCarrier::OnCopy(PacketIndex from, PacketIndex /* to */)
{
    m_user->OnCopied(std::bit_cast<TransportHeader>(m_fabric->Get(from).user));
}

} // namespace infiniband
} // namespace ns3
