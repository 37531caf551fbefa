/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "broadcast-ethernet-load-scenario.h"

#include "ns3/double.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-scenario-results.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <vector>

namespace ns3
{
namespace ethernet
{

NS_OBJECT_ENSURE_REGISTERED(EthernetLoadScenario);

namespace
{

/** Random stream of the segment. */
constexpr int64_t SEGMENT_STREAM = 10;

/** Random stream of the first station; each has two. */
constexpr int64_t STATION_STREAM = 20;

/** What has been measured at all stations together. */
struct Measurement
{
    std::vector<double> delays;   ///< From arrival to end [us].
    std::vector<double> accesses; ///< From turn to end [us].
    uint32_t last{~0U};           ///< Who has sent the last frame.
    uint64_t runs{0};             ///< How often another one sent than the last.
    bool running{false};          ///< Whether the measurement is on.
};

/** A station that offers load. */
class LoadStation : public MediumUser
{
  public:
    /**
     * Construct.
     * @param segment the segment
     * @param bytes length of frames
     * @param shortShare share of frames of the shortest length
     * @param interval mean time between two frames; zero for always having one
     * @param ring frames that may wait
     * @param hostGap time from the end of a frame until the next can be sent
     * @param measurement of all stations
     */
    LoadStation(Ptr<EthernetSegment> segment,
                uint32_t bytes,
                double shortShare,
                Time interval,
                uint32_t ring,
                Time hostGap,
                Measurement& measurement)
        : m_segment(segment),
          m_measurement(measurement),
          m_interval(interval),
          m_hostGap(hostGap),
          m_shortShare(shortShare),
          m_ring(ring),
          m_number(segment->Attach(this, nullptr)),
          m_random(CreateObject<UniformRandomVariable>()),
          m_arrivals(CreateObject<ExponentialRandomVariable>())
    {
        m_random->SetStream(STATION_STREAM + 2 * m_number);
        m_arrivals->SetStream(STATION_STREAM + 2 * m_number + 1);
        m_long = Create<WireFrame>(Mac48Address("ff:ff:ff:ff:ff:fe"), Mac48Address(), 0, bytes);
        m_short = Create<WireFrame>(m_long->GetTo(), Mac48Address(), 0, MIN_FRAME_BYTES);
        // Not all at once: that would be a pile-up such as no saturated network begins with.
        const Time first =
            interval.IsZero() ? MilliSeconds(1) * m_random->GetValue() : DrawArrival();
        Simulator::Schedule(first, &LoadStation::OnArrival, this);
    }

    LoadStation(const LoadStation&) = delete;
    LoadStation& operator=(const LoadStation&) = delete;

    void OnTransmitBegin(uint32_t /* attempt */) override
    {
    }

    void OnCollision(uint32_t /* attempt */) override
    {
        collisions += m_measurement.running;
    }

    bool Wants(const WireFrame& /* frame */) const override
    {
        return false;
    }

    void OnReceive(Ptr<const WireFrame> /* frame */, bool /* damaged */) override
    {
    }

    void OnTransmitEnd(TxOutcome outcome) override
    {
        const Time now = Simulator::Now();
        if (m_measurement.running && outcome == TxOutcome::SENT)
        {
            ++sent;
            bits += 8.0 * m_current->GetBytes();
            const double access = (now - m_turn).ToDouble(Time::US);
            accessSum += access;
            m_measurement.accesses.push_back(access);
            m_measurement.delays.push_back((now - m_waiting.front()).ToDouble(Time::US));
            m_measurement.runs += m_measurement.last != m_number;
            m_measurement.last = m_number;
        }
        else if (m_measurement.running)
        {
            ++lost;
        }
        m_waiting.pop_front();
        if (m_hostGap.IsZero())
        {
            BecomeReady();
        }
        else
        {
            m_resting = true;
            Simulator::Schedule(m_hostGap, &LoadStation::BecomeReady, this);
        }
    }

    uint64_t sent{0};       ///< Frames sent.
    uint64_t lost{0};       ///< Frames given up.
    uint64_t arrived{0};    ///< Frames that have arrived.
    uint64_t refused{0};    ///< Those that found the ring full.
    uint64_t collisions{0}; ///< Attempts that collided.
    double bits{0};         ///< Bits of the frames sent.
    double accessSum{0};    ///< Sum of access delays [us].

  private:
    /** @return the time until the next frame arrives. */
    Time DrawArrival()
    {
        return NanoSeconds(
            static_cast<int64_t>(m_arrivals->GetValue(m_interval.ToDouble(Time::NS), 0)));
    }

    /** The station can send again. */
    void BecomeReady()
    {
        m_resting = false;
        if (m_interval.IsZero())
        {
            m_waiting.push_back(Simulator::Now());
        }
        if (!m_waiting.empty())
        {
            Transmit();
        }
    }

    /** A frame arrives at the station. */
    void OnArrival()
    {
        if (!m_interval.IsZero())
        {
            Simulator::Schedule(DrawArrival(), &LoadStation::OnArrival, this);
        }
        arrived += m_measurement.running;
        if (m_waiting.size() > m_ring)
        {
            refused += m_measurement.running;
            return;
        }
        m_waiting.push_back(Simulator::Now());
        if (m_waiting.size() == 1 && !m_resting)
        {
            Transmit();
        }
    }

    /** Give the next frame to the segment. */
    void Transmit()
    {
        m_turn = Simulator::Now();
        m_current = m_shortShare > 0 && m_random->GetValue() < m_shortShare ? m_short : m_long;
        m_segment->Transmit(m_number, m_current);
    }

    Ptr<EthernetSegment> m_segment;            ///< The segment.
    Measurement& m_measurement;                ///< Of all stations.
    Time m_interval;                           ///< Mean time between frames.
    Time m_hostGap;                            ///< Time from the end of a frame to the next.
    double m_shortShare;                       ///< Share of short frames.
    uint32_t m_ring;                           ///< Frames that may wait.
    uint32_t m_number;                         ///< Number on the segment.
    Ptr<UniformRandomVariable> m_random;       ///< Draws lengths and the beginning.
    Ptr<ExponentialRandomVariable> m_arrivals; ///< Draws times between arrivals.
    Ptr<const WireFrame> m_long;               ///< A frame of the given length.
    Ptr<const WireFrame> m_short;              ///< One of the shortest length.
    Ptr<const WireFrame> m_current;            ///< The frame that the segment has.
    std::deque<Time> m_waiting;                ///< When frames arrived; the first is sent.
    Time m_turn;                               ///< When the first had its turn.
    bool m_resting{false};                     ///< The host gap is going on.
};

/**
 * Get a quantile.
 * @param sorted values in order
 * @param share share of values below it
 * @return the quantile; 0 of no values
 */
double
GetQuantile(const std::vector<double>& sorted, double share)
{
    if (sorted.empty())
    {
        return 0;
    }
    const auto place = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
    return sorted[std::min(place, sorted.size() - 1)];
}

/**
 * Get a mean.
 * @param values the values
 * @return their mean; 0 of no values
 */
double
GetMean(const std::vector<double>& values)
{
    return values.empty() ? 0
                          : std::accumulate(values.begin(), values.end(), 0.0) /
                                static_cast<double>(values.size());
}

/**
 * Divide.
 * @param part a number
 * @param whole another
 * @return their quotient; 0 if the other is 0
 */
double
Divide(double part, double whole)
{
    return whole == 0 ? 0 : part / whole;
}

} // namespace

TypeId
EthernetLoadScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = EthernetLoadScenario;
        const auto real = MakeDoubleChecker<double>();
        TypeId type =
            SetSummary(TypeId("ns3::ethernet::EthernetLoadScenario"),
                       "A shared Ethernet segment under a load: use, delays, collisions, losses, "
                       "fairness.")
                .SetParent<Scenario>()
                .SetGroupName("BroadcastEthernet")
                .AddConstructor<S>()
                .AddAttribute("Stations",
                              "Number of stations [stations; default].",
                              UintegerValue(24),
                              MakeUintegerAccessor(&S::m_stations),
                              MakeUintegerChecker<uint32_t>(1, 1024))
                .AddAttribute("FrameBytes",
                              "Length of frames, header and FCS included [bytes; IEEE "
                              "802.3, 4.4.2].",
                              UintegerValue(MAX_FRAME_BYTES),
                              MakeUintegerAccessor(&S::m_bytes),
                              MakeUintegerChecker<uint32_t>(MIN_FRAME_BYTES, MAX_FRAME_BYTES))
                .AddAttribute("ShortShare",
                              "Share of frames that have the shortest length instead "
                              "[fraction; default].",
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_shortShare),
                              MakeDoubleChecker<double>(0, 1))
                .AddAttribute("Load",
                              "Load offered by all stations together, header to FCS, in "
                              "Poisson streams; 0 for stations that always have a frame "
                              "[fraction; default].",
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_load),
                              MakeDoubleChecker<double>(0, 100))
                .AddAttribute("Ring",
                              "Frames that may wait at a station, beside the one that "
                              "has its turn [frames; default].",
                              UintegerValue(16),
                              MakeUintegerAccessor(&S::m_ring),
                              MakeUintegerChecker<uint32_t>(0, 1000000))
                .AddAttribute("HostGap",
                              "Time that a host needs from the end of a frame until it has the "
                              "next one ready [time; default].",
                              TimeValue(Time(0)),
                              MakeTimeAccessor(&S::m_hostGap),
                              MakeTimeChecker(Time(0)))
                .AddAttribute("WarmUp",
                              "Time before the measurement [time; default].",
                              TimeValue(MilliSeconds(200)),
                              MakeTimeAccessor(&S::m_warmUp),
                              MakeTimeChecker(Time(0), Hours(24)))
                .AddAttribute("Duration",
                              "Time of the measurement [time; default].",
                              TimeValue(Seconds(10)),
                              MakeTimeAccessor(&S::m_duration),
                              MakeTimeChecker(MilliSeconds(1), Hours(24)));
        messaging::ScenarioResults results(type);
        results.AddReal("Utilization",
                        "Share of the data rate in frames sent, header to FCS [fraction; result].",
                        &S::m_utilization);
        results.AddReal("Occupancy",
                        "The same with preambles and interframe gaps [fraction; result].",
                        &S::m_occupancy);
        results.AddReal(
            "MetcalfeBoggs",
            "Occupancy of a saturated segment by the formula of Metcalfe and Boggs [fraction; "
            "result].",
            &S::m_metcalfeBoggs);
        results.AddReal("FrameRate", "Frames sent [1/s; result].", &S::m_frameRate);
        results.AddReal(
            "MeanDelay",
            "From a frame's arrival at its station to its end on the wire [us; result].",
            &S::m_meanDelay);
        results.AddReal("MeanAccess",
                        "From a frame's turn at its station to its end on the wire [us; result].",
                        &S::m_meanAccess);
        results.AddReal("AccessDeviation",
                        "Standard deviation of that time [us; result].",
                        &S::m_accessDeviation);
        results.AddReal("CollisionsPerFrame",
                        "Attempts that collided, for each frame sent [attempts; result].",
                        &S::m_collisionsPerFrame);
        results.AddReal("Loss",
                        "Share of frames given up after collisions [fraction; result].",
                        &S::m_loss);
        results.AddReal("RingLoss",
                        "Share of frames that found the ring full [fraction; result].",
                        &S::m_ringLoss);
        results.AddReal("Fairness",
                        "Jain's index of the frames sent by each station [fraction; result].",
                        &S::m_fairness);
        results.AddReal("MeanRun",
                        "Frames that a station sends before another one sends [frames; result].",
                        &S::m_meanRun);
        results.AddReal("EventsPerFrame",
                        "Simulator events of the segment, for each frame sent [events; result].",
                        &S::m_eventsPerFrame);
        type.AddAttribute("Frames",
                          "Frames sent [frames; result].",
                          TypeId::ATTR_GET,
                          UintegerValue(0),
                          MakeUintegerAccessor(&S::m_frames),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("LateCollisions",
                          "Collisions past the collision window [collisions; result].",
                          TypeId::ATTR_GET,
                          UintegerValue(0),
                          MakeUintegerAccessor(&S::m_lateCollisions),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("PerStation",
                          "What each station has done [table; result].",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&S::m_perStation),
                          MakePointerChecker<messaging::Table>())
            .AddAttribute("Attempts",
                          "Frames sent, by the attempts that they needed, and those given up "
                          "[table; result].",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&S::m_attempts),
                          MakePointerChecker<messaging::Table>())
            .AddAttribute("Delays",
                          "Quantiles of delay and access time [table; result].",
                          TypeId::ATTR_GET,
                          PointerValue(),
                          MakePointerAccessor(&S::m_delays),
                          MakePointerChecker<messaging::Table>());
        messaging::ForwardAttributes(type,
                                     EthernetSegment::GetTypeId(),
                                     [](const ObjectBase* owner) -> Ptr<Object> {
                                         return static_cast<const S*>(owner)->m_segment;
                                     });
        return type;
    }();
    return tid;
}

EthernetLoadScenario::EthernetLoadScenario()
    : m_segment(CreateObject<EthernetSegment>())
{
}

EthernetLoadScenario::~EthernetLoadScenario() = default;

void
EthernetLoadScenario::DoDispose()
{
    m_segment = nullptr;
    m_perStation = nullptr;
    m_attempts = nullptr;
    m_delays = nullptr;
    Scenario::DoDispose();
}

std::string
EthernetLoadScenario::Check() const
{
    if (m_segment->GetDataRate(0) < DataRate("1Mbps") ||
        m_segment->GetDataRate(0) > DataRate("100Mbps"))
    {
        return "DataRate has to be from 1Mbps to 100Mbps: faster Ethernet has no collisions here.";
    }
    return "";
}

double
EthernetLoadScenario::GetMeanBits() const
{
    return 8 * (m_bytes * (1 - m_shortShare) + MIN_FRAME_BYTES * m_shortShare);
}

double
EthernetLoadScenario::GetMeanWireBits() const
{
    return GetMeanBits() + PREAMBLE_BITS + GAP_BITS;
}

void
EthernetLoadScenario::DoRun()
{
    const auto segment = CreateObject<EthernetSegment>();
    messaging::CopyAttributes(m_segment, segment);
    segment->AssignStreams(SEGMENT_STREAM);
    const double rate = static_cast<double>(segment->GetDataRate(0).GetBitRate());
    const Time interval =
        m_load > 0 ? Seconds(GetMeanBits() * m_stations / (m_load * rate)) : Time(0);
    Measurement measurement;
    std::deque<LoadStation> stations;
    for (uint32_t n = 0; n < m_stations; ++n)
    {
        stations
            .emplace_back(segment, m_bytes, m_shortShare, interval, m_ring, m_hostGap, measurement);
    }
    EthernetSegment::Counters before;
    Simulator::Schedule(m_warmUp, [&] {
        measurement.running = true;
        before = segment->GetCounters();
    });
    const Time end = m_warmUp + m_duration;
    constexpr int parts = 100;
    for (int part = 1; part <= parts; ++part)
    {
        Simulator::Schedule(end * part / parts, [this, part, seconds = end.GetSeconds()] {
            ReportProgress(seconds * part / parts, seconds, "s");
        });
    }
    Simulator::Stop(end);
    Simulator::Run();

    const EthernetSegment::Counters& after = segment->GetCounters();
    const double seconds = m_duration.GetSeconds();
    std::vector<int64_t> sent;
    std::vector<int64_t> lost;
    std::vector<int64_t> refused;
    std::vector<double> collisions;
    std::vector<double> access;
    double bits = 0;
    double squares = 0;
    double arrived = 0;
    for (const LoadStation& station : stations)
    {
        const auto count = static_cast<double>(station.sent);
        bits += station.bits;
        squares += count * count;
        arrived += static_cast<double>(station.arrived);
        m_frames += station.sent;
        sent.push_back(static_cast<int64_t>(station.sent));
        lost.push_back(static_cast<int64_t>(station.lost));
        refused.push_back(static_cast<int64_t>(station.refused));
        collisions.push_back(Divide(static_cast<double>(station.collisions), count));
        access.push_back(Divide(station.accessSum, count));
    }
    const auto total = [](const auto& values) {
        return static_cast<double>(std::accumulate(values.begin(), values.end(), int64_t{0}));
    };
    const auto frames = static_cast<double>(m_frames);
    m_utilization = bits / (seconds * rate);
    m_occupancy = (bits + frames * (PREAMBLE_BITS + GAP_BITS)) / (seconds * rate);
    m_frameRate = frames / seconds;
    m_collisionsPerFrame = Divide(static_cast<double>(after.collided - before.collided), frames);
    m_loss = Divide(total(lost), frames + total(lost));
    m_ringLoss = Divide(total(refused), arrived);
    m_fairness = Divide(frames * frames, m_stations * squares);
    m_meanRun = Divide(frames, static_cast<double>(measurement.runs));
    m_lateCollisions = after.lateCollisions - before.lateCollisions;
    m_eventsPerFrame = Divide(static_cast<double>(after.events - before.events), frames);
    m_meanDelay = GetMean(measurement.delays);
    m_meanAccess = GetMean(measurement.accesses);
    double variance = 0;
    for (const double value : measurement.accesses)
    {
        variance += (value - m_meanAccess) * (value - m_meanAccess);
    }
    m_accessDeviation = std::sqrt(Divide(variance, frames));

    // A = (1 - 1/Q)^(Q-1), W = (1 - A)/A, efficiency (P/C)/(P/C + W T): Metcalfe and Boggs, 1976.
    const double stationCount = m_stations;
    const double acquisition = std::pow(1 - 1 / stationCount, stationCount - 1);
    const double wait = m_stations == 1 ? 0 : (1 - acquisition) / acquisition;
    const double frameTime = GetMeanWireBits() / rate;
    m_metcalfeBoggs = frameTime / (frameTime + wait * segment->GetSlotTime().GetSeconds());

    std::vector<int64_t> numbers(m_stations);
    std::iota(numbers.begin(), numbers.end(), 0);
    m_perStation = CreateObject<messaging::Table>();
    m_perStation->AddColumn("station", "", std::move(numbers));
    m_perStation->AddColumn("sent", "frames", std::move(sent));
    m_perStation->AddColumn("lost", "frames", std::move(lost));
    m_perStation->AddColumn("refused", "frames", std::move(refused));
    m_perStation->AddColumn("collisions", "attempts/frame", std::move(collisions));
    m_perStation->AddColumn("access", "us", std::move(access));

    std::vector<int64_t> attempts;
    std::vector<double> shares;
    for (std::size_t n = 1; n < after.sentAfter.size(); ++n)
    {
        const uint64_t earlier = n < before.sentAfter.size() ? before.sentAfter[n] : 0;
        attempts.push_back(static_cast<int64_t>(n));
        shares.push_back(Divide(static_cast<double>(after.sentAfter[n] - earlier), frames));
    }
    m_attempts = CreateObject<messaging::Table>();
    m_attempts->AddColumn("attempts", "", std::move(attempts));
    m_attempts->AddColumn("frames", "fraction", std::move(shares));

    std::sort(measurement.delays.begin(), measurement.delays.end());
    std::sort(measurement.accesses.begin(), measurement.accesses.end());
    std::vector<double> quantiles{0.1, 0.5, 0.9, 0.99, 0.999, 1};
    std::vector<double> delay;
    std::vector<double> accesses;
    for (const double quantile : quantiles)
    {
        delay.push_back(GetQuantile(measurement.delays, quantile));
        accesses.push_back(GetQuantile(measurement.accesses, quantile));
    }
    m_delays = CreateObject<messaging::Table>();
    m_delays->AddColumn("quantile", "fraction", std::move(quantiles));
    m_delays->AddColumn("delay", "us", std::move(delay));
    m_delays->AddColumn("access", "us", std::move(accesses));
}

} // namespace ethernet
} // namespace ns3
