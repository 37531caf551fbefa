/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-scenario.h"

#include "pcode-collectives.h"

#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace ns3
{
namespace pcode
{

NS_LOG_COMPONENT_DEFINE("PcodeScenario");

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

} // namespace

PcodeScenario::PcodeScenario()
    : m_parts(CreateObject<Lan>()),
      m_costs(CreateObject<HostCosts>()),
      m_pcode(CreateObject<PcodeParameters>()),
      m_tcp(CreateObject<StreamGroup>()),
      m_rivals(CreateObject<RivalParameters>())
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
    m_rivals = nullptr;
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
    if (const std::string wrong = m_costs->Check(); !wrong.empty())
    {
        return wrong;
    }
    return m_system == SystemKind::PCODE ? m_pcode->Check()
           : m_system == SystemKind::P1  ? m_pcode->WithoutAdditions()->Check()
                                         : "";
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
    const System system = MakeSystem(
        *m_lan,
        program,
        SystemOptions{m_system, GetIpc(), m_receiveBuffer, m_costs, m_pcode, m_tcp, m_rivals});
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
    m_machines->AddColumn("CpuShare", "fraction", std::move(share));
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
