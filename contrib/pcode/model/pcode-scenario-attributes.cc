/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-scenario.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/pointer.h"
#include "ns3/uinteger.h"

/**
 * @file
 * @ingroup pcode
 * Parameters and results of the scenario.
 */

namespace ns3
{
namespace pcode
{

NS_OBJECT_ENSURE_REGISTERED(PcodeScenario);

using messaging::Table;

TypeId
PcodeScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = PcodeScenario;
        TypeId type =
            SetSummary(TypeId("ns3::pcode::PcodeScenario"),
                       "Time of a collective on workstations on an Ethernet, with PCODE or one of "
                       "its rivals.")
                .SetParent<Scenario>()
                .SetGroupName("Pcode")
                .AddConstructor<PcodeScenario>()
                .AddAttribute("System",
                              "What is measured [-; sections 6.3 and 6.4.2].",
                              EnumValue(SystemKind::PCODE),
                              MakeEnumAccessor<SystemKind>(&S::m_system),
                              MakeEnumChecker(SystemKind::PCODE,
                                              "pcode",
                                              SystemKind::P0,
                                              "p0",
                                              SystemKind::P1,
                                              "p1",
                                              SystemKind::TCP,
                                              "tcp",
                                              SystemKind::RING,
                                              "ring",
                                              SystemKind::LANSIS,
                                              "lansis",
                                              SystemKind::HORUS,
                                              "horus"))
                .AddAttribute("Processors",
                              "Workstations [-; section 6.4, up to 16].",
                              UintegerValue(16),
                              MakeUintegerAccessor(&S::m_processors),
                              MakeUintegerChecker<uint32_t>(2, 250))
                .AddAttribute("Size",
                              "Size of a message [bytes; section 6.4, up to 1 Kbyte].",
                              UintegerValue(1024),
                              MakeUintegerAccessor(&S::m_size),
                              MakeUintegerChecker<uint32_t>(0, PcodeScenario::LARGEST_MESSAGE))
                .AddAttribute("Collective",
                              "Collective operation of a round [-; section 6.2].",
                              EnumValue(CollectiveKind::ALL_TO_ALL),
                              MakeEnumAccessor<CollectiveKind>(&S::m_collective),
                              MakeEnumChecker(CollectiveKind::ALL_TO_ALL,
                                              "alltoall",
                                              CollectiveKind::ONE_TO_ALL,
                                              "onetoall",
                                              CollectiveKind::GATHER,
                                              "gather",
                                              CollectiveKind::SCATTER,
                                              "scatter",
                                              CollectiveKind::COMBINE,
                                              "combine",
                                              CollectiveKind::BARRIER,
                                              "barrier"))
                .AddAttribute("Driver",
                              "Implementation of the all-to-all broadcast: 1 in turn, 2 all at "
                              "once, 0 for 1 with TCP and 2 with the others [-; section 6.2].",
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_driverKind),
                              MakeUintegerChecker<uint32_t>(0, 2))
                .AddAttribute("Rounds",
                              "How often the operation is repeated [-; section 6.4].",
                              UintegerValue(1000),
                              MakeUintegerAccessor(&S::m_rounds),
                              MakeUintegerChecker<uint32_t>(1, 1000000))
                .AddAttribute("Ipc",
                              "How applications reach the system: linked into one process, a "
                              "daemon over local-tcp or local-rpc, or auto for a daemon over local "
                              "TCP, except TCP and Horus, which are linked [-; sections 6.1 to "
                              "6.4].",
                              EnumValue(IpcChoice::AUTO),
                              MakeEnumAccessor<IpcChoice>(&S::m_ipc),
                              MakeEnumChecker(IpcChoice::AUTO,
                                              "auto",
                                              IpcChoice::LINKED,
                                              "linked",
                                              IpcChoice::LOCAL_TCP,
                                              "local-tcp",
                                              IpcChoice::LOCAL_RPC,
                                              "local-rpc"))
                .AddAttribute("ReceiveBuffer",
                              "Receive buffer of a UDP socket [bytes; BSD-derived stacks, 32 to 64 "
                              "Kbytes].",
                              UintegerValue(61440),
                              MakeUintegerAccessor(&S::m_receiveBuffer),
                              MakeUintegerChecker<uint32_t>(128, 1 << 24))
                .AddAttribute("StartSkew",
                              "Processors start at random within this time [s; default].",
                              TimeValue(MilliSeconds(1)),
                              MakeTimeAccessor(&S::m_skew),
                              MakeTimeChecker(Time(0), Seconds(10)))
                .AddAttribute("StallTime",
                              "Simulated time without a call's return after which a run is given "
                              "up [s; default].",
                              TimeValue(Seconds(30)),
                              MakeTimeAccessor(&S::m_stall),
                              MakeTimeChecker(Seconds(1)))
                .AddAttribute("TimePerCall",
                              "Time of a round divided by the number of processors, mean over the "
                              "processors [ms; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_timePerCall),
                              MakeDoubleChecker<double>())
                .AddAttribute("TimePerRound",
                              "Time of a round, mean over the processors [ms; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_timePerRound),
                              MakeDoubleChecker<double>())
                .AddAttribute("CpuShare",
                              "Share of the run that a workstation's processor was busy, mean over "
                              "all [fraction; result].",
                              TypeId::ATTR_GET,
                              DoubleValue(0),
                              MakeDoubleAccessor(&S::m_cpuShare),
                              MakeDoubleChecker<double>())
                .AddAttribute("Returned",
                              "Calls that have returned, skips included [calls; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_returned),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute("Packets",
                              "Packets that the workstations have sent [packets; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_packets),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute("Nacks",
                              "NACKs that processors sent [messages; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::GetNNacks),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute(
                    "Resends",
                    "Messages that processors sent again; not TCP's segments [messages; result].",
                    TypeId::ATTR_GET,
                    UintegerValue(0),
                    MakeUintegerAccessor(&S::GetNResends),
                    MakeUintegerChecker<uint64_t>())
                .AddAttribute("Statuses",
                              "STATUS messages that processors sent [messages; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::GetNStatuses),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute("Collisions",
                              "Attempts to send that ended in a collision [attempts; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_collisions),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute("GivenUp",
                              "Frames that interfaces gave up after too many collisions [frames; "
                              "result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_givenUp),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute("Overflows",
                              "Datagrams that found a socket's receive buffer full [datagrams; "
                              "result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_overflows),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute("InterfaceDrops",
                              "Packets that interfaces had no room for [packets; result].",
                              TypeId::ATTR_GET,
                              UintegerValue(0),
                              MakeUintegerAccessor(&S::m_interfaceDrops),
                              MakeUintegerChecker<uint64_t>())
                .AddAttribute("Machines",
                              "What each processor has measured and done [table; result].",
                              TypeId::ATTR_GET,
                              PointerValue(),
                              MakePointerAccessor(&S::m_machines),
                              MakePointerChecker<Table>())
                .AddAttribute("Reasons",
                              "How often the protocol gave each reason for what it did [table; "
                              "result].",
                              TypeId::ATTR_GET,
                              PointerValue(),
                              MakePointerAccessor(&S::m_reasons),
                              MakePointerChecker<Table>());
        messaging::ForwardAttributes(type,
                                     Lan::GetTypeId(),
                                     [](const ObjectBase* owner) -> Ptr<Object> {
                                         return static_cast<const PcodeScenario*>(owner)->m_parts;
                                     });
        messaging::ForwardAttributes(type,
                                     HostCosts::GetTypeId(),
                                     [](const ObjectBase* owner) -> Ptr<Object> {
                                         return static_cast<const PcodeScenario*>(owner)->m_costs;
                                     });
        messaging::ForwardAttributes(type,
                                     PcodeParameters::GetTypeId(),
                                     [](const ObjectBase* owner) -> Ptr<Object> {
                                         return static_cast<const PcodeScenario*>(owner)->m_pcode;
                                     });
        messaging::ForwardAttributes(type,
                                     StreamGroup::GetTypeId(),
                                     [](const ObjectBase* owner) -> Ptr<Object> {
                                         return static_cast<const PcodeScenario*>(owner)->m_tcp;
                                     });
        messaging::ForwardAttributes(type,
                                     RivalParameters::GetTypeId(),
                                     [](const ObjectBase* owner) -> Ptr<Object> {
                                         return static_cast<const PcodeScenario*>(owner)->m_rivals;
                                     });
        return type;
    }();
    return tid;
}

} // namespace pcode
} // namespace ns3
