/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SEARCH_CORE_PROTOCOL_H
#define MESSAGING_SEARCH_CORE_PROTOCOL_H

#include "ns3/messaging-core-group.h"
#include "ns3/messaging-search-start.h"
#include "ns3/messaging-segmented-protocol.h"
#include "ns3/messaging-segmenting-core.h"

#include <string>
#include <type_traits>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Base of protocols that run a core at each peer.
 */

namespace ns3
{
namespace messaging
{

/**
 * Base of a group of cores, which name their frames.
 * @tparam Core the core
 */
template <class Core>
class NamedFrames : public CoreEvents
{
  public:
    std::string DescribeFrame(const Frame& frame) const override
    {
        if constexpr (requires { Core::DescribeFrame(frame); })
        {
            return Core::DescribeFrame(frame);
        }
        return CoreEvents::DescribeFrame(frame);
    }
};

/**
 * @ingroup messaging
 * A protocol that runs a core at each peer, over any port, and can be searched. A derived class has
 * the TypeId and the attributes, makes the cores, and states what the protocol promises.
 *
 * A core that declares GetLargestMessage gets a SegmentingCore, so that messages have any size. One
 * that declares `static std::string DescribeFrame(const Frame&)` names its frames in charts and
 * counterexamples.
 *
 * @tparam Core the core, a ProtocolCore
 */
template <class Core>
class CoreProtocol : public Protocol, public Searchable, public SegmentedProtocol
{
    /** The core limits the size of messages. */
    static constexpr bool IS_LIMITED = requires(const Core& core) { core.GetLargestMessage(); };

    /** The core of a peer, with its layer. */
    using Layer = std::conditional_t<IS_LIMITED, SegmentingCore<Core>, Core>;

    /** The group of all peers. */
    using Group = CoreGroup<Layer, AnyPort, NamedFrames<Core>>;

  public:
    Ptr<MessageGroup> Connect(const Site& site) override
    {
        m_group = CreateObject<Group>();
        m_group->Connect(site.clock, site.port, [&](Peer peer) {
            return MakeLayered<Layer>(MakeCore(*site.port, peer));
        });
        return m_group;
    }

    std::vector<NamedCount> GetCounts() const override
    {
        std::vector<NamedCount> counts;
        for (const std::string& name : GetReasons())
        {
            const auto reason = static_cast<Reason>(counts.size());
            counts.emplace_back(name, m_group ? m_group->GetCount(reason) : 0);
        }
        return counts;
    }

    uint32_t GetLargestWhole(Ptr<AnyPort> port) const override
    {
        if constexpr (IS_LIMITED)
        {
            return MakeCore(*port, Peer{0}).GetLargestMessage();
        }
        else
        {
            return NO_LAYER;
        }
    }

    SearchStart GetSearchStart(Ptr<const MessageGroup> group) const override
    {
        return {.cores = MakeCores(*DynamicCast<const Group>(group))};
    }

  protected:
    void DoDispose() override
    {
        m_group = nullptr;
        Protocol::DoDispose();
    }

    /**
     * Make the core of a peer.
     * @param port the network
     * @param peer the peer
     * @return the core in its initial state
     */
    virtual Core MakeCore(const AnyPort& port, Peer peer) const = 0;

    /** @return names of the reasons that the cores note, from 0; only these are counted. */
    virtual std::vector<std::string> GetReasons() const
    {
        return {};
    }

  private:
    Ptr<Group> m_group; ///< The group, for its counts.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SEARCH_CORE_PROTOCOL_H
