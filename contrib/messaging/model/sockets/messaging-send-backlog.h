/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_SEND_BACKLOG_H
#define MESSAGING_SEND_BACKLOG_H

#include "ns3/node.h"
#include "ns3/object.h"
#include "ns3/queue-item.h"

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

/**
 * @file
 * @ingroup messaging
 * Packets of a node's sockets that its queue discs hold.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Packets in the queue discs of a node, aggregated to it.
 *
 * Linux charges each packet to its socket until the driver has sent it. So a sender stops before
 * it fills the queues of its own machine; in ns-3, it fills them and loses packets.
 */
class SendBacklog : public Object
{
  public:
    /** Called after a packet has left the queue discs. */
    using Drained = std::function<void()>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Get the backlog of a node, which begins to count with the first call.
     * @param node the node, with its queue discs
     * @return the backlog
     */
    static Ptr<SendBacklog> Install(Ptr<Node> node);

    /**
     * Get the segments of a connection.
     * @param port its local port
     * @return payload in the queue discs [bytes]
     */
    uint32_t GetSegmentBytes(uint16_t port) const;

    /** @return memory of all packets in the queue discs, as Linux counts it [bytes]. */
    uint64_t GetMemory() const
    {
        return m_memory;
    }

    /**
     * Set the callback for packets that leave.
     * @param drained the callback
     */
    void SetDrained(Drained drained)
    {
        m_drained = std::move(drained);
    }

  protected:
    void DoDispose() override;

  private:
    /**
     * A packet has entered a queue disc.
     * @param item the packet
     */
    void OnEnqueue(Ptr<const QueueDiscItem> item);

    /**
     * A packet has left a queue disc.
     * @param item the packet
     */
    void OnDequeue(Ptr<const QueueDiscItem> item);

    std::map<uint16_t, uint32_t> m_segments; ///< Payload of TCP by local port [bytes].
    uint64_t m_memory{0};                    ///< Memory of all packets [bytes].
    Drained m_drained;                       ///< Called for packets that leave.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_SEND_BACKLOG_H
