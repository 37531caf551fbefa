/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_LINK_H
#define MPI_RANKS_LINK_H

#include "ns3/mpi-ranks-types.h"
#include "ns3/object.h"

#include <string>

/**
 * @file
 * @ingroup mpi-ranks
 * Link of a group of ranks.
 */

namespace ns3
{
namespace ranks
{

/** An arrival that a rank finds when it polls. */
struct RankArrival
{
    Frame frame;      ///< The frame; for a local completion the sent frame.
    Peer peer{0};     ///< The sender; for a local completion the destination.
    bool sent{false}; ///< This is a local completion.
};

/** User of a link, notified of arrivals. */
class RankLinkUser
{
  public:
    virtual ~RankLinkUser() = default;

    /**
     * A frame has arrived since RankLink::Notify.
     * @param self the rank
     */
    virtual void OnArrival(Peer self) = 0;

    /**
     * An RDMA write without immediate data is in memory; no program notices it.
     * @param self the rank
     * @param from its sender
     * @param frame the frame
     */
    virtual void OnWrite(Peer self, Peer from, const Frame& frame) = 0;

    /**
     * A frame will arrive soon. The user may prefetch the rank.
     * @param self the rank
     */
    virtual void OnExpected([[maybe_unused]] Peer self)
    {
    }

    /**
     * A frame is arriving. The user may prefetch what the rank keeps for its sender.
     * @param self the rank
     * @param from the sender
     * @param stage 0 when the sender becomes known; then 1 and 2, when what was prefetched in the
     * stage before can be read
     */
    virtual void OnFrameExpected([[maybe_unused]] Peer self,
                                 [[maybe_unused]] Peer from,
                                 [[maybe_unused]] uint32_t stage)
    {
    }
};

/**
 * @ingroup mpi-ranks
 * Moves frames between the ranks of a group.
 *
 * Arrivals wait until their rank polls, since a computing rank handles no arrivals (paper 4,
 * section 6.1). In contrast, a DatagramPort calls its user immediately.
 */
class RankLink : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::ranks::RankLink").SetParent<Object>().SetGroupName("MpiRanks");
        return tid;
    }

    /**
     * Set the user.
     * @param user the user, not owned
     */
    void SetUser(RankLinkUser* user)
    {
        m_user = user;
    }

    /** @return number of ranks. */
    virtual uint32_t GetNRanks() const = 0;

    /**
     * Send a frame.
     * @param self the rank
     * @param to destination
     * @param frame the frame
     * @return false if the send queue is full; try again later
     */
    virtual bool Send(Peer self, Peer to, const Frame& frame) = 0;

    /**
     * Take arrivals.
     * @param self the rank
     * @param arrivals array of arrivals, changed
     * @param max maximum number
     * @return their number
     */
    virtual uint32_t Poll(Peer self, RankArrival* arrivals, uint32_t max) = 0;

    /**
     * Call the user at the next arrival, or in this tick if there already is one.
     * @param self the rank
     */
    virtual void Notify(Peer self) = 0;

    /**
     * A frame will be sent. The link may prefetch what Send needs.
     * @param self the rank
     * @param to destination
     * @param soon false when the destination becomes known; true shortly before the frame, when
     * what was prefetched before can be read
     */
    virtual void Expect([[maybe_unused]] Peer self,
                        [[maybe_unused]] Peer to,
                        [[maybe_unused]] bool soon)
    {
    }

    /** @return one sentence if the link has failed, or an empty text. */
    virtual std::string GetFailure() const
    {
        return {};
    }

  protected:
    RankLinkUser* m_user{nullptr}; ///< User to notify of arrivals, not owned.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_LINK_H
