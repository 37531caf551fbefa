/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MYRINET_TEST_NETWORK_H
#define MYRINET_TEST_NETWORK_H

#include "ns3/myrinet-network.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <map>
#include <vector>

/**
 * @file
 * A network under test, with a record of arrivals and losses.
 */

namespace ns3
{
namespace myrinet
{
namespace tests
{

/** Attributes by name, as texts. */
using Settings = std::map<std::string, std::string>;

/**
 * Set an attribute of a network, or its number of nodes.
 * @param network the network
 * @param name name of the attribute, or Nodes
 * @param value its value
 */
inline void
Set(Ptr<MyrinetNetwork> network, const std::string& name, const std::string& value)
{
    if (name == "Nodes")
    {
        network->SetNodes(static_cast<uint32_t>(std::stoul(value)));
    }
    else
    {
        network->SetAttribute(name, StringValue(value));
    }
}

/** A frame that has arrived. */
struct Arrival
{
    Peer to;     ///< Receiver.
    Peer from;   ///< Sender.
    Ticks when;  ///< Time of arrival [ns].
    Frame frame; ///< The frame.
};

/** A packet that was lost. */
struct Loss
{
    Packet packet;     ///< The packet.
    DropReason reason; ///< Reason.
    ChannelId channel; ///< Channel.
    Instant when;      ///< Time [ps].
};

/** A network and its clock, with a record of arrivals and losses. */
class TestNetwork : private messaging::PortUser, private messaging::TickUser
{
  public:
    /**
     * Construct.
     * @param settings attributes of the network, and Nodes
     */
    explicit TestNetwork(const Settings& settings)
        : clock(CreateObject<messaging::TickClock>()),
          myrinet(CreateObject<MyrinetNetwork>()),
          m_number(clock->Register(this))
    {
        for (const auto& [name, value] : settings)
        {
            Set(myrinet, name, value);
        }
        myrinet->SetClock(clock);
        myrinet->AssignStreams(1);
        myrinet->TraceConnectWithoutContext("Drop", MakeCallback(&TestNetwork::OnDrop, this));
        port = myrinet->GetNativePort();
        port->SetUser(this);
    }

    ~TestNetwork() override
    {
        myrinet->Dispose();
        clock->Dispose();
        Simulator::Destroy();
    }

    TestNetwork(const TestNetwork&) = delete;
    TestNetwork& operator=(const TestNetwork&) = delete;

    /**
     * Send a frame at a time, or as soon as the send engine is free.
     * @param when the time [ns]
     * @param from source
     * @param to destination
     * @param bytes its payload
     */
    void Send(Ticks when, Peer from, Peer to, uint32_t bytes)
    {
        Frame frame;
        frame.id = m_planned.size();
        frame.contents = frame.id * 7919;
        frame.payload = bytes;
        m_planned.push_back({to, frame});
        clock->At(when, m_number, from, frame.id);
    }

    /**
     * Run.
     * @param until end; without limit if zero
     */
    void Run(Time until = Time(0))
    {
        if (!until.IsZero())
        {
            Simulator::Stop(until - Simulator::Now());
        }
        Simulator::Run();
    }

    /** @return whether each packet is accounted for. */
    bool IsConserved() const
    {
        const Counters& c = port->GetCounters();
        return c.offered == c.delivered + c.GetAllDrops() + port->GetFabric().GetNInFlight() &&
               c.delivered == arrivals.size() && c.GetAllDrops() == losses.size();
    }

    /** @return the highest level of any slack buffer [characters]. */
    uint32_t GetFullest() const
    {
        uint32_t fullest = 0;
        const auto table = port->MakeLinkTable();
        for (const auto& column : table->GetColumns())
        {
            if (column.name == "fullest")
            {
                for (const int64_t cell : std::get<std::vector<int64_t>>(column.cells))
                {
                    fullest = std::max(fullest, static_cast<uint32_t>(cell));
                }
            }
        }
        return fullest;
    }

    Ptr<messaging::TickClock> clock; ///< The clock.
    Ptr<MyrinetNetwork> myrinet;     ///< The network.
    Ptr<MyrinetPort> port;           ///< Its port.
    std::vector<Arrival> arrivals;   ///< Arrivals, in order.
    std::vector<Loss> losses;        ///< Losses, in order.

  private:
    /** A scheduled frame. */
    struct Planned
    {
        Peer to;     ///< Destination.
        Frame frame; ///< The frame.
    };

    void OnFrame(Peer self, Peer from, const Frame& frame) override
    {
        arrivals.push_back(Arrival{self, from, clock->Now(), frame});
    }

    void OnReady(Peer self) override
    {
        auto& queue = m_waiting[self];
        while (!queue.empty() &&
               port->Send(self, m_planned[queue.front()].to, m_planned[queue.front()].frame))
        {
            queue.erase(queue.begin());
        }
    }

    void OnTick(Peer peer, uint64_t datum) override
    {
        auto& queue = m_waiting[peer];
        queue.push_back(datum);
        if (queue.size() == 1)
        {
            OnReady(peer);
        }
    }

    /**
     * Record a lost packet.
     * @param packet the packet
     * @param reason reason of the loss
     * @param channel channel of the loss
     * @param when time of the loss [ps]
     */
    void OnDrop(const Packet& packet, DropReason reason, ChannelId channel, Instant when)
    {
        losses.push_back(Loss{packet, reason, channel, when});
    }

    uint32_t m_number;                               ///< User number at the clock.
    std::vector<Planned> m_planned;                  ///< All frames.
    std::map<Peer, std::vector<uint64_t>> m_waiting; ///< Waiting frames by host.
};

} // namespace tests
} // namespace myrinet
} // namespace ns3

#endif // MYRINET_TEST_NETWORK_H
