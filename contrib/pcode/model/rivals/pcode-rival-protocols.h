/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_RIVAL_PROTOCOLS_H
#define PCODE_RIVAL_PROTOCOLS_H

#include "pcode-graph-core.h"
#include "pcode-ring-core.h"
#include "pcode-window-core.h"

#include "ns3/messaging-core-group.h"
#include "ns3/messaging-packed-frames.h"
#include "ns3/messaging-protocol.h"
#include "ns3/messaging-search-start.h"
#include "ns3/messaging-segmented-protocol.h"
#include "ns3/messaging-segmenting-core.h"
#include "ns3/pcode-config.h"

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * Rivals of PCODE over any network that broadcasts.
 */

namespace ns3
{
namespace pcode
{

/**
 * @ingroup pcode
 * Rival for applications that post messages at any time. As for the protocols of paper 3, a step of
 * a timer is ten round trips of the largest frame. The timers of neighbours differ by an eighth of
 * a step: with equal timers and without jitter, frames would collide repeatedly.
 *
 * @tparam Core the rival
 * @tparam Config its parameters
 */
template <class Core, class Config>
class RivalProtocol : public messaging::Protocol,
                      public messaging::Searchable,
                      public messaging::PackedFrames,
                      public messaging::SegmentedProtocol
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = messaging::SetSummary(TypeId(GetTypeName()), GetSummary())
                                .template SetParent<Protocol>()
                                .SetGroupName("Pcode")
                                .template AddConstructor<RivalProtocol>();
        return tid;
    }

    std::string Check(const messaging::PortInfo& info, uint32_t peers) const override
    {
        return CheckNetwork(info, peers, HEADERS + 2 * sizeof(uint32_t) * peers);
    }

    messaging::Promise GetPromise(const messaging::PortInfo&) const override
    {
        return messaging::Promise{.intact = false};
    }

    std::vector<NamedCount> GetCounts() const override
    {
        return CountReasons<RivalEvent>(*m_group, RIVAL_EVENTS);
    }

    std::vector<uint64_t> GetMessageContents(const messaging::Frame& frame) const override
    {
        if constexpr (std::is_same_v<Core, WindowCore>)
        {
            return WindowCore::GetMessageContents(frame);
        }
        return frame.payload > 0 ? std::vector{frame.contents} : std::vector<uint64_t>();
    }

    uint32_t GetLargestWhole(Ptr<messaging::AnyPort>) const override
    {
        const Ptr<const Group> group = m_group;
        return group->GetCore(0).GetCore().GetLargestMessage();
    }

    messaging::SearchStart GetSearchStart(Ptr<const messaging::MessageGroup> group) const override
    {
        return {.cores = messaging::MakeCores(*DynamicCast<const Group>(group))};
    }

  protected:
    Ptr<messaging::MessageGroup> DoConnect(const messaging::Site& site) override
    {
        Config config;
        config.nPeers = site.port->GetNPeers();
        config.mtu = site.port->GetInfo().mtu;
        const messaging::Frame largest{.payload = config.mtu};
        const messaging::Ticks step = STEP_TRIPS * site.port->GetRoundTrip(largest, largest);
        m_group = CreateObject<Group>();
        m_group->Connect(site.clock, site.port, [&](messaging::Peer self) {
            Config own = config;
            for (messaging::Ticks* time : GetTimes(own))
            {
                *time = *time / STEP_NS * step + self * step / STAGGER;
            }
            return messaging::MakeLayered<Layer>(Core(self, own));
        });
        return m_group;
    }

  private:
    static constexpr messaging::Ticks STAGGER = 8; ///< Divisor of a step: neighbours' offset.
    static constexpr uint32_t HEADERS = 256;       ///< Maximum header with its requests [bytes].

    static constexpr bool IS_RING = std::is_same_v<Core, RingCore>;   ///< The token ring.
    static constexpr bool IS_GRAPH = std::is_same_v<Core, GraphCore>; ///< The graph.

    using Events = messaging::NamedEvents<RivalEvent>;                     ///< Names of its events.
    using Layer = messaging::SegmentingCore<Core>;                         ///< With its layer.
    using Group = messaging::CoreGroup<Layer, messaging::AnyPort, Events>; ///< Its group.

    /** @return the name of the type. */
    static const char* GetTypeName()
    {
        if constexpr (IS_RING)
        {
            return "ns3::pcode::RingProtocol";
        }
        else if constexpr (IS_GRAPH)
        {
            return "ns3::pcode::GraphProtocol";
        }
        else
        {
            return "ns3::pcode::WindowProtocol";
        }
    }

    /** @return one sentence on the rival. */
    static const char* GetSummary()
    {
        if constexpr (IS_RING)
        {
            return "Rival of paper 3: a token ring, in total order.";
        }
        else if constexpr (IS_GRAPH)
        {
            return "Rival of paper 3: a graph of acknowledgements, in causal order.";
        }
        else
        {
            return "Rival of paper 3: a window, several messages in a datagram.";
        }
    }

    /** @return the times of the parameters. @param config the parameters */
    static std::vector<messaging::Ticks*> GetTimes(Config& config)
    {
        if constexpr (IS_RING)
        {
            return {&config.tokenTimeout, &config.wantTimeout};
        }
        else if constexpr (IS_GRAPH)
        {
            return {&config.nackDelay, &config.nackInterval, &config.idleDelay, &config.holdOff};
        }
        else
        {
            return {&config.nackDelay, &config.nackInterval, &config.idleDelay};
        }
    }

    Ptr<Group> m_group; ///< The group; null before Connect.
};

using RingProtocol = RivalProtocol<RingCore, RingConfig>;       ///< A token ring.
using GraphProtocol = RivalProtocol<GraphCore, GraphConfig>;    ///< A graph of acknowledgements.
using WindowProtocol = RivalProtocol<WindowCore, WindowConfig>; ///< A window.

} // namespace pcode
} // namespace ns3

#endif /* PCODE_RIVAL_PROTOCOLS_H */
