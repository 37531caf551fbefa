/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_HOST_RESOURCE_H
#define MESSAGING_HOST_RESOURCE_H

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * The two kinds of shared resources in a host: servers that are held, and a bus that is shared by
 * bursts.
 */

namespace ns3
{
namespace messaging
{

/** Statistics of a resource of a host. */
struct HostResourceStatistics
{
    uint64_t jobs{0};    ///< Requests of the resource.
    uint64_t longest{0}; ///< Most jobs that waited at once.
    Time busy;           ///< Time of service of all servers, current services included.
    Time waited; ///< Time that jobs have waited for their first service, added over all jobs.
};

/**
 * @ingroup messaging
 * Identical servers with one line, first come, first served: the CPUs or the DMA engines of a host.
 *
 * A job holds its server until it releases it, even while it waits for another resource.
 */
class HostServers : public SimpleRefCount<HostServers>
{
  public:
    /** Called with the index of the server that a job has got. */
    using Grant = std::function<void(uint32_t)>;

    /**
     * Request a server; calls back before the return if one is free.
     * @param preferred index of the server to be taken if it is free
     * @param grant called with the server
     */
    void Acquire(uint32_t preferred, Grant grant);

    /**
     * Release a server; the job that has waited longest gets it at once.
     * @param server its index
     */
    void Release(uint32_t server);

    /** @return its statistics so far. */
    HostResourceStatistics GetStatistics() const;

    /** @return the number of servers. */
    uint32_t GetNServers() const
    {
        return static_cast<uint32_t>(m_servers.size());
    }

    /**
     * Set the number of servers, while none is held.
     * @param count the number, one at least
     */
    void SetNServers(uint32_t count);

    /** Drop the jobs that wait. */
    void Clear()
    {
        m_line.clear();
    }

  private:
    /** A server. */
    struct Server
    {
        bool held{false}; ///< A job holds it.
        Time since;       ///< Start of the service.
    };

    /** A job that waits. */
    struct Waiter
    {
        Grant grant; ///< To be called.
        Time since;  ///< Time of the request.
    };

    /**
     * Assign a server to a job.
     * @param server its index
     * @param grant the job's callback
     */
    void Hold(uint32_t server, const Grant& grant);

    HostResourceStatistics m_statistics; ///< Without current services.
    std::vector<Server> m_servers{1};    ///< The servers.
    std::deque<Waiter> m_line;           ///< Jobs that wait.
};

/**
 * @ingroup messaging
 * A medium that carries one transfer at a time and changes between transfers after each burst: the
 * bus or the memory of a host.
 *
 * Bursts are served first come, first served, and a transfer that is not finished after a burst
 * goes to the end of the line. So two transfers interleave, and each takes as long as both
 * together, up to a burst. A transfer that is alone costs one event, however many bursts it has.
 */
class HostBus : public SimpleRefCount<HostBus>
{
  public:
    /** Called when a transfer has ended. */
    using Done = std::function<void()>;

    /**
     * Transfer bytes; called back later, even if it takes no time.
     * @param bytes size [bytes]
     * @param rate of this transfer while it has the bus; zero takes no time
     * @param done called at the end
     */
    void Transfer(uint64_t bytes, DataRate rate, Done done);

    /** @return its statistics so far. */
    HostResourceStatistics GetStatistics() const;

    /**
     * Set the size of a burst.
     * @param bytes bytes after which another transfer gets its turn; 0 for a whole transfer [bytes]
     */
    void SetBurst(uint32_t bytes)
    {
        m_burst = bytes;
    }

    /** Drop all transfers. */
    void Clear();

  private:
    /** A transfer. */
    struct Job
    {
        uint64_t bytes{0};   ///< Size [bytes].
        uint64_t served{0};  ///< Bytes done.
        DataRate rate;       ///< Rate.
        Done done;           ///< Called at the end.
        Time since;          ///< Time of the request.
        bool started{false}; ///< It has had a burst.
    };

    /**
     * Compute the time of a transfer from its position to a later one.
     * @param job the transfer
     * @param until the position [bytes]
     * @return the time with the bus to itself
     */
    static Time GetDuration(const Job& job, uint64_t until);

    /** Serve the first of the line, if the bus is free: one burst, or all if nothing else waits. */
    void Serve();

    /** End the current service at the next end of a burst, since another transfer waits. */
    void CutShort();

    /** End the current service. */
    void EndService();

    HostResourceStatistics m_statistics; ///< Without the current service.
    std::deque<Job> m_line;              ///< Transfers; the first has the bus while m_busy.
    EventId m_event;                     ///< End of the current service.
    Time m_begin;                        ///< When it began.
    uint64_t m_until{0};                 ///< Position of the transfer at its end [bytes].
    uint32_t m_burst{0};                 ///< Size of a burst [bytes], zero for a whole transfer.
    bool m_busy{false};                  ///< The first of the line is being served.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_HOST_RESOURCE_H
