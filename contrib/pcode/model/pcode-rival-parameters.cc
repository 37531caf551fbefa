/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-rival-parameters.h"

#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace pcode
{

using messaging::Ticks;

NS_OBJECT_ENSURE_REGISTERED(RivalParameters);

namespace
{

/**
 * Count a time in ticks.
 * @param span the time
 * @param tick length of a tick
 * @return the number of ticks, at least one
 */
Ticks
CountTicks(Time span, Time tick)
{
    return std::max<Ticks>(static_cast<Ticks>(span.GetTimeStep() / tick.GetTimeStep()), 1);
}

} // namespace

TypeId
RivalParameters::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::pcode::RivalParameters")
            .SetParent<Object>()
            .SetGroupName("Pcode")
            .AddConstructor<RivalParameters>()
            .AddAttribute(
                "RingWindow",
                "Most messages that all processors of the token ring broadcast in one rotation "
                "[messages; the size that implementations of Totem use, B-amb-8].",
                UintegerValue(50),
                MakeUintegerAccessor(&RivalParameters::m_ringWindow),
                MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("RingPerVisit",
                          "Most messages that a processor broadcasts while it has the token "
                          "[messages; as RingWindow, B-amb-8].",
                          UintegerValue(17),
                          MakeUintegerAccessor(&RivalParameters::m_ringPerVisit),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("RingSpan",
                          "Most messages of the ring that are not known to be everywhere "
                          "[messages; what the token's bitmap can ask for].",
                          UintegerValue(64),
                          MakeUintegerAccessor(&RivalParameters::m_ringSpan),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("RingQueue",
                          "Messages that wait at a processor for the token, beyond which a call "
                          "waits [messages; default].",
                          UintegerValue(32),
                          MakeUintegerAccessor(&RivalParameters::m_ringQueue),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute(
                "RingIdleRotations",
                "Rotations with nothing to do after which the token is parked [-; default].",
                UintegerValue(8),
                MakeUintegerAccessor(&RivalParameters::m_ringIdleRotations),
                MakeUintegerChecker<uint32_t>(1, 40))
            .AddAttribute("RingTokenTimeout",
                          "When the token is sent again [Time; two steps of a timer, B-amb-8].",
                          TimeValue(MilliSeconds(20)),
                          MakeTimeAccessor(&RivalParameters::m_ringTokenTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "RingWantTimeout",
                "When a parked token is asked for again [Time; two steps of a timer, B-amb-8].",
                TimeValue(MilliSeconds(20)),
                MakeTimeAccessor(&RivalParameters::m_ringWantTimeout),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("LansisWindow",
                          "Messages of one source of the acknowledgement graph that may not be "
                          "everywhere [messages; B-amb-8].",
                          UintegerValue(16),
                          MakeUintegerAccessor(&RivalParameters::m_lansisWindow),
                          MakeUintegerChecker<uint32_t>(1, 1024))
            .AddAttribute("LansisNackLimit",
                          "Most messages that one frame of the acknowledgement graph asks for "
                          "[messages; B-amb-8].",
                          UintegerValue(16),
                          MakeUintegerAccessor(&RivalParameters::m_lansisNackLimit),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("LansisNackDelay",
                          "From noticing a gap in the acknowledgement graph to asking for it "
                          "[Time; one step of a timer, B-amb-8].",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&RivalParameters::m_lansisNackDelay),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("LansisNackInterval",
                          "When a message of the graph is asked for again [Time; two steps of a "
                          "timer, B-amb-8].",
                          TimeValue(MilliSeconds(20)),
                          MakeTimeAccessor(&RivalParameters::m_lansisNackInterval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("LansisIdleDelay",
                          "Silence after which a processor of the graph tells what it has [Time; "
                          "five steps of a timer, B-amb-8].",
                          TimeValue(MilliSeconds(50)),
                          MakeTimeAccessor(&RivalParameters::m_lansisIdleDelay),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("LansisHoldOff",
                          "How long a repeated message of the graph is not repeated again [Time; "
                          "two steps of a timer, B-amb-8].",
                          TimeValue(MilliSeconds(20)),
                          MakeTimeAccessor(&RivalParameters::m_lansisHoldOff),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("HorusWindow",
                          "Datagrams of one source of the packing window that may not be "
                          "everywhere [datagrams; B-amb-8].",
                          UintegerValue(16),
                          MakeUintegerAccessor(&RivalParameters::m_horusWindow),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute("HorusQueue",
                          "Messages that wait for the packing window, beyond which a call waits "
                          "[messages; B-amb-8].",
                          UintegerValue(64),
                          MakeUintegerAccessor(&RivalParameters::m_horusQueue),
                          MakeUintegerChecker<uint32_t>(1, 65536))
            .AddAttribute("HorusStatusEvery",
                          "Datagrams of one source after which all others are told [datagrams; "
                          "half of HorusWindow, B-amb-8].",
                          UintegerValue(8),
                          MakeUintegerAccessor(&RivalParameters::m_horusStatusEvery),
                          MakeUintegerChecker<uint32_t>(1, 64))
            .AddAttribute(
                "HorusPackDelay",
                "How long a message waits for others to share its datagram while the packing "
                "window is open [Time; a program that waits has nothing to pack].",
                TimeValue(MilliSeconds(0)),
                MakeTimeAccessor(&RivalParameters::m_horusPackDelay),
                MakeTimeChecker(Time(0)))
            .AddAttribute("HorusNackDelay",
                          "From noticing a gap in a source's datagrams to asking for it [Time; one "
                          "step of a timer, B-amb-8].",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&RivalParameters::m_horusNackDelay),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute(
                "HorusNackInterval",
                "When a datagram is asked for again [Time; two steps of a timer, B-amb-8].",
                TimeValue(MilliSeconds(20)),
                MakeTimeAccessor(&RivalParameters::m_horusNackInterval),
                MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("HorusIdleDelay",
                          "Silence after which a receiver of the packing window tells what it has "
                          "[Time; five steps of a timer, B-amb-8].",
                          TimeValue(MilliSeconds(50)),
                          MakeTimeAccessor(&RivalParameters::m_horusIdleDelay),
                          MakeTimeChecker(NanoSeconds(1)));
    return tid;
}

RivalParameters::RivalParameters() = default;

RivalParameters::~RivalParameters() = default;

RingConfig
RivalParameters::MakeRing(uint32_t peers, uint32_t mtu, Time tick) const
{
    RingConfig config;
    config.nPeers = peers;
    config.mtu = mtu;
    config.window = m_ringWindow;
    config.perVisit = m_ringPerVisit;
    config.span = m_ringSpan;
    config.queue = m_ringQueue;
    config.idleRotations = m_ringIdleRotations;
    config.tokenTimeout = CountTicks(m_ringTokenTimeout, tick);
    config.wantTimeout = CountTicks(m_ringWantTimeout, tick);
    return config;
}

GraphConfig
RivalParameters::MakeGraph(uint32_t peers, uint32_t mtu, Time tick) const
{
    GraphConfig config;
    config.nPeers = peers;
    config.mtu = mtu;
    config.window = m_lansisWindow;
    config.nackLimit = m_lansisNackLimit;
    config.nackDelay = CountTicks(m_lansisNackDelay, tick);
    config.nackInterval = CountTicks(m_lansisNackInterval, tick);
    config.idleDelay = CountTicks(m_lansisIdleDelay, tick);
    config.holdOff = CountTicks(m_lansisHoldOff, tick);
    return config;
}

WindowConfig
RivalParameters::MakeWindow(uint32_t peers, uint32_t mtu, Time tick) const
{
    WindowConfig config;
    config.nPeers = peers;
    config.mtu = mtu;
    config.window = m_horusWindow;
    config.queue = m_horusQueue;
    config.statusEvery = m_horusStatusEvery;
    config.packDelay = m_horusPackDelay.IsZero() ? 0 : CountTicks(m_horusPackDelay, tick);
    config.nackDelay = CountTicks(m_horusNackDelay, tick);
    config.nackInterval = CountTicks(m_horusNackInterval, tick);
    config.idleDelay = CountTicks(m_horusIdleDelay, tick);
    return config;
}

} // namespace pcode
} // namespace ns3
