/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eqa-point-scenario.h"

#include "ns3/eqa-session.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-log-component.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/messaging-scenario-recorder.h"
#include "ns3/simulator.h"

#include <vector>

namespace ns3
{
namespace eqa
{

[[maybe_unused]] static const LogComponent& g_log =
    messaging::GetLogComponent("EqaPointScenario", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(EqaPointScenario);

using messaging::Acceptance;
using messaging::Delivery;
using messaging::LoopbackPort;
using messaging::NetDevicePort;
using messaging::Peer;
using messaging::TickClock;
using messaging::Verdict;

namespace
{

/** Limit of the simulated time [s]. */
constexpr int64_t POINT_LIMIT = 600;

/** Maximum number of messages of the stream in flight. */
constexpr uint32_t WINDOW = 16;

/** CPU time to send a part of a message inside a node (calibrated with 7.5 us, section 2). */
const Time INTRA_TRANSMIT = NanoSeconds(887);

/** CPU time of the handler for a part of a message inside a node (calibrated with 7.5 us). */
const Time INTRA_HANDLE = NanoSeconds(600);

/** Bandwidth of a copy inside a node, in its caches (calibrated with 350.9 MB/s, section 2). */
const DataRate INTRA_COPY_RATE("4170Mbps");

/** Largest part of a message inside a node [bytes]. */
constexpr uint32_t INTRA_MTU = 1 << 20;

/** CPUs of a server of section 2: a quad Pentium Pro. */
constexpr uint32_t SERVER_CPUS = 4;

/** Idle time before the stream, for the last acknowledgement of the round trips [ms]. */
constexpr int64_t REST_MS = 50;

/** Session of round trips, followed by a stream. */
class PointSession : private messaging::GroupUser
{
  public:
    /**
     * Constructor.
     * @param group the group that carries messages
     * @param eqa the group for posting receives, or null
     * @param bytes size of a message [bytes]
     * @param rounds number of round trips, and of messages of the stream
     */
    PointSession(Ptr<messaging::MessageGroup> group,
                 Ptr<EqaGroup> eqa,
                 uint32_t bytes,
                 uint32_t rounds)
        : m_group(group),
          m_eqa(eqa),
          m_bytes(bytes),
          m_rounds(rounds)
    {
        m_group->SetUser(this);
    }

    ~PointSession() override
    {
        m_group->SetUser(nullptr);
    }

    PointSession(const PointSession&) = delete;
    PointSession& operator=(const PointSession&) = delete;

    /** Schedule the first round trip. */
    void Start()
    {
        Receive(1, 0);
        Simulator::Schedule(MilliSeconds(1), &PointSession::Ping, this);
    }

    /** @return true if all messages were delivered and completed. */
    bool IsFinished() const
    {
        return m_delivered == m_rounds && m_ended == 3 * uint64_t{m_rounds};
    }

    /** @return the mean latency [us]. */
    double GetLatency() const
    {
        return GetMiddleMean(m_latencies);
    }

    /** @return the bandwidth of the stream [MB/s]. */
    double GetBandwidth() const
    {
        const double time = (m_end - m_begin).GetSeconds();
        if (time <= 0)
        {
            return 0;
        }
        return uint64_t{m_bytes} * m_delivered / time / 1e6;
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
        return m_group->Post(self, {.id = ++m_ids, .to = 1 - self, .bytes = m_bytes});
    }

    /** Begin a round trip. */
    void Ping()
    {
        m_start = Simulator::Now();
        Send(0);
        Receive(0, 1);
    }

    /** Post messages of the stream until the window is full. */
    void Stream()
    {
        while (m_posted < m_rounds && m_posted - m_delivered < WINDOW &&
               Send(0) == Acceptance::ACCEPTED)
        {
            ++m_posted;
        }
    }

    /** Begin the stream. */
    void StartStream()
    {
        for (uint32_t i = 1; i < WINDOW; ++i)
        {
            Receive(1, 0);
        }
        m_begin = Simulator::Now();
        Stream();
    }

    void OnDeliver(Peer self, const Delivery&) override
    {
        if (m_latencies.size() < m_rounds && self == 1)
        {
            Send(1);
            Receive(1, 0);
        }
        else if (m_latencies.size() < m_rounds)
        {
            m_latencies.push_back((Simulator::Now() - m_start).GetNanoSeconds() / 2e3);
            const bool last = m_latencies.size() == m_rounds;
            NS_LOG_INFO("Round trip " << m_latencies.size() << " ends; half of it is "
                                      << m_latencies.back() << " us");
            if (last)
            {
                Simulator::Schedule(MilliSeconds(REST_MS), &PointSession::StartStream, this);
            }
            else
            {
                Simulator::Schedule(MilliSeconds(1), &PointSession::Ping, this);
            }
        }
        else
        {
            m_end = Simulator::Now();
            ++m_delivered;
            NS_LOG_INFO("Message " << m_delivered << " of the stream has arrived");
            Receive(1, 0);
            Stream();
        }
    }

    void OnComplete(Peer, messaging::RequestId, messaging::Completion completion) override
    {
        if (!m_group->IsFinal(completion))
        {
            return;
        }
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

    Ptr<messaging::MessageGroup> m_group; ///< Carries messages.
    Ptr<EqaGroup> m_eqa;                  ///< Group for posting receives; may be null.
    std::vector<double> m_latencies;      ///< Half of each round trip [us].
    Time m_start;                         ///< Start of the round trip.
    Time m_begin;                         ///< Start of the stream.
    Time m_end;                           ///< End of the stream.
    uint64_t m_ids{0};                    ///< Identifier of the last request.
    uint64_t m_ended{0};                  ///< Number of completed messages.
    uint32_t m_bytes;                     ///< Size of a message [bytes].
    uint32_t m_rounds;                    ///< Round trips, and messages of the stream.
    uint32_t m_posted{0};                 ///< Posted messages of the stream.
    uint32_t m_delivered{0};              ///< Delivered messages of the stream.
};

} // namespace

TypeId
EqaPointScenario::GetTypeId()
{
    using S = EqaPointScenario;
    static TypeId tid =
        messaging::Attributes<S>(
            messaging::SetSummary(TypeId("ns3::eqa::EqaPointScenario"),
                                  "Latency and bandwidth between two processes, with push-pull "
                                  "messaging, MPICH or TCP.")
                .SetParent<Scenario>()
                .SetGroupName("Eqa")
                .AddConstructor<EqaPointScenario>())
            .AddAttribute("Place",
                          "Location of the two processes: on two nodes, or on one [-; section 2].",
                          &S::m_place,
                          Place::INTER,
                          {{Place::INTER, "inter"}, {Place::INTRA, "intra"}})
            .AddAttribute("System",
                          "Communication system; inside a node only push-pull messaging [-; "
                          "section 2].",
                          &S::m_system,
                          PointSystem::PUSH_PULL,
                          {{PointSystem::PUSH_PULL, "pushpull"},
                           {PointSystem::MPICH, "mpich"},
                           {PointSystem::TCP, "tcp"}})
            .AddAttribute("Size",
                          "Size of a message [bytes; section 2].",
                          &S::m_size,
                          8,
                          0,
                          MAX_MESSAGE)
            .AddAttribute("Rounds",
                          "Round trips, and messages of the stream; the mean is taken of the "
                          "middle 80 % [-; section 4].",
                          &S::m_rounds,
                          500,
                          1,
                          100000)
            .AddResult("Latency", "Half of a round trip, mean [us; result].", &S::m_latency)
            .AddResult("Bandwidth",
                       "Bandwidth of the stream; MB are 10^6 bytes [MB/s; result].",
                       &S::m_bandwidth)
            .AddResult("Delivered", "Messages delivered [messages; result].", &S::m_delivered)
            .Forward<&S::m_cluster>(
                {"ConfirmAll", "LightTime", "Locks", "LockTime", "Processes", "Release"});
    return tid;
}

EqaPointScenario::EqaPointScenario()
    : m_cluster(CreateObject<EqaCluster>())
{
}

std::string
EqaPointScenario::Check() const
{
    if (m_place == Place::INTRA && m_system != PointSystem::PUSH_PULL)
    {
        return "Inside a node only push-pull messaging is known: Place=intra needs "
               "System=pushpull.";
    }
    return m_cluster->Check();
}

void
EqaPointScenario::DoRun()
{
    const auto cluster = BuildCluster();
    Ptr<EqaGroup> eqa;
    Ptr<messaging::MessageGroup> group;
    switch (m_system)
    {
    case PointSystem::MPICH:
        group = cluster->InstallP4();
        break;
    case PointSystem::TCP:
        group = cluster->InstallSockets();
        break;
    case PointSystem::PUSH_PULL:
        eqa = ConnectPushPull(*cluster);
        group = eqa;
        break;
    }
    const auto audit = CreateObject<messaging::DeliveryAudit>();
    audit->SetAttribute("Ordered", BooleanValue(true));
    GetRecorder().ObserveGroup(group);
    GetRecorder().ObserveMessages(audit);
    audit->SetGroup(group);
    Measure(audit, eqa);
    audit->Dispose();
    group->Dispose();
    Simulator::Destroy();
}

Ptr<EqaCluster>
EqaPointScenario::BuildCluster() const
{
    const bool pushPull = m_system == PointSystem::PUSH_PULL;
    const auto cluster = CreateObject<EqaCluster>();
    messaging::CopyAttributes(m_cluster, cluster);
    if (pushPull)
    {
        cluster->SetAttribute("Cpus", UintegerValue(SERVER_CPUS));
    }
    uint32_t machines = 2;
    if (m_place == Place::INTRA)
    {
        machines = 1;
        cluster->SetAttribute("CopyRate", DataRateValue(INTRA_COPY_RATE));
    }
    cluster->Build(machines, pushPull);
    return cluster;
}

Ptr<EqaGroup>
EqaPointScenario::ConnectPushPull(const EqaCluster& cluster)
{
    const auto clock = CreateObject<TickClock>();
    const auto eqa = cluster.MakeGroup();
    auto hosts = cluster.GetHosts();
    if (m_place == Place::INTRA)
    {
        const messaging::LoopbackOptions options{.latency = 1, .mtu = INTRA_MTU};
        const auto space = Create<LoopbackPort>(clock, 2, options);
        eqa->SetInsideNode();
        eqa->SetAttribute("TransmitTime", TimeValue(INTRA_TRANSMIT));
        eqa->SetAttribute("HandleTime", TimeValue(INTRA_HANDLE));
        hosts.push_back(hosts.front());
        eqa->Connect(clock, GetRecorder().ObservePort(messaging::MakeAnyPort(space)), hosts, 0);
        return eqa;
    }
    const auto network = CreateObject<NetDevicePort>();
    network->Connect(clock, cluster.GetDevices());
    eqa->Connect(clock,
                 GetRecorder().ObservePort(messaging::MakeAnyPort(network)),
                 hosts,
                 MAX_PACKET);
    return eqa;
}

void
EqaPointScenario::Measure(Ptr<messaging::DeliveryAudit> audit, Ptr<EqaGroup> eqa)
{
    PointSession session(audit, eqa, m_size, m_rounds);
    session.Start();
    bool isCutOff = false;
    Simulator::Schedule(Seconds(POINT_LIMIT), [&isCutOff] {
        isCutOff = !Simulator::IsFinished();
        Simulator::Stop();
    });
    Simulator::Run();
    m_latency = session.GetLatency();
    m_bandwidth = session.GetBandwidth();
    m_delivered = audit->GetCounts().delivered;
    if (!audit->Finish(session.IsFinished()))
    {
        SetVerdict(Verdict::VIOLATED, audit->GetFirstViolation());
    }
    else if (!session.IsFinished())
    {
        Verdict verdict = Verdict::DEADLOCK;
        if (isCutOff)
        {
            verdict = Verdict::UNDECIDED;
        }
        SetVerdict(verdict,
                   std::to_string(m_delivered) + " messages had been delivered after " +
                       std::to_string(POINT_LIMIT) + " s.");
    }
}

} // namespace eqa
} // namespace ns3
