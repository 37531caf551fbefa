/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-engine.h"

#include "infiniband-subnet.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/messaging-idle-attributes.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace ns3
{
namespace infiniband
{

NS_OBJECT_ENSURE_REGISTERED(Engine);

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

/**
 * Reads and writes a field of the constants of an engine.
 * @tparam Value the attribute's value
 * @tparam T the field's type
 */
template <class Value, class T>
class FieldAccessor : public AttributeAccessor
{
  public:
    /** Finds the field. */
    using Field = T& (*)(Engine&);

    /** @param field finds the field */
    explicit FieldAccessor(Field field)
        : m_field(field)
    {
    }

    bool Set(ObjectBase* object, const AttributeValue& value) const override
    {
        const auto* given = dynamic_cast<const Value*>(&value);
        auto* engine = dynamic_cast<Engine*>(object);
        if (!given || !engine)
        {
            return false;
        }
        m_field(*engine) = static_cast<T>(given->Get());
        return true;
    }

    bool Get(const ObjectBase* object, AttributeValue& value) const override
    {
        auto* asked = dynamic_cast<Value*>(&value);
        // The field is only read; a second accessor for constant engines would say the same.
        auto* engine = const_cast<Engine*>(dynamic_cast<const Engine*>(object));
        if (!asked || !engine)
        {
            return false;
        }
        asked->Set(m_field(*engine));
        return true;
    }

    bool HasGetter() const override
    {
        return true;
    }

    bool HasSetter() const override
    {
        return true;
    }

  private:
    Field m_field; ///< Finds the field.
};

/**
 * Declare a whole number.
 * @tparam T the field's type
 * @param type the type that gets the attribute, changed
 * @param name of the attribute
 * @param help of the attribute
 * @param field finds the field
 * @param initial its value
 * @param min least value
 * @param max largest value
 */
template <class T>
void
AddNumber(TypeId& type,
          const std::string& name,
          const std::string& help,
          T& (*field)(Engine&),
          uint64_t initial,
          T min = 0,
          T max = std::numeric_limits<T>::max())
{
    type.AddAttribute(name,
                      help,
                      UintegerValue(initial),
                      Create<FieldAccessor<UintegerValue, T>>(field),
                      MakeUintegerChecker<T>(min, max));
}

/** Longest time that an adapter may wait: an hour [ns]. */
constexpr Ticks LONGEST = 3'600'000'000'000;

/** Longest time that an adapter may take for one thing: a tenth of a second [ns]. */
constexpr Ticks LONGEST_WORK = 100'000'000;

/** Longest time that a cable or a switch may take: a millisecond [ns]. */
constexpr Ticks LONGEST_HOP = 1'000'000;

} // namespace

TypeId
Engine::GetTypeId()
{
    static TypeId tid = [] {
        const LinkConfig link;
        const HcaConfig hca;
        TypeId type =
            TypeId("ns3::infiniband::Engine").SetParent<Object>().SetGroupName("Infiniband");
        type.AddAttribute(
            "LinkRate",
            "Signalling rate of the 4X links: 1 or 2 GB/s of data [name; both were sold, the paper "
            "does not say].",
            EnumValue(link.rate),
            Create<FieldAccessor<EnumValue<LinkRate>, LinkRate>>(
                [](Engine& e) -> LinkRate& { return e.m_link.rate; }),
            MakeEnumChecker(LinkRate::SDR, "SDR", LinkRate::DDR, "DDR"));
        AddNumber<uint32_t>(
            type,
            "Mtu",
            "Largest payload of a packet: 256, 512, 1024, 2048 or 4096 [bytes; section 4.2].",
            [](Engine& e) -> uint32_t& { return e.m_link.mtu; },
            link.mtu,
            MTUS.front(),
            MTUS.back());
        AddNumber<Ticks>(
            type,
            "CableDelay",
            "Delay of a cable of 5 m [ns; 5 ns a metre].",
            [](Engine& e) -> Ticks& { return e.m_link.cableDelay; },
            link.cableDelay,
            0,
            LONGEST_HOP);
        AddNumber<Ticks>(
            type,
            "SwitchDelay",
            "From a packet's head at the input of a switch to its head at the output [ns; "
            "InfiniScale III: 140 to 200].",
            [](Engine& e) -> Ticks& { return e.m_link.switchDelay; },
            link.switchDelay,
            0,
            LONGEST_HOP);
        AddNumber<uint32_t>(
            type,
            "BufferBytes",
            "Room at the input of a port for one virtual lane [bytes; default].",
            [](Engine& e) -> uint32_t& { return e.m_link.bufferBytes; },
            link.bufferBytes,
            CREDIT_BYTES,
            1U << 30);
        AddNumber<uint8_t>(
            type,
            "Lanes",
            "Data virtual lanes of each link [lanes; default].",
            [](Engine& e) -> uint8_t& { return e.m_link.lanes; },
            link.lanes,
            1,
            15);
        AddNumber<Ticks>(
            type,
            "Doorbell",
            "From the processor's write to a doorbell to the adapter [ns; calibrated to the verbs' "
            "latency of RC, 3.5 to 4.5 us].",
            [](Engine& e) -> Ticks& { return e.m_hca.doorbell; },
            hca.doorbell,
            0,
            LONGEST_WORK);
        AddNumber<Ticks>(
            type,
            "WqeFetch",
            "Read over PCI Express: of a work request, of the begin of data that is not inline, of "
            "a "
            "receive [ns; calibrated to the verbs' latency of RC, 3.5 to 4.5 us].",
            [](Engine& e) -> Ticks& { return e.m_hca.wqeFetch; },
            hca.wqeFetch,
            0,
            LONGEST_WORK);
        AddNumber<Ticks>(
            type,
            "SendProcessing",
            "Time of the adapter's engine for a message to be sent [ns; calibrated to RC's "
            "message rate, 0.8 to 1.5 million a second].",
            [](Engine& e) -> Ticks& { return e.m_hca.sendProcessing; },
            hca.sendProcessing,
            0,
            LONGEST_WORK);
        AddNumber<Ticks>(
            type,
            "PacketProcessing",
            "Time of the adapter's engine for each packet, sent or received, and the least gap "
            "between "
            "two packets of a host [ns; calibrated to the bandwidth over SDR, 0.93 to 0.97 GB/s].",
            [](Engine& e) -> Ticks& { return e.m_hca.packetProcessing; },
            hca.packetProcessing,
            0,
            LONGEST_WORK);
        AddNumber<Ticks>(
            type,
            "ReceiveProcessing",
            "Time of the adapter's engine for a message that arrives [ns; calibrated to "
            "RC's message rate, 0.8 to 1.5 million a second].",
            [](Engine& e) -> Ticks& { return e.m_hca.receiveProcessing; },
            hca.receiveProcessing,
            0,
            LONGEST_WORK);
        AddNumber<Ticks>(
            type,
            "AckProcessing",
            "Time of the adapter's engine for an ACK of RC, sent or received [ns; that of any "
            "packet].",
            [](Engine& e) -> Ticks& { return e.m_hca.ackProcessing; },
            hca.ackProcessing,
            0,
            LONGEST_WORK);
        AddNumber<Ticks>(
            type,
            "Completion",
            "Write over PCI Express of a completion until the processor can see it [ns; "
            "calibrated to the verbs' latency of RC, 3.5 to 4.5 us].",
            [](Engine& e) -> Ticks& { return e.m_hca.completion; },
            hca.completion,
            0,
            LONGEST_WORK);
        AddNumber<Ticks>(
            type,
            "ContextMiss",
            "Fetch over PCI Express of a line of a context that is not in the adapter's cache [ns; "
            "PCI Express round trip, 500 to 1000].",
            [](Engine& e) -> Ticks& { return e.m_hca.contextMiss; },
            hca.contextMiss,
            0,
            LONGEST_WORK);
        AddNumber<uint32_t>(
            type,
            "ContextCache",
            "Lines of contexts that the adapter's cache holds; 0: nothing ever misses [lines; "
            "unknown, to be swept].",
            [](Engine& e) -> uint32_t& { return e.m_hca.contextEntries; },
            hca.contextEntries,
            0,
            1U << 20);
        type.AddAttribute(
            "ContextReplacement",
            "Which line of that cache makes room: the one used least recently, or any [name; "
            "unknown, to be swept].",
            EnumValue(hca.replacement),
            Create<FieldAccessor<EnumValue<Replacement>, Replacement>>(
                [](Engine& e) -> Replacement& { return e.m_hca.replacement; }),
            MakeEnumChecker(Replacement::LRU, "LRU", Replacement::RANDOM, "Random"));
        AddNumber<uint32_t>(
            type,
            "ContextLines",
            "Lines of a context that RC touches beyond the first: its extended part and responder "
            "entries [lines; unknown, to be swept].",
            [](Engine& e) -> uint32_t& { return e.m_hca.contextLines; },
            hca.contextLines,
            0,
            64);
        AddNumber<uint32_t>(
            type,
            "DmaRate",
            "Usable bandwidth of PCI Express x8 in each direction [MB/s; 1400 to 1600 with "
            "payloads of 128 bytes].",
            [](Engine& e) -> uint32_t& { return e.m_hca.dmaRate; },
            hca.dmaRate,
            1,
            1'000'000);
        type.AddAttribute("SharedEngine",
                          "Whether sends, receives and ACKs share one serial engine of the adapter "
                          "[unknown, to be swept].",
                          BooleanValue(hca.sharedEngine),
                          Create<FieldAccessor<BooleanValue, bool>>(
                              [](Engine& e) -> bool& { return e.m_hca.sharedEngine; }),
                          MakeBooleanChecker());
        AddNumber<uint32_t>(
            type,
            "InlineLimit",
            "Largest data that the processor may write with its work request [bytes; MVAPICH].",
            [](Engine& e) -> uint32_t& { return e.m_hca.inlineLimit; },
            hca.inlineLimit,
            0,
            4096);
        AddNumber<uint8_t>(
            type,
            "RetryCount",
            "Times that RC repeats without an answer before it gives up [repetitions; MVAPICH].",
            [](Engine& e) -> uint8_t& { return e.m_hca.retryCount; },
            hca.retryCount,
            0,
            7);
        AddNumber<uint8_t>(
            type,
            "RnrRetryCount",
            "Times that RC repeats to a receiver without a receive; 7: for ever [repetitions; "
            "MVAPICH].",
            [](Engine& e) -> uint8_t& { return e.m_hca.rnrRetryCount; },
            hca.rnrRetryCount,
            0,
            7);
        AddNumber<Ticks>(
            type,
            "AckTimeout",
            "How long RC waits for an answer before it repeats [ns; 4.096 us 2^14].",
            [](Engine& e) -> Ticks& { return e.m_hca.ackTimeout; },
            hca.ackTimeout,
            1000,
            LONGEST);
        AddNumber<Ticks>(
            type,
            "RnrTimeout",
            "How long RC waits after the receiver had no receive [ns; default].",
            [](Engine& e) -> Ticks& { return e.m_hca.rnrTimeout; },
            hca.rnrTimeout,
            1000,
            LONGEST);
        AddNumber<uint32_t>(
            type,
            "AckCoalescing",
            "Messages that one ACK of RC may acknowledge while it waits for the engine; 1: each "
            "has "
            "its own [messages; default].",
            [](Engine& e) -> uint32_t& { return e.m_hca.ackCoalescing; },
            hca.ackCoalescing,
            1,
            1024);
        AddNumber<uint32_t>(
            type,
            "RequestDepth",
            "Messages of a queue pair of RC that may wait for their ACKs [messages; default].",
            [](Engine& e) -> uint32_t& { return e.m_hca.requestDepth; },
            hca.requestDepth,
            1,
            1U << 16);
        AddNumber<uint32_t>(
            type,
            "ReadDepth",
            "RDMA reads and atomics of a queue pair that may be under way [requests; driver's "
            "default].",
            [](Engine& e) -> uint32_t& { return e.m_hca.readDepth; },
            hca.readDepth,
            1,
            128);
        AddNumber<Ticks>(
            type,
            "RegisterBase",
            "Processor's time to register memory, fixed part [ns; default].",
            [](Engine& e) -> Ticks& { return e.m_hca.registerBase; },
            hca.registerBase,
            0,
            LONGEST_WORK);
        AddNumber<Ticks>(
            type,
            "RegisterPage",
            "Processor's time to register memory, each page of 4096 bytes [ns; default].",
            [](Engine& e) -> Ticks& { return e.m_hca.registerPage; },
            hca.registerPage,
            0,
            LONGEST_WORK);
        type.AddAttribute("PacketLoss",
                          "Probability that a packet is lost between two hosts [probability; "
                          "default, section 3: minimal].",
                          DoubleValue(0),
                          MakeDoubleAccessor(&Engine::m_packetLoss),
                          MakeDoubleChecker<double>(0, 1));
        AddNumber<uint32_t>(
            type,
            "FailedLinks",
            "Links between switches that fail at FailureTime, evenly spread over all of them "
            "[links; fault].",
            [](Engine& e) -> uint32_t& { return e.m_failedLinks; },
            0,
            0,
            1U << 20);
        const auto time = [&type](const char* name, const char* help, Time initial, auto member) {
            type.AddAttribute(name,
                              help,
                              TimeValue(initial),
                              MakeTimeAccessor(member),
                              MakeTimeChecker());
        };
        time("FailureTime",
             "When FailedLinks fail [Time; fault].",
             MicroSeconds(100),
             &Engine::m_failureTime);
        time("RepairTime",
             "How long a failure lasts; negative for ever [Time; fault].",
             MilliSeconds(10),
             &Engine::m_repairTime);
        time("SweepDelay",
             "From a change of a link to new forwarding tables; negative for never [Time; "
             "default].",
             MilliSeconds(1),
             &Engine::m_sweepDelay);
        type.AddTraceSource("Work",
                            "An engine of an adapter works: adapter, which, begin, end.",
                            MakeTraceSourceAccessor(&Engine::m_work),
                            "ns3::infiniband::Engine::WorkTracedCallback");
        type.AddTraceSource("ContextMiss",
                            "Lines of a context are not in the cache of an adapter: adapter, queue "
                            "pair, what for, how many.",
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
