/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_TEST_ORACLE_H
#define INFINIBAND_TEST_ORACLE_H

#include "ns3/infiniband-subnet.h"

#include <deque>
#include <vector>

/**
 * @file
 * @ingroup infiniband
 * A second simulator of a fabric, which evaluates every port in every nanosecond.
 */

namespace ns3
{
namespace infiniband
{
namespace tests
{

/**
 * The rules of a fabric without events, wheel, wake-ups or credits known in advance. Each
 * nanosecond recomputes from the stored packets what each output may do. It has neither multicast
 * nor faults.
 */
class FabricOracle
{
  public:
    /** A packet. */
    struct Item
    {
        uint64_t number;  ///< Number among all packets.
        Lid to;           ///< Destination.
        uint32_t bytes;   ///< Length on the wire [bytes].
        uint8_t lane;     ///< Virtual lane.
        Ticks offered{0}; ///< Time at which its host has it.
        Ticks head{0};    ///< Earliest departure of its head.
        Ticks tail{0};    ///< Arrival of its tail.
    };

    /**
     * Construct.
     * @param subnet the subnet
     * @param link constants of links and switches
     */
    FabricOracle(const Subnet& subnet, const LinkConfig& link)
        : m_subnet(subnet),
          m_link(link),
          m_ports(subnet.GetTopology().GetPorts().size()),
          m_stored(subnet.GetTopology().GetVertices().size(), 0)
    {
        for (Port& port : m_ports)
        {
            port.lanes.resize(link.lanes);
            for (Lane& lane : port.lanes)
            {
                lane.credits = link.bufferBytes / CREDIT_BYTES;
            }
        }
    }

    /**
     * Add a packet of a host, for each host ordered by time.
     * @param host the host
     * @param item the packet
     */
    void Offer(HostId host, Item item)
    {
        item.head = item.offered;
        item.tail = item.offered;
        m_ports[host].lanes[item.lane].stored.push_back(item);
        ++m_stored[host];
        ++m_open;
    }

    /**
     * Run until all have arrived.
     * @param limit longest time [ticks]
     * @return arrival by packet; NEVER for none
     */
    std::vector<Ticks> Run(Ticks limit)
    {
        m_arrivals.assign(m_open, NEVER);
        for (Ticks now = 0; now < limit && m_open > 0; ++now)
        {
            for (Port& port : m_ports)
            {
                for (Lane& lane : port.lanes)
                {
                    while (!lane.returns.empty() && lane.returns.front().first <= now)
                    {
                        lane.credits += lane.returns.front().second;
                        lane.returns.pop_front();
                    }
                }
            }
            for (PortId port = 0; port < m_ports.size(); ++port)
            {
                if (m_ports[port].busyUntil <= now &&
                    m_stored[m_subnet.GetTopology().GetPorts()[port].vertex] > 0)
                {
                    Serve(port, now);
                }
            }
        }
        return m_arrivals;
    }

  private:
    /** A virtual lane of a port: arrived packets and credits. */
    struct Lane
    {
        std::deque<Item> stored;                        ///< Arrived packets, or those of the host.
        std::deque<std::pair<Ticks, uint32_t>> returns; ///< Credits in flight to this port.
        Ticks readUntil{0};                             ///< Time until which a packet is read out.
        uint32_t credits{0};                            ///< Blocks that this port may send.
        uint32_t turn{0};                               ///< Input served last.
    };

    /** A port. */
    struct Port
    {
        std::vector<Lane> lanes; ///< Virtual lanes.
        Ticks busyUntil{0};      ///< Time until which it sends.
        uint32_t lane{0};        ///< Virtual lane served last.
    };

    /**
     * Get the time of a packet on a port's link.
     * @param port the port
     * @param bytes length on the wire [bytes]
     * @return the time
     */
    Ticks GetTime(PortId port, uint32_t bytes) const
    {
        const uint32_t parts = m_subnet.GetTopology().GetPorts()[port].speed.GetParts();
        return (RATE_PARTS * bytes + parts - 1) / parts;
    }

    /**
     * Check whether the first packet at an input requests an output now.
     * @param in the input
     * @param out the output
     * @param number virtual lane
     * @param now the tick
     * @return whether it does
     */
    bool Requests(PortId in, PortId out, uint32_t number, Ticks now) const
    {
        const Lane& lane = m_ports[in].lanes[number];
        if (lane.stored.empty() || lane.readUntil > now || lane.stored.front().head > now)
        {
            return false;
        }
        const Item& item = lane.stored.front();
        const auto& topology = m_subnet.GetTopology();
        const uint32_t vertex = topology.GetPorts()[in].vertex;
        const PortId way = vertex < topology.GetNHosts()
                               ? in
                               : topology.GetVertices()[vertex].firstPort +
                                     m_subnet.GetManager().GetOut(vertex, item.to) - 1;
        return way == out && item.tail <= now + GetTime(out, item.bytes);
    }

    /**
     * Let a free output send, if possible.
     * @param out the output
     * @param now the tick
     */
    void Serve(PortId out, Ticks now)
    {
        if (m_subnet.GetTopology().GetPorts()[out].peer == NO_PORT)
        {
            return;
        }
        for (uint32_t n = 1; n <= m_link.lanes; ++n)
        {
            if (ServeLane(out, (m_ports[out].lane + n) % m_link.lanes, now))
            {
                return;
            }
        }
    }

    /**
     * Let a virtual lane of a free output send, if possible.
     * @param out the output
     * @param number the virtual lane
     * @param now the tick
     * @return whether it sends
     */
    bool ServeLane(PortId out, uint32_t number, Ticks now)
    {
        const auto& topology = m_subnet.GetTopology();
        const auto& vertex = topology.GetVertices()[topology.GetPorts()[out].vertex];
        const Lane& lane = m_ports[out].lanes[number];
        for (uint32_t n = 1; n <= vertex.nPorts; ++n)
        {
            const uint32_t input = (lane.turn + n) % vertex.nPorts;
            const PortId in = vertex.firstPort + input;
            if (!Requests(in, out, number, now))
            {
                continue;
            }
            if (lane.credits < GetBlocks(m_ports[in].lanes[number].stored.front()))
            {
                return false;
            }
            Send(out, number, input, now);
            return true;
        }
        return false;
    }

    /**
     * Send the first packet of an input.
     * @param out the output
     * @param number the virtual lane
     * @param input number of the input at its switch
     * @param now the tick
     */
    void Send(PortId out, uint32_t number, uint32_t input, Ticks now)
    {
        const auto& topology = m_subnet.GetTopology();
        const PortId peer = topology.GetPorts()[out].peer;
        const auto& vertex = topology.GetVertices()[topology.GetPorts()[out].vertex];
        const PortId in = vertex.firstPort + input;
        Port& port = m_ports[out];
        Lane& lane = port.lanes[number];
        Lane& from = m_ports[in].lanes[number];
        Item item = from.stored.front();
        const uint32_t blocks = GetBlocks(item);
        from.stored.pop_front();
        --m_stored[topology.GetPorts()[out].vertex];
        const Ticks end = now + GetTime(out, item.bytes);
        from.readUntil = end;
        port.busyUntil = end;
        port.lane = number;
        lane.turn = input;
        lane.credits -= blocks;
        if (vertex.kind == Topology::Kind::SWITCH)
        {
            Lane& sender = m_ports[topology.GetPorts()[in].peer].lanes[number];
            sender.returns.emplace_back(end + m_link.creditDelay, blocks);
        }
        item.tail = end + m_link.cableDelay;
        item.head = now + m_link.cableDelay + m_link.switchDelay;
        if (topology.GetPorts()[peer].vertex < topology.GetNHosts())
        {
            m_arrivals[item.number] = item.tail;
            lane.returns.emplace_back(item.tail + m_link.creditDelay, blocks);
            --m_open;
        }
        else
        {
            m_ports[peer].lanes[number].stored.push_back(item);
            ++m_stored[topology.GetPorts()[peer].vertex];
        }
    }

    /** @return the credits that a packet needs [blocks]. @param item the packet */
    static uint32_t GetBlocks(const Item& item)
    {
        return (item.bytes + CREDIT_BYTES - 1) / CREDIT_BYTES;
    }

    const Subnet& m_subnet;         ///< The subnet.
    LinkConfig m_link;              ///< Constants.
    std::vector<Port> m_ports;      ///< Ports by number.
    std::vector<uint32_t> m_stored; ///< Packets by vertex, to skip empty ones.
    std::vector<Ticks> m_arrivals;  ///< Arrivals by packet.
    uint64_t m_open{0};             ///< Packets that have not arrived.
};

} // namespace tests
} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_TEST_ORACLE_H
