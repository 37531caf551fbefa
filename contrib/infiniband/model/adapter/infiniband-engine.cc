/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-engine.h"

#include "ns3/infiniband-link-attributes.h"
#include "ns3/infiniband-subnet.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-idle-attributes.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace infiniband
{

NS_OBJECT_ENSURE_REGISTERED(Engine);

using messaging::Range;

namespace
{

/**
 * @param subnet a subnet, built
 * @return a port of each link between switches
 */
std::vector<PortId>
GetInnerLinks(const Subnet& subnet)
{
    const auto& ports = subnet.GetTopology().GetPorts();
    const auto& vertices = subnet.GetTopology().GetVertices();
    const auto isSwitch = [&](PortId port) {
        return vertices[ports[port].vertex].kind == Topology::Kind::SWITCH;
    };
    std::vector<PortId> links;
    for (PortId port = 0; port < ports.size(); ++port)
    {
        const PortId peer = ports[port].peer;
        if (peer != NO_PORT && port < peer && isSwitch(port) && isSwitch(peer))
        {
            links.push_back(port);
        }
    }
    return links;
}

/** Longest time that an adapter may wait: an hour [ns]. */
constexpr Ticks LONGEST = 3'600'000'000'000;

/** Longest time that an adapter may take for one step: a tenth of a second [ns]. */
constexpr Ticks LONGEST_WORK = 100'000'000;

} // namespace

TypeId
Engine::GetTypeId()
{
    static TypeId tid = [] {
        TypeId type =
            TypeId("ns3::infiniband::Engine").SetParent<Object>().SetGroupName("Infiniband");
        messaging::Attributes<Engine> attributes(type);
        AddLinkAttributes(attributes.In(&Engine::m_link));
        attributes.In(&Engine::m_hca)
            .AddAttribute("WqeFetch",
                          "Read over PCI Express: of a work request, of the begin of data that is "
                          "not inline, of a receive [ns; calibrated to the verbs' latency of RC, "
                          "3.5 to 4.5 us].",
                          &HcaConfig::wqeFetch,
                          Range(Ticks{0}, LONGEST_WORK))
            .AddAttribute("SendProcessing",
                          "Engine time of a message to be sent [ns; calibrated to RC's message "
                          "rate, 0.8 to 1.5 million a second].",
                          &HcaConfig::sendProcessing,
                          Range(Ticks{0}, LONGEST_WORK))
            .AddAttribute("PacketProcessing",
                          "Engine time of each packet, sent or received, and the least gap between "
                          "two packets of a host [ns; calibrated to the bandwidth over SDR, 0.93 "
                          "to 0.97 GB/s].",
                          &HcaConfig::packetProcessing,
                          Range(Ticks{0}, LONGEST_WORK))
            .AddAttribute("ReceiveProcessing",
                          "Engine time of a message that arrives [ns; calibrated to RC's message "
                          "rate, 0.8 to 1.5 million a second].",
                          &HcaConfig::receiveProcessing,
                          Range(Ticks{0}, LONGEST_WORK))
            .AddAttribute("AckProcessing",
                          "Engine time of an ACK of RC, sent or received [ns; that of any packet].",
                          &HcaConfig::ackProcessing,
                          Range(Ticks{0}, LONGEST_WORK))
            .AddAttribute("ContextMiss",
                          "Fetch over PCI Express of a line of a context that is not in the "
                          "adapter's cache [ns; PCI Express round trip, 500 to 1000].",
                          &HcaConfig::contextMiss,
                          Range(Ticks{0}, LONGEST_WORK))
            .AddAttribute("ContextCache",
                          "Lines of contexts that the adapter's cache holds; 0: no line ever "
                          "misses [lines; unknown, to be swept].",
                          &HcaConfig::contextEntries,
                          Range(0U, 1U << 20))
            .AddAttribute("ContextReplacement",
                          "Line that a full cache replaces: the one used least recently, or any "
                          "[name; unknown, to be swept].",
                          &HcaConfig::replacement,
                          {{Replacement::LRU, "LRU"}, {Replacement::RANDOM, "Random"}})
            .AddAttribute("ContextLines",
                          "Lines of a context that RC touches beyond the first: its extended part "
                          "and responder entries [lines; unknown, to be swept].",
                          &HcaConfig::contextLines,
                          Range(0U, 64U))
            .AddAttribute("SharedEngine",
                          "Sends, receives and ACKs share one serial engine of the adapter "
                          "[unknown, to be swept].",
                          &HcaConfig::sharedEngine)
            .AddAttribute("RetryCount",
                          "Repetitions of RC without an answer before it gives up [repetitions; "
                          "MVAPICH].",
                          &HcaConfig::retryCount,
                          Range(0, 7))
            .AddAttribute("RnrRetryCount",
                          "Repetitions of RC to a receiver without a receive; 7: for ever "
                          "[repetitions; MVAPICH].",
                          &HcaConfig::rnrRetryCount,
                          Range(0, 7))
            .AddAttribute("RnrTimeout",
                          "Pause of RC after the receiver had no receive [ns; default].",
                          &HcaConfig::rnrTimeout,
                          Range(Ticks{1000}, LONGEST))
            .AddAttribute("AckTimeout",
                          "Time that RC waits for an answer before it repeats [ns; 4.096 us 2^14].",
                          &HcaConfig::ackTimeout,
                          Range(Ticks{1000}, LONGEST))
            .AddAttribute("AckCoalescing",
                          "Messages that one ACK of RC may acknowledge while it waits for the "
                          "engine; 1: each has its own [messages; default].",
                          &HcaConfig::ackCoalescing,
                          Range(1U, 1024U))
            .AddAttribute("RequestDepth",
                          "Messages of a queue pair of RC that may wait for their ACKs [messages; "
                          "default].",
                          &HcaConfig::requestDepth,
                          Range(1U, 1U << 16))
            .AddAttribute("ReadDepth",
                          "RDMA reads and atomics of a queue pair in flight [requests; driver's "
                          "default].",
                          &HcaConfig::readDepth,
                          Range(1U, 128U));
        attributes
            .AddAttribute("PacketLoss",
                          "Probability that a packet is lost between two hosts [probability; "
                          "default, section 3: minimal].",
                          &Engine::m_packetLoss,
                          0.0,
                          0.0,
                          1.0)
            .AddAttribute("FailedLinks",
                          "Links between switches that fail at FailureTime, evenly spread over all "
                          "of them [links; fault].",
                          &Engine::m_failedLinks,
                          0,
                          0,
                          1U << 20)
            .AddAttribute("FailureTime",
                          "Time at which FailedLinks fail [Time; fault].",
                          &Engine::m_failureTime,
                          MicroSeconds(100))
            .AddAttribute("RepairTime",
                          "Duration of a failure; negative for ever [Time; fault].",
                          &Engine::m_repairTime,
                          MilliSeconds(10))
            .AddAttribute("SweepDelay",
                          "From a change of a link to new forwarding tables; negative for never "
                          "[Time; default].",
                          &Engine::m_sweepDelay,
                          MilliSeconds(1));
        type.AddTraceSource("Work",
                            "An engine of an adapter works: adapter, engine, begin, end.",
                            MakeTraceSourceAccessor(&Engine::m_work),
                            "ns3::infiniband::Engine::WorkTracedCallback");
        type.AddTraceSource("ContextMiss",
                            "Lines of a context are not in the cache of an adapter: adapter, queue "
                            "pair, purpose, number of lines.",
                            MakeTraceSourceAccessor(&Engine::m_contextMiss),
                            "ns3::infiniband::Engine::ContextMissTracedCallback");
        return type;
    }();
    return tid;
}

Engine::Engine() = default;

Engine::~Engine() = default;

uint64_t
Engine::GetNContextTouches() const
{
    uint64_t touches = 0;
    for (HostId host = 0; host < GetNHosts(); ++host)
    {
        touches += GetHcaCounters(host).touches;
    }
    return touches;
}

uint64_t
Engine::GetNContextMisses() const
{
    uint64_t misses = 0;
    for (HostId host = 0; host < GetNHosts(); ++host)
    {
        misses += GetHcaCounters(host).misses;
    }
    return misses;
}

Ticks
Engine::GetEngineTime(HostId host) const
{
    const HcaCounters& counters = GetHcaCounters(host);
    Ticks time = 0;
    for (std::size_t part = 0; part < HcaCounters::N_ENGINES; ++part)
    {
        const Ticks busy = counters.parts[part].busy;
        time = m_hca.sharedEngine ? time + busy : std::max(time, busy);
    }
    return time;
}

std::string
Engine::Check() const
{
    if (std::find(MTUS.begin(), MTUS.end(), m_link.mtu) == MTUS.end())
    {
        std::ostringstream text;
        text << "An MTU of " << m_link.mtu
             << " bytes does not exist; InfiniBand has 256, 512, 1024, 2048 and 4096.";
        return text.str();
    }
    if (m_link.bufferBytes < m_link.mtu + LONGEST_HEADERS)
    {
        std::ostringstream text;
        text << "A buffer of " << m_link.bufferBytes << " bytes has no room for a packet of "
             << m_link.mtu << " bytes of data and " << LONGEST_HEADERS << " of headers.";
        return text.str();
    }
    std::string idle;
    if (m_failedLinks == 0)
    {
        idle = messaging::FindIdleAttribute(*this,
                                            {"FailureTime", "RepairTime"},
                                            "where FailedLinks is 0");
    }
    if (idle.empty() && m_hca.contextEntries == 0)
    {
        idle = messaging::FindIdleAttribute(*this,
                                            {"ContextReplacement"},
                                            "where ContextCache is 0, since nothing ever misses");
    }
    return idle;
}

std::string
Engine::CheckFailures(const Subnet& subnet) const
{
    const std::size_t links = m_failedLinks > 0 ? GetInnerLinks(subnet).size() : 0;
    if (m_failedLinks > links)
    {
        return "FailedLinks is " + std::to_string(m_failedLinks) + ", but only " +
               std::to_string(links) + " links join switches.";
    }
    return "";
}

void
Engine::PlanFailures(const Subnet& subnet)
{
    if (m_failedLinks == 0)
    {
        return;
    }
    const auto links = GetInnerLinks(subnet);
    const auto down = static_cast<Ticks>(std::max<int64_t>(0, m_failureTime.GetNanoSeconds()));
    for (std::size_t n = 0; n < m_failedLinks; ++n)
    {
        const PortId port = links[n * links.size() / m_failedLinks];
        PlanLink(port, false, down);
        if (!m_repairTime.IsStrictlyNegative())
        {
            PlanLink(port, true, down + static_cast<Ticks>(m_repairTime.GetNanoSeconds()));
        }
    }
}

} // namespace infiniband
} // namespace ns3
