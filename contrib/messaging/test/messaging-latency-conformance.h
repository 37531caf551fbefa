/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LATENCY_CONFORMANCE_H
#define MESSAGING_LATENCY_CONFORMANCE_H

#include "ns3/messaging-network.h"
#include "ns3/messaging-text.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging-tests
 * Latency of an idle network, by both doors, and its closed form.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{

/** A latency and its closed form. */
struct CalmLatency
{
    std::string name;                                              ///< Name of the case.
    std::vector<std::pair<std::string, std::string>> attributes{}; ///< Attributes of the network.
    uint32_t bytes{1000};  ///< Bytes of the frame, its header included, or of the packet.
    double frame{0};       ///< Closed form for a frame [ns]; 0 for none.
    double packet{0};      ///< Closed form for a packet of a device [ns]; 0 for none.
    double tolerance{0.5}; ///< Tolerance [ns].
    uint16_t header{0};    ///< Part of the frame that is its header [bytes].
    uint32_t peers{4};     ///< Number of peers; the first sends to the second.
};

/**
 * @ingroup messaging-tests
 * Measures the latency of the second of two frames or packets, long after the first, which fills
 * caches and tables of addresses.
 */
class CalmTraffic : private PortUser
{
  public:
    /**
     * Construct.
     * @param make creates the network
     * @param calm attributes and bytes
     */
    CalmTraffic(const std::function<Ptr<Network>()>& make, const CalmLatency& calm)
        : m_network(make()),
          m_calm(calm)
    {
        for (const auto& [name, value] : calm.attributes)
        {
            m_network->SetAttribute(name, StringValue(value));
        }
    }

    /** @return the latency of a frame [ns]. */
    double MeasureFrame()
    {
        m_network->Build(m_calm.peers);
        m_network->AssignStreams(1);
        const auto port = m_network->GetPort();
        port->SetUser(this);
        Frame frame;
        frame.header = m_calm.header;
        frame.payload = m_calm.bytes - m_calm.header;
        return Run(0, [port, frame] { port->Send(0, 1, frame); });
    }

    /** @return the latency of a packet [ns]. */
    double MeasurePacket()
    {
        m_network->BuildDevices(m_calm.peers);
        m_network->AssignStreams(1);
        const auto& devices = m_network->GetDevices();
        devices.Get(1)->SetReceiveCallback(
            [this](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&) {
                m_arrived = Simulator::Now();
                return true;
            });
        const auto send = [this, devices] {
            constexpr uint16_t IPV4 = 0x0800;
            devices.Get(0)->Send(ns3::Create<Packet>(m_calm.bytes),
                                 devices.Get(1)->GetAddress(),
                                 IPV4);
        };
        // A switch learns the receiver's address, so that it need not flood.
        return Run(devices.Get(0)->GetNode()->GetId(), send);
    }

  private:
    void OnFrame(Peer, Peer, const Frame&) override
    {
        m_arrived = Simulator::Now();
    }

    void OnReady(Peer) override
    {
    }

    /**
     * Send twice.
     * @param context context of the sender
     * @param send sends a frame or packet
     * @return latency of the second [ns]
     */
    double Run(uint32_t context, const std::function<void()>& send)
    {
        const Time second = MilliSeconds(100);
        Simulator::ScheduleWithContext(context, Time(0), [send] { send(); });
        Simulator::ScheduleWithContext(context, second, [send] { send(); });
        Simulator::Stop(2 * second);
        Simulator::Run();
        m_network->Dispose();
        Simulator::Destroy();
        return (m_arrived - second).GetSeconds() * 1e9;
    }

    Ptr<Network> m_network; ///< The network.
    CalmLatency m_calm;     ///< Attributes and bytes.
    Time m_arrived;         ///< Time of the last arrival.
};

/**
 * @ingroup messaging-tests
 * Latencies of a network by both doors equal their closed forms.
 *
 * @tparam N the network
 */
template <class N>
class CalmLatencyTestCase : public TestCase
{
  public:
    /** @param latencies the closed forms */
    explicit CalmLatencyTestCase(std::vector<CalmLatency> latencies)
        : TestCase("calm latencies: " + N::GetTypeId().GetName()),
          m_latencies(std::move(latencies))
    {
    }

  private:
    void DoRun() override
    {
        const auto make = [] { return Ptr<Network>(CreateObject<N>()); };
        for (const CalmLatency& calm : m_latencies)
        {
            if (calm.frame > 0)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(CalmTraffic(make, calm).MeasureFrame(),
                                          calm.frame,
                                          calm.tolerance,
                                          calm.name << ", frame of " << calm.bytes);
            }
            if (calm.packet > 0)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(CalmTraffic(make, calm).MeasurePacket(),
                                          calm.packet,
                                          calm.tolerance,
                                          calm.name << ", packet of " << calm.bytes);
            }
        }
    }

    std::vector<CalmLatency> m_latencies; ///< Closed forms.
};

} // namespace tests
} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LATENCY_CONFORMANCE_H
