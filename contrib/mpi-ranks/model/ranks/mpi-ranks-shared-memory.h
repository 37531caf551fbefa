/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPI_RANKS_SHARED_MEMORY_H
#define MPI_RANKS_SHARED_MEMORY_H

#include "ns3/messaging-fifo.h"
#include "ns3/messaging-slot-pool.h"
#include "ns3/messaging-tick-clock.h"
#include "ns3/mpi-ranks-link.h"

#include <algorithm>
#include <vector>

/**
 * @file
 * @ingroup mpi-ranks
 * Memory of a node, which carries messages between its ranks and limits their copy rate.
 */

namespace ns3
{
namespace ranks
{

/**
 * Parameters of the memory. Paper 4 states none; the defaults are those of a dual Clovertown. On
 * two such processors of 2.33 GHz, STREAM moves 5.9 GB/s of reads and writes, which corresponds to
 * copies of 2.95 GB/s (Williams, Waterman, Patterson, CACM 52(4), 2009).
 */
struct MemoryConfig
{
    Ticks latency{500};        ///< Delay from the write of a flag until another core sees it [ns].
    uint32_t copyRate{1500};   ///< Copy rate of one core [MB/s].
    uint32_t memoryRate{2950}; ///< Copy rate of all cores of a node together; 0: no limit [MB/s].
    uint32_t ranksPerNode{8};  ///< Ranks that share a memory (section 8.1).
};

/**
 * @ingroup mpi-ranks
 * Memories of all nodes. They carry messages between ranks of one node, and compute the time of
 * copies.
 */
class SharedMemory : private messaging::TickUser
{
  public:
    /**
     * Constructor.
     * @param config the parameters, not owned
     * @param clock counts nanoseconds
     * @param ranks number of ranks
     * @param user user to notify of arrivals, not owned
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

    /** @return true if two ranks share a memory. @param a a rank @param b another */
    bool IsLocal(Peer a, Peer b) const
    {
        return a / m_config->ranksPerNode == b / m_config->ranksPerNode;
    }

    /**
     * Copy at the rate of a core, or at the remaining rate of the node's memory if lower.
     * @param self the rank that copies
     * @param begin start of the copy [ns]
     * @param bytes its length [bytes]
     * @return its end [ns]
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
     * Forward a message after the sender's copy.
     * @param to a rank of the sender's node
     * @param message the message
     * @param when end of the copy [ns]
     */
    void Send(Peer to, const Delivery& message, Ticks when)
    {
        m_clock->At(when + m_config->latency, m_number, to, m_flights.Put(message));
    }

    /** @return messages that have arrived, which their receiver removes. @param self the rank */
    messaging::Fifo<Delivery>& GetInbox(Peer self)
    {
        return m_inboxes[self];
    }

  private:
    void OnTick(Peer peer, uint64_t datum) override
    {
        m_inboxes[peer].Push(m_flights.Take(datum));
        m_user->OnArrival(peer);
    }

    const MemoryConfig* m_config;                     ///< The parameters, not owned.
    Ptr<messaging::TickClock> m_clock;                ///< Counts nanoseconds.
    RankLinkUser* m_user;                             ///< User to notify of arrivals, not owned.
    std::vector<messaging::Fifo<Delivery>> m_inboxes; ///< Arrivals of each rank.
    messaging::SlotPool<Delivery> m_flights;          ///< Messages in flight.
    std::vector<Ticks> m_freeAt; ///< Time at which the memory of a node is free [ns].
    uint32_t m_number;           ///< User number at the clock.
};

} // namespace ranks
} // namespace ns3

#endif // MPI_RANKS_SHARED_MEMORY_H
