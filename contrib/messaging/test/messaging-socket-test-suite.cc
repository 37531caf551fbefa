/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-list-text.h"

#include "ns3/application-container.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/csma-helper.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/messaging-loopback-network.h"
#include "ns3/messaging-packet-store.h"
#include "ns3/messaging-registry.h"
#include "ns3/messaging-socket-factory.h"
#include "ns3/messaging-socket-header.h"
#include "ns3/messaging-socket-helper.h"
#include "ns3/messaging-socket-layer.h"
#include "ns3/messaging-socket.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/pointer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/udp-client-server-helper.h"
#include "ns3/udp-echo-helper.h"
#include "ns3/udp-server.h"
#include "ns3/uinteger.h"

#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging-tests
 * Tests of sockets over protocols: applications of ns-3 run unchanged, and a group whose messages
 * the test delivers one by one shows each rule.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** TypeId of the factory of datagram sockets. */
const std::string DATAGRAM = "ns3::messaging::MessageSocketFactory";

/** TypeId of the factory of sequenced packet sockets. */
const std::string SEQPACKET = "ns3::messaging::MessageSeqPacketSocketFactory";

/** Largest message of the group that the test controls, with its header [bytes]. */
constexpr uint32_t LARGEST = 1500;

/** Port of servers. */
constexpr uint16_t PORT = 80;

/** A group whose messages are accepted, delivered and completed as the test says. */
class ScriptedGroup : public MessageGroup
{
  public:
    /** A message that the group has accepted. */
    struct Posted
    {
        Peer from;       ///< Sender.
        Request request; ///< The message.
    };

    uint32_t GetNPeers() const override
    {
        return 3;
    }

    uint32_t GetLargestMessage() const override
    {
        return LARGEST;
    }

    bool ConfirmsDelivery() const override
    {
        return true;
    }

    Acceptance Post(Peer self, const Request& request) override
    {
        if (request.to == NO_PEER)
        {
            return Acceptance::REFUSED;
        }
        if (posted.size() >= room)
        {
            return Acceptance::STALLED;
        }
        posted.push_back({self, request});
        return Acceptance::ACCEPTED;
    }

    /**
     * Deliver a message, and leave it posted.
     * @param index its index
     * @param flipped bits to flip in its contents
     */
    void Deliver(std::size_t index, uint64_t flipped = 0)
    {
        const auto [from, request] = posted.at(index);
        m_user->OnDeliver(request.to,
                          {.id = request.id,
                           .contents = request.contents ^ flipped,
                           .from = from,
                           .bytes = request.bytes,
                           .tag = request.tag});
    }

    /**
     * Complete the oldest message.
     * @param completion its outcome
     */
    void Complete(Completion completion = Completion::DELIVERED)
    {
        const auto [from, request] = posted.front();
        posted.erase(posted.begin());
        m_user->OnComplete(from, request.id, completion);
        m_user->OnReady(from);
    }

    /** Deliver and complete messages until none is posted. */
    void Flush()
    {
        while (!posted.empty())
        {
            Deliver(0);
            Complete();
        }
    }

    /**
     * Set the number of messages that can be in flight, and let stalled peers post again.
     * @param messages the number
     */
    void SetRoom(std::size_t messages)
    {
        room = messages;
        for (Peer peer = 0; peer < GetNPeers(); ++peer)
        {
            m_user->OnReady(peer);
        }
    }

    std::vector<Posted> posted; ///< Messages in flight.
    std::size_t room{100};      ///< Number of messages that can be in flight.
};

/** Three nodes with sockets over a ScriptedGroup. */
struct Scripted
{
    Scripted()
    {
        NodeContainer nodes(3);
        MessageSocketHelper helper("none");
        helper.SetBase("10.1.1.0", "255.255.255.0");
        interfaces = helper.Install(group, Promise{}, nodes);
    }

    ~Scripted()
    {
        Simulator::Destroy();
    }

    /**
     * Create a socket.
     * @param node index of its node
     * @param type type of the socket
     * @return the socket
     */
    Ptr<Socket> Open(uint32_t node, const std::string& type = DATAGRAM) const
    {
        return Socket::CreateSocket(interfaces.GetNodes().Get(node), TypeId::LookupByName(type));
    }

    /**
     * Create a socket bound to a port.
     * @param node index of its node
     * @param port the port
     * @param type type of the socket
     * @return the socket
     */
    Ptr<Socket> OpenAt(uint32_t node, uint16_t port, const std::string& type = DATAGRAM) const
    {
        const auto socket = Open(node, type);
        socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
        return socket;
    }

    /**
     * Get an address.
     * @param node index of a node
     * @param port a port
     * @return the address
     */
    Address At(uint32_t node, uint16_t port) const
    {
        return InetSocketAddress(interfaces.GetAddress(node), port);
    }

    /**
     * Get the number of messages that a node has dropped.
     * @param node index of the node
     * @param drop the reason
     * @return the number
     */
    uint64_t GetNDropped(uint32_t node, SocketDrop drop) const
    {
        return interfaces.GetLayer(node)->GetNDropped(drop);
    }

    Ptr<ScriptedGroup> group{CreateObject<ScriptedGroup>()}; ///< The group.
    MessageInterfaceContainer interfaces;                    ///< The nodes.
};

/** Counts of the callbacks of a socket. */
struct Calls
{
    uint32_t connected{0};             ///< The connection is established.
    uint32_t failed{0};                ///< The connection was not established.
    uint32_t closed{0};                ///< The other side has closed the connection.
    uint32_t broken{0};                ///< The connection is broken.
    uint32_t received{0};              ///< Packets can be received.
    uint32_t sent{0};                  ///< Bytes were sent.
    uint32_t room{0};                  ///< There is room in the send buffer.
    std::vector<Ptr<Socket>> accepted; ///< Sockets of new connections.

    /**
     * Set the callbacks of a socket.
     * @param socket the socket
     */
    void Watch(Ptr<Socket> socket)
    {
        using OnSocket = Callback<void, Ptr<Socket>>;
        using OnBytes = Callback<void, Ptr<Socket>, uint32_t>;
        socket->SetConnectCallback(OnSocket([this](Ptr<Socket>) { ++connected; }),
                                   OnSocket([this](Ptr<Socket>) { ++failed; }));
        socket->SetCloseCallbacks(OnSocket([this](Ptr<Socket>) { ++closed; }),
                                  OnSocket([this](Ptr<Socket>) { ++broken; }));
        socket->SetRecvCallback(OnSocket([this](Ptr<Socket>) { ++received; }));
        socket->SetDataSentCallback(
            OnBytes([this](Ptr<Socket>, uint32_t bytes) { sent += bytes; }));
        socket->SetSendCallback(OnBytes([this](Ptr<Socket>, uint32_t) { ++room; }));
        socket->SetAcceptCallback(
            Callback<bool, Ptr<Socket>, const Address&>(),
            Callback<void, Ptr<Socket>, const Address&>(
                [this](Ptr<Socket> created, const Address&) { accepted.push_back(created); }));
    }
};

/** Nodes on a csma channel that loses packets, with sockets over a protocol. */
struct Lossy
{
    /**
     * Construct.
     * @param protocol the protocol
     * @param loss probability that a device loses a packet that it receives
     */
    Lossy(Ptr<Protocol> protocol, double loss)
    {
        RngSeedManager::SetSeed(1);
        RngSeedManager::SetRun(1);
        NodeContainer nodes(4);
        CsmaHelper csma;
        csma.SetChannelAttribute("DataRate", DataRateValue(DataRate("100Mbps")));
        csma.SetChannelAttribute("Delay", TimeValue(MicroSeconds(1)));
        const auto devices = csma.Install(nodes);
        int64_t stream = 1;
        for (auto device = devices.Begin(); device != devices.End(); ++device)
        {
            const auto errors = CreateObject<RateErrorModel>();
            errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            errors->SetRate(loss);
            stream += errors->AssignStreams(stream);
            (*device)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        }
        MessageSocketHelper helper(protocol);
        helper.EnableAudit();
        interfaces = helper.Install(devices);
        interfaces.AssignStreams(stream);
    }

    ~Lossy()
    {
        Simulator::Destroy();
    }

    /**
     * Start applications.
     * @param applications the applications
     * @param start when they start
     */
    static void Start(const ApplicationContainer& applications, Time start)
    {
        applications.Start(start);
        applications.Stop(Seconds(10));
    }

    MessageInterfaceContainer interfaces; ///< The nodes.
};

/** A protocol to test. */
struct Candidate
{
    std::string name;       ///< Its name.
    Ptr<Protocol> protocol; ///< The protocol.
    Promise promise;        ///< Its promise over csma with losses.
};

/**
 * Find the protocols that run over a csma channel. Suites of all modules run in one process, so
 * these are the protocols of all modules.
 * @return the protocols, each new
 */
std::vector<Candidate>
FindProtocols()
{
    const PortInfo info{.mtu = 1400, .broadcast = true, .ordered = true};
    std::vector<Candidate> candidates;
    for (const TypeId& type : ListTypes(Protocol::GetTypeId()))
    {
        const auto name = GetName(type, Protocol::GetTypeId());
        const auto protocol = DynamicCast<Protocol>(CreateByName(Protocol::GetTypeId(), name));
        const bool own = type.GetName().find("::tests::") != std::string::npos;
        if (!own && !protocol->UsesSockets() && protocol->Check(info, 4).empty())
        {
            candidates.push_back({name, protocol, protocol->GetPromise(info)});
        }
    }
    return candidates;
}

} // namespace

/** The header of messages between sockets. */
class SocketHeaderTestCase : public TestCase
{
  public:
    SocketHeaderTestCase()
        : TestCase("The header of a message carries kind and ports")
    {
    }

  private:
    void DoRun() override
    {
        const auto packet = Create<Packet>(10);
        packet->AddHeader(MessageSocketHeader(SocketMessage::CLOSE, 0x1234, 0xabcd));
        NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 10 + MessageSocketHeader::SIZE, "Size");
        MessageSocketHeader header;
        packet->RemoveHeader(header);
        NS_TEST_EXPECT_MSG_EQ(header.GetKind(), SocketMessage::CLOSE, "Kind");
        NS_TEST_EXPECT_MSG_EQ(header.GetSourcePort(), 0x1234, "Source port");
        NS_TEST_EXPECT_MSG_EQ(header.GetDestinationPort(), 0xabcd, "Destination port");
        NS_TEST_EXPECT_MSG_EQ(header.IsIntact(), true, "Whole");
        // Of what is no header, no byte beyond its end is read, and no name of a kind is printed.
        for (const std::vector<uint8_t>& bytes : {std::vector<uint8_t>{4, 0x12, 0x34, 0xab},
                                                  std::vector<uint8_t>{6, 0x12, 0x34, 0xab, 0xcd}})
        {
            const auto size = static_cast<uint32_t>(bytes.size());
            const auto damaged = Create<Packet>(bytes.data(), size);
            NS_TEST_EXPECT_MSG_EQ(damaged->RemoveHeader(header), size, "Bytes taken");
            NS_TEST_EXPECT_MSG_EQ(header.IsIntact(), false, size << " bytes");
            std::ostringstream text;
            header.Print(text);
            NS_TEST_EXPECT_MSG_EQ(text.str(), "damaged header", size << " bytes");
        }
    }
};

/** The store of packets in flight. */
class PacketStoreTestCase : public TestCase
{
  public:
    PacketStoreTestCase()
        : TestCase("The store finds a packet by its exact key, and is bounded")
    {
    }

  private:
    void DoRun() override
    {
        const auto store = CreateObject<MessagePacketStore>();
        store->SetAttribute("Retained", UintegerValue(3));
        const auto packet = Create<Packet>(100);
        const uint64_t key = store->Put(packet, 1, 1);
        const uint64_t other = store->Put(packet, 1, 1);
        NS_TEST_EXPECT_MSG_NE(key, other, "Equal packets have different keys");
        for (unsigned bit = 0; bit < 64; ++bit)
        {
            NS_TEST_EXPECT_MSG_EQ(store->Receive(key ^ (uint64_t{1} << bit), 1, 100),
                                  nullptr,
                                  "A key with bit " << bit << " altered");
        }
        NS_TEST_EXPECT_MSG_EQ(store->Receive(key, 2, 100), nullptr, "Another sender");
        NS_TEST_EXPECT_MSG_EQ(store->Receive(key, 1, 99), nullptr, "Another size");
        NS_TEST_EXPECT_MSG_EQ(store->Receive(key, 1, 100)->GetUid(), packet->GetUid(), "Found");
        store->End(key, Completion::DELIVERED);
        NS_TEST_EXPECT_MSG_EQ(store->GetN(), 1, "A message that has arrived leaves the store");
        store->End(other, Completion::DELIVERED);
        NS_TEST_EXPECT_MSG_EQ(store->GetN(), 1, "One that has not may still arrive");

        const uint64_t broadcast = store->Put(packet, 1, 2);
        store->Receive(broadcast, 1, 100);
        store->Receive(broadcast, 1, 100);
        store->End(broadcast, Completion::DELIVERED);
        NS_TEST_EXPECT_MSG_EQ(store->GetN(), 1, "A broadcast leaves it after all deliveries");
        for (const auto completion :
             {Completion::SENT, Completion::FAILED, Completion::UNREACHABLE, Completion::SENT})
        {
            const uint64_t unconfirmed = store->Put(packet, 1, 1);
            NS_TEST_EXPECT_MSG_NE(store->Receive(unconfirmed, 1, 100), nullptr, "First delivery");
            store->End(unconfirmed, completion);
            NS_TEST_EXPECT_MSG_NE(store->Receive(unconfirmed, 1, 100), nullptr, "Duplicate");
        }
        NS_TEST_EXPECT_MSG_EQ(store->GetN(), 3, "The latest unconfirmed ones are retained");
        NS_TEST_EXPECT_MSG_EQ(store->Receive(other, 1, 100), nullptr, "The oldest one is not");
        store->Discard(store->Put(packet, 1, 1));
        NS_TEST_EXPECT_MSG_EQ(store->GetN(), 3, "A message that was never posted");
    }
};

/** Applications of ns-3 over each protocol. */
class ApplicationsOverProtocolsTestCase : public TestCase
{
  public:
    ApplicationsOverProtocolsTestCase()
        : TestCase("Applications of ns-3 run over each protocol, and nothing is lost")
    {
    }

  private:
    void DoRun() override
    {
        for (const auto& candidate : FindProtocols())
        {
            CheckDatagrams(candidate);
            CheckSizes(candidate);
            const Promise& promise = candidate.promise;
            if (promise.complete && promise.once && promise.ordered)
            {
                CheckConnections(candidate);
            }
        }
    }

    /**
     * Run UdpEchoClient, OnOff and UdpClient at once, with 10 % loss if the protocol bears it.
     * @param candidate the protocol
     */
    void CheckDatagrams(const Candidate& candidate)
    {
        const uint32_t echoes = 50;
        const uint32_t bytes = 100000;
        const uint32_t datagrams = 40;
        Lossy lossy(candidate.protocol, candidate.promise.complete ? 0.1 : 0);
        const auto& interfaces = lossy.interfaces;
        const auto& nodes = interfaces.GetNodes();

        Lossy::Start(UdpEchoServerHelper(9).Install(nodes.Get(0)), Seconds(0));
        UdpEchoClientHelper echo(interfaces.GetAddress(0), 9);
        echo.SetAttribute("MaxPackets", UintegerValue(echoes));
        echo.SetAttribute("Interval", TimeValue(MilliSeconds(5)));
        echo.SetAttribute("PacketSize", UintegerValue(200));
        const auto clients = echo.Install(nodes.Get(1));
        Lossy::Start(clients, MilliSeconds(1));
        uint32_t answers = 0;
        clients.Get(0)->TraceConnectWithoutContext(
            "Rx",
            Callback<void, Ptr<const Packet>>([&answers](Ptr<const Packet>) { ++answers; }));

        // The sink shares its node with the echo server, and the source with the echo client.
        const InetSocketAddress sink(interfaces.GetAddress(0), 5000);
        const auto sinks = PacketSinkHelper(DATAGRAM, sink).Install(nodes.Get(0));
        Lossy::Start(sinks, Seconds(0));
        OnOffHelper source(DATAGRAM, sink);
        source.SetConstantRate(DataRate("5Mbps"), 500);
        source.SetAttribute("MaxBytes", UintegerValue(bytes));
        Lossy::Start(source.Install(nodes.Get(1)), MilliSeconds(1));

        const auto servers = UdpServerHelper(7).Install(nodes.Get(2));
        Lossy::Start(servers, Seconds(0));
        UdpClientHelper client(interfaces.GetAddress(2), 7);
        client.SetAttribute("MaxPackets", UintegerValue(datagrams));
        client.SetAttribute("Interval", TimeValue(MilliSeconds(4)));
        client.SetAttribute("PacketSize", UintegerValue(100));
        Lossy::Start(client.Install(nodes.Get(3)), MilliSeconds(1));

        Simulator::Stop(Seconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(answers, echoes, "Echoes over " << candidate.name);
        NS_TEST_EXPECT_MSG_EQ(DynamicCast<PacketSink>(sinks.Get(0))->GetTotalRx(),
                              bytes,
                              "Bytes of OnOff over " << candidate.name);
        const auto server = DynamicCast<UdpServer>(servers.Get(0));
        NS_TEST_EXPECT_MSG_EQ(server->GetReceived(),
                              datagrams,
                              "Datagrams of UdpClient over " << candidate.name);
        NS_TEST_EXPECT_MSG_EQ(server->GetLost(), 0, "Lost datagrams over " << candidate.name);
        CheckEnd(candidate, lossy);
    }

    /**
     * Send packets of several sizes, with 10 % loss if the protocol bears it.
     * @param candidate the protocol
     */
    void CheckSizes(const Candidate& candidate)
    {
        Lossy lossy(candidate.protocol, candidate.promise.complete ? 0.1 : 0);
        const auto& interfaces = lossy.interfaces;
        const auto factory = TypeId::LookupByName(DATAGRAM);
        const auto sender = Socket::CreateSocket(interfaces.GetNodes().Get(0), factory);
        const auto receiver = Socket::CreateSocket(interfaces.GetNodes().Get(1), factory);
        receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        sender->Connect(InetSocketAddress(interfaces.GetAddress(1), PORT));
        const uint32_t largest = interfaces.GetLayer(0)->GetLargestPacket();
        std::multiset<uint32_t> sizes;
        for (const uint32_t bytes : {0, 1, 1000, 2000, 100000})
        {
            if (sender->Send(Create<Packet>(bytes)) == static_cast<int>(bytes))
            {
                sizes.insert(bytes);
            }
            else
            {
                NS_TEST_EXPECT_MSG_GT(bytes, largest, "Refused by " << candidate.name);
                NS_TEST_EXPECT_MSG_EQ(sender->GetErrno(), Socket::ERROR_MSGSIZE, "Error");
            }
        }
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        std::multiset<uint32_t> received;
        while (const auto packet = receiver->Recv())
        {
            received.insert(packet->GetSize());
        }
        NS_TEST_EXPECT_MSG_EQ(ListText(received), ListText(sizes), "Sizes over " << candidate.name);
        CheckEnd(candidate, lossy);
    }

    /**
     * Run BulkSend with 10 % loss.
     * @param candidate the protocol
     */
    void CheckConnections(const Candidate& candidate)
    {
        const uint32_t bytes = 200000;
        Lossy lossy(candidate.protocol, 0.1);
        const auto& interfaces = lossy.interfaces;
        const InetSocketAddress sink(interfaces.GetAddress(0), PORT);
        const auto sinks = PacketSinkHelper(SEQPACKET, sink).Install(interfaces.GetNodes().Get(0));
        Lossy::Start(sinks, Seconds(0));
        BulkSendHelper source(SEQPACKET, sink);
        source.SetAttribute("MaxBytes", UintegerValue(bytes));
        source.SetAttribute("SendSize", UintegerValue(1000));
        Lossy::Start(source.Install(
                         NodeContainer(interfaces.GetNodes().Get(1), interfaces.GetNodes().Get(2))),
                     MilliSeconds(1));
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        const auto application = DynamicCast<PacketSink>(sinks.Get(0));
        NS_TEST_EXPECT_MSG_EQ(application->GetTotalRx(),
                              2 * bytes,
                              "Bytes of BulkSend over " << candidate.name);
        NS_TEST_EXPECT_MSG_EQ(application->GetAcceptedSockets().size(),
                              2,
                              "Connections over " << candidate.name);
        CheckEnd(candidate, lossy);
    }

    /**
     * Check that nothing was dropped, and nothing is left.
     * @param candidate the protocol
     * @param lossy the nodes
     */
    void CheckEnd(const Candidate& candidate, const Lossy& lossy)
    {
        const auto& interfaces = lossy.interfaces;
        interfaces.GetAudit()->Finish();
        NS_TEST_EXPECT_MSG_EQ(interfaces.GetAudit()->GetFirstViolation(),
                              "",
                              "Audit of " << candidate.name);
        uint64_t drops = 0;
        for (uint32_t node = 0; node < interfaces.GetN(); ++node)
        {
            drops += interfaces.GetLayer(node)->GetNDropped();
        }
        NS_TEST_EXPECT_MSG_EQ(drops, 0, "Messages dropped over " << candidate.name);
        // Without confirmation, the store cannot know which packets have arrived.
        if (candidate.promise.complete && candidate.promise.confirms)
        {
            NS_TEST_EXPECT_MSG_EQ(interfaces.GetStore()->GetN(),
                                  0,
                                  "Packets left in the store of " << candidate.name);
        }
    }
};

/** Bytes and tags of packets. */
class PacketContentsTestCase : public TestCase
{
  public:
    PacketContentsTestCase()
        : TestCase("A packet arrives with the sender's bytes, packet tags and byte tags")
    {
    }

  private:
    void DoRun() override
    {
        Scripted scripted;
        const auto sender = scripted.Open(0);
        const auto receiver = scripted.OpenAt(1, PORT);
        sender->Connect(scripted.At(1, PORT));
        // Packets with equal bytes, and tags that tell which is which.
        for (const uint8_t number : {1, 2, 3})
        {
            const std::vector<uint8_t> bytes(40, 7);
            const auto packet = Create<Packet>(bytes.data(), bytes.size());
            SocketPriorityTag packetTag;
            packetTag.SetPriority(number);
            packet->AddPacketTag(packetTag);
            SocketIpTtlTag byteTag;
            byteTag.SetTtl(10 + number);
            packet->AddByteTag(byteTag, 5, 15);
            NS_TEST_EXPECT_MSG_EQ(sender->Send(packet), 40, "Sent");
            // The sender may do with its packet what it wants.
            packet->RemoveAllPacketTags();
            packet->RemoveAtStart(20);
        }
        for (const std::size_t index : {2, 0, 1})
        {
            scripted.group->Deliver(index);
        }
        for (const uint8_t number : {3, 1, 2})
        {
            Address from;
            const auto packet = receiver->RecvFrom(from);
            std::vector<uint8_t> bytes(packet->GetSize());
            packet->CopyData(bytes.data(), bytes.size());
            NS_TEST_EXPECT_MSG_EQ(ListText(bytes), ListText(std::vector<uint8_t>(40, 7)), "Bytes");
            SocketPriorityTag packetTag;
            NS_TEST_EXPECT_MSG_EQ(packet->PeekPacketTag(packetTag), true, "Packet tag");
            NS_TEST_EXPECT_MSG_EQ(packetTag.GetPriority(), number, "Its value");
            auto tags = packet->GetByteTagIterator();
            NS_TEST_ASSERT_MSG_EQ(tags.HasNext(), true, "Byte tag");
            const auto item = tags.Next();
            NS_TEST_EXPECT_MSG_EQ(item.GetStart(), 5, "First tagged byte");
            NS_TEST_EXPECT_MSG_EQ(item.GetEnd(), 15, "End of tagged bytes");
            SocketIpTtlTag byteTag;
            item.GetTag(byteTag);
            NS_TEST_EXPECT_MSG_EQ(byteTag.GetTtl(), 10 + number, "Its value");
            Address name;
            sender->GetSockName(name);
            NS_TEST_EXPECT_MSG_EQ(InetSocketAddress::ConvertFrom(from).GetIpv4(),
                                  scripted.interfaces.GetAddress(0),
                                  "Address of the sender");
            NS_TEST_EXPECT_MSG_EQ(InetSocketAddress::ConvertFrom(from).GetPort(),
                                  InetSocketAddress::ConvertFrom(name).GetPort(),
                                  "Port of the sender");
        }
    }
};

/** What arrives and does not match a socket is dropped and counted. */
class DropsTestCase : public TestCase
{
  public:
    DropsTestCase()
        : TestCase("Corrupted, stray and excessive messages are dropped and counted")
    {
    }

  private:
    void DoRun() override
    {
        Config::SetDefault("ns3::messaging::MessageSocket::RcvBufSize", UintegerValue(250));
        Scripted scripted;
        std::vector<SocketDrop> traced;
        scripted.interfaces.GetLayer(1)->TraceConnectWithoutContext(
            "Drop",
            Callback<void, Ptr<const Packet>, SocketDrop>(
                [&traced](Ptr<const Packet>, SocketDrop drop) { traced.push_back(drop); }));
        const auto sender = scripted.Open(0);
        const auto receiver = scripted.OpenAt(1, PORT);
        const auto silent = scripted.OpenAt(1, PORT + 1);
        silent->ShutdownRecv();
        sender->SendTo(Create<Packet>(100), 0, scripted.At(1, PORT));
        scripted.group->Deliver(0, 1);
        sender->SendTo(Create<Packet>(100), 0, scripted.At(1, PORT + 1));
        scripted.group->Deliver(1);
        sender->SendTo(Create<Packet>(100), 0, scripted.At(1, PORT + 2));
        scripted.group->Deliver(2);
        NS_TEST_EXPECT_MSG_EQ(receiver->GetRxAvailable(), 0, "Nothing has arrived");
        scripted.group->Deliver(0);
        scripted.group->Deliver(0); // A protocol may deliver twice, and so does the socket.
        scripted.group->Deliver(0);
        NS_TEST_EXPECT_MSG_EQ(receiver->GetRxAvailable(), 200, "Two packets are in the buffer");
        scripted.group->Flush();
        const std::vector expected{SocketDrop::UNKNOWN,
                                   SocketDrop::SHUT_DOWN,
                                   SocketDrop::NO_SOCKET,
                                   SocketDrop::BUFFER_FULL};
        const std::vector<uint64_t> counts{1, 2, 2, 2};
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(traced.at(i), expected[i], "Traced reason");
            NS_TEST_EXPECT_MSG_EQ(scripted.GetNDropped(1, expected[i]),
                                  counts[i],
                                  "Dropped: " << expected[i]);
        }
        NS_TEST_EXPECT_MSG_EQ(scripted.interfaces.GetStore()->GetN(), 0, "All packets are freed");
        Config::Reset();
    }
};

/** Errors of calls. */
class SocketErrorsTestCase : public TestCase
{
  public:
    SocketErrorsTestCase()
        : TestCase("Calls that fail set the errors that applications of ns-3 expect")
    {
    }

  private:
    /**
     * Check a call.
     * @param socket the socket
     * @param result result of the call
     * @param error the expected error
     * @param call description of the call
     */
    void Check(Ptr<Socket> socket, int result, Socket::SocketErrno error, const std::string& call)
    {
        NS_TEST_EXPECT_MSG_EQ(result, -1, call);
        NS_TEST_EXPECT_MSG_EQ(socket->GetErrno(), error, call);
    }

    void DoRun() override
    {
        Scripted scripted;
        const auto any = Ipv4Address::GetAny();
        const auto data = Create<Packet>(10);
        const auto socket = scripted.OpenAt(0, PORT);
        const auto other = scripted.Open(0);
        const auto sequenced = scripted.Open(0, SEQPACKET);
        const InetSocketAddress stranger("10.1.2.1", PORT);
        const InetSocketAddress broadcast(scripted.interfaces.GetBroadcast(), PORT);
        const Inet6SocketAddress ipv6("2001:db8::1", PORT);

        Check(socket,
              socket->Bind(InetSocketAddress(any, PORT)),
              Socket::ERROR_INVAL,
              "Bind a second time");
        Check(other,
              other->Bind(InetSocketAddress(any, PORT)),
              Socket::ERROR_ADDRINUSE,
              "Bind to a port in use");
        Check(other, other->Bind(stranger), Socket::ERROR_ADDRNOTAVAIL, "Bind to another address");
        Check(other, other->Bind(ipv6), Socket::ERROR_ADDRNOTAVAIL, "Bind to an IPv6 address");
        Check(other, other->Bind6(), Socket::ERROR_AFNOSUPPORT, "Bind to IPv6");
        Check(other, other->Send(data), Socket::ERROR_NOTCONN, "Send without a peer");
        Check(other, other->Listen(), Socket::ERROR_OPNOTSUPP, "Listen with datagrams");
        Check(other, other->Connect(ipv6), Socket::ERROR_AFNOSUPPORT, "Connect to IPv6");
        Check(other,
              other->SendTo(data, 0, stranger),
              Socket::ERROR_NOROUTETOHOST,
              "Send to an unknown address");
        Check(other,
              other->SendTo(data, 0, broadcast),
              Socket::ERROR_OPNOTSUPP,
              "Broadcast without permission");
        other->SetAllowBroadcast(true);
        Check(other,
              other->SendTo(data, 0, broadcast),
              Socket::ERROR_OPNOTSUPP,
              "Broadcast that the protocol refuses");
        const uint32_t limit = LARGEST - MessageSocketHeader::SIZE;
        NS_TEST_EXPECT_MSG_EQ(other->SendTo(Create<Packet>(limit), 0, scripted.At(1, PORT)),
                              static_cast<int>(limit),
                              "A packet of the largest size");
        Check(other,
              other->SendTo(Create<Packet>(limit + 1), 0, scripted.At(1, PORT)),
              Socket::ERROR_MSGSIZE,
              "A packet that is too large");
        NS_TEST_EXPECT_MSG_EQ(other->SendTo(Create<Packet>(), 0, scripted.At(1, PORT)),
                              0,
                              "A packet without bytes");
        NS_TEST_EXPECT_MSG_EQ(other->Recv(), nullptr, "Nothing to receive");
        NS_TEST_EXPECT_MSG_EQ(other->GetErrno(), Socket::ERROR_AGAIN, "Nothing to receive");
        other->ShutdownSend();
        Check(other,
              other->SendTo(data, 0, scripted.At(1, PORT)),
              Socket::ERROR_SHUTDOWN,
              "Send after shutdown");

        Address name;
        Check(sequenced, sequenced->GetPeerName(name), Socket::ERROR_NOTCONN, "Peer without one");
        Check(sequenced, sequenced->Listen(), Socket::ERROR_INVAL, "Listen at no port");
        Check(sequenced, sequenced->Send(data), Socket::ERROR_NOTCONN, "Send before Connect");
        Check(sequenced,
              sequenced->Connect(stranger),
              Socket::ERROR_NOROUTETOHOST,
              "Connect to an unknown address");
        sequenced->Connect(scripted.At(1, PORT));
        Check(sequenced, sequenced->Send(data), Socket::ERROR_NOTCONN, "Send while connecting");
        Check(sequenced,
              sequenced->Connect(scripted.At(1, PORT)),
              Socket::ERROR_ISCONN,
              "Connect a second time");

        NS_TEST_EXPECT_MSG_EQ(socket->Close(), 0, "Close");
        Check(socket, socket->Close(), Socket::ERROR_BADF, "Close a second time");
        Check(socket,
              socket->SendTo(data, 0, scripted.At(1, PORT)),
              Socket::ERROR_BADF,
              "Send after Close");
        NS_TEST_EXPECT_MSG_EQ(scripted.Open(0)->Bind(InetSocketAddress(any, PORT)),
                              0,
                              "The port of a closed socket is free");
    }
};

/** Back-pressure. */
class BackPressureTestCase : public TestCase
{
  public:
    BackPressureTestCase()
        : TestCase("What the protocol does not accept waits in the send buffer, up to its size")
    {
    }

  private:
    void DoRun() override
    {
        Config::SetDefault("ns3::messaging::MessageSocket::SndBufSize", UintegerValue(2500));
        Scripted scripted;
        scripted.group->room = 1;
        Calls calls;
        const auto sender = scripted.Open(0);
        calls.Watch(sender);
        const auto receiver = scripted.OpenAt(1, PORT);
        sender->Connect(scripted.At(1, PORT));

        NS_TEST_EXPECT_MSG_EQ(sender->Send(Create<Packet>(1000)), 1000, "Accepted");
        NS_TEST_EXPECT_MSG_EQ(sender->GetTxAvailable(), 2500, "The buffer is empty");
        NS_TEST_EXPECT_MSG_EQ(sender->Send(Create<Packet>(1001)), 1001, "Waits");
        NS_TEST_EXPECT_MSG_EQ(sender->Send(Create<Packet>(1002)), 1002, "Waits");
        NS_TEST_EXPECT_MSG_EQ(sender->GetTxAvailable(), 497, "Two packets wait");
        NS_TEST_EXPECT_MSG_EQ(sender->Send(Create<Packet>(498)), -1, "No room");
        NS_TEST_EXPECT_MSG_EQ(sender->GetErrno(), Socket::ERROR_AGAIN, "Try again");
        NS_TEST_EXPECT_MSG_EQ(sender->Send(Create<Packet>(2501)), -1, "Never any room");
        NS_TEST_EXPECT_MSG_EQ(sender->GetErrno(), Socket::ERROR_MSGSIZE, "Too large");
        NS_TEST_EXPECT_MSG_EQ(calls.sent, 1000, "Sent to the protocol");
        NS_TEST_EXPECT_MSG_EQ(calls.room, 0, "No room yet");

        // Another socket on the node is not behind the first one.
        const auto neighbour = scripted.Open(0);
        neighbour->SendTo(Create<Packet>(1), 0, scripted.At(2, PORT));
        for (const uint32_t expected : {1001, 1, 1002})
        {
            scripted.group->Deliver(0);
            scripted.group->Complete();
            NS_TEST_EXPECT_MSG_EQ(scripted.group->posted.at(0).request.bytes,
                                  expected + MessageSocketHeader::SIZE,
                                  "The sockets take turns");
        }
        NS_TEST_EXPECT_MSG_EQ(calls.room, 1, "The sender was told once that there is room");
        NS_TEST_EXPECT_MSG_EQ(sender->GetTxAvailable(), 2500, "The buffer is empty");
        NS_TEST_EXPECT_MSG_EQ(sender->Send(Create<Packet>(10)), 10, "Waits");
        sender->Close();
        scripted.group->Flush();
        NS_TEST_EXPECT_MSG_EQ(calls.sent, 3013, "What waited at Close is sent");
        for (const uint32_t expected : {1000, 1001, 1002, 10})
        {
            NS_TEST_EXPECT_MSG_EQ(receiver->Recv()->GetSize(), expected, "Order of arrival");
        }
        NS_TEST_EXPECT_MSG_EQ(scripted.interfaces.GetStore()->GetN(), 0, "All packets are freed");
        Config::Reset();
    }
};

/** Messages that end without arriving. */
class SocketFailureTestCase : public TestCase
{
  public:
    SocketFailureTestCase()
        : TestCase("A message that the protocol gives up is counted, and breaks a connection")
    {
    }

  private:
    void DoRun() override
    {
        Scripted scripted;
        const auto sender = scripted.Open(0);
        sender->Connect(scripted.At(1, PORT));
        sender->Send(Create<Packet>(1));
        scripted.group->Complete(Completion::FAILED);
        sender->Send(Create<Packet>(1));
        scripted.group->Complete(Completion::UNREACHABLE);
        NS_TEST_EXPECT_MSG_EQ(scripted.GetNDropped(0, SocketDrop::FAILED), 1, "Failed");
        NS_TEST_EXPECT_MSG_EQ(scripted.GetNDropped(0, SocketDrop::UNREACHABLE), 1, "Unreachable");
        NS_TEST_EXPECT_MSG_EQ(sender->GetErrno(), Socket::ERROR_NOROUTETOHOST, "Error");
        NS_TEST_EXPECT_MSG_EQ(sender->Send(Create<Packet>(1)), 1, "A datagram socket goes on");
        scripted.group->posted.clear();

        Calls calls;
        const auto server = scripted.OpenAt(1, PORT, SEQPACKET);
        server->Listen();
        const auto client = scripted.Open(0, SEQPACKET);
        calls.Watch(client);
        client->Connect(scripted.At(1, PORT));
        scripted.group->Complete(Completion::UNREACHABLE);
        NS_TEST_EXPECT_MSG_EQ(calls.failed, 1, "No connection");

        const auto second = scripted.Open(0, SEQPACKET);
        calls.Watch(second);
        second->Connect(scripted.At(1, PORT));
        scripted.group->Flush();
        NS_TEST_EXPECT_MSG_EQ(calls.connected, 1, "A connection");
        scripted.group->room = 1;
        second->Send(Create<Packet>(1));
        second->Send(Create<Packet>(1));
        scripted.group->Complete(Completion::FAILED);
        NS_TEST_EXPECT_MSG_EQ(calls.broken, 1, "The connection is broken");
        NS_TEST_EXPECT_MSG_EQ(scripted.GetNDropped(0, SocketDrop::BROKEN),
                              1,
                              "What waited is dropped");
        NS_TEST_EXPECT_MSG_EQ(second->Send(Create<Packet>(1)), -1, "Nothing more is sent");
    }
};

/** Connections of sequenced packet sockets. */
class ConnectionTestCase : public TestCase
{
  public:
    ConnectionTestCase()
        : TestCase("Sequenced packet sockets connect, refuse, close and reset")
    {
    }

  private:
    void DoRun() override
    {
        CheckLife();
        CheckRefusal();
        CheckReconnection();
        CheckShutdown();
    }

    /** A connection from Connect to Close. */
    void CheckLife()
    {
        Scripted scripted;
        Calls atServer;
        const auto server = scripted.OpenAt(1, PORT, SEQPACKET);
        atServer.Watch(server);
        NS_TEST_EXPECT_MSG_EQ(server->Listen(), 0, "Listen");
        Calls atClient;
        const auto client = scripted.OpenAt(0, 1000, SEQPACKET);
        atClient.Watch(client);
        NS_TEST_EXPECT_MSG_EQ(client->Connect(scripted.At(1, PORT)), 0, "Connect");
        NS_TEST_EXPECT_MSG_EQ(atClient.connected, 0, "Not before the answer");
        scripted.group->Flush();
        NS_TEST_EXPECT_MSG_EQ(atClient.connected, 1, "Connected");
        NS_TEST_ASSERT_MSG_EQ(atServer.accepted.size(), 1, "Accepted");
        const auto accepted = atServer.accepted[0];
        Calls atAccepted;
        atAccepted.Watch(accepted);
        Address name;
        accepted->GetPeerName(name);
        NS_TEST_EXPECT_MSG_EQ(name, scripted.At(0, 1000), "Its peer");
        accepted->GetSockName(name);
        NS_TEST_EXPECT_MSG_EQ(name, scripted.At(1, PORT), "Its name");

        client->Send(Create<Packet>(11));
        client->Send(Create<Packet>(12));
        accepted->Send(Create<Packet>(21));
        client->Close();
        scripted.group->Flush();
        NS_TEST_EXPECT_MSG_EQ(atAccepted.closed, 1, "The client has closed");
        NS_TEST_EXPECT_MSG_EQ(accepted->Recv()->GetSize(), 11, "First packet");
        NS_TEST_EXPECT_MSG_EQ(accepted->Recv()->GetSize(), 12, "Second packet");
        NS_TEST_EXPECT_MSG_EQ(scripted.GetNDropped(0, SocketDrop::NO_SOCKET),
                              1,
                              "The client has closed before the server's packet came");
        NS_TEST_EXPECT_MSG_EQ(atAccepted.broken, 1, "The server is told");
        accepted->Close();
        scripted.group->Flush();
        NS_TEST_EXPECT_MSG_EQ(scripted.interfaces.GetStore()->GetN(), 0, "All packets are freed");
    }

    /** A connection to a port without a listening socket, or one that accepts none. */
    void CheckRefusal()
    {
        Scripted scripted;
        Calls calls;
        const auto server = scripted.OpenAt(1, PORT, SEQPACKET);
        server->Listen();
        server->SetAcceptCallback(Callback<bool, Ptr<Socket>, const Address&>(
                                      [](Ptr<Socket>, const Address&) { return false; }),
                                  Callback<void, Ptr<Socket>, const Address&>());
        for (const uint16_t port : {PORT, uint16_t{PORT + 1}})
        {
            const auto client = scripted.Open(0, SEQPACKET);
            calls.Watch(client);
            client->Connect(scripted.At(1, port));
            scripted.group->Flush();
        }
        NS_TEST_EXPECT_MSG_EQ(calls.connected, 0, "No connection");
        NS_TEST_EXPECT_MSG_EQ(calls.failed, 2, "Refused");
    }

    /** A client that closes, and connects again from the same port. */
    void CheckReconnection()
    {
        Scripted scripted;
        Calls calls;
        const auto server = scripted.OpenAt(1, PORT, SEQPACKET);
        calls.Watch(server);
        server->Listen();
        for (const uint32_t bytes : {1, 2})
        {
            const auto client = scripted.OpenAt(0, 1000, SEQPACKET);
            client->Connect(scripted.At(1, PORT));
            scripted.group->Flush();
            client->Send(Create<Packet>(bytes));
            client->Close();
            scripted.group->Flush();
        }
        NS_TEST_ASSERT_MSG_EQ(calls.accepted.size(), 2, "Both connections");
        NS_TEST_EXPECT_MSG_EQ(calls.accepted[0]->GetRxAvailable(), 1, "Packet of the first");
        NS_TEST_EXPECT_MSG_EQ(calls.accepted[1]->GetRxAvailable(), 2, "Packet of the second");

        const auto client = scripted.OpenAt(0, 1000, SEQPACKET);
        client->Connect(scripted.At(1, PORT));
        scripted.group->Flush();
        scripted.group->SetRoom(0);
        client->Send(Create<Packet>(3));
        client->Close();
        const auto next = scripted.Open(0, SEQPACKET);
        NS_TEST_EXPECT_MSG_EQ(next->Bind(scripted.At(0, 1000)),
                              -1,
                              "The port is in use while messages wait");
        scripted.group->SetRoom(100);
        NS_TEST_EXPECT_MSG_EQ(next->Bind(scripted.At(0, 1000)), 0, "Then it is free");
        scripted.group->Flush();
        NS_TEST_EXPECT_MSG_EQ(calls.accepted.at(2)->GetRxAvailable(), 3, "Packet that waited");
    }

    /** A client that has nothing more to send, and still receives. */
    void CheckShutdown()
    {
        Scripted scripted;
        Calls atServer;
        const auto server = scripted.OpenAt(1, PORT, SEQPACKET);
        atServer.Watch(server);
        server->Listen();
        const auto client = scripted.Open(0, SEQPACKET);
        Calls atClient;
        atClient.Watch(client);
        client->Connect(scripted.At(1, PORT));
        scripted.group->Flush();
        NS_TEST_ASSERT_MSG_EQ(atServer.accepted.size(), 1, "Accepted");
        const auto accepted = atServer.accepted[0];
        Calls atAccepted;
        atAccepted.Watch(accepted);
        client->ShutdownSend();
        scripted.group->Flush();
        NS_TEST_EXPECT_MSG_EQ(atAccepted.closed, 1, "The client sends no more");
        accepted->Send(Create<Packet>(5));
        accepted->Close();
        scripted.group->Flush();
        NS_TEST_EXPECT_MSG_EQ(client->GetRxAvailable(), 5, "The client receives");
        NS_TEST_EXPECT_MSG_EQ(atClient.closed, 1, "The server has closed");
        NS_TEST_EXPECT_MSG_EQ(atClient.broken + atAccepted.broken, 0, "No error");
    }
};

/** Destinations of datagrams. */
class DestinationTestCase : public TestCase
{
  public:
    DestinationTestCase()
        : TestCase("Ports, the node itself and broadcasts")
    {
    }

  private:
    void DoRun() override
    {
        MessageSocketHelper helper("none");
        const auto interfaces = helper.Install(CreateObject<LoopbackNetwork>(), 3);
        const auto factory = TypeId::LookupByName(DATAGRAM);
        std::vector<Ptr<Socket>> sockets;
        for (uint32_t node = 0; node < 3; ++node)
        {
            for (const uint16_t port : {PORT, uint16_t{PORT + 1}})
            {
                sockets.push_back(Socket::CreateSocket(interfaces.GetNodes().Get(node), factory));
                sockets.back()->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
                sockets.back()->SetAllowBroadcast(true);
            }
        }
        const auto send = [&](uint32_t bytes, Ipv4Address address, uint16_t port) {
            sockets[0]->SendTo(Create<Packet>(bytes), 0, InetSocketAddress(address, port));
        };
        send(1, interfaces.GetAddress(0), PORT + 1);
        send(2, interfaces.GetAddress(1), PORT);
        send(4, interfaces.GetAddress(1), PORT + 1);
        send(8, interfaces.GetBroadcast(), PORT);
        send(16, Ipv4Address::GetBroadcast(), PORT + 1);
        Simulator::Run();
        const std::vector<uint32_t> expected{0, 1, 2 + 8, 4 + 16, 8, 16};
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(sockets[i]->GetRxAvailable(),
                                  expected[i],
                                  "Received by port " << i % 2 << " of node " << i / 2);
        }
        Simulator::Destroy();
    }
};

/** The helper on nodes with an Internet stack, and a protocol over it. */
class InternetTestCase : public TestCase
{
  public:
    InternetTestCase()
        : TestCase("On nodes with an Internet stack, UDP stays UDP, and TCP can be the protocol")
    {
    }

  private:
    void DoRun() override
    {
        NodeContainer nodes(2);
        const auto devices = CsmaHelper().Install(nodes);
        InternetStackHelper().Install(nodes);
        Ipv4AddressHelper("10.2.0.0", "255.255.0.0").Assign(devices);
        const auto interfaces = MessageSocketHelper("tcp").Install(devices);
        const auto udp = Socket::CreateSocket(nodes.Get(0), UdpSocketFactory::GetTypeId());
        NS_TEST_EXPECT_MSG_EQ(DynamicCast<MessageSocket>(udp), nullptr, "UDP");

        const auto factory = TypeId::LookupByName(DATAGRAM);
        const auto sender = Socket::CreateSocket(nodes.Get(0), factory);
        const auto receiver = Socket::CreateSocket(nodes.Get(1), factory);
        receiver->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        sender->SendTo(Create<Packet>(30000), 0, InetSocketAddress(interfaces.GetAddress(1), PORT));
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(receiver->GetRxAvailable(), 30000, "A packet as a message over TCP");
        Simulator::Destroy();
    }
};

/** All tests of sockets over protocols. */
class SocketTestSuite : public TestSuite
{
  public:
    SocketTestSuite()
        : TestSuite("messaging-socket", Type::UNIT)
    {
        AddTestCase(new SocketHeaderTestCase, TestCase::Duration::QUICK);
        AddTestCase(new PacketStoreTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ApplicationsOverProtocolsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new PacketContentsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new DropsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new SocketErrorsTestCase, TestCase::Duration::QUICK);
        AddTestCase(new BackPressureTestCase, TestCase::Duration::QUICK);
        AddTestCase(new SocketFailureTestCase, TestCase::Duration::QUICK);
        AddTestCase(new ConnectionTestCase, TestCase::Duration::QUICK);
        AddTestCase(new DestinationTestCase, TestCase::Duration::QUICK);
        AddTestCase(new InternetTestCase, TestCase::Duration::QUICK);
    }
};

/** The suite, which registers itself. */
static SocketTestSuite g_socketTestSuite;

} // namespace tests
} // namespace messaging
} // namespace ns3
