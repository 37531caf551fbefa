/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-timeline.h"

#include "ns3/log.h"
#include "ns3/messaging-segmenting-core.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{
namespace messaging
{

NS_LOG_COMPONENT_DEFINE("MessagingTimeline");
NS_OBJECT_ENSURE_REGISTERED(MessageTimeline);

namespace
{

/** Number of frames of a message from which on they are found by a map. */
constexpr std::size_t MANY_FRAMES = 16;

/** Time without work after which a host has no message to hand on. */
const Time HOST_PERIOD = MicroSeconds(10);

/** @return the time of the simulation in steps of Time. */
int64_t
GetNow()
{
    return Simulator::Now().GetTimeStep();
}

} // namespace

int64_t
LatencyParts::GetSum() const
{
    return std::accumulate(steps.begin(), steps.end(), int64_t{0});
}

std::ostream&
operator<<(std::ostream& os, LatencyPart part)
{
    constexpr std::array<const char*, N_LATENCY_PARTS> NAMES{"sender",
                                                             "repeat",
                                                             "processors",
                                                             "network",
                                                             "queueing",
                                                             "receiver"};
    return os << NAMES.at(static_cast<std::size_t>(part));
}

TypeId
MessageTimeline::GetTypeId()
{
    static TypeId tid = TypeId("ns3::messaging::MessageTimeline")
                            .SetParent<Object>()
                            .SetGroupName("Messaging")
                            .AddConstructor<MessageTimeline>();
    return tid;
}

void
MessageTimeline::DoDispose()
{
    m_hosts.clear();
    m_lost = LostCallback();
    Object::DoDispose();
}

void
MessageTimeline::Begin(uint32_t peers, bool confirms, const std::vector<Ptr<HostModel>>& hosts)
{
    m_wire.assign(peers, 0);
    m_queued.resize(peers);
    m_confirms = confirms;
    m_hosts = hosts;
}

MessageTimeline::Point
MessageTimeline::Mark(Peer peer) const
{
    Point point{.time = GetNow(), .wire = m_wire[peer]};
    if (!m_hosts.empty())
    {
        point.work = m_hosts[peer]->GetCpus()->GetBusyTime().GetTimeStep();
    }
    return point;
}

int64_t
MessageTimeline::GetWork() const
{
    int64_t work = 0;
    for (const auto& host : m_hosts)
    {
        work += host->GetCpus()->GetBusyTime().GetTimeStep();
    }
    return work;
}

void
MessageTimeline::SwitchQuiet()
{
    if (m_quietSince < 0)
    {
        m_quietSince = GetNow();
        m_quietWork = GetWork();
        return;
    }
    const int64_t wait = GetNow() - m_quietSince;
    if (wait > 0)
    {
        m_timerWait += wait - std::min(wait, GetWork() - m_quietWork);
    }
    m_quietSince = -1;
}

void
MessageTimeline::DrainLater()
{
    if (!std::exchange(m_draining, true))
    {
        Simulator::ScheduleNow(&MessageTimeline::Drain, Ptr<MessageTimeline>(this), int64_t{-1});
    }
}

void
MessageTimeline::OnNetworkLoss(uint64_t copies)
{
    // A protocol that confirms deliveries sends again, or reports a failure.
    m_hasUnknown = !m_confirms;
    AddInFlight(-static_cast<int64_t>(copies));
}

MessageTimeline::Record*
MessageTimeline::Find(uint64_t contents)
{
    if (contents == 0)
    {
        return nullptr; // As in most control frames.
    }
    const RequestId id = DeliveryAudit::GetMessage(contents);
    const uint32_t slot = DeliveryAudit::GetSlot(id);
    if (slot < m_records.size() && DeliveryAudit::GetSerial(id) <= m_lastSerial)
    {
        return m_records[slot].id == id ? &m_records[slot] : nullptr; // An earlier message.
    }
    if (!std::exchange(m_seesSegments, true))
    {
        for (uint32_t i = 0; i < m_records.size(); ++i)
        {
            m_lasts[m_records[i].last] = i;
        }
    }
    const auto last = m_lasts.find(contents);
    return last == m_lasts.end() ? nullptr : &m_records[last->second];
}

uint32_t
MessageTimeline::FindFrame(const Flight& flight, uint64_t key)
{
    if (flight.count > 0 && flight.first.key == key)
    {
        return 0;
    }
    if (flight.count >= MANY_FRAMES)
    {
        const auto place = flight.index.find(key);
        return place == flight.index.end() ? flight.count : place->second;
    }
    const auto frame = std::ranges::find(flight.more, key, &FrameTimes::key);
    const auto number = static_cast<uint32_t>(frame - flight.more.begin()) + 1;
    return std::min(number, flight.count);
}

void
MessageTimeline::AddFrame(Flight& flight, const Carried& part, const Point& first)
{
    const FrameTimes frame{.key = part.key, .first = first, .own = flight.own};
    if (flight.count == 0)
    {
        flight.first = frame;
    }
    else
    {
        flight.more.push_back(frame);
    }
    ++flight.count;
    flight.own += part.wire;
    if (flight.count == MANY_FRAMES)
    {
        for (uint32_t number = 0; number < flight.count; ++number)
        {
            flight.index[flight.At(number).key] = number;
        }
    }
    else if (flight.count > MANY_FRAMES)
    {
        flight.index[part.key] = flight.count - 1;
    }
}

void
MessageTimeline::TakeFlight(Record& record, const Point& begun)
{
    if (m_idleFlights.empty())
    {
        m_idleFlights.push_back(static_cast<uint32_t>(m_flights.size()));
        m_flights.emplace_back();
    }
    record.flight = m_idleFlights.back();
    m_idleFlights.pop_back();
    record.hasBegun = true;
    Flight& flight = m_flights[record.flight];
    flight.begun = begun;
    flight.own = 0;
    flight.sent = 0;
    flight.allSent = 0;
    flight.inFlight = 0;
    flight.count = 0;
    flight.way = {};
    flight.more.clear();
    flight.ways.clear();
    flight.index.clear();
    if (record.to == NO_PEER)
    {
        flight.ways.resize(m_wire.size());
    }
}

void
MessageTimeline::EndFlight(Record& record)
{
    if (record.flight != NO_FLIGHT)
    {
        m_idleFlights.push_back(std::exchange(record.flight, NO_FLIGHT));
    }
}

void
MessageTimeline::EndFlightIfOver(Record& record)
{
    if (record.completed && record.missing == 0)
    {
        EndFlight(record);
    }
}

void
MessageTimeline::OnPost(Peer self, const Request& request)
{
    const uint32_t slot = DeliveryAudit::GetSlot(request.id);
    if (slot >= m_records.size())
    {
        m_records.resize(slot + std::size_t{1});
    }
    Record& record = m_records[slot];
    const bool toAll = request.to == NO_PEER;
    if (m_seesSegments)
    {
        m_lasts.erase(record.last);
        m_lasts[GetLastContents(request)] = slot;
    }
    EndFlight(record);
    record = Record{.id = request.id,
                    .last = GetLastContents(request),
                    .posted = Mark(self),
                    .from = self,
                    .to = request.to,
                    .bytes = request.bytes,
                    .missing = toAll ? static_cast<uint32_t>(m_wire.size()) - 1 : 1};
    m_lastSerial = std::max(m_lastSerial, DeliveryAudit::GetSerial(request.id));
    if (!m_queued[self].empty())
    {
        record.posted = m_queued[self].front();
        m_queued[self].pop_front();
        --m_expected;
    }
    m_expected += record.missing;
    Watch();
}

void
MessageTimeline::OnQueue(Peer self)
{
    m_queued[self].push_back(Mark(self));
    ++m_expected;
    Watch();
}

void
MessageTimeline::OnDecline(Peer self, const Request& request, Acceptance acceptance)
{
    Record& record = m_records[DeliveryAudit::GetSlot(request.id)];
    Abandon(record);
    if (acceptance == Acceptance::STALLED)
    {
        m_queued[self].push_front(record.posted);
        ++m_expected;
    }
    Watch();
}

uint32_t
MessageTimeline::Abandon(Record& record)
{
    const uint32_t missing = std::exchange(record.missing, 0);
    m_expected -= missing;
    return missing;
}

void
MessageTimeline::OnComplete(Peer, RequestId id, Completion completion)
{
    const uint32_t slot = DeliveryAudit::GetSlot(id);
    if (slot >= m_records.size() || m_records[slot].id != id)
    {
        return;
    }
    Record& record = m_records[slot];
    if (completion == Completion::UNREACHABLE || completion == Completion::FAILED)
    {
        Abandon(record);
        Watch();
    }
    else if (completion == Completion::DELIVERED || !m_confirms)
    {
        record.completed = true;
        EndFlightIfOver(record);
        CheckLater(record);
    }
}

void
MessageTimeline::OnDeliver(Peer self, const Delivery& delivery)
{
    const RequestId id = DeliveryAudit::GetMessage(delivery.contents);
    const uint32_t slot = DeliveryAudit::GetSlot(id);
    if (slot >= m_records.size() || m_records[slot].id != id)
    {
        return;
    }
    Record& record = m_records[slot];
    const Way* way = nullptr;
    if (record.flight != NO_FLIGHT)
    {
        const Flight& flight = m_flights[record.flight];
        way = record.to == NO_PEER ? &flight.ways[self] : &flight.way;
    }
    if (way && way->begun)
    {
        m_last = way->parts;
        Split(m_last, LatencyPart::RECEIVER, way->end, Mark(self));
    }
    else
    {
        // As of a message to oneself, which does not leave the host.
        m_last = {};
        NS_LOG_INFO("No frame of message " << record.id << " was seen");
        Split(m_last, LatencyPart::SENDER, record.posted, Mark(self));
    }
    if (record.missing > 0) // Otherwise it was taken for lost while its receiver held it.
    {
        --record.missing;
        --m_expected;
        Watch();
        EndFlightIfOver(record);
    }
}

void
MessageTimeline::Keep(Time latency)
{
    NS_ASSERT_MSG(m_last.GetSum() == latency.GetTimeStep(),
                  "The parts of a message's latency, "
                      << m_last.GetSum() << " ns, do not add up to it, " << latency.GetTimeStep()
                      << " ns.");
    m_parts.push_back(m_last);
}

bool
MessageTimeline::OnSend(Place place, Peer self, const Carried& part)
{
    Record* const record = Find(part.contents);
    if (!record || self == record->to)
    {
        return false; // An acknowledgement may repeat the contents.
    }
    if (record->hasBegun && record->flight == NO_FLIGHT)
    {
        // Delivered and completed, so that all of its frames have been sent before.
        return place == Place::CORE || m_hosts.empty();
    }
    const Point point = Mark(self);
    if (!record->hasBegun)
    {
        TakeFlight(*record, point);
    }
    Flight& flight = m_flights[record->flight];
    const uint32_t at = FindFrame(flight, part.key);
    if (place == Place::WIRE && !m_hosts.empty() && at < flight.count)
    {
        FrameTimes& frame = flight.At(at);
        const bool single = frame.oldest.core.time == frame.newest.core.time;
        frame.newest.wire = point;
        if (single)
        {
            frame.oldest.wire = point;
        }
        return false;
    }
    const bool wasSent = flight.sent >= uint64_t{record->bytes} + m_streamHeader;
    const bool isRepeated = at < flight.count || (m_streams && wasSent);
    if (at == flight.count)
    {
        AddFrame(flight, part, point);
    }
    FrameTimes& frame = flight.At(at);
    frame.newest = {point, point};
    if (frame.inFlight == 0)
    {
        frame.oldest = frame.newest;
    }
    frame.inFlight += part.copies;
    flight.inFlight += part.copies;
    if (!wasSent)
    {
        flight.allSent = point.time;
    }
    flight.sent += part.bytes;
    return isRepeated;
}

void
MessageTimeline::OnArrive(Place place, Peer self, const Carried& part)
{
    Record* const record = Find(part.contents);
    if (!record || record->flight == NO_FLIGHT || (record->to != NO_PEER && record->to != self))
    {
        return;
    }
    Flight& flight = m_flights[record->flight];
    const uint32_t at = FindFrame(flight, part.key);
    if (at == flight.count)
    {
        return;
    }
    FrameTimes& frame = flight.At(at);
    const Point point = Mark(self);
    if (place == Place::WIRE || m_hosts.empty())
    {
        frame.arrival = point;
    }
    if (place == Place::WIRE && !m_hosts.empty())
    {
        return;
    }
    const bool toAll = record->to == NO_PEER;
    bool isNew = false;
    if (toAll)
    {
        auto& arrived = flight.ways[self].arrived;
        arrived.resize(std::max<std::size_t>(arrived.size(), at + std::size_t{1}));
        isNew = !arrived[at];
        arrived[at] = true;
    }
    else
    {
        isNew = !std::exchange(frame.arrived, true);
    }
    if (isNew)
    {
        Way& way = toAll ? flight.ways[self] : flight.way;
        way.begun = true;
        way.parts = GetPartsUntil(record->posted, flight, frame, point, GetIdle(frame, part));
        way.end = point;
    }
    const uint32_t copies = frame.inFlight > 0 ? 1 : 0;
    frame.inFlight -= copies;
    flight.inFlight -= copies;
    if (!toAll)
    {
        frame.oldest = frame.newest;
    }
    CheckLater(*record);
}

int64_t
MessageTimeline::GetIdle(const FrameTimes& frame, const Carried& part)
{
    const int64_t excess = frame.arrival.time - frame.oldest.wire.time - part.idle;
    const auto least = m_excess.try_emplace(part.bytes, std::max<int64_t>(excess, 0)).first;
    least->second = std::clamp<int64_t>(excess, 0, least->second);
    return part.idle + least->second;
}

void
MessageTimeline::OnLoss(const Carried& part)
{
    Record* const record = Find(part.contents);
    if (!record || record->flight == NO_FLIGHT)
    {
        return;
    }
    Flight& flight = m_flights[record->flight];
    const uint32_t at = FindFrame(flight, part.key);
    if (at == flight.count || flight.At(at).inFlight == 0)
    {
        return;
    }
    FrameTimes& frame = flight.At(at);
    const uint32_t copies = std::min(part.copies, frame.inFlight);
    frame.inFlight -= copies;
    flight.inFlight -= copies;
    frame.oldest = frame.newest;
    CheckLater(*record);
}

void
MessageTimeline::Split(LatencyParts& parts, LatencyPart part, const Point& begin, const Point& end)
{
    const int64_t time = end.time - begin.time;
    const int64_t work = std::clamp<int64_t>(end.work - begin.work, 0, time);
    parts[LatencyPart::PROCESSORS] += work;
    parts[part] += time - work;
}

void
MessageTimeline::Wait(LatencyParts& parts, int64_t time, int64_t work, int64_t wire)
{
    const int64_t computing = std::clamp<int64_t>(work, 0, time);
    const int64_t queueing = std::clamp<int64_t>(wire, 0, time - computing);
    parts[LatencyPart::PROCESSORS] += computing;
    parts[LatencyPart::QUEUEING] += queueing;
    parts[LatencyPart::SENDER] += time - computing - queueing;
}

LatencyParts
MessageTimeline::GetPartsUntil(const Point& posted,
                               const Flight& flight,
                               const FrameTimes& frame,
                               const Point& end,
                               int64_t idle) const
{
    LatencyParts parts;
    const Point& begun = flight.begun;
    Wait(parts, begun.time - posted.time, begun.work - posted.work, begun.wire - posted.wire);
    const int64_t fresh = m_streams ? std::min(frame.first.time, flight.allSent) : frame.first.time;
    parts[LatencyPart::REPEAT] += frame.oldest.core.time - fresh;
    const int64_t sending = fresh - begun.time;
    const int64_t own = std::min(sending, frame.own);
    parts[LatencyPart::NETWORK] += own;
    Wait(parts,
         sending - own,
         frame.first.work - begun.work,
         frame.first.wire - begun.wire - frame.own);
    Split(parts, LatencyPart::QUEUEING, frame.oldest.core, frame.oldest.wire);
    const int64_t way = frame.arrival.time - frame.oldest.wire.time;
    parts[LatencyPart::NETWORK] += std::min(way, idle);
    parts[LatencyPart::QUEUEING] += way - std::min(way, idle);
    Split(parts, LatencyPart::RECEIVER, frame.arrival, end);
    return parts;
}

bool
MessageTimeline::IsStranded(const Record& record) const
{
    return record.completed && record.missing > 0 && record.flight != NO_FLIGHT &&
           m_flights[record.flight].inFlight == 0;
}

void
MessageTimeline::CheckLater(const Record& record)
{
    if (!m_confirms && IsStranded(record))
    {
        // The frame that has arrived last may still be delivered within this event.
        Simulator::ScheduleNow(&MessageTimeline::Check,
                               Ptr<MessageTimeline>(this),
                               record.id,
                               int64_t{-1});
    }
}

void
MessageTimeline::Check(RequestId id, int64_t work)
{
    Record& record = m_records[DeliveryAudit::GetSlot(id)];
    if (record.id != id || !IsStranded(record))
    {
        return;
    }
    const int64_t now = record.to == NO_PEER ? GetWork() : Mark(record.to).work;
    if (!m_hosts.empty() && now != work)
    {
        Simulator::Schedule(HOST_PERIOD,
                            &MessageTimeline::Check,
                            Ptr<MessageTimeline>(this),
                            id,
                            now);
        return;
    }
    const uint32_t missing = Abandon(record);
    Watch();
    if (!m_lost.IsNull())
    {
        m_lost(record.from, missing);
    }
}

void
MessageTimeline::Drain(int64_t work)
{
    m_draining = false;
    if (m_inFlight > 0)
    {
        return;
    }
    const int64_t now = GetWork();
    if (!m_hosts.empty() && now != work)
    {
        m_draining = true;
        Simulator::Schedule(HOST_PERIOD, &MessageTimeline::Drain, Ptr<MessageTimeline>(this), now);
        return;
    }
    m_hasUnknown = false;
    std::vector<std::pair<Peer, uint32_t>> lost;
    for (Record& record : m_records)
    {
        if (record.completed && record.hasBegun && record.missing > 0)
        {
            Flight& flight = m_flights[record.flight];
            flight.inFlight = 0;
            for (uint32_t number = 0; number < flight.count; ++number)
            {
                flight.At(number).inFlight = 0;
            }
            lost.emplace_back(record.from, Abandon(record));
        }
    }
    Watch();
    for (const auto& [from, missing] : lost)
    {
        if (!m_lost.IsNull())
        {
            m_lost(from, missing);
        }
    }
}

} // namespace messaging
} // namespace ns3
