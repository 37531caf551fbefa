/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-link.h"

#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3
{
namespace ethernet
{

NS_LOG_COMPONENT_DEFINE("BroadcastEthernetLink");

int64_t
GetBitTime(DataRate rate)
{
    for (const int64_t bit : {100, 10, 1})
    {
        if (rate.GetBitRate() * bit == 1000000000)
        {
            return bit;
        }
    }
    return 0;
}

std::string
CheckLinkRate(DataRate rate)
{
    if (GetBitTime(rate) > 0)
    {
        return "";
    }
    std::ostringstream os;
    os << "A full-duplex link cannot run at " << rate
       << "; its DataRate has to be 10Mbps, 100Mbps or 1000Mbps.";
    return os.str();
}

uint32_t
GetContextOf(Ptr<const NetDevice> device)
{
    const Ptr<Node> node = device ? device->GetNode() : nullptr;
    return node ? node->GetId() : static_cast<uint32_t>(Simulator::NO_CONTEXT);
}

LinkTransmitter::LinkTransmitter(MediumUser* user,
                                 FrameCallback receive,
                                 FrameCallback lose,
                                 int64_t bitTime,
                                 int64_t delay)
    : m_user(user),
      m_receive(std::move(receive)),
      m_lose(std::move(lose)),
      m_bitTime(bitTime),
      m_delay(delay)
{
}

LinkTransmitter::~LinkTransmitter()
{
    m_event.Cancel();
}

void
LinkTransmitter::Transmit(Ptr<const WireFrame> frame)
{
    m_frame = frame;
    Plan();
}

void
LinkTransmitter::Plan()
{
    const int64_t now = Simulator::Now().GetNanoSeconds();
    const int64_t begin = std::max(m_freeAt, m_pausedUntil);
    if (begin <= now)
    {
        Begin();
    }
    else
    {
        m_event.Cancel();
        m_event = Simulator::Schedule(NanoSeconds(begin - now), &LinkTransmitter::Begin, this);
    }
}

void
LinkTransmitter::Begin()
{
    NS_LOG_LOGIC("The first bit of a frame of " << m_frame->GetBytes() << " bytes from "
                                                << m_frame->GetFrom() << " leaves");
    m_begun = true;
    m_frameCuts = m_cuts;
    m_frameUp = m_up;
    const int64_t wire = m_frame->GetWireBits() * m_bitTime;
    m_freeAt = Simulator::Now().GetNanoSeconds() + wire + GAP_BITS * m_bitTime;
    m_event.Cancel();
    m_event = Simulator::Schedule(NanoSeconds(wire), [this] { End(); });
    m_user->OnTransmitBegin(1);
}

void
LinkTransmitter::End()
{
    m_begun = false;
    const Ptr<const WireFrame> frame = m_frame;
    m_frame = nullptr;
    Simulator::ScheduleWithContext(
        Simulator::NO_CONTEXT,
        NanoSeconds(m_delay),
        [this, frame, cuts = m_frameCuts, sent = m_frameUp] { Arrive(frame, cuts, sent); });
    m_user->OnTransmitEnd(TxOutcome::SENT);
}

void
LinkTransmitter::Arrive(Ptr<const WireFrame> frame, uint32_t cuts, bool sent)
{
    if (sent && cuts == m_cuts)
    {
        m_receive(frame);
    }
    else
    {
        NS_LOG_INFO("A frame from " << frame->GetFrom() << " is lost on a cut cable");
        m_lose(frame);
    }
}

void
LinkTransmitter::SetUp(bool up)
{
    if (m_up && !up)
    {
        ++m_cuts;
    }
    m_up = up;
    m_pausedUntil = 0;
    if (m_frame && !m_begun)
    {
        Plan();
    }
}

void
LinkTransmitter::Pause(uint16_t quanta)
{
    NS_LOG_INFO("A station obeys PAUSE for " << quanta << " quanta");
    m_pausedUntil = Simulator::Now().GetNanoSeconds() + quanta * PAUSE_QUANTUM_BITS * m_bitTime;
    if (m_frame && !m_begun)
    {
        Plan();
    }
}

} // namespace ethernet
} // namespace ns3
