/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_FABRIC_BENCH_H
#define ETHERNET_FABRIC_BENCH_H

#include "ns3/ethernet-fabric-engine.h"
#include "ns3/messaging-fifo.h"
#include "ns3/simulator.h"

#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup ethernet-fabric-tests
 * Hosts that send as fast as they can over a fabric, and a record of what becomes of the frames.
 */

namespace ns3
{
namespace fabric
{
namespace tests
{

/** Frames that a host sends back to back. */
struct Flow
{
    Peer from{0};            ///< Sender.
    Peer to{0};              ///< Receiver.
    uint32_t bytes{1000};    ///< Length of a frame on the wire, without preamble [bytes].
    uint32_t count{1};       ///< Number of frames.
    uint64_t start{0};       ///< Time at which the first is offered [ns].
    uint8_t trafficClass{0}; ///< Class.
    uint16_t path{0};        ///< Path value.
};

/** A frame that has arrived. */
struct Arrival
{
    uint64_t when; ///< Its time [ns].
    Peer to;       ///< Receiver.
    Peer from;     ///< Sender.
    Frame frame;   ///< The frame.

    /** Equality of every field. @return True if all fields are equal. */
    bool operator==(const Arrival&) const = default;
};

/** A fabric whose hosts send flows. */
class Bench : private FabricUser
{
  public:
    /**
     * Construct.
     * @param config the parameters
     * @param hosts number of hosts
     * @param seed seed of ties, hashes and marks
     */
    Bench(const FabricConfig& config, uint32_t hosts, uint64_t seed = 1)
        : m_engine(config, hosts),
          m_clock(CreateObject<messaging::TickClock>()),
          m_pending(m_engine.GetTopology().GetNEnds())
    {
        m_engine.SetSeed(seed);
        m_engine.Start(m_clock, this);
    }

    ~Bench() override
    {
        m_clock->Dispose();
        Simulator::Destroy();
    }

    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    /** Let a host send. @param flow its frames */
    void Add(const Flow& flow)
    {
        Simulator::Schedule(NanoSeconds(flow.start), [this, flow] {
            for (uint32_t number = 0; number < flow.count; ++number)
            {
                m_pending[flow.from].Push(flow);
            }
            Pump(flow.from);
        });
    }

    /** Run until nothing is in flight, or until a time. @param end the time [ns]; 0 for no limit */
    void Run(uint64_t end = 0)
    {
        if (end > 0)
        {
            Simulator::Stop(NanoSeconds(end) - Simulator::Now());
        }
        Simulator::Run();
    }

    /** @return the fabric. */
    FabricEngine& GetEngine()
    {
        return m_engine;
    }

    /** @return losses by reason. @param reason the reason */
    uint64_t GetLosses(LossReason reason) const
    {
        const auto found = lossesByReason.find(reason);
        return found == lossesByReason.end() ? 0 : found->second;
    }

    /** @return counts of a port. @param link name of the port */
    PortCounters GetPort(const std::string& link)
    {
        return m_engine.GetPortCounters(m_engine.GetTopology().FindLink(link));
    }

    std::vector<Arrival> arrivals;                 ///< All arrivals, in order.
    std::vector<LossEvent> losses;                 ///< All losses, in order.
    std::vector<PauseEvent> pauses;                ///< All pauses, in order.
    std::map<LossReason, uint64_t> lossesByReason; ///< Losses by reason.
    uint64_t offered{0};                           ///< Frames sent.
    bool takesTrimmed{true};                       ///< Hosts take trimmed frames.

  private:
    void OnArrival(Peer to, Peer from, const Frame& frame) override
    {
        arrivals.push_back({m_clock->Now(), to, from, frame});
    }

    void OnRoom(Peer host) override
    {
        Pump(host);
    }

    void OnLoss(const LossEvent& loss, const Frame&) override
    {
        losses.push_back(loss);
        ++lossesByReason[loss.reason];
    }

    void OnPause(const PauseEvent& pause) override
    {
        pauses.push_back(pause);
    }

    bool TakesTrimmed() const override
    {
        return takesTrimmed;
    }

    /** Send what a host's port takes. @param host the host */
    void Pump(Peer host)
    {
        while (!m_pending[host].IsEmpty() && m_engine.HasRoom(host))
        {
            const Flow flow = m_pending[host].Pop();
            Frame frame;
            frame.id = ++offered;
            frame.contents = ~frame.id;
            frame.payload = flow.bytes;
            frame.path = flow.path;
            frame.trafficClass = flow.trafficClass;
            m_engine.Send(host, flow.to, frame, flow.bytes);
        }
    }

    FabricEngine m_engine;                        ///< The fabric.
    Ptr<messaging::TickClock> m_clock;            ///< Its clock.
    std::vector<messaging::Fifo<Flow>> m_pending; ///< Frames to send by host.
};

} // namespace tests
} // namespace fabric
} // namespace ns3

#endif // ETHERNET_FABRIC_BENCH_H
