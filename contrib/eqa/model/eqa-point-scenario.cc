/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-point-scenario.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <vector>

namespace ns3
{
namespace eqa
{

NS_LOG_COMPONENT_DEFINE("EqaPointScenario");
NS_OBJECT_ENSURE_REGISTERED(EqaPointScenario);

using messaging::Acceptance;
using messaging::Delivery;
using messaging::LoopbackPort;
using messaging::NetDevicePort;
using messaging::Peer;
using messaging::Request;
using messaging::TickClock;
using messaging::Verdict;

namespace
{

/** Payload of an Ethernet frame less the header of a port's frame [bytes]. */
constexpr uint32_t FRAME_ROOM = 1464;

/** Simulated time after which a run has failed [s]. */
constexpr int64_t LIMIT = 600;

/** CPUs of a server that section 2 was measured on: a quad Pentium Pro. */
constexpr uint32_t SERVER_CPUS = 4;

/** Rest before the stream, so that the round trips' last acknowledgement is past. */
constexpr int64_t REST_MS = 50;

/** Round trips, and then a stream. */
class PointSession : private messaging::GroupUser
{
  public:
    /**
     * Constructor.
     * @param group what carries messages
     * @param eqa where receives are posted, or null
     * @param bytes size of a message [bytes]
     * @param iterations round trips, and messages of the stream
     * @param window messages of the stream under way
     * @param late by how much later than the send a receive is posted
     */
    PointSession(Ptr<messaging::MessageGroup> group,
                 Ptr<EqaGroup> eqa,
                 uint32_t bytes,
                 uint32_t iterations,
                 uint32_t window,
                 Time late)
        : m_group(group),
          m_eqa(eqa),
          m_late(late),
          m_bytes(bytes),
          m_iterations(iterations),
          m_window(window)
    {
        m_group->SetUser(this);
    }

    ~PointSession() override
    {
        m_group->SetUser(nullptr);
    }

    PointSession(const PointSession&) = delete;
    PointSession& operator=(const PointSession&) = delete;

    /** Begin. */
    void Start()
    {
        Receive(1, 0);
        Simulator::Schedule(MilliSeconds(1), &PointSession::Ping, this);
    }

    /** @return true if all messages have arrived and ended. */
    bool IsFinished() const
    {
        return m_delivered == m_iterations && m_ended == 3 * uint64_t{m_iterations};
    }

    /** @return the mean latency of the middle 80 % (section 4) [us]. */
    double GetLatency()
    {
        std::sort(m_latencies.begin(), m_latencies.end());
        const std::size_t cut = m_latencies.size() / 10;
        double sum = 0;
        for (std::size_t i = cut; i + cut < m_latencies.size(); ++i)
        {
            sum += m_latencies[i];
        }
        return m_latencies.empty() ? 0 : sum / static_cast<double>(m_latencies.size() - 2 * cut);
    }

    /** @return the bandwidth of the stream [MB/s]. */
    double GetBandwidth() const
    {
        const double time = (m_end - m_begin).GetSeconds();
        return time > 0 ? uint64_t{m_bytes} * m_delivered / time / 1e6 : 0;
    }

  private:
    /**
     * Post a receive.
     * @param self the receiver
     * @param from the sender
     */
    void Receive(Peer self, Peer from)
    {
        if (m_eqa)
        {
            m_eqa->PostReceive(self, from, false);
        }
    }

    /**
     * Post a message.
     * @param self the sender
     * @return the acceptance
     */
    Acceptance Send(Peer self)
    {
        Request request;
        request.id = ++m_ids;
        request.to = 1 - self;
        request.bytes = m_bytes;
        return m_group->Post(self, request);
    }

    /** Begin a round trip. */
    void Ping()
    {
        m_start = Simulator::Now();
        Send(0);
        Receive(0, 1);
    }

    /** Post messages of the stream, as far as the window allows. */
    void Stream()
    {
        while (m_posted < m_iterations && m_posted - m_delivered < m_window &&
               Send(0) == Acceptance::ACCEPTED)
        {
            ++m_posted;
        }
    }

    /** Begin the stream. */
    void StartStream()
    {
        for (uint32_t i = 1; i < m_window; ++i)
        {
            Receive(1, 0);
        }
        m_begin = Simulator::Now();
        Stream();
    }

    void OnDeliver(Peer self, const Delivery&) override
    {
        if (m_latencies.size() < m_iterations && self == 1)
        {
            Send(1);
            if (m_late.IsZero())
            {
                Receive(1, 0);
            }
        }
        else if (m_latencies.size() < m_iterations)
        {
            m_latencies.push_back((Simulator::Now() - m_start).GetNanoSeconds() / 2e3);
            const bool last = m_latencies.size() == m_iterations;
            if (!m_late.IsZero())
            {
                Simulator::Schedule(MilliSeconds(1) + (last ? Time() : m_late),
                                    [this] { Receive(1, 0); });
            }
            last ? Simulator::Schedule(MilliSeconds(REST_MS), &PointSession::StartStream, this)
                 : Simulator::Schedule(MilliSeconds(1), &PointSession::Ping, this);
        }
        else
        {
            m_end = Simulator::Now();
            ++m_delivered;
            Receive(1, 0);
            Stream();
        }
    }

    void OnComplete(Peer, messaging::RequestId, messaging::Completion) override
    {
        ++m_ended;
        if (IsFinished())
        {
            Simulator::Stop();
        }
    }

    void OnReady(Peer) override
    {
        Stream();
    }

    Ptr<messaging::MessageGroup> m_group; ///< What carries messages.
    Ptr<EqaGroup> m_eqa;                  ///< Where receives are posted.
    std::vector<double> m_latencies;      ///< Half of each round trip [us].
    Time m_late;                          ///< Lateness of receives.
    Time m_start;                         ///< Of the round trip.
    Time m_begin;                         ///< Of the stream.
    Time m_end;                           ///< Of the stream.
    uint64_t m_ids{0};                    ///< Names requests.
    uint64_t m_ended{0};                  ///< Messages that have ended.
    uint32_t m_bytes;                     ///< Size of a message [bytes].
    uint32_t m_iterations;                ///< Round trips, and messages of the stream.
    uint32_t m_window;                    ///< Messages of the stream under way.
    uint32_t m_posted{0};                 ///< Messages of the stream.
    uint32_t m_delivered{0};              ///< Of those, how many have arrived.
};

} // namespace

TypeId
EqaPointScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = EqaPointScenario;
        TypeId type =
            SetSummary(TypeId("ns3::eqa::EqaPointScenario"),
                       "Latency and bandwidth between two processes, with push-pull messaging, "
                       "MPICH or TCP.")
                .SetParent<Scenario>()
                .SetGroupName("Eqa")
                .AddConstructor<EqaPointScenario>()
                .AddAttribute(
                    "Place",
                    "Where the two processes are: on two nodes, or on one [-; section 2].",
                    EnumValue(Place::INTER),
                    MakeEnumAccessor<Place>(&S::m_place),
                    MakeEnumChecker(Place::INTER, "inter", Place::INTRA, "intra"))
                .AddAttribute("System",
                              "What carries their messages; inside a node only push-pull messaging "
                              "[-; section 2].",
                              EnumValue(PointSystem::PUSH_PULL),
                              MakeEnumAccessor<PointSystem>(&S::m_system),
                              MakeEnumChecker(PointSystem::PUSH_PULL,
                                              "pushpull",
                                              PointSystem::MPICH,
                                              "mpich",
                                              PointSystem::TCP,
                                              "tcp"))
                .AddAttribute("Size",
                              "Size of a message [bytes; section 2].",
                              UintegerValue(8),
                              MakeUintegerAccessor(&S::m_size),
                              MakeUintegerChecker<uint32_t>(0, 1 << 20))
                .AddAttribute("Iterations",
                              "Round trips, and messages of the stream; the mean is taken of the "
                              "middle 80 % [-; section 4].",
                              UintegerValue(500),
                              MakeUintegerAccessor(&S::m_iterations),
                              MakeUintegerChecker<uint32_t>(1, 100000))
                .AddAttribute("StreamWindow",
                              "Messages of the stream under way at most [messages; default].",
                              UintegerValue(16),
                              MakeUintegerAccessor(&S::m_window),
                              MakeUintegerChecker<uint32_t>(1, 64))
                .AddAttribute("Late",
                              "By how much later than the send the receive of a round trip is "
                              "posted; 0 for before it [s; default].",
                              TimeValue(Time(0)),
                              MakeTimeAccessor(&S::m_late),
                              MakeTimeChecker(Time(0)))
                .AddAttribute("IntraTransmitTime",
                              "TransmitTime for a part of a message inside a node [s; calibrated "
                              "with 7.5 us, section 2].",
                              TimeValue(NanoSeconds(887)),
                              MakeTimeAccessor(&S::m_intraTransmit),
                              MakeTimeChecker(Time(0)))
                .AddAttribute("IntraHandleTime",
                              "HandleTime for a part of a message inside a node [s; calibrated "
                              "with 7.5 us, section 2].",
                              TimeValue(NanoSeconds(600)),
                              MakeTimeAccessor(&S::m_intraHandle),
                              MakeTimeChecker(Time(0)))
                .AddAttribute("IntraCopyRate",
                              "Bandwidth of a copy inside a node, in its caches [bit/s; calibrated "
                              "with 350.9 MB/s, section 2].",
                              DataRateValue(DataRate("4170Mbps")),
                              MakeDataRateAccessor(&S::m_intraCopyRate),
                              MakeDataRateChecker())
                .AddAttribute("Latency",
                              "Half of a round trip, mean [us; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_latency),
                              MakeDoubleChecker<double>())
                .AddAttribute("Bandwidth",
                              "Of the stream; MB are 10^6 bytes [MB/s; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_bandwidth),
                              MakeDoubleChecker<double>())
                .AddAttribute("Delivered",
                              "Messages delivered [messages; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_delivered),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute("Buffered",
                              "Packets that went through a pushed buffer [packets; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_copied),
                              MakeUintegerChecker<uint64_t>());
        messaging::ForwardAttributes(type,
                                     EqaCluster::GetTypeId(),
                                     [](const ObjectBase* owner) -> Ptr<Object> {
                                         return static_cast<const S*>(owner)->m_cluster;
                                     });
        messaging::ForwardAttributes(
            type,
            EqaGroup::GetTypeId(),
            [](const ObjectBase* owner) -> Ptr<Object> {
                return static_cast<const S*>(owner)->m_protocol;
            },
            {"Broadcast", "Chosen", "RotateChosen", "ConfirmAll", "SendCopy", "Interrupts"});
        messaging::ForwardAttributes(type,
                                     P4Group::GetTypeId(),
                                     [](const ObjectBase* owner) -> Ptr<Object> {
                                         return static_cast<const S*>(owner)->m_p4;
                                     });
        return type;
    }();
    return tid;
}

EqaPointScenario::EqaPointScenario()
    : m_cluster(CreateObject<EqaCluster>()),
      m_protocol(CreateObject<ParameterGroup>()),
      m_p4(CreateObject<P4Group>())
{
}

EqaPointScenario::~EqaPointScenario() = default;

void
EqaPointScenario::DoDispose()
{
    m_cluster = nullptr;
    m_protocol = nullptr;
    m_p4 = nullptr;
    Scenario::DoDispose();
}

std::string
EqaPointScenario::Check() const
{
    if (m_place == Place::INTRA && m_system != PointSystem::PUSH_PULL)
    {
        return "Inside a node only push-pull messaging is known: Place=intra needs "
               "System=pushpull.";
    }
    const std::string network = m_cluster->Check();
    return network.empty() ? m_protocol->Check(FRAME_ROOM) : network;
}

void
EqaPointScenario::DoRun()
{
    NS_LOG_FUNCTION(this);
    const bool intra = m_place == Place::INTRA;
    const bool sockets = m_system != PointSystem::PUSH_PULL;
    DoubleValue ratio;
    m_protocol->GetAttribute("CpuRatio", ratio);
    const auto cluster = CreateObject<EqaCluster>();
    messaging::CopyAttributes(m_cluster, cluster);
    if (!sockets)
    {
        cluster->SetAttribute("Cpus", UintegerValue(SERVER_CPUS));
    }
    if (intra)
    {
        cluster->SetAttribute("CopyRate", DataRateValue(m_intraCopyRate));
    }
    cluster->Build(intra ? 1 : 2, sockets ? 1 : ratio.Get());

    const auto clock = CreateObject<TickClock>();
    const auto audit = CreateObject<messaging::DeliveryAudit>();
    audit->SetAttribute("Ordered", BooleanValue(true));
    Ptr<EqaGroup> eqa;
    Ptr<messaging::MessageGroup> group;
    if (sockets)
    {
        group = cluster->InstallSockets();
        if (m_system == PointSystem::MPICH)
        {
            const auto p4 = CreateObject<P4Group>();
            messaging::CopyAttributes(m_p4, p4);
            p4->Connect(group, cluster->GetHosts());
            group = p4;
        }
    }
    else if (intra)
    {
        const auto port = CreateObject<LoopbackPort>();
        port->SetAttribute("Mtu", UintegerValue(1 << 20));
        port->SetAttribute("Latency", UintegerValue(1));
        port->Connect(clock, 2);
        const auto inside = CreateObject<EqaPortGroup<LoopbackPort>>();
        m_protocol->CopyTo(inside);
        // Cross-Space Zero Buffer: parts are copied from space to space, whatever their size.
        inside->SetAttribute("MaxPayload", UintegerValue(65536));
        inside->SetAttribute("SendCopy", BooleanValue(false));
        inside->SetAttribute("Interrupts", BooleanValue(false));
        inside->SetAttribute("TransmitTime", TimeValue(m_intraTransmit));
        inside->SetAttribute("HandleTime", TimeValue(m_intraHandle));
        const auto host = cluster->GetHosts().front();
        inside->Connect(clock, port, {host, host});
        group = inside;
        eqa = inside;
    }
    else
    {
        const auto port = CreateObject<NetDevicePort>();
        port->Connect(clock, cluster->GetDevices());
        const auto between = CreateObject<EqaPortGroup<NetDevicePort>>();
        m_protocol->CopyTo(between);
        between->Connect(clock, port, cluster->GetHosts());
        group = between;
        eqa = between;
    }
    audit->SetGroup(group);
    {
        PointSession session(audit, eqa, m_size, m_iterations, m_window, m_late);
        session.Start();
        Simulator::Stop(Seconds(LIMIT));
        Simulator::Run();
        m_latency = session.GetLatency();
        m_bandwidth = session.GetBandwidth();
        m_delivered = audit->GetCounts().delivered;
        m_copied = eqa ? eqa->GetEventCount(Event::BUFFERED) : 0;
        if (!audit->Finish(session.IsFinished()))
        {
            SetVerdict(Verdict::VIOLATED, audit->GetFirstViolation());
        }
        else if (!session.IsFinished())
        {
            SetVerdict(Verdict::DEADLOCK,
                       std::to_string(m_delivered) + " messages had been delivered after " +
                           std::to_string(LIMIT) + " s.");
        }
    }
    audit->Dispose();
    group->Dispose();
    Simulator::Destroy();
    cluster->Dispose();
}

} // namespace eqa
} // namespace ns3
