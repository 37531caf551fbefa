/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "messaging-tcp-protocol.h"

#include "messaging-linux-tcp-socket.h"
#include "messaging-queue-discs.h"
#include "messaging-socket-group.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/messaging-attributes.h"
#include "ns3/net-device.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-prr-recovery.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace messaging
{

NS_OBJECT_ENSURE_REGISTERED(TcpProtocol);

namespace
{

/** Header of TCP [bytes; RFC 9293]. */
constexpr uint32_t TCP_HEADER = 20;

/** Header of IPv4 [bytes; RFC 791]. */
constexpr uint32_t IPV4_HEADER = 20;

/** Header of IPv6 [bytes; RFC 8200]. */
constexpr uint32_t IPV6_HEADER = 40;

/** Timestamps of TCP [bytes; RFC 7323]. */
constexpr uint32_t TIMESTAMPS = 12;

/** Smallest segment that the smallest MTU has to leave room for [bytes]. */
constexpr uint32_t LEAST_SEGMENT = 64;

/** Largest MTU of IP [bytes]. */
constexpr uint32_t LARGEST_MTU = 65535;

/** Largest window without scaling [bytes; RFC 9293]. */
constexpr uint32_t LARGEST_WINDOW = 65535;

/** Settings of a current Linux. */
const TcpSettings LINUX_SETTINGS{.congestion = "cubic",
                                 .queueDisc = "pfifo_fast",
                                 .delayedAck = MilliSeconds(40),
                                 .minRto = MilliSeconds(200),
                                 .connectTimeout = Seconds(1),
                                 .sendBuffer = 4 << 20,
                                 .receiveBuffer = 6 << 20,
                                 .initialWindow = 10,
                                 .retries = 15,
                                 .sack = StackSwitch::ON,
                                 .quickAcks = StackSwitch::ON,
                                 .smallQueues = StackSwitch::ON};

/** Settings of 4.4BSD. */
const TcpSettings SETTINGS_OF_1995{.congestion = "newreno",
                                   .queueDisc = "pfifo_fast",
                                   .delayedAck = MilliSeconds(200),
                                   .minRto = Seconds(1),
                                   .connectTimeout = Seconds(6),
                                   .sendBuffer = 16384,
                                   .receiveBuffer = 16384,
                                   .initialWindow = 1,
                                   .retries = 12,
                                   .sack = StackSwitch::OFF,
                                   .quickAcks = StackSwitch::OFF,
                                   .smallQueues = StackSwitch::OFF};

/**
 * Choose between a setting of the user and that of the stack.
 * @param own the setting; its default value stands for that of the stack
 * @param stack the setting of the stack
 * @return the setting to use
 */
template <class T>
T
Choose(const T& own, const T& stack)
{
    return own == T{} ? stack : own;
}

/**
 * Get the segment size.
 * @param settings the settings
 * @param mtu smallest MTU of the devices [bytes]
 * @param headers headers of a segment [bytes]
 * @return the payload of a segment [bytes]
 */
uint32_t
GetSegmentSize(const TcpSettings& settings, uint32_t mtu, uint32_t headers)
{
    const uint32_t largest = std::max(mtu, headers + LEAST_SEGMENT) - headers;
    return settings.segmentSize == 0 ? largest : std::min(settings.segmentSize, largest);
}

} // namespace

TypeId
TcpProtocol::GetTypeId()
{
    const std::initializer_list<std::pair<StackSwitch, const char*>> switches{
        {StackSwitch::STACK, "stack"},
        {StackSwitch::ON, "on"},
        {StackSwitch::OFF, "off"}};
    constexpr uint32_t MOST_BYTES = 1U << 30;
    static TypeId tid =
        Attributes<TcpProtocol>(SetSummary(TypeId("ns3::messaging::TcpProtocol"),
                                           "TCP of ns-3: a stream between each pair of peers.")
                                    .SetParent<Protocol>()
                                    .SetGroupName("Messaging")
                                    .AddConstructor<TcpProtocol>())
            .AddAttribute("Stack",
                          "Stack whose settings hold where no other are set: linux, or 1995 for "
                          "4.4BSD, without window scaling and timestamps [name; default].",
                          &TcpProtocol::m_stack,
                          TcpStack::LINUX,
                          {{TcpStack::LINUX, "linux"}, {TcpStack::OF_1995, "1995"}})
            .In(&TcpProtocol::m_settings)
            .AddAttribute("Congestion",
                          "Congestion control, a class of ns-3 such as cubic, newreno, dctcp or "
                          "bbr; empty for the stack's: cubic, in 1995 newreno [name; Linux, "
                          "tcp_congestion_control].",
                          &TcpSettings::congestion)
            .AddAttribute("Nagle",
                          "Nagle's algorithm, which holds a short segment back until all data is "
                          "acknowledged; message libraries switch it off with TCP_NODELAY [bool; "
                          "RFC 9293].",
                          &TcpSettings::nagle)
            .AddAttribute("DelayedAck",
                          "Longest delay of an acknowledgement; 0 for the stack's: 40 ms, in 1995 "
                          "200 ms [s; Linux, TCP_DELACK_MIN; 4.4BSD].",
                          &TcpSettings::delayedAck,
                          Range<Time>{Time(0), Seconds(60)})
            .AddAttribute("DelayedAckCount",
                          "Segments that are acknowledged without delay; 1 for each [segments; RFC "
                          "9293].",
                          &TcpSettings::delayedAckCount,
                          Range{1U, 1000U})
            .AddAttribute("QuickAcks",
                          "Acknowledgement without delay when the application has read the end of "
                          "a message, on a connection that carries data one way, as all do here; "
                          "on in linux, off in 1995 [-; Linux, tcp_cleanup_rbuf].",
                          &TcpSettings::quickAcks,
                          switches)
            .AddAttribute("MinRto",
                          "Shortest retransmission timeout; 0 for the stack's: 200 ms, in 1995 1 s "
                          "[s; Linux, TCP_RTO_MIN; 4.4BSD].",
                          &TcpSettings::minRto,
                          Range<Time>{Time(0), Seconds(60)})
            .AddAttribute("ConnectTimeout",
                          "First timeout of a connection attempt; 0 for the stack's: 1 s, in 1995 "
                          "6 s [s; Linux, TCP_TIMEOUT_INIT; 4.4BSD].",
                          &TcpSettings::connectTimeout,
                          Range<Time>{Time(0), Seconds(600)})
            .AddAttribute("Retries",
                          "Retransmissions of a segment before its connection is closed; 0 for the "
                          "stack's: 15, in 1995 12 [retransmissions; Linux, tcp_retries2; 4.4BSD].",
                          &TcpSettings::retries,
                          Range{0U, 255U})
            .AddAttribute("SendBuffer",
                          "Send buffer; 0 for the stack's: 4 MiB, to which Linux extends it, in "
                          "1995 16 KiB [bytes; Linux, tcp_wmem; 4.4BSD-Lite2].",
                          &TcpSettings::sendBuffer,
                          Range{0U, MOST_BYTES})
            .AddAttribute("ReceiveBuffer",
                          "Receive buffer; 0 for the stack's: 6 MiB, to which Linux extends it, in "
                          "1995 16 KiB [bytes; Linux, tcp_rmem; 4.4BSD-Lite2].",
                          &TcpSettings::receiveBuffer,
                          Range{0U, MOST_BYTES})
            .AddAttribute("InitialWindow",
                          "Initial congestion window; 0 for the stack's: 10, in 1995 1 [segments; "
                          "RFC 6928; RFC 1122].",
                          &TcpSettings::initialWindow,
                          Range{0U, 1000U})
            .AddAttribute("SegmentSize",
                          "Largest payload of a segment; 0 for the MTU less the headers, which is "
                          "also the maximum [bytes; RFC 9293].",
                          &TcpSettings::segmentSize,
                          Range{0U, LARGEST_MTU})
            .AddAttribute("Sack",
                          "Selective acknowledgements; on in linux, off in 1995 [-; RFC 2018].",
                          &TcpSettings::sack,
                          switches)
            .AddAttribute("SmallQueues",
                          "Stop of a connection while its node's queue disc holds more than it "
                          "sends in 1 ms; on in linux, off in 1995 [-; Linux, "
                          "tcp_small_queue_check].",
                          &TcpSettings::smallQueues,
                          switches)
            .AddAttribute("QueueDisc",
                          "Queue disc of each node, a class of ns-3 such as pfifo_fast or "
                          "fq_codel, or none; empty for the stack's, pfifo_fast [name; Linux, "
                          "default_qdisc].",
                          &TcpSettings::queueDisc);
    return tid;
}

TcpSettings
TcpProtocol::GetSettings() const
{
    const TcpSettings& stack = m_stack == TcpStack::LINUX ? LINUX_SETTINGS : SETTINGS_OF_1995;
    TcpSettings chosen = m_settings;
    chosen.congestion = Choose(m_settings.congestion, stack.congestion);
    chosen.queueDisc = Choose(m_settings.queueDisc, stack.queueDisc);
    chosen.delayedAck = Choose(m_settings.delayedAck, stack.delayedAck);
    chosen.minRto = Choose(m_settings.minRto, stack.minRto);
    chosen.connectTimeout = Choose(m_settings.connectTimeout, stack.connectTimeout);
    chosen.sendBuffer = Choose(m_settings.sendBuffer, stack.sendBuffer);
    chosen.receiveBuffer = Choose(m_settings.receiveBuffer, stack.receiveBuffer);
    chosen.initialWindow = Choose(m_settings.initialWindow, stack.initialWindow);
    chosen.retries = Choose(m_settings.retries, stack.retries);
    chosen.sack = Choose(m_settings.sack, stack.sack);
    chosen.quickAcks = Choose(m_settings.quickAcks, stack.quickAcks);
    chosen.smallQueues = Choose(m_settings.smallQueues, stack.smallQueues);
    return chosen;
}

std::string
TcpProtocol::Check(const PortInfo& info, uint32_t) const
{
    const TcpSettings settings = GetSettings();
    if (!FindClass(TcpCongestionOps::GetTypeId(), settings.congestion))
    {
        return "There is no congestion control " + settings.congestion + "; there are " +
               ListClasses(TcpCongestionOps::GetTypeId()) + ".";
    }
    if (auto sentence = CheckQueueDisc(settings.queueDisc); !sentence.empty())
    {
        return sentence;
    }
    const bool delays = settings.delayedAckCount > 1;
    if (!delays && m_settings.delayedAck.IsStrictlyPositive())
    {
        return "DelayedAck has no effect where DelayedAckCount is 1, since no acknowledgement is "
               "delayed.";
    }
    if (!delays && m_settings.quickAcks == StackSwitch::ON)
    {
        return "QuickAcks has no effect where DelayedAckCount is 1, since no acknowledgement is "
               "delayed.";
    }
    if (delays && settings.minRto <= settings.delayedAck)
    {
        std::ostringstream sentence;
        sentence << "MinRto is " << settings.minRto.ToDouble(Time::MS)
                 << " ms, and acknowledgements are delayed by up to "
                 << settings.delayedAck.ToDouble(Time::MS)
                 << " ms: a segment would be repeated before its acknowledgement; set MinRto above "
                    "DelayedAck.";
        return sentence.str();
    }
    if (m_settings.smallQueues == StackSwitch::ON && settings.queueDisc == NO_QUEUE_DISC)
    {
        return "SmallQueues limits the bytes in the queue disc, and QueueDisc is none; set one of "
               "them to another value.";
    }
    if (m_stack == TcpStack::OF_1995 && settings.receiveBuffer > LARGEST_WINDOW)
    {
        return "ReceiveBuffer is " + std::to_string(settings.receiveBuffer) +
               " bytes, but without window scaling, as in Stack 1995, a window has at most " +
               std::to_string(LARGEST_WINDOW) + ".";
    }
    const uint32_t segment = GetSegmentSize(settings, info.mtu, IPV4_HEADER + TCP_HEADER);
    if (settings.sendBuffer < segment)
    {
        return "SendBuffer needs room for a segment of " + std::to_string(segment) + " bytes.";
    }
    // With less, ns-3's receiver announces a window without room for a segment, and no larger one.
    if (settings.receiveBuffer < uint64_t{2} * segment)
    {
        return "ReceiveBuffer needs room for two segments of " + std::to_string(segment) +
               " bytes each.";
    }
    return "";
}

Promise
TcpProtocol::GetPromise(const PortInfo& info) const
{
    // After DATA_RETRIES losses of a segment in a row, TCP ends the connection with an error.
    return {.complete = info.lossless, .reported = true};
}

Ptr<MessageGroup>
TcpProtocol::DoConnect(const Site& site)
{
    const TcpSettings settings = GetSettings();
    uint32_t mtu = LARGEST_MTU;
    for (uint32_t i = 0; i < site.nodes.GetN(); ++i)
    {
        // Device 0 is the peer's; the IP stack adds the loopback device.
        mtu = std::min<uint32_t>(mtu, site.nodes.Get(i)->GetDevice(0)->GetMtu());
    }
    const bool modern = m_stack == TcpStack::LINUX;
    const bool isIpv6 = std::ranges::any_of(site.addresses, &Inet6SocketAddress::IsMatchingType);
    const uint32_t headers =
        (isIpv6 ? IPV6_HEADER : IPV4_HEADER) + TCP_HEADER + (modern ? TIMESTAMPS : 0);
    const uint32_t segment = GetSegmentSize(settings, mtu, headers);
    InstallQueueDisc(site.nodes, settings.queueDisc);
    const auto congestion = FindClass(TcpCongestionOps::GetTypeId(), settings.congestion);
    NS_ABORT_MSG_IF(!congestion, "There is no congestion control " << settings.congestion << ".");
    const TypeId recovery = modern ? TcpPrrRecovery::GetTypeId() : TcpClassicRecovery::GetTypeId();
    auto group = CreateObject<SocketGroup>();
    group->SetAttribute("ChargeCalls", BooleanValue(true));
    group->SetMaker([=](Ptr<Node> node) {
        const auto socket = LinuxTcpSocket::Make(node, *congestion, recovery);
        socket->SetAttribute("SegmentSize", UintegerValue(segment));
        socket->SetAttribute("SndBufSize", UintegerValue(settings.sendBuffer));
        socket->SetAttribute("RcvBufSize", UintegerValue(settings.receiveBuffer));
        socket->SetAttribute("InitialCwnd", UintegerValue(settings.initialWindow));
        socket->SetAttribute("ConnTimeout", TimeValue(settings.connectTimeout));
        socket->SetAttribute("DataRetries", UintegerValue(settings.retries));
        socket->SetAttribute("DelAckTimeout", TimeValue(settings.delayedAck));
        socket->SetAttribute("DelAckCount", UintegerValue(settings.delayedAckCount));
        socket->SetAttribute("TcpNoDelay", BooleanValue(!settings.nagle));
        socket->SetAttribute("MinRto", TimeValue(settings.minRto));
        socket->SetAttribute("Sack", BooleanValue(settings.sack == StackSwitch::ON));
        socket->SetAttribute("Timestamp", BooleanValue(modern));
        socket->SetAttribute("WindowScaling", BooleanValue(modern));
        socket->SetRules(settings.quickAcks == StackSwitch::ON,
                         settings.smallQueues == StackSwitch::ON);
        return socket;
    });
    group->Connect(site.nodes, site.addresses);
    return group;
}

} // namespace messaging
} // namespace ns3
