/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-fabric.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-row-table.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ns3
{
namespace infiniband
{

NS_LOG_COMPONENT_DEFINE("InfinibandFabric");
NS_OBJECT_ENSURE_REGISTERED(Fabric);

using messaging::Range;

namespace
{

/** @return the credits for a packet [blocks]. @param bytes its length on the wire [bytes] */
constexpr uint16_t
GetBlocks(uint32_t bytes)
{
    return static_cast<uint16_t>((bytes + CREDIT_BYTES - 1) / CREDIT_BYTES);
}

/** Mark a packet as cut by a failed link, unless it is bad already. @param packet it */
void
Cut(Packet& packet)
{
    if (packet.bad == DropReason::NONE || packet.bad == DropReason::ICRC)
    {
        packet.bad = DropReason::LINK_DOWN;
    }
}

/** Maximum delay of a hop: a millisecond [ns]. */
constexpr Ticks LONGEST_HOP = 1'000'000;

/**
 * @param subnet a subnet, built
 * @return one port of each link between switches
 */
std::vector<PortId>
GetInnerLinks(const Subnet& subnet)
{
    const auto& ports = subnet.GetTopology().GetPorts();
    const auto& vertices = subnet.GetTopology().GetVertices();
    const auto isSwitch = [&](PortId port) {
        return vertices[ports[port].vertex].kind == Topology::Kind::SWITCH;
    };
    std::vector<PortId> links;
    for (PortId port = 0; port < ports.size(); ++port)
    {
        const PortId peer = ports[port].peer;
        if (peer != NO_PORT && port < peer && isSwitch(port) && isSwitch(peer))
        {
            links.push_back(port);
        }
    }
    return links;
}

} // namespace

TypeId
Fabric::GetTypeId()
{
    static TypeId tid =
        messaging::Attributes<Fabric>(TypeId("ns3::infiniband::Fabric")
                                          .SetParent<Object>()
                                          .SetGroupName("Infiniband")
                                          .AddConstructor<Fabric>())
            .In(&Fabric::m_link)
            .AddAttribute("LinkRate",
                          "Signalling rate of the 4X links, and of those whose rate TopologyFile "
                          "does not state [name; SDR and DDR were sold, the paper does not say].",
                          &LinkConfig::rate,
                          {{LinkRate::SDR, "SDR"},
                           {LinkRate::DDR, "DDR"},
                           {LinkRate::QDR, "QDR"},
                           {LinkRate::FDR10, "FDR10"},
                           {LinkRate::FDR, "FDR"},
                           {LinkRate::EDR, "EDR"},
                           {LinkRate::HDR, "HDR"},
                           {LinkRate::NDR, "NDR"},
                           {LinkRate::XDR, "XDR"}})
            .AddAttribute("Mtu",
                          "Largest payload of a packet: 256, 512, 1024, 2048 or 4096 [bytes; "
                          "section 4.2].",
                          &LinkConfig::mtu,
                          Range(MTUS.front(), MTUS.back()))
            .AddAttribute("CableDelay",
                          "Delay of a cable of 5 m [ns; 5 ns a metre].",
                          &LinkConfig::cableDelay,
                          Range(Ticks{1}, LONGEST_HOP))
            .AddAttribute("SwitchDelay",
                          "Delay of a packet's head from the input of a switch to the output "
                          "[ns; InfiniScale III: 140 to 200].",
                          &LinkConfig::switchDelay,
                          Range(Ticks{1}, LONGEST_HOP))
            .AddAttribute("BufferBytes",
                          "Input buffer of a port for each virtual lane, in whole blocks of 64 "
                          "bytes [bytes; default].",
                          &LinkConfig::bufferBytes,
                          Range(CREDIT_BYTES, 1U << 30))
            .AddAttribute("Lanes",
                          "Virtual lanes of each link for data; service level s uses lane s mod "
                          "Lanes [lanes; default].",
                          &LinkConfig::lanes,
                          Range(1, int{MAX_LANES}))
            .AddAttribute("CreditDelay",
                          "Delay from free buffer space at an input to credits at the far end: a "
                          "cable, and a packet of flow control [ns; default].",
                          &LinkConfig::creditDelay,
                          Range(Ticks{1}, LONGEST_HOP))
            .AddAttribute("SourceQueue",
                          "Packets that a host's output holds for each virtual lane, including "
                          "the one on the link [packets; default].",
                          &LinkConfig::sourceQueue,
                          Range(1U, 1U << 20))
            .AddAttribute("Corruption",
                          "Corruption probability of a packet on a link, detected by the VCRC "
                          "[probability; fault].",
                          &Fabric::m_corruption,
                          0.0,
                          0.0,
                          1.0)
            .AddAttribute("SwitchCorruption",
                          "Corruption probability of a packet in a switch, detected by its "
                          "receiver's ICRC [probability; fault].",
                          &Fabric::m_switchCorruption,
                          0.0,
                          0.0,
                          1.0)
            .AddAttribute("FailedLinks",
                          "Number of links between switches that fail at FailureTime, evenly "
                          "spread [links; fault].",
                          &Fabric::m_failedLinks,
                          0,
                          0,
                          1U << 20)
            .AddAttribute("FailureTime",
                          "Time of the failure of FailedLinks [Time; fault].",
                          &Fabric::m_failureTime,
                          MicroSeconds(100))
            .AddAttribute("RepairTime",
                          "Duration of a failure; negative for no repair [Time; fault].",
                          &Fabric::m_repairTime,
                          MilliSeconds(10),
                          Time::Min())
            .AddAttribute("SweepDelay",
                          "Delay from a change of a link to new forwarding tables; negative for "
                          "no sweep [Time; default].",
                          &Fabric::m_sweepDelay,
                          MilliSeconds(1),
                          Time::Min())
            .AddTraceSource("Drop",
                            "A packet is lost: time, packet, port, reason.",
                            MakeTraceSourceAccessor(&Fabric::m_drop),
                            "ns3::infiniband::Fabric::DropTracedCallback")
            .AddTraceSource("Inject",
                            "A host gives a packet to its output: time, packet, port.",
                            MakeTraceSourceAccessor(&Fabric::m_inject),
                            "ns3::infiniband::Fabric::PacketTracedCallback")
            .AddTraceSource("Forward",
                            "A port of a host or switch begins to send a packet: time, packet, "
                            "port.",
                            MakeTraceSourceAccessor(&Fabric::m_forward),
                            "ns3::infiniband::Fabric::PacketTracedCallback")
            .AddTraceSource("Deliver",
                            "A packet has arrived at a host, complete and intact: time, packet, "
                            "port.",
                            MakeTraceSourceAccessor(&Fabric::m_deliver),
                            "ns3::infiniband::Fabric::PacketTracedCallback")
            .AddTraceSource("Blocked",
                            "A packet that is next at a free output waits for credits: time, "
                            "port, virtual lane, credits that it needs.",
                            MakeTraceSourceAccessor(&Fabric::m_blocked),
                            "ns3::infiniband::Fabric::BlockedTracedCallback")
            .AddTraceSource("LinkState",
                            "A link fails or recovers: one of its ports, whether it is up.",
                            MakeTraceSourceAccessor(&Fabric::m_linkState),
                            "ns3::infiniband::Fabric::LinkTracedCallback");
    return tid;
}

Fabric::Fabric()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
Fabric::DoDispose()
{
    m_subnet = nullptr;
    if (m_ownedClock)
    {
        m_ownedClock->Unregister(m_clockUser);
    }
    m_clock = nullptr;
    m_ownedClock = nullptr;
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
Fabric::Check() const
{
    if (std::find(MTUS.begin(), MTUS.end(), m_link.mtu) == MTUS.end())
    {
        return "There is no Mtu of " + std::to_string(m_link.mtu) +
               " bytes in InfiniBand; it is 256, 512, 1024, 2048 or 4096.";
    }
    if (m_link.lanes == 0 || m_link.lanes > MAX_LANES)
    {
        return "There are 1 to " + std::to_string(MAX_LANES) + " virtual lanes for data, not " +
               std::to_string(m_link.lanes) + ".";
    }
    const uint32_t longest = m_link.mtu + MAX_PACKET_BYTES - MTUS.back();
    const uint32_t needed = GetBlocks(longest) * CREDIT_BYTES;
    if (m_link.bufferBytes < needed)
    {
        return "BufferBytes has to hold a packet of Mtu " + std::to_string(m_link.mtu) +
               " with its headers, " + std::to_string(needed) + " bytes, not " +
               std::to_string(m_link.bufferBytes) + ".";
    }
    if (m_failedLinks == 0)
    {
        return messaging::FindIdleAttribute(*this,
                                            {"FailureTime", "RepairTime"},
                                            "where FailedLinks is 0");
    }
    return "";
}

std::string
Fabric::Build(Subnet& subnet, HostId hosts) const
{
    std::string error = Check();
    error = error.empty() ? subnet.Build(m_link.rate, hosts) : error;
    const std::size_t links = error.empty() ? GetInnerLinks(subnet).size() : 0;
    if (error.empty() && m_failedLinks > links)
    {
        error = "FailedLinks is " + std::to_string(m_failedLinks) + ", but only " +
                std::to_string(links) + " links join switches.";
    }
    return error;
}

void
Fabric::Start(Ptr<Subnet> subnet, Ptr<messaging::TickClock> clock, FabricUser* user)
{
    NS_LOG_FUNCTION(this);
    m_subnet = subnet;
    m_clock = PeekPointer(clock);
    m_ownedClock = clock;
    m_user = user;
    m_clockUser = clock->Register(this);
    m_logsHops = g_log.IsEnabled(LOG_LOGIC);
    m_lanes = m_link.lanes;
    m_capacity = m_link.bufferBytes / CREDIT_BYTES;
    m_tables = subnet->GetManager().GetTables().data();
    m_span = subnet->GetManager().GetSpan();
    const Topology& topology = subnet->GetTopology();
    const auto& ports = topology.GetPorts();
    const auto& vertices = topology.GetVertices();
    const auto nPorts = static_cast<uint32_t>(ports.size());
    m_outputs.assign(nPorts, Output());
    m_furtherLanes.assign(std::size_t{nPorts} * (m_lanes - 1U), Lane());
    m_buffers.assign(std::size_t{nPorts} * m_lanes, Buffer());
    m_sources.assign(std::size_t{nPorts} * m_lanes, Source());
    m_portErrors.assign(nPorts, {});
    m_firstOutput = nPorts * m_lanes;
    uint16_t slowest = RATE_PARTS;
    uint16_t fastest = RATE_PARTS;
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
        output.parts = static_cast<uint16_t>(ports[port].speed.GetParts());
        output.untilFault = output.up ? DrawFault(m_corruption) : NEVER;
        slowest = std::min(slowest, output.parts);
        fastest = std::max(fastest, output.parts);
        for (uint8_t lane = 0; lane < m_lanes; ++lane)
        {
            GetOutputLane(port, lane).credits = m_capacity;
            Buffer& buffer = m_buffers[GetQueue(port, lane)];
            buffer.base = vertex.firstPort;
            buffer.input = static_cast<uint8_t>(port - vertex.firstPort);
            if (!host)
            {
                buffer.table = subnet->GetManager().GetTable(ports[port].vertex);
                buffer.upstream = output.peer;
            }
        }
    }
    m_untilSwitchFault = DrawFault(m_switchCorruption);
    const Ticks longest = GetTime(slowest, MAX_PACKET_BYTES);
    m_sight = GetTime(fastest, MIN_PACKET_BYTES);
    m_wheel.Start(m_firstOutput + nPorts,
                  2 * longest + m_link.cableDelay + m_link.switchDelay + m_link.creditDelay +
                      m_sight);
    m_wheel.SetPosition(clock->Now());
    PlanFailures();
}

void
Fabric::OnTick(messaging::Peer peer, uint64_t datum)
{
    const Ticks now = m_clock->Now();
    const uint64_t rest = datum >> KIND_BITS;
    switch (static_cast<Kind>(datum & ((1U << KIND_BITS) - 1)))
    {
    case Kind::WAKE:
        if (m_wake <= now)
        {
            m_wake = NEVER;
        }
        PlanWake(AdvanceTo(now));
        break;
    case Kind::ARRIVE:
        Arrive(peer, static_cast<PacketIndex>(rest), now);
        break;
    case Kind::READY:
        NotifyReady(peer, static_cast<uint8_t>(rest));
        break;
    case Kind::LINK:
        SetLinkUp(peer, rest != 0);
        break;
    case Kind::SWEEP:
        NS_LOG_INFO("The subnet manager sweeps");
        AdvanceTo(now);
        // If its engine cannot route the subnet any more, the tables stay.
        m_subnet->GetManager().Sweep();
        m_tables = m_subnet->GetManager().GetTables().data();
        m_span = m_subnet->GetManager().GetSpan();
        break;
    }
}

void
Fabric::PlanWake(Ticks next)
{
    if (next != NEVER && next + m_sight < m_wake)
    {
        m_wake = next + m_sight;
        PlaceOnClock(m_wake, Kind::WAKE, 0, 0);
    }
}

Ticks
Fabric::AdvanceTo(Ticks end)
{
    Ticks next = m_wheel.GetNext();
    for (; next < end; next = m_wheel.GetNext())
    {
        m_wheel.SetPosition(next);
        Serve(next);
    }
    m_wheel.SetPosition(std::max(end, m_wheel.GetPosition()));
    return next;
}

void
Fabric::CatchUp(Ticks now)
{
    m_wheel.SetPosition(std::min(now, m_wheel.GetNext()));
}

inline void
Fabric::Serve(Ticks now)
{
    for (uint32_t next = m_wheel.Take(now); next != FabricWheel::NONE;)
    {
        const uint32_t item = next;
        next = m_wheel.Pass(item);
        if (item < m_firstOutput)
        {
            RequestOutput(item, now);
        }
        else
        {
            Touch(item - m_firstOutput);
        }
    }
    for (const PortId port : m_touched)
    {
        m_outputs[port].touched = false;
        Arbitrate(port, now);
    }
    m_touched.clear();
}

inline void
Fabric::RequestOutput(uint32_t number, Ticks now)
{
    const Buffer& buffer = m_buffers[number];
    const Packet& packet = m_packets[buffer.first];
    if (packet.bad != DropReason::NONE && packet.bad != DropReason::ICRC && packet.whole <= now)
    {
        DropHead(number, buffer.base + buffer.input, packet.bad, now);
        return;
    }
    PortId out = buffer.base;
    if (buffer.upstream != NO_PORT)
    {
        if (packet.destination >= MULTICAST_LID)
        {
            RequestMulticast(number, now);
            return;
        }
        const uint8_t way = packet.destination < m_span
                                ? m_tables[buffer.table + packet.destination]
                                : SubnetManager::NO_WAY;
        if (way == SubnetManager::NO_WAY)
        {
            DropHead(number, buffer.base + buffer.input, DropReason::NO_ROUTE, now);
            return;
        }
        out = buffer.base + way - 1;
    }
    Output& output = m_outputs[out];
    if (!output.up)
    {
        DropHead(number, out, DropReason::PORT_DOWN, now);
        return;
    }
    // Onto a faster link, the head leaves so late that the tail does not fall behind.
    if (const Ticks time = GetTime(output.parts, packet.bytes); packet.whole > now + time)
    {
        m_wheel.Place(number, packet.whole - time);
        return;
    }
    GetOutputLane(out, packet.lane).waiting.Add(buffer.input);
    Touch(out);
}

void
Fabric::RequestMulticast(uint32_t number, Ticks now)
{
    Buffer& buffer = m_buffers[number];
    const Packet& packet = m_packets[buffer.first];
    const PortId here = buffer.base + buffer.input;
    const uint32_t vertex = m_subnet->GetTopology().GetPorts()[here].vertex;
    PortSet tree = m_subnet->GetManager().GetMulticastPorts(vertex);
    tree.Remove(buffer.input);
    Ticks start = now;
    for (uint32_t n = tree.Find(0); n < PortSet::SIZE; n = tree.Find(n + 1))
    {
        const Output& output = m_outputs[buffer.base + n];
        const Ticks time = GetTime(output.parts, packet.bytes);
        if (output.up && packet.whole > start + time)
        {
            start = packet.whole - time;
        }
    }
    if (start > now)
    {
        m_wheel.Place(number, start);
        return;
    }
    buffer.fanout = PortSet();
    for (uint32_t n = tree.Find(0); n < PortSet::SIZE; n = tree.Find(n + 1))
    {
        const PortId out = buffer.base + n;
        if (m_outputs[out].up)
        {
            buffer.fanout.Add(n);
            GetOutputLane(out, packet.lane).waiting.Add(buffer.input);
            Touch(out);
        }
    }
    if (buffer.fanout.IsEmpty())
    {
        const DropReason reason = tree.IsEmpty() ? DropReason::NO_ROUTE : DropReason::PORT_DOWN;
        DropHead(number, here, reason, now);
    }
}

Ticks
Fabric::FindCredits(const Lane& lane, uint32_t blocks) const
{
    uint32_t credits = lane.credits;
    for (uint32_t grant = lane.grants.head; grant != NO_PLACE; grant = m_grants.GetNext(grant))
    {
        credits += m_grants[grant].blocks;
        if (credits >= blocks)
        {
            return m_grants[grant].when;
        }
    }
    return NEVER;
}

void
Fabric::PlanOutput(PortId port, Ticks when)
{
    const uint32_t item = m_firstOutput + port;
    // What lies beyond the wheel's reach is looked at too early, in vain, and again.
    const Ticks soon = std::min(when, m_wheel.GetPosition() + m_wheel.GetReach());
    const Ticks planned = m_wheel.GetWhen(item);
    if (planned <= soon)
    {
        return;
    }
    if (planned != NEVER)
    {
        m_wheel.Remove(item);
    }
    m_wheel.Place(item, soon);
}

inline void
Fabric::GrantCredits(PortId port, uint8_t number, Ticks when, uint32_t blocks)
{
    Lane& lane = GetOutputLane(port, number);
    // In order of time, even if the delay has become shorter.
    const Ticks last = lane.grants.IsEmpty() ? 0 : m_grants[lane.grants.tail].when;
    m_grants.PushBack(lane.grants, {std::max(when, last), blocks});
    if (lane.starved)
    {
        lane.starved = false;
        PlanOutput(port, when);
    }
}

void
Fabric::Arbitrate(PortId port, Ticks now)
{
    Output& output = m_outputs[port];
    const uint8_t lanes = m_lanes;
    Ticks retry = NEVER;
    uint8_t number = output.lane;
    for (uint8_t n = 0; n < lanes; ++n)
    {
        number = number + 1 < lanes ? number + 1 : 0;
        Lane& lane = GetOutputLane(port, number);
        if (lane.waiting.IsEmpty())
        {
            continue;
        }
        if (output.busyUntil > now)
        {
            PlanOutput(port, output.busyUntil);
            return;
        }
        TakeCredits(lane, now);
        // The next input after the last one served.
        const uint32_t behind = lane.waiting.Find(lane.turn + 1U);
        const auto input =
            static_cast<uint8_t>(behind < PortSet::SIZE ? behind : lane.waiting.Find(0));
        const PacketIndex head = m_buffers[GetQueue(output.base + input, number)].first;
        const uint16_t blocks = m_packets[head].blocks;
        if (lane.credits >= blocks)
        {
            Send(port, number, input, now);
            return;
        }
        if (output.blockedSince == NEVER)
        {
            output.blockedSince = now;
            NS_LOG_INFO("At " << now << " ns, port " << port << " waits for credits: virtual lane "
                              << int{number} << " has " << lane.credits << " blocks and needs "
                              << blocks);
            m_blocked(now, port, number, blocks);
        }
        const Ticks when = FindCredits(lane, blocks);
        lane.starved = when == NEVER;
        retry = std::min(retry, when);
    }
    if (retry != NEVER)
    {
        PlanOutput(port, retry);
    }
}

bool
Fabric::IsRequested(PortId port)
{
    for (uint8_t lane = 0; lane < m_lanes; ++lane)
    {
        if (!GetOutputLane(port, lane).waiting.IsEmpty())
        {
            return true;
        }
    }
    return false;
}

void
Fabric::Send(PortId port, uint8_t number, uint8_t input, Ticks now)
{
    Output& output = m_outputs[port];
    Lane& lane = GetOutputLane(port, number);
    const uint32_t queue = GetQueue(output.base + input, number);
    Buffer& buffer = m_buffers[queue];
    PacketIndex index = buffer.first;
    Packet* packet = &m_packets[index];
    const Ticks end = now + GetTime(output.parts, packet->bytes);
    lane.waiting.Remove(input);
    lane.turn = input;
    output.lane = number;
    buffer.readUntil = std::max(buffer.readUntil, end);
    if (packet->destination >= MULTICAST_LID && buffer.upstream != NO_PORT)
    {
        buffer.fanout.Remove(port - output.base);
        if (!buffer.fanout.IsEmpty())
        {
            // Others of its outputs are still to be served: what leaves here is a copy.
            Packet copy = *packet;
            copy.serial = ++m_serial;
            index = m_packets.Put(copy);
            packet = &m_packets[index];
            ++m_counters.copies;
            m_user->OnCopy(buffer.first);
        }
    }
    if (index == buffer.first)
    {
        if (buffer.upstream != NO_PORT)
        {
            GrantCredits(buffer.upstream,
                         number,
                         buffer.readUntil + m_link.creditDelay,
                         packet->blocks);
        }
        else
        {
            LeaveSource(port, number, end);
            m_user->OnLeaving(index, end);
        }
        Pop(queue, buffer.readUntil);
    }
    if (m_logsHops)
    {
        NS_LOG_LOGIC("At " << now << " ns, port " << port << " sends packet " << packet->serial
                           << " of host " << packet->from << " to LID " << packet->destination);
    }
    m_forward(now, *packet, port);
    lane.credits -= packet->blocks;
    output.busyUntil = end;
    output.last = index;
    output.lastSerial = packet->serial;
    output.bytes += packet->bytes;
    ++output.sent;
    ++m_counters.hops;
    if (output.blockedSince != NEVER)
    {
        output.wait += now - output.blockedSince;
        output.blockedSince = NEVER;
    }
    if (--output.untilFault == 0 || m_untilSwitchFault != NEVER)
    {
        Corrupt(*packet, port);
    }
    if (output.toHost)
    {
        PlaceOnClock(end + m_link.cableDelay, Kind::ARRIVE, output.peer, index);
        m_user->OnLastLink(output.peer, index);
    }
    else
    {
        packet->ready = now + m_link.cableDelay + m_link.switchDelay;
        packet->whole = end + m_link.cableDelay;
        Append(GetQueue(output.peer, number), index);
    }
    if (!lane.waiting.IsEmpty() || (m_lanes > 1 && IsRequested(port)))
    {
        PlanOutput(port, end);
    }
}

inline void
Fabric::Append(uint32_t number, PacketIndex index)
{
    Buffer& buffer = m_buffers[number];
    Packet& packet = m_packets[index];
    packet.next = NO_PACKET;
    if (buffer.first == NO_PACKET)
    {
        buffer.first = index;
        m_wheel.Place(number, std::max(packet.ready, buffer.readUntil));
    }
    else
    {
        m_packets[buffer.last].next = index;
    }
    buffer.last = index;
}

inline void
Fabric::Pop(uint32_t number, Ticks next)
{
    Buffer& buffer = m_buffers[number];
    buffer.first = m_packets[buffer.first].next;
    if (buffer.first != NO_PACKET)
    {
        m_wheel.Place(number, std::max(m_packets[buffer.first].ready, next));
    }
}

void
Fabric::DropHead(uint32_t number, PortId port, DropReason reason, Ticks now)
{
    const Buffer& buffer = m_buffers[number];
    const PacketIndex index = buffer.first;
    const Packet& packet = m_packets[index];
    const Ticks whole = std::max(now, packet.whole);
    if (buffer.upstream != NO_PORT)
    {
        GrantCredits(buffer.upstream, packet.lane, whole + m_link.creditDelay, packet.blocks);
    }
    else
    {
        LeaveSource(buffer.base, packet.lane, now + 1);
    }
    Pop(number, now + 1);
    Lose(index, port, reason, now);
}

bool
Fabric::HasRoom(HostId host, uint8_t lane)
{
    Source& source = m_sources[GetQueue(host, lane)];
    const bool room =
        source.queued + (source.sendingUntil > m_clock->Now() ? 1U : 0U) < m_link.sourceQueue;
    if (!room && !source.readyPlaced && !source.wantsReady)
    {
        if (source.sendingUntil > m_clock->Now())
        {
            source.readyPlaced = true;
            PlaceOnClock(source.sendingUntil, Kind::READY, host, lane);
        }
        else
        {
            source.wantsReady = true;
        }
    }
    return room;
}

void
Fabric::Inject(HostId host, PacketIndex index)
{
    Packet& packet = m_packets[index];
    NS_ABORT_MSG_IF(packet.bytes < MIN_PACKET_BYTES || packet.bytes > MAX_PACKET_BYTES,
                    "A packet has " << MIN_PACKET_BYTES << " to " << MAX_PACKET_BYTES
                                    << " bytes on the wire, not " << packet.bytes << ".");
    NS_LOG_INFO("Host " << host << " injects packet " << packet.serial << " of " << packet.bytes
                        << " bytes to LID " << packet.destination);
    const Ticks now = m_clock->Now();
    packet.lane = GetLane(packet.serviceLevel);
    packet.blocks = GetBlocks(packet.bytes);
    packet.from = host;
    packet.ready = now;
    packet.whole = now;
    ++m_counters.injected;
    m_inject(now, packet, host);
    const uint32_t queue = GetQueue(host, packet.lane);
    ++m_sources[queue].queued;
    CatchUp(now);
    Append(queue, index);
    PlanWake(m_wheel.GetNext());
}

void
Fabric::LeaveSource(HostId host, uint8_t lane, Ticks end)
{
    Source& source = m_sources[GetQueue(host, lane)];
    --source.queued;
    source.sendingUntil = end;
    if (source.wantsReady)
    {
        source.wantsReady = false;
        source.readyPlaced = true;
        PlaceOnClock(end, Kind::READY, host, lane);
    }
}

void
Fabric::NotifyReady(HostId host, uint8_t lane)
{
    m_sources[GetQueue(host, lane)].readyPlaced = false;
    // If there is none, the queue has been filled meanwhile, and HasRoom schedules another call.
    if (HasRoom(host, lane))
    {
        m_user->OnReady(host, lane);
    }
}

void
Fabric::Arrive(HostId host, PacketIndex index, Ticks now)
{
    const Packet& packet = m_packets[index];
    const PortId sender = m_outputs[host].peer;
    const Output& output = m_outputs[sender];
    const uint16_t blocks = packet.blocks;
    const Ticks begun = now - m_link.cableDelay - GetTime(output.parts, packet.bytes);
    const uint8_t lane = packet.lane;
    DropReason bad = packet.bad;
    if (output.lastDown < now && output.lastDown >= begun)
    {
        bad = DropReason::LINK_DOWN;
    }
    else if (host >= PeekPointer(m_subnet)->GetNHosts())
    {
        // A router or an aggregation node forwards nothing.
        bad = DropReason::NO_ROUTE;
    }
    Ticks free = now;
    if (bad != DropReason::NONE)
    {
        Lose(index, host, bad, now);
    }
    else
    {
        NS_LOG_INFO("Packet " << packet.serial << " of host " << packet.from << " arrives at host "
                              << host);
        m_deliver(now, packet, host);
        ++m_counters.delivered;
        free = m_user->OnPacket(host, index);
        m_packets.Free(index);
    }
    const bool starved = GetOutputLane(sender, lane).starved;
    if (starved)
    {
        CatchUp(now);
    }
    GrantCredits(sender, lane, std::max(free, now) + m_link.creditDelay, blocks);
    if (starved)
    {
        PlanWake(m_wheel.GetNext());
    }
}

uint64_t
Fabric::DrawFault(double probability)
{
    if (probability <= 0)
    {
        return NEVER;
    }
    if (probability >= 1)
    {
        return 1;
    }
    const double packets =
        1 + std::floor(std::log1p(-m_random->GetValue(0, 1)) / std::log1p(-probability));
    return packets < 1e18 ? static_cast<uint64_t>(packets) : NEVER;
}

void
Fabric::Corrupt(Packet& packet, PortId port)
{
    Output& output = m_outputs[port];
    if (output.untilFault == 0)
    {
        output.untilFault = DrawFault(m_corruption);
        ++m_portErrors[output.peer].symbolErrors;
        if (packet.bad != DropReason::LINK_DOWN)
        {
            packet.bad = DropReason::VCRC;
        }
    }
    if (!output.host && m_untilSwitchFault != NEVER && --m_untilSwitchFault == 0)
    {
        m_untilSwitchFault = DrawFault(m_switchCorruption);
        if (packet.bad == DropReason::NONE)
        {
            packet.bad = DropReason::ICRC;
        }
    }
}

void
Fabric::Lose(PacketIndex index, PortId port, DropReason reason, Ticks now)
{
    NS_LOG_INFO("At " << now << " ns, packet " << m_packets[index].serial << " of host "
                      << m_packets[index].from << " is lost at port " << port << ": " << reason);
    ++m_counters.drops[static_cast<std::size_t>(reason)];
    if (reason == DropReason::PORT_DOWN || reason == DropReason::NO_ROUTE)
    {
        ++m_portErrors[port].xmitDiscards;
    }
    else
    {
        ++m_portErrors[port].rcvErrors;
    }
    m_drop(now, m_packets[index], port, reason);
    m_user->OnDrop(index, reason);
    m_packets.Free(index);
}

void
Fabric::SetLinkUp(PortId port, bool up)
{
    const PortId peer = m_outputs[port].peer;
    if (peer == NO_PORT || m_outputs[port].up == up)
    {
        return;
    }
    NS_LOG_INFO("The link of port " << port << (up ? " is up" : " is down"));
    m_linkState(port, up);
    const Ticks now = m_clock->Now();
    AdvanceTo(now);
    m_outputs[port].up = up;
    m_outputs[peer].up = up;
    if (!up)
    {
        CutLink(port, now);
        CutLink(peer, now);
    }
    m_subnet->GetManager().SetLinkUp(port, up);
    if (!m_sweepDelay.IsStrictlyNegative())
    {
        PlaceOnClock(now + static_cast<Ticks>(m_sweepDelay.GetNanoSeconds()), Kind::SWEEP, 0, 0);
    }
    PlanWake(m_wheel.GetNext());
}

void
Fabric::CutLink(PortId port, Ticks now)
{
    Output& output = m_outputs[port];
    output.lastDown = now;
    // The last packet sent may already be cut through the next switch. Hosts themselves check
    // whether the link has failed under a packet.
    if (output.last != NO_PACKET && !output.toHost && output.busyUntil + m_link.cableDelay > now &&
        m_packets[output.last].serial == output.lastSerial)
    {
        Cut(m_packets[output.last]);
    }
    for (uint8_t lane = 0; lane < m_lanes; ++lane)
    {
        if (!output.toHost)
        {
            CutArrivals(port, lane, now);
        }
        WithdrawRequests(port, lane, now);
    }
    output.blockedSince = NEVER;
}

void
Fabric::CutArrivals(PortId port, uint8_t number, Ticks now)
{
    PacketIndex at = m_buffers[GetQueue(m_outputs[port].peer, number)].first;
    for (; at != NO_PACKET; at = m_packets[at].next)
    {
        if (m_packets[at].whole > now)
        {
            Cut(m_packets[at]);
        }
    }
}

void
Fabric::WithdrawRequests(PortId port, uint8_t number, Ticks now)
{
    const Output& output = m_outputs[port];
    PortSet& waiting = GetOutputLane(port, number).waiting;
    for (uint32_t n = waiting.Find(0); n < PortSet::SIZE; n = waiting.Find(n + 1))
    {
        const uint32_t queue = GetQueue(output.base + n, number);
        Buffer& buffer = m_buffers[queue];
        if (m_packets[buffer.first].destination < MULTICAST_LID || output.host)
        {
            m_wheel.Place(queue, now);
            continue;
        }
        buffer.fanout.Remove(port - output.base);
        if (buffer.fanout.IsEmpty())
        {
            DropHead(queue, port, DropReason::PORT_DOWN, now);
        }
    }
    waiting = PortSet();
}

void
Fabric::PlanLink(PortId port, bool up, Ticks when)
{
    PlaceOnClock(when, Kind::LINK, port, up);
}

void
Fabric::PlanFailures()
{
    if (m_failedLinks == 0)
    {
        return;
    }
    const auto links = GetInnerLinks(*m_subnet);
    const auto down = static_cast<Ticks>(std::max<int64_t>(0, m_failureTime.GetNanoSeconds()));
    for (std::size_t n = 0; n < m_failedLinks; ++n)
    {
        const PortId port = links[n * links.size() / m_failedLinks];
        PlanLink(port, false, down);
        if (!m_repairTime.IsStrictlyNegative())
        {
            PlanLink(port, true, down + static_cast<Ticks>(m_repairTime.GetNanoSeconds()));
        }
    }
}

Ticks
Fabric::GetIdleLatency(HostId from, Lid lid, uint32_t bytes) const
{
    // The head leaves at once, or late enough for the tail to follow without a gap on a faster
    // link.
    Ticks head = 0;
    Ticks whole = 0;
    for (const PortId port : m_subnet->GetManager().GetRoute(from, lid))
    {
        const Ticks time = GetTime(m_outputs[port].parts, bytes);
        head += m_outputs[port].host ? 0 : m_link.switchDelay;
        head = std::max(head + time, whole) - time;
        whole = head + time + m_link.cableDelay;
        head += m_link.cableDelay;
    }
    return whole == 0 ? NEVER : whole;
}

const FabricCounters&
Fabric::GetCounters()
{
    AdvanceTo(m_clock->Now());
    return m_counters;
}

PortCounters
Fabric::GetPortCounters(PortId port)
{
    AdvanceTo(m_clock->Now());
    const Output& output = m_outputs[port];
    PortCounters counters = m_portErrors[port];
    counters.xmitData = output.bytes;
    counters.xmitPackets = output.sent;
    counters.xmitWait = output.wait;
    return counters;
}

LaneState
Fabric::GetLaneState(PortId port, uint8_t lane)
{
    AdvanceTo(m_clock->Now());
    const Lane& output = GetOutputLane(port, lane);
    LaneState state;
    state.credits = output.credits;
    for (uint32_t grant = output.grants.head; grant != NO_PLACE; grant = m_grants.GetNext(grant))
    {
        state.granted += m_grants[grant].blocks;
    }
    PacketIndex at = m_buffers[GetQueue(port, lane)].first;
    for (; at != NO_PACKET; at = m_packets[at].next)
    {
        ++state.queuedPackets;
        state.queuedBlocks += m_packets[at].blocks;
    }
    return state;
}

void
Fabric::CorruptNext(PortId port)
{
    AdvanceTo(m_clock->Now());
    m_outputs[m_outputs[port].peer].untilFault = 1;
}

Ptr<messaging::Table>
Fabric::MakePortTable()
{
    const Topology& topology = m_subnet->GetTopology();
    const auto now = static_cast<double>(std::max<Ticks>(m_clock->Now(), 1));
    std::vector<PortId> ports;
    for (PortId port = 0; port < m_outputs.size(); ++port)
    {
        if (m_outputs[port].peer != NO_PORT)
        {
            ports.push_back(port);
        }
    }
    messaging::RowTable table(ports);
    const auto addCount = [&](const char* name, const char* unit, uint64_t PortCounters::* count) {
        table.Add(name, unit, [&](PortId port) { return GetPortCounters(port).*count; });
    };
    table.Add("port", "", [&](PortId port) { return topology.GetPortName(port); });
    table.Add("peer", "", [&](PortId port) { return topology.GetPortName(m_outputs[port].peer); });
    addCount("xmit_data", "bytes", &PortCounters::xmitData);
    addCount("xmit_packets", "packets", &PortCounters::xmitPackets);
    table.Add("xmit_wait", "us", [&](PortId port) {
        return static_cast<double>(GetPortCounters(port).xmitWait) / 1e3;
    });
    addCount("xmit_discards", "packets", &PortCounters::xmitDiscards);
    addCount("symbol_errors", "packets", &PortCounters::symbolErrors);
    addCount("rcv_errors", "packets", &PortCounters::rcvErrors);
    table.Add("utilization", "fraction", [&](PortId port) {
        const auto bytes = static_cast<double>(GetPortCounters(port).xmitData);
        return bytes * RATE_PARTS / m_outputs[port].parts / now;
    });
    return table.Get();
}

Ptr<messaging::Table>
Fabric::MakeDropTable()
{
    const FabricCounters& counters = GetCounters();
    messaging::RowTable table(N_DROP_REASONS - 1);
    table.Add("reason", "", [](std::size_t n) { return static_cast<DropReason>(n + 1); });
    table.Add("packets", "packets", [&](std::size_t n) { return counters.drops[n + 1]; });
    return table.Get();
}

} // namespace infiniband
} // namespace ns3
