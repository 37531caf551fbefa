/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_NET_DEVICE_CONFORMANCE_LISTENER_H
#define MESSAGING_NET_DEVICE_CONFORMANCE_LISTENER_H

#include "messaging-net-device-conformance.h"

#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <list>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * What the checks of NetDeviceConformance share.
 */

namespace ns3
{
namespace messaging
{
namespace conformance
{

/** Protocol number of all frames: a point-to-point link of ns-3 carries no other than those of IP.
 */
inline constexpr uint16_t PROTOCOL = 0x0800;

/** Size of a frame where it does not matter; large enough not to be padded [bytes]. */
inline constexpr uint32_t FRAME_SIZE = 200;

/** When the first frame is sent. */
inline const Time START = MilliSeconds(1);

/** Simulated time after which a check has waited long enough. */
inline const Time LIMIT = Seconds(100);

/**
 * Join printable parts to one text.
 * @param parts what to print
 * @return the text
 */
template <class... Parts>
std::string
Say(const Parts&... parts)
{
    std::ostringstream os;
    (os << ... << parts);
    return os.str();
}

/**
 * Make the contents of a frame.
 * @param size how many bytes
 * @param salt what tells it from other frames
 * @return the contents
 */
inline std::vector<uint8_t>
Contents(uint32_t size, uint32_t salt)
{
    std::vector<uint8_t> bytes(size);
    for (uint32_t i = 0; i < size; ++i)
    {
        bytes[i] = static_cast<uint8_t>(i * 7 + salt * 13 + (i >> 8));
    }
    return bytes;
}

/** What a device handed to its receive callback, or to its promiscuous one. */
struct Reception
{
    Ptr<NetDevice> device; ///< The device, as the callback names it.
    uint32_t listener;     ///< Index of the device that was listened to.
    uint16_t protocol;     ///< Protocol number.
    Address from;          ///< Source address.
    Address to;            ///< Destination address, if promiscuous.
    NetDevice::PacketType type{NetDevice::PACKET_HOST}; ///< Type of the packet, if promiscuous.
    std::vector<uint8_t> bytes;                         ///< Contents.
    Time when;                                          ///< When it was handed up.
};

/** Listens to all devices of a network, counts what their trace sources tell, and sends frames. */
class Listener
{
  public:
    /**
     * Construct.
     * @param network the network, which must outlive the listener
     */
    explicit Listener(const NetDeviceConformance::Network& network)
        : m_devices(network.devices)
    {
        for (uint32_t i = 0; i < m_devices.GetN(); ++i)
        {
            m_devices.Get(i)->SetReceiveCallback(
                [this, i](auto device, auto packet, auto protocol, const auto& from) {
                    Keep(m_received,
                         {device, i, protocol, from, Address(), NetDevice::PACKET_HOST, {}, Time()},
                         packet);
                    return true;
                });
        }
    }

    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    /** Listen promiscuously too. */
    void ListenPromiscuously()
    {
        for (uint32_t i = 0; i < m_devices.GetN(); ++i)
        {
            m_devices.Get(i)->SetPromiscReceiveCallback([this, i](auto device,
                                                                  auto packet,
                                                                  auto protocol,
                                                                  const auto& from,
                                                                  const auto& to,
                                                                  auto type) {
                Keep(m_overheard, {device, i, protocol, from, to, type, {}, Time()}, packet);
                return true;
            });
        }
    }

    /**
     * Count how often a trace source fires.
     * @param device index of the device
     * @param source name of the trace source
     * @return the counter, or null if there is no such source
     */
    const uint32_t* Count(uint32_t device, const std::string& source)
    {
        uint32_t* counter = &m_counters.emplace_back(0);
        const bool connected = m_devices.Get(device)->TraceConnectWithoutContext(
            source,
            MakeBoundCallback(&Listener::OnTrace, counter));
        return connected ? counter : nullptr;
    }

    /**
     * Send frames at once, at a given time.
     * @param when the time
     * @param from index of the sending device
     * @param to destination address
     * @param count how many
     * @param size size of each [bytes]
     */
    void SendAt(Time when,
                uint32_t from,
                Address to,
                uint32_t count = 1,
                uint32_t size = FRAME_SIZE)
    {
        const Ptr<NetDevice> device = m_devices.Get(from);
        Simulator::ScheduleWithContext(device->GetNode()->GetId(),
                                       when,
                                       [this, device, to, count, size] {
                                           for (uint32_t i = 0; i < count; ++i)
                                           {
                                               m_accepted += Send(device, to, size);
                                           }
                                       });
    }

    /**
     * Send a frame now.
     * @param device the sending device
     * @param to destination address
     * @param size size [bytes]
     * @return whether the device took it
     */
    bool Send(Ptr<NetDevice> device, Address to, uint32_t size = FRAME_SIZE)
    {
        const auto bytes = Contents(size, m_sent++);
        return device->Send(Create<Packet>(bytes.data(), size), to, PROTOCOL);
    }

    /** Run until nothing is left to do. */
    static void Run()
    {
        Simulator::Stop(LIMIT);
        Simulator::Run();
    }

    /** @return what the devices have handed up, in order. */
    const std::vector<Reception>& GetReceived() const
    {
        return m_received;
    }

    /** @return what was overheard promiscuously, in order. */
    const std::vector<Reception>& GetOverheard() const
    {
        return m_overheard;
    }

    /** @return how many frames the devices have taken from SendAt. */
    uint32_t GetNAccepted() const
    {
        return m_accepted;
    }

  private:
    /**
     * Count the firing of a trace source.
     * @param counter the counter
     */
    static void OnTrace(uint32_t* counter, Ptr<const Packet>)
    {
        ++*counter;
    }

    /**
     * Keep what was received.
     * @param list where
     * @param reception what, without contents and time
     * @param packet the contents
     */
    static void Keep(std::vector<Reception>& list, Reception reception, Ptr<const Packet> packet)
    {
        reception.bytes.resize(packet->GetSize());
        packet->CopyData(reception.bytes.data(), packet->GetSize());
        reception.when = Simulator::Now();
        list.push_back(std::move(reception));
    }

    NetDeviceContainer m_devices;       ///< The devices.
    std::vector<Reception> m_received;  ///< Handed up.
    std::vector<Reception> m_overheard; ///< Overheard.
    std::list<uint32_t>
        m_counters;         ///< Firings of trace sources; a list, since addresses are handed out.
    uint32_t m_sent{0};     ///< Frames sent.
    uint32_t m_accepted{0}; ///< Frames taken.
};

} // namespace conformance
} // namespace messaging
} // namespace ns3

#endif // MESSAGING_NET_DEVICE_CONFORMANCE_LISTENER_H
