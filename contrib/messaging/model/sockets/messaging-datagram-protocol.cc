/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-datagram-protocol.h"

#include "messaging-udp-port.h"

#include "ns3/messaging-core-group.h"
#include "ns3/messaging-datagram-core.h"
#include "ns3/messaging-segmenting-core.h"

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(NoneProtocol);
NS_OBJECT_ENSURE_REGISTERED(UdpProtocol);

namespace
{

/** Largest UDP datagram over IPv4 [bytes; RFC 768, RFC 791]. */
constexpr uint32_t LARGEST_DATAGRAM = 65507;

/**
 * Make a group whose messages are the frames of a port.
 * @param clock counts the ticks of the port
 * @param port the port
 * @return the group
 */
template <DatagramPort Port>
Ptr<MessageGroup>
MakeGroup(Ptr<TickClock> clock, Ptr<Port> port)
{
    using Core = SegmentingCore<DatagramCore>;
    auto group = CreateObject<CoreGroup<Core, Port>>();
    const uint32_t largest = port->GetInfo().mtu;
    group->Connect(clock, port, [largest](Peer) {
        return MakeLayered<Core>(DatagramCore(largest));
    });
    return group;
}

} // namespace

TypeId
NoneProtocol::GetTypeId()
{
    static TypeId tid = SetSummary(TypeId("ns3::messaging::NoneProtocol"),
                                   "No protocol: a message is a frame, or as many as it fills.")
                            .SetParent<Protocol>()
                            .SetGroupName("Messaging")
                            .AddConstructor<NoneProtocol>();
    return tid;
}

Promise
NoneProtocol::GetPromise(const PortInfo& info) const
{
    return Promise{.complete = info.lossless,
                   .once = false,
                   .ordered = info.ordered,
                   .confirms = false};
}

Ptr<MessageGroup>
NoneProtocol::Connect(const Site& site)
{
    return MakeGroup(site.clock, site.port);
}

TypeId
UdpProtocol::GetTypeId()
{
    static TypeId tid = SetSummary(TypeId("ns3::messaging::UdpProtocol"),
                                   "UDP of ns-3: a message is a datagram, or as many as it fills.")
                            .SetParent<Protocol>()
                            .SetGroupName("Messaging")
                            .AddConstructor<UdpProtocol>();
    return tid;
}

Promise
UdpProtocol::GetPromise(const PortInfo& info) const
{
    // Even on a lossless network, a full device queue drops packets.
    return Promise{.complete = false, .once = false, .ordered = info.ordered, .confirms = false};
}

Ptr<MessageGroup>
UdpProtocol::Connect(const Site& site)
{
    auto clock = CreateObject<TickClock>();
    auto port = CreateObject<UdpPort>();
    port->Connect(clock, site.nodes, site.addresses, Address(), LARGEST_DATAGRAM);
    port->TraceConnectWithoutContext(
        "Loss",
        Callback<void, const std::string&, uint64_t>(
            [losses = m_losses](const std::string& place, uint64_t copies) {
                losses->Add(place, copies);
            }));
    return MakeGroup(clock, port);
}

} // namespace messaging
} // namespace ns3
