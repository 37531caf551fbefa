/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-scenario-recorder.h"

#include "ns3/ethernet-header.h"
#include "ns3/messaging-frame-header.h"
#include "ns3/messaging-net-device-decorator.h"
#include "ns3/messaging-row-table.h"
#include "ns3/messaging-scenario-packet-key.h"
#include "ns3/messaging-text.h"
#include "ns3/messaging-traffic-session.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/trace-helper.h"

#include <algorithm>
#include <array>
#include <memory>

namespace ns3
{
namespace messaging
{

namespace
{

/** Callback of the trace sources of frames. */
using FrameCallback = Callback<void, Peer, Peer, const Frame&>;

/** Maximum distance of a repeated frame without payload [frames of its pair]. */
constexpr uint64_t RECENT = 8;

/**
 * Label a TCP segment.
 * @param header its header
 * @param bytes its payload [bytes]
 * @return its label
 */
std::string
DescribeSegment(const TcpHeader& header, uint64_t bytes)
{
    std::string name = "TCP " + TcpHeader::FlagsToString(header.GetFlags());
    name += bytes > 0 ? " seq " + ToText(header.GetSequenceNumber()) : "";
    return name + " ack " + ToText(header.GetAckNumber());
}

/** @param frame a frame @return its size with its header [bytes] */
uint64_t
GetBytes(const Frame& frame)
{
    return uint64_t{frame.header} + frame.payload;
}

} // namespace

void
Recorder::Start(const RecorderOptions& options)
{
    // Only packets made after this call record their headers.
    Packet::EnablePrinting();
    m_isRecording = true;
    m_options = options;
    Simulator::ScheduleNow(&Recorder::AttachNodes, this);
    Simulator::ScheduleDestroy(&Recorder::Finish, this);
}

uint64_t
Recorder::GetNPending() const
{
    uint64_t pending = m_packets.size();
    for (const auto& [pair, departures] : m_pending)
    {
        pending += departures.frames.size();
    }
    return pending;
}

Ptr<AnyPort>
Recorder::ObservePort(Ptr<AnyPort> port)
{
    if (!m_isRecording)
    {
        return port;
    }
    const auto traced = ns3::Create<TracedPort<AnyPort>>(port);
    ObservePort(traced, NanoSeconds(1));
    return traced;
}

void
Recorder::ConnectPort(const AnyPort& port, FrameTrace& send, FrameTrace& arrive, Time tick)
{
    ++m_ports;
    send.ConnectWithoutContext(MakeCallback(&Recorder::Sent, this));
    // The port owns its trace sources.
    arrive.ConnectWithoutContext(
        FrameCallback([this, &port, tick](Peer self, Peer from, const Frame& frame) {
            const auto distance = static_cast<int64_t>(port.Distance(from, self));
            Arrived(self, from, frame, port.GetInfo().lossless, distance * tick);
        }));
}

void
Recorder::ObserveFrames(ObjectBase& source, Describer describer)
{
    if (!m_isRecording)
    {
        return;
    }
    ++m_ports;
    m_describer = std::move(describer);
    source.TraceConnectWithoutContext("Send", MakeCallback(&Recorder::Sent, this));
    source.TraceConnectWithoutContext(
        "Arrive",
        FrameCallback([this](Peer self, Peer from, const Frame& frame) {
            Arrived(self, from, frame, false, Time(0));
        }));
}

void
Recorder::ObserveGroup(Ptr<MessageGroup> group)
{
    if (!m_isRecording)
    {
        return;
    }
    m_describer = [group](const Frame& frame) { return group->DescribeFrame(frame); };
    group->TraceConnectWithoutContext("Note", MakeCallback(&Recorder::Noted, this));
    group->TraceConnectWithoutContext("Path", MakeCallback(&Recorder::PathChanged, this));
}

void
Recorder::ObserveMessages(Ptr<DeliveryAudit> audit)
{
    if (!m_isRecording)
    {
        return;
    }
    audit->TraceConnectWithoutContext("Post", MakeCallback(&Recorder::Posted, this));
    audit->TraceConnectWithoutContext("Decline", MakeCallback(&Recorder::Declined, this));
    audit->TraceConnectWithoutContext("Deliver", MakeCallback(&Recorder::Delivered, this));
    audit->TraceConnectWithoutContext("Complete", MakeCallback(&Recorder::Ended, this));
}

void
Recorder::ObserveParts(Ptr<BenchmarkSession> session, Ptr<const MessageTimeline> timeline)
{
    if (!m_isRecording)
    {
        return;
    }
    session->TraceConnectWithoutContext("Count", Callback<void, Time>([this, timeline](Time) {
                                            if (m_delivered.number != NONE)
                                            {
                                                m_delivered.parts = timeline->GetParts().back();
                                                m_parts.push_back(m_delivered);
                                            }
                                        }));
}

void
Recorder::ObserveHost(Ptr<HostModel> host)
{
    if (!m_isRecording)
    {
        return;
    }
    const Peer number = m_hosts++;
    host->TraceConnectWithoutContext(
        "Work",
        Callback<void, ProcessId, const Work&, Time, Time>(
            [this, number](ProcessId process, const Work& work, Time begin, Time end) {
                Worked(number, process, work, begin, end);
            }));
}

void
Recorder::ObserveFaults(Ptr<FaultPlan> faults)
{
    if (m_isRecording)
    {
        faults->TraceConnectWithoutContext("Fault", MakeCallback(&Recorder::Faulted, this));
    }
}

void
Recorder::Worked(Peer host, ProcessId process, const Work& work, Time begin, Time end)
{
    if (!IsOpen() || begin == end)
    {
        return;
    }
    Add(Event{.kind = Kind::WORK,
              .node = host,
              .number = process,
              .bytes = work.amount,
              .label = ToText(work.kind),
              .detail = process == KERNEL ? "kernel" : "",
              .begin = begin,
              .end = end});
}

void
Recorder::Faulted(Peer from, Peer to, const Frame&, const std::string& effect, bool lost)
{
    const auto last = m_lastArrival.find(to);
    if (last == m_lastArrival.end())
    {
        return;
    }
    auto& event = m_events[last->second];
    if (event.peer == from && event.begin == Simulator::Now())
    {
        if (lost)
        {
            event.kind = Kind::LOSE;
        }
        event.detail = effect;
    }
}

bool
Recorder::IsOpen() const
{
    return !IsOver() && Simulator::Now() >= m_options.begin;
}

bool
Recorder::IsOver() const
{
    return m_events.size() >= m_options.limit || Simulator::Now() > m_options.end;
}

uint64_t
Recorder::Add(Event event)
{
    m_events.push_back(std::move(event));
    return m_events.size() - 1;
}

void
Recorder::Finish()
{
    Add(Event{.kind = Kind::END, .label = "run"});
    if (m_ascii)
    {
        m_ascii->GetStream()->flush();
    }
}

std::string
Recorder::GetRepetition(Peer from, Peer to, const std::string& contents, bool payload)
{
    const uint64_t place = ++m_places[{from, to}];
    uint64_t& last = m_seen[{from, to, contents}];
    const bool repeated = last > 0 && (payload || place - last <= RECENT);
    last = place;
    return repeated ? "repeated" : "";
}

void
Recorder::Noted(Peer node, const std::string& name)
{
    if (IsOpen())
    {
        Add(Event{.kind = Kind::NOTE, .node = node, .label = name});
    }
}

void
Recorder::PathChanged(Peer node, Peer to, uint16_t path, const std::string& state)
{
    Noted(node, ToText("path ", path, " to peer ", to, ": ", state));
}

void
Recorder::Sent(Peer from, Peer to, const Frame& frame)
{
    const uint64_t number = m_nextFrame++;
    Pending pending{.frame = frame, .sent = Simulator::Now()};
    if (!IsOver())
    {
        // A copy of a packet may have other flags.
        const unsigned flags = frame.payload > 0 ? 0 : frame.flags;
        const auto fields =
            ToText(GetFrameKey(frame), ' ', frame.contents, ' ', flags, ' ', frame.payload);
        const auto repetition = GetRepetition(from, to, fields, frame.payload > 0);
        if (IsOpen())
        {
            pending.number = number;
            pending.label = m_describer(frame);
            Add(Event{.kind = Kind::SEND,
                      .node = from,
                      .peer = to,
                      .number = number,
                      .bytes = GetBytes(frame),
                      .label = pending.label,
                      .detail = repetition});
        }
    }
    Departures& departures = m_pending[{from, to}];
    departures.unkept += pending.number == NONE ? 1 : 0;
    departures.frames.push_back(std::move(pending));
    // In bulk, so that the frames of the table ahead of them are rarely passed.
    if (departures.unkept > 2 * MOST_UNKEPT)
    {
        Forget(departures);
    }
}

void
Recorder::Forget(Departures& departures)
{
    auto frame = departures.frames.begin();
    while (departures.unkept > MOST_UNKEPT)
    {
        if (frame->number == NONE)
        {
            frame = departures.frames.erase(frame);
            --departures.unkept;
        }
        else
        {
            ++frame;
        }
    }
}

void
Recorder::Arrived(Peer self, Peer from, const Frame& frame, bool lossless, Time distance)
{
    const Time latest = Simulator::Now() - distance;
    m_lastArrival.erase(self);
    for (const Peer to : {self, NO_PEER})
    {
        const auto list = m_pending.find({from, to});
        if (list == m_pending.end())
        {
            continue;
        }
        auto& [frames, unkept] = list->second;
        auto found = frames.end();
        // Lost frames stay in the list, so the last ones are tried first unless none is lost.
        for (auto it = frames.end(); it != frames.begin();)
        {
            --it;
            if (it->frame == frame && !it->reached.contains(self))
            {
                found = it;
                if (!lossless && it->sent <= latest)
                {
                    break;
                }
            }
        }
        if (found == frames.end())
        {
            continue;
        }
        if (found->number != NONE)
        {
            m_lastArrival[self] = Add(Event{.kind = Kind::ARRIVE,
                                            .node = self,
                                            .peer = from,
                                            .number = found->number,
                                            .bytes = GetBytes(frame),
                                            .label = found->label});
        }
        if (to == NO_PEER)
        {
            found->reached.insert(self);
        }
        else
        {
            unkept -= found->number == NONE ? 1 : 0;
            frames.erase(found);
        }
        return;
    }
}

void
Recorder::Posted(Peer self, const Request& request)
{
    const uint64_t number = m_nextMessage++;
    m_messages[request.contents] = number;
    m_requests[{self, request.id}] = number;
    if (IsOpen())
    {
        if (m_endKept == 0)
        {
            m_firstKept = number;
        }
        m_endKept = number + 1;
        Add(Event{.kind = Kind::POST,
                  .node = self,
                  .peer = request.to,
                  .number = number,
                  .bytes = request.bytes,
                  .label = "message"});
    }
}

void
Recorder::Declined(Peer self, const Request& request, Acceptance acceptance)
{
    const auto number = m_requests.find({self, request.id});
    if (number != m_requests.end())
    {
        if (IsKept(number->second))
        {
            const auto posted =
                std::find_if(m_events.rbegin(), m_events.rend(), [&](const Event& event) {
                    return event.kind == Kind::POST && event.number == number->second;
                });
            posted->detail = ToText(acceptance);
        }
        m_messages.erase(request.contents);
        m_requests.erase(number);
    }
}

void
Recorder::Delivered(Peer self, const Delivery& delivery)
{
    const auto found = m_messages.find(delivery.contents);
    const bool known = found != m_messages.end();
    const uint64_t number = known ? found->second : NONE;
    const bool kept = IsOpen() || (known && IsKept(number));
    m_delivered.number = kept ? number : NONE;
    m_delivered.node = self;
    if (kept)
    {
        Add(Event{.kind = Kind::DELIVER,
                  .node = self,
                  .peer = delivery.from,
                  .number = number,
                  .bytes = delivery.bytes,
                  .label = "message",
                  .detail = known ? "" : "unknown"});
    }
}

void
Recorder::Ended(Peer self, RequestId id, Completion completion)
{
    const auto found = m_requests.find({self, id});
    if (found != m_requests.end() && (IsOpen() || IsKept(found->second)))
    {
        Add(Event{.kind = Kind::COMPLETE,
                  .node = self,
                  .number = found->second,
                  .label = "message",
                  .detail = ToText(completion)});
    }
}

void
Recorder::AttachNodes()
{
    if (!m_options.ascii.empty())
    {
        m_ascii = AsciiTraceHelper().CreateFileStream(m_options.ascii);
    }
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node)
    {
        if (const auto host = (*node)->GetObject<HostModel>())
        {
            ObserveHost(host);
        }
        for (uint32_t i = 0; i < (*node)->GetNDevices(); ++i)
        {
            const auto device = (*node)->GetDevice(i);
            // A decorator's packets are those of the device behind it.
            if (DynamicCast<NetDeviceDecorator>(device))
            {
                continue;
            }
            m_addresses[device->GetAddress()] = (*node)->GetId();
            if (!m_options.pcap.empty())
            {
                WritePcap(device);
            }
            if (m_ascii)
            {
                WriteAscii(device, m_ascii);
            }
            if (m_ports == 0)
            {
                AttachDevice(device);
            }
        }
    }
}

void
Recorder::WritePcap(Ptr<NetDevice> device) const
{
    const auto type = device->GetInstanceTypeId().GetName();
    const auto link =
        type == "ns3::PointToPointNetDevice" ? PcapHelper::DLT_PPP : PcapHelper::DLT_EN10MB;
    const std::string prefix = m_options.pcap;
    // The file is created at the first packet.
    const auto write = [file = Ptr<PcapFileWrapper>(), prefix, link, device = PeekPointer(device)](
                           Ptr<const Packet> packet) mutable {
        if (!file)
        {
            PcapHelper helper;
            file = helper.CreateFile(helper.GetFilenameFromDevice(prefix, Ptr<NetDevice>(device)),
                                     std::ios::out,
                                     link);
        }
        // After an error, as of a full disk, PcapFile would abort. The file remains incomplete,
        // which its reader finds.
        if (!file->Fail())
        {
            file->Write(Simulator::Now(), packet);
        }
    };
    device->TraceConnectWithoutContext("PromiscSniffer", Callback<void, Ptr<const Packet>>(write));
}

void
Recorder::WriteAscii(Ptr<NetDevice> device, Ptr<OutputStreamWrapper> stream)
{
    const std::string path = "/NodeList/" + std::to_string(device->GetNode()->GetId()) +
                             "/DeviceList/" + std::to_string(device->GetIfIndex()) + "/$" +
                             device->GetInstanceTypeId().GetName() + "/";
    const auto connect = [&](Ptr<Object> source, const std::string& name, auto sink) {
        const std::string trace = name.substr(name.rfind('/') + 1);
        source->TraceConnect(trace, path + name, MakeBoundCallback(sink, stream));
    };
    PointerValue value;
    if (device->GetAttributeFailSafe("TxQueue", value))
    {
        const Ptr<Object> queue = value.GetObject();
        connect(queue, "TxQueue/Enqueue", &AsciiTraceHelper::DefaultEnqueueSinkWithContext);
        connect(queue, "TxQueue/Dequeue", &AsciiTraceHelper::DefaultDequeueSinkWithContext);
        connect(queue, "TxQueue/Drop", &AsciiTraceHelper::DefaultDropSinkWithContext);
        connect(device, "PhyRxDrop", &AsciiTraceHelper::DefaultDropSinkWithContext);
        connect(device, "MacRx", &AsciiTraceHelper::DefaultReceiveSinkWithContext);
    }
    else if (device->GetAttributeFailSafe("Mac", value))
    {
        // A device of Wi-Fi has a queue for each access category, and the traces of its MAC.
        const Ptr<Object> mac = value.GetObject();
        connect(mac, "Mac/MacTx", &AsciiTraceHelper::DefaultEnqueueSinkWithContext);
        connect(mac, "Mac/MacTxDrop", &AsciiTraceHelper::DefaultDropSinkWithContext);
        connect(mac, "Mac/MacRxDrop", &AsciiTraceHelper::DefaultDropSinkWithContext);
        connect(mac, "Mac/MacRx", &AsciiTraceHelper::DefaultReceiveSinkWithContext);
    }
}

void
Recorder::AttachDevice(Ptr<NetDevice> device)
{
    using PacketCallback = Callback<void, Ptr<const Packet>>;
    const Peer node = device->GetNode()->GetId();
    device->TraceConnectWithoutContext(
        "MacTx",
        PacketCallback([this, node](Ptr<const Packet> packet) {
            if (IsOver())
            {
                return;
            }
            Peer to = NO_PEER;
            const uint64_t number = m_nextFrame++;
            Sending sending{.from = node, .label = Describe(packet, to)};
            const bool isTcp = sending.label.starts_with("TCP");
            const bool hasPayload = !isTcp || sending.label.find(" seq ") != std::string::npos;
            const std::string repetition = GetRepetition(node, to, sending.label, hasPayload);
            if (IsOpen())
            {
                sending.number = number;
                Add(Event{.kind = Kind::SEND,
                          .node = node,
                          .peer = to,
                          .number = number,
                          .bytes = packet->GetSize(),
                          .label = sending.label,
                          .detail = repetition});
                m_packets[FindPacketKey(packet)] = std::move(sending);
            }
            else
            {
                m_packets.erase(FindPacketKey(packet));
            }
        }));
    const auto arrive = [this, node](Kind kind, const std::string& reason) {
        return PacketCallback([this, node, kind, reason](Ptr<const Packet> packet) {
            m_lastArrival.erase(node);
            const auto sent = m_packets.find(FindPacketKey(packet));
            if (sent == m_packets.end() || sent->second.number == NONE)
            {
                return;
            }
            const auto& [number, from, label] = sent->second;
            const auto index = Add(Event{.kind = kind,
                                         .node = node,
                                         .peer = from,
                                         .number = number,
                                         .bytes = packet->GetSize(),
                                         .label = label,
                                         .detail = reason});
            if (kind == Kind::ARRIVE)
            {
                m_lastArrival[node] = index;
            }
        });
    };
    device->TraceConnectWithoutContext("MacRx", arrive(Kind::ARRIVE, ""));
    for (const std::string drop : {"MacTxDrop", "PhyTxDrop", "PhyRxDrop", "MacRxDrop"})
    {
        device->TraceConnectWithoutContext(drop, arrive(Kind::LOSE, drop));
    }
}

std::string
Recorder::Describe(Ptr<const Packet> packet, Peer& to) const
{
    std::string name = "packet";
    uint64_t left = packet->GetSize();
    auto items = packet->BeginItem();
    while (items.HasNext())
    {
        const auto item = items.Next();
        if (item.type != PacketMetadata::Item::HEADER || item.isFragment ||
            !item.tid.HasConstructor())
        {
            continue;
        }
        const std::unique_ptr<ObjectBase> made(item.tid.GetConstructor()());
        const auto header = dynamic_cast<Header*>(made.get());
        if (!header)
        {
            continue;
        }
        header->Deserialize(item.current);
        left -= std::min<uint64_t>(left, item.currentSize);
        if (const auto ethernet = dynamic_cast<EthernetHeader*>(header))
        {
            const auto found = m_addresses.find(ethernet->GetDestination());
            if (found != m_addresses.end())
            {
                to = found->second;
            }
            continue;
        }
        const std::string type = item.tid.GetName();
        if (const auto frame = dynamic_cast<FrameHeader*>(header))
        {
            return m_describer(frame->GetFrame());
        }
        if (const auto segment = dynamic_cast<TcpHeader*>(header))
        {
            return DescribeSegment(*segment, left);
        }
        name = type.substr(type.rfind(':') + 1); // All of it if there is no namespace.
        name = name.substr(0, name.rfind("Header"));
    }
    if (const auto fields = PeekFields(packet))
    {
        return m_describer(*fields);
    }
    return name + " " + std::to_string(left) + " B";
}

Ptr<Table>
Recorder::MakeTable() const
{
    constexpr std::array
        NAMES{"post", "send", "arrive", "lose", "deliver", "complete", "note", "work", "end"};
    const auto number = [](uint64_t value, uint64_t none) {
        return value == none ? int64_t{-1} : static_cast<int64_t>(value);
    };
    const auto kind = [&](const Event& e) { return NAMES[static_cast<std::size_t>(e.kind)]; };
    return RowTable(m_events)
        .Add("Time", "ns", [](const Event& e) { return e.begin.GetNanoSeconds(); })
        .Add("Event", "", kind)
        .Add("Node", "", [&](const Event& e) { return number(e.node, NO_PEER); })
        .Add("Peer", "", [&](const Event& e) { return number(e.peer, NO_PEER); })
        .Add("Number", "", [&](const Event& e) { return number(e.number, NONE); })
        .Add("Bytes", "bytes", &Event::bytes)
        .Add("Label", "", &Event::label)
        .Add("Detail", "", &Event::detail)
        .Add("End", "ns", [](const Event& e) { return e.end.GetNanoSeconds(); })
        .Get();
}

Ptr<Table>
Recorder::MakePartsTable() const
{
    RowTable table(m_parts);
    table.Add("Number", "", &Divided::number).Add("Node", "", [](const Divided& one) {
        return int64_t{one.node};
    });
    for (std::size_t i = 0; i < N_LATENCY_PARTS; ++i)
    {
        const auto part = static_cast<LatencyPart>(i);
        table.Add(ToText(part), "ns", [part](const Divided& one) {
            return TimeStep(one.parts[part]).GetNanoSeconds();
        });
    }
    return table.Get();
}

} // namespace messaging
} // namespace ns3
