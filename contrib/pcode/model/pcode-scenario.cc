/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-scenario.h"

#include "pcode-collectives.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/log.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace ns3
{
namespace pcode
{

NS_LOG_COMPONENT_DEFINE("PcodeScenario");
NS_OBJECT_ENSURE_REGISTERED(PcodeScenario);

using messaging::Peer;
using messaging::Table;
using messaging::Verdict;

namespace
{

/** When programs start: connections have been made by then. */
const Time START = Seconds(10);

/** How often a run looks whether it goes on. */
const Time LOOK = Seconds(1);

/** Room that any protocol's header takes at most, except for lists that grow with the group
 * [bytes]. */
constexpr uint32_t ROOM_FOR_HEADER = 100;

/** Largest message (Assumption 3; section 6.4) [bytes]. */
constexpr uint32_t LARGEST_MESSAGE = 1024;

} // namespace

TypeId
PcodeScenario::GetTypeId()
{
    static TypeId tid = [] {
        using S = PcodeScenario;
        TypeId type =
            TypeId("ns3::pcode::PcodeScenario")
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
                              MakeUintegerChecker<uint32_t>(0, LARGEST_MESSAGE))
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
                              "all [-; result].",
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
        return type;
    }();
    return tid;
}

PcodeScenario::PcodeScenario()
    : m_parts(CreateObject<Lan>()),
      m_costs(CreateObject<HostCosts>()),
      m_pcode(CreateObject<PcodeParameters>()),
      m_tcp(CreateObject<StreamGroup>())
{
}

PcodeScenario::~PcodeScenario() = default;

void
PcodeScenario::DoDispose()
{
    m_parts = nullptr;
    m_costs = nullptr;
    m_pcode = nullptr;
    m_tcp = nullptr;
    Scenario::DoDispose();
}

IpcKind
PcodeScenario::GetIpc() const
{
    switch (m_ipc)
    {
    case IpcChoice::LINKED:
        return IpcKind::LINKED;
    case IpcChoice::LOCAL_TCP:
        return IpcKind::LOCAL_TCP;
    case IpcChoice::LOCAL_RPC:
        return IpcKind::LOCAL_RPC;
    case IpcChoice::AUTO:
        break;
    }
    return GetUsualIpc(m_system);
}

uint32_t
PcodeScenario::GetDriver() const
{
    return m_driverKind > 0 ? m_driverKind : GetUsualDriver(m_system);
}

GlobalProgram
PcodeScenario::MakeProgram() const
{
    GlobalProgram program(m_processors, LARGEST_MESSAGE);
    Collectives collectives(program);
    switch (m_collective)
    {
    case CollectiveKind::ALL_TO_ALL:
        if (GetDriver() == 1)
        {
            collectives.AllToAllInTurn(m_size);
        }
        else
        {
            collectives.AllToAllAtOnce(m_size);
        }
        break;
    case CollectiveKind::ONE_TO_ALL:
        collectives.OneToAll(0, m_size);
        break;
    case CollectiveKind::GATHER:
        collectives.Gather(0, m_size);
        break;
    case CollectiveKind::SCATTER:
        collectives.Scatter(0, m_size);
        break;
    case CollectiveKind::COMBINE:
        collectives.Combine(0, m_size);
        break;
    case CollectiveKind::BARRIER:
        collectives.Barrier();
        break;
    }
    program.SetRounds(m_rounds);
    return program;
}

std::string
PcodeScenario::Check() const
{
    if (m_system == SystemKind::TCP && GetIpc() != IpcKind::LINKED)
    {
        return "Ipc is a daemon, but system tcp is linked into the application: Ipc may be auto or "
               "linked.";
    }
    if (m_receiveBuffer < m_size + ROOM_FOR_HEADER)
    {
        std::ostringstream sentence;
        sentence << "ReceiveBuffer is " << m_receiveBuffer
                 << ", but has to have room for a message "
                 << "(Assumption 3): " << m_size + ROOM_FOR_HEADER << " bytes with its header.";
        return sentence.str();
    }
    if (IsBroadcaster(m_system) && m_processors > MAX_BROADCASTERS)
    {
        std::ostringstream sentence;
        sentence << "Processors is " << m_processors << ", but system " << m_system
                 << " has room for " << MAX_BROADCASTERS << " at most.";
        return sentence.str();
    }
    return m_costs->Check();
}

uint64_t
PcodeScenario::GetNNacks() const
{
    return m_recovery.nacks;
}

uint64_t
PcodeScenario::GetNResends() const
{
    return m_recovery.resends;
}

uint64_t
PcodeScenario::GetNStatuses() const
{
    return m_recovery.statuses;
}

uint64_t
PcodeScenario::GetNReturned() const
{
    uint64_t returned = 0;
    for (Peer p = 0; p < m_processors; ++p)
    {
        returned += m_driver->GetRunner(p).GetIndex() - 1;
    }
    return returned;
}

uint64_t
PcodeScenario::GetNSent() const
{
    uint64_t sent = 0;
    for (uint32_t i = 0; i < m_processors; ++i)
    {
        sent += m_lan->GetCounts(i).sent;
    }
    return sent;
}

void
PcodeScenario::Watch()
{
    const uint64_t returned = GetNReturned();
    ReportProgress(static_cast<double>(returned), static_cast<double>(m_total), "calls");
    if (returned > m_lastReturned)
    {
        m_lastReturned = returned;
        m_lastSent = GetNSent();
        m_quiet = Time(0);
    }
    else
    {
        m_quiet += LOOK;
    }
    m_stuck = m_quiet >= m_stall;
    if (m_stuck || !m_driver->GetViolation().empty())
    {
        Simulator::Stop();
        return;
    }
    m_watch = Simulator::Schedule(LOOK, &PcodeScenario::Watch, this);
}

void
PcodeScenario::DoRun()
{
    const GlobalProgram program = MakeProgram();
    if (const auto fault = program.CheckPaired())
    {
        std::ostringstream sentence;
        sentence << "Call " << fault->index << " of processor " << fault->processor << ": "
                 << fault->sentence;
        SetVerdict(Verdict::FAILED, sentence.str());
        return;
    }
    m_lan = CreateObject<Lan>();
    messaging::CopyAttributes(m_parts, m_lan);
    m_lan->Build(m_processors, *m_costs, m_system == SystemKind::TCP);
    m_lan->AssignStreams(1);
    const System system =
        MakeSystem(*m_lan,
                   program,
                   SystemOptions{m_system, GetIpc(), m_receiveBuffer, m_costs, m_pcode, m_tcp});
    m_driver = CreateObject<ProgramDriver>();
    m_driver->Connect(system.group, program);
    m_driver->SetEnded([] { Simulator::Stop(); });
    BooleanValue linger;
    m_pcode->GetAttribute("Linger", linger);
    m_driver->SetClosing(!linger.Get() &&
                         (m_system == SystemKind::PCODE || m_system == SystemKind::P0 ||
                          m_system == SystemKind::P1));
    m_total = program.GetNCalls() * m_processors;
    m_lastReturned = 0;
    m_lastSent = 0;
    m_quiet = Time(0);
    m_stuck = false;

    auto skew = CreateObject<UniformRandomVariable>();
    skew->SetStream(0);
    std::vector<Time> busy;
    Simulator::Schedule(START, [this, skew, &busy] {
        for (const auto& station : m_lan->GetStations())
        {
            busy.push_back(station->GetHost()->GetCpus()->GetStatistics().busy);
            const auto late = static_cast<uint64_t>(skew->GetValue(0, m_skew.GetNanoSeconds()));
            station->Continue(Process::APPLICATION, MakeCallWork(0, 0, NanoSeconds(late)), [] {});
        }
        m_driver->Start();
        m_watch = Simulator::Schedule(LOOK, &PcodeScenario::Watch, this);
    });
    Simulator::Run();

    Collect(system, START, busy);
    Judge();
    m_driver->Dispose();
    m_driver = nullptr;
    system.group->Dispose();
    m_lan->Dispose();
    m_lan = nullptr;
}

void
PcodeScenario::Collect(const System& system, Time begun, const std::vector<Time>& busy)
{
    std::vector<int64_t> processors(m_processors);
    std::iota(processors.begin(), processors.end(), 0);
    std::vector<double> perCall;
    std::vector<double> share;
    std::vector<int64_t> switches;
    std::vector<int64_t> sent;
    std::vector<int64_t> received;
    std::vector<int64_t> dropped;
    std::vector<int64_t> overflows;
    const Time ran = Simulator::Now() - begun;
    for (Peer p = 0; p < m_processors; ++p)
    {
        const auto& station = m_lan->GetStations()[p];
        const Time end = m_driver->GetEnd(p);
        const double time =
            end.IsNegative() ? 0 : (end - begun).GetSeconds() * 1e3 / m_rounds / m_processors;
        perCall.push_back(time);
        const Time worked = station->GetHost()->GetCpus()->GetStatistics().busy - busy[p];
        share.push_back(worked.GetSeconds() / ran.GetSeconds());
        switches.push_back(station->GetNContextSwitches());
        const InterfaceCounts& counts = m_lan->GetCounts(p);
        sent.push_back(counts.sent);
        received.push_back(counts.received);
        dropped.push_back(counts.dropped);
        overflows.push_back(system.getNOverflows(p));
    }
    const auto mean = [this](const std::vector<double>& values) {
        return std::accumulate(values.begin(), values.end(), 0.0) / m_processors;
    };
    m_timePerCall = m_driver->IsFinished() ? mean(perCall) : 0;
    m_timePerRound = m_timePerCall * m_processors;
    m_cpuShare = mean(share);
    m_packets = GetNSent();
    m_recovery = system.countRecovery();
    m_collisions = m_lan->GetNCollisions();
    m_givenUp = m_lan->GetNGivenUp();
    m_returned = GetNReturned();
    m_overflows = std::accumulate(overflows.begin(), overflows.end(), uint64_t{0});
    m_interfaceDrops = std::accumulate(dropped.begin(), dropped.end(), uint64_t{0});
    m_machines = CreateObject<Table>();
    m_machines->AddColumn("Processor", "", std::move(processors));
    m_machines->AddColumn("TimePerCall", "ms", std::move(perCall));
    m_machines->AddColumn("CpuShare", "", std::move(share));
    m_machines->AddColumn("ContextSwitches", "", std::move(switches));
    m_machines->AddColumn("Sent", "packets", std::move(sent));
    m_machines->AddColumn("Received", "packets", std::move(received));
    m_machines->AddColumn("InterfaceDrops", "packets", std::move(dropped));
    m_machines->AddColumn("Overflows", "datagrams", std::move(overflows));
    std::vector<std::string> names;
    std::vector<int64_t> counts;
    for (const auto& [name, count] : system.countReasons())
    {
        names.push_back(name);
        counts.push_back(count);
    }
    m_reasons = CreateObject<Table>();
    m_reasons->AddColumn("Reason", "", std::move(names));
    m_reasons->AddColumn("Count", "", std::move(counts));
}

void
PcodeScenario::Judge()
{
    std::ostringstream reason;
    if (!m_driver->GetViolation().empty())
    {
        SetVerdict(Verdict::VIOLATED, m_driver->GetViolation());
    }
    else if (m_stuck)
    {
        const bool active = GetNSent() > m_lastSent;
        reason << "No call returned for the StallTime of " << m_stall.GetSeconds() << " s, after "
               << m_returned << " of " << m_total << "; packets were "
               << (active ? "still" : "no longer") << " sent.";
        SetVerdict(active ? Verdict::LIVELOCK : Verdict::DEADLOCK, reason.str());
    }
}

} // namespace pcode
} // namespace ns3
