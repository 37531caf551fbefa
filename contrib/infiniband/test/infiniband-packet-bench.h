/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_PACKET_BENCH_H
#define INFINIBAND_PACKET_BENCH_H

#include "ns3/infiniband-engine.h"
#include "ns3/infiniband-verbs.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <array>
#include <bit>
#include <functional>
#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup infiniband-tests
 * Adapters over a wire that loses and reorders as the test decides.
 */

namespace ns3
{
namespace infiniband
{
namespace tests
{

/** Attributes by name. */
using BenchSettings = std::map<std::string, std::string>;

/** Timeouts that a test need not wait long for. */
inline const HcaConfig FAST{.ackTimeout = 40'000, .rnrTimeout = 20'000};

/** A fabric with a fixed delay for each packet, unless the test decides otherwise. */
class ScriptedWire : public Fabric
{
  public:
    static constexpr Ticks DELAY = 300;  ///< Default delay of a packet [ns].
    static constexpr Ticks LATE = 12000; ///< Delay of a packet that others overtake [ns].
    static constexpr int64_t LOSE = -1;  ///< Fate: the packet is lost.

    void Start(Ptr<Subnet> subnet, Ptr<messaging::TickClock> clock, FabricUser* user) override
    {
        Fabric::Start(subnet, clock, user);
        m_clock = clock;
        m_user = user;
        m_number = clock->Register(&m_arrivals);
    }

    bool HasRoom(HostId, uint8_t) override
    {
        return true;
    }

    void Inject(HostId from, PacketIndex index) override
    {
        const auto header = std::bit_cast<TransportHeader>(Get(index).user);
        const int64_t fate = decide ? decide(header, Get(index).bytes) : 0;
        sent.push_back(header);
        if (fate == LOSE)
        {
            m_user->OnDrop(index, DropReason::VCRC);
            return;
        }
        const bool group = Get(index).destination >= MULTICAST_LID;
        const HostId to =
            group ? 1 - from : GetSubnet()->GetManager().GetVertex(Get(index).destination);
        m_clock->At(m_clock->Now() + DELAY + static_cast<Ticks>(fate), m_number, to, index);
    }

    Ticks GetWireTime(HostId, uint32_t bytes) const override
    {
        return bytes;
    }

    Ticks GetIdleLatency(HostId, Lid, uint32_t) const override
    {
        return DELAY;
    }

    /** Decides the fate of a packet: LOSE, or its additional delay. */
    std::function<int64_t(const TransportHeader& header, uint32_t bytes)> decide;
    std::vector<TransportHeader> sent; ///< All packets.

  private:
    /** Delivers arriving packets. */
    struct Arrivals : messaging::TickUser
    {
        /** @param wire the wire */
        explicit Arrivals(ScriptedWire& wire)
            : wire(wire)
        {
        }

        void OnTick(messaging::Peer host, uint64_t index) override
        {
            wire.m_user->OnPacket(host, static_cast<PacketIndex>(index));
        }

        ScriptedWire& wire; ///< The wire.
    };

    Arrivals m_arrivals{*this};        ///< Arriving packets.
    Ptr<messaging::TickClock> m_clock; ///< Counts nanoseconds.
    FabricUser* m_user{nullptr};       ///< The adapters.
    uint32_t m_number{0};              ///< User number at the clock.
};

/** Two hosts, each with a completion queue and a region, over a scripted wire or a fabric. */
struct PacketBench
{
    /**
     * Begin.
     * @param attributes attributes of the engine
     * @param hca constants of the adapters, before the attributes
     * @param useWire whether to use the wire instead of a fabric
     */
    explicit PacketBench(const BenchSettings& attributes = {},
                         const HcaConfig& hca = {},
                         bool useWire = true)
    {
        if (useWire)
        {
            engine->SetFabric(wire);
        }
        engine->SetHcaConfig(hca);
        engine->SetAttribute("Mtu", UintegerValue(256));
        for (const auto& [name, value] : attributes)
        {
            engine->SetAttribute(name, StringValue(value));
        }
        error = verbs->Open(clock, engine, 2);
        engine->AssignStreams(1);
        for (const HostId host : {0U, 1U})
        {
            cqs[host] = verbs->CreateCq(host);
            keys[host] = verbs->RegMr(host, REGION, ALL_ACCESS);
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
     * @param id ID of the message
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
    Ptr<Engine> engine = CreateObject<Engine>();                            ///< Engine.
    Ptr<Verbs> verbs = CreateObject<Verbs>();                               ///< Verbs.
    Ptr<ScriptedWire> wire = CreateObject<ScriptedWire>();                  ///< Carries packets.
    std::string error;                                                      ///< Error of Open.
    std::array<CqNumber, 2> cqs{};                                          ///< Queues by host.
    std::array<MemoryKey, 2> keys{};                                        ///< Keys by host.
    std::array<Qpn, 2> qps{};                                               ///< Pairs by host.
};

} // namespace tests
} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_PACKET_BENCH_H
