/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "infiniband-engine-traffic.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ns3
{
namespace infiniband
{

namespace
{

/** Receives of a queue pair; each one used is posted again at once. */
constexpr uint32_t RECEIVES = 1U << 16;

/** Longest send queue: no message of a plan is refused. */
constexpr uint32_t SENDS = 1U << 24;

} // namespace

EngineTraffic::EngineTraffic(Ptr<messaging::TickClock> clock,
                             Ptr<Engine> engine,
                             HostId hosts,
                             const EngineLoad& load)
    : m_clock(clock),
      m_engine(engine),
      m_verbs(CreateObject<Verbs>()),
      m_hosts(hosts),
      m_load(load),
      m_gaps(CreateObject<ExponentialRandomVariable>()),
      m_choices(CreateObject<UniformRandomVariable>()),
      m_user(clock->Register(this))
{
}

EngineTraffic::~EngineTraffic()
{
    m_verbs->Dispose();
}

int64_t
EngineTraffic::AssignStreams(int64_t stream)
{
    m_gaps->SetStream(stream);
    m_choices->SetStream(stream + 1);
    return 2;
}

std::string
EngineTraffic::Start()
{
    std::string error = m_verbs->Open(m_clock, m_engine, m_hosts);
    if (!error.empty())
    {
        return error;
    }
    for (HostId host = 0; host < m_hosts; ++host)
    {
        m_cqs.push_back(m_verbs->CreateCq(host, this, host));
        m_verbs->ReqNotifyCq(m_cqs.back());
        m_keys.push_back(m_verbs->RegMr(host, m_load.bytes, 0));
    }
    const bool datagram = m_load.transport == Transport::UD;
    m_qps.assign(std::size_t{m_hosts} * (datagram ? 1 : m_hosts) * m_load.ranks, NO_QP);
    Plan();
    m_latencies.reserve(m_plan.size());
    // All queue pairs exist before the first message, as they do where programs begin with them.
    for (const Planned& planned : m_plan)
    {
        GetQp(planned.from, planned.to, planned.rank);
        GetQp(planned.to, planned.from, planned.rank);
    }
    PlanNext();
    return "";
}

void
EngineTraffic::Plan()
{
    const LinkConfig& link = m_engine->GetLinkConfig();
    const double rate = m_load.load * (link.rate == LinkRate::SDR ? 1 : 2);
    const auto total = [this](uint32_t messages) { return std::size_t{messages} * m_hosts; };
    const auto choose = [this](HostId from) {
        const auto other = static_cast<HostId>(m_choices->GetInteger(0, m_hosts - 2));
        return other + (other >= from ? 1 : 0);
    };
    switch (m_load.pattern)
    {
    case EnginePattern::PING:
    case EnginePattern::STREAM:
        m_plan.assign(m_load.messages, Planned{0, 0, m_hosts - 1, 0, 0});
        break;
    case EnginePattern::ALL_TO_ALL:
        m_plan.reserve(total(m_load.messages) * (m_hosts - 1));
        for (uint32_t round = 0; round < m_load.messages; ++round)
        {
            for (HostId step = 1; step < m_hosts; ++step)
            {
                for (HostId from = 0; from < m_hosts; ++from)
                {
                    m_plan.push_back({0, from, (from + step) % m_hosts, 0, round % m_load.ranks});
                }
            }
        }
        break;
    case EnginePattern::UNIFORM:
    case EnginePattern::PERMUTATION:
    case EnginePattern::INCAST:
    case EnginePattern::BURSTS:
        const bool bursts = m_load.pattern == EnginePattern::BURSTS;
        const bool incast = m_load.pattern == EnginePattern::INCAST;
        const uint32_t together = bursts ? m_load.burst : 1;
        const double gap = m_load.bytes * together / rate * (incast ? m_hosts - 1 : 1);
        m_plan.reserve(total(m_load.messages));
        for (HostId from = incast ? 1 : 0; from < m_hosts; ++from)
        {
            double when = 0;
            for (uint32_t n = 0; n < m_load.messages; ++n)
            {
                when += n % together == 0 ? m_gaps->GetValue(gap, 0) : 0;
                const HostId to = incast ? 0
                                  : m_load.pattern == EnginePattern::PERMUTATION
                                      ? (from + m_hosts / 2) % m_hosts
                                      : choose(from);
                m_plan.push_back({static_cast<Ticks>(when), from, to, n, n % m_load.ranks});
            }
        }
        std::stable_sort(m_plan.begin(), m_plan.end(), [](const Planned& a, const Planned& b) {
            return a.when < b.when;
        });
        break;
    }
}

Qpn
EngineTraffic::GetQp(HostId from, HostId to, uint32_t rank)
{
    const bool datagram = m_load.transport == Transport::UD;
    const auto place = [&](HostId a, HostId b) -> Qpn& {
        const std::size_t pair = datagram ? a : std::size_t{a} * m_hosts + b;
        return m_qps[pair * m_load.ranks + rank];
    };
    Qpn& qp = place(from, to);
    if (qp != NO_QP)
    {
        return qp;
    }
    const auto create = [&](HostId host) {
        QpInitAttr attr;
        attr.transport = m_load.transport;
        attr.sendCq = m_cqs[host];
        attr.recvCq = m_cqs[host];
        attr.maxSendWr = SENDS;
        attr.maxRecvWr = 2 * RECEIVES;
        const Qpn made = m_verbs->CreateQp(host, attr);
        m_newest.resize(made + 1);
        return made;
    };
    qp = create(from);
    const Qpn created = qp;
    if (datagram)
    {
        for (const QpState state : {QpState::INIT, QpState::RTR, QpState::RTS})
        {
            m_verbs->ModifyQp(created, QpAttr{state});
        }
    }
    else
    {
        const Qpn other = create(to);
        place(to, from) = other;
        m_verbs->ConnectQps(created, other);
        m_verbs->PostRecv(other, {0, m_load.bytes}, RECEIVES);
    }
    m_verbs->PostRecv(created, {0, m_load.bytes + GRH_BYTES}, RECEIVES);
    return created;
}

void
EngineTraffic::PlanNext()
{
    if (m_next < m_plan.size())
    {
        const Ticks when =
            m_load.pattern == EnginePattern::PING ? m_clock->Now() : m_plan[m_next].when;
        m_clock->At(when, m_user, 0, 0);
    }
}

void
EngineTraffic::OnTick(messaging::Peer /* peer */, uint64_t /* datum */)
{
    const Ticks now = m_clock->Now();
    const bool ping = m_load.pattern == EnginePattern::PING;
    do
    {
        Planned& planned = m_plan[m_next];
        planned.when = now;
        SendWr wr;
        wr.wrId = m_next;
        wr.data.id = m_next;
        wr.bytes = m_load.bytes;
        wr.flags = wr.bytes <= m_engine->GetHcaConfig().inlineLimit ? INLINE : 0;
        wr.localKey = m_keys[planned.from];
        wr.to.host = planned.to;
        if (m_load.transport == Transport::UD)
        {
            wr.to.qp = GetQp(planned.to, planned.from, planned.rank);
        }
        m_verbs->PostSend(GetQp(planned.from, planned.to, planned.rank), wr);
        ++m_next;
    } while (!ping && m_next < m_plan.size() && m_plan[m_next].when <= now);
    if (!ping)
    {
        PlanNext();
    }
}

void
EngineTraffic::OnCompletion(CqNumber cq, uint64_t /* cookie */)
{
    std::array<WorkCompletion, 16> completions;
    uint32_t count;
    while ((count = m_verbs->PollCq(cq, completions.size(), completions.data())) > 0)
    {
        for (uint32_t n = 0; n < count; ++n)
        {
            const WorkCompletion& wc = completions[n];
            if (wc.opcode != WcOpcode::RECV || wc.status != WcStatus::SUCCESS)
            {
                continue;
            }
            m_end = m_clock->Now();
            m_latencies.push_back(m_end - m_plan[wc.data.id].when);
            m_verbs->PostRecv(wc.qp, {0, m_load.bytes + GRH_BYTES});
            if (m_load.transport != Transport::UD)
            {
                m_disordered += wc.data.id < m_newest[wc.qp];
                m_newest[wc.qp] = wc.data.id + 1;
            }
            if (m_load.pattern == EnginePattern::PING)
            {
                PlanNext();
            }
        }
    }
    m_verbs->ReqNotifyCq(cq);
}

} // namespace infiniband
} // namespace ns3
