/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/messaging-attributes.h"
#include "ns3/messaging-network.h"
#include "ns3/random-variable-stream.h"

#include <vector>

/**
 * @file
 * Example of a network in a library outside the tree; ARCHITECTURE.md lists the steps.
 *
 * A cloud delivers each frame after a random delay, so that frames overtake each other.
 */

namespace ns3
{

/**
 * The network, found by `relnet run reliability network=cloud`; the same object is network and
 * port.
 */
class CloudNetwork : public messaging::Network, private messaging::TickUser
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

    /** @return the properties. */
    messaging::PortInfo GetInfo() const
    {
        return GetInfo();
    }

    /** @return the number of peers. */
    uint32_t GetNPeers() const
    {
        return m_peers;
    }

    /** @return mean delay [ticks]. */
    messaging::Ticks Distance(messaging::Peer, messaging::Peer) const
    {
        return static_cast<messaging::Ticks>((m_delay + m_jitter / 2).GetNanoSeconds());
    }

    /** @param frame a frame @return its length at one byte per nanosecond [ticks] */
    messaging::Ticks WireTicks(const messaging::Frame& frame) const
    {
        return frame.header + frame.payload;
    }

    /** Send a frame. @param self sender @param to receiver @param frame the frame @return true */
    bool Send(messaging::Peer self, messaging::Peer to, const messaging::Frame& frame)
    {
        m_frames.push_back(frame);
        m_frames.back().source = self;
        const double extra = m_random->GetValue(0, 1) * static_cast<double>(m_jitter.GetTimeStep());
        const auto delay = static_cast<messaging::Ticks>(m_delay.GetTimeStep() + extra);
        GetClock()->At(GetClock()->Now() + delay, m_number, to, m_frames.size() - 1);
        return true;
    }

    /** @param user receives frames */
    void SetUser(messaging::PortUser* user)
    {
        m_user = user;
    }

  protected:
    void DoBuild(uint32_t peers) override
    {
        m_peers = peers;
        auto clock = CreateObject<messaging::TickClock>();
        m_number = clock->Register(this);
        SetPort(clock, messaging::MakeAnyPort(Ptr<CloudNetwork>(this)));
    }

  private:
    void OnTick(messaging::Peer peer, uint64_t datum) override
    {
        if (m_user)
        {
            m_user->OnFrame(peer, m_frames[datum].source, m_frames[datum]);
        }
    }

    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; ///< Draws the
                                                                                ///< jitter.
    std::vector<messaging::Frame> m_frames;                                     ///< All frames.
    messaging::PortUser* m_user{nullptr};                                       ///< Receiver.
    Time m_delay;                                                               ///< Minimum delay.
    Time m_jitter;                                                              ///< Maximum
                                                                                ///< additional
                                                                                ///< delay.
    uint32_t m_peers{0};                                                        ///< Number of
                                                                                ///< peers.
    uint32_t m_number{0}; ///< User number at the clock.
};

NS_OBJECT_ENSURE_REGISTERED(CloudNetwork);

} // namespace ns3
