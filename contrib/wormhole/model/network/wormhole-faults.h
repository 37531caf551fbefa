/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_FAULTS_H
#define WORMHOLE_FAULTS_H

#include "ns3/messaging-tick-clock.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/traced-callback.h"
#include "ns3/wormhole-port.h"

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
 * Attribute Failures is a list of changes, separated by semicolons:
 *
 *     CYCLE down ROUTER      the router fails
 *     CYCLE down FROM-TO     the links between two neighbouring routers fail, in both directions
 *     CYCLE up ROUTER        it is repaired
 *     CYCLE up FROM-TO       they are repaired
 *
 * as in "1000 down 5-6; 2000 up 5-6; 3000 down 9". Random failures of each router, and of each
 * direction of a link, are a Poisson process; repair times are exponentially distributed. A random
 * failure of a link or router that is already down has no effect.
 *
 * Changes occur at the ticks of the network's clock.
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

    /** @return whether the attributes specify any failure. */
    bool IsAny() const;

    /**
     * Check the attributes.
     * @param shape shape of the network
     * @return an empty text, or one sentence with the error and the permitted values
     */
    std::string Check(const Shape& shape) const;

    /**
     * Begin. Call it once.
     * @param port port of the network
     * @param clock clock of the network's cycles
     */
    void Start(Ptr<WormholePort> port, Ptr<messaging::TickClock> clock);

    /** End random failures. Pending repairs still occur. */
    void EndRandomFailures();

    /**
     * Assign random streams.
     * @param stream first stream
     * @return number of streams assigned
     */
    int64_t AssignStreams(int64_t stream);

    /** @return the number of failures of routers, and of links in each direction. */
    uint64_t GetNFailures() const
    {
        return m_nFailures;
    }

    /** @return the number of pending changes. */
    uint64_t GetNPending() const
    {
        return m_nPending;
    }

    void OnTick(messaging::Peer number, uint64_t datum) override;

    /**
     * A link or router has failed or been repaired.
     * @param isRouter whether it is a router
     * @param number number of the link or router
     * @param up whether it is up now
     */
    typedef void (*ChangeTracedCallback)(bool isRouter, uint32_t number, bool up);

  protected:
    void DoDispose() override;

  private:
    /** A change of the plan. */
    struct Change
    {
        Ticks when{0};        ///< Cycle.
        bool up{false};       ///< Repair instead of failure.
        bool isRouter{false}; ///< Change of a router instead of links.
        uint32_t from{0};     ///< The router, or the router at one end.
        uint32_t to{0};       ///< The router at the other end.
    };

    /** Kinds of events. */
    enum class Event : uint8_t
    {
        BEGIN,   ///< Begin of the run: the first random failures are drawn.
        FAILURE, ///< Random failure of any link or router.
        DOWN,    ///< Failure of a given link or router.
        UP,      ///< Repair of a given link or router.
    };

    /**
     * Parse a change.
     * @param entry an entry of the plan, as in "1000 down 5-6"
     * @param change set to it
     * @return false if it is malformed
     */
    static bool ParseChange(const std::string& entry, Change& change);

    /**
     * Parse the plan.
     * @param changes its changes, ordered by time
     * @return an empty text, or one sentence on the error
     */
    std::string Parse(std::vector<Change>& changes) const;

    /**
     * Check that a plan fits a network, and that each entry changes the state.
     * @param shape shape of the network
     * @param changes the plan
     * @return an empty text, or one sentence on the error
     */
    static std::string CheckPlan(const Shape& shape, const std::vector<Change>& changes);

    /**
     * Find the links between two routers.
     * @param shape shape of the network
     * @param from a router
     * @param to another router
     * @return the links, in both directions
     */
    static std::vector<Link> FindLinks(const Shape& shape, uint32_t from, uint32_t to);

    /**
     * Carry out a change.
     * @param isRouter whether it is a router
     * @param number number of the link or router
     * @param up whether it is up from now on
     */
    void Apply(bool isRouter, uint32_t number, bool up);

    /**
     * Schedule an event.
     * @param when its cycle
     * @param event its kind
     * @param isRouter whether it is of a router
     * @param number number of the link or router; unused by random failures
     */
    void Schedule(Ticks when, Event event, bool isRouter = false, uint32_t number = 0);

    /** @param isRouter whether routers are meant, or links @return failures of each [1/cycle]. */
    double GetRate(bool isRouter) const;

    /** @param isRouter whether routers are meant, or links @return their number. */
    uint32_t GetNumber(bool isRouter) const;

    /** Schedule the next random failure. @param isRouter whether it is of a router */
    void ScheduleFailure(bool isRouter);

    /**
     * Let a random link or router fail if it works, and schedule its repair.
     * @param isRouter whether it is a router
     */
    void FailAny(bool isRouter);

    std::string m_plan;      ///< Text of the plan.
    double m_linkRate{0};    ///< Failure rate of a link [1/cycle].
    double m_routerRate{0};  ///< Failure rate of a router [1/cycle].
    double m_repairTime{0};  ///< Mean time to repair; 0: no repair [cycles].
    uint64_t m_nPending{0};  ///< Number of pending events.
    uint64_t m_nFailures{0}; ///< Number of failures.
    uint32_t m_user{0};      ///< User number at the clock.

    Ptr<WormholePort> m_port;                           ///< Port of the network.
    Ptr<messaging::TickClock> m_clock;                  ///< Its clock.
    Ptr<ExponentialRandomVariable> m_time;              ///< Draws times between changes.
    Ptr<UniformRandomVariable> m_choice;                ///< Draws links and routers.
    TracedCallback<bool, uint32_t, bool> m_changeTrace; ///< A change.
};

} // namespace wormhole
} // namespace ns3

#endif // WORMHOLE_FAULTS_H
