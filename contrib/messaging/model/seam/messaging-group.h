/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_GROUP_H
#define MESSAGING_GROUP_H

#include "ns3/messaging-types.h"
#include "ns3/object.h"

/**
 * @file
 * @ingroup messaging
 * A group of processes that send messages to each other, whatever protocol and network carry them.
 */

namespace ns3
{
namespace messaging
{

/** Hears what becomes of a group's messages. */
class GroupUser
{
  public:
    virtual ~GroupUser() = default;

    /**
     * A message has arrived.
     * @param self the peer at which it arrives
     * @param delivery the message
     */
    virtual void OnDeliver(Peer self, const Delivery& delivery) = 0;

    /**
     * A posted message has ended.
     * @param self the peer that posted it
     * @param id the request
     * @param completion how it ended
     */
    virtual void OnComplete(Peer self, RequestId id, Completion completion) = 0;

    /**
     * A peer whose Post was stalled may post again.
     * @param self the peer
     */
    virtual void OnReady(Peer self) = 0;
};

/**
 * @ingroup messaging
 * A group of processes that send messages to each other.
 *
 * This is what benchmarks, the delivery audit and the traces see of a protocol and its network.
 */
class MessageGroup : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ~MessageGroup() override;

    /** @return the number of peers. */
    virtual uint32_t GetNPeers() const = 0;

    /**
     * Post a message.
     * @param self the peer that sends it
     * @param request the message
     * @return whether it was accepted, must be posted again later, or never can be
     */
    virtual Acceptance Post(Peer self, const Request& request) = 0;

    /**
     * Set who hears of deliveries and completions; one user a group.
     * @param user the user, not owned; nullptr for none
     */
    virtual void SetUser(GroupUser* user);

  protected:
    GroupUser* m_user{nullptr}; ///< Who hears of deliveries, not owned.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_GROUP_H
