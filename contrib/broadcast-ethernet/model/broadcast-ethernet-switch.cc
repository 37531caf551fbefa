/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-switch.h"

#include "broadcast-ethernet-net-device.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace ethernet
{

NS_LOG_COMPONENT_DEFINE("BroadcastEthernetSwitch");
NS_OBJECT_ENSURE_REGISTERED(EthernetSwitch);

using messaging::Range;

namespace
{

/**
 * Get an address as a number.
 * @param address the address
 * @return the number, its first byte the most significant one
 */
uint64_t
ToNumber(Mac48Address address)
{
    uint8_t bytes[6];
    address.CopyTo(bytes);
    uint64_t number = 0;
    for (const uint8_t byte : bytes)
    {
        number = number << 8 | byte;
    }
    return number;
}

/** @return the simulated time [ns]. */
int64_t
GetNow()
{
    return Simulator::Now().GetNanoSeconds();
}

/**
 * Get the duration until a time.
 * @param at the time [ns]
 * @return the duration
 */
Time
Until(int64_t at)
{
    return NanoSeconds(at) - Simulator::Now();
}

} // namespace

TypeId
EthernetSwitch::GetTypeId()
{
    using S = EthernetSwitch;
    using C = SwitchConfig;
    static TypeId tid =
        messaging::Attributes<S>(TypeId("ns3::ethernet::EthernetSwitch")
                                     .SetParent<EthernetMedium>()
                                     .SetGroupName("BroadcastEthernet")
                                     .AddConstructor<S>())
            .AddAttribute("DataRate",
                          "Rate of new ports: 10Mbps, 100Mbps or 1000Mbps [bit/s; "
                          "IEEE 802.3, EQA section 4].",
                          &S::m_rate,
                          DataRate("100Mbps"))
            .AddAttribute("Delay",
                          "Cable delay of new ports at 5 ns per meter: 20 m "
                          "by default [time; default].",
                          &S::m_delay,
                          NanoSeconds(100),
                          Time(0))
            .AddAttribute("Loss",
                          "Probability that a copy of a frame is lost before it is queued, drawn "
                          "for each output port [probability; default].",
                          &S::m_loss,
                          0.0,
                          0.0,
                          1.0)
            .In(&S::m_config)
            .AddAttribute("ForwardingLatency",
                          "Time from the arrival of a frame's last bit to the departure of its "
                          "first bit at an idle port: 5 to 15 us in switches of around 1999 "
                          "[time; general knowledge, since EQA does not name its switch].",
                          &C::latency,
                          Range<Time>{Time(0), Time::Max()})
            .AddAttribute("AddressTable",
                          "Capacity of the table of learned addresses. A frame to an address that "
                          "found it full is flooded; aged addresses make room; 0 for no limit "
                          "[addresses; default].",
                          &C::addressTable)
            .AddAttribute("BufferSize",
                          "Size of the buffer of each output port, or of the pool if BufferSharing "
                          "is complete or dynamic [BufferUnit; default].",
                          &C::buffer,
                          Range(1ULL, 1ULL << 40))
            .AddAttribute("BufferUnit",
                          "Unit of the buffers: frames, each of which takes a slot, or bytes "
                          "[name; default].",
                          &C::unit,
                          {{BufferUnit::FRAMES, "frames"}, {BufferUnit::BYTES, "bytes"}})
            .AddAttribute("BufferSharing",
                          "Sharing of the memory: private, a buffer for each port; complete, a "
                          "pool for all, first come first served; dynamic, a pool of which a queue "
                          "takes up to Alpha times the free part [name; default].",
                          &C::sharing,
                          {{BufferSharing::PRIVATE, "private"},
                           {BufferSharing::COMPLETE, "complete"},
                           {BufferSharing::DYNAMIC, "dynamic"}})
            .AddAttribute("Alpha",
                          "Largest ratio of a queue to the free part of the pool, if "
                          "BufferSharing is dynamic [ratio; Choudhury and Hahne 1998].",
                          &C::alpha,
                          Range(1e-6, 1e6))
            .AddAttribute("Replication",
                          "Copies of a frame reach its output ports in parallel, or serially over "
                          "a bus of 1 Gbit/s that all frames share [name; default].",
                          &C::replication,
                          {{Replication::PARALLEL, "parallel"}, {Replication::SERIAL, "serial"}})
            .AddAttribute("Pause",
                          "The switch sends PAUSE frames to the senders to a congested port; it "
                          "always obeys them [flag; IEEE 802.3 annex 31B].",
                          &C::pause)
            .AddTraceSource("FrameIn",
                            "The last bit of a frame has arrived: the frame, the port.",
                            MakeTraceSourceAccessor(&S::m_frameIn),
                            "ns3::ethernet::EthernetSwitch::FrameTracedCallback")
            .AddTraceSource("FrameOut",
                            "The last bit of a copy has arrived at the other end of a port's link: "
                            "the frame, the port.",
                            MakeTraceSourceAccessor(&S::m_frameOut),
                            "ns3::ethernet::EthernetSwitch::FrameTracedCallback")
            .AddTraceSource("PauseSent",
                            "The switch sends a PAUSE frame: the port, its length in quanta.",
                            MakeTraceSourceAccessor(&S::m_pauseSent),
                            "ns3::ethernet::EthernetSwitch::PauseTracedCallback")
            .AddTraceSource("PauseReceived",
                            "The switch obeys a PAUSE frame: the port, its length in quanta.",
                            MakeTraceSourceAccessor(&S::m_pauseReceived),
                            "ns3::ethernet::EthernetSwitch::PauseTracedCallback")
            .AddTraceSource("Drop",
                            "Drop of a copy of a frame, with the output port and the reason.",
                            MakeTraceSourceAccessor(&S::m_drop),
                            "ns3::ethernet::EthernetSwitch::DropTracedCallback")
            .AddTraceSource("CableLoss",
                            "A cut of its link has lost a frame from a station: the frame, the "
                            "port.",
                            MakeTraceSourceAccessor(&S::m_cableLoss),
                            "ns3::ethernet::EthernetSwitch::FrameTracedCallback")
            .AddTraceSource("LinkChange",
                            "The link of a port was cut or repaired: the port, whether it is up.",
                            MakeTraceSourceAccessor(&S::m_linkChange),
                            "ns3::ethernet::EthernetSwitch::LinkChangeTracedCallback");
    return tid;
}

std::string
EthernetSwitch::Check() const
{
    if (const std::string error = CheckLinkRate(m_rate); !error.empty())
    {
        return error;
    }
    if (m_config.unit == BufferUnit::BYTES && m_config.buffer < MAX_FRAME_BYTES)
    {
        return "BufferSize has to be at least 1518 bytes, the longest frame.";
    }
    return "";
}

/** Event that delivers a departure, in the context of one receiver after the other. */
class EthernetSwitch::DepartureEvent : public EventImpl
{
  public:
    /**
     * Construct.
     * @param owner the switch
     * @param departure number of the departure
     */
    DepartureEvent(EthernetSwitch* owner, uint32_t departure)
        : m_owner(owner),
          m_departure(departure)
    {
    }

  private:
    void Notify() override
    {
        m_owner->Deliver(m_departure);
    }

    EthernetSwitch* m_owner; ///< The switch.
    uint32_t m_departure;    ///< Number of the departure.
};

EthernetSwitch::EthernetSwitch()
    : m_random(CreateObject<UniformRandomVariable>()),
      m_lan(std::make_shared<Lan>())
{
    m_lan->switches.push_back(this);
}

void
EthernetSwitch::DoDispose()
{
    m_lan->devices.clear();
    for (Far& far : m_far)
    {
        far.device = nullptr;
    }
    EthernetMedium::DoDispose();
}

uint32_t
EthernetSwitch::AddPort(DataRate rate, Time delay)
{
    if (!m_core)
    {
        m_core.emplace(m_config);
        if (m_loss > 0)
        {
            m_core->SetLoss([this] { return m_random->GetValue() < m_loss; });
        }
    }
    m_far.emplace_back().rate = rate;
    return m_core->AddPort(GetBitTime(rate), delay.GetNanoSeconds());
}

uint32_t
EthernetSwitch::Attach(MediumUser* user, Ptr<NetDevice> device)
{
    const std::string error = Check();
    NS_ABORT_MSG_UNLESS(error.empty(), error);
    const uint32_t port = AddPort(m_rate, m_delay);
    m_far[port].transmitter = std::make_unique<LinkTransmitter>(
        user,
        [this, port](Ptr<const WireFrame> frame) { OnFrame(port, frame); },
        [this, port](Ptr<const WireFrame> frame) { OnCableLoss(port, frame); },
        GetBitTime(m_rate),
        m_delay.GetNanoSeconds());
    m_far[port].device = device;
    if (device)
    {
        m_lan->devices.push_back(device);
    }
    return port;
}

std::string
EthernetSwitch::Connect(Ptr<EthernetSwitch> other)
{
    for (const std::string& error : {Check(), other->Check()})
    {
        if (!error.empty())
        {
            return error;
        }
    }
    if (m_lan == other->m_lan)
    {
        return "A link between two switches that are already joined would close a loop, in which "
               "broadcasts circulate forever, as there is no spanning tree protocol: join the "
               "switches as a tree.";
    }
    const uint32_t here = AddPort(m_rate, m_delay);
    const uint32_t there = other->AddPort(m_rate, m_delay);
    m_far[here].neighbour = PeekPointer(other);
    m_far[here].port = there;
    other->m_far[there].neighbour = this;
    other->m_far[there].port = here;
    const std::shared_ptr<Lan> joined = other->m_lan;
    m_lan->devices.insert(m_lan->devices.end(), joined->devices.begin(), joined->devices.end());
    for (EthernetSwitch* member : joined->switches)
    {
        m_lan->switches.push_back(member);
        member->m_lan = m_lan;
    }
    return "";
}

uint64_t
EthernetSwitch::CountReceivers(uint32_t port, const WireFrame& frame) const
{
    const Far& far = m_far[port];
    if (!far.neighbour)
    {
        const bool addressed =
            frame.IsGroup() ||
            (far.device && Mac48Address::ConvertFrom(far.device->GetAddress()) == frame.GetTo());
        return addressed ? 1 : 0;
    }
    uint64_t receivers = 0;
    for (uint32_t other = 0; other < far.neighbour->GetNPorts(); ++other)
    {
        if (other != far.port)
        {
            receivers += far.neighbour->CountReceivers(other, frame);
        }
    }
    return receivers;
}

void
EthernetSwitch::SetLinkUp(uint32_t port, bool up)
{
    if (IsLinkUp(port) == up)
    {
        return;
    }
    NS_LOG_INFO("The link of port " << port << (up ? " is repaired" : " is cut"));
    m_core->SetLinkUp(GetNow(), port, up);
    m_linkChange(port, up);
    Drain();
    const Far& far = m_far[port];
    if (far.neighbour)
    {
        far.neighbour->SetLinkUp(far.port, up);
        return;
    }
    far.transmitter->SetUp(up);
    if (const auto device = DynamicCast<EthernetNetDevice>(far.device))
    {
        device->SetLinkUp(up);
    }
}

uint32_t
EthernetSwitch::FindPort(Ptr<const NetDevice> device) const
{
    for (uint32_t port = 0; port < m_far.size(); ++port)
    {
        if (device && m_far[port].device == device)
        {
            return port;
        }
    }
    return NO_PORT;
}

uint32_t
EthernetSwitch::FindTrunk(Ptr<const EthernetSwitch> other) const
{
    for (uint32_t port = 0; port < m_far.size(); ++port)
    {
        if (other && m_far[port].neighbour == PeekPointer(other))
        {
            return port;
        }
    }
    return NO_PORT;
}

void
EthernetSwitch::OnCableLoss(uint32_t port, Ptr<const WireFrame> frame)
{
    NS_LOG_INFO("The cut of the link of port " << port << " loses a frame to " << frame->GetTo());
    ++m_far[port].cableLosses;
    m_cableLoss(frame, port);
}

void
EthernetSwitch::OnFrame(uint32_t station, Ptr<const WireFrame> frame)
{
    NS_LOG_LOGIC("A frame of " << frame->GetBytes() << " bytes from " << frame->GetFrom() << " to "
                               << frame->GetTo() << " enters by port " << station);
    m_frameIn(frame, station);
    const uint32_t slot =
        m_core->Forward(GetNow(),
                        station,
                        {ToNumber(frame->GetTo()), ToNumber(frame->GetFrom()), frame->GetBytes()});
    if (slot >= m_frames.size())
    {
        m_frames.resize(slot + 1);
    }
    m_frames[slot] = frame;
    Drain();
}

uint32_t
EthernetSwitch::GetFarContext(uint32_t port) const
{
    const Far& far = m_far[port];
    if (far.context == Simulator::NO_CONTEXT)
    {
        far.context = GetContextOf(far.device);
    }
    return far.context;
}

void
EthernetSwitch::ScheduleDelivery(uint32_t departure, Time delay)
{
    while (departure >= m_events.size())
    {
        m_events.push_back(
            Ptr<EventImpl>(new DepartureEvent(this, static_cast<uint32_t>(m_events.size())),
                           false));
    }
    // The simulator takes over a reference and drops it after the event.
    EventImpl* const event = PeekPointer(m_events[departure]);
    event->Ref();
    Simulator::ScheduleWithContext(GetFarContext(m_core->GetPort(departure)), delay, event);
}

void
EthernetSwitch::Deliver(uint32_t departure)
{
    const Ptr<const WireFrame> frame = m_frames[m_core->GetSlot(departure)];
    uint32_t port = m_core->GetPort(departure);
    const uint32_t context = GetFarContext(port);
    bool more = true;
    while (more && GetFarContext(port) == context)
    {
        if (m_core->Deliver(departure))
        {
            NS_LOG_LOGIC("A copy for " << frame->GetTo() << " leaves by port " << port);
            m_frameOut(frame, port);
            HandOver(port, frame);
        }
        more = m_core->Advance(departure);
        port = more ? m_core->GetPort(departure) : port;
    }
    Drain();
    if (more)
    {
        ScheduleDelivery(departure, Time(0));
    }
}

void
EthernetSwitch::HandOver(uint32_t port, const Ptr<const WireFrame>& frame)
{
    const Far& far = m_far[port];
    if (far.neighbour)
    {
        far.neighbour->OnFrame(far.port, frame);
    }
    else if (MediumUser* user = far.transmitter->GetUser(); frame->IsGroup() || user->Wants(*frame))
    {
        user->OnReceive(frame, false);
    }
}

void
EthernetSwitch::OnPause(uint32_t station, uint16_t quanta)
{
    if (!IsLinkUp(station))
    {
        return;
    }
    NS_LOG_INFO("Port " << station << " pauses for " << quanta << " quanta");
    m_pauseReceived(station, quanta);
    m_core->OnPause(GetNow(), station, quanta);
    Drain();
}

void
EthernetSwitch::DeliverPause(uint32_t port, uint16_t quanta)
{
    const Far& far = m_far[port];
    if (!IsLinkUp(port))
    {
        return;
    }
    if (far.neighbour)
    {
        far.neighbour->OnPause(far.port, quanta);
    }
    else
    {
        far.transmitter->Pause(quanta);
    }
}

void
EthernetSwitch::Refresh(uint32_t port)
{
    m_core->Refresh(GetNow(), port);
    Drain();
}

void
EthernetSwitch::Drain()
{
    SwitchCore::Output& output = m_core->GetOutput();
    for (const auto& departure : output.departures)
    {
        ScheduleDelivery(departure.number, Until(departure.at));
    }
    for (const auto& pause : output.pauses)
    {
        NS_LOG_INFO("Port " << pause.port << " sends PAUSE for " << pause.quanta << " quanta");
        m_pauseSent(pause.port, pause.quanta);
        Simulator::ScheduleWithContext(GetFarContext(pause.port),
                                       Until(pause.at),
                                       &EthernetSwitch::DeliverPause,
                                       this,
                                       pause.port,
                                       pause.quanta);
        if (pause.again > 0)
        {
            Simulator::Schedule(Until(pause.again), &EthernetSwitch::Refresh, this, pause.port);
        }
    }
    for (const auto& drop : output.drops)
    {
        NS_LOG_INFO("Port " << drop.port << " drops a copy for " << m_frames[drop.slot]->GetTo()
                            << ": " << drop.reason);
        m_drop(m_frames[drop.slot], drop.port, drop.reason);
    }
    for (const uint32_t slot : output.freed)
    {
        m_frames[slot] = nullptr;
    }
    output.Clear();
}

int64_t
EthernetSwitch::AssignStreams(int64_t stream)
{
    int64_t next = stream;
    for (EthernetSwitch* member : m_lan->switches)
    {
        member->m_random->SetStream(next++);
    }
    return next - stream;
}

} // namespace ethernet
} // namespace ns3
