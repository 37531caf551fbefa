/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_SHARED_MEMORY_H
#define MPI_RANKS_SHARED_MEMORY_H

#include "mpi-ranks-group-link.h"

#include "ns3/messaging-tick-clock.h"

#include <algorithm>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * The memory of a node, through which its ranks talk and which their copies share.
 */

namespace ns3
{
namespace ranks
{

/** What memory costs. Paper 4 says nothing of it; the defaults are a dual Clovertown's. */
struct MemoryConfig
{
    Ticks latency{500};       ///< From a flag's write until another core sees it [ns].
    uint32_t copyRate{1500};  ///< Of one core [MB/s].
    uint32_t memoryRate{0};   ///< Of all cores of a node together; 0: no limit [MB/s].
    uint32_t ranksPerNode{8}; ///< Ranks that share a memory (section 8.1).
};

/**
 * @ingroup mpi-ranks
 * The memories of all nodes: they carry messages between ranks of one node, and they tell how long
 * copies take.
 */
class SharedMemory : private messaging::TickUser
{
  public:
    /**
     * Constructor.
     * @param config what memory costs, not owned
     * @param clock counts nanoseconds
     * @param ranks number of ranks
     * @param user hears of arrivals, not owned
     */
    SharedMemory(const MemoryConfig* config,
                 Ptr<messaging::TickClock> clock,
                 uint32_t ranks,
                 RankLinkUser* user)
        : m_config(config),
          m_clock(clock),
          m_user(user),
          m_inboxes(ranks),
          m_freeAt(ranks / config->ranksPerNode + 1, 0),
          m_number(clock->Register(this))
    {
    }

    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    /** @return whether two ranks share a memory. @param a the one @param b the other */
    bool IsLocal(Peer a, Peer b) const
    {
        return a / m_config->ranksPerNode == b / m_config->ranksPerNode;
    }

    /**
     * Copy, at the rate of a core and no faster than the node's memory still can.
     * @param self the rank that copies
     * @param begin when it begins [ns]
     * @param bytes how much [bytes]
     * @return when it is done [ns]
     */
    Ticks Copy(Peer self, Ticks begin, uint64_t bytes)
    {
        Ticks end = begin + bytes * 1000 / m_config->copyRate;
        if (m_config->memoryRate != 0)
        {
            Ticks& freeAt = m_freeAt[self / m_config->ranksPerNode];
            freeAt = std::max(freeAt, begin) + bytes * 1000 / m_config->memoryRate;
            end = std::max(end, freeAt);
        }
        return end;
    }

    /**
     * Pass a message on that its sender has copied.
     * @param self the sender
     * @param to a rank of the same node
     * @param frame the message
     * @param when at what time [ns]
     */
    void Send(Peer self, Peer to, const Frame& frame, Ticks when)
    {
        uint64_t flight = m_flights.size();
        if (m_free.empty())
        {
            m_flights.emplace_back();
        }
        else
        {
            flight = m_free.back();
            m_free.pop_back();
        }
        m_flights[flight] = RankArrival{.frame = frame, .peer = self};
        m_clock->At(when + m_config->latency, m_number, to, flight);
    }

    /**
     * Take what has arrived.
     * @param self the rank
     * @param arrivals where to, changed
     * @param max how much at most
     * @return how much
     */
    uint32_t Poll(Peer self, RankArrival* arrivals, uint32_t max)
    {
        return m_inboxes.Take(self, arrivals, max);
    }

    /** @return whether nothing waits. @param self the rank */
    bool IsEmpty(Peer self) const
    {
        return m_inboxes.IsEmpty(self);
    }

  private:
    void OnTick(Peer peer, uint64_t datum) override
    {
        m_inboxes.Put(peer, m_flights[datum]);
        m_free.push_back(datum);
        m_user->OnArrival(peer);
    }

    const MemoryConfig* m_config;       ///< What memory costs.
    Ptr<messaging::TickClock> m_clock;  ///< Counts nanoseconds.
    RankLinkUser* m_user;               ///< Hears of arrivals.
    RankInboxes m_inboxes;              ///< What has arrived.
    std::vector<RankArrival> m_flights; ///< Messages under way, and free places.
    std::vector<uint64_t> m_free;       ///< Free places.
    std::vector<Ticks> m_freeAt;        ///< When the memory of a node is free [ns].
    uint32_t m_number;                  ///< The clock's number for this.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_SHARED_MEMORY_H
