/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * The lossy network, alone and with the complete protocol, compared with the bare loop.
 */

#include "bench-bare-loop.h"
#include "bench-uniform-traffic.h"

#include "ns3/idempotent-group.h"
#include "ns3/messaging-audit.h"

#include <iostream>

using namespace ns3;
using namespace ns3::bench;

namespace
{

/** Keeps messages between random nodes in flight. */
class UniformMessages : private messaging::GroupUser, private messaging::TickUser
{
  public:
    /**
     * Post the first messages.
     * @param clock the clock
     * @param group the group
     * @param messages number of messages in flight
     */
    UniformMessages(Ptr<messaging::TickClock> clock,
                    Ptr<messaging::MessageGroup> group,
                    uint32_t messages)
        : m_clock(clock),
          m_group(group),
          m_number(clock->Register(this))
    {
        m_group->SetUser(this);
        for (uint32_t i = 0; i < messages; ++i)
        {
            m_clock->At(i % SPREAD, m_number, m_random.Below(group->GetNPeers()), 0);
        }
    }

    ~UniformMessages() override
    {
        m_group->SetUser(nullptr);
    }

  private:
    static constexpr uint32_t SPREAD = 64; ///< Cycles in which the first messages are posted.
    static constexpr uint32_t BYTES = 4;   ///< Length of each message [bytes].

    void OnTick(messaging::Peer peer, uint64_t) override
    {
        messaging::Request request;
        request.id = ++m_posted;
        request.contents = m_posted;
        request.to = m_random.Below(m_group->GetNPeers());
        request.bytes = BYTES;
        if (m_group->Post(peer, request) != messaging::Acceptance::ACCEPTED)
        {
            m_clock->At(m_clock->Now() + 1, m_number, m_random.Below(m_group->GetNPeers()), 0);
        }
    }

    void OnDeliver(messaging::Peer, const messaging::Delivery&) override
    {
    }

    void OnComplete(messaging::Peer peer, messaging::RequestId, messaging::Completion) override
    {
        m_clock->At(m_clock->Now(), m_number, peer, 0);
    }

    void OnReady(messaging::Peer) override
    {
    }

    Ptr<messaging::TickClock> m_clock;    ///< Clock.
    Ptr<messaging::MessageGroup> m_group; ///< Group.
    uint32_t m_number;                    ///< User number at the clock.
    uint64_t m_posted{0};                 ///< Number of messages.
    Random m_random;                      ///< Draws nodes.
};

/**
 * Measure networks of a size.
 * @param side side of the mesh [nodes]
 * @return whether the delivery audit is clean
 */
bool
MeasureSide(uint32_t side)
{
    const uint32_t heads = side * side / NODES_PER_HEAD;
    const uint32_t cycles = 20000000 / heads;
    const std::string size = ", " + std::to_string(side) + "x" + std::to_string(side);
    const auto report = [&](const std::string& name, const Pair& pair) {
        Report(name + size,
               pair.value / 1e6,
               "M hops/s",
               "bare loop",
               pair.beside / 1e6,
               pair.ratio);
    };
    BareLoop bare(side, heads, LOSSY_FLITS);
    bare.Run(cycles);
    const auto baseline = [&] { return bare.MeasureBetter(cycles); };
    {
        ClockedNetwork lossy(MakeMesh(side));
        const UniformTraffic traffic(lossy, LOSSY_FLITS, heads, 0);
        lossy.Measure(cycles);
        report("lossy network alone", Pair(7, [&] { return lossy.Measure(cycles); }, baseline));
        Simulator::Destroy();
    }
    ClockedNetwork lossy(MakeMesh(side));
    const auto group = CreateObject<idempotent::IdempotentPortGroup<wormhole::WormholePort>>();
    group->Connect(lossy.clock, lossy.network->GetNativePort());
    const auto audit = CreateObject<messaging::DeliveryAudit>();
    audit->SetGroup(group);
    const UniformMessages messages(lossy.clock, audit, heads);
    lossy.Measure(cycles);
    report("protocol, tables, timers and audit",
           Pair(7, [&] { return lossy.Measure(cycles); }, baseline));
    Simulator::Destroy();
    if (!audit->IsClean())
    {
        std::cerr << audit->GetFirstViolation() << std::endl;
    }
    return audit->IsClean();
}

} // namespace

int
main()
{
    return MeasureSide(32) && MeasureSide(1000) ? 0 : 1;
}
