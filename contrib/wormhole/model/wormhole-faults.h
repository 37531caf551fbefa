/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_FAULTS_H
#define WORMHOLE_FAULTS_H

#include "wormhole-network.h"

#include "ns3/messaging-tick-clock.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"

#include <string>
#include <vector>

/**
 * @file
 * @ingroup wormhole
 * Links and routers that fail and are repaired.
 */

namespace ns3
{
namespace wormhole
{

/**
 * @ingroup wormhole
 * Has links and routers of a network fail and be repaired, at given times or at random.
 *
 * Attribute Schedule is a list of changes that are separated by semicolons:
 *
 *     CYCLE down ROUTER      the router fails
 *     CYCLE down FROM-TO     the links between two neighbouring routers fail, in both directions
 *     CYCLE up ROUTER        it is repaired
 *     CYCLE up FROM-TO       they are repaired
 *
 * as in "1000 down 5-6; 2000 up 5-6; 3000 down 9". Random failures of each link and each router are
 * a Poisson process, and repairs take an exponentially distributed time. What fails at random while
 * it is down already stays down until its repair.
 */
class WormholeFaults : public Object, public messaging::TickUser
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    WormholeFaults();
    ~WormholeFaults() override;

    /**
     * Look whether the schedule can be read, and fits a network.
     * @param network the network
     * @return an empty text, or one sentence that names what is wrong and what is allowed
     */
    std::string Check(Ptr<const WormholeNetwork> network) const;

    /**
     * Begin; once.
     * @param network the network, whose attribute Faults is true
     * @param clock the network's clock
     */
    void Start(Ptr<WormholeNetwork> network, Ptr<messaging::TickClock> clock);

    /**
     * Assign random streams.
     * @param stream first stream
     * @return number of streams assigned
     */
    int64_t AssignStreams(int64_t stream);

    /** @return the number of changes so far. */
    uint64_t GetNChanges() const;

    void OnTick(messaging::Peer peer, uint64_t datum) override;

    /**
     * A link or router has failed or been repaired.
     * @param isRouter whether it is a router
     * @param number of the link or router
     * @param up whether it works now
     */
    typedef void (*ChangeTracedCallback)(bool isRouter, uint32_t number, bool up);

  protected:
    void DoDispose() override;

  private:
    /** A change at a time. */
    struct Change
    {
        Ticks when{0};        ///< When.
        bool up{false};       ///< A repair rather than a failure.
        bool isRouter{false}; ///< Of a router rather than of links.
        uint32_t from{0};     ///< The router, or the one at one end.
        uint32_t to{0};       ///< The router at the other end.
    };

    /**
     * Read the schedule.
     * @param changes what it says
     * @return an empty text, or what is wrong with it
     */
    std::string Parse(std::vector<Change>& changes) const;

    /**
     * Find the links between two routers.
     * @param network the network
     * @param from one
     * @param to the other
     * @return the links, in both directions
     */
    static std::vector<Link> FindLinks(const WormholeNetwork& network, uint32_t from, uint32_t to);

    /**
     * Carry out a change.
     * @param isRouter whether it is a router
     * @param number of the link or router
     * @param up whether it works from now on
     */
    void Apply(bool isRouter, uint32_t number, bool up);

    /**
     * Schedule the next random failure.
     * @param isRouter whether of a router
     */
    void ScheduleFailure(bool isRouter);

    std::string m_schedule; ///< Changes at given times.
    double m_linkMtbf{0};   ///< Mean time between failures of a link, 0 for never [cycles].
    double m_routerMtbf{0}; ///< Mean time between failures of a router, 0 for never [cycles].
    double m_mttr{0};       ///< Mean time to repair, 0 for never repaired [cycles].
    uint64_t m_until{0};    ///< No random failures from this cycle on, 0 for no end.
    std::vector<Change> m_changes; ///< The schedule.
    uint64_t m_nChanges{0};        ///< Changes so far.
    uint32_t m_user{0};            ///< Number at the clock.

    Ptr<WormholeNetwork> m_network;                     ///< The network.
    Ptr<messaging::TickClock> m_clock;                  ///< Its clock.
    Ptr<ExponentialRandomVariable> m_time;              ///< Times between changes.
    Ptr<UniformRandomVariable> m_choice;                ///< What fails.
    TracedCallback<bool, uint32_t, bool> m_changeTrace; ///< A change.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_FAULTS_H
