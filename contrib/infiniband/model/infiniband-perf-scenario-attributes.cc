/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-packet-engine.h"
#include "infiniband-perf-scenario.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace infiniband
{

TypeId
InfinibandPerfScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = InfinibandPerfScenario;
        TypeId type =
            SetSummary(
                TypeId("ns3::infiniband::InfinibandPerfScenario"),
                "Latency, bandwidth and message rate of verbs between two hosts, as perftest does.")
                .SetParent<AdapterScenario>()
                .SetGroupName("Infiniband")
                .AddConstructor<InfinibandPerfScenario>()
                .AddAttribute(
                    "Engine",
                    "What moves messages: packet by packet, or message by message [name; "
                    "default].",
                    EnumValue(EngineKind::PACKET),
                    MakeEnumAccessor<EngineKind>(&S::m_kind),
                    MakeEnumChecker(EngineKind::PACKET, "Packet", EngineKind::MESSAGE, "Message"))
                .AddAttribute(
                    "Transport",
                    "Type of the queue pairs [name; section 4.2].",
                    EnumValue(Transport::RC),
                    MakeEnumAccessor<Transport>(&S::m_transport),
                    MakeEnumChecker(Transport::RC, "RC", Transport::UC, "UC", Transport::UD, "UD"))
                .AddAttribute("Operation",
                              "What the messages are: sends, RDMA writes, or RDMA reads [name; "
                              "section 4.1].",
                              EnumValue(Operation::SEND),
                              MakeEnumAccessor<Operation>(&S::m_operation),
                              MakeEnumChecker(Operation::SEND,
                                              "send",
                                              Operation::WRITE,
                                              "write",
                                              Operation::READ,
                                              "read"))
                .AddAttribute("From",
                              "The host that measures [host; default].",
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_from),
                              MakeUintegerChecker<uint32_t>())
                .AddAttribute("To",
                              "The host at the other end [host; default].",
                              UintegerValue(1),
                              MakeUintegerAccessor(&S::m_to),
                              MakeUintegerChecker<uint32_t>())
                .AddAttribute("MinBytes",
                              "Smallest message; each next one is twice as long [bytes; default].",
                              UintegerValue(1),
                              MakeUintegerAccessor(&S::m_minBytes),
                              MakeUintegerChecker<uint32_t>(1, 1U << 30))
                .AddAttribute("MaxBytes",
                              "Largest message; on UD at most the MTU [bytes; default].",
                              UintegerValue(1U << 20),
                              MakeUintegerAccessor(&S::m_maxBytes),
                              MakeUintegerChecker<uint32_t>(1, 1U << 30))
                .AddAttribute("Iterations",
                              "Messages of each measurement; fewer where they are long "
                              "[messages; default].",
                              UintegerValue(1000),
                              MakeUintegerAccessor(&S::m_iterations),
                              MakeUintegerChecker<uint32_t>(1, 1U << 24))
                .AddAttribute("Window",
                              "Messages that are posted and not completed, in a stream [messages; "
                              "perftest's default].",
                              UintegerValue(128),
                              MakeUintegerAccessor(&S::m_window),
                              MakeUintegerChecker<uint32_t>(1, 1U << 16))
                .AddAttribute("PostCost",
                              "Processor's time to post a work request [ns; default].",
                              UintegerValue(250),
                              MakeUintegerAccessor(&S::m_postCost),
                              MakeUintegerChecker<Ticks>(0, 1'000'000))
                .AddAttribute("PollCost",
                              "Processor's time to take a completion [ns; default].",
                              UintegerValue(250),
                              MakeUintegerAccessor(&S::m_pollCost),
                              MakeUintegerChecker<Ticks>(0, 1'000'000))
                .AddAttribute("Latency",
                              "Half a ping-pong of the smallest message; of a read, all of it [us; "
                              "result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_latency),
                              MakeDoubleChecker<double>())
                .AddAttribute("Bandwidth",
                              "Largest bandwidth at any length [MB/s; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_bandwidth),
                              MakeDoubleChecker<double>())
                .AddAttribute("MessageRate",
                              "Smallest messages a second [1/s; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_messageRate),
                              MakeDoubleChecker<double>())
                .AddAttribute("Events",
                              "Events that the engine has served [events; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_events),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute(
                    "Curve",
                    "Latency, closed form, bandwidth and message rate, and how much of "
                    "the time the busier adapter's engine, PCI Express and link are taken "
                    "in a stream, a row a length [table; result].",
                    TypeId::ATTR_GET,
                    PointerValue(),
                    MakePointerAccessor(&S::m_curve),
                    MakePointerChecker<messaging::Table>());
        // Memory is registered before anything is measured, and one connection takes one path.
        messaging::ForwardAttributes(type,
                                     PacketEngine::GetTypeId(),
                                     [](const ObjectBase* owner) -> Ptr<Object> {
                                         return static_cast<const S*>(owner)->m_engine;
                                     },
                                     {"RegisterBase", "RegisterPage"});
        messaging::ForwardAttributes(type,
                                     Subnet::GetTypeId(),
                                     [](const ObjectBase* owner) -> Ptr<Object> {
                                         return static_cast<const S*>(owner)->m_subnet;
                                     },
                                     {"Lmc"});
        return type;
    }();
    return tid;
}

} // namespace infiniband
} // namespace ns3
