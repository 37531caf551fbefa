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
 * Shared resources of a host: servers, each held by one job, and a bus shared by
 * bursts.
 */

namespace ns3
{
namespace messaging
{

/**
 * @ingroup messaging
 * Identical servers with one first-come-first-served queue: the CPUs or DMA engines of a host.
 *
 * A job holds its server until it releases it, even while waiting for another resource.
 */
class HostServers : public SimpleRefCount<HostServers>
{
  public:
    /** Callback with the index of the granted server. */
    using Grant = std::function<void(uint32_t)>;

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

    /** @return its busy time, current services included. */
    Time GetBusyTime() const;

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
    void Clear()
    {
        m_line.clear();
    }

  private:
    /** State of a server. */
    struct Server
    {
        bool held{false}; ///< A job holds it.
        Time since;       ///< Start of the service.
    };

    /**
     * Assign a server to a job.
     * @param server its index
     * @param grant the job's callback
     */
    void Hold(uint32_t server, const Grant& grant);

    Time m_busy;                      ///< Busy time of all servers, without current services.
    std::vector<Server> m_servers{1}; ///< The servers.
    std::deque<Grant> m_line;         ///< Waiting jobs.
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
class HostBus : public SimpleRefCount<HostBus>
{
  public:
    /** Completion callback of a transfer. */
    using Done = std::function<void()>;

    /**
     * Transfer bytes. The callback comes after the return, even if the transfer takes no time.
     * @param bytes size [bytes]
     * @param rate rate of this transfer while it has the bus; zero takes no time
     * @param done completion callback
     */
    void Transfer(uint64_t bytes, DataRate rate, Done done);

    /** @return its busy time, current services included. */
    Time GetBusyTime() const;

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
        uint64_t bytes{0};  ///< Size [bytes].
        uint64_t served{0}; ///< Bytes transferred.
        DataRate rate;      ///< Rate with the bus to itself.
        Done done;          ///< Completion callback.
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
