/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup infiniband
 * Two hosts send to a third one, whose two queue pairs share a receive queue. The program prints
 * what the trace sources of verbs and adapters report: posts, completions, and the retries of
 * reliable connections after lost packets and after RNR NAKs, since receives are posted one by one.
 *
 *     ./infiniband-traces --interval=100us --rnr-retries=2
 */

#include "ns3/abort.h"
#include "ns3/command-line.h"
#include "ns3/double.h"
#include "ns3/infiniband-engine.h"
#include "ns3/infiniband-verbs.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::infiniband;

namespace
{

constexpr HostId RECEIVER = 2;    ///< The receiving host; those below it send.
constexpr uint32_t HOSTS = 3;     ///< Number of hosts.
constexpr uint32_t BYTES = 4096;  ///< Length of a message [bytes].
constexpr uint32_t CAPACITY = 16; ///< Capacity of the shared receive queue [receives].

/** @return the output, after a column with the time and one with a name. @param name the name */
std::ostream&
Line(const std::string& name)
{
    return std::cout << std::right << std::setw(9) << std::fixed << std::setprecision(2)
                     << Simulator::Now().GetSeconds() * 1e6 << "  " << std::left << std::setw(11)
                     << name;
}

/** Sink of trace source Post. @param qp the queue pair @param wr the request */
void
OnPost(Qpn qp, const SendWr& wr)
{
    Line("Post") << "queue pair " << qp << ", request " << wr.wrId << "\n";
}

/**
 * Sink of trace source PostRecv.
 * @param srq the shared receive queue
 * @param wr the receive
 */
void
OnPostRecv(Qpn /* qp */, SrqNumber srq, const RecvWr& wr, uint32_t /* count */)
{
    Line("PostRecv") << "shared receive queue " << srq << ", receive " << wr.wrId << "\n";
}

/** Sink of trace source Completion. @param wc the completion */
void
OnCompletion(CqNumber /* cq */, const WorkCompletion& wc)
{
    Line("Completion") << "queue pair " << wc.qp << ", request or receive " << wc.wrId << ": "
                       << wc.status << "\n";
}

/** Sink of trace source QpState. @param qp the queue pair @param before old @param after new state
 */
void
OnState(Qpn qp, QpState before, QpState after)
{
    Line("QpState") << "queue pair " << qp << ", " << before << " to " << after << "\n";
}

/** Sink of trace source NakSent. @param qp the responder @param syndrome the reason @param psn PSN
 */
void
OnNak(Qpn qp, Syndrome syndrome, uint32_t psn)
{
    Line("NakSent") << "queue pair " << qp << ", " << syndrome << " of packet " << psn << "\n";
}

/** Sink of trace source Retry. @param qp the requester @param psn first PSN @param retries number
 */
void
OnRetry(Qpn qp, uint32_t psn, uint8_t retries)
{
    Line("Retry") << "queue pair " << qp << ", from packet " << psn << ", number " << +retries
                  << "\n";
}

/** Sink of trace source RnrRetry. @param qp the requester @param psn first PSN @param retries
 * number */
void
OnRnrRetry(Qpn qp, uint32_t psn, uint8_t retries)
{
    Line("RnrRetry") << "queue pair " << qp << ", from packet " << psn << ", number " << +retries
                     << "\n";
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t messages = 2;
    double corruption = 0.02;
    uint16_t rnrRetries = 7;
    Time interval = MicroSeconds(20);
    CommandLine command(__FILE__);
    command.AddValue("messages", "Messages of each sender, up to 8", messages);
    command.AddValue("corruption", "Probability that a cable corrupts a packet", corruption);
    command.AddValue("rnr-retries", "Retries after an RNR NAK, 7 for any number", rnrRetries);
    command.AddValue("interval", "Time between two receives", interval);
    command.Parse(argc, argv);
    if (messages == 0 || RECEIVER * messages > CAPACITY || rnrRetries > 7 ||
        !(corruption >= 0 && corruption < 1) || !interval.IsStrictlyPositive())
    {
        std::cerr << "The arguments must be 1 to 8 messages, a corruption from 0 to below 1, 0 to "
                     "7 RNR retries, and an interval above 0."
                  << std::endl;
        return 2;
    }

    const auto clock = CreateObject<messaging::TickClock>();
    const auto engine = CreateObject<Engine>();
    engine->SetAttribute("Corruption", DoubleValue(corruption));
    engine->SetAttribute("AckTimeout", UintegerValue(50'000));
    engine->SetAttribute("RnrTimeout", UintegerValue(10'000));
    engine->SetAttribute("RnrRetryCount", UintegerValue(rnrRetries));
    engine->AssignStreams(1);
    engine->TraceConnectWithoutContext("NakSent", MakeCallback(&OnNak));
    engine->TraceConnectWithoutContext("Retry", MakeCallback(&OnRetry));
    engine->TraceConnectWithoutContext("RnrRetry", MakeCallback(&OnRnrRetry));
    const auto verbs = CreateObject<Verbs>();
    const std::string error = verbs->Open(clock, engine, HOSTS);
    NS_ABORT_MSG_UNLESS(error.empty(), error);

    QpInitAttr receiving;
    receiving.srq = verbs->CreateSrq(RECEIVER, CAPACITY);
    receiving.sendCq = receiving.recvCq = verbs->CreateCq(RECEIVER);
    std::vector<Qpn> senders;
    for (HostId host = 0; host < RECEIVER; ++host)
    {
        QpInitAttr sending;
        sending.sendCq = sending.recvCq = verbs->CreateCq(host);
        senders.push_back(verbs->CreateQp(host, sending));
        verbs->ConnectQps(senders.back(), verbs->CreateQp(RECEIVER, receiving));
    }
    // From here on, queue pairs change their state by errors only.
    verbs->TraceConnectWithoutContext("QpState", MakeCallback(&OnState));
    verbs->TraceConnectWithoutContext("Post", MakeCallback(&OnPost));
    verbs->TraceConnectWithoutContext("PostRecv", MakeCallback(&OnPostRecv));
    verbs->TraceConnectWithoutContext("Completion", MakeCallback(&OnCompletion));

    std::cout << "  time us  source     event\n";
    for (HostId host = 0; host < RECEIVER; ++host)
    {
        SendWr wr;
        wr.bytes = BYTES;
        wr.flags = SIGNALED;
        wr.localKey = verbs->RegMr(host, BYTES, 0);
        for (uint32_t n = 0; n < messages; ++n)
        {
            wr.wrId = n;
            verbs->PostSend(senders[host], wr);
        }
    }
    for (uint32_t n = 0; n < RECEIVER * messages; ++n)
    {
        Simulator::Schedule(interval * static_cast<int64_t>(n + 1), [verbs, &receiving, n] {
            verbs->PostSrqRecv(receiving.srq, {n, BYTES});
        });
    }
    Simulator::Run();
    Simulator::Destroy();
    verbs->Dispose();
    clock->Dispose();
    return 0;
}
