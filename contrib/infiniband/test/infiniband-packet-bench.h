/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_PACKET_BENCH_H
#define INFINIBAND_PACKET_BENCH_H

#include "ns3/infiniband-packet-engine.h"
#include "ns3/infiniband-verbs.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup infiniband-tests
 * Adapters over a wire that loses and reorders as it is told.
 */

namespace ns3
{
namespace infiniband
{
namespace tests
{

/** Attributes by name. */
using Settings = std::map<std::string, std::string>;

/** Carries each packet after a fixed time, unless it is told otherwise. */
class ScriptedWire : public Carrier, private messaging::TickUser
{
  public:
    static constexpr Ticks DELAY = 300;  ///< Of a packet [ns].
    static constexpr Ticks LATE = 12000; ///< Of one that others pass [ns].
    static constexpr int64_t LOSE = -1;  ///< As a fate: it does not arrive.

    /**
     * Begin.
     * @param clock counts nanoseconds
     * @param engine the adapters
     */
    void Start(Ptr<messaging::TickClock> clock, PacketEngine& engine)
    {
        m_clock = clock;
        m_number = clock->Register(this);
        m_user = engine.SetCarrier(this);
    }

    bool Send(HostId, HostId to, uint8_t, uint32_t bytes, const TransportHeader& header) override
    {
        const int64_t fate = decide ? decide(header, bytes) : 0;
        sent.push_back(header);
        if (fate == LOSE)
        {
            m_user->OnLost(header);
            return true;
        }
        const std::vector<HostId> all{0, 1};
        for (const HostId host : to == ALL_HOSTS ? all : std::vector<HostId>{to})
        {
            if (to == ALL_HOSTS)
            {
                m_user->OnCopied(header);
            }
            m_clock->At(m_clock->Now() + DELAY + static_cast<Ticks>(fate),
                        m_number,
                        host,
                        m_onWire.size());
            m_onWire.push_back(header);
        }
        if (to == ALL_HOSTS)
        {
            m_user->OnLost(header);
        }
        return true;
    }

    Ticks GetWireTime(HostId, uint32_t bytes) const override
    {
        return bytes;
    }

    Ticks GetIdleLatency(HostId, HostId, uint32_t) const override
    {
        return DELAY;
    }

    /** Decides what becomes of a packet: LOSE, or how much later it comes. */
    std::function<int64_t(const TransportHeader& header, uint32_t bytes)> decide;
    std::vector<TransportHeader> sent; ///< All packets.

  private:
    void OnTick(messaging::Peer host, uint64_t place) override
    {
        m_user->OnArrival(host, m_onWire[place]);
    }

    Ptr<messaging::TickClock> m_clock;     ///< Counts nanoseconds.
    CarrierUser* m_user{nullptr};          ///< The adapters.
    uint32_t m_number{0};                  ///< Ours at the clock.
    std::vector<TransportHeader> m_onWire; ///< All packets that arrive.
};

/** Two hosts, each with a completion queue and a region, over a scripted wire or a fabric. */
struct PacketBench
{
    /**
     * Begin.
     * @param attributes of the engine
     * @param useWire whether packets go over the wire; otherwise over a fabric
     */
    explicit PacketBench(const Settings& attributes = {}, bool useWire = true)
    {
        engine->SetAttribute("Mtu", UintegerValue(256));
        for (const auto& [name, value] : attributes)
        {
            engine->SetAttribute(name, StringValue(value));
        }
        if (useWire)
        {
            wire.Start(clock, *engine);
        }
        error = verbs->Open(clock, engine, 2);
        engine->AssignStreams(1);
        for (const HostId host : {0U, 1U})
        {
            cqs[host] = verbs->CreateCq(host);
            keys[host] = verbs->RegMr(host, REGION, REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC);
        }
    }

    ~PacketBench()
    {
        Simulator::Destroy();
        verbs->Dispose();
        clock->Dispose();
    }

    PacketBench(const PacketBench&) = delete;
    PacketBench& operator=(const PacketBench&) = delete;

    /**
     * Create a connection, or two datagram queue pairs, and bring them to RTS.
     * @param transport type
     * @param psn first PSN of both directions
     */
    void Connect(Transport transport, uint32_t psn = 0)
    {
        QpInitAttr attr;
        attr.transport = transport;
        attr.maxSendWr = attr.maxRecvWr = 100'000;
        for (const HostId host : {0U, 1U})
        {
            attr.sendCq = attr.recvCq = cqs[host];
            qps[host] = verbs->CreateQp(host, attr);
        }
        for (const QpState state : {QpState::INIT, QpState::RTR, QpState::RTS})
        {
            verbs->ModifyQp(qps[0], {state, qps[1], 0, psn, psn});
            verbs->ModifyQp(qps[1], {state, qps[0], 0, psn, psn});
        }
    }

    /**
     * Make a signalled request from host 0 to host 1.
     * @param id of the message
     * @param bytes length [bytes]
     * @param opcode operation
     * @return the request
     */
    SendWr Request(uint64_t id, uint32_t bytes, WrOpcode opcode = WrOpcode::SEND) const
    {
        SendWr wr;
        wr.wrId = id;
        wr.data.id = id;
        wr.data.contents = id * 0x9e3779b97f4a7c15ULL + bytes;
        wr.bytes = bytes;
        wr.opcode = opcode;
        wr.immediate = static_cast<uint32_t>(id);
        wr.localKey = keys[0];
        wr.remoteKey = keys[1];
        wr.to = {1, qps[1], 0};
        wr.flags = SIGNALED;
        return wr;
    }

    /**
     * Post a request on host 0.
     * @param wr the request
     */
    void Send(const SendWr& wr)
    {
        verbs->PostSend(qps[0], wr);
    }

    /**
     * Take all completions of a host.
     * @param host the host
     * @return the completions
     */
    std::vector<WorkCompletion> Poll(HostId host)
    {
        std::vector<WorkCompletion> wcs;
        WorkCompletion wc;
        while (verbs->PollCq(cqs[host], 1, &wc) == 1)
        {
            wcs.push_back(wc);
        }
        return wcs;
    }

    static constexpr uint64_t REGION = 1 << 24; ///< Length of the regions [bytes].

    Ptr<messaging::TickClock> clock = CreateObject<messaging::TickClock>(); ///< Clock.
    Ptr<PacketEngine> engine = CreateObject<PacketEngine>();                ///< Engine.
    Ptr<Verbs> verbs = CreateObject<Verbs>();                               ///< Verbs.
    ScriptedWire wire;               ///< What carries packets.
    std::string error;               ///< What Open has said.
    std::array<CqNumber, 2> cqs{};   ///< A queue a host.
    std::array<MemoryKey, 2> keys{}; ///< A region a host.
    std::array<Qpn, 2> qps{};        ///< A queue pair a host.
};

} // namespace tests
} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_PACKET_BENCH_H
