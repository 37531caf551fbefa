/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_TEST_TRAFFIC_H
#define INFINIBAND_TEST_TRAFFIC_H

#include "infiniband-fabric-audit.h"

#include "ns3/infiniband-fabric.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup infiniband-tests
 * Traffic of many hosts over a fabric, without adapters or transports.
 */

namespace ns3
{
namespace infiniband
{
namespace tests
{

/** Destinations of the hosts. */
enum class Pattern : uint8_t
{
    UNIFORM,    ///< Any other host at random.
    ALL_TO_ALL, ///< All other hosts in turn, each beginning with the next one.
    INCAST,     ///< All to host 0, which does not send.
    PERMUTATION ///< A random permutation.
};

/** Configuration of the traffic. */
struct TrafficConfig
{
    Pattern pattern{};   ///< Destinations.
    uint32_t payload{0}; ///< Payload of each packet [bytes].
    double load{0};      ///< Offered load of each host, as a share of its link's rate.
    Ticks duration{0};   ///< Duration [ticks].
};

/**
 * @ingroup infiniband
 * Hosts that offer packets at random times, using all paths and service levels in turn. Packets
 * without room at the host's output wait.
 *
 * The audit checks that each packet has arrived once, was lost once or is in flight, and that
 * packets of one pair, and path have kept their order.
 */
class Traffic : public FabricUser, private messaging::TickUser
{
  public:
    /**
     * Construct.
     * @param clock the clock
     * @param fabric the fabric, to be started with this as its user
     * @param hosts number of hosts
     * @param config the traffic
     */
    Traffic(Ptr<messaging::TickClock> clock,
            Ptr<Fabric> fabric,
            HostId hosts,
            const TrafficConfig& config);

    /**
     * Assign random streams.
     * @param stream first stream
     * @return number of streams assigned
     */
    int64_t AssignStreams(int64_t stream);

    /**
     * Schedule the first packets, after the start of the fabric.
     */
    void Start();

    /** @return number of offered packets. */
    uint64_t GetNOffered() const
    {
        return m_fates.size();
    }

    /** @return number of packets that wait at hosts. */
    uint64_t GetNWaiting() const;

    /** @return payload that has arrived during the offered load [bytes]. */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

    /** @return number of packets that have arrived after a later one of their pair. */
    uint64_t GetNOvertaken() const
    {
        return m_overtaken;
    }

    /** @return latency of each arrived packet, from its offer [ticks]. */
    const std::vector<Ticks>& GetLatencies() const
    {
        return m_latencies;
    }

    /**
     * Audit: each packet has arrived once, was lost once, or is still in flight.
     * @return an empty text, or one sentence with the first packet that violates this
     */
    std::string Audit() const;

    Ticks OnPacket(HostId host, PacketIndex index) override;
    void OnReady(HostId host, uint8_t lane) override;
    void OnDrop(PacketIndex index, DropReason reason) override;

  private:
    /** A packet that waits at its host. */
    struct Waiting
    {
        uint64_t number; ///< Number among all offered packets.
        HostId to;       ///< Destination.
        Ticks offered;   ///< Time of its offer [ticks].
    };

    /** Fate of a packet. */
    enum class Fate : uint8_t
    {
        IN_FLIGHT, ///< Not ended.
        ARRIVED,   ///< Arrived.
        LOST,      ///< Lost.
        TWICE      ///< Ended more than once.
    };

    /** A host. */
    struct Host
    {
        std::deque<Waiting> waiting; ///< Packets that wait for the output.
        double next{0};              ///< Time of the next packet [ticks].
        double gap{0};               ///< Mean time between packets [ticks].
        HostId partner{0};           ///< Destination, the last one in ALL_TO_ALL.
        uint32_t sent{0};            ///< Sent packets; selects path and level.
    };

    void OnTick(messaging::Peer peer, uint64_t datum) override;

    /**
     * Plan the next packet of a host.
     * @param host the host
     */
    void PlanNext(HostId host);

    /**
     * Choose the destination of the next packet of a host.
     * @param host the host
     * @return the destination
     */
    HostId ChooseDestination(HostId host);

    /**
     * Inject the waiting packets of a host, as far as its output has room.
     * @param host the host
     */
    void Pump(HostId host);

    /**
     * Record the end of a packet.
     * @param number the packet
     * @param fate its fate
     */
    void End(uint64_t number, Fate fate);

    Ptr<messaging::TickClock> m_clock;     ///< The clock.
    Ptr<Fabric> m_fabric;                  ///< The fabric.
    TrafficConfig m_config;                ///< Configuration.
    uint16_t m_wire;                       ///< Length of a packet on the wire [bytes].
    uint32_t m_number;                     ///< User number at the clock.
    Ptr<ExponentialRandomVariable> m_gaps; ///< Draws times between packets.
    Ptr<UniformRandomVariable> m_choices;  ///< Draws destinations.
    std::vector<Host> m_hosts;             ///< Hosts by number.
    std::vector<Fate> m_fates;             ///< Fates by packet.
    std::vector<uint32_t> m_newest;        ///< Last arrived packet by pair.
    std::vector<Ticks> m_latencies;        ///< Latencies of arrived packets [ticks].
    uint64_t m_bytes{0};                   ///< Payload that has arrived in time.
    uint64_t m_overtaken{0};               ///< Overtaken packets.
};

inline Traffic::Traffic(Ptr<messaging::TickClock> clock,
                        Ptr<Fabric> fabric,
                        HostId hosts,
                        const TrafficConfig& config)
    : m_clock(clock),
      m_fabric(fabric),
      m_config(config),
      m_wire(static_cast<uint16_t>(config.payload + MIN_PACKET_BYTES)),
      m_number(clock->Register(this)),
      m_gaps(CreateObject<ExponentialRandomVariable>()),
      m_choices(CreateObject<UniformRandomVariable>()),
      m_hosts(hosts),
      m_newest(std::size_t{hosts} * hosts, 0)
{
}

inline int64_t
Traffic::AssignStreams(int64_t stream)
{
    m_gaps->SetStream(stream);
    m_choices->SetStream(stream + 1);
    return 2;
}

inline void
Traffic::Start()
{
    const auto nHosts = static_cast<HostId>(m_hosts.size());
    for (HostId host = 0; host < nHosts; ++host)
    {
        m_hosts[host].partner = host;
    }
    if (m_config.pattern == Pattern::PERMUTATION)
    {
        // Sattolo's shuffle: one cycle through all hosts, so no host is its own partner.
        for (HostId host = nHosts - 1; host > 0; --host)
        {
            std::swap(m_hosts[host].partner, m_hosts[m_choices->GetInteger(0, host - 1)].partner);
        }
    }
    for (HostId host = 0; host < nHosts; ++host)
    {
        const bool silent = nHosts == 1 || (m_config.pattern == Pattern::INCAST && host == 0);
        if (!silent)
        {
            m_hosts[host].gap =
                static_cast<double>(m_fabric->GetWireTime(host, m_wire)) / m_config.load;
            m_hosts[host].next = static_cast<double>(m_clock->Now());
            PlanNext(host);
        }
    }
}

inline void
Traffic::PlanNext(HostId host)
{
    Host& source = m_hosts[host];
    source.next += m_gaps->GetValue(source.gap, 0);
    const auto when = static_cast<Ticks>(source.next);
    if (when < m_config.duration)
    {
        m_clock->At(when, m_number, host, 0);
    }
}

inline HostId
Traffic::ChooseDestination(HostId host)
{
    const auto hosts = static_cast<HostId>(m_hosts.size());
    HostId& partner = m_hosts[host].partner;
    switch (m_config.pattern)
    {
    case Pattern::ALL_TO_ALL:
        partner = (partner + 1) % hosts;
        partner = partner == host ? (partner + 1) % hosts : partner;
        return partner;
    case Pattern::INCAST:
        return 0;
    case Pattern::PERMUTATION:
        return partner;
    case Pattern::UNIFORM:
        break;
    }
    return (host + m_choices->GetInteger(1, hosts - 1)) % hosts;
}

inline void
Traffic::OnTick(messaging::Peer peer, uint64_t)
{
    m_hosts[peer].waiting.push_back(
        Waiting{m_fates.size(), ChooseDestination(peer), m_clock->Now()});
    m_fates.push_back(Fate::IN_FLIGHT);
    if (m_hosts[peer].waiting.size() == 1)
    {
        Pump(peer);
    }
    PlanNext(peer);
}

inline void
Traffic::Pump(HostId host)
{
    Host& source = m_hosts[host];
    const SubnetManager& manager = m_fabric->GetSubnet()->GetManager();
    while (!source.waiting.empty())
    {
        if (!m_fabric->HasRoom(host))
        {
            return;
        }
        const Waiting& first = source.waiting.front();
        const auto path = static_cast<uint8_t>(source.sent % manager.GetNPaths());
        const PacketIndex index = m_fabric->New();
        Packet& packet = m_fabric->Get(index);
        packet.user = {first.number, first.offered};
        packet.destination = manager.GetLid(first.to, path);
        packet.bytes = m_wire;
        ++source.sent;
        source.waiting.pop_front();
        m_fabric->Inject(host, index);
    }
}

inline Ticks
Traffic::OnPacket(HostId host, PacketIndex index)
{
    const Packet& packet = m_fabric->Get(index);
    const Ticks now = m_clock->Now();
    End(packet.user[0], Fate::ARRIVED);
    m_latencies.push_back(now - packet.user[1]);
    if (now <= m_config.duration)
    {
        m_bytes += m_config.payload;
    }
    uint32_t& newest = m_newest[packet.from * m_hosts.size() + host];
    const auto number = static_cast<uint32_t>(packet.user[0]);
    m_overtaken += number < newest;
    newest = std::max(newest, number);
    return now;
}

inline void
Traffic::OnReady(HostId host, uint8_t)
{
    Pump(host);
}

inline void
Traffic::OnDrop(PacketIndex index, DropReason)
{
    End(m_fabric->Get(index).user[0], Fate::LOST);
}

inline void
Traffic::End(uint64_t number, Fate fate)
{
    m_fates[number] = m_fates[number] == Fate::IN_FLIGHT ? fate : Fate::TWICE;
}

inline uint64_t
Traffic::GetNWaiting() const
{
    uint64_t waiting = 0;
    for (const Host& host : m_hosts)
    {
        waiting += host.waiting.size();
    }
    return waiting;
}

inline std::string
Traffic::Audit() const
{
    const auto twice = std::find(m_fates.begin(), m_fates.end(), Fate::TWICE);
    if (twice != m_fates.end())
    {
        return "Packet " + std::to_string(twice - m_fates.begin()) + " has ended more than once.";
    }
    const auto open =
        static_cast<uint64_t>(std::count(m_fates.begin(), m_fates.end(), Fate::IN_FLIGHT));
    if (const uint64_t known = GetNWaiting() + m_fabric->GetCounters().GetNInFlight();
        open != known)
    {
        return std::to_string(open) + " packets have neither arrived nor were lost, but " +
               std::to_string(known) + " are in flight.";
    }
    return "";
}

} // namespace tests
} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_TEST_TRAFFIC_H
