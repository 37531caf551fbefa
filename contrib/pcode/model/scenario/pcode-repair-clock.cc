/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-repair-clock.h"

#include "ns3/messaging-frame-header.h"
#include "ns3/pcode-config.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace pcode
{

using messaging::Delivery;
using messaging::Frame;
using messaging::Peer;

namespace
{

/** @param frame a frame @return true if it carries a message */
bool
HasMessage(const Frame& frame)
{
    return frame.kind == static_cast<uint8_t>(FrameKind::REGULAR) ||
           frame.kind == static_cast<uint8_t>(FrameKind::DIRECT);
}

} // namespace

void
RepairClock::Observe(Ptr<Lan> lan, Ptr<messaging::MessageGroup> cores)
{
    lan->TraceConnectWithoutContext("PacketLoss",
                                    Callback<void, uint32_t, Ptr<const Packet>>(
                                        [this](uint32_t node, Ptr<const Packet> packet) {
                                            if (const auto frame = messaging::PeekFields(packet))
                                            {
                                                OnLoss(node, *frame);
                                            }
                                        }));
    cores->TraceConnectWithoutContext(
        "Arrive",
        Callback<void, Peer, Peer, const Frame&>(
            [this](Peer self, Peer, const Frame& frame) { OnArrive(self, frame); }));
    cores->TraceConnectWithoutContext(
        "Deliver",
        Callback<void, Peer, const Delivery&>(
            [this](Peer self, const Delivery& delivery) { OnDeliver(self, delivery.contents); }));
}

void
RepairClock::OnLoss(Peer node, const Frame& frame)
{
    const Copy copy{node, frame.contents};
    if (HasMessage(frame) && m_arrived.count(copy) == 0)
    {
        // The first loss counts: a later one delays the same repair.
        m_lost.try_emplace(copy, Simulator::Now());
    }
}

void
RepairClock::OnArrive(Peer node, const Frame& frame)
{
    if (HasMessage(frame))
    {
        m_arrived.emplace(node, frame.contents);
    }
}

void
RepairClock::OnDeliver(Peer node, uint64_t contents)
{
    const auto lost = m_lost.find({node, contents});
    if (lost == m_lost.end())
    {
        return;
    }
    ++m_repairs;
    m_sum += Simulator::Now() - lost->second;
    m_lost.erase(lost);
}

Time
RepairClock::GetMean() const
{
    if (m_repairs == 0)
    {
        return Time();
    }
    return m_sum / static_cast<int64_t>(m_repairs);
}

} // namespace pcode
} // namespace ns3
