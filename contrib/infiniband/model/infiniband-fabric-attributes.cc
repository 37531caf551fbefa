/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-fabric.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/uinteger.h"

#include <algorithm>

/**
 * @file
 * @ingroup infiniband
 * Attributes of a fabric, and its start.
 */

namespace ns3
{
namespace infiniband
{

NS_LOG_COMPONENT_DEFINE("InfinibandFabric");
NS_OBJECT_ENSURE_REGISTERED(Fabric);

TypeId
Fabric::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::infiniband::Fabric")
            .SetParent<Object>()
            .SetGroupName("Infiniband")
            .AddConstructor<Fabric>()
            .AddAttribute(
                "LinkRate",
                "Rate of 4X links whose file does not say otherwise [name; general knowledge, "
                "paper 4 does not say].",
                EnumValue(LinkRate::SDR),
                MakeEnumAccessor<LinkRate>(&Fabric::SetLink<&LinkConfig::rate, LinkRate>,
                                           &Fabric::GetLink<&LinkConfig::rate, LinkRate>),
                MakeEnumChecker(LinkRate::SDR, "SDR", LinkRate::DDR, "DDR"))
            .AddAttribute("Mtu",
                          "Largest payload of a packet: 256, 512, 1024, 2048 or 4096 [bytes; "
                          "section 4.2].",
                          UintegerValue(2048),
                          MakeUintegerAccessor(&Fabric::SetLink<&LinkConfig::mtu, uint32_t>,
                                               &Fabric::GetLink<&LinkConfig::mtu, uint32_t>),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("CableDelay",
                          "Delay of a cable, of 5 m [ns; default].",
                          UintegerValue(25),
                          MakeUintegerAccessor(&Fabric::SetLink<&LinkConfig::cableDelay, uint64_t>,
                                               &Fabric::GetLink<&LinkConfig::cableDelay, uint64_t>),
                          MakeUintegerChecker<uint64_t>(1, 1000000))
            .AddAttribute(
                "SwitchDelay",
                "From the head at an input to the head at an output [ns; general knowledge, 140 "
                "to 200].",
                UintegerValue(200),
                MakeUintegerAccessor(&Fabric::SetLink<&LinkConfig::switchDelay, uint64_t>,
                                     &Fabric::GetLink<&LinkConfig::switchDelay, uint64_t>),
                MakeUintegerChecker<uint64_t>(1, 1000000))
            .AddAttribute(
                "BufferBytes",
                "Room of an input for one virtual lane; whole blocks of 64 bytes count "
                "[bytes; default].",
                UintegerValue(16384),
                MakeUintegerAccessor(&Fabric::SetLink<&LinkConfig::bufferBytes, uint32_t>,
                                     &Fabric::GetLink<&LinkConfig::bufferBytes, uint32_t>),
                MakeUintegerChecker<uint32_t>(64, 1U << 24))
            .AddAttribute("Lanes",
                          "Virtual lanes for data; service level s takes lane s mod Lanes [lanes; "
                          "default].",
                          UintegerValue(1),
                          MakeUintegerAccessor(&Fabric::SetLink<&LinkConfig::lanes, uint8_t>,
                                               &Fabric::GetLink<&LinkConfig::lanes, uint8_t>),
                          MakeUintegerChecker<uint8_t>(1, MAX_LANES))
            .AddAttribute("CreditDelay",
                          "From free room at an input to credits at the far end: a cable, and a "
                          "packet of flow control [ns; default].",
                          UintegerValue(50),
                          MakeUintegerAccessor(&Fabric::m_creditDelay),
                          MakeUintegerChecker<uint64_t>(1, 1000000))
            .AddAttribute("SourceQueue",
                          "Packets that a host's output takes on each lane, the one on the link "
                          "included [packets; default].",
                          UintegerValue(2),
                          MakeUintegerAccessor(&Fabric::m_sourceQueue),
                          MakeUintegerChecker<uint32_t>(1, 1U << 20))
            .AddAttribute("Corruption",
                          "Probability that a link corrupts a packet, which the VCRC tells "
                          "[probability; fault].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&Fabric::m_corruption),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("CorruptionBurst",
                          "Mean number of packets in a row that a link corrupts once it does "
                          "[packets; fault].",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Fabric::m_burst),
                          MakeDoubleChecker<double>(1, 1e6))
            .AddAttribute("SwitchCorruption",
                          "Probability that a switch corrupts a packet, which the ICRC tells its "
                          "receiver [probability; fault].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&Fabric::m_switchCorruption),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("SweepDelay",
                          "From a change of a link to new forwarding tables; negative for never "
                          "[Time; default].",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&Fabric::m_sweepDelay),
                          MakeTimeChecker())
            .AddTraceSource("Drop",
                            "A packet is lost: when, which, at which port and why.",
                            MakeTraceSourceAccessor(&Fabric::m_drop),
                            "ns3::infiniband::Fabric::DropTracedCallback");
    return tid;
}

Fabric::Fabric()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

Fabric::~Fabric() = default;

void
Fabric::DoDispose()
{
    m_subnet = nullptr;
    m_clock = nullptr;
    m_random = nullptr;
    m_user = nullptr;
    Object::DoDispose();
}

int64_t
Fabric::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

std::string
Fabric::Check(const LinkConfig& link)
{
    if (std::find(MTUS.begin(), MTUS.end(), link.mtu) == MTUS.end())
    {
        return "There is no Mtu of " + std::to_string(link.mtu) +
               " bytes in InfiniBand; it is 256, 512, 1024, 2048 or 4096.";
    }
    if (link.lanes == 0 || link.lanes > MAX_LANES)
    {
        return "There are 1 to " + std::to_string(MAX_LANES) + " virtual lanes for data, not " +
               std::to_string(link.lanes) + ".";
    }
    const uint32_t longest = link.mtu + MAX_PACKET_BYTES - MTUS.back();
    const uint32_t needed = (longest + CREDIT_BYTES - 1) / CREDIT_BYTES * CREDIT_BYTES;
    if (link.bufferBytes < needed)
    {
        return "BufferBytes has to hold a packet of Mtu " + std::to_string(link.mtu) +
               " with its headers, " + std::to_string(needed) + " bytes, not " +
               std::to_string(link.bufferBytes) + ".";
    }
    return "";
}

std::string
Fabric::Check() const
{
    return Check(m_link);
}

void
Fabric::Start(Ptr<Subnet> subnet, Ptr<messaging::TickClock> clock, FabricUser* user)
{
    NS_LOG_FUNCTION(this);
    m_subnet = subnet;
    m_clock = clock;
    m_user = user;
    m_clockUser = clock->Register(this);
    m_lanes = m_link.lanes;
    m_capacity = m_link.bufferBytes / CREDIT_BYTES;
    m_tables = subnet->GetManager().GetTables().data();
    m_span = subnet->GetManager().GetSpan();
    const Topology& topology = subnet->GetTopology();
    const auto& ports = topology.GetPorts();
    const auto& vertices = topology.GetVertices();
    const auto nPorts = static_cast<uint32_t>(ports.size());
    m_outputs.assign(nPorts, Output());
    m_outputLanes.assign(std::size_t{nPorts} * m_lanes, Lane());
    m_buffers.assign(std::size_t{nPorts} * m_lanes, Buffer());
    m_sources.assign(std::size_t{nPorts} * m_lanes, Source());
    m_linkCorruption.assign(nPorts, m_corruption);
    m_portErrors.assign(nPorts, {});
    m_firstOutput = nPorts * m_lanes;
    uint32_t slowest = 4;
    uint32_t fastest = 4;
    for (PortId port = 0; port < nPorts; ++port)
    {
        const Topology::Vertex& vertex = vertices[ports[port].vertex];
        const bool host = vertex.kind != Topology::Kind::SWITCH;
        Output& output = m_outputs[port];
        output.base = vertex.firstPort;
        output.peer = ports[port].peer;
        output.toHost = output.peer != NO_PORT &&
                        vertices[ports[output.peer].vertex].kind != Topology::Kind::SWITCH;
        output.host = host;
        output.up = subnet->GetManager().IsUp(port);
        output.quarters = ports[port].speed.GetQuarters();
        output.untilFault = output.up ? DrawFault(m_corruption) : NEVER;
        slowest = std::min(slowest, output.quarters);
        fastest = std::max(fastest, output.quarters);
        for (uint8_t n = 0; n < m_lanes; ++n)
        {
            Buffer& buffer = m_buffers[port * m_lanes + n];
            buffer.base = vertex.firstPort;
            buffer.input = static_cast<uint8_t>(port - vertex.firstPort);
            if (!host)
            {
                buffer.table = subnet->GetManager().GetTable(ports[port].vertex);
                buffer.upstream = output.peer == NO_PORT ? 0 : output.peer * m_lanes + n;
            }
            m_outputLanes[port * m_lanes + n].credits = m_capacity;
        }
    }
    m_untilSwitchFault = DrawFault(m_switchCorruption);
    Output bound;
    bound.quarters = slowest;
    const Ticks longest = GetTime(bound, MAX_PACKET_BYTES);
    bound.quarters = fastest;
    m_sight = GetTime(bound, MIN_PACKET_BYTES);
    m_wheel.Start(m_firstOutput + nPorts,
                  2 * longest + m_link.cableDelay + m_link.switchDelay + m_creditDelay + m_sight);
    m_wheel.SetPosition(clock->Now());
}

} // namespace infiniband
} // namespace ns3
