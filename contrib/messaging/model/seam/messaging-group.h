/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_GROUP_H
#define MESSAGING_GROUP_H

#include "ns3/log.h"
#include "ns3/messaging-types.h"
#include "ns3/object.h"

#include <limits>
#include <string>

/**
 * @file
 * @ingroup messaging
 * A group of processes that send messages to each other, over any protocol and network.
 */

namespace ns3
{
namespace messaging
{

/** User of a group: called with deliveries and completions. */
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
     * A posted message has reached a stage; MessageGroup::IsFinal tells whether it has ended.
     * @param self the peer that posted it
     * @param id the request
     * @param completion the stage
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
 * Benchmarks, the delivery audit and traces use a protocol and its network through this interface.
 */
class MessageGroup : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /** @return the number of peers. */
    virtual uint32_t GetNPeers() const = 0;

    /**
     * Post a message.
     * @param self the peer that sends it
     * @param request the message
     * @return accepted, stalled until OnReady, or refused
     */
    virtual Acceptance Post(Peer self, const Request& request) = 0;

    /** @return the size of the largest message that the group accepts [bytes]. */
    virtual uint32_t GetLargestMessage() const
    {
        return std::numeric_limits<uint32_t>::max();
    }

    /**
     * Describe why a message is refused.
     * @param self the peer that has posted it
     * @param request the message
     * @return one sentence, which names the largest size if that is exceeded
     */
    std::string DescribeRefusal(Peer self, const Request& request) const;

    /**
     * Check whether a message ends with the knowledge of its delivery.
     * @return true if each message ends with DELIVERED, UNREACHABLE or FAILED, and SENT only
     * precedes that; false if SENT ends a message
     */
    virtual bool ConfirmsDelivery() const
    {
        return false;
    }

    /** Check whether a completion ends its message. @param completion it @return true if so */
    bool IsFinal(Completion completion) const
    {
        return completion != Completion::SENT || !ConfirmsDelivery();
    }

    /**
     * Assign random streams to what the group draws, before the first post.
     * @param stream first stream
     * @return number of streams assigned
     */
    virtual int64_t AssignStreams([[maybe_unused]] int64_t stream)
    {
        return 0;
    }

    /**
     * Choose whether timers fire that a core has cancelled or restarted. By default a group
     * suppresses them; a core must accept them.
     * @param fire true to let them fire
     */
    virtual void SetFiresStaleTimers([[maybe_unused]] bool fire)
    {
    }

    /**
     * Set the log component of the group's events, as Protocol::Connect does with that of the
     * protocol.
     * @param log the component
     */
    virtual void SetLog([[maybe_unused]] const LogComponent& log)
    {
    }

    /**
     * Set the group's user, which is called with deliveries and completions.
     * @param user the user, not owned; nullptr for none
     */
    virtual void SetUser(GroupUser* user)
    {
        m_user = user;
    }

    /**
     * Label a frame of the group.
     * @param frame the frame
     * @return one or two words
     */
    virtual std::string DescribeFrame(const Frame& frame) const;

  protected:
    GroupUser* m_user{nullptr}; ///< User of the group, not owned.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_GROUP_H
