/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-perf-scenario.h"

#include "ns3/infiniband-engine.h"
#include "ns3/infiniband-transport-attribute.h"
#include "ns3/infiniband-verbs.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-log-component.h"
#include "ns3/messaging-row-table.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace ns3
{
namespace infiniband
{

[[maybe_unused]] static const LogComponent& g_log =
    messaging::GetLogComponent("InfinibandPerfScenario", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(InfinibandPerfScenario);

namespace
{

/** First random stream of the engine. */
constexpr int64_t ENGINE_STREAM = 10;

/** Processor time of a post [ns]; part of the calibration, see HcaConfig. */
constexpr Ticks POST_COST = 250;

/** Processor time of a completion [ns]; part of the calibration, see HcaConfig. */
constexpr Ticks POLL_COST = 250;

/** Outstanding messages of a stream [messages; perftest's default]. */
constexpr uint32_t WINDOW = 128;

/** Work requests of each queue; more than the window. */
constexpr uint32_t QUEUE_LENGTH = 1U << 17;

/** Data of a measurement above which FEWEST_MESSAGES suffice [bytes]. */
constexpr uint64_t ENOUGH_BYTES = 1U << 25;

/** Minimum of messages of a measurement. */
constexpr uint64_t FEWEST_MESSAGES = 20;

/** Results for messages of one length. */
struct Point
{
    double bytes{0};     ///< Message length [bytes].
    double latency{0};   ///< Half the time of a ping-pong, or the time of a read [us].
    double idle{0};      ///< Closed form of the latency [us].
    double bandwidth{0}; ///< Bandwidth of a stream [MB/s].
    double rate{0};      ///< Message rate of a stream [1/s].
};

} // namespace

/** Two processes on a fresh network. */
class InfinibandPerfScenario::Measurement : private CqUser, private messaging::TickUser
{
  public:
    /**
     * Construct.
     * @param scenario source of the parameters
     * @param bytes length of the messages [bytes]
     * @param pingPong one message at a time, in alternating directions
     */
    Measurement(const InfinibandPerfScenario& scenario, uint32_t bytes, bool pingPong)
        : m_scenario(scenario),
          m_messages(std::min<uint64_t>(scenario.m_iterations,
                                        std::max(ENOUGH_BYTES / bytes, FEWEST_MESSAGES))),
          m_bytes(bytes),
          m_pingPong(pingPong)
    {
    }

    ~Measurement() override
    {
        Simulator::Destroy();
        m_verbs->Dispose();
        m_clock->Dispose();
    }

    Measurement(const Measurement&) = delete;
    Measurement& operator=(const Measurement&) = delete;

    /** @return the operation of a message; in a ping-pong its arrival has to be a completion. */
    WrOpcode GetOpcode() const
    {
        switch (m_scenario.m_operation)
        {
        case Operation::SEND:
            return WrOpcode::SEND;
        case Operation::READ:
            return WrOpcode::RDMA_READ;
        case Operation::WRITE:
            break;
        }
        return m_pingPong ? WrOpcode::RDMA_WRITE_WITH_IMM : WrOpcode::RDMA_WRITE;
    }

    /**
     * Run.
     * @param verdict set if a message is missing at the end
     * @return an empty text, or one sentence with the reason
     */
    std::string Run(messaging::Verdict& verdict)
    {
        messaging::CopyAttributes(m_scenario.m_engine, m_engine);
        m_engine->AssignStreams(ENGINE_STREAM);
        const std::string error = m_verbs->Open(m_clock, m_engine);
        if (!error.empty())
        {
            return error;
        }
        m_user = m_clock->Register(this);
        const std::array<HostId, 2> places{m_scenario.m_from, m_scenario.m_to};
        for (unsigned side = 0; side < 2; ++side)
        {
            auto& process = m_processes[side];
            process.cq = m_verbs->CreateCq(places[side], this, side);
            process.key = m_verbs->RegMr(places[side], m_bytes, REMOTE_READ | REMOTE_WRITE);
            QpInitAttr attr;
            attr.sendCq = attr.recvCq = process.cq;
            attr.maxSendWr = attr.maxRecvWr = QUEUE_LENGTH;
            attr.transport = m_scenario.m_transport;
            process.qp = m_verbs->CreateQp(places[side], attr);
        }
        m_verbs->ConnectQps(m_processes[0].qp, m_processes[1].qp);
        for (auto& process : m_processes)
        {
            m_verbs->PostRecv(process.qp, {0, m_bytes + GRH_BYTES}, QUEUE_LENGTH);
        }
        for (unsigned side = 0; side < 2; ++side)
        {
            Step(side);
        }
        Simulator::Run();
        if (!m_failure.empty())
        {
            verdict = messaging::Verdict::FAILED;
        }
        else if (m_done < m_messages)
        {
            verdict = messaging::Verdict::DEADLOCK;
            std::ostringstream text;
            text << "Only " << m_done << " of " << m_messages << " messages of " << m_bytes
                 << " bytes came through on " << m_scenario.m_transport
                 << (m_pingPong ? "; the next was lost, and the ping-pong stalled."
                                : "; the others were lost.");
            m_failure = text.str();
        }
        return m_failure;
    }

    /**
     * Complete the results of a message length.
     * @param point the results
     */
    void Fill(Point& point) const
    {
        const double time = static_cast<double>(m_end) / static_cast<double>(m_messages);
        if (m_pingPong)
        {
            const Ticks idle =
                m_engine->GetIdleLatency(m_scenario.m_from, m_scenario.m_to, m_bytes);
            point.latency = time / (m_scenario.m_operation == Operation::READ ? 1000 : 2000);
            point.idle = static_cast<double>(idle) / 1000;
            return;
        }
        point.rate = 1e9 / time;
        point.bandwidth = point.bytes * 1000 / time;
    }

    /** @return the engine. */
    Ptr<Engine> GetEngine() const
    {
        return m_engine;
    }

    /** @return the time until the last message completed [ns]. */
    Ticks GetDuration() const
    {
        return m_end;
    }

  private:
    /** A process. */
    struct Process
    {
        CqNumber cq{0};          ///< Completion queue.
        MemoryKey key{NO_KEY};   ///< Key of the buffer.
        Qpn qp{NO_QP};           ///< Queue pair.
        uint32_t toPost{0};      ///< Pending posts in a ping-pong.
        uint32_t outstanding{0}; ///< Sends posted and not completed.
        uint64_t posted{0};      ///< Sends posted.
    };

    /** Activities of a process. */
    enum Activity : uint64_t
    {
        POSTED, ///< A post.
        POLLED  ///< A completion.
    };

    void OnCompletion(CqNumber /* cq */, uint64_t side) override
    {
        Step(static_cast<unsigned>(side));
    }

    void OnTick(messaging::Peer side, uint64_t activity) override
    {
        if (activity == POSTED)
        {
            Post(side);
        }
        Step(side);
    }

    /**
     * Start the next activity of a process.
     * @param side the process
     */
    void Step(unsigned side)
    {
        auto& process = m_processes[side];
        const Ticks now = m_clock->Now();
        WorkCompletion wc;
        if (m_verbs->PollCq(process.cq, 1, &wc) == 1)
        {
            OnPolled(side, wc, now + POLL_COST);
            m_clock->At(now + POLL_COST, m_user, side, POLLED);
        }
        else if (HasToPost(side))
        {
            m_clock->At(now + POST_COST, m_user, side, POSTED);
        }
        else
        {
            m_verbs->ReqNotifyCq(process.cq);
        }
    }

    /**
     * A process has taken a completion.
     * @param side the process
     * @param wc the completion
     * @param time at which it is processed [ns]
     */
    void OnPolled(unsigned side, const WorkCompletion& wc, Ticks when)
    {
        if (wc.status != WcStatus::SUCCESS)
        {
            // A failed queue pair would flush each new post at once, without end.
            std::ostringstream text;
            text << "A work request of " << m_bytes << " bytes has ended with " << wc.status << ".";
            m_failure = text.str();
            Simulator::Stop();
            return;
        }
        auto& process = m_processes[side];
        process.outstanding -= !wc.received;
        if (wc.received)
        {
            m_verbs->PostRecv(process.qp, {0, m_bytes + GRH_BYTES});
        }
        const bool reads = m_scenario.m_operation == Operation::READ;
        // A message of a ping-pong is complete with its answer; one of a stream at its receiver, or
        // at its sender if the receiver gets no completion.
        const bool through = m_pingPong
                                 ? side == 0 && (wc.received || reads)
                                 : (wc.received == (m_scenario.m_operation == Operation::SEND));
        if (m_pingPong && wc.received && side == 1)
        {
            ++process.toPost;
        }
        if (through)
        {
            ++m_done;
            m_end = when;
        }
    }

    /**
     * @param side a process
     * @return whether it has to post
     */
    bool HasToPost(unsigned side) const
    {
        const auto& process = m_processes[side];
        if (side == 1)
        {
            return process.toPost > 0;
        }
        const bool more = process.posted < m_messages;
        return more && (m_pingPong ? process.posted == m_done : process.outstanding < WINDOW);
    }

    /**
     * Post a message.
     * @param side the process
     */
    void Post(unsigned side)
    {
        auto& process = m_processes[side];
        const bool reads = m_scenario.m_operation == Operation::READ;
        SendWr wr;
        wr.wrId = process.posted++;
        wr.bytes = m_bytes;
        wr.localKey = process.key;
        wr.remoteKey = m_processes[1 - side].key;
        wr.to.host = side == 0 ? m_scenario.m_to : m_scenario.m_from;
        wr.to.qp = m_processes[1 - side].qp;
        wr.opcode = GetOpcode();
        // Completions of sends would only load the processor in a ping-pong.
        if (!m_pingPong || reads)
        {
            wr.flags |= SIGNALED;
            ++process.outstanding;
        }
        if (!reads && m_bytes <= m_engine->GetHcaConfig().inlineLimit)
        {
            wr.flags |= INLINE;
        }
        process.toPost -= process.toPost > 0;
        m_verbs->PostSend(process.qp, wr);
    }

    const InfinibandPerfScenario& m_scenario; ///< Source of the parameters.
    uint64_t m_messages;                      ///< Messages to be sent.
    uint32_t m_bytes;                         ///< Length of the messages [bytes].
    bool m_pingPong;                          ///< One message at a time, in alternating directions.
    Ptr<messaging::TickClock> m_clock = CreateObject<messaging::TickClock>(); ///< Clock.
    Ptr<Verbs> m_verbs = CreateObject<Verbs>();                               ///< Verbs.
    Ptr<Engine> m_engine = CreateObject<Engine>();                            ///< Engine.
    std::array<Process, 2> m_processes; ///< The measuring process, and its partner.
    uint32_t m_user{0};                 ///< User number at the clock.
    std::string m_failure;              ///< Reason of an abort; empty without one.
    uint64_t m_done{0};                 ///< Completed messages.
    Ticks m_end{0};                     ///< Time of the last completed message [ns].
};

TypeId
InfinibandPerfScenario::GetTypeId()
{
    using S = InfinibandPerfScenario;
    static TypeId tid =
        messaging::Attributes<S>(
            AddTransportAttribute(
                messaging::SetSummary(TypeId("ns3::infiniband::InfinibandPerfScenario"),
                                      "Latency, bandwidth and message rate of verbs between two "
                                      "hosts, as perftest does.")
                    .SetParent<AdapterScenario>()
                    .SetGroupName("Infiniband")
                    .AddConstructor<InfinibandPerfScenario>(),
                &S::m_transport,
                Transport::RC))
            .AddAttribute(
                "Operation",
                "Operation of the messages: send, RDMA write or RDMA read [name; section 4.1].",
                &S::m_operation,
                Operation::SEND,
                {{Operation::SEND, "send"}, {Operation::WRITE, "write"}, {Operation::READ, "read"}})
            .AddAttribute("From", "Host that measures [host; default].", &S::m_from, 0)
            .AddAttribute("To", "Peer host [host; default].", &S::m_to, 1)
            .AddAttribute("MinBytes",
                          "Smallest message; each next size is twice as large [bytes; default].",
                          &S::m_minBytes,
                          1,
                          1,
                          1U << 30)
            .AddAttribute("MaxBytes",
                          "Largest message; on UD at most the MTU [bytes; default].",
                          &S::m_maxBytes,
                          1U << 20,
                          1,
                          1U << 30)
            .AddAttribute("Iterations",
                          "Messages of each measurement; fewer for long messages [messages; "
                          "default].",
                          &S::m_iterations,
                          1000,
                          1,
                          1U << 24)
            .AddResult("Latency",
                       "Half the time of a ping-pong of the smallest message; the full time of "
                       "a read [us; result].",
                       &S::m_latency)
            .AddResult("Bandwidth",
                       "Largest bandwidth over all message sizes [MB/s; result].",
                       &S::m_bandwidth)
            .AddResult("MessageRate",
                       "Message rate of the smallest message [1/s; result].",
                       &S::m_messageRate)
            .AddResult("Curve",
                       "A row for each message size: latency, closed form, bandwidth and message "
                       "rate [table; result].",
                       &S::m_curve)
            // A single connection uses a single path.
            .Forward<&S::m_engine>({"Lmc"});
    return tid;
}

InfinibandPerfScenario::InfinibandPerfScenario()
    : m_engine(CreateObject<Engine>())
{
}

std::string
InfinibandPerfScenario::Check() const
{
    if (m_from == m_to)
    {
        return "From and To have to be different hosts.";
    }
    if (m_minBytes > m_maxBytes)
    {
        return "MinBytes must not be greater than MaxBytes.";
    }
    if ((m_operation == Operation::READ && m_transport != Transport::RC) ||
        (m_operation == Operation::WRITE && m_transport == Transport::UD))
    {
        return "RDMA writes need transport RC or UC, and RDMA reads need RC.";
    }
    if (m_transport == Transport::UD && m_minBytes > m_engine->GetLinkConfig().mtu)
    {
        return "UD has no messages longer than the MTU of " +
               std::to_string(m_engine->GetLinkConfig().mtu) + " bytes.";
    }
    std::string error;
    const auto subnet = m_engine->MakeSubnet(0, error);
    if (error.empty() && std::max(m_from, m_to) >= subnet->GetNHosts())
    {
        error = "Hosts " + std::to_string(m_from) + " and " + std::to_string(m_to) +
                " are not both among the " + std::to_string(subnet->GetNHosts()) +
                " of the subnet.";
    }
    return error;
}

void
InfinibandPerfScenario::DoRun()
{
    std::vector<Point> points;
    const uint32_t most = m_transport == Transport::UD
                              ? std::min(m_maxBytes, m_engine->GetLinkConfig().mtu)
                              : m_maxBytes;
    for (uint64_t bytes = m_minBytes; bytes <= most; bytes *= 2)
    {
        Point point{.bytes = static_cast<double>(bytes)};
        for (const bool pingPong : {true, false})
        {
            Measurement measurement(*this, static_cast<uint32_t>(bytes), pingPong);
            auto verdict = messaging::Verdict::ERROR;
            if (const std::string error = measurement.Run(verdict); !error.empty())
            {
                SetVerdict(verdict, error);
                return;
            }
            NS_LOG_INFO((pingPong ? "Ping-pong" : "Stream")
                        << " of messages of " << bytes << " bytes has ended");
            measurement.Fill(point);
            if (!pingPong)
            {
                AddAdapters(*measurement.GetEngine(), measurement.GetDuration());
            }
        }
        m_bandwidth = std::max(m_bandwidth, point.bandwidth);
        points.push_back(point);
        ReportProgress(static_cast<double>(bytes), most, "bytes");
    }
    m_latency = points.front().latency;
    m_messageRate = points.front().rate;
    m_curve =
        messaging::RowTable(points)
            .Add("length", "bytes", [](const Point& p) { return static_cast<int64_t>(p.bytes); })
            .Add("latency", "us", &Point::latency)
            .Add("idle", "us", &Point::idle)
            .Add("bandwidth", "MB/s", &Point::bandwidth)
            .Add("rate", "1/s", &Point::rate)
            .Get();
    TakeAdapterResults();
}

} // namespace infiniband
} // namespace ns3
