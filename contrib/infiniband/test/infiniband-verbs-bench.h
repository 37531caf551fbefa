/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INFINIBAND_VERBS_BENCH_H
#define INFINIBAND_VERBS_BENCH_H

#include "infiniband-scripted-engine.h"

#include "ns3/simulator.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <array>
#include <sstream>
#include <string>

/**
 * @file
 * @ingroup infiniband
 * Two hosts whose verbs the tests call.
 */

namespace ns3
{
namespace infiniband
{
namespace tests
{

/** All states of a queue pair. */
inline constexpr std::array STATES{QpState::RESET,
                                   QpState::INIT,
                                   QpState::RTR,
                                   QpState::RTS,
                                   QpState::SQD,
                                   QpState::SQE,
                                   QpState::ERR};

/** All transport services. */
inline constexpr std::array TRANSPORTS{Transport::RC, Transport::UC, Transport::UD};

/** All operations of a send request. */
inline constexpr std::array OPCODES{WrOpcode::SEND,
                                    WrOpcode::SEND_WITH_IMM,
                                    WrOpcode::RDMA_WRITE,
                                    WrOpcode::RDMA_WRITE_WITH_IMM,
                                    WrOpcode::RDMA_READ,
                                    WrOpcode::ATOMIC_CMP_AND_SWP,
                                    WrOpcode::ATOMIC_FETCH_AND_ADD};

inline constexpr uint64_t REGION_BYTES = 1 << 20; ///< Length of the regions of the tests [bytes].

/** Two hosts with verbs over a scripted engine. */
struct VerbsBench
{
    VerbsBench()
    {
        error = verbs->Open(clock, engine, 2);
        cqs = {verbs->CreateCq(0), verbs->CreateCq(1)};
        keys = {verbs->RegMr(0, REGION_BYTES, 0), verbs->RegMr(1, REGION_BYTES, ALL_ACCESS)};
    }

    ~VerbsBench()
    {
        verbs->Dispose();
        clock->Dispose();
        Simulator::Destroy();
    }

    VerbsBench(const VerbsBench&) = delete;
    VerbsBench& operator=(const VerbsBench&) = delete;

    /**
     * Create a queue pair.
     * @param transport its type
     * @param host its host
     * @return its number
     */
    Qpn Create(Transport transport, HostId host = 0)
    {
        QpInitAttr attr;
        attr.transport = transport;
        attr.sendCq = cqs[host];
        attr.recvCq = cqs[host];
        return verbs->CreateQp(host, attr);
    }

    /**
     * Create a connected pair, or two datagram queue pairs, in RTS.
     * @param transport their type
     * @return the queue pairs of host 0 and host 1
     */
    std::array<Qpn, 2> CreateConnected(Transport transport)
    {
        const std::array<Qpn, 2> qps{Create(transport, 0), Create(transport, 1)};
        verbs->ConnectQps(qps[0], qps[1]);
        return qps;
    }

    /**
     * Make a signalled request of a few bytes.
     * @param wrId its number
     * @param opcode its operation
     * @return the request
     */
    SendWr Request(uint64_t wrId, WrOpcode opcode = WrOpcode::SEND) const
    {
        SendWr wr;
        wr.wrId = wrId;
        wr.opcode = opcode;
        wr.bytes = 8;
        wr.localKey = keys[0];
        wr.remoteKey = keys[1];
        wr.flags = SIGNALED;
        wr.to = {1, 1, 0};
        return wr;
    }

    /**
     * Bring a connected queue pair to a state.
     * @param qp the queue pair, in RESET
     * @param other the other one
     * @param state the state
     */
    void Bring(Qpn qp, Qpn other, QpState state)
    {
        for (const QpState next : {QpState::INIT, QpState::RTR, QpState::RTS})
        {
            if (state != QpState::RESET && (state > QpState::RTS || next <= state))
            {
                verbs->ModifyQp(qp, {next, other, 0});
            }
        }
        if (state == QpState::SQD || state == QpState::ERR)
        {
            verbs->ModifyQp(qp, {state, NO_QP, 0});
        }
        else if (state == QpState::SQE)
        {
            SendWr wr = Request(99);
            wr.localKey = NO_KEY;
            verbs->PostSend(qp, wr);
            Poll(0);
        }
    }

    /**
     * Take all completions of a host.
     * @param host the host
     * @return the completions
     */
    std::vector<WorkCompletion> Poll(HostId host)
    {
        std::vector<WorkCompletion> wcs(1000);
        wcs.resize(verbs->PollCq(cqs[host], 1000, wcs.data()));
        return wcs;
    }

    Ptr<messaging::TickClock> clock = CreateObject<messaging::TickClock>(); ///< Clock.
    Ptr<ScriptedEngine> engine = CreateObject<ScriptedEngine>();            ///< Engine.
    Ptr<Verbs> verbs = CreateObject<Verbs>();                               ///< Verbs under test.
    std::string error;                                                      ///< Error of Open.
    std::array<CqNumber, 2> cqs{};                                          ///< Queues by host.
    std::array<MemoryKey, 2> keys{};                                        ///< Keys by host.
};

/**
 * Print values.
 * @tparam T their types
 * @param values the values
 * @return the text
 */
template <class... T>
std::string
Text(const T&... values)
{
    std::ostringstream os;
    ((os << values << " "), ...);
    return os.str();
}

} // namespace tests
} // namespace infiniband
} // namespace ns3

#endif // INFINIBAND_VERBS_BENCH_H
