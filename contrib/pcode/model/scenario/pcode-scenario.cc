/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-scenario.h"

#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/messaging-attributes.h"
#include "ns3/messaging-forwarded-attributes.h"
#include "ns3/messaging-log-component.h"
#include "ns3/messaging-row-table.h"
#include "ns3/messaging-scenario-recorder.h"
#include "ns3/pcode-collectives.h"
#include "ns3/pcode-repair-clock.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <sstream>

namespace ns3
{
namespace pcode
{

using messaging::Peer;
using messaging::Verdict;

namespace
{

/** Start of the programs, after the connections. */
const Time START = Seconds(10);

/** Maximum random delay of a node's start. */
const Time START_SKEW = MilliSeconds(1);

/** Interval of progress checks; a simulated second of many nodes takes ten real ones. */
const Time CHECK_INTERVAL = MilliSeconds(100);

/** Simulated time without the return of a call after which a run is stopped. */
const Time STALL_TIME = Seconds(30);

/** Maximum header of any protocol, without lists that grow with the group [bytes]. */
constexpr uint32_t ROOM_FOR_HEADER = 100;

} // namespace

[[maybe_unused]] static const LogComponent& g_log =
    messaging::GetLogComponent("PcodeScenario", __FILE__);

NS_OBJECT_ENSURE_REGISTERED(PcodeScenario);

TypeId
PcodeScenario::GetTypeId()
{
    using S = PcodeScenario;
    static TypeId tid =
        messaging::Attributes<S>(
            messaging::SetSummary(TypeId("ns3::pcode::PcodeScenario"),
                                  "Time of a collective on workstations on an Ethernet, with PCODE "
                                  "or one of its rivals.")
                .SetParent<Scenario>()
                .SetGroupName("Pcode")
                .AddConstructor<S>())
            .AddAttribute("System",
                          "Measured system [-; sections 6.3 and 6.4.2].",
                          &S::m_system,
                          SystemKind::PCODE,
                          {{SystemKind::PCODE, "pcode"},
                           {SystemKind::P0, "p0"},
                           {SystemKind::P1, "p1"},
                           {SystemKind::TCP, "tcp"},
                           {SystemKind::RING, "ring"},
                           {SystemKind::LANSIS, "lansis"},
                           {SystemKind::HORUS, "horus"}})
            .AddAttribute("Nodes",
                          "Workstations [-; section 6.4, up to 16].",
                          &S::m_nodes,
                          16,
                          2,
                          250)
            .AddAttribute("Size",
                          "Size of a message [bytes; section 6.4, up to 1 Kbyte].",
                          &S::m_size,
                          1024,
                          0,
                          LARGEST_MESSAGE)
            .AddAttribute("Collective",
                          "Collective operation of a round [-; section 6.2].",
                          &S::m_collective,
                          CollectiveKind::ALL_TO_ALL,
                          {{CollectiveKind::ALL_TO_ALL, "alltoall"},
                           {CollectiveKind::ONE_TO_ALL, "onetoall"},
                           {CollectiveKind::GATHER, "gather"},
                           {CollectiveKind::SCATTER, "scatter"},
                           {CollectiveKind::COMBINE, "combine"},
                           {CollectiveKind::BARRIER, "barrier"}})
            .AddAttribute("Driver",
                          "Implementation of the all-to-all broadcast: 1 in turn, 2 all at once, 0 "
                          "for 1 with TCP and 2 with the others [-; section 6.2].",
                          &S::m_driverKind,
                          0,
                          0,
                          2)
            .AddAttribute("Rounds",
                          "Repetitions of the operation [-; section 6.4].",
                          &S::m_rounds,
                          1000,
                          1,
                          1000000)
            .AddAttribute(
                "Ipc",
                "Placement of the system: linked into the application's process, a daemon over a "
                "local TCP socket, a daemon at the cost of a remote procedure call over one (rpc), "
                "or auto for a daemon, except TCP and Horus, which are linked [-; sections 6.1 to "
                "6.4, and lmbench for rpc].",
                &S::m_ipc,
                IpcKind::AUTO,
                {{IpcKind::AUTO, "auto"},
                 {IpcKind::LINKED, "linked"},
                 {IpcKind::DAEMON, "daemon"},
                 {IpcKind::RPC, "rpc"}})
            .AddAttribute("SlowFactor",
                          "Slowness of the first workstation, relative to the others [ratio; "
                          "default, section 6.4.2].",
                          &S::m_slowFactor,
                          1.0,
                          1.0,
                          1000.0)
            .AddAttribute("ReceiveBuffer",
                          "Receive buffer of a UDP socket [bytes; BSD-derived stacks, 32 to 64 "
                          "Kbytes].",
                          &S::m_receiveBuffer,
                          61440,
                          128,
                          1 << 24)
            .In(&S::m_costs)
            .AddAttribute("HostScale",
                          "Slowness of the workstations, relative to those with measured round "
                          "trips: 1.3 to 2 for an Indigo R4000 [ratio; default, geometric "
                          "middle of that band].",
                          &HostCosts::scale,
                          messaging::Range(0, 1000))
            .AddAttribute("HearsOwn",
                          "A broadcast comes back to its sender, which reads and drops it, as with "
                          "BSD's stacks and in Figure 3 [-; section 3, Figure 3].",
                          &HostCosts::hearsOwn)
            .AddAttribute("MbufTime",
                          "CPU time of a network buffer at each end of a message, times HostScale: "
                          "an mbuf of 118 bytes, or from 512 bytes on a page of 1024; 0 if the "
                          "costs of a packet contain all buffers [s; default, 95 us on a Sun 3/75 "
                          "by Hutchinson and Peterson 1991, Figure 5].",
                          &HostCosts::mbuf,
                          messaging::Range<Time>{Time(0), Time::Max()})
            .AddAttribute("Load",
                          "Share of each CPU that other programs request [fraction; default, "
                          "section 6.4: the load was not high].",
                          &HostCosts::load,
                          messaging::Range(0, 0.9))
            .AddResult(
                "TimePerCall",
                "Time of a round divided by the number of nodes, mean over the nodes [ms; result].",
                &S::m_timePerCall)
            .AddResult("Returned",
                       "Returned calls, including skips [calls; result].",
                       &S::m_returned)
            .AddResult("Packets",
                       "Packets sent by the workstations [packets; result].",
                       &S::m_packets)
            .AddResult("Nacks", "NACKs sent by nodes [messages; result].", &S::m_nacks)
            .AddResult("Resends",
                       "Messages resent by nodes; not TCP's segments [messages; result].",
                       &S::m_resends)
            .AddResult("Repairs",
                       "Messages whose first copy an interface lost by Loss, and which were "
                       "delivered later [messages; result].",
                       &S::m_repairs)
            .AddResult("RepairTime",
                       "Time from this loss to the delivery, mean [ms; result].",
                       &S::m_repairTime)
            .AddResult("Collisions",
                       "Transmission attempts that ended in a collision [attempts; result].",
                       &S::m_collisions)
            .AddResult("Overflows",
                       "Datagrams lost at a socket's full receive buffer [datagrams; result].",
                       &S::m_overflows)
            .AddResult("Machines",
                       "Measurements and counts of each node [table; result].",
                       &S::m_machines)
            .AddResult("Reasons",
                       "Counts of the protocol's reasons [table; result].",
                       &S::m_reasons)
            .Forward<&S::m_parts>()
            .Forward<&S::m_pcode>()
            .Forward<&S::m_tcp>();
    return tid;
}

PcodeScenario::PcodeScenario()
    : m_parts(CreateObject<Lan>()),
      m_pcode(CreateObject<PcodeParameters>()),
      m_tcp(CreateObject<StreamGroup>())
{
}

IpcKind
PcodeScenario::GetIpc() const
{
    if (m_ipc != IpcKind::AUTO)
    {
        return m_ipc;
    }
    // Sections 6.1, 6.3 and 6.4.2.
    if (m_system == SystemKind::TCP || m_system == SystemKind::HORUS)
    {
        return IpcKind::LINKED;
    }
    return IpcKind::DAEMON;
}

GlobalProgram
PcodeScenario::MakeProgram() const
{
    GlobalProgram program(m_nodes, LARGEST_MESSAGE);
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
        return "ReceiveBuffer is " + std::to_string(m_receiveBuffer) +
               ", but has to have room for a message (Assumption 3): " +
               std::to_string(m_size + ROOM_FOR_HEADER) + " bytes with its header.";
    }
    if (m_system >= SystemKind::RING && m_nodes > MAX_BROADCASTERS)
    {
        return "Nodes is " + std::to_string(m_nodes) +
               ", but the systems ring, lansis and horus have room for " +
               std::to_string(MAX_BROADCASTERS) + " at most.";
    }
    if (m_system == SystemKind::PCODE)
    {
        return m_pcode->Check();
    }
    if (m_system == SystemKind::P1)
    {
        return m_pcode->AsP1()->Check();
    }
    return "";
}

uint64_t
PcodeScenario::GetNReturned() const
{
    uint64_t returned = 0;
    for (Peer p = 0; p < m_nodes; ++p)
    {
        returned += m_driver->GetRunner(p).GetIndex() - 1;
    }
    return returned;
}

uint64_t
PcodeScenario::GetNSent() const
{
    uint64_t sent = 0;
    for (uint32_t i = 0; i < m_nodes; ++i)
    {
        sent += m_lan->GetCounts(i).sent;
    }
    return sent;
}

void
PcodeScenario::Watch()
{
    const uint64_t returned = GetNReturned();
    if (returned > m_lastReturned)
    {
        m_lastReturned = returned;
        m_lastSent = GetNSent();
        m_quiet = Time(0);
        ReportProgress(static_cast<double>(returned), static_cast<double>(m_total), "calls");
    }
    else
    {
        m_quiet += CHECK_INTERVAL;
        ReportProgress(m_quiet.GetSeconds(), STALL_TIME.GetSeconds(), "s until it is given up");
    }
    NS_LOG_INFO(returned << " of " << m_total << " calls have returned, " << GetNSent()
                         << " packets were sent");
    m_stuck = m_quiet >= STALL_TIME;
    if (m_stuck || !m_driver->GetViolation().empty())
    {
        Simulator::Stop();
        return;
    }
    Simulator::Schedule(CHECK_INTERVAL, &PcodeScenario::Watch, this);
}

void
PcodeScenario::DoRun()
{
    const GlobalProgram program = MakeProgram();
    m_lan = CreateObject<Lan>();
    messaging::CopyAttributes(m_parts, m_lan);
    std::vector<HostCosts> machines(m_nodes, m_costs);
    for (HostCosts& costs : machines)
    {
        costs.rpc = GetIpc() == IpcKind::RPC;
    }
    machines.front().scale *= m_slowFactor;
    m_lan->Build(machines, m_system == SystemKind::TCP);
    m_lan->AssignStreams(1);
    const System system =
        MakeSystem(*m_lan,
                   program,
                   SystemOptions{m_system, GetIpc(), m_receiveBuffer, m_pcode, m_tcp});
    GetRecorder().ObserveGroup(system.cores);
    RepairClock repairs;
    DoubleValue loss;
    m_parts->GetAttribute("Loss", loss);
    if (m_system <= SystemKind::P1 && loss.Get() > 0)
    {
        repairs.Observe(m_lan, system.cores);
    }
    m_driver = std::make_unique<ProgramDriver>(system.group, program);
    m_driver->SetEnded([] { Simulator::Stop(); });
    m_total = program.GetNCalls() * m_nodes;

    auto skew = CreateObject<UniformRandomVariable>();
    skew->SetStream(0);
    std::vector<Time> busy;
    Simulator::Schedule(START, [this, skew, &busy] {
        for (const auto& station : m_lan->GetStations())
        {
            busy.push_back(station->GetHost()->GetCpus()->GetBusyTime());
            const auto late = static_cast<uint64_t>(skew->GetValue(0, START_SKEW.GetNanoSeconds()));
            station->Continue(Process::APPLICATION, MakeCallWork(0, 0, NanoSeconds(late)), [] {});
        }
        m_driver->Start();
        Simulator::Schedule(CHECK_INTERVAL, &PcodeScenario::Watch, this);
    });
    Simulator::Run();

    Collect(system, START, busy);
    m_repairs = repairs.GetN();
    m_repairTime = repairs.GetMean().GetSeconds() * 1e3;
    Judge();
    m_driver.reset();
    system.group->Dispose();
    m_lan->Dispose();
    m_lan = nullptr;
}

void
PcodeScenario::Collect(const System& system, Time begun, const std::vector<Time>& busy)
{
    const auto& stations = m_lan->GetStations();
    const Time ran = Simulator::Now() - begun;
    const auto getTimePerCall = [&](Peer p) {
        const Time end = m_driver->GetEnd(p);
        return end.IsNegative() ? 0 : (end - begun).GetSeconds() * 1e3 / m_rounds / m_nodes;
    };
    const auto getOverflows = [&](Peer p) {
        return system.port ? system.port->GetNOverflows(p) : 0;
    };
    messaging::RowTable machines(m_nodes);
    machines.Add("Node", "", [](Peer p) { return p; })
        .Add("TimePerCall", "ms", getTimePerCall)
        .Add("CpuShare",
             "fraction",
             [&](Peer p) {
                 const Time worked = stations[p]->GetHost()->GetCpus()->GetBusyTime() - busy[p];
                 return worked.GetSeconds() / ran.GetSeconds();
             })
        .Add("ContextSwitches", "", [&](Peer p) { return stations[p]->GetNContextSwitches(); })
        .Add("Sent", "packets", [this](Peer p) { return m_lan->GetCounts(p).sent; })
        .Add("Received", "packets", [this](Peer p) { return m_lan->GetCounts(p).received; })
        .Add("InterfaceDrops", "packets", [this](Peer p) { return m_lan->GetCounts(p).dropped; })
        .Add("Overflows", "datagrams", getOverflows);
    m_machines = machines.Get();
    double perCall = 0;
    for (Peer p = 0; p < m_nodes; ++p)
    {
        perCall += getTimePerCall(p);
        m_overflows += getOverflows(p);
    }
    m_packets = GetNSent();
    m_timePerCall = 0;
    if (m_driver->IsFinished())
    {
        m_timePerCall = perCall / m_nodes;
    }
    m_nacks = system.GetNNacks();
    m_resends = system.GetNResends();
    m_collisions = m_lan->GetNCollisions();
    m_returned = GetNReturned();
    m_reasons = messaging::MakeCountTable(system.count());
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
        reason << "No call returned for " << STALL_TIME.GetSeconds() << " s, after " << m_returned
               << " of " << m_total << "; packets were ";
        if (GetNSent() > m_lastSent)
        {
            reason << "still sent.";
            SetVerdict(Verdict::LIVELOCK, reason.str());
        }
        else
        {
            reason << "no longer sent.";
            SetVerdict(Verdict::DEADLOCK, reason.str());
        }
    }
}

} // namespace pcode
} // namespace ns3
