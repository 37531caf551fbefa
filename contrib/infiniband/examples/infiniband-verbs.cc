/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup infiniband
 * One host sends to another over each of the transports, with cables that corrupt packets: RC
 * repairs, UC drops whole messages, UD drops packets. The calls are those of libibverbs.
 */

#include "ns3/infiniband-verbs.h"

#include "ns3/abort.h"
#include "ns3/command-line.h"
#include "ns3/double.h"
#include "ns3/infiniband-engine.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <iomanip>
#include <iostream>

using namespace ns3;
using namespace ns3::infiniband;

namespace
{

/** Command-line options. */
struct Options
{
    uint32_t messages{1000};  ///< Number of messages.
    uint32_t bytes{8192};     ///< Message length; on UD at most the MTU [bytes].
    double corruption{0.001}; ///< Corruption probability of a packet on a cable.
};

/** Counts messages as they arrive, and posts a receive for each. */
class Receiver : public CqUser
{
  public:
    /** @param verbs the verbs */
    explicit Receiver(Verbs& verbs)
        : m_verbs(verbs)
    {
    }

    void OnCompletion(CqNumber cq, uint64_t /* cookie */) override
    {
        std::array<WorkCompletion, 16> wcs;
        while (const uint32_t n = m_verbs.PollCq(cq, wcs.size(), wcs.data()))
        {
            received += n;
            m_verbs.PostRecv(wcs[0].qp, {0, wcs[0].bytes}, n);
        }
        m_verbs.ReqNotifyCq(cq);
    }

    uint64_t received{0}; ///< Number of messages received.

  private:
    Verbs& m_verbs; ///< The verbs.
};

/**
 * Send over a transport.
 * @param transport the transport
 * @param options the command-line options
 */
void
Run(Transport transport, const Options& options)
{
    auto clock = CreateObject<messaging::TickClock>();
    auto engine = CreateObject<Engine>();
    engine->SetAttribute("Corruption", DoubleValue(options.corruption));
    engine->SetAttribute("AckTimeout", UintegerValue(1'000'000));
    engine->AssignStreams(1);
    auto verbs = CreateObject<Verbs>();
    const std::string error = verbs->Open(clock, engine, 2);
    NS_ABORT_MSG_UNLESS(error.empty(), error);

    const uint32_t mtu = engine->GetLinkConfig().mtu;
    const uint32_t bytes =
        transport == Transport::UD ? std::min(options.bytes, mtu) : options.bytes;
    Receiver receiver(*verbs);
    QpInitAttr attr;
    attr.transport = transport;
    attr.maxSendWr = options.messages;
    attr.sendCq = attr.recvCq = verbs->CreateCq(0);
    const Qpn from = verbs->CreateQp(0, attr);
    attr.sendCq = attr.recvCq = verbs->CreateCq(1, &receiver);
    const Qpn to = verbs->CreateQp(1, attr);
    verbs->ConnectQps(from, to);
    verbs->PostRecv(to, {0, bytes + GRH_BYTES}, 100);
    verbs->ReqNotifyCq(attr.recvCq);

    SendWr wr;
    wr.bytes = bytes;
    wr.localKey = verbs->RegMr(0, bytes, 0);
    wr.to = {1, to, 0};
    for (uint32_t n = 0; n < options.messages; ++n)
    {
        wr.wrId = n;
        verbs->PostSend(from, wr);
    }
    Simulator::Run();

    std::cout << std::left << std::setw(4) << transport << std::right << std::setw(8) << bytes
              << std::setw(8) << receiver.received << std::setw(9) << engine->GetCounters().packets
              << std::setw(7) << engine->GetCounters().lost << std::setw(7)
              << engine->GetCounters().acks << std::setw(9) << engine->GetCounters().retries
              << std::setw(10) << std::fixed << std::setprecision(3)
              << Simulator::Now().GetSeconds() * 1e3 << "\n";
    Simulator::Destroy();
    verbs->Dispose();
    clock->Dispose();
}

} // namespace

int
main(int argc, char* argv[])
{
    Options options;
    CommandLine command(__FILE__);
    command.AddValue("messages", "Number of messages", options.messages);
    command.AddValue("bytes", "Message length; on UD at most the MTU", options.bytes);
    command.AddValue("corruption",
                     "Probability that a cable corrupts a packet",
                     options.corruption);
    command.Parse(argc, argv);
    if (options.messages == 0 || !(options.corruption >= 0 && options.corruption < 1))
    {
        std::cerr << "The arguments must be at least one message, and a corruption from 0 to "
                     "below 1."
                  << std::endl;
        return 2;
    }

    std::cout << options.messages << " messages from one host to another\n"
              << "       bytes arrived  packets   lost   acks  retries  ended ms\n";
    for (const Transport transport : {Transport::RC, Transport::UC, Transport::UD})
    {
        Run(transport, options);
    }
    return 0;
}
