/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup messaging
 * A user-defined protocol over a network of ns-3: it repeats messages until acknowledged, over csma
 * devices that lose frames. The same core runs over any other port, and in an Explorer without a
 * simulator.
 */

#include "ns3/command-line.h"
#include "ns3/csma-helper.h"
#include "ns3/double.h"
#include "ns3/messaging-audit.h"
#include "ns3/messaging-core-group.h"
#include "ns3/messaging-endpoint.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-net-device-port.h"
#include "ns3/node-container.h"
#include "ns3/simulator.h"

#include <iostream>
#include <map>
#include <set>
#include <utility>

using namespace ns3;
using namespace ns3::messaging;

namespace
{

/**
 * The protocol: DATA is repeated, with increasing timeouts, until its ACK arrives; it is delivered
 * once.
 */
class RepeatCore
{
  public:
    /** Packet types. */
    enum Kind : uint8_t
    {
        DATA, ///< Carries a message.
        ACK   ///< Acknowledges a message.
    };

    /**
     * Take a message.
     * @param request the message
     * @param out actions
     * @return accepted
     */
    template <class Out>
    Acceptance OnRequest(const Request& request, Out& out)
    {
        m_waiting[request.id] = {request, 0};
        OnTimer(request.id, out);
        return Acceptance::ACCEPTED;
    }

    /**
     * Take a frame.
     * @param from its sender
     * @param frame the frame
     * @param out actions
     */
    template <class Out>
    void OnFrame(Peer from, const Frame& frame, Out& out)
    {
        if (frame.kind == ACK)
        {
            if (m_waiting.erase(frame.id) > 0)
            {
                out.Cancel(frame.id);
                out.Complete(frame.id, Completion::DELIVERED);
            }
            return;
        }
        if (m_delivered.emplace(from, frame.id).second)
        {
            out.Deliver(Delivery{frame.id, frame.contents, from, frame.payload, frame.aux, 0});
        }
        out.Send(from, Frame{.id = frame.id, .header = 16, .kind = ACK});
    }

    /**
     * Send a message, again or for the first time.
     * @param id the message
     * @param out actions
     */
    template <class Out>
    void OnTimer(TimerId id, Out& out)
    {
        auto& [request, attempts] = m_waiting.at(id);
        const Frame frame{.id = id,
                          .contents = request.contents,
                          .payload = request.bytes,
                          .aux = request.tag,
                          .header = 16,
                          .kind = DATA};
        out.Send(request.to, frame);
        out.Arm(id, (2 * out.Distance(request.to) + 10 * out.WireTicks(frame)) << attempts++);
    }

    /** The core requests no work. */
    template <class Out>
    void OnDone(WorkId, Out&)
    {
    }

    /** The timer repeats refused frames. */
    template <class Out>
    void OnReady(Out&)
    {
    }

    /**
     * Encode the canonical state: waiting and delivered messages. Attempts affect only the time of
     * a repetition.
     * @param e the encoder
     */
    void Encode(Encoder& e) const
    {
        e.Put(m_waiting.size());
        for (const auto& [id, waiting] : m_waiting)
        {
            e.Put(id);
        }
        for (const auto& [from, id] : m_delivered)
        {
            e.Put(from);
            e.Put(id);
        }
    }

  private:
    /** Messages without an ACK, and their numbers of transmissions; each doubles the timeout. */
    std::map<RequestId, std::pair<Request, uint32_t>> m_waiting;
    std::set<std::pair<Peer, uint64_t>> m_delivered; ///< Delivered messages.
};

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t peers = 4;
    uint32_t messages = 100;
    double loss = 0.1;
    CommandLine cmd(__FILE__);
    cmd.AddValue("peers", "number of nodes on the segment", peers);
    cmd.AddValue("messages", "messages of each node", messages);
    cmd.AddValue("loss", "probability that a frame is lost", loss);
    cmd.Parse(argc, argv);
    if (peers == 0 || !(loss >= 0 && loss < 1))
    {
        std::cerr << "The arguments must be at least one node, and a loss from 0 to below 1."
                  << std::endl;
        return 2;
    }

    NodeContainer nodes;
    nodes.Create(peers);
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", DataRateValue(DataRate("1Gbps")));
    csma.SetChannelAttribute("Delay", TimeValue(MicroSeconds(1)));
    auto clock = CreateObject<TickClock>();
    auto devices = CreateObject<NetDevicePort>();
    devices->Connect(clock, csma.Install(nodes));

    auto faults = CreateObject<PortFaults>();
    faults->SetAttribute("Loss", DoubleValue(loss));
    using Port = FaultyPort<NetDevicePort>;
    auto group = CreateObject<CoreGroup<RepeatCore, Port>>();
    group->Connect(clock, Create<Port>(clock, devices, faults), [](Peer) { return RepeatCore(); });

    auto audit = CreateObject<DeliveryAudit>();
    audit->SetGroup(group);
    auto endpoints = CreateObject<GroupEndpoints>();
    endpoints->Connect(audit);
    endpoints->Aggregate(nodes);
    for (Peer peer = 0; peer < peers; ++peer)
    {
        auto endpoint = nodes.Get(peer)->GetObject<MessageEndpoint>();
        for (uint32_t i = 0; i < messages; ++i)
        {
            const Request request{.id = i,
                                  .contents = i,
                                  .to = (peer + 1 + i) % peers,
                                  .bytes = 1000};
            // A refused or stalled message is not sent. RepeatCore accepts all. With a protocol
            // that stalls, post again in the callback given to SetReadyCallback.
            Simulator::Schedule(MicroSeconds(200 * i),
                                [endpoint, request]() { endpoint->Post(request); });
        }
    }
    Simulator::Run();

    const AuditCounts& counts = audit->GetCounts();
    const bool clean = audit->Finish() && counts.refused + counts.stalled == 0;
    std::cout << counts.delivered << " of " << counts.posted << " messages delivered by "
              << Simulator::Now().As(Time::MS) << ", " << faults->GetCount(PortFault::LOST)
              << " frames lost; "
              << (audit->IsClean() ? "each message arrived once and intact"
                                   : audit->GetFirstViolation());
    if (counts.refused + counts.stalled > 0)
    {
        std::cout << "; " << counts.refused << " posts were refused and " << counts.stalled
                  << " stalled: they were not sent";
    }
    std::cout << std::endl;

    endpoints->Dispose();
    audit->Dispose();
    group->Dispose();
    devices->Dispose();
    clock->Dispose();
    Simulator::Destroy();
    return clean ? 0 : 1;
}
