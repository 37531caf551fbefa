/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-switch-traffic.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace ethernet
{

namespace
{

/** Frames between two reports of progress. */
constexpr uint64_t REPORT_FRAMES = 1024;

/** EtherType of announcements (IEEE 802, for experiments). */
constexpr uint16_t ANNOUNCEMENT_TYPE = 0x88b5;

/** EtherType of the traffic (the other one of those). */
constexpr uint16_t TRAFFIC_TYPE = 0x88b6;

} // namespace

Mac48Address
SwitchStation::GetAddress(uint32_t number)
{
    const uint8_t bytes[6] =
        {2, 0, 0, 0, static_cast<uint8_t>(number >> 8), static_cast<uint8_t>(number)};
    Mac48Address address;
    address.CopyFrom(bytes);
    return address;
}

SwitchStation::SwitchStation(Ptr<EthernetSwitch> lan,
                             uint32_t number,
                             SwitchMeasurement& measurement)
    : m_lan(lan),
      m_measurement(measurement),
      m_address(GetAddress(number)),
      m_number(number),
      m_port(lan->Attach(this, nullptr)),
      m_gaps(CreateObject<ExponentialRandomVariable>()),
      m_choice(CreateObject<UniformRandomVariable>())
{
}

int64_t
SwitchStation::AssignStreams(int64_t stream)
{
    m_gaps->SetStream(stream);
    m_choice->SetStream(stream + 1);
    return 2;
}

void
SwitchStation::Announce()
{
    m_lan->Transmit(m_port,
                    Create<WireFrame>(Mac48Address::GetBroadcast(),
                                      m_address,
                                      ANNOUNCEMENT_TYPE,
                                      MIN_FRAME_BYTES));
}

void
SwitchStation::Start(const Traffic& traffic)
{
    m_traffic = traffic;
    m_left = traffic.frames;
    if (traffic.interval.IsZero())
    {
        m_waiting = m_left;
        m_left = 0;
        TransmitNext();
    }
    else
    {
        ScheduleBurst();
    }
}

void
SwitchStation::ScheduleBurst()
{
    const Time gap = NanoSeconds(static_cast<uint64_t>(
        m_gaps->GetValue(static_cast<double>(m_traffic.interval.GetNanoSeconds()), 0)));
    Simulator::Schedule(gap, &SwitchStation::Burst, this);
}

void
SwitchStation::Burst()
{
    const uint32_t count = std::min(m_left, m_traffic.burst);
    m_left -= count;
    m_waiting += count;
    TransmitNext();
    if (m_left > 0)
    {
        ScheduleBurst();
    }
}

void
SwitchStation::TransmitNext()
{
    if (m_current || m_waiting == 0)
    {
        return;
    }
    --m_waiting;
    Mac48Address to = m_traffic.to;
    if (m_traffic.receivers > 0)
    {
        const uint32_t other = m_choice->GetInteger(0, m_traffic.receivers - 2);
        to = GetAddress(other + (other >= m_number));
    }
    m_current = Create<WireFrame>(to, m_address, TRAFFIC_TYPE, m_traffic.bytes);
    m_lan->Transmit(m_port, m_current);
}

void
SwitchStation::OnTransmitBegin(uint32_t)
{
    if (m_current)
    {
        const int64_t now = Simulator::Now().GetNanoSeconds();
        m_measurement.begins[PeekPointer(m_current)] = now;
        if (++m_measurement.sent % REPORT_FRAMES == 0 && m_measurement.progress)
        {
            m_measurement.progress(m_measurement.sent);
        }
        if (m_measurement.first < 0)
        {
            m_measurement.first = now;
        }
    }
}

void
SwitchStation::OnCollision(uint32_t)
{
}

void
SwitchStation::OnTransmitEnd(TxOutcome)
{
    m_current = nullptr;
    TransmitNext();
}

bool
SwitchStation::Wants(const WireFrame& frame) const
{
    return frame.IsGroup() || frame.GetTo() == m_address;
}

void
SwitchStation::OnReceive(Ptr<const WireFrame> frame, bool)
{
    if (frame->GetType() == TRAFFIC_TYPE)
    {
        m_measurement.last = Simulator::Now().GetNanoSeconds();
        m_measurement.latencies.push_back(m_measurement.last -
                                          m_measurement.begins[PeekPointer(frame)]);
    }
}

} // namespace ethernet
} // namespace ns3
