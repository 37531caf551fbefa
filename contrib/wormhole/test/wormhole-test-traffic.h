/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_TEST_TRAFFIC_H
#define WORMHOLE_TEST_TRAFFIC_H

#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/wormhole-network.h"

#include <map>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace wormhole
{
namespace tests
{

/** Attributes by name, as text. */
using Settings = std::map<std::string, std::string>;

/**
 * Create a network that does not depend on calibrated defaults.
 * @param given attributes
 * @return the network
 */
inline Ptr<WormholeNetwork>
MakeNetwork(const Settings& given)
{
    Settings settings{{"SourceBusy", "drop"},
                      {"ServiceOrder", "rotating"},
                      {"Arbitration", "first-come"},
                      {"ThroughFirst", "true"},
                      {"CreditDelay", "0"},
                      {"ChannelsPerLeaf", "4"},
                      {"InjectionPorts", "1"},
                      {"EjectionPorts", "1"}};
    for (const auto& [name, value] : given)
    {
        settings[name] = value;
    }
    auto network = CreateObject<WormholeNetwork>();
    for (const auto& [name, value] : settings)
    {
        network->SetAttribute(name, StringValue(value));
    }
    network->AssignStreams(100);
    return network;
}

/** @param counters the counters of a network @return all of them as a text. */
inline std::string
CountersText(const Counters& counters)
{
    std::ostringstream text;
    text << "offered " << counters.offered << ", refused " << counters.refused << ", injected "
         << counters.injected << ", delivered " << counters.delivered << ", hops " << counters.hops
         << ", misroutes " << counters.misroutes << ", flits " << counters.flitsInjected << " "
         << counters.flitsDelivered << " " << counters.flitsDrained << ", drops";
    for (const uint64_t drops : counters.drops)
    {
        text << " " << drops;
    }
    return text.str();
}

/** Drives a network cycle by cycle, and records arrivals. */
class Traffic : public messaging::PortUser
{
  public:
    /** A frame that has arrived. */
    struct Arrival
    {
        Ticks when;  ///< Cycle.
        Peer from;   ///< Sender.
        Peer to;     ///< Receiver.
        uint64_t id; ///< ID of the frame.

        /** Equality of every field. @return True if all fields are equal. */
        bool operator==(const Arrival&) const = default;

        /** Write an arrival. @param os a stream @param arrival the arrival @return the stream */
        friend std::ostream& operator<<(std::ostream& os, const Arrival& arrival)
        {
            return os << "frame " << arrival.id << " from " << arrival.from << " to " << arrival.to
                      << " in cycle " << arrival.when;
        }
    };

    /**
     * Listen to a network.
     * @param network the network
     */
    explicit Traffic(Ptr<WormholeNetwork> network)
        : m_network(network),
          m_random(CreateObject<UniformRandomVariable>())
    {
        m_random->SetStream(1);
        network->GetNativePort()->SetUser(this);
    }

    ~Traffic() override
    {
        m_network->GetNativePort()->SetUser(nullptr);
    }

    void OnFrame(Peer self, Peer from, const Frame& frame) override
    {
        arrivals.push_back(Arrival{now, from, self, frame.id});
    }

    void OnReady(Peer self) override
    {
        ready.emplace_back(now, self);
    }

    /**
     * Send a frame.
     * @param from source
     * @param to destination
     * @param bytes its length
     * @return the result of Send
     */
    bool Send(Peer from, Peer to, uint32_t bytes)
    {
        Frame frame;
        frame.id = sent.size();
        frame.payload = bytes;
        sent.push_back(now);
        return m_network->GetNativePort()->Send(from, to, frame);
    }

    /**
     * Send a frame, and execute cycles until the network is idle.
     * @param from source
     * @param to destination
     * @param bytes its length
     */
    void SendAndDrain(Peer from, Peer to, uint32_t bytes)
    {
        Send(from, to, bytes);
        Drain();
    }

    /** Execute one cycle. @return whether there is more work */
    bool Step()
    {
        const bool more = m_network->GetNativePort()->Step(now);
        ++now;
        return more;
    }

    /**
     * Execute cycles, also idle ones.
     * @param cycles number of cycles
     */
    void Pass(Ticks cycles)
    {
        for (Ticks n = 0; n < cycles; ++n)
        {
            Step();
        }
    }

    /**
     * Execute cycles until the network is idle.
     * @param limit maximum number of cycles
     */
    void Drain(Ticks limit = 1000000)
    {
        for (Ticks n = 0; n < limit && Step(); ++n)
        {
        }
    }

    /**
     * Send frames between random nodes, and then drain the network.
     * @param cycles duration [cycles]
     * @param rate frames per node and cycle
     * @param minBytes shortest frame
     * @param maxBytes longest frame
     */
    void SendUniform(Ticks cycles, double rate, uint32_t minBytes, uint32_t maxBytes)
    {
        const uint32_t n = m_network->GetNativePort()->GetNPeers();
        double due = 0;
        for (Ticks cycle = 0; cycle < cycles; ++cycle)
        {
            for (due += rate * n; due >= 1; --due)
            {
                const Peer from = m_random->GetInteger(0, n - 1);
                const Peer to = m_random->GetInteger(0, n - 1);
                Send(from, to, m_random->GetInteger(minBytes, maxBytes));
            }
            Step();
        }
        Drain();
    }

    Ticks now{0};                              ///< Next cycle.
    std::vector<Ticks> sent;                   ///< Cycle of Send by frame.
    std::vector<Arrival> arrivals;             ///< All arrivals.
    std::vector<std::pair<Ticks, Peer>> ready; ///< All calls of OnReady.

  private:
    Ptr<WormholeNetwork> m_network;      ///< The network.
    Ptr<UniformRandomVariable> m_random; ///< Draws nodes and lengths.
};

/** Checks the hops of a network: no channel may carry two packets at a time. */
class ChannelWatch
{
  public:
    /**
     * Watch a network.
     * @param network the network
     */
    explicit ChannelWatch(Ptr<WormholeNetwork> network)
        : m_network(network)
    {
        network->TraceConnectWithoutContext("Hop", MakeCallback(&ChannelWatch::OnHop, this));
    }

    ~ChannelWatch()
    {
        m_network->TraceDisconnectWithoutContext("Hop", MakeCallback(&ChannelWatch::OnHop, this));
    }

    uint64_t hops{0};       ///< Number of hops.
    uint64_t collisions{0}; ///< Hops over a link with all channels busy.
    uint64_t backwards{0};  ///< Hops in a lower dimension than the previous hop of the packet.
    std::map<Link, uint64_t> hopsOfLink;      ///< Hops by link.
    std::vector<std::pair<Ticks, Link>> path; ///< All hops in order.

  private:
    /**
     * Record a hop.
     * @param packet the packet
     * @param link the link
     * @param now the cycle
     */
    void OnHop(const Packet& packet, Link link, Ticks now)
    {
        ++hops;
        ++hopsOfLink[link];
        path.emplace_back(now, link);
        auto& busy = m_busy[link];
        std::erase_if(busy, [now](Ticks until) { return until <= now; });
        if (busy.size() >= m_network->GetNativePort()->GetShape().GetChannels(link))
        {
            ++collisions;
        }
        busy.push_back(now + packet.flits);
        const std::size_t sides = m_network->GetNativePort()->GetShape().GetSides().size();
        if (sides > 0)
        {
            const uint32_t dimension = link % (2 * sides) / 2;
            auto& last = m_dimension[packet.frame.id];
            if (dimension < last)
            {
                ++backwards;
            }
            last = dimension;
        }
    }

    Ptr<WormholeNetwork> m_network;            ///< The network.
    std::map<Link, std::vector<Ticks>> m_busy; ///< End of each packet by link.
    std::map<uint64_t, uint32_t> m_dimension;  ///< Dimension of the last hop by frame.
};

} // namespace tests
} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_TEST_TRAFFIC_H
