/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pcode-host-costs.h"

#include "ns3/messaging-attributes.h"

namespace ns3
{
namespace pcode
{

NS_OBJECT_ENSURE_REGISTERED(HostCosts);

using messaging::Work;
using messaging::WorkKind;

namespace
{

/** Wire time of the tiny packet of a round trip: a frame of 64 bytes, with preamble and gap. */
constexpr int64_t TINY_PACKET_NS = 67200;

} // namespace

TypeId
HostCosts::GetTypeId()
{
    static TypeId tid = [] {
        using C = HostCosts;
        TypeId type = TypeId("ns3::pcode::HostCosts")
                          .SetParent<Object>()
                          .SetGroupName("Pcode")
                          .AddConstructor<C>();
        messaging::Attributes<C>(type)
            .AddAttribute("HostScale",
                          "Slowness of the workstations, relative to the ones whose round trips "
                          "were measured: 1.3 to 2 for an Indigo R4000 [ratio; default, geometric "
                          "middle of that band].",
                          &C::m_scale,
                          1.6,
                          0,
                          1000)
            .AddAttribute("SystemCall",
                          "A system call [s; lmbench, IRIX on IP22, 10 to 11 us].",
                          &C::m_systemCall,
                          NanoSeconds(10500),
                          Time(0),
                          Hours(1))
            .AddAttribute("ContextSwitch",
                          "A change of the CPU to another process, or its return from idling [s; "
                          "lmbench, IRIX on IP22, 38 to 40 us].",
                          &C::m_contextSwitch,
                          MicroSeconds(39),
                          Time(0),
                          Hours(1))
            .AddAttribute("CopyRate",
                          "Bandwidth of a copy between user and kernel [bit/s; lmbench, IRIX on "
                          "IP22, bcopy 32 MB/s].",
                          &C::m_copyRate,
                          DataRate("256Mbps"))
            .AddAttribute("UdpRoundTrip",
                          "Round trip of a tiny message over UDP and 10 Mbit/s Ethernet, from "
                          "which the cost of a datagram follows [s; lmbench, IRIX on IP22].",
                          &C::m_udpRoundTrip,
                          MicroSeconds(602),
                          Time(0),
                          Hours(1))
            .AddAttribute("TcpRoundTrip",
                          "The same over TCP, from which the cost of a segment follows [s; "
                          "lmbench, IRIX on IP22].",
                          &C::m_tcpRoundTrip,
                          MicroSeconds(543),
                          Time(0),
                          Hours(1))
            .AddAttribute("LocalTcpRoundTrip",
                          "Round trip of a tiny message over TCP between two processes of a host, "
                          "from which the cost of reaching a daemon follows [s; lmbench, IRIX on "
                          "IP22].",
                          &C::m_localTcp,
                          MicroSeconds(278),
                          Time(0),
                          Hours(1))
            .AddAttribute("LocalRpcRoundTrip",
                          "The same for a remote procedure call over local TCP [s; lmbench, IRIX "
                          "on IP22, 580 to 641 us].",
                          &C::m_localRpc,
                          MicroSeconds(610),
                          Time(0),
                          Hours(1))
            .AddAttribute("LocalUdpRoundTrip",
                          "Round trip of a tiny message over UDP between two processes of a host, "
                          "from which the cost of receiving one's own broadcast follows [s; "
                          "lmbench, IRIX on IP22, 261 to 313 us].",
                          &C::m_localUdp,
                          MicroSeconds(287),
                          Time(0),
                          Hours(1))
            .AddAttribute("HearsOwn",
                          "A broadcast comes back to its sender, which reads and drops it, as "
                          "BSD's stacks do and Figure 3 expects [-; section 3, Figure 3].",
                          &C::m_hearsOwn,
                          false);
        return type;
    }();
    return tid;
}

HostCosts::HostCosts() = default;

HostCosts::~HostCosts() = default;

Time
HostCosts::GetSystemCall() const
{
    return m_systemCall * m_scale;
}

Time
HostCosts::GetContextSwitch() const
{
    return m_contextSwitch * m_scale;
}

DataRate
HostCosts::GetCopyRate() const
{
    // A rate of zero stands for copies that cost nothing.
    return m_scale > 0 ? DataRate(static_cast<uint64_t>(m_copyRate.GetBitRate() / m_scale))
                       : DataRate(0);
}

Time
HostCosts::GetPacketCost(bool tcp) const
{
    const Time half = (tcp ? m_tcpRoundTrip : m_udpRoundTrip) / 2;
    const Time stacks = half - NanoSeconds(TINY_PACKET_NS) - 2 * m_systemCall - m_contextSwitch;
    return stacks / 2 * m_scale;
}

Time
HostCosts::GetIpcCost(IpcKind ipc) const
{
    if (ipc == IpcKind::LINKED)
    {
        return Time(0);
    }
    const Time half = (ipc == IpcKind::LOCAL_TCP ? m_localTcp : m_localRpc) / 2;
    return (half - 2 * m_systemCall - m_contextSwitch) / 2 * m_scale;
}

std::optional<Time>
HostCosts::GetOwnCost() const
{
    if (!m_hearsOwn)
    {
        return std::nullopt;
    }
    return (m_localUdp / 2 - 2 * m_systemCall - m_contextSwitch) / 2 * m_scale;
}

void
HostCosts::Apply(messaging::HostHelper& helper, bool tcp) const
{
    // Context switches are charged by the Workstation, which knows when a process sleeps.
    helper.SetHostAttribute("SystemCall", TimeValue(GetSystemCall()));
    helper.SetHostAttribute("CopyRate", DataRateValue(GetCopyRate()));
    helper.SetHostAttribute("Interrupt", TimeValue(GetPacketCost(tcp)));
    helper.SetDeviceAttribute("SendInstructions", TimeValue(GetPacketCost(tcp)));
    helper.SetDeviceAttribute("ReceiveInterrupts", UintegerValue(1));
}

std::string
HostCosts::Check() const
{
    for (const auto& [cost, name] : {std::pair(GetPacketCost(false), "UdpRoundTrip"),
                                     std::pair(GetPacketCost(true), "TcpRoundTrip"),
                                     std::pair(GetIpcCost(IpcKind::LOCAL_TCP), "LocalTcpRoundTrip"),
                                     std::pair(GetIpcCost(IpcKind::LOCAL_RPC), "LocalRpcRoundTrip"),
                                     std::pair(GetOwnCost().value_or(Time()), "LocalUdpRoundTrip")})
    {
        if (cost.IsStrictlyNegative())
        {
            return std::string(name) + " is too short: it has to be longer than its system calls, "
                                       "context switches and time on the wire.";
        }
    }
    return "";
}

std::vector<Work>
MakeCallWork(uint32_t calls, uint64_t bytes, Time instructions)
{
    std::vector<Work> steps;
    steps.reserve(4);
    if (calls > 0)
    {
        steps.push_back(Work{0, calls, WorkKind::SYSTEM_CALL});
    }
    if (instructions.IsStrictlyPositive())
    {
        steps.push_back(
            Work{0, static_cast<uint64_t>(instructions.GetNanoSeconds()), WorkKind::INSTRUCTIONS});
    }
    if (bytes > 0)
    {
        steps.push_back(Work{0, bytes, WorkKind::COPY});
    }
    return steps;
}

} // namespace pcode
} // namespace ns3
