/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/channel.h"
#include "ns3/error-model.h"
#include "ns3/ethernet-header.h"
#include "ns3/messaging-plain-net-device.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <string>

/**
 * @file
 * @ingroup messaging
 * Tests of what devices have in common: to whom a packet that arrives is handed up.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** A device without a network: the test makes packets arrive. */
class BareDevice : public PlainNetDevice
{
  public:
    /**
     * Receive a packet of 100 bytes.
     * @param to its destination
     */
    void Arrive(const char* to)
    {
        Ptr<Packet> packet = Create<Packet>(100);
        EthernetHeader header(false);
        header.SetSource(Mac48Address("00:00:00:00:00:09"));
        header.SetDestination(Mac48Address(to));
        header.SetLengthType(0x0800);
        packet->AddHeader(header);
        Receive(packet);
    }

    Ptr<Channel> GetChannel() const override
    {
        return nullptr;
    }

    bool SendFrom(Ptr<Packet> packet,
                  const Address&,
                  const Address& dest,
                  uint16_t protocol) override
    {
        return Send(packet, dest, protocol);
    }

  protected:
    void Transmit() override
    {
    }
};

/** A packet goes to the node, to its promiscuous listener, or to neither. */
class ReceiveTestCase : public TestCase
{
  public:
    ReceiveTestCase()
        : TestCase("To whom a packet is handed up")
    {
    }

  private:
    /**
     * Receive a packet, and compare the resulting callbacks and traces.
     * @param to its destination
     * @param expected the expected callbacks and traces, in order
     * @param message description of the case
     */
    void CheckReceive(const char* to, const std::string& expected, const std::string& message)
    {
        m_seen.clear();
        m_device->Arrive(to);
        NS_TEST_EXPECT_MSG_EQ(m_seen, expected, message);
    }

    void DoRun() override
    {
        m_device = CreateObject<BareDevice>();
        m_device->SetAddress(Mac48Address("00:00:00:00:00:01"));
        m_device->SetReceiveCallback(NetDevice::ReceiveCallback(
            [this](Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t protocol, const Address&) {
                NS_TEST_EXPECT_MSG_EQ(packet->GetSize(),
                                      100,
                                      "size of the packet without its header");
                NS_TEST_EXPECT_MSG_EQ(protocol, 0x0800, "type of the packet");
                m_seen += "node ";
                return m_taken;
            }));
        m_device->TraceConnectWithoutContext("MacRxDrop", Note("unwanted "));
        m_device->TraceConnectWithoutContext("PhyRxDrop", Note("damaged "));
        m_device->SetLinkUp(true);
        CheckReceive("00:00:00:00:00:01", "", "a device without a node receives nothing");
        Ptr<Node> node = CreateObject<Node>();
        m_device->SetNode(node);
        CheckReceive("00:00:00:00:00:01", "node ", "its address");
        CheckReceive("00:00:00:00:00:02", "", "another address");
        CheckReceive("ff:ff:ff:ff:ff:ff", "node ", "broadcast");
        CheckReceive("01:00:5e:00:00:05", "node ", "multicast");

        m_device->SetPromiscReceiveCallback(
            NetDevice::PromiscReceiveCallback([this](Ptr<NetDevice>,
                                                     Ptr<const Packet>,
                                                     uint16_t,
                                                     const Address&,
                                                     const Address&,
                                                     NetDevice::PacketType type) {
                m_seen += "all:" + std::to_string(type) + " ";
                return true;
            }));
        const auto kind = [](NetDevice::PacketType type) {
            return "all:" + std::to_string(type) + " ";
        };
        CheckReceive("00:00:00:00:00:02", kind(NetDevice::PACKET_OTHERHOST), "another address");
        CheckReceive("00:00:00:00:00:01", kind(NetDevice::PACKET_HOST) + "node ", "its address");
        m_device->SetAddress(Mac48Address("00:00:00:00:00:02"));
        CheckReceive("00:00:00:00:00:01", kind(NetDevice::PACKET_OTHERHOST), "its former address");

        m_taken = false;
        CheckReceive("00:00:00:00:00:02",
                     kind(NetDevice::PACKET_HOST) + "node unwanted ",
                     "of a type without a handler");
        m_device->SetLinkUp(false);
        CheckReceive("00:00:00:00:00:02", "", "the link is down");
        m_device->SetLinkUp(true);
        Ptr<RateErrorModel> errors = CreateObject<RateErrorModel>();
        errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        errors->SetRate(1);
        m_device->SetReceiveErrorModel(errors);
        CheckReceive("00:00:00:00:00:02", "damaged ", "a damaged packet");
        m_device = nullptr;
        Simulator::Destroy();
    }

    /**
     * Make a trace sink.
     * @param text its record
     * @return the sink
     */
    Callback<void, Ptr<const Packet>> Note(const std::string& text)
    {
        return Callback<void, Ptr<const Packet>>(
            [this, text](Ptr<const Packet>) { m_seen += text; });
    }

    Ptr<BareDevice> m_device; ///< Device under test.
    std::string m_seen;       ///< Callbacks and traces of the last packet.
    bool m_taken{true};       ///< The node accepts the packet.
};

/** The devices. */
class MessagingPlainNetDeviceTestSuite : public TestSuite
{
  public:
    MessagingPlainNetDeviceTestSuite()
        : TestSuite("messaging-plain-net-device", Type::UNIT)
    {
        AddTestCase(new ReceiveTestCase, Duration::QUICK);
    }
};

MessagingPlainNetDeviceTestSuite g_messagingPlainNetDeviceTestSuite; ///< The suite.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
