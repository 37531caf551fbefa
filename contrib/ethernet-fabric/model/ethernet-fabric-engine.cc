/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ethernet-fabric-engine.h"

#include "ethernet-fabric-tiers.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-spread-bits.h"
#include "ns3/messaging-text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace ns3
{
namespace fabric
{

NS_LOG_COMPONENT_DEFINE("EthernetFabricEngine");

namespace
{

// A datum of the clock has the call, then the serial number of a flight, then its index.
constexpr unsigned CALL_BITS = 8;                          ///< Bits of the call.
constexpr unsigned SERIAL_BITS = 24;                       ///< Bits of the serial number.
constexpr uint64_t CALL_MASK = (1U << CALL_BITS) - 1;      ///< Mask of the call.
constexpr uint64_t SERIAL_MASK = (1U << SERIAL_BITS) - 1;  ///< Mask of the serial number.
constexpr unsigned FLIGHT_SHIFT = CALL_BITS + SERIAL_BITS; ///< Place of the index.

/** Latest time of a frame, after which an Instant has 13 days left for the events that follow it
 * [ps]. */
constexpr Instant LONGEST_TIME = NEVER / 16 * 15;

/** @param hash hash of a frame @param salt number of a switch @return a hash that differs from
 * switch to switch */
uint32_t
Mix(uint32_t hash, uint32_t salt)
{
    uint32_t mixed = hash ^ salt;
    mixed = (mixed ^ mixed >> 16) * 0x85ebca6bU;
    mixed = (mixed ^ mixed >> 13) * 0xc2b2ae35U;
    return mixed ^ mixed >> 16;
}

/** @param from sender @param to receiver @param path path value @return the hash of a frame */
uint32_t
HashFlow(Peer from, Peer to, uint16_t path)
{
    const uint64_t ends = uint64_t{from} << 32 | to;
    return static_cast<uint32_t>(messaging::SpreadBits(messaging::SpreadBits(ends) + path) >> 32);
}

} // namespace

FabricEngine::FabricEngine(const FabricConfig& config, uint32_t hosts)
    : m_config(config),
      m_topology(config, hosts),
      m_exact(config.admission == Admission::PFC || config.HasFaults()),
      m_measures(config.ecn != Ecn::OFF && config.ecnPoint == EcnPoint::DEQUEUE),
      m_foresees(!config.HasFaults() && config.routing == Routing::ECMP),
      m_lead(config.gaps ? PREAMBLE : 0),
      m_gap(config.gaps ? GAP : 0),
      m_headroom(config.GetHeadroom())
{
    std::size_t height = 0;
    uint32_t buffer = config.buffer;
    for (const FabricTier& tier : GetTiers(config, hosts).tiers)
    {
        const Direction up{LinkTime(tier.rate.GetBitRate()),
                           static_cast<Instant>(tier.delay.GetPicoSeconds()),
                           buffer};
        Direction down = up;
        down.buffer = tier.bufferDown;
        m_links.insert(m_links.end(), {up, down});
        buffer = tier.bufferUp;
        m_latency[++height] = static_cast<Instant>(tier.latency.GetPicoSeconds());
    }
    const uint32_t ports = m_topology.GetNPorts();
    m_ports.resize(ports);
    m_counts.resize(ports);
    m_queues.resize(std::size_t{ports} * config.classes);
    m_queued.resize(m_queues.size());
    if (config.admission == Admission::PFC)
    {
        m_inputs.resize(std::size_t{ports} * config.classes);
        if (config.pfcWatchdog.IsStrictlyPositive())
        {
            m_pausedSince.resize(m_inputs.size());
        }
        m_pauseTime = static_cast<Instant>(config.pfcPause.GetPicoSeconds());
        if (m_pauseTime > 0)
        {
            m_pauseEnds.resize(m_inputs.size());
        }
    }
    for (const uint32_t weight : config.GetWeights())
    {
        m_quanta.push_back(weight * config.GetLargestFrame());
        m_rounds.resize(ports);
    }
    for (PortId number = 0; number < ports; ++number)
    {
        Port& port = m_ports[number];
        port.peer = m_topology.GetPeer(number);
        port.peerNode = m_topology.GetOwner(port.peer);
        port.node = m_topology.GetOwner(number);
        const Tier own = m_topology.GetNodes()[port.node].tier;
        const Tier other = m_topology.GetNodes()[port.peerNode].tier;
        port.link = static_cast<uint8_t>(2 * static_cast<uint32_t>(std::min(own, other)));
        port.link += own < other ? 0 : 1;
        port.time = m_links[port.link].time;
    }
    for (const NodeShape& shape : m_topology.GetNodes())
    {
        m_nodes.push_back({.shape = shape});
    }
    const uint32_t ends = m_topology.GetNEnds();
    for (NodeId end = 0; end < ends; ++end)
    {
        m_leaves.push_back(m_ports[end].peerNode - ends);
    }
    const uint32_t least = std::min(LEAST_FRAME, config.trimSize);
    const Instant wire = m_links[0].time.Get(m_lead + least);
    // A pause at a host's port affects the host when the next frame has left; other events reach a
    // host through its link.
    m_sight = m_exact ? wire : wire + m_links[0].delay;
    std::string error;
    m_faults = ReadFaults(config, m_topology, error);
    if (!m_faults.empty())
    {
        m_avoided.resize(ports);
        m_changes.resize(ports);
    }
    const bool isErratic = std::any_of(m_faults.begin(),
                                       m_faults.end(),
                                       [](const LinkFault& fault) { return fault.errors > 0; });
    if (isErratic || config.bitErrors > 0)
    {
        m_errors.assign(ports, config.bitErrors);
    }
    SetSeed(1);
}

void
FabricEngine::SetSeed(uint64_t seed)
{
    m_random = messaging::SpreadBits(seed) | 1;
    m_wheel.SetSeed(Draw() | 1);
    for (Node& node : m_nodes)
    {
        node.salt = static_cast<uint32_t>(Draw() >> 32);
    }
    m_untilError = 0;
}

void
FabricEngine::Start(Ptr<messaging::TickClock> clock, FabricUser* user)
{
    m_clock = clock;
    m_user = user;
    m_number = clock->Register(this);
    m_perTick = static_cast<Instant>(clock->GetTickLength().GetPicoSeconds());
    m_longest = LONGEST_TIME / m_perTick;
    for (uint32_t number = 0; number < m_faults.size(); ++number)
    {
        const FlightId event = Make();
        m_flights[event].kind = Kind::FAULT;
        m_flights[event].hash = number;
        PlaceEvent(event, m_faults[number].when);
    }
    PlanWake();
}

uint64_t
FabricEngine::Draw()
{
    constexpr uint64_t FACTOR = 0x2545f4914f6cdd1d;
    m_random ^= m_random >> 12;
    m_random ^= m_random << 25;
    m_random ^= m_random >> 27;
    return m_random * FACTOR;
}

FlightId
FabricEngine::Make()
{
    if (m_free.empty())
    {
        m_flights.emplace_back();
        m_frames.emplace_back();
        return static_cast<FlightId>(m_flights.size() - 1);
    }
    const FlightId flight = m_free.back();
    m_free.pop_back();
    return flight;
}

void
FabricEngine::Free(FlightId flight)
{
    const uint32_t serial = m_flights[flight].serial + 1;
    m_flights[flight] = Flight();
    m_flights[flight].serial = serial;
    m_free.push_back(flight);
}

bool
FabricEngine::HasRoom(Peer host)
{
    if (m_exact)
    {
        Advance(GetNow());
    }
    Settle(host, GetNow());
    Node& node = m_nodes[host];
    if (node.resident < m_config.sendQueue)
    {
        return true;
    }
    node.asked = true;
    CallRoom(host);
    return false;
}

void
FabricEngine::CallRoom(Peer host)
{
    Node& node = m_nodes[host];
    const uint32_t first = m_ports[host].known.first;
    if (node.called || (first == NONE && node.resident > 0))
    {
        // The next departure calls.
        return;
    }
    node.called = true;
    const Ticks when = first == NONE ? m_clock->Now() : ToTick(m_places[first].end);
    m_clock->At(when, m_number, host, static_cast<uint64_t>(Call::ROOM));
}

void
FabricEngine::Send(Peer from, Peer to, const Frame& frame, uint32_t bytes)
{
    NS_ABORT_MSG_IF(m_clock->Now() > m_longest,
                    "An Ethernet fabric counts picoseconds, and cannot carry frames after "
                        << LONGEST_TIME / PS_PER_NS / 1'000'000'000
                        << " s (200 days) of simulated time.");
    const Instant now = GetNow();
    if (m_exact)
    {
        Advance(now);
    }
    const FlightId id = Make();
    m_frames[id] = frame;
    Flight& flight = m_flights[id];
    flight.bytes = std::max(bytes, LEAST_FRAME);
    flight.from = from;
    flight.to = to;
    flight.path = static_cast<uint16_t>(frame.path % m_config.GetPathsOfPlane());
    flight.hash = HashFlow(from, to, flight.path);
    flight.trafficClass =
        static_cast<uint8_t>(std::min<uint32_t>(frame.trafficClass, m_config.classes - 1));
    ++m_inFlight;
    if (from == to)
    {
        const uint64_t serial = flight.serial & SERIAL_MASK;
        m_clock->At(m_clock->Now() + 1,
                    m_number,
                    to,
                    uint64_t{id} << FLIGHT_SHIFT | serial << CALL_BITS |
                        static_cast<uint64_t>(Call::ARRIVE));
        return;
    }
    ++m_nodes[from].received;
    if (m_ports[from].down)
    {
        Lose(id, from, from, LossReason::LINK_DOWN, now);
        return;
    }
    Settle(from, now);
    Enqueue(id, from, now, now);
    PlanWake();
}

void
FabricEngine::OnTick(Peer peer, uint64_t datum)
{
    const Instant now = GetNow();
    switch (static_cast<Call>(datum & CALL_MASK))
    {
    case Call::WAKE:
        if (m_clock->Now() >= m_wake)
        {
            m_wake = NEVER;
            Advance(now);
            PlanWake();
        }
        break;
    case Call::ARRIVE: {
        if (!m_faults.empty())
        {
            Advance(now);
            PlanWake();
        }
        const auto flight = static_cast<FlightId>(datum >> FLIGHT_SHIFT);
        // The event of a frame that has been delayed meanwhile is not valid.
        if ((m_flights[flight].serial & SERIAL_MASK) == (datum >> CALL_BITS & SERIAL_MASK))
        {
            Deliver(flight);
        }
        break;
    }
    case Call::ROOM: {
        m_nodes[peer].called = false;
        if (m_nodes[peer].asked && HasRoom(peer))
        {
            m_nodes[peer].asked = false;
            m_user->OnRoom(peer);
        }
        if (m_exact)
        {
            PlanWake();
        }
        break;
    }
    }
}

void
FabricEngine::PlanWake()
{
    const Instant next = m_wheel.GetNext();
    if (next == NEVER)
    {
        return;
    }
    const Ticks latest = (next + m_sight) / m_perTick;
    const Ticks when = std::max({latest, ToTick(next), m_clock->Now()});
    if (when < m_wake)
    {
        m_wake = when;
        m_clock->At(when, m_number, 0, static_cast<uint64_t>(Call::WAKE));
    }
}

void
FabricEngine::Advance(Instant end)
{
    Instant now = 0;
    FlightId event = NONE;
    while ((event = m_wheel.Take(m_flights, end, now)) != NONE)
    {
        LookAhead();
        switch (m_flights[event].kind)
        {
        case Kind::FRAME:
            Arrive(event, now);
            break;
        case Kind::TIMER: {
            const PortId port = m_flights[event].port;
            m_ports[port].timer = NONE;
            Free(event);
            Serve(port, now);
            break;
        }
        case Kind::PAUSE: {
            const Flight pause = m_flights[event];
            Free(event);
            OnPause(pause, now);
            break;
        }
        case Kind::REFRESH: {
            const Flight refresh = m_flights[event];
            Free(event);
            OnRefresh(refresh, now);
            break;
        }
        case Kind::EXPIRE: {
            const Flight end = m_flights[event];
            Free(event);
            OnExpire(end, now);
            break;
        }
        case Kind::FAULT: {
            const LinkFault fault = m_faults[m_flights[event].hash];
            Free(event);
            ApplyFault(fault, now);
            break;
        }
        case Kind::WATCH: {
            const Flight watch = m_flights[event];
            Free(event);
            OnWatch(watch, now);
            break;
        }
        case Kind::ROUTES: {
            const Flight change = m_flights[event];
            Free(event);
            OnRoutes(change);
            break;
        }
        }
    }
}

inline void
FabricEngine::LookAhead()
{
    // An event needs memory that others have not touched for long, each piece found by the one
    // before: its node, then its output and the queue there, then the place of the last frame.
    constexpr std::size_t NODE = 10;
    constexpr std::size_t OUTPUT = 6;
    constexpr std::size_t PLACE = 3;
    if (!m_foresees)
    {
        return;
    }
    if (m_wheel.IsFresh())
    {
        for (std::size_t distance = 0; distance < NODE; ++distance)
        {
            LoadNode(m_wheel.Peek(distance));
        }
        for (std::size_t distance = 0; distance < OUTPUT; ++distance)
        {
            LoadOutput(m_wheel.Peek(distance));
        }
    }
    LoadNode(m_wheel.Peek(NODE));
    LoadOutput(m_wheel.Peek(OUTPUT));
    const FlightId close = m_wheel.Peek(PLACE);
    if (close != NONE && m_flights[close].output != NONE)
    {
        const uint32_t first = m_ports[m_flights[close].output].known.first;
        if (first != NONE)
        {
            const Place* const place = &m_places[first];
            __builtin_prefetch(place, 1);
            __builtin_prefetch(reinterpret_cast<const char*>(place + 1) - 1, 1);
        }
    }
}

inline void
FabricEngine::LoadNode(FlightId id) const
{
    if (id != NONE && m_flights[id].node != NONE)
    {
        const Node* const node = &m_nodes[m_flights[id].node];
        __builtin_prefetch(node, 1);
        __builtin_prefetch(reinterpret_cast<const char*>(node + 1) - 1, 1);
    }
}

inline void
FabricEngine::LoadOutput(FlightId id)
{
    if (id == NONE)
    {
        return;
    }
    Flight& flight = m_flights[id];
    if (flight.kind == Kind::FRAME && flight.when != NEVER && flight.output == NONE)
    {
        flight.output = Route(m_nodes[flight.node], flight, 0);
        __builtin_prefetch(m_ports.data() + flight.output, 1);
        __builtin_prefetch(&GetQueued(flight.output, flight.trafficClass), 1);
    }
}

void
FabricEngine::Arrive(FlightId id, Instant now)
{
    ++m_hops;
    if (m_measures)
    {
        Settle(m_ports[m_flights[id].port].peer, now);
    }
    Flight& flight = m_flights[id];
    if (IsCut(flight))
    {
        Lose(id, NONE, m_ports[flight.port].peer, LossReason::LINK_DOWN, now);
        return;
    }
    Node& node = m_nodes[flight.node];
    ++node.received;
    if (m_followsHops) [[unlikely]]
    {
        ReportHop(id);
    }
    flight.damaged |= HasBitError(flight.port, flight.bytes);
    if (flight.damaged && m_config.switching == Switching::STORE_AND_FORWARD)
    {
        Lose(id, flight.node, flight.port, LossReason::DAMAGE, now);
        return;
    }
    const bool known = flight.output != NONE;
    const PortId output = known ? std::exchange(flight.output, NONE) : Route(node, flight, now);
    if (output == NONE)
    {
        Lose(id, flight.node, flight.port, LossReason::NO_ROUTE, now);
        return;
    }
    const LossReason reason = Admit(id, output, now);
    if (reason != LossReason::N_REASONS)
    {
        Lose(id, m_ports[output].node, output, reason, now);
    }
}

bool
FabricEngine::IsCut(const Flight& flight) const
{
    if (m_faults.empty())
    {
        return false;
    }
    const PortId number = m_ports[flight.port].peer;
    const Instant down = m_counts[number].lastDown;
    const Instant wire = m_ports[number].time.Get(m_lead + flight.bytes);
    const Instant delay = m_links[m_ports[number].link].delay;
    return down != NEVER && down + delay + wire >= flight.tail;
}

bool
FabricEngine::HasBitError(PortId port, uint32_t bytes)
{
    if (m_errors.empty() || m_errors[port] == 0)
    {
        return false;
    }
    const auto draw = [this] { return -std::log1p(-DrawShare()); };
    if (m_untilError == 0)
    {
        m_untilError = draw();
    }
    m_untilError -= m_errors[port] * 8.0 * bytes;
    const bool found = m_untilError <= 0;
    while (m_untilError <= 0)
    {
        m_untilError += draw();
    }
    return found;
}

void
FabricEngine::ReportHop(FlightId id)
{
    const Flight& flight = m_flights[id];
    const PortId from = m_ports[flight.port].peer;
    m_user->OnHop({.left = flight.tail - m_links[m_ports[from].link].delay,
                   .arrived = flight.tail,
                   .from = from,
                   .to = flight.port,
                   .bytes = flight.bytes,
                   .sender = flight.from,
                   .receiver = flight.to,
                   .path = flight.path,
                   .trafficClass = flight.trafficClass,
                   .marks = flight.marks},
                  m_frames[id]);
}

void
FabricEngine::Deliver(FlightId id)
{
    const Instant now = GetNow();
    const PortId input = m_flights[id].port;
    if (m_measures && input != NONE)
    {
        Settle(m_ports[input].peer, now);
    }
    Flight& flight = m_flights[id];
    if (input != NONE)
    {
        ++m_hops;
        if (IsCut(flight))
        {
            Lose(id, NONE, m_ports[input].peer, LossReason::LINK_DOWN, now);
            return;
        }
        if (m_followsHops) [[unlikely]]
        {
            ReportHop(id);
        }
        flight.damaged |= HasBitError(flight.port, flight.bytes);
    }
    if (flight.damaged)
    {
        Lose(id, NONE, input, LossReason::DAMAGE, now);
        return;
    }
    const bool trimmed = flight.marks & messaging::MARK_TRIMMED;
    if (trimmed && !m_user->TakesTrimmed())
    {
        Lose(id, NONE, input, LossReason::TRIMMED, now);
        return;
    }
    Frame frame = std::move(m_frames[id]);
    frame.marks |= flight.marks;
    if (trimmed)
    {
        frame.contents = 0;
    }
    const Peer from = flight.from;
    const Peer to = flight.to;
    Free(id);
    --m_inFlight;
    m_user->OnArrival(to, from, frame);
}

const std::vector<PortId>*
FabricEngine::FindPorts(NodeId node, NodeId host, PortRange& range) const
{
    const NodeId leaf = m_leaves[host];
    const NodeId number = node - m_topology.GetNEnds();
    if (m_routes.empty() || number == leaf)
    {
        range = m_nodes[node].shape.Find(host);
        return nullptr;
    }
    const NodeId leaves = m_leaves.back() + 1;
    return &m_routes[std::size_t{number} * leaves + leaf];
}

PortId
FabricEngine::Route(const Node& node, Flight& flight, Instant now)
{
    PortRange range;
    const auto number = static_cast<NodeId>(&node - m_nodes.data());
    const std::vector<PortId>* const list = FindPorts(number, flight.to, range);
    const auto count = list ? static_cast<uint32_t>(list->size()) : range.count;
    const auto get = [&](uint32_t index) { return list ? (*list)[index] : range.first + index; };
    if (count == 0)
    {
        return NONE;
    }
    if (count == 1)
    {
        return get(0);
    }
    uint32_t choice = 0;
    switch (m_config.routing)
    {
    case Routing::ECMP:
        choice = static_cast<uint32_t>(uint64_t{Mix(flight.hash, node.salt)} * count >> 32);
        break;
    case Routing::SPRAY:
        choice = DrawBelow(count);
        break;
    case Routing::LEAST_QUEUE: {
        uint64_t least = NEVER;
        uint32_t equals = 0;
        for (uint32_t candidate = 0; candidate < count; ++candidate)
        {
            Settle(get(candidate), now);
            uint64_t queued = 0;
            for (uint8_t trafficClass = 0; trafficClass < m_config.classes; ++trafficClass)
            {
                queued += GetQueued(get(candidate), trafficClass);
            }
            if (queued > least)
            {
                continue;
            }
            equals = queued < least ? 1 : equals + 1;
            if (queued < least || DrawBelow(equals) == 0)
            {
                least = queued;
                choice = candidate;
            }
        }
        break;
    }
    case Routing::SOURCE:
        choice = flight.path % count;
        flight.path = static_cast<uint16_t>(flight.path / count);
        break;
    }
    return get(choice);
}

uint32_t
FabricEngine::GetLimit(const Port& port) const
{
    if (m_config.sharing == Sharing::FIXED)
    {
        return m_links[port.link].buffer;
    }
    const Node& node = m_nodes[port.node];
    if (node.used >= m_config.buffer)
    {
        return 0;
    }
    const auto left = static_cast<double>(m_config.buffer - node.used);
    return static_cast<uint32_t>(std::min<double>(m_config.alpha * left, m_config.buffer));
}

bool
FabricEngine::IsTooLong(const Port& port, uint32_t queue, uint32_t bytes, Instant now)
{
    Node& node = m_nodes[port.node];
    const auto fits = [&] {
        const bool room =
            m_config.sharing == Sharing::FIXED || node.used + bytes <= m_config.buffer;
        return room && queue + bytes <= GetLimit(port);
    };
    if (fits())
    {
        return false;
    }
    if (m_config.sharing == Sharing::FIXED)
    {
        return true;
    }
    // Buffers of other ports may be free by now.
    SettleNode(node, now);
    return !fits();
}

uint32_t
FabricEngine::GetXoff(const Node& node) const
{
    if (m_config.pfcAlpha == 0)
    {
        return m_config.pfcXoff;
    }
    if (node.used >= m_config.buffer)
    {
        return 0;
    }
    return static_cast<uint32_t>(m_config.pfcAlpha *
                                 static_cast<double>(m_config.buffer - node.used));
}

bool
FabricEngine::IsMarked(uint32_t queue)
{
    switch (m_config.ecn)
    {
    case Ecn::OFF:
        break;
    case Ecn::STEP:
        return queue >= m_config.ecnLow;
    case Ecn::RED:
        if (queue <= m_config.ecnLow)
        {
            return false;
        }
        if (queue >= m_config.ecnHigh)
        {
            return true;
        }
        return DrawShare() * (m_config.ecnHigh - m_config.ecnLow) <
               m_config.ecnShare * (queue - m_config.ecnLow);
    }
    return false;
}

void
FabricEngine::Mark(FlightId id, PortId output)
{
    Port& port = m_ports[output];
    Flight& flight = m_flights[id];
    const bool lastHop = port.peer < m_topology.GetNEnds();
    if ((lastHop && !m_config.ecnLastHop) || (flight.marks & messaging::MARK_TRIMMED))
    {
        return;
    }
    if (IsMarked(GetQueued(output, flight.trafficClass)))
    {
        ++m_counts[output].marks;
        flight.marks |= messaging::MARK_CONGESTION;
    }
}

LossReason
FabricEngine::Admit(FlightId id, PortId output, Instant now)
{
    Settle(output, now);
    Port& port = m_ports[output];
    if (port.down)
    {
        return LossReason::LINK_DOWN;
    }
    Node& node = m_nodes[port.node];
    const uint8_t trafficClass = m_flights[id].trafficClass;
    const uint32_t bytes = m_flights[id].bytes;
    bool isHeader = (m_flights[id].marks & messaging::MARK_TRIMMED) != 0;
    if (m_config.IsLossless(trafficClass))
    {
        if (!AdmitInput(m_flights[id].port, trafficClass, bytes, now))
        {
            return LossReason::HEADROOM;
        }
    }
    else if (!isHeader)
    {
        const uint32_t queue = GetQueued(output, trafficClass);
        const bool full = IsTooLong(port, queue, bytes, now);
        const bool trims =
            m_config.admission == Admission::TRIM && trafficClass != m_config.classes - 1;
        if (trims && (full || queue + bytes > m_config.trimThreshold))
        {
            Trim(m_flights[id], output);
            isHeader = true;
        }
        else if (full)
        {
            return LossReason::FULL_QUEUE;
        }
    }
    // Pauses that the calls above have sent may have moved the flights.
    const Flight& flight = m_flights[id];
    if (isHeader && GetQueued(output, flight.trafficClass) + flight.bytes > m_config.headerQueue)
    {
        return LossReason::FULL_HEADER_QUEUE;
    }
    if (m_config.ecn != Ecn::OFF && !m_measures)
    {
        Mark(id, output);
    }
    // With cut-through, the last byte must not leave before it has arrived.
    const Instant wire = port.time.Get(m_lead + flight.bytes);
    const Instant latency = m_latency[static_cast<std::size_t>(node.shape.tier)];
    const Instant least = flight.tail + latency;
    const Instant ready = std::max(now + latency, least - std::min(least, wire));
    Enqueue(id, output, ready, now);
    return LossReason::N_REASONS;
}

void
FabricEngine::Trim(Flight& flight, PortId output)
{
    flight.trafficClass = static_cast<uint8_t>(m_config.classes - 1);
    if (flight.bytes <= m_config.trimSize)
    {
        return;
    }
    ++m_counts[output].trims;
    flight.bytes = m_config.trimSize;
    flight.marks |= messaging::MARK_TRIMMED;
    if (m_ports[output].peer < m_topology.GetNEnds())
    {
        flight.marks |= messaging::MARK_LAST_HOP;
    }
}

bool
FabricEngine::AdmitInput(PortId port, uint8_t trafficClass, uint32_t bytes, Instant now)
{
    Node& node = m_nodes[m_ports[port].node];
    Input& input = m_inputs[std::size_t{port} * m_config.classes + trafficClass];
    if (input.bytes + bytes > std::min(GetXoff(node), input.peak))
    {
        // Buffers of other ports may be free by now.
        SettleNode(node, now);
    }
    if (input.bytes + bytes > uint64_t{GetXoff(node)} + m_headroom)
    {
        return false;
    }
    input.bytes += bytes;
    input.peak = std::max(input.peak, input.bytes);
    if (!input.paused && input.bytes > GetXoff(node))
    {
        input.paused = true;
        ++input.pauses;
        ++node.pausing;
        SendPause(port, trafficClass, true, now);
        PlanRefresh(port, trafficClass, now);
        for (uint32_t number = 0; number < node.shape.GetNPorts(); ++number)
        {
            PlanTimer(node.shape.base + number, now);
        }
    }
    return true;
}

void
FabricEngine::Enqueue(FlightId id, PortId output, Instant ready, Instant now)
{
    Port& port = m_ports[output];
    const Flight& flight = m_flights[id];
    Node& node = m_nodes[port.node];
    const uint8_t trafficClass = flight.trafficClass;
    const uint32_t place = m_places.Put(Place{.ready = ready,
                                              .flight = id,
                                              .bytes = flight.bytes,
                                              .input = flight.port,
                                              .trafficClass = trafficClass});
    node.used += flight.bytes;
    ++node.resident;
    uint32_t& queued = GetQueued(output, trafficClass);
    queued += flight.bytes;
    port.peak = std::max(port.peak, queued);
    if (port.waiting == 0 && port.paused == 0)
    {
        const uint32_t first = port.known.first;
        const bool alone =
            first == NONE || (first == port.known.last && m_places[first].start <= now);
        const bool last =
            m_quanta.empty() ? trafficClass <= port.lowest : trafficClass == port.lowest;
        if (alone || last)
        {
            port.lowest = trafficClass;
            Depart(output, place, std::max(ready, port.busyUntil));
            if (node.pausing > 0)
            {
                PlanTimer(output, now);
            }
            return;
        }
        Forget(output, now);
    }
    Append(m_queues[std::size_t{output} * m_config.classes + trafficClass], place);
    port.waiting |= static_cast<uint8_t>(1U << trafficClass);
    PlanTimer(output, now);
}

void
FabricEngine::Append(List& list, uint32_t place)
{
    m_places[place].next = NONE;
    if (list.first == NONE)
    {
        list.first = place;
    }
    else
    {
        m_places[list.last].next = place;
    }
    list.last = place;
}

void
FabricEngine::Depart(PortId output, uint32_t number, Instant start)
{
    Port& port = m_ports[output];
    Place& place = m_places[number];
    Flight& flight = m_flights[place.flight];
    Node& node = m_nodes[port.node];
    place.start = start;
    place.end = start + port.time.Get(m_lead + place.bytes);
    port.busyUntil = start + port.time.Get(m_lead + place.bytes + m_gap);
    if (port.known.first == NONE)
    {
        node.nextRelease = std::min(node.nextRelease, place.end);
    }
    Append(port.known, number);
    const Instant delay = m_links[port.link].delay;
    flight.tail = place.end + delay;
    flight.port = port.peer;
    flight.node = port.peerNode;
    if (port.peer < m_topology.GetNEnds())
    {
        m_clock->At(ToTick(flight.tail),
                    m_number,
                    port.peer,
                    uint64_t{place.flight} << FLIGHT_SHIFT |
                        (flight.serial & SERIAL_MASK) << CALL_BITS |
                        static_cast<uint64_t>(Call::ARRIVE));
        return;
    }
    Instant arrival = flight.tail;
    if (m_config.switching == Switching::CUT_THROUGH)
    {
        const uint32_t head = std::min(place.bytes, m_config.cutThrough);
        arrival = start + port.time.Get(m_lead + head) + delay;
    }
    PlaceEvent(place.flight, arrival);
    if (node.asked)
    {
        CallRoom(output);
    }
}

void
FabricEngine::Forget(PortId output, Instant now)
{
    Port& port = m_ports[output];
    uint32_t next = port.known.first;
    if (next == NONE)
    {
        return;
    }
    const Place& first = m_places[next];
    if (first.start <= now)
    {
        port.busyUntil = first.start + port.time.Get(m_lead + first.bytes + m_gap);
        next = first.next;
        m_places[port.known.first].next = NONE;
        port.known.last = port.known.first;
    }
    else
    {
        // It waits for its latency, or for the gap after the last frame.
        port.busyUntil = first.start > first.ready ? first.start : now;
        port.known = List();
    }
    while (next != NONE)
    {
        const uint32_t place = next;
        next = m_places[place].next;
        const uint8_t trafficClass = m_places[place].trafficClass;
        const FlightId flight = m_places[place].flight;
        if (port.peer < m_topology.GetNEnds())
        {
            ++m_flights[flight].serial;
        }
        else
        {
            m_wheel.Remove(m_flights, flight);
        }
        Append(m_queues[std::size_t{output} * m_config.classes + trafficClass], place);
        port.waiting |= static_cast<uint8_t>(1U << trafficClass);
    }
}

void
FabricEngine::Serve(PortId output, Instant now)
{
    Settle(output, now);
    Port& port = m_ports[output];
    unsigned ready = 0;
    for (unsigned bits = port.waiting & ~port.paused; bits != 0; bits &= bits - 1)
    {
        const unsigned trafficClass = std::countr_zero(bits);
        const List& queue = m_queues[std::size_t{output} * m_config.classes + trafficClass];
        if (m_places[queue.first].ready <= now)
        {
            ready |= 1U << trafficClass;
        }
    }
    if (ready != 0 && port.busyUntil <= now)
    {
        const unsigned trafficClass = SelectClass(output, ready);
        List& queue = m_queues[std::size_t{output} * m_config.classes + trafficClass];
        const uint32_t place = queue.first;
        queue.first = m_places[place].next;
        if (queue.first == NONE)
        {
            queue.last = NONE;
            port.waiting &= static_cast<uint8_t>(~(1U << trafficClass));
        }
        port.lowest = static_cast<uint8_t>(trafficClass);
        Depart(output, place, now);
    }
    PlanTimer(output, now);
}

unsigned
FabricEngine::SelectClass(PortId output, unsigned ready)
{
    if (m_quanta.empty())
    {
        return std::bit_width(ready) - 1;
    }
    Round& round = m_rounds[output];
    while (true)
    {
        const uint8_t trafficClass = round.turn;
        uint32_t& credit = round.credit[trafficClass];
        if (ready >> trafficClass & 1)
        {
            const List& queue = m_queues[std::size_t{output} * m_config.classes + trafficClass];
            const uint32_t bytes = m_places[queue.first].bytes;
            if (bytes <= credit)
            {
                credit -= bytes;
                return trafficClass;
            }
        }
        else
        {
            credit = 0;
        }
        round.turn = static_cast<uint8_t>((trafficClass + 1) % m_config.classes);
        round.credit[round.turn] += m_quanta[round.turn];
    }
}

void
FabricEngine::PlanTimer(PortId output, Instant now)
{
    Port& port = m_ports[output];
    Instant when = NEVER;
    const unsigned ready = port.waiting & ~port.paused;
    if (ready != 0 && port.busyUntil > now)
    {
        when = port.busyUntil;
    }
    else if (ready != 0)
    {
        for (unsigned bits = ready; bits != 0; bits &= bits - 1)
        {
            const unsigned trafficClass = std::countr_zero(bits);
            const List& queue = m_queues[std::size_t{output} * m_config.classes + trafficClass];
            when = std::min(when, m_places[queue.first].ready);
        }
        when = std::max(when, now);
    }
    if (m_nodes[port.node].pausing > 0 && port.known.first != NONE)
    {
        when = std::min(when, std::max(m_places[port.known.first].end, now));
    }
    if (when == NEVER)
    {
        return;
    }
    if (port.timer == NONE)
    {
        const FlightId timer = Make();
        m_flights[timer].kind = Kind::TIMER;
        m_flights[timer].port = output;
        port.timer = timer;
    }
    else if (m_flights[port.timer].when <= when)
    {
        return;
    }
    else
    {
        m_wheel.Remove(m_flights, port.timer);
    }
    PlaceEvent(port.timer, when);
}

void
FabricEngine::Settle(PortId output, Instant now)
{
    Port& port = m_ports[output];
    while (port.known.first != NONE)
    {
        const uint32_t number = port.known.first;
        Place& place = m_places[number];
        if (m_measures && !place.measured && place.start <= now)
        {
            place.measured = true;
            if (port.node >= m_topology.GetNEnds())
            {
                Mark(place.flight, output);
            }
        }
        if (place.end > now)
        {
            return;
        }
        port.known.first = place.next;
        if (place.next == NONE)
        {
            port.known.last = NONE;
        }
        ++port.frames;
        port.bytes += place.bytes;
        Release(output, number, now);
    }
}

void
FabricEngine::SettleNode(Node& node, Instant now)
{
    if (now < node.nextRelease)
    {
        return;
    }
    Instant next = NEVER;
    for (uint32_t number = 0; number < node.shape.GetNPorts(); ++number)
    {
        const PortId output = node.shape.base + number;
        Settle(output, now);
        if (const uint32_t first = m_ports[output].known.first; first != NONE)
        {
            next = std::min(next, m_places[first].end);
        }
    }
    node.nextRelease = next;
}

void
FabricEngine::Release(PortId output, uint32_t number, Instant now)
{
    const Place place = m_places.Take(number);
    const Port& port = m_ports[output];
    Node& node = m_nodes[port.node];
    GetQueued(output, place.trafficClass) -= place.bytes;
    node.used -= place.bytes;
    --node.resident;
    if (port.node < m_topology.GetNEnds() || !m_config.IsLossless(place.trafficClass))
    {
        return;
    }
    Input& input = m_inputs[std::size_t{place.input} * m_config.classes + place.trafficClass];
    input.bytes -= place.bytes;
    if (input.paused &&
        uint64_t{input.bytes} + m_config.pfcResume <= std::max(GetXoff(node), m_config.pfcResume))
    {
        input.paused = false;
        --node.pausing;
        SendPause(place.input, place.trafficClass, false, now);
    }
}

void
FabricEngine::SendPause(PortId output, uint8_t trafficClass, bool on, Instant now)
{
    Settle(output, now);
    const Port& port = m_ports[output];
    PortCounts& counts = m_counts[output];
    Instant start = std::max(now, counts.controlUntil);
    if (port.known.first != NONE && m_places[port.known.first].start <= now)
    {
        const Place& place = m_places[port.known.first];
        start = std::max(start, place.start + port.time.Get(m_lead + place.bytes + m_gap));
    }
    counts.controlUntil = start + port.time.Get(m_lead + LEAST_FRAME + m_gap);
    counts.pausesSent += on;
    const Instant arrival = start + port.time.Get(m_lead + LEAST_FRAME) + m_links[port.link].delay;
    const PortId peer = port.peer;
    const FlightId pause = Make();
    m_flights[pause].kind = Kind::PAUSE;
    m_flights[pause].port = peer;
    m_flights[pause].trafficClass = trafficClass;
    m_flights[pause].on = on;
    m_flights[pause].bytes = LEAST_FRAME;
    m_flights[pause].tail = arrival;
    PlaceEvent(pause, arrival);
    NS_LOG_LOGIC(m_topology.GetPortName(output) << (on ? " pauses" : " resumes") << " class "
                                                << +trafficClass << " at " << now << " ps");
    m_user->OnPause({now, output, trafficClass, on});
}

void
FabricEngine::PlanRefresh(PortId port, uint8_t trafficClass, Instant now)
{
    if (m_pauseTime == 0)
    {
        return;
    }
    const FlightId refresh = Make();
    m_flights[refresh].kind = Kind::REFRESH;
    m_flights[refresh].port = port;
    m_flights[refresh].trafficClass = trafficClass;
    m_flights[refresh].hash = m_inputs[std::size_t{port} * m_config.classes + trafficClass].pauses;
    PlaceEvent(refresh, now + m_pauseTime / 2);
}

void
FabricEngine::OnRefresh(const Flight& refresh, Instant now)
{
    const std::size_t index = std::size_t{refresh.port} * m_config.classes + refresh.trafficClass;
    if (m_inputs[index].paused && m_inputs[index].pauses == refresh.hash)
    {
        SendPause(refresh.port, refresh.trafficClass, true, now);
        PlanRefresh(refresh.port, refresh.trafficClass, now);
    }
}

void
FabricEngine::OnExpire(const Flight& end, Instant now)
{
    Port& port = m_ports[end.port];
    const auto bit = static_cast<uint8_t>(1U << end.trafficClass);
    const std::size_t index = std::size_t{end.port} * m_config.classes + end.trafficClass;
    if ((port.paused & bit) && m_pauseEnds[index] == end.tail)
    {
        Settle(end.port, now);
        port.paused &= static_cast<uint8_t>(~bit);
        PlanTimer(end.port, now);
    }
}

void
FabricEngine::OnPause(const Flight& pause, Instant now)
{
    Port& port = m_ports[pause.port];
    const auto bit = static_cast<uint8_t>(1U << pause.trafficClass);
    if (IsCut(pause))
    {
        // The link has gone down meanwhile, which has ended all pauses.
        return;
    }
    if (m_pauseTime > 0 && HasBitError(pause.port, pause.bytes))
    {
        ++m_counts[pause.port].pausesLost;
        return;
    }
    Settle(pause.port, now);
    if (pause.on)
    {
        ++m_counts[pause.port].pausesReceived;
        if (m_pauseTime > 0)
        {
            const Instant until = now + m_pauseTime;
            m_pauseEnds[std::size_t{pause.port} * m_config.classes + pause.trafficClass] = until;
            const FlightId end = Make();
            m_flights[end].kind = Kind::EXPIRE;
            m_flights[end].port = pause.port;
            m_flights[end].trafficClass = pause.trafficClass;
            m_flights[end].tail = until;
            PlaceEvent(end, until);
        }
        if (!m_pausedSince.empty() && !(port.paused & bit))
        {
            m_pausedSince[std::size_t{pause.port} * m_config.classes + pause.trafficClass] = now;
            const FlightId watch = Make();
            m_flights[watch].kind = Kind::WATCH;
            m_flights[watch].port = pause.port;
            m_flights[watch].trafficClass = pause.trafficClass;
            m_flights[watch].tail = now;
            PlaceEvent(watch, now + static_cast<Instant>(m_config.pfcWatchdog.GetPicoSeconds()));
        }
        port.paused |= bit;
        Forget(pause.port, now);
    }
    else
    {
        port.paused &= static_cast<uint8_t>(~bit);
    }
    PlanTimer(pause.port, now);
}

void
FabricEngine::ApplyFault(const LinkFault& fault, Instant now)
{
    const PortId peer = m_ports[fault.port].peer;
    for (const PortId number : {fault.port, peer})
    {
        Port& port = m_ports[number];
        if (fault.rate > 0)
        {
            Settle(number, now);
            Forget(number, now);
            port.time = LinkTime(fault.rate);
            PlanTimer(number, now);
        }
        else if (fault.errors >= 0)
        {
            if (!m_errors.empty())
            {
                m_errors[number] = fault.errors;
            }
        }
        else if (fault.up)
        {
            port.down = false;
        }
        else
        {
            CutPort(number, now);
        }
    }
    if (fault.ChangesRoutes())
    {
        PlanRoutes(fault, now);
    }
}

void
FabricEngine::PlanRoutes(const LinkFault& fault, Instant now)
{
    const PortId link = std::min(fault.port, m_ports[fault.port].peer);
    const FlightId event = Make();
    m_flights[event].kind = Kind::ROUTES;
    m_flights[event].port = link;
    m_flights[event].on = fault.up;
    m_flights[event].hash = ++m_changes[link];
    PlaceEvent(event, now + static_cast<Instant>(m_config.convergence.GetPicoSeconds()));
}

void
FabricEngine::OnRoutes(const Flight& change)
{
    const bool isKnown = m_avoided[change.port] != change.on;
    if (m_changes[change.port] != change.hash || isKnown)
    {
        return;
    }
    m_avoided[change.port] = !change.on;
    m_avoided[m_ports[change.port].peer] = !change.on;
    FindRoutes();
}

void
FabricEngine::CutPort(PortId number, Instant now)
{
    Settle(number, now);
    Forget(number, now);
    Port& port = m_ports[number];
    port.down = true;
    m_counts[number].lastDown = now;
    port.paused = 0;
    for (uint32_t trafficClass = 0; trafficClass < m_config.classes; ++trafficClass)
    {
        const std::size_t index = std::size_t{number} * m_config.classes + trafficClass;
        DropQueue(number, trafficClass, LossReason::LINK_DOWN, now);
        if (!m_inputs.empty() && m_inputs[index].paused)
        {
            m_inputs[index].paused = false;
            --m_nodes[port.node].pausing;
        }
    }
    if (m_nodes[port.node].asked)
    {
        CallRoom(number);
    }
}

void
FabricEngine::DropQueue(PortId number, uint32_t trafficClass, LossReason reason, Instant now)
{
    Port& port = m_ports[number];
    List& queue = m_queues[std::size_t{number} * m_config.classes + trafficClass];
    while (queue.first != NONE)
    {
        const uint32_t place = queue.first;
        const FlightId flight = m_places[place].flight;
        queue.first = m_places[place].next;
        Release(number, place, now);
        Lose(flight, port.node, number, reason, now);
    }
    queue.last = NONE;
    port.waiting &= static_cast<uint8_t>(~(1U << trafficClass));
}

void
FabricEngine::OnWatch(const Flight& watch, Instant now)
{
    Port& port = m_ports[watch.port];
    const auto bit = static_cast<uint8_t>(1U << watch.trafficClass);
    const std::size_t index = std::size_t{watch.port} * m_config.classes + watch.trafficClass;
    if (!(port.paused & bit) || m_pausedSince[index] != watch.tail)
    {
        return;
    }
    NS_LOG_LOGIC("the watchdog drops class " << +watch.trafficClass << " of "
                                             << m_topology.GetPortName(watch.port) << " at " << now
                                             << " ps");
    Settle(watch.port, now);
    DropQueue(watch.port, watch.trafficClass, LossReason::WATCHDOG, now);
    port.paused &= static_cast<uint8_t>(~bit);
    PlanTimer(watch.port, now);
    if (m_nodes[port.node].asked)
    {
        CallRoom(watch.port);
    }
}

std::vector<PortId>
FabricEngine::FindBlockers(PortId output, uint32_t trafficClass) const
{
    std::vector<PortId> found;
    const PortId input = m_ports[output].peer;
    for (PortId next = 0; next < m_ports.size(); ++next)
    {
        if (m_ports[next].node != m_ports[output].peerNode || !IsBlocked(next, trafficClass))
        {
            continue;
        }
        const std::size_t index = std::size_t{next} * m_config.classes + trafficClass;
        uint32_t place = m_queues[index].first;
        while (place != NONE && m_places[place].input != input)
        {
            place = m_places[place].next;
        }
        if (place != NONE)
        {
            found.push_back(next);
        }
    }
    return found;
}

std::vector<PortId>
FabricEngine::FindDeadlock() const
{
    for (uint32_t trafficClass = 0; trafficClass < m_config.classes; ++trafficClass)
    {
        // A search in depth: a port is new, on the path, or known to lead to no circle.
        std::vector<bool> isKnown(m_ports.size());
        for (PortId begin = 0; begin < m_ports.size(); ++begin)
        {
            std::vector<PortId> path;
            std::vector<std::vector<PortId>> branches;
            const auto enter = [&](PortId port) {
                isKnown[port] = true;
                path.push_back(port);
                branches.push_back(FindBlockers(port, trafficClass));
            };
            if (IsBlocked(begin, trafficClass) && !isKnown[begin])
            {
                enter(begin);
            }
            while (!path.empty())
            {
                if (branches.back().empty())
                {
                    path.pop_back();
                    branches.pop_back();
                    continue;
                }
                const PortId next = branches.back().back();
                branches.back().pop_back();
                const auto closed = std::find(path.begin(), path.end(), next);
                if (closed != path.end())
                {
                    return {closed, path.end()};
                }
                if (!isKnown[next])
                {
                    enter(next);
                }
            }
        }
    }
    return {};
}

void
FabricEngine::FindRoutes()
{
    const NodeId ends = m_topology.GetNEnds();
    const auto switches = static_cast<NodeId>(m_nodes.size() - ends);
    const NodeId leaves = m_leaves.back() + 1;
    m_routes.assign(std::size_t{switches} * leaves, {});
    std::vector<uint32_t> distance;
    std::vector<NodeId> reached;
    for (NodeId leaf = 0; leaf < leaves; ++leaf)
    {
        distance.assign(m_nodes.size(), NONE);
        reached.assign(1, ends + leaf);
        distance[ends + leaf] = 0;
        for (std::size_t index = 0; index < reached.size(); ++index)
        {
            const NodeId node = reached[index];
            const NodeShape& shape = m_nodes[node].shape;
            for (uint32_t number = 0; number < shape.GetNPorts(); ++number)
            {
                const Port& port = m_ports[shape.base + number];
                const NodeId other = port.peerNode;
                if (m_avoided[shape.base + number] || other < ends)
                {
                    continue;
                }
                if (distance[other] == NONE)
                {
                    distance[other] = distance[node] + 1;
                    reached.push_back(other);
                }
                if (distance[other] == distance[node] + 1)
                {
                    m_routes[std::size_t{other - ends} * leaves + leaf].push_back(port.peer);
                }
            }
        }
    }
}

void
FabricEngine::Lose(FlightId id, NodeId node, PortId port, LossReason reason, Instant now)
{
    const Flight& flight = m_flights[id];
    const LossEvent loss{now, port, reason, flight.from, flight.to};
    NS_LOG_LOGIC("a frame of host " << loss.from << " to " << loss.to << " is lost at "
                                    << (port == NONE ? "its host" : m_topology.GetPortName(port))
                                    << ": " << reason << ", at " << now << " ps");
    if (node != NONE)
    {
        ++m_nodes[node].lost;
    }
    if (port != NONE)
    {
        ++m_ports[port].drops;
    }
    const Frame frame = std::move(m_frames[id]);
    Free(id);
    --m_inFlight;
    m_user->OnLoss(loss, frame);
}

Instant
FabricEngine::GetRelayStart(const Port& port, const Port& next, uint32_t bytes, Instant start) const
{
    const Instant delay = m_links[port.link].delay;
    const Instant tail = start + port.time.Get(m_lead + bytes) + delay;
    Instant arrival = tail;
    if (m_config.switching == Switching::CUT_THROUGH)
    {
        const uint32_t head = std::min(bytes, m_config.cutThrough);
        arrival = start + port.time.Get(m_lead + head) + delay;
    }
    const Instant wire = next.time.Get(m_lead + bytes);
    const Tier tier = m_nodes[port.peerNode].shape.tier;
    const Instant latency = m_latency[static_cast<std::size_t>(tier)];
    const Instant least = tail + latency;
    return std::max(arrival + latency, least - std::min(least, wire));
}

Instant
FabricEngine::GetIdleTime(Peer from, Peer to, const Train& train) const
{
    PortId output = from;
    Instant first = 0;   // Begin of the departure of the first whole frame.
    Instant spacing = 0; // Time between whole frames, that of the slowest link so far.
    Instant start = 0;   // Begin of the departure of the last frame.
    while (true)
    {
        const Port& port = m_ports[output];
        if (train.count > 0)
        {
            const Instant turn = port.time.Get(m_lead + train.whole + m_gap);
            spacing = std::max(spacing, turn);
            start = std::max(start, first + (train.count - 1) * spacing + turn);
        }
        if (port.peer < m_topology.GetNEnds())
        {
            return start + port.time.Get(m_lead + train.bytes) + m_links[port.link].delay;
        }
        output = m_nodes[port.peerNode].shape.Find(to).first;
        first = GetRelayStart(port, m_ports[output], train.whole, first);
        start = GetRelayStart(port, m_ports[output], train.bytes, start);
    }
}

PortCounters
FabricEngine::GetPortCounters(PortId number)
{
    Advance(GetNow());
    Settle(number, GetNow());
    const Port& port = m_ports[number];
    PortCounters counters{.frames = port.frames,
                          .bytes = port.bytes,
                          .drops = port.drops,
                          .marks = m_counts[number].marks,
                          .trims = m_counts[number].trims,
                          .peak = port.peak,
                          .pausesSent = m_counts[number].pausesSent,
                          .pausesReceived = m_counts[number].pausesReceived,
                          .pausesLost = m_counts[number].pausesLost};
    if (!m_inputs.empty())
    {
        for (uint32_t trafficClass = 0; trafficClass < m_config.classes; ++trafficClass)
        {
            const Input& input = m_inputs[std::size_t{number} * m_config.classes + trafficClass];
            counters.inputPeak = std::max(counters.inputPeak, input.peak);
        }
    }
    return counters;
}

uint32_t
FabricEngine::GetQueueLength(PortId number)
{
    Advance(GetNow());
    Settle(number, GetNow());
    uint32_t length = 0;
    for (uint8_t trafficClass = 0; trafficClass < m_config.classes; ++trafficClass)
    {
        length += GetQueued(number, trafficClass);
    }
    return length;
}

NodeCounters
FabricEngine::GetNodeCounters(NodeId number)
{
    Advance(GetNow());
    Node& node = m_nodes[number];
    NodeCounters counters;
    for (uint32_t index = 0; index < node.shape.GetNPorts(); ++index)
    {
        const PortId port = node.shape.base + index;
        Settle(port, GetNow());
        counters.sent += m_ports[port].frames;
    }
    counters.received = node.received;
    counters.lost = node.lost;
    counters.resident = node.resident;
    counters.used = node.used;
    return counters;
}

std::string
FabricEngine::CheckConservation()
{
    for (NodeId node = 0; node < m_nodes.size(); ++node)
    {
        const NodeCounters counters = GetNodeCounters(node);
        if (counters.received != counters.sent + counters.lost + counters.resident)
        {
            return messaging::ToText(m_topology.GetName(node),
                                     " has received ",
                                     counters.received,
                                     " frames, but sent ",
                                     counters.sent,
                                     " and lost ",
                                     counters.lost,
                                     ", and has ",
                                     counters.resident,
                                     ".");
        }
    }
    return "";
}

std::size_t
FabricEngine::GetMemory() const
{
    return m_ports.size() * (sizeof(Port) + sizeof(PortCounts)) +
           m_queues.size() * (sizeof(List) + sizeof(uint32_t)) + m_rounds.size() * sizeof(Round) +
           m_inputs.size() * sizeof(Input) + m_nodes.size() * (sizeof(Node) + sizeof(NodeShape)) +
           m_topology.GetNPorts() * (sizeof(PortId) + sizeof(NodeId)) +
           m_leaves.size() * sizeof(NodeId);
}

} // namespace fabric
} // namespace ns3
