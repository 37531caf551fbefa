/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGING_HOST_RESOURCE_H
#define MESSAGING_HOST_RESOURCE_H

#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"
#include "ns3/traced-value.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

/**
 * @file
 * @ingroup messaging
 * Shared resources of a host: servers, each held by one job, and a bus shared by bursts.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Base of the resources of a host, which have one queue of jobs: its statistics and trace sources.
 */
class HostResource : public Object
{
  public:
    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /** @return its busy time, current services included. */
    virtual Time GetBusyTime() const = 0;

    /** @return the number of jobs that have requested it. */
    uint64_t GetNJobs() const
    {
        return m_jobs;
    }

    /** @return the sum over all jobs of the wait for their first service. */
    Time GetWaitTime() const
    {
        return m_waitTime;
    }

    /** @return the number of jobs that wait. */
    uint32_t GetQueueLength() const
    {
        return m_queueLength;
    }

    /** @return the largest number of jobs that have waited at the same time. */
    uint32_t GetLongestQueue() const
    {
        return m_longestQueue;
    }

    /**
     * Signature of the trace source Wait.
     * @param wait the time from a job's request to its first service
     */
    typedef void (*WaitTracedCallback)(Time wait);

  protected:
    /** Count the request of a job. */
    void CountJob()
    {
        ++m_jobs;
    }

    /**
     * Count the wait of a job at its first service.
     * @param wait the wait
     */
    void CountWait(Time wait);

    /**
     * Set the number of jobs that wait.
     * @param jobs the number
     */
    void SetQueueLength(std::size_t jobs);

  private:
    uint64_t m_jobs{0};                     ///< Jobs that have requested it.
    Time m_waitTime;                        ///< Sum of the waits.
    uint32_t m_longestQueue{0};             ///< Largest number of waiting jobs.
    TracedValue<uint32_t> m_queueLength{0}; ///< Number of waiting jobs.
    TracedCallback<Time> m_waitTrace;       ///< First service of a job.
};

/**
 * @ingroup messaging
 * Identical servers with one first-come-first-served queue: the CPUs or DMA engines of a host.
 *
 * A job holds its server until it releases it, even while waiting for another resource.
 */
class HostServers : public HostResource
{
  public:
    /** Callback with the index of the granted server. */
    using Grant = std::function<void(uint32_t)>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Request a server; the callback is within this call if one is free.
     * @param preferred index of the server to take if it is free
     * @param grant called with the server
     */
    void Acquire(uint32_t preferred, Grant grant);

    /**
     * Release a server; the job that has waited longest acquires it at once.
     * @param server its index
     */
    void Release(uint32_t server);

    Time GetBusyTime() const override;

    /** @return whether no server is held. */
    bool IsIdle() const;

    /** @return the number of servers. */
    uint32_t GetNServers() const
    {
        return static_cast<uint32_t>(m_servers.size());
    }

    /**
     * Set the number of servers, while none is held.
     * @param count the number, at least one
     */
    void SetNServers(uint32_t count);

    /** Drop the waiting jobs. */
    void Clear();

  private:
    /** State of a server. */
    struct Server
    {
        bool held{false}; ///< A job holds it.
        Time since;       ///< Start of the service.
    };

    /** Waiting job. */
    struct Waiter
    {
        Grant grant; ///< Callback.
        Time since;  ///< Time of the request.
    };

    /**
     * Assign a server to a job.
     * @param server its index
     * @param grant the job's callback
     */
    void Hold(uint32_t server, const Grant& grant);

    Time m_busy;                      ///< Busy time of all servers, without current services.
    std::vector<Server> m_servers{1}; ///< The servers.
    std::deque<Waiter> m_line;        ///< Waiting jobs.
};

/**
 * @ingroup messaging
 * Bus or memory of a host, which carries one transfer at a time and alternates between transfers
 * after each burst.
 *
 * Bursts are served first come, first served; a transfer that is not finished after a burst goes to
 * the end of the queue. Two transfers therefore interleave, and each takes as long as both
 * together, up to a burst. A transfer without competition costs one event for any number of bursts.
 */
class HostBus : public HostResource
{
  public:
    /** Completion callback of a transfer. */
    using Done = std::function<void()>;

    /**
     * Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Transfer bytes. The callback comes after the return, even if the transfer takes no time.
     * @param bytes size [bytes]
     * @param rate rate of this transfer while it has the bus; zero takes no time
     * @param done completion callback
     */
    void Transfer(uint64_t bytes, DataRate rate, Done done);

    Time GetBusyTime() const override;

    /**
     * Set the size of a burst.
     * @param bytes the size; 0 for a whole transfer [bytes]
     */
    void SetBurst(uint32_t bytes)
    {
        m_burst = bytes;
    }

    /** Drop all transfers. */
    void Clear();

  private:
    /** Transfer in progress or waiting. */
    struct Job
    {
        uint64_t bytes{0};   ///< Size [bytes].
        uint64_t served{0};  ///< Bytes transferred.
        DataRate rate;       ///< Rate with the bus to itself.
        Done done;           ///< Completion callback.
        Time since;          ///< Time of the request.
        bool started{false}; ///< Its first burst has begun.
    };

    /**
     * Compute the time of a transfer from its position to a later one.
     * @param job the transfer
     * @param until the position [bytes]
     * @return the time with the bus to itself
     */
    static Time GetDuration(const Job& job, uint64_t until);

    /** Serve the first transfer: one burst, or all of it if no other waits. */
    void Serve();

    /** End the current service at the next end of a burst, as another transfer waits. */
    void CutShort();

    /** End the current service. */
    void EndService();

    Time m_total;           ///< Busy time without the current service.
    std::deque<Job> m_line; ///< Transfers; the first has the bus while m_event is pending.
    EventId m_event;        ///< End of the current service.
    Time m_begin;           ///< Begin of the current service.
    uint64_t m_until{0};    ///< Position at the end of the current service [bytes].
    uint32_t m_burst{0};    ///< Size of a burst [bytes], zero for a whole transfer.
};

} // namespace messaging
} // namespace ns3

#endif // MESSAGING_HOST_RESOURCE_H
