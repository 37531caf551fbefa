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
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/trace-helper.h"

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>

namespace ns3
{
namespace messaging
{

namespace
{

/** Recorder of the next or the current run. */
Ptr<Recorder> g_recorder;

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

} // namespace

Recorder*
Recorder::Get()
{
    return PeekPointer(g_recorder);
}

void
Recorder::Start(const RecorderOptions& options)
{
    // Only packets made after this call record their headers.
    Packet::EnablePrinting();
    g_recorder = ns3::Create<Recorder>();
    g_recorder->m_options = options;
    Simulator::ScheduleNow(&Recorder::AttachNodes, g_recorder);
    Simulator::ScheduleDestroy(&Recorder::Finish, g_recorder);
}

void
Recorder::Stop()
{
    g_recorder = nullptr;
}

Ptr<AnyPort>
Recorder::ObservePort(Ptr<AnyPort> port)
{
    if (!g_recorder)
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
    using FrameCallback = Callback<void, Peer, Peer, const Frame&>;
    ++m_ports;
    send.ConnectWithoutContext(FrameCallback([](Peer self, Peer to, const Frame& frame) {
        if (auto recorder = Get())
        {
            recorder->Sent(self, to, frame);
        }
    }));
    // The port owns its trace sources.
    arrive.ConnectWithoutContext(
        FrameCallback([&port, tick](Peer self, Peer from, const Frame& frame) {
            if (auto recorder = Get())
            {
                const auto distance = static_cast<int64_t>(port.Distance(from, self));
                recorder->Arrived(self, from, frame, port.GetInfo().lossless, distance * tick);
            }
        }));
}

void
Recorder::ObserveFrames(ObjectBase& source, Describer describer)
{
    if (!g_recorder)
    {
        return;
    }
    using FrameCallback = Callback<void, Peer, Peer, const Frame&>;
    ++g_recorder->m_ports;
    g_recorder->m_describer = std::move(describer);
    source.TraceConnectWithoutContext("Send",
                                      FrameCallback([](Peer self, Peer to, const Frame& frame) {
                                          if (auto recorder = Get())
                                          {
                                              recorder->Sent(self, to, frame);
                                          }
                                      }));
    source.TraceConnectWithoutContext("Arrive",
                                      FrameCallback([](Peer self, Peer from, const Frame& frame) {
                                          if (auto recorder = Get())
                                          {
                                              recorder->Arrived(self, from, frame, false, Time(0));
                                          }
                                      }));
}

void
Recorder::ObserveGroup(Ptr<MessageGroup> group)
{
    if (!g_recorder)
    {
        return;
    }
    g_recorder->m_describer = [group](const Frame& frame) { return group->DescribeFrame(frame); };
    group->TraceConnectWithoutContext(
        "Note",
        Callback<void, Peer, const std::string&>([](Peer self, const std::string& event) {
            if (auto recorder = Get())
            {
                recorder->Note(self, event);
            }
        }));
}

void
Recorder::ObserveMessages(Ptr<DeliveryAudit> audit)
{
    if (!g_recorder)
    {
        return;
    }
    audit->TraceConnectWithoutContext(
        "Post",
        Callback<void, Peer, const Request&>([](Peer self, const Request& request) {
            if (auto recorder = Get())
            {
                recorder->Posted(self, request);
            }
        }));
    audit->TraceConnectWithoutContext(
        "Decline",
        Callback<void, Peer, const Request&, Acceptance>(
            [](Peer self, const Request& request, Acceptance acceptance) {
                if (auto recorder = Get())
                {
                    recorder->Declined(self, request, acceptance);
                }
            }));
    audit->TraceConnectWithoutContext(
        "Deliver",
        Callback<void, Peer, const Delivery&>([](Peer self, const Delivery& delivery) {
            if (auto recorder = Get())
            {
                recorder->Delivered(self, delivery);
            }
        }));
    audit->TraceConnectWithoutContext("Complete",
                                      Callback<void, Peer, RequestId, Completion>(
                                          [](Peer self, RequestId id, Completion completion) {
                                              if (auto recorder = Get())
                                              {
                                                  recorder->Ended(self, id, completion);
                                              }
                                          }));
}

void
Recorder::ObserveParts(Ptr<BenchmarkSession> session, Ptr<const MessageTimeline> timeline)
{
    if (!g_recorder)
    {
        return;
    }
    session->TraceConnectWithoutContext("Count", Callback<void, Time>([timeline](Time) {
                                            const auto recorder = Get();
                                            if (recorder && recorder->m_delivered.number != NONE)
                                            {
                                                recorder->m_delivered.parts =
                                                    timeline->GetParts().back();
                                                recorder->m_parts.push_back(recorder->m_delivered);
                                            }
                                        }));
}

void
Recorder::ObserveHost(Ptr<HostModel> host)
{
    if (!g_recorder)
    {
        return;
    }
    const Peer number = g_recorder->m_hosts++;
    host->TraceConnectWithoutContext(
        "Work",
        Callback<void, ProcessId, const Work&, Time, Time>(
            [number](ProcessId process, const Work& work, Time begin, Time end) {
                if (auto recorder = Get())
                {
                    recorder->Worked(number, process, work, begin, end);
                }
            }));
}

void
Recorder::ObserveFaults(Ptr<FaultPlan> faults)
{
    if (!g_recorder)
    {
        return;
    }
    faults->TraceConnectWithoutContext(
        "Fault",
        Callback<void, Peer, Peer, const Frame&, const std::string&, bool>(
            [](Peer from, Peer to, const Frame&, const std::string& effect, bool lost) {
                if (auto recorder = Get())
                {
                    recorder->Faulted(from, to, effect, lost);
                }
            }));
}

void
Recorder::Worked(Peer host, ProcessId process, const Work& work, Time begin, Time end)
{
    if (!IsOpen() || begin == end)
    {
        return;
    }
    const auto index = Add(Kind::WORK,
                           host,
                           NO_PEER,
                           process,
                           work.amount,
                           ToText(work.kind),
                           process == KERNEL ? "kernel" : "");
    m_events[index].begin = begin;
    m_events[index].end = end;
}

void
Recorder::Faulted(Peer from, Peer to, const std::string& effect, bool lost)
{
    const auto last = m_lastArrival.find(to);
    if (last == m_lastArrival.end())
    {
        return;
    }
    auto& event = m_events[last->second];
    if (event.peer == from && event.begin == Simulator::Now())
    {
        event.kind = lost ? Kind::LOSE : event.kind;
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
Recorder::Add(Kind kind,
              Peer node,
              Peer peer,
              uint64_t number,
              uint64_t bytes,
              std::string label,
              std::string detail)
{
    const Time now = Simulator::Now();
    m_events.push_back(
        Event{now, now, number, bytes, std::move(label), std::move(detail), node, peer, kind});
    return m_events.size() - 1;
}

void
Recorder::Finish()
{
    Add(Kind::END, NO_PEER, NO_PEER, NONE, 0, "run");
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
Recorder::Note(Peer node, const std::string& name)
{
    if (IsOpen())
    {
        Add(Kind::NOTE, node, NO_PEER, NONE, 0, name);
    }
}

void
Recorder::Sent(Peer from, Peer to, const Frame& frame)
{
    const uint64_t number = m_nextFrame++;
    Pending pending{frame, Simulator::Now(), NONE, "", {}};
    if (!IsOver())
    {
        std::ostringstream contents;
        contents << +frame.kind << ' ' << frame.id << ' ' << frame.contents << ' ' << frame.aux
                 << ' ' << +frame.flags << ' ' << frame.payload;
        const auto repetition = GetRepetition(from, to, contents.str(), frame.payload > 0);
        if (IsOpen())
        {
            pending.number = number;
            pending.label = m_describer(frame);
            const uint64_t bytes = uint64_t{frame.header} + frame.payload;
            Add(Kind::SEND, from, to, number, bytes, pending.label, repetition);
        }
    }
    m_pending[{from, to}].push_back(std::move(pending));
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
        auto& frames = list->second;
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
            const uint64_t bytes = uint64_t{frame.header} + frame.payload;
            m_lastArrival[self] = Add(Kind::ARRIVE, self, from, found->number, bytes, found->label);
        }
        to == NO_PEER ? void(found->reached.insert(self)) : void(frames.erase(found));
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
        m_firstKept = m_endKept == 0 ? number : m_firstKept;
        m_endKept = number + 1;
        Add(Kind::POST, self, request.to, number, request.bytes, "message");
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
        Add(Kind::DELIVER,
            self,
            delivery.from,
            number,
            delivery.bytes,
            "message",
            known ? "" : "unknown");
    }
}

void
Recorder::Ended(Peer self, RequestId id, Completion completion)
{
    const auto found = m_requests.find({self, id});
    if (found != m_requests.end() && (IsOpen() || IsKept(found->second)))
    {
        Add(Kind::COMPLETE, self, NO_PEER, found->second, 0, "message", ToText(completion));
    }
}

void
Recorder::AttachNodes()
{
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
            auto& sending = m_packets[FindPacketKey(packet)];
            sending = Sending{NONE, node, Describe(packet, to)};
            const bool bare = sending.label.starts_with("TCP") &&
                              sending.label.find(" seq ") == std::string::npos;
            const std::string repetition = GetRepetition(node, to, sending.label, !bare);
            if (IsOpen())
            {
                sending.number = number;
                Add(Kind::SEND, node, to, number, packet->GetSize(), sending.label, repetition);
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
            const auto index = Add(kind, node, from, number, packet->GetSize(), label, reason);
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
            to = found == m_addresses.end() ? NO_PEER : found->second;
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
        const auto start = type.rfind(':') == std::string::npos ? 0 : type.rfind(':') + 1;
        const auto end = type.rfind("Header");
        name = type.substr(start, end == std::string::npos ? end : end - start);
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
