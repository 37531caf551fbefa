/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_ENDPOINT_H
#define MESSAGING_ENDPOINT_H

#include "ns3/callback.h"
#include "ns3/messaging-group.h"
#include "ns3/node-container.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <vector>

/**
 * @file
 * @ingroup messaging
 * The members of a group as ns-3 objects.
 */

namespace ns3
{
namespace messaging
{

class GroupEndpoints;

/**
 * @ingroup messaging
 * One peer's view of a MessageGroup, with ns-3 callbacks; aggregated to the peer's Node, if any.
 */
class MessageEndpoint : public Object
{
  public:
    /** Called with each message that arrives. */
    using DeliverCallback = Callback<void, const Delivery&>;
    /** Called at each stage of a posted message; MessageGroup::IsFinal tells which ends it. */
    using CompleteCallback = Callback<void, RequestId, Completion>;
    /** Called when a stalled message can be posted again. */
    using ReadyCallback = Callback<void>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /** @return the peer's index in its group. */
    Peer GetPeer() const
    {
        return m_peer;
    }

    /** @return the group. */
    Ptr<MessageGroup> GetGroup() const
    {
        return m_group;
    }

    /**
     * Post a message.
     * @param request the message
     * @return accepted, stalled until the ready callback, or refused
     */
    Acceptance Post(const Request& request);

    /**
     * Set the callback for deliveries.
     * @param callback the callback
     */
    void SetDeliverCallback(DeliverCallback callback)
    {
        m_deliver = callback;
    }

    /**
     * Set the callback for completions.
     * @param callback the callback
     */
    void SetCompleteCallback(CompleteCallback callback)
    {
        m_complete = callback;
    }

    /**
     * Set the callback after which a stalled message can be posted again.
     * @param callback the callback
     */
    void SetReadyCallback(ReadyCallback callback)
    {
        m_ready = callback;
    }

    /**
     * Signature of the Deliver trace source.
     * @param delivery the message
     */
    typedef void (*DeliverTracedCallback)(const Delivery& delivery);

    /**
     * Signature of the Complete trace source.
     * @param id the request
     * @param completion its outcome
     */
    typedef void (*CompleteTracedCallback)(RequestId id, Completion completion);

    /**
     * Signature of the Post trace source.
     * @param request the message
     * @param acceptance its acceptance
     */
    typedef void (*PostTracedCallback)(const Request& request, Acceptance acceptance);

  protected:
    void DoDispose() override;

  private:
    /// Creates endpoints and calls their callbacks.
    friend class GroupEndpoints;

    Ptr<MessageGroup> m_group;   ///< The group.
    DeliverCallback m_deliver;   ///< Called with each delivery.
    CompleteCallback m_complete; ///< Called at each completion.
    ReadyCallback m_ready;       ///< Called when a post may succeed again.
    TracedCallback<const Request&, Acceptance> m_postTrace; ///< Fired on each post.
    TracedCallback<const Delivery&> m_deliverTrace; ///< Fired for each message that arrives.
    TracedCallback<RequestId, Completion>
        m_completeTrace;  ///< Fired at each stage of a posted message.
    Peer m_peer{NO_PEER}; ///< Index in the group.
};

/**
 * @ingroup messaging
 * The endpoints of a whole group; passes each event of the group to the peer's endpoint.
 */
class GroupEndpoints : public Object, private GroupUser
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::messaging::GroupEndpoints").SetParent<Object>().SetGroupName("Messaging");
        return tid;
    }

    /**
     * Create an endpoint for each peer of a group, and become the group's user.
     * @param group the group, or an audit around it
     */
    void Connect(Ptr<MessageGroup> group);

    /**
     * Aggregate the endpoints to nodes.
     * @param nodes one for each peer, none of which has an endpoint yet
     */
    void Aggregate(const NodeContainer& nodes);

    /** @return the number of endpoints. */
    uint32_t GetN() const
    {
        return static_cast<uint32_t>(m_endpoints.size());
    }

    /**
     * Get an endpoint.
     * @param peer the peer
     * @return the endpoint
     */
    Ptr<MessageEndpoint> Get(Peer peer) const
    {
        return m_endpoints.at(peer);
    }

  protected:
    void DoDispose() override;

  private:
    void OnDeliver(Peer self, const Delivery& delivery) override;
    void OnComplete(Peer self, RequestId id, Completion completion) override;
    void OnReady(Peer self) override;

    Ptr<MessageGroup> m_group;                     ///< The group.
    std::vector<Ptr<MessageEndpoint>> m_endpoints; ///< Endpoint of each peer.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_ENDPOINT_H
