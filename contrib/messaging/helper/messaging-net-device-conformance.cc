/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-net-device-conformance.h"

#include "ns3/channel.h"
#include "ns3/error-model.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-address-helper.h"
#include "ns3/ipv6.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-datagram-protocol.h"
#include "ns3/messaging-tcp-protocol.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/pcap-file.h"
#include "ns3/pointer.h"
#include "ns3/queue.h"
#include "ns3/simulator.h"
#include "ns3/system-path.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <list>
#include <set>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingNetDeviceConformance");

namespace
{

/** The checks of one kind of device. A check that fails throws std::runtime_error. */
class NetDeviceChecks
{
  public:
    /** A check. */
    struct Check
    {
        std::string name;                          ///< Name.
        void (NetDeviceChecks::*function)() const; ///< Function.
    };

    /**
     * Construct.
     * @param device builder and hooks of the device
     */
    explicit NetDeviceChecks(const NetDeviceConformance& device)
        : m_device(device)
    {
    }

    /** @return all checks, in their order. */
    static const std::vector<Check>& GetAll()
    {
        static const std::vector<Check> checks{
            {"attributes", &NetDeviceChecks::Attributes},
            {"addresses", &NetDeviceChecks::Addresses},
            {"topology", &NetDeviceChecks::Topology},
            {"addressing", &NetDeviceChecks::Addressing},
            {"receive", &NetDeviceChecks::Receive},
            {"broadcast", &NetDeviceChecks::Broadcast},
            {"unknown-peer", &NetDeviceChecks::UnknownPeer},
            {"send-from", &NetDeviceChecks::SendFrom},
            {"promiscuous", &NetDeviceChecks::Promiscuous},
            {"mtu", &NetDeviceChecks::Mtu},
            {"mtu-enforced", &NetDeviceChecks::MtuEnforced},
            {"link-change", &NetDeviceChecks::LinkChange},
            {"queue", &NetDeviceChecks::TransmitQueue},
            {"queue-interface", &NetDeviceChecks::QueueInterface},
            {"traces", &NetDeviceChecks::Traces},
            {"error-model", &NetDeviceChecks::ReceiveErrors},
            {"repeatable", &NetDeviceChecks::Repeatable},
            {"assign-streams", &NetDeviceChecks::AssignStreams},
            {"pcap", &NetDeviceChecks::Pcap},
            {"ascii", &NetDeviceChecks::Ascii},
            {"dispose", &NetDeviceChecks::Dispose},
            {"udp-ipv4", &NetDeviceChecks::Udp<false>},
            {"udp-ipv6", &NetDeviceChecks::Udp<true>},
            {"tcp-ipv4", &NetDeviceChecks::Tcp<false>},
            {"tcp-ipv6", &NetDeviceChecks::Tcp<true>},
            {"flow-monitor", &NetDeviceChecks::FlowMonitoring},
        };
        return checks;
    }

    /**
     * Run a check.
     * @param check the check
     * @return its failure, in one sentence; empty if it passes
     */
    std::string Run(const Check& check) const
    {
        std::string failure;
        try
        {
            (this->*check.function)();
        }
        catch (const std::runtime_error& error)
        {
            failure = error.what();
        }
        Simulator::Destroy();
        return failure;
    }

  private:
    /** A network under test. */
    using Network = NetDeviceConformance::Network;

    /** Protocol number of all frames: that of IPv4, since point-to-point links carry only IP. */
    static constexpr uint16_t PROTOCOL = 0x0800;

    /** Default size of a frame, large enough to avoid padding [bytes]. */
    static constexpr uint32_t FRAME_SIZE = 200;

    /** Time of the first frame. */
    inline static const Time START = MilliSeconds(1);

    /** Maximum duration of a simulation. */
    inline static const Time LIMIT = Seconds(100);

    /** Port of the sockets. */
    static constexpr uint16_t SOCKET_PORT = 9;

    /** Time at which sockets open: IPv6 needs a second to detect duplicate addresses. */
    inline static const Time INTERNET_START = Seconds(3);

    /** Interval of messages over sockets, for the resolution of addresses and the answers. */
    inline static const Time EXCHANGE_INTERVAL = MilliSeconds(100);

    /** Bytes sent over TCP. */
    static constexpr uint32_t STREAM_SIZE = 300000;

    /** Frames of a trace that is written to files. */
    static constexpr uint32_t TRACED_FRAMES = 3;

    /** Longest packet of a pcap file [bytes]. */
    static constexpr uint32_t MAX_RECORD = 1 << 16;

    /** Smallest MTU of IP (RFC 791) [bytes]. */
    static constexpr uint16_t MIN_MTU = 68;

    /** Address of no device. */
    static constexpr const char* STRANGER = "02:00:00:00:be:ef";

    /**
     * Fill values into a sentence.
     * @param format the sentence, with % for each value
     * @param values the values, printable
     * @return the sentence
     */
    template <class... Values>
    static std::string Fill(const std::string& format, const Values&... values)
    {
        std::ostringstream os;
        std::size_t begin = 0;
        [[maybe_unused]] const auto put = [&](const auto& value) {
            const auto end = format.find('%', begin);
            os << format.substr(begin, end - begin) << value;
            begin = end + 1;
        };
        (put(values), ...);
        os << format.substr(begin);
        return os.str();
    }

    /**
     * Fail a check.
     * @param failed whether it fails
     * @param format sentence on the failure, with % for each value
     * @param values the values, printable
     */
    template <class... Values>
    static void FailIf(bool failed, const std::string& format, const Values&... values)
    {
        if (failed)
        {
            throw std::runtime_error(Fill(format, values...));
        }
    }

    /**
     * Make the contents of a frame.
     * @param size size [bytes]
     * @param salt distinguishes it from other frames
     * @return the contents
     */
    static std::vector<uint8_t> Contents(uint32_t size, uint32_t salt)
    {
        std::vector<uint8_t> bytes(size);
        for (uint32_t i = 0; i < size; ++i)
        {
            bytes[i] = static_cast<uint8_t>(i * 7 + salt * 13 + (i >> 8));
        }
        return bytes;
    }

    /** @param packet a packet @return its bytes */
    static std::vector<uint8_t> GetBytes(Ptr<const Packet> packet)
    {
        std::vector<uint8_t> bytes(packet->GetSize());
        packet->CopyData(bytes.data(), bytes.size());
        return bytes;
    }

    /** A frame that a device passed to a callback. */
    struct Reception
    {
        Ptr<NetDevice> device; ///< The device, as passed to the callback.
        uint32_t listener;     ///< Index of the device on which the callback is set.
        uint16_t protocol;     ///< Protocol number.
        Address from;          ///< Source address.
        Address to;            ///< Destination address, if promiscuous.
        NetDevice::PacketType type{NetDevice::PACKET_HOST}; ///< Type of the packet, if promiscuous.
        std::vector<uint8_t> bytes;                         ///< Contents.
        Time when;                                          ///< Time of the callback.
    };

    /** A network under test with callbacks on all devices; sends frames and records receptions. */
    class Trial
    {
      public:
        /** @param network the network */
        explicit Trial(const Network& network)
            : devices(network.devices)
        {
            for (uint32_t i = 0; i < devices.GetN(); ++i)
            {
                devices.Get(i)->SetReceiveCallback([this, i](auto device,
                                                             auto packet,
                                                             auto protocol,
                                                             const auto& from) {
                    Keep(received,
                         {device, i, protocol, from, Address(), NetDevice::PACKET_HOST, {}, Time()},
                         packet);
                    return true;
                });
            }
        }

        Trial(const Trial&) = delete;
        Trial& operator=(const Trial&) = delete;

        /** Set the promiscuous callbacks. */
        void ListenPromiscuously()
        {
            for (uint32_t i = 0; i < devices.GetN(); ++i)
            {
                devices.Get(i)->SetPromiscReceiveCallback([this, i](auto device,
                                                                    auto packet,
                                                                    auto protocol,
                                                                    const auto& from,
                                                                    const auto& to,
                                                                    auto type) {
                    Keep(overheard, {device, i, protocol, from, to, type, {}, Time()}, packet);
                    return true;
                });
            }
        }

        /**
         * Count the calls of a trace source.
         * @param device index of the device
         * @param source name of the trace source
         * @return the counter, or null if there is no such source
         */
        const uint32_t* Count(uint32_t device, const std::string& source)
        {
            uint32_t* counter = &m_counters.emplace_back(0);
            const auto count = +[](uint32_t* target, Ptr<const Packet>) { ++*target; };
            return devices.Get(device)->TraceConnectWithoutContext(
                       source,
                       MakeBoundCallback(count, counter))
                       ? counter
                       : nullptr;
        }

        /**
         * Send frames back to back at a given time.
         * @param when the time
         * @param from index of the sending device
         * @param to destination address
         * @param count number of frames
         * @param size size of each [bytes]
         */
        void SendAt(Time when,
                    uint32_t from,
                    Address to,
                    uint32_t count = 1,
                    uint32_t size = FRAME_SIZE)
        {
            At(when, from, [this, device = devices.Get(from), to, count, size] {
                for (uint32_t i = 0; i < count; ++i)
                {
                    accepted += Send(device, to, size);
                }
            });
        }

        /**
         * Send a frame now.
         * @param device the sending device
         * @param to destination address
         * @param size size [bytes]
         * @return whether the device accepted it
         */
        bool Send(Ptr<NetDevice> device, Address to, uint32_t size = FRAME_SIZE)
        {
            const auto bytes = Contents(size, m_sent++);
            return device->Send(Create<Packet>(bytes.data(), size), to, PROTOCOL);
        }

        /**
         * Schedule a function.
         * @param when the time
         * @param node index of the node in whose context it runs
         * @param function the function
         */
        template <class F>
        void At(Time when, uint32_t node, F function)
        {
            Simulator::ScheduleWithContext(devices.Get(node)->GetNode()->GetId(), when, function);
        }

        /** @param index index of a device @return its address */
        Address GetAddress(uint32_t index) const
        {
            return devices.Get(index)->GetAddress();
        }

        /** Run until no event is left, or until LIMIT. */
        static void Run()
        {
            Simulator::Stop(LIMIT);
            Simulator::Run();
        }

        NetDeviceContainer devices;       ///< The devices.
        std::vector<Reception> received;  ///< Calls of the receive callbacks, in order.
        std::vector<Reception> overheard; ///< Calls of the promiscuous callbacks, in order.
        uint32_t accepted{0};             ///< Frames that devices accepted from SendAt.

      private:
        /**
         * Record a reception.
         * @param list the list
         * @param reception the reception, without contents and time
         * @param packet packet with the contents
         */
        static void Keep(std::vector<Reception>& list,
                         Reception reception,
                         Ptr<const Packet> packet)
        {
            reception.bytes = GetBytes(packet);
            reception.when = Simulator::Now();
            list.push_back(std::move(reception));
        }

        std::list<uint32_t> m_counters; ///< Calls of trace sources; a list, for stable addresses.
        uint32_t m_sent{0};             ///< Frames sent.
    };

    /**
     * Get the transmit queue of a device.
     * @param device the device
     * @return the queue; null if there is none
     */
    static Ptr<Queue<Packet>> GetTxQueue(Ptr<NetDevice> device)
    {
        PointerValue value;
        return device->GetAttributeFailSafe("TxQueue", value) ? value.Get<Queue<Packet>>()
                                                              : nullptr;
    }

    /**
     * Get the address of a node's device.
     * @param network the network
     * @param index index of the node
     * @param ipv6 the IPv6 address rather than the IPv4 one
     * @return the address with the sockets' port
     */
    static Address GetSocketAddress(const Network& network, uint32_t index, bool ipv6)
    {
        const Ptr<Node> node = network.nodes.Get(index);
        const Ptr<NetDevice> device = network.devices.Get(index);
        if (ipv6)
        {
            const auto stack = node->GetObject<Ipv6>();
            const auto interface = stack->GetInterfaceForDevice(device);
            return Inet6SocketAddress(stack->GetAddress(interface, 1).GetAddress(), SOCKET_PORT);
        }
        const auto stack = node->GetObject<Ipv4>();
        const auto interface = stack->GetInterfaceForDevice(device);
        return InetSocketAddress(stack->GetAddress(interface, 0).GetLocal(), SOCKET_PORT);
    }

    /**
     * Exchange messages between the first and the last node over sockets, and fail unless each
     * arrives intact.
     * @param network the network, with an internet stack
     * @param protocol a protocol over sockets
     * @param ipv6 over IPv6 rather than IPv4
     * @param sizes sizes of the messages in each direction [bytes]
     */
    static void Exchange(const Network& network,
                         Ptr<Protocol> protocol,
                         bool ipv6,
                         const std::vector<uint32_t>& sizes)
    {
        Site site{.nodes = network.nodes};
        for (uint32_t i = 0; i < network.nodes.GetN(); ++i)
        {
            site.addresses.push_back(GetSocketAddress(network, i, ipv6));
        }
        const Peer last = network.nodes.GetN() - 1;
        const auto audit = CreateObject<DeliveryAudit>();
        Ptr<MessageGroup> group;
        Simulator::Schedule(INTERNET_START, [&] {
            group = protocol->Connect(site);
            audit->SetGroup(group);
        });
        Time when = INTERNET_START;
        const auto post = [&audit](Peer from, Peer to, uint32_t size) {
            audit->Post(from, Request{.to = to, .bytes = size});
        };
        for (const uint32_t size : sizes)
        {
            Simulator::Schedule(when += EXCHANGE_INTERVAL, [=] { post(0, last, size); });
            Simulator::Schedule(when += EXCHANGE_INTERVAL, [=] { post(last, 0, size); });
        }
        Trial::Run();
        const uint64_t arrived = audit->Finish() ? audit->GetCounts().delivered : 0;
        audit->Dispose();
        group->Dispose();
        FailIf(arrived != 2 * sizes.size(),
               "Of % messages over sockets, not all arrived intact.",
               2 * sizes.size());
    }

    /** Check that attributes can be read, and set to what was read. */
    void Attributes() const
    {
        const Network network = m_device.build();
        const Ptr<NetDevice> device = network.devices.Get(0);
        FailIf(
            !device->GetInstanceTypeId().IsChildOf(NetDevice::GetTypeId()),
            "The device's TypeId % does not derive from ns3::NetDevice, so that helpers and paths "
            "of Config do not find it.",
            device->GetInstanceTypeId().GetName());
        for (TypeId type = device->GetInstanceTypeId(); type != NetDevice::GetTypeId();
             type = type.GetParent())
        {
            for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
            {
                const TypeId::AttributeInformation info = type.GetAttribute(i);
                if (!info.accessor->HasGetter() || !(info.flags & TypeId::ATTR_GET))
                {
                    continue;
                }
                const Ptr<AttributeValue> value = info.checker->Create();
                FailIf(!device->GetAttributeFailSafe(info.name, *value),
                       "The attribute % cannot be read.",
                       info.name);
                if (const auto pointer = DynamicCast<PointerValue>(value);
                    pointer && !pointer->GetObject())
                {
                    continue; // ns-3's accessors of members refuse a null pointer.
                }
                const bool settable = info.accessor->HasSetter() && (info.flags & TypeId::ATTR_SET);
                FailIf(settable && !device->SetAttributeFailSafe(info.name, *value),
                       "The attribute % refuses the value that it has.",
                       info.name);
            }
        }
    }

    /** Check the addresses. */
    void Addresses() const
    {
        const Network network = m_device.build();
        std::set<Address> seen;
        for (uint32_t i = 0; i < network.devices.GetN(); ++i)
        {
            const Ptr<NetDevice> device = network.devices.Get(i);
            const Address original = device->GetAddress();
            const auto fail = [&](const char* what) {
                return Fill("Device % has the address %, ", i, original) + what;
            };
            FailIf(!Mac48Address::IsMatchingType(original), fail("which is not a Mac48Address."));
            const Mac48Address mac = Mac48Address::ConvertFrom(original);
            FailIf(mac.IsGroup() || mac == Mac48Address("00:00:00:00:00:00"),
                   fail("which cannot be the address of one device."));
            FailIf(!seen.insert(original).second, fail("which another device has too."));
            const Mac48Address other(STRANGER);
            device->SetAddress(other);
            FailIf(device->GetAddress() != Address(other),
                   fail("and SetAddress does not change it."));
            device->SetAddress(original);
        }
    }

    /** Check node, interface index and channel. */
    void Topology() const
    {
        const Network network = m_device.build();
        FailIf(network.nodes.GetN() < 2 || network.nodes.GetN() != network.devices.GetN(),
               "The builder must provide at least two nodes, and one device on each.");
        for (uint32_t i = 0; i < network.devices.GetN(); ++i)
        {
            const Ptr<NetDevice> device = network.devices.Get(i);
            const Ptr<Node> node = network.nodes.Get(i);
            const std::string name = "Device " + std::to_string(i);
            FailIf(device->GetNode() != node, name + " does not name its node.");
            FailIf(device->GetIfIndex() >= node->GetNDevices() ||
                       node->GetDevice(device->GetIfIndex()) != device,
                   name + " is not the node's device of its interface index.");
            const Ptr<Channel> channel = device->GetChannel();
            FailIf(!channel, name + " has no channel.");
            FailIf(channel->GetNDevices() < 2,
                   name + " is on a channel that lists no other device.");
            FailIf(device->IsBridge(), name + " is declared a bridge.");
        }
    }

    /** Check broadcast, multicast and ARP. */
    void Addressing() const
    {
        const Network network = m_device.build();
        const Ptr<NetDevice> device = network.devices.Get(0);
        FailIf(device->IsPointToPoint() && device->NeedsArp(),
               "The device is point-to-point, but needs ARP.");
        FailIf(device->IsPointToPoint() && network.devices.GetN() > 2,
               "The device is point-to-point, but the network has more than two devices.");
        FailIf(!device->IsPointToPoint() && !device->NeedsArp(),
               "The device is not point-to-point, but needs no ARP, so IP would send to the "
               "broadcast address.");
        FailIf(device->NeedsArp() && !device->IsBroadcast(),
               "The device needs ARP, but has no broadcast for its requests.");
        FailIf(device->IsBroadcast() &&
                   device->GetBroadcast() != Address(Mac48Address::GetBroadcast()),
               "The device has broadcast, but its broadcast address is not ff:ff:ff:ff:ff:ff.");
        const auto isGroup = [](const Address& a) {
            return Mac48Address::ConvertFrom(a).IsGroup();
        };
        FailIf(device->IsMulticast() && (!isGroup(device->GetMulticast(Ipv4Address("224.1.2.3"))) ||
                                         !isGroup(device->GetMulticast(Ipv6Address("ff02::1")))),
               "The device has multicast, but the address of a group is not a group address.");
        const auto traits = [&](uint32_t i) {
            const Ptr<NetDevice> d = network.devices.Get(i);
            return std::tuple(d->IsBroadcast(),
                              d->IsMulticast(),
                              d->NeedsArp(),
                              d->IsPointToPoint());
        };
        for (uint32_t i = 1; i < network.devices.GetN(); ++i)
        {
            FailIf(traits(i) != traits(0),
                   "Devices of the same network differ in IsBroadcast, IsMulticast, NeedsArp or "
                   "IsPointToPoint.");
        }
    }

    /** Check the receive callback. */
    void Receive() const
    {
        Trial trial(m_device.build());
        const uint32_t last = trial.devices.GetN() - 1;
        const uint32_t count = 5;
        trial.SendAt(START, 0, trial.GetAddress(last), count);
        Trial::Run();
        FailIf(trial.accepted != count || trial.received.size() != count,
               "Of % frames sent to one peer, % were accepted and % received.",
               count,
               trial.accepted,
               trial.received.size());
        for (uint32_t i = 0; i < count; ++i)
        {
            const Reception& reception = trial.received[i];
            FailIf(reception.listener != last,
                   "Device % received a frame for device %.",
                   reception.listener,
                   last);
            FailIf(reception.device != trial.devices.Get(last),
                   "The receive callback names a device other than the one on which it was "
                   "set.");
            FailIf(reception.protocol != PROTOCOL,
                   "Protocol number % arrived as %.",
                   PROTOCOL,
                   reception.protocol);
            FailIf(reception.from != trial.GetAddress(0),
                   "The receive callback gives the source address % instead of %.",
                   reception.from,
                   trial.GetAddress(0));
            FailIf(reception.bytes != Contents(FRAME_SIZE, i),
                   "Frame % arrived out of order or altered.",
                   i);
            FailIf(reception.when <= START, "A frame arrived without delay.");
        }
    }

    /** Check the delivery of a broadcast. */
    void Broadcast() const
    {
        Trial trial(m_device.build());
        if (!trial.devices.Get(0)->IsBroadcast())
        {
            return;
        }
        trial.SendAt(START, 0, trial.devices.Get(0)->GetBroadcast());
        Trial::Run();
        std::vector<uint32_t> copies(trial.devices.GetN(), 0);
        for (const auto& reception : trial.received)
        {
            ++copies[reception.listener];
        }
        for (uint32_t i = 0; i < copies.size(); ++i)
        {
            FailIf(copies[i] != (i == 0 ? 0 : 1),
                   "Of one broadcast by device 0, device % received % copies.",
                   i,
                   copies[i]);
        }
    }

    /** Check a frame to an unknown address. */
    void UnknownPeer() const
    {
        Trial trial(m_device.build());
        trial.SendAt(START, 0, Mac48Address(STRANGER));
        trial.SendAt(START + MilliSeconds(1), 0, trial.GetAddress(1));
        Trial::Run();
        const auto strays =
            std::count_if(trial.received.begin(), trial.received.end(), [](const auto& reception) {
                return reception.bytes == Contents(FRAME_SIZE, 0);
            });
        FailIf(strays > 0 && !trial.devices.Get(0)->IsPointToPoint(),
               "A frame for an address that no device has was received.");
        FailIf(trial.received.size() - strays != 1,
               "After a frame for an address that no device has, a frame for a peer did not "
               "arrive.");
    }

    /** Check a frame with another source address. */
    void SendFrom() const
    {
        Trial trial(m_device.build());
        const Ptr<NetDevice> device = trial.devices.Get(0);
        const Mac48Address another(STRANGER);
        bool accepted = false;
        trial.At(START, 0, [&] {
            const auto bytes = Contents(FRAME_SIZE, 0);
            accepted = device->SendFrom(Create<Packet>(bytes.data(), FRAME_SIZE),
                                        another,
                                        trial.GetAddress(1),
                                        PROTOCOL);
        });
        Trial::Run();
        if (!device->SupportsSendFrom())
        {
            FailIf(accepted, "SupportsSendFrom is false, but SendFrom accepted a frame.");
            return;
        }
        FailIf(!accepted || trial.received.size() != 1 ||
                   trial.received[0].from != Address(another),
               "SupportsSendFrom is true, but the frame did not arrive with the source address "
               "given.");
    }

    /** Check the promiscuous callback. */
    void Promiscuous() const
    {
        Trial trial(m_device.build());
        trial.ListenPromiscuously();
        trial.SendAt(START, 0, trial.GetAddress(1));
        Trial::Run();
        FailIf(trial.received.size() != 1 || trial.received[0].listener != 1,
               "With promiscuous callbacks set, the receive callbacks were called % times for "
               "one unicast frame.",
               trial.received.size());
        uint32_t atPeer = 0;
        for (const auto& reception : trial.overheard)
        {
            FailIf(reception.device != trial.devices.Get(reception.listener),
                   "The promiscuous callback names a device other than the one on which it was "
                   "set.");
            FailIf(reception.protocol != PROTOCOL || reception.from != trial.GetAddress(0) ||
                       reception.to != trial.GetAddress(1) ||
                       reception.bytes != Contents(FRAME_SIZE, 0),
                   "The promiscuous callback gives another protocol, source, destination or "
                   "content than was sent.");
            const bool mine = reception.listener == 1;
            FailIf(reception.type != (mine ? NetDevice::PACKET_HOST : NetDevice::PACKET_OTHERHOST),
                   "The promiscuous callback of device % gives packet type %.",
                   reception.listener,
                   static_cast<int>(reception.type));
            atPeer += mine;
        }
        FailIf(atPeer != 1, "The promiscuous callback of the receiver was called % times.", atPeer);
    }

    /** Check frames up to the MTU. */
    void Mtu() const
    {
        Trial trial(m_device.build());
        const Ptr<NetDevice> device = trial.devices.Get(0);
        const uint16_t original = device->GetMtu();
        FailIf(original < MIN_MTU,
               "The MTU is % bytes; IP needs at least % (RFC 791).",
               original,
               MIN_MTU);
        const uint16_t smaller = original / 2;
        const bool changed = device->SetMtu(smaller);
        FailIf(device->GetMtu() != (changed ? smaller : original),
               "The return value of SetMtu contradicts its effect.");
        FailIf(!device->SetMtu(original) || device->GetMtu() != original,
               "SetMtu refuses the MTU that the device had.");
        trial.SendAt(START, 0, trial.GetAddress(1), 1, original);
        Trial::Run();
        FailIf(trial.received.size() != 1 || trial.received[0].bytes != Contents(original, 0),
               "A frame of the MTU's % bytes did not arrive intact.",
               original);
    }

    /** Check frames above the MTU. */
    void MtuEnforced() const
    {
        Trial trial(m_device.build());
        for (uint32_t i = 0; i < trial.devices.GetN(); ++i)
        {
            trial.devices.Get(i)->SetMtu(500);
        }
        const uint32_t size = trial.devices.Get(0)->GetMtu() + 1;
        trial.SendAt(START, 0, trial.GetAddress(1), 1, size);
        Trial::Run();
        FailIf(trial.accepted != 0,
               "A frame of % bytes was accepted although the MTU is %.",
               size,
               size - 1);
        FailIf(!trial.received.empty(), "A frame that the device refused still arrived.");
    }

    /** Check the link state. */
    void LinkChange() const
    {
        Trial trial(m_device.build());
        const Ptr<NetDevice> device = trial.devices.Get(0);
        FailIf(!device->IsLinkUp(), "The link of a device that has just been installed is down.");
        std::vector<bool> changes;
        // Not a Ptr: a device that owns itself through its callback is never freed.
        device->AddLinkChangeCallback(Callback<void>(
            [&changes, raw = PeekPointer(device)] { changes.push_back(raw->IsLinkUp()); }));
        std::string finding;
        const auto change = [&] {
            m_device.setLink(device, false);
            if (device->IsLinkUp() || changes != std::vector<bool>{false})
            {
                finding = "IsLinkUp or the link change callback missed that the link failed.";
            }
            else if (trial.Send(device, trial.GetAddress(1)))
            {
                finding = "A frame was accepted although the link is down.";
            }
            m_device.setLink(device, true);
            if (finding.empty() &&
                (!device->IsLinkUp() || changes != std::vector<bool>{false, true}))
            {
                finding = "IsLinkUp or the link change callback missed that the link recovered.";
            }
        };
        if (m_device.setLink)
        {
            trial.At(START, 0, change);
        }
        trial.SendAt(START + MilliSeconds(1), 0, trial.GetAddress(1));
        Trial::Run();
        FailIf(!finding.empty(), finding);
        FailIf(!m_device.setLink && !changes.empty(),
               "The link change callback was called although the link did not change.");
        FailIf(trial.received.size() != 1,
               "With the link up, one frame sent is not one frame received.");
    }

    /** Check the transmit queue. */
    void TransmitQueue() const
    {
        Trial trial(m_device.build());
        const Ptr<Queue<Packet>> queue = GetTxQueue(trial.devices.Get(0));
        FailIf(!queue, "There is no attribute TxQueue that holds a Queue<Packet>.");
        queue->SetMaxSize(QueueSize("4p"));
        const uint32_t* drops = trial.Count(0, "MacTxDrop");
        const uint32_t count = 50;
        trial.SendAt(START, 0, trial.GetAddress(1), count);
        Trial::Run();
        FailIf(trial.accepted < 4 || trial.accepted == count,
               "Of % frames sent at once through a queue of 4, % were accepted.",
               count,
               trial.accepted);
        FailIf(trial.received.size() != trial.accepted,
               "Of % frames accepted, % arrived.",
               trial.accepted,
               trial.received.size());
        FailIf(!drops || *drops != count - trial.accepted,
               "% frames were refused, but MacTxDrop was called % times.",
               count - trial.accepted,
               drops ? *drops : 0);
    }

    /** Check that the transmit queue stops and wakes. */
    void QueueInterface() const
    {
        Trial trial(m_device.build());
        const Ptr<NetDevice> device = trial.devices.Get(0);
        const Ptr<NetDeviceQueueInterface> interface = device->GetObject<NetDeviceQueueInterface>();
        const Ptr<Queue<Packet>> queue = GetTxQueue(device);
        FailIf(!interface || !queue,
               "No NetDeviceQueueInterface is aggregated, or there is no attribute TxQueue.");
        const Ptr<NetDeviceQueue> transmit = interface->GetTxQueue(0);
        queue->SetMaxSize(QueueSize("4p"));
        uint32_t wakes = 0;
        uint32_t accepted = 0;
        bool refused = false;
        const auto fill = [&] {
            while (!transmit->IsStopped() && !refused && accepted < 100)
            {
                refused = !trial.Send(device, trial.GetAddress(1));
                accepted += !refused;
            }
        };
        // The callback sends at once, like a queue disc.
        transmit->SetWakeCallback(Callback<void>([&] {
            ++wakes;
            fill();
        }));
        bool stopped = false;
        trial.At(START, 0, [&] {
            fill();
            stopped = accepted < 100;
        });
        Trial::Run();
        FailIf(refused,
               "Frame % was refused although the transmit queue had not been stopped.",
               accepted);
        FailIf(!stopped, "The transmit queue of 4 was not stopped by 100 frames sent at once.");
        FailIf(wakes == 0 || transmit->IsStopped(),
               "The transmit queue was stopped, but not woken when its frames had left.");
        FailIf(trial.received.size() != accepted,
               "Of % frames sent when the transmit queue was not stopped, % arrived.",
               accepted,
               trial.received.size());
    }

    /** Check the calls of trace sources. */
    void Traces() const
    {
        Trial trial(m_device.build());
        const std::vector<std::tuple<uint32_t, std::string, uint32_t>> expected{
            {0, "MacTx", 1},
            {0, "MacTxDrop", 0},
            {0, "PhyTxBegin", 1},
            {0, "PhyTxEnd", 1},
            {0, "PhyTxDrop", 0},
            {0, "Sniffer", 1},
            {0, "PromiscSniffer", 1},
            {1, "PhyRxEnd", 1},
            {1, "PhyRxDrop", 0},
            {1, "MacRx", 1},
            {1, "MacPromiscRx", 1},
            {1, "Sniffer", 1},
            {1, "PromiscSniffer", 1}};
        std::vector<const uint32_t*> counters;
        counters.reserve(expected.size());
        for (const auto& [device, source, count] : expected)
        {
            counters.push_back(trial.Count(device, source));
        }
        trial.ListenPromiscuously();
        trial.SendAt(START, 0, trial.GetAddress(1));
        Trial::Run();
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            const auto& [device, source, count] = expected[i];
            FailIf(!counters[i] || *counters[i] != count,
                   "For one frame from device 0 to device 1, % of device % was called % times "
                   "instead of %.",
                   source,
                   device,
                   counters[i] ? *counters[i] : 0,
                   count);
        }
    }

    /** Check the ReceiveErrorModel. */
    void ReceiveErrors() const
    {
        Trial trial(m_device.build());
        auto model = CreateObject<ReceiveListErrorModel>();
        model->SetList({1});
        FailIf(
            !trial.devices.Get(1)->SetAttributeFailSafe("ReceiveErrorModel", PointerValue(model)),
            "There is no attribute ReceiveErrorModel that takes an ErrorModel.");
        const uint32_t* drops = trial.Count(1, "PhyRxDrop");
        trial.SendAt(START, 0, trial.GetAddress(1), 3);
        Trial::Run();
        const auto& received = trial.received;
        FailIf(received.size() != 2 || received[0].bytes != Contents(FRAME_SIZE, 0) ||
                   received[1].bytes != Contents(FRAME_SIZE, 2),
               "Of three frames, of which the error model corrupts the second, % arrived.",
               received.size());
        FailIf(!drops || *drops != 1,
               "PhyRxDrop was not called once for the frame that the error model corrupts.");
    }

    /** Check that a second run is equal. */
    void Repeatable() const
    {
        const auto record = [this] {
            const Network network = m_device.build();
            if (m_device.assignStreams)
            {
                m_device.assignStreams(network, 1000);
            }
            Trial trial(network);
            for (uint32_t i = 0; i < trial.devices.GetN(); ++i)
            {
                trial.SendAt(START, i, trial.GetAddress((i + 1) % trial.devices.GetN()), 4);
            }
            Trial::Run();
            std::vector<std::tuple<uint32_t, Time, std::vector<uint8_t>>> trace;
            for (const auto& reception : trial.received)
            {
                trace.emplace_back(reception.listener, reception.when, reception.bytes);
            }
            return trace;
        };
        const auto first = record();
        Simulator::Destroy();
        FailIf(first != record(),
               "The same frames on the same random streams arrived differently "
               "in a second run.");
    }

    /** Check the random streams. */
    void AssignStreams() const
    {
        FailIf(!m_device.assignStreams, "There is no AssignStreams, or no hook that calls it.");
        const Network network = m_device.build();
        const int64_t used = m_device.assignStreams(network, 1000);
        FailIf(used < 0 || used != m_device.assignStreams(network, 2000),
               "AssignStreams returns % streams, and another number when called again.",
               used);
    }

    /** Folder for the files of a check, removed with its contents at the end. */
    class Folder
    {
      public:
        Folder()
            : m_path(SystemPath::MakeTemporaryDirectoryName())
        {
            SystemPath::MakeDirectories(m_path);
        }

        ~Folder()
        {
            std::filesystem::remove_all(m_path);
        }

        Folder(const Folder&) = delete;
        Folder& operator=(const Folder&) = delete;

        /** @return the prefix of the files that a helper writes. */
        std::string GetPrefix() const
        {
            return SystemPath::Append(m_path, "frames");
        }

        /** @return the paths of the files in the folder. */
        std::vector<std::string> GetFiles() const
        {
            std::vector<std::string> paths;
            for (const std::string& name : SystemPath::ReadFiles(m_path))
            {
                paths.push_back(SystemPath::Append(m_path, name));
            }
            return paths;
        }

      private:
        std::string m_path; ///< Path of the folder.
    };

    /**
     * Send TRACED_FRAMES frames from device 0 to device 1 while the helper writes files.
     * @param enable calls the helper
     * @param folder folder of the files, which are complete after the call
     */
    void WriteTrace(const NetDeviceConformance::Enable& enable, const Folder& folder) const
    {
        {
            const Network network = m_device.build();
            Trial trial(network);
            enable(folder.GetPrefix(), network);
            trial.SendAt(START, 0, trial.GetAddress(1), TRACED_FRAMES);
            Trial::Run();
        }
        Simulator::Destroy();
    }

    /**
     * Count the records of a pcap file.
     * @param path its path
     * @return the number of packets
     */
    static uint32_t CountRecords(const std::string& path)
    {
        PcapFile file;
        file.Open(path, std::ios::in);
        std::vector<uint8_t> bytes(MAX_RECORD);
        uint32_t seconds = 0;
        uint32_t microseconds = 0;
        uint32_t included = 0;
        uint32_t original = 0;
        uint32_t read = 0;
        uint32_t records = 0;
        while (!file.Fail() && !file.Eof())
        {
            file.Read(bytes.data(), MAX_RECORD, seconds, microseconds, included, original, read);
            records += !file.Fail() && !file.Eof();
        }
        return records;
    }

    /** Check packet capture. */
    void Pcap() const
    {
        FailIf(!m_device.enablePcap, "There is no EnablePcap, or no hook that calls it.");
        const Folder folder;
        WriteTrace(m_device.enablePcap, folder);
        uint32_t records = 0;
        for (const std::string& path : folder.GetFiles())
        {
            records += CountRecords(path);
        }
        FailIf(records < 2 * TRACED_FRAMES,
               "The packet capture of % frames holds % records, fewer than one at the sender and "
               "one at the receiver for each.",
               TRACED_FRAMES,
               records);
    }

    /** Check ascii traces: a line begins with + if a frame is queued, - if it leaves the queue, d
     * if it is dropped and r if it is received. */
    void Ascii() const
    {
        if (!m_device.enableAscii)
        {
            return;
        }
        const Folder folder;
        WriteTrace(m_device.enableAscii, folder);
        std::map<char, uint32_t> lines;
        for (const std::string& path : folder.GetFiles())
        {
            std::ifstream file(path);
            for (std::string line; std::getline(file, line);)
            {
                ++lines[line.empty() ? ' ' : line.front()];
            }
        }
        FailIf(
            lines['+'] != TRACED_FRAMES || lines['-'] != TRACED_FRAMES ||
                lines['r'] != TRACED_FRAMES || lines['d'] != 0,
            "The ascii trace of % frames has % lines of queued, % of dequeued, % of received and "
            "% of dropped ones.",
            TRACED_FRAMES,
            lines['+'],
            lines['-'],
            lines['r'],
            lines['d']);
    }

    /** Check the disposal with frames in flight. */
    void Dispose() const
    {
        std::vector<Ptr<NetDevice>> devices;
        {
            Trial trial(m_device.build());
            trial.SendAt(START, 0, trial.GetAddress(1), 20);
            trial.SendAt(START, 1, trial.GetAddress(0), 20);
            Simulator::Stop(START + NanoSeconds(1));
            Simulator::Run();
            devices.assign(trial.devices.Begin(), trial.devices.End());
            Simulator::Destroy();
        }
        for (std::size_t i = 0; i < devices.size(); ++i)
        {
            FailIf(devices[i]->GetReferenceCount() != 1,
                   "After Simulator::Destroy, a reference to device % is still held.",
                   i);
        }
    }

    /** Check the counts of FlowMonitor. */
    void FlowMonitoring() const
    {
        const Network network = BuildInternet();
        const std::vector<uint32_t> sizes(10, 400);
        FlowMonitorHelper helper;
        const Ptr<FlowMonitor> monitor = helper.Install(network.nodes);
        Exchange(network, CreateObject<UdpProtocol>(), false, sizes);
        const auto& flows = monitor->GetFlowStats();
        FailIf(flows.size() != 2,
               "FlowMonitor reports % flows of messages in both directions.",
               flows.size());
        for (const auto& [id, flow] : flows)
        {
            FailIf(flow.txPackets != sizes.size() || flow.rxPackets != sizes.size() ||
                       flow.lostPackets != 0,
                   "FlowMonitor counts % packets sent, % received and % lost of % in one "
                   "direction.",
                   flow.txPackets,
                   flow.rxPackets,
                   flow.lostPackets,
                   sizes.size());
            FailIf(!flow.delaySum.IsStrictlyPositive(),
                   "FlowMonitor reports no delay between sending and receiving.");
        }
    }

    /** Check datagrams. */
    template <bool IPV6>
    void Udp() const
    {
        Exchange(BuildInternet(), CreateObject<UdpProtocol>(), IPV6, {1, 100, 500, 1400, 8000});
    }

    /** Check streams of bytes. */
    template <bool IPV6>
    void Tcp() const
    {
        Exchange(BuildInternet(), CreateObject<TcpProtocol>(), IPV6, {STREAM_SIZE});
    }

    /** @return a network with an internet stack and addresses. */
    Network BuildInternet() const
    {
        Network network = m_device.build();
        InternetStackHelper().Install(network.nodes);
        Ipv4AddressHelper("10.0.0.0", "255.255.0.0").Assign(network.devices);
        Ipv6AddressHelper("2001:db8::", Ipv6Prefix(64)).Assign(network.devices);
        return network;
    }

    const NetDeviceConformance& m_device; ///< Builder and hooks of the device.
};

} // namespace

std::vector<NetDeviceConformance::Finding>
NetDeviceConformance::Run() const
{
    const NetDeviceChecks checks(*this);
    std::vector<Finding> findings;
    auto unused = exceptions;
    for (const auto& check : NetDeviceChecks::GetAll())
    {
        const std::string failure = checks.Run(check);
        NS_LOG_INFO("Check " << check.name << ": " << (failure.empty() ? "passes" : failure));
        const auto exception = unused.extract(check.name);
        if (exception.empty() && !failure.empty())
        {
            findings.push_back({check.name, failure});
        }
        else if (!exception.empty() && failure.empty())
        {
            findings.push_back({check.name,
                                "The check passes, so the declared exception (" +
                                    exception.mapped() + ") is not needed."});
        }
    }
    for (const auto& [name, reason] : unused)
    {
        findings.push_back({name, "An exception is declared, but there is no such check."});
    }
    return findings;
}

std::vector<std::string>
NetDeviceConformance::GetChecks()
{
    std::vector<std::string> names;
    for (const auto& check : NetDeviceChecks::GetAll())
    {
        names.push_back(check.name);
    }
    return names;
}

} // namespace messaging
} // namespace ns3
