/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_TEST_FABRIC_H
#define INFINIBAND_TEST_FABRIC_H

#include "infiniband-fabric-audit.h"

#include "ns3/infiniband-fabric.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <deque>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup infiniband
 * A fabric whose hosts send what a test gives them and record what arrives.
 */

namespace ns3
{
namespace infiniband
{
namespace tests
{

/** Names and values of attributes. */
using Settings = std::vector<std::pair<std::string, std::string>>;

/** A fabric with hosts that send at given times. */
class TestFabric : public FabricUser, public messaging::TickUser
{
  public:
    /** An arrived packet. */
    struct Arrival
    {
        HostId at;       ///< Receiver.
        HostId from;     ///< Sender.
        Ticks when;      ///< Time of arrival [ticks].
        uint64_t number; ///< Number of the packet, in the order of Plan.
        uint8_t path;    ///< LID used, relative to the first LID of the host.
    };

    /**
     * Build.
     * @param subnetSettings attributes of the subnet
     * @param fabricSettings attributes of the fabric
     * @param link constants of links and switches, before the attributes
     */
    TestFabric(const Settings& subnetSettings,
               const Settings& fabricSettings,
               const LinkConfig& link = {})
        : subnet(CreateObject<Subnet>()),
          fabric(CreateObject<Fabric>()),
          clock(CreateObject<messaging::TickClock>())
    {
        for (const auto& [name, value] : subnetSettings)
        {
            subnet->SetAttribute(name, StringValue(value));
        }
        fabric->SetLinkConfig(link);
        for (const auto& [name, value] : fabricSettings)
        {
            fabric->SetAttribute(name, StringValue(value));
        }
        fabric->AssignStreams(7);
        error = subnet->Build(fabric->GetLinkConfig().rate);
        if (error.empty())
        {
            fabric->Start(subnet, clock, this);
            m_number = clock->Register(this);
            m_waiting.resize(subnet->GetNHosts());
        }
    }

    ~TestFabric() override
    {
        fabric->Dispose();
        clock->Dispose();
        Simulator::Destroy();
    }

    TestFabric(const TestFabric&) = delete;
    TestFabric& operator=(const TestFabric&) = delete;

    /**
     * Schedule a packet.
     * @param when time at which it enters the host's queue [ticks]
     * @param from the host
     * @param to the receiver
     * @param bytes length on the wire [bytes]
     * @param path number of the receiver's LID
     * @param serviceLevel service level
     * @return its number
     */
    uint64_t Plan(Ticks when,
                  HostId from,
                  HostId to,
                  uint16_t bytes,
                  uint8_t path = 0,
                  uint8_t serviceLevel = 0)
    {
        return PlanLid(when, from, subnet->GetManager().GetLid(to, path), bytes, serviceLevel);
    }

    /**
     * Schedule a packet to a LID.
     * @param when time at which it enters the host's queue [ticks]
     * @param from the host
     * @param lid destination
     * @param bytes length on the wire [bytes]
     * @param serviceLevel service level
     * @return its number
     */
    uint64_t PlanLid(Ticks when, HostId from, Lid lid, uint16_t bytes, uint8_t serviceLevel = 0)
    {
        m_plans.push_back(Planned{from, lid, bytes, serviceLevel});
        clock->At(when, m_number, from, m_plans.size() - 1);
        return m_plans.size() - 1;
    }

    /** Run to the end, or until a time. @param until the time [ticks] */
    void Run(Ticks until = NEVER)
    {
        if (until != NEVER)
        {
            Simulator::Stop(NanoSeconds(until) - Simulator::Now());
        }
        Simulator::Run();
    }

    /**
     * @param number a packet
     * @return time of its first arrival, or NEVER
     */
    Ticks GetArrival(uint64_t number) const
    {
        for (const Arrival& arrival : arrivals)
        {
            if (arrival.number == number)
            {
                return arrival.when;
            }
        }
        return NEVER;
    }

    /** @return number of packets that wait at hosts. */
    uint64_t GetNWaiting() const
    {
        uint64_t all = 0;
        for (const auto& queue : m_waiting)
        {
            all += queue.size();
        }
        return all;
    }

    Ptr<Subnet> subnet;              ///< Topology and tables.
    Ptr<Fabric> fabric;              ///< The fabric.
    Ptr<messaging::TickClock> clock; ///< The clock.
    std::string error;               ///< Error of the subnet.
    std::vector<Arrival> arrivals;   ///< Arrivals in order.
    std::vector<uint64_t> lost;      ///< Numbers of lost packets.
    std::vector<DropReason> reasons; ///< Reasons of these losses.
    Ticks emptyAt{0};                ///< Earliest time at which receivers empty their buffers.
    bool readCounters{false};        ///< Read the counters at every packet.

  private:
    /** A scheduled packet. */
    struct Planned
    {
        HostId from;          ///< Sender.
        Lid to;               ///< Destination.
        uint16_t bytes;       ///< Length on the wire [bytes].
        uint8_t serviceLevel; ///< Service level.
    };

    void OnTick(messaging::Peer peer, uint64_t datum) override
    {
        m_waiting[peer].push_back(datum);
        InjectWaiting(peer);
    }

    Ticks OnPacket(HostId host, PacketIndex index) override
    {
        const infiniband::Packet& packet = fabric->Get(index);
        const auto path =
            static_cast<uint8_t>(packet.destination - subnet->GetManager().GetLid(host));
        arrivals.push_back(Arrival{host, packet.from, clock->Now(), packet.user[0], path});
        if (readCounters)
        {
            fabric->GetCounters();
        }
        return std::max(emptyAt, clock->Now());
    }

    void OnReady(HostId host, uint8_t) override
    {
        InjectWaiting(host);
    }

    void OnDrop(PacketIndex index, DropReason reason) override
    {
        lost.push_back(fabric->Get(index).user[0]);
        reasons.push_back(reason);
    }

    /**
     * Inject waiting packets as far as the host's output has room.
     * @param host the host
     */
    void InjectWaiting(HostId host)
    {
        auto& queue = m_waiting[host];
        while (!queue.empty() &&
               fabric->HasRoom(host, fabric->GetLane(m_plans[queue.front()].serviceLevel)))
        {
            const Planned& plan = m_plans[queue.front()];
            const PacketIndex index = fabric->New();
            infiniband::Packet& packet = fabric->Get(index);
            packet.user[0] = queue.front();
            packet.destination = plan.to;
            packet.bytes = plan.bytes;
            packet.serviceLevel = plan.serviceLevel;
            queue.pop_front();
            fabric->Inject(host, index);
        }
    }

    std::vector<Planned> m_plans;                ///< All packets.
    std::vector<std::deque<uint64_t>> m_waiting; ///< Waiting packets by host.
    uint32_t m_number{0};                        ///< User number at the clock.
};

/** Simple random numbers for patterns. */
class Draw
{
  public:
    /** @param seed seed of the sequence */
    explicit Draw(uint64_t seed)
        : m_state(seed * 0x9e3779b97f4a7c15ULL + 1)
    {
    }

    /** @param limit exclusive upper bound @return a number */
    uint32_t Below(uint32_t limit)
    {
        // The linear congruential generator of Knuth's MMIX.
        constexpr uint64_t MULTIPLIER = 6364136223846793005ULL;
        constexpr uint64_t INCREMENT = 1442695040888963407ULL;
        m_state = m_state * MULTIPLIER + INCREMENT;
        return static_cast<uint32_t>((m_state >> 33) % limit);
    }

  private:
    uint64_t m_state; ///< State of the sequence.
};

/**
 * Schedule failures of links between switches at random times.
 * @param fabric the fabric, started
 * @param draw random numbers
 * @param rate failure rate of each link [1/s]
 * @param repair duration of each failure [ns]
 * @param until latest start of a failure [ns]
 */
inline void
PlanRandomFailures(Fabric& fabric, Draw& draw, double rate, Ticks repair, Ticks until)
{
    const auto& ports = fabric.GetSubnet()->GetTopology().GetPorts();
    const auto& vertices = fabric.GetSubnet()->GetTopology().GetVertices();
    const auto isSwitch = [&](PortId port) {
        return vertices[ports[port].vertex].kind == Topology::Kind::SWITCH;
    };
    // The port with the smaller number represents the link; the link fails again only after its
    // repair.
    for (PortId port = 0; port < ports.size(); ++port)
    {
        const PortId peer = ports[port].peer;
        if (peer == NO_PORT || peer < port || !isSwitch(port) || !isSwitch(peer))
        {
            continue;
        }
        for (double when = 0; rate > 0; when += static_cast<double>(repair))
        {
            const double share = draw.Below(1U << 30) / static_cast<double>(1U << 30);
            when -= std::log1p(-share) / rate * 1e9;
            if (when >= static_cast<double>(until))
            {
                break;
            }
            fabric.PlanLink(port, false, static_cast<Ticks>(when));
            fabric.PlanLink(port, true, static_cast<Ticks>(when) + repair);
        }
    }
}

/**
 * @param topology a topology
 * @return number of switches on the longest of all shortest routes between two hosts
 */
inline uint32_t
GetDiameter(const Topology& topology)
{
    const auto& ports = topology.GetPorts();
    const auto& vertices = topology.GetVertices();
    // Hosts at one switch have the same distances, so one search per switch suffices.
    std::vector<uint32_t> leaves;
    for (HostId host = 0; host < topology.GetNHosts(); ++host)
    {
        const PortId peer = ports[vertices[host].firstPort].peer;
        if (leaves.empty() || leaves.back() != ports[peer].vertex)
        {
            leaves.push_back(ports[peer].vertex);
        }
    }
    std::sort(leaves.begin(), leaves.end());
    leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
    uint32_t longest = 0;
    std::vector<uint32_t> distance;
    std::vector<uint32_t> queue;
    for (const uint32_t from : leaves)
    {
        distance.assign(vertices.size(), 0);
        queue.assign(1, from);
        distance[from] = 1;
        for (std::size_t at = 0; at < queue.size(); ++at)
        {
            const Topology::Vertex& vertex = vertices[queue[at]];
            for (PortId port = vertex.firstPort; port < vertex.firstPort + vertex.nPorts; ++port)
            {
                const PortId peer = ports[port].peer;
                const uint32_t next = peer == NO_PORT ? from : ports[peer].vertex;
                if (vertices[next].kind == Topology::Kind::SWITCH && distance[next] == 0)
                {
                    distance[next] = distance[queue[at]] + 1;
                    queue.push_back(next);
                }
            }
        }
        for (const uint32_t to : leaves)
        {
            longest = std::max(longest, distance[to]);
        }
    }
    return longest;
}

/**
 * Find a cycle of buffers that could wait for each other.
 * @param topology a topology
 * @param manager its tables
 * @return an empty text, or one sentence with the cycle
 */
inline std::string
FindCreditLoop(const Topology& topology, const SubnetManager& manager)
{
    // The buffer at the end of a link depends on the links by which its packets can leave. Hosts
    // always accept packets, so only links between switches can form a cycle.
    const auto& ports = topology.GetPorts();
    const auto& vertices = topology.GetVertices();
    std::vector<uint64_t> next(ports.size(), 0);
    std::vector<Lid> seen(vertices.size(), 0);
    for (Lid lid = 1; lid < manager.GetSpan(); ++lid)
    {
        const uint32_t end = manager.GetVertex(lid);
        if (end == vertices.size() || vertices[end].kind == Topology::Kind::SWITCH)
        {
            continue;
        }
        for (HostId host = 0; host < topology.GetNHosts(); ++host)
        {
            const PortId leaf = ports[vertices[host].firstPort].peer;
            if (leaf == NO_PORT)
            {
                continue;
            }
            uint32_t vertex = ports[leaf].vertex;
            PortId last = NO_PORT;
            while (true)
            {
                const uint8_t out = manager.GetOut(vertex, lid);
                if (out == SubnetManager::NO_WAY)
                {
                    break;
                }
                if (last != NO_PORT)
                {
                    next[last] |= uint64_t{1} << (out - 1);
                }
                if (seen[vertex] == lid)
                {
                    break;
                }
                seen[vertex] = lid;
                last = vertices[vertex].firstPort + out - 1;
                vertex = ports[ports[last].peer].vertex;
                if (vertices[vertex].kind != Topology::Kind::SWITCH)
                {
                    break;
                }
            }
        }
    }
    enum class State : uint8_t
    {
        NEW,
        OPEN,
        DONE
    };
    std::vector<State> state(ports.size(), State::NEW);
    std::vector<PortId> path;
    for (PortId first = 0; first < ports.size(); ++first)
    {
        if (state[first] != State::NEW)
        {
            continue;
        }
        path.assign(1, first);
        state[first] = State::OPEN;
        while (!path.empty())
        {
            const PortId at = path.back();
            if (next[at] == 0)
            {
                state[at] = State::DONE;
                path.pop_back();
                continue;
            }
            const auto number = static_cast<uint32_t>(std::countr_zero(next[at])) + 1;
            next[at] &= next[at] - 1;
            const PortId to = vertices[ports[ports[at].peer].vertex].firstPort + number - 1;
            if (state[to] == State::OPEN)
            {
                std::string ring;
                for (auto link = std::find(path.begin(), path.end(), to); link != path.end();
                     ++link)
                {
                    ring += topology.GetPortName(*link) + ", ";
                }
                return "Packets can wait in a ring for the credits of " + ring +
                       "and again the first.";
            }
            if (state[to] == State::NEW)
            {
                state[to] = State::OPEN;
                path.push_back(to);
            }
        }
    }
    return "";
}

/**
 * Write a topology in the format of ibnetdiscover.
 * @param topology the topology
 * @param out the stream
 */
inline void
WriteTopology(const Topology& topology, std::ostream& out)
{
    using Kind = Topology::Kind;
    using Vertex = Topology::Vertex;
    const auto& ports = topology.GetPorts();
    const auto& vertices = topology.GetVertices();
    // A host of several ports becomes several hosts.
    const std::map<Kind, std::pair<char, std::string>> words{{Kind::SWITCH, {'S', "Switch"}},
                                                             {Kind::HOST, {'H', "Ca"}},
                                                             {Kind::ROUTER, {'R', "Rt"}}};
    const auto id = [&](const Vertex& vertex) {
        return std::string("\"") + words.at(vertex.kind).first + "-" +
               std::to_string(&vertex - vertices.data()) + "\"";
    };
    // Switches first, as ibnetdiscover does.
    for (const bool switches : {true, false})
    {
        for (std::size_t n = 0; n < vertices.size(); ++n)
        {
            const Vertex& vertex = vertices[n];
            if ((vertex.kind == Kind::SWITCH) != switches)
            {
                continue;
            }
            out << "\n"
                << words.at(vertex.kind).second << "\t" << vertex.nPorts << " " << id(vertex)
                << "\t\t# \"" << vertex.name << "\"";
            out << "\n";
            for (PortId port = vertex.firstPort; port < vertex.firstPort + vertex.nPorts; ++port)
            {
                const PortId peer = ports[port].peer;
                if (peer == NO_PORT)
                {
                    continue;
                }
                const Vertex& other = vertices[ports[peer].vertex];
                out << "[" << topology.GetNumber(port) << "]\t" << id(other) << "["
                    << topology.GetNumber(peer) << "]\t\t# ";
                out << "\"" << other.name << "\" " << GetSpeedName(ports[port].speed) << "\n";
            }
        }
    }
}

/**
 * Make a file in the format of ibnetdiscover: switches in a ring, with hosts at each.
 * @param switches number of switches
 * @param hosts number of hosts at each switch
 * @return its text
 */
inline std::string
MakeRingFile(uint32_t switches, uint32_t hosts)
{
    std::ostringstream out;
    const auto hex = [](const char* kind, uint32_t number) {
        std::ostringstream name;
        name << '"' << kind << "-" << std::hex << number + 1 << '"';
        return name.str();
    };
    for (uint32_t s = 0; s < switches; ++s)
    {
        out << "Switch\t" << hosts + 2 << " " << hex("S", s) << "\t# \"ring" << s
            << "\" base port 0 lid 0 lmc 0\n"
            << "[1]\t" << hex("S", (s + 1) % switches) << "[2]\t# \"next\" lid 0 4xSDR\n"
            << "[2]\t" << hex("S", (s + switches - 1) % switches)
            << "[1]\t# \"before\" lid 0 4xSDR\n";
        for (uint32_t h = 0; h < hosts; ++h)
        {
            out << "[" << 3 + h << "]\t" << hex("H", 1000 + s * hosts + h)
                << "[1]\t# \"host\" lid 0 4xSDR\n";
        }
    }
    for (uint32_t n = 0; n < switches * hosts; ++n)
    {
        out << "Ca\t1 " << hex("H", 1000 + n) << "\t# \"host" << n << "\"\n"
            << "[1]\t" << hex("S", n / hosts) << "[" << 3 + n % hosts
            << "]\t# lid 0 lmc 0 \"ring\" lid 0 4xSDR\n";
    }
    return out.str();
}

} // namespace tests
} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_TEST_FABRIC_H
