/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_FAULTS_H
#define WORMHOLE_FAULTS_H

#include "ns3/messaging-tick-clock.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"
#include "ns3/wormhole-network.h"

#include <map>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup wormhole
 * Failures and repairs of links and routers.
 */

namespace ns3
{
namespace wormhole
{

/**
 * @ingroup wormhole
 * Failures and repairs of links and routers of a network, at given times or at random.
 *
 * Attribute Failures is a list of changes that are separated by semicolons:
 *
 *     CYCLE down ROUTER      the router fails
 *     CYCLE down FROM-TO     the links between two neighbouring routers fail, in both directions
 *     CYCLE up ROUTER        it is repaired
 *     CYCLE up FROM-TO       they are repaired
 *
 * as in "1000 down 5-6; 2000 up 5-6; 3000 down 9". Random failures of each link, each direction by
 * itself, and of each router are a Poisson process, and repairs take an exponentially distributed
 * time. What fails at random while it is down already stays down until its repair.
 *
 * A network with a clock is changed at the clock's ticks. One that is stepped by hand is changed by
 * Advance.
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

    /** @return whether the attributes describe any failure. */
    bool IsAny() const;

    /**
     * Check the attributes.
     * @param shape shape of the network
     * @return empty if they fit it, else one sentence with the fault and what is allowed
     */
    std::string Check(const Shape& shape) const;

    /**
     * Begin; once.
     * @param network the network, which has to outlive this or its disposal
     * @param clock the network's clock, or null if Advance will be called
     */
    void Start(Ptr<WormholeNetwork> network, Ptr<messaging::TickClock> clock = nullptr);

    /**
     * Carry out all changes that are due, for a network without a clock.
     * @param now the cycle that is to be served next
     */
    void Advance(Ticks now);

    /** End random failures. What is down is still repaired. */
    void EndRandomFailures();

    /**
     * Assign random streams.
     * @param stream first stream
     * @return number of streams assigned
     */
    int64_t AssignStreams(int64_t stream);

    /** @return the number of links, counted in each direction, and routers that have failed. */
    uint64_t GetNFailures() const;

    /** @return the number of changes that are placed and still to come. */
    std::size_t GetNPending() const;

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
    /** A change of the plan. */
    struct Change
    {
        Ticks when{0};        ///< When.
        bool up{false};       ///< A repair rather than a failure.
        bool isRouter{false}; ///< Of a router rather than of links.
        uint32_t from{0};     ///< The router, or the one at one end.
        uint32_t to{0};       ///< The router at the other end.
    };

    /** Kinds of events. */
    enum class Event : uint8_t
    {
        BEGIN,         ///< The run begins: random failures are drawn.
        PLANNED,       ///< A change of the plan.
        LINK_FAILS,    ///< A random link fails.
        ROUTER_FAILS,  ///< A random router fails.
        LINK_REPAIR,   ///< A link is repaired.
        ROUTER_REPAIR, ///< A router is repaired.
    };

    /** An event to come. */
    struct Pending
    {
        Event event;     ///< Its kind.
        uint32_t number; ///< Of the change, link or router.
    };

    /**
     * Read the plan.
     * @param changes its changes, in order of time
     * @return empty if it can be read, else one sentence
     */
    std::string Parse(std::vector<Change>& changes) const;

    /**
     * Check that a plan fits a network, and that each of its changes is one.
     * @param shape shape of the network
     * @param changes the plan
     * @return empty if so, else one sentence
     */
    static std::string CheckPlan(const Shape& shape, const std::vector<Change>& changes);

    /**
     * Find the links between two routers.
     * @param shape shape of the network
     * @param from one
     * @param to the other
     * @return the links, in both directions
     */
    static std::vector<Link> FindLinks(const Shape& shape, uint32_t from, uint32_t to);

    /**
     * Carry out a change.
     * @param isRouter whether it is a router
     * @param number of the link or router
     * @param up whether it works from now on
     */
    void Apply(bool isRouter, uint32_t number, bool up);

    /**
     * Place an event.
     * @param when its cycle
     * @param event its kind
     * @param number of the change, link or router
     */
    void Place(Ticks when, Event event, uint32_t number);

    /** Carry out the next event. */
    void ServeNext();

    /**
     * Place the next random failure.
     * @param isRouter whether of a router
     * @param now the cycle
     */
    void PlaceFailure(bool isRouter, Ticks now);

    std::string m_plan;            ///< Changes at given times.
    double m_linkRate{0};          ///< Failures of a link [1/cycle].
    double m_routerRate{0};        ///< Failures of a router [1/cycle].
    double m_repairTime{0};        ///< Mean time to repair, 0 for never repaired [cycles].
    std::vector<Change> m_changes; ///< The plan.
    std::multimap<Ticks, Pending> m_pending; ///< Events to come.
    uint64_t m_nFailures{0};                 ///< Failures so far.
    uint32_t m_user{0};                      ///< Number at the clock.

    WormholeNetwork* m_network{nullptr};                ///< The network, not owned.
    Ptr<messaging::TickClock> m_clock;                  ///< Its clock.
    Ptr<ExponentialRandomVariable> m_time;              ///< Times between changes.
    Ptr<UniformRandomVariable> m_choice;                ///< What fails.
    TracedCallback<bool, uint32_t, bool> m_changeTrace; ///< A change.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_FAULTS_H
