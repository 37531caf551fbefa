/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_RIVAL_CROWD_H
#define PCODE_RIVAL_CROWD_H

#include "ns3/messaging-audit.h"
#include "ns3/messaging-core-group.h"
#include "ns3/messaging-faulty-port.h"
#include "ns3/messaging-loopback-port.h"
#include "ns3/pcode-graph-core.h"
#include "ns3/pcode-ring-core.h"
#include "ns3/pcode-window-core.h"
#include "ns3/simulator.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup pcode
 * What the tests of the rival protocols share: how their cores are made, and nodes that post.
 */

namespace ns3
{
namespace pcode
{
namespace tests
{

/** Makes the cores of a group of some protocol. */
template <class Core>
struct Rival;

/** Makes nodes of a token ring. */
template <>
struct Rival<RingCore>
{
    static constexpr const char* NAME = "token ring"; ///< Name of the protocol.
    RingConfig config;                                ///< Shared parameters.

    /** @param self a node @return its core */
    RingCore Make(messaging::Peer self) const
    {
        return RingCore(self, config);
    }
};

/** Makes nodes of an acknowledgement graph. */
template <>
struct Rival<GraphCore>
{
    static constexpr const char* NAME = "acknowledgement graph"; ///< Name of the protocol.
    GraphConfig config;                                          ///< Shared parameters.

    /** @param self a node @return its core */
    GraphCore Make(messaging::Peer self) const
    {
        return GraphCore(self, config);
    }
};

/** Makes nodes of a window-based broadcast. */
template <>
struct Rival<WindowCore>
{
    static constexpr const char* NAME = "packing window"; ///< Name of the protocol.
    WindowConfig config;                                  ///< Shared parameters.

    /** @param self a node @return its core */
    WindowCore Make(messaging::Peer self) const
    {
        return WindowCore(self, config);
    }
};

/** Nodes that post messages as fast as possible and record deliveries. */
class Crowd : public messaging::GroupUser
{
  public:
    /**
     * Constructor.
     * @param group the group
     * @param messages messages of each node
     * @param directed whether every third message has a single receiver
     */
    Crowd(Ptr<messaging::MessageGroup> group, uint32_t messages, bool directed)
        : m_group(group),
          m_posted(group->GetNPeers()),
          m_pasts(group->GetNPeers()),
          m_delivered(group->GetNPeers()),
          m_heard(group->GetNPeers(), std::vector<uint32_t>(group->GetNPeers())),
          m_messages(messages),
          m_directed(directed)
    {
        group->SetUser(this);
    }

    ~Crowd() override
    {
        m_group->SetUser(nullptr);
    }

    /** Start all nodes. */
    void Begin()
    {
        for (messaging::Peer peer = 0; peer < m_posted.size(); ++peer)
        {
            OnReady(peer);
        }
    }

    /** @return deliveries of a node, in order. @param self the node */
    const std::vector<messaging::Delivery>& GetDelivered(messaging::Peer self) const
    {
        return m_delivered[self];
    }

    /**
     * @return deliveries that violate causal order; only counted if all messages are broadcasts.
     */
    uint32_t GetNUncaused() const
    {
        return m_uncaused;
    }

    void OnReady(messaging::Peer self) override
    {
        while (m_posted[self] < m_messages)
        {
            messaging::Request request;
            request.id = m_posted[self];
            request.contents = (uint64_t{self} << 32) | m_posted[self];
            request.to = messaging::NO_PEER;
            if (m_directed && m_posted[self] % 3 == 2)
            {
                const auto nPeers = static_cast<messaging::Peer>(m_posted.size());
                request.to = (self + 1 + m_posted[self] % (nPeers - 1)) % nPeers;
            }
            request.bytes = 20 + 7 * (m_posted[self] % 5);
            request.tag = m_posted[self];
            m_pasts[self].push_back(m_heard[self]);
            if (m_group->Post(self, request) != messaging::Acceptance::ACCEPTED)
            {
                m_pasts[self].pop_back();
                return;
            }
            ++m_posted[self];
        }
    }

    void OnDeliver(messaging::Peer self, const messaging::Delivery& delivery) override
    {
        m_delivered[self].push_back(delivery);
        if (!m_directed)
        {
            const auto& past = m_pasts[delivery.from][m_heard[self][delivery.from]];
            for (messaging::Peer peer = 0; peer < past.size(); ++peer)
            {
                m_uncaused += peer != self && m_heard[self][peer] < past[peer] ? 1 : 0;
            }
        }
        ++m_heard[self][delivery.from];
    }

    void OnComplete(messaging::Peer, messaging::RequestId, messaging::Completion) override
    {
    }

  private:
    Ptr<messaging::MessageGroup> m_group;                      ///< The group.
    std::vector<uint32_t> m_posted;                            ///< Messages posted, by node.
    std::vector<std::vector<std::vector<uint32_t>>> m_pasts;   ///< By node and message: deliveries
                                                               ///< before its post.
    std::vector<std::vector<messaging::Delivery>> m_delivered; ///< Deliveries by node.
    std::vector<std::vector<uint32_t>> m_heard; ///< Delivered messages by node and source.
    uint32_t m_messages;                        ///< Messages of each node.
    uint32_t m_uncaused{0};                     ///< Deliveries that violate causal order.
    bool m_directed;                            ///< Every third message has a single receiver.
};

} // namespace tests
} // namespace pcode
} // namespace ns3

#endif // PCODE_RIVAL_CROWD_H
