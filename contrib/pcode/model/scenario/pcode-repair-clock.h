/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PCODE_REPAIR_CLOCK_H
#define PCODE_REPAIR_CLOCK_H

#include "ns3/messaging-group.h"
#include "ns3/nstime.h"
#include "ns3/pcode-lan.h"

#include <cstdint>
#include <map>
#include <set>
#include <utility>

/**
 * @file
 * @ingroup pcode
 * Times from the loss of a message to its delivery.
 */

namespace ns3
{
namespace pcode
{

/**
 * @ingroup pcode
 * Measures how long lost messages take to be repaired (section 6.5): from the time at which an
 * interface loses the first copy of a message to its delivery at that node.
 *
 * Messages are identified by their contents, which are different for all calls of a program. Lost
 * copies of a message that the node already has are not counted.
 */
class RepairClock
{
  public:
    RepairClock() = default;
    RepairClock(const RepairClock&) = delete;
    RepairClock& operator=(const RepairClock&) = delete;

    /**
     * Observe a group; before its run.
     * @param lan its LAN
     * @param cores its cores, which may not outlive this object while they run
     */
    void Observe(Ptr<Lan> lan, Ptr<messaging::MessageGroup> cores);

    /**
     * Note that an interface has lost a frame.
     * @param node the node
     * @param frame the frame
     */
    void OnLoss(messaging::Peer node, const messaging::Frame& frame);

    /**
     * Note that a frame has arrived.
     * @param node the node
     * @param frame the frame
     */
    void OnArrive(messaging::Peer node, const messaging::Frame& frame);

    /**
     * Note that a message was delivered.
     * @param node the node
     * @param contents its contents
     */
    void OnDeliver(messaging::Peer node, uint64_t contents);

    /** @return the number of messages that were delivered after a loss. */
    uint64_t GetN() const
    {
        return m_repairs;
    }

    /** @return their mean time from the loss to the delivery; zero without any. */
    Time GetMean() const;

  private:
    /** A message at a node: node and contents. */
    using Copy = std::pair<messaging::Peer, uint64_t>;

    std::map<Copy, Time> m_lost; ///< Time of the first loss of messages not yet delivered.
    std::set<Copy> m_arrived;    ///< Messages that have arrived.
    uint64_t m_repairs{0};       ///< Number of messages delivered after a loss.
    Time m_sum;                  ///< Sum of their times.
};

} // namespace pcode
} // namespace ns3

#endif // PCODE_REPAIR_CLOCK_H
