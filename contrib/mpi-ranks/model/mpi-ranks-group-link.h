/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_GROUP_LINK_H
#define MPI_RANKS_GROUP_LINK_H

#include "mpi-ranks-types.h"

#include "ns3/object.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * What a group of ranks needs of what moves its frames.
 */

namespace ns3
{
namespace ranks
{

/** What a rank finds when it polls. */
struct RankArrival
{
    Frame frame;      ///< The frame; of a local completion the frame that was sent.
    Peer peer{0};     ///< Who sent it; of a local completion to whom.
    bool sent{false}; ///< A local completion.
};

/** Hears that something waits for a rank. */
class RankLinkUser
{
  public:
    virtual ~RankLinkUser() = default;

    /**
     * Something has arrived since RankLink::Notify.
     * @param self the rank
     */
    virtual void OnArrival(Peer self) = 0;

    /**
     * Something will arrive soon: bring the rank into the processor's caches. Nothing has to be
     * done.
     * @param self the rank
     */
    virtual void OnExpected([[maybe_unused]] Peer self)
    {
    }
};

/**
 * @ingroup mpi-ranks
 * Moves frames between the ranks of a group: queue pairs, or any port of the seam.
 *
 * What arrives waits until its rank polls. That is the difference to a DatagramPort, which calls
 * its user at once: a rank that computes hears nothing (paper 4, section 6.1).
 */
class RankLink : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ~RankLink() override;

    /**
     * Set who hears of arrivals.
     * @param user the user, not owned
     */
    void SetUser(RankLinkUser* user)
    {
        m_user = user;
    }

    /** @return the number of ranks. */
    virtual uint32_t GetNRanks() const = 0;

    /**
     * Send a frame.
     * @param self the rank
     * @param to destination
     * @param frame the frame
     * @return false if the send queue is full: try later
     */
    virtual bool Send(Peer self, Peer to, const Frame& frame) = 0;

    /**
     * A frame will be sent soon: bring what is known of the connection into the processor's caches.
     * Nothing has to be done.
     * @param self the rank
     * @param to destination
     */
    virtual void Expect([[maybe_unused]] Peer self, [[maybe_unused]] Peer to)
    {
    }

    /**
     * Take what has arrived.
     * @param self the rank
     * @param arrivals where to, changed
     * @param max how much at most
     * @return how much
     */
    virtual uint32_t Poll(Peer self, RankArrival* arrivals, uint32_t max) = 0;

    /**
     * Have the user called at the next arrival, or in this tick if something is waiting.
     * @param self the rank
     */
    virtual void Notify(Peer self) = 0;

    /** @return one sentence if the link has broken, else an empty text. */
    virtual std::string GetFailure() const
    {
        return {};
    }

  protected:
    RankLinkUser* m_user{nullptr}; ///< Who hears of arrivals, not owned.
};

/** Arrivals that wait for each rank, first in, first out. */
class RankInboxes
{
  public:
    /** Constructor. @param ranks number of ranks */
    explicit RankInboxes(uint32_t ranks = 0)
        : m_boxes(ranks)
    {
    }

    /** Append one. @param self the rank @param arrival the arrival */
    void Put(Peer self, const RankArrival& arrival)
    {
        m_boxes[self].waiting.push_back(arrival);
    }

    /**
     * Take some.
     * @param self the rank
     * @param arrivals where to, changed
     * @param max how many at most
     * @return how many
     */
    uint32_t Take(Peer self, RankArrival* arrivals, uint32_t max)
    {
        Box& box = m_boxes[self];
        uint32_t n = 0;
        while (n < max && box.next < box.waiting.size())
        {
            arrivals[n++] = box.waiting[box.next++];
        }
        if (box.next == box.waiting.size())
        {
            box.waiting.clear();
            box.next = 0;
        }
        return n;
    }

    /** @return whether none waits. @param self the rank */
    bool IsEmpty(Peer self) const
    {
        return m_boxes[self].waiting.empty();
    }

  private:
    /** Of one rank. */
    struct Box
    {
        std::vector<RankArrival> waiting; ///< All since it was empty.
        std::size_t next{0};              ///< The first that has not been taken.
    };

    std::vector<Box> m_boxes; ///< One a rank.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_GROUP_LINK_H
