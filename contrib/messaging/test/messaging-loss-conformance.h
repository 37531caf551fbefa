/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_LOSS_CONFORMANCE_H
#define MESSAGING_LOSS_CONFORMANCE_H

#include "ns3/callback.h"
#include "ns3/messaging-network.h"
#include "ns3/messaging-text.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup messaging-tests
 * Check that a network counts each loss once.
 */

namespace ns3
{
namespace messaging
{
namespace tests
{

/** A network, and a load for it. */
struct LossLoad
{
    std::string name;                                              ///< Name of the load.
    std::vector<std::pair<std::string, std::string>> attributes{}; ///< Attributes of the network.
    std::string place{};       ///< Begin of a place that loses frames by both doors, or empty.
    uint32_t peers{4};         ///< Number of peers.
    uint32_t frames{200};      ///< Frames of each peer.
    uint32_t bytes{1000};      ///< Payload of a frame [bytes].
    bool broadcast{false};     ///< Every other frame is for all others.
    bool devices{true};        ///< Check the devices, too.
    bool slow{false};          ///< The first peer does not accept frames for a time.
    Time limit{Seconds(1000)}; ///< Time at which nothing is in flight any more.
};

/**
 * @ingroup messaging-tests
 * Sends frames of all peers at once through the port of a network, or packets through its devices,
 * until nothing is in flight, and compares the counts.
 */
class LossConformance : private PortUser
{
  public:
    /**
     * Construct.
     * @param make creates the network
     * @param load attributes and load
     */
    LossConformance(const std::function<Ptr<Network>()>& make, const LossLoad& load)
        : m_network(make()),
          m_load(load),
          m_left(load.peers, load.frames)
    {
        RngSeedManager::SetRun(1);
        for (const auto& [name, value] : load.attributes)
        {
            m_network->SetAttribute(name, StringValue(value));
        }
        m_network->TraceConnectWithoutContext(
            "Loss",
            Callback<void, const std::string&, uint64_t>(
                [this](const std::string&, uint64_t copies) { m_traced += copies; }));
    }

    /** @return empty if each frame has arrived or is one loss, else a sentence. */
    std::string CheckPort()
    {
        m_network->Build(m_load.peers);
        m_network->AssignStreams(1);
        const auto port = m_network->GetPort();
        port->SetUser(this);
        if (m_load.slow)
        {
            port->SetAccepting(0, false);
            Simulator::Schedule(MilliSeconds(200), [port] { port->SetAccepting(0, true); });
        }
        for (Peer self = 0; self < m_load.peers; ++self)
        {
            Simulator::ScheduleNow([this, self] { SendFrames(self); });
        }
        Simulator::Stop(m_load.limit);
        Simulator::Run();
        port->SetUser(nullptr);
        return Finish();
    }

    /** @return empty if each packet has arrived or is one loss, else a sentence. */
    std::string CheckDevices()
    {
        m_network->BuildDevices(m_load.peers);
        m_network->AssignStreams(1);
        for (Peer self = 0; self < m_load.peers; ++self)
        {
            const auto device = m_network->GetDevices().Get(self);
            device->SetReceiveCallback(
                [this](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&) {
                    ++m_arrived;
                    return true;
                });
            Simulator::ScheduleWithContext(device->GetNode()->GetId(), Time(0), [this, self] {
                SendPackets(self);
            });
        }
        Simulator::Stop(m_load.limit);
        Simulator::Run();
        return Finish();
    }

  private:
    /** EtherType of the packets: that of IPv4, which PPP carries, too. */
    static constexpr uint16_t PROTOCOL = 0x0800;

    void OnFrame(Peer, Peer, const Frame&) override
    {
        ++m_arrived;
    }

    void OnReady(Peer self) override
    {
        SendFrames(self);
    }

    /**
     * Get the destination of the next frame of a peer: the first peer more often than others.
     * @param self the peer
     * @return the destination, or NO_PEER for all others
     */
    Peer GetDestination(Peer self) const
    {
        const uint32_t number = m_left[self];
        if (m_load.broadcast && number % 2 == 0)
        {
            return NO_PEER;
        }
        if (self != 0 && number % 3 != 0)
        {
            return 0;
        }
        return (self + 1 + number % (m_load.peers - 1)) % m_load.peers;
    }

    /** Count a frame to be sent. @param to its destination */
    void Count(Peer to)
    {
        m_sent += to == NO_PEER ? m_load.peers - 1 : 1;
    }

    /** Send the frames of a peer until its port is busy. @param self the peer */
    void SendFrames(Peer self)
    {
        Frame frame;
        frame.payload = std::min(m_load.bytes, m_network->GetPort()->GetInfo().mtu);
        while (m_left[self] > 0)
        {
            const Peer to = GetDestination(self);
            if (!m_network->GetPort()->Send(self, to, frame))
            {
                return;
            }
            Count(to);
            --m_left[self];
        }
    }

    /** Send all packets of a peer. @param self the peer */
    void SendPackets(Peer self)
    {
        const auto& devices = m_network->GetDevices();
        for (; m_left[self] > 0; --m_left[self])
        {
            const Peer to = GetDestination(self);
            const auto device = devices.Get(self);
            const Address address =
                to == NO_PEER ? device->GetBroadcast() : devices.Get(to)->GetAddress();
            device->Send(ns3::Create<Packet>(m_load.bytes), address, PROTOCOL);
            Count(to);
        }
    }

    /** End the run. @return empty, or a sentence */
    std::string Finish()
    {
        const LossCounts losses = m_network->GetLosses();
        m_network->Dispose();
        Simulator::Destroy();
        if (m_sent != m_arrived + losses.GetTotal())
        {
            std::string text = ToText(m_load.name,
                                      ": of ",
                                      m_sent,
                                      " frames ",
                                      m_arrived,
                                      " have arrived and ",
                                      losses.GetTotal(),
                                      " are lost:");
            for (const auto& [place, count] : losses.GetRows())
            {
                text += ToText(" ", place, " ", count);
            }
            return text;
        }
        if (m_traced != losses.GetTotal())
        {
            return ToText(m_load.name,
                          ": the trace source has reported ",
                          m_traced,
                          " losses of ",
                          losses.GetTotal());
        }
        const auto& rows = losses.GetRows();
        const bool found = std::any_of(rows.begin(), rows.end(), [this](const auto& row) {
            return row.first.starts_with(m_load.place);
        });
        if (!m_load.place.empty() && !found)
        {
            return ToText(m_load.name, ": nothing is lost at \"", m_load.place, "\"");
        }
        return "";
    }

    Ptr<Network> m_network;       ///< The network.
    LossLoad m_load;              ///< The load.
    std::vector<uint32_t> m_left; ///< Frames that each peer still has to send.
    uint64_t m_sent{0};           ///< Receivers of the frames sent.
    uint64_t m_arrived{0};        ///< Frames that have arrived.
    uint64_t m_traced{0};         ///< Losses reported by the trace source.
};

/**
 * @ingroup messaging-tests
 * A network counts each loss once, by the door of the port and by that of the devices.
 *
 * @tparam N the network
 */
template <class N>
class LossTestCase : public TestCase
{
  public:
    /**
     * Construct.
     * @param loads attributes and loads
     */
    explicit LossTestCase(std::vector<LossLoad> loads)
        : TestCase("each frame arrives or is one loss: " + N::GetTypeId().GetName()),
          m_loads(std::move(loads))
    {
    }

  private:
    void DoRun() override
    {
        const auto make = [] { return Ptr<Network>(CreateObject<N>()); };
        for (const LossLoad& load : m_loads)
        {
            NS_TEST_EXPECT_MSG_EQ(LossConformance(make, load).CheckPort(), "", "frames");
            if (make()->HasDevices() && load.devices)
            {
                NS_TEST_EXPECT_MSG_EQ(LossConformance(make, load).CheckDevices(), "", "packets");
            }
        }
    }

    std::vector<LossLoad> m_loads; ///< Attributes and loads.
};

} // namespace tests
} // namespace messaging
} // namespace ns3

#endif // MESSAGING_LOSS_CONFORMANCE_H
