/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-net-device-conformance-listener.h"
#include "messaging-net-device-conformance.h"

#include "ns3/mac48-address.h"

/**
 * @file
 * @ingroup messaging
 * The checks of NetDeviceConformance on how frames are sent and handed up.
 */

namespace ns3
{
namespace messaging
{

using namespace conformance;

std::string
NetDeviceConformance::CheckReceive() const
{
    const Network network = m_builder();
    Listener listener(network);
    const uint32_t last = network.devices.GetN() - 1;
    const uint32_t count = 5;
    listener.SendAt(START, 0, network.devices.Get(last)->GetAddress(), count);
    Listener::Run();
    const auto& received = listener.GetReceived();
    if (listener.GetNAccepted() != count || received.size() != count)
    {
        return Say("Of ",
                   count,
                   " frames sent to one peer, ",
                   listener.GetNAccepted(),
                   " were taken and ",
                   received.size(),
                   " handed up.");
    }
    for (uint32_t i = 0; i < count; ++i)
    {
        if (received[i].listener != last)
        {
            return Say("A frame for device ",
                       last,
                       " was handed up by device ",
                       received[i].listener,
                       ".");
        }
        if (received[i].device != network.devices.Get(last))
        {
            return "The receive callback names a device other than the one on which it was set.";
        }
        if (received[i].protocol != PROTOCOL)
        {
            return Say("Protocol number ", PROTOCOL, " arrived as ", received[i].protocol, ".");
        }
        if (received[i].from != network.devices.Get(0)->GetAddress())
        {
            return Say("The receive callback gives the source address ",
                       received[i].from,
                       " instead of ",
                       network.devices.Get(0)->GetAddress(),
                       ".");
        }
        if (received[i].bytes != Contents(FRAME_SIZE, i))
        {
            return Say("Frame ",
                       i,
                       " arrived out of order, or with other bytes than it was sent with.");
        }
        if (received[i].when <= START)
        {
            return "A frame arrived in no time at all.";
        }
    }
    return "";
}

std::string
NetDeviceConformance::CheckBroadcast() const
{
    const Network network = m_builder();
    if (!network.devices.Get(0)->IsBroadcast())
    {
        return "";
    }
    Listener listener(network);
    listener.SendAt(START, 0, network.devices.Get(0)->GetBroadcast());
    Listener::Run();
    std::vector<uint32_t> copies(network.devices.GetN(), 0);
    for (const auto& reception : listener.GetReceived())
    {
        ++copies[reception.listener];
    }
    for (uint32_t i = 0; i < copies.size(); ++i)
    {
        if (copies[i] != (i == 0 ? 0 : 1))
        {
            return Say("Of one broadcast by device 0, device ",
                       i,
                       " handed up ",
                       copies[i],
                       " copies.");
        }
    }
    return "";
}

std::string
NetDeviceConformance::CheckUnknownPeer() const
{
    const Network network = m_builder();
    Listener listener(network);
    listener.SendAt(START, 0, Mac48Address("02:00:00:00:be:ef"));
    listener.SendAt(START + MilliSeconds(1), 0, network.devices.Get(1)->GetAddress());
    Listener::Run();
    uint32_t strays = 0;
    uint32_t good = 0;
    for (const auto& reception : listener.GetReceived())
    {
        ++(reception.bytes == Contents(FRAME_SIZE, 0) ? strays : good);
    }
    if (strays > 0 && !network.devices.Get(0)->IsPointToPoint())
    {
        return "A frame for an address that no device has was handed up.";
    }
    if (good != 1)
    {
        return "After a frame for an address that no device has, a frame for a peer did not "
               "arrive.";
    }
    return "";
}

std::string
NetDeviceConformance::CheckSendFrom() const
{
    const Network network = m_builder();
    Listener listener(network);
    const Ptr<NetDevice> device = network.devices.Get(0);
    const Ptr<NetDevice> peer = network.devices.Get(1);
    const Mac48Address another("02:00:00:00:be:ef");
    bool taken = false;
    Simulator::ScheduleWithContext(device->GetNode()->GetId(), START, [&] {
        const auto bytes = Contents(FRAME_SIZE, 0);
        taken = device->SendFrom(Create<Packet>(bytes.data(), FRAME_SIZE),
                                 another,
                                 peer->GetAddress(),
                                 PROTOCOL);
    });
    Listener::Run();
    const auto& received = listener.GetReceived();
    if (!device->SupportsSendFrom())
    {
        return taken ? "SupportsSendFrom is false, and yet SendFrom says the frame was taken." : "";
    }
    if (!taken || received.size() != 1 || received[0].from != Address(another))
    {
        return "SupportsSendFrom is true, but the frame did not arrive with the source address "
               "given.";
    }
    return "";
}

std::string
NetDeviceConformance::CheckPromiscuous() const
{
    const Network network = m_builder();
    Listener listener(network);
    listener.ListenPromiscuously();
    listener.SendAt(START, 0, network.devices.Get(1)->GetAddress());
    Listener::Run();
    if (listener.GetReceived().size() != 1 || listener.GetReceived()[0].listener != 1)
    {
        return Say("With promiscuous callbacks set, one unicast frame was handed up ",
                   listener.GetReceived().size(),
                   " times by the receive callbacks.");
    }
    uint32_t atPeer = 0;
    for (const auto& reception : listener.GetOverheard())
    {
        if (reception.device != network.devices.Get(reception.listener))
        {
            return "The promiscuous callback names a device other than the one on which it was "
                   "set.";
        }
        if (reception.protocol != PROTOCOL ||
            reception.from != network.devices.Get(0)->GetAddress() ||
            reception.to != network.devices.Get(1)->GetAddress() ||
            reception.bytes != Contents(FRAME_SIZE, 0))
        {
            return "The promiscuous callback gives another protocol, source, destination or "
                   "content than was sent.";
        }
        const auto expected =
            reception.listener == 1 ? NetDevice::PACKET_HOST : NetDevice::PACKET_OTHERHOST;
        if (reception.type != expected)
        {
            return Say("The promiscuous callback of device ",
                       reception.listener,
                       " gives packet type ",
                       static_cast<int>(reception.type),
                       ".");
        }
        atPeer += reception.listener == 1;
    }
    return atPeer == 1
               ? ""
               : Say("The promiscuous callback of the receiver was called ", atPeer, " times.");
}

std::string
NetDeviceConformance::CheckMtu() const
{
    const Network network = m_builder();
    Listener listener(network);
    const uint16_t original = network.devices.Get(0)->GetMtu();
    if (original < 68)
    {
        return Say("The MTU is ", original, " bytes; IP needs 68 at least (RFC 791).");
    }
    const uint16_t smaller = original / 2;
    const bool changed = network.devices.Get(0)->SetMtu(smaller);
    if (network.devices.Get(0)->GetMtu() != (changed ? smaller : original))
    {
        return "SetMtu does not do what it says.";
    }
    const bool restored = network.devices.Get(0)->SetMtu(original);
    if (!restored || network.devices.Get(0)->GetMtu() != original)
    {
        return "SetMtu refuses the MTU that the device had.";
    }
    listener.SendAt(START, 0, network.devices.Get(1)->GetAddress(), 1, original);
    Listener::Run();
    if (listener.GetReceived().size() != 1 ||
        listener.GetReceived()[0].bytes != Contents(original, 0))
    {
        return Say("A frame of the MTU's ", original, " bytes did not arrive whole.");
    }
    return "";
}

std::string
NetDeviceConformance::CheckMtuEnforced() const
{
    const Network network = m_builder();
    Listener listener(network);
    for (uint32_t i = 0; i < network.devices.GetN(); ++i)
    {
        network.devices.Get(i)->SetMtu(500);
    }
    const uint32_t size = network.devices.Get(0)->GetMtu() + 1;
    listener.SendAt(START, 0, network.devices.Get(1)->GetAddress(), 1, size);
    Listener::Run();
    if (listener.GetNAccepted() != 0)
    {
        return Say("A frame of ", size, " bytes was taken although the MTU is ", size - 1, ".");
    }
    return listener.GetReceived().empty() ? ""
                                          : "A frame that the device refused arrived nevertheless.";
}

} // namespace messaging
} // namespace ns3
