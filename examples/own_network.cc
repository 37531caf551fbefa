/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-network.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simple-ref-count.h"

#include <algorithm>
#include <vector>

/**
 * @file
 * Example of a network in a library outside the tree; ARCHITECTURE.md lists the steps.
 *
 * A cloud delivers each frame after a random delay, so that frames overtake each other. A peer
 * sends one byte a nanosecond.
 */

namespace ns3
{

/** The port: carries the frames of all peers. */
class CloudPort : public SimpleRefCount<CloudPort>, private messaging::TickUser
{
  public:
    /**
     * Construct.
     * @param clock counts the ticks, which are nanoseconds
     * @param peers number of peers
     * @param info properties of the network
     * @param delay minimum delay of a frame [ticks]
     * @param random draws the delay that is added, up to the network's slip
     */
    CloudPort(Ptr<messaging::TickClock> clock,
              uint32_t peers,
              const messaging::PortInfo& info,
              messaging::Ticks delay,
              Ptr<UniformRandomVariable> random)
        : m_info(info),
          m_delay(delay),
          m_clock(clock),
          m_random(random),
          m_idle(peers),
          m_number(clock->Register(this))
    {
    }

    /** @return the properties. */
    messaging::PortInfo GetInfo() const
    {
        return m_info;
    }

    /** @return the number of peers. */
    uint32_t GetNPeers() const
    {
        return static_cast<uint32_t>(m_idle.size());
    }

    /** @return mean delay [ticks]. */
    messaging::Ticks Distance(messaging::Peer, messaging::Peer) const
    {
        return m_delay + m_info.maxSlip / 2;
    }

    /** @param frame a frame @return its length at one byte per nanosecond [ticks] */
    messaging::Ticks WireTicks(const messaging::Frame& frame) const
    {
        return messaging::Ticks{frame.header} + frame.payload;
    }

    /** Send a frame, after those before it. @param self sender @param to receiver @param frame the
     * frame @return true */
    bool Send(messaging::Peer self, messaging::Peer to, const messaging::Frame& frame)
    {
        messaging::Ticks& idle = m_idle[self];
        idle = std::max(idle, m_clock->Now()) + WireTicks(frame);
        const double jitter = m_random->GetValue(0, static_cast<double>(m_info.maxSlip));
        const auto arrival = idle + m_delay + static_cast<messaging::Ticks>(jitter);
        m_clock->At(arrival, m_number, to, m_flights.Put(Flight{self, frame}));
        return true;
    }

    /** @param user receives frames */
    void SetUser(messaging::PortUser* user)
    {
        m_user = user;
    }

  private:
    /** A frame in flight. */
    struct Flight
    {
        messaging::Peer from;   ///< Sender.
        messaging::Frame frame; ///< The frame.
    };

    /** A frame arrives. @param peer receiver @param slot its slot in the pool */
    void OnTick(messaging::Peer peer, uint64_t slot) override
    {
        // Taken from the pool, which may move its frames while the user sends.
        const Flight flight = m_flights.Take(slot);
        if (m_user)
        {
            m_user->OnFrame(peer, flight.from, flight.frame);
        }
    }

    messaging::PortInfo m_info;            ///< Properties.
    messaging::Ticks m_delay;              ///< Minimum delay [ticks].
    Ptr<messaging::TickClock> m_clock;     ///< Counts the ticks.
    Ptr<UniformRandomVariable> m_random;   ///< Draws the jitter.
    std::vector<messaging::Ticks> m_idle;  ///< When each sender has sent its frames [ticks].
    messaging::SlotPool<Flight> m_flights; ///< Frames in flight.
    messaging::PortUser* m_user{nullptr};  ///< Receiver of frames; it lives longer.
    uint32_t m_number;                     ///< User number at the clock.
};

/** The network, found by `relnet run reliability network=cloud`. */
class CloudNetwork : public messaging::Network
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = [] {
            TypeId type = messaging::SetSummary(TypeId("ns3::CloudNetwork"),
                                                "Delivers each frame after a random delay.")
                              .SetParent<messaging::Network>()
                              .AddConstructor<CloudNetwork>();
            messaging::Attributes<CloudNetwork>(type)
                .AddAttribute("Delay",
                              "Minimum delay of a frame [s; default].",
                              &CloudNetwork::m_delay,
                              MicroSeconds(10),
                              NanoSeconds(1),
                              Seconds(1))
                .AddAttribute("Jitter",
                              "Maximum additional delay of a frame [s; default].",
                              &CloudNetwork::m_jitter,
                              MicroSeconds(5),
                              Time(0),
                              Seconds(1));
            return type;
        }();
        return tid;
    }

    bool HasDevices() const override
    {
        return false;
    }

    messaging::PortInfo GetInfo() const override
    {
        messaging::PortInfo info;
        info.mtu = 4096;
        info.rate = 1;
        info.lossless = true;
        info.maxSlip = static_cast<messaging::Ticks>(m_jitter.GetNanoSeconds());
        info.ordered = info.maxSlip == 0;
        return info;
    }

    int64_t AssignStreams(int64_t stream) override
    {
        m_random->SetStream(stream);
        return 1;
    }

  protected:
    void DoBuild(uint32_t peers) override
    {
        auto clock = CreateObject<messaging::TickClock>();
        const auto delay = static_cast<messaging::Ticks>(m_delay.GetNanoSeconds());
        SetPort(
            clock,
            messaging::MakeAnyPort(Create<CloudPort>(clock, peers, GetInfo(), delay, m_random)));
    }

  private:
    Ptr<UniformRandomVariable> m_random{
        CreateObject<UniformRandomVariable>()}; ///< Draws the jitter.
    Time m_delay;                               ///< Minimum delay.
    Time m_jitter;                              ///< Maximum additional delay.
};

NS_OBJECT_ENSURE_REGISTERED(CloudNetwork);

} // namespace ns3
