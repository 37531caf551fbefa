/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/boolean.h"
#include "ns3/mac48-address.h"
#include "ns3/messaging-link-network.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <tuple>
#include <vector>

/**
 * @file
 * @ingroup messaging-tests
 * The filter of a csma channel.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{
namespace
{

/** Stations on the channel. */
constexpr uint32_t STATIONS = 16;

/** Unicast frames of each station; one more is for all others. */
constexpr uint32_t UNICASTS = 5;

/** Payload of a frame [bytes]. */
constexpr uint32_t PAYLOAD = 500;

/** A run in which all stations send at once. */
class ChannelRun : private PortUser
{
  public:
    /** An arrival: time [ns], receiver, sender, and number of the frame. */
    using Arrival = std::tuple<int64_t, Peer, Peer, uint64_t>;

    /** @param promiscuous whether all stations receive all frames */
    explicit ChannelRun(bool promiscuous)
    {
        RngSeedManager::SetRun(1);
        const auto network = CreateObject<CsmaNetwork>();
        network->SetAttribute("Promiscuous", BooleanValue(promiscuous));
        network->Build(STATIONS);
        network->AssignStreams(1);
        const auto port = network->GetPort();
        port->SetUser(this);
        Simulator::ScheduleNow([port] {
            for (Peer self = 0; self < STATIONS; ++self)
            {
                for (uint32_t number = 0; number <= UNICASTS; ++number)
                {
                    const Peer to = number == 0 ? NO_PEER : (self + number) % STATIONS;
                    port->Send(self, to, Frame{.id = number, .payload = PAYLOAD});
                }
            }
        });
        const uint64_t before = Simulator::GetEventCount();
        Simulator::Run();
        m_events = Simulator::GetEventCount() - before;
        m_losses = network->GetLosses().GetTotal();
        port->SetUser(nullptr);
        network->Dispose();
        Simulator::Destroy();
    }

    std::vector<Arrival> m_arrivals; ///< Arrivals in their order.
    uint64_t m_events{0};            ///< Events of the simulator.
    uint64_t m_losses{0};            ///< Frames lost.

  private:
    void OnFrame(Peer self, Peer from, const Frame& frame) override
    {
        m_arrivals.emplace_back(Simulator::Now().GetNanoSeconds(), self, from, frame.id);
    }

    void OnReady(Peer) override
    {
    }
};

/** Frames arrive as without the filter, and a unicast frame costs no event of other stations. */
class ReceiversTestCase : public TestCase
{
  public:
    ReceiversTestCase()
        : TestCase("equal arrivals, fewer events")
    {
    }

  private:
    void DoRun() override
    {
        const ChannelRun whole(true);
        const ChannelRun filtered(false);
        NS_TEST_EXPECT_MSG_EQ(filtered.m_arrivals.size(),
                              STATIONS * (UNICASTS + STATIONS - 1),
                              "every frame arrives at each of its receivers");
        NS_TEST_EXPECT_MSG_EQ((filtered.m_arrivals == whole.m_arrivals),
                              true,
                              "the same frames arrive at the same times in the same order");
        NS_TEST_EXPECT_MSG_EQ(whole.m_events - filtered.m_events,
                              STATIONS * UNICASTS * (STATIONS - 2),
                              "a unicast frame is no event of the stations between which it does "
                              "not pass");
        NS_TEST_EXPECT_MSG_EQ(filtered.m_losses, 0, "nothing is lost");
    }
};

/** A frame to an address that no station has is a loss of the channel. */
class UnknownAddressTestCase : public TestCase
{
  public:
    UnknownAddressTestCase()
        : TestCase("frame to an unknown address")
    {
    }

  private:
    void DoRun() override
    {
        const auto network = CreateObject<CsmaNetwork>();
        network->BuildDevices(STATIONS);
        const auto device = network->GetDevices().Get(0);
        constexpr uint16_t PROTOCOL = 0x0800;
        for (const char* address : {"02:00:00:00:ff:ff", "02:00:00:00:ff:fe"})
        {
            device->Send(Create<Packet>(PAYLOAD), Mac48Address(address), PROTOCOL);
        }
        device->Send(Create<Packet>(PAYLOAD), network->GetDevices().Get(1)->GetAddress(), PROTOCOL);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network->GetLosses().Get("channel: no station has the address"),
                              2,
                              "frames without a receiver");
        NS_TEST_EXPECT_MSG_EQ(network->GetLosses().GetTotal(), 2, "no other losses");
        network->Dispose();
        Simulator::Destroy();
    }
};

/** The test suite. */
class CsmaReceiversTestSuite : public TestSuite
{
  public:
    CsmaReceiversTestSuite()
        : TestSuite("messaging-csma-receivers", Type::UNIT)
    {
        AddTestCase(new ReceiversTestCase, TestCase::Duration::QUICK);
        AddTestCase(new UnknownAddressTestCase, TestCase::Duration::QUICK);
    }
};

static CsmaReceiversTestSuite g_csmaReceiversTestSuite; ///< The test suite.

} // namespace
} // namespace tests
} // namespace messaging
} // namespace ns3
